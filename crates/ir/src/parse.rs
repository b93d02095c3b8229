//! The text form of a program, read.
//!
//! The grammar is that of [`crate::print`], line by line. For texts written by hand three things may
//! be left out: instruction ids (numbered after the largest one given), `next-instr`, and the `const`
//! lines. `//` begins a comment. A name in `%name.3` is decoration; the number counts.
//!
//! The parser checks form only; [`crate::verify`] judges what was read. Globals and functions may be
//! used before their line, so their names are collected first.

mod code;
mod line;

use crate::instr::*;
use crate::program::*;
use braid_base::{HashMap, Idx, IndexVec, Symbol};
use code::{Code, Item};
use line::{Line, Result};

/// What is wrong with the text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

pub fn parse(text: &str) -> std::result::Result<Program, ParseError> {
    let names = Names::collect(text)?;
    let mut reader = Reader {
        lines: text.lines().enumerate(),
        last: 0,
        names: &names,
        program: Program { pointer_bytes: 8, ..Program::default() },
        next_instr: None,
    };
    reader.program()?;
    let Reader { mut program, next_instr, .. } = reader;
    let used = number_instructions(&mut program);
    program.next_instr = next_instr.unwrap_or(used);
    Ok(program)
}

/// Stands for an id the text left out until all explicit ones are known.
const UNNUMBERED: InstrId = InstrId(u32::MAX);

/// Numbers the instructions without id after the others; returns one past the largest id.
fn number_instructions(program: &mut Program) -> u32 {
    let mut ids: Vec<&mut InstrId> = Vec::new();
    for block in program.functions.iter_mut().flat_map(|f| f.blocks.iter_mut()) {
        for instr in &mut block.instrs {
            ids.push(&mut instr.id);
            if let Op::AtomicBegin { when: Some(guard) } = &mut instr.op {
                ids.extend(guard.instrs.iter_mut().map(|inner| &mut inner.id));
            }
        }
        ids.push(&mut block.end.id);
    }
    let largest = ids.iter().filter(|id| ***id != UNNUMBERED).map(|id| id.0).max();
    let mut next = largest.map_or(0, |id| id.saturating_add(1));
    for id in ids.into_iter().filter(|id| **id == UNNUMBERED) {
        *id = InstrId(next);
        next = next.saturating_add(1);
    }
    next
}

/// Names of globals and functions, in order of their lines.
struct Names {
    globals: HashMap<String, GlobalId>,
    functions: HashMap<String, FuncId>,
}

impl Names {
    fn collect(text: &str) -> Result<Names> {
        let mut names = Names { globals: HashMap::default(), functions: HashMap::default() };
        for (number, text) in text.lines().enumerate() {
            let mut line = Line::new(number as u32 + 1, text);
            let known = if line.eat_word("global") {
                line.expect("@")?;
                let id = GlobalId::from_usize(names.globals.len());
                names.globals.insert(line.name()?, id).is_some()
            } else if line.eat_word("fn") {
                line.expect("&")?;
                let id = FuncId::from_usize(names.functions.len());
                names.functions.insert(line.name()?, id).is_some()
            } else {
                false
            };
            if known {
                return line.error("this name is defined twice");
            }
        }
        Ok(names)
    }

    fn global(&self, line: &mut Line) -> Result<GlobalId> {
        line.expect("@")?;
        let name = line.name()?;
        self.globals.get(&name).copied().map_or_else(|| line.error(format!("unknown global '{name}'")), Ok)
    }

    fn function(&self, line: &mut Line) -> Result<FuncId> {
        line.expect("&")?;
        let name = line.name()?;
        self.functions
            .get(&name)
            .copied()
            .map_or_else(|| line.error(format!("unknown function '{name}'")), Ok)
    }

    fn constant(&self, line: &mut Line) -> Result<Const> {
        match line.peek() {
            Some('&') => return self.function(line).map(Const::Func),
            Some('@') => {
                let global = self.global(line)?;
                let offset = match line.peek() {
                    Some('+' | '-') => parsed(line, str::parse)?,
                    _ => 0,
                };
                return Ok(Const::Global(global, offset));
            }
            _ => {}
        }
        if line.eat_word("null") {
            return Ok(Const::Null);
        }
        let literal = line.literal();
        if literal.is_empty() {
            return line.error("expected an operand");
        }
        line.expect(":")?;
        let ty = ty(line)?;
        typed_literal(literal, ty)
            .map_or_else(|| line.error(format!("'{literal}' is no constant of type {ty}")), Ok)
    }
}

/// A literal without type, by the given conversion.
fn parsed<T, E>(line: &mut Line, convert: impl Fn(&str) -> std::result::Result<T, E>) -> Result<T> {
    let literal = line.literal();
    convert(literal).or_else(|_| line.error(format!("'{literal}' is no number in range")))
}

fn typed_literal(literal: &str, ty: Ty) -> Option<Const> {
    let nan = literal.strip_prefix("nan.");
    match ty {
        Ty::Int(width @ 1..=128) => {
            let mask = u128::MAX >> (128 - width);
            let bits = match literal.strip_prefix('-') {
                Some(digits) => digits.parse::<u128>().ok()?.wrapping_neg() & mask,
                None => literal.parse::<u128>().ok().filter(|bits| bits & !mask == 0)?,
            };
            Some(Const::Int { width, bits })
        }
        Ty::Int(_) | Ty::Ptr => None,
        Ty::F32 => match nan {
            Some(hex) => u32::from_str_radix(hex, 16).ok().map(Const::F32),
            None => literal.parse::<f32>().ok().map(|value| Const::F32(value.to_bits())),
        },
        Ty::F64 => match nan {
            Some(hex) => u64::from_str_radix(hex, 16).ok().map(Const::F64),
            None => literal.parse::<f64>().ok().map(|value| Const::F64(value.to_bits())),
        },
    }
}

fn ty(line: &mut Line) -> Result<Ty> {
    line.choice("a type", |word| match word {
        "f32" => Some(Ty::F32),
        "f64" => Some(Ty::F64),
        "ptr" => Some(Ty::Ptr),
        _ => word.strip_prefix('i').and_then(|width| width.parse().ok()).map(Ty::Int),
    })
}

/// `@ file:line:column`, or nothing.
fn location(line: &mut Line) -> Result<Loc> {
    if !line.eat("@") {
        return Ok(Loc::NONE);
    }
    let file = FileId(line.number()?);
    line.expect(":")?;
    let row = line.number()?;
    line.expect(":")?;
    Ok(Loc { file, line: row, column: line.number()? })
}

fn optional_name(line: &mut Line) -> Result<Option<Symbol>> {
    if line.peek() != Some('"') {
        return Ok(None);
    }
    Ok(Some(Symbol::intern(&line.text()?)))
}

struct Reader<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    /// Number of the line read last.
    last: u32,
    names: &'a Names,
    program: Program,
    next_instr: Option<u32>,
}

impl<'a> Reader<'a> {
    /// The next line that is not blank.
    fn line(&mut self) -> Option<Line<'a>> {
        for (index, text) in self.lines.by_ref() {
            self.last = index as u32 + 1;
            let line = Line::new(self.last, text);
            if !line.at_end() {
                return Some(line);
            }
        }
        None
    }

    fn program(&mut self) -> Result<()> {
        while let Some(mut line) = self.line() {
            let line = &mut line;
            match line.peek_word() {
                "fn" => {
                    let function = self.function(line)?;
                    self.program.functions.push(function);
                    continue;
                }
                "global" => {
                    let global = self.global(line)?;
                    self.program.globals.push(global);
                }
                "shape" => {
                    line.word()?;
                    if line.id("s")? as usize != self.program.shapes.len() {
                        return line.error("shapes must be numbered in order");
                    }
                    line.expect("=")?;
                    let shape = shape(line)?;
                    self.program.shapes.push(shape);
                }
                _ => self.header(line)?,
            }
            line.finish()?;
        }
        Ok(())
    }

    fn header(&mut self, line: &mut Line) -> Result<()> {
        match line.peek_word() {
            "braid-ir" => {
                line.word()?;
                if line.number::<u32>()? != 1 {
                    return line.error("unknown version");
                }
            }
            "pointer" => {
                line.word()?;
                self.program.pointer_bytes = line.number()?;
            }
            "next-instr" => {
                line.word()?;
                self.next_instr = Some(line.number()?);
            }
            "assumption" => {
                line.word()?;
                self.program.assumptions.push(line.text()?);
            }
            "file" => {
                line.word()?;
                if line.number::<usize>()? != self.program.files.len() {
                    return line.error("files must be numbered in order");
                }
                self.program.files.push(Symbol::intern(&line.text()?));
            }
            "const" => {
                line.word()?;
                let value = self.names.constant(line)?;
                self.program.consts.intern(value);
            }
            "entry" => {
                line.word()?;
                self.program.entry = Some(self.names.function(line)?);
            }
            "main" => {
                line.word()?;
                self.program.main = Some(self.names.function(line)?);
            }
            _ => return line.error("expected an item such as 'global' or 'fn'"),
        }
        Ok(())
    }

    fn global(&mut self, line: &mut Line) -> Result<Global> {
        line.word()?;
        line.expect("@")?;
        let name = Symbol::intern(&line.name()?);
        let shape = ShapeId(line.id("s")?);
        let (size, align) = size_and_align(line)?;
        let thread_local = line.eat_word("tls");
        let read_only = line.eat_word("readonly");
        let internal = line.eat_word("internal");
        let loc = location(line)?;
        let init = if line.eat("=") { self.init(line)? } else { InitData::default() };
        Ok(Global { name, shape, size, align, thread_local, read_only, internal, init, loc })
    }

    fn init(&mut self, line: &mut Line) -> Result<InitData> {
        let mut init = InitData::default();
        line.expect("{")?;
        loop {
            let offset = line.number()?;
            line.expect(":")?;
            if line.peek() == Some('"') {
                init.data.push((offset, line.string()?));
            } else {
                init.pointers.push((offset, self.names.constant(line)?));
            }
            if line.eat("}") {
                return Ok(init);
            }
            line.expect(",")?;
        }
    }

    fn function(&mut self, line: &mut Line) -> Result<Function> {
        line.word()?;
        line.expect("&")?;
        let name = Symbol::intern(&line.name()?);
        let params = register_list(line)?;
        let ret = if line.eat("->") { Some(ty(line)?) } else { None };
        let internal = line.eat_word("internal");
        let atomic = line.eat_word("atomic");
        let timed = line.eat_word("timed");
        let installs_handlers = line.eat_word("handlers");
        let loc = location(line)?;
        line.expect("{")?;
        line.finish()?;
        let mut function = Function {
            name,
            params,
            ret,
            regs: IndexVec::new(),
            locals: IndexVec::new(),
            blocks: IndexVec::new(),
            internal,
            atomic,
            timed,
            installs_handlers,
            loc,
        };
        self.body(&mut function, line.number)?;
        Ok(function)
    }

    fn body(&mut self, function: &mut Function, opened: u32) -> Result<()> {
        let mut open: Option<Vec<Instr>> = None;
        while let Some(mut line) = self.line() {
            let line = &mut line;
            if open.is_some() && line.peek() != Some('}') {
                let instrs = open.as_mut().expect("just seen to be there");
                if let Some(end) = self.instruction(line, instrs)? {
                    let instrs = open.take().expect("just seen to be there");
                    function.blocks.push(Block { instrs, end });
                }
            } else if line.eat("}") {
                line.finish()?;
                return if open.is_some() { line.error("the last block has no end") } else { Ok(()) };
            } else if line.peek_word() == "reg" {
                registers(line, &mut function.regs)?;
            } else if line.peek_word() == "local" {
                line.word()?;
                if line.id("l")? as usize != function.locals.len() {
                    return line.error("locals must be numbered in order");
                }
                let name = optional_name(line)?;
                let shape = ShapeId(line.id("s")?);
                let (size, align) = size_and_align(line)?;
                function.locals.push(Local { name, shape, size, align });
            } else {
                if line.id("b")? as usize != function.blocks.len() {
                    return line.error("blocks must be numbered in order");
                }
                line.expect(":")?;
                open = Some(Vec::new());
            }
            line.finish()?;
        }
        Err(ParseError { line: opened, column: 1, message: "the function has no end".into() })
    }

    /// Reads one line of a block; a terminator is returned, anything else appended.
    fn instruction(&mut self, line: &mut Line, instrs: &mut Vec<Instr>) -> Result<Option<Terminator>> {
        let mut code = Code { names: self.names, consts: &mut self.program.consts };
        let (id, item, loc) = code.item(line)?;
        let id = id.map_or(UNNUMBERED, InstrId);
        match item {
            Item::End(kind) => return Ok(Some(Terminator { id, loc, kind })),
            Item::Op(op) => {
                let internal = line.eat_word("internal");
                instrs.push(Instr { id, loc, op, internal });
            }
            Item::Guard(cond) => {
                let internal = line.eat_word("internal");
                line.expect("{")?;
                let when = Some(Box::new(Guard { instrs: self.guard()?, cond }));
                instrs.push(Instr { id, loc, op: Op::AtomicBegin { when }, internal });
            }
        }
        Ok(None)
    }

    fn guard(&mut self) -> Result<Vec<Instr>> {
        let mut instrs = Vec::new();
        while let Some(mut line) = self.line() {
            if line.eat("}") {
                line.finish()?;
                return Ok(instrs);
            }
            let mut code = Code { names: self.names, consts: &mut self.program.consts };
            let (id, item, loc) = code.item(&mut line)?;
            let Item::Op(op) = item else { return line.error("a guard holds plain instructions only") };
            let internal = line.eat_word("internal");
            line.finish()?;
            instrs.push(Instr { id: id.map_or(UNNUMBERED, InstrId), loc, op, internal });
        }
        Err(ParseError { line: self.last, column: 1, message: "the guard has no end".into() })
    }
}

fn size_and_align(line: &mut Line) -> Result<(u64, u64)> {
    line.expect_word("size")?;
    let size = line.number()?;
    line.expect_word("align")?;
    Ok((size, line.number()?))
}

fn register_list(line: &mut Line) -> Result<Vec<RegId>> {
    line.expect("(")?;
    let mut regs = Vec::new();
    while !line.eat(")") {
        if !regs.is_empty() {
            line.expect(",")?;
        }
        line.expect("%")?;
        let name = line.name()?;
        let digits = name.rsplit('.').next().unwrap_or(&name);
        regs.push(digits.parse().map(RegId).or_else(|_| line.error("expected a register"))?);
    }
    Ok(regs)
}

/// `reg %0 i32 "name", %1 ptr`
fn registers(line: &mut Line, regs: &mut IndexVec<RegId, Reg>) -> Result<()> {
    line.word()?;
    loop {
        line.expect("%")?;
        if line.number::<usize>()? != regs.len() {
            return line.error("registers must be numbered in order");
        }
        let ty = ty(line)?;
        regs.push(Reg { ty, name: optional_name(line)? });
        if !line.eat(",") {
            return Ok(());
        }
    }
}

fn shape(line: &mut Line) -> Result<Shape> {
    let word = line.peek_word();
    if !matches!(word, "bytes" | "array" | "struct" | "union") {
        return ty(line).map(Shape::Scalar);
    }
    line.word()?;
    match word {
        "bytes" => line.number().map(Shape::Bytes),
        "array" => {
            let elem = ShapeId(line.id("s")?);
            line.expect_word("x")?;
            Ok(Shape::Array { elem, len: line.number()? })
        }
        _ => {
            let name = optional_name(line)?;
            line.expect_word("size")?;
            let size = line.number()?;
            let fields = shape_fields(line)?;
            Ok(match word {
                "struct" => Shape::Struct { name, size, fields },
                _ => Shape::Union { name, size, members: fields },
            })
        }
    }
}

fn shape_fields(line: &mut Line) -> Result<Vec<ShapeField>> {
    line.expect("{")?;
    let mut fields = Vec::new();
    while !line.eat("}") {
        if !fields.is_empty() {
            line.expect(",")?;
        }
        let name = optional_name(line)?;
        let offset = line.number()?;
        fields.push(ShapeField { name, offset, shape: ShapeId(line.id("s")?) });
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::print;
    use crate::verify::verify;

    /// Every operation, expression, terminator and kind of item once.
    const EVERYTHING: &str = include_str!("parse/everything.ir");

    #[test]
    fn reads_back_what_was_printed() {
        let program = parse(EVERYTHING).unwrap();
        assert_eq!(verify(&program), Ok(()));
        let text = print(&program);
        assert_eq!(parse(&text).unwrap(), program);
        assert_eq!(print(&parse(&text).unwrap()), text);
        // What was written by hand is in printed form but for the constants and the numbering.
        for line in EVERYTHING.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
            assert!(text.contains(line), "not printed: {line}");
        }
    }

    #[test]
    fn floats_keep_their_bits() {
        let bits =
            [0x7ff8_0000_0000_0001, 0xfff0_0000_0000_0000, 1, 0x8000_0000_0000_0000, 0x3ff3_c0ca_428c_59fb];
        let mut program = Program { pointer_bytes: 8, ..Program::default() };
        for bits in bits {
            program.consts.intern(Const::F64(bits));
            program.consts.intern(Const::F32((bits >> 32) as u32));
        }
        program.consts.intern(Const::Int { width: 128, bits: u128::MAX - 5 });
        program.consts.intern(Const::Int { width: 1, bits: 1 });
        assert_eq!(parse(&print(&program)).unwrap(), program);
    }

    #[test]
    fn errors_have_places() {
        for (text, expected) in [
            ("shape s1 = i32", "1:10: shapes must be numbered in order"),
            ("\nglobal @a s0 size x", "2:19: expected a number in range"),
            ("fn &f() {\nb0:\n  jmp b0\n}", "3:3: expected an instruction"),
            ("fn &f() {\nb0:\n  %1 = add i32 %1, 300:i8\n}", "3:26: '300' is no constant of type i8"),
            ("fn &f() {\nb0:\n  ret\n", "1:1: the function has no end"),
            ("fn &f() {\nb0:\n}", "3:2: the last block has no end"),
            ("fn &f() {\n}\nfn &f() {\n}", "3:6: this name is defined twice"),
            ("assumption \"abc", "1:12: the string has no end"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), expected);
        }
    }

    /// Random damage never panics, neither in the parser nor in the verifier.
    #[test]
    fn damaged_text_is_refused_quietly() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = |below: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed % below as u64) as usize
        };
        let source = EVERYTHING.as_bytes();
        let (mut refused, mut read) = (0, 0);
        for _ in 0..2000 {
            let mut bytes = source.to_vec();
            for _ in 0..1 + random(3) {
                let at = random(bytes.len());
                match random(4) {
                    0 => bytes[at] = source[random(source.len())],
                    1 => drop(bytes.remove(at)),
                    2 => bytes.insert(at, source[random(source.len())]),
                    _ => {
                        let end = (at + random(40)).min(bytes.len());
                        bytes.drain(at..end);
                    }
                }
            }
            match parse(&String::from_utf8_lossy(&bytes)) {
                Ok(program) => {
                    read += 1;
                    let _ = verify(&program);
                    let _ = print(&program);
                }
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 500 && read > 100, "refused {refused}, read {read}");
    }
}
