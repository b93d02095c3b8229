//! The checker: derives every step of a program from the states of a certificate and sees that it stays within them.
//!
//! *Claim*: if [`check`] returns a verdict, no execution of the program violates a property in [`Verdict::proved`].
//! *Relies on*: the meaning of a state in `docs/lockset.md`, [`crate::eval`] and [`crate::range`] for expressions, the
//! effects of the rows of `braid_models` for calls of the library, and the interpreter's meaning of everything else.
//! *Proof*: by induction over the steps of an execution. The initial state is in the first entry ([`walk`]); a step of a
//! thread leads from a state in the claimed one to a state in the computed one (`step`, `memory`, `own`, `locks`, `threads`,
//! `calls`), which the claimed one of the next point includes (`include`); what other threads do in between changes nothing
//! that a state says, because their writes are recorded ([`cells`]) and everything known is eligible. *Fault*:
//! the tests of `engines` change certificates of wrong programs, at random and as a forger would.
//!
//! Nothing here searches. The program is walked until nothing new comes of what concerns several steps at once (`survey`), and then
//! once more to judge. A path inside a block may split, at calls through pointers for instance; the parts are followed one
//! by one and each must be included where the block ends.

mod barriers;
mod bulk;
mod calls;
mod cells;
mod context;
mod deadlock;
pub mod draft;
mod effects;
mod flow;
mod formed;
mod forms;
mod include;
mod locks;
mod loops;
mod memory;
mod own;
mod race;
mod registers;
mod step;
mod survey;
mod sync;
pub mod table;
mod teams;
mod threads;
mod walk;

use crate::certificate::{Access, Certificate, Place};
use crate::range::Range;
use crate::state::{InstanceId, Key, Space, State};
use crate::value::{ObjectId, ThreadId, Value};
use braid_ir::{BlockId, FuncId, InstrId, Loc, Program, Question};
use braid_props::{Check, CheckSet};

/// What a certificate shows.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// The properties of the question that no execution violates.
    pub proved: CheckSet,
    /// What stands in the way of the others.
    pub open: Vec<Obligation>,
}

/// A condition that does not follow from the invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// The properties that it stands in the way of.
    pub checks: CheckSet,
    pub loc: Loc,
    /// The instruction, if there is one.
    pub instr: Option<InstrId>,
    pub text: String,
}

/// The certificate is not an invariant.
#[derive(Clone, PartialEq, Debug)]
pub enum Invalid {
    /// The parts do not fit together.
    Malformed(String),
    /// A step leaves it.
    Step(Box<Leaves>),
}

/// The first step that leaves the invariant.
#[derive(Clone, PartialEq, Debug)]
pub struct Leaves {
    pub instance: InstanceId,
    pub function: String,
    pub block: BlockId,
    pub instr: InstrId,
    pub loc: Loc,
    /// Where the step leads, and the part of the state that differs.
    pub part: String,
    pub computed: String,
    pub claimed: String,
    pub missing: Missing,
}

/// What the certificate lacks, as far as something could be added to it.
#[derive(Clone, PartialEq, Debug)]
pub enum Missing {
    /// A cell for these bytes.
    Cell(ObjectId, Space, Range, u64),
    /// An access in the list of a cell, which has this number.
    Access(ObjectId, usize, Access),
    /// A value in a cell.
    Value(ObjectId, usize, Value),
    /// The cell is written to in parts, or as a part of more.
    Parts(ObjectId, usize),
    /// An object of a place, and its size.
    Object(Place, Range),
    Size(ObjectId, Range),
    /// The object is not single.
    Several(ObjectId),
    Call(FuncId),
    Start(FuncId),
    /// The instance is executed by these threads, too.
    Threads(InstanceId, std::collections::BTreeSet<ThreadId>),
    Descendants(ThreadId, std::collections::BTreeSet<ThreadId>),
    Overlap(ThreadId, std::collections::BTreeSet<ThreadId>),
    Left(ThreadId, std::collections::BTreeSet<ThreadId>),
    /// The thread is not single.
    Many(ThreadId),
    /// More threads of the kind may be started, or any number.
    Most(ThreadId, Option<u64>),
    /// The arguments of threads of this kind are apart by less, or by nothing that is known.
    Apart(ThreadId, Option<i64>),
    /// The state of a point must include this one.
    State(Point, Box<State>),
    Result(InstanceId, Value),
    /// The place cannot be known in the state of a point.
    Unknown(Point, Key),
    /// Something else, which is wrong as it stands.
    Other,
}

/// Where a state stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Point {
    Entry(InstanceId),
    /// One of the states of a block.
    Block(InstanceId, BlockId, usize),
    Exit(InstanceId),
}

impl std::fmt::Display for Invalid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Invalid::Malformed(text) => f.write_str(text),
            Invalid::Step(at) => {
                let Leaves { instance, function, block, instr, loc, part, computed, claimed, missing: _ } =
                    &**at;
                write!(f, "{instance} '{function}' {block} {instr} (line {}): {part}", loc.line)?;
                write!(f, "\n  computed: {computed}\n  claimed:  {claimed}")
            }
        }
    }
}

impl std::error::Error for Invalid {}

/// Everything that is known to stand in the way of all properties.
fn all() -> CheckSet {
    CheckSet::every()
}

fn only(check: Check) -> CheckSet {
    CheckSet::from_iter([check])
}

/// Judges a certificate.
pub fn check(program: &Program, question: &Question, certificate: &Certificate) -> Result<Verdict, Invalid> {
    walked(program, question, certificate, |_| ()).map(|(verdict, ())| verdict)
}

/// Judges a certificate, and looks at it once more.
fn walked<T>(
    program: &Program,
    question: &Question,
    certificate: &Certificate,
    look: impl FnOnce(&context::Context) -> T,
) -> Result<(Verdict, T), Invalid> {
    let index = context::Index::new(program, certificate)?;
    let text = context::Text::new(program);
    let mut survey = survey::Survey::default();
    // The last walk finds nothing that was not found before.
    loop {
        walk::walk(&context::Context::new(program, question, certificate, (&text, &index, &survey)))?;
        if !survey.next_round() {
            break;
        }
    }
    let context = context::Context::new(program, question, certificate, (&text, &index, &survey));
    survey.begin_judging();
    walk::walk(&context)?;
    race::judge(&context);
    deadlock::judge(&context);
    loops::judge(&context);
    context.outside();
    let seen = look(&context);
    Ok((context.verdict(), seen))
}
