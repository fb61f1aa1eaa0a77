//! Texts around the tables of a card: title, subtitle, legend, footer.

use indexmap::IndexSet;

use super::card_model::{CardCell, CardLegendEntry, CardTable};
use super::card_plan::CardPlan;
use super::cell_values::{CardLinesAndBands, describe_line_meaning};
use super::difference_card::{BaselineAnswers, EQUAL_VALUES_SIGN};
use super::footnotes::FootnotesOfCard;
use super::percent_format::{COVERED_OUTCOME_SIGN, IMPOSSIBLE_SIGN};
use crate::text::labels;
use crate::text::sentences::{self, replace_control_chars};
use crate::text::short_labels;
use enfilade_model::catalogue::{RulebookAction, System};
use enfilade_model::form::sanitize::group_digits;
use enfilade_model::form::{Field, Value};
use enfilade_model::static_or_shared::Text;
use enfilade_study::answer::{Answer, AnswerMethod};
use enfilade_study::experiment::CardRowOrColumnAxis;
use enfilade_study::parameters;

/// Returns the title: from the file, or else the question that the card answers.
pub fn title_of_card(plan: &CardPlan) -> String {
    let title = given_or_default_title(plan);
    match plan.baseline {
        Some(BaselineAnswers { names: [a, b], .. }) if title == *b => format!("{b} less {a}"),
        Some(BaselineAnswers { names: [a, b], .. }) => format!("{title}: {b} less {a}"),
        None => title,
    }
}

fn given_or_default_title(plan: &CardPlan) -> String {
    if let Some(title) = &plan.spec.title {
        return replace_control_chars(title);
    }
    let first = plan.cells[0];
    let action_name = first.rulebook_and_action();
    let one = plan.cells.iter().all(|cell| cell.contest == first.contest);
    if one && first.name != action_name {
        return replace_control_chars(&first.name);
    }
    format!("{}: {}", game_title_if_from_file(first).unwrap_or(action_name), first.action.about)
}

/// Returns the title of a game in a file, whose designer has named it.
fn game_title_if_from_file(cell: &Answer) -> Option<String> {
    let is_named = !cell.system.built_in && !cell.action.about.is_empty();
    (is_named && !cell.system.title.is_empty()).then(|| replace_control_chars(&cell.system.title))
}

/// Returns the rulebooks of a card, each once.
fn distinct_rulebooks<'a>(cells: &[&'a Answer]) -> Vec<&'a System> {
    let mut systems: Vec<&System> = Vec::new();
    for cell in cells {
        if !systems.contains(&&*cell.system) {
            systems.push(&cell.system);
        }
    }
    systems
}

/// Collects the notes of the actions of a card; each sentence once, and empty texts left out.
fn distinct_action_notes(
    cells: &[&Answer],
    note: fn(&System, &RulebookAction) -> Text,
) -> Vec<String> {
    let notes = cells.iter().map(|cell| note(&cell.system, &cell.action));
    let once: IndexSet<Text> = notes.filter(|note| !note.is_empty()).collect();
    once.iter().map(Text::to_string).collect()
}

/// Returns the dice of the card with their direction.
fn dice_of_card(plan: &CardPlan, cells: &[&Answer]) -> Vec<String> {
    match &plan.spec.dice {
        Some(dice) => vec![replace_control_chars(dice)],
        None => distinct_action_notes(cells, System::dice_and_direction_for),
    }
}

/// Builds the subtitle of a part of the columns: the names of the games, and their dice.
pub fn game_and_dice_subtitle(plan: &CardPlan, cells: &[&Answer]) -> String {
    let name = |cell: &&Answer| {
        let title = &cell.system.title;
        title.split(':').next().map(replace_control_chars)
    };
    let games: IndexSet<String> = cells.iter().filter_map(name).collect();
    games.into_iter().chain(dice_of_card(plan, cells)).collect::<Vec<_>>().join(" · ")
}

/// Builds the subtitle: the dice with their direction, then the ranges of the axes, modifiers
/// first.
pub fn dice_and_axis_ranges_subtitle(plan: &CardPlan, cells: &[&Answer]) -> String {
    let dice = dice_of_card(plan, cells);
    let sides = [&plan.columns, &plan.rows].into_iter();
    let ranges = sides.filter_map(|side| format_axis_value_range(plan, side, cells));
    dice.into_iter().chain(ranges).collect::<Vec<_>>().join(" · ")
}

/// Formats a range: `DRM −3 to +4`; `None` for words and for a single value.
fn format_axis_value_range(
    plan: &CardPlan,
    side: &CardRowOrColumnAxis,
    cells: &[&Answer],
) -> Option<String> {
    let CardRowOrColumnAxis::Axis(path) = side else { return None };
    let of = |cell: &&Answer| {
        let axis = cell.axes.iter().find(|(name, _)| name == path);
        axis.map(|(_, value)| value.clone())
    };
    let values: Vec<Value> = cells.iter().filter_map(of).collect();
    let size = |value: &Value| short_labels::axis_value_as_number(value);
    let all: Option<Vec<f64>> = values.iter().map(size).collect();
    let order =
        |a: &&Value, b: &&Value| size(a).partial_cmp(&size(b)).unwrap_or(std::cmp::Ordering::Equal);
    let (least, most) = (values.iter().min_by(order)?, values.iter().max_by(order)?);
    if all.is_none() || least == most {
        return None;
    }
    let field = cells.iter().find_map(|cell| cell.action.fields.find_field_at_path(path));
    let signed = labels::are_axis_values_signed(field, &values.iter().collect::<Vec<_>>());
    let name = plan.row_or_column_axis_name(side);
    let (least, most) =
        (labels::format_axis_number(least, signed), labels::format_axis_number(most, signed));
    Some(format!("{name} {least} to {most}"))
}

/// Builds the legend: lines, axes, values that are equal in every cell, signs, the ends of the
/// table, notes.
pub fn build_card_legend(
    plan: &CardPlan,
    readings: &CardLinesAndBands,
    marks: &FootnotesOfCard,
    tables: &[CardTable],
) -> Vec<CardLegendEntry> {
    let mut entries: Vec<_> = plan.baseline.into_iter().flat_map(describe_compared_sides).collect();
    for (at, line) in readings.headings.iter().enumerate() {
        let text = describe_line_meaning(readings, at, &plan.cells_and_baseline());
        // A text that only repeats the label is left out.
        entries.extend((text != line.label).then(|| new_legend_entry(&line.label, text)));
    }
    entries.extend(describe_both_axes(plan));
    entries.extend(format_shared_non_defaults(plan).map(|given| new_legend_entry("Given", given)));
    entries.push(new_legend_entry("Numbers", describe_number_format(plan, readings, tables)));
    let off_table = distinct_action_notes(&plan.cells, System::off_table_behaviour_for);
    entries.extend(off_table.into_iter().map(|said| new_legend_entry("Off the table", said)));
    entries.extend(
        plan.spec.notes.iter().map(|note| new_legend_entry("", replace_control_chars(note))),
    );
    entries.extend(
        marks.general.iter().map(|note| new_legend_entry("Note", replace_control_chars(note))),
    );
    let marked = marks.notes_of_some.iter().enumerate();
    entries.extend(marked.map(|(at, note)| {
        new_legend_entry(&FootnotesOfCard::footnote_mark_at(at), replace_control_chars(note))
    }));
    entries
}

/// Describes A and B, and the changes from A to B.
fn describe_compared_sides(less: &BaselineAnswers) -> Vec<CardLegendEntry> {
    let [a, b] = &less.names;
    let changed = less.change_sentences.iter().map(|text| new_legend_entry("", text.clone()));
    [new_legend_entry("A", a.clone()), new_legend_entry("B", b.clone())]
        .into_iter()
        .chain(changed)
        .collect()
}

fn new_legend_entry(term: &str, text: String) -> CardLegendEntry {
    CardLegendEntry { term: term.to_owned(), text }
}

/// Describes the axes of rows and columns in a player's words, with rule references. Advice on the
/// content of a file is for its author and left out.
fn describe_both_axes(plan: &CardPlan) -> Vec<CardLegendEntry> {
    let mut entries = Vec::new();
    for side in [&plan.rows, &plan.columns] {
        let CardRowOrColumnAxis::Axis(path) = side else { continue };
        let cell =
            plan.cells.iter().find(|cell| cell.action.fields.find_field_at_path(path).is_some());
        let Some((cell, field)) =
            cell.and_then(|c| Some((c, c.action.fields.find_field_at_path(path)?)))
        else {
            continue;
        };
        let (name, label) =
            (plan.row_or_column_axis_name(side), labels::axis_label_with_unit(cell, path));
        if name != label || !field.source.is_empty() {
            entries.push(new_legend_entry(&name, label_with_rule_reference(label, field)));
        }
    }
    entries
}

fn label_with_rule_reference(label: String, field: &Field) -> String {
    if field.source.is_empty() { label } else { format!("{label} ({})", field.source) }
}

/// Formats the parameters that are no axes and equal in every cell, without defaults.
fn format_shared_non_defaults(plan: &CardPlan) -> Option<String> {
    let both = plan.cells_and_baseline();
    let (cells, others) = both.split_at(plan.cells.len());
    let chosen = |cell: &Answer| parameters::non_default_values_by_path(&cell.action, &cell.params);
    let fixed = |cell: &Answer| {
        let axes = cells.iter().flat_map(|cell| &cell.axes);
        parameters::remove_axis_parameters(chosen(cell), axes.map(|(path, _)| &**path))
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
    let texts = labels::parameter_phrases(cells[0], &common);
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// Describes the rounding of numbers, and the signs on this card.
fn describe_number_format(
    plan: &CardPlan,
    readings: &CardLinesAndBands,
    tables: &[CardTable],
) -> String {
    let cells = || {
        tables
            .iter()
            .flat_map(|table| &table.rows)
            .flat_map(|row| &row.lines)
            .flat_map(|line| &line.cells)
    };
    let shows = |sign: &str| cells().flatten().any(|cell| cell.text.starts_with(sign));
    let percent = cells().flatten().any(|cell| cell.percent);
    let mut text = match plan.baseline {
        Some(_) => describe_difference_signs(percent, shows),
        None => {
            let unseen = cells().flatten().find(|cell| was_seen_never_or_always(cell));
            describe_chance_signs(percent, shows, unseen, readings, plan)
        }
    };
    if !plan.stack.covered_outcomes.is_empty() {
        let covered: Vec<_> =
            plan.stack.covered_outcomes.iter().map(|word| replace_control_chars(word)).collect();
        text.push(format!("Counted only under lines above: {}.", covered.join(", ")));
    }
    if cells().any(Option::is_none) {
        text.push("Blank: not on the grid of this card.".to_owned());
    }
    if cells().flatten().any(|cell| !cell.percent) {
        text.push("Means have decimals.".to_owned());
    }
    text.join(" ")
}

/// Whether a chance was seen in no trial, or in all of them, and nothing more is known of it.
fn was_seen_never_or_always(cell: &CardCell) -> bool {
    let end = cell.value <= 0.0 || cell.value >= 1.0;
    cell.percent && !cell.exact && cell.trials > 0 && end && cell.text != COVERED_OUTCOME_SIGN
}

/// Describes how chances are printed: whole percents, and signs for the smallest and the largest.
fn describe_chance_signs(
    percent: bool,
    shows: impl Fn(&str) -> bool,
    unseen: Option<&CardCell>,
    readings: &CardLinesAndBands,
    plan: &CardPlan,
) -> Vec<String> {
    let (mut texts, stack) = (Vec::new(), readings.labels_of_stack());
    if percent {
        texts.push("Whole percents, each rounded by itself: equal chances print equal.".to_owned());
    }
    if stack.len() > 1 {
        let parts = stack.join(", ");
        let first = match plan.stack.has_harmless_lines {
            true => "an outcome counts under the first line that applies",
            false => "the worst that happens counts",
        };
        texts.push(format!(
            "{} add up to 100, as printed to 99 or 101 at times; {first}.",
            labels::capitalize_first(&parts)
        ));
    }
    if shows(COVERED_OUTCOME_SIGN) {
        texts.push(format!(
            "{COVERED_OUTCOME_SIGN}: happens, and is counted under an earlier line."
        ));
    }
    if shows(IMPOSSIBLE_SIGN) {
        texts.push(format!("{IMPOSSIBLE_SIGN}: cannot happen."));
    }
    if shows("<1") || shows(">99") {
        texts.push("<1, >99: rare and near-certain, not impossible and not sure.".to_owned());
    }
    texts.extend(unseen.map(|cell| {
        let (shown, trials) = (&cell.text, group_digits(cell.trials));
        format!(
            "{shown}: seen in none of {trials} trials, or in all. 95 % bound: 3 in {trials} (rule of three)."
        )
    }));
    texts
}

/// Describes how differences are printed: with sign and one decimal, and a bar in the half of the
/// cell for their direction.
fn describe_difference_signs(percent: bool, shows: impl Fn(&str) -> bool) -> Vec<String> {
    let mut texts = vec!["Differences: B less A.".to_owned()];
    if percent {
        texts.push("Chances in points of percent: +5 is 5 more in 100.".to_owned());
    }
    if shows(EQUAL_VALUES_SIGN) {
        texts.push(format!("{EQUAL_VALUES_SIGN}: the same in both."));
    }
    if shows("0") {
        texts.push("0.0: less than is printed, either way.".to_owned());
    }
    texts.push(
        "Bars to the right are more, bars to the left less, the longest of the card the largest."
            .to_owned(),
    );
    texts
}

/// Builds the footer: version, method, date of the rules.
pub fn build_card_footer(cells: &[&Answer], tables: &[CardTable]) -> Vec<String> {
    let dates = distinct_rulebooks(cells).into_iter();
    let dates = dates.filter(|system| !system.data_date.is_empty());
    let dates = dates.map(|system| format!("Rules data of {} ({}).", system.data_date, system.id));
    let version = format!("enfilade {}.", env!("CARGO_PKG_VERSION"));
    [version, describe_card_method(cells, tables)].into_iter().chain(dates).collect()
}

/// Describes the method: exact or simulated, N and seed, and the meaning of intervals.
fn describe_card_method(cells: &[&Answer], tables: &[CardTable]) -> String {
    // Cells without an answer have no method.
    let solved: Vec<_> = cells.iter().copied().filter(|cell| !cell.is_cell_refused()).collect();
    let cells = if solved.is_empty() { cells } else { &*solved };
    // A card of differences has two sides, each with a seed.
    let seeds: IndexSet<_> = cells.iter().map(|cell| cell.seed.to_string()).collect();
    let seed = seeds.iter().map(String::as_str).collect::<Vec<_>>().join(" and ");
    if cells.iter().all(|cell| cell.engine == AnswerMethod::ExactOnly) {
        return format!("Exact values; nothing was simulated (seed {seed}).");
    }
    let trials = cells.iter().map(|cell| cell.trials);
    let (least, most) = (trials.clone().min().unwrap_or(0), trials.max().unwrap_or(0));
    let n = match least == most {
        true => group_digits(most),
        false => format!("{} to {}", group_digits(least), group_digits(most)),
    };
    if cells.iter().all(|cell| sentences::has_exact_distribution(cell)) {
        let wrong = cells.iter().filter(|cell| cell.agrees == Some(false)).count();
        let verdict = match wrong {
            0 => "agrees".to_owned(),
            wrong => format!("DISAGREES in {wrong} of {} cells", cells.len()),
        };
        return format!("Exact values; a simulation {verdict} (N = {n} a cell, seed {seed}).");
    }
    if let Some(alone) = sentences::inexact_cells_note(cells.iter().copied()) {
        return format!("Exact values; {alone} (N = {n}, seed {seed}).");
    }
    let reach = widest_percent_half_width(tables);
    format!(
        "Simulated values (N = {n} a cell, seed {seed}); 95 % intervals of the chances reach at most \
         {reach:.1} points to either side."
    )
}

/// Returns the largest half-width of a 95 % interval of a probability, in percentage points.
fn widest_percent_half_width(tables: &[CardTable]) -> f64 {
    let rows = tables.iter().flat_map(|table| &table.rows);
    let cells = rows.flat_map(|row| &row.lines).flat_map(|line| &line.cells);
    let reach = |cell: &CardCell| {
        let (low, high) = cell.interval?;
        cell.percent.then(|| (cell.value - low).max(high - cell.value))
    };
    100.0 * cells.flatten().filter_map(reach).fold(0.0, f64::max)
}
