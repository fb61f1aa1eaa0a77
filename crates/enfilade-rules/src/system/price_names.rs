//! Prices of a game in a text file, from its `price:` lines: these map the terms of pricing to
//! names of the game, and [`named`](enfilade_model::weapons::by_name) prices its weapons like those
//! of any rulebook.

use std::sync::Arc;

use super::form_fields::build_form_field;
use crate::resolve::game::ResolvedRulebook;
use crate::value_types::MAX_BAG_ITEMS;
use enfilade_model::form::{DefaultValue, Field, FieldType, Fields};
use enfilade_model::static_or_shared::{StaticOrCounted, Text};
use enfilade_model::weapons::PricingRules;
use enfilade_model::weapons::by_name::{
    ActionNameAndFields, MoraleFieldNames, MoraleRecovery, PricingFieldNames,
};

/// Returns the pricing rules; `None` for a game without `price:` lines.
pub fn build_weapon_pricing(
    game: &Arc<ResolvedRulebook>,
) -> Option<StaticOrCounted<dyn PricingRules>> {
    let all = |key: &str| {
        let lines = game.price.iter().filter(|(name, _)| name.text == key);
        lines.map(|(_, of)| Text::from(of.text.clone())).collect::<Vec<Text>>()
    };
    let first_name = |key: &str| all(key).into_iter().next();
    let nerve =
        first_name("nerve").zip(first_name("morale")).map(|(lost, test)| MoraleFieldNames {
            loss_outcome: lost,
            back: MoraleRecovery::Test(action_with_form_fields(game, &test), first_name("shaken")),
            firer_shaken_field: first_name("unnerved"),
            target_shaken_field: None,
        });
    let (weapon, attack) = (all("weapon"), first_name("attack")?);
    let losses = all("losses").into_iter().map(|name| (name, 1.0));
    let mut attack = action_with_form_fields(game, &attack);
    if let Some(cost) = first_name("cost").filter(|cost| is_column_unread(game, cost)) {
        attack.fields = fields_without_weapon_price(&attack.fields, &weapon, &cost);
    }
    let named = PricingFieldNames {
        attack: vec![attack],
        target: all("target"),
        losses: losses.collect(),
        of: first_name("of"),
        most: MAX_BAG_ITEMS as i64,
        distance: first_name("distance"),
        nerve,
        prices: first_name("cost").map_or(Vec::new(), |cost| printed_price_by_name(game, &cost)),
        weapon,
        ready: Text::Static(""),
    };
    named.into_rules_if_fields_exist()
}

/// Returns the catalogue's action of this name.
fn action_with_form_fields(game: &ResolvedRulebook, name: &str) -> ActionNameAndFields {
    let place = game.actions.iter().position(|index| index.name.text == name);
    let fields = place.into_iter().flat_map(|place| game.top_level_and_own_fields(place));
    let fields: Vec<Field> = fields.map(|field| build_form_field(game, field)).collect();
    let called = place.and_then(|place| game.actions[place].rule.result_name.clone());
    ActionNameAndFields {
        name: called.unwrap_or_else(|| name.to_owned()).into(),
        fields: fields.into(),
    }
}

/// Returns whether no rule reads a column.
fn is_column_unread(game: &ResolvedRulebook, column: &str) -> bool {
    !game.columns.iter().any(|columns| columns.read.contains(column))
}

/// Returns the fields of an attack without the price of a custom weapon, because the price is the
/// question.
fn fields_without_weapon_price(fields: &Fields, weapon: &[Text], cost: &str) -> Fields {
    let within = |field: &Field| {
        let of = |path: &Text| {
            let (head, leaf) = path.split_once('.').unwrap_or((path, ""));
            (head == &*field.name).then(|| Text::from(leaf.to_owned()))
        };
        let inner: Vec<Text> = weapon.iter().filter_map(of).collect();
        if inner.is_empty() {
            return field.clone();
        }
        let kind = match &field.kind {
            FieldType::Row(names, columns) => {
                let columns = columns.iter().map(|column| with_zero_preset_if_price(column, cost));
                FieldType::Row(names.clone(), columns.collect::<Vec<_>>().into())
            }
            FieldType::Table(fields) => {
                FieldType::Table(fields_without_weapon_price(fields, &inner, cost))
            }
            FieldType::Tables(fields, many) => {
                FieldType::Tables(fields_without_weapon_price(fields, &inner, cost), many.clone())
            }
            other => other.clone(),
        };
        Field { kind, ..field.clone() }
    };
    fields.iter().map(within).collect::<Vec<_>>().into()
}

/// Returns a column, with a price of 0 if it is the column of prices.
fn with_zero_preset_if_price(column: &Field, cost: &str) -> Field {
    match (&column.kind, *column.name == *cost) {
        (FieldType::Int(_), true) => Field { preset: DefaultValue::Int(0), ..column.clone() },
        _ => column.clone(),
    }
}

/// Returns the printed prices.
fn printed_price_by_name(game: &ResolvedRulebook, cost: &str) -> Vec<(Text, f64)> {
    let blocks = game.data.iter();
    let cells = blocks.filter_map(|block| {
        let place = block.columns.iter().position(|column_index| column_index == cost)?;
        let rows = block.rows.iter().zip(&block.printed_cells);
        let price = rows.map(move |(row, cells)| (row.text.clone(), cells[place].parse().ok()));
        Some(price.collect::<Vec<(String, Option<f64>)>>())
    });
    cells.flatten().filter_map(|(name, price)| Some((Text::from(name), price?))).collect()
}
