//! The C texts compiled by the system's compiler and compared with the system's own library.
//!
//! Every text is compiled with its public names prefixed by `braid_`, so that both libraries live in
//! one process; `native/harness.c` implements the `__braid_*` operations, `native/*.c` call each
//! function in both on many random and chosen inputs and print every difference. Needs a C compiler and
//! glibc; without a compiler the test says so and does nothing.

use braid_models::{Def, Module, PRELUDE, ROWS};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn texts_behave_like_the_system_library() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: no C compiler 'cc'");
        return;
    }
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("models-native");
    std::fs::create_dir_all(&directory).expect("the build directory can be made");
    let program = directory.join("compare");
    compile_texts(&directory);
    link_driver(&directory, &program);
    let output = Command::new(&program).output().expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "the libraries differ ({}):\n{text}", output.status);
    assert!(text.trim_end().ends_with("no differences"), "unexpected output:\n{text}");
}

/// `#define name braid_name` for every public row.
fn renames() -> String {
    let mut text = String::new();
    for row in ROWS.iter().filter(|row| !row.name.starts_with("__braid_")) {
        // The operations have no text; the harness has them under their own names.
        if matches!(row.def, Def::C(_)) {
            writeln!(text, "#define {0} braid_{0}", row.name).expect("a string can be written");
        }
    }
    text
}

fn modules() -> Vec<&'static Module> {
    let mut modules: Vec<&'static Module> = Vec::new();
    for row in ROWS.iter() {
        if let Def::C(module) = row.def
            && !modules.contains(&module)
        {
            modules.push(module);
        }
    }
    modules
}

fn compile_texts(directory: &Path) {
    std::fs::write(directory.join("renames.h"), renames()).expect("the directory is writable");
    let mut files = Vec::new();
    for module in modules() {
        let file = format!("text_{}.c", module.name);
        let text = format!("{PRELUDE}\n#line 1 \"{}\"\n{}", module.name, module.text);
        std::fs::write(directory.join(&file), text).expect("the directory is writable");
        files.push(file);
    }
    cc(Command::new("cc")
        .current_dir(directory)
        .args([
            "-c",
            "-O1",
            "-fno-builtin",
            "-Werror=implicit",
            "-Werror=int-conversion",
            "-include",
            "renames.h",
        ])
        .args(files));
}

fn link_driver(directory: &Path, program: &Path) {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native");
    let mut files: Vec<PathBuf> = std::fs::read_dir(sources)
        .expect("the sources are there")
        .map(|entry| entry.expect("the directory is readable").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "c"))
        .collect();
    files.sort();
    files.extend(modules().iter().map(|module| directory.join(format!("text_{}.o", module.name))));
    cc(Command::new("cc").args(["-O1", "-w", "-fno-builtin", "-o"]).arg(program).args(files).arg("-lm"));
}

fn cc(command: &mut Command) {
    let output = command.output().expect("the compiler starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the compiler failed:\n{errors}");
}
