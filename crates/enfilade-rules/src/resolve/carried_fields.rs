//! Fields that an action carries to the next one.

use rustc_hash::FxHashSet;

use super::game::{Game, Holds};
use crate::syntax::ast::{Expr, Report, Says};

impl Game {
    /// Returns the shape of the field at a path: of the action's fields, or else of any field with
    /// this name.
    pub fn holds_at(&self, action: Option<usize>, path: &str) -> Option<&Holds> {
        let mut names = path.split('.');
        let first = names.next()?;
        let mut actions = self.actions.iter().flat_map(|action| &action.fields);
        let own = action.into_iter().flat_map(|at| &self.actions[at].fields);
        let own = own.into_iter().find(|field| field.name.text == first);
        let field = own.or_else(|| self.field(first).map(|at| &self.fields[at]));
        let field = field.or_else(|| actions.find(|field| field.name.text == first))?;
        names.try_fold(&field.holds, |holds, name| {
            let record = match holds {
                Holds::Record(record) => *record,
                Holds::List(_, _, of) => match **of {
                    Holds::Record(record) => record,
                    _ => return None,
                },
                _ => return None,
            };
            let mut fields = self.records[record].fields.iter();
            fields.find(|field| field.name.text == name).map(|field| &field.holds)
        })
    }

    /// Returns the fields that an action carries, by their first names.
    pub fn left_by(&self, action: usize) -> Vec<String> {
        let mut open: Vec<&Report> = self.actions[action].rule.shows.iter().collect();
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        while let Some(report) = open.pop() {
            match report {
                Report::Carry { place, .. } => found.push(place),
                Report::Call(call) => {
                    if let Says::Call(name, _) = &call.what
                        && let Some((at, part)) = self.part(&name.text)
                        && seen.insert(at)
                    {
                        open.extend(&part.shows);
                    }
                }
                _ => {}
            }
        }
        let first = |place: &'_ Expr| {
            let path = place.path()?;
            let first = path.split('.').next()?;
            Some(first.to_owned())
        };
        let mut names: Vec<String> = found.into_iter().filter_map(first).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}
