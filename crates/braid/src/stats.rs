//! `--stats` of `braid check`: what each phase took.

use braid_engines::order::Statistics;
use braid_portfolio::PhaseRecord;

pub fn print(phases: &[PhaseRecord]) {
    println!("phases:");
    for phase in phases {
        println!("  {}", line(phase));
        if let Some(order) = &phase.order {
            print_order(order);
        }
    }
    if let Some(bytes) = peak_memory() {
        println!("peak memory: {} MiB", bytes >> 20);
    }
}

/// A phase in one line.
pub fn line(phase: &PhaseRecord) -> String {
    let states = phase.states.map_or(String::new(), |states| format!(", {states} states seen"));
    format!("{}: {}{states}, {:.3} seconds", phase.name, phase.result, phase.time.as_secs_f64())
}

fn print_order(order: &Statistics) {
    println!(
        "    {} threads, {} events, {} cells, {} reads-from candidates, {} before pruning, {} order literals",
        order.threads, order.events, order.cells, order.candidates, order.possible, order.literals
    );
    let solver = &order.solver;
    println!(
        "    {} variables, {} clauses, {} conflicts, {} decisions, {} propagations, {} solves",
        solver.variables,
        solver.clauses,
        solver.conflicts,
        solver.decisions,
        solver.propagations,
        solver.solves
    );
    let parts: Vec<String> =
        order.phases.iter().map(|(name, time)| format!("{name} {:.3}", time.as_secs_f64())).collect();
    if !parts.is_empty() {
        println!("    seconds: {}", parts.join(", "));
    }
}

/// The most memory this process has occupied, where the system tells.
pub fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}
