//! A program in which calls are replaced by the bodies of the callees; loops stay.
//!
//! The functions in which threads begin (the program's entry among them) keep their ids and get new bodies; every copied
//! instruction has a new id ([`Expanded::origins`]). Other functions lose their bodies unless a call of them is kept.
//! Recursion is followed up to a bound, what goes deeper is cut. How: [`crate::expand`].
//!
//! Where a loop is kept, branches out of it stay although their conditions are known, and so do loads in it of variables
//! that nobody writes: whether a thread spins depends on them. It depends on library functions, too: a thread that calls a
//! wait which ends when time has passed does not spin, a library function that ends a thread which was cancelled is no way
//! out of a loop, and what a library function gives back may be anything. So if deadlocks by spinning matter, calls of
//! library functions are kept.

use crate::expand::{Expanded, Plan, Refused, expand};
use braid_analysis::Facts;
use braid_ir::{FuncId, Program};
use braid_props::{Check, CheckSet};

/// The choices and limits of [`inline_calls`].
#[derive(Clone, Copy)]
pub struct Inline<'a> {
    /// Returns true for functions whose calls stay calls.
    pub keep: &'a dyn Fn(FuncId) -> bool,
    /// Calls of a function from within itself, if their number is not known beforehand.
    pub recursion: u32,
    /// Checks whose violation ends an execution: nothing is copied behind an assertion that certainly fails.
    pub checks: CheckSet,
    /// Instructions made at most.
    pub most: usize,
}

/// Copies the bodies of callees into the functions in which threads begin. The facts are those of the program, without
/// guesses.
pub fn inline_calls(program: &Program, facts: &Facts, options: &Inline) -> Result<Expanded, Refused> {
    let Inline { keep, recursion, checks, most } = *options;
    // The error that a library function returns after a misuse may be the way out of a loop.
    let checks = checks.common(CheckSet::from_iter([Check::Assertion]));
    let expanded =
        expand(program, facts, &Plan { keep, unroll: None, recursion, checks, most, heads: false })?;
    crate::pipeline::verify(&expanded.program, "inline_calls");
    Ok(expanded)
}

#[cfg(test)]
mod tests {
    use crate::Refused;
    use crate::testing::{code, inlined};
    use expect_test::{Expect, expect};

    fn check(text: &str, keep: &str, expected: Expect) {
        let expanded = inlined(text, 1, keep).expect("a program that is taken");
        let mut lines = vec![code(&expanded.program)];
        lines.extend(expanded.cuts.iter().map(|cut| format!("cut: {}", cut.what)));
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn loops_stay() {
        let text = "global @x s0 size 4 align 4\nfn &main() {\nreg %0 i32, %1 i1\nb0:\n%0 = 0:i32\njump b1\n\
            b1:\n%1 = slt i32 %0, 3:i32\nbr %1, b2, b3\nb2:\n%0 = call &next(%0, 1:i32)\njump b1\nb3:\n\
            store i32 @x, %0\nret\n}\n\
            fn &next(%0, %1) -> i32 {\nreg %0 i32, %1 i32, %2 i1\nb0:\n%2 = eq i32 %1, 0:i32\nbr %2, b1, b2\n\
            b1:\nret %0\nb2:\n%0 = add i32 %0, %1\nret %0\n}";
        check(
            text,
            "",
            expect![[r#"
                fn &main() {
                b0:
                  %0 = 0:i32
                  jump b1
                b1:
                  %1 = slt i32 %0, 3:i32
                  br %1, b2, b3
                b2:
                  %2 = %0
                  %2 = add i32 %2, 1:i32
                  %0 = %2
                  jump b1
                b3:
                  store i32 @x, %0
                  ret
                }"#]],
        );
    }

    #[test]
    fn calls_that_are_kept() {
        let text = "global @x s0 size 4 align 4\nfn &main() {\nreg %0 i64\nb0:\n%0 = spawn &run, null\ncall &outer()\nret\n}\n\
            fn &run(%0) -> ptr {\nreg %0 ptr\nb0:\ncall &outer()\nret %0\n}\n\
            fn &outer() {\nb0:\ncall &inner()\nret\n}\n\
            fn &inner() {\nb0:\ncall &leaf()\nret\n}\nfn &leaf() {\nb0:\nstore i32 @x, 1:i32\nret\n}";
        check(
            text,
            "inner",
            expect![[r#"
            fn &main() {
            b0:
              %0 = spawn &run, null
              call &inner()
              ret
            }
            fn &run(%0) -> ptr {
            b0:
              call &inner()
              ret %0
            }
            fn &inner() {
            b0:
              call &leaf()
              ret
            }
            fn &leaf() {
            b0:
              store i32 @x, 1:i32
              ret
            }"#]],
        );
    }

    #[test]
    fn a_loop_with_two_entries_and_a_value_that_it_sets() {
        let text = "global @x s0 size 4 align 4\nfn &main() {\nreg %0 i32, %1 i1, %2 i32, %3 i32\nb0:\n%2 = 1:i32\n%3 = 4:i32\n\
            %0 = load i32 @x\n%1 = eq i32 %0, 0:i32\nbr %1, b1, b2\nb1:\nstore i32 @x, %2\njump b2\n\
            b2:\nstore i32 @x, %3\n%0 = load i32 @x\n%2 = 2:i32\n%1 = eq i32 %0, 5:i32\nbr %1, b3, b1\nb3:\nret\n}";
        check(
            text,
            "",
            expect![[r#"
            fn &main() {
            b0:
              %0 = 1:i32
              %1 = load i32 @x
              %2 = eq i32 %1, 0:i32
              br %2, b1, b2
            b1:
              store i32 @x, %0
              jump b2
            b2:
              store i32 @x, 4:i32
              %1 = load i32 @x
              %0 = 2:i32
              %2 = eq i32 %1, 5:i32
              br %2, b3, b1
            b3:
              ret
            }"#]],
        );
    }

    #[test]
    fn recursion_through_a_pointer() {
        let text = "global @x s0 size 4 align 4\nglobal @p s1 size 8 align 8\nfn &main() {\nb0:\nstore ptr @p, &f\n\
            call &f()\nret\n}\n\
            fn &f() {\nreg %0 ptr, %1 i32, %2 i1\nb0:\n%1 = load i32 @x\nstore i32 @x, 1:i32\n%2 = eq i32 %1, 0:i32\n\
            br %2, b1, b2\nb1:\n%0 = load ptr @p\ncall * %0() @ 0:6:6\nret\nb2:\nret\n}";
        check(
            text,
            "",
            expect![[r#"
                fn &main() {
                b0:
                  store ptr @p, &f
                  %0 = load i32 @x
                  store i32 @x, 1:i32
                  %1 = eq i32 %0, 0:i32
                  br %1, b1, b8
                b1:
                  %2 = load ptr @p
                  %3 = eq ptr %2, &f @ 0:6:6
                  br %3, b2, b7 @ 0:6:6
                b2:
                  %4 = load i32 @x
                  store i32 @x, 1:i32
                  %5 = eq i32 %4, 0:i32
                  br %5, b3, b6
                b3:
                  %6 = load ptr @p
                  %7 = eq ptr %6, &f @ 0:6:6
                  br %7, b4, b5 @ 0:6:6
                b4:
                  partial bound "recursion of 'f' deeper than 1" @ 0:6:6
                  assume 0:i1 @ 0:6:6
                  unreachable @ 0:6:6
                b5:
                  assert null-deref, 0:i1, "call through a null pointer" @ 0:6:6
                  unreachable @ 0:6:6
                b6:
                  jump b9
                b7:
                  assert null-deref, 0:i1, "call through a null pointer" @ 0:6:6
                  unreachable @ 0:6:6
                b8:
                  jump b9
                b9:
                  ret
                }
                cut: recursion of 'f' deeper than 1"#]],
        );
    }

    #[test]
    fn a_stack_block_that_outlives_an_iteration_is_refused() {
        let text = "global @x s0 size 4 align 4\nfn &main() {\nb0:\ncall &f()\nret\n}\n\
            fn &f() {\nreg %0 ptr, %1 i32, %2 i1\nb0:\njump b1\nb1:\n%0 = alloc stack 8:i64, 8:i64 @ 0:8:8\n\
            store i32 %0, 1:i32\nFREE%1 = load i32 @x\n%2 = eq i32 %1, 0:i32\nbr %2, b1, b2\nb2:\nret\n}";
        let refused = inlined(&text.replace("FREE", ""), 1, "").expect_err("it is refused");
        assert!(matches!(refused, Refused::StackBlock { place } if place.line == 8), "{refused:?}");
        assert!(inlined(&text.replace("FREE", "free stack %0\n"), 1, "").is_ok());
    }
}
