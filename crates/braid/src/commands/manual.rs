//! `braid completions` and `braid man`: the command line described for shells and for `man`.

use crate::args::{self, CompletionsArgs, ManArgs};
use crate::exit;
use crate::terminal::errln;
use braid_engines::ENGINES;
use std::io::Write;

/// Prints the completion script of a shell.
pub fn completions(args: &CompletionsArgs) -> u8 {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "braid", &mut text);
    print(&text)
}

/// Prints a manual page in the format of `man`.
pub fn page(args: &ManArgs) -> u8 {
    let mut all = args::command();
    // Commands take over what they inherit.
    all.build();
    let described = match &args.command {
        None => all,
        Some(name) => {
            let Some(command) = all.find_subcommand(name) else {
                errln!("error: there is no command '{name}'");
                return exit::USAGE;
            };
            let described = command.clone();
            if *name == "check" { described.after_long_help(engines()) } else { described }
        }
    };
    let mut text = Vec::new();
    match clap_mangen::Man::new(described).render(&mut text) {
        Ok(()) => print(&text),
        Err(error) => {
            errln!("braid: internal error: {error}");
            exit::INTERNAL
        }
    }
}

/// The manual of every engine.
fn engines() -> String {
    let texts = ENGINES.iter().map(|engine| format!("The engine {}:\n{}", engine.name, engine.manual));
    texts.collect::<Vec<_>>().join("\n\n")
}

/// Prints all of it; a reader that has gone away has seen enough.
pub fn print(text: &[u8]) -> u8 {
    let _ = std::io::stdout().write_all(text);
    0
}
