//! A link as the threads of a pool see it.

use crate::distance::distance_for;
use crate::frame::{Frame, put_parcel};
use crate::link::lock;
use crate::{Link, SearchOrder};
use parallel::threads::{Distance, Parcel, Place, Settings, SharedRequests, ThreadReport, Uplink};
use parallel::{RootOrder, TableKind};
use std::sync::Arc;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::time::Duration;

/// Whether a search could not do without a parcel.
fn is_needed(parcel: &Parcel) -> bool {
    !matches!(parcel, Parcel::Entries(_) | Parcel::Reads { .. } | Parcel::Answers { .. })
}

impl Uplink for Link {
    fn place(&self) -> Place {
        Place { processes: self.searchers(), ..self.place }
    }

    fn distance(&self, threads: u32) -> Distance {
        let round_trip = Duration::from_nanos(self.round_trip_ns.load(Relaxed));
        let needed = self.crowd.load(Relaxed).saturating_mul(threads);
        let roomy = needed <= self.cores.load(Relaxed);
        let mut distance = distance_for(round_trip, roomy, self.table());
        if self.table() == TableKind::Shared && self.is_one_host() {
            // Nobody has to be told.
            distance.table.write_from = i32::MAX;
        }
        match self.remote_grain.load(Relaxed) {
            0 => distance,
            wanted => Distance { remote_grain: wanted as i32, ..distance },
        }
    }

    fn shared_requests(&self) -> Option<(Arc<SharedRequests>, u32)> {
        let shared_requests = self.shared_requests.get()?;
        Some((Arc::clone(shared_requests), self.present.load(SeqCst)))
    }

    fn is_lost(&self, process: u32) -> bool {
        self.is_lost_process(process)
    }

    fn announce(&self, order: &RootOrder, settings: &Settings) {
        let number = self.present.load(SeqCst) + 1;
        self.enter(number);
        let order = Frame::Search(Box::new(SearchOrder::new(number, order, settings)));
        self.companions().for_each(|process| self.write(process, &order));
        self.step();
    }

    fn send(&self, process: u32, parcel: &Parcel) {
        let number = self.present.load(Relaxed);
        self.write_with(process, is_needed(parcel), |out| put_parcel(number, parcel, out));
    }

    fn send_to_all(&self, parcel: &Parcel) {
        let mut bytes = Vec::new();
        put_parcel(self.present.load(Relaxed), parcel, &mut bytes);
        let needed = is_needed(parcel);
        let write = |process| self.write_with(process, needed, |out| out.extend_from_slice(&bytes));
        match parcel {
            // Those who have a table in common with somebody find it there.
            Parcel::Entries(_) if self.table() == TableKind::Shared => {
                self.other_hosts().for_each(write);
            }
            _ => self.companions().for_each(write),
        }
    }

    fn exchange(&self, take: &mut dyn FnMut(u32, Parcel)) {
        self.step();
        if self.has_parcels.swap(false, SeqCst) {
            let parcels = lock(&self.inbox).take_parcels(self.present.load(SeqCst));
            parcels.into_iter().for_each(|(from, parcel)| take(from, parcel));
        }
    }

    fn settle(&self) {
        let number = self.present.load(SeqCst);
        if !self.is_first() || number == 0 {
            return;
        }
        // Those who are lost do not count: the wait has an end.
        self.await_news(Duration::MAX, |inbox| {
            let is_done = |process: u32| {
                inbox.done.get(process as usize).is_none_or(|(last, _)| *last >= number)
            };
            self.companions().all(is_done).then_some(())
        });
        self.exit(number);
    }

    fn reports(&self) -> Vec<ThreadReport> {
        let number = self.present.load(SeqCst);
        let inbox = lock(&self.inbox);
        let done = inbox.done.iter().filter(|(last, _)| *last == number && number > 0);
        done.flat_map(|(_, reports)| reports.clone()).collect()
    }
}
