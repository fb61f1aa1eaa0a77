//! Rows put together to a table: all of them, or batch after batch under the same columns.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::column_values::{Datum, Values};
use super::typed_table::{Column, Table};

/// A row whose columns stand in five sections.
pub(super) trait Row {
    /// The section and the name of each of its columns, in the order of its values; `axes` are the columns
    /// of parameters that vary somewhere.
    fn names(&self, axes: &Axes) -> Vec<Place<String>>;

    /// Whether another row has the very same columns; it may say no although it has.
    fn is_like(&self, other: &Self) -> bool;

    /// Hands on its values, in the order of the names.
    fn each_value(&self, take: &mut dyn FnMut(Datum<'_>));
}

/// The columns of parameters that some contest varies.
pub(super) type Axes = BTreeSet<String>;

/// Columns section by section. Some sections have the names the documentation promises; a name of the others,
/// which the rules chose, gives way with their prefix.
#[derive(Debug)]
pub(super) struct Frame {
    name: &'static str,
    axes: Axes,
    prefixes: [Option<&'static str>; 5],
    sections: [IndexMap<String, Values>; 5],
    rows: usize,
}

impl Frame {
    /// Where a cell stands, what it varies, what came of it, whose it is, what else was given.
    pub(super) fn cells(axes: Axes) -> Frame {
        let param = Some("param_");
        Frame::new("cells", axes, [None, param, None, None, param])
    }

    /// Where a cell stands, what it varies, what happened, how likely that is.
    pub(super) fn outcomes() -> Frame {
        let prefixes = [None, Some("param_"), Some("outcome_"), None, None];
        Frame::new("outcomes", Axes::new(), prefixes)
    }

    fn new(name: &'static str, axes: Axes, prefixes: [Option<&'static str>; 5]) -> Frame {
        Frame { name, axes, prefixes, sections: Default::default(), rows: 0 }
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
        let mut last = None::<(R, Vec<Place<usize>>)>;
        for row in rows {
            let places = match last {
                Some((like, places)) if like.is_like(&row) => places,
                _ => self.placed(&row, expected),
            };
            let mut next = places.iter();
            row.each_value(&mut |datum| {
                if let Some(&(section, place)) = next.next() {
                    let values = &mut self.sections[section][place];
                    // Rows before this one that did not have the column have nothing there.
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
        let mut names = row.names(&self.axes).into_iter();
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
        let names: Vec<Vec<String>> = (0..self.sections.len()).map(|i| self.told(i)).collect();
        let mut columns = Vec::new();
        for (names, section) in names.into_iter().zip(&mut self.sections) {
            for (name, values) in names.into_iter().zip(section.values_mut()) {
                values.pad(rows);
                columns.push(Column { name, values: values.taken() });
            }
        }
        Table { name: self.name, columns }
    }

    /// The names of a section, with its prefix where another section has that name: one that gives way to
    /// nobody, or one before it.
    fn told(&self, section: usize) -> Vec<String> {
        let Some(prefix) = self.prefixes[section] else {
            return self.sections[section].keys().cloned().collect();
        };
        let firm = |other: &usize| self.prefixes[*other].is_none() || *other < section;
        let others: Vec<usize> =
            (0..self.sections.len()).filter(|o| *o != section && firm(o)).collect();
        let taken = |name: &String| others.iter().any(|o| self.sections[*o].contains_key(name));
        let names = self.sections[section].keys();
        names
            .map(|name| if taken(name) { format!("{prefix}{name}") } else { name.clone() })
            .collect()
    }

    /// Where the columns of a row are; new ones have the types of its values.
    fn placed<R: Row>(&mut self, row: &R, expected: usize) -> Vec<Place<usize>> {
        let (mut names, mut places) = (row.names(&self.axes).into_iter(), Vec::new());
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
pub(super) type Place<C> = (usize, C);
