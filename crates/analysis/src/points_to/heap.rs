//! The contents of objects: cells that were written, views that are read.
//!
//! A write of known offset and length goes to a cell of its own, any other to the rest of the object. A
//! read sees the rest, and every cell it overlaps: exactly, or as part of something of which only the
//! object is known. An object with very many cells becomes one.

use super::graph::{BlockCopy, CopyId, Flow, Kind, NodeId, Solver};
use crate::objects::{Object, ObjectId, Offset};
use braid_ir::{Const, GlobalId, Space};
use std::collections::BTreeMap;

/// Cells, and views, of one object.
const PIECES: usize = 192;

/// Pairs of sources and destinations of one `copy` that are told apart.
const PAIRS: usize = 64;

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
    pub rest: NodeId,
    /// All that was ever written, once somebody asks.
    all: Option<NodeId>,
    shadow: Option<NodeId>,
    cells: BTreeMap<Range, NodeId>,
    views: BTreeMap<Range, NodeId>,
    /// Ranges that were set to zero.
    cleared: Vec<Range>,
    outgoing: Vec<Outgoing>,
    /// Cells are no longer told apart.
    one: bool,
}

impl Contents {
    pub fn everything(&self) -> Vec<NodeId> {
        [self.rest].into_iter().chain(self.shadow).chain(self.cells.values().copied()).collect()
    }
}

fn overlaps(a: Range, b: Range) -> bool {
    a.0 < b.0.saturating_add(b.1) && b.0 < a.0.saturating_add(a.1)
}

fn contains(outer: Range, inner: Range) -> bool {
    outer.0 <= inner.0 && inner.0.saturating_add(inner.1) <= outer.0.saturating_add(outer.1)
}

impl Solver<'_> {
    /// For a new object.
    pub fn add_contents(&mut self) {
        let rest = self.node(Kind::Plain);
        let (cells, views) = (BTreeMap::new(), BTreeMap::new());
        let (cleared, outgoing) = (Vec::new(), Vec::new());
        let (all, shadow) = (None, None);
        self.heap.push(Contents { rest, all, shadow, cells, views, cleared, outgoing, one: false });
    }

    /// All that an object holds.
    pub fn all(&mut self, object: ObjectId) -> NodeId {
        let contents = &self.heap[object];
        if contents.one {
            return contents.rest;
        }
        if let Some(all) = contents.all {
            return all;
        }
        let all = self.node(Kind::Plain);
        self.heap[object].all = Some(all);
        let contents = &self.heap[object];
        let pieces: Vec<NodeId> =
            [contents.rest].into_iter().chain(contents.cells.values().copied()).collect();
        pieces.into_iter().for_each(|piece| self.edge(piece, all, Flow::Copy));
        all
    }

    /// What an object holds in shadow space.
    pub fn shadow(&mut self, object: ObjectId) -> NodeId {
        if let Some(shadow) = self.heap[object].shadow {
            return shadow;
        }
        let shadow = self.node(Kind::Plain);
        self.heap[object].shadow = Some(shadow);
        shadow
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
        let cell = self.node(Kind::Plain);
        self.heap[object].cells.insert(range, cell);
        if let Some(all) = self.heap[object].all {
            self.edge(cell, all, Flow::Copy);
        }
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
        let contents = &mut self.heap[object];
        contents.one = true;
        let rest = contents.rest;
        let cells: Vec<NodeId> = contents.cells.values().copied().collect();
        cells.into_iter().for_each(|cell| self.edge(cell, rest, Flow::Copy));
        if !self.heap[object].cleared.is_empty() {
            self.add_unknown(rest);
        }
        rest
    }

    /// What is read at a place.
    fn view(&mut self, object: ObjectId, range: Range) -> NodeId {
        if self.heap[object].one {
            return self.heap[object].rest;
        }
        if let Some(&view) = self.heap[object].views.get(&range) {
            return view;
        }
        if self.heap[object].views.len() >= PIECES {
            return self.all(object);
        }
        let view = self.node(Kind::Plain);
        let rest = self.heap[object].rest;
        self.heap[object].views.insert(range, view);
        self.edge(rest, view, Flow::Copy);
        let cells: Vec<_> = self.heap[object].cells.iter().map(|(r, c)| (*r, *c)).collect();
        for (written, cell) in cells {
            self.see(cell, written, view, range);
        }
        if self.heap[object].cleared.iter().any(|cleared| cuts(*cleared, range)) {
            self.add_unknown(view);
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
            (Space::Shadow, _) => self.shadow(object),
            (Space::Memory, Offset::Any) => self.all(object),
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
            (Space::Shadow, _) => self.shadow(object),
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

    /// Bytes become zero. What they cover holds nothing then; what they cut is some number.
    pub fn clear(&mut self, object: ObjectId, offset: Offset, len: u64) {
        let Offset::At(at) = offset else { return };
        let range = (at, len);
        let contents = &mut self.heap[object];
        if contents.cleared.contains(&range) {
            return;
        }
        if contents.one || contents.cleared.len() >= PIECES {
            let rest = contents.rest;
            return self.add_unknown(rest);
        }
        contents.cleared.push(range);
        let views = contents.views.iter().filter(|(seen, _)| cuts(range, **seen));
        let cut: Vec<NodeId> = views.map(|(_, view)| *view).collect();
        cut.into_iter().for_each(|view| self.add_unknown(view));
        for index in 0..self.heap[object].outgoing.len() {
            let outgoing = self.heap[object].outgoing[index];
            self.copy_cleared(range, outgoing);
        }
    }

    /// A `copy` has this source; `None` is all exposed objects.
    pub fn copy_from(&mut self, copy: CopyId, src: Option<(ObjectId, Offset)>) {
        let BlockCopy { dst, len, through, .. } = self.copies[copy];
        if let Some(through) = through {
            return self.copy_in(src, through);
        }
        let targets = self.places(dst);
        match self.too_many(copy) {
            true => self.merge_copy(copy),
            false => targets.into_iter().for_each(|dst| self.copy_block(src, dst, len)),
        }
    }

    /// A `copy` has this destination.
    pub fn copy_to(&mut self, copy: CopyId, dst: Option<(ObjectId, Offset)>) {
        let BlockCopy { src, len, through, .. } = self.copies[copy];
        if let Some(through) = through {
            return self.copy_out(through, dst);
        }
        let sources = self.places(src);
        match self.too_many(copy) {
            true => self.merge_copy(copy),
            false => sources.into_iter().for_each(|src| self.copy_block(src, dst, len)),
        }
    }

    fn too_many(&self, copy: CopyId) -> bool {
        let BlockCopy { src, dst, .. } = self.copies[copy];
        self.size(src) * self.size(dst) > PAIRS
    }

    /// From now on the sources and destinations of a `copy` are not told apart.
    fn merge_copy(&mut self, copy: CopyId) {
        let through = self.node(Kind::Plain);
        self.copies[copy].through = Some(through);
        let BlockCopy { src, dst, .. } = self.copies[copy];
        self.places(src).into_iter().for_each(|src| self.copy_in(src, through));
        self.places(dst).into_iter().for_each(|dst| self.copy_out(through, dst));
    }

    fn copy_in(&mut self, src: Option<(ObjectId, Offset)>, through: NodeId) {
        let all = match src {
            Some((object, _)) => self.all(object),
            None => self.exposed_memory(),
        };
        self.edge(all, through, Flow::Copy);
    }

    fn copy_out(&mut self, through: NodeId, dst: Option<(ObjectId, Offset)>) {
        let rest = dst.map_or(self.exposed_rest(), |(object, _)| self.heap[object].rest);
        self.edge(through, rest, Flow::Copy);
    }

    fn copy_block(
        &mut self,
        src: Option<(ObjectId, Offset)>,
        dst: Option<(ObjectId, Offset)>,
        len: Option<u64>,
    ) {
        let (Some((src, Offset::At(from))), Some((dst, Offset::At(at))), Some(len)) = (src, dst, len) else {
            let all = match src {
                Some((object, _)) => self.all(object),
                None => self.exposed_memory(),
            };
            return self.copy_out(all, dst);
        };
        let (rest, target) = (self.heap[src].rest, self.heap[dst].rest);
        self.edge(rest, target, Flow::Copy);
        let outgoing = Outgoing { range: (from, len), to: dst, at };
        if self.heap[src].outgoing.contains(&outgoing) {
            return;
        }
        self.heap[src].outgoing.push(outgoing);
        let cells: Vec<_> = self.heap[src].cells.iter().map(|(r, c)| (*r, *c)).collect();
        for (range, cell) in cells {
            self.copy_cell(cell, range, outgoing);
        }
        for index in 0..self.heap[src].cleared.len() {
            let range = self.heap[src].cleared[index];
            self.copy_cleared(range, outgoing);
        }
    }

    fn copy_cell(&mut self, cell: NodeId, range: Range, outgoing: Outgoing) {
        if !overlaps(range, outgoing.range) {
            return;
        }
        if contains(outgoing.range, range) {
            let to = self.cell(outgoing.to, (range.0 - outgoing.range.0 + outgoing.at, range.1));
            self.edge(cell, to, Flow::Copy);
        } else {
            let to = self.heap[outgoing.to].rest;
            self.edge(cell, to, Flow::Blur);
            self.add_unknown(to);
        }
    }

    fn copy_cleared(&mut self, range: Range, outgoing: Outgoing) {
        if !overlaps(range, outgoing.range) {
            return;
        }
        let (from, len) = outgoing.range;
        let start = range.0.max(from);
        let end = range.0.saturating_add(range.1).min(from.saturating_add(len));
        self.clear(outgoing.to, Offset::At(start - from + outgoing.at), end - start);
    }
}

/// Whether bytes that become zero are some of those of a range, but not all.
fn cuts(cleared: Range, seen: Range) -> bool {
    overlaps(cleared, seen) && !contains(cleared, seen)
}
