//! Weapons and targets, by name or in numbers.
//!
//! Source: quick reference, SHOOTING and DAMAGE; special rules of the second edition. A name takes
//! the printed row; explicit numbers override it.

use enfilade_model::form::{Fault, combine_results};

use super::data_rows::{PrintedWeaponRange, SceneryPieceRow, UnitRow, WeaponRow};
use super::row_books::PrintedTarget;
use super::shooting_fields::{
    DamageRules, DevastatorVehicleReading, SquadFields, TargetFields, WeaponFields,
};
use super::specials::{
    DevastatorTargetClass, UnitSpecialRules, UnitType, WeaponSpecialRules, split_special_list,
};
use super::squad::{DamagePointsLeftByModel, HitAllocationChoice};
use super::volley::{
    AttackNumbersWithReasons, CountermeasureDice, DamageDie, DamageFaceEffect, VolleyDieFaceEffects,
};

/// Weapon with its shooter.
#[derive(Clone, Debug)]
pub struct WeaponWithShooter {
    /// Hit dice of an unhurt shooter, without Strafe.
    pub shots: u16,
    /// Accuracy; `None` for automatic hits.
    pub accuracy: Option<i64>,
    /// Energy of the weapon.
    pub energy: i64,
    /// Whether the weapon is a Close Quarters weapon.
    pub close_quarters: bool,
    /// Range without and with active countermeasures, when the data gives it.
    pub reach: Option<(PrintedWeaponRange, PrintedWeaponRange)>,
    /// Points of one shooter, when known and not 0.
    pub cost: Option<u32>,
    /// Number of hits merged into one by a Focus weapon.
    pub focus_merge: u8,
    /// Special rules of the weapon.
    pub specials: WeaponSpecialRules,
}

/// Squad that is shot at.
#[derive(Clone, Debug)]
pub struct TargetSquad {
    /// Armour of a model.
    pub armour: i64,
    /// Damage Points of one model.
    pub points: u8,
    /// Number of models.
    pub count: usize,
    /// Passive countermeasures, X+.
    pub passive: Option<u8>,
    /// Evasion of a model.
    pub evasion: i64,
    /// Whether the target has active countermeasures.
    pub active: bool,
    /// Unit type.
    pub unit_type: UnitType,
    /// Whether the name or the contest gives the unit type.
    pub typed: bool,
    /// Whether squads can be inside the target.
    pub garrison: bool,
    /// Whether the target is scenery that burns.
    pub flammable: bool,
    /// Fortitude, X+, when the target has one.
    pub fortitude: Option<u8>,
    /// Rule for the model that takes the next hit.
    pub allocation: HitAllocationChoice,
    /// Special rules of the target.
    pub specials: UnitSpecialRules,
}

impl WeaponWithShooter {
    /// Reads a weapon from a form: from the named row, if there is one, and the explicit numbers,
    /// which override it.
    ///
    /// # Errors
    /// Numbers that neither the name nor the form gives, and special rules with wrong spelling.
    pub fn from_row_or_numbers(
        weapon: WeaponFields,
        points: Option<u32>,
    ) -> Result<WeaponWithShooter, Vec<Fault>> {
        let row = weapon.weapon;
        let specials = parse_special_rule_list(
            "specials",
            weapon.specials.as_deref(),
            WeaponSpecialRules::from_special_texts,
        )
        .map(|given| given.or(row.map(|row| row.specials.clone())).unwrap_or_default());
        let printed_close = row.is_some_and(|row| row.full == PrintedWeaponRange::CloseQuarters);
        let close_quarters = weapon.close_quarters.unwrap_or(printed_close);
        let shots =
            require_field_number(weapon.shots.or(row.and_then(|row| row.shots)), "shots", row);
        let energy =
            require_field_number(weapon.energy.or(row.and_then(|row| row.energy)), "energy", row);
        let accuracy = weapon.accuracy.or(row.and_then(|row| row.accuracy));
        let accuracy = match accuracy.filter(|&needed| !(close_quarters && needed == 0)) {
            None if close_quarters => Ok(None),
            accuracy => require_field_number(accuracy, "accuracy", row).map(Some),
        };
        let ((shots, accuracy), (energy, specials)) =
            combine_results(combine_results(shots, accuracy), combine_results(energy, specials))?;
        Ok(WeaponWithShooter {
            shots,
            accuracy,
            energy,
            close_quarters,
            reach: row.map(|row| (row.full, row.countered)),
            cost: points.or(row.and_then(|row| row.points)).filter(|&points| points > 0),
            focus_merge: weapon.focus_merge,
            specials,
        })
    }

    /// Reduced-X, Strafe-X: returns the hit dice of one shooter that has lost `lost` Damage Points:
    /// those left by the damage, times the number of firings.
    pub fn shots_after_damage(&self, lost: u16) -> u16 {
        self.hit_dice_after_damage(lost).saturating_mul(self.specials.strafe.unwrap_or(1))
    }

    fn hit_dice_after_damage(&self, lost: u16) -> u16 {
        self.shots.saturating_sub(self.specials.reduced.saturating_mul(lost))
    }

    /// Reduced-X: returns the note that a shooter with `lost` Damage Points lost has no shot left.
    pub fn no_shots_note(&self, lost: u16) -> Option<String> {
        (self.shots > 0 && self.hit_dice_after_damage(lost) == 0)
            .then(|| "Reduced-X leaves a shooter that has lost so much no shot".into())
    }
}

/// Note for lost Damage Points of shooters that have no effect.
pub const NO_REDUCED_WEAPON_NOTE: &str =
    "no weapon here is Reduced-X: the Damage Points that its shooters have lost change nothing";

/// Parses the special rules listed in a field; `None` when it is absent.
///
/// # Errors
/// The faults that `read` finds.
pub(super) fn parse_special_rule_list<'a, S>(
    field: &str,
    texts: Option<&'a [String]>,
    read: impl FnOnce(Vec<&'a str>) -> Result<S, String>,
) -> Result<Option<S>, Vec<Fault>> {
    let printed =
        texts.map(|texts| texts.iter().flat_map(|text| split_special_list(text)).collect());
    let specials = printed.map(read).transpose();
    specials.map_err(|problem| vec![Fault::new(field, problem)])
}

/// Requires a number that must be in the data or the form.
fn require_field_number<N>(
    number: Option<N>,
    field: &str,
    row: Option<&WeaponRow>,
) -> Result<N, Vec<Fault>> {
    number.ok_or_else(|| {
        let problem = match row {
            Some(row) => format!("\"{}\" has no fixed {field} in the data", row.key),
            None => format!("`{field}` is missing"),
        };
        let help = match row {
            Some(_) => format!("give `{field}` as well"),
            None => "name a `weapon`, or give `shots`, `accuracy` and `energy`".to_owned(),
        };
        vec![Fault::new(field, problem).with_help(help)]
    })
}

impl TargetSquad {
    /// Reads one model from a form: from the named row, if there is one, and the explicit numbers,
    /// which override it.
    ///
    /// # Errors
    /// Missing armour, and special rules with wrong spelling.
    pub fn from_row_or_numbers(fields: TargetFields) -> Result<TargetSquad, Vec<Fault>> {
        let specials = parse_special_rule_list(
            "target_specials",
            fields.target_specials.as_deref(),
            UnitSpecialRules::from_special_texts,
        );
        let named = match (fields.target, fields.armour) {
            (Some(printed), _) => Ok(TargetSquad::from(printed)),
            // A target in numbers starts from plain values, and its fields below replace them.
            (None, Some(_)) => Ok(TargetSquad::placeholder_not_shot_at()),
            (None, None) => {
                let fault = Fault::new("armour", "`armour` is missing");
                Err(vec![fault.with_help("name a `target`, or give its `armour`")])
            }
        };
        let (target, specials) = combine_results(named, specials)?;
        Ok(TargetSquad {
            armour: fields.armour.unwrap_or(target.armour),
            points: fields.damage_points.unwrap_or(target.points),
            passive: fields.passive.or(target.passive),
            evasion: fields.evasion.unwrap_or(target.evasion),
            active: fields.active.unwrap_or(target.active),
            unit_type: fields.unit_type.unwrap_or(target.unit_type),
            typed: fields.unit_type.is_some() || target.typed,
            specials: specials.unwrap_or(target.specials),
            ..target
        })
    }

    /// Returns a squad of these models.
    pub fn with_count_and_allocation(self, models: &SquadFields) -> TargetSquad {
        TargetSquad { count: models.count, allocation: models.allocation, ..self }
    }

    /// GARRISONS: "Infantry may enter a Garrison." Returns whether the type is given and is not
    /// Infantry.
    pub fn is_never_garrisoned(&self) -> bool {
        self.typed && self.unit_type != UnitType::Infantry
    }

    /// Creates a model of one point for a unit that is never shot at.
    pub fn placeholder_not_shot_at() -> TargetSquad {
        TargetSquad {
            armour: 1,
            points: 1,
            count: 1,
            passive: None,
            evasion: 0,
            active: false,
            unit_type: UnitType::Tank,
            typed: false,
            garrison: true,
            flammable: false,
            fortitude: None,
            allocation: HitAllocationChoice::Focus,
            specials: UnitSpecialRules::default(),
        }
    }

    /// Returns the unhurt squad.
    pub fn squad_without_losses(&self) -> DamagePointsLeftByModel {
        DamagePointsLeftByModel::from_unhurt_models(self.count, self.points)
    }

    /// Returns the squad that has lost `lost` points; each model still there has the points in
    /// `left`, if the field called `field` gives them.
    ///
    /// # Errors
    /// More points or models than the squad has, no model left, and points left that do not match
    /// those lost.
    pub fn with_lost_points(
        &self,
        lost: u16,
        left: Option<&[u8]>,
        field: &str,
    ) -> Result<DamagePointsLeftByModel, Vec<Fault>> {
        let fresh = self.squad_without_losses();
        let all = fresh.total_points();
        if lost >= all {
            let problem = format!("`lost` must be under {all}, the squad's Damage Points");
            return Err(vec![Fault::new("lost", problem)]);
        }
        let Some(left) = left else { return Ok(fresh.after_losing_points(lost, self.allocation)) };
        let problem = if left.is_empty() || left.len() > self.count {
            format!("expected the points of 1 to {} models, found {}", self.count, left.len())
        } else if let Some(more) = left.iter().find(|points| **points > self.points) {
            format!("a model has {} Damage Points, not {more}", self.points)
        } else {
            let hurt = DamagePointsLeftByModel::from_points_left(left);
            if lost == 0 || all - hurt.total_points() == lost {
                return Ok(hurt);
            }
            let lost_points = all - hurt.total_points();
            format!("{lost_points} Damage Points of {all} are not left, and `lost` is {lost}")
        };
        Err(vec![Fault::new(field, problem)])
    }

    /// DAMAGE: "If total equals or beats target's Armour, does 1 Damage."
    ///
    /// Returns the effect of a damage roll of `total` with a weapon of `plain` damage; `always`: at
    /// least that damage.
    pub fn effect_of_damage_total(
        &self,
        plain: u8,
        total: i64,
        always: bool,
        rules: &DamageRules,
    ) -> DamageFaceEffect {
        let critical = total >= self.armour + rules.critical_margin;
        match critical || total >= self.armour || always {
            true => self.effect_of_hit(plain, critical, rules),
            false => DamageFaceEffect::default(),
        }
    }

    /// DAMAGE: "If 2 or more above Armour, Critical hit does 2 Damage." Destructible: "only 1
    /// Damage".
    ///
    /// Returns the effect of a plain hit or a Critical, without countermeasures: a Critical is a
    /// plain hit on scenery and on Resilient targets.
    pub fn effect_of_hit(
        &self,
        plain: u8,
        critical: bool,
        rules: &DamageRules,
    ) -> DamageFaceEffect {
        let hardened = self.unit_type == UnitType::Scenery || self.specials.resilient;
        let factor = match critical && !hardened {
            true => rules.critical_factor,
            false => 1,
        };
        let points = plain.saturating_mul(factor);
        DamageFaceEffect { points, critical: critical && points > 0 }
    }

    /// DAMAGE: "Roll 1 dice for each hit. Add Energy to the result."
    ///
    /// Returns the damage die of a plain hit of this `energy`; faces of `always` and more damage
    /// any armour.
    pub fn damage_by_die_face(
        &self,
        energy: i64,
        always: Option<i64>,
        rules: &DamageRules,
    ) -> DamageDie {
        [1, 2, 3, 4, 5, 6].map(|face| {
            let penetrates = always.is_some_and(|always| face >= always);
            self.effect_of_damage_total(1, face + energy, penetrates, rules)
        })
    }

    /// Builds hits that need no hit die, such as those of a crash: their
    /// [`damage_by_die_face`](TargetSquad::damage_by_die_face), and Dodge where it applies.
    pub fn build_automatic_hit_dice(
        &self,
        energy: i64,
        always: Option<i64>,
        dodges: bool,
        rules: &DamageRules,
    ) -> VolleyDieFaceEffects {
        VolleyDieFaceEffects {
            aim: None,
            critical: DamageFaceEffect::default(),
            glance: DamageDie::default(),
            merged: vec![self.damage_by_die_face(energy, always, rules)],
            reroll: false,
            saves: CountermeasureDice {
                passive: self.passive,
                dodge: self.specials.dodge.filter(|_| dodges),
            },
            allocation: self.allocation,
            tally: false,
            sums: AttackNumbersWithReasons {
                energy: vec![(energy, "")],
                armour: self.armour,
                ..AttackNumbersWithReasons::default()
            },
        }
    }

    /// Devastator-X: the targets against which the weapon is made.
    ///
    /// Returns whether a Devastator against `prey` is made against this target.
    pub fn is_devastator_target(
        &self,
        prey: DevastatorTargetClass,
        vehicle_means: DevastatorVehicleReading,
    ) -> bool {
        let ground = [UnitType::Tank, UnitType::Skimmer, UnitType::Walker];
        match prey {
            DevastatorTargetClass::All => true,
            DevastatorTargetClass::Type(UnitType::Aircraft) => self.unit_type.is_flyer(),
            DevastatorTargetClass::Type(unit_type) => self.unit_type == unit_type,
            DevastatorTargetClass::Vehicle if vehicle_means == DevastatorVehicleReading::Tank => {
                self.unit_type == UnitType::Tank
            }
            DevastatorTargetClass::Vehicle => ground.contains(&self.unit_type),
            DevastatorTargetClass::Large => self.specials.large,
            DevastatorTargetClass::Flammable => {
                self.unit_type == UnitType::Scenery && self.flammable
            }
        }
    }
}

impl From<PrintedTarget> for TargetSquad {
    fn from(printed: PrintedTarget) -> TargetSquad {
        match printed {
            PrintedTarget::Unit(row) => TargetSquad::from(row),
            PrintedTarget::Scenery(row) => TargetSquad::from(row),
        }
    }
}

impl From<&UnitRow> for TargetSquad {
    fn from(row: &UnitRow) -> TargetSquad {
        TargetSquad {
            armour: row.armour,
            points: row.damage_points,
            passive: row.counter.passive,
            evasion: row.counter.evasion,
            active: row.counter.active,
            unit_type: row.unit_type,
            typed: true,
            fortitude: row.fortitude,
            specials: row.specials.clone(),
            ..TargetSquad::placeholder_not_shot_at()
        }
    }
}

impl From<&SceneryPieceRow> for TargetSquad {
    fn from(row: &SceneryPieceRow) -> TargetSquad {
        TargetSquad {
            armour: row.armour,
            points: row.damage_points,
            flammable: row.flammable,
            unit_type: UnitType::Scenery,
            typed: true,
            garrison: row.garrison,
            ..TargetSquad::placeholder_not_shot_at()
        }
    }
}
