//! Objects: globals, locals, their initialisers, and printing them at the end.

use super::types::{Scalar, Ty};
use super::{Gen, Len, Shape, Var};
use crate::cat;
use crate::tree::Tree;

impl Gen {
    pub(super) fn global(&mut self) -> Tree {
        let name = self.fresh("g");
        let ty = if self.rng.one_in(3) {
            let elem = self.any_type(1);
            Ty::Array(Box::new(elem), self.rng.range(2, 9))
        } else {
            self.any_type(2)
        };
        let writable = !self.rng.one_in(8);
        let qualifiers = match (writable, self.rng.below(3)) {
            (false, _) => "static const ",
            (true, 0) => "",
            (true, 2) if matches!(ty, Ty::Scalar(_)) => "static volatile ",
            (true, _) => "static ",
        };
        let declared = if matches!(ty, Ty::Array(..)) && self.rng.one_in(6) {
            self.unsized_array(&ty, &name)
        } else {
            let init = self.initialiser(&ty, true);
            match self.rng.below(6) {
                0 => cat!(self.declarator(&ty, &name)),
                _ => cat!(self.declarator(&ty, &name), " = ", init),
            }
        };
        let shape = Shape::Object(ty);
        self.globals.push(Var { name, shape, writable });
        cat!(qualifiers, declared, ";\n").optional()
    }

    /// `T name[] = { … }` with the size counted from the list.
    fn unsized_array(&mut self, ty: &Ty, name: &str) -> Tree {
        let Ty::Array(elem, len) = ty else { unreachable!("called for arrays") };
        let declared = self.declarator(elem, &format!("{name}[]"));
        let mut items = Vec::new();
        for _ in 0..*len {
            items.push(cat!(self.initialiser(elem, true), ", "));
        }
        cat!(declared, " = { ", items, "}")
    }

    /// An initialiser; `constant` for static storage.
    pub(super) fn initialiser(&mut self, ty: &Ty, constant: bool) -> Tree {
        match ty {
            Ty::Scalar(scalar) => self.scalar_initialiser(*scalar, constant),
            Ty::Array(elem, len) => self.array_initialiser(elem, *len, constant),
            Ty::Record(index) => self.record_initialiser(*index, constant),
        }
    }

    fn scalar_initialiser(&mut self, scalar: Scalar, constant: bool) -> Tree {
        if constant {
            return self.constant_of(scalar);
        }
        let depth = self.rng.range(0, 1);
        self.value_of(scalar, depth)
    }

    /// An expression whose value can be stored in an object of this type.
    pub(super) fn value_of(&mut self, scalar: Scalar, depth: usize) -> Tree {
        match scalar {
            Scalar::Int(int) => self.expr_of(int, depth),
            Scalar::Enum(index, _) => {
                if self.rng.one_in(2) {
                    return self.constant_of(scalar);
                }
                let value = self.int_expr(depth);
                cat!("(enum ", &self.enums[index].name, ")(", value.tree, " & 7)").or("0")
            }
            Scalar::Float | Scalar::Double => self.bounded_float(scalar, depth),
        }
    }

    fn array_initialiser(&mut self, elem: &Ty, len: usize, constant: bool) -> Tree {
        let mut items = Vec::new();
        match self.rng.below(4) {
            // The rest is zero.
            0 => {
                for _ in 0..self.rng.range(1, len) {
                    items.push(cat!(self.initialiser(elem, constant), ", "));
                }
            }
            1 => {
                let at = self.rng.below(len);
                items.push(cat!(format!("[{at}] = "), self.initialiser(elem, constant), ", "));
                if at + 1 < len && self.rng.one_in(2) {
                    items.push(cat!(self.initialiser(elem, constant), ", "));
                }
            }
            2 if constant && len > 2 => {
                items.push(cat!(format!("[1 ... {}] = ", len - 1), self.initialiser(elem, constant), ", "));
            }
            _ => {
                for _ in 0..len {
                    items.push(cat!(self.initialiser(elem, constant), ", "));
                }
            }
        }
        cat!("{ ", items, "}").or("{ 0 }")
    }

    fn record_initialiser(&mut self, index: usize, constant: bool) -> Tree {
        let record = self.records[index].clone();
        let mut named: Vec<_> = record.fields.iter().filter(|f| !f.name.is_empty()).collect();
        let mut items = Vec::new();
        if record.union {
            let field = *self.rng.pick(&named);
            let value = self.full_initialiser(&field.ty, constant);
            return cat!("{ .", &field.name, " = ", value, " }").or("{ 0 }");
        }
        let designated = self.rng.one_in(2);
        if designated {
            let start = self.rng.below(named.len());
            named.rotate_left(start);
        }
        for field in named {
            if designated && self.rng.one_in(5) {
                continue;
            }
            let value = self.initialiser(&field.ty, constant);
            let head = if designated { format!(".{} = ", field.name) } else { String::new() };
            items.push(cat!(head, value, ", "));
        }
        if items.is_empty() {
            return "{ 0 }".into();
        }
        cat!("{ ", items, "}").or("{ 0 }")
    }

    /// An initialiser that names every element. GCC's optimiser reads elements left out of a constant
    /// union as zero even where others overlap them, so unions get nothing less.
    fn full_initialiser(&mut self, ty: &Ty, constant: bool) -> Tree {
        let Ty::Array(elem, len) = ty else { return self.initialiser(ty, constant) };
        let items: Vec<Tree> = (0..*len).map(|_| cat!(self.initialiser(elem, constant), ", ")).collect();
        cat!("{ ", items, "}")
    }

    /// A local variable with a value.
    pub(super) fn local(&mut self) -> Tree {
        let name = self.fresh("v");
        let ty = self.any_type(2);
        let init = match &ty {
            Ty::Record(_) if self.rng.one_in(3) => match self.record_value(&ty) {
                Some(value) => value,
                None => self.initialiser(&ty, false),
            },
            Ty::Scalar(scalar) => self.value_of(*scalar, 2),
            Ty::Array(..) | Ty::Record(_) => self.initialiser(&ty, false),
        };
        let static_ = !self.pure_ && self.rng.one_in(8);
        if static_ {
            let init = self.initialiser(&ty, true);
            self.declare(&name, Shape::Object(ty.clone()), true);
            return cat!("static ", self.declarator(&ty, &name), " = ", init, ";\n").optional();
        }
        let declared = match &ty {
            Ty::Scalar(Scalar::Int(int)) if self.rng.one_in(8) => {
                format!("__typeof__({}) {name}", int.one())
            }
            _ => self.declarator(&ty, &name),
        };
        self.declare(&name, Shape::Object(ty), true);
        cat!(declared, " = ", init, ";\n").optional()
    }

    /// A pointer to an element of an array in scope, sometimes with a pointer to itself.
    pub(super) fn pointer(&mut self) -> Option<Tree> {
        let runs: Vec<(Var, Ty, Len)> = self.variables(true).into_iter().filter_map(Var::run).collect();
        if runs.is_empty() {
            return None;
        }
        let (var, elem, len) = self.rng.pick(&runs).clone();
        // A pointer to an array would need parentheses; such elements are left to indexing.
        if matches!(elem, Ty::Array(..)) {
            return None;
        }
        let (name, index) = (self.fresh("p"), self.index(&len));
        let declared = self.declarator(&elem, &format!("*{name}"));
        let mut lines = vec![cat!(declared, " = &", &var.name, "[", index, "];\n")];
        let shape = Shape::Pointer { elem: elem.clone(), base: var.name.clone(), len: len.clone() };
        self.declare(&name, shape, true);
        if self.rng.one_in(3) {
            let double = self.fresh("q");
            lines.push(cat!(self.declarator(&elem, &format!("**{double}")), " = &", &name, ";\n"));
            self.declare(&double, Shape::Double { elem, base: var.name, len }, true);
        }
        Some(Tree::Seq(lines).optional())
    }

    /// Prints every global at the end of the program, elements of arrays through the checksum.
    pub(super) fn dump_globals(&mut self) -> Tree {
        let globals = self.globals.clone();
        let mut lines = Vec::new();
        for var in &globals {
            let Shape::Object(ty) = &var.shape else { continue };
            let mut leaves = Vec::new();
            self.leaves(&var.name, ty, &mut leaves);
            let printed = leaves.len() <= 4;
            for (tree, scalar) in leaves.into_iter().take(24) {
                let line = if printed {
                    self.show_scalar(&var.name, tree.into(), scalar)
                } else {
                    mix(tree.into(), scalar)
                };
                lines.push(line.optional());
            }
        }
        self.spend(lines.len() as u64 * 10);
        Tree::Seq(lines)
    }

    /// All scalars in an object. Of a union only the first member: the others are the same bytes.
    fn leaves(&self, path: &str, ty: &Ty, out: &mut Vec<(String, Scalar)>) {
        match ty {
            Ty::Scalar(scalar) => out.push((path.to_string(), *scalar)),
            Ty::Array(elem, len) => {
                (0..*len).for_each(|index| self.leaves(&format!("{path}[{index}]"), elem, out));
            }
            Ty::Record(index) => {
                let record = &self.records[*index];
                let fields = record.fields.iter().filter(|f| !f.name.is_empty());
                let count = if record.union { 1 } else { record.fields.len() };
                fields.take(count).for_each(|f| self.leaves(&format!("{path}.{}", f.name), &f.ty, out));
            }
        }
    }
}

/// Adds a value to the checksum.
pub(super) fn mix(value: Tree, scalar: Scalar) -> Tree {
    match scalar {
        Scalar::Float | Scalar::Double => cat!("mix_double(", value, ");\n"),
        Scalar::Int(int) if int.bits() == 128 => cat!("mix_wide((unsigned __int128)", value, ");\n"),
        Scalar::Int(_) | Scalar::Enum(..) => cat!("mix((unsigned long long)", value, ");\n"),
    }
}

impl Var {
    /// The variable as a run of elements, if it is one.
    pub(super) fn run(self) -> Option<(Var, Ty, Len)> {
        match self.shape.clone() {
            Shape::Object(Ty::Array(elem, len)) => Some((self, *elem, Len::Const(len))),
            Shape::Run(elem, len) => Some((self, elem, len)),
            Shape::Object(Ty::Scalar(_) | Ty::Record(_)) | Shape::Pointer { .. } | Shape::Double { .. } => {
                None
            }
        }
    }
}
