//! Calls of functions that are executed, and the ends of threads.

use super::access::own_targets;
use super::join::add_hold;
use super::step::Step;
use braid_ir::{FuncId, Operand, RegId, Ty};
use braid_proof::{
    Bound, Hold, InstanceId, LockName, Mode, ObjectId, Range, State, Team, ThreadId, Value, eval,
};
use std::collections::BTreeMap;

impl Step<'_, '_> {
    /// Enters a function and takes up its exit. Returns false if it does not return.
    pub fn enter(&mut self, dst: Option<RegId>, args: &[Operand], target: FuncId) -> bool {
        let program = self.solver.program;
        let function = &program.functions[target];
        if function.blocks.is_empty() {
            return false;
        }
        let callee = self.solver.callee(self.instance, self.instr, target);
        let mut entry = self.entry_state(callee, target, args);
        let section = function.atomic && !self.in_section();
        if section {
            add_hold(&mut entry.holds, section_hold());
        }
        self.solver.enter(callee, entry);
        let Some((exit, value)) = self.solver.instances[callee].exit.clone() else { return false };
        self.resume(exit, args, target);
        if section {
            self.end_section();
        }
        if let Some(dst) = dst {
            let value = if value.is_none() { self.any(dst) } else { value };
            self.set(dst, value);
        }
        true
    }

    /// Any number that a register can hold.
    pub fn any(&self, reg: RegId) -> Value {
        Value::any(eval::width(self.solver.program, self.function.regs[reg].ty))
    }

    fn entry_state(&mut self, callee: InstanceId, target: FuncId, args: &[Operand]) -> State {
        let program = self.solver.program;
        let function = &program.functions[target];
        let mut registers = BTreeMap::new();
        for (param, arg) in function.params.iter().zip(args) {
            let mut value = self.value(*arg);
            let bits = eval::width(program, function.regs[*param].ty);
            value.numbers = value.numbers.map(|range| range.normal(bits));
            if value != Value::any(bits) {
                registers.insert(*param, value);
            }
        }
        let holds =
            self.state.holds.iter().map(|hold| self.inside(hold, &function.params, args)).collect::<Vec<_>>();
        let mut listed = Vec::new();
        holds.into_iter().for_each(|hold| add_hold(&mut listed, hold));
        let recursive = self.solver.instances[callee].recursive;
        let teams = self.state.teams.iter().filter_map(|(thread, team)| {
            let outer = |bound: Bound| match bound {
                Bound::Register(reg, offset) => {
                    let fixed = super::join::bound_value(&self.state, bound).map(Bound::Const);
                    fixed.or_else(|| (!recursive).then_some(Bound::Outer(self.instance, reg, offset)))
                }
                Bound::Const(_) | Bound::Outer(..) => Some(bound),
            };
            Some((*thread, Team { lo: outer(team.lo)?, hi: outer(team.hi)?, ..*team }))
        });
        State {
            registers,
            teams: teams.collect(),
            holds: listed,
            known: self.state.known.clone(),
            own: self.state.own.clone(),
            pristine: self.state.pristine,
            alive: self.state.alive.clone(),
            solo: self.state.solo.clone(),
            joinable: self.state.joinable.clone(),
            made: self.state.made.clone(),
            started: self.state.started.clone(),
            ended: self.state.ended.clone(),
            ..State::default()
        }
    }

    /// A hold as the function that is called sees it.
    fn inside(&self, hold: &Hold, params: &[RegId], args: &[Operand]) -> Hold {
        let Some(LockName::Relative(reg, offset)) = hold.name else { return hold.clone() };
        let translated = params.iter().zip(args).find_map(|(param, arg)| {
            let (_, distance) = self.bases(*arg).into_iter().find(|(base, _)| *base == reg)?;
            Some(LockName::Relative(*param, offset - distance))
        });
        Hold { name: translated, certain: hold.certain && translated.is_some(), ..hold.clone() }
    }

    /// The state after a call.
    fn resume(&mut self, exit: State, args: &[Operand], target: FuncId) {
        let params = &self.solver.program.functions[target].params;
        let before = std::mem::take(&mut self.state);
        let outside = |name: LockName, step: &Self| match name {
            LockName::Relative(param, offset) => {
                let (_, arg) = params.iter().zip(args).find(|(known, _)| **known == param)?;
                let (base, distance) = step.bases_in(&before, *arg).into_iter().next_back()?;
                Some(LockName::Relative(base, offset + distance))
            }
            LockName::Section | LockName::Place(..) => Some(name),
        };
        let mut holds = Vec::new();
        for hold in &exit.holds {
            let name = hold.name.and_then(|name| outside(name, self));
            add_hold(&mut holds, Hold { name, certain: hold.certain && name.is_some(), ..hold.clone() });
        }
        for hold in before.holds.iter().filter(|hold| hold.certain) {
            let untouched = hold.name == Some(LockName::Section)
                || hold.targets.iter().all(|(object, at)| {
                    exit.released.get(object).is_none_or(|range| !Range::interferes(*range, 1, *at, 1))
                });
            if untouched {
                add_hold(&mut holds, hold.clone());
            }
        }
        // What stands for a caller's hold inside is the hold itself again.
        let named: Vec<Hold> = holds.iter().filter(|hold| hold.certain).cloned().collect();
        holds.retain(|hold| {
            hold.certain
                || hold.name.is_some()
                || !named.iter().any(|other| other.mode == hold.mode && other.targets == hold.targets)
        });
        let mut registers = before.registers;
        for own in &exit.lost {
            let gone = !exit.own.contains_key(own);
            for value in registers.values_mut() {
                add_shared(value, *own, self.solver.objects.shared(*own), gone);
            }
        }
        let teams = exit.teams.iter().filter_map(|(thread, team)| {
            let inner = |bound: Bound| match bound {
                Bound::Outer(instance, reg, offset) if instance == self.instance => {
                    Some(Bound::Register(reg, offset))
                }
                Bound::Register(..) => None,
                Bound::Const(_) | Bound::Outer(..) => Some(bound),
            };
            Some((*thread, Team { lo: inner(team.lo)?, hi: inner(team.hi)?, ..*team }))
        });
        let below = before.below.into_iter().filter(|(thread, _)| !exit.touched.contains(thread));
        let mut released = before.released;
        for (object, range) in &exit.released {
            super::join::add_range(&mut released, *object, *range);
        }
        self.state = State {
            registers,
            forms: before.forms,
            loaded: BTreeMap::new(),
            tried: before.tried,
            teams: teams.collect(),
            below: below.collect(),
            holds,
            released,
            touched: &before.touched | &exit.touched,
            lost: &before.lost | &exit.lost,
            ..exit
        };
    }

    /// The registers that an address was a constant distance from in another state.
    fn bases_in(&self, state: &State, pointer: Operand) -> Vec<(RegId, i64)> {
        let mut found = Vec::new();
        let Operand::Reg(mut reg) = pointer else { return found };
        let mut distance = 0i64;
        loop {
            found.push((reg, distance));
            match state.forms.get(&reg) {
                Some(form)
                    if form.scale == 1 && self.function.regs[form.base].ty == Ty::Ptr && found.len() < 32 =>
                {
                    distance = distance.saturating_add(form.offset);
                    reg = form.base;
                }
                _ => return found,
            }
        }
    }

    /// The threads that begin in this instance.
    pub fn roots(&self) -> Vec<ThreadId> {
        let threads = self.solver.instances[self.instance].threads.iter().copied();
        threads.filter(|thread| self.solver.threads.list[*thread].root == self.instance).collect()
    }

    /// The running thread ends, with a value for its joiner.
    pub fn end_thread(&mut self, value: Value) {
        let mut state = std::mem::take(&mut self.state);
        let value = self.solver.leak(self.instance, &mut state, &value);
        self.solver.publish_all(self.instance, &state);
        let threads = self.solver.instances[self.instance].threads.clone();
        for thread in threads {
            self.solver.threads.end(thread, &state.alive, &value);
        }
        if !self.roots().is_empty() {
            self.solver.leave(self.instance, state, &value);
        }
    }

    /// The own objects in a value become shared, and the value is that of shared ones.
    pub fn leak(&mut self, value: &Value) -> Value {
        match own_targets(self.solver, value).is_empty() {
            true => value.clone(),
            false => self.solver.leak(self.instance, &mut self.state, value),
        }
    }
}

pub fn section_hold() -> Hold {
    Hold { name: Some(LockName::Section), mode: Mode::Exclusive, targets: Vec::new(), certain: true }
}

/// A value that may point to an own object may point to the shared one, or only to that.
fn add_shared(value: &mut Value, own: ObjectId, shared: ObjectId, gone: bool) {
    if let Ok(at) = value.targets.binary_search_by_key(&own, |(object, _)| *object) {
        let (_, range) = value.targets[at];
        if gone {
            value.targets.remove(at);
        }
        value.add_target(shared, range);
    }
}
