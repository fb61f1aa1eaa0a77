//! `enfilade rules check`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use clap::Args;
use toml::Table;

use super::report_errors_but_last;
use crate::cancel::CancelToken;
use crate::catalogue::{Catalogue, RulebookAction};
use crate::cli::args::question_args::has_rulebook_ending;
use crate::cli::command_output::OutputAndError;
use crate::cli::error_report;
use crate::error::{Error, FaultWithByteSpan, InputError, SolveError, StudyError, format_count};
use crate::form::sanitize::group_digits;
use crate::form::{Form, name_matching};
use crate::graph::{CompiledContestLimits, DieGraph};
use crate::plain_file::{self, MAX_INPUT_BYTES};
use crate::report::text::sentences::replace_control_chars;
use crate::rulebook::diagnostics::Faults;
use crate::rulebook::syntax::ast::{DeclarationKind, RulebookAst};
use crate::rulebook::syntax::parser::parse_rulebook_file;
use crate::rulebook::{self, Rulebook};
use crate::study::cross_check;
use crate::study::experiment::GridCell;
use crate::study::solve::errors::name_cell_of_error;

/// Interval at which watched files are checked.
const FILE_POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Depth of rulebooks that extend each other, with a few to spare.
const MAX_EXTENDING_DEPTH: usize = 8;

/// Report all faults of rulebooks, or their contents
///
/// The exit code is 2 if there is a fault; warnings alone are none.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The rulebooks
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Check again whenever one of the files, or a file it names, is changed, until Ctrl-C
    #[arg(long)]
    watch: bool,
}

impl CheckArgs {
    /// Renders the contents of every rulebook, or its faults.
    ///
    /// # Errors
    /// In the output's error, when a rulebook cannot be read or has faults.
    pub fn check_rulebooks_once_or_watch(
        &self,
        catalogue: &Catalogue,
    ) -> Result<OutputAndError, Error> {
        if !self.watch {
            return Ok(self.check_rulebook_files(catalogue));
        }
        loop {
            // Before they are read, so that a change in the meantime is checked again.
            let stamps = self.file_times_and_sizes();
            let OutputAndError { output, error } = self.check_rulebook_files(catalogue);
            OutputAndError::new(output, None).print_output()?;
            error.iter().for_each(error_report::write_error_to_stderr);
            while self.file_times_and_sizes() == stamps {
                std::thread::sleep(FILE_POLL_INTERVAL);
            }
            error_report::write_remark_to_stderr("changed; checked again:");
        }
    }

    fn check_rulebook_files(&self, catalogue: &Catalogue) -> OutputAndError {
        let (mut text, mut wrong) = (String::new(), Vec::new());
        for path in &self.files {
            match check_rulebook_file(catalogue, path) {
                Ok(remark) => text += &remark,
                Err(error) => wrong.push(error),
            }
        }
        let trouble = report_errors_but_last(wrong);
        OutputAndError::new(text, trouble)
    }

    /// Last change and length of each file.
    fn file_times_and_sizes(&self) -> Vec<(PathBuf, Option<(SystemTime, u64)>)> {
        let mut files = Vec::new();
        self.files
            .iter()
            .for_each(|path| collect_file_and_named_files(path, MAX_EXTENDING_DEPTH, &mut files));
        let stamp = |path: &PathBuf| {
            let metadata = path.metadata().ok()?;
            Some((metadata.modified().ok()?, metadata.len()))
        };
        files
            .into_iter()
            .map(|path| {
                let stamp = stamp(&path);
                (path, stamp)
            })
            .collect()
    }
}

/// Collects the file at `path` and those that it names, in spite of other faults in it.
fn collect_file_and_named_files(path: &Path, deep: usize, files: &mut Vec<PathBuf>) {
    if deep == 0 || files.iter().any(|known| known == path) {
        return;
    }
    files.push(path.to_owned());
    // The given file is read under any name, others only if they may name more.
    let text = match has_rulebook_ending(path) || deep == MAX_EXTENDING_DEPTH {
        true => plain_file::read_text_up_to(path, MAX_INPUT_BYTES).unwrap_or_default(),
        false => String::new(),
    };
    let tree = parse_rulebook_file(&text, &mut Faults::default());
    let folder = path.parent().unwrap_or(Path::new(""));
    for path in files_named_in_ast(&tree)
        .filter_map(|name| plain_file::resolve_in_folder(folder, name).ok())
    {
        collect_file_and_named_files(&path, deep - 1, files);
    }
}

fn files_named_in_ast(tree: &RulebookAst) -> impl Iterator<Item = &str> {
    let of = tree.declarations.iter().filter_map(|declared| match &declared.kind {
        DeclarationKind::Data(data) => data.from.as_ref(),
        DeclarationKind::Table(table) => table.from.as_ref(),
        _ => None,
    });
    of.chain(&tree.extends).map(|name| name.text.as_str())
}

/// Describes whether a contest can reach a state that no roll of the dice ends.
fn endless_contest_note(graph: &DieGraph) -> &'static str {
    match graph.endings().is_empty() {
        true => "; it never ends: no roll leaves the loop",
        false if graph.can_exit_by_loop_head().contains(&false) => {
            "; it may never end: it can reach a loop that no roll leaves"
        }
        false => "",
    }
}

/// Checks the rulebook at `path` and describes its contents.
fn check_rulebook_file(catalogue: &Catalogue, path: &Path) -> Result<String, Error> {
    let rulebook = rulebook::read_rulebook_at_path(path, catalogue)?;
    let mut text: String = rulebook.warnings.iter().map(|w| warning_line(&rulebook, w)).collect();
    text += &name_clash_remark(catalogue, &rulebook);
    text += &format!(
        "{}: {}\n",
        replace_control_chars(&rulebook.name),
        rulebook_in_order_line(&rulebook)
    );
    // Its examples are contests like any other; without examples the minimal contest is checked.
    let watch = ExampleTimeBudget::new();
    for cell in examples_as_cells(&rulebook)? {
        text += &format!(
            "  {}: {}\n",
            replace_control_chars(&cell.name),
            watch.describe_example_contest(&cell)?
        );
    }
    Ok(text)
}

/// Time limit for the examples of a rulebook.
const EXAMPLES_TIME_LIMIT: Duration = Duration::from_secs(1);

/// Limit of states: with all their data some hundred megabytes.
const MAX_EXAMPLE_STATES: usize = 1 << 19;

/// Limit of nodes, likewise.
const MAX_EXAMPLE_NODES: usize = 1 << 20;

/// Budget of time for the examples.
struct ExampleTimeBudget {
    halt: Arc<CancelToken>,
}

impl ExampleTimeBudget {
    /// Starts the time.
    fn new() -> ExampleTimeBudget {
        let halt = Arc::new(CancelToken::new());
        let rings = Arc::clone(&halt);
        // The thread is not joined: it ends with the program, at the latest.
        std::thread::spawn(move || {
            std::thread::sleep(EXAMPLES_TIME_LIMIT);
            rings.cancel();
        });
        ExampleTimeBudget { halt }
    }

    /// Describes a contest: its states and outcomes, or that it is large.
    fn describe_example_contest(&self, cell: &GridCell) -> Result<String, Error> {
        let limits = CompiledContestLimits {
            states: MAX_EXAMPLE_STATES,
            nodes: MAX_EXAMPLE_NODES,
            ..CompiledContestLimits::default()
        };
        match DieGraph::compile_combat_or_cancel(&cell.played.combat, &limits, &self.halt) {
            Ok(graph) => Ok(format!(
                "{}, {}{}",
                count_with_noun(graph.reached_state_count(), "state"),
                count_with_noun(graph.endings().len(), "outcome"),
                endless_contest_note(&graph)
            )),
            // The contest may be played all the same, without a graph or one trial at a time.
            Err(SolveError::TooLarge(_) | SolveError::Cancelled) => Ok(format!(
                "large: its states are not counted here within {} second and {} states; `enfilade rules \
                 inspect` shows what makes them many, and `enfilade odds` how long they take",
                EXAMPLES_TIME_LIMIT.as_secs(),
                group_digits(MAX_EXAMPLE_STATES as u64)
            )),
            Err(why) => Err(name_cell_of_error(cell, why).into()),
        }
    }
}

/// The examples of a rulebook as cells; faults of examples are reported at their lines.
fn examples_as_cells(rulebook: &Rulebook) -> Result<Vec<GridCell>, StudyError> {
    let system = &rulebook.system;
    let alone = Catalogue::from_rulebooks([system.clone()]);
    let (mut cells, mut wrong) = (Vec::new(), None);
    for (at, action) in system.actions.iter().enumerate() {
        let count = action.samples.iter().count();
        for position in 0..count {
            match cross_check::cells_of_sample(&alone, system, action, position) {
                Ok(example_cells) => cells.extend(example_cells),
                Err(StudyError::Input(error)) => {
                    let text = action.samples.get(position).unwrap_or_default();
                    let table = text.parse().unwrap_or_default();
                    let in_rule = unplayable_fault_for_table(rulebook, at, action, &table);
                    let remark = in_rule.unwrap_or_else(|| {
                        rulebook.move_error_to_example_place(at, position, error)
                    });
                    wrong = Some(add_faults_if_same_file(wrong, remark));
                }
                Err(error) => return Err(error),
            }
        }
        // A rule that cannot be played has no minimal contest either.
        let in_rule = || {
            unplayable_fault_for_table(rulebook, at, action, &action.fields.smallest_valid_table())
        };
        if let Some(remark) = (count == 0).then(in_rule).flatten() {
            wrong = Some(add_faults_if_same_file(wrong, remark));
        }
    }
    wrong.map_or(Ok(cells), |error| Err(error.into()))
}

/// Finds the fault that keeps a rule from being played in a contest that a table describes, at its
/// line.
fn unplayable_fault_for_table(
    rulebook: &Rulebook,
    at: usize,
    action: &RulebookAction,
    table: &Table,
) -> Option<InputError> {
    let form = Form::from_table_with_defaults(&action.fields, table).ok()?;
    rulebook::find_rule_unplayable_reason(rulebook, at, &form)
}

/// Merges the faults of an earlier error and of another in the same file.
fn add_faults_if_same_file(before: Option<InputError>, after: InputError) -> InputError {
    let Some(mut merged) = before else { return after };
    if merged.name == after.name {
        merged.faults.extend(after.faults);
    }
    merged
}

/// A remark if a contest would use another rulebook by this name. The built-in text itself can be
/// checked.
fn name_clash_remark(catalogue: &Catalogue, rulebook: &Rulebook) -> String {
    let id = &*rulebook.system.id;
    match catalogue.rulebook_ids().any(|known| {
        name_matching::name_matching_key(known) == name_matching::name_matching_key(id)
    }) {
        true => {
            replace_control_chars(&format!(
                "{}: a rulebook `{id}` is built in; to play this one, give its file another name, or extend \
             that one: `game \"Mine\" extends \"{id}\"`",
                rulebook.name
            )) + "\n"
        }
        false => String::new(),
    }
}

fn count_with_noun(n: usize, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {what}{plural}", group_digits(n as u64))
}

/// Describes a rulebook without faults: `the game "Bridgehead" is in order: …`.
fn rulebook_in_order_line(rulebook: &Rulebook) -> String {
    let system = &rulebook.system;
    let actions: Vec<_> = system.actions.iter().map(|action| &*action.name).collect();
    let data_tables = (system.data_tables)();
    let mut texts =
        vec![format!("{} ({})", format_count(actions.len(), "action"), actions.join(", "))];
    if !data_tables.is_empty() {
        let names: Vec<_> = data_tables.iter().map(|data_table| &*data_table.name).collect();
        texts.push(format!("data: {}", names.join(", ")));
    }
    texts.push(format_count(rulebook.example_count(), "example"));
    if system.files.len() > 1 {
        let names: Vec<_> = system.files.iter().skip(1).map(|file| &*file.name).collect();
        texts.push(format!("read with {}", names.join(", ")));
    }
    replace_control_chars(&format!("\"{}\" is in order: {}", system.title, texts.join("; ")))
}

/// Formats a warning: `bridgehead.rules:12: warning: …`.
fn warning_line(rulebook: &Rulebook, warning: &FaultWithByteSpan) -> String {
    let before = rulebook.text.get(..warning.span.start).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let help = warning.fault.help.iter();
    let help: String = help.map(|help| format!("; {help}")).collect();
    let text = format!("{}:{line}: warning: {}{help}", rulebook.name, warning.fault.problem);
    replace_control_chars(&text) + "\n"
}
