//! Values as bytes, for processors that share no memory.
//!
//! The form is small and plain: numbers take as many bytes as they need (seven bits each, the lowest
//! first, signs folded in), lists begin with their length, positions are [`Packed`]. It is written by hand
//! and not derived, because what comes in must be checked on the way: a piece and target beyond its table or a ply
//! beyond the stack would be found out only in the middle of a search. Any bytes end in a value that the
//! search can work with or in [`Damaged`]; none panics, and none makes the reader take more memory than a
//! small multiple of their number.

use crate::{Bound, Limits, Line, Outcome};
use board::{Move, Packed, PieceKind, Position};
use table::Entry;

/// Bytes that are not what they should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damaged(
    /// What was expected.
    pub &'static str,
);

impl std::fmt::Display for Damaged {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "a damaged message: no {} where one is expected", self.0)
    }
}

impl std::error::Error for Damaged {}

/// A value that can be sent.
pub trait Wire: Sized {
    /// Appends it.
    fn put(&self, out: &mut Vec<u8>);

    /// Takes it from the front.
    fn take(reader: &mut Reader<'_>) -> Result<Self, Damaged>;
}

/// Bytes that are read from the front.
pub struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Begins with the first byte.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes }
    }

    /// What has not been read.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    /// Takes `count` bytes.
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], Damaged> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(Damaged("end"))?;
        self.bytes = rest;
        Ok(taken)
    }

    /// Takes a value.
    pub fn take<T: Wire>(&mut self) -> Result<T, Damaged> {
        T::take(self)
    }

    /// Takes a number that lies in a range.
    pub fn within(
        &mut self,
        range: std::ops::RangeInclusive<i32>,
        what: &'static str,
    ) -> Result<i32, Damaged> {
        self.take().ok().filter(|number| range.contains(number)).ok_or(Damaged(what))
    }
}

/// The value that bytes stand for, if they stand for one and nothing else.
pub fn read<T: Wire>(bytes: &[u8]) -> Result<T, Damaged> {
    let mut reader = Reader::new(bytes);
    let value = reader.take()?;
    if reader.rest().is_empty() { Ok(value) } else { Err(Damaged("end")) }
}

/// The bytes of a value.
pub fn write<T: Wire>(value: &T) -> Vec<u8> {
    let mut out = Vec::new();
    value.put(&mut out);
    out
}

impl Wire for u64 {
    fn put(&self, out: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            out.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        out.push(rest as u8);
    }

    fn take(reader: &mut Reader<'_>) -> Result<u64, Damaged> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let &byte = reader.bytes(1)?.first().ok_or(Damaged("end"))?;
            if shift == 63 && byte > 1 {
                break;
            }
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Damaged("number"))
    }
}

/// Smaller numbers are sent like large ones, and checked.
macro_rules! small_numbers {
    ($($kind:ty),*) => {$(
        impl Wire for $kind {
            fn put(&self, out: &mut Vec<u8>) {
                u64::from(*self).put(out);
            }

            fn take(reader: &mut Reader<'_>) -> Result<$kind, Damaged> {
                <$kind>::try_from(reader.take::<u64>()?).map_err(|_| Damaged("small number"))
            }
        }
    )*};
}

small_numbers!(u8, u16, u32);

impl Wire for i32 {
    fn put(&self, out: &mut Vec<u8>) {
        ((self << 1 ^ self >> 31) as u32).put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<i32, Damaged> {
        let folded: u32 = reader.take()?;
        Ok((folded >> 1) as i32 ^ -((folded & 1) as i32))
    }
}

impl Wire for i16 {
    fn put(&self, out: &mut Vec<u8>) {
        i32::from(*self).put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<i16, Damaged> {
        i16::try_from(reader.take::<i32>()?).map_err(|_| Damaged("small number"))
    }
}

impl Wire for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn take(reader: &mut Reader<'_>) -> Result<bool, Damaged> {
        match reader.take::<u8>()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Damaged("yes or no")),
        }
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn take(reader: &mut Reader<'_>) -> Result<Option<T>, Damaged> {
        Ok(if reader.take()? { Some(reader.take()?) } else { None })
    }
}

impl<T: Wire> Wire for Box<T> {
    fn put(&self, out: &mut Vec<u8>) {
        (**self).put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Box<T>, Damaged> {
        reader.take().map(Box::new)
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u64).put(out);
        self.iter().for_each(|value| value.put(out));
    }

    fn take(reader: &mut Reader<'_>) -> Result<Vec<T>, Damaged> {
        let count: u64 = reader.take()?;
        // Every value takes a byte at least: a length beyond that is a lie.
        if count > reader.rest().len() as u64 {
            return Err(Damaged("length"));
        }
        (0..count).map(|_| reader.take()).collect()
    }
}

impl<T: Wire + Copy + Default, const N: usize> Wire for [T; N] {
    fn put(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|value| value.put(out));
    }

    fn take(reader: &mut Reader<'_>) -> Result<[T; N], Damaged> {
        let mut values = [T::default(); N];
        for value in &mut values {
            *value = reader.take()?;
        }
        Ok(values)
    }
}

impl Wire for Move {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.bits().to_le_bytes());
    }

    fn take(reader: &mut Reader<'_>) -> Result<Move, Damaged> {
        let bytes = reader.bytes(2)?.try_into().map_err(|_| Damaged("move"))?;
        Ok(Move::from_bits(u16::from_le_bytes(bytes)))
    }
}

impl Wire for PieceKind {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(self.index() as u8);
    }

    fn take(reader: &mut Reader<'_>) -> Result<PieceKind, Damaged> {
        let number: u8 = reader.take()?;
        PieceKind::ALL.get(usize::from(number)).copied().ok_or(Damaged("man"))
    }
}

impl Wire for Position {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.pack().to_bytes());
    }

    fn take(reader: &mut Reader<'_>) -> Result<Position, Damaged> {
        let bytes = reader.bytes(Packed::SIZE)?.try_into().map_err(|_| Damaged("position"))?;
        Packed::from_bytes(bytes).unpack().map_err(|_| Damaged("position"))
    }
}

impl Wire for Entry {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_bits().to_le_bytes());
    }

    fn take(reader: &mut Reader<'_>) -> Result<Entry, Damaged> {
        let bytes = reader.bytes(8)?.try_into().map_err(|_| Damaged("entry"))?;
        Ok(Entry::from_bits(u64::from_le_bytes(bytes)))
    }
}

impl Wire for Line {
    fn put(&self, out: &mut Vec<u8>) {
        self.score.put(out);
        out.push(match self.bound {
            Bound::Upper => 0,
            Bound::Lower => 1,
            Bound::Exact => 2,
        });
        self.moves.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Line, Damaged> {
        let score = reader.take()?;
        let bound = match reader.take::<u8>()? {
            0 => Bound::Upper,
            1 => Bound::Lower,
            2 => Bound::Exact,
            _ => return Err(Damaged("bound")),
        };
        Ok(Line { score, bound, moves: reader.take()? })
    }
}

impl Wire for Outcome {
    fn put(&self, out: &mut Vec<u8>) {
        self.lines.put(out);
        self.depth.put(out);
        self.selective_depth.put(out);
        self.nodes.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Outcome, Damaged> {
        Ok(Outcome {
            lines: reader.take()?,
            depth: reader.take()?,
            selective_depth: reader.take()?,
            nodes: reader.take()?,
        })
    }
}

impl Wire for Limits {
    fn put(&self, out: &mut Vec<u8>) {
        self.depth.put(out);
        self.nodes.put(out);
        self.mate.put(out);
        self.root_moves.put(out);
        (self.lines as u64).put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Limits, Damaged> {
        let (depth, nodes, mate) = (reader.take()?, reader.take()?, reader.take()?);
        let root_moves = reader.take()?;
        let lines = reader.take::<u16>()?.into();
        Ok(Limits { depth, nodes, mate, root_moves, lines })
    }
}
