//! Calls and threads: arguments flow to parameters, results back.

use super::SpawnEdge;
use super::graph::{Flow, Link, LinkId, NodeId, Solver, Use};
use crate::instances::InstanceId;
use crate::objects::{Object, ObjectId};
use braid_base::Idx;
use braid_ir::{FuncId, InstrId, Ty};

impl Solver<'_> {
    /// The instance that a call enters; a new one gets its nodes here and its constraints later.
    pub fn enter(&mut self, func: FuncId, from: Option<(InstanceId, InstrId)>) -> InstanceId {
        let (instance, new) = self.instances.called(self.program, func, from);
        if new {
            let regs = &self.program.functions[func].regs;
            let first = NodeId::from_usize(self.node().index() + 1);
            for reg in regs {
                self.register(reg.ty == Ty::Ptr);
            }
            self.registers.push(first);
            let returned = self.node();
            self.returns.push(returned);
            self.fresh.push_back(instance);
        }
        instance
    }

    /// A call of a known function.
    pub fn call(&mut self, link: &Link, func: FuncId) {
        let program = self.program;
        let function = &program.functions[func];
        if function.blocks.is_empty() {
            return;
        }
        let callee = self.enter(func, Some((link.from, link.instr)));
        let new = match link.spawn {
            true => self.spawns.insert(SpawnEdge { from: link.from, instr: link.instr, target: callee }),
            false => self.calls.insert((link.from, link.instr, callee)),
        };
        if !new {
            return;
        }
        for (index, param) in function.params.iter().enumerate() {
            let to = self.reg(callee, *param);
            let from = link.args.get(index).copied().unwrap_or(self.unknown);
            self.edge(from, to, Flow::Copy);
        }
        let returned = self.returns[callee];
        let to = if link.spawn { Some(self.results) } else { link.dst };
        if let Some(to) = to {
            self.edge(returned, to, Flow::Copy);
            if function.ret.is_none() {
                self.add_unknown(to);
            }
        }
    }

    /// A call or spawn through a pointer.
    pub fn link(&mut self, link: Link, pointer: NodeId) {
        let id = self.links.push(link);
        self.attach(pointer, Use::Link(id));
    }

    /// The pointer turned out to point to the object.
    pub fn link_to(&mut self, link: LinkId, object: ObjectId) {
        let Object::Function(func) = self.objects.list[object] else { return };
        let link = self.links[link].clone();
        self.call(&link, func);
    }
}
