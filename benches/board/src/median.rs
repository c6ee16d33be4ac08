//! The median of measurements; `cargo xtask bench` takes it from here.

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
    fn the_median_is_the_middle_and_ignores_a_disturbed_round() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [1.0, 2.0, 4.0, 100.0]), 3.0);
        assert_eq!(median(&mut []), 0.0);
    }
}
