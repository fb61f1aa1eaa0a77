//! Reads `[sweep]`: the filter of the cells.

use super::reported_names::Named;
use crate::experiment::Cell;
use crate::file::file_reader::Reader;
use crate::search::{Condition, Goal, Search};
use enfilade_model::form::bounds::Bound;
use enfilade_model::form::{Fault, Field, Fields, Form, Kind};

/// Key of the table.
pub const SWEEP_KEY: &str = "sweep";

/// Number of rows of the table of best cells, which a person reads.
const COUNT: Bound = Bound::new("number of best cells", 1, 10_000);

/// Keys of `best`.
const BEST: Fields = Fields::Static(&[&[
    Field::int("count", COUNT, 50, "how many cells"),
    Field::required("by", Kind::Text, "the measure to maximize; with - in front, to minimize"),
]]);

/// Keys of `[sweep]`.
pub const SWEEP: Fields = Fields::Static(&[&[
    Field::optional(
        "keep",
        Kind::Text,
        "conditions on measures, all of which a cell must meet: p_kill > 0.3 and p_pin < 0.2",
    ),
    Field::optional(
        "best",
        Kind::Table(BEST),
        "of these, the cells with the largest value of a measure",
    ),
    Field::optional(
        "front",
        Kind::Text,
        "two or three measures: of these, the cells that no other one beats; -p_pin where less is better",
    ),
]]);

impl Reader<'_> {
    /// Reads the filter, if the file has one.
    pub(super) fn search(&mut self, cells: Option<&[Cell]>) -> Option<Search> {
        let table = match self.document.table.get(SWEEP_KEY)? {
            toml::Value::Table(table) => table.clone(),
            _ => {
                self.note(Fault::new(SWEEP_KEY, "expected a table: [sweep]"));
                return None;
            }
        };
        let form = self.fill(&SWEEP, &table, SWEEP_KEY)?;
        let named = Named::of(cells?);
        let keep = form.maybe_text("keep").map(|text| self.conditions(text, &named));
        let best = form.table("best").map(|best| self.best(best, &named));
        let front = form.maybe_text("front").map(|text| self.front(text, &named));
        if best.is_some() && front.is_some() {
            let problem = "`best` and `front` are both given";
            let fault = Fault::new("sweep.front", problem);
            self.note(fault.help("keep the one that is to decide"));
        }
        Some(Search {
            keep: keep.unwrap_or_default(),
            best: best.flatten(),
            front: front.unwrap_or_default(),
        })
    }

    fn conditions(&mut self, text: &str, named: &Named<'_>) -> Vec<Condition> {
        let read = Condition::all_of(text).map_err(|part| {
            let problem = format!("`{part}` is not a condition");
            let help = "a measure, one of < <= > >=, and a number: p_kill > 0.3 and p_pin < 0.2";
            self.note(Fault::new("sweep.keep", problem).help(help));
        });
        let known = read.unwrap_or_default().into_iter().filter_map(|condition| {
            let measure = self.swept("sweep.keep", &condition.measure, named)?;
            Some(Condition { measure, ..condition })
        });
        known.collect()
    }

    fn best(&mut self, best: &Form, named: &Named<'_>) -> Option<(usize, Goal)> {
        let goal = Goal::of(best.text("by"));
        let measure = self.swept("sweep.best.by", &goal.measure, named)?;
        let count = usize::try_from(best.int("count")).unwrap_or(1);
        Some((count, Goal { measure, ..goal }))
    }

    fn front(&mut self, text: &str, named: &Named<'_>) -> Vec<Goal> {
        let goals: Vec<_> = text.split(',').map(Goal::of).collect();
        if !(2..=3).contains(&goals.len()) {
            let problem = "a front takes two or three measures: front = \"p_kill, -p_pin\"";
            self.note(Fault::new("sweep.front", problem));
        }
        let known = goals.into_iter().filter_map(|goal| {
            let measure = self.swept("sweep.front", &goal.measure, named)?;
            Some(Goal { measure, ..goal })
        });
        known.collect()
    }

    fn swept(&mut self, path: &str, measure: &str, named: &Named<'_>) -> Option<String> {
        self.known(path.to_owned(), "no contest has a measure", measure, &named.measures)
    }
}
