//! The answers of a contest as tables of text.
//!
//! A grid has a row per cell and a column per measure; a single cell has a row per measure and,
//! below, the distribution of its outcomes.

use crate::answers::single_laws;
use crate::answers::zero_columns::Idle;
use crate::blocks::{Block, Entry, TextTable};
use crate::text::median_tries::{self, Until};
use crate::text::{labels, measure_format, sentences};
use std::borrow::Borrow;
use std::sync::Arc;

use crate::text::number_format::exact_percent;
use enfilade_model::combat::{FieldHead, MeasureHead};
use enfilade_model::form::Value;
use enfilade_model::form::sanitize::grouped;
use enfilade_study::answer::{Answer, MeasureAnswer, OutcomeAnswer};
use enfilade_study::parameters;

/// The largest number of outcomes shown of one distribution; the likeliest stay.
const OUTCOMES_SHOWN: usize = 60;

/// The tables of one contest, with the text above and below them.
#[derive(Debug)]
pub struct ContestTables {
    /// The heading: `asl fire`, or the contest's name.
    pub title: String,
    /// The parameters that are equal in every cell; `None` without any.
    pub given: Option<String>,
    /// The measures.
    pub measures: TextTable,
    /// The meaning of the columns of a grid, one line each.
    pub legend: Vec<String>,
    /// The law of each show by itself, where the law of all together is long.
    pub alone: Vec<Block>,
    /// Whether those come before the law of all together.
    pub alone_first: bool,
    /// The distribution of the outcomes; only for a single cell.
    pub outcomes: Option<TextTable>,
    /// Engine, agreement, unfinished share, notes.
    pub remarks: Vec<String>,
}

impl ContestTables {
    /// Returns heading, table, legend, distribution and remarks.
    pub fn blocks(self) -> Vec<Block> {
        let mut blocks = vec![Block::Heading(self.title)];
        blocks.extend(self.given.map(Block::said));
        // An action may have no measures; its distribution is then the whole answer.
        if !self.measures.rows.is_empty() {
            blocks.push(Block::Table("Measures".to_owned(), self.measures));
        }
        blocks.extend(Block::listed(self.legend));
        let joint = self.outcomes.map(|law| Block::Table("What happens".to_owned(), law));
        match self.alone_first {
            true => blocks.extend(self.alone.into_iter().chain(joint)),
            false => blocks.extend(joint.into_iter().chain(self.alone)),
        }
        blocks.extend(self.remarks.into_iter().map(Block::said));
        blocks
    }
}

/// Builds the blocks of all contests, one after the other.
pub fn report(answers: &[Answer]) -> Vec<Block> {
    sentences::by_contest(answers).flat_map(|cells| contest(cells).blocks()).collect()
}

/// Which columns of a contest are shown, and in which order.
#[derive(Debug, Default)]
pub struct View<'v> {
    /// Axes without a column.
    pub hidden: Vec<&'v str>,
    /// Measures that come before all others.
    pub first: Vec<&'v str>,
}

impl View<'_> {
    /// The axes of a cell that have a column.
    fn axes<'c>(&self, cell: &'c Answer) -> impl Iterator<Item = &'c (String, Value)> {
        cell.axes.iter().filter(|(path, _)| !self.hidden.contains(&path.as_str()))
    }

    /// Where a measure stands.
    fn rank(&self, measure: &str) -> usize {
        self.first.iter().position(|name| *name == measure).unwrap_or(usize::MAX)
    }
}

/// Builds the tables of the cells of one contest.
///
/// The cells must belong to one contest, and there must be at least one.
pub fn contest(cells: &[impl Borrow<Answer>]) -> ContestTables {
    let cells: Vec<&Answer> = cells.iter().map(Borrow::borrow).collect();
    contest_in(&cells, &View::default())
}

/// The same tables with the columns of a view.
pub(crate) fn contest_in(cells: &[&Answer], view: &View<'_>) -> ContestTables {
    let idle = Idle::of(cells);
    let first = cells[0];
    let grid = cells.len() > 1 || view.axes(first).next().is_some();
    let mut heads = sentences::measures(cells.iter().copied());
    heads.retain(|head| !idle.has_measure(&head.name));
    heads.sort_by_key(|head| view.rank(&head.name));
    let measures = match grid {
        true => rows_of_cells(cells, heads.clone(), view),
        false => rows_of_measures(first, &idle, view),
    };
    ContestTables {
        title: title(first),
        given: given(first),
        measures,
        legend: if grid { legend(heads) } else { Vec::new() },
        alone: if cells.len() == 1 { single_laws::blocks(first, &idle) } else { Vec::new() },
        alone_first: single_laws::come_first(first),
        outcomes: (cells.len() == 1 && !first.outcomes.is_empty()).then(|| law(first, &idle)),
        remarks: remarks(cells.iter().copied())
            .into_iter()
            .chain(left_out(&idle.labels()))
            .collect(),
    }
}

fn left_out(idle: &[&str]) -> Option<String> {
    let names = || idle.join(", ");
    (!idle.is_empty()).then(|| format!("Always 0 and left out: {}.", names()))
}

/// Collects the remarks below the tables of one contest.
pub fn remarks<'a>(cells: impl IntoIterator<Item = &'a Answer> + Clone) -> Vec<String> {
    let mut remarks = vec![sentences::engines(cells.clone())];
    remarks.extend(sentences::agreement(cells.clone()));
    remarks.extend(sentences::unsettled(cells.clone()));
    remarks.extend(sentences::conditions(cells.clone()));
    remarks.extend(sentences::notes(cells));
    remarks
}

fn title(first: &Answer) -> String {
    let asked = first.asked();
    if first.name == asked {
        return asked;
    }
    format!("{} ({asked})", sentences::clean(&first.name))
}

/// Formats the parameters that are neither axes nor defaults: "firepower 8, table: IIFT".
pub(crate) fn given(first: &Answer) -> Option<String> {
    let chosen = parameters::chosen_at(&first.action, &first.params);
    let fixed = parameters::fixed(chosen, first.axes.iter().map(|(path, _)| &**path));
    let said = labels::given(first, &fixed);
    (!said.is_empty()).then(|| said.join(", "))
}

fn legend(heads: Vec<Arc<MeasureHead>>) -> Vec<String> {
    heads.into_iter().map(|head| explained(&head)).collect()
}

/// Explains a measure: its label, its column, and its meaning unless the label is enough.
pub(crate) fn explained(head: &MeasureHead) -> String {
    let named = format!("{} ({})", titled(head), sentences::clean(&head.name));
    match head.about.to_lowercase() == labels::measure(head).to_lowercase() {
        true => named,
        false => format!("{named}: {}", head.about),
    }
}

/// Returns the label of a measure with the sign of its unit: "killed %".
pub(crate) fn titled(head: &MeasureHead) -> String {
    format!("{} {}", median_tries::label(head), head.kind.sign()).trim_end().to_owned()
}

fn rows_of_cells(cells: &[&Answer], measures: Vec<Arc<MeasureHead>>, view: &View<'_>) -> TextTable {
    let first = cells[0];
    let axes = view.axes(first).map(|(path, _)| labels::axis(first, path));
    TextTable {
        heads: axes.chain(measures.iter().map(|head| titled(head))).collect(),
        rows: cells.iter().map(|cell| row_of_cell(cell, &measures, view)).collect(),
        fixed: view.axes(first).count(),
    }
}

fn row_of_cell(cell: &Answer, measures: &[Arc<MeasureHead>], view: &View<'_>) -> Vec<Entry> {
    let axes = view.axes(cell).map(|(path, value)| axis_entry(cell, path, value));
    let odds = |head: &Arc<MeasureHead>| match cell.measure(&head.name) {
        Some(measure) => told(cell, measure),
        None => Entry::Text("–".to_owned()),
    };
    axes.chain(measures.iter().map(odds)).collect()
}

pub(crate) fn axis_entry(cell: &Answer, path: &str, value: &Value) -> Entry {
    let shown = labels::value(cell, path, value);
    match value {
        Value::Int(_) | Value::Fraction(_) => Entry::Number(shown),
        _ => Entry::Text(shown),
    }
}

/// Builds the entry of a measure; of tries until an event, their median and the share within them.
pub fn told(cell: &Answer, measure: &MeasureAnswer) -> Entry {
    match Until::of(cell, measure) {
        Some(until) => Entry::Number(until.said()),
        None => odds(measure, cell.trials),
    }
}

/// Builds the entry of a measure of any kind.
pub fn odds(measure: &MeasureAnswer, trials: u64) -> Entry {
    let kind = measure.head.kind;
    let simulated = measure.simulated.as_ref();
    Entry::Odds {
        exact: measure.exact.map(|value| measure_format::exact(kind.is_share(), value)),
        simulated: simulated
            .map(|estimate| measure_format::simulated(kind.is_share(), estimate, trials)),
    }
}

fn rows_of_measures(cell: &Answer, idle: &Idle, view: &View<'_>) -> TextTable {
    let columns = Columns::of(cell, idle);
    let mut measures = busy(cell, idle).collect::<Vec<_>>();
    measures.sort_by_key(|measure| view.rank(&measure.head.name));
    let heads = columns.heads("measure", &["exact", "as a fraction", "simulated", "meaning"]);
    let row = |measure: &MeasureAnswer| {
        let numbers = match told(cell, measure) {
            Entry::Odds { exact, simulated } => [exact, measure.fraction.clone(), simulated],
            said if measure.exact.is_some() => [Some(said.inline()), None, None],
            said => [None, None, Some(said.inline())],
        };
        let name = titled(&measure.head);
        let numbers = columns.keep(numbers);
        let about = Entry::Text(measure.head.about.to_string());
        [Entry::Text(name)].into_iter().chain(numbers).chain([about]).collect()
    };
    TextTable { heads, rows: measures.into_iter().map(row).collect(), fixed: 1 }
}

/// The measures that are not 0 throughout.
fn busy<'a>(cell: &'a Answer, idle: &Idle) -> impl Iterator<Item = &'a MeasureAnswer> {
    cell.measures.iter().filter(|measure| !idle.has_measure(&measure.head.name))
}

/// The columns that an answer fills: exact, fraction, simulated.
struct Columns([bool; 3]);

impl Columns {
    fn of(cell: &Answer, idle: &Idle) -> Columns {
        let any = |filled: fn(&MeasureAnswer) -> bool| busy(cell, idle).any(filled);
        let law = |filled: fn(&OutcomeAnswer) -> bool| cell.outcomes.iter().any(filled);
        Columns([
            any(|m| m.exact.is_some()) || law(|o| o.exact.is_some()),
            any(|m| m.fraction.is_some()) || law(|o| o.fraction.is_some()),
            any(|m| m.simulated.is_some()) || law(|o| o.simulated.is_some()),
        ])
    }

    fn simulated(&self) -> bool {
        self.0[2]
    }

    fn heads(&self, first: &str, rest: &[&str; 4]) -> Vec<String> {
        let numbers = rest.iter().zip(self.0).filter(|(_, filled)| *filled);
        let numbers = numbers.map(|(head, _)| *head);
        let heads = [first].into_iter().chain(numbers).chain([rest[3]]);
        heads.map(str::to_owned).collect()
    }

    fn keep(&self, numbers: [Option<String>; 3]) -> impl Iterator<Item = Entry> {
        let filled = numbers.into_iter().zip(self.0).filter(|(_, filled)| *filled);
        filled.map(|(text, _)| Entry::Number(text.unwrap_or_else(|| "–".to_owned())))
    }
}

fn law(cell: &Answer, idle: &Idle) -> TextTable {
    let columns = Columns::of(cell, idle);
    let mut heads = columns.heads("outcome", &["exact %", "as a fraction", "simulated %", "count"]);
    if !columns.simulated() {
        heads.pop();
    }
    TextTable { fixed: 1, rows: law_rows(cell, &columns, idle), heads }
}

fn law_rows(cell: &Answer, columns: &Columns, idle: &Idle) -> Vec<Vec<Entry>> {
    let floor = floor_of_shown(cell);
    let shown = |outcome: &&OutcomeAnswer| outcome.likelihood() >= floor;
    let outcomes = cell.outcomes.iter().filter(shown).take(OUTCOMES_SHOWN);
    let mut rows: Vec<_> = outcomes.map(|o| law_row(cell, o, columns, idle)).collect();
    if rows.len() < cell.outcomes.len() {
        rows.push(rest_row(cell, rows.len(), columns));
    }
    rows
}

/// Returns the likelihood of the rarest outcome shown.
fn floor_of_shown(cell: &Answer) -> f64 {
    let mut all: Vec<_> = cell.outcomes.iter().map(OutcomeAnswer::likelihood).collect();
    all.sort_by(|a, b| b.total_cmp(a));
    all.get(OUTCOMES_SHOWN - 1).copied().unwrap_or(0.0)
}

fn law_row(cell: &Answer, outcome: &OutcomeAnswer, columns: &Columns, idle: &Idle) -> Vec<Entry> {
    let all = cell.fields.iter().zip(&outcome.values);
    let shown = all.filter(|(field, _)| !idle.has_field(&field.name));
    let (fields, values): (Vec<FieldHead>, Vec<i32>) =
        shown.map(|(field, value)| (field.clone(), *value)).unzip();
    let said = sentences::clean(&labels::outcome(&fields, &values));
    let simulated =
        outcome.simulated.as_ref().map(|e| measure_format::simulated(true, e, cell.trials));
    let numbers = [outcome.exact.map(exact_percent), outcome.fraction.clone(), simulated];
    let count = outcome.count.map_or("–".to_owned(), grouped);
    let count = columns.simulated().then_some(Entry::Number(count));
    [Entry::Text(said)].into_iter().chain(columns.keep(numbers)).chain(count).collect()
}

/// Builds the one row for all outcomes that are not shown.
fn rest_row(cell: &Answer, shown: usize, columns: &Columns) -> Vec<Entry> {
    let hidden = cell.outcomes.len() - shown;
    let first = [Entry::Text(format!("{hidden} rarer"))].into_iter();
    let numbers = columns.keep([None, None, None]);
    let count = columns.simulated().then(|| Entry::Number("–".into()));
    first.chain(numbers).chain(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    #[test]
    fn a_grid_has_a_row_per_cell_and_a_column_per_measure() {
        let tables = contest(&test_answers::grid());
        assert_eq!(
            tables.measures.heads,
            ["firepower", "total modifier", "killed %", "any break %", "squads lost on average"]
        );
        assert_eq!(tables.measures.rows.len(), 12);
        // fp 2, drm 1: eliminated in 3 and broken in 9 of 36 cases.
        let row: Vec<_> = tables.measures.rows[4].iter().map(Entry::inline).collect();
        assert_eq!(row[..2], ["2", "+1"]);
        assert_eq!(row[2], "8.33 (8.33 ± 0.05)");
        assert_eq!(row[3], "33.33 (33.33 ± 0.09)");
        assert_eq!(tables.legend[0], "killed % (p_kill): the squad is eliminated");
        assert!(tables.outcomes.is_none());
    }

    #[test]
    fn a_measure_that_some_cells_lack_has_its_column() {
        let mut cells = test_answers::grid();
        cells[0].measures.remove(1);
        cells[5].measures.remove(2);
        let tables = contest(&cells);
        let heads =
            ["firepower", "total modifier", "killed %", "squads lost on average", "any break %"];
        assert_eq!(tables.measures.heads, heads);
        let lacks = |row: usize, column: usize| tables.measures.rows[row][column].inline() == "–";
        for (row, cell) in tables.measures.rows.iter().enumerate() {
            assert_eq!(cell.len(), heads.len());
            assert_eq!((lacks(row, 4), lacks(row, 3)), (row == 0, row == 5));
        }
        assert_eq!(tables.legend.len(), 3);
    }

    #[test]
    fn a_single_cell_has_a_row_per_measure_and_its_law() {
        let tables = contest(&test_answers::single());
        assert_eq!(tables.measures.heads, ["measure", "exact", "simulated", "meaning"]);
        let law = tables.outcomes.expect("there is one cell");
        assert_eq!(law.heads, ["outcome", "exact %", "simulated %", "count"]);
        // Eliminated in 4 of 36 cases: 11.11 %, of 1 000 000 trials 111 111.
        let row: Vec<_> = law.rows[2].iter().map(Entry::inline).collect();
        assert_eq!(row, ["1 squad eliminated", "11.11", "11.11 ± 0.06", "111 111"]);
    }

    #[test]
    fn columns_that_nothing_fills_are_left_out() {
        let tables = contest(&test_answers::exact_only());
        assert_eq!(tables.measures.heads, ["measure", "exact", "as a fraction", "meaning"]);
        let law = tables.outcomes.expect("there is one cell");
        let expected = ["outcome", "exact %", "as a fraction"];
        assert_eq!(law.heads, expected);
        assert!(law.rows.iter().all(|row| row.len() == expected.len()));
        let tables = contest(&test_answers::played());
        assert_eq!(tables.measures.heads, ["measure", "simulated", "meaning"]);
    }

    #[test]
    fn a_long_law_keeps_its_likeliest_outcomes() {
        let mut answers = test_answers::single();
        let rare = answers[0].outcomes[0].clone();
        answers[0].outcomes = (0..100)
            .map(|i| {
                let mut outcome = rare.clone();
                outcome.values = vec![i, 0];
                outcome.exact = Some(f64::from(i) / 4950.0);
                outcome
            })
            .collect();
        let law = contest(&answers).outcomes.expect("there is one cell");
        assert_eq!(law.rows.len(), OUTCOMES_SHOWN + 1);
        assert_eq!(law.rows[0][0], Entry::Text("40 squads eliminated".into()));
        assert_eq!(law.rows[OUTCOMES_SHOWN][0], Entry::Text("40 rarer".into()));
    }
}
