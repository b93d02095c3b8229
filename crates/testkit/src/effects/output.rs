//! Programs about printing, and about calls that do nothing.

use super::scene::Scene;
use super::{Case, Function};
use braid_models::{Access, Text};
use braid_props::Check;

/// The positions of the arguments that hold text.
pub fn positions(text: Text) -> Vec<usize> {
    match text {
        Text::Nothing => Vec::new(),
        Text::String(string) => vec![string],
        Text::Format { format, arguments } => vec![format, arguments],
        Text::Bytes { bytes, size, count } => [bytes, size].into_iter().chain(count).collect(),
    }
}

/// The text and the format of the programs, and memory that only an address is printed of.
const GLOBALS: &str =
    "static char text[5] = \"ab\";\nstatic char format[5] = \"%d\";\nstatic char other[4];\n";

/// A call that prints `text`, a format and its arguments, or nothing.
fn statement(function: &Function, stream: Option<usize>, text: Text, format: &str, string: &str) -> String {
    let stream = stream.map(|at| (at, "stdout"));
    let printed: Vec<(usize, &str)> = match text {
        Text::Nothing => vec![],
        Text::String(at) => vec![(at, string)],
        Text::Format { format: at, arguments } => {
            vec![(at, format), (arguments, "1"), (arguments + 1, string), (arguments + 2, "(void *)other")]
        }
        Text::Bytes { bytes, size, count } => {
            let size = (size, if count.is_some() { "1" } else { "3" });
            [(bytes, string), size].into_iter().chain(count.map(|at| (at, "3"))).collect()
        }
    };
    function.statement(&stream.into_iter().chain(printed).collect::<Vec<_>>())
}

pub fn print(function: &Function, stream: Option<usize>, text: Text) -> Result<Vec<Case>, String> {
    if let Text::Format { arguments, .. } = text
        && arguments != function.parameters.len()
    {
        return Err(format!("{} has its variable arguments elsewhere", function.name));
    }
    let literal = "\"%d %s %p\\n\"";
    let scene = |call: &str, other: &str| {
        Scene::with(GLOBALS.to_string(), "", &[call.to_string(), other.to_string()])
    };
    let call = statement(function, stream, text, literal, "text");
    let writes = |at: usize| format!("text[{at}] = 0;");
    let read: &[Check] = if text == Text::Nothing { &[] } else { &[Check::DataRace] };
    let mut cases = vec![
        Case::new("two threads print", &scene(&call, &call), &[]),
        Case::new("the first byte of a text is read", &scene(&call, &writes(0)), read),
        Case::new("the last byte of a text is read", &scene(&call, &writes(2)), read),
        Case::new("nothing after the text is read", &scene(&call, &writes(3)), &[]),
        Case::new("an address is printed, not what is there", &scene(&call, "other[0] = 1;"), &[]),
    ];
    if let Text::Format { .. } = text {
        let call = statement(function, stream, text, "format", "text");
        cases.push(Case::new("the format is read", &scene(&call, "format[2] = 0;"), &[Check::DataRace]));
        cases.push(Case::new("nothing after the format is read", &scene(&call, "format[3] = 0;"), &[]));
    }
    Ok(cases)
}

pub fn nothing(function: &Function, accesses: &[Access]) -> Vec<Case> {
    let given: Vec<(usize, &str)> =
        accesses.iter().map(|access| (access.argument, "(void *)shared")).collect();
    let call = function.statement(&given);
    let scene = |thread: String| Scene::with(String::new(), "", &[thread.clone(), thread]);
    vec![
        Case::new("two threads call", &scene(call.clone()), &[]),
        Case::new("a call orders nothing", &scene(format!("x = 1; {call} x = 2;")), &[Check::DataRace]),
    ]
}
