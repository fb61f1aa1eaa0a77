//! Nations, kinds of attack and die roll modifiers.

use crate::tsv::{DataError, Record, rows};

rows! {
    /// Nation.
    pub struct Nation(row) {
        /// Name of the nation.
        name: String = row.owned("nation")?;
        /// Nation whose machine guns it uses; `None` where they are not established.
        machine_guns: Option<String> = row.maybe("machine guns")?.map(str::to_owned);
        /// Classes of its squads that do not cower (A7.9).
        steady: Vec<String> = row.maybe("do not cower")?.unwrap_or_default()
            .split_whitespace().map(str::to_owned).collect();
    }

    /// Effects of the firepower modifiers on a kind of attack (A7.21–A7.24, A7.8, A7.9, A7.51).
    pub struct WeaponKind(row) {
        /// Name of the kind: `small-arms`.
        name: String = row.owned("kind")?;
        /// Whether it is multiplied at Point Blank.
        close: bool = row.flag("close")?;
        /// Whether it may fire at Long Range, for half.
        long: bool = row.flag("long")?;
        /// Whether it is halved by Area Fire.
        area: bool = row.flag("area")?;
        /// Whether it is halved in the Advancing Fire phase.
        advancing: bool = row.flag("advancing")?;
        /// Effect of a pinned firer.
        pinned: Pinned = row.read("pinned", pinned)?;
        /// Whether it cowers.
        cowers: bool = row.flag("cowers")?;
        /// Whether it never joins a fire group.
        alone: bool = row.flag("alone")?;
        /// Whether it may hurt armour.
        armour: bool = row.flag("armour")?;
        /// Whether it is resolved on the vehicle line.
        line: bool = row.flag("line")?;
    }
}

/// Effect of a pinned firer on its attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pinned {
    /// The attack is halved.
    Halved,
    /// The attack is unchanged.
    Kept,
    /// No attack is possible.
    Barred,
}

fn pinned(cell: &str) -> Result<Pinned, String> {
    match cell {
        "halved" => Ok(Pinned::Halved),
        "kept" => Ok(Pinned::Kept),
        "barred" => Ok(Pinned::Barred),
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
    pub applies: Applies,
}

/// Targets to which a die roll modifier applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applies {
    /// All targets.
    All,
    /// Infantry, not vehicles.
    Infantry,
    /// All targets, but only where no other terrain modifier is positive.
    Alone,
    /// Infantry that moves and is not pinned (A7.83).
    Moving,
    /// As [`Applies::Moving`], in place of every such modifier.
    Hazardous,
}

impl Modifier {
    pub(super) fn terrain(row: Record<'_>) -> Result<Modifier, DataError> {
        Modifier::read(row, "terrain", "TEM", true)
    }

    pub(super) fn other(row: Record<'_>) -> Result<Modifier, DataError> {
        Modifier::read(row, "name", "DRM", false)
    }

    fn read(row: Record<'_>, name: &str, drm: &str, terrain: bool) -> Result<Self, DataError> {
        let applies = match row.text("applies")? {
            "all" => Applies::All,
            "infantry" => Applies::Infantry,
            "alone" => Applies::Alone,
            "moving" => Applies::Moving,
            "hazardous" => Applies::Hazardous,
            other => return Err(row.fault(format!("`{other}` is not a known group of targets"))),
        };
        Ok(Modifier { name: row.text(name)?.to_owned(), drm: row.number(drm)?, terrain, applies })
    }
}
