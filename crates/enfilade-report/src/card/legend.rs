//! Texts around the tables of a card: title, subtitle, legend, footer.

use indexmap::IndexSet;

use super::card_plan::Plan;
use super::cell_values::{Readings, meaning};
use super::difference_card::{Less, SAME};
use super::footnotes::Marks;
use super::model::{Cell, Entry, Table};
use super::percent_format::{COVERED, NEVER};
use crate::text::labels;
use crate::text::sentences::{self, clean};
use crate::text::short_labels;
use enfilade_model::catalogue::{Action, System};
use enfilade_model::form::sanitize::grouped;
use enfilade_model::form::{Field, Value};
use enfilade_model::shared::Text;
use enfilade_study::answer::{Answer, Engine};
use enfilade_study::experiment::Side;
use enfilade_study::parameters;

/// Returns the title: from the file, or else the question that the card answers.
pub fn title(plan: &Plan) -> String {
    let title = own_title(plan);
    match plan.less {
        Some(Less { names: [a, b], .. }) if title == *b => format!("{b} less {a}"),
        Some(Less { names: [a, b], .. }) => format!("{title}: {b} less {a}"),
        None => title,
    }
}

fn own_title(plan: &Plan) -> String {
    if let Some(title) = &plan.spec.title {
        return clean(title);
    }
    let first = plan.cells[0];
    let asked = first.asked();
    let one = plan.cells.iter().all(|cell| cell.contest == first.contest);
    if one && first.name != asked {
        return clean(&first.name);
    }
    format!("{asked}: {}", first.action.about)
}

/// Returns the rulebooks of a card, each once.
fn systems_of<'a>(cells: &[&'a Answer]) -> Vec<&'a System> {
    let mut found: Vec<&System> = Vec::new();
    for cell in cells {
        if !found.contains(&&*cell.system) {
            found.push(&cell.system);
        }
    }
    found
}

/// Collects a text about the actions of a card, which `said` returns; each sentence once, and empty
/// texts left out.
fn said_of_actions(cells: &[&Answer], said: fn(&System, &Action) -> Text) -> Vec<String> {
    let said = cells.iter().map(|cell| said(&cell.system, &cell.action));
    let once: IndexSet<Text> = said.filter(|said| !said.is_empty()).collect();
    once.iter().map(Text::to_string).collect()
}

/// Builds the subtitle: the dice with their direction, then the ranges of the axes, modifiers
/// first.
pub fn subtitle(plan: &Plan, cells: &[&Answer]) -> String {
    let dice = match &plan.spec.dice {
        Some(dice) => vec![clean(dice)],
        None => said_of_actions(cells, System::direction_of),
    };
    let sides = [&plan.columns, &plan.rows].into_iter();
    let ranges = sides.filter_map(|side| range(plan, side, cells));
    dice.into_iter().chain(ranges).collect::<Vec<_>>().join(" · ")
}

/// Formats a range: `DRM −3 to +4`; `None` for words and for a single value.
fn range(plan: &Plan, side: &Side, cells: &[&Answer]) -> Option<String> {
    let Side::Axis(path) = side else { return None };
    let of = |cell: &&Answer| {
        let axis = cell.axes.iter().find(|(name, _)| name == path);
        axis.map(|(_, value)| value.clone())
    };
    let values: Vec<Value> = cells.iter().filter_map(of).collect();
    let size = |value: &Value| short_labels::number(value);
    let all: Option<Vec<f64>> = values.iter().map(size).collect();
    let order =
        |a: &&Value, b: &&Value| size(a).partial_cmp(&size(b)).unwrap_or(std::cmp::Ordering::Equal);
    let (least, most) = (values.iter().min_by(order)?, values.iter().max_by(order)?);
    if all.is_none() || least == most {
        return None;
    }
    let field = cells.iter().find_map(|cell| cell.action.fields.at(path));
    let signed = labels::is_signed(field, &values.iter().collect::<Vec<_>>());
    let name = plan.side_name(side);
    let (least, most) = (labels::number(least, signed), labels::number(most, signed));
    Some(format!("{name} {least} to {most}"))
}

/// Builds the legend: lines, axes, values that are equal in every cell, signs, the ends of the
/// table, notes.
pub fn entries(plan: &Plan, readings: &Readings, marks: &Marks, tables: &[Table]) -> Vec<Entry> {
    let mut entries: Vec<_> = plan.less.into_iter().flat_map(sides).collect();
    for (at, line) in readings.headings.iter().enumerate() {
        let text = meaning(readings, at, &plan.both());
        // A text that only repeats the label is left out.
        entries.extend((text != line.label).then(|| entry(&line.label, text)));
    }
    entries.extend(axes(plan));
    entries.extend(given(plan).map(|given| entry("Given", given)));
    entries.push(entry("Numbers", numbers(plan, readings, tables)));
    let off_table = said_of_actions(&plan.cells, System::off_table_of);
    entries.extend(off_table.into_iter().map(|said| entry("Off the table", said)));
    entries.extend(plan.spec.notes.iter().map(|note| entry("", clean(note))));
    entries.extend(marks.general.iter().map(|note| entry("Note", clean(note))));
    let marked = marks.marked.iter().enumerate();
    entries.extend(marked.map(|(at, note)| entry(&Marks::sign(at), clean(note))));
    entries
}

/// Describes A and B, and the changes from A to B.
fn sides(less: &Less) -> Vec<Entry> {
    let [a, b] = &less.names;
    let changed = less.said.iter().map(|said| entry("", said.clone()));
    [entry("A", a.clone()), entry("B", b.clone())].into_iter().chain(changed).collect()
}

fn entry(term: &str, text: String) -> Entry {
    Entry { term: term.to_owned(), text }
}

/// Describes the axes of rows and columns in a player's words, with rule references. Advice on the
/// content of a file is for its author and left out.
fn axes(plan: &Plan) -> Vec<Entry> {
    let mut entries = Vec::new();
    for side in [&plan.rows, &plan.columns] {
        let Side::Axis(path) = side else { continue };
        let cell = plan.cells.iter().find(|cell| cell.action.fields.at(path).is_some());
        let Some((cell, field)) = cell.and_then(|c| Some((c, c.action.fields.at(path)?))) else {
            continue;
        };
        let (name, label) = (plan.side_name(side), labels::axis_with_unit(cell, path));
        if name != label || !field.source.is_empty() {
            entries.push(entry(&name, with_source(label, field)));
        }
    }
    entries
}

fn with_source(label: String, field: &Field) -> String {
    if field.source.is_empty() { label } else { format!("{label} ({})", field.source) }
}

/// Formats the parameters that are no axes and equal in every cell, without defaults.
fn given(plan: &Plan) -> Option<String> {
    let both = plan.both();
    let (cells, others) = both.split_at(plan.cells.len());
    let chosen = |cell: &Answer| parameters::chosen_at(&cell.action, &cell.params);
    let fixed = |cell: &Answer| {
        let axes = cells.iter().flat_map(|cell| &cell.axes);
        parameters::fixed(chosen(cell), axes.map(|(path, _)| &**path))
    };
    let mut common = fixed(cells[0]);
    // Within a contest only the axes vary.
    let contests = |cells: &[&Answer]| {
        let contests = cells.chunk_by(|a, b| a.contest == b.contest);
        contests.map(|cells| fixed(cells[0])).collect::<Vec<_>>()
    };
    for here in contests(cells).into_iter().chain(contests(others)) {
        common.retain(|entry| here.contains(entry));
    }
    let said = labels::given(cells[0], &common);
    (!said.is_empty()).then(|| said.join(", "))
}

/// Describes the rounding of numbers, and the signs on this card.
fn numbers(plan: &Plan, readings: &Readings, tables: &[Table]) -> String {
    let cells = || {
        tables
            .iter()
            .flat_map(|table| &table.rows)
            .flat_map(|row| &row.lines)
            .flat_map(|line| &line.cells)
    };
    let shows = |sign: &str| cells().flatten().any(|cell| cell.shown.starts_with(sign));
    let percent = cells().flatten().any(|cell| cell.percent);
    let mut said = match plan.less {
        Some(_) => of_differences(percent, shows),
        None => {
            let unseen = cells().flatten().find(|cell| is_unseen(cell));
            of_chances(percent, shows, unseen, readings, plan)
        }
    };
    if !plan.stack.covered.is_empty() {
        let covered: Vec<_> = plan.stack.covered.iter().map(|word| clean(word)).collect();
        said.push(format!("Counted only under lines above: {}.", covered.join(", ")));
    }
    if cells().any(Option::is_none) {
        said.push("Blank: not on the grid of this card.".to_owned());
    }
    if cells().flatten().any(|cell| !cell.percent) {
        said.push("Means have decimals.".to_owned());
    }
    said.join(" ")
}

/// Whether a chance was seen in no trial, or in all of them, and nothing more is known of it.
fn is_unseen(cell: &Cell) -> bool {
    let end = cell.value <= 0.0 || cell.value >= 1.0;
    cell.percent && !cell.exact && cell.trials > 0 && end && cell.shown != COVERED
}

/// Describes how chances are printed: whole percents, and signs for the smallest and the largest.
fn of_chances(
    percent: bool,
    shows: impl Fn(&str) -> bool,
    unseen: Option<&Cell>,
    readings: &Readings,
    plan: &Plan,
) -> Vec<String> {
    let (mut said, stack) = (Vec::new(), readings.stack());
    if percent {
        said.push("Whole percents, each rounded by itself: equal chances print equal.".to_owned());
    }
    if stack.len() > 1 {
        let parts = stack.join(", ");
        let first = match plan.stack.mixed {
            true => "an outcome counts under the first line that applies",
            false => "the worst that happens counts",
        };
        said.push(format!(
            "{} add up to 100, as printed to 99 or 101 at times; {first}.",
            labels::capitalised(&parts)
        ));
    }
    if shows(COVERED) {
        said.push(format!("{COVERED}: happens, and is counted under what stands before."));
    }
    if shows(NEVER) {
        said.push(format!("{NEVER}: cannot happen."));
    }
    if shows("<1") || shows(">99") {
        said.push("<1, >99: rare and near-certain, not impossible and not sure.".to_owned());
    }
    said.extend(unseen.map(|cell| {
        let (shown, trials) = (&cell.shown, grouped(cell.trials));
        format!(
            "{shown}: seen in none of {trials} trials, or in all. 95 % bound: 3 in {trials} (rule of three)."
        )
    }));
    said
}

/// Describes how differences are printed: with sign and one decimal, and a bar in the half of the
/// cell for their direction.
fn of_differences(percent: bool, shows: impl Fn(&str) -> bool) -> Vec<String> {
    let mut said = vec!["Differences: B less A.".to_owned()];
    if percent {
        said.push("Chances in points of percent: +5 is 5 more in 100.".to_owned());
    }
    if shows(SAME) {
        said.push(format!("{SAME}: the same in both."));
    }
    if shows("0") {
        said.push("0.0: less than is printed, either way.".to_owned());
    }
    said.push(
        "Bars to the right are more, bars to the left less, the longest of the card the largest."
            .to_owned(),
    );
    said
}

/// Builds the footer: version, method, date of the rules.
pub fn footer(cells: &[&Answer], tables: &[Table]) -> Vec<String> {
    let dates = systems_of(cells).into_iter();
    let dates = dates.filter(|system| !system.data_date.is_empty());
    let dates = dates.map(|system| format!("Rules data of {} ({}).", system.data_date, system.id));
    let version = format!("enfilade {}.", env!("CARGO_PKG_VERSION"));
    [version, made(cells, tables)].into_iter().chain(dates).collect()
}

/// Describes the method: exact or simulated, N and seed, and the meaning of intervals.
fn made(cells: &[&Answer], tables: &[Table]) -> String {
    // Cells without an answer have no method.
    let solved: Vec<_> = cells.iter().copied().filter(|cell| !cell.is_refused()).collect();
    let cells = if solved.is_empty() { cells } else { &*solved };
    // A card of differences has two sides, each with a seed.
    let seeds: IndexSet<_> = cells.iter().map(|cell| cell.seed.to_string()).collect();
    let seed = seeds.iter().map(String::as_str).collect::<Vec<_>>().join(" and ");
    if cells.iter().all(|cell| cell.engine == Engine::ExactOnly) {
        return format!("Exact values; nothing was simulated (seed {seed}).");
    }
    let trials = cells.iter().map(|cell| cell.trials);
    let (least, most) = (trials.clone().min().unwrap_or(0), trials.max().unwrap_or(0));
    let n = match least == most {
        true => grouped(most),
        false => format!("{} to {}", grouped(least), grouped(most)),
    };
    if cells.iter().all(|cell| sentences::has_exact(cell)) {
        let wrong = cells.iter().filter(|cell| cell.agrees == Some(false)).count();
        let verdict = match wrong {
            0 => "agrees".to_owned(),
            wrong => format!("DISAGREES in {wrong} of {} cells", cells.len()),
        };
        return format!("Exact values; a simulation {verdict} (N = {n} a cell, seed {seed}).");
    }
    if let Some(alone) = sentences::alone(cells.iter().copied()) {
        return format!("Exact values; {alone} (N = {n}, seed {seed}).");
    }
    let reach = widest(tables);
    format!(
        "Simulated values (N = {n} a cell, seed {seed}); 95 % intervals of the chances reach at most \
         {reach:.1} points to either side."
    )
}

/// Returns the largest half-width of a 95 % interval of a probability, in percentage points.
fn widest(tables: &[Table]) -> f64 {
    let rows = tables.iter().flat_map(|table| &table.rows);
    let cells = rows.flat_map(|row| &row.lines).flat_map(|line| &line.cells);
    let reach = |cell: &Cell| {
        let (low, high) = cell.interval?;
        cell.percent.then(|| (cell.value - low).max(high - cell.value))
    };
    100.0 * cells.flatten().filter_map(reach).fold(0.0, f64::max)
}
