//! Reads a `[[contest]]`: its rulebook, its grid, and one [`GridCell`] for every combination.

use toml::{Table, Value as Toml};

use crate::answer::Answer;
use crate::experiment::GridCell;
use crate::file::file_reader::TomlReaderWithFaults;
use crate::grid::cells::{ContestBeforeCells, ExperimentCells};
use crate::{follow_up, grid};
use enfilade_model::catalogue::{RulebookAction, System};
use enfilade_model::form::sanitize::group_digits;
use enfilade_model::form::{Fault, Field, FieldType, Fields, MAX_COLLECTED_FAULTS, name_matching};
use std::sync::{Arc, OnceLock};

/// Keys of a `[[contest]]` before the fields of its action.
pub const CONTEST_HEAD_FIELDS: Fields = Fields::Static(&[&[
    Field::new_required("system", FieldType::Text, "the rulebook"),
    Field::new_required("action", FieldType::Text, "the action to resolve"),
    Field::new_optional(
        "name",
        FieldType::Text,
        "name of the contest in results; `SYSTEM ACTION` when left out",
    ),
]]);

/// Number of further cells of a large grid that are tried if all sample cells break checks.
const MAX_CELLS_TRIED: u64 = 10_000;

/// Cells of an experiment.
#[derive(Debug, Default)]
pub(super) struct CellsReadFromContests {
    /// Valid contests.
    pub cells: Vec<GridCell>,
    /// Rows of the cells that break a check of the rulebook, for an experiment whose cells are all
    /// collected.
    pub excluded: Vec<Answer>,
}

impl TomlReaderWithFaults<'_> {
    /// Builds the cells of all contests, unless one of them could not be read. Of a grid too large
    /// to collect, sample cells are built; the others are checked when they are built.
    pub(super) fn read_all_or_sample_cells(
        &mut self,
        [kept, most]: [u64; 2],
    ) -> Option<(ExperimentCells, CellsReadFromContests)> {
        let (cells, complete) = self.read_contest_drafts(most)?;
        let whole = cells.len() <= kept;
        let mut collection = CellsReadFromContests::default();
        let mut begin = 0;
        for draft in cells.contest_drafts() {
            match whole {
                true => self.build_contest_cells(draft, begin, &mut collection),
                false => self.build_sample_cells(draft, &mut collection),
            }
            begin += draft.size;
        }
        complete.then_some((cells, collection))
    }

    /// Reads the contests, and returns those that could be read and whether that is all of them.
    fn read_contest_drafts(&mut self, most: u64) -> Option<(ExperimentCells, bool)> {
        let none = Fault::new("contest", "there is no contest in the file")
            .with_help("begin one with [[contest]], then system = \"…\" and action = \"…\"");
        let drafts = self.read_each_required_table("contest", none, |reader, place, table| {
            reader.read_contest_draft(place, table, most)
        });
        let complete = drafts.iter().all(Option::is_some);
        let drafts: Vec<_> = drafts.into_iter().flatten().collect();
        if complete {
            self.check_changes_are_used(drafts.iter().map(|draft| &draft.action));
        }
        let cells = ExperimentCells::from_contest_drafts(drafts, most)
            .map_err(|fault| self.note_at_value(fault))
            .ok()?;
        Some((cells, complete))
    }

    /// Reads the parameters and the axes of a contest.
    fn read_contest_draft(
        &mut self,
        number: usize,
        mut table: Table,
        most: u64,
    ) -> Option<ContestBeforeCells> {
        let path = format!("contest[{number}]");
        // All three are read before the first `?`, so that the faults of each are reported
        // together.
        let system = self.take_rulebook(&mut table, &path);
        let action = system.as_ref().and_then(|system| self.take_action(system, &mut table, &path));
        let name = self.take_optional_contest_name(&mut table, &path);
        let (system, action) = (system?, action?);
        self.merge_file_changes(&action, &mut table);
        let chained = follow_up::chain_action_with_follow_ups(&system, &action, &mut table);
        let chained = chained.map_err(|faults| self.note_faults_below(faults, &path)).ok()?;
        let action = chained.unwrap_or(action);
        let axes = grid::find_axes_of_contest(&action.fields, &table)
            .map_err(|faults| {
                self.note_faults_below(system.faults_with_hints(&action, faults), &path)
            })
            .ok()?;
        let size = grid::count_cells_of_grid(&axes, most)
            .map_err(|fault| self.note_at_value(fault.prefix_path(&path)))
            .ok()?;
        let name = name?.unwrap_or_else(|| format!("{} {}", system.id, action.name));
        Some(ContestBeforeCells {
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

    fn take_rulebook(&mut self, table: &mut Table, path: &str) -> Option<Arc<System>> {
        let ids: Vec<_> = self.catalogue.rulebook_ids().collect();
        // With a single rulebook from a file there is no doubt which one is meant.
        if let (Some(only), false) =
            (self.catalogue.sole_text_rulebook(), table.contains_key("system"))
        {
            return Some(Arc::clone(only));
        }
        let id = self.take_required_word(table, path, "system", &ids)?;
        self.find_sound_rulebook(&id, path)
    }

    fn take_action(
        &mut self,
        system: &System,
        table: &mut Table,
        path: &str,
    ) -> Option<Arc<RulebookAction>> {
        let actions = system.actions.iter();
        let actions: Vec<_> = actions.map(|action| &*action.name).collect();
        let name = self.take_required_word(table, path, "action", &actions)?;
        let found = system.action(&name).cloned();
        found.map_err(|fault| self.note_at_value(fault.prefix_path(path))).ok()
    }

    /// Takes a required word out of a contest's table.
    fn take_required_word(
        &mut self,
        table: &mut Table,
        path: &str,
        key: &str,
        names: &[&str],
    ) -> Option<String> {
        let about =
            CONTEST_HEAD_FIELDS.get(key).map(|field| field.about.clone()).unwrap_or_default();
        let problem = match table.remove(key) {
            Some(Toml::String(word)) => return Some(word),
            Some(_) => format!("expected a text for `{key}`"),
            None => format!("`{key}` is missing: {about}"),
        };
        let similar = name_matching::find_nearest_name(key, table.keys().map(String::as_str));
        let help = match similar {
            Some(found) => format!("is `{found}` meant to be `{key}`?"),
            None => format!("there is {}", names.join(", ")),
        };
        self.note_at_value(Fault::new(format!("{path}.{key}"), problem).with_help(help));
        None
    }

    fn take_optional_contest_name(
        &mut self,
        table: &mut Table,
        path: &str,
    ) -> Option<Option<String>> {
        let Some(name_value) = table.remove("name") else {
            return Some(None);
        };
        match name_value {
            Toml::String(name) if name.chars().count() <= 200 && !name.contains('\n') => {
                Some(Some(name))
            }
            _ => {
                let problem = "expected a text of one line and at most 200 characters";
                self.note_at_value(Fault::new(format!("{path}.name"), problem));
                None
            }
        }
    }

    fn note_faults_below(&mut self, faults: Vec<Fault>, outer: &str) {
        for fault in faults {
            let fault = self.relocate_change_fault(fault.prefix_path(outer), outer);
            self.note_at_value(fault);
        }
    }

    /// Builds the cells of a contest, of which the first is cell `begin` of the experiment. After
    /// some invalid cells the rest is skipped: most often all are wrong in the same way, which is
    /// reported once.
    ///
    /// A cell that breaks a check of the rulebook becomes an excluded row beside the others; if all
    /// of them do, that is a fault.
    fn build_contest_cells(
        &mut self,
        draft: &ContestBeforeCells,
        begin: u64,
        collection: &mut CellsReadFromContests,
    ) {
        let (mut wrong, before) = (0, collection.cells.len());
        let mut broken: Option<(u64, Vec<Fault>)> = None;
        let mut maker = draft.new_cell_builder();
        for inner in 0..draft.size {
            let index = usize::try_from(begin + inner).unwrap_or(usize::MAX);
            match maker.build_nth_cell(inner, index) {
                Ok(cell) => collection.cells.push(cell),
                Err(misfit) if misfit.first_broken_check().is_some() => {
                    broken.get_or_insert_with(|| (inner, misfit.faults.clone()));
                    collection
                        .excluded
                        .push(draft.invalid_cell(inner, misfit).into_table_row(begin + inner, 0));
                }
                Err(misfit) => {
                    self.note_cell_faults(
                        draft,
                        &grid::indices_on_axes(&draft.axes, inner),
                        misfit.faults,
                    );
                    wrong += 1;
                }
            }
            if wrong >= MAX_COLLECTED_FAULTS
                || self.faults.len() >= MAX_COLLECTED_FAULTS
                || self.halt.is_cancelled()
            {
                return;
            }
        }
        if wrong == 0 && collection.cells.len() == before {
            self.note_all_cells_broken(draft, draft.size, broken);
        }
    }

    /// Builds the sample cells of a contest, numbered one after the other; if all of them break
    /// checks, another cell that does not.
    fn build_sample_cells(
        &mut self,
        draft: &ContestBeforeCells,
        collection: &mut CellsReadFromContests,
    ) {
        let (mut wrong, before) = (0, collection.cells.len());
        let mut broken: Option<(u64, Vec<Fault>)> = None;
        let mut maker = draft.new_cell_builder();
        let sample = draft.first_and_one_axis_variants();
        let further = draft.evenly_spread_indices(MAX_CELLS_TRIED);
        let further = further.filter(|inner| sample.binary_search(inner).is_err());
        let mut tried = 0;
        for inner in sample.iter().copied().chain(further) {
            let enough = tried >= sample.len() && (wrong > 0 || collection.cells.len() > before);
            if enough || self.halt.is_cancelled() {
                return;
            }
            tried += 1;
            match maker.build_nth_cell(inner, collection.cells.len()) {
                Ok(cell) => collection.cells.push(cell),
                Err(misfit) if misfit.first_broken_check().is_some() => {
                    broken.get_or_insert((inner, misfit.faults));
                }
                Err(misfit) => {
                    self.note_cell_faults(
                        draft,
                        &grid::indices_on_axes(&draft.axes, inner),
                        misfit.faults,
                    );
                    wrong += 1;
                }
            }
            if wrong >= MAX_COLLECTED_FAULTS || self.faults.len() >= MAX_COLLECTED_FAULTS {
                return;
            }
        }
        if wrong == 0 && collection.cells.len() == before {
            self.note_all_cells_broken(draft, tried as u64, broken);
        }
    }

    /// Notes that all of `cells` cells break a check, as the first of them does.
    fn note_all_cells_broken(
        &mut self,
        draft: &ContestBeforeCells,
        cells: u64,
        broken: Option<(u64, Vec<Fault>)>,
    ) {
        let Some((inner, mut faults)) = broken else { return };
        if let Some(fault) = faults.first_mut() {
            fault.problem += &match cells {
                0 | 1 => String::new(),
                2 => " (and 1 more cell breaks a check)".to_owned(),
                _ => format!(" (and {} more cells break a check)", group_digits(cells - 1)),
            };
        }
        self.note_cell_faults(draft, &grid::indices_on_axes(&draft.axes, inner), faults);
    }

    fn note_cell_faults(
        &mut self,
        draft: &ContestBeforeCells,
        positions: &[usize],
        faults: Vec<Fault>,
    ) {
        for fault in faults {
            let key = !draft.action.fields.declares_whole_path(&fault.path);
            let fault =
                self.relocate_change_fault(draft.locate_fault(fault, positions), &draft.path);
            self.note_at_path(fault, key);
        }
    }
}
