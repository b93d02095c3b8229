//! The native compiler: the independent judge of what a C program does.
//!
//! Programs are compiled by `$CC` or `gcc`. Outcomes of native runs depend only on the sources, the
//! flags and the compiler, so they can be kept in a directory and used again ([`Cache`]).

use crate::process::{self, Limits, Outcome};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

/// The compiler's name.
pub fn compiler() -> String {
    std::env::var("CC").ok().filter(|cc| !cc.trim().is_empty()).unwrap_or_else(|| "gcc".to_string())
}

/// The compiler as a command; `$CC` may hold flags.
pub fn compiler_command(directory: &Path) -> Command {
    let text = compiler();
    let mut words = text.split_whitespace();
    let mut command = process::command(words.next().unwrap_or("gcc"), directory);
    command.args(words);
    command
}

/// The first line of `cc --version`; `None` if there is no compiler.
pub fn version() -> Option<&'static str> {
    static VERSION: OnceLock<Option<String>> = OnceLock::new();
    let version = VERSION.get_or_init(|| {
        let mut command = compiler_command(Path::new("."));
        let outcome = process::run(command.arg("--version"), b"", &Limits::default()).ok()?;
        Some(outcome.stdout_text().lines().next().unwrap_or("").to_string())
    });
    version.as_deref()
}

/// A program to be compiled and run.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// Where the compiler runs; the files are named relative to it.
    pub directory: &'a Path,
    pub files: Vec<String>,
    pub flags: Vec<String>,
    pub args: Vec<String>,
    pub stdin: Vec<u8>,
    pub environment: Vec<(&'static str, String)>,
}

/// Why there is no outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The compiler refused the program.
    Rejected(String),
    /// Something other than the program is at fault.
    Cannot(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Rejected(text) => write!(f, "the native compiler rejects it:\n{text}"),
            Failure::Cannot(text) => f.write_str(text),
        }
    }
}

impl Job<'_> {
    /// Compiles to `binary`.
    pub fn compile(&self, binary: &Path) -> Result<(), Failure> {
        let mut command = compiler_command(self.directory);
        command.args(["-w", "-pipe"]).args(&self.flags).args(&self.files).arg("-o").arg(binary).arg("-lm");
        let limits = Limits { time: Duration::from_secs(120), ..Limits::default() };
        let outcome = process::run(&mut command, b"", &limits).map_err(Failure::Cannot)?;
        match outcome.code {
            0 => Ok(()),
            _ if outcome.timed_out => Err(Failure::Cannot("the native compiler takes too long".into())),
            _ => Err(Failure::Rejected(outcome.stderr_text())),
        }
    }

    /// Compiles and runs. The binary goes to `scratch`, which exists, and is removed.
    pub fn run(&self, scratch: &Path) -> Result<Outcome, Failure> {
        let binary = scratch.join(format!("{:016x}", self.key()));
        self.compile(&binary)?;
        let mut command = process::command(&binary, self.directory);
        set_name(&mut command, &self.files);
        command.args(&self.args).envs(self.environment.iter().map(|(k, v)| (*k, v.as_str())));
        let outcome = process::run(&mut command, &self.stdin, &Limits::default()).map_err(Failure::Cannot);
        // The outcome counts even if the file cannot be removed.
        let _ = std::fs::remove_file(&binary);
        outcome
    }

    /// A number that changes with everything the outcome depends on, but for headers.
    fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        version().hash(&mut hasher);
        compiler().hash(&mut hasher);
        self.directory.hash(&mut hasher);
        (&self.flags, &self.args, &self.stdin, &self.environment).hash(&mut hasher);
        for file in &self.files {
            file.hash(&mut hasher);
            std::fs::read(self.directory.join(file)).unwrap_or_default().hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// The program sees `./<first file's stem>` as its name, whatever the binary is called.
#[cfg(unix)]
fn set_name(command: &mut Command, files: &[String]) {
    use std::os::unix::process::CommandExt;
    if let Some(stem) = files.first().and_then(|f| Path::new(f).file_stem()) {
        command.arg0(format!("./{}", stem.to_string_lossy()));
    }
}

#[cfg(not(unix))]
fn set_name(_: &mut Command, _: &[String]) {}

/// Outcomes of earlier runs.
#[derive(Clone, Debug)]
pub struct Cache {
    directory: PathBuf,
}

impl Cache {
    /// A cache in a directory, which is made if need be.
    pub fn new(directory: PathBuf) -> std::io::Result<Cache> {
        std::fs::create_dir_all(&directory)?;
        Ok(Cache { directory })
    }

    /// A directory for files of a moment.
    pub fn scratch(&self) -> &Path {
        &self.directory
    }

    /// The outcome of a job, from an earlier run if there was one that ended by itself.
    pub fn run(&self, job: &Job) -> Result<Outcome, Failure> {
        let path = self.directory.join(format!("{:016x}.outcome", job.key()));
        if let Some(outcome) = std::fs::read(&path).ok().and_then(|bytes| decode(&bytes)) {
            return Ok(outcome);
        }
        let outcome = job.run(&self.directory)?;
        if !outcome.timed_out {
            // A cache that cannot be written costs time, nothing else.
            let _ = std::fs::write(&path, encode(&outcome));
        }
        Ok(outcome)
    }
}

fn encode(outcome: &Outcome) -> Vec<u8> {
    let head = format!("{} {} {}\n", outcome.code, outcome.stdout.len(), outcome.stderr.len());
    [head.as_bytes(), &outcome.stdout, &outcome.stderr].concat()
}

fn decode(bytes: &[u8]) -> Option<Outcome> {
    let end = bytes.iter().position(|b| *b == b'\n')?;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let numbers: Vec<i64> = head.split(' ').map(|w| w.parse().ok()).collect::<Option<_>>()?;
    let &[code, out, err] = numbers.as_slice() else { return None };
    let (code, out, err) =
        (i32::try_from(code).ok()?, usize::try_from(out).ok()?, usize::try_from(err).ok()?);
    let body = &bytes[end + 1..];
    // A file cut short by an interrupted run has the wrong length.
    if body.len() != out + err {
        return None;
    }
    Some(Outcome { code, stdout: body[..out].to_vec(), stderr: body[out..].to_vec(), timed_out: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_kept_exactly() {
        let outcome =
            Outcome { code: 134, stdout: b"a\n\0b".to_vec(), stderr: b"\xff".to_vec(), timed_out: false };
        let bytes = encode(&outcome);
        assert_eq!(decode(&bytes), Some(outcome));
        assert_eq!(decode(&bytes[..bytes.len() - 1]), None);
    }
}
