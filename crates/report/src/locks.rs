//! Which lock protects what: the table of a certificate in the words of the program.

pub mod dot;
pub mod html;
pub mod text;

use braid_interp::naming;
use braid_ir::{Loc, Program, ShapeId};
use braid_proof::check::table::{Lock, LockSet, Protection, Subject, Table, Use, Variable};
use braid_proof::state::Mode;
use braid_proof::{Kind, Range};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The version of the JSON format (docs/json.md).
const VERSION: u32 = 1;

#[derive(Serialize, Debug)]
pub struct Discipline {
    braid_locks: u32,
    /// Those without protection first, the most suspicious at the top.
    pub variables: Vec<Entry>,
    pub lock_order: Vec<Edge>,
}

/// A variable, member or element that several threads access.
#[derive(Serialize, Debug)]
pub struct Entry {
    pub name: String,
    /// `lock`, `locks`, `atomic`, `own-elements`, `read-only`, `one-at-a-time` or `none`.
    pub protection: &'static str,
    /// The lock, or the one that most accesses hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lock: Option<String>,
    /// Accesses that hold it, and accesses that need protection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_at: Option<[usize; 2]>,
    /// The line of the table without the name.
    pub summary: String,
    pub accesses: Vec<Access>,
}

#[derive(Serialize, Debug)]
pub struct Access {
    #[serde(flatten)]
    pub place: Place,
    pub function: String,
    /// The functions in which the threads begin that execute it.
    pub threads: Vec<String>,
    /// `reads`, `writes` or `frees`.
    pub kind: &'static str,
    pub atomic: bool,
    pub locks: Vec<String>,
    /// It may happen beside an access that it conflicts with, but for locks.
    pub needs_protection: bool,
}

/// A lock that is waited for with another one held.
#[derive(Serialize, Debug, PartialEq, Eq)]
pub struct Edge {
    pub held: String,
    pub awaited: String,
    #[serde(flatten)]
    pub place: Place,
    /// Both are on a cycle.
    pub circular: bool,
}

#[derive(Serialize, Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// The table in words.
pub fn discipline(program: &Program, table: &Table) -> Discipline {
    let names = Names { program };
    let mut variables: Vec<&Variable> = table.variables.iter().collect();
    variables.sort_by_key(|one| (!one.is_unprotected(), Reverse(one.suspicion()), one.subject, one.at.lo()));
    let mut lock_order: Vec<Edge> = Vec::new();
    for order in &table.order {
        let edge = Edge {
            held: names.lock_set(order.held),
            awaited: names.lock_set(order.awaited),
            place: names.place(order.loc),
            circular: order.circular,
        };
        if !lock_order.contains(&edge) {
            lock_order.push(edge);
        }
    }
    Discipline {
        braid_locks: VERSION,
        variables: variables.into_iter().map(|one| names.entry(one)).collect(),
        lock_order,
    }
}

/// The lines about variables that nothing protects, the most suspicious first.
pub fn suspicious(program: &Program, table: &Table) -> Vec<String> {
    let all = discipline(program, table).variables.into_iter();
    let open = all.filter(|entry| entry.protection == "none");
    open.map(|entry| format!("{}: {}", entry.name, entry.summary)).collect()
}

struct Names<'a> {
    program: &'a Program,
}

impl Names<'_> {
    fn place(&self, loc: Loc) -> Place {
        let file = self.program.file_name(loc.file).to_string();
        Place { file, line: loc.line, column: loc.column }
    }

    fn entry(&self, one: &Variable) -> Entry {
        let lock = match one.protection {
            Protection::Lock(lock) | Protection::Nothing(Some(lock)) => Some(lock),
            _ => None,
        };
        let protection = match one.protection {
            Protection::Lock(_) => "lock",
            Protection::Locks => "locks",
            Protection::Atomic => "atomic",
            Protection::OwnElements => "own-elements",
            Protection::ReadOnly => "read-only",
            Protection::OneAtATime => "one-at-a-time",
            Protection::Nothing(_) => "none",
        };
        let lock_name = lock.map(|lock| self.lock(one, lock));
        let held_at = lock.map(|lock| one.held_at(lock));
        let summary = self.summary(one, lock_name.as_deref());
        Entry {
            name: self.variable(one.subject, one.at, one.bytes),
            protection,
            lock: lock_name,
            held_at: held_at.map(|(with, all)| [with, all]),
            summary,
            accesses: one.uses.iter().map(|access| self.access(one, access)).collect(),
        }
    }

    fn summary(&self, one: &Variable, lock: Option<&str>) -> String {
        match (one.protection, lock) {
            (Protection::Lock(held), Some(name)) => {
                let (with, all) = one.held_at(held);
                format!("{name} at {with} of {all} {}", accesses(all))
            }
            (Protection::Nothing(Some(held)), Some(name)) => {
                let (with, all) = one.held_at(held);
                let without = one.uses.iter().filter(|access| access.contended && !access.holds(held));
                let places: BTreeSet<(Loc, &str)> =
                    without.map(|access| (access.loc, kind(access))).collect();
                if places.is_empty() {
                    return format!(
                        "no lock that excludes: {name} is held for reading only, at {with} of {all} {}",
                        accesses(all)
                    );
                }
                let missing = places.iter().map(|(loc, kind)| format!("{} ({kind})", self.short(*loc)));
                let missing: Vec<String> = missing.collect();
                format!(
                    "no common lock: {name} at {with} of {all} {}, missing at {}",
                    accesses(all),
                    missing.join(", ")
                )
            }
            (Protection::Locks, _) => "a lock for each pair of accesses, but none at all of them".to_string(),
            (Protection::Atomic, _) => "accessed atomically".to_string(),
            (Protection::OwnElements, _) => "every thread has elements of its own".to_string(),
            (Protection::ReadOnly, _) => "only read while it is shared".to_string(),
            (Protection::OneAtATime, _) => "used by one thread at a time".to_string(),
            _ => {
                let needing = one.uses.iter().filter(|access| access.contended);
                let places: BTreeSet<(Loc, &str)> =
                    needing.map(|access| (access.loc, kind(access))).collect();
                let places = places.iter().map(|(loc, kind)| format!("{} ({kind})", self.short(*loc)));
                format!("no lock at {}", places.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// A place by the name of its file without directories.
    fn short(&self, loc: Loc) -> String {
        let file = self.program.file_name(loc.file);
        format!("{}:{}", file.rsplit('/').next().unwrap_or(file), loc.line)
    }

    fn access(&self, one: &Variable, access: &Use) -> Access {
        let function = |id| self.program.functions[id].name.to_string();
        let lock = |(lock, mode): &(Lock, Mode)| {
            let name = self.lock(one, *lock);
            if *mode == Mode::Shared { format!("{name} (for reading)") } else { name }
        };
        Access {
            place: self.place(access.loc),
            function: function(access.function),
            threads: access.threads.iter().map(|root| self.thread(*root)).collect(),
            kind: kind(access),
            atomic: access.atomic,
            locks: access.locks.iter().map(lock).collect(),
            needs_protection: access.contended,
        }
    }

    /// The first thread is called `main`, by the function that people write.
    fn thread(&self, root: braid_ir::FuncId) -> String {
        let root = if Some(root) == self.program.entry { self.program.main.unwrap_or(root) } else { root };
        self.program.functions[root].name.to_string()
    }

    fn lock(&self, of: &Variable, lock: Lock) -> String {
        match lock {
            Lock::Section => "the atomic section".to_string(),
            Lock::At(subject, at) => self.lock_at(subject, Range::point(at.into())),
            Lock::Beside(distance) => self.lock_at(of.subject, of.at.plus(Range::point(distance.into()))),
        }
    }

    fn lock_set(&self, set: LockSet) -> String {
        match set.at {
            Some(at) => self.lock_at(set.subject, Range::point(at.into())),
            None => format!("locks in {}", self.subject(set.subject)),
        }
    }

    /// The object that the program declared, without the members that its library gives it.
    fn lock_at(&self, subject: Subject, at: Range) -> String {
        let name = self.variable(subject, at, 1);
        let own = name.find(".__").map_or(name.as_str(), |index| &name[..index]);
        own.strip_suffix("+0").unwrap_or(own).to_string()
    }

    fn subject(&self, subject: Subject) -> String {
        let plain = |name: &str| name.split('.').next().unwrap_or(name).to_string();
        match subject {
            Subject::Static(id) => {
                let name = self.program.globals[id].name.as_str();
                if name.starts_with("str.") { "a string".to_string() } else { plain(name) }
            }
            Subject::Function(id) => self.program.functions[id].name.to_string(),
            Subject::Local(function, local) => {
                let function = &self.program.functions[function];
                let name = function.locals[local]
                    .name
                    .map_or("a temporary".to_string(), |name| plain(name.as_str()));
                format!("{name} of {}()", function.name)
            }
            Subject::Block(instr) => {
                let found = self.program.functions.iter().find_map(|function| {
                    let code = function.blocks.iter().flat_map(|block| &block.instrs);
                    code.into_iter().find(|one| one.id == instr).map(|one| (function, one.loc))
                });
                found.map_or("a block".to_string(), |(function, loc)| {
                    format!("the block of {}() at {}", function.name, self.short(loc))
                })
            }
        }
    }

    fn shape(&self, subject: Subject) -> Option<ShapeId> {
        match subject {
            Subject::Static(id) => Some(self.program.globals[id].shape),
            Subject::Local(function, local) => Some(self.program.functions[function].locals[local].shape),
            Subject::Function(_) | Subject::Block(_) => None,
        }
    }

    /// `queue.head`; elements of an array without their numbers: `accounts[].balance`.
    fn variable(&self, subject: Subject, at: Range, bytes: u64) -> String {
        let name = self.subject(subject);
        let path = |offset: i128| {
            let offset = u64::try_from(offset).ok()?;
            naming::member(self.program, self.shape(subject)?, offset, bytes)
        };
        let ends = [at.lo(), at.lo() + i128::from(at.step()), at.hi()].map(path);
        match ends {
            [Some(first), Some(second), Some(last)] => {
                format!("{name}{}", without_numbers(&without_numbers(&first, &second), &last))
            }
            _ if at.single() == Some(0) => format!("{name}+0"),
            _ if at.step() == 0 => format!("{name}+{}", at.lo()),
            _ => format!("{name}[{}..{}]", at.lo(), at.hi() + i128::from(bytes)),
        }
    }
}

/// The first of two paths, with empty brackets where their numbers differ.
fn without_numbers(first: &str, second: &str) -> String {
    let (parts, others): (Vec<&str>, Vec<&str>) = (first.split('[').collect(), second.split('[').collect());
    if parts.len() != others.len() {
        return first.to_string();
    }
    let merged =
        parts.iter().zip(&others).map(|(part, other)| match (part.split_once(']'), other.split_once(']')) {
            (Some((number, rest)), Some((another, _))) if number != another => format!("]{rest}"),
            _ => (*part).to_string(),
        });
    merged.collect::<Vec<_>>().join("[")
}

fn kind(access: &Use) -> &'static str {
    match access.kind {
        Kind::Read => "reads",
        Kind::Write => "writes",
        Kind::End => "frees",
    }
}

fn accesses(count: usize) -> &'static str {
    if count == 1 { "access" } else { "accesses" }
}
