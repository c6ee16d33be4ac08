//! What processors say to each other.

use crate::file::{Reader, Seen, Summary, Writer};

/// The number of a processor; the first one leads.
pub type Processor = u32;

/// News about a position that the receiver has: a number of moves of the side to move lead to a position
/// that is decided at the batch's level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Update {
    /// The number of the position.
    pub index: u32,
    /// Who is to move there: White (0) or Black (1).
    pub side: u8,
    /// How many moves.
    pub moves: u8,
}

/// A message. Rounds are numbered from 0, the first look, so that what comes late or twice is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// From the first processor: go back from the positions of a level.
    Level {
        /// The round.
        round: u32,
        /// The level.
        level: u16,
    },
    /// News for the receiver's positions.
    Batch {
        /// The sender's number of it, for this receiver.
        number: u32,
        /// The level.
        level: u16,
        /// The news.
        updates: Vec<Update>,
    },
    /// A batch has been taken: all its news are known.
    Taken {
        /// Its number.
        number: u32,
    },
    /// To the first processor: a round is done.
    Done {
        /// The round.
        round: u32,
        /// Whether the sender had any news in this round, for itself or for others.
        news: bool,
        /// The lowest level above this round's that the sender's cells hold.
        next: Option<u16>,
    },
    /// From the first processor: nothing will change any more, sum your cells up.
    Sum,
    /// To the first processor: what the cells of both sides to move hold.
    Seen(Box<[SeenBytes; 2]>),
    /// From the first processor: send the cells of a unit.
    Want {
        /// White (0) or Black (1) to move.
        side: u8,
        /// The unit, counted over the whole table.
        unit: u32,
    },
    /// The cells of a unit.
    Cells {
        /// White (0) or Black (1) to move.
        side: u8,
        /// The unit.
        unit: u32,
        /// The cells.
        cells: Vec<u16>,
    },
    /// From the first processor: it is over.
    Stop,
}

/// What was seen of one side to move, opaque to carriers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenBytes(pub(crate) Seen);

impl Message {
    /// The message as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        match self {
            Message::Level { round, level } => {
                out.u8(0);
                out.u32(*round);
                out.u16(*level);
            }
            Message::Batch { number, level, updates } => {
                out.u8(1);
                out.u32(*number);
                out.u16(*level);
                for update in updates {
                    out.u32(update.index);
                    out.u8(update.moves << 1 | update.side & 1);
                }
            }
            Message::Taken { number } => {
                out.u8(2);
                out.u32(*number);
            }
            Message::Done { round, news, next } => {
                out.u8(3);
                out.u32(*round);
                out.u8(u8::from(*news));
                out.u16(next.unwrap_or(u16::MAX));
            }
            Message::Sum => out.u8(4),
            Message::Seen(sides) => {
                out.u8(5);
                sides.iter().for_each(|side| write_seen(&mut out, &side.0));
            }
            Message::Want { side, unit } => {
                out.u8(6);
                out.u8(*side);
                out.u32(*unit);
            }
            Message::Cells { side, unit, cells } => {
                out.u8(7);
                out.u8(*side);
                out.u32(*unit);
                cells.iter().for_each(|&cell| out.u16(cell));
            }
            Message::Stop => out.u8(8),
        }
        out.0
    }

    /// How many bytes it is.
    pub fn length(&self) -> usize {
        match self {
            Message::Batch { updates, .. } => 7 + 5 * updates.len(),
            Message::Cells { cells, .. } => 6 + 2 * cells.len(),
            other => other.to_bytes().len(),
        }
    }

    /// The message that some bytes are; none if they are no message.
    pub fn from_bytes(bytes: &[u8]) -> Option<Message> {
        let mut from = Reader(bytes);
        let message = match from.u8()? {
            0 => Message::Level { round: from.u32()?, level: from.u16()? },
            1 => {
                let (number, level) = (from.u32()?, from.u16()?);
                let mut updates = Vec::with_capacity(from.0.len() / 5);
                while !from.0.is_empty() {
                    let (index, rest) = (from.u32()?, from.u8()?);
                    updates.push(Update { index, side: rest & 1, moves: rest >> 1 });
                }
                Message::Batch { number, level, updates }
            }
            2 => Message::Taken { number: from.u32()? },
            3 => {
                let (round, news, next) = (from.u32()?, from.u8()? != 0, from.u16()?);
                Message::Done { round, news, next: (next != u16::MAX).then_some(next) }
            }
            4 => Message::Sum,
            5 => {
                let sides = [read_seen(&mut from)?, read_seen(&mut from)?];
                Message::Seen(Box::new(sides.map(SeenBytes)))
            }
            6 => Message::Want { side: from.u8()?, unit: from.u32()? },
            7 => {
                let (side, unit) = (from.u8()?, from.u32()?);
                let mut cells = Vec::with_capacity(from.0.len() / 2);
                while !from.0.is_empty() {
                    cells.push(from.u16()?);
                }
                Message::Cells { side, unit, cells }
            }
            8 => Message::Stop,
            _ => return None,
        };
        from.0.is_empty().then_some(message)
    }
}

fn write_seen(out: &mut Writer, seen: &Seen) {
    seen.summary.write(out);
    for eight in seen.levels.chunks(8) {
        out.u8(eight.iter().rev().fold(0, |byte, &level| byte << 1 | u8::from(level)));
    }
    out.u8(u8::from(seen.draws));
}

fn read_seen(from: &mut Reader<'_>) -> Option<Seen> {
    let mut seen = Seen::new();
    seen.summary = Summary::read(from)?;
    for eight in seen.levels.chunks_mut(8) {
        let byte = from.u8()?;
        eight.iter_mut().enumerate().for_each(|(bit, level)| *level = byte >> bit & 1 != 0);
    }
    seen.draws = from.u8()? != 0;
    Some(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_survives_the_way_through_bytes() {
        let mut seen = Seen::new();
        seen.see(7, 12, 2);
        seen.see(9, 3, 1);
        let updates = vec![Update { index: 1 << 30, side: 1, moves: 2 }; 3];
        let messages = [
            Message::Level { round: 9, level: 254 },
            Message::Batch { number: 3, level: 1, updates },
            Message::Taken { number: u32::MAX },
            Message::Done { round: 1, news: true, next: None },
            Message::Done { round: 1, news: false, next: Some(7) },
            Message::Sum,
            Message::Seen(Box::new([SeenBytes(seen.clone()), SeenBytes(seen)])),
            Message::Want { side: 1, unit: 77 },
            Message::Cells { side: 0, unit: 1, cells: vec![0x8000, 0x7fff, 5] },
            Message::Stop,
        ];
        for message in messages {
            let bytes = message.to_bytes();
            assert_eq!(bytes.len(), message.length());
            assert_eq!(Message::from_bytes(&bytes), Some(message));
        }
        for bad in [&[][..], &[9], &[4, 0], &[1, 0], &[7, 0, 0, 0, 0, 0, 1]] {
            assert_eq!(Message::from_bytes(bad), None);
        }
    }
}
