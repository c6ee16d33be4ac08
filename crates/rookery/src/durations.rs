//! Times as people read them.

/// `1.25 s`, `3.20 ms`, `41.00 µs`: with a unit in which there is something before the point.
pub fn text(seconds: f64) -> String {
    match seconds {
        0.1.. => format!("{seconds:.2} s"),
        0.000_1.. => format!("{:.2} ms", seconds * 1e3),
        _ => format!("{:.2} µs", seconds.abs() * 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_is_shown_as_nothing() {
        let cases =
            [(61.0, "61.00 s"), (0.1, "0.10 s"), (0.0042, "4.20 ms"), (0.000_05, "50.00 µs")];
        for (seconds, shown) in cases {
            assert_eq!(text(seconds), shown);
        }
        assert_eq!((text(0.0), text(-0.0)), ("0.00 µs".to_owned(), "0.00 µs".to_owned()));
    }
}
