//! Loops: kept, or copied iteration by iteration.
//!
//! An iteration in which no path leaves the loop, because all its exits are decided by constants, is free: there
//! certainly is another one. Any other iteration counts, and so does one after which the same is known as before an
//! earlier one: the loop would go on for ever. When the bound is reached, the head is copied once more, for its test, and what
//! would go on is cut. That is the way in which formula engines count.

use super::known::Values;
use super::point::{OpenLoop, Point};
use super::private::Private;
use super::{Cut, Head, LoopHeads, Walk, Walker};
use braid_analysis::liveness;
use braid_analysis::wto::Loop;
use braid_base::faults::active;
use braid_base::{Idx, Symbol};
use braid_ir::*;
use std::collections::VecDeque;
use std::rc::Rc;

/// Iterations of a loop whose number is known beforehand.
const FIXED: u32 = 20_000;

/// Iterations before which it is remembered what was known.
const SEEN: usize = 16;

/// All that was known before an iteration.
type Seen = (Rc<Values>, Rc<Private>);

impl Walker<'_> {
    pub(super) fn component(&mut self, component: &Loop) -> Walk {
        let function = self.frame().function;
        let head = &function.blocks[component.head];
        let loc = head.instrs.first().map_or(head.end.loc, |instr| instr.loc);
        let place = if head.end.loc.line > 0 { head.end.loc } else { loc };
        self.growing.push((self.frame().place(place), self.made));
        match self.plan.unroll {
            Some(bound) => {
                let bound = bound(self.frame().func, component.index, place);
                let bound = bound - u32::from(active("unrolled-once-less") && bound > 0);
                self.unroll(component, bound, (head.end.id, place))?;
            }
            None => self.keep(component)?,
        }
        self.growing.pop();
        Ok(())
    }

    fn unroll(&mut self, component: &Loop, bound: u32, origin: (InstrId, Loc)) -> Walk {
        let (mut counted, mut fixed) = (0, 0);
        let mut seen: VecDeque<Option<Seen>> = VecDeque::new();
        let (mut heads, cuts) = (Vec::new(), self.cuts.len());
        // Control may come to other blocks than the head first.
        while component.blocks.iter().any(|block| self.frame().pending[*block].is_some()) {
            heads.extend(self.mark_head(component.head, origin));
            if counted >= bound || fixed > FIXED {
                self.block(component.head)?;
                self.cut_loop(component, if counted >= bound { bound } else { FIXED }, origin);
                self.add_heads(heads, cuts, origin);
                return Ok(());
            }
            if seen.len() == SEEN {
                seen.pop_front();
            }
            seen.push_back(self.known_at(component.head));
            let left = self.frame().left(component);
            self.block(component.head)?;
            self.elements(&component.inner)?;
            let stays = component.has_exit && self.frame().left(component) == left;
            if stays && !seen.contains(&self.known_at(component.head)) {
                fixed += 1;
            } else {
                counted += 1;
            }
        }
        Ok(())
    }

    /// Marks a copy of the head of a loop of the user's, if that was asked for.
    fn mark_head(&mut self, head: BlockId, origin: (InstrId, Loc)) -> Option<Head> {
        let frame = self.frame();
        let point = frame.pending[head].as_ref().filter(|_| self.plan.heads && !frame.function.internal)?;
        let live = liveness::at_entry(frame.function)[head].clone();
        let value = |reg: usize| self.operand(point, Operand::Reg(RegId::from_usize(reg)));
        let (state, at): (Vec<Operand>, BlockId) = (live.iter().map(value).collect(), point.at);
        let cond = self.constant(Const::Int { width: 1, bits: 1 });
        let instr = self.emit(at, origin, Op::Assume { cond });
        Some(Head { instr, state })
    }

    /// Notes the copies of a head; the cuts from the given number on are those of the loop.
    fn add_heads(&mut self, copies: Vec<Head>, cuts: usize, origin: (InstrId, Loc)) {
        if copies.len() > 1 {
            let place = self.frame().place(origin.1);
            let cuts = self.cuts[cuts..].iter().map(|cut| cut.instr).collect();
            self.heads.push(LoopHeads { func: self.job.func, place, copies, cuts });
        }
    }

    fn known_at(&self, block: BlockId) -> Option<Seen> {
        let point = self.frame().pending[block].as_ref()?;
        Some((Rc::clone(&point.known), Rc::clone(&point.private)))
    }

    fn cut_loop(&mut self, component: &Loop, bound: u32, origin: (InstrId, Loc)) {
        let place = self.frame().place(origin.1);
        let (file, line) = (self.program.file_name(place.file), place.line);
        let what = format!("more than {bound} iterations of the loop at {file}:{line}");
        for block in &component.blocks {
            if let Some(point) = self.frame_mut().pending[*block].take() {
                self.cut(point.at, origin, &what, bound);
            }
        }
    }

    /// Executions that come here are left out.
    pub(super) fn cut(&mut self, at: BlockId, origin: (InstrId, Loc), what: &str, bound: u32) {
        let what = Symbol::intern(what);
        let instr = self.emit(at, origin, Op::Partial { what, bound: true });
        let cond = self.constant(Const::Int { width: 1, bits: 0 });
        self.emit(at, origin, Op::Assume { cond });
        self.end(at, origin, TermKind::Unreachable);
        let place = self.frame().place(origin.1);
        self.cuts.push(Cut { instr, what, place, bound });
    }

    /// The facts when control comes to the loop, at its head or elsewhere; a point at the head.
    fn before_loop(&mut self, component: &Loop) -> Option<Point> {
        let head = self.frame_mut().pending[component.head].take();
        let at = head.as_ref().map(|point| point.at);
        let elsewhere = component.blocks.iter().filter_map(|block| self.frame().pending[*block].as_ref());
        let mut merged = head;
        for point in elsewhere {
            match &mut merged {
                Some(merged) => merged.merge(point),
                None => merged = Some(point.clone()),
            }
        }
        let at = at.or_else(|| merged.is_some().then(|| self.draft.block()));
        merged.zip(at).map(|(point, at)| Point { at, ..point })
    }

    /// Copies a loop as it is. What it sets is not known at its head.
    fn keep(&mut self, component: &Loop) -> Walk {
        let Some(mut point) = self.before_loop(component) else { return Ok(()) };
        let function = self.frame().function;
        for block in &component.blocks {
            for instr in &function.blocks[*block].instrs {
                instr.op.destinations(&mut |reg| point.set(reg, None));
                if let Op::LocalLive { local } = &instr.op {
                    point.alive.insert(local.index());
                }
            }
        }
        point.weight = self.weights.fresh();
        let open =
            OpenLoop { component: Rc::new(component.clone()), head: point.at, blocks: point.blocks.clone() };
        let frame = self.frame_mut();
        frame.pending[component.head] = Some(point);
        frame.open.push(open);
        self.block(component.head)?;
        self.elements(&component.inner)?;
        self.frame_mut().open.pop();
        Ok(())
    }
}
