//! Processes as processors: somebody else carries the bytes.

use super::message::{Message, Processor};
use super::{Action, BuildSpec, Builder, Packed, Traffic};
use crate::ending::Ending;
use crate::value::Metric;
use std::fmt::Debug;

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

/// Builds a table with other processes; what this one sent, and the files if it is the first. `told` hears
/// of each level.
pub fn on_hosts(
    order: BuildSpec<'_>,
    carrier: &dyn Carrier,
    told: &(dyn Fn(u16) + Sync),
) -> Result<(Option<Vec<Packed>>, Traffic), String> {
    let me = carrier.me();
    let mut builder = Builder::new(order, me, carrier.processors());
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
                Action::Send(to, message) => carrier.send(to, message.to_bytes()),
                Action::Report(said) => files = Some(said?),
            }
        }
        if builder.is_stopped() {
            return Ok((files, *builder.traffic()));
        }
        let worked = builder.work().is_some();
        // As much as has come, before anything else is done.
        let mut may_wait = !worked;
        while let Some((from, bytes)) = carrier.receive(may_wait)? {
            let message = Message::from_bytes(&bytes).ok_or("a damaged message has come")?;
            builder.handle(from, message);
            may_wait = false;
        }
    }
}
