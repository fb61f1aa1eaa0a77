//! What the check of a rulebook finds out about each action.

use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};

use enfilade_model::error::LocatedFault;
use enfilade_model::form::Words;

/// What a check of an action found out.
#[derive(Debug)]
pub struct Found {
    /// Fields at the top that it has, in the order of the file.
    pub fields: Vec<usize>,
    /// Conditions at the top that it has all fields of.
    pub checks: Vec<usize>,
    /// By place of a condition of its own or of a part: fields at the top that it hangs on.
    pub hangs: FxHashMap<usize, Vec<usize>>,
    /// Those that held.
    pub held: Held,
    /// Fields that its contests grow with.
    pub grows: Words,
    /// Counts that are not remembered.
    pub tallies: Vec<String>,
    /// Ranges of what changes in its bags.
    pub seen: Seen,
    /// What is no fault and may surprise.
    pub remarks: Vec<LocatedFault>,
}

/// Conditions that held, each with the values that it hangs on: most cells of a grid need not ask them
/// again.
#[derive(Debug, Default)]
pub struct Held(Mutex<FxHashSet<Vec<i64>>>);

impl Held {
    /// At most so many are kept.
    const MOST: usize = 4096;

    /// Whether a condition held of these values.
    pub fn knows(&self, key: &[i64]) -> bool {
        self.0.lock().contains(key)
    }

    /// It does.
    pub fn note(&self, key: Vec<i64>) {
        let mut held = self.0.lock();
        if held.len() >= Held::MOST {
            held.clear();
        }
        held.insert(key);
    }
}

/// By place of a bag in the file, and by name of what changes: the range it was seen to have.
pub type Seen = FxHashMap<(usize, String), (i64, i64)>;

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
