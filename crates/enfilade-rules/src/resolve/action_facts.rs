//! Results of the check of each action.

use std::collections::BTreeSet;

use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};

use enfilade_model::error::FaultWithByteSpan;
use enfilade_model::form::Words;

/// Results of an action's check.
#[derive(Debug)]
pub struct ActionCheckResults {
    /// Top-level fields that it has, in the order of the file.
    pub fields: Vec<usize>,
    /// Top-level conditions all of whose fields it has.
    pub checks: Vec<usize>,
    /// Top-level fields that each condition of the action or of its parts depends on, by the
    /// condition's position.
    pub check_dependencies: FxHashMap<usize, Vec<usize>>,
    /// Conditions that have passed.
    pub passed_checks: PassedConditionValues,
    /// Fields that its contests grow with.
    pub size_fields: Words,
    /// Counts that are not part of the state.
    pub tallies: Vec<String>,
    /// Ranges of the changing fields of its bags.
    pub bag_ranges: BagFieldRanges,
    /// Warnings.
    pub remarks: Vec<FaultWithByteSpan>,
}

/// Conditions that have passed, each with the values that it depends on, so that most cells of a
/// grid need not evaluate them again.
#[derive(Debug, Default)]
pub struct PassedConditionValues(Mutex<FxHashSet<Vec<i64>>>);

impl PassedConditionValues {
    /// Largest number of entries.
    const MAX_CACHED_CONDITIONS: usize = 4096;

    /// Returns whether a condition has passed with these values.
    pub fn has_passed_with_values(&self, key: &[i64]) -> bool {
        self.0.lock().contains(key)
    }

    /// Notes that a condition has passed with these values.
    pub fn note_passed_with_values(&self, key: Vec<i64>) {
        let mut checks = self.0.lock();
        if checks.len() >= PassedConditionValues::MAX_CACHED_CONDITIONS {
            checks.clear();
        }
        checks.insert(key);
    }
}

/// Ranges of changing fields, by the place of the bag's declaration and the field's name.
pub type BagFieldRanges = FxHashMap<(usize, String), (i64, i64)>;

/// Columns that a rule reads of any value, and those that it changes in bag items.
#[derive(Debug, Default)]
pub struct ColumnsReadAndChanged {
    /// Columns that it reads.
    pub read: FxHashSet<String>,
    /// Columns that it assigns.
    pub changed: FxHashSet<String>,
    /// Parts that it calls, in the order of the file.
    pub parts: Vec<usize>,
    /// Data blocks whose rows it reads by number.
    pub data: BTreeSet<u16>,
}
