//! Sizes of formulas: rounds against time stamps and against the theory of orders, on the families.
//!
//! Each family is taken with a fixed number of threads and a growing number of iterations, which is also the bound on loops:
//! the loops of the families have constant counts, and only what waits is cut. The unsafe variants are measured:
//! of some safe ones the theory of orders needs no formula at all.

use super::ask::{Asker, How, Size};
use super::fit;
use crate::bench::measure::geometric_mean;
use braid_testkit::families;

const UNWINDS: [u32; 5] = [1, 2, 4, 8, 14];
const ROUNDS: [u32; 6] = [1, 2, 3, 4, 5, 6];
/// The iterations and rounds at which all families are shown, and how many times fewer clauses than with time stamps are
/// the aim there.
const SHOWN: (u32, u32) = (8, 4);
const AIM: f64 = 3.0;

/// A family, and its size with so many iterations.
type Growing = (&'static str, fn(u32) -> Vec<u32>);

const FAMILIES: &[Growing] = &[
    ("fib", |n| vec![n]),
    ("counter", |n| vec![4, n]),
    ("peterson", |n| vec![n, 0]),
    ("dekker", |n| vec![n, 0]),
    ("szymanski", |n| vec![3, n, 0]),
    ("lamport", |n| vec![3, n, 0]),
    ("buffer", |n| vec![2, n, 2]),
    ("sharing", |n| vec![4, n]),
    ("treiber", |n| vec![2, 3, n]),
    ("queue", |n| vec![2, n, 2]),
    ("reorder", |n| vec![5, n]),
    ("twostage", |n| vec![5, n]),
    ("rwlock", |n| vec![1, 2, n]),
    ("double-checked", |n| vec![4, n]),
];

/// The sizes for one family and number of iterations.
struct Row {
    family: &'static str,
    unwind: u32,
    clocks: Option<Size>,
    theory: Option<Size>,
    /// By rounds.
    rounds: Vec<Option<Size>>,
}

impl Row {
    fn in_rounds(&self, rounds: u32) -> Option<Size> {
        let at = ROUNDS.iter().position(|known| *known == rounds)?;
        self.rounds.get(at).copied().flatten()
    }
}

/// Measures all sizes and prints them. Returns true if the aim is reached.
pub fn run(asker: &Asker) -> Result<bool, String> {
    let mut rows = Vec::new();
    for (family, size) in FAMILIES {
        for unwind in UNWINDS {
            rows.push(measure(asker, family, &size(unwind), unwind)?);
        }
    }
    for (name, of) in OTHERS {
        print_ratios(&rows, name, *of);
    }
    print_shown(&rows);
    print_exponents(&rows);
    let reached = ratio(&rows, SHOWN.0, SHOWN.1, |row| row.clocks, clauses).mean;
    let reached = reached.is_some_and(|mean| mean >= AIM);
    println!("aim: {AIM} times fewer clauses than clocks there: {}", if reached { "pass" } else { "FAIL" });
    Ok(reached)
}

fn measure(asker: &Asker, family: &'static str, size: &[u32], unwind: u32) -> Result<Row, String> {
    let instance =
        families::instance(family, size, false).ok_or(format!("there is no family {family} of this size"))?;
    let clocks = asker.size(&instance, How::Clocks, unwind)?;
    let theory = asker.size(&instance, How::Theory, unwind)?;
    let mut rounds = Vec::new();
    for count in ROUNDS {
        let found = asker.size(&instance, How::Rounds(Some(count)), unwind)?;
        rounds.push(found);
        // More rounds are no smaller.
        if found.is_none() {
            break;
        }
    }
    Ok(Row { family, unwind, clocks, theory, rounds })
}

/// A size that rounds are compared with.
type Other = fn(&Row) -> Option<Size>;

const OTHERS: &[(&str, Other)] = &[("clocks", |row| row.clocks), ("theory", |row| row.theory)];

fn clauses(size: Size) -> u64 {
    size.clauses
}

fn variables(size: Size) -> u64 {
    size.variables
}

/// Times that another formula is larger than that of rounds.
struct Ratio {
    mean: Option<f64>,
    /// Families where both have a formula, and where only the rounds have one.
    both: usize,
    alone: usize,
}

fn ratio(rows: &[Row], unwind: u32, rounds: u32, other: Other, what: fn(Size) -> u64) -> Ratio {
    let (mut factors, mut alone) = (Vec::new(), 0);
    for row in rows.iter().filter(|row| row.unwind == unwind) {
        match (row.in_rounds(rounds), other(row)) {
            (Some(own), Some(other)) => factors.push(what(other) as f64 / what(own) as f64),
            (Some(_), None) => alone += 1,
            (None, _) => {}
        }
    }
    Ratio { mean: geometric_mean(&factors), both: factors.len(), alone }
}

fn print_ratios(rows: &[Row], name: &str, other: Other) {
    println!(
        "\n{name}: times as many clauses (variables) as rounds, geometric mean; families with both, with rounds alone"
    );
    print!("{:<8}", "rounds");
    UNWINDS.iter().for_each(|unwind| print!(" {:>22}", format!("unwind {unwind}")));
    println!();
    for rounds in ROUNDS {
        print!("{rounds:<8}");
        for unwind in UNWINDS {
            let of_clauses = ratio(rows, unwind, rounds, other, clauses);
            let of_variables = ratio(rows, unwind, rounds, other, variables);
            let text = |mean: Option<f64>| mean.map_or("-".to_string(), |mean| format!("{mean:.2}"));
            let (both, alone) = (of_clauses.both, of_clauses.alone);
            let cell = format!("{} ({}) {both}, {alone}", text(of_clauses.mean), text(of_variables.mean));
            print!(" {cell:>22}");
        }
        println!();
    }
}

fn print_shown(rows: &[Row]) {
    let (unwind, rounds) = SHOWN;
    println!("\nclauses at unwind {unwind} and {rounds} rounds");
    println!(
        "{:<16} {:>10} {:>10} {:>10} {:>8} {:>8}",
        "", "rounds", "clocks", "theory", "clocks/", "theory/"
    );
    for row in rows.iter().filter(|row| row.unwind == unwind) {
        let own = row.in_rounds(rounds);
        let number = |size: Option<Size>| size.map_or("-".to_string(), |size| size.clauses.to_string());
        let times = |other: Option<Size>| match (own, other) {
            (Some(own), Some(other)) => format!("{:.2}", other.clauses as f64 / own.clauses as f64),
            (_, _) => "-".to_string(),
        };
        println!(
            "{:<16} {:>10} {:>10} {:>10} {:>8} {:>8}",
            row.family,
            number(own),
            number(row.clocks),
            number(row.theory),
            times(row.clocks),
            times(row.theory)
        );
    }
}

/// The exponents of clauses: of rounds at a fixed number of iterations, and of iterations.
fn print_exponents(rows: &[Row]) {
    let (unwind, rounds) = SHOWN;
    println!(
        "\nexponents of clauses: with the rounds at unwind {unwind}; with unwind at {rounds} rounds, clocks, theory"
    );
    for (family, _) in FAMILIES {
        let own: Vec<&Row> = rows.iter().filter(|row| row.family == *family).collect();
        let at = own.iter().find(|row| row.unwind == unwind);
        let by_rounds: Vec<(f64, f64)> = ROUNDS
            .iter()
            .filter_map(|count| Some((f64::from(*count), at?.in_rounds(*count)?.clauses as f64)))
            .collect();
        let by_unwind = |of: &dyn Fn(&Row) -> Option<Size>| {
            let points = own.iter().filter_map(|row| Some((f64::from(row.unwind), of(row)?.clauses as f64)));
            fit::text(fit::exponent(&points.collect::<Vec<_>>()))
        };
        let cells = [
            fit::text(fit::exponent(&by_rounds)),
            by_unwind(&|row| row.in_rounds(rounds)),
            by_unwind(&|row| row.clocks),
            by_unwind(&|row| row.theory),
        ];
        println!("{family:<16} {:>8} {:>8} {:>8} {:>8}", cells[0], cells[1], cells[2], cells[3]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(own: u64, other: Option<u64>) -> Row {
        let size = |clauses| Size { variables: clauses, clauses };
        Row { family: "fib", unwind: 8, clocks: other.map(size), theory: None, rounds: vec![Some(size(own))] }
    }

    #[test]
    fn families_without_a_formula_are_counted_apart() {
        let rows = [row(10, Some(40)), row(10, Some(90)), row(10, None)];
        let found = ratio(&rows, 8, 1, |row| row.clocks, clauses);
        assert!((found.mean.expect("a mean") - 6.0).abs() < 1e-9);
        assert_eq!((found.both, found.alone), (2, 1));
        assert_eq!(ratio(&rows, 8, 2, |row| row.clocks, clauses).both, 0, "no formula of two rounds");
    }

    #[test]
    fn all_families_have_such_sizes() {
        for (family, size) in FAMILIES {
            assert!(families::instance(family, &size(3), false).is_some(), "{family}");
        }
    }
}
