//! The threads of a process among those of others.
//!
//! Every thread of every process is a peer; those of process `p` are `p * threads` and the following. The
//! mailboxes of threads elsewhere are there too, as outboxes: whoever has the turn at [`Campaign::pump`]
//! empties them into parcels, and puts what has come into the mailboxes of the threads here. Nobody waits
//! for the turn: who does not get it goes on searching.
//!
//! Requests for work are put up at home, as among threads. One that has waited there for too long goes to
//! the board of another process, and from there to the next, until somebody has work or it has been
//! everywhere in vain and is refused. Where all processes are on one host it is put up for all of them
//! instead (`notices.rs`).

use super::campaign::{Campaign, Letter};
use super::mailbox::Mailbox;
use super::notices::Notices;
use super::uplink::{Distance, Parcel, Place, Uplink};
use crate::{Chance, Message, Peer, TableKind, Time};
use eval::Evaluator;
use search::switches::Rules;
use search::walk::Walk;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::{Duration, Instant};
use table::Entry;

/// How often a process tells how far it has come.
const PROGRESS_EVERY: Time = 3_000_000;
/// How long a thread without work stays here at most before it looks around.
const LONGEST_WAIT: Duration = Duration::from_micros(300);
/// How long it sleeps at a time where others need the processor.
const NAP: Duration = Duration::from_micros(50);
/// Looks at the network before the first nap.
const LOOKS: u32 = 6;
/// The smallest depth of a child with which the history of moves goes to another process: sixteen kilobytes,
/// which take as long as a hundred nodes.
const FAR_HISTORY_FROM: i32 = 10;
/// Nodes between two looks at the network where a bell tells of messages.
const CALLED_SLICE: u64 = 64;
/// Processes that a request visits, for each there is, before it is refused.
const ROUNDS: u32 = 8;

/// The connection of one search.
pub(super) struct Abroad {
    pub uplink: Arc<dyn Uplink>,
    pub place: Place,
    pub distance: Distance,
    /// Where all processes see each other's wishes, with the number of the search.
    notices: Option<(Arc<Notices>, u32)>,
    turn: Mutex<Turn>,
}

/// What only the one at the pump needs.
struct Turn {
    chance: Chance,
    letters: Vec<Letter>,
    /// When progress was last told.
    told: Time,
}

impl Abroad {
    pub fn new(uplink: Arc<dyn Uplink>, threads: u32, seed: u64) -> Abroad {
        let (place, distance) = (uplink.place(), uplink.distance(threads));
        let chance = Chance::new(seed, u64::from(place.process));
        let turn = Mutex::new(Turn { chance, letters: Vec::new(), told: 0 });
        let notices = uplink.notices();
        let slice = if notices.is_some() { CALLED_SLICE } else { distance.slice };
        let distance = Distance { slice, ..distance };
        Abroad { uplink, place, distance, notices, turn }
    }

    fn others(&self) -> impl Iterator<Item = u32> {
        let me = self.place.process;
        let there = move |&process: &u32| process != me && !self.uplink.is_lost(process);
        (0..self.place.processes).filter(there)
    }

    /// Tells the others that the search is over: the first tells all, the others tell the first.
    pub fn tell_end(&self) {
        match self.place.process {
            0 => self.others().for_each(|process| self.uplink.send(process, &Parcel::End)),
            _ => self.uplink.send(0, &Parcel::End),
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

impl Campaign {
    /// The process of a peer.
    fn process_of(&self, peer: Peer) -> u32 {
        peer.0 / self.settings.threads.max(1)
    }

    /// The peer that a thread of this process is, by its number here.
    pub fn peer(&self, thread: Peer) -> Peer {
        let process = self.abroad.as_ref().map_or(0, |abroad| abroad.place.process);
        Peer(process * self.settings.threads + thread.0)
    }

    /// Whether a peer is a thread of this process.
    pub fn is_here(&self, peer: Peer) -> bool {
        self.abroad.as_ref().is_none_or(|abroad| self.process_of(peer) == abroad.place.process)
    }

    /// Whether a peer is a thread of a process that is lost.
    pub fn is_lost(&self, peer: Peer) -> bool {
        let process = self.process_of(peer);
        self.abroad.as_ref().is_some_and(|abroad| abroad.uplink.is_lost(process))
    }

    /// Gives a walk the rules by which a peer gets work from it: the smallest depth of a child, and the
    /// smallest with which the history of moves is sent.
    pub fn prepare_for<R: Rules, E: Evaluator>(&self, peer: Peer, walk: &mut Walk<R, E>) {
        let (grain, history_from) = match &self.abroad {
            Some(abroad) if !self.is_here(peer) => {
                // On one host sixteen kilobytes are copied as fast as among threads.
                let near = abroad.notices.is_some();
                let history_from = if near { self.settings.history_from } else { FAR_HISTORY_FROM };
                (abroad.distance.far_grain, history_from)
            }
            _ => (self.settings.grain, self.settings.history_from),
        };
        walk.set_grain(grain);
        walk.set_history_from(history_from);
    }

    /// Exchanges letters with the other processes, unless somebody is about it; whether it was our turn.
    pub fn pump(&self) -> bool {
        let Some(abroad) = &self.abroad else { return false };
        let mut turn = match abroad.turn.try_lock() {
            Ok(turn) => turn,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        self.empty_outboxes(abroad, &mut turn);
        self.pass_requests(abroad, &mut turn);
        self.tell_progress(abroad, &mut turn);
        let mut answered = false;
        abroad.uplink.exchange(&mut |process, parcel| answered |= self.receive(process, parcel));
        if answered {
            // Somebody waits for it.
            abroad.uplink.exchange(&mut |process, parcel| {
                self.receive(process, parcel);
            });
        }
        if abroad.place.process > 0 && abroad.uplink.is_lost(0) {
            // Nobody is left to say that it is over.
            self.end_here();
        }
        true
    }

    fn empty_outboxes(&self, abroad: &Abroad, turn: &mut Turn) {
        let outboxes = self.mailboxes.iter().enumerate().filter(|(_, mailbox)| mailbox.has_mail());
        for (index, mailbox) in outboxes {
            let to = Peer(index as u32);
            if self.is_here(to) {
                continue;
            }
            mailbox.take(&mut turn.letters);
            for Letter { from, message } in turn.letters.drain(..) {
                let parcel = Parcel::Letter { to, from, message };
                abroad.uplink.send(self.process_of(to), &parcel);
            }
        }
    }

    /// Whether a message from another process has come that nobody has looked at.
    #[inline(always)]
    pub fn is_called(&self) -> bool {
        let Some(abroad) = &self.abroad else { return false };
        let notices = abroad.notices.as_ref();
        notices.is_some_and(|(notices, _)| notices.is_rung(abroad.place.process))
    }

    /// Whether somebody wants work, here or on the same host; it may be out of date by a moment.
    #[inline(always)]
    pub fn is_wanted(&self) -> bool {
        self.board.is_wanted() || self.abroad.as_ref().is_some_and(|abroad| self.is_noticed(abroad))
    }

    #[inline(always)]
    fn is_noticed(&self, abroad: &Abroad) -> bool {
        let notices = abroad.notices.as_ref();
        notices.is_some_and(|(notices, _)| notices.is_wanted(self.mailboxes.len()))
    }

    /// Somebody on the same host who wants work that `me` may have.
    pub fn noticed(&self, me: Peer) -> Option<Peer> {
        let (notices, search) = self.abroad.as_ref()?.notices.as_ref()?;
        notices.first_after(*search, me, self.mailboxes.len())
    }

    /// Takes the wish of somebody on the same host, unless others were faster or it is lost.
    pub fn take_notice(&self, origin: Peer) -> Option<Letter> {
        let (notices, search) = self.abroad.as_ref()?.notices.as_ref()?;
        let ticket = notices.take(*search, origin)?;
        let message = Message::Request { origin, ticket, hops: 1, within: None };
        (!self.is_lost(origin)).then_some(Letter { from: origin, message })
    }

    /// Sends requests on that have waited here in vain.
    fn pass_requests(&self, abroad: &Abroad, turn: &mut Turn) {
        if !self.board.is_wanted() {
            return;
        }
        let (threads, processes) = (self.settings.threads, abroad.place.processes);
        // Where all threads are idle there is no work to be had; nor has one any for itself.
        let idle = self.idle.load(Relaxed) >= threads;
        let hopeless = |peer: Peer| idle || threads == 1 && self.is_here(peer);
        let dwell = Duration::from_nanos(abroad.distance.dwell);
        while let Some(letter) = self.board.take_older(dwell, hopeless) {
            let Message::Request { origin, ticket, hops, within } = letter.message else {
                continue;
            };
            if let Some((notices, search)) = &abroad.notices
                && self.is_here(origin)
                && notices.put(*search, origin, ticket)
            {
                continue;
            }
            let next = abroad.next_stop(self.process_of(origin), threads, &mut turn.chance);
            match next {
                Some(next) if hops < ROUNDS * processes => {
                    let message = Message::Request { origin, ticket, hops: hops + 1, within };
                    let to = Peer(next * threads);
                    abroad.uplink.send(next, &Parcel::Letter { to, from: letter.from, message });
                }
                Some(_) => {
                    let message = Message::Refused { ticket };
                    let parcel = Parcel::Letter { to: origin, from: letter.from, message };
                    match self.is_here(origin) {
                        true => _ = self.receive(abroad.place.process, parcel),
                        false => abroad.uplink.send(self.process_of(origin), &parcel),
                    }
                }
                // There is nobody else: it waits here.
                None => {
                    self.board.put(letter);
                    return;
                }
            }
        }
    }

    fn tell_progress(&self, abroad: &Abroad, turn: &mut Turn) {
        let now = self.now();
        if abroad.place.process == 0 || now < turn.told + PROGRESS_EVERY {
            return;
        }
        turn.told = now;
        let (nodes, table_hits) = (self.nodes(), self.table_hits());
        let selective_depth = self.selective_depth();
        abroad.uplink.send(0, &Parcel::Progress { nodes, table_hits, selective_depth });
    }

    /// Takes what has come; what names nobody who exists is passed over. Whether something was answered.
    fn receive(&self, process: u32, parcel: Parcel) -> bool {
        let exists = |peer: &Peer| peer.index() < self.mailboxes.len();
        match parcel {
            Parcel::Letter { to, from, message } => {
                let known = [to, from].iter().all(exists) && message.names().iter().all(exists);
                if !known || !self.is_here(to) {
                    return false;
                }
                let letter = Letter { from, message };
                match letter.message {
                    Message::Request { within: None, .. } => self.board.put(letter),
                    // There is room for any number where letters come from outside.
                    _ => drop(self.mailboxes[to.index()].post(letter)),
                }
            }
            Parcel::Entries(entries) => {
                entries.into_iter().for_each(|(key, entry)| self.table.store(key, entry));
            }
            Parcel::Reads { asker, keys } => {
                return exists(&asker) && self.answer_reads(asker, &keys);
            }
            Parcel::Answers { to, found } => {
                if let Some(answers) = self.answers(to) {
                    // There is room for any number.
                    found.into_iter().for_each(|answer| _ = answers.post(answer));
                }
            }
            Parcel::Progress { nodes, table_hits, selective_depth } => {
                let Some(first) = process.checked_mul(self.settings.threads).map(Peer) else {
                    return false;
                };
                if exists(&first) && !self.is_here(first) {
                    let gauge = self.gauge(first);
                    gauge.nodes.store(nodes, Relaxed);
                    gauge.table_hits.store(table_hits, Relaxed);
                    gauge.selective_depth.store(selective_depth, Relaxed);
                }
            }
            Parcel::Found { last, outcome } => {
                self.offer(false, outcome.depth, last, || outcome);
            }
            Parcel::End if process == 0 => self.end_here(),
            Parcel::End => self.end(),
        }
        false
    }

    /// Tells somebody what the table here knows; whether there was something to tell.
    fn answer_reads(&self, asker: Peer, keys: &[u64]) -> bool {
        let Some(abroad) = self.abroad.as_ref().filter(|_| !self.is_here(asker)) else {
            return false;
        };
        // Who waits hears of misses too.
        let all = abroad.distance.table.kind == TableKind::Blocking;
        let found = keys.iter().map(|&key| (key, self.table.entry(key)));
        let found: Vec<_> = found.filter(|(_, entry)| all || entry.is_some()).collect();
        let any = !found.is_empty();
        if any {
            abroad.uplink.send(self.process_of(asker), &Parcel::Answers { to: asker, found });
        }
        any
    }

    /// Where the answers of other tables lie that a thread here has asked for.
    pub fn answers(&self, peer: Peer) -> Option<&Mailbox<(u64, Option<Entry>)>> {
        let first = self.peer(Peer::FIRST);
        self.answers.get(peer.0.checked_sub(first.0)? as usize)
    }

    /// Waits for mail at the pump, for so long at most.
    pub fn await_mail(&self, mailbox: &Mailbox<Letter>, longest: Option<Duration>) {
        let begun = Instant::now();
        let longest = longest.map_or(LONGEST_WAIT, |longest| longest.min(LONGEST_WAIT));
        let roomy = self.abroad.as_ref().is_some_and(|abroad| abroad.distance.roomy);
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
