//! Bytes between the processes of one host, in memory that they have in common.
//!
//! Every pair of processes has a ring in each direction, with one writer and one reader: none waits for
//! another's lock, and one that is killed in the middle of a message takes only its own rings with it. A
//! message is a word that tells its length, and its bytes; it is there when the writer has moved the end.
//! All is done in whole atomic words.
//!
//! An MPI library has such rings inside. Its way through them is longer by some microseconds for each message,
//! as much as the smallest pieces of work take; so between processes of one host it only carries what is too
//! long for a ring.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use table::{Common, CommonWords, TableError};

/// Words of a ring: 64 KB.
const RING: usize = 8192;
/// Words of a cache line: writer and reader write to different ones.
const LINE: usize = 8;
/// Words that a ring takes with its end and its beginning.
const PLACE: usize = 2 * LINE + RING;
/// Processes for which there may be rings: they take room by the square.
const MOST: u32 = 64;
/// Longer messages go another way.
pub const LONGEST: usize = RING * 8 / 2;

/// The rings of all processes of a host, as one of them sees them.
pub struct Rings {
    words: CommonWords,
    processes: usize,
    me: usize,
    /// Where we go on, for each other process: writing, and reading.
    ends: Vec<u64>,
    beginnings: Vec<u64>,
    /// How far each was seen to have read.
    seen: Vec<u64>,
}

/// What lies next in a ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Nothing.
    Empty,
    /// A message that comes after this number of others on another way.
    After(u32),
}

impl Rings {
    /// Makes or finds the rings of all processes; none where they are too many.
    pub fn new(common: Common<'_>, me: u32, processes: u32) -> Result<Option<Rings>, TableError> {
        if processes > MOST || me >= processes {
            return Ok(None);
        }
        let (count, me) = (processes as usize, me as usize);
        let words = CommonWords::new(common, count * LINE + count * count * PLACE)?;
        let none = || vec![0; count];
        let (ends, beginnings, seen) = (none(), none(), none());
        let rings = Rings { words, processes: count, me, ends, beginnings, seen };
        rings.words[me * LINE].store(1, Release);
        Ok(Some(rings))
    }

    /// Whether a process reads its rings.
    pub fn is_there(&self, process: u32) -> bool {
        let process = process as usize;
        process < self.processes && self.words[process * LINE].load(Acquire) != 0
    }

    fn ring(&self, from: usize, to: usize) -> &[AtomicU64] {
        let place = self.processes * LINE + (from * self.processes + to) * PLACE;
        &self.words[place..place + PLACE]
    }

    /// Writes a message that comes after `after` on another way; whether there was room. Not for messages
    /// that are longer than [`LONGEST`], nor for processes that are not there.
    pub fn write(&mut self, to: u32, after: u32, bytes: &[u8]) -> bool {
        let to = to as usize;
        if bytes.len() > LONGEST || to >= self.processes {
            return false;
        }
        let (begin, needed) = (self.ends[to], 1 + bytes.len().div_ceil(8) as u64);
        let ring = self.ring(self.me, to);
        let mut seen = self.seen[to];
        if begin + needed - seen > RING as u64 {
            seen = ring[LINE].load(Acquire);
            // A reader that has gone beyond the end is none.
            if begin.checked_sub(seen).is_none_or(|filled| filled + needed > RING as u64) {
                return false;
            }
        }
        let data = &ring[2 * LINE..];
        let mut place = begin;
        let mut put = |word: u64| {
            data[place as usize % RING].store(word, Relaxed);
            place += 1;
        };
        put(u64::from(after) << 32 | bytes.len() as u64);
        let (whole, rest) = bytes.as_chunks::<8>();
        whole.iter().for_each(|chunk| put(u64::from_le_bytes(*chunk)));
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            put(u64::from_le_bytes(last));
        }
        ring[0].store(place, Release);
        (self.ends[to], self.seen[to]) = (place, seen);
        true
    }

    /// What has come from a process.
    pub fn next(&self, from: u32) -> Next {
        let from = from as usize;
        if from >= self.processes || from == self.me {
            return Next::Empty;
        }
        let (ring, begin) = (self.ring(from, self.me), self.beginnings[from]);
        if ring[0].load(Acquire) == begin {
            return Next::Empty;
        }
        Next::After((ring[2 * LINE + begin as usize % RING].load(Relaxed) >> 32) as u32)
    }

    /// Reads the next message of a process; false if there is none.
    pub fn read(&mut self, from: u32, bytes: &mut Vec<u8>) -> bool {
        let from = from as usize;
        bytes.clear();
        let (ring, begin) = (self.ring(from, self.me), self.beginnings[from]);
        let (end, data) = (ring[0].load(Acquire), &ring[2 * LINE..]);
        if end == begin {
            return false;
        }
        let count = data[begin as usize % RING].load(Relaxed) as u32 as usize;
        let after = begin + 1 + count.div_ceil(8) as u64;
        // What a writer leaves that is not one of ours is passed over.
        let sound = count <= LONGEST && after <= end;
        if sound {
            for place in begin + 1..after {
                bytes.extend_from_slice(&data[place as usize % RING].load(Relaxed).to_le_bytes());
            }
            bytes.truncate(count);
        }
        let beginning = if sound { after } else { end };
        ring[LINE].store(beginning, Release);
        self.beginnings[from] = beginning;
        sound
    }
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::*;

    fn pair(name: &str) -> (Rings, Rings) {
        let borrow = Common::Borrow(std::process::id(), name);
        let first = Rings::new(Common::Lend(name), 0, 2).expect("memory").expect("few processes");
        assert!(first.is_there(0) && !first.is_there(1) && !first.is_there(2));
        let second = Rings::new(borrow, 1, 2).expect("memory").expect("few processes");
        assert!(first.is_there(1));
        (first, second)
    }

    /// A message by its number: lengths from nothing to the longest.
    fn message(number: usize) -> Vec<u8> {
        let length = if number.is_multiple_of(500) { LONGEST } else { number % 1000 };
        (0..length).map(|place| (place * 31 + number) as u8).collect()
    }

    #[test]
    fn messages_come_as_they_were_written_and_in_order() {
        const COUNT: usize = 20_000;
        let (mut first, mut second) = pair("test-rings-order");
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for number in 0..COUNT {
                    while !first.write(1, number as u32, &message(number)) {
                        std::thread::yield_now();
                    }
                }
            });
            let mut bytes = Vec::new();
            for number in 0..COUNT {
                while second.next(0) == Next::Empty {
                    std::thread::yield_now();
                }
                assert_eq!(second.next(0), Next::After(number as u32));
                assert!(second.read(0, &mut bytes));
                assert_eq!(bytes, message(number), "message {number}");
            }
            assert!(!second.read(0, &mut bytes));
        });
    }

    #[test]
    fn a_full_ring_takes_nothing_until_it_is_read() {
        let (mut first, mut second) = pair("test-rings-full");
        assert!(!first.write(1, 0, &vec![1; LONGEST + 1]), "too long");
        assert!(!first.write(7, 0, &[1]), "to no process");
        let mut written = 0;
        while first.write(1, 0, &[7; 1000]) {
            written += 1;
        }
        assert!((60..=65).contains(&written), "{written} kilobytes");
        let mut bytes = Vec::new();
        assert!(second.read(0, &mut bytes) && bytes == [7; 1000]);
        assert!(first.write(1, 0, &[8; 1000]));
    }

    #[test]
    fn damage_is_passed_over() {
        let (mut first, mut second) = pair("test-rings-damage");
        assert!(first.write(1, 0, b"whole"));
        first.ring(0, 1)[2 * LINE].store(u64::MAX, Relaxed);
        let mut bytes = Vec::new();
        assert!(!second.read(0, &mut bytes) && bytes.is_empty());
        assert!(first.write(1, 0, b"again"));
        assert!(second.read(0, &mut bytes) && bytes == b"again");
    }

    #[test]
    fn too_many_processes_have_none() {
        let rings = Rings::new(Common::Lend("test-rings-many"), 0, MOST + 1);
        assert!(rings.is_ok_and(|rings| rings.is_none()));
    }
}
