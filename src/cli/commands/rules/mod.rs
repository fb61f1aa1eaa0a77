//! `enfilade rules`: rulebooks in text files, from a first one to the states of its dice.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::new::write_new_file;
use crate::catalogue::Catalogue;
use crate::cli::command_output::OutputAndError;
use crate::cli::error_report;
use crate::error::{Error, InputError, format_count};
use crate::report::text::sentences::replace_control_chars;
use crate::rulebook::tools::formatter::format_rulebook_text;
use crate::study::file::source_document::SourceInput;

mod check;
mod inspect;
mod language_server;

/// Write, check and format rulebooks in text files
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  enfilade rules new my_game.rules
  enfilade rules check my_game.rules --watch
  enfilade odds my_contest.toml --rules my_game.rules")]
pub struct RulesArgs {
    /// The command to run
    #[command(subcommand)]
    command: RulesCommand,
}

#[derive(Debug, Subcommand)]
enum RulesCommand {
    /// Write a small game with remarks to start from
    New(NewRulebookArgs),
    /// Report all faults of rulebooks, or their contents
    Check(check::CheckArgs),
    /// Indent rulebooks and align their columns; only blanks are changed
    Format(FormatArgs),
    /// Show the state that a rule remembers at each of its dice
    Inspect(inspect::InspectStateArgs),
    /// Serve an editor: faults, remarks, mends and names while you write
    Lsp(language_server::LanguageServerArgs),
}

impl RulesArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// When a file cannot be read or written, or has faults.
    pub fn run_rules_subcommand(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        match &self.command {
            RulesCommand::New(new) => new.write_first_rulebook(),
            RulesCommand::Check(check) => check.check_rulebooks_once_or_watch(catalogue),
            RulesCommand::Format(format) => format.format_rulebook_files(),
            RulesCommand::Inspect(inspect) => inspect.show_state_at_each_die(catalogue),
            RulesCommand::Lsp(server) => server.run(catalogue),
        }
    }
}

#[derive(Debug, Args)]
struct NewRulebookArgs {
    /// The file to write; an existing file is never replaced
    #[arg(default_value = "my_game.rules")]
    file: PathBuf,
}

/// The game to start from.
const FIRST_RULEBOOK_TEXT: &str = include_str!("../../../../rulebooks/bridgehead.rules");

impl NewRulebookArgs {
    fn write_first_rulebook(&self) -> Result<OutputAndError, Error> {
        write_new_file(&self.file, FIRST_RULEBOOK_TEXT)?;
        let file = replace_control_chars(&self.file.display().to_string());
        Ok(OutputAndError::from(format!(
            "wrote {file}\n\
             check it while you write:  enfilade rules check {file} --watch\n\
             see its actions:           enfilade systems {file}\n\
             ask:                       enfilade odds {file} fire cover=0..3\n"
        )))
    }
}

#[derive(Debug, Args)]
struct FormatArgs {
    /// The rulebooks
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only list the files that would be changed; the exit code is 1 if there are any
    #[arg(long)]
    check: bool,
}

impl FormatArgs {
    fn format_rulebook_files(&self) -> Result<OutputAndError, Error> {
        let (mut text, mut changed, mut wrong) = (String::new(), 0, Vec::new());
        for path in &self.files {
            match self.format_rulebook_file(path) {
                Ok(true) => {
                    let would = if self.check { "would be" } else { "was" };
                    text += &format!(
                        "{} {would} formatted\n",
                        replace_control_chars(&path.display().to_string())
                    );
                    changed += 1;
                }
                Ok(false) => {}
                // The other files are formatted all the same.
                Err(error) => wrong.push(error),
            }
        }
        if changed == 0 && wrong.is_empty() {
            text += "nothing to change\n";
        }
        let trouble = report_errors_but_last(wrong).or_else(|| {
            let describe = || format!("{} would be changed", format_count(changed, "file"));
            (self.check && changed > 0).then(|| Error::Disagreement(describe()))
        });
        Ok(OutputAndError::new(text, trouble))
    }

    /// Formats one file; returns whether it changed.
    fn format_rulebook_file(&self, path: &Path) -> Result<bool, Error> {
        let input = SourceInput::read_path_or_stdin(path)?;
        let set = format_rulebook_text(&input.text).map_err(|faults| InputError {
            name: input.name.clone(),
            text: input.text.clone(),
            faults,
        })?;
        let changed = set != input.text;
        if changed && !self.check {
            // Whole or not at all: the file may be the only copy.
            let file =
                crate::report::folder::staging::AtomicOutputFile::prepare_at_path(path, &[])?;
            file.write_whole_content(set.as_bytes())?;
        }
        Ok(changed)
    }
}

/// Reports all of these errors but the last, which is returned.
fn report_errors_but_last(mut errors: Vec<Error>) -> Option<Error> {
    let last = errors.pop();
    errors.iter().for_each(error_report::write_error_to_stderr);
    last
}
