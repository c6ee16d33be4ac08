//! Arguments of the form `key=value`, as the options of a match have them.

use std::str::FromStr;

/// Takes `key=value` words apart; the first one that is none is the error.
pub fn pairs<'a>(option: &str, words: &'a [String]) -> Result<Vec<(&'a str, &'a str)>, String> {
    let pair = |word: &'a String| {
        word.split_once('=')
            .filter(|(key, _)| !key.is_empty())
            .ok_or_else(|| format!("{option}: expected key=value, not \"{word}\""))
    };
    words.iter().map(pair).collect()
}

/// Reads a value of a key.
pub fn value<T: FromStr>(option: &str, key: &str, value: &str, what: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{option}: {key} is {what}, not \"{value}\""))
}

/// Reads a value that is on or off, in the words of several programs.
pub fn switch(option: &str, key: &str, value: &str) -> Result<bool, String> {
    match value {
        "on" | "true" => Ok(true),
        "off" | "false" | "auto" => Ok(false),
        _ => Err(format!("{option}: {key} is on or off, not \"{value}\"")),
    }
}

/// The error for a key that is not known.
pub fn unknown(option: &str, key: &str, known: &str) -> String {
    format!("{option}: there is no \"{key}\"; known are {known}")
}

/// Splits a text at white space, except inside quotation marks of either kind.
pub fn split_quoted(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in text.chars() {
        match quote {
            Some(mark) if letter == mark => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    match quote {
        Some(mark) => Err(format!("a quotation mark {mark} is not closed")),
        None => {
            words.extend(word);
            Ok(words)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_outside_of_quotation_marks() {
        let split = |text| split_quoted(text).expect("closed marks");
        assert_eq!(split(" a  'b c' d\"e f\" '' "), ["a", "b c", "de f", ""]);
        assert!(split("  ").is_empty());
        assert!(split_quoted("a 'b").is_err());
    }

    #[test]
    fn a_word_without_a_key_is_named() {
        let words = [String::from("a=b=c"), String::from("x")];
        let error = pairs("--engine", &words).expect_err("x is no pair");
        assert_eq!(error, "--engine: expected key=value, not \"x\"");
        assert_eq!(pairs("--engine", &words[..1]), Ok(vec![("a", "b=c")]));
    }
}
