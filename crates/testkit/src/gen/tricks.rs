//! Short idioms of C, each a statement of its own: sequencing inside expressions, library calls on
//! arrays, bytes of objects, shadowing, unusual control flow.

use super::types::{Int, Scalar, Ty};
use super::{Gen, Len, Shape, Var};
use crate::cat;
use crate::tree::Tree;

impl Gen {
    pub(super) fn trick(&mut self) -> Option<Tree> {
        match self.rng.below(16) {
            0 => self.short_circuit(),
            1 => self.sequence(),
            2 => self.shadow(),
            3 => self.float_bits(),
            4 => self.sort(),
            5 => self.bytes_of_array(),
            6 => self.move_elements(),
            7 => self.literal_pointer(),
            8 => self.duff(),
            9 => self.function_pointer(),
            10 => self.walk_elements(),
            11 => self.string_block(),
            12 => self.heap_block(),
            13 => self.vla_block(),
            14 => self.list_block(),
            _ => self.variadic_call(),
        }
    }

    /// `&&` and `||` with an assignment on the right that may not happen.
    fn short_circuit(&mut self) -> Option<Tree> {
        let (name, result) = (self.fresh("t"), self.fresh("v"));
        let holes = [
            ("t", Tree::from(&name)),
            ("v", Tree::from(&result)),
            ("op", (*self.rng.pick(&["&&", "||"])).into()),
            ("condition", self.int_expr(2).tree),
            ("value", self.expr_of(Int::Long, 1)),
            ("test", self.literal().tree),
        ];
        self.declare(&name, Shape::Object(Ty::int(Int::Long)), true);
        self.declare(&result, Shape::Object(Ty::int(Int::Int)), true);
        let text = "long $t = 3;\nint $v = ($condition $op ($t = $value, $t > $test));\n";
        Some(Tree::fill(text, &holes).optional())
    }

    /// Side effects in one expression, with a sequence point between them.
    fn sequence(&mut self) -> Option<Tree> {
        let (a, b) = (self.fresh("v"), self.fresh("v"));
        let value = self.expr_of(Int::UInt, 1);
        let form = match self.rng.below(4) {
            0 => cat!(&b, " = (", &a, "++, ", &a, " *= 3, ", &a, " ^ 5);\n"),
            1 => cat!(&b, " = ", &a, " > 9 ? ", &a, "++ : ", &a, "--;\n"),
            2 => cat!(&b, " = ", &a, " += 2;\n"),
            _ => cat!("for (", &b, " = 0; ", &b, " < 5 && ", &a, "; ", &b, "++, ", &a, " >>= 3)\n;\n"),
        };
        self.declare(&a, Shape::Object(Ty::int(Int::UInt)), true);
        self.declare(&b, Shape::Object(Ty::int(Int::UShort)), true);
        Some(cat!("unsigned ", &a, " = ", value, ";\nunsigned short ", &b, " = 1;\n", form).optional())
    }

    /// An inner name hides an outer one.
    fn shadow(&mut self) -> Option<Tree> {
        if self.pure_ {
            return None;
        }
        self.spend(20);
        let holes = [("outer", self.expr_of(Int::Int, 1)), ("inner", self.expr_of(Int::UChar, 1))];
        let text = "{
            int x = $outer;
            {
            unsigned char y = (unsigned char)(x + 0U), x = $inner;
            for (short x = 0; x < 2; x++)
            mix((unsigned long long)x);
            mix(x + 0ULL + y);
            }
            mix((unsigned long long)x);
            }
            ";
        Some(Tree::fill(text, &holes).optional())
    }

    /// The bits of a floating value through `memcpy` and through a union.
    fn float_bits(&mut self) -> Option<Tree> {
        if self.pure_ {
            return None;
        }
        self.spend(20);
        let value = self.bounded_float(Scalar::Float, 2);
        let text = "{
            union { float f; unsigned bits; unsigned char bytes[4]; } view = { .f = $value };
            unsigned copy;
            memcpy(&copy, &view.f, sizeof copy);
            mix(view.bits ^ (copy << 1));
            mix(view.bytes[3]);
            }
            ";
        Some(Tree::fill(text, &[("value", value)]).optional())
    }

    fn sort(&mut self) -> Option<Tree> {
        if self.pure_ || self.times > 6 || !self.can_afford(6000) {
            return None;
        }
        self.spend(1200);
        let is_int_run = |(_, elem, _): &(Var, Ty, Len)| *elem == Ty::int(Int::Int);
        let ints: Vec<(Var, Ty, Len)> =
            self.variables(true).into_iter().filter_map(Var::run).filter(is_int_run).collect();
        if !ints.is_empty() && self.rng.one_in(2) {
            let (var, _, len) = self.rng.pick(&ints).clone();
            let holes = [("a", var.name.into()), ("n", len.text().into())];
            return Some(Tree::fill("qsort($a, $n, sizeof $a[0], by_value);\n", &holes).optional());
        }
        let holes = [
            ("items", Tree::from(self.fresh("items"))),
            ("n", self.rng.range(1, 12).to_string().into()),
            ("factor", self.rng.range(3, 200).to_string().into()),
        ];
        let text = "{
            struct item $items[$n];
            for (unsigned i = 0; i < $n; i++)
            $items[i] = (struct item){ (unsigned char)(i * i * $factor % 7u), i };
            qsort($items, $n, sizeof *$items, by_key);
            for (unsigned i = 0; i < $n; i++)
            mix($items[i].key * 256ULL + $items[i].order);
            }
            ";
        Some(Tree::fill(text, &holes).optional())
    }

    /// Arrays of integers, whose bytes are all significant.
    fn int_runs(&mut self, for_writing: bool) -> Vec<(Var, Int, usize)> {
        self.variables(for_writing)
            .into_iter()
            .filter_map(Var::run)
            .filter_map(|(var, elem, len)| match (elem, len) {
                (Ty::Scalar(Scalar::Int(int)), Len::Const(n)) if int != Int::Bool => Some((var, int, n)),
                _ => None,
            })
            .collect()
    }

    fn bytes_of_array(&mut self) -> Option<Tree> {
        let runs = self.int_runs(false);
        if self.pure_ || runs.is_empty() || !self.can_afford(800) {
            return None;
        }
        let (var, int, len) = self.rng.pick(&runs).clone();
        let bytes = len as u64 * u64::from(int.bits() / 8);
        self.spend(bytes * 6);
        Some(
            cat!(
                "for (unsigned k = 0; k < ",
                bytes.to_string(),
                "; k++)\nmix(((const unsigned char *)",
                &var.name,
                ")[k]);\n"
            )
            .optional(),
        )
    }

    /// `memmove`, `memcpy` and `memset` within the bounds of an array.
    fn move_elements(&mut self) -> Option<Tree> {
        let runs = self.int_runs(true);
        if runs.is_empty() || !self.can_afford(200) {
            return None;
        }
        let (var, _, len) = self.rng.pick(&runs).clone();
        self.spend(60);
        let name = &var.name;
        let count = self.rng.range(0, len);
        let (to, from) = (self.rng.below(len - count + 1), self.rng.below(len - count + 1));
        let bytes = format!("{count} * sizeof {name}[0]");
        Some(
            match self.rng.below(3) {
                0 => cat!("memmove(", name, format!(" + {to}, {name} + {from}, {bytes});\n")),
                1 => {
                    let value = self.int_expr(1).tree;
                    cat!("memset(", name, format!(" + {to}, "), "(int)", value, format!(", {bytes});\n"))
                }
                _ => {
                    let copy = self.fresh("copy");
                    let ty = format!("__typeof__({name}[0]) {copy}[{len}]");
                    cat!(
                        "{\n",
                        ty,
                        format!(";\nmemcpy({copy}, {name}, {len} * sizeof {name}[0]);\n"),
                        format!("{name}[{}] = {copy}[{}];\n}}\n", to.min(len - 1), len - 1)
                    )
                }
            }
            .optional(),
        )
    }

    /// A pointer to a compound literal.
    fn literal_pointer(&mut self) -> Option<Tree> {
        if self.records.is_empty() {
            return None;
        }
        let ty = Ty::Record(self.rng.below(self.records.len()));
        let (name, init) = (self.fresh("c"), self.initialiser(&ty, false));
        let declared = self.declarator(&ty, &format!("*{name}"));
        let shape = Shape::Pointer { elem: ty.clone(), base: name.clone(), len: Len::Const(1) };
        // Its own base: it points to one object and never moves.
        self.declare(&name, shape, false);
        Some(cat!(declared, " = &(", self.type_name(&ty), ")", init, ";\n").optional())
    }

    /// A loop entered in the middle through a `switch`.
    fn duff(&mut self) -> Option<Tree> {
        if self.pure_ || !self.can_afford(200) {
            return None;
        }
        self.spend(80);
        let holes = [("n", self.rng.range(1, 14).to_string().into()), ("value", self.expr_of(Int::UInt, 1))];
        let text = "{
            unsigned left = ($n + 3) / 4, x = $value;
            switch ($n % 4) {
            case 0:
            do {
            x = x * 3 + 1;
            case 3:
            x ^= 0x1234;
            case 2:
            x -= 77;
            case 1:
            x <<= 1;
            } while (--left > 0);
            }
            mix(x);
            }
            ";
        Some(Tree::fill(text, &holes).optional())
    }

    /// A function pointer chosen at run time.
    fn function_pointer(&mut self) -> Option<Tree> {
        let (table, count, cost) = self.table.clone()?;
        if self.pure_ || !self.can_afford(cost * 2) {
            return None;
        }
        self.spend(cost);
        let holes = [
            ("table", Tree::from(table)),
            ("condition", self.int_expr(1).tree),
            ("x", self.expr_of(Int::UInt, 1)),
            ("y", self.expr_of(Int::LLong, 1)),
            ("first", self.rng.below(count).to_string().into()),
            ("second", self.rng.below(count).to_string().into()),
        ];
        let text = "{
            unsigned long long (*f)(unsigned, long long) = $condition ? $table[$first] : *$table[$second];
            mix(f($x, $y));
            mix(f == $table[0]);
            }
            ";
        Some(Tree::fill(text, &holes).optional())
    }

    /// A pointer that walks an array from end to end.
    fn walk_elements(&mut self) -> Option<Tree> {
        let flat = |(_, elem, _): &(Var, Ty, Len)| !matches!(elem, Ty::Array(..));
        let runs: Vec<(Var, Ty, Len)> =
            self.variables(true).into_iter().filter_map(Var::run).filter(flat).collect();
        if runs.is_empty() {
            return None;
        }
        let (var, elem, len) = self.rng.pick(&runs).clone();
        let trips = Gen::times_of(&len);
        if !self.can_afford(trips * 40) {
            return None;
        }
        let name = self.fresh("p");
        self.times *= trips;
        self.scopes.push(Vec::new());
        let shape = Shape::Pointer { elem: elem.clone(), base: var.name.clone(), len: len.clone() };
        self.declare(&name, shape, false);
        let place = self.descend(format!("(*{name})").into(), &elem)?;
        let value = self.value_of(place.ty, 2);
        self.scopes.pop();
        self.times /= trips;
        let holes = [
            ("declared", self.declarator(&elem, &format!("*{name}")).into()),
            ("p", Tree::from(&name)),
            ("a", Tree::from(&var.name)),
            ("n", len.text().into()),
            ("body", cat!(place.tree, " = ", value, ";\n").optional()),
        ];
        Some(Tree::fill("for ($declared = $a; $p != $a + $n; $p++) {\n$body}\n", &holes).optional())
    }
}
