//! Standard output and standard error: how wide the first is, whether it shows colours, and what happens when they take no
//! more. Everything that Braid prints goes through here; clippy refuses `print!` and its kin.

use crate::exit;
use braid_report::Style;
use braid_report::text::Layout;
use std::fmt::Arguments;
use std::io::{BufWriter, ErrorKind, IsTerminal, Result, StdoutLock, Write};

/// Columns where there is no terminal to ask.
const PIPE_WIDTH: usize = 100;

/// How much of a long output is written at once.
const PIECE: usize = 1 << 16;

/// How to lay out a trace on standard output. Colours only on a terminal, and not if `NO_COLOR` says so
/// (<https://no-color.org>); `COLUMNS` overrides the width.
pub fn layout(full: bool) -> Layout {
    let terminal = std::io::stdout().is_terminal();
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
    Layout { width: width(terminal), style: Style { colours: terminal && !unwanted && !dumb }, full }
}

fn width(terminal: bool) -> usize {
    let asked = std::env::var("COLUMNS").ok().and_then(|text| text.parse::<usize>().ok());
    let measured = || console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    let width = asked.or_else(|| measured().filter(|_| terminal));
    width.filter(|width| *width >= 20).unwrap_or(PIPE_WIDTH)
}

/// Writes something long to standard output.
pub fn print_with(write: impl FnOnce(&mut BufWriter<StdoutLock<'static>>) -> Result<()>) {
    let mut out = BufWriter::with_capacity(PIECE, std::io::stdout().lock());
    settle(write(&mut out).and_then(|()| out.flush()));
}

/// Writes to standard output; what [`out!`] and [`outln!`] do.
pub fn print(text: Arguments) {
    settle(std::io::stdout().lock().write_fmt(text));
}

/// Writes to standard error; what [`err!`] and [`errln!`] do. If that takes no more, there is nobody to tell.
pub fn complain(text: Arguments) {
    let _ = std::io::stderr().lock().write_fmt(text);
}

/// If nobody reads standard output any longer (`braid check … | head`), what is left is not said, and the exit code still is
/// the answer's. Any other failure ends Braid: an answer that was not written is none.
fn settle(written: Result<()>) {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            complain(format_args!("error: standard output: {error}\n"));
            std::process::exit(i32::from(exit::INPUT));
        }
        Ok(()) | Err(_) => {}
    }
}

/// Prints to standard output, as `print!` does, but without a panic if it takes no more.
macro_rules! out {
    ($($text:tt)*) => { $crate::terminal::print(format_args!($($text)*)) };
}

/// Prints text and the end of the line.
macro_rules! outln {
    () => { $crate::terminal::print(format_args!("\n")) };
    ($($text:tt)*) => { $crate::terminal::print(format_args!("{}\n", format_args!($($text)*))) };
}

/// Prints to standard error, as `eprint!` does, but without a panic if it takes no more.
macro_rules! err {
    ($($text:tt)*) => { $crate::terminal::complain(format_args!($($text)*)) };
}

/// Prints text and the end of the line.
macro_rules! errln {
    ($($text:tt)*) => { $crate::terminal::complain(format_args!("{}\n", format_args!($($text)*))) };
}

pub(crate) use {err, errln, out, outln};
