//! From a file name to preprocessed text: the front end's only input and output.
//!
//! A `.i` file is taken as it is; anything else goes through `$CC -E` (or `cc -E`) with the user's
//! flags. Each way this can fail is its own [`LoadError`], with what to do about it; the
//! preprocessor's own messages are passed on.
//!
//! For 32-bit programs the compiler is asked with `-m32`. Where the C library's 32-bit headers are not
//! installed, [`Preprocess::headers64`] borrows the 64-bit ones: the compiler still defines the 32-bit
//! macros, and glibc's headers choose every type by those, so the result is what the 32-bit headers
//! would give; only `gnu/stubs-32.h` (a list of functions that always fail) has to be made up.

use crate::text::decode;
use braid_base::SourceMap;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;

/// More output than this is taken for a runaway expansion.
const MAX_OUTPUT: u64 = 1 << 30;
/// More messages than this help nobody.
const MAX_MESSAGES: usize = 16 << 10;
/// C as understood by the parser, whatever the compiler's own default is.
const DEFAULT_STD: &str = "gnu17";

/// How to preprocess: the flags of the user's compiler command.
#[derive(Clone, Default, Debug)]
pub struct Preprocess {
    /// The compiler command, with arguments; `None` means `$CC`, or `cc`.
    pub compiler: Option<String>,
    pub include_dirs: Vec<PathBuf>,
    /// Directories for `-isystem`.
    pub system_dirs: Vec<PathBuf>,
    /// `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Taken before the defines, so that a name in both ends up defined.
    pub undefs: Vec<String>,
    /// Headers for `-include`.
    pub includes: Vec<String>,
    /// Further flags as they stand in a compiler's command, in their order. They come before the macros and
    /// headers above, and after the directories.
    pub flags: Vec<String>,
    pub std: Option<String>,
    pub bits32: bool,
    /// Plain `char` is unsigned.
    pub unsigned_char: bool,
    /// With `bits32`: use the 64-bit C library's headers.
    pub headers64: bool,
}

/// A text ready to be parsed.
pub struct Loaded {
    pub text: Rc<str>,
    /// What the preprocessor said without failing.
    pub warnings: String,
    /// Whether the preprocessor ran just now, so that [`add_originals`] finds the files it read.
    pub preprocessed: bool,
}

#[derive(Debug)]
pub enum LoadError {
    Missing { path: PathBuf },
    Directory { path: PathBuf },
    Unreadable { path: PathBuf, reason: String },
    NoCompiler { command: String, reason: String },
    No32BitHeaders { path: PathBuf, messages: String },
    Preprocessor { path: PathBuf, messages: String },
    TooLarge { path: PathBuf },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Missing { path } => write!(f, "{}: no such file", path.display()),
            LoadError::Directory { path } => {
                write!(f, "{}: is a directory; name the C files in it", path.display())
            }
            LoadError::Unreadable { path, reason } => {
                write!(f, "{}: cannot be read: {reason}", path.display())
            }
            LoadError::NoCompiler { command, reason } => write!(
                f,
                "cannot run the C preprocessor '{command}': {reason}\n\
                 install a C compiler, set CC to one, or give a file preprocessed elsewhere ('.i')"
            ),
            LoadError::No32BitHeaders { path, messages } => write!(
                f,
                "{}: the C library's 32-bit headers are not installed\n{}\n\
                 install them (on Debian: libc6-dev-i386), use the 64-bit headers with 32-bit layout \
                 (--headers64), or give a file preprocessed elsewhere ('.i')",
                path.display(),
                messages.trim_end()
            ),
            LoadError::Preprocessor { path, messages } => {
                write!(f, "{}: preprocessing failed\n{}", path.display(), messages.trim_end())
            }
            LoadError::TooLarge { path } => {
                write!(f, "{}: more than {MAX_OUTPUT} bytes after preprocessing", path.display())
            }
        }
    }
}

impl std::error::Error for LoadError {}

/// Reads a C file and preprocesses it unless its name ends in `.i`.
pub fn load(path: &Path, options: &Preprocess) -> Result<Loaded, LoadError> {
    check_readable(path)?;
    if path.extension().is_some_and(|ext| ext == "i") {
        let file = std::fs::File::open(path).map_err(|error| unreadable(path, &error))?;
        let bytes = read_limited(file, path)?;
        return Ok(Loaded { text: decode(bytes).into(), warnings: String::new(), preprocessed: false });
    }
    run_preprocessor(path, options)
}

/// Gives the source map the texts the user wrote, so that messages show them instead of the
/// preprocessor's output. Call it after parsing a text that was preprocessed just now.
pub fn add_originals(sources: &mut SourceMap) {
    for file in sources.user_files() {
        // A file that cannot be read again is simply shown as preprocessed.
        if let Ok(bytes) = std::fs::read(&*file) {
            sources.add_original(&file, decode(bytes).into());
        }
    }
}

fn check_readable(path: &Path) -> Result<(), LoadError> {
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_dir() => return Err(LoadError::Directory { path: path.into() }),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(LoadError::Missing { path: path.into() });
        }
        Err(error) => return Err(unreadable(path, &error)),
    }
    std::fs::File::open(path).map(|_| ()).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &std::io::Error) -> LoadError {
    LoadError::Unreadable { path: path.into(), reason: error.to_string() }
}

fn read_limited(source: impl Read, path: &Path) -> Result<Vec<u8>, LoadError> {
    let mut bytes = Vec::new();
    source.take(MAX_OUTPUT + 1).read_to_end(&mut bytes).map_err(|error| unreadable(path, &error))?;
    if bytes.len() as u64 > MAX_OUTPUT {
        return Err(LoadError::TooLarge { path: path.into() });
    }
    Ok(bytes)
}

// ---- running the preprocessor ----

fn run_preprocessor(path: &Path, options: &Preprocess) -> Result<Loaded, LoadError> {
    let (program, mut args) = compiler_command(options);
    args.extend(flags(options));
    let borrowed =
        if options.bits32 && options.headers64 { Some(BorrowedHeaders::new(&program, path)?) } else { None };
    if let Some(headers) = &borrowed {
        args.extend(headers.flags());
    }
    args.extend(["-E".into(), "-x".into(), "c".into()]);
    // A name such as `-x.c` must not be taken for a flag.
    let file = if path.to_string_lossy().starts_with('-') { Path::new(".").join(path) } else { path.into() };
    let output = run(&program, &args, &file)?;
    if output.success {
        let text = decode(output.stdout).into();
        return Ok(Loaded { text, warnings: output.messages, preprocessed: true });
    }
    let messages = output.messages;
    if options.bits32 && !options.headers64 && lacks_32bit_headers(&messages) {
        return Err(LoadError::No32BitHeaders { path: path.into(), messages });
    }
    Err(LoadError::Preprocessor { path: path.into(), messages })
}

/// The compiler and the arguments that come with it (`CC="clang --target=..."`).
fn compiler_command(options: &Preprocess) -> (String, Vec<String>) {
    let from_environment = || std::env::var("CC").ok();
    let command = options.compiler.clone().or_else(from_environment).unwrap_or_default();
    let mut words = command.split_ascii_whitespace().map(str::to_string);
    let program = words.next().unwrap_or_else(|| "cc".to_string());
    (program, words.collect())
}

fn flags(options: &Preprocess) -> Vec<String> {
    let std = match options.std.as_deref() {
        // The names that compilers of before 2024 know; newer ones still do.
        Some("c23") => "c2x",
        Some("gnu23") => "gnu2x",
        std => std.unwrap_or(DEFAULT_STD),
    };
    let mut flags = vec![format!("-std={std}")];
    // Makes glibc's cleanup handlers variables with a cleanup function instead of `setjmp`.
    flags.push("-fexceptions".into());
    if options.bits32 {
        flags.push("-m32".into());
    }
    if options.unsigned_char {
        flags.push("-funsigned-char".into());
    }
    for dir in &options.include_dirs {
        flags.extend(["-I".into(), dir.to_string_lossy().into_owned()]);
    }
    for dir in &options.system_dirs {
        flags.extend(["-isystem".into(), dir.to_string_lossy().into_owned()]);
    }
    flags.extend(options.flags.iter().cloned());
    flags.extend(options.undefs.iter().map(|name| format!("-U{name}")));
    flags.extend(options.defines.iter().map(|define| format!("-D{define}")));
    for header in &options.includes {
        flags.extend(["-include".into(), header.clone()]);
    }
    flags
}

struct Output {
    success: bool,
    stdout: Vec<u8>,
    messages: String,
}

fn run(program: &str, args: &[String], file: &Path) -> Result<Output, LoadError> {
    let no_compiler = |error: std::io::Error| LoadError::NoCompiler {
        command: program.to_string(),
        reason: match error.kind() {
            std::io::ErrorKind::NotFound => "no such program".to_string(),
            _ => error.to_string(),
        },
    };
    let mut child = Command::new(program)
        .args(args)
        .arg(file)
        // Messages are recognised below, so they must not be translated.
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(no_compiler)?;
    let stdout = child.stdout.take().expect("standard output was piped");
    let mut stderr = child.stderr.take().expect("standard error was piped");
    let messages = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What could be read is what can be shown.
        let _ = stderr.read_to_end(&mut bytes);
        bytes
    });
    let stdout = read_limited(stdout, file);
    if stdout.is_err() {
        // It may already have ended by itself.
        let _ = child.kill();
    }
    let status = child.wait().map_err(no_compiler)?;
    let messages = shorten(messages.join().unwrap_or_default());
    Ok(Output { success: status.success(), stdout: stdout?, messages })
}

fn shorten(mut bytes: Vec<u8>) -> String {
    let cut = bytes.len() > MAX_MESSAGES;
    bytes.truncate(MAX_MESSAGES);
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if cut {
        text.push_str("\n...\n");
    }
    text
}

fn lacks_32bit_headers(messages: &str) -> bool {
    let missing = messages.contains("No such file or directory") || messages.contains("file not found");
    missing
        && ["bits/", "gnu/stubs-32.h", "sys/cdefs.h", "asm/"].iter().any(|header| {
            messages.lines().any(|line| {
                line.contains(header) && (line.contains("No such file") || line.contains("not found"))
            })
        })
}

// ---- the 64-bit headers for 32-bit programs ----

/// A directory with the one header that the 64-bit C library lacks; removed when dropped.
struct BorrowedHeaders {
    dir: PathBuf,
    multiarch: Option<PathBuf>,
}

impl BorrowedHeaders {
    fn new(program: &str, path: &Path) -> Result<BorrowedHeaders, LoadError> {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("braid-headers-{}-{count}", std::process::id()));
        let borrowed = BorrowedHeaders { dir, multiarch: multiarch_dir(program) };
        let gnu = borrowed.dir.join("gnu");
        std::fs::create_dir_all(&gnu)
            .and_then(|()| std::fs::write(gnu.join("stubs-32.h"), ""))
            .map_err(|error| unreadable(path, &error))?;
        Ok(borrowed)
    }

    fn flags(&self) -> Vec<String> {
        let dirs = std::iter::once(&self.dir).chain(&self.multiarch);
        dirs.flat_map(|dir| ["-idirafter".to_string(), dir.to_string_lossy().into_owned()]).collect()
    }
}

impl Drop for BorrowedHeaders {
    fn drop(&mut self) {
        // Left behind at worst: an empty file in the temporary directory.
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// Where the 64-bit C library keeps the headers that depend on the machine, if apart from the others.
fn multiarch_dir(program: &str) -> Option<PathBuf> {
    let output = Command::new(program).arg("-print-multiarch").stdin(Stdio::null()).output().ok()?;
    let name = String::from_utf8(output.stdout).ok()?;
    let dir = Path::new("/usr/include").join(name.trim());
    (!name.trim().is_empty() && dir.is_dir()).then_some(dir)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fresh directory with these files; removed at the end.
    struct Files(PathBuf);

    impl Files {
        fn new(test: &str, files: &[(&str, &[u8])]) -> Files {
            let dir = std::env::temp_dir().join(format!("braid-preprocess-{test}-{}", std::process::id()));
            std::fs::create_dir_all(&dir).unwrap();
            for (name, bytes) in files {
                std::fs::write(dir.join(name), bytes).unwrap();
            }
            Files(dir)
        }

        fn load(&self, name: &str, options: &Preprocess) -> Result<Loaded, String> {
            load(&self.0.join(name), options)
                .map_err(|e| e.to_string().replace(&*self.0.to_string_lossy(), "DIR"))
        }
    }

    impl Drop for Files {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn code(text: &str) -> String {
        text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn flags_reach_the_preprocessor() {
        let files =
            Files::new("flags", &[("a.c", b"int x = A, y = B;\n#ifdef __linux__\nint no;\n#endif\n")]);
        let options = Preprocess {
            defines: vec!["A=1".into(), "B=2".into()],
            undefs: vec!["__linux__".into()],
            flags: ["-DA=5", "-UA", "-DB=5", "-UB"].map(String::from).to_vec(),
            ..Preprocess::default()
        };
        assert_eq!(code(&files.load("a.c", &options).unwrap().text), "int x = 1, y = 2;");
        let header =
            Files::new("include", &[("b.h", b"#define A 7\n"), ("c.c", b"#include <b.h>\nint a = A;\n")]);
        let options = Preprocess { include_dirs: vec![header.0.clone()], ..Preprocess::default() };
        assert_eq!(code(&header.load("c.c", &options).unwrap().text), "int a = 7;");
    }

    #[test]
    fn preprocessed_text_is_left_alone() {
        let files = Files::new("plain", &[("a.i", b"#define A 1\nint x = A; // \xe9\n")]);
        let loaded = files.load("a.i", &Preprocess::default()).unwrap();
        assert_eq!(&*loaded.text, "#define A 1\nint x = A; // \u{10ffe9}\n");
        assert!(!loaded.preprocessed);
    }

    #[test]
    fn bad_input_is_told_apart() {
        let files = Files::new(
            "bad",
            &[
                ("self.h", b"#include \"self.h\"\n"),
                ("a.c", b"#include \"self.h\"\n"),
                ("b.c", b"#error stop here\n"),
            ],
        );
        let options = Preprocess::default();
        let message = |name: &str| files.load(name, &options).err().unwrap();
        assert_eq!(message("none.c"), "DIR/none.c: no such file");
        assert_eq!(message(""), "DIR/: is a directory; name the C files in it");
        assert!(message("a.c").contains("nested"), "{}", message("a.c"));
        assert!(message("b.c").contains("#error stop here"));
        let options = Preprocess { compiler: Some("no-such-compiler -x".into()), ..Preprocess::default() };
        let text = files.load("b.c", &options).err().unwrap();
        assert!(
            text.starts_with("cannot run the C preprocessor 'no-such-compiler': no such program\n"),
            "{text}"
        );
    }

    #[test]
    fn recognises_missing_32bit_headers() {
        assert!(lacks_32bit_headers(
            "/usr/include/stdio.h:27:10: fatal error: bits/libc-header-start.h: No such file or directory\n"
        ));
        assert!(!lacks_32bit_headers("a.c:1:10: fatal error: mine.h: No such file or directory\n"));
    }

    #[test]
    fn headers64_give_32bit_types() {
        let files =
            Files::new("h64", &[("a.c", b"#include <stdint.h>\n#include <pthread.h>\nintptr_t p;\n")]);
        let options = Preprocess { bits32: true, headers64: true, ..Preprocess::default() };
        match files.load("a.c", &options) {
            Ok(loaded) => assert!(loaded.text.contains("typedef int intptr_t;")),
            // A compiler without any 32-bit support cannot be asked.
            Err(message) => assert!(message.contains("m32"), "{message}"),
        }
    }

    #[test]
    fn originals_are_found_by_the_markers() {
        let files = Files::new("orig", &[("a.c", b"#define X 1\nint   x  =  X;\n")]);
        let loaded = files.load("a.c", &Preprocess::default()).unwrap();
        let mut sources = SourceMap::default();
        let mut diags = braid_base::Diagnostics::default();
        crate::parse(&mut sources, &files.0.join("a.c").to_string_lossy(), loaded.text, &mut diags);
        add_originals(&mut sources);
        let users: Vec<String> =
            sources.user_files().iter().map(|f| f.rsplit('/').next().unwrap().into()).collect();
        assert_eq!(users, ["a.c"]);
    }
}
