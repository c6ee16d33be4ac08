//! What the cut of a node into phases costs: instructions of the recursion beside a search of the same tree in
//! one function (feature `twin` of `search`).

use super::callgrind::{self, Profile};
use crate::run::{Cargo, target};
use std::path::Path;

/// What the cut may cost the recursive driver, in per cent of the instructions.
const MOST_PERCENT: f64 = 1.0;

/// Functions that must not exist by themselves in the recursive driver: they are part of it.
const PHASES: [&str; 6] = ["enter", "next", "absorb", "leave", "descend", "ascend"];

/// The arguments of `cargo xtask bench phases`.
#[derive(clap::Args)]
pub struct Arguments {
    /// How deep the positions are searched.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=20))]
    depth: u8,

    /// How many functions to list for each driver.
    #[arg(long, default_value_t = 8)]
    functions: usize,
}

/// Builds, counts and compares.
pub fn run(root: &Path, arguments: &Arguments) -> Result<(), String> {
    let example = "--package rookery-search --features twin --example phases";
    let build = Cargo::new(&format!("build --profile profiling {example}"));
    eprintln!("{build}");
    if !build.run(root) {
        return Err(format!("the benchmark cannot be built: `{build}`"));
    }
    let program = target(root).join("profiling/examples/phases");
    let mut profiles = Vec::new();
    for driver in ["twin", "recursive"] {
        eprintln!("counting the instructions of {driver} at depth {}", arguments.depth);
        let words = [driver.to_owned(), arguments.depth.to_string()];
        profiles.push((driver, callgrind::run(&program, &words, "measured")?));
    }
    for (driver, profile) in &profiles {
        list(driver, profile, arguments.functions);
    }
    compare(&profiles)
}

fn list(driver: &str, profile: &Profile, most: usize) {
    let mut functions: Vec<(&String, &u64)> = profile.functions.iter().collect();
    functions.sort_by_key(|(_, cost)| std::cmp::Reverse(**cost));
    println!("\n{driver}: share of the instructions, by function");
    for (name, cost) in functions.into_iter().take(most) {
        let share = 100.0 * *cost as f64 / profile.instructions.max(1) as f64;
        println!("  {share:5.1} %  {}", short(name));
    }
}

/// Without the types that a method is for.
fn short(name: &str) -> String {
    name.replace("<impl search::phases::Search<R,E,T>>", "Search")
}

fn compare(profiles: &[(&str, Profile)]) -> Result<(), String> {
    let Some((_, twin)) = profiles.first() else { return Ok(()) };
    let nodes = nodes(twin)?;
    println!("\ndriver      instructions       a node    against one function");
    let mut cost = 0.0;
    for (driver, profile) in profiles {
        if profile.output != twin.output {
            return Err(format!("{driver} searches another tree: {}", profile.output.trim()));
        }
        let (count, base) = (profile.instructions as f64, twin.instructions as f64);
        let percent = 100.0 * (count / base - 1.0);
        println!("{driver:10} {count:13.0} {:12.1} {percent:+12.2} %", count / nodes);
        if *driver == "recursive" {
            cost = percent;
        }
    }
    let recursive = profiles.iter().find(|(driver, _)| *driver == "recursive");
    let apart = recursive.map_or(vec![], |(_, profile)| separate_phases(profile));
    match apart.is_empty() {
        true => println!("the recursive driver calls no phase: all are compiled into it"),
        false => println!("compiled as functions of their own: {}", apart.join(", ")),
    }
    let result = if cost <= MOST_PERCENT { "met" } else { "missed" };
    println!("target: the recursive driver costs at most {MOST_PERCENT} %: {result}");
    Ok(())
}

fn nodes(profile: &Profile) -> Result<f64, String> {
    let first = profile.output.split_whitespace().next();
    let nodes = first.and_then(|word| word.parse().ok()).filter(|&nodes: &f64| nodes > 0.0);
    nodes.ok_or_else(|| format!("the benchmark printed {:?}", profile.output))
}

/// The phases that the compiler left as functions.
fn separate_phases(profile: &Profile) -> Vec<String> {
    let is_phase = |name: &&String| {
        let last = name.rsplit("::").next().unwrap_or("");
        name.starts_with("search::phases") && PHASES.contains(&last)
    };
    profile.functions.keys().filter(is_phase).map(|name| short(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_that_is_a_function_is_noticed() {
        let functions = [
            ("search::phases::next::<impl search::phases::Search<R,E,T>>::next", 1),
            ("search::phases::enter::<impl search::phases::Search<R,E,T>>::razor", 1),
            ("search::picker::Picker::next", 1),
        ];
        let functions = functions.map(|(name, cost)| (name.to_owned(), cost)).into();
        let profile = Profile { instructions: 3, functions, output: "12 ab\n".to_owned() };
        assert_eq!(separate_phases(&profile), ["search::phases::next::Search::next"]);
        assert_eq!(nodes(&profile), Ok(12.0));
    }
}
