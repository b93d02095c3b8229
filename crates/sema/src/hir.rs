//! The typed tree: what `sema` hands to `lower`.
//!
//! Every expression has its C type; every implicit conversion is a node of its own (`Load` for
//! lvalue-to-rvalue, `Decay`, `Cast`). Constant subexpressions need not be folded, but array sizes,
//! case labels, enumerators, bit-field widths and static initialisers are evaluated. Names are gone:
//! locals are [`LocalId`], file-scope entities [`EntityId`] of their unit.
//!
//! An expression is an *lvalue* exactly if its kind is `Local`, `Entity`, `Deref`, `Member` (of an
//! lvalue or of a record rvalue), `CompoundLiteral` or `Str`; everything else is an rvalue. Rvalues of
//! record type are allowed (calls, assignments, `Load`, `Cond`, `Comma`, statement expressions).

use crate::types::{ArrayLen, BitField, FnType, QualType, Types};
use braid_base::{IndexVec, Span, Symbol, define_ids};

define_ids! {
    /// A function, variable or string literal at file scope of one unit (static locals too).
    EntityId "e";
    /// A local variable, parameter or hidden local of one function.
    LocalId "l";
    /// A label of one function.
    LabelId "label";
}

/// A checked program: its units, not yet linked.
pub struct Program {
    pub types: Types,
    pub units: Vec<Unit>,
}

pub struct Unit {
    /// File name of the unit, for messages.
    pub name: String,
    pub entities: IndexVec<EntityId, Entity>,
}

/// Something with an address at file scope.
pub struct Entity {
    /// The linker's name (`asm` label if there is one); empty for string literals, and for
    /// file-scope compound literals. Static locals carry their source name.
    pub name: Symbol,
    pub linkage: Linkage,
    pub ty: QualType,
    pub kind: EntityKind,
    /// Place of the definition, else of the first declaration.
    pub span: Span,
    /// Used anywhere in the unit (an unused undefined extern needs no definition).
    pub used: bool,
    /// Where it is first named in an evaluated expression.
    pub first_use: Option<Span>,
    pub thread_local: bool,
    /// Explicit alignment, at least the type's.
    pub align: Option<u64>,
    pub attrs: EntityAttrs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    External,
    /// `static`, string literals, static locals.
    Internal,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EntityAttrs {
    pub noreturn: bool,
    pub constructor: Option<u32>,
    pub destructor: Option<u32>,
    pub weak: bool,
}

pub enum EntityKind {
    /// Declared here, defined elsewhere (or in the library).
    Undefined,
    Function(Box<Function>),
    /// A C11 `inline` definition without `extern`: used only if no external definition is linked.
    InlineFunction(Box<Function>),
    Variable(StaticInit),
    /// `int x;` without initialiser: may coincide with others of the same name.
    Tentative,
}

/// The initial contents of a static object: zero but for `data` (ascending, disjoint), with
/// addresses filled in by the linker.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StaticInit {
    /// Size of the object; larger than its type's if a flexible array member is initialised.
    pub size: u64,
    pub data: Vec<(u64, Vec<u8>)>,
    /// At `offset` stands the address of `target` plus `addend` (pointer-sized).
    pub relocs: Vec<Reloc>,
    /// A read-only object: string literals and `const` objects (writing to one is an invalid access).
    pub read_only: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reloc {
    pub offset: u64,
    pub target: EntityId,
    pub addend: i64,
}

pub struct Function {
    pub fn_ty: FnType,
    pub params: Vec<LocalId>,
    pub locals: IndexVec<LocalId, Local>,
    pub labels: IndexVec<LabelId, Label>,
    /// Always `StmtKind::Block`.
    pub body: Stmt,
}

pub struct Local {
    /// `None` for hidden locals.
    pub name: Option<Symbol>,
    pub ty: QualType,
    pub align: Option<u64>,
    pub span: Span,
    /// Its address is taken (`&x`, array decay, aggregate access, captured by `asm`, …). Scalars
    /// that are not address-taken and not volatile or atomic can live in registers.
    pub address_taken: bool,
    /// `__attribute__((cleanup(f)))`: called with the address when the scope ends, in reverse order.
    pub cleanup: Option<EntityId>,
}

pub struct Label {
    pub name: Symbol,
    pub span: Span,
}

pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

pub enum StmtKind {
    Empty,
    Expr(Expr),
    /// A scope; `locals` are those whose lifetime it bounds (not variable-length arrays, whose
    /// lifetime begins at their `Decl`).
    Block {
        locals: Vec<LocalId>,
        stmts: Vec<Stmt>,
    },
    /// Execution reaches the declaration: the object takes its initial value, or an indeterminate
    /// one. For a variable-length array: storage is allocated, until its block ends.
    Decl {
        local: LocalId,
        init: Option<Init>,
    },
    If {
        cond: Expr,
        then: Box<Stmt>,
        other: Option<Box<Stmt>>,
    },
    While {
        cond: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        body: Box<Stmt>,
        cond: Expr,
    },
    /// `init` (with its own scope) is in an enclosing `Block`.
    For {
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    /// `cond` is promoted; the `Case`s inside `body` that belong to it are numbered 0.. in order of
    /// appearance and listed here with inclusive ranges of bit patterns of the promoted type, in the
    /// order of that type's signedness; `default` says whether a `Default` belongs to it.
    Switch {
        cond: Expr,
        body: Box<Stmt>,
        cases: Vec<CaseRange>,
        has_default: bool,
    },
    /// The n-th case of the innermost switch.
    Case {
        index: usize,
        body: Box<Stmt>,
    },
    Default {
        body: Box<Stmt>,
    },
    Label {
        label: LabelId,
        body: Box<Stmt>,
    },
    Goto(LabelId),
    Break,
    Continue,
    Return(Option<Expr>),
    /// An `asm` without operands whose text does nothing under sequential consistency (see `assembly`).
    Barrier,
    /// A construct that is left out; reaching it stops the run.
    Unsupported(String),
}

/// Inclusive; `first == last` for a plain case. Bit patterns, truncated to the promoted type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CaseRange {
    pub first: u128,
    pub last: u128,
}

/// How an automatic object gets its value.
pub enum Init {
    /// A scalar, or a record by value.
    Expr(Expr),
    /// An aggregate: the object is zeroed first unless `covers` says every byte that matters is
    /// written, then the items are stored in order.
    List(InitList),
}

pub struct InitList {
    pub items: Vec<InitItem>,
    pub covers: bool,
}

pub struct InitItem {
    pub offset: u64,
    pub bits: Option<BitField>,
    /// Type of the part; a record type if a record rvalue initialises it whole. For a `char` array
    /// initialised by a string literal: the array type, and `value` is the `Str` lvalue (copied, the
    /// rest stays zero).
    pub ty: QualType,
    pub value: Expr,
    /// For `[a ... b] = v`: the value is evaluated once and stored `count` times, `stride` apart.
    pub count: u64,
    pub stride: u64,
}

pub struct Expr {
    pub kind: ExprKind,
    pub ty: QualType,
    pub span: Span,
}

pub enum ExprKind {
    /// An integer, `_Bool`, enum or (null) pointer constant: the bit pattern in the type's width.
    Int(u128),
    /// Already rounded to the type.
    Float(f64),

    // Lvalues
    Local(LocalId),
    Entity(EntityId),
    /// A string literal object (array of char); an entity of the unit.
    Str(EntityId),
    Deref(Box<Expr>),
    /// `base` is an lvalue or a record rvalue.
    Member {
        base: Box<Expr>,
        offset: u64,
        bits: Option<BitField>,
        /// No member of the record (or of the anonymous ones on the way) comes after it.
        last: bool,
    },
    /// At block scope: initialises the hidden local each time it is evaluated. (At file scope it is
    /// an `Entity`.)
    CompoundLiteral {
        local: LocalId,
        init: Box<Init>,
    },

    // Conversions
    /// The value of an lvalue (scalar or record).
    Load(Box<Expr>),
    /// Array lvalue (or array member of a record rvalue) to pointer to its first element.
    Decay(Box<Expr>),
    /// Function designator, or `&lvalue`: the address.
    AddrOf(Box<Expr>),
    Cast {
        kind: CastKind,
        operand: Box<Expr>,
    },

    // Operators: both operands have the same type unless said otherwise.
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// Result `int`; operands of one arithmetic type, or both pointers.
    Compare {
        op: CompareOp,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// `ptr + index * size` (`negate`: minus). `index` is an integer of any width and keeps its
    /// signedness. `size` is an rvalue of type `size_t`, a constant but for pointers to VLAs.
    PtrAdd {
        ptr: Box<Expr>,
        index: Box<Expr>,
        size: Box<Expr>,
        negate: bool,
        bound: Bound,
    },
    /// `(lhs - rhs) / size`, of type `ptrdiff_t`.
    PtrDiff {
        lhs: Box<Expr>,
        rhs: Box<Expr>,
        size: Box<Expr>,
    },
    /// Operands are scalars of any type; result `int` 0 or 1.
    LogAnd(Box<Expr>, Box<Expr>),
    LogOr(Box<Expr>, Box<Expr>),
    LogNot(Box<Expr>),
    Cond {
        cond: Box<Expr>,
        then: Box<Expr>,
        other: Box<Expr>,
    },
    /// GNU `a ?: b`: `cond` is evaluated once; its value, converted to the result type by `convert`
    /// (steps applied innermost first), is the result if it is not zero.
    CondOmitted {
        cond: Box<Expr>,
        convert: Vec<(CastKind, QualType)>,
        other: Box<Expr>,
    },
    Comma(Box<Expr>, Box<Expr>),
    /// Value (rvalue) of the left operand after the assignment. Records too.
    Assign {
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// `lhs op= rhs`: `lhs` is loaded, converted to `compute` by `convert`, combined with `rhs`
    /// (already of the right type: `compute`, or the promoted count for shifts), and the result
    /// converted back by `back`.
    AssignOp(Box<AssignOp>),
    /// `p += n`, `p -= n`, `p++`, …: like `PtrAdd` on the loaded value.
    AssignPtr {
        lhs: Box<Expr>,
        index: Box<Expr>,
        size: Box<Expr>,
        negate: bool,
        result: IncResult,
    },
    Call {
        callee: Callee,
        args: Vec<Expr>,
    },
    Builtin {
        op: Builtin,
        args: Vec<Expr>,
    },
    /// `va_arg`: `list` points to the va_list storage.
    VaArg {
        list: Box<Expr>,
    },
    /// The value is that of the last expression statement, `result`; void if `None`. `result` is
    /// evaluated inside the scope of `body` after its statements.
    StmtExpr {
        body: Box<Stmt>,
        result: Option<Box<Expr>>,
    },
    /// Records a VLA's element count: evaluates `count` into the hidden local; type `void`.
    SetVlaLen {
        local: LocalId,
        count: Box<Expr>,
    },
    /// A construct that is left out; reaching it stops the run.
    Unsupported(String),
}

/// What a subscript demands of its index: what GCC's `-fsanitize=bounds` checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Arithmetic on a pointer, no subscript of an array.
    NoArray,
    /// A subscript of an array whose length does not count: it is not known, or 0, or the array comes last
    /// in a record behind a pointer and may be meant as a flexible one.
    Open,
    /// `0 <= index < length`: the element is used.
    Within(ArrayLen),
    /// `0 <= index <= length`: only the element's address is taken.
    UpTo(ArrayLen),
}

pub struct AssignOp {
    pub op: BinaryOp,
    pub lhs: Expr,
    pub rhs: Expr,
    pub convert: Vec<(CastKind, QualType)>,
    pub compute: QualType,
    pub back: Vec<(CastKind, QualType)>,
    pub result: IncResult,
}

/// Which value an update expression has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IncResult {
    New,
    /// The value before (`x++`).
    Old,
}

pub enum Callee {
    /// A function known by name.
    Direct(EntityId),
    /// An rvalue of type pointer to function.
    Pointer(Box<Expr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastKind {
    /// Integer (or enum) to integer of any width; extension by the source's signedness.
    Int,
    /// Scalar to `_Bool`: `!= 0`.
    ToBool,
    IntToFloat,
    FloatToInt,
    Float,
    PtrToInt,
    IntToPtr,
    /// Pointer to pointer, same bits.
    Ptr,
    ToVoid,
    /// Same representation (e.g. adding qualifiers, record to compatible record).
    Same,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Neg,
    BitNot,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// The count has its own promoted type.
    Shl,
    Shr,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Compiler operators that look like calls. Arguments are converted rvalues; the types are given
/// where they are not obvious. (`__builtin_memcpy` and its kin are ordinary calls of the library
/// function; `sema` drops the prefix.)
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// `(list)`: pointer to the va_list storage.
    VaStart,
    VaEnd,
    /// `(dst, src)`: pointers to storage.
    VaCopy,
    /// `(a, b, ptr)`: mathematically exact sum of any integer types stored to `*ptr`; result `_Bool`
    /// "did not fit".
    AddOverflow,
    SubOverflow,
    MulOverflow,
    /// `(a, b, witness)`: the same without storing; the third argument only gives the type.
    AddOverflowP,
    SubOverflowP,
    MulOverflowP,
    Popcount,
    Parity,
    Clz,
    Ctz,
    /// `__builtin_ffs`
    Ffs,
    /// `__builtin_clrsb`
    Clrsb,
    Bswap,
    Unreachable,
    Trap,
    Alloca,
    /// `(order)`: `__atomic_thread_fence`, `__sync_synchronize`; a signal fence is nothing.
    Fence,
    /// `(ptr, order)` → value
    AtomicLoad,
    /// `(ptr, value, order)`
    AtomicStore,
    /// `(ptr, value, order)` → old value
    AtomicExchange,
    /// `(ptr, value, order)` → old, or new value if `fetch_after`
    AtomicRmw {
        op: RmwOp,
        fetch_after: bool,
    },
    /// `(ptr, expected_ptr, desired, success, failure)` → `_Bool`; `weak` may fail spuriously
    AtomicCompareExchange {
        weak: bool,
    },
    /// `(ptr, expected_value, desired)` → old value, or `_Bool` if `returns_bool` (`__sync_*`)
    SyncCompareSwap {
        returns_bool: bool,
    },
    /// Floating-point operators on `float` or `double`.
    Fabs,
    Copysign,
    IsNan,
    IsInf,
    IsInfSign,
    IsFinite,
    IsNormal,
    Signbit,
    /// `isgreater` and kin: comparisons that are false on NaN, no exceptions.
    IsGreater,
    IsGreaterEqual,
    IsLess,
    IsLessEqual,
    IsLessGreater,
    IsUnordered,
    /// `__builtin_fpclassify(nan, inf, normal, subnormal, zero, x)`
    FpClassify,
    /// `__builtin_frame_address(0)`, `__builtin_return_address(0)`: unsupported when used.
    FrameAddress,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RmwOp {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
    /// The smaller one, signed; the others alike.
    Min,
    UMin,
    Max,
    UMax,
}
