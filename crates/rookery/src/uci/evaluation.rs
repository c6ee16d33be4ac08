//! `eval`: the static evaluation, term by term.

use super::{Console, Trouble, refuse};
use board::Position;
use eval::{Breakdown, Halves, explain};
use std::io::{self, Write};

impl Console {
    /// `eval [FEN]`: the evaluation of the position, or of another one.
    pub(super) fn evaluate(&self, words: &[&str], out: &mut impl Write) -> Result<(), Trouble> {
        let position = match words {
            [] => self.position,
            fields => match Position::from_fen(&fields.join(" ")) {
                Ok(position) => position,
                Err(error) => return refuse(format!("eval: {error}")),
            },
        };
        Ok(write(&explain(&position), out)?)
    }
}

/// Each term for White and for Black, in the middlegame and in the endgame; then the sum.
fn write(breakdown: &Breakdown, out: &mut impl Write) -> io::Result<()> {
    if breakdown.known_ending {
        writeln!(out, "a known ending")?;
    } else {
        writeln!(out, "{:<20} {:^15} {:^15} {:^15}", "", "White", "Black", "difference")?;
        let heads = ["middle", "end"].repeat(3);
        let heads: Vec<String> = heads.iter().map(|head| format!("{head:>7}")).collect();
        writeln!(out, "{:<20} {}", "", heads.join(" "))?;
        for row in &breakdown.rows {
            let both = [row.white, row.black, difference(row.white, row.black)];
            writeln!(out, "{:<20} {}", row.name, columns(&both))?;
        }
        let Breakdown { phase, full_phase, scale, .. } = breakdown;
        writeln!(out, "{:<20} {:31} {}", "sum", "", columns(&[breakdown.total]))?;
        writeln!(out, "phase {phase} of {full_phase}, endgame scale {scale} of 128")?;
    }
    let white = f64::from(breakdown.white) / 100.0;
    writeln!(out, "Evaluation: {white:+.2} for White, {:+} for the side to move", breakdown.score)
}

fn difference(white: Halves, black: Halves) -> Halves {
    Halves {
        middlegame: white.middlegame - black.middlegame,
        endgame: white.endgame - black.endgame,
    }
}

fn columns(values: &[Halves]) -> String {
    let texts = values.iter().map(|value| format!("{:>7} {:>7}", value.middlegame, value.endgame));
    texts.collect::<Vec<_>>().join(" ")
}
