//! What commands read from beginning to end: files, pipes and the standard input, packed or not.
//!
//! A device such as `/dev/zero` never ends and is refused. A pipe may be waited for: it was named
//! on purpose. So this is done before a command listens to Ctrl-C ([`crate::interrupt`]), or with an
//! [`Input`], which hears it.

mod games;
mod unpack;

use crate::failure::Failure;
use crate::plain;
use board::fen::Repair;
use board::pgn::PgnError;
use endgame::Metric;
use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

pub use games::Input;
pub use unpack::{Stream, unpack};

/// The word for the standard input.
pub const STDIN: &str = "-";
/// After this number of bad lines or games, and none that was good, a file is of another kind.
pub const MOST_BAD: usize = 5;

/// How many bytes a reader gets at once, and so the error of the place that the progress bar shows.
const PORTION: usize = 4 << 10;
/// The longest text that is read into memory. A million positions take less.
const LONGEST_TEXT: u64 = 256 << 20;

/// What an input is called in messages.
pub fn name(path: &Path) -> String {
    match path.as_os_str() == STDIN {
        true => "the standard input".to_owned(),
        false => path.display().to_string(),
    }
}

/// That an input cannot be read, or not to its end: `games.pgn.zst is cut off`.
pub fn unreadable(name: &str, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::UnexpectedEof => format!("{name} is cut off"),
        _ => format!("cannot read {name}: {error}"),
    }
}

/// The same where nothing comes of it: the output was to hold all of the input.
pub fn in_vain(source: &Path, error: &io::Error, output: &Path) -> Failure {
    let reason = unreadable(&name(source), error);
    Failure::Work(format!("{reason}; {} was not written", output.display()))
}

/// Opens a plain file, a pipe, or the standard input for `-`.
pub fn open(path: &Path) -> io::Result<Stream> {
    match path {
        path if path.as_os_str() == STDIN => Ok(Box::new(io::stdin())),
        path if is_pipe(path) => Ok(Box::new(File::open(path)?)),
        path => Ok(Box::new(files::open(path)?)),
    }
}

/// The same for reading line by line, unpacked.
pub fn lines(path: &Path) -> io::Result<BufReader<Stream>> {
    Ok(BufReader::new(unpack(open(path)?)?))
}

/// The whole text, unpacked.
pub fn text(path: &Path) -> io::Result<String> {
    read_text(unpack(open(path)?)?)
}

/// The whole text of a plain file, which is never waited for.
pub fn plain_text(path: &Path) -> io::Result<String> {
    read_text(files::open(path)?)
}

fn read_text(input: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    input.take(LONGEST_TEXT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_TEXT {
        let reason = format!("it is longer than {} MB", LONGEST_TEXT >> 20);
        return Err(io::Error::new(ErrorKind::FileTooLarge, reason));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not text"))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// An output in the place of an input would be the end of it: an error that names the option.
pub fn refuse_output(
    option: &str,
    output: &Path,
    inputs: impl IntoIterator<Item = impl AsRef<Path>>,
) -> Result<(), Failure> {
    match files::is_read(output, inputs) {
        true => Err(Failure::Usage(format!("{option}: {} is what is read", output.display()))),
        false => Ok(()),
    }
}

/// The same for the endgame tables in folders, our own and Syzygy's.
pub fn refuse_output_over_tables(
    option: &str,
    output: &Path,
    own: Option<&Path>,
    syzygy: Option<&str>,
) -> Result<(), Failure> {
    let syzygy = syzygy.into_iter().flat_map(std::env::split_paths);
    let folders = own.map(Path::to_owned).into_iter().chain(syzygy);
    let entries = folders.filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let is_table = |path: &PathBuf| {
        let names = Metric::ALL.map(Metric::name).into_iter().chain(["rtbw", "rtbz"]);
        path.extension().is_some_and(|end| names.into_iter().any(|name| end == name))
    };
    refuse_output(option, output, entries.map(|entry| entry.path()).filter(is_table))
}

/// Whether a name belongs to a pipe.
pub fn is_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Why a file is given up of which nothing is good: what it should hold, and the first reason.
pub fn wrong_kind(name: &str, should_hold: &str, first: &str) -> String {
    format!("{name} does not look like {should_hold}: {first}")
}

/// Says what was repaired in a position; where stderr is closed, nothing is lost but the remark.
pub fn tell_repairs(place: &str, repairs: &[Repair]) {
    for repair in repairs {
        plain::say(format_args!("{place}: {repair}"));
    }
}

/// A broken game in words: `games.pgn, game 3, line 41, "Ke3": no man can make this move`.
pub fn broken_game(name: &str, error: &PgnError) -> String {
    let place = error.to_string();
    format!("{name}, {}", place.strip_prefix("PGN, ").unwrap_or(&place))
}

/// How many bytes have been read, packed ones where the input is packed.
#[derive(Clone, Default)]
pub struct Place(Arc<AtomicU64>);

impl Place {
    /// The bytes that have been read.
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }

    /// The same input, counted here and read in small portions.
    pub fn count(&self, input: impl Read + Send + 'static) -> Stream {
        Box::new(Metered { input, place: self.clone() })
    }
}

struct Metered<R> {
    input: R,
    place: Place,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let portion = buffer.len().min(PORTION);
        let count = self.input.read(buffer.get_mut(..portion).unwrap_or_default())?;
        self.place.0.fetch_add(count as u64, Relaxed);
        Ok(count)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn devices_folders_and_what_is_not_text_are_refused() {
        for name in ["/dev/zero", "/dev/null"] {
            for error in [open(Path::new(name)).err(), plain_text(Path::new(name)).err()] {
                let error = error.map(|error| error.to_string());
                assert_eq!(error.as_deref(), Some("it is a device, not a plain file"), "{name}");
            }
        }
        assert!(text(Path::new("/")).is_err());
        for text in ["text", "\u{feff}text"] {
            assert_eq!(read_text(text.as_bytes()).ok().as_deref(), Some("text"));
        }
        assert!(
            read_text(&b"\xff\xfe"[..]).is_err_and(|error| error.to_string() == "it is not text")
        );
    }
}
