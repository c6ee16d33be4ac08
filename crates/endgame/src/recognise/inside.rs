//! The tables inside the program: win, draw and loss of the endings that no simple rule decides.

use crate::file::TableFile;
use crate::tables::Tables;

/// The files, made by `rookery endgame build --metrics wdl`.
const FILES: [&[u8]; 0] = [];

/// The tables that are whole; all are, as a test shows.
pub fn tables() -> Tables {
    let mut tables = Tables::new();
    for file in FILES.into_iter().filter_map(|bytes| TableFile::from_bytes(bytes).ok()) {
        tables.add(file);
    }
    tables
}

/// Bytes of all of them.
pub fn inside_bytes() -> usize {
    FILES.iter().map(|bytes| bytes.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_inside_is_whole() {
        let tables = tables();
        assert_eq!(tables.files().len(), FILES.len());
        for file in tables.files() {
            assert!(file.load(1).is_ok(), "{}", file.header.ending);
        }
    }
}
