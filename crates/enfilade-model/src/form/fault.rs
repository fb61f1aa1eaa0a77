//! Faults of a form, with their places.

/// Largest number of faults that are collected in one file or one form: later ones are usually
/// consequences of the first, and a reader stops earlier.
pub const MAX_COLLECTED_FAULTS: usize = 50;

/// Mistake in a designer's input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// Path of the field: `fp`, `target[1].morale` (entries counted from 0), or empty for the whole
    /// contest.
    pub path: String,
    /// Cause and expectation, as one sentence without a full stop.
    pub problem: String,
    /// Remedy, such as the nearest valid name.
    pub help: Option<String>,
    /// Check of the rulebook that fails, in its words with the names of fields in braces. A contest
    /// that fails a check is written correctly, but is not valid.
    pub check: Option<String>,
}

impl Fault {
    /// Creates a fault in the field at `path`.
    pub fn new(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Fault { path: path.into(), problem: problem.into(), help: None, check: None }
    }

    /// Adds a remedy.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the check of the rulebook that fails.
    pub fn with_failed_check(mut self, check: impl Into<String>) -> Self {
        self.check = Some(check.into());
        self
    }

    /// Prefixes the path with the table `outer`: `morale` in `target[1]` becomes
    /// `target[1].morale`.
    pub fn prefix_path(mut self, outer: &str) -> Self {
        self.path =
            if self.path.is_empty() { outer.to_owned() } else { format!("{outer}.{}", self.path) };
        self
    }
}

/// Combines two results, or the faults of both.
///
/// # Errors
/// Every fault of either result.
pub fn combine_results<A, B>(
    one: Result<A, Vec<Fault>>,
    other: Result<B, Vec<Fault>>,
) -> Result<(A, B), Vec<Fault>> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (one, other) => Err(one.err().into_iter().chain(other.err()).flatten().collect()),
    }
}

/// Reads each table of a list, and returns all results or all faults, each with its index.
///
/// # Errors
/// Every fault of every table.
pub fn read_each_table<T, R>(
    list: &str,
    tables: impl IntoIterator<Item = T>,
    read: impl Fn(T) -> Result<R, Vec<Fault>>,
) -> Result<Vec<R>, Vec<Fault>> {
    let (mut all, mut faults) = (Vec::new(), Vec::new());
    for (place, table) in tables.into_iter().enumerate() {
        match read(table).map_err(fault_prefixer(&format!("{list}[{place}]"))) {
            Ok(one) => all.push(one),
            Err(more) => faults.extend(more),
        }
    }
    if faults.is_empty() { Ok(all) } else { Err(faults) }
}

/// Prefixes the paths of faults with the table `outer`.
pub fn fault_prefixer(outer: &str) -> impl Fn(Vec<Fault>) -> Vec<Fault> {
    move |faults| faults.into_iter().map(|fault| fault.prefix_path(outer)).collect()
}
