//! What every protocol needs: the engine with its settings, and searches that run beside the console.
//!
//! Three threads share the work (D69): one reads lines, one searches while there is a search, and the
//! one of the console follows commands and events. A protocol ([`crate::uci`], [`crate::xboard`]) is
//! the console and a [`Formatter`], which words what a search has to say.

mod book;
mod control;
mod error;
mod files;
mod formatter;
mod go_request;
mod input;
mod launch;
mod learning;
mod output;
mod queue;
pub mod strength;
#[cfg(test)]
pub mod testing;
mod watch;

use crate::engine::{self, Engine};
use crate::failure::Failure;
use crate::hosts::ProcessCommand;
use crate::uci::Options;
use board::random::SplitMix;
use cluster::Link;
use launch::Running;
use search::Profile;
use search::time::NodeClock;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use control::Control;
pub use error::{CommandError, refuse};
pub use formatter::Formatter;
pub use go_request::GoRequest;
pub use input::{Event, Heard, start_reading};
pub use launch::Answer;
pub use learning::Lessons;
pub use output::Output;
pub use queue::{Queue, Since};

/// What comes after a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The next one.
    Go,
    /// The end of the program.
    Quit,
    /// The same conversation in another protocol.
    Xboard,
}

/// The engine, its settings, and the search that runs, if one does.
pub struct Session {
    /// What can be set.
    pub options: Options,
    /// Where answers go.
    pub output: Output,
    /// Time counted in nodes.
    pub node_clock: NodeClock,
    /// Locked by a search while it runs.
    engine: Arc<Mutex<Engine>>,
    running: Option<Running>,
    /// Searches so far: an answer is known by its number.
    searches: u64,
    random: Arc<Mutex<SplitMix>>,
    book: book::Shelf,
    /// The file from which the table was loaded last.
    loaded: Option<PathBuf>,
    events: SyncSender<Event>,
    /// The other processes, if there are any.
    link: Option<Arc<Link>>,
}

impl Session {
    /// An engine that waits for commands, and where its events come out.
    pub fn new(output: Output) -> Result<(Session, Receiver<Event>), Failure> {
        let engine = Engine::new(Profile::Modern, engine::DEFAULT_HASH_MB);
        let mut engine = engine.map_err(Failure::Work)?;
        let options = Options::default();
        engine.set_oracle(options.first_oracle());
        let (events, receiver) = mpsc::sync_channel(input::READ_AHEAD);
        let session = Session {
            options,
            output,
            node_clock: NodeClock::default(),
            engine: Arc::new(Mutex::new(engine)),
            running: None,
            searches: 0,
            random: Arc::new(Mutex::new(strength::random(0))),
            book: book::Shelf::default(),
            loaded: None,
            events,
            link: None,
        };
        Ok((session, receiver))
    }

    /// Searches with other processes from now on.
    pub fn connect(&mut self, link: &Arc<Link>) -> Result<(), Failure> {
        self.link = Some(Arc::clone(link));
        self.engine().connect(link).map_err(Failure::Work)
    }

    /// The other processes that search with this one, if there are any.
    pub fn link(&self) -> Option<&Arc<Link>> {
        self.link.as_ref()
    }

    /// Lets the other processes follow an option as well.
    pub fn tell_others(&self, name: &str, value: Option<&str>) {
        if let Some(link) = self.link.as_ref().filter(|link| link.is_first()) {
            let (name, value) = (name.to_owned(), value.map(str::to_owned));
            link.command(&ProcessCommand::Option { name, value });
        }
    }

    /// What other processes, or the log, complain of since it was last asked.
    pub fn complaints(&self) -> Vec<String> {
        let errors = self.link.as_ref().map(|link| link.take_failures()).unwrap_or_default();
        let of_others =
            errors.into_iter().map(|(process, text)| format!("process {process}: {text}"));
        of_others.chain(self.output.take_log_fault()).collect()
    }

    /// `Skill Seed`: the same errors at low levels in every session; 0: others each time.
    pub fn seed_skill(&mut self, seed: u64) {
        *self.random.lock().unwrap_or_else(PoisonError::into_inner) = strength::random(seed);
    }

    /// Where lines that are read go.
    pub fn events(&self) -> SyncSender<Event> {
        self.events.clone()
    }

    /// The engine; only when no search runs or the last one was told to stop, as it is waited for.
    pub fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets earlier games; what went wrong with learning from them, if something did.
    pub fn new_game(&mut self) -> Option<String> {
        self.node_clock = NodeClock::default();
        let mut engine = self.engine();
        engine.new_game();
        engine.take_learning_fault()
    }
}
