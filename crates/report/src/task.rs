//! What files for other programs say about where they come from: names, hashes, time, question.

use braid_props::{Check, CheckSet};
use sha2::{Digest, Sha256};
use std::path::Path;

/// An input file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputFile {
    /// As given on the command line.
    pub path: String,
    /// SHA-256 of its contents, in hexadecimal.
    pub hash: String,
}

/// The work that was done. Files carry it; nothing else in them depends on the machine.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// Paths below it are written relative to it.
    pub root: &'a Path,
    pub files: Vec<InputFile>,
    /// When: ISO 8601, UTC.
    pub time: String,
    pub version: &'a str,
    /// The text of the property file, if there was one.
    pub property_file: Option<String>,
    pub checks: CheckSet,
    pub bits32: bool,
    pub exit_code: u8,
}

impl Task<'_> {
    /// What was asked, in the language of SV-COMP; about one property if there is one to speak of.
    pub fn specification(&self, check: Option<Check>) -> String {
        if let Some(text) = &self.property_file {
            return text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        let mut formulas: Vec<&str> = match check {
            Some(check) => vec![check.property().formula],
            None => self.checks.iter().map(|check| check.property().formula).collect(),
        };
        formulas.dedup();
        let line = |formula: &&str| format!("CHECK( init(main()), LTL({formula}) )");
        formulas.iter().map(line).collect::<Vec<_>>().join(" ")
    }

    /// A path as others can use it: relative to the root if it lies below, with slashes.
    pub fn relative(&self, path: &str) -> String {
        let below = Path::new(path).strip_prefix(self.root).unwrap_or(Path::new(path));
        let text = below.to_string_lossy().replace('\\', "/");
        text.strip_prefix("./").unwrap_or(&text).to_string()
    }
}

/// SHA-256 in hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Seconds since 1970 as ISO 8601 in UTC.
pub fn iso_time(seconds: u64) -> String {
    let (days, rest) = (seconds / 86400, seconds % 86400);
    // Days are counted from 1 March of year 0, so that leap days end a year (Hinnant, "chrono-compatible
    // low-level date algorithms").
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year_of_era + next;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest % 3600 / 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(iso_time(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso_time(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(iso_time(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso_time(4_107_542_400), "2100-03-01T00:00:00Z");
        assert_eq!(iso_time(1_794_787_200), "2026-11-16T00:00:00Z");
    }

    #[test]
    fn paths_and_questions() {
        let task = Task {
            root: Path::new("/w/p"),
            files: Vec::new(),
            time: String::new(),
            version: "0",
            property_file: None,
            checks: CheckSet::parse("null-deref,out-of-bounds,shift").expect("properties"),
            bits32: false,
            exit_code: 0,
        };
        assert_eq!(task.relative("/w/p/a/b.c"), "a/b.c");
        assert_eq!(task.relative("./b.c"), "b.c");
        assert_eq!(task.relative("/x/b.c"), "/x/b.c");
        assert_eq!(
            task.specification(None),
            "CHECK( init(main()), LTL(G valid-deref) ) CHECK( init(main()), LTL(G ! shift) )"
        );
        assert_eq!(task.specification(Some(Check::DataRace)), "CHECK( init(main()), LTL(G ! data-race) )");
    }
}
