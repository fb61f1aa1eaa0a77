//! What the check of a rulebook finds out about each action.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::form::Words;

/// What a check of an action found out.
#[derive(Clone, Debug)]
pub struct Found {
    /// Fields at the top that it has, in the order of the file.
    pub fields: Vec<usize>,
    /// Conditions at the top that it has all fields of.
    pub checks: Vec<usize>,
    /// Fields that its contests grow with.
    pub grows: Words,
    /// Counts that are not remembered.
    pub tallies: Vec<String>,
    /// Ranges of what changes in its bags.
    pub seen: FxHashMap<(usize, String), (i64, i64)>,
}

/// Columns that a rule reads of anything, and those that it changes in things of bags.
#[derive(Debug, Default)]
pub struct Columns {
    /// Those that it reads.
    pub read: FxHashSet<String>,
    /// Those that it gives values to.
    pub changed: FxHashSet<String>,
    /// Parts that it comes by, in the order of the file.
    pub parts: Vec<usize>,
}
