//! Programs that are run within a time limit.
//!
//! Output goes to files of a temporary directory, so that a process which a program leaves behind cannot keep a pipe
//! open.

use super::Failure;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The end of the time that is given, and a flag that ends the work earlier.
#[derive(Clone, Debug, Default)]
pub struct Limit {
    pub deadline: Option<Instant>,
    pub interrupt: Arc<AtomicBool>,
}

impl Limit {
    fn passed(&self) -> bool {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        late || self.interrupt.load(Ordering::Relaxed)
    }
}

/// The end of a program and what it has printed.
pub struct Ended {
    name: String,
    status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    /// The exit code, if it was not a signal that ended the program.
    pub fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// The failure of a program that has given no answer: how it ended, and the last line it said.
    pub fn no_answer(&self) -> Failure {
        let how = match (self.status.code(), signal(self.status)) {
            (Some(code), _) => format!("ended with exit code {code}"),
            (None, Some(number)) => format!("was ended by signal {number}"),
            (None, None) => "was ended".to_string(),
        };
        let last = |text: &str| text.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(cut);
        let said = last(&self.stderr).or_else(|| last(&self.stdout));
        let said = said.map_or("printed nothing".to_string(), |line| format!("its last line is: {line}"));
        Failure::NoAnswer(format!("{} gave no answer: it {how}, and {said}", self.name))
    }

    /// The failure of a program whose output cannot be read.
    pub fn nonsense(&self, problem: &str) -> Failure {
        Failure::NoAnswer(format!("{} gave an answer that cannot be read: {problem}", self.name))
    }
}

/// The beginning of a line.
fn cut(line: &str) -> String {
    const MOST: usize = 200;
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_string(),
    }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;
    status.signal()
}

#[cfg(not(unix))]
fn signal(_status: ExitStatus) -> Option<i32> {
    None
}

/// Runs a program in a directory, to which its output goes.
pub fn run<A: AsRef<OsStr>>(
    program: &str,
    args: impl IntoIterator<Item = A>,
    directory: &Path,
    limit: &Limit,
) -> Result<Ended, Failure> {
    let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let files = ["out", "err"].map(|stream| directory.join(format!("{name}.{stream}")));
    let open = |path: &PathBuf| {
        std::fs::File::create(path).map_err(|error| Failure::NoAnswer(format!("{}: {error}", path.display())))
    };
    let mut command = Command::new(program);
    command.args(args).current_dir(directory).stdin(Stdio::null());
    command.stdout(open(&files[0])?).stderr(open(&files[1])?);
    let child = command.spawn().map_err(|error| {
        Failure::Missing(format!("cannot start '{program}': {error}; is it installed and on the PATH?"))
    })?;
    let status = wait(child, limit)?;
    let [stdout, stderr] = files.map(|path| {
        let bytes = std::fs::read(path).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    });
    Ok(Ended { name, status, stdout, stderr })
}

fn wait(mut child: Child, limit: &Limit) -> Result<ExitStatus, Failure> {
    let mut pause = Duration::from_micros(500);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if limit.passed() => {
                // It may have ended meanwhile.
                let _ = child.kill();
                let _ = child.wait();
                return Err(Failure::TimeLimit);
            }
            Ok(None) => std::thread::sleep(pause),
            Err(error) => return Err(Failure::NoAnswer(format!("cannot wait for a process: {error}"))),
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// A directory that goes away with its owner.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> std::io::Result<Scratch> {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("braid-seq-{}-{number}", std::process::id()));
        std::fs::create_dir(&path)?;
        Ok(Scratch(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A file that cannot be removed lies where temporary files do.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
