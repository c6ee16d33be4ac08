//! One processor of a distributed build.

use super::coordinator::Coordinator;
use super::message::{Message, Processor, SeenBytes};
use super::outbox::{Arrived, Ears, Outbox};
use super::share::{Share, UNIT};
use super::{Action, BuildSpec, Traffic};
use crate::build::en_passant::EnPassant;
use crate::build::first::{Frame, LookAt};
use crate::build::levels::{Hear, Retract};
use crate::build::memory::{CHUNK, Memory};
use crate::file::Seen;
use board::Color;
use board::attacks::{Isa, Kernel, dispatch};

/// Rights to capture en passant that are worked on in one step.
const EN_PASSANT_STEP: usize = 1 << 12;

/// What a processor is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// The first look at its units, of both sides to move one after the other.
    First(usize),
    /// The rights to capture en passant, at the round's level.
    EnPassant(usize),
    /// Its units, at the round's level.
    Level(usize),
    /// All is found; some of it has not been taken yet.
    Taking,
    /// Summing up.
    Sum(usize),
    /// Nothing to do.
    Waiting,
}

/// One processor: see the module's page.
pub struct Builder<'a> {
    frame: Frame<'a>,
    share: Share,
    memory: Memory,
    en_passant: Vec<EnPassant>,
    outbox: Outbox,
    arrived: Vec<Arrived>,
    phase: Phase,
    round: u32,
    level: u16,
    seen: [Seen; 2],
    coordinator: Option<Coordinator>,
    stopped: bool,
}

impl<'a> Builder<'a> {
    /// One of some processors; the first one leads.
    pub fn new(spec: BuildSpec<'a>, me: Processor, processors: u32) -> Builder<'a> {
        let share = Share { me, processors: processors.max(1), size: spec.layout.size() };
        let BuildSpec { layout, metric, successors, .. } = spec;
        Builder {
            frame: Frame { layout, successors, metric },
            share,
            memory: Memory::new(share.units() * UNIT),
            en_passant: Vec::new(),
            outbox: Outbox::new(share),
            arrived: (0..share.processors).map(|_| Arrived::default()).collect(),
            phase: Phase::First(0),
            round: 0,
            level: 0,
            seen: [Seen::new(), Seen::new()],
            coordinator: (me == 0).then(|| Coordinator::new(layout, spec.files, share)),
            stopped: false,
        }
    }

    /// Whether it is over.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// What it has sent.
    pub fn traffic(&self) -> &Traffic {
        &self.outbox.traffic
    }

    /// The next thing to be done.
    pub fn poll(&mut self) -> Option<Action> {
        self.outbox.poll()
    }

    /// A message has come. Messages that do not fit are dropped.
    pub fn handle(&mut self, from: Processor, message: Message) {
        match message {
            Message::Level { round, level } if round == self.round + 1 => {
                (self.round, self.level, self.phase) = (round, level, Phase::EnPassant(0));
                self.outbox.news = false;
            }
            Message::Batch { number, level, updates } => {
                let known = self.arrived.get_mut(from as usize);
                if known.is_some_and(|arrived| arrived.is_new(number)) {
                    for update in updates {
                        let (index, side) = (update.index as usize, usize::from(update.side & 1));
                        if index < self.share.size && self.share.home(index) == self.share.me {
                            let mut own = &self.memory;
                            own.hear(side, self.share.place(index), level, update.moves.into());
                        }
                    }
                }
                self.outbox.send(from, Message::Taken { number });
            }
            Message::Taken { number } => {
                self.outbox.taken(from, number);
                self.outbox.flush(self.level, self.phase == Phase::Taking);
                self.finish_round();
            }
            Message::Sum if self.phase == Phase::Waiting => self.phase = Phase::Sum(0),
            Message::Want { side, unit } => self.send_cells(from, side, unit),
            Message::Stop => self.stopped = true,
            other => {
                if let Some(coordinator) = &mut self.coordinator {
                    coordinator.handle(from, other, &mut self.outbox);
                }
            }
        }
    }

    /// Does a small piece of work; how many positions were looked at, or none if there is no work now.
    pub fn work(&mut self) -> Option<u64> {
        if self.stopped || self.outbox.is_full() {
            return None;
        }
        let units = self.share.units();
        let (side, nth) = match self.phase {
            Phase::First(step) | Phase::Level(step) | Phase::Sum(step) => {
                (Color::from_white(step < units), if step < units { step } else { step - units })
            }
            _ => (Color::White, 0),
        };
        let last = 2 * units;
        match self.phase {
            Phase::First(step) if step < last => {
                self.phase = Phase::First(step + 1);
                Some(dispatch(Step { builder: self, side, nth, first: true }))
            }
            Phase::Level(step) if step < last => {
                self.phase = Phase::Level(step + 1);
                let work = dispatch(Step { builder: self, side, nth, first: false });
                self.outbox.flush(self.level, false);
                Some(work)
            }
            Phase::Sum(step) if step < last => {
                self.phase = Phase::Sum(step + 1);
                Some(self.sum(side, nth))
            }
            Phase::EnPassant(begin) => {
                let end = self.en_passant.len().min(begin + EN_PASSANT_STEP);
                self.pass(begin, end);
                let done = end == self.en_passant.len();
                self.phase = if done { Phase::Level(0) } else { Phase::EnPassant(end) };
                self.outbox.flush(self.level, false);
                Some((end - begin) as u64)
            }
            Phase::First(_) | Phase::Level(_) => {
                self.phase = Phase::Taking;
                self.outbox.flush(self.level, true);
                self.finish_round();
                Some(0)
            }
            Phase::Sum(_) => {
                self.phase = Phase::Waiting;
                let sides = self.seen.clone().map(SeenBytes);
                self.outbox.send(0, Message::Seen(Box::new(sides)));
                Some(0)
            }
            Phase::Taking | Phase::Waiting => None,
        }
    }

    /// Tells the first processor when everything has been taken.
    fn finish_round(&mut self) {
        if self.phase != Phase::Taking || !self.outbox.is_empty() {
            return;
        }
        self.phase = Phase::Waiting;
        let least = if self.round == 0 { 0 } else { self.level + 1 };
        let pending = self.en_passant.iter().filter_map(EnPassant::pending);
        let en_passant = pending.filter(|&level| level >= least).min();
        let own = self.memory.next_level(least);
        let next = own.into_iter().chain(en_passant).min();
        let (round, news) = (self.round, self.outbox.news);
        self.outbox.send(0, Message::Done { round, news, next });
    }

    fn pass(&mut self, begin: usize, end: usize) {
        let Builder { share, memory, en_passant, outbox, level, .. } = self;
        let mut ears = Ears { memory, outbox };
        for en_passant in en_passant.iter_mut().take(end).skip(begin) {
            let side = en_passant.side();
            let cell = memory.get(side, share.place(en_passant.index as usize));
            if en_passant.advance(cell, *level) {
                ears.hear(1 - side, en_passant.before as usize, *level, 1);
            }
        }
    }

    fn sum(&mut self, side: Color, nth: usize) -> u64 {
        let positions = self.share.unit(nth);
        let count = positions.len() as u64;
        for index in positions {
            let cell = self.memory.get(side.index(), self.share.place(index));
            self.seen[side.index()].see(index, cell, self.frame.layout.weight(index));
        }
        count
    }

    fn send_cells(&mut self, to: Processor, side: u8, unit: u32) {
        let begin = unit as usize * UNIT;
        if begin >= self.share.size || self.share.home(begin) != self.share.me {
            return;
        }
        let end = self.share.size.min(begin + UNIT);
        let place = |index| self.memory.get(usize::from(side & 1), self.share.place(index));
        let cells = (begin..end).map(place).collect();
        self.outbox.send(to, Message::Cells { side, unit, cells });
    }
}

/// One unit of the first look, or of a level.
struct Step<'a, 'b> {
    builder: &'a mut Builder<'b>,
    side: Color,
    nth: usize,
    first: bool,
}

impl Kernel for Step<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u64 {
        let Step { builder, side, nth, first } = self;
        let Builder { frame, share, memory, en_passant, outbox, level, .. } = builder;
        let positions = share.unit(nth);
        if first {
            let count = positions.len() as u64;
            for index in positions {
                let look = LookAt { frame: *frame, side, index, en_passant };
                if let Some(state) = isa.call(look) {
                    memory.set(side.index(), share.place(index), state);
                }
            }
            return count;
        }
        let place = share.place(positions.start);
        if !memory.may_hold(side.index(), place / CHUNK, *level) {
            return 0;
        }
        let mut retract =
            Retract { layout: frame.layout, side, level: *level, hearer: Ears { memory, outbox } };
        let mut decided = 0;
        for (index, place) in positions.zip(place..) {
            if memory.get(side.index(), place) == *level {
                decided += 1;
                retract.all(isa, index);
            }
        }
        decided
    }
}
