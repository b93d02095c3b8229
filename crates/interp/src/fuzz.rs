//! Random verified programs: whatever they do, the machine ends them without a panic, and the same
//! way every time.

use crate::machine::{Limits, Machine, Options};
use crate::testing::{TestEnv, program};
use crate::{Image, Outcome};
use braid_ir::{AllocKind, BinOp, CastOp, CmpOp, FitsOp, MathFn, RmwOp, UnOp};
use braid_props::CheckSet;
use std::fmt::Write as _;

/// Types of the registers of every generated function; two of each.
const TYPES: [&str; 12] =
    ["i1", "i8", "i16", "i24", "i32", "i33", "i64", "i65", "i127", "i128", "f32", "f64"];

/// A program that runs longer is left alone.
const STEPS: usize = 3000;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit as u64) as usize
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn reg(&mut self, ty: usize) -> String {
        format!("%{}", 2 * ty + self.below(2))
    }

    fn pointer(&mut self) -> String {
        self.pick(&["%24", "%25", "%26", "@g", "@h+8", "null", "&leaf"]).to_string()
    }

    fn operand(&mut self, ty: usize) -> String {
        if self.below(3) > 0 {
            return self.reg(ty);
        }
        match TYPES[ty] {
            "f32" | "f64" => format!("{}:{}", self.pick(&["0.0", "-1.5", "1e30", "inf", "3.0"]), TYPES[ty]),
            "i1" => format!("{}:i1", self.below(2)),
            name => format!("{}:{name}", self.pick(&["0", "1", "-1", "7", "31", "-128", "100"])),
        }
    }

    fn two(&mut self, ty: usize) -> String {
        let (a, b) = (self.operand(ty), self.operand(ty));
        format!("{} {a}, {b}", TYPES[ty])
    }

    /// Division by a constant more often than by zero.
    fn integer(&mut self, ty: usize) -> String {
        let op = self.pick(&BinOp::ALL[..13]);
        let divides = matches!(op, BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem);
        if divides && self.below(6) > 0 {
            return format!("{} {} {}, {}:{}", op.word(), TYPES[ty], self.operand(ty), 1, TYPES[ty]);
        }
        format!("{} {}", op.word(), self.two(ty))
    }

    fn expression(&mut self) -> String {
        let (int, float) = (self.below(10), 10 + self.below(2));
        let (int_reg, float_reg) = (self.reg(int), self.reg(float));
        match self.below(13) {
            0 => format!("{int_reg} = {}", self.integer(int)),
            1 => format!("{float_reg} = {} {}", self.pick(&BinOp::ALL[13..]).word(), self.two(float)),
            2 => format!("{} = {} {}", self.reg(0), self.pick(&CmpOp::ALL[..6]).word(), self.two(int)),
            3 => format!("{} = {} {}", self.reg(0), self.pick(&CmpOp::ALL[6..]).word(), self.two(float)),
            4 => {
                let op = self.pick(&[UnOp::Not, UnOp::Neg, UnOp::Popcount, UnOp::Clz, UnOp::Ctz]);
                format!("{int_reg} = {} {} {}", op.word(), TYPES[int], self.operand(int))
            }
            5 => {
                let (op, sign) = (self.pick(FitsOp::ALL), self.pick(&["signed", "unsigned"]));
                format!("{} = fits {} {sign} {}", self.reg(0), op.word(), self.two(int))
            }
            6 => {
                let (from, to) = (self.below(9), 1 + self.below(9));
                let op = if from < to { self.pick(&[CastOp::Zext, CastOp::Sext]) } else { CastOp::Trunc };
                if from == to {
                    return format!("{} = {}", self.reg(to), self.operand(to));
                }
                format!(
                    "{} = {} {} {} to {}",
                    self.reg(to),
                    op.word(),
                    TYPES[from],
                    self.operand(from),
                    TYPES[to]
                )
            }
            7 => {
                let op = self.pick(&[CastOp::FloatToSint, CastOp::FloatToUint]);
                format!(
                    "{int_reg} = {} {} {} to {}",
                    op.word(),
                    TYPES[float],
                    self.operand(float),
                    TYPES[int]
                )
            }
            8 => {
                let op = self.pick(&[CastOp::SintToFloat, CastOp::UintToFloat]);
                format!(
                    "{float_reg} = {} {} {} to {}",
                    op.word(),
                    TYPES[int],
                    self.operand(int),
                    TYPES[float]
                )
            }
            9 => format!("{float_reg} = math {} {}", self.pick(MathFn::ALL).word(), self.two(float)),
            10 => {
                let offset = if self.below(4) > 0 { "4:i64".into() } else { self.operand(6) };
                format!("%24 = ptradd {}, {offset}", self.pick(&["@g", "@h", "@g+16", "%24"]))
            }
            11 => format!("{} = ptrdiff {}, {}", self.reg(6), self.pointer(), self.pointer()),
            _ => format!("{} = objsize {}", self.reg(6), self.pointer()),
        }
    }

    /// A pointer that is good more often than not.
    fn target(&mut self) -> String {
        let list = ["@g", "@g+3", "@h", "@h+8", "@g+16", "@g", "@h+9", "@h+16", "%24", "%25", "%26"];
        self.pick(&list).to_string()
    }

    fn operation(&mut self) -> String {
        let ty = self.below(12);
        let reg = self.reg(ty);
        let (target, other) = (self.target(), self.target());
        let order = self.pick(&["", " seq_cst", " volatile", " shadow"]);
        match self.below(16) {
            0 | 1 => format!("{reg} = load {} {target}{order}", TYPES[ty]),
            2 | 3 => format!("store {} {target}, {}{order}", TYPES[ty], self.operand(ty)),
            4 => format!("store ptr {target}, {}", self.pointer()),
            5 => format!("%25 = load ptr {target}\n%25 = @h"),
            6 => format!("copy {target}, {other}, {}:i64 s{} overlapping", self.below(24), self.below(4)),
            7 => format!("copy {target}, {other}, {}:i64 s{}", self.below(24), self.below(4)),
            8 => format!("fill {target}, {}, {}:i64 s0", self.operand(1), self.below(24)),
            9 => {
                let kind = self.pick(AllocKind::ALL).word();
                format!("%{} = alloc {kind} {}:i64, 8:i64", 24 + self.below(3), self.below(40))
            }
            10 => {
                let (kind, used) = (self.pick(AllocKind::ALL).word(), self.pick(AllocKind::ALL).word());
                let kind = if self.below(8) > 0 { used } else { kind };
                format!("%26 = alloc {used} 16:i64, 16:i64\nfree {kind} %26\n%26 = @g")
            }
            11 => format!("live l{}\n%26 = local l{}", self.below(2), self.below(2)),
            12 => format!("dead l{}", self.below(2)),
            13 => {
                let int = self.below(10);
                let op = self.pick(RmwOp::ALL).word();
                let (dst, value) = (self.reg(int), self.operand(int));
                format!("{dst} = rmw {op} {} {target}, {value} seq_cst", TYPES[int])
            }
            14 => {
                let (a, b) = (self.operand(6), self.operand(6));
                format!("%0, %12 = cmpxchg weak i64 {target}, {a}, {b} seq_cst relaxed")
            }
            _ => format!("%8 = call &leaf({}, {})", self.operand(4), self.pointer()),
        }
    }

    fn program(&mut self) -> String {
        let mut text = String::from(
            "shape s0 = i8\nshape s1 = ptr\nshape s2 = bytes 32\nshape s3 = struct size 16 { 0 s0, 8 s1 }\n\
             global @g s2 size 32 align 16\nglobal @h s2 size 32 align 8 = { 0: \"abc\", 8: @g+4, 16: &leaf }\n\
             entry &main\nfn &leaf(%0, %1) -> i32 {\nreg %0 i32, %1 ptr, %2 i32\nb0:\n%2 = load i32 @g\n\
             %0 = add i32 %0, %2\nret %0\n}\nfn &main() -> i32 {\nreg ",
        );
        let regs = TYPES.iter().flat_map(|ty| [ty, ty]).chain([&"ptr"; 3]);
        let regs: Vec<String> = regs.enumerate().map(|(i, ty)| format!("%{i} {ty}")).collect();
        let _ =
            writeln!(text, "{}\nlocal l0 s2 size 32 align 4\nlocal l1 s1 size 8 align 8", regs.join(", "));
        for block in 0..6 {
            let _ = writeln!(text, "b{block}:");
            if block == 0 {
                text.push_str("%24 = @g\n%25 = @h\nlive l0\nlive l1\n%26 = local l0\n");
            }
            for _ in 0..4 {
                let line = if self.below(2) == 0 { self.expression() } else { self.operation() };
                let _ = writeln!(text, "{line}");
            }
            let _ = match self.below(3) {
                0 => writeln!(text, "br {}, b{}, b{}", self.operand(0), self.below(6), self.below(6)),
                1 => writeln!(
                    text,
                    "switch i8 {}, [0: b{}, 255: b5], b{}",
                    self.reg(1),
                    self.below(6),
                    self.below(6)
                ),
                _ if block == 5 => writeln!(text, "ret {}", self.operand(4)),
                _ => writeln!(text, "jump b{}", block + 1),
            };
        }
        text.push_str("}\n");
        text
    }
}

#[test]
fn random_programs_end_without_panic() {
    let mut ends = [0; 4];
    for seed in 0..600 {
        let text = Random(seed * 7919 + 13).program();
        let program = program(&text);
        let checks = CheckSet::parse(if seed % 2 == 0 { "all" } else { "none" }).unwrap();
        let image = Image::new(&program, checks).unwrap();
        let run = || {
            let limits = Limits { memory: 1 << 20, max_depth: 50, ..Limits::default() };
            let mut env = TestEnv { uninit: seed.into(), ..TestEnv::default() };
            let mut machine = Machine::new(
                &image,
                Options { question: braid_ir::Question::about(checks), limits, ..Options::default() },
            )
            .unwrap();
            (0..STEPS).find_map(|_| machine.step(&mut env).err())
        };
        let end = run();
        assert_eq!(end, run(), "{text}");
        match end.as_deref() {
            None => ends[0] += 1,
            Some(Outcome::Exited { .. }) => ends[1] += 1,
            Some(Outcome::Violation(_)) => ends[2] += 1,
            Some(Outcome::InvalidUnchecked(_)) => ends[3] += 1,
            Some(_) => {}
        }
    }
    assert!(ends.iter().all(|count| *count > 5), "{ends:?}");
}
