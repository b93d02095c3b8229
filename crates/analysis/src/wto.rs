//! Weak topological orders: blocks in the order in which they are executed, loops as nested components.
//!
//! Bourdoncle, *Efficient chaotic iteration strategies with widenings*, 1993, section 4: every edge that
//! leads backwards leads to the head of a component that contains its source. So a component is unwound
//! by executing its head and its elements in order, as often as states arrive at the head again; graphs
//! that are not reducible need nothing special.

use crate::cfg::successors;
use braid_base::{Idx, IndexVec};
use braid_ir::{BlockId, Function};

/// A block, or a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Element {
    Block(BlockId),
    Loop(Loop),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    pub head: BlockId,
    /// Number of the loop in its function, by the order of heads.
    pub index: u32,
    pub inner: Vec<Element>,
    /// All blocks, with the head, ascending.
    pub blocks: Vec<BlockId>,
    /// Whether control can leave it by a branch.
    pub has_exit: bool,
}

/// The order of a function's reachable blocks.
pub fn order(function: &Function) -> Vec<Element> {
    let count = function.blocks.len();
    if count == 0 {
        return Vec::new();
    }
    let next: IndexVec<BlockId, Vec<BlockId>> =
        function.blocks.iter().map(|block| successors(&block.end.kind)).collect();
    let mut builder = Builder { next: &next, number: vec![0; count], stack: Vec::new(), counter: 0 };
    let mut list = Vec::new();
    builder.visit(BlockId(0), &mut list);
    list.reverse();
    let mut heads = Vec::new();
    collect_heads(&list, &mut heads);
    heads.sort();
    finish(&mut list, &next, &heads);
    list
}

const DONE: u32 = u32::MAX;

struct Builder<'a> {
    next: &'a IndexVec<BlockId, Vec<BlockId>>,
    number: Vec<u32>,
    stack: Vec<BlockId>,
    counter: u32,
}

impl Builder<'_> {
    /// Appends elements in reverse; returns the lowest number that the block reaches backwards.
    fn visit(&mut self, block: BlockId, list: &mut Vec<Element>) -> u32 {
        self.stack.push(block);
        self.counter += 1;
        self.number[block.index()] = self.counter;
        let mut lowest = self.counter;
        let mut is_loop = false;
        for &to in self.next[block].iter().rev() {
            let reached = match self.number[to.index()] {
                0 => self.visit(to, list),
                known => known,
            };
            if reached <= lowest {
                lowest = reached;
                is_loop = true;
            }
        }
        if lowest == self.number[block.index()] {
            self.number[block.index()] = DONE;
            let mut member = self.stack.pop();
            if is_loop {
                while let Some(other) = member.filter(|other| *other != block) {
                    self.number[other.index()] = 0;
                    member = self.stack.pop();
                }
                let element = self.component(block);
                list.push(element);
            } else {
                list.push(Element::Block(block));
            }
        }
        lowest
    }

    fn component(&mut self, head: BlockId) -> Element {
        let mut inner = Vec::new();
        for &to in self.next[head].iter().rev() {
            if self.number[to.index()] == 0 {
                self.visit(to, &mut inner);
            }
        }
        inner.reverse();
        Element::Loop(Loop { head, index: 0, inner, blocks: Vec::new(), has_exit: false })
    }
}

fn collect_heads(list: &[Element], heads: &mut Vec<BlockId>) {
    for element in list {
        if let Element::Loop(component) = element {
            heads.push(component.head);
            collect_heads(&component.inner, heads);
        }
    }
}

fn blocks_of(list: &[Element], found: &mut Vec<BlockId>) {
    for element in list {
        match element {
            Element::Block(block) => found.push(*block),
            Element::Loop(component) => {
                found.push(component.head);
                blocks_of(&component.inner, found);
            }
        }
    }
}

/// Fills in numbers, members and exits.
fn finish(list: &mut [Element], next: &IndexVec<BlockId, Vec<BlockId>>, heads: &[BlockId]) {
    for element in list {
        let Element::Loop(component) = element else { continue };
        component.index = heads.partition_point(|head| *head < component.head) as u32;
        component.blocks = vec![component.head];
        blocks_of(&component.inner, &mut component.blocks);
        component.blocks.sort();
        let inside = |block: &BlockId| component.blocks.binary_search(block).is_ok();
        component.has_exit = component.blocks.iter().any(|block| next[*block].iter().any(|to| !inside(to)));
        finish(&mut component.inner, next, heads);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(list: &[Element]) -> String {
        let show = |element: &Element| match element {
            Element::Block(block) => block.to_string(),
            Element::Loop(c) if c.inner.is_empty() => format!("({})", c.head),
            Element::Loop(c) => format!("({} {})", c.head, text(&c.inner)),
        };
        list.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    fn order_of(blocks: &str) -> String {
        let source = format!("fn &main() -> i32 {{\nreg %0 i1\n{blocks}\n}}");
        let program = braid_ir::parse(&source).expect("the text is a program");
        text(&order(&program.functions[braid_ir::FuncId(0)]))
    }

    #[test]
    fn straight_lines_branches_and_loops() {
        assert_eq!(order_of("b0:\nbr %0, b1, b2\nb1:\njump b3\nb2:\njump b3\nb3:\nret 0:i32"), "b0 b1 b2 b3");
        assert_eq!(
            order_of("b0:\njump b1\nb1:\nbr %0, b2, b3\nb2:\njump b1\nb3:\nret 0:i32"),
            "b0 (b1 b2) b3"
        );
        assert_eq!(
            order_of(
                "b0:\njump b1\nb1:\nbr %0, b2, b5\nb2:\nbr %0, b3, b4\nb3:\njump b2\nb4:\njump b1\nb5:\nret 0:i32"
            ),
            "b0 (b1 (b2 b3) b4) b5"
        );
        assert_eq!(order_of("b0:\nbr %0, b0, b1\nb1:\nret 0:i32"), "(b0) b1");
    }

    #[test]
    fn two_entries() {
        let order = order_of("b0:\nbr %0, b1, b2\nb1:\nbr %0, b2, b3\nb2:\nbr %0, b1, b3\nb3:\nret 0:i32");
        assert!(["b0 (b1 b2) b3", "b0 (b2 b1) b3"].contains(&order.as_str()), "{order}");
    }
}
