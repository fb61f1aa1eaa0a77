//! Who attacks with what: the weapon, the target number of its 2d6, and the card of the trooper it
//! is aimed at.
//!
//! Source: base rules (attacks) and the modifiers of the advanced rules. Arcs and lines of fire are
//! not drawn: obstructions and ranges are given.

use std::num::NonZeroU32;

use crate::dice::Dice;
use crate::form::{Fault, Form};

use super::card::{Bludgeoning, Card, CellMapping, Damage};
use super::data::{self, Shelves, WeaponKind, WeaponRow};

/// A weapon, named or in numbers.
#[derive(Clone, Debug)]
pub struct Weapon {
    /// How it is used.
    pub kind: WeaponKind,
    /// Damage by ring.
    pub rings: Vec<Damage>,
    /// Attacks for each shot of an arc.
    pub multiplier: u8,
    /// Rounds that come with it.
    pub ammo: Option<u8>,
    /// Troopers needed beside the one who carries it.
    pub crew: u8,
    /// Short and long range, where it has one.
    pub short: Option<i64>,
    /// Long range, where it has one.
    pub long: Option<i64>,
    /// Point value.
    pub pv: Option<NonZeroU32>,
}

impl Weapon {
    /// Reads [`WEAPON`](super::fields::WEAPON): the row that is named, and the numbers that are
    /// given, which win.
    ///
    /// # Errors
    /// When neither a name nor damage is given, or the damage is not printed as such.
    pub fn read(form: &Form) -> Result<Weapon, Vec<Fault>> {
        let row = match form.maybe_text("weapon") {
            Some(name) => data::data()?.weapon(name),
            None => None,
        };
        let given = form.maybe_text("damage").map(data::rings).transpose();
        let given = given.map_err(|problem| vec![Fault::new("damage", problem)])?;
        let Some(rings) = given.or(row.map(|row| row.rings.clone())) else {
            let fault = Fault::new("damage", "`damage` is missing");
            return Err(vec![fault.help("name a `weapon`, or give its `damage`, such as \"4X\"")]);
        };
        let kind = form.maybe_text("kind").and_then(WeaponKind::named);
        let printed = row.map_or_else(|| Weapon::plain(rings.len()), Weapon::from);
        let weapon = Weapon {
            kind: kind.unwrap_or(printed.kind),
            rings,
            short: form.maybe_int("short").or(printed.short),
            long: form.maybe_int("long").or(printed.long),
            ..printed
        };
        match (weapon.short, weapon.long) {
            (Some(short), Some(long)) if short > long => {
                let problem = format!("`short` is {short}, beyond `long`, {long}");
                Err(vec![Fault::new("short", problem)])
            }
            _ => Ok(weapon),
        }
    }

    /// A weapon of which nothing is known but how many rings its damage has: more than one explode.
    fn plain(rings: usize) -> Weapon {
        Weapon {
            kind: match rings {
                0 | 1 => WeaponKind::Ranged,
                _ => WeaponKind::Launcher,
            },
            rings: Vec::new(),
            multiplier: 1,
            ammo: None,
            crew: 0,
            short: None,
            long: None,
            pv: None,
        }
    }

    /// The field of a contest that makes the weapon what it is.
    pub fn told_by(form: &Form) -> &'static str {
        let fields = ["kind", "weapon", "damage"];
        let told = fields.into_iter().find(|field| form.has(field));
        told.unwrap_or("weapon")
    }

    /// A weapon in numbers is a launcher, where only what explodes will do, unless `kind` says
    /// otherwise.
    pub fn taken_to_explode(self, form: &Form) -> Weapon {
        let told = form.has("weapon") || form.has("kind");
        let kind = if told { self.kind } else { WeaponKind::Launcher };
        Weapon { kind, ..self }
    }

    /// Damage at the point it is aimed at.
    pub fn direct(&self) -> Damage {
        self.rings.first().copied().unwrap_or_default()
    }

    /// Whether a target `range` dots away can be attacked at all.
    pub fn reaches(&self, range: i64) -> bool {
        self.long.or(self.short).is_none_or(|long| range <= long)
    }

    /// Whether a target is beyond short range.
    pub fn is_long(&self, range: i64) -> bool {
        self.short.is_some_and(|short| range > short)
    }
}

impl From<&WeaponRow> for Weapon {
    fn from(row: &WeaponRow) -> Weapon {
        Weapon {
            kind: row.kind,
            rings: row.rings.clone(),
            multiplier: row.multiplier,
            ammo: row.ammo,
            crew: row.crew,
            short: row.short,
            long: row.long,
            pv: row.pv,
        }
    }
}

/// The target number of an attack and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    /// 2d6 of this much hit; `None` when the target is out of range.
    pub needed: Option<i64>,
    /// The sum that leads to it, in words: `6 + 2 long range − 1 prone`.
    pub sum: String,
}

impl Aim {
    /// The target number of `weapon` in the situation of [`SITUATION`](super::fields::SITUATION), by the
    /// numbers of [`AIM_RULES`](super::fields::AIM_RULES).
    ///
    /// # Errors
    /// Broken built-in data.
    pub fn of(weapon: &Weapon, form: &Form) -> Result<Aim, Vec<Fault>> {
        let wounds = data::data()?.modifier(form.int("attacker_hp") as u8).unwrap_or(0);
        Ok(Aim::at(weapon, form, form, form.maybe_int("range"), wounds))
    }

    /// The same with the numbers of `rules`, at another range and with other wounds.
    pub fn at(weapon: &Weapon, form: &Form, rules: &Form, range: Option<i64>, wounds: i64) -> Aim {
        let range = range.unwrap_or(weapon.short.unwrap_or(1));
        let base = base(weapon.kind, form, rules);
        let mut needed = base;
        let mut sum = base.to_string();
        for (what, modifier) in modifiers(weapon, form, rules, range, wounds) {
            if modifier != 0 {
                needed += modifier;
                sum += &format!(" {modifier:+} {what}");
            }
        }
        Aim { needed: weapon.reaches(range).then_some(needed), sum }
    }

    /// Whether any roll hits.
    pub fn possible(&self) -> bool {
        self.needed.is_some_and(|needed| needed <= 12)
    }

    /// Rolls 2d6 against the target number.
    pub fn hits(&self, dice: &mut impl Dice) -> bool {
        self.reached(dice.sum(2, 6) as u8)
    }

    /// Whether this sum of 2d6 hits.
    pub fn reached(&self, sum: u8) -> bool {
        self.needed.is_some_and(|needed| i64::from(sum) >= needed)
    }
}

fn base(kind: WeaponKind, form: &Form, rules: &Form) -> i64 {
    let ranged = rules.int("base_ranged");
    match kind {
        WeaponKind::Melee => rules.int("base_melee"),
        kind if kind.thrown() => form.maybe_int("ap_spent").unwrap_or(ranged),
        _ => ranged,
    }
}

fn modifiers(
    weapon: &Weapon,
    form: &Form,
    rules: &Form,
    range: i64,
    wounds: i64,
) -> [(&'static str, i64); 14] {
    let long = weapon.is_long(range);
    let when = |holds: bool, modifier: &str| if holds { rules.int(modifier) } else { 0 };
    let is = |flag: &str, modifier: &str| when(form.flag(flag), modifier);
    let low = !weapon.kind.explodes() && (form.flag("prone_target") || form.flag("trench"));
    // Base rules: cover does not count hand to hand, and smoke is an obstruction.
    let times = |count: &str, modifier: &str| match weapon.kind {
        WeaponKind::Melee => 0,
        _ => form.int(count) * rules.int(modifier),
    };
    [
        ("long range", when(long, "long_range_modifier")),
        ("obstructions", times("obstructions", "obstruction_modifier")),
        ("smoke", times("smoke", "smoke_modifier")),
        ("movement fire", is("movement_fire", "movement_fire_modifier")),
        ("sneak suit", when(long && form.flag("sneak_suit"), "sneak_suit_modifier")),
        ("large target", is("large_target", "large_target_modifier")),
        ("entangled", is("attacker_entangled", "entangled_modifier")),
        ("tunnel", is("tunnel", "tunnel_modifier")),
        ("target swims", is("defender_swimming", "swimming_modifier")),
        ("prone attacker", is("prone_attacker", "prone_attacker_modifier")),
        ("prone target", when(low && range > 1, "prone_target_modifier")),
        ("prone target, adjacent", when(low && range <= 1, "prone_adjacent_modifier")),
        ("wounds", wounds),
        ("other", form.int("modifier")),
    ]
}

/// That cover which is given does not count, because the weapon is used hand to hand.
pub fn uncovered(weapon: &Weapon, form: &Form) -> Option<String> {
    let covered = form.int("obstructions") + form.int("smoke") > 0;
    (weapon.kind == WeaponKind::Melee && covered).then(|| {
        "cover does not count hand to hand: `obstructions` and `smoke` are left out".into()
    })
}

/// How hits are marked on a card.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    /// How 2d6 pick a cell.
    pub mapping: CellMapping,
    /// What bludgeoning does where the rules leave it open.
    pub bludgeoning: Bludgeoning,
}

impl Marks {
    /// Reads [`CARD_RULES`](super::fields::CARD_RULES).
    pub fn read(form: &Form) -> Marks {
        Marks {
            mapping: match form.text("cell_mapping") {
                "column" => CellMapping::Column,
                _ => CellMapping::Label,
            },
            bludgeoning: Bludgeoning {
                kills_past_zero: form.text("bludgeoning_past_zero") == "dead",
                passes_armour: form.text("bludgeoning_on_armour") == "passed-on",
            },
        }
    }

    /// Rolls 2d6 for the cell and marks `damage` from there.
    pub fn mark(&self, card: Card, damage: Damage, dice: &mut impl Dice) -> Card {
        let sum = dice.sum(2, 6) as u8;
        self.at(card, damage, sum)
    }

    /// Marks `damage` from the cell that `sum` picks.
    pub fn at(&self, card: Card, damage: Damage, sum: u8) -> Card {
        card.hit(self.mapping.cell(sum), damage, self.bludgeoning)
    }
}

/// The card of a trooper: [`TARGET`](super::fields::TARGET) and the printed armour.
///
/// # Errors
/// Broken built-in data.
pub fn card(form: &Form) -> Result<Card, Vec<Fault>> {
    let cells = armour_cells(data::data()?, form.text("target_armour"));
    let cells = form.maybe_int("armour_cells").map_or(cells, |cells| cells as u8);
    let hp = form.int("target_hp") as u8;
    let from = form.int("armour_from") as u8;
    Ok(match form.flag("advanced_armour") {
        true => Card::new(hp, 0, cells, from),
        false => Card::new(hp, cells, 0, from),
    })
}

fn armour_cells(data: &Shelves, armour: &str) -> u8 {
    data.troop(armour).and_then(|row| row.cells).unwrap_or(0)
}
