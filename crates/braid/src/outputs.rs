//! Files about the answer: HTML, SARIF, witness. Each appears whole or not at all.

use crate::args::OutputArgs;
use crate::front::Loaded;
use crate::terminal::errln;
use crate::{answer, files};
use braid_props::CheckSet;
use braid_report::task::{InputFile, Task, hash, iso_time};
use braid_report::witness::Format;
use braid_report::{html, sarif, witness};
use braid_verdict::{Counterexample, Reason, Verdict};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What the files are about.
pub struct About<'a> {
    pub loaded: &'a Loaded,
    pub verdict: &'a Verdict,
    pub assumptions: &'a [String],
    pub checks: CheckSet,
    pub property_file: Option<&'a Path>,
    pub exit_code: u8,
}

/// Refuses files that cannot be written, before the search.
pub fn check_writable(args: &OutputArgs, schedule_out: Option<&Path>) -> Result<(), u8> {
    let files = [("--html", &args.html), ("--sarif", &args.sarif), ("--witness", &args.witness)];
    for (flag, path) in files {
        path.as_deref().map_or(Ok(()), |path| files::check_writable(flag, path))?;
    }
    schedule_out.map_or(Ok(()), |path| files::check_writable_or_directory("--schedule-out", path))
}

/// Writes the files that were asked for, as many of them as can be; an error is the exit code of the first that
/// cannot.
pub fn write(args: &OutputArgs, about: &About<'_>) -> Result<(), u8> {
    let (found, reasons): (&[Counterexample], &[Reason]) = match about.verdict {
        Verdict::Unsafe(found) => (found, &[]),
        Verdict::Unknown(reasons) => (&[], reasons),
        Verdict::Safe { .. } => (&[], &[]),
    };
    let context = about.loaded.context();
    let mut written = Ok(());
    if let Some(path) = &args.html {
        let line = answer::line(about.loaded, about.verdict);
        let page = html::render(context, found, &line, about.assumptions, VERSION);
        written = written.and(files::write(path, &page));
    }
    if args.sarif.is_none() && args.witness.is_none() {
        return written;
    }
    let root = std::env::current_dir().unwrap_or_default();
    let task = task(about, &root);
    if let Some(path) = &args.sarif {
        let log = sarif::render(context, &task, found, reasons, args.full_trace);
        written = written.and(files::write(path, &log));
    }
    if let Some(path) = &args.witness {
        written = written.and(write_witness(path, about, &task));
    }
    written
}

fn write_witness(path: &Path, about: &About<'_>, task: &Task<'_>) -> Result<(), u8> {
    let Some(format) = Format::of_name(&path.to_string_lossy()) else { return Ok(()) };
    let text = match about.verdict {
        Verdict::Unsafe(found) => {
            let Some(first) = found.first() else { return Ok(()) };
            witness::violation(about.loaded.context(), task, first, format)
        }
        Verdict::Safe { .. } => witness::correctness(task, format),
        Verdict::Unknown(_) => {
            errln!("note: --witness: there is no verdict to witness");
            return Ok(());
        }
    };
    files::write(path, &text)
}

fn task<'a>(about: &About<'_>, root: &'a Path) -> Task<'a> {
    // A file that was read a moment ago can be read again; if not, its hash is that of nothing.
    let file = |path: &std::path::PathBuf| InputFile {
        path: path.display().to_string(),
        hash: hash(&std::fs::read(path).unwrap_or_default()),
    };
    Task {
        root,
        files: about.loaded.files.iter().map(file).collect(),
        time: iso_time(now()),
        version: VERSION,
        property_file: about.property_file.and_then(|path| std::fs::read_to_string(path).ok()),
        checks: about.checks,
        bits32: about.loaded.bits32,
        exit_code: about.exit_code,
    }
}

/// Seconds since 1970; `SOURCE_DATE_EPOCH` sets them for output that can be compared.
fn now() -> u64 {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let measured = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    fixed.unwrap_or_else(measured)
}
