//! Requests for work that all processes of a host see, and doorbells that say that a message has come.
//!
//! Among the threads of one process a request is put up where all see it (`request_queue.rs`). Processes on one
//! host can have memory in common, and then do the same: an idle thread leaves its request there, and one that
//! comes by with a child to give takes it down and sends the work as a message. A request that travels from
//! process to process stays with each for a while in vain; one that lies here is seen within a few nodes.
//!
//! To ask the library for messages costs as much as a node or two, so that it is done every few dozen nodes;
//! the sender of one rings the receiver's doorbell, which is looked at in between. Messages that come without
//! a doorbell are only found later.
//!
//! Each peer has a word for its request and a bit that says that there may be one. A request names the search it
//! belongs to: what is left of an earlier one, or of a process that was killed, is passed over.

use crate::Peer;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use table::CommonWords;

/// Peers for which there is room.
const PEERS: usize = 1024;
const BITS: usize = 64;
/// Words between two requests: they lie in cache lines of their own.
const SPACING: usize = 8;
/// The words that hold bits come first.
const BIT_WORDS: usize = PEERS / BITS;
/// Where the doorbells begin, one for each process.
const DOORBELLS: usize = BIT_WORDS + PEERS * SPACING;

/// The place where processes of one host put up their requests.
pub struct SharedRequests {
    words: CommonWords,
}

impl SharedRequests {
    /// Words that it needs: bits, requests, doorbells.
    pub const WORDS: usize = DOORBELLS + PEERS * SPACING;

    /// Requests in this memory; nothing if it is too small.
    pub fn new(words: CommonWords) -> Option<SharedRequests> {
        (words.len() >= SharedRequests::WORDS).then_some(SharedRequests { words })
    }

    fn steal_request(&self, peer: Peer) -> Option<&AtomicU64> {
        let place = peer.index();
        (place < PEERS).then(|| &self.words[BIT_WORDS + place * SPACING])
    }

    fn doorbell(&self, process: u32) -> Option<&AtomicU64> {
        let place = process as usize;
        (place < PEERS).then(|| &self.words[DOORBELLS + place * SPACING])
    }

    /// Tells a process that a message for it has left.
    pub fn ring(&self, process: u32) {
        if let Some(doorbell) = self.doorbell(process) {
            doorbell.store(1, Release);
        }
    }

    /// Whether a process has been rung for since it was last quiet.
    #[inline(always)]
    pub fn is_rung(&self, process: u32) -> bool {
        self.doorbell(process).is_some_and(|doorbell| doorbell.load(Relaxed) != 0)
    }

    /// The messages of a process are about to be looked at.
    pub fn hush(&self, process: u32) {
        if self.is_rung(process)
            && let Some(doorbell) = self.doorbell(process)
        {
            doorbell.swap(0, AcqRel);
        }
    }

    /// Puts a request up for a search, in place of an older one of the same peer; whether there is room.
    pub fn put(&self, search: u32, peer: Peer, ticket: u32) -> bool {
        let Some(steal_request) = self.steal_request(peer) else { return false };
        steal_request.store(u64::from(search) << 32 | u64::from(ticket), Release);
        self.words[peer.index() / BITS].fetch_or(1 << (peer.index() % BITS), AcqRel);
        true
    }

    /// Whether one of the first `peers` may want work.
    #[inline(always)]
    pub fn is_wanted(&self, peers: usize) -> bool {
        let used = peers.min(PEERS).div_ceil(BITS);
        self.words.iter().take(used).any(|bits| bits.load(Relaxed) != 0)
    }

    /// A peer that wants work in this search, from `me` on in a circle, but not `me` itself.
    pub fn first_after(&self, search: u32, me: Peer, peers: usize) -> Option<Peer> {
        let peers = peers.min(PEERS);
        let circle = (1..peers).map(|step| (me.index() + step) % peers);
        let circle = circle.map(|place| Peer(place as u32));
        circle.into_iter().find(|&peer| self.wants(search, peer))
    }

    fn wants(&self, search: u32, peer: Peer) -> bool {
        let bit = 1 << (peer.index() % BITS);
        let bits = &self.words[peer.index() / BITS];
        if bits.load(Acquire) & bit == 0 {
            return false;
        }
        let Some(steal_request) = self.steal_request(peer) else { return false };
        let is_present = || steal_request.load(Acquire) >> 32 == u64::from(search);
        if is_present() {
            return true;
        }
        // Nothing, or of another search. Should it be replaced in this moment, it is seen again.
        bits.fetch_and(!bit, AcqRel);
        if is_present() {
            bits.fetch_or(bit, AcqRel);
        }
        false
    }

    /// Takes a peer's request down; its ticket, unless another was faster.
    pub fn take(&self, search: u32, peer: Peer) -> Option<u32> {
        self.words[peer.index() / BITS].fetch_and(!(1 << (peer.index() % BITS)), AcqRel);
        let steal_request = self.steal_request(peer)?.swap(0, AcqRel);
        (steal_request >> 32 == u64::from(search)).then_some(steal_request as u32)
    }
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;
    use table::Common;

    fn shared_requests(name: &str) -> SharedRequests {
        let words =
            CommonWords::new(Common::Lend(name), SharedRequests::WORDS).expect("a little memory");
        SharedRequests::new(words).expect("enough words")
    }

    #[test]
    fn a_request_is_seen_by_others_and_taken_once() {
        let shared_requests = shared_requests("test-shared_requests-one");
        assert!(!shared_requests.is_wanted(100));
        assert!(shared_requests.put(5, Peer(70), 33));
        assert!(shared_requests.is_wanted(100) && !shared_requests.is_wanted(64));
        assert_eq!(
            shared_requests.first_after(5, Peer(70), 100),
            None,
            "not by the one who has it"
        );
        assert_eq!(shared_requests.first_after(5, Peer(3), 100), Some(Peer(70)));
        assert_eq!(shared_requests.take(5, Peer(70)), Some(33));
        assert_eq!(shared_requests.take(5, Peer(70)), None);
        assert_eq!(shared_requests.first_after(5, Peer(3), 100), None);
        assert!(!shared_requests.put(5, Peer(PEERS as u32), 1), "there is no room");
    }

    #[test]
    fn a_doorbell_rings_for_one_until_it_looks() {
        let shared_requests = shared_requests("test-shared_requests-four");
        shared_requests.ring(3);
        assert_eq!([2, 3, 4].map(|process| shared_requests.is_rung(process)), [false, true, false]);
        shared_requests.hush(3);
        assert!(!shared_requests.is_rung(3));
        shared_requests.ring(u32::MAX);
        assert!(!shared_requests.is_rung(u32::MAX));
    }

    #[test]
    fn a_request_of_another_search_is_passed_over() {
        let shared_requests = shared_requests("test-shared_requests-two");
        shared_requests.put(5, Peer(1), 7);
        assert_eq!(shared_requests.first_after(6, Peer(0), 4), None);
        assert!(!shared_requests.is_wanted(4));
        shared_requests.put(6, Peer(1), 8);
        assert_eq!(shared_requests.first_after(6, Peer(0), 4), Some(Peer(1)));
        assert_eq!(shared_requests.take(6, Peer(1)), Some(8));
    }

    #[test]
    fn of_many_takers_one_gets_each_request() {
        const REQUESTS: u32 = 2000;
        let shared_requests = shared_requests("test-shared_requests-three");
        let taken = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for me in 1..4 {
                let (shared_requests, taken) = (&shared_requests, &taken);
                scope.spawn(move || {
                    while taken.load(Relaxed) < REQUESTS {
                        if let Some(peer) = shared_requests.first_after(1, Peer(me), 4)
                            && shared_requests.take(1, peer).is_some()
                        {
                            taken.fetch_add(1, Relaxed);
                        }
                        std::thread::yield_now();
                    }
                });
            }
            for ticket in 1..=REQUESTS {
                shared_requests.put(1, Peer(0), ticket);
                while taken.load(Relaxed) < ticket {
                    std::thread::yield_now();
                }
            }
        });
        assert_eq!(taken.load(Relaxed), REQUESTS);
    }
}
