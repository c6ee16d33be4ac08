//! What processes send each other: frames, several of them in a batch of bytes.
//!
//! A frame is its length in four bytes, its kind in one, and its content. The kinds of greetings never
//! change, so that two versions of the program can at least tell that they are two.

use crate::{Call, Traffic};
use parallel::threads::{Parcel, Settings, ThreadReport};
use parallel::{RootOrder, StrategyKind};
use search::wire::{Damaged, Reader, Wire, read};
use std::time::Duration;

/// A search that all are to take part in.
#[derive(Clone, Debug)]
pub struct SearchOrder {
    /// Its number.
    pub number: u32,
    /// Threads of each process.
    pub threads: u32,
    /// The way of searching.
    pub strategy: StrategyKind,
    /// The smallest depth of a child that another thread searches.
    pub grain: i32,
    /// What is searched.
    pub root: RootOrder,
}

impl SearchOrder {
    /// The order for a pool's settings.
    pub fn new(number: u32, root: &RootOrder, settings: &Settings) -> SearchOrder {
        let &Settings { threads, strategy, grain, .. } = settings;
        SearchOrder { number, threads, strategy, grain, root: root.clone() }
    }
}

/// A frame.
#[derive(Clone, Debug)]
pub enum Frame {
    /// Who somebody is.
    Hello(String),
    /// "You may stay."
    Welcome,
    /// "Go", with the reason, if it is a bad one.
    Leave(String),
    /// "I go."
    Bye,
    /// "I am here."
    Beat,
    /// What to do, in words.
    Order(String),
    /// What went wrong with it.
    Failure(String),
    /// A search begins.
    Search(Box<SearchOrder>),
    /// It has ended here; what was sent so far, and what each thread did.
    Done(u32, Traffic, Vec<ThreadReport>),
    /// Something about a search.
    Parcel(u32, Parcel),
    /// "Send this back."
    Ping(Vec<u8>),
    /// What was to be sent back.
    Pong(Vec<u8>),
    /// A process is lost.
    Lost(u32),
    /// All orders so far are followed.
    Ready(u32),
    /// Work for one process.
    Call(Call),
    /// What came of it, and whether that is all.
    Answer(u32, bool, Vec<u8>),
    /// It is to be cut short.
    CutShort(u32),
    /// All have said goodbye, or not.
    Settled(bool),
    /// Something about a work that all do together, by the work's number.
    BuildMessage(u32, Vec<u8>),
}

const LENGTH: usize = 4;

impl Frame {
    fn kind(&self) -> u8 {
        match self {
            Frame::Hello(_) => 0,
            Frame::Welcome => 1,
            Frame::Leave(_) => 2,
            Frame::Bye => 3,
            Frame::Beat => 4,
            Frame::Order(_) => 5,
            Frame::Failure(_) => 6,
            Frame::Search(_) => 7,
            Frame::Done(..) => 8,
            Frame::Parcel(..) => 9,
            Frame::Ping(_) => 10,
            Frame::Pong(_) => 11,
            Frame::Lost(_) => 12,
            Frame::Ready(_) => 13,
            Frame::Call(_) => 14,
            Frame::Answer(..) => 15,
            Frame::CutShort(_) => 16,
            Frame::Settled(_) => 17,
            Frame::BuildMessage(..) => 18,
        }
    }

    /// Appends it.
    pub fn put(&self, out: &mut Vec<u8>) {
        let begin = open(self.kind(), out);
        match self {
            Frame::Welcome | Frame::Bye | Frame::Beat => (),
            Frame::Hello(text) | Frame::Leave(text) | Frame::Order(text) | Frame::Failure(text) => {
                out.extend_from_slice(text.as_bytes())
            }
            Frame::Search(order) => {
                order.number.put(out);
                order.threads.put(out);
                order.strategy.to_string().put(out);
                order.grain.put(out);
                order.root.put(out);
            }
            Frame::Done(number, traffic, reports) => {
                number.put(out);
                let &Traffic { frames, messages, bytes, dropped, damaged } = traffic;
                [frames, messages, bytes, dropped, damaged].put(out);
                (reports.len() as u64).put(out);
                reports.iter().for_each(|report| put_report(report, out));
            }
            Frame::Parcel(number, parcel) => {
                number.put(out);
                parcel.put(out);
            }
            Frame::Ping(bytes) | Frame::Pong(bytes) => out.extend_from_slice(bytes),
            Frame::Lost(number) | Frame::Ready(number) | Frame::CutShort(number) => {
                number.put(out);
            }
            Frame::Settled(good) => good.put(out),
            Frame::BuildMessage(number, content) => {
                number.put(out);
                out.extend_from_slice(content);
            }
            Frame::Call(Call { id, slot, content }) => {
                [*id, *slot].put(out);
                out.extend_from_slice(content);
            }
            Frame::Answer(id, last, content) => {
                id.put(out);
                last.put(out);
                out.extend_from_slice(content);
            }
        }
        close(begin, out);
    }

    fn take(kind: u8, content: &[u8]) -> Result<Frame, Damaged> {
        let text = || String::from_utf8_lossy(content).into_owned();
        let mut reader = Reader::new(content);
        Ok(match kind {
            0 => Frame::Hello(text()),
            1 => Frame::Welcome,
            2 => Frame::Leave(text()),
            3 => Frame::Bye,
            4 => Frame::Beat,
            5 => Frame::Order(text()),
            6 => Frame::Failure(text()),
            7 => {
                let (number, threads) = (reader.take()?, reader.take()?);
                let strategy = reader.take::<String>()?.parse();
                let strategy = strategy.map_err(|_| Damaged("strategy"))?;
                let (grain, root) = (reader.take()?, reader.take()?);
                Frame::Search(Box::new(SearchOrder { number, threads, strategy, grain, root }))
            }
            8 => {
                let number = reader.take()?;
                let [frames, messages, bytes, dropped, damaged] = reader.take()?;
                let traffic = Traffic { frames, messages, bytes, dropped, damaged };
                let count: u16 = reader.take()?;
                let reports =
                    (0..count).map(|_| take_report(&mut reader)).collect::<Result<_, _>>();
                Frame::Done(number, traffic, reports?)
            }
            9 => {
                let number = reader.take()?;
                Frame::Parcel(number, read(reader.rest())?)
            }
            10 => Frame::Ping(content.to_vec()),
            11 => Frame::Pong(content.to_vec()),
            12 => Frame::Lost(reader.take()?),
            13 => Frame::Ready(reader.take()?),
            14 => {
                let [id, slot] = reader.take()?;
                Frame::Call(Call { id, slot, content: reader.rest().to_vec() })
            }
            15 => {
                let (id, last) = (reader.take()?, reader.take()?);
                Frame::Answer(id, last, reader.rest().to_vec())
            }
            16 => Frame::CutShort(reader.take()?),
            17 => Frame::Settled(reader.take()?),
            18 => Frame::BuildMessage(reader.take()?, reader.rest().to_vec()),
            _ => return Err(Damaged("kind of frame")),
        })
    }
}

/// Appends a parcel without copying it into a frame first.
pub fn put_parcel(number: u32, parcel: &Parcel, out: &mut Vec<u8>) {
    let begin = open(9, out);
    number.put(out);
    parcel.put(out);
    close(begin, out);
}

fn open(kind: u8, out: &mut Vec<u8>) -> usize {
    let begin = out.len();
    out.extend_from_slice(&[0; LENGTH]);
    out.push(kind);
    begin
}

/// Writes the length in front of what was appended.
fn close(begin: usize, out: &mut [u8]) {
    let length = (out.len() - begin - LENGTH) as u32;
    if let Some(place) = out.get_mut(begin..begin + LENGTH) {
        place.copy_from_slice(&length.to_le_bytes());
    }
}

/// Takes the frames of a batch; the first damaged one ends it.
pub fn take_all(batch: &[u8], mut take: impl FnMut(Frame)) -> Result<(), Damaged> {
    let mut reader = Reader::new(batch);
    while !reader.rest().is_empty() {
        let length = reader.bytes(LENGTH)?.try_into().map_err(|_| Damaged("length"))?;
        let frame = reader.bytes(u32::from_le_bytes(length) as usize)?;
        let (&kind, content) = frame.split_first().ok_or(Damaged("frame"))?;
        take(Frame::take(kind, content)?);
    }
    Ok(())
}

fn put_report(report: &ThreadReport, out: &mut Vec<u8>) {
    let &ThreadReport { nodes, idle_nodes, jobs, messages, waits, waiting, .. } = report;
    let &ThreadReport { table_reads, table_answers, restarts, reading, .. } = report;
    [nodes, idle_nodes, jobs, messages, waits, waiting.as_nanos() as u64].put(out);
    [table_reads, table_answers, restarts, reading.as_nanos() as u64].put(out);
}

fn take_report(reader: &mut Reader<'_>) -> Result<ThreadReport, Damaged> {
    let [nodes, idle_nodes, jobs, messages, waits, waiting] = reader.take()?;
    let [table_reads, table_answers, restarts, reading] = reader.take()?;
    let (waiting, reading) = (Duration::from_nanos(waiting), Duration::from_nanos(reading));
    Ok(ThreadReport {
        nodes,
        idle_nodes,
        jobs,
        messages,
        waits,
        waiting,
        table_reads,
        table_answers,
        restarts,
        reading,
    })
}
