//! Where things are: the root of the workspace, the build directory, the release binary.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Cargo's build directory.
pub fn target() -> Result<PathBuf, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .map_err(|e| format!("cannot run cargo: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let (_, rest) =
        text.split_once("\"target_directory\":\"").ok_or("cargo metadata names no target directory")?;
    let (path, _) = rest.split_once('"').ok_or("cargo metadata is cut short")?;
    Ok(PathBuf::from(path.replace("\\\\", "\\")))
}

/// Builds the command line tool with optimisation and gives its path.
pub fn release_binary() -> Result<PathBuf, String> {
    build(&target()?, &[])
}

/// The same with the switches for deliberate faults, in a build directory of its own: nobody must take it
/// for the real one.
pub fn faulty_binary() -> Result<PathBuf, String> {
    build(&target_of("faulty")?, &["--features", "braid-base/faults"])
}

/// The same for other machines: linked statically, without debug information, in a build directory of its own.
pub fn static_binary(target: &str) -> Result<PathBuf, String> {
    let linking = format!("target.{target}.rustflags=['-Ctarget-feature=+crt-static']");
    let stripped = "profile.release.strip='debuginfo'";
    let flags = ["--target", target, "--config", &linking, "--config", stripped];
    build(&target_of("dist")?, &flags)?;
    Ok(target_of("dist")?.join(target).join("release").join(program()))
}

fn target_of(task: &str) -> Result<PathBuf, String> {
    Ok(target()?.join("xtask").join(task))
}

fn program() -> String {
    format!("braid{}", std::env::consts::EXE_SUFFIX)
}

fn build(directory: &Path, flags: &[&str]) -> Result<PathBuf, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--package", "braid", "--target-dir"])
        .arg(directory)
        .args(flags)
        .current_dir(root())
        .status()
        .map_err(|e| format!("cannot run cargo: {e}"))?;
    if !status.success() {
        return Err("the release build fails".to_string());
    }
    Ok(directory.join("release").join(program()))
}

/// A directory for a task's files, below the build directory.
pub fn scratch(task: &str) -> Result<PathBuf, String> {
    let directory = target_of(task)?;
    std::fs::create_dir_all(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    Ok(directory)
}
