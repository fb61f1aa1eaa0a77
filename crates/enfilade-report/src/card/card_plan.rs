//! Plan of a card: its cells, its rows and columns, and the lines of a row.
//!
//! Choices that the file leaves open follow from the grid. If the outcomes have fields that are
//! known as harm, as [`outcome_category`] has them, the lines are a stack; otherwise they are the
//! probabilities.

use std::collections::BTreeSet;

use super::difference_card::BaselineCells;
use crate::outcome_category::{self, CategorySide, OutcomeCategory};
use crate::text::labels;
use crate::text::sentences::{collect_measures as measures_of, sanitize};
use crate::text::short_labels;
use enfilade_model::shared::Text;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::{CardAxis, CardSpec, LineSpec, OutcomeThreshold, ShownValue};

/// The largest number of columns, unless no other axis can be across.
const MAX_COLUMNS: usize = 16;

/// The largest number of measures shown when the file names no lines.
const MAX_MEASURES: usize = 6;

/// A card before its numbers are filled in.
pub struct CardPlan<'a> {
    /// Its description in the file.
    pub spec: CardSpec,
    /// Its cells, at least one.
    pub cells: Vec<&'a Answer>,
    /// The side of the rows.
    pub rows: CardAxis,
    /// The side of the columns.
    pub columns: CardAxis,
    /// The lines of a row, or the columns when these are results.
    pub stack: StackPlan,
    /// The baseline subtracted from every number, on a card of differences.
    pub baseline: Option<&'a BaselineCells<'a>>,
}

/// Builds the plans of all cards.
pub fn build_plans<'a>(
    specs: &[CardSpec],
    answers: &[&'a Answer],
    less: Option<&'a BaselineCells<'a>>,
) -> Vec<CardPlan<'a>> {
    if specs.is_empty() {
        let alike = answers.chunk_by(|a, b| fits_one_card(a, b));
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
fn fits_one_card(a: &Answer, b: &Answer) -> bool {
    let axes = |cell: &Answer| cell.axes.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
    a.has_same_action(b) && (a.contest == b.contest || axes(a) == axes(b))
}

impl<'a> CardPlan<'a> {
    fn new(
        spec: CardSpec,
        cells: Vec<&'a Answer>,
        less: Option<&'a BaselineCells<'a>>,
    ) -> CardPlan<'a> {
        let (rows, columns) = choose_sides(&spec, &cells);
        let both = join_cells(&cells, less);
        let mut stack = match spec.lines.is_empty() {
            true => plan_stack(&both),
            false => StackPlan { lines: spec.lines.clone(), ..StackPlan::default() },
        };
        if stack.lines.is_empty() {
            stack.lines = choose_measures(&both);
        }
        CardPlan { spec, cells, rows, columns, stack, baseline: less }
    }

    /// Returns its cells, and those of the baseline.
    pub fn all_cells(&self) -> Vec<&'a Answer> {
        join_cells(&self.cells, self.baseline)
    }

    /// Returns the name of an axis: from the file, or else the last word of its path, with a number
    /// where two axes would have one name.
    pub fn axis_name(&self, path: &str) -> String {
        let mut names = self.spec.names.iter();
        if let Some((_, name)) = names.find(|(known, _)| known == path) {
            return sanitize(name);
        }
        let name_of = |path: &str| {
            let mut cells = self.cells.iter();
            short_labels::short_axis_label(
                path,
                cells.find_map(|cell| cell.action.fields.find_at(path)),
            )
        };
        let name = name_of(path);
        let axes = self.cells.iter().flat_map(|cell| &cell.axes);
        let others: BTreeSet<&str> = axes.map(|(other, _)| other.as_str()).collect();
        match others.into_iter().any(|other| other != path && name_of(other) == name) {
            true => short_labels::with_table_number(name, path),
            false => name,
        }
    }

    /// Returns the name of the rows or the columns; empty for contests and results.
    pub fn side_name(&self, side: &CardAxis) -> String {
        let spec = &self.spec;
        let title = if *side == self.rows { &spec.row_title } else { &spec.column_title };
        match (title, side) {
            (Some(title), _) => sanitize(title),
            (None, CardAxis::Axis(path)) => self.axis_name(path),
            (None, _) => String::new(),
        }
    }
}

fn join_cells<'a>(cells: &[&'a Answer], less: Option<&'a BaselineCells<'a>>) -> Vec<&'a Answer> {
    let others = less.into_iter().flat_map(|less| cells.iter().map(|cell| less.cell_for(cell)));
    cells.iter().copied().chain(others).collect()
}

/// Chooses rows and columns, unless the file does: modifiers go across, or else the last axis that
/// is not too long; the longest of the others goes down.
fn choose_sides(spec: &CardSpec, cells: &[&Answer]) -> (CardAxis, CardAxis) {
    let mut axes: Vec<(String, usize, bool)> = Vec::new();
    for (path, _) in cells.iter().flat_map(|cell| &cell.axes) {
        let taken = |side: &Option<CardAxis>| *side == Some(CardAxis::Axis(path.clone()));
        if !axes.iter().any(|(known, ..)| known == path)
            && !taken(&spec.rows)
            && !taken(&spec.columns)
        {
            axes.push(measure_axis(cells, path));
        }
    }
    let columns = spec.columns.clone().unwrap_or_else(|| {
        let spare = usize::from(spec.rows.is_none());
        choose_across(&axes)
            .filter(|_| axes.len() > spare)
            .map_or(CardAxis::Results, |at| CardAxis::Axis(axes.remove(at).0))
    });
    let rows = spec.rows.clone().unwrap_or_else(|| {
        let longest =
            axes.iter().enumerate().max_by_key(|(i, axis)| (axis.1, std::cmp::Reverse(*i)));
        longest.map_or(CardAxis::Contests, |(_, axis)| CardAxis::Axis(axis.0.clone()))
    });
    // Without any axis, contests go down and their results across.
    match (rows, columns) {
        (CardAxis::Results, CardAxis::Results) => (CardAxis::Results, CardAxis::Contests),
        sides => sides,
    }
}

/// Describes an axis: its path, its number of values, and whether they are modifiers.
fn measure_axis(cells: &[&Answer], path: &str) -> (String, usize, bool) {
    let mut values = Vec::new();
    for (name, value) in cells.iter().flat_map(|cell| &cell.axes) {
        if name == path && !values.contains(&value) {
            values.push(value);
        }
    }
    let field = cells.iter().find_map(|cell| cell.action.fields.find_at(path));
    (path.to_owned(), values.len(), labels::has_signs(field, &values))
}

fn choose_across(axes: &[(String, usize, bool)]) -> Option<usize> {
    let modifiers = axes.iter().position(|axis| axis.2);
    let short = axes.iter().rposition(|axis| axis.1 <= MAX_COLUMNS);
    modifiers.or(short).or(axes.len().checked_sub(1))
}

/// The lines of a row when the file names none.
#[derive(Default)]
pub struct StackPlan {
    /// The lines.
    pub lines: Vec<LineSpec>,
    /// The outcomes without a line, because they happen only together with one that counts more.
    pub covered_outcomes: Vec<Text>,
    /// Whether some lines are not harm.
    pub has_harmless_lines: bool,
}

/// Plans the stack: the bands that outcomes of some cells count under, the worst first; none
/// without harm.
pub fn plan_stack(cells: &[&Answer]) -> StackPlan {
    let (ranks, covered) = outcome_category::find_used_categories(cells);
    if ranks.iter().all(|rank| rank.weight != CategorySide::Harm) {
        return StackPlan::default();
    }
    let mixed = ranks.iter().any(|rank| rank.weight != CategorySide::Harm);
    let condition = |field: Text| OutcomeThreshold { field: field.to_string(), least: 1 };
    let line = |rank: OutcomeCategory| LineSpec {
        label: rank.word.to_string(),
        shows: ShownValue::Band(rank.fields.into_iter().map(condition).collect()),
    };
    StackPlan {
        lines: ranks.into_iter().map(line).collect(),
        covered_outcomes: covered,
        has_harmless_lines: mixed,
    }
}

/// Returns the probabilities that are not 0 everywhere, or the means if there are none.
fn choose_measures(cells: &[&Answer]) -> Vec<LineSpec> {
    let busy = |name: &str| {
        let of = |cell: &&Answer| cell.find_measure(name).is_some_and(|m| m.exact != Some(0.0));
        cells.iter().any(of)
    };
    let heads = measures_of(cells.iter().copied());
    let of = |shares: bool| {
        let shown = heads.iter().filter(|head| head.kind.is_share() == shares && busy(&head.name));
        let line = shown.map(|head| LineSpec {
            label: head.display_name().to_string(),
            shows: ShownValue::Measure(head.name.to_string()),
        });
        line.take(MAX_MEASURES).collect::<Vec<_>>()
    };
    let probabilities = of(true);
    if probabilities.is_empty() { of(false) } else { probabilities }
}
