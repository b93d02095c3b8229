//! The passes that formula engines want, in order. The judge never sees their result: it replays the program before
//! any pass.

use crate::fix_global;
use braid_ir::Program;
use std::borrow::Cow;

/// The program with these global variables at known values; a variable that the program does not have is skipped.
pub fn with_globals<'a>(program: &'a Program, known: &[(&str, u128)]) -> Cow<'a, Program> {
    let mut result = Cow::Borrowed(program);
    for (variable, value) in known {
        if let Some(fixed) = fix_global(&result, variable, *value) {
            verify(&fixed, "fix_global");
            result = Cow::Owned(fixed);
        }
    }
    result
}

/// A pass that makes a malformed program is a defect of ours.
pub(crate) fn verify(program: &Program, pass: &str) {
    if let Err(errors) = braid_ir::verify(program) {
        panic!("{pass} makes a malformed program: {errors:?}");
    }
}
