//! The names of a journal, of its folder and of the build that writes it.

/// Name of the journal in the folder of the results.
pub const JOURNAL: &str = "unfinished.jsonl";

/// How the names of files on their way into a folder begin.
pub const HIDDEN: &str = ".enfilade-";

/// A name of the sources that a program was built from, such as their hash. Results of different builds may
/// come from different rules, so one does not go on where another stopped.
///
/// ```
/// use enfilade_study::checkpoint::journal::BuildId;
/// const BUILD: BuildId = BuildId("my program, version 3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildId(pub &'static str);
