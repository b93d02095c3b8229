//! From file names to verified IR, with diagnostics on standard error.

use crate::args::InputArgs;
use crate::exit;
use braid_base::{Diagnostics, SourceMap};
use braid_ir::Program;
use braid_lower::{Errors, Options};
use braid_report::Context;
use braid_sema::types::{DataModel, Types};
use braid_sema::{Library, check_with_library, hir};
use braid_syntax::Dialect;
use braid_syntax::preprocess::{self, Preprocess};

/// A program and the texts its places refer to.
pub struct Loaded {
    pub program: Program,
    pub sources: SourceMap,
}

impl Loaded {
    /// What renderings need.
    pub fn context(&self) -> Context<'_> {
        Context { program: &self.program, sources: &self.sources }
    }
}

/// Reads, checks and lowers the program. On failure everything has been said and the exit code comes
/// back.
pub fn load(input: &InputArgs, program_args: &[String], require_entry: bool) -> Result<Loaded, u8> {
    let mut sources = SourceMap::default();
    let mut diags = Diagnostics::default();
    let lowered = compile(&mut sources, &mut diags, input, program_args, require_entry)?;
    for diagnostic in diags.iter() {
        eprint!("{}", diagnostic.render(&sources));
    }
    match lowered {
        Some(program) => Ok(Loaded { program, sources }),
        None => {
            match diags.error_count() {
                1 => eprintln!("1 error"),
                n => eprintln!("{n} errors"),
            }
            Err(if diags.iter().any(|d| d.code == "internal") { exit::INTERNAL } else { exit::INPUT })
        }
    }
}

fn compile(
    sources: &mut SourceMap,
    diags: &mut Diagnostics,
    input: &InputArgs,
    program_args: &[String],
    require_entry: bool,
) -> Result<Option<Program>, u8> {
    let flags = preprocess_flags(input);
    let dialect = flags.std.as_deref().map_or(Dialect::Gnu, Dialect::of_std);
    let model = if input.is_32() { DataModel::Ilp32 } else { DataModel::Lp64 };
    let mut program = hir::Program { types: Types::new(model), units: Vec::new() };
    let library = library(sources, &mut program.types, diags);
    for path in &input.files {
        let name = path.to_string_lossy();
        let loaded = preprocess::load(path, &flags).map_err(|error| {
            eprintln!("error: {error}");
            exit::INPUT
        })?;
        eprint!("{}", loaded.warnings);
        let tree = braid_syntax::parse_as(dialect, sources, &name, loaded.text, diags);
        // Types built on a broken tree would only repeat its errors.
        if !diags.has_errors() {
            let types = &mut program.types;
            program.units.push(check_with_library(types, sources, &name, &tree, &library, diags));
        }
    }
    // From here on places are wanted, for messages or for the IR.
    preprocess::add_originals(sources);
    if diags.has_errors() {
        return Ok(None);
    }
    let options = Options {
        entry: input.function.clone().unwrap_or_else(|| "main".to_string()),
        args: program_args.to_vec(),
        program_name: program_name(input),
        require_entry,
        errors: Errors { calls: input.error_call.clone(), label: input.error_label.clone() },
    };
    Ok(braid_lower::lower(sources, program, &options, diags))
}

/// The types of library functions that a program may use undeclared.
fn library(sources: &mut SourceMap, types: &mut Types, diags: &mut Diagnostics) -> Library {
    let name = "<braid:prototypes>";
    let tree = braid_syntax::parse(sources, name, braid_models::PROTOTYPES.as_str().into(), diags);
    let unit = braid_sema::check(types, sources, name, &tree, diags);
    Library::from_unit(types, &unit)
}

fn preprocess_flags(input: &InputArgs) -> Preprocess {
    Preprocess {
        compiler: None,
        include_dirs: input.include_dirs.clone(),
        system_dirs: input.system_dirs.clone(),
        defines: input.defines.clone(),
        undefs: input.undefines.clone(),
        includes: input.includes.clone(),
        std: input.std.clone(),
        bits32: input.is_32(),
        headers64: input.headers64,
    }
}

/// What the program sees as `argv[0]`.
fn program_name(input: &InputArgs) -> String {
    let first = input.files.first().and_then(|path| path.file_stem());
    first.map_or_else(|| "program".to_string(), |stem| format!("./{}", stem.to_string_lossy()))
}
