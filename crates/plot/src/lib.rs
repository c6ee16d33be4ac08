//! Pictures as SVG or PNG: a [`Canvas`] of shapes and texts, and the [`Chart`] of series over two axes.
//!
//! ```
//! let axis = |title: &str| plot::Axis { title: title.into(), scale: plot::Scale::Powers, ticks: vec![1.0, 2.0] };
//! let line = plot::Series::line("ybw", vec![(1.0, 1.0), (2.0, 1.8)], plot::Stroke::default());
//! let chart = plot::Chart { title: "Speedup".into(), x: axis("processors"), y: axis("speedup"), series: vec![line] };
//! assert!(plot::stack(&[chart], 480.0).svg().starts_with("<svg"));
//! ```

mod canvas;
mod chart;
mod font;
mod png;
mod raster;
mod svg;

pub use canvas::{Anchor, Canvas, GRID, INK, PAPER, Stroke};
pub use chart::{Axis, Chart, Mark, Scale, Series, stack};

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Colours that are told apart, on white and on black.
pub const COLORS: [&str; 8] =
    ["#2f7fc1", "#c0584f", "#3b8a57", "#b8791a", "#8a6fb0", "#2e8f9b", "#96714d", "#7a7a7a"];

/// The name of a picture, which ends in `.svg` or `.png`: a reader for arguments of programs.
pub fn file_name(name: OsString) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    match ends_in(&path, "svg") || ends_in(&path, "png") {
        true => Ok(path),
        false => Err("a picture's name must end in .svg or .png".to_owned()),
    }
}

fn ends_in(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_picture_ends_in_svg_or_png() {
        for good in ["a.svg", "b/c.SVG", "a.png"] {
            assert_eq!(file_name(good.into()), Ok(PathBuf::from(good)));
        }
        for bad in ["a.jpg", "svg", "a.svg.txt", ".svg", ""] {
            assert!(file_name(bad.into()).is_err(), "{bad}");
        }
    }
}
