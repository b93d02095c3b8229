//! The discipline that a certificate shows: who accesses which shared variable, under which locks, and in which order locks
//! are taken.
//!
//! For people. No verdict rests on it: [`race`](super::race) and [`deadlock`](super::deadlock) judge.

use super::context::{Context, Locks, exclude};
use super::{Invalid, Verdict, deadlock, race, walked};
use crate::certificate::{Access, Cell, Certificate, Held, Kind, Place};
use crate::eval;
use crate::range::Range;
use crate::state::{Mode, Space};
use crate::value::ObjectId;
use braid_ir::{FuncId, GlobalId, InstrId, Loc, LocalId, Program, Question};
use std::collections::{BTreeMap, BTreeSet};

/// Accesses of one variable that are compared with each other.
const MOST_USES: usize = 2000;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    pub variables: Vec<Variable>,
    pub order: Vec<Order>,
}

/// What an object is to the program's author.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Subject {
    Static(GlobalId),
    Function(FuncId),
    Local(FuncId, LocalId),
    /// The blocks that an instruction allocates.
    Block(InstrId),
}

/// Bytes that more than one thread accesses.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    pub subject: Subject,
    /// Offsets, of elements of an array for instance.
    pub at: Range,
    pub bytes: u64,
    pub uses: Vec<Use>,
    pub protection: Protection,
}

/// An access in the program's text.
#[derive(Clone, PartialEq, Debug)]
pub struct Use {
    pub instr: InstrId,
    pub loc: Loc,
    pub function: FuncId,
    /// The functions in which the threads begin that execute it.
    pub threads: BTreeSet<FuncId>,
    pub kind: Kind,
    pub atomic: bool,
    pub locks: BTreeSet<(Lock, Mode)>,
    /// It may happen beside another one that it conflicts with, but for locks.
    pub contended: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Lock {
    Section,
    At(Subject, i64),
    /// In the same object, at this distance from the variable.
    Beside(i64),
}

/// What keeps conflicting accesses of a variable apart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Protection {
    /// One lock at all contended accesses.
    Lock(Lock),
    /// Several locks, one for each pair.
    Locks,
    /// All contended accesses are atomic.
    Atomic,
    /// Every thread has elements of its own.
    OwnElements,
    /// It is only read while threads are there that may write it.
    ReadOnly,
    /// Threads that access it are not alive at the same time.
    OneAtATime,
    /// Nothing: some pair of accesses is not kept apart. The lock is the one that most accesses hold.
    Nothing(Option<Lock>),
}

/// A lock that is waited for while another one is held.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Order {
    pub held: LockSet,
    pub awaited: LockSet,
    pub loc: Loc,
    /// The two are on a cycle.
    pub circular: bool,
}

/// A lock, or all locks of objects of one kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LockSet {
    pub subject: Subject,
    /// None for locks anywhere in objects of the kind.
    pub at: Option<i64>,
}

impl Variable {
    /// The contended accesses, and how many of them hold a lock.
    pub fn held_at(&self, lock: Lock) -> (usize, usize) {
        let contended = self.uses.iter().filter(|one| one.contended);
        let (with, all) =
            contended.fold((0, 0), |(with, all), one| (with + usize::from(one.holds(lock)), all + 1));
        (with, all)
    }

    pub fn is_unprotected(&self) -> bool {
        matches!(self.protection, Protection::Nothing(_))
    }

    /// The more of its accesses hold one lock, the more suspicious are those that do not.
    pub fn suspicion(&self) -> (usize, usize) {
        match self.protection {
            Protection::Nothing(Some(lock)) => {
                let (with, all) = self.held_at(lock);
                (1000 * with / all.max(1), all)
            }
            _ => (0, self.uses.len()),
        }
    }
}

impl Use {
    pub fn holds(&self, lock: Lock) -> bool {
        self.locks.iter().any(|(held, _)| *held == lock)
    }
}

/// What a certificate proves, and the table.
pub fn table(
    program: &Program,
    question: &Question,
    certificate: &Certificate,
) -> Result<(Verdict, Table), Invalid> {
    walked(program, question, certificate, |cx| {
        let variables = certificate.memory.enumerated().flat_map(|(object, cells)| {
            let data = cells.iter().filter(|cell| cell.space == Space::Data);
            data.filter_map(move |cell| variable(cx, object, cell)).collect::<Vec<_>>()
        });
        Table { variables: variables.collect(), order: order(cx) }
    })
}

fn subject(cx: &Context, object: ObjectId) -> Subject {
    if let Some(function) = eval::as_function(cx.program, object) {
        return Subject::Function(function);
    }
    match cx.made(object).map(|made| made.place) {
        Some(Place::Local(instance, local)) => {
            Subject::Local(cx.certificate.instances[instance].function, local)
        }
        Some(Place::Block(instance, instr)) => Subject::Block(cx.call_of_user(instance, instr)),
        None => Subject::Static(GlobalId(object.0)),
    }
}

fn variable(cx: &Context, object: ObjectId, cell: &Cell) -> Option<Variable> {
    if !race::matters(cx, object) || cx.is_constant(object) {
        return None;
    }
    let accesses: Vec<&Access> =
        cell.accesses.iter().filter(|access| race::counts(cx, object, access)).take(MOST_USES).collect();
    let threads: BTreeSet<_> = accesses.iter().flat_map(|access| cx.threads(access.instance)).collect();
    let several = threads.len() > 1 || threads.iter().any(|t| !cx.certificate.threads[**t].single);
    if !several {
        return None;
    }
    let locks: Vec<Locks> = accesses.iter().map(|access| cx.locks_of(object, cell, access)).collect();
    let mut found = Pairs::default();
    let mut contended = vec![false; accesses.len()];
    for (index, one) in accesses.iter().enumerate() {
        for (second, other) in accesses.iter().enumerate().skip(index) {
            let writes = one.kind != Kind::Read || other.kind != Kind::Read;
            let here = (one.instance, &one.alive);
            if !writes || !cx.meet(here, (other.instance, &other.alive)) {
                continue;
            }
            if !race::may_race(cx, one, other) {
                found.atomic = true;
            } else if !race::meet(cx, cell, one, other) {
                found.own = true;
            } else {
                (contended[index], contended[second]) = (true, true);
                found.locked += 1;
                found.unlocked += usize::from(!exclude(&locks[index], &locks[second]));
            }
        }
    }
    let uses = uses(cx, &accesses, &locks, &contended);
    let subject = subject(cx, object);
    let protection = protection(subject, &uses, &found);
    Some(Variable { subject, at: cell.at, bytes: cell.bytes, uses, protection })
}

/// Pairs of conflicting accesses that may happen at the same time.
#[derive(Default)]
struct Pairs {
    atomic: bool,
    own: bool,
    /// Pairs that only locks can keep apart, and those that no lock does.
    locked: usize,
    unlocked: usize,
}

/// Accesses by their place in the text: a lock is held at one if it is in all contexts.
fn uses(cx: &Context, accesses: &[&Access], locks: &[Locks], contended: &[bool]) -> Vec<Use> {
    let mut found: BTreeMap<(Loc, InstrId, Kind), Use> = BTreeMap::new();
    for (index, access) in accesses.iter().enumerate() {
        let loc = cx.code(access.instr).map_or(Loc::NONE, |code| code.loc);
        let name = |held: &Held| match held {
            Held::Section => Lock::Section,
            Held::Place(object, at) => Lock::At(subject(cx, *object), *at),
            Held::Distance(distance) => Lock::Beside(*distance),
        };
        let locks: BTreeSet<(Lock, Mode)> =
            locks[index].iter().map(|(held, mode)| (name(held), *mode)).collect();
        let root = |thread: &crate::value::ThreadId| {
            cx.certificate.instances[cx.certificate.threads[*thread].root].function
        };
        let threads = cx.threads(access.instance).iter().map(root);
        let function = cx.certificate.instances[access.instance].function;
        let one = found.entry((loc, access.instr, access.kind)).or_insert_with(|| Use {
            instr: access.instr,
            loc,
            function,
            threads: BTreeSet::new(),
            kind: access.kind,
            atomic: access.atomic,
            locks: locks.clone(),
            contended: false,
        });
        one.threads.extend(threads);
        one.locks.retain(|lock| locks.contains(lock));
        one.contended |= contended[index];
        one.atomic &= access.atomic;
    }
    found.into_values().collect()
}

fn protection(of: Subject, uses: &[Use], found: &Pairs) -> Protection {
    let contended: Vec<&Use> = uses.iter().filter(|one| one.contended).collect();
    let mut counts: BTreeMap<Lock, usize> = BTreeMap::new();
    for (lock, _) in contended.iter().flat_map(|one| &one.locks) {
        *counts.entry(*lock).or_insert(0) += 1;
    }
    // A lock in the same object is the likelier one.
    let near = |lock: &Lock| match lock {
        Lock::At(other, _) => *other == of,
        Lock::Beside(_) => true,
        Lock::Section => false,
    };
    let most = counts.iter().max_by_key(|(lock, count)| (**count, near(lock)));
    let most = most.map(|(lock, count)| (*lock, *count));
    let writes = uses.iter().any(|one| one.kind != Kind::Read);
    match most {
        _ if found.unlocked > 0 => Protection::Nothing(most.map(|(lock, _)| lock)),
        Some((lock, count)) if count == contended.len() => Protection::Lock(lock),
        _ if found.locked > 0 => Protection::Locks,
        _ if found.own => Protection::OwnElements,
        _ if found.atomic => Protection::Atomic,
        _ if !writes => Protection::ReadOnly,
        _ => {
            let written = uses.iter().filter(|one| one.kind != Kind::Read);
            let writers: BTreeSet<FuncId> = written.flat_map(|one| one.threads.iter().copied()).collect();
            let readers = uses.iter().filter(|one| one.kind == Kind::Read);
            let beside = readers.flat_map(|one| &one.threads).any(|reader| !writers.contains(reader));
            if writers.len() == 1 && beside { Protection::ReadOnly } else { Protection::OneAtATime }
        }
    }
}

fn order(cx: &Context) -> Vec<Order> {
    let set = |(object, at): (ObjectId, Option<i64>)| LockSet { subject: subject(cx, object), at };
    let edges = deadlock::order(cx).into_iter().map(|(held, awaited, loc, circular)| Order {
        held: set(held),
        awaited: set(awaited),
        loc,
        circular,
    });
    let all: BTreeSet<Order> = edges.collect();
    all.into_iter().collect()
}
