//! Library functions: each has a fixture, and only `models` knows their names.

use super::SourceFile;
use super::rust::{self, Kind};
use braid_models::ROWS;
use braid_testkit::fixture;
use std::collections::BTreeSet;
use std::path::Path;

/// Files whose words are not the library's, though spelled like it: (file, reason).
const OWN_WORDS: &[(&str, &str)] = &[
    ("crates/interp/src/float.rs", "the mathematical operations of the IR"),
    ("crates/interp/src/machine.rs", "what an access does, in messages: read or write"),
    ("crates/ir/src/parse/code.rs", "the operations of the IR in its text form"),
    ("crates/ir/src/print.rs", "the operations of the IR in its text form"),
    ("crates/ir/src/words.rs", "the operations of the IR in its text form"),
    ("crates/sema/src/assembly.rs", "the instructions of assembly"),
    ("crates/sema/src/builtins.rs", "`__builtin_` operators, with the prefix stripped"),
    ("crates/lower/src/builtin.rs", "`__builtin_` operators, as the typed tree names them"),
    ("crates/engines/src/random.rs", "the name of the engine"),
    ("crates/logic/src/smtlib/print.rs", "the operators of SMT-LIB"),
];

/// A row that programs can call: not one that models use among themselves.
fn is_public(name: &str) -> bool {
    !name.starts_with("__braid_")
}

/// Rows no fixture names, and names in fixtures that are no rows.
pub fn without_fixture(root: &Path) -> Result<Vec<String>, String> {
    let fixtures = fixture::find(&root.join("tests/c")).map_err(|e| format!("tests/c: {e}"))?;
    let mut named = BTreeSet::new();
    let mut found = Vec::new();
    let rows: BTreeSet<&str> = ROWS.iter().map(|row| row.name).collect();
    for fixture in &fixtures {
        let Ok(header) = &fixture.header else { continue };
        for model in &header.models {
            if !rows.contains(model.as_str()) {
                found.push(format!("tests/c/{}: 'model: {model}' is no row", fixture.name));
            }
            named.insert(model.clone());
        }
    }
    for name in rows.iter().filter(|name| is_public(name) && !named.contains(**name)) {
        found.push(format!("models: no fixture says 'model: {name}'"));
    }
    Ok(found)
}

/// Strings and identifiers of other crates that are names of library functions. The crates that write
/// C programs for tests need the names.
pub fn known_elsewhere(files: &[SourceFile]) -> Vec<String> {
    let exempt = ["models", "testkit", "xtask"];
    let names: BTreeSet<&str> = ROWS.iter().map(|row| row.name).filter(|name| is_library(name)).collect();
    let mut found = Vec::new();
    let own = |file: &SourceFile| OWN_WORDS.iter().any(|(path, _)| *path == file.path);
    for file in files.iter().filter(|f| !exempt.contains(&f.package.as_str()) && !own(f)) {
        for token in rust::tokens(&file.text) {
            let suspicious = match token.kind {
                Kind::Str => names.contains(token.text.as_str()),
                Kind::Word => names.contains(token.text.as_str()) && !is_ordinary(&token.text),
                Kind::Sign => false,
            };
            if suspicious {
                found.push(format!("{}:{}: knows the library name '{}'", file.path, token.line, token.text));
            }
        }
    }
    found
}

/// The compiler's own operators and the program's entry belong to the language.
fn is_library(name: &str) -> bool {
    let operators = ["__builtin_", "__atomic_", "__sync_", "__braid_"];
    !operators.iter().any(|prefix| name.starts_with(prefix)) && name != "main"
}

/// Words that Rust code uses with no thought of C: methods of the standard library and plain English.
fn is_ordinary(word: &str) -> bool {
    const WORDS: &str = "abort abs acos asin assert atan atan2 cbrt ceil clock close copysign cos cosh div errno exit exp exp2 \
        floor fma fmax fmin free gets hypot index ldexp link log log10 log2 logb modf nan open poll pow pause raise rand random read \
        remainder remove rename rindex rint round scan select signal sin sinh sqrt stderr stdin stdout tan tanh time \
        trunc write lock unlock yield sleep trylock fabs fmod isnan signbit";
    WORDS.split_whitespace().any(|w| w == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(package: &str, text: &str) -> Vec<String> {
        let file = SourceFile { package: package.into(), path: "x.rs".into(), text: text.into() };
        known_elsewhere(&[file])
    }

    #[test]
    fn names_are_found_where_they_do_not_belong() {
        assert_eq!(names_in("lower", "match n { \"malloc\" => 1 }").len(), 1);
        assert_eq!(names_in("lower", "fn strlen() {}").len(), 1);
        assert!(names_in("models", "\"malloc\"").is_empty());
        assert!(names_in("lower", "// malloc\nx.abs(); \"about malloc and free\"").is_empty());
        assert!(names_in("lower", "#[cfg(test)] mod tests { fn f() { \"malloc\"; } }").is_empty());
    }
}
