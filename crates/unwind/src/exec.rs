//! Control flow: paths are followed block by block in weak topological order and merged where they meet.

use crate::ending::Ending;
use crate::phase::Later;
use crate::state::{Entry, State};
use braid_analysis::wto::{Element, order};
use braid_analysis::{Bits, Facts, InstanceId, ObjectId};
use braid_base::faults::active;
use braid_base::{HashMap, HashSet, Idx, IndexVec};
use braid_bounded::*;
use braid_ir::*;
use braid_logic::{Sort, Term, Terms};
use braid_props::{Check, CheckSet};
use braid_symex::memory::Memory;
use braid_symex::object::{Kind, Object, Objects, initial_contents};
use braid_symex::{Contents, Initial, Layout, Taint, Value, truth};
use braid_verdict::Bounds;
use std::rc::Rc;

/// What is asked of an unwinding.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub checks: CheckSet,
    pub bounds: Bounds,
    pub spurious_wakeups: bool,
    pub malloc_may_fail: bool,
    /// Library calls may fail.
    pub calls_may_fail: bool,
    /// Accesses inside atomic sections count for data races.
    pub races_in_sections: bool,
    /// Instructions of which it is marked when they are executed, or hold.
    pub executed: HashSet<InstrId>,
    /// Functions of which it is marked when they begin.
    pub entered: HashSet<FuncId>,
}

/// Asked now and then; the answer `true` ends the work.
pub type Interrupt<'a> = &'a dyn Fn() -> bool;

pub(crate) type Step<T = ()> = Result<T, Interrupted>;

/// Activations of a recursive function whose depth is known beforehand.
const FIXED_DEPTH: u32 = 200;

/// Instructions executed in all, in one unwinding.
const INSTRUCTIONS: u64 = 20_000_000;

/// An activation of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub func: FuncId,
    pub instance: Option<InstanceId>,
    /// In a library model: the user's place.
    pub site: Option<Loc>,
    /// Objects of the frame live as long as the program.
    pub lasting: bool,
    /// Guard at entry.
    pub guard: Term,
}

/// Frame objects, and stack blocks with the condition under which they were made.
pub(crate) type Saved = (Vec<Option<Term>>, Vec<(Term, Term)>);

/// A state that returns from a function.
pub(crate) struct Returned {
    pub state: State,
    pub value: Option<Value>,
    /// The `return`.
    pub log: LogRef,
}

pub(crate) struct Unwinder<'a> {
    pub terms: &'a mut Terms,
    pub program: &'a Program,
    pub facts: &'a Facts,
    pub options: &'a Options,
    pub interrupt: Interrupt<'a>,
    pub layout: Layout,
    pub later: Later,
    pub out: Bounded,
    /// The running thread.
    pub thread: ThreadIx,
    pub stack: Vec<Frame>,
    /// A thread has been started on some path.
    pub multi: bool,
    pub snapshots: Vec<(Term, Memory)>,
    pub queries: Vec<crate::query::Query>,
    orders: HashMap<FuncId, Rc<Vec<Element>>>,
    /// Functions that may wait inside a section.
    pub waiting: Option<HashSet<FuncId>>,
    /// Where the running trial would have written what it might read.
    pub trial_writes: Vec<(Area, Term)>,
    /// The running trial has read what it might have written: whether it waits after that is not known.
    pub trial_lost: bool,
    /// The section of the running trial is one of a library model.
    pub trial_internal: bool,
    /// The round of a loop that is being tried.
    pub round: Option<crate::spin::Round>,
    /// Functions that may look at memory.
    pub looking: Option<HashSet<FuncId>>,
    /// Functions that do not come back, once they were asked for.
    pub ending: Option<Ending>,
    /// The program tries locks without waiting for them.
    pub tries_locks: Option<bool>,
    /// What signal handlers may write.
    pub handler_writes: Option<HandlerWrites>,
    pub live: HashMap<FuncId, IndexVec<BlockId, Bits>>,
    pub instructions: u64,
    /// Thread-local variables of each thread.
    pub thread_locals: IndexVec<ThreadIx, HashMap<GlobalId, u32>>,
    /// Frame objects and stack blocks of the frames below.
    pub saved: Vec<Saved>,
    /// Where the running thread has ended early, and with what.
    pub exits: Vec<(Term, Term)>,
    /// The targets of accesses, by index; numbers of objects are filled in at the end.
    pub open: Vec<(usize, crate::access::Targets)>,
    /// Where threads are detached.
    pub detached: Vec<(NodeId, Option<ThreadIx>)>,
    /// The threads that were joined, detached or asked about; `None` where that is not known. With whether it was
    /// more than a question.
    pub thread_uses: Vec<(Option<ThreadIx>, bool)>,
    /// The words of condition variables and the mutexes with which threads wait there.
    pub pairs: Vec<(Term, Term)>,
    /// Bools, each saying of a handle that it is a thread's: known at the end.
    pub handles: Vec<(Term, Term)>,
    /// Normal ends of the program.
    pub finishes: Vec<crate::left::Finish>,
    /// Heap blocks made while other threads may run, if the ends of the program look at them.
    pub begun: Vec<u32>,
    pub sections: Vec<Entry>,
    /// An address may have been moved to before its object.
    pub strays: bool,
    /// How the accesses of the current instruction count for data races.
    pub racy: Option<Racy>,
    /// The last instruction executed, for its log entry.
    pub log: LogRef,
}

/// One function's paths: states by the block they are at, and those that have returned.
pub(crate) struct Body {
    pub pending: IndexVec<BlockId, Vec<State>>,
    pub returned: Vec<Returned>,
}

impl<'a> Unwinder<'a> {
    pub fn new(
        terms: &'a mut Terms,
        program: &'a Program,
        facts: &'a Facts,
        options: &'a Options,
        interrupt: Interrupt<'a>,
    ) -> Unwinder<'a> {
        let layout = Layout::new(program.pointer_bytes);
        let mut objects = Objects::new(layout);
        add_statics(terms, program, facts, &mut objects);
        let zero = terms.bits(layout.pointer_bits, 0);
        let thread = Thread {
            parent: None,
            unwound: false,
            void: false,
            handle: 0,
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
            accesses: Vec::new(),
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
        };
        Unwinder {
            later: Later::new(program, facts),
            terms,
            program,
            facts,
            options,
            interrupt,
            layout,
            out,
            thread: ThreadIx(0),
            stack: Vec::new(),
            multi: false,
            snapshots: Vec::new(),
            queries: Vec::new(),
            orders: HashMap::default(),
            waiting: None,
            trial_writes: Vec::new(),
            trial_lost: false,
            trial_internal: false,
            round: None,
            looking: None,
            ending: None,
            tries_locks: None,
            handler_writes: None,
            live: HashMap::default(),
            instructions: 0,
            thread_locals: [HashMap::default()].into_iter().collect(),
            saved: Vec::new(),
            exits: Vec::new(),
            sections: Vec::new(),
            strays: begins_astray(program),
            finishes: Vec::new(),
            begun: Vec::new(),
            racy: None,
            open: Vec::new(),
            detached: Vec::new(),
            thread_uses: Vec::new(),
            pairs: Vec::new(),
            handles: Vec::new(),
            log: LogRef { thread: ThreadIx(0), index: 0 },
        }
    }

    /// The first thread, from the program's entry.
    pub fn main(&mut self, entry: FuncId) -> Step {
        let guard = self.terms.bool(true);
        let state = State {
            guard,
            regs: Vec::new(),
            locals: Vec::new(),
            blocks: Vec::new(),
            memory: Memory::default(),
            section: None,
            multi: false,
        };
        self.begin_thread(ThreadIx(0), None);
        self.make_probe();
        let frame =
            Frame { func: entry, instance: self.facts.calls.entry, site: None, lasting: false, guard };
        for returned in self.call(frame, &[], state)? {
            self.program_finishes(returned.state, Loc::NONE);
        }
        let exits = std::mem::take(&mut self.exits);
        self.finish_thread(ThreadIx(0), &exits);
        Ok(())
    }

    /// The objects that belong to a thread.
    pub fn begin_thread(&mut self, thread: ThreadIx, made: Option<LogRef>) {
        let handle = self.new_object(Kind::Thread(thread), None, 0, 16, true, made, Initial::Zero);
        self.out.threads[thread].handle = handle;
        for (id, global) in self.program.globals.enumerated().filter(|(_, global)| global.thread_local) {
            let contents = initial_contents(self.terms, self.program, &self.out.objects, id);
            let size = self.pointer_bits(global.size.into());
            let number = self.out.objects.add(Object {
                kind: Kind::ThreadLocal(thread, id),
                place: self.facts.pointers.find(braid_analysis::Object::ThreadLocal(id)),
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

    #[allow(clippy::too_many_arguments)]
    pub fn new_object(
        &mut self,
        kind: Kind,
        place: Option<ObjectId>,
        size: u64,
        align: u64,
        read_only: bool,
        made: Option<LogRef>,
        initial: Initial,
    ) -> u32 {
        let size_term = self.pointer_bits(size.into());
        let contents = Contents::new(size, initial);
        self.out.objects.add(Object {
            kind,
            place,
            size: size_term,
            room: size,
            read_only,
            align,
            made,
            contents,
        })
    }

    pub fn pointer_bits(&mut self, value: u128) -> Term {
        self.terms.bits(self.layout.pointer_bits, value)
    }

    pub fn order_of(&mut self, func: FuncId) -> Rc<Vec<Element>> {
        let program = self.program;
        self.orders.entry(func).or_insert_with(|| Rc::new(order(&program.functions[func]))).clone()
    }

    /// Enters a function; the arguments are the caller's values. The states that come back have the
    /// callee's registers.
    pub fn call(&mut self, frame: Frame, args: &[Value], mut state: State) -> Step<Vec<Returned>> {
        let function = &self.program.functions[frame.func];
        let mut regs = vec![None; function.regs.len()];
        for (index, param) in function.params.iter().enumerate() {
            let ty = function.regs[*param].ty;
            let value = match args.get(index) {
                Some(value) => braid_symex::coerce(self.terms, self.layout, *value, ty),
                None => self.choice(ChoiceOf::Kind(ChoiceKind::Uninit), ty),
            };
            regs[param.index()] = Some(value);
        }
        state.regs = regs;
        state.locals = vec![None; function.locals.len()];
        state.blocks = Vec::new();
        if function.atomic {
            state = self.enter_section(state, None, false)?;
        }
        self.stack.push(frame);
        let pending = function.blocks.iter().map(|_| Vec::new()).collect();
        let mut body = Body { pending, returned: Vec::new() };
        body.pending[BlockId(0)].push(state);
        let order = self.order_of(frame.func);
        let result = self.elements(&mut body, &order);
        let mut returned = Vec::new();
        for mut back in body.returned {
            self.log = back.log;
            if !frame.lasting {
                self.end_frame(&mut back.state);
            }
            if function.atomic {
                self.leave_section(&mut back.state);
            }
            returned.push(back);
        }
        self.stack.pop();
        result?;
        Ok(self.merge_returned(returned))
    }

    fn merge_returned(&mut self, list: Vec<Returned>) -> Vec<Returned> {
        let mut merged: Vec<Returned> = Vec::new();
        for mut back in list {
            self.sync(&mut back.state);
            let Some(index) = merged.iter().position(|known| known.state.fits(&back.state)) else {
                merged.push(back);
                continue;
            };
            // The value travels as one more register.
            let mut known = merged.swap_remove(index);
            known.state.regs.push(known.value);
            back.state.regs.push(back.value);
            let mut state = State::merge(self.terms, &self.out.objects, known.state, back.state);
            let value = state.regs.pop().flatten();
            merged.push(Returned { state, value, log: back.log });
        }
        merged
    }

    pub fn elements(&mut self, body: &mut Body, list: &[Element]) -> Step {
        for element in list {
            match element {
                Element::Block(block) => self.block(body, *block)?,
                Element::Loop(component) => self.unwind_loop(body, component)?,
            }
        }
        Ok(())
    }

    pub fn merged(&mut self, states: Vec<State>) -> Vec<State> {
        let mut merged: Vec<State> = Vec::new();
        for mut state in states {
            if self.terms.is_false(state.guard) {
                continue;
            }
            self.sync(&mut state);
            match merged.iter().position(|known| known.fits(&state)) {
                Some(index) => {
                    let known = merged.swap_remove(index);
                    merged.push(State::merge(self.terms, &self.out.objects, known, state));
                }
                None => merged.push(state),
            }
        }
        merged
    }

    /// A path on which no thread was started yet learns that one was started on another.
    pub fn sync(&mut self, state: &mut State) {
        if self.multi && !state.multi {
            self.snapshots.push((state.guard, state.memory.clone()));
            state.multi = true;
        }
    }

    pub fn block(&mut self, body: &mut Body, block: BlockId) -> Step {
        let states = std::mem::take(&mut body.pending[block]);
        for state in self.merged(states) {
            self.run(body, block, 0, state)?;
        }
        Ok(())
    }

    /// The block from an instruction on.
    pub fn run(&mut self, body: &mut Body, block: BlockId, from: usize, mut state: State) -> Step {
        let frame = *self.stack.last().expect("code is in a function");
        let program = self.program;
        let code = &program.functions[frame.func].blocks[block];
        if from == 0 && block.index() == 0 && self.options.entered.contains(&frame.func) {
            self.mark(&state, MarkOf::Entered(frame.func));
        }
        for (index, instr) in code.instrs.iter().enumerate().skip(from) {
            if self.terms.is_false(state.guard) {
                return Ok(());
            }
            self.instructions += 1;
            if self.instructions.is_multiple_of(16) && (self.interrupt)() {
                return Err(Interrupted);
            }
            if self.instructions > INSTRUCTIONS {
                self.unsupported(&mut state, "a program of so many steps within the bounds", instr.loc);
                return Ok(());
            }
            self.try_waiting(block, index, instr, &state)?;
            if let Op::Call { dst, callee, args } = &instr.op {
                self.note(&state, instr.id, instr.loc);
                for back in self.call_instr(state, instr, *dst, *callee, args)? {
                    self.run(body, block, index + 1, back)?;
                }
                return Ok(());
            }
            self.instruction(&mut state, instr)?;
            if state.section.is_some_and(|section| section.trial && section.depth == 0) {
                return Ok(());
            }
        }
        if !self.terms.is_false(state.guard) {
            if self.options.executed.contains(&code.end.id) {
                self.mark(&state, MarkOf::Executed(code.end.id));
            }
            self.terminator(body, &code.end, state);
        }
        Ok(())
    }

    fn terminator(&mut self, body: &mut Body, end: &Terminator, mut state: State) {
        match &end.kind {
            TermKind::Jump(to) => body.pending[*to].push(state),
            TermKind::Branch { cond, then, other } => {
                let cond = self.operand(&state, *cond);
                self.depends(&state, cond, end.loc);
                let cond = truth(self.terms, cond.term);
                self.fork(body, state, &[(cond, *then)], *other);
            }
            TermKind::Switch { ty, value, cases, default } => {
                let value = self.operand(&state, *value);
                self.depends(&state, value, end.loc);
                let width = ty.bits(self.program.pointer_bytes);
                let mut edges = Vec::new();
                for (pattern, to) in cases {
                    let pattern = self.terms.bits(width, *pattern);
                    edges.push((self.terms.eq(value.term, pattern), *to));
                }
                self.fork(body, state, &edges, *default);
            }
            TermKind::Return(value) => {
                self.note(&state, end.id, end.loc);
                let value = value.map(|value| self.operand(&state, value));
                if self.stack.len() == 1 && state.section.is_some_and(|section| section.depth > 0) {
                    // A thread that ends inside a section lets nobody run after it.
                    self.left_open(&state);
                }
                body.returned.push(Returned { state, value, log: self.log });
            }
            TermKind::Unreachable => {
                self.unsupported(
                    &mut state,
                    "control reaches code that was taken to be unreachable",
                    end.loc,
                );
            }
        }
    }

    /// Goes where the first condition that holds leads.
    fn fork(&mut self, body: &mut Body, mut state: State, edges: &[(Term, BlockId)], default: BlockId) {
        for (cond, to) in edges {
            let taken = self.terms.and(state.guard, *cond);
            if !self.terms.is_false(taken) {
                body.pending[*to].push(State { guard: taken, ..state.clone() });
            }
            if !active("else-forgets-condition") {
                let not = self.terms.not(*cond);
                state.guard = self.terms.and(state.guard, not);
            }
            if self.terms.is_false(state.guard) {
                return;
            }
        }
        body.pending[default].push(state);
    }

    /// Calls and what comes back, with the caller's registers.
    fn call_instr(
        &mut self,
        state: State,
        instr: &Instr,
        dst: Option<RegId>,
        callee: Callee,
        args: &[Operand],
    ) -> Step<Vec<State>> {
        let values: Vec<Value> = args.iter().map(|arg| self.operand(&state, *arg)).collect();
        let (mut state, targets) = match callee {
            Callee::Direct(func) => {
                let always = self.terms.bool(true);
                (state, vec![(always, func)])
            }
            Callee::Pointer(pointer) => self.functions_at(state, instr, pointer),
        };
        let log = self.log;
        let mut results: Vec<State> = Vec::new();
        for (cond, func) in targets {
            let taken = self.terms.and(state.guard, cond);
            let not = self.terms.not(cond);
            let rest = self.terms.and(state.guard, not);
            let entering = State { guard: taken, ..state.clone() };
            state.guard = rest;
            if self.terms.is_false(taken) {
                continue;
            }
            self.log = log;
            results.extend(self.call_one(entering, instr, dst, func, &values)?);
        }
        Ok(self.merged(results))
    }

    fn call_one(
        &mut self,
        mut state: State,
        instr: &Instr,
        dst: Option<RegId>,
        func: FuncId,
        values: &[Value],
    ) -> Step<Vec<State>> {
        let caller = *self.stack.last().expect("a call is in a function");
        let function = &self.program.functions[func];
        let site = self.site(instr.loc);
        if function.blocks.is_empty() {
            let what = format!("call of '{}', which has no definition", function.name);
            self.unsupported(&mut state, &what, instr.loc);
            return Ok(Vec::new());
        }
        if self.too_deep(&mut state, func, site) {
            return Ok(Vec::new());
        }
        if self.round.is_some() && function.timed {
            return Ok(Vec::new());
        }
        let instance = caller.instance.and_then(|from| {
            let mut callees = self.facts.pointers.callees(from, instr.id);
            callees.find(|id| self.facts.pointers.instances()[*id].func == func)
        });
        let lasting = self.thread == ThreadIx(0) && self.stack.len() == 1 && Some(func) == self.program.main;
        let (regs, locals, blocks) =
            (state.regs.clone(), state.locals.clone(), std::mem::take(&mut state.blocks));
        let site = function.internal.then_some(site);
        let frame = Frame { func, instance, site, lasting, guard: state.guard };
        self.saved.push((locals.clone(), blocks.clone()));
        let returned = self.call(frame, values, state);
        self.saved.pop();
        let mut results = Vec::new();
        for back in returned? {
            let mut state = back.state;
            (state.regs, state.locals, state.blocks) = (regs.clone(), locals.clone(), blocks.clone());
            if let Some(dst) = dst {
                let ty = self.program.functions[caller.func].regs[dst].ty;
                let starts = self.thread != ThreadIx(0) && self.stack.len() == 1;
                let value = match back.value {
                    Some(value) => braid_symex::coerce(self.terms, self.layout, value, ty),
                    None if starts && self.program.functions[caller.func].internal && ty == Ty::Ptr => {
                        self.out.threads[self.thread].void = true;
                        let term = self.terms.fresh("result", Sort::bits(self.layout.pointer_bits));
                        Value { term, taint: Taint::Address }
                    }
                    // The return asks for it: it is what was noted last.
                    None => self.choice(ChoiceOf::Kind(ChoiceKind::Uninit), ty),
                };
                state.regs[dst.index()] = Some(value);
            }
            results.push(state);
        }
        Ok(results)
    }

    /// Whether a call goes deeper into recursion than it may; then the path ends.
    fn too_deep(&mut self, state: &mut State, func: FuncId, place: Loc) -> bool {
        let open: Vec<Term> =
            self.stack.iter().filter(|frame| frame.func == func).map(|frame| frame.guard).collect();
        let mut counted = 0;
        for pair in open.windows(2) {
            counted += u32::from(pair[0] != pair[1]);
        }
        counted += u32::from(open.last().is_some_and(|last| *last != state.guard));
        let bound = self.options.bounds.unwind;
        if counted <= bound && (open.len() as u32) < FIXED_DEPTH.max(bound + 1) {
            return false;
        }
        if !active("recursion-cut-silently") {
            self.obligation(state, state.guard, What::Recursion { function: func, bound }, place);
        }
        self.left_open(state);
        true
    }

    /// The functions a pointer may lead to; other paths end.
    pub fn functions_at(
        &mut self,
        mut state: State,
        instr: &Instr,
        pointer: Operand,
    ) -> (State, Vec<(Term, FuncId)>) {
        let value = self.operand(&state, pointer);
        if active("calls-of-numbers-followed") {
            self.becomes_pointer(&state, value.taint, instr.loc);
        } else {
            // A number that is where a function may lie calls that function, or none.
            self.passes_for_pointer(&state, value, instr.loc);
        }
        let functions: Vec<(u32, FuncId)> = self
            .out
            .objects
            .iter()
            .filter_map(|(number, object)| match object.kind {
                Kind::Function(func) => Some((number, func)),
                _ => None,
            })
            .collect();
        let mut targets = Vec::new();
        let mut any = self.terms.bool(false);
        for (number, func) in functions {
            let address = self.layout.address(self.terms, number, 0);
            let cond = self.terms.eq(value.term, address);
            if self.terms.is_false(cond) || !self.may_call(instr, func, value.term) {
                continue;
            }
            any = self.terms.or(any, cond);
            targets.push((cond, func));
        }
        let none = self.terms.not(any);
        self.check(&mut state, Check::NullDeref, none, instr.loc);
        (state, targets)
    }

    /// Whether the analysis knows the function as a target; a constant needs no analysis.
    fn may_call(&self, instr: &Instr, func: FuncId, pointer: Term) -> bool {
        let Some(instance) = self.stack.last().and_then(|frame| frame.instance) else { return true };
        if self.terms.is_constant(pointer) {
            return true;
        }
        let pointers = &self.facts.pointers;
        let fits = |id: InstanceId| pointers.instances()[id].func == func;
        pointers.callees(instance, instr.id).any(fits) || pointers.spawned(instance, instr.id).any(fits)
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
    let first = objects.count();
    let statics: Vec<GlobalId> =
        program.globals.enumerated().filter(|(_, global)| !global.thread_local).map(|(id, _)| id).collect();
    for (index, id) in statics.iter().enumerate() {
        objects.know(Const::Global(*id, 0), first + index as u32 + 1);
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

/// Whether a variable points to before an object from the beginning.
fn begins_astray(program: &Program) -> bool {
    let pointers = program.globals.iter().flat_map(|global| &global.init.pointers);
    pointers.into_iter().any(|(_, constant)| matches!(constant, Const::Global(_, offset) if *offset < 0))
}
