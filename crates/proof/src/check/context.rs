//! What the steps share: the program, the certificate, and how threads and locks of two points exclude each other.

use super::cells::Watch;
use super::draft::{Aspect, Gaps};
use super::flow::Flow;
use super::survey::Survey;
use super::{Invalid, Obligation, Verdict, formed, only};
use crate::certificate::{Access, Cell, Certificate, Held, Object, Place};
use crate::eval;
use crate::range::Range;
use crate::state::{InstanceId, Mode};
use crate::value::{ObjectId, ThreadId};
use braid_base::{HashMap, IndexVec};
use braid_ir::{BlockId, FuncId, Function, Global, GlobalId, InstrId, Loc, Op, Program, Question};
use braid_props::{Check, CheckSet};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// A set of locks that are held, as accesses have it.
pub(super) type Locks = BTreeSet<(Held, Mode)>;

pub(super) struct Context<'a> {
    pub program: &'a Program,
    pub question: &'a Question,
    pub certificate: &'a Certificate,
    text: &'a Text<'a>,
    index: &'a Index,
    pub survey: &'a Survey,
    /// What a draft lacks; none where the certificate is judged.
    pub gaps: Option<&'a RefCell<Gaps>>,
    open: RefCell<BTreeMap<(Option<InstrId>, String), Obligation>>,
}

/// What the program alone says.
pub(super) struct Text<'a> {
    /// The number of the first object that is neither a static variable nor a function.
    first: u32,
    flows: IndexVec<FuncId, Flow>,
    instrs: HashMap<InstrId, Code<'a>>,
}

impl<'a> Text<'a> {
    pub fn new(program: &'a Program) -> Text<'a> {
        Text {
            first: eval::first_made(program),
            flows: program.functions.iter().map(Flow::new).collect(),
            instrs: instructions(program),
        }
    }

    pub fn flow(&self, function: FuncId) -> &Flow {
        &self.flows[function]
    }
}

/// What can be looked up in a certificate.
#[derive(Default)]
pub(super) struct Index {
    /// The own object of each place.
    pub places: BTreeMap<Place, ObjectId>,
    /// The calls that enter instances.
    pub callers: BTreeMap<InstanceId, Vec<(InstanceId, InstrId)>>,
    /// The instances of a draft that have an entry.
    pub entered: BTreeSet<InstanceId>,
}

impl Index {
    /// The index of a certificate whose parts fit together.
    pub fn new(program: &Program, certificate: &Certificate) -> Result<Index, Invalid> {
        let places = formed::verify(program, certificate)?;
        let mut index = Index { places, ..Index::default() };
        for (from, instr, _, callee) in &certificate.calls {
            index.callers.entry(*callee).or_default().push((*from, *instr));
        }
        Ok(index)
    }
}

/// An instruction and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Code<'a> {
    pub block: BlockId,
    pub internal: bool,
    pub loc: Loc,
    /// None for the end of a block.
    pub op: Option<&'a Op>,
}

impl<'a> Context<'a> {
    pub fn new(
        program: &'a Program,
        question: &'a Question,
        certificate: &'a Certificate,
        (text, index, survey): (&'a Text<'a>, &'a Index, &'a Survey),
    ) -> Context<'a> {
        Context { program, question, certificate, text, index, survey, gaps: None, open: RefCell::default() }
    }

    /// Notes that a step of a draft depends on an object.
    pub fn depend(&self, object: ObjectId, aspect: Aspect) {
        if let Some(gaps) = self.gaps {
            gaps.borrow_mut().depends.insert((object, aspect));
        }
    }

    /// Notes what a state of a draft knows as long as no access disturbs it.
    pub fn watch(&self, watch: impl FnOnce() -> Watch) {
        if let Some(gaps) = self.gaps {
            gaps.borrow_mut().watches.push(watch());
        }
    }

    /// Looks whether a state includes another one. What a draft lacks for that counts only if it does.
    pub fn attempt(&self, look: impl FnOnce() -> Result<(), Invalid>) -> Result<(), Invalid> {
        let Some(gaps) = self.gaps else { return look() };
        let before = gaps.take();
        // Gaps are noted where they are found.
        _ = look();
        let found = gaps.replace(before);
        let mut all = gaps.borrow_mut();
        all.depends.extend(found.depends);
        all.watches.extend(found.watches);
        if !found.parts.is_empty() {
            return Err(Invalid::Malformed(String::new()));
        }
        all.list.extend(found.list);
        Ok(())
    }

    /// Notes that a step of a draft depends on how the instance is left.
    pub fn enters(&self, instance: InstanceId) {
        if let Some(gaps) = self.gaps {
            gaps.borrow_mut().enters.push(instance);
        }
    }

    /// The number of calls that were entered.
    pub fn entered(&self) -> usize {
        self.gaps.map_or(0, |gaps| gaps.borrow().enters.len())
    }

    pub fn entered_since(&self, count: usize) -> Vec<InstanceId> {
        self.gaps.map_or(Vec::new(), |gaps| gaps.borrow().enters[count..].to_vec())
    }

    /// The number of gaps that were found; none where the certificate is judged.
    pub fn gaps_found(&self) -> usize {
        self.gaps.map_or(0, |gaps| gaps.borrow().list.len())
    }

    pub fn pointer_bytes(&self) -> u64 {
        self.program.pointer_bytes.into()
    }

    pub fn pointer_bits(&self) -> u8 {
        8 * self.program.pointer_bytes
    }

    pub fn function_of(&self, instance: InstanceId) -> &'a Function {
        &self.program.functions[self.certificate.instances[instance].function]
    }

    pub fn flow_of(&self, instance: InstanceId) -> &Flow {
        self.text.flow(self.certificate.instances[instance].function)
    }

    /// Returns true if the instance has an entry: in a draft it may have none yet.
    pub fn is_entered(&self, instance: InstanceId) -> bool {
        self.gaps.is_none() || self.index.entered.contains(&instance)
    }

    /// Returns true if calls enter the instance.
    pub fn is_called(&self, instance: InstanceId) -> bool {
        self.index.callers.contains_key(&instance)
    }

    /// The call in the user's text that leads to an instruction of the library, as far as there is one.
    pub fn call_of_user(&self, instance: InstanceId, instr: InstrId) -> InstrId {
        let (mut instance, mut instr) = (instance, instr);
        while self.function_of(instance).internal
            && let Some([(from, call)]) = self.index.callers.get(&instance).map(Vec::as_slice)
        {
            (instance, instr) = (*from, *call);
        }
        instr
    }

    /// Returns true if an execution enters the instance at most once: a thread of which there is one begins there, or one call
    /// that is on no cycle enters it from such an instance.
    pub fn is_once(&self, instance: InstanceId) -> bool {
        let mut at = instance;
        for _ in 0..self.certificate.instances.len() {
            let threads = self.threads(at);
            let alone = threads.len() == 1 && threads.iter().all(|t| self.certificate.threads[*t].single);
            let begins = threads.iter().any(|t| self.certificate.threads[*t].root == at);
            let callers = self.index.callers.get(&at).map_or(&[][..], Vec::as_slice);
            match callers {
                _ if !alone => return false,
                [] => return begins,
                [(from, instr)] if !begins => {
                    let block = self.code(*instr).map(|code| code.block);
                    if block.is_none_or(|block| self.flow_of(*from).cyclic.contains(&block)) {
                        return false;
                    }
                    at = *from;
                }
                _ => return false,
            }
        }
        false
    }

    pub fn code(&self, instr: InstrId) -> Option<Code<'a>> {
        self.text.instrs.get(&instr).copied()
    }

    pub fn threads(&self, instance: InstanceId) -> &'a BTreeSet<ThreadId> {
        &self.certificate.instances[instance].threads
    }
}

/// Every instruction of the program; those of guards count.
fn instructions(program: &Program) -> HashMap<InstrId, Code<'_>> {
    let mut found = HashMap::default();
    for body in &program.functions {
        for (block, code) in body.blocks.enumerated() {
            for instr in &code.instrs {
                let internal = body.internal || instr.internal;
                found.insert(instr.id, Code { block, internal, loc: instr.loc, op: Some(&instr.op) });
                if let Op::AtomicBegin { when: Some(guard) } = &instr.op {
                    for inner in &guard.instrs {
                        let code = Code { block, internal, loc: inner.loc, op: Some(&inner.op) };
                        found.insert(inner.id, code);
                    }
                }
            }
            let (internal, loc) = (body.internal, code.end.loc);
            found.insert(code.end.id, Code { block, internal, loc, op: None });
        }
    }
    found
}

/// Objects.
impl<'a> Context<'a> {
    pub fn place(&self, place: Place) -> Option<ObjectId> {
        self.index.places.get(&place).copied()
    }

    /// The places that objects are made at, with their own objects.
    pub fn places(&self) -> impl Iterator<Item = (Place, ObjectId)> + '_ {
        self.index.places.iter().map(|(place, own)| (*place, *own))
    }

    pub fn global(&self, object: ObjectId) -> Option<&'a Global> {
        self.program.globals.get(GlobalId(object.0))
    }

    /// The object, if it is neither a static variable nor a function.
    pub fn made(&self, object: ObjectId) -> Option<&'a Object> {
        let index = object.0.checked_sub(self.text.first)?;
        self.certificate.objects.get(index as usize)
    }

    pub fn is_own(&self, object: ObjectId) -> bool {
        self.made(object).is_some_and(|object| object.own)
    }

    /// The shared objects of an own object's place, or the object itself.
    pub fn shared(&self, object: ObjectId) -> ObjectId {
        if self.is_own(object) { ObjectId(object.0 + 1) } else { object }
    }

    pub fn is_thread_local(&self, object: ObjectId) -> bool {
        self.global(object).is_some_and(|global| global.thread_local)
    }

    /// Returns true if nobody can write to it.
    pub fn is_constant(&self, object: ObjectId) -> bool {
        self.global(object).is_some_and(|global| global.read_only && !global.thread_local)
    }

    pub fn is_function(&self, object: ObjectId) -> bool {
        eval::as_function(self.program, object).is_some()
    }

    /// Returns true if an execution has at most one object that this is ever.
    pub fn single(&self, object: ObjectId) -> bool {
        match self.made(object) {
            Some(made) => {
                self.depend(object, Aspect::Shape);
                made.single && !made.own
            }
            None => !self.is_thread_local(object),
        }
    }

    pub fn size(&self, object: ObjectId) -> Option<Range> {
        match self.global(object) {
            Some(global) => Some(Range::point(global.size.into())),
            None => {
                self.depend(object, Aspect::Shape);
                self.made(object).and_then(|made| made.size)
            }
        }
    }

    /// So many bytes it has at least.
    pub fn least_size(&self, object: ObjectId) -> i128 {
        self.size(object).map_or(0, |size| size.lo().max(0))
    }

    /// So many bytes it has at most, if that is known.
    pub fn most_size(&self, object: ObjectId) -> Option<i128> {
        self.size(object).map(|size| size.hi())
    }

    pub fn cells(&self, object: ObjectId) -> &'a [Cell] {
        self.depend(object, Aspect::Shape);
        self.certificate.memory.get(object).map_or(&[], |cells| cells.as_slice())
    }

    /// The object in words.
    pub fn name(&self, object: ObjectId) -> String {
        if let Some(global) = self.global(object) {
            return format!("`{}`", global.name);
        }
        if let Some(function) = eval::as_function(self.program, object) {
            return format!("`{}`", self.program.functions[function].name);
        }
        let line = |loc: Loc| match loc.line {
            0 => String::new(),
            line => format!(" of line {line}"),
        };
        match self.made(object).map(|made| made.place) {
            Some(Place::Local(instance, local)) => {
                let function = self.function_of(instance);
                let name = function.locals.get(local).and_then(|local| local.name);
                let name = name.map_or("a temporary object".to_string(), |name| format!("`{name}`"));
                format!("{name} of {}()", function.name)
            }
            Some(Place::Block(_, instr)) => {
                format!("a block{}", self.code(instr).map_or(String::new(), |code| line(code.loc)))
            }
            None => format!("{object}"),
        }
    }
}

/// Threads and locks.
impl Context<'_> {
    /// Returns true if two threads may stand at points with these descendants alive at the same time.
    pub fn concurrent(
        &self,
        (one, below_one): (ThreadId, &BTreeSet<ThreadId>),
        (other, below_other): (ThreadId, &BTreeSet<ThreadId>),
    ) -> bool {
        below_one.contains(&other)
            || below_other.contains(&one)
            || self.certificate.threads[one].overlap.contains(&other)
    }

    /// Returns true if two threads that execute these instances may stand at such points at the same time.
    pub fn meet(
        &self,
        (one, below_one): (InstanceId, &BTreeSet<ThreadId>),
        (other, below_other): (InstanceId, &BTreeSet<ThreadId>),
    ) -> bool {
        self.threads(one)
            .iter()
            .any(|s| self.threads(other).iter().any(|t| self.concurrent((*s, below_one), (*t, below_other))))
    }

    /// The locks that an access of a cell holds, named by places where the cell has one place alone.
    pub fn locks_of(&self, object: ObjectId, cell: &Cell, access: &Access) -> Locks {
        let exact = cell.at.single().filter(|_| self.single(object) && !cell.mixed);
        locks_at(&access.held, object, exact, cell.mixed)
    }
}

/// Locks of an access whose address is this offset of the object, if it is known; without distances if they mean nothing.
pub(super) fn locks_at(held: &Locks, object: ObjectId, offset: Option<i128>, mixed: bool) -> Locks {
    let place = |(held, mode): &(Held, Mode)| match held {
        Held::Distance(_) if mixed => None,
        Held::Distance(distance) => {
            let at = offset.and_then(|offset| i64::try_from(offset).ok()?.checked_add(*distance));
            Some((at.map_or(*held, |at| Held::Place(object, at)), *mode))
        }
        Held::Section | Held::Place(..) => Some((*held, *mode)),
    };
    held.iter().filter_map(place).collect()
}

/// Returns true if no two threads can hold these locks at the same time.
pub(super) fn exclude(one: &Locks, other: &Locks) -> bool {
    one.iter().any(|(held, mode)| {
        let with = |second: Mode| other.contains(&(*held, second));
        match mode {
            Mode::Exclusive => with(Mode::Exclusive) || with(Mode::Shared) || with(Mode::Passed),
            Mode::Shared | Mode::Passed => with(Mode::Exclusive),
        }
    })
}

/// Obligations.
impl Context<'_> {
    /// A condition that cannot be shown. Only the walk that judges says so.
    pub fn open(&self, checks: CheckSet, loc: Loc, instr: Option<InstrId>, text: String) {
        if self.gaps.is_some() || !self.survey.is_last() || checks.common(self.question.checks).is_empty() {
            return;
        }
        let obligation = Obligation { checks, loc, instr, text: text.clone() };
        let mut open = self.open.borrow_mut();
        let known = open.entry((instr, text)).or_insert(obligation);
        known.checks = known.checks.with(checks);
    }

    /// Properties that certificates do not speak of.
    pub fn outside(&self) {
        for check in [Check::Livelock, Check::MemoryLeak, Check::MemoryCleanup] {
            let text = format!("{check} is not what a certificate speaks of");
            self.open(only(check), Loc::NONE, None, text);
        }
    }

    pub fn verdict(self) -> Verdict {
        let open: Vec<Obligation> = self.open.into_inner().into_values().collect();
        let bad = open.iter().fold(CheckSet::EMPTY, |bad, obligation| bad.with(obligation.checks));
        Verdict { proved: self.question.checks.without(bad), open }
    }
}
