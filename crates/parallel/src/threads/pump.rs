//! The threads of a process among those of others.
//!
//! Every thread of every process is a peer; those of process `p` are `p * threads` and the following. An
//! envelope for a thread of another process goes to the uplink at once ([`SharedSearch::post`]). The thread
//! that has the turn at [`SharedSearch::pump`] lets all of them go, and puts what has come into the mailboxes
//! of the threads here. No thread waits for the turn: one that does not get it goes on searching.
//!
//! Requests for work are put up in the process of their thread first. One that has waited there for too long
//! goes to the queue of another process, and from there to the next, until it finds work or has been
//! everywhere in vain and is refused. Where all processes are on one host it is put up for all of them
//! instead (`shared_requests.rs`).

use super::Settings;
use super::mailbox::Mailbox;
use super::shared_requests::SharedRequests;
use super::shared_search::{Envelope, SharedSearch};
use super::uplink::{Distance, Known, Packet, Place, Uplink, Word};
use crate::strategy::SplitRules;
use crate::{Chance, Message, Peer, TableKind, Time};
use search::walk::SplitRule;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::{Duration, Instant};
use table::Entry;

/// Nanoseconds between two reports of a process how far it has come.
const PROGRESS_EVERY_NS: Time = 3_000_000;
/// Longest stay of a thread without work at the pump before it looks around.
const LONGEST_WAIT: Duration = Duration::from_micros(300);
/// Its sleep between two looks where others need the processor.
const NAP: Duration = Duration::from_micros(50);
/// Looks at the network before the first nap.
const LOOKS: u32 = 6;
/// The smallest depth of a child with which the history of moves goes to another process: sixteen kilobytes,
/// which take as long as a hundred nodes.
const REMOTE_HISTORY_FROM: i32 = 10;
/// Nodes between two looks at the network where a doorbell tells of messages.
const CALLED_SLICE: u64 = 64;
/// Processes that a request visits, for each there is, before it is refused.
const ROUNDS: u32 = 8;

/// The connection of one search.
pub(super) struct Remote {
    pub uplink: Arc<dyn Uplink>,
    pub place: Place,
    pub distance: Distance,
    /// Where all processes see each other's requests, with the number of the search.
    shared_requests: Option<(Arc<SharedRequests>, u32)>,
    turn: Mutex<Turn>,
}

/// What only the thread at the pump needs.
struct Turn {
    chance: Chance,
    /// When progress was last told.
    told: Time,
}

impl Remote {
    pub fn new(uplink: Arc<dyn Uplink>, threads: u32, seed: u64) -> Remote {
        let (place, distance) = (uplink.place(), uplink.distance(threads));
        let chance = Chance::new(seed, u64::from(place.process));
        let turn = Mutex::new(Turn { chance, told: 0 });
        let shared_requests = uplink.shared_requests();
        let slice = if shared_requests.is_some() { CALLED_SLICE } else { distance.slice };
        let distance = Distance { slice, ..distance };
        Remote { uplink, place, distance, shared_requests, turn }
    }

    fn others(&self) -> impl Iterator<Item = u32> {
        let me = self.place.process;
        let there = move |&process: &u32| process != me && !self.uplink.is_lost(process);
        (0..self.place.processes).filter(there)
    }

    /// Tells the others that the search is over: the first tells all, the others tell the first.
    pub fn tell_end(&self) {
        match self.place.process {
            0 => self.others().for_each(|process| self.uplink.send(process, &Packet::End)),
            _ => self.uplink.send(0, &Packet::End),
        }
    }

    /// Where a request goes that was made by a thread of `origin`: not to a process whose only thread
    /// makes it, unless there is no other.
    fn next_stop(&self, origin: u32, threads: u32, chance: &mut Chance) -> Option<u32> {
        let fit = |&process: &u32| process != origin || threads > 1;
        let count = self.others().filter(fit).count();
        let chosen = chance.below(count);
        self.others().filter(fit).nth(chosen)
    }
}

impl SharedSearch {
    /// The process of a peer.
    fn process_of(&self, peer: Peer) -> u32 {
        peer.0 / self.settings.threads.max(1)
    }

    /// The peer that a thread of this process is, by its number here.
    pub fn peer(&self, thread: Peer) -> Peer {
        let process = self.remote.as_ref().map_or(0, |remote| remote.place.process);
        Peer(process * self.settings.threads + thread.0)
    }

    /// Whether a peer is a thread of this process.
    pub fn is_here(&self, peer: Peer) -> bool {
        self.remote.as_ref().is_none_or(|remote| self.process_of(peer) == remote.place.process)
    }

    /// Whether a peer is a thread of a process that is lost.
    pub fn is_lost(&self, peer: Peer) -> bool {
        let process = self.process_of(peer);
        self.remote.as_ref().is_some_and(|remote| remote.uplink.is_lost(process))
    }

    /// What other threads may get, here and in other processes.
    pub fn split_rules(&self) -> SplitRules {
        let Settings { grain, history_from, threads, .. } = self.settings;
        let near = SplitRule { grain, history_from };
        let Some(remote) = &self.remote else { return SplitRules::uniform(near) };
        // On one host sixteen kilobytes are copied as fast as among threads.
        let one_host = remote.shared_requests.is_some();
        let history_from = if one_host { history_from } else { REMOTE_HISTORY_FROM };
        let first = self.peer(Peer::FIRST);
        SplitRules {
            near,
            remote: SplitRule { grain: remote.distance.remote_grain, history_from },
            here: (first, Peer(first.0 + threads)),
        }
    }

    /// Posts an envelope, into the mailbox of a thread here or on its way to another process; it comes back
    /// where there is no room.
    pub fn post(&self, to: Peer, envelope: Envelope) -> Result<(), Envelope> {
        match &self.remote {
            Some(remote) if !self.is_here(to) => {
                remote.uplink.send(self.process_of(to), &Packet::Envelope(to, envelope));
                Ok(())
            }
            _ => self.mailboxes[to.index()].post(envelope),
        }
    }

    /// Exchanges packets with the other processes, unless another thread does; whether it was our turn.
    pub fn pump(&self) -> bool {
        let Some(remote) = &self.remote else { return false };
        let mut turn = match remote.turn.try_lock() {
            Ok(turn) => turn,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        self.pass_requests(remote, &mut turn);
        self.tell_progress(remote, &mut turn);
        let mut answered = false;
        remote.uplink.exchange(&mut |process, packet| answered |= self.receive(process, packet));
        if answered {
            // A thread waits for it.
            remote.uplink.exchange(&mut |process, packet| _ = self.receive(process, packet));
        }
        if remote.place.process > 0 && remote.uplink.is_lost(0) {
            // No process is left to say that it is over.
            self.end_here();
        }
        true
    }

    /// Whether a message from another process has come that no thread has looked at.
    #[inline(always)]
    pub fn is_called(&self) -> bool {
        let Some(remote) = &self.remote else { return false };
        let shared_requests = remote.shared_requests.as_ref();
        shared_requests
            .is_some_and(|(shared_requests, _)| shared_requests.is_rung(remote.place.process))
    }

    /// Whether a thread wants work, here or on the same host; it may be out of date by a moment.
    #[inline(always)]
    pub fn is_wanted(&self) -> bool {
        self.requests.is_wanted()
            || self.remote.as_ref().is_some_and(|remote| self.has_shared_request(remote))
    }

    #[inline(always)]
    fn has_shared_request(&self, remote: &Remote) -> bool {
        let shared_requests = remote.shared_requests.as_ref();
        shared_requests
            .is_some_and(|(shared_requests, _)| shared_requests.is_wanted(self.mailboxes.len()))
    }

    /// A peer on the same host that wants work which `me` may have.
    pub fn shared_request(&self, me: Peer) -> Option<Peer> {
        let (shared_requests, search) = self.remote.as_ref()?.shared_requests.as_ref()?;
        shared_requests.first_after(*search, me, self.mailboxes.len())
    }

    /// Takes the request of a peer on the same host, unless others were faster or it is lost.
    pub fn take_shared_request(&self, origin: Peer) -> Option<Envelope> {
        let (shared_requests, search) = self.remote.as_ref()?.shared_requests.as_ref()?;
        let ticket = shared_requests.take(*search, origin)?;
        let message = Message::Request { origin, ticket, hops: 1, within: None };
        (!self.is_lost(origin)).then_some(Envelope { from: origin, message })
    }

    /// Sends requests on that have waited here in vain.
    fn pass_requests(&self, remote: &Remote, turn: &mut Turn) {
        if !self.requests.is_wanted() {
            return;
        }
        let (threads, processes) = (self.settings.threads, remote.place.processes);
        // Where all threads are idle there is no work to be had; nor has one any for itself.
        let idle = self.idle.load(Relaxed) >= threads;
        let hopeless = |peer: Peer| idle || threads == 1 && self.is_here(peer);
        while let Some(envelope) = self.requests.take_older(remote.distance.dwell, hopeless) {
            let Message::Request { origin, ticket, hops, within } = envelope.message else {
                continue;
            };
            if let Some((shared_requests, search)) = &remote.shared_requests
                && self.is_here(origin)
                && shared_requests.put(*search, origin, ticket)
            {
                continue;
            }
            let next = remote.next_stop(self.process_of(origin), threads, &mut turn.chance);
            match next {
                Some(next) if hops < ROUNDS * processes => {
                    let message = Message::Request { origin, ticket, hops: hops + 1, within };
                    let passed = Envelope { from: envelope.from, message };
                    let to = Peer(next * threads);
                    remote.uplink.send(next, &Packet::Envelope(to, passed));
                }
                Some(_) => {
                    let message = Message::Refused { ticket };
                    // There is always room where there are other processes.
                    _ = self.post(origin, Envelope { from: envelope.from, message });
                }
                // There is no other: it waits here.
                None => {
                    self.requests.put(envelope);
                    return;
                }
            }
        }
    }

    fn tell_progress(&self, remote: &Remote, turn: &mut Turn) {
        let now = self.now();
        if remote.place.process == 0 || now < turn.told + PROGRESS_EVERY_NS {
            return;
        }
        turn.told = now;
        let (nodes, tbhits) = (self.nodes(), self.tbhits());
        let selective_depth = self.selective_depth();
        remote.uplink.send(0, &Packet::Progress { nodes, tbhits, selective_depth });
    }

    /// Takes what has come; what names no peer that exists is passed over. Whether something was answered.
    fn receive(&self, process: u32, packet: Packet) -> bool {
        let exists = |peer: &Peer| peer.index() < self.mailboxes.len();
        match packet {
            Packet::Envelope(to, envelope) => {
                let named = envelope.message.names();
                let known = [to, envelope.from].iter().chain(&named).all(exists);
                if !known || !self.is_here(to) {
                    return false;
                }
                match envelope.message {
                    Message::Request { within: None, .. } => self.requests.put(envelope),
                    // There is room for any number where envelopes come from outside.
                    _ => drop(self.mailboxes[to.index()].post(envelope)),
                }
            }
            Packet::Entries(entries) => {
                let known = entries.iter().filter_map(|known| Some((known.key(), known.entry()?)));
                known.for_each(|(key, entry)| self.table.store(key, entry));
            }
            Packet::Reads { asker, keys } => {
                return exists(&asker) && self.answer_reads(asker, &keys);
            }
            Packet::Answers { to, found } => {
                if let Some(answers) = self.answers(to) {
                    // There is room for any number.
                    found.iter().for_each(|it| _ = answers.post((it.key(), it.entry())));
                }
            }
            Packet::Progress { nodes, tbhits, selective_depth } => {
                let Some(first) = process.checked_mul(self.settings.threads).map(Peer) else {
                    return false;
                };
                if exists(&first) && !self.is_here(first) {
                    let gauge = self.gauge(first);
                    gauge.nodes.store(nodes, Relaxed);
                    gauge.tbhits.store(tbhits, Relaxed);
                    gauge.selective_depth.store(selective_depth, Relaxed);
                }
            }
            Packet::Found { last, outcome } => {
                let voter = process.saturating_mul(self.settings.threads) as usize;
                self.note(voter, || (outcome.clone(), Vec::new()));
                self.offer(false, outcome.depth, last, || outcome);
            }
            Packet::End if process == 0 => self.end_here(),
            Packet::End => self.end(),
        }
        false
    }

    /// Tells a thread elsewhere what the table here knows; whether there was something to tell.
    fn answer_reads(&self, asker: Peer, keys: &[Word]) -> bool {
        let Some(remote) = self.remote.as_ref().filter(|_| !self.is_here(asker)) else {
            return false;
        };
        // A thread that waits hears of misses too.
        let all = remote.distance.table.kind == TableKind::Blocking;
        let found = keys.iter().map(|&Word(key)| Known::new(key, self.table.entry(key)));
        let found: Vec<_> = found.filter(|known| all || known.entry().is_some()).collect();
        let any = !found.is_empty();
        if any {
            remote.uplink.send(self.process_of(asker), &Packet::Answers { to: asker, found });
        }
        any
    }

    /// Where the answers of other tables lie that a thread here has asked for.
    pub fn answers(&self, peer: Peer) -> Option<&Mailbox<(u64, Option<Entry>)>> {
        let first = self.peer(Peer::FIRST);
        self.answers.get(peer.0.checked_sub(first.0)? as usize)
    }

    /// Waits for mail at the pump, for so long at most.
    pub fn await_mail(&self, mailbox: &Mailbox<Envelope>, longest: Option<Duration>) {
        let begun = Instant::now();
        let longest = longest.map_or(LONGEST_WAIT, |longest| longest.min(LONGEST_WAIT));
        let roomy = self.remote.as_ref().is_some_and(|remote| remote.distance.roomy);
        let mut looks = 0;
        while !mailbox.has_mail() && !self.is_over() {
            let turn = self.pump();
            if begun.elapsed() >= longest {
                return;
            }
            looks += 1;
            match (roomy, turn) {
                (true, true) => std::hint::spin_loop(),
                (true, false) => mailbox.sleep(Some(NAP)),
                (false, _) if looks < LOOKS => std::thread::yield_now(),
                (false, _) => mailbox.sleep(Some(NAP)),
            }
        }
    }
}
