//! Reads `[sweep]`: the filter of the cells.

use super::known_names::AxisMeasureAndFieldNames;
use crate::experiment::GridCell;
use crate::file::file_reader::TomlReaderWithFaults;
use crate::search::{CellSearch, MeasureBoundCondition, MeasureGoal};
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::{Fault, Field, FieldType, Fields, Form};

/// Key of the table.
pub const SWEEP_TABLE_KEY: &str = "sweep";

/// Number of rows of the table of best cells, which a person reads.
const BEST_CELL_COUNT_RANGE: IntRange = IntRange::new("number of best cells", 1, 10_000);

/// Keys of `best`.
const BEST_CELLS_FIELDS: Fields = Fields::Static(&[&[
    Field::new_whole_number("count", BEST_CELL_COUNT_RANGE, 50, "how many cells"),
    Field::new_required(
        "by",
        FieldType::Text,
        "the measure to maximize; with - in front, to minimize",
    ),
]]);

/// Keys of `[sweep]`.
pub const SWEEP_TABLE_FIELDS: Fields = Fields::Static(&[&[
    Field::new_optional(
        "keep",
        FieldType::Text,
        "conditions on measures, all of which a cell must meet: p_kill > 0.3 and p_pin < 0.2",
    ),
    Field::new_optional(
        "best",
        FieldType::Table(BEST_CELLS_FIELDS),
        "of these, the cells with the largest value of a measure",
    ),
    Field::new_optional(
        "front",
        FieldType::Text,
        "two or three measures: of these, the cells that no other one beats; -p_pin where less is better",
    ),
]]);

impl TomlReaderWithFaults<'_> {
    /// Reads the filter, if the file has one.
    pub(super) fn read_cell_search(&mut self, cells: Option<&[GridCell]>) -> Option<CellSearch> {
        let table = match self.document.table.get(SWEEP_TABLE_KEY)? {
            toml::Value::Table(table) => table.clone(),
            _ => {
                self.note_at_value(Fault::new(SWEEP_TABLE_KEY, "expected a table: [sweep]"));
                return None;
            }
        };
        let form = self.fill_form(&SWEEP_TABLE_FIELDS, &table, SWEEP_TABLE_KEY)?;
        let named = AxisMeasureAndFieldNames::from_cells(cells?);
        let keep =
            form.optional_text("keep").map(|text| self.read_measure_conditions(text, &named));
        let best = form.table_if_present("best").map(|best| self.read_best_goal(best, &named));
        let front = form.optional_text("front").map(|text| self.read_pareto_goals(text, &named));
        if best.is_some() && front.is_some() {
            let problem = "`best` and `front` are both given";
            let fault = Fault::new("sweep.front", problem);
            self.note_at_value(fault.with_help("keep the one that is to decide"));
        }
        Some(CellSearch {
            keep: keep.unwrap_or_default(),
            best: best.flatten(),
            front: front.unwrap_or_default(),
        })
    }

    fn read_measure_conditions(
        &mut self,
        text: &str,
        named: &AxisMeasureAndFieldNames<'_>,
    ) -> Vec<MeasureBoundCondition> {
        let read = MeasureBoundCondition::parse_conditions(text).map_err(|part| {
            let problem = format!("`{part}` is not a condition");
            let help = "a measure, one of < <= > >=, and a number: p_kill > 0.3 and p_pin < 0.2";
            self.note_at_value(Fault::new("sweep.keep", problem).with_help(help));
        });
        let conditions = read.unwrap_or_default().into_iter().filter_map(|condition| {
            let measure =
                self.resolve_filterable_measure("sweep.keep", &condition.measure, named)?;
            Some(MeasureBoundCondition { measure, ..condition })
        });
        conditions.collect()
    }

    fn read_best_goal(
        &mut self,
        best: &Form,
        named: &AxisMeasureAndFieldNames<'_>,
    ) -> Option<(usize, MeasureGoal)> {
        let goal = MeasureGoal::parse_goal(best.text_of_field("by"));
        let measure = self.resolve_filterable_measure("sweep.best.by", &goal.measure, named)?;
        Some((best.int("count") as usize, MeasureGoal { measure, ..goal }))
    }

    fn read_pareto_goals(
        &mut self,
        text: &str,
        named: &AxisMeasureAndFieldNames<'_>,
    ) -> Vec<MeasureGoal> {
        let goals: Vec<_> = text.split(',').map(MeasureGoal::parse_goal).collect();
        if !(2..=3).contains(&goals.len()) {
            let problem = "a front takes two or three measures: front = \"p_kill, -p_pin\"";
            self.note_at_value(Fault::new("sweep.front", problem));
        }
        let known = goals.into_iter().filter_map(|goal| {
            let measure = self.resolve_filterable_measure("sweep.front", &goal.measure, named)?;
            Some(MeasureGoal { measure, ..goal })
        });
        known.collect()
    }

    fn resolve_filterable_measure(
        &mut self,
        path: &str,
        measure: &str,
        named: &AxisMeasureAndFieldNames<'_>,
    ) -> Option<String> {
        self.resolve_name_among(
            path.to_owned(),
            "no contest has a measure",
            measure,
            &named.measures,
        )
    }
}
