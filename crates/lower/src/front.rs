//! The front end as a function: preprocessed texts in, verified IR or diagnostics out.
//!
//! The prototypes of library functions are checked with every program, so that a function that is used undeclared has the
//! same type whoever compiles. They follow the program's own files, whose places therefore do not depend on them.

use crate::{Options, lower};
use braid_base::{Diagnostics, SourceMap};
use braid_ir::Program;
use braid_models::PROTOTYPES;
use braid_sema::types::{DataModel, Types};
use braid_sema::{Library, check_with_library, hir};
use braid_syntax::ast::TranslationUnit;
use std::rc::Rc;

/// How far a program came.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// It has syntax errors.
    Read,
    /// It has a tree, but errors of meaning.
    Parsed,
    /// It has types, but does not link or lower.
    Checked,
    /// It has become verified IR.
    Lowered,
}

/// Parses, checks and lowers the preprocessed files of a program for a 64-bit machine, each given by name and text.
pub fn compile(
    sources: &mut SourceMap,
    files: &[(&str, Rc<str>)],
    options: &Options,
    diags: &mut Diagnostics,
) -> (Stage, Option<Program>) {
    let parse = |(name, text): &(&str, Rc<str>)| braid_syntax::parse(sources, name, Rc::clone(text), diags);
    let trees: Vec<TranslationUnit> = files.iter().map(parse).collect();
    if diags.has_errors() {
        return (Stage::Read, None);
    }
    let named: Vec<(&str, &TranslationUnit)> = files.iter().map(|(name, _)| *name).zip(&trees).collect();
    let program = check(sources, Types::new(DataModel::Lp64), &named, diags);
    if diags.has_errors() {
        return (Stage::Parsed, None);
    }
    let program = lower(sources, program, options, diags);
    (if program.is_some() { Stage::Lowered } else { Stage::Checked }, program)
}

/// Gives the parsed files of a program their types, those of undeclared library functions included. The trees have no
/// errors: types built on a broken tree would only repeat them.
pub fn check(
    sources: &mut SourceMap,
    mut types: Types,
    files: &[(&str, &TranslationUnit)],
    diags: &mut Diagnostics,
) -> hir::Program {
    let library = library(sources, &mut types, diags);
    let mut units = Vec::new();
    for (name, tree) in files {
        units.push(check_with_library(&mut types, sources, name, tree, &library, diags));
    }
    hir::Program { types, units }
}

/// The types of library functions that a program may use undeclared.
fn library(sources: &mut SourceMap, types: &mut Types, diags: &mut Diagnostics) -> Library {
    let name = "<braid:prototypes>";
    let tree = braid_syntax::parse(sources, name, PROTOTYPES.as_str().into(), diags);
    let unit = braid_sema::check(types, sources, name, &tree, diags);
    Library::from_unit(types, &unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_told_apart() {
        let stage = |text: &str| {
            let (mut sources, mut diags) = (SourceMap::default(), Diagnostics::default());
            compile(&mut sources, &[("t.c", text.into())], &Options::default(), &mut diags).0
        };
        assert_eq!(stage("int x = ;\n"), Stage::Read);
        assert_eq!(stage("int f(void) { return y; }\n"), Stage::Parsed);
        assert_eq!(
            stage("extern int x; int x = 1; static int g(void); int f(void) { return 1; }\n"),
            Stage::Lowered
        );
    }

    #[test]
    fn undeclared_library_functions_have_types() {
        let (mut sources, mut diags) = (SourceMap::default(), Diagnostics::default());
        let text = "int main(void) { return strlen(\"ab\") == 2; }\n";
        let (stage, _) = compile(&mut sources, &[("t.c", text.into())], &Options::default(), &mut diags);
        assert_eq!(stage, Stage::Lowered);
        assert!(!diags.has_errors());
    }
}
