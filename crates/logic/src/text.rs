//! Terms as text for people: infix, with shared parts named.
//!
//! A [`Glossary`] is made for all terms that are to be shown together. A part that occurs more than once in them, and is
//! longer than a name, is called `t1`, `t2`, … in the order of their making and is defined once; everything else is
//! written in place. The text is linear in the size of the terms, and the same in every run. It does not read back:
//! for that there is [`crate::smtlib`].

use crate::node::{BvOp, Node};
use crate::store::{Term, Terms};
use braid_base::{HashMap, HashSet};
use std::collections::BTreeMap;

/// A part of at most so many characters is written in place wherever it occurs.
const SHORT: usize = 24;
/// A text of more characters than this is cut into named parts though nothing of it is shared.
const LONG: usize = 400;

/// The words for a set of terms.
#[derive(Debug, Default)]
pub struct Glossary {
    texts: HashMap<Term, Piece>,
    /// Definitions by number.
    named: Vec<String>,
}

#[derive(Clone, Debug)]
struct Piece {
    text: String,
    /// The text is one word, or in brackets.
    closed: bool,
}

impl Glossary {
    /// The words for these terms. `leaf` may give a constant a better text.
    pub fn new(terms: &Terms, roots: &[Term], leaf: &dyn Fn(Term) -> Option<String>) -> Glossary {
        let mut uses: BTreeMap<Term, u32> = BTreeMap::new();
        let mut seen = HashSet::default();
        let mut waiting: Vec<Term> = roots.to_vec();
        while let Some(term) = waiting.pop() {
            *uses.entry(term).or_default() += 1;
            if seen.insert(term) {
                waiting.extend(terms.node(term).children());
            }
        }
        let mut glossary = Glossary::default();
        // Parts are made before what contains them, so ascending order is from the inside to the outside.
        for (term, count) in uses {
            let piece = glossary.piece(terms, term, leaf);
            let named = (count > 1 && piece.text.len() > SHORT) || piece.text.len() > LONG;
            let piece = if named { glossary.define(piece) } else { piece };
            glossary.texts.insert(term, piece);
        }
        glossary
    }

    fn define(&mut self, piece: Piece) -> Piece {
        self.named.push(piece.text);
        Piece { text: format!("t{}", self.named.len()), closed: true }
    }

    /// The text of one of the terms.
    pub fn text(&self, term: Term) -> &str {
        self.texts.get(&term).map_or("?", |piece| &piece.text)
    }

    /// The definitions, in order: a name and what it stands for.
    pub fn definitions(&self) -> impl Iterator<Item = (String, &str)> {
        self.named.iter().enumerate().map(|(index, text)| (format!("t{}", index + 1), text.as_str()))
    }

    /// The text of an argument, in brackets if it has several words.
    fn argument(&self, term: Term) -> String {
        match self.texts.get(&term) {
            Some(Piece { text, closed: true }) => text.clone(),
            Some(Piece { text, closed: false }) => format!("({text})"),
            None => "?".to_string(),
        }
    }

    fn piece(&self, terms: &Terms, term: Term, leaf: &dyn Fn(Term) -> Option<String>) -> Piece {
        if let Some(text) = leaf(term) {
            return Piece { text, closed: true };
        }
        let open = |text: String| Piece { text, closed: false };
        let closed = |text: String| Piece { text, closed: true };
        let two =
            |a: Term, op: &str, b: Term| open(format!("{} {op} {}", self.argument(a), self.argument(b)));
        let call = |name: &str, args: &[Term]| {
            let args: Vec<&str> = args.iter().map(|arg| self.text(*arg)).collect();
            closed(format!("{name}({})", args.join(", ")))
        };
        match terms.node(term) {
            Node::Bool(value) => closed(value.to_string()),
            Node::Bits(bits) => closed(format!("{bits}")),
            Node::Int(value) => closed(value.to_string()),
            Node::Symbol(symbol) => closed(terms.symbol_name(symbol).to_string()),
            Node::Not(a) => closed(format!("!{}", self.argument(a))),
            Node::And(a, b) => two(a, "&&", b),
            Node::Eq(a, b) => two(a, "==", b),
            Node::Ite(cond, a, b) => {
                open(format!("{} ? {} : {}", self.argument(cond), self.argument(a), self.argument(b)))
            }
            Node::Binary(op, a, b) => two(a, operator(op), b),
            Node::BvNot(a) => closed(format!("~{}", self.argument(a))),
            Node::Concat(a, b) => two(a, "++", b),
            Node::Extract { hi, lo, of } => closed(format!("{}[{hi}:{lo}]", self.argument(of))),
            Node::ZeroExtend(a) => call(&format!("zext{}", terms.width(term)), &[a]),
            Node::SignExtend(a) => call(&format!("sext{}", terms.width(term)), &[a]),
            Node::Ult(a, b) => two(a, "<u", b),
            Node::Slt(a, b) => two(a, "<s", b),
            Node::Select(array, index) => closed(format!("{}[{}]", self.argument(array), self.text(index))),
            Node::Store(array, index, element) => call("store", &[array, index, element]),
            Node::ConstArray(element) => call("all", &[element]),
            Node::IntAdd(a, b) => two(a, "+", b),
            Node::IntMul(a, b) => two(a, "*", b),
            Node::IntLt(a, b) => two(a, "<", b),
        }
    }
}

fn operator(op: BvOp) -> &'static str {
    match op {
        BvOp::Add => "+",
        BvOp::Sub => "-",
        BvOp::Mul => "*",
        BvOp::Udiv => "/u",
        BvOp::Urem => "%u",
        BvOp::Sdiv => "/s",
        BvOp::Srem => "%s",
        BvOp::And => "&",
        BvOp::Or => "|",
        BvOp::Xor => "^",
        BvOp::Shl => "<<",
        BvOp::Lshr => ">>u",
        BvOp::Ashr => ">>s",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn shared_parts_are_defined_once() {
        let mut terms = Terms::new();
        let symbols: Vec<Term> =
            ["first_flag", "second_flag"].iter().map(|name| terms.symbol(name, Sort::Bool)).collect();
        let both = terms.and(symbols[0], symbols[1]);
        let neither = terms.not(both);
        let x = terms.symbol("x", Sort::bits(8));
        let one = terms.bits(8, 1);
        let next = terms.bv(BvOp::Add, x, one);
        let chosen = terms.ite(both, next, x);
        let glossary = Glossary::new(&terms, &[neither, chosen], &|_| None);
        let definitions: Vec<_> = glossary.definitions().collect();
        assert_eq!(definitions, [("t1".to_string(), "first_flag && second_flag")]);
        assert_eq!(glossary.text(neither), "!t1");
        assert_eq!(glossary.text(chosen), "t1 ? (x + 1) : x");
        // A leaf may have a better text.
        let glossary = Glossary::new(&terms, &[next], &|term| (term == one).then(|| "ONE".to_string()));
        assert_eq!(glossary.text(next), "x + ONE");
    }
}
