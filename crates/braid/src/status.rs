//! The status line of long work: one line on a terminal, nothing in a pipe.

use braid_portfolio::{Meter, memory_in_use};
use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Before this the work may well be over without a line.
const DELAY: Duration = Duration::from_millis(500);

pub struct Status {
    bar: ProgressBar,
    start: Instant,
}

impl Status {
    /// The meter, if there is one, is read whenever the line is drawn.
    pub fn new(meter: Option<&Arc<Meter>>) -> Status {
        let bar = ProgressBar::no_length();
        let style = ProgressStyle::with_template("{spinner} {msg}{work}{memory} [{elapsed}]");
        let style = style.expect("the template is well-formed");
        let meter = meter.map(Arc::clone);
        // A status line that cannot be written is nobody's loss.
        let style = style.with_key("work", move |_: &ProgressState, out: &mut dyn fmt::Write| {
            let _ = meter.as_ref().map_or(Ok(()), |meter| out.write_str(&work(meter)));
        });
        bar.set_style(style.with_key("memory", |_: &ProgressState, out: &mut dyn fmt::Write| {
            let _ = memory_in_use().map_or(Ok(()), |bytes| write!(out, ", {} MiB", bytes >> 20));
        }));
        Status { bar, start: Instant::now() }
    }

    /// Names the phase of work that begins, which may not say how far it is.
    pub fn begin(&self, phase: &str) {
        self.bar.set_message(phase.to_string());
        self.bar.enable_steady_tick(DELAY);
    }

    /// Does something with the terminal while the line is out of the way.
    pub fn aside(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Says how far the phase is: counts with their units.
    pub fn show(&self, phase: &str, counts: &[(&'static str, u64)]) {
        if self.start.elapsed() < DELAY {
            return;
        }
        let counts: Vec<String> =
            counts.iter().map(|(unit, count)| format!("{} {unit}", HumanCount(*count))).collect();
        self.bar.set_message(format!("{phase}: {}", counts.join(", ")));
        self.bar.tick();
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// The work of a solver, as far as it is known.
fn work(meter: &Meter) -> String {
    let counts = [(meter.events(), "events"), (meter.conflicts(), "conflicts")];
    let known = counts.iter().filter(|(count, _)| *count > 0);
    known.map(|(count, what)| format!(", {} {what}", HumanCount(*count))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_known() {
        let meter = Meter::default();
        assert_eq!(work(&meter), "");
        meter.set_events(12_345);
        assert_eq!(work(&meter), ", 12,345 events");
    }
}
