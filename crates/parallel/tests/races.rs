//! Mailbox and marks between real threads, few enough steps for Miri: `cargo xtask miri` runs this file
//! under an interpreter that knows the memory model. Every order of events is tried in `interleavings.rs`.

#[path = "../src/threads/mailbox.rs"]
mod mailbox;
#[path = "../src/threads/marks.rs"]
mod marks;
#[path = "../src/threads/sync.rs"]
mod sync;

use mailbox::Mailbox;
use marks::Marks;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

#[test]
fn envelopes_of_several_senders_all_come_and_keep_their_order() {
    let mailbox = Mailbox::new(16);
    let mut envelopes: Vec<(u32, u32)> = Vec::new();
    thread::scope(|scope| {
        for sender in 0..3 {
            let mailbox = &mailbox;
            scope.spawn(move || {
                for number in 0..4 {
                    assert!(mailbox.post((sender, number)).is_ok());
                }
            });
        }
        while envelopes.len() < 12 {
            if mailbox.has_mail() {
                mailbox.take(&mut envelopes);
            } else {
                mailbox.sleep(Some(Duration::from_millis(10)));
            }
        }
    });
    for sender in 0..3 {
        let numbers: Vec<u32> = envelopes
            .iter()
            .filter(|envelope| envelope.0 == sender)
            .map(|envelope| envelope.1)
            .collect();
        assert_eq!(numbers, [0, 1, 2, 3]);
    }
}

#[test]
fn a_closed_mailbox_lets_no_thread_sleep() {
    let mailbox = Mailbox::<u32>::new(1);
    thread::scope(|scope| {
        scope.spawn(|| mailbox.sleep(None));
        mailbox.close();
    });
    assert!(mailbox.post(1).is_ok() && mailbox.post(2) == Err(2));
}

#[test]
fn a_child_is_marked_by_one_of_those_who_come_to_it() {
    let marks = Marks::new(1);
    let first = AtomicU32::new(0);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                if !marks.is_taken(0x0123_4567_89ab_cdef) {
                    first.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(first.load(Ordering::Relaxed), 1);
    marks.release(0x0123_4567_89ab_cdef);
    assert!(!marks.is_taken(0x0123_4567_89ab_cdef));
}
