//! What connects the threads of a process with those of others: the door to a network, as a pool sees it.

use super::{Settings, SharedRequests, ThreadReport};
use crate::{Message, Peer, RootOrder, TableSettings, Time};
use search::Outcome;
use search::wire::{Damaged, Reader, Wire};
use std::sync::Arc;
use table::Entry;

/// Where a process stands among all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its number; 0 speaks to the user.
    pub process: u32,
    /// How many there are.
    pub processes: u32,
}

/// How far away the other processes are, and what follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Distance {
    /// The smallest depth of a child that another process searches.
    pub remote_grain: i32,
    /// How long a request for work waits where nobody has any.
    pub dwell: Time,
    /// How the processes share what they know; sizes are not meant.
    pub table: TableSettings,
    /// How long an answer of another table is waited for.
    pub patience: Time,
    /// Nodes between two looks at the network.
    pub slice: u64,
    /// Whether a message is there within a few nodes.
    pub near: bool,
    /// Whether every thread has a processor of its own: then idle ones need not sleep.
    pub roomy: bool,
}

/// What processes tell each other about a search.
#[derive(Clone, Debug)]
pub enum Parcel {
    /// A message between threads.
    Envelope {
        /// To whom.
        to: Peer,
        /// From whom.
        from: Peer,
        /// What.
        message: Message,
    },
    /// Entries of the table.
    Entries(Vec<(u64, Entry)>),
    /// "What do you know about these?"
    Reads {
        /// Who wants to know.
        asker: Peer,
        /// The keys of the positions.
        keys: Vec<u64>,
    },
    /// "This": of those whom one who waits has asked for all, else of those that are known.
    Answers {
        /// Who wanted to know.
        to: Peer,
        /// What.
        found: Vec<(u64, Option<Entry>)>,
    },
    /// How far the threads of a process have come together.
    Progress {
        /// Nodes.
        nodes: u64,
        /// Nodes about which endgame tables knew something.
        tbhits: u64,
        /// The deepest ply.
        selective_depth: i32,
    },
    /// A finished iteration.
    Found {
        /// Whether it was the last.
        last: bool,
        /// What was found.
        outcome: Outcome,
    },
    /// The search is over.
    End,
}

/// The way to the other processes. No method waits for them but [`Uplink::settle`].
pub trait Uplink: Send + Sync {
    /// Where this process stands.
    fn place(&self) -> Place;

    /// How far away the others are, where each process has so many threads.
    fn distance(&self, threads: u32) -> Distance;

    /// Where all processes see each other's requests, if there is such a place, and the number of the present
    /// search.
    fn shared_requests(&self) -> Option<(Arc<SharedRequests>, u32)>;

    /// Whether nothing is to be expected of a process any more.
    fn is_lost(&self, process: u32) -> bool;

    /// Tells all others to search with us.
    fn announce(&self, order: &RootOrder, settings: &Settings);

    /// Puts a parcel of the present search on its way.
    fn send(&self, process: u32, parcel: &Parcel);

    /// The same for all others; entries of the table only for those who do not see them anyway.
    fn send_to_all(&self, parcel: &Parcel);

    /// Lets parcels go and hands over those of the present search that have come, each with the process
    /// that sent it.
    fn exchange(&self, take: &mut dyn FnMut(u32, Parcel));

    /// Waits until all others have ended the search that was announced last, or are lost.
    fn settle(&self);

    /// What the threads of the others did in it.
    fn reports(&self) -> Vec<ThreadReport>;
}

impl Wire for Parcel {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Parcel::Envelope { to, from, message } => {
                out.push(0);
                to.put(out);
                from.put(out);
                message.put(out);
            }
            Parcel::Entries(entries) => {
                out.push(1);
                (entries.len() as u64).put(out);
                for (key, entry) in entries {
                    put_key(*key, out);
                    entry.put(out);
                }
            }
            Parcel::Progress { nodes, tbhits, selective_depth } => {
                out.push(2);
                nodes.put(out);
                tbhits.put(out);
                selective_depth.put(out);
            }
            Parcel::Found { last, outcome } => {
                out.push(3);
                last.put(out);
                outcome.put(out);
            }
            Parcel::End => out.push(4),
            Parcel::Reads { asker, keys } => {
                out.push(5);
                asker.put(out);
                (keys.len() as u64).put(out);
                keys.iter().for_each(|key| put_key(*key, out));
            }
            Parcel::Answers { to, found } => {
                out.push(6);
                to.put(out);
                (found.len() as u64).put(out);
                for (key, entry) in found {
                    put_key(*key, out);
                    entry.put(out);
                }
            }
        }
    }

    fn take(reader: &mut Reader<'_>) -> Result<Parcel, Damaged> {
        Ok(match reader.take::<u8>()? {
            0 => Parcel::Envelope {
                to: reader.take()?,
                from: reader.take()?,
                message: reader.take()?,
            },
            1 => {
                let count: u16 = reader.take()?;
                let entries = (0..count).map(|_| Ok((take_key(reader)?, reader.take()?)));
                Parcel::Entries(entries.collect::<Result<_, Damaged>>()?)
            }
            2 => Parcel::Progress {
                nodes: reader.take()?,
                tbhits: reader.take()?,
                selective_depth: reader.take()?,
            },
            3 => Parcel::Found { last: reader.take()?, outcome: reader.take()? },
            4 => Parcel::End,
            5 => {
                let (asker, count): (Peer, u16) = (reader.take()?, reader.take()?);
                let keys = (0..count).map(|_| take_key(reader)).collect::<Result<_, _>>()?;
                Parcel::Reads { asker, keys }
            }
            6 => {
                let (to, count): (Peer, u16) = (reader.take()?, reader.take()?);
                let found = (0..count).map(|_| Ok((take_key(reader)?, reader.take()?)));
                Parcel::Answers { to, found: found.collect::<Result<_, Damaged>>()? }
            }
            _ => return Err(Damaged("kind of parcel")),
        })
    }
}

/// Keys look like chance: they take eight bytes each.
fn put_key(key: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(&key.to_le_bytes());
}

fn take_key(reader: &mut Reader<'_>) -> Result<u64, Damaged> {
    let key = reader.bytes(8)?.try_into().map_err(|_| Damaged("key"))?;
    Ok(u64::from_le_bytes(key))
}
