//! A small arsenal to start from, of a rulebook that says no more than its names: eight of its weapons and one of one's
//! own, beside men with the first three of them.

use super::said::Named;
use crate::form::ROW_NAME;

/// Weapons that it holds.
const WEAPONS: usize = 8;
/// Those of them whom they meet.
const MET: usize = 3;
/// What one of the reference troops costs where nothing is printed.
const POINTS: f64 = 20.0;
/// How many of them there are.
const TROOPERS: usize = 6;

/// The arsenal that a rulebook has said, or one of `names`, which a weapon may have at `path`; nothing
/// where it has none.
pub fn ready(said: &Named, known: Option<(&str, Vec<&str>)>) -> String {
    let Some((path, names)) = known.filter(|_| said.ready.is_empty()) else {
        return said.ready.to_string();
    };
    if names.is_empty() {
        return String::new();
    }
    let carried = |name: &str| match path.split_once('.') {
        Some((head, leaf)) if leaf != ROW_NAME => format!("{head} = {{ {leaf} = {name:?} }}"),
        _ => format!("{} = {name:?}", path.split('.').next().unwrap_or(path)),
    };
    let printed = |name: &&str| {
        let mut all = said.printed.iter();
        all.find(|(known, price)| **known == **name && *price > 0.0).map(|(_, price)| *price)
    };
    // Where some have prices, those say what a point is worth.
    let priced: Vec<&str> = names.iter().copied().filter(|name| printed(name).is_some()).collect();
    let chosen = if priced.is_empty() { names } else { priced };
    let weapons = chosen.iter().take(WEAPONS);
    let weapons: String = weapons.map(|name| format!("[[weapon]]\nname = {name:?}\n")).collect();
    let own = format!("[[weapon]]\nname = \"my own\"\n{}\n", carried(chosen[0]));
    let met = chosen.iter().take(MET).map(|name| {
        let points = printed(name).unwrap_or(POINTS);
        format!(
            "\n[[scenario]]\nname = \"against {name}\"\n\
             target = {{ troopers = {TROOPERS}, points_each = {points}, {} }}\n",
            carried(name)
        )
    });
    format!("{weapons}{own}{}", met.collect::<String>())
}
