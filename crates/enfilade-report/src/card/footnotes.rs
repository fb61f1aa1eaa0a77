//! Footnotes of a card: notes that do not apply to every cell, each with its mark.

use indexmap::IndexMap;

use super::difference_card::BaselineAnswers;
use enfilade_study::answer::Answer;

/// Footnotes: notes that do not apply to every cell, each with its mark.
pub struct FootnotesOfCard<'a> {
    /// Notes that apply to every cell.
    pub general: Vec<&'a str>,
    /// Notes that apply to some cells.
    pub notes_of_some: Vec<&'a str>,
    baseline: Option<&'a BaselineAnswers<'a>>,
}

/// Notes of a cell, and those of its partner that it does not have.
fn notes_with_baseline<'a>(
    cell: &'a Answer,
    baseline: Option<&'a BaselineAnswers<'a>>,
) -> impl Iterator<Item = &'a str> {
    let partner = baseline.map(|baseline| baseline.baseline_cell_for(cell));
    let others = partner.into_iter().flat_map(|partner| &partner.notes);
    let others = others.filter(|note| !cell.notes.contains(note));
    cell.notes.iter().chain(others).map(String::as_str)
}

impl<'a> FootnotesOfCard<'a> {
    /// Collects the notes of these cells, and of their partners on a card of differences.
    pub fn collect(
        cells: &[&'a Answer],
        baseline: Option<&'a BaselineAnswers<'a>>,
    ) -> FootnotesOfCard<'a> {
        let mut counted: IndexMap<&str, usize> = IndexMap::new();
        for note in cells.iter().flat_map(|cell| notes_with_baseline(cell, baseline)) {
            *counted.entry(note).or_default() += 1;
        }
        let (general, marked): (Vec<_>, Vec<_>) =
            counted.into_iter().partition(|(_, n)| *n == cells.len());
        let notes =
            |counted: Vec<(&'a str, usize)>| counted.into_iter().map(|(note, _)| note).collect();
        FootnotesOfCard { general: notes(general), notes_of_some: notes(marked), baseline }
    }

    /// The signs of marks.
    pub const FOOTNOTE_SIGNS: [char; 4] = ['*', '†', '‡', '§'];

    /// Whether a term of a legend is a mark.
    pub fn is_footnote_mark(term: &str) -> bool {
        !term.is_empty() && term.chars().all(|sign| FootnotesOfCard::FOOTNOTE_SIGNS.contains(&sign))
    }

    /// Returns the mark of footnote `at`: `*`, `†`, `‡`, `§`, and then twice.
    pub fn footnote_mark_at(at: usize) -> String {
        let sign = FootnotesOfCard::FOOTNOTE_SIGNS[at % FootnotesOfCard::FOOTNOTE_SIGNS.len()];
        sign.to_string().repeat(1 + at / FootnotesOfCard::FOOTNOTE_SIGNS.len())
    }

    /// Returns the marks of the notes that all `cells` have.
    pub fn marks_shared_by_cells(&self, cells: &[&Answer]) -> Vec<usize> {
        let has = |at: &usize| {
            let has_note = |cell: &&Answer| {
                notes_with_baseline(cell, self.baseline).any(|note| note == self.notes_of_some[*at])
            };
            !cells.is_empty() && cells.iter().all(has_note)
        };
        (0..self.notes_of_some.len()).filter(has).collect()
    }
}

/// Joins marks.
pub fn join_footnote_marks(marks: impl IntoIterator<Item = usize>) -> String {
    let signs: Vec<_> = marks.into_iter().map(FootnotesOfCard::footnote_mark_at).collect();
    signs.join(",")
}
