//! A picture as PNG: the fewest chunks that the format asks for, eight bits for each of three colours.

use crate::canvas::Canvas;
use crate::raster::Raster;
use crc32fast::Hasher;
use miniz_oxide::deflate::compress_to_vec_zlib;

/// Pixels for each unit of the canvas: sharp on screens with small pixels.
const SCALE: f64 = 2.0;
/// How hard the packing tries.
const LEVEL: u8 = 7;

impl Canvas {
    /// The picture as PNG, twice as wide and as high as the canvas.
    pub fn png(&self) -> Vec<u8> {
        let raster = Raster::of(self, SCALE);
        let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut header = Vec::new();
        header.extend((raster.width as u32).to_be_bytes());
        header.extend((raster.height as u32).to_be_bytes());
        // Eight bits, true colour, the usual packing and filters, not interlaced.
        header.extend([8, 2, 0, 0, 0]);
        chunk(&mut bytes, b"IHDR", &header);
        let mut rows = Vec::with_capacity(raster.pixels.len() * 3 + raster.height);
        for row in raster.pixels.chunks(raster.width) {
            rows.push(0);
            rows.extend(row.iter().flatten());
        }
        chunk(&mut bytes, b"IDAT", &compress_to_vec_zlib(&rows, LEVEL));
        chunk(&mut bytes, b"IEND", &[]);
        bytes
    }
}

fn chunk(bytes: &mut Vec<u8>, kind: &[u8; 4], content: &[u8]) {
    bytes.extend((content.len() as u32).to_be_bytes());
    bytes.extend(kind);
    bytes.extend(content);
    let mut sum = Hasher::new();
    sum.update(kind);
    sum.update(content);
    bytes.extend(sum.finalize().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::Stroke;

    #[test]
    fn a_file_has_its_chunks_sums_and_pixels() {
        let mut canvas = Canvas::new(4.0, 3.0);
        canvas.line(&[(0.0, 1.0), (4.0, 1.0)], Stroke { width: 2.0, ..Stroke::default() });
        let bytes = canvas.png();
        assert_eq!(&bytes[1..4], b"PNG");
        assert_eq!(&bytes[16..24], &[0, 0, 0, 8, 0, 0, 0, 6]);
        assert_eq!(&bytes[bytes.len() - 8..], b"IEND\xaeB`\x82");
        let length = u32::from_be_bytes([bytes[33], bytes[34], bytes[35], bytes[36]]) as usize;
        let packed = &bytes[41..41 + length];
        let rows = miniz_oxide::inflate::decompress_to_vec_zlib(packed).expect("it is whole");
        assert_eq!(rows.len(), 6 * (1 + 8 * 3));
        // The second row of pixels lies in the middle of the line, the last is paper.
        assert_eq!((&rows[25 * 2 + 10..25 * 2 + 13], rows[25 * 5 + 10]), (&[26, 26, 26][..], 255));
    }
}
