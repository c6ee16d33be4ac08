//! The commands that change the game: new ones, moves, positions, whose turn it is.

use super::think::Purpose;
use super::{DRAW_SCORE, Mode, Xboard, echo, without_brackets};
use crate::session::{CommandError, refuse};
use board::Color;
use board::fen::quote;
use std::io::{self, Write};

impl Xboard {
    /// `new`: the start position, and we play Black; or go on analysing.
    pub(super) fn new_game(&mut self) -> Result<(), CommandError> {
        self.abort();
        if let Some(reason) = self.session.new_game() {
            self.session.output.line(format_args!("# {reason}"))?;
        }
        self.game = Default::default();
        self.time.new_game();
        (self.paused, self.refused, self.last_score) = (false, false, None);
        self.changed();
        match self.mode {
            Mode::Analysis => self.analyse(),
            _ => {
                self.mode = Mode::Plays(Color::Black);
                Ok(())
            }
        }
    }

    /// `bk`: the moves of the book, in lines that begin with a blank; an empty line ends them.
    pub(super) fn show_book(&mut self, out: &mut impl Write) -> Result<(), CommandError> {
        let position = *self.game.position();
        match self.session.book_moves(&position) {
            None => writeln!(out, " no book")?,
            Some(Err(reason)) => writeln!(out, " {reason}")?,
            Some(Ok(moves)) if moves.is_empty() => writeln!(out, " not in the book")?,
            Some(Ok(moves)) => {
                for (mv, share) in moves {
                    writeln!(out, " {} {share:.1} %", self.game.notation().write(mv))?;
                }
            }
        }
        Ok(writeln!(out)?)
    }

    /// What was known of the old position is of no use in the new one.
    fn changed(&mut self) {
        self.expected = None;
        self.excluded.clear();
    }

    /// `variant NAME`: comes behind `new`.
    pub(super) fn variant(&mut self, words: &[&str]) -> Result<(), CommandError> {
        self.game.chess960 = match words {
            ["normal"] => false,
            ["fischerandom"] => true,
            [other, ..] => return refuse(format!("unsupported variant {}", quote(other))),
            [] => return refuse("the variant is missing"),
        };
        Ok(())
    }

    /// `force`, and what ends a game or an analysis: we do not move any more.
    pub(super) fn force(&mut self) {
        self.abort();
        self.mode = Mode::Force;
    }

    /// `go`: we play the side that is to move, and move now.
    pub(super) fn go(&mut self, out: &mut impl Write) -> Result<(), CommandError> {
        if self.refused {
            return refuse("the position was refused");
        }
        if self.is_thinking() {
            return Ok(());
        }
        self.abort();
        self.mode = Mode::Plays(self.game.side_to_move());
        // A draw that could be claimed is not claimed here: a move was asked for.
        match self.game.result().filter(|_| !self.game.position().has_legal_move()) {
            Some(result) => Ok(writeln!(out, "{result}")?),
            None => self.think(),
        }
    }

    /// `playother`: we play the side that is not to move.
    pub(super) fn play_other(&mut self, out: &mut impl Write) -> Result<(), CommandError> {
        self.abort();
        self.mode = Mode::Plays(!self.game.side_to_move());
        self.ponder(out)
    }

    /// `white` and `black`: this side is to move, and we play the other.
    pub(super) fn give_turn(&mut self, color: Color) -> Result<(), CommandError> {
        self.abort();
        if !self.game.give_turn(color) {
            return refuse("the side to move is in check");
        }
        self.changed();
        self.mode = Mode::Plays(!color);
        Ok(())
    }

    /// `usermove MOVE`, or a move alone.
    pub(super) fn user_move(
        &mut self,
        text: &str,
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        let purpose = self.purpose();
        let read = match purpose {
            _ if self.refused => Err("the position was refused".to_owned()),
            Some(Purpose::Think(_)) => Err("it is the engine's turn".to_owned()),
            _ => self.game.read_move(text),
        };
        let mv = match read {
            Ok(mv) => mv,
            Err(reason) => {
                let (reason, text) = (without_brackets(&reason), echo(text));
                return Ok(writeln!(out, "Illegal move ({reason}): {text}")?);
            }
        };
        let is_expected = purpose == Some(Purpose::Ponder(mv));
        if !is_expected {
            self.abort();
        }
        self.game.play(mv);
        self.changed();
        match self.mode {
            Mode::Plays(color) if color == self.game.side_to_move() => {
                let ends = self.game.result().or_else(|| self.game.claim()).is_some();
                match is_expected && !ends {
                    true => self.ponder_hit(),
                    false => {
                        self.abort();
                        self.reply(out)?;
                    }
                }
            }
            Mode::Analysis => self.analyse()?,
            Mode::Plays(_) | Mode::Force => (),
        }
        Ok(())
    }

    /// `setboard FEN`. A position that is none is told as the protocol wants it, and no move is legal
    /// until another comes.
    pub(super) fn set_board(
        &mut self,
        fen: &str,
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        self.abort();
        self.changed();
        let set_up = self.game.set_up(fen);
        self.refused = set_up.is_err();
        match set_up {
            Ok(repairs) => {
                repairs.iter().try_for_each(|repair| writeln!(out, "# setboard: {repair}"))?;
            }
            Err(error) => writeln!(out, "tellusererror Illegal position: {error}")?,
        }
        match self.mode {
            Mode::Analysis => self.analyse(),
            _ => {
                self.mode = Mode::Force;
                Ok(())
            }
        }
    }

    /// `undo` and `remove`.
    pub(super) fn take_back(&mut self, moves: usize) -> Result<(), CommandError> {
        self.abort();
        let taken = self.game.take_back(moves);
        self.changed();
        if self.mode == Mode::Analysis {
            self.analyse()?;
        }
        if taken { Ok(()) } else { refuse("no move to take back") }
    }

    /// `draw`: accepted where we stand worse, or where it could be claimed.
    pub(super) fn draw(&self, out: &mut impl Write) -> io::Result<()> {
        let accepted =
            self.last_score.is_some_and(|score| score <= DRAW_SCORE) || self.game.claim().is_some();
        if accepted { writeln!(out, "offer draw") } else { Ok(()) }
    }

    /// `easy`: no thinking on the opponent's time.
    pub(super) fn easy(&mut self) {
        self.hard = false;
        if let Some(Purpose::Ponder(_)) = self.purpose() {
            self.abort();
        }
    }

    /// `analyze`.
    pub(super) fn analyze(&mut self) -> Result<(), CommandError> {
        self.abort();
        self.mode = Mode::Analysis;
        self.analyse()
    }

    /// `pause` and `resume`.
    pub(super) fn pause(&mut self, on: bool) {
        self.paused = on;
        self.session.pause(on);
    }
}
