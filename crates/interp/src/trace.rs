//! What happened in an execution, in the terms of a schedule file.
//!
//! Plain data: threads by spawn path, operations by instruction and occurrence, choices by the
//! operation that asked. Nothing here depends on how many invisible steps lie between.

use braid_base::Symbol;
use braid_ir::{ChoiceKind, InstrId, Loc};
use braid_props::Check;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// How a thread came to be: `main`, its second child `main/2`, that one's first child `main/2/1`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ThreadPath(Arc<[u32]>);

impl ThreadPath {
    pub fn main() -> ThreadPath {
        ThreadPath(Arc::new([]))
    }

    /// The `n`-th thread (from 1) that this one starts.
    pub fn child(&self, n: u32) -> ThreadPath {
        ThreadPath(self.0.iter().copied().chain([n]).collect())
    }
}

impl fmt::Display for ThreadPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("main")?;
        self.0.iter().try_for_each(|n| write!(f, "/{n}"))
    }
}

/// A text that is no spawn path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadPath;

impl fmt::Display for BadPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a thread is written 'main', 'main/1', 'main/1/2' and so on")
    }
}

impl std::error::Error for BadPath {}

impl FromStr for ThreadPath {
    type Err = BadPath;

    fn from_str(text: &str) -> Result<ThreadPath, BadPath> {
        let mut parts = text.split('/');
        if parts.next() != Some("main") {
            return Err(BadPath);
        }
        let number = |part: &str| part.parse::<u32>().ok().filter(|n| *n > 0 && n.to_string() == part);
        let numbers: Option<Vec<u32>> = parts.map(number).collect();
        Ok(ThreadPath(numbers.ok_or(BadPath)?.into()))
    }
}

/// The order in which the threads take their turns in a round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum RoundOrder {
    /// The order of spawn paths: each thread after the one that has started it, and the threads that one has started in the
    /// order of their starts.
    #[default]
    Created,
    /// The reverse of that.
    Reversed,
    /// These threads in this order, then the others in the order of spawn paths.
    Listed(Arc<[ThreadPath]>),
}

impl RoundOrder {
    /// Tells which of two threads takes its turn first.
    pub fn compare(&self, a: &ThreadPath, b: &ThreadPath) -> Ordering {
        match self {
            RoundOrder::Created => a.cmp(b),
            RoundOrder::Reversed => b.cmp(a),
            RoundOrder::Listed(list) => {
                let place = |path| list.iter().position(|known| known == path).unwrap_or(list.len());
                place(a).cmp(&place(b)).then_with(|| a.cmp(b))
            }
        }
    }
}

impl fmt::Display for RoundOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RoundOrder::Created => f.write_str("created"),
            RoundOrder::Reversed => f.write_str("reverse"),
            RoundOrder::Listed(list) => {
                let names: Vec<String> = list.iter().map(ThreadPath::to_string).collect();
                f.write_str(&names.join(","))
            }
        }
    }
}

impl FromStr for RoundOrder {
    type Err = BadOrder;

    fn from_str(text: &str) -> Result<RoundOrder, BadOrder> {
        match text {
            "created" => return Ok(RoundOrder::Created),
            "reverse" => return Ok(RoundOrder::Reversed),
            _ => {}
        }
        let mut list: Vec<ThreadPath> = Vec::new();
        for name in text.split(',') {
            let path = name.parse().map_err(|BadPath| BadOrder::Name(name.to_string()))?;
            if list.contains(&path) {
                return Err(BadOrder::Twice(name.to_string()));
            }
            list.push(path);
        }
        Ok(RoundOrder::Listed(list.into()))
    }
}

/// A text that is no order of threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadOrder {
    Name(String),
    Twice(String),
}

impl fmt::Display for BadOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadOrder::Name(name) => {
                write!(f, "'{name}': {BadPath}; or write 'created' or 'reverse' instead of a list")
            }
            BadOrder::Twice(name) => write!(f, "'{name}' is listed twice"),
        }
    }
}

impl std::error::Error for BadOrder {}

/// One execution of one instruction by one thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OpRef {
    pub thread: ThreadPath,
    pub function: Symbol,
    pub instr: InstrId,
    /// How often the thread had executed the instruction before; leaves of `copy` and `fill` count
    /// one by one.
    pub occurrence: u32,
    pub loc: Loc,
}

impl OpRef {
    /// Whether both name the same operation; function and place are only for people.
    pub fn same(&self, other: &OpRef) -> bool {
        self.thread == other.thread && self.instr == other.instr && self.occurrence == other.occurrence
    }
}

/// What a recorded choice was about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChoiceLabel {
    Kind(ChoiceKind),
    /// A byte of standard input; the value is the instruction's, all ones in 32 bits for the end.
    Input,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceChoice {
    pub at: OpRef,
    pub kind: ChoiceLabel,
    pub value: u128,
}

/// An object by what made it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ObjectRef {
    Global(Symbol),
    ThreadLocal(ThreadPath, Symbol),
    /// By this `alloc` or `live`.
    Made(OpRef),
}

/// The value of memory that was read before it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceMemory {
    pub object: ObjectRef,
    pub offset: u64,
    pub bytes: u8,
    pub value: u128,
}

/// The violation at the end of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceEnd {
    pub check: Check,
    /// The operations it stands at, about to be executed.
    pub at: Vec<OpRef>,
    /// For steps that can be repeated for ever: the index of the first of them. The last one leads back there.
    pub from: Option<usize>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// The visible steps in order, and every start of a thread.
    pub steps: Vec<OpRef>,
    pub choices: Vec<TraceChoice>,
    pub memory: Vec<TraceMemory>,
    pub violation: Option<TraceEnd>,
}

impl Trace {
    /// Returns true if it says what random numbers are, instead of leaving them to the library.
    pub fn has_random_numbers(&self) -> bool {
        self.choices.iter().any(|choice| choice.kind == ChoiceLabel::Kind(ChoiceKind::Random))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_read_back() {
        let path = ThreadPath::main().child(1).child(12);
        assert_eq!(path.to_string(), "main/1/12");
        for text in ["main", "main/1", "main/1/12"] {
            assert_eq!(text.parse::<ThreadPath>().unwrap().to_string(), text);
        }
        for text in ["", "maim", "main/", "main/0", "main/x", "main/01", "/main", "main/1/"] {
            assert_eq!(text.parse::<ThreadPath>(), Err(BadPath), "{text}");
        }
    }
}
