//! Function definitions: plain, recursive, variadic, and tables of functions.

use super::types::{Int, Ty};
use super::{Func, Gen, Len, Param, Shape};
use crate::cat;
use crate::tree::Tree;

/// Work a function may do per call, so that calls from loops stay affordable.
const CALL_WORK: u64 = 3_000;

impl Gen {
    pub(super) fn function(&mut self) -> Tree {
        match self.rng.below(9) {
            0 => self.recursive_function(),
            1 => self.variadic_function(),
            2 if self.table.is_none() => self.function_table(),
            _ => self.plain_function(),
        }
    }

    /// Starts a function: fresh accounts, a scope for the parameters.
    fn enter(&mut self, pure_: bool) {
        self.times = 1;
        self.cost = 0;
        self.pure_ = pure_;
        self.scopes = vec![Vec::new()];
        self.depth = 0;
    }

    fn plain_function(&mut self) -> Tree {
        let pure_ = self.rng.one_in(2);
        self.enter(pure_);
        let name = self.fresh("fn");
        let params: Vec<Param> = (0..self.rng.range(1, 4)).map(|_| self.param()).collect();
        let mut declared = Vec::new();
        for param in &params {
            declared.push(self.param_declaration(param));
        }
        let ret = match self.rng.below(5) {
            0 if !pure_ => None,
            1 if !self.records.is_empty() => Some(Ty::Record(self.rng.below(self.records.len()))),
            _ => Some(Ty::Scalar(self.any_scalar())),
        };
        let head = match &ret {
            None => "void ".to_string(),
            Some(ty) => format!("{} ", self.type_name(ty)),
        };
        let count = self.rng.range(2, 5);
        self.cost = super::WORK - CALL_WORK;
        let body = self.open_block(count);
        let result = match &ret {
            None => Tree::from(""),
            Some(Ty::Scalar(scalar)) => cat!("return ", self.value_of(*scalar, 2), ";\n"),
            Some(ty) => self.return_record(ty),
        };
        self.scopes.pop();
        let cost = self.cost - (super::WORK - CALL_WORK) + 5;
        let inline = *self.rng.pick(&["", "inline ", "__attribute__((noinline)) "]);
        let tree =
            cat!("static ", inline, head, &name, "(", declared.join(", "), ")\n{\n", body, result, "}\n");
        self.funcs.push(Func { name, params, ret, pure_, cost });
        tree.optional()
    }

    fn return_record(&mut self, ty: &Ty) -> Tree {
        let name = self.fresh("r");
        let init = self.initialiser(ty, false);
        cat!(self.declarator(ty, &name), " = ", init, ";\nreturn ", name, ";\n")
    }

    fn param(&mut self) -> Param {
        match self.rng.below(6) {
            0 if !self.records.is_empty() => Param::Value(Ty::Record(self.rng.below(self.records.len()))),
            1 => Param::Run { elem: Ty::int(self.any_int()), writable: !self.pure_ && self.rng.one_in(2) },
            _ => Param::Value(Ty::Scalar(self.any_scalar())),
        }
    }

    /// The C text of a parameter, whose name is put in scope.
    fn param_declaration(&mut self, param: &Param) -> String {
        let name = self.fresh("a");
        match param {
            Param::Value(ty) => {
                self.declare(&name, Shape::Object(ty.clone()), true);
                self.declarator(ty, &name)
            }
            Param::Run { elem, writable } => {
                let len = self.fresh("n");
                self.declare(&len, Shape::Object(Ty::int(Int::UInt)), false);
                self.declare(&name, Shape::Run(elem.clone(), Len::Var(len.clone())), *writable);
                let qualifier = if *writable { "" } else { "const " };
                let array = if self.rng.one_in(2) { format!("{name}[]") } else { format!("*{name}") };
                format!("{qualifier}{}, unsigned {len}", self.declarator(elem, &array))
            }
            Param::Depth => {
                self.declare(&name, Shape::Object(Ty::int(Int::UInt)), false);
                format!("unsigned {name}")
            }
        }
    }

    /// A function that calls itself with one less until 0.
    fn recursive_function(&mut self) -> Tree {
        self.enter(true);
        let name = self.fresh("rec");
        let ty = self.any_int();
        let params = vec![Param::Depth, Param::Value(Ty::int(ty))];
        let declared: Vec<String> = params.iter().map(|p| self.param_declaration(p)).collect();
        let start = super::WORK - CALL_WORK / 40;
        self.cost = start;
        let twice = self.rng.one_in(3);
        let mut holes = vec![
            ("ty", Tree::from(ty.name())),
            ("f", Tree::from(&name)),
            ("params", declared.join(", ").into()),
            ("depth", Tree::from(&self.scopes[0][0].name)),
            ("value", Tree::from(&self.scopes[0][1].name)),
            ("base", self.expr_of(ty, 2)),
            ("next", self.expr_of(ty, 2)),
            ("other", self.expr_of(ty, 1)),
        ];
        self.scopes.pop();
        let again = if twice { Tree::fill(" ^ $f($depth / 3, $other)", &holes) } else { "".into() };
        holes.push(("again", again));
        let text = "static $ty $f($params)
            {
            if ($depth == 0)
            return $base;
            if ($depth > 9)
            return $value;
            return ($ty)($f($depth - 1, $next)$again);
            }
            ";
        let cost = (self.cost - start + 8) * if twice { 40 } else { 10 };
        self.funcs.push(Func { name, params, ret: Some(Ty::int(ty)), pure_: true, cost });
        Tree::fill(text, &holes).optional()
    }

    /// A variadic function that walks its arguments by a string of type letters.
    fn variadic_function(&mut self) -> Tree {
        let name = "walk".to_string();
        if self.funcs.iter().any(|f| f.name == name) {
            return self.plain_function();
        }
        // Known by its name: calls are built by `variadic_call`.
        self.funcs.push(Func { name, params: Vec::new(), ret: None, pure_: false, cost: 60 });
        Tree::from(WALK).optional()
    }

    /// Three to five functions of one type and a table of pointers to them.
    fn function_table(&mut self) -> Tree {
        let count = self.rng.range(3, 5);
        let mut items = Vec::new();
        let mut names = Vec::new();
        let mut most = 0;
        for _ in 0..count {
            self.enter(true);
            let name = self.fresh("op");
            self.declare("x", Shape::Object(Ty::int(Int::UInt)), true);
            self.declare("y", Shape::Object(Ty::int(Int::LLong)), true);
            self.cost = super::WORK - 100;
            let value = self.expr_of(Int::ULLong, 2);
            most = most.max(self.cost - (super::WORK - 100));
            self.scopes.pop();
            items.push(cat!(
                "static unsigned long long ",
                &name,
                "(unsigned x, long long y)\n{\nreturn ",
                value,
                ";\n}\n"
            ));
            names.push(name);
        }
        let table = self.fresh("table");
        items.push(cat!(
            "static unsigned long long (*const ",
            &table,
            "[])(unsigned, long long) = { ",
            names.join(", "),
            " };\n"
        ));
        self.table = Some((table, count, most + 8));
        Tree::Seq(items).optional()
    }
}

const WALK: &str = "static unsigned long long walk(const char *kinds, ...)
    {
    unsigned long long sum = 5;
    va_list ap, again;
    va_start(ap, kinds);
    va_copy(again, ap);
    for (; *kinds; kinds++) {
    sum = sum * 31 + 7;
    switch (*kinds) {
    case 'i':
    sum += (unsigned long long)va_arg(ap, int);
    break;
    case 'u':
    sum ^= va_arg(ap, unsigned);
    break;
    case 'l':
    sum += (unsigned long long)va_arg(ap, long);
    break;
    case 'w':
    sum ^= (unsigned long long)(va_arg(ap, unsigned __int128) >> 5);
    break;
    case 'd':
    sum += (unsigned long long)(long long)(va_arg(ap, double) * 16.0);
    break;
    case 's':
    sum += strlen(va_arg(ap, const char *));
    break;
    default:
    sum = ~sum;
    }
    }
    va_end(ap);
    if (sum % 2)
    sum += (unsigned long long)va_arg(again, int);
    va_end(again);
    return sum;
    }
    ";
