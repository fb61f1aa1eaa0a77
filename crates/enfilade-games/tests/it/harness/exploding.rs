//! Printed weapons that are no direct attack.

/// Printed weapons of `skirmishers` that are no direct attack: they explode, burn or are thrown.
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
