//! `--engine` and the options of engines, made from the registry.

use braid_engines::{Chosen, ENGINES, Engine, Switch, registry};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

/// Reads the name of an engine.
pub fn parser() -> impl TypedValueParser<Value = &'static Engine> {
    let names = ENGINES.iter().map(|engine| PossibleValue::new(engine.name).help(engine.summary));
    PossibleValuesParser::new(names).map(|name| registry::find(&name).expect("one of these names"))
}

/// Every option of every engine.
pub fn switches() -> impl Iterator<Item = (&'static Engine, &'static Switch)> {
    ENGINES.iter().flat_map(|engine| engine.options.iter().map(|switch| (*engine, switch)))
}

/// The whole name of an option: `order-encoding`.
pub fn flag(engine: &Engine, switch: &Switch) -> String {
    format!("{}-{}", engine.name, switch.name)
}

/// The options of engines that were given.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions(pub Chosen);

impl EngineOptions {
    /// Adds options that were not given.
    pub fn add(&mut self, defaults: Chosen) {
        for (engine, switch, value) in defaults.0 {
            let given = self.0.0.iter().any(|(owner, name, _)| (*owner, *name) == (engine, switch));
            if !given {
                self.0.0.push((engine, switch, value));
            }
        }
    }
}

impl Args for EngineOptions {
    fn augment_args(command: Command) -> Command {
        switches().fold(command, |command, (engine, switch)| {
            let values = switch.values.iter().map(|(name, help)| PossibleValue::new(*name).help(*help));
            let flag = flag(engine, switch);
            let option = Arg::new(flag.clone())
                .long(flag)
                .visible_aliases(switch.alias)
                .value_name(switch.name.to_uppercase())
                .value_parser(PossibleValuesParser::new(values))
                .help(switch.help);
            command.arg(option)
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for EngineOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineOptions, clap::Error> {
        let chosen = switches().filter_map(|(engine, switch)| {
            let value = matches.get_one::<String>(&flag(engine, switch))?;
            Some((engine.name, switch.name, value.clone()))
        });
        Ok(EngineOptions(Chosen(chosen.collect())))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
