//! The files of the tables.
//!
//! A file holds one ending by one metric for both sides to move: a header, then blocks of positions,
//! each compressed by itself (deflate), so that a probe reads one block. The header has a checksum, and
//! holds one for every block and the lengths of all: a file that was damaged or cut off is found out
//! before anything in it is believed. All numbers are little-endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `RKEND`, version 1, CR, LF |
//! | 4 | length of the header that follows |
//! | n | the header, see [`Header`] |
//! | 8 | checksum of the header |
//! | … | the blocks, White to move first |

mod bytes;
mod codes;
mod header;
mod lzma;
mod read;
mod write;

pub(crate) use bytes::{Reader, Writer, checksum};
pub use codes::Codes;
pub use header::{Header, Side, Summary};
pub use read::{TableFile, WholeError};
pub use write::{Cells, encode, write_atomically};
pub(crate) use write::{Packer, Seen, steps};

use crate::value::Metric;

/// How a file begins.
pub(crate) const MAGIC: [u8; 8] = *b"RKEND\x01\r\n";

/// Positions in a block: a probe decompresses that many. Outcomes take two bits each, and blocks of
/// the same number of positions would be too short to compress well.
pub const fn block_size(metric: Metric) -> usize {
    match metric {
        Metric::Mate | Metric::Conversion => 1 << 13,
        Metric::Outcome => 1 << 16,
    }
}
