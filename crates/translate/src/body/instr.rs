//! Instructions as statements.

use super::memory::Address;
use super::races::{Range, how};
use super::{Body, bare};
use crate::Untranslatable;
use crate::expr::Place;
use crate::types::{stored_bits, value_type};
use braid_base::faults::active;
use braid_ir::*;
use braid_props::Check;

impl Body<'_, '_> {
    pub(super) fn set(&mut self, dst: RegId, text: &str) {
        let name = self.reg(dst);
        self.line(&format!("{name} = {};", bare(text)));
    }

    pub(super) fn instr(&mut self, instr: &Instr) -> Result<(), Untranslatable> {
        match &instr.op {
            Op::Assign { dst, value } => {
                let text = self.expr(value)?;
                self.set(*dst, &text);
            }
            Op::Load { dst, ty, ptr, access } => {
                let place = self.access(instr, *ty, *ptr, access.space)?;
                if access.space == Space::Memory {
                    let range = self.range(*ty, *ptr, access.extent);
                    self.touch(instr, range, &how("READ", access.order))?;
                }
                if let Address::Object(object, _) = self.resolve(*ptr)? {
                    let (name, _) = self.object(object);
                    self.read.insert(name);
                }
                self.set(*dst, &place);
            }
            Op::Store { ty, ptr, value, access } => {
                let place = self.access(instr, *ty, *ptr, access.space)?;
                let value = self.value(*value)?;
                self.wrote = true;
                if access.space == Space::Memory {
                    let range = self.range(*ty, *ptr, access.extent);
                    self.touch(instr, range, &how("WRITE", access.order))?;
                }
                self.changes_to(instr, *ty, &place, &value);
                self.put(instr, &format!("{place} = {};", bare(&value)));
                if access.space == Space::Memory && !instr.internal {
                    self.renew(*ptr)?;
                }
            }
            Op::Rmw { dst, op, ty, ptr, value, .. } => {
                let range = self.range(*ty, *ptr, (0, 0));
                self.touch(instr, range, "WRITE | ATOMIC")?;
                self.rmw(*dst, *op, *ty, *ptr, *value)?;
            }
            Op::CmpXchg(exchange) => {
                let range = self.range(exchange.ty, exchange.ptr, (0, 0));
                self.touch(instr, range, "READ | ATOMIC")?;
                self.exchange(instr, exchange)?;
            }
            Op::Copy { dst, src, len, shape, .. } => {
                if (self.shared.is_visible)(instr.id) && self.depth == 0 {
                    return self.copy_in_steps(instr, [*dst, *src, *len], *shape);
                }
                let whole = |pointer: Operand, length: String| Range { pointer, start: 0, length };
                let length = self.value(*len)?;
                self.touch(instr, whole(*src, length.clone()), "READ")?;
                self.touch(instr, whole(*dst, length), "WRITE")?;
                let [dst, src, len] = [*dst, *src, *len].map(|part| self.value(part));
                let (dst, src, len) = (dst?, src?, len?);
                self.changes(&format!("memcmp({dst}, {src}, {len}) != 0"));
                self.line(&format!("memcpy({dst}, {src}, {len});"));
            }
            Op::Fill { dst, byte, len, .. } => {
                let length = self.value(*len)?;
                let range = Range { pointer: *dst, start: 0, length };
                if self.depth == 0 {
                    self.next(instr, Range { length: range.length.clone(), ..range }, "WRITE")?;
                }
                self.touch(instr, range, "WRITE")?;
                let [dst, byte, len] = [*dst, *byte, *len].map(|part| self.value(part));
                self.line(&format!("memset({}, {}, {});", dst?, byte?, len?));
            }
            // The head of a loop is marked by an assumption that holds.
            Op::Assume { cond } if self.is_true(*cond) => {}
            Op::Assume { cond } => {
                let cond = self.value(*cond)?;
                // A section whose assumption fails is not entered.
                match self.depth {
                    0 => self.line(&format!("if (!{cond}) {{ HALT; }}")),
                    _ => self.line(&format!("assume({cond});")),
                }
            }
            Op::Assert { check, cond, .. } => self.assert(*check, cond)?,
            Op::Alloc { dst, kind, size, zeroed, .. } => {
                if *kind == AllocKind::Stack {
                    return Err(self.refuse("an array of variable length"));
                }
                let size = self.value(*size)?;
                let text = if *zeroed { format!("calloc(1, {size})") } else { format!("malloc({size})") };
                self.set(*dst, &text);
                if self.shared.asks_blocks {
                    let (block, name) = (self.shared.new_block(), self.reg(*dst));
                    self.line(&format!("blocks[{block}] = {name}; sizes[{block}] = {size};"));
                }
            }
            Op::Free { kind: AllocKind::Heap, ptr } => {
                if self.races(instr, *ptr)? {
                    let range = self.block_range(*ptr)?;
                    self.touch(instr, range, "WRITE")?;
                }
                let pointer = self.value(*ptr)?;
                self.line(&format!("free({pointer});"));
            }
            Op::Free { kind: AllocKind::Stack, .. } => return Err(self.refuse("an array of variable length")),
            Op::Nondet { dst, ty, kind } => {
                let text = self.choice(*ty, *kind)?;
                self.set(*dst, &text);
                if *ty == Ty::Int(64) && text.contains("nondet()") {
                    // The halves are chosen one after the other: C leaves the order in an expression open.
                    let name = self.reg(*dst);
                    self.read.insert(name.clone());
                    self.line(&format!("{name} = {name} << 32 | nondet();"));
                }
            }
            Op::Input { dst } => self.set(*dst, "nondet() % 257 - 1"),
            Op::Spawn { dst, func, arg } => {
                self.changes("1");
                self.spawn(*dst, *func, *arg)?;
            }
            Op::Join { dst, handle } => {
                let handle = self.value(*handle)?;
                if !active("translated-join-does-not-wait") {
                    let ended = format!("{handle} - 1 < THREADS && ended[{handle} - 1]");
                    self.wait(&ended, &handle, instr.internal)?;
                }
                self.changes("1");
                self.line(&format!("state[{handle} - 1] = 0;"));
                if let Some(dst) = dst {
                    self.set(*dst, &format!("result[{handle} - 1]"));
                }
            }
            Op::Detach { handle } => {
                let handle = self.value(*handle)?;
                self.changes("1");
                self.line(&format!("state[{handle} - 1] = 2;"));
            }
            Op::ThreadState { dst, ask, handle } => {
                let handle = self.value(*handle)?;
                let text = match ask {
                    ThreadAsk::Claim => format!("claim({handle}, {})", self.thread + 1),
                    ThreadAsk::Join => format!("state_of({handle})"),
                    ThreadAsk::Life => format!("life_of({handle})"),
                };
                self.shared.asks.insert(*ask);
                self.set(*dst, &text);
                if *ask == ThreadAsk::Claim {
                    let found = self.value(Operand::Reg(*dst))?;
                    self.changes(&format!("{found} == 1"));
                }
            }
            Op::Pair { dst, word, mutex } => {
                let address = self.resolve(*word)?;
                let model = (self.shared.model)(instr.id);
                let within =
                    braid_models::state_offset(model, self.shared.program.pointer_bytes).unwrap_or(0);
                let word = self.word(&address, within, "char *");
                let mutex = self.value(*mutex)?;
                self.set(*dst, &format!("{word} != 0 && {word} != {mutex}"));
                self.changes(&format!("{word} != {mutex}"));
                self.line(&format!("{word} = {mutex};"));
            }
            Op::Lock { mutex } => {
                let word = self.shadow(instr, *mutex)?;
                self.waits_at(&word);
                self.wait(&format!("{word} == 0"), &word, instr.internal)?;
                self.wrote = true;
                self.put(instr, &format!("{word} = {};", self.thread + 1));
            }
            Op::TryLock { dst, mutex } => {
                let word = self.shadow(instr, *mutex)?;
                let name = self.reg(*dst);
                self.read.insert(name.clone());
                self.line(&format!("{name} = {word} == 0;"));
                self.changes(&name);
                self.line(&format!("if ({name}) {word} = {};", self.thread + 1));
            }
            Op::Unlock { mutex } => {
                let word = self.shadow(instr, *mutex)?;
                self.wrote = true;
                if self.shared.checks.contains(Check::LockMisuse) {
                    self.check(&format!("{word} == {}", self.thread + 1), Check::LockMisuse);
                }
                self.releases(*mutex, &word);
                self.put(instr, &format!("{word} = 0;"));
            }
            Op::AtomicBegin { when } => {
                if let Some(guard) = when {
                    for inner in &guard.instrs {
                        self.instr(inner)?;
                    }
                    let cond = self.value(guard.cond)?;
                    self.wait(&cond, "0", instr.internal)?;
                }
            }
            Op::SelfHandle { dst } | Op::SelfNumber { dst } => {
                let number = self.thread + 1;
                self.set(*dst, &number.to_string());
            }
            Op::ExitThread { value } => {
                let value = self.value(*value)?;
                self.end(&value);
            }
            Op::ExitProgram { .. } | Op::Abort => {
                if self.depth > 0 {
                    self.end_section();
                }
                self.line("finished = 1; HALT;");
            }
            Op::Unsupported { what } => self.line(&format!("assume(0); /* not modelled: {what} */")),
            Op::Partial { what, .. } => self.line(&format!("/* beyond the bounds: {what} */")),
            Op::Call { .. } => return Err(self.refuse("a call that is not inlined")),
            Op::Fence { .. } | Op::LocalLive { .. } | Op::LocalDead { .. } | Op::Output { .. } => {}
            Op::AtomicEnd if self.depth > 0 => {}
            Op::AtomicEnd => self.end_section(),
        }
        Ok(())
    }

    /// The thread waits for a condition: for the end of a thread or for a lock that one has, if that has a number.
    pub(super) fn wait(&mut self, condition: &str, whom: &str, internal: bool) -> Result<(), Untranslatable> {
        let resumed = format!("pc == {} || ({condition})", self.steps - 1);
        let condition = if active("translated-wait-not-tested-again") { &resumed } else { condition };
        let whom = if active("translated-circles-missed") { "0" } else { whom };
        if !self.shared.checks.contains(Check::Deadlock) {
            self.line(&format!("assume({condition});"));
            return Ok(());
        }
        if self.wrote && self.depth > 0 {
            // The library's sections do not read what they have written.
            match self.section.filter(|section| internal && section.internal && !self.spins) {
                Some(section) => _ = self.shared.quiet.insert(section.opened_by),
                None => return Err(self.refuse("a section that waits after it has written")),
            }
        }
        self.commented = Loc::NONE;
        let name = if self.spins { "WAIT_OR_GO_ON" } else { "WAIT" };
        self.line(&format!("{name}({condition}, {whom});"));
        Ok(())
    }

    /// A write to memory. In a section that waits afterwards, nothing is written when the thread is tried.
    fn put(&mut self, instr: &Instr, text: &str) {
        let quiet = self.section.is_some_and(|section| self.shared.quiet.contains(&section.opened_by));
        let guard = if quiet && instr.internal { "if (!trying) " } else { "" };
        self.line(&format!("{guard}{text}"));
    }

    pub(super) fn rmw(
        &mut self,
        dst: RegId,
        op: RmwOp,
        ty: Ty,
        ptr: Operand,
        value: Operand,
    ) -> Result<(), Untranslatable> {
        let place = self.lvalue(ty, ptr)?;
        let value = self.value(value)?;
        self.set(dst, &place);
        let old = self.reg(dst);
        self.read.insert(old.clone());
        let new = match op {
            RmwOp::Exchange => value,
            RmwOp::Add => format!("{old} + {value}"),
            RmwOp::Sub => format!("{old} - {value}"),
            RmwOp::And => format!("{old} & {value}"),
            RmwOp::Or => format!("{old} | {value}"),
            RmwOp::Xor => format!("{old} ^ {value}"),
            RmwOp::Nand => format!("~({old} & {value})"),
        };
        self.line(&format!("{place} = {new};"));
        let ty = value_type(ty, self.shared.program.pointer_bytes);
        self.changes(&format!("({ty}){place} != {old}"));
        Ok(())
    }

    pub(super) fn exchange(&mut self, instr: &Instr, exchange: &CmpXchg) -> Result<(), Untranslatable> {
        let place = self.lvalue(exchange.ty, exchange.ptr)?;
        let [expected, desired] = [exchange.expected, exchange.desired].map(|part| self.value(part));
        let (expected, desired) = (expected?, desired?);
        self.set(exchange.old, &place);
        let (old, ok) = (self.reg(exchange.old), self.reg(exchange.ok));
        self.read.extend([old.clone(), ok.clone()]);
        let fails = if exchange.weak { format!(" && !{}", self.either()) } else { String::new() };
        self.line(&format!("{ok} = {old} == {expected}{fails};"));
        if self.races(instr, exchange.ptr)? {
            let range = self.range(exchange.ty, exchange.ptr, (0, 0));
            let text = self.range_text(&range)?;
            self.meet(&ok, &format!("{text}, WRITE | ATOMIC"));
        }
        let ty = value_type(exchange.ty, self.shared.program.pointer_bytes);
        self.changes(&format!("{ok} && ({ty}){place} != {desired}"));
        self.line(&format!("if ({ok}) {place} = {desired};"));
        Ok(())
    }

    pub(super) fn assert(&mut self, check: Check, cond: &Expr) -> Result<(), Untranslatable> {
        if !self.shared.checks.contains(check) {
            if check == Check::Assertion {
                let cond = self.expr(cond)?;
                self.line(&format!("if (!({cond})) {{ finished = 1; HALT; }}"));
            }
            return Ok(());
        }
        let cond = self.expr(cond)?;
        self.check(&cond, check);
        Ok(())
    }

    /// An assertion that stands for a property.
    pub(super) fn check(&mut self, cond: &str, check: Check) {
        // The comment names the property and the place, whatever was said before.
        self.commented = Loc::NONE;
        let name = match check {
            Check::Assertion => String::new(),
            other => format!(" /* {other} */"),
        };
        self.line(&format!("CHECK({cond});{name}"));
    }

    /// One of two values. A thread that is tried has to come round with both.
    fn either(&self) -> String {
        if self.spins { "either()".to_string() } else { "(nondet() & 1)".to_string() }
    }

    pub(super) fn choice(&mut self, ty: Ty, kind: ChoiceKind) -> Result<String, Untranslatable> {
        match kind {
            ChoiceKind::AllocFail | ChoiceKind::CallFail | ChoiceKind::Spurious | ChoiceKind::Base => {
                return Ok("0".to_string());
            }
            ChoiceKind::Value
            | ChoiceKind::Uninit
            | ChoiceKind::Clock
            | ChoiceKind::Timeout
            | ChoiceKind::Wake
            | ChoiceKind::WeakFail
            | ChoiceKind::Random => {}
        }
        match ty {
            Ty::Int(1) => Ok(self.either()),
            Ty::Int(width @ 0..=64) if stored_bits(width) == u32::from(width) => {
                let ty = value_type(ty, self.shared.program.pointer_bytes);
                Ok(format!("({ty})nondet()"))
            }
            Ty::Ptr if kind == ChoiceKind::Uninit => Ok("0".to_string()),
            Ty::Int(_) | Ty::F32 | Ty::F64 | Ty::Ptr => Err(self.refuse("an arbitrary value of such a type")),
        }
    }

    pub(super) fn spawn(&mut self, dst: RegId, func: Operand, arg: Operand) -> Result<(), Untranslatable> {
        let started = match self.constant(func) {
            Some(Const::Func(func)) => self.shared.threads.iter().position(|thread| thread.func == func),
            _ => None,
        };
        let Some(started) = started else { return Err(self.refuse("a thread whose function is not known")) };
        let arg = self.value(arg)?;
        self.line(&format!("argument[{started}] = {arg};"));
        self.line(&format!("started[{started}] = 1; state[{started}] = 1;"));
        self.set(dst, &(started + 1).to_string());
        Ok(())
    }

    /// The thread ends with a value.
    pub(super) fn end(&mut self, value: &str) {
        let thread = self.thread;
        // After a thread that ends inside a section nobody goes on.
        let last = if self.depth > 0 { " finished = 1;" } else { "" };
        if self.depth > 0 {
            self.end_section();
        }
        self.line(&format!("result[{thread}] = {value}; ended[{thread}] = 1;{last} HALT;"));
    }
}
