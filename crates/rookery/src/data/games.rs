//! The games of `rookery datagen`, here and in other processes where `mpirun` has started several.
//!
//! All have the same command line, so all play the same games: the first process names a task, another plays
//! it and sends the block back. The tasks of a process that is lost are played here.

use super::settings;
use crate::arguments::{DatagenArguments, Evaluation};
use crate::failure::Failure;
use crate::hosts::Request;
use cluster::Link;
use eval::nnue::Network;
use eval::{AnyEvaluator, MainEvaluator};
use lab::data::Game;
use lab::data::file::pack_block;
use lab::selfplay::{GAMES_PER_TASK, Player, Settings, play};
use lab::workers::Stop;
use std::sync::Arc;

/// The bytes of some games, and their half-moves.
pub type Block = (Vec<u8>, u64);

/// What games are played by.
pub struct Generator {
    settings: Settings,
    network: Option<Arc<Network>>,
}

impl Generator {
    /// By the command line.
    pub fn new(arguments: &DatagenArguments) -> Result<Generator, Failure> {
        let network = arguments.evaluation.open(Evaluation::Net)?.map(|it| it.network);
        let mut settings = settings(&arguments.play);
        if let Some(network) = &network {
            settings.evaluation = format!("network {:08x}", network.checksum());
        }
        Ok(Generator { settings, network })
    }

    /// The settings in one line: those of the same line play the same games.
    pub fn origin(&self) -> String {
        self.settings.origin()
    }

    /// A player.
    pub fn player(&self) -> Result<Player, String> {
        let evaluator = MainEvaluator::new(self.network.as_ref());
        Player::new(&self.settings, AnyEvaluator::Main(Box::new(evaluator)))
    }

    /// The games of a task; none where they were stopped.
    fn block(&self, player: &mut Player, task: u64, stop: &Stop<'_>) -> Option<Block> {
        let numbers = task * GAMES_PER_TASK..(task + 1) * GAMES_PER_TASK;
        let games: Option<Vec<Game>> =
            numbers.map(|number| play(player, &self.settings, number, stop)).collect();
        let games = games?;
        Some((pack_block(&games), games.iter().map(|game| game.plies.len() as u64).sum()))
    }

    /// Plays the games of a task for the first process, with a player that is kept from one to the next.
    pub fn answer(
        &self,
        link: &Link,
        id: u32,
        (task, origin): (u64, &str),
        kept: &mut Option<Player>,
    ) {
        let stop = || link.is_cut_short(id) || link.is_lost_process(0);
        let block = match (self.origin() == origin, kept.take().map_or_else(|| self.player(), Ok)) {
            (true, Ok(player)) => Ok(self.block(kept.insert(player), task, &stop)),
            (false, _) => Err(format!("it would play other games ({})", self.origin())),
            (_, Err(reason)) => Err(reason),
        };
        link.answer(id, true, &block);
    }
}

/// Plays games here, or has them played by a thread of another process.
pub enum Hand<'a> {
    /// Here.
    Here(Box<Player>),
    /// There: which process, and which of its threads.
    There(&'a Link, u32, u32),
}

impl<'a> Hand<'a> {
    /// The hand of a number, of `threads` in each process; those here come first.
    pub fn new(
        generator: &Generator,
        threads: usize,
        link: Option<&'a Link>,
        number: usize,
    ) -> Result<Hand<'a>, String> {
        let (nth, slot) = (number / threads, number % threads);
        let process = nth.checked_sub(1).and_then(|nth| link?.others().nth(nth));
        match (link, process) {
            (Some(link), Some(process)) => Ok(Hand::There(link, process, slot as u32)),
            _ => generator.player().map(|player| Hand::Here(Box::new(player))),
        }
    }

    /// The games of a task; none where they were stopped.
    pub fn play(
        &mut self,
        generator: &Generator,
        task: u64,
        stop: &Stop<'_>,
    ) -> Result<Option<Block>, String> {
        if let Hand::There(link, process, slot) = *self {
            match play_there(link, process, slot, (task, generator.origin()), stop) {
                Some(block) => return block.map_err(|why| format!("process {process}: {why}")),
                None => *self = Hand::Here(Box::new(generator.player()?)),
            }
        }
        match self {
            Hand::Here(player) => Ok(generator.block(player, task, stop)),
            Hand::There(..) => Ok(None),
        }
    }
}

/// What another process says of a task; nothing if it is lost.
fn play_there(
    link: &Link,
    process: u32,
    slot: u32,
    (task, origin): (u64, String),
    stop: &Stop<'_>,
) -> Option<Result<Option<Block>, String>> {
    let id = link.call(process, slot, &Request::Games { task, origin });
    let mut stopped = false;
    loop {
        if let Some((_, answer)) = link.next_answer(id) {
            return Some(answer.read().unwrap_or_else(|damage| Err(damage.to_string())));
        }
        if link.is_lost_process(process) {
            return None;
        }
        if !stopped && stop() {
            stopped = true;
            link.cut_short(process, id);
        }
    }
}
