//! Builder of tables from rows: all at once, or batch after batch under the same columns.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::column_values::{Datum, Values};
use super::typed_table::{Column, Table};

/// A row whose columns are in five sections.
pub(super) trait Row {
    /// Returns the section and the name of each of its columns, in the order of its values; `axes`
    /// are the columns of parameters that vary somewhere.
    fn names(&self, axes: &Axes) -> Vec<Place<String>>;

    /// Whether another row has exactly the same columns; may be false for equal columns.
    fn is_like(&self, other: &Self) -> bool;

    /// Passes its values to `take`, in the order of the names.
    fn each_value(&self, take: &mut dyn FnMut(Datum<'_>));
}

/// Returns the columns of parameters that some contest varies.
pub(super) type Axes = BTreeSet<String>;

/// Columns section by section. Some sections have the names in the documentation; a name in the
/// others, which the rules choose, gets their prefix if it is taken.
#[derive(Debug)]
pub(super) struct Frame {
    name: &'static str,
    axes: Axes,
    prefixes: [Option<&'static str>; 5],
    sections: [IndexMap<String, Values>; 5],
    rows: usize,
}

impl Frame {
    /// Returns the builder of cells: place, varied parameters, results, system, other parameters.
    pub(super) fn cells(axes: Axes) -> Frame {
        let param = Some("param_");
        Frame::new("cells", axes, [None, param, None, None, param])
    }

    /// Returns the builder of outcomes: place, varied parameters, outcome, probability.
    pub(super) fn outcomes() -> Frame {
        let prefixes = [None, Some("param_"), Some("outcome_"), None, None];
        Frame::new("outcomes", Axes::new(), prefixes)
    }

    fn new(name: &'static str, axes: Axes, prefixes: [Option<&'static str>; 5]) -> Frame {
        Frame { name, axes, prefixes, sections: Default::default(), rows: 0 }
    }

    /// Builds a table of these rows, about `expected` of them.
    pub(super) fn filled<R: Row>(
        mut self,
        expected: usize,
        rows: impl Iterator<Item = R>,
    ) -> Table {
        self.fill(expected, rows);
        self.table()
    }

    /// Adds rows. Names are looked up once for consecutive rows with the same columns.
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
                    // Earlier rows without the column have no value there.
                    values.pad(self.rows);
                    values.push(datum);
                }
            });
            self.rows += 1;
            last = Some((row, places));
        }
    }

    /// Whether a row fits the existing columns.
    pub(super) fn holds<R: Row>(&self, row: &R) -> bool {
        let mut names = row.names(&self.axes).into_iter();
        let mut holds = true;
        row.each_value(&mut |datum| {
            let values = names.next().and_then(|(section, name)| self.sections[section].get(&name));
            holds &= values.is_some_and(|values| values.takes(&datum));
        });
        holds
    }

    /// Returns the rows so far; the columns stay for further rows.
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

    /// Returns the names of a section, with its prefix if an earlier section, or one without a
    /// prefix, has that name.
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

    /// Returns the places of the columns of a row; new ones have the types of its values.
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
