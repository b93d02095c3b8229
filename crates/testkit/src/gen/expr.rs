//! Integer expressions without side effects.
//!
//! An expression knows its C type, computed by the language's rules, so that each operator can be put
//! in a form that is defined for all operand values.

use super::types::{INTS, Int, Scalar, Ty};
use super::{Expr, Gen, Len, Place, Shape, Var};
use crate::cat;
use crate::tree::Tree;

impl Expr {
    fn new(parts: Vec<Tree>, ty: Int, operands: &[usize]) -> Expr {
        Expr { tree: Tree::operation(parts, ty.one(), ty.name(), operands), ty }
    }

    /// The value converted to another type.
    pub(super) fn cast(self, ty: Int) -> Expr {
        Expr { tree: cat!("((", ty.name(), ")", self.tree, ")"), ty }
    }
}

/// `((a …) op (b …))`: both operands reduced to a range in which the operator cannot overflow.
fn bounded(a: Expr, b: Expr, ty: Int, (left, op, right): (&str, &str, &str)) -> Expr {
    let parts = vec!["((".into(), a.tree, cat!(left, op, "("), b.tree, cat!(right, ")")];
    Expr::new(parts, ty, &[1, 3])
}

impl Gen {
    /// An expression of some integer type.
    pub(super) fn int_expr(&mut self, depth: usize) -> Expr {
        self.spend(1);
        if depth == 0 {
            return self.leaf();
        }
        match self.rng.weighted(&[6, 12, 7, 6, 8, 6, 5, 4, 5, 4, 3, 3, 3, 3]) {
            0 => self.leaf(),
            1 => self.arithmetic(depth),
            2 => self.bitwise(depth),
            3 => self.shift(depth),
            4 => self.comparison(depth),
            5 => self.logical(depth),
            6 => self.division(depth),
            7 => self.unary(depth),
            8 => self.conditional(depth),
            9 => self.cast_expr(depth),
            10 => self.builtin(depth),
            11 => self.statement_expression(depth),
            12 => self.float_to_int(depth),
            _ => self.call_or_other(depth),
        }
    }

    /// An expression converted to the type (explicitly or not, which must make no difference).
    pub(super) fn expr_of(&mut self, ty: Int, depth: usize) -> Tree {
        let expr = self.int_expr(depth);
        if self.rng.one_in(2) { expr.cast(ty).tree } else { expr.tree }
    }

    fn leaf(&mut self) -> Expr {
        if self.rng.one_in(4) {
            return self.literal();
        }
        match self.read_place() {
            Some(expr) => expr,
            None => self.literal(),
        }
    }

    /// The value of some integer object in scope.
    fn read_place(&mut self) -> Option<Expr> {
        for _ in 0..4 {
            if let Some(place) = self.place(false)
                && let Some(expr) = self.read(&place)
            {
                return Some(expr);
            }
        }
        None
    }

    /// The value of an integer lvalue. A bit-field of a type wider than `int` is converted to that type,
    /// since compilers differ in the type such a field has; a narrow one is promoted.
    pub(super) fn read(&mut self, place: &Place) -> Option<Expr> {
        let ty = place.ty.int()?;
        let Some(bits) = place.bits else { return Some(Expr { tree: place.tree.clone(), ty }) };
        if ty.bits() > 32 {
            return Some(Expr { tree: place.tree.clone(), ty }.cast(ty));
        }
        let promoted = if bits == 32 && !ty.signed() { Int::UInt } else { Int::Int };
        Some(Expr { tree: place.tree.clone(), ty: promoted })
    }

    /// An index below `len`.
    pub(super) fn index(&mut self, len: &Len) -> Tree {
        match len {
            Len::Const(n) if self.rng.one_in(2) => self.rng.below(*n).to_string().into(),
            _ => {
                let expr = self.small_expr();
                let ty = if self.rng.one_in(3) { "unsigned long" } else { "unsigned" };
                cat!("(", ty, ")", expr, " % ", len.text()).or("0")
            }
        }
    }

    /// A variable or a literal, for use inside indices and conditions.
    pub(super) fn small_expr(&mut self) -> Tree {
        let scalars: Vec<Var> = self.variables(false).into_iter().filter(Var::is_int).collect();
        if scalars.is_empty() || self.rng.one_in(5) {
            return self.literal().tree;
        }
        self.rng.pick(&scalars).name.clone().into()
    }

    /// Names in scope, innermost first.
    pub(super) fn variables(&self, for_writing: bool) -> Vec<Var> {
        let locals = self.scopes.iter().rev().flatten();
        let globals = self.globals.iter().filter(|_| !(for_writing && self.pure_));
        locals.chain(globals).filter(|v| v.writable || !for_writing).cloned().collect()
    }

    /// A scalar lvalue somewhere in an object in scope.
    pub(super) fn place(&mut self, for_writing: bool) -> Option<Place> {
        let vars = self.variables(for_writing);
        if vars.is_empty() {
            return None;
        }
        // Inner names first, or globals would crowd them out.
        let span = if self.rng.one_in(3) { vars.len() } else { vars.len().min(6) };
        let var = vars[self.rng.below(span)].clone();
        let (tree, ty) = self.element(&var);
        self.descend(tree, &ty)
    }

    /// An element of a variable: the object itself, or what a pointer or index selects.
    pub(super) fn element(&mut self, var: &Var) -> (Tree, Ty) {
        match &var.shape {
            Shape::Object(ty) => (var.name.clone().into(), ty.clone()),
            Shape::Run(elem, len) => {
                let index = self.index(len);
                let tree = if self.rng.one_in(3) {
                    cat!("(*(", &var.name, " + ", index, "))")
                } else {
                    cat!(&var.name, "[", index, "]")
                };
                (tree, elem.clone())
            }
            Shape::Pointer { elem, .. } => {
                let form =
                    if self.rng.one_in(2) { format!("(*{})", var.name) } else { format!("{}[0]", var.name) };
                (form.into(), elem.clone())
            }
            Shape::Double { elem, .. } => (format!("(*(*{}))", var.name).into(), elem.clone()),
        }
    }

    /// Goes down into arrays and records until a scalar is reached.
    pub(super) fn descend(&mut self, tree: Tree, ty: &Ty) -> Option<Place> {
        match ty {
            Ty::Scalar(scalar) => Some(Place { tree, ty: *scalar, bits: None }),
            Ty::Array(elem, len) => {
                let index = self.index(&Len::Const(*len));
                self.descend(cat!(tree, "[", index, "]"), elem)
            }
            Ty::Record(index) => {
                let named: Vec<_> =
                    self.records[*index].fields.iter().filter(|f| !f.name.is_empty()).cloned().collect();
                let field = self.rng.pick(&named).clone();
                let object = match &tree {
                    Tree::Text(text) if text.starts_with("(*") && self.rng.one_in(2) => {
                        cat!(&text[2..text.len() - 1], "->")
                    }
                    Tree::Text(_) | Tree::Seq(_) | Tree::Alt(_) => cat!(tree, "."),
                };
                let place = self.descend(cat!(object, &field.name), &field.ty)?;
                Some(Place { bits: field.bits.or(place.bits), ..place })
            }
        }
    }

    fn operands(&mut self, depth: usize) -> (Expr, Expr) {
        (self.int_expr(depth - 1), self.int_expr(depth - 1))
    }

    /// `+ - *`, in a form that cannot overflow.
    fn arithmetic(&mut self, depth: usize) -> Expr {
        let (a, b) = self.operands(depth);
        let op = *self.rng.pick(&[" + ", " - ", " * "]);
        let common = a.ty.common(b.ty);
        if !common.signed() {
            return Expr::new(vec!["(".into(), a.tree, op.into(), b.tree, ")".into()], common, &[1, 3]);
        }
        match self.rng.below(5) {
            0 => {
                let bounds = [" % 1000)", " % 30000)"];
                let (left, right) = (*self.rng.pick(&bounds), *self.rng.pick(&bounds));
                bounded(a, b, common, (left, op, right))
            }
            1 if common == Int::Int => self.helper("add_int", a, b, common),
            1 if common == Int::Long => self.helper("mul_long", a, b, common),
            1 if common == Int::LLong => self.helper("sub_llong", a, b, common),
            2 if common == Int::Int && op != " * " => {
                let bounds = [" & 0xff)", " & 0x7fff)", " >> 17)"];
                let (left, right) = (*self.rng.pick(&bounds), *self.rng.pick(&bounds));
                bounded(a, b, common, (left, op, right))
            }
            2 => bounded(a, b, common, (" & 0x7fff)", op, " & 0xfff)")),
            _ => {
                let wrap = common.unsigned().name();
                let head = cat!("((", common.name(), ")((", wrap, ")");
                let parts = vec![head, a.tree, cat!(op, "(", wrap, ")"), b.tree, "))".into()];
                Expr::new(parts, common, &[1, 3])
            }
        }
    }

    fn helper(&mut self, name: &str, a: Expr, b: Expr, ty: Int) -> Expr {
        self.spend(6);
        Expr::new(vec![cat!(name, "("), a.tree, ", ".into(), b.tree, ")".into()], ty, &[1, 3])
    }

    fn bitwise(&mut self, depth: usize) -> Expr {
        let (a, b) = self.operands(depth);
        let op = *self.rng.pick(&[" & ", " | ", " ^ "]);
        let ty = a.ty.common(b.ty);
        Expr::new(vec!["(".into(), a.tree, op.into(), b.tree, ")".into()], ty, &[1, 3])
    }

    fn shift(&mut self, depth: usize) -> Expr {
        let (a, count) = self.operands(depth);
        let ty = a.ty.promoted();
        let mask = ty.bits() - 1;
        if self.rng.one_in(2) {
            let parts = vec!["(".into(), a.tree, " >> (".into(), count.tree, format!(" & {mask}))").into()];
            return Expr::new(parts, ty, &[1]);
        }
        if ty.signed() && self.rng.one_in(3) {
            let parts = vec!["((".into(), a.tree, " & 0xff) << (".into(), count.tree, " & 15))".into()];
            return Expr::new(parts, ty, &[1]);
        }
        let ty = ty.unsigned();
        let parts = vec![
            cat!("((", ty.name(), ")"),
            a.tree,
            " << (".into(),
            count.tree,
            format!(" & {mask}))").into(),
        ];
        Expr::new(parts, ty, &[1])
    }

    fn comparison(&mut self, depth: usize) -> Expr {
        let op = *self.rng.pick(&[" < ", " > ", " <= ", " >= ", " == ", " != "]);
        if self.rng.one_in(6) {
            let (a, b) = (self.float_expr(depth - 1), self.float_expr(depth - 1));
            return Expr::new(vec![cat!("(", a, op, b, ")")], Int::Int, &[]);
        }
        if self.rng.one_in(5)
            && let Some(expr) = self.pointer_comparison(op)
        {
            return expr;
        }
        let (a, b) = self.operands(depth);
        Expr::new(vec!["(".into(), a.tree, op.into(), b.tree, ")".into()], Int::Int, &[1, 3])
    }

    /// Compares or subtracts pointers into one array.
    fn pointer_comparison(&mut self, op: &str) -> Option<Expr> {
        let pointers: Vec<Var> =
            self.variables(false).into_iter().filter(|v| matches!(v.shape, Shape::Pointer { .. })).collect();
        if pointers.is_empty() {
            return None;
        }
        let var = self.rng.pick(&pointers).clone();
        let Shape::Pointer { base, len, .. } = &var.shape else { return None };
        let index = self.index(len);
        if self.rng.one_in(2) {
            return Some(Expr::new(vec![cat!("(", &var.name, " - ", base, ")")], Int::Long, &[]));
        }
        let other =
            if self.rng.one_in(3) { cat!(base, " + ", len.text()) } else { cat!("&", base, "[", index, "]") };
        Some(Expr::new(vec![cat!("(", &var.name, op, other, ")")], Int::Int, &[]))
    }

    fn logical(&mut self, depth: usize) -> Expr {
        let (a, b) = self.operands(depth);
        match self.rng.below(5) {
            0 => Expr::new(vec!["(!".into(), a.tree, ")".into()], Int::Int, &[1]),
            1 => Expr::new(vec!["(!!".into(), a.tree, ")".into()], Int::Int, &[1]),
            2 | 3 => {
                Expr::new(vec!["(".into(), a.tree, " && ".into(), b.tree, ")".into()], Int::Int, &[1, 3])
            }
            _ => Expr::new(vec!["(".into(), a.tree, " || ".into(), b.tree, ")".into()], Int::Int, &[1, 3]),
        }
    }

    fn division(&mut self, depth: usize) -> Expr {
        let (a, b) = self.operands(depth);
        let op = *self.rng.pick(&[" / ", " % "]);
        let common = a.ty.common(b.ty);
        if self.rng.one_in(3) {
            // A divisor from 1 to 128 needs no test.
            let parts = vec!["(".into(), a.tree, cat!(op, "(("), b.tree, " & 0x7f) + 1))".into()];
            return Expr::new(parts, common, &[1, 3]);
        }
        let name = self.fresh("d");
        let test =
            if common.signed() { format!("{name} == 0 || {name} == -1") } else { format!("{name} == 0") };
        let parts = vec![
            cat!("({ ", common.name(), " ", &name, " = "),
            b.tree,
            cat!("; ", test, " ? (", common.name(), ")3 : "),
            a.tree,
            cat!(op, name, "; })"),
        ];
        Expr::new(parts, common, &[1, 3])
    }

    fn unary(&mut self, depth: usize) -> Expr {
        let a = self.int_expr(depth - 1);
        let ty = a.ty.promoted();
        match self.rng.below(4) {
            0 => Expr::new(vec!["(~".into(), a.tree, ")".into()], ty, &[1]),
            1 => Expr::new(vec!["(+".into(), a.tree, ")".into()], ty, &[1]),
            2 if a.ty.bits() < 32 || !ty.signed() => {
                Expr::new(vec!["(-".into(), a.tree, ")".into()], ty, &[1])
            }
            _ => {
                let wrap = ty.unsigned().name();
                Expr::new(vec![cat!("((", ty.name(), ")-(", wrap, ")"), a.tree, ")".into()], ty, &[1])
            }
        }
    }

    fn conditional(&mut self, depth: usize) -> Expr {
        let condition = self.int_expr(depth - 1);
        let (a, b) = self.operands(depth);
        let ty = a.ty.common(b.ty);
        if self.rng.one_in(8) {
            let ty = condition.ty.common(b.ty);
            let parts = vec!["(".into(), condition.tree, " ?: ".into(), b.tree, ")".into()];
            return Expr::new(parts, ty, &[1, 3]);
        }
        let parts = vec!["(".into(), condition.tree, " ? ".into(), a.tree, " : ".into(), b.tree, ")".into()];
        Expr::new(parts, ty, &[3, 5])
    }

    fn cast_expr(&mut self, depth: usize) -> Expr {
        let a = self.int_expr(depth - 1);
        let ty = *self.rng.pick(&INTS);
        match self.rng.below(5) {
            0 => {
                let b = self.int_expr(depth - 1);
                Expr::new(vec!["((void)".into(), b.tree, ", ".into(), a.tree, ")".into()], a.ty, &[3])
            }
            1 if a.ty.bits() >= 32 => {
                Expr::new(vec!["(int)TYPE_OF(+".into(), a.tree, ")".into()], Int::Int, &[])
            }
            2 => Expr::new(vec!["sizeof(".into(), cat!("+", a.tree), ")".into()], Int::ULong, &[]),
            _ => Expr::new(vec![cat!("((", ty.name(), ")"), a.tree, ")".into()], ty, &[1]),
        }
    }

    /// GCC's arithmetic builtins.
    fn builtin(&mut self, depth: usize) -> Expr {
        let a = self.int_expr(depth - 1).tree;
        let (head, tail, ty) = match self.rng.below(10) {
            0 => ("__builtin_popcount((unsigned)", ")", Int::Int),
            1 => ("__builtin_popcountll((unsigned long long)", ")", Int::Int),
            2 => ("__builtin_clz((unsigned)", " | 1u)", Int::Int),
            3 => ("__builtin_ctzll((unsigned long long)", " | 0x100000000ULL)", Int::Int),
            4 => ("__builtin_bswap32((unsigned)", ")", Int::UInt),
            5 => ("__builtin_bswap64((unsigned long)", ")", Int::ULong),
            6 => ("__builtin_bswap16((unsigned short)", ")", Int::UShort),
            7 => ("__builtin_expect((long)", ", 1)", Int::Long),
            8 => ("__builtin_parity((unsigned)", ")", Int::Int),
            _ => ("__builtin_ffsll((long long)", ")", Int::Int),
        };
        Expr::new(vec![head.into(), a, tail.into()], ty, &[])
    }

    /// `({ … })` over a variable of its own, and the overflow builtins.
    fn statement_expression(&mut self, depth: usize) -> Expr {
        let (a, b) = self.operands(depth);
        let name = self.fresh("t");
        if self.rng.one_in(2) {
            let ty = *self.rng.pick(&[Int::Int, Int::UInt, Int::Short, Int::Long, Int::UChar, Int::ULLong]);
            let op = *self.rng.pick(&["add", "sub", "mul"]);
            let parts = vec![
                cat!("({ ", ty.name(), " ", &name, "; (", ty.name(), ")(__builtin_", op, "_overflow("),
                a.tree,
                ", ".into(),
                b.tree,
                cat!(", &", &name, ") ? ~", &name, " : ", &name, "); })"),
            ];
            return Expr::new(parts, ty, &[1, 3]);
        }
        let ty = *self.rng.pick(&[Int::UInt, Int::ULong, Int::UShort, Int::ULLong, Int::UChar, Int::U128]);
        let declared = if self.rng.one_in(3) { "__auto_type" } else { ty.name() };
        let step = *self.rng.pick(&["++", "--", " *= 3", " ^= 0x55", " <<= 2", " >>= 1", " += 7"]);
        let parts = vec![
            cat!("({ ", declared, " ", &name, " = (", ty.name(), ")"),
            a.tree,
            cat!("; ", &name, step, "; (", ty.name(), ")(", &name, " ^ "),
            b.tree,
            "); })".into(),
        ];
        Expr::new(parts, ty, &[1, 3])
    }

    fn call_or_other(&mut self, depth: usize) -> Expr {
        match self.rng.below(4) {
            0 => self.compound_literal_element(depth),
            1 if self.table.is_some() => self.table_call(depth),
            _ => self.pure_call(depth).unwrap_or_else(|| self.literal()),
        }
    }

    /// An element of an array written on the spot.
    fn compound_literal_element(&mut self, depth: usize) -> Expr {
        let ty = *self.rng.pick(&INTS);
        let (a, b) = self.operands(depth);
        let index = self.index(&Len::Const(3));
        let c = self.literal();
        let parts = vec![
            cat!("((", ty.name(), "[]){ "),
            a.tree,
            ", ".into(),
            b.tree,
            cat!(", ", c.tree, " }[", index, "])"),
        ];
        Expr::new(parts, ty, &[1, 3])
    }
}

impl Var {
    pub(super) fn is_int(&self) -> bool {
        matches!(&self.shape, Shape::Object(Ty::Scalar(Scalar::Int(_) | Scalar::Enum(..))))
    }
}
