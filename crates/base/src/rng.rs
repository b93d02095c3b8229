//! A small seeded generator of pseudo-random numbers (SplitMix64, Steele, Lea, Flood 2014).
//!
//! The same seed gives the same sequence on every machine; nothing here reads a clock.

/// Advances a state and gives its next number.
pub fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A stream of pseudo-random numbers.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    pub fn new(seed: u64) -> Rng {
        let mut rng = Rng { state: seed ^ 0x6a09_e667_f3bc_c908 };
        // Neighbouring seeds differ in few bits: let them drift apart first.
        rng.next();
        rng.state ^= seed.rotate_left(32);
        rng
    }

    #[expect(clippy::should_implement_trait, reason = "an endless stream is no iterator")]
    pub fn next(&mut self) -> u64 {
        split_mix(&mut self.state)
    }

    /// A number of as many bits as `width` says: 1 to 128.
    pub fn bits(&mut self, width: u32) -> u128 {
        let value = u128::from(self.next()) << 64 | u128::from(self.next());
        value >> (128 - width)
    }

    /// A number of as many bits as `width` says; small, extreme and sparse ones are frequent.
    pub fn value(&mut self, width: u32) -> u128 {
        let raw = match self.below(6) {
            0 => self.below(4) as u128,
            1 => (self.below(4) as u128).wrapping_neg(),
            2 => (1u128 << (width - 1)).wrapping_add(self.below(3) as u128).wrapping_sub(1),
            3 => 1 << self.below(128),
            _ => self.bits(128),
        };
        raw & (u128::MAX >> (128 - width))
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is no number below 0");
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// A number in `low..=high`.
    pub fn range(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the items, which are not empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// An index drawn by weight; at least one weight is not 0.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let total: u32 = weights.iter().sum();
        let mut left = self.below(total as usize) as u32;
        for (index, weight) in weights.iter().enumerate() {
            if left < *weight {
                return index;
            }
            left -= weight;
        }
        unreachable!("the draw is below the sum of the weights")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ_by_seed() {
        let draw = |seed| {
            let mut rng = Rng::new(seed);
            (0..4).map(|_| rng.next()).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }

    #[test]
    fn draws_stay_in_range_and_reach_both_ends() {
        let mut rng = Rng::new(1);
        let seen: Vec<usize> = (0..200).map(|_| rng.range(3, 5)).collect();
        assert!(seen.iter().all(|n| (3..=5).contains(n)));
        assert!(seen.contains(&3) && seen.contains(&5));
        assert!((0..100).all(|_| rng.weighted(&[0, 5, 0]) == 1));
    }
}
