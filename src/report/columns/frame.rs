//! Rows put together to a table: all of them, or batch after batch under the same columns.

use indexmap::IndexMap;

use super::values::{Datum, Values};
use super::{Column, Table};

/// A row in four sections of columns.
pub(super) trait Row {
    /// The names of its columns.
    fn names(&self) -> [Vec<String>; 4];

    /// Whether another row has the very same columns; it may say no although it has.
    fn is_like(&self, other: &Self) -> bool;

    /// Hands on its values, in the order of the names.
    fn each_value(&self, take: &mut dyn FnMut(Datum<'_>));
}

/// Columns section by section. Sections 0, 2 and 3 have the names the documentation promises; a name of
/// section 1, which the rules chose, gives way with `prefix`.
#[derive(Debug)]
pub(super) struct Frame {
    name: &'static str,
    prefix: &'static str,
    sections: [IndexMap<String, Values>; 4],
    rows: usize,
}

impl Frame {
    pub(super) fn cells() -> Frame {
        Frame::new("cells", "param_")
    }

    pub(super) fn outcomes() -> Frame {
        Frame::new("outcomes", "outcome_")
    }

    fn new(name: &'static str, prefix: &'static str) -> Frame {
        Frame { name, prefix, sections: Default::default(), rows: 0 }
    }

    /// A table of these rows, about as many as `expected`.
    pub(super) fn filled<R: Row>(
        mut self,
        expected: usize,
        rows: impl Iterator<Item = R>,
    ) -> Table {
        self.fill(expected, rows);
        self.table()
    }

    /// Adds rows. Names are looked up once for all that follow each other and have the same.
    pub(super) fn fill<R: Row>(&mut self, expected: usize, rows: impl Iterator<Item = R>) {
        let mut last = None::<(R, Vec<Place>)>;
        for row in rows {
            let places = match last {
                Some((like, places)) if like.is_like(&row) => places,
                _ => self.placed(&row, expected),
            };
            let mut next = places.iter();
            row.each_value(&mut |datum| {
                if let Some(&(section, place)) = next.next() {
                    let values = &mut self.sections[section][place];
                    values.pad(self.rows);
                    values.push(datum);
                }
            });
            self.rows += 1;
            last = Some((row, places));
        }
    }

    /// Whether a row fits under the columns that there are.
    pub(super) fn holds<R: Row>(&self, row: &R) -> bool {
        let mut names = named(row);
        let mut holds = true;
        row.each_value(&mut |datum| {
            let values = names.next().and_then(|(section, name)| self.sections[section].get(&name));
            holds &= values.is_some_and(|values| values.takes(&datum));
        });
        holds
    }

    /// The rows so far; what follows them has the same columns.
    pub(super) fn table(&mut self) -> Table {
        let rows = std::mem::take(&mut self.rows);
        let others = [0, 2, 3].map(|i: usize| &self.sections[i]);
        let taken = |name: &String| others.iter().any(|section| section.contains_key(name));
        let renamed: Vec<bool> = self.sections[1].keys().map(taken).collect();
        let mut columns = Vec::new();
        for (i, section) in self.sections.iter_mut().enumerate() {
            for (place, (name, values)) in section.iter_mut().enumerate() {
                values.pad(rows);
                let gives_way = i == 1 && renamed[place];
                let name = if gives_way { format!("{}{name}", self.prefix) } else { name.clone() };
                columns.push(Column { name, values: values.taken() });
            }
        }
        Table { name: self.name, columns }
    }

    /// Where the columns of a row are; new ones have the types of its values.
    fn placed<R: Row>(&mut self, row: &R, expected: usize) -> Vec<Place> {
        let (mut names, mut places) = (named(row), Vec::new());
        row.each_value(&mut |datum| {
            if let Some((section, name)) = names.next() {
                let entry = self.sections[section].entry(name);
                places.push((section, entry.index()));
                entry.or_insert_with(|| datum.column(expected));
            }
        });
        places
    }
}

/// A section and a column of it.
type Place = (usize, usize);

/// The names of all columns of a row, each with its section.
fn named<R: Row>(row: &R) -> impl Iterator<Item = (usize, String)> {
    let sections = row.names().into_iter().enumerate();
    sections.flat_map(|(section, names)| names.into_iter().map(move |name| (section, name)))
}
