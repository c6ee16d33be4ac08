//! Table writes that wait for company (Z44).
//!
//! What is written to one home need not be there at once: nobody waits for it. So several writes go as one
//! message, which costs its sender and its receiver as much as one alone. A deep entry is worth more than
//! its message and takes along those that wait; and whatever else goes to the same home takes them along
//! for their bytes. Without that, few wait for a transposition among many homes, and most would never arrive.

use super::tables::TableMessage;
use crate::Peer;
use std::collections::BTreeMap;
use table::Entry;

/// The writes of one processor that have not been sent.
pub(super) struct Bundles {
    size: usize,
    /// From this depth on an entry goes at once.
    urgent: i32,
    waiting: BTreeMap<Peer, Vec<(u64, Entry)>>,
}

impl Bundles {
    /// None yet; so many go together.
    pub fn new(size: u32, urgent: i32) -> Bundles {
        Bundles { size: size.max(1) as usize, urgent, waiting: BTreeMap::new() }
    }

    /// What is to be sent when a message is posted; nothing if it waits.
    pub fn add(&mut self, to: Peer, message: TableMessage) -> Option<TableMessage> {
        let TableMessage::Write(key, entry) = message else { return Some(message) };
        if self.size == 1 {
            return Some(message);
        }
        let waiting = self.waiting.entry(to).or_default();
        waiting.push((key, entry));
        let full = waiting.len() >= self.size || i32::from(entry.depth) >= self.urgent;
        full.then(|| TableMessage::Bundle(std::mem::take(waiting)))
    }

    /// The writes that ride along with another message to a home, if any wait for one.
    pub fn riders(&mut self, to: Peer) -> Option<TableMessage> {
        let waiting = self.waiting.get_mut(&to).filter(|waiting| !waiting.is_empty())?;
        Some(TableMessage::Riders(std::mem::take(waiting)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::Move;
    use table::Bound;

    fn write(key: u64, depth: i16) -> TableMessage {
        let bound = Bound::Lower;
        TableMessage::Write(
            key,
            Entry { mv: Move::NONE, score: 1, eval: None, depth, bound, pv: false },
        )
    }

    #[test]
    fn z44_writes_go_together_and_deep_ones_take_them_along() {
        let mut bundles = Bundles::new(3, 6);
        let keys = |message| match message {
            Some(TableMessage::Bundle(writes)) => {
                writes.into_iter().map(|(key, _)| key).collect::<Vec<u64>>()
            }
            Some(_) => vec![0],
            None => Vec::new(),
        };
        let (one, two) = (Peer(1), Peer(2));
        assert_eq!(keys(bundles.add(one, write(1, 2))), [0; 0]);
        assert_eq!(keys(bundles.add(two, write(2, 2))), [0; 0]);
        assert_eq!(keys(bundles.add(one, write(3, 2))), [0; 0]);
        assert_eq!(keys(bundles.add(one, write(4, 2))), [1, 3, 4]);
        assert_eq!(keys(bundles.add(two, write(5, 6))), [2, 5]);
        assert_eq!(bundles.riders(two), None, "all have gone");
        assert_eq!(keys(bundles.add(two, write(8, 2))), [0; 0]);
        assert!(
            matches!(bundles.riders(two), Some(TableMessage::Riders(writes)) if writes.len() == 1)
        );
        assert_eq!(keys(bundles.add(two, TableMessage::Read(6))), [0], "a question goes at once");
        assert_eq!(keys(Bundles::new(1, 6).add(one, write(7, 2))), [0], "one alone is a write");
    }
}
