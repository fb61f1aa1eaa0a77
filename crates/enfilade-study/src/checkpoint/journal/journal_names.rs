//! Names of the journal file, of temporary files and of builds.

/// Name of the journal in the folder of the results.
pub const JOURNAL_FILE_NAME: &str = "unfinished.jsonl";

/// Prefix of temporary files in a folder.
pub const TEMPORARY_FILE_PREFIX: &str = ".enfilade-";

/// Identifier of the sources from which a program was built, such as their hash. Results of
/// different builds may come from different rules, so one build does not resume the work of
/// another.
///
/// ```
/// use enfilade_study::checkpoint::journal::BuildId;
/// const BUILD: BuildId = BuildId("my program, version 3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildId(pub &'static str);
