//! What tests of consoles share: memory to write to, and noise to send.

use board::random::SplitMix;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// Memory that a console writes to and a test reads.
#[derive(Clone, Default)]
pub struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no writer panics").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Memory {
    /// What was written since the last time.
    pub fn take(&self) -> String {
        let bytes = std::mem::take(&mut *self.0.lock().expect("no writer panics"));
        String::from_utf8(bytes).expect("answers are text")
    }
}

/// Random input, the same in every run.
pub struct Noise(SplitMix);

impl Noise {
    /// The input of a seed.
    pub fn new(seed: u64) -> Noise {
        Noise(SplitMix(seed))
    }

    /// A number below the limit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit as u64) as usize
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    /// Any bytes, as a console sees them.
    pub fn bytes(&mut self) -> String {
        let bytes: Vec<u8> = (0..self.below(60)).map(|_| self.below(256) as u8).collect();
        String::from_utf8_lossy(&bytes).replace(['\n', '\r'], " ")
    }

    /// A command and up to six words, in any order.
    pub fn words(&mut self, commands: &[&str], words: &[&str]) -> String {
        let mut line = self.pick(commands).to_owned();
        for _ in 0..self.below(7) {
            line.push(' ');
            line.push_str(self.pick(words));
        }
        line
    }
}
