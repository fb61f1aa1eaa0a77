//! Die roll modifiers of an attack: named and net ones, and the targets to which they apply (A7.3,
//! A7.6, A7.83, A7.531).

use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_macros::{NamedNumbers, fields};
use enfilade_model::form::name_matching::{NameList, name_list};
use enfilade_model::form::{Fault, FieldType};

use super::data::{FireModifier, ModifierTargets, expect_asl_data};
use super::field_headings;

/// Range of a modifier.
pub const DRM_RANGE: IntRange = IntRange::new("die roll modifier", -30, 30);

fields! {
    /// Modifiers of the whole attack.
    pub struct AttackModifierFields: put_under_heading(field_headings::ATTACK_HEADING) {
        /// sum of the modifiers not named elsewhere
        drm: i32 = new_whole_number(DRM_RANGE, 0).with_player_name("total modifier").with_unit("DRM").with_rule_reference("A7.3");
        /// modifiers by name, each with its printed number or another; hazardous replaces FFMO and
        /// FFNAM
        modifiers: Option<NamedNumbers> = new_optional(FieldType::numbered_names(modifier_names, DRM_RANGE))
            .with_player_name("named modifiers").with_rule_reference("A7.3, A7.6");
    }

    /// Modifiers against one target only.
    #[derive(Default)]
    pub struct TargetModifiers: put_under_heading(field_headings::TARGET_HEADING) {
        /// further modifiers that count against this target and not against the others
        drm: Option<i32> = new_optional(FieldType::Int(DRM_RANGE))
            .with_player_name("target's own modifier").with_unit("DRM").as_rarely_changed().with_rule_reference("A7.6, A7.308 EX");
        /// modifiers by name that count against this target and not against the others: its
        /// foxhole, or FFMO where only it moves
        modifiers: Option<NamedNumbers> = new_optional(FieldType::numbered_names(modifier_names, DRM_RANGE))
            .with_player_name("target's own named modifiers").as_rarely_changed().with_rule_reference("A7.6, A7.308 EX");
    }

    /// Modifiers against vehicles and their passengers.
    #[derive(Copy, Default)]
    pub struct VehicleModifiers: put_under_heading(field_headings::ATTACK_HEADING) {
        /// modifiers against vehicles, leadership aside; by default those against Personnel that
        /// are not for Infantry only
        vehicle_drm: Option<i32> = new_optional(FieldType::Int(DRM_RANGE))
            .with_player_name("modifier against vehicles").with_unit("DRM").as_rarely_changed().with_rule_reference("A7.308").marked_as_interpretation();
        /// modifiers against the passengers of a vehicle, leadership aside; by default those
        /// against the vehicle
        collateral_drm: Option<i32> = new_optional(FieldType::Int(DRM_RANGE))
            .with_player_name("modifier against passengers").with_unit("DRM").as_rarely_changed().with_rule_reference("A7.308 EX").marked_as_interpretation();
    }
}

/// Modifiers in one table of a contest: a sum, and modifiers by name.
#[derive(Clone, Copy, Debug)]
pub struct UnnamedSumAndNamedModifiers<'a> {
    net: i32,
    named: &'a [(String, i32)],
}

impl<'a> UnnamedSumAndNamedModifiers<'a> {
    /// Returns the sum, and the modifiers in the order of their names.
    pub fn sum_and_entries_by_name(&self) -> (i32, Vec<&'a (String, i32)>) {
        let mut named: Vec<_> = self.named.iter().collect();
        named.sort_unstable();
        (self.net + named.iter().map(|(_, drm)| drm).sum::<i32>(), named)
    }
}

impl AttackModifierFields {
    /// Returns the modifiers of this table.
    pub fn given_modifiers(&self) -> UnnamedSumAndNamedModifiers<'_> {
        UnnamedSumAndNamedModifiers {
            net: self.drm,
            named: entries_or_empty(self.modifiers.as_ref()),
        }
    }
}

impl TargetModifiers {
    /// Returns the modifiers of this table.
    pub fn given_modifiers(&self) -> UnnamedSumAndNamedModifiers<'_> {
        UnnamedSumAndNamedModifiers {
            net: self.drm.unwrap_or(0),
            named: entries_or_empty(self.modifiers.as_ref()),
        }
    }

    /// Returns whether there are any.
    pub fn is_any_modifier_set(&self) -> bool {
        self.drm.is_some() || self.modifiers.is_some()
    }
}

fn entries_or_empty(entries: Option<&NamedNumbers>) -> &[(String, i32)] {
    entries.map_or(&[], |NamedNumbers(entries)| entries)
}

/// Modifiers of an attack, leadership included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrmByTargetKind {
    /// Sum against Personnel.
    pub personnel: i32,
    /// Sum against Personnel that are pinned.
    pub pinned: i32,
    /// Sum against vehicles.
    pub vehicle: i32,
    /// Sum against passengers.
    pub collateral: i32,
}

name_list! {
    fn modifier_names() = {
        let modifiers = expect_asl_data().modifiers.iter();
        NameList::from_names_with_numbers(modifiers.map(|m| (m.name.clone(), m.drm)).collect())
    }
}

/// A7.3, A7.6: adds up the modifiers of a contest, of one of its attacks, of one of its targets.
///
/// # Errors
/// If a modifier is named twice: each is applied once an attack.
pub fn sum_drm_by_target_kind(
    entries: &[UnnamedSumAndNamedModifiers<'_>],
    against: VehicleModifiers,
    leadership: i32,
) -> Result<DrmByTargetKind, Fault> {
    let named: Vec<&(String, i32)> = entries.iter().flat_map(|entries| entries.named).collect();
    for (place, (name, _)) in named.iter().enumerate() {
        if named[..place].iter().any(|(other, _)| other == name) {
            let problem = format!("\"{name}\" is named twice, but counts once an attack");
            return Err(Fault::new("modifiers", problem));
        }
    }
    let net = entries.iter().map(|entries| entries.net).sum::<i32>() + leadership;
    let rows: Vec<(&FireModifier, i32)> =
        named.iter().filter_map(|(name, drm)| Some((find_modifier(name)?, *drm))).collect();
    let total = |counts: &dyn Fn(ModifierTargets) -> bool| -> i32 {
        let counted = rows.iter().filter(|(row, _)| counts(row.applies));
        counted.map(|(row, drm)| drm_unless_superseded(row, *drm, &rows)).sum()
    };
    let for_all = |a| matches!(a, ModifierTargets::All | ModifierTargets::Alone);
    let vehicle = against.vehicle_drm.map(|drm| drm + leadership);
    // Modifiers for Infantry or for movement do not apply to vehicles.
    let vehicle = vehicle.unwrap_or_else(|| net + total(&for_all));
    let collateral = against.collateral_drm.map(|drm| drm + leadership);
    Ok(DrmByTargetKind {
        personnel: net + total(&|_| true),
        pinned: net + total(&|a| !matches!(a, ModifierTargets::Moving)),
        vehicle,
        collateral: collateral.unwrap_or(vehicle),
    })
}

fn find_modifier(name: &str) -> Option<&'static FireModifier> {
    expect_asl_data().modifiers.iter().find(|row| row.name == name)
}

/// A7.6: returns the value of a modifier beside the others: hazardous replaces FFMO and FFNAM, and
/// Height Advantage counts where no other terrain protects.
fn drm_unless_superseded(row: &FireModifier, drm: i32, rows: &[(&FireModifier, i32)]) -> i32 {
    let superseded = match row.applies {
        ModifierTargets::Moving => {
            rows.iter().any(|(r, _)| r.applies == ModifierTargets::Hazardous)
        }
        ModifierTargets::Alone => {
            rows.iter().any(|(r, n)| r.terrain && *n > 0 && r.name != row.name)
        }
        _ => false,
    };
    if superseded { 0 } else { drm }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enfilade_model::form::Form;
    use enfilade_model::form::field_macros::{FieldGroupFromForm, forms};

    forms! {
        /// Modifiers of a contest.
        struct All {
            /// Modifiers of its attacks.
            modifiers: AttackModifierFields,
            /// Modifiers against vehicles.
            against: VehicleModifiers,
        }
    }

    fn sums_of(text: &str) -> Result<DrmByTargetKind, Fault> {
        led(text, 0)
    }

    fn led(text: &str, leadership: i32) -> Result<DrmByTargetKind, Fault> {
        let table = text.parse().expect("the test's TOML is well formed");
        let form =
            Form::from_table_with_defaults(&All::FIELDS, &table).expect("the fields are right");
        let All { modifiers, against } = All::read(&form);
        sum_drm_by_target_kind(&[modifiers.given_modifiers()], against, leadership)
    }

    #[test]
    fn every_printed_modifier_counts() {
        // Terrain chart and the list of A7 modifiers, typed in again for this test.
        let printed: [(&str, i32); 35] = [
            ("Open Ground", 0),
            ("Brush", 0),
            ("Grain", 0),
            ("Grain (Jun-Sep)", 0),
            ("Orchard", 0),
            ("Marsh", 0),
            ("Shellholes", 1),
            ("Woods", 1),
            ("Crag", 1),
            ("Graveyard", 1),
            ("Debris", 1),
            ("Wreck", 1),
            ("Hedge", 1),
            ("Wall", 2),
            ("Bocage", 2),
            ("Roadblock", 2),
            ("Wooden building", 2),
            ("Stone building", 3),
            ("Wooden rubble", 2),
            ("Stone rubble", 3),
            ("Foxhole", 2),
            ("Trench", 2),
            ("Foxhole [trench]", 2),
            ("Height Advantage", 1),
            ("Runway", -1),
            ("FFMO", -1),
            ("FFNAM", -1),
            ("hazardous", -2),
            ("encircled firer", 1),
            ("CX", 1),
            ("hero", -1),
            ("hindrance", 1),
            ("smoke", 3),
            ("dispersed smoke", 2),
            ("CE", 2),
        ];
        for (name, drm) in printed {
            let sums = sums_of(&format!("drm = 1\nmodifiers = ['{name}']"));
            assert_eq!(sums.expect("one name").personnel, 1 + drm, "{name}");
        }
        assert_eq!(expect_asl_data().modifiers.len(), printed.len());
    }

    #[test]
    fn moving_modifiers_are_for_moving_infantry() {
        let sums = sums_of("modifiers = ['FFMO', 'FFNAM', 'Woods']").expect("three names");
        assert_eq!((sums.personnel, sums.pinned, sums.vehicle), (-1, 1, 1));
        let sums = sums_of("modifiers = ['FFMO', 'FFNAM', 'hazardous']").expect("three names");
        assert_eq!((sums.personnel, sums.pinned, sums.vehicle), (-2, -2, 0));
    }

    #[test]
    fn height_counts_where_nothing_else_protects() {
        let drm = |text| sums_of(text).expect("two names").personnel;
        assert_eq!(drm("modifiers = ['Height Advantage', 'Woods']"), 1);
        assert_eq!(drm("modifiers = ['Height Advantage', 'Runway']"), 0);
        assert_eq!(drm("modifiers = ['Height Advantage', 'Open Ground']"), 1);
        assert_eq!(drm("modifiers = { 'Height Advantage' = true, smoke = 2 }"), 3);
    }

    #[test]
    fn vehicles_have_modifiers_of_their_own() {
        let sums = sums_of("modifiers = ['Shellholes', 'hindrance']").expect("two names");
        assert_eq!((sums.personnel, sums.vehicle, sums.collateral), (2, 1, 1));
        let sums = sums_of("drm = 1\nvehicle_drm = 0\ncollateral_drm = 3").expect("numbers");
        assert_eq!((sums.personnel, sums.vehicle, sums.collateral), (1, 0, 3));
        assert!(sums_of("modifiers = ['woods', 'Woods']").is_err());
    }

    #[test]
    fn the_leader_who_directs_the_fire_counts_against_everybody() {
        let text = "drm = 1\nvehicle_drm = 3\ncollateral_drm = 5";
        let sums = led(text, -2).expect("numbers");
        assert_eq!((sums.personnel, sums.pinned), (-1, -1));
        assert_eq!((sums.vehicle, sums.collateral), (1, 3));
    }
}
