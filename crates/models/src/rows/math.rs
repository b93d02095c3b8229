//! `<math.h>` for float, double and long double.
//!
//! One text serves the three types: `c/math.c.in`, in which `REAL` stands for the type and `_F` for the
//! suffix of its functions. The transcendental functions are those of the host's library, which is what
//! "exact" means for them: C leaves their accuracy open. `fma`, `lgamma`, `erf` and kin have no row.

use super::{Table, module};
use crate::{Def, Fidelity, Module, Op, Row};
use braid_ir::MathFn;
use std::sync::LazyLock;

static REAL: Module = module!("real");
static MATH: LazyLock<Module> = LazyLock::new(|| for_type("math", "double", ""));
static MATHF: LazyLock<Module> = LazyLock::new(|| for_type("mathf", "float", "f"));
static MATHL: LazyLock<Module> = LazyLock::new(|| for_type("mathl", "long double", "l"));

fn for_type(name: &'static str, real: &str, suffix: &str) -> Module {
    Module { name, text: instantiate(include_str!("../../c/math.c.in"), real, suffix).leak() }
}

fn instantiate(text: &str, real: &str, suffix: &str) -> String {
    text.replace("REAL", real).replace("_F(", &format!("{suffix}("))
}

/// Each line that mentions `REAL` once for each of the three types.
pub fn for_all_types(text: &str) -> String {
    let types = [("double", ""), ("float", "f"), ("long double", "l")];
    let lines = text.lines().flat_map(|line| {
        let copies = if line.contains("REAL") && line.ends_with(';') { &types[..] } else { &types[..1] };
        copies.iter().map(move |(real, suffix)| instantiate(line, real, suffix) + "\n")
    });
    lines.collect()
}

/// Functions that are one operation: an IEEE operation, or one that sets no errno.
const OPERATIONS: [(MathFn, &str); 16] = [
    (MathFn::Floor, "floor"),
    (MathFn::Ceil, "ceil"),
    (MathFn::Trunc, "trunc"),
    (MathFn::Round, "round"),
    (MathFn::Rint, "rint"),
    // In the one rounding mode there is, these two are `rint`.
    (MathFn::Rint, "nearbyint"),
    (MathFn::Rint, "roundeven"),
    (MathFn::Fmin, "fmin"),
    (MathFn::Fmax, "fmax"),
    (MathFn::Copysign, "copysign"),
    (MathFn::Atan, "atan"),
    (MathFn::Tanh, "tanh"),
    (MathFn::Asinh, "asinh"),
    (MathFn::Cbrt, "cbrt"),
    (MathFn::Trunc, "__braid_trunc"),
    (MathFn::Copysign, "__braid_copysign"),
];

/// Operations that the text builds on.
const PARTS: [(MathFn, &str); 25] = [
    (MathFn::Round, "__braid_round"),
    (MathFn::Rint, "__braid_rint"),
    (MathFn::Sqrt, "__braid_sqrt"),
    (MathFn::Nextafter, "__braid_nextafter"),
    (MathFn::Fmod, "__braid_fmod"),
    (MathFn::Remainder, "__braid_remainder"),
    (MathFn::Sin, "__braid_sin"),
    (MathFn::Cos, "__braid_cos"),
    (MathFn::Tan, "__braid_tan"),
    (MathFn::Asin, "__braid_asin"),
    (MathFn::Acos, "__braid_acos"),
    (MathFn::Atan2, "__braid_atan2"),
    (MathFn::Sinh, "__braid_sinh"),
    (MathFn::Cosh, "__braid_cosh"),
    (MathFn::Acosh, "__braid_acosh"),
    (MathFn::Atanh, "__braid_atanh"),
    (MathFn::Exp, "__braid_exp"),
    (MathFn::Exp2, "__braid_exp2"),
    (MathFn::Expm1, "__braid_expm1"),
    (MathFn::Log, "__braid_log"),
    (MathFn::Log2, "__braid_log2"),
    (MathFn::Log10, "__braid_log10"),
    (MathFn::Log1p, "__braid_log1p"),
    (MathFn::Pow, "__braid_pow"),
    (MathFn::Hypot, "__braid_hypot"),
];

/// Functions that the text defines.
const DEFINED: &str = "fabs sqrt sin cos tan sincos asin acos atan2 sinh cosh acosh atanh exp exp2 expm1 \
    log log2 log10 log1p pow hypot fmod remainder drem nextafter fdim modf frexp ldexp scalbn scalbln \
    logb ilogb lround llround lrint llrint nan isnan __isnan isinf __isinf finite __finite \
    __signbit __fpclassify";

pub(super) fn add(table: &mut Table) {
    table.exact(&REAL, "__braid_fraction __braid_scale");
    for (module, suffix) in [(&*MATH, ""), (&*MATHF, "f"), (&*MATHL, "l")] {
        let mut row = |name: &str, def: Def| {
            let name = format!("{name}{suffix}").leak();
            table.rows.push(Row::new(name, Fidelity::Exact, def));
        };
        for (function, name) in OPERATIONS.into_iter().chain(PARTS) {
            row(name, Def::Op(Op::Math(function)));
        }
        for name in DEFINED.split_whitespace() {
            row(name, Def::C(module));
        }
    }
}
