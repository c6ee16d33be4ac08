//! What this program is: its version, and what it was built from (told by `build.rs`).

/// In one line.
pub const SHORT: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("ROOKERY_COMMIT"), ")");

/// Everything that a report of a fault should name.
pub const LONG: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit    ",
    env!("ROOKERY_COMMIT"),
    "\nfeatures  ",
    env!("ROOKERY_FEATURES"),
    "\ntarget    ",
    env!("ROOKERY_TARGET"),
    "\nrustc     ",
    env!("ROOKERY_RUSTC"),
);
