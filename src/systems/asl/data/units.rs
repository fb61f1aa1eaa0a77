//! Squads, half-squads, leaders and machine guns as printed on their counters.

use crate::systems::sheet::{DataError, Record};

/// Firepower, range and morale of `4-6-7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Firepower factor.
    pub firepower: i64,
    /// Normal range in hexes.
    pub range: i64,
    /// Morale level.
    pub morale: i8,
}

impl Strength {
    /// Reads `4-6-7`.
    pub fn parse(name: &str) -> Option<Strength> {
        let mut numbers = name.split('-').map(|n| n.parse::<i8>().ok());
        let strength = Strength {
            firepower: numbers.next()??.into(),
            range: numbers.next()??.into(),
            morale: numbers.next()??,
        };
        numbers.next().is_none().then_some(strength)
    }
}

/// A squad and its half-squad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Squad {
    /// Nation.
    pub nation: String,
    /// Name: `4-6-7`.
    pub name: String,
    /// Firepower, range, morale.
    pub strength: Strength,
    /// Class without its mark: `E`, `1`, `2`, `G`, `C`.
    pub class: String,
    /// Whether its firepower is underscored: Assault Fire (A7.36).
    pub assault_fire: bool,
    /// Whether its range is underscored: Spraying Fire (A7.34).
    pub spraying_fire: bool,
    /// Morale on its broken side; `None` where it is not established.
    pub broken: Option<i8>,
    /// Whether it loses steps instead of breaking, which is not modelled.
    pub step_reduction: bool,
    /// Name of its half-squad.
    pub half: String,
    /// Strength of its half-squad.
    pub half_strength: Strength,
    /// Morale of its half-squad on the broken side.
    pub half_broken: Option<i8>,
    /// The squad that replaces it (A19.1).
    pub replaced_by: Option<String>,
}

impl Squad {
    pub(super) fn read(row: Record<'_>) -> Result<Squad, DataError> {
        let strength = |name: &str| {
            Strength::parse(name)
                .ok_or_else(|| row.fault(format!("`{name}` is not FP-range-morale")))
        };
        let (name, half) = (row.text("squad")?, row.text("half-squad")?);
        let class = row.text("class")?;
        Ok(Squad {
            nation: row.text("nation")?.to_owned(),
            name: name.to_owned(),
            strength: strength(name)?,
            class: class.split('(').next().unwrap_or(class).to_owned(),
            assault_fire: row.flag("AF")?,
            spraying_fire: row.flag("SF")?,
            broken: row.maybe_number("broken")?,
            step_reduction: row.text("broken")? == "n/a",
            half: half.to_owned(),
            half_strength: strength(half)?,
            half_broken: row.maybe_number("half-squad broken")?,
            replaced_by: row.maybe("replaced by")?.map(str::to_owned),
        })
    }
}

/// A leader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leader {
    /// Name: `9-2`.
    pub name: String,
    /// Morale level.
    pub morale: i8,
    /// Leadership modifier.
    pub drm: i8,
    /// Morale on the broken side.
    pub broken: i8,
}

impl Leader {
    pub(super) fn read(row: Record<'_>) -> Result<Leader, DataError> {
        Ok(Leader {
            name: row.text("leader")?.to_owned(),
            morale: row.number("morale")?,
            drm: row.number("DRM")?,
            broken: row.number("broken")?,
        })
    }
}

/// A machine gun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineGun {
    /// Nation.
    pub nation: String,
    /// Name: `MMG`.
    pub name: String,
    /// Firepower factor.
    pub firepower: i64,
    /// Normal range in hexes.
    pub range: i64,
    /// Multiple rate of fire (A9.2).
    pub rate: u8,
    /// It breaks at an Original DR of at least this (A9.7).
    pub breakdown: u8,
}

impl MachineGun {
    pub(super) fn read(row: Record<'_>) -> Result<MachineGun, DataError> {
        Ok(MachineGun {
            nation: row.text("nation")?.to_owned(),
            name: row.text("MG")?.to_owned(),
            firepower: row.number("FP")?,
            range: row.number("range")?,
            rate: row.number("ROF")?,
            breakdown: row.number("B#")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strength_has_three_numbers() {
        let strength = Strength::parse("4-6-7").expect("three numbers");
        assert_eq!((strength.firepower, strength.range, strength.morale), (4, 6, 7));
        assert_eq!((Strength::parse("4-6"), Strength::parse("4-6-7-8")), (None, None));
    }
}
