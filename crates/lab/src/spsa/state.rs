//! A run of the tuner in a file, from which it goes on after an interruption, and as text.

use super::Spsa;
use crate::files;
use std::fmt::Write;
use std::path::Path;

/// Writes a run as JSON; a reader never sees half of it.
pub fn save(spsa: &Spsa, path: &Path) -> Result<(), String> {
    let mut text = serde_json::to_string_pretty(spsa)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    text.push('\n');
    files::write_whole(path, &text)
}

/// Reads a run; none if the file does not exist.
pub fn load(path: &Path) -> Result<Option<Spsa>, String> {
    let text = match ::files::open(path).and_then(std::io::read_to_string) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("{}: {error}", path.display())),
    };
    let spsa: Spsa =
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    for tunable in &spsa.tunables {
        let in_range = tunable.min <= tunable.max
            && tunable.step > 0
            && (f64::from(tunable.min)..=f64::from(tunable.max)).contains(&tunable.value);
        if !in_range {
            let name = &tunable.name;
            return Err(format!("{}: {name} does not lie in its range", path.display()));
        }
    }
    Ok(Some(spsa))
}

/// One line: `name=value,…`, as `lab duel` takes it.
pub fn one_line(spsa: &Spsa) -> String {
    let parts =
        spsa.tunables.iter().map(|tunable| format!("{}={}", tunable.name, tunable.rounded()));
    parts.collect::<Vec<_>>().join(",")
}

/// The changes as lines of a patch: what was, and what should be.
pub fn listing(spsa: &Spsa) -> String {
    let mut text = String::new();
    let width = spsa.tunables.iter().map(|tunable| tunable.name.len()).max().unwrap_or(0);
    for tunable in &spsa.tunables {
        let (name, range) = (&tunable.name, format!("{}..={}", tunable.min, tunable.max));
        // Writing to a text cannot fail.
        let _ = match tunable.rounded() == tunable.start {
            true => writeln!(text, "  {name:width$} = {:6}, {range}", tunable.start),
            false => writeln!(
                text,
                "- {name:width$} = {:6}, {range}\n+ {name:width$} = {:6}, {range}  ({:.2})",
                tunable.start,
                tunable.rounded(),
                tunable.value
            ),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spsa::{Schedule, Tunable};

    fn example() -> Spsa {
        let tunable = |name: &str, value| Tunable {
            name: name.to_owned(),
            start: 10,
            value,
            min: 0,
            max: 40,
            step: 2,
        };
        Spsa {
            tunables: vec![tunable("margin", 12.6), tunable("depth", 10.2)],
            schedule: Schedule { iterations: 100, rate: 0.002 },
            finished: 7,
            seed: 1,
        }
    }

    #[test]
    fn a_run_goes_on_where_it_was_saved() {
        let path = std::env::temp_dir().join(format!("rookery-spsa-{}.json", std::process::id()));
        save(&example(), &path).expect("the temporary folder is writable");
        let loaded = load(&path).expect("what was saved is read");
        std::fs::write(&path, "{ half").expect("the temporary folder is writable");
        let broken = load(&path);
        let _ = std::fs::remove_file(&path);
        assert_eq!(loaded, Some(example()));
        assert!(broken.is_err_and(|reason| reason.contains("line 1")));
        assert_eq!(load(&path), Ok(None));
    }

    #[test]
    fn the_listing_shows_what_changed() {
        assert_eq!(one_line(&example()), "margin=13,depth=10");
        let listing = listing(&example());
        let lines: Vec<&str> = listing.lines().collect();
        assert_eq!(lines[0], "- margin =     10, 0..=40");
        assert_eq!(lines[1], "+ margin =     13, 0..=40  (12.60)");
        assert_eq!(lines[2], "  depth  =     10, 0..=40");
    }
}
