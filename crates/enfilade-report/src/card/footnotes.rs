//! Footnotes of a card: notes that do not apply to every cell, each with its mark.

use indexmap::IndexMap;

use enfilade_study::answer::Answer;

/// Footnotes: notes that do not apply to every cell, each with its mark.
pub struct Marks<'a> {
    /// Notes that apply to every cell.
    pub general: Vec<&'a str>,
    /// Notes that apply to some cells.
    pub marked: Vec<&'a str>,
}

impl<'a> Marks<'a> {
    /// Collects the notes of these cells.
    pub fn new(cells: &[&'a Answer]) -> Marks<'a> {
        let mut counted: IndexMap<&str, usize> = IndexMap::new();
        for note in cells.iter().flat_map(|cell| &cell.notes) {
            *counted.entry(note).or_default() += 1;
        }
        let (general, marked): (Vec<_>, Vec<_>) =
            counted.into_iter().partition(|(_, n)| *n == cells.len());
        let notes =
            |counted: Vec<(&'a str, usize)>| counted.into_iter().map(|(note, _)| note).collect();
        Marks { general: notes(general), marked: notes(marked) }
    }

    /// The signs of marks.
    pub const SIGNS: [char; 4] = ['*', '†', '‡', '§'];

    /// Whether a term of a legend is a mark.
    pub fn is_sign(term: &str) -> bool {
        !term.is_empty() && term.chars().all(|sign| Marks::SIGNS.contains(&sign))
    }

    /// Returns the mark of footnote `at`: `*`, `†`, `‡`, `§`, and then twice.
    pub fn sign(at: usize) -> String {
        let sign = Marks::SIGNS[at % Marks::SIGNS.len()];
        sign.to_string().repeat(1 + at / Marks::SIGNS.len())
    }

    /// Returns the marks of the notes that all `cells` have.
    pub fn shared(&self, cells: &[&Answer]) -> Vec<usize> {
        let has = |at: &usize| {
            !cells.is_empty()
                && cells.iter().all(|cell| cell.notes.iter().any(|note| note == self.marked[*at]))
        };
        (0..self.marked.len()).filter(has).collect()
    }
}

/// Joins marks.
pub fn signs(marks: impl IntoIterator<Item = usize>) -> String {
    let signs: Vec<_> = marks.into_iter().map(Marks::sign).collect();
    signs.join(",")
}
