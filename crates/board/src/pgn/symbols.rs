//! The bytes of a symbol, and the symbols that stand for something else than a move.

/// What a byte means to the scanners, one bit each.
static MEANINGS: [u8; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let byte = index as u8;
        let continues = !byte.is_ascii()
            || byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'+' | b'#' | b'=' | b':' | b'-' | b'/' | b'@');
        let ends_line = matches!(byte, b'\n' | b'\r');
        let ends_name = ends_line || matches!(byte, b' ' | b'\t' | b'"' | b'[' | b']');
        let ends_value = ends_line || matches!(byte, b'"' | b'\\');
        table[index] = if continues { CONTINUES } else { 0 }
            | if ends_name { ENDS_NAME } else { 0 }
            | if ends_value { ENDS_VALUE } else { 0 }
            | if !matches!(byte, b' ' | b'\t') { ENDS_BLANK } else { 0 };
        index += 1;
    }
    table
};

/// The byte continues a symbol: letters, digits, `_+#=:-/@`, and everything that is not ASCII.
const CONTINUES: u8 = 1;
/// The byte ends the name of a tag.
pub(super) const ENDS_NAME: u8 = 2;
/// The byte ends the value of a tag, or has to be looked at.
pub(super) const ENDS_VALUE: u8 = 4;
/// The byte is neither space nor tabulator.
pub(super) const ENDS_BLANK: u8 = 8;

/// The longest symbol, as the standard says.
pub(super) const LONGEST_SYMBOL: usize = 255;

/// Whether a byte has one of these meanings.
#[inline(always)]
pub(super) fn is_any(byte: u8, meanings: u8) -> bool {
    MEANINGS[byte as usize] & meanings != 0
}

/// Whether a byte continues a symbol.
#[inline(always)]
pub(super) fn continues(byte: u8) -> bool {
    is_any(byte, CONTINUES)
}

/// What a symbol that is not a move, number or result means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Symbol {
    /// An annotation.
    Nag(u8),
    /// Something that says nothing new, like `e.p.`, or a `+` that stands apart from its move.
    Ornament,
}

/// The annotations that are written as symbols, and ornaments. The numbers are those of the PGN
/// standard, and 146 (novelty) and 220 (diagram) by the custom of the databases.
pub(super) fn meaning(symbol: &[u8]) -> Option<Symbol> {
    let number = match symbol {
        b"!" => 1,
        b"?" => 2,
        b"!!" => 3,
        b"??" => 4,
        b"!?" => 5,
        b"?!" => 6,
        b"=" | b"==" => 10,
        b"~" => 13,
        b"+=" | b"+/=" => 14,
        b"=+" | b"=/+" => 15,
        b"+/-" => 16,
        b"-/+" => 17,
        b"+-" => 18,
        b"-+" => 19,
        b"N" => 146,
        b"D" => 220,
        b"+" | b"++" | b"#" | b"ep" | b"ch" | b"mate" => return Some(Symbol::Ornament),
        _ => return unicode_meaning(std::str::from_utf8(symbol).ok()?),
    };
    Some(Symbol::Nag(number))
}

fn unicode_meaning(symbol: &str) -> Option<Symbol> {
    Some(Symbol::Nag(match symbol {
        "‼" => 3,
        "⁇" => 4,
        "⁉" => 5,
        "⁈" => 6,
        "□" => 7,
        "∞" => 13,
        "⩲" => 14,
        "⩱" => 15,
        "±" => 16,
        "∓" => 17,
        _ => return None,
    }))
}
