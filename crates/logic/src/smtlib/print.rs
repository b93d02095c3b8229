//! Terms as SMT-LIB 2.
//!
//! A [`Printer`] remembers what it has declared and defined, so that it can feed a solver incrementally.
//! A part that is used several times in what is printed, or that would nest deeply, gets a name; everything
//! else, and what is hardly longer than a name, is written in place. Uses are counted over everything that
//! is to be printed ([`Printer::count`]), so the text is linear in the size of the DAG. Names of symbols are
//! quoted; those that could be words of the language, or cannot be quoted, get their number appended.

use crate::bits;
use crate::node::{BvOp, Node};
use crate::sort::Sort;
use crate::store::{SymbolId, Term, Terms};
use crate::value::Value;
use braid_base::{HashMap, HashSet, Idx};
use std::fmt::Write;

/// How deep a text nests before a part of it is defined apart.
const MAX_NESTING: usize = 20;
/// A text of so many bytes gets no name, however often it is used.
const SHORT: usize = 16;

/// How a part gets its name. Solvers differ widely in what they are fast at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Naming {
    /// By `define-fun`.
    #[default]
    Definitions,
    /// By a constant that is asserted to be equal to it.
    Equations,
}

/// Prints terms of one store for one solver.
#[derive(Clone, Default, Debug)]
pub struct Printer {
    naming: Naming,
    declared: HashSet<SymbolId>,
    /// Terms that have a name: those with a definition.
    named: HashSet<Term>,
    /// By term: how often it is used in all that was counted; two stands for more.
    uses: Vec<u8>,
}

/// A term's text while it is put together.
#[derive(Clone)]
struct Piece {
    text: String,
    nesting: usize,
}

impl Printer {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn with(naming: Naming) -> Self {
        Printer { naming, ..Self::default() }
    }

    /// Counts what a term uses. To be called for all terms before the first of them is printed: what only
    /// later turns out to be shared has been written in place before.
    pub fn count(&mut self, terms: &Terms, root: Term) {
        self.uses.resize(terms.len().max(self.uses.len()), 0);
        let mut pending = vec![root];
        while let Some(term) = pending.pop() {
            let uses = &mut self.uses[term.index()];
            if *uses == 0 {
                pending.extend(terms.node(term).children());
            }
            *uses = (*uses + 1).min(2);
        }
    }

    fn is_counted(&self, term: Term) -> bool {
        self.uses.get(term.index()).is_some_and(|uses| *uses > 0)
    }

    fn is_shared(&self, term: Term) -> bool {
        self.uses[term.index()] > 1
    }

    /// An assertion, after whatever must be declared and defined for it. Definitions are meant to stay:
    /// the text belongs at the outermost level of a solver's stack.
    pub fn assert(&mut self, terms: &Terms, term: Term) -> String {
        let (mut text, expression) = self.expression(terms, term);
        push(&mut text, format_args!("(assert {expression})\n"));
        text
    }

    /// Declarations and definitions, and an expression that stands for the term after them.
    pub fn expression(&mut self, terms: &Terms, root: Term) -> (String, String) {
        if !self.is_counted(root) {
            self.count(terms, root);
        }
        let mut preamble = String::new();
        let mut pieces: HashMap<Term, Piece> = HashMap::default();
        for term in self.unprinted(terms, root) {
            if let Node::Symbol(symbol) = terms.node(term) {
                self.declare(terms, symbol, &mut preamble);
                continue;
            }
            let piece = self.piece(terms, term, &mut pieces);
            let shared = self.is_shared(term) && piece.text.len() > SHORT;
            if terms.is_constant(term) || (!shared && piece.nesting <= MAX_NESTING) {
                pieces.insert(term, piece);
            } else {
                self.define(terms, term, &piece.text, &mut preamble);
            }
        }
        let expression = self.take(root, terms, &mut pieces).text;
        (preamble, expression)
    }

    fn define(&mut self, terms: &Terms, term: Term, text: &str, out: &mut String) {
        let (name, sort) = (defined_name(term), terms.sort(term));
        match self.naming {
            Naming::Definitions => push(out, format_args!("(define-fun {name} () {sort} {text})\n")),
            Naming::Equations => {
                push(out, format_args!("(declare-fun {name} () {sort})\n(assert (= {name} {text}))\n"));
            }
        }
        self.named.insert(term);
    }

    /// The declaration of a symbol, the first time.
    pub fn declare(&mut self, terms: &Terms, symbol: SymbolId, out: &mut String) {
        if self.declared.insert(symbol) {
            let (term, name) = (terms.symbol_term(symbol), symbol_text(terms, symbol));
            push(out, format_args!("(declare-fun {name} () {})\n", terms.sort(term)));
        }
    }

    /// What stands for a term that is a declared symbol or defined.
    fn name(&self, terms: &Terms, term: Term) -> Option<String> {
        match terms.as_symbol(term) {
            Some(symbol) => self.declared.contains(&symbol).then(|| symbol_text(terms, symbol)),
            None => self.named.contains(&term).then(|| defined_name(term)),
        }
    }

    fn is_named(&self, terms: &Terms, term: Term) -> bool {
        match terms.as_symbol(term) {
            Some(symbol) => self.declared.contains(&symbol),
            None => self.named.contains(&term),
        }
    }

    /// The parts of a term that have no name yet, arguments first.
    fn unprinted(&self, terms: &Terms, root: Term) -> Vec<Term> {
        let mut seen: HashSet<Term> = HashSet::default();
        let mut pending = vec![root];
        while let Some(term) = pending.pop() {
            if !self.is_named(terms, term) && seen.insert(term) {
                pending.extend(terms.node(term).children());
            }
        }
        let mut order: Vec<Term> = seen.into_iter().collect();
        order.sort_unstable();
        order
    }

    /// The text of an argument. Constants and short pieces are copied; other pieces are used once.
    fn take(&self, term: Term, terms: &Terms, pieces: &mut HashMap<Term, Piece>) -> Piece {
        if let Some(text) = self.name(terms, term) {
            return Piece { text, nesting: 0 };
        }
        if terms.is_constant(term) {
            return Piece { text: constant_text(terms, term), nesting: 0 };
        }
        let piece = if self.is_shared(term) { pieces.get(&term).cloned() } else { pieces.remove(&term) };
        piece.expect("arguments are printed before what they are arguments of")
    }

    fn piece(&self, terms: &Terms, term: Term, pieces: &mut HashMap<Term, Piece>) -> Piece {
        let node = terms.node(term);
        if terms.is_constant(term) {
            return Piece { text: constant_text(terms, term), nesting: 0 };
        }
        let mut text = format!("({}", operator(terms, term, node));
        let mut nesting = 0;
        for argument in node.children() {
            let piece = self.take(argument, terms, pieces);
            text.push(' ');
            text.push_str(&piece.text);
            nesting = nesting.max(piece.nesting);
        }
        text.push(')');
        Piece { text, nesting: nesting + 1 }
    }
}

fn defined_name(term: Term) -> String {
    format!("$t{}", term.0)
}

/// Appends to a string.
fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string does not fail");
}

/// A symbol's name as SMT-LIB takes it. Unique: either the name itself, or it ends in the symbol's number
/// behind a mark that no unchanged name ends in.
fn symbol_text(terms: &Terms, symbol: SymbolId) -> String {
    let name = terms.symbol_name(symbol);
    let quotable = |c: char| (c.is_ascii_graphic() || c == ' ') && c != '|' && c != '\\';
    // No word of the language contains one of these.
    let is_own = name.contains(['!', '#', ':', ' ']) && !ends_in_number(name);
    if is_own && name.chars().all(quotable) {
        return format!("|{name}|");
    }
    let cleaned: String = name.chars().map(|c| if quotable(c) { c } else { '_' }).collect();
    format!("|{cleaned}!{symbol}|")
}

/// Whether the name ends like one that got its number appended: `!s` and digits.
fn ends_in_number(name: &str) -> bool {
    let digits = name.trim_end_matches(|c: char| c.is_ascii_digit());
    digits.len() < name.len() && digits.ends_with("!s")
}

fn constant_text(terms: &Terms, term: Term) -> String {
    match terms.node(term) {
        Node::Bool(value) => value.to_string(),
        Node::Bits(value) => bits_text(terms.width(term), value),
        Node::Int(value) => int_text(value),
        node => unreachable!("{node:?} is no constant"),
    }
}

fn bits_text(width: u32, value: u128) -> String {
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = width as usize / 4)
    } else {
        format!("#b{value:0digits$b}", digits = width as usize)
    }
}

fn int_text(value: i128) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

/// What stands in the place of the function.
fn operator(terms: &Terms, term: Term, node: Node) -> String {
    let added = |inner: Term| terms.width(term) - terms.width(inner);
    let fixed = match node {
        Node::Not(_) => "not",
        Node::And(..) => "and",
        Node::Eq(..) => "=",
        Node::Ite(..) => "ite",
        Node::Binary(op, ..) => binary_operator(op),
        Node::BvNot(_) => "bvnot",
        Node::Concat(..) => "concat",
        Node::Extract { hi, lo, .. } => return format!("(_ extract {hi} {lo})"),
        Node::ZeroExtend(inner) => return format!("(_ zero_extend {})", added(inner)),
        Node::SignExtend(inner) => return format!("(_ sign_extend {})", added(inner)),
        Node::Ult(..) => "bvult",
        Node::Slt(..) => "bvslt",
        Node::Select(..) => "select",
        Node::Store(..) => "store",
        Node::ConstArray(_) => return format!("(as const {})", terms.sort(term)),
        Node::IntAdd(..) => "+",
        Node::IntMul(..) => "*",
        Node::IntLt(..) => "<",
        Node::Bool(_) | Node::Bits(_) | Node::Int(_) | Node::Symbol(_) => {
            unreachable!("{node:?} has no arguments")
        }
    };
    fixed.to_string()
}

fn binary_operator(op: BvOp) -> &'static str {
    match op {
        BvOp::Add => "bvadd",
        BvOp::Sub => "bvsub",
        BvOp::Mul => "bvmul",
        BvOp::Udiv => "bvudiv",
        BvOp::Urem => "bvurem",
        BvOp::Sdiv => "bvsdiv",
        BvOp::Srem => "bvsrem",
        BvOp::And => "bvand",
        BvOp::Or => "bvor",
        BvOp::Xor => "bvxor",
        BvOp::Shl => "bvshl",
        BvOp::Lshr => "bvlshr",
        BvOp::Ashr => "bvashr",
    }
}

/// The smallest usual logic in which these terms are.
pub fn logic_of(terms: &Terms, roots: &[Term]) -> &'static str {
    let (mut arrays, mut ints) = (false, false);
    for term in terms.post_order(roots) {
        match terms.sort(term) {
            Sort::Array { .. } => arrays = true,
            Sort::Int => ints = true,
            Sort::Bool | Sort::BitVec(_) => {}
        }
    }
    match (arrays, ints) {
        (_, true) => "ALL",
        (true, false) => "QF_ABV",
        (false, false) => "QF_BV",
    }
}

/// A complete script: is the conjunction of the assertions satisfiable?
pub fn script(terms: &Terms, assertions: &[Term]) -> String {
    let mut text = format!("(set-logic {})\n", logic_of(terms, assertions));
    let mut printer = Printer::new();
    assertions.iter().for_each(|assertion| printer.count(terms, *assertion));
    for assertion in assertions {
        text.push_str(&printer.assert(terms, *assertion));
    }
    text.push_str("(check-sat)\n");
    text
}

/// A value as SMT-LIB writes it.
pub fn value_text(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Bits { width, bits } => bits_text(width.get(), *bits),
        Value::Int(value) => int_text(*value),
        Value::Array(array) => {
            let (index, element) = (array.index.get(), array.element.get());
            let stores = array.entries().count();
            let mut text = "(store ".repeat(stores);
            let default = bits_text(element, array.default_element() & bits::mask(element));
            push(&mut text, format_args!("((as const {}) {default})", value.sort()));
            for (at, entry) in array.entries() {
                push(&mut text, format_args!(" {} {})", bits_text(index, at), bits_text(element, entry)));
            }
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn shared_parts_are_defined_once() {
        let mut terms = Terms::new();
        let (x, y) = (terms.symbol("x", Sort::bits(8)), terms.symbol("main:y", Sort::bits(8)));
        let sum = terms.bv_add(x, y);
        let product = terms.bv_mul(sum, sum);
        let seven = terms.bits(8, 7);
        let equal = terms.eq(product, seven);
        let less = terms.slt(sum, seven);
        expect![[r#"
            (set-logic QF_BV)
            (declare-fun |x!s0| () (_ BitVec 8))
            (declare-fun |main:y| () (_ BitVec 8))
            (define-fun $t2 () (_ BitVec 8) (bvadd |x!s0| |main:y|))
            (assert (= (bvmul $t2 $t2) #x07))
            (assert (bvslt $t2 #x07))
            (check-sat)
        "#]]
        .assert_eq(&script(&terms, &[equal, less]));
    }

    #[test]
    fn what_several_assertions_share_is_named() {
        let mut terms = Terms::new();
        let symbols: Vec<Term> = (0..4).map(|i| terms.symbol(&format!("s:{i}"), Sort::Bool)).collect();
        let both = terms.and(symbols[0], symbols[1]);
        let all: Vec<Term> = symbols[2..].iter().map(|symbol| terms.and(both, *symbol)).collect();
        let mut printer = Printer::with(Naming::Equations);
        all.iter().for_each(|term| printer.count(&terms, *term));
        let text: String = all.iter().map(|term| printer.assert(&terms, *term)).collect();
        expect![[r#"
            (declare-fun |s:0| () Bool)
            (declare-fun |s:1| () Bool)
            (declare-fun |s:2| () Bool)
            (declare-fun $t4 () Bool)
            (assert (= $t4 (and |s:0| |s:1|)))
            (assert (and |s:2| $t4))
            (declare-fun |s:3| () Bool)
            (assert (and |s:3| $t4))
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn all_sorts() {
        let mut terms = Terms::new();
        let array = terms.symbol("a|b\\", Sort::array(3, 4));
        let (i, e) = (terms.symbol("i!s0", Sort::bits(3)), terms.bits(4, 9));
        let constant = terms.const_array(3, e);
        let wide = terms.zero_extend(i, 4);
        let stored = terms.store(constant, i, wide);
        let equal = terms.eq(array, stored);
        let n = terms.symbol("n", Sort::Int);
        let minus = terms.int(-5);
        let product = terms.int_mul(n, minus);
        let positive = terms.int_lt(minus, product);
        let both = terms.and(equal, positive);
        expect![[r#"
            (set-logic ALL)
            (declare-fun |a_b_!s0| () (Array (_ BitVec 3) (_ BitVec 4)))
            (declare-fun |i!s0!s1| () (_ BitVec 3))
            (declare-fun |n!s2| () Int)
            (assert (and (= |a_b_!s0| (store ((as const (Array (_ BitVec 3) (_ BitVec 4))) #x9) |i!s0!s1| ((_ zero_extend 1) |i!s0!s1|))) (< (- 5) (* |n!s2| (- 5)))))
            (check-sat)
        "#]]
        .assert_eq(&script(&terms, &[both]));
    }
}
