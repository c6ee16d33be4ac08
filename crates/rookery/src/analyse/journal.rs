//! The journal beside an output: how far it is, so that a killed run can go on.
//!
//! A text file. The first line names the form, the second the settings that the output depends on, each
//! further one is a mark: that many tasks of the input, with this digest, are the first bytes of the
//! output, with that digest. A mark is written only after what it speaks of, and ends with a checksum: a
//! line that was cut off or damaged is not believed, and the mark before it counts. So it is with a mark
//! whose digest the output does not have.

use files::Digest;
use std::fmt::Write;
use std::io::{self, Read};

/// The form of the file.
const FORM: &str = "rookery analyse journal 2";

/// How much of an output is read at once.
const PORTION: usize = 64 << 10;

/// How far an output is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// Tasks of the input that are done, broken ones among them.
    pub tasks: u64,
    /// What [`Source::passed`](super::source::Source::passed) said behind them.
    pub digest: u64,
    /// Bytes of the output.
    pub bytes: u64,
    /// The digest of these bytes.
    pub written: Digest,
}

/// What a journal says.
#[derive(PartialEq, Eq, Debug)]
pub struct Content {
    /// The settings.
    pub settings: String,
    /// The marks, each with the length of the journal up to its end.
    marks: Vec<(Mark, u64)>,
    /// The length of the first two lines.
    head: u64,
}

/// The beginning of a journal.
pub fn head(settings: &str) -> String {
    format!("{FORM}\n{settings}\n")
}

impl Mark {
    /// Before anything is written.
    pub const NOTHING: Mark = Mark { tasks: 0, digest: 0, bytes: 0, written: Digest::EMPTY };

    /// Its line.
    pub fn line(&self) -> String {
        let Mark { tasks, digest, bytes, written } = self;
        let mut line = format!("{tasks} {digest:016x} {bytes} {:016x}", written.0);
        let sum = Digest::of(line.as_bytes()).folded();
        let _ = writeln!(line, " {sum:08x}");
        line
    }

    fn read(line: &str) -> Option<Mark> {
        let (content, sum) = line.rsplit_once(' ')?;
        let mut words = content.split(' ');
        let tasks = words.next()?.parse().ok()?;
        let digest = u64::from_str_radix(words.next()?, 16).ok()?;
        let bytes = words.next()?.parse().ok()?;
        let written = Digest(u64::from_str_radix(words.next()?, 16).ok()?);
        let sum_of_content = Digest::of(content.as_bytes()).folded();
        let is_right = u32::from_str_radix(sum, 16).ok()? == sum_of_content;
        is_right.then_some(Mark { tasks, digest, bytes, written })
    }
}

impl Content {
    /// Reads a journal. An empty one, or one whose first lines were cut off, says nothing: `None`. An
    /// error if it is no journal.
    pub fn read(text: &[u8]) -> Result<Option<Content>, String> {
        let text = String::from_utf8_lossy(text);
        let mut lines = text.split_inclusive('\n');
        let form = lines.next().unwrap_or("");
        if form.strip_suffix('\n').is_none() && FORM.starts_with(form) {
            return Ok(None);
        }
        if form.strip_suffix('\n') != Some(FORM) {
            return Err(format!("it does not begin with {FORM:?}"));
        }
        let Some(settings) = lines.next().and_then(|line| line.strip_suffix('\n')) else {
            return Ok(None);
        };
        let head = (form.len() + settings.len() + 1) as u64;
        let mut length = head;
        let marks = lines.map_while(|line| {
            length += line.len() as u64;
            Some((Mark::read(line.strip_suffix('\n')?)?, length))
        });
        let marks = marks.collect();
        Ok(Some(Content { settings: settings.to_owned(), marks, head }))
    }

    /// Compares an output with the marks, from its beginning on.
    pub fn compare(&self, output: &mut impl Read) -> io::Result<Comparison> {
        let (mut digest, mut bytes, mut portion) = (Digest::default(), 0, vec![0; PORTION]);
        let mut found = (Mark::NOTHING, self.head);
        for &(mark, length) in &self.marks {
            while bytes < mark.bytes {
                let wanted = (mark.bytes - bytes).min(PORTION as u64) as usize;
                let part = portion.get_mut(..wanted).unwrap_or_default();
                match output.read(part) {
                    // What was written after the last mark that it reaches may have been lost.
                    Ok(0) => return Ok(Comparison { last: found, is_damaged: false }),
                    Ok(count) => {
                        digest.add(part.get(..count).unwrap_or_default());
                        bytes += count as u64;
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
                    Err(error) => return Err(error),
                }
            }
            if (bytes, digest) != (mark.bytes, mark.written) {
                return Ok(Comparison { last: found, is_damaged: true });
            }
            found = (mark, length);
        }
        Ok(Comparison { last: found, is_damaged: false })
    }
}

/// What came of comparing an output with its journal.
#[derive(PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The last mark up to which all is as it was written, and the length of the journal up to it.
    pub last: (Mark, u64),
    /// The output is longer, but what follows is not what was written.
    pub is_damaged: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &[u8] = b"the first game, and the second one";
    const LENGTHS: [usize; 2] = [15, 34];

    fn marks() -> [Mark; 2] {
        let mark = |tasks, digest, bytes: usize| Mark {
            tasks,
            digest,
            bytes: bytes as u64,
            written: Digest::of(&OUTPUT[..bytes]),
        };
        [mark(3, 0x1234_5678_9abc_def0, LENGTHS[0]), mark(9, u64::MAX, LENGTHS[1])]
    }

    fn journal() -> String {
        head("nodes 5") + &marks()[0].line() + &marks()[1].line()
    }

    fn compare(journal: &str, mut output: &[u8]) -> Comparison {
        let content = Content::read(journal.as_bytes()).expect("a journal").expect("a whole one");
        content.compare(&mut output).expect("memory is always readable")
    }

    #[test]
    fn the_last_mark_counts_that_the_output_reaches() {
        let (text, marks) = (journal(), marks());
        let lengths = [head("nodes 5").len(), text.len() - marks[1].line().len(), text.len()]
            .map(|x| x as u64);
        let longer = [OUTPUT, b" and a third"].concat();
        for (output, last) in [
            (&longer[..], (marks[1], lengths[2])),
            (OUTPUT, (marks[1], lengths[2])),
            (&OUTPUT[..33], (marks[0], lengths[1])),
            (&OUTPUT[..14], (Mark::NOTHING, lengths[0])),
        ] {
            assert_eq!(compare(&text, output), Comparison { last, is_damaged: false });
        }
    }

    #[test]
    fn a_changed_bit_of_the_output_is_noticed() {
        for place in 0..OUTPUT.len() {
            let mut changed = OUTPUT.to_vec();
            changed[place] ^= 1 << (place % 8);
            let found = compare(&journal(), &changed);
            let good = if place < LENGTHS[0] { Mark::NOTHING } else { marks()[0] };
            assert!(found.is_damaged && found.last.0 == good, "{place}: {found:?}");
        }
    }

    #[test]
    fn a_journal_that_was_cut_off_anywhere_is_believed_as_far_as_it_goes() {
        let text = journal();
        let head_length = head("nodes 5").len();
        for length in 0..=text.len() {
            let content = Content::read(&text.as_bytes()[..length]).expect("no error");
            assert_eq!(content.is_some(), length >= head_length, "{length}");
            let Some(content) = content else { continue };
            assert_eq!(content.settings, "nodes 5");
            let (mark, end) = content.compare(&mut &OUTPUT[..]).expect("memory").last;
            let whole = text[head_length..length].matches('\n').count();
            let expected = whole.checked_sub(1).map_or(Mark::NOTHING, |last| marks()[last]);
            assert_eq!(mark, expected);
            assert!(end as usize <= length && text[..end as usize].ends_with('\n'));
        }
    }

    #[test]
    fn damage_is_not_believed() {
        let damaged = journal().replace(" 34 ", " 33 ");
        assert_eq!(compare(&damaged, OUTPUT).last.0, marks()[0]);
        assert!(Content::read(b"[Event \"a game\"]\n").is_err());
    }
}
