//! Effects of instructions as actions of a step.

use super::Action;
use super::names::Names;
use super::signs::Signs;
use crate::schedule::ChoiceName;
use braid_base::{HashSet, Symbol};
use braid_interp::ChoiceLabel;
use braid_interp::object::Kind;
use braid_interp::watch::{Activation, Area, Effect, Event, Link, Shown};
use braid_ir::{ChoiceKind, FuncId, RegId};

/// So many changes that a library function makes in one step are shown.
const LIBRARY_CHANGES: usize = 4;

pub(super) struct Actions<'a> {
    pub names: Names<'a>,
    frames: &'a [Activation],
    signs: Signs,
    /// Variables without an address that have a value, by activation.
    known: HashSet<(u32, u32)>,
}

impl<'a> Actions<'a> {
    pub fn new(names: Names<'a>, frames: &'a [Activation]) -> Actions<'a> {
        Actions { signs: Signs::new(names.program), names, frames, known: HashSet::default() }
    }

    fn in_library(&self, event: &Event) -> bool {
        event.frame != event.user_frame
            || self
                .frames
                .get(event.frame as usize)
                .is_none_or(|frame| self.names.program.functions[frame.func].internal)
    }

    /// Adds what the event does to the actions of its step.
    pub fn add(&mut self, event: &Event, actions: &mut Vec<Action>) {
        let library = self.in_library(event);
        let action = match &*event.effect {
            Effect::Set { name, old, new } => Some(self.set(event, *name, old, new)),
            Effect::Read { at, value, .. } => self.read(at, value.as_ref(), library),
            Effect::Write { at, old, new, .. } => {
                self.write(at, old.as_ref(), new.as_ref(), library, actions)
            }
            Effect::Lock(at) => Some(Action::Lock { mutex: self.names.lock(at) }),
            Effect::TryLock(at, taken) => Some(Action::TryLock { mutex: self.names.lock(at), taken: *taken }),
            Effect::Unlock(at) => Some(Action::Unlock { mutex: self.names.lock(at) }),
            Effect::Spawn { thread, func } => {
                let function = self.names.program.functions[*func].name;
                Some(Action::Start { thread: *thread as usize, function, place: event.site })
            }
            Effect::Join { thread } => Some(Action::Join { thread: *thread as usize }),
            Effect::Misuse { text, error } => {
                Some(Action::Refuse { text: text.clone(), error: error.clone() })
            }
            Effect::End => Some(Action::End),
            Effect::Alloc(object) => {
                self.names.note_block(object);
                (object.kind == Kind::Heap)
                    .then(|| Action::Allocate { block: self.names.block(object), bytes: object.size })
            }
            Effect::Free(object) => {
                (object.kind == Kind::Heap).then(|| Action::Free { block: self.names.block(object) })
            }
            Effect::Call { func, args } if !library => self.call(*func, args),
            Effect::Return(value) if !library => {
                Some(Action::Return { value: value.as_ref().map(|value| self.names.value(value)) })
            }
            // That a call succeeds goes without saying.
            Effect::Choice(ChoiceLabel::Kind(ChoiceKind::CallFail), value) if value.bits == 0 => None,
            Effect::Choice(label, value) => {
                let value = self.names.value_as(value, self.sets_unsigned(event));
                Some(Action::Choose { choice: ChoiceName::of(*label), value, place: event.site })
            }
            Effect::Call { .. }
            | Effect::Return(_)
            | Effect::Branch(_)
            | Effect::Check
            | Effect::Nothing
            | Effect::Internal
            | Effect::Wait => None,
        };
        // Saying the same twice helps nobody.
        if let Some(action) = action.filter(|action| !actions.contains(action)) {
            actions.push(action);
        }
    }

    /// A variable without an address gets a value.
    fn set(&mut self, event: &Event, name: Symbol, old: &Shown, new: &Shown) -> Action {
        let unsigned = self.sets_unsigned(event);
        let known = &mut self.known;
        let first = event.sets.iter().all(|link| match link {
            Link::Reg { frame, reg } => known.insert((*frame, *reg)),
            Link::Bytes { .. } | Link::End(_) => true,
        });
        Action::Assign {
            variable: name.to_string(),
            old: (!first).then(|| self.names.value_as(old, unsigned)),
            new: Some(self.names.value_as(new, unsigned)),
            shared: false,
        }
    }

    /// A call of a function that the user wrote.
    fn call(&self, func: FuncId, args: &[(Symbol, Shown)]) -> Option<Action> {
        let function = &self.names.program.functions[func];
        // Those with a name, as they were collected.
        let params = function.params.iter().filter(|param| function.regs[**param].name.is_some());
        let argument = |((name, value), param): (&(Symbol, Shown), &RegId)| {
            let unsigned = self.signs.register(func, param.0);
            (name.to_string(), self.names.value_as(value, unsigned))
        };
        let arguments = args.iter().zip(params).map(argument).collect();
        (!function.internal).then_some(Action::Call { function: function.name, arguments })
    }

    /// Whether the variable that the event sets is unsigned.
    fn sets_unsigned(&self, event: &Event) -> bool {
        event.sets.iter().any(|link| match link {
            Link::Reg { frame, reg } => self
                .frames
                .get(*frame as usize)
                .is_some_and(|activation| self.signs.register(activation.func, *reg)),
            Link::Bytes { .. } | Link::End(_) => false,
        })
    }

    fn read(&self, at: &Area, value: Option<&Shown>, library: bool) -> Option<Action> {
        let shown = at.shared && !library && !at.object.read_only;
        shown.then(|| Action::Read {
            variable: self.names.area(at),
            value: value.map(|value| self.names.value_as(value, self.signs.memory(at))),
        })
    }

    fn write(
        &self,
        at: &Area,
        old: Option<&Shown>,
        new: Option<&Shown>,
        library: bool,
        actions: &[Action],
    ) -> Option<Action> {
        let is_handle = new.is_some_and(|new| {
            new.target.as_ref().is_some_and(|(object, _)| matches!(object.kind, Kind::Thread(_)))
        });
        let changes = || actions.iter().filter(|action| matches!(action, Action::Assign { .. })).count();
        if library && (is_handle || changes() >= LIBRARY_CHANGES) {
            return None;
        }
        let unsigned = self.signs.memory(at);
        Some(Action::Assign {
            variable: self.names.area(at),
            old: old.map(|old| self.names.value_as(old, unsigned)),
            new: new.map(|new| self.names.value_as(new, unsigned)),
            shared: at.shared,
        })
    }
}
