//! The journal beside an output: how far it is, so that a killed run can go on.
//!
//! A text file. The first line names the form, the second the settings that the output depends on, each
//! further one is a mark: so many tasks of the input, with this digest, are the first so many bytes of
//! the output. A mark is written only after what it speaks of, and ends with a checksum: a line that was
//! cut off or damaged is not believed, and the mark before it counts.

use board::hash::checksum;
use std::fmt::Write;

/// The form of the file.
const FORM: &str = "rookery analyse journal 1";

/// How far an output is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Mark {
    /// Tasks of the input that are done, broken ones among them.
    pub tasks: u64,
    /// What [`Source::passed`](super::source::Source::passed) said behind them.
    pub digest: u64,
    /// Bytes of the output.
    pub bytes: u64,
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
    /// Its line.
    pub fn line(&self) -> String {
        let Mark { tasks, digest, bytes } = self;
        let mut line = format!("{tasks} {digest:016x} {bytes}");
        let sum = checksum(line.as_bytes());
        let _ = writeln!(line, " {sum:08x}");
        line
    }

    fn read(line: &str) -> Option<Mark> {
        let (content, sum) = line.rsplit_once(' ')?;
        let mut words = content.split(' ');
        let tasks = words.next()?.parse().ok()?;
        let digest = u64::from_str_radix(words.next()?, 16).ok()?;
        let bytes = words.next()?.parse().ok()?;
        let is_right = u32::from_str_radix(sum, 16).ok()? == checksum(content.as_bytes());
        is_right.then_some(Mark { tasks, digest, bytes })
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

    /// The last mark that an output of so many bytes reaches, and the length of the journal up to it.
    pub fn last(&self, bytes: u64) -> (Mark, u64) {
        let reached = self.marks.iter().rev().find(|(mark, _)| mark.bytes <= bytes);
        reached.copied().unwrap_or((Mark::default(), self.head))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKS: [Mark; 2] = [
        Mark { tasks: 3, digest: 0x1234_5678_9abc_def0, bytes: 100 },
        Mark { tasks: 9, digest: u64::MAX, bytes: 400 },
    ];

    fn journal() -> String {
        head("nodes 5") + &MARKS[0].line() + &MARKS[1].line()
    }

    #[test]
    fn the_last_mark_counts_that_the_output_reaches() {
        let text = journal();
        let content = Content::read(text.as_bytes()).expect("a journal").expect("a whole one");
        assert_eq!(content.settings, "nodes 5");
        assert_eq!(content.last(1000), (MARKS[1], text.len() as u64));
        assert_eq!(content.last(399), (MARKS[0], (text.len() - MARKS[1].line().len()) as u64));
        assert_eq!(content.last(99), (Mark::default(), head("nodes 5").len() as u64));
    }

    #[test]
    fn a_journal_that_was_cut_off_anywhere_is_believed_as_far_as_it_goes() {
        let text = journal();
        let head_length = head("nodes 5").len();
        for length in 0..=text.len() {
            let content = Content::read(&text.as_bytes()[..length]).expect("no error");
            assert_eq!(content.is_some(), length >= head_length, "{length}");
            let Some(content) = content else { continue };
            let (mark, end) = content.last(u64::MAX);
            let whole = text[head_length..length].matches('\n').count();
            let expected = whole.checked_sub(1).map_or(Mark::default(), |last| MARKS[last]);
            assert_eq!(mark, expected);
            assert!(end as usize <= length && text[..end as usize].ends_with('\n'));
        }
    }

    #[test]
    fn damage_is_not_believed() {
        let damaged = journal().replace("400", "500");
        let content = Content::read(damaged.as_bytes()).expect("a journal").expect("a whole one");
        assert_eq!(content.last(u64::MAX).0, MARKS[0]);
        assert!(Content::read(b"[Event \"a game\"]\n").is_err());
    }
}
