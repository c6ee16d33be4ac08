//! The three kinds of search: for a move of our own, on the opponent's time, and analysis.

use super::formatter::{Monitor, Thoughts};
use super::{Mode, Xboard};
use crate::session::{Answer, CommandError, GoRequest};
use board::Move;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Purpose {
    /// A move of ours; since when our clock runs.
    Think(Instant),
    /// The opponent is expected to play this.
    Ponder(Move),
    /// To be looked at.
    Analyse,
}

impl Xboard {
    /// What the search that runs is for.
    pub(super) fn purpose(&self) -> Option<Purpose> {
        self.purpose.filter(|_| self.session.is_running())
    }

    /// Whether it is our move and we think about it.
    pub(super) fn is_thinking(&self) -> bool {
        matches!(self.purpose(), Some(Purpose::Think(_)))
    }

    /// Ends the search; nothing comes of it.
    pub(super) fn abort(&mut self) {
        self.session.abandon();
        self.purpose = None;
    }

    /// Thinks about a move.
    pub(super) fn think(&mut self) -> Result<(), CommandError> {
        let request = self.request();
        self.launch(None, request, Purpose::Think(self.heard))
    }

    /// Answers the opponent's move: the game may be over, or drawn by a claim.
    pub(super) fn reply(&mut self, out: &mut impl Write) -> Result<(), CommandError> {
        match self.game.result().or_else(|| self.game.claim()) {
            Some(result) => Ok(writeln!(out, "{result}")?),
            None => self.think(),
        }
    }

    /// Thinks on the opponent's time, if that is wanted and a reply is expected.
    pub(super) fn ponder(&mut self, out: &mut impl Write) -> Result<(), CommandError> {
        let Mode::Plays(color) = self.mode else { return Ok(()) };
        let Some(expected) = self.expected.filter(|_| self.hard) else { return Ok(()) };
        let leads_on = self.game.position().make(expected).has_legal_move();
        if self.game.side_to_move() == color || !leads_on || self.game.result().is_some() {
            return Ok(());
        }
        writeln!(out, "Hint: {}", self.game.notation().write(expected))?;
        let request = GoRequest { ponder: true, ..self.request() };
        self.launch(Some(expected), request, Purpose::Ponder(expected))
    }

    /// Analyses the position, if something is left to analyse.
    pub(super) fn analyse(&mut self) -> Result<(), CommandError> {
        let Some(root_moves) = self.root_moves().filter(|_| !self.refused) else { return Ok(()) };
        let mut request = GoRequest { infinite: true, ..GoRequest::default() };
        request.limits.root_moves = root_moves;
        self.launch(None, request, Purpose::Analyse)
    }

    /// The expected move was played: the search goes on with the time that there is now.
    pub(super) fn ponder_hit(&mut self) {
        let request = self.request();
        let budget = self.session.budget(&request);
        self.session.ponder_hit(budget);
        self.purpose = Some(Purpose::Think(self.heard));
    }

    /// The request for a move of ours by the time control.
    fn request(&self) -> GoRequest {
        let us = match self.mode {
            Mode::Plays(color) => color,
            _ => self.game.side_to_move(),
        };
        self.time.request(self.game.moves_of(us))
    }

    fn launch(
        &mut self,
        next: Option<Move>,
        request: GoRequest,
        purpose: Purpose,
    ) -> Result<(), CommandError> {
        self.abort();
        self.monitor = Arc::new(Monitor::default());
        let thoughts = Thoughts {
            notation: self.game.notation(),
            posting: Arc::clone(&self.posting),
            pondered: next,
            nodes_per_second: request.nodes_per_second,
            monitor: Arc::clone(&self.monitor),
        };
        let root = self.game.root(next);
        let start = match purpose {
            Purpose::Think(since) => since,
            Purpose::Ponder(_) | Purpose::Analyse => Instant::now(),
        };
        self.session.launch(root, request, Box::new(thoughts), start)?;
        self.session.pause(self.paused);
        self.purpose = Some(purpose);
        Ok(())
    }

    /// A search has answered: plays its move, if it was for one.
    pub(super) fn finished(&mut self, number: u64) -> Result<(), CommandError> {
        let Some(answer) = self.session.finished(number) else { return Ok(()) };
        let Some(Purpose::Think(since)) = self.purpose.take() else { return Ok(()) };
        let Some(best) = answer.best else { return Ok(()) };
        let mut out = Vec::new();
        let outcome = self.play_ours(best, &answer, since, &mut out);
        self.session.output.send(&out)?;
        outcome
    }

    fn play_ours(
        &mut self,
        best: Move,
        answer: &Answer,
        since: Instant,
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        let (us, text) = (self.game.side_to_move(), self.game.notation().write(best));
        self.game.play(best);
        self.time.spend(since.elapsed(), self.game.moves_of(us));
        self.excluded.clear();
        self.last_score = answer.score;
        self.expected = answer.ponder.filter(|&mv| self.game.position().is_legal(mv));
        let result = self.game.result();
        // A draw that this move brings about is claimed by offering it with the move.
        if result.is_none() && self.game.claim().is_some() {
            writeln!(out, "offer draw")?;
        }
        writeln!(out, "move {text}")?;
        match result {
            Some(result) => Ok(writeln!(out, "{result}")?),
            None => self.ponder(out),
        }
    }

    /// `.`: where the search stands.
    pub(super) fn progress(&self, out: &mut impl Write) -> io::Result<()> {
        let chosen = self.root_moves().map_or(0, |moves| moves.len());
        let moves = if chosen > 0 { chosen } else { self.game.position().count_legal_moves() };
        writeln!(out, "{}", self.monitor.line(moves, self.game.notation()))
    }
}
