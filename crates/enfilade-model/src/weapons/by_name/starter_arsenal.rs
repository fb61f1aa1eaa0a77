//! A small arsenal to start from, for a rulebook that only has the names: eight of its weapons and
//! one to be designed, against troops with the first three of them.

use super::price_names::PricingFieldNames;
use crate::form::ROW_NAME;

/// Number of weapons in the arsenal.
const MAX_STARTER_WEAPONS: usize = 8;
/// Number of those weapons that the reference troops have.
const REFERENCE_TROOP_WEAPONS: usize = 3;
/// Points of one of the reference troops where no price is printed.
const DEFAULT_TROOPER_POINTS: f64 = 20.0;
/// Number of reference troops.
const REFERENCE_TROOPER_COUNT: usize = 6;

/// Returns the arsenal that a rulebook contains, or builds one from `names`, which a weapon may
/// have at `path`; empty where there are none.
pub fn starter_arsenal_text(
    field_names: &PricingFieldNames,
    weapon_names: Option<(&str, Vec<&str>)>,
) -> String {
    let Some((path, names)) = weapon_names.filter(|_| field_names.ready.is_empty()) else {
        return field_names.ready.to_string();
    };
    if names.is_empty() {
        return String::new();
    }
    let carried = |name: &str| match path.split_once('.') {
        Some((head, leaf)) if leaf != ROW_NAME => format!("{head} = {{ {leaf} = {name:?} }}"),
        _ => format!("{} = {name:?}", path.split('.').next().unwrap_or(path)),
    };
    let printed = |name: &&str| {
        let mut all = field_names.prices.iter();
        all.find(|(known, price)| **known == **name && *price > 0.0).map(|(_, price)| *price)
    };
    // Where some have prices, those say what a point is worth.
    let priced: Vec<&str> = names.iter().copied().filter(|name| printed(name).is_some()).collect();
    let chosen = if priced.is_empty() { names } else { priced };
    let weapons = chosen.iter().take(MAX_STARTER_WEAPONS);
    let weapons: String = weapons.map(|name| format!("[[weapon]]\nname = {name:?}\n")).collect();
    let own = format!("[[weapon]]\nname = \"my own\"\n{}\n", carried(chosen[0]));
    let opponents = chosen.iter().take(REFERENCE_TROOP_WEAPONS).map(|name| {
        let points = printed(name).unwrap_or(DEFAULT_TROOPER_POINTS);
        format!(
            "\n[[scenario]]\nname = \"against {name}\"\n\
             target = {{ troopers = {REFERENCE_TROOPER_COUNT}, points_each = {points}, {} }}\n",
            carried(name)
        )
    });
    format!("{weapons}{own}{}", opponents.collect::<String>())
}
