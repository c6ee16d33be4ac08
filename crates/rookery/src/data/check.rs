//! `rookery data check`: whether files are sound, and what is in them.

use super::{open, open_games, wrong};
use crate::arguments::DataCheckArguments;
use crate::counted::counted;
use crate::failure::Failure;
use crate::json;
use crate::network;
use eval::nnue::Network;
use eval::score::is_decided;
use lab::data::{file, samples};
use serde::Serialize;
use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;

/// What is in a file.
#[derive(Serialize, Default)]
struct Content {
    file: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    origin: String,
    /// 0 for samples.
    games: u64,
    /// Half-moves of games; samples.
    positions: u64,
    /// Those with a score.
    scored: u64,
    /// Games, or samples, that were lost, drawn, won and unknown: of White, or of the side to move.
    outcomes: [u64; 4],
    /// Samples by the number of men, 2 to 5 first: what the network's outputs see.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_men: Option<[u64; 8]>,
    /// Of those that are no known win or loss.
    mean_absolute_score: f64,
    bytes: u64,
}

/// Runs the command: the exit status is 1 if a file is damaged.
pub fn run(arguments: &DataCheckArguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let mut status = ExitCode::SUCCESS;
    for path in &arguments.files {
        match look(path) {
            Ok(content) if arguments.json => json::write(&content, out)?,
            Ok(content) => content.write(out)?,
            Err(failure) => status = failure.report(),
        }
    }
    Ok(status)
}

fn look(path: &Path) -> Result<Content, Failure> {
    let mut file = open(path)?;
    let bytes = file.metadata().map_or(0, |found| found.len());
    let mut beginning = Vec::new();
    let read = Read::by_ref(&mut file).take(8).read_to_end(&mut beginning);
    read.map_err(|error| wrong(path, &format!("cannot be read: {error}")))?;
    if beginning == Network::MAGIC[..] {
        let network = network::open(path).map_err(Failure::Work)?;
        let origin = network::text(&network);
        let file = path.display().to_string();
        return Ok(Content { file, kind: "network", origin, bytes, ..Content::default() });
    }
    let is_known = beginning == file::MAGIC || samples::is_one(&beginning);
    if !beginning.is_empty() && !is_known {
        return Err(wrong(path, "is no file of Rookery's games, samples or networks"));
    }
    let mut content =
        Content { file: path.display().to_string(), kind: "games", bytes, ..Content::default() };
    let (mut sum, mut guesses) = (0u64, 0u64);
    let mut see = |score: i16| {
        if !is_decided(score) {
            (sum, guesses) = (sum + u64::from(score.unsigned_abs()), guesses + 1);
        }
    };
    if samples::is_one(&beginning) {
        content.kind = "samples";
        let by_men = content.by_men.insert([0; 8]);
        let count = samples::read(open(path)?, |sample| {
            content.outcomes[usize::from(sample.outcome())] += 1;
            by_men[(sample.men() as usize - 2) / 4] += 1;
            see(sample.score());
        });
        content.positions = count.map_err(|reason| wrong(path, &reason))?;
        content.scored = content.positions;
    } else {
        let mut reader = open_games(path)?;
        content.origin = reader.origin().to_owned();
        while let Some(block) = reader.next_block().map_err(|error| wrong(path, &error.text()))? {
            for game in block.games().map_err(|reason| wrong(path, &reason))? {
                content.games += 1;
                content.outcomes[game.outcome as usize] += 1;
                content.positions += game.plies.len() as u64;
                for score in game.plies.iter().filter_map(|ply| ply.score) {
                    content.scored += 1;
                    see(score);
                }
            }
        }
    }
    content.mean_absolute_score = sum as f64 / guesses.max(1) as f64;
    Ok(content)
}

impl Content {
    fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        let Content { file, positions, scored, .. } = self;
        let [lost, drawn, won, unknown] = self.outcomes;
        if self.kind == "network" {
            return writeln!(out, "{file}: a network, {}", self.origin);
        }
        if self.kind == "games" {
            let size = self.bytes as f64 / (*positions).max(1) as f64;
            writeln!(out, "{file}: {}, {}", counted(self.games, "game"), self.origin)?;
            let plies = counted(positions, "half-move");
            writeln!(out, "  {plies}, {scored} with a score, {size:.2} bytes each")?;
            writeln!(out, "  White won {won}, drew {drawn}, lost {lost}; {unknown} unknown")?;
        } else {
            writeln!(out, "{file}: {}", counted(positions, "sample"))?;
            writeln!(out, "  won {won}, drawn {drawn}, lost {lost}, unknown {unknown}")?;
            let shares: Vec<String> = self.by_men.iter().flatten().map(u64::to_string).collect();
            writeln!(out, "  by men, in fours from 2 to 32: {}", shares.join(" "))?;
        }
        writeln!(out, "  mean absolute score {:.0} cp", self.mean_absolute_score)
    }
}
