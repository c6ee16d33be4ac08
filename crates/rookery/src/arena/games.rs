//! The PGN file of a match, which is not ours alone: others may have written to it before, and may write
//! to it meanwhile or afterwards.
//!
//! So nothing in it is ever cut or overwritten. Games are appended, each batch in one piece, and what a
//! killed match has left half written is completed from the state, which holds the text.

use serde::{Deserialize, Serialize};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What was to be written to a PGN file, and where it begins unless another process has written meanwhile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Written {
    pub file: PathBuf,
    /// The length of the file before.
    pub bytes: u64,
    #[serde(default)]
    pub text: String,
}

/// A PGN file at whose end games are written. It is opened for each of them: meanwhile it may be moved away
/// or replaced, as editors do.
pub struct GameFile {
    pub path: PathBuf,
}

impl GameFile {
    /// A file that can be written to; made if there is none.
    pub fn open(path: &Path) -> io::Result<GameFile> {
        files::append(path)?;
        files::sync_folder(path)?;
        Ok(GameFile { path: path.to_owned() })
    }

    /// What is going to be written for a text. A game begins on a line of its own, however the one before
    /// ends.
    pub fn prepare(&self, text: &str) -> io::Result<Written> {
        let (mut bytes, mut last) = (0, [b'\n']);
        match files::open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
            Ok(mut content) => {
                bytes = content.seek(SeekFrom::End(0))?;
                if bytes > 0 && !text.is_empty() {
                    content.seek(SeekFrom::End(-1))?;
                    content.read_exact(&mut last)?;
                }
            }
        }
        let lead = if last == *b"\n" { "" } else { "\n\n" };
        Ok(Written { file: self.path.clone(), bytes, text: format!("{lead}{text}") })
    }

    /// Writes to the end, durably.
    pub fn append(&self, text: &[u8]) -> io::Result<()> {
        let mut file = files::append(&self.path)?;
        file.write_all(text)?;
        file.sync_data()
    }
}

/// Sees to it that what was to be written stands in its file; answers what the user should know.
pub fn complete(written: &Written) -> io::Result<Option<String>> {
    let Written { file: path, bytes, text } = written;
    let name = path.display();
    let mut notice = None;
    let tail = match files::open(path) {
        Ok(mut file) => {
            let length = file.metadata()?.len();
            // In a file that is not the one we left, our games may be anywhere.
            if length < *bytes {
                notice = Some(format!("{name} is shorter than this match has left it"));
            } else {
                file.seek(SeekFrom::Start(*bytes))?;
            }
            let mut tail = Vec::new();
            file.read_to_end(&mut tail)?;
            tail
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            notice = Some(format!("{name} is gone: the games so far are not in it"));
            Vec::new()
        }
        Err(error) => return Err(error),
    };
    match missing(text.as_bytes(), &tail) {
        [] => {}
        rest if rest.len() < text.len() => GameFile::open(path)?.append(rest)?,
        _ => {
            let file = GameFile::open(path)?;
            let whole = file.prepare(text.trim_start())?;
            file.append(whole.text.as_bytes())?;
        }
    }
    Ok(notice)
}

/// What of a text has to be written behind a file's end for the file to hold it.
fn missing<'a>(text: &'a [u8], tail: &[u8]) -> &'a [u8] {
    let is_there = |window: &[u8]| window == text;
    if text.is_empty() || tail.starts_with(text) || tail.windows(text.len()).any(is_there) {
        return &[];
    }
    let most = tail.len().min(text.len());
    let begun = (1..=most).rev().find(|&length| tail.ends_with(&text[..length]));
    &text[begun.unwrap_or(0)..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use std::fs;

    const BEFORE: &str = "[Event \"mine\"]\n\n1. e4 *\n\n";
    const GAME: &str = "[Event \"ours\"]\n\n1. d4 ½ *\n\n";
    const OTHER: &str = "[Event \"another's\"]\n\n1. c4 *\n\n";

    /// What becomes of a file when a match goes on that was to write [`GAME`] behind [`BEFORE`], and
    /// whether the user is told something.
    fn completed(test: &str, content: &[u8]) -> (String, bool) {
        let scratch = Scratch::new(test);
        let file = &scratch.write("games.pgn", content);
        let bytes = BEFORE.len() as u64;
        let written = Written { file: file.clone(), bytes, text: GAME.to_owned() };
        let notice = complete(&written).expect("the file can be read and written");
        (fs::read_to_string(file).expect("text"), notice.is_some())
    }

    #[test]
    fn a_write_that_was_cut_off_anywhere_is_completed() {
        for length in 0..=GAME.len() {
            let content = [BEFORE.as_bytes(), &GAME.as_bytes()[..length]].concat();
            let expected = (format!("{BEFORE}{GAME}"), false);
            assert_eq!(completed("cut-off", &content), expected, "{length}");
        }
    }

    #[test]
    fn what_others_wrote_stays() {
        let completed = |content: &str| completed("others", content.as_bytes());
        let whole = format!("{BEFORE}{GAME}{OTHER}");
        assert_eq!(completed(&whole), (whole, false));
        let behind = format!("{BEFORE}{OTHER}{GAME}");
        assert_eq!(completed(&behind), (behind.clone(), false));
        assert_eq!(completed(&format!("{BEFORE}{OTHER}")), (behind, false));
        // Half of ours with another game behind it: ours comes whole at the end.
        let half = format!("{BEFORE}{}\n\n{OTHER}", &GAME[..9]);
        assert_eq!(completed(&half), (format!("{half}{GAME}"), false));
        let open = format!("{BEFORE}{OTHER}1. e4");
        assert_eq!(completed(&open), (format!("{open}\n\n{GAME}"), false));
    }

    #[test]
    fn a_file_that_was_changed_or_is_gone_is_told() {
        let completed = |content: &str| completed("changed", content.as_bytes());
        assert_eq!(completed("x\n"), (format!("x\n{GAME}"), true));
        // The games before ours were taken away.
        let short = &GAME[..BEFORE.len() - 1];
        assert_eq!(completed(short), (GAME.to_owned(), true));
        let scratch = Scratch::new("gone");
        let file = &scratch.file("games.pgn");
        let written = Written { file: file.clone(), bytes: 9, text: GAME.to_owned() };
        let notice = complete(&written).expect("it can be made again").expect("a notice");
        assert!(notice.ends_with("is gone: the games so far are not in it"), "{notice}");
        assert_eq!(fs::read_to_string(file).expect("text"), GAME);
    }

    #[test]
    fn a_game_begins_on_a_line_of_its_own() {
        let scratch = Scratch::new("lines");
        for (before, lead) in [("", ""), ("x\n", ""), ("x", "\n\n")] {
            let path = &scratch.write("games.pgn", before);
            let file = GameFile::open(path).expect("a file");
            let written = file.prepare(GAME).expect("it can be read");
            assert_eq!(written.bytes, before.len() as u64);
            file.append(written.text.as_bytes()).expect("it can be written");
            let text = fs::read_to_string(path).expect("text");
            assert_eq!(text, format!("{before}{lead}{GAME}"));
        }
    }
}
