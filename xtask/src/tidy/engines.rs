//! Rules for engines: nothing but the plan names one, they do not import each other, and only one file calls the judge.

use super::SourceFile;
use super::rust::{self, Kind, Token};
use braid_engines::ENGINES;

/// The files that name engines: the engines themselves, and the plan.
const ENGINES_CRATE: &str = "engines";
const PLAN: &str = "crates/portfolio/src/plan.rs";
/// The file that calls the judge, and the functions of the judge.
const JUDGE: &str = "crates/engines/src/work.rs";
const CONFIRM: [&str; 2] = ["confirm", "confirm_real"];
/// Words that are also the name of an engine, with the meaning they have there.
const OTHER_MEANINGS: &[(&str, &str)] = &[
    ("crates/analysis/src/conflicts.rs", "a conflict whose order matters"),
    ("crates/ir/src/words.rs", "the choice of a random number"),
    ("crates/testkit/src/fixture/topics.rs", "a topic of fixtures"),
    ("crates/testkit/src/translated/mod.rs", "the command that translates"),
    ("crates/verdict/src/story/build.rs", "the order of the steps of a story"),
    ("crates/models/src/rows/stdlib.rs", "the function of the library"),
    ("xtask/src/bench/lockset.rs", "the engine that a benchmark measures"),
    ("xtask/src/bench/mod.rs", "a part of the benchmarks"),
    ("xtask/src/lockset.rs", "the engine that a task asks unless another one is named"),
    ("xtask/src/main.rs", "a word of the command line"),
];

pub fn problems(files: &[SourceFile]) -> Vec<String> {
    let names: Vec<&str> = ENGINES.iter().map(|engine| engine.name).collect();
    let mut found = Vec::new();
    for file in files {
        let tokens = rust::tokens(&file.text);
        let own = engine_of(&file.path, &names);
        let exempt = OTHER_MEANINGS.iter().any(|(path, _)| *path == file.path);
        for (at, token) in tokens.iter().enumerate() {
            let problem = |what: &str| format!("{}:{}: {what} '{}'", file.path, token.line, token.text);
            let name = names.contains(&token.text.as_str());
            let is_path = is_sign(tokens.get(at + 1), ":") && is_sign(tokens.get(at + 2), ":");
            let named = name && (token.kind == Kind::Str || (token.kind == Kind::Word && is_path));
            if file.package != ENGINES_CRATE && file.path != PLAN && !exempt && named {
                found.push(problem("names the engine"));
            }
            if let Some(own) = own
                && own != token.text
                && name
                && at >= 3
                && tokens[at - 3].text == "crate"
            {
                found.push(problem("imports another engine:"));
            }
            let judges = CONFIRM.contains(&token.text.as_str()) && token.kind == Kind::Word;
            if judges && [ENGINES_CRATE, "portfolio"].contains(&file.package.as_str()) && file.path != JUDGE {
                found.push(problem("calls the judge:"));
            }
        }
    }
    let module = |name: &str| {
        let module = format!("crates/engines/src/{name}");
        files
            .iter()
            .any(|file| file.path == format!("{module}.rs") || file.path == format!("{module}/mod.rs"))
    };
    let lacking = names.iter().filter(|name| !module(name));
    found.extend(lacking.map(|name| format!("crates/engines/src: no module of the engine '{name}'")));
    found
}

fn is_sign(token: Option<&Token>, sign: &str) -> bool {
    token.is_some_and(|token| token.kind == Kind::Sign && token.text == sign)
}

/// The engine whose module a file belongs to.
fn engine_of<'a>(path: &str, names: &[&'a str]) -> Option<&'a str> {
    let rest = path.strip_prefix("crates/engines/src/")?;
    let first = rest.split('/').next()?.trim_end_matches(".rs");
    names.iter().copied().find(|name| *name == first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(package: &str, path: &str, text: &str) -> SourceFile {
        SourceFile { package: package.to_string(), path: path.to_string(), text: text.to_string() }
    }

    #[test]
    fn a_name_an_import_and_a_judgement_are_noticed() {
        let name = ENGINES[0].name;
        let other = ENGINES[1].name;
        let mut modules: Vec<SourceFile> = ENGINES
            .iter()
            .map(|engine| file("engines", &format!("crates/engines/src/{}.rs", engine.name), ""))
            .collect();
        assert_eq!(problems(&modules), Vec::<String>::new());
        modules[0].text = format!("use crate::{other}::ENGINE;\nfn f() {{ confirm(); }}\n");
        modules.push(file("braid", "crates/braid/src/a.rs", &format!("const X: &str = \"{name}\";\n")));
        let found = problems(&modules);
        assert_eq!(found.len(), 3, "{found:?}");
        modules.remove(1);
        assert_eq!(problems(&modules).len(), 4);
    }
}
