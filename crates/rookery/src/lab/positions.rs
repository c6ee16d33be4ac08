//! Positions of three phases of the game. Where they come from: `positions/SOURCES.md`.

use board::{Position, epd};
use flate2::read::GzDecoder;
use std::io::Read;

/// A set of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// 3,800 named openings.
    Openings,
    /// 1,000 positions after 30 to 60 half-moves of a game with at least eight pieces.
    Middlegames,
    /// 600 positions of games with at most four pieces beside the pawns and kings.
    Endgames,
}

impl Phase {
    /// All of them.
    pub const ALL: [Phase; 3] = [Phase::Openings, Phase::Middlegames, Phase::Endgames];

    /// `openings`
    pub fn name(self) -> &'static str {
        match self {
            Phase::Openings => "openings",
            Phase::Middlegames => "middlegames",
            Phase::Endgames => "endgames",
        }
    }

    /// The first positions of the set, which is in random order.
    pub fn positions(self, most: usize) -> Vec<Position> {
        let packed: &[u8] = match self {
            Phase::Openings => include_bytes!("positions/openings.epd.gz"),
            Phase::Middlegames => include_bytes!("positions/middlegames.epd.gz"),
            Phase::Endgames => include_bytes!("positions/endgames.epd.gz"),
        };
        let mut text = String::new();
        // What is compiled in is sound: a test counts the positions.
        let _ = GzDecoder::new(packed).read_to_string(&mut text);
        let positions =
            epd::records(&text).filter_map(|(_, record)| Some(*record.ok()?.position()));
        positions.take(most).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_can_be_read_and_has_a_choice() {
        for (phase, count) in Phase::ALL.into_iter().zip([3800, 1000, 600]) {
            let positions = phase.positions(usize::MAX);
            assert_eq!(positions.len(), count, "{}", phase.name());
            assert!(positions.iter().all(|position| position.legal_moves().len() > 1));
        }
        assert_eq!(Phase::Openings.positions(7).len(), 7);
    }
}
