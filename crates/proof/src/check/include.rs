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
use crate::value::{ObjectId, Value};
use braid_ir::{BlockId, LocalId, RegId};
use std::collections::{BTreeMap, BTreeSet};

/// Where a path leads.
pub(super) struct Goal<'g> {
    pub what: &'g str,
    pub point: Point,
    /// Registers that are read there before they are set; none where registers mean nothing.
    pub live: Option<&'g BTreeSet<RegId>>,
}

impl<'c, 'a> Run<'c, 'a> {
    /// The path goes on in a block.
    pub fn edge(mut self, to: BlockId) -> Result<(), Invalid> {
        let claimed = &self.cx.certificate.instances[self.instance].blocks[to];
        let Some(claimed) = claimed else {
            let missing = Missing::State(Point::Block(self.instance, to), Box::new(self.state.clone()));
            return self.lacks(missing, format!("{to} can be reached"), &"reached", &"not reached");
        };
        let flow: &Flow = self.flow();
        self.open = self.open.intersection(&flow.open[to]).copied().collect();
        self.leak_all_but(&claimed.own)?;
        let what = format!("at the beginning of {to}");
        self.include(
            claimed,
            &Goal { what: &what, point: Point::Block(self.instance, to), live: Some(&flow.live[to]) },
        )
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
        let claimed = &self.cx.certificate.instances[instance].entry;
        let what = format!("in the entry of {instance}");
        let live = &self.cx.flow_of(instance).live[BlockId(0)];
        inner.include(claimed, &Goal { what: &what, point: Point::Entry(instance), live: Some(live) })
    }

    /// Own objects that are no longer so become shared.
    pub fn leak_all_but(&mut self, kept: &BTreeMap<ObjectId, Own>) -> Result<(), Invalid> {
        let gone: Vec<ObjectId> = self.state.own.keys().copied().filter(|o| !kept.contains_key(o)).collect();
        for object in gone {
            if self.state.own.contains_key(&object) {
                self.leak(object)?;
            }
        }
        Ok(())
    }

    pub fn differs<T>(
        &self,
        goal: &Goal,
        part: &str,
        computed: &dyn std::fmt::Debug,
        claimed: &dyn std::fmt::Debug,
    ) -> Result<T, Invalid> {
        let missing = Missing::State(goal.point, Box::new(self.state.clone()));
        self.lacks(missing, format!("{part} {}", goal.what), computed, claimed)
    }

    pub fn include(&self, claimed: &State, goal: &Goal) -> Result<(), Invalid> {
        if let Some(live) = goal.live {
            self.registers_within(claimed, goal, live)?;
            self.relations_within(claimed, goal)?;
        }
        self.memory_within(claimed, goal)?;
        self.own_within(claimed, goal)?;
        self.holds_within(claimed, goal)?;
        self.threads_within(claimed, goal)?;
        self.teams_within(claimed, goal)?;
        self.sets_within(claimed, goal)
    }

    fn registers_within(&self, claimed: &State, goal: &Goal, live: &BTreeSet<RegId>) -> Result<(), Invalid> {
        for (reg, value) in &claimed.registers {
            let computed = self.get(*reg);
            if !covers(value, &computed, self.width(self.function.regs[*reg].ty)) {
                return self.differs(goal, &format!("the register {reg}"), &computed, value);
            }
        }
        for (reg, value) in self.state.registers.iter().filter(|(reg, _)| live.contains(reg)) {
            if !claimed.registers.contains_key(reg) && value.only_numbers().is_none() && !value.is_none() {
                return self.differs(goal, &format!("the register {reg}"), value, &"any number");
            }
        }
        Ok(())
    }

    /// What is said of registers in terms of others.
    fn relations_within(&self, claimed: &State, goal: &Goal) -> Result<(), Invalid> {
        for (reg, form) in &claimed.forms {
            let stays = |reg: RegId| self.keeps_integers(claimed, reg);
            if !forms::entails(&self.state, *reg, *form) || !stays(*reg) || !stays(form.base) {
                return self.differs(goal, &format!("the form of {reg}"), &self.state.forms.get(reg), form);
            }
        }
        for (reg, loaded) in &claimed.loaded {
            if self.state.loaded.get(reg) != Some(loaded) {
                return self.differs(
                    goal,
                    &format!("where {reg} was loaded"),
                    &self.state.loaded.get(reg),
                    loaded,
                );
            }
        }
        for (reg, tried) in &claimed.tried {
            if self.state.tried.get(reg) != Some(tried) {
                return self.differs(
                    goal,
                    &format!("the lock tried in {reg}"),
                    &self.state.tried.get(reg),
                    tried,
                );
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
            return self.differs(goal, "pristine", &false, &true);
        }
        if self.state.pristine && !claimed.pristine {
            self.leave_pristine(&self.state)?;
        }
        for (key, known) in self.state.known.iter().filter(|(key, _)| !self.cx.is_own(key.object)) {
            let kept = claimed.known.get(key);
            if kept.is_some_and(|kept| !covers(&kept.value, &known.value, bits(key.bytes))) {
                return self.differs(goal, &format!("what is known of {key:?}"), known, &kept);
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
        self.differs(goal, &format!("what is known of {key:?}"), &value, known)
    }

    fn own_within(&self, claimed: &State, goal: &Goal) -> Result<(), Invalid> {
        for (object, contents) in &claimed.own {
            let Some(own) = self.state.own.get(object) else {
                if self.is_mistaken(*object) {
                    let part = format!("{}, which is shared by now", self.cx.name(*object));
                    return self.differs(goal, &part, &"shared", &"own");
                }
                continue;
            };
            let mut own = own.clone();
            for (key, known) in self.state.known.iter().filter(|(key, _)| key.object == *object) {
                match claimed.known.get(key) {
                    Some(kept) if covers(&kept.value, &known.value, bits(key.bytes)) => {}
                    Some(kept) => {
                        return self.differs(goal, &format!("what is known of {key:?}"), known, kept);
                    }
                    None => self.lose(&mut own, *key, known),
                }
            }
            if !uniform_includes(&contents.data, &own.data) || !contents.sync.includes(&own.sync) {
                return self.differs(
                    goal,
                    &format!("the contents of {}", self.cx.name(*object)),
                    &own,
                    contents,
                );
            }
        }
        Ok(())
    }

    /// An entry is not known any more, but is among the contents.
    fn lose(&self, own: &mut Own, key: Key, known: &Known) {
        match key.space {
            crate::state::Space::Sync => {
                own.sync.join(&known.value);
            }
            crate::state::Space::Data => {
                let pointer_bytes = self.cx.pointer_bytes();
                super::memory::blur(&mut own.data, Spot::of(key), &known.value, false, pointer_bytes);
            }
        }
    }

    /// Returns true if the object of a living frame may be a shared one, so that its name must not be that of an own one.
    fn is_mistaken(&self, own: ObjectId) -> bool {
        let open = |local: &LocalId| self.open.contains(local);
        match self.cx.made(own).map(|made| made.place) {
            Some(Place::Local(instance, local)) if instance == self.instance => {
                self.state.lost.contains(&own) && open(&local)
            }
            Some(Place::Local(..)) => self.state.lost.contains(&own),
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
                return self.differs(goal, "a lock that may be held", hold, &claimed.holds);
            }
        }
        for kept in claimed.holds.iter().filter(|kept| kept.certain) {
            let same = |hold: &Hold| {
                let names = hold.name.zip(kept.name);
                hold.certain && hold.mode == kept.mode && names.is_some_and(|(a, b)| self.same_lock(a, b))
            };
            if !self.state.holds.iter().any(same) {
                return self.differs(goal, "a lock that is held for certain", &self.state.holds, kept);
            }
        }
        Ok(())
    }

    fn threads_within(&self, claimed: &State, goal: &Goal) -> Result<(), Invalid> {
        let now = &self.state;
        if !now.alive.is_subset(&claimed.alive) {
            return self.differs(goal, "threads alive", &now.alive, &claimed.alive);
        }
        let solo = |thread| now.solo.contains(thread) || !now.alive.contains(thread);
        if !claimed.solo.iter().all(solo) {
            return self.differs(goal, "threads that are alone of their kind", &now.solo, &claimed.solo);
        }
        let joinable = |thread| now.joinable.contains(thread) || !now.started.contains(thread);
        if !claimed.joinable.iter().all(joinable) {
            return self.differs(goal, "threads that can be joined", &now.joinable, &claimed.joinable);
        }
        Ok(())
    }

    fn sets_within(&self, claimed: &State, goal: &Goal) -> Result<(), Invalid> {
        let now = &self.state;
        for (object, range) in &now.released {
            if !claimed.released.get(object).is_some_and(|claimed| claimed.includes(*range)) {
                return self.differs(goal, "locks released", &now.released, &claimed.released);
            }
        }
        if !now.touched.is_subset(&claimed.touched) {
            return self.differs(goal, "threads touched", &now.touched, &claimed.touched);
        }
        if !now.made.is_subset(&claimed.made) {
            return self.differs(goal, "objects made", &now.made, &claimed.made);
        }
        if !now.started.is_subset(&claimed.started) {
            return self.differs(goal, "threads started", &now.started, &claimed.started);
        }
        if !now.ended.is_subset(&claimed.ended) {
            return self.differs(goal, "objects ended", &now.ended, &claimed.ended);
        }
        if !now.lost.is_subset(&claimed.lost) {
            return self.differs(goal, "objects lost", &now.lost, &claimed.lost);
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

/// Returns true if one set of values has every value of another one, as patterns of this width.
pub(super) fn covers(claimed: &Value, computed: &Value, width: u8) -> bool {
    let numbers = match (claimed.numbers, computed.numbers) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(claimed), Some(computed)) => claimed.includes(computed) || claimed.covers(computed, width),
    };
    numbers && claimed.includes(&Value { numbers: None, ..computed.clone() })
}
