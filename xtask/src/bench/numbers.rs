//! Numbers in the output of programs, and their median.

/// The whole number after a mark, with spaces between allowed.
pub fn number(text: &str, mark: &str) -> Option<u64> {
    let rest = text.split(mark).nth(1)?.trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse().ok()
}

/// The middle of some numbers; that of two middle ones is their mean, that of none 0.
pub fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match (numbers.get(middle), numbers.len() % 2) {
        (None, _) => 0.0,
        (Some(number), 1) => *number,
        (Some(number), _) => (number + numbers[middle - 1]) / 2.0,
    }
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

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(&mut []), 0.0);
    }
}
