//! Shapes and texts, written down as they come.

use std::fmt::Write;

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
    /// Its colour, as SVG names it.
    pub color: &'static str,
    /// Its width.
    pub width: f64,
    /// Lengths of dashes and gaps; empty for a whole line.
    pub dashes: &'static str,
}

/// A picture in the making: the origin is the upper left corner.
pub struct Canvas {
    text: String,
}

impl Canvas {
    /// A white picture. It has no size of its own: it fills the room that a page gives it.
    pub fn new(width: f64, height: f64) -> Canvas {
        Canvas {
            text: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
                 font-family=\"sans-serif\" font-size=\"12\">\n\
                 <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
            ),
        }
    }

    /// A filled rectangle.
    pub fn rectangle(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), color: &str) {
        self.put(format_args!(
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" \
             fill=\"{color}\"/>"
        ));
    }

    /// A line through points.
    pub fn line(&mut self, points: &[(f64, f64)], stroke: Stroke) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
        let Stroke { color, width, dashes } = stroke;
        let dashes =
            if dashes.is_empty() { "" } else { &format!(" stroke-dasharray=\"{dashes}\"") };
        self.put(format_args!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\"{dashes}/>",
            points.join(" ")
        ));
    }

    /// A text at a place.
    pub fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        self.written(format_args!("x=\"{x:.2}\" y=\"{y:.2}\""), anchor, text);
    }

    /// A text that is read upwards, with its middle at a place.
    pub fn upwards(&mut self, (x, y): (f64, f64), text: &str) {
        let turned = format_args!("transform=\"translate({x:.2} {y:.2}) rotate(-90)\"");
        self.written(turned, Anchor::Middle, text);
    }

    fn written(&mut self, place: std::fmt::Arguments<'_>, anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        self.put(format_args!("<text {place} text-anchor=\"{anchor}\">{text}</text>"));
    }

    fn put(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a text cannot fail.
        let _ = writeln!(self.text, "{element}");
    }

    /// The whole picture.
    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}
