//! What processes send each other: frames, several of them in a batch of bytes.
//!
//! A frame is its length in four bytes and its content: a [`Frame`] in postcard's form, which begins with the
//! number of its variant. The packets of a search come oftener and are written without a copy: their first
//! byte is none of these numbers. The hottest of them, messages between threads, have a form written by hand
//! ([`search::wire`]).
//!
//! Numbers and form of the greetings never change, so that two versions of the program can at least tell
//! that they are two; a greeting that cannot be read is one of a version that is not ours.

use crate::command::{Call, SearchAssignment};
use crate::payload::{Payload, parse};
use crate::settings::Setting;
use crate::{Hello, Traffic};
use parallel::threads::{Packet, ThreadReport};
use postcard::ser_flavors::Flavor;
use search::wire::{Damaged, Reader, Wire, read};
use serde::{Deserialize, Serialize};

/// A frame.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Frame {
    /// Who a process is.
    Hello(Box<Hello>),
    /// "You may stay."
    Welcome,
    /// "Go", with the reason, if it is a bad one.
    Leave(String),
    /// "I go."
    Bye,
    /// "I am here."
    Beat,
    /// How all are connected from now on.
    Setting(Setting),
    /// What all are to do.
    Command(Payload),
    /// "Tell me when you have done all this."
    Sync(u32),
    /// It is done.
    Ready(u32),
    /// What went wrong.
    Failure(String),
    /// A search begins.
    Search(Box<SearchAssignment>),
    /// It has ended here; what was sent by then, and what each thread did.
    Done(u32, Traffic, Vec<ThreadReport>),
    /// Work for one process.
    Call(Call),
    /// A call is to be cut short.
    CutShort(u32),
    /// What came of a call, and whether that is all.
    Answer(u32, bool, Payload),
    /// A message about a table that all build together, by the table's number.
    BuildMessage(u32, Payload),
    /// "Send this back."
    Ping(Payload),
    /// What was to be sent back.
    Pong(Payload),
    /// A process is lost.
    Lost(u32),
    /// Whether all have said goodbye.
    Settled(bool),
    /// A packet of a search, by the search's number: see [`put_packet`].
    #[serde(skip)]
    Packet(u32, Packet),
}

/// Bytes of the length of a frame.
const LENGTH: usize = 4;
/// The numbers of greetings that can be taken in any form.
const HELLO: u8 = 0;
const LEAVE: u8 = 2;
/// First bytes that are no numbers of variants: packets of a search, and messages between threads.
const PACKET: u8 = 0xfe;
const ENVELOPE: u8 = 0xff;

/// Appends what postcard writes.
struct Appending<'a>(&'a mut Vec<u8>);

impl Flavor for Appending<'_> {
    type Output = ();

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

/// Appends a frame whose content is written by `put`; nothing where it fails.
fn put_frame(out: &mut Vec<u8>, put: impl FnOnce(&mut Vec<u8>) -> postcard::Result<()>) {
    let begin = out.len();
    out.extend_from_slice(&[0; LENGTH]);
    let written = put(out);
    debug_assert!(written.is_ok(), "every frame has a form: {written:?}");
    let length = (out.len() - begin - LENGTH) as u32;
    match out.get_mut(begin..begin + LENGTH) {
        Some(place) if written.is_ok() => place.copy_from_slice(&length.to_le_bytes()),
        _ => out.truncate(begin),
    }
}

fn append<T: Serialize>(value: &T, out: &mut Vec<u8>) -> postcard::Result<()> {
    postcard::serialize_with_flavor(value, Appending(out))
}

/// Appends a packet without copying it into a frame first.
pub fn put_packet(number: u32, packet: &Packet, out: &mut Vec<u8>) {
    put_frame(out, |out| match packet {
        Packet::Envelope(to, envelope) => {
            out.push(ENVELOPE);
            number.put(out);
            to.put(out);
            envelope.put(out);
            Ok(())
        }
        packet => {
            out.push(PACKET);
            append(&(number, packet), out)
        }
    });
}

/// Takes the frames of a batch; the first damaged one ends it.
pub fn take_all(batch: &[u8], mut take: impl FnMut(Frame)) -> Result<(), Damaged> {
    let mut reader = Reader::new(batch);
    while !reader.rest().is_empty() {
        let length = reader.bytes(LENGTH)?.try_into().map_err(|_| Damaged("length"))?;
        take(Frame::read(reader.bytes(u32::from_le_bytes(length) as usize)?)?);
    }
    Ok(())
}

impl Frame {
    /// Appends it.
    pub fn put(&self, out: &mut Vec<u8>) {
        match self {
            Frame::Packet(number, packet) => put_packet(*number, packet, out),
            frame => put_frame(out, |out| append(frame, out)),
        }
    }

    fn read(content: &[u8]) -> Result<Frame, Damaged> {
        let (&first, rest) = content.split_first().ok_or(Damaged("frame"))?;
        match first {
            ENVELOPE => {
                let mut reader = Reader::new(rest);
                let (number, to) = (reader.take()?, reader.take()?);
                Ok(Frame::Packet(number, Packet::Envelope(to, read(reader.rest())?)))
            }
            PACKET => parse(rest).map(|(number, packet)| Frame::Packet(number, packet)),
            _ => parse(content).or_else(|damage| match first {
                HELLO => Ok(Frame::Hello(Box::default())),
                LEAVE => Ok(Frame::Leave(String::from_utf8_lossy(rest).into_owned())),
                _ => Err(damage),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallel::threads::{Envelope, Known, Word};
    use parallel::{Chance, Message, Peer, RootSearch, StrategyKind, TableKind};
    use search::{Limits, Outcome};
    use std::time::Duration;
    use table::Entry;

    /// One of every kind.
    fn frames() -> Vec<Frame> {
        let payload = Payload::new(&("a value", 7, [1.5; 3])).expect("it has a form");
        let (position, game) = (board::Position::startpos(), board::History::new());
        let root = RootSearch { position, game, limits: Limits::default() };
        let report = ThreadReport {
            nodes: u64::MAX,
            waiting: Duration::from_nanos(1_234_567_890_123),
            ..ThreadReport::default()
        };
        let traffic = Traffic { frames: 1, messages: 2, bytes: 3, dropped: 4, damaged: u64::MAX };
        let entry = Entry::from_bits(0x0123_4567_89ab_cdef);
        let found = vec![Known::new(7, Some(entry)), Known::new(u64::MAX, None)];
        let outcome = Outcome { lines: Vec::new(), depth: 9, selective_depth: 12, nodes: 77 };
        let message = Message::Refused { ticket: 300 };
        let packets = [
            Packet::Entries(found.clone()),
            Packet::Reads { asker: Peer(3), keys: vec![Word(u64::MAX), Word(0)] },
            Packet::Answers { to: Peer(2), found },
            Packet::Progress { nodes: 1 << 40, tbhits: 3, selective_depth: -1 },
            Packet::Found { last: true, outcome },
            Packet::End,
            Packet::Envelope(Peer(70_000), Envelope { from: Peer(1), message }),
        ];
        let strategy = StrategyKind::Ybw;
        let search = SearchAssignment { number: 5, threads: 2, strategy, grain: 3, root };
        let machine =
            Setting::Machine { round_trip: Duration::from_micros(23), crowd: 4, cores: 16 };
        let mut frames = vec![
            Frame::Hello(Box::new(Hello { host: "alpha".to_owned(), ..Hello::default() })),
            Frame::Welcome,
            Frame::Leave("it is refused".to_owned()),
            Frame::Bye,
            Frame::Beat,
            Frame::Setting(machine),
            Frame::Setting(Setting::Table(TableKind::Blocking)),
            Frame::Command(payload.clone()),
            Frame::Sync(300),
            Frame::Ready(u32::MAX),
            Frame::Failure(String::new()),
            Frame::Search(Box::new(search)),
            Frame::Done(5, traffic, vec![report; 3]),
            Frame::Call(Call { id: 1, slot: 2, request: payload.clone() }),
            Frame::CutShort(1),
            Frame::Answer(1, false, payload.clone()),
            Frame::BuildMessage(9, Payload(vec![0xa5; 100_000])),
            Frame::Ping(Payload::default()),
            Frame::Pong(payload),
            Frame::Lost(3),
            Frame::Settled(true),
        ];
        frames.extend(packets.map(|packet| Frame::Packet(8, packet)));
        frames
    }

    fn batch(frames: &[Frame]) -> Vec<u8> {
        let mut bytes = Vec::new();
        frames.iter().for_each(|frame| frame.put(&mut bytes));
        bytes
    }

    #[test]
    fn a_batch_comes_out_as_it_went_in() {
        let (frames, mut again) = (frames(), Vec::new());
        take_all(&batch(&frames), |frame| again.push(frame)).expect("it is sound");
        assert_eq!(format!("{again:?}"), format!("{frames:?}"));
    }

    #[test]
    fn a_frame_that_is_cut_off_is_an_error() {
        for frame in frames() {
            let bytes = batch(&[frame]);
            for length in (1..bytes.len()).take(200) {
                assert!(take_all(&bytes[..length], |_| ()).is_err(), "{length} of {bytes:?}");
            }
        }
    }

    #[test]
    fn greetings_of_any_version_are_greetings() {
        // Numbers that must never change.
        let numbers = [Frame::Welcome, Frame::Bye, Frame::Beat].map(|frame| batch(&[frame])[4]);
        assert_eq!(numbers, [1, 3, 4]);
        let foreign = |number: u8| {
            let text = b"host: beta\n=version: 0.0.1\n";
            let mut bytes = (text.len() as u32 + 1).to_le_bytes().to_vec();
            bytes.push(number);
            bytes.extend_from_slice(text);
            let mut frames = Vec::new();
            take_all(&bytes, |frame| frames.push(frame)).map(|()| frames)
        };
        let hello = foreign(HELLO).expect("a greeting");
        assert!(matches!(&hello[..], [Frame::Hello(hello)] if **hello == Hello::default()));
        let leave = foreign(LEAVE).expect("a farewell");
        assert!(matches!(&leave[..], [Frame::Leave(reason)] if reason.contains("beta")));
        assert!(foreign(7).is_err());
    }

    #[test]
    fn damaged_and_random_bytes_end_in_frames_or_an_error() {
        let (mut chance, frames) = (Chance::new(18, 0), frames());
        let mut refused = 0;
        for round in 0..40_000 {
            let mut bytes = batch(&[frames[round % frames.len()].clone()]);
            bytes.truncate(2000);
            for _ in 0..=chance.below(4) {
                let place = chance.below(bytes.len());
                match chance.below(4) {
                    0 => bytes.truncate(place),
                    1 => bytes.insert(place, chance.draw() as u8),
                    _ if place < bytes.len() => bytes[place] ^= 1 << chance.below(8),
                    _ => (),
                }
            }
            refused += u32::from(take_all(&bytes, |_| ()).is_err());
        }
        assert!(refused > 10_000, "{refused} of 40000 were seen");
        for _ in 0..40_000 {
            let length = 1 + chance.below(200);
            let mut bytes = (length as u32).to_le_bytes().to_vec();
            bytes.extend((0..length).map(|_| chance.draw() as u8));
            // Any variant is met, and not only those that chance would draw.
            bytes[LENGTH] = [chance.below(24) as u8, PACKET, ENVELOPE][chance.below(3)];
            // Whatever they stand for, if anything.
            _ = take_all(&bytes, |_| ());
        }
    }
}
