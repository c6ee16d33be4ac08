//! Packed input: gzip and zstd, recognised by their first bytes and unpacked as they are read.

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufReader, Chain, Cursor, ErrorKind, Read};

/// What a gzip file begins with.
const GZIP: &[u8] = &[0x1f, 0x8b, 0x08];
/// What a frame of zstd begins with.
const FRAME: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// What text begins with that Windows calls Unicode. Nothing here reads it.
const UTF16: [&[u8]; 2] = [&[0xff, 0xfe], &[0xfe, 0xff]];
/// How much of the text before a zstd frame may need for what follows, as the zstd program has it: a
/// file cannot ask for any memory it likes.
const LARGEST_WINDOW: u64 = 128 << 20;
/// A block of zstd that holds nothing and ends its frame, and a checksum.
const LAST_BLOCK: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];
/// The kind of a block that holds one byte, to be repeated.
const ONE_BYTE_REPEATED: usize = 1;
/// What is wrong where the decoder cannot go on.
const DAMAGE: &str = "the packed text is damaged";
/// How much is read at once.
const PORTION: usize = 4 << 10;

/// A stream of bytes, wherever it comes from.
pub type Stream = Box<dyn Read + Send>;

type Buffered = BufReader<Chain<Cursor<Vec<u8>>, Stream>>;

/// What a stream holds, unpacked if it is packed.
pub fn unpack(mut input: Stream) -> io::Result<Stream> {
    let mut seen = Vec::new();
    // Byte by byte: a pipe that is fed in small pieces is not kept waiting for four bytes.
    while may_be_packed(&seen) && seen.len() < FRAME.len() {
        let mut byte = [0];
        match input.read(&mut byte) {
            Ok(0) => break,
            Ok(_) => seen.extend(byte),
            Err(error) if error.kind() == ErrorKind::Interrupted => (),
            Err(error) => return Err(error),
        }
    }
    if UTF16.iter().any(|mark| seen.starts_with(mark)) {
        let reason = "it is text in UTF-16: save it as UTF-8";
        return Err(io::Error::new(ErrorKind::InvalidData, reason));
    }
    let (is_gzip, is_zstd) = (seen.starts_with(GZIP), is_zstd(&seen));
    let input = Cursor::new(seen).chain(input);
    Ok(match (is_gzip, is_zstd) {
        (true, _) => Box::new(Gzip(MultiGzDecoder::new(BufReader::with_capacity(PORTION, input)))),
        (_, true) => Box::new(Zstd::new(BufReader::with_capacity(PORTION, input))),
        _ => Box::new(input),
    })
}

/// Whether these may be the first bytes of a packed stream, or of one that is refused.
fn may_be_packed(seen: &[u8]) -> bool {
    let skippable = |seen: &[u8]| match seen {
        [] => true,
        [first, rest @ ..] => (0x50..=0x5f).contains(first) && b"\x2a\x4d\x18".starts_with(rest),
    };
    let is_utf16 = || UTF16.iter().any(|mark| mark.starts_with(seen));
    GZIP.starts_with(seen) || FRAME.starts_with(seen) || skippable(seen) || is_utf16()
}

fn is_zstd(seen: &[u8]) -> bool {
    seen.len() == FRAME.len() && may_be_packed(seen)
}

/// Unpacks the members of a gzip stream, one after the other.
struct Gzip(MultiGzDecoder<Buffered>);

impl Read for Gzip {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(plain)
    }
}

/// Unpacks the frames of a zstd stream, one after the other.
struct Zstd {
    input: Buffered,
    /// The frame that is being read.
    frame: Option<FrameDecoder>,
    /// Whether a checksum follows its last block.
    has_checksum: bool,
    /// The stream ended within the frame: what came before is still given out.
    is_cut: bool,
}

impl Zstd {
    fn new(input: Buffered) -> Zstd {
        Zstd { input, frame: None, has_checksum: false, is_cut: false }
    }

    /// Begins the next frame; false at the end of the stream. Frames that carry no text are passed over.
    fn next_frame(&mut self) -> io::Result<bool> {
        loop {
            let mut magic = [0; 4];
            match self.input.read(&mut magic[..1])? {
                0 => return Ok(false),
                _ => self.input.read_exact(&mut magic[1..])?,
            }
            if magic == FRAME {
                break;
            }
            if !is_zstd(&magic) {
                return Err(damaged("what follows the packed text is something else"));
            }
            let mut length = [0; 4];
            self.input.read_exact(&mut length)?;
            let length = u64::from(u32::from_le_bytes(length));
            if io::copy(&mut self.input.by_ref().take(length), &mut io::sink())? < length {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
        let header = self.header()?;
        let mut frame = FrameDecoder::new();
        frame.init(&header[..]).map_err(|_| damaged(DAMAGE))?;
        self.frame = Some(frame);
        Ok(true)
    }

    /// Reads the header of a frame, whose first four bytes are known, and checks what it asks for.
    fn header(&mut self) -> io::Result<Vec<u8>> {
        let mut header = FRAME.to_vec();
        let mut more = |count: usize, header: &mut Vec<u8>| {
            let begin = header.len();
            header.resize(begin + count, 0);
            self.input.read_exact(header.get_mut(begin..).unwrap_or_default())?;
            let bytes = header.get(begin..).unwrap_or_default();
            Ok::<u64, io::Error>(
                bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)),
            )
        };
        let flags = more(1, &mut header)?;
        self.has_checksum = flags & 4 != 0;
        let is_single = flags & 0x20 != 0;
        let window = match is_single {
            true => None,
            false => {
                let descriptor = more(1, &mut header)?;
                let base = 1_u64 << (10 + (descriptor >> 3));
                Some(base + base / 8 * (descriptor & 7))
            }
        };
        more([0, 1, 2, 4][(flags & 3) as usize], &mut header)?;
        let size_bytes = [usize::from(is_single), 2, 4, 8][(flags >> 6) as usize];
        let size = more(size_bytes, &mut header)?;
        match window.unwrap_or(size) {
            window if window <= LARGEST_WINDOW => Ok(header),
            window => Err(damaged(format!(
                "unpacking needs {} MB of memory, more than {} MB",
                window >> 20,
                LARGEST_WINDOW >> 20
            ))),
        }
    }

    /// The next block of the frame; where it is cut off, an empty one that ends the frame, so that the decoder
    /// gives out the text that it keeps for what follows.
    fn block(&mut self) -> io::Result<Vec<u8>> {
        match self.whole_block() {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                self.is_cut = true;
                Ok(LAST_BLOCK.to_vec())
            }
            block => block,
        }
    }

    /// Its header of three bytes, what it holds, and the checksum behind the last one.
    fn whole_block(&mut self) -> io::Result<Vec<u8>> {
        let mut block = vec![0; 3];
        self.input.read_exact(&mut block)?;
        let header = block.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte));
        let (is_last, kind, size) = (header & 1 != 0, header >> 1 & 3, header >> 3);
        let sum = if is_last && self.has_checksum { 4 } else { 0 };
        block.resize(3 + if kind == ONE_BYTE_REPEATED { 1 } else { size } + sum, 0);
        self.input.read_exact(block.get_mut(3..).unwrap_or_default())?;
        Ok(block)
    }

    fn read_on(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.frame.is_none() && !self.next_frame()? {
                return Ok(0);
            }
            let Some(frame) = &mut self.frame else { continue };
            if buffer.is_empty() || frame.can_collect() > 0 {
                return frame.read(buffer);
            }
            match frame.is_finished() {
                false => {
                    let block = self.block()?;
                    let Some(frame) = &mut self.frame else { continue };
                    let one = BlockDecodingStrategy::UptoBlocks(1);
                    frame.decode_blocks(&block[..], one).map_err(|_| damaged(DAMAGE))?;
                }
                true if self.is_cut => return Err(ErrorKind::UnexpectedEof.into()),
                true => {
                    let sum = frame.get_checksum_from_data();
                    if sum.is_some() && sum != frame.get_calculated_checksum() {
                        return Err(damaged("the checksum is wrong"));
                    }
                    self.frame = None;
                }
            }
        }
    }
}

impl Read for Zstd {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.read_on(buffer).map_err(plain)
    }
}

/// In words for users: where a packed stream ends too early, the libraries speak of their own affairs.
fn plain(error: io::Error) -> io::Error {
    match error.kind() {
        ErrorKind::UnexpectedEof => io::Error::new(ErrorKind::UnexpectedEof, "it is cut off"),
        _ => error,
    }
}

fn damaged(reason: impl std::fmt::Display) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("zstd: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use std::io::Write;

    fn text() -> Vec<u8> {
        (0..20_000).flat_map(|number| format!("{}. e4 e5 ", number % 977).into_bytes()).collect()
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(text).expect("memory takes all");
        packed.finish().expect("memory takes all")
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        compress_to_vec(text, CompressionLevel::Fastest)
    }

    fn unpacked(packed: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        unpack(Box::new(Cursor::new(packed)))?.read_to_end(&mut text)?;
        Ok(text)
    }

    #[test]
    fn packed_text_is_unpacked_by_its_content_and_other_text_stays_as_it_is() {
        let text = text();
        let twice = [&text[..], &text].concat();
        for packed in [gzip(&text), zstd(&text), text.clone()] {
            assert!(unpacked(packed.clone()).expect("it is whole") == text);
            assert!(unpacked([&packed[..], &packed].concat()).expect("it is whole") == twice);
        }
        for short in [&b""[..], b"e", b"P", b"P*", b"\x28\xb5", b"\x1f\x8b"] {
            assert_eq!(unpacked(short.to_vec()).ok().as_deref(), Some(short));
        }
        let skipped = [b"\x51\x2a\x4d\x18\x03\0\0\0abc", &zstd(b"text")[..]].concat();
        assert_eq!(unpacked(skipped).expect("it is whole"), b"text");
    }

    #[test]
    fn damage_is_an_error_and_no_crash() {
        let text = text();
        for packed in [gzip(&text), zstd(&text)] {
            for length in [5, 9, 40, packed.len() / 2, packed.len() - 1] {
                assert!(unpacked(packed[..length].to_vec()).is_err(), "{length}");
            }
            for place in (0..packed.len()).step_by(packed.len() / 300 + 1) {
                let mut changed = packed.clone();
                changed[place] ^= 1 << (place % 8);
                let _ = unpacked(changed);
            }
            assert!(unpacked([&packed[..], b"other"].concat()).is_err());
        }
    }

    #[test]
    fn what_comes_before_a_cut_is_unpacked_and_the_cut_is_named() {
        let text = text();
        for (packed, most_lost) in [(gzip(&text), 1 << 15), (zstd(&text), 1 << 17)] {
            for length in [packed.len() * 9 / 10, packed.len() - 2] {
                let mut read = Vec::new();
                let mut input =
                    unpack(Box::new(Cursor::new(packed[..length].to_vec()))).expect("packed");
                let error = input.read_to_end(&mut read).expect_err("it is cut off");
                assert_eq!(
                    (error.kind(), error.to_string().as_str()),
                    (ErrorKind::UnexpectedEof, "it is cut off")
                );
                assert!(text.starts_with(&read) && !read.is_empty(), "{}", read.len());
                let least = (text.len() * length / packed.len()).saturating_sub(most_lost);
                assert!(read.len() >= least, "{} of {least}", read.len());
                assert!(input.read(&mut [0]).is_err(), "it stays so");
            }
        }
    }

    #[test]
    fn a_header_cannot_ask_for_any_memory() {
        for header in [&b"\x28\xb5\x2f\xfd\x00\xff"[..], b"\x28\xb5\x2f\xfd\xe0\0\0\0\0\0\0\0\x7f"]
        {
            let error = unpacked([header, &[0; 64]].concat()).expect_err("refused");
            assert!(error.to_string().contains("MB of memory"), "{error}");
        }
    }
}
