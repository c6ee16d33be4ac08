//! Who scores the moves of a reference: our own engine, or another program by UCI.

use crate::analyse;
use crate::analyse::PlainScore;
use crate::arena::{Info, Score};
use crate::engine::Engine;
use crate::interrupt::unwatched;
use crate::suite::{ENDLESS, Rival};
use board::{Color, History, Move, Position};
use search::Limits;
use std::collections::BTreeMap;

/// A scorer.
pub enum Scorer {
    Own(Box<Engine>),
    Rival(Rival),
}

impl Scorer {
    /// Another program that is asked for several lines.
    pub fn rival(command: &str, hash_mb: u64, lines: u16) -> Result<Scorer, String> {
        let mut rival = Rival::start(command, hash_mb)?;
        rival.send(&format!("setoption name MultiPV value {lines}"));
        rival.ready()?;
        Ok(Scorer::Rival(rival))
    }

    /// What it is called.
    pub fn name(&self) -> String {
        match self {
            Scorer::Own(engine) => {
                let (version, threads) = (env!("CARGO_PKG_VERSION"), engine.threads());
                let (profile, network) = engine.rules();
                let network = network.map_or(0, |network| network.checksum());
                format!("Rookery {version} ({profile}, network {network:08x}, threads {threads})")
            }
            Scorer::Rival(rival) => rival.name.clone(),
        }
    }

    /// Scores the best moves of a position that it knows nothing about.
    pub fn score(
        &mut self,
        position: &Position,
        lines: u16,
        nodes: u64,
    ) -> Result<Vec<(Move, Score)>, String> {
        match self {
            Scorer::Own(engine) => ask_own(engine, position, lines, nodes),
            Scorer::Rival(rival) => ask_rival(rival, position, nodes),
        }
    }
}

fn ask_own(
    engine: &mut Engine,
    position: &Position,
    lines: u16,
    nodes: u64,
) -> Result<Vec<(Move, Score)>, String> {
    engine.new_game();
    let limits = Limits { lines: usize::from(lines), nodes: Some(nodes), ..Limits::default() };
    let outcome = engine.search(position, &History::new(), &limits, &mut unwatched())?;
    let scored = outcome.lines.iter().filter_map(|line| {
        // From the point of view of White, not of the side to move.
        let score = match analyse::Score::new(line.score, Color::White).plain() {
            PlainScore::Cp(centipawns) => Score::Centipawns(centipawns),
            PlainScore::Mate(moves) => Score::Mate(moves),
        };
        Some((*line.moves.first()?, score))
    });
    Ok(scored.collect())
}

/// The last line of each rank counts: a program that stops repeats them all.
fn ask_rival(
    rival: &mut Rival,
    position: &Position,
    nodes: u64,
) -> Result<Vec<(Move, Score)>, String> {
    rival.send("ucinewgame");
    rival.ready()?;
    rival.send(&format!("position fen {}", position.fen()));
    rival.send(&format!("go nodes {nodes}"));
    let mut ranks = BTreeMap::new();
    loop {
        let line = rival.receive(ENDLESS)?;
        if line.starts_with("bestmove") {
            break;
        }
        let told = read_info(&line);
        ranks.extend(told.map(|(rank, (mv, score))| (rank, (mv.to_owned(), score))));
    }
    let mut scored: Vec<(Move, Score)> = Vec::new();
    for (text, score) in ranks.into_values() {
        let wrong = |error| format!("{}: {error}: {}", rival.name, position.fen());
        let mv = position.parse_uci(&text).map_err(wrong)?;
        if scored.iter().all(|(other, _)| *other != mv) {
            scored.push((mv, score));
        }
    }
    Ok(scored)
}

/// Rank, first move and score of a line of play.
fn read_info(line: &str) -> Option<(u32, (&str, Score))> {
    let info = Info::read(line.strip_prefix("info ")?);
    // A mate on the board is no score of a move.
    let score = info.report.score.filter(|&score| score != Score::Mate(0))?;
    Some((info.rank?, (info.variation.first()?, score)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_play_are_read_with_their_rank() {
        let line =
            "info depth 9 seldepth 12 multipv 3 score cp -31 upperbound nodes 8 pv e2e4 e7e5";
        assert_eq!(read_info(line), Some((3, ("e2e4", Score::Centipawns(-31)))));
        let mate = "info multipv 1 score mate -2 pv e2e4";
        assert_eq!(read_info(mate), Some((1, ("e2e4", Score::Mate(-2)))));
        for line in [
            "info depth 3 currmove e2e4 currmovenumber 1",
            "info string multipv 1 score cp 3 pv e2e4",
            "info score cp 3 pv e2e4",
            "info multipv 1 score cp many pv e2e4",
            "bestmove e2e4",
        ] {
            assert_eq!(read_info(line), None, "{line}");
        }
    }
}
