//! Floating-point expressions, and the ways to and from integers.
//!
//! Values may become infinite or NaN inside an expression; what is stored, printed or converted to an
//! integer has gone through `fin` or `clamp`, because the sign of a NaN is not specified.

use super::types::{Int, Scalar};
use super::{Expr, Gen};
use crate::cat;
use crate::tree::Tree;

impl Gen {
    /// A `float` or `double` expression.
    pub(super) fn float_expr(&mut self, depth: usize) -> Tree {
        self.spend(1);
        if depth == 0 {
            return self.float_leaf();
        }
        let (a, b) = (self.float_expr(depth - 1), self.float_expr(depth - 1));
        match self.rng.below(8) {
            0 | 1 => cat!("(", a, " + ", b, ")"),
            2 => cat!("(", a, " - ", b, ")"),
            3 => cat!("(", a, " * ", b, ")"),
            4 => cat!("(", a, " / (", b, " + 1.5))"),
            5 => {
                let condition = self.int_expr(depth - 1);
                cat!("(", condition.tree, " ? ", a, " : ", b, ")")
            }
            6 => cat!("(-", a, ")"),
            _ => cat!("((float)", a, ")"),
        }
        .or("1.0")
    }

    fn float_leaf(&mut self) -> Tree {
        for _ in 0..3 {
            if let Some(place) = self.place(false) {
                match place.ty {
                    Scalar::Float | Scalar::Double => return place.tree,
                    Scalar::Int(_) | Scalar::Enum(..) => {
                        if let Some(expr) = self.read(&place)
                            && self.rng.one_in(3)
                        {
                            let ty = if self.rng.one_in(2) { "double" } else { "float" };
                            return cat!("((", ty, ")", expr.tree, ")");
                        }
                    }
                }
            }
        }
        let suffix = if self.rng.one_in(3) { "f" } else { "" };
        cat!(self.floating(), suffix)
    }

    /// A floating value fit to be stored in an object of this type.
    pub(super) fn bounded_float(&mut self, ty: Scalar, depth: usize) -> Tree {
        self.spend(4);
        let value = self.float_expr(depth);
        let name = if ty == Scalar::Float { "finf(" } else { "fin(" };
        cat!(name, value, ")").or("2.0")
    }

    /// A floating value converted to an integer type that can hold it.
    pub(super) fn float_to_int(&mut self, depth: usize) -> Expr {
        self.spend(6);
        let value = self.float_expr(depth - 1);
        let (low, high, ty) = *self.rng.pick(&[
            ("-2147483000.0", "2147483000.0", Int::Int),
            ("-128.9", "127.9", Int::SChar),
            ("0.0", "255.75", Int::UChar),
            ("-32768.5", "32767.5", Int::Short),
            ("-0.9", "4294967295.5", Int::UInt),
            ("-9e18", "9e18", Int::Long),
            ("0.0", "1.8e19", Int::ULong),
            ("-1e30", "1e30", Int::I128),
            ("0.0", "3e38", Int::U128),
            ("-0.25", "1e3", Int::Bool),
        ]);
        let parts = vec![cat!("((", ty.name(), ")clamp(", value, ", ", low, ", ", high, "))")];
        Expr { tree: Tree::operation(parts, ty.one(), ty.name(), &[]), ty }
    }
}
