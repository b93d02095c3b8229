//! A compiler's command, and what of it matters to Braid.
//!
//! What reaches the preprocessor is kept in its order, with paths as seen from here. The language, its standard and
//! the data model are known. Flags that would change the program in a way that Braid does not know are refused,
//! because a verdict would be about another program. Everything else (warnings, optimisation, output, linking) is
//! passed over: the verdict is about what C says of the program, not about one compilation of it.

use super::database::Entry;
use super::words;
use std::collections::VecDeque;

/// What a command says about its file.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Flags {
    /// For the preprocessor.
    pub preprocessor: Vec<String>,
    pub std: Option<String>,
    /// ILP32 or not, if it says so.
    pub bits32: Option<bool>,
    /// Plain `char` is unsigned.
    pub unsigned_char: bool,
    /// What `-x` says.
    pub language: Option<String>,
}

/// What the value of a flag is.
#[derive(Clone, Copy)]
enum Value {
    Directory,
    /// A file that is looked for in the directory of the entry, then among the headers.
    Header,
    Text,
    Std,
    Language,
    Target,
    /// Of no interest.
    Other,
}

/// Flags with a value, which may stand in the same word.
const JOINED: [(&str, Value); 14] = [
    ("-I", Value::Directory),
    ("-isystem", Value::Directory),
    ("-iquote", Value::Directory),
    ("-idirafter", Value::Directory),
    ("-isysroot", Value::Directory),
    ("--sysroot=", Value::Directory),
    ("-D", Value::Text),
    ("-U", Value::Text),
    ("-imacros", Value::Header),
    ("-finput-charset=", Value::Text),
    ("-std=", Value::Std),
    ("--std=", Value::Std),
    ("-x", Value::Language),
    ("--target=", Value::Target),
];

/// Flags whose value is the next word.
const SEPARATE: [(&str, Value); 33] = [
    ("-include", Value::Header),
    ("-include-pch", Value::Other),
    ("--sysroot", Value::Directory),
    ("--std", Value::Std),
    ("-target", Value::Target),
    ("-o", Value::Other),
    ("-MF", Value::Other),
    ("-MT", Value::Other),
    ("-MQ", Value::Other),
    ("-MJ", Value::Other),
    ("-A", Value::Other),
    ("-B", Value::Other),
    ("-L", Value::Other),
    ("-T", Value::Other),
    ("-e", Value::Other),
    ("-l", Value::Other),
    ("-u", Value::Other),
    ("-z", Value::Other),
    ("-arch", Value::Other),
    ("-aux-info", Value::Other),
    ("-dumpbase", Value::Other),
    ("-dumpbase-ext", Value::Other),
    ("-dumpdir", Value::Other),
    ("-framework", Value::Other),
    ("-iframework", Value::Other),
    ("-mllvm", Value::Other),
    ("-specs", Value::Other),
    ("-wrapper", Value::Other),
    ("--param", Value::Other),
    ("--serialize-diagnostics", Value::Other),
    ("-Xassembler", Value::Other),
    ("-Xlinker", Value::Other),
    ("-index-store-path", Value::Other),
];

/// Flags that the preprocessor takes as they are.
const PASSED: [&str; 7] =
    ["-nostdinc", "-undef", "-trigraphs", "-pthread", "-ffreestanding", "-fhosted", OPENMP];

/// Makes threads of pragmas, which Braid does not read: a program with such pragmas is not decided.
pub const OPENMP: &str = "-fopenmp";

/// Flags that change the layout of types, or the language, in ways that are not known here.
const REFUSED: [&str; 15] = [
    "-fshort-enums",
    "-fshort-wchar",
    "-fpack-struct",
    "-funsigned-bitfields",
    "-fno-signed-bitfields",
    "-fopenacc",
    "-fgnu-tm",
    "-fexec-charset",
    "-fwide-exec-charset",
    "-m16",
    "-mx32",
    "-malign-double",
    "-mms-bitfields",
    "-mlong-double-64",
    "-mlong-double-128",
];

/// Words before flags that go to one stage of the compiler; the flags mean the same without.
const BEFORE_FLAGS: [&str; 2] = ["-Xclang", "-Xpreprocessor"];

/// More files of flags than this name each other in a circle.
const FILES_OF_FLAGS: usize = 100;

impl Flags {
    /// Reads the command of an entry. The error says what is wrong with it.
    pub fn of(entry: &Entry) -> Result<Flags, String> {
        let mut flags = Flags::default();
        // The first word is the compiler.
        let words = entry.command.iter().skip(1).filter(|word| !BEFORE_FLAGS.contains(&word.as_str()));
        let mut words: VecDeque<String> = words.cloned().collect();
        let mut files = 0;
        while let Some(word) = words.pop_front() {
            if let Some(file) = word.strip_prefix('@') {
                files += 1;
                if files > FILES_OF_FLAGS {
                    return Err(format!("more than {FILES_OF_FLAGS} files of flags ('@{file}')"));
                }
                prepend(&mut words, words_of_file(entry, file)?);
            } else if let Some(list) = word.strip_prefix("-Wp,") {
                prepend(&mut words, list.split(',').map(str::to_string).collect());
            } else {
                flags.add(entry, &word, &mut words)?;
            }
        }
        Ok(flags)
    }

    fn add(&mut self, entry: &Entry, word: &str, rest: &mut VecDeque<String>) -> Result<(), String> {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        if let Some((flag, value)) = SEPARATE.iter().find(|(flag, _)| *flag == word) {
            let text = rest.pop_front().ok_or_else(|| lacks_value(word))?;
            return self.add_value(entry, flag, *value, &text);
        }
        if let Some((flag, value)) = JOINED.iter().find(|(flag, _)| word.starts_with(flag)) {
            let joined = &word[flag.len()..];
            let next = if joined.is_empty() && !flag.ends_with('=') { rest.pop_front() } else { None };
            let text = next.as_deref().unwrap_or(joined);
            if text.is_empty() {
                return Err(lacks_value(word));
            }
            return self.add_value(entry, flag, *value, text);
        }
        match word {
            "-m32" => self.bits32 = Some(true),
            "-m64" => self.bits32 = Some(false),
            "-funsigned-char" | "-fno-signed-char" => self.unsigned_char = true,
            "-fsigned-char" | "-fno-unsigned-char" => self.unsigned_char = false,
            "-ansi" => self.std = Some("c90".to_string()),
            _ if PASSED.contains(&word) => self.preprocessor.push(word.to_string()),
            _ if REFUSED.contains(&name) => {
                return Err(format!(
                    "'{word}' changes the program in a way that Braid does not know\n\
                     note: take it out of the entry if the program means the same without"
                ));
            }
            _ => {}
        }
        Ok(())
    }

    fn add_value(&mut self, entry: &Entry, flag: &str, value: Value, text: &str) -> Result<(), String> {
        match value {
            Value::Directory => {
                // Those are relative to the root of the system's headers.
                let elsewhere = text.starts_with('=') || text.starts_with("$SYSROOT");
                let dir =
                    if elsewhere { text.to_string() } else { entry.resolve(text).display().to_string() };
                self.pass(flag, dir);
            }
            Value::Header => {
                let file = entry.resolve(text);
                self.pass(flag, if file.exists() { file.display().to_string() } else { text.to_string() });
            }
            // It only makes the headers warn where nothing is optimised.
            Value::Text if flag == "-D" && text.starts_with("_FORTIFY_SOURCE") => {}
            Value::Text => self.pass(flag, text.to_string()),
            Value::Std => self.std = Some(text.to_string()),
            Value::Language => self.language = Some(text.to_string()).filter(|name| name != "none"),
            Value::Target => self.bits32 = Some(target_bits32(text)?),
            Value::Other => {}
        }
        Ok(())
    }

    fn pass(&mut self, flag: &str, value: String) {
        if flag.ends_with('=') {
            self.preprocessor.push(format!("{flag}{value}"));
        } else {
            self.preprocessor.extend([flag.to_string(), value]);
        }
    }
}

fn lacks_value(flag: &str) -> String {
    format!("'{flag}' has no value")
}

fn prepend(words: &mut VecDeque<String>, more: Vec<String>) {
    more.into_iter().rev().for_each(|word| words.push_front(word));
}

/// The words in a file of flags.
fn words_of_file(entry: &Entry, file: &str) -> Result<Vec<String>, String> {
    let path = entry.resolve(file);
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("'@{file}': {}: {error}", path.display()))?;
    words::split(&text).map_err(|problem| format!("'@{file}': {problem}"))
}

/// The data model of a target, for those that have one Braid knows.
fn target_bits32(target: &str) -> Result<bool, String> {
    match target.split('-').next().unwrap_or(target) {
        "x86_64" if !target.ends_with("x32") => Ok(false),
        "i386" | "i486" | "i586" | "i686" => Ok(true),
        _ => Err(format!("'{target}' is no target that Braid knows; it knows x86_64 and i386 to i686")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(command: &str) -> Result<Flags, String> {
        let command = words::split(command).expect("words");
        Flags::of(&Entry { directory: "/no/such".into(), file: "a.c".into(), command })
    }

    fn preprocessor(command: &str) -> String {
        flags(command).expect("flags").preprocessor.join(" ")
    }

    #[test]
    fn what_the_preprocessor_takes() {
        assert_eq!(
            preprocessor("cc -Iinc -I ../b -isystem/s -iquote q -idirafter late a.c"),
            "-I /no/such/inc -I /no/b -isystem /s -iquote /no/such/q -idirafter /no/such/late"
        );
        assert_eq!(
            preprocessor("cc -DA -D B=1 -UA -U B '-DC=\"x y\"'"),
            "-D A -D B=1 -U A -U B -D C=\"x y\""
        );
        assert_eq!(preprocessor("cc -include config.h -imacros m.h"), "-include config.h -imacros m.h");
        assert_eq!(
            preprocessor("cc -nostdinc -undef -pthread --sysroot=/s -I=usr"),
            "-nostdinc -undef -pthread --sysroot=/s -I =usr"
        );
        assert_eq!(
            preprocessor("cc -Wp,-DA=1,-MD,a.d -Xpreprocessor -DB -Xclang -include -Xclang p.h"),
            "-D A=1 -D B -include p.h"
        );
    }

    #[test]
    fn what_is_passed_over() {
        let usual = "ccache gcc -c -O2 -g3 -Wall -Wextra -pedantic -fPIC -march=native -MD -MT -DX -MF -DY -o -DZ \
                     -fsanitize=thread -D_FORTIFY_SOURCE=2 -L lib -lm -Wl,-z,now --param ssp=4 a.c b.o";
        assert_eq!(flags(usual), Ok(Flags::default()));
    }

    #[test]
    fn language_standard_and_model() {
        let found = flags("cc -std=c99 -m32 -fsigned-char -funsigned-char -x c++ a").expect("flags");
        assert_eq!((found.std.as_deref(), found.bits32), (Some("c99"), Some(true)));
        assert_eq!(found.language.as_deref(), Some("c++"));
        assert!(found.unsigned_char);
        assert_eq!(
            flags("cc -ansi -m32 -m64 -funsigned-char -fsigned-char -xnone").expect("flags"),
            Flags { std: Some("c90".into()), bits32: Some(false), ..Flags::default() }
        );
        assert_eq!(flags("clang --target=i686-linux-gnu").expect("flags").bits32, Some(true));
        assert_eq!(flags("clang -target x86_64-linux-gnu").expect("flags").bits32, Some(false));
    }

    #[test]
    fn what_is_refused() {
        for bad in ["-fshort-enums", "-fpack-struct=2", "-fopenacc", "-mx32", "--target=arm-none-eabi"] {
            let problem = flags(&format!("cc {bad} a.c")).expect_err(bad);
            assert!(problem.contains(bad.trim_start_matches("--target=")), "{problem}");
        }
        assert_eq!(flags("cc -D"), Err("'-D' has no value".to_string()));
        assert_eq!(flags("cc -include"), Err("'-include' has no value".to_string()));
        assert!(flags("cc @no.rsp").expect_err("no file").starts_with("'@no.rsp': /no/such/no.rsp: "));
    }
}
