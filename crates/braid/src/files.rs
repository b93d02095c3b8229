//! Files that appear whole or not at all: written under a temporary name beside the goal, then renamed.

use crate::exit;
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

pub fn cannot_write(path: &Path, error: &std::io::Error) -> u8 {
    eprintln!("error: {}: {error}", path.display());
    exit::INPUT
}

fn temporary(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".braid-{}-{name}", std::process::id()))
}
