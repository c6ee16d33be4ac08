//! Shapes as pixels, with smooth edges.

use crate::canvas::{Anchor, Canvas, PAPER, Point, Shape, Stroke};
use crate::font;

/// Rows of samples in a pixel of a polygon's edge.
const SAMPLES: usize = 4;
/// The font size, and the width of their strokes.
const FONT_SIZE: f64 = 12.0;
const PEN: f64 = 1.05;

/// Rows of pixels, from the top.
pub(crate) struct Raster {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<[u8; 3]>,
    scale: f64,
}

impl Raster {
    /// Draws a canvas with this number of pixels for each of its units.
    pub fn of(canvas: &Canvas, scale: f64) -> Raster {
        let (width, height) = canvas.size;
        let [width, height] = [width, height].map(|size| (size * scale).ceil() as usize);
        let pixels = vec![rgb(PAPER); width * height];
        let mut raster = Raster { width, height, pixels, scale };
        canvas.shapes.iter().for_each(|shape| raster.draw(shape));
        raster
    }

    fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Area(points, color, opacity) => self.fill(points, rgb(color), *opacity),
            Shape::Blocks(blocks, color) => {
                for &((x, y), (width, height)) in blocks {
                    let (right, bottom) = (x + width, y + height);
                    let corners = [(x, y), (right, y), (right, bottom), (x, bottom)];
                    self.fill(&corners, rgb(color), 1.0);
                }
            }
            Shape::Lines(lines, stroke) => {
                for points in lines {
                    for piece in dashed(points, stroke.dashes) {
                        self.stroke(&piece, stroke.width, rgb(stroke.color));
                    }
                }
            }
            Shape::Dots(centers, radius, color) => {
                for &center in centers {
                    self.stroke(&[center], 2.0 * radius, rgb(color));
                }
            }
            Shape::Text((x, y), anchor, is_upwards, text) => {
                let width = font::width(text, FONT_SIZE);
                let shift = match anchor {
                    Anchor::Start => 0.0,
                    Anchor::Middle => -0.5 * width,
                    Anchor::End => -width,
                };
                let place = |(across, down): Point| match is_upwards {
                    true => (x + down, y - across - shift),
                    false => (x + across + shift, y + down),
                };
                let ink = rgb(Stroke::default().color);
                for stroke in font::strokes(text, FONT_SIZE) {
                    let points: Vec<Point> = stroke.into_iter().map(place).collect();
                    self.stroke(&points, PEN, ink);
                }
            }
        }
    }

    /// Fills a polygon: what an odd number of edges lies left of.
    fn fill(&mut self, points: &[Point], color: [u8; 3], opacity: f64) {
        let points: Vec<Point> =
            points.iter().map(|&(x, y)| (x * self.scale, y * self.scale)).collect();
        let (first, last) = bounds(points.iter().map(|point| point.0), 0.0, self.width);
        let (top, bottom) = bounds(points.iter().map(|point| point.1), 0.0, self.height);
        for row in top..bottom {
            let mut cover = vec![0.0f64; last.saturating_sub(first)];
            for sample in 0..SAMPLES {
                let y = row as f64 + (sample as f64 + 0.5) / SAMPLES as f64;
                let mut crossings = crossings(&points, y);
                crossings.sort_by(f64::total_cmp);
                for pair in crossings.chunks_exact(2) {
                    for (column, share) in (first..last).zip(&mut cover) {
                        let left = pair[0].max(column as f64);
                        let part = pair[1].min(column as f64 + 1.0) - left;
                        *share += part.max(0.0) / SAMPLES as f64;
                    }
                }
            }
            for (pixel, share) in self.pixels[row * self.width + first..].iter_mut().zip(cover) {
                blend(pixel, color, share * opacity);
            }
        }
    }

    /// Draws a line with round ends and corners; a single point becomes a disc.
    fn stroke(&mut self, points: &[Point], width: f64, color: [u8; 3]) {
        let points: Vec<Point> =
            points.iter().map(|&(x, y)| (x * self.scale, y * self.scale)).collect();
        let reach = 0.5 * width * self.scale + 0.5;
        let (left, right) = bounds(points.iter().map(|point| point.0), reach, self.width);
        let (top, bottom) = bounds(points.iter().map(|point| point.1), reach, self.height);
        if left >= right || top >= bottom {
            return;
        }
        // Where its pieces meet, the line is not darker: the greatest cover counts.
        let columns = right - left;
        let mut cover = vec![0.0f64; columns * (bottom - top)];
        let pieces = (0..points.len().max(2) - 1)
            .map(|index| (points[index], points[(index + 1).min(points.len() - 1)]));
        for (one, two) in pieces {
            let (first, last) = bounds([one.0, two.0].into_iter(), reach, self.width);
            let (above, below) = bounds([one.1, two.1].into_iter(), reach, self.height);
            for row in above..below {
                for column in first..last {
                    let center = (column as f64 + 0.5, row as f64 + 0.5);
                    let part = (reach - distance(center, one, two)).clamp(0.0, 1.0);
                    let share = &mut cover[(row - top) * columns + column - left];
                    *share = share.max(part);
                }
            }
        }
        for (row, shares) in (top..bottom).zip(cover.chunks(columns)) {
            for (pixel, &share) in self.pixels[row * self.width + left..].iter_mut().zip(shares) {
                blend(pixel, color, share);
            }
        }
    }
}

/// The pixels that values reach, from the first to behind the last.
fn bounds(values: impl Iterator<Item = f64>, reach: f64, most: usize) -> (usize, usize) {
    let fold = |(low, high): (f64, f64), value: f64| (low.min(value), high.max(value));
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), fold);
    ((low - reach).floor().max(0.0) as usize, ((high + reach).ceil().max(0.0) as usize).min(most))
}

/// Where the edges of a polygon cross a row.
fn crossings(points: &[Point], y: f64) -> Vec<f64> {
    let next = points.iter().cycle().skip(1);
    let edges = points.iter().zip(next).filter(|(one, two)| (one.1 <= y) != (two.1 <= y));
    edges.map(|(one, two)| one.0 + (y - one.1) / (two.1 - one.1) * (two.0 - one.0)).collect()
}

fn distance((x, y): Point, one: Point, two: Point) -> f64 {
    let (across, down) = (two.0 - one.0, two.1 - one.1);
    let length = across * across + down * down;
    let along = match length > 0.0 {
        true => (((x - one.0) * across + (y - one.1) * down) / length).clamp(0.0, 1.0),
        false => 0.0,
    };
    (x - one.0 - along * across).hypot(y - one.1 - along * down)
}

fn blend(pixel: &mut [u8; 3], color: [u8; 3], share: f64) {
    if share > 0.0 {
        for (old, new) in pixel.iter_mut().zip(color) {
            let mixed = f64::from(*old) * (1.0 - share) + f64::from(new) * share;
            *old = mixed.round().clamp(0.0, 255.0) as u8;
        }
    }
}

/// A colour that is written as `#rrggbb`; anything else is black.
fn rgb(color: &str) -> [u8; 3] {
    let part = |place: usize| color.get(place..place + 2).unwrap_or_default();
    [1, 3, 5].map(|place| u8::from_str_radix(part(place), 16).unwrap_or(0))
}

/// The pieces of a line that are not gaps.
fn dashed(points: &[Point], dashes: &[f64]) -> Vec<Vec<Point>> {
    if dashes.iter().sum::<f64>() <= 0.0 {
        return vec![points.to_vec()];
    }
    let mut lengths = dashes.iter().copied().cycle();
    let (mut left, mut is_drawn) = (lengths.next().unwrap_or(1.0), true);
    let mut pieces = vec![points.first().copied().into_iter().collect::<Vec<Point>>()];
    for (&one, &two) in points.iter().zip(points.iter().skip(1)) {
        let length = (two.0 - one.0).hypot(two.1 - one.1);
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let part = done / length;
            let place = (one.0 + part * (two.0 - one.0), one.1 + part * (two.1 - one.1));
            match (is_drawn, pieces.last_mut()) {
                (true, Some(piece)) => piece.push(place),
                _ => pieces.push(vec![place]),
            }
            is_drawn = !is_drawn;
            left = lengths.next().unwrap_or(1.0).max(0.1);
        }
        left -= length - done;
        if let (true, Some(piece)) = (is_drawn, pieces.last_mut()) {
            piece.push(two);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_pixel_is_half_as_dark_and_what_lies_outside_is_left_out() {
        let mut canvas = Canvas::new(4.0, 4.0);
        canvas.blocks(vec![((1.0, 1.0), (1.5, 2.0)), ((-9.0, -9.0), (3.0, 99.0))], "#000000");
        canvas.line(&[(-5.0, 90.0), (50.0, 99.0)], Stroke::default());
        let raster = Raster::of(&canvas, 1.0);
        let row = |row: usize| raster.pixels[4 * row..4 * row + 4].iter().map(|pixel| pixel[0]);
        assert_eq!(row(1).collect::<Vec<_>>(), [255, 0, 128, 255]);
        assert_eq!(row(3).collect::<Vec<_>>(), [255; 4]);
    }

    #[test]
    fn dashes_and_gaps_go_around_corners() {
        let pieces = dashed(&[(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)], &[2.0, 2.0]);
        let second = vec![(3.0, 1.0), (3.0, 3.0)];
        assert_eq!(pieces, [vec![(0.0, 0.0), (2.0, 0.0)], second]);
        assert_eq!(dashed(&[(0.0, 0.0), (3.0, 0.0)], &[]).len(), 1);
    }

    #[test]
    fn letters_leave_ink_and_an_empty_text_none() {
        for (text, is_inked) in [("Ag7", true), ("\u{4e00}", true), ("", false), (" ", false)] {
            let mut canvas = Canvas::new(40.0, 20.0);
            canvas.text((2.0, 14.0), Anchor::Start, text);
            let raster = Raster::of(&canvas, 1.0);
            assert_eq!(raster.pixels.iter().any(|pixel| pixel[0] < 128), is_inked, "{text:?}");
        }
    }
}
