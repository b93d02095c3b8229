//! A child process that is asked in text and answers in S-expressions.
//!
//! Threads keep its pipes moving, so neither side can block the other: one writes what is sent, others read
//! what comes. Only so much may be on its way to the child, so that a formula need not fit into memory as
//! text. Waiting, for an answer or for the child to read on, polls the limits; memory is what this process
//! and the child occupy together. A child that misses a limit is killed; it cannot be asked again.

use crate::answer::Failure;
use crate::limits::{Limits, Stop, Watch, memory_in_use, memory_of};
use std::io::{Read, Write};
use std::process::{Child as SystemChild, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, channel, sync_channel};
use std::time::Duration;

/// How often the limits are looked at while waiting.
const PATIENCE: Duration = Duration::from_millis(20);
/// Texts are sent when they have come to so many bytes, and so many of them wait for the child.
const BATCH: usize = 1 << 16;
const WAITING: usize = 64;
/// How much of an answer or complaint is quoted in a message.
const QUOTE: usize = 300;

/// A running solver.
pub struct Child {
    command: String,
    process: SystemChild,
    input: SyncSender<String>,
    /// What is to be sent and has not been.
    unsent: String,
    output: Receiver<Vec<u8>>,
    complaints: Receiver<Vec<u8>>,
    /// What has come and not been taken.
    pending: Vec<u8>,
}

/// The end of waiting without an answer.
pub enum NoAnswer {
    Stopped(Stop),
    Failed(Failure),
}

impl Child {
    pub fn start(command: &str) -> Result<Child, Failure> {
        let not_installed = |reason: String| Failure::NotInstalled { command: command.to_string(), reason };
        let words = split_words(command);
        let Some((program, arguments)) = words.split_first() else {
            return Err(not_installed("the command is empty".to_string()));
        };
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| not_installed(e.to_string()))?;
        let input = write_behind(process.stdin.take());
        let output = read_ahead(process.stdout.take());
        let complaints = read_ahead(process.stderr.take());
        let (command, unsent, pending) = (command.to_string(), String::new(), Vec::new());
        Ok(Child { command, process, input, unsent, output, complaints, pending })
    }

    /// Sends text, now or together with what follows; whether the child reads it shows when it answers.
    pub fn send(&mut self, text: &str, limits: &Limits, watch: &Watch) -> Result<(), NoAnswer> {
        self.unsent.push_str(text);
        if self.unsent.len() < BATCH { Ok(()) } else { self.flush(limits, watch) }
    }

    /// Hands on what is to be sent, as soon as the child has read enough of what came before.
    fn flush(&mut self, limits: &Limits, watch: &Watch) -> Result<(), NoAnswer> {
        let mut text = std::mem::take(&mut self.unsent);
        while !text.is_empty() {
            self.check_limits(limits, watch)?;
            match self.input.try_send(text) {
                // A closed channel means the child is gone, which the next answer reports.
                Ok(()) | Err(TrySendError::Disconnected(_)) => break,
                Err(TrySendError::Full(rest)) => text = rest,
            }
            std::thread::sleep(PATIENCE);
        }
        Ok(())
    }

    fn check_limits(&self, limits: &Limits, watch: &Watch) -> Result<(), NoAnswer> {
        let together = || Some(memory_of(self.process.id())? + memory_in_use()?);
        let heavy = limits.memory.is_some_and(|limit| together().is_some_and(|memory| memory > limit));
        match watch.poll().or(heavy.then_some(Stop::Memory)) {
            Some(stop) => Err(NoAnswer::Stopped(stop)),
            None => Ok(()),
        }
    }

    /// The next S-expression or word the child says.
    pub fn answer(&mut self, limits: &Limits, watch: &Watch) -> Result<String, NoAnswer> {
        self.flush(limits, watch)?;
        loop {
            if let Some(end) = first_expression(&self.pending) {
                let answer: Vec<u8> = self.pending.drain(..end).collect();
                return Ok(String::from_utf8_lossy(&answer).trim().to_string());
            }
            match self.output.recv_timeout(PATIENCE) {
                Ok(bytes) => self.pending.extend(bytes),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(NoAnswer::Failed(self.gone())),
            }
            self.check_limits(limits, watch)?;
        }
    }

    /// A failure of this child.
    pub fn failure(&self, reason: String) -> Failure {
        Failure::Process { command: self.command.clone(), reason }
    }

    /// The child closed its output: what it said last.
    fn gone(&mut self) -> Failure {
        let _ = self.process.kill();
        let status = self.process.wait().map(|status| status.to_string());
        let mut said = std::mem::take(&mut self.pending);
        while let Ok(bytes) = self.complaints.recv_timeout(PATIENCE) {
            said.extend(bytes);
        }
        let said = String::from_utf8_lossy(&said);
        let mut reason = format!("ended without an answer ({})", status.unwrap_or_else(|e| e.to_string()));
        if !said.trim().is_empty() {
            reason.push_str(&format!(": {}", quote(&said)));
        }
        self.failure(reason)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The beginning of a text, on one line.
pub fn quote(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(QUOTE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// A thread that writes what it is sent.
fn write_behind(pipe: Option<impl Write + Send + 'static>) -> SyncSender<String> {
    let (sender, receiver) = sync_channel::<String>(WAITING);
    std::thread::spawn(move || {
        let Some(mut pipe) = pipe else { return };
        for text in receiver {
            if pipe.write_all(text.as_bytes()).and_then(|()| pipe.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

/// A thread that reads until the end.
fn read_ahead(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let Some(mut pipe) = pipe else { return };
        let mut buffer = vec![0; 1 << 16];
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            if sender.send(buffer[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    receiver
}

/// The words of a command line; quotes of either kind keep blanks.
fn split_words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut open = None;
    for c in command.chars() {
        match (open, c) {
            (Some(quote), _) if c == quote => open = None,
            (Some(_), _) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                open = Some(c);
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Where the first S-expression or word ends, if it has come completely. Comments are part of what
/// precedes it.
fn first_expression(text: &[u8]) -> Option<usize> {
    let (mut depth, mut at, mut in_word) = (0usize, 0, false);
    while let Some(&byte) = text.get(at) {
        match byte {
            _ if in_word && depth == 0 && (byte.is_ascii_whitespace() || b"();\"|".contains(&byte)) => {
                return Some(at);
            }
            b'(' => depth += 1,
            b')' if depth <= 1 => return Some(at + 1),
            b')' => depth -= 1,
            b'"' | b'|' => {
                at += 1 + text[at + 1..].iter().position(|b| *b == byte)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b';' => at += text[at..].iter().position(|b| *b == b'\n')?,
            _ if byte.is_ascii_whitespace() => {}
            _ => in_word = depth == 0,
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Option<&str> {
        first_expression(text.as_bytes()).map(|end| text[..end].trim())
    }

    #[test]
    fn expressions_are_taken_one_by_one() {
        assert_eq!(first("sat\nunsat\n"), Some("sat"));
        assert_eq!(first("sa"), None);
        assert_eq!(
            first(" \n((a #b01) (b (store x |) | \")\")))rest"),
            Some("((a #b01) (b (store x |) | \")\")))")
        );
        assert_eq!(first("((a #b01"), None);
        assert_eq!(first("(a \"("), None);
        assert_eq!(first("sat(error"), Some("sat"));
        assert_eq!(first(")"), Some(")"));
        assert_eq!(first(""), None);
    }

    #[test]
    fn command_lines_are_split() {
        assert_eq!(split_words("z3  -in "), ["z3", "-in"]);
        assert_eq!(split_words("'my solver' \"a b\"c ''"), ["my solver", "a bc", ""]);
        assert!(split_words(" ").is_empty());
    }

    #[test]
    fn quotations_are_short() {
        assert_eq!(quote(" a\n b "), "a b");
        assert!(quote(&"é".repeat(1000)).chars().count() <= QUOTE + 1);
    }
}
