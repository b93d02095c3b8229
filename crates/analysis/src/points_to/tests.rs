//! Exact sets for small programs.

use crate::points_to::solve;
use crate::testing::{c_program, describe, named};
use braid_ir::{Op, Program};
use expect_test::{Expect, expect};

/// What the calls of `see` in the user's functions are given, line by line.
fn seen(program: &Program) -> String {
    let pointers = solve(program);
    let see = named(program, "see");
    let mut text = String::new();
    for (func, function) in program.functions.enumerated() {
        for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
            let Op::Call { callee: braid_ir::Callee::Direct(callee), args, .. } = &instr.op else { continue };
            if *callee != see {
                continue;
            }
            let set = pointers.points_to(func, args[0]);
            let place = |(object, offset): &(crate::ObjectId, crate::Offset)| {
                let name = describe(program, &pointers, pointers.object(*object));
                let name = name.unwrap_or_else(|| "library".to_string());
                match offset {
                    crate::Offset::At(0) => name,
                    crate::Offset::At(at) => format!("{name}+{at}"),
                    crate::Offset::Any => format!("{name}+?"),
                }
            };
            let mut list: Vec<String> = set.targets.iter().map(place).collect();
            list.sort();
            list.extend(set.may_be_unknown.then(|| "unknown".to_string()));
            text += &format!("{}: {}\n", instr.loc.line, list.join(" "));
        }
    }
    text
}

fn check(text: &str, expected: Expect) {
    let head = "void see(void *p) { }\nvoid *malloc(unsigned long); void *memcpy(void *, const void *, unsigned long);\n";
    expected.assert_eq(&seen(&c_program(&format!("{head}{text}"))));
}

#[test]
fn fields_and_arrays() {
    check(
        "int x, y, z; struct s { int *a; int *b; } s; int *t[4];\n\
         int main(int n) {\n\
         s.a = &x; s.b = &y; t[1] = &x; t[n & 3] = &z;\n\
         see(s.a);\n\
         see(s.b);\n\
         see(t[1]);\n\
         see(t[2]);\n\
         see(&s.b);\n\
         see(&t[n & 1]);\n\
         return 0; }",
        expect![[r#"
            6: x
            7: y
            8: x z
            9: z
            10: s+8
            11: t+?
        "#]],
    );
}

#[test]
fn blocks_are_told_apart_by_the_users_call() {
    check(
        "int x, y;\n\
         int main(void) {\n\
         int **p = malloc(8);\n\
         int **q = malloc(8);\n\
         *p = &x; *q = &y;\n\
         see(p);\n\
         see(*p);\n\
         see(*q);\n\
         return 0; }",
        expect![[r#"
            8: block 5:11 block 5:11
            9: x
            10: y
        "#]],
    );
}

#[test]
fn copies_unions_and_bytes() {
    check(
        "int x, y; struct s { int *a; int *b; } s, t, v; union { int *p; unsigned long n; } u;\n\
         int main(void) {\n\
         s.a = &x; s.b = &y; t = s; memcpy(&v, &s, sizeof s); u.p = &x;\n\
         see(t.b);\n\
         see(v.a);\n\
         see((int *)u.n);\n\
         see((int *)((unsigned long)&y + 2));\n\
         char *from = (char *)&s.a; int *w; char *to = (char *)&w;\n\
         for (int i = 0; i < 8; i++) to[i] = from[i];\n\
         see(w);\n\
         return 0; }",
        expect![[r#"
            6: y
            7: x
            8: x
            9: x+? y+? unknown
            12: x+? y+? unknown
        "#]],
    );
}

#[test]
fn advancing_pointers_end_up_anywhere() {
    check(
        "char text[64]; int x;\n\
         int main(void) {\n\
         char *p = text; while (*p) p++;\n\
         see(p);\n\
         int *q = &x; int *r = x ? q : 0;\n\
         see(r);\n\
         see((void *)5);\n\
         return 0; }",
        expect![[r#"
            6: text+?
            8: x
            9: 
        "#]],
    );
}

#[test]
fn an_arbitrary_number_is_an_exposed_address_only() {
    check(
        "unsigned long __VERIFIER_nondet_ulong(void); int hidden, shown, compared;\n\
         int main(void) {\n\
         unsigned long n = (unsigned long)&shown; int *p = (int *)__VERIFIER_nondet_ulong();\n\
         hidden = n != 0;\n\
         if (p == &compared) hidden = 2;\n\
         see(p);\n\
         see(&hidden);\n\
         return 0; }",
        expect![[r#"
            8: compared+? shown+? unknown
            9: hidden
        "#]],
    );
}

#[test]
fn threads_pass_pointers() {
    check(
        "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);\n\
         int pthread_join(unsigned long, void **); int x;\n\
         void *body(void *a) {\n\
         see(a);\n\
         return &x; }\n\
         int main(void) { unsigned long h; int given; void *r;\n\
         pthread_create(&h, 0, body, &given); pthread_join(h, &r);\n\
         see(r);\n\
         return 0; }",
        expect![[r#"
            6: main.given
            10: x unknown
        "#]],
    );
}
