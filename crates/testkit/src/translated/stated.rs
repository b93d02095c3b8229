//! Fixtures and their translations: the sequential program has a violation exactly where the head states one.
//!
//! The translator works under a deliberate fault, if one is given; the program that it writes is checked without it.

use super::COMMAND;
use crate::fixture::header::{Header, Smallest, Truth};
use crate::fixture::{self, Fixture};
use crate::process::{self, Limits};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The properties that are asked about.
const PROPERTIES: [&str; 3] = ["assertion", "data-race", "deadlock"];

/// The bounds of fixtures that do not state any.
const BOUNDS: Smallest = Smallest { unwind: 2, rounds: 3 };

/// A binary, and a directory for translations.
pub struct Translator<'a> {
    pub braid: &'a Path,
    pub scratch: &'a Path,
    /// The deliberate fault that is turned on while it translates.
    pub fault: Option<&'a str>,
}

impl Translator<'_> {
    /// Returns true if the translation of a fixture has a violation where the head states none, or has none where it states
    /// one. Properties that are not translated for it are passed over, but not all of them.
    pub fn differs(&self, root: &Path, name: &str) -> Result<bool, String> {
        let fixture = fixture::load(root, root.join(name));
        let header = fixture.header.as_ref().map_err(|error| format!("{name}: {error}"))?;
        let mut asked = 0;
        for (check, truth) in header.truths.iter().filter(|(check, _)| PROPERTIES.contains(&check.id())) {
            let Some(out) = self.translate(&fixture, header, check.id())? else { continue };
            asked += 1;
            let expected = if *truth == Truth::Safe { 0 } else { 10 };
            let code = self.check(&out)?;
            if code != expected && code != 5 {
                return Ok(true);
            }
        }
        if asked == 0 { Err(format!("{name} is not translated")) } else { Ok(false) }
    }

    /// Translates a fixture for a property. Returns nothing if that is refused.
    fn translate(
        &self,
        fixture: &Fixture,
        header: &Header,
        property: &str,
    ) -> Result<Option<PathBuf>, String> {
        let name = fixture.name.replace('/', "-");
        let out = self.scratch.join(format!("{name}-{property}-{}.c", self.fault.unwrap_or("none")));
        let Smallest { unwind, rounds } = header.bounds.unwrap_or(BOUNDS);
        let mut command = process::command(self.braid, fixture.directory());
        command.args([COMMAND, "--unwind", &unwind.to_string(), "--rounds", &rounds.to_string()]);
        command.args(["--property", property, "-o"]).arg(&out).args(&header.flags);
        command.arg(fixture.file_name()).args(&header.files);
        command.envs(self.fault.map(|fault| ("BRAID_FAULT", fault)));
        let written = process::run(&mut command, b"", &Limits::default())?;
        match written.code {
            0 => Ok(Some(out)),
            5 => Ok(None),
            code => Err(format!("{name}: exit code {code}: {}", written.stderr_text())),
        }
    }

    /// The exit code of `braid check` on a translation.
    fn check(&self, out: &Path) -> Result<i32, String> {
        let mut command = process::command(self.braid, self.scratch);
        command.args(["check", "--property", "assertion", "--timeout", "20"]).arg(out);
        let limits = Limits { time: Duration::from_secs(60), ..Limits::default() };
        process::run(&mut command, b"", &limits).map(|outcome| outcome.code)
    }
}
