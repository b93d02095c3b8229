//! The abstract syntax tree of one translation unit: GNU C11/C17 as written, before types.
//!
//! Names are resolved only as far as parsing C demands (is this identifier a typedef?). The tree
//! keeps everything needed to print the program back as C ([`crate::print`]).

use braid_base::{Span, Symbol};

pub struct TranslationUnit {
    pub items: Vec<Item>,
}

pub enum Item {
    Declaration(Declaration),
    Function(Box<FunctionDef>),
    StaticAssert(StaticAssert),
    /// A file-scope `asm("...")`.
    Asm(Span),
}

/// `int f(a, b) int a; char b; { ... }`: the K&R parameter declarations are empty for a prototype.
pub struct FunctionDef {
    pub specs: DeclSpecs,
    pub declarator: Declarator,
    pub attrs: Vec<Attribute>,
    pub old_style_params: Vec<Declaration>,
    pub body: Block,
    pub span: Span,
}

pub struct StaticAssert {
    pub cond: Box<Expr>,
    pub message: Option<String>,
    pub span: Span,
}

/// `specs declarator = init, declarator = init;` With no declarators it declares only a tag.
pub struct Declaration {
    pub specs: DeclSpecs,
    pub declarators: Vec<InitDeclarator>,
    pub span: Span,
}

pub struct InitDeclarator {
    pub declarator: Declarator,
    /// `__asm__("name")` after the declarator (glibc's `__REDIRECT`).
    pub asm_label: Option<Symbol>,
    pub attrs: Vec<Attribute>,
    pub init: Option<Initializer>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StorageClass {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

pub struct DeclSpecs {
    pub storage: Option<StorageClass>,
    pub thread_local: bool,
    pub inline: bool,
    pub noreturn: bool,
    /// C23 `constexpr`: also `const`, and `static` unless another class is given.
    pub is_constexpr: bool,
    pub quals: Quals,
    pub ty: TypeSpec,
    /// `_Alignas(...)`.
    pub alignas: Vec<Alignas>,
    pub attrs: Vec<Attribute>,
    pub span: Span,
}

pub enum Alignas {
    Type(TypeName),
    Expr(Box<Expr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Quals {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
}

/// The type named by declaration specifiers. Combinations such as `long unsigned int long` are
/// resolved by the parser into a [`BasicType`].
pub enum TypeSpec {
    Basic(BasicType),
    /// No type specifier at all (implicit `int`; the parser has not warned, `sema` does).
    Implicit,
    Typedef(Symbol),
    Record(Box<RecordSpec>),
    Enum(Box<EnumSpec>),
    TypeofExpr(Box<Expr>),
    TypeofType(Box<TypeName>),
    /// `_Atomic(type)`.
    Atomic(Box<TypeName>),
    /// `__auto_type`.
    Auto,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BasicType {
    Void,
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    Float,
    Double,
    LongDouble,
    /// `_Float128`/`__float128`: accepted in headers; any computation with it is unsupported.
    Float128,
    /// `_Complex` of any base: accepted in headers; any computation with it is unsupported.
    Complex,
    /// `__builtin_va_list`.
    VaList,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RecordKind {
    Struct,
    Union,
}

pub struct RecordSpec {
    pub kind: RecordKind,
    pub tag: Option<(Symbol, Span)>,
    /// `None` for a mere reference `struct s`.
    pub members: Option<Vec<MemberDecl>>,
    pub attrs: Vec<Attribute>,
    pub span: Span,
}

pub enum MemberDecl {
    Fields(FieldDecl),
    StaticAssert(StaticAssert),
}

/// `int a : 3, *b;` or, with no declarators, an anonymous struct or union.
pub struct FieldDecl {
    pub specs: DeclSpecs,
    pub declarators: Vec<FieldDeclarator>,
    pub span: Span,
}

pub struct FieldDeclarator {
    /// Unnamed for a padding bit-field `int : 3`.
    pub declarator: Declarator,
    pub width: Option<Box<Expr>>,
    pub attrs: Vec<Attribute>,
}

pub struct EnumSpec {
    pub tag: Option<(Symbol, Span)>,
    pub enumerators: Option<Vec<Enumerator>>,
    pub attrs: Vec<Attribute>,
    pub span: Span,
}

pub struct Enumerator {
    pub name: Symbol,
    pub value: Option<Box<Expr>>,
    pub span: Span,
}

/// A declarator as the list of its derivations, **from the name outward**: `int *f[3]` is
/// `[Array(3), Pointer]`, `int (*f)[3]` is `[Pointer, Array(3)]`. To build the type, start from the
/// specifiers' type and apply the list from its end.
pub struct Declarator {
    pub name: Option<(Symbol, Span)>,
    pub parts: Vec<DeclaratorPart>,
    /// Attributes inside the declarator, e.g. `int (__attribute__((cdecl)) f)(void)`.
    pub attrs: Vec<Attribute>,
    pub span: Span,
}

pub enum DeclaratorPart {
    Pointer { quals: Quals },
    Array { size: ArraySize, quals: Quals },
    Function(Params),
}

pub enum ArraySize {
    /// `[]`
    Unknown,
    /// `[*]`
    Star,
    /// `[n]` or `[static n]`
    Expr(Box<Expr>),
}

pub enum Params {
    /// `()`: nothing is known. `(void)` is a prototype without parameters.
    Unspecified,
    /// `(a, b)`, the identifier list of a K&R definition.
    Identifiers(Vec<(Symbol, Span)>),
    Prototype {
        params: Vec<ParamDecl>,
        variadic: bool,
    },
}

pub struct ParamDecl {
    pub specs: DeclSpecs,
    pub declarator: Declarator,
    pub attrs: Vec<Attribute>,
    pub span: Span,
}

/// A type name, as in casts: an abstract declarator behind specifiers.
pub struct TypeName {
    pub specs: DeclSpecs,
    pub declarator: Declarator,
    pub span: Span,
}

/// One attribute of `__attribute__((a, b(1)))` or `[[gnu::a]]`; underscores around the name are
/// stripped (`__packed__` is `packed`). `#pragma pack(n)` appears on the records it covers as `packed`
/// (for 1) or as `pragma_pack(n)`: no member is aligned to more than `n`.
pub struct Attribute {
    pub name: Symbol,
    pub args: Vec<Expr>,
    pub span: Span,
}

pub enum Initializer {
    Expr(Box<Expr>),
    List(InitList),
}

pub struct InitList {
    pub items: Vec<InitItem>,
    pub span: Span,
}

pub struct InitItem {
    /// `.a[3].b =`; empty for a positional item. GNU's `a:` is written as `.a =`.
    pub designators: Vec<Designator>,
    pub init: Initializer,
    pub span: Span,
}

pub enum Designator {
    Field(Symbol, Span),
    Index(Box<Expr>),
    /// `[first ... last]`
    Range(Box<Expr>, Box<Expr>),
}

pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

pub enum ExprKind {
    Name(Symbol),
    Int(IntLit),
    Float(FloatLit),
    /// A character constant: its value as `int` (or as the wide type).
    Char {
        value: i64,
        encoding: Encoding,
    },
    /// Adjacent literals joined; without the terminating zero.
    Str(StrLit),
    /// `( e )`: kept, because `sizeof`, printing and some GNU rules look at it.
    Paren(Box<Expr>),
    Generic {
        control: Box<Expr>,
        arms: Vec<GenericArm>,
    },
    StmtExpr(Block),
    Index {
        base: Box<Expr>,
        index: Box<Expr>,
    },
    Call {
        callee: Box<Expr>,
        args: Vec<Expr>,
    },
    /// `base.field`, or `base->field` if `arrow`.
    Member {
        base: Box<Expr>,
        field: Symbol,
        field_span: Span,
        arrow: bool,
    },
    PostInc(Box<Expr>),
    PostDec(Box<Expr>),
    PreInc(Box<Expr>),
    PreDec(Box<Expr>),
    CompoundLiteral {
        ty: Box<TypeName>,
        init: InitList,
    },
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    SizeofExpr(Box<Expr>),
    SizeofType(Box<TypeName>),
    AlignofExpr(Box<Expr>),
    AlignofType(Box<TypeName>),
    Cast {
        ty: Box<TypeName>,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// `a ? b : c`; `then` is `None` for GNU's `a ?: c`.
    Cond {
        cond: Box<Expr>,
        then: Option<Box<Expr>>,
        other: Box<Expr>,
    },
    /// `lhs = rhs`, or `lhs op= rhs`.
    Assign {
        op: Option<BinaryOp>,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    Comma(Box<Expr>, Box<Expr>),
    /// `&&label`
    LabelAddr(Symbol),
    /// `__builtin_offsetof(type, member.designator[1])`
    Offsetof {
        ty: Box<TypeName>,
        path: Vec<Designator>,
    },
    /// `__builtin_va_arg(list, type)`
    VaArg {
        list: Box<Expr>,
        ty: Box<TypeName>,
    },
    TypesCompatible {
        a: Box<TypeName>,
        b: Box<TypeName>,
    },
    ChooseExpr {
        cond: Box<Expr>,
        then: Box<Expr>,
        other: Box<Expr>,
    },
    /// `__func__`, `__FUNCTION__`, `__PRETTY_FUNCTION__`
    FuncName,
    /// C23 `true` and `false`.
    Bool(bool),
    /// C23 `nullptr`.
    Nullptr,
    /// `__extension__ e`, `__real__ e`, `__imag__ e` keep only the last two; `__real__` and
    /// `__imag__` are unsupported.
    RealImag {
        operand: Box<Expr>,
    },
}

pub struct GenericArm {
    /// `None` for `default`.
    pub ty: Option<TypeName>,
    pub expr: Expr,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntLit {
    pub value: u128,
    pub unsigned: bool,
    pub size: IntSize,
    /// Decimal constants never become unsigned by their size alone.
    pub decimal: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntSize {
    Plain,
    Long,
    LongLong,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloatLit {
    /// Correctly rounded to the kind's precision (`long double` to `double`).
    pub value: f64,
    pub kind: FloatSuffix,
    /// Suffix `i`/`j`: a complex constant (an integer with that suffix is one, too).
    pub imaginary: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatSuffix {
    Float,
    Double,
    LongDouble,
    Float128,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    Plain,
    /// `L`
    Wide,
    Utf8,
    Utf16,
    Utf32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrLit {
    /// Code units: bytes for `Plain` and `Utf8`, else one element per `wchar_t`/`char16_t`/`char32_t`.
    pub units: Vec<u32>,
    pub encoding: Encoding,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    AddrOf,
    Deref,
    Plus,
    Minus,
    BitNot,
    Not,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    LogAnd,
    LogOr,
}

pub struct Block {
    pub items: Vec<BlockItem>,
    /// `__label__ a, b;`
    pub local_labels: Vec<Symbol>,
    pub span: Span,
}

pub enum BlockItem {
    Declaration(Declaration),
    StaticAssert(StaticAssert),
    /// A nested function (GNU): unsupported when reached.
    NestedFunction(Box<FunctionDef>),
    Stmt(Stmt),
}

pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

pub enum StmtKind {
    Empty,
    Expr(Box<Expr>),
    Block(Block),
    If {
        cond: Box<Expr>,
        then: Box<Stmt>,
        other: Option<Box<Stmt>>,
    },
    While {
        cond: Box<Expr>,
        body: Box<Stmt>,
    },
    DoWhile {
        body: Box<Stmt>,
        cond: Box<Expr>,
    },
    For {
        init: ForInit,
        cond: Option<Box<Expr>>,
        step: Option<Box<Expr>>,
        body: Box<Stmt>,
    },
    Switch {
        cond: Box<Expr>,
        body: Box<Stmt>,
    },
    /// `case a:` or `case a ... b:`
    Case {
        first: Box<Expr>,
        last: Option<Box<Expr>>,
        body: Box<Stmt>,
    },
    Default {
        body: Box<Stmt>,
    },
    Label {
        name: Symbol,
        attrs: Vec<Attribute>,
        body: Box<Stmt>,
    },
    Goto(Symbol),
    /// `goto *e`
    GotoComputed(Box<Expr>),
    Break,
    Continue,
    Return(Option<Box<Expr>>),
    Asm(AsmStmt),
    /// `__attribute__((fallthrough));`
    Attribute,
}

pub enum ForInit {
    None,
    Expr(Box<Expr>),
    Declaration(Declaration),
    StaticAssert(StaticAssert),
}

/// Inline assembly. Clobbers and the labels of `asm goto` are parsed and dropped: they matter only to a
/// compiler that reorders or to a text that jumps.
pub struct AsmStmt {
    pub template: String,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
}

/// `[name] "constraint" (value)`
pub struct AsmOperand {
    pub name: Option<Symbol>,
    pub constraint: String,
    pub value: Expr,
}
