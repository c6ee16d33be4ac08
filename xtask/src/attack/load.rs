//! A machine that is busy with something else.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};

/// Busy loops; they end when this is dropped.
pub struct Load {
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    /// Starts a number of loops.
    pub fn start(loops: usize) -> Load {
        let over = Arc::new(AtomicBool::new(false));
        let threads = (0..loops).map(|_| {
            let over = Arc::clone(&over);
            thread::spawn(move || {
                let mut sum = 0_u64;
                while !over.load(Relaxed) {
                    sum = std::hint::black_box(sum.wrapping_mul(3).wrapping_add(1));
                }
            })
        });
        Load { threads: threads.collect(), over }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.over.store(true, Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}
