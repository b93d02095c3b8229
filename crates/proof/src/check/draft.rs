//! Certificates in the making: what one step of them lacks.
//!
//! A search for an invariant repeats the steps of the checker on a draft and adds what they find missing, until nothing is. What it
//! adds, joins and widens is its own business: the certificate is judged as a whole in the end, by [`super::check`], which
//! knows nothing of drafts.

pub use super::barriers::join as join_passed;
use super::cells::Spot;
pub use super::cells::Watch;
use super::context::{Context, Index, Text};
use super::include::Goal;
pub use super::include::Part;
use super::registers::Run;
use super::survey::Survey;
use super::{Missing, Point, walk};
use crate::certificate::{Access, Certificate, Object, Place, Thread, VERSION};
use crate::eval::{self, Definitions};
use crate::range::Range;
use crate::state::{Form, InstanceId, Key, Known, Own, State};
use crate::value::{ObjectId, ThreadId, Value};
use crate::{Cell, Instance};
use braid_base::IndexVec;
use braid_ir::{BlockId, FuncId, InstrId, LocalId, Op, Program, Question, RegId};
use braid_models::Effect;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Something that a step of a draft lacks.
#[derive(Clone, PartialEq, Debug)]
pub struct Gap {
    pub instance: InstanceId,
    pub instr: InstrId,
    pub missing: Missing,
}

/// What a step may depend on about an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Aspect {
    /// Its description, and which cells it has.
    Shape,
    /// The values in its cells.
    Values,
}

/// What a step of a draft lacks, and what it depends on.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Gaps {
    pub list: Vec<Gap>,
    /// The parts in which states do not include others.
    pub parts: Vec<Part>,
    pub depends: BTreeSet<(ObjectId, Aspect)>,
    /// What it knows as long as no access disturbs it.
    pub watches: Vec<Watch>,
    /// Instances whose exit was looked at.
    pub enters: Vec<InstanceId>,
    /// The state at the point, without what others can change, if that is less.
    pub settled: Option<State>,
}

/// A call at which a look at a block has ended.
pub struct Halt {
    pub index: usize,
    pub instr: InstrId,
    /// The callees that were entered there.
    pub callees: Vec<InstanceId>,
    state: State,
    definitions: Definitions,
    open: BTreeSet<LocalId>,
}

/// A certificate in the making.
pub struct Draft<'a> {
    program: &'a Program,
    question: &'a Question,
    text: Text<'a>,
    index: Index,
    survey: Survey,
    has_barriers: bool,
    pub certificate: Certificate,
}

impl<'a> Draft<'a> {
    pub fn new(program: &'a Program, question: &'a Question) -> Draft<'a> {
        let certificate = Certificate {
            version: VERSION,
            objects: Vec::new(),
            instances: IndexVec::new(),
            calls: Vec::new(),
            starts: Vec::new(),
            threads: IndexVec::new(),
            memory: (0..eval::first_made(program)).map(|_| Vec::new()).collect(),
        };
        let (text, index, survey) = (Text::new(program), Index::default(), Survey::default());
        let mut functions = program.functions.iter().filter(|function| function.internal);
        let has_barriers = functions.any(|function| {
            matches!(braid_models::effect(function.name.as_str()), Some(Effect::BarrierWait { .. }))
        });
        Draft { program, question, text, index, survey, has_barriers, certificate }
    }

    /// Looks at the step into the program.
    pub fn begin(&self) -> Gaps {
        self.observe(|cx| _ = walk::begin(cx))
    }

    /// Looks at the steps of a path from a point: through the block, or into the first one. A block may be taken up at the
    /// call where the last look at it ended.
    pub fn follow(&self, point: Point, from: Option<Halt>) -> (Gaps, Option<Halt>) {
        let mut halt = None;
        let Some(state) = self.state(point) else { return (Gaps::default(), None) };
        let gaps = self.observe(|cx| {
            if let (Point::Block(_, block, _), Some(from)) = (point, from) {
                let mut run = run_at(cx, point, from.state);
                (run.definitions, run.open) = (from.definitions, from.open);
                halt = self.steps(cx, run, block, from.index);
                return;
            }
            let mut run = run_at(cx, point, state.clone());
            if run.settle().is_err() {
                return;
            }
            if run.state != *state
                && let Some(gaps) = cx.gaps
            {
                gaps.borrow_mut().settled = Some(run.state.clone());
            }
            match point {
                Point::Block(_, block, _) => halt = self.steps(cx, run, block, 0),
                // Gaps are noted where they are found.
                Point::Entry(_) => _ = run.edge(BlockId(0)),
                Point::Exit(_) => {}
            }
        });
        (gaps, halt)
    }

    /// Executes a block from an instruction on. Returns where that ends before the end of the block because a callee does not
    /// return yet.
    fn steps(&self, cx: &Context, run: Run, block: BlockId, from: usize) -> Option<Halt> {
        let code = &run.function.blocks[block];
        let mut paths = vec![run];
        for (index, instr) in code.instrs.iter().enumerate().skip(from) {
            let before = match (&instr.op, paths.as_slice()) {
                (Op::Call { .. }, [path]) => Some(path.clone()),
                _ => None,
            };
            let entered = cx.entered();
            let halt = |path: Run| Halt {
                index,
                instr: instr.id,
                callees: cx.entered_since(entered),
                state: path.state,
                definitions: path.definitions,
                open: path.open,
            };
            let mut next = Vec::new();
            for path in paths {
                match path.step(instr) {
                    Ok(more) => next.extend(more),
                    // Gaps are noted where they are found.
                    Err(_) => return before.map(halt),
                }
            }
            if next.is_empty() {
                return before.map(halt);
            }
            if next.len() > walk::PATHS {
                return None;
            }
            paths = next;
        }
        _ = walk::leave_block(cx, paths, block);
        None
    }

    /// How a state at a point includes another one: what is different, and what becomes known to others with that.
    pub fn within(&self, point: Point, state: &State, claimed: &State) -> Gaps {
        self.observe(|cx| {
            let run = run_at(cx, point, state.clone());
            let live = match point {
                Point::Block(_, block, _) => Some(&run.flow().live[block]),
                Point::Entry(_) => Some(&run.flow().live[BlockId(0)]),
                Point::Exit(_) => None,
            };
            _ = run.include(claimed, &Goal { what: "in the draft", point, live });
        })
    }

    /// The state with an own object that has become a shared one.
    pub fn shared(&self, point: Point, state: &State, object: ObjectId) -> (State, Gaps) {
        let mut shared = state.clone();
        let gaps = self.observe(|cx| {
            let mut run = run_at(cx, point, state.clone());
            if run.leak(object).is_ok() {
                shared = run.state;
            }
        });
        (shared, gaps)
    }

    /// Returns true if what an own object stands for is a shared one in this state, so that no state that includes it can have
    /// the object as an own one.
    pub fn cannot_be_own(&self, point: Point, state: &State, object: ObjectId) -> bool {
        let cx = Context::new(self.program, self.question, &self.certificate, self.parts());
        !state.own.contains_key(&object) && run_at(&cx, point, State::default()).is_mistaken(state, object)
    }

    /// The value that a place has in a state.
    pub fn value_at(&self, point: Point, state: &State, key: Key) -> Value {
        let cx = Context::new(self.program, self.question, &self.certificate, self.parts());
        run_at(&cx, point, state.clone()).read(Spot::of(key))
    }

    /// The contents of an own object that has an entry no longer.
    pub fn lose(&self, own: &mut Own, key: Key, known: &Known) {
        super::include::lose(own, key, known, u64::from(self.program.pointer_bytes));
    }

    /// Returns true if the form follows from what the state says.
    pub fn entails(&self, state: &State, reg: RegId, form: Form) -> bool {
        super::forms::entails(state, reg, form)
    }

    /// Returns true if what is watched may be nothing that is known because of an access of a cell.
    pub fn is_disturbed(&self, watch: &Watch, cell: usize, access: &Access) -> bool {
        let cx = Context::new(self.program, self.question, &self.certificate, self.parts());
        watch.is_disturbed(&cx, &self.certificate.memory[watch.object()][cell], access)
    }

    fn parts(&self) -> (&Text<'a>, &Index, &Survey) {
        (&self.text, &self.index, &self.survey)
    }

    fn observe(&self, look: impl FnOnce(&Context)) -> Gaps {
        let gaps = RefCell::default();
        let mut cx = Context::new(self.program, self.question, &self.certificate, self.parts());
        cx.gaps = Some(&gaps);
        look(&cx);
        drop(cx);
        gaps.into_inner()
    }

    /// Goes on with what calls and threads have turned out to do. Returns false if that is nothing new.
    pub fn next_round(&mut self) -> bool {
        self.survey.next_round()
    }

    /// The state at a point, if there is one yet.
    pub fn state(&self, point: Point) -> Option<&State> {
        match point {
            Point::Entry(id) => {
                self.index.entered.contains(&id).then(|| &self.certificate.instances[id].entry)
            }
            Point::Block(id, block, index) => self.certificate.instances[id].blocks[block].get(index),
            Point::Exit(id) => self.certificate.instances[id].exit.as_ref().map(|(state, _)| state),
        }
    }

    pub fn set_state(&mut self, point: Point, state: State) {
        match point {
            Point::Entry(id) => {
                self.index.entered.insert(id);
                self.certificate.instances[id].entry = state;
            }
            Point::Block(id, block, index) => {
                let states = &mut self.certificate.instances[id].blocks[block];
                match states.get_mut(index) {
                    Some(known) => *known = state,
                    None => states.push(state),
                }
            }
            Point::Exit(id) => {
                let exit = &mut self.certificate.instances[id].exit;
                let value = exit.take().map_or(Value::NONE, |(_, value)| value);
                *exit = Some((state, value));
            }
        }
    }

    /// The registers that are read before they are set from the beginning of a block on.
    pub fn live(&self, function: FuncId, block: BlockId) -> &BTreeSet<RegId> {
        &self.text.flow(function).live[block]
    }

    pub fn add_instance(&mut self, function: FuncId, threads: BTreeSet<ThreadId>) -> InstanceId {
        let blocks = self.program.functions[function].blocks.iter().map(|_| Vec::new()).collect();
        let entry = State::default();
        self.certificate.instances.push(Instance { function, threads, entry, blocks, exit: None })
    }

    /// A thread that begins in a function, in an instance of its own.
    pub fn add_thread(&mut self, function: FuncId) -> ThreadId {
        let id = ThreadId(self.certificate.threads.len() as u32);
        let root = self.add_instance(function, BTreeSet::from([id]));
        let param = self.program.functions[function].params.first();
        self.certificate.threads.push(Thread {
            root,
            single: true,
            descendants: BTreeSet::new(),
            overlap: BTreeSet::new(),
            // Only barriers need to know.
            most: self.has_barriers.then_some(0),
            left: BTreeSet::new(),
            apart: param.map(|param| (*param, i64::MAX)),
        })
    }

    pub fn add_call(&mut self, from: InstanceId, instr: InstrId, function: FuncId, to: InstanceId) {
        self.index.callers.entry(to).or_default().push((from, instr));
        insert_sorted(&mut self.certificate.calls, (from, instr, function, to));
    }

    pub fn add_start(&mut self, from: InstanceId, instr: InstrId, function: FuncId, thread: ThreadId) {
        insert_sorted(&mut self.certificate.starts, (from, instr, function, thread));
    }

    /// The own object of a place, and the shared one behind it.
    pub fn add_object(&mut self, place: Place, size: Range) -> ObjectId {
        let first = eval::first_made(self.program);
        let own = ObjectId(first + self.certificate.objects.len() as u32);
        for is_own in [true, false] {
            self.certificate.objects.push(Object { place, own: is_own, size: Some(size), single: true });
            self.certificate.memory.push(Vec::new());
        }
        self.index.places.insert(place, own);
        own
    }

    /// The description of an object that is neither a static variable nor a function.
    pub fn made(&mut self, object: ObjectId) -> Option<&mut Object> {
        let index = object.0.checked_sub(eval::first_made(self.program))?;
        self.certificate.objects.get_mut(index as usize)
    }

    /// Returns true if an execution enters the instance at most once, as far as calls are known.
    pub fn is_once(&self, instance: InstanceId) -> bool {
        Context::new(self.program, self.question, &self.certificate, self.parts()).is_once(instance)
    }

    pub fn is_own(&self, object: ObjectId) -> bool {
        let index = object.0.checked_sub(eval::first_made(self.program));
        index.is_some_and(|index| self.certificate.objects[index as usize].own)
    }

    pub fn cells(&mut self, object: ObjectId) -> &mut Vec<Cell> {
        &mut self.certificate.memory[object]
    }
}

fn run_at<'c, 'a>(cx: &'c Context<'a>, point: Point, state: State) -> Run<'c, 'a> {
    let (instance, block) = match point {
        Point::Block(instance, block, _) => (instance, block),
        Point::Entry(instance) | Point::Exit(instance) => (instance, BlockId(0)),
    };
    let mut run = Run::new(cx, instance, block, state);
    match point {
        Point::Block(..) => {}
        Point::Entry(_) => run.open = BTreeSet::new(),
        Point::Exit(_) => run.open = run.function.locals.ids().collect(),
    }
    run
}

fn insert_sorted<T: Ord>(list: &mut Vec<T>, item: T) {
    if let Err(at) = list.binary_search(&item) {
        list.insert(at, item);
    }
}
