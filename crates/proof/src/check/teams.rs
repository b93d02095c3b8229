//! Threads that are started and joined in loops: how many there are, where their handles are, and which arguments they have.
//!
//! *Claim*: a team tells exactly how many threads of its kind the running thread has started and not joined, and where their
//! handles are; the arguments of those that may be alive are at most what `below` says. *Relies on*: handles in places that no
//! other thread writes to ([`Run::is_quiet`]), and forms. *Proof*: a start whose handle is stored right behind the last one
//! adds one thread; a join of the first or the last handle takes one away; every other start, join, detach or store that may
//! hit a handle drops the team. A new argument that lies above all others by some distance is apart from each of them by that.

use super::cells::Spot;
use super::forms;
use super::include::{Goal, Part};
use super::memory::Address;
use super::registers::Run;
use super::{Invalid, Missing};
use crate::range::Range;
use crate::state::{Below, Bound, Form, Loaded, Team};
use crate::value::{ObjectId, ThreadId, Value};
use braid_ir::{Operand, RegId};

/// A linear function of a register, or a number where there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Line {
    base: Option<(RegId, i64)>,
    offset: i64,
}

impl Line {
    fn of(form: Form) -> Line {
        Line { base: Some((form.base, form.scale)), offset: form.offset }
    }

    fn number(offset: i64) -> Line {
        Line { base: None, offset }
    }

    fn times(self, scale: i64) -> Option<Line> {
        let base = match self.base.filter(|_| scale != 0) {
            Some((reg, by)) => Some((reg, by.checked_mul(scale)?)),
            None => None,
        };
        Some(Line { base, offset: self.offset.checked_mul(scale)? })
    }

    fn plus(self, by: i64) -> Option<Line> {
        Some(Line { offset: self.offset.checked_add(by)?, ..self })
    }
}

impl Run<'_, '_> {
    /// A bound in terms of registers that have no form.
    fn line(&self, bound: Bound) -> Option<Line> {
        match bound {
            Bound::Const(number) => Some(Line::number(number)),
            Bound::Register(reg, offset) => self.line_of(reg).plus(offset),
            Bound::Outer(..) => None,
        }
    }

    fn line_of(&self, reg: RegId) -> Line {
        let form = forms::linear(&self.state, reg);
        let number =
            |reg: RegId| self.operand(Operand::Reg(reg)).constant().and_then(|n| i64::try_from(n).ok());
        let whole = number(form.base).and_then(|base| base.checked_mul(form.scale)?.checked_add(form.offset));
        whole.or_else(|| number(reg)).map_or(Line::of(form), Line::number)
    }

    /// Returns true if both bounds are surely the same number.
    pub fn same_bound(&self, a: Bound, b: Bound) -> bool {
        a == b || self.line(a).is_some_and(|line| Some(line) == self.line(b))
    }

    /// The bounds of what a bound may be.
    fn reach(&self, bound: Bound) -> Option<(i128, i128)> {
        match bound {
            Bound::Const(number) => Some((number.into(), number.into())),
            Bound::Register(reg, offset) => {
                let range = self.operand(Operand::Reg(reg)).only_numbers()?;
                Some((range.lo().checked_add(offset.into())?, range.hi().checked_add(offset.into())?))
            }
            Bound::Outer(..) => None,
        }
    }

    fn surely_less(&self, a: Bound, b: Bound) -> bool {
        let lines = self.line(a).zip(self.line(b));
        let by_form = lines.is_some_and(|(a, b)| a.base == b.base && a.offset < b.offset);
        by_form || self.reach(a).zip(self.reach(b)).is_some_and(|(a, b)| a.1 < b.0)
    }

    /// The offset of the handle at an index.
    fn place_at(&self, team: &Team, index: Bound) -> Option<Line> {
        self.line(index)?.times(team.stride)?.plus(team.base)
    }

    /// The object and the offset of an address, if it is surely in that object.
    fn line_of_address(&self, address: &Address) -> Option<(ObjectId, Line)> {
        if let Some((object, at)) = forms::exact(&address.value) {
            return Some((object, Line::number(at)));
        }
        let [(object, _)] = address.value.targets.as_slice() else { return None };
        let (operand, shift) = address.operand?;
        let form = forms::linear(&self.state, operand.reg()?);
        let in_object = address.value.numbers.is_none() && address.value.handles.is_empty();
        // The base must be an index: a pointer is no number.
        let index = self.operand(Operand::Reg(form.base)).only_numbers().is_some();
        (in_object && index && form.object == Some(*object)).then_some((*object, Line::of(form).plus(shift)?))
    }

    fn is_one(&self, object: ObjectId) -> bool {
        self.cx.is_own(object) || self.cx.single(object)
    }

    /// A thread was started and its handle stored. Returns true if that is right behind the last one of the team.
    pub fn extend_team(
        &mut self,
        thread: ThreadId,
        before: Option<Team>,
        was_alive: bool,
        address: &Address,
    ) -> bool {
        self.state.teams.remove(&thread);
        let Some((object, place)) = self.line_of_address(address) else { return false };
        if !self.is_one(object) || !self.is_quiet(object) {
            return false;
        }
        let behind =
            before.filter(|team| team.array == object && self.place_at(team, team.hi) == Some(place));
        let team = match behind {
            Some(team) => next(team.hi, 1).map(|hi| Team { hi, ..team }),
            None if !was_alive => self.first_of_team(object, place),
            None => None,
        };
        if let Some(team) = team {
            self.state.teams.insert(thread, team);
        }
        behind.is_some() && team.is_some()
    }

    /// A team of one.
    fn first_of_team(&self, array: ObjectId, place: Line) -> Option<Team> {
        match place.base {
            Some((reg, stride)) if stride >= self.cx.pointer_bytes() as i64 => Some(Team {
                array,
                base: place.offset,
                stride,
                lo: Bound::Register(reg, 0),
                hi: Bound::Register(reg, 1),
            }),
            Some(_) => None,
            None => Some(Team {
                array,
                base: place.offset,
                stride: self.cx.pointer_bytes() as i64,
                lo: Bound::Const(0),
                hi: Bound::Const(1),
            }),
        }
    }

    /// Handles of teams may be overwritten.
    pub fn forget_teams(&mut self, spot: Spot) {
        let hit: Vec<ThreadId> =
            self.state.teams.iter().filter(|(_, team)| self.hits(spot, team)).map(|(t, _)| *t).collect();
        hit.iter().for_each(|thread| {
            self.state.teams.remove(thread);
        });
    }

    fn hits(&self, spot: Spot, team: &Team) -> bool {
        if team.array != spot.object {
            return false;
        }
        let bytes = self.cx.pointer_bytes();
        let handles = self.cx.most_size(team.array).filter(|_| team.stride > 0).and_then(|size| {
            let stride = i128::from(team.stride);
            let lo = i128::from(team.base).rem_euclid(stride);
            let steps = (size - lo).max(0) / stride;
            Range::new(lo, lo + steps * stride, if steps == 0 { 0 } else { team.stride.unsigned_abs() })
        });
        handles.is_none_or(|handles| spot.meets(handles, bytes))
    }

    /// Teams whose handles others may write to mean nothing.
    pub fn settle_teams(&mut self) {
        let loud: Vec<ThreadId> =
            self.state.teams.iter().filter(|(_, team)| !self.is_quiet(team.array)).map(|(t, _)| *t).collect();
        loud.iter().for_each(|thread| {
            self.state.teams.remove(thread);
        });
    }

    /// Teams that are empty have no thread alive.
    pub fn disband(&mut self) {
        let empty = |team: &Team| self.same_bound(team.lo, team.hi);
        let over: Vec<ThreadId> = self
            .state
            .teams
            .iter()
            .filter(|(t, team)| self.state.alive.contains(t) && empty(team))
            .map(|(t, _)| *t)
            .collect();
        for thread in over {
            self.has_ended(thread);
        }
    }

    /// The thread whose handle this is, if it is the first or the last one of a team. It is no longer in the team.
    pub fn join_of_team(&mut self, handle: Operand) -> Option<ThreadId> {
        let (object, place) = match self.state.loaded.get(&handle.reg()?)? {
            Loaded::Place(key) => (key.object, Line::number(key.offset)),
            Loaded::Element(object, form, _) => (*object, compose_line(self.line_of(form.base), *form)?),
        };
        let teams: Vec<(ThreadId, Team)> = self.state.teams.iter().map(|(t, team)| (*t, *team)).collect();
        for (thread, team) in teams {
            if team.array != object || !self.surely_less(team.lo, team.hi) || !self.is_quiet(object) {
                continue;
            }
            let last = next(team.hi, -1)?;
            let left = if self.place_at(&team, team.lo) == Some(place) {
                next(team.lo, 1).map(|lo| Team { lo, ..team })
            } else if self.place_at(&team, last) == Some(place) {
                // A handle may be put into this place again: places do not count the threads any more.
                if self.cx.certificate.threads[thread].most.is_some() {
                    self.state.teams.remove(&thread);
                    continue;
                }
                Some(Team { hi: last, ..team })
            } else {
                None
            };
            if let Some(left) = left {
                self.state.teams.insert(thread, left);
                self.disband();
                return Some(thread);
            }
        }
        None
    }
}

/// The form of a register, in terms of what its base is.
fn compose_line(base: Line, form: Form) -> Option<Line> {
    base.times(form.scale)?.plus(form.offset)
}

fn next(bound: Bound, by: i64) -> Option<Bound> {
    match bound {
        Bound::Const(number) => number.checked_add(by).map(Bound::Const),
        Bound::Register(reg, offset) => offset.checked_add(by).map(|offset| Bound::Register(reg, offset)),
        Bound::Outer(instance, reg, offset) => {
            offset.checked_add(by).map(|offset| Bound::Outer(instance, reg, offset))
        }
    }
}

/// Inclusion.
impl Run<'_, '_> {
    pub fn teams_within(&self, claimed: &crate::state::State, goal: &Goal) -> Result<(), Invalid> {
        for (thread, team) in &claimed.teams {
            let now = self.state.teams.get(thread);
            let same = now.is_some_and(|now| self.same_team(now, team));
            // Where threads are counted by their places, a team is the same from the first start on.
            let counted = self.cx.certificate.threads[*thread].most.is_some();
            let fresh = !counted || !self.state.started.contains(thread);
            let none = !self.state.alive.contains(thread) && self.same_bound(team.lo, team.hi);
            let empty = fresh && none;
            let integers = [team.lo, team.hi].iter().all(|bound| match bound {
                Bound::Register(reg, _) => goal.live.is_none() || self.keeps_integers(claimed, *reg),
                Bound::Const(_) | Bound::Outer(..) => true,
            });
            if !(same || empty) || !integers {
                return self.differs(goal, Part::Team(*thread), &now, team);
            }
        }
        for (thread, below) in &claimed.below {
            let now = self.state.below.get(thread);
            let within = now.is_some_and(|now| self.is_within(now, below));
            let integers = goal.live.is_none() || self.keeps_integers(claimed, below.register);
            if !(within && integers) && self.state.alive.contains(thread) {
                return self.differs(goal, Part::Below(*thread), &now, below);
            }
        }
        Ok(())
    }

    fn same_team(&self, now: &Team, claimed: &Team) -> bool {
        let first = |team: &Team| self.place_at(team, team.lo);
        let last = |team: &Team| self.place_at(team, team.hi);
        let alike = now.array == claimed.array && now.stride == claimed.stride;
        let exact = now.base == claimed.base
            && self.same_bound(now.lo, claimed.lo)
            && self.same_bound(now.hi, claimed.hi);
        let moved = first(now).is_some()
            && first(now) == first(claimed)
            && last(now).is_some()
            && last(now) == last(claimed);
        alike && now.stride != 0 && (exact || moved)
    }

    fn is_within(&self, now: &Below, claimed: &Below) -> bool {
        let lines = self.top(now).zip(self.top(claimed));
        let lower = lines.is_some_and(|(a, b)| a.base == b.base && a.offset <= b.offset);
        now.object == claimed.object && (now == claimed || lower)
    }

    /// The greatest argument that there may be.
    fn top(&self, below: &Below) -> Option<Line> {
        self.line_of(below.register).times(below.scale)?.plus(below.offset)
    }

    /// Returns true if the arguments of all threads of a kind that are alive at a time are apart by what is claimed.
    pub fn keeps_apart(&mut self, thread: ThreadId, argument: Operand, value: &Value) -> Result<(), Invalid> {
        let claimed = self.cx.certificate.threads[thread].apart;
        let alone = !self.state.alive.contains(&thread);
        let place = self.line_of_argument(argument, value);
        let above = self.state.below.remove(&thread).zip(place).and_then(|(below, (object, line))| {
            let top = self.top(&below).filter(|top| top.base == line.base && below.object == object)?;
            line.offset.checked_sub(top.offset)
        });
        if let Some((reg, least)) = claimed {
            let good = alone || above.is_some_and(|above| above >= least);
            // The entry of a draft may not have the argument yet.
            let inside = self.cx.gaps.is_some() || self.is_integer_inside(thread, reg, value);
            let known = inside && self.starts_alone(thread);
            if !good || !known {
                let missing = Missing::Apart(thread, above.filter(|above| known && *above > 0));
                self.needs(missing, format!("arguments of {thread} are apart"), &(alone, above), &claimed)?;
            }
        }
        let rises = alone || above.is_some_and(|above| above >= 0);
        if let Some((object, Line { base: Some((register, scale)), offset })) = place.filter(|_| rises) {
            self.state.below.insert(thread, Below { object, register, scale, offset });
        }
        Ok(())
    }

    /// The argument as a line: a number, or an offset in one object.
    fn line_of_argument(&self, argument: Operand, value: &Value) -> Option<(Option<ObjectId>, Line)> {
        if value.only_numbers().is_some() {
            return Some((None, Line::of(forms::linear(&self.state, argument.reg()?))));
        }
        let [(object, _)] = value.targets.as_slice() else { return None };
        let form = forms::linear(&self.state, argument.reg()?);
        let index = self.operand(Operand::Reg(form.base)).only_numbers().is_some();
        let in_object = value.numbers.is_none() && value.handles.is_empty();
        (index && in_object && form.object == Some(*object)).then_some((Some(*object), Line::of(form)))
    }

    /// Returns true if all threads of a kind are started by one and the same thread.
    pub fn starts_alone(&self, thread: ThreadId) -> bool {
        let threads = &self.cx.certificate.threads;
        let starts = self.cx.certificate.starts.iter().filter(|(.., t)| *t == thread);
        let mut starters = starts.map(|(instance, ..)| self.cx.threads(*instance));
        let own = self.cx.threads(self.instance);
        let single = own.len() == 1 && own.iter().all(|t| threads[*t].single);
        single && starters.all(|other| other == own) && !threads[thread].descendants.contains(&thread)
    }

    /// The argument stands for the same integer in the thread.
    fn is_integer_inside(&self, thread: ThreadId, reg: RegId, value: &Value) -> bool {
        let root = &self.cx.certificate.instances[self.cx.certificate.threads[thread].root];
        let function = &self.cx.program.functions[root.function];
        let whole = Range::full(self.width(function.regs[reg].ty));
        let claimed = root.entry.registers.get(&reg).and_then(|value| value.numbers).unwrap_or(whole);
        value.numbers.is_none_or(|numbers| claimed.includes(numbers) && whole.includes(numbers))
    }
}
