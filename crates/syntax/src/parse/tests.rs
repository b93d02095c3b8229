//! What the parser makes of correct text (shown by printing the tree back), what it says about wrong
//! text, and that no text can exhaust the stack.

use super::{CHAIN_LIMIT, NESTING_LIMIT};
use braid_base::{Diagnostics, SourceMap};
use expect_test::{Expect, expect};

/// The printed tree, then the diagnostics.
fn parse_and_print(text: &str) -> String {
    let mut sources = SourceMap::default();
    let mut diags = Diagnostics::default();
    let unit = crate::parse(&mut sources, "t.c", text.into(), &mut diags);
    let mut out = crate::print(&unit, &sources);
    for diag in diags.iter() {
        out += &diag.render(&sources);
    }
    out
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&parse_and_print(text));
}

/// Only the messages, one per line, with their places.
fn check_errors(text: &str, expected: Expect) {
    let mut sources = SourceMap::default();
    let mut diags = Diagnostics::default();
    crate::parse(&mut sources, "t.c", text.into(), &mut diags);
    let mut out = String::new();
    for diag in diags.iter() {
        let place = sources.place(diag.span.lo).unwrap();
        out += &format!("{}:{}: {}\n", place.line, place.column, diag.message);
        for (span, note) in &diag.notes {
            let at = span.and_then(|s| sources.place(s.lo)).map(|p| format!("{}:{}: ", p.line, p.column));
            out += &format!("  {}{note}\n", at.unwrap_or_default());
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn typedef_names_are_scoped() {
    check(
        "typedef int T; T x; void f(T T) { T = 1; } unsigned T2; void g(void) { T T = 1; T * T; } T y;\n\
         void h(void) { { enum { T }; T * 2; } T *p; struct { T T; unsigned T3 : 1; } s; T: ; }\n\
         void k(int (T), int (*T2)(T)); int (T4);",
        expect![[r#"
            typedef int T;
            T x;
            void f(T T)
            {
              T = 1;
            }
            unsigned int T2;
            void g(void)
            {
              T T = 1;
              T * T;
            }
            T y;
            void h(void)
            {
              {
                enum { T };
                T * 2;
              }
              T *p;
              struct {
                T T;
                unsigned int T3 : 1;
              } s;
              T:
              ;
            }
            void k(int(T), int (*T2)(T));
            int T4;
        "#]],
    );
}

#[test]
fn declarators_read_from_the_name_outward() {
    check(
        "int *a[3], (*b)[3], *(*c[2])(void), (*(*d)(int, void (*)(int)))(int), f(int (x), char *[], ...);\n\
         int * const * volatile q; int e[static_size][*]; void v(int n, int a[const static 3], int b[*]);",
        expect![[r#"
            int *a[3], (*b)[3], *(*c[2])(void), (*(*d)(int, void (*)(int)))(int), f(int x, char *[], ...);
            int *const *volatile q;
            int e[static_size][*];
            void v(int n, int a[const 3], int b[*]);
        "#]],
    );
}

#[test]
fn old_c() {
    check(
        "main() { return f(1); } static x; *p; f(a, b) char a, *b; { return a; } g(register r) { }",
        expect![[r#"
            main()
            {
              return f(1);
            }
            static x;
            *p;
            f(a, b)
            char a, *b;
            {
              return a;
            }
            g(register r)
            {
            }
        "#]],
    );
}

#[test]
fn gnu_expressions() {
    check(
        "int f(int a) { return (a ?: 2) + ({ a; }) + (__extension__ 1) + sizeof (int[]){1}[0] + _Alignof(int)\n\
         + __builtin_offsetof(struct s, a.b[1]) + _Generic(a, int: 1, default: 2) - -a + &&l - (int)+1 + *&a; l: goto *p; }",
        expect![[r#"
            int f(int a)
            {
              return (a ? : 2) + ({
                a;
              }) + (1) + sizeof (int[]){1}[0] + _Alignof(int) + __builtin_offsetof(struct s, a.b[1]) + _Generic(a, int: 1, default: 2) - -a + &&l - (int)+1 + *&a;
              l:
              goto *p;
            }
        "#]],
    );
}

#[test]
fn specifiers_in_any_order() {
    check(
        "long unsigned typedef int long a; char signed const b; _Complex float c; _Float64x d; __int128 unsigned e;\n\
         _Atomic(int) f; int _Atomic g; __thread static int h; _Alignas(8) inline void i(void); __typeof__(a) *j;",
        expect![[r#"
            typedef unsigned long long a;
            const signed char b;
            _Complex double c;
            long double d;
            unsigned __int128 e;
            _Atomic(int) f;
            _Atomic int g;
            static __thread int h;
            __inline__ _Alignas(8) void i(void);
            __typeof__(a) *j;
        "#]],
    );
}

#[test]
fn attributes_everywhere() {
    check(
        "struct __attribute__((packed)) s { int a __attribute__((aligned(2))), b; } __attribute__((aligned(4)));\n\
         static __attribute__((noinline)) int f(int x __attribute__((unused))) __attribute__((const, cold)) { l: __attribute__((unused)) return 1; }\n\
         int *__attribute__((may_alias)) p __attribute__((section(\"x\"))) = 0; enum e { A __attribute__((deprecated)) };\n\
         [[noreturn]] void g([[maybe_unused]] int x); int h(void) __asm__(\"h2\") __attribute__((__nothrow__));",
        expect![[r#"
            struct __attribute__((__packed__)) __attribute__((__aligned__(4))) s {
              int a __attribute__((__aligned__(2))), b;
            };
            static __attribute__((__noinline__)) __attribute__((__const__)) __attribute__((__cold__)) int f(int x __attribute__((__unused__)))
            {
              l:__attribute__((__unused__))
              return 1;
            }
            int *__attribute__((__may_alias__)) p __attribute__((__section__("x"))) = 0;
            enum e { A };
            __attribute__((__noreturn__)) void g(__attribute__((__maybe_unused__)) int x);
            int h(void) __asm__("h2") __attribute__((__nothrow__));
        "#]],
    );
}

#[test]
fn pragma_pack_becomes_an_attribute() {
    check(
        "#pragma pack(push, 1)\nstruct a { int i; };\n#pragma pack(2)\nstruct b { int i; };\n#pragma pack(pop)\nstruct c { int i; };\n",
        expect![[r#"
            struct __attribute__((__packed__)) a {
              int i;
            };
            struct __attribute__((__pragma_pack__(2))) b {
              int i;
            };
            struct c {
              int i;
            };
        "#]],
    );
}

#[test]
fn initializers() {
    check(
        "int a[] = { [2] = 1, [4 ... 6] = 7, 9, [8] 5, }; struct s b = { x: 1, .y.z[2] = 3, {} }; int c = { 1 };",
        expect![[r#"
            int a[] = {[2] = 1, [4 ... 6] = 7, 9, [8] = 5};
            struct s b = {.x = 1, .y.z[2] = 3, {}};
            int c = {1};
        "#]],
    );
}

#[test]
fn labels_before_declarations_and_ends() {
    check(
        "void f(int x) { switch (x) { case 1 ... 3: case 4: int y = 1; default: } __label__; }\n\
         void g(void) { __label__ a, b; a: b: ; int h(int z) { return z; } __attribute__((fallthrough)); }",
        expect![[r#"
            void f(int x)
            {
              switch (x) {
                case 1 ... 3:
                case 4:
                ;
                int y = 1;
                default:
                ;
              }
            }
            void g(void)
            {
              __label__ a, b;
              a:
              b:
              ;
              int h(int z)
              {
                return z;
              }
              __attribute__((__fallthrough__));
            }
            t.c:1:74: error: expected an expression, found '__label__' [syntax]
             1 | void f(int x) { switch (x) { case 1 ... 3: case 4: int y = 1; default: } __label__; }
               |                                                                          ^~~~~~~~~
        "#]],
    );
}

#[test]
fn assembly_keeps_its_text() {
    check(
        "__asm__(\".globl x\"); void f(int a) { asm volatile (\"\" ::: \"memory\"); asm goto (\"nop\" : : [in] \"r\" (a) : : l); l: ; }",
        expect![[r#"
            __asm__(".globl x");
            void f(int a)
            {
              asm volatile ("" ::: "memory");
              asm goto ("nop" : : [in] "r" (a) : : l);
              l:
              ;
            }
        "#]],
    );
}

#[test]
fn one_error_per_mistake() {
    check_errors(
        "int main(void) {
  int x = 1
  int y = 2;
  x = y + ;
  foo z;
  if (x { y = 1; } else { y = 2; }
  for (int i = 0; i < 3 i++) { x++; }
  x = y 3;
  return x
}
int g(foo a, bar *b) { return (quux)3; }
struct s { int a int b; baz c; };
struct t { int a; }
int after;
}
enum e { A, B C, D = , E };
int a[] = { 1, 2 3, 4, };
int last = 089;
",
        expect![[r#"
            2:12: expected ';' after the declaration, found 'int'
            4:11: expected an expression, found ';'
            5:3: unknown type name 'foo'
            6:9: expected ')', found '{'
              6:6: to match this '('
            7:25: expected ';' after the condition of 'for', found 'i'
            8:8: expected ';' after the expression, found number 3
            9:11: expected ';' after the value of 'return', found '}'
            11:14: unknown type name 'bar'
            11:32: unknown type name 'quux'
            12:17: expected ';' after the member, found 'int'
            12:25: unknown type name 'baz'
            13:20: expected ';' after the definition of a struct, union or enum
            15:1: this '}' closes nothing
            16:15: expected ',' or '}' after the enumerator, found 'C'
            16:22: expected an expression, found ','
            17:18: expected ',' or '}' after the initializer, found number 3
            18:12: invalid digit '8' in octal constant
        "#]],
    );
}

#[test]
fn unbalanced_and_truncated() {
    check_errors(
        "int main(void) {\n  if (1) {\n    int x;\n  return 0;\n}\nint other(void) { return 1; }\n",
        expect![[r#"
            6:30: the input ends inside a block: '}' is missing
              1:16: this '{' is never closed
        "#]],
    );
    check_errors(
        "int f(void) { while (1) { x = (1 +",
        expect![[r#"
            1:35: expected an expression, found end of input
              1:25: this '{' is never closed
        "#]],
    );
    check_errors(
        "int a[] = { 1, 2",
        expect![[r#"
            1:17: expected ',' or '}' after the initializer, found end of input
        "#]],
    );
    check_errors(
        "struct s { int x;",
        expect![[r#"
        1:18: expected '}', found end of input
          1:10: to match this '{'
    "#]],
    );
}

#[test]
fn specifiers_that_do_not_fit() {
    check_errors(
        "unsigned float f;\nlong long long l;\nstatic extern int q;\nint int a;\ntypedef int T;\nT int v;\nint 3x;\nstruct;\n\
         char *s = \"a\" L\"b\" u\"c\";\nhello world this is not C;\n",
        expect![[r#"
            1:1: these type specifiers cannot be combined
            2:1: these type specifiers cannot be combined
            3:8: two storage classes in one declaration
            4:1: these type specifiers cannot be combined
            6:1: two types in one declaration; is a ';' or ',' missing?
            7:5: expected a name to declare, found number 3x
            8:7: expected a name or '{' after 'struct', found ';'
            9:20: string literals with different prefixes cannot be joined
            10:1: unknown type name 'hello'
            10:12: expected ';' after the declaration, found 'this'
        "#]],
    );
}

#[test]
fn errors_stop_at_the_limit() {
    let text = "int f(void) { x = ; }\n".repeat(1000);
    let mut sources = SourceMap::default();
    let mut diags = Diagnostics::default();
    crate::parse(&mut sources, "t.c", text.into(), &mut diags);
    assert_eq!(diags.error_count(), Diagnostics::ERROR_LIMIT);
}

// ---- limits ----

/// Runs on the stack the command line gives its work.
fn with_stack(work: impl FnOnce() + Send) {
    braid_base::stack::on_stack_of(braid_base::stack::FRONT_END, work).unwrap().unwrap();
}

fn codes(text: String) -> Vec<&'static str> {
    let mut sources = SourceMap::default();
    let mut diags = Diagnostics::default();
    let unit = crate::parse(&mut sources, "t.c", text.into(), &mut diags);
    if !diags.has_errors() {
        // Printing recurses over what was built.
        assert!(!crate::print(&unit, &sources).is_empty());
    }
    diags.iter().map(|d| d.code).collect()
}

/// `open` and `close` repeated around `middle`, between `before` and `after`.
fn nest(before: &str, open: &str, middle: &str, close: &str, after: &str, times: usize) -> String {
    format!("{before}{}{middle}{}{after}", open.repeat(times), close.repeat(times))
}

#[test]
fn nesting_is_bounded_not_fatal() {
    with_stack(|| {
        let limit = NESTING_LIMIT as usize;
        let shapes = [
            ("int x = ", "(", "1", ")", ";"),
            ("int x = ", "- ", "1", "", ";"),
            ("int x = ", "(int)", "1", "", ";"),
            ("int x = ", "x = ", "1", "", ";"),
            ("int x = ", "1 ? 2 : ", "1", "", ";"),
            ("int x = ", "1 ? ", "1", " : 2", ";"),
            ("int x = ", "a[", "1", "]", ";"),
            ("int x = ", "f(", "1", ")", ";"),
            ("int x = ", "({", "1", ";})", ";"),
            ("int x = ", "sizeof ", "1", "", ";"),
            ("int x = ", "sizeof(__typeof__(", "int", "))", ";"),
            ("int x[] = ", "{", "1", "}", ";"),
            ("int ", "(", "x", ")", ";"),
            ("int ", "*", "x", "", ";"),
            ("int x", "[1]", "", "", ";"),
            ("int f", "(int f", "", ")", ";"),
            ("", "struct {", "int x;", "} y;", ";"),
            ("void f(void) ", "{", "", "}", ""),
            ("void f(void) { ", "while (1) ", ";", "", " }"),
            ("void f(void) { ", "if (1) ", ";", "", " }"),
        ];
        for (before, open, middle, close, after) in shapes {
            for times in [limit + 5, 100_000] {
                let found = codes(nest(before, open, middle, close, after, times));
                assert_eq!(found, ["nested-too-deeply"], "{before}{open} {times} times");
            }
            assert!(codes(nest(before, open, middle, close, after, 300)).is_empty(), "{before}{open}");
        }
    });
}

#[test]
fn long_chains_are_fine_up_to_the_limit() {
    with_stack(|| {
        let limit = CHAIN_LIMIT as usize;
        let shapes = [
            ("int x = 1", " + 1", ";"),
            ("int x = f", "()", ";"),
            ("int f(void) { return (1", ", 1", "); }"),
            ("void f(int x) { if (x) ;", " else if (x) ;", " }"),
            ("void f(int x) { switch (x) { ", "case 1: ", "; } }"),
        ];
        for (before, link, after) in shapes {
            let chain = |times: usize| format!("{before}{}{after}", link.repeat(times));
            assert!(codes(chain(limit - 10)).is_empty(), "{before}{link}");
            assert_eq!(codes(chain(limit + 10)), ["nested-too-deeply"], "{before}{link}");
        }
        // Lists are no chains.
        assert!(codes(format!("int x[] = {{ {} }};", "1 + 2, ".repeat(2 * limit))).is_empty());
    });
}

#[test]
fn mutated_text_never_panics() {
    with_stack(|| {
        let text = crate::print::tests::EVERYTHING;
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        let mut random = move |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as usize
        };
        let pieces = [
            "(",
            ")",
            "{",
            "}",
            "[",
            ";",
            "T",
            "int",
            "*",
            "=",
            "\"",
            "'",
            "#",
            "/*",
            "\\",
            "case",
            "\u{10ffe9}",
        ];
        for _ in 0..400 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..1 + random(4) {
                let at = random(bytes.len());
                match random(4) {
                    0 => drop(bytes.drain(at..(at + random(30)).min(bytes.len()))),
                    1 => bytes[at] = random(256) as u8,
                    2 => drop(bytes.splice(at..at, pieces[random(pieces.len())].bytes())),
                    _ => bytes.truncate(at.max(1)),
                }
            }
            let mutated = crate::text::decode(bytes);
            parse_and_print(&mutated);
        }
    });
}
