//! Pseudo-random numbers that are the same in each run (xorshift64, seeded by splitmix64).

/// A stream of numbers.
pub(crate) struct Random(u64);

impl Random {
    /// Creates the stream for one batch of a run.
    pub(crate) fn new(seed: u64, batch: u64) -> Self {
        let mut z =
            seed.wrapping_add(batch.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self((z ^ (z >> 31)) | 1)
    }

    /// Returns the next number.
    pub(crate) fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number below `limit`, or 0 if that is 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        ((self.word() >> 16) % limit.max(1) as u64) as usize
    }

    /// Returns `true` once in `out_of` times.
    pub(crate) fn one_in(&mut self, out_of: usize) -> bool {
        self.below(out_of) == 0
    }

    /// Returns one item of a list, or `None` if it is empty.
    pub(crate) fn of<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        list.get(self.below(list.len())).copied()
    }
}
