//! What the processes of the program tell each other beside searches: commands for all, and requests for one
//! with their answers. The link carries them as they are ([`cluster::Payload`]).

use crate::arena::Stage;
use crate::network::SharedNetwork;
use cluster::by_name;
use endgame::{Ending, Metric};
use parallel::wire::checked;
use parallel::{RootSearch, StrategyKind};
use search::{Line, Outcome, Profile};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What the first process has all others do. Tables have numbers, by which those of one host find the one
/// that they have in common.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ProcessCommand {
    /// Take these rules and a new table, whatever there was.
    Begin {
        #[serde(with = "by_name")]
        profile: Profile,
        hash_mb: u64,
        table: u32,
    },
    /// Follow other rules.
    Profile {
        #[serde(with = "by_name")]
        profile: Profile,
        table: u32,
    },
    /// Take a table of another size.
    Hash { hash_mb: u64, table: u32 },
    /// Search with this number of threads.
    Threads(u32),
    /// Forget the table's content.
    ClearTable,
    /// Forget everything.
    NewGame,
    /// Set an option of the console.
    Option { name: String, value: Option<String> },
    /// Evaluate by this network, or by the classical terms.
    Network(Option<SharedNetwork>),
    /// Ask the endgame tables of these folders, our own and Syzygy's.
    OpenTables { own: Option<PathBuf>, syzygy: Option<String> },
    /// Build a part of an endgame table.
    BuildTable {
        number: u32,
        #[serde(with = "by_name")]
        ending: Ending,
        #[serde(with = "by_name")]
        metric: Metric,
        files: Vec<MetricName>,
        dir: PathBuf,
    },
}

/// A metric in a list.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct MetricName(#[serde(with = "by_name")] pub Metric);

/// Work for one process. The last answer to any is a `Result`, with the reason of a failure as text.
#[derive(Debug, Serialize, Deserialize)]
pub enum Request {
    /// Search a position: each line that is found is answered by a [`RemoteReport`], the end by [`Found`].
    Search(Box<RemoteSearch>),
    /// Play a game of the schedule, by its number, in a stage of the match.
    Game(u64, Stage),
    /// Play the games of a task of `datagen`, by these settings: answered by a block, or by nothing where it
    /// was stopped.
    Games { task: u64, origin: String },
}

/// A search to be done elsewhere.
#[derive(Debug, Serialize, Deserialize)]
pub struct RemoteSearch {
    #[serde(with = "by_name")]
    pub profile: Profile,
    pub hash_mb: u64,
    /// The checksum of the network that it evaluates by, if not by the classical terms.
    pub network: Option<u32>,
    /// Threads that search together, and how.
    pub threads: u32,
    #[serde(with = "by_name")]
    pub strategy: StrategyKind,
    /// Whether to forget everything before.
    pub fresh: bool,
    #[serde(with = "checked")]
    pub root: RootSearch,
}

/// What came of a search elsewhere.
#[derive(Debug, Serialize, Deserialize)]
pub struct Found(#[serde(with = "checked")] pub Outcome);

/// A report of a search elsewhere: see [`search::Report`].
#[derive(Debug, Serialize, Deserialize)]
pub struct RemoteReport {
    pub depth: i32,
    pub selective_depth: i32,
    pub rank: u32,
    pub nodes: u64,
    pub hashfull: u32,
    pub tbhits: u64,
    #[serde(with = "checked")]
    pub line: Line,
}

#[cfg(test)]
mod tests {
    use super::*;
    use cluster::Payload;

    #[test]
    fn a_command_comes_out_as_it_went_in() {
        let (profile, table) = (Profile::Modern, 3);
        let commands = [
            ProcessCommand::Begin { profile, hash_mb: 16, table },
            ProcessCommand::Profile { profile: Profile::DarkSight, table },
            ProcessCommand::Hash { hash_mb: 1 << 25, table },
            ProcessCommand::Threads(1024),
            ProcessCommand::ClearTable,
            ProcessCommand::NewGame,
            ProcessCommand::Option { name: "a name of words".into(), value: Some("\n ".into()) },
            ProcessCommand::Option { name: String::new(), value: None },
            ProcessCommand::Network(None),
            ProcessCommand::OpenTables { own: Some("a folder".into()), syzygy: None },
            ProcessCommand::BuildTable {
                number: 7,
                ending: Ending::parse("KQKR").expect("an ending"),
                metric: Metric::Mate,
                files: vec![MetricName(Metric::Outcome), MetricName(Metric::Mate)],
                dir: "a folder with spaces".into(),
            },
        ];
        for command in commands {
            let payload = Payload::new(&command).expect("it has a form");
            assert_eq!(payload.read().as_ref(), Ok(&command));
            // It is no request, nor is one of the others one.
            assert!(payload.read::<RemoteSearch>().is_err());
        }
    }
}
