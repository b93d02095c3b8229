//! One function: where its variables live, its beginning and its end.
//!
//! A scalar whose address is not taken lives in a register, everything else in a frame object (or, for
//! a record parameter, in the copy its caller made; for a variable-length array, in a stack block).
//!
//! Calling convention: a record result is written through a hidden first pointer parameter; record
//! arguments are pointers to copies made by the caller; a variadic function has a hidden last
//! parameter, a pointer to its variable arguments (see `call`).

use crate::body::Body;
use crate::context::{Class, Context};
use crate::link::Ref;
use crate::scope::{PendingJump, Scope, ScopeId, ScopeKind};
use crate::tidy;
use braid_base::{IndexVec, Span, Symbol};
use braid_ir as ir;
use braid_ir::fold::fold;
use braid_ir::{BlockId, Expr, FuncId, Loc, Op, Operand, RegId, TermKind, Ty};
use braid_sema::hir::{self, EntityKind, LocalId, StmtKind};
use braid_sema::types::{ArrayLen, FloatKind, QualType, TypeId, TypeKind};

/// What a jump out of the statement of a thread is.
pub(crate) const OUT_OF_THREAD: &str = "a jump out of the statement of a thread";

/// And one into it.
pub(crate) const INTO_THREAD: &str = "a jump into the statement of a thread";

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Home {
    Reg(RegId),
    Memory(ir::LocalId),
    /// At the address in this register.
    Pointer(RegId),
}

/// Where `break` and `continue` lead.
#[derive(Clone, Copy)]
pub(crate) struct Exit {
    pub block: BlockId,
    pub scope: ScopeId,
}

/// The innermost switches: where their cases begin.
pub(crate) struct SwitchFrame {
    pub cases: Vec<BlockId>,
    pub default: BlockId,
    pub scope: ScopeId,
}

pub(crate) struct LabelState {
    pub block: BlockId,
    /// Its scope, once it was met.
    pub scope: Option<ScopeId>,
    /// Its name, if reaching it is an error.
    pub error: Option<Symbol>,
    /// What follows it runs in a thread of its own.
    pub asynchronous: bool,
}

pub(crate) struct Lowerer<'c, 's, 'h> {
    pub cx: &'c mut Context<'s>,
    pub unit: usize,
    pub locals: &'h IndexVec<LocalId, hir::Local>,
    pub body: Body,
    pub homes: IndexVec<LocalId, Home>,
    /// Frame objects whose life a block begins; others begin theirs when they are initialised.
    pub scoped: IndexVec<LocalId, bool>,
    pub scopes: IndexVec<ScopeId, Scope>,
    pub scope: ScopeId,
    pub labels: IndexVec<hir::LabelId, LabelState>,
    pub has_labels: bool,
    pub pending: Vec<PendingJump>,
    pub breaks: Vec<Exit>,
    pub continues: Vec<Exit>,
    pub switches: Vec<SwitchFrame>,
    /// Temporary objects of the full expressions being evaluated.
    pub temps: Vec<ir::LocalId>,
    /// Type of the function's value.
    pub ret: Option<QualType>,
    /// Where a record result goes.
    pub result_ptr: Option<RegId>,
    /// The hidden parameter of a variadic function.
    pub variable_args: Option<RegId>,
    /// Calls of `setjmp`, and where jumps may arrive.
    pub jumps: crate::jumps::Jumps,
}

/// Lowers the function `at` into the slot `id`.
pub(crate) fn lower_function(cx: &mut Context<'_>, at: Ref, id: FuncId) {
    let unit = cx.linker.units[at.unit].hir.clone();
    let entity = &unit.entities[at.entity];
    let (EntityKind::Function(function) | EntityKind::InlineFunction(function)) = &entity.kind else {
        return;
    };
    let mut lowerer = Lowerer::new(cx, at.unit, &function.locals);
    lowerer.ret = Some(function.fn_ty.ret);
    lowerer.has_labels = !function.labels.is_empty();
    let library = lowerer.cx.linker.units[at.unit].library;
    for label in function.labels.iter() {
        let block = lowerer.body.new_block();
        let error = (!library && lowerer.cx.is_error_label(label.name)).then_some(label.name);
        let asynchronous = !library && label.name.as_str().starts_with(braid_models::THREAD_LABEL);
        lowerer.labels.push(LabelState { block, scope: None, error, asynchronous });
    }
    let loc = lowerer.cx.loc(entity.span);
    lowerer.make_homes(&function.params);
    let params = lowerer.prologue(function, loc);
    if !library {
        lowerer.error_call(entity.name, loc);
    } else if let Some(braid_models::Fidelity::Under(what)) = crate::link::fidelity(entity) {
        let what = Symbol::intern(&format!("{}: {what}", entity.name));
        lowerer.body.emit(Op::Partial { what, bound: false }, loc);
    }
    // Reaching the end of `main` returns 0 (C11 5.1.2.2.3).
    let ends_in_zero = entity.name.as_str() == "main" && entity.linkage == hir::Linkage::External;
    lowerer.function_body(&function.body, ends_in_zero);
    lowerer.finish(id, params);
}

impl<'c, 's, 'h> Lowerer<'c, 's, 'h> {
    pub fn new(cx: &'c mut Context<'s>, unit: usize, locals: &'h IndexVec<LocalId, hir::Local>) -> Self {
        Lowerer {
            cx,
            unit,
            locals,
            body: Body::new(),
            homes: IndexVec::new(),
            scoped: IndexVec::new(),
            scopes: IndexVec::new(),
            scope: ScopeId(0),
            labels: IndexVec::new(),
            has_labels: false,
            pending: Vec::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            temps: Vec::new(),
            ret: None,
            result_ptr: None,
            variable_args: None,
            jumps: crate::jumps::Jumps::default(),
        }
    }

    pub fn make_homes(&mut self, params: &[LocalId]) {
        let mut is_param: IndexVec<LocalId, bool> = self.locals.iter().map(|_| false).collect();
        params.iter().for_each(|&param| is_param[param] = true);
        for (id, local) in self.locals.enumerated() {
            // A record parameter is the caller's copy.
            let home = match self.cx.class(local.ty.ty) {
                Class::Aggregate if is_param[id] => Home::Pointer(self.body.variable(Ty::Ptr, local.name)),
                Class::Aggregate | Class::Scalar(_) | Class::Void => self.make_home(local),
            };
            self.homes.push(home);
            self.scoped.push(false);
        }
    }

    fn make_home(&mut self, local: &hir::Local) -> Home {
        if let TypeKind::Array { len: ArrayLen::Vla(_), .. } = self.cx.types.kind(local.ty.ty) {
            return Home::Pointer(self.body.variable(Ty::Ptr, local.name));
        }
        if let TypeKind::Array { elem, .. } = self.cx.types.kind(local.ty.ty) {
            // An array of known length whose elements are variable-length.
            if self.is_variably_sized(elem.ty) {
                return Home::Pointer(self.body.variable(Ty::Ptr, local.name));
            }
        }
        let quals = local.ty.quals;
        let in_memory =
            local.address_taken || quals.is_volatile || quals.is_atomic || local.cleanup.is_some();
        self.note_long_double(local.ty.ty);
        match self.cx.class(local.ty.ty) {
            Class::Scalar(ty) if !in_memory => Home::Reg(self.body.variable(ty, local.name)),
            Class::Scalar(_) | Class::Void | Class::Aggregate => {
                let align = local.align.unwrap_or(1).max(self.cx.align_of(local.ty.ty));
                Home::Memory(self.frame_object(local.ty.ty, align, local.name))
            }
        }
    }

    pub fn is_variably_sized(&self, ty: TypeId) -> bool {
        match self.cx.types.kind(ty) {
            TypeKind::Array { len: ArrayLen::Vla(_), .. } => true,
            TypeKind::Array { elem, .. } => self.is_variably_sized(elem.ty),
            _ => false,
        }
    }

    pub fn frame_object(&mut self, ty: TypeId, align: u64, name: Option<Symbol>) -> ir::LocalId {
        let shape = self.cx.shape_of(ty);
        let size = self.cx.size_of(ty);
        self.body.locals.push(ir::Local { name, shape, size, align })
    }

    /// Notes the assumption when a user's variable or expression has type `long double`.
    pub fn note_long_double(&mut self, ty: TypeId) {
        if matches!(self.cx.types.kind(ty), TypeKind::Float(FloatKind::LongDouble))
            && !self.cx.linker.units[self.unit].library
        {
            self.cx.assume("long double as double");
        }
    }

    /// Receives the parameters; gives the registers they arrive in.
    fn prologue(&mut self, function: &hir::Function, loc: Loc) -> Vec<RegId> {
        let mut params = Vec::new();
        if self.cx.class(function.fn_ty.ret.ty) == Class::Aggregate {
            let reg = self.body.temp(Ty::Ptr);
            self.result_ptr = Some(reg);
            params.push(reg);
        }
        for (index, &local) in function.params.iter().enumerate() {
            let declared = function.fn_ty.params.get(index).map(|p| p.ty);
            let reg = self.receive(local, declared.filter(|_| !function.fn_ty.unprototyped), loc);
            params.push(reg);
        }
        if function.fn_ty.variadic {
            let reg = self.body.temp(Ty::Ptr);
            self.variable_args = Some(reg);
            params.push(reg);
        }
        params
    }

    /// One parameter, which arrives as `declared` (an old-style one: promoted).
    fn receive(&mut self, local: LocalId, declared: Option<TypeId>, loc: Loc) -> RegId {
        let info = &self.locals[local];
        let (ty, name) = (info.ty.ty, info.name);
        let own = self.cx.scalar(ty);
        let arrives = match declared {
            Some(declared) => self.cx.scalar(declared),
            None => promoted(own),
        };
        match self.homes[local] {
            Home::Reg(reg) if arrives == own => reg,
            Home::Reg(reg) => {
                let arriving = self.body.temp(arrives);
                let value = self.narrow_argument(Operand::Reg(arriving), arrives, own, loc);
                self.body.write_variable(reg, value, loc);
                arriving
            }
            Home::Memory(object) => {
                let arriving = self.body.variable(arrives, name);
                self.scoped[local] = true;
                self.body.emit(Op::LocalLive { local: object }, loc);
                let value = self.narrow_argument(Operand::Reg(arriving), arrives, own, loc);
                let ptr = self.emit_value(Expr::LocalAddr(object), Ty::Ptr, loc);
                self.body.emit(Op::Store { ty: own, ptr, value, access: ir::Access::default() }, loc);
                arriving
            }
            Home::Pointer(reg) => reg,
        }
    }

    /// Undoes the default promotions for an old-style parameter.
    fn narrow_argument(&mut self, value: Operand, from: Ty, to: Ty, loc: Loc) -> Operand {
        match (from, to) {
            (Ty::F64, Ty::F32) => {
                let cast = Expr::Cast { op: ir::CastOp::FloatToFloat, from, to, a: value };
                self.emit_value(cast, to, loc)
            }
            _ => self.fit(value, from, to, loc),
        }
    }

    fn function_body(&mut self, body: &hir::Stmt, ends_in_zero: bool) {
        let loc = self.cx.loc(body.span);
        self.push_scope(ScopeKind::Block(Vec::new()));
        if let StmtKind::Block { locals, stmts } = &body.kind {
            self.enter_block(locals, loc);
            for stmt in stmts {
                self.stmt(stmt);
            }
        } else {
            self.stmt(body);
        }
        let end = self.cx.loc(Span::new(body.span.hi.saturating_sub(1).max(body.span.lo), body.span.hi));
        self.run_cleanups(end);
        self.fall_off_the_end(ends_in_zero, end);
        self.resolve_jumps();
        self.resolve_landings();
    }

    /// Jumps to labels that were met later, or, from the statement of a thread, never.
    pub fn resolve_jumps(&mut self) {
        for jump in std::mem::take(&mut self.pending) {
            let label = &self.labels[jump.label];
            if let Some(scope) = label.scope {
                let block = label.block;
                self.fill_edge(jump.edge, jump.from, block, scope, jump.loc);
            } else {
                self.body.current = jump.edge;
                self.unsupported(OUT_OF_THREAD, jump.loc);
            }
        }
    }

    /// C gives the call's value no meaning then: without one, whoever reads it gets an arbitrary one.
    fn fall_off_the_end(&mut self, ends_in_zero: bool, loc: Loc) {
        let class = self.ret.map_or(Class::Void, |ret| self.cx.class(ret.ty));
        let value = match class {
            Class::Scalar(ty) if ends_in_zero => Some(self.cx.zero(ty)),
            Class::Void | Class::Aggregate | Class::Scalar(_) => None,
        };
        self.body.end(TermKind::Return(value), loc);
    }

    /// Puts the finished body into the program.
    pub fn finish(self, id: FuncId, params: Vec<RegId>) {
        let class = self.ret.map_or(Class::Void, |ret| self.cx.class(ret.ty));
        let unordered = self.body.unordered;
        let (regs, locals, blocks) = self.body.finish();
        let function = &mut self.cx.program.functions[id];
        self.cx.unordered |= unordered && !function.internal;
        function.params = params;
        function.ret = match class {
            Class::Scalar(ty) => Some(ty),
            Class::Void | Class::Aggregate => None,
        };
        function.regs = regs;
        function.locals = locals;
        function.blocks = tidy::tidy(blocks);
    }

    /// The value of a pure expression, as a constant if it folds, else in a fresh temporary.
    pub fn emit_value(&mut self, expr: Expr, ty: Ty, loc: Loc) -> Operand {
        let bits = self.cx.pointer_bits();
        if let Some(operand) = fold(&mut self.cx.program.consts, bits, &expr) {
            return operand;
        }
        let dst = self.body.temp(ty);
        self.body.emit(Op::Assign { dst, value: expr }, loc);
        Operand::Reg(dst)
    }

    /// Stops the run here; what follows is never reached.
    pub fn unsupported(&mut self, what: &str, loc: Loc) {
        self.body.emit(Op::Unsupported { what: Symbol::intern(what) }, loc);
        self.body.end(TermKind::Unreachable, loc);
    }

    pub fn loc(&mut self, span: Span) -> Loc {
        self.cx.loc(span)
    }
}

/// The type an argument of a type has after the default promotions.
fn promoted(ty: Ty) -> Ty {
    match ty {
        Ty::Int(width) => Ty::Int(width.max(32)),
        Ty::F32 | Ty::F64 => Ty::F64,
        Ty::Ptr => Ty::Ptr,
    }
}
