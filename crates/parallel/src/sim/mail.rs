//! Messages on their way through the simulated machine.

use super::tables::TableMessage;
use crate::{Message, Peer, Time};
use std::cmp::Ordering;

/// What a message is about.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Strategy(Message),
    Table(TableMessage),
}

impl Content {
    pub fn bytes(&self) -> usize {
        match self {
            Content::Strategy(message) => message.bytes(),
            Content::Table(message) => message.bytes(),
        }
    }

    /// The number of its kind among all.
    pub fn kind(&self) -> usize {
        match self {
            Content::Strategy(message) => message.kind(),
            Content::Table(message) => Message::KINDS.len() + message.kind(),
        }
    }
}

/// A message that was sent.
pub(super) struct Mail {
    pub to: Peer,
    pub sent: Time,
    pub content: Content,
}

/// A message on its way.
pub(super) struct Incoming {
    /// Its time of arrival and its number.
    pub place: (Time, u64),
    pub from: Peer,
    pub content: Content,
}

/// The earliest is the greatest.
impl Ord for Incoming {
    fn cmp(&self, other: &Incoming) -> Ordering {
        other.place.cmp(&self.place)
    }
}

impl PartialOrd for Incoming {
    fn partial_cmp(&self, other: &Incoming) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Incoming {
    fn eq(&self, other: &Incoming) -> bool {
        self.place == other.place
    }
}

impl Eq for Incoming {}
