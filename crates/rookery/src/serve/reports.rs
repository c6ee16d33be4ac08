//! The laboratory's reports, embedded as they stand in `docs/lab`. The page turns them into elements.

use super::guard::refusal;
use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

/// The reports and their pictures: names and contents.
macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_bytes!(concat!("../../../../docs/lab/", $name)).as_slice())),+]
    };
}

const FILES: [(&str, &[u8]); 40] = files![
    "README.md",
    "attacks.md",
    "board.md",
    "cluster.md",
    "comparison.md",
    "darksight.md",
    "deep.md",
    "endgames.md",
    "enhancements.md",
    "evaluation.md",
    "figure8.md",
    "hypercube.md",
    "large-files.md",
    "networks.md",
    "packages.md",
    "parallel-strength.md",
    "profiles.md",
    "regret.md",
    "simulator.md",
    "speed.md",
    "strength.md",
    "tds.md",
    "teams.md",
    "threads.md",
    "ybw.md",
    "zugzwang.md",
    "comparison.svg",
    "darksight-figure510.svg",
    "darksight-figure57.svg",
    "darksight-figure59.svg",
    "darksight-speedup.svg",
    "deep-best-change.svg",
    "deep-fresh-best.svg",
    "enhancements.svg",
    "figure8.svg",
    "hypercube.svg",
    "rivals.svg",
    "strength.svg",
    "threads.svg",
    "zugzwang.svg",
];

/// The names of the reports, the list of all first.
pub fn names() -> Vec<&'static str> {
    FILES.iter().map(|file| file.0).filter(|name| name.ends_with(".md")).collect()
}

/// One of them: names are looked up in the list, nowhere else.
pub async fn file(Path(name): Path<String>) -> Response {
    let Some((name, content)) = FILES.iter().find(|file| file.0 == name) else {
        return refusal(404, "there is no such report");
    };
    let kind = match name.ends_with(".svg") {
        true => "image/svg+xml",
        false => "text/markdown; charset=utf-8",
    };
    ([(CONTENT_TYPE, kind)], *content).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_report_is_embedded() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/lab");
        let found = std::fs::read_dir(folder).expect("the reports are there");
        let found: BTreeSet<String> = found
            .map(|file| file.expect("it can be listed").file_name().to_string_lossy().into_owned())
            // The tables behind the reports lie in folders.
            .filter(|name| name.ends_with(".md") || name.ends_with(".svg"))
            .collect();
        let known: BTreeSet<String> = FILES.iter().map(|file| file.0.to_owned()).collect();
        assert_eq!(known, found);
        assert_eq!(names().first(), Some(&"README.md"));
    }
}
