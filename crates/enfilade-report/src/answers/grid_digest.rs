//! Digest of a grid that is too large to keep: counts, its first rows, both ends of the most
//! informative measure, and the spread of that measure along every axis.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::answers::answer_tables::{self, TablesOfContest};
use crate::blocks::TextTable;
use crate::headline_measure;
use crate::text::{labels, sentences};
use enfilade_model::combat::MeasureHead;
use enfilade_model::form::sanitize::group_digits;
use enfilade_study::answer::Answer;
use enfilade_study::search::omitted_cells::CellsOmittedBySearch;

/// Rows shown of a larger grid, from its start.
pub(crate) const MAX_FIRST_ROWS_SHOWN: usize = 12;

/// Rows shown from each end of the headline measure.
pub(crate) const MAX_EXTREME_ROWS_SHOWN: usize = 4;

/// Rows shown of the result of a search.
const MAX_SEARCH_ROWS_SHOWN: usize = 100;

/// The largest number of different notes listed.
const MAX_LISTED_NOTES: usize = 20;

/// The largest number of cells named one by one.
pub(crate) const MAX_NAMED_CELLS: usize = 1000;

/// Counts over all answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnswerTotals {
    /// Number of rows.
    pub answered: u64,
    /// Trials of all cells.
    pub trials: u128,
    /// Cells in which exact and simulated were compared.
    pub compared: u64,
    /// Number of compared cells in which they disagree.
    pub disagree: u64,
    /// The first cells that disagree.
    pub disagreeing: Vec<usize>,
    /// Cells without an answer.
    pub refused: u64,
    /// Cells that are no contests, because they break a check of the rulebook.
    pub excluded: u64,
}

impl AnswerTotals {
    /// Counts some answers.
    pub fn from_answers(answers: &[Answer]) -> AnswerTotals {
        let mut totals = AnswerTotals::default();
        answers.iter().for_each(|answer| totals.count_answer(answer));
        totals
    }

    /// Counts another answer.
    pub fn count_answer(&mut self, answer: &Answer) {
        self.answered += 1;
        self.trials += u128::from(answer.trials);
        self.compared += u64::from(answer.agrees.is_some());
        self.excluded += u64::from(answer.is_excluded_by_check());
        self.refused += u64::from(answer.is_cell_refused() && !answer.is_excluded_by_check());
        if answer.agrees == Some(false) {
            self.disagree += 1;
            if self.disagreeing.len() < MAX_NAMED_CELLS {
                self.disagreeing.push(answer.cell);
            }
        }
    }
}

/// Digest of a large grid, built cell by cell.
#[derive(Debug, Default)]
pub struct LargeRunDigest {
    /// Counts over all contests.
    pub totals: AnswerTotals,
    /// The contests, in order.
    pub contests: Vec<ContestDigest>,
    /// Whether the cells are the result of a search; then more of them are shown.
    pub is_search: bool,
    /// Cells that a search left out.
    pub left_out: CellsOmittedBySearch,
}

impl LargeRunDigest {
    /// Adds the next answers.
    pub fn add_answers(&mut self, answers: Vec<Answer>) {
        for answers in sentences::split_by_contest(&answers) {
            let contest = answers[0].contest;
            if self.contests.iter().all(|gist| gist.contest != contest) {
                self.contests.push(ContestDigest::new(
                    answers,
                    if self.is_search { MAX_SEARCH_ROWS_SHOWN } else { MAX_FIRST_ROWS_SHOWN },
                ));
            }
        }
        for answer in answers {
            self.totals.count_answer(&answer);
            let mut contests = self.contests.iter_mut();
            if let Some(gist) = contests.find(|gist| gist.contest == answer.contest) {
                gist.include_answer(answer.into());
            }
        }
    }

    /// Describes in one sentence whether exact and simulated agree; `None` if nothing was compared.
    pub fn describe_engine_agreement(&self) -> Option<String> {
        let AnswerTotals { compared, disagree, answered, .. } = self.totals;
        let kept_phrase = if self.is_search { " that are kept" } else { "" };
        match (compared, disagree) {
            (0, _) => None,
            (_, 0) if self.is_search => {
                Some("Exact and simulated agree in the cells that are kept.".to_owned())
            }
            (_, 0) => Some("Exact and simulated agree.".to_owned()),
            _ => Some(format!(
                "Exact and simulated DISAGREE in {disagree} of {answered} cells{kept_phrase}."
            )),
        }
    }
}

/// Digest of one contest.
#[derive(Debug)]
pub struct ContestDigest {
    /// Index of the contest in the file.
    pub contest: usize,
    /// Cells seen.
    pub cells: u64,
    /// The most informative measure of the first block.
    pub measure: Option<Arc<MeasureHead>>,
    /// The spread of the measure by axis and value.
    pub along: IndexMap<String, IndexMap<String, ValueStatistics>>,
    head: Vec<Arc<Answer>>,
    head_limit: usize,
    lowest: Vec<(f64, Arc<Answer>)>,
    highest: Vec<(f64, Arc<Answer>)>,
    notes: IndexMap<String, u64>,
    /// Answers that together have the smallest and largest of everything that a remark is made of.
    witnesses: [Option<Arc<Answer>>; 4],
}

/// Count, sum and range of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueStatistics {
    /// Number of values.
    pub count: u64,
    /// Their sum.
    pub sum: f64,
    /// The smallest.
    pub low: f64,
    /// The largest.
    pub high: f64,
}

impl ValueStatistics {
    fn include_value(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.low = self.low.min(value);
        self.high = self.high.max(value);
    }

    /// Returns the mean.
    pub fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }
}

const WITHOUT_VALUES: ValueStatistics =
    ValueStatistics { count: 0, sum: 0.0, low: f64::INFINITY, high: f64::NEG_INFINITY };

impl ContestDigest {
    fn new(first: &[Answer], shown: usize) -> ContestDigest {
        ContestDigest {
            contest: first[0].contest,
            cells: 0,
            measure: headline_measure::choose_headline_measure(&first.iter().collect::<Vec<_>>()),
            along: IndexMap::new(),
            head: Vec::new(),
            head_limit: shown,
            lowest: Vec::new(),
            highest: Vec::new(),
            notes: IndexMap::new(),
            witnesses: Default::default(),
        }
    }

    fn include_answer(&mut self, answer: Arc<Answer>) {
        self.cells += 1;
        if self.head.len() < self.head_limit {
            self.head.push(Arc::clone(&answer));
        }
        for note in &answer.notes {
            // A note that contains a number may differ in every cell.
            if self.notes.len() < MAX_LISTED_NOTES || self.notes.contains_key(note) {
                *self.notes.entry(note.clone()).or_default() += 1;
            }
        }
        self.update_witnesses_for_remarks(&answer);
        let measured =
            self.measure.as_ref().and_then(|head| answer.measure_answer_by_name(&head.name));
        if let Some(value) = measured.and_then(headline_measure::measure_best_value) {
            insert_extreme_cell(&mut self.lowest, value, &answer, |new, old| new < old);
            insert_extreme_cell(&mut self.highest, value, &answer, |new, old| new > old);
            for (axis, at) in &answer.axes {
                let axis = entry_or_insert(&mut self.along, axis, IndexMap::new);
                entry_or_insert(axis, &at.to_string(), || WITHOUT_VALUES).include_value(value);
            }
        }
    }

    fn update_witnesses_for_remarks(&mut self, answer: &Arc<Answer>) {
        if answer.is_cell_refused() {
            return;
        }
        let trials = |answer: &Answer| answer.trials as f64;
        let keys: [&dyn Fn(&Answer) -> f64; 5] = [
            &|answer| -trials(answer),
            &trials,
            // No share is 2: a cell without an exact distribution sorts before all that have one.
            &|answer| answer.unsettled.unwrap_or(2.0),
            &|answer| answer.unsettled_trials as f64,
            &|answer| answer.never.unwrap_or(0.0),
        ];
        for (slot, key) in self.witnesses.iter_mut().zip(keys) {
            if slot.as_ref().is_none_or(|known| key(answer) > key(known)) {
                *slot = Some(Arc::clone(answer));
            }
        }
    }

    /// The first cells.
    pub fn cells_at_grid_start(&self) -> &[Arc<Answer>] {
        &self.head
    }

    /// Whether the first cells are all cells.
    pub fn has_all_cells_of_contest(&self) -> bool {
        self.cells <= self.head.len() as u64
    }

    /// Builds the table of the first rows, with the remarks on all rows.
    pub fn build_first_row_tables(&self) -> TablesOfContest {
        TablesOfContest {
            remarks: self.remarks_on_all_cells(),
            ..answer_tables::build_contest_tables(&self.head)
        }
    }

    /// Collects the remarks on all cells: rows shown, engines, unfinished share, notes.
    pub fn remarks_on_all_cells(&self) -> Vec<String> {
        let witnesses = || self.witnesses.iter().flatten().map(|answer| &**answer);
        let mut remarks = Vec::new();
        if !self.has_all_cells_of_contest() {
            let (all, name) =
                (group_digits(self.cells), sentences::replace_control_chars(&self.head[0].name));
            let shown = self.head.len();
            remarks.push(format!("The first {shown} of {all} cells of {name}."));
        }
        if witnesses().next().is_some() {
            remarks.push(sentences::describe_method(witnesses()));
            remarks.extend(sentences::unfinished_note(witnesses()));
        }
        let note = |(note, count): (&String, &u64)| {
            format!(
                "Note ({} of {} cells): {}",
                group_digits(*count),
                group_digits(self.cells),
                sentences::replace_control_chars(note)
            )
        };
        remarks.extend(self.notes.iter().map(note));
        remarks
    }

    /// Returns the cells at both ends of the measure.
    pub fn headline_extreme_tables(&self) -> Vec<(String, TextTable)> {
        let Some(measure) = &self.measure else {
            return Vec::new();
        };
        // A contest that is shown in full needs no extremes.
        if self.has_all_cells_of_contest() {
            return Vec::new();
        }
        let ends = [("Lowest", &self.lowest), ("Highest", &self.highest)];
        let ends = ends.into_iter().filter(|(_, ranked)| !ranked.is_empty());
        let table = |(which, ranked): (&str, &Vec<(f64, Arc<Answer>)>)| {
            let cells: Vec<_> = ranked.iter().map(|(_, answer)| &**answer).collect();
            (
                format!("{which} {}", labels::measure_label(measure)),
                answer_tables::build_contest_tables(&cells).measures,
            )
        };
        ends.map(table).collect()
    }
}

/// Keeps a cell if it is among the first few; of equal cells the earlier one stays in front.
fn insert_extreme_cell(
    best: &mut Vec<(f64, Arc<Answer>)>,
    value: f64,
    answer: &Arc<Answer>,
    before: impl Fn(f64, f64) -> bool,
) {
    let place =
        best.iter().position(|(position, _)| before(value, *position)).unwrap_or(best.len());
    if place < MAX_EXTREME_ROWS_SHOWN {
        best.insert(place, (value, Arc::clone(answer)));
        best.truncate(MAX_EXTREME_ROWS_SHOWN);
    }
}

/// Returns the entry under `key`; the key is copied only when it is new.
fn entry_or_insert<'m, T>(
    map: &'m mut IndexMap<String, T>,
    key: &str,
    new: impl Fn() -> T,
) -> &'m mut T {
    let at = map.get_index_of(key).unwrap_or_else(|| map.insert_full(key.to_owned(), new()).0);
    &mut map[at]
}
