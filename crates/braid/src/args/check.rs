//! The arguments of `braid check`.

use super::engine::{self, EngineOptions};
use super::{AddressesArg, InputArgs, LimitArgs, OutputArgs, PropertyArgs, RaceArgs, RandArg};
use braid_engines::Engine;
use braid_interp::RoundOrder;
use braid_verdict::LoopName;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub properties: PropertyArgs,
    /// One engine instead of all of them in turn
    #[arg(long, value_name = "E", value_parser = engine::parser())]
    pub engine: Option<&'static Engine>,
    #[command(flatten)]
    pub options: EngineOptions,
    /// Look at N iterations of every loop whose number is not known, instead of more and more
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub unwind: Option<u32>,
    /// Look at N iterations of one loop: LINE:N, FILE:LINE:N or FUNCTION.INDEX:N; several with commas
    #[arg(long, value_name = "LOOP:N", value_delimiter = ',', value_parser = parse_loop_bound, action = clap::ArgAction::Append)]
    pub unwindset: Vec<(LoopName, u32)>,
    /// At most this many rounds, in each of which every thread runs once (with --engine)
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: Option<u32>,
    /// The order of the threads in a round: main,main/2,… (the others follow in the order of creation), created or reverse
    #[arg(long, value_name = "LIST")]
    pub schedule_order: Option<RoundOrder>,
    /// At most this many changes of the running thread (with --engine)
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    pub context_bound: Option<u32>,
    /// At most this many executions (with --engine)
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub runs: Option<u64>,
    /// Solver: an SMT-LIB 2 solver by its name (z3, cvc5, bitwuzla, yices, boolector, mathsat) or command
    #[arg(long, value_name = "S")]
    pub solver: Option<String>,
    /// Write the last formula to a file, as its name says: .smt2 or .cnf
    #[arg(long, value_name = "FILE", value_parser = parse_dump)]
    pub dump: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub race: RaceArgs,
    /// Stop at the first violation, instead of looking for one of each property and every racy pair of places
    #[arg(long)]
    pub stop_at_first: bool,
    /// Let memory allocation fail, too
    #[arg(long, conflicts_with = "prop")]
    pub malloc_may_fail: bool,
    /// Let waits for condition variables end for no reason, too
    #[arg(long)]
    pub spurious_wakeups: bool,
    /// Where objects lie: anywhere, or in the order in which they are made (assumed then)
    #[arg(long, value_name = "WHERE", value_enum, default_value = "any")]
    pub addresses: AddressesArg,
    /// Let library calls that ask for resources fail, too
    #[arg(long, conflicts_with = "prop")]
    pub calls_may_fail: bool,
    /// Numbers of rand, random, drand48 and their kin
    #[arg(long, value_name = "NUMBERS", value_enum, default_value = "any")]
    pub rand: RandArg,
    /// Write the schedule of the first violation to a file, or those of all to a directory
    #[arg(long, value_name = "FILE")]
    pub schedule_out: Option<PathBuf>,
    /// Write the invariant that proves what is proved, for `braid proof` to check again
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Exit with 0 if there is no violation within the bounds
    #[arg(long)]
    pub bounded_ok: bool,
    /// Print the answer as one JSON object (see docs/json.md)
    #[arg(long)]
    pub json: bool,
    /// Print what each phase took
    #[arg(long)]
    pub stats: bool,
    /// Say on standard error what goes on
    #[arg(short = 'v', long)]
    pub verbose: bool,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

/// `LINE:N`, `FILE:LINE:N` or `FUNCTION.INDEX:N`.
pub fn parse_loop_bound(text: &str) -> Result<(LoopName, u32), String> {
    let form = "expected LINE:N, FILE:LINE:N or FUNCTION.INDEX:N";
    let (name, bound) = text.rsplit_once(':').ok_or(form)?;
    let bound = match bound.parse::<u32>() {
        Ok(0) | Err(_) => return Err(format!("'{bound}' is no bound: expected a number of at least 1")),
        Ok(bound) => bound,
    };
    let number = |text: &str| text.parse::<u32>().ok();
    let name = match (name.rsplit_once(':'), name.rsplit_once('.')) {
        (Some((file, line)), _) if !file.is_empty() => {
            number(line).map(|line| LoopName::Line { file: Some(file.to_string()), line })
        }
        (None, Some((function, index))) if !function.is_empty() => {
            number(index).map(|index| LoopName::Nth { function: function.to_string(), index })
        }
        (None, None) => number(name).map(|line| LoopName::Line { file: None, line }),
        _ => None,
    };
    name.map(|name| (name, bound)).ok_or_else(|| form.to_string())
}

fn parse_dump(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("smt2" | "cnf") => Ok(path),
        _ => Err("expected a name that ends in .smt2 or .cnf".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_by_name() {
        let line = |file: Option<&str>, line| LoopName::Line { file: file.map(str::to_string), line };
        assert_eq!(parse_loop_bound("12:3"), Ok((line(None, 12), 3)));
        assert_eq!(parse_loop_bound("a/b.c:12:3"), Ok((line(Some("a/b.c"), 12), 3)));
        let nth = LoopName::Nth { function: "f".into(), index: 2 };
        assert_eq!(parse_loop_bound("f.2:7"), Ok((nth, 7)));
        for bad in ["", "12", "12:", "12:0", "12:-1", "x:1", "f.x:1", ".1:1", ":3:1", "a.c:x:1"] {
            assert!(parse_loop_bound(bad).is_err(), "{bad}");
        }
    }
}
