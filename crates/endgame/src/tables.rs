//! The tables of one or more folders: who knows a position, and what does it say?

use crate::ending::{Ending, MOST_MEN};
use crate::file::{TableFile, block_size};
use crate::layout::{Layout, Squares};
use crate::value::{Metric, Value, cell};
use board::{Color, MoveKind, PieceKind, Position};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Blocks that are kept: at most 64 MB.
const CACHED_BLOCKS: usize = 1 << 12;

/// Tables that can be asked, from any number of threads.
pub struct Tables {
    files: HashMap<(u64, Metric), Arc<TableFile>>,
    numbers: HashMap<(u64, Metric), u64>,
    faults: Vec<String>,
    most_men: u32,
    cache: BlockCache,
}

/// Why a position has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProbeError {
    /// More men than tables have.
    TooManyMen(u32),
    /// Tables know nothing about castling.
    Castling,
    /// The table of this ending is not there.
    Missing(Ending, Metric),
    /// The file is damaged: which and where.
    Damaged(String),
}

impl std::fmt::Display for ProbeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ProbeError::TooManyMen(men) => write!(f, "{men} men: tables have at most {MOST_MEN}"),
            ProbeError::Castling => f.write_str("tables know nothing about rights to castle"),
            ProbeError::Missing(ending, metric) => {
                write!(f, "the table {ending}.{} is missing", metric.name())
            }
            ProbeError::Damaged(line) => f.write_str(line),
        }
    }
}

impl std::error::Error for ProbeError {}

impl Default for Tables {
    fn default() -> Tables {
        Tables::new()
    }
}

impl Tables {
    /// No tables.
    pub fn new() -> Tables {
        Tables {
            files: HashMap::new(),
            numbers: HashMap::new(),
            faults: Vec::new(),
            most_men: 2,
            cache: BlockCache::new(CACHED_BLOCKS),
        }
    }

    /// The tables of a folder. Files that cannot be used are named in [`Tables::faults`].
    pub fn open(dir: &Path) -> Result<Tables, String> {
        let mut tables = Tables::new();
        tables.add_folder(dir)?;
        Ok(tables)
    }

    /// Adds the tables of a folder; how many there were.
    pub fn add_folder(&mut self, dir: &Path) -> Result<usize, String> {
        let list = fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
        let mut paths: Vec<_> = list.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        let mut count = 0;
        for path in paths {
            let extension = path.extension().and_then(|extension| extension.to_str());
            if extension.is_some_and(|name| Metric::from_name(name).is_some()) {
                match TableFile::open(&path) {
                    Ok(file) => {
                        self.add(file);
                        count += 1;
                    }
                    Err(fault) => self.faults.push(fault),
                }
            }
        }
        Ok(count)
    }

    /// Adds a table; one of the same ending and metric gives way.
    pub fn add(&mut self, file: TableFile) {
        let key = (file.header.ending.material().bits(), file.header.metric);
        self.most_men = self.most_men.max(file.header.ending.men() as u32);
        self.numbers.insert(key, self.numbers.len() as u64);
        self.files.insert(key, Arc::new(file));
    }

    /// The files that could not be used, each with its reason.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// The most men of any table that is there; 2 if there is none.
    pub fn most_men(&self) -> u32 {
        self.most_men
    }

    /// The files, by ending and metric.
    pub fn files(&self) -> Vec<&TableFile> {
        let mut files: Vec<&TableFile> = self.files.values().map(Arc::as_ref).collect();
        files.sort_by_key(|file| {
            let ending = &file.header.ending;
            (ending.men(), ending.pawns(), ending.to_string(), file.header.metric)
        });
        files
    }

    /// The file of an ending.
    pub fn file(&self, ending: &Ending, metric: Metric) -> Option<&TableFile> {
        self.files.get(&(ending.material().bits(), metric)).map(Arc::as_ref)
    }

    /// What a table says of a position, rights to capture en passant included. The fifty-move rule is
    /// not looked at.
    pub fn probe(&self, position: &Position, metric: Metric) -> Result<Value, ProbeError> {
        let men = position.occupied().count();
        if men as usize > MOST_MEN {
            return Err(ProbeError::TooManyMen(men));
        }
        if Color::ALL.iter().any(|&color| position.castling_rooks(color).non_empty()) {
            return Err(ProbeError::Castling);
        }
        let value = self.probe_plain(position, metric)?;
        if position.en_passant().is_none() {
            return Ok(value);
        }
        self.with_en_passant(position, metric, value)
    }

    /// What the best en passant capture adds to the table's value.
    fn with_en_passant(
        &self,
        position: &Position,
        metric: Metric,
        value: Value,
    ) -> Result<Value, ProbeError> {
        let moves = position.legal_moves();
        let mut best = None;
        let mut others = false;
        for mv in &moves {
            if mv.kind() == MoveKind::EnPassant {
                let after = self.probe(&position.make(mv), metric)?;
                let value = metric.after_conversion(after);
                best = Some(best.map_or(value, |best: Value| best.better(value)));
            } else {
                others = true;
            }
        }
        Ok(match best {
            Some(best) if others => value.better(best),
            Some(best) => best,
            None => value,
        })
    }

    fn probe_plain(&self, position: &Position, metric: Metric) -> Result<Value, ProbeError> {
        let (material, mover) = (position.material(), position.side_to_move());
        // Where both sides have the same men, tables are only asked with White to move.
        let swapped = match material == material.swapped() {
            true => mover == Color::Black,
            false => !self.files.contains_key(&(material.bits(), metric)),
        };
        let key = (if swapped { material.swapped() } else { material }.bits(), metric);
        let Some(file) = self.files.get(&key) else {
            return match Ending::of(material) {
                Some((ending, _)) => Err(ProbeError::Missing(ending, metric)),
                None => Ok(Value::Draw),
            };
        };
        let Some(squares) = squares_of(position, &file.layout, swapped) else {
            return Err(ProbeError::Missing(file.header.ending.clone(), metric));
        };
        let side = if swapped { !mover } else { mover }.index();
        let index = file.layout.index(&squares);
        let number = self.numbers.get(&key).copied().unwrap_or(0);
        let size = block_size(metric);
        let cache_key = (number << 1 | side as u64) << 32 | (index / size) as u64;
        let block = self
            .cache
            .get(cache_key, || file.block(side, index / size))
            .map_err(ProbeError::Damaged)?;
        Ok(cell::value(file.cell(side, &block, index % size)))
    }
}

/// The squares of the men in the order of a layout; with the colours exchanged the board is turned.
fn squares_of(position: &Position, layout: &Layout, swapped: bool) -> Option<Squares> {
    let mut squares = [0; MOST_MEN];
    let mut slot = 0;
    let men = layout.men();
    while slot < men.len() {
        let man = men[slot];
        let color = if swapped { !man.color } else { man.color };
        for square in position.men(color, man.kind) {
            let target = squares.get_mut(slot)?;
            *target = square.index() as u8 ^ if swapped { 56 } else { 0 };
            slot += 1;
        }
        if man.kind != PieceKind::King && position.men(color, man.kind).is_empty() {
            return None;
        }
    }
    Some(squares)
}

/// A place for one block.
type Place = Mutex<Option<(u64, Arc<[u8]>)>>;

/// A cache of unpacked blocks: each block has one place, and the newest one keeps it.
struct BlockCache {
    places: Vec<Place>,
}

impl BlockCache {
    /// Room for `blocks` blocks.
    fn new(blocks: usize) -> BlockCache {
        BlockCache { places: (0..blocks.max(1)).map(|_| Mutex::new(None)).collect() }
    }

    /// The block with a key, unpacked by `read` if it is not there. No thread waits for another's
    /// unpacking.
    fn get<E>(&self, key: u64, read: impl FnOnce() -> Result<Vec<u8>, E>) -> Result<Arc<[u8]>, E> {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let place = &self.places[mixed as usize % self.places.len()];
        let lock = || place.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((held, block)) = &*lock()
            && *held == key
        {
            return Ok(block.clone());
        }
        let block: Arc<[u8]> = read()?.into();
        *lock() = Some((key, block.clone()));
        Ok(block)
    }
}
