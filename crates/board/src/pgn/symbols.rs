//! The bytes of a symbol, and the symbols that stand for something else than a move.

/// Which bytes continue a symbol: letters, digits, `_+#=:-/@`, and everything that is not ASCII.
static CONTINUES: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte >= 128
            || (byte as u8).is_ascii_alphanumeric()
            || matches!(byte as u8, b'_' | b'+' | b'#' | b'=' | b':' | b'-' | b'/' | b'@');
        byte += 1;
    }
    table
};

/// The longest symbol, as the standard says.
pub(super) const LONGEST_SYMBOL: usize = 255;

/// Whether a byte continues a symbol.
#[inline(always)]
pub(super) fn continues(byte: u8) -> bool {
    CONTINUES[byte as usize]
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
