//! Whether an operation on bit-vectors leaves the range of its width: Booleans, made of other terms.

use crate::bits;
use crate::store::{Term, Terms};

impl Terms {
    /// Whether the unsigned sum wraps.
    pub fn uadd_overflow(&mut self, a: Term, b: Term) -> Term {
        let sum = self.bv_add(a, b);
        self.ult(sum, a)
    }

    /// Whether the unsigned difference wraps.
    pub fn usub_overflow(&mut self, a: Term, b: Term) -> Term {
        self.ult(a, b)
    }

    /// Whether the signed sum wraps: both operands have the sign that the result has not.
    pub fn sadd_overflow(&mut self, a: Term, b: Term) -> Term {
        let sum = self.bv_add(a, b);
        let (in_a, in_b) = (self.sign_differs(a, sum), self.sign_differs(b, sum));
        self.and(in_a, in_b)
    }

    /// Whether the signed difference wraps: the operands differ in sign, and the result from the first.
    pub fn ssub_overflow(&mut self, a: Term, b: Term) -> Term {
        let difference = self.bv_sub(a, b);
        let (operands, result) = (self.sign_differs(a, b), self.sign_differs(a, difference));
        self.and(operands, result)
    }

    /// Whether it is negative as a signed number.
    pub fn is_negative(&mut self, a: Term) -> Term {
        self.bit(a, self.width(a) - 1)
    }

    fn sign_differs(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.is_negative(a), self.is_negative(b));
        self.xor(a, b)
    }

    /// Whether the signed negation wraps.
    pub fn neg_overflow(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let min = self.bits(width, bits::min_signed(width));
        self.eq(a, min)
    }

    /// Whether the signed quotient wraps: the minimum divided by -1.
    pub fn sdiv_overflow(&mut self, a: Term, b: Term) -> Term {
        let minus_one = self.bits(self.width(b), u128::MAX);
        let (min, minus_one) = (self.neg_overflow(a), self.eq(b, minus_one));
        self.and(min, minus_one)
    }

    /// Whether the unsigned product wraps.
    pub fn umul_overflow(&mut self, a: Term, b: Term) -> Term {
        let (high, _) = self.umul_parts(a, b);
        self.to_bool(high)
    }

    /// Whether the signed product wraps. The product of the magnitudes decides: it may reach the
    /// magnitude of the minimum only if the result is negative.
    pub fn smul_overflow(&mut self, a: Term, b: Term) -> Term {
        let width = self.common_width(a, b);
        let negative = self.sign_differs(a, b);
        let (a, b) = (self.magnitude(a), self.magnitude(b));
        let (high, low) = self.umul_parts(a, b);
        let too_high = self.to_bool(high);
        let (min, max) =
            (self.bits(width, bits::min_signed(width)), self.bits(width, bits::max_signed(width)));
        let limit = self.ite(negative, min, max);
        let too_low = self.ult(limit, low);
        self.or(too_high, too_low)
    }

    /// The absolute value of a signed number, as an unsigned one.
    pub fn magnitude(&mut self, a: Term) -> Term {
        let (negative, negated) = (self.is_negative(a), self.bv_neg(a));
        self.ite(negative, negated, a)
    }

    /// The unsigned product as two parts: what exceeds the width (some bits of it; zero if and only if
    /// nothing does), and the product of the width.
    fn umul_parts(&mut self, a: Term, b: Term) -> (Term, Term) {
        let width = self.common_width(a, b);
        if 2 * width <= 128 {
            let (a, b) = (self.zero_extend(a, 2 * width), self.zero_extend(b, 2 * width));
            let product = self.bv_mul(a, b);
            return (self.extract(product, 2 * width - 1, width), self.extract(product, width - 1, 0));
        }
        let (wide_a, wide_b) = (self.zero_extend(a, 128), self.zero_extend(b, 128));
        let (mut high, low) = self.umul_wide(wide_a, wide_b);
        if width < 128 {
            let rest = self.shift_right_by(low, width);
            high = self.bv_or(high, rest);
        }
        (high, self.extract(low, width - 1, 0))
    }

    /// The 256-bit product of two 128-bit numbers: upper and lower half. Schoolbook, with 64-bit digits.
    pub fn umul_wide(&mut self, a: Term, b: Term) -> (Term, Term) {
        let half = |terms: &mut Self, t: Term, upper: bool| {
            let part = if upper { terms.extract(t, 127, 64) } else { terms.extract(t, 63, 0) };
            terms.zero_extend(part, 128)
        };
        let (a0, a1) = (half(self, a, false), half(self, a, true));
        let (b0, b1) = (half(self, b, false), half(self, b, true));
        let (p00, p01) = (self.bv_mul(a0, b0), self.bv_mul(a0, b1));
        let (p10, p11) = (self.bv_mul(a1, b0), self.bv_mul(a1, b1));
        // Neither sum wraps: (2^64 - 1)^2 + 2^64 - 1 < 2^128.
        let carry = half(self, p00, true);
        let middle = self.bv_add(p01, carry);
        let low_middle = half(self, middle, false);
        let middle_2 = self.bv_add(p10, low_middle);
        let (c1, c2) = (half(self, middle, true), half(self, middle_2, true));
        let high = self.bv_add(p11, c1);
        let high = self.bv_add(high, c2);
        let (upper, lower) = (self.extract(middle_2, 63, 0), self.extract(p00, 63, 0));
        (high, self.concat(upper, lower))
    }
}
