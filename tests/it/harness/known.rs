//! Texts and names that several tests ask about.

/// The printed weapons of `skirmishers` that are no direct attack: what explodes or burns, and what is
/// thrown.
pub const EXPLODING: [&str; 12] = [
    "light anti-tank",
    "rocket launcher",
    "anti-tank missile",
    "grenade launcher",
    "auto-grenade launcher",
    "recoilless rifle",
    "flamethrower",
    "heavy flamethrower",
    "incendiary grenade",
    "incendiary rocket",
    "hand grenade",
    "satchel",
];

/// An arsenal of `skirmishers` with these weapons in two short scenarios.
pub fn near_and_far(name: &str, weapons: &str) -> String {
    format!(
        r#"
name = "{name}"
system = "skirmishers"
{weapons}
[[scenario]]
name = "near"
range = [30, 20]
moves = 2
target = {{ troopers = 3 }}
[[scenario]]
name = "far"
range = [90, 60]
moves = 2
target = {{ troopers = 3, armour = "standard" }}
"#
    )
}
