//! Whether a loop can be left, for the values that a path has at its head.
//!
//! A loop has an exit if, with any values in memory, control can come from its head to a way out. A branch may go both
//! ways, unless the values that its condition can have in the loop are known; these are terms, so the answer is a
//! condition. The values of a register are its value at the head, if that is live there, and what assignments in the loop
//! make of other registers whose values are known.
//!
//! The interpreter decides the same by itself (`interp/exits`): the judge shares no code with the encoders.

use crate::ending::Ending;
use crate::exec::Unwinder;
use crate::state::State;
use braid_analysis::cfg::successors;
use braid_analysis::wto::Loop;
use braid_base::faults::active;
use braid_base::{HashMap, HashSet, Idx};
use braid_ir::*;
use braid_logic::{Term, Terms};
use braid_symex::{ObjectNo, Value};

/// So many values of a register are told apart.
const FEW: usize = 16;

/// So many conditions are told apart.
const CONDITIONS: usize = 6;

/// The values a register can have in a loop.
#[derive(Clone)]
enum Values {
    Any,
    /// It is not known which.
    Open,
    Few(Vec<Value>),
}

impl Values {
    fn add(&mut self, value: Value) {
        let Values::Few(list) = self else { return };
        if !list.iter().any(|known| known.term == value.term) {
            list.push(value);
        }
        if list.len() > FEW {
            *self = Values::Open;
        }
    }
}

/// When control can take an edge.
#[derive(Clone, Copy)]
enum When {
    Open,
    /// Bool.
    If(Term),
}

/// When a loop can be left.
pub(crate) struct Exit {
    /// Bool: it can.
    pub can: Term,
    /// In other cases it is not known.
    pub open: bool,
}

/// A loop whose ways out are looked for, and what is known of its registers.
struct Search<'a, 'p> {
    program: &'p Program,
    function: &'p Function,
    component: &'a Loop,
    state: &'a State,
    /// The expressions that set a register; `None` for something else than an assignment.
    sets: HashMap<RegId, Vec<Option<&'p Expr>>>,
    known: HashMap<RegId, Values>,
}

impl Unwinder<'_> {
    /// When control can come from the head of a loop to a way out: a branch that leads out, or a call in which the user's
    /// code may end the thread or the program.
    pub fn exit_of(&mut self, func: FuncId, component: &Loop, state: &State) -> Exit {
        let program = self.events.given.program;
        let function = &program.functions[func];
        let mut sets: HashMap<RegId, Vec<Option<&Expr>>> = HashMap::default();
        for op in component.blocks.iter().flat_map(|block| &function.blocks[*block].instrs).map(|i| &i.op) {
            let value = if let Op::Assign { value, .. } = op { Some(value) } else { None };
            op.destinations(&mut |reg| sets.entry(reg).or_default().push(value));
        }
        let mut search = Search { program, function, component, state, sets, known: HashMap::default() };
        let edges: Vec<Vec<(BlockId, When)>> =
            component.blocks.iter().map(|block| self.edges_of(func, &mut search, *block)).collect();
        let (_, ending) = self.events.summaries.looking_and_ending(program);
        exit_by(self.terms, &search, &edges, ending)
    }

    /// Where control can go from the end of a block, and when.
    fn edges_of(&mut self, func: FuncId, search: &mut Search, block: BlockId) -> Vec<(BlockId, When)> {
        let end = &search.function.blocks[block].end.kind;
        let always = When::If(self.terms.bool(true));
        let (operand, width, cases, default) = match end {
            TermKind::Branch { cond, then, other } => (*cond, 1, vec![(1, *then)], *other),
            TermKind::Switch { ty, value, cases, default } => {
                (*value, ty.bits(search.program.pointer_bytes), cases.to_vec(), *default)
            }
            TermKind::Jump(_) | TermKind::Return(_) | TermKind::Unreachable => {
                return successors(end).into_iter().map(|to| (to, always)).collect();
            }
        };
        let values = match operand {
            _ if active("loop-values-unknown") => Values::Any,
            Operand::Const(_) => {
                Values::Few(vec![self.events.step(self.terms).operand(search.state, operand)])
            }
            Operand::Reg(reg) => self.values_of(func, search, reg),
        };
        let list = match values {
            Values::Any => return successors(end).into_iter().map(|to| (to, always)).collect(),
            Values::Open => return successors(end).into_iter().map(|to| (to, When::Open)).collect(),
            Values::Few(list) => list,
        };
        let mut edges = Vec::new();
        let mut others = vec![self.terms.bool(true); list.len()];
        for (pattern, to) in cases {
            let pattern = self.terms.bits(width, pattern);
            let mut some = Vec::new();
            for (value, other) in list.iter().zip(&mut others) {
                let is = self.terms.eq(value.term, pattern);
                let not = self.terms.not(is);
                *other = self.terms.and(*other, not);
                some.push(is);
            }
            edges.push((to, When::If(self.terms.or_all(some))));
        }
        edges.push((default, When::If(self.terms.or_all(others))));
        edges
    }

    fn values_of(&mut self, func: FuncId, search: &mut Search, reg: RegId) -> Values {
        if let Some(values) = search.known.get(&reg) {
            return values.clone();
        }
        // A register that depends on itself may be anything.
        search.known.insert(reg, Values::Any);
        let sets = search.sets.get(&reg).cloned().unwrap_or_default();
        let live =
            self.events.summaries.live(search.program, func, search.component.head).contains(reg.index());
        let kept = sets.is_empty() || live;
        let mut values = Values::Few(Vec::new());
        if sets.contains(&None) {
            values = Values::Any;
        } else if kept {
            let first = self.events.step(self.terms).operand(search.state, Operand::Reg(reg));
            values.add(first);
        }
        for expr in sets.into_iter().flatten() {
            if matches!(values, Values::Any) || kept && active("loop-keeps-first-values") {
                break;
            }
            match self.values_of_expr(func, search, expr) {
                Values::Any => values = Values::Any,
                Values::Open => values = Values::Open,
                Values::Few(list) => list.into_iter().for_each(|value| values.add(value)),
            }
        }
        search.known.insert(reg, values.clone());
        values
    }

    /// The values of an expression, for all values of its operands.
    fn values_of_expr(&mut self, func: FuncId, search: &mut Search, expr: &Expr) -> Values {
        if matches!(expr, Expr::ObjectSize(_)) {
            return Values::Any;
        }
        let mut regs: Vec<RegId> = expr.operands().filter_map(Operand::reg).collect();
        regs.sort();
        regs.dedup();
        let mut lists: Vec<(RegId, Vec<Value>)> = Vec::new();
        let mut open = false;
        for reg in regs {
            match self.values_of(func, search, reg) {
                Values::Any => return Values::Any,
                Values::Open => open = true,
                Values::Few(list) => lists.push((reg, list)),
            }
        }
        let count: usize = lists.iter().map(|(_, list)| list.len()).product();
        if open || count > FEW {
            return Values::Open;
        }
        let mut found = Values::Few(Vec::new());
        for number in 0..count {
            let mut state = search.state.clone();
            let mut rest = number;
            for (reg, list) in &lists {
                state.regs[reg.index()] = Some(list[rest % list.len()]);
                rest /= list.len();
            }
            match self.pure(&state, expr) {
                Some(value) => found.add(value),
                None => return Values::Open,
            }
        }
        found
    }

    /// The value of an expression that asks nothing, and is known without looking at memory.
    fn pure(&mut self, state: &State, expr: &Expr) -> Option<Value> {
        let value = |operand| (operand, self.events.step(self.terms).operand(state, operand));
        let values: Vec<(Operand, Value)> = expr.operands().map(value).collect();
        let mut lookup = |_: &mut Terms, operand: Operand| {
            let found = values.iter().find(|(known, _)| *known == operand);
            found.map(|(_, value)| *value).expect("every operand of the expression was looked up")
        };
        let objects = &self.events.out.objects;
        let align = |number: ObjectNo| objects.get(number).map_or(1, |object| object.align);
        let result = braid_symex::expr(self.terms, self.events.out.layout, &align, &mut lookup, expr).ok()?;
        (result.defined.is_none() && result.asks.is_none()).then_some(result.value)
    }
}

/// The condition under which an exit is reached, from those of the edges.
fn exit_by(terms: &mut Terms, search: &Search, edges: &[Vec<(BlockId, When)>], ending: &Ending) -> Exit {
    let mut conditions: Vec<Term> = Vec::new();
    for (_, when) in edges.iter().flatten() {
        if let When::If(term) = *when
            && !terms.is_constant(term)
            && !conditions.contains(&term)
        {
            conditions.push(term);
        }
    }
    let many = conditions.len() > CONDITIONS;
    let mut can = Vec::new();
    // More edges lead to no fewer exits, so only the conditions that hold matter.
    for chosen in 0..1usize << conditions.len().min(CONDITIONS) {
        let holds = |when: When| match when {
            When::Open => false,
            When::If(term) => match conditions.iter().position(|known| *known == term) {
                Some(index) => !many && chosen >> index & 1 == 1,
                None => terms.is_true(term),
            },
        };
        if search.is_left(edges, ending, &holds) {
            let needed = conditions.iter().enumerate().filter(|(index, _)| chosen >> index & 1 == 1);
            let needed: Vec<Term> = needed.map(|(_, term)| *term).collect();
            can.push(terms.and_all(needed));
        }
    }
    let maybe = |when: When| match when {
        When::Open => true,
        When::If(term) => !terms.is_false(term),
    };
    let opens = many || edges.iter().flatten().any(|(_, when)| matches!(when, When::Open));
    let open = opens && search.is_left(edges, ending, &maybe);
    Exit { can: terms.or_all(can), open }
}

impl Search<'_, '_> {
    /// Returns true if control can come from the head to a way out by edges that can be taken.
    fn is_left(&self, edges: &[Vec<(BlockId, When)>], ending: &Ending, can: &dyn Fn(When) -> bool) -> bool {
        let mut seen: HashSet<BlockId> = HashSet::default();
        let mut waiting = vec![self.component.head];
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            let Ok(index) = self.component.blocks.binary_search(&id) else {
                // A failing assertion does not lead out.
                if ending.only_aborts(self.function, id) {
                    continue;
                }
                return true;
            };
            let block = &self.function.blocks[id];
            if ending.calls_leaving(self.program, block) || ending.is_last(block) {
                return true;
            }
            if !ending.stops(block) {
                waiting.extend(edges[index].iter().filter(|(_, when)| can(*when)).map(|(to, _)| *to));
            }
        }
        false
    }
}
