//! Calls and threads: arguments flow to parameters, results back.

use super::SpawnEdge;
use super::graph::{Flow, Kind, Link, LinkId, NodeId, Solver, Use};
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
            // What comes back is the first, the registers follow.
            let returned = self.node(Kind::Plain);
            self.returns.push(returned);
            self.registers.push(NodeId::from_usize(returned.index() + 1));
            for reg in regs {
                self.node(kind(reg.ty, self.program.pointer_bytes));
            }
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

/// What the register of a type stands for.
fn kind(ty: Ty, pointer_bytes: u8) -> Kind {
    match ty {
        Ty::Ptr => Kind::Pointer,
        Ty::Int(_) | Ty::F32 | Ty::F64 if ty.bytes(pointer_bytes) < u64::from(pointer_bytes) => Kind::Narrow,
        Ty::Int(_) | Ty::F32 | Ty::F64 => Kind::Wide,
    }
}
