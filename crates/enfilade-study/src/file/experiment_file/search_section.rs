//! Reads `[sweep]`: the filter of the cells.

use super::known_names::ContestVocabulary;
use crate::experiment::Cell;
use crate::file::file_reader::FileReader;
use crate::search::{CellSearch, MeasureCondition, MeasureGoal};
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::{Fault, Field, FieldType, Fields, Form};

/// Key of the table.
pub const SWEEP_KEY: &str = "sweep";

/// Number of rows of the table of best cells, which a person reads.
const BEST_COUNT: IntRange = IntRange::new("number of best cells", 1, 10_000);

/// Keys of `best`.
const BEST_FIELDS: Fields = Fields::Static(&[&[
    Field::int("count", BEST_COUNT, 50, "how many cells"),
    Field::required("by", FieldType::Text, "the measure to maximize; with - in front, to minimize"),
]]);

/// Keys of `[sweep]`.
pub const SWEEP_FIELDS: Fields = Fields::Static(&[&[
    Field::optional(
        "keep",
        FieldType::Text,
        "conditions on measures, all of which a cell must meet: p_kill > 0.3 and p_pin < 0.2",
    ),
    Field::optional(
        "best",
        FieldType::Table(BEST_FIELDS),
        "of these, the cells with the largest value of a measure",
    ),
    Field::optional(
        "front",
        FieldType::Text,
        "two or three measures: of these, the cells that no other one beats; -p_pin where less is better",
    ),
]]);

impl FileReader<'_> {
    /// Reads the filter, if the file has one.
    pub(super) fn read_search(&mut self, cells: Option<&[Cell]>) -> Option<CellSearch> {
        let table = match self.document.table.get(SWEEP_KEY)? {
            toml::Value::Table(table) => table.clone(),
            _ => {
                self.note_at_value(Fault::new(SWEEP_KEY, "expected a table: [sweep]"));
                return None;
            }
        };
        let form = self.fill_form(&SWEEP_FIELDS, &table, SWEEP_KEY)?;
        let named = ContestVocabulary::from_cells(cells?);
        let keep = form.maybe_text("keep").map(|text| self.read_conditions(text, &named));
        let best = form.table("best").map(|best| self.read_best_goal(best, &named));
        let front = form.maybe_text("front").map(|text| self.read_front_goals(text, &named));
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

    fn read_conditions(
        &mut self,
        text: &str,
        named: &ContestVocabulary<'_>,
    ) -> Vec<MeasureCondition> {
        let read = MeasureCondition::parse_all(text).map_err(|part| {
            let problem = format!("`{part}` is not a condition");
            let help = "a measure, one of < <= > >=, and a number: p_kill > 0.3 and p_pin < 0.2";
            self.note_at_value(Fault::new("sweep.keep", problem).with_help(help));
        });
        let known = read.unwrap_or_default().into_iter().filter_map(|condition| {
            let measure =
                self.resolve_filterable_measure("sweep.keep", &condition.measure, named)?;
            Some(MeasureCondition { measure, ..condition })
        });
        known.collect()
    }

    fn read_best_goal(
        &mut self,
        best: &Form,
        named: &ContestVocabulary<'_>,
    ) -> Option<(usize, MeasureGoal)> {
        let goal = MeasureGoal::parse(best.text("by"));
        let measure = self.resolve_filterable_measure("sweep.best.by", &goal.measure, named)?;
        let count = usize::try_from(best.int("count")).unwrap_or(1);
        Some((count, MeasureGoal { measure, ..goal }))
    }

    fn read_front_goals(&mut self, text: &str, named: &ContestVocabulary<'_>) -> Vec<MeasureGoal> {
        let goals: Vec<_> = text.split(',').map(MeasureGoal::parse).collect();
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
        named: &ContestVocabulary<'_>,
    ) -> Option<String> {
        self.resolve_name(path.to_owned(), "no contest has a measure", measure, &named.measures)
    }
}
