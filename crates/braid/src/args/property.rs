//! The arguments that say what is checked.
//!
//! The flags that people know from ESBMC come from the catalogue of properties, not from here: one that adds a property,
//! or one that leaves some out.

use braid_props::{ALL, Check, CheckSet, Flag};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::path::PathBuf;

/// Which properties are checked.
#[derive(Args)]
pub struct PropertyArgs {
    /// Properties to check: ids or groups, comma-separated; `all`, `none`, `default`
    #[arg(long, value_name = "LIST", value_parser = CheckSet::parse)]
    pub property: Option<CheckSet>,
    /// SV-COMP property file: what to check; the last line is then the result word of SV-COMP
    #[arg(long, value_name = "FILE.prp", conflicts_with_all = ["property", "error_call"],
        conflicts_with_all = flags().iter().map(|flag| flag.name()))]
    pub prop: Option<PathBuf>,
    #[command(flatten)]
    pub flags: FlagArgs,
}

/// The flags of single properties that were given.
pub struct FlagArgs(Vec<Flag>);

impl PropertyArgs {
    /// The properties that the flags choose; a property file chooses its own.
    pub fn checks(&self) -> CheckSet {
        let mut checks = self.property.unwrap_or_default();
        for flag in &self.flags.0 {
            checks = match flag {
                Flag::Adds(_) => checks.with(members(*flag)),
                Flag::Omits(_) => checks.without(members(*flag)),
            };
        }
        checks
    }
}

/// Every flag once, those that add something first.
fn flags() -> Vec<Flag> {
    let mut found: Vec<Flag> = Vec::new();
    for flag in ALL.iter().filter_map(|property| property.flag) {
        if !found.contains(&flag) {
            found.push(flag);
        }
    }
    found.sort_by_key(|flag| matches!(flag, Flag::Omits(_)));
    found
}

/// The properties that have the flag.
fn members(flag: Flag) -> CheckSet {
    ALL.iter().filter(|property| property.flag == Some(flag)).map(|property| property.check).collect()
}

fn help(flag: Flag) -> String {
    let ids = members(flag).iter().map(Check::id).collect::<Vec<_>>().join(", ");
    match flag {
        Flag::Adds(_) => format!("Check {ids}, too"),
        Flag::Omits(_) => format!("Do not check {ids}"),
    }
}

impl Args for FlagArgs {
    fn augment_args(command: Command) -> Command {
        let arg = |flag: &Flag| {
            Arg::new(flag.name()).long(flag.name()).action(ArgAction::SetTrue).help(help(*flag))
        };
        command.args(flags().iter().map(arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        FlagArgs::augment_args(command)
    }
}

impl FromArgMatches for FlagArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<FlagArgs, clap::Error> {
        Ok(FlagArgs(flags().into_iter().filter(|flag| matches.get_flag(flag.name())).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = FlagArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_come_from_the_catalogue() {
        let lines: Vec<String> =
            flags().iter().map(|flag| format!("--{}: {}", flag.name(), help(*flag))).collect();
        expect_test::expect![[r#"
            --data-races-check: Check data-race, too
            --deadlock-check: Check deadlock, too
            --memory-leak-check: Check memory-leak, too
            --overflow-check: Check signed-overflow, too
            --no-pointer-check: Do not check null-deref, use-after-free, invalid-free
            --no-bounds-check: Do not check out-of-bounds
            --no-div-by-zero-check: Do not check division-by-zero"#]]
        .assert_eq(&lines.join("\n"));
    }

    #[test]
    fn flags_add_and_omit() {
        let flags = FlagArgs(vec![Flag::Adds("memory-leak-check"), Flag::Omits("no-pointer-check")]);
        let args = PropertyArgs { property: CheckSet::parse("memory").ok(), prop: None, flags };
        assert_eq!(args.checks().list(), "out-of-bounds,memory-leak");
    }
}
