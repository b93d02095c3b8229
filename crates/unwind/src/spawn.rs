//! Starts of threads: a new thread is unwound where it is started.

use crate::events::{Events, Here};
use crate::exec::{Frame, Step, Unwinder};
use crate::state::{Path, Section, State};
use braid_base::HashMap;
use braid_bounded::*;
use braid_ir::*;
use braid_logic::{Sort, Term, Terms};
use braid_symex::{Taint, Value};

/// Threads that are followed if there is no bound on them.
const THREADS: u32 = 64;

impl Unwinder<'_> {
    pub fn spawn(
        &mut self,
        state: &mut State,
        instr: &Instr,
        dst: RegId,
        func: Operand,
        arg: Operand,
    ) -> Step {
        let (after, targets) = self.events.functions_at(self.terms, state.clone(), instr, func);
        state.guard = after.guard;
        if self.terms.is_false(state.guard) {
            return Ok(());
        }
        let bound = self.events.given.options.bounds.threads.unwrap_or(THREADS);
        let threads = self.events.out.threads.len() - usize::from(self.events.out.probe.is_some());
        if threads as u32 >= bound {
            let place = self.events.site(instr.loc);
            self.events.obligation(self.terms, state, state.guard, What::Threads { bound }, place);
            self.events.left_open(state, state.guard);
            state.guard = self.terms.bool(false);
            return Ok(());
        }
        self.multi = true;
        self.sync(state);
        if state.path.section.is_some_and(|section| section.node.is_none()) {
            // The snapshot has all that the section did before: nobody was there to see it. It may yet be refused.
            self.events.may_wait_later(self.terms, state, instr.loc);
            let outside = state.guard;
            let (node, entered) = self.events.begin_section(self.terms, state);
            state.path.section =
                state.path.section.map(|section| Section { node: Some(node), outside, entered, ..section });
        }
        let node = self.events.node(state);
        let child = self.events.new_thread(self.terms, node);
        let arg = self.events.step(self.terms).operand(state, arg);
        self.events.out.nodes[node].spawns.get_or_insert(child);
        self.run_thread(child, state, &targets, instr, arg)?;
        let handle = self.events.out.layout.address(self.terms, self.events.out.threads[child].handle, 0);
        state.regs[braid_base::Idx::index(dst)] = Some(Value { term: handle, taint: Taint::Address });
        Ok(())
    }

    /// Unwinds a new thread.
    fn run_thread(
        &mut self,
        child: ThreadIx,
        parent: &State,
        targets: &[(Term, FuncId)],
        instr: &Instr,
        arg: Value,
    ) -> Step {
        let instance = self.events.here.stack.last().and_then(|frame| frame.instance);
        let here = Here::at_start(child, self.events.here.log);
        let parent_here = std::mem::replace(&mut self.events.here, here);
        let mut result = Ok(());
        let mut rest = parent.guard;
        let symbols = self.terms.symbols().len();
        for (cond, func) in targets {
            let guard = self.terms.and(rest, *cond);
            let not = self.terms.not(*cond);
            rest = self.terms.and(rest, not);
            if self.terms.is_false(guard) {
                continue;
            }
            let pointers = &self.events.given.facts.pointers;
            let instance = instance.and_then(|from| {
                pointers.spawned(from, instr.id).find(|id| pointers.instances()[*id].func == *func)
            });
            let state = State {
                guard,
                regs: Vec::new(),
                locals: Vec::new(),
                blocks: Vec::new(),
                memory: parent.memory.clone(),
                path: Path { section: None, multi: true },
            };
            result = self.thread_body(
                Frame { func: *func, instance, site: None, lasting: false, guard },
                state,
                arg,
                instr,
            );
            if result.is_err() {
                break;
            }
        }
        let ended = std::mem::replace(&mut self.events.here, parent_here);
        self.events.finish_thread(self.terms, child, &ended.exits);
        self.events.out.threads[child].symbols = (symbols, self.terms.symbols().len());
        result
    }

    fn thread_body(&mut self, frame: Frame, mut state: State, arg: Value, instr: &Instr) -> Step {
        let function = &self.events.given.program.functions[frame.func];
        if function.blocks.is_empty() {
            let what = format!("a thread in '{}', which has no definition", function.name);
            // There is no frame to stand in.
            self.events.here.stack.push(frame);
            self.events.note(self.terms, &state, instr.id, instr.loc);
            self.events.step(self.terms).unsupported(&mut state, &what, instr.loc);
            self.events.here.stack.pop();
            return Ok(());
        }
        for returned in self.call(frame, &[arg], state)? {
            let value = match returned.value {
                Some(value) => {
                    let value = braid_symex::coerce(self.terms, self.events.out.layout, value, Ty::Ptr);
                    let place = self.events.last_place(instr.loc);
                    self.events.step(self.terms).passes_for_pointer(&returned.state, value, place);
                    value.term
                }
                None => {
                    self.events.out.threads[self.events.here.thread].void = true;
                    self.terms.fresh("result", Sort::bits(self.events.out.layout.pointer_bits))
                }
            };
            let mut state = returned.state;
            self.events.end_thread_objects(self.terms, &mut state);
            self.events.first_step(self.terms, &state);
            self.events.here.exits.push((state.guard, value));
        }
        Ok(())
    }
}

impl Events<'_> {
    /// Where the thread was last in the user's own code.
    fn last_place(&self, otherwise: Loc) -> Loc {
        let own = |entry: &&LogEntry| !self.given.program.functions[entry.func].internal;
        self.out.threads[self.here.thread].log.iter().rev().find(own).map_or(otherwise, |entry| entry.loc)
    }

    fn new_thread(&mut self, terms: &mut Terms, parent: NodeId) -> ThreadIx {
        let thread = Thread {
            parent: Some(parent),
            unwound: false,
            void: false,
            handle: ObjectNo::NONE,
            nodes: Vec::new(),
            finished: terms.bool(false),
            result: self.pointer_bits(terms, 0),
            log: Vec::new(),
            symbols: (0, 0),
        };
        let child = self.out.threads.push(thread);
        self.thread_locals.push(HashMap::default());
        self.begin_thread(terms, child, Some(self.here.log));
        self.out.spawned.push((self.here.log, child));
        child
    }
}
