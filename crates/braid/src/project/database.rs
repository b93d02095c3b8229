//! Compilation databases: `compile_commands.json`, as CMake, Meson, Bear and others write it
//! (<https://clang.llvm.org/docs/JSONCompilationDatabase.html>).

use super::{paths, words};
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::fmt;
use std::path::{Path, PathBuf};

/// The name of the file in a directory.
const NAME: &str = "compile_commands.json";

pub struct Database {
    pub path: PathBuf,
    pub entries: Vec<Entry>,
}

/// How one file is compiled.
#[derive(Debug)]
pub struct Entry {
    /// What everything else is relative to.
    pub directory: PathBuf,
    pub file: PathBuf,
    /// The whole command, the compiler first.
    pub command: Vec<String>,
}

impl Entry {
    /// A path of the command, as seen from here.
    pub fn resolve(&self, path: &str) -> PathBuf {
        paths::shown(&self.directory.join(path))
    }
}

// By hand, because an error of a derived conversion would be placed behind the entry.
impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entry, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Entry;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object with `directory`, `file`, and `arguments` or `command`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entry, A::Error> {
        let (mut directory, mut file, mut arguments, mut command) = (None, None, None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "directory" => directory = Some(map.next_value()?),
                "file" => file = Some(map.next_value()?),
                "arguments" => arguments = Some(map.next_value()?),
                "command" => {
                    command = Some(words::split(&map.next_value::<String>()?).map_err(Error::custom)?)
                }
                // Such as `output`.
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Entry {
            directory: directory.ok_or_else(|| Error::missing_field("directory"))?,
            file: file.ok_or_else(|| Error::missing_field("file"))?,
            command: arguments.or(command).ok_or_else(|| Error::missing_field("arguments"))?,
        })
    }
}

impl Database {
    /// Reads a database, given by its name or by its directory. The error says what is wrong and where.
    pub fn read(path: &Path) -> Result<Database, String> {
        let path = if path.is_dir() { paths::shown(&path.join(NAME)) } else { path.to_path_buf() };
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let hint = "let the build system write one, such as by cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON";
            let missing = error.kind() == std::io::ErrorKind::NotFound;
            let hint = if missing { format!("\nnote: {hint}") } else { String::new() };
            format!("{}: {error}{hint}", path.display())
        })?;
        let mut entries = parse(&text).map_err(|problem| format!("{}:{problem}", path.display()))?;
        let home = path.parent().unwrap_or(Path::new("")).to_path_buf();
        for entry in &mut entries {
            entry.directory = home.join(&entry.directory);
        }
        Ok(Database { path, entries })
    }
}

/// The entries; an error begins with line and column.
fn parse(text: &str) -> Result<Vec<Entry>, String> {
    serde_json::from_str(text).map_err(|error| {
        let all = error.to_string();
        // The place is in the text, too, but not in the form that editors know.
        let what = all.rsplit_once(" at line ").map_or(all.as_str(), |(what, _)| what);
        format!("{}:{}: {what}", error.line(), error.column().max(1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_a_command() {
        let entries = parse(
            r#"[{"directory": "/p", "file": "a.c", "arguments": ["cc", "-DA=x y", "a.c"], "output": "a.o"},
                {"directory": "/p", "file": "b.c", "command": "cc '-DA=x y' b.c"}]"#,
        )
        .expect("a database");
        assert_eq!(entries[0].command, ["cc", "-DA=x y", "a.c"]);
        assert_eq!(entries[1].command, ["cc", "-DA=x y", "b.c"]);
        assert_eq!((&*entries[1].directory, &*entries[1].file), (Path::new("/p"), Path::new("b.c")));
    }

    #[test]
    fn errors_have_a_place() {
        let error = |text: &str| parse(text).expect_err("an error");
        assert_eq!(error("{}"), "1:1: invalid type: map, expected a sequence");
        assert_eq!(
            error("[\n  {\"directory\": 1}]"),
            "2:17: invalid type: integer `1`, expected path string"
        );
        assert_eq!(error("[{\"file\": \"a.c\"}]"), "1:16: missing field `directory`");
        let bare = "[\n{\"directory\": \"/\", \"file\": \"a.c\"}\n]";
        assert_eq!(error(bare), "2:33: missing field `arguments`");
        let quote = "[{\"directory\": \"/\", \"file\": \"a.c\", \"command\": \"cc 'a.c\"}]";
        assert_eq!(error(quote), "1:56: the command has a ' without its partner");
        assert_eq!(error("[\n{"), "2:1: EOF while parsing an object");
    }
}
