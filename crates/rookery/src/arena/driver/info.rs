//! What engines say while they search.

use super::{Report, Score};
use board::Position;
use std::time::Duration;

/// A line `info …` of UCI, as far as a referee wants to know it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Info<'a> {
    pub report: Report,
    pub nodes: Option<u64>,
    /// Whether the score is a bound only.
    pub is_lower_bound: bool,
    pub is_upper_bound: bool,
    /// Which of several lines this is.
    pub rank: Option<u32>,
    /// The moves of the variation.
    pub variation: Vec<&'a str>,
}

impl Info<'_> {
    /// Reads what comes after `info`. What cannot be read is passed over: it is the engine's own affair.
    pub fn read(text: &str) -> Info<'_> {
        let mut words = text.split_ascii_whitespace().peekable();
        let mut info = Info::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.report.depth = words.next().and_then(|word| word.parse().ok()),
                "time" => info.report.time = words.next().and_then(read_milliseconds),
                "nodes" => info.nodes = words.next().and_then(|word| word.parse().ok()),
                "multipv" => info.rank = words.next().and_then(|word| word.parse().ok()),
                "score" => {
                    let kind = words.next();
                    let number: Option<i32> = words.next().and_then(|word| word.parse().ok());
                    info.report.score = match (kind, number) {
                        (Some("cp"), Some(number)) => Some(Score::Centipawns(number)),
                        (Some("mate"), Some(number)) => Some(Score::Mate(number)),
                        _ => None,
                    };
                }
                "lowerbound" => info.is_lower_bound = true,
                "upperbound" => info.is_upper_bound = true,
                // The variation is the last thing of a line by custom, and lasts as long as its words
                // look like moves: a keyword behind it is no illegal move.
                "pv" => {
                    let next_move = || words.next_if(|word| !is_keyword(word));
                    info.variation = std::iter::from_fn(next_move).collect();
                }
                "string" => break,
                _ => {}
            }
        }
        info
    }
}

fn is_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 16] = [
        "depth",
        "seldepth",
        "time",
        "nodes",
        "multipv",
        "score",
        "currmove",
        "currmovenumber",
        "hashfull",
        "nps",
        "tbhits",
        "sbhits",
        "cpuload",
        "string",
        "refutation",
        "currline",
    ];
    KEYWORDS.contains(&word)
}

fn read_milliseconds(word: &str) -> Option<Duration> {
    word.parse().ok().map(Duration::from_millis)
}

/// What is wrong with a variation from a position; `None` if it can be played to its end.
pub fn check_variation(position: &Position, variation: &[&str]) -> Option<String> {
    let mut position = *position;
    for text in variation {
        match position.parse_uci(text) {
            Ok(mv) => position.play(mv),
            Err(error) => {
                return Some(format!("{error}, in \"{}\"", variation.join(" ")));
            }
        }
    }
    None
}

/// Reads a line of thinking of an xboard engine: depth, score, time, nodes, variation.
pub fn read_xboard(text: &str) -> Option<Report> {
    /// Scores beyond it are mates: 100000 and the moves to it.
    const MATE: i32 = 100_000;
    let mut words = text.split_ascii_whitespace();
    // A sign may stand behind the depth.
    let depth = words.next()?.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let depth: u32 = depth.parse().ok()?;
    let score: i32 = words.next()?.parse().ok()?;
    let centiseconds: u64 = words.next()?.parse().ok()?;
    let _nodes: u64 = words.next()?.parse().ok()?;
    let score = match score {
        MATE.. => Score::Mate(score - MATE),
        ..=-100_000 => Score::Mate(score + MATE),
        _ => Score::Centipawns(score),
    };
    let time = centiseconds.checked_mul(10).map(Duration::from_millis);
    Some(Report { score: Some(score), depth: Some(depth), time })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_uci_is_read() {
        let text = "depth 12 multipv 2 score cp -35 upperbound nodes 99 time 5 pv e2e4 e7e5";
        let info = Info::read(text);
        let time = Some(Duration::from_millis(5));
        let report = Report { score: Some(Score::Centipawns(-35)), depth: Some(12), time };
        let variation = vec!["e2e4", "e7e5"];
        let (nodes, rank) = (Some(99), Some(2));
        let bounds = Info { is_upper_bound: true, ..Info::default() };
        assert_eq!(info, Info { report, nodes, rank, variation, ..bounds });
        assert_eq!(Info::read("score mate -3").report.score, Some(Score::Mate(-3)));
        assert_eq!(Info::read("pv e2e4 string pv e2e5").variation, ["e2e4"]);
        assert_eq!(Info::read("depth many pv e2e4").report.depth, None);
        for text in ["depth 3 currmove e2e4 currmovenumber 1", "string pv e2e4"] {
            assert!(Info::read(text).variation.is_empty(), "{text}");
        }
    }

    #[test]
    fn nonsense_says_nothing() {
        for text in ["", "depth", "depth x score cp", "score", "score cp 99999999999", "\u{0}"] {
            assert_eq!(Info::read(text).report, Report::default(), "{text}");
        }
    }

    #[test]
    fn a_line_of_xboard_is_read() {
        let report = read_xboard("9 156 1084 48000 Nf3 Nc6").expect("a line of thinking");
        let time = Some(Duration::from_millis(10_840));
        assert_eq!(report, Report { score: Some(Score::Centipawns(156)), depth: Some(9), time });
        let mate = read_xboard("12. -100004 7 1").expect("a line of thinking").score;
        assert_eq!(mate, Some(Score::Mate(-4)));
        for text in ["", "move e2e4", "1 2", "9 x 1 1", "# 1 2 3 4", "1 2 3 x"] {
            assert_eq!(read_xboard(text), None, "{text}");
        }
    }

    #[test]
    fn a_variation_ends_with_the_game() {
        let start = Position::startpos();
        assert_eq!(check_variation(&start, &["e2e4", "e7e5", "g1f3"]), None);
        let beyond = ["f2f3", "e7e5", "g2g4", "d8h4", "a2a3"];
        let wrong = check_variation(&start, &beyond).expect("White is mated");
        assert!(
            wrong.starts_with("a2a3 is not legal here: White is in check, in \"f2f3"),
            "{wrong}"
        );
        assert!(check_variation(&start, &["e2e4", "(none)"]).is_some());
    }
}
