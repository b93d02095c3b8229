//! Random sequential C programs without undefined or unspecified behaviour.
//!
//! Well-defined by construction: expressions have no side effects (calls in them are of functions that
//! change nothing), so evaluation order cannot matter; signed arithmetic is done in ranges, in unsigned
//! types or behind tests; shift counts and indices are reduced; divisors are tested; every object is
//! initialised; loops, recursion and the total work are bounded; unions have members of one size.
//! Each construct is a node whose simpler alternatives keep these rules, so a shrunk program is as
//! well-defined as its origin. What is implementation-defined (conversion to narrower signed types,
//! right shift of negative numbers, bit-field layout) is as GCC documents it for x86-64.
//!
//! Programs print values as they go and a checksum at the end, and exit with a code taken from it.

mod calls;
mod decl;
mod expr;
mod floats;
mod functions;
mod heap;
mod literals;
mod records;
mod stmt;
mod strings;
mod tricks;
pub mod types;

use crate::cat;
use crate::rng::Rng;
use crate::tree::Tree;
use types::{Enum, Int, Record, Scalar, Ty};

/// A generated program.
pub struct Generated {
    pub seed: u64,
    pub tree: Tree,
}

impl Generated {
    pub fn text(&self) -> String {
        format!("/* seed {} */\n{}", self.seed, self.tree.render())
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> Generated {
    let mut gen_state = Gen::new(seed);
    Generated { seed, tree: gen_state.program() }
}

/// How many elements a run of objects has.
#[derive(Clone, Debug)]
enum Len {
    Const(usize),
    /// In an unsigned variable, at least 1.
    Var(String),
}

impl Len {
    fn text(&self) -> String {
        match self {
            Len::Const(n) => format!("{n}u"),
            Len::Var(name) => name.clone(),
        }
    }
}

/// What a name stands for.
#[derive(Clone, Debug)]
enum Shape {
    Object(Ty),
    /// Elements of a variable-length array or a heap block, or an array parameter.
    Run(Ty, Len),
    /// A pointer to some element of the run called `base`.
    Pointer {
        elem: Ty,
        base: String,
        len: Len,
    },
    /// A pointer to such a pointer.
    Double {
        elem: Ty,
        base: String,
        len: Len,
    },
}

#[derive(Clone, Debug)]
struct Var {
    name: String,
    shape: Shape,
    /// May be written by any statement in scope.
    writable: bool,
}

/// A function that can be called.
#[derive(Clone, Debug)]
struct Func {
    name: String,
    params: Vec<Param>,
    ret: Option<Ty>,
    /// Changes nothing outside itself.
    pure_: bool,
    /// Upper estimate of its work.
    cost: u64,
}

#[derive(Clone, Debug)]
enum Param {
    Value(Ty),
    /// Two C parameters: a pointer to the first element and the number of elements.
    Run {
        elem: Ty,
        writable: bool,
    },
    /// An unsigned recursion depth.
    Depth,
}

/// An integer expression without side effects.
#[derive(Clone, Debug)]
struct Expr {
    tree: Tree,
    ty: Int,
}

/// An lvalue of scalar type.
#[derive(Clone, Debug)]
struct Place {
    tree: Tree,
    ty: Scalar,
    bits: Option<u32>,
}

/// Work allowed in one run of a program, in rough units of one operator.
const WORK: u64 = 60_000;

struct Gen {
    rng: Rng,
    records: Vec<Record>,
    enums: Vec<Enum>,
    funcs: Vec<Func>,
    globals: Vec<Var>,
    /// Innermost last.
    scopes: Vec<Vec<Var>>,
    /// Names of functions `unsigned long long (*)(unsigned, long long)` collected in a table.
    table: Option<(String, usize, u64)>,
    /// How often the code being generated runs per call of its function.
    times: u64,
    /// Work of the function being generated.
    cost: u64,
    /// Inside a function that must not change anything global.
    pure_: bool,
    /// Nesting of blocks.
    depth: usize,
    /// Nesting of calls in arguments of calls.
    call_nesting: usize,
    next_name: usize,
}

impl Gen {
    fn new(seed: u64) -> Gen {
        Gen {
            rng: Rng::new(seed),
            records: Vec::new(),
            enums: Vec::new(),
            funcs: Vec::new(),
            globals: Vec::new(),
            scopes: Vec::new(),
            table: None,
            times: 1,
            cost: 0,
            pure_: false,
            depth: 0,
            call_nesting: 0,
            next_name: 0,
        }
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.next_name += 1;
        format!("{prefix}{}", self.next_name)
    }

    fn declare(&mut self, name: &str, shape: Shape, writable: bool) {
        let var = Var { name: name.to_string(), shape, writable };
        self.scopes.last_mut().expect("declarations happen inside a block").push(var);
    }

    /// Notes work that the current function does each time this place is reached.
    fn spend(&mut self, work: u64) {
        self.cost = self.cost.saturating_add(self.times.saturating_mul(work));
    }

    /// Whether work of this size can still be afforded here.
    fn can_afford(&self, work: u64) -> bool {
        self.cost.saturating_add(self.times.saturating_mul(work)) < WORK
    }

    fn program(&mut self) -> Tree {
        let library = if self.rng.one_in(4) { HEADERS } else { DECLARATIONS };
        let mut items = Vec::new();
        for _ in 0..self.rng.range(0, 2) {
            items.push(self.enum_definition());
        }
        for _ in 0..self.rng.range(1, 4) {
            items.push(self.record_definition());
        }
        for _ in 0..self.rng.range(3, 8) {
            items.push(self.global());
        }
        for _ in 0..self.rng.range(2, 5) {
            items.push(self.function());
        }
        items.push(self.main());
        let rest = Tree::Seq(items);
        let library: Vec<Tree> =
            library.split_inclusive('\n').map(|line| Tree::from(line).optional()).collect();
        cat!(library, CHECKSUM, helpers(&rest.render()), rest)
    }

    fn main(&mut self) -> Tree {
        self.times = 1;
        self.cost = 0;
        self.pure_ = false;
        let (count, dump) = (self.rng.range(6, 14), self.dump_globals());
        let body = self.block(count);
        cat!(
            "int main(void)\n{\n",
            body,
            dump,
            "printf(\"checksum %016llx\\n\", crc);\nreturn (int)(crc & 63);\n}\n"
        )
    }
}

/// The helpers that a program needs, those that helpers need included.
fn helpers(program: &str) -> Tree {
    let mut wanted = program.to_string();
    let mut found = Vec::new();
    for (name, text) in HELPERS.iter().rev() {
        if wanted.contains(name) {
            wanted.push_str(text);
            found.push(Tree::from(*text).optional());
        }
    }
    found.reverse();
    Tree::Seq(found)
}

const HEADERS: &str = "#include <stdarg.h>\n#include <stddef.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
    #include <string.h>\n";

const DECLARATIONS: &str = "typedef __builtin_va_list va_list;\ntypedef unsigned long size_t;\n\
    int printf(const char *, ...);\nint snprintf(char *, size_t, const char *, ...);\nint puts(const char *);\n\
    int putchar(int);\nvoid *malloc(size_t);\nvoid *calloc(size_t, size_t);\nvoid *realloc(void *, size_t);\n\
    void free(void *);\nvoid qsort(void *, size_t, size_t, int (*)(const void *, const void *));\n\
    void *memcpy(void *, const void *, size_t);\nvoid *memmove(void *, const void *, size_t);\n\
    void *memset(void *, int, size_t);\nint memcmp(const void *, const void *, size_t);\n\
    size_t strlen(const char *);\nchar *strcpy(char *, const char *);\nchar *strncpy(char *, const char *, size_t);\n\
    char *strcat(char *, const char *);\nint strcmp(const char *, const char *);\n\
    int strncmp(const char *, const char *, size_t);\nchar *strchr(const char *, int);\n\
    char *strrchr(const char *, int);\nchar *strstr(const char *, const char *);\n\
    #define va_start(ap, last) __builtin_va_start(ap, last)\n#define va_arg(ap, type) __builtin_va_arg(ap, type)\n\
    #define va_end(ap) __builtin_va_end(ap)\n#define va_copy(to, from) __builtin_va_copy(to, from)\n";

const CHECKSUM: &str = "static unsigned long long crc = 14695981039346656037ULL;\n\
    static void mix(unsigned long long value)\n{\ncrc = (crc ^ value) * 1099511628211ULL;\ncrc ^= crc >> 29;\n}\n";

/// What generated code refers to, by a word that shows the need; a helper refers to earlier ones only.
const HELPERS: &[(&str, &str)] = &[
    (
        "add_int(",
        "static int add_int(int a, int b)\n{\nif (b > 0 ? a > 2147483647 - b : a < -2147483647 - 1 - b)\nreturn a;\n\
     return a + b;\n}\n",
    ),
    (
        "mul_long(",
        "static long mul_long(long a, long b)\n{\nlong r;\nreturn __builtin_mul_overflow(a, b, &r) ? (a ^ b) : r;\n}\n",
    ),
    (
        "sub_llong(",
        "static long long sub_llong(long long a, long long b)\n{\nlong long r;\n\
     if (__builtin_sub_overflow(a, b, &r))\nreturn a / 2 - b / 2;\nreturn r;\n}\n",
    ),
    ("fin(", "static double fin(double x)\n{\nreturn x > -1e15 && x < 1e15 ? x : 0.5;\n}\n"),
    ("finf(", "static float finf(float x)\n{\nreturn x > -1e9f && x < 1e9f ? x : 0.25f;\n}\n"),
    (
        "clamp(",
        "static double clamp(double x, double low, double high)\n{\nif (x >= low && x <= high)\nreturn x;\n\
     return x > high ? high : low;\n}\n",
    ),
    ("sign(", "static int sign(int x)\n{\nreturn (x > 0) - (x < 0);\n}\n"),
    (
        "mix_double(",
        "static void mix_double(double x)\n{\nunsigned long long bits;\nx = fin(x);\nmemcpy(&bits, &x, sizeof bits);\n\
     mix(bits);\n}\n",
    ),
    (
        "mix_wide(",
        "static void mix_wide(unsigned __int128 x)\n{\nmix((unsigned long long)(x >> 64));\nmix((unsigned long long)x);\n}\n",
    ),
    (
        "by_value",
        "static int by_value(const void *a, const void *b)\n{\nint x = *(const int *)a, y = *(const int *)b;\n\
     return (x > y) - (x < y);\n}\n",
    ),
    (
        "struct item",
        "struct item {\nunsigned char key;\nunsigned order;\n};\nstatic int by_key(const void *a, const void *b)\n{\n\
     const struct item *x = a, *y = b;\nif (x->key != y->key)\nreturn x->key < y->key ? 1 : -1;\n\
     return x->order < y->order ? -1 : x->order > y->order;\n}\n",
    ),
    ("struct node", "struct node {\nlong value;\nstruct node *next;\n};\n"),
    (
        "TYPE_OF(",
        "#define TYPE_OF(e) _Generic((e), _Bool: 1, char: 2, signed char: 3, unsigned char: 4, short: 5, \
     unsigned short: 6, int: 7, unsigned: 8, long: 9, unsigned long: 10, long long: 11, unsigned long long: 12, \
     __int128: 13, unsigned __int128: 14, float: 15, double: 16, default: 17)\n",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_program() {
        assert_eq!(program(11).text(), program(11).text());
        assert_ne!(program(11).text(), program(12).text());
    }

    #[test]
    fn programs_have_a_sensible_length() {
        let lengths: Vec<usize> = (0..60).map(|seed| program(seed).text().lines().count()).collect();
        let mean = lengths.iter().sum::<usize>() / lengths.len();
        assert!((100..400).contains(&mean), "mean length {mean}");
    }

    #[test]
    fn every_construct_appears_in_some_program() {
        // Separated by '@', since the texts contain everything else.
        let wanted = "_Bool@__int128@enum @union @struct @ : @packed@switch@ ... @goto @do {@while (@for (@\
            malloc(@free(@qsort(@snprintf(@va_arg@_Generic@({@static @memmove(@strcat(@->@%a@\
            %.17g@<<=@++@--@?@&&@__typeof__@__auto_type@sizeof@break;@continue;@default:@table@\
            [] = {@__builtin_popcount@, ...)@calloc(@realloc(@**";
        let all: String = (0..300).map(|seed| program(seed).text()).collect();
        for word in wanted.split('@') {
            assert!(all.contains(word), "no program of 300 has {word:?}");
        }
    }
}
