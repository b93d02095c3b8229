//! Constants: integer literals in their many spellings, constant expressions, floating constants.

use super::types::{Int, Scalar};
use super::{Expr, Gen};
use crate::cat;
use crate::tree::Tree;

impl Gen {
    /// A value worth trying: small, near a power of two, or arbitrary; reduced to the type.
    pub(super) fn interesting(&mut self) -> u64 {
        match self.rng.below(6) {
            0 | 1 => self.rng.below(10) as u64,
            2 => self.rng.below(300) as u64,
            3 => {
                let power = 1u64 << self.rng.below(64);
                power.wrapping_add(self.rng.below(3) as u64).wrapping_sub(1)
            }
            4 => (self.rng.below(20) as u64).wrapping_neg(),
            _ => self.rng.next() >> self.rng.below(60),
        }
    }

    /// A literal; its type is what the spelling says.
    pub(super) fn literal(&mut self) -> Expr {
        let value = self.interesting();
        let (text, ty) = match self.rng.below(9) {
            0 | 1 => (format!("{}", value & 0x7fff_ffff), Int::Int),
            2 => {
                let value = value & 0x7fff_ffff;
                (if value == 0 { "0".to_string() } else { format!("(-{value})") }, Int::Int)
            }
            3 => (format!("0x{:x}u", value & 0xffff_ffff), Int::UInt),
            4 => (format!("{}L", value >> 1), Int::Long),
            5 => (format!("{value}UL"), Int::ULong),
            6 => (format!("0{:o}ULL", value), Int::ULLong),
            7 => (self.character(), Int::Int),
            _ => return self.cast_literal(value),
        };
        Expr { tree: text.into(), ty }
    }

    fn character(&mut self) -> String {
        const SPELLINGS: [&str; 10] =
            ["'a'", "'Z'", "'\\n'", "'\\0'", "'\\\\'", "'\\x7f'", "'\\377'", "'\\''", "' '", "'\\t'"];
        self.rng.pick(&SPELLINGS).to_string()
    }

    /// A literal of exactly this type.
    pub(super) fn literal_of(&mut self, ty: Int) -> Tree {
        let value = self.interesting();
        if ty.bits() == 128 {
            let low = self.interesting();
            return format!("((({})((((unsigned __int128){value}ULL) << 64) | {low}ULL)))", ty.name()).into();
        }
        format!("(({}){value}ULL)", ty.name()).into()
    }

    fn cast_literal(&mut self, value: u64) -> Expr {
        let ty = *self.rng.pick(&super::types::INTS);
        if ty.bits() == 128 {
            return Expr { tree: self.literal_of(ty), ty };
        }
        Expr { tree: format!("(({}){value}ULL)", ty.name()).into(), ty }
    }

    /// A constant expression, fit for static initialisers and `case` labels, converted to the type.
    pub(super) fn constant(&mut self, ty: Int) -> Tree {
        let (a, b) = (self.interesting(), self.interesting());
        let text = match self.rng.below(8) {
            0 | 1 => return self.literal_of(ty),
            2 => format!("(({}ULL * {}ULL) ^ 0x{:x}ULL)", a, b, a & b),
            3 => format!("({a}ULL / {}ULL)", b | 1),
            4 => format!("({}ULL >> {})", a, b & 63),
            5 => format!("({a}ULL > {b}UL ? {}L : -{}L)", a >> 1, b >> 1),
            6 => match self.rng.below(self.records.len() + 1) {
                0 => "sizeof(long[3])".to_string(),
                index => {
                    let record = &self.records[index - 1];
                    format!("sizeof({} {})", record.keyword(), record.name)
                }
            },
            _ if !self.enums.is_empty() => self.enumerator(),
            _ => format!("(!{a}ULL || {b}ULL == {a}ULL)"),
        };
        Tree::from(format!("(({}){text})", ty.name())).or(ty.one())
    }

    /// The name of an enumerator; there is an enumeration.
    pub(super) fn enumerator(&mut self) -> String {
        let index = self.rng.below(self.enums.len());
        let constants = self.enums[index].constants.clone();
        self.rng.pick(&constants).clone()
    }

    /// A constant of any scalar type.
    pub(super) fn constant_of(&mut self, ty: Scalar) -> Tree {
        match ty {
            Scalar::Int(int) => self.constant(int),
            Scalar::Enum(index, _) => {
                let constants = self.enums[index].constants.clone();
                self.rng.pick(&constants).clone().into()
            }
            Scalar::Float | Scalar::Double if self.rng.one_in(6) => "0.0".into(),
            Scalar::Float => cat!(self.floating(), "f"),
            Scalar::Double => self.floating(),
        }
    }

    /// A floating constant without suffix, of moderate size and not zero: GCC 12 takes `0.0 - (double)i`
    /// for `-(double)i`, which has the wrong sign if `i` is 0.
    pub(super) fn floating(&mut self) -> Tree {
        let n = self.rng.range(1, 2000);
        match self.rng.below(6) {
            0 => format!("{}.{}", n % 100, self.rng.range(1, 999)),
            1 => format!("{}.0", n),
            2 => format!("0x1.{:x}p{}", n, self.rng.range(0, 12) as i32 - 6),
            3 => format!("{}e-{}", n, self.rng.below(8)),
            4 => format!(".{}", n),
            _ => format!("{}.5e{}", n % 10, self.rng.below(4)),
        }
        .into()
    }
}
