//! Weapons and targets, by name or in numbers.
//!
//! Source: quick reference, SHOOTING and DAMAGE; special rules of the second edition. A name takes
//! the printed row; explicit numbers override it.

use enfilade_model::form::{Fault, both};

use super::data::Printed;
use super::data_rows::{PieceRow, Reach, UnitRow, WeaponRow};
use super::fields::{DamageRules, Models, TargetFields, VehicleMeans, WeaponFields};
use super::specials::{Prey, UnitSpecials, UnitType, WeaponSpecials, split};
use super::squad::{Allocation, Squad};
use super::volley::{Attack, Blow, Saves, Sums, Wound};

/// Weapon with its shooter.
#[derive(Clone, Debug)]
pub struct Weapon {
    /// Hit dice of an unhurt shooter, without Strafe.
    pub shots: u16,
    /// Accuracy; `None` for automatic hits.
    pub accuracy: Option<i64>,
    /// Energy of the weapon.
    pub energy: i64,
    /// Whether the weapon is a Close Quarters weapon.
    pub close_quarters: bool,
    /// Range without and with active countermeasures, when the data gives it.
    pub reach: Option<(Reach, Reach)>,
    /// Points of one shooter, when known and not 0.
    pub cost: Option<u32>,
    /// Number of hits merged into one by a Focus weapon.
    pub focus_merge: u8,
    /// Special rules of the weapon.
    pub specials: WeaponSpecials,
}

/// Squad that is shot at.
#[derive(Clone, Debug)]
pub struct Target {
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
    pub allocation: Allocation,
    /// Special rules of the target.
    pub specials: UnitSpecials,
}

impl Weapon {
    /// Reads a weapon from a form: from the named row, if there is one, and the explicit numbers,
    /// which override it.
    ///
    /// # Errors
    /// Numbers that neither the name nor the form gives, and special rules with wrong spelling.
    pub fn of(given: WeaponFields, points: Option<u32>) -> Result<Weapon, Vec<Fault>> {
        let row = given.weapon;
        let specials = specials("specials", given.specials.as_deref(), WeaponSpecials::read)
            .map(|given| given.or(row.map(|row| row.specials.clone())).unwrap_or_default());
        let printed_close = row.is_some_and(|row| row.full == Reach::CloseQuarters);
        let close_quarters = given.close_quarters.unwrap_or(printed_close);
        let shots = missing(given.shots.or(row.and_then(|row| row.shots)), "shots", row);
        let energy = missing(given.energy.or(row.and_then(|row| row.energy)), "energy", row);
        let accuracy = given.accuracy.or(row.and_then(|row| row.accuracy));
        let accuracy = match accuracy.filter(|&needed| !(close_quarters && needed == 0)) {
            None if close_quarters => Ok(None),
            accuracy => missing(accuracy, "accuracy", row).map(Some),
        };
        let ((shots, accuracy), (energy, specials)) =
            both(both(shots, accuracy), both(energy, specials))?;
        Ok(Weapon {
            shots,
            accuracy,
            energy,
            close_quarters,
            reach: row.map(|row| (row.full, row.countered)),
            cost: points.or(row.and_then(|row| row.points)).filter(|&points| points > 0),
            focus_merge: given.focus_merge,
            specials,
        })
    }

    /// Reduced-X, Strafe-X: returns the hit dice of one shooter that has lost `lost` Damage Points:
    /// those left by the damage, times the number of firings.
    pub fn shots_after(&self, lost: u16) -> u16 {
        self.left_after(lost).saturating_mul(self.specials.strafe.unwrap_or(1))
    }

    fn left_after(&self, lost: u16) -> u16 {
        self.shots.saturating_sub(self.specials.reduced.saturating_mul(lost))
    }

    /// Reduced-X: returns the note that a shooter with `lost` Damage Points lost has no shot left.
    pub fn spent(&self, lost: u16) -> Option<String> {
        (self.shots > 0 && self.left_after(lost) == 0)
            .then(|| "Reduced-X leaves a shooter that has lost so much no shot".into())
    }
}

/// Note for lost Damage Points of shooters that have no effect.
pub const UNREDUCED: &str =
    "no weapon here is Reduced-X: the Damage Points that its shooters have lost change nothing";

/// Parses the special rules listed in a field; `None` when it is absent.
///
/// # Errors
/// The faults that `read` finds.
pub(super) fn specials<'a, S>(
    field: &str,
    texts: Option<&'a [String]>,
    read: impl FnOnce(Vec<&'a str>) -> Result<S, String>,
) -> Result<Option<S>, Vec<Fault>> {
    let printed = texts.map(|texts| texts.iter().flat_map(|text| split(text)).collect());
    let specials = printed.map(read).transpose();
    specials.map_err(|problem| vec![Fault::new(field, problem)])
}

/// Requires a number that must be in the data or the form.
fn missing<N>(number: Option<N>, field: &str, row: Option<&WeaponRow>) -> Result<N, Vec<Fault>> {
    number.ok_or_else(|| {
        let problem = match row {
            Some(row) => format!("\"{}\" has no fixed {field} in the data", row.key),
            None => format!("`{field}` is missing"),
        };
        let help = match row {
            Some(_) => format!("give `{field}` as well"),
            None => "name a `weapon`, or give `shots`, `accuracy` and `energy`".to_owned(),
        };
        vec![Fault::new(field, problem).help(help)]
    })
}

impl Target {
    /// Reads one model from a form: from the named row, if there is one, and the explicit numbers,
    /// which override it.
    ///
    /// # Errors
    /// Missing armour, and special rules with wrong spelling.
    pub fn of(given: TargetFields) -> Result<Target, Vec<Fault>> {
        let specials =
            specials("target_specials", given.target_specials.as_deref(), UnitSpecials::read);
        let named = match (given.target, given.armour) {
            (Some(printed), _) => Ok(Target::from(printed)),
            // A target in numbers starts from plain values, and its fields below replace them.
            (None, Some(_)) => Ok(Target::bystander()),
            (None, None) => {
                let fault = Fault::new("armour", "`armour` is missing");
                Err(vec![fault.help("name a `target`, or give its `armour`")])
            }
        };
        let (target, specials) = both(named, specials)?;
        Ok(Target {
            armour: given.armour.unwrap_or(target.armour),
            points: given.damage_points.unwrap_or(target.points),
            passive: given.passive.or(target.passive),
            evasion: given.evasion.unwrap_or(target.evasion),
            active: given.active.unwrap_or(target.active),
            unit_type: given.unit_type.unwrap_or(target.unit_type),
            typed: given.unit_type.is_some() || target.typed,
            specials: specials.unwrap_or(target.specials),
            ..target
        })
    }

    /// Returns a squad of these models.
    pub fn squad_of(self, models: &Models) -> Target {
        Target { count: models.count, allocation: models.allocation, ..self }
    }

    /// GARRISONS: "Infantry may enter a Garrison." Returns whether the type is given and is not
    /// Infantry.
    pub fn stays_outside(&self) -> bool {
        self.typed && self.unit_type != UnitType::Infantry
    }

    /// Creates a model of one point for a unit that is never shot at.
    pub fn bystander() -> Target {
        Target {
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
            allocation: Allocation::Focus,
            specials: UnitSpecials::default(),
        }
    }

    /// Returns the unhurt squad.
    pub fn squad(&self) -> Squad {
        Squad::fresh(self.count, self.points)
    }

    /// Returns the squad that has lost `lost` points; each model still there has the points in
    /// `left`, if the field called `field` gives them.
    ///
    /// # Errors
    /// More points or models than the squad has, no model left, and points left that do not match
    /// those lost.
    pub fn hurt(&self, lost: u16, left: Option<&[u8]>, field: &str) -> Result<Squad, Vec<Fault>> {
        let fresh = self.squad();
        let all = fresh.points();
        if lost >= all {
            let problem = format!("`lost` must be under {all}, the squad's Damage Points");
            return Err(vec![Fault::new("lost", problem)]);
        }
        let Some(left) = left else { return Ok(fresh.without(lost, self.allocation)) };
        let problem = if left.is_empty() || left.len() > self.count {
            format!("expected the points of 1 to {} models, found {}", self.count, left.len())
        } else if let Some(more) = left.iter().find(|points| **points > self.points) {
            format!("a model has {} Damage Points, not {more}", self.points)
        } else {
            let hurt = Squad::of(left);
            if lost == 0 || all - hurt.points() == lost {
                return Ok(hurt);
            }
            let gone = all - hurt.points();
            format!("{gone} Damage Points of {all} are not left, and `lost` is {lost}")
        };
        Err(vec![Fault::new(field, problem)])
    }

    /// DAMAGE: "If total equals or beats target's Armour, does 1 Damage."
    ///
    /// Returns the effect of a damage roll of `total` with a weapon of `plain` damage; `always`: at
    /// least that damage.
    pub fn struck(&self, plain: u8, total: i64, always: bool, rules: &DamageRules) -> Wound {
        let critical = total >= self.armour + rules.critical_margin;
        match critical || total >= self.armour || always {
            true => self.wound(plain, critical, rules),
            false => Wound::default(),
        }
    }

    /// DAMAGE: "If 2 or more above Armour, Critical hit does 2 Damage." Destructible: "only 1
    /// Damage".
    ///
    /// Returns the effect of a plain hit or a Critical, without countermeasures: a Critical is a
    /// plain hit on scenery and on Resilient targets.
    pub fn wound(&self, plain: u8, critical: bool, rules: &DamageRules) -> Wound {
        let hardened = self.unit_type == UnitType::Scenery || self.specials.resilient;
        let factor = match critical && !hardened {
            true => rules.critical_factor,
            false => 1,
        };
        let points = plain.saturating_mul(factor);
        Wound { points, critical: critical && points > 0 }
    }

    /// DAMAGE: "Roll 1 dice for each hit. Add Energy to the result."
    ///
    /// Returns the damage die of a plain hit of this `energy`; faces of `always` and more damage
    /// any armour.
    pub fn damage_die(&self, energy: i64, always: Option<i64>, rules: &DamageRules) -> Blow {
        [1, 2, 3, 4, 5, 6].map(|face| {
            let penetrates = always.is_some_and(|always| face >= always);
            self.struck(1, face + energy, penetrates, rules)
        })
    }

    /// Builds hits that need no hit die, such as those of a crash: their
    /// [`damage_die`](Target::damage_die), and Dodge where it applies.
    pub fn automatic(
        &self,
        energy: i64,
        always: Option<i64>,
        dodges: bool,
        rules: &DamageRules,
    ) -> Attack {
        Attack {
            aim: None,
            critical: Wound::default(),
            glance: Blow::default(),
            merged: vec![self.damage_die(energy, always, rules)],
            reroll: false,
            saves: Saves { passive: self.passive, dodge: self.specials.dodge.filter(|_| dodges) },
            allocation: self.allocation,
            tally: false,
            sums: Sums { energy: vec![(energy, "")], armour: self.armour, ..Sums::default() },
        }
    }

    /// Devastator-X: the targets against which the weapon is made.
    ///
    /// Returns whether a Devastator against `prey` is made against this target.
    pub fn is_prey(&self, prey: Prey, vehicle_means: VehicleMeans) -> bool {
        let ground = [UnitType::Tank, UnitType::Skimmer, UnitType::Walker];
        match prey {
            Prey::All => true,
            Prey::Type(UnitType::Aircraft) => self.unit_type.flies(),
            Prey::Type(unit_type) => self.unit_type == unit_type,
            Prey::Vehicle if vehicle_means == VehicleMeans::Tank => {
                self.unit_type == UnitType::Tank
            }
            Prey::Vehicle => ground.contains(&self.unit_type),
            Prey::Large => self.specials.large,
            Prey::Flammable => self.unit_type == UnitType::Scenery && self.flammable,
        }
    }
}

impl From<Printed> for Target {
    fn from(printed: Printed) -> Target {
        match printed {
            Printed::Unit(row) => Target::from(row),
            Printed::Piece(row) => Target::from(row),
        }
    }
}

impl From<&UnitRow> for Target {
    fn from(row: &UnitRow) -> Target {
        Target {
            armour: row.armour,
            points: row.damage_points,
            passive: row.counter.passive,
            evasion: row.counter.evasion,
            active: row.counter.active,
            unit_type: row.unit_type,
            typed: true,
            fortitude: row.fortitude,
            specials: row.specials.clone(),
            ..Target::bystander()
        }
    }
}

impl From<&PieceRow> for Target {
    fn from(row: &PieceRow) -> Target {
        Target {
            armour: row.armour,
            points: row.damage_points,
            flammable: row.flammable,
            unit_type: UnitType::Scenery,
            typed: true,
            garrison: row.garrison,
            ..Target::bystander()
        }
    }
}
