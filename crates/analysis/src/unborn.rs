//! Static objects that library functions use and none initialises.
//!
//! An object may be used if a function of the first list may get its address, in some call, directly or through a
//! pointer; it is never initialised if no function of the second list may get an address in it. Where pointers may point
//! is over-approximated, so an object that is initialised is never listed; one that is listed may be used, or only seem so.

use crate::objects::{Object, Offset};
use crate::points_to::{Pointers, PointsTo};
use braid_ir::{FuncId, GlobalId, Operand, Program};

/// The user's static variables with an object that functions of `uses` may get as their first argument, while those of
/// `inits` never do. Ascending.
pub fn never_initialised(
    program: &Program,
    pointers: &Pointers,
    uses: &[FuncId],
    inits: &[FuncId],
) -> Vec<GlobalId> {
    let first_arguments = |functions: &[FuncId]| -> Vec<PointsTo> {
        let with_params = functions.iter().filter_map(|&func| {
            let param = *program.functions[func].params.first()?;
            Some(pointers.points_to(func, Operand::Reg(param)))
        });
        with_params.collect()
    };
    let statics = |sets: &[PointsTo]| -> Vec<(GlobalId, Offset)> {
        let targets = sets.iter().flat_map(|set| &set.targets);
        let globals = targets.filter_map(|&(object, offset)| match pointers.object(object) {
            Object::Global(global) if !program.globals[global].internal => Some((global, offset)),
            Object::Global(_)
            | Object::Unknown
            | Object::Uninit
            | Object::Handle(..)
            | Object::Function(_)
            | Object::ThreadLocal(_)
            | Object::Local(..)
            | Object::Block(..) => None,
        });
        globals.collect()
    };
    let initialised = statics(&first_arguments(inits));
    let touches = |(global, offset): (GlobalId, Offset)| {
        initialised.iter().any(|&(other, at)| {
            other == global && (at == offset || at == Offset::Any || offset == Offset::Any)
        })
    };
    let used = statics(&first_arguments(uses));
    let mut found: Vec<GlobalId> =
        used.into_iter().filter(|&place| !touches(place)).map(|(global, _)| global).collect();
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use crate::points_to::solve;
    use crate::testing::c_program;
    use braid_ir::{FuncId, Program};

    fn check(text: &str, expected: &[&str]) {
        let text = format!("void use(int *p) {{ *p = 1; }} void init(int *p) {{ *p = 0; }} {text}");
        let program = c_program(&text);
        let named =
            |name: &str, program: &Program| -> FuncId { program.function_named(name).expect("it is there") };
        let (uses, inits) = (named("use", &program), named("init", &program));
        let found = super::never_initialised(&program, &solve(&program), &[uses], &[inits]);
        let names: Vec<&str> = found.iter().map(|id| program.globals[*id].name.as_str()).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn used_and_never_initialised() {
        check("int a, b, c; int main(void) { use(&a); use(&b); init(&b); return c; }", &["a"]);
    }

    #[test]
    fn through_pointers() {
        check(
            "int a, b; void w(int *p) { use(p); } int main(void) { w(&a); w(&b); init(&a); return 0; }",
            &["b"],
        );
        check(
            "int a, b; int main(int n, char **v) { int *p = n > 1 ? &a : &b; init(p); use(&a); use(&b); return 0; }",
            &[],
        );
        check("int a; void (*f)(int *) = init; int main(void) { f(&a); use(&a); return 0; }", &[]);
    }

    #[test]
    fn parts_of_an_object() {
        check("struct { int x, y; } s; int main(void) { init(&s.x); use(&s.y); return 0; }", &["s"]);
        check("struct { int x, y; } s; int main(void) { init(&s.x); use(&s.x); return 0; }", &[]);
        check("int l[3]; int main(int n, char **v) { init(&l[n]); use(&l[2]); return 0; }", &[]);
        check("int l[3]; int main(int n, char **v) { use(&l[n]); return 0; }", &["l"]);
    }

    #[test]
    fn other_storage_and_calls_never_made() {
        check("int a; void never(void) { use(&a); } int main(void) { int b; use(&b); return 0; }", &[]);
        check("int a; void never(void) { init(&a); } int main(void) { use(&a); return 0; }", &["a"]);
    }
}
