//! Files of proofs: what `braid check --proof` writes and `braid proof` reads.
//!
//! A file names the program, the question, the properties that are proved, and invariants that prove them together. Nothing in
//! it is believed but the question, whose assumptions are printed.

use crate::front::Loaded;
use crate::terminal::errln;
use crate::{exit, files};
use braid_engines::Certificate;
use braid_ir::{Program, Question, RaceModel};
use braid_portfolio::Report;
use braid_props::CheckSet;
use braid_verdict::ProgramIdentity;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The version of the format; that of certificates is their own.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofFile {
    pub braid_proof: u32,
    pub program: ProgramIdentity,
    asked: Asked,
    /// Properties, by their ids.
    proved: Vec<String>,
    pub certificates: Vec<Certificate>,
}

/// What the proof takes for granted; the fields are those of [`Question`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    races_in_sections: bool,
    race_on: Option<String>,
    fixed_addresses: bool,
    malloc_may_fail: bool,
    calls_may_fail: bool,
    spurious_wakeups: bool,
    random_is_real: bool,
}

impl ProofFile {
    /// The proof in a report, if it has one that can be checked.
    fn of(loaded: &Loaded, question: &Question, report: &Report) -> Option<ProofFile> {
        if report.certificates.is_empty() {
            return None;
        }
        let by_invariant = report.proved.iter().filter(|(_, engine)| has_certificates(engine));
        let proved: CheckSet = by_invariant.flat_map(|(checks, _)| checks.iter()).collect();
        (!proved.is_empty()).then(|| ProofFile {
            braid_proof: VERSION,
            program: ProgramIdentity::of(&loaded.program),
            asked: Asked {
                races_in_sections: question.races_in_sections(),
                race_on: question.race_on.map(|id| loaded.program.globals[id].name.to_string()),
                fixed_addresses: question.fixed_addresses,
                malloc_may_fail: question.malloc_may_fail,
                calls_may_fail: question.calls_may_fail,
                spurious_wakeups: question.spurious_wakeups,
                random_is_real: question.random_is_real,
            },
            proved: proved.iter().map(|check| check.id().to_string()).collect(),
            certificates: report.certificates.clone(),
        })
    }

    /// Reads a file, or says why not and gives the exit code.
    pub fn read(path: &Path) -> Result<ProofFile, u8> {
        let refuse = |problem: String| {
            errln!("error: {}: {problem}", path.display());
            exit::INPUT
        };
        let text = std::fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
        let file: ProofFile = serde_json::from_str(&text)
            .map_err(|error| refuse(format!("no proof of this version of braid: {error}")))?;
        match file.braid_proof {
            VERSION => Ok(file),
            other => Err(refuse(format!("a proof of version {other}; this braid reads version {VERSION}"))),
        }
    }

    /// The question that the proof answers, about the properties that it speaks of.
    pub fn question(&self, program: &Program) -> Result<Question, String> {
        let Asked {
            fixed_addresses, malloc_may_fail, calls_may_fail, spurious_wakeups, random_is_real, ..
        } = self.asked;
        let race_on = match &self.asked.race_on {
            None => None,
            Some(name) => {
                let mut globals = program.globals.enumerated();
                let found = globals.find(|(_, global)| global.name.as_str() == name).map(|(id, _)| id);
                Some(found.ok_or(format!("the program has no variable '{name}'"))?)
            }
        };
        let race_model = if self.asked.races_in_sections { RaceModel::SvComp } else { RaceModel::Circ };
        let checks = CheckSet::parse(&self.proved.join(","))
            .map_err(|unknown| format!("'{}' is no property", unknown.0))?;
        Ok(Question {
            checks,
            race_model,
            race_on,
            fixed_addresses,
            malloc_may_fail,
            calls_may_fail,
            spurious_wakeups,
            random_is_real,
        })
    }
}

/// Returns true for engines that prove by invariants.
fn has_certificates(engine: &str) -> bool {
    braid_engines::registry::find(engine).is_some_and(|engine| engine.certifies)
}

/// Writes the proof of a report, or notes that there is none.
pub fn write(path: &Path, loaded: &Loaded, question: &Question, report: &Report) -> Result<(), u8> {
    match ProofFile::of(loaded, question, report) {
        Some(file) => files::write(path, &serde_json::to_string(&file).expect("a proof is plain data")),
        None => {
            let by: Vec<&str> = report.proved.iter().map(|(_, engine)| *engine).collect();
            match by.first() {
                Some(engine) => errln!(
                    "note: --proof: {engine} proves by going through all executions; '--engine lockset' writes proofs"
                ),
                None => errln!("note: --proof: nothing is proved"),
            }
            Ok(())
        }
    }
}
