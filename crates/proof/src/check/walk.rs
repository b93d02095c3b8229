//! The walk over all instances and blocks of a certificate.

use super::context::Context;
use super::include::{Goal, covers};
use super::registers::Run;
use super::{Invalid, Missing, Point};
use crate::eval;
use crate::state::{InstanceId, LockName, State};
use crate::value::{ThreadId, Value};
use braid_ir::{BlockId, Operand, TermKind};

/// Paths through a block that are followed.
pub(super) const PATHS: usize = 64;

/// Sees that every step stays within the states of the certificate.
pub(super) fn walk(cx: &Context) -> Result<(), Invalid> {
    begin(cx)?;
    for id in cx.certificate.instances.ids() {
        instance(cx, id)?;
    }
    Ok(())
}

/// The program begins in the entry of the first thread.
pub(super) fn begin(cx: &Context) -> Result<(), Invalid> {
    let root = cx.certificate.threads[ThreadId(0)].root;
    let first = &cx.certificate.instances[root];
    if cx.program.entry != Some(first.function) {
        return Err(Invalid::Malformed("the first thread does not begin in the entry of the program".into()));
    }
    if !first.threads.contains(&ThreadId(0)) {
        return Err(Invalid::Malformed(format!("{root} is not executed by the first thread")));
    }
    let state = State { pristine: true, ..State::default() };
    let run = Run::new(cx, root, BlockId(0), state.clone());
    run.include_entry(root, state, run.function.atomic)
}

fn instance(cx: &Context, id: InstanceId) -> Result<(), Invalid> {
    let claimed = &cx.certificate.instances[id];
    let entry = Run::new(cx, id, BlockId(0), claimed.entry.clone());
    entry.stands("at the entry", Point::Entry(id))?;
    entry.edge(BlockId(0))?;
    for (block, states) in claimed.blocks.enumerated() {
        for (index, state) in states.iter().enumerate() {
            let run = Run::new(cx, id, block, state.clone());
            run.stands("at the beginning of the block", Point::Block(id, block, index))?;
            follow(cx, run, block)?;
        }
    }
    if let Some((state, _)) = &claimed.exit {
        Run::new(cx, id, BlockId(0), state.clone()).stands("at the exit", Point::Exit(id))?;
    }
    Ok(())
}

pub(super) fn follow(cx: &Context, run: Run, block: BlockId) -> Result<(), Invalid> {
    let code = &run.function.blocks[block];
    let mut paths = vec![run];
    for instr in &code.instrs {
        let mut next = Vec::new();
        for path in paths {
            next.extend(path.step(instr)?);
        }
        paths = next;
        if paths.len() > PATHS {
            return paths[0].leaves("too many paths through the block", &paths.len(), &PATHS);
        }
    }
    leave_block(cx, paths, block)
}

/// What comes after the last instruction of a block.
pub(super) fn leave_block(cx: &Context, paths: Vec<Run>, block: BlockId) -> Result<(), Invalid> {
    for mut path in paths {
        let code = &path.function.blocks[block];
        (path.instr, path.loc) = (code.end.id, code.end.loc);
        path.internal = path.function.internal;
        end(cx, path, &code.end.kind)?;
    }
    Ok(())
}

fn end(cx: &Context, mut path: Run, kind: &TermKind) -> Result<(), Invalid> {
    match kind {
        TermKind::Jump(to) => path.edge(*to),
        TermKind::Branch { cond, then, other } => {
            let mut holds = path.clone();
            if holds.assume(*cond, true) {
                holds.edge(*then)?;
            }
            if path.assume(*cond, false) { path.edge(*other) } else { Ok(()) }
        }
        TermKind::Switch { ty, value, cases, default } => {
            let mut rest = path.clone();
            let mut possible = true;
            for (bits, to) in cases {
                let mut path = path.clone();
                if path.assume_pattern(*ty, *value, (true, *bits)) {
                    path.edge(*to)?;
                }
                possible &= rest.assume_pattern(*ty, *value, (false, *bits));
            }
            if possible { rest.edge(*default) } else { Ok(()) }
        }
        TermKind::Return(value) => leave(cx, path, *value),
        TermKind::Unreachable => {
            path.doubt("control may reach what is taken to be unreachable");
            Ok(())
        }
    }
}

/// A function returns, and a thread ends if it is the outermost one.
fn leave(cx: &Context, mut path: Run, value: Option<Operand>) -> Result<(), Invalid> {
    if !is_lasting(cx, path.instance) {
        path.end_frame()?;
    }
    path.open = path.function.locals.ids().collect();
    if path.function.atomic {
        path.state.holds.retain(|hold| hold.name != Some(LockName::Section));
        path.settle()?;
    }
    let roots = cx.certificate.threads.enumerated().filter(|(_, thread)| thread.root == path.instance);
    for (thread, _) in roots.filter(|(thread, _)| *thread != ThreadId(0)) {
        let mut last = path.clone();
        let value = value.map(|value| last.operand(value));
        last.thread_end(thread, value)?;
    }
    if !cx.is_called(path.instance) {
        return Ok(());
    }
    let claimed = &cx.certificate.instances[path.instance].exit;
    let Some((claimed, result)) = claimed else {
        let missing = Missing::State(Point::Exit(path.instance), Box::new(path.state.clone()));
        return path.needs(missing, "the function returns", &"an exit", &"no exit");
    };
    path.leak_all_but(claimed)?;
    let computed = match (value, path.function.ret) {
        (Some(value), _) => path.operand(value),
        (None, Some(ty)) => Value::any(eval::width(cx.program, ty)),
        (None, None) => Value::NONE,
    };
    let width = path.function.ret.map_or(1, |ty| eval::width(cx.program, ty));
    if !covers(result, &computed, width) {
        let missing = Missing::Result(path.instance, computed.clone());
        path.needs(missing, "the result", &computed, result)?;
    }
    path.include(claimed, &Goal { what: "at the exit", point: Point::Exit(path.instance), live: None })
}

/// Returns true if the instance is the outermost frame of the user's code in the first thread, whose end is the program's.
pub(super) fn is_lasting(cx: &Context, instance: InstanceId) -> bool {
    let first = cx.certificate.threads[ThreadId(0)].root;
    let alone = cx.threads(instance).iter().eq([&ThreadId(0)]);
    let is_root = cx.certificate.threads.iter().any(|thread| thread.root == instance);
    Some(cx.certificate.instances[instance].function) == cx.program.main
        && alone
        && !is_root
        && cx.certificate.calls.iter().all(|(from, .., to)| *to != instance || *from == first)
        && !cx.is_called(first)
}
