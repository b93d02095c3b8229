//! `braid locks`: which lock protects which variable, and in which order locks are taken.
//!
//! The table is that of the invariant which the engine `lockset` finds; it is there whether or not something is proved.

use crate::args::LocksArgs;
use crate::front::{self, Loaded};
use crate::terminal::{errln, out, outln};
use crate::{exit, files, race};
use braid_engines::{NoInvariant, find_invariants};
use braid_ir::Question;
use braid_proof::Certificate;
use braid_proof::check::table::{Table, table};
use braid_props::CheckSet;
use braid_report::locks::{self, Discipline};
use std::time::Instant;

/// What is asked for the sake of the table.
const ASKED: &str = "data-race,deadlock,misuse,memory";

pub fn run(args: &LocksArgs) -> u8 {
    run_or_fail(args).unwrap_or_else(|code| code)
}

fn run_or_fail(args: &LocksArgs) -> Result<u8, u8> {
    let limits = args.limits.begin();
    if let Some(path) = &args.html {
        files::check_writable("--html", path)?;
    }
    let loaded = front::load(&args.input, &args.args, true)?;
    let mut question = Question::about(CheckSet::parse(ASKED).expect("properties"));
    race::apply(&args.race, &loaded.program, &mut question)?;
    let table = find(&loaded, &question, limits.deadline).map_err(|why| {
        outln!("UNKNOWN: {why}");
        exit::UNKNOWN
    })?;
    let shown = locks::discipline(&loaded.program, &table);
    show(args, &loaded, &shown)
}

/// The table of the invariant with the fewest unprotected variables.
fn find(loaded: &Loaded, question: &Question, deadline: Option<Instant>) -> Result<Table, String> {
    let program = &loaded.program;
    let entry = program.entry.ok_or("the program has no entry")?;
    let mut in_time = |_| deadline.is_none_or(|deadline| Instant::now() < deadline);
    let proof = find_invariants(program, question, entry, &mut in_time).map_err(|failed| match failed {
        NoInvariant::Interrupted => "time limit reached".to_string(),
        NoInvariant::Stuck(why) => format!("no invariant was found: {why}"),
    })?;
    let of = |certificate: &Certificate| table(program, question, certificate).ok().map(|(_, table)| table);
    let open = |table: &Table| table.variables.iter().filter(|one| one.is_unprotected()).count();
    proof.certificates.iter().filter_map(of).min_by_key(open).ok_or("no invariant was found".to_string())
}

fn show(args: &LocksArgs, loaded: &Loaded, shown: &Discipline) -> Result<u8, u8> {
    if let Some(path) = &args.html {
        let files: Vec<String> = loaded.files.iter().map(|path| path.display().to_string()).collect();
        files::write(path, &locks::html::render(shown, &format!("Locks of {}", files.join(", "))))?;
    }
    if args.json {
        outln!("{}", serde_json::to_string(shown).expect("the table has only string keys"));
    } else if args.dot {
        out!("{}", locks::dot::render(shown));
    } else if args.html.is_none() {
        out!("{}", locks::text::render(shown));
    } else {
        errln!("{} variables", shown.variables.len());
    }
    Ok(0)
}
