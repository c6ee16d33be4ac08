//! Numbers as the papers print them.

/// Depth, best-change rate, fresh-best rate.
pub type DeepRow = (u32, f64, f64);

/// The thesis's Tables A.1 to A.4.
pub const DEEP: [(&str, &[DeepRow]); 4] = [
    (
        "Crafty 2004, original positions",
        &[
            (2, 0.4006, 1.0000),
            (3, 0.3860, 0.7652),
            (4, 0.2865, 0.6224),
            (5, 0.3050, 0.5962),
            (6, 0.2971, 0.5347),
            (7, 0.2676, 0.4945),
            (8, 0.2824, 0.4167),
            (9, 0.2029, 0.4928),
            (10, 0.1882, 0.3750),
            (11, 0.1794, 0.4262),
            (12, 0.1652, 0.1786),
            (13, 0.1298, 0.2955),
            (14, 0.1306, 0.4091),
            (15, 0.1276, 0.3256),
            (16, 0.1194, 0.2750),
            (17, 0.1048, 0.3143),
            (18, 0.1138, 0.2973),
            (19, 0.0903, 0.4615),
            (20, 0.0766, 0.2105),
        ],
    ),
    (
        "Crafty 2004, openings",
        &[
            (2, 0.3684, 1.0000),
            (3, 0.3505, 0.8592),
            (4, 0.3253, 0.6303),
            (5, 0.3134, 0.5484),
            (6, 0.2774, 0.4935),
            (7, 0.2393, 0.4409),
            (8, 0.2306, 0.4621),
            (9, 0.2141, 0.3942),
            (10, 0.2115, 0.3309),
            (11, 0.1992, 0.3049),
            (12, 0.1863, 0.3398),
            (13, 0.1642, 0.3260),
            (14, 0.1498, 0.2955),
            (15, 0.1401, 0.2831),
            (16, 0.1185, 0.2913),
            (17, 0.1096, 0.2736),
            (18, 0.1172, 0.3244),
        ],
    ),
    (
        "Crafty 1997, original positions",
        &[
            (2, 0.3878, 1.0000),
            (3, 0.3673, 0.7143),
            (4, 0.3061, 0.6571),
            (5, 0.3032, 0.5962),
            (6, 0.2741, 0.5638),
            (7, 0.2449, 0.4762),
            (8, 0.2245, 0.3766),
            (9, 0.1837, 0.3016),
            (10, 0.1720, 0.4068),
            (11, 0.1662, 0.5263),
            (12, 0.1691, 0.4138),
            (13, 0.1458, 0.3200),
            (14, 0.1545, 0.3962),
        ],
    ),
    (
        "DarkThought, original positions",
        &[
            (2, 0.3528, 1.0000),
            (3, 0.3965, 0.8529),
            (4, 0.3178, 0.5505),
            (5, 0.2945, 0.5644),
            (6, 0.2449, 0.6548),
            (7, 0.2128, 0.4932),
            (8, 0.2507, 0.5000),
            (9, 0.2157, 0.4054),
            (10, 0.2420, 0.3735),
            (11, 0.1749, 0.3167),
            (12, 0.1545, 0.4528),
            (13, 0.1662, 0.4211),
            (14, 0.1370, 0.3404),
        ],
    ),
];

/// Zugzwang's Figure 4: processors, depth, speedup, load in per cent.
pub const FIGURE_4: [(u32, i32, f64, f64); 8] = [
    (8, 6, 6.13, 90.10),
    (16, 7, 12.33, 89.36),
    (32, 7, 21.83, 85.48),
    (64, 7, 37.34, 77.86),
    (128, 8, 86.03, 81.98),
    (256, 8, 142.32, 74.13),
    (512, 9, 237.03, 74.56),
    (1024, 9, 344.49, 62.67),
];

/// Processors, depth, acceleration, load and performance in per cent.
pub type Figure5Row = (u32, i32, f64, f64, f64);

/// Zugzwang's Figure 5.
pub const FIGURE_5: [Figure5Row; 6] = [
    (4, 10, 2.49, 82.23, 81.70),
    (8, 10, 4.16, 79.19, 78.73),
    (16, 11, 7.02, 79.38, 79.52),
    (32, 11, 13.96, 68.99, 77.35),
    (40, 11, 17.71, 67.94, 75.88),
    (40, 12, 22.58, 73.48, 77.57),
];

/// Processors, best grain, speedup; search overhead, synchronisation and communication in per cent.
type Table51Row = (u32, i32, f64, f64, f64, f64);

/// The thesis's Table 5.1.
pub const TABLE_5_1: [Table51Row; 5] = [
    (2, 6, 1.33, 31.1, 15.6, 0.7),
    (4, 5, 1.91, 64.5, 18.0, 2.0),
    (8, 5, 3.02, 76.1, 25.3, 1.7),
    (16, 4, 4.19, 112.9, 21.6, 5.6),
    (32, 4, 5.67, 143.3, 27.8, 4.2),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(value: f64, digits: i32) -> f64 {
        (value * 10f64.powi(digits)).round() / 10f64.powi(digits)
    }

    #[test]
    fn z46_efficiencies_follow_from_the_printed_speedups() {
        let efficiencies =
            FIGURE_4.map(|(processors, _, speedup, _)| rounded(speedup / f64::from(processors), 2));
        assert_eq!(efficiencies, [0.77, 0.77, 0.68, 0.58, 0.67, 0.56, 0.46, 0.34]);
        // Speedup = processors x LOAD x PERF / (1 + SO): the printed SO and PERF of the last three rows.
        let rest = [(17.30, 87.91), (39.82, 86.96), (55.55, 83.61)];
        for (&(processors, _, speedup, load), (overhead, performance)) in
            FIGURE_4[5..].iter().zip(rest)
        {
            let identity = f64::from(processors) * load / 100.0 * performance
                / 100.0
                / (1.0 + overhead / 100.0);
            assert!((identity / speedup - 1.0).abs() < 0.01, "{processors}: {identity}");
        }
    }

    #[test]
    fn z47_overheads_follow_from_the_printed_accelerations() {
        let overheads = FIGURE_5.map(|(processors, _, acceleration, load, performance)| {
            rounded(
                100.0 * (f64::from(processors) * load * performance / 1e4 / acceleration - 1.0),
                1,
            )
        });
        assert_eq!(overheads, [7.9, 19.9, 43.9, 22.3, 16.4, 1.0]);
    }

    #[test]
    fn g7_the_thesis_identity_does_not_close_at_32_processors() {
        let identity = TABLE_5_1.map(|(processors, _, _, overhead, sync, comm)| {
            rounded(
                f64::from(processors) * (1.0 - (sync + comm) / 100.0) / (1.0 + overhead / 100.0),
                2,
            )
        });
        assert_eq!(identity, [1.28, 1.95, 3.32, 5.47, 8.94]);
        let efficiencies = TABLE_5_1
            .map(|(processors, _, speedup, ..)| rounded(speedup / f64::from(processors), 2));
        assert_eq!(efficiencies, [0.67, 0.48, 0.38, 0.26, 0.18]);
    }
}
