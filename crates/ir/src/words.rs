//! The words of the text form: one table per enumeration, read by the printer and the parser alike.
//!
//! `word` is an exhaustive match, so a new operation cannot be forgotten; `from_word` searches the
//! same table.

use crate::instr::{
    AllocKind, BinOp, CastOp, ChoiceKind, CmpOp, FitsOp, MathFn, Order, RmwOp, ThreadAsk, UnOp,
};

macro_rules! words {
    ($($name:ident { $($variant:ident $word:literal,)* })*) => {$(
        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The operation's word in the text form.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }

            pub fn from_word(word: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|item| item.word() == word)
            }
        }
    )*};
}

words! {
    UnOp {
        Not "not", Neg "neg", FNeg "fneg", FAbs "fabs", Popcount "popcount", Clz "clz", Ctz "ctz",
        Bswap "bswap",
    }
    BinOp {
        Add "add", Sub "sub", Mul "mul", SDiv "sdiv", UDiv "udiv", SRem "srem", URem "urem", And "and",
        Or "or", Xor "xor", Shl "shl", LShr "lshr", AShr "ashr", FAdd "fadd", FSub "fsub", FMul "fmul",
        FDiv "fdiv",
    }
    FitsOp { Add "add", Sub "sub", Mul "mul", Div "div", Shl "shl", ShiftCount "count", }
    CmpOp {
        Eq "eq", Ne "ne", Slt "slt", Sle "sle", Ult "ult", Ule "ule", FEq "feq", FNe "fne", FLt "flt",
        FLe "fle",
    }
    CastOp {
        Trunc "trunc", Zext "zext", Sext "sext", FloatToFloat "fcast", FloatToSint "ftosi",
        FloatToUint "ftoui", SintToFloat "sitof", UintToFloat "uitof", PtrToInt "ptrtoint",
        IntToPtr "inttoptr", Bits "bits", Forget "forget",
    }
    MathFn {
        Sqrt "sqrt", Floor "floor", Ceil "ceil", Trunc "trunc", Round "round", Rint "rint", Fmod "fmod",
        Remainder "remainder", Fmin "fmin", Fmax "fmax", Copysign "copysign", Nextafter "nextafter",
        Sin "sin", Cos "cos", Tan "tan", Asin "asin", Acos "acos", Atan "atan", Atan2 "atan2",
        Sinh "sinh", Cosh "cosh", Tanh "tanh", Asinh "asinh", Acosh "acosh", Atanh "atanh", Exp "exp",
        Exp2 "exp2", Expm1 "expm1", Log "log", Log2 "log2", Log10 "log10", Log1p "log1p", Pow "pow",
        Cbrt "cbrt", Hypot "hypot",
    }
    ThreadAsk { Claim "claim", Join "join", Life "life", }
    RmwOp {
        Exchange "exchange", Add "add", Sub "sub", And "and", Or "or", Xor "xor", Nand "nand",
    }
    Order {
        Plain "plain", Relaxed "relaxed", Acquire "acquire", Release "release", AcqRel "acq_rel",
        SeqCst "seq_cst",
    }
    AllocKind { Heap "heap", Stack "stack", }
    ChoiceKind {
        Value "value", Uninit "uninit", Clock "clock", Timeout "timeout", Wake "wake",
        WeakFail "weak-fail", AllocFail "alloc-fail", Spurious "spurious", Base "base",
        CallFail "call-fail", Random "random",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that begin an expression must differ between the tables that share that position.
    #[test]
    fn expression_words_are_distinct() {
        let mut all: Vec<&str> = ["fits", "select", "ptradd", "ptrdiff", "local", "tls", "objsize", "math"]
            .into_iter()
            .chain(["trylock", "self"])
            .chain(["load", "rmw", "call", "alloc", "nondet", "input", "spawn", "join", "thread", "pair"])
            .collect();
        all.extend(UnOp::ALL.iter().map(|o| o.word()));
        all.extend(BinOp::ALL.iter().map(|o| o.word()));
        all.extend(CmpOp::ALL.iter().map(|o| o.word()));
        all.extend(CastOp::ALL.iter().map(|o| o.word()));
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert_eq!(MathFn::from_word("log1p"), Some(MathFn::Log1p));
        assert_eq!(BinOp::from_word("nand"), None);
    }
}
