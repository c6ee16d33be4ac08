//! What positions are evaluated by: the same options for all commands that let one choose.

use crate::failure::Failure;
use crate::network::Chosen;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The classical terms, the embedded network, or one of a file.
#[derive(Args)]
pub struct EvaluationArguments {
    /// Evaluate by the classical terms or by a network [default: net]
    #[arg(long, value_enum, value_name = "NAME")]
    pub evaluation: Option<Evaluation>,

    /// Evaluate by the network of this file instead of the embedded one
    #[arg(long, value_name = "FILE.net")]
    pub net: Option<PathBuf>,
}

/// What there is to evaluate by.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Evaluation {
    /// The terms
    Classical,
    /// The network of --net, or the embedded one
    Net,
}

impl EvaluationArguments {
    /// The network that was asked for, if one was; `usual` where nothing was said.
    pub fn open(&self, usual: Evaluation) -> Result<Option<Chosen>, Failure> {
        match (self.evaluation, &self.net) {
            (Some(Evaluation::Classical), Some(_)) => {
                Err(Failure::Usage("--net: not with --evaluation classical".to_owned()))
            }
            (Some(Evaluation::Classical), None) => Ok(None),
            (None, None) if usual == Evaluation::Classical => Ok(None),
            (_, file) => Chosen::open(file.as_deref()).map(Some).map_err(Failure::Work),
        }
    }
}
