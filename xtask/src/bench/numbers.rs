//! Numbers in the output of programs.

/// The whole number after a mark, with spaces between allowed.
pub fn number(text: &str, mark: &str) -> Option<u64> {
    let rest = text.split(mark).nth(1)?.trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_their_marks() {
        let json = "{\"depth\":7,\"nodes\":123,\"nodes_x\":4}";
        let number_of = |key: &str| number(json, &format!("\"{key}\":"));
        assert_eq!((number_of("nodes"), number_of("nps")), (Some(123), None));
        assert_eq!(number("Time  : 1ms\nNodes : 5132900\nNPS", "Nodes :"), Some(5_132_900));
    }
}
