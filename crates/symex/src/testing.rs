//! Random numbers for tests.

use braid_logic::bits;

/// SplitMix64.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        braid_base::rng::split_mix(&mut self.0)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// A value of this width; small, extreme and sparse ones are frequent.
    pub fn value(&mut self, width: u32) -> u128 {
        let raw = match self.below(6) {
            0 => u128::from(self.below(4)),
            1 => u128::from(self.below(4)).wrapping_neg(),
            2 => bits::min_signed(width).wrapping_add(u128::from(self.below(3))).wrapping_sub(1),
            3 => 1 << self.below(128),
            _ => u128::from(self.next()) << 64 | u128::from(self.next()),
        };
        raw & bits::mask(width)
    }

    /// Bits of a float; special ones are frequent.
    pub fn float(&mut self, width: u32) -> u128 {
        if self.below(3) == 0 {
            return self.value(width);
        }
        let single =
            |x: f64| if width == 32 { u128::from((x as f32).to_bits()) } else { u128::from(x.to_bits()) };
        match self.below(3) {
            0 => {
                let special =
                    [0.0, -0.0, 1.0, -1.5, 0.5, 2.5, 1e300, -1e-300, f64::INFINITY, f64::NEG_INFINITY];
                let x = self.pick(&special);
                single(x)
            }
            1 => single((self.below(2000) as f64 - 1000.0) / 8.0),
            _ => {
                let x = f64::from_bits(self.next()).clamp(-1e40, 1e40);
                let power = self.below(140) as i32 - 70;
                if x.is_nan() { self.value(width) } else { single((x % 1000.0) * 2f64.powi(power)) }
            }
        }
    }
}
