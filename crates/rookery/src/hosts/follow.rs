//! The life of a process that follows: orders, searches, the end.

use super::builders;
use crate::arena::Guests;
use crate::arguments::Command;
use crate::engine::{MOST_THREADS, STACK, run_call};
use crate::failure::Failure;
use crate::session::{CommandError, Output, Session};
use cluster::{Call, Link, Task};
use search::Outcome;
use search::wire::write;
use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;

/// Does as the first process says, on a thread with the stack that a search needs.
pub fn follow(link: &Arc<Link>, command: Option<&Command>) -> Result<ExitCode, Failure> {
    // In a match calls are games.
    let guests = match command {
        Some(Command::Match(arguments)) => Guests::new(arguments).map(Arc::new).map(Some),
        _ => Ok(None),
    };
    // What is wrong with the arguments the first process says.
    let guests = guests.unwrap_or(None);
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn_scoped(scope, || serve(link, guests));
        let thread = thread
            .map_err(|error| Failure::Work(format!("the system gives no thread: {error}")))?;
        thread.join().unwrap_or_else(|_| Err(Failure::Work("a process failed".to_owned())))
    })
}

fn serve(link: &Arc<Link>, guests: Option<Arc<Guests>>) -> Result<ExitCode, Failure> {
    // What it would say is for nobody: complaints go to the first process.
    let (mut session, _events) = Session::new(Output::new(io::sink()))?;
    session.connect(link)?;
    let mut hands = Hands { link, guests, all: Vec::new() };
    loop {
        match link.next_task() {
            Task::Order(order) => {
                if let Err(reason) = obey(&mut session, link, &order) {
                    link.report_failure(&reason);
                }
            }
            Task::Search(order) => link.take_part(&order, || {
                session.engine().take_part(&order).unwrap_or_else(|reason| {
                    link.report_failure(&reason);
                    Vec::new()
                })
            }),
            Task::Call(call) => hands.give(call),
            Task::Leave(reason) if link.is_lost_process(0) => return Err(Failure::Work(reason)),
            Task::Leave(_) => return Ok(ExitCode::SUCCESS),
        }
    }
}

fn obey(session: &mut Session, link: &Arc<Link>, order: &str) -> Result<(), String> {
    if let Some(table) = order.strip_prefix("table ") {
        return builders::take_part(link, table);
    }
    let Some(option) = order.strip_prefix("option ") else {
        return session.engine().follow(order);
    };
    let (name, value) = option.split_once('\n').unwrap_or((option, ""));
    let value = (!value.is_empty()).then_some(value);
    match session.set(name, value, &mut io::sink()) {
        Ok(()) => Ok(()),
        Err(CommandError::Refused(reason)) => Err(reason),
        Err(CommandError::Output(error)) => Err(error.to_string()),
    }
}

/// Threads that do calls, each with an engine of its own.
struct Hands<'a> {
    link: &'a Arc<Link>,
    /// Where calls are games.
    guests: Option<Arc<Guests>>,
    all: Vec<Sender<Call>>,
}

impl Hands<'_> {
    /// Gives a call to the hand for which it is meant; there are as many as are needed.
    fn give(&mut self, call: Call) {
        while self.all.len() <= call.slot as usize && self.all.len() < MOST_THREADS as usize {
            let (sender, calls) = mpsc::channel::<Call>();
            let (link, guests) = (Arc::clone(self.link), self.guests.clone());
            let work = move || {
                let mut engine = None;
                calls.iter().for_each(|call| match &guests {
                    Some(guests) => guests.play(&link, &call),
                    None => run_call(&link, &call, &mut engine),
                });
            };
            if let Err(error) = thread::Builder::new().stack_size(STACK).spawn(work) {
                self.link.report_failure(&format!("the system gives no thread: {error}"));
            }
            self.all.push(sender);
        }
        let id = call.id;
        let taken = self.all.get(call.slot as usize).is_some_and(|hand| hand.send(call).is_ok());
        if !taken {
            self.link.answer(id, true, write(&None::<Outcome>));
        }
    }
}
