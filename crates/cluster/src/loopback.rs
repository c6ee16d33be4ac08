//! Processes that are none: all in one program, for tests. Messages can be late or lost, and a process
//! can go silent, as if it had been killed.

use crate::Fabric;
use parallel::Chance;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What happens to messages on their way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weather {
    /// How long they take.
    pub delay: Duration,
    /// How many in a million are lost.
    pub lost_in_a_million: u32,
    /// Where chance begins.
    pub seed: u64,
}

/// A message on its way.
struct Packet {
    due: Instant,
    from: u32,
    bytes: Vec<u8>,
}

/// What all have in common.
struct Air {
    boxes: Vec<Mutex<VecDeque<Packet>>>,
    silent: Vec<AtomicBool>,
    weather: Weather,
}

/// One of the processes.
pub struct Loopback {
    air: Arc<Air>,
    process: u32,
    chance: Chance,
}

/// Makes processes go silent.
#[derive(Clone)]
pub struct Killer(Arc<Air>);

impl Killer {
    /// Nothing more comes from a process or reaches it.
    pub fn silence(&self, process: u32) {
        if let Some(silent) = self.0.silent.get(process as usize) {
            silent.store(true, Relaxed);
        }
    }
}

/// Processes that are connected with each other.
pub fn connect(processes: u32, weather: Weather) -> (Vec<Loopback>, Killer) {
    let air = Arc::new(Air {
        boxes: (0..processes).map(|_| Mutex::default()).collect(),
        silent: (0..processes).map(|_| AtomicBool::new(false)).collect(),
        weather,
    });
    let all = (0..processes).map(|process| Loopback {
        air: Arc::clone(&air),
        process,
        chance: Chance::new(weather.seed, u64::from(process)),
    });
    (all.collect(), Killer(Arc::clone(&air)))
}

impl Loopback {
    fn packets(&self, process: u32) -> Option<MutexGuard<'_, VecDeque<Packet>>> {
        let packets = self.air.boxes.get(process as usize)?;
        Some(packets.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_silent(&self, process: u32) -> bool {
        self.air.silent.get(process as usize).is_none_or(|silent| silent.load(Relaxed))
    }
}

impl Fabric for Loopback {
    fn process(&self) -> u32 {
        self.process
    }

    fn processes(&self) -> u32 {
        self.air.boxes.len() as u32
    }

    fn send(&mut self, to: u32, bytes: &[u8]) -> bool {
        let lost = self.chance.happens(self.air.weather.lost_in_a_million);
        if lost || self.is_silent(self.process) || self.is_silent(to) {
            return true;
        }
        let due = Instant::now() + self.air.weather.delay;
        let packet = Packet { due, from: self.process, bytes: bytes.to_vec() };
        if let Some(mut packets) = self.packets(to) {
            packets.push_back(packet);
        }
        true
    }

    fn receive(&mut self, take: &mut dyn FnMut(u32, &[u8])) {
        let now = Instant::now();
        while let Some(packet) =
            self.packets(self.process).and_then(|mut all| all.pop_front_if(|one| one.due <= now))
        {
            if !self.is_silent(self.process) {
                take(packet.from, &packet.bytes);
            }
        }
    }

    fn is_clear(&mut self) -> bool {
        true
    }

    fn name(&self) -> String {
        "loopback".to_owned()
    }
}
