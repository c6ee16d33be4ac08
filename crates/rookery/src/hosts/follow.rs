//! The life of a process that follows: commands, searches, calls, the end.

use super::builders::Builders;
use super::protocol::{MetricName, ProcessCommand, Request};
use crate::analyse::Knowledge;
use crate::arena::RemotePlayer;
use crate::arguments::Command;
use crate::data::Generator;
use crate::engine::{Engine, MOST_THREADS, STACK, run_remote_search};
use crate::failure::Failure;
use crate::network::SharedNetwork;
use crate::session::{Output, Session};
use ::endgame::{Oracle, build};
use cluster::{Assignment, Call, Link};
use eval::nnue::{Network, embedded};
use lab::selfplay::Player;
use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;

/// Does as the first process says, on a thread with the stack that a search needs.
pub fn follow(link: &Arc<Link>, command: Option<&Command>) -> Result<ExitCode, Failure> {
    // What is wrong with the arguments the first process says.
    let player = match command {
        Some(Command::Match(arguments)) => RemotePlayer::new(arguments).ok().map(Arc::new),
        _ => None,
    };
    let generator = match command {
        Some(Command::Datagen(arguments)) => {
            Generator::new(arguments).map(Arc::new).map_err(|failure| match failure {
                Failure::Usage(reason) | Failure::Work(reason) => reason,
                _ => "it cannot play".to_owned(),
            })
        }
        _ => Err("it has no games to play".to_owned()),
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn_scoped(scope, || serve(link, player, generator));
        let thread = thread
            .map_err(|error| Failure::Work(format!("the system gives no thread: {error}")))?;
        thread.join().unwrap_or_else(|_| Err(Failure::Work("a process failed".to_owned())))
    })
}

fn serve(
    link: &Arc<Link>,
    player: Option<Arc<RemotePlayer>>,
    generator: Result<Arc<Generator>, String>,
) -> Result<ExitCode, Failure> {
    // Its own output is dropped: complaints go to the first process.
    let (mut session, _events) = Session::new(Output::new(io::sink()))?;
    session.connect(link)?;
    let (link_here, oracle, network) =
        (Arc::clone(link), Ok(None), Ok(Some(Arc::clone(embedded()))));
    let tools = Tools { link: link_here, player, generator, oracle, network };
    let mut callees = Callees { tools, all: Vec::new() };
    loop {
        match link.next_assignment() {
            Assignment::Command(command) => {
                let command = command.read().map_err(|damage| damage.to_string());
                let obeyed = command.and_then(|command| obey(command, &mut session, &mut callees));
                if let Err(reason) = obeyed {
                    link.report_failure(&reason);
                }
            }
            Assignment::Search(search) => link.take_part(search.number, || {
                session.engine().take_part(&search).unwrap_or_else(|reason| {
                    link.report_failure(&reason);
                    Vec::new()
                })
            }),
            Assignment::Call(call) => callees.give(call),
            Assignment::Leave(reason) if link.is_lost_process(0) => {
                return Err(Failure::Work(reason));
            }
            Assignment::Leave(_) => return Ok(ExitCode::SUCCESS),
        }
    }
}

fn obey(
    command: ProcessCommand,
    session: &mut Session,
    callees: &mut Callees,
) -> Result<(), String> {
    match command {
        ProcessCommand::Option { name, value } => {
            let set = session.set(&name, value.as_deref(), &mut io::sink());
            set.map_err(|error| error.to_string())
        }
        ProcessCommand::Network(shared) => {
            let network = shared.as_ref().map(SharedNetwork::open).transpose();
            callees.tools.network = network.clone();
            session.engine().set_network(network?);
            Ok(())
        }
        ProcessCommand::OpenTables { own, syzygy } => {
            let oracle = Knowledge::of_folders(own.as_deref(), syzygy.as_deref());
            let oracle = oracle.map(|knowledge| knowledge.oracle);
            callees.tools.oracle = oracle.clone();
            session.engine().set_oracle(oracle?);
            Ok(())
        }
        ProcessCommand::BuildTable { number, ending, metric, files, dir } => {
            let files: Vec<_> = files.into_iter().map(|MetricName(metric)| metric).collect();
            let builders = Builders::new(&callees.tools.link, &dir, number);
            build::take_part(&ending, metric, &files, &dir, &builders)
        }
        command => session.engine().follow(command),
    }
}

/// What calls are done with.
#[derive(Clone)]
struct Tools {
    link: Arc<Link>,
    /// Plays the games of a match.
    player: Option<Arc<RemotePlayer>>,
    /// Plays the games of `datagen`, or why it cannot.
    generator: Result<Arc<Generator>, String>,
    /// The endgame tables that searches ask, or why they cannot.
    oracle: Result<Option<Arc<Oracle>>, String>,
    /// What searches evaluate by, or why they cannot.
    network: Result<Option<Arc<Network>>, String>,
}

impl Tools {
    /// Does a call, with an engine or a player that is kept from one to the next.
    fn run(&self, call: &Call, engine: &mut Option<Engine>, kept: &mut Option<Player>) {
        let fail = |reason| self.link.answer(call.id, true, &Err::<(), String>(reason));
        match (call.request.read(), &self.player) {
            (Ok(Request::Game(number, stage)), Some(player)) => {
                player.play(&self.link, call.id, number, stage);
            }
            (Ok(Request::Game(..)), None) => fail("it has no games to play".to_owned()),
            (Ok(Request::Search(search)), _) => match (&self.oracle, &self.network) {
                (Ok(oracle), Ok(network)) => {
                    let knowledge = (oracle.as_ref(), network.as_ref());
                    run_remote_search(&self.link, call.id, &search, knowledge, engine);
                }
                (Err(reason), _) | (_, Err(reason)) => fail(reason.clone()),
            },
            (Ok(Request::Games { task, origin }), _) => match &self.generator {
                Ok(generator) => generator.answer(&self.link, call.id, (task, &origin), kept),
                Err(reason) => fail(reason.clone()),
            },
            (Err(damage), _) => fail(damage.to_string()),
        }
    }
}

/// Threads that do calls, each with an engine of its own.
struct Callees {
    tools: Tools,
    all: Vec<Sender<(Call, Tools)>>,
}

impl Callees {
    /// Gives a call to the thread for which it is meant; there are as many as are needed.
    fn give(&mut self, call: Call) {
        let slot = call.slot as usize;
        while self.all.len() <= slot && self.all.len() < MOST_THREADS as usize {
            let (sender, calls) = mpsc::channel::<(Call, Tools)>();
            let work = move || {
                let (mut engine, mut kept) = (None, None);
                calls.iter().for_each(|(call, tools)| tools.run(&call, &mut engine, &mut kept));
            };
            if let Err(error) = thread::Builder::new().stack_size(STACK).spawn(work) {
                self.tools.link.report_failure(&format!("the system gives no thread: {error}"));
            }
            self.all.push(sender);
        }
        let (id, tools) = (call.id, self.tools.clone());
        let taken = self.all.get(slot).is_some_and(|callee| callee.send((call, tools)).is_ok());
        if !taken {
            let reason = "it has no thread for it".to_owned();
            self.tools.link.answer(id, true, &Err::<(), String>(reason));
        }
    }
}
