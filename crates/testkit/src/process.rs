//! Running programs with bounds on time and output.
//!
//! Output is read on threads of its own, so a process that writes much to both streams cannot block;
//! what exceeds the bound is dropped and noted. A process that exceeds its time is killed.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How a process ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The exit code, or 128 + the signal, as a shell says it.
    pub code: i32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub timed_out: bool,
}

impl Outcome {
    pub fn stdout_text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    /// The last line of standard error that has text.
    pub fn last_line(&self) -> String {
        let text = self.stderr_text();
        text.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or("").to_string()
    }
}

/// What a process gets.
#[derive(Clone, Debug)]
pub struct Limits {
    pub time: Duration,
    /// Bytes kept of each stream.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(20), output: 16 << 20 }
    }
}

/// Runs a command to its end. The error says what could not be done.
pub fn run(command: &mut Command, stdin: &[u8], limits: &Limits) -> Result<Outcome, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .map_err(|e| format!("cannot run {}: {e}", command.get_program().to_string_lossy()))?;
    feed(&mut child, stdin);
    let stdout = collect(child.stdout.take(), limits.output);
    let stderr = collect(child.stderr.take(), limits.output);
    let (code, timed_out) = wait(&mut child, limits.time)?;
    // A grandchild may hold the pipes open: do not wait for it forever.
    let grace = Duration::from_secs(5);
    let read = |receiver: mpsc::Receiver<Vec<u8>>| receiver.recv_timeout(grace).unwrap_or_default();
    Ok(Outcome { code, stdout: read(stdout), stderr: read(stderr), timed_out })
}

/// Writes the input on a thread of its own; a process that does not read it is no error.
fn feed(child: &mut Child, input: &[u8]) {
    let Some(mut pipe) = child.stdin.take() else { return };
    let input = input.to_vec();
    if !input.is_empty() {
        std::thread::spawn(move || {
            // The process may end before it has read everything.
            let _ = pipe.write_all(&input);
        });
    }
}

fn collect(stream: Option<impl Read + Send + 'static>, most: usize) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        if let Some(mut stream) = stream {
            let mut buffer = [0u8; 1 << 16];
            while let Ok(count @ 1..) = stream.read(&mut buffer) {
                let room = most.saturating_sub(kept.len()).min(count);
                kept.extend_from_slice(&buffer[..room]);
            }
        }
        // Nobody listens any more if the process was given up.
        let _ = sender.send(kept);
    });
    receiver
}

fn wait(child: &mut Child, time: Duration) -> Result<(i32, bool), String> {
    let deadline = Instant::now() + time;
    let mut pause = Duration::from_micros(200);
    loop {
        match child.try_wait().map_err(|e| format!("cannot wait for a process: {e}"))? {
            Some(status) => return Ok((exit_code(status), false)),
            None if Instant::now() >= deadline => {
                child.kill().map_err(|e| format!("cannot end a process: {e}"))?;
                child.wait().map_err(|e| format!("cannot wait for a process: {e}"))?;
                return Ok((124, true));
            }
            None => std::thread::sleep(pause),
        }
        pause = (pause * 3 / 2).min(Duration::from_millis(5));
    }
}

#[cfg(unix)]
fn exit_code(status: std::process::ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status.code().or(status.signal().map(|s| 128 + s)).unwrap_or(-1)
}

#[cfg(not(unix))]
fn exit_code(status: std::process::ExitStatus) -> i32 {
    status.code().unwrap_or(-1)
}

/// A command in a directory, in the language of the C locale.
pub fn command(program: impl AsRef<std::ffi::OsStr>, directory: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(directory).env("LC_ALL", "C");
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, stdin: &[u8], limits: &Limits) -> Outcome {
        let mut command = Command::new("sh");
        command.arg("-c").arg(script);
        run(&mut command, stdin, limits).expect("a shell")
    }

    #[test]
    fn streams_code_and_input() {
        let outcome = shell("cat; echo err >&2; exit 3", b"in", &Limits::default());
        assert_eq!((outcome.stdout.as_slice(), outcome.code), (&b"in"[..], 3));
        assert_eq!(outcome.last_line(), "err");
    }

    #[test]
    fn signals_time_and_output_are_bounded() {
        assert_eq!(shell("kill -ABRT $$", b"", &Limits::default()).code, 134);
        let short = Limits { time: Duration::from_millis(100), output: 10 };
        let outcome = shell("echo 1234567890123; exec sleep 20", b"", &short);
        assert!(outcome.timed_out);
        assert_eq!(outcome.stdout, b"1234567890");
    }
}
