//! Fields that an action carries to the next one: `carry target.wounds = wounds`.

use super::construct_views::Reports;
use super::lowered_value::{LoweredValue, Operand};
use super::lowering::Lowering;
use super::name_scopes::Scopes;
use super::reports::outcome_source_of;
use crate::diagnostics::did_you_mean;
use crate::resolve::game::ValueShape;
use crate::syntax::ast::Expr;
use crate::value_types::{ContestValue, ScalarType};
use crate::vm::code::NewCarriedFieldValue;
use enfilade_model::static_or_shared::Text;

impl<'g> Reports<'_, 'g> {
    /// Lowers `carry place = value` and `carry place high n`.
    pub(super) fn lower_carry_statement(
        &mut self,
        place: &'g Expr,
        value: &'g Expr,
        highest: bool,
    ) {
        let Some(path) = place.as_path() else { return };
        let Some(holds) = self.scopes.game.find_field_shape(self.scopes.over, &path) else {
            return self.report_unknown_field(place, &path);
        };
        self.report_dice_in_expr(value, "carry");
        if highest && self.try_carry_highest_per_item(&path, value) {
            return;
        }
        let said = self.lower_value(value, None);
        let several = |of: &ValueShape| matches!(of, ValueShape::Record(_));
        let wrong = match (said, holds, highest) {
            (LoweredValue::Bag(bag), ValueShape::List(_, _, of), false) if several(of) => {
                let leaves = self.items_to_carry(place, path, bag);
                self.emitter.program.carried.extend(leaves);
                return;
            }
            (LoweredValue::Bag(_), ..) => {
                ("not a list of records", "a bag is carried to a field such as `1 to 6 of unit`")
            }
            (said, ValueShape::List(..), true) => {
                let num = self.lower_carried_number(said, ScalarType::Number, value);
                self.emitter
                    .program
                    .carried
                    .push(NewCarriedFieldValue::Highest(Text::from(path), outcome_source_of(num)));
                return;
            }
            (said, ValueShape::Number(_) | ValueShape::OneOf(_) | ValueShape::Die(..), false) => {
                let kind = match holds {
                    ValueShape::Number(range) => range.kind,
                    _ => ScalarType::Number,
                };
                let num = self.lower_carried_number(said, kind, value);
                self.emitter
                    .program
                    .carried
                    .push(NewCarriedFieldValue::Number(Text::from(path), outcome_source_of(num)));
                return;
            }
            (_, ValueShape::List(..), false) => (
                "a list",
                "carry the bag that was built from its tables, as in `carry a.units = units`; of another \
                 list carry the highest entries, as in `carry a.weapons high n`",
            ),
            _ => (
                "not a field that can be carried",
                "carry a number, a yes or no, a word, or a list",
            ),
        };
        self.emitter.report_or_emit_fault(&place.span, format!("`{path}` is {}", wrong.0), wrong.1);
    }

    /// Lowers `carry side.weapons high men` after `carry side = units`: of the list of each table,
    /// as many entries stay as the `men` of the remaining item. Returns whether the line has this
    /// form.
    fn try_carry_highest_per_item(&mut self, path: &str, value: &'g Expr) -> bool {
        let Some((tables, list)) = path.rsplit_once('.') else { return false };
        let left = |leaves: &&mut NewCarriedFieldValue| matches!(leaves, NewCarriedFieldValue::Items(path, ..) if **path == *tables);
        let Lowering { scopes, emitter } = &mut **self;
        let Some(NewCarriedFieldValue::Items(_, bag, _, changing)) =
            emitter.program.carried.iter_mut().find(left)
        else {
            return false;
        };
        let of = &scopes.bags[usize::from(*bag)];
        let named = value.as_path().and_then(|name| of.fields.iter().find(|of| of.name == name));
        match named {
            Some(of) => changing.push((Text::from(list.to_owned()), of.digit)),
            None => {
                let known: Vec<&str> = of.fields.iter().map(|of| of.name).collect();
                let problem = "the number left must be a changing value of the items";
                let help = format!("the bag has {}", known.join(", "));
                emitter.report_or_emit_fault(&value.span, problem, help);
            }
        }
        true
    }

    /// Reports a carried field that does not exist.
    fn report_unknown_field(&mut self, place: &'g Expr, path: &str) {
        let known = self.scopes.game.fields.iter().map(|field| field.name.text.as_str());
        let own = self.scopes.over.into_iter().flat_map(|at| &self.scopes.game.actions[at].fields);
        let first = path.split('.').next().unwrap_or_default();
        let help = did_you_mean(first, known.chain(own.map(|field| field.name.text.as_str())));
        self.emitter.report_or_emit_fault(
            &place.span,
            format!("there is no field `{path}` to carry"),
            help,
        );
    }

    /// Lowers a carried number of this type.
    fn lower_carried_number(
        &mut self,
        said: LoweredValue,
        kind: ScalarType,
        value: &'g Expr,
    ) -> Operand {
        let num = self.value_as_operand(said, &value.span);
        let num = self.check_type(num, kind, &value.span);
        self.copy_to_lasting_register(num, value)
    }

    /// Copies a carried number to a register that is still valid at the end of the rule.
    fn copy_to_lasting_register(&mut self, mut num: Operand, value: &'g Expr) -> Operand {
        if num.as_constant().is_none() {
            let at = self.emitter.allocate_register(&value.span);
            self.emitter.emit_checked_store(at, num, &value.span);
            num.reg = at;
        }
        num
    }

    /// Returns the items of a bag that was built from the tables of a field.
    fn items_to_carry(
        &mut self,
        place: &'g Expr,
        path: String,
        bag: u8,
    ) -> Option<NewCarriedFieldValue> {
        let tables = match self.lower_value(place, None) {
            LoweredValue::Contest(ContestValue::List(tables, _)) => tables,
            _ => Vec::new().into(),
        };
        let rows = self.scopes.bags[usize::from(bag)].rows.clone();
        let keys: Vec<Vec<i64>> =
            tables.iter().map(|table| self.scopes.row_comparison_key(table)).collect();
        let first = rows.iter().map(|row| {
            let key = self.scopes.row_comparison_key(row);
            keys.iter().position(|known| *known == key)
        });
        let first: Option<Vec<usize>> = first.collect();
        let Some(first) = first.filter(|_| !rows.is_empty() || tables.is_empty()) else {
            if self.is_checking() && !rows.is_empty() {
                return None;
            }
            return self.report_foreign_bag(place, &path);
        };
        let of = &self.scopes.bags[usize::from(bag)];
        let changing = of.fields.iter();
        let changing = changing.map(|of| (Text::from(of.name.to_owned()), of.digit)).collect();
        Some(NewCarriedFieldValue::Items(Text::from(path), bag, first, changing))
    }

    /// Reports a bag that was not built from the tables of the field.
    fn report_foreign_bag(&mut self, place: &Expr, path: &str) -> Option<NewCarriedFieldValue> {
        let problem = format!("this bag was not built from `{path}`");
        self.emitter.report_or_emit_fault(
            &place.span,
            problem,
            format!("carry one built by `bag of {path}`"),
        );
        None
    }
}

impl<'g> Scopes<'g> {
    /// Returns whether carried fields are compiled or checked.
    pub(super) fn compiles_carried_fields(&self) -> bool {
        self.flags.leaves || self.is_checking()
    }
}
