//! Calls: what the callee is entered with, and what is true when it has returned.
//!
//! *Claim*: the state after a call describes the caller once the callee has returned. *Relies on*: the claimed states of the
//! callee's entry and exit, which include what is computed there, and its sets `released`, `touched` and `lost`. *Proof*: the
//! callee's exit speaks of everything but the caller's registers and of what is said in terms of them. An address in them of
//! an own object that was lost on the way is that of a shared one; a lock whose name the callee could not know is held still if
//! none was released that it may be.

use super::forms;
use super::registers::Run;
use super::step::Paths;
use super::{Invalid, Missing};
use crate::certificate::{Instance, Place};
use crate::eval;
use crate::range::Range;
use crate::state::{Bound, Hold, InstanceId, LockName, State};
use crate::value::{ObjectId, Value};
use braid_ir::{Callee, FuncId, Function, Operand, RegId, Ty};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl<'c, 'a> Run<'c, 'a> {
    pub fn call(
        self,
        dst: Option<RegId>,
        callee: &Callee,
        args: &[Operand],
    ) -> Result<Paths<'c, 'a>, Invalid> {
        let functions = match callee {
            Callee::Direct(function) => return self.call_one(dst, *function, args, false),
            Callee::Pointer(pointer) => self.functions(&self.operand(*pointer)),
        };
        let mut paths = Vec::new();
        for function in functions {
            paths.extend(self.clone().call_one(dst, function, args, true)?);
        }
        Ok(paths)
    }

    /// The functions that a pointer points to.
    pub fn functions(&self, pointer: &Value) -> Vec<FuncId> {
        let code = |(object, at): &(ObjectId, Range)| {
            eval::as_function(self.cx.program, *object).filter(|_| *at == Range::point(0))
        };
        let functions: Vec<FuncId> = pointer.targets.iter().filter_map(code).collect();
        let only = pointer.numbers.is_none() && pointer.handles.is_empty();
        if !only || functions.is_empty() || functions.len() < pointer.targets.len() {
            self.doubt("the pointer may be no function's");
        }
        functions
    }

    fn call_one(
        self,
        dst: Option<RegId>,
        function: FuncId,
        args: &[Operand],
        by_pointer: bool,
    ) -> Result<Paths<'c, 'a>, Invalid> {
        let callee = &self.cx.program.functions[function];
        let name = callee.name.as_str();
        if braid_models::is_beyond_effects(name) && (by_pointer || !self.internal) {
            self.doubt(format!("{name}() does what is not followed"));
        }
        if callee.internal
            && let Some(effect) = braid_models::effect(name)
        {
            return self.library(dst, effect, name, args);
        }
        Ok(self.enter(dst, function, args)?.into_iter().collect())
    }

    /// The path after a call of a function of the program, if it returns.
    pub fn enter(
        mut self,
        dst: Option<RegId>,
        function: FuncId,
        args: &[Operand],
    ) -> Result<Option<Run<'c, 'a>>, Invalid> {
        let callee = &self.cx.program.functions[function];
        if callee.blocks.is_empty() {
            self.doubt(format!("{}() has no definition", callee.name));
            return Ok(None);
        }
        let calls = &self.cx.certificate.calls;
        let at =
            calls.binary_search_by_key(&(self.instance, self.instr, function), |(n, i, f, _)| (*n, *i, *f));
        let Ok(at) = at else {
            return self.lacks(
                Missing::Call(function),
                "a call that the certificate does not have",
                &callee.name,
                &"",
            );
        };
        let instance = calls[at].3;
        let claimed = &self.cx.certificate.instances[instance];
        if !self.cx.threads(self.instance).is_subset(&claimed.threads) {
            let (own, missing) = (self.cx.threads(self.instance), self.cx.threads(self.instance).clone());
            let missing = Missing::Threads(instance, missing);
            self.needs(missing, "threads of the callee", own, &claimed.threads)?;
        }
        if self.cx.is_entered(instance) {
            self.leak_all_but(&claimed.entry)?;
        }
        self.drop_outer();
        let entry = self.entry_of(callee, args);
        let known = self.cx.gaps_found();
        self.include_entry(instance, entry, callee.atomic)?;
        self.cx.enters(instance);
        // What a draft says of the return does not take this entry into account yet.
        if self.cx.gaps_found() > known {
            return Ok(None);
        }
        let Some((exit, value)) = &claimed.exit else { return Ok(None) };
        let result = value.clone();
        let was_inside = self.state.holds.iter().any(|hold| hold.name == Some(LockName::Section));
        self.come_back(instance, claimed, exit, args);
        if callee.atomic && was_inside {
            self.maybe_inside();
        }
        if let Some(dst) = dst {
            let ty = self.function.regs[dst].ty;
            let result = match callee.ret {
                Some(from) => coerce(&self, result, from, ty),
                None => Value::any(self.width(ty)),
            };
            self.set(dst, result);
        }
        Ok(Some(self))
    }

    /// Teams whose bounds speak of an older frame of the caller's instance mean nothing in the callee.
    fn drop_outer(&mut self) {
        let instance = self.instance;
        let of_older = move |bound: Bound| matches!(bound, Bound::Outer(outer, ..) if outer == instance);
        self.state.teams.retain(|_, team| !of_older(team.lo) && !of_older(team.hi));
    }

    /// The state in which the callee begins.
    fn entry_of(&self, callee: &Function, args: &[Operand]) -> State {
        let mut registers = BTreeMap::new();
        for (index, param) in callee.params.iter().enumerate() {
            let ty = callee.regs[*param].ty;
            let value = match args.get(index) {
                Some(arg) => coerce(self, self.operand(*arg), self.type_of(*arg), ty),
                None => Value::any(self.width(ty)),
            };
            registers.insert(*param, value);
        }
        let mut holds: Vec<Hold> =
            self.state.holds.iter().map(|hold| self.hold_inside(hold, callee, args)).collect();
        super::locks::merge(&mut holds);
        let outer = |bound: Bound| match bound {
            Bound::Register(reg, offset) => Bound::Outer(self.instance, reg, offset),
            Bound::Const(_) | Bound::Outer(..) => bound,
        };
        let mut teams = self.state.teams.clone();
        for team in teams.values_mut() {
            (team.lo, team.hi) = (outer(team.lo), outer(team.hi));
        }
        State {
            registers,
            forms: BTreeMap::new(),
            loaded: BTreeMap::new(),
            tried: BTreeMap::new(),
            holds,
            released: BTreeMap::new(),
            teams,
            below: BTreeMap::new(),
            passed: self.state.passed.clone(),
            touched: BTreeSet::new(),
            lost: BTreeSet::new(),
            over: BTreeSet::new(),
            known: Arc::clone(&self.state.known),
            own: self.state.own.clone(),
            pristine: self.state.pristine,
            alive: self.state.alive.clone(),
            solo: self.state.solo.clone(),
            joinable: self.state.joinable.clone(),
            started: self.state.started.clone(),
            ended: self.state.ended.clone(),
        }
    }

    /// A hold, as the callee names it.
    fn hold_inside(&self, hold: &Hold, callee: &Function, args: &[Operand]) -> Hold {
        let Some(LockName::Relative(reg, at)) = hold.name else { return hold.clone() };
        let name = callee.params.iter().zip(args).find_map(|(param, operand)| {
            let arg = operand.reg()?;
            (self.width(self.type_of(*operand)) == self.width(callee.regs[*param].ty)).then_some(())?;
            let between = forms::distance(&self.state, arg, reg)?;
            Some(LockName::Relative(*param, at.checked_sub(between)?))
        });
        Hold { name, certain: hold.certain && name.is_some(), ..hold.clone() }
    }

    /// The state after the return: what the exit says, and what the caller alone knows.
    fn come_back(&mut self, instance: InstanceId, claimed: &Instance, exit: &State, args: &[Operand]) {
        let before = self.state.clone();
        let mut after = exit.clone();
        after.registers = before.registers.clone();
        after.forms = before.forms.clone();
        after.loaded = BTreeMap::new();
        after.below = before.below.clone();
        after.below.retain(|thread, _| !exit.touched.contains(thread));
        after.touched.extend(&before.touched);
        after.lost.extend(&before.lost);
        after.over.extend(&before.over);
        let callee = &self.cx.program.functions[claimed.function];
        let flow = self.cx.flow_of(instance);
        after.holds = self.holds_after(&before, exit, callee, flow, args);
        for (object, range) in &before.released {
            super::locks::add_released(&mut after.released, *object, *range);
        }
        after.tried = before.tried.clone();
        after.tried.retain(|_, (name, mode)| {
            let hold = before.holds.iter().find(|hold| hold.name == Some(*name) && hold.mode == *mode);
            let kept = after.holds.iter().any(|hold| hold.name == Some(*name) && hold.mode == *mode);
            kept && hold.is_some_and(|hold| !self.may_be_released(&hold.targets, exit))
        });
        self.teams_after(&mut after);
        self.state = after;
        self.mend_names(&before, exit);
        let touched: Vec<_> = exit.touched.iter().copied().collect();
        for thread in touched {
            for value in self.state.registers.values_mut() {
                value.forget_latest(thread);
            }
        }
    }

    /// The atomic function was called inside of a section, which may or may not go on.
    fn maybe_inside(&mut self) {
        let section = Some(LockName::Section);
        self.state.holds.retain(|hold| hold.name != section);
        let mode = crate::state::Mode::Exclusive;
        self.state.holds.push(Hold { name: section, mode, targets: Vec::new(), certain: false });
        super::locks::merge(&mut self.state.holds);
    }

    /// Bounds in terms of the caller's registers.
    fn teams_after(&self, after: &mut State) {
        let instance = self.instance;
        let back = |bound: Bound| match bound {
            Bound::Outer(outer, reg, offset) if outer == instance => Some(Bound::Register(reg, offset)),
            Bound::Register(..) => None,
            Bound::Const(_) | Bound::Outer(..) => Some(bound),
        };
        after.teams.retain(|_, team| match (back(team.lo), back(team.hi)) {
            (Some(lo), Some(hi)) => {
                (team.lo, team.hi) = (lo, hi);
                true
            }
            _ => false,
        });
    }

    fn may_be_released(&self, targets: &[(ObjectId, Range)], exit: &State) -> bool {
        targets.iter().any(|(object, at)| {
            [*object, self.cx.shared(*object)].iter().any(|object| {
                exit.released.get(object).is_some_and(|range| Range::interferes(*at, 1, *range, 1))
            })
        })
    }

    fn holds_after(
        &self,
        before: &State,
        exit: &State,
        callee: &Function,
        flow: &super::flow::Flow,
        args: &[Operand],
    ) -> Vec<Hold> {
        let back = |hold: &Hold| -> Hold {
            let Some(LockName::Relative(reg, at)) = hold.name else { return hold.clone() };
            let arg = callee.params.iter().position(|param| *param == reg && !flow.set.contains(param));
            let arg = arg.and_then(|index| args.get(index)).and_then(|operand| {
                let same = self.width(self.type_of(*operand)) == self.width(callee.regs[reg].ty);
                operand.reg().filter(|_| same)
            });
            let name = arg.and_then(|arg| {
                let form = forms::linear(before, arg);
                match form.scale {
                    1 if form.object.is_none() => {
                        Some(LockName::Relative(form.base, form.offset.checked_add(at)?))
                    }
                    _ => Some(LockName::Relative(arg, at)),
                }
            });
            Hold { name, certain: hold.certain && name.is_some(), ..hold.clone() }
        };
        let mut holds: Vec<Hold> = exit.holds.iter().map(back).collect();
        for hold in before.holds.iter().filter(|hold| hold.certain && hold.name != Some(LockName::Section)) {
            if self.may_be_released(&hold.targets, exit) {
                continue;
            }
            let mut hold = hold.clone();
            for object in &exit.lost {
                let mut targets = Value { targets: std::mem::take(&mut hold.targets), ..Value::NONE };
                targets.rename(*object, self.cx.shared(*object));
                hold.targets = targets.targets;
                if let Some(LockName::Place(at, offset)) = hold.name
                    && at == *object
                {
                    let shared = self.cx.shared(at);
                    hold.name = self.cx.single(shared).then_some(LockName::Place(shared, offset));
                    hold.certain &= hold.name.is_some();
                }
            }
            holds.push(hold);
        }
        super::locks::merge(&mut holds);
        holds
    }

    /// Own objects that are not what they were at the call.
    fn mend_names(&mut self, before: &State, exit: &State) {
        let mut again = Vec::new();
        for object in &exit.lost {
            self.state.forms.retain(|_, form| form.object != Some(*object));
            let shared = self.cx.shared(*object);
            // A frame object that was alive at the call is so now, by one name or the other.
            let local = matches!(self.cx.made(*object).map(|made| made.place), Some(Place::Local(..)));
            let gone = before.ended.contains(object) || local && !before.own.contains_key(object);
            let over = if local { gone } else { exit.ended.contains(object) };
            let exists = exit.own.contains_key(object) || over;
            for value in self.state.registers.values_mut() {
                let Some(at) = value.targets.iter().position(|(o, _)| o == object) else { continue };
                let range = value.targets[at].1;
                value.add_target(shared, range);
                if !exists {
                    value.targets.retain(|(o, _)| o != object);
                }
                if gone || exit.over.contains(object) {
                    again.push(shared);
                }
            }
        }
        self.state.ended.extend(again);
        // Objects of frames below are over: what is own of a frame now was so before.
        let gone: Vec<ObjectId> = self
            .state
            .own
            .keys()
            .copied()
            .filter(|object| {
                let local = matches!(self.cx.made(*object).map(|made| made.place), Some(Place::Local(..)));
                local && !before.own.contains_key(object)
            })
            .collect();
        for object in gone {
            self.state.own.remove(&object);
            let keys: Vec<_> = self.state.known.keys().filter(|key| key.object == object).copied().collect();
            for key in keys {
                Arc::make_mut(&mut self.state.known).remove(&key);
            }
        }
    }
}

/// A value that is handed over between registers of two types: cut, or extended with zeros.
pub(super) fn coerce(run: &Run, value: Value, from: Ty, to: Ty) -> Value {
    let (f, t) = (run.width(from), run.width(to));
    let has_address = !value.targets.is_empty() || !value.handles.is_empty();
    if has_address && t < run.cx.pointer_bits() {
        return Value::any(t);
    }
    let numbers = value.numbers.map(|numbers| match () {
        () if t < f => numbers.trunc(t),
        () if t > f => numbers.zext(f, t),
        () => numbers,
    });
    Value { numbers, ..value }
}
