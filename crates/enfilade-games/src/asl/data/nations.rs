//! Nations, kinds of attack and die roll modifiers.

use crate::tsv::{TsvDataError, TsvRow, rows};

rows! {
    /// Nation.
    pub struct NationRules(row) {
        /// Name of the nation.
        name: String = row.owned_text_in_column("nation")?;
        /// Nation whose machine guns it uses; `None` where they are not established.
        machine_guns: Option<String> = row.text_or_none_mark("machine guns")?.map(str::to_owned);
        /// Classes of its squads that do not cower (A7.9).
        steady: Vec<String> = row.text_or_none_mark("do not cower")?.unwrap_or_default()
            .split_whitespace().map(str::to_owned).collect();
    }

    /// Effects of the firepower modifiers on a kind of attack (A7.21–A7.24, A7.8, A7.9, A7.51).
    pub struct AttackKindRules(row) {
        /// Name of the kind: `small-arms`.
        name: String = row.owned_text_in_column("kind")?;
        /// Whether its firepower is multiplied at Point Blank (A7.21).
        close: bool = row.flag_with_unknown_as_false("close")?;
        /// Whether a shot at Long Range is allowed, at half firepower (A7.22).
        long: bool = row.flag_with_unknown_as_false("long")?;
        /// Whether its firepower is halved by Area Fire (A7.23).
        area: bool = row.flag_with_unknown_as_false("area")?;
        /// Whether its firepower is halved in the Advancing Fire phase (A7.24).
        advancing: bool = row.flag_with_unknown_as_false("advancing")?;
        /// Effect of a pinned firer.
        pinned: PinnedFirerEffect = row.parse_cell_with("pinned", parse_pinned_effect)?;
        /// Whether an attack cowers on doubles (A7.9).
        cowers: bool = row.flag_with_unknown_as_false("cowers")?;
        /// Whether an attack is always alone, never part of a fire group.
        alone: bool = row.flag_with_unknown_as_false("alone")?;
        /// Whether an attack may hurt armour.
        armour: bool = row.flag_with_unknown_as_false("armour")?;
        /// Whether an attack is resolved on the vehicle line.
        line: bool = row.flag_with_unknown_as_false("line")?;
    }
}

/// Effect of a pinned firer on its attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PinnedFirerEffect {
    /// The attack is halved.
    Halved,
    /// The attack is unchanged.
    Unchanged,
    /// No attack is possible.
    Barred,
}

fn parse_pinned_effect(cell: &str) -> Result<PinnedFirerEffect, String> {
    match cell {
        "halved" => Ok(PinnedFirerEffect::Halved),
        "kept" => Ok(PinnedFirerEffect::Unchanged),
        "barred" => Ok(PinnedFirerEffect::Barred),
        other => Err(format!("`{other}` is not halved, kept or barred")),
    }
}

/// Named die roll modifier of an attack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FireModifier {
    /// Name of the modifier: `Woods`, `FFMO`.
    pub name: String,
    /// Printed modifier.
    pub drm: i64,
    /// Whether the modifier is terrain (TEM).
    pub terrain: bool,
    /// Targets to which the modifier applies.
    pub applies: ModifierTargets,
}

/// Targets to which a die roll modifier applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModifierTargets {
    /// All targets.
    All,
    /// Infantry, not vehicles.
    Infantry,
    /// All targets, but only where no other terrain modifier is positive.
    Alone,
    /// Infantry that moves and is not pinned (A7.83).
    Moving,
    /// As [`ModifierTargets::Moving`], in place of every such modifier.
    Hazardous,
}

impl FireModifier {
    pub(super) fn read_terrain_row(row: TsvRow<'_>) -> Result<FireModifier, TsvDataError> {
        FireModifier::read_modifier_row(row, "terrain", "TEM", true)
    }

    pub(super) fn read_other_row(row: TsvRow<'_>) -> Result<FireModifier, TsvDataError> {
        FireModifier::read_modifier_row(row, "name", "DRM", false)
    }

    fn read_modifier_row(
        row: TsvRow<'_>,
        name: &str,
        drm: &str,
        terrain: bool,
    ) -> Result<Self, TsvDataError> {
        let applies = match row.text_in_column("applies")? {
            "all" => ModifierTargets::All,
            "infantry" => ModifierTargets::Infantry,
            "alone" => ModifierTargets::Alone,
            "moving" => ModifierTargets::Moving,
            "hazardous" => ModifierTargets::Hazardous,
            other => {
                return Err(row.error_at_row(format!("`{other}` is not a known group of targets")));
            }
        };
        Ok(FireModifier {
            name: row.text_in_column(name)?.to_owned(),
            drm: row.number_in_column(drm)?,
            terrain,
            applies,
        })
    }
}
