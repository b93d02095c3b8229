//! Calls: in expressions only of functions that change nothing; of the others as statements.

use super::types::{Int, Scalar, Ty};
use super::{Expr, Func, Gen, Param};
use crate::cat;
use crate::tree::Tree;

impl Gen {
    /// A call of a function without side effects, if there is one that returns an integer.
    pub(super) fn pure_call(&mut self, depth: usize) -> Option<Expr> {
        let candidates: Vec<Func> = self
            .funcs
            .iter()
            .filter(|f| {
                f.pure_ && matches!(f.ret, Some(Ty::Scalar(Scalar::Int(_)))) && self.can_afford(f.cost * 2)
            })
            .cloned()
            .collect();
        if candidates.is_empty() {
            return None;
        }
        let func = self.rng.pick(&candidates).clone();
        let Some(Ty::Scalar(Scalar::Int(ty))) = func.ret else { return None };
        let call = self.call(&func, depth - 1)?;
        Some(Expr { tree: call.or(ty.one()), ty })
    }

    /// The call with arguments.
    pub(super) fn call(&mut self, func: &Func, depth: usize) -> Option<Tree> {
        self.spend(func.cost);
        self.call_nesting += 1;
        let args: Option<Vec<Tree>> = func
            .params
            .iter()
            .enumerate()
            .map(|(index, param)| {
                let arg = self.argument(param, depth)?;
                Some(if index > 0 { cat!(", ", arg) } else { arg })
            })
            .collect();
        self.call_nesting -= 1;
        Some(cat!(&func.name, "(", args?, ")"))
    }

    fn argument(&mut self, param: &Param, depth: usize) -> Option<Tree> {
        match param {
            Param::Value(Ty::Scalar(scalar)) => Some(self.value_of(*scalar, depth.min(1))),
            Param::Value(ty) => self.record_value(ty),
            Param::Depth => Some(self.rng.range(0, 9).to_string().into()),
            Param::Run { elem, writable } => Some(self.run_argument(elem, *writable)),
        }
    }

    /// An array in scope of the element type and its length, or an array made on the spot.
    fn run_argument(&mut self, elem: &Ty, writable: bool) -> Tree {
        let runs: Vec<_> = self
            .variables(writable)
            .into_iter()
            .filter_map(super::Var::run)
            .filter(|(_, e, _)| e == elem)
            .collect();
        if runs.is_empty() || self.rng.one_in(6) {
            let array = Ty::Array(Box::new(elem.clone()), 3);
            let init = self.initialiser(&array, false);
            return cat!("(", self.type_name(&array), ")", init, ", 3u");
        }
        let (var, _, len) = self.rng.pick(&runs).clone();
        cat!(var.name, ", ", len.text())
    }

    /// A record of the type: a variable's, or a compound literal.
    pub(super) fn record_value(&mut self, ty: &Ty) -> Option<Tree> {
        let objects = self.objects_of(ty, false);
        if !objects.is_empty() && !self.rng.one_in(4) {
            return Some(self.rng.pick(&objects).clone());
        }
        let makers: Vec<Func> = self
            .funcs
            .iter()
            .filter(|f| f.pure_ && f.ret.as_ref() == Some(ty) && self.can_afford(f.cost * 4))
            .cloned()
            .collect();
        if !makers.is_empty() && self.rng.one_in(2) && self.call_nesting < 2 {
            let func = self.rng.pick(&makers).clone();
            return self.call(&func, 0);
        }
        let literal = self.initialiser(ty, false);
        Some(cat!("(", self.type_name(ty), ")", literal))
    }

    /// Objects in scope whose type is exactly this.
    pub(super) fn objects_of(&mut self, ty: &Ty, for_writing: bool) -> Vec<Tree> {
        let mut found = Vec::new();
        for var in self.variables(for_writing) {
            let (tree, have) = self.element(&var);
            if &have == ty {
                found.push(tree);
            } else if let Ty::Array(elem, len) = &have
                && **elem == *ty
            {
                let index = self.index(&super::Len::Const(*len));
                found.push(cat!(tree, "[", index, "]"));
            }
        }
        found
    }

    /// A call through the table of functions.
    pub(super) fn table_call(&mut self, depth: usize) -> Expr {
        let (table, count, cost) = self.table.clone().expect("only called if there is a table");
        if !self.can_afford(cost) {
            return self.literal();
        }
        self.spend(cost);
        let index = self.index(&super::Len::Const(count));
        let (x, y) = (self.expr_of(Int::UInt, depth - 1), self.expr_of(Int::LLong, depth - 1));
        let ty = Int::ULLong;
        let star = if self.rng.one_in(3) { ("(*", ")") } else { ("", "") };
        let parts = vec![cat!(star.0, &table, "[", index, "]", star.1, "("), x, ", ".into(), y, ")".into()];
        Expr { tree: Tree::operation(parts, ty.one(), ty.name(), &[1, 3]), ty }
    }

    /// A call for its effects; a result goes to a fresh local, so that nothing is unsequenced with it.
    pub(super) fn effect_call(&mut self) -> Option<Tree> {
        if self.pure_ {
            return None;
        }
        let candidates: Vec<Func> =
            self.funcs.iter().filter(|f| f.name != "walk" && self.can_afford(f.cost)).cloned().collect();
        if candidates.is_empty() {
            return None;
        }
        let func = self.rng.pick(&candidates).clone();
        let call = self.call(&func, 1)?;
        let Some(ret) = func.ret else { return Some(cat!(call, ";\n").optional()) };
        let name = self.fresh("v");
        let declared = self.declarator(&ret, &name);
        self.declare(&name, super::Shape::Object(ret), true);
        Some(cat!(declared, " = ", call, ";\n").optional())
    }

    /// A call of the variadic function; each letter stands for an argument of its type.
    pub(super) fn variadic_call(&mut self) -> Option<Tree> {
        if self.pure_ || !self.funcs.iter().any(|f| f.name == "walk") || !self.can_afford(200) {
            return None;
        }
        self.spend(100);
        // The first is an `int`, which the function may read a second time.
        let mut letters = String::from("i");
        let mut args = vec![cat!(", (int)", self.int_expr(1).tree)];
        for _ in 0..self.rng.range(0, 11) {
            let (letter, arg) = match self.rng.below(8) {
                0 => ('i', cat!("(short)", self.int_expr(1).tree)),
                1 => ('u', cat!("(unsigned)", self.int_expr(1).tree)),
                2 => ('l', cat!("(long)", self.int_expr(1).tree)),
                3 => ('w', cat!("(unsigned __int128)", self.int_expr(1).tree)),
                4 => ('d', cat!("clamp(", self.float_expr(1), ", -1e6, 1e6)")),
                5 => ('d', cat!("(float)clamp(", self.float_expr(1), ", -1e3, 1e3)")),
                6 => ('s', self.string_literal()),
                _ => ('i', cat!("(_Bool)", self.int_expr(0).tree)),
            };
            letters.push(letter);
            args.push(cat!(", ", arg));
        }
        Some(cat!("mix(walk(\"", letters, "\"", args, "));\n").optional())
    }
}
