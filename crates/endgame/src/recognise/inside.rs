//! The tables inside the program: win, draw and loss of the endings that no simple rule decides, for
//! some of them with the stage of the win.

use crate::file::TableFile;
use crate::tables::Tables;

/// The files, made by `rookery endgame build --men 4 --metrics dtm,wdl` and `rookery endgame stages`, and
/// packed by the example `pack_inside`.
const FILES: [&[u8]; 18] = [
    include_bytes!("../../inside/KPK.wdl"),
    include_bytes!("../../inside/KBBK.stages"),
    include_bytes!("../../inside/KBNK.stages"),
    include_bytes!("../../inside/KPPK.wdl"),
    include_bytes!("../../inside/KBPK.wdl"),
    include_bytes!("../../inside/KNPK.wdl"),
    include_bytes!("../../inside/KQKQ.wdl"),
    include_bytes!("../../inside/KQKR.stages"),
    include_bytes!("../../inside/KQKB.wdl"),
    include_bytes!("../../inside/KQKN.wdl"),
    include_bytes!("../../inside/KQKP.wdl"),
    include_bytes!("../../inside/KRKR.wdl"),
    include_bytes!("../../inside/KRKB.wdl"),
    include_bytes!("../../inside/KRKN.stages"),
    include_bytes!("../../inside/KRKP.wdl"),
    include_bytes!("../../inside/KBKP.wdl"),
    include_bytes!("../../inside/KNKP.wdl"),
    include_bytes!("../../inside/KPKP.wdl"),
];

/// The tables that are whole; all are, as a test shows.
pub fn tables() -> Tables {
    let mut tables = Tables::new();
    for file in FILES.into_iter().filter_map(|bytes| TableFile::inside(bytes).ok()) {
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
