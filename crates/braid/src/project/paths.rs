//! Paths as a person wants to see them.

use std::path::{Component, Path, PathBuf};

/// The same path without detours (`build/../src`), and relative to where Braid runs if it lies below.
pub fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    match straight(&here.join(path)).strip_prefix(&here) {
        Ok(below) if below.as_os_str().is_empty() => PathBuf::from("."),
        Ok(below) => below.to_path_buf(),
        Err(_) => straight(path),
    }
}

/// Whether two paths name the same file; one that does not exist is known by its name alone.
pub fn same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => shown(a) == shown(b),
    }
}

/// Takes out `.` and `directory/..`, unless a symbolic link makes that another place.
fn straight(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for part in path.components() {
        let back = part == Component::ParentDir
            && matches!(straight.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::CurDir => {}
            _ if back => {
                straight.pop();
            }
            _ => straight.push(part),
        }
    }
    if straight.as_os_str().is_empty() {
        straight.push(".");
    }
    match (path.canonicalize(), straight.canonicalize()) {
        (Ok(real), Ok(other)) if real != other => path.to_path_buf(),
        _ => straight,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_detours() {
        let plain = |path: &str| straight(Path::new(path)).display().to_string();
        assert_eq!(plain("/no/such/./a/../b.c"), "/no/such/b.c");
        assert_eq!(plain("../x/../../y"), "../../y");
        assert_eq!(plain("./"), ".");
    }

    #[test]
    fn relative_to_here() {
        let here = std::env::current_dir().expect("a directory");
        assert_eq!(shown(&here.join("no/../such.c")), Path::new("such.c"));
        assert_eq!(shown(&here), Path::new("."));
        assert_eq!(shown(Path::new("/no/such.c")), Path::new("/no/such.c"));
        assert!(same(&here, Path::new(".")));
        assert!(same(&here.join("no.c"), Path::new("./no.c")));
    }
}
