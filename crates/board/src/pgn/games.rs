//! The convenient reader: whole games, one at a time.
//!
//! A null move (`--`, `Z0`, `@@@@`, `0000`) is accepted wherever the side to move is not in check, in
//! the main line too, and kept as [`Move::NONE`]: annotated collections have them. `FEN` decides
//! the start whether `SetUp` is there or not. A `Variant` other than chess and Chess960 makes the game
//! a broken one: its moves have other rules.
//!
//! Of a broken game [`Games::next_part`] keeps what stands before the fault.

use super::PgnError;
use super::game::{Game, NodeId};
use super::reader::{Limits, Reader};
use super::tags::is_known_variant;
use super::visitor::{Outcome, Text, Visited, Visitor, decode};
use crate::fen::quote;
use crate::{Move, Position, SanError};
use std::io::Read;

/// A broken game as far as it is good.
pub struct Fragment {
    /// The tags and the moves before the fault.
    pub game: Game,
    /// The last move of the main line before the fault.
    pub end: NodeId,
    /// Whether the fault stands among the moves: the tags, and so the position it starts from, are good.
    pub is_in_moves: bool,
    /// What is wrong.
    pub error: PgnError,
}

/// An iterator over the games of a stream. A broken game is an error, and the next game follows.
///
/// ```
/// use board::pgn::Games;
///
/// let text = "1. e4 e5 2. Ke3 *\n\n[Event \"second\"]\n\n1. d4 {solid} (1. c4) d5 1/2-1/2\n";
/// let mut games = Games::new(text.as_bytes());
/// assert_eq!(
///     games.next().unwrap().unwrap_err().to_string(),
///     "PGN, game 1, line 1, \"Ke3\": no man can make this move"
/// );
/// let game = games.next().unwrap().unwrap();
/// assert_eq!(game.main_line().count(), 2);
/// assert_eq!(game.tags.get("Event"), Some("second"));
/// assert!(games.next().is_none());
/// ```
pub struct Games<R> {
    reader: Reader<R>,
    builder: Builder,
}

impl<R: Read> Games<R> {
    /// The games of a stream, with the default limits.
    pub fn new(input: R) -> Games<R> {
        Games::with_limits(input, Limits::default())
    }

    /// The games of a stream, with other limits.
    pub fn with_limits(input: R, limits: Limits) -> Games<R> {
        Games {
            reader: Reader::with_limits(input, limits),
            builder: Builder::new(limits.game, Position::startpos()),
        }
    }

    /// The next game; of a broken one what stands before the fault.
    ///
    /// ```
    /// use board::pgn::Games;
    ///
    /// let mut games = Games::new(&b"1. e4 e5 2. Ke3 Nf6 *"[..]);
    /// let part = games.next_part().unwrap().err().unwrap();
    /// assert_eq!(part.game.main_line().count(), 2);
    /// assert_eq!(part.error.token(), "Ke3");
    /// ```
    pub fn next_part(&mut self) -> Option<Result<Game, Box<Fragment>>> {
        let read = self.reader.read_game(&mut self.builder)?;
        Some(match read {
            Ok(()) => Ok(self.builder.take()),
            Err(error) => Err(Box::new(self.builder.take_part(error))),
        })
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.next_part()?.map_err(|part| part.error))
    }
}

/// A line that is being read: the main line, or a variation.
struct Line {
    /// The last move read.
    node: NodeId,
    /// The positions before and after it.
    before: Position,
    after: Position,
    /// Whether this line has a move of its own yet.
    has_moves: bool,
    /// What was said before the first move of a variation.
    lead: Vec<String>,
    lead_nags: Vec<u8>,
}

impl Line {
    fn begin(node: NodeId, position: Position) -> Line {
        Line {
            node,
            before: position,
            after: position,
            has_moves: false,
            lead: Vec::new(),
            lead_nags: Vec::new(),
        }
    }
}

/// Builds a game from what the reader tells.
struct Builder {
    game: Game,
    line: Line,
    /// The lines in which the variations that are open branch off.
    outer: Vec<Line>,
    memory_limit: usize,
    memory_used: usize,
    /// Whether the tags are over.
    is_in_moves: bool,
    /// The usual start, put together once.
    usual_start: Position,
}

/// What an allocation costs beside its contents, about.
const ALLOCATION: usize = 64;

impl Builder {
    fn new(memory_limit: usize, usual_start: Position) -> Builder {
        Builder {
            game: Game::new(usual_start),
            line: Line::begin(NodeId::ROOT, usual_start),
            outer: Vec::new(),
            memory_limit,
            memory_used: 0,
            is_in_moves: false,
            usual_start,
        }
    }

    /// Takes the game and begins an empty one.
    fn take(&mut self) -> Game {
        std::mem::replace(&mut self.game, Game::new(self.usual_start))
    }

    /// Takes what there is of a broken game and begins an empty one.
    fn take_part(&mut self, error: PgnError) -> Fragment {
        let end = self.outer.first().unwrap_or(&self.line).node;
        while !self.outer.is_empty() {
            self.end_variation();
        }
        self.end_game();
        Fragment { game: self.take(), end, is_in_moves: self.is_in_moves, error }
    }

    /// Counts memory; an error if the game has had its share.
    fn spend(&mut self, bytes: usize) -> Visited {
        self.memory_used = self.memory_used.saturating_add(bytes);
        if self.memory_used <= self.memory_limit {
            return Ok(());
        }
        Err(format!("the game needs more than {} bytes of memory", self.memory_limit))
    }

    fn add_move(&mut self, mv: Move) -> Visited {
        self.spend(Game::NODE_SIZE)?;
        // A variation's first move is an alternative to the node it branches off at.
        let branches_off = !self.line.has_moves && !self.outer.is_empty();
        let parent = if branches_off { self.game.parent(self.line.node) } else { self.line.node };
        let id = self.game.push(parent, mv).ok_or("the game has too many moves")?;
        self.line.before = self.line.after;
        match mv.is_none() {
            true => self.line.after = self.line.before.make_null(),
            false => self.line.after.play(mv),
        }
        self.line.node = id;
        self.line.has_moves = true;
        if !self.line.lead.is_empty() || !self.line.lead_nags.is_empty() {
            let notes = self.game.notes_mut(id);
            notes.lead = std::mem::take(&mut self.line.lead);
            notes.nags = std::mem::take(&mut self.line.lead_nags);
        }
        Ok(())
    }

    /// Whether a note now belongs to the move that a variation is about to begin with.
    fn is_before_variation(&self) -> bool {
        !self.outer.is_empty() && !self.line.has_moves
    }
}

impl Visitor for Builder {
    fn begin_game(&mut self) {
        *self = Builder::new(self.memory_limit, self.usual_start);
    }

    fn tag(&mut self, name: &[u8], value: &[u8]) -> Visited {
        self.spend(name.len() + 2 * value.len() + ALLOCATION)?;
        match name {
            b"FEN" if self.game.tags.get("FEN").is_none() => {
                let start =
                    Position::from_fen(&decode(value)).map_err(|error| error.to_string())?;
                self.game.set_start(start);
                self.line = Line::begin(NodeId::ROOT, start);
            }
            b"Variant" if !is_known_variant(value) => {
                return Err(format!("the rules of {} are not known", quote(&decode(value))));
            }
            b"Result" if self.game.result == Outcome::Unknown => {
                self.game.result = Outcome::parse(value).unwrap_or_default();
            }
            _ => (),
        }
        self.game.tags.push(decode(name), decode(value));
        Ok(())
    }

    fn begin_moves(&mut self) -> Text {
        self.is_in_moves = true;
        Text::Read
    }

    fn san(&mut self, token: &[u8]) -> Visited {
        match self.line.after.parse_san(token) {
            Ok(mv) => self.add_move(mv),
            Err(SanError::NullMove) if !self.line.after.in_check() => self.add_move(Move::NONE),
            Err(SanError::NullMove) => Err("a null move by a side in check".into()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn nag(&mut self, number: u8) -> Visited {
        self.spend(ALLOCATION)?;
        match self.is_before_variation() {
            true => self.line.lead_nags.push(number),
            false => self.game.notes_mut(self.line.node).nags.push(number),
        }
        Ok(())
    }

    fn comment(&mut self, text: &[u8]) -> Visited {
        let text = one_line(&decode(text));
        if text.is_empty() {
            return Ok(());
        }
        self.spend(text.len() + 2 * ALLOCATION)?;
        match self.is_before_variation() {
            true => self.line.lead.push(text),
            false => self.game.notes_mut(self.line.node).comments.push(text),
        }
        Ok(())
    }

    fn begin_variation(&mut self) -> Result<Text, String> {
        self.spend(size_of::<Line>())?;
        if !self.line.has_moves {
            return Err("a variation before the first move".into());
        }
        let inner = Line::begin(self.line.node, self.line.before);
        self.outer.push(std::mem::replace(&mut self.line, inner));
        Ok(Text::Read)
    }

    fn end_variation(&mut self) {
        let Some(outer) = self.outer.pop() else { return };
        let mut inner = std::mem::replace(&mut self.line, outer);
        // A variation without moves: what it says belongs to the move it stands behind.
        if !inner.lead.is_empty() || !inner.lead_nags.is_empty() {
            let notes = self.game.notes_mut(inner.node);
            notes.comments.append(&mut inner.lead);
            notes.nags.append(&mut inner.lead_nags);
        }
    }

    fn result(&mut self, outcome: Outcome) {
        self.game.result = outcome;
    }

    fn end_game(&mut self) {
        self.game.tags.drop_repetitions();
        if self.game.tags.get("Result").is_some() {
            self.game.tags.set("Result", self.game.result.text());
        }
    }
}

/// A comment as one line: each line break, with the space around it, becomes one space, and space at
/// both ends goes.
pub(super) fn one_line(text: &str) -> String {
    let is_space = |letter: char| letter.is_ascii_whitespace();
    let mut line = String::with_capacity(text.len());
    for part in text.split(['\n', '\r']) {
        let part = part.trim_matches(is_space);
        if !line.is_empty() && !part.is_empty() {
            line.push(' ');
        }
        line.push_str(part);
    }
    line
}
