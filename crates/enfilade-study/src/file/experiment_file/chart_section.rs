//! Reads a `[[chart]]`: its axes and its measure.

use super::known_names::{
    AxisMeasureAndFieldNames, columns_of_built_in_tables, first_cell_of_each_contest,
};
use crate::experiment::{ChartSpec, GridCell};
use crate::file::file_reader::TomlReaderWithFaults;
use crate::grid;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::FieldGroupFromForm;
use enfilade_model::form::sanitize::shorten_and_make_safe;
use enfilade_model::form::{Fault, Fields, name_matching};

/// Keys of a `[[chart]]` as one list.
pub const ALL_CHART_FIELDS: Fields = joined![ChartSpec::FIELDS];

impl TomlReaderWithFaults<'_> {
    /// Reads the charts, checked against the contests if these could be read.
    pub(super) fn read_charts_of_file(&mut self, cells: Option<&[GridCell]>) -> Vec<ChartSpec> {
        let tables = self.read_optional_tables("chart");
        let mut charts = Vec::new();
        // Names can only be checked against contests that could be read.
        let cells = cells.filter(|_| !tables.is_empty());
        let vocabulary = cells.map(|cells| {
            (
                AxisMeasureAndFieldNames::from_cells(cells),
                columns_of_built_in_tables(first_cell_of_each_contest(cells)),
            )
        });
        for (number, table) in tables.iter().enumerate() {
            let path = format!("chart[{number}]");
            if let Some(form) = self.fill_form(&ALL_CHART_FIELDS, table, &path) {
                charts.push(self.read_chart_table(
                    ChartSpec::read(&form),
                    &path,
                    vocabulary.as_ref(),
                ));
            }
        }
        charts
    }

    fn read_chart_table(
        &mut self,
        mut spec: ChartSpec,
        path: &str,
        names_and_columns: Option<&(AxisMeasureAndFieldNames<'_>, Vec<String>)>,
    ) -> ChartSpec {
        // Tested before names are resolved: an unknown name is removed, with a separate fault.
        let has_field = spec.field.is_some();
        if let Some((named, columns)) = names_and_columns {
            spec.x = self.resolve_axis_name(path, "x", spec.x, &named.axes);
            spec.y = self.resolve_axis_name(path, "y", spec.y, &named.axes);
            spec.measure = self.resolve_measure_name(path, spec.measure, named);
            spec.field = self.resolve_field_name(path, spec.field, named);
            self.resolve_built_in_table_column(path, "x_group", &mut spec.x_group, columns);
            self.resolve_built_in_table_column(path, "x_order", &mut spec.x_order, columns);
            self.resolve_built_in_table_column(path, "y_group", &mut spec.y_group, columns);
            self.resolve_built_in_table_column(path, "y_order", &mut spec.y_order, columns);
        }
        if spec.needed.is_some() && !has_field {
            let fault = Fault::new(format!("{path}.needed"), "needed is an amount of a field");
            self.note_at_value(fault.with_help("name it: field = \"damage\""));
        }
        if spec.x.is_some() && spec.x == spec.y {
            self.note_at_value(Fault::new(format!("{path}.y"), "x and y are the same axis"));
        }
        spec
    }

    /// Resolves the axis called `name`, if there is a name; notes a fault at the `key` of `path` if
    /// there is no such axis.
    pub(super) fn resolve_axis_name(
        &mut self,
        path: &str,
        key: &str,
        name: Option<String>,
        axes: &[&str],
    ) -> Option<String> {
        let axis = grid::find_axis_by_name(&name?, axes);
        axis.map_err(|fault| self.note_at_value(fault.prefix_path(&format!("{path}.{key}"))))
            .ok()
            .map(str::to_owned)
    }

    /// Resolves the measure called `name`, if there is a name; notes a fault at `path` if there is
    /// no such measure.
    pub(super) fn resolve_measure_name(
        &mut self,
        path: &str,
        name: Option<String>,
        named: &AxisMeasureAndFieldNames<'_>,
    ) -> Option<String> {
        let at = format!("{path}.measure");
        self.resolve_name_among(at, "no contest has a measure", &name?, &named.measures)
    }

    fn resolve_field_name(
        &mut self,
        path: &str,
        name: Option<String>,
        named: &AxisMeasureAndFieldNames<'_>,
    ) -> Option<String> {
        let at = format!("{path}.field");
        let problem = "no contest has an outcome field";
        self.resolve_name_among(at, problem, &name?, &named.fields)
    }

    /// Resolves a column of the built-in tables.
    fn resolve_built_in_table_column(
        &mut self,
        path: &str,
        key: &str,
        name: &mut Option<String>,
        columns: &[String],
    ) {
        let Some(column_name) = name.take() else {
            return;
        };
        let columns: Vec<_> = columns.iter().map(String::as_str).collect();
        let problem = "no table of these rule systems has a column";
        *name = self.resolve_name_among(format!("{path}.{key}"), problem, &column_name, &columns);
    }

    /// Resolves a name among `names`; notes a fault at `path` if there is none.
    pub(super) fn resolve_name_among(
        &mut self,
        path: String,
        problem: &str,
        name: &str,
        names: &[&str],
    ) -> Option<String> {
        if let Some(match_found) = name_matching::find_meant_name(name, names.iter().copied()) {
            return Some(match_found.to_owned());
        }
        let fault = Fault::new(path, format!("{problem} `{}`", shorten_and_make_safe(name)));
        self.note_at_value(fault.with_help(
            match name_matching::find_nearest_name(name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if names.is_empty() => {
                    "no names are known yet: correct the contests first".into()
                }
                None => format!("there is {}", names.join(", ")),
            },
        ));
        None
    }
}
