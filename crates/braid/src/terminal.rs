//! What standard output is: how wide, and whether it shows colours.

use braid_report::Style;
use braid_report::text::Layout;
use std::io::IsTerminal;

/// Columns where there is no terminal to ask.
const PIPE_WIDTH: usize = 100;

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
