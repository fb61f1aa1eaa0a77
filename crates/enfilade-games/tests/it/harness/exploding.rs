//! Which printed weapons are no direct attack.

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
