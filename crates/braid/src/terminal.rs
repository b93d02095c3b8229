//! Standard output: how wide it is, whether it shows colours, and what happens when it takes no more.

use crate::exit;
use braid_report::Style;
use braid_report::text::Layout;
use std::io::{BufWriter, IsTerminal, Result, StdoutLock, Write};

/// Columns where there is no terminal to ask.
const PIPE_WIDTH: usize = 100;

/// How much of a long output is written at once.
const PIECE: usize = 1 << 16;

/// How `print!` begins to say, in a panic, that standard output took no more.
const NOT_PRINTED: &str = "failed printing to stdout: ";

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

/// Lets `print!` end Braid as `print_with` does.
pub fn end_where_printing_fails() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>();
        if let Some(error) = message.and_then(|text| text.strip_prefix(NOT_PRINTED)) {
            end(error);
        }
        usual(panic);
    }));
}

/// Writes something long to standard output. If that takes no more, Braid ends: without a word if nobody reads any
/// longer (`braid check … | head`), as other tools do.
pub fn print_with(write: impl FnOnce(&mut BufWriter<StdoutLock<'static>>) -> Result<()>) {
    let mut out = BufWriter::with_capacity(PIECE, std::io::stdout().lock());
    if let Err(error) = write(&mut out).and_then(|()| out.flush()) {
        end(&error.to_string());
    }
}

fn end(error: &str) -> ! {
    if error.contains("Broken pipe") {
        std::process::exit(exit::NO_READER);
    }
    eprintln!("error: standard output: {error}");
    std::process::exit(i32::from(exit::INPUT));
}
