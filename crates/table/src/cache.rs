//! A small cache of one thread, for what is worked out from part of a position: the pawn structure
//! (M16, D32: 95 to 99 of 100 look-ups are hits) or the king's safety (M17).

/// A direct-mapped cache: every key has one place, and the newest value stays.
///
/// ```
/// let mut squares = table::Cache::<u64>::new(256);
/// assert_eq!(*squares.get_or_insert_with(12, || 144), 144);
/// assert_eq!(*squares.get_or_insert_with(12, || unreachable!()), 144);
/// assert_eq!((squares.hits(), squares.probes()), (1, 2));
/// ```
#[derive(Clone, Debug)]
pub struct Cache<T> {
    places: Box<[Place<T>]>,
    hits: u64,
    probes: u64,
}

#[derive(Clone, Debug)]
struct Place<T> {
    key: u64,
    value: T,
}

impl<T: Default> Cache<T> {
    /// An empty cache with room for at least this number of values; their number is made a power of two.
    pub fn new(entries: usize) -> Cache<T> {
        let entries = entries.max(2).next_power_of_two();
        // The key of an empty place belongs to another place, so that no look-up finds it.
        let empty = |index: usize| Place { key: index as u64 ^ 1, value: T::default() };
        Cache { places: (0..entries).map(empty).collect(), hits: 0, probes: 0 }
    }

    /// Forgets everything, the counters too.
    pub fn clear(&mut self) {
        *self = Cache::new(self.places.len());
    }
}

impl<T> Cache<T> {
    /// The value of a key: the one in the cache, or else the one that is made now.
    #[inline]
    pub fn get_or_insert_with(&mut self, key: u64, make: impl FnOnce() -> T) -> &T {
        let index = key as usize & (self.places.len() - 1);
        let place = &mut self.places[index];
        self.probes += 1;
        if place.key == key {
            self.hits += 1;
        } else {
            *place = Place { key, value: make() };
        }
        &place.value
    }

    /// How many look-ups found their value.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// How many look-ups there were.
    pub fn probes(&self) -> u64 {
        self.probes
    }

    /// How many values there is room for.
    pub fn capacity(&self) -> usize {
        self.places.len()
    }

    /// Sets the counters to zero; the values stay.
    pub fn reset_counters(&mut self) {
        (self.hits, self.probes) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_cache_has_no_value_for_any_key() {
        let mut cache = Cache::<i32>::new(0);
        for key in (0..100).chain([u64::MAX]) {
            assert_eq!(*cache.get_or_insert_with(key, || 7), 7);
        }
        assert_eq!((cache.hits(), cache.probes()), (0, 101));
    }

    #[test]
    fn the_newest_value_of_a_place_stays() {
        let mut cache = Cache::<&str>::new(5);
        assert_eq!(cache.capacity(), 8);
        cache.get_or_insert_with(3, || "old");
        cache.get_or_insert_with(3 + 8, || "new");
        assert_eq!(*cache.get_or_insert_with(3 + 8, || "again"), "new");
        assert_eq!(*cache.get_or_insert_with(3, || "again"), "again");
    }

    #[test]
    fn m16_d32_hits_are_counted() {
        let mut cache = Cache::<u64>::new(1024);
        for round in 0..100 {
            for key in 0..50 {
                assert_eq!(*cache.get_or_insert_with(key * 1025, || key), key, "{round}");
            }
        }
        assert_eq!((cache.hits(), cache.probes()), (99 * 50, 100 * 50));
        cache.reset_counters();
        assert_eq!((cache.hits(), cache.probes()), (0, 0));
        cache.get_or_insert_with(0, || 1);
        assert_eq!(cache.hits(), 1);
        cache.clear();
        assert_eq!(*cache.get_or_insert_with(0, || 1), 1);
        assert_eq!(cache.hits(), 0);
    }
}
