//! Results of a search: its objective, the settings found and how they differ from the rest, the
//! fixed parameters, and the command that repeats one of them.
//!
//! Of the cells that were not kept only their grid is known here.

use indexmap::IndexMap;

use crate::answers::answer_tables::{self, HiddenAxesAndFirstMeasures};
use crate::answers::grid_digest::ContestDigest;
use crate::blocks::{PictureWithContent, ReportBlock, ReportTableCell, StyledSentence, TextTable};
use crate::folder::manifest::join_as_shell_command;
use crate::text::{excluded_settings, labels, sentences};
use enfilade_engine::exact::approximation::Approximation;
use enfilade_model::form::Value;
use enfilade_model::form::sanitize::group_digits;
use enfilade_study::answer::{Answer, MeasureAnswer};
use enfilade_study::question;
use enfilade_study::search::omitted_cells::CellsOmittedBySearch;
use enfilade_study::search::{CellSearch, MeasureBoundCondition, MeasureGoal};

/// The largest number of values of an axis listed by name; above it only their count is given.
const MAX_AXIS_VALUES_NAMED: usize = 12;

/// The axes of every contest and their values, each under its name, in the order of the grid.
#[derive(Debug, Default)]
pub struct SearchedAxes {
    axes: IndexMap<usize, AxisValuesByName>,
    first: Option<Answer>,
}

type AxisValuesByName = IndexMap<String, IndexMap<String, Value>>;

impl SearchedAxes {
    /// Builds the axes from the sample cells of a grid: all values of every axis, or of a very long
    /// one only some.
    pub fn from_sampled_grid_cells(sample: Vec<Answer>) -> SearchedAxes {
        let mut searched_axes = SearchedAxes::default();
        for cell in &sample {
            let axes = searched_axes.axes.entry(cell.contest).or_default();
            for (path, value) in &cell.axes {
                let axis = axes.entry(path.clone()).or_default();
                axis.entry(value.to_string()).or_insert_with(|| value.clone());
            }
        }
        searched_axes.first = sample.into_iter().next();
        searched_axes
    }
}

/// Builds the blocks for a search without a result: the objective, and how near the settings come
/// to it.
pub fn build_no_result_blocks(
    search: &CellSearch,
    searched_axes: &SearchedAxes,
    left_out: &CellsOmittedBySearch,
    of: u64,
) -> Vec<ReportBlock> {
    let Some(first) = &searched_axes.first else { return Vec::new() };
    let sought = StyledSentence::new_plain(describe_search_objective(search, first))
        .followed_by(StyledSentence::new_strong("There is none."));
    let why =
        labels::capitalize_first(&excluded_settings::explain_empty_search(search, left_out, of));
    vec![ReportBlock::Sentence(sought), ReportBlock::new_paragraph(why + ".")]
}

/// Builds the blocks of the settings found in a contest, under its heading.
pub fn build_result_blocks(
    gist: &ContestDigest,
    search: &CellSearch,
    searched_axes: &SearchedAxes,
    figures: Vec<PictureWithContent>,
) -> Vec<ReportBlock> {
    let cells = sort_front_by_first_goal(gist, search);
    let first = &gist.cells_at_grid_start()[0];
    let same = |(path, _): &&(String, Value)| {
        gist.along.get(path).is_some_and(|values| values.len() == 1) && gist.cells > 1
    };
    let alike: Vec<_> = first.axes.iter().filter(same).collect();
    let wanted = search.goals_in_file_order().map(|goal| goal.measure.as_str());
    let wanted = wanted.chain(search.keep.iter().map(|condition| condition.measure.as_str()));
    let hidden = alike.iter().map(|(path, _)| path.as_str()).collect();
    // Axes that need no column are left out, and what was sought is in front of all else.
    let view = HiddenAxesAndFirstMeasures { hidden, first: wanted.collect() };
    let shown = answer_tables::build_contest_tables_in_view(&cells, &view);
    let mut blocks = vec![
        ReportBlock::Heading(shown.title),
        ReportBlock::new_paragraph(describe_search_objective(search, first)),
    ];
    blocks.extend(figures.into_iter().map(ReportBlock::Picture));
    blocks.push(ReportBlock::Table(heading_of_search_results(search).to_owned(), shown.measures));
    if !alike.is_empty() {
        let describe = |(path, value): &&(String, Value)| {
            format!(
                "{} {}",
                labels::label_of_parameter(first, path),
                labels::value_label(first, path, value)
            )
        };
        let alike = alike.iter().map(describe).collect::<Vec<_>>().join(", ");
        blocks.push(ReportBlock::Sentence(StyledSentence::with_label(
            "The same in all of them:",
            alike + ".",
        )));
    }
    let fixed = answer_tables::format_non_default_parameters(first)
        .map_or(String::new(), |given| given + "; ");
    let fixed = format!("{fixed}other fields have their defaults.");
    blocks.push(ReportBlock::Sentence(StyledSentence::with_label("Held fixed:", fixed)));
    blocks.extend(gist.remarks_on_all_cells().into_iter().map(ReportBlock::new_paragraph));
    blocks.extend(build_kept_axis_values_blocks(gist, searched_axes));
    blocks.extend(build_command_blocks(cells[0]));
    blocks.extend(ReportBlock::new_list_if_any(shown.legend));
    blocks
}

/// Returns the cells found; a complete Pareto front is sorted by its first goal, best first.
fn sort_front_by_first_goal<'g>(gist: &'g ContestDigest, search: &CellSearch) -> Vec<&'g Answer> {
    let mut cells: Vec<&Answer> =
        gist.cells_at_grid_start().iter().map(|answer| &**answer).collect();
    if let Some(goal) = search.front.first().filter(|_| gist.has_all_cells_of_contest()) {
        let is_condition_met = |cell: &Answer| {
            let goal_value = cell
                .measure_answer_by_name(&goal.measure)
                .and_then(MeasureAnswer::best_value_with_error);
            let value = goal_value.map_or(f64::NEG_INFINITY, Approximation::nearest_sorting_key);
            if goal.least { -value } else { value }
        };
        cells.sort_by(|a, b| is_condition_met(b).total_cmp(&is_condition_met(a)));
    }
    cells
}

fn heading_of_search_results(search: &CellSearch) -> &'static str {
    match (&search.best, search.front.is_empty()) {
        (Some(_), _) => "The best settings",
        (None, false) => "Settings that no other one beats",
        (None, true) => "The settings kept",
    }
}

/// Describes the objective in a player's words.
fn describe_search_objective(search: &CellSearch, cell: &Answer) -> String {
    let named = |measure: &str| {
        let head = cell.measure_answer_by_name(measure).map(|measure| &measure.head);
        head.map_or(sentences::replace_control_chars(measure), |head| labels::measure_label(head))
    };
    let describe = |condition: &MeasureBoundCondition| {
        let share = cell
            .measure_answer_by_name(&condition.measure)
            .is_some_and(|m| m.head.kind.is_shown_in_percent());
        format!(
            "{} {}",
            named(&condition.measure),
            excluded_settings::format_bound_in_words(condition, share)
        )
    };
    let goal = |goal: &MeasureGoal| {
        format!("{} {}", if goal.least { "little" } else { "much" }, named(&goal.measure))
    };
    let conditions: Vec<_> = search.keep.iter().map(describe).collect();
    let of = match conditions.is_empty() {
        true => String::new(),
        false => format!(" with {}", conditions.join(" and ")),
    };
    match &search.best {
        Some((count, by)) => {
            let most = if by.least { "least" } else { "most" };
            let by = named(&by.measure);
            match count {
                1 => format!("Sought: the setting{of} that has the {most} {by}."),
                _ => format!("Sought: the {count} settings{of} that have the {most} {by}."),
            }
        }
        None if search.front.is_empty() => format!("Sought: every setting{of}."),
        None => {
            let goals: Vec<_> = search.front.iter().map(goal).collect();
            format!(
                "Sought: settings{of} with as {} as possible (Pareto front): no other setting is at least as good in \
                 every goal and better in one. Of equal settings the first in the grid is listed.",
                goals.join(" and as ")
            )
        }
    }
}

/// Builds the blocks that list, for every axis, the values among the results and the values not
/// among them.
fn build_kept_axis_values_blocks(
    gist: &ContestDigest,
    searched_axes: &SearchedAxes,
) -> Vec<ReportBlock> {
    let cell = &gist.cells_at_grid_start()[0];
    let row = |(path, values): (&String, &IndexMap<String, Value>)| {
        let kept_values = gist.along.get(path).filter(|_| values.len() > 1)?;
        let among = |is_result: bool| {
            let marked = values
                .iter()
                .map(|(name, value)| (value, kept_values.contains_key(name) == is_result));
            ReportTableCell::Text(format_value_ranges(cell, path, marked))
        };
        let tried = ReportTableCell::Number(group_digits(values.len() as u64));
        Some(vec![
            ReportTableCell::Text(labels::label_of_parameter(cell, path)),
            tried,
            among(true),
            among(false),
        ])
    };
    let axes = searched_axes.axes.get(&gist.contest);
    let rows: Vec<_> = axes.into_iter().flatten().filter_map(row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let heads = ["setting", "values tried", "kept", "never kept"].map(str::to_owned).to_vec();
    let heading = StyledSentence::new_strong("Values that they have and others have not:");
    let table = TextTable { heads, rows, fixed: 1 };
    vec![
        ReportBlock::Sentence(heading),
        ReportBlock::Table("Values kept of every axis".to_owned(), table),
    ]
}

/// Formats the marked values of an axis; three or more consecutive whole numbers become a range.
fn format_value_ranges<'a>(
    cell: &Answer,
    path: &str,
    marked: impl Iterator<Item = (&'a Value, bool)>,
) -> String {
    let marked: Vec<_> = marked.collect();
    let mut parts = Vec::new();
    for run in marked.chunk_by(|a, b| a.1 == b.1).filter(|run| run[0].1) {
        let describe = |(value, _): &(&Value, bool)| labels::value_label(cell, path, value);
        let numbers = run.iter().all(|(value, _)| matches!(value, Value::Int(_)));
        match run {
            [first, _, .., last] if numbers => {
                parts.push((format!("{} to {}", describe(first), describe(last)), run.len()));
            }
            run => parts.extend(run.iter().map(|one| (describe(one), 1))),
        }
    }
    let more: usize = parts.iter().skip(MAX_AXIS_VALUES_NAMED).map(|(_, count)| count).sum();
    let mut texts: Vec<_> =
        parts.into_iter().take(MAX_AXIS_VALUES_NAMED).map(|(text, _)| text).collect();
    if more > 0 {
        texts.push(format!("{} more", group_digits(more as u64)));
    }
    if texts.is_empty() { "–".to_owned() } else { texts.join(", ") }
}

/// Builds the blocks with the command that shows one of the results alone.
fn build_command_blocks(cell: &Answer) -> Vec<ReportBlock> {
    let Some(words) = question::command_words_for_cell(cell) else {
        let text = "To see one of these alone, replace the lists in the file by its values.";
        return vec![ReportBlock::new_paragraph(text)];
    };
    let command = ["enfilade", "odds"].map(str::to_owned).into_iter().chain(words);
    let command: Vec<_> = command.collect();
    vec![
        ReportBlock::new_paragraph(
            "The first of these alone, with its full distribution (for another, replace the values):",
        ),
        ReportBlock::Command(join_as_shell_command(&command)),
    ]
}
