//! Places for searches, and the engines that stand there.
//!
//! A lane has a number of places. A request that finds none free waits, first come, first served, and while
//! one waits, a search that has had its share ends with what it has found: a hundred clients are answered one
//! after the other, more hastily, but all of them. Engines are kept between searches; the one that searched
//! the same game before is given to it again, with its table.

use super::live::SearchRules;
use crate::arguments::ServeArguments;
use crate::session::{Event, Output, Session};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Requests that may wait in a lane. More are told to come again.
const MOST_WAITING: usize = 256;

/// How engines are set up.
#[derive(Clone)]
pub struct Settings {
    /// Threads of each search.
    pub threads: u32,
    /// Megabytes of each table.
    pub hash_mb: u64,
    /// Arguments, the options of the engine that follow from them, and their values.
    options: Vec<(&'static str, &'static str, String)>,
}

/// An engine with its settings.
pub struct Player {
    pub session: Session,
    pub events: Receiver<Event>,
    /// The game that it searched last.
    game: String,
}

/// A lane of searches.
pub struct Lane {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
    share: Duration,
    settings: Settings,
    /// Engines that are not in use.
    idle: Mutex<Vec<Player>>,
}

/// A request that waits for a place.
pub struct Waiting(Arc<Lane>);

impl Waiting {
    /// The place, when it is free; none where the lane is closed, which never happens.
    pub async fn place(self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0.places).acquire_owned().await.ok()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Relaxed);
    }
}

impl Settings {
    /// What the arguments ask for.
    pub fn new(arguments: &ServeArguments) -> Settings {
        let (threads, hash_mb) = (arguments.threads, arguments.hash);
        let mut options = vec![
            ("--threads", "Threads", threads.to_string()),
            ("--hash", "Hash", hash_mb.to_string()),
        ];
        if let Some(path) = &arguments.syzygy {
            options.push(("--syzygy", "SyzygyPath", path.clone()));
        }
        if let Some(folder) = &arguments.tables {
            options.push(("--tables", "EndgamePath", folder.display().to_string()));
        }
        if let Some(file) = &arguments.book {
            options.push(("--book", "BookFile", file.display().to_string()));
            options.push(("--book", "OwnBook", "true".to_owned()));
        }
        Settings { threads, hash_mb, options }
    }

    fn player(&self) -> Result<Player, String> {
        let made = Session::new(Output::new(io::sink()));
        let (session, events) = made.map_err(|_| "there is no memory for an engine".to_owned())?;
        let mut player = Player { session, events, game: String::new() };
        for (argument, name, value) in &self.options {
            player.set(name, value).map_err(|reason| in_words_of(argument, name, &reason))?;
        }
        Ok(player)
    }
}

/// What is wrong with an option of the engine, said of the argument that it follows from.
fn in_words_of(argument: &str, name: &str, reason: &str) -> String {
    let reason = reason.strip_prefix(&format!("{name}: ")).unwrap_or(reason);
    let reason = reason.strip_suffix(": nothing has changed").unwrap_or(reason);
    let note = if argument == "--hash" { " (each search has a table)" } else { "" };
    format!("{argument}: {reason}{note}")
}

impl Player {
    /// Sets an option of the engine.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let outcome = self.session.set(name, Some(value), &mut io::sink());
        outcome.map_err(|error| error.to_string().trim_start_matches("setoption: ").to_owned())
    }
}

impl Lane {
    /// A lane with this many places; a search has its share of time while others wait.
    pub fn new(places: usize, share: Duration, settings: Settings) -> Lane {
        Lane {
            places: Arc::new(Semaphore::new(places)),
            waiting: AtomicUsize::new(0),
            share,
            settings,
            idle: Mutex::new(Vec::new()),
        }
    }

    /// Makes the first engine; what it searches by, or what is wrong with the settings.
    pub fn warm_up(&self) -> Result<SearchRules, String> {
        let player = self.settings.player()?;
        let rules = player.session.engine().rules();
        self.idle().push(player);
        Ok(rules)
    }

    /// Waits for a place, unless too many wait.
    pub fn enter(self: &Arc<Lane>) -> Option<Waiting> {
        let before = self.waiting.fetch_add(1, Relaxed);
        let waiting = Waiting(Arc::clone(self));
        (before < MOST_WAITING).then_some(waiting)
    }

    /// Whether a search that has taken this time must make room.
    pub fn is_over(&self, elapsed: Duration) -> bool {
        elapsed >= self.share && self.waiting.load(Relaxed) > 0
    }

    /// An engine, which has forgotten other games.
    pub fn take(&self, game: &str) -> Result<Player, String> {
        let idle = {
            let mut idle = self.idle();
            let same = idle.iter().position(|player| player.game == game);
            same.map(|index| idle.swap_remove(index)).or_else(|| idle.pop())
        };
        let mut player = idle.map_or_else(|| self.settings.player(), Ok)?;
        if player.game != game {
            player.session.new_game();
            player.game = game.to_owned();
        }
        Ok(player)
    }

    /// The search is over.
    pub fn put_back(&self, player: Player) {
        self.idle().push(player);
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Player>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
