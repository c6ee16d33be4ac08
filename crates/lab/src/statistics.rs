//! Numbers of statistics that several reports need.

/// 95 % of a normal distribution lie within this number of standard deviations.
pub const TWO_SIDED_95: f64 = 1.959_963_984_540_054;
