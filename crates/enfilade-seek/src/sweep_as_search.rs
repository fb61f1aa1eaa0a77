//! A file with `[sweep]` as a search: every axis of its contests may change, and the conditions of
//! its rows are the wants.

use toml::{Table, Value as Toml};

use enfilade_model::form::Fault;
use enfilade_study::grid;

use crate::number_path::{RULEBOOK_CHANGES_KEY, SEEK_TABLE_KEY};
use crate::seek_numbers::ContestWithCircumstances;

/// The key of a sweep.
const SWEEP_TABLE_KEY: &str = "sweep";

/// In place of numbers that may change: every axis of the contests.
pub(crate) const ALL_AXES: &str = "all";

/// A file with `[sweep]` and without `[seek]` as one with `[seek]`; `None` for any other, and for a
/// sweep without conditions.
pub(crate) fn sweep_as_search(file: &Table) -> Option<Table> {
    if file.contains_key(SEEK_TABLE_KEY) {
        return None;
    }
    let sweep = file.get(SWEEP_TABLE_KEY)?.as_table()?;
    let keep = sweep.get("keep")?.as_str()?;
    let wants = keep.split(" and ").map(|part| Toml::from(part.trim().replace("==", "=")));
    let mut seek = Table::new();
    seek.insert("so_that".to_owned(), Toml::Array(wants.collect()));
    seek.insert(RULEBOOK_CHANGES_KEY.to_owned(), Toml::from(ALL_AXES));
    let best = sweep.get("best").and_then(Toml::as_table);
    if let Some(by) = best.and_then(|best| best.get("by")?.as_str()) {
        seek.insert("prefer".to_owned(), Toml::Array(vec![goal_of_search(by)]));
    }
    if let Some(count) = best.and_then(|best| best.get("count")) {
        seek.insert("best".to_owned(), count.clone());
    }
    if let Some(front) = sweep.get("front").and_then(Toml::as_str) {
        let goals = front.split(',').map(goal_of_search);
        seek.insert("front".to_owned(), Toml::Array(goals.collect()));
    }
    let mut own = file.clone();
    own.remove(SWEEP_TABLE_KEY);
    own.insert(SEEK_TABLE_KEY.to_owned(), Toml::Table(seek));
    Some(own)
}

/// `p_break` and `-p_kill` of a sweep as the goals of a search.
fn goal_of_search(text: &str) -> Toml {
    let goal = match text.trim().strip_prefix('-') {
        Some(least) => format!("lowest {least}"),
        None => format!("highest {}", text.trim()),
    };
    Toml::String(goal)
}

/// Every axis of the contests as a number that may change; the contests have the first value of
/// each from then on.
///
/// # Errors
/// The axes that are relative changes, or that differ between contests.
pub(crate) fn take_axes_as_numbers(
    contests: &mut [ContestWithCircumstances],
) -> Result<Table, Vec<Fault>> {
    let mut numbers = Table::new();
    let mut faults = Vec::new();
    for contest in contests {
        let axes = grid::find_axes_of_contest(&contest.action.fields, &contest.table)?;
        for axis in axes.iter().filter(|axis| axis.values.len() > 1) {
            if axis.relative {
                let fault =
                    Fault::new(axis.path.as_str(), "a relative change is no number of a search");
                faults.push(fault.with_help("list the values themselves"));
                continue;
            }
            axis.set_axis_value(&mut contest.table, 0);
            let values = Toml::Array(axis.values.clone());
            let name = axis.name.trim_start_matches("change.").to_owned();
            let mut own = Table::from_iter([("list".to_owned(), values.clone())]);
            own.insert("now".to_owned(), axis.values[0].clone());
            let known = numbers.insert(name, Toml::Table(own));
            if known.is_some_and(|known| known.get("list") != Some(&values)) {
                let problem = format!("`{}` has other values in another contest", axis.name);
                let fault = Fault::new(axis.path.as_str(), problem);
                faults.push(fault.with_help("list the numbers below [seek.change]"));
            }
        }
    }
    if faults.is_empty() { Ok(numbers) } else { Err(faults) }
}
