//! `enfilade rules inspect`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use crate::catalogue::{Action, Catalogue, System};
use crate::cli::options::Rulebooks;
use crate::cli::page::Page;
use crate::cli::sheet::Sheet;
use crate::cli::work;
use crate::error::Error;
use crate::form::Form;
use crate::report::words::clean;
use crate::rulebook;
use crate::stats::decimals::grouped;
use crate::study::verify;

/// Say what a rule remembers at each of its dice
///
/// A state is the place in the rule and what it still needs to know there. A rule with many states is
/// made small by remembering less: the table says where they are.
#[derive(Debug, Args)]
pub struct Inspect {
    /// The rulebook
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The action [default: that of the contest, or the first]
    #[arg(long, value_name = "A")]
    action: Option<String>,
    /// An experiment, the first contest of which is looked at [default: the first example]
    #[arg(value_name = "CONTEST")]
    contest: Option<PathBuf>,
}

impl Inspect {
    /// The dice of the rule, a line each.
    ///
    /// # Errors
    /// When a file cannot be read or has faults, or there is no such contest.
    pub fn run(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        let read = rulebook::open(&self.file)?;
        let given = Rulebooks {
            rules: vec![self.file.clone()],
        };
        let (built_in, catalogue) = (catalogue, given.on(catalogue)?);
        let id = crate::study::shelf::stem(&self.file);
        let system = catalogue
            .system(&id)
            .map_err(|fault| Error::Usage(fault.problem))?;
        let (action, form, what) = self.contest(&given, [built_in, &catalogue], system)?;
        let dice = rulebook::remembered(&read, &action.name, &form);
        let dice = dice.map_err(|faults| {
            let problems: Vec<_> = faults.into_iter().map(|fault| fault.problem).collect();
            Error::Usage(problems.join("; "))
        })?;
        let mut sheet = Sheet::new(&["line", "the rule", "remembered there", "states"]);
        for die in &dice {
            let line = read
                .text
                .lines()
                .nth(die.line.saturating_sub(1))
                .unwrap_or_default();
            sheet.rows.push(vec![
                die.line.to_string(),
                clean(said(line)),
                clean(&die.names.join(", ")),
                grouped(die.states as u64),
            ]);
        }
        let states: usize = dice.iter().map(|die| die.states).sum();
        let head = clean(&format!("{} {}, {what}", system.id, action.name));
        let all = grouped(states as u64);
        Ok(Page::from(format!(
            "{head}: {all} states at {} dice\n\n{}",
            dice.len(),
            sheet.table()
        )))
    }

    /// The action and the contest that is looked at, and which that is.
    fn contest(
        &self,
        given: &Rulebooks,
        [built_in, catalogue]: [&Catalogue; 2],
        system: &Arc<System>,
    ) -> Result<(Arc<Action>, Form, String), Error> {
        let find = |name: &String| {
            let found = system.action(name);
            found.map_err(|fault| {
                let help = fault.help.map_or(String::new(), |help| format!("; {help}"));
                Error::Usage(fault.problem + &help)
            })
        };
        let named = self.action.as_ref().map(find).transpose()?;
        let (cells, what) = match &self.contest {
            Some(path) => {
                let (_, experiment) = work::read(built_in, given, path)?;
                (experiment.cells, "the first such contest of the file")
            }
            None => (
                verify::samples(catalogue, Some(system))?,
                "its first example",
            ),
        };
        let wanted = |cell: &crate::study::experiment::Cell| {
            cell.system == *system && named.is_none_or(|action| *action == cell.action)
        };
        if let Some(cell) = cells.into_iter().find(wanted) {
            return Ok((cell.action, cell.form, what.to_owned()));
        }
        // Without an example, what holds where nothing is said.
        let action = named.or(system.actions.first());
        let action = action.filter(|_| self.contest.is_none()).ok_or_else(|| {
            Error::Usage(format!(
                "there is no contest of {} to look at",
                clean(&system.id)
            ))
        })?;
        let form = Form::fill(&action.fields, &toml::Table::new()).map_err(|faults| {
            let problem = faults
                .into_iter()
                .next()
                .map_or(String::new(), |fault| fault.problem);
            Error::Usage(format!(
                "{problem}: give an example of {}, or a contest",
                action.name
            ))
        })?;
        Ok((Arc::clone(action), form, "nothing said".to_owned()))
    }
}

/// A line of the rule without its remark.
fn said(line: &str) -> &str {
    line.split("--").next().unwrap_or(line).trim()
}
