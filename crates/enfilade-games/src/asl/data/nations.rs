//! Nations, kinds of attack and die roll modifiers.

use crate::tsv::{DataError, TsvRow, rows};

rows! {
    /// Nation.
    pub struct Nation(row) {
        /// Name of the nation.
        name: String = row.get_string("nation")?;
        /// Nation whose machine guns it uses; `None` where they are not established.
        machine_guns: Option<String> = row.get_optional("machine guns")?.map(str::to_owned);
        /// Classes of its squads that do not cower (A7.9).
        steady: Vec<String> = row.get_optional("do not cower")?.unwrap_or_default()
            .split_whitespace().map(str::to_owned).collect();
    }

    /// Effects of the firepower modifiers on a kind of attack (A7.21–A7.24, A7.8, A7.9, A7.51).
    pub struct WeaponKind(row) {
        /// Name of the kind: `small-arms`.
        name: String = row.get_string("kind")?;
        /// Whether its firepower is multiplied at Point Blank (A7.21).
        close: bool = row.parse_flag("close")?;
        /// Whether a shot at Long Range is allowed, at half firepower (A7.22).
        long: bool = row.parse_flag("long")?;
        /// Whether its firepower is halved by Area Fire (A7.23).
        area: bool = row.parse_flag("area")?;
        /// Whether its firepower is halved in the Advancing Fire phase (A7.24).
        advancing: bool = row.parse_flag("advancing")?;
        /// Effect of a pinned firer.
        pinned: PinnedEffect = row.parse_cell("pinned", parse_pinned)?;
        /// Whether an attack cowers on doubles (A7.9).
        cowers: bool = row.parse_flag("cowers")?;
        /// Whether an attack is always alone, never part of a fire group.
        alone: bool = row.parse_flag("alone")?;
        /// Whether an attack may hurt armour.
        armour: bool = row.parse_flag("armour")?;
        /// Whether an attack is resolved on the vehicle line.
        line: bool = row.parse_flag("line")?;
    }
}

/// Effect of a pinned firer on its attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PinnedEffect {
    /// The attack is halved.
    Halved,
    /// The attack is unchanged.
    Kept,
    /// No attack is possible.
    Barred,
}

fn parse_pinned(cell: &str) -> Result<PinnedEffect, String> {
    match cell {
        "halved" => Ok(PinnedEffect::Halved),
        "kept" => Ok(PinnedEffect::Kept),
        "barred" => Ok(PinnedEffect::Barred),
        other => Err(format!("`{other}` is not halved, kept or barred")),
    }
}

/// Named die roll modifier of an attack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modifier {
    /// Name of the modifier: `Woods`, `FFMO`.
    pub name: String,
    /// Printed modifier.
    pub drm: i64,
    /// Whether the modifier is terrain (TEM).
    pub terrain: bool,
    /// Targets to which the modifier applies.
    pub applies: ModifierScope,
}

/// Targets to which a die roll modifier applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModifierScope {
    /// All targets.
    All,
    /// Infantry, not vehicles.
    Infantry,
    /// All targets, but only where no other terrain modifier is positive.
    Alone,
    /// Infantry that moves and is not pinned (A7.83).
    Moving,
    /// As [`ModifierScope::Moving`], in place of every such modifier.
    Hazardous,
}

impl Modifier {
    pub(super) fn read_terrain(row: TsvRow<'_>) -> Result<Modifier, DataError> {
        Modifier::read(row, "terrain", "TEM", true)
    }

    pub(super) fn read_other(row: TsvRow<'_>) -> Result<Modifier, DataError> {
        Modifier::read(row, "name", "DRM", false)
    }

    fn read(row: TsvRow<'_>, name: &str, drm: &str, terrain: bool) -> Result<Self, DataError> {
        let applies = match row.get_text("applies")? {
            "all" => ModifierScope::All,
            "infantry" => ModifierScope::Infantry,
            "alone" => ModifierScope::Alone,
            "moving" => ModifierScope::Moving,
            "hazardous" => ModifierScope::Hazardous,
            other => return Err(row.error(format!("`{other}` is not a known group of targets"))),
        };
        Ok(Modifier {
            name: row.get_text(name)?.to_owned(),
            drm: row.parse_number(drm)?,
            terrain,
            applies,
        })
    }
}
