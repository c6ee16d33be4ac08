//! Shapes and texts, in the order in which they are drawn.

use std::path::Path;

/// The colour of texts and axes.
pub const INK: &str = "#1a1a1a";
/// The colour behind everything.
pub const PAPER: &str = "#ffffff";
/// The colour of what must not catch the eye.
pub const GRID: &str = "#e4e4e4";

/// Which end of a text lies at its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The text begins there.
    Start,
    /// Its middle lies there.
    Middle,
    /// It ends there.
    End,
}

/// How a line is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stroke {
    /// Its colour, as `#rrggbb`.
    pub color: &'static str,
    /// Its width.
    pub width: f64,
    /// Lengths of dashes and gaps; empty for a whole line.
    pub dashes: &'static [f64],
}

impl Default for Stroke {
    fn default() -> Stroke {
        Stroke { color: INK, width: 1.0, dashes: &[] }
    }
}

/// Across and down from the upper left corner.
pub type Point = (f64, f64);

/// Something that is drawn.
pub(crate) enum Shape {
    /// A filled polygon, with its opacity.
    Area(Vec<Point>, &'static str, f64),
    /// Filled rectangles: a corner and a size each.
    Blocks(Vec<(Point, Point)>, &'static str),
    /// Lines, each through points of its own.
    Lines(Vec<Vec<Point>>, Stroke),
    /// Filled circles of one radius.
    Dots(Vec<Point>, f64, &'static str),
    /// A text, and whether it is read upwards.
    Text(Point, Anchor, bool, String),
}

/// A picture in the making: the origin is the upper left corner.
pub struct Canvas {
    pub(crate) size: (f64, f64),
    pub(crate) shapes: Vec<Shape>,
}

impl Canvas {
    /// An empty picture.
    pub fn new(width: f64, height: f64) -> Canvas {
        Canvas { size: (width.ceil(), height.ceil()), shapes: Vec::new() }
    }

    /// A filled polygon.
    pub fn area(&mut self, points: Vec<Point>, color: &'static str, opacity: f64) {
        self.shapes.push(Shape::Area(points, color, opacity));
    }

    /// Filled rectangles, each from its upper left corner with its width and height.
    pub fn blocks(&mut self, blocks: Vec<(Point, Point)>, color: &'static str) {
        self.shapes.push(Shape::Blocks(blocks, color));
    }

    /// A line through points.
    pub fn line(&mut self, points: &[Point], stroke: Stroke) {
        self.lines(vec![points.to_vec()], stroke);
    }

    /// Several lines that are drawn alike.
    pub fn lines(&mut self, lines: Vec<Vec<Point>>, stroke: Stroke) {
        self.shapes.push(Shape::Lines(lines, stroke));
    }

    /// Filled circles.
    pub fn dots(&mut self, centers: Vec<Point>, radius: f64, color: &'static str) {
        self.shapes.push(Shape::Dots(centers, radius, color));
    }

    /// A text at a place.
    pub fn text(&mut self, place: Point, anchor: Anchor, text: &str) {
        self.shapes.push(Shape::Text(place, anchor, false, text.to_owned()));
    }

    /// A text that is read upwards, with its middle at a place.
    pub fn upwards(&mut self, place: Point, text: &str) {
        self.shapes.push(Shape::Text(place, Anchor::Middle, true, text.to_owned()));
    }

    /// The bytes of a file with this name: PNG where it ends so, else SVG.
    pub fn encode(&self, name: &Path) -> Vec<u8> {
        if crate::ends_in(name, "png") { self.png() } else { self.svg().into_bytes() }
    }
}
