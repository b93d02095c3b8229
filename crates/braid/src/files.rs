//! Files that appear whole or not at all: written under a temporary name beside the goal, then renamed.
//!
//! A path that cannot be written is refused before the work begins ([`check_writable`]); what fails later all the same,
//! such as a full disk, costs the file but not the answer.

use crate::exit;
use crate::terminal::errln;
use std::path::{Path, PathBuf};

/// A file that is being written by somebody else, such as an engine.
pub struct Pending {
    path: PathBuf,
    temporary: PathBuf,
}

impl Pending {
    pub fn new(path: &Path) -> Pending {
        Pending { path: path.to_path_buf(), temporary: temporary(path) }
    }

    /// The name to write to; it ends like the real one.
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Gives the file its name; false if nobody wrote one.
    pub fn finish(self) -> Result<bool, u8> {
        if !self.temporary.exists() {
            return Ok(false);
        }
        std::fs::rename(&self.temporary, &self.path).map_err(|error| cannot_write(&self.path, &error))?;
        Ok(true)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        // Nothing is there after `finish`, or if nothing was written.
        let _ = std::fs::remove_file(&self.temporary);
    }
}

/// Writes a file, or says why not and gives the exit code.
pub fn write(path: &Path, text: &str) -> Result<(), u8> {
    // A device or a pipe (`/dev/stdout`) cannot be replaced.
    if path.exists() && !path.is_file() {
        return std::fs::write(path, text).map_err(|error| cannot_write(path, &error));
    }
    let pending = Pending::new(path);
    std::fs::write(pending.temporary(), text).map_err(|error| cannot_write(path, &error))?;
    pending.finish().map(|_| ())
}

/// Refuses a path that no file can be written to, before any work is done for it. A device or a pipe is not tried.
pub fn check_writable(flag: &str, path: &Path) -> Result<(), u8> {
    if path.is_dir() {
        return Err(refuse(flag, path, "is a directory"));
    }
    if path.file_name().is_none() {
        return Err(refuse(flag, path, "is no name of a file"));
    }
    if path.exists() && !path.is_file() {
        return Ok(());
    }
    try_to_create(&temporary(path)).map_err(|error| refuse(flag, path, &error.to_string()))
}

/// Refuses a path for a file, or for a directory of files (one that exists, or a name with a slash at its end).
pub fn check_writable_or_directory(flag: &str, path: &Path) -> Result<(), u8> {
    if !is_directory_name(path) {
        return check_writable(flag, path);
    }
    // Directories are made when there is something to write; the nearest one that exists tells whether they can be.
    // A slash at the end of a name would hide that it is a file's.
    let plain: PathBuf = path.components().collect();
    let existing = plain.ancestors().find(|ancestor| ancestor.exists()).unwrap_or(Path::new("."));
    if !existing.is_dir() {
        return Err(refuse(flag, path, &format!("{} is no directory", existing.display())));
    }
    let probe = temporary(&existing.join("probe"));
    try_to_create(&probe).map_err(|error| refuse(flag, path, &error.to_string()))
}

/// Returns true if the path stands for a directory of files rather than for one file.
pub fn is_directory_name(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/')
}

fn try_to_create(path: &Path) -> std::io::Result<()> {
    std::fs::File::create(path)?;
    std::fs::remove_file(path)
}

fn refuse(flag: &str, path: &Path, problem: &str) -> u8 {
    errln!("error: {flag}: {}: {problem}", path.display());
    exit::INPUT
}

pub fn cannot_write(path: &Path, error: &std::io::Error) -> u8 {
    errln!("error: {}: {error}", path.display());
    exit::INPUT
}

fn temporary(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".braid-{}-{name}", std::process::id()))
}
