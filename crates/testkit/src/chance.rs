//! Numbers that look random and are the same in every run.

/// A seeded generator (SplitMix64).
#[derive(Debug, Clone)]
pub struct SeededRandom(u64);

impl SeededRandom {
    /// The same numbers for the same seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next_bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Less than `bound`; 0 where that is 0.
    pub fn next_below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next_bits() >> 8).unwrap_or(0).checked_rem(bound).unwrap_or(0)
    }

    /// True in so many of a hundred cases.
    pub fn is_in_percent(&mut self, percent: usize) -> bool {
        self.next_below(100) < percent
    }

    /// Any byte.
    pub fn next_byte(&mut self) -> u8 {
        let [_, _, _, byte, ..] = self.next_bits().to_le_bytes();
        byte
    }

    /// At most so many bytes.
    pub fn next_bytes(&mut self, most: usize) -> Vec<u8> {
        let length = self.next_below(most + 1);
        (0..length).map(|_| self.next_byte()).collect()
    }

    /// One of a list.
    ///
    /// # Panics
    /// When the list is empty.
    #[expect(clippy::indexing_slicing, reason = "the index is below the length, and whoever gives no list is wrong")]
    pub fn pick_one<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.next_below(from.len())]
    }
}
