//! The text form of a bounded program, for people and tests: `braid ir --bounded`.
//!
//! ```text
//! thread T1 (worker), started at n0
//!   n3 t.c:7 when t1
//!     read counter 4 bytes -> counter.2
//!     write counter 4 bytes = counter.2 + 1 when t2
//! ```
//!
//! A condition that is always true is left out; `t1` is a part that occurs in several places and is defined at the end.
//! There is no parser for this text. Tests write a program as IR, which has one, and unwind it.

use crate::ObjectNo;
use crate::program::*;
use braid_ir::{Loc, Program};
use braid_logic::text::Glossary;
use braid_logic::{Term, Terms};
use braid_symex::object::Kind;
use braid_symex::{LogRef, ThreadIx};
use std::fmt::{self, Write as _};

/// The text of the whole bounded program.
pub fn print(terms: &Terms, program: &Program, bounded: &Bounded) -> String {
    let mut roots = Vec::new();
    bounded.each_term(&mut |term| roots.push(term));
    let leaf = |term: Term| pointer_text(terms, program, bounded, term);
    let glossary = Glossary::new(terms, &roots, &leaf);
    let mut printer = Printer { terms, program, bounded, glossary, out: String::new() };
    printer.program().expect("writing to a string cannot fail");
    printer.out
}

struct Printer<'a> {
    terms: &'a Terms,
    program: &'a Program,
    bounded: &'a Bounded,
    glossary: Glossary,
    out: String,
}

/// A constant address inside an object as `&name+offset`.
fn pointer_text(terms: &Terms, program: &Program, bounded: &Bounded, term: Term) -> Option<String> {
    if terms.as_bits(term).is_none() || terms.width(term) != bounded.layout.pointer_bits {
        return None;
    }
    let (object, offset) = bounded.layout.constant(terms, term)?;
    bounded.objects.get(object)?;
    let name = object_name(program, bounded, object);
    Some(if offset == 0 { format!("&{name}") } else { format!("&{name}{offset:+}") })
}

fn object_name(program: &Program, bounded: &Bounded, number: ObjectNo) -> String {
    match bounded.objects.get(number).map(|object| object.kind) {
        Some(Kind::Global(global)) => program.globals[global].name.to_string(),
        Some(Kind::ThreadLocal(thread, global)) => format!("{}@{thread}", program.globals[global].name),
        Some(Kind::Function(function)) => program.functions[function].name.to_string(),
        Some(Kind::Thread(thread)) => format!("handle@{thread}"),
        Some(Kind::Frame) => format!("frame{number}"),
        Some(Kind::Stack) => format!("stack{number}"),
        Some(Kind::Heap) => format!("heap{number}"),
        None => format!("object{number}"),
    }
}

impl Printer<'_> {
    fn program(&mut self) -> fmt::Result {
        let bounded = self.bounded;
        for (thread, of) in bounded.threads.enumerated().filter(|(thread, _)| !bounded.is_probe(*thread)) {
            self.thread(thread, of)?;
        }
        if let Some(probe) = bounded.probe {
            writeln!(self.out, "probe {probe}")?;
            self.accesses(probe)?;
        }
        self.waits()?;
        self.obligations()?;
        if !bounded.constraints.is_empty() {
            writeln!(self.out, "constraints")?;
            for term in &bounded.constraints {
                writeln!(self.out, "  {}", self.glossary.text(*term))?;
            }
        }
        if self.glossary.definitions().next().is_some() {
            writeln!(self.out, "where")?;
            for (name, text) in self.glossary.definitions() {
                writeln!(self.out, "  {name} = {text}")?;
            }
        }
        Ok(())
    }

    fn thread(&mut self, id: ThreadIx, thread: &Thread) -> fmt::Result {
        let started = self.bounded.spawned.iter().any(|(_, of)| *of == id);
        let function = thread.log.first().map(|entry| self.program.functions[entry.func].name.to_string());
        write!(self.out, "thread {id}")?;
        if let Some(function) = function {
            write!(self.out, " ({function})")?;
        }
        if let Some(parent) = thread.parent.filter(|_| started) {
            write!(self.out, ", started at {parent}")?;
        }
        writeln!(self.out)?;
        for node in &thread.nodes {
            self.node(*node)?;
        }
        let finished = self.when(thread.finished);
        writeln!(self.out, "  ends{finished}")
    }

    fn node(&mut self, id: NodeId) -> fmt::Result {
        let bounded = self.bounded;
        let node = &bounded.nodes[id];
        let (place, when) = (self.place_of(node.log), self.when(node.executed));
        write!(self.out, "  {id} {place}{when}")?;
        if let Some(thread) = node.spawns {
            write!(self.out, ", starts {thread}")?;
        }
        writeln!(self.out)?;
        self.accesses(id)?;
        for join in bounded.joins.iter().filter(|join| join.node == id) {
            let (handle, when) = (self.glossary.text(join.handle), self.when(join.guard));
            writeln!(self.out, "    join {handle}{when}")?;
        }
        for end in bounded.ends.iter().filter(|end| end.node == id) {
            let when = self.when(end.guard);
            writeln!(self.out, "    end of all{when}")?;
        }
        Ok(())
    }

    fn accesses(&mut self, node: NodeId) -> fmt::Result {
        let bounded = self.bounded;
        for access in bounded.accesses.iter().filter(|access| access.node == node) {
            let area = match access.area {
                Area::Memory => "",
                Area::Shadow => "shadow ",
                Area::Life => "life ",
            };
            let pointer = self.glossary.text(access.pointer);
            let pointer = pointer.strip_prefix('&').map_or_else(|| format!("*{pointer}"), str::to_string);
            let bytes = access.bytes;
            let when = if access.guard == bounded.nodes[node].executed {
                String::new()
            } else {
                self.when(access.guard)
            };
            let lock = match access.lock {
                None => "",
                Some(LockUse::Acquire) => ", acquires",
                Some(LockUse::Try(_)) => ", tries to acquire",
                Some(LockUse::Release) => ", releases",
            };
            match access.way {
                Way::Read(value) => {
                    let value = self.glossary.text(value);
                    writeln!(self.out, "    read {area}{pointer} {bytes} bytes -> {value}{lock}{when}")?;
                }
                Way::Write(value) => {
                    let value = self.glossary.text(value);
                    writeln!(self.out, "    write {area}{pointer} {bytes} bytes = {value}{lock}{when}")?;
                }
            }
        }
        Ok(())
    }

    fn waits(&mut self) -> fmt::Result {
        for wait in &self.bounded.waits {
            let before = wait.before.map_or("the start".to_string(), |node| node.to_string());
            let when = self.when(wait.reached);
            writeln!(self.out, "{} may wait after {before}{when}", wait.thread)?;
            for refusal in &wait.refusals {
                let by = match &refusal.by {
                    Obstacle::Lock { .. } => "a lock is held",
                    Obstacle::Join { .. } => "a thread has not ended",
                    Obstacle::Condition => "a condition does not hold",
                    Obstacle::Spins => "it spins",
                };
                let when = self.when(refusal.guard);
                writeln!(self.out, "  {by}{when}")?;
            }
        }
        Ok(())
    }

    fn obligations(&mut self) -> fmt::Result {
        let obligations = self.bounded.obligations.iter();
        for obligation in obligations.filter(|obligation| !self.terms.is_false(obligation.reached)) {
            let what = match &obligation.what {
                What::Violation(check) => format!("violation of {check}"),
                What::Loop { function, bound } => {
                    format!("loop of {} after {bound} iterations", self.program.functions[*function].name)
                }
                What::Recursion { function, bound } => {
                    format!("recursion of {} to depth {bound}", self.program.functions[*function].name)
                }
                What::Threads { bound } => format!("more than {bound} threads"),
                What::Unsupported(what) => format!("unsupported: {what}"),
                What::Partial { what, .. } => format!("partial: {what}"),
                What::Invalid(check) => format!("unchecked {check}"),
                What::MayBeLost => "a block that may be lost".to_string(),
                What::Addresses => "addresses".to_string(),
                What::ThreadIds { .. } => "thread ids".to_string(),
                What::LoadedAddresses => "loaded addresses".to_string(),
                What::TornPointers => "torn pointers".to_string(),
                What::OutOfObject => "addresses outside of objects".to_string(),
                What::Refused { node, .. } => format!("addresses in the section at {node}"),
            };
            let after = obligation.after.map_or("the start".to_string(), |node| node.to_string());
            let (place, when) = (self.place(obligation.place), self.when(obligation.reached));
            writeln!(self.out, "{}: {what}, {place}, after {after}{when}", obligation.thread)?;
        }
        Ok(())
    }

    /// The condition as ` when TERM`; empty if it is always true.
    fn when(&self, condition: Term) -> String {
        if self.terms.is_true(condition) {
            return String::new();
        }
        format!(" when {}", self.glossary.text(condition))
    }

    fn place_of(&self, log: LogRef) -> String {
        let entry = self.bounded.threads[log.thread].log.get(log.index as usize);
        entry.map_or("-".to_string(), |entry| self.place(entry.loc))
    }

    fn place(&self, loc: Loc) -> String {
        if loc.line == 0 {
            return "-".to_string();
        }
        format!("{}:{}", self.program.file_name(loc.file), loc.line)
    }
}
