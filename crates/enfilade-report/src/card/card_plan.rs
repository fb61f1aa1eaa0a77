//! Plan of a card: its cells, its rows and columns, and the lines of a row.
//!
//! Choices that the file leaves open follow from the grid. If the outcomes have fields that are
//! known as harm, as [`outcome_category`] has them, the lines are a stack; otherwise they are the
//! probabilities.

use std::collections::BTreeSet;

use super::difference_card::Less;
use crate::outcome_category::{self, Rank, Weight};
use crate::text::labels;
use crate::text::sentences::{clean, measures as measures_of};
use crate::text::short_labels;
use enfilade_model::shared::Text;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::{CardSpec, Condition, LineSpec, Shows, Side};

/// The largest number of columns, unless no other axis can be across.
const COLUMNS: usize = 16;

/// The largest number of measures shown when the file names no lines.
const MEASURES: usize = 6;

/// A card before its numbers are filled in.
pub struct Plan<'a> {
    /// Its description in the file.
    pub spec: CardSpec,
    /// Its cells, at least one.
    pub cells: Vec<&'a Answer>,
    /// The side of the rows.
    pub rows: Side,
    /// The side of the columns.
    pub columns: Side,
    /// The lines of a row, or the columns when these are results.
    pub stack: Stack,
    /// The baseline subtracted from every number, on a card of differences.
    pub less: Option<&'a Less<'a>>,
}

/// Builds the plans of all cards.
pub fn plans<'a>(
    specs: &[CardSpec],
    answers: &'a [Answer],
    less: Option<&'a Less<'a>>,
) -> Vec<Plan<'a>> {
    if specs.is_empty() {
        let alike = answers.chunk_by(alike);
        let plan =
            |cells: &'a [Answer]| Plan::new(CardSpec::default(), cells.iter().collect(), less);
        return alike.map(plan).collect();
    }
    let mut plans = Vec::new();
    for spec in specs {
        let named = |cell: &&Answer| spec.contests.is_empty() || spec.contests.contains(&cell.name);
        let cells: Vec<_> = answers.iter().filter(named).collect();
        // An interrupted run may lack all of them.
        if !cells.is_empty() {
            plans.push(Plan::new(spec.clone(), cells, less));
        }
    }
    plans
}

/// Whether two cells fit on one card: the same contest on the same axes.
fn alike(a: &Answer, b: &Answer) -> bool {
    let axes = |cell: &Answer| cell.axes.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
    a.is_like(b) && (a.contest == b.contest || axes(a) == axes(b))
}

impl<'a> Plan<'a> {
    fn new(spec: CardSpec, cells: Vec<&'a Answer>, less: Option<&'a Less<'a>>) -> Plan<'a> {
        let (rows, columns) = sides(&spec, &cells);
        let both = both(&cells, less);
        let mut stack = match spec.lines.is_empty() {
            true => stack(&both),
            false => Stack { lines: spec.lines.clone(), ..Stack::default() },
        };
        if stack.lines.is_empty() {
            stack.lines = measures(&both);
        }
        Plan { spec, cells, rows, columns, stack, less }
    }

    /// Returns its cells, and those of the baseline.
    pub fn both(&self) -> Vec<&'a Answer> {
        both(&self.cells, self.less)
    }

    /// Returns the name of an axis: from the file, or else the last word of its path, with a number
    /// where two axes would have one name.
    pub fn axis_name(&self, path: &str) -> String {
        let mut names = self.spec.names.iter();
        if let Some((_, name)) = names.find(|(known, _)| known == path) {
            return clean(name);
        }
        let name_of = |path: &str| {
            let mut cells = self.cells.iter();
            short_labels::axis(path, cells.find_map(|cell| cell.action.fields.at(path)))
        };
        let name = name_of(path);
        let axes = self.cells.iter().flat_map(|cell| &cell.axes);
        let others: BTreeSet<&str> = axes.map(|(other, _)| other.as_str()).collect();
        match others.into_iter().any(|other| other != path && name_of(other) == name) {
            true => short_labels::numbered(name, path),
            false => name,
        }
    }

    /// Returns the name of the rows or the columns; empty for contests and results.
    pub fn side_name(&self, side: &Side) -> String {
        let spec = &self.spec;
        let title = if *side == self.rows { &spec.row_title } else { &spec.column_title };
        match (title, side) {
            (Some(title), _) => clean(title),
            (None, Side::Axis(path)) => self.axis_name(path),
            (None, _) => String::new(),
        }
    }
}

fn both<'a>(cells: &[&'a Answer], less: Option<&'a Less<'a>>) -> Vec<&'a Answer> {
    let others = less.into_iter().flat_map(|less| cells.iter().map(|cell| less.of(cell)));
    cells.iter().copied().chain(others).collect()
}

/// Chooses rows and columns, unless the file does: modifiers go across, or else the last axis that
/// is not too long; the longest of the others goes down.
fn sides(spec: &CardSpec, cells: &[&Answer]) -> (Side, Side) {
    let mut axes: Vec<(String, usize, bool)> = Vec::new();
    for (path, _) in cells.iter().flat_map(|cell| &cell.axes) {
        let taken = |side: &Option<Side>| *side == Some(Side::Axis(path.clone()));
        if !axes.iter().any(|(known, ..)| known == path)
            && !taken(&spec.rows)
            && !taken(&spec.columns)
        {
            axes.push(measured(cells, path));
        }
    }
    let columns = spec.columns.clone().unwrap_or_else(|| {
        let spare = usize::from(spec.rows.is_none());
        across(&axes)
            .filter(|_| axes.len() > spare)
            .map_or(Side::Results, |at| Side::Axis(axes.remove(at).0))
    });
    let rows = spec.rows.clone().unwrap_or_else(|| {
        let longest =
            axes.iter().enumerate().max_by_key(|(i, axis)| (axis.1, std::cmp::Reverse(*i)));
        longest.map_or(Side::Contests, |(_, axis)| Side::Axis(axis.0.clone()))
    });
    // Without any axis, contests go down and their results across.
    match (rows, columns) {
        (Side::Results, Side::Results) => (Side::Results, Side::Contests),
        sides => sides,
    }
}

/// Describes an axis: its path, its number of values, and whether they are modifiers.
fn measured(cells: &[&Answer], path: &str) -> (String, usize, bool) {
    let mut values = Vec::new();
    for (name, value) in cells.iter().flat_map(|cell| &cell.axes) {
        if name == path && !values.contains(&value) {
            values.push(value);
        }
    }
    let field = cells.iter().find_map(|cell| cell.action.fields.at(path));
    (path.to_owned(), values.len(), labels::is_signed(field, &values))
}

fn across(axes: &[(String, usize, bool)]) -> Option<usize> {
    let modifiers = axes.iter().position(|axis| axis.2);
    let short = axes.iter().rposition(|axis| axis.1 <= COLUMNS);
    modifiers.or(short).or(axes.len().checked_sub(1))
}

/// The lines of a row when the file names none.
#[derive(Default)]
pub struct Stack {
    /// The lines.
    pub lines: Vec<LineSpec>,
    /// The outcomes without a line, because they happen only together with one that counts more.
    pub covered: Vec<Text>,
    /// Whether some lines are not harm.
    pub mixed: bool,
}

/// Plans the stack: the bands that outcomes of some cells count under, the worst first; none
/// without harm.
pub fn stack(cells: &[&Answer]) -> Stack {
    let (ranks, covered) = outcome_category::parted(cells);
    if ranks.iter().all(|rank| rank.weight != Weight::Harm) {
        return Stack::default();
    }
    let mixed = ranks.iter().any(|rank| rank.weight != Weight::Harm);
    let condition = |field: Text| Condition { field: field.to_string(), least: 1 };
    let line = |rank: Rank| LineSpec {
        label: rank.word.to_string(),
        shows: Shows::Band(rank.fields.into_iter().map(condition).collect()),
    };
    Stack { lines: ranks.into_iter().map(line).collect(), covered, mixed }
}

/// Returns the probabilities that are not 0 everywhere, or the means if there are none.
fn measures(cells: &[&Answer]) -> Vec<LineSpec> {
    let busy = |name: &str| {
        let of = |cell: &&Answer| cell.measure(name).is_some_and(|m| m.exact != Some(0.0));
        cells.iter().any(of)
    };
    let heads = measures_of(cells.iter().copied());
    let of = |shares: bool| {
        let shown = heads.iter().filter(|head| head.kind.is_share() == shares && busy(&head.name));
        let line = shown.map(|head| LineSpec {
            label: head.label_or_name().to_string(),
            shows: Shows::Measure(head.name.to_string()),
        });
        line.take(MEASURES).collect::<Vec<_>>()
    };
    let probabilities = of(true);
    if probabilities.is_empty() { of(false) } else { probabilities }
}
