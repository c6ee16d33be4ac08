//! Packs tables for the inside of the program: the beginning of each file up to its blocks, then all blocks
//! as one by the program `xz` as LZMA without a header.
//!
//! `cargo run --release -p rookery-endgame --example pack_inside -- OUT_FOLDER TABLE...`

use endgame::file::TableFile;
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = arguments.next().ok_or("which folder is for the packed tables?")?;
    for path in arguments {
        let packed = pack(&path)?;
        let name = path.file_name().ok_or("a table is a file")?;
        println!("{}: {} bytes", path.display(), packed.len());
        files::write(&folder.join(name), &packed)?;
    }
    Ok(())
}

fn pack(path: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let table = TableFile::open(path)?;
    let bytes = std::fs::read(path)?;
    let begin = bytes.len() - table.data_length() as usize;
    let mut blocks = Vec::new();
    // Of an ending in which both sides have the same men, White to move is enough.
    for side in 0..if table.header.ending.is_symmetric() { 1 } else { 2 } {
        // After the last block there is none.
        (0..)
            .map_while(|block| table.block(side, block).ok())
            .for_each(|block| blocks.extend(block));
    }
    Ok([&bytes[..begin], &compress(blocks)?].concat())
}

fn compress(blocks: Vec<u8>) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut xz = Command::new("xz");
    xz.args(["--format=raw", "--lzma1=preset=9e,dict=8MiB,lc=0,lp=0,pb=0", "-c"]);
    let mut child = xz.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().ok_or("xz has no input")?;
    // It writes when it has read everything.
    let writer = std::thread::spawn(move || input.write_all(&blocks));
    let output = child.wait_with_output()?;
    writer.join().map_err(|_| "the writer panicked")??;
    if output.status.success() { Ok(output.stdout) } else { Err("xz failed".into()) }
}
