//! Fields that an action carries to the next one: `carry target.wounds = wounds`.

use super::lowered_value::{Num, Value};
use super::lowering::Lowering;
use super::reports::as_shown;
use super::scopes::Scopes;
use super::views::Reports;
use crate::diagnostics::near;
use crate::resolve::game::Holds;
use crate::syntax::ast::Expr;
use crate::types::{Fixed, Kind};
use crate::vm::code::Leaves;
use enfilade_model::shared::Text;

impl<'g> Reports<'_, 'g> {
    /// Lowers `carry place = value` and `carry place high n`.
    pub(super) fn carry(&mut self, place: &'g Expr, value: &'g Expr, highest: bool) {
        let Some(path) = place.path() else { return };
        let Some(holds) = self.scopes.game.holds_at(self.scopes.over, &path) else {
            return self.nowhere(place, &path);
        };
        self.no_dice(value, "carry");
        if highest && self.list_of_each(&path, value) {
            return;
        }
        let said = self.value(value, None);
        let several = |of: &Holds| matches!(of, Holds::Record(_));
        let wrong = match (said, holds, highest) {
            (Value::Bag(bag), Holds::List(_, _, of), false) if several(of) => {
                let leaves = self.things_left(place, path, bag);
                self.emitter.program.leaves.extend(leaves);
                return;
            }
            (Value::Bag(_), ..) => ("no list of tables", "such as `1 to 6 of unit`"),
            (said, Holds::List(..), true) => {
                let num = self.left_number(said, Kind::Number, value);
                self.emitter.program.leaves.push(Leaves::Highest(Text::from(path), as_shown(num)));
                return;
            }
            (said, Holds::Number(_) | Holds::OneOf(_) | Holds::Die(..), false) => {
                let kind = match holds {
                    Holds::Number(range) => range.kind,
                    _ => Kind::Number,
                };
                let num = self.left_number(said, kind, value);
                self.emitter.program.leaves.push(Leaves::Is(Text::from(path), as_shown(num)));
                return;
            }
            (_, Holds::List(..), false) => (
                "a list",
                "the bag that was made of tables is left, `carry a.units = units`; of others the highest, \
                 `carry a.weapons high n`",
            ),
            _ => ("nothing that can be left", "a number, a yes or no or a word is, or a list"),
        };
        self.emitter.wrong(&place.span, format!("`{path}` is {}", wrong.0), wrong.1);
    }

    /// Lowers `carry side.weapons high men` after `carry side = units`: of the list of each table,
    /// as many entries stay as the `men` of the remaining item. Returns whether the line has this
    /// form.
    fn list_of_each(&mut self, path: &str, value: &'g Expr) -> bool {
        let Some((tables, list)) = path.rsplit_once('.') else { return false };
        let left =
            |leaves: &&mut Leaves| matches!(leaves, Leaves::Things(path, ..) if **path == *tables);
        let Lowering { scopes, emitter } = &mut **self;
        let Some(Leaves::Things(_, bag, _, changing)) =
            emitter.program.leaves.iter_mut().find(left)
        else {
            return false;
        };
        let of = &scopes.bags[usize::from(*bag)];
        let named = value.path().and_then(|name| of.fields.iter().find(|of| of.name == name));
        match named {
            Some(of) => changing.push((Text::from(list.to_owned()), of.digit)),
            None => {
                let known: Vec<&str> = of.fields.iter().map(|of| of.name).collect();
                let problem = "how many are left is a number that changes in the things";
                let help = format!("there is {}", known.join(", "));
                emitter.wrong(&value.span, problem, help);
            }
        }
        true
    }

    /// Reports a carried field that does not exist.
    fn nowhere(&mut self, place: &'g Expr, path: &str) {
        let known = self.scopes.game.fields.iter().map(|field| field.name.text.as_str());
        let own = self.scopes.over.into_iter().flat_map(|at| &self.scopes.game.actions[at].fields);
        let first = path.split('.').next().unwrap_or_default();
        let help = near(first, known.chain(own.map(|field| field.name.text.as_str())));
        self.emitter.wrong(&place.span, format!("there is no field `{path}` to be left"), help);
    }

    /// Lowers a carried number of this type.
    fn left_number(&mut self, said: Value, kind: Kind, value: &'g Expr) -> Num {
        let num = self.as_number(said, &value.span);
        let num = self.of_kind(num, kind, &value.span);
        self.stands(num, value)
    }

    /// Copies a carried number to a register that is still valid at the end of the rule.
    fn stands(&mut self, mut num: Num, value: &'g Expr) -> Num {
        if num.known().is_none() {
            let at = self.emitter.fresh(&value.span);
            self.emitter.store(at, num, &value.span);
            num.at = at;
        }
        num
    }

    /// Returns the items of a bag that was built from the tables of a field.
    fn things_left(&mut self, place: &'g Expr, path: String, bag: u8) -> Option<Leaves> {
        let tables = match self.value(place, None) {
            Value::Fixed(Fixed::List(tables, _)) => tables,
            _ => Vec::new().into(),
        };
        let rows = self.scopes.bags[usize::from(bag)].rows.clone();
        let keys: Vec<Vec<i64>> = tables.iter().map(|table| self.scopes.key_of(table)).collect();
        let first = rows.iter().map(|row| {
            let key = self.scopes.key_of(row);
            keys.iter().position(|known| *known == key)
        });
        let first: Option<Vec<usize>> = first.collect();
        let Some(first) = first.filter(|_| !rows.is_empty() || tables.is_empty()) else {
            if self.checks() && !rows.is_empty() {
                return None;
            }
            return self.made_of_others(place, &path);
        };
        let of = &self.scopes.bags[usize::from(bag)];
        let changing = of.fields.iter();
        let changing = changing.map(|of| (Text::from(of.name.to_owned()), of.digit)).collect();
        Some(Leaves::Things(Text::from(path), bag, first, changing))
    }

    /// Reports a bag that was not built from the tables of the field.
    fn made_of_others(&mut self, place: &Expr, path: &str) -> Option<Leaves> {
        let problem = format!("the bag was not made of `{path}`");
        self.emitter.wrong(&place.span, problem, format!("`bag of {path}` is one that was"));
        None
    }
}

impl<'g> Scopes<'g> {
    /// Returns whether carried fields are compiled or checked.
    pub(super) fn leaves(&self) -> bool {
        self.thrift.leaves || self.checks()
    }
}
