//! Iterations of loops in which the thread may spin: what the text saves, compares and counts for that.
//!
//! A thread that may spin counts its steps (`moves`). At a copy of a loop's head it saves its live registers and the count. When
//! it is tried, it runs alone from where it stands; a copy of a head that is reached with the registers of the one before, both since
//! the trial began, closes an iteration, and the thread spins if nothing was changed meanwhile. See [`crate::spinning`].

use super::Body;
use super::memory::Address;
use crate::Untranslatable;
use crate::program::Object;
use crate::spinning::{Lap, Laps};
use crate::types::value_type;
use braid_base::faults::active;
use braid_ir::*;
use std::collections::BTreeSet;

/// The registers that the text reads at the head of a loop.
pub(super) fn reads(laps: &Laps, instr: &Instr) -> Vec<Operand> {
    let Some(lap) = laps.marks.get(&instr.id) else { return Vec::new() };
    let compared = lap.compared.iter().flatten().map(|(_, after)| *after);
    lap.saved.iter().flatten().copied().chain(compared).collect()
}

impl Body<'_, '_> {
    /// The first line of a thread that may spin: a trial begins with its next step.
    pub(super) fn try_line(&mut self) {
        if self.spins {
            self.saves.push(
                "    static unsigned moves, tried_from, changes, unchanged, own_changes, last_head;"
                    .to_string(),
            );
            self.lines.push("    if (trying) { tried_from = moves; unchanged = changes; }".to_string());
        }
    }

    pub(super) fn count_step(&mut self) {
        if self.spins {
            self.lines.push("    moves++;".to_string());
        }
    }

    /// Writes what happens at the head of a loop, and what keeps an iteration from spinning.
    pub(super) fn lap(&mut self, instr: &Instr) -> Result<(), Untranslatable> {
        let laps = self.shared.laps;
        if laps.kinds.ending.contains(&instr.id) {
            self.changes("1");
        }
        let Some(lap) = laps.marks.get(&instr.id).filter(|_| self.spins) else { return Ok(()) };
        self.at = lap.place;
        if self.depth > 0 {
            return Err(self.refuse("a deadlock of a loop that may spin inside an atomic section"));
        }
        if let Some(pairs) = &lap.compared {
            self.compare(lap, pairs)?;
        }
        if let Some(state) = &lap.saved {
            self.save(lap, state)?;
        }
        self.at = instr.loc;
        Ok(())
    }

    fn compare(&mut self, lap: &Lap, pairs: &[(Operand, Operand)]) -> Result<(), Untranslatable> {
        let since = self.saved_name(lap.number, None);
        let changes = self.change_name(lap.number);
        let mut same = vec![format!("{since} >= tried_from"), format!("{changes} == changes + own_changes")];
        for (before, after) in pairs.iter().filter(|_| !active("translated-spin-registers")) {
            let old = match before {
                Operand::Reg(reg) => self.saved_name(lap.number, Some(*reg)),
                Operand::Const(_) => self.value(*before)?,
            };
            same.push(format!("{old} == {}", self.value(*after)?));
        }
        for local in self.carried(lap.number) {
            let (old, now) = (self.carried_name(lap.number, local), self.local(local));
            same.push(format!("{old} == {now}"));
        }
        self.commented = Loc::NONE;
        let same = same.join(" && ");
        let text = match self.shared.laps.choices.get(&lap.number) {
            _ if active("translated-spin-choices") => format!("COMES_ROUND({same});"),
            None | Some(0) => format!("COMES_ROUND({same});"),
            Some(choices) => format!("COMES_ROUND_OFTEN({}, {same}, {});", lap.number + 1, 1u32 << choices),
        };
        self.line(&text);
        Ok(())
    }

    fn save(&mut self, lap: &Lap, state: &[Operand]) -> Result<(), Untranslatable> {
        let since = self.saved_name(lap.number, None);
        let changes = self.change_name(lap.number);
        let mut text = format!("{since} = last_head = moves; {changes} = changes + own_changes;");
        for reg in state.iter().filter_map(|operand| operand.reg()) {
            let name = self.saved_name(lap.number, Some(reg));
            text += &format!(" {name} = {};", self.value(Operand::Reg(reg))?);
        }
        for local in self.carried(lap.number) {
            let (name, now) = (self.carried_name(lap.number, local), self.local(local));
            self.read.insert(now.clone());
            text += &format!(" {name} = {now};");
        }
        self.line(&text);
        Ok(())
    }

    /// The objects of the frame that are compared at the head of a loop.
    fn carried(&self, number: usize) -> Vec<LocalId> {
        let func = self.shared.threads[self.thread].func;
        self.shared.laps.carried.get(&(func, number)).into_iter().flatten().copied().collect()
    }

    /// The variable that keeps an object of the frame at the last head of a loop.
    fn carried_name(&mut self, number: usize, local: LocalId) -> String {
        // Registers and the count come first.
        let key = (number, self.function.regs.len() + 1 + local.0 as usize);
        if let Some(name) = self.saved.get(&key) {
            return name.clone();
        }
        let now = self.local(local);
        let name = self.names.fresh(&format!("head{number}_{now}"));
        let declared = self.shared.types.declare(self.function.locals[local].shape, &name);
        self.saves.push(format!("    static {declared};"));
        self.saved.insert(key, name.clone());
        name
    }

    /// The variable that keeps the count of changes at the last head of a loop.
    fn change_name(&mut self, number: usize) -> String {
        let key = (number, usize::MAX);
        if let Some(name) = self.saved.get(&key) {
            return name.clone();
        }
        let name = self.names.fresh(&format!("head{number}_changes"));
        self.saves.push(format!("    static unsigned {name};"));
        self.saved.insert(key, name.clone());
        name
    }

    /// The variable that keeps a register, or the count of steps, at the last head of a loop.
    fn saved_name(&mut self, number: usize, reg: Option<RegId>) -> String {
        let key = (number, reg.map_or(0, |reg| reg.0 as usize + 1));
        if let Some(name) = self.saved.get(&key) {
            return name.clone();
        }
        let name = self.names.fresh(&match reg {
            Some(reg) => format!("head{number}_{}", reg.0),
            None => format!("head{number}"),
        });
        let ty = reg.map_or("unsigned", |reg| {
            value_type(self.function.regs[reg].ty, self.shared.program.pointer_bytes)
        });
        self.saves.push(format!("    static {};", super::declared(ty, &name)));
        self.saved.insert(key, name.clone());
        name
    }

    /// The thread changes something, if the condition holds: an iteration with a change does not spin.
    pub(super) fn changes(&mut self, condition: &str) {
        if self.spins && !active("translated-spin-changes") {
            self.line(&format!("changes += {condition};"));
        }
    }

    /// A lock is taken or released. It is a change in the first, incomplete iteration of a thread that is tried; in a complete one,
    /// locks that are taken and given back do not count, and for those that are given away and taken back it matters
    /// who waits for them.
    pub(super) fn locks(&mut self, lock: Operand, word: &str) {
        if !active("translated-spin-locks") {
            self.changes("last_head < tried_from");
        }
        let func = self.shared.threads[self.thread].func;
        if self.shared.laps.gives(func, lock) {
            self.line(&format!("gives = (char *)&{word};"));
        }
    }

    /// The thread waits for a lock, which another one may give away for a moment.
    pub(super) fn waits_at(&mut self, word: &str) {
        if self.shared.laps.some_give() {
            self.line(&format!("waits_at = (char *)&{word};"));
        }
    }

    /// A value is written to memory that was there before the iteration. What others do not see matters from the head of a
    /// loop on.
    pub(super) fn changes_to(
        &mut self,
        instr: &Instr,
        (ty, pointer): (Ty, Operand),
        place: &str,
        value: &str,
    ) -> Result<(), Untranslatable> {
        let func = self.shared.threads[self.thread].func;
        let is_new = match self.resolve(pointer)? {
            Address::Object(Object::Local(local), _) | Address::Indexed(Object::Local(local), ..) => {
                let laps = self.shared.laps;
                let carried = |((of, _), locals): (&(FuncId, usize), &BTreeSet<LocalId>)| {
                    *of == func && locals.contains(&local)
                };
                laps.born.contains(&(func, local)) || laps.carried.iter().any(carried)
            }
            Address::Object(..) | Address::Indexed(..) | Address::Text(_) => false,
        };
        if self.spins && !is_new && !active("translated-spin-changes") {
            let ty = value_type(ty, self.shared.program.pointer_bytes);
            let count = if self.is_visible(instr) || self.depth > 0 { "changes" } else { "own_changes" };
            self.line(&format!("{count} += ({ty}){place} != ({ty}){value};"));
        }
        Ok(())
    }

    /// Returns true if an operand is the constant 1.
    pub(super) fn is_true(&self, operand: Operand) -> bool {
        let Operand::Const(id) = operand else { return false };
        matches!(self.shared.program.consts.get(id), Const::Int { width: 1, bits: 1 })
    }
}
