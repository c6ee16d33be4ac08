//! What is written down about packages outside Rust holds: the Dockerfile, the Debian package and the release
//! workflow name paths, features, profiles and targets that are there. None of them is run by the tests.

use super::{CHECKED, FEATURES, MANUAL, SHELLS, SYSTEMS};
use crate::root;
use std::fs;

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What follows a word on the line that holds it.
fn after<'a>(text: &'a str, word: &str) -> &'a str {
    let rest = text.split_once(word).unwrap_or_else(|| panic!("{word} in {text}")).1;
    rest.split_whitespace().next().unwrap_or_default()
}

#[test]
fn the_dockerfile_builds_what_is_there_with_the_oldest_compiler_that_is_allowed() {
    let (file, workspace) = (read("Dockerfile"), read("Cargo.toml"));
    let oldest = after(&workspace, "rust-version = ").trim_matches('"');
    assert!(file.contains(&format!("FROM rust:{oldest}-")), "{oldest}");
    let build = file.lines().find(|line| line.starts_with("RUN cargo build --locked "));
    let build = build.expect("it builds");
    assert_eq!(after(build, "--features "), FEATURES, "what the archives hold");
    let profile = after(build, "--profile ");
    assert!(workspace.contains(&format!("[profile.{profile}]")), "{profile}");
    let folder = after(&file, "WORKDIR ");
    let program = format!("{folder}/target/{profile}/{}", after(build, "--package "));
    assert_eq!(after(&file, "COPY --from=build "), program);
    // Both stages are the same Debian: the program needs no newer library than the second has.
    let debian = after(&file, "FROM debian:").trim_end_matches("-slim");
    assert!(after(&file, "FROM rust:").ends_with(debian), "{debian}");
    let ignored = read(".dockerignore");
    for path in [".git", "target", "web/node_modules"] {
        assert!(ignored.lines().any(|line| line == path), "{path} is not sent to the builder");
    }
}

#[test]
fn features_of_packages_are_features_of_the_program() {
    let manifest = read("crates/rookery/Cargo.toml");
    for feature in FEATURES.split(',') {
        assert!(manifest.contains(&format!("\n{feature} = [")), "{feature}");
    }
}

#[test]
fn what_the_debian_package_holds_is_in_the_repository_or_made_by_dist() {
    let manifest = read("crates/rookery/Cargo.toml");
    let assets = manifest.split_once("\nassets = [\n").expect("assets").1;
    let assets = assets.split_once("\n]").expect("the end of the assets").0;
    for line in assets.lines() {
        let source = line.split('"').nth(1).expect("a source");
        let made = format!("../../target/archives/{MANUAL}/");
        match source.strip_prefix(&made) {
            Some("man/*.1") => {}
            Some(made) => {
                let name = made.strip_prefix("completions/").expect("a completion");
                assert!(SHELLS.iter().any(|(_, file)| *file == name), "{source}");
            }
            // Cargo-deb puts the folder of the profile in its place.
            None if source == "target/release/rookery" => {}
            None => assert!(root().join("crates/rookery").join(source).is_file(), "{source}"),
        }
    }
}

#[test]
fn the_release_workflow_installs_what_dist_asks_for() {
    let workflow = read(".github/workflows/release.yml");
    let targets =
        workflow.lines().find(|line| line.contains("rustup target add")).expect("targets");
    for system in &SYSTEMS[1..] {
        assert!(targets.contains(system.target), "{}", system.target);
        for package in system.packages.split_whitespace() {
            assert!(workflow.contains(&format!(" {package}")), "{package}");
        }
    }
    assert!(targets.contains(CHECKED));
    assert!(workflow.contains(&format!("--target {}", SYSTEMS[0].target)));
    // Both tell a reader the same command.
    assert!(
        read("docs/guide/install.md").contains("cargo deb -p rookery --profile dist --no-build")
    );
}
