//! What threads do beyond the bare strategy, each on a switch, so that its worth can be measured.

named! {
    /// Something beyond the bare strategy.
    Extra, "extra of a parallel search" {
        /// All threads vote for the move that is played.
        Vote "vote",
        /// Time management hears all threads: their nodes by root move, and whether they agree.
        Clock "clock",
        /// Threads learn together: continuation and pawn histories, corrections.
        Share "share",
        /// Helpers that search the root leave out iterations, each others.
        Skip "skip",
        /// `lazy` puts off children from depth 7 on that other threads are searching.
        Defer "defer",
        /// A search of the root that has fallen behind the first thread's goes on ahead of it.
        Ahead "ahead",
        /// `lazy` searches nodes of up to six plies by the recursive driver, which is faster.
        Recurse "recurse",
        /// A helper's fail high at the root is heard by the first thread at once.
        Hear "hear",
        /// `ybw` and `teams`: every second thread searches the root by itself all the time, the others split it.
        Mix "mix",
    }
}

/// The extras that are on: none until games have shown what each is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extras(u16);

impl Extras {
    /// The bare strategy.
    pub const NONE: Extras = Extras(0);

    /// These alone.
    pub const fn of(extras: &[Extra]) -> Extras {
        let (mut bits, mut place) = (0, 0);
        while place < extras.len() {
            bits |= 1 << extras[place] as u16;
            place += 1;
        }
        Extras(bits)
    }

    /// Whether one is on.
    #[inline]
    pub const fn has(self, extra: Extra) -> bool {
        self.0 >> extra as u16 & 1 == 1
    }

    /// Reads names, with blanks or commas between them; `all`, and `none` or nothing for none.
    pub fn read(text: &str) -> Result<Extras, String> {
        let names = || text.split([',', ' ']).filter(|name| !name.is_empty());
        match (names().next(), names().count()) {
            (None, _) | (Some("none"), 1) => return Ok(Extras::NONE),
            (Some("all"), 1) => return Ok(Extras::of(&Extra::ALL)),
            _ => (),
        }
        let extras: Result<Vec<Extra>, String> = names().map(str::parse).collect();
        Ok(Extras::of(&extras?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extras_are_read_by_their_names() {
        assert_eq!(Extras::read(" "), Ok(Extras::NONE));
        assert_eq!(Extras::read("all"), Ok(Extras::of(&Extra::ALL)));
        assert_eq!(Extras::read("none"), Ok(Extras::NONE));
        let two = Extras::read("vote, share").expect("two names");
        assert_eq!(two, Extras::of(&[Extra::Share, Extra::Vote]));
        assert!(two.has(Extra::Vote) && !two.has(Extra::Skip));
        for wrong in ["votes", "none vote", "all vote", "vote;share"] {
            let reason = Extras::read(wrong).expect_err(wrong);
            assert!(reason.starts_with("no extra of a parallel search is called"), "{reason}");
        }
    }
}
