//! What carries messages between processors: channels between threads, or processes that carry bytes.

use super::message::{Message, Processor};
use super::{Action, BuildSpec, Builder, Packed, Traffic};
use crate::ending::Ending;
use crate::value::Metric;
use std::fmt::Debug;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Longest sleep of a thread that waits for messages, before it asks whether to stop.
const SLEEP: Duration = Duration::from_millis(50);

/// Carries messages between processes that build a table together, each with its own part of it. Every
/// message arrives, in any order.
pub trait Carrier: Sync + Debug {
    /// The number of this process; the first one packs the files.
    fn me(&self) -> Processor;

    /// How many processes there are.
    fn processors(&self) -> u32;

    /// Tells the others to begin with a table; called by the first one only.
    fn begin(&self, ending: &Ending, metric: Metric, files: &[Metric]);

    /// Puts a message on its way.
    fn send(&self, to: Processor, message: Vec<u8>);

    /// What has come, with its sender; waits for a moment if it may. The error ends the build.
    fn receive(&self, may_wait: bool) -> Result<Option<(Processor, Vec<u8>)>, String>;
}

/// What one processor reports (the files, from the first one) and what it sent.
type Ended = Result<(Option<Vec<Packed>>, Traffic), String>;

/// Builds a table with other processes. `told` hears of each level.
pub fn on_hosts(spec: BuildSpec<'_>, carrier: &dyn Carrier, told: &(dyn Fn(u16) + Sync)) -> Ended {
    let me = carrier.me();
    let builder = Builder::new(spec, me, carrier.processors());
    let send = |to, message: Message| carrier.send(to, message.to_bytes());
    let receive = |may_wait| {
        let Some((from, bytes)) = carrier.receive(may_wait)? else { return Ok(None) };
        let message = Message::from_bytes(&bytes).ok_or("a damaged message has come")?;
        Ok(Some((from, message)))
    };
    carry(builder, me, told, send, receive)
}

/// Builds a table on threads, each with its own part of the cells; and what they sent. `told` hears of
/// each level; a build that is to stop ends with an error.
pub fn on_threads(
    spec: BuildSpec<'_>,
    processors: u32,
    told: &(dyn Fn(u16) + Sync),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<(Vec<Packed>, Traffic), String> {
    let processors = processors.max(1);
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..processors).map(|_| channel()).unzip();
    let ended: Vec<Ended> = std::thread::scope(|scope| {
        let begin = |(me, received): (Processor, std::sync::mpsc::Receiver<_>)| {
            let senders = senders.clone();
            scope.spawn(move || {
                let send = |to: Processor, message| {
                    // Who has stopped needs no more messages.
                    let _ = senders.get(to as usize).map(|sender| sender.send((me, message)));
                };
                let receive = |may_wait| match received.recv_timeout(SLEEP * u32::from(may_wait)) {
                    _ if stop() => Err("the build was stopped".to_owned()),
                    Ok(message) => Ok(Some(message)),
                    Err(RecvTimeoutError::Timeout) => Ok(None),
                    Err(RecvTimeoutError::Disconnected) => {
                        Err("the processors have lost each other".to_owned())
                    }
                };
                carry(Builder::new(spec, me, processors), me, told, send, receive)
            })
        };
        let threads: Vec<_> = (0..processors).zip(receivers).map(begin).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect()
    });
    let (mut files, mut traffic) = (None, Traffic::default());
    for one in ended {
        let (said, sent) = one?;
        traffic.add(&sent);
        files = files.or(said);
    }
    files.map(|files| (files, traffic)).ok_or_else(|| "no processor has the files".to_owned())
}

/// Carries one processor to its end. `receive` gives what has come, and waits for a moment if it may.
fn carry(
    mut builder: Builder<'_>,
    me: Processor,
    told: &(dyn Fn(u16) + Sync),
    send: impl Fn(Processor, Message),
    receive: impl Fn(bool) -> Result<Option<(Processor, Message)>, String>,
) -> Ended {
    let mut files = None;
    loop {
        while let Some(action) = builder.poll() {
            match action {
                Action::Send(to, message) if to == me => {
                    if let Message::Level { level, .. } = message {
                        told(level);
                    }
                    builder.handle(me, message);
                }
                Action::Send(to, message) => send(to, message),
                Action::Report(said) => files = Some(said?),
            }
        }
        if builder.is_stopped() {
            return Ok((files, *builder.traffic()));
        }
        // As much as has come, before anything else is done.
        let mut may_wait = builder.work().is_none();
        while let Some((from, message)) = receive(may_wait)? {
            builder.handle(from, message);
            may_wait = false;
        }
    }
}
