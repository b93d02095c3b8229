//! Iterations of loops in which the thread may spin: what the text saves, compares and counts for that.
//!
//! A thread that may spin counts its steps (`moves`). At a copy of a loop's head it saves its live registers and the count, and a
//! step begins, so that it may stand there. When it is tried, it runs alone from where it stands; if that is a copy of a head, and
//! the next copy is reached with the same registers, an iteration is closed, and the thread spins if nothing was changed meanwhile. A
//! thread that stands elsewhere in an iteration can as well stand at its head: the steps between have changed nothing. See
//! [`crate::spinning`].

use super::Body;
use crate::Untranslatable;
use crate::spinning::{Lap, Laps};
use crate::types::value_type;
use braid_base::faults::active;
use braid_ir::*;

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
            self.saves.push("    static unsigned moves, tried_from, changes, unchanged;".to_string());
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
            // The thread may stand here, whether others see the iteration or not.
            self.current = None;
            self.begin_step();
            self.wrote = false;
        }
        self.at = instr.loc;
        Ok(())
    }

    fn compare(&mut self, lap: &Lap, pairs: &[(Operand, Operand)]) -> Result<(), Untranslatable> {
        let since = self.saved_name(lap.number, None);
        let mut same = Vec::new();
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
        let same = if same.is_empty() { "1".to_string() } else { same.join(" && ") };
        let choices = self.shared.laps.choices.get(&lap.number).copied().unwrap_or(0);
        let text = match choices {
            1.. if !active("translated-spin-choices") => {
                format!("COMES_ROUND_OFTEN({since}, {same}, {});", 1u32 << choices)
            }
            _ => format!("COMES_ROUND({since}, {same});"),
        };
        self.line(&text);
        Ok(())
    }

    fn save(&mut self, lap: &Lap, state: &[Operand]) -> Result<(), Untranslatable> {
        let since = self.saved_name(lap.number, None);
        let mut text = format!("{since} = moves;");
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

    /// A lock is released that the thread may give away for a part of an iteration: it matters who waits for it.
    pub(super) fn releases(&mut self, lock: Operand, word: &str) {
        let func = self.shared.threads[self.thread].func;
        if self.shared.laps.gives(func, lock) && !active("translated-spin-locks") {
            self.line(&format!("gives = (char *)&{word};"));
        }
    }

    /// The thread waits for a lock, which another one may give away for a moment.
    pub(super) fn waits_at(&mut self, word: &str) {
        if self.shared.laps.some_give() {
            self.line(&format!("waits_at = (char *)&{word};"));
        }
    }

    /// A value is written to memory: a change, unless the object is new in every iteration with the write or compared at its ends.
    pub(super) fn changes_to(&mut self, instr: &Instr, ty: Ty, place: &str, value: &str) {
        if !self.shared.laps.neutral.get(&instr.id).copied().unwrap_or(false) {
            let ty = value_type(ty, self.shared.program.pointer_bytes);
            self.changes(&format!("({ty}){place} != ({ty}){value}"));
        }
    }

    /// Returns true if an operand is the constant 1.
    pub(super) fn is_true(&self, operand: Operand) -> bool {
        let Operand::Const(id) = operand else { return false };
        matches!(self.shared.program.consts.get(id), Const::Int { width: 1, bits: 1 })
    }
}
