//! What counts as a failed assertion besides the library's own: calls of functions and labels that the
//! user names.
//!
//! Where functions are named (`--error-call`, or a property file), only their calls count; a failing `assert`
//! then ends the program without a violation, as it does where assertions are not checked. The violation
//! stands at the call, whatever the function does. A call through a pointer is seen when the function begins.

use crate::context::Context;
use crate::func::Lowerer;
use braid_base::Symbol;
use braid_ir::{Expr, Loc, Op};
use braid_props::Check;

/// What the user says an error is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Errors {
    /// If any: only calls of these count.
    pub calls: Vec<String>,
    /// Reaching a label of this name counts.
    pub label: Option<String>,
}

impl Context<'_> {
    fn is_error_call(&self, name: Symbol) -> bool {
        self.errors.calls.iter().any(|call| call == name.as_str())
    }

    pub fn is_error_label(&self, name: Symbol) -> bool {
        self.errors.label.as_deref() == Some(name.as_str())
    }
}

impl Lowerer<'_, '_, '_> {
    /// An assertion of the program, unless only calls count.
    pub fn assertion(&mut self, cond: Expr, message: Option<Symbol>, loc: Loc) {
        if self.cx.errors.calls.is_empty() {
            self.body.emit(Op::Assert { check: Check::Assertion, cond, message, about: None }, loc);
        }
    }

    /// The violation that a call of a function is, if the user named it.
    pub fn error_call(&mut self, name: Symbol, loc: Loc) {
        if self.cx.is_error_call(name) {
            self.error(name, loc);
        }
    }

    /// The violation that reaching something is.
    pub fn error(&mut self, name: Symbol, loc: Loc) {
        let cond = Expr::Use(self.cx.int(1, 0));
        self.body.emit(Op::Assert { check: Check::Assertion, cond, message: Some(name), about: None }, loc);
    }
}

#[cfg(test)]
mod tests {
    use super::Errors;
    use crate::testing::{function_text, lower_errors};
    use expect_test::expect;

    const TEXT: &str = "void reach_error(void); void assert(long); void mine(void) {}\n\
        void f(int x) { assert(x); if (x) reach_error(); mine(); void (*p)(void) = reach_error; p(); }";

    fn lowered(errors: Errors) -> (String, String) {
        let program = lower_errors(TEXT, errors).expect("the text is right");
        let text = |name| function_text(&program, name);
        (text("f"), text("mine"))
    }

    #[test]
    fn only_named_calls_count() {
        let calls = vec!["mine".to_string()];
        let (f, mine) = lowered(Errors { calls, label: None });
        expect![[r#"
            fn &f(%x.0)
            b0:
              %2 = sext i32 %x.0 to i64
              call &assert(%2)
              %3 = ne i32 %x.0, 0:i32
              br %3, b1, b2
            b1:
              abort
              unreachable
            b2:
              assert assertion, 0:i1, "mine"
              call &mine()
              %p.1 = &reach_error
              call * %p.1()
              ret
            }
        "#]]
        .assert_eq(&f);
        expect![[r#"
            fn &mine()
            b0:
              assert assertion, 0:i1, "mine"
              ret
            }
        "#]]
        .assert_eq(&mine);
    }

    #[test]
    fn labels() {
        let text = "int f(int x) { if (x) goto ERROR; return 0; ERROR: return 1; }";
        let errors = Errors { calls: Vec::new(), label: Some("ERROR".into()) };
        let program = lower_errors(text, errors).expect("the text is right");
        expect![[r#"
            fn &f(%x.0) -> i32
            b0:
              %1 = ne i32 %x.0, 0:i32
              br %1, b1, b2
            b1:
              assert assertion, 0:i1, "ERROR"
              ret 1:i32
            b2:
              ret 0:i32
            }
        "#]]
        .assert_eq(&function_text(&program, "f"));
    }
}
