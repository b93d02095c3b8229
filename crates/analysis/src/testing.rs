//! Programs for tests: from IR text, from C.

use crate::Options;
use braid_base::{Diagnostics, SourceMap};
use braid_ir::{FuncId, InstrId, Op, Program};

/// What the engines begin with.
pub fn usual() -> Options {
    Options { one_use: true, ..Options::default() }
}

/// From the text form.
pub fn program(text: &str) -> Program {
    let program = braid_ir::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(errors) = braid_ir::verify(&program) {
        panic!("{}\n{text}", errors.iter().map(|e| e.to_string()).collect::<Vec<_>>().join("\n"));
    }
    program
}

/// From preprocessed C.
pub fn c_program(text: &str) -> Program {
    let (mut sources, mut diags) = (SourceMap::default(), Diagnostics::default());
    let options = braid_lower::Options { require_entry: true, ..Default::default() };
    let (_, program) = braid_lower::compile(&mut sources, &[("t.c", text.into())], &options, &mut diags);
    let errors: Vec<String> = diags.iter().map(|d| d.render(&sources)).collect();
    program.unwrap_or_else(|| panic!("{}", errors.join("\n")))
}

pub fn named(program: &Program, name: &str) -> FuncId {
    program.function_named(name).unwrap_or_else(|| panic!("a function {name}"))
}

/// Instructions of the user's functions on a line of the source that satisfy a condition.
pub fn on_line(program: &Program, line: u32, wanted: impl Fn(&Op) -> bool) -> Vec<InstrId> {
    let user = program.functions.iter().filter(|f| !f.internal);
    let instrs = user.flat_map(|f| f.blocks.iter().flat_map(|b| &b.instrs));
    instrs.filter(|i| i.loc.line == line && wanted(&i.op)).map(|i| i.id).collect()
}

/// A name for an object of the user's, for expectations.
pub fn describe(program: &Program, pointers: &crate::Pointers, object: crate::Object) -> Option<String> {
    use crate::Object;
    let global = |id: braid_ir::GlobalId| {
        let global = &program.globals[id];
        (!global.internal).then(|| global.name.as_str().to_string())
    };
    match object {
        Object::Global(id) => global(id),
        Object::ThreadLocal(id) => global(id).map(|name| format!("thread-local {name}")),
        Object::Local(instance, local) => {
            let function = &program.functions[pointers.instances()[instance].func];
            let name = function.locals[local].name.map_or("temporary", |name| name.as_str());
            (!function.internal).then(|| format!("{}.{name}", function.name))
        }
        Object::Block(instance, instr, _) => {
            let at = pointers.instances()[instance].context.unwrap_or(instr);
            let instrs = program.functions.iter().flat_map(|f| f.blocks.iter().flat_map(|b| &b.instrs));
            let place = instrs.filter(|i| i.id == at).map(|i| i.loc).next()?;
            (place.file.0 == 0).then(|| format!("block {}:{}", place.line, place.column))
        }
        Object::Function(func) => Some(format!("&{}", program.functions[func].name)),
        Object::Unknown | Object::Uninit | Object::Handle(..) => None,
    }
}
