//! Helpers for the tests of this crate: C text in, IR text or diagnostics out.

use crate::{Errors, Options, compile};
use braid_base::{Diagnostics, SourceMap};
use braid_ir::Program;
use std::rc::Rc;

/// Lowers files of C text (already preprocessed), or gives what is wrong with them.
pub(crate) fn lower_files(files: &[&str]) -> Result<Program, String> {
    lower_with(files, "main", false, Errors::default())
}

/// One file, with what counts as an error.
pub(crate) fn lower_errors(text: &str, errors: Errors) -> Result<Program, String> {
    lower_with(&[text], "main", false, errors)
}

/// Lowers files, to begin in the function `entry`, which must exist.
pub(crate) fn lower_entry(files: &[&str], entry: &str) -> Result<Program, String> {
    lower_with(files, entry, true, Errors::default())
}

fn lower_with(files: &[&str], entry: &str, require_entry: bool, errors: Errors) -> Result<Program, String> {
    let (mut sources, mut diags) = (SourceMap::default(), Diagnostics::default());
    let names: Vec<String> =
        (b'a'..).take(files.len()).map(|letter| format!("{}.c", char::from(letter))).collect();
    let files: Vec<(&str, Rc<str>)> =
        names.iter().zip(files).map(|(name, text)| (name.as_str(), Rc::from(*text))).collect();
    let (entry, args, program_name) = (entry.into(), vec!["one".into()], "prog".into());
    let options = Options { entry, args, program_name, require_entry, errors, ..Options::default() };
    let (_, lowered) = compile(&mut sources, &files, &options, &mut diags);
    let rendered: String = diags.iter().map(|d| d.render(&sources)).collect();
    lowered.ok_or(rendered)
}

/// The IR of the function `f` of a C text, without instruction ids and places.
pub(crate) fn ir_of(text: &str) -> String {
    let program = match lower_files(&[text]) {
        Ok(program) => program,
        Err(problems) => return problems,
    };
    function_text(&program, "f")
}

pub(crate) fn function_text(program: &Program, name: &str) -> String {
    let id = program.function_named(name).expect("the test's text defines the function");
    let text = braid_ir::print::print_function(program, &program.functions[id]);
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("reg "));
    lines.map(|line| format!("{}\n", without_marks(line))).collect()
}

/// Drops `i12: ` and ` @ 0:3:5`.
fn without_marks(line: &str) -> String {
    let line = line.split(" @ ").next().unwrap_or(line);
    let indent = line.len() - line.trim_start().len();
    let body = line.trim_start();
    let body = match body.split_once(": ") {
        Some((id, rest)) if id.starts_with('i') && id[1..].chars().all(|c| c.is_ascii_digit()) => rest,
        _ => body,
    };
    format!("{}{body}", " ".repeat(indent))
}
