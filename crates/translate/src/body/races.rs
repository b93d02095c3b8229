//! Data races as assertions: the access that a thread is about to make (`NEXT`), and the accesses of the step that another
//! one executes (`TOUCH`).
//!
//! Every state that can be reached within the rounds is the state after the last one of some execution, because segments
//! may be empty. So a race is looked for there alone.

use super::Body;
use super::memory::Address;
use crate::Untranslatable;
use crate::program::Object;
use crate::types::value_type;
use braid_base::faults::active;
use braid_ir::*;
use braid_props::Check;

/// Bytes of an access.
pub(super) struct Range {
    pub(super) pointer: Operand,
    /// The first byte, from the pointer on.
    pub(super) start: i128,
    pub(super) length: String,
}

/// The kind of an access, for data races.
pub(super) fn how(way: &str, order: Order) -> String {
    if order == Order::Plain { way.to_string() } else { format!("{way} | ATOMIC") }
}

impl Body<'_, '_> {
    /// An access that may race: others that are about to make one are compared with it.
    pub(super) fn touch(&mut self, instr: &Instr, place: Range, how: &str) -> Result<(), Untranslatable> {
        if active("translated-reads-never-race") && how == "READ" {
            return Ok(());
        }
        if self.races(instr, place.pointer)? {
            let text = self.range_text(&place)?;
            self.meet("", &format!("{text}, {how}"));
        }
        Ok(())
    }

    /// Compares an access with the one that another thread is about to make, if the condition holds. In a section that may turn
    /// out to be impossible, the comparison counts at the end of the section.
    pub(super) fn meet(&mut self, condition: &str, access: &str) {
        self.commented = Loc::NONE;
        let section = self.section.map(|section| section.opened_by);
        match section.filter(|section| {
            self.depth > 0 && self.refused.contains(section) && !active("translated-section-races-early")
        }) {
            Some(section) => {
                let name = self.names.fresh("meets_other");
                self.saves.push(format!("    static int {name};"));
                let condition = if condition.is_empty() { String::new() } else { format!("{condition} && ") };
                self.line(&format!("{name} = {condition}MEETS({access});"));
                self.touches.entry(section).or_default().push((name, self.at));
            }
            None if condition.is_empty() => self.line(&format!("TOUCH({access});")),
            None => self.line(&format!("if ({condition}) TOUCH({access});")),
        }
    }

    /// A section is over: it was possible, and so were its accesses.
    pub(super) fn end_section(&mut self) {
        let at = self.at;
        let section = self.section.map(|section| section.opened_by);
        let touches = section.and_then(|section| self.touches.get(&section).cloned());
        for (name, place) in touches.unwrap_or_default() {
            (self.at, self.commented) = (place, Loc::NONE);
            self.line(&format!("assert(!{name});"));
        }
        (self.at, self.commented) = (at, Loc::NONE);
    }

    /// Tells, at the beginning of a step, which access the thread is about to make.
    pub(super) fn next(&mut self, instr: &Instr, place: Range, how: &str) -> Result<(), Untranslatable> {
        let dropped = match how {
            "READ" => active("translated-reads-never-race"),
            "WRITE" => active("translated-writes-not-announced"),
            _ => false,
        };
        if !dropped && self.races(instr, place.pointer)? {
            let text = self.range_text(&place)?;
            let jump = self.lines.iter().rposition(|line| line.trim_start().starts_with("JUMP("));
            let at = jump.expect("a step begins with a jump");
            self.lines.insert(at, format!("    NEXT({}, {text}, {how});", self.steps - 1));
        }
        Ok(())
    }

    /// The first byte of a range and its length.
    pub(super) fn range_text(&mut self, place: &Range) -> Result<String, Untranslatable> {
        let address = self.resolve(place.pointer)?;
        let start = self.pointer_text(&address, place.start);
        Ok(format!("{start}, {}", place.length))
    }

    /// Returns true if data races of the instruction are asked about. The library's own variables do not race while the
    /// library uses them.
    pub(super) fn races(&mut self, instr: &Instr, pointer: Operand) -> Result<bool, Untranslatable> {
        if !self.shared.checks.contains(Check::DataRace) || !self.is_visible(instr) {
            return Ok(false);
        }
        let program = self.shared.program;
        Ok(match self.resolve(pointer)? {
            Address::Object(Object::Global(global), _) | Address::Indexed(Object::Global(global), ..) => {
                !(instr.internal && program.globals[global].internal)
            }
            Address::Object(..) | Address::Indexed(..) | Address::Text(_) => true,
        })
    }

    /// The bytes of an access, with those of the same memory location.
    pub(super) fn range(&self, ty: Ty, pointer: Operand, extent: (u16, u16)) -> Range {
        let length = ty.bytes(self.shared.program.pointer_bytes) + u64::from(extent.0) + u64::from(extent.1);
        Range { pointer, start: -i128::from(extent.0), length: length.to_string() }
    }

    /// Tells which access the thread is about to make, for an instruction that is a step of its own.
    pub(super) fn announce(&mut self, instr: &Instr) -> Result<(), Untranslatable> {
        match &instr.op {
            Op::Load { ty, ptr, access, .. } if access.space == Space::Memory => {
                let range = self.range(*ty, *ptr, access.extent);
                self.next(instr, range, &how("READ", access.order))
            }
            Op::Store { ty, ptr, access, .. } if access.space == Space::Memory => {
                let range = self.range(*ty, *ptr, access.extent);
                self.next(instr, range, &how("WRITE", access.order))
            }
            Op::Rmw { ty, ptr, .. } => {
                let range = self.range(*ty, *ptr, (0, 0));
                self.next(instr, range, "WRITE | ATOMIC")
            }
            Op::CmpXchg(exchange) => {
                let range = self.range(exchange.ty, exchange.ptr, (0, 0));
                let place = self.lvalue(exchange.ty, exchange.ptr)?;
                let expected = self.value(exchange.expected)?;
                let ty = value_type(exchange.ty, self.shared.program.pointer_bytes);
                self.next(instr, range, &format!("(({ty}){place} == {expected} ? WRITE : READ) | ATOMIC"))
            }
            Op::Free { ptr, .. } => {
                let range = self.block_range(*ptr)?;
                self.next(instr, range, "WRITE")
            }
            // Copies tell it of each of their steps.
            _ => Ok(()),
        }
    }

    /// All bytes of a heap block.
    pub(super) fn block_range(&mut self, pointer: Operand) -> Result<Range, Untranslatable> {
        self.shared.asks_blocks = true;
        let text = self.value(pointer)?;
        Ok(Range { pointer, start: 0, length: format!("block_size({text})") })
    }
}
