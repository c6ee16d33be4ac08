//! A picture as SVG.
//!
//! It has a size, so that a viewer opens it at one, and a `viewBox`, so that a page can scale it. Its
//! colours are attributes; a style turns ink, paper and grid around where the reader prefers the dark.
//! Programs that know no styles show the light one.

use crate::canvas::{Anchor, Canvas, GRID, INK, PAPER, Point, Shape, Stroke};
use std::fmt::Write;

const STYLE: &str = "<style>@media (prefers-color-scheme: dark) {\
 .paper { fill: #17191c } .ink { fill: #e6e6e6 } .axis { stroke: #e6e6e6 }\
 .grid { stroke: #3a3d42 } .pale { fill: #3a3d42 } }</style>";

impl Canvas {
    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let (width, height) = self.size;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n{STYLE}\n\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>\n"
        );
        for shape in &self.shapes {
            put(&mut text, shape);
        }
        text.push_str("</svg>\n");
        text
    }
}

// Writing to a text cannot fail: the results of `write!` are not looked at.
fn put(text: &mut String, shape: &Shape) {
    let _ = match shape {
        Shape::Area(points, color, opacity) => writeln!(
            text,
            "<path {}d=\"{}Z\" fill=\"{color}\" fill-opacity=\"{opacity}\"/>",
            pale(color),
            path(points)
        ),
        Shape::Blocks(blocks, color) => {
            let mut outline = String::new();
            for ((x, y), (width, height)) in blocks {
                let (x, y, width, height) = (short(*x), short(*y), short(*width), short(*height));
                let _ = write!(outline, "M{x} {y}h{width}v{height}h-{width}z");
            }
            let class = pale(color);
            writeln!(text, "<path {class}d=\"{outline}\" fill=\"{color}\"/>")
        }
        Shape::Lines(lines, stroke) => put_lines(text, lines, stroke),
        Shape::Dots(centers, radius, color) => centers.iter().try_for_each(|&(x, y)| {
            let (x, y) = (short(x), short(y));
            let class = pale(color);
            writeln!(text, "<circle {class}cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{color}\"/>")
        }),
        Shape::Text((x, y), anchor, is_upwards, words) => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            let place = match is_upwards {
                true => format!("transform=\"translate({} {}) rotate(-90)\"", short(*x), short(*y)),
                false => format!("x=\"{}\" y=\"{}\"", short(*x), short(*y)),
            };
            writeln!(
                text,
                "<text class=\"ink\" {place} text-anchor=\"{anchor}\" fill=\"{INK}\">{}</text>",
                escaped(words)
            )
        }
    };
}

/// The class of what is filled with the colour of the grid or of the paper.
fn pale(color: &str) -> &'static str {
    match color {
        GRID => "class=\"pale\" ",
        PAPER => "class=\"paper\" ",
        _ => "",
    }
}

fn put_lines(text: &mut String, lines: &[Vec<Point>], stroke: &Stroke) -> std::fmt::Result {
    let Stroke { color, width, dashes } = stroke;
    let class = match *color {
        INK => "class=\"axis\" ",
        GRID => "class=\"grid\" ",
        _ => "",
    };
    let dashes: Vec<String> = dashes.iter().map(f64::to_string).collect();
    let dashes = match dashes.is_empty() {
        true => String::new(),
        false => format!(" stroke-dasharray=\"{}\"", dashes.join(" ")),
    };
    let outline: String = lines.iter().map(|points| path(points)).collect();
    writeln!(
        text,
        "<path {class}d=\"{outline}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\" \
         stroke-linejoin=\"round\"{dashes}/>"
    )
}

/// The commands of a line through points.
fn path(points: &[Point]) -> String {
    let mut text = String::new();
    for (number, &(x, y)) in points.iter().enumerate() {
        let command = if number == 0 { 'M' } else { 'L' };
        let _ = write!(text, "{command}{} {}", short(x), short(y));
    }
    text
}

/// A tenth of a pixel is enough.
fn short(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Characters that XML forbids are left out.
fn escaped(text: &str) -> String {
    let mut clean: String = text.chars().filter(|character| !character.is_control()).collect();
    for (character, name) in [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;")] {
        clean = clean.replace(character, name);
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_the_dark_is_provided_for() {
        let mut canvas = Canvas::new(10.0, 20.0);
        canvas.text((1.0, 2.0), Anchor::Start, "a < b\u{1} & c");
        canvas
            .line(&[(0.0, 0.0), (1.25, 3.0)], Stroke { dashes: &[4.0, 2.0], ..Stroke::default() });
        let picture = canvas.svg();
        assert!(picture.contains(">a &lt; b &amp; c</text>"), "{picture}");
        assert!(picture.contains("d=\"M0 0L1.3 3\"") && picture.contains("=\"4 2\""), "{picture}");
        assert!(picture.contains("width=\"10\" height=\"20\" viewBox=\"0 0 10 20\""), "{picture}");
        assert!(picture.contains("prefers-color-scheme: dark"), "{picture}");
    }
}
