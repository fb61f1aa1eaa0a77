//! What is wrong with a form, and where.

/// Faults that are looked for in one file or one form: what comes after them is most often their
/// consequence, and nobody reads as far.
pub const FAULTS: usize = 50;

/// One thing that is wrong with what a designer wrote.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// Where: `fp`, `target[1].morale` (entries counted from 0), or empty for the whole contest.
    pub path: String,
    /// What is wrong and what was expected, as one sentence without a full stop.
    pub problem: String,
    /// What to do about it, such as the nearest valid name.
    pub help: Option<String>,
    /// The check of the rulebook that is broken, in its words with the names of fields in braces. What
    /// breaks one is written as it should be, and is no contest all the same.
    pub check: Option<String>,
}

impl Fault {
    /// A fault in the field at `path`.
    pub fn new(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Fault { path: path.into(), problem: problem.into(), help: None, check: None }
    }

    /// The same fault with advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same fault, because a check of the rulebook is broken.
    pub fn breaks(mut self, check: impl Into<String>) -> Self {
        self.check = Some(check.into());
        self
    }

    /// The same fault, seen from the table that holds `outer`: `morale` in `target[1]` becomes
    /// `target[1].morale`.
    pub fn within(mut self, outer: &str) -> Self {
        self.path =
            if self.path.is_empty() { outer.to_owned() } else { format!("{outer}.{}", self.path) };
        self
    }
}

/// Two readings, or the faults of both.
///
/// # Errors
/// Every fault of either.
pub fn both<A, B>(
    one: Result<A, Vec<Fault>>,
    other: Result<B, Vec<Fault>>,
) -> Result<(A, B), Vec<Fault>> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (one, other) => Err(one.err().into_iter().chain(other.err()).flatten().collect()),
    }
}

/// A reading of each table of a list, or the faults of all, each under its place.
///
/// # Errors
/// Every fault of every table.
pub fn each<T, R>(
    list: &str,
    tables: impl IntoIterator<Item = T>,
    read: impl Fn(T) -> Result<R, Vec<Fault>>,
) -> Result<Vec<R>, Vec<Fault>> {
    let (mut all, mut faults) = (Vec::new(), Vec::new());
    for (place, table) in tables.into_iter().enumerate() {
        match read(table).map_err(within(&format!("{list}[{place}]"))) {
            Ok(one) => all.push(one),
            Err(more) => faults.extend(more),
        }
    }
    if faults.is_empty() { Ok(all) } else { Err(faults) }
}

/// Puts faults under the table they are in.
pub fn within(outer: &str) -> impl Fn(Vec<Fault>) -> Vec<Fault> {
    move |faults| faults.into_iter().map(|fault| fault.within(outer)).collect()
}
