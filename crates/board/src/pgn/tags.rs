//! The tags of a game, and what they say about its rules.

/// The seven tags that every game has, in their order, and what is written where one is missing.
pub(super) const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Names and values, in the order in which they were set.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tags {
    pairs: Vec<(String, String)>,
}

impl Tags {
    /// No tags.
    pub fn new() -> Tags {
        Tags::default()
    }

    /// The value of a tag. Names are compared exactly, as the standard wants it.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|&(other, _)| other == name).map(|(_, value)| value)
    }

    /// Sets a tag; an earlier value is replaced, in its place.
    pub fn set(&mut self, name: &str, value: &str) {
        match self.pairs.iter_mut().find(|(other, _)| other == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.pairs.push((name.to_owned(), value.to_owned())),
        }
    }

    /// Takes a tag away.
    pub fn remove(&mut self, name: &str) {
        self.pairs.retain(|(other, _)| other != name);
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// How many tags there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Adds a tag whose name may be there already. The first one counts: of thousands of tags a
    /// search for each would take too long.
    pub(super) fn push(&mut self, name: String, value: String) {
        self.pairs.push((name, value));
    }

    /// Drops the repetitions of names that [`Tags::push`] let in.
    pub(super) fn drop_repetitions(&mut self) {
        let mut seen = std::collections::HashSet::new();
        let is_new: Vec<bool> =
            self.pairs.iter().map(|(name, _)| seen.insert(name.as_str())).collect();
        let mut is_new = is_new.into_iter();
        self.pairs.retain(|_| is_new.next().unwrap_or(true));
    }
}

/// Whether a `Variant` tag names chess or Chess960, whose rules are played here. Programs spell it
/// in many ways, so letters and digits alone count.
pub fn is_known_variant(value: &[u8]) -> bool {
    let plain: Vec<u8> = value
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric())
        .map(u8::to_ascii_lowercase)
        .take(32)
        .collect();
    matches!(
        plain.as_slice(),
        b"" | b"chess"
            | b"standard"
            | b"standardchess"
            | b"normal"
            | b"classical"
            | b"classic"
            | b"fromposition"
            | b"chess960"
            | b"960"
            | b"fischerandom"
            | b"fischerrandom"
            | b"fischerandomchess"
            | b"fischerrandomchess"
            | b"frc"
            | b"dfrc"
            | b"doublefischerrandom"
            | b"freestyle"
            | b"wildfr"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_many_names_of_chess960_are_known_and_other_games_are_not() {
        for name in ["Chess960", "chess 960", "Fischerandom", "FRC", "wild/fr", "From Position"] {
            assert!(is_known_variant(name.as_bytes()), "{name}");
        }
        for name in ["Antichess", "Crazyhouse", "Atomic", "Xiangqi"] {
            assert!(!is_known_variant(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn of_two_tags_with_one_name_the_first_stays() {
        let mut tags = Tags::new();
        for (name, value) in [("A", "1"), ("B", "2"), ("A", "3")] {
            tags.push(name.into(), value.into());
        }
        tags.drop_repetitions();
        assert_eq!(tags.iter().collect::<Vec<_>>(), [("A", "1"), ("B", "2")]);
    }
}
