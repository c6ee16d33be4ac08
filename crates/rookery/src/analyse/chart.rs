//! The pictures of `--plot`: the evaluation over the game, with its bad moves.

use super::quality::Mark as Flaw;
use super::study::{Stage, Study};
use board::pgn::Game;
use board::{Color, Position};
use plot::{Axis, COLORS, Chart, Mark, Series, Stroke};

/// Games in a picture; those behind them are not drawn.
pub const MOST_GAMES: usize = 12;
/// The height of each.
pub const HEIGHT: f64 = 240.0;
const LINE: Stroke = Stroke { color: COLORS[0], width: 2.0, dashes: &[] };

/// The picture of a game.
pub fn of_game(number: u64, game: &Game, study: &Study) -> Chart {
    let points: Vec<(f64, f64)> =
        study.stages.iter().map(|stage| (time(&stage.position), pawns(stage))).collect();
    let most = points.iter().fold(1.0f64, |most, point| most.max(point.1.abs()));
    let (first, last) =
        (points.first().map_or(1.0, |it| it.0), points.last().map_or(2.0, |it| it.0));
    let band = points.iter().map(|&(x, y)| (x, y.min(0.0), y.max(0.0))).collect();
    let mut series = vec![
        Series { name: String::new(), mark: Mark::Band(band, LINE.color, 0.2) },
        Series::line("evaluation", points, LINE),
    ];
    for (flaw, name, color) in [
        (Flaw::Inaccuracy, "inaccuracy", COLORS[3]),
        (Flaw::Mistake, "mistake", "#d2691e"),
        (Flaw::Blunder, "blunder", "#b00020"),
    ] {
        let marked = study.stages.windows(2).filter(|pair| flaw_of(&pair[0]) == Some(flaw));
        let dots: Vec<_> = marked.map(|pair| (time(&pair[1].position), pawns(&pair[1]))).collect();
        if !dots.is_empty() {
            series.push(Series { name: name.to_owned(), mark: Mark::Dots(dots, color) });
        }
    }
    let tag = |name| game.tags.get(name).unwrap_or("?");
    Chart {
        title: format!("{number}: {} – {} {}", tag("White"), tag("Black"), game.result),
        x: Axis::linear("move", first, last, 12),
        y: Axis::linear("evaluation for White, pawns", -most, most, 5),
        series,
    }
}

/// The number of the move, and half of one more where Black is to move.
fn time(position: &Position) -> f64 {
    let half = if position.side_to_move() == Color::Black { 0.5 } else { 0.0 };
    f64::from(position.fullmove_number()) + half
}

/// At most ten: what lies beyond is won, a mate as well.
fn pawns(stage: &Stage) -> f64 {
    f64::from(stage.score.bounded(Color::White)) / 100.0
}

fn flaw_of(stage: &Stage) -> Option<Flaw> {
    stage.played.as_ref()?.quality?.mark
}
