//! `cargo xtask bench families`: the `order` engine on families of growing programs, with several sets of flags.
//!
//! Every instance ([`braid_testkit::families`]) is a question about its assertions to `braid check --engine order`,
//! once with each set of flags, one process at a time. A wrong verdict is an error; a missing one costs the whole
//! limit. After the table come ratios: by what factor each further set of flags is faster than the first, in
//! geometric mean. Other tools can be asked about the same files (`--peer`); their exit code 0 is taken for safe,
//! 10 for unsafe, anything else for no answer.

mod options;
mod ratios;
mod tool;

use super::measure::write;
use braid_testkit::families::{self, Instance};
use options::Options;
use std::path::Path;
use tool::{Answer, Measured, Tool};

/// Runs the families that the words ask for.
pub fn run(braid: &Path, scratch: &Path, words: &[&str]) -> Result<bool, String> {
    let options = Options::parse(words)?;
    let wanted: Vec<Instance> =
        families::instances().into_iter().filter(|one| options.wants(&one.name)).collect();
    if wanted.is_empty() {
        return Err("no instance has such a name".to_string());
    }
    let directory = scratch.join("families");
    std::fs::create_dir_all(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    let tools = options.tools(braid);
    for tool in &tools {
        println!("{}: {}", tool.label(), tool.description());
    }
    println!("limit: {} s", options.limit);
    print_head(&tools);
    let mut rows = Vec::new();
    for instance in &wanted {
        rows.push(measure(instance, &tools, &directory, options.limit)?);
    }
    ratios::print(&tools, &rows, options.limit as f64);
    let wrong = rows.iter().flat_map(|row| &row.measured).filter(|one| one.is_our_defect()).count();
    if wrong > 0 {
        println!("{wrong} answers of braid are WRONG");
    }
    Ok(wrong == 0)
}

/// An instance and what each tool made of it.
struct Row {
    family: &'static str,
    measured: Vec<Measured>,
}

impl Row {
    /// The largest number of events that a set of flags was up against.
    fn events(&self) -> u64 {
        self.measured.iter().filter_map(|one| one.cost.events).max().unwrap_or(0)
    }
}

fn measure(instance: &Instance, tools: &[Tool], directory: &Path, limit: u64) -> Result<Row, String> {
    let file = write(directory, &format!("{}.c", instance.name), &instance.text)?;
    let mut measured = Vec::new();
    for tool in tools {
        let one = tool.ask(&file, instance.safe, limit)?;
        print_row(instance, tool, &one);
        measured.push(one);
    }
    Ok(Row { family: instance.family, measured })
}

fn print_head(tools: &[Tool]) {
    let width = tools.iter().map(|tool| tool.label().len()).max().unwrap_or(0);
    println!(
        "{:<44} {:<width$} {:<9} {:>9} {:>9} {:>7} {:>10} {:>9}",
        "instance", "", "verdict", "seconds", "MiB", "events", "candidates", "conflicts"
    );
}

fn print_row(instance: &Instance, tool: &Tool, one: &Measured) {
    let number = |value: Option<u64>| value.map_or("-".to_string(), |value| value.to_string());
    let why = match &one.answer {
        Answer::Right => String::new(),
        Answer::Wrong(what) => format!("  WRONG: {what}"),
        Answer::None(why) => format!("  {why}"),
    };
    let verdict = match (&one.answer, instance.safe) {
        (Answer::Right, true) => "safe",
        (Answer::Right, false) => "unsafe",
        (Answer::Wrong(_), _) => "WRONG",
        (Answer::None(_), _) => "-",
    };
    println!(
        "{:<44} {} {verdict:<9} {:>9.3} {:>9} {:>7} {:>10} {:>9}{why}",
        instance.name,
        tool.label(),
        one.seconds,
        number(one.cost.mebibytes),
        number(one.cost.events),
        number(one.cost.candidates),
        number(one.cost.conflicts),
    );
}
