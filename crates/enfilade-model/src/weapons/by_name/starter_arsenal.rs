//! A small arsenal to start from, for a rulebook that only has the names: three of its weapons
//! against troops with the first of them.

use super::names::Named;
use crate::form::ROW_NAME;

/// Number of weapons in the arsenal.
const WEAPONS: usize = 3;
/// Points of one of the reference troops where no price is printed.
const POINTS: f64 = 20.0;
/// Number of reference troops.
const TROOPERS: usize = 6;

/// Returns the arsenal that a rulebook contains, or builds one from `names`, which a weapon may
/// have at `path`; empty where there are none.
pub fn ready(said: &Named, known: Option<(&str, Vec<&str>)>) -> String {
    let Some((path, names)) = known.filter(|_| said.ready.is_empty()) else {
        return said.ready.to_string();
    };
    let Some(first) = names.first() else { return String::new() };
    let printed = said.printed.iter().find(|(name, price)| **name == **first && *price > 0.0);
    let points = printed.map_or(POINTS, |(_, price)| *price);
    let carried = match path.split_once('.') {
        Some((head, leaf)) if leaf != ROW_NAME => format!("{head} = {{ {leaf} = {first:?} }}"),
        _ => format!("{} = {first:?}", path.split('.').next().unwrap_or(path)),
    };
    let weapons = names.iter().take(WEAPONS);
    let weapons: String = weapons.map(|name| format!("[[weapon]]\nname = {name:?}\n")).collect();
    format!(
        "{weapons}\n[[scenario]]\nname = \"beside {first}\"\n\
         target = {{ troopers = {TROOPERS}, points_each = {points}, {carried} }}\n"
    )
}
