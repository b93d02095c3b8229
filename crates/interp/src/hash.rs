//! A 128-bit hash for states.
//!
//! Exploration takes two states for one if their hashes are equal, so the hash must be wide enough
//! that this never happens by accident: with 10^9 states the odds are about 1 in 10^20. Two lanes of
//! multiply-and-fold with different constants; nobody chooses inputs to break it.

#[derive(Clone, Copy, Debug)]
pub struct Hash128 {
    a: u64,
    b: u64,
}

fn fold(x: u64, y: u64) -> u64 {
    let product = u128::from(x) * u128::from(y);
    product as u64 ^ (product >> 64) as u64
}

impl Hash128 {
    /// Different seeds for different kinds of things.
    pub fn new(seed: u64) -> Hash128 {
        Hash128 { a: seed ^ 0x243f_6a88_85a3_08d3, b: seed ^ 0x1319_8a2e_0370_7344 }
    }

    #[inline]
    pub fn word(&mut self, word: u64) {
        self.a = fold(self.a ^ word ^ 0xa409_3822_299f_31d0, 0x9e37_79b9_7f4a_7c15).wrapping_add(word);
        self.b = fold(self.b.rotate_left(23) ^ word, 0xc2b2_ae3d_27d4_eb4f) ^ 0x082e_fa98_ec4e_6c89;
    }

    pub fn wide(&mut self, word: u128) {
        self.word(word as u64);
        self.word((word >> 64) as u64);
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            self.word(u64::from_le_bytes(chunk.try_into().expect("eight bytes")));
        }
        let mut rest = [0; 8];
        rest[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
        self.word(u64::from_le_bytes(rest));
        self.word(bytes.len() as u64);
    }

    pub fn finish(self) -> u128 {
        let high = fold(self.a ^ 0xe703_7ed1_a0b4_28db, self.b | 1) ^ self.b;
        let low = fold(self.b ^ 0x8ebc_6af0_9c88_c6e3, self.a | 1) ^ self.a.rotate_left(31);
        u128::from(high) << 64 | u128::from(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_base::HashSet;

    #[test]
    fn small_differences_spread() {
        let mut seen = HashSet::default();
        let (mut low, mut high) = (HashSet::default(), HashSet::default());
        for x in 0..200u64 {
            for y in 0..200u64 {
                let mut hash = Hash128::new(1);
                hash.word(x);
                hash.word(y << 40);
                let hash = hash.finish();
                assert!(seen.insert(hash));
                low.insert(hash as u64);
                high.insert((hash >> 64) as u64);
            }
        }
        assert_eq!((low.len(), high.len()), (40_000, 40_000));
    }

    #[test]
    fn lengths_count() {
        let of = |bytes: &[u8]| {
            let mut hash = Hash128::new(0);
            hash.bytes(bytes);
            hash.finish()
        };
        assert_ne!(of(&[0; 7]), of(&[0; 8]));
        assert_ne!(of(&[]), of(&[0]));
    }
}
