//! What a replay does, instruction by instruction, for those who explain it.
//!
//! A machine with a [`Watch`] notes every instruction it executes: who, where, in which activation of which
//! function, what it did in terms of variables, locks, threads and blocks ([`Effect`]), and which registers and
//! bytes it read and set ([`Link`]). Nothing is judged here and no text is made; what a section did that was
//! then not entered is taken back. Of a very long execution the beginning is forgotten ([`Observation::dropped`]).
//!
//! Relies on addresses of heap blocks never being used again: bytes are named by their address.

mod effects;
mod links;

use crate::machine::{Machine, Step};
use crate::object::Identity;
use crate::report::Outcome;
use crate::trace::ChoiceLabel;
use crate::value::{Prov, Value};
use braid_base::Symbol;
use braid_ir::{FuncId, InstrId, Loc, Op, RegId, Space, Ty};

/// So many instructions are noted; with more, half of them are forgotten.
const LIMIT: usize = 1 << 20;

/// After so many calls nothing is noted any more.
const CALLS: usize = 1 << 22;

/// A function being executed by a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Activation {
    pub thread: u32,
    pub func: FuncId,
    /// Who called it; `None` for the first function of a thread.
    pub caller: Option<u32>,
    /// The call, or what started the thread.
    pub call: Loc,
    /// The event of the call, or of the thread's start; `None` for the first thread's first function.
    pub cause: Option<u32>,
}

/// Bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Area {
    pub object: Identity,
    pub offset: u64,
    pub len: u64,
    /// Other threads can reach the object.
    pub shared: bool,
}

/// A value as it was, with what it points to if it is a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shown {
    pub ty: Ty,
    pub bits: u128,
    pub target: Option<(Identity, i64)>,
}

/// What an instruction did, as far as people ask.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// A computation without a name.
    Nothing,
    /// A variable without an address got a value.
    Set {
        name: Symbol,
        old: Shown,
        new: Shown,
    },
    Read {
        at: Area,
        value: Option<Shown>,
        atomic: bool,
    },
    /// `old` is `None` if the bytes had no value, `new` if they are too many.
    Write {
        at: Area,
        old: Option<Shown>,
        new: Option<Shown>,
        atomic: bool,
    },
    /// State of a library model changed.
    Internal,
    /// A wait for a condition came to its end.
    Wait,
    Lock(Area),
    TryLock(Area, bool),
    Unlock(Area),
    Spawn {
        thread: u32,
        func: FuncId,
    },
    Join {
        thread: u32,
    },
    /// The thread ends.
    End,
    Alloc(Identity),
    Free(Identity),
    /// With the names and values of the parameters that have any.
    Call {
        func: FuncId,
        args: Vec<(Symbol, Shown)>,
    },
    Return(Option<Shown>),
    Choice(ChoiceLabel, Shown),
    /// A branch, and whether its condition held.
    Branch(bool),
    /// A library function is given something that it cannot be given, which is not checked; and the error that it
    /// gives back for that, if it does.
    Misuse {
        text: String,
        error: Option<String>,
    },
    /// A check, an assumption or something that ends the run.
    Check,
}

/// Something that carries a value from one instruction to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Link {
    /// A register of an activation.
    Reg {
        frame: u32,
        reg: u32,
    },
    Bytes {
        space: Space,
        start: u64,
        len: u64,
    },
    /// The end of a thread.
    End(u32),
}

/// One executed instruction, or one that is about to be executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    pub thread: u32,
    /// The activation it belongs to, and the innermost one outside of library models.
    pub frame: u32,
    pub user_frame: u32,
    pub instr: InstrId,
    /// Where it stands itself, and the innermost place outside of library models.
    pub loc: Loc,
    pub site: Loc,
    /// Others could notice it, or it belongs to an atomic section.
    pub visible: bool,
    pub effect: Box<Effect>,
    /// The object whose address it used in vain, for a failed access.
    pub target: Option<Box<Identity>>,
    pub uses: Vec<Link>,
    pub sets: Vec<Link>,
}

/// Everything a watched execution did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Observation {
    pub events: Vec<Event>,
    pub frames: Vec<Activation>,
    /// The instruction that ended the run, if one did.
    pub failed: Option<Event>,
    /// So many events before the first one were forgotten.
    pub dropped: usize,
    /// There was more than can be noted.
    pub lost: bool,
}

/// When a race or a cycle of waits was found: after so many events, forgotten ones included, between instructions
/// that are about to be executed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Moment {
    pub events: usize,
    pub about: Vec<Event>,
    /// For a livelock: after so many events the ones begin that can be repeated for ever.
    pub cycle: Option<usize>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    pub seen: Observation,
    /// By thread: its activations, outermost first.
    stacks: Vec<Vec<u32>>,
    /// By thread: what started it.
    started: Vec<(Loc, Option<u32>)>,
    /// The next instruction is a visible step.
    visible: bool,
}

/// What is known of an instruction only before it is executed.
pub(crate) struct Before<'p> {
    /// `None` for the end of a block.
    op: Option<&'p Op>,
    /// Bytes of a `copy` or `fill` that were done.
    bulk: u64,
    /// The caller's register for the result of the running function.
    result: Option<RegId>,
}

impl Watch {
    /// The running activation of a thread whose stack has the given functions, outermost first.
    fn frame(&mut self, thread: usize, depth: usize, func: FuncId) -> u32 {
        self.stacks.resize(self.stacks.len().max(thread + 1), Vec::new());
        self.stacks[thread].truncate(depth);
        if self.stacks[thread].len() < depth {
            // The first function of a thread; calls are followed as they happen.
            let (call, cause) = self.started.get(thread).copied().unwrap_or((Loc::NONE, None));
            self.push(thread, func, call, cause);
        }
        self.stacks[thread].last().copied().unwrap_or(0)
    }

    fn push(&mut self, thread: usize, func: FuncId, call: Loc, cause: Option<u32>) {
        let caller = self.stacks[thread].last().copied();
        self.stacks[thread].push(self.seen.frames.len() as u32);
        self.seen.frames.push(Activation { thread: thread as u32, func, caller, call, cause });
    }

    /// The next instruction is a visible step.
    pub fn note_visible(&mut self) {
        self.visible = true;
    }

    /// How many events there were so far.
    pub fn position(&self) -> usize {
        self.seen.dropped + self.seen.events.len()
    }

    pub fn go_back(&mut self, position: usize) {
        self.seen.events.truncate(position.saturating_sub(self.seen.dropped));
    }

    fn note(&mut self, event: Event) {
        if self.seen.events.len() >= LIMIT {
            self.forget(LIMIT / 2);
        }
        self.seen.lost |= self.seen.frames.len() > CALLS;
        self.seen.events.push(event);
    }

    /// Forgets the first events.
    fn forget(&mut self, count: usize) {
        self.seen.events.drain(..count);
        self.seen.dropped += count;
        let causes = self.seen.frames.iter_mut().map(|frame| &mut frame.cause);
        for cause in causes.chain(self.started.iter_mut().map(|(_, cause)| cause)) {
            *cause = cause.and_then(|cause| cause.checked_sub(count as u32));
        }
    }
}

impl Machine<'_> {
    /// Notes from now on what is executed.
    pub(crate) fn watch(&mut self) {
        self.watch = Some(Box::default());
    }

    /// The next instruction of a thread as an event that has not happened.
    fn about_to(&mut self, thread: usize) -> Option<Event> {
        if self.watch.as_ref().is_none_or(|watch| watch.seen.lost) {
            return None;
        }
        let at = &self.state.threads[thread];
        let (depth, func, pc) = (at.callers.len() + 1, at.frame.func, at.frame.pc);
        let frame = self.watch.as_mut()?.frame(thread, depth, func);
        let watch = self.watch.as_ref()?;
        let stack = &watch.stacks[thread];
        let internal = |frame: &&u32| {
            let activation = watch.seen.frames.get(**frame as usize);
            activation.is_none_or(|activation| self.image.function(activation.func).internal)
        };
        let user_frame = stack.iter().rev().find(|frame| !internal(frame)).copied().unwrap_or(frame);
        let (instr, loc) = self.image.origin[pc as usize];
        let at = &self.state.threads[thread];
        let site = self.site_of(at, pc).loc;
        let (uses, sets) = self.links(at, frame);
        let inside = at.section > 0 || at.unentered;
        Some(Event {
            thread: thread as u32,
            frame,
            user_frame,
            instr,
            loc,
            site,
            visible: inside,
            effect: Box::new(self.effect_before(at)),
            target: None,
            uses,
            sets,
        })
    }

    /// The moment that stands between the next instructions of threads, each with the lock that it waits for.
    pub(crate) fn moment(&mut self, threads: &[(usize, Option<u64>)]) -> Moment {
        let mut about = Vec::new();
        for (thread, lock) in threads {
            let Some(mut event) = self.about_to(*thread) else { continue };
            match lock.and_then(|address| self.lock_at(address)) {
                Some(lock) => {
                    let start = lock.object.base + lock.offset;
                    event.uses.push(Link::Bytes { space: Space::Shadow, start, len: lock.len });
                    *event.effect = Effect::Lock(lock);
                }
                None => self.look_into_guard(&mut event),
            }
            about.push(event);
        }
        let events = self.watch.as_ref().map_or(0, |watch| watch.position());
        Moment { events, about, cycle: None }
    }

    fn lock_at(&self, address: u64) -> Option<Area> {
        let memory = &self.state.memory;
        let object = memory.identity(memory.object_at(address)?)?;
        Some(Area { object, offset: address - object.base, len: 4, shared: true })
    }

    /// What a thread waits for shows when its guard is evaluated; nothing comes of that.
    fn look_into_guard(&mut self, event: &mut Event) {
        let thread = event.thread as usize;
        let pc = self.state.threads[thread].frame.pc;
        let Some(Op::AtomicBegin { when: Some(guard) }) = self.image.ops[pc as usize] else { return };
        let before = self.state.clone();
        self.state.switch_to(thread);
        let mut nobody = crate::env::RunEnv::new(std::io::empty(), std::io::sink(), std::io::sink(), None);
        // It was evaluated before, or the thread would not wait for it.
        let _ = self.guard_holds(guard, &mut crate::env::Trial(&mut nobody));
        event.uses = self.guard_links(&self.state.threads[thread], event.frame, guard);
        self.state = before;
    }

    /// Executes an instruction of the running thread, and notes it.
    #[cold]
    pub(crate) fn watched_step(&mut self, env: &mut dyn crate::env::Environment) -> Step {
        let thread = self.state.current;
        let event = self.about_to(thread);
        let at = &self.state.threads[thread];
        let op = self.image.ops[at.frame.pc as usize];
        let before = Before { op, bulk: at.bulk, result: at.frame.dst };
        let visible = self.watch.as_mut().is_some_and(|watch| std::mem::take(&mut watch.visible));
        let result = self.step(env);
        let Some(mut event) = event else { return result };
        match &result {
            Ok(()) => {
                event.visible |= visible || matches!(op, Some(Op::Spawn { .. }));
                self.complete(&mut event, &before);
                self.follow(&event);
                self.note_event(event);
            }
            Err(outcome) => match **outcome {
                Outcome::Blocked { .. } => {}
                Outcome::AssumeFailed { .. } => self.note_event(event),
                _ => {
                    event.target = self.failed_target(thread).map(Box::new);
                    if let Some(object) = &event.target {
                        let (start, len) = (object.base, object.size.max(1));
                        event.uses.push(Link::Bytes { space: Space::Memory, start, len });
                    }
                    if let Some(watch) = &mut self.watch {
                        watch.seen.failed = Some(event);
                    }
                }
            },
        }
        result
    }

    fn note_event(&mut self, event: Event) {
        if let Some(watch) = &mut self.watch {
            watch.note(event);
        }
    }

    /// Keeps up with calls and new threads; the event is about to be noted.
    fn follow(&mut self, event: &Event) {
        let Some(watch) = &mut self.watch else { return };
        let cause = Some(watch.seen.events.len() as u32);
        match *event.effect {
            Effect::Call { func, .. } => watch.push(event.thread as usize, func, event.loc, cause),
            Effect::Spawn { thread, .. } => {
                watch.started.resize(thread as usize + 1, (Loc::NONE, None));
                watch.started[thread as usize] = (event.site, cause);
            }
            _ => {}
        }
    }

    /// A value as people see it.
    fn shown(&self, ty: Ty, value: Value) -> Shown {
        let memory = &self.state.memory;
        let target = match value.prov {
            Prov::Object(id) => memory
                .identity(id)
                .map(|object| (object, memory.signed_distance(value.address(), object.base))),
            Prov::None | Prov::Mixed => None,
        };
        Shown { ty, bits: value.bits, target }
    }
}
