//! From something gone wrong to an outcome that explains it.

use crate::arith::signed;
use crate::eval::Eval;
use crate::machine::Machine;
use crate::memory::Invalid;
use crate::object::{Identity, Kind, Site, Tomb, bytes_text, place_text};
use crate::report::{Outcome, Related, Report, Resource, StackEntry, ThreadView};
use crate::state::Thread;
use braid_base::Symbol;
use braid_ir::{CmpOp, Expr, FitsOp, FuncId, Loc, Operand, Ty};
use braid_props::Check;

/// Of a very deep call stack, this many entries are kept at either end.
const STACK_SHOWN: usize = 8;

impl Machine<'_> {
    /// The call stack of the running thread, innermost first; the middle of a very deep one is left
    /// out.
    pub(crate) fn stack(&self) -> Vec<StackEntry> {
        let thread = &self.state.threads[self.state.current];
        self.stack_of(thread, thread.frame.pc.saturating_sub(1))
    }

    /// The call stack of a thread that is at an instruction.
    pub(crate) fn stack_of(&self, thread: &Thread, at: u32) -> Vec<StackEntry> {
        let depth = thread.callers.len() + 1;
        let shown = |(index, _): &(usize, _)| *index < STACK_SHOWN || depth - index <= STACK_SHOWN;
        let entry = |(func, pc): (FuncId, u32)| {
            let function = self.image.function(func);
            let loc = self.image.origin[pc as usize].1;
            StackEntry { function: function.name, loc, internal: function.internal }
        };
        frames_at(thread, at).enumerate().filter(shown).map(|(_, frame)| entry(frame)).collect()
    }

    /// The innermost place outside of library models, or the innermost one at all.
    pub(crate) fn site(&self) -> Site {
        let thread = &self.state.threads[self.state.current];
        self.site_of(thread, thread.frame.pc.saturating_sub(1))
    }

    /// The same for a thread that is at an instruction.
    pub(crate) fn site_of(&self, thread: &Thread, at: u32) -> Site {
        let user = |(func, _): &(FuncId, u32)| !self.image.function(*func).internal;
        let (func, pc) = frames_at(thread, at).find(user).unwrap_or((thread.frame.func, at));
        Site { func, loc: self.image.origin[pc as usize].1 }
    }

    /// What a thread that stands before a step has to do with a violation.
    pub(crate) fn view(&self, thread: usize, text: String) -> ThreadView {
        let thread = &self.state.threads[thread];
        let at = thread.frame.pc;
        ThreadView {
            number: thread.number,
            path: thread.path.to_string(),
            text,
            place: self.site_of(thread, at).loc,
            stack: self.stack_of(thread, at),
            holds: thread.held.iter().map(|address| self.mutex_text(*address)).collect(),
            lock: None,
        }
    }

    pub(crate) fn violation(&self, check: Check, message: String, related: Vec<Related>) -> Box<Outcome> {
        let thread = &self.state.threads[self.state.current];
        let report = Box::new(Report {
            check,
            message,
            place: self.site().loc,
            thread: thread.number,
            path: thread.path.to_string(),
            stack: self.stack(),
            related,
            threads: Vec::new(),
        });
        Box::new(if self.options.question.checks.contains(check) {
            Outcome::Violation(report)
        } else {
            Outcome::InvalidUnchecked(report)
        })
    }

    #[cold]
    pub(crate) fn division_by_zero(&self) -> Box<Outcome> {
        self.violation(Check::DivisionByZero, "division by zero".into(), Vec::new())
    }

    #[cold]
    pub(crate) fn resource(&self, resource: Resource) -> Box<Outcome> {
        let (place, stack) = (self.site().loc, self.stack());
        Box::new(Outcome::ResourceLimit { resource, place, stack })
    }

    #[cold]
    pub(crate) fn unsupported(&self, what: impl Into<String>) -> Box<Outcome> {
        let (place, stack) = (self.site().loc, self.stack());
        Box::new(Outcome::Unsupported { what: what.into(), place, stack })
    }

    fn related(&self, text: &str, site: Site) -> Related {
        let function = self.image.program.functions.get(site.func).map(|f| f.name);
        Related { text: text.into(), function, loc: site.loc }
    }

    /// Where a block was allocated, and a dead object's life ended.
    fn history(&self, object: &Identity, died: Option<Site>) -> Vec<Related> {
        let mut related = Vec::new();
        let born = match object.kind {
            Kind::Heap | Kind::Stack => Some("allocated"),
            Kind::Global(_) | Kind::ThreadLocal(_) => Some("defined"),
            Kind::Local(..) | Kind::Function(_) | Kind::Thread(_) => None,
        };
        if let Some(text) = born.filter(|_| object.born.loc != Loc::NONE) {
            related.push(self.related(text, object.born));
        }
        if let Some(site) = died.filter(|site| site.loc != Loc::NONE) {
            let text = if object.kind == Kind::Heap { "freed" } else { "left" };
            related.push(self.related(text, site));
        }
        related
    }

    fn dead_text(&self, tomb: Option<Tomb>) -> String {
        let program = self.image.program;
        match tomb {
            None => "an object whose life ended long ago".into(),
            Some(tomb) => {
                let end = if tomb.identity.kind == Kind::Heap { "freed" } else { "whose life ended" };
                let object = tomb.identity.describe(program);
                format!("{object}, {end} at {}", place_text(program, tomb.died.loc))
            }
        }
    }

    /// `what` is "read" or "write".
    #[cold]
    pub(crate) fn invalid_access(&self, what: &str, len: u64, invalid: Invalid) -> Box<Outcome> {
        let program = self.image.program;
        let access = format!("{what} of {}", bytes_text(len));
        let (check, message, related) = match invalid {
            Invalid::Null { address: 0 } => {
                (Check::NullDeref, format!("{access} through a null pointer"), Vec::new())
            }
            Invalid::Null { address } => {
                let message = format!("{access} at offset {address} of a null pointer");
                (Check::NullDeref, message, Vec::new())
            }
            Invalid::Wild { address } => {
                let message = format!("{access} at address {address:#x}, where no object is");
                (Check::NullDeref, message, Vec::new())
            }
            Invalid::Outside { object, offset } => {
                let message = format!("{access} at offset {offset} of {}", object.describe(program));
                (Check::OutOfBounds, message, self.history(&object, None))
            }
            Invalid::ReadOnly { object, offset } => {
                let text = object.describe(program);
                let message = format!("{access} at offset {offset} of {text}, which is read-only");
                (Check::OutOfBounds, message, self.history(&object, None))
            }
            Invalid::Dead { tomb, offset } => {
                let message = format!("{access} at offset {offset} of {}", self.dead_text(tomb));
                let related = tomb.map_or(Vec::new(), |t| self.history(&t.identity, Some(t.died)));
                (Check::UseAfterFree, message, related)
            }
        };
        self.violation(check, message, related)
    }

    #[cold]
    pub(crate) fn invalid_free(&self, invalid: Invalid) -> Box<Outcome> {
        let program = self.image.program;
        let (message, related) = match invalid {
            Invalid::Null { address } | Invalid::Wild { address } => {
                (format!("free of address {address:#x}, where no object is"), Vec::new())
            }
            Invalid::Outside { object, offset: 0 } | Invalid::ReadOnly { object, offset: 0 } => {
                let message = format!("free of {}, which is no heap block", object.describe(program));
                (message, self.history(&object, None))
            }
            Invalid::Outside { object, offset } | Invalid::ReadOnly { object, offset } => {
                let text = object.describe(program);
                let message = format!("free of a pointer to offset {offset} of {text}");
                (message, self.history(&object, None))
            }
            Invalid::Dead { tomb, offset: _ } => {
                let related = tomb.map_or(Vec::new(), |t| self.history(&t.identity, Some(t.died)));
                (format!("free of {}", self.dead_text(tomb)), related)
            }
        };
        self.violation(Check::InvalidFree, message, related)
    }

    #[cold]
    pub(crate) fn invalid_call(&self, invalid: Invalid) -> Box<Outcome> {
        let program = self.image.program;
        let (check, message, related) = match invalid {
            Invalid::Null { .. } => (Check::NullDeref, "call through a null pointer".into(), Vec::new()),
            Invalid::Wild { address } => {
                let message = format!("call through a pointer to address {address:#x}, where no function is");
                (Check::NullDeref, message, Vec::new())
            }
            Invalid::Outside { object, .. } | Invalid::ReadOnly { object, .. } => {
                let text = object.describe(program);
                let message = format!("call through a pointer into {text}, which is no start of a function");
                (Check::NullDeref, message, self.history(&object, None))
            }
            Invalid::Dead { tomb, .. } => {
                let related = tomb.map_or(Vec::new(), |t| self.history(&t.identity, Some(t.died)));
                let message = format!("call through a pointer into {}", self.dead_text(tomb));
                (Check::UseAfterFree, message, related)
            }
        };
        self.violation(check, message, related)
    }

    /// A check that `lower` placed does not hold.
    #[cold]
    pub(crate) fn failed_check(
        &self,
        check: Check,
        cond: &Expr,
        text: Option<Symbol>,
        about: Option<Operand>,
    ) -> Box<Outcome> {
        let message = match (check, text) {
            (Check::Assertion, Some(text)) => format!("assertion '{text}' failed"),
            (_, Some(text)) => match about {
                Some(object) => self.misuse_text(text.as_str(), self.operand(object)),
                None => text.to_string(),
            },
            (_, None) => self.condition_text(check, cond),
        };
        self.violation(check, message, Vec::new())
    }

    fn condition_text(&self, check: Check, cond: &Expr) -> String {
        match (check, *cond) {
            (_, Expr::Fits { op, signed: is_signed, ty: Ty::Int(width), a, b }) => {
                let thread = &self.state.threads[self.state.current];
                let eval = Eval::new(self.image, thread, &self.state.memory);
                let number = |bits: u128| {
                    if is_signed { signed(width, bits).to_string() } else { bits.to_string() }
                };
                let (a, b) = (number(eval.operand(a).bits), number(eval.operand(b).bits));
                let sign = if is_signed { "signed" } else { "unsigned" };
                let range = format!("is no value of a {sign} {width}-bit type");
                match op {
                    FitsOp::Add => format!("{a} + {b} {range}"),
                    FitsOp::Sub => format!("{a} - {b} {range}"),
                    FitsOp::Mul => format!("{a} * {b} {range}"),
                    FitsOp::Div => format!("{a} / {b} {range}"),
                    FitsOp::Shl => format!("{a} << {b} {range}"),
                    FitsOp::ShiftCount => format!("shift by {b} of a {width}-bit value"),
                }
            }
            (Check::OutOfBounds, Expr::Compare { op: CmpOp::Ult | CmpOp::Ule, ty: Ty::Int(width), a, b }) => {
                let thread = &self.state.threads[self.state.current];
                let eval = Eval::new(self.image, thread, &self.state.memory);
                let (index, len) = (signed(width, eval.operand(a).bits), eval.operand(b).bits);
                let elements = if len == 1 { "element" } else { "elements" };
                format!("subscript {index} of an array with {len} {elements}")
            }
            (Check::DivisionByZero, _) => "division by zero".into(),
            (Check::Assertion, _) => "an assertion failed".into(),
            (check, _) => check.property().summary.into(),
        }
    }
}

/// Function and instruction of each frame, innermost first; the waiting ones are at their calls.
fn frames_at(thread: &Thread, at: u32) -> impl Iterator<Item = (FuncId, u32)> {
    let callers = thread.callers.iter().rev().map(|frame| (frame.func, frame.pc.saturating_sub(1)));
    std::iter::once((thread.frame.func, at)).chain(callers)
}

#[cfg(test)]
mod tests {
    use crate::machine::Limits;
    use crate::testing::{TestEnv, main_of, run, run_with};
    use expect_test::{Expect, expect};

    const ITEMS: &str = "shape s0 = i32\nshape s1 = array s0 x 10\nglobal @a s1 size 40 align 16 @ 0:1:5\n\
                         global @str.0 s0 size 4 align 1 readonly = { 0: \"abc\" }";
    const REGS: &str = "%0 i32, %1 ptr, %2 i64, %3 i1";

    fn check(lines: &str, expected: Expect) {
        let lines = format!("local l0 \"x\" s0 size 4 align 4\nb0:\n{lines}\nret 0:i32");
        expected.assert_eq(&run(&main_of(ITEMS, REGS, &lines)));
    }

    #[test]
    fn bounds() {
        check(
            "store i32 @a+40, 1:i32 @ 0:5:3",
            expect![[r#"
                t.c:5:3: out-of-bounds: write of 4 bytes at offset 40 of 'a' (40 bytes)
                  in 'main' at t.c:5:3
                  defined at t.c:1:5
            "#]],
        );
        check(
            "%0 = load i32 @a-1 @ 0:5:3",
            expect![[r#"
                t.c:5:3: out-of-bounds: read of 4 bytes at offset -1 of 'a' (40 bytes)
                  in 'main' at t.c:5:3
                  defined at t.c:1:5
            "#]],
        );
        check(
            "%1 = alloc heap 12:i64, 16:i64 @ 0:4:9\n%1 = ptradd %1, 9:i64\n%0 = load i32 %1 @ 0:5:3",
            expect![[r#"
                t.c:5:3: out-of-bounds: read of 4 bytes at offset 9 of a heap block of 12 bytes allocated at t.c:4:9
                  in 'main' at t.c:5:3
                  allocated in 'main' at t.c:4:9
            "#]],
        );
        check(
            "store i32 @str.0, 0:i32 @ 0:5:3",
            expect![[r#"
                t.c:5:3: out-of-bounds: write of 4 bytes at offset 0 of a string literal (4 bytes), which is read-only
                  in 'main' at t.c:5:3
            "#]],
        );
        check(
            "%0 = load i32 &main @ 0:5:3",
            expect![[r#"
                t.c:5:3: out-of-bounds: read of 4 bytes at offset 0 of function 'main'
                  in 'main' at t.c:5:3
            "#]],
        );
        check(
            "copy @a, @a+36, 8:i64 s0 @ 0:5:3",
            expect![[r#"
            t.c:5:3: out-of-bounds: read of 8 bytes at offset 36 of 'a' (40 bytes)
              in 'main' at t.c:5:3
              defined at t.c:1:5
        "#]],
        );
        check(
            "fill @a+36, 0:i8, 8:i64 s0\n",
            expect![[r#"
            an unknown place: out-of-bounds: write of 8 bytes at offset 36 of 'a' (40 bytes)
              in 'main' at an unknown place
              defined at t.c:1:5
        "#]],
        );
    }

    #[test]
    fn null_and_wild() {
        check(
            "%0 = load i32 null @ 0:5:3",
            expect![[r#"
                t.c:5:3: null-deref: read of 4 bytes through a null pointer
                  in 'main' at t.c:5:3
            "#]],
        );
        check(
            "%1 = ptradd null, 8:i64\nstore i32 %1, 0:i32 @ 0:5:3",
            expect![[r#"
                t.c:5:3: null-deref: write of 4 bytes at offset 8 of a null pointer
                  in 'main' at t.c:5:3
            "#]],
        );
        check(
            "%1 = inttoptr i64 3735928559:i64 to ptr\n%0 = load i32 %1 @ 0:5:3",
            expect![[r#"
                t.c:5:3: null-deref: read of 4 bytes at address 0xdeadbeef, where no object is
                  in 'main' at t.c:5:3
            "#]],
        );
        check(
            "call * null() @ 0:5:3",
            expect![[r#"
                t.c:5:3: null-deref: call through a null pointer
                  in 'main' at t.c:5:3
            "#]],
        );
        check(
            "call * @a() @ 0:5:3",
            expect![[r#"
                t.c:5:3: null-deref: call through a pointer into 'a' (40 bytes), which is no start of a function
                  in 'main' at t.c:5:3
                  defined at t.c:1:5
            "#]],
        );
    }

    #[test]
    fn dead_objects() {
        check(
            "%1 = alloc heap 12:i64, 16:i64 @ 0:4:9\nfree heap %1 @ 0:6:3\n%0 = load i32 %1 @ 0:7:3",
            expect![[r#"
                t.c:7:3: use-after-free: read of 4 bytes at offset 0 of a heap block of 12 bytes allocated at t.c:4:9, freed at t.c:6:3
                  in 'main' at t.c:7:3
                  allocated in 'main' at t.c:4:9
                  freed in 'main' at t.c:6:3
            "#]],
        );
        check(
            "live l0 @ 0:3:3\n%1 = local l0\ndead l0 @ 0:6:3\nstore i32 %1, 0:i32 @ 0:7:3",
            expect![[r#"
                t.c:7:3: use-after-free: write of 4 bytes at offset 0 of 'x' (4 bytes), whose life ended at t.c:6:3
                  in 'main' at t.c:7:3
                  left in 'main' at t.c:6:3
            "#]],
        );
        check(
            "live l0\n%1 = local l0\nlive l0 @ 0:6:3\nstore i32 %1, 0:i32 @ 0:7:3",
            expect![[r#"
                t.c:7:3: use-after-free: write of 4 bytes at offset 0 of 'x' (4 bytes), whose life ended at t.c:6:3
                  in 'main' at t.c:7:3
                  left in 'main' at t.c:6:3
            "#]],
        );
    }

    #[test]
    fn frees() {
        check("free heap null", expect!["exit 0"]);
        check(
            "%1 = alloc heap 12:i64, 16:i64 @ 0:4:9\nfree heap %1 @ 0:6:3\nfree heap %1 @ 0:7:3",
            expect![[r#"
                t.c:7:3: invalid-free: free of a heap block of 12 bytes allocated at t.c:4:9, freed at t.c:6:3
                  in 'main' at t.c:7:3
                  allocated in 'main' at t.c:4:9
                  freed in 'main' at t.c:6:3
            "#]],
        );
        check(
            "%1 = alloc heap 12:i64, 16:i64 @ 0:4:9\n%1 = ptradd %1, 4:i64\nfree heap %1 @ 0:7:3",
            expect![[r#"
                t.c:7:3: invalid-free: free of a pointer to offset 4 of a heap block of 12 bytes allocated at t.c:4:9
                  in 'main' at t.c:7:3
                  allocated in 'main' at t.c:4:9
            "#]],
        );
        check(
            "live l0\n%1 = local l0\nfree heap %1 @ 0:7:3",
            expect![[r#"
                t.c:7:3: invalid-free: free of 'x' (4 bytes), which is no heap block
                  in 'main' at t.c:7:3
            "#]],
        );
        check(
            "%1 = inttoptr i64 99999:i64 to ptr\nfree heap %1",
            expect![[r#"
                an unknown place: invalid-free: free of address 0x1869f, where no object is
                  in 'main' at an unknown place
            "#]],
        );
    }

    #[test]
    fn placed_checks() {
        check(
            "assert assertion, 0:i1, \"x > 0\" @ 0:9:1",
            expect![[r#"
                t.c:9:1: assertion: assertion 'x > 0' failed
                  in 'main' at t.c:9:1
            "#]],
        );
        check(
            "assert signed-overflow, fits add signed i32 2147483647:i32, 1:i32 @ 0:9:1",
            expect![[r#"
                t.c:9:1: signed-overflow: 2147483647 + 1 is no value of a signed 32-bit type
                  in 'main' at t.c:9:1
            "#]],
        );
        check(
            "assert shift, fits count signed i32 1:i32, -1:i32 @ 0:9:1",
            expect![[r#"
                t.c:9:1: shift: shift by -1 of a 32-bit value
                  in 'main' at t.c:9:1
            "#]],
        );
        check(
            "%0 = 0:i32\nassert division-by-zero, ne i32 %0, 0:i32 @ 0:9:1",
            expect![[r#"
                t.c:9:1: division-by-zero: division by zero
                  in 'main' at t.c:9:1
            "#]],
        );
    }

    /// Not checked: asserts cost nothing, invalid operations end the run all the same.
    #[test]
    fn unchecked() {
        let unchecked = |lines: &str| {
            let text = main_of(ITEMS, REGS, &format!("b0:\n{lines}\nret %0"));
            run_with(&text, "none", Limits::default(), &mut TestEnv::default()).1
        };
        assert_eq!(unchecked("assert assertion, 0:i1\n%0 = 3:i32"), "exit 3");
        assert_eq!(unchecked("%0 = add i32 2147483647:i32, 1:i32"), "exit -2147483648");
        assert_eq!(unchecked("%0 = shl i32 1:i32, 33:i32"), "exit 2");
        assert!(
            unchecked("%0 = sdiv i32 1:i32, 0:i32")
                .starts_with("unchecked: an unknown place: division-by-zero")
        );
        assert!(unchecked("%0 = load i32 null").contains("unchecked: an unknown place: null-deref"));
        assert!(unchecked("free heap @a").starts_with("unchecked: an unknown place: invalid-free"));
    }

    /// The place is the user's, even when a model does the access.
    #[test]
    fn internal_frames() {
        let model = "fn &fault(%0) internal {\nreg %0 ptr\nb0:\nstore i32 %0, 0:i32 @ 0:99:1\nret\n}\n\
                     fn &user(%0) {\nreg %0 ptr\nb0:\ncall &fault(%0) @ 0:5:5\nret\n}";
        let text = main_of(&format!("{ITEMS}\n{model}"), "", "b0:\ncall &user(null) @ 0:8:3\nret 0:i32");
        expect![[r#"
            t.c:5:5: null-deref: write of 4 bytes through a null pointer
              in 'user' at t.c:5:5
              in 'main' at t.c:8:3
        "#]]
        .assert_eq(&run(&text));
    }
}
