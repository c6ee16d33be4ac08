//! Entries of the table under every order of events (loom): the same source file over primitives that try
//! them all, with all that relaxed accesses allow.

#[allow(
    dead_code,
    reason = "touching memory is no matter of order: it changes nothing, in one piece"
)]
#[path = "../src/line.rs"]
mod line;

/// What the file above finds in place of the standard library's.
mod sync {
    pub use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};
}

/// All that a line asks of an entry.
mod entry {
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Word(pub u64);

    impl Word {
        pub fn is_empty(self) -> bool {
            self.0 == 0
        }
    }
}

use entry::Word;
use line::{LINE_BYTES, Line, Packed, Pairs};
use loom::thread;
use std::sync::Arc;

const ONE: (u64, Word) = (0x0123_4567_89ab_cdef, Word(0x0009_0000_0011_0777));
const TWO: (u64, Word) = (0xfedc_ba98_7654_3210, Word(0x0009_0000_0011_0778));

/// Two writers and a reader at one place.
fn race<L: Line + Default + 'static>() {
    let mut builder = loom::model::Builder::new();
    // All orders with two switches away from a running thread: more of them take minutes.
    builder.preemption_bound = Some(2);
    builder.check(|| {
        let line = Arc::new(L::default());
        let writers = [ONE, TWO].map(|(key, word)| {
            let line = Arc::clone(&line);
            thread::spawn(move || line.set(0, key, word))
        });
        for (key, word) in [ONE, TWO] {
            let found = line.get(0, key);
            assert!(found.is_none() || found == Some(word), "{found:?} for {key:x}");
        }
        for writer in writers {
            writer.join().expect("it ends");
        }
        // What is left is one of the two, or torn and not believed.
        let left: Vec<bool> =
            [ONE, TWO].iter().map(|&(key, word)| line.get(0, key) == Some(word)).collect();
        assert!(left != [true, true] && line.word(0) != Word(0) && !line.is_blank());
    });
}

#[test]
fn a_torn_entry_of_a_packed_line_is_never_believed() {
    race::<Packed>();
}

#[test]
fn a_torn_entry_of_a_line_of_pairs_is_never_believed() {
    race::<Pairs>();
}

#[test]
fn an_entry_that_moves_within_its_line_is_whole_or_not_there() {
    loom::model(|| {
        let line = Arc::new(Pairs::default());
        line.set(0, ONE.0, ONE.1);
        let mover = {
            let line = Arc::clone(&line);
            thread::spawn(move || {
                line.copy(0, 1);
                line.set(0, TWO.0, TWO.1);
            })
        };
        for place in [0, 1] {
            let found = line.get(place, ONE.0);
            assert!(found.is_none() || found == Some(ONE.1));
        }
        mover.join().expect("it ends");
        assert_eq!(line.get(1, ONE.0), Some(ONE.1));
    });
}

#[test]
fn a_line_that_is_overwritten_whole_shows_no_mixture() {
    loom::model(|| {
        let line = Arc::new(Packed::default());
        line.set(0, ONE.0, ONE.1);
        let words = line.to_words();
        assert_eq!(size_of_val(&words), LINE_BYTES);
        let wiper = {
            let line = Arc::clone(&line);
            thread::spawn(move || line.set(0, TWO.0, TWO.1))
        };
        let found = line.get(0, ONE.0);
        assert!(found.is_none() || found == Some(ONE.1));
        wiper.join().expect("it ends");
        line.set_words(words);
        assert_eq!(line.get(0, ONE.0), Some(ONE.1));
        assert!((0..Packed::PLACES).all(|place| line.get(place, TWO.0).is_none()));
    });
}
