//! The call graph: who calls whom, recursion, what a function or thread may execute.
//!
//! Edges are between instances of functions and come from the points-to analysis, so calls through
//! pointers are resolved. An over-approximation: every call of an execution is an edge.

use crate::bits::Bits;
use crate::cfg::{Cfg, components};
use crate::instances::InstanceId;
use crate::points_to::{Pointers, SpawnEdge};
use braid_base::{Idx, IndexVec};
use braid_ir::{FuncId, InstrId, Program};

#[derive(Clone, Debug)]
pub struct CallGraph {
    pub cfgs: IndexVec<FuncId, Cfg>,
    /// The instance the program begins in.
    pub entry: Option<InstanceId>,
    /// (call, callee), ascending.
    callees: IndexVec<InstanceId, Vec<(InstrId, InstanceId)>>,
    callers: IndexVec<InstanceId, Vec<(InstanceId, InstrId)>>,
    spawns: Vec<SpawnEdge>,
    recursive: IndexVec<InstanceId, bool>,
    functions: IndexVec<InstanceId, FuncId>,
    /// Strongly connected components of instances, callees first.
    components: Vec<Vec<InstanceId>>,
}

impl CallGraph {
    pub fn new(program: &Program, pointers: &Pointers) -> CallGraph {
        let empty = || pointers.instances().iter().map(|_| Vec::new());
        let mut callees: IndexVec<InstanceId, Vec<(InstrId, InstanceId)>> = empty().collect();
        let mut callers: IndexVec<InstanceId, Vec<(InstanceId, InstrId)>> =
            pointers.instances().iter().map(|_| Vec::new()).collect();
        for &(caller, call, callee) in &pointers.calls {
            callees[caller].push((call, callee));
            callers[callee].push((caller, call));
        }
        let next: Vec<Vec<usize>> =
            callees.iter().map(|list| list.iter().map(|(_, callee)| callee.index()).collect()).collect();
        let found = components(&next);
        let mut recursive: IndexVec<InstanceId, bool> = callees.iter().map(|_| false).collect();
        for component in &found {
            if component.len() > 1 || next[component[0]].contains(&component[0]) {
                component.iter().for_each(|n| recursive[InstanceId::from_usize(*n)] = true);
            }
        }
        let instances = |list: Vec<usize>| list.into_iter().map(InstanceId::from_usize).collect::<Vec<_>>();
        CallGraph {
            cfgs: program.functions.iter().map(Cfg::new).collect(),
            entry: program.entry.and_then(|entry| pointers.instances_of(entry).first().copied()),
            callees,
            callers,
            spawns: pointers.spawns.iter().copied().collect(),
            recursive,
            functions: pointers.instances().iter().map(|instance| instance.func).collect(),
            components: found.into_iter().map(instances).collect(),
        }
    }

    /// The calls of an instance with their callees, ascending.
    pub fn callees(&self, instance: InstanceId) -> &[(InstrId, InstanceId)] {
        &self.callees[instance]
    }

    pub fn callers(&self, instance: InstanceId) -> &[(InstanceId, InstrId)] {
        &self.callers[instance]
    }

    /// Whether the instance may call itself, directly or not.
    pub fn is_recursive(&self, instance: InstanceId) -> bool {
        self.recursive[instance]
    }

    /// Strongly connected components, callees first.
    pub fn components(&self) -> &[Vec<InstanceId>] {
        &self.components
    }

    /// The places where threads may start: instance, `spawn`, and the instance the thread begins in.
    pub fn spawns(&self) -> impl Iterator<Item = (InstanceId, InstrId, InstanceId)> + '_ {
        self.spawns.iter().map(|edge| (edge.from, edge.instr, edge.target))
    }

    /// The instances that calls may reach from some, these included; spawned threads are not followed.
    pub fn reachable(&self, from: impl IntoIterator<Item = InstanceId>) -> Bits {
        let mut seen = Bits::default();
        let mut waiting: Vec<InstanceId> = from.into_iter().collect();
        while let Some(instance) = waiting.pop() {
            if seen.insert(instance.index()) {
                waiting.extend(self.callees[instance].iter().map(|(_, callee)| *callee));
            }
        }
        seen
    }

    /// The functions that calls may reach from the entry, ascending.
    pub fn reachable_from_entry(&self) -> Vec<FuncId> {
        self.functions_of(&self.reachable(self.entry))
    }

    /// The functions a thread started there may execute, ascending.
    pub fn reachable_from_spawn(&self, from: InstanceId, instr: InstrId) -> Vec<FuncId> {
        let here = self.spawns.iter().filter(|edge| edge.from == from && edge.instr == instr);
        self.functions_of(&self.reachable(here.map(|edge| edge.target)))
    }

    fn functions_of(&self, instances: &Bits) -> Vec<FuncId> {
        let mut found: Vec<FuncId> =
            instances.iter().map(|n| self.functions[InstanceId::from_usize(n)]).collect();
        found.sort();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{c_program, named};

    #[test]
    fn pointers_recursion_and_threads() {
        let program = c_program(
            "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);\n\
             int odd(int);\nint even(int n) { return n ? odd(n - 1) : 1; }\n\
             int odd(int n) { return n ? even(n - 1) : 0; }\nint other(int n) { return n; }\n\
             int unused(int n) { return n; }\nint (*table[2])(int) = { even, other };\n\
             void *body(void *a) { other(1); return a; }\n\
             int main(void) { unsigned long h; pthread_create(&h, 0, body, 0); return table[h & 1](3); }",
        );
        let pointers = crate::points_to::solve(&program);
        let calls = CallGraph::new(&program, &pointers);
        let names = |list: Vec<FuncId>| {
            let user = list.into_iter().filter(|f| !program.functions[*f].internal);
            user.map(|f| program.functions[f].name.as_str()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(calls.reachable_from_entry()), "odd even other main");
        let spawns: Vec<_> = calls.spawns().collect();
        let [(from, instr, _)] = spawns.as_slice() else { panic!("{spawns:?}") };
        assert_eq!(names(calls.reachable_from_spawn(*from, *instr)), "other body");
        let instance = |name| pointers.instances_of(named(&program, name))[0];
        assert!(calls.is_recursive(instance("even")) && calls.is_recursive(instance("odd")));
        assert!(!calls.is_recursive(instance("other")) && !calls.is_recursive(instance("main")));
        assert!(pointers.instances_of(named(&program, "unused")).is_empty());
    }
}
