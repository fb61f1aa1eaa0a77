//! Builder of tables from rows: all at once, or batch after batch under the same columns.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::column_values::{ColumnValue, ColumnValues};
use super::typed_table::{TypedColumn, TypedTable};

/// A row whose columns are in five sections.
pub(super) trait RowInSections {
    /// Returns the section and the name of each of its columns, in the order of its values; `axes`
    /// are the columns of parameters that vary somewhere.
    fn columns_with_their_sections(&self, axes: &VariedColumns) -> Vec<SectionColumn<String>>;

    /// Whether another row has exactly the same columns; may be false for equal columns.
    fn has_same_columns(&self, other: &Self) -> bool;

    /// Passes its values to `take`, in the order of the names.
    fn visit_column_values(&self, take: &mut dyn FnMut(ColumnValue<'_>));
}

/// Returns the columns of parameters that some contest varies.
pub(super) type VariedColumns = BTreeSet<String>;

/// Columns section by section. Some sections have the names in the documentation; a name in the
/// others, which the rules choose, gets their prefix if it is taken.
#[derive(Debug)]
pub(super) struct SectionedTableBuilder {
    name: &'static str,
    axes: VariedColumns,
    prefixes: [Option<&'static str>; 5],
    sections: [IndexMap<String, ColumnValues>; 5],
    rows: usize,
}

impl SectionedTableBuilder {
    /// Returns the builder of cells: place, varied parameters, results, system, other parameters.
    pub(super) fn for_cells(axes: VariedColumns) -> SectionedTableBuilder {
        let param = Some("param_");
        SectionedTableBuilder::new("cells", axes, [None, param, None, None, param])
    }

    /// Returns the builder of outcomes: place, varied parameters, outcome, probability.
    pub(super) fn for_outcomes() -> SectionedTableBuilder {
        let prefixes = [None, Some("param_"), Some("outcome_"), None, None];
        SectionedTableBuilder::new("outcomes", VariedColumns::new(), prefixes)
    }

    fn new(
        name: &'static str,
        axes: VariedColumns,
        prefixes: [Option<&'static str>; 5],
    ) -> SectionedTableBuilder {
        SectionedTableBuilder { name, axes, prefixes, sections: Default::default(), rows: 0 }
    }

    /// Builds a table of these rows, about `expected` of them.
    pub(super) fn build_table_of_rows<R: RowInSections>(
        mut self,
        expected: usize,
        rows: impl Iterator<Item = R>,
    ) -> TypedTable {
        self.add_rows(expected, rows);
        self.take_rows_keep_columns()
    }

    /// Adds rows. Names are looked up once for consecutive rows with the same columns.
    pub(super) fn add_rows<R: RowInSections>(
        &mut self,
        expected: usize,
        rows: impl Iterator<Item = R>,
    ) {
        let mut last = None::<(R, Vec<SectionColumn<usize>>)>;
        for row in rows {
            let places = match last {
                Some((like, places)) if like.has_same_columns(&row) => places,
                _ => self.find_or_add_columns_of_row(&row, expected),
            };
            let mut next = places.iter();
            row.visit_column_values(&mut |datum| {
                if let Some(&(section, place)) = next.next() {
                    let values = &mut self.sections[section][place];
                    // Earlier rows without the column have no value there.
                    values.pad_with_nulls(self.rows);
                    values.push_widening_type(datum);
                }
            });
            self.rows += 1;
            last = Some((row, places));
        }
    }

    /// Whether a row fits the existing columns.
    pub(super) fn fits_row<R: RowInSections>(&self, row: &R) -> bool {
        let mut names = row.columns_with_their_sections(&self.axes).into_iter();
        let mut fits = true;
        row.visit_column_values(&mut |datum| {
            let values = names.next().and_then(|(section, name)| self.sections[section].get(&name));
            fits &= values.is_some_and(|values| values.accepts_value(&datum));
        });
        fits
    }

    /// Returns the rows so far; the columns stay for further rows.
    pub(super) fn take_rows_keep_columns(&mut self) -> TypedTable {
        let rows = std::mem::take(&mut self.rows);
        let names: Vec<Vec<String>> =
            (0..self.sections.len()).map(|i| self.section_column_names(i)).collect();
        let mut columns = Vec::new();
        for (names, section) in names.into_iter().zip(&mut self.sections) {
            for (name, values) in names.into_iter().zip(section.values_mut()) {
                values.pad_with_nulls(rows);
                columns.push(TypedColumn { name, values: values.take_all_values() });
            }
        }
        TypedTable { name: self.name, columns }
    }

    /// Returns the names of a section, with its prefix if an earlier section, or one without a
    /// prefix, has that name.
    fn section_column_names(&self, section: usize) -> Vec<String> {
        let Some(prefix) = self.prefixes[section] else {
            return self.sections[section].keys().cloned().collect();
        };
        let firm = |other: &usize| self.prefixes[*other].is_none() || *other < section;
        let others: Vec<usize> =
            (0..self.sections.len()).filter(|o| *o != section && firm(o)).collect();
        let is_taken = |name: &String| others.iter().any(|o| self.sections[*o].contains_key(name));
        let names = self.sections[section].keys();
        names
            .map(|name| if is_taken(name) { format!("{prefix}{name}") } else { name.clone() })
            .collect()
    }

    /// Returns the places of the columns of a row; new ones have the types of its values.
    fn find_or_add_columns_of_row<R: RowInSections>(
        &mut self,
        row: &R,
        expected: usize,
    ) -> Vec<SectionColumn<usize>> {
        let (mut names, mut places) =
            (row.columns_with_their_sections(&self.axes).into_iter(), Vec::new());
        row.visit_column_values(&mut |datum| {
            if let Some((section, name)) = names.next() {
                let entry = self.sections[section].entry(name);
                places.push((section, entry.index()));
                entry.or_insert_with(|| datum.empty_column_of_type(expected));
            }
        });
        places
    }
}

/// A section and a column of it.
pub(super) type SectionColumn<C> = (usize, C);
