//! Nations, kinds of attack and die roll modifiers.

use crate::tsv::{DataError, Record, rows};

rows! {
    /// A nation.
    pub struct Nation(row) {
        /// Its name.
        name: String = row.owned("nation")?;
        /// The nation whose machine guns it uses; `None` where they are not established.
        machine_guns: Option<String> = row.maybe("machine guns")?.map(str::to_owned);
        /// Classes of its squads that do not cower (A7.9).
        steady: Vec<String> = row.maybe("do not cower")?.unwrap_or_default()
            .split_whitespace().map(str::to_owned).collect();
    }

    /// What the firepower modifiers do to a kind of attack (A7.21–A7.24, A7.8, A7.9, A7.51).
    pub struct WeaponKind(row) {
        /// Its name: `small-arms`.
        name: String = row.owned("kind")?;
        /// Multiplied at Point Blank.
        close: bool = row.flag("close")?;
        /// May fire at Long Range, for half.
        long: bool = row.flag("long")?;
        /// Halved by Area Fire.
        area: bool = row.flag("area")?;
        /// Halved in the Advancing Fire phase.
        advancing: bool = row.flag("advancing")?;
        /// What pinning its firer does.
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

fn pinned(cell: &str) -> Result<Pinned, String> {
    match cell {
        "halved" => Ok(Pinned::Halved),
        "kept" => Ok(Pinned::Kept),
        "barred" => Ok(Pinned::Barred),
        other => Err(format!("`{other}` is not halved, kept or barred")),
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
