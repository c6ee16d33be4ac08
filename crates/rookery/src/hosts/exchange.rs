//! What the processes told each other in a piece of work, for a report.

use crate::counted::counted;
use cluster::Traffic;
use parallel::TableKind;
use serde::Serialize;

/// What all processes sent each other.
#[derive(Clone, Serialize)]
pub struct Exchange {
    /// How they share their tables.
    table: &'static str,
    /// Messages of all processes, and their bytes.
    network_messages: u64,
    network_bytes: u64,
    /// What was dropped because too much waited to be sent.
    network_dropped: u64,
}

impl Exchange {
    /// What was sent between two counts; nothing where there is one process.
    pub fn between(
        before: Option<(TableKind, Traffic)>,
        after: Option<(TableKind, Traffic)>,
    ) -> Option<Exchange> {
        let ((_, before), (kind, after)) = (before?, after?);
        Some(Exchange::new(kind, &after.since(&before)))
    }

    /// What was sent.
    pub fn new(kind: TableKind, traffic: &Traffic) -> Exchange {
        Exchange {
            table: kind.name(),
            network_messages: traffic.messages,
            network_bytes: traffic.bytes,
            network_dropped: traffic.dropped,
        }
    }
}

impl std::fmt::Display for Exchange {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Exchange { table, network_messages, network_bytes, .. } = self;
        let (messages, bytes) =
            (counted(network_messages, "message"), counted(network_bytes, "byte"));
        write!(out, "{messages}, {bytes}, tables {table}")
    }
}
