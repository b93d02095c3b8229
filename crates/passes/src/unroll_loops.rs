//! A program without calls and without loops, in which every thread has a function of its own.
//!
//! Calls are replaced by the bodies of the callees and loops by copies of their iterations, as far as bounds allow; what
//! goes beyond is cut. Each `spawn` of the result starts a function that no other one starts, named after the function of
//! the source and a number; its argument is known in it if it is a constant. How: [`crate::expand`].

use crate::expand::{Expanded, LoopBound, Plan, Refused, expand};
use braid_analysis::Facts;
use braid_ir::{FuncId, Loc, Program};
use braid_props::CheckSet;

/// Library models loop over the bits of a word.
const INTERNAL: u32 = 34;

/// The bounds and limits of [`unroll_loops`].
#[derive(Clone, Copy)]
pub struct Unroll<'a> {
    /// Returns true for functions whose calls stay calls.
    pub keep: &'a dyn Fn(FuncId) -> bool,
    /// Iterations of a loop of a library model, at least 34, and calls of a function from within itself, if their number
    /// is not known beforehand.
    pub unwind: u32,
    /// Iterations of a loop of the user's, if their number is not known beforehand.
    pub bound: LoopBound<'a>,
    /// Checks whose violation ends an execution: nothing is copied behind one that certainly fails.
    pub checks: CheckSet,
    /// Instructions made at most.
    pub most: usize,
    /// The copies of the heads of loops that are cut are marked ([`Expanded::heads`]).
    pub heads: bool,
}

/// Copies the bodies of callees and the iterations of loops. The facts are those of the program, without guesses.
pub fn unroll_loops(program: &Program, facts: &Facts, options: &Unroll) -> Result<Expanded, Refused> {
    let Unroll { keep, unwind, bound, checks, most, heads } = *options;
    let bound = |func: FuncId, index: u32, place: Loc| match program.functions[func].internal {
        true => unwind.max(INTERNAL),
        false => bound(func, index, place),
    };
    let plan = Plan { keep, unroll: Some(&bound), recursion: unwind, checks, most, heads };
    let expanded = expand(program, facts, &plan)?;
    crate::pipeline::verify(&expanded.program, "unroll_loops");
    Ok(expanded)
}

#[cfg(test)]
mod tests {
    use crate::Refused;
    use crate::testing::{code, is_flat, unrolled, with_heads};
    use braid_ir::Operand;
    use expect_test::{Expect, expect};

    /// The code after the pass, and what was cut.
    fn check(text: &str, unwind: u32, expected: Expect) {
        let expanded = unrolled(text, unwind).expect("a program that is taken");
        assert!(is_flat(&expanded.program), "{}", code(&expanded.program));
        let mut lines = vec![code(&expanded.program)];
        lines.extend(expanded.cuts.iter().map(|cut| format!("cut: {}", cut.what)));
        for thread in expanded.threads.iter().filter(|thread| !thread.spawns.is_empty()) {
            let functions = &expanded.program.functions;
            let names = [thread.func, thread.original].map(|func| functions[func].name.to_string());
            lines.push(format!("thread: {} from {}, {} deep", names[0], names[1], thread.spawns.len()));
        }
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn a_loop_with_a_known_count_is_free() {
        check(
            "global @x s0 size 4 align 4\nfn &main() -> i32 {\nreg %0 i32, %1 i1\nb0:\n%0 = 0:i32\njump b1\n\
             b1:\n%1 = slt i32 %0, 3:i32\nbr %1, b2, b3\nb2:\nstore i32 @x, %0\n%0 = add i32 %0, 1:i32\njump b1\n\
             b3:\nret %0\n}",
            1,
            expect![[r#"
                fn &main() -> i32 {
                b0:
                  store i32 @x, 0:i32
                  store i32 @x, 1:i32
                  store i32 @x, 2:i32
                  ret 3:i32
                }"#]],
        );
    }

    #[test]
    fn nested_loops() {
        check(
            "global @x s0 size 4 align 4\nfn &main() {\nreg %0 i32, %1 i32, %2 i1\nb0:\n%0 = 0:i32\njump b1\n\
             b1:\n%2 = slt i32 %0, 2:i32\nbr %2, b2, b6\nb2:\n%1 = 0:i32\njump b3\n\
             b3:\n%2 = sle i32 %1, %0\nbr %2, b4, b5\nb4:\nstore i32 @x, %1\n%1 = add i32 %1, 1:i32\njump b3\n\
             b5:\n%0 = add i32 %0, 1:i32\njump b1\nb6:\nret\n}",
            1,
            expect![[r#"
                fn &main() {
                b0:
                  store i32 @x, 0:i32
                  store i32 @x, 0:i32
                  store i32 @x, 1:i32
                  ret
                }"#]],
        );
    }

    #[test]
    fn what_goes_beyond_the_bound_is_cut() {
        check(
            "global @x s0 size 4 align 4\nfn &main() {\nreg %0 i32, %1 i1\nb0:\njump b1\n\
             b1:\n%0 = load i32 @x @ 0:7:3\n%1 = ne i32 %0, 0:i32\nbr %1, b2, b3 @ 0:7:3\n\
             b2:\nstore i32 @x, 1:i32\njump b1\nb3:\nret\n}",
            2,
            expect![[r#"
                fn &main() {
                b0:
                  %0 = load i32 @x @ 0:7:3
                  %1 = ne i32 %0, 0:i32
                  br %1, b1, b3 @ 0:7:3
                b1:
                  store i32 @x, 1:i32
                  %0 = load i32 @x @ 0:7:3
                  %1 = ne i32 %0, 0:i32
                  br %1, b2, b3 @ 0:7:3
                b2:
                  store i32 @x, 1:i32
                  %0 = load i32 @x @ 0:7:3
                  %1 = ne i32 %0, 0:i32
                  br %1, b4, b3 @ 0:7:3
                b3:
                  ret
                b4:
                  partial bound "more than 2 iterations of the loop at t.c:7" @ 0:7:3
                  assume 0:i1 @ 0:7:3
                  unreachable @ 0:7:3
                }
                cut: more than 2 iterations of the loop at t.c:7"#]],
        );
    }

    /// A register that the loop carries is named at each copy of the head: as a constant where it is one. The loop that ends by
    /// itself has no heads.
    #[test]
    fn heads_of_loops_that_are_cut() {
        let text = "global @x s0 size 4 align 4\nfn &main() {\nreg %0 i32, %1 i1, %2 i32\nb0:\n%0 = 0:i32\n%2 = load i32 @x\njump b1\n\
             b1:\n%1 = slt i32 %0, 3:i32\nbr %1, b2, b3\nb2:\n%0 = add i32 %0, 1:i32\njump b1\n\
             b3:\n%0 = load i32 @x @ 0:7:3\n%1 = ne i32 %0, %2\nbr %1, b4, b5 @ 0:7:3\n\
             b4:\n%2 = add i32 %2, 1:i32\njump b3\nb5:\nret\n}";
        let expanded = with_heads(text, 2).expect("a program that is taken");
        let [heads] = expanded.heads.as_slice() else { panic!("{:?}", expanded.heads) };
        assert_eq!((heads.place.line, heads.copies.len(), heads.cuts.len()), (7, 3, 1));
        let regs: Vec<_> = heads.copies.iter().map(|head| head.state.clone()).collect();
        assert_eq!(regs[0], regs[2]);
        assert!(matches!(regs[0].as_slice(), [Operand::Reg(_)]), "{regs:?}");
        let marks = heads.copies.iter().filter(|head| {
            let blocks = expanded.program.functions[heads.func].blocks.iter();
            blocks.flat_map(|block| &block.instrs).any(|instr| instr.id == head.instr)
        });
        assert_eq!(marks.count(), 3);
    }

    #[test]
    fn an_endless_loop_counts() {
        check(
            "global @x s0 size 4 align 4\nfn &main() {\nreg %0 i32, %1 i1\nb0:\n%0 = 0:i32\njump b1\n\
             b1:\n%1 = eq i32 %0, 2:i32\nbr %1, b3, b2 @ 0:7:3\nb2:\n%0 = xor i32 %0, 1:i32\n\
             store i32 @x, %0\njump b1\nb3:\nret\n}",
            1,
            expect![[r#"
                fn &main() {
                b0:
                  store i32 @x, 1:i32
                  store i32 @x, 0:i32
                  store i32 @x, 1:i32
                  partial bound "more than 1 iterations of the loop at t.c:7" @ 0:7:3
                  assume 0:i1 @ 0:7:3
                  unreachable @ 0:7:3
                }
                cut: more than 1 iterations of the loop at t.c:7"#]],
        );
    }

    #[test]
    fn irreducible_flow() {
        check(
            "global @x s0 size 4 align 4\nfn &main() {\nreg %0 i32, %1 i1\nb0:\n%0 = load i32 @x\n\
             %1 = eq i32 %0, 0:i32\nbr %1, b1, b2\nb1:\nstore i32 @x, 1:i32\njump b2\n\
             b2:\n%0 = load i32 @x\n%1 = eq i32 %0, 5:i32\nbr %1, b3, b1 @ 0:4:4\nb3:\nret\n}",
            1,
            expect![[r#"
                fn &main() {
                b0:
                  %0 = load i32 @x
                  %1 = eq i32 %0, 0:i32
                  br %1, b2, b1
                b1:
                  %0 = load i32 @x
                  %1 = eq i32 %0, 5:i32
                  br %1, b3, b2 @ 0:4:4
                b2:
                  store i32 @x, 1:i32
                  %0 = load i32 @x
                  %1 = eq i32 %0, 5:i32
                  br %1, b3, b4 @ 0:4:4
                b3:
                  ret
                b4:
                  partial bound "more than 1 iterations of the loop at t.c:4" @ 0:4:4
                  assume 0:i1 @ 0:4:4
                  unreachable @ 0:4:4
                }
                cut: more than 1 iterations of the loop at t.c:4"#]],
        );
    }

    const FACTORIAL: &str = "fn &fact(%0) -> i32 {\nreg %0 i32, %1 i1, %2 i32\nb0:\n%1 = sle i32 %0, 1:i32\n\
        br %1, b1, b2\nb1:\nret 1:i32\nb2:\n%2 = sub i32 %0, 1:i32\n%2 = call &fact(%2) @ 0:5:5\n\
        %2 = mul i32 %2, %0\nret %2\n}";

    #[test]
    fn recursion_of_known_depth_is_free() {
        let main = "fn &main() -> i32 {\nreg %0 i32\nb0:\n%0 = call &fact(6:i32)\nret %0\n}\n";
        check(
            &format!("{main}{FACTORIAL}"),
            1,
            expect![[r#"
            fn &main() -> i32 {
            b0:
              ret 720:i32
            }"#]],
        );
    }

    #[test]
    fn recursion_of_unknown_depth_is_cut() {
        let main = "global @x s0 size 4 align 4\nfn &main() -> i32 {\nreg %0 i32\nb0:\n%0 = load i32 @x\n\
            store i32 @x, 1:i32\n%0 = call &fact(%0)\nret %0\n}\n";
        check(
            &format!("{main}{FACTORIAL}"),
            1,
            expect![[r#"
                fn &main() -> i32 {
                b0:
                  %0 = load i32 @x
                  store i32 @x, 1:i32
                  %1 = %0
                  %2 = sle i32 %1, 1:i32
                  br %2, b1, b2
                b1:
                  %0 = 1:i32
                  jump b4
                b2:
                  %3 = sub i32 %1, 1:i32
                  %4 = %3 @ 0:5:5
                  %5 = sle i32 %4, 1:i32
                  br %5, b3, b5
                b3:
                  %3 = %1
                  %0 = %3
                  jump b4
                b4:
                  ret %0
                b5:
                  partial bound "recursion of 'fact' deeper than 1" @ 0:5:5
                  assume 0:i1 @ 0:5:5
                  unreachable @ 0:5:5
                }
                cut: recursion of 'fact' deeper than 1"#]],
        );
    }

    #[test]
    fn a_table_of_functions() {
        let text = "global @table s2 size 16 align 8 readonly = { 0: &one, 8: &two }\n\
            global @x s0 size 4 align 4\nglobal @other s1 size 8 align 8 = { 0: &one }\n\
            fn &main() -> i32 {\nreg %0 ptr, %1 i32, %2 i32\nb0:\n%0 = load ptr @table+8\n%1 = call * %0()\n\
            store ptr @other, &two\n%0 = load ptr @other\n%2 = call * %0()\n%1 = add i32 %1, %2\nret %1\n}\n\
            fn &one() -> i32 {\nb0:\nstore i32 @x, 1:i32\nret 1:i32\n}\n\
            fn &two() -> i32 {\nb0:\nstore i32 @x, 2:i32\nret 2:i32\n}";
        check(
            text,
            1,
            expect![[r#"
                fn &main() -> i32 {
                b0:
                  store i32 @x, 2:i32
                  store ptr @other, &two
                  %0 = load ptr @other
                  %1 = eq ptr %0, &two
                  br %1, b4, b1
                b1:
                  %2 = eq ptr %0, &one
                  br %2, b3, b2
                b2:
                  assert null-deref, 0:i1, "call through a null pointer"
                  unreachable
                b3:
                  store i32 @x, 1:i32
                  %3 = 1:i32
                  jump b5
                b4:
                  store i32 @x, 2:i32
                  %3 = 2:i32
                  jump b5
                b5:
                  %4 = add i32 2:i32, %3
                  ret %4
                }"#]],
        );
    }

    #[test]
    fn an_atomic_function_is_a_section() {
        let text = "global @x s0 size 4 align 4\nfn &main() {\nreg %0 i32\nb0:\n%0 = call &get(1:i64, 7:i32)\n\
            store i32 @x, %0\nret\n}\n\
            fn &get(%0, %2, %3) -> i32 atomic {\nreg %0 i32, %1 i32, %2 i32, %3 ptr\nlocal l0 s0 size 4 align 4\n\
            b0:\nlive l0\n%3 = local l0\nstore i32 %3, %0\n%1 = load i32 @x\nret %1\n}";
        check(
            text,
            1,
            expect![[r#"
                fn &main() {
                  local l0 s0 size 4 align 4
                b0:
                  atomic-begin
                  live l0
                  %0 = local l0
                  store i32 %0, 1:i32
                  %1 = load i32 @x
                  %2 = %1
                  dead l0
                  atomic-end
                  store i32 @x, %2
                  ret
                }"#]],
        );
    }

    #[test]
    fn objects_in_loops_and_callees() {
        let text = "fn &main() {\nreg %0 i32, %1 i1, %2 ptr\nlocal l0 s0 size 4 align 4\nb0:\n%0 = 0:i32\njump b1\n\
            b1:\n%1 = slt i32 %0, 2:i32\nbr %1, b2, b3\nb2:\nlive l0\n%2 = local l0\ncall &set(%2)\ndead l0\n\
            %0 = add i32 %0, 1:i32\njump b1\nb3:\nret\n}\n\
            fn &set(%0) {\nreg %0 ptr, %1 ptr, %2 ptr\nlocal l0 s0 size 4 align 4\nb0:\nlive l0\n%1 = local l0\n\
            %2 = alloc stack 8:i64, 8:i64\nstore i32 %2, 1:i32\nstore i32 %0, 1:i32\nret\n}";
        check(
            text,
            1,
            expect![[r#"
            fn &main() {
              local l0 s0 size 4 align 4
              local l1 s0 size 4 align 4
            b0:
              live l0
              %0 = local l0
              %1 = %0
              live l1
              %2 = alloc stack 8:i64, 8:i64
              %3 = %2
              store i32 %2, 1:i32
              store i32 %1, 1:i32
              dead l1
              free stack %3
              dead l0
              live l0
              %0 = local l0
              %1 = %0
              live l1
              %2 = alloc stack 8:i64, 8:i64
              %4 = %2
              store i32 %2, 1:i32
              store i32 %1, 1:i32
              dead l1
              free stack %4
              dead l0
              ret
            }"#]],
        );
    }

    #[test]
    fn private_memory() {
        let text = "global @x s0 size 4 align 4\nfn &main() -> i32 {\nreg %0 ptr, %1 i32, %2 i1, %3 ptr\n\
            local l0 s2 size 16 align 8\nb0:\nlive l0\n%0 = local l0\nstore i32 %0, 5:i32\n%1 = load i32 %0\n\
            store i32 @x, %1\n%1 = load i32 @x\n%2 = eq i32 %1, 0:i32\n%3 = ptradd %0, 8:i64\nfill %3, 1:i8, 4:i64 s0\n\
            br %2, b1, b2\nb1:\nstore i32 %0, 6:i32\njump b2\nb2:\n%1 = load i32 %0\nstore i32 @x, %1\n\
            %1 = load i32 %3\nstore i32 @x, %1\n%3 = select ptr %2, %0, @x\nstore i32 %0, 7:i32\nstore i32 %3, 8:i32\n\
            %1 = load i32 %0\nstore i32 @x, %1\nlive l0\n%1 = load i32 %0\nret %1\n}";
        check(
            text,
            1,
            expect![[r#"
            fn &main() -> i32 {
              local l0 s2 size 16 align 8
            b0:
              live l0
              %0 = local l0
              store i32 %0, 5:i32
              store i32 @x, 5:i32
              %1 = load i32 @x
              %2 = eq i32 %1, 0:i32
              %3 = ptradd %0, 8:i64
              fill %3, 1:i8, 4:i64 s0
              br %2, b1, b2
            b1:
              store i32 %0, 6:i32
              jump b2
            b2:
              %1 = load i32 %0
              store i32 @x, %1
              store i32 @x, 16843009:i32
              %3 = select ptr %2, %0, @x
              store i32 %0, 7:i32
              store i32 %3, 8:i32
              %1 = load i32 %0
              store i32 @x, %1
              live l0
              %1 = load i32 %0
              ret %1
            }"#]],
        );
    }

    #[test]
    fn threads_have_functions_of_their_own() {
        let text = "global @x s0 size 4 align 4\nfn &main() {\nreg %0 i64, %1 i64, %2 ptr, %3 i1\nb0:\n%1 = 1:i64\njump b1\n\
            b1:\n%3 = sle i64 %1, 2:i64\nbr %3, b2, b3\nb2:\n%2 = inttoptr i64 %1 to ptr\n%0 = spawn &run, %2\n\
            %1 = add i64 %1, 1:i64\njump b1\nb3:\nret\n}\n\
            fn &run(%0) -> ptr {\nreg %0 ptr, %1 i64, %2 i32, %3 i1\nb0:\n%1 = ptrtoint ptr %0 to i64\n\
            %2 = trunc i64 %1 to i32\nstore i32 @x, %2\n%3 = eq i64 %1, 2:i64\nbr %3, b1, b2\n\
            b1:\n%1 = spawn &leaf, @x\njump b2\nb2:\nret null\n}\n\
            fn &leaf(%0) -> ptr {\nreg %0 ptr\nb0:\nstore i32 %0, 3:i32\nret null\n}";
        check(
            text,
            1,
            expect![[r#"
            fn &main() {
            b0:
              %0 = inttoptr i64 1:i64 to ptr
              %1 = spawn &run_0, %0
              %0 = inttoptr i64 2:i64 to ptr
              %1 = spawn &run_1, %0
              ret
            }
            fn &run_0(%0) -> ptr {
            b0:
              store i32 @x, 1:i32
              ret null
            }
            fn &run_1(%0) -> ptr {
            b0:
              store i32 @x, 2:i32
              %1 = spawn &leaf_0, @x
              ret null
            }
            fn &leaf_0(%0) -> ptr {
            b0:
              store i32 @x, 3:i32
              ret null
            }
            thread: run_0 from run, 1 deep
            thread: run_1 from run, 1 deep
            thread: leaf_0 from leaf, 2 deep"#]],
        );
    }

    #[test]
    fn threads_that_start_one_another_are_cut() {
        let text = "global @x s0 size 4 align 4\nfn &main() {\nreg %0 i64\nb0:\n%0 = spawn &run, null\nret\n}\n\
            fn &run(%0) -> ptr {\nreg %0 ptr, %1 i64\nb0:\nstore i32 @x, 1:i32\n%1 = spawn &run, null\nret null\n}";
        check(
            text,
            1,
            expect![[r#"
            fn &main() {
            b0:
              %0 = spawn &run_0, null
              ret
            }
            fn &run_0(%0) -> ptr {
            b0:
              store i32 @x, 1:i32
              %1 = spawn &run_1, null
              ret null
            }
            fn &run_1(%0) -> ptr {
            b0:
              store i32 @x, 1:i32
              partial bound "threads in 'run' that start one another deeper than 1"
              assume 0:i1
              unreachable
            }
            cut: threads in 'run' that start one another deeper than 1
            thread: run_0 from run, 1 deep
            thread: run_1 from run, 2 deep"#]],
        );
    }

    #[test]
    fn library_code_stands_at_the_call() {
        let text = "global @s s0 size 4 align 4 internal\nfn &main() {\nreg %0 i32\nb0:\n%0 = call &next() @ 0:3:3\n\
            call &next() @ 0:4:4\nret\n}\n\
            fn &next() -> i32 internal @ 1:1:1 {\nreg %0 i32\nb0:\n%0 = call &get() @ 1:2:2\nret %0 @ 1:3:3\n}\n\
            fn &get() -> i32 internal @ 1:7:1 {\nreg %0 i32\nb0:\n%0 = load i32 @s @ 1:8:8\n\
            %0 = add i32 %0, 1:i32\nstore i32 @s, %0 @ 1:9:9\nret %0 @ 1:10:1\n}";
        check(
            text,
            1,
            expect![[r#"
                fn &main() {
                b0:
                  %0 = load i32 @s @ 0:3:3 internal
                  %0 = add i32 %0, 1:i32 @ 0:3:3 internal
                  store i32 @s, %0 @ 0:3:3 internal
                  %0 = load i32 @s @ 0:4:4 internal
                  %0 = add i32 %0, 1:i32 @ 0:4:4 internal
                  store i32 @s, %0 @ 0:4:4 internal
                  ret
                }"#]],
        );
    }

    #[test]
    fn too_large_names_the_loop() {
        let text = "global @x s0 size 4 align 4\nfn &main() {\nreg %0 i32, %1 i1\nb0:\n%0 = 0:i32\njump b1\n\
            b1:\n%1 = slt i32 %0, 5000:i32\nbr %1, b2, b3 @ 0:9:9\nb2:\nstore i32 @x, %0\n%0 = add i32 %0, 1:i32\n\
            jump b1\nb3:\nret\n}";
        let refused = unrolled(text, 1).expect_err("it is too large");
        assert!(
            matches!(refused, Refused::TooLarge { limit: 2_000, place } if place.line == 9),
            "{refused:?}"
        );
    }
}
