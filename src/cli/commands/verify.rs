//! `enfilade verify`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::bench;
use crate::catalogue::Catalogue;
use crate::cli::args::question_args::has_rulebook_ending;
use crate::cli::args::{ExecutionArgs, ExtraRulebookArgs};
use crate::cli::command_output::OutputAndError;
use crate::cli::progress::TerminalRunProgress;
use crate::cli::text_sheet::HeadAndTextRows;
use crate::error::{Error, format_count};
use crate::form::sanitize::group_digits;
use crate::report::terminal::TerminalCapabilities;
use crate::report::text::sentences;
use crate::report::{self, FolderVerification};
use crate::stats::agreement::AgreementVerdict;
use crate::study::cross_check::{
    self, CrossCheck, CrossCheckSettings, MAX_EXACT_ENGINE_GAP, RUN_FALSE_ALARM_BUDGET,
};
use crate::study::experiment::GridCell;

/// Check that exact, simulated and played results agree, with a graph and without, or that results
/// are unchanged
///
/// Every sample contest of every rule system is played in all ways. The exit code is 1 if two of
/// them disagree. With a folder, its files are compared with its manifest instead, and its tables
/// are read back; the exit code is 5 if anything was changed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  enfilade verify --system asl\n  enfilade verify out/ift-odds")]
pub struct VerifyArgs {
    /// A folder of results to check, in place of the engines
    #[arg(conflicts_with_all = ["system", "long", "trials", "rules"])]
    folder: Option<PathBuf>,
    /// Only this rule system
    #[arg(long, value_name = "ID")]
    system: Option<String>,
    /// In place of the samples, the four reference contests with 10 000 000 000 trials each
    #[arg(long, conflicts_with = "system")]
    long: bool,
    /// Simulate this many trials per contest [default: 33554432, or 10000000000 with --long]
    #[arg(long, value_name = "N", value_parser = crate::cli::args::parse_trial_count)]
    trials: Option<u64>,
    #[command(flatten)]
    rulebooks: ExtraRulebookArgs,
    #[command(flatten)]
    machine: ExecutionArgs,
}

impl VerifyArgs {
    /// Renders the verdict on every sample.
    ///
    /// # Errors
    /// When the system does not exist, a built-in sample has faults or is too large, or a folder
    /// was changed; in the output's error when engines disagree.
    pub fn verify_samples_or_folder(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        if let Some(file) = self.folder.as_deref().filter(|folder| has_rulebook_ending(folder)) {
            let file = file.display();
            let problem = format!("{file} is a rulebook: enfilade verify --rules {file}");
            return Err(Error::Usage(problem));
        }
        if let Some(folder) = &self.folder {
            return Ok(report::verify_result_folder(folder)
                .map(|checked| OutputAndError::from(describe_folder_check(folder, &checked)))?);
        }
        let (mut cells, mut left_out) = (Vec::new(), String::new());
        for cell in
            self.sample_or_reference_cells(&self.rulebooks.catalogue_with_files(catalogue)?)?
        {
            match cross_check::find_comparison_obstacle(&cell) {
                Some(why) => {
                    // Named, because a contest that is not compared must not look as if it agreed.
                    left_out += &format!(
                        "Left out, {why}: {}.\n",
                        sentences::replace_control_chars(&cell.name)
                    )
                }
                None => cells.push(cell),
            }
        }
        let gate = self.cross_check_settings();
        let count = cells.len() as u64;
        let progress = TerminalRunProgress::new(count, self.machine.quiet)?
            .with_total_trials(count.saturating_mul(gate.simulated))
            .with_slow_warning("verify")
            .with_time_limit(self.machine.within);
        let pool = self.machine.build_thread_pool()?;
        let checks = pool.install(|| cross_check::cross_check_cells(&cells, &gate, &progress));
        progress.remove_bar();
        let checks = checks?;
        let text = render_cross_checks(&checks, &gate) + &left_out;
        Ok(OutputAndError::new(text, failed_or_unfinished_error(&checks, cells.len())))
    }

    fn sample_or_reference_cells(&self, catalogue: &Catalogue) -> Result<Vec<GridCell>, Error> {
        if self.long {
            let cells = bench::REFERENCE_CONTESTS
                .iter()
                .map(bench::BenchContestWithPlainLoop::build_cell)
                .enumerate();
            return Ok(cells.map(|(index, cell)| GridCell { index, ..cell }).collect());
        }
        let find = |id| super::systems::find_rulebook_by_id(catalogue, id);
        let only = self.system.as_deref().map(find).transpose()?;
        // A rulebook given by an option is checked by its examples.
        let sole_rulebook =
            catalogue.sole_text_rulebook().filter(|_| !self.rulebooks.rules.is_empty());
        Ok(cross_check::cells_of_rulebook_samples(
            catalogue,
            only.or(sole_rulebook).map(|system| &**system),
        )?)
    }

    fn cross_check_settings(&self) -> CrossCheckSettings {
        let (simulated, played) = if self.long {
            (cross_check::LONG_TRIALS_SIMULATED, cross_check::LONG_TRIALS_PLAYED)
        } else {
            (cross_check::TRIALS_SIMULATED, cross_check::TRIALS_PLAYED)
        };
        CrossCheckSettings {
            seed: self.machine.seed.map_or(1, |seed| seed.value),
            simulated: self.trials.unwrap_or(simulated),
            played,
            isa: self.machine.chosen_instruction_set(),
        }
    }
}

/// Describes the check of a folder of results.
fn describe_folder_check(folder: &Path, checked: &FolderVerification) -> String {
    let folder = sentences::replace_control_chars(&folder.display().to_string());
    let mut text = format!("{folder}: {} are unchanged\n", format_count(checked.files, "file"));
    for (name, rows) in &checked.tables {
        let rows = group_digits(*rows as u64);
        text += &format!("{name}: {rows} rows, the same in both formats\n");
    }
    if !checked.others.is_empty() {
        let names = sentences::replace_control_chars(&checked.others.join(", "));
        text += &format!("other files, not of these results: {names}\n");
    }
    match checked.cells {
        Some((cells, answered)) if answered < cells => {
            text + &format!("{answered} of {cells} cells were answered: the run was interrupted\n")
        }
        _ => text,
    }
}

const CHECK_TABLE_HEAD: [&str; 10] =
    ["contest", "states", "nodes", "outcomes", "simulated", "z", "played", "z", "waves", "counted"];

fn render_cross_checks(checks: &[CrossCheck], gate: &CrossCheckSettings) -> String {
    let mut sheet = HeadAndTextRows::new(&CHECK_TABLE_HEAD);
    sheet.rows = checks.iter().flat_map(rows_of_contest_and_tallies).collect();
    let agree = checks.iter().filter(|check| check.do_all_engines_agree()).count();
    let mut text = sheet.render_aligned_columns(TerminalCapabilities::from_stdout().width);
    text += &format!(
        "\n{agree} of {} contests agree: {} trials simulated and {} played each (seed {}).\n\
         simulated, played: n\u{b7}KL over the threshold at which agreement is refused; below 1 agrees.\n\
         z: the outcome farthest from its expectation, in standard deviations.\n\
         waves: distance of the exact distribution without a graph from the one with it, over 1e-12;\n\
         counted: as simulated, without a graph, as many trials as played; nothing where players decide.\n",
        checks.len(),
        group_digits(gate.simulated),
        group_digits(gate.played),
        gate.seed,
    );
    text += &best_play_line(checks);
    // The rate of false alarms is shown with the verdict: without it a disagreement means nothing.
    for alarm in RUN_FALSE_ALARM_BUDGET.alarms {
        text += &format!(
            "False alarms, {}: at most {} checks of {:e}.\n",
            alarm.name, alarm.checks, alarm.alpha
        );
    }
    text + &format!(
        "False alarms of the whole run: at most {:.1e}.\n",
        RUN_FALSE_ALARM_BUDGET.false_alarm_bound()
    )
}

/// Describes the check of best play; empty where nobody decides.
fn best_play_line(checks: &[CrossCheck]) -> String {
    let decided = checks.iter().filter(|check| check.best_play.is_some()).count();
    match decided {
        0 => String::new(),
        _ => format!(
            "best play in {}: compared with value iteration; hidden choices with the best reply to them.\n",
            format_count(decided, "contest")
        ),
    }
}

/// The row of a contest, and below it one for each tally.
fn rows_of_contest_and_tallies(check: &CrossCheck) -> Vec<Vec<String>> {
    let tally = |(counter, [simulated, played]): (usize, &[AgreementVerdict; 2])| {
        let name = format!("{}, tally {counter}", check.name);
        let blank = || "-".to_owned();
        let (simulated, played) =
            (format_ratio_to_threshold(simulated), format_ratio_to_threshold(played));
        let counted = check.frontier.as_ref().and_then(|waves| waves.tallies.get(counter));
        let counted = counted.map_or_else(blank, format_ratio_to_threshold);
        let row = [name, blank(), blank(), blank(), simulated, blank(), played, blank(), blank()];
        row.into_iter().chain([counted]).collect()
    };
    let tallies = check.tallies.iter().enumerate().map(tally);
    [row_of_contest(check)].into_iter().chain(tallies).collect()
}

fn format_ratio_to_threshold(verdict: &AgreementVerdict) -> String {
    format!("{:.3}", verdict.statistic / verdict.threshold)
}

fn row_of_contest(check: &CrossCheck) -> Vec<String> {
    let waves = check.frontier.as_ref();
    let blank = || "-".to_owned();
    let z = |verdict: &AgreementVerdict| {
        verdict.worst.map_or("-".into(), |cell| format!("{:+.1}", cell.z))
    };
    vec![
        check.name.clone(),
        check.states.to_string(),
        check.nodes.to_string(),
        check.outcomes.to_string(),
        format_ratio_to_threshold(&check.simulated),
        z(&check.simulated),
        format_ratio_to_threshold(&check.played),
        z(&check.played),
        waves.map_or_else(blank, |waves| format!("{:.3}", waves.gap / MAX_EXACT_ENGINE_GAP)),
        waves.map_or_else(blank, |waves| format_ratio_to_threshold(&waves.counts_verdict)),
    ]
}

fn failed_or_unfinished_error(checks: &[CrossCheck], cells: usize) -> Option<Error> {
    let failed = checks.iter().filter(|check| !check.do_all_engines_agree());
    let names: Vec<_> = failed.map(|check| check.name.as_str()).collect();
    if !names.is_empty() {
        return Some(Error::Disagreement(format!("the engines disagree in {}", names.join("; "))));
    }
    let checked = checks.len();
    let interrupted = || Error::Interrupted(format!("{checked} of {cells} contests were checked"));
    (checked < cells).then(interrupted)
}
