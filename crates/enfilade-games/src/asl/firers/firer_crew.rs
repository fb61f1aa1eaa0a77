//! Unit behind a firer: its own firepower, its machine guns, and whether it cowers.

use super::firer_fields::{FireGroupEntryFields, MannerOfFireFields};
use crate::asl::data::{MachineGun, SquadWithHalfSquad, expect_asl_data};
use crate::asl::firepower::{FiringCircumstances, FiringUnitOrWeapon};
use crate::asl::rule_numbers::RuleNumbers;
use crate::asl::targets::{distinct_in_order, find_squad_or_half};
use crate::asl::unit_profiles::UnitKind;
use enfilade_model::form::Fault;
use enfilade_model::form::field_macros::SixtyFourths;

/// Largest number of support weapons that a unit fires (A7.351).
const MAX_FIRED_WEAPONS: usize = 2;

/// Classes of squads that may be inexperienced: Conscripts and Green ones. A7.9 leaves the decision
/// to A19.33.
const POSSIBLY_INEXPERIENCED: [&str; 2] = ["C", "G"];

/// Unit behind a firer.
pub(super) struct UnitBehindFirer {
    squad: Option<&'static SquadWithHalfSquad>,
    kind: UnitKind,
    inherent: Option<FiringUnitOrWeapon>,
}

impl UnitBehindFirer {
    pub(super) fn read_firer_unit(
        manner: &MannerOfFireFields,
        form: &FireGroupEntryFields,
    ) -> Result<UnitBehindFirer, Fault> {
        let Some(name) = &form.unit else {
            return UnitBehindFirer::from_given_numbers(manner, form);
        };
        let given_fields = [
            ("fp", form.fp.is_some()),
            ("unit_kind", form.unit_kind.is_some()),
            ("normal_range", form.normal_range.is_some()),
            ("kind", form.kind.as_deref().is_some_and(|kind| kind != "small-arms")),
        ];
        for (field, given_fields) in given_fields {
            if given_fields {
                let problem = format!("a unit with a name has its own `{field}`");
                let help = "add another [[contest.firer]] for what else fires: `kind = \"flamethrower\"` and its `fp`";
                return Err(Fault::new(field, problem).with_help(help));
            }
        }
        let (squad, whole) = find_squad_or_half(form.nation.as_deref(), name)?;
        let (strength, kind) = if whole {
            (squad.strength, UnitKind::Squad)
        } else {
            (squad.half_strength, UnitKind::HalfSquad)
        };
        let able = whole && squad.assault_fire;
        if form.assault_fire == Some(true) && !able {
            let problem = format!("the {name} has no Assault Fire");
            return Err(Fault::new("assault_fire", problem));
        }
        let inherent = FiringUnitOrWeapon {
            label: name.clone(),
            kind: expect_asl_data().attack_kind_by_name("small-arms"),
            firepower: 64 * strength.firepower,
            normal_range: Some(strength.range),
            assault: able && wants_assault_fire(manner, form).unwrap_or(true),
        };
        Ok(UnitBehindFirer { squad: Some(squad), kind, inherent: Some(inherent) })
    }

    fn from_given_numbers(
        manner: &MannerOfFireFields,
        form: &FireGroupEntryFields,
    ) -> Result<UnitBehindFirer, Fault> {
        let kind = form.unit_kind.unwrap_or(UnitKind::Squad);
        let own_kind = form.kind.as_deref();
        let is_gun = form.weapon.is_some() && own_kind.is_none_or(|kind| kind == "mg");
        let is_told = form.kind.is_some() || form.normal_range.is_some();
        if form.fp.is_none() && !is_gun && is_told {
            return Err(Fault::new("fp", "a firer without a name needs its `fp`"));
        }
        let name = own_kind.unwrap_or("small-arms");
        let inherent = form.fp.map(|SixtyFourths(firepower)| FiringUnitOrWeapon {
            label: name.to_owned(),
            kind: expect_asl_data().attack_kind_by_name(name),
            firepower,
            normal_range: form.normal_range,
            assault: name == "small-arms"
                && kind == UnitKind::Squad
                && wants_assault_fire(manner, form) == Some(true),
        });
        Ok(UnitBehindFirer { squad: None, kind, inherent })
    }

    /// A7.34: refuses Spraying Fire of other squads, and at long ranges.
    pub(super) fn check_spraying_fire(
        &self,
        form: &FireGroupEntryFields,
        at: &FiringCircumstances,
        numbers: &RuleNumbers,
    ) -> Result<(), Fault> {
        let inherent = self.inherent.is_some() && form.fire_inherent;
        if !form.spraying_fire || !inherent {
            return Ok(());
        }
        if self.squad.is_some_and(|squad| !squad.spraying_fire) || self.kind != UnitKind::Squad {
            return Err(Fault::new("spraying_fire", "this unit has no Spraying Fire"));
        }
        let farthest = i64::from(numbers.spraying_fire_range);
        if at.range.is_some_and(|range| range > farthest) {
            let problem = format!("a squad's Spraying Fire reaches {farthest} hexes");
            return Err(Fault::new("spraying_fire", problem));
        }
        Ok(())
    }

    /// A7.351: returns the machine guns that the unit fires, two at most.
    pub(super) fn read_fired_guns(
        &self,
        form: &FireGroupEntryFields,
    ) -> Result<Vec<&'static MachineGun>, Fault> {
        let names: Vec<&String> = form.weapon.iter().chain(&form.weapons).collect();
        if names.len() > MAX_FIRED_WEAPONS {
            let problem = format!("a unit fires at most {MAX_FIRED_WEAPONS} support weapons");
            return Err(Fault::new("weapons", problem));
        }
        // A squad uses the machine guns of its own nation unless the contest names another.
        let nation = form.nation.as_deref().or(self.squad.map(|s| s.nation.as_str()));
        names.iter().map(|name| find_machine_gun_of_nation(name, nation)).collect()
    }

    /// A7.351, A7.352: returns the pieces that fire: a squad adds its own firepower beside one
    /// weapon, other units never do.
    pub(super) fn inherent_piece_beside_weapons(
        &self,
        form: &FireGroupEntryFields,
        weapons: usize,
    ) -> Vec<FiringUnitOrWeapon> {
        let allowed = if self.kind == UnitKind::Squad { 1 } else { 0 };
        let keeps = weapons <= allowed && form.fire_inherent;
        self.inherent.clone().into_iter().filter(|_| keeps).collect()
    }

    /// A7.9: returns whether the unit cowers; a single man does not, nor do the steady classes of
    /// some nations.
    pub(super) fn can_cower(&self, form: &FireGroupEntryFields) -> Option<bool> {
        if form.exempt.is_some() || self.kind.is_single_man() {
            return Some(false);
        }
        match (self.squad, &self.inherent) {
            (Some(squad), _) => {
                let steady = &expect_asl_data().nation_by_name(&squad.nation).steady;
                Some(!steady.contains(&squad.class))
            }
            (None, Some(piece)) => Some(piece.kind.cowers),
            (None, None) => None,
        }
    }

    /// A7.9, A19.33: returns the remark that the class leaves open whether the unit is
    /// inexperienced.
    pub(super) fn possible_inexperience_note(&self, form: &FireGroupEntryFields) -> Option<String> {
        let class = self.squad.map(|squad| squad.class.as_str());
        let class = class.filter(|class| POSSIBLY_INEXPERIENCED.contains(class))?;
        Some(format!(
            "whether the {} (class {class}) is inexperienced is not derived from its class: say so \
             with `inexperienced` (A7.9, A19.33)",
            form.unit.as_deref()?
        ))
    }
}

/// A7.36: returns the firer's choice of Assault Fire, else the contest's.
fn wants_assault_fire(manner: &MannerOfFireFields, form: &FireGroupEntryFields) -> Option<bool> {
    form.assault_fire.or(manner.assault_fire)
}

/// Finds the machine gun called `name` of a nation, or of the one whose guns that nation uses.
pub(super) fn find_machine_gun_of_nation(
    name: &str,
    nation: Option<&str>,
) -> Result<&'static MachineGun, Fault> {
    let owner = match nation {
        None => None,
        Some(nation) => match &expect_asl_data().nation_by_name(nation).machine_guns {
            Some(owner) => Some(owner.as_str()),
            None => {
                let problem =
                    format!("the machine guns of the nation {nation} are not established");
                return Err(Fault::new("weapons", problem)
                    .with_help("give `fp`, `normal_range` and `kind = \"mg\"`"));
            }
        },
    };
    let guns = expect_asl_data().machine_guns.iter();
    let machine_guns: Vec<_> = guns
        .filter(|gun| gun.name == name && owner.is_none_or(|owner| gun.nation == owner))
        .collect();
    match (machine_guns.as_slice(), owner) {
        ([gun], _) => Ok(gun),
        ([], Some(owner)) => {
            let problem = format!("the nation {owner} has no {name}");
            Err(Fault::new("weapons", problem))
        }
        _ => {
            let problem = format!("{name} is a machine gun of several nations");
            let nations =
                distinct_in_order(machine_guns.iter().map(|gun| gun.nation.clone()).collect());
            let nations = enfilade_model::form::join_or(&nations);
            let help = format!("give `nation` too: {name} is {nations}");
            Err(Fault::new("nation", problem).with_help(help))
        }
    }
}
