//! Messages as bytes, for processors that share no memory: see [`search::wire`] for the form.

use crate::{Dewey, Member, Message, Peer, StateResult};
use search::wire::{Damaged, Reader, Wire};

impl Wire for Peer {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Peer, Damaged> {
        reader.take().map(Peer)
    }
}

impl Wire for Dewey {
    fn put(&self, out: &mut Vec<u8>) {
        (self.numbers().len() as u64).put(out);
        self.numbers().iter().for_each(|number| number.put(out));
    }

    fn take(reader: &mut Reader<'_>) -> Result<Dewey, Damaged> {
        reader.take().map(Dewey::from_numbers)
    }
}

impl Wire for Member {
    fn put(&self, out: &mut Vec<u8>) {
        self.peer.put(out);
        self.ticket.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<Member, Damaged> {
        Ok(Member { peer: reader.take()?, ticket: reader.take()? })
    }
}

impl Wire for StateResult {
    fn put(&self, out: &mut Vec<u8>) {
        self.job_result.put(out);
        self.alpha.put(out);
        self.beta.put(out);
        self.killers.put(out);
        self.entry.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Result<StateResult, Damaged> {
        Ok(StateResult {
            job_result: reader.take()?,
            alpha: reader.take()?,
            beta: reader.take()?,
            killers: reader.take()?,
            entry: reader.take()?,
        })
    }
}

impl Wire for Message {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(self.kind() as u8);
        match self {
            Message::Request { origin, ticket, hops, within } => {
                origin.put(out);
                ticket.put(out);
                hops.put(out);
                within.put(out);
            }
            Message::Refused { ticket } => ticket.put(out),
            Message::Work { task, ticket, job } => {
                task.put(out);
                ticket.put(out);
                job.put(out);
            }
            Message::Team { task, ticket, job, members } => {
                task.put(out);
                ticket.put(out);
                job.put(out);
                members.put(out);
            }
            Message::Join { task, members } | Message::Release { task, members } => {
                task.put(out);
                members.put(out);
            }
            Message::Declined { task } | Message::Cancel { task } | Message::Ask { task } => {
                task.put(out);
            }
            Message::Return { task, job_result, ticket } => {
                task.put(out);
                job_result.put(out);
                ticket.put(out);
            }
            Message::Narrow { task, alpha, beta } => {
                task.put(out);
                [*alpha, *beta].put(out);
            }
            Message::Alive { task, working } => {
                task.put(out);
                working.put(out);
            }
            Message::Begin(order) => order.put(out),
            Message::Stop => (),
            _ => self.put_of_states(out),
        }
    }

    fn take(reader: &mut Reader<'_>) -> Result<Message, Damaged> {
        let kind: u8 = reader.take()?;
        Ok(match kind {
            0 => Message::Request {
                origin: reader.take()?,
                ticket: reader.take()?,
                hops: reader.take()?,
                within: reader.take()?,
            },
            1 => Message::Refused { ticket: reader.take()? },
            2 => {
                Message::Work { task: reader.take()?, ticket: reader.take()?, job: reader.take()? }
            }
            3 => Message::Declined { task: reader.take()? },
            4 => Message::Return {
                task: reader.take()?,
                job_result: reader.take()?,
                ticket: reader.take()?,
            },
            5 => {
                let (task, [alpha, beta]) = (reader.take()?, reader.take()?);
                Message::Narrow { task, alpha, beta }
            }
            6 => Message::Cancel { task: reader.take()? },
            7 => Message::Ask { task: reader.take()? },
            8 => Message::Alive { task: reader.take()?, working: reader.take()? },
            9 => Message::Begin(reader.take()?),
            10 => Message::Stop,
            18 => Message::Team {
                task: reader.take()?,
                ticket: reader.take()?,
                job: reader.take()?,
                members: reader.take()?,
            },
            19 => Message::Join { task: reader.take()?, members: reader.take()? },
            20 => Message::Release { task: reader.take()?, members: reader.take()? },
            kind => Message::take_of_states(kind, reader)?,
        })
    }
}

/// The messages of transposition-driven scheduling.
impl Message {
    fn put_of_states(&self, out: &mut Vec<u8>) {
        match self {
            Message::State { path, job } => {
                path.put(out);
                job.put(out);
            }
            Message::Steal { path, job, ticket } => {
                path.put(out);
                job.put(out);
                ticket.put(out);
            }
            Message::Value { path, state_result } => {
                path.put(out);
                state_result.put(out);
            }
            Message::Abort { path, below: flag } | Message::Status { path, known: flag } => {
                path.put(out);
                flag.put(out);
            }
            Message::Bounds { path, alpha, beta } => {
                path.put(out);
                [*alpha, *beta].put(out);
            }
            Message::Inquiry { path } => path.put(out),
            Message::HistoryDelta { listener, history_delta } => {
                listener.put(out);
                history_delta.put(out);
            }
            _ => (),
        }
    }

    fn take_of_states(kind: u8, reader: &mut Reader<'_>) -> Result<Message, Damaged> {
        Ok(match kind {
            11 => Message::State { path: reader.take()?, job: reader.take()? },
            12 => Message::Value { path: reader.take()?, state_result: reader.take()? },
            13 => Message::Abort { path: reader.take()?, below: reader.take()? },
            14 => {
                let (path, [alpha, beta]) = (reader.take()?, reader.take()?);
                Message::Bounds { path, alpha, beta }
            }
            15 => Message::Inquiry { path: reader.take()? },
            16 => Message::Status { path: reader.take()?, known: reader.take()? },
            21 => {
                Message::Steal { path: reader.take()?, job: reader.take()?, ticket: reader.take()? }
            }
            17 => Message::HistoryDelta { listener: reader.take()?, history_delta: reader.take()? },
            _ => return Err(Damaged("kind of message")),
        })
    }

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
