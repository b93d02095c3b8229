//! The families, one row each: text, parameters, sizes.
//!
//! The largest sizes, most of them of more than 200 events, are meant to be hard for the clock encoding. Which sizes
//! an engine decides is no matter of this table; what is true of them is.

/// A macro and how its value follows from the size.
type Derived = (&'static str, fn(&[u32]) -> u32);

/// A family of programs.
pub struct Family {
    pub name: &'static str,
    /// The C text, after the definitions.
    pub parts: &'static [&'static str],
    /// The macros that say how large it is.
    pub parameters: &'static [&'static str],
    pub derived: Option<Derived>,
    /// Values of the parameters; the first is a size for exploration.
    pub sizes: &'static [&'static [u32]],
}

impl Family {
    /// The text's own words about it.
    #[cfg(test)]
    pub fn about(&self) -> &'static str {
        let text = self.parts.last().unwrap_or(&"");
        text.split("*/").next().unwrap_or("").trim_start_matches("/* ")
    }
}

const WAITING: &str = include_str!("c/waiting.h");

pub const FAMILIES: &[Family] = &[
    Family {
        name: "fib",
        parts: &[include_str!("c/fib.c")],
        parameters: &["ROUNDS"],
        derived: Some(("LIMIT", largest_sum)),
        sizes: &[&[3], &[4], &[5], &[6], &[7], &[8], &[9], &[10]],
    },
    Family {
        name: "counter",
        parts: &[include_str!("c/counter.c")],
        parameters: &["THREADS", "ROUNDS"],
        derived: None,
        sizes: &[&[2, 1], &[2, 4], &[4, 2], &[4, 4], &[6, 6], &[8, 2], &[8, 8]],
    },
    Family {
        name: "peterson",
        parts: &[WAITING, include_str!("c/peterson.c")],
        parameters: &["ROUNDS", "PATIENCE"],
        derived: None,
        sizes: &[&[2, 0], &[4, 0], &[8, 0], &[16, 0], &[24, 0], &[4, 3], &[12, 3]],
    },
    Family {
        name: "dekker",
        parts: &[WAITING, include_str!("c/dekker.c")],
        parameters: &["ROUNDS", "PATIENCE"],
        derived: None,
        sizes: &[&[2, 0], &[4, 0], &[8, 0], &[12, 0], &[4, 3], &[8, 3]],
    },
    Family {
        name: "szymanski",
        parts: &[WAITING, include_str!("c/szymanski.c")],
        parameters: &["THREADS", "ROUNDS", "PATIENCE"],
        derived: None,
        sizes: &[&[2, 1, 0], &[2, 4, 0], &[2, 12, 0], &[3, 1, 0], &[3, 4, 0], &[2, 4, 2]],
    },
    Family {
        name: "lamport",
        parts: &[WAITING, include_str!("c/lamport.c")],
        parameters: &["THREADS", "ROUNDS", "PATIENCE"],
        derived: None,
        sizes: &[&[2, 1, 0], &[2, 4, 0], &[2, 12, 0], &[3, 1, 0], &[3, 4, 0], &[2, 4, 2]],
    },
    Family {
        name: "buffer",
        parts: &[include_str!("c/buffer.c")],
        parameters: &["CONSUMERS", "ITEMS", "SIZE"],
        derived: None,
        sizes: &[&[2, 1, 1], &[2, 1, 2], &[2, 2, 1], &[3, 1, 1]],
    },
    Family {
        name: "sharing",
        parts: &[include_str!("c/sharing.c")],
        parameters: &["THREADS", "ITEMS"],
        derived: None,
        sizes: &[&[2, 1], &[2, 2], &[3, 2], &[4, 4], &[8, 4]],
    },
    Family {
        name: "treiber",
        parts: &[include_str!("c/treiber.c")],
        parameters: &["THREADS", "SIZE", "TRIES"],
        derived: None,
        sizes: &[&[2, 2, 1], &[2, 3, 2], &[3, 3, 1]],
    },
    Family {
        name: "queue",
        parts: &[include_str!("c/queue.c")],
        parameters: &["CONSUMERS", "ITEMS", "TRIES"],
        derived: None,
        sizes: &[&[2, 1, 1], &[2, 1, 2], &[2, 2, 2]],
    },
    Family {
        name: "reorder",
        parts: &[include_str!("c/reorder.c")],
        parameters: &["PAIRS", "ROUNDS"],
        derived: None,
        sizes: &[&[1, 1], &[2, 1], &[5, 1], &[10, 1], &[10, 3], &[10, 6]],
    },
    Family {
        name: "twostage",
        parts: &[include_str!("c/twostage.c")],
        parameters: &["PAIRS", "ROUNDS"],
        derived: None,
        sizes: &[&[1, 1], &[2, 1], &[5, 1], &[10, 1], &[10, 2]],
    },
    Family {
        name: "rwlock",
        parts: &[include_str!("c/rwlock.c")],
        parameters: &["WRITERS", "READERS", "ROUNDS"],
        derived: None,
        sizes: &[&[1, 1, 1], &[1, 2, 1], &[2, 2, 1], &[2, 2, 2]],
    },
    Family {
        name: "double-checked",
        parts: &[include_str!("c/double_checked.c")],
        parameters: &["THREADS", "ROUNDS"],
        derived: None,
        sizes: &[&[2, 1], &[2, 4], &[4, 1], &[4, 4], &[8, 4]],
    },
    Family {
        name: "sigma",
        parts: &[include_str!("c/sigma.c")],
        parameters: &["THREADS"],
        derived: None,
        sizes: &[&[2], &[4], &[8], &[16]],
    },
    Family {
        name: "jobs",
        parts: &[include_str!("c/jobs.c")],
        parameters: &["WORKERS", "JOBS"],
        derived: None,
        sizes: &[&[2, 1], &[4, 2], &[8, 4]],
    },
];

/// The Fibonacci number of 2 (rounds + 1): what strict alternation gives.
fn largest_sum(size: &[u32]) -> u32 {
    let rounds = size.iter().sum::<u32>();
    let (mut i, mut j) = (1, 1);
    for _ in 0..rounds {
        i += j;
        j += i;
    }
    j
}
