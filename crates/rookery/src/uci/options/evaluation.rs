//! The options about the evaluation: the classical terms, or a network and its file.

use super::list::{Setting, Value};
use crate::network;
use crate::session::{CommandError, Session, refuse};
use eval::nnue::Network;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// What was set.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    by_network: bool,
    network: Option<Arc<Network>>,
}

impl PartialEq for Evaluation {
    fn eq(&self, other: &Evaluation) -> bool {
        let checksum = |it: &Evaluation| it.network.as_ref().map(|network| network.checksum());
        self.by_network == other.by_network && checksum(self) == checksum(other)
    }
}

impl Session {
    /// Sets one of the options about the evaluation. A network that cannot be used is refused, and the one
    /// before stays.
    pub(super) fn evaluate_by(
        &mut self,
        setting: Setting,
        value: Value,
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        let mut evaluation = self.options.evaluation.clone();
        match (setting, value) {
            (Setting::Evaluation, Value::Flag(by_network)) => evaluation.by_network = by_network,
            (Setting::EvalFile, Value::Text(path)) => {
                evaluation.network = match path.is_empty() {
                    true => None,
                    false => match network::open(Path::new(&path)) {
                        Ok(network) => Some(network),
                        Err(reason) => {
                            return refuse(format!("EvalFile: {reason}: nothing has changed"));
                        }
                    },
                };
            }
            // The other pairs do not exist: a value is read by its option's kind.
            _ => return Ok(()),
        }
        if evaluation == self.options.evaluation {
            return Ok(());
        }
        match (&evaluation.network, evaluation.by_network) {
            (Some(network), true) => {
                writeln!(out, "info string evaluation by network {}", network::text(network))?;
            }
            (None, true) => {
                writeln!(out, "info string classical evaluation until EvalFile names a network")?;
            }
            (_, false) => (),
        }
        let used = evaluation.network.clone().filter(|_| evaluation.by_network);
        self.options.evaluation = evaluation;
        self.engine().set_network(used);
        Ok(())
    }
}
