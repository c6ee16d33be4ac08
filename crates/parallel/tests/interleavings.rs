//! The lock-free parts of the thread machine under every order of events (loom): the same source files
//! over primitives that try them all.

#[path = "../src/threads/mailbox.rs"]
mod mailbox;
#[path = "../src/threads/marks.rs"]
mod marks;

/// What the files above find in place of the standard library's.
mod sync {
    pub use loom::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    pub use loom::sync::{Condvar, Mutex, MutexGuard};
}

use loom::thread;
use mailbox::Mailbox;
use marks::Marks;
use std::sync::Arc;

/// Two switches away from the running thread suffice for all known faults of this kind, and keep the
/// number of orders small.
fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(model);
}

/// Takes envelopes until `count` have come, as a thread does that has nothing else to do.
fn receive(mailbox: &Mailbox<u32>, count: usize) -> Vec<u32> {
    let mut envelopes = Vec::new();
    while envelopes.len() < count {
        if mailbox.has_mail() {
            mailbox.take(&mut envelopes);
        } else {
            // No clock helps: without a wake-up this sleeps for ever, and the model says so.
            mailbox.sleep(None);
        }
    }
    envelopes
}

#[test]
fn no_envelope_is_lost_and_no_thread_sleeps_beside_one() {
    check(|| {
        let mailbox = Arc::new(Mailbox::new(8));
        let senders: Vec<_> = [10, 20]
            .into_iter()
            .map(|first| {
                let mailbox = Arc::clone(&mailbox);
                thread::spawn(move || {
                    assert!(mailbox.post(first).is_ok());
                    assert!(mailbox.post(first + 1).is_ok());
                })
            })
            .collect();
        let envelopes = receive(&mailbox, 4);
        for sender in senders {
            sender.join().expect("it ends");
        }
        // Envelopes of one sender keep their order.
        for first in [10, 20] {
            let own: Vec<u32> =
                envelopes.iter().copied().filter(|envelope| envelope / 10 == first / 10).collect();
            assert_eq!(own, [first, first + 1]);
        }
        assert!(!mailbox.has_mail());
    });
}

#[test]
fn a_closed_mailbox_lets_no_thread_sleep() {
    check(|| {
        let mailbox = Arc::new(Mailbox::<u32>::new(8));
        let closer = {
            let mailbox = Arc::clone(&mailbox);
            thread::spawn(move || mailbox.close())
        };
        mailbox.sleep(None);
        closer.join().expect("it ends");
        mailbox.sleep(None);
    });
}

#[test]
fn a_full_mailbox_gives_the_envelope_back_and_takes_it_later() {
    check(|| {
        let mailbox = Arc::new(Mailbox::new(1));
        let sender = {
            let mailbox = Arc::clone(&mailbox);
            thread::spawn(move || {
                for envelope in [1, 2] {
                    let mut envelope = Err(envelope);
                    while let Err(back) = envelope {
                        envelope =
                            mailbox.post(back).inspect_err(|_| thread::yield_now()).map(|()| 0);
                    }
                }
            })
        };
        assert_eq!(receive(&mailbox, 2), [1, 2]);
        sender.join().expect("it ends");
    });
}

#[test]
fn of_two_who_want_a_child_one_is_told_that_it_is_taken() {
    check(|| {
        let marks = Arc::new(Marks::new(0));
        let other = {
            let marks = Arc::clone(&marks);
            thread::spawn(move || marks.is_taken(77 << 32))
        };
        let own = marks.is_taken(77 << 32);
        let theirs = other.join().expect("it ends");
        assert!(own != theirs, "both {own}");
        marks.release(77 << 32);
        assert!(!marks.is_taken(77 << 32));
    });
}

#[test]
fn a_mark_is_not_taken_for_another_child_and_every_mark_goes() {
    check(|| {
        // One cell for all: the two meet in it.
        let marks = Arc::new(Marks::new(0));
        let other = {
            let marks = Arc::clone(&marks);
            thread::spawn(move || {
                let taken = marks.is_taken(2 << 32);
                marks.release(2 << 32);
                taken
            })
        };
        let own = marks.is_taken(4 << 32);
        marks.release(4 << 32);
        assert!(!own && !other.join().expect("it ends"));
        assert!(!marks.is_taken(2 << 32));
        marks.release(2 << 32);
        assert!(!marks.is_taken(4 << 32));
    });
}
