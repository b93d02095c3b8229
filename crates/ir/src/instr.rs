//! Instructions, pure expressions, terminators.

use crate::program::{BlockId, ConstId, FuncId, GlobalId, InstrId, Loc, LocalId, RegId, ShapeId, Ty};
use braid_base::Symbol;
use braid_props::Check;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    Reg(RegId),
    Const(ConstId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Const {
    /// The value, zero-extended from `width`.
    Int {
        width: u8,
        bits: u128,
    },
    /// IEEE bit patterns.
    F32(u32),
    F64(u64),
    Null,
    /// Address of a global (not thread-local) plus a byte offset.
    Global(GlobalId, i64),
    Func(FuncId),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Instr {
    pub id: InstrId,
    pub loc: Loc,
    pub op: Op,
    /// Copied by a pass from a library model into another function: as if [`crate::Function::internal`] were true of that
    /// function here. `loc` is then the user's call, if there is one.
    pub internal: bool,
}

impl Instr {
    /// An instruction of the function in which it stands.
    pub fn new(id: InstrId, loc: Loc, op: Op) -> Instr {
        Instr { id, loc, op, internal: false }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    /// A pure computation.
    Assign {
        dst: RegId,
        value: Expr,
    },
    Load {
        dst: RegId,
        ty: Ty,
        ptr: Operand,
        access: Access,
    },
    Store {
        ty: Ty,
        ptr: Operand,
        value: Operand,
        access: Access,
    },
    /// Atomic read-modify-write; `dst` gets the old value.
    Rmw {
        dst: RegId,
        op: RmwOp,
        ty: Ty,
        ptr: Operand,
        value: Operand,
        order: Order,
    },
    /// Atomic compare-and-exchange; `ok` (Int(1)) says whether `desired` was stored, `old` gets the
    /// value read.
    CmpXchg(Box<CmpXchg>),
    Fence {
        order: Order,
    },
    /// `len` bytes from `src` to `dst`, one access pair per leaf in address order; the leaves are
    /// `shape`, repeated as often as it takes, the rest bytes. With `overlapping` (memmove) the order
    /// is descending if `dst` lies above `src` in the same object. Nothing happens if `len` is 0.
    Copy {
        dst: Operand,
        src: Operand,
        len: Operand,
        shape: ShapeId,
        overlapping: bool,
    },
    /// `len` bytes at `dst` become `byte` (Int(8)), one access per leaf.
    Fill {
        dst: Operand,
        byte: Operand,
        len: Operand,
        shape: ShapeId,
    },
    /// Arguments are passed by position. Where a caller and a callee disagree (old-style C, calls
    /// through a cast pointer), extra arguments are dropped, missing ones are arbitrary, and bits are
    /// cut or zero-extended to the parameter's type.
    Call {
        dst: Option<RegId>,
        callee: Callee,
        args: Vec<Operand>,
    },
    /// Stops the thread if `cond` (Int(1)) is false.
    Assume {
        cond: Operand,
    },
    /// A check placed by `lower`: if `cond` is false, `check` is violated here. A `%` in the message stands for
    /// the object behind the pointer `about`, which may be the handle of a thread. After a semicolon the message may
    /// name the error that the function gives back if this is not checked.
    Assert {
        check: Check,
        cond: Expr,
        message: Option<Symbol>,
        about: Option<Operand>,
    },
    /// A fresh object of `size` bytes (pointer-wide integer), contents arbitrary or zero.
    Alloc {
        dst: RegId,
        kind: AllocKind,
        size: Operand,
        align: Operand,
        zeroed: bool,
    },
    /// Ends a heap block's life (`free`; null is allowed and does nothing) or a `Stack` block's.
    Free {
        kind: AllocKind,
        ptr: Operand,
    },
    /// The frame object comes to life, with arbitrary contents; an older instance dies.
    LocalLive {
        local: LocalId,
    },
    LocalDead {
        local: LocalId,
    },
    /// An arbitrary value of the type.
    Nondet {
        dst: RegId,
        ty: Ty,
        kind: ChoiceKind,
    },
    /// One byte of standard input as Int(32), or -1 at its end.
    Input {
        dst: RegId,
    },
    /// One byte (Int(8)) to standard output (1) or standard error (2).
    Output {
        stream: u8,
        byte: Operand,
    },

    /// Starts a thread in `func` (a pointer) with the pointer `arg`; `dst` (pointer-wide integer)
    /// gets its handle, never 0. The thread's end value is what `func` returns.
    Spawn {
        dst: RegId,
        func: Operand,
        arg: Operand,
    },
    /// Waits for the thread to end; `dst` (Ptr) gets its end value.
    Join {
        dst: Option<RegId>,
        handle: Operand,
    },
    /// Nobody will join the thread: its id ends when both this has happened and the thread has ended.
    Detach {
        handle: Operand,
    },
    /// `dst` (Int(32)): a [`ThreadState`], as far as the question tells them apart.
    ThreadState {
        dst: RegId,
        ask: ThreadAsk,
        handle: Operand,
    },
    /// A thread is about to wait with the mutex at the condition variable that `word` (Ptr) belongs to. `dst` (Int(1)):
    /// whether the last one that waited there did so with another mutex, whose address is kept in the shadow of the word.
    Pair {
        dst: RegId,
        word: Operand,
        mutex: Operand,
    },
    /// Takes the mutex, waits while it is not free. Its state is an Int(32) in the shadow of its address:
    /// 0, the number of its owner (main has 1), or −n if those hold it together whose numbers are in the n
    /// words that follow (0 is nobody). A wait is for each of them.
    Lock {
        mutex: Operand,
    },
    /// `dst` (Int(1)): whether the mutex was taken.
    TryLock {
        dst: RegId,
        mutex: Operand,
    },
    Unlock {
        mutex: Operand,
    },
    /// Enters an atomic section; with `when`, blocks until the condition holds and enters in the same
    /// step.
    AtomicBegin {
        when: Option<Box<Guard>>,
    },
    AtomicEnd,
    /// Handle of the running thread (pointer-wide integer): opaque, like an address.
    SelfHandle {
        dst: RegId,
    },
    /// Number of the running thread plus one (Int(32)): what a mutex it holds has for an owner. For models.
    SelfNumber {
        dst: RegId,
    },
    /// Ends the thread with `value` (Ptr) for its joiner.
    ExitThread {
        value: Operand,
    },
    /// Ends the program: normally with status `code` (Int(32)), …
    ExitProgram {
        code: Operand,
    },
    /// … or abnormally, as `abort` does.
    Abort,
    /// A construct or function that is not supported; reaching it stops the run.
    Unsupported {
        what: Symbol,
    },
    /// From here on the program stands for only part of the behaviour of the C program, because a library model
    /// leaves some out or (`bound`) because of a bound that the user can raise. It does nothing, and a violation
    /// after it is one; but a program in which it can be reached is not proved.
    Partial {
        what: Symbol,
        bound: bool,
    },
}

impl Op {
    /// Visits the registers the operation sets, those of a guard included.
    pub fn destinations(&self, visit: &mut dyn FnMut(RegId)) {
        match self {
            Op::Assign { dst, .. }
            | Op::Load { dst, .. }
            | Op::Rmw { dst, .. }
            | Op::Alloc { dst, .. }
            | Op::Nondet { dst, .. }
            | Op::Input { dst }
            | Op::Spawn { dst, .. }
            | Op::ThreadState { dst, .. }
            | Op::Pair { dst, .. }
            | Op::TryLock { dst, .. }
            | Op::SelfHandle { dst }
            | Op::SelfNumber { dst } => visit(*dst),
            Op::CmpXchg(c) => [c.ok, c.old].into_iter().for_each(visit),
            Op::Call { dst, .. } | Op::Join { dst, .. } => dst.iter().copied().for_each(visit),
            Op::AtomicBegin { when } => {
                let guard = when.iter().flat_map(|guard| &guard.instrs);
                guard.for_each(|instr| instr.op.destinations(visit));
            }
            Op::Store { .. }
            | Op::Fence { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::Assume { .. }
            | Op::Assert { .. }
            | Op::Free { .. }
            | Op::LocalLive { .. }
            | Op::LocalDead { .. }
            | Op::Output { .. }
            | Op::Detach { .. }
            | Op::Lock { .. }
            | Op::Unlock { .. }
            | Op::AtomicEnd
            | Op::ExitThread { .. }
            | Op::ExitProgram { .. }
            | Op::Abort
            | Op::Unsupported { .. }
            | Op::Partial { .. } => {}
        }
    }
}

impl Op {
    /// The operands that the operation reads, those of a guard and of a message included.
    pub fn operands(&self) -> impl Iterator<Item = Operand> + '_ {
        let (fixed, more): ([Option<Operand>; 3], &[Operand]) = match self {
            Op::Assign { value, .. } => (value.fixed_operands(), &[]),
            Op::Assert { cond, about, .. } => (cond.fixed_operands(), about.as_slice()),
            Op::Load { ptr: a, .. }
            | Op::Assume { cond: a }
            | Op::Free { ptr: a, .. }
            | Op::Output { byte: a, .. }
            | Op::Join { handle: a, .. }
            | Op::Detach { handle: a }
            | Op::ThreadState { handle: a, .. }
            | Op::Lock { mutex: a }
            | Op::TryLock { mutex: a, .. }
            | Op::Unlock { mutex: a }
            | Op::ExitThread { value: a }
            | Op::ExitProgram { code: a } => ([Some(*a), None, None], &[]),
            Op::Store { ptr: a, value: b, .. }
            | Op::Pair { word: a, mutex: b, .. }
            | Op::Rmw { ptr: a, value: b, .. }
            | Op::Alloc { size: a, align: b, .. }
            | Op::Spawn { func: a, arg: b, .. } => ([Some(*a), Some(*b), None], &[]),
            Op::Copy { dst: a, src: b, len: c, .. } | Op::Fill { dst: a, byte: b, len: c, .. } => {
                ([Some(*a), Some(*b), Some(*c)], &[])
            }
            Op::CmpXchg(c) => ([Some(c.ptr), Some(c.expected), Some(c.desired)], &[]),
            Op::Call { callee: Callee::Pointer(a), args, .. } => ([Some(*a), None, None], args),
            Op::Call { callee: Callee::Direct(_), args, .. } => ([None; 3], args),
            Op::AtomicBegin { .. }
            | Op::Fence { .. }
            | Op::LocalLive { .. }
            | Op::LocalDead { .. }
            | Op::Nondet { .. }
            | Op::Input { .. }
            | Op::AtomicEnd
            | Op::SelfHandle { .. }
            | Op::SelfNumber { .. }
            | Op::Abort
            | Op::Unsupported { .. }
            | Op::Partial { .. } => ([None; 3], &[]),
        };
        let guard =
            if let Op::AtomicBegin { when: Some(guard) } = self { guard.operands() } else { Vec::new() };
        fixed.into_iter().flatten().chain(more.iter().copied()).chain(guard)
    }
}

impl Expr {
    /// The operands of the expression.
    pub fn operands(&self) -> impl Iterator<Item = Operand> + use<> {
        self.fixed_operands().into_iter().flatten()
    }

    /// The expression with other operands.
    pub fn map_operands(self, new: &mut dyn FnMut(Operand) -> Operand) -> Expr {
        match self {
            Expr::Use(a) => Expr::Use(new(a)),
            Expr::Unary { op, ty, a } => Expr::Unary { op, ty, a: new(a) },
            Expr::Binary { op, ty, a, b } => Expr::Binary { op, ty, a: new(a), b: new(b) },
            Expr::Compare { op, ty, a, b } => Expr::Compare { op, ty, a: new(a), b: new(b) },
            Expr::Fits { op, signed, ty, a, b } => Expr::Fits { op, signed, ty, a: new(a), b: new(b) },
            Expr::Cast { op, from, to, a } => Expr::Cast { op, from, to, a: new(a) },
            Expr::Select { ty, cond, then, other } => {
                Expr::Select { ty, cond: new(cond), then: new(then), other: new(other) }
            }
            Expr::PtrAdd { ptr, offset } => Expr::PtrAdd { ptr: new(ptr), offset: new(offset) },
            Expr::PtrDiff { a, b } => Expr::PtrDiff { a: new(a), b: new(b) },
            Expr::LocalAddr(_) | Expr::ThreadLocalAddr(_) => self,
            Expr::ObjectSize(a) => Expr::ObjectSize(new(a)),
            Expr::Math { f, ty, a, b } => Expr::Math { f, ty, a: new(a), b: new(b) },
        }
    }

    fn fixed_operands(&self) -> [Option<Operand>; 3] {
        match *self {
            Expr::Use(a) | Expr::Unary { a, .. } | Expr::Cast { a, .. } | Expr::ObjectSize(a) => {
                [Some(a), None, None]
            }
            Expr::Binary { a, b, .. }
            | Expr::Compare { a, b, .. }
            | Expr::Fits { a, b, .. }
            | Expr::Math { a, b, .. }
            | Expr::PtrDiff { a, b }
            | Expr::PtrAdd { ptr: a, offset: b } => [Some(a), Some(b), None],
            Expr::Select { cond, then, other, .. } => [Some(cond), Some(then), Some(other)],
            Expr::LocalAddr(_) | Expr::ThreadLocalAddr(_) => [None; 3],
        }
    }
}

impl Operand {
    /// The register, if it is one.
    pub fn reg(self) -> Option<RegId> {
        match self {
            Operand::Reg(reg) => Some(reg),
            Operand::Const(_) => None,
        }
    }
}

/// What a thread is to those who have its handle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum ThreadState {
    /// It was joined: its handle stands for nothing any more.
    Joined = 0,
    Joinable = 1,
    Detached = 2,
    /// A thread waits to join it.
    Awaited = 3,
    /// It is the running thread. Only [`ThreadAsk::Claim`] says so.
    Own = 4,
    /// The value is no thread's handle.
    NoThread = 5,
    /// It was detached and has ended. Only [`ThreadAsk::Life`] says so.
    Gone = 6,
}

/// What somebody wants to know of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ThreadAsk {
    /// Whether it can be joined by the running thread. If so, it is awaited from now on.
    Claim,
    /// Whether it can be joined or detached.
    Join,
    /// Whether it can be cancelled or sent a signal: one that was detached can until it ends.
    Life,
}

#[derive(Clone, PartialEq, Debug)]
pub struct CmpXchg {
    pub ok: RegId,
    pub old: RegId,
    pub ty: Ty,
    pub ptr: Operand,
    pub expected: Operand,
    pub desired: Operand,
    pub success: Order,
    pub failure: Order,
    /// May fail although the values are equal.
    pub weak: bool,
}

/// The condition of a blocking section: straight-line code of `Assign` and `Load` only, evaluated
/// anew at every attempt; enters if `cond` (Int(1)) comes out true.
#[derive(Clone, PartialEq, Debug)]
pub struct Guard {
    pub instrs: Vec<Instr>,
    pub cond: Operand,
}

impl Guard {
    fn operands(&self) -> Vec<Operand> {
        let instrs = self.instrs.iter().flat_map(|instr| instr.op.operands());
        instrs.chain([self.cond]).collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    Direct(FuncId),
    Pointer(Operand),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AllocKind {
    Heap,
    /// `alloca` and variable-length arrays: dies with the frame, or by `Free`.
    Stack,
}

/// How an access touches memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Access {
    pub order: Order,
    pub volatile: bool,
    pub space: Space,
    /// For a bit-field: bytes before and after the accessed ones that belong to the same memory
    /// location (the run of adjacent bit-fields). Only data races look at them.
    pub extent: (u16, u16),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Order {
    /// Not atomic.
    #[default]
    Plain,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// What the models leave in the bytes of a synchronisation object that was destroyed, as Int(32).
pub const DESTROYED: u32 = 0xdead_beef;

/// Which of an object's two address spaces: its contents, or the state a model keeps under the same
/// address (zero at first).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Space {
    #[default]
    Memory,
    Shadow,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RmwOp {
    Exchange,
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
}

/// What an arbitrary value stands for; the kinds of the schedule format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChoiceKind {
    /// `__VERIFIER_nondet_*` and kin.
    Value,
    /// An uninitialised register variable.
    Uninit,
    /// A clock reading.
    Clock,
    /// Whether a timed wait times out.
    Timeout,
    /// Which waiter is woken.
    Wake,
    /// Whether a weak compare-and-exchange fails.
    WeakFail,
    /// Whether an allocation fails.
    AllocFail,
    /// Whether a wait for a condition ends for no reason.
    Spurious,
    /// Whether a heap block gets the base address of one that was freed.
    Base,
    /// Whether a call that asks for a resource other than memory fails.
    CallFail,
    /// A pseudo-random number, where the sequence of the library is left open.
    Random,
}

/// A pure expression. Operands have the type shown; results are as described.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Expr {
    Use(Operand),
    Unary {
        op: UnOp,
        ty: Ty,
        a: Operand,
    },
    /// Int, F32 or F64 as the operator allows. Integer arithmetic wraps.
    Binary {
        op: BinOp,
        ty: Ty,
        a: Operand,
        b: Operand,
    },
    /// Result Int(1).
    Compare {
        op: CmpOp,
        ty: Ty,
        a: Operand,
        b: Operand,
    },
    /// Int(1): whether the mathematically exact result of the operation fits the type, read as
    /// signed or unsigned.
    Fits {
        op: FitsOp,
        signed: bool,
        ty: Ty,
        a: Operand,
        b: Operand,
    },
    Cast {
        op: CastOp,
        from: Ty,
        to: Ty,
        a: Operand,
    },
    Select {
        ty: Ty,
        cond: Operand,
        then: Operand,
        other: Operand,
    },
    /// Byte offset (pointer-wide integer) added to a pointer; stays with the pointer's object.
    PtrAdd {
        ptr: Operand,
        offset: Operand,
    },
    /// Byte distance `a - b`, pointer-wide integer.
    PtrDiff {
        a: Operand,
        b: Operand,
    },
    /// Address of a frame object; it must be alive.
    LocalAddr(LocalId),
    /// Address of the running thread's instance.
    ThreadLocalAddr(GlobalId),
    /// Bytes from the pointer to the end of its object, pointer-wide integer; 0 if it points into no live
    /// object.
    ObjectSize(Operand),
    /// A function of the C math library on F32 or F64 that is not an IEEE operation; see [`MathFn`].
    Math {
        f: MathFn,
        ty: Ty,
        a: Operand,
        b: Operand,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnOp {
    /// Bitwise complement, Int.
    Not,
    Neg,
    FNeg,
    FAbs,
    Popcount,
    /// Count of leading (trailing) zero bits; the width if the operand is 0.
    Clz,
    Ctz,
    /// Byte order reversed; width a multiple of 8.
    Bswap,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    /// Division by zero is guarded by an `Assert` before it; the operation itself ends the run there
    /// (DESIGN rule 4) if unchecked. `MIN / -1` wraps.
    SDiv,
    UDiv,
    SRem,
    URem,
    And,
    Or,
    Xor,
    /// The count has the same type and is taken modulo the width.
    Shl,
    LShr,
    AShr,
    FAdd,
    FSub,
    FMul,
    FDiv,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FitsOp {
    Add,
    Sub,
    Mul,
    /// `a / b` with signed operands: false only for `MIN / -1`.
    Div,
    /// `a << b` for a signed `a`: a >= 0 and the result representable.
    Shl,
    /// The shift count `b`, compared with the width of `ty`; `a` is ignored.
    ShiftCount,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CmpOp {
    /// Int, Ptr.
    Eq,
    Ne,
    /// Int.
    Slt,
    Sle,
    /// Int, and Ptr (by offset in one object, by base address otherwise).
    Ult,
    Ule,
    /// F32, F64: false on NaN, but `FNe` is true.
    FEq,
    FNe,
    FLt,
    FLe,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastOp {
    /// Int to narrower Int.
    Trunc,
    /// Int to wider Int.
    Zext,
    Sext,
    /// F32 to F64 and back (nearest even).
    FloatToFloat,
    /// Toward zero; out of range gives what x86-64 gives (the "integer indefinite" pattern for
    /// signed conversions up to 64 bits, wrapped from wider ones otherwise).
    FloatToSint,
    FloatToUint,
    SintToFloat,
    UintToFloat,
    /// Pointer to pointer-wide Int and back.
    PtrToInt,
    IntToPtr,
    /// Same bits: Int(32) and F32, Int(64) and F64.
    Bits,
    /// Same type, same bits: whatever address it is made from, control may depend on it from now on. For
    /// output, which no verdict looks at.
    Forget,
}

/// Functions computed by the host's math library or exactly. `b` equals `a` for unary ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum MathFn {
    // Exact IEEE operations.
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// Half away from zero.
    Round,
    /// Half to even.
    Rint,
    Fmod,
    Remainder,
    Fmin,
    Fmax,
    Copysign,
    Nextafter,
    // Approximations, as good as the host's.
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Pow,
    Cbrt,
    Hypot,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Terminator {
    pub id: InstrId,
    pub loc: Loc,
    pub kind: TermKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum TermKind {
    Jump(BlockId),
    Branch {
        cond: Operand,
        then: BlockId,
        other: BlockId,
    },
    /// Bit patterns of `ty`; ascending, distinct.
    Switch {
        ty: Ty,
        value: Operand,
        cases: Vec<(u128, BlockId)>,
        default: BlockId,
    },
    Return(Option<Operand>),
    /// Never reached: the instruction before it ends the thread, the program or the run.
    Unreachable,
}

impl TermKind {
    /// The operand that the terminator reads.
    pub fn operand(&self) -> Option<Operand> {
        match self {
            TermKind::Branch { cond: read, .. } | TermKind::Switch { value: read, .. } => Some(*read),
            TermKind::Return(value) => *value,
            TermKind::Jump(_) | TermKind::Unreachable => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::program::{BlockId, FuncId};

    /// The operands of each instruction of a function, as the text names registers.
    fn operands(code: &str) -> Vec<String> {
        let text = format!(
            "shape s0 = i32\nfn &f(%0) {{\nreg %0 ptr, %1 i32, %2 i32, %3 i1, %4 i64\nlocal l0 s0 size 4 align 4\nb0:\n{code}\nret\n}}\n"
        );
        let program = crate::parse(&text).expect("the text is a program");
        let name =
            |operand: super::Operand| operand.reg().map_or("const".to_string(), |reg| format!("%{}", reg.0));
        let instrs = program.functions[FuncId(0)].blocks[BlockId(0)].instrs.iter();
        instrs.map(|instr| instr.op.operands().map(name).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn operands_of_operations() {
        let code = "%1 = select i32 %3, %1, %2\nstore i32 %0, %1\n%3, %1 = cmpxchg i32 %0, %1, %2 seq_cst seq_cst\n\
                    copy %0, %0, %4 s0\ncall *%0(%1, 5:i32)\nassert assertion, %3, \"m\" about %0\nlive l0\n\
                    %1 = nondet i32 value";
        let expected =
            ["%3 %1 %2", "%0 %1", "%0 %1 %2", "%0 %0 %4", "%0 %1 const", "%3 %0", "", ""].map(String::from);
        assert_eq!(operands(code), expected);
    }

    #[test]
    fn operands_of_a_guard() {
        let code = "atomic-begin when %3 {\n%1 = load i32 %0\n%3 = eq i32 %1, %2\n}\natomic-end";
        assert_eq!(operands(code), ["%0 %1 %2 %3", ""].map(String::from));
    }
}
