//! When an engine's output came, on a machine that is too busy to run us at that moment.
//!
//! A thread that waits for a pipe is ready when something comes, and runs when a processor is free. On a
//! machine under load the second may be tens of milliseconds after the first, which the engine has not
//! used. Linux counts how long a thread was ready and did not run: that is taken off.

use std::io::{self, Read};
use std::time::{Duration, Instant};

/// An input that notes when its bytes came.
pub struct Timed<R> {
    input: R,
    waits: Waits,
    at: Instant,
}

impl<R: Read> Timed<R> {
    /// For the thread that calls it, which has to do all the reading.
    pub fn new(input: R) -> Timed<R> {
        Timed { input, waits: Waits::new(), at: Instant::now() }
    }

    /// When the bytes came that were read last.
    pub fn at(&self) -> Instant {
        self.at
    }
}

impl<R: Read> Read for Timed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let waited = self.waits.total();
        let begun = Instant::now();
        let read = self.input.read(buffer)?;
        let now = Instant::now();
        let waited = self.waits.total().saturating_sub(waited);
        // It cannot have come before it was waited for: then it would have been read at once.
        self.at = now.checked_sub(waited).map_or(begun, |at| at.max(begun));
        Ok(read)
    }
}

/// How long a thread was ready to run and had no processor.
struct Waits {
    #[cfg(target_os = "linux")]
    file: Option<std::fs::File>,
}

#[cfg(target_os = "linux")]
impl Waits {
    fn new() -> Waits {
        Waits { file: std::fs::File::open("/proc/thread-self/schedstat").ok() }
    }

    /// Since the thread began; nothing where the system does not count it.
    fn total(&self) -> Duration {
        use std::os::unix::fs::FileExt;
        // The time on a processor, the time without one, and how often there was one.
        let mut text = [0; 64];
        let read = self.file.as_ref().and_then(|file| file.read_at(&mut text, 0).ok());
        let text = std::str::from_utf8(text.get(..read.unwrap_or(0)).unwrap_or_default());
        let word = text.ok().and_then(|text| text.split_ascii_whitespace().nth(1));
        Duration::from_nanos(word.and_then(|word| word.parse().ok()).unwrap_or(0))
    }
}

#[cfg(not(target_os = "linux"))]
impl Waits {
    fn new() -> Waits {
        Waits {}
    }

    fn total(&self) -> Duration {
        Duration::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_came_while_it_was_waited_for() {
        let before = Instant::now();
        let mut input = Timed::new(&b"line"[..]);
        let mut buffer = [0; 9];
        assert_eq!(input.read(&mut buffer).expect("memory is always readable"), 4);
        assert!((before..=Instant::now()).contains(&input.at()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_that_shares_a_processor_waits_for_it() {
        let waits = Waits::new();
        let before = waits.total();
        // More threads than processors: sooner or later this one has to wait.
        let busy = std::sync::atomic::AtomicBool::new(waits.file.is_some());
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            use std::sync::atomic::Ordering::Relaxed;
            let spin = || {
                while busy.load(Relaxed) {
                    std::hint::spin_loop();
                }
            };
            (0..2 * processors).for_each(|_| drop(scope.spawn(spin)));
            let guard = Instant::now() + Duration::from_secs(100);
            while waits.file.is_some() && waits.total() == before && Instant::now() < guard {}
            busy.store(false, Relaxed);
        });
        assert!(waits.file.is_none() || waits.total() > before);
    }
}
