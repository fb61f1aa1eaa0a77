//! What shoots and what is shot at, by name or in numbers.
//!
//! Source: quick reference, SHOOTING and DAMAGE; special rules of the second edition. A name takes
//! the printed row; numbers that are given win over it.

use crate::form::{Fault, Form, Value};

use super::data;
use super::rows::{PieceRow, Reach, UnitRow, WeaponRow};
use super::specials::{Prey, UnitSpecials, UnitType, WeaponSpecials, split};
use super::squad::{Allocation, Squad};
use super::volley::{Attack, Blow, Saves, Wound};

/// A weapon and who fires it.
#[derive(Clone, Debug)]
pub struct Weapon {
    /// Hit dice of an unhurt shooter, Strafe not counted.
    pub shots: u16,
    /// Accuracy; `None` hits by itself.
    pub accuracy: Option<i64>,
    /// Energy.
    pub energy: i64,
    /// Whether it is a Close Quarters weapon.
    pub close_quarters: bool,
    /// Reach without and with active countermeasures, when the data gives it.
    pub reach: Option<(Reach, Reach)>,
    /// Points of one shooter, when known and not 0.
    pub cost: Option<u32>,
    /// Hits merged into one, when it focuses.
    pub focus_merge: u8,
    /// Special rules.
    pub specials: WeaponSpecials,
}

/// A squad that is shot at.
#[derive(Clone, Debug)]
pub struct Target {
    /// Armour.
    pub armour: i64,
    /// Damage Points of one model.
    pub points: u8,
    /// Models.
    pub count: usize,
    /// Passive countermeasures, X+.
    pub passive: Option<u8>,
    /// Evasion.
    pub evasion: i64,
    /// Whether it has active countermeasures.
    pub active: bool,
    /// What it is.
    pub unit_type: UnitType,
    /// Whether it is scenery that burns.
    pub flammable: bool,
    /// Fortitude, X+, when it has one.
    pub fortitude: Option<u8>,
    /// Who takes the next hit.
    pub allocation: Allocation,
    /// Special rules.
    pub specials: UnitSpecials,
}

impl Weapon {
    /// Reads [`WEAPON`](super::fields::WEAPON): the row that is named, where there is one, and the
    /// numbers that are given, which win.
    ///
    /// # Errors
    /// What neither the name nor the numbers say, and specials that are written wrongly.
    pub fn read(form: &Form) -> Result<Weapon, Vec<Fault>> {
        let row = match form.maybe_text("weapon") {
            Some(name) => data::weapons().map_err(|fault| vec![fault])?.get(name),
            None => None,
        };
        let specials = match specials(form, "specials", |texts| WeaponSpecials::read(texts))? {
            Some(given) => given,
            None => row.map_or_else(Default::default, |row| row.specials.clone()),
        };
        let printed_close = row.is_some_and(|row| row.full == Reach::CloseQuarters);
        let close_quarters = form.maybe_flag("close_quarters").unwrap_or(printed_close);
        let shots = form.maybe_int("shots").map(|shots| shots as u16);
        let shots = missing(shots.or(row.and_then(|row| row.shots)), "shots", row)?;
        let energy = form.maybe_int("energy");
        let energy = missing(energy.or(row.and_then(|row| row.energy)), "energy", row)?;
        let accuracy = form.maybe_int("accuracy").or(row.and_then(|row| row.accuracy));
        let accuracy = accuracy.filter(|&needed| !(close_quarters && needed == 0));
        if accuracy.is_none() && !close_quarters {
            missing(accuracy, "accuracy", row)?;
        }
        let cost = form.maybe_int("points").map(|points| points as u32);
        Ok(Weapon {
            shots,
            accuracy,
            energy,
            close_quarters,
            reach: row.map(|row| (row.full, row.countered)),
            cost: cost.or(row.and_then(|row| row.points)).filter(|&points| points > 0),
            focus_merge: form.int("focus_merge") as u8,
            specials,
        })
    }

    /// Hit dice of one shooter that has lost `lost` Damage Points: Reduced-X, then Strafe-X.
    pub fn shots_after(&self, lost: u16) -> u16 {
        let left = self.shots.saturating_sub(self.specials.reduced.saturating_mul(lost));
        left.saturating_mul(self.specials.strafe.unwrap_or(1))
    }
}

/// The special rules listed in a field; `None` when it is absent.
///
/// # Errors
/// What `read` finds wrong with them.
pub(super) fn specials<S>(
    form: &Form,
    field: &str,
    read: impl FnOnce(Vec<&str>) -> Result<S, String>,
) -> Result<Option<S>, Vec<Fault>> {
    if !form.has(field) {
        return Ok(None);
    }
    let texts = form.list(field).iter().filter_map(|value| match value {
        Value::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let specials = read(texts.flat_map(split).collect());
    specials.map(Some).map_err(|problem| vec![Fault::new(field, problem)])
}

/// A number that neither the data nor the form may leave open.
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
    /// Reads [`ARMOURED`](super::fields::ARMOURED): the row that is named, where there is one, and the
    /// numbers that are given, which win.
    ///
    /// # Errors
    /// Missing armour, and specials that are written wrongly.
    pub fn read(form: &Form) -> Result<Target, Vec<Fault>> {
        let mut target = match form.maybe_text("target") {
            Some(name) => Target::of_name(name)?,
            None if form.has("armour") => Target::bystander(),
            None => {
                let fault = Fault::new("armour", "`armour` is missing");
                return Err(vec![fault.help("name a `target`, or give its `armour`")]);
            }
        };
        replace(&mut target.armour, form.maybe_int("armour"));
        replace(&mut target.points, form.maybe_int("damage_points").map(|points| points as u8));
        replace(&mut target.count, form.maybe_int("count").map(|count| count as usize));
        replace(&mut target.evasion, form.maybe_int("evasion"));
        replace(&mut target.active, form.maybe_flag("active"));
        target.flammable |= form.maybe_flag("flammable").unwrap_or(false);
        replace(&mut target.unit_type, form.maybe_text("type").and_then(UnitType::named));
        target.passive = form.maybe_int("passive").map(|needed| needed as u8).or(target.passive);
        let given = specials(form, "target_specials", |texts| UnitSpecials::read(texts))?;
        replace(&mut target.specials, given);
        if form.maybe_text("allocation") == Some("even") {
            target.allocation = Allocation::Even;
        }
        Ok(target)
    }

    /// A built-in unit or piece of scenery.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn of_name(name: &str) -> Result<Target, Vec<Fault>> {
        match data::piece(name).map_err(|fault| vec![fault])? {
            Some(piece) => Ok(Target::from(piece)),
            None => Target::of_unit(name),
        }
    }

    /// A built-in unit.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn of_unit(name: &str) -> Result<Target, Vec<Fault>> {
        let units = data::units().map_err(|fault| vec![fault])?;
        let unknown = || vec![Fault::new("target", format!("there is no unit \"{name}\""))];
        units.get(name).map(Target::from).ok_or_else(unknown)
    }

    /// Somebody nobody shoots at: one model of one point.
    pub fn bystander() -> Target {
        Target {
            armour: 1,
            points: 1,
            count: 1,
            passive: None,
            evasion: 0,
            active: false,
            unit_type: UnitType::Tank,
            flammable: false,
            fortitude: None,
            allocation: Allocation::Focus,
            specials: UnitSpecials::default(),
        }
    }

    /// The squad, unhurt.
    pub fn squad(&self) -> Squad {
        Squad::fresh(self.count, self.points)
    }

    /// What a damage roll of `total` does with a weapon of `plain` damage; `always`: at least that.
    pub fn struck(&self, plain: u8, total: i64, always: bool, rules: &Form) -> Wound {
        let critical = total >= self.armour + rules.int("critical_margin");
        match critical || total >= self.armour || always {
            true => self.wound(plain, critical, rules),
            false => Wound::default(),
        }
    }

    /// What a plain hit or a Critical does, countermeasures aside: a Critical is a plain hit to
    /// scenery and to what is Resilient.
    pub fn wound(&self, plain: u8, critical: bool, rules: &Form) -> Wound {
        let hardened = self.unit_type == UnitType::Scenery || self.specials.resilient;
        let factor = match critical && !hardened {
            true => rules.int("critical_factor") as u8,
            false => 1,
        };
        let points = plain.saturating_mul(factor);
        Wound { points, critical: critical && points > 0 }
    }

    /// The damage die of a plain hit of this `energy`; faces of `always` and more damage whatever the
    /// armour.
    pub fn damage_die(&self, energy: i64, always: Option<i64>, rules: &Form) -> Blow {
        [1, 2, 3, 4, 5, 6].map(|face| {
            let penetrates = always.is_some_and(|always| face >= always);
            self.struck(1, face + energy, penetrates, rules)
        })
    }

    /// Hits that need no hit die, such as those of a crash: their [`damage_die`](Target::damage_die),
    /// and Dodge where it applies.
    pub fn automatic(
        &self,
        energy: i64,
        always: Option<i64>,
        dodges: bool,
        rules: &Form,
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
        }
    }

    /// Whether a Devastator against `prey` is made against this target.
    pub fn is_prey(&self, prey: Prey, vehicle_means: &str) -> bool {
        let ground = [UnitType::Tank, UnitType::Skimmer, UnitType::Walker];
        match prey {
            Prey::All => true,
            Prey::Type(UnitType::Aircraft) => self.unit_type.flies(),
            Prey::Type(unit_type) => self.unit_type == unit_type,
            Prey::Vehicle if vehicle_means == "tank" => self.unit_type == UnitType::Tank,
            Prey::Vehicle => ground.contains(&self.unit_type),
            Prey::Large => self.specials.large,
            Prey::Flammable => self.unit_type == UnitType::Scenery && self.flammable,
        }
    }
}

impl From<&UnitRow> for Target {
    fn from(row: &UnitRow) -> Target {
        Target {
            armour: row.armour,
            points: row.damage_points,
            passive: row.passive,
            evasion: row.evasion,
            active: row.active,
            unit_type: row.unit_type,
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
            ..Target::bystander()
        }
    }
}

/// Takes a given value in place of a printed one.
fn replace<V>(printed: &mut V, given: Option<V>) {
    if let Some(given) = given {
        *printed = given;
    }
}
