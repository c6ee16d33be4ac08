//! Blocks that were unpacked lately, shared by all threads.

use std::sync::{Arc, Mutex};

/// A place for one block.
type Place = Mutex<Option<(u64, Arc<[u8]>)>>;

/// A cache of unpacked blocks: each block has one place, and the newest one keeps it.
pub struct BlockCache {
    places: Vec<Place>,
}

impl BlockCache {
    /// Room for so many blocks.
    pub fn new(blocks: usize) -> BlockCache {
        BlockCache { places: (0..blocks.max(1)).map(|_| Mutex::new(None)).collect() }
    }

    /// The block with a key, unpacked by `read` if it is not there. Nobody waits for another's
    /// unpacking.
    pub fn get<E>(
        &self,
        key: u64,
        read: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Arc<[u8]>, E> {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let place = &self.places[mixed as usize % self.places.len()];
        let lock = || place.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((held, block)) = &*lock()
            && *held == key
        {
            return Ok(block.clone());
        }
        let block: Arc<[u8]> = read()?.into();
        *lock() = Some((key, block.clone()));
        Ok(block)
    }
}
