//! Whether a claimed state includes a computed one.
//!
//! *Claim*: if [`Run::include`] returns, everything that the computed state describes is described by the claimed one. *Relies
//! on*: entries of claimed states being eligible in them, which [`Run::stands`] sees to once for each. *Proof*: part by part.
//! What the claimed state does not say any more becomes known to others first, where they could not know it.

use super::cells::{Spot, bits, eligible};
use super::flow::Flow;
use super::forms;
use super::memory::uniform_includes;
use super::registers::Run;
use super::{Invalid, Missing, Point};
use crate::certificate::Place;
use crate::eval::Registers;
use crate::range::Range;
use crate::state::{Hold, InstanceId, Key, Known, LockName, Mode, Own, State};
use crate::value::{ObjectId, ThreadId, Value};
use braid_ir::{BlockId, LocalId, RegId};
use std::collections::BTreeSet;

/// Where a path leads.
pub(super) struct Goal<'g> {
    pub what: &'g str,
    pub point: Point,
    /// Registers that are read there before they are set; none where registers mean nothing.
    pub live: Option<&'g BTreeSet<RegId>>,
}

/// A part of a state that does not include another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Register(RegId),
    /// What a register is in terms of another one.
    Form(RegId),
    /// Where a register was loaded from.
    Loaded(RegId),
    /// The lock that was tried, whose result is in a register.
    Tried(RegId),
    Pristine,
    Known(Key),
    /// Own objects that the claimed state does not have.
    Own,
    /// An own object that is a shared one by now.
    Shared(ObjectId),
    Contents(ObjectId),
    Holds,
    Alive,
    /// How often the thread has waited at barriers.
    Passed,
    Solo,
    Joinable,
    Team(ThreadId),
    Below(ThreadId),
    /// What may have happened since the function was entered, and what may exist.
    Sets,
}

impl<'c, 'a> Run<'c, 'a> {
    /// The path goes on in a block.
    pub fn edge(mut self, to: BlockId) -> Result<(), Invalid> {
        let claimed = &self.cx.certificate.instances[self.instance].blocks[to];
        let flow: &Flow = self.flow();
        self.open = self.open.intersection(&flow.open[to]).copied().collect();
        let what = format!("at the beginning of {to}");
        let mut differs = None;
        for (index, state) in claimed.iter().enumerate() {
            let point = Point::Block(self.instance, to, index);
            let goal = Goal { what: &what, point, live: Some(&flow.live[to]) };
            let included = self.cx.attempt(|| {
                if self.own_but(state).is_empty() {
                    return self.include(state, &goal);
                }
                let mut path = self.clone();
                path.leak_all_but(state)?;
                path.include(state, &goal)
            });
            match included {
                Ok(()) => return Ok(()),
                Err(invalid) => _ = differs.get_or_insert(invalid),
            }
        }
        if let Some(invalid) = differs.filter(|_| self.cx.gaps.is_none()) {
            return Err(invalid);
        }
        let point = Point::Block(self.instance, to, claimed.len());
        let missing = Missing::State(point, Box::new(self.state.clone()));
        self.needs(missing, format!("{to} can be reached"), &"reached", &"not reached")
    }

    /// A callee begins in this state, or a thread.
    pub fn include_entry(&self, instance: InstanceId, mut entry: State, atomic: bool) -> Result<(), Invalid> {
        if atomic && !entry.holds.iter().any(|hold| hold.name == Some(LockName::Section)) {
            let section = Some(LockName::Section);
            entry.holds.push(Hold {
                name: section,
                mode: Mode::Exclusive,
                targets: Vec::new(),
                certain: true,
            });
            super::locks::merge(&mut entry.holds);
        }
        let inner = Run {
            instance,
            function: self.cx.function_of(instance),
            state: entry,
            open: BTreeSet::new(),
            definitions: Default::default(),
            ..self.clone()
        };
        if !self.cx.is_entered(instance) {
            let missing = Missing::State(Point::Entry(instance), Box::new(inner.state));
            return self.needs(missing, format!("{instance} is entered"), &"entered", &"not entered");
        }
        let claimed = &self.cx.certificate.instances[instance].entry;
        let what = format!("in the entry of {instance}");
        let live = &self.cx.flow_of(instance).live[BlockId(0)];
        inner.include(claimed, &Goal { what: &what, point: Point::Entry(instance), live: Some(live) })
    }

    /// Objects that are not own ones in the claimed state become shared. A draft may have them yet.
    pub fn leak_all_but(&mut self, claimed: &State) -> Result<(), Invalid> {
        for object in self.own_but(claimed) {
            if self.state.own.contains_key(&object) {
                self.leak(object)?;
            }
        }
        Ok(())
    }

    /// Objects that are own ones here and not in the claimed state.
    fn own_but(&self, claimed: &State) -> Vec<ObjectId> {
        let is_draft = self.cx.gaps.is_some();
        let may_come = |object: ObjectId| is_draft && !self.is_mistaken(claimed, object);
        let own = self.state.own.keys().copied();
        own.filter(|object| !claimed.own.contains_key(object) && !may_come(*object)).collect()
    }

    pub fn differs<T>(
        &self,
        goal: &Goal,
        part: Part,
        computed: &dyn std::fmt::Debug,
        claimed: &dyn std::fmt::Debug,
    ) -> Result<T, Invalid> {
        if let Some(gaps) = self.cx.gaps {
            gaps.borrow_mut().parts.push(part);
        }
        let missing = Missing::State(goal.point, Box::new(self.state.clone()));
        self.lacks(missing, format!("{part:?} {}", goal.what), computed, claimed)
    }

    pub fn include(&self, claimed: &State, goal: &Goal) -> Result<(), Invalid> {
        if self.cx.gaps.is_some() {
            self.include_in_draft(claimed, goal);
            return Ok(());
        }
        self.registers_within(claimed, goal)?;
        self.relations_within(claimed, goal)?;
        self.memory_within(claimed, goal)?;
        self.own_within(claimed, goal)?;
        self.holds_within(claimed, goal)?;
        self.threads_within(claimed, goal)?;
        self.teams_within(claimed, goal)?;
        self.sets_within(claimed, goal)
    }

    /// A draft that lacks the state is told so, and how it differs.
    fn include_in_draft(&self, claimed: &State, goal: &Goal) {
        if self.state.own.keys().any(|object| !claimed.own.contains_key(object)) {
            _ = self.differs::<()>(goal, Part::Own, &self.state.own, &claimed.own);
        }
        // What is missing has been noted where it was found.
        _ = self.registers_within(claimed, goal);
        _ = self.relations_within(claimed, goal);
        _ = self.memory_within(claimed, goal);
        _ = self.own_within(claimed, goal);
        _ = self.holds_within(claimed, goal);
        _ = self.threads_within(claimed, goal);
        _ = self.teams_within(claimed, goal);
        _ = self.sets_within(claimed, goal);
    }

    fn registers_within(&self, claimed: &State, goal: &Goal) -> Result<(), Invalid> {
        let Some(live) = goal.live else { return Ok(()) };
        for (reg, value) in &claimed.registers {
            let computed = self.get(*reg);
            if !covers(value, &computed, self.width(self.function.regs[*reg].ty)) {
                return self.differs(goal, Part::Register(*reg), &computed, value);
            }
        }
        for (reg, value) in self.state.registers.iter().filter(|(reg, _)| live.contains(reg)) {
            if !claimed.registers.contains_key(reg) && value.only_numbers().is_none() && !value.is_none() {
                return self.differs(goal, Part::Register(*reg), value, &"any number");
            }
        }
        Ok(())
    }

    /// What is said of registers in terms of others.
    fn relations_within(&self, claimed: &State, goal: &Goal) -> Result<(), Invalid> {
        if goal.live.is_none() {
            return Ok(());
        }
        for (reg, form) in &claimed.forms {
            let stays = |reg: RegId| self.keeps_integers(claimed, reg);
            if !forms::entails(&self.state, *reg, *form) || !stays(*reg) || !stays(form.base) {
                return self.differs(goal, Part::Form(*reg), &self.state.forms.get(reg), form);
            }
        }
        for (reg, loaded) in &claimed.loaded {
            if self.state.loaded.get(reg) != Some(loaded) {
                return self.differs(goal, Part::Loaded(*reg), &self.state.loaded.get(reg), loaded);
            }
        }
        for (reg, tried) in &claimed.tried {
            if self.state.tried.get(reg) != Some(tried) {
                return self.differs(goal, Part::Tried(*reg), &self.state.tried.get(reg), tried);
            }
        }
        Ok(())
    }

    /// The integer that a register stands for is the same in the claimed state.
    pub fn keeps_integers(&self, claimed: &State, reg: RegId) -> bool {
        let width = self.width(self.function.regs[reg].ty);
        let now = self.get(reg);
        match (now.numbers, claimed.registers.get(&reg)) {
            (None, _) => true,
            (Some(_), Some(value)) => value.includes(&Value { targets: vec![], handles: vec![], ..now }),
            (Some(numbers), None) => Range::full(width).includes(numbers),
        }
    }

    fn memory_within(&self, claimed: &State, goal: &Goal) -> Result<(), Invalid> {
        if claimed.pristine && !self.state.pristine {
            return self.differs(goal, Part::Pristine, &false, &true);
        }
        if self.state.pristine && !claimed.pristine {
            self.leave_pristine(&self.state)?;
        }
        for (key, known) in self.state.known.iter().filter(|(key, _)| !self.cx.is_own(key.object)) {
            let kept = claimed.known.get(key);
            if kept.is_some_and(|kept| !covers(&kept.value, &known.value, bits(key.bytes))) {
                return self.differs(goal, Part::Known(*key), known, &kept);
            }
            if known.dirty && kept.is_none_or(|kept| !kept.dirty) {
                self.publish(Spot::of(*key), &known.value)?;
            }
        }
        for (key, known) in claimed.known.iter().filter(|(key, _)| !self.state.known.contains_key(key)) {
            self.is_so(key, known, goal)?;
        }
        Ok(())
    }

    /// The place has the value though nothing is known of it.
    fn is_so(&self, key: &Key, known: &Known, goal: &Goal) -> Result<(), Invalid> {
        if self.cx.is_own(key.object) && !self.state.own.contains_key(&key.object) {
            return Ok(());
        }
        let value = self.read(Spot::of(*key));
        if covers(&known.value, &value, bits(key.bytes)) {
            return Ok(());
        }
        self.differs(goal, Part::Known(*key), &value, known)
    }

    fn own_within(&self, claimed: &State, goal: &Goal) -> Result<(), Invalid> {
        for (object, contents) in &claimed.own {
            let Some(own) = self.state.own.get(object) else {
                if self.is_mistaken(&self.state, *object) {
                    return self.differs(goal, Part::Shared(*object), &"shared", &"own");
                }
                continue;
            };
            let mut own = own.clone();
            for (key, known) in self.state.known.iter().filter(|(key, _)| key.object == *object) {
                match claimed.known.get(key) {
                    Some(kept) if covers(&kept.value, &known.value, bits(key.bytes)) => {}
                    Some(kept) => return self.differs(goal, Part::Known(*key), known, kept),
                    None => lose(&mut own, *key, known, self.cx.pointer_bytes()),
                }
            }
            if !uniform_includes(&contents.data, &own.data) || !contents.sync.includes(&own.sync) {
                return self.differs(goal, Part::Contents(*object), &own, contents);
            }
        }
        Ok(())
    }

    /// Returns true if the object of a living frame may be a shared one, so that its name must not be that of an own one.
    pub fn is_mistaken(&self, state: &State, own: ObjectId) -> bool {
        let open = |local: &LocalId| self.open.contains(local);
        match self.cx.made(own).map(|made| made.place) {
            Some(Place::Local(instance, local)) if instance == self.instance => {
                state.lost.contains(&own) && open(&local)
            }
            Some(Place::Local(..)) => state.lost.contains(&own),
            Some(Place::Block(..)) | None => false,
        }
    }

    fn holds_within(&self, claimed: &State, goal: &Goal) -> Result<(), Invalid> {
        let within = |hold: &Hold, kept: &Hold| {
            let targets = Value { targets: kept.targets.clone(), ..Value::NONE };
            let same = match (hold.name, kept.name) {
                (_, None) => true,
                (Some(a), Some(b)) => self.same_lock(a, b),
                (None, Some(_)) => false,
            };
            hold.mode == kept.mode
                && same
                && targets.includes(&Value { targets: hold.targets.clone(), ..Value::NONE })
        };
        for hold in &self.state.holds {
            if !claimed.holds.iter().any(|kept| within(hold, kept)) {
                return self.differs(goal, Part::Holds, hold, &claimed.holds);
            }
        }
        for kept in claimed.holds.iter().filter(|kept| kept.certain) {
            let same = |hold: &Hold| {
                let names = hold.name.zip(kept.name);
                let mode =
                    hold.mode == kept.mode || (hold.mode, kept.mode) == (Mode::Exclusive, Mode::Shared);
                hold.certain && mode && names.is_some_and(|(a, b)| self.same_lock(a, b))
            };
            if !self.state.holds.iter().any(same) {
                return self.differs(goal, Part::Holds, &self.state.holds, kept);
            }
        }
        Ok(())
    }

    fn threads_within(&self, claimed: &State, goal: &Goal) -> Result<(), Invalid> {
        let now = &self.state;
        if !now.alive.is_subset(&claimed.alive) {
            return self.differs(goal, Part::Alive, &now.alive, &claimed.alive);
        }
        if !super::barriers::includes(&claimed.passed, &now.passed) {
            return self.differs(goal, Part::Passed, &now.passed, &claimed.passed);
        }
        let solo = |thread| now.solo.contains(thread) || !now.alive.contains(thread);
        if !claimed.solo.iter().all(solo) {
            return self.differs(goal, Part::Solo, &now.solo, &claimed.solo);
        }
        let joinable = |thread| now.joinable.contains(thread) || !now.started.contains(thread);
        if !claimed.joinable.iter().all(joinable) {
            return self.differs(goal, Part::Joinable, &now.joinable, &claimed.joinable);
        }
        Ok(())
    }

    fn sets_within(&self, claimed: &State, goal: &Goal) -> Result<(), Invalid> {
        let now = &self.state;
        for (object, range) in &now.released {
            if !claimed.released.get(object).is_some_and(|claimed| claimed.includes(*range)) {
                return self.differs(goal, Part::Sets, &now.released, &claimed.released);
            }
        }
        if !now.touched.is_subset(&claimed.touched) {
            return self.differs(goal, Part::Sets, &now.touched, &claimed.touched);
        }
        if !now.started.is_subset(&claimed.started) {
            return self.differs(goal, Part::Sets, &now.started, &claimed.started);
        }
        if !now.ended.is_subset(&claimed.ended) {
            return self.differs(goal, Part::Sets, &now.ended, &claimed.ended);
        }
        if !now.over.is_subset(&claimed.over) {
            return self.differs(goal, Part::Sets, &now.over, &claimed.over);
        }
        if !now.lost.is_subset(&claimed.lost) {
            return self.differs(goal, Part::Sets, &now.lost, &claimed.lost);
        }
        Ok(())
    }

    /// Everything that the state of the path says of shared memory is something that it can know.
    pub fn stands(&self, what: &str, point: Point) -> Result<(), Invalid> {
        let locks = self.held(None, None);
        for (key, known) in self.state.known.iter().filter(|(key, _)| !self.cx.is_own(key.object)) {
            if !eligible(self.cx, self.instance, &self.state, *key, known.dirty, &locks) {
                let text = format!("what is known {what} can be changed by others");
                return self.lacks(Missing::Unknown(point, *key), text, key, known);
            }
        }
        let quiet = |loaded: &crate::state::Loaded| match loaded {
            crate::state::Loaded::Place(key) => {
                self.cx.is_own(key.object) || self.state.known.contains_key(key)
            }
            crate::state::Loaded::Element(object, ..) => self.is_quiet(*object),
        };
        if let Some(team) = self.state.teams.values().find(|team| !self.is_quiet(team.array)) {
            return self.leaves(format!("the handles of a team {what} can be changed by others"), team, &"");
        }
        match self.state.loaded.values().find(|loaded| !quiet(loaded)) {
            Some(loaded) => {
                self.leaves(format!("what was loaded {what} can be changed by others"), loaded, &"")
            }
            None => Ok(()),
        }
    }
}

/// An entry is not known any more, but is among the contents.
pub(super) fn lose(own: &mut Own, key: Key, known: &Known, pointer_bytes: u64) {
    match key.space {
        crate::state::Space::Sync => {
            own.sync.join(&known.value);
        }
        crate::state::Space::Data => {
            super::memory::blur(&mut own.data, Spot::of(key), &known.value, false, pointer_bytes);
        }
    }
}

/// Returns true if one set of values has every value of another one, as patterns of this width.
pub(super) fn covers(claimed: &Value, computed: &Value, width: u8) -> bool {
    let numbers = match (claimed.numbers, computed.numbers) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(claimed), Some(computed)) => claimed.includes(computed) || claimed.covers(computed, width),
    };
    numbers && claimed.includes(&Value { numbers: None, ..computed.clone() })
}
