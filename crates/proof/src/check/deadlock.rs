//! Deadlocks: a graph of what threads wait for while they hold something.
//!
//! *Claim*: without an obligation for deadlocks no execution has one that consists of waits for locks and ends of threads;
//! other waits are obligations where they stand. *Relies on*: `waits`, which the last walk has collected with every hold
//! that there may be. *Proof*: threads that wait for each other give a cycle of edges, each from what one thread holds, or
//! from its end, to what it waits for. Cycles inside of one single thread, and cycles whose edges all are under one lock that
//! is held exclusively, cannot happen at one time.

use super::context::Context;
use super::only;
use super::survey::{Awaited, Wait};
use crate::range::Range;
use crate::state::Space;
use crate::value::{ObjectId, ThreadId};
use braid_props::Check;
use std::collections::{BTreeMap, BTreeSet};

/// What can be held or waited for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Node {
    /// The lock at an offset of an object of which there is one.
    Lock(ObjectId, i128),
    /// All locks of objects of a place.
    Locks(ObjectId),
    End(ThreadId),
}

#[derive(Clone, Copy)]
struct Edge<'w> {
    from: Node,
    to: Node,
    thread: ThreadId,
    wait: &'w Wait,
}

pub(super) fn judge(cx: &Context) {
    if !cx.question.checks.contains(Check::Deadlock) {
        return;
    }
    let waits = cx.survey.waits.borrow();
    let edges: Vec<Edge> = waits.iter().flat_map(|wait| edges(cx, wait)).collect();
    for component in components(&edges) {
        let inside: Vec<&Edge> = edges
            .iter()
            .filter(|edge| component.contains(&edge.from) && component.contains(&edge.to))
            .collect();
        if is_harmless(cx, &inside) {
            continue;
        }
        let mut seen = BTreeSet::new();
        for edge in inside.iter().filter(|edge| seen.insert(edge.wait.instr)) {
            let text = format!(
                "a cycle of waits: {} is waited for with {} held",
                name(cx, edge.to),
                name(cx, edge.from)
            );
            cx.open(only(Check::Deadlock), edge.wait.loc, Some(edge.wait.instr), text);
        }
    }
}

/// A lock, or all of an object, with the other one that is waited for, where, and whether that may be a cycle.
pub(super) type Wanted = ((ObjectId, Option<i64>), (ObjectId, Option<i64>), braid_ir::Loc, bool);

/// The locks that are waited for with others held.
pub(super) fn order(cx: &Context) -> Vec<Wanted> {
    let waits = cx.survey.waits.borrow();
    let edges: Vec<Edge> = waits.iter().flat_map(|wait| edges(cx, wait)).collect();
    let components = components(&edges);
    let lock = |node: Node| match node {
        Node::Lock(object, at) => Some((object, i64::try_from(at).ok())),
        Node::Locks(object) => Some((object, None)),
        Node::End(_) => None,
    };
    let wanted = edges.iter().filter_map(|edge| {
        let circular =
            components.iter().any(|component| component.contains(&edge.from) && component.contains(&edge.to));
        Some((lock(edge.from)?, lock(edge.to)?, edge.wait.loc, circular))
    });
    wanted.collect()
}

fn name(cx: &Context, node: Node) -> String {
    match node {
        Node::Lock(object, 0) | Node::Locks(object) => cx.name(object),
        Node::Lock(object, at) => format!("{} at offset {at}", cx.name(object)),
        Node::End(ThreadId(0)) => "the end of the first thread".to_string(),
        Node::End(thread) => {
            format!("the end of {}()", cx.function_of(cx.certificate.threads[thread].root).name)
        }
    }
}

/// The nodes of addresses: single places of single objects apart, all others together.
fn nodes(cx: &Context, targets: &[(ObjectId, Range)]) -> Vec<Node> {
    let mut found = Vec::new();
    for (object, at) in targets {
        let shared = cx.shared(*object);
        if !cx.single(shared) {
            found.push(Node::Locks(shared));
            continue;
        }
        let cells = cx.cells(shared).iter().filter(|cell| cell.space == Space::Sync);
        let found_uses = cx.survey.get();
        let uses = found_uses.uses.get(&shared).into_iter().flatten().map(|(at, _)| *at);
        // Offsets that are not alone are told from all others only if nobody names them alone.
        let exact = cells
            .map(|cell| cell.at)
            .chain(uses)
            .all(|range| range.single().is_some() || !Range::interferes(range, 1, *at, 1));
        match at.single().filter(|_| exact) {
            Some(at) => found.push(Node::Lock(shared, at)),
            None => found.push(Node::Locks(shared)),
        }
    }
    found
}

fn edges<'w>(cx: &Context, wait: &'w Wait) -> Vec<Edge<'w>> {
    let to: Vec<Node> = match &wait.awaited {
        Awaited::Lock(targets, _) => nodes(cx, targets),
        Awaited::End(thread) => vec![Node::End(*thread)],
    };
    let held: Vec<Node> = wait.holding.iter().flat_map(|hold| nodes(cx, &hold.targets)).collect();
    let mut found = Vec::new();
    for thread in cx.threads(wait.instance) {
        for to in &to {
            for from in held.iter().copied().chain([Node::End(*thread)]) {
                found.push(Edge { from, to: *to, thread: *thread, wait });
            }
        }
    }
    found
}

/// Returns true if no cycle of these edges can come about.
fn is_harmless(cx: &Context, edges: &[&Edge]) -> bool {
    let Some(first) = edges.first() else { return true };
    if edges.iter().any(|edge| edge.from == edge.to) {
        // One thread that waits for what it holds itself needs no second one.
        return false;
    }
    let one_thread =
        cx.certificate.threads[first.thread].single && edges.iter().all(|edge| edge.thread == first.thread);
    let gates =
        first.wait.certain.iter().filter(|gate| edges.iter().all(|edge| edge.wait.certain.contains(gate)));
    // The gate is no part of the cycle: to wait for it is to have it not.
    let outside = |gate: &&(ObjectId, i64)| {
        let node = Node::Lock(gate.0, gate.1.into());
        edges.iter().all(|edge| edge.from != node && edge.to != node)
            && edges.iter().all(|edge| edge.to != Node::Locks(gate.0) && edge.from != Node::Locks(gate.0))
    };
    let gated = gates.into_iter().any(|gate| outside(&gate));
    let has_ends =
        edges.iter().any(|edge| matches!(edge.from, Node::End(_)) || matches!(edge.to, Node::End(_)));
    one_thread || gated && !has_ends
}

/// The strongly connected components that have an edge.
fn components(edges: &[Edge]) -> Vec<BTreeSet<Node>> {
    let mut next: BTreeMap<Node, BTreeSet<Node>> = BTreeMap::new();
    for edge in edges {
        next.entry(edge.from).or_default().insert(edge.to);
        next.entry(edge.to).or_default();
    }
    let reach = |from: Node| {
        let mut seen = BTreeSet::new();
        let mut todo: Vec<Node> = next[&from].iter().copied().collect();
        while let Some(node) = todo.pop() {
            if seen.insert(node) {
                todo.extend(&next[&node]);
            }
        }
        seen
    };
    let reached: BTreeMap<Node, BTreeSet<Node>> = next.keys().map(|node| (*node, reach(*node))).collect();
    let mut found: Vec<BTreeSet<Node>> = Vec::new();
    for (node, to) in reached.iter().filter(|(node, to)| to.contains(node)) {
        if found.iter().any(|component| component.contains(node)) {
            continue;
        }
        found.push(to.iter().copied().filter(|other| reached[other].contains(node)).collect());
    }
    found
}
