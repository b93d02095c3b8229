//! From file names to verified IR, with diagnostics on standard error.

use crate::args::InputArgs;
use crate::exit;
use crate::project::entry::Parsed;
use crate::project::{self, Unit};
use crate::terminal::{err, errln};
use braid_base::{Diagnostics, SourceMap};
use braid_ir::{FuncId, Global, Loc, Program};
use braid_lower::{Errors, Options};
use braid_models::WorksAsZero;
use braid_report::Context;
use braid_sema::hir;
use braid_sema::types::{DataModel, Types};
use braid_syntax::preprocess;
use braid_syntax::{Dialect, OPENMP};
use braid_verdict::Reason;
use std::path::PathBuf;

/// A program and the texts its places refer to.
pub struct Loaded {
    pub program: Program,
    pub sources: SourceMap,
    /// The files it was made of.
    pub files: Vec<PathBuf>,
    pub bits32: bool,
    /// Why nothing can be said about the program, whatever its executions do.
    pub undecidable: Option<Reason>,
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
    let units = project::units(input)?;
    // The files of a program agree on both.
    let bits32 = units.iter().any(|unit| unit.preprocess.bits32);
    let unsigned_char = units.iter().any(|unit| unit.preprocess.unsigned_char);
    let mut types = Types::new(if bits32 { DataModel::Ilp32 } else { DataModel::Lp64 });
    types.unsigned_char = unsigned_char;
    let mut sources = SourceMap::default();
    let mut diags = Diagnostics::default();
    let parsed = parse(&mut sources, &mut diags, input, &units)?;
    let files: Vec<PathBuf> = parsed.iter().map(|file| file.path.clone()).collect();
    let options = Options {
        entry: input.function.clone().unwrap_or_else(|| "main".to_string()),
        args: program_args.to_vec(),
        any_args: input.any_args(),
        program_name: program_name(&parsed),
        require_entry,
        errors: Errors { calls: input.error_call.clone(), label: input.error_label.clone() },
        nondet_undefined: input.nondet_undefined,
        whole_objects: input.whole_objects,
    };
    let (lowered, missing) = compile(&mut sources, &mut diags, &parsed, types, &options, input);
    for diagnostic in diags.iter() {
        err!("{}", diagnostic.render(&sources));
    }
    if lowered.is_some() && !missing.is_empty() {
        missing.iter().for_each(|problem| errln!("error: {problem}"));
        return Err(exit::USAGE);
    }
    match lowered {
        Some(program) => {
            warn_of_unborn(&Context { program: &program, sources: &sources });
            let openmp = units.iter().any(Unit::has_openmp);
            let undecidable = if openmp { openmp_reason(&program, &sources, &diags) } else { None };
            Ok(Loaded { program, sources, files, bits32, undecidable })
        }
        None => {
            match diags.error_count() {
                1 => errln!("1 error"),
                n => errln!("{n} errors"),
            }
            Err(if diags.iter().any(|d| d.code == "internal") { exit::INTERNAL } else { exit::INPUT })
        }
    }
}

/// Warns of semaphores and the like in static storage that are used though nothing initialises them: they work as zero,
/// but nobody promises that.
fn warn_of_unborn(context: &Context<'_>) {
    let program = context.program;
    let library = |names: &str| -> Vec<FuncId> {
        let named = names.split(' ').filter_map(|name| program.function_named(name));
        named.filter(|&func| program.functions[func].internal).collect()
    };
    let kinds = braid_models::WORKS_AS_ZERO.iter().map(|kind| (kind, library(kind.uses)));
    let used: Vec<_> = kinds.filter(|(_, uses)| !uses.is_empty()).collect();
    if used.is_empty() {
        return;
    }
    let pointers = braid_analysis::points_to::solve(program);
    for (kind, uses) in used {
        let WorksAsZero { what, init, zero, .. } = kind;
        for id in braid_analysis::never_initialised(program, &pointers, &uses, &library(init)) {
            let Global { name, loc, .. } = program.globals[id];
            let Loc { line, column, .. } = loc;
            err!(
                "{}:{line}:{column}: warning: the {what} in '{name}' is used without {init}: it works as {zero} \
                 [never-initialised]\n{}",
                context.file(loc),
                context.excerpt(loc),
            );
        }
    }
}

/// That the program is compiled with OpenMP and has pragmas for it, if so.
fn openmp_reason(program: &Program, sources: &SourceMap, diags: &Diagnostics) -> Option<Reason> {
    let found = diags.iter().find(|diagnostic| diagnostic.code == OPENMP)?;
    let place = sources.place(found.span.lo).and_then(|place| {
        let (file, _) = program.files.enumerated().find(|(_, name)| name.as_str() == &*place.file)?;
        Some(Loc { file, line: place.line, column: place.column })
    });
    Some(Reason::Unsupported { what: "OpenMP".to_string(), place: place.unwrap_or(Loc::NONE) })
}

/// Preprocesses and parses the files, and leaves out those that are no part of the program.
fn parse(
    sources: &mut SourceMap,
    diags: &mut Diagnostics,
    input: &InputArgs,
    units: &[Unit],
) -> Result<Vec<Parsed>, u8> {
    let refuse = |problem: String| {
        errln!("error: {problem}");
        exit::INPUT
    };
    let (mut parsed, mut said) = (Vec::new(), Vec::new());
    for Unit { path, preprocess: flags } in units {
        let loaded = preprocess::load(path, flags).map_err(|error| refuse(error.to_string()))?;
        err!("{}", loaded.warnings);
        let dialect = flags.std.as_deref().map_or(Dialect::Gnu, Dialect::of_std);
        let mut found = Diagnostics::default();
        let tree = braid_syntax::parse_as(dialect, sources, &path.to_string_lossy(), loaded.text, &mut found);
        parsed.push(Parsed { path: path.clone(), tree });
        said.push(found);
    }
    let stays = project::entry::choose(&parsed, input.function.as_deref(), input.entry.as_deref());
    let stays = stays.map_err(refuse)?;
    let mut kept = Vec::new();
    for ((file, found), stays) in parsed.into_iter().zip(said).zip(stays) {
        if stays {
            kept.push(file);
            if !diags.at_limit() {
                diags.append(found);
            }
        }
    }
    Ok(kept)
}

fn compile(
    sources: &mut SourceMap,
    diags: &mut Diagnostics,
    parsed: &[Parsed],
    types: Types,
    options: &Options,
    input: &InputArgs,
) -> (Option<Program>, Vec<String>) {
    let files: Vec<_> = parsed.iter().map(|file| (file.path.to_string_lossy(), &file.tree)).collect();
    let files: Vec<_> = files.iter().map(|(name, tree)| (&**name, *tree)).collect();
    // Types built on a broken tree would only repeat its errors.
    let program = (!diags.has_errors()).then(|| braid_lower::check(sources, types, &files, diags));
    // From here on places are wanted, for messages or for the IR.
    preprocess::add_originals(sources);
    let Some(program) = program.filter(|_| !diags.has_errors()) else { return (None, Vec::new()) };
    let missing = missing_errors(&program, input);
    (braid_lower::lower(sources, program, options, diags), missing)
}

/// What the user calls an error and the program does not have: it would be a proof of nothing.
fn missing_errors(program: &hir::Program, input: &InputArgs) -> Vec<String> {
    let entities = || program.units.iter().flat_map(|unit| unit.entities.iter());
    let labels = || {
        entities().flat_map(|entity| match &entity.kind {
            hir::EntityKind::Function(function) | hir::EntityKind::InlineFunction(function) => {
                function.labels.iter().map(|label| label.name).collect()
            }
            hir::EntityKind::Undefined | hir::EntityKind::Variable(_) | hir::EntityKind::Tentative => {
                Vec::new()
            }
        })
    };
    let mut missing = Vec::new();
    if let Some(name) = &input.error_label
        && !labels().any(|label| label.as_str() == name)
    {
        missing.push(format!("--error-label: the program has no label '{name}'"));
    }
    for name in input.error_call.iter().filter(|_| !input.error_call_may_be_missing) {
        let is_it =
            |entity: &hir::Entity| entity.name.as_str() == name && program.types.is_function(entity.ty.ty);
        if !entities().any(is_it) {
            missing.push(format!("--error-call: the program has no function '{name}'"));
        }
    }
    missing
}

/// What the program sees as `argv[0]`: named after the file that has its `main`.
fn program_name(parsed: &[Parsed]) -> String {
    let main = parsed.iter().find(|file| project::entry::defines(&file.tree, "main")).or(parsed.first());
    let stem = main.and_then(|file| file.path.file_stem());
    stem.map_or_else(|| "program".to_string(), |stem| format!("./{}", stem.to_string_lossy()))
}
