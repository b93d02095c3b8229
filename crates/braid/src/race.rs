//! The flags that say what counts as a data race.

use crate::args::{RaceArgs, RaceModelArg};
use crate::exit;
use crate::terminal::errln;
use braid_ir::{Program, Question, RaceModel};

/// Puts the flags into the question. A variable that does not exist is wrong usage.
pub fn apply(args: &RaceArgs, program: &Program, question: &mut Question) -> Result<(), u8> {
    question.race_model = match args.race_model {
        RaceModelArg::Svcomp => RaceModel::SvComp,
        RaceModelArg::Circ => RaceModel::Circ,
    };
    let Some(name) = &args.race_on else { return Ok(()) };
    let found =
        program.globals.enumerated().find(|(_, global)| !global.internal && global.name.as_str() == name);
    question.race_on = found.map(|(id, _)| id);
    if question.race_on.is_none() {
        errln!("error: --race-on: the program has no variable '{name}'");
        return Err(exit::USAGE);
    }
    Ok(())
}
