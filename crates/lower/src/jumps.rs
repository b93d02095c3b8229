//! `setjmp` and `longjmp` within one thread.
//!
//! A jump out of functions is lowered to returns. `longjmp` announces the place it looks for (`c/jump.c` of
//! the models keeps that, per thread); after every call that may have announced one, the caller asks. If one of
//! its own places of `setjmp` is meant, it goes on there with the jump's value, else it returns in turn. So no
//! engine has to know of jumps, and locks that are held stay held.
//!
//! A place is one call of `setjmp` in one frame. Its token dies with the frame: `longjmp` to a dead one is a
//! use after free. A number in a local variable that is not volatile and has changed since `setjmp` is
//! indeterminate after the jump, as C has it; pointers, and variables that live in memory, keep their values.
//!
//! A function of the library that calls the user's (`qsort`) is not left by a jump: unsupported.

use crate::body::{Body, at_start};
use crate::context::Class;
use crate::func::{Home, Lowerer};
use crate::link::Target;
use crate::scope::{ScopeId, ScopeKind};
use braid_base::Symbol;
use braid_ir::{BlockId, Callee, CmpOp, Expr, FuncId, Loc, Op, Operand, RegId, TermKind, Ty};
use braid_models as models;
use braid_models::jump;
use braid_props::Check;

const INT: Ty = Ty::Int(32);

/// The jumps of the function being lowered.
#[derive(Default)]
pub(crate) struct Jumps {
    places: Vec<PlaceOfJump>,
    landings: Vec<Landing>,
}

/// A call of `setjmp`.
struct PlaceOfJump {
    /// Holds its token once it was reached, 0 before.
    token: RegId,
    /// What `setjmp` returns.
    value: RegId,
    resume: BlockId,
    scope: ScopeId,
    /// Variables in registers, and the registers that hold what they were when `setjmp` was called.
    saved: Vec<(RegId, RegId)>,
}

/// A block that is entered after a call if a jump is under way.
struct Landing {
    block: BlockId,
    scope: ScopeId,
    loc: Loc,
}

impl Lowerer<'_, '_, '_> {
    /// A call of `setjmp`: gives its value.
    pub fn set_jump(&mut self, context: Operand, loc: Loc) -> Operand {
        let (token, value) = (self.body.temp(INT), self.body.temp(INT));
        let (first, known, resume) = (self.body.new_block(), self.body.new_block(), self.body.new_block());
        let zero = self.cx.zero(INT);
        let is_new = Expr::Compare { op: CmpOp::Eq, ty: INT, a: Operand::Reg(token), b: zero };
        let is_new = self.emit_value(is_new, Ty::BOOL, loc);
        self.body.branch(is_new, first, known, loc);
        self.body.current = first;
        let fresh = self.call_jump(jump::PLACE, Vec::new(), true, loc);
        self.set_temp(token, fresh, loc);
        self.body.flow_into(known, loc);
        self.call_jump(jump::SAVE, vec![context, Operand::Reg(token)], false, loc);
        let saved = self.save_variables(loc);
        self.set_temp(value, zero, loc);
        self.body.flow_into(resume, loc);
        self.jumps.places.push(PlaceOfJump { token, value, resume, scope: self.scope, saved });
        Operand::Reg(value)
    }

    /// Copies the variables that a jump may leave indeterminate.
    fn save_variables(&mut self, loc: Loc) -> Vec<(RegId, RegId)> {
        let numbers = self.homes.iter().filter_map(|home| match *home {
            Home::Reg(reg) if self.body.regs[reg].ty != Ty::Ptr => Some(reg),
            Home::Reg(_) | Home::Memory(_) | Home::Pointer(_) => None,
        });
        let numbers: Vec<RegId> = numbers.collect();
        let mut saved = Vec::new();
        for reg in numbers {
            let copy = self.body.temp(self.body.regs[reg].ty);
            self.set_temp(copy, Operand::Reg(reg), loc);
            saved.push((reg, copy));
        }
        saved
    }

    /// Variables that changed since `setjmp` become indeterminate.
    fn forget_changes(&mut self, saved: &[(RegId, RegId)], loc: Loc) {
        for &(reg, copy) in saved {
            // One write is the declaration's.
            if self.body.is_written_once(reg) {
                continue;
            }
            let ty = self.body.regs[reg].ty;
            let bits = Ty::Int(ty.bits(self.cx.program.pointer_bytes) as u8);
            let a = self.fit(Operand::Reg(reg), ty, bits, loc);
            let b = self.fit(Operand::Reg(copy), ty, bits, loc);
            let changed = self.emit_value(Expr::Compare { op: CmpOp::Ne, ty: bits, a, b }, Ty::BOOL, loc);
            let (forget, next) = (self.body.new_block(), self.body.new_block());
            self.body.branch(changed, forget, next, loc);
            self.body.current = forget;
            self.set_arbitrary(reg, loc);
            self.body.flow_into(next, loc);
        }
    }

    /// A call of `longjmp`, up to the point where frames must be left.
    pub fn begin_jump(&mut self, context: Operand, value: Operand, loc: Loc) {
        let lives = self.call_jump(jump::BEGIN, vec![context, value], true, loc);
        let lives = self.nonzero(lives, INT, loc);
        let message = Some(Symbol::intern("longjmp to a function that has returned, or to another thread's"));
        self.body.emit(
            Op::Assert { check: Check::UseAfterFree, cond: Expr::Use(lives), message, about: None },
            loc,
        );
    }

    /// Leaves this point for a place of this function, or the function.
    pub fn land(&mut self, loc: Loc) {
        let (block, next) = (self.body.new_block(), self.body.new_block());
        self.body.jump_then(block, next, loc);
        self.jumps.landings.push(Landing { block, scope: self.scope, loc });
    }

    /// Goes on after a call, unless it was left by a jump.
    pub fn after_call(&mut self, callee: Callee, loc: Loc) {
        if !self.cx.user_mentions_any(models::LONG_JUMPS) {
            return;
        }
        let library = self.cx.linker.units[self.unit].library;
        match callee {
            Callee::Direct(id) if library || self.cx.program.functions[id].internal => return,
            Callee::Direct(_) | Callee::Pointer(_) => {}
        }
        let target = self.call_jump(jump::TARGET, Vec::new(), true, loc);
        let jumping = self.nonzero(target, INT, loc);
        let (block, next) = (self.body.new_block(), self.body.new_block());
        self.body.branch(jumping, block, next, loc);
        if library {
            self.body.current = block;
            self.unsupported("longjmp out of a function that the library calls", loc);
        } else {
            self.jumps.landings.push(Landing { block, scope: self.scope, loc });
        }
        self.body.current = next;
    }

    /// Fills in what happens after calls that a jump has left; to be called when the function is complete.
    pub fn resolve_landings(&mut self) {
        let jumps = std::mem::take(&mut self.jumps);
        for landing in &jumps.landings {
            self.body.current = landing.block;
            self.resolve_landing(landing, &jumps.places);
        }
        if !jumps.places.is_empty() {
            self.frame_of_places(&jumps.places);
        }
    }

    fn resolve_landing(&mut self, landing: &Landing, places: &[PlaceOfJump]) {
        let loc = landing.loc;
        for place in places {
            let (here, next) = (self.body.new_block(), self.body.new_block());
            let target = self.call_jump(jump::TARGET, Vec::new(), true, loc);
            let is_here = Expr::Compare { op: CmpOp::Eq, ty: INT, a: target, b: Operand::Reg(place.token) };
            let is_here = self.emit_value(is_here, Ty::BOOL, loc);
            self.body.branch(is_here, here, next, loc);
            self.body.current = here;
            if self.has_cleanup(landing.scope) {
                self.unsupported("longjmp out of the scope of a variable with a cleanup function", loc);
            } else {
                let value = self.call_jump(jump::ARRIVE, Vec::new(), true, loc);
                self.forget_changes(&place.saved, loc);
                self.set_temp(place.value, value, loc);
                self.change_scope(landing.scope, place.scope, loc);
                self.body.flow_into(place.resume, loc);
            }
            self.body.current = next;
        }
        let class = self.ret.map_or(Class::Void, |ret| self.cx.class(ret.ty));
        let value = match class {
            Class::Scalar(ty) => Some(self.cx.zero(ty)),
            Class::Void | Class::Aggregate => None,
        };
        self.body.end(TermKind::Return(value), loc);
    }

    /// The tokens are 0 at first, and die where the function returns.
    fn frame_of_places(&mut self, places: &[PlaceOfJump]) {
        let Some(Target::Function(depth_of)) = self.cx.library_function(jump::DEPTH) else { return };
        let Some(Target::Function(leave)) = self.cx.library_function(jump::LEAVE) else { return };
        let depth = self.body.temp(INT);
        let zero = self.cx.zero(INT);
        let mut first: Vec<Op> = Vec::new();
        first.push(Op::Call { dst: Some(depth), callee: Callee::Direct(depth_of), args: Vec::new() });
        for place in places {
            first.push(Op::Assign { dst: place.token, value: Expr::Use(zero) });
            first.push(Op::Assign { dst: place.value, value: Expr::Use(zero) });
        }
        at_start(&mut self.body, first);
        before_returns(&mut self.body, leave, depth);
    }

    fn has_cleanup(&self, scope: ScopeId) -> bool {
        let is_cleanup = |kind: &ScopeKind| matches!(kind, ScopeKind::Cleanup { .. });
        self.enclosing(scope).any(is_cleanup)
    }

    /// Calls one of the functions that keep track of jumps; gives its result, an `int`, if it has one.
    fn call_jump(&mut self, name: &str, args: Vec<Operand>, has_result: bool, loc: Loc) -> Operand {
        let Some(Target::Function(id)) = self.cx.library_function(name) else {
            self.unsupported("non-local jump", loc);
            return self.cx.zero(INT);
        };
        let dst = has_result.then(|| self.body.temp(INT));
        self.body.emit(Op::Call { dst, callee: Callee::Direct(id), args }, loc);
        dst.map_or(self.cx.zero(INT), Operand::Reg)
    }
}

fn before_returns(body: &mut Body, leave: FuncId, depth: RegId) {
    for block in body.blocks.ids().collect::<Vec<BlockId>>() {
        let Some(end) = &body.blocks[block].end else { continue };
        if matches!(end.kind, TermKind::Return(_)) {
            let loc = end.loc;
            let args = vec![Operand::Reg(depth)];
            body.current = block;
            body.emit(Op::Call { dst: None, callee: Callee::Direct(leave), args }, loc);
        }
    }
}
