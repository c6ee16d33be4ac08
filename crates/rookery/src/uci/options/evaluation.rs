//! The options about the evaluation: the classical terms, or a network and its file.

use super::list::{Setting, Value};
use crate::network::{self, Chosen, EMBEDDED_NAME};
use crate::session::{CommandError, Session, refuse};
use eval::nnue::Network;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// What was set.
#[derive(Clone, Debug)]
pub struct Evaluation {
    by_network: bool,
    /// Nothing: the embedded one.
    file: Option<Chosen>,
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation { by_network: true, file: None }
    }
}

impl PartialEq for Evaluation {
    fn eq(&self, other: &Evaluation) -> bool {
        let checksum = |it: &Evaluation| it.file.as_ref().map(|it| it.network.checksum());
        self.by_network == other.by_network && checksum(self) == checksum(other)
    }
}

impl Evaluation {
    /// The network: that of the file, or the embedded one.
    pub(super) fn network(&self) -> Arc<Network> {
        self.file.clone().unwrap_or_default().network
    }

    /// What it is evaluated by, if not by the classical terms.
    fn used(&self) -> Option<Chosen> {
        self.by_network.then(|| self.file.clone().unwrap_or_default())
    }
}

impl super::Options {
    /// Whether the network evaluates, not the classical terms.
    pub fn uses_network(&self) -> bool {
        self.evaluation.used().is_some()
    }

    /// The file of the network, if it is not the embedded one.
    pub fn network_file(&self) -> Option<&Path> {
        self.evaluation.file.as_ref()?.file()
    }
}

impl Session {
    /// Sets one of the options about the evaluation, for all processes. A network that one of them cannot
    /// use is refused, and what there was before stays.
    pub(super) fn evaluate_by(
        &mut self,
        setting: Setting,
        value: Value,
        out: &mut impl Write,
    ) -> Result<(), CommandError> {
        let kept = |reason| refuse(format!("{setting:?}: {reason}: nothing has changed"));
        let mut evaluation = self.options.evaluation.clone();
        match (setting, value) {
            (Setting::Evaluation, Value::Flag(by_network)) => evaluation.by_network = by_network,
            (Setting::EvalFile, Value::Text(path)) if path.is_empty() || path == EMBEDDED_NAME => {
                evaluation.file = None;
            }
            (Setting::EvalFile, Value::Text(path)) => match Chosen::open(Some(path.as_ref())) {
                Ok(chosen) => evaluation.file = Some(chosen),
                Err(reason) => return kept(reason),
            },
            // The other pairs do not exist: a value is read by its option's kind.
            _ => return Ok(()),
        }
        if evaluation == self.options.evaluation {
            return Ok(());
        }
        let (before, used) = (self.options.evaluation.used(), evaluation.used());
        if used.is_none() && before.is_none() {
            self.options.evaluation = evaluation;
            return Ok(());
        }
        if let Err(reason) = network::share(used.as_ref(), self.link()) {
            // Some may have followed; what all had before, all can have again.
            let _ = network::share(before.as_ref(), self.link());
            return kept(reason);
        }
        if let Some(chosen) = &used {
            let text = network::text(&chosen.network);
            writeln!(out, "info string evaluation by network {text}")?;
        }
        self.options.evaluation = evaluation;
        self.engine().set_network(used.map(|chosen| chosen.network));
        Ok(())
    }
}
