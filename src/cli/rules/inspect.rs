//! `enfilade rules inspect`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use toml::Value as Toml;

use crate::catalogue::{Action, Catalogue, System};
use crate::cli::options::Rulebooks;
use crate::cli::page::Page;
use crate::cli::question;
use crate::cli::sheet::Sheet;
use crate::cli::work;
use crate::error::Error;
use crate::form::sanitize::grouped;
use crate::form::{Form, Kind, Value};
use crate::report::terminal::Screen;
use crate::report::text::sentences::clean;
use crate::rulebook::{self, Counted, Inspection, Rulebook};
use crate::study::cross_check;

/// Show the state that a rule remembers at each of its dice
///
/// A state is the place in the rule and the values that it still needs there. A rule with many
/// states becomes small by remembering less: the table shows where the states are, and which fields
/// they come from.
#[derive(Debug, Args)]
pub struct Inspect {
    /// The rulebook
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The action [default: that of the contest, or the first]
    #[arg(long, value_name = "A")]
    action: Option<String>,
    /// An experiment, whose first contest is inspected [default: the first example]
    #[arg(value_name = "CONTEST")]
    contest: Option<PathBuf>,
}

impl Inspect {
    /// Renders the dice of the rule, a line each.
    ///
    /// # Errors
    /// When a file cannot be read or has faults, or the contest does not exist.
    pub fn run(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        let read = rulebook::open(&self.file, catalogue)?;
        // The file is read a second time, into the catalogue that contests use: here it is a text
        // with lines.
        let given = Rulebooks { rules: vec![self.file.clone()] };
        let (built_in, catalogue) = (catalogue, given.on(catalogue)?);
        let id = crate::study::file::rulebook_loader::stem(&self.file);
        let system = catalogue.system(&id).map_err(|fault| Error::Usage(fault.problem))?;
        let (action, form, what) = self.contest(&given, [built_in, &catalogue], system)?;
        let found = rulebook::remembered(&read, &action.name, &form);
        let found = found.map_err(|faults| {
            let problems: Vec<_> = faults.into_iter().map(|fault| fault.problem).collect();
            Error::Usage(problems.join("; "))
        })?;
        let width = Screen::of_stdout().width;
        let head = clean(&format!("{} {}, {what}", system.id, action.name));
        let mut page =
            format!("{head}: {}\n\n{}", summary(&found), table(&read, &found).table(width));
        if let Counted::First(_, Some((name, values))) = &found.counted {
            let values = grouped(*values as u64);
            page += &format!("\nThey differ most in: {}, {values} values so far.\n", clean(name));
        }
        let lower = lowered(&read, &action, &form, &found);
        if !lower.rows.is_empty() {
            page += "\nWith one field at its smallest value:\n\n";
            page += &lower.table(width);
        }
        Ok(Page::from(page))
    }

    /// Finds the action and the contest to inspect, with a description.
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
                let input = question::file(path)?;
                let experiment = work::understood(built_in, given, &input)?;
                (experiment.cells, "the first such contest of the file")
            }
            None => (cross_check::samples(catalogue, Some(system))?, "its first example"),
        };
        let wanted = |cell: &crate::study::experiment::Cell| {
            cell.system == *system && named.is_none_or(|action| *action == cell.action)
        };
        if let Some(cell) = cells.into_iter().find(wanted) {
            return Ok((cell.action, cell.form, what.to_owned()));
        }
        // Without an example, the defaults hold.
        let action = named.or(system.actions.first());
        let action = action.filter(|_| self.contest.is_none()).ok_or_else(|| {
            Error::Usage(format!("there is no contest of {} to inspect", clean(&system.id)))
        })?;
        let form = Form::fill(&action.fields, &toml::Table::new()).map_err(|faults| {
            let problem = faults.into_iter().next().map_or(String::new(), |fault| fault.problem);
            Error::Usage(format!("{problem}: give an example of {}, or a contest", action.name))
        })?;
        Ok((Arc::clone(action), form, "nothing said".to_owned()))
    }
}

fn summed(found: &Inspection) -> usize {
    found.dice.iter().map(|die| die.states).sum()
}

/// Describes the number of states.
fn summary(found: &Inspection) -> String {
    let dice = found.dice.len();
    match found.counted {
        Counted::All => {
            format!("{} states at {dice} dice, each die a step", grouped(summed(found) as u64))
        }
        Counted::First(most, _) => format!(
            "more than {} states at {dice} dice, each die a step: those of the fewest dice are counted \
             here, and `enfilade odds` shows how long all of them take",
            grouped(most as u64)
        ),
        Counted::TooWide(numbers, most) => {
            format!(
                "it cannot be played: it remembers {numbers} numbers at a die, more than {most}"
            )
        }
    }
}

/// Lists the dice, a line each; for a rule that cannot be played, the values that it remembers.
fn table(read: &Rulebook, found: &Inspection) -> Sheet {
    let is_wide = matches!(found.counted, Counted::TooWide(..));
    let last = if is_wide { "numbers" } else { "states" };
    let mut sheet = Sheet::new(&["line", "the rule", "remembered there", last]);
    for die in &found.dice {
        let line = read.text.lines().nth(die.line.saturating_sub(1)).unwrap_or_default();
        let count = if is_wide { die.numbers } else { die.states };
        sheet.rows.push(vec![
            die.line.to_string(),
            clean(said(line)),
            clean(&die.names.join(", ")),
            grouped(count as u64),
        ]);
    }
    sheet
}

/// Time limit for the costs of fields.
const LONGEST: Duration = Duration::from_secs(2);

/// Lists the costs of fields: the number of states left with each at its smallest value, the fewest
/// first.
fn lowered(read: &Rulebook, action: &Action, form: &Form, found: &Inspection) -> Sheet {
    let states = if found.counted == Counted::All { summed(found) } else { usize::MAX };
    let clock = Instant::now();
    let mut rows = Vec::new();
    for field in action.fields.iter().take_while(|_| clock.elapsed() < LONGEST) {
        let value = form.get(&field.name);
        let Some((now, least)) = value.and_then(|value| least(&field.kind, value)) else {
            continue;
        };
        let Toml::Table(mut table) = Toml::from(form) else {
            continue;
        };
        let said = match &least {
            Toml::Array(items) => items.len().to_string(),
            Toml::String(text) => text.clone(),
            other => other.to_string(),
        };
        table.insert(field.name.to_string(), least);
        // A field may be out of range at its smallest value; then its cost is unknown.
        let Ok(form) = Form::fill(&action.fields, &table) else {
            continue;
        };
        let Ok(less) = rulebook::remembered(read, &action.name, &form) else {
            continue;
        };
        let then = summed(&less);
        if less.counted == Counted::All && then < states {
            let (name, then_said) = (clean(&field.name), grouped(then as u64));
            rows.push((then, vec![name, now, said, then_said]));
        }
    }
    rows.sort_by_key(|(then, _)| *then);
    let mut sheet = Sheet::new(&["field", "now", "at its least", "states then"]);
    sheet.rows.extend(rows.into_iter().map(|(_, row)| row));
    sheet
}

/// Formats a value, with the smallest value of its field if that is less.
fn least(kind: &Kind, value: &Value) -> Option<(String, Toml)> {
    let (least, now) = match (kind, value) {
        (Kind::Int(bound), Value::Int(n)) if *n > bound.low => {
            (Toml::Integer(bound.low), n.to_string())
        }
        (Kind::Flag, Value::Flag(true)) => (Toml::Boolean(false), "true".to_owned()),
        (Kind::Die(sides), Value::Die(now)) => {
            let least = sides.iter().min().filter(|least| *least < now)?;
            (Toml::String(format!("d{least}")), format!("d{now}"))
        }
        (Kind::List(_, bound), Value::List(values)) => {
            let least = usize::try_from(bound.low).ok()?.max(1);
            let kept = values.get(..least).filter(|kept| kept.len() < values.len())?;
            let kept = kept.iter().map(Toml::from).collect();
            (Toml::Array(kept), values.len().to_string())
        }
        (Kind::Tables(..), Value::Tables(forms)) => {
            let Toml::Table(mut first) = Toml::from(forms.first()?) else {
                return None;
            };
            // Several tables and one with a count are equal to a rule: the text shows the count.
            let count = |form: &Form| form.maybe_int(COUNT).unwrap_or(1);
            let all: i64 = forms.iter().map(count).sum();
            if first.contains_key(COUNT) {
                first.insert(COUNT.to_owned(), Toml::Integer(1));
            }
            if all < 2 {
                return None;
            }
            (Toml::Array(vec![Toml::Table(first)]), all.to_string())
        }
        _ => return None,
    };
    Some((now, least))
}

/// The key for the count of a record of a contest.
const COUNT: &str = "count";

/// Removes the remark from a line of the rule.
fn said(line: &str) -> &str {
    line.split("--").next().unwrap_or(line).trim()
}
