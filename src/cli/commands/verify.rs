//! `enfilade verify`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::bench;
use crate::catalogue::Catalogue;
use crate::cli::args::question_args::is_rulebook;
use crate::cli::args::{MachineArgs, RulebookArgs};
use crate::cli::command_output::CommandOutput;
use crate::cli::progress::RunProgress;
use crate::cli::text_sheet::TextSheet;
use crate::error::{Error, format_count};
use crate::form::sanitize::group_digits;
use crate::report::terminal::Screen;
use crate::report::text::sentences;
use crate::report::{self, VerifiedFolder};
use crate::stats::agreement::AgreementVerdict;
use crate::study::cross_check::{self, ALARM_BUDGET, CrossCheck, CrossCheckSettings, MAX_GAP};
use crate::study::experiment::Cell;

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
    #[arg(long, value_name = "N", value_parser = crate::cli::args::parse_trials)]
    trials: Option<u64>,
    #[command(flatten)]
    rulebooks: RulebookArgs,
    #[command(flatten)]
    machine: MachineArgs,
}

impl VerifyArgs {
    /// Renders the verdict on every sample.
    ///
    /// # Errors
    /// When the system does not exist, a built-in sample has faults or is too large, or a folder
    /// was changed; in the output's error when engines disagree.
    pub fn run(&self, catalogue: &Catalogue) -> Result<CommandOutput, Error> {
        if let Some(file) = self.folder.as_deref().filter(|folder| is_rulebook(folder)) {
            let file = file.display();
            let problem = format!("{file} is a rulebook: enfilade verify --rules {file}");
            return Err(Error::Usage(problem));
        }
        if let Some(folder) = &self.folder {
            return Ok(report::verify_folder(folder)
                .map(|checked| CommandOutput::from(folder_result(folder, &checked)))?);
        }
        let (mut cells, mut left_out) = (Vec::new(), String::new());
        for cell in self.collect_cells(&self.rulebooks.extend(catalogue)?)? {
            match cross_check::find_obstacle(&cell) {
                Some(why) => {
                    // Named, because a contest that is not compared must not look as if it agreed.
                    left_out += &format!("Left out, {why}: {}.\n", sentences::sanitize(&cell.name))
                }
                None => cells.push(cell),
            }
        }
        let gate = self.build_gate();
        let count = cells.len() as u64;
        let progress = RunProgress::new(count, self.machine.quiet)?
            .with_trials(count.saturating_mul(gate.simulated))
            .with_slow_warning("verify")
            .with_deadline(self.machine.within);
        let pool = self.machine.build_pool()?;
        let checks = pool.install(|| cross_check::verify(&cells, &gate, &progress));
        progress.finish();
        let checks = checks?;
        let text = results_page(&checks, &gate) + &left_out;
        Ok(CommandOutput::new(text, check_error(&checks, cells.len())))
    }

    fn collect_cells(&self, catalogue: &Catalogue) -> Result<Vec<Cell>, Error> {
        if self.long {
            let cells = bench::REFERENCE_CONTESTS
                .iter()
                .map(bench::ReferenceContest::build_cell)
                .enumerate();
            return Ok(cells.map(|(index, cell)| Cell { index, ..cell }).collect());
        }
        let find = |id| super::systems::find_system(catalogue, id);
        let only = self.system.as_deref().map(find).transpose()?;
        // A rulebook given by an option is checked by its examples.
        let given = catalogue.sole_text_rulebook().filter(|_| !self.rulebooks.rules.is_empty());
        Ok(cross_check::sample_cells(catalogue, only.or(given).map(|system| &**system))?)
    }

    fn build_gate(&self) -> CrossCheckSettings {
        let (simulated, played) = if self.long {
            (cross_check::LONG_SIMULATED_TRIALS, cross_check::LONG_PLAYED_TRIALS)
        } else {
            (cross_check::SIMULATED_TRIALS, cross_check::PLAYED_TRIALS)
        };
        CrossCheckSettings {
            seed: self.machine.seed.map_or(1, |seed| seed.value),
            simulated: self.trials.unwrap_or(simulated),
            played,
            isa: self.machine.instruction_set(),
        }
    }
}

/// Describes the check of a folder of results.
fn folder_result(folder: &Path, checked: &VerifiedFolder) -> String {
    let folder = sentences::sanitize(&folder.display().to_string());
    let mut text = format!("{folder}: {} are unchanged\n", format_count(checked.files, "file"));
    for (name, rows) in &checked.tables {
        let rows = group_digits(*rows as u64);
        text += &format!("{name}: {rows} rows, the same in both formats\n");
    }
    if !checked.others.is_empty() {
        let names = sentences::sanitize(&checked.others.join(", "));
        text += &format!("other files, not of these results: {names}\n");
    }
    match checked.cells {
        Some((cells, answered)) if answered < cells => {
            text + &format!("{answered} of {cells} cells were answered: the run was interrupted\n")
        }
        _ => text,
    }
}

const SHEET_HEAD: [&str; 10] =
    ["contest", "states", "nodes", "outcomes", "simulated", "z", "played", "z", "waves", "counted"];

fn results_page(checks: &[CrossCheck], gate: &CrossCheckSettings) -> String {
    let mut sheet = TextSheet::new(&SHEET_HEAD);
    sheet.rows = checks.iter().flat_map(check_rows).collect();
    let agree = checks.iter().filter(|check| check.agrees()).count();
    let mut text = sheet.render_table(Screen::from_stdout().width);
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
    // The rate of false alarms is shown with the verdict: without it a disagreement means nothing.
    for alarm in ALARM_BUDGET.alarms {
        text += &format!(
            "False alarms, {}: at most {} checks of {:e}.\n",
            alarm.name, alarm.checks, alarm.alpha
        );
    }
    text + &format!(
        "False alarms of the whole run: at most {:.1e}.\n",
        ALARM_BUDGET.false_alarm_bound()
    )
}

/// The row of a contest, and below it one for each tally.
fn check_rows(check: &CrossCheck) -> Vec<Vec<String>> {
    let tally = |(counter, [simulated, played]): (usize, &[AgreementVerdict; 2])| {
        let name = format!("{}, tally {counter}", check.name);
        let blank = || "-".to_owned();
        let (simulated, played) = (share_text(simulated), share_text(played));
        let counted = check.waves.as_ref().and_then(|waves| waves.tallies.get(counter));
        let counted = counted.map_or_else(blank, share_text);
        let row = [name, blank(), blank(), blank(), simulated, blank(), played, blank(), blank()];
        row.into_iter().chain([counted]).collect()
    };
    let tallies = check.tallies.iter().enumerate().map(tally);
    [contest_row(check)].into_iter().chain(tallies).collect()
}

fn share_text(verdict: &AgreementVerdict) -> String {
    format!("{:.3}", verdict.statistic / verdict.threshold)
}

fn contest_row(check: &CrossCheck) -> Vec<String> {
    let waves = check.waves.as_ref();
    let blank = || "-".to_owned();
    let z = |verdict: &AgreementVerdict| {
        verdict.worst.map_or("-".into(), |cell| format!("{:+.1}", cell.z))
    };
    vec![
        check.name.clone(),
        check.states.to_string(),
        check.nodes.to_string(),
        check.outcomes.to_string(),
        share_text(&check.simulated),
        z(&check.simulated),
        share_text(&check.played),
        z(&check.played),
        waves.map_or_else(blank, |waves| format!("{:.3}", waves.gap / MAX_GAP)),
        waves.map_or_else(blank, |waves| share_text(&waves.counts_verdict)),
    ]
}

fn check_error(checks: &[CrossCheck], cells: usize) -> Option<Error> {
    let failed = checks.iter().filter(|check| !check.agrees());
    let names: Vec<_> = failed.map(|check| check.name.as_str()).collect();
    if !names.is_empty() {
        return Some(Error::Disagreement(format!("the engines disagree in {}", names.join("; "))));
    }
    let checked = checks.len();
    let interrupted = || Error::Interrupted(format!("{checked} of {cells} contests were checked"));
    (checked < cells).then(interrupted)
}
