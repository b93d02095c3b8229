//! Programs about the beginning and the end of threads.

use super::scene::Scene;
use super::{Case, Function};
use braid_props::Check;

/// A program with a function `run` that a thread begins in.
fn scene(run: &str, main: String) -> Scene {
    let globals = format!(
        "static int ran;\nstatic unsigned long h;\nstatic void *run(void *argument)\n{{\n    {run}\n    return (void *)5;\n}}\n"
    );
    Scene::alone(globals, main)
}

pub fn start(
    function: &Function,
    handle: usize,
    attribute: Option<usize>,
    routine: usize,
    argument: usize,
) -> Vec<Case> {
    let given = [(handle, "&h"), (routine, "(void *)run"), (argument, "&y")];
    let (call, succeeds) = (function.call(&given), function.succeeds(&given));
    let ordered = format!("x = 1; {succeeds} pthread_join(h, 0); if (x != 2) wrong();");
    let itself = "if (argument != &y || x != 1 || h != pthread_self()) wrong(); x = 2;";
    let failing = format!("if ({call} == 0) pthread_join(h, 0); else {{ if (ran) wrong(); reach_error(); }}");
    let mut may_fail = Case::new("a start that fails", &scene("ran = 1;", failing), &[Check::Assertion]);
    may_fail.calls_may_fail = true;
    let mut cases = vec![
        Case::new("a thread begins after its start", &scene(itself, ordered), &[]),
        Case::new(
            "a thread runs by itself",
            &scene("x = 2;", format!("{succeeds} x = 1;")),
            &[Check::DataRace],
        ),
        may_fail,
    ];
    if let Some(attribute) = attribute {
        let with_attribute = given.into_iter().chain([(attribute, "(void *)shared")]).collect::<Vec<_>>();
        let main = format!(
            "pthread_attr_init((void *)shared); pthread_attr_setdetachstate((void *)shared, 1); {} pthread_join(h, 0);",
            function.succeeds(&with_attribute)
        );
        cases.push(Case::new("a thread that starts detached", &scene("", main), &[Check::ThreadMisuse]));
    }
    cases
}

/// A statement that starts `run`.
const CREATE: &str = "pthread_create(&h, 0, run, 0);";

pub fn join(function: &Function, handle: usize, result: Option<usize>) -> Vec<Case> {
    let given =
        [(handle, "h")].into_iter().chain(result.map(|at| (at, "(void *)&value"))).collect::<Vec<_>>();
    let call = function.succeeds(&given);
    let value = if result.is_some() { "5" } else { "0" };
    let main = format!("long value = 0; {CREATE} {call} if (x != 1 || value != {value}) wrong();");
    let null = function.statement(&[(handle, "h")]);
    let (nowhere, twice) = (format!("{CREATE} {null} x = 2;"), format!("{CREATE} {null} {null}"));
    let itself = function.statement(&[(handle, "pthread_self()")]);
    vec![
        Case::new("a join orders memory and gives the value", &scene("x = 1;", main), &[]),
        Case::new("a join without a place for the value", &scene("x = 1;", nowhere), &[]),
        Case::new("a second join", &scene("", twice), &[Check::ThreadMisuse]),
        Case::new("a join by itself", &scene("", itself), &[Check::ThreadMisuse]),
    ]
}

pub fn detach(function: &Function, handle: usize) -> Vec<Case> {
    let call = function.succeeds(&[(handle, "h")]);
    let (goes_on, joined) =
        (format!("{CREATE} {call} x = 1;"), format!("{CREATE} {call} pthread_join(h, 0);"));
    vec![
        Case::new("a detached thread runs on", &scene("x = 2;", goes_on), &[Check::DataRace]),
        Case::new("a detached thread cannot be joined", &scene("", joined), &[Check::ThreadMisuse]),
    ]
}

pub fn exit(function: &Function, value: usize) -> Vec<Case> {
    let five = if function.is_pointer(value) { "(void *)5" } else { "5" };
    let run = format!("x = 1; {}; wrong();", function.call(&[(value, five)]));
    let main = format!(
        "long value = 0; {CREATE} pthread_join(h, (void *)&value); if (x != 1 || value != 5) wrong();"
    );
    let first = format!("{CREATE} {};", function.call(&[(value, "0")]));
    vec![
        Case::new("the value of a thread that ends itself", &scene(&run, main), &[]),
        Case::new(
            "the program goes on without its first thread",
            &scene("reach_error();", first),
            &[Check::Assertion],
        ),
    ]
}
