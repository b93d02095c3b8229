//! Random functions of three inputs, for [`super::sequential`].
//!
//! Integers of all sizes, an array, a record, a union, pointers, branches, short loops, a switch and calls.
//! Most functions are well-defined for all inputs: arithmetic is unsigned, divisors are odd, indices are masked.
//! One in three is not: there the engine's local checks have something to find. Loops end after three
//! iterations at most, so bounds are soon enough.

use crate::cat;
use crate::rng::Rng;
use crate::tree::Tree;

/// A generated function, `body`, and those that it calls.
pub struct Body {
    pub seed: u64,
    pub tree: Tree,
}

/// The function of a seed.
pub fn generate(seed: u64) -> Body {
    let mut rng = Rng::new(seed);
    let risky = rng.one_in(3);
    let tree = Writer { rng: &mut rng, risky, loops: 0, helper: false }.functions();
    Body { seed, tree }
}

/// Statements and expressions nest this deep.
const DEPTH: usize = 2;

const SIGNED: [&str; 5] = ["a", "b", "c", "v", "w"];
const UNSIGNED: [&str; 2] = ["u", "t"];

const LOCALS: &str = "int v = 1, w = 2;\nunsigned u = 3, t = 0;\nint array[4] = {1, 2, 3, 4};\n\
    struct {\nsigned char low;\nunsigned short high;\nlong wide;\n} record = {1, 2, 3}, other = {0, 0, 0};\n\
    union {\nunsigned word;\nunsigned char bytes[4];\n} both = {0};\nint *p = &v;\n";

struct Writer<'r> {
    rng: &'r mut Rng,
    /// Whether it may go wrong.
    risky: bool,
    /// Loops around the statement being written.
    loops: usize,
    /// Whether this is a function of its own, with parameters only.
    helper: bool,
}

impl Writer<'_> {
    fn functions(&mut self) -> Tree {
        self.helper = true;
        let (condition, one, other) = (self.signed(1), self.signed(1), self.signed(1));
        let recursive = self.rng.one_in(3);
        let again = if recursive { "if (a > 0 && a < 4)\nreturn helper(a - 1, b ^ 5) ^ a;\n" } else { "" };
        let helper = cat!(
            "static int helper(int a, int b)\n{\n",
            Tree::from(again).optional(),
            "if (",
            condition,
            ")\nreturn ",
            one,
            ";\nreturn ",
            other,
            ";\n}\n"
        );
        self.helper = false;
        let statements = self.block(6, 0);
        cat!(
            helper,
            "static long long body(int a, int b, int c)\n{\n",
            LOCALS,
            statements,
            "(void)other;\n(void)p;\n(void)c;\n(void)helper;\n",
            "return (long long)v + w + 3LL * u - t + array[a & 3] + record.low + record.high + ",
            "(long long)record.wide + both.word;\n}\n"
        )
    }

    fn block(&mut self, most: usize, depth: usize) -> Tree {
        let count = self.rng.range(1, most);
        let statements: Vec<Tree> = (0..count).map(|_| self.statement(depth)).collect();
        statements.into()
    }

    fn statement(&mut self, depth: usize) -> Tree {
        let nested = u32::from(depth < DEPTH);
        match self.rng.weighted(&[6, 3, 2, 2, 2, 2, 4 * nested, 2 * nested, nested]) {
            0 => self.assignment(),
            1 => self.element(),
            2 => self.record(),
            3 => self.union(),
            4 => self.pointer(),
            5 => {
                let (first, second) = (self.signed(1), self.signed(1));
                cat!(*self.rng.pick(&["v", "w"]), " = helper(", first, ", ", second, ");\n").optional()
            }
            6 => self.branch(depth),
            7 => self.repeat(depth),
            _ => self.switch(depth),
        }
    }

    fn assignment(&mut self) -> Tree {
        let (target, value) = if self.rng.one_in(2) {
            (*self.rng.pick(&SIGNED), self.signed(0))
        } else {
            (*self.rng.pick(&UNSIGNED), self.unsigned(0))
        };
        cat!(target, " = ", value, ";\n").optional()
    }

    fn element(&mut self) -> Tree {
        let (index, value) = (self.index(), self.signed(1));
        let operator = *self.rng.pick(&["=", "^=", "|="]);
        cat!("array[", index, "] ", operator, " ", value, ";\n").optional()
    }

    /// Within the array, or nearly always so.
    fn index(&mut self) -> Tree {
        let value = self.signed(1);
        let mask = if self.risky && self.rng.one_in(4) { " & 7" } else { " & 3" };
        cat!("(", value, ")", mask)
    }

    fn record(&mut self) -> Tree {
        let value = self.signed(1);
        match self.rng.below(5) {
            0 => Tree::from("other = record;\n"),
            1 => Tree::from("record = other;\n"),
            2 => cat!("record.low = (signed char)(", value, ");\n"),
            3 => cat!("other.high = (unsigned short)(", value, ");\n"),
            _ => cat!("record.wide = (long)(", value, ") * 3;\n"),
        }
        .optional()
    }

    fn union(&mut self) -> Tree {
        let value = self.unsigned(1);
        match self.rng.below(3) {
            0 => cat!("both.word = ", value, ";\n"),
            1 => {
                let index = self.signed(1);
                cat!("both.bytes[(", index, ") & 3] = (unsigned char)(", value, ");\n")
            }
            _ => Tree::from("u = both.bytes[v & 3] + both.word;\n"),
        }
        .optional()
    }

    fn pointer(&mut self) -> Tree {
        let value = self.signed(1);
        match self.rng.below(3) {
            0 => cat!("p = ", value, " ? &w : &array[c & 3];\n"),
            1 => cat!("*p = ", value, ";\n"),
            _ => Tree::from("v = *p;\n"),
        }
        .optional()
    }

    fn branch(&mut self, depth: usize) -> Tree {
        let (condition, then) = (self.condition(), self.block(2, depth + 1));
        if self.rng.one_in(2) {
            return Tree::around(vec![cat!("if (", condition, ") {\n"), then, "}\n".into()], &[1]);
        }
        let other = self.block(2, depth + 1);
        let parts = vec![cat!("if (", condition, ") {\n"), then, "} else {\n".into(), other, "}\n".into()];
        Tree::around(parts, &[1, 3])
    }

    fn repeat(&mut self, depth: usize) -> Tree {
        let counter = ["i", "j", "k"][self.loops];
        let end = self.signed(1);
        self.loops += 1;
        let body = self.block(2, depth + 1);
        self.loops -= 1;
        let head = if self.rng.one_in(3) {
            cat!("for (int ", counter, " = 0; ", counter, " < 3; ", counter, "++) {\n")
        } else {
            // The counter must not be changed by the body, and is not: it has a name of its own.
            cat!("for (int ", counter, " = (", end, ") & 3; ", counter, " > 0; ", counter, "--) {\n")
        };
        let leave =
            if self.rng.one_in(4) { cat!("if (", self.condition(), ")\nbreak;\n") } else { "".into() };
        Tree::around(vec![head, body, leave.optional(), "}\n".into()], &[1])
    }

    fn switch(&mut self, depth: usize) -> Tree {
        let value = self.signed(1);
        let (first, second) = (self.block(1, depth + 1), self.block(1, depth + 1));
        let through = if self.rng.one_in(2) { "break;\n" } else { "" };
        Tree::around(
            vec![
                cat!("switch ((", value, ") & 3) {\ncase 0:\n"),
                first,
                format!("{through}case 2:\n").into(),
                second,
                "break;\ndefault:\nt++;\n}\n".into(),
            ],
            &[1, 3],
        )
    }

    fn condition(&mut self) -> Tree {
        let (left, right) = (self.signed(1), self.signed(1));
        let operator = *self.rng.pick(&["==", "!=", "<", ">="]);
        cat!(left, " ", operator, " ", right)
    }

    /// An expression of type `int`.
    fn signed(&mut self, depth: usize) -> Tree {
        if depth > DEPTH || self.rng.one_in(3) {
            return self.signed_leaf();
        }
        let (left, right) = (self.signed(depth + 1), self.signed(depth + 1));
        let parts = match self.rng.weighted(&[4, 3, 2, 1, 1, 1, 1]) {
            0 => self.sum(left, right),
            1 => vec!["(".into(), left, (*self.rng.pick(&[" & ", " | ", " ^ "])).into(), right, ")".into()],
            2 => vec!["(".into(), left, (*self.rng.pick(&[" < ", " == ", " >= "])).into(), right, ")".into()],
            3 => vec!["(int)(".into(), self.unsigned(depth + 1), ")".into()],
            4 => vec!["(".into(), left, " > 0 ? ".into(), right, " : 7)".into()],
            5 => self.quotient(left, right),
            _ => self.narrow(left),
        };
        Tree::operation(parts, "1".to_string(), "int", &[1])
    }

    /// Sums and products that wrap, unless something may go wrong.
    fn sum(&mut self, left: Tree, right: Tree) -> Vec<Tree> {
        let operator = *self.rng.pick(&[" + ", " - ", " + ", " * "]);
        if self.risky && self.rng.one_in(2) {
            return vec!["(".into(), left, operator.into(), right, ")".into()];
        }
        vec!["(int)((unsigned)(".into(), left, format!("){operator}(unsigned)(").into(), right, "))".into()]
    }

    /// Division by odd numbers that are not negative, unless something may go wrong.
    fn quotient(&mut self, left: Tree, right: Tree) -> Vec<Tree> {
        let operator = *self.rng.pick(&[" / ", " % "]);
        if self.risky && self.rng.one_in(2) {
            return vec!["(".into(), left, operator.into(), "(".into(), right, " & 15))".into()];
        }
        vec!["(".into(), left, operator.into(), "((".into(), right, " & 14) | 1))".into()]
    }

    fn narrow(&mut self, value: Tree) -> Vec<Tree> {
        let name = *self.rng.pick(&["signed char", "unsigned char", "short", "unsigned short", "_Bool"]);
        vec![format!("(int)({name})(").into(), value, ")".into()]
    }

    fn signed_leaf(&mut self) -> Tree {
        if self.helper {
            return (*self.rng.pick(&["a", "b", "3", "-1"])).into();
        }
        match self.rng.weighted(&[6, 2, 1, 1]) {
            0 => (*self.rng.pick(&SIGNED)).into(),
            1 => (*self.rng.pick(&["0", "1", "2", "-1", "100", "2147483647", "(-2147483647 - 1)"])).into(),
            2 => format!("array[{} & 3]", self.rng.pick(&SIGNED)).into(),
            _ => (*self.rng.pick(&["*p", "record.low", "(int)record.high", "(int)both.bytes[1]"])).into(),
        }
    }

    /// An expression of type `unsigned`.
    fn unsigned(&mut self, depth: usize) -> Tree {
        if depth > DEPTH || self.rng.one_in(3) {
            return self.unsigned_leaf();
        }
        let left = self.unsigned(depth + 1);
        let parts = match self.rng.weighted(&[4, 3, 2, 1]) {
            0 => {
                let operator = *self.rng.pick(&[" + ", " - ", " * "]);
                vec!["(".into(), left, operator.into(), self.unsigned(depth + 1), ")".into()]
            }
            1 => {
                let operator = *self.rng.pick(&[" & ", " | ", " ^ "]);
                vec!["(".into(), left, operator.into(), self.unsigned(depth + 1), ")".into()]
            }
            2 => self.shift(left, depth),
            _ => vec!["(~".into(), left, ")".into()],
        };
        Tree::operation(parts, "5u".to_string(), "unsigned", &[1])
    }

    fn shift(&mut self, left: Tree, depth: usize) -> Vec<Tree> {
        let operator = *self.rng.pick(&[" << ", " >> "]);
        let count = self.signed(depth + 1);
        let mask = if self.risky && self.rng.one_in(2) { " & 63))" } else { " & 31))" };
        vec!["(".into(), left, operator.into(), "(".into(), count, mask.into()]
    }

    fn unsigned_leaf(&mut self) -> Tree {
        let value = if self.helper {
            "(unsigned)b"
        } else {
            *self.rng.pick(&["u", "t", "(unsigned)a", "both.word", "9u"])
        };
        value.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_function() {
        assert_eq!(generate(5).tree.render(), generate(5).tree.render());
        assert_ne!(generate(5).tree.render(), generate(6).tree.render());
    }

    #[test]
    fn every_construct_appears_in_some_function() {
        let all: String = (0..200).map(|seed| generate(seed).tree.render()).collect();
        let wanted = [
            "for (",
            "if (",
            "switch (",
            "break;",
            "helper(a - 1",
            "= helper(",
            "array[",
            "*p =",
            "record = other",
            "both.bytes",
            " / ",
            " % ",
            " << ",
            " >> ",
            "& 63",
            "& 7]",
            "_Bool",
            " * ",
            "~",
        ];
        for word in wanted {
            assert!(all.contains(word), "no function of 200 has {word:?}");
        }
    }
}
