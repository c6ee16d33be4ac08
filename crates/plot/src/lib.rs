//! Pictures as SVG: a [`Canvas`] of shapes and texts, and the [`Chart`] of lines over two axes.
//!
//! ```
//! let axis = |title: &str| plot::Axis { title: title.into(), scale: plot::Scale::Powers, ticks: vec![1.0, 2.0] };
//! let line = plot::Line { name: "ybw".into(), points: vec![(1.0, 1.0), (2.0, 1.8)], ..Default::default() };
//! let chart = plot::Chart { title: "Speedup".into(), x: axis("processors"), y: axis("speedup"), lines: vec![line] };
//! assert!(chart.svg().starts_with("<svg"));
//! ```

mod canvas;
mod chart;

pub use canvas::{Anchor, Canvas, Stroke};
pub use chart::{Axis, Chart, Line, Scale};

use std::ffi::OsString;
use std::path::PathBuf;

/// Colours that are told apart.
pub const COLORS: [&str; 8] =
    ["#204060", "#c0584f", "#3b7d4f", "#d9a441", "#8a6fb0", "#4a9aa5", "#7a5c3e", "#555555"];

/// The name of a picture, which ends in `.svg`: a reader for arguments of programs.
pub fn file_name(name: OsString) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    match path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg")) {
        true => Ok(path),
        false => Err("pictures are written as SVG: the name must end in .svg".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_picture_ends_in_svg() {
        for good in ["a.svg", "b/c.SVG"] {
            assert_eq!(file_name(good.into()), Ok(PathBuf::from(good)));
        }
        for bad in ["a.png", "svg", "a.svg.txt", ".svg", ""] {
            assert!(file_name(bad.into()).is_err(), "{bad}");
        }
    }
}
