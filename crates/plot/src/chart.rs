//! Series over two axes.

use crate::canvas::{Anchor, Canvas, GRID, PAPER, Point, Stroke};

const WIDTH: f64 = 720.0;
/// Room for the titles of axes, above and below, and with the labels of ticks on the left.
const MARGIN: f64 = 60.0;
const LEFT: f64 = 72.0;
/// A line of the legend, its sample, and about the width of a character of its names.
const ROW: f64 = 18.0;
const SAMPLE: f64 = 24.0;
const CHARACTER: f64 = 6.8;
/// Half of the short line that ends an error bar.
const CAP: f64 = 2.5;
const GRID_STROKE: Stroke = Stroke { color: GRID, width: 1.0, dashes: &[] };

/// How values are laid along an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// Evenly by their logarithms: powers of two.
    Powers,
}

/// An axis from its first tick to its last. What lies beyond them is drawn at them.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What is counted, and in which unit.
    pub title: String,
    /// How values become places.
    pub scale: Scale,
    /// Values with a line of the grid, in ascending or descending order.
    pub ticks: Vec<f64>,
}

/// How a series is drawn.
#[derive(Clone, Debug)]
pub enum Mark {
    /// A line through points.
    Line(Vec<Point>, Stroke),
    /// The same with a small ring at each point: what others have measured.
    Hollow(Vec<Point>, Stroke),
    /// Many short lines.
    Segments(Vec<[Point; 2]>, Stroke),
    /// Error bars: place, low, high. They stand this many pixels beside the place, so that those of several
    /// series can be told apart.
    Bars(Vec<(f64, f64, f64)>, Stroke, f64),
    /// What lies between two values at each place: place, low, high; a colour and its opacity.
    Band(Vec<(f64, f64, f64)>, &'static str, f64),
    /// Rectangles between two opposite corners.
    Blocks(Vec<[Point; 2]>, &'static str),
    /// Single points.
    Dots(Vec<Point>, &'static str),
}

/// Something that is drawn over the axes.
#[derive(Clone, Debug)]
pub struct Series {
    /// What the legend calls it; without a name it is not in the legend.
    pub name: String,
    /// How it is drawn.
    pub mark: Mark,
}

/// Series over two axes, with a legend on the right.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What stands above.
    pub title: String,
    /// The axis to the right.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// The series, the first one lowest.
    pub series: Vec<Series>,
}

impl Series {
    /// A line through points.
    pub fn line(name: impl Into<String>, points: Vec<Point>, stroke: Stroke) -> Series {
        Series { name: name.into(), mark: Mark::Line(points, stroke) }
    }
}

impl Axis {
    /// Whole numbers, for what is counted.
    pub fn whole(title: impl Into<String>, low: f64, high: f64, most: u32) -> Axis {
        let span = (high - low).clamp(1.0, f64::from(most));
        Axis::linear(title, low, high, span as u32)
    }

    /// Round values from below `low` to above `high`, at most `most` steps.
    pub fn linear(title: impl Into<String>, low: f64, high: f64, most: u32) -> Axis {
        let high = if high > low { high } else { low + 1.0 };
        let span = high - low;
        let power = 10f64.powf((span / f64::from(most)).log10().floor());
        let factors = [1.0, 2.0, 5.0, 10.0];
        let fits = |factor: &f64| span / (factor * power) <= f64::from(most);
        let step = power * factors.into_iter().find(fits).unwrap_or(10.0);
        let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
        let steps = (last - first).max(1.0) as u32;
        let ticks = (0..=steps).map(|number| (first + f64::from(number)) * step).collect();
        Axis { title: title.into(), scale: Scale::Linear, ticks }
    }

    /// Where a value lies, from 0 to 1.
    fn part(&self, value: f64) -> f64 {
        let (Some(&first), Some(&last)) = (self.ticks.first(), self.ticks.last()) else {
            return 0.0;
        };
        let at = |value: f64| match self.scale {
            Scale::Linear => value,
            Scale::Powers => value.max(first.min(last)).log2(),
        };
        let length = at(last) - at(first);
        if length == 0.0 { 0.5 } else { ((at(value) - at(first)) / length).clamp(0.0, 1.0) }
    }
}

/// A tick without the noise of its last binary digits.
fn label(tick: f64) -> String {
    let text = format!("{tick:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Charts one below the other, each with this height between its axes.
pub fn stack(charts: &[Chart], height: f64) -> Canvas {
    let names = charts.iter().flat_map(|chart| chart.named());
    let longest = names.map(|series| series.name.chars().count()).max();
    let legend = longest.map_or(0.0, |characters| SAMPLE + 36.0 + CHARACTER * characters as f64);
    let titles = charts.iter().map(|chart| chart.title.chars().count()).max().unwrap_or(0);
    let width = (LEFT + WIDTH + legend).max(LEFT + CHARACTER * titles as f64) + 20.0;
    let room = |chart: &Chart| height.max(ROW * chart.named().count() as f64) + 2.0 * MARGIN;
    let mut canvas = Canvas::new(width, charts.iter().map(room).sum());
    let mut top = 0.0;
    for chart in charts {
        Frame { chart, top: top + MARGIN - 16.0, height }.draw(&mut canvas);
        top += room(chart);
    }
    canvas
}

impl Chart {
    fn named(&self) -> impl Iterator<Item = &Series> {
        self.series.iter().filter(|series| !series.name.is_empty())
    }
}

/// Where a chart lies.
struct Frame<'a> {
    chart: &'a Chart,
    top: f64,
    height: f64,
}

impl Frame<'_> {
    fn draw(&self, canvas: &mut Canvas) {
        let chart = self.chart;
        canvas.text((LEFT, self.top - 16.0), Anchor::Start, &chart.title);
        self.draw_grid(canvas);
        for series in &chart.series {
            self.draw_series(canvas, &series.mark);
        }
        self.draw_axes(canvas);
        for (series, row) in chart.named().zip(0u32..) {
            let (x, y) = (LEFT + WIDTH + 20.0, self.top + ROW * (f64::from(row) + 0.5));
            draw_sample(canvas, &series.mark, (x, y));
            canvas.text((x + SAMPLE + 8.0, y + 4.0), Anchor::Start, &series.name);
        }
    }

    fn at(&self, (x, y): Point) -> Point {
        let across = LEFT + self.chart.x.part(x) * WIDTH;
        (across, self.top + (1.0 - self.chart.y.part(y)) * self.height)
    }

    fn draw_series(&self, canvas: &mut Canvas, mark: &Mark) {
        match mark {
            Mark::Line(points, stroke) => {
                let points: Vec<Point> = points.iter().map(|&point| self.at(point)).collect();
                canvas.line(&points, *stroke);
                // A line through one point would not be seen.
                if points.len() == 1 {
                    canvas.dots(points, 3.5, stroke.color);
                }
            }
            Mark::Hollow(points, stroke) => {
                let points: Vec<Point> = points.iter().map(|&point| self.at(point)).collect();
                canvas.line(&points, *stroke);
                points.iter().for_each(|&center| draw_ring(canvas, center, stroke.color));
            }
            Mark::Segments(segments, stroke) => {
                let ends = |ends: &[Point; 2]| ends.map(|end| self.at(end)).to_vec();
                canvas.lines(segments.iter().map(ends).collect(), *stroke);
            }
            Mark::Bars(bars, stroke, beside) => {
                let lines = bars.iter().flat_map(|&(place, low, high)| {
                    let [low, high] = [low, high].map(|end| self.at((place, end)));
                    let x = low.0 + beside;
                    let cap = |y: f64| vec![(x - CAP, y), (x + CAP, y)];
                    [vec![(x, low.1), (x, high.1)], cap(low.1), cap(high.1)]
                });
                canvas.lines(lines.collect(), *stroke);
            }
            Mark::Band(points, color, opacity) => {
                let lower = points.iter().map(|&(x, low, _)| self.at((x, low)));
                let upper = points.iter().rev().map(|&(x, _, high)| self.at((x, high)));
                canvas.area(lower.chain(upper).collect(), color, *opacity);
            }
            Mark::Blocks(blocks, color) => {
                let block = |corners: &[Point; 2]| {
                    let [one, two] = corners.map(|corner| self.at(corner));
                    let size = ((one.0 - two.0).abs(), (one.1 - two.1).abs());
                    ((one.0.min(two.0), one.1.min(two.1)), size)
                };
                canvas.blocks(blocks.iter().map(block).collect(), color);
            }
            Mark::Dots(points, color) => {
                canvas.dots(points.iter().map(|&point| self.at(point)).collect(), 3.5, color);
            }
        }
    }

    fn draw_grid(&self, canvas: &mut Canvas) {
        let Chart { x, y, .. } = self.chart;
        let (top, bottom, right) = (self.top, self.top + self.height, LEFT + WIDTH);
        let columns = x.ticks.iter().map(|&tick| LEFT + x.part(tick) * WIDTH);
        let rows = y.ticks.iter().map(|&tick| bottom - y.part(tick) * self.height);
        let columns = columns.map(|x| vec![(x, top), (x, bottom)]);
        let rows = rows.map(|y| vec![(LEFT, y), (right, y)]);
        canvas.lines(columns.chain(rows).collect(), GRID_STROKE);
    }

    fn draw_axes(&self, canvas: &mut Canvas) {
        let Chart { x, y, .. } = self.chart;
        let (top, bottom, right) = (self.top, self.top + self.height, LEFT + WIDTH);
        for &tick in &x.ticks {
            let across = LEFT + x.part(tick) * WIDTH;
            canvas.text((across, bottom + 18.0), Anchor::Middle, &label(tick));
        }
        for &tick in &y.ticks {
            let up = bottom - y.part(tick) * self.height;
            canvas.text((LEFT - 6.0, up + 4.0), Anchor::End, &label(tick));
        }
        canvas.line(&[(LEFT, top), (LEFT, bottom), (right, bottom)], Stroke::default());
        canvas.text((LEFT + WIDTH / 2.0, bottom + 38.0), Anchor::Middle, &x.title);
        canvas.upwards((18.0, top + self.height / 2.0), &y.title);
    }
}

/// A dot of the paper's colour inside a larger one.
fn draw_ring(canvas: &mut Canvas, center: Point, color: &'static str) {
    canvas.dots(vec![center], 4.0, color);
    canvas.dots(vec![center], 2.6, PAPER);
}

/// A line or a patch beside a name of the legend.
fn draw_sample(canvas: &mut Canvas, mark: &Mark, (x, y): Point) {
    let corners = [(x, y - 6.0), (x + SAMPLE, y - 6.0), (x + SAMPLE, y + 6.0), (x, y + 6.0)];
    match mark {
        Mark::Line(_, stroke) | Mark::Segments(_, stroke) | Mark::Bars(_, stroke, _) => {
            canvas.line(&[(x, y), (x + SAMPLE, y)], *stroke);
        }
        Mark::Hollow(_, stroke) => {
            canvas.line(&[(x, y), (x + SAMPLE, y)], *stroke);
            draw_ring(canvas, (x + SAMPLE / 2.0, y), stroke.color);
        }
        Mark::Band(_, color, opacity) => canvas.area(corners.to_vec(), color, *opacity),
        Mark::Blocks(_, color) => canvas.blocks(vec![(corners[0], (SAMPLE, 12.0))], color),
        Mark::Dots(_, color) => canvas.dots(vec![(x + SAMPLE / 2.0, y)], 3.5, color),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(scale: Scale, names: &[&str]) -> Chart {
        let axis =
            |title: &str| Axis { title: title.to_owned(), scale, ticks: vec![1.0, 2.0, 4.0] };
        let points = || vec![(1.0, 1.0), (2.0, 2.0), (4.0, 0.0)];
        let line = |name: &&str| Series::line(*name, points(), Stroke::default());
        let series = names.iter().map(line).collect();
        Chart { title: "a < b".to_owned(), x: axis("processors"), y: axis("speedup"), series }
    }

    #[test]
    fn a_chart_has_titles_ticks_lines_and_a_legend() {
        let picture = stack(&[chart(Scale::Powers, &["one", "two", ""])], 300.0).svg();
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
        assert!(picture.contains("viewBox=") && !picture.contains("NaN"));
        for text in ["a &lt; b", "processors", "speedup", "4", "one", "two"] {
            assert!(picture.contains(&format!(">{text}</text>")), "{text}");
        }
        // The grid, three lines, the axes and two samples.
        assert_eq!(picture.matches("<path").count(), 7);
    }

    #[test]
    fn what_others_have_measured_has_hollow_points() {
        let mut chart = chart(Scale::Linear, &[]);
        let points = vec![(1.0, 1.0), (2.0, 2.0)];
        chart.series = vec![Series {
            name: "printed".to_owned(),
            mark: Mark::Hollow(points, Stroke { color: "#123456", ..Stroke::default() }),
        }];
        let picture = stack(&[chart], 300.0).svg();
        // Two points and the sample, each a dot within a dot.
        assert_eq!(picture.matches("<circle").count(), 6, "{picture}");
        assert_eq!(picture.matches("<circle class=\"paper\"").count(), 3, "{picture}");
    }

    #[test]
    fn error_bars_stand_beside_their_place_and_a_lonely_point_is_seen() {
        let mut chart = chart(Scale::Linear, &[]);
        let bars = Mark::Bars(vec![(1.0, 1.0, 4.0)], Stroke::default(), 3.0);
        let alone = Series::line("alone", vec![(2.0, 2.0)], Stroke::default());
        chart.series = vec![Series { name: String::new(), mark: bars }, alone];
        let picture = stack(&[chart], 300.0).svg();
        // From the foot of the chart to its head, three pixels to the right, and its two caps.
        assert!(picture.contains("M75 344L75 44M72.5 344L77.5 344M72.5 44L77.5 44"), "{picture}");
        assert_eq!(picture.matches("<circle").count(), 1, "{picture}");
    }

    #[test]
    fn values_lie_where_their_scale_puts_them() {
        let [linear, powers] = [Scale::Linear, Scale::Powers].map(|scale| chart(scale, &[]));
        assert_eq!(linear.x.part(2.0), 1.0 / 3.0);
        assert_eq!((powers.x.part(2.0), powers.x.part(0.0), powers.x.part(9.0)), (0.5, 0.0, 1.0));
        let alone = Axis { ticks: vec![3.0], ..linear.x.clone() };
        assert_eq!(alone.part(3.0), 0.5);
        let downwards = Axis { ticks: vec![8.0, 4.0, 0.0], ..linear.x };
        assert_eq!((downwards.part(8.0), downwards.part(2.0)), (0.0, 0.75));
    }

    #[test]
    fn ticks_are_round_and_few() {
        for (low, high, ticks) in [
            (0.0, 1.0, vec!["0", "0.2", "0.4", "0.6", "0.8", "1"]),
            (-3.0, 42.0, vec!["-10", "0", "10", "20", "30", "40", "50"]),
            (7.0, 7.0, vec!["7", "7.2", "7.4", "7.6", "7.8", "8"]),
        ] {
            let axis = Axis::linear("", low, high, 6);
            let labels: Vec<String> = axis.ticks.iter().map(|&tick| label(tick)).collect();
            assert_eq!(labels, ticks);
        }
        for (low, high, ticks) in [(4.0, 6.0, vec![4.0, 5.0, 6.0]), (3.0, 3.0, vec![3.0, 4.0])] {
            assert_eq!(Axis::whole("", low, high, 10).ticks, ticks);
        }
        assert_eq!(Axis::whole("", 2.0, 20.0, 10).ticks.len(), 10);
    }

    #[test]
    fn a_long_legend_makes_the_picture_higher_and_no_two_names_overlap() {
        let names: Vec<String> = (0..60).map(|number| format!("line {number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let canvas = stack(&[chart(Scale::Linear, &names)], 300.0);
        assert_eq!(canvas.size.1, 2.0 * MARGIN + 60.0 * ROW);
        assert!(canvas.size.0 >= LEFT + WIDTH + 8.0 * CHARACTER);
    }
}
