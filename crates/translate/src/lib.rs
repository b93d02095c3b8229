//! Programs of threads as sequential C programs: lazy sequentialisation as a translation.
//!
//! Inverso, Tomasco, Fischer, La Torre, Parlato, *Bounded Model Checking of Multi-threaded C Programs via Lazy
//! Sequentialization*, CAV 2014. The program is unrolled within its bounds ([`braid_passes::unroll_loops`]), so every thread
//! is a function without calls and loops; [`body`] cuts it into steps, [`driver`] runs the threads in rounds. The text is
//! made from the IR, whose meaning is the one that all engines share; names and members are those of the source, and
//! comments name the source lines.

mod body;
mod driver;
mod expr;
mod fold;
pub mod log;
mod names;
mod program;
mod spinning;
mod types;

use braid_analysis::{Facts, Options as FactOptions};
use braid_base::HashMap;
use braid_ir::*;
use braid_passes::{Expanded, Unroll, unroll_loops};
use braid_props::{Check, CheckSet};
use driver::Spinning;
use program::Shared;
use std::fmt::Write as _;

/// The tool that the text is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backend {
    /// `__VERIFIER_*`, as in SV-COMP.
    Generic,
    Cbmc,
    Esbmc,
    Klee,
    /// A compiler: choices are read from a file.
    Native,
    /// Our own interpreter: the program says what it executes, for [`log`].
    Logged,
}

/// The bounds, properties and back end of a translation.
pub struct Options<'a> {
    /// Iterations of loops, by function, number of the loop in it, and place.
    pub bound: &'a dyn Fn(FuncId, u32, Loc) -> u32,
    /// Iterations of library loops and depth of recursion.
    pub unwind: u32,
    pub rounds: u32,
    pub checks: CheckSet,
    pub backend: Backend,
    /// Tells the text of a source line.
    pub source: &'a dyn Fn(Loc) -> Option<String>,
}

/// A construct that has no translation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Untranslatable {
    pub what: String,
    pub place: Loc,
}

impl std::fmt::Display for Untranslatable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} cannot be translated", self.what)
    }
}

impl std::error::Error for Untranslatable {}

/// A sequential program.
pub struct Translated {
    pub text: String,
    pub threads: usize,
    pub steps: usize,
    /// Loops and calls that are cut, with their bounds.
    pub cuts: Vec<braid_passes::Cut>,
    /// The instructions of the source behind the steps.
    pub table: log::Table,
}

/// Instructions of the unrolled program.
const MOST: usize = 200_000;

/// Translates a program.
pub fn translate(program: &Program, options: &Options) -> Result<Translated, Untranslatable> {
    let decided = without_failures(program);
    let facts = Facts::new(&decided, fact_options(options));
    // A failed assertion ends an execution, asked about or not.
    let checks = options.checks.with(CheckSet::from_iter([Check::Assertion]));
    let keep = &|_| false;
    let heads = options.checks.contains(Check::Deadlock);
    let unroll = Unroll { keep, unwind: options.unwind, bound: options.bound, checks, most: MOST, heads };
    let expanded = unroll_loops(&decided, &facts, &unroll)
        .map_err(|refused| Untranslatable { what: refused.to_string(), place: refused.place() })?;
    write(&decided, &expanded, options)
}

fn fact_options(options: &Options) -> FactOptions {
    FactOptions { misuse_ends: options.checks.contains(Check::LockMisuse), one_use: false }
}

/// The program in which calls of the library succeed and nobody is woken for no reason.
fn without_failures(program: &Program) -> Program {
    let mut decided = program.clone();
    let mut consts = std::mem::take(&mut decided.consts);
    for function in decided.functions.iter_mut() {
        for block in function.blocks.iter_mut() {
            for instr in &mut block.instrs {
                let Op::Nondet { dst, ty: Ty::Int(width), kind } = instr.op else { continue };
                if matches!(
                    kind,
                    ChoiceKind::AllocFail | ChoiceKind::CallFail | ChoiceKind::Spurious | ChoiceKind::Base
                ) {
                    let no = Operand::Const(consts.intern(Const::Int { width, bits: 0 }));
                    instr.op = Op::Assign { dst, value: Expr::Use(no) };
                }
            }
        }
    }
    decided.consts = consts;
    decided
}

fn write(source: &Program, expanded: &Expanded, options: &Options) -> Result<Translated, Untranslatable> {
    let program = &expanded.program;
    let facts = Facts::new(program, fact_options(options));
    let is_visible = |instr: InstrId| facts.escape.may_be_visible(instr);
    let models = models(source);
    let model = |instr: InstrId| models.get(&expanded.origins.of(instr)).copied().unwrap_or("");
    let laps = spinning::find(expanded, spinning::kinds(source, expanded, &model), &facts)?;
    let mut shared = Shared::new(program, options.checks, options.source, &is_visible, &model, &laps);
    shared.logs = options.backend == Backend::Logged;
    for instance in &expanded.threads {
        let original = &source.functions[instance.original];
        shared.add_thread(instance.func, if original.internal { "main" } else { original.name.as_str() });
    }
    shared.joins_elsewhere =
        expanded.threads.iter().skip(1).any(|thread| asks_about_threads(program, thread.func));
    // A plain write to a synchronisation object renews its state, which is known once all functions have been written.
    for thread in 0..shared.threads.len() {
        body::write(&mut shared, thread)?;
    }
    shared.blocks = 0;
    let mut bodies = Vec::new();
    for thread in 0..shared.threads.len() {
        bodies.push(body::write(&mut shared, thread)?);
    }
    let mut text = String::new();
    let _ = writeln!(
        text,
        "/* {} threads in {} round(s), made by braid seq. */",
        shared.threads.len(),
        options.rounds
    );
    let code: String = bodies.iter().map(|written| written.text.as_str()).collect();
    text += &driver::prelude(options.backend, &code);
    let definitions = shared.definitions();
    let _ = write!(text, "\n{}{definitions}\n", shared.types.definitions());
    let spins: Vec<bool> = shared.threads.iter().map(|thread| laps.funcs.contains(&thread.func)).collect();
    let choosing = code.contains("either()") || code.contains("COMES_ROUND_OFTEN(");
    let spinning = Spinning { spins, choosing, giving: laps.some_give() };
    text += &driver::steps(&spinning, options, &|ask| shared.asks.contains(&ask));
    if shared.asks_blocks {
        text += &driver::blocks(shared.blocks);
    }
    for written in &bodies {
        let _ = write!(text, "\n{}", written.text);
    }
    let order: Vec<(usize, String, usize)> = round_order(expanded)
        .into_iter()
        .map(|thread| (thread, shared.threads[thread].name.clone(), bodies[thread].steps))
        .collect();
    let questions = driver::questions(options, &order, &spinning);
    let _ = write!(text, "\n{questions}\n{}", driver::rounds(options, &order));
    let steps = bodies.iter().map(|written| written.steps).sum();
    let begins = bodies.into_iter().map(|written| written.begins).collect();
    let table = log::Table::new(source, expanded, begins);
    Ok(Translated { text, threads: shared.threads.len(), steps, cuts: expanded.cuts.clone(), table })
}

/// The threads in the order of creation: each after the one that starts it.
fn round_order(expanded: &Expanded) -> Vec<usize> {
    let mut order: Vec<usize> = (0..expanded.threads.len()).collect();
    order.sort_by(|a, b| expanded.threads[*a].spawns.cmp(&expanded.threads[*b].spawns));
    order
}

fn asks_about_threads(program: &Program, func: FuncId) -> bool {
    let mut instrs = program.functions[func].blocks.iter().flat_map(|block| &block.instrs);
    instrs.any(|instr| matches!(instr.op, Op::ThreadState { .. } | Op::Detach { .. }))
}

/// For each instruction of a library model, the name of the model.
fn models(program: &Program) -> HashMap<InstrId, &str> {
    let mut found = HashMap::default();
    for function in program.functions.iter().filter(|function| function.internal) {
        let file = program.file_name(function.loc.file);
        let Some(name) = file.strip_prefix("<braid:").and_then(|rest| rest.strip_suffix('>')) else {
            continue;
        };
        for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
            found.insert(instr.id, name);
            if let Op::AtomicBegin { when: Some(guard) } = &instr.op {
                found.extend(guard.instrs.iter().map(|inner| (inner.id, name)));
            }
        }
    }
    found
}
