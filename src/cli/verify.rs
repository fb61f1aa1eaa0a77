//! `enfilade verify`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::options::{Machine, Rulebooks};
use super::page::Page;
use super::progress::Progress;
use super::question::is_rulebook;
use super::sheet::Sheet;
use crate::bench;
use crate::catalogue::Catalogue;
use crate::error::{Error, counted};
use crate::form::sanitize::grouped;
use crate::report::terminal::Screen;
use crate::report::text::sentences;
use crate::report::{self, Checked};
use crate::stats::agreement::Verdict;
use crate::study::cross_check::{self, APART, BUDGET, Check, Gate};
use crate::study::experiment::Cell;

/// Check that exact, simulated and played results agree, with a graph and without, or that results
/// are unchanged
///
/// Every sample contest of every rule system is played in all ways. The exit code is 1 if two of
/// them disagree. With a folder, its files are compared with its manifest instead, and its tables
/// are read back; the exit code is 5 if anything was changed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  enfilade verify --system asl\n  enfilade verify out/ift-odds")]
pub struct Verify {
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
    #[arg(long, value_name = "N", value_parser = super::options::trials)]
    trials: Option<u64>,
    #[command(flatten)]
    rulebooks: Rulebooks,
    #[command(flatten)]
    machine: Machine,
}

impl Verify {
    /// Renders the verdict on every sample.
    ///
    /// # Errors
    /// When the system does not exist, a built-in sample has faults or is too large, or a folder
    /// was changed; in the output's error when engines disagree.
    pub fn run(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        if let Some(file) = self.folder.as_deref().filter(|folder| is_rulebook(folder)) {
            let file = file.display();
            let problem = format!("{file} is a rulebook: enfilade verify --rules {file}");
            return Err(Error::Usage(problem));
        }
        if let Some(folder) = &self.folder {
            return report::check(folder).map(|checked| Page::from(kept(folder, &checked)));
        }
        let (mut cells, mut left_out) = (Vec::new(), String::new());
        for cell in self.cells(&self.rulebooks.on(catalogue)?)? {
            match cross_check::beyond(&cell) {
                Some(why) => {
                    // Named, because a contest that is not compared must not look as if it agreed.
                    left_out += &format!("Left out, {why}: {}.\n", sentences::clean(&cell.name))
                }
                None => cells.push(cell),
            }
        }
        let gate = self.gate();
        let count = cells.len() as u64;
        let progress = Progress::over(count, self.machine.quiet)?
            .making(count.saturating_mul(gate.simulated))
            .announced("verify")
            .within(self.machine.within);
        let pool = self.machine.pool()?;
        let checks = pool.install(|| cross_check::verify(&cells, &gate, &progress));
        progress.finish();
        let checks = checks?;
        let text = page(&checks, &gate) + &left_out;
        Ok(Page::new(text, trouble(&checks, cells.len())))
    }

    fn cells(&self, catalogue: &Catalogue) -> Result<Vec<Cell>, Error> {
        if self.long {
            let cells = bench::ALL.iter().map(bench::Reference::cell).enumerate();
            return Ok(cells.map(|(index, cell)| Cell { index, ..cell }).collect());
        }
        let find = |id| super::systems::find(catalogue, id);
        let only = self.system.as_deref().map(find).transpose()?;
        // A rulebook given by an option is checked by its examples.
        let given = catalogue.only_read().filter(|_| !self.rulebooks.rules.is_empty());
        cross_check::samples(catalogue, only.or(given).map(|system| &**system))
    }

    fn gate(&self) -> Gate {
        let (simulated, played) = if self.long {
            (cross_check::LONG_SIMULATED, cross_check::LONG_PLAYED)
        } else {
            (cross_check::SIMULATED, cross_check::PLAYED)
        };
        Gate {
            seed: self.machine.seed.map_or(1, |seed| seed.value),
            simulated: self.trials.unwrap_or(simulated),
            played,
            isa: self.machine.isa(),
        }
    }
}

/// Describes the check of a folder of results.
fn kept(folder: &Path, checked: &Checked) -> String {
    let folder = sentences::clean(&folder.display().to_string());
    let mut text = format!("{folder}: {} are unchanged\n", counted(checked.files, "file"));
    for (name, rows) in &checked.tables {
        let rows = grouped(*rows as u64);
        text += &format!("{name}: {rows} rows, the same in both formats\n");
    }
    if !checked.others.is_empty() {
        let names = sentences::clean(&checked.others.join(", "));
        text += &format!("other files, not of these results: {names}\n");
    }
    match checked.cells {
        Some((cells, answered)) if answered < cells => {
            text + &format!("{answered} of {cells} cells were answered: the run was interrupted\n")
        }
        _ => text,
    }
}

const HEAD: [&str; 10] =
    ["contest", "states", "nodes", "outcomes", "simulated", "z", "played", "z", "waves", "counted"];

fn page(checks: &[Check], gate: &Gate) -> String {
    let mut sheet = Sheet::new(&HEAD);
    sheet.rows = checks.iter().flat_map(rows).collect();
    let agree = checks.iter().filter(|check| check.agrees()).count();
    let mut text = sheet.table(Screen::of_stdout().width);
    text += &format!(
        "\n{agree} of {} contests agree: {} trials simulated and {} played each (seed {}).\n\
         simulated, played: n\u{b7}KL over the threshold at which agreement is refused; below 1 agrees.\n\
         z: the outcome farthest from its expectation, in standard deviations.\n\
         waves: distance of the exact distribution without a graph from the one with it, over 1e-12;\n\
         counted: as simulated, without a graph, as many trials as played; nothing where players decide.\n",
        checks.len(),
        grouped(gate.simulated),
        grouped(gate.played),
        gate.seed,
    );
    // The rate of false alarms is shown with the verdict: without it a disagreement means nothing.
    for alarm in BUDGET.alarms {
        text += &format!(
            "False alarms, {}: at most {} checks of {:e}.\n",
            alarm.name, alarm.checks, alarm.alpha
        );
    }
    text + &format!("False alarms of the whole run: at most {:.1e}.\n", BUDGET.total())
}

/// The row of a contest, and below it one for each tally.
fn rows(check: &Check) -> Vec<Vec<String>> {
    let tally = |(counter, [simulated, played]): (usize, &[Verdict; 2])| {
        let name = format!("{}, tally {counter}", check.name);
        let blank = || "-".to_owned();
        let (simulated, played) = (share(simulated), share(played));
        let counted = check.waves.as_ref().and_then(|waves| waves.tallies.get(counter));
        let counted = counted.map_or_else(blank, share);
        let row = [name, blank(), blank(), blank(), simulated, blank(), played, blank(), blank()];
        row.into_iter().chain([counted]).collect()
    };
    let tallies = check.tallies.iter().enumerate().map(tally);
    [row(check)].into_iter().chain(tallies).collect()
}

fn share(verdict: &Verdict) -> String {
    format!("{:.3}", verdict.statistic / verdict.threshold)
}

fn row(check: &Check) -> Vec<String> {
    let waves = check.waves.as_ref();
    let blank = || "-".to_owned();
    let z = |verdict: &Verdict| verdict.worst.map_or("-".into(), |cell| format!("{:+.1}", cell.z));
    vec![
        check.name.clone(),
        check.states.to_string(),
        check.nodes.to_string(),
        check.outcomes.to_string(),
        share(&check.simulated),
        z(&check.simulated),
        share(&check.played),
        z(&check.played),
        waves.map_or_else(blank, |waves| format!("{:.3}", waves.apart / APART)),
        waves.map_or_else(blank, |waves| share(&waves.counted)),
    ]
}

fn trouble(checks: &[Check], cells: usize) -> Option<Error> {
    let failed = checks.iter().filter(|check| !check.agrees());
    let names: Vec<_> = failed.map(|check| check.name.as_str()).collect();
    if !names.is_empty() {
        return Some(Error::Disagreement(format!("the engines disagree in {}", names.join("; "))));
    }
    let checked = checks.len();
    let interrupted = || Error::Interrupted(format!("{checked} of {cells} contests were checked"));
    (checked < cells).then(interrupted)
}
