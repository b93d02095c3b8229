//! The exposed objects: what an unknown number may reach.
//!
//! A pointer that holds an unknown number may point to any of them. Sets do not list them: an access
//! through such a pointer goes to a few nodes that stand for the memory of all of them at once. What
//! comes there is exposed in turn and becomes an unknown number, so sets stay as small as the program
//! makes them; what is lost is which of the exposed objects it was. Functions stay apart, or every call
//! through a pointer that may be uninitialised would call them all.

use super::graph::{Flow, Kind, LinkId, NodeId, Solver, Use};
use crate::bits::Bits;
use crate::objects::{Object, ObjectId};
use braid_base::Idx;
use braid_ir::Space;
use std::collections::VecDeque;

#[derive(Clone, Debug)]
pub(super) struct Exposed {
    /// In the order they were exposed.
    pub list: Vec<ObjectId>,
    known: Bits,
    /// Those whose memory is still to be connected.
    pub waiting: VecDeque<ObjectId>,
    /// What comes here is exposed.
    pub sink: NodeId,
    /// All that they hold.
    read: NodeId,
    /// All that is written to any of them.
    written: NodeId,
    shadow: NodeId,
    /// Something reads through an unknown number.
    is_read: bool,
    /// Calls through unknown numbers.
    links: Vec<LinkId>,
}

impl Default for Exposed {
    fn default() -> Exposed {
        Exposed::new(|_| NodeId(0))
    }
}

impl Exposed {
    pub fn new(mut node: impl FnMut(Kind) -> NodeId) -> Exposed {
        Exposed {
            list: Vec::new(),
            known: Bits::default(),
            waiting: VecDeque::new(),
            sink: node(Kind::Narrow),
            read: node(Kind::Hub),
            written: node(Kind::Hub),
            shadow: node(Kind::Hub),
            is_read: false,
            links: Vec::new(),
        }
    }

    pub fn expose(&mut self, object: ObjectId) {
        if self.known.insert(object.index()) {
            self.list.push(object);
            self.waiting.push_back(object);
        }
    }
}

impl Solver<'_> {
    /// An object was exposed: unknown numbers reach it.
    pub fn connect(&mut self, object: ObjectId) {
        if matches!(self.objects.list[object], Object::Function(_)) {
            for index in 0..self.exposed.links.len() {
                self.link_to(self.exposed.links[index], object);
            }
            return;
        }
        let (rest, shadow) = (self.heap[object].rest, self.shadow(object));
        self.edge(self.exposed.written, rest, Flow::Copy);
        self.edge(self.exposed.shadow, shadow, Flow::Copy);
        self.edge(shadow, self.exposed.shadow, Flow::Copy);
        if self.exposed.is_read {
            let all = self.all(object);
            self.edge(all, self.exposed.read, Flow::Copy);
        }
    }

    /// All that exposed objects hold, as one node.
    pub fn exposed_memory(&mut self) -> NodeId {
        if !std::mem::replace(&mut self.exposed.is_read, true) {
            self.exposed.waiting = self.exposed.list.iter().copied().collect();
        }
        self.exposed.read
    }

    /// Where to write what goes to exposed objects.
    pub fn exposed_rest(&self) -> NodeId {
        self.exposed.written
    }

    /// A use of an unknown number as an address.
    pub fn apply_to_exposed(&mut self, what: Use) {
        match what {
            Use::Load { dst, len: _, space } => {
                let from = match space {
                    Space::Memory => self.exposed_memory(),
                    Space::Shadow => self.exposed.shadow,
                };
                self.edge(from, dst, Flow::Copy);
            }
            Use::Store { value, len: _, space, flow } => {
                let to = match space {
                    Space::Memory => self.exposed.written,
                    Space::Shadow => self.exposed.shadow,
                };
                self.edge(value, to, flow);
            }
            Use::Fill { value, len: _ } => self.edge(value, self.exposed.written, Flow::Blur),
            Use::CopyFrom(copy) => self.copy_from(copy, None),
            Use::CopyTo(copy) => self.copy_to(copy, None),
            Use::Link(link) => self.link_to_exposed(link),
            // Comparing accesses nothing, and zero bytes hold nothing.
            Use::Clear { .. } | Use::Compare(_) => {}
        }
    }

    fn link_to_exposed(&mut self, link: LinkId) {
        if self.exposed.links.contains(&link) {
            return;
        }
        self.exposed.links.push(link);
        for index in 0..self.exposed.list.len() {
            self.link_to(link, self.exposed.list[index]);
        }
    }
}
