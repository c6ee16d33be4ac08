//! A link as the threads of a pool see it.

use crate::frame::{Frame, put_packet};
use crate::transport::{Traffic, lock};
use crate::{Link, SearchAssignment};
use parallel::threads::{Distance, Packet, Place, Settings, SharedRequests, ThreadReport, Uplink};
use parallel::{RootSearch, TableKind};
use std::sync::Arc;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::time::Duration;

/// Whether a search could not do without a packet.
fn is_needed(packet: &Packet) -> bool {
    !matches!(packet, Packet::Entries(_) | Packet::Reads { .. } | Packet::Answers { .. })
}

impl Uplink for Link {
    fn place(&self) -> Place {
        let place = self.members.place;
        Place { processes: self.settings.searchers(place.processes), ..place }
    }

    fn distance(&self, threads: u32) -> Distance {
        self.settings.distance(threads)
    }

    fn shared_requests(&self) -> Option<(Arc<SharedRequests>, u32)> {
        let shared_requests = self.transport.shared_requests()?;
        Some((Arc::clone(shared_requests), self.present.load(SeqCst)))
    }

    fn is_lost(&self, process: u32) -> bool {
        self.is_lost_process(process)
    }

    fn announce(&self, root: &RootSearch, settings: &Settings) {
        let number = self.present.load(SeqCst) + 1;
        self.enter(number);
        let search = Frame::Search(Box::new(SearchAssignment::new(number, root, settings)));
        self.companions().for_each(|process| self.write(process, &search));
        self.step();
    }

    fn send(&self, process: u32, packet: &Packet) {
        let number = self.present.load(Relaxed);
        self.write_with(process, is_needed(packet), |out| put_packet(number, packet, out));
    }

    fn send_to_all(&self, packet: &Packet) {
        let mut bytes = Vec::new();
        put_packet(self.present.load(Relaxed), packet, &mut bytes);
        let needed = is_needed(packet);
        let write = |process| self.write_with(process, needed, |out| out.extend_from_slice(&bytes));
        match packet {
            // Processes that have a table in common find it there.
            Packet::Entries(_) if self.table() == TableKind::Shared => {
                self.other_hosts().for_each(write);
            }
            _ => self.companions().for_each(write),
        }
    }

    fn exchange(&self, take: &mut dyn FnMut(u32, Packet)) {
        self.step();
        if self.has_packets.swap(false, SeqCst) {
            let packets = lock(&self.inbox).take_packets(self.present.load(SeqCst));
            packets.into_iter().for_each(|(from, packet)| take(from, packet));
        }
    }

    fn settle(&self) {
        let number = self.present.load(SeqCst);
        if !self.is_first() || number == 0 {
            return;
        }
        // Those that are lost do not count: the wait has an end.
        self.await_news(Duration::MAX, |inbox| {
            inbox.all(self.companions(), |said| said.done >= number).then_some(())
        });
        self.exit(number);
    }

    fn reports(&self) -> Vec<ThreadReport> {
        let number = self.present.load(SeqCst);
        let inbox = lock(&self.inbox);
        let done = inbox.of_each.iter().filter(|said| said.done == number && number > 0);
        done.flat_map(|said| said.reports.clone()).collect()
    }
}

impl Link {
    /// What all processes have sent until the end of the last search; the first waits for the others.
    pub fn traffic_of_all(&self) -> Traffic {
        self.settle();
        let inbox = lock(&self.inbox);
        inbox.of_each.iter().fold(self.traffic(), |sum, said| sum.plus(&said.traffic))
    }
}
