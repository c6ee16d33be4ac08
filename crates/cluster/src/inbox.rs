//! What has come and waits for those whom it concerns.

use crate::{Call, SearchOrder, Traffic};
use parallel::threads::{Parcel, ThreadReport};
use std::collections::VecDeque;

/// What a process that follows is to do next.
#[derive(Clone, Debug)]
pub enum Task {
    /// Follow an order in words.
    Order(String),
    /// Take part in a search.
    Search(Box<SearchOrder>),
    /// Do something alone.
    Call(Call),
    /// Leave; with a reason, if it is a bad one.
    Leave(String),
}

/// Parcels of searches that have not begun here are kept, but not without end.
const MOST_EARLY: usize = 1 << 16;

/// What has come.
#[derive(Default)]
pub struct Inbox {
    /// With the number of the search and the sender.
    pub parcels: VecDeque<(u32, u32, Parcel)>,
    pub tasks: VecDeque<Task>,
    /// What went wrong elsewhere, with the process.
    pub failures: VecDeque<(u32, String)>,
    /// The last search that each process has ended, and what its threads did.
    pub done: Vec<(u32, Vec<ThreadReport>)>,
    /// What each had sent by then.
    pub traffic: Vec<Traffic>,
    pub hellos: Vec<Option<String>>,
    pub welcome: bool,
    pub byes: Vec<bool>,
    /// Whether all have said goodbye, when that is known.
    pub settled: Option<bool>,
    /// The last question whether all orders are followed that each has answered.
    pub ready: Vec<u32>,
    /// Answers to calls: which, whether it is the last, what.
    pub answers: VecDeque<(u32, bool, Vec<u8>)>,
    /// Calls that are to be cut short.
    pub cut_short: Vec<u32>,
    /// The work, the sender, and what he says about it.
    pub build_messages: VecDeque<(u32, u32, Vec<u8>)>,
    pub pongs: VecDeque<(u32, Vec<u8>)>,
}

impl Inbox {
    pub fn new(processes: u32) -> Inbox {
        let processes = processes as usize;
        Inbox {
            done: vec![(0, Vec::new()); processes],
            traffic: vec![Traffic::default(); processes],
            hellos: vec![None; processes],
            byes: vec![false; processes],
            ready: vec![0; processes],
            ..Inbox::default()
        }
    }

    /// Keeps a parcel for a search that runs or is to come.
    pub fn keep(&mut self, present: u32, number: u32, from: u32, parcel: Parcel) {
        if number >= present && self.parcels.len() < MOST_EARLY {
            self.parcels.push_back((number, from, parcel));
        }
    }

    /// Takes the parcels of the present search; those of later ones stay.
    pub fn take_parcels(&mut self, present: u32) -> Vec<(u32, Parcel)> {
        let mut taken = Vec::new();
        for (number, from, parcel) in std::mem::take(&mut self.parcels) {
            if number == present {
                taken.push((from, parcel));
            } else if number > present {
                self.parcels.push_back((number, from, parcel));
            }
        }
        taken
    }
}
