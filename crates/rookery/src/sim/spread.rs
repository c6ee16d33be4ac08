//! What several seeds came to: their mean, and how far they lie apart.

use serde::Serialize;

/// The speedups and overheads of the seeds of a row.
#[derive(Clone, Default, Debug, PartialEq, Serialize)]
pub struct Seeds {
    /// One for each seed, in their order.
    pub speedups: Vec<f64>,
    /// Standard deviation of the speedups; none of a single seed.
    pub speedup_spread: Option<f64>,
    pub search_overhead_spread: Option<f64>,
}

impl Seeds {
    /// Speedup and search overhead of each seed.
    pub fn new(runs: &[(f64, f64)]) -> Seeds {
        let (speedups, overheads): (Vec<f64>, Vec<f64>) = runs.iter().copied().unzip();
        let (_, speedup_spread) = mean_and_spread(&speedups);
        let (_, search_overhead_spread) = mean_and_spread(&overheads);
        Seeds { speedups, speedup_spread, search_overhead_spread }
    }

    /// The mean of the speedups; none where no seed is complete.
    pub fn mean(&self) -> Option<f64> {
        (!self.speedups.is_empty()).then(|| mean_and_spread(&self.speedups).0)
    }
}

/// Mean, and standard deviation of the sample; none of fewer than two.
pub fn mean_and_spread(values: &[f64]) -> (f64, Option<f64>) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count.max(1.0);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt()))
}

/// A spread as it is printed.
pub fn text(spread: Option<f64>, digits: usize) -> String {
    spread.map_or_else(|| "-".to_owned(), |spread| format!("{spread:.digits$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_the_standard_deviation_of_the_sample() {
        assert_eq!(mean_and_spread(&[2.0, 4.0, 6.0]), (4.0, Some(2.0)));
        assert_eq!(mean_and_spread(&[3.0]), (3.0, None));
        let seeds = Seeds::new(&[(10.0, 0.5), (14.0, 0.5)]);
        assert_eq!((seeds.mean(), seeds.search_overhead_spread), (Some(12.0), Some(0.0)));
        assert_eq!(text(seeds.speedup_spread, 2), "2.83");
    }
}
