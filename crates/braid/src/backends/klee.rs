//! KLEE: `clang` makes bitcode of the text, KLEE writes a test case beside each error.
//!
//! `testNNNNNN.assert.err` says that an assertion failed in the test case `testNNNNNN.ktest`, whose objects named
//! `choice` are the choices in order. The format of test cases is that of KLEE's `KTest.h`: the letters `KTEST`, then
//! numbers of four bytes, the most significant first: the version; the arguments, each with its length; from version 2 on
//! two numbers about symbolic arguments; the objects, each a name and bytes with their lengths.

use super::tool;
use super::{Answer, Failure, Job};
use std::path::{Path, PathBuf};

/// Asks KLEE.
pub fn ask(job: &Job<'_>) -> Result<Answer, Failure> {
    let (code, out) = (job.directory.join("text.bc"), job.directory.join("klee-out"));
    let [code_text, out_text] = [&code, &out].map(|path| path.display().to_string());
    let source = job.path.display().to_string();
    let words = ["-c", "-emit-llvm", "-g", "-O0", "-o", &code_text, &source];
    let compiled = tool::run("clang", words, job.directory, &job.limit)?;
    if compiled.code() != Some(0) || !code.exists() {
        return Err(compiled.no_answer());
    }
    let out_flag = format!("--output-dir={out_text}");
    let words = [out_flag.as_str(), "--silent-klee-assume", "--exit-on-error-type=Assert", &code_text];
    let ended = tool::run("klee", words, job.directory, &job.limit)?;
    let errors = files_ending(&out, ".err");
    if let Some(error) = errors.iter().find(|path| path.to_string_lossy().ends_with(".assert.err")) {
        let case = error.with_extension("").with_extension("ktest");
        let bytes = std::fs::read(&case)
            .map_err(|problem| ended.nonsense(&format!("{}: {problem}", file_name(&case))))?;
        return choices(&bytes).map(Answer::Violated).map_err(|problem| ended.nonsense(&problem));
    }
    if let Some(error) = errors.first() {
        return Err(
            ended.nonsense(&format!("it stopped at an error that is no assertion: {}", file_name(error)))
        );
    }
    let done = ended.stderr.contains("KLEE: done:") && !ended.stderr.contains("HaltTimer");
    if ended.code() == Some(0) && done { Ok(Answer::Nothing) } else { Err(ended.no_answer()) }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The files of a directory whose names end so, in order.
fn files_ending(directory: &Path, end: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    found.retain(|path| path.to_string_lossy().ends_with(end));
    found.sort();
    found
}

/// The choices of a test case.
fn choices(bytes: &[u8]) -> Result<Vec<u32>, String> {
    let mut rest = bytes.strip_prefix(b"KTEST").ok_or("a test case that does not begin with KTEST")?;
    read_choices(&mut rest).ok_or_else(|| "a test case that ends too early".to_string())
}

fn read_choices(rest: &mut &[u8]) -> Option<Vec<u32>> {
    let version = number(rest)?;
    for _ in 0..number(rest)? {
        block(rest)?;
    }
    if version >= 2 {
        number(rest)?;
        number(rest)?;
    }
    let mut values = Vec::new();
    for _ in 0..number(rest)? {
        let (name, bytes) = (block(rest)?, block(rest)?);
        if name == b"choice" {
            values.push(u32::from_le_bytes(bytes.try_into().ok()?));
        }
    }
    Some(values)
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    let (bytes, after) = rest.split_first_chunk::<4>()?;
    *rest = after;
    Some(u32::from_be_bytes(*bytes))
}

/// A number of bytes, and that many.
fn block<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = number(rest)? as usize;
    let (bytes, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case() -> Vec<u8> {
        let mut bytes = b"KTEST".to_vec();
        let mut put = |number: u32, text: &[u8]| {
            bytes.extend(number.to_be_bytes());
            bytes.extend(text);
        };
        put(3, b"");
        put(1, b"");
        put(7, b"text.bc");
        put(0, b"");
        put(0, b"");
        put(3, b"");
        for (name, value) in [("choice", 5u32), ("other", 1), ("choice", 258)] {
            put(name.len() as u32, name.as_bytes());
            put(4, &value.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn choices_of_a_test_case() {
        assert_eq!(choices(&case()), Ok(vec![5, 258]));
        assert!(choices(&case()[..40]).unwrap_err().contains("too early"));
        assert!(choices(b"nonsense").unwrap_err().contains("KTEST"));
    }
}
