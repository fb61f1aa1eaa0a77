//! Results of the check of each action.

use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};

use enfilade_model::error::LocatedFault;
use enfilade_model::form::Words;

/// Results of an action's check.
#[derive(Debug)]
pub struct Found {
    /// Top-level fields that it has, in the order of the file.
    pub fields: Vec<usize>,
    /// Top-level conditions all of whose fields it has.
    pub checks: Vec<usize>,
    /// Top-level fields that each condition of the action or of its parts depends on, by the
    /// condition's position.
    pub hangs: FxHashMap<usize, Vec<usize>>,
    /// Conditions that have passed.
    pub held: Held,
    /// Fields that its contests grow with.
    pub grows: Words,
    /// Counts that are not part of the state.
    pub tallies: Vec<String>,
    /// Ranges of the changing fields of its bags.
    pub seen: Seen,
    /// Warnings.
    pub remarks: Vec<LocatedFault>,
}

/// Conditions that have passed, each with the values that it depends on, so that most cells of a
/// grid need not evaluate them again.
#[derive(Debug, Default)]
pub struct Held(Mutex<FxHashSet<Vec<i64>>>);

impl Held {
    /// Largest number of entries.
    const MOST: usize = 4096;

    /// Returns whether a condition has passed with these values.
    pub fn knows(&self, key: &[i64]) -> bool {
        self.0.lock().contains(key)
    }

    /// Notes that a condition has passed with these values.
    pub fn note(&self, key: Vec<i64>) {
        let mut held = self.0.lock();
        if held.len() >= Held::MOST {
            held.clear();
        }
        held.insert(key);
    }
}

/// Ranges of changing fields, by the place of the bag's declaration and the field's name.
pub type Seen = FxHashMap<(usize, String), (i64, i64)>;

/// Columns that a rule reads of any value, and those that it changes in bag items.
#[derive(Debug, Default)]
pub struct Columns {
    /// Columns that it reads.
    pub read: FxHashSet<String>,
    /// Columns that it assigns.
    pub changed: FxHashSet<String>,
    /// Parts that it calls, in the order of the file.
    pub parts: Vec<usize>,
}
