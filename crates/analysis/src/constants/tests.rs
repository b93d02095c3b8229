//! Which registers are constant: through what a function returns.

use crate::Facts;
use crate::testing::usual;
use crate::testing::{c_program, named};
use braid_ir::{Operand, TermKind};

/// The values `f` may return.
fn returned(text: &str) -> Option<Vec<u128>> {
    let program = c_program(text);
    let facts = Facts::new(&program, usual());
    let func = named(&program, "f");
    let instance = facts.pointers.instances_of(func)[0];
    let mut all = Vec::new();
    for block in &program.functions[func].blocks {
        let TermKind::Return(Some(value)) = block.end.kind else { continue };
        match value {
            Operand::Reg(reg) => all.extend_from_slice(facts.constants.of(instance, reg)?),
            Operand::Const(_) => return None,
        }
    }
    Some(all)
}

#[test]
fn memory_that_is_never_changed() {
    let program = |more: &str| {
        format!("int k = 3; int f(void) {{ return k; }} int main(void) {{ {more} return f(); }}")
    };
    assert_eq!(returned(&program("")), Some(vec![3]));
    assert_eq!(returned(&program("k = 5; f();")), Some(vec![3, 5]));
    assert_eq!(returned(&program("int *p = &k; *(char *)p = 1; f();")), None);
    assert_eq!(returned(&program("k++; f();")), None);
}

#[test]
fn a_store_after_the_last_use_does_not_count() {
    let text = "int k; int f(void) { return k; }\nint main(void) { f(); k = 5; return 0; }";
    assert_eq!(returned(text), Some(vec![0]));
    let again = "int k; int f(void) { return k; }\nint main(void) { for (;;) { f(); k = 5; } }";
    assert_eq!(returned(again), Some(vec![0, 5]));
}

#[test]
fn arguments_of_all_calls() {
    let text = "int f(int n) { int m = n + 1; return m; } int main(void) { return f(1) + f(2); }";
    assert_eq!(returned(text), Some(vec![2, 3]));
}
