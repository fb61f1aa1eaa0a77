//! Squads, half-squads, leaders and machine guns as printed on their counters.

use crate::tsv::rows;

/// Firepower, range and morale of `4-6-7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitStrength {
    /// Firepower factor.
    pub firepower: i64,
    /// Normal range in hexes.
    pub range: i64,
    /// Morale level.
    pub morale: i8,
}

impl UnitStrength {
    /// Parses `4-6-7`.
    pub fn from_printed_strength(name: &str) -> Option<UnitStrength> {
        let mut numbers = name.split('-').map(|n| n.parse::<i8>().ok());
        let strength = UnitStrength {
            firepower: numbers.next()??.into(),
            range: numbers.next()??.into(),
            morale: numbers.next()??,
        };
        numbers.next().is_none().then_some(strength)
    }
}

fn parse_unit_strength(name: &str) -> Result<UnitStrength, String> {
    UnitStrength::from_printed_strength(name)
        .ok_or_else(|| format!("`{name}` is not FP-range-morale"))
}

rows! {
    /// Squad and its half-squad.
    pub struct SquadWithHalfSquad(row) {
        /// Nation.
        nation: String = row.owned_text_in_column("nation")?;
        /// Name: `4-6-7`.
        name: String = row.owned_text_in_column("squad")?;
        /// Firepower, range, morale.
        strength: UnitStrength = row.parse_cell_with("squad", parse_unit_strength)?;
        /// Class without its mark: `E`, `1`, `2`, `G`, `C`.
        class: String = row.text_in_column("class")?.split('(').next().unwrap_or_default().to_owned();
        /// Whether its firepower is underscored: Assault Fire (A7.36).
        assault_fire: bool = row.flag_with_unknown_as_false("AF")?;
        /// Whether its range is underscored: Spraying Fire (A7.34).
        spraying_fire: bool = row.flag_with_unknown_as_false("SF")?;
        /// Morale on its broken side; `None` where it is not established.
        broken: Option<i8> = row.number_if_known("broken")?;
        /// Whether the squad loses steps instead of breaking, which is not modelled.
        step_reduction: bool = row.text_in_column("broken")? == "n/a";
        /// Name of the half-squad.
        half: String = row.owned_text_in_column("half-squad")?;
        /// Strength of the half-squad.
        half_strength: UnitStrength = row.parse_cell_with("half-squad", parse_unit_strength)?;
        /// Morale of the half-squad on the broken side.
        half_broken: Option<i8> = row.number_if_known("half-squad broken")?;
        /// Squad that replaces this one (A19.1).
        replaced_by: Option<String> = row.text_or_none_mark("replaced by")?.map(str::to_owned);
    }

    /// Leader.
    pub struct Leader(row) {
        /// Name: `9-2`.
        name: String = row.owned_text_in_column("leader")?;
        /// Morale level.
        morale: i8 = row.number_in_column("morale")?;
        /// Leadership modifier.
        drm: i8 = row.number_in_column("DRM")?;
        /// Morale on the broken side.
        broken: i8 = row.number_in_column("broken")?;
    }

    /// Machine gun.
    pub struct MachineGun(row) {
        /// Nation.
        nation: String = row.owned_text_in_column("nation")?;
        /// Name: `MMG`.
        name: String = row.owned_text_in_column("MG")?;
        /// Firepower factor.
        firepower: i64 = row.number_in_column("FP")?;
        /// Normal range in hexes.
        range: i64 = row.number_in_column("range")?;
        /// Multiple rate of fire (A9.2).
        rate: u8 = row.number_in_column("ROF")?;
        /// Least Original DR at which the gun breaks down (A9.7).
        breakdown: u8 = row.number_in_column("B#")?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strength_has_three_numbers() {
        let strength = UnitStrength::from_printed_strength("4-6-7").expect("three numbers");
        assert_eq!((strength.firepower, strength.range, strength.morale), (4, 6, 7));
        assert_eq!(
            (
                UnitStrength::from_printed_strength("4-6"),
                UnitStrength::from_printed_strength("4-6-7-8")
            ),
            (None, None)
        );
    }
}
