//! Writing into a game what a study found: evaluations, marks, better lines, accuracy.
//!
//! What others wrote stays: comments, variations, and marks from $1 to $6, beside which no second one
//! is put. Only old evaluations (`[%eval …]`) are replaced by the new ones.

use super::quality::Performance;
use super::study::{Stage, Study};
use board::pgn::{Game, Notes};
use search::Line;

/// The longest variation that is added, in half-moves.
const LONGEST_LINE: usize = 12;
/// What an evaluation in a comment begins with.
const EVALUATION: &str = "[%eval ";

/// Annotates a game with its study.
pub fn annotate(game: &mut Game, study: &Study) {
    for pair in study.stages.windows(2) {
        let [stage, next] = pair else { continue };
        let Some(played) = &stage.played else { continue };
        let notes = game.notes_mut(played.node);
        // Mate needs no evaluation, as the move's own sign says it.
        match next.position.is_checkmate() {
            true => drop_evaluations(notes),
            false => set_evaluation(notes, &next.score.pgn()),
        }
        let Some(mark) = played.quality.and_then(|quality| quality.mark) else { continue };
        if !notes.nags.iter().any(|nag| (1..=6).contains(nag)) {
            notes.nags.insert(0, mark.nag());
        }
        add_better_lines(game, stage);
    }
    if game.tags.get("Annotator").is_none() {
        game.tags.set("Annotator", concat!("Rookery ", env!("CARGO_PKG_VERSION")));
    }
    for (side, performance) in ["White", "Black"].into_iter().zip(&study.players) {
        set_performance(game, side, performance);
    }
}

/// `WhiteAccuracy` in hundredths and `WhiteMeanLoss` in centipawns.
fn set_performance(game: &mut Game, side: &str, performance: &Performance) {
    if let (Some(accuracy), Some(loss)) = (performance.accuracy(), performance.mean_loss()) {
        game.tags.set(&format!("{side}Accuracy"), &format!("{accuracy:.1}"));
        game.tags.set(&format!("{side}MeanLoss"), &loss.to_string());
    }
}

/// Adds the lines that are better than the played move, unless the game has their moves already.
fn add_better_lines(game: &mut Game, stage: &Stage) {
    let (Some(played), Some(found)) = (&stage.played, &stage.found) else { return };
    let parent = game.parent(played.node);
    for line in &found.lines {
        let Some(&first) = line.moves.first() else { continue };
        // The lines are in order: from the played move on none is better.
        if first == played.mv {
            break;
        }
        let is_shown = game.children(parent).any(|child| game.mv(child) == first);
        if !is_shown {
            add_line(game, stage, line);
        }
    }
}

fn add_line(game: &mut Game, stage: &Stage, line: &Line) {
    let Some(played) = &stage.played else { return };
    let mut at = game.parent(played.node);
    for (index, &mv) in line.moves.iter().take(LONGEST_LINE).enumerate() {
        let Some(node) = game.add(at, mv) else { return };
        if index == 0 {
            let score = super::score::Score::new(line.score, stage.position.side_to_move());
            set_evaluation(game.notes_mut(node), &score.pgn());
        }
        at = node;
    }
}

/// Puts an evaluation first, in place of older ones. A comment that begins with another command, such as
/// the clock's, takes it in, as lichess.org has it.
fn set_evaluation(notes: &mut Notes, score: &str) {
    drop_evaluations(notes);
    let evaluation = format!("{EVALUATION}{score}]");
    match notes.comments.first_mut().filter(|comment| comment.starts_with("[%")) {
        Some(comment) => *comment = format!("{evaluation} {comment}"),
        None => notes.comments.insert(0, evaluation),
    }
}

fn drop_evaluations(notes: &mut Notes) {
    for comment in &mut notes.comments {
        while let Some(begin) = comment.find(EVALUATION)
            && let Some(length) = comment.get(begin..).and_then(|rest| rest.find(']'))
        {
            comment.replace_range(begin..=begin + length, "");
            *comment = comment.trim().to_owned();
        }
    }
    notes.comments.retain(|comment| !comment.is_empty());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_replaces_older_ones_and_keeps_the_rest() {
        for (before, after) in [
            (vec![], vec!["[%eval 0.3]"]),
            (vec!["[%eval -1.0]"], vec!["[%eval 0.3]"]),
            (vec!["[%eval #3] [%clk 0:01:00]"], vec!["[%eval 0.3] [%clk 0:01:00]"]),
            (vec!["a fine move [%eval 2.1]"], vec!["[%eval 0.3]", "a fine move"]),
            (vec!["not closed [%eval 2.1"], vec!["[%eval 0.3]", "not closed [%eval 2.1"]),
        ] {
            let comments = before.into_iter().map(str::to_owned).collect();
            let mut notes = Notes { comments, ..Notes::default() };
            set_evaluation(&mut notes, "0.3");
            assert_eq!(notes.comments, after);
        }
    }
}
