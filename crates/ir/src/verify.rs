//! What every well-formed program satisfies.
//!
//! Run after lowering and after every pass; the interpreter and the encoders rely on it and check
//! nothing of it again. Verified are: ids in range, names and instruction ids unique, types of all
//! operands and results, block targets, shapes (acyclic, fields ascending and disjoint), initial data
//! in bounds, memory orders, guards. Not verified: that a register is assigned before it is read and
//! that a frame object is alive when its address is taken; those would be bugs of the lowering that no
//! local rule can see.

mod code;
mod data;

use crate::program::*;
use braid_base::{HashSet, Symbol};

/// A rule that the program breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    pub function: Option<Symbol>,
    pub instr: Option<InstrId>,
    pub loc: Loc,
    pub message: String,
}

impl std::fmt::Display for VerifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(function) = self.function {
            write!(f, "in '{function}'")?;
            if let Some(instr) = self.instr {
                write!(f, " at {instr}")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for VerifyError {}

/// All broken rules, in program order.
pub fn verify(program: &Program) -> Result<(), Vec<VerifyError>> {
    let mut errors = Vec::new();
    data::verify_data(program, &mut errors);
    // Code refers to data by id; checking it makes sense only if the data can be looked at.
    if errors.is_empty() {
        verify_names(program, &mut errors);
        verify_entry(program, &mut errors);
        let mut seen = HashSet::default();
        for function in &program.functions {
            code::verify_function(program, function, &mut seen, &mut errors);
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn error(errors: &mut Vec<VerifyError>, message: String) {
    errors.push(VerifyError { function: None, instr: None, loc: Loc::NONE, message });
}

fn verify_names(program: &Program, errors: &mut Vec<VerifyError>) {
    let mut seen = HashSet::default();
    for name in program.globals.iter().map(|g| g.name) {
        if !seen.insert(name) {
            error(errors, format!("two globals are named '{name}'"));
        }
    }
    seen.clear();
    for name in program.functions.iter().map(|f| f.name) {
        if !seen.insert(name) {
            error(errors, format!("two functions are named '{name}'"));
        }
    }
}

fn verify_entry(program: &Program, errors: &mut Vec<VerifyError>) {
    if let Some(main) = program.main.filter(|main| program.functions.get(*main).is_none()) {
        error(errors, format!("the function {main} of the user does not exist"));
    }
    let Some(entry) = program.entry else { return };
    match program.functions.get(entry) {
        None => error(errors, format!("the entry {entry} does not exist")),
        Some(f) if !f.params.is_empty() => error(errors, format!("the entry '{}' has parameters", f.name)),
        Some(f) if f.blocks.is_empty() => error(errors, format!("the entry '{}' has no body", f.name)),
        Some(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::parse;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let program = parse(text).unwrap();
        let errors = super::verify(&program).err().unwrap_or_default();
        let lines: Vec<String> = errors.iter().map(|e| e.to_string()).collect();
        expected.assert_eq(&lines.join("\n"));
    }

    fn body(lines: &str) -> String {
        format!(
            "shape s0 = i32\nglobal @g s0 size 4 align 4\nglobal @t s0 size 4 align 4 tls\n\
             fn &h() {{\n}}\nfn &f(%0) -> i32 {{\nreg %0 i32, %1 ptr, %2 i1, %3 i64, %4 f64\n\
             local l0 s0 size 4 align 4\nb0:\n{lines}\n}}\n"
        )
    }

    #[test]
    fn accepts_good_code() {
        check(&body("%0 = add i32 %0, 1:i32\n%1 = local l0\nstore i32 %1, %0\nret %0"), expect![""]);
    }

    #[test]
    fn operand_types() {
        check(
            &body("%0 = add i32 %0, 1:i64\n%2 = add i32 %0, %0\n%4 = fadd i64 %3, %3\nret %3"),
            expect![[r#"
                in 'f' at i0: operand 1:i64 has type i64, not i32
                in 'f' at i1: the result has type i32, but %2 has type i1
                in 'f' at i2: fadd does not work on i64
                in 'f' at i2: the result has type i64, but %4 has type f64
                in 'f' at i3: operand %3 has type i64, not i32"#]],
        );
    }

    #[test]
    fn ids_and_targets() {
        check(
            &body("%9 = use\nret %0").replace("%9 = use", "%9 = %0\n%0 = %8\nlive l3\ncopy %1, %1, %3 s7"),
            expect![[r#"
                in 'f' at i0: r9 does not exist
                in 'f' at i1: r8 does not exist
                in 'f' at i2: l3 does not exist
                in 'f' at i3: s7 does not exist"#]],
        );
        check(&body("jump b4"), expect!["in 'f' at i0: b4 does not exist"]);
    }

    #[test]
    fn control_flow_and_calls() {
        check(
            &body("call &h()\nswitch i32 %0, [3: b0, 2: b0, 9999999999: b0], b0"),
            expect![[r#"
                in 'f' at i0: call of 'h', which has no body
                in 'f' at i1: switch cases are not ascending at 2
                in 'f' at i1: switch case 9999999999 is no value of i32"#]],
        );
        check(&body("ret 1:i64"), expect!["in 'f' at i0: operand 1:i64 has type i64, not i32"]);
    }

    #[test]
    fn memory_operations() {
        check(
            &body(
                "%0 = load i32 %1 release\nstore i32 %1, %0 acquire\n%0 = rmw add i32 %1, %0 plain\n\
                 %1 = tls @g\n%1 = @t\nfence plain\noutput 3, 1:i8\nret %0",
            ),
            expect![[r#"
                in 'f' at i0: a load cannot be release
                in 'f' at i1: a store cannot be acquire
                in 'f' at i2: rmw must be atomic
                in 'f' at i3: 'g' is not thread-local
                in 'f' at i4: '@t' is thread-local and has no constant address
                in 'f' at i5: a fence must be atomic
                in 'f' at i6: there is no output stream 3"#]],
        );
    }

    #[test]
    fn casts() {
        check(
            &body(
                "%0 = trunc i32 %0 to i32\n%3 = ptrtoint ptr %1 to i64\n%0 = ptrtoint ptr %1 to i32\nret %0",
            ),
            expect![[r#"
                in 'f' at i0: trunc does not go from i32 to i32
                in 'f' at i2: ptrtoint does not go from ptr to i32"#]],
        );
    }

    #[test]
    fn guards_and_ids() {
        check(
            &body("i4: atomic-begin when %2 {\ni4: %2 = slt i32 %0, 3:i32\nstore i32 %1, %0\n}\nret %0")
                .replace("shape s0", "next-instr 5\nshape s0"),
            expect![[r#"
                in 'f' at i4: the instruction id is used twice
                in 'f' at i5: the instruction id is not below next-instr 5
                in 'f' at i5: a guard holds only assignments and loads
                in 'f' at i6: the instruction id is not below next-instr 5"#]],
        );
    }

    #[test]
    fn data() {
        check(
            "pointer 5\nshape s0 = array s1 x 2\nshape s1 = struct size 8 { 0 s0 }\nshape s2 = i200\n\
             shape s3 = struct size 8 { 4 s5, 2 s5 }\nshape s4 = array s5 x 9223372036854775807\nshape s5 = i32\n\
             global @a s5 size 4 align 3 = { 2: \"abc\", 1: \"d\", 0: @a }\nglobal @b s5 size 2 align 4\n",
            expect![[r#"
                the pointer size is 5, not 4 or 8
                s0 contains itself
                s1 contains itself
                s2: type i200 is not from i1 to i128
                s3: fields are not ascending and disjoint
                s4 is too large
                global 'a': alignment 3 is not a power of two
                global 'a': initial data at 2 does not fit
                global 'a': initial data is not ascending and disjoint at 1
                global 'a': initial pointer at 0 does not fit
                global 'b': s5 does not fit into 2 bytes"#]],
        );
    }
}
