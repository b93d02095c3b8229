//! The size of the formula by location, for `--stats`. A location is a cell, or a group of cells that may alias.

use crate::cells::{Group, Spot};
use crate::{AccessId, Area, Bounded, ObjectNo, Way};
use braid_ir::Program;
use braid_symex::object::Kind;

/// The counts of one location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The variable, or a description of the object.
    pub name: String,
    pub reads: usize,
    pub writes: usize,
    pub counts: Counts,
}

/// Sizes of parts of the formula so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Reads-from candidates: pairs of a read and a write that it may read from.
    pub candidates: usize,
    /// Pairs of nodes with an order literal.
    pub literals: usize,
    /// From-read clauses: no other write lies between a source and its read.
    pub clauses: usize,
}

impl Counts {
    /// The counts added after `before`.
    pub fn since(self, before: Counts) -> Counts {
        Counts {
            candidates: self.candidates - before.candidates,
            literals: self.literals - before.literals,
            clauses: self.clauses - before.clauses,
        }
    }
}

/// The location of a group of cells.
pub fn location(program: &Program, bounded: &Bounded, group: &Group, counts: Counts) -> Location {
    let is_read = |access: AccessId| matches!(bounded.accesses[access].way, Way::Read(_));
    let reads = group.cells.iter().filter(|cell| is_read(cell.access)).count();
    let name = name(program, bounded, group);
    Location { name, reads, writes: group.cells.len() - reads, counts }
}

fn name(program: &Program, bounded: &Bounded, group: &Group) -> String {
    let mut objects: Vec<ObjectNo> = Vec::new();
    let mut at = None;
    for cell in &group.cells {
        match &cell.spot {
            Spot::Fixed { object, offset } => {
                objects.push(*object);
                at = Some(*offset);
            }
            Spot::Open { objects: list, .. } => objects.extend(list.iter().copied()),
        }
    }
    objects.sort_unstable();
    objects.dedup();
    let open = group.cells.iter().any(|cell| matches!(cell.spot, Spot::Open { .. }));
    let first = objects.first().map_or(String::new(), |object| object_name(program, bounded, *object));
    let others = match objects.len() {
        0 | 1 => String::new(),
        count => format!(" and {} more", count - 1),
    };
    let offset = match at {
        Some(offset) if offset > 0 && !open => format!("+{offset}"),
        _ => String::new(),
    };
    let area = match group.area {
        Area::Memory => "",
        Area::Shadow => "state of ",
        Area::Life => "life of ",
    };
    format!("{area}{first}{offset}{others}")
}

fn object_name(program: &Program, bounded: &Bounded, number: ObjectNo) -> String {
    let Some(object) = bounded.objects.get(number) else { return "nothing".to_string() };
    let made = || {
        let place = object.made.and_then(|made| {
            let loc = bounded.threads[made.thread].log.get(made.index as usize)?.loc;
            Some(format!(" of line {}", loc.line))
        });
        place.unwrap_or_default()
    };
    match object.kind {
        Kind::Function(func) => program.functions[func].name.to_string(),
        Kind::Global(global) | Kind::ThreadLocal(_, global) => program.globals[global].name.to_string(),
        Kind::Frame | Kind::Stack => format!("local variable{}", made()),
        Kind::Heap => format!("heap block{}", made()),
        Kind::Thread(thread) => format!("thread {}", thread.0),
    }
}
