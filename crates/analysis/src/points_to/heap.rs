//! The contents of objects: cells that were written, views that are read.
//!
//! A write of known offset and length goes to a cell of its own, any other to the rest of the object. A
//! read sees the rest, and every cell it overlaps: exactly, or as part of something of which only the
//! object is known. An object with very many cells becomes one.

use super::graph::{Flow, NodeId, Solver};
use crate::objects::{Object, ObjectId, Offset};
use braid_ir::{Const, GlobalId, Space};
use std::collections::BTreeMap;

/// Cells, and views, of one object.
const PIECES: usize = 192;

/// Start and length.
type Range = (u64, u64);

/// A copy out of the object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Outgoing {
    range: Range,
    to: ObjectId,
    at: u64,
}

/// What an object holds.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    /// Writes of unknown place.
    rest: NodeId,
    /// All that was ever written.
    all: NodeId,
    shadow: NodeId,
    cells: BTreeMap<Range, NodeId>,
    views: BTreeMap<Range, NodeId>,
    outgoing: Vec<Outgoing>,
    /// Cells are no longer told apart.
    one: bool,
}

impl Contents {
    pub fn everything(&self) -> Vec<NodeId> {
        vec![self.all, self.shadow]
    }
}

fn overlaps(a: Range, b: Range) -> bool {
    a.0 < b.0.saturating_add(b.1) && b.0 < a.0.saturating_add(a.1)
}

impl Solver<'_> {
    /// For a new object.
    pub fn add_contents(&mut self) {
        let (rest, all, shadow) = (self.node(), self.node(), self.node());
        let (cells, views) = (BTreeMap::new(), BTreeMap::new());
        self.heap.push(Contents { rest, all, shadow, cells, views, outgoing: Vec::new(), one: false });
        self.edge(rest, all, Flow::Copy);
    }

    /// What a new object holds at first.
    pub fn fill_first(&mut self, object: ObjectId) {
        match self.objects.list[object] {
            Object::Global(global) | Object::ThreadLocal(global) => self.initial(object, global),
            Object::Local(..) => self.uninitialised(object),
            // The instruction says whether a block is zeroed.
            Object::Block(..)
            | Object::Unknown
            | Object::Uninit
            | Object::Handle(..)
            | Object::Function(_) => {}
        }
    }

    pub fn uninitialised(&mut self, object: ObjectId) {
        let rest = self.heap[object].rest;
        self.add(rest, crate::objects::UNINIT, Offset::Any);
    }

    fn initial(&mut self, object: ObjectId, global: GlobalId) {
        let program = self.program;
        let init = &program.globals[global].init;
        let word = u64::from(program.pointer_bytes);
        for (start, bytes) in &init.data {
            let words = (0..bytes.len() as u64).step_by(word as usize);
            let numbers = words.filter(|at| {
                let range = &bytes[*at as usize..bytes.len().min((at + word) as usize)];
                range.iter().any(|byte| *byte != 0)
            });
            let numbers: Vec<u64> = numbers.take(PIECES).collect();
            if numbers.len() >= PIECES / 2 {
                let rest = self.heap[object].rest;
                self.add_unknown(rest);
                continue;
            }
            for at in numbers {
                let len = word.min(bytes.len() as u64 - at);
                let cell = self.cell(object, (start + at, len));
                self.add_unknown(cell);
            }
        }
        for &(at, target) in &init.pointers {
            let cell = self.cell(object, (at, word));
            self.add_const(cell, target);
        }
    }

    /// The element a constant stands for.
    pub fn add_const(&mut self, node: NodeId, value: Const) {
        match value {
            Const::Global(global, offset) => {
                let id = self.object(Object::Global(global));
                let offset = u64::try_from(offset).ok().filter(|at| *at <= self.program.globals[global].size);
                self.add(node, id, offset.map_or(Offset::Any, Offset::At));
            }
            Const::Func(func) => {
                let id = self.object(Object::Function(func));
                self.add(node, id, Offset::At(0));
            }
            Const::Int { bits: 0, .. } | Const::Null => {}
            Const::Int { .. } | Const::F32(_) | Const::F64(_) => self.add_unknown(node),
        }
    }

    /// What is written at a place.
    fn cell(&mut self, object: ObjectId, range: Range) -> NodeId {
        let contents = &self.heap[object];
        if contents.one {
            return contents.rest;
        }
        if let Some(&cell) = contents.cells.get(&range) {
            return cell;
        }
        if contents.cells.len() >= PIECES {
            return self.make_one(object);
        }
        let cell = self.node();
        let all = self.heap[object].all;
        self.heap[object].cells.insert(range, cell);
        self.edge(cell, all, Flow::Copy);
        let views: Vec<_> = self.heap[object].views.iter().map(|(r, v)| (*r, *v)).collect();
        for (seen, view) in views {
            self.see(cell, range, view, seen);
        }
        for index in 0..self.heap[object].outgoing.len() {
            let outgoing = self.heap[object].outgoing[index];
            self.copy_cell(cell, range, outgoing);
        }
        cell
    }

    fn make_one(&mut self, object: ObjectId) -> NodeId {
        self.heap[object].one = true;
        let (all, rest) = (self.heap[object].all, self.heap[object].rest);
        self.edge(all, rest, Flow::Copy);
        rest
    }

    /// What is read at a place.
    fn view(&mut self, object: ObjectId, range: Range) -> NodeId {
        if self.heap[object].one {
            return self.heap[object].all;
        }
        if let Some(&view) = self.heap[object].views.get(&range) {
            return view;
        }
        if self.heap[object].views.len() >= PIECES {
            return self.heap[object].all;
        }
        let view = self.node();
        let rest = self.heap[object].rest;
        self.heap[object].views.insert(range, view);
        self.edge(rest, view, Flow::Copy);
        let cells: Vec<_> = self.heap[object].cells.iter().map(|(r, c)| (*r, *c)).collect();
        for (written, cell) in cells {
            self.see(cell, written, view, range);
        }
        view
    }

    fn see(&mut self, cell: NodeId, written: Range, view: NodeId, seen: Range) {
        if written == seen {
            self.edge(cell, view, Flow::Copy);
        } else if overlaps(written, seen) {
            self.edge(cell, view, Flow::Blur);
            self.add_unknown(view);
        }
    }

    pub fn load(&mut self, object: ObjectId, offset: Offset, len: u64, space: Space, dst: NodeId) {
        let from = match (space, offset) {
            (Space::Shadow, _) => self.heap[object].shadow,
            (Space::Memory, Offset::Any) => self.heap[object].all,
            (Space::Memory, Offset::At(at)) => self.view(object, (at, len)),
        };
        self.edge(from, dst, Flow::Copy);
    }

    pub fn store(
        &mut self,
        object: ObjectId,
        offset: Offset,
        len: u64,
        space: Space,
        value: NodeId,
        flow: Flow,
    ) {
        let to = match (space, offset) {
            (Space::Shadow, _) => self.heap[object].shadow,
            (Space::Memory, Offset::Any) => self.heap[object].rest,
            (Space::Memory, Offset::At(at)) => self.cell(object, (at, len)),
        };
        self.edge(value, to, flow);
    }

    pub fn fill(&mut self, object: ObjectId, offset: Offset, len: Option<u64>, value: NodeId) {
        let to = match (offset, len) {
            (Offset::At(at), Some(len)) => self.cell(object, (at, len)),
            (Offset::At(_) | Offset::Any, _) => self.heap[object].rest,
        };
        self.edge(value, to, Flow::Blur);
    }

    pub fn copy_block(&mut self, src: (ObjectId, Offset), dst: (ObjectId, Offset), len: Option<u64>) {
        let memory = |solver: &Self, id: ObjectId| solver.objects.list[id].is_memory();
        if !memory(self, src.0) || !memory(self, dst.0) {
            return;
        }
        let (rest, all) = (self.heap[src.0].rest, self.heap[src.0].all);
        let target = self.heap[dst.0].rest;
        self.edge(rest, target, Flow::Copy);
        let ((Offset::At(from), Offset::At(at)), Some(len)) = ((src.1, dst.1), len) else {
            return self.edge(all, target, Flow::Copy);
        };
        let outgoing = Outgoing { range: (from, len), to: dst.0, at };
        if self.heap[src.0].outgoing.contains(&outgoing) {
            return;
        }
        self.heap[src.0].outgoing.push(outgoing);
        let cells: Vec<_> = self.heap[src.0].cells.iter().map(|(r, c)| (*r, *c)).collect();
        for (range, cell) in cells {
            self.copy_cell(cell, range, outgoing);
        }
    }

    fn copy_cell(&mut self, cell: NodeId, range: Range, outgoing: Outgoing) {
        if !overlaps(range, outgoing.range) {
            return;
        }
        let (from, len) = outgoing.range;
        let inside = range.0 >= from && range.0 + range.1 <= from.saturating_add(len);
        if inside {
            let to = self.cell(outgoing.to, (range.0 - from + outgoing.at, range.1));
            self.edge(cell, to, Flow::Copy);
        } else {
            let to = self.heap[outgoing.to].rest;
            self.edge(cell, to, Flow::Blur);
            self.add_unknown(to);
        }
    }
}
