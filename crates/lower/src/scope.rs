//! Scopes and what happens on the way in and out of them.
//!
//! The scopes of a function form a tree. A block is a node; so is the declaration of a
//! variable-length array or of a variable with a `cleanup` attribute: the rest of its block is inside
//! it. A position in the function is a node, and a jump from one position to another leaves the nodes
//! up to the common ancestor (objects die, arrays are freed, cleanups run) and enters those below it
//! (objects come to life). So one mechanism serves falling through, `break`, `continue`, `goto` in
//! any direction, `switch`, and a jump back over a declaration.

use crate::func::{Home, Lowerer};
use braid_base::define_ids;
use braid_ir::{AllocKind, BlockId, ChoiceKind, Loc, Op, Operand, RegId};
use braid_sema::hir::{EntityId, LabelId, LocalId};

define_ids! {
    /// A node of a function's scope tree.
    ScopeId "scope";
}

pub(crate) struct Scope {
    parent: Option<ScopeId>,
    depth: u32,
    kind: ScopeKind,
}

#[derive(Clone)]
pub(crate) enum ScopeKind {
    Block(Vec<LocalId>),
    Vla(RegId),
    Cleanup { local: LocalId, function: EntityId },
}

/// A `goto` whose label was not yet met: `edge` is filled in when it is.
pub(crate) struct PendingJump {
    pub edge: BlockId,
    pub from: ScopeId,
    pub label: LabelId,
    pub loc: Loc,
}

impl Lowerer<'_, '_, '_> {
    /// Makes a node below the current one and moves into it.
    pub fn push_scope(&mut self, kind: ScopeKind) -> ScopeId {
        let depth = self.scopes.get(self.scope).map_or(0, |s| s.depth + 1);
        let parent = (depth > 0).then_some(self.scope);
        self.scope = self.scopes.push(Scope { parent, depth, kind });
        self.scope
    }

    /// Enters a block by its beginning.
    pub fn enter_block(&mut self, locals: &[LocalId], loc: Loc) -> ScopeId {
        let scope = self.push_scope(ScopeKind::Block(locals.to_vec()));
        self.begin_lives(locals, self.has_labels, loc);
        scope
    }

    /// Falls out of the end of the block `scope`.
    pub fn leave_block(&mut self, scope: ScopeId, loc: Loc) {
        let outside = self.scopes[scope].parent.unwrap_or(scope);
        self.leave_to(self.scope, outside, loc);
        self.scope = outside;
    }

    /// Frame objects come to life. A register variable whose declaration may be jumped over gets its
    /// arbitrary value here.
    fn begin_lives(&mut self, locals: &[LocalId], registers_too: bool, loc: Loc) {
        for &local in locals {
            match self.homes[local] {
                Home::Memory(object) => {
                    self.scoped[local] = true;
                    self.body.emit(Op::LocalLive { local: object }, loc);
                }
                Home::Reg(reg) if registers_too => self.set_arbitrary(reg, loc),
                Home::Reg(_) | Home::Pointer(_) => {}
            }
        }
    }

    pub fn set_arbitrary(&mut self, reg: RegId, loc: Loc) {
        let ty = self.body.regs[reg].ty;
        self.body.emit(Op::Nondet { dst: reg, ty, kind: ChoiceKind::Uninit }, loc);
        self.body.wrote(reg);
    }

    /// Emits what leaving every scope from `from` up to, not including, `to` does.
    pub fn leave_to(&mut self, from: ScopeId, to: ScopeId, loc: Loc) {
        let mut at = from;
        while at != to {
            let Some(parent) = self.scopes[at].parent else { return };
            let kind = self.scopes[at].kind.clone();
            // The cleanup of a variable runs outside the variable's own scope node.
            self.leave_one(&kind, loc);
            at = parent;
        }
    }

    fn leave_one(&mut self, kind: &ScopeKind, loc: Loc) {
        match kind {
            ScopeKind::Block(locals) => {
                for &local in locals.iter().rev() {
                    if let Home::Memory(object) = self.homes[local] {
                        self.body.emit(Op::LocalDead { local: object }, loc);
                    }
                }
            }
            ScopeKind::Vla(reg) => {
                self.body.emit(Op::Free { kind: AllocKind::Stack, ptr: Operand::Reg(*reg) }, loc);
            }
            ScopeKind::Cleanup { local, function } => self.call_cleanup(*local, *function, loc),
        }
    }

    /// Runs the cleanups of all open scopes, as `return` does; the objects die with the frame.
    pub fn run_cleanups(&mut self, loc: Loc) {
        let mut at = Some(self.scope);
        while let Some(scope) = at {
            let Some(node) = self.scopes.get(scope) else { return };
            at = node.parent;
            if let ScopeKind::Cleanup { local, function } = node.kind {
                self.call_cleanup(local, function, loc);
            }
        }
    }

    /// Emits what a jump between two positions does on its way.
    pub fn change_scope(&mut self, from: ScopeId, to: ScopeId, loc: Loc) {
        let ancestor = self.common_ancestor(from, to);
        self.leave_to(from, ancestor, loc);
        let mut entered = Vec::new();
        let mut at = to;
        while at != ancestor {
            let Some(parent) = self.scopes[at].parent else { break };
            entered.push(at);
            at = parent;
        }
        for scope in entered.into_iter().rev() {
            match self.scopes[scope].kind.clone() {
                ScopeKind::Block(locals) => self.begin_lives(&locals, true, loc),
                ScopeKind::Vla(_) => {
                    self.unsupported("jump into the scope of a variable-length array", loc);
                }
                ScopeKind::Cleanup { .. } => {}
            }
        }
    }

    /// The kinds of a scope and of those around it, innermost first.
    pub fn enclosing(&self, scope: ScopeId) -> impl Iterator<Item = &ScopeKind> {
        let node = |scope: ScopeId| self.scopes.get(scope);
        std::iter::successors(node(scope), move |scope| scope.parent.and_then(node)).map(|scope| &scope.kind)
    }

    fn common_ancestor(&self, mut a: ScopeId, mut b: ScopeId) -> ScopeId {
        while a != b {
            let (x, y) = (&self.scopes[a], &self.scopes[b]);
            if x.depth >= y.depth {
                match x.parent {
                    Some(parent) => a = parent,
                    None => return a,
                }
            } else {
                match y.parent {
                    Some(parent) => b = parent,
                    None => return b,
                }
            }
        }
        a
    }

    /// Jumps to `target`, whose scope encloses the current one.
    pub fn jump_out(&mut self, target: BlockId, scope: ScopeId, loc: Loc) {
        self.leave_to(self.scope, scope, loc);
        let next = self.body.new_block();
        self.body.jump_then(target, next, loc);
    }

    /// Fills the block `edge` with a jump from `from` to `target` in the scope `to`.
    pub fn fill_edge(&mut self, edge: BlockId, from: ScopeId, target: BlockId, to: ScopeId, loc: Loc) {
        let resume = self.body.current;
        self.body.current = edge;
        self.change_scope(from, to, loc);
        self.body.jump_then(target, resume, loc);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::ir_of;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&ir_of(text));
    }

    #[test]
    fn a_jump_out_kills_what_it_leaves() {
        check(
            "void g(int *p) { *p = 1; } int f(int n) { { int a; g(&a); { int b; g(&b); if (n) goto out; } } out: return n; }",
            expect![[r#"
                fn &f(%n.0) -> i32
                  local l0 "a" s0 size 4 align 4
                  local l1 "b" s0 size 4 align 4
                b0:
                  live l0
                  %1 = local l0
                  call &g(%1)
                  live l1
                  %2 = local l1
                  call &g(%2)
                  %3 = ne i32 %n.0, 0:i32
                  br %3, b1, b3
                b1:
                  dead l1
                  dead l0
                  jump b2
                b2:
                  ret %n.0
                b3:
                  dead l1
                  dead l0
                  jump b2
                }
            "#]],
        );
    }

    #[test]
    fn a_jump_in_brings_objects_to_life() {
        check(
            "void g(int *p) { *p = 1; } int f(int n) { switch (n) { int a; case 1: g(&a); } return 0; }",
            expect![[r#"
                fn &f(%n.0) -> i32
                  local l0 "a" s0 size 4 align 4
                b0:
                  switch i32 %n.0, [1: b1], b2
                b1:
                  live l0
                  %1 = local l0
                  call &g(%1)
                  dead l0
                  jump b2
                b2:
                  ret 0:i32
                }
            "#]],
        );
    }

    #[test]
    fn cleanups_run_on_return() {
        check(
            "void c(int *p) { *p = 1; } int f(int n) { int a __attribute__((cleanup(c))) = n; return a; }",
            expect![[r#"
                fn &f(%n.0) -> i32
                  local l0 "a" s0 size 4 align 4
                b0:
                  live l0
                  %1 = local l0
                  store i32 %1, %n.0
                  %2 = local l0
                  %3 = load i32 %2
                  %4 = local l0
                  call &c(%4)
                  ret %3
                }
            "#]],
        );
    }

    #[test]
    fn a_backward_jump_frees_a_variable_length_array() {
        check(
            "void g(char *p) { *p = 1; } void f(int n) { again:; char a[n]; g(a); if (n--) goto again; }",
            expect![[r#"
                fn &f(%n.0)
                b0:
                  jump b1
                b1:
                  %1 = sext i32 %n.0 to i64
                  %a.2 = alloc stack %1, 16:i64
                  call &g(%a.2)
                  %5 = %n.0
                  assert signed-overflow, fits sub signed i32 %n.0, 1:i32
                  %n.0 = sub i32 %n.0, 1:i32
                  %6 = ne i32 %5, 0:i32
                  br %6, b2, b3
                b2:
                  free stack %a.2
                  jump b1
                b3:
                  ret
                }
            "#]],
        );
    }
}
