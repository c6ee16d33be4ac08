//! Writing the table of weights as Rust, the way `values.rs` stands in the repository.

use super::{GROUPS, Group};
use std::fmt::Write;

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
    use super::super::WEIGHTS;
    use super::*;

    #[test]
    fn the_values_as_they_are_give_the_file_as_it_is() {
        let values: Vec<(i16, i16)> = WEIGHTS
            .iter()
            .map(|weight| (weight.middlegame() as i16, weight.endgame() as i16))
            .collect();
        assert_eq!(write_values(&values), include_str!("values.rs"));
    }
}
