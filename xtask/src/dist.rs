//! `cargo xtask dist`: the release as one archive, for people without a Rust compiler.
//!
//! The program is linked statically, so that it runs on any Linux of its architecture; the C preprocessor is all it
//! needs there. The archive has the manual pages and completions that the program prints, and is the same for the
//! same sources. It is unpacked and tried before anybody gets it.

use crate::workspace;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Files of the repository that go along.
const FILES: [&str; 7] = [
    "README.md",
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "docs/guide.md",
    "docs/json.md",
    "docs/schedules.md",
];
/// Shells, and the names of their completion scripts.
const SHELLS: [(&str, &str); 3] = [("bash", "braid.bash"), ("zsh", "_braid"), ("fish", "braid.fish")];
/// Programs to try it on, and how that should end.
const TRIALS: [(&str, i32); 2] = [("examples/lost_update.c", 10), ("examples/lost_update_fixed.c", 0)];

pub fn run() -> Result<bool, String> {
    let target = host()?;
    let binary = workspace::static_binary(&target)?;
    let name = format!("braid-{VERSION}-{target}");
    let stage = fresh(&workspace::scratch("dist")?.join("stage"))?;
    fill(&stage.join(&name), &binary)?;
    let goal = workspace::target()?.join("dist");
    create(&goal)?;
    let archive = goal.join(format!("{name}.tar.gz"));
    pack(&stage, &name, &archive)?;
    let hash = write_hash(&archive)?;
    try_out(&archive, &name)?;
    let size = std::fs::metadata(&archive).map_err(|e| say(&archive, &e))?.len();
    println!("{} ({:.1} MiB)\nsha256 {hash}", archive.display(), size as f64 / f64::from(1 << 20));
    println!("shared libraries: {}", libraries(&binary));
    Ok(true)
}

/// What the compiler compiles for unless told otherwise.
fn host() -> Result<String, String> {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_string());
    let text = output(Command::new(rustc).arg("-vV"))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_string).ok_or_else(|| "rustc names no host".to_string())
}

/// Puts everything into the directory that is packed.
fn fill(place: &Path, binary: &Path) -> Result<(), String> {
    for directory in [place.to_path_buf(), place.join("docs"), place.join("man"), place.join("completions")] {
        create(&directory)?;
    }
    let program = place.join(format!("braid{}", std::env::consts::EXE_SUFFIX));
    copy(binary, &program)?;
    for file in FILES {
        copy(&workspace::root().join(file), &place.join(file))?;
    }
    write(&place.join("man/braid.1"), &output(Command::new(&program).arg("man"))?)?;
    for command in commands(&output(Command::new(&program).arg("--help"))?) {
        let page = output(Command::new(&program).args(["man", command.as_str()]))?;
        write(&place.join(format!("man/braid-{command}.1")), &page)?;
    }
    for (shell, file) in SHELLS {
        let script = output(Command::new(&program).args(["completions", shell]))?;
        write(&place.join("completions").join(file), &script)?;
    }
    Ok(())
}

/// The commands that the help lists.
fn commands(help: &str) -> Vec<String> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = list.map_while(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_string).collect()
}

/// Packs a directory; the same contents give the same archive.
fn pack(stage: &Path, name: &str, archive: &Path) -> Result<(), String> {
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"])
        .arg(format!("--mtime=@{}", time_of_sources()))
        .args(["--use-compress-program=gzip -9n", "--directory"])
        .arg(stage)
        .arg("--create")
        .arg("--file")
        .arg(archive)
        .arg(name);
    output(&mut tar).map(|_| ())
}

/// When the sources were last changed: seconds since 1970.
fn time_of_sources() -> String {
    let asked = std::env::var("SOURCE_DATE_EPOCH").ok();
    let committed = || {
        let mut git = Command::new("git");
        output(git.args(["log", "-1", "--format=%ct"]).current_dir(workspace::root())).ok()
    };
    let time = asked.or_else(committed).unwrap_or_default();
    time.trim().parse::<u64>().unwrap_or(0).to_string()
}

/// Writes the hash beside a file, in the form that `sha256sum --check` reads.
fn write_hash(archive: &Path) -> Result<String, String> {
    let bytes = std::fs::read(archive).map_err(|e| say(archive, &e))?;
    let hash = format!("{:x}", Sha256::digest(&bytes));
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    write(&PathBuf::from(format!("{}.sha256", archive.display())), &format!("{hash}  {name}\n"))?;
    Ok(hash)
}

/// Unpacks the archive as a user does, and checks programs with what is in it.
fn try_out(archive: &Path, name: &str) -> Result<(), String> {
    let place = fresh(&workspace::scratch("dist")?.join("trial"))?;
    output(Command::new("tar").arg("--extract").arg("--file").arg(archive).arg("--directory").arg(&place))?;
    let program = place.join(name).join("braid");
    for (file, expected) in TRIALS {
        let source = workspace::root().join(file);
        let mut command = Command::new(&program);
        command.args(["check", "--no-config"]).arg(source).current_dir(&place);
        let code = command.output().map_err(|e| say(&program, &e))?.status.code();
        if code != Some(expected) {
            return Err(format!("{}: {file}: exit code {code:?} instead of {expected}", program.display()));
        }
    }
    Ok(())
}

/// The shared libraries a program needs, as far as the system tells.
fn libraries(binary: &Path) -> String {
    let Ok(listed) = Command::new("ldd").arg(binary).output() else { return "unknown, no ldd".to_string() };
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    let names: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
    match names.as_slice() {
        // "statically linked", or "not a dynamic executable" on the other stream.
        ["statically"] | [] => "none".to_string(),
        _ => names.join(", "),
    }
}

/// Runs a command that must succeed and gives its output.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("cannot run {name}: {e}"))?;
    if !output.status.success() {
        return Err(format!("{name} fails: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// An empty directory.
fn fresh(path: &Path) -> Result<PathBuf, String> {
    if path.exists() {
        std::fs::remove_dir_all(path).map_err(|e| say(path, &e))?;
    }
    create(path)?;
    Ok(path.to_path_buf())
}

fn create(path: &Path) -> Result<(), String> {
    std::fs::create_dir_all(path).map_err(|e| say(path, &e))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::copy(from, to).map(|_| ()).map_err(|e| say(from, &e))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| say(path, &e))
}

fn say(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_along_exists() {
        let named = FILES.into_iter().chain(TRIALS.map(|(file, _)| file));
        named.for_each(|file| assert!(workspace::root().join(file).is_file(), "{file}"));
    }

    #[test]
    fn commands_are_taken_from_the_help() {
        let help =
            "Usage: braid\n\nCommands:\n  check  Check\n  help   Help\n  ir     Print\n\nOptions:\n  -h\n";
        assert_eq!(commands(help), ["check", "ir"]);
    }

    #[test]
    fn the_host_is_known() {
        assert!(host().expect("a host").contains(std::env::consts::ARCH));
    }
}
