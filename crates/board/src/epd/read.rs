//! Reading records, and forgiving what test suites do.
//!
//! Beyond the standard it takes: six FEN fields before the operations, a missing semicolon at the end
//! or between the moves of one operation and the opcode of the next, empty operations, more or
//! less white space, control characters after the end, strings without quotation marks, moves in
//! coordinates or with commas between them, and check marks that stand apart from their move.

use super::opcode::{self, Kind};
use super::{Epd, EpdError, Operand, Value};
use crate::fen::{FenError, Repair, quote};
use crate::{Move, Position, SanError, Square};

impl Epd {
    /// Reads one record.
    ///
    /// ```
    /// use board::Epd;
    /// let error = Epd::parse("4k3/8/8/8/8/8/8/4K3 w - - bm Ke3;").unwrap_err();
    /// assert_eq!(error.to_string(), "EPD, column 30, bm: \"Ke3\": no man can make this move");
    /// ```
    pub fn parse(line: &str) -> Result<Epd, EpdError> {
        Epd::parse_begun(Epd::begin(line, Position::from_epd_prefix)?)
    }

    /// Reads one record whose position may need repairs, as [`Position::from_fen_repaired`] makes them.
    ///
    /// ```
    /// use board::Epd;
    /// let (epd, repairs) = Epd::parse_repaired("4k3/8/8/8/8/8/8/4K3 w K - bm Kd2;").unwrap();
    /// assert_eq!((epd.best_moves().len(), repairs.len()), (1, 1));
    /// ```
    pub fn parse_repaired(line: &str) -> Result<(Epd, Vec<Repair>), EpdError> {
        let mut repairs = Vec::new();
        let epd = Epd::parse_begun(Epd::begin(line, |text| repair_into(&mut repairs, text))?)?;
        Ok((epd, repairs))
    }

    fn parse_begun((mut epd, mut scanner): (Epd, Scanner<'_>)) -> Result<Epd, EpdError> {
        while let Some(word) = scanner.opcode() {
            epd.read_operation(&mut scanner, &word)?;
        }
        Ok(epd)
    }

    /// The position of a record and its operations as they stand, of which nothing but the quotation
    /// marks is understood: for callers that need a few opcodes of records whose others may be anything. An
    /// opcode may stand several times. What follows a quotation mark that is not closed is one operand.
    ///
    /// ```
    /// use board::Epd;
    /// let (_, operations) = Epd::scan("4k3/8/8/8/8/8/8/4K3 w - - bm #3; pv x9;").unwrap();
    /// assert_eq!((operations[0].0, operations[0].1[0].text()), ("bm", "#3"));
    /// ```
    pub fn scan(line: &str) -> Result<Scanned<'_>, EpdError> {
        Ok(Epd::scan_begun(Epd::begin(line, Position::from_epd_prefix)?))
    }

    /// The same for a record whose position may need repairs.
    pub fn scan_repaired(line: &str) -> Result<(Scanned<'_>, Vec<Repair>), EpdError> {
        let mut repairs = Vec::new();
        let scanned = Epd::scan_begun(Epd::begin(line, |text| repair_into(&mut repairs, text))?);
        Ok((scanned, repairs))
    }

    fn scan_begun<'a>((epd, mut scanner): (Epd, Scanner<'a>)) -> Scanned<'a> {
        let mut operations = Vec::new();
        while let Some(word) = scanner.opcode() {
            let kind = Kind::of(word.text);
            let operands = scanner.operands(kind).unwrap_or_else(|open| {
                scanner.at = scanner.line.len();
                vec![Word { text: open.text.trim_start_matches('"'), ..open }]
            });
            let operands = operands.iter().map(|word| word.operand(word.quoted)).collect();
            operations.push((word.text, operands));
        }
        (epd.position, operations)
    }

    /// The position, with the fifth and sixth field of a FEN where they stand; and what reads on.
    fn begin(
        line: &str,
        read: impl FnOnce(&str) -> Result<(Position, usize), FenError>,
    ) -> Result<(Epd, Scanner<'_>), EpdError> {
        let line = line.trim_end_matches(|letter: char| letter.is_control() || letter == ' ');
        let (position, at) = read(line).map_err(|error| EpdError {
            column: None,
            opcode: None,
            reason: error.to_string(),
        })?;
        let (mut epd, mut scanner) = (Epd::new(position), Scanner { line, at, pending: None });
        for clock in [opcode::HALFMOVE_CLOCK, opcode::FULLMOVE_NUMBER] {
            let Some(word) = scanner.opcode() else { break };
            if !word.text.starts_with(|letter: char| letter.is_ascii_digit()) {
                scanner.pending = Some(word);
                break;
            }
            epd.read_clock(clock, &word).map_err(|reason| word.error(line, clock, reason))?;
        }
        Ok((epd, scanner))
    }

    fn read_clock(&mut self, clock: &str, word: &Word<'_>) -> Result<(), String> {
        // Some programs count the full moves from 0.
        let least = i64::from(clock == opcode::FULLMOVE_NUMBER);
        let number = read_number(word.text)?.max(least);
        self.store(clock, Value::Number(number))
    }

    fn read_operation(
        &mut self,
        scanner: &mut Scanner<'_>,
        name: &Word<'_>,
    ) -> Result<(), EpdError> {
        let line = scanner.line;
        opcode::check_name(name.text).map_err(|reason| EpdError {
            column: Some(name.column(line)),
            opcode: None,
            reason,
        })?;
        let kind = Kind::of(name.text);
        let operands = scanner.operands(kind).map_err(|word| {
            word.error(line, name.text, String::from("a quotation mark is not closed"))
        })?;
        if self.operations.contains_key(name.text) {
            return Err(name.error(line, name.text, String::from("the opcode stands twice")));
        }
        let fail =
            |(index, reason)| operands.get(index).unwrap_or(name).error(line, name.text, reason);
        let value = self.interpret(kind, &operands).map_err(fail)?;
        self.store(name.text, value).map_err(|reason| fail((0, reason)))
    }

    /// The value of an operation, or which operand is wrong and why.
    fn interpret(&self, kind: Kind, operands: &[Word<'_>]) -> Result<Value, (usize, String)> {
        match kind {
            Kind::Moves | Kind::OneMove | Kind::Line => {
                self.read_moves(kind, operands).map(Value::Moves)
            }
            Kind::Number(..) => match operands {
                [] => Ok(Value::Nothing),
                [one] => read_number(one.text).map(Value::Number).map_err(|reason| (0, reason)),
                [_, second, ..] => {
                    Err((1, format!("{} is one operand too many", quote(second.text))))
                }
            },
            Kind::Flag | Kind::Text | Kind::Name if operands.is_empty() => Ok(Value::Nothing),
            Kind::Text | Kind::Name => {
                let words: Vec<&str> = operands.iter().map(|word| word.text).collect();
                Ok(Value::Text(words.join(" ")))
            }
            Kind::Flag | Kind::Any | Kind::Address => {
                let address = kind == Kind::Address;
                let keep = |word: &Word<'_>| word.operand(word.quoted || address);
                Ok(Value::Operands(operands.iter().map(keep).collect()))
            }
        }
    }

    fn read_moves(&self, kind: Kind, operands: &[Word<'_>]) -> Result<Vec<Move>, (usize, String)> {
        let mut position = self.position;
        let mut moves = Vec::with_capacity(operands.len());
        for (index, word) in operands.iter().enumerate() {
            if !moves.is_empty() && word.text.bytes().all(|byte| b"+#!?".contains(&byte)) {
                continue;
            }
            let text = word.text.strip_suffix(',').unwrap_or(word.text);
            let mv = position
                .parse_san(text.as_bytes())
                .map_err(|error: SanError| (index, format!("{}: {error}", quote(word.text))))?;
            moves.push(mv);
            if kind == Kind::Line {
                position = position.make(mv);
            }
        }
        Ok(moves)
    }
}

/// Reads the position of a record and keeps what had to be repaired.
fn repair_into(repairs: &mut Vec<Repair>, text: &str) -> Result<(Position, usize), FenError> {
    let (position, found, end) = Position::from_epd_prefix_repaired(text)?;
    *repairs = found;
    Ok((position, end))
}

/// A position and operations as they stand: opcode and operands.
pub type Scanned<'a> = (Position, Vec<(&'a str, Vec<Operand>)>);

impl std::str::FromStr for Epd {
    type Err = EpdError;

    fn from_str(line: &str) -> Result<Epd, EpdError> {
        Epd::parse(line)
    }
}

fn read_number(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| format!("{} is not a whole number", quote(text)))
}

/// A word or a quoted string, and where it begins.
struct Word<'a> {
    text: &'a str,
    quoted: bool,
    begin: usize,
}

impl Word<'_> {
    /// Whether it can only be an opcode of the standard: `c4` among moves is a move.
    fn is_opcode(&self) -> bool {
        let is_square = Square::parse(self.text.as_bytes()).is_some();
        !self.quoted && !is_square && Kind::of(self.text) != Kind::Any
    }

    /// The column in characters, beginning with 1.
    fn column(&self, line: &str) -> usize {
        line.get(..self.begin).map_or(0, |before| before.chars().count()) + 1
    }

    fn operand(&self, quoted: bool) -> Operand {
        let text = self.text.to_owned();
        if quoted { Operand::Quoted(text) } else { Operand::Word(text) }
    }

    fn error(&self, line: &str, opcode: &str, reason: String) -> EpdError {
        EpdError { column: Some(self.column(line)), opcode: Some(opcode.to_owned()), reason }
    }
}

/// Cuts the line into words. It only ever stops beside ASCII characters, so every cut is between
/// characters.
struct Scanner<'a> {
    line: &'a str,
    at: usize,
    /// An opcode that was read where an operand could have been.
    pending: Option<Word<'a>>,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        self.line.get(self.at..).unwrap_or_default()
    }

    fn skip_while(&mut self, skipped: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(skipped).len();
    }

    /// The next opcode, or nothing at the end of the line.
    fn opcode(&mut self) -> Option<Word<'a>> {
        self.pending.take().or_else(|| {
            self.skip_while(|letter| letter.is_ascii_whitespace() || letter == ';');
            (!self.rest().is_empty()).then(|| self.word())
        })
    }

    /// The operands of an operation; a string without an end is an error.
    fn operands(&mut self, kind: Kind) -> Result<Vec<Word<'a>>, Word<'a>> {
        let mut operands = Vec::new();
        while let Some(word) = self.operand()? {
            if kind.has_moves() && word.is_opcode() {
                self.pending = Some(word);
                break;
            }
            operands.push(word);
        }
        Ok(operands)
    }

    /// The next operand, or nothing at the end of the operation; a string without an end is an error.
    fn operand(&mut self) -> Result<Option<Word<'a>>, Word<'a>> {
        self.skip_while(|letter| letter.is_ascii_whitespace());
        let rest = self.rest();
        if rest.is_empty() || rest.starts_with(';') {
            return Ok(None);
        }
        match rest.strip_prefix('"') {
            None => Ok(Some(self.word())),
            Some(inside) => {
                let begin = self.at;
                let Some(length) = inside.find('"') else {
                    return Err(Word { text: rest, quoted: true, begin });
                };
                self.at += length + 2;
                Ok(Some(Word { text: &inside[..length], quoted: true, begin }))
            }
        }
    }

    /// A word of at least one character; the caller has skipped white space.
    fn word(&mut self) -> Word<'a> {
        let ends = |letter: char| letter.is_ascii_whitespace() || matches!(letter, ';' | '"');
        let rest = self.rest();
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let length = rest[first..].find(ends).map_or(rest.len(), |index| index + first);
        let begin = self.at;
        self.at += length;
        Word { text: &rest[..length], quoted: false, begin }
    }
}
