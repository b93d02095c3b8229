//! The bounded program in the making, and all that is known of the point that is being unwound.

use crate::exec::{Frame, Interrupt, Options, Saved};
use crate::first;
use crate::left::Finish;
use crate::phase::Later;
use crate::query::Query;
use crate::shared::Targets;
use crate::spin::Round;
use crate::state::Entry;
use crate::summaries::Summaries;
use braid_analysis::Facts;
use braid_base::{HashMap, IndexVec};
use braid_bounded::*;
use braid_ir::*;
use braid_logic::{Term, Terms};
use braid_symex::object::{Kind, initial_contents};
use braid_symex::step::Step;
use braid_symex::{Contents, Initial, Layout};

/// The program, and what is asked of it.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub program: &'a Program,
    pub facts: &'a Facts,
    pub options: &'a Options,
    pub interrupt: Interrupt<'a>,
}

/// The point of the program that is being unwound.
pub(crate) struct Here {
    /// The running thread.
    pub thread: ThreadIx,
    pub stack: Vec<Frame>,
    /// Frame objects and stack blocks of the frames below.
    pub saved: Vec<Saved>,
    /// Where the running thread has ended early, and with what.
    pub exits: Vec<(Term, Term)>,
    /// The last instruction executed, for its log entry.
    pub log: LogRef,
    /// How the accesses of the current instruction count for data races.
    pub racy: Option<Racy>,
    /// The last node made for a step that is visible only if it violates a property.
    pub doomed: Option<NodeId>,
}

/// A step that is only tried, at the probe.
#[derive(Default)]
pub(crate) struct Trial {
    /// Where the running trial would have written what it might read.
    pub writes: Vec<(Area, Term)>,
    /// The running trial has read what it might have written: whether it waits after that is not known.
    pub lost: bool,
    /// The section of the running trial is one of a library model.
    pub internal: bool,
    /// The round of a loop that is being tried.
    pub round: Option<Round>,
}

/// Questions that are answered when everything is unwound.
#[derive(Default)]
pub(crate) struct Pending {
    pub queries: Vec<Query>,
    /// The targets of accesses; numbers of objects are filled in at the end.
    pub targets: Vec<(AccessId, Targets)>,
    /// Where threads are detached.
    pub detached: Vec<(NodeId, Option<ThreadIx>)>,
    /// The threads that were joined, detached or asked about; `None` where that is not known. With whether it was
    /// more than a question.
    pub thread_uses: Vec<(Option<ThreadIx>, bool)>,
    /// The words of condition variables and the mutexes with which threads wait there.
    pub pairs: Vec<(Term, Term)>,
    /// Bools, each saying of a handle that it is a thread's.
    pub handles: Vec<(Term, Term)>,
    /// Normal ends of the program.
    pub finishes: Vec<Finish>,
    /// Heap blocks made while other threads may run, if the ends of the program look at them.
    pub begun: Vec<ObjectNo>,
    pub sections: Vec<Entry>,
    /// An address may have been moved to before its object.
    pub strays: bool,
}

/// The bounded program as far as it is unwound.
pub(crate) struct Events<'a> {
    pub given: Given<'a>,
    pub later: Later,
    pub out: Bounded,
    pub here: Here,
    pub trial: Trial,
    pub pending: Pending,
    pub summaries: Summaries,
    /// Thread-local variables of each thread.
    pub thread_locals: IndexVec<ThreadIx, HashMap<GlobalId, ObjectNo>>,
    /// The first access of the operation on a lock that has begun last.
    pub lock_from: AccessId,
}

impl Here {
    /// The beginning of a thread.
    pub fn at_start(thread: ThreadIx, log: LogRef) -> Here {
        Here {
            thread,
            stack: Vec::new(),
            saved: Vec::new(),
            exits: Vec::new(),
            log,
            racy: None,
            doomed: None,
        }
    }
}

impl<'a> Events<'a> {
    pub fn new(terms: &mut Terms, given: Given<'a>) -> Events<'a> {
        let Given { program, facts, .. } = given;
        let layout = Layout::new(program.pointer_bytes);
        let mut objects = Objects::new(layout);
        add_statics(terms, program, facts, &mut objects);
        let zero = terms.bits(layout.pointer_bits, 0);
        let thread = Thread {
            parent: None,
            unwound: false,
            void: false,
            handle: ObjectNo::NONE,
            nodes: Vec::new(),
            finished: terms.bool(false),
            result: zero,
            log: Vec::new(),
            symbols: (0, 0),
        };
        let out = Bounded {
            layout,
            threads: [thread].into_iter().collect(),
            nodes: IndexVec::new(),
            accesses: IndexVec::new(),
            joins: Vec::new(),
            waits: Vec::new(),
            probe: None,
            spawned: Vec::new(),
            ends: Vec::new(),
            obligations: Vec::new(),
            constraints: Vec::new(),
            choices: Vec::new(),
            marks: Vec::new(),
            objects,
            initial: Memory::default(),
            refutes_one_use: false,
            first_steps: first::needed(&given.options.bounds),
        };
        Events {
            given,
            later: Later::new(program, facts),
            out,
            here: Here::at_start(ThreadIx(0), LogRef { thread: ThreadIx(0), index: 0 }),
            trial: Trial::default(),
            pending: Pending { strays: begins_astray(program), ..Pending::default() },
            summaries: Summaries::default(),
            thread_locals: [HashMap::default()].into_iter().collect(),
            lock_from: AccessId(0),
        }
    }

    /// The objects that belong to a thread.
    pub fn begin_thread(&mut self, terms: &mut Terms, thread: ThreadIx, made: Option<LogRef>) {
        let handle = self.out.objects.add(Object {
            kind: Kind::Thread(thread),
            place: None,
            size: terms.bits(self.out.layout.pointer_bits, 0),
            room: 0,
            read_only: true,
            align: 16,
            made,
            contents: Contents::new(0, Initial::Zero),
        });
        self.out.threads[thread].handle = handle;
        for (id, global) in self.given.program.globals.enumerated().filter(|(_, global)| global.thread_local)
        {
            let contents = initial_contents(terms, self.given.program, &self.out.objects, id);
            let size = self.pointer_bits(terms, global.size.into());
            let number = self.out.objects.add(Object {
                kind: Kind::ThreadLocal(thread, id),
                place: self.given.facts.pointers.find(braid_analysis::Object::ThreadLocal(id)),
                size,
                room: global.size,
                read_only: global.read_only,
                align: global.align,
                made,
                contents,
            });
            self.thread_locals[thread].insert(id, number);
        }
    }

    /// The meaning of instructions, in this world.
    pub fn step<'s>(&'s mut self, terms: &'s mut Terms) -> Step<'s, Events<'a>> {
        Step::new(terms, self)
    }

    pub fn pointer_bits(&self, terms: &mut Terms, value: u128) -> Term {
        terms.bits(self.out.layout.pointer_bits, value)
    }

    /// Returns true if the code that is executed belongs to a library model.
    pub fn is_internal(&self) -> bool {
        let frame = self.here.stack.last();
        frame.is_some_and(|frame| self.given.program.functions[frame.func].internal)
    }
}

/// Variables and functions get the first numbers.
fn add_statics(terms: &mut Terms, program: &Program, facts: &Facts, objects: &mut Objects) {
    let layout = objects.layout;
    let zero = terms.bits(layout.pointer_bits, 0);
    for (id, _) in program.functions.enumerated() {
        let number = objects.add(Object {
            kind: Kind::Function(id),
            place: facts.pointers.find(braid_analysis::Object::Function(id)),
            size: zero,
            room: 0,
            read_only: true,
            align: 1,
            made: None,
            contents: Contents::new(0, Initial::Zero),
        });
        objects.know(Const::Func(id), number);
    }
    let first = objects.next();
    let statics: Vec<GlobalId> =
        program.globals.enumerated().filter(|(_, global)| !global.thread_local).map(|(id, _)| id).collect();
    for (index, id) in statics.iter().enumerate() {
        objects.know(Const::Global(*id, 0), ObjectNo(first.0 + index as u32));
    }
    for id in statics {
        let contents = initial_contents(terms, program, objects, id);
        let global = &program.globals[id];
        let size = terms.bits(layout.pointer_bits, global.size.into());
        objects.add(Object {
            kind: Kind::Global(id),
            place: facts.pointers.find(braid_analysis::Object::Global(id)),
            size,
            room: global.size,
            read_only: global.read_only,
            align: global.align,
            made: None,
            contents,
        });
    }
}

/// Returns true if a variable points to before an object from the beginning.
fn begins_astray(program: &Program) -> bool {
    let pointers = program.globals.iter().flat_map(|global| &global.init.pointers);
    pointers.into_iter().any(|(_, constant)| matches!(constant, Const::Global(_, offset) if *offset < 0))
}
