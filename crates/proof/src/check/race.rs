//! Data races: two accesses of common bytes that nothing keeps apart.
//!
//! *Claim*: without an obligation for data races no execution has one. *Relies on*: every access of shared memory being in the
//! lists of the cells that it meets (`cells`). *Proof*: cells of one space do not meet, so that two accesses of common bytes
//! are in the list of one cell; calls at synchronisation objects are in cells of their own space and touch the bytes behind
//! them. For each pair the threads are never there at the same time, a lock excludes them, or they touch bytes that arguments
//! of different threads keep apart.

use super::context::{Context, Locks, exclude, locks_at};
use super::{barriers, only};
use crate::certificate::{Access, Cell, Held, Kind};
use crate::range::Range;
use crate::state::{Mode, Space};
use crate::value::{ObjectId, ThreadId};
use braid_ir::Op;
use braid_props::Check;

pub(super) fn judge(cx: &Context) {
    if !cx.question.checks.contains(Check::DataRace) {
        return;
    }
    for (object, cells) in cx.certificate.memory.enumerated() {
        if !matters(cx, object) {
            continue;
        }
        for cell in cells.iter().filter(|cell| cell.space == Space::Data) {
            within(cx, object, cell);
            let others = cells.iter().filter(|other| other.space == Space::Data && other.at != cell.at);
            others.for_each(|other| beside(cx, object, cell, other));
            for sync in cells.iter().filter(|cell| cell.space == Space::Sync) {
                between(cx, object, cell, sync);
            }
        }
    }
}

/// Nobody but its thread has the address of a thread-local variable, or it stands in the way of everything.
pub(super) fn matters(cx: &Context, object: ObjectId) -> bool {
    let asked = cx.question.race_on.is_none_or(|global| crate::eval::global(global) == object);
    asked && !cx.is_thread_local(object)
}

/// Returns true if the access is one that races are about.
pub(super) fn counts(cx: &Context, object: ObjectId, access: &Access) -> bool {
    let library = cx
        .global(object)
        .is_some_and(|global| global.internal && !braid_models::is_racy_variable(global.name.as_str()));
    !(library && cx.code(access.instr).is_some_and(|code| code.internal))
}

fn within(cx: &Context, object: ObjectId, cell: &Cell) {
    let accesses: Vec<&Access> = cell.accesses.iter().filter(|access| counts(cx, object, access)).collect();
    for (index, one) in accesses.iter().enumerate() {
        for other in &accesses[index..] {
            if may_race(cx, one, other) && !apart(cx, object, cell, one, other) {
                report(cx, object, one, other);
            }
        }
    }
}

/// Bytes of a bit-field that lie in another cell belong to the same memory location.
fn beside(cx: &Context, object: ObjectId, cell: &Cell, other: &Cell) {
    let accesses = cell.accesses.iter().filter(|access| counts(cx, object, access));
    for one in accesses.filter(|access| extent(cx, access) != (0, 0)) {
        for second in other.accesses.iter().filter(|access| counts(cx, object, access)) {
            let ((at, bytes), (from, length)) = (location(cx, cell, one), location(cx, other, second));
            let common = Range::interferes(at, bytes, from, length);
            let here = (one.instance, &one.alive);
            let locked =
                || exclude(&locks_alone(cx, object, cell, one), &locks_alone(cx, object, other, second));
            if common
                && may_race(cx, one, second)
                && cx.meet(here, (second.instance, &second.alive))
                && !locked()
            {
                report(cx, object, one, second);
            }
        }
    }
}

/// Locks that accesses of two cells have in common if they have them at all.
fn locks_alone(cx: &Context, object: ObjectId, cell: &Cell, access: &Access) -> Locks {
    let at = cell.at.single().filter(|_| cx.single(object) && !cell.mixed);
    locks_at(&access.held, object, at, at.is_none())
}

fn extent(cx: &Context, access: &Access) -> (u16, u16) {
    match cx.code(access.instr).and_then(|code| code.op) {
        Some(Op::Load { access, .. } | Op::Store { access, .. }) => access.extent,
        _ => (0, 0),
    }
}

/// The bytes of the memory locations that an access of the cell touches.
fn location(cx: &Context, cell: &Cell, access: &Access) -> (Range, u64) {
    let (before, behind) = extent(cx, access);
    let at = cell.at.plus(Range::point(-i128::from(before)));
    (at, cell.bytes + u64::from(before) + u64::from(behind))
}

pub(super) fn may_race(cx: &Context, one: &Access, other: &Access) -> bool {
    let writes = one.kind != Kind::Read || other.kind != Kind::Read;
    let in_section = |access: &Access| {
        !cx.question.races_in_sections() && access.held.contains(&(Held::Section, Mode::Exclusive))
    };
    let both_atomic = one.atomic && other.atomic;
    writes && !both_atomic && ![one, other].into_iter().any(in_section)
}

/// Returns true if the two accesses are never about to happen at the same time, or never touch common bytes then.
fn apart(cx: &Context, object: ObjectId, cell: &Cell, one: &Access, other: &Access) -> bool {
    let locked = || exclude(&cx.locks_of(object, cell, one), &cx.locks_of(object, cell, other));
    !meet(cx, cell, one, other) || locked()
}

pub(super) fn meet(cx: &Context, cell: &Cell, one: &Access, other: &Access) -> bool {
    cx.threads(one.instance).iter().any(|s| {
        cx.threads(other.instance).iter().any(|t| {
            cx.concurrent((*s, &one.alive), (*t, &other.alive))
                && !of_arguments(cx, cell, (*s, one), (*t, other))
                && !barriers::apart(cx, (*s, one), (*t, other))
        })
    })
}

/// Returns true if both touch bytes that their arguments keep apart.
fn of_arguments(
    cx: &Context,
    cell: &Cell,
    (s, one): (ThreadId, &Access),
    (t, other): (ThreadId, &Access),
) -> bool {
    let Some((_, least)) = cx.certificate.threads[s].apart.filter(|_| s == t) else { return false };
    let Some(((scale, at), (second, from))) = one.own.zip(other.own) else { return false };
    let reach = |access: &Access| reach(cx, access);
    let (Some(before), Some(behind)) = (reach(one), reach(other)) else { return false };
    let bytes = i128::from(before.max(behind)).max(i128::from(cell.bytes));
    let distance = i128::from(scale).abs() * i128::from(least);
    // A thread is the descendant of another one of its kind: their arguments have nothing to do with each other.
    let related = one.alive.contains(&t) || other.alive.contains(&s);
    scale == second && !related && distance >= bytes + (i128::from(at) - i128::from(from)).abs()
}

/// The most bytes that the access touches from its address on. None for those that are no single access.
fn reach(cx: &Context, access: &Access) -> Option<u64> {
    let code = cx.code(access.instr)?;
    let bytes = |ty: braid_ir::Ty| ty.bytes(cx.program.pointer_bytes);
    match code.op? {
        Op::Load { ty, access, .. } | Op::Store { ty, access, .. } => {
            Some(bytes(*ty) + u64::from(access.extent.0) + u64::from(access.extent.1))
        }
        Op::Rmw { ty, .. } => Some(bytes(*ty)),
        Op::CmpXchg(exchange) => Some(bytes(exchange.ty)),
        _ => None,
    }
}

/// Plain accesses race with calls at the object whose bytes they touch.
fn between(cx: &Context, object: ObjectId, data: &Cell, sync: &Cell) {
    let found = cx.survey.get();
    let uses = found.uses.get(&object).into_iter().flatten();
    let here = uses.filter(|(at, _)| Range::interferes(*at, 1, sync.at, 1));
    let size = here.map(|(_, kind)| kind.0.size(cx.program.pointer_bytes)).max().unwrap_or(0);
    if !Range::interferes(data.at, data.bytes, sync.at, size) {
        return;
    }
    for one in data.accesses.iter().filter(|access| counts(cx, object, access)) {
        for other in &sync.accesses {
            let here = (one.instance, &one.alive);
            let locked =
                || exclude(&locks_alone(cx, object, data, one), &locks_alone(cx, object, sync, other));
            if may_race(cx, one, other) && cx.meet(here, (other.instance, &other.alive)) && !locked() {
                report(cx, object, one, other);
            }
        }
    }
}

fn report(cx: &Context, object: ObjectId, one: &Access, other: &Access) {
    let line = |access: &Access| cx.code(access.instr).map_or(0, |code| code.loc.line);
    let what = |access: &Access| match access.kind {
        Kind::Read => "read by",
        Kind::Write => "written by",
        Kind::End => "ended by",
    };
    let function = |access: &Access| cx.function_of(access.instance).name;
    let loc = cx.code(one.instr).map_or(braid_ir::Loc::NONE, |code| code.loc);
    let text = format!(
        "{} is {} {}() (line {}) and {} {}() (line {}) without a common lock",
        cx.name(object),
        what(one),
        function(one),
        line(one),
        what(other),
        function(other),
        line(other)
    );
    cx.open(only(Check::DataRace), loc, Some(one.instr), text);
}
