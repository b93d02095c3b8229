//! Control flow: paths are followed block by block in weak topological order and merged where they meet.

use crate::events::{Events, Given};
use crate::state::{Path, State};
use braid_analysis::InstanceId;
use braid_analysis::wto::Element;
use braid_base::faults::active;
use braid_base::{HashSet, Idx, IndexVec};
use braid_bounded::*;
use braid_ir::*;
use braid_logic::{Sort, Term, Terms};
use braid_props::Check;
use braid_symex::object::Kind;
use braid_symex::step::{World, step};
use braid_symex::{Taint, Value, truth};
use braid_verdict::Bounds;

/// The question that an unwinding is made for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub question: Question,
    pub bounds: Bounds,
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

/// Control flow: the paths of threads, which the events record.
pub(crate) struct Unwinder<'a> {
    pub terms: &'a mut Terms,
    pub events: Events<'a>,
    /// A thread has been started on some path.
    pub multi: bool,
    /// Memory when the first thread was started, by path.
    pub snapshots: Vec<(Term, Memory)>,
    instructions: u64,
}

/// One function's paths: states by the block they are at, and those that have returned.
pub(crate) struct Body {
    pub pending: IndexVec<BlockId, Vec<State>>,
    pub returned: Vec<Returned>,
}

impl<'a> Unwinder<'a> {
    pub fn new(terms: &'a mut Terms, given: Given<'a>) -> Unwinder<'a> {
        let events = Events::new(terms, given);
        Unwinder { terms, events, multi: false, snapshots: Vec::new(), instructions: 0 }
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
            path: Path { section: None, multi: false },
        };
        self.events.begin_thread(self.terms, ThreadIx(0), None);
        self.events.make_probe(self.terms);
        let frame = Frame {
            func: entry,
            instance: self.events.given.facts.calls.entry,
            site: None,
            lasting: false,
            guard,
        };
        for returned in self.call(frame, &[], state)? {
            self.events.program_finishes(self.terms, &returned.state, Loc::NONE);
        }
        let exits = std::mem::take(&mut self.events.here.exits);
        self.events.finish_thread(self.terms, ThreadIx(0), &exits);
        Ok(())
    }

    /// Enters a function; the arguments are the caller's values. The states that come back have the
    /// callee's registers.
    pub fn call(&mut self, frame: Frame, args: &[Value], mut state: State) -> Step<Vec<Returned>> {
        let function = &self.events.given.program.functions[frame.func];
        let mut regs = vec![None; function.regs.len()];
        for (index, param) in function.params.iter().enumerate() {
            let ty = function.regs[*param].ty;
            let value = match args.get(index) {
                Some(value) => braid_symex::coerce(self.terms, self.events.out.layout, *value, ty),
                None => self.events.choice(self.terms, ChoiceOf::Kind(ChoiceKind::Uninit), ty),
            };
            regs[param.index()] = Some(value);
        }
        state.regs = regs;
        state.locals = vec![None; function.locals.len()];
        state.blocks = Vec::new();
        if function.atomic {
            self.events.enter_section(self.terms, &mut state, false);
        }
        self.events.here.stack.push(frame);
        let pending = function.blocks.iter().map(|_| Vec::new()).collect();
        let mut body = Body { pending, returned: Vec::new() };
        body.pending[BlockId(0)].push(state);
        let order = self.events.summaries.order(self.events.given.program, frame.func);
        let result = self.elements(&mut body, &order);
        let mut returned = Vec::new();
        for mut back in body.returned {
            self.events.here.log = back.log;
            if !frame.lasting {
                let loc = self.events.place();
                self.events.step(self.terms).end_frame(&mut back.state, loc);
            }
            if function.atomic {
                self.events.leave_section(self.terms, &mut back.state);
            }
            returned.push(back);
        }
        self.events.here.stack.pop();
        result?;
        Ok(self.merge_returned(returned))
    }

    fn merge_returned(&mut self, list: Vec<Returned>) -> Vec<Returned> {
        let mut merged: Vec<Returned> = Vec::new();
        for mut back in list {
            self.sync(&mut back.state);
            let Some(index) = merged.iter().position(|known| known.state.path == back.state.path) else {
                merged.push(back);
                continue;
            };
            // The value travels as one more register.
            let mut known = merged.swap_remove(index);
            known.state.regs.push(known.value);
            back.state.regs.push(back.value);
            let mut state = State::merge(self.terms, &self.events.out.objects, known.state, back.state);
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
            match merged.iter().position(|known| known.path == state.path) {
                Some(index) => {
                    let known = merged.swap_remove(index);
                    merged.push(State::merge(self.terms, &self.events.out.objects, known, state));
                }
                None => merged.push(state),
            }
        }
        merged
    }

    /// A path on which no thread was started yet learns that one was started on another.
    pub fn sync(&mut self, state: &mut State) {
        if self.multi && !state.path.multi {
            self.snapshots.push((state.guard, state.memory.clone()));
            state.path.multi = true;
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
        let frame = *self.events.here.stack.last().expect("code is in a function");
        let program = self.events.given.program;
        let code = &program.functions[frame.func].blocks[block];
        if from == 0 && block.index() == 0 && self.events.given.options.entered.contains(&frame.func) {
            self.events.add_mark(self.terms, &state, MarkOf::Entered(frame.func));
        }
        for (index, instr) in code.instrs.iter().enumerate().skip(from) {
            if self.terms.is_false(state.guard) {
                return Ok(());
            }
            self.instructions += 1;
            if self.instructions.is_multiple_of(16) && (self.events.given.interrupt)() {
                return Err(Interrupted);
            }
            if self.instructions > INSTRUCTIONS {
                self.events.step(self.terms).unsupported(
                    &mut state,
                    "a program of so many steps within the bounds",
                    instr.loc,
                );
                return Ok(());
            }
            self.try_waiting(block, index, instr, &state)?;
            if let Op::Call { dst, callee, args } = &instr.op {
                self.events.note(self.terms, &state, instr.id, instr.loc);
                for back in self.call_instr(state, instr, *dst, *callee, args)? {
                    self.run(body, block, index + 1, back)?;
                }
                return Ok(());
            }
            if let Op::Spawn { dst, func, arg } = instr.op {
                if self.events.begin(self.terms, &state, instr) {
                    self.spawn(&mut state, instr, dst, func, arg)?;
                } else {
                    state.guard = self.terms.bool(false);
                }
                self.events.end();
            } else {
                step(self.terms, &mut self.events, &mut state, instr);
            }
            if state.path.section.is_some_and(|section| section.trial && section.depth == 0) {
                return Ok(());
            }
        }
        if !self.terms.is_false(state.guard) {
            if self.events.given.options.executed.contains(&code.end.id) {
                self.events.add_mark(self.terms, &state, MarkOf::Executed(code.end.id));
            }
            self.terminator(body, &code.end, state);
        }
        Ok(())
    }

    fn terminator(&mut self, body: &mut Body, end: &Terminator, mut state: State) {
        match &end.kind {
            TermKind::Jump(to) => body.pending[*to].push(state),
            TermKind::Branch { cond, then, other } => {
                let cond = self.events.step(self.terms).operand(&state, *cond);
                self.events.step(self.terms).depends(&state, cond, end.loc);
                let cond = truth(self.terms, cond.term);
                self.fork(body, state, &[(cond, *then)], *other);
            }
            TermKind::Switch { ty, value, cases, default } => {
                let value = self.events.step(self.terms).operand(&state, *value);
                self.events.step(self.terms).depends(&state, value, end.loc);
                let width = ty.bits(self.events.given.program.pointer_bytes);
                let mut edges = Vec::new();
                for (pattern, to) in cases {
                    let pattern = self.terms.bits(width, *pattern);
                    edges.push((self.terms.eq(value.term, pattern), *to));
                }
                self.fork(body, state, &edges, *default);
            }
            TermKind::Return(value) => {
                self.events.note(self.terms, &state, end.id, end.loc);
                let value = value.map(|value| self.events.step(self.terms).operand(&state, value));
                if self.events.here.stack.len() == 1
                    && state.path.section.is_some_and(|section| section.depth > 0)
                {
                    // A thread that ends inside a section lets nobody run after it.
                    self.events.left_open(&state, state.guard);
                }
                body.returned.push(Returned { state, value, log: self.events.here.log });
            }
            TermKind::Unreachable => {
                self.events.step(self.terms).unsupported(
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
        let values: Vec<Value> =
            args.iter().map(|arg| self.events.step(self.terms).operand(&state, *arg)).collect();
        let (mut state, targets) = match callee {
            Callee::Direct(func) => {
                let always = self.terms.bool(true);
                (state, vec![(always, func)])
            }
            Callee::Pointer(pointer) => self.events.functions_at(self.terms, state, instr, pointer),
        };
        let log = self.events.here.log;
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
            self.events.here.log = log;
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
        let caller = *self.events.here.stack.last().expect("a call is in a function");
        let function = &self.events.given.program.functions[func];
        let site = self.events.site(instr.loc);
        if function.blocks.is_empty() {
            let what = format!("call of '{}', which has no definition", function.name);
            self.events.step(self.terms).unsupported(&mut state, &what, instr.loc);
            return Ok(Vec::new());
        }
        if self.events.too_deep(self.terms, &mut state, func, site) {
            return Ok(Vec::new());
        }
        if self.events.trial.round.is_some() && function.timed {
            return Ok(Vec::new());
        }
        let instance = caller.instance.and_then(|from| {
            let mut callees = self.events.given.facts.pointers.callees(from, instr.id);
            callees.find(|id| self.events.given.facts.pointers.instances()[*id].func == func)
        });
        let lasting = self.events.here.thread == ThreadIx(0)
            && self.events.here.stack.len() == 1
            && Some(func) == self.events.given.program.main;
        let (regs, locals, blocks) =
            (state.regs.clone(), state.locals.clone(), std::mem::take(&mut state.blocks));
        let site = function.internal.then_some(site);
        let frame = Frame { func, instance, site, lasting, guard: state.guard };
        self.events.here.saved.push((locals.clone(), blocks.clone()));
        let at_call = self.events.here.log;
        let returned = self.call(frame, values, state);
        self.events.here.saved.pop();
        let mut results = Vec::new();
        let mut unset = None;
        for back in returned? {
            let mut state = back.state;
            (state.regs, state.locals, state.blocks) = (regs.clone(), locals.clone(), blocks.clone());
            if let Some(dst) = dst {
                let ty = self.events.given.program.functions[caller.func].regs[dst].ty;
                let starts = self.events.here.thread != ThreadIx(0) && self.events.here.stack.len() == 1;
                let value = match back.value {
                    Some(value) => braid_symex::coerce(self.terms, self.events.out.layout, value, ty),
                    None if starts
                        && self.events.given.program.functions[caller.func].internal
                        && ty == Ty::Ptr =>
                    {
                        self.events.out.threads[self.events.here.thread].void = true;
                        let term =
                            self.terms.fresh("result", Sort::bits(self.events.out.layout.pointer_bits));
                        Value { term, taint: Taint::Address }
                    }
                    // The call asks for it, once, whichever return it comes back from.
                    None => *unset.get_or_insert_with(|| {
                        let at_return = std::mem::replace(&mut self.events.here.log, at_call);
                        let value = self.events.choice(self.terms, ChoiceOf::Kind(ChoiceKind::Uninit), ty);
                        self.events.here.log = at_return;
                        value
                    }),
                };
                state.regs[dst.index()] = Some(value);
            }
            results.push(state);
        }
        Ok(results)
    }
}

impl Events<'_> {
    /// Returns true if a call goes deeper into recursion than it may; then the path ends.
    fn too_deep(&mut self, terms: &mut Terms, state: &mut State, func: FuncId, place: Loc) -> bool {
        let open: Vec<Term> =
            self.here.stack.iter().filter(|frame| frame.func == func).map(|frame| frame.guard).collect();
        let mut counted = 0;
        for pair in open.windows(2) {
            counted += u32::from(pair[0] != pair[1]);
        }
        counted += u32::from(open.last().is_some_and(|last| *last != state.guard));
        let bound = self.given.options.bounds.unwind;
        if counted <= bound && (open.len() as u32) < FIXED_DEPTH.max(bound + 1) {
            return false;
        }
        if !active("recursion-cut-silently") {
            self.obligation(terms, state, state.guard, What::Recursion { function: func, bound }, place);
        }
        self.left_open(state, state.guard);
        true
    }

    /// The functions a pointer may lead to; other paths end.
    pub fn functions_at(
        &mut self,
        terms: &mut Terms,
        mut state: State,
        instr: &Instr,
        pointer: Operand,
    ) -> (State, Vec<(Term, FuncId)>) {
        let value = self.step(terms).operand(&state, pointer);
        if active("calls-of-numbers-followed") {
            self.step(terms).becomes_pointer(&state, value.taint, instr.loc);
        } else {
            // A number that is where a function may lie calls that function, or none.
            self.step(terms).passes_for_pointer(&state, value, instr.loc);
        }
        let functions: Vec<(ObjectNo, FuncId)> = self
            .out
            .objects
            .iter()
            .filter_map(|(number, object)| match object.kind {
                Kind::Function(func) => Some((number, func)),
                _ => None,
            })
            .collect();
        let mut targets = Vec::new();
        let mut any = terms.bool(false);
        for (number, func) in functions {
            let address = self.out.layout.address(terms, number, 0);
            let cond = terms.eq(value.term, address);
            if terms.is_false(cond) || !self.may_call(terms, instr, func, value.term) {
                continue;
            }
            any = terms.or(any, cond);
            targets.push((cond, func));
        }
        let none = terms.not(any);
        self.step(terms).check(&mut state, Check::NullDeref, none, instr.loc);
        (state, targets)
    }

    /// Returns true if the analysis knows the function as a target; a constant needs no analysis.
    fn may_call(&self, terms: &Terms, instr: &Instr, func: FuncId, pointer: Term) -> bool {
        let Some(instance) = self.here.stack.last().and_then(|frame| frame.instance) else {
            return true;
        };
        if terms.is_constant(pointer) {
            return true;
        }
        let pointers = &self.given.facts.pointers;
        let fits = |id: InstanceId| pointers.instances()[id].func == func;
        pointers.callees(instance, instr.id).any(fits) || pointers.spawned(instance, instr.id).any(fits)
    }
}
