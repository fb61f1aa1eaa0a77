//! Reading a `[[contest]]`: its rulebook, its grid, and one [`Cell`] for every combination.

use toml::{Table, Value as Toml};

use super::{Reader, declared};
use crate::bounds;
use crate::catalogue::{Action, System};
use crate::form::{FAULTS, Fault, Field, Fields, Form, Kind, names};
use crate::study::experiment::Cell;
use crate::study::grid::{self, Axis};
use std::sync::Arc;

/// The keys of a `[[contest]]` before the fields of its action.
pub const HEAD: Fields = Fields::Static(&[&[
    Field::required("system", Kind::Text, "the rulebook"),
    Field::required("action", Kind::Text, "what is resolved"),
    Field::optional(
        "name",
        Kind::Text,
        "what results call the contest; `SYSTEM ACTION` when left out",
    ),
]]);

/// Faults of a contest with what its rulebook knows to say about them.
fn hinted(system: &System, action: &Action, faults: Vec<Fault>) -> Vec<Fault> {
    faults.into_iter().map(|fault| system.hinted(action, fault)).collect()
}

/// One `[[contest]]` before its cells are built.
struct Draft {
    number: usize,
    path: String,
    name: String,
    system: Arc<System>,
    action: Arc<Action>,
    table: Table,
    axes: Vec<Axis>,
    size: usize,
}

impl Reader<'_> {
    /// The cells of all contests, unless one of them could not be read.
    pub(super) fn contests(&mut self) -> Option<Vec<Cell>> {
        let tables = self.tables("contest");
        if tables.is_empty() && !self.document.table.contains_key("contest") {
            let help = "begin one with [[contest]], then system = \"…\" and action = \"…\"";
            self.note(Fault::new("contest", "there is no contest in the file").help(help));
        }
        let drafts: Vec<_> = tables
            .into_iter()
            .enumerate()
            .map_while(|(i, table)| (self.faults.len() < FAULTS).then(|| self.draft(i, table)))
            .collect();
        let complete = drafts.iter().all(Option::is_some);
        let drafts: Vec<_> = drafts.into_iter().flatten().collect();
        if complete {
            self.changes_are_known(drafts.iter().map(|draft| &draft.action));
        }
        let fits = self.within_limit(&drafts);
        if !fits {
            return None;
        }
        let mut cells = Vec::new();
        for draft in &drafts {
            self.cells(draft, &mut cells);
        }
        complete.then_some(cells)
    }

    fn within_limit(&mut self, drafts: &[Draft]) -> bool {
        let cells: usize = drafts.iter().map(|draft| draft.size).sum();
        let cells = i64::try_from(cells).unwrap_or(i64::MAX);
        if cells <= bounds::CELLS.high {
            return true;
        }
        let problem =
            format!("the contests have {cells} cells together, more than {}", bounds::CELLS.high);
        self.note(Fault::new("contest", problem).help("split the experiment into several files"));
        false
    }

    /// Finds out what a contest asks and which axes it has.
    fn draft(&mut self, number: usize, mut table: Table) -> Option<Draft> {
        let path = format!("contest[{number}]");
        let system = self.system(&mut table, &path);
        let action = system.as_ref().and_then(|system| self.action(system, &mut table, &path));
        let name = self.contest_name(&mut table, &path);
        let (system, action) = (system?, action?);
        self.change(&action, &mut table);
        let axes = grid::axes(&action.fields, &table)
            .map_err(|faults| self.note_all(hinted(&system, &action, faults), &path))
            .ok()?;
        let size = grid::size(&axes).map_err(|fault| self.note(fault.within(&path))).ok()?;
        let name = name?.unwrap_or_else(|| format!("{} {}", system.id, action.name));
        Some(Draft { number, path, name, system, action, table, axes, size })
    }

    fn system(&mut self, table: &mut Table, path: &str) -> Option<Arc<System>> {
        let ids: Vec<_> = self.catalogue.ids().collect();
        // With one rulebook from a file there is no doubt which one is meant.
        if let (Some(only), false) = (self.catalogue.only_read(), table.contains_key("system")) {
            return Some(Arc::clone(only));
        }
        let id = self.word(table, path, "system", &ids)?;
        let found = self.catalogue.system(&id);
        let sound = found.and_then(|system| system.checked().map(|()| Arc::clone(system)));
        sound.map_err(|fault| self.note(fault.within(path))).ok()
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
        let similar = names::nearest(key, table.keys().map(String::as_str));
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

    /// Builds the cells of a contest. After some that are wrong the rest is not looked at: most
    /// often all are wrong in the same way, which is told once.
    fn cells(&mut self, draft: &Draft, cells: &mut Vec<Cell>) {
        let mut table = draft.table.clone();
        let (begin, mut wrong) = (cells.len(), 0);
        for index in 0..draft.size {
            let positions = grid::positions(&draft.axes, index);
            for (axis, &position) in draft.axes.iter().zip(&positions) {
                axis.set(&mut table, position);
            }
            match draft.cell(&table, cells.len()) {
                Ok(mut cell) => {
                    if let (Some(first), Some(last)) = (cells.get(begin), cells.last()) {
                        cell.form = cell.form.beside(&first.form);
                        // A factor in a heading, such as 100 ÷ points, is the last cell's more often
                        // than the first one's.
                        cell.played.combat.beside(&last.played.combat);
                    }
                    cells.push(cell);
                }
                Err(faults) => {
                    self.note_cell(draft, &positions, faults);
                    wrong += 1;
                }
            }
            if wrong >= FAULTS || self.faults.len() >= FAULTS {
                return;
            }
        }
    }

    fn note_cell(&mut self, draft: &Draft, positions: &[usize], faults: Vec<Fault>) {
        for fault in faults {
            let key = !declared(&draft.action.fields, &fault.path);
            let fault = self.at_home(draft.in_file(fault, positions), &draft.path);
            self.note_where(fault, key);
        }
    }
}

impl Draft {
    fn cell(&self, table: &Table, index: usize) -> Result<Cell, Vec<Fault>> {
        let form = Form::fill(&self.action.fields, table);
        let form = form.map_err(|faults| hinted(&self.system, &self.action, faults))?;
        let played = self.action.contest(&form)?;
        let axes = self.axes.iter().map(|axis| (axis.name.clone(), axis.value(&form))).collect();
        Ok(Cell {
            index,
            contest: self.number,
            name: self.name.clone(),
            system: Arc::clone(&self.system),
            action: Arc::clone(&self.action),
            form,
            axes,
            played,
        })
    }

    /// A fault of one cell as the file has it.
    fn in_file(&self, fault: Fault, positions: &[usize]) -> Fault {
        let mut axes = self.axes.iter().zip(positions);
        let listed = axes.find_map(|(axis, &position)| axis.in_file(&fault.path, position));
        let path = listed.unwrap_or_else(|| fault.path.clone());
        Fault { path, ..fault }.within(&self.path)
    }
}
