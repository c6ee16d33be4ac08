//! The threads that help: kept from search to search, asleep in between.

use super::shared_search::SharedSearch;
use super::slot::{ThreadResult, ThreadSlot};
use crate::Peer;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// Stack of a thread, in bytes: the nodes lie on an explicit one, the quiescence search on this.
const STACK: usize = 16 << 20;

/// Where a helper finds the search that it is to join.
#[derive(Default)]
struct Post {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    search: Option<Arc<SharedSearch>>,
    busy: bool,
    dismissed: bool,
    thread_result: ThreadResult,
    /// Searches that failed in themselves.
    failures: u64,
}

impl Post {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread that helps.
pub(super) struct Helper {
    post: Arc<Post>,
    thread: Option<JoinHandle<()>>,
}

impl Helper {
    /// Starts a thread; or says why there is none.
    pub fn new(me: Peer) -> Result<Helper, String> {
        let post = Arc::new(Post::default());
        let own = Arc::clone(&post);
        let thread = thread::Builder::new()
            .name(format!("helper {me}"))
            .stack_size(STACK)
            .spawn(move || live(me, &own))
            .map_err(|error| format!("the system gives no thread: {error}"))?;
        Ok(Helper { post, thread: Some(thread) })
    }

    /// Gives it a search; only after it was waited for.
    pub fn send(&self, shared: &Arc<SharedSearch>) {
        let mut state = self.post.lock();
        (state.search, state.busy) = (Some(Arc::clone(shared)), true);
        drop(state);
        self.post.changed.notify_all();
    }

    /// Waits until it is done with its search and has let go of all that belongs to it; what it did.
    pub fn settled<A>(&self, look: impl FnOnce(&ThreadResult) -> A) -> A {
        let mut state = self.post.lock();
        while state.busy {
            state = self.post.wait(state);
        }
        look(&state.thread_result)
    }

    /// How many of its searches have failed in themselves.
    pub fn failures(&self) -> u64 {
        self.post.lock().failures
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.post.lock().dismissed = true;
        self.post.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // It catches its panics: there is nothing to learn from its end.
            let _ = thread.join();
        }
    }
}

fn live(me: Peer, post: &Post) {
    let mut slot = None;
    loop {
        let mut state = post.lock();
        let shared = loop {
            if state.dismissed {
                return;
            }
            match state.search.take() {
                Some(shared) => break shared,
                None => state = post.wait(state),
            }
        };
        drop(state);
        let serve = || ThreadSlot::serve(&mut slot, &shared, shared.peer(me), None);
        let thread_result = panic::catch_unwind(AssertUnwindSafe(serve));
        if thread_result.is_err() {
            // Other threads may wait for what this one had: the search ends with what is known.
            shared.end();
        }
        drop(shared);
        let mut state = post.lock();
        state.failures += u64::from(thread_result.is_err());
        state.thread_result = thread_result.unwrap_or_default();
        state.busy = false;
        drop(state);
        post.changed.notify_all();
    }
}
