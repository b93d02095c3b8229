//! The table itself.

use crate::Row;
use std::collections::HashMap;
use std::sync::LazyLock;

pub static ROWS: LazyLock<Vec<Row>> = LazyLock::new(Vec::new);

/// Rows by name, for look-up only.
pub static INDEX: LazyLock<HashMap<&'static str, &'static Row>> =
    LazyLock::new(|| ROWS.iter().map(|row| (row.name, row)).collect());
