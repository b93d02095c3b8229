//! `--stats` of `braid check`: what each phase took.

use crate::terminal::outln;
use braid_engines::order::{Location, Statistics};
use braid_portfolio::PhaseRecord;
pub use braid_portfolio::peak_memory;

/// Locations that are shown.
const SHOWN: usize = 8;

pub fn print(phases: &[PhaseRecord]) {
    outln!("phases:");
    for phase in phases {
        outln!("  {}", line(phase));
        if let Some(order) = &phase.order {
            print_order(order);
        }
    }
    if let Some(bytes) = peak_memory() {
        outln!("peak memory: {} MiB", bytes >> 20);
    }
}

/// A phase in one line.
pub fn line(phase: &PhaseRecord) -> String {
    let states = phase.states.map_or(String::new(), |states| format!(", {states} states seen"));
    format!("{}: {}{states}, {:.3} seconds", phase.name, phase.result, phase.time.as_secs_f64())
}

fn print_order(order: &Statistics) {
    outln!(
        "    {} threads, {} events, {} cells, {} reads-from candidates, {} before pruning, {} order literals",
        order.threads,
        order.events,
        order.cells,
        order.counts.candidates,
        order.possible,
        order.counts.literals
    );
    let solver = &order.solver;
    outln!(
        "    {} variables, {} clauses, {} conflicts, {} decisions, {} propagations, {} solves",
        solver.variables,
        solver.clauses,
        solver.conflicts,
        solver.decisions,
        solver.propagations,
        solver.solves
    );
    let parts: Vec<String> =
        order.spent.0.iter().map(|(name, time)| format!("{name} {:.3}", time.as_secs_f64())).collect();
    if !parts.is_empty() {
        outln!("    seconds: {}", parts.join(", "));
    }
    print_locations(&order.locations);
}

/// The locations with the most candidates.
fn print_locations(locations: &[Location]) {
    let mut list: Vec<&Location> = locations.iter().filter(|one| one.reads * one.writes > 0).collect();
    list.sort_by_key(|one| std::cmp::Reverse((one.counts.candidates, one.counts.clauses)));
    for one in list.iter().take(SHOWN) {
        let counts = one.counts;
        outln!(
            "    {}: {} reads, {} writes, {} candidates, {} order literals, {} clauses",
            one.name,
            one.reads,
            one.writes,
            counts.candidates,
            counts.literals,
            counts.clauses
        );
    }
    if list.len() > SHOWN {
        outln!("    and {} smaller locations", list.len() - SHOWN);
    }
}
