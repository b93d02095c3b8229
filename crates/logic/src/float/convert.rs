//! Conversion between formats.

use super::Format;
use super::round::Unrounded;
use crate::store::{Term, Terms};

impl Format {
    /// `a`, a float of this format, in the format `to`. A NaN keeps its sign and the upper bits of its
    /// payload, and becomes quiet.
    pub fn convert(self, terms: &mut Terms, a: Term, to: Format) -> Term {
        if self == to {
            return a;
        }
        let x = self.unpack(terms, a);
        let working = self.working_width().max(to.working_width());
        let exponent = terms.sign_extend(x.exponent, working);
        let significand = at_least(terms, x.significand, to.precision() + 2);
        let (exponent, significand) = match to.fits(self) {
            true => (exponent, significand),
            // The exponent must fit the target's working width; what is out of its reach is clamped.
            false => (clamp(terms, exponent, to), significand),
        };
        let exponent = terms.extract(exponent, to.working_width() - 1, 0);
        let number = Unrounded { negative: x.negative, exponent, significand, may_underflow: !to.fits(self) };
        let rounded = to.round(terms, number);
        let infinity = to.infinity(terms, x.negative);
        let result = terms.ite(x.infinite, infinity, rounded);
        let nan = self.convert_nan(terms, a, to);
        terms.ite(x.nan, nan, result)
    }

    /// Whether the exponents of `other` are among this format's.
    fn fits(self, other: Format) -> bool {
        self.exponent >= other.exponent
    }

    fn convert_nan(self, terms: &mut Terms, a: Term, to: Format) -> Term {
        let fraction = terms.extract(a, self.fraction - 1, 0);
        let fraction = if to.fraction >= self.fraction {
            at_least(terms, fraction, to.fraction)
        } else {
            terms.extract(fraction, self.fraction - 1, self.fraction - to.fraction)
        };
        let exponent = terms.bits(to.exponent, u128::MAX);
        let magnitude = terms.concat(exponent, fraction);
        let negative = self.is_sign_negative(terms, a);
        let nan = to.with_sign(terms, negative, magnitude);
        to.quiet(terms, nan)
    }
}

/// Padded with zeros below.
pub(super) fn at_least(terms: &mut Terms, a: Term, width: u32) -> Term {
    let from = terms.width(a);
    if from >= width {
        return a;
    }
    let padding = terms.bits(width - from, 0);
    terms.concat(a, padding)
}

/// Limits an exponent to what overflows or vanishes in `to` anyway.
fn clamp(terms: &mut Terms, exponent: Term, to: Format) -> Term {
    let width = terms.width(exponent);
    let limit = |terms: &mut Terms, value: i128| terms.bits(width, value as u128);
    // Far below the smallest subnormal number, far above the largest; both within the working width.
    let reach = 3 << to.exponent;
    let (low, high) = (limit(terms, -reach), limit(terms, reach));
    let (too_low, too_high) = (terms.slt(exponent, low), terms.slt(high, exponent));
    let raised = terms.ite(too_low, low, exponent);
    terms.ite(too_high, high, raised)
}
