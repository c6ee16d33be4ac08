//! Lines over two axes.

use crate::canvas::{Anchor, Canvas, Stroke};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 480.0;
const MARGIN: f64 = 60.0;
/// A line of the legend, and the room for its names.
const ROW: f64 = 18.0;
const SAMPLE: f64 = 30.0;
const NAMES: f64 = 200.0;
const GRID: Stroke = Stroke { color: "#e4e4e4", width: 1.0, dashes: "" };
const FRAME: Stroke = Stroke { color: "black", width: 1.0, dashes: "" };

/// How values are laid along an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// Evenly by their logarithms: powers of two. What is below the first tick lies on it.
    Powers,
}

/// An axis from its first tick to its last.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What is counted, and in which unit.
    pub title: String,
    /// How.
    pub scale: Scale,
    /// Values with a line of the grid, in ascending order.
    pub ticks: Vec<f64>,
}

/// A line through points.
#[derive(Clone, Debug)]
pub struct Line {
    /// What the legend calls it; without a name it is not in the legend.
    pub name: String,
    /// Where it goes through.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub stroke: Stroke,
}

impl Default for Line {
    fn default() -> Line {
        Line { name: String::new(), points: Vec::new(), stroke: FRAME }
    }
}

/// Lines over two axes, with a legend on the right.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What stands above.
    pub title: String,
    /// The axis to the right.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// The lines, the first one lowest.
    pub lines: Vec<Line>,
}

impl Axis {
    /// Where a value lies, from 0 to 1.
    fn part(&self, value: f64) -> f64 {
        let (Some(&first), Some(&last)) = (self.ticks.first(), self.ticks.last()) else {
            return 0.0;
        };
        let at = |value: f64| match self.scale {
            Scale::Linear => value,
            Scale::Powers => value.max(first).log2(),
        };
        let length = at(last) - at(first);
        if length > 0.0 { (at(value) - at(first)) / length } else { 0.5 }
    }
}

impl Chart {
    /// The picture.
    pub fn svg(&self) -> String {
        let named = || self.lines.iter().filter(|line| !line.name.is_empty());
        let legend = MARGIN + ROW * named().count() as f64;
        let height = (HEIGHT + 2.0 * MARGIN).max(legend + MARGIN);
        let mut canvas = Canvas::new(WIDTH + 2.0 * MARGIN + SAMPLE + NAMES, height);
        canvas.text((MARGIN, 24.0), Anchor::Start, &self.title);
        self.draw_axes(&mut canvas);
        for line in &self.lines {
            let points = line.points.iter().map(|&(x, y)| (self.across(x), self.up(y)));
            canvas.line(&points.collect::<Vec<_>>(), line.stroke);
        }
        for (line, row) in named().zip(0u32..) {
            let (x, y) = (MARGIN + WIDTH + 20.0, MARGIN + ROW * (f64::from(row) + 0.5));
            canvas.line(&[(x, y), (x + SAMPLE, y)], line.stroke);
            canvas.text((x + SAMPLE + 8.0, y + 4.0), Anchor::Start, &line.name);
        }
        canvas.finish()
    }

    fn across(&self, value: f64) -> f64 {
        MARGIN + self.x.part(value) * WIDTH
    }

    fn up(&self, value: f64) -> f64 {
        MARGIN + HEIGHT - self.y.part(value) * HEIGHT
    }

    fn draw_axes(&self, canvas: &mut Canvas) {
        let (right, bottom) = (MARGIN + WIDTH, MARGIN + HEIGHT);
        for &tick in &self.x.ticks {
            let x = self.across(tick);
            canvas.line(&[(x, MARGIN), (x, bottom)], GRID);
            canvas.text((x, bottom + 18.0), Anchor::Middle, &tick.to_string());
        }
        for &tick in &self.y.ticks {
            let y = self.up(tick);
            canvas.line(&[(MARGIN, y), (right, y)], GRID);
            canvas.text((MARGIN - 6.0, y + 4.0), Anchor::End, &tick.to_string());
        }
        canvas.line(&[(MARGIN, MARGIN), (MARGIN, bottom), (right, bottom)], FRAME);
        canvas.text((MARGIN + WIDTH / 2.0, bottom + 40.0), Anchor::Middle, &self.x.title);
        canvas.upwards((18.0, MARGIN + HEIGHT / 2.0), &self.y.title);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(scale: Scale, names: &[&str]) -> Chart {
        let axis =
            |title: &str| Axis { title: title.to_owned(), scale, ticks: vec![1.0, 2.0, 4.0] };
        let line = |name: &&str| Line {
            name: (*name).to_owned(),
            points: vec![(1.0, 1.0), (2.0, 2.0), (4.0, 0.0)],
            ..Line::default()
        };
        let lines = names.iter().map(line).collect();
        Chart { title: "a < b".to_owned(), x: axis("processors"), y: axis("speedup"), lines }
    }

    #[test]
    fn a_chart_has_titles_ticks_lines_and_a_legend() {
        let picture = chart(Scale::Powers, &["one", "two", ""]).svg();
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
        assert!(picture.contains("viewBox=") && !picture.contains("NaN"));
        for text in ["a &lt; b", "processors", "speedup", "4", "one", "two"] {
            assert!(picture.contains(&format!(">{text}</text>")), "{text}");
        }
        // Six lines of the grid, the frame, three lines and two samples.
        assert_eq!(picture.matches("<polyline").count(), 12);
    }

    #[test]
    fn values_lie_where_their_scale_puts_them() {
        let [linear, powers] = [Scale::Linear, Scale::Powers].map(|scale| chart(scale, &[]));
        assert_eq!(linear.x.part(2.0), 1.0 / 3.0);
        assert_eq!((powers.x.part(2.0), powers.x.part(0.0), powers.x.part(4.0)), (0.5, 0.0, 1.0));
        let alone = Axis { ticks: vec![3.0], ..linear.x };
        assert_eq!(alone.part(3.0), 0.5);
    }

    #[test]
    fn a_long_legend_makes_the_picture_higher_and_no_two_names_overlap() {
        let names: Vec<String> = (0..60).map(|number| format!("line {number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let picture = chart(Scale::Linear, &names).svg();
        let height: f64 = 2.0 * MARGIN + 60.0 * ROW;
        assert!(picture.contains(&format!(" {height}\"")), "{}", &picture[..200]);
    }
}
