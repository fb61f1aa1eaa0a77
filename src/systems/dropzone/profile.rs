//! What shoots and what is shot at, by name or in numbers, and what the dice of the one mean
//! against the other.
//!
//! Source: quick reference, ACCURACY and DAMAGE; special rules of the second edition. Every modifier
//! is read from the form, so that a designer can change it, and is added up here, once. Indirect
//! fire at what nobody sees, reaction fire and the blast of an Area weapon on other units are not
//! told here.

use crate::form::{Fault, Form, Value};

use super::data::{self, Reach};
use super::specials::{Prey, UnitSpecials, UnitType, WeaponSpecials};
use super::squad::{Allocation, Squad};
use super::volley::{Aim, Attack, Blow, Saves, Wound};

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
        let accuracy = form
            .maybe_int("accuracy")
            .or(row.and_then(|row| row.accuracy));
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
            cost: cost
                .or(row.and_then(|row| row.points))
                .filter(|&points| points > 0),
            specials,
        })
    }

    /// Hit dice of one shooter that has lost `lost` Damage Points: Reduced-X, then Strafe-X.
    pub fn shots_after(&self, lost: u16) -> u16 {
        let left = self
            .shots
            .saturating_sub(self.specials.reduced.saturating_mul(lost));
        left.saturating_mul(self.specials.strafe.unwrap_or(1))
    }
}

fn specials<S>(
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
    let specials = read(texts.collect());
    specials
        .map(Some)
        .map_err(|problem| vec![Fault::new(field, problem)])
}

/// A number that neither the data nor the form may leave open.
fn missing<N>(
    number: Option<N>,
    field: &str,
    row: Option<&data::WeaponRow>,
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
        vec![Fault::new(field, problem).help(help)]
    })
}

impl Target {
    /// Reads [`TARGET`](super::fields::TARGET): the row that is named, where there is one, and the
    /// numbers that are given, which win.
    ///
    /// # Errors
    /// Missing armour, and specials that are written wrongly.
    pub fn read(form: &Form) -> Result<Target, Vec<Fault>> {
        let row = match form.maybe_text("target") {
            Some(name) => data::units().map_err(|fault| vec![fault])?.get(name),
            None => None,
        };
        let specials = match specials(form, "target_specials", |texts| UnitSpecials::read(texts))? {
            Some(given) => given,
            None => row.map_or_else(Default::default, |row| row.specials.clone()),
        };
        let armour = form.maybe_int("armour").or(row.map(|row| row.armour));
        let armour = armour.ok_or_else(|| {
            let fault = Fault::new("armour", "`armour` is missing");
            vec![fault.help("name a `target`, or give its `armour`")]
        })?;
        let points = form.maybe_int("damage_points").map(|points| points as u8);
        let passive = form.maybe_int("passive").map(|needed| needed as u8);
        let evasion = form.maybe_int("evasion");
        let unit_type = form.maybe_text("type").and_then(UnitType::named);
        Ok(Target {
            armour,
            points: points.or(row.map(|row| row.damage_points)).unwrap_or(1),
            count: form.int("count") as usize,
            passive: passive.or(row.and_then(|row| row.passive)),
            evasion: evasion.or(row.map(|row| row.evasion)).unwrap_or(0),
            active: form
                .maybe_flag("active")
                .unwrap_or(row.is_some_and(|row| row.active)),
            unit_type: unit_type
                .or(row.map(|row| row.unit_type))
                .unwrap_or(UnitType::Tank),
            flammable: form.flag("flammable"),
            fortitude: row.and_then(|row| row.fortitude),
            specials,
        })
    }

    /// The squad, unhurt.
    pub fn squad(&self) -> Squad {
        Squad::fresh(self.count, self.points)
    }

    /// Who takes the next hit.
    pub fn allocation(form: &Form) -> Allocation {
        match form.text("allocation") {
            "even" => Allocation::Even,
            _ => Allocation::Focus,
        }
    }

    /// Whether a Devastator against `prey` is made against this target.
    fn is_prey(&self, prey: Prey, vehicle_means: &str) -> bool {
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

/// A weapon against a target in a situation: the sums behind an [`Attack`].
pub struct Matchup<'a> {
    /// What shoots.
    pub weapon: &'a Weapon,
    /// What is shot at.
    pub target: &'a Target,
    /// Fields of [`SITUATION`](super::fields::SITUATION) and [`RULES`](super::fields::RULES).
    pub form: &'a Form,
}

impl Matchup<'_> {
    /// What every face of every die means.
    pub fn attack(&self, focus_merge: u8) -> Attack {
        let specials = &self.weapon.specials;
        let merged = match specials.focus {
            Some(gain) => (0..i64::from(focus_merge))
                .map(|n| self.blow(n * gain))
                .collect(),
            None => vec![self.blow(0)],
        };
        Attack {
            aim: self.aim(),
            critical: self.wound(true),
            glance: self.blow(self.form.int("glance_energy")),
            merged,
            reroll: self.weapon.close_quarters && self.form.flag("entered_garrison"),
            saves: Saves {
                passive: self.target.passive,
                dodge: self
                    .target
                    .specials
                    .dodge
                    .filter(|_| self.weapon.close_quarters),
            },
            allocation: Target::allocation(self.form),
            tally: self.form.text("detail") == "hits",
        }
    }

    /// What a hit die needs; `None` when the weapon hits by itself.
    pub fn needed(&self) -> Option<i64> {
        let accuracy = self.weapon.accuracy?;
        if self.target.unit_type == UnitType::Scenery {
            return Some(self.form.int("scenery_accuracy"));
        }
        let specials = &self.weapon.specials;
        let hull_down = !specials.ignores_hull && !self.target.specials.large;
        let soft_cover = !specials.ignores_soft && !specials.flame;
        let modifiers = [
            ("out_of_coherency", true, "coherency_modifier"),
            ("disembarked", true, "disembarked_modifier"),
            ("hull_down", hull_down, "hull_down_modifier"),
            ("soft_cover", soft_cover, "soft_cover_modifier"),
        ];
        let modifiers = modifiers
            .iter()
            .filter(|(is, counts, _)| *counts && self.form.flag(is))
            .map(|(_, _, modifier)| self.form.int(modifier));
        Some(accuracy + modifiers.sum::<i64>() + self.evasion())
    }

    /// Evasion that is left of the target's: none against Flame, less against AA-X.
    fn evasion(&self) -> i64 {
        let specials = &self.weapon.specials;
        match specials.flame {
            true => 0,
            false => (self.target.evasion - specials.anti_air.unwrap_or(0)).max(0),
        }
    }

    fn aim(&self) -> Option<[Aim; 6]> {
        let needed = self.needed()?;
        Some([1, 2, 3, 4, 5, 6].map(|face| self.aim_of(face, needed)))
    }

    fn aim_of(&self, face: u8, needed: i64) -> Aim {
        let specials = &self.weapon.specials;
        let natural_miss = face == 1 && self.form.flag("natural_one_misses");
        let natural_hit = face == 6 && self.form.flag("natural_six_hits");
        if (i64::from(face) >= needed || natural_hit) && !natural_miss {
            return match specials.destroyer.is_some_and(|from| face >= from) {
                true => Aim::Critical,
                false => Aim::Hit,
            };
        }
        let glances = specials.area && i64::from(face) >= self.form.int("glance_from");
        match glances && !self.loses_area() {
            true => Aim::Glance,
            false => Aim::Miss,
        }
    }

    /// Area weapons are plain weapons against Behemoths and scenery.
    fn loses_area(&self) -> bool {
        matches!(
            self.target.unit_type,
            UnitType::Behemoth | UnitType::Scenery
        )
    }

    fn blow(&self, bonus: i64) -> Blow {
        let cover = match self.form.flag("body_cover") && !self.ignores_body_cover() {
            true => self.form.int("body_cover_energy"),
            false => 0,
        };
        let energy = self.weapon.energy + bonus + cover;
        [1, 2, 3, 4, 5, 6].map(|face| self.wound_of(face, energy))
    }

    fn ignores_body_cover(&self) -> bool {
        self.weapon.specials.ignores_body || self.weapon.specials.flame
    }

    fn wound_of(&self, face: i64, energy: i64) -> Wound {
        let total = face + energy;
        let penetrates =
            self.weapon.specials.penetrative && face >= self.form.int("penetrative_face");
        if total >= self.target.armour + self.form.int("critical_margin") {
            self.wound(true)
        } else if total >= self.target.armour || penetrates {
            self.wound(false)
        } else {
            Wound::default()
        }
    }

    /// What a plain hit or a Critical does to this target, countermeasures aside.
    fn wound(&self, critical: bool) -> Wound {
        let scenery = self.target.unit_type == UnitType::Scenery;
        if self.weapon.specials.tech_killer && scenery {
            return Wound::default();
        }
        let vehicle_means = self.form.text("vehicle_means");
        let is_prey = |prey| self.target.is_prey(prey, vehicle_means);
        let plain = self.weapon.specials.damage_against(is_prey);
        let multiplied = critical && !scenery && !self.target.specials.resilient;
        let factor = if multiplied {
            self.form.int("critical_factor") as u8
        } else {
            1
        };
        Wound {
            points: plain.saturating_mul(factor),
            critical,
        }
    }

    /// Whether the target can be shot at from where the shooters stand.
    pub fn in_reach(&self) -> bool {
        let (Some(range), Some((full, countered))) =
            (self.form.maybe_int("range"), self.weapon.reach)
        else {
            return true;
        };
        match self.target.active {
            true => countered.holds(range),
            false => full.holds(range),
        }
    }

    /// Whether the target flies and the weapon may not be aimed at flyers.
    pub fn forbidden(&self) -> bool {
        let flies = self.target.unit_type.flies();
        flies && self.weapon.specials.anti_air.is_none() && self.form.flag("aircraft_need_aa")
    }
}

/// What a reader of a result must know.
impl Matchup<'_> {
    /// Specials that are not played, and rules that keep the weapon from its target.
    pub fn notes(&self) -> Vec<String> {
        let not_modelled = |whose: &str, specials: &[String]| {
            let each = specials.iter();
            each.map(|special| format!("not modelled: the {whose} special \"{special}\""))
                .collect::<Vec<_>>()
        };
        let mut notes = not_modelled("weapon's", &self.weapon.specials.not_modelled);
        notes.extend(not_modelled("target's", &self.target.specials.not_modelled));
        if !self.in_reach() {
            notes.push("the target is out of reach: no shot is fired".into());
        }
        let flies = self.target.unit_type.flies();
        if self.forbidden() {
            notes.push("only AA weapons can hit aircraft: no shot is fired".into());
        } else if flies && self.weapon.specials.anti_air.is_none() {
            notes.push(
                "the weapon has no AA: the odds are as if it might be aimed at aircraft".into(),
            );
        }
        if self.form.flag("hull_down") && self.target.specials.large {
            notes.push("a Large target is never hull down".into());
        }
        if self.form.int("focus_merge") > 1 && self.weapon.specials.focus.is_none() {
            notes.push("the weapon has no Focus: focus_merge changes nothing".into());
        }
        notes
    }
}
