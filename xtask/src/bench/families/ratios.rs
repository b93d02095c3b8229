//! Geometric means of ratios: how much faster each further tool is than the first, and with how many of its
//! reads-from candidates, where both decide.

use super::Row;
use super::tool::{Answer, Tool};
use crate::bench::measure::geometric_mean;

/// Above so many events an instance counts as large.
const LARGE: u64 = 200;

/// Prints how many instances each tool decides, and for each tool but the first by what factor it is faster.
pub fn print(tools: &[Tool], rows: &[Row], limit: f64) {
    println!();
    for (index, tool) in tools.iter().enumerate() {
        let right = rows.iter().filter(|row| row.measured[index].answer == Answer::Right).count();
        let memory = rows.iter().filter_map(|row| row.measured[index].cost.mebibytes).max();
        let memory = memory.map_or(String::new(), |most| format!(", at most {most} MiB"));
        println!("{}: decides {right} of {}{memory}", tool.label(), rows.len());
    }
    for (index, tool) in tools.iter().enumerate().skip(1) {
        println!("\n{} against {}: times faster, share of candidates", tool.label(), tools[0].label());
        for family in families(rows) {
            line(family, &of(rows, index, limit, |row| row.family == family));
        }
        line(&format!("above {LARGE} events"), &of(rows, index, limit, |row| row.events() > LARGE));
        line("all", &of(rows, index, limit, |_| true));
    }
}

fn line(name: &str, ratios: &Ratios) {
    if let Some(mean) = geometric_mean(&ratios.factors) {
        let share = geometric_mean(&ratios.candidates).map_or("-".to_string(), |share| format!("{share:.2}"));
        let (count, neither) = (ratios.factors.len(), ratios.neither);
        println!("  {name:<20} {mean:>8.2}x {share:>6}  of {count}, neither decides {neither}");
    }
}

/// The families in the order of the rows, each once.
fn families(rows: &[Row]) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = rows.iter().map(|row| row.family).collect();
    names.dedup();
    names
}

struct Ratios {
    factors: Vec<f64>,
    /// Candidates by the first one's, where both decide.
    candidates: Vec<f64>,
    /// Instances that both leave undecided; their factor is one.
    neither: usize,
}

fn of(rows: &[Row], index: usize, limit: f64, wanted: impl Fn(&Row) -> bool) -> Ratios {
    let mut ratios = Ratios { factors: Vec::new(), candidates: Vec::new(), neither: 0 };
    for row in rows.iter().filter(|row| wanted(row)) {
        let (first, other) = (&row.measured[0], &row.measured[index]);
        ratios.factors.push(first.price(limit) / other.price(limit));
        let decided = [first, other].map(|one| one.answer == Answer::Right);
        ratios.neither += usize::from(decided == [false, false]);
        if let (true, Some(base @ 1..), Some(count @ 1..)) =
            (decided == [true, true], first.cost.candidates, other.cost.candidates)
        {
            ratios.candidates.push(count as f64 / base as f64);
        }
    }
    ratios
}
