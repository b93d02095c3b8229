//! Locks: what they are called, and how calls take them and give them back.
//!
//! *Claim*: a hold that is `certain` is a lock that the running thread holds; whatever lock it holds is one of the holds.
//! *Relies on*: `sync` for objects that are in order, and obligations that stand in the way of everything where a lock could
//! be given back or made anew by somebody else. *Proof*: a call that blocks returns with the lock. A release takes away what is
//! surely this lock, and the certainty of what may be it.

use super::forms;
use super::registers::Run;
use super::survey::{Awaited, Holding, Wait as Waits};
use super::sync::Subject;
use super::{Invalid, all, only};
use crate::certificate::Kind;
use crate::range::Range;
use crate::state::{Hold, LockName, Mode, life};
use crate::value::{ObjectId, Value};
use braid_ir::{Operand, RegId};
use braid_models::{Sync, Wait};
use braid_props::{Check, CheckSet};
use std::collections::BTreeMap;

/// Adds targets, which are addresses.
pub(super) fn add_targets(to: &mut Vec<(ObjectId, Range)>, more: &[(ObjectId, Range)]) {
    let mut value = Value { targets: std::mem::take(to), ..Value::NONE };
    for (object, range) in more {
        value.add_target(*object, *range);
    }
    *to = value.targets;
}

pub(super) fn add_released(released: &mut BTreeMap<ObjectId, Range>, object: ObjectId, range: Range) {
    let entry = released.entry(object).or_insert(range);
    *entry = entry.join(range);
}

/// One hold for each name and mode, in order.
pub(super) fn merge(holds: &mut Vec<Hold>) {
    let mut merged: BTreeMap<(Option<LockName>, Mode), Hold> = BTreeMap::new();
    for hold in holds.drain(..) {
        match merged.get_mut(&(hold.name, hold.mode)) {
            Some(known) => {
                add_targets(&mut known.targets, &hold.targets);
                known.certain |= hold.certain;
            }
            None => {
                merged.insert((hold.name, hold.mode), hold);
            }
        }
    }
    holds.extend(merged.into_values());
    holds.sort();
}

/// Returns true if two sets of addresses have one in common.
pub(super) fn meet(a: &[(ObjectId, Range)], b: &[(ObjectId, Range)]) -> bool {
    a.iter().any(|(object, at)| {
        b.iter().any(|(other, from)| object == other && Range::interferes(*at, 1, *from, 1))
    })
}

fn deadlock_too(check: Check) -> CheckSet {
    CheckSet::from_iter([check, Check::Deadlock])
}

impl Run<'_, '_> {
    /// The name of a lock.
    pub fn lock_name(&self, subject: &Subject) -> Option<LockName> {
        if let Some((object, at)) = subject.place().filter(|(object, _)| self.cx.single(*object)) {
            return Some(LockName::Place(object, at));
        }
        let form = forms::linear(&self.state, subject.operand.reg()?);
        match form.scale {
            1 if form.object.is_none() => Some(LockName::Relative(form.base, form.offset)),
            _ => subject.operand.reg().map(|reg| LockName::Relative(reg, 0)),
        }
    }

    /// Returns true if both are surely the same lock.
    pub fn same_lock(&self, a: LockName, b: LockName) -> bool {
        self.apart(a, b) == Some(0)
    }

    /// The distance of two locks, if it is known.
    fn apart(&self, a: LockName, b: LockName) -> Option<i64> {
        if a == b {
            return Some(0);
        }
        if let (LockName::Relative(r, k), LockName::Relative(s, l)) = (a, b)
            && let Some(between) = forms::distance(&self.state, r, s)
        {
            return between.checked_add(k)?.checked_sub(l);
        }
        let ((one, at), (other, from)) = (self.exact_lock(a)?, self.exact_lock(b)?);
        (one == other).then(|| at.checked_sub(from)).flatten()
    }

    /// The place of a lock, where there is only one such object now.
    fn exact_lock(&self, name: LockName) -> Option<(ObjectId, i64)> {
        let is_one = |object: ObjectId| self.cx.single(object) || self.cx.is_own(object);
        match name {
            LockName::Section => None,
            LockName::Place(object, at) => Some((object, at)),
            LockName::Relative(reg, at) => {
                let (object, offset) = forms::exact(&self.operand(Operand::Reg(reg)))?;
                is_one(object).then_some(())?;
                Some((object, offset.checked_add(at)?))
            }
        }
    }

    /// Returns true if a hold may be this lock.
    fn may_be(&self, hold: &Hold, name: Option<LockName>, targets: &[(ObjectId, Range)]) -> bool {
        let distance = hold.name.zip(name).and_then(|(a, b)| self.apart(a, b));
        distance.is_none_or(|distance| distance == 0) && meet(&hold.targets, targets)
    }

    /// Takes a lock, or tries to.
    pub fn acquire(
        &mut self,
        subject: &Subject,
        mode: Mode,
        wait: Wait,
        dst: Option<RegId>,
    ) -> Result<(), Invalid> {
        self.record_sync(subject, Kind::Read)?;
        let life = self.life(subject)?;
        let good = self.in_order(subject, &life);
        let name = self.lock_name(subject);
        if self.state.holds.iter().any(|hold| self.may_be(hold, name, &subject.targets)) {
            let word = subject.sort.word();
            self.open(
                deadlock_too(Check::LockMisuse),
                format!("the {word} may be held by the thread already"),
            );
        }
        if wait == Wait::Blocks {
            self.note_wait(Awaited::Lock(subject.targets.clone(), mode));
        }
        let certain = good && wait == Wait::Blocks && name.is_some();
        let is_new = !self.state.holds.iter().any(|hold| hold.mode == mode && hold.name == name);
        self.drop_tried(name, &subject.targets);
        self.state.holds.push(Hold { name, mode, targets: subject.targets.clone(), certain });
        merge(&mut self.state.holds);
        if let Some(dst) = dst {
            // A mutex of the default kind never refuses, nor does a spin lock.
            let simple = !matches!(subject.sort, Sync::ReadWriteLock);
            let kinds = life.numbers.is_some_and(|numbers| numbers.contains(life::READY_KIND));
            match certain && simple && !kinds {
                true => self.set(dst, Value::null()),
                false => self.set_any(dst),
            }
            let sure = good && wait != Wait::Blocks && is_new;
            let named = name.filter(|name| !matches!(name, LockName::Relative(reg, _) if *reg == dst));
            if let Some(name) = named.filter(|_| sure) {
                self.state.tried.insert(dst, (name, mode));
            }
        }
        Ok(())
    }

    /// Results that tell of a lock tell nothing once it may have been taken or released otherwise.
    fn drop_tried(&mut self, name: Option<LockName>, targets: &[(ObjectId, Range)]) {
        let gone: Vec<RegId> = self
            .state
            .tried
            .iter()
            .filter(|(_, (tried, mode))| {
                let hold =
                    self.state.holds.iter().find(|hold| hold.name == Some(*tried) && hold.mode == *mode);
                hold.is_none_or(|hold| self.may_be(hold, name, targets))
            })
            .map(|(reg, _)| *reg)
            .collect();
        for reg in gone {
            self.state.tried.remove(&reg);
        }
    }

    /// What registers tell of locks that were tried.
    pub fn settle_tried(&mut self, other: Option<RegId>) {
        let tried: Vec<_> = self.state.tried.iter().map(|(reg, tried)| (*reg, *tried)).collect();
        for (reg, (name, mode)) in tried {
            let value = self.operand(Operand::Reg(reg));
            let is_zero = value.constant() == Some(0);
            let never_zero =
                other == Some(reg) || value.only_numbers().is_some_and(|range| !range.contains(0));
            let named = |hold: &Hold| hold.name == Some(name) && hold.mode == mode;
            let Some(at) = self.state.holds.iter().position(named) else { continue };
            if is_zero {
                self.state.holds[at].certain = true;
            } else if never_zero && !self.state.holds[at].certain {
                self.state.holds.remove(at);
            }
        }
    }

    /// Gives a lock back.
    pub fn release(&mut self, subject: &Subject) -> Result<(), Invalid> {
        self.record_sync(subject, Kind::Read)?;
        let life = self.life(subject)?;
        self.in_order(subject, &life);
        let name = self.lock_name(subject);
        if !self.is_held(name) {
            self.open(all(), format!("the {} that is released may not be held", subject.sort.word()));
        }
        self.give_back(name, &subject.targets);
        self.settle()
    }

    /// Returns true if the lock is held for certain.
    pub fn is_held(&self, name: Option<LockName>) -> bool {
        let certain = |hold: &Hold| hold.certain && hold.mode != Mode::Passed;
        let mut holds = self.state.holds.iter().filter(|hold| certain(hold));
        holds.any(|hold| hold.name.zip(name).is_some_and(|(a, b)| self.same_lock(a, b)))
    }

    fn give_back(&mut self, name: Option<LockName>, targets: &[(ObjectId, Range)]) {
        self.drop_tried(name, targets);
        let mut kept = Vec::new();
        for mut hold in self.state.holds.clone() {
            let same = hold.name.zip(name).is_some_and(|(a, b)| self.same_lock(a, b));
            if hold.mode == Mode::Passed || !(same || self.may_be(&hold, name, targets)) {
                kept.push(hold);
            } else if !same {
                hold.certain = false;
                kept.push(hold);
            }
        }
        self.state.holds = kept;
        merge(&mut self.state.holds);
        for (object, range) in targets {
            add_released(&mut self.state.released, *object, *range);
        }
    }

    /// A wait at a condition variable: releases the mutex and takes it again.
    pub fn wait(&mut self, cond: &Subject, mutex: &Subject) -> Result<(), Invalid> {
        self.record_sync(cond, Kind::Read)?;
        let life = self.life(cond)?;
        self.in_order(cond, &life);
        let name = self.lock_name(mutex);
        self.one_mutex(cond, name);
        let held = self.is_held(name);
        self.release(mutex)?;
        self.note_wait(Awaited::Lock(mutex.targets.clone(), Mode::Exclusive));
        let hold = Hold { name, mode: Mode::Exclusive, targets: mutex.targets.clone(), certain: held };
        self.state.holds.push(hold);
        merge(&mut self.state.holds);
        self.open(only(Check::Deadlock), "a wait at a condition variable may never end");
        Ok(())
    }

    /// All waits at a condition variable release one and the same mutex.
    fn one_mutex(&self, cond: &Subject, name: Option<LockName>) {
        let name = name.filter(|name| matches!(name, LockName::Place(..)));
        self.cx.survey.note(|found| {
            for (object, at) in &cond.targets {
                let pairs = found.pairs.entry(self.cx.shared(*object)).or_default();
                if !pairs.contains(&(*at, name)) {
                    pairs.push((*at, name));
                }
            }
        });
        let found = self.cx.survey.get();
        let same = cond.targets.iter().all(|(object, at)| {
            let pairs = found.pairs.get(&self.cx.shared(*object)).into_iter().flatten();
            let mut here = pairs.filter(|(other, _)| Range::interferes(*at, 1, *other, 1));
            here.all(|(_, other)| *other == name)
        });
        if name.is_none() || !same {
            self.open(
                only(Check::LockMisuse),
                "waits at the condition variable may be with different mutexes",
            );
        }
    }

    /// Initialises an object.
    pub fn init(&mut self, subject: &Subject, kind: i128, sure: bool) -> Result<(), Invalid> {
        self.record_sync(subject, Kind::Write)?;
        self.unused(subject, "initialised");
        self.set_life(subject, kind, sure)
    }

    pub fn destroy(&mut self, subject: &Subject) -> Result<(), Invalid> {
        self.record_sync(subject, Kind::Write)?;
        let life = self.life(subject)?;
        let good = self.in_order(subject, &life);
        self.unused(subject, "destroyed");
        if matches!(subject.sort, Sync::ConditionVariable | Sync::Barrier) {
            self.open(only(Check::Deadlock), "the object may be waited for until all threads have left it");
        }
        self.set_life(subject, life::DESTROYED, good)
    }

    /// Nobody holds the object or waits at it.
    fn unused(&self, subject: &Subject, what: &str) {
        let name = self.lock_name(subject);
        let word = subject.sort.word();
        let here = |hold: &Hold| hold.mode != Mode::Passed && self.may_be(hold, name, &subject.targets);
        if self.state.holds.iter().any(here) {
            self.open(all(), format!("the {word} that is {what} may be held"));
        }
        for (object, at) in subject.targets.iter().filter(|(object, _)| !self.cx.is_own(*object)) {
            let spot = super::cells::Spot::sync(*object, *at);
            let used = self.meeting(spot).flat_map(|cell| &cell.accesses).any(|access| {
                self.cx.meet((self.instance, &self.state.alive), (access.instance, &access.alive))
            });
            if used {
                self.open(all(), format!("the {word} that is {what} may be in use by another thread"));
            }
        }
    }

    /// The thread waits with what it holds.
    pub fn note_wait(&self, awaited: Awaited) {
        if self.state.holds.iter().any(|hold| hold.name == Some(LockName::Section)) {
            self.open(only(Check::Deadlock), "a thread may wait inside of an atomic section");
        }
        let holding = |hold: &&Hold| hold.mode != Mode::Passed && hold.name != Some(LockName::Section);
        let holds = self.state.holds.iter().filter(holding);
        let certain = self.state.holds.iter().filter(|hold| hold.certain && hold.mode == Mode::Exclusive);
        let place = |hold: &Hold| match hold.name.and_then(|name| self.exact_lock(name)) {
            Some((object, at)) if self.cx.single(object) => Some((object, at)),
            Some(_) | None => None,
        };
        self.cx.survey.wait(Waits {
            instance: self.instance,
            instr: self.instr,
            loc: self.loc,
            awaited,
            holding: holds.map(|hold| Holding { targets: hold.targets.clone(), mode: hold.mode }).collect(),
            certain: certain.filter_map(place).collect(),
        });
    }
}

/// Atomic sections.
impl Run<'_, '_> {
    pub fn begin_section(&mut self) {
        let section = Some(LockName::Section);
        if self.state.holds.iter().any(|hold| hold.name == section) {
            self.open(only(Check::Deadlock), "an atomic section may begin inside of another one");
        }
        self.state.holds.push(Hold {
            name: section,
            mode: Mode::Exclusive,
            targets: Vec::new(),
            certain: true,
        });
        merge(&mut self.state.holds);
    }

    pub fn end_section(&mut self) -> Result<(), Invalid> {
        self.state.holds.retain(|hold| hold.name != Some(LockName::Section));
        self.settle()
    }
}
