//! Fields that an action carries to the next one.

use rustc_hash::FxHashSet;

use super::game::{ResolvedRulebook, ValueShape};
use crate::syntax::ast::{Expr, ExprKind, ShowMeasureOrCarryLine};

impl ResolvedRulebook {
    /// Returns the shape of the field at a path: of the action's fields, or else of any field with
    /// this name.
    pub fn find_field_shape(&self, action: Option<usize>, path: &str) -> Option<&ValueShape> {
        let mut names = path.split('.');
        let first = names.next()?;
        let mut actions = self.actions.iter().flat_map(|action| &action.fields);
        let own = action.into_iter().flat_map(|at| &self.actions[at].fields);
        let own = own.into_iter().find(|field| field.name.text == first);
        let field = own.or_else(|| self.index_of_top_level_field(first).map(|at| &self.fields[at]));
        let field = field.or_else(|| actions.find(|field| field.name.text == first))?;
        names.try_fold(&field.shape, |field_shape, name| {
            let record = match field_shape {
                ValueShape::Record(record) => *record,
                ValueShape::List(_, _, of) => match **of {
                    ValueShape::Record(record) => record,
                    _ => return None,
                },
                _ => return None,
            };
            let mut fields = self.records[record].fields.iter();
            fields.find(|field| field.name.text == name).map(|field| &field.shape)
        })
    }

    /// Returns the fields that an action carries, by their first names.
    pub fn fields_set_for_next_contest(&self, action: usize) -> Vec<String> {
        let mut open: Vec<&ShowMeasureOrCarryLine> =
            self.actions[action].rule.shows.iter().collect();
        let mut field_paths = Vec::new();
        let mut fields_seen = FxHashSet::default();
        while let Some(report) = open.pop() {
            match report {
                ShowMeasureOrCarryLine::Carry { place, .. } => field_paths.push(place),
                ShowMeasureOrCarryLine::Call(call) => {
                    if let ExprKind::Call(name, _) = &call.kind
                        && let Some((at, part)) = self.find_part(&name.text)
                        && fields_seen.insert(at)
                    {
                        open.extend(&part.shows);
                    }
                }
                _ => {}
            }
        }
        let first = |place: &'_ Expr| {
            let path = place.as_path()?;
            let first = path.split('.').next()?;
            Some(first.to_owned())
        };
        let mut names: Vec<String> = field_paths.into_iter().filter_map(first).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}
