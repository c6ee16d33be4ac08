//! Characters as strokes of a pen, for pictures that carry no fonts.
//!
//! A glyph is a list of strokes, and a stroke a list of points: two characters each, across from 0 and
//! up from the baseline (`y` and `z` are one and two below it). Capitals are 6 high, small ones 4.
//! The corners of a stroke that begins with `~` are rounded.

use crate::canvas::Point;

/// Height of one step of the grid, in parts of the font size, and the gap between two characters.
const STEP: f64 = 0.119;
const GAP: f64 = 1.6;
const SPACE: f64 = 2.2;
/// What is drawn for a character that is not here.
const UNKNOWN: &str = "00 06 46 40 00";
/// How often the corners of a stroke are cut.
const CUTS: usize = 3;

/// The strokes of each character.
const GLYPHS: [(char, &str); 107] = [
    (' ', ""),
    ('\u{a0}', ""),
    ('!', "06 02,00"),
    ('"', "06 05,16 15"),
    ('#', "10 16,30 36,02 42,04 44"),
    ('$', "~45 46 06 03 43 40 00 01,27 2y"),
    ('%', "00 46,~05 06 16 14 04 05,~31 32 42 40 30 31"),
    ('&', "~40 04 06 36 34 02 00 30 42"),
    ('\'', "06 05"),
    ('’', "06 05"),
    ('(', "~17 05 01 1y"),
    (')', "~07 15 11 0y"),
    ('*', "13 15,03 25,05 23"),
    ('+', "21 25,03 43"),
    (',', "10 0y"),
    ('-', "02 22"),
    ('.', "00"),
    ('/', "00 36"),
    ('0', "~20 00 06 46 40 20"),
    ('1', "05 26 20"),
    ('2', "~05 06 46 43 00,00 40"),
    ('3', "06 46 23,~23 43 40 00 01"),
    ('4', "30 36 02 42"),
    ('5', "46 06 03,~03 14 44 40 00 01"),
    ('6', "~02 04 44 40 00 02,~36 06 02"),
    ('7', "06 46 10"),
    ('8', "~23 03 06 46 43 23,~23 03 00 40 43 23"),
    ('9', "~04 06 46 42 02 04,~10 40 44"),
    (':', "00,03"),
    (';', "10 0y,13"),
    ('<', "35 03 31"),
    ('=', "02 42,04 44"),
    ('>', "05 33 01"),
    ('?', "~05 06 36 34 13 12,10"),
    ('@', "~42 41 21 24 44 42,~42 50 56 06 00 40"),
    ('A', "00 26 40,12 32"),
    ('B', "20 00 06 26,03 23,~26 46 43 23,~23 43 40 20"),
    ('C', "~45 46 06 00 40 41"),
    ('D', "10 00 06 16,~16 46 40 10"),
    ('E', "36 06 00 30,03 23"),
    ('F', "36 06 00,03 23"),
    ('G', "~45 46 06 00 40 42,23 43 40"),
    ('H', "00 06,40 46,03 43"),
    ('I', "00 06"),
    ('J', "36 32,~32 30 00 02"),
    ('K', "00 06,46 02,13 40"),
    ('L', "06 00 30"),
    ('M', "00 06 32 66 60"),
    ('N', "00 06 40 46"),
    ('O', "~20 00 06 56 50 20"),
    ('P', "00 06 26,03 23,~26 46 43 23"),
    ('Q', "~20 00 06 56 50 20,32 50"),
    ('R', "00 06 26,03 23,~26 46 43 23,23 40"),
    ('S', "~45 46 06 03 43 40 00 01"),
    ('T', "06 46,26 20"),
    ('U', "06 03,~03 00 40 43,43 46"),
    ('V', "06 20 46"),
    ('W', "06 10 35 50 66"),
    ('X', "00 46,06 40"),
    ('Y', "06 23 46,23 20"),
    ('Z', "06 46 00 40"),
    ('[', "17 07 0y 1y"),
    ('\\', "06 30"),
    (']', "07 17 1y 0y"),
    ('^', "04 26 44"),
    ('_', "0y 4y"),
    ('`', "06 15"),
    ('a', "~02 04 34 30 00 02,34 30"),
    ('b', "~02 04 34 30 00 02,06 00"),
    ('c', "~33 34 04 00 30 31"),
    ('d', "~02 04 34 30 00 02,36 30"),
    ('e', "02 32,~32 34 04 00 30 31"),
    ('f', "~26 16 14,14 10,04 24"),
    ('g', "~02 04 34 30 00 02,34 30,~30 3z 0z 0y"),
    ('h', "06 00,~02 04 34 32,32 30"),
    ('i', "04 00,06"),
    ('j', "14 10,~10 1z 0z,16"),
    ('k', "06 00,34 01,12 30"),
    ('l', "06 00"),
    ('m', "04 00,~02 04 34 32,32 30,~32 34 64 62,62 60"),
    ('n', "04 00,~02 04 34 32,32 30"),
    ('o', "~02 04 34 30 00 02"),
    ('p', "~02 04 34 30 00 02,04 0z"),
    ('q', "~02 04 34 30 00 02,34 3z"),
    ('r', "04 00,~01 04 24"),
    ('s', "~33 34 04 02 32 30 00 01"),
    ('t', "16 11,~11 10 20,04 24"),
    ('u', "04 02,~02 00 30 32,34 30"),
    ('v', "04 20 44"),
    ('w', "04 10 34 50 64"),
    ('x', "00 34,04 30"),
    ('y', "04 20,44 1z"),
    ('z', "04 34 00 30"),
    ('{', "~27 17 13 03,~03 13 1y 2y"),
    ('|', "07 0y"),
    ('}', "~07 17 13 23,~23 13 1y 0y"),
    ('~', "~02 04 22 42 44"),
    ('–', "02 42"),
    ('−', "02 42"),
    ('…', "00,20,40"),
    ('±', "22 26,04 44,00 40"),
    ('×', "00 44,04 40"),
    ('·', "02"),
    ('½', "05 16 14,00 46,~32 42 41 30,30 40"),
    ('µ', "04 0z,~02 00 30 32,34 30"),
    ('μ', "04 0z,~02 00 30 32,34 30"),
    ('ß', "00 05,~05 06 36 33 13,~13 43 40 10"),
];

/// The strokes of a character.
fn glyph(character: char) -> &'static str {
    let known = GLYPHS.iter().find(|glyph| glyph.0 == character);
    known.map_or_else(|| plain(character).map_or(UNKNOWN, glyph), |glyph| glyph.1)
}

/// The character without its accent.
fn plain(character: char) -> Option<char> {
    const ACCENTED: [&str; 16] = [
        "AÀÁÂÃÄÅĀĂĄ",
        "CÇĆČ",
        "DĎĐ",
        "EÈÉÊËĒĖĘĚ",
        "IÌÍÎÏĪĮİ",
        "LŁ",
        "NÑŃŇ",
        "OÒÓÔÕÖØŌŐ",
        "SŚŠŞ",
        "UÙÚÛÜŪŮŰ",
        "YÝŸ",
        "ZŹŻŽ",
        "GĞĢ",
        "RŘŔ",
        "TŤŢ",
        "KĶ",
    ];
    let large = character.to_uppercase().next().filter(|_| character.is_alphabetic())?;
    let base = ACCENTED.iter().find(|group| group.contains(large) && !group.starts_with(large));
    let base = base?.chars().next()?;
    Some(if character.is_lowercase() { base.to_ascii_lowercase() } else { base })
}

/// The strokes of a text that begins at the origin, downwards positive.
pub(crate) fn strokes(text: &str, size: f64) -> Vec<Vec<Point>> {
    let (mut strokes, mut at) = (Vec::new(), 0.0);
    for character in text.chars() {
        let glyph = glyph(character);
        for stroke in glyph.split(',').filter(|stroke| !stroke.is_empty()) {
            let place = |(x, y): Point| ((at + x) * STEP * size, -y * STEP * size);
            strokes.push(points(stroke).into_iter().map(place).collect());
        }
        at += advance(glyph);
    }
    strokes
}

/// How wide a text is.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|character| advance(glyph(character))).sum::<f64>() * STEP * size
}

fn advance(glyph: &str) -> f64 {
    if glyph.is_empty() {
        return SPACE + GAP;
    }
    let points = glyph.split(',').flat_map(points);
    points.map(|point| point.0).fold(0.0, f64::max) + GAP
}

fn points(stroke: &str) -> Vec<Point> {
    let (is_round, stroke) = match stroke.strip_prefix('~') {
        Some(rest) => (true, rest),
        None => (false, stroke),
    };
    let value = |character: u8| match character {
        b'y' => -1.0,
        b'z' => -2.0,
        digit => f64::from(digit.saturating_sub(b'0')),
    };
    let pairs = stroke.split(' ').filter_map(|word| word.as_bytes().first_chunk::<2>());
    let mut points: Vec<Point> = pairs.map(|&[x, y]| (value(x), value(y))).collect();
    for _ in 0..if is_round { CUTS } else { 0 } {
        points = cut(&points);
    }
    points
}

/// Cuts the corners of a line (Chaikin 1974); its ends stay.
fn cut(points: &[Point]) -> Vec<Point> {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else {
        return Vec::new();
    };
    let between = |one: Point, two: Point, part: f64| {
        (one.0 + part * (two.0 - one.0), one.1 + part * (two.1 - one.1))
    };
    let mut smooth = vec![first];
    for pair in points.windows(2) {
        smooth.extend([0.25, 0.75].map(|part| between(pair[0], pair[1], part)));
    }
    smooth.push(last);
    smooth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_letter_of_ascii_has_strokes_of_its_own_inside_its_cell() {
        for character in ('!'..='~').chain("–…±½µ".chars()) {
            assert_ne!(glyph(character), UNKNOWN, "{character}");
            for (x, y) in glyph(character).split(',').flat_map(points) {
                assert!((0.0..=6.0).contains(&x) && (-2.0..=7.0).contains(&y), "{character}");
            }
        }
        assert!(width("mm", 12.0) > width("ii", 12.0));
    }

    #[test]
    fn accents_are_left_away_and_unknown_letters_are_boxes() {
        assert_eq!((glyph('é'), glyph('Ł'), glyph('ű')), (glyph('e'), glyph('L'), glyph('u')));
        assert_eq!((glyph('棋'), glyph('Ж')), (UNKNOWN, UNKNOWN));
    }
}
