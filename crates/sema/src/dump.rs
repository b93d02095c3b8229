//! The typed tree as compact text, for tests: `(Int:long (ld x))`.

use crate::hir::{
    BinaryOp, Callee, EntityKind, Expr, ExprKind, Function, Init, InitItem, LocalId, Stmt, StmtKind, Unit,
};
use crate::types::{BitField, QualType, Types};
use braid_base::Idx;
use std::fmt::Write as _;

pub(crate) struct Dump<'d> {
    pub types: &'d Types,
    pub unit: &'d Unit,
    pub function: Option<&'d Function>,
}

/// The body of the named function.
pub(crate) fn dump_function(types: &Types, unit: &Unit, name: &str) -> String {
    let function = unit.entities.iter().find_map(|e| match &e.kind {
        EntityKind::Function(f) | EntityKind::InlineFunction(f) if e.name.as_str() == name => Some(f),
        _ => None,
    });
    let Some(function) = function else { return format!("no function {name}") };
    let dump = Dump { types, unit, function: Some(function) };
    let mut out = String::new();
    dump.stmt(&function.body, 0, &mut out);
    out
}

/// All entities with their kinds, types and initial contents.
pub(crate) fn dump_entities(types: &Types, unit: &Unit) -> String {
    let mut out = String::new();
    for (id, entity) in unit.entities.enumerated() {
        let name = if entity.name.as_str().is_empty() { format!("{id}") } else { entity.name.to_string() };
        let used = if entity.used { "" } else { " unused" };
        let _ = write!(out, "{name}: {:?} {}{used}", entity.linkage, types.show(entity.ty));
        match &entity.kind {
            EntityKind::Undefined => out.push_str(" undefined"),
            EntityKind::Function(_) => out.push_str(" function"),
            EntityKind::InlineFunction(_) => out.push_str(" inline"),
            EntityKind::Tentative => out.push_str(" tentative"),
            EntityKind::Variable(init) => {
                let _ = write!(out, " size={}", init.size);
                for (at, bytes) in &init.data {
                    let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
                    let _ = write!(out, " @{at}:{hex}");
                }
                for reloc in &init.relocs {
                    let target = &unit.entities[reloc.target];
                    let target = if target.name.as_str().is_empty() {
                        reloc.target.to_string()
                    } else {
                        target.name.to_string()
                    };
                    let _ = write!(out, " @{}:&{target}+{}", reloc.offset, reloc.addend);
                }
            }
        }
        out.push('\n');
    }
    out
}

impl Dump<'_> {
    fn local(&self, id: LocalId) -> String {
        match self.function.and_then(|f| f.locals.get(id)).and_then(|l| l.name) {
            Some(name) => name.to_string(),
            None => format!("l{}", id.index()),
        }
    }

    fn entity(&self, id: crate::hir::EntityId) -> String {
        let name = self.unit.entities[id].name;
        if name.as_str().is_empty() { id.to_string() } else { name.to_string() }
    }

    fn ty(&self, qt: QualType) -> String {
        self.types.show(qt)
    }

    pub fn stmt(&self, stmt: &Stmt, depth: usize, out: &mut String) {
        let pad = "  ".repeat(depth);
        let mut line = |text: String| {
            let _ = writeln!(out, "{pad}{text}");
        };
        match &stmt.kind {
            StmtKind::Empty => line("empty".to_owned()),
            StmtKind::Expr(e) => line(self.expr(e)),
            StmtKind::Block { locals, stmts } => {
                let names: Vec<String> = locals.iter().map(|l| self.local(*l)).collect();
                line(format!("{{{}", names.join(" ")));
                for stmt in stmts {
                    self.stmt(stmt, depth + 1, out);
                }
                let _ = writeln!(out, "{pad}}}");
            }
            StmtKind::Decl { local, init } => {
                let init = init.as_ref().map_or(String::new(), |init| format!(" = {}", self.init(init)));
                let ty = self.function.map_or(String::new(), |f| self.ty(f.locals[*local].ty));
                line(format!("decl {}: {ty}{init}", self.local(*local)));
            }
            StmtKind::If { cond, then, other } => {
                line(format!("if {}", self.expr(cond)));
                self.stmt(then, depth + 1, out);
                if let Some(other) = other {
                    let _ = writeln!(out, "{pad}else");
                    self.stmt(other, depth + 1, out);
                }
            }
            StmtKind::While { cond, body } => {
                line(format!("while {}", self.expr(cond)));
                self.stmt(body, depth + 1, out);
            }
            StmtKind::DoWhile { body, cond } => {
                line(format!("do-while {}", self.expr(cond)));
                self.stmt(body, depth + 1, out);
            }
            StmtKind::For { cond, step, body } => {
                let part = |e: &Option<Expr>| e.as_ref().map_or("-".to_owned(), |e| self.expr(e));
                line(format!("for {} ; {}", part(cond), part(step)));
                self.stmt(body, depth + 1, out);
            }
            StmtKind::Switch { cond, body, cases, has_default } => {
                let cases: Vec<String> = cases.iter().map(|c| format!("{}..{}", c.first, c.last)).collect();
                let default = if *has_default { " default" } else { "" };
                line(format!("switch {} [{}]{default}", self.expr(cond), cases.join(" ")));
                self.stmt(body, depth + 1, out);
            }
            StmtKind::Case { index, body } => {
                line(format!("case {index}"));
                self.stmt(body, depth + 1, out);
            }
            StmtKind::Default { body } => {
                line("default".to_owned());
                self.stmt(body, depth + 1, out);
            }
            StmtKind::Label { label, body } => {
                line(format!("{label}:"));
                self.stmt(body, depth + 1, out);
            }
            StmtKind::Goto(label) => line(format!("goto {label}")),
            StmtKind::Break => line("break".to_owned()),
            StmtKind::Continue => line("continue".to_owned()),
            StmtKind::Return(None) => line("return".to_owned()),
            StmtKind::Return(Some(e)) => line(format!("return {}", self.expr(e))),
            StmtKind::Barrier => line("barrier".to_owned()),
            StmtKind::Unsupported(what) => line(format!("unsupported {what}")),
        }
    }

    fn init(&self, init: &Init) -> String {
        match init {
            Init::Expr(e) => self.expr(e),
            Init::List(list) => {
                let items: Vec<String> = list.items.iter().map(|item| self.item(item)).collect();
                format!("{{{}}}{}", items.join(", "), if list.covers { " covers" } else { "" })
            }
        }
    }

    fn item(&self, item: &InitItem) -> String {
        let bits = item.bits.map_or(String::new(), |b| bits_text(&b));
        let times = if item.count > 1 { format!(" x{}/{}", item.count, item.stride) } else { String::new() };
        format!("{}{bits}{times}: {}", item.offset, self.expr(&item.value))
    }

    fn list(&self, args: &[Expr]) -> String {
        args.iter().map(|a| format!(" {}", self.expr(a))).collect()
    }

    pub fn expr(&self, e: &Expr) -> String {
        let one = |name: &str, a: &Expr| format!("({name} {})", self.expr(a));
        let two = |name: &str, a: &Expr, b: &Expr| format!("({name} {} {})", self.expr(a), self.expr(b));
        match &e.kind {
            ExprKind::Int(value) => {
                let text = self.types.extend(e.ty.ty, *value).to_string();
                let ty = self.ty(e.ty);
                if ty == "int" { text } else { format!("{text}:{ty}") }
            }
            ExprKind::Float(value) => format!("{value:?}:{}", self.ty(e.ty)),
            ExprKind::Local(id) => self.local(*id),
            ExprKind::Entity(id) => self.entity(*id),
            ExprKind::Str(id) => match &self.unit.entities[*id].kind {
                EntityKind::Variable(init) => {
                    let bytes = init.data.first().map_or(&[][..], |(_, b)| &b[..]);
                    format!("{:?}", String::from_utf8_lossy(bytes))
                }
                _ => "str".to_owned(),
            },
            ExprKind::Deref(p) => one("*", p),
            ExprKind::Member { base, offset, bits, last: _ } => {
                let bits = bits.map_or(String::new(), |b| bits_text(&b));
                format!("(.{offset}{bits} {})", self.expr(base))
            }
            ExprKind::CompoundLiteral { local, init } => {
                format!("(literal {} {})", self.local(*local), self.init(init))
            }
            ExprKind::Load(a) => one("ld", a),
            ExprKind::Decay(a) => one("decay", a),
            ExprKind::AddrOf(a) => one("&", a),
            ExprKind::Cast { kind, operand } => {
                format!("({kind:?}:{} {})", self.ty(e.ty), self.expr(operand))
            }
            ExprKind::Unary { op, operand } => one(&format!("{op:?}"), operand),
            ExprKind::Binary { op, lhs, rhs } => two(binary_text(*op), lhs, rhs),
            ExprKind::Compare { op, lhs, rhs } => two(&format!("{op:?}"), lhs, rhs),
            ExprKind::PtrAdd { ptr, index, size, negate, bound: _ } => {
                let sign = if *negate { "p-" } else { "p+" };
                format!("({sign} {} {} *{})", self.expr(ptr), self.expr(index), self.expr(size))
            }
            ExprKind::PtrDiff { lhs, rhs, size } => {
                format!("(pdiff {} {} /{})", self.expr(lhs), self.expr(rhs), self.expr(size))
            }
            ExprKind::LogAnd(a, b) => two("&&", a, b),
            ExprKind::LogOr(a, b) => two("||", a, b),
            ExprKind::LogNot(a) => one("!", a),
            ExprKind::Cond { cond, then, other } => {
                format!("(? {} {} {})", self.expr(cond), self.expr(then), self.expr(other))
            }
            ExprKind::CondOmitted { cond, convert, other } => {
                let steps: Vec<String> =
                    convert.iter().map(|(k, t)| format!("{k:?}:{}", self.ty(*t))).collect();
                format!("(?: {} [{}] {})", self.expr(cond), steps.join(" "), self.expr(other))
            }
            ExprKind::Comma(a, b) => two(",", a, b),
            ExprKind::Assign { lhs, rhs } => two("=", lhs, rhs),
            ExprKind::AssignOp(update) => format!(
                "({}= {} {} in {} {:?})",
                binary_text(update.op),
                self.expr(&update.lhs),
                self.expr(&update.rhs),
                self.ty(update.compute),
                update.result
            ),
            ExprKind::AssignPtr { lhs, index, size, negate, result } => {
                let sign = if *negate { "p-=" } else { "p+=" };
                format!("({sign} {} {} *{} {result:?})", self.expr(lhs), self.expr(index), self.expr(size))
            }
            ExprKind::Call { callee: Callee::Direct(id), args } => {
                format!("(call {}{})", self.entity(*id), self.list(args))
            }
            ExprKind::Call { callee: Callee::Pointer(p), args } => {
                format!("(call {}{})", self.expr(p), self.list(args))
            }
            ExprKind::Builtin { op, args } => format!("({op:?}{})", self.list(args)),
            ExprKind::VaArg { list } => format!("(va_arg {} {})", self.ty(e.ty), self.expr(list)),
            ExprKind::StmtExpr { body, result } => {
                let mut text = String::new();
                self.stmt(body, 0, &mut text);
                let result = result.as_ref().map_or("void".to_owned(), |r| self.expr(r));
                format!("(stmts {} => {result})", text.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            ExprKind::SetVlaLen { local, count } => {
                format!("(len {} {})", self.local(*local), self.expr(count))
            }
            ExprKind::Unsupported(what) => format!("(unsupported {what}:{})", self.ty(e.ty)),
        }
    }
}

fn bits_text(bits: &BitField) -> String {
    format!("[{}+{}]", bits.shift, bits.width)
}

fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
    }
}
