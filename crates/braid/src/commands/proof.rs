//! `braid proof`: checks a proof again, against the program that it is about.
//!
//! `VALID` and exit code 0, or `INVALID` with the step or condition that does not hold and exit code 10. A proof of another
//! program is an error of the input.

use crate::answer::{self, list};
use crate::args::ProofArgs;
use crate::exit;
use crate::front::{self, Loaded};
use crate::proofs::ProofFile;
use crate::terminal::{errln, outln};
use braid_interp::place_text;
use braid_ir::Question;
use braid_proof::check::{Invalid, Obligation, check};
use braid_props::CheckSet;
use braid_verdict::{ProgramIdentity, assumptions};

pub fn run(args: &ProofArgs) -> u8 {
    run_or_fail(args).unwrap_or_else(|code| code)
}

fn run_or_fail(args: &ProofArgs) -> Result<u8, u8> {
    let file = ProofFile::read(&args.proof)?;
    let mut loaded = front::load(&args.input, &args.args, true)?;
    let refuse = |problem: String| {
        errln!("error: {}: {problem}", args.proof.display());
        exit::INPUT
    };
    if file.program.hash != ProgramIdentity::of(&loaded.program).hash {
        let files = file.program.files.join(", ");
        return Err(refuse(format!("the proof is about another program (of {files}), or other flags")));
    }
    let question = file.question(&loaded.program).map_err(refuse)?;
    if question.fixed_addresses {
        loaded.program.assumptions.push("addresses by allocation order".to_string());
    }
    match judge(&loaded, &question, &file) {
        Ok(()) => {
            answer::print_assumptions(&assumptions(&loaded.program, &question.lifted()));
            outln!("VALID: {} (any number of threads)", list(question.checks));
            Ok(0)
        }
        Err(why) => {
            outln!("INVALID: {why}");
            Ok(exit::UNSAFE)
        }
    }
}

/// Whether the certificates prove together what the file says.
fn judge(loaded: &Loaded, question: &Question, file: &ProofFile) -> Result<(), String> {
    let mut proved = CheckSet::EMPTY;
    let mut open: Vec<Obligation> = Vec::new();
    for certificate in &file.certificates {
        match check(&loaded.program, question, certificate) {
            Ok(verdict) => {
                proved = proved.with(verdict.proved);
                open.extend(verdict.open);
            }
            Err(Invalid::Malformed(text)) => return Err(text),
            Err(Invalid::Step(at)) => {
                let place = place_text(&loaded.program, at.loc);
                return Err(format!("{place}: {}", Invalid::Step(at)));
            }
        }
    }
    let left = question.checks.without(proved);
    if left.is_empty() && !question.checks.is_empty() {
        return Ok(());
    }
    let obligation = open.iter().find(|obligation| !obligation.checks.common(left).is_empty());
    Err(match obligation {
        Some(Obligation { loc, text, .. }) if loc.line > 0 => {
            format!("{} is not proved: {text} at {}", list(left), place_text(&loaded.program, *loc))
        }
        Some(Obligation { text, .. }) => format!("{} is not proved: {text}", list(left)),
        None => "the proof proves nothing".to_string(),
    })
}
