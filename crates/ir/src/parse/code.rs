//! Instructions, expressions and terminators of the text form.

use super::line::{Line, Result};
use super::{Names, location, ty};
use crate::instr::*;
use crate::program::*;
use braid_base::Symbol;
use braid_props::Check;

/// Reads the code of one function.
pub(super) struct Code<'a> {
    pub names: &'a Names,
    pub consts: &'a mut ConstPool,
}

/// What one line of a block holds.
pub(super) enum Item {
    Op(Op),
    /// `atomic-begin when cond`, whose instructions follow on their own lines.
    Guard(Operand),
    End(TermKind),
}

impl Code<'_> {
    /// A line of a block: `[id:] operation [@ place]`. The id is `None` if the text leaves it out.
    pub fn item(&mut self, line: &mut Line) -> Result<(Option<u32>, Item, Loc)> {
        let id = instr_id(line)?;
        let item = if line.peek() == Some('%') { Item::Op(self.with_dst(line)?) } else { self.plain(line)? };
        let loc = location(line)?;
        Ok((id, item, loc))
    }

    fn reg(&mut self, line: &mut Line) -> Result<RegId> {
        line.expect("%")?;
        let name = line.name()?;
        let digits = name.rsplit('.').next().unwrap_or(&name);
        digits.parse().map(RegId).or_else(|_| line.error("expected a register such as %3 or %name.3"))
    }

    fn operand(&mut self, line: &mut Line) -> Result<Operand> {
        if line.peek() == Some('%') {
            return self.reg(line).map(Operand::Reg);
        }
        let value = self.names.constant(line)?;
        Ok(Operand::Const(self.consts.intern(value)))
    }

    fn operands<const N: usize>(&mut self, line: &mut Line) -> Result<[Operand; N]> {
        let mut list = Vec::with_capacity(N);
        for i in 0..N {
            if i > 0 {
                line.expect(",")?;
            }
            list.push(self.operand(line)?);
        }
        Ok(list.try_into().expect("the loop pushed N operands"))
    }

    fn with_dst(&mut self, line: &mut Line) -> Result<Op> {
        let dst = self.reg(line)?;
        if line.eat(",") {
            return self.cmpxchg(line, dst);
        }
        line.expect("=")?;
        if starts_operand(line) {
            return Ok(Op::Assign { dst, value: Expr::Use(self.operand(line)?) });
        }
        let op = match line.peek_word() {
            "load" => {
                line.word()?;
                let ty = ty(line)?;
                let ptr = self.operand(line)?;
                Op::Load { dst, ty, ptr, access: access(line)? }
            }
            "rmw" => {
                line.word()?;
                let op = line.choice("an operation of rmw", RmwOp::from_word)?;
                let ty = ty(line)?;
                let [ptr, value] = self.operands(line)?;
                Op::Rmw { dst, op, ty, ptr, value, order: order(line)? }
            }
            "call" => self.call(line, Some(dst))?,
            "alloc" => {
                line.word()?;
                let kind = line.choice("'heap' or 'stack'", AllocKind::from_word)?;
                let [size, align] = self.operands(line)?;
                Op::Alloc { dst, kind, size, align, zeroed: line.eat_word("zeroed") }
            }
            "nondet" => {
                line.word()?;
                let ty = ty(line)?;
                Op::Nondet { dst, ty, kind: line.choice("a kind of choice", ChoiceKind::from_word)? }
            }
            "input" => {
                line.word()?;
                Op::Input { dst }
            }
            "spawn" => {
                line.word()?;
                let [func, arg] = self.operands(line)?;
                Op::Spawn { dst, func, arg }
            }
            "join" => {
                line.word()?;
                Op::Join { dst: Some(dst), handle: self.operand(line)? }
            }
            "thread" => {
                line.word()?;
                let ask = line.choice("a question about a thread", ThreadAsk::from_word)?;
                Op::ThreadState { dst, ask, handle: self.operand(line)? }
            }
            "pair" => {
                line.word()?;
                let [word, mutex] = self.operands(line)?;
                Op::Pair { dst, word, mutex }
            }
            "trylock" => {
                line.word()?;
                Op::TryLock { dst, mutex: self.operand(line)? }
            }
            "self" => {
                line.word()?;
                Op::SelfHandle { dst }
            }
            "self-number" => {
                line.word()?;
                Op::SelfNumber { dst }
            }
            _ => Op::Assign { dst, value: self.expr(line)? },
        };
        Ok(op)
    }

    fn cmpxchg(&mut self, line: &mut Line, ok: RegId) -> Result<Op> {
        let old = self.reg(line)?;
        line.expect("=")?;
        line.expect_word("cmpxchg")?;
        let weak = line.eat_word("weak");
        let ty = ty(line)?;
        let [ptr, expected, desired] = self.operands(line)?;
        let (success, failure) = (order(line)?, order(line)?);
        Ok(Op::CmpXchg(Box::new(CmpXchg { ok, old, ty, ptr, expected, desired, success, failure, weak })))
    }

    fn call(&mut self, line: &mut Line, dst: Option<RegId>) -> Result<Op> {
        line.expect_word("call")?;
        let callee = if line.eat("*") {
            Callee::Pointer(self.operand(line)?)
        } else {
            Callee::Direct(self.names.function(line)?)
        };
        line.expect("(")?;
        let mut args = Vec::new();
        while !line.eat(")") {
            if !args.is_empty() {
                line.expect(",")?;
            }
            args.push(self.operand(line)?);
        }
        Ok(Op::Call { dst, callee, args })
    }

    /// An operation without destination, or a terminator.
    fn plain(&mut self, line: &mut Line) -> Result<Item> {
        if line.peek_word() == "call" {
            return self.call(line, None).map(Item::Op);
        }
        if let Some(end) = self.terminator(line)? {
            return Ok(Item::End(end));
        }
        let op = match line.peek_word() {
            "store" => {
                line.word()?;
                let ty = ty(line)?;
                let [ptr, value] = self.operands(line)?;
                Op::Store { ty, ptr, value, access: access(line)? }
            }
            "fence" => {
                line.word()?;
                Op::Fence { order: order(line)? }
            }
            "copy" => {
                line.word()?;
                let [dst, src, len] = self.operands(line)?;
                let shape = ShapeId(line.id("s")?);
                Op::Copy { dst, src, len, shape, overlapping: line.eat_word("overlapping") }
            }
            "fill" => {
                line.word()?;
                let [dst, byte, len] = self.operands(line)?;
                Op::Fill { dst, byte, len, shape: ShapeId(line.id("s")?) }
            }
            "assert" => self.assertion(line)?,
            "free" => {
                line.word()?;
                let kind = line.choice("'heap' or 'stack'", AllocKind::from_word)?;
                Op::Free { kind, ptr: self.operand(line)? }
            }
            "live" => {
                line.word()?;
                Op::LocalLive { local: LocalId(line.id("l")?) }
            }
            "dead" => {
                line.word()?;
                Op::LocalDead { local: LocalId(line.id("l")?) }
            }
            "output" => {
                line.word()?;
                let stream = line.number()?;
                line.expect(",")?;
                Op::Output { stream, byte: self.operand(line)? }
            }
            "atomic-begin" => {
                line.word()?;
                if line.eat_word("when") {
                    return self.operand(line).map(Item::Guard);
                }
                Op::AtomicBegin { when: None }
            }
            "atomic-end" => {
                line.word()?;
                Op::AtomicEnd
            }
            "abort" => {
                line.word()?;
                Op::Abort
            }
            "unsupported" => {
                line.word()?;
                Op::Unsupported { what: Symbol::intern(&line.text()?) }
            }
            "partial" => {
                line.word()?;
                let bound = line.eat_word("bound");
                Op::Partial { what: Symbol::intern(&line.text()?), bound }
            }
            _ => self.one_operand(line)?,
        };
        Ok(Item::Op(op))
    }

    fn one_operand(&mut self, line: &mut Line) -> Result<Op> {
        let build: fn(Operand) -> Op = match line.peek_word() {
            "assume" => |cond| Op::Assume { cond },
            "join" => |handle| Op::Join { dst: None, handle },
            "detach" => |handle| Op::Detach { handle },
            "lock" => |mutex| Op::Lock { mutex },
            "unlock" => |mutex| Op::Unlock { mutex },
            "exit-thread" => |value| Op::ExitThread { value },
            "exit" => |code| Op::ExitProgram { code },
            _ => return line.error("expected an instruction"),
        };
        line.word()?;
        self.operand(line).map(build)
    }

    fn assertion(&mut self, line: &mut Line) -> Result<Op> {
        line.word()?;
        let check = line.choice("a property", Check::from_id)?;
        line.expect(",")?;
        let cond = self.expr(line)?;
        let message = if line.eat(",") { Some(Symbol::intern(&line.text()?)) } else { None };
        let about = if line.eat_word("about") { Some(self.operand(line)?) } else { None };
        Ok(Op::Assert { check, cond, message, about })
    }

    fn expr(&mut self, line: &mut Line) -> Result<Expr> {
        if starts_operand(line) {
            return self.operand(line).map(Expr::Use);
        }
        let word = line.peek_word();
        if let Some(op) = UnOp::from_word(word) {
            line.word()?;
            return Ok(Expr::Unary { op, ty: ty(line)?, a: self.operand(line)? });
        }
        if let Some(op) = BinOp::from_word(word) {
            line.word()?;
            let ty = ty(line)?;
            let [a, b] = self.operands(line)?;
            return Ok(Expr::Binary { op, ty, a, b });
        }
        if let Some(op) = CmpOp::from_word(word) {
            line.word()?;
            let ty = ty(line)?;
            let [a, b] = self.operands(line)?;
            return Ok(Expr::Compare { op, ty, a, b });
        }
        if let Some(op) = CastOp::from_word(word) {
            line.word()?;
            let from = ty(line)?;
            let a = self.operand(line)?;
            line.expect_word("to")?;
            return Ok(Expr::Cast { op, from, to: ty(line)?, a });
        }
        self.special_expr(line)
    }

    fn special_expr(&mut self, line: &mut Line) -> Result<Expr> {
        let word = line.peek_word();
        if !matches!(word, "fits" | "select" | "ptradd" | "ptrdiff" | "local" | "tls" | "objsize" | "math") {
            return line.error("expected an expression");
        }
        line.word()?;
        Ok(match word {
            "fits" => {
                let op = line.choice("an operation of fits", FitsOp::from_word)?;
                let signed = line.eat_word("signed");
                if !signed {
                    line.expect_word("unsigned")?;
                }
                let ty = ty(line)?;
                let [a, b] = self.operands(line)?;
                Expr::Fits { op, signed, ty, a, b }
            }
            "select" => {
                let ty = ty(line)?;
                let [cond, then, other] = self.operands(line)?;
                Expr::Select { ty, cond, then, other }
            }
            "ptradd" => {
                let [ptr, offset] = self.operands(line)?;
                Expr::PtrAdd { ptr, offset }
            }
            "ptrdiff" => {
                let [a, b] = self.operands(line)?;
                Expr::PtrDiff { a, b }
            }
            "local" => Expr::LocalAddr(LocalId(line.id("l")?)),
            "tls" => Expr::ThreadLocalAddr(self.names.global(line)?),
            "objsize" => Expr::ObjectSize(self.operand(line)?),
            _ => {
                let f = line.choice("a mathematical function", MathFn::from_word)?;
                let ty = ty(line)?;
                let [a, b] = self.operands(line)?;
                Expr::Math { f, ty, a, b }
            }
        })
    }

    fn terminator(&mut self, line: &mut Line) -> Result<Option<TermKind>> {
        let word = line.peek_word();
        if !matches!(word, "jump" | "br" | "switch" | "ret" | "unreachable") {
            return Ok(None);
        }
        line.word()?;
        Ok(Some(match word {
            "jump" => TermKind::Jump(BlockId(line.id("b")?)),
            "br" => {
                let cond = self.operand(line)?;
                line.expect(",")?;
                let then = BlockId(line.id("b")?);
                line.expect(",")?;
                TermKind::Branch { cond, then, other: BlockId(line.id("b")?) }
            }
            "switch" => self.switch(line)?,
            "ret" if starts_operand(line) => TermKind::Return(Some(self.operand(line)?)),
            "ret" => TermKind::Return(None),
            _ => TermKind::Unreachable,
        }))
    }

    fn switch(&mut self, line: &mut Line) -> Result<TermKind> {
        let ty = ty(line)?;
        let value = self.operand(line)?;
        line.expect(",")?;
        line.expect("[")?;
        let mut cases = Vec::new();
        while !line.eat("]") {
            if !cases.is_empty() {
                line.expect(",")?;
            }
            let bits = line.number()?;
            line.expect(":")?;
            cases.push((bits, BlockId(line.id("b")?)));
        }
        line.expect(",")?;
        Ok(TermKind::Switch { ty, value, cases, default: BlockId(line.id("b")?) })
    }
}

/// `i7:` before an instruction, if it is there.
fn instr_id(line: &mut Line) -> Result<Option<u32>> {
    let word = line.peek_word();
    if !word.starts_with('i') || !line.rest()[word.len()..].starts_with(':') {
        return Ok(None);
    }
    let id = line.id("i")?;
    line.expect(":")?;
    Ok(Some(id))
}

fn starts_operand(line: &Line) -> bool {
    match line.peek() {
        // A place begins with a lone '@'.
        Some('@') => !line.rest().starts_with("@ "),
        Some('%' | '&' | '-') => true,
        Some(c) => c.is_ascii_digit() || matches!(line.peek_word(), "null" | "inf" | "nan"),
        None => false,
    }
}

fn order(line: &mut Line) -> Result<Order> {
    line.choice("a memory order", Order::from_word)
}

fn access(line: &mut Line) -> Result<Access> {
    let mut access = Access::default();
    loop {
        match line.peek_word() {
            "volatile" => access.volatile = true,
            "shadow" => access.space = Space::Shadow,
            "extent" => {
                line.word()?;
                access.extent = (line.number()?, line.number()?);
                continue;
            }
            word => match Order::from_word(word) {
                Some(order) => access.order = order,
                None => return Ok(access),
            },
        }
        line.word()?;
    }
}
