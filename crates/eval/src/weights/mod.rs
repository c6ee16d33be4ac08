//! All weights of the modern evaluation in one table (D62): every number that the tuner may change
//! has its name, its range, its meaning and its value here and nowhere else.
//!
//! The values stand in `values.rs`, which the tuner writes (`cargo xtask tune eval`). The terms name
//! a weight by the number of its group plus an index: `weights::KNIGHT_MOBILITY + squares`.

mod values;

pub(crate) use values::*;
pub use values::{COUNT, GROUPS, WEIGHTS};

/// A run of weights of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Its name, as in the code.
    pub name: &'static str,
    /// What its weights count.
    pub meaning: &'static str,
    /// The row of the table of terms that it belongs to.
    pub term: Term,
    /// The number of its first weight.
    pub begin: usize,
    /// How many weights it has.
    pub len: usize,
    /// The least value that the tuner may give.
    pub least: i16,
    /// The greatest.
    pub most: i16,
}

/// The rows of the table of terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The names say it all.
pub enum Term {
    Material,
    Squares,
    Pawns,
    Passed,
    Mobility,
    Knights,
    Bishops,
    Rooks,
    Shelter,
    Threats,
    Space,
    Tempo,
    Danger,
    Winnable,
}

impl Term {
    /// All rows, in the order of the table.
    pub const ALL: [Term; 14] = [
        Term::Material,
        Term::Squares,
        Term::Pawns,
        Term::Passed,
        Term::Mobility,
        Term::Knights,
        Term::Bishops,
        Term::Rooks,
        Term::Shelter,
        Term::Threats,
        Term::Space,
        Term::Tempo,
        Term::Danger,
        Term::Winnable,
    ];

    /// Its name in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Term::Material => "material",
            Term::Squares => "squares",
            Term::Pawns => "pawns",
            Term::Passed => "passed pawns",
            Term::Mobility => "mobility",
            Term::Knights => "knights",
            Term::Bishops => "bishops",
            Term::Rooks => "rooks",
            Term::Shelter => "shelter",
            Term::Threats => "threats",
            Term::Space => "space",
            Term::Tempo => "tempo",
            Term::Danger => "king danger",
            Term::Winnable => "winnable",
        }
    }

    /// How its weights enter the score.
    pub const fn role(self) -> Role {
        match self {
            Term::Danger => Role::Danger,
            Term::Winnable => Role::Winnable,
            _ => Role::Score,
        }
    }
}

/// How a weight enters the score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// As it is.
    Score,
    /// Through the square of the sum of all dangers of a king.
    Danger,
    /// Towards the side that is better in the endgame, never beyond a draw.
    Winnable,
}

/// How a weight enters the score.
pub fn role(weight: usize) -> Role {
    group_of(weight).map_or(Role::Score, |group| group.term.role())
}

/// The group of a weight.
pub fn group_of(weight: usize) -> Option<&'static Group> {
    let after = GROUPS.partition_point(|group| group.begin <= weight);
    GROUPS.get(after.checked_sub(1)?)
}

/// The number of the first weight of a group: the lengths before it, summed.
const fn begin(lengths: &[usize], group: usize) -> usize {
    let (mut sum, mut index) = (0, 0);
    while index < group {
        sum += lengths[index];
        index += 1;
    }
    sum
}

/// Makes the table: a constant per group, the list of groups, and the weights in one array.
macro_rules! weights {
    ($(
        #[doc = $meaning:literal]
        $name:ident[$len:literal] $term:ident $least:literal..=$most:literal = $values:expr;
    )*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)] // The names of the groups.
        enum Place { $($name),* }
        const LENGTHS: &[usize] = &[$($len),*];
        $(
            #[doc = $meaning]
            pub(crate) const $name: usize = super::begin(LENGTHS, Place::$name as usize);
        )*
        /// How many weights there are.
        pub const COUNT: usize = super::begin(LENGTHS, LENGTHS.len());
        /// All groups, in the order of their weights.
        pub static GROUPS: &[super::Group] = &[$(super::Group {
            name: stringify!($name),
            meaning: $meaning.trim_ascii(),
            term: super::Term::$term,
            begin: $name,
            len: $len,
            least: $least,
            most: $most,
        }),*];
        /// All weights.
        pub static WEIGHTS: [$crate::Tapered; COUNT] = {
            let mut all = [$crate::Tapered::ZERO; COUNT];
            $(
                let values: [(i16, i16); $len] = $values;
                let mut index = 0;
                while index < $len {
                    all[$name + index] = $crate::Tapered::new(values[index].0, values[index].1);
                    index += 1;
                }
            )*
            all
        };
    };
}
use std::fmt::Write;
use weights;

const HEAD: &str = "\
//! The weights of the modern evaluation: (middlegame, endgame) in centipawns.
//!
//! Written by `cargo xtask tune eval`; docs/lab/evaluation.md says from which positions and with what loss.

super::weights! {
";

/// The text of `values.rs` with other values, which are the weights in the order of the table.
pub fn write_values(values: &[(i16, i16)]) -> String {
    let mut text = HEAD.to_owned();
    for group in GROUPS {
        write_group(group, values.get(group.begin..).unwrap_or(&[]), &mut text);
    }
    text + "}\n"
}

fn write_group(group: &Group, values: &[(i16, i16)], text: &mut String) {
    let Group { name, meaning, term, len, least, most, .. } = group;
    // Writing to a string cannot fail.
    let _ = writeln!(text, "    /// {meaning}");
    let head = format!("    {name}[{len}] {term:?} {least}..={most} = [");
    if let (1, Some((mg, eg))) = (*len, values.first()) {
        let _ = writeln!(text, "{head}({mg}, {eg})];");
        return;
    }
    let _ = writeln!(text, "{head}");
    for row in
        values[..*len.min(&values.len())].chunks(if name.ends_with("KING_SQUARES") { 4 } else { 8 })
    {
        let row: Vec<String> = row.iter().map(|(mg, eg)| format!("({mg}, {eg})")).collect();
        let _ = writeln!(text, "        {},", row.join(", "));
    }
    let _ = writeln!(text, "    ];");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_lies_in_the_range_of_its_group() {
        for (index, weight) in WEIGHTS.iter().enumerate() {
            let group = group_of(index).expect("every weight has a group");
            assert!((group.begin..group.begin + group.len).contains(&index));
            let range = i32::from(group.least)..=i32::from(group.most);
            assert!(range.contains(&weight.middlegame()), "{} {index}", group.name);
            assert!(range.contains(&weight.endgame()), "{} {index}", group.name);
        }
    }

    #[test]
    fn the_groups_fill_the_table_without_gaps() {
        let end = GROUPS.iter().fold(0, |begin, group| {
            assert_eq!(group.begin, begin, "{}", group.name);
            begin + group.len
        });
        assert_eq!(end, COUNT);
    }

    #[test]
    fn the_values_as_they_are_give_the_file_as_it_is() {
        let values: Vec<(i16, i16)> = WEIGHTS
            .iter()
            .map(|weight| (weight.middlegame() as i16, weight.endgame() as i16))
            .collect();
        assert_eq!(write_values(&values), include_str!("values.rs"));
    }
}
