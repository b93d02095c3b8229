//! The function in which a program begins: `__braid_start`.
//!
//! It registers the destructors (`__attribute__((destructor))`), runs the constructors by priority,
//! calls the entry function with its arguments and hands its value to the library's `exit`. The
//! destructors must run after all exit handlers; handlers run last registered first, so they are
//! registered as the very first handler, in one function `__braid_destructors`.
//!
//! `argv` is a static array of pointers to static strings, ended by null; the environment is empty. Arbitrary
//! arguments (`--args any`) are objects of this function's frame, whose contents are arbitrary as nobody writes them.
//! A function other than `main` gets arbitrary arguments; arbitrary pointers are not supported yet.

use crate::context::{Class, Context};
use crate::func::{Lowerer, lower_function};
use crate::link::{Ref, Target, Work};
use crate::{AnyArgs, Options};
use braid_base::{Diagnostic, IndexVec, Span, Symbol};
use braid_ir::{
    Access, Callee, ChoiceKind, CmpOp, Const, Expr, FuncId, Function, InitData, Loc, Op, Operand, Shape,
    TermKind, Ty,
};
use braid_models as models;
use braid_sema::hir::{EntityKind, Local, LocalId};
use braid_sema::types::QualType;

/// What is assumed of a program that looks at its arguments.
const NO_ARGUMENTS: &str = "no program arguments";
const GIVEN_ARGUMENTS: &str = "program arguments as given";

/// The priority of constructors that state none: after all that do.
const DEFAULT_PRIORITY: u32 = 65535;

impl Context<'_> {
    /// Makes the entry function; reports if there is nothing to call.
    pub fn add_start(&mut self, options: &Options) {
        let entry = self.external(&options.entry).filter(|&at| {
            matches!(self.entity(at).kind, EntityKind::Function(_) | EntityKind::InlineFunction(_))
        });
        let Some(entry) = entry.or_else(|| self.static_function(&options.entry)) else {
            if options.require_entry {
                let message = format!("the program has no function '{}'", options.entry);
                let hint = "use '--function NAME' to begin in another function";
                self.diags.push(Diagnostic::error("no-entry", Span::NONE, message).note(hint));
            }
            return;
        };
        let Target::Function(callee) = self.resolve(entry) else { return };
        if options.any_args.is_some() {
            self.lower_now(callee);
        }
        let destructors = self.destructors();
        let name = self.unique_name("__braid_start");
        let start = self.declare_function(name, true, Span::NONE);
        self.program.entry = Some(start);
        let constructors = self.ordered(|attrs| attrs.constructor);
        let span = self.entity(entry).span;
        let loc = self.loc(span);

        let no_locals: IndexVec<LocalId, Local> = IndexVec::new();
        let mut lowerer = Lowerer::new(self, entry.unit, &no_locals);
        lowerer.name_program(options);
        if let Some(destructors) = destructors {
            lowerer.register_at_exit(destructors);
        }
        for at in constructors {
            lowerer.call_plain(at);
        }
        lowerer.cx.program.main = (!lowerer.cx.has_exit_handlers()).then_some(callee);
        lowerer.call_entry(entry, callee, options, loc);
        lowerer.finish(start, Vec::new());
    }

    /// Lowers a function before all others, to see what it does with its parameters.
    fn lower_now(&mut self, id: FuncId) {
        let queued =
            self.linker.work.iter().position(|work| matches!(work, Work::Function(_, func) if *func == id));
        if let Some(Work::Function(at, _)) = queued.and_then(|index| self.linker.work.remove(index)) {
            lower_function(self, at, id);
        }
    }

    /// Records that the arguments of the program are what they are, if `main` looks at them.
    pub fn assume_arguments(&mut self, options: &Options) {
        if options.entry != "main" || options.any_args.is_some() {
            return;
        }
        let main = self.external("main").and_then(|at| match self.resolve(at) {
            Target::Function(id) => Some(id),
            _ => None,
        });
        let Some(main) = main else { return };
        if (0..3).any(|index| looks_at(&self.program.functions[main], index)) {
            self.assume(if options.args.is_empty() { NO_ARGUMENTS } else { GIVEN_ARGUMENTS });
        }
    }

    /// `--function` may name a `static` function of some file.
    fn static_function(&self, name: &str) -> Option<Ref> {
        let name = Symbol::intern(name);
        self.linker.units.iter().enumerate().find_map(|(unit, linked)| {
            let found = linked.hir.entities.enumerated().find(|(_, entity)| {
                entity.name == name
                    && matches!(entity.kind, EntityKind::Function(_) | EntityKind::InlineFunction(_))
            });
            found.map(|(entity, _)| Ref { unit, entity })
        })
    }

    /// Functions with an attribute, by priority, then in the order of the files.
    fn ordered(&self, priority: impl Fn(&braid_sema::hir::EntityAttrs) -> Option<u32>) -> Vec<Ref> {
        let mut found = Vec::new();
        for (unit, linked) in self.linker.units.iter().enumerate().filter(|(_, linked)| !linked.library) {
            for (entity, info) in linked.hir.entities.enumerated() {
                if let (Some(value), EntityKind::Function(_)) = (priority(&info.attrs), &info.kind) {
                    found.push((value.min(DEFAULT_PRIORITY), Ref { unit, entity }));
                }
            }
        }
        found.sort_by_key(|(value, _)| *value);
        found.into_iter().map(|(_, at)| at).collect()
    }

    /// One function that runs all destructors, the highest priority number first.
    fn destructors(&mut self) -> Option<FuncId> {
        let mut list = self.ordered(|attrs| attrs.destructor);
        if list.is_empty() {
            return None;
        }
        list.reverse();
        let name = self.unique_name("__braid_destructors");
        let func = self.declare_function(name, true, Span::NONE);
        let no_locals: IndexVec<LocalId, Local> = IndexVec::new();
        let mut lowerer = Lowerer::new(self, 0, &no_locals);
        for at in list {
            lowerer.call_plain(at);
        }
        lowerer.body.end(TermKind::Return(None), Loc::NONE);
        lowerer.finish(func, Vec::new());
        Some(func)
    }

    /// A static character array holding a text.
    fn text_object(&mut self, name: &str, text: &str) -> Const {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        let elem = self.shape(Shape::Scalar(Ty::Int(8)));
        let shape = self.shape(Shape::Array { elem, len: bytes.len() as u64 });
        let init = InitData { data: vec![(0, bytes)], pointers: Vec::new() };
        Const::Global(self.add_global(name, shape, init), 0)
    }

    /// A static array of pointers to texts, with a null at its end and room for `more`.
    fn pointer_array(&mut self, name: &str, texts: &[String], more: u64) -> Const {
        let bytes = u64::from(self.program.pointer_bytes);
        let mut pointers = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            let object = self.text_object(&format!("{name}.{index}"), text);
            pointers.push((index as u64 * bytes, object));
        }
        let elem = self.shape(Shape::Scalar(Ty::Ptr));
        let shape = self.shape(Shape::Array { elem, len: texts.len() as u64 + 1 + more });
        Const::Global(self.add_global(name, shape, InitData { data: Vec::new(), pointers }), 0)
    }
}

/// Returns true if the function uses its parameter of this index.
fn looks_at(function: &Function, index: usize) -> bool {
    let Some(&reg) = function.params.get(index) else { return false };
    let wanted = |operand: Operand| operand == Operand::Reg(reg);
    function.blocks.iter().any(|block| {
        let mut operands = block.instrs.iter().flat_map(|instr| instr.op.operands());
        operands.any(wanted) || block.end.kind.operand().is_some_and(wanted)
    })
}

impl Lowerer<'_, '_, '_> {
    /// Tells the library the name of the program, if the program asks for it.
    fn name_program(&mut self, options: &Options) {
        if !self.cx.user_mentions_any(models::PROGRAM_NAMES) {
            return;
        }
        if let Some(Target::Function(id)) = self.cx.library_function(models::NAME_PROGRAM) {
            let name = self.cx.text_object("argv.0", &options.program_name);
            let args = vec![self.cx.constant(name)];
            self.body.emit(Op::Call { dst: None, callee: Callee::Direct(id), args }, Loc::NONE);
        }
    }

    /// Calls a function without arguments.
    fn call_plain(&mut self, at: Ref) {
        if let Target::Function(id) = self.cx.resolve(at) {
            let callee = Callee::Direct(id);
            self.body.emit(Op::Call { dst: None, callee, args: Vec::new() }, Loc::NONE);
        }
    }

    fn register_at_exit(&mut self, func: FuncId) {
        let handler = self.cx.constant(Const::Func(func));
        match self.cx.library_function(models::ATEXIT) {
            Some(Target::Function(id)) => {
                let callee = Callee::Direct(id);
                self.body.emit(Op::Call { dst: None, callee, args: vec![handler] }, Loc::NONE);
            }
            _ => self.unsupported("destructors: the library has no exit handlers", Loc::NONE),
        }
    }

    fn call_entry(&mut self, entry: Ref, callee: FuncId, options: &Options, loc: Loc) {
        let unit = self.cx.linker.units[entry.unit].hir.clone();
        let (EntityKind::Function(function) | EntityKind::InlineFunction(function)) =
            &unit.entities[entry.entity].kind
        else {
            return;
        };
        let is_main = options.entry == "main";
        let types: Vec<QualType> = function.params.iter().map(|&p| function.locals[p].ty).collect();
        let mut args = Vec::new();
        let ret = self.cx.class(function.fn_ty.ret.ty);
        if ret == Class::Aggregate {
            args.push(self.temp_object(function.fn_ty.ret.ty, loc));
        }
        if is_main {
            match options.any_args {
                Some(any) if !types.is_empty() => {
                    args.extend(self.any_arguments(callee, types.len(), any, options, loc))
                }
                _ => args.extend(self.main_arguments(types.len(), options)),
            }
        } else {
            for ty in types {
                args.push(self.arbitrary_argument(ty, loc));
            }
        }
        let zero = self.cx.int(32, 0);
        let code = match ret {
            Class::Scalar(ty) => {
                let dst = self.body.temp(ty);
                self.body.emit(Op::Call { dst: Some(dst), callee: Callee::Direct(callee), args }, loc);
                if is_main { self.fit(Operand::Reg(dst), ty, Ty::Int(32), loc) } else { zero }
            }
            Class::Void | Class::Aggregate => {
                self.body.emit(Op::Call { dst: None, callee: Callee::Direct(callee), args }, loc);
                zero
            }
        };
        if let Some(Target::Function(id)) = self.cx.library_function(models::EXIT) {
            self.body.emit(Op::Call { dst: None, callee: Callee::Direct(id), args: vec![code] }, loc);
        }
        self.body.emit(Op::ExitProgram { code }, loc);
        self.body.end(TermKind::Unreachable, loc);
    }

    /// `argc`, `argv` and `envp`, as many as `main` takes.
    fn main_arguments(&mut self, count: usize, options: &Options) -> Vec<Operand> {
        if count == 0 {
            return Vec::new();
        }
        let mut texts = vec![options.program_name.clone()];
        texts.extend(options.args.iter().cloned());
        let argc = self.cx.int(32, texts.len() as u128);
        let argv = self.cx.pointer_array("argv", &texts, 0);
        let argv = self.cx.constant(argv);
        let mut args = vec![argc, argv];
        if count > 2 {
            let envp = self.cx.pointer_array("envp", &[], 0);
            args.push(self.cx.constant(envp));
        }
        args.truncate(count);
        args
    }

    /// Arbitrary program arguments. Their number is any; only if `main` looks at `argv`, number and length are bounded,
    /// and what lies beyond is left out.
    fn any_arguments(
        &mut self,
        main: FuncId,
        count: usize,
        any: AnyArgs,
        options: &Options,
        loc: Loc,
    ) -> Vec<Operand> {
        let texts = looks_at(&self.cx.program.functions[main], 1);
        if texts {
            let what = format!(
                "program arguments: more than {} or longer than {} characters (--args-count, --args-length)",
                any.count, any.length
            );
            self.body.emit(Op::Partial { what: Symbol::intern(&what), bound: true }, loc);
        }
        let looked_at = texts || looks_at(&self.cx.program.functions[main], 0);
        let argc = match looked_at {
            true => self.any_count(if texts { any.count + 1 } else { 0 }, loc),
            false => self.cx.int(32, 1),
        };
        let word = u64::from(self.cx.program.pointer_bytes);
        let argv =
            self.cx.pointer_array("argv", std::slice::from_ref(&options.program_name), u64::from(any.count));
        let argv = self.cx.constant(argv);
        for index in 1..=u64::from(if texts { any.count } else { 0 }) {
            let text = self.any_text(u64::from(any.length), loc);
            let (null, number) = (self.cx.constant(Const::Null), self.cx.int(32, index.into()));
            let is_there = Expr::Compare { op: CmpOp::Slt, ty: Ty::Int(32), a: number, b: argc };
            let cond = self.emit_value(is_there, Ty::BOOL, loc);
            let value =
                self.emit_value(Expr::Select { ty: Ty::Ptr, cond, then: text, other: null }, Ty::Ptr, loc);
            let place = self.offset_ptr(argv, index * word, loc);
            self.store_at(place, Ty::Ptr, value, Access::default(), loc);
        }
        let mut args = vec![argc, argv];
        if count > 2 {
            let envp = self.cx.pointer_array("envp", &[], 0);
            args.push(self.cx.constant(envp));
        }
        args.truncate(count);
        args
    }

    /// The number of program arguments: at most `most`, if that is not 0.
    fn any_count(&mut self, most: u32, loc: Loc) -> Operand {
        let dst = self.body.temp(Ty::Int(32));
        let most = self.cx.int(32, most.into());
        match self.cx.library_function(models::ANY_COUNT) {
            Some(Target::Function(id)) => {
                let callee = Callee::Direct(id);
                self.body.emit(Op::Call { dst: Some(dst), callee, args: vec![most] }, loc);
            }
            _ => self.unsupported("arbitrary program arguments", loc),
        }
        Operand::Reg(dst)
    }

    /// The address of an arbitrary text of at most `length` characters, in the frame of the first function.
    fn any_text(&mut self, length: u64, loc: Loc) -> Operand {
        let elem = self.cx.shape(Shape::Scalar(Ty::Int(8)));
        let shape = self.cx.shape(Shape::Array { elem, len: length + 1 });
        let local = self.body.locals.push(braid_ir::Local {
            name: Some(Symbol::intern("argument")),
            shape,
            size: length + 1,
            align: 1,
        });
        self.body.emit(Op::LocalLive { local }, loc);
        let text = self.emit_value(Expr::LocalAddr(local), Ty::Ptr, loc);
        let (end, zero) = (self.offset_ptr(text, length, loc), self.cx.int(8, 0));
        self.store_at(end, Ty::Int(8), zero, Access::default(), loc);
        text
    }

    fn arbitrary_argument(&mut self, ty: QualType, loc: Loc) -> Operand {
        match self.cx.class(ty.ty) {
            Class::Scalar(Ty::Ptr) => {
                self.unsupported("arbitrary pointer argument", loc);
                self.cx.zero(Ty::Ptr)
            }
            Class::Scalar(scalar) => {
                let chosen = if self.cx.is_bool(ty.ty) { Ty::BOOL } else { scalar };
                let dst = self.body.temp(chosen);
                self.body.emit(Op::Nondet { dst, ty: chosen, kind: ChoiceKind::Value }, loc);
                self.fit(Operand::Reg(dst), chosen, scalar, loc)
            }
            // An object never written holds arbitrary bytes, which is what is wanted, unless it has
            // pointers; those are then wild, and using one is reported as such.
            Class::Aggregate => self.temp_object(ty.ty, loc),
            Class::Void => self.cx.int(32, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{function_text, lower_entry, lower_files};
    use expect_test::expect;

    #[test]
    fn constructors_then_main_then_exit() {
        let program = lower_files(&["__attribute__((constructor)) static void late(void) {}\n\
             __attribute__((constructor(200))) static void early(void) {}\n\
             __attribute__((destructor)) static void last(void) {}\n\
             int main(int argc, char **argv) { return argc; }"])
        .expect("the text is right");
        expect![[r#"
            fn &__braid_start() internal {
            b0:
              call &atexit(&__braid_destructors)
              call &early()
              call &late()
              %0 = call &main(2:i32, @argv)
              call &exit(%0)
              exit %0
              unreachable
            }
        "#]]
        .assert_eq(&function_text(&program, "__braid_start"));
    }

    #[test]
    fn another_function_gets_arbitrary_arguments() {
        let program = lower_entry(&["static int f(int a, _Bool b) { return a + b; }"], "f").expect("right");
        expect![[r#"
            fn &__braid_start() internal {
            b0:
              %0 = nondet i32 value
              %1 = nondet i1 value
              %2 = zext i1 %1 to i8
              call &f(%0, %2)
              call &__braid_plain_exit(0:i32)
              exit 0:i32
              unreachable
            }
        "#]]
        .assert_eq(&function_text(&program, "__braid_start"));
    }

    #[test]
    fn a_program_must_begin_somewhere() {
        let problems = lower_entry(&["int g(void) { return 1; }"], "main").expect_err("no main");
        expect![[r#"
            error: the program has no function 'main' [no-entry]
            note: use '--function NAME' to begin in another function
        "#]]
        .assert_eq(&problems);
    }
}
