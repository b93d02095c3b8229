//! What the tests of this crate share: a small seeded generator of pseudo-random numbers (SplitMix64).

pub struct Rng {
    state: u64,
}

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) }
    }

    #[expect(clippy::should_implement_trait, reason = "an endless stream is no iterator")]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn bits(&mut self, width: usize) -> u128 {
        let value = u128::from(self.next()) << 64 | u128::from(self.next());
        value >> (128 - width)
    }
}
