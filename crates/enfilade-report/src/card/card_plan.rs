//! Plan of a card: its cells, its rows and columns, and the lines of a row.
//!
//! Choices that the file leaves open follow from the grid. If the outcomes have fields that are
//! known as harm, as [`outcome_category`] has them, the lines are a stack; otherwise they are the
//! probabilities. The measures of a rulebook from a file follow.

use std::collections::BTreeSet;

use super::difference_card::BaselineAnswers;
use crate::outcome_category::{self, HarmGainOrNeutral, OutcomeCategory};
use crate::text::labels;
use crate::text::sentences::{collect_measures as measures_of, replace_control_chars};
use crate::text::short_labels;
use enfilade_model::combat::MeasureHead;
use enfilade_model::static_or_shared::Text;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::{
    CardLineSpec, CardLineValue, CardRowOrColumnAxis, CardSpec, OutcomeFieldMinimum,
};

/// The largest number of columns, unless no other axis can be across.
const MAX_CARD_COLUMNS: usize = 16;

/// The largest number of measures shown when the file names no lines.
const MAX_DEFAULT_MEASURES: usize = 6;

/// A card before its numbers are filled in.
pub struct CardPlan<'a> {
    /// Its description in the file.
    pub spec: CardSpec,
    /// Its cells, at least one.
    pub cells: Vec<&'a Answer>,
    /// The side of the rows.
    pub rows: CardRowOrColumnAxis,
    /// The side of the columns.
    pub columns: CardRowOrColumnAxis,
    /// The lines of a row, or the columns when these are results.
    pub stack: StackLinesPlan,
    /// The baseline subtracted from every number, on a card of differences.
    pub baseline: Option<&'a BaselineAnswers<'a>>,
}

/// Builds the plans of all cards.
pub fn plan_all_cards<'a>(
    specs: &[CardSpec],
    answers: &[&'a Answer],
    less: Option<&'a BaselineAnswers<'a>>,
) -> Vec<CardPlan<'a>> {
    if specs.is_empty() {
        let alike = answers.chunk_by(|a, b| belong_to_one_card(a, b));
        let plan = |cells: &[&'a Answer]| CardPlan::new(CardSpec::default(), cells.to_vec(), less);
        return alike.map(plan).collect();
    }
    let mut plans = Vec::new();
    for spec in specs {
        let named = |cell: &&Answer| spec.contests.is_empty() || spec.contests.contains(&cell.name);
        let cells: Vec<_> = answers.iter().copied().filter(named).collect();
        // An interrupted run may lack all of them.
        if !cells.is_empty() {
            plans.push(CardPlan::new(spec.clone(), cells, less));
        }
    }
    plans
}

/// Whether two cells fit on one card: the same contest on the same axes.
fn belong_to_one_card(a: &Answer, b: &Answer) -> bool {
    let axes = |cell: &Answer| cell.axes.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
    a.has_same_action(b) && (a.contest == b.contest || axes(a) == axes(b))
}

impl<'a> CardPlan<'a> {
    fn new(
        spec: CardSpec,
        cells: Vec<&'a Answer>,
        less: Option<&'a BaselineAnswers<'a>>,
    ) -> CardPlan<'a> {
        let (rows, columns) = choose_rows_and_columns(&spec, &cells);
        let both = cells_followed_by_baseline(&cells, less);
        let mut stack = match spec.lines.is_empty() {
            true => plan_stack_lines(&both),
            false => StackLinesPlan { lines: spec.lines.clone(), ..StackLinesPlan::default() },
        };
        if spec.lines.is_empty() {
            let measures = default_measures(&both, !stack.lines.is_empty());
            stack.lines.extend(measures);
        }
        CardPlan { spec, cells, rows, columns, stack, baseline: less }
    }

    /// Returns its cells, and those of the baseline.
    pub fn cells_and_baseline(&self) -> Vec<&'a Answer> {
        cells_followed_by_baseline(&self.cells, self.baseline)
    }

    /// Returns the name of an axis: from the file, or else the last word of its path, with a number
    /// where two axes would have one name.
    pub fn axis_name(&self, path: &str) -> String {
        let mut names = self.spec.names.iter();
        if let Some((_, name)) = names.find(|(known, _)| known == path) {
            return replace_control_chars(name);
        }
        let name_of = |path: &str| {
            let mut cells = self.cells.iter();
            short_labels::short_axis_label(
                path,
                cells.find_map(|cell| cell.action.fields.find_field_at_path(path)),
            )
        };
        let name = name_of(path);
        let axes = self.cells.iter().flat_map(|cell| &cell.axes);
        let others: BTreeSet<&str> = axes.map(|(other, _)| other.as_str()).collect();
        match others.into_iter().any(|other| other != path && name_of(other) == name) {
            true => short_labels::append_number_from_path(name, path),
            false => name,
        }
    }

    /// Returns the name of the rows or the columns; empty for contests and results.
    pub fn row_or_column_axis_name(&self, side: &CardRowOrColumnAxis) -> String {
        let spec = &self.spec;
        let title = if *side == self.rows { &spec.row_title } else { &spec.column_title };
        match (title, side) {
            (Some(title), _) => replace_control_chars(title),
            (None, CardRowOrColumnAxis::Axis(path)) => self.axis_name(path),
            (None, _) => String::new(),
        }
    }
}

fn cells_followed_by_baseline<'a>(
    cells: &[&'a Answer],
    less: Option<&'a BaselineAnswers<'a>>,
) -> Vec<&'a Answer> {
    let others =
        less.into_iter().flat_map(|less| cells.iter().map(|cell| less.baseline_cell_for(cell)));
    cells.iter().copied().chain(others).collect()
}

/// Chooses rows and columns, unless the file does: modifiers go across, or else the last axis that
/// is not too long; the longest of the others goes down.
fn choose_rows_and_columns(
    spec: &CardSpec,
    cells: &[&Answer],
) -> (CardRowOrColumnAxis, CardRowOrColumnAxis) {
    let mut axes: Vec<(String, usize, bool)> = Vec::new();
    for (path, _) in cells.iter().flat_map(|cell| &cell.axes) {
        let is_taken = |side: &Option<CardRowOrColumnAxis>| {
            *side == Some(CardRowOrColumnAxis::Axis(path.clone()))
        };
        if !axes.iter().any(|(known, ..)| known == path)
            && !is_taken(&spec.rows)
            && !is_taken(&spec.columns)
        {
            axes.push(path_value_count_and_signed(cells, path));
        }
    }
    let columns = spec.columns.clone().unwrap_or_else(|| {
        let spare = usize::from(spec.rows.is_none());
        index_of_axis_across(&axes)
            .filter(|_| axes.len() > spare)
            .map_or(CardRowOrColumnAxis::Results, |at| CardRowOrColumnAxis::Axis(axes.remove(at).0))
    });
    let rows = spec.rows.clone().unwrap_or_else(|| {
        let longest =
            axes.iter().enumerate().max_by_key(|(i, axis)| (axis.1, std::cmp::Reverse(*i)));
        longest.map_or(CardRowOrColumnAxis::Contests, |(_, axis)| {
            CardRowOrColumnAxis::Axis(axis.0.clone())
        })
    });
    // Without any axis, contests go down and their results across.
    match (rows, columns) {
        (CardRowOrColumnAxis::Results, CardRowOrColumnAxis::Results) => {
            (CardRowOrColumnAxis::Results, CardRowOrColumnAxis::Contests)
        }
        sides => sides,
    }
}

/// Describes an axis: its path, its number of values, and whether they are modifiers.
fn path_value_count_and_signed(cells: &[&Answer], path: &str) -> (String, usize, bool) {
    let mut values = Vec::new();
    for (name, value) in cells.iter().flat_map(|cell| &cell.axes) {
        if name == path && !values.contains(&value) {
            values.push(value);
        }
    }
    let field = cells.iter().find_map(|cell| cell.action.fields.find_field_at_path(path));
    (path.to_owned(), values.len(), labels::are_axis_values_signed(field, &values))
}

fn index_of_axis_across(axes: &[(String, usize, bool)]) -> Option<usize> {
    let modifiers = axes.iter().position(|axis| axis.2);
    let short = axes.iter().rposition(|axis| axis.1 <= MAX_CARD_COLUMNS);
    modifiers.or(short).or(axes.len().checked_sub(1))
}

/// The lines of a row when the file names none.
#[derive(Default)]
pub struct StackLinesPlan {
    /// The lines.
    pub lines: Vec<CardLineSpec>,
    /// The outcomes without a line, because they happen only together with one that counts more.
    pub covered_outcomes: Vec<Text>,
    /// Whether some lines are not harm.
    pub has_harmless_lines: bool,
}

/// Plans the stack: the bands that outcomes of some cells count under, the worst first; none
/// without harm.
pub fn plan_stack_lines(cells: &[&Answer]) -> StackLinesPlan {
    let (ranks, covered) = outcome_category::used_and_covered_over_cells(cells);
    if ranks.iter().all(|rank| rank.weight != HarmGainOrNeutral::Harm) {
        return StackLinesPlan::default();
    }
    let mixed = ranks.iter().any(|rank| rank.weight != HarmGainOrNeutral::Harm);
    let condition = |field: Text| OutcomeFieldMinimum { field: field.to_string(), least: 1 };
    let line = |rank: OutcomeCategory| CardLineSpec {
        label: rank.word.to_string(),
        shows: CardLineValue::Band(rank.fields.into_iter().map(condition).collect()),
    };
    StackLinesPlan {
        lines: ranks.into_iter().map(line).collect(),
        covered_outcomes: covered,
        has_harmless_lines: mixed,
    }
}

/// Returns the measures of a card, `below_stack` where outcomes with harm are above them.
///
/// A rulebook from a file has all of its own; a stack says its chances already, so the others
/// follow it, but for the mean that every shown number has without a word of the designer. Others
/// have the probabilities, or the means if there are none, and nothing below a stack.
fn default_measures(cells: &[&Answer], below_stack: bool) -> Vec<CardLineSpec> {
    let has_own = cells.iter().all(|cell| cell.system.is_from_text());
    match (has_own, below_stack) {
        (true, true) => lines_of_nonzero_measures(cells, |head| {
            !is_in_percent(head) && !is_mean_of_field(head, cells)
        }),
        (true, false) => lines_of_nonzero_measures(cells, |_| true),
        (false, true) => Vec::new(),
        (false, false) => {
            let probabilities = lines_of_nonzero_measures(cells, is_in_percent);
            match probabilities.is_empty() {
                true => lines_of_nonzero_measures(cells, |head| !is_in_percent(head)),
                false => probabilities,
            }
        }
    }
}

fn is_in_percent(head: &MeasureHead) -> bool {
    head.kind.is_shown_in_percent()
}

/// Returns whether a measure is the mean that a shown number has of itself: `e_lost` of `lost`.
fn is_mean_of_field(head: &MeasureHead, cells: &[&Answer]) -> bool {
    cells.iter().any(|cell| cell.fields.iter().any(|field| head.is_mean_of(&field.name)))
}

/// Returns a line for each of the first measures that are not 0 everywhere and are wanted.
fn lines_of_nonzero_measures(
    cells: &[&Answer],
    is_wanted: impl Fn(&MeasureHead) -> bool,
) -> Vec<CardLineSpec> {
    let busy = |name: &str| {
        let of = |cell: &&Answer| {
            cell.measure_answer_by_name(name).is_some_and(|m| m.exact != Some(0.0))
        };
        cells.iter().any(of)
    };
    let heads = measures_of(cells.iter().copied());
    let shown = heads.iter().filter(|head| is_wanted(head) && busy(&head.name));
    let line = shown.map(|head| CardLineSpec {
        label: head.display_name().to_string(),
        shows: CardLineValue::Measure(head.name.to_string()),
    });
    line.take(MAX_DEFAULT_MEASURES).collect()
}
