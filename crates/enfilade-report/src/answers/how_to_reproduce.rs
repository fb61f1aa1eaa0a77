//! Section of a summary with which anyone can reproduce the run.

use crate::blocks::{ReportBlock, StyledSentence};
use crate::folder::archived_rules;
use crate::folder::manifest::{InputFileWithRulebooks, RunFacts};
use enfilade_engine::random_stream::SEED_MAPPING_VERSION;

/// Builds the blocks: the command line, its inputs, and the reproducibility note.
pub fn build_reproduce_blocks(
    facts: &RunFacts,
    with: Vec<String>,
    promise: Option<String>,
) -> Vec<ReportBlock> {
    let version =
        format!("Version: enfilade {}, stream {SEED_MAPPING_VERSION}", env!("CARGO_PKG_VERSION"));
    let lines = [version].into_iter().chain(with).map(StyledSentence::new_plain);
    let mut blocks = vec![
        ReportBlock::Heading("How to repeat this".to_owned()),
        ReportBlock::Command(facts.command_line()),
        ReportBlock::List(lines.collect()),
    ];
    blocks.extend(promise.map(ReportBlock::new_paragraph));
    blocks
}

/// Lists the seed, the file and the rulebooks of a run.
pub fn describe_seed_and_inputs(facts: &RunFacts, seed: u64) -> Vec<String> {
    let input = facts.input.iter().map(|file| describe_input_file("Input", file));
    let rulebooks = archived_rules::archived_file_lines(facts.rulebooks_from_files()).into_iter();
    let rulebooks = rulebooks.map(|file| format!("Rulebook: {file}"));
    [format!("Seed: {seed}")].into_iter().chain(input).chain(rulebooks).collect()
}

/// Describes an input file.
pub fn describe_input_file(what: &str, file: &InputFileWithRulebooks) -> String {
    format!("{what}: {}, SHA-256 {}", file.name, file.sha256)
}

/// Returns the note on which numbers are reproducible, and where they are.
pub fn reproducible_numbers_note(same: &str, tables: &str) -> String {
    let formats = if cfg!(feature = "parquet") { "Parquet and CSV" } else { "CSV" };
    format!(
        "The same command gives the same numbers {same}. {tables} ({formats}) hold every number in full; \
         manifest.json has a hash of every file."
    )
}
