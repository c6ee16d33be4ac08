//! The bytes of files and pipes with games, until they end or the user presses Ctrl-C.

use crate::failure::Failure;
use crate::interrupt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// Longest wait for a pipe before it is asked again whether to go on.
const WAIT: Duration = Duration::from_millis(50);
/// Bytes that are taken from a pipe at once.
const PIECE: usize = 64 << 10;
/// Pieces that may wait to be read.
const PIECES: usize = 16;

/// Where games come from. After Ctrl-C it is at its end.
pub enum Input {
    /// A plain file, which never makes us wait.
    File(File),
    /// A pipe, the standard input, or something like them, read by a thread of its own: nothing else
    /// could be heard while it makes us wait.
    Pipe(Piped),
}

/// What a thread reads from a pipe.
pub struct Piped {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    taken: usize,
}

impl Input {
    /// Opens a file or a pipe; `-` is the standard input.
    pub fn open(path: &Path) -> Result<Input, Failure> {
        let cannot =
            |error: io::Error| Failure::Work(format!("cannot read {}: {error}", path.display()));
        if path.as_os_str() == super::STDIN {
            return Piped::start(|| Ok(io::stdin())).map(Input::Pipe).map_err(cannot);
        }
        if super::is_pipe(path) {
            let path: PathBuf = path.to_owned();
            return Piped::start(move || File::open(path)).map(Input::Pipe).map_err(cannot);
        }
        files::open(path).map(Input::File).map_err(cannot)
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            _ if interrupt::requested() => Ok(0),
            Input::File(file) => file.read(buffer),
            Input::Pipe(pipe) => pipe.read(buffer),
        }
    }
}

impl Piped {
    fn start<R: Read>(open: impl FnOnce() -> io::Result<R> + Send + 'static) -> io::Result<Piped> {
        let (sender, pieces) = sync_channel(PIECES);
        let read = move || {
            let mut input = match open() {
                Ok(input) => input,
                Err(error) => return drop(sender.send(Err(error))),
            };
            let mut buffer = vec![0; PIECE];
            loop {
                let piece = match input.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(count) => Ok(buffer[..count].to_vec()),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                if piece.is_err() | sender.send(piece).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("pipe".to_owned()).spawn(read)?;
        Ok(Piped { pieces, piece: Vec::new(), taken: 0 })
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.piece.len() {
            match self.pieces.recv_timeout(WAIT) {
                Ok(piece) => (self.piece, self.taken) = (piece?, 0),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) if interrupt::requested() => return Ok(0),
                Err(RecvTimeoutError::Timeout) => (),
            }
        }
        let rest = &self.piece[self.taken..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.taken += count;
        Ok(count)
    }
}
