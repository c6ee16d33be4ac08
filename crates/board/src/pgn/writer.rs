//! Writing games in the standard's export format, with comments, annotations and variations.
//!
//! What is written is read back as the same tree. Two things are fitted to the format: a line break in
//! a comment or a tag becomes a space, and signs that a tag's name cannot have are left out.

use super::game::{Game, NodeId, Notes, after};
use super::games::one_line;
use super::tags::ROSTER;
use crate::{Color, Position};
use std::fmt::Write as _;
use std::io;

/// The longest line of movetext, where words allow it.
const COLUMNS: usize = 79;

/// Writes games to a file or a pipe, with empty lines between them.
pub struct PgnWriter<W> {
    output: W,
}

impl<W: io::Write> PgnWriter<W> {
    /// A writer. It writes each game in one piece, so the output needs no buffer.
    pub fn new(output: W) -> PgnWriter<W> {
        PgnWriter { output }
    }

    /// Writes a game and the empty line behind it.
    pub fn write(&mut self, game: &Game) -> io::Result<()> {
        let mut text = game.to_string();
        text.push('\n');
        self.output.write_all(text.as_bytes())
    }

    /// The output.
    pub fn into_inner(self) -> W {
        self.output
    }
}

impl std::fmt::Display for Game {
    /// The game as PGN, up to and with the end of its last line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write_tags(self, f)?;
        f.write_char('\n')?;
        let mut movetext = Movetext::default();
        movetext.write(self);
        f.write_str(&movetext.text)
    }
}

/// The tags: the roster, what says how the game starts, then the others in their order.
fn write_tags(game: &Game, f: &mut impl std::fmt::Write) -> std::fmt::Result {
    for (name, missing) in ROSTER {
        let value = match name {
            "Result" => game.result.text(),
            _ => game.tags.get(name).unwrap_or(missing),
        };
        write_tag(f, name, value)?;
    }
    let start = game.start();
    let is_setup = *start != Position::startpos();
    if needs_chess960(start) {
        write_tag(f, "Variant", "Chess960")?;
    } else if let Some(variant) = game.tags.get("Variant") {
        write_tag(f, "Variant", variant)?;
    }
    if is_setup {
        write_tag(f, "SetUp", "1")?;
        write_tag(f, "FEN", &start.fen())?;
    }
    for (name, value) in game.tags.iter() {
        let is_written = ROSTER.iter().any(|&(other, _)| other == name)
            || matches!(name, "Variant" | "SetUp" | "FEN");
        if !is_written {
            write_tag(f, name, value)?;
        }
    }
    Ok(())
}

/// Whether a side may castle with a king or a rook that is not where classical chess puts it.
fn needs_chess960(start: &Position) -> bool {
    Color::ALL.into_iter().any(|color| {
        let mut rooks = start.castling_rooks(color);
        rooks.non_empty()
            && (start.king(color).file() != 4 || rooks.any(|rook| !matches!(rook.file(), 0 | 7)))
    })
}

fn write_tag(f: &mut impl std::fmt::Write, name: &str, value: &str) -> std::fmt::Result {
    let is_fit = |letter: &char| !matches!(letter, ' ' | '\t' | '\n' | '\r' | '"' | '[' | ']');
    let name: String = name.chars().filter(is_fit).collect();
    if name.is_empty() {
        return Ok(());
    }
    write!(f, "[{name} \"")?;
    for letter in value.chars() {
        match letter {
            '"' | '\\' => write!(f, "\\{letter}")?,
            '\n' | '\r' => f.write_char(' ')?,
            _ => f.write_char(letter)?,
        }
    }
    f.write_str("\"]\n")
}

/// What remains to be written, last first.
enum Work {
    /// The moves after a place.
    Continue { parent: NodeId, position: Position, needs_number: bool },
    /// A variation that begins with this move.
    Variation { first: NodeId, position: Position },
    /// The end of a variation.
    Close,
}

/// Movetext in lines.
#[derive(Default)]
struct Movetext {
    text: String,
    column: usize,
    /// Whether the next word follows without a space: behind a bracket.
    is_tight: bool,
}

impl Movetext {
    /// Writes all moves and the result. A stack of work instead of recursion: variations can nest
    /// deeper than the program's stack is.
    fn write(&mut self, game: &Game) {
        if let Some(notes) = game.notes(NodeId::ROOT) {
            self.notes(notes);
        }
        let position = *game.start();
        let mut work = vec![Work::Continue { parent: NodeId::ROOT, position, needs_number: true }];
        while let Some(next) = work.pop() {
            match next {
                Work::Continue { parent, position, needs_number } => {
                    let mut children = game.children(parent);
                    let Some(main) = children.next() else { continue };
                    let variations: Vec<NodeId> = children.collect();
                    let has_comments = self.one_move(game, main, &position, needs_number);
                    work.push(Work::Continue {
                        parent: main,
                        position: after(&position, game.mv(main)),
                        needs_number: has_comments || !variations.is_empty(),
                    });
                    let open = variations.into_iter().rev();
                    work.extend(open.map(|first| Work::Variation { first, position }));
                }
                Work::Variation { first, position } => {
                    self.word("(");
                    self.is_tight = true;
                    for comment in game.notes(first).map_or(&[][..], |notes| &notes.lead) {
                        self.comment(comment);
                    }
                    let needs_number = self.one_move(game, first, &position, true);
                    let position = after(&position, game.mv(first));
                    work.push(Work::Close);
                    work.push(Work::Continue { parent: first, position, needs_number });
                }
                Work::Close => {
                    self.is_tight = true;
                    self.word(")");
                    self.is_tight = false;
                }
            }
        }
        self.word(game.result.text());
        self.end_line();
    }

    /// Writes a move with its number, if it needs one, and its notes; says whether it has comments.
    fn one_move(&mut self, game: &Game, id: NodeId, before: &Position, number: bool) -> bool {
        match before.side_to_move() {
            Color::White => self.word(&format!("{}.", before.fullmove_number())),
            Color::Black if number => self.word(&format!("{}...", before.fullmove_number())),
            Color::Black => (),
        }
        self.word(&before.san(game.mv(id)));
        game.notes(id).is_some_and(|notes| self.notes(notes))
    }

    fn notes(&mut self, notes: &Notes) -> bool {
        for nag in &notes.nags {
            self.word(&format!("${nag}"));
        }
        for comment in &notes.comments {
            self.comment(comment);
        }
        !notes.comments.is_empty()
    }

    /// Writes a comment in braces, or to the end of the line if it has a brace in it.
    fn comment(&mut self, comment: &str) {
        let comment = one_line(comment);
        if comment.is_empty() {
            return;
        }
        if comment.contains('}') {
            self.word(&format!(";{comment}"));
            return self.end_line();
        }
        let mut words = breakable_words(&comment).peekable();
        let mut open = "{";
        while let Some(word) = words.next() {
            let close = if words.peek().is_none() { "}" } else { "" };
            self.word(&format!("{open}{word}{close}"));
            open = "";
        }
    }

    /// Writes a word, after a space or in a new line.
    fn word(&mut self, word: &str) {
        let space = usize::from(!self.is_tight && self.column > 0);
        let length = word.chars().count();
        if self.column > 0 && self.column + space + length > COLUMNS {
            self.end_line();
        } else if space > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += length;
        self.is_tight = false;
    }

    fn end_line(&mut self) {
        if self.column > 0 {
            self.text.push('\n');
            self.column = 0;
        }
    }
}

/// The pieces of a comment between which a line may break: at single spaces, not before a sign that
/// means something at the beginning of a line, and not in a command (`[%clk 0:01:00]`), which many
/// programs look for in one line.
fn breakable_words(comment: &str) -> impl Iterator<Item = &str> {
    let bytes = comment.as_bytes();
    let may_break = move |at: usize| {
        let beside = |at: usize| bytes.get(at).copied().unwrap_or(b' ');
        let is_in_command = || {
            let before = bytes.get(..at).unwrap_or_default();
            let word = before.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
            word.starts_with(b"[%") && !word.ends_with(b"]")
        };
        bytes.get(at) == Some(&b' ')
            && !beside(at.wrapping_sub(1)).is_ascii_whitespace()
            && !beside(at + 1).is_ascii_whitespace()
            && !matches!(beside(at + 1), b'[' | b'%' | b';')
            && !is_in_command()
    };
    let mut begin = 0;
    std::iter::from_fn(move || {
        let rest = comment.get(begin..).filter(|rest| !rest.is_empty())?;
        let length = (begin..comment.len()).find(|&at| may_break(at)).unwrap_or(comment.len());
        begin = length + 1;
        rest.get(..length - (comment.len() - rest.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Games;

    fn rewritten(text: &str) -> String {
        let game = Games::new(text.as_bytes()).next().unwrap().unwrap().to_string();
        game.split_once("\n\n").unwrap().1.replace('\n', " ").trim_end().to_owned()
    }

    #[test]
    fn numbers_stand_where_a_reader_needs_them() {
        let text = "1. e4 $1 {king's pawn} 1... e5 2. Nf3 Nc6 (2... d6 3. d4) (2... Nf6) 3. Bb5 *";
        assert_eq!(rewritten(text), text);
        let fen = "[FEN \"4k3/8/8/8/8/8/8/R3K3 b - - 3 40\"]";
        assert_eq!(rewritten(&format!("{fen} Kd7 Ra7+ *")), "40... Kd7 41. Ra7+ *");
    }

    #[test]
    fn a_brace_in_a_comment_does_not_end_it() {
        let text = "1. e4 ;what } a brace\n e5 *";
        assert_eq!(rewritten(text), "1. e4 ;what } a brace 1... e5 *");
    }

    #[test]
    fn lines_have_at_most_79_columns() {
        let comment = "one two three ".repeat(30);
        let text = format!("1. e4 {{{comment}}} e5 (1... c5 {{{comment}}}) 2. Nf3 *");
        let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
        assert!(game.to_string().lines().all(|line| line.len() <= COLUMNS));
    }

    #[test]
    fn the_words_of_a_comment_break_at_single_spaces_only() {
        let words: Vec<&str> = breakable_words("a b  c [%clk 1] %x é").collect();
        assert_eq!(words, ["a", "b  c [%clk 1] %x", "é"]);
    }

    #[test]
    fn chess960_is_named_where_castling_needs_it() {
        let mut game = Game::new(Position::chess960(0));
        assert!(game.to_string().contains("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"bb"));
        game = Game::default();
        assert!(!game.to_string().contains("Variant") && !game.to_string().contains("FEN"));
    }
}
