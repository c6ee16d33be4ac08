//! Damaged FEN, EPD, PGN, moves and packed positions: each ends in a value or in one line of error,
//! never in a panic, a hang or an overflow (the dev profile checks them), and every position that is
//! accepted keeps all invariants.
//!
//! `ROOKERY_FUZZ_INPUTS` says how many inputs, `ROOKERY_FUZZ_SEED` where the random numbers begin;
//! `cargo xtask fuzz` feeds a million. An input follows from the seed and its number alone, whatever
//! the number of threads.

mod checks;
mod corpus;

use corpus::Corpus;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Inputs without the variable: some seconds in the dev profile.
const DEFAULT_INPUTS: u64 = 40_000;
const DEFAULT_SEED: u64 = 1;
/// An input that takes longer hangs. The slowest honest ones take some milliseconds; the machine may be
/// busy with something else for a while.
const HANG: Duration = Duration::from_secs(120);
const REPORT: Duration = Duration::from_secs(5);
const LONGEST: usize = 1 << 16;

/// What an input pretends to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A position as a line of text.
    Fen,
    /// A position with operations.
    Epd,
    /// One game or two.
    Pgn,
    /// A move as UCI writes it.
    Coordinates,
    /// A move in algebraic notation.
    San,
    /// A position in 32 bytes.
    Packed,
}

impl Form {
    const ALL: [Form; 6] =
        [Form::Fen, Form::Epd, Form::Pgn, Form::Coordinates, Form::San, Form::Packed];

    fn of(index: u64) -> Form {
        Form::ALL[(index % Form::ALL.len() as u64) as usize]
    }
}

/// What the threads share.
struct Run {
    corpus: Corpus,
    seed: u64,
    inputs: u64,
    next: AtomicU64,
    /// By form: how many were refused, how many accepted.
    counts: [[AtomicU64; 2]; Form::ALL.len()],
    slowest_us: AtomicU64,
    begin: Instant,
}

/// What one thread is doing: the input's number plus one (0: nothing), and since when.
#[derive(Default)]
struct Desk {
    input: AtomicU64,
    since_us: AtomicU64,
}

#[test]
fn damaged_inputs_end_in_a_value_or_an_error() {
    let number = |name: &str, default| match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is a number, not {text:?}")),
        Err(_) => default,
    };
    let run = Run {
        corpus: Corpus::load(),
        seed: number("ROOKERY_FUZZ_SEED", DEFAULT_SEED),
        inputs: number("ROOKERY_FUZZ_INPUTS", DEFAULT_INPUTS),
        next: AtomicU64::new(0),
        counts: Default::default(),
        slowest_us: AtomicU64::new(0),
        begin: Instant::now(),
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let desks: Vec<Desk> = (0..threads).map(|_| Desk::default()).collect();
    std::thread::scope(|scope| {
        let run = &run;
        let workers: Vec<_> = desks.iter().map(|desk| scope.spawn(|| run.work(desk))).collect();
        let mut reported = Instant::now();
        while !workers.iter().all(|worker| worker.is_finished()) {
            std::thread::sleep(Duration::from_millis(20));
            run.watch(&desks);
            if reported.elapsed() >= REPORT {
                reported = Instant::now();
                run.report();
            }
        }
    });
    run.report();
    run.print_counts();
    if run.inputs >= DEFAULT_INPUTS {
        let both = run.counts.iter().flatten().all(|count| count.load(Relaxed) > 0);
        assert!(both, "some form was never accepted or never refused");
    }
}

impl Run {
    fn work(&self, desk: &Desk) {
        loop {
            let index = self.next.fetch_add(1, Relaxed);
            if index >= self.inputs {
                return;
            }
            let begin = self.elapsed_us();
            desk.since_us.store(begin, Relaxed);
            desk.input.store(index + 1, Relaxed);
            let form = Form::of(index);
            let (position, input) = self.corpus.input(self.seed, index);
            let check = || checks::check(form, &position, &input);
            match catch_unwind(AssertUnwindSafe(check)) {
                Ok(accepted) => {
                    self.counts[form as usize][usize::from(accepted)].fetch_add(1, Relaxed);
                }
                Err(panic) => {
                    eprintln!("\na panic: {}", self.describe(index));
                    // The others stop too.
                    self.next.store(self.inputs, Relaxed);
                    resume_unwind(panic);
                }
            }
            desk.input.store(0, Relaxed);
            self.slowest_us.fetch_max(self.elapsed_us() - begin, Relaxed);
        }
    }

    /// Ends the program if some input takes too long: a thread that hangs cannot be stopped.
    fn watch(&self, desks: &[Desk]) {
        for desk in desks {
            let input = desk.input.load(Relaxed);
            let since = desk.since_us.load(Relaxed);
            let took = Duration::from_micros(self.elapsed_us().saturating_sub(since));
            if input > 0 && took > HANG && desk.input.load(Relaxed) == input {
                eprintln!("\na hang of {} s: {}", took.as_secs(), self.describe(input - 1));
                std::process::exit(101);
            }
        }
    }

    fn elapsed_us(&self) -> u64 {
        self.begin.elapsed().as_micros() as u64
    }

    /// Everything that is needed to do it again.
    fn describe(&self, index: u64) -> String {
        let (position, input) = self.corpus.input(self.seed, index);
        let (seed, form, text) = (self.seed, Form::of(index), input.escape_ascii());
        format!(
            "ROOKERY_FUZZ_SEED={seed}, input {index}, {form:?} in {}:\nb\"{text}\"",
            position.fen()
        )
    }

    fn report(&self) {
        let done: u64 = self.counts.iter().flatten().map(|count| count.load(Relaxed)).sum();
        let slowest = Duration::from_micros(self.slowest_us.load(Relaxed));
        let seconds = self.begin.elapsed().as_secs_f64();
        let (inputs, seed) = (self.inputs, self.seed);
        eprintln!("{done} of {inputs} inputs (seed {seed}), {seconds:.1} s, slowest {slowest:?}");
    }

    fn print_counts(&self) {
        for form in Form::ALL {
            let [refused, accepted] = &self.counts[form as usize];
            let (refused, accepted) = (refused.load(Relaxed), accepted.load(Relaxed));
            eprintln!("{form:?}: {accepted} accepted, {refused} refused");
        }
    }
}
