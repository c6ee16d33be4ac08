//! Messages as bytes, for processors that share no memory: see [`search::wire`] for the form. What is not hot
//! has serde's form; [`checked`] joins the two.

use crate::threads::Envelope;
use crate::{Dewey, Member, Message, Peer, StateResult};
use search::wire::{Damaged, Reader, Wire};

/// Serde's form of values whose bytes are checked as they are read: `#[serde(with = "checked")]`.
pub mod checked {
    use search::wire::{Wire, read, write};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    /// The bytes of a value.
    pub fn serialize<T: Wire, S: Serializer>(value: &T, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_bytes(&write(value))
    }

    /// The value that bytes stand for.
    pub fn deserialize<'de, T: Wire, D: Deserializer<'de>>(input: D) -> Result<T, D::Error> {
        read(<&[u8]>::deserialize(input)?).map_err(D::Error::custom)
    }
}

/// A struct as its fields, one after the other.
macro_rules! fields {
    ($type:ident { $($field:tt),* }) => {
        impl Wire for $type {
            fn put(&self, out: &mut Vec<u8>) {
                $(self.$field.put(out);)*
            }

            fn take(reader: &mut Reader<'_>) -> Result<$type, Damaged> {
                Ok($type { $($field: reader.take()?),* })
            }
        }
    };
}

/// An enum as the number of its variant and the fields of that; and the names of the variants.
macro_rules! variants {
    ($type:ident, $what:literal, $($kind:literal $name:literal $variant:ident { $($field:ident),* })*) => {
        impl $type {
            /// Names of the kinds, by their numbers.
            pub const KINDS: [&'static str; [$($name),*].len()] = [$($name),*];

            /// The number of its kind.
            pub fn kind(&self) -> usize {
                match self {
                    $($type::$variant { .. } => $kind),*
                }
            }
        }

        impl Wire for $type {
            fn put(&self, out: &mut Vec<u8>) {
                out.push(self.kind() as u8);
                match self {
                    $($type::$variant { $($field),* } => {
                        $($field.put(out);)*
                    })*
                }
            }

            fn take(reader: &mut Reader<'_>) -> Result<$type, Damaged> {
                Ok(match reader.take::<u8>()? {
                    $($kind => $type::$variant { $($field: reader.take()?),* },)*
                    _ => return Err(Damaged($what)),
                })
            }
        }
    };
}

fields!(Peer { 0 });
fields!(Dewey { 0 });
fields!(Envelope { from, message });
fields!(Member { peer, ticket });
fields!(StateResult { job_result, alpha, beta, killers, entry });

variants! { Message, "kind of message",
    0 "request" Request { origin, ticket, hops, within }
    1 "refused" Refused { ticket }
    2 "work" Work { task, ticket, job }
    3 "declined" Declined { task }
    4 "return" Return { task, job_result, ticket }
    5 "narrow" Narrow { task, alpha, beta }
    6 "cancel" Cancel { task }
    7 "ask" Ask { task }
    8 "alive" Alive { task, working }
    9 "begin" Begin { root }
    10 "stop" Stop {}
    11 "state" State { path, job }
    12 "value" Value { path, state_result }
    13 "abort" Abort { path, below }
    14 "bounds" Bounds { path, alpha, beta }
    15 "inquiry" Inquiry { path }
    16 "status" Status { path, known }
    17 "history_delta" HistoryDelta { receiver, history_delta }
    18 "team" Team { task, ticket, job, members }
    19 "join" Join { task, members }
    20 "release" Release { task, members }
    21 "steal" Steal { path, job, ticket }
}

impl Message {
    /// The processors that it names, so that a receiver may see whether they exist.
    pub fn names(&self) -> Vec<Peer> {
        match self {
            Message::Request { origin, within, .. } => {
                std::iter::once(*origin).chain(within.map(|task| Peer(task.issuer))).collect()
            }
            Message::Work { task, .. }
            | Message::Declined { task }
            | Message::Return { task, .. }
            | Message::Narrow { task, .. }
            | Message::Cancel { task }
            | Message::Ask { task }
            | Message::Alive { task, .. } => vec![Peer(task.issuer)],
            Message::Team { task, members, .. }
            | Message::Join { task, members }
            | Message::Release { task, members } => {
                members.iter().map(|member| member.peer).chain([Peer(task.issuer)]).collect()
            }
            _ => Vec::new(),
        }
    }
}
