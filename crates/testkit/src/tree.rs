//! Program text as a tree that knows how it can be made smaller.
//!
//! A generator builds text from pieces; a piece that could be left out or be put more simply carries
//! its alternatives. [`shrink`] tries them, largest piece first, and keeps what still shows the
//! failure. It knows nothing of C: the alternatives are chosen so that the text stays well-defined.

/// Text, or pieces in a row, or a piece with simpler alternatives.
#[derive(Clone, Debug)]
pub enum Tree {
    Text(String),
    Seq(Vec<Tree>),
    Alt(Box<Alt>),
}

/// A piece and what may stand in its place.
#[derive(Clone, Debug)]
pub struct Alt {
    parts: Vec<Tree>,
    smaller: Vec<Smaller>,
}

#[derive(Clone, Debug)]
enum Smaller {
    Text(String),
    /// One part alone, between two texts.
    Part(&'static str, String, usize, &'static str),
}

impl From<&str> for Tree {
    fn from(text: &str) -> Tree {
        Tree::Text(text.to_string())
    }
}

impl From<String> for Tree {
    fn from(text: String) -> Tree {
        Tree::Text(text)
    }
}

impl From<&String> for Tree {
    fn from(text: &String) -> Tree {
        Tree::Text(text.clone())
    }
}

impl From<&Tree> for Tree {
    fn from(tree: &Tree) -> Tree {
        tree.clone()
    }
}

impl From<Vec<Tree>> for Tree {
    fn from(trees: Vec<Tree>) -> Tree {
        Tree::Seq(trees)
    }
}

/// Pieces in a row.
#[macro_export]
macro_rules! cat {
    ($($piece:expr),* $(,)?) => { $crate::tree::Tree::Seq(vec![$($crate::tree::Tree::from($piece)),*]) };
}

impl Tree {
    /// A text in which each `$name` is replaced by the piece of that name. Every name has a piece.
    pub fn fill(template: &str, holes: &[(&str, Tree)]) -> Tree {
        let mut pieces = template.split('$');
        let mut out = vec![Tree::from(pieces.next().unwrap_or(""))];
        for piece in pieces {
            let end = piece.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(piece.len());
            let (name, rest) = piece.split_at(end);
            let hole = holes.iter().find(|(hole, _)| *hole == name);
            out.push(hole.unwrap_or_else(|| panic!("no piece for ${name}")).1.clone());
            out.push(rest.into());
        }
        Tree::Seq(out)
    }

    /// A piece that may be left out.
    pub fn optional(self) -> Tree {
        Tree::Alt(Box::new(Alt { parts: vec![self], smaller: vec![Smaller::Text(String::new())] }))
    }

    /// A piece for which `text` may stand.
    pub fn or(self, text: impl Into<String>) -> Tree {
        Tree::Alt(Box::new(Alt { parts: vec![self], smaller: vec![Smaller::Text(text.into())] }))
    }

    /// A statement around other statements: it may be left out, or reduced to one of `keep`.
    pub fn around(parts: Vec<Tree>, keep: &[usize]) -> Tree {
        let mut smaller = vec![Smaller::Text(String::new())];
        smaller.extend(keep.iter().map(|part| Smaller::Part("{\n", String::new(), *part, "}\n")));
        Tree::Alt(Box::new(Alt { parts, smaller }))
    }

    /// An expression: the constant may stand for it, or one of its operands converted to its type.
    pub fn operation(parts: Vec<Tree>, constant: String, type_name: &str, operands: &[usize]) -> Tree {
        let mut smaller = vec![Smaller::Text(constant)];
        let cast = format!("{type_name})(");
        smaller.extend(operands.iter().map(|part| Smaller::Part("((", cast.clone(), *part, "))")));
        Tree::Alt(Box::new(Alt { parts, smaller }))
    }

    /// The text, indented by its braces.
    pub fn render(&self) -> String {
        let mut raw = String::new();
        self.write(&mut raw);
        indent(&raw)
    }

    fn write(&self, out: &mut String) {
        match self {
            Tree::Text(text) => out.push_str(text),
            Tree::Seq(items) => items.iter().for_each(|t| t.write(out)),
            Tree::Alt(alt) => alt.parts.iter().for_each(|t| t.write(out)),
        }
    }

    fn size(&self) -> usize {
        match self {
            Tree::Text(text) => text.len(),
            Tree::Seq(items) => items.iter().map(Tree::size).sum(),
            Tree::Alt(alt) => alt.parts.iter().map(Tree::size).sum(),
        }
    }

    /// The sizes of all pieces with alternatives, in the order of [`Tree::replaced`].
    fn pieces(&self, out: &mut Vec<(usize, usize)>) {
        match self {
            Tree::Text(_) => {}
            Tree::Seq(items) => items.iter().for_each(|t| t.pieces(out)),
            Tree::Alt(alt) => {
                out.push((self.size(), alt.smaller.len()));
                alt.parts.iter().for_each(|t| t.pieces(out));
            }
        }
    }

    /// The tree with its `piece`-th piece replaced by its `choice`-th alternative.
    fn replaced(&self, piece: usize, choice: usize) -> Tree {
        let mut countdown = piece;
        self.replace(&mut countdown, choice)
    }

    fn replace(&self, countdown: &mut usize, choice: usize) -> Tree {
        match self {
            Tree::Text(_) => self.clone(),
            Tree::Seq(items) => Tree::Seq(items.iter().map(|t| t.replace(countdown, choice)).collect()),
            Tree::Alt(alt) => {
                if *countdown == 0 {
                    *countdown = usize::MAX;
                    return alt.smaller[choice].build(&alt.parts);
                }
                *countdown -= 1;
                let parts = alt.parts.iter().map(|t| t.replace(countdown, choice)).collect();
                Tree::Alt(Box::new(Alt { parts, smaller: alt.smaller.clone() }))
            }
        }
    }
}

impl Smaller {
    fn build(&self, parts: &[Tree]) -> Tree {
        match self {
            Smaller::Text(text) => Tree::Text(text.clone()),
            Smaller::Part(open, middle, part, close) => {
                Tree::Seq(vec![(*open).into(), middle.into(), parts[*part].clone(), (*close).into()])
            }
        }
    }
}

/// Indents by brace depth at the start of each line; lines without text are dropped.
fn indent(raw: &str) -> String {
    let mut out = String::new();
    let mut depth = 0usize;
    for line in raw.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let closing = line.chars().take_while(|c| *c == '}').count();
        let level = if line.starts_with('#') { 0 } else { depth.saturating_sub(closing) };
        out.push_str(&"    ".repeat(level));
        out.push_str(line);
        out.push('\n');
        let opened = line.matches('{').count();
        depth = (depth + opened).saturating_sub(line.matches('}').count());
    }
    out
}

/// Makes a tree smaller while `fails` holds for its text. `fails` holds for the tree given. At most
/// `trials` texts are tried. Sweeps look at large pieces first, then at ever smaller ones.
pub fn shrink(tree: &Tree, trials: usize, mut fails: impl FnMut(&str) -> bool) -> Tree {
    let mut best = tree.clone();
    let mut left = trials;
    let mut least = best.size() / 2;
    loop {
        let before = best.size();
        sweep(&mut best, least, &mut left, &mut fails);
        if left == 0 || (least <= 1 && best.size() == before) {
            return best;
        }
        least = if least > 1 { least / 2 } else { best.size() / 8 };
    }
}

/// Tries the alternatives of all pieces of at least the given size. Replacing a piece moves the numbers
/// of later pieces only, so going backwards needs no recount.
fn sweep(best: &mut Tree, least: usize, left: &mut usize, fails: &mut impl FnMut(&str) -> bool) {
    let mut pieces = Vec::new();
    best.pieces(&mut pieces);
    for (piece, (size, choices)) in pieces.into_iter().enumerate().rev() {
        if size < least {
            continue;
        }
        for choice in 0..choices {
            let candidate = best.replaced(piece, choice);
            if candidate.size() >= best.size() {
                continue;
            }
            if *left == 0 {
                return;
            }
            *left -= 1;
            if fails(&candidate.render()) {
                *best = candidate;
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Tree {
        let inner = cat!(
            "b;\n",
            Tree::operation(vec!["long_name + ".into(), "yy".into()], "1".into(), "int", &[1]),
            ";\n"
        );
        let wrapped = Tree::around(vec!["if (c) {\n".into(), inner, "}\n".into()], &[1]);
        cat!(Tree::from("a;\n").optional(), wrapped, Tree::from("z;\n").optional())
    }

    #[test]
    fn text_is_indented_by_braces() {
        assert_eq!(sample().render(), "a;\nif (c) {\n    b;\n    long_name + yy;\n}\nz;\n");
    }

    #[test]
    fn shrinking_keeps_what_fails() {
        let small = shrink(&sample(), 100, |text| text.contains("yy"));
        assert_eq!(small.render(), "{\n    b;\n    ((int)(yy));\n}\n");
        let smaller = shrink(&sample(), 100, |text| text.contains('z'));
        assert_eq!(smaller.render(), "z;\n");
    }

    #[test]
    fn templates_are_filled() {
        let tree = Tree::fill("for ($i = 0; $i < $n; $i++)", &[("i", "k".into()), ("n", "5".into())]);
        assert_eq!(tree.render(), "for (k = 0; k < 5; k++)\n");
    }

    #[test]
    fn trials_are_bounded() {
        let mut calls = 0;
        shrink(&sample(), 3, |_| {
            calls += 1;
            false
        });
        assert!(calls <= 3);
    }
}
