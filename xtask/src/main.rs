//! Developer tasks: `cargo xtask bench`, `cargo xtask tidy`.
fn main() {}
