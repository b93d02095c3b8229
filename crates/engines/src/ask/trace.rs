//! From a model to a trace that the reference interpreter can replay.
//!
//! The steps of a trace are the executed nodes of the model in the order of their ranks ([`Ranks`]), which the engine
//! gives. Threads are named by the order in which they were started, operations by how often their instruction was
//! executed before: both depend on the path, so they are counted in the model. Steps without a rank are not ordered
//! with other threads; they are not listed and run with their thread. Starts of threads are listed even without a
//! rank, at the time of the last ranked node before them. Many starts may have one time: they are listed by thread and
//! position, and a thread has a higher number than the one that starts it. The fault `starts-by-index` lists them by position
//! alone; `order create/starts_of_starts.c` ends in an internal error.

use super::confused::{NUMBERS, confused_lock};
use super::deadlock::Deadlock;
use super::race::{self, Race};
use super::{Questions, Ranks};
use braid_base::faults::active;
use braid_base::{HashMap, HashSet, IndexVec};
use braid_bounded::{
    AccessId, Area, Bounded, ChoiceOf, LogRef, Node, NodeId, ObjectNo, Obligation, ThreadIx, What,
};
use braid_interp::{ChoiceLabel, ObjectRef, OpRef, ThreadPath, Trace, TraceChoice, TraceEnd, TraceMemory};
use braid_ir::{InstrId, Loc, Program};
use braid_logic::{Assignment, Evaluator, Term, Terms, Value};
use braid_props::Check;
use braid_symex::contents::{AS_SYMBOLS, array_name, byte_name};
use braid_symex::object::Kind;
use braid_verdict::{Approximate, Candidate};

/// The gap of a race with the end of a block: an access beyond the bounds of the block is none.
const LIFE: &str = "the access to a block that another thread frees";

/// The gap of an execution that reads initial contents which are not known exactly.
const FIRST_VALUE: &str = "the initial value of a large object that is accessed in several sizes";

struct Reader<'a> {
    terms: &'a Terms,
    bounded: &'a Bounded,
    ranks: Ranks,
    program: &'a Program,
    model: &'a Assignment,
    evaluator: Evaluator<'a>,
    paths: IndexVec<ThreadIx, Option<ThreadPath>>,
    /// For each thread and entry of its log: how often the instruction was executed before, if the entry is executed.
    occurrences: IndexVec<ThreadIx, Vec<Option<u32>>>,
    /// The steps at which threads violate a property. Such a thread makes no further step, so it may be delayed for
    /// ever: in a trace of another violation it stops before that step.
    wrong: HashSet<LogRef>,
    /// The steps that have nodes.
    has_node: HashSet<LogRef>,
}

/// A rank in the order; `None` is the time before the first ranked node.
type Time = Option<u32>;

/// The first violation in the model; without one, a heap block that may be leaked.
pub fn candidate<'a>(
    terms: &'a Terms,
    bounded: &'a Bounded,
    questions: &'a Questions,
    (model, ranks): (&'a Assignment, Ranks),
    program: &'a Program,
) -> Result<Candidate, String> {
    let evaluator = Evaluator::new(terms, model);
    let (paths, occurrences) = (IndexVec::new(), IndexVec::new());
    let wrong = HashSet::default();
    let has_node = bounded.nodes.iter().map(|node| node.log).collect();
    let mut reader =
        Reader { terms, bounded, ranks, program, model, evaluator, paths, occurrences, wrong, has_node };
    reader.count();
    reader.find_wrong();
    reader.name_threads();
    let mut all = reader.violations(questions, false);
    if all.is_empty() {
        all = reader.violations(questions, true);
    }
    let first = all.iter().min_by_key(|(time, index, _)| (*time, *index));
    let (mut racy, mut life) = (None, None);
    let (check, trace) = match first.ok_or("a model without a violation")?.2 {
        Found::Obligation(obligation, check) => (check, reader.trace(obligation, check)),
        Found::Deadlock(deadlock) => (Check::Deadlock, reader.deadlock(deadlock)),
        Found::Race(race) => {
            racy = race::places(bounded, &race);
            life = (bounded.accesses[race.first].area == Area::Life).then_some((LIFE, race.first));
            (Check::DataRace, reader.race(race))
        }
    };
    let first_value = questions.approximate.map(|read| (FIRST_VALUE, read));
    let confused = || confused_lock(terms, bounded).map(|access| (NUMBERS, access));
    let approximate = first_value
        .or(life)
        .or_else(confused)
        .map(|(what, access)| Approximate { what: what.to_string(), place: place_of(bounded, access) });
    Ok(Candidate { check, place: None, racy, trace, approximate })
}

/// The place of an access in the source.
pub fn place_of(bounded: &Bounded, access: AccessId) -> Loc {
    let log = bounded.nodes[bounded.accesses[access].node].log;
    bounded.threads[log.thread].log[log.index as usize].loc
}

/// A violation in a model.
#[derive(Clone, Copy)]
enum Found<'a> {
    Obligation(&'a Obligation, Check),
    Race(Race),
    Deadlock(&'a Deadlock),
}

/// The end of a trace.
#[derive(Clone, Copy)]
enum Until {
    With(Time),
    Before(Time),
}

impl Until {
    fn includes(self, time: Time) -> bool {
        match self {
            Until::With(end) => time <= end,
            Until::Before(end) => time < end,
        }
    }
}

impl<'a> Reader<'a> {
    /// The violations in the model, with their ranks; heap blocks that may be leaked count if `lost` is true.
    fn violations(&mut self, questions: &'a Questions, lost: bool) -> Vec<(Time, u32, Found<'a>)> {
        let mut all = Vec::new();
        for (obligation, term) in self.bounded.obligations.iter().zip(&questions.obligations) {
            let check = match obligation.what {
                What::Violation(check) => check,
                What::MayBeLost if lost => Check::MemoryLeak,
                What::MayBeLost
                | What::Loop { .. }
                | What::Recursion { .. }
                | What::Threads { .. }
                | What::Unsupported(_)
                | What::Partial { .. }
                | What::Invalid(_)
                | What::Addresses
                | What::ThreadIds { .. }
                | What::LoadedAddresses
                | What::TornPointers
                | What::OutOfObject
                | What::Refused { .. } => continue,
            };
            if self.holds(*term) {
                let index = obligation.log.map_or(0, |log| log.index);
                all.push((self.time(obligation.after), index, Found::Obligation(obligation, check)));
            }
        }
        for race in &questions.races {
            if self.holds(race.term) {
                let first = self.bounded.accesses[race.first].node;
                all.push((self.time(Some(first)), 0, Found::Race(*race)));
            }
        }
        if let Some(deadlock) = questions.deadlock.as_ref().filter(|found| self.holds(found.term)) {
            all.push((self.time(self.bounded.probe), 0, Found::Deadlock(deadlock)));
        }
        all
    }

    fn holds(&mut self, term: Term) -> bool {
        self.evaluator.bool(term) == Ok(true)
    }

    fn number(&mut self, term: Term) -> u128 {
        self.evaluator.bits(term).unwrap_or(0)
    }

    /// Counts how often instructions were executed.
    fn count(&mut self) {
        for (_, thread) in self.bounded.threads.enumerated() {
            let mut counts: HashMap<InstrId, u32> = HashMap::default();
            let mut list = Vec::with_capacity(thread.log.len());
            for entry in &thread.log {
                let executed = self.evaluator.bool(entry.guard) == Ok(true);
                list.push(executed.then(|| {
                    let count = counts.entry(entry.instr).or_insert(0);
                    *count += 1;
                    *count - 1
                }));
            }
            self.occurrences.push(list);
        }
    }

    /// Finds the steps at which threads violate a property.
    fn find_wrong(&mut self) {
        for obligation in &self.bounded.obligations {
            let is_wrong = matches!(obligation.what, What::Violation(_) | What::Invalid(_) | What::MayBeLost);
            if is_wrong && self.holds(obligation.reached) {
                self.wrong.extend(obligation.log);
            }
        }
    }

    /// Names the threads by the order in which they were started.
    fn name_threads(&mut self) {
        self.paths = self.bounded.threads.iter().map(|_| None).collect();
        self.paths[ThreadIx(0)] = Some(ThreadPath::main());
        let mut children: IndexVec<ThreadIx, u32> = self.bounded.threads.iter().map(|_| 0).collect();
        // Parents come before their children, and starts in the order of their thread.
        let mut starts = self.bounded.spawned.clone();
        starts.sort_by_key(|(log, child)| (log.thread, log.index, *child));
        for (log, child) in starts {
            if self.occurrences[log.thread][log.index as usize].is_none() {
                continue;
            }
            children[log.thread] += 1;
            let path = self.paths[log.thread].as_ref().map(|path| path.child(children[log.thread]));
            self.paths[child] = path;
        }
    }

    /// The operation, if it was executed.
    fn operation(&self, log: LogRef) -> Option<OpRef> {
        let entry = self.bounded.threads[log.thread].log.get(log.index as usize)?;
        Some(OpRef {
            thread: self.paths[log.thread].clone()?,
            function: self.program.functions[entry.func].name,
            instr: entry.instr,
            occurrence: self.occurrences[log.thread][log.index as usize]?,
            loc: entry.loc,
        })
    }

    /// The rank of a node, or of the last node before it that has one.
    fn time(&self, node: Option<NodeId>) -> Time {
        let mut at = node;
        while let Some(node) = at {
            if let Some(place) = self.ranks.get(&node) {
                return Some(*place);
            }
            at = self.bounded.previous(node);
        }
        None
    }

    /// The trace up to an obligation.
    fn trace(&mut self, obligation: &Obligation, check: Check) -> Trace {
        let end = Until::With(self.time(obligation.after));
        let last = obligation.after.map(|after| self.bounded.nodes[after].clone());
        let steps = self.steps(end, |node| {
            let own = last.as_ref().filter(|last| last.thread == node.thread);
            own.is_none_or(|last| node.index <= last.index)
        });
        let violation = obligation.log.and_then(|log| self.operation(log));
        self.with_end(steps, check, violation.into_iter().collect())
    }

    /// The trace up to the state in which both accesses are about to happen.
    fn race(&mut self, race: Race) -> Trace {
        let [first, second] = [race.first, race.second].map(|index| &self.bounded.accesses[index]);
        let end = Until::Before(self.time(Some(first.node)));
        let steps = self.steps(end, |_| true);
        // An access in an atomic section is seen when the section is entered; the other thread stands before its
        // access by then.
        let at = [second, first].iter().filter_map(|access| self.operation(access.racy?.log)).collect();
        self.with_end(steps, Check::DataRace, at)
    }

    /// The trace up to the state in which the threads wait.
    fn deadlock(&mut self, deadlock: &Deadlock) -> Trace {
        let end = Until::Before(self.time(self.bounded.probe));
        let mut steps = self.steps(end, |_| true);
        for (thread, ended) in &deadlock.ended {
            if self.holds(*ended) {
                let last = self.last_operation(*thread);
                steps.extend(last.filter(|last| !steps.iter().any(|step| step.same(last))));
            }
        }
        let total = self.holds(deadlock.total);
        let mut at = Vec::new();
        for waiting in &deadlock.waits {
            let term = if total { waiting.waits } else { waiting.in_set };
            if self.holds(term) {
                let wait = &self.bounded.waits[waiting.wait];
                let log = wait.node.map(|node| self.bounded.nodes[node].log).or(wait.log);
                at.extend(log.and_then(|log| self.operation(log)));
            }
        }
        self.with_end(steps, Check::Deadlock, at)
    }

    fn with_end(&mut self, steps: Vec<OpRef>, check: Check, at: Vec<OpRef>) -> Trace {
        let (choices, memory) = (self.choices(), self.memory());
        Trace { steps, choices, memory, violation: Some(TraceEnd { check, at, from: None }) }
    }

    /// The executed steps until the end, in order.
    fn steps(&mut self, end: Until, is_done: impl Fn(&Node) -> bool) -> Vec<OpRef> {
        let mut steps: Vec<((Time, u32, ThreadIx, u32), OpRef)> = Vec::new();
        for (id, node) in self.bounded.nodes.enumerated() {
            let placed = self.ranks.contains_key(&id);
            if !(placed || node.spawns.is_some()) || !self.holds(node.executed) {
                continue;
            }
            let time = self.time(Some(id));
            if !end.includes(time) || !is_done(node) || self.wrong.contains(&node.log) {
                continue;
            }
            // At one time, the start of a thread comes before the starts that the thread itself makes.
            let thread = if active("starts-by-index") { ThreadIx(0) } else { node.thread };
            let key = (time, 1, thread, node.index);
            steps.extend(self.leaves(node.log).into_iter().map(|op| (key, op)));
        }
        for (time, op) in self.ends(end) {
            steps.push(((time, 0, ThreadIx(0), 0), op));
        }
        steps.sort_by_key(|(key, _)| *key);
        let mut listed: HashSet<(ThreadPath, InstrId, u32)> = HashSet::default();
        steps.retain(|(_, op)| listed.insert((op.thread.clone(), op.instr, op.occurrence)));
        steps.into_iter().map(|(_, op)| op).collect()
    }

    /// The operation of a node, and the further leaves of a `copy` or `fill` that follow it without nodes of their own.
    /// The trace lists these leaves with the node: otherwise the replay would execute them later, when the object may
    /// not live any more.
    fn leaves(&self, log: LogRef) -> Vec<OpRef> {
        let entries = &self.bounded.threads[log.thread].log;
        let instr = entries.get(log.index as usize).map(|entry| entry.instr);
        let is_leaf = |index: &u32| {
            let own = LogRef { thread: log.thread, index: *index };
            let same = entries.get(*index as usize).map(|entry| entry.instr) == instr;
            same && (*index == log.index || !self.has_node.contains(&own)) && !self.wrong.contains(&own)
        };
        let indices = (log.index..).take_while(is_leaf);
        indices.filter_map(|index| self.operation(LogRef { thread: log.thread, index })).collect()
    }

    /// The last operations of threads that are joined up to a time, with the time of the join.
    fn ends(&mut self, end: Until) -> Vec<(Time, OpRef)> {
        let mut found = Vec::new();
        for join in &self.bounded.joins {
            if !self.holds(join.guard) {
                continue;
            }
            let time = self.time(Some(join.node));
            let handle = self.number(join.handle);
            let fits = |thread: &braid_bounded::Thread| self.bounded.layout.base(thread.handle) == handle;
            let thread = self.bounded.threads.enumerated().find(|(_, thread)| fits(thread));
            let Some((thread, _)) = thread.filter(|_| end.includes(time)) else { continue };
            found.extend(self.last_operation(thread).map(|op| (time, op)));
        }
        found
    }

    fn last_operation(&self, thread: ThreadIx) -> Option<OpRef> {
        let last = self.occurrences[thread].iter().rposition(Option::is_some)?;
        self.operation(LogRef { thread, index: last as u32 })
    }

    fn choices(&mut self) -> Vec<TraceChoice> {
        let mut found = Vec::new();
        for choice in &self.bounded.choices {
            let Some(at) = self.operation(choice.log) else { continue };
            let kind = match choice.of {
                ChoiceOf::Kind(kind) => ChoiceLabel::Kind(kind),
                ChoiceOf::Input => ChoiceLabel::Input,
            };
            found.push(TraceChoice { at, kind, value: self.number(choice.value) });
        }
        found
    }

    /// The indeterminate contents of objects in the model, byte by byte.
    fn memory(&mut self) -> Vec<TraceMemory> {
        let mut found = Vec::new();
        for (number, object) in self.bounded.objects.iter() {
            let Some(made) = object.made.filter(|_| !matches!(object.kind, Kind::Thread(_))) else {
                continue;
            };
            let Some(op) = self.operation(made) else { continue };
            for (offset, value) in self.arbitrary(number, object.room) {
                let object = ObjectRef::Made(op.clone());
                found.push(TraceMemory { object, offset, bytes: 1, value });
            }
        }
        found
    }

    fn arbitrary(&self, number: ObjectNo, room: u64) -> Vec<(u64, u128)> {
        let mut found = Vec::new();
        if let Some(symbol) = self.terms.find_symbol(&array_name(number)) {
            if let Some(Value::Array(array)) = self.model.get(symbol) {
                found.extend(array.entries().map(|(index, value)| (index as u64, value)));
            }
            return found;
        }
        for offset in 0..room.min(AS_SYMBOLS) {
            let Some(symbol) = self.terms.find_symbol(&byte_name(number, offset)) else { continue };
            if let Some(value) = self.model.get(symbol).and_then(Value::as_bits) {
                found.push((offset, value));
            }
        }
        found
    }
}
