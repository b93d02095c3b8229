//! A compiler as a back end: the sequential program runs with choices that were found elsewhere, and really fails.

use super::Failure;
use super::tool::{self, Limit};
use std::path::Path;

/// Compiles the text and runs it with the choices. Returns the message of the assertion that fails; otherwise a sentence
/// on how the program ended.
pub fn fails(directory: &Path, text: &Path, choices: &[u32], limit: &Limit) -> Result<String, Failure> {
    let (program, file) = (directory.join("native"), directory.join("choices"));
    let numbers: Vec<String> = choices.iter().map(u32::to_string).collect();
    std::fs::write(&file, numbers.join(" "))
        .map_err(|error| Failure::NoAnswer(format!("{}: {error}", file.display())))?;
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_string());
    let words = [Path::new("-o"), &program, text];
    let compiled = tool::run(&compiler, words, directory, limit)?;
    if compiled.code() != Some(0) {
        return Err(compiled.no_answer());
    }
    let ended = tool::run(&program.display().to_string(), [&file], directory, limit)?;
    let message = ended.stderr.lines().find(|line| line.contains("Assertion"));
    match (ended.code(), message) {
        (None, Some(message)) => Ok(message.to_string()),
        (_, _) => Err(ended.no_answer()),
    }
}
