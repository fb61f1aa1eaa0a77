//! Units that several tests compare with independent battles: twelve planted ones, and ten of a
//! game.

// Each test uses a part of this module.
#![allow(dead_code)]

use enfilade_model::catalogue::Catalogue;
use enfilade_rules::read_without_built_in_base as read_rules;

/// Dice, what each needs, and a die that stops a hit.
pub const PLANTED: [(&str, usize, usize, usize); 12] = [
    ("musket", 1, 5, 0),
    ("double", 2, 5, 0),
    ("sharp", 1, 3, 0),
    ("rifle", 1, 4, 0),
    ("cannon", 4, 5, 0),
    ("grena", 3, 4, 0),
    ("tough", 1, 5, 3),
    ("elite", 2, 5, 3),
    ("guard", 2, 4, 2),
    ("pike", 1, 6, 2),
    ("battery", 6, 5, 0),
    ("veteran", 2, 3, 1),
];

/// The opponents, by their places.
pub const OPPONENTS: [usize; 4] = [0, 7, 4, 8];

const RULES: &str = "game \"Planted\"
field dice: 1..9 = 1   \"dice\"
field needs: 2..6 = 4  \"needs\"
field save: 0..5 = 0   \"save\" \"a die of this or less stops a hit\"
action fire \"one unit fires\":
    lost = 0
    for i in 1..dice:
        if d6 >= needs:
            if d6 > save: lost += 1
    show lost \"lost\" harm
price:
    attack  fire
    weapon  dice
    weapon  needs
    target  save
    losses  lost
";

/// A catalogue of the rules of the planted units.
pub fn catalogue() -> Catalogue {
    let none = |_: &str| Err("there are no files here".to_owned());
    let rulebook = read_rules("planted", "planted.rules", RULES, &none).expect("in order");
    Catalogue::from_rulebooks([rulebook.system])
}

/// Units with their printed points.
pub const TEN: [(&str, f64); 10] = [
    ("UCM/Sabre Tank", 35.0),
    ("UCM/Gladius Heavy Tank", 55.0),
    ("PHR/Ares Walker", 35.0),
    ("PHR/Odin Heavy Walker", 65.0),
    ("Scourge/Hunter Tank", 35.0),
    ("Scourge/Slayer Heavy Tank", 65.0),
    ("Shaltari/Tomahawk Gravtank", 35.0),
    ("Shaltari/Caiman Heavy Gravtank", 115.0),
    ("Resistance/Rocket Technical", 10.0),
    ("Resistance/Hannibal Tank", 40.0),
];
