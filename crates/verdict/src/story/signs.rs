//! Which variables are unsigned: the IR's integers have no sign, but its operations do.
//!
//! A variable counts as unsigned if somewhere its value is widened, compared, divided, shifted or converted as unsigned
//! and nowhere as signed. That is a guess for people's eyes; where nothing is known, numbers are shown as signed.

use braid_base::HashMap;
use braid_interp::object::Kind;
use braid_interp::watch::Area;
use braid_ir::{
    BinOp, CastOp, CmpOp, Const, Expr, FitsOp, FuncId, Function, GlobalId, LocalId, Op, Operand, Program,
    RegId, Ty,
};

/// Where a variable lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Root {
    Global(GlobalId),
    Local(FuncId, LocalId),
}

/// How often something is used as signed and as unsigned.
#[derive(Clone, Copy, Default)]
struct Votes {
    signed: u32,
    unsigned: u32,
}

impl Votes {
    fn is_unsigned(self) -> bool {
        self.unsigned > 0 && self.signed == 0
    }
}

/// An offset of `None` stands for elements whose index is computed.
type Place = (Root, Option<u64>);

#[derive(Default)]
pub(super) struct Signs {
    regs: HashMap<(FuncId, RegId), Votes>,
    places: HashMap<Place, Votes>,
}

impl Signs {
    pub fn new(program: &Program) -> Signs {
        let mut signs = Signs::default();
        for (func, function) in program.functions.enumerated() {
            signs.add_uses(func, function);
            signs.add_loads(program, func, function);
        }
        signs
    }

    pub fn register(&self, func: FuncId, reg: u32) -> bool {
        self.regs.get(&(func, RegId(reg))).is_some_and(|votes| votes.is_unsigned())
    }

    pub fn memory(&self, at: &Area) -> bool {
        let root = match at.object.kind {
            Kind::Global(id) | Kind::ThreadLocal(id) => Root::Global(id),
            Kind::Local(func, local) => Root::Local(func, local),
            Kind::Function(_) | Kind::Stack | Kind::Heap | Kind::Thread(_) => return false,
        };
        let at = [Some(at.offset), None].into_iter().find_map(|offset| self.places.get(&(root, offset)));
        at.is_some_and(|votes| votes.is_unsigned())
    }

    fn vote(&mut self, func: FuncId, operand: Operand, unsigned: bool) {
        if let Operand::Reg(reg) = operand {
            let votes = self.regs.entry((func, reg)).or_default();
            if unsigned { votes.unsigned += 1 } else { votes.signed += 1 }
        }
    }

    fn add_uses(&mut self, func: FuncId, function: &Function) {
        let instrs = function.blocks.iter().flat_map(|block| &block.instrs);
        for instr in instrs {
            if let Op::Assign { value, .. } | Op::Assert { cond: value, .. } = &instr.op
                && let Some((operands, unsigned)) = use_of(value)
            {
                operands.into_iter().flatten().for_each(|operand| self.vote(func, operand, unsigned));
            }
        }
    }

    /// What is said of a loaded value holds for where it was loaded from.
    fn add_loads(&mut self, program: &Program, func: FuncId, function: &Function) {
        let pointers = pointers(program, func, function);
        let instrs = function.blocks.iter().flat_map(|block| &block.instrs);
        for instr in instrs {
            let Op::Load { dst, ptr, .. } = &instr.op else { continue };
            let place = match ptr {
                Operand::Const(id) => constant(program.consts.get(*id)),
                Operand::Reg(reg) => pointers.get(reg).copied(),
            };
            if let Some((place, votes)) = place.zip(self.regs.get(&(func, *dst)).copied()) {
                let all = self.places.entry(place).or_default();
                all.signed += votes.signed;
                all.unsigned += votes.unsigned;
            }
        }
    }
}

fn constant(value: Const) -> Option<Place> {
    match value {
        Const::Global(id, offset) => Some((Root::Global(id), u64::try_from(offset).ok())),
        Const::Int { .. } | Const::F32(_) | Const::F64(_) | Const::Null | Const::Func(_) => None,
    }
}

/// A constant offset.
fn number(program: &Program, operand: Operand) -> Option<u64> {
    let Operand::Const(id) = operand else { return None };
    match program.consts.get(id) {
        Const::Int { bits, .. } => u64::try_from(bits).ok(),
        Const::F32(_) | Const::F64(_) | Const::Null | Const::Global(..) | Const::Func(_) => None,
    }
}

/// Registers that hold the address of a variable or of a part of it.
fn pointers(program: &Program, func: FuncId, function: &Function) -> HashMap<RegId, Place> {
    let mut known: HashMap<RegId, Place> = HashMap::default();
    for instr in function.blocks.iter().flat_map(|block| &block.instrs) {
        let Op::Assign { dst, value } = &instr.op else { continue };
        let base = |operand: &Operand, known: &HashMap<RegId, Place>| match operand {
            Operand::Const(id) => constant(program.consts.get(*id)),
            Operand::Reg(reg) => known.get(reg).copied(),
        };
        let place = match value {
            Expr::LocalAddr(local) => Some((Root::Local(func, *local), Some(0))),
            Expr::ThreadLocalAddr(id) => Some((Root::Global(*id), Some(0))),
            Expr::PtrAdd { ptr, offset } => {
                let plus = number(program, *offset);
                base(ptr, &known).map(|(root, from)| (root, from.zip(plus).map(|(a, b)| a.wrapping_add(b))))
            }
            Expr::Use(_)
            | Expr::Unary { .. }
            | Expr::Binary { .. }
            | Expr::Compare { .. }
            | Expr::Fits { .. }
            | Expr::Cast { .. }
            | Expr::Select { .. }
            | Expr::PtrDiff { .. }
            | Expr::ObjectSize(_)
            | Expr::Math { .. } => None,
        };
        if let Some(place) = place {
            known.insert(*dst, place);
        }
    }
    known
}

/// The operands whose sign an expression shows.
fn use_of(value: &Expr) -> Option<([Option<Operand>; 2], bool)> {
    match *value {
        Expr::Cast { op, from: Ty::Int(width), a, .. } if width > 1 => match op {
            CastOp::Zext | CastOp::UintToFloat => Some(([Some(a), None], true)),
            CastOp::Sext | CastOp::SintToFloat => Some(([Some(a), None], false)),
            CastOp::Trunc
            | CastOp::FloatToFloat
            | CastOp::FloatToSint
            | CastOp::FloatToUint
            | CastOp::PtrToInt
            | CastOp::IntToPtr
            | CastOp::Bits
            | CastOp::Forget => None,
        },
        Expr::Compare { op, ty: Ty::Int(_), a, b } => match op {
            CmpOp::Ult | CmpOp::Ule => Some(([Some(a), Some(b)], true)),
            CmpOp::Slt | CmpOp::Sle => Some(([Some(a), Some(b)], false)),
            CmpOp::Eq | CmpOp::Ne | CmpOp::FEq | CmpOp::FNe | CmpOp::FLt | CmpOp::FLe => None,
        },
        Expr::Binary { op, a, b, .. } => match op {
            BinOp::UDiv | BinOp::URem => Some(([Some(a), Some(b)], true)),
            BinOp::SDiv | BinOp::SRem => Some(([Some(a), Some(b)], false)),
            BinOp::LShr => Some(([Some(a), None], true)),
            BinOp::AShr => Some(([Some(a), None], false)),
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::Shl
            | BinOp::FAdd
            | BinOp::FSub
            | BinOp::FMul
            | BinOp::FDiv => None,
        },
        Expr::Fits { op, signed, a, b, .. } => match op {
            FitsOp::Add | FitsOp::Sub | FitsOp::Mul | FitsOp::Div => Some(([Some(a), Some(b)], !signed)),
            FitsOp::Shl => Some(([Some(a), None], !signed)),
            FitsOp::ShiftCount => None,
        },
        Expr::Cast { .. }
        | Expr::Compare { .. }
        | Expr::Use(_)
        | Expr::Unary { .. }
        | Expr::Select { .. }
        | Expr::PtrAdd { .. }
        | Expr::PtrDiff { .. }
        | Expr::LocalAddr(_)
        | Expr::ThreadLocalAddr(_)
        | Expr::ObjectSize(_)
        | Expr::Math { .. } => None,
    }
}
