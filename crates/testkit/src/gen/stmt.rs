//! Statements: assignments, control flow, output.

use super::decl::mix;
use super::types::{Int, Scalar, Ty};
use super::{Gen, Len, Shape, Var};
use crate::cat;
use crate::tree::Tree;

impl Gen {
    /// Statements in a scope of their own, without braces around them.
    pub(super) fn block(&mut self, count: usize) -> Tree {
        self.scopes.push(Vec::new());
        let tree = self.statements(count);
        self.scopes.pop();
        tree
    }

    /// Statements whose declarations stay in scope afterwards.
    pub(super) fn open_block(&mut self, count: usize) -> Tree {
        self.statements(count)
    }

    fn statements(&mut self, count: usize) -> Tree {
        self.depth += 1;
        let mut items = Vec::new();
        if self.depth == 1 {
            items.push(self.local());
        }
        for _ in 0..count {
            items.push(self.statement());
        }
        self.depth -= 1;
        Tree::Seq(items)
    }

    fn statement(&mut self) -> Tree {
        self.spend(1);
        if !self.can_afford(30) {
            return self.assignment();
        }
        let nested = if self.depth < 3 { 1 } else { 0 };
        let effects = if self.pure_ { 0 } else { 1 };
        let kinds = [
            10,
            8,
            5,
            7 * nested,
            9 * nested,
            5 * nested,
            3 * nested,
            10 * effects,
            9,
            4,
            4,
            5 * effects,
            14,
        ];
        match self.rng.weighted(&kinds) {
            0 => self.assignment(),
            1 => self.compound_assignment(),
            2 => self.step(),
            3 => self.branch(),
            4 => self.bounded_loop(),
            5 => self.switch(),
            6 => self.jump(),
            7 => self.show(),
            8 => self.local(),
            9 => self.pointer().unwrap_or_else(|| self.local()),
            10 => self.record_copy().unwrap_or_else(|| self.assignment()),
            11 => self.effect_call().unwrap_or_else(|| self.show()),
            _ => self.trick().unwrap_or_else(|| self.assignment()),
        }
    }

    /// `place = value;`, sometimes through a chain or moving a pointer.
    pub(super) fn assignment(&mut self) -> Tree {
        if self.rng.one_in(6)
            && let Some(tree) = self.pointer_assignment()
        {
            return tree;
        }
        let Some(place) = self.place(true) else { return self.local() };
        let value = self.value_of(place.ty, 3);
        cat!(place.tree, " = ", value, ";\n").optional()
    }

    /// Moves a pointer within its array.
    fn pointer_assignment(&mut self) -> Option<Tree> {
        let pointers: Vec<Var> = self
            .variables(true)
            .into_iter()
            .filter(|v| matches!(v.shape, Shape::Pointer { .. } | Shape::Double { .. }))
            .collect();
        if pointers.is_empty() {
            return None;
        }
        let var = self.rng.pick(&pointers).clone();
        let (name, base, len) = match &var.shape {
            Shape::Pointer { base, len, .. } => (var.name.clone(), base.clone(), len.clone()),
            Shape::Double { base, len, .. } => (format!("(*{})", var.name), base.clone(), len.clone()),
            Shape::Object(_) | Shape::Run(..) => return None,
        };
        let index = self.index(&len);
        let len = len.text();
        Some(
            match self.rng.below(4) {
                0 => cat!(&name, " = ", base, " + ", index, ";\n"),
                1 => cat!(&name, " = &", base, "[", index, "];\n"),
                2 => cat!("if (++", &name, " == ", &base, " + ", len, ")\n", &name, " = ", &base, ";\n"),
                _ => cat!(
                    "if (",
                    &name,
                    " > ",
                    &base,
                    ")\n",
                    &name,
                    "--;\nelse\n",
                    &name,
                    " += ",
                    len,
                    " - 1;\n"
                ),
            }
            .optional(),
        )
    }

    /// `place op= value;`
    fn compound_assignment(&mut self) -> Tree {
        let Some(place) = self.place(true) else { return self.local() };
        let Some(ty) = place.ty.int() else { return self.float_update(place.tree, place.ty) };
        let value = self.int_expr(2).tree;
        // The operation is done in the common type: unsigned or narrow enough, it cannot overflow.
        let wraps = !ty.signed() || ty.bits() < 32;
        let enumeration = matches!(place.ty, Scalar::Enum(..));
        let tail = match self.rng.below(9) {
            0 | 1 if wraps && !enumeration => {
                let op = *self.rng.pick(&[" += ", " -= "]);
                cat!(op, "(", value, " & 0xffff)")
            }
            2 if wraps && !enumeration => cat!(" *= (", value, " & 0x7f)"),
            3 => cat!(" /= ((", value, " & 0x3f) + 1)"),
            4 => cat!(" %= ((", value, " & 0xff) + 1)"),
            5 => cat!(" >>= (", value, " & 7)"),
            6 if !ty.signed() && place.bits.is_none() => cat!(" <<= (", value, " & 7)"),
            7 => cat!(" |= ", value),
            8 => cat!(" &= ", value),
            _ => cat!(" ^= ", value),
        };
        cat!(place.tree, tail, ";\n").optional()
    }

    fn float_update(&mut self, place: Tree, ty: Scalar) -> Tree {
        let op = *self.rng.pick(&[" += ", " -= ", " *= "]);
        let value = self.bounded_float(ty, 1);
        let fin = if ty == Scalar::Float { "finf(" } else { "fin(" };
        cat!(&place, op, value, ";\n", &place, " = ", fin, &place, ");\n").optional()
    }

    /// `++` and `--`, alone or with their value used.
    fn step(&mut self) -> Tree {
        let Some(place) = self.place(true) else { return self.local() };
        let op = *self.rng.pick(&["++", "--"]);
        match place.ty {
            Scalar::Enum(..) => self.assignment(),
            Scalar::Float | Scalar::Double => cat!(place.tree, op, ";\n").optional(),
            Scalar::Int(int) if int.signed() && int.bits() >= 32 => {
                let guard = if op == "++" { " < 1000000)\n" } else { " > -1000000)\n" };
                if place.bits.is_some_and(|bits| bits < int.bits()) || place.bits.is_none() {
                    cat!("if (", &place.tree, guard, &place.tree, op, ";\n").optional()
                } else {
                    self.assignment()
                }
            }
            Scalar::Int(int) => self.step_used(place.tree, int, op),
        }
    }

    fn step_used(&mut self, place: Tree, int: Int, op: &str) -> Tree {
        if self.rng.one_in(2) {
            let tree = if self.rng.one_in(2) { cat!(place, op, ";\n") } else { cat!(op, place, ";\n") };
            return tree.optional();
        }
        let name = self.fresh("v");
        self.declare(&name, Shape::Object(Ty::int(int)), true);
        let value = if self.rng.one_in(2) { cat!(place, op) } else { cat!(op, place) };
        cat!(int.name(), " ", name, " = ", value, ";\n").optional()
    }

    fn condition(&mut self) -> Tree {
        let depth = self.rng.range(1, 2);
        self.int_expr(depth).tree
    }

    fn branch(&mut self) -> Tree {
        let condition = self.condition();
        let then_count = self.rng.range(1, 3);
        let then = self.block(then_count);
        if self.rng.one_in(2) {
            return Tree::around(vec![cat!("if (", condition, ") {\n"), then, "}\n".into()], &[1]);
        }
        let else_count = self.rng.range(1, 2);
        let otherwise = self.block(else_count);
        let middle = if self.rng.one_in(4) {
            let second = self.condition();
            cat!("} else if (", second, ") {\n")
        } else {
            "} else {\n".into()
        };
        Tree::around(vec![cat!("if (", condition, ") {\n"), then, middle, otherwise, "}\n".into()], &[1, 3])
    }

    /// A loop with a counter that its body cannot change.
    fn bounded_loop(&mut self) -> Tree {
        let mut trips = self.rng.range(1, 12) as u64;
        if !self.can_afford(trips * 60) {
            trips = 2;
        }
        let ty = *self.rng.pick(&[
            Int::Int,
            Int::UInt,
            Int::Long,
            Int::UChar,
            Int::Short,
            Int::ULLong,
            Int::SChar,
        ]);
        let name = self.fresh("i");
        self.times *= trips;
        self.scopes.push(Vec::new());
        self.declare(&name, Shape::Object(Ty::int(ty)), false);
        let count = self.rng.range(1, 3);
        let body = self.block(count);
        let exit = self.early_exit();
        self.scopes.pop();
        self.times /= trips;
        let start = trips * if self.rng.one_in(5) { 2 } else { 1 };
        let (head, tail) = match self.rng.below(5) {
            _ if start > trips => ("for ($ty $i = $start; $i; $i -= 2) {\n", "}\n"),
            0 => ("$ty $i = 0;\nwhile ($i++ < $start) {\n", "}\n"),
            1 => ("$ty $i = $start;\ndo {\n", "} while (--$i > 0);\n"),
            _ => ("for ($ty $i = 0; $i < $start; $i++) {\n", "}\n"),
        };
        let holes = [("ty", ty.name().into()), ("i", name.into()), ("start", start.to_string().into())];
        Tree::around(vec![Tree::fill(head, &holes), body, exit, Tree::fill(tail, &holes)], &[1])
    }

    fn early_exit(&mut self) -> Tree {
        let word = match self.rng.below(4) {
            0 => "break;\n",
            1 => "continue;\n",
            _ => return "".into(),
        };
        let condition = self.condition();
        cat!("if (", condition, ")\n", word).optional()
    }

    fn switch(&mut self) -> Tree {
        let value = self.int_expr(2).tree;
        let modulus = self.rng.range(4, 9);
        let ty = *self.rng.pick(&["unsigned", "unsigned long", "unsigned long long"]);
        let mut bodies = Vec::new();
        let mut parts = vec![cat!("switch ((", ty, ")", value, " % ", modulus.to_string(), ") {\n")];
        let default_at = self.rng.below(4);
        let mut next = 0;
        for arm in 0..self.rng.range(2, 4) {
            let label = if arm == default_at {
                "default:\n".to_string()
            } else if next + 2 < modulus && self.rng.one_in(3) {
                next += 3;
                format!("case {} ... {}:\n", next - 3, next - 2)
            } else if self.rng.one_in(4) {
                next += 2;
                format!("case {}:\ncase {}:\n", next - 2, next - 1)
            } else {
                next += 1;
                format!("case {}:\n", next - 1)
            };
            let count = self.rng.range(1, 2);
            let body = self.block(count);
            let leave = if self.rng.one_in(3) { "/* fall through */\n" } else { "break;\n" };
            parts.push(Tree::from(label).optional());
            bodies.push(parts.len());
            parts.push(cat!("{\n", body, "}\n"));
            parts.push(Tree::from(leave).optional());
        }
        parts.push(";\n}\n".into());
        Tree::around(parts, &bodies)
    }

    /// `goto` over a block, or back a bounded number of times.
    fn jump(&mut self) -> Tree {
        let label = self.fresh("L");
        if self.rng.one_in(2) {
            let condition = self.condition();
            let count = self.rng.range(1, 2);
            let body = self.block(count);
            let parts = vec![
                cat!("if (", condition, ")\ngoto ", &label, ";\n{\n"),
                body,
                cat!("}\n", &label, ":;\n"),
            ];
            return Tree::around(parts, &[1]);
        }
        let trips = self.rng.range(2, 4) as u64;
        let counter = self.fresh("k");
        self.times *= trips;
        let count = self.rng.range(1, 2);
        let body = self.block(count);
        self.times /= trips;
        let head = cat!("{\nunsigned ", &counter, " = 0;\n", &label, ":;\n{\n");
        let tail = cat!("}\nif (++", counter, " < ", trips.to_string(), ")\ngoto ", label, ";\n}\n");
        Tree::around(vec![head, body, tail], &[1])
    }

    /// One record assigned to another of its type.
    fn record_copy(&mut self) -> Option<Tree> {
        if self.records.is_empty() {
            return None;
        }
        let ty = Ty::Record(self.rng.below(self.records.len()));
        let targets = self.objects_of(&ty, true);
        if targets.is_empty() {
            return None;
        }
        let target = self.rng.pick(&targets).clone();
        let value = self.record_value(&ty)?;
        Some(cat!(target, " = ", value, ";\n").optional())
    }

    /// Prints a value or adds it to the checksum.
    pub(super) fn show(&mut self) -> Tree {
        if self.times > 20 || !self.can_afford(3000) || self.rng.one_in(3) {
            let expr = self.int_expr(2);
            return mix(expr.tree, Scalar::Int(expr.ty)).optional();
        }
        self.spend(200);
        let label = self.fresh("at");
        if self.rng.one_in(5) {
            let value = self.bounded_float(Scalar::Double, 2);
            return self.show_scalar(&label, value, Scalar::Double).optional();
        }
        let expr = self.int_expr(3);
        self.show_scalar(&label, expr.tree, Scalar::Int(expr.ty)).optional()
    }

    /// `printf` of a scalar with a conversion that fits its type.
    pub(super) fn show_scalar(&mut self, label: &str, value: Tree, scalar: Scalar) -> Tree {
        let (format, arg) = match scalar {
            Scalar::Float | Scalar::Double => {
                let format = *self
                    .rng
                    .pick(&["%a", "%g", "%.17g", "%.3f", "%e", "%12.4f", "%-14.6g|", "%+.0f", "%#.3g"]);
                (format, cat!("fin(", value, ")"))
            }
            Scalar::Enum(_, int) | Scalar::Int(int) => self.int_format(value, int),
        };
        cat!("printf(\"", label, " = ", format, "\\n\", ", arg, ");\n")
    }

    fn int_format(&mut self, value: Tree, int: Int) -> (&'static str, Tree) {
        match int {
            Int::I128 | Int::U128 => (
                "%016llx%016llx",
                cat!(
                    "(unsigned long long)((unsigned __int128)",
                    &value,
                    " >> 64), (unsigned long long)",
                    &value
                ),
            ),
            Int::Bool | Int::Int => {
                (*self.rng.pick(&["%d", "%i", "%+d", "% d", "%6d|", "%-6d|", "%05d"]), cat!("(int)", value))
            }
            Int::Char | Int::SChar => (*self.rng.pick(&["%d", "%hhd", "%4hhd"]), cat!("(int)", value)),
            Int::UChar => (*self.rng.pick(&["%u", "%hhu", "%#hhx"]), cat!("(unsigned)", value)),
            Int::Short => (*self.rng.pick(&["%hd", "%+.6hd"]), cat!("(int)", value)),
            Int::UShort => (*self.rng.pick(&["%hu", "%#hx", "%ho"]), cat!("(unsigned)", value)),
            Int::UInt => {
                (*self.rng.pick(&["%u", "%x", "%#X", "%#o", "%012u", "%.10u"]), cat!("(unsigned)", value))
            }
            Int::Long => (*self.rng.pick(&["%ld", "%jd", "%24ld", "%-24ld|"]), cat!("(long)", value)),
            Int::ULong => (*self.rng.pick(&["%lu", "%#lx", "%zu", "%lo"]), cat!("(unsigned long)", value)),
            Int::LLong => (*self.rng.pick(&["%lld", "% lld", "%+lld"]), cat!("(long long)", value)),
            Int::ULLong => {
                (*self.rng.pick(&["%llu", "%llx", "%#llo", "%020llu"]), cat!("(unsigned long long)", value))
            }
        }
    }

    /// A length for a loop over all elements of a run.
    pub(super) fn times_of(len: &Len) -> u64 {
        match len {
            Len::Const(n) => *n as u64,
            Len::Var(_) => 9,
        }
    }
}
