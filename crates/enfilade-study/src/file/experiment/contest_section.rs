//! Reads a `[[contest]]`: its rulebook, its grid, and one [`Cell`] for every combination.

use toml::{Table, Value as Toml};

use crate::answer::Answer;
use crate::experiment::Cell;
use crate::file::file_reader::Reader;
use crate::grid::cells::{Cells, Draft};
use crate::{follow_up, grid};
use enfilade_model::catalogue::{Action, System};
use enfilade_model::form::sanitize::grouped;
use enfilade_model::form::{FAULTS, Fault, Field, Fields, Kind, name_matching};
use std::sync::{Arc, OnceLock};

/// Keys of a `[[contest]]` before the fields of its action.
pub const HEAD: Fields = Fields::Static(&[&[
    Field::required("system", Kind::Text, "the rulebook"),
    Field::required("action", Kind::Text, "the action to resolve"),
    Field::optional(
        "name",
        Kind::Text,
        "name of the contest in results; `SYSTEM ACTION` when left out",
    ),
]]);

/// Number of further cells of a large grid that are tried if all sample cells break checks.
const FURTHER: u64 = 10_000;

/// Cells of an experiment.
#[derive(Debug, Default)]
pub(super) struct Made {
    /// Valid contests.
    pub cells: Vec<Cell>,
    /// Rows of the cells that break a check of the rulebook, for an experiment whose cells are all
    /// collected.
    pub excluded: Vec<Answer>,
}

impl Reader<'_> {
    /// Builds the cells of all contests, unless one of them could not be read. Of a grid too large
    /// to collect, sample cells are built; the others are checked when they are built.
    pub(super) fn contests(&mut self, [kept, most]: [u64; 2]) -> Option<(Cells, Made)> {
        let (cells, complete) = self.drafts(most)?;
        let whole = cells.len() <= kept;
        let mut made = Made::default();
        let mut begin = 0;
        for draft in cells.drafts() {
            match whole {
                true => self.cells(draft, begin, &mut made),
                false => self.sample(draft, &mut made),
            }
            begin += draft.size;
        }
        complete.then_some((cells, made))
    }

    /// Reads the contests, and returns those that could be read and whether that is all of them.
    fn drafts(&mut self, most: u64) -> Option<(Cells, bool)> {
        let none = Fault::new("contest", "there is no contest in the file")
            .help("begin one with [[contest]], then system = \"…\" and action = \"…\"");
        let drafts =
            self.each("contest", none, |reader, place, table| reader.draft(place, table, most));
        let complete = drafts.iter().all(Option::is_some);
        let drafts: Vec<_> = drafts.into_iter().flatten().collect();
        if complete {
            self.changes_are_known(drafts.iter().map(|draft| &draft.action));
        }
        let cells = Cells::of(drafts, most).map_err(|fault| self.note(fault)).ok()?;
        Some((cells, complete))
    }

    /// Reads the parameters and the axes of a contest.
    fn draft(&mut self, number: usize, mut table: Table, most: u64) -> Option<Draft> {
        let path = format!("contest[{number}]");
        // All three are read before the first `?`, so that the faults of each are reported
        // together.
        let system = self.system(&mut table, &path);
        let action = system.as_ref().and_then(|system| self.action(system, &mut table, &path));
        let name = self.contest_name(&mut table, &path);
        let (system, action) = (system?, action?);
        self.change(&action, &mut table);
        let chained = follow_up::chained(&system, &action, &mut table);
        let chained = chained.map_err(|faults| self.note_all(faults, &path)).ok()?;
        let action = chained.unwrap_or(action);
        let axes = grid::axes(&action.fields, &table)
            .map_err(|faults| self.note_all(system.hinted(&action, faults), &path))
            .ok()?;
        let size = grid::size(&axes, most).map_err(|fault| self.note(fault.within(&path))).ok()?;
        let name = name?.unwrap_or_else(|| format!("{} {}", system.id, action.name));
        Some(Draft {
            number,
            path,
            name,
            system,
            action,
            table,
            axes,
            size,
            first: OnceLock::new(),
        })
    }

    fn system(&mut self, table: &mut Table, path: &str) -> Option<Arc<System>> {
        let ids: Vec<_> = self.catalogue.ids().collect();
        // With a single rulebook from a file there is no doubt which one is meant.
        if let (Some(only), false) = (self.catalogue.only_read(), table.contains_key("system")) {
            return Some(Arc::clone(only));
        }
        let id = self.word(table, path, "system", &ids)?;
        self.rulebook(&id, path)
    }

    fn action(&mut self, system: &System, table: &mut Table, path: &str) -> Option<Arc<Action>> {
        let actions = system.actions.iter();
        let actions: Vec<_> = actions.map(|action| &*action.name).collect();
        let name = self.word(table, path, "action", &actions)?;
        let found = system.action(&name).cloned();
        found.map_err(|fault| self.note(fault.within(path))).ok()
    }

    /// Takes a required word out of a contest's table.
    fn word(&mut self, table: &mut Table, path: &str, key: &str, known: &[&str]) -> Option<String> {
        let about = HEAD.get(key).map(|field| field.about.clone()).unwrap_or_default();
        let problem = match table.remove(key) {
            Some(Toml::String(word)) => return Some(word),
            Some(_) => format!("expected a text for `{key}`"),
            None => format!("`{key}` is missing: {about}"),
        };
        let similar = name_matching::nearest(key, table.keys().map(String::as_str));
        let help = match similar {
            Some(found) => format!("is `{found}` meant to be `{key}`?"),
            None => format!("there is {}", known.join(", ")),
        };
        self.note(Fault::new(format!("{path}.{key}"), problem).help(help));
        None
    }

    fn contest_name(&mut self, table: &mut Table, path: &str) -> Option<Option<String>> {
        let Some(given) = table.remove("name") else {
            return Some(None);
        };
        match given {
            Toml::String(name) if name.chars().count() <= 200 && !name.contains('\n') => {
                Some(Some(name))
            }
            _ => {
                let problem = "expected a text of one line and at most 200 characters";
                self.note(Fault::new(format!("{path}.name"), problem));
                None
            }
        }
    }

    fn note_all(&mut self, faults: Vec<Fault>, outer: &str) {
        for fault in faults {
            let fault = self.at_home(fault.within(outer), outer);
            self.note(fault);
        }
    }

    /// Builds the cells of a contest, of which the first is cell `begin` of the experiment. After
    /// some invalid cells the rest is skipped: most often all are wrong in the same way, which is
    /// reported once.
    ///
    /// A cell that breaks a check of the rulebook becomes an excluded row beside the others; if all
    /// of them do, that is a fault.
    fn cells(&mut self, draft: &Draft, begin: u64, made: &mut Made) {
        let (mut wrong, before) = (0, made.cells.len());
        let mut broken: Option<(u64, Vec<Fault>)> = None;
        let mut maker = draft.maker();
        for inner in 0..draft.size {
            let index = usize::try_from(begin + inner).unwrap_or(usize::MAX);
            match maker.cell(inner, index) {
                Ok(cell) => made.cells.push(cell),
                Err(misfit) if misfit.breaks().is_some() => {
                    broken.get_or_insert_with(|| (inner, misfit.faults.clone()));
                    made.excluded.push(draft.wrong(inner, misfit).answer(begin + inner, 0));
                }
                Err(misfit) => {
                    self.note_cell(draft, &grid::positions(&draft.axes, inner), misfit.faults);
                    wrong += 1;
                }
            }
            if wrong >= FAULTS || self.faults.len() >= FAULTS || self.halt.asked() {
                return;
            }
        }
        if wrong == 0 && made.cells.len() == before {
            self.note_all_broken(draft, draft.size, broken);
        }
    }

    /// Builds the sample cells of a contest, numbered one after the other; if all of them break
    /// checks, another cell that does not.
    fn sample(&mut self, draft: &Draft, made: &mut Made) {
        let (mut wrong, before) = (0, made.cells.len());
        let mut broken: Option<(u64, Vec<Fault>)> = None;
        let mut maker = draft.maker();
        let sample = draft.sample();
        let chosen = sample.len();
        for (at, inner) in sample.into_iter().chain(draft.spread(FURTHER)).enumerate() {
            let enough = at >= chosen && (wrong > 0 || made.cells.len() > before);
            if enough || self.halt.asked() {
                return;
            }
            match maker.cell(inner, made.cells.len()) {
                Ok(cell) => made.cells.push(cell),
                Err(misfit) if misfit.breaks().is_some() => {
                    broken.get_or_insert((inner, misfit.faults));
                }
                Err(misfit) => {
                    self.note_cell(draft, &grid::positions(&draft.axes, inner), misfit.faults);
                    wrong += 1;
                }
            }
            if wrong >= FAULTS || self.faults.len() >= FAULTS {
                return;
            }
        }
        if wrong == 0 && made.cells.len() == before {
            self.note_all_broken(draft, chosen as u64 + FURTHER.min(draft.size), broken);
        }
    }

    /// Notes that all of `cells` cells break a check, as the first of them does.
    fn note_all_broken(&mut self, draft: &Draft, cells: u64, broken: Option<(u64, Vec<Fault>)>) {
        let Some((inner, mut faults)) = broken else { return };
        if let (Some(fault), true) = (faults.first_mut(), cells > 1) {
            let more = format!(" (and {} more cells break a check)", grouped(cells - 1));
            fault.problem.push_str(&more);
        }
        self.note_cell(draft, &grid::positions(&draft.axes, inner), faults);
    }

    fn note_cell(&mut self, draft: &Draft, positions: &[usize], faults: Vec<Fault>) {
        for fault in faults {
            let key = !draft.action.fields.declare(&fault.path);
            let fault = self.at_home(draft.in_file(fault, positions), &draft.path);
            self.note_where(fault, key);
        }
    }
}
