//! Numbers with the word for what they count.

use std::fmt::Display;

/// `1 position`, `2 positions`, `3 entries`, `4 mismatches`.
pub fn counted(count: impl Display, word: &str) -> String {
    let count = count.to_string();
    if count == "1" {
        return format!("1 {word}");
    }
    match word.strip_suffix('y') {
        Some(stem) => format!("{count} {stem}ies"),
        None if word.ends_with("ch") || word.ends_with('s') => format!("{count} {word}es"),
        None => format!("{count} {word}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_singular_and_all_else_plural() {
        for (count, word, text) in [
            (0, "position", "0 positions"),
            (1, "position", "1 position"),
            (21, "game", "21 games"),
            (1, "entry", "1 entry"),
            (2, "entry", "2 entries"),
            (3, "mismatch", "3 mismatches"),
            (4, "process", "4 processes"),
        ] {
            assert_eq!(counted(count, word), text);
        }
    }
}
