//! What an action leaves of the fields of its contest: `carry target.wounds = wounds`.

use super::reports::as_shown;
use super::values::{Num, Value};
use super::walker::Walker;
use crate::rulebook::code::Leaves;
use crate::rulebook::game::{Holds, near};
use crate::rulebook::kind::{Fixed, Kind};
use crate::rulebook::tree::Expr;
use crate::shared::Text;

impl<'g> Walker<'g> {
    /// Whether it is told what is left of fields, or looked at.
    pub(super) fn leaves(&self) -> bool {
        self.thrift.leaves || self.checks()
    }

    /// `carry place = value`, `carry place high n`.
    pub(super) fn carry(&mut self, place: &'g Expr, value: &'g Expr, highest: bool) {
        let Some(path) = place.path() else { return };
        let Some(holds) = self.game.holds_at(self.action, &path) else {
            let known = self.game.fields.iter().map(|field| field.name.text.as_str());
            let own = self.action.into_iter().flat_map(|at| &self.game.actions[at].fields);
            let first = path.split('.').next().unwrap_or_default();
            let help = near(first, known.chain(own.map(|field| field.name.text.as_str())));
            self.wrong(&place.span, format!("there is no field `{path}` to be left"), help);
            return;
        };
        self.no_dice(value, "carry");
        let said = self.value(value, None);
        let leaves = match (said, holds, highest) {
            (Value::Bag(bag), Holds::List(_, _, of), false) if matches!(**of, Holds::Record(_)) => {
                self.things_left(place, path, bag)
            }
            (Value::Bag(_), ..) => {
                let help = "a field that is several tables, such as `1 to 6 of unit`";
                self.wrong(&place.span, format!("`{path}` is no such list of tables"), help);
                None
            }
            (said, Holds::List(..), true) => {
                let num = self.as_number(said, &value.span);
                let num = self.of_kind(num, Kind::Number, &value.span);
                let num = self.stands(num, value);
                Some(Leaves::Highest(Text::from(path), as_shown(num)))
            }
            (said, Holds::Number(_) | Holds::OneOf(_) | Holds::Die(..), false) => {
                let kind = match holds {
                    Holds::Number(range) => range.kind,
                    _ => Kind::Number,
                };
                let num = self.as_number(said, &value.span);
                let num = self.of_kind(num, kind, &value.span);
                let num = self.stands(num, value);
                Some(Leaves::Is(Text::from(path), as_shown(num)))
            }
            (_, Holds::List(..), false) => {
                let help = "a list of tables is left by the bag that was made of it, `carry a.units = units`; \
                            of another list the highest stay, `carry a.weapons high n`";
                self.wrong(&place.span, format!("`{path}` is a list"), help);
                None
            }
            _ => {
                let help = "a number, a yes or no or a word is left, or a list";
                self.wrong(&place.span, format!("`{path}` holds nothing that can be left"), help);
                None
            }
        };
        self.program.leaves.extend(leaves);
    }

    /// A register of its own: what is left stands when the rule is over.
    fn stands(&mut self, mut num: Num, value: &'g Expr) -> Num {
        if num.known().is_none() {
            let at = self.fresh(&value.span);
            self.store(at, num, &value.span);
            num.at = at;
        }
        num
    }

    /// The things of a bag that was made of the tables of a field.
    fn things_left(&mut self, place: &'g Expr, path: String, bag: u8) -> Option<Leaves> {
        let tables = match self.value(place, None) {
            Value::Fixed(Fixed::List(tables, _)) => tables,
            _ => Vec::new().into(),
        };
        let rows = self.bags[usize::from(bag)].rows.clone();
        let keys: Vec<Vec<i64>> = tables.iter().map(|table| self.key_of(table)).collect();
        let first = rows.iter().map(|row| {
            let key = self.key_of(row);
            keys.iter().position(|known| *known == key)
        });
        let first: Option<Vec<usize>> = first.collect();
        let Some(first) = first.filter(|_| !rows.is_empty() || tables.is_empty()) else {
            if self.checks() && !rows.is_empty() {
                return None;
            }
            let problem = format!("the bag was not made of `{path}`");
            self.wrong(&place.span, problem, format!("`bag of {path}` is one that was"));
            return None;
        };
        let of = &self.bags[usize::from(bag)];
        let changing = of.fields.iter();
        let changing = changing.map(|of| (Text::from(of.name.to_owned()), of.digit)).collect();
        Some(Leaves::Things(Text::from(path), bag, first, changing))
    }
}
