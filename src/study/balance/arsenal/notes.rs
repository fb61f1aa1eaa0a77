//! What is wrong with an arsenal file, collected while it is read; and what any file may hold: texts,
//! several tables, numbers that need not be whole.

use std::collections::HashSet;

use toml::{Table, Value as Toml};

use crate::bounds::RealBound;
use crate::error::LocatedFault;
use crate::form::shown::shown;
use crate::form::{FAULTS, Fault, names};
use crate::study::source::Document;

/// A file and the faults found in it so far.
pub struct Notes<'a> {
    /// The file.
    pub document: &'a Document,
    /// The faults, each once, no more than [`FAULTS`].
    pub faults: Vec<LocatedFault>,
}

impl Notes<'_> {
    /// Those that were found when the file was parsed.
    pub fn of(document: &Document) -> Notes<'_> {
        Notes { document, faults: document.faults.clone() }
    }

    /// Notes a fault where it stands in the file.
    pub fn note(&mut self, fault: Fault) {
        if self.faults.len() >= FAULTS {
            return;
        }
        let unknown_key = fault.problem.starts_with("there is no field");
        let span = match unknown_key {
            true => self.document.locate_key(&fault.path),
            false => self.document.locate(&fault.path),
        };
        let same =
            |known: &LocatedFault| known.span == span && known.fault.problem == fault.problem;
        if !self.faults.iter().any(same) {
            self.faults.push(LocatedFault { fault, span });
        }
    }

    /// Notes the faults of what stands at `outer`.
    pub fn note_all(&mut self, faults: Vec<Fault>, outer: &str) {
        for fault in faults {
            self.note(if outer.is_empty() { fault } else { fault.within(outer) });
        }
    }

    /// The text under `key`, if there is one.
    pub fn prose(&mut self, key: &str) -> Option<String> {
        match self.document.table.get(key)? {
            Toml::String(text) => Some(text.trim().to_owned()),
            _ => {
                self.note(Fault::new(key, format!("expected a text for `{key}`")));
                None
            }
        }
    }

    /// The tables under `key`; a fault when there is none.
    pub fn tables(&mut self, key: &str, why: &str) -> Option<Vec<Table>> {
        let found: Vec<Table> = match self.document.table.get(key) {
            Some(Toml::Table(table)) => vec![table.clone()],
            Some(Toml::Array(items)) => {
                let tables = items.iter().filter_map(Toml::as_table).cloned();
                let tables: Vec<_> = tables.collect();
                if tables.len() == items.len() { tables } else { Vec::new() }
            }
            _ => Vec::new(),
        };
        if found.is_empty() {
            let fault =
                Fault::new(key, format!("{why}: expected tables, each beginning with [[{key}]]"));
            self.note(fault);
            return None;
        }
        Some(found)
    }

    /// Names that are given twice would not tell results apart.
    pub fn told_apart<'n>(&mut self, what: &str, given: impl Iterator<Item = &'n str>) {
        let mut known = HashSet::new();
        for (place, name) in given.enumerate() {
            if !known.insert(names::key(name)) {
                let problem = format!("there are two {what}s called \"{}\"", shown(name));
                self.note(Fault::new(format!("{what}[{place}].name"), problem));
            }
        }
    }

    /// A number that need not be whole; `Some(None)` when it is left out.
    pub fn real(
        &mut self,
        given: Option<&Toml>,
        bound: &RealBound,
        path: &str,
    ) -> Option<Option<f64>> {
        let number = match given {
            None => return Some(None),
            Some(Toml::Integer(n)) => Some(*n as f64),
            Some(Toml::Float(x)) => Some(*x),
            Some(_) => None,
        };
        let checked = match number {
            Some(number) => bound.check(number),
            None => Err(format!("expected a number, {bound}")),
        };
        checked.map(Some).map_err(|problem| self.note(Fault::new(path, problem))).ok()
    }
}
