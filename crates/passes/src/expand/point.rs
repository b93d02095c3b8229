//! Where the walker is: a point in the new function with what is known there, and the activations that lead to it.

use super::draft::Names;
use super::known::{Base, Known, Values};
use super::private::Private;
use braid_analysis::wto::Loop;
use braid_analysis::{Bits, InstanceId};
use braid_base::faults::active;
use braid_base::{Idx, IndexVec};
use braid_ir::{BlockId, FuncId, Function, InstrId, Loc, LocalId, RegId, Ty};
use std::rc::Rc;

/// A point in the new function, and what is known on all paths to it.
#[derive(Clone, Debug)]
pub(super) struct Point {
    /// The block that code is appended to.
    pub at: BlockId,
    /// The values of the running activation's registers.
    pub known: Rc<Values>,
    /// The contents of private objects.
    pub private: Rc<Private>,
    /// Frame objects of the activation that may be alive.
    pub alive: Bits,
    /// Stack blocks of the activation that may be alive.
    pub blocks: Vec<StackBlock>,
    pub weight: Weight,
}

/// A stack block of an activation: it ends with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StackBlock {
    /// The register of the source that it was made for.
    pub dst: RegId,
    /// A register with its address; null before it is made and when its life has ended.
    pub holder: RegId,
    /// The instruction of the source that makes it.
    pub made: InstrId,
    pub place: Loc,
}

impl Point {
    /// Merges what is known on other paths.
    pub fn merge(&mut self, other: &Point) {
        if self.known != other.known && !active("expanded-one-path-believed") {
            let known = Rc::make_mut(&mut self.known);
            for (value, other) in known.iter_mut().zip(other.known.iter()) {
                if *value != *other {
                    *value = None;
                }
            }
        }
        if !Rc::ptr_eq(&self.private, &other.private) {
            Rc::make_mut(&mut self.private).merge(&other.private);
        }
        self.alive.union(&other.alive);
        for block in &other.blocks {
            if !self.blocks.contains(block) {
                self.blocks.push(*block);
            }
        }
        self.weight = self.weight.plus(other.weight);
    }

    /// A frame object begins or ends a life: what is known of its last one is of no use any more.
    pub fn forget_local(&mut self, local: LocalId) {
        let Some(base) = self.private.life_of(local) else { return };
        Rc::make_mut(&mut self.private).end(base);
        self.forget_base(base);
    }

    fn forget_base(&mut self, base: Base) {
        let is_there = |value: &Option<Known>| matches!(value, Some(Known::Address(at)) if at.base == base);
        if self.known.iter().any(is_there) {
            Rc::make_mut(&mut self.known).iter_mut().filter(|value| is_there(value)).for_each(|v| *v = None);
        }
    }

    pub fn set(&mut self, reg: RegId, value: Option<Known>) {
        if self.known[reg.index()] != value {
            Rc::make_mut(&mut self.known)[reg.index()] = value;
        }
    }
}

/// How much of all that enters the program comes to a point, as a number that is split where control forks and added
/// where it meets. Two points have the same weight if whatever comes to the one comes to the other, and by chance with
/// negligible probability.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Weight(u128);

impl Weight {
    pub fn plus(self, other: Weight) -> Weight {
        Weight(self.0.wrapping_add(other.0))
    }
}

/// A source of weights; the same in every run.
#[derive(Default)]
pub(super) struct Weights {
    count: u64,
}

impl Weights {
    /// A weight unlike all others.
    pub fn fresh(&mut self) -> Weight {
        self.count += 1;
        let mix = |seed: u64| {
            // The finaliser of SplitMix64.
            let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ z >> 31
        };
        Weight(u128::from(mix(2 * self.count)) << 64 | u128::from(mix(2 * self.count + 1)))
    }

    /// Splits off a part.
    pub fn split(&mut self, from: &mut Weight) -> Weight {
        let part = self.fresh();
        from.0 = from.0.wrapping_sub(part.0);
        part
    }
}

/// How the end of an activation ends its objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Its end is the thread's.
    Outermost,
    /// `main`, whose objects live as long as the program.
    Lasting,
    Called,
}

/// An activation of a function.
pub(super) struct Frame<'a> {
    pub func: FuncId,
    pub function: &'a Function,
    pub instance: Option<InstanceId>,
    pub role: Role,
    pub names: Names,
    /// In a library model: the user's call.
    pub site: Option<Loc>,
    /// At its beginning.
    pub weight: Weight,
    /// The block in which it begins, and the instructions there before it.
    pub start: (BlockId, usize),
    /// Where control has arrived, by block of the source.
    pub pending: IndexVec<BlockId, Option<Point>>,
    /// How often it has.
    pub arrived: IndexVec<BlockId, u32>,
    /// Kept loops that are being walked.
    pub open: Vec<OpenLoop>,
    /// Where the value goes, in the caller.
    pub dst: Option<(RegId, Ty)>,
    /// The caller when the activation begins, and where it goes on.
    pub caller: Option<Point>,
    pub dst_in_caller: Option<RegId>,
    pub back: Option<Point>,
    pub returns: u32,
}

/// A kept loop.
pub(super) struct OpenLoop {
    pub component: Rc<Loop>,
    /// The copy of its head.
    pub head: BlockId,
    /// Stack blocks that may be alive there.
    pub blocks: Vec<StackBlock>,
}

impl Frame<'_> {
    /// The place of an instruction, for reports: in a library model the user's call.
    pub fn place(&self, loc: Loc) -> Loc {
        self.site.unwrap_or(loc)
    }

    /// How often control has left the loop.
    pub fn left(&self, component: &Loop) -> u32 {
        let outside =
            self.arrived.enumerated().filter(|(block, _)| component.blocks.binary_search(block).is_err());
        self.returns + outside.map(|(_, count)| count).sum::<u32>()
    }
}
