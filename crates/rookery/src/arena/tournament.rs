//! Playing all games of a schedule, several at a time.
//!
//! Each thread takes the next free game and plays it with processes of its own. The
//! main thread counts, writes and decides when it is enough.

use super::game::{self, Player, Record};
use super::journal::Journal;
use super::notation::{self, Frame};
use super::openings::Openings;
use super::plan::Plan;
use super::process::Recall;
use super::remote::{self, Away};
use super::report::Setting;
use super::schedule::Fixture;
use super::tablebase::Tablebase;
use super::tally::{Incident, Tally};
use crate::counted::counted;
use crate::failure::Failure;
use crate::interrupt;
use crate::plain;
use crate::progress::Progress;
use cluster::Link;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Illegal variations of an engine that are shown one by one.
const VARIATIONS_SHOWN: u64 = 3;

/// How often the main thread looks whether the user has pressed Ctrl-C.
const LOOK: Duration = Duration::from_millis(100);
/// Games that are counted together when they come faster than the disk takes them.
const MOST_TOGETHER: usize = 256;

/// A match that is being played.
pub struct Tournament<'a> {
    pub plan: &'a Plan,
    /// Other processes that play games too.
    pub link: Option<&'a Arc<Link>>,
    pub setting: &'a Setting<'a>,
    pub openings: &'a Openings,
    pub tablebase: Option<&'a Tablebase>,
    pub journal: &'a Journal,
    pub tally: &'a mut Tally,
    /// Games between two reports.
    pub every: u64,
    pub tell: Tell,
    pub event: &'a str,
}

/// Which games are reported one by one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tell {
    Games,
    /// Those in which an engine did something wrong.
    Faults,
    Nothing,
}

/// What the threads share.
struct Shared<'a> {
    plan: &'a Plan,
    openings: &'a Openings,
    tablebase: Option<&'a Tablebase>,
    /// The games that are still to be played.
    fixtures: &'a [Fixture],
    next: AtomicUsize,
    /// Games that others could not play.
    returned: Mutex<Vec<Fixture>>,
    recall: Recall,
}

impl Shared<'_> {
    /// The next game that no thread has taken.
    fn take(&self) -> Option<Fixture> {
        let mut returned = self.returned.lock().unwrap_or_else(PoisonError::into_inner);
        let next = || self.fixtures.get(self.next.fetch_add(1, Relaxed)).copied();
        returned.pop().or_else(next)
    }

    fn give_back(&self, fixture: Fixture) {
        self.returned.lock().unwrap_or_else(PoisonError::into_inner).push(fixture);
    }
}

impl Tournament<'_> {
    /// Plays what is left of the match, or until the user presses Ctrl-C.
    pub fn run(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let schedule = &self.plan.schedule;
        let fixtures: Vec<Fixture> = (0..)
            .map_while(|index| schedule.fixture(index))
            .filter(|fixture| !self.tally.has(fixture))
            .collect();
        if self.is_decided() {
            return Ok(());
        }
        let shared = Shared {
            plan: self.plan,
            openings: self.openings,
            tablebase: self.tablebase,
            fixtures: &fixtures,
            next: AtomicUsize::new(0),
            returned: Mutex::default(),
            recall: Recall::default(),
        };
        let threads = self.plan.concurrency.min(fixtures.len());
        let bar = Progress::new();
        let begun = Instant::now();
        thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for _ in 0..threads {
                let (shared, sender) = (&shared, sender.clone());
                thread::Builder::new()
                    .name(String::from("games"))
                    .spawn_scoped(scope, move || play_some(shared, &sender))
                    .map_err(|error| Failure::Work(format!("no thread: {error}")))?;
            }
            for process in self.link.iter().flat_map(|link| link.others()) {
                for slot in 0..self.plan.concurrency as u32 {
                    let (shared, sender, link) = (&shared, sender.clone(), self.link);
                    scope.spawn(move || play_elsewhere(shared, link, process, slot, &sender));
                }
            }
            drop(sender);
            let counted = self.count_all(&results, &bar, begun, out);
            // Whatever ended the counting, the games that are still going on are not needed.
            shared.recall.call_off();
            counted
        })
    }

    /// Counts games until there are no more, or enough, or the user has had enough.
    fn count_all(
        &mut self,
        results: &Receiver<(Fixture, Record)>,
        bar: &Progress,
        begun: Instant,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        loop {
            let first = match results.recv_timeout(LOOK) {
                Ok(first) => first,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) if interrupt::requested() => return Ok(()),
                Err(RecvTimeoutError::Timeout) => continue,
            };
            let others = results.try_iter().take(MOST_TOGETHER - 1);
            if self.count(std::iter::once(first).chain(others), bar, begun, out)? {
                return Ok(());
            }
        }
    }

    /// Whether the test has come to a decision.
    fn is_decided(&self) -> bool {
        let duel = self.tally.duels.first();
        self.plan.sprt.zip(duel).is_some_and(|(sprt, duel)| sprt.decide(&duel.pairs).is_some())
    }

    /// Notes games everywhere; whether the match is decided by them.
    fn count(
        &mut self,
        games: impl Iterator<Item = (Fixture, Record)>,
        bar: &Progress,
        begun: Instant,
        out: &mut impl Write,
    ) -> Result<bool, Failure> {
        let before = self.tally.played();
        let (mut text, mut counted, mut is_over) = (String::new(), Vec::new(), false);
        for (fixture, record) in games {
            let incidents = self.tally.note(&fixture, &record, self.setting.names);
            let game = notation::write(&self.frame(&fixture), &record);
            text.push_str(&format!("{game}\n"));
            counted.push((fixture, record, incidents));
            is_over = self.is_decided();
            if is_over {
                break;
            }
        }
        self.journal.record(&text, self.tally, begun.elapsed()).map_err(Failure::Work)?;
        let (played, total) = (self.tally.played(), self.plan.schedule.total() as u64);
        bar.set(played, total);
        match self.tell {
            Tell::Games => {}
            Tell::Faults => counted.retain(|(_, _, incidents)| !incidents.is_empty()),
            Tell::Nothing => return Ok(is_over),
        }
        bar.pause(|| {
            counted.iter().try_for_each(|(fixture, record, incidents)| {
                self.tell(fixture, record, incidents, out)
            })
        })?;
        let is_time = before / self.every < played / self.every && played < total && !is_over;
        if is_time {
            let time = self.journal.earlier + begun.elapsed();
            let standing = self.setting.standing(self.tally, Some(self.time_left(time)));
            bar.pause(|| write!(out, "{standing}").and_then(|()| out.flush()))?;
        }
        Ok(is_over)
    }

    /// How long it may still take: all games that are left, or as many as the test needs if its
    /// evidence grows as it has grown so far.
    fn time_left(&self, time: Duration) -> Duration {
        let played = self.tally.played().max(1) as f64;
        let all = self.plan.schedule.total() as f64 / played - 1.0;
        let test = self.plan.sprt.zip(self.tally.duels.first()).map(|(sprt, duel)| {
            let evidence = sprt.log_likelihood_ratio(&duel.pairs);
            let (lower, upper) = sprt.bounds();
            if evidence < 0.0 { lower / evidence - 1.0 } else { upper / evidence - 1.0 }
        });
        let times = test.unwrap_or(f64::INFINITY).min(all).max(0.0);
        Duration::try_from_secs_f64(time.as_secs_f64() * times).unwrap_or(Duration::MAX)
    }

    fn frame(&self, fixture: &Fixture) -> Frame<'_> {
        let engine = |index: usize| self.plan.contestants.get(index);
        let name = |index| engine(index).map_or("?", |engine| engine.name.as_str());
        let control = |index| engine(index).map_or(String::new(), |it| it.limits.to_string());
        Frame {
            event: self.event,
            white: name(fixture.white),
            black: name(fixture.black),
            controls: [control(fixture.white), control(fixture.black)],
            round: fixture.round,
            reversed: fixture.reversed,
        }
    }

    /// Says how a game ended.
    fn tell(
        &self,
        fixture: &Fixture,
        record: &Record,
        incidents: &[Incident],
        out: &mut impl Write,
    ) -> std::io::Result<()> {
        let Frame { white, black, .. } = self.frame(fixture);
        let end = &record.end;
        writeln!(
            out,
            "game {}: {white} – {black} {}, {end} ({})",
            fixture.index + 1,
            end.result(),
            counted(record.played.len().div_ceil(2), "move")
        )?;
        for Incident { engine, what, position, fen, .. } in incidents {
            if !self.is_shown(engine, what) {
                continue;
            }
            writeln!(out, "  {engine}: {what}\n    in {fen}\n    position {position}")?;
        }
        out.flush()
    }

    /// Illegal variations can be many: the first ones are examples enough.
    fn is_shown(&self, engine: &str, what: &str) -> bool {
        let engines = self.setting.names.iter().zip(&self.tally.conduct);
        let conduct = engines.into_iter().find(|(name, _)| *name == engine);
        !what.starts_with("illegal variation")
            || conduct.is_some_and(|(_, it)| it.illegal_variations <= VARIATIONS_SHOWN)
    }
}

/// Plays games until there are none left, their results are no longer taken, or the match is called off.
fn play_some<'a>(shared: &'a Shared<'a>, results: &Sender<(Fixture, Record)>) {
    let mut kept: Vec<(usize, Player<'a>)> = Vec::new();
    while let Some(fixture) = shared.take() {
        // Engines that do not play now give their memory back.
        kept.retain(|(engine, _)| [fixture.white, fixture.black].contains(engine));
        let mut take = |engine: usize| {
            let place = kept.iter().position(|(other, _)| *other == engine);
            match place.map(|place| kept.swap_remove(place)) {
                Some((_, player)) => Some(player),
                None => {
                    let contestant = shared.plan.contestants.get(engine)?;
                    Some(Player::new(contestant, shared.plan.timeouts, &shared.recall))
                }
            }
        };
        let (Some(white), Some(black)) = (take(fixture.white), take(fixture.black)) else {
            return;
        };
        let opening = shared.openings.of_round(fixture.round);
        let mut players = [white, black];
        let Shared { plan, tablebase, recall, .. } = shared;
        let played = game::play(&mut players, &opening, plan.rules, *tablebase, recall);
        let Some(record) = played else { return };
        let [white, black] = players;
        kept.extend([(fixture.white, white), (fixture.black, black)]);
        if results.send((fixture, record)).is_err() {
            return;
        }
    }
}

/// Has games played by another process; what it cannot play is played here.
fn play_elsewhere<'a>(
    shared: &'a Shared<'a>,
    link: Option<&Arc<Link>>,
    process: u32,
    slot: u32,
    results: &Sender<(Fixture, Record)>,
) {
    let Some(link) = link else { return };
    let stage = shared.plan.stage;
    while let Some(fixture) = shared.take() {
        let opening = shared.openings.of_round(fixture.round);
        match remote::play_there(link, process, slot, &fixture, &opening, stage, &shared.recall) {
            Away::Played(record) => {
                if results.send((fixture, *record)).is_err() {
                    return;
                }
            }
            Away::CalledOff => return,
            Away::Unfit(reason) => {
                shared.give_back(fixture);
                plain::say(format_args!("process {process} plays no more games: {reason}"));
                return play_some(shared, results);
            }
        }
    }
}
