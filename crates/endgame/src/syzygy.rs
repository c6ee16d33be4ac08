//! Syzygy tables, by the crate that reads them.

mod probed;

use board::{Move, Position};
use probed::Probed;
use shakmaty_syzygy::Tablebase;
use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Between the folders of a list.
const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// Syzygy tables of one or more folders.
pub struct Syzygy {
    tables: Tablebase<Probed>,
    faults: Vec<String>,
}

/// What a Syzygy table says, for the side to move: the fifty-move rule may save the loser.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, but the fifty-move rule may save it.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but the fifty-move rule may save the other side.
    CursedWin,
    /// Won.
    Win,
}

impl Wdl {
    /// −1, 0 or 1; with the fifty-move rule the wins that it spoils are draws.
    pub const fn sign(self, fifty_moves: bool) -> i32 {
        match self {
            Wdl::Loss => -1,
            Wdl::BlessedLoss if !fifty_moves => -1,
            Wdl::CursedWin if !fifty_moves => 1,
            Wdl::Win => 1,
            _ => 0,
        }
    }

    /// In words.
    pub const fn word(self) -> &'static str {
        match self {
            Wdl::Loss => "loss",
            Wdl::BlessedLoss => "blessed loss",
            Wdl::Draw => "draw",
            Wdl::CursedWin => "cursed win",
            Wdl::Win => "win",
        }
    }

    /// The same for the other side.
    pub const fn turned(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::BlessedLoss => Wdl::CursedWin,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin => Wdl::BlessedLoss,
            Wdl::Win => Wdl::Loss,
        }
    }
}

impl Syzygy {
    /// The tables of a list of folders, separated as in PATH. Folders and files that cannot
    /// be used are named in [`Syzygy::faults`].
    pub fn open(folders: &str) -> Syzygy {
        let folders = folders.split(SEPARATOR).filter(|folder| !folder.is_empty());
        let folders: Vec<PathBuf> = folders.map(PathBuf::from).collect();
        let tables = Tablebase::with_filesystem(Arc::new(PlainFiles));
        let mut syzygy = Syzygy { tables, faults: Vec::new() };
        folders.iter().for_each(|folder| syzygy.add(folder));
        syzygy
    }

    fn add(&mut self, folder: &Path) {
        let mut fault =
            |path: &Path, error| self.faults.push(format!("{}: {error}", path.display()));
        let paths = match PlainFiles.read_dir(folder) {
            Ok(paths) => paths,
            Err(error) => return fault(folder, error),
        };
        // One by one: the library gives a folder up at the first file that is damaged.
        for path in paths.iter().filter(|path| is_table_name(path)) {
            match files::require_plain(path).map(|()| self.tables.add_file(path)) {
                Ok(Ok(())) => (),
                // It is only called as if it were one.
                Ok(Err(error)) if error.kind() == io::ErrorKind::InvalidInput => (),
                Ok(Err(error)) | Err(error) => fault(path, error),
            }
        }
    }

    /// What could not be read.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// The most men of any table; 0 if there is none.
    pub fn most_men(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// What the tables say if the clock of the fifty-move rule has just been set back; none where a
    /// table is missing or damaged.
    pub fn probe(&self, position: &Position) -> Option<Wdl> {
        Some(match self.tables.probe_wdl_after_zeroing(&Probed::new(position)?).ok()? {
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
        })
    }

    /// Every legal move with its value for the side that moves, the best first; none where one of them
    /// is not known.
    pub fn evaluate_moves(&self, position: &Position) -> Option<Vec<(Move, Wdl)>> {
        let mut evaluated = Vec::new();
        for mv in &position.legal_moves() {
            let after = position.make(mv);
            let value = match after.legal_moves().is_empty() {
                true if after.in_check() => Wdl::Win,
                true => Wdl::Draw,
                false => self.probe(&after)?.turned(),
            };
            evaluated.push((mv, value));
        }
        evaluated.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        Some(evaluated)
    }

    /// Half-moves to the next capture or pawn move on the way to the win (positive) or loss (negative);
    /// 0 for draws.
    pub fn distance(&self, position: &Position) -> Option<i32> {
        let distance = self.tables.probe_dtz(&Probed::new(position)?).ok()?;
        Some(i32::from(distance.ignore_rounding()))
    }
}

/// Whether a file is called as tables are, such as `KQvK.rtbw`.
fn is_table_name(path: &Path) -> bool {
    let ending = path.file_stem().and_then(OsStr::to_str).is_some_and(|stem| {
        stem.starts_with('K') && stem.chars().all(|letter| "KQRBNPv".contains(letter))
    });
    ending && path.extension().is_some_and(|extension| extension == "rtbw" || extension == "rtbz")
}

/// The files of the system, where a pipe or a device is an error and not waited for. Tables are opened
/// when they are first asked, in the middle of a search.
struct PlainFiles;

struct PlainFile(File);

impl Filesystem for PlainFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        files::require_plain(path)?;
        Ok(fs::metadata(path)?.len())
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
        let mut paths = entries.collect::<io::Result<Vec<PathBuf>>>()?;
        paths.sort();
        Ok(paths)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        Ok(Box::new(PlainFile(files::open(path)?)))
    }
}

impl RandomAccessFile for PlainFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _hint: ReadHint) -> io::Result<usize> {
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_at(&self.0, buffer, offset);
        #[cfg(windows)]
        return std::os::windows::fs::FileExt::seek_read(&self.0, buffer, offset);
    }
}
