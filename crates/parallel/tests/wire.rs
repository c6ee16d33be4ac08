//! Messages as bytes: what is sent comes out as it went in, and damage is an error and never a panic.

use board::{History, Move, Position};
use eval::Classical;
use parallel::threads::Envelope;
use parallel::{Chance, Dewey, Member, Message, Peer, RootSearch, StateResult, TaskId};
use search::switches::ModernRules;
use search::walk::{Job, JobResult, Opened, SplitRule, Walk, Walker};
use search::wire::{read, write};
use search::{Limits, Profile};
use table::{AnyTable, Bucketed, Entry, Table};

/// Jobs as searches give them out: small and large, early and late, with and without history; and those
/// of nodes that are held apart from a stack, tests of the same position among them.
fn jobs() -> Vec<Job> {
    let records = board::epd::records(include_str!("../../../testdata/epd/bk.epd"));
    let positions = records.map(|(_, epd)| *epd.expect("the suite is sound").position());
    let AnyTable::Bucketed(table) =
        AnyTable::new(Profile::Modern.policy(), 1).expect("a megabyte is there")
    else {
        panic!("modern has buckets")
    };
    let mut jobs = Vec::new();
    for position in positions.step_by(5) {
        from_stack(&table, &position, &mut jobs);
        from_detached(&table, &position, &mut jobs);
    }
    assert!(jobs.len() > 100, "{}", jobs.len());
    jobs
}

fn root_search(position: &Position, depth: i32) -> RootSearch {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    RootSearch { position: *position, game: History::new(), limits }
}

fn from_stack(mut table: &Table<Bucketed>, position: &Position, jobs: &mut Vec<Job>) {
    let mut walk = Walk::new(ModernRules, Classical::new());
    walk.set_grain(1);
    let rule = SplitRule { grain: 1, history_from: 4 };
    let mut walk = walk.session(&mut table, None);
    walk.start_root(&root_search(position, 9), 0);
    for number in 1..60 {
        walk.run(1500, || false);
        let next = |from| walk.split_point(from, rule.grain).map(|it| it.level);
        let levels: Vec<usize> = std::iter::successors(next(0), |&level| next(level + 1)).collect();
        for level in levels.into_iter().rev().take(2) {
            jobs.extend(walk.split(level, Peer(number).task(level as u32), rule));
        }
    }
}

fn from_detached(mut table: &Table<Bucketed>, position: &Position, jobs: &mut Vec<Job>) {
    let mut walk = Walk::new(ModernRules, Classical::new());
    let mut walk = walk.session(&mut table, None);
    let Opened::Open(mut node) = walk.open_root(&root_search(position, 8)) else { return };
    for _ in 0..4 {
        let Some(plan) = walk.plan(&mut node) else { return };
        let job = walk.child(&mut node, &plan, true);
        jobs.push(job.clone());
        let Opened::Open(child) = walk.open(&job) else { return };
        node = child;
    }
}

/// All kinds of messages with all kinds of contents.
struct Maker {
    chance: Chance,
    jobs: Vec<Job>,
}

impl Maker {
    fn number(&mut self) -> u32 {
        // As many small ones as large ones.
        let bits = self.chance.below(33) as u32;
        (self.chance.draw() as u32).checked_shr(32 - bits).unwrap_or(0)
    }

    fn signed(&mut self) -> i32 {
        self.chance.below(64_001) as i32 - 32_000
    }

    fn flag(&mut self) -> bool {
        self.chance.happens(500_000)
    }

    fn task(&mut self) -> TaskId {
        TaskId { issuer: self.number(), number: self.number() }
    }

    fn job(&mut self) -> Box<Job> {
        let chosen = self.chance.below(self.jobs.len());
        Box::new(self.jobs[chosen].clone())
    }

    fn path(&mut self) -> Dewey {
        let mut path = Dewey::root(self.number() as u16);
        for _ in 0..self.chance.below(12) {
            path = path.child(self.number() as u16, self.number() as u16);
        }
        path
    }

    fn job_result(&mut self) -> JobResult {
        let moves = self.chance.below(20);
        let line = (0..moves).map(|_| Move::from_bits(self.number() as u16)).collect();
        JobResult { value: self.signed(), line, nodes: self.chance.draw() }
    }

    fn members(&mut self) -> Vec<Member> {
        let count = self.chance.below(9);
        (0..count).map(|_| Member { peer: Peer(self.number()), ticket: self.number() }).collect()
    }

    fn root_search(&mut self) -> Box<RootSearch> {
        let mut position = Position::startpos();
        let mut game = History::new();
        for text in ["g1f3", "g8f6", "f3g1", "f6g8", "b1c3"] {
            let mv = position.parse_uci(text).expect("a move");
            game.push(position.key());
            position.play(mv);
        }
        let limits = Limits {
            depth: self.flag().then(|| self.signed()),
            nodes: self.flag().then(|| self.chance.draw()),
            mate: self.flag().then(|| self.signed()),
            root_moves: self.job_result().line,
            lines: self.chance.below(5),
        };
        Box::new(RootSearch { position, game, limits })
    }

    fn message(&mut self, kind: usize) -> Message {
        let (task, ticket, path) = (self.task(), self.number(), self.path());
        let (alpha, beta) = (self.signed(), self.signed());
        match kind {
            0 => Message::Request {
                origin: Peer(self.number()),
                ticket,
                hops: self.number(),
                within: self.flag().then_some(task),
            },
            1 => Message::Refused { ticket },
            2 => Message::Work { task, ticket, job: self.job() },
            3 => Message::Declined { task },
            4 => {
                let job_result = self.job_result();
                Message::Return { task, job_result, ticket: self.flag().then_some(ticket) }
            }
            5 => Message::Narrow { task, alpha, beta },
            6 => Message::Cancel { task },
            7 => Message::Ask { task },
            8 => Message::Alive { task, working: self.flag() },
            9 => Message::Begin { root: self.root_search() },
            10 => Message::Stop,
            11 => Message::State { path, job: self.job() },
            12 => {
                let (job_result, killers) = (self.job_result(), Vec::new());
                let entry = self.flag().then(|| Entry::from_bits(self.chance.draw()));
                let state_result =
                    Box::new(StateResult { job_result, alpha, beta, killers, entry });
                Message::Value { path, state_result }
            }
            13 => Message::Abort { path, below: self.flag() },
            14 => Message::Bounds { path, alpha, beta },
            15 => Message::Inquiry { path },
            16 => Message::Status { path, known: self.flag() },
            17 => {
                let mut walk = Walk::new(ModernRules, Classical::new());
                Message::HistoryDelta {
                    receiver: self.number() as u8,
                    history_delta: Box::new(walk.history_delta(0, 0)),
                }
            }
            18 => Message::Team { task, ticket, job: self.job(), members: self.members() },
            19 => Message::Join { task, members: self.members() },
            21 => Message::Steal { path, job: self.job(), ticket },
            _ => Message::Release { task, members: self.members() },
        }
    }
}

fn maker() -> Maker {
    Maker { chance: Chance::new(8, 0), jobs: jobs() }
}

#[test]
fn every_message_comes_out_as_it_went_in() {
    let mut maker = maker();
    for kind in 0..Message::KINDS.len() {
        for _ in 0..40 {
            let message = maker.message(kind);
            assert_eq!(message.kind(), kind);
            let bytes = write(&message);
            let again: Message =
                read(&bytes).unwrap_or_else(|error| panic!("{error}: {message:?}"));
            assert_eq!(format!("{message:?}"), format!("{again:?}"));
            assert_eq!(write(&again), bytes);
        }
    }
}

#[test]
fn every_job_comes_out_as_it_went_in() {
    for job in jobs() {
        assert_eq!(read(&write(&job)).as_ref(), Ok(&job));
    }
}

#[test]
fn damaged_bytes_end_in_a_value_or_an_error() {
    let mut maker = maker();
    let mut refused = 0;
    for round in 0..20_000 {
        let mut bytes = write(&maker.message(round % Message::KINDS.len()));
        for _ in 0..=maker.chance.below(4) {
            let place = maker.chance.below(bytes.len());
            match maker.chance.below(4) {
                0 => bytes.truncate(place),
                1 => bytes.insert(place, maker.chance.draw() as u8),
                _ if place < bytes.len() => bytes[place] ^= 1 << maker.chance.below(8),
                _ => (),
            }
        }
        refused += u32::from(read::<Message>(&bytes).is_err());
    }
    assert!(refused > 5_000, "{refused} of 20000 were seen");
    for _ in 0..20_000 {
        let bytes: Vec<u8> =
            (0..maker.chance.below(200)).map(|_| maker.chance.draw() as u8).collect();
        // Whatever they stand for, if anything.
        let _ = read::<Message>(&bytes);
    }
}

#[test]
fn an_envelope_comes_out_as_it_went_in() {
    let mut maker = maker();
    for kind in 0..Message::KINDS.len() {
        let envelope = Envelope { from: Peer(maker.number()), message: maker.message(kind) };
        let bytes = write(&envelope);
        let again: Envelope = read(&bytes).expect("it is sound");
        assert_eq!(format!("{again:?}"), format!("{envelope:?}"));
        for length in 0..bytes.len().min(64) {
            assert!(read::<Envelope>(&bytes[..length]).is_err(), "cut off at {length}");
        }
    }
}
