//! `enfilade rules inspect`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use toml::Value as Toml;

use crate::catalogue::{Catalogue, RulebookAction, System};
use crate::cli::args::ExtraRulebookArgs;
use crate::cli::args::question_args;
use crate::cli::command_output::OutputAndError;
use crate::cli::command_steps;
use crate::cli::text_sheet::HeadAndTextRows;
use crate::error::Error;
use crate::form::sanitize::group_digits;
use crate::form::{FieldType, Form, Value};
use crate::report::terminal::TerminalCapabilities;
use crate::report::text::sentences::replace_control_chars;
use crate::rulebook::{self, RuleStateByDie, Rulebook, StateCountExtent};
use crate::seek::rulebook_numbers::list_rulebook_numbers;
use crate::study::cross_check;

/// Show the state that a rule remembers at each of its dice
///
/// A state is the place in the rule and the values that it still needs there. A rule with many
/// states becomes small by remembering less: the table shows where the states are, and which fields
/// they come from.
#[derive(Debug, Args)]
pub struct InspectStateArgs {
    /// The rulebook
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The action [default: that of the contest, or the first]
    #[arg(long, value_name = "A")]
    action: Option<String>,
    /// An experiment, whose first contest is inspected [default: the first example]
    #[arg(value_name = "CONTEST")]
    contest: Option<PathBuf>,
    /// List instead the numbers that `[change]` and `enfilade seek` may change, as they are printed
    #[arg(long, conflicts_with = "contest")]
    numbers: bool,
}

impl InspectStateArgs {
    /// Renders the dice of the rule, a line each.
    ///
    /// # Errors
    /// When a file cannot be read or has faults, or the contest does not exist.
    pub fn show_state_at_each_die(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let read = rulebook::read_rulebook_at_path(&self.file, catalogue)?;
        // The file is read a second time, into the catalogue that contests use: here it is a text
        // with lines.
        let rulebook_args = ExtraRulebookArgs { rules: vec![self.file.clone()] };
        let (built_in, catalogue) = (catalogue, rulebook_args.catalogue_with_files(catalogue)?);
        let id = crate::study::file::rulebook_loader::rulebook_name_of_path(&self.file);
        let system = catalogue.rulebook_by_id(&id).map_err(|fault| Error::Usage(fault.problem))?;
        if self.numbers {
            return Ok(OutputAndError::from(self.list_rulebook_numbers_to_set(system)));
        }
        let (action, form, what) =
            self.find_action_and_contest(&rulebook_args, [built_in, &catalogue], system)?;
        let inspection = rulebook::inspect_saved_state(&read, &action.name, &form);
        let inspection = inspection.map_err(|faults| {
            let problems: Vec<_> = faults.into_iter().map(|fault| fault.problem).collect();
            Error::Usage(problems.join("; "))
        })?;
        let width = TerminalCapabilities::from_stdout().width;
        let head = replace_control_chars(&format!("{} {}, {what}", system.id, action.name));
        let mut page = format!(
            "{head}: {}\n\n{}",
            state_count_summary(&inspection),
            sheet_of_states_per_die(&read, &inspection).render_aligned_columns(width)
        );
        if let StateCountExtent::First(_, Some((name, values))) = &inspection.state_count {
            let values = group_digits(*values as u64);
            page += &format!(
                "\nThey differ most in: {}, {values} values so far.\n",
                replace_control_chars(name)
            );
        }
        let lower = field_cost_sheet(&read, &action, &form, &inspection);
        if !lower.rows.is_empty() {
            page += "\nWith one field at its smallest value:\n\n";
            page += &lower.render_aligned_columns(width);
        }
        Ok(OutputAndError::from(page))
    }

    /// Lists the numbers of the rulebook that contests may change, each once.
    fn list_rulebook_numbers_to_set(&self, system: &System) -> String {
        let is_named = |action: &&Arc<RulebookAction>| {
            self.action.as_ref().is_none_or(|name| *action.name == **name)
        };
        let actions = system.actions.iter().filter(is_named);
        let numbers = actions.flat_map(|action| list_rulebook_numbers(action));
        let mut lines: Vec<String> = Vec::new();
        for (name, printed) in numbers {
            let line = replace_control_chars(&format!("{name} = {printed}")) + "\n";
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        match lines.is_empty() {
            true => "no contest of this rulebook changes its numbers\n".to_owned(),
            false => lines.concat(),
        }
    }

    /// Finds the action and the contest to inspect, with a description.
    fn find_action_and_contest(
        &self,
        rulebooks: &ExtraRulebookArgs,
        [built_in, catalogue]: [&Catalogue; 2],
        system: &Arc<System>,
    ) -> Result<(Arc<RulebookAction>, Form, String), Error> {
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
                let input = question_args::read_unless_rulebook(path)?;
                let experiment = command_steps::parse_experiment(built_in, rulebooks, &input)?;
                (experiment.cells, "the first such contest of the file")
            }
            None => (
                cross_check::cells_of_rulebook_samples(catalogue, Some(system))?,
                "its first example",
            ),
        };
        let wanted = |cell: &crate::study::experiment::GridCell| {
            cell.system == *system && named.is_none_or(|action| *action == cell.action)
        };
        if let Some(cell) = cells.into_iter().find(wanted) {
            return Ok((cell.action, cell.form, what.to_owned()));
        }
        // Without an example, the defaults hold.
        let action = named.or(system.actions.first());
        let action = action.filter(|_| self.contest.is_none()).ok_or_else(|| {
            Error::Usage(format!(
                "there is no contest of {} to inspect",
                replace_control_chars(&system.id)
            ))
        })?;
        let form = Form::from_table_with_defaults(&action.fields, &toml::Table::new()).map_err(
            |faults| {
                let problem =
                    faults.into_iter().next().map_or(String::new(), |fault| fault.problem);
                Error::Usage(format!("{problem}: give an example of {}, or a contest", action.name))
            },
        )?;
        Ok((Arc::clone(action), form, "nothing said".to_owned()))
    }
}

fn sum_states_of_all_dice(inspection: &RuleStateByDie) -> usize {
    inspection.dice.iter().map(|die| die.states).sum()
}

/// Describes the number of states.
fn state_count_summary(inspection: &RuleStateByDie) -> String {
    let dice = inspection.dice.len();
    match inspection.state_count {
        StateCountExtent::All => {
            format!(
                "{} states at {dice} dice, each die a step",
                group_digits(sum_states_of_all_dice(inspection) as u64)
            )
        }
        StateCountExtent::First(most, _) => format!(
            "more than {} states at {dice} dice, each die a step: those of the fewest dice are counted \
             here, and `enfilade odds` shows how long all of them take",
            group_digits(most as u64)
        ),
        StateCountExtent::TooWide(numbers, most) => {
            format!(
                "it cannot be played: it remembers {numbers} numbers at a die, more than {most}"
            )
        }
    }
}

/// Lists the dice, a line each; for a rule that cannot be played, the values that it remembers.
fn sheet_of_states_per_die(read: &Rulebook, inspection: &RuleStateByDie) -> HeadAndTextRows {
    let is_wide = matches!(inspection.state_count, StateCountExtent::TooWide(..));
    let last = if is_wide { "numbers" } else { "states" };
    let mut sheet = HeadAndTextRows::new(&["line", "the rule", "remembered there", last]);
    for die in &inspection.dice {
        let line = read.text.lines().nth(die.line.saturating_sub(1)).unwrap_or_default();
        let count = if is_wide { die.numbers } else { die.states };
        sheet.rows.push(vec![
            die.line.to_string(),
            replace_control_chars(line_without_comment(line)),
            replace_control_chars(&die.names.join(", ")),
            group_digits(count as u64),
        ]);
    }
    sheet
}

/// Time limit for the costs of fields.
const FIELD_COST_TIME_LIMIT: Duration = Duration::from_secs(2);

/// Lists the costs of fields: the number of states left with each at its smallest value, the fewest
/// first.
fn field_cost_sheet(
    read: &Rulebook,
    action: &RulebookAction,
    form: &Form,
    inspection: &RuleStateByDie,
) -> HeadAndTextRows {
    let states = if inspection.state_count == StateCountExtent::All {
        sum_states_of_all_dice(inspection)
    } else {
        usize::MAX
    };
    let clock = Instant::now();
    let mut rows = Vec::new();
    for field in action.fields.iter().take_while(|_| clock.elapsed() < FIELD_COST_TIME_LIMIT) {
        let value = form.get(&field.name);
        let Some((now, least)) =
            value.and_then(|value| value_and_smaller_minimum(&field.kind, value))
        else {
            continue;
        };
        let Toml::Table(mut table) = Toml::from(form) else {
            continue;
        };
        let note = match &least {
            Toml::Array(items) => items.len().to_string(),
            Toml::String(text) => text.clone(),
            other => other.to_string(),
        };
        table.insert(field.name.to_string(), least);
        // A field may be out of range at its smallest value; then its cost is unknown.
        let Ok(form) = Form::from_table_with_defaults(&action.fields, &table) else {
            continue;
        };
        let Ok(less) = rulebook::inspect_saved_state(read, &action.name, &form) else {
            continue;
        };
        let then = sum_states_of_all_dice(&less);
        if less.state_count == StateCountExtent::All && then < states {
            let (name, then_said) = (replace_control_chars(&field.name), group_digits(then as u64));
            rows.push((then, vec![name, now, note, then_said]));
        }
    }
    rows.sort_by_key(|(then, _)| *then);
    let mut sheet = HeadAndTextRows::new(&["field", "now", "at its least", "states then"]);
    sheet.rows.extend(rows.into_iter().map(|(_, row)| row));
    sheet
}

/// Formats a value, with the smallest value of its field if that is less.
fn value_and_smaller_minimum(kind: &FieldType, value: &Value) -> Option<(String, Toml)> {
    let (least, now) = match (kind, value) {
        (FieldType::Int(bound), Value::Int(n)) if *n > bound.low => {
            (Toml::Integer(bound.low), n.to_string())
        }
        (FieldType::Flag, Value::Flag(true)) => (Toml::Boolean(false), "true".to_owned()),
        (FieldType::Die(sides), Value::Die(now)) => {
            let least = sides.iter().min().filter(|least| *least < now)?;
            (Toml::String(format!("d{least}")), format!("d{now}"))
        }
        (FieldType::List(_, bound), Value::List(values)) => {
            let least = usize::try_from(bound.low).ok()?.max(1);
            let shown_values = values.get(..least).filter(|kept| kept.len() < values.len())?;
            let shown_values = shown_values.iter().map(Toml::from).collect();
            (Toml::Array(shown_values), values.len().to_string())
        }
        (FieldType::Tables(..), Value::Tables(forms)) => {
            let Toml::Table(mut first) = Toml::from(forms.first()?) else {
                return None;
            };
            // Several tables and one with a count are equal to a rule: the text shows the count.
            let count = |form: &Form| form.maybe_int(RECORD_COUNT_KEY).unwrap_or(1);
            let all: i64 = forms.iter().map(count).sum();
            if first.contains_key(RECORD_COUNT_KEY) {
                first.insert(RECORD_COUNT_KEY.to_owned(), Toml::Integer(1));
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
const RECORD_COUNT_KEY: &str = "count";

/// Removes the remark from a line of the rule.
fn line_without_comment(line: &str) -> &str {
    line.split("--").next().unwrap_or(line).trim()
}
