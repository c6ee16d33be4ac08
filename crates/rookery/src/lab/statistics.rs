//! Shares with their errors.

use board::random::SplitMix;
use lab::statistics::TWO_SIDED_95;

/// A share of a number of cases.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Share {
    /// Cases in which it was so.
    pub hits: u64,
    /// All cases.
    pub cases: u64,
}

impl Share {
    /// Counts a case.
    pub fn count(&mut self, hit: bool) {
        self.hits += u64::from(hit);
        self.cases += 1;
    }

    /// The share; nothing without cases.
    pub fn value(self) -> Option<f64> {
        (self.cases > 0).then(|| self.hits as f64 / self.cases as f64)
    }

    /// Wilson's interval of 95 %, which holds near 0 and 1 as well.
    pub fn interval(self) -> Option<(f64, f64)> {
        let (share, cases) = (self.value()?, self.cases as f64);
        let square = TWO_SIDED_95 * TWO_SIDED_95 / cases;
        let middle = share + square / 2.0;
        let half = TWO_SIDED_95 * (share * (1.0 - share) / cases + square / (4.0 * cases)).sqrt();
        Some((((middle - half) / (1.0 + square)).max(0.0), (middle + half) / (1.0 + square)))
    }
}

/// The interval of 95 % of a number that is computed from cases, by drawing them again with repetition.
pub fn bootstrap(
    cases: usize,
    rounds: usize,
    seed: u64,
    number: impl Fn(&mut dyn FnMut() -> usize) -> Option<f64>,
) -> Option<(f64, f64)> {
    let mut random = SplitMix(seed);
    let mut draw = || random.below(cases as u64) as usize;
    let mut found: Vec<f64> = (0..rounds).filter_map(|_| number(&mut draw)).collect();
    found.sort_by(f64::total_cmp);
    let at = |part: f64| {
        found.get((part * (found.len().saturating_sub(1)) as f64).round() as usize).copied()
    };
    Some((at(0.025)?, at(0.975)?))
}

/// The curve `a + b·exp(−c·x)` nearest to points by least squares: for each of many `c` the best `a` and `b`.
pub fn exponential(points: &[(f64, f64)]) -> Option<(f64, f64, f64)> {
    let fit = |c: f64| {
        let n = points.len() as f64;
        let sum = |value: &dyn Fn(f64, f64) -> f64| {
            points.iter().map(|&(x, y)| value((-c * x).exp(), y)).sum::<f64>()
        };
        let (su, sy) = (sum(&|u, _| u), sum(&|_, y| y));
        let (suu, suy) = (sum(&|u, _| u * u), sum(&|u, y| u * y));
        let determinant = n * suu - su * su;
        let (b, a) = ((n * suy - su * sy) / determinant, (sy * suu - su * suy) / determinant);
        (sum(&|u, y| (a + b * u - y).powi(2)), (a, b, c))
    };
    if points.len() < 4 {
        return None;
    }
    let fits =
        (1..=300).map(|step| fit(f64::from(step) / 100.0)).filter(|(error, _)| error.is_finite());
    fits.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, curve)| curve)
}

/// The curve `b·exp(−c·x)` nearest to points by least squares.
pub fn decay(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let fit = |c: f64| {
        let sum = |value: &dyn Fn(f64, f64) -> f64| {
            points.iter().map(|&(x, y)| value((-c * x).exp(), y)).sum::<f64>()
        };
        let b = sum(&|u, y| u * y) / sum(&|u, _| u * u);
        (sum(&|u, y| (b * u - y).powi(2)), (b, c))
    };
    let fits =
        (1..=300).map(|step| fit(f64::from(step) / 100.0)).filter(|(error, _)| error.is_finite());
    let best = fits.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, curve)| curve);
    best.filter(|_| points.len() >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilsons_interval_is_that_of_the_books() {
        // 10 of 100: 0.0552 to 0.1744.
        let (low, high) = Share { hits: 10, cases: 100 }.interval().expect("there are cases");
        assert!((low - 0.0552).abs() < 1e-4 && (high - 0.1744).abs() < 1e-4, "{low} {high}");
        let (low, _) = Share { hits: 0, cases: 5 }.interval().expect("there are cases");
        assert!(low.abs() < 1e-9);
    }

    #[test]
    fn a_bootstrap_holds_the_mean_of_its_cases_and_repeats_itself() {
        let values: Vec<f64> = (0..100).map(|number| f64::from(number % 10)).collect();
        let mean = |draw: &mut dyn FnMut() -> usize| {
            Some((0..100).map(|_| values[draw()]).sum::<f64>() / 100.0)
        };
        let (low, high) = bootstrap(100, 1000, 1, mean).expect("there are cases");
        assert!(low < 4.5 && 4.5 < high && high - low < 1.6, "{low} {high}");
        assert_eq!(bootstrap(100, 1000, 1, mean), Some((low, high)));
    }

    #[test]
    fn an_exponential_curve_is_found_again() {
        let points: Vec<(f64, f64)> =
            (2..15).map(f64::from).map(|x| (x, 0.1 + 0.5 * (-0.2 * x).exp())).collect();
        let (a, b, c) = exponential(&points).expect("there are points");
        assert!((a - 0.1).abs() < 1e-6 && (b - 0.5).abs() < 1e-6 && (c - 0.2).abs() < 1e-9);
        assert_eq!(exponential(&points[..3]), None);
        let points: Vec<(f64, f64)> =
            (3..17).map(|d| (f64::from(d), 0.6 * (-0.12 * f64::from(d)).exp())).collect();
        let (b, c) = decay(&points).expect("enough points");
        assert!((b - 0.6).abs() < 1e-9 && (c - 0.12).abs() < 1e-9);
    }
}
