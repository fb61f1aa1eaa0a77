//! Nations, kinds of attack and die roll modifiers.

use crate::systems::sheet::{DataError, Record};

/// A nation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nation {
    /// Its name.
    pub name: String,
    /// The nation whose machine guns it uses; `None` where they are not established.
    pub machine_guns: Option<String>,
    /// Classes of its squads that do not cower (A7.9).
    pub steady: Vec<String>,
}

impl Nation {
    pub(super) fn read(row: Record<'_>) -> Result<Nation, DataError> {
        let steady = row.maybe("do not cower")?.unwrap_or_default();
        Ok(Nation {
            name: row.text("nation")?.to_owned(),
            machine_guns: row.maybe("machine guns")?.map(str::to_owned),
            steady: steady.split_whitespace().map(str::to_owned).collect(),
        })
    }
}

/// What the firepower modifiers do to a kind of attack (A7.21–A7.24, A7.8, A7.9, A7.51).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeaponKind {
    /// Its name: `small-arms`.
    pub name: String,
    /// Multiplied at Point Blank.
    pub close: bool,
    /// May fire at Long Range, for half.
    pub long: bool,
    /// Halved by Area Fire.
    pub area: bool,
    /// Halved in the Advancing Fire phase.
    pub advancing: bool,
    /// What pinning its firer does.
    pub pinned: Pinned,
    /// Whether it cowers.
    pub cowers: bool,
    /// Whether it never joins a fire group.
    pub alone: bool,
    /// Whether it may hurt armour.
    pub armour: bool,
    /// Whether it is resolved on the vehicle line.
    pub line: bool,
}

/// What pinning a firer does to its attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pinned {
    /// It is halved.
    Halved,
    /// It is kept.
    Kept,
    /// There is none.
    Barred,
}

impl WeaponKind {
    pub(super) fn read(row: Record<'_>) -> Result<WeaponKind, DataError> {
        let pinned = match row.text("pinned")? {
            "halved" => Pinned::Halved,
            "kept" => Pinned::Kept,
            "barred" => Pinned::Barred,
            other => return Err(row.fault(format!("`{other}` is not halved, kept or barred"))),
        };
        Ok(WeaponKind {
            name: row.text("kind")?.to_owned(),
            close: row.flag("close")?,
            long: row.flag("long")?,
            area: row.flag("area")?,
            advancing: row.flag("advancing")?,
            pinned,
            cowers: row.flag("cowers")?,
            alone: row.flag("alone")?,
            armour: row.flag("armour")?,
            line: row.flag("line")?,
        })
    }
}

/// A named die roll modifier of an attack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modifier {
    /// Its name: `Woods`, `FFMO`.
    pub name: String,
    /// The printed modifier.
    pub drm: i64,
    /// Whether it is terrain (TEM).
    pub terrain: bool,
    /// To whom it applies.
    pub applies: Applies,
}

/// To whom a die roll modifier applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applies {
    /// Everybody.
    All,
    /// Infantry, not vehicles.
    Infantry,
    /// Everybody, but only where no other terrain modifier is positive.
    Alone,
    /// Infantry that moves and is not pinned (A7.83).
    Moving,
    /// The same, in place of every [`Applies::Moving`] modifier.
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
            other => return Err(row.fault(format!("`{other}` says nothing known of whom"))),
        };
        Ok(Modifier { name: row.text(name)?.to_owned(), drm: row.number(drm)?, terrain, applies })
    }
}
