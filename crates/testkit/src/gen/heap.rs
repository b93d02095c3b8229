//! Storage whose size or life is decided at run time: heap blocks, variable-length arrays, lists.

use super::types::{Int, Ty};
use super::{Gen, Len, Shape};
use crate::cat;
use crate::tree::Tree;

impl Gen {
    /// A heap block used as an array and freed.
    pub(super) fn heap_block(&mut self) -> Option<Tree> {
        if !self.can_afford(400) || self.times > 30 {
            return None;
        }
        let name = self.fresh("h");
        let elem = match self.rng.below(4) {
            0 if !self.records.is_empty() => Ty::Record(self.rng.below(self.records.len())),
            _ => Ty::int(self.any_int()),
        };
        let count = self.rng.range(1, 9);
        self.spend(count as u64 * 8 + 40);
        let allocation = match self.rng.below(3) {
            0 => format!("calloc({count}, sizeof *{name})"),
            1 => format!("malloc({count} * sizeof *{name})"),
            _ => format!("malloc(sizeof(*{name}) * {count}UL)"),
        };
        let declared = self.declarator(&elem, &format!("*{name}"));
        let head =
            cat!("{\n", declared, " = ", allocation, ";\n", self.fill_run(&name, &elem, &Len::Const(count)));
        self.scopes.push(Vec::new());
        self.declare(&name, Shape::Run(elem.clone(), Len::Const(count)), true);
        let statements = self.rng.range(1, 3);
        let body = self.block(statements);
        self.scopes.pop();
        let grow = if self.rng.one_in(3) { self.grow(&name, &elem, count) } else { "".into() };
        Some(Tree::around(vec![head, body, grow, cat!("free(", name, ");\n}\n")], &[]))
    }

    /// Gives every element a value.
    fn fill_run(&mut self, name: &str, elem: &Ty, len: &Len) -> Tree {
        let index = self.fresh("j");
        let value = match elem {
            Ty::Scalar(scalar) => match scalar.int() {
                Some(int) => format!("({})({index} * 37u + 11u)", int.name()),
                None => format!("{index} * 0.5"),
            },
            Ty::Array(..) | Ty::Record(_) => format!("({}){{ 0 }}", self.type_name(elem)),
        };
        let loop_ = "for (unsigned $j = 0; $j < $n; $j++)\n$a[$j] = $value;\n";
        Tree::fill(
            loop_,
            &[("j", index.into()), ("n", len.text().into()), ("a", name.into()), ("value", value.into())],
        )
    }

    /// `realloc` to a larger size, the new elements given values.
    fn grow(&mut self, name: &str, elem: &Ty, count: usize) -> Tree {
        let (index, more) = (self.fresh("j"), count + self.rng.range(1, 5));
        let Ty::Scalar(scalar) = elem else { return "".into() };
        let Some(int) = scalar.int() else { return "".into() };
        self.spend(60);
        let seen = if self.pure_ { "$h[0] = $h[$j - 1];" } else { "mix((unsigned long long)$h[$j - 1]);" };
        let template = "$h = realloc($h, $more * sizeof *$h);
            for (unsigned $j = $old; $j < $more; $j++) {
            $h[$j] = ($ty)($h[$j - $old] ^ 5);
            "
        .to_string()
            + seen
            + "\n}\n";
        Tree::fill(
            &template,
            &[
                ("h", name.into()),
                ("j", index.into()),
                ("old", count.to_string().into()),
                ("more", more.to_string().into()),
                ("ty", int.name().into()),
            ],
        )
    }

    /// A variable-length array, of one or two dimensions.
    pub(super) fn vla_block(&mut self) -> Option<Tree> {
        if !self.can_afford(600) || self.times > 30 {
            return None;
        }
        let (name, len) = (self.fresh("w"), self.fresh("n"));
        let ty = self.any_int();
        self.spend(120);
        let value = self.int_expr(1).tree;
        let size = cat!("unsigned ", &len, " = 1u + (unsigned)", value, " % 8u;\n");
        self.scopes.push(Vec::new());
        self.declare(&len, Shape::Object(Ty::int(Int::UInt)), false);
        let tree = if self.rng.one_in(3) {
            self.matrix(&name, &len, ty, size)
        } else {
            let elem = Ty::int(ty);
            let fill = self.fill_run(&name, &elem, &Len::Var(len.clone()));
            self.declare(&name, Shape::Run(elem, Len::Var(len.clone())), true);
            let statements = self.rng.range(1, 3);
            let body = self.block(statements);
            let head = cat!("{\n", size, ty.name(), " ", &name, "[", &len, "];\n", fill);
            let check = self.observe(cat!("sizeof ", &name));
            Tree::around(vec![head, body, check, "}\n".into()], &[])
        };
        self.scopes.pop();
        Some(tree)
    }

    fn matrix(&mut self, name: &str, len: &str, ty: Int, size: Tree) -> Tree {
        let holes = [
            ("a", Tree::from(name)),
            ("n", len.into()),
            ("ty", ty.name().into()),
            ("size", size),
            ("i", self.fresh("i").into()),
            ("j", self.fresh("j").into()),
            ("p", self.fresh("p").into()),
            ("row", self.index(&Len::Var(len.to_string()))),
            ("column", self.rng.below(3).to_string().into()),
        ];
        let head = "{
            $size
            $ty $a[$n][3];
            for (unsigned $i = 0; $i < $n; $i++)
            for (unsigned $j = 0; $j < 3; $j++)
            $a[$i][$j] = ($ty)($i * 10u + $j);
            ";
        let seen = self.observe(Tree::fill("$p[0][$column] + sizeof $a + sizeof($a[0])", &holes));
        let walk = Tree::fill("$ty (*$p)[3] = &$a[$row];\n", &holes);
        Tree::around(vec![Tree::fill(head, &holes), cat!(walk, seen), "}\n".into()], &[])
    }

    /// Makes a value count: in the checksum, or where nothing global may change, in a local.
    pub(super) fn observe(&mut self, value: Tree) -> Tree {
        if self.pure_ {
            return cat!("(void)(", value, ");\n");
        }
        cat!("mix((unsigned long long)(", value, "));\n")
    }

    /// A singly linked list on the heap: built, reversed, summed, freed.
    pub(super) fn list_block(&mut self) -> Option<Tree> {
        if self.pure_ || !self.can_afford(600) || self.times > 12 {
            return None;
        }
        self.spend(300);
        let mut holes = vec![
            ("list", Tree::from(self.fresh("list"))),
            ("node", self.fresh("n").into()),
            ("count", self.rng.range(1, 7).to_string().into()),
            ("value", self.int_expr(1).tree),
        ];
        holes.push(("reverse", Tree::fill(REVERSE, &holes).optional()));
        Some(Tree::fill(LIST, &holes).optional())
    }
}

const LIST: &str = "{
    struct node *$list = 0;
    for (int i = 0; i < $count; i++) {
    struct node *$node = malloc(sizeof *$node);
    *$node = (struct node){ .value = (long)$value / 4 + i, .next = $list };
    $list = $node;
    }
    $reverse
    while ($list) {
    struct node *$node = $list;
    mix((unsigned long long)$node->value);
    $list = $node->next;
    free($node);
    }
    }
    ";

const REVERSE: &str = "struct node *reversed = 0;
    while ($list) {
    struct node *rest = $list->next;
    $list->next = reversed;
    reversed = $list;
    $list = rest;
    }
    $list = reversed;
    ";
