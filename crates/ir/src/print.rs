//! The text form of a program, written.
//!
//! One line per item: header lines, `file`, `shape`, `const`, `global`, then functions, one
//! instruction a line:
//!
//! ```text
//! fn &main(%argc.0) -> i32 @ 0:1:5 {
//!   reg %0 i32 "argc", %1 i32
//! b0:
//!   i0: %1 = add i32 %argc.0, 1:i32 @ 0:2:10
//!   i1: ret %1 @ 0:2:3
//! }
//! ```
//!
//! `@g+8` is the address of a global plus an offset, `&f` that of a function, `%n.3` register 3,
//! `@ file:line:column` a place. Constants stand inline with their type; the `const` lines only fix
//! the order of the pool, so that [`crate::parse::parse`] gives back a program equal to the printed
//! one in every field. Without internal functions ([`PrintOptions`]) the text is for reading only.

use crate::instr::*;
use crate::program::*;
use braid_base::{Idx, Symbol};
use std::fmt::{self, Display, Formatter, Write as _};

/// What to print.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrintOptions {
    /// Functions and globals of library models, and the order of the constant pool.
    pub internal: bool,
}

/// The whole program; reads back.
pub fn print(program: &Program) -> String {
    print_with(program, PrintOptions { internal: true })
}

pub fn print_with(program: &Program, options: PrintOptions) -> String {
    let mut out = String::new();
    write_program(&mut out, program, options).expect("writing to a string cannot fail");
    out
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self))
    }
}

/// One function, for messages and tests.
pub fn print_function(program: &Program, function: &Function) -> String {
    let mut out = String::new();
    write_function(&mut out, program, function).expect("writing to a string cannot fail");
    out
}

fn write_program(out: &mut String, p: &Program, options: PrintOptions) -> fmt::Result {
    writeln!(out, "braid-ir 1")?;
    writeln!(out, "pointer {}", p.pointer_bytes)?;
    writeln!(out, "next-instr {}", p.next_instr)?;
    for assumption in &p.assumptions {
        writeln!(out, "assumption {}", Quoted(assumption.as_bytes()))?;
    }
    for (id, name) in p.files.enumerated() {
        writeln!(out, "file {} {}", id.0, Quoted(name.as_str().as_bytes()))?;
    }
    for (id, shape) in p.shapes.enumerated() {
        writeln!(out, "shape {id} = {}", ShapeText(shape))?;
    }
    if options.internal {
        for value in p.consts.iter() {
            writeln!(out, "const {}", ConstText(p, value))?;
        }
    }
    for global in p.globals.iter().filter(|g| options.internal || !g.internal) {
        write_global(out, p, global)?;
    }
    if let Some(entry) = p.entry {
        writeln!(out, "entry {}", FuncName(p, entry))?;
    }
    if let Some(main) = p.main {
        writeln!(out, "main {}", FuncName(p, main))?;
    }
    for function in p.functions.iter().filter(|f| options.internal || !f.internal) {
        out.push('\n');
        write_function(out, p, function)?;
    }
    Ok(())
}

fn write_global(out: &mut String, p: &Program, g: &Global) -> fmt::Result {
    let name = Name(g.name.as_str());
    write!(out, "global @{name} {} size {} align {}", g.shape, g.size, g.align)?;
    for (set, word) in [(g.thread_local, "tls"), (g.read_only, "readonly"), (g.internal, "internal")] {
        if set {
            write!(out, " {word}")?;
        }
    }
    write!(out, "{}", LocText(g.loc))?;
    if g.init != InitData::default() {
        let data = g.init.data.iter().map(|(at, bytes)| format!("{at}: {}", Quoted(bytes)));
        let pointers = g.init.pointers.iter().map(|(at, c)| format!("{at}: {}", ConstText(p, *c)));
        write!(out, " = {{ {} }}", data.chain(pointers).collect::<Vec<_>>().join(", "))?;
    }
    out.push('\n');
    Ok(())
}

fn write_function(out: &mut String, p: &Program, f: &Function) -> fmt::Result {
    let text = FnText { program: p, function: f };
    let params: Vec<String> = f.params.iter().map(|r| text.reg(*r)).collect();
    write!(out, "fn &{}({})", Name(f.name.as_str()), params.join(", "))?;
    if let Some(ret) = f.ret {
        write!(out, " -> {ret}")?;
    }
    for (set, word) in [
        (f.internal, "internal"),
        (f.atomic, "atomic"),
        (f.timed, "timed"),
        (f.installs_handlers, "handlers"),
    ] {
        if set {
            write!(out, " {word}")?;
        }
    }
    writeln!(out, "{} {{", LocText(f.loc))?;
    let regs: Vec<String> = f.regs.enumerated().map(|(id, reg)| reg_declaration(id, reg)).collect();
    for line in regs.chunks(8) {
        writeln!(out, "  reg {}", line.join(", "))?;
    }
    for (id, local) in f.locals.enumerated() {
        let name = local.name.map_or(String::new(), |n| format!(" {}", Quoted(n.as_str().as_bytes())));
        writeln!(out, "  local {id}{name} {} size {} align {}", local.shape, local.size, local.align)?;
    }
    for (id, block) in f.blocks.enumerated() {
        writeln!(out, "{id}:")?;
        for instr in &block.instrs {
            write_instr(out, &text, instr, 1)?;
        }
        writeln!(out, "  {}: {}{}", block.end.id, text.terminator(&block.end.kind), LocText(block.end.loc))?;
    }
    writeln!(out, "}}")
}

fn reg_declaration(id: RegId, reg: &Reg) -> String {
    let name = reg.name.map_or(String::new(), |n| format!(" {}", Quoted(n.as_str().as_bytes())));
    format!("%{} {}{name}", id.0, reg.ty)
}

fn write_instr(out: &mut String, text: &FnText, instr: &Instr, depth: usize) -> fmt::Result {
    let indent = "  ".repeat(depth);
    let internal = if instr.internal { " internal" } else { "" };
    write!(out, "{indent}{}: {}{}{internal}", instr.id, text.op(&instr.op), LocText(instr.loc))?;
    if let Op::AtomicBegin { when: Some(guard) } = &instr.op {
        writeln!(out, " {{")?;
        for inner in &guard.instrs {
            write_instr(out, text, inner, depth + 1)?;
        }
        write!(out, "{indent}}}")?;
    }
    out.push('\n');
    Ok(())
}

/// Prints the parts of one function.
pub(crate) struct FnText<'a> {
    pub program: &'a Program,
    pub function: &'a Function,
}

impl FnText<'_> {
    fn reg(&self, id: RegId) -> String {
        match self.function.regs.get(id).and_then(|reg| reg.name) {
            Some(name) if is_plain_name(name.as_str()) => format!("%{name}.{}", id.0),
            _ => format!("%{}", id.0),
        }
    }

    pub(crate) fn opd(&self, operand: Operand) -> String {
        match operand {
            Operand::Reg(reg) => self.reg(reg),
            Operand::Const(id) if id.index() < self.program.consts.len() => {
                ConstText(self.program, self.program.consts.get(id)).to_string()
            }
            Operand::Const(id) => format!("?{id}"),
        }
    }

    fn list(&self, operands: &[Operand]) -> String {
        operands.iter().map(|o| self.opd(*o)).collect::<Vec<_>>().join(", ")
    }

    /// `%d = `, if there is a destination.
    fn dst(&self, dst: Option<RegId>) -> String {
        dst.map_or(String::new(), |reg| format!("{} = ", self.reg(reg)))
    }

    pub(crate) fn op(&self, op: &Op) -> String {
        match op {
            Op::Assign { dst, value } => format!("{} = {}", self.reg(*dst), self.expr(value)),
            Op::Load { dst, ty, ptr, access } => {
                format!("{} = load {ty} {}{}", self.reg(*dst), self.opd(*ptr), AccessText(access))
            }
            Op::Store { ty, ptr, value, access } => {
                format!("store {ty} {}{}", self.list(&[*ptr, *value]), AccessText(access))
            }
            Op::Rmw { dst, op, ty, ptr, value, order } => {
                let (dst, args) = (self.reg(*dst), self.list(&[*ptr, *value]));
                format!("{dst} = rmw {} {ty} {args} {}", op.word(), order.word())
            }
            Op::CmpXchg(c) => self.cmpxchg(c),
            Op::Fence { order } => format!("fence {}", order.word()),
            Op::Copy { dst, src, len, shape, overlapping } => {
                let tail = if *overlapping { " overlapping" } else { "" };
                format!("copy {} {shape}{tail}", self.list(&[*dst, *src, *len]))
            }
            Op::Fill { dst, byte, len, shape } => {
                format!("fill {} {shape}", self.list(&[*dst, *byte, *len]))
            }
            Op::Call { dst, callee, args } => {
                let callee = match callee {
                    Callee::Direct(func) => FuncName(self.program, *func).to_string(),
                    Callee::Pointer(operand) => format!("* {}", self.opd(*operand)),
                };
                format!("{}call {callee}({})", self.dst(*dst), self.list(args))
            }
            Op::Assume { cond } => format!("assume {}", self.opd(*cond)),
            Op::Assert { check, cond, message, about } => {
                let tail = message.map_or(String::new(), |m| format!(", {}", Quoted(m.as_str().as_bytes())));
                let about = about.map_or(String::new(), |object| format!(" about {}", self.opd(object)));
                format!("assert {check}, {}{tail}{about}", self.expr(cond))
            }
            Op::Alloc { dst, kind, size, align, zeroed } => {
                let tail = if *zeroed { " zeroed" } else { "" };
                format!("{} = alloc {} {}{tail}", self.reg(*dst), kind.word(), self.list(&[*size, *align]))
            }
            Op::Free { kind, ptr } => format!("free {} {}", kind.word(), self.opd(*ptr)),
            Op::LocalLive { local } => format!("live {local}"),
            Op::LocalDead { local } => format!("dead {local}"),
            Op::Nondet { dst, ty, kind } => format!("{} = nondet {ty} {}", self.reg(*dst), kind.word()),
            Op::Input { dst } => format!("{} = input", self.reg(*dst)),
            Op::Output { stream, byte } => format!("output {stream}, {}", self.opd(*byte)),
            Op::Spawn { dst, func, arg } => {
                format!("{} = spawn {}", self.reg(*dst), self.list(&[*func, *arg]))
            }
            Op::Join { dst, handle } => format!("{}join {}", self.dst(*dst), self.opd(*handle)),
            Op::Detach { handle } => format!("detach {}", self.opd(*handle)),
            Op::Pair { dst, word, mutex } => {
                format!("{} = pair {}", self.reg(*dst), self.list(&[*word, *mutex]))
            }
            Op::ThreadState { dst, ask, handle } => {
                format!("{} = thread {} {}", self.reg(*dst), ask.word(), self.opd(*handle))
            }
            Op::Lock { mutex } => format!("lock {}", self.opd(*mutex)),
            Op::TryLock { dst, mutex } => format!("{} = trylock {}", self.reg(*dst), self.opd(*mutex)),
            Op::Unlock { mutex } => format!("unlock {}", self.opd(*mutex)),
            Op::AtomicBegin { when: None } => "atomic-begin".into(),
            Op::AtomicBegin { when: Some(guard) } => format!("atomic-begin when {}", self.opd(guard.cond)),
            Op::AtomicEnd => "atomic-end".into(),
            Op::SelfHandle { dst } => format!("{} = self", self.reg(*dst)),
            Op::SelfNumber { dst } => format!("{} = self-number", self.reg(*dst)),
            Op::ExitThread { value } => format!("exit-thread {}", self.opd(*value)),
            Op::ExitProgram { code } => format!("exit {}", self.opd(*code)),
            Op::Abort => "abort".into(),
            Op::Partial { what, bound } => {
                let kind = if *bound { "bound " } else { "" };
                format!("partial {kind}{}", Quoted(what.as_str().as_bytes()))
            }
            Op::Unsupported { what } => format!("unsupported {}", Quoted(what.as_str().as_bytes())),
        }
    }

    fn cmpxchg(&self, c: &CmpXchg) -> String {
        format!(
            "{}, {} = cmpxchg{} {} {} {} {}",
            self.reg(c.ok),
            self.reg(c.old),
            if c.weak { " weak" } else { "" },
            c.ty,
            self.list(&[c.ptr, c.expected, c.desired]),
            c.success.word(),
            c.failure.word()
        )
    }

    fn expr(&self, expr: &Expr) -> String {
        match *expr {
            Expr::Use(a) => self.opd(a),
            Expr::Unary { op, ty, a } => format!("{} {ty} {}", op.word(), self.opd(a)),
            Expr::Binary { op, ty, a, b } => format!("{} {ty} {}", op.word(), self.list(&[a, b])),
            Expr::Compare { op, ty, a, b } => format!("{} {ty} {}", op.word(), self.list(&[a, b])),
            Expr::Fits { op, signed, ty, a, b } => {
                let sign = if signed { "signed" } else { "unsigned" };
                format!("fits {} {sign} {ty} {}", op.word(), self.list(&[a, b]))
            }
            Expr::Cast { op, from, to, a } => format!("{} {from} {} to {to}", op.word(), self.opd(a)),
            Expr::Select { ty, cond, then, other } => {
                format!("select {ty} {}", self.list(&[cond, then, other]))
            }
            Expr::PtrAdd { ptr, offset } => format!("ptradd {}", self.list(&[ptr, offset])),
            Expr::PtrDiff { a, b } => format!("ptrdiff {}", self.list(&[a, b])),
            Expr::LocalAddr(local) => format!("local {local}"),
            Expr::ThreadLocalAddr(global) => format!("tls {}", GlobalName(self.program, global)),
            Expr::ObjectSize(ptr) => format!("objsize {}", self.opd(ptr)),
            Expr::Math { f, ty, a, b } => format!("math {} {ty} {}", f.word(), self.list(&[a, b])),
        }
    }

    pub(crate) fn terminator(&self, kind: &TermKind) -> String {
        match kind {
            TermKind::Jump(to) => format!("jump {to}"),
            TermKind::Branch { cond, then, other } => format!("br {}, {then}, {other}", self.opd(*cond)),
            TermKind::Switch { ty, value, cases, default } => {
                let cases: Vec<String> = cases.iter().map(|(bits, to)| format!("{bits}: {to}")).collect();
                format!("switch {ty} {}, [{}], {default}", self.opd(*value), cases.join(", "))
            }
            TermKind::Return(None) => "ret".into(),
            TermKind::Return(Some(value)) => format!("ret {}", self.opd(*value)),
            TermKind::Unreachable => "unreachable".into(),
        }
    }
}

impl Display for Ty {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Int(width) => write!(f, "i{width}"),
            Ty::F32 => f.write_str("f32"),
            Ty::F64 => f.write_str("f64"),
            Ty::Ptr => f.write_str("ptr"),
        }
    }
}

/// Names that need no quotes after `@`, `&` and `%`.
pub(crate) fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$'))
}

struct Name<'a>(&'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if is_plain_name(self.0) { f.write_str(self.0) } else { Quoted(self.0.as_bytes()).fmt(f) }
    }
}

struct FuncName<'a>(&'a Program, FuncId);

impl Display for FuncName<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.functions.get(self.1) {
            Some(function) => write!(f, "&{}", Name(function.name.as_str())),
            None => write!(f, "?{}", self.1),
        }
    }
}

struct GlobalName<'a>(&'a Program, GlobalId);

impl Display for GlobalName<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.globals.get(self.1) {
            Some(global) => write!(f, "@{}", Name(global.name.as_str())),
            None => write!(f, "?{}", self.1),
        }
    }
}

/// Bytes as a string: printable ASCII as it is, everything else as `\` and two hexadecimal digits.
struct Quoted<'a>(&'a [u8]);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for &byte in self.0 {
            match byte {
                b'"' | b'\\' => write!(f, "\\{byte:02x}")?,
                b' '..=b'~' => f.write_char(byte as char)?,
                _ => write!(f, "\\{byte:02x}")?,
            }
        }
        f.write_char('"')
    }
}

struct LocText(Loc);

impl Display for LocText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Loc { file, line, column } = self.0;
        if self.0 == Loc::NONE { Ok(()) } else { write!(f, " @ {}:{line}:{column}", file.0) }
    }
}

struct ConstText<'a>(&'a Program, Const);

impl Display for ConstText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.1 {
            Const::Int { width, bits } if (2..=128).contains(&width) && bits >> (width - 1) == 1 => {
                let value = ((bits << (128 - width)) as i128) >> (128 - width);
                write!(f, "{value}:i{width}")
            }
            Const::Int { width, bits } => write!(f, "{bits}:i{width}"),
            Const::F32(bits) => match f32::from_bits(bits) {
                value if value.is_nan() => write!(f, "nan.{bits:x}:f32"),
                value => write!(f, "{value:?}:f32"),
            },
            Const::F64(bits) => match f64::from_bits(bits) {
                value if value.is_nan() => write!(f, "nan.{bits:x}:f64"),
                value => write!(f, "{value:?}:f64"),
            },
            Const::Null => f.write_str("null"),
            Const::Global(global, 0) => GlobalName(self.0, global).fmt(f),
            Const::Global(global, offset) => write!(f, "{}{offset:+}", GlobalName(self.0, global)),
            Const::Func(func) => FuncName(self.0, func).fmt(f),
        }
    }
}

struct AccessText<'a>(&'a Access);

impl Display for AccessText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Access { order, volatile, space, extent } = *self.0;
        if order != Order::Plain {
            write!(f, " {}", order.word())?;
        }
        if volatile {
            f.write_str(" volatile")?;
        }
        if space == Space::Shadow {
            f.write_str(" shadow")?;
        }
        if extent != (0, 0) {
            write!(f, " extent {} {}", extent.0, extent.1)?;
        }
        Ok(())
    }
}

struct ShapeText<'a>(&'a Shape);

impl Display for ShapeText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Shape::Scalar(ty) => write!(f, "{ty}"),
            Shape::Bytes(size) => write!(f, "bytes {size}"),
            Shape::Array { elem, len } => write!(f, "array {elem} x {len}"),
            Shape::Struct { name, size, fields } => write_record(f, "struct", *name, *size, fields),
            Shape::Union { name, size, members } => write_record(f, "union", *name, *size, members),
        }
    }
}

fn write_record(
    f: &mut Formatter<'_>,
    word: &str,
    name: Option<Symbol>,
    size: u64,
    fields: &[ShapeField],
) -> fmt::Result {
    let optional =
        |name: Option<Symbol>| name.map_or(String::new(), |n| format!("{} ", Quoted(n.as_str().as_bytes())));
    let fields: Vec<String> =
        fields.iter().map(|m| format!("{}{} {}", optional(m.name), m.offset, m.shape)).collect();
    write!(f, "{word} {}size {size} {{ {} }}", optional(name), fields.join(", "))
}
