//! Inline assembly that means nothing under sequential consistency.
//!
//! A text of hints (`pause`, `rep; nop`, `yield`), fences (`mfence`, `lock; addl $0,0(%rsp)`) or nothing at
//! all changes no memory. What is left of such a statement are its operands: the compiler reads inputs into
//! registers, and writes the registers of outputs back. So `asm("" : "+r"(x))` is a read and a write of
//! `x`, `asm("" : "=r"(y) : "0"(x))` is `y = x`, and an operand in memory (`"m"`) is not accessed at all.
//!
//! Every other text is unsupported where it is reached, and so is an output that no input determines.

use crate::check::{Checker, is_lvalue, node};
use crate::hir::{Expr, ExprKind, Init, LocalId, Stmt, StmtKind};
use crate::types::QualType;
use braid_base::faults::active;
use braid_base::{Span, Symbol};
use braid_syntax::ast;

/// Instructions without operands that do nothing, on the usual machines.
const HINTS_AND_FENCES: [&str; 13] = [
    "pause", "nop", "rep nop", "yield", "mfence", "lfence", "sfence", "isb", "sync", "lwsync", "isync",
    "eieio", "fence",
];

/// Fences that name what they order (`dmb ish`, `fence rw,rw`).
const FENCES_WITH_SCOPE: [&str; 4] = ["dmb", "dsb", "isb", "fence"];

/// An output that is written back at the end of the statement.
struct Output {
    name: Option<Symbol>,
    lvalue: Expr,
    /// The register that holds its value, once an input or the output itself determines it.
    register: Option<LocalId>,
    in_memory: bool,
}

impl Checker<'_> {
    pub fn assembly(&mut self, asm: &ast::AsmStmt, span: Span) -> StmtKind {
        if !does_nothing(&asm.template) {
            return StmtKind::Unsupported("inline assembly".to_owned());
        }
        if asm.outputs.is_empty() && asm.inputs.is_empty() {
            return StmtKind::Barrier;
        }
        match self.operands(asm, span) {
            Ok(stmts) => StmtKind::Block { locals: Vec::new(), stmts },
            Err(reason) => StmtKind::Unsupported(reason),
        }
    }

    /// Reads the inputs, then writes the outputs.
    fn operands(&mut self, asm: &ast::AsmStmt, span: Span) -> Result<Vec<Stmt>, String> {
        let mut stmts = Vec::new();
        let mut outputs = Vec::new();
        for operand in &asm.outputs {
            outputs.push(self.output(operand, &mut stmts)?);
        }
        for operand in &asm.inputs {
            self.input(operand, &mut outputs, &mut stmts)?;
        }
        for output in outputs {
            match output.register {
                Some(register) => stmts.push(self.write_back(register, output.lvalue, span)),
                None if output.in_memory => {}
                None => return Err("inline assembly with an output that nothing determines".to_owned()),
            }
        }
        Ok(stmts)
    }

    fn output(&mut self, operand: &ast::AsmOperand, stmts: &mut Vec<Stmt>) -> Result<Output, String> {
        let lvalue = self.expr(&operand.value);
        let span = lvalue.span;
        if !self.types.is_error(lvalue.ty.ty) && !is_lvalue(&lvalue) {
            self.error("lvalue-required", span, "an output of 'asm' is not stored anywhere");
        }
        let name = operand.name;
        if in_memory(&operand.constraint) {
            self.reach(lvalue, stmts);
            let lvalue = self.error_expr(span);
            return Ok(Output { name, lvalue, register: None, in_memory: true });
        }
        if !self.types.is_scalar(lvalue.ty.ty)
            || matches!(lvalue.kind, ExprKind::Member { bits: Some(_), .. })
        {
            return Err("inline assembly with a struct or a bit-field in a register".to_owned());
        }
        let lvalue = self.evaluated_once(lvalue, stmts);
        let mut output = Output { name, lvalue, register: None, in_memory: false };
        if operand.constraint.contains('+') {
            let again = copy_of(&output.lvalue);
            let value = self.value_of(again);
            output.register = Some(self.hold_in_register(value, output.lvalue.ty, stmts));
        }
        Ok(output)
    }

    fn input(
        &mut self,
        operand: &ast::AsmOperand,
        outputs: &mut [Output],
        stmts: &mut Vec<Stmt>,
    ) -> Result<(), String> {
        if let Some(tied) = tied_to(&operand.constraint, outputs)? {
            let value = self.rvalue(&operand.value);
            let ty = outputs[tied].lvalue.ty;
            if !self.is_same_register(&value, ty) {
                return Err("inline assembly with an input unlike the output it is tied to".to_owned());
            }
            let span = value.span;
            let value = self.cast_value(value, QualType::plain(ty.ty), span);
            if active("tied-operand-not-written") {
                outputs[tied].in_memory = true;
            } else {
                outputs[tied].register = Some(self.hold_in_register(value, ty, stmts));
            }
            return Ok(());
        }
        let value = self.expr(&operand.value);
        if in_memory(&operand.constraint) && is_lvalue(&value) {
            self.reach(value, stmts);
        } else {
            let value = self.value_of(value);
            stmts.push(self.effect(value));
        }
        Ok(())
    }

    /// Returns true if a value fits the register of an output of type `ty` bit for bit.
    fn is_same_register(&self, value: &Expr, ty: QualType) -> bool {
        let types = &self.types;
        let size = |ty| types.layout(ty).map(|layout| layout.size);
        let floats = types.is_float(value.ty.ty) || types.is_float(ty.ty);
        types.is_scalar(value.ty.ty)
            && if floats { value.ty.ty == ty.ty } else { size(value.ty.ty) == size(ty.ty) }
    }

    /// The address of an operand in memory is computed; the object itself is not accessed.
    fn reach(&mut self, lvalue: Expr, stmts: &mut Vec<Stmt>) {
        match lvalue.kind {
            ExprKind::Deref(pointer) => stmts.push(self.effect(*pointer)),
            ExprKind::Member { base, .. } => self.reach(*base, stmts),
            ExprKind::Local(_) | ExprKind::Entity(_) | ExprKind::Str(_) => {}
            _ => stmts.push(self.effect(lvalue)),
        }
    }

    fn effect(&self, value: Expr) -> Stmt {
        let span = value.span;
        Stmt { kind: StmtKind::Expr(self.discard(value)), span }
    }

    /// A variable as it is; any other lvalue through a pointer that is computed once.
    fn evaluated_once(&mut self, lvalue: Expr, stmts: &mut Vec<Stmt>) -> Expr {
        if matches!(lvalue.kind, ExprKind::Local(_) | ExprKind::Entity(_)) {
            return lvalue;
        }
        let (ty, span) = (lvalue.ty, lvalue.span);
        let address = self.address_of(lvalue, span);
        let pointer = address.ty;
        let local = self.hold_in_register(address, pointer, stmts);
        let place = Expr { kind: ExprKind::Local(local), ty: pointer, span };
        let value = self.value_of(place);
        Expr { kind: ExprKind::Deref(Box::new(value)), ty, span }
    }

    fn hold_in_register(&mut self, value: Expr, ty: QualType, stmts: &mut Vec<Stmt>) -> LocalId {
        let span = value.span;
        let local = self.hidden_local(QualType::plain(ty.ty), span);
        stmts.push(Stmt { kind: StmtKind::Decl { local, init: Some(Init::Expr(value)) }, span });
        local
    }

    fn write_back(&mut self, register: LocalId, lvalue: Expr, span: Span) -> Stmt {
        let ty = QualType::plain(lvalue.ty.ty);
        let value = self.value_of(Expr { kind: ExprKind::Local(register), ty, span });
        let kind = ExprKind::Assign { lhs: Box::new(lvalue), rhs: Box::new(value) };
        Stmt { kind: StmtKind::Expr(node(kind, ty.ty, span)), span }
    }
}

/// A second mention of a variable, or of the object behind a hidden pointer.
fn copy_of(lvalue: &Expr) -> Expr {
    let kind = match &lvalue.kind {
        ExprKind::Local(id) => ExprKind::Local(*id),
        ExprKind::Entity(id) => ExprKind::Entity(*id),
        ExprKind::Deref(inner) | ExprKind::Load(inner) => {
            let inner = Box::new(copy_of(inner));
            if matches!(lvalue.kind, ExprKind::Deref(_)) {
                ExprKind::Deref(inner)
            } else {
                ExprKind::Load(inner)
            }
        }
        _ => ExprKind::Unsupported("an operand of inline assembly".to_owned()),
    };
    Expr { kind, ty: lvalue.ty, span: lvalue.span }
}

/// The output whose register an input shares (`"0"` or `"[name]"`), if it names one.
fn tied_to(constraint: &str, outputs: &[Output]) -> Result<Option<usize>, String> {
    let text = constraint.trim_start_matches(['%', '&']);
    let found = if let Some(name) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        outputs.iter().position(|output| output.name.is_some_and(|own| own.as_str() == name))
    } else if text.starts_with(|c: char| c.is_ascii_digit()) {
        text.parse().ok().filter(|&number: &usize| number < outputs.len())
    } else {
        return Ok(None);
    };
    match found {
        Some(number) if !outputs[number].in_memory => Ok(Some(number)),
        _ => Err("inline assembly with an unknown constraint".to_owned()),
    }
}

/// Returns true if every alternative of a constraint is memory.
fn in_memory(constraint: &str) -> bool {
    constraint.split(',').all(|alternative| {
        let letters = alternative.trim_matches(|c: char| "=+&% ".contains(c));
        !letters.is_empty() && letters.chars().all(|c| "moVQ<>".contains(c))
    })
}

/// Returns true if an assembler text changes nothing but the order of memory accesses.
fn does_nothing(template: &str) -> bool {
    let mut instructions: Vec<String> = Vec::new();
    for part in template.lines().map(without_comment).flat_map(|line| line.split([';', '\n'])) {
        let words: Vec<&str> = part.split_whitespace().collect();
        let words = words.join(" ").to_ascii_lowercase();
        if words.is_empty() {
            continue;
        }
        // A prefix may stand alone: it belongs to the instruction after it.
        match instructions.last_mut() {
            Some(last) if last == "rep" || last == "lock" => *last = format!("{last} {words}"),
            _ => instructions.push(words),
        }
    }
    instructions.iter().all(|text| is_hint_or_fence(text))
}

fn without_comment(line: &str) -> &str {
    let line = line.split("//").next().unwrap_or(line);
    line.split('#').next().unwrap_or(line)
}

fn is_hint_or_fence(instruction: &str) -> bool {
    let first = instruction.split(' ').next().unwrap_or_default();
    HINTS_AND_FENCES.contains(&instruction)
        || FENCES_WITH_SCOPE.contains(&first)
        || instruction.strip_prefix("lock ").is_some_and(adds_nothing)
}

/// Returns true for `addl $0,0(%rsp)` and its like: zero added to a word of the own stack.
fn adds_nothing(instruction: &str) -> bool {
    let Some((name, operands)) = instruction.split_once(' ') else { return false };
    let operands: String = operands.replace("%%", "%").split_whitespace().collect();
    let Some((zero, place)) = operands.split_once(',') else { return false };
    let place = place.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit());
    matches!(name, "add" | "addb" | "addw" | "addl" | "addq" | "or" | "orb" | "orw" | "orl" | "orq")
        && matches!(zero, "$0" | "$0x0")
        && matches!(place, "(%rsp)" | "(%esp)")
}

#[cfg(test)]
mod tests {
    use super::does_nothing;
    use crate::testing::check_f;
    use expect_test::expect;

    #[test]
    fn texts_that_do_nothing() {
        for text in [
            "",
            "pause",
            "rep; nop",
            "rep;nop",
            "rep nop\n\t",
            "  NOP ; nop",
            "mfence",
            "lock; addl $0,0(%%rsp)",
            "lock addq $0, -8(%rsp)",
            "lock; orl $0x0,(%%esp)",
            "dmb ish",
            "isb sy",
            "# a comment",
        ] {
            assert!(does_nothing(text), "{text}");
        }
        for text in [
            "hlt",
            "rep; movsb",
            "lock; addl $1,0(%%rsp)",
            "lock; addl $0,%0",
            "lock; addl $0,0(%%rax)",
            "lock",
            "rep",
            "nop; xchg %0, %1",
            "addl $0,0(%%rsp",
            "mfence %0",
        ] {
            assert!(!does_nothing(text), "{text}");
        }
    }

    #[test]
    fn operands_are_read_and_written_back() {
        check_f(
            "void f(int *p, int x, int y, long l) {\n\
             asm(\"\" : \"+r\"(x)); asm(\"\" : \"=r\"(x), \"=r\"(y) : \"0\"(y), \"1\"(x)); asm(\"pause\" : \"+m\"(*p++) : \"r\"(x));\n\
             asm(\"\" : \"+r\"(*p)); asm(\"\" : \"=r\"(x)); asm(\"\" : \"=r\"(x) : \"0\"(l)); asm(\"\" : [o] \"=r\"(x) : \"[o]\"(y));\n\
             }\n",
            expect![[r#"
                {l4 l5 l6 l7 l8 l9
                  {
                    decl l4: int = (ld x)
                    (= x (ld l4))
                  }
                  {
                    decl l5: int = (ld y)
                    decl l6: int = (ld x)
                    (= x (ld l5))
                    (= y (ld l6))
                  }
                  {
                    (ToVoid:void (p+= p 1 *4:unsigned long Old))
                    (ToVoid:void (ld x))
                  }
                  {
                    decl l7: int * = (ld p)
                    decl l8: int = (ld (* (ld l7)))
                    (= (* (ld l7)) (ld l8))
                  }
                  unsupported inline assembly with an output that nothing determines
                  unsupported inline assembly with an input unlike the output it is tied to
                  {
                    decl l9: int = (ld y)
                    (= x (ld l9))
                  }
                }
            "#]],
        );
    }
}
