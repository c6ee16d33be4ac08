//! Updates on their way to those who have the positions.

use super::message::{Message, Processor, Update};
use super::share::Share;
use super::{Action, BATCH, Traffic, WINDOW};
use crate::build::levels::Hear;
use crate::build::memory::Memory;
use std::collections::{BTreeSet, VecDeque};

/// What one processor has for another.
#[derive(Default)]
struct Line {
    /// Updates of a batch that is not full yet.
    open: Vec<Update>,
    /// Full batches that wait until others have been taken.
    full: VecDeque<Vec<Update>>,
    /// Numbers of batches that have been sent and not taken.
    sent: BTreeSet<u32>,
    next: u32,
}

/// The batches to all other processors.
pub struct Outbox {
    share: Share,
    lines: Vec<Line>,
    /// Whether there was any news in this round.
    pub news: bool,
    /// What was sent.
    pub traffic: Traffic,
    actions: VecDeque<Action>,
}

impl Outbox {
    pub fn new(share: Share) -> Outbox {
        let lines = (0..share.processors).map(|_| Line::default()).collect();
        let traffic = Traffic::default();
        Outbox { share, lines, news: false, traffic, actions: VecDeque::new() }
    }

    /// Sends any message.
    pub fn send(&mut self, to: Processor, message: Message) {
        self.actions.push_back(Action::Send(to, message));
    }

    /// Does something else.
    pub fn act(&mut self, action: Action) {
        self.actions.push_back(action);
    }

    /// The next thing to be done.
    pub fn poll(&mut self) -> Option<Action> {
        let action = self.actions.pop_front()?;
        if let Action::Send(_, message) = &action {
            self.traffic.messages += 1;
            self.traffic.bytes += message.length() as u64;
        }
        Some(action)
    }

    /// Whether a processor is so far behind that no more should be found for now.
    pub fn is_full(&self) -> bool {
        self.lines.iter().any(|line| !line.full.is_empty())
    }

    /// Whether every update has been taken.
    pub fn is_empty(&self) -> bool {
        self.lines
            .iter()
            .all(|line| line.open.is_empty() && line.full.is_empty() && line.sent.is_empty())
    }

    /// Sends what the window allows, and with `all` batches that are not full.
    pub fn flush(&mut self, level: u16, all: bool) {
        for to in 0..self.lines.len() {
            while let Some(line) = self.lines.get_mut(to) {
                if line.sent.len() >= WINDOW {
                    break;
                }
                let next = line.full.pop_front();
                let rest =
                    || (all && !line.open.is_empty()).then(|| std::mem::take(&mut line.open));
                let Some(updates) = next.or_else(rest) else { break };
                let number = line.next;
                line.next += 1;
                line.sent.insert(number);
                self.traffic.batches += 1;
                self.traffic.updates += updates.len() as u64;
                self.send(to as Processor, Message::Batch { number, level, updates });
            }
        }
    }

    /// A processor has taken a batch.
    pub fn taken(&mut self, by: Processor, number: u32) {
        if let Some(line) = self.lines.get_mut(by as usize) {
            line.sent.remove(&number);
        }
    }
}

/// Takes updates into the own memory, and queues those for the memory of other processors.
pub struct Ears<'a> {
    pub memory: &'a Memory,
    pub outbox: &'a mut Outbox,
}

impl Hear for Ears<'_> {
    #[inline(always)]
    fn hear(&mut self, side: usize, before: usize, level: u16, moves: u16) {
        let share = self.outbox.share;
        let home = share.home(before);
        self.outbox.news = true;
        if home == share.me {
            self.outbox.traffic.at_home += 1;
            let mut own = self.memory;
            own.hear(side, share.place(before), level, moves);
            return;
        }
        let Some(line) = self.outbox.lines.get_mut(home as usize) else { return };
        line.open.push(Update { index: before as u32, side: side as u8, moves: moves as u8 });
        if line.open.len() >= BATCH {
            line.full.push_back(std::mem::take(&mut line.open));
        }
    }
}

/// Which batches of another processor have come, so that none counts twice.
#[derive(Default)]
pub struct Arrived {
    /// All below this have come.
    below: u32,
    above: BTreeSet<u32>,
}

impl Arrived {
    /// Whether a number comes for the first time.
    pub fn is_new(&mut self, number: u32) -> bool {
        if number < self.below || !self.above.insert(number) {
            return false;
        }
        while self.above.remove(&self.below) {
            self.below += 1;
        }
        true
    }
}
