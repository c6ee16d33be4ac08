//! The normal distribution.

/// The probability that a standard normal variable is below a value; absolute error below 1e-12.
///
/// Near the middle by the series of Marsaglia (Evaluating the Normal Distribution, 2004), which sums
/// positive terms only; far out by the continued fraction of the tail, where the series would lose its
/// digits to cancellation.
pub fn probability_below(value: f64) -> f64 {
    const FAR: f64 = 6.0;
    if value.is_nan() {
        return value;
    }
    if value.abs() > FAR {
        let tail = tail_above(value.abs());
        return if value > 0.0 { 1.0 - tail } else { tail };
    }
    let (mut term, mut sum, mut odd) = (value, value, 1.0);
    while term.abs() > f64::EPSILON * sum.abs() {
        odd += 2.0;
        term *= value * value / odd;
        sum += term;
    }
    0.5 + sum * density(value)
}

fn density(value: f64) -> f64 {
    (-0.5 * value * value).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

/// The upper tail for values well above 0.
fn tail_above(value: f64) -> f64 {
    const TERMS: u32 = 40;
    let fraction = (1..=TERMS).rev().fold(value, |below, k| value + f64::from(k) / below);
    density(value) / fraction
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::statistics::TWO_SIDED_95;

    #[test]
    fn the_values_of_the_printed_tables() {
        for (value, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-TWO_SIDED_95, 0.025),
            (3.0, 0.998_650_101_968_370),
            (-7.0, 1.279_812_543_885_835e-12),
        ] {
            assert!((probability_below(value) - expected).abs() < 1e-12, "{value}");
        }
        assert_eq!((probability_below(99.0), probability_below(f64::NEG_INFINITY)), (1.0, 0.0));
    }
}
