//! Words for a deadlock in which threads spin: who spins on what, and for which value.

use super::{Look, Spin, Stuck};
use crate::footprint::Area;
use crate::machine::Machine;
use crate::naming;
use crate::race::{Finding, FindingKey};
use crate::report::{Report, ThreadView};
use crate::value::{Prov, Value, mask};
use crate::watch::Link;
use braid_ir::Space;
use braid_props::Check;

impl Machine<'_> {
    #[cold]
    pub(super) fn spin_found(&mut self, stuck: &[(usize, Stuck)]) {
        let mut spots: Vec<_> = stuck.iter().map(|(thread, _)| self.spot(*thread)).collect();
        spots.sort();
        let key = FindingKey { check: Check::Deadlock, spots };
        if self.findings.knows(&key) {
            return;
        }
        let report = self.spin_report(stuck);
        let at = stuck.iter().map(|(thread, _)| self.next_op(*thread)).collect();
        let locks: Vec<_> = report.threads.iter().map(|view| (view.number as usize, view.lock)).collect();
        let mut moment = self.moment(&locks);
        for (thread, why) in stuck {
            let Stuck::Spins(spin) = why else { continue };
            let event = moment.about.iter_mut().find(|event| event.thread as usize == *thread);
            let links = spin.on.iter().filter(|look| look.area != Area::Ends).map(|look| {
                let space = if look.area == Area::Shadow { Space::Shadow } else { Space::Memory };
                Link::Bytes { space, start: look.start, len: look.len }
            });
            if let Some(event) = event {
                event.uses.extend(links);
            }
        }
        self.findings.push(Finding { key, report, at, moment });
    }

    pub(super) fn spin_report(&self, stuck: &[(usize, Stuck)]) -> Report {
        // A thread that spins comes first: the report stands there.
        let mut order: Vec<&(usize, Stuck)> = stuck.iter().collect();
        order.sort_by_key(|(_, why)| matches!(why, Stuck::Waits(_)));
        let views: Vec<ThreadView> = order
            .into_iter()
            .map(|(thread, why)| match why {
                Stuck::Waits(wait) => {
                    self.wait_view(*thread, wait.as_ref(), wait.as_ref().map_or(&[], |wait| &wait.threads))
                }
                Stuck::Spins(spin) => {
                    // The report names what it waits for, wherever it stands in its round.
                    let view = self.view(*thread, self.spin_text(spin));
                    ThreadView { place: spin.on.first().map_or(view.place, |look| look.place), ..view }
                }
            })
            .collect();
        let message = match views.as_slice() {
            [one] => format!("the only unfinished thread, {}, {}", one.path, one.text),
            _ => {
                let parts: Vec<_> = views.iter().map(|view| format!("{} {}", view.path, view.text)).collect();
                format!("all {} unfinished threads wait or spin: {}", views.len(), parts.join("; "))
            }
        };
        self.deadlock_report(message, views)
    }

    fn spin_text(&self, spin: &Spin) -> String {
        let mut parts: Vec<String> = spin.on.iter().map(|look| self.look_text(look)).collect();
        parts.dedup();
        format!("spins on {}", parts.join(", and on "))
    }

    /// The name of some bytes of memory, or of the synchronisation object whose state they are.
    pub(crate) fn bytes_name(&self, start: u64, len: u64, shadow: bool) -> String {
        let memory = &self.state.memory;
        let object = memory.object_at(start).and_then(|id| memory.identity(id));
        let program = self.image.program;
        let named = object.as_ref().and_then(|object| {
            let offset = start - object.base;
            match shadow {
                false => {
                    Some(naming::declared(program, object)? + &naming::path(program, object, offset, len)?)
                }
                true => naming::lock(program, object, offset),
            }
        });
        match (named, &object) {
            (Some(name), _) => format!("'{name}'"),
            (None, Some(object)) => object.describe(program),
            (None, None) => "an object".into(),
        }
    }

    fn look_text(&self, look: &Look) -> String {
        if look.tries {
            let text = self.mutex_text(look.start);
            return match self.holder_text(look.start) {
                Some(holders) => format!("{text}, which {holders} holds"),
                // Every attempt succeeds, and the thread gives it back.
                None if self.shadow_word(look.start) == Some(0) => format!("{text}, which is free"),
                None => format!("{text}, which is never free"),
            };
        }
        if look.area == Area::Ends {
            let path = &self.state.threads[look.start as usize].path;
            return format!("the state of {path}, which does not change");
        }
        let memory = &self.state.memory;
        let shadow = look.area == Area::Shadow;
        let name = self.bytes_name(look.start, look.len, shadow);
        let pointer = Value { bits: u128::from(look.start), prov: Prov::None };
        let value = memory.locate(pointer, look.len, false).ok();
        let space = if shadow { Space::Shadow } else { Space::Memory };
        let value = value.and_then(|at| memory.read(at, look.len as usize, space));
        match value {
            Some(value) if value.is_plain() => {
                format!("{name}, which stays {}", signed(value.bits, look.len))
            }
            Some(_) => format!("{name}, which keeps its address"),
            None => format!("{name}, which nobody changes"),
        }
    }

    /// The threads that hold a lock.
    fn holder_text(&self, lock: u64) -> Option<String> {
        let memory = &self.state.memory;
        let at = memory.locate(Value::plain(u128::from(lock)), 4, false).ok()?;
        let word = memory.read(at, 4, Space::Shadow)?.bits as u32;
        let paths: Vec<String> = match word {
            0 => Vec::new(),
            _ => self
                .holders(at, word)
                .iter()
                .map(|thread| self.state.threads[*thread].path.to_string())
                .collect(),
        };
        (!paths.is_empty()).then(|| paths.join(", "))
    }
}

/// A number of so many bytes as the program would print it.
fn signed(bits: u128, bytes: u64) -> i128 {
    let width = (bytes * 8).min(128) as u32;
    let bits = bits & mask(width as u8);
    if width < 128 && bits >> (width - 1) & 1 == 1 && width > 8 {
        bits as i128 - (1i128 << width)
    } else {
        bits as i128
    }
}
