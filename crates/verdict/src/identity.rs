//! Which program a schedule is for.
//!
//! The hash covers what a schedule refers to: the code of all functions with their instruction ids and
//! places, and the initial contents of variables. It does not cover file names (a program may be moved)
//! nor string literals (`assert` puts file names into them).

use braid_ir::Program;
use braid_ir::print::print_function;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramIdentity {
    /// The user's source files, for people.
    pub files: Vec<String>,
    /// SHA-256, in hexadecimal.
    pub hash: String,
}

impl ProgramIdentity {
    pub fn of(program: &Program) -> ProgramIdentity {
        ProgramIdentity { files: user_files(program), hash: hash(program) }
    }
}

/// Files in which functions of the program are written; models call theirs `<…>`.
fn user_files(program: &Program) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    for function in program.functions.iter().filter(|f| !f.internal && !f.blocks.is_empty()) {
        let name = program.file_name(function.loc.file);
        if function.loc.line > 0 && !name.starts_with('<') && !files.iter().any(|f| f == name) {
            files.push(name.to_string());
        }
    }
    files
}

fn hash(program: &Program) -> String {
    let mut hasher = Sha256::new();
    hasher.update([program.pointer_bytes]);
    for global in program.globals.iter().filter(|g| !g.read_only) {
        hasher.update(format!("{} {} {:?}\n", global.name, global.size, global.init));
    }
    for function in program.functions.iter() {
        hasher.update(print_function(program, function));
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
