//! What goes where: which cells make a card, what its rows and columns are, which lines a row has.
//!
//! What the file does not say is chosen from the grid. A stack is made where the outcomes have
//! fields that are known to hurt, as [`outcome_category`] has them; else the lines are the probabilities.

use std::collections::BTreeSet;

use super::difference_card::Less;
use crate::outcome_category::{self, Rank, Weight};
use crate::text::labels;
use crate::text::sentences::{clean, measures as measures_of};
use crate::text::short_labels;
use enfilade_model::shared::Text;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::{CardSpec, Condition, LineSpec, Shows, Side};

/// The most columns a side of the card gets when another axis could be it.
const COLUMNS: usize = 16;

/// The most measures shown when the file names no lines.
const MEASURES: usize = 6;

/// A card before its numbers are set.
pub struct Plan<'a> {
    /// What the file says about it.
    pub spec: CardSpec,
    /// The cells it shows, at least one.
    pub cells: Vec<&'a Answer>,
    /// What its rows are.
    pub rows: Side,
    /// What its columns are.
    pub columns: Side,
    /// The lines of a row, or the columns when these are results.
    pub stack: Stack,
    /// What is taken away from every number, on a card of differences.
    pub less: Option<&'a Less<'a>>,
}

/// The plans of all cards.
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

/// Whether two cells fit on one card: the same question on the same axes.
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

    /// Its cells, and those that are taken away from them.
    pub fn both(&self) -> Vec<&'a Answer> {
        both(&self.cells, self.less)
    }

    /// What an axis is called: by the file, else by the last word of its path, with a number where
    /// two axes are called alike.
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

    /// What the rows or the columns are called; empty for contests and results.
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

/// Rows and columns, as the file says or as they are read best: modifiers go across, else the
/// last axis that is not too long; the longest of the others goes down.
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

/// An axis: its path, how many values it has, whether they are modifiers.
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
    /// What has no line of its own, because it happens only where something does that counts more.
    pub covered: Vec<Text>,
    /// Whether some lines are no harm.
    pub mixed: bool,
}

/// The bands that outcomes of some cells count as, the worst first; none where nobody is hurt.
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

/// The probabilities that are not 0 everywhere; the means when there are none.
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
