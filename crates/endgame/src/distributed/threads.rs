//! Threads as processors, with channels between them.

use super::message::{Message, Processor};
use super::{Action, BuildSpec, Builder, Packed, Traffic};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Longest sleep of a processor that waits for messages, before it asks whether to stop.
const SLEEP: Duration = Duration::from_millis(50);

/// A message with its sender.
type Letter = (Processor, Message);

/// Builds a table on so many threads, each with its own part of the cells; and what they sent. `told`
/// hears of each level; a build that is to stop ends with an error.
pub fn on_threads(
    order: BuildSpec<'_>,
    processors: u32,
    told: &(dyn Fn(u16) + Sync),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<(Vec<Packed>, Traffic), String> {
    let processors = processors.max(1);
    let (senders, receivers): (Vec<_>, Vec<_>) =
        (0..processors).map(|_| channel::<Letter>()).unzip();
    let ended = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..processors)
            .zip(receivers)
            .map(|(me, letters)| {
                let senders = senders.clone();
                scope.spawn(move || {
                    let builder = Builder::new(order, me, processors);
                    carry(builder, me, &letters, &senders, told, stop)
                })
            })
            .collect();
        drop(senders);
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| match thread.join() {
            Ok(ended) => ended,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        threads.into_iter().map(join).collect::<Vec<_>>()
    });
    let mut traffic = Traffic::default();
    let mut report = None;
    for (own, said) in ended {
        traffic.add(&own);
        report = report.or(said);
    }
    let files = report.unwrap_or_else(|| Err("the processors have lost each other".to_owned()))?;
    Ok((files, traffic))
}

type Report = Option<Result<Vec<Packed>, String>>;

/// Carries one processor to its end.
fn carry(
    mut builder: Builder<'_>,
    me: Processor,
    letters: &Receiver<Letter>,
    senders: &[Sender<Letter>],
    told: &(dyn Fn(u16) + Sync),
    stop: &(dyn Fn() -> bool + Sync),
) -> (Traffic, Report) {
    let mut report = None;
    loop {
        while let Some(action) = builder.poll() {
            match action {
                Action::Send(to, message) if to == me => {
                    if let Message::Level { level, .. } = message {
                        told(level);
                    }
                    builder.handle(me, message);
                }
                Action::Send(to, message) => {
                    // Who has stopped needs no more messages.
                    let _ = senders.get(to as usize).map(|sender| sender.send((me, message)));
                }
                Action::Report(said) => report = Some(said),
            }
        }
        if builder.is_stopped() || stop() {
            return (*builder.traffic(), report);
        }
        let letter = match letters.try_recv() {
            Ok(letter) => Some(letter),
            Err(_) if builder.work().is_some() => None,
            Err(_) => match letters.recv_timeout(SLEEP) {
                Ok(letter) => Some(letter),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return (*builder.traffic(), report),
            },
        };
        if let Some((from, message)) = letter {
            builder.handle(from, message);
        }
    }
}
