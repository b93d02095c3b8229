//! Exploration with and without reduction: the same violations, the same final states.
//!
//! Reduction leaves out interleavings that cannot differ, so nothing it reports may change. Every
//! violation must also replay ([`braid_verdict::confirm`]). A program that takes too long counts as
//! undecided.

use super::{Generated, program};
use crate::frontend;
use crate::tree;
use braid_interp::{End, Exploration, ExploreOptions, Image, Limits, Options, explore, place_text};
use braid_ir::{Program, Question};
use braid_syntax::preprocess::{self, Preprocess};
use braid_verdict::{Candidate, confirm};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Texts tried to make a failing program small.
const TRIALS: usize = 300;

/// Time for both explorations of a program.
const CAP: Duration = Duration::from_secs(5);

/// What came of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    Agree,
    /// Not explored within the cap.
    Undecided,
}

/// Compares explorations of generated programs.
pub struct Comparer {
    /// A directory of its own, which exists.
    pub scratch: PathBuf,
}

/// What is compared.
#[derive(PartialEq, Eq, Debug)]
struct Summary {
    violations: BTreeSet<String>,
    ends: BTreeSet<End>,
    unsupported: BTreeSet<String>,
}

impl Comparer {
    /// Compares the program of a seed. The error is a report with the shrunk program.
    pub fn check(&self, seed: u64) -> Result<Fate, String> {
        let generated = program(seed);
        match self.compare(&generated.text(), seed) {
            Ok(fate) => Ok(fate),
            Err(difference) => Err(self.report(&generated, &difference)),
        }
    }

    /// The error says in what way the explorations differ.
    pub fn compare(&self, text: &str, seed: u64) -> Result<Fate, String> {
        let program = self.compile(text, seed)?;
        let deadline = Instant::now() + CAP;
        let Some(reduced) = self.explore(&program, true, deadline)? else { return Ok(Fate::Undecided) };
        let Some(full) = self.explore(&program, false, deadline)? else { return Ok(Fate::Undecided) };
        if reduced == full {
            return Ok(Fate::Agree);
        }
        Err(format!("without reduction:\n{full:#?}\nwith reduction:\n{reduced:#?}"))
    }

    /// The IR of a text.
    pub fn compile(&self, text: &str, seed: u64) -> Result<Program, String> {
        let path = self.scratch.join(format!("c{seed}.c"));
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        let loaded =
            preprocess::load(&path, &Preprocess::default()).map_err(|e| format!("does not compile: {e}"))?;
        // A file left behind is overwritten by the next run.
        let _ = std::fs::remove_file(&path);
        let compiled = frontend::compile("t.c", loaded.text);
        compiled.program.ok_or_else(|| format!("does not compile: {}", compiled.errors.join("\n")))
    }

    /// `None` if it takes too long.
    fn explore(
        &self,
        program: &Program,
        reduction: bool,
        deadline: Instant,
    ) -> Result<Option<Summary>, String> {
        let limits = Limits { deadline: Some(deadline), memory: 1 << 30, ..Limits::default() };
        let machine = Options { question: Question::default(), limits, ..Options::default() };
        let options = ExploreOptions { machine, values: vec![0, 1], reduction, ..ExploreOptions::default() };
        let image = Image::new(program, machine.question.checks).map_err(|e| e.to_string())?;
        let interrupt = AtomicBool::new(false);
        let found = explore(&image, &options, &interrupt, &mut |_| ()).map_err(|e| e.to_string())?;
        if found.cuts.iter().any(|cut| !is_value_cut(cut)) {
            return Ok(None);
        }
        replay_all(&image, machine, &found)?;
        Ok(Some(summary(program, &found)))
    }

    fn report(&self, generated: &Generated, difference: &str) -> String {
        let kind = kind_of(difference);
        let small = tree::shrink(&generated.tree, TRIALS, |text| {
            self.compare(text, generated.seed).is_err_and(|error| kind_of(&error) == kind)
        });
        let text = small.render();
        let difference = self.compare(&text, generated.seed).err().unwrap_or_else(|| difference.to_string());
        format!("seed {}: {difference}\n---- shrunk program ----\n{text}----", generated.seed)
    }
}

/// The first words of a difference; shrinking keeps them.
fn kind_of(difference: &str) -> String {
    difference.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}

fn is_value_cut(cut: &braid_interp::Cut) -> bool {
    matches!(cut, braid_interp::Cut::Values(_))
}

fn replay_all(image: &Image, machine: Options, found: &Exploration) -> Result<(), String> {
    let machine = Options { limits: Limits { deadline: None, ..machine.limits }, ..machine };
    for violation in &found.violations {
        let candidate = Candidate::new(&violation.report, violation.trace.clone());
        confirm(image, machine, candidate)
            .map_err(|error| format!("unconfirmed violation: {}: {error}", violation.report.message))?;
    }
    Ok(())
}

fn summary(program: &Program, found: &Exploration) -> Summary {
    let violations = found.violations.iter().map(|violation| {
        let report = &violation.report;
        let mut places: Vec<String> =
            report.threads.iter().map(|view| place_text(program, view.place)).collect();
        places.sort();
        format!("{} at {} [{}]", report.check, place_text(program, report.place), places.join(", "))
    });
    Summary {
        violations: violations.collect(),
        ends: found.outcomes.iter().cloned().collect(),
        unsupported: found.unsupported.iter().map(|(what, _)| what.clone()).collect(),
    }
}
