//! Attacks with a weapon: the weapon, the target number of its 2d6, and the card of the target.
//!
//! Source: base rules (attacks) and the modifiers of the advanced rules. Arcs and lines of fire are
//! not drawn: obstructions and ranges are given.

use std::num::NonZeroU32;

use enfilade_model::combat::FieldChange;
use enfilade_model::dice::Dice;
use enfilade_model::form::{Fault, combine_results};
use enfilade_model::static_or_shared::Text;

use super::attack_fields::{
    AimSituation, AttackRuleNumbers, AttackerFields, BludgeoningOnArmour,
    BludgeoningPastZeroEffect, HitCardReadings, TargetFields, WeaponFields, armour_cell_count,
};
use super::hit_card::{BludgeoningRules, HitCard, LethalAndBludgeoning};
use super::skirmishers_data::{self, WeaponKind, WeaponRow};
use super::unit_card::{TWO_DICE_SUM_COUNT, UnitCard};

/// Weapon, named or in numbers.
#[derive(Clone, Debug)]
pub struct AttackWeapon {
    /// Use of the weapon.
    pub kind: WeaponKind,
    /// Damage by ring.
    pub rings: Vec<LethalAndBludgeoning>,
    /// Attacks for each shot of an arc.
    pub multiplier: u8,
    /// Action points of an attack, where they are printed.
    pub ap: Option<i64>,
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

impl AttackWeapon {
    /// Reads a weapon from a form: from the named row, and the explicit numbers, which override it.
    ///
    /// # Errors
    /// If neither a name nor damage is given, or the text is not a printed damage.
    pub fn from_row_or_numbers(weapon: &WeaponFields) -> Result<AttackWeapon, Vec<Fault>> {
        let row = weapon.weapon;
        let rings = match (&weapon.damage, row) {
            (Some(damage), _) => skirmishers_data::parse_damage_by_ring(damage)
                .map_err(|problem| vec![Fault::new("damage", problem)]),
            (None, Some(row)) => Ok(row.rings.clone()),
            (None, None) => {
                let fault = Fault::new("damage", "`damage` is missing");
                Err(vec![fault.with_help("name a `weapon`, or give its `damage`, such as \"4X\"")])
            }
        };
        let short = weapon.short.or(row.and_then(|row| row.short));
        let long = weapon.long.or(row.and_then(|row| row.long));
        let (rings, ()) = combine_results(rings, check_range_order(short, long))?;
        let printed = row.map_or_else(
            || AttackWeapon::new_with_kind_by_ring_count(rings.len()),
            AttackWeapon::from,
        );
        Ok(AttackWeapon {
            kind: weapon.kind.unwrap_or(printed.kind),
            rings,
            short,
            long,
            ..printed
        })
    }

    /// Creates a weapon from the number of rings of its damage: with more than one it explodes.
    fn new_with_kind_by_ring_count(rings: usize) -> AttackWeapon {
        AttackWeapon {
            kind: match rings {
                0 | 1 => WeaponKind::Ranged,
                _ => WeaponKind::Launcher,
            },
            rings: Vec::new(),
            multiplier: 1,
            ap: None,
            ammo: None,
            crew: 0,
            short: None,
            long: None,
            pv: None,
        }
    }

    /// Makes a weapon in numbers without `kind` a launcher, where only explosives are taken.
    pub fn into_launcher_if_kind_missing(self, weapon: &WeaponFields) -> AttackWeapon {
        let is_described = weapon.weapon.is_some() || weapon.kind.is_some();
        let kind = if is_described { self.kind } else { WeaponKind::Launcher };
        AttackWeapon { kind, ..self }
    }

    /// Returns the damage at the aimed point.
    pub fn damage_at_aimed_point(&self) -> LethalAndBludgeoning {
        self.rings.first().copied().unwrap_or_default()
    }

    /// Base rules: returns whether a target `range` dots away can be attacked at all. Hand to hand
    /// only an adjacent one can, unless the weapon has a longer range.
    fn is_range_reachable(&self, range: i64) -> bool {
        let adjacent = (self.kind == WeaponKind::Melee).then_some(ADJACENT_DISTANCE);
        self.long.or(self.short).or(adjacent).is_none_or(|farthest| range <= farthest)
    }

    /// Incendiary Weapons: "Short Range AP", "Long Range –". Whether the range is the AP spent.
    pub fn is_range_by_ap(&self) -> bool {
        self.kind.is_thrown() && self.short.is_none() && self.long.is_none()
    }

    /// Base rules: returns whether a target is beyond short range.
    pub fn is_beyond_short_range(&self, range: i64) -> bool {
        self.short.is_some_and(|short| range > short)
    }
}

/// Note for a throw beyond its AP.
const THROWN_TOO_FAR_NOTE: &str = "the target is out of range: no attack is made. A throw goes as many dots as AP are spent \
                              on it, `ap_spent` (Short Range \"AP\", Long Range \"–\"); `long` is another reach";

/// Distance to an adjacent trooper, in dots.
const ADJACENT_DISTANCE: i64 = 1;

/// Checks that short range is not beyond long range.
fn check_range_order(short: Option<i64>, long: Option<i64>) -> Result<(), Vec<Fault>> {
    match (short, long) {
        (Some(short), Some(long)) if short > long => {
            let problem = format!("`short` is {short}, beyond `long`, {long}");
            Err(vec![Fault::new("short", problem)])
        }
        _ => Ok(()),
    }
}

impl From<&WeaponRow> for AttackWeapon {
    fn from(row: &WeaponRow) -> AttackWeapon {
        AttackWeapon {
            kind: row.kind,
            rings: row.rings.clone(),
            multiplier: row.multiplier,
            ap: row.ap.map(i64::from),
            ammo: row.ammo,
            crew: row.crew,
            short: row.short,
            long: row.long,
            pv: row.pv,
        }
    }
}

/// Circumstances that determine the target number of an attack.
#[derive(Clone, Copy)]
pub struct AimCircumstances<'a> {
    /// Places and conditions of both sides.
    pub situation: &'a AimSituation,
    /// Numbers of the rules.
    pub rules: &'a AttackRuleNumbers,
    /// AP spent on a throw, where they matter.
    pub ap_spent: Option<i64>,
}

/// Target number of an attack, with its derivation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetNumber {
    /// Least sum of 2d6 that hits; `None` when the target is out of range.
    pub needed: Option<i64>,
    /// Derivation of the number: `6 + 2 long range − 1 prone`.
    pub sum: String,
}

impl TargetNumber {
    /// Base rules: computes the target number of `weapon` for `attacker`.
    ///
    /// # Errors
    /// Faults of the unit card.
    pub fn for_attacker(
        weapon: &AttackWeapon,
        attacker: &AttackerFields,
        aiming: AimCircumstances,
    ) -> Result<TargetNumber, Vec<Fault>> {
        let (card, hp) = attacker.card_and_hp()?;
        Ok(TargetNumber::at_range_with_wounds(
            weapon,
            aiming,
            attacker.range,
            card.attack_modifier(hp).unwrap_or(0),
        ))
    }

    /// Computes the target number at a range and with the modifier of `wounds`.
    pub fn at_range_with_wounds(
        weapon: &AttackWeapon,
        aiming: AimCircumstances,
        range: Option<i64>,
        wounds: i64,
    ) -> TargetNumber {
        let range = range.unwrap_or(weapon.short.unwrap_or(ADJACENT_DISTANCE));
        let base = aiming.base_number_for_weapon_kind(weapon.kind);
        let mut needed = base;
        let mut sum = base.to_string();
        for (what, modifier) in aiming.target_number_modifiers(weapon, range, wounds) {
            if modifier != 0 {
                needed += modifier;
                sum += &format!(" {modifier:+} {what}");
            }
        }
        TargetNumber { needed: aiming.is_range_reachable(weapon, range).then_some(needed), sum }
    }

    /// Base rules: returns how many of `attacks` are made; none beyond the range of the weapon.
    pub fn attacks_within_range(&self, attacks: u8) -> u8 {
        if self.needed.is_some() { attacks } else { 0 }
    }

    /// Returns the note that no attack is made.
    pub fn out_of_range_note(&self, weapon: &AttackWeapon) -> Option<String> {
        let why = match weapon.is_range_by_ap() {
            true => THROWN_TOO_FAR_NOTE,
            false => "the target is out of range: no attack is made",
        };
        self.needed.is_none().then(|| why.into())
    }

    /// Returns whether any roll hits.
    pub fn can_hit_with_any_roll(&self) -> bool {
        self.needed.is_some_and(|needed| needed <= 12)
    }

    /// Base rules: 2d6 at or above the target number hit.
    ///
    /// Rolls 2d6 against the target number.
    pub fn roll_to_hit(&self, dice: &mut impl Dice) -> bool {
        self.is_sum_hit(dice.sum(2, 6) as u8)
    }

    /// Base rules: returns whether this sum of 2d6 hits.
    pub fn is_sum_hit(&self, sum: u8) -> bool {
        self.needed.is_some_and(|needed| i64::from(sum) >= needed)
    }
}

impl AimCircumstances<'_> {
    /// Base rules, Incendiary Weapons: whether a target is in range; a throw goes as far as its AP.
    fn is_range_reachable(&self, weapon: &AttackWeapon, range: i64) -> bool {
        match weapon.is_range_by_ap() {
            true => range <= self.base_number_for_weapon_kind(weapon.kind),
            false => weapon.is_range_reachable(range),
        }
    }

    /// Base rules: returns the target number of a weapon before modifiers.
    fn base_number_for_weapon_kind(&self, kind: WeaponKind) -> i64 {
        match kind {
            WeaponKind::Melee => self.rules.base_melee,
            kind if kind.is_thrown() => self.ap_spent.unwrap_or(self.rules.base_ranged),
            _ => self.rules.base_ranged,
        }
    }

    /// Base rules, Movement Fire, Sneak Suits, Large Targets, Advanced Terrain: returns the
    /// modifiers of the target number.
    fn target_number_modifiers(
        &self,
        weapon: &AttackWeapon,
        range: i64,
        wounds: i64,
    ) -> [(&'static str, i64); 14] {
        let (there, rules) = (self.situation, self.rules);
        let long = weapon.is_beyond_short_range(range);
        let when = |is_protected: bool, modifier: i64| if is_protected { modifier } else { 0 };
        let low = !weapon.kind.has_damage_by_ring() && (there.prone_target || there.trench);
        // Base rules: cover does not count hand to hand, and smoke is an obstruction.
        let covered = weapon.kind != WeaponKind::Melee;
        let times = |count: i64, modifier: i64| when(covered, count * modifier);
        [
            ("long range", when(long, rules.long_range_modifier)),
            ("obstructions", times(there.obstructions, rules.obstruction_modifier)),
            ("smoke", times(there.smoke, rules.smoke_modifier)),
            ("movement fire", when(there.movement_fire, rules.movement_fire_modifier)),
            ("sneak suit", when(long && there.sneak_suit, rules.sneak_suit_modifier)),
            ("large target", when(there.large_target, rules.large_target_modifier)),
            ("entangled", when(there.attacker_entangled, rules.entangled_modifier)),
            ("tunnel", when(there.tunnel, rules.tunnel_modifier)),
            ("target swims", when(there.defender_swimming, rules.swimming_modifier)),
            ("prone attacker", when(there.prone_attacker, rules.prone_attacker_modifier)),
            ("prone target", when(low && range > ADJACENT_DISTANCE, rules.prone_target_modifier)),
            (
                "prone target, adjacent",
                when(low && range <= ADJACENT_DISTANCE, rules.prone_adjacent_modifier),
            ),
            ("wounds", wounds),
            ("other", there.modifier),
        ]
    }
}

/// Rules for marking hits on a card.
#[derive(Clone, Copy, Debug)]
pub struct HitMarking {
    /// Cell that each sum of 2d6 picks, from 2 on.
    pub starts: [u8; TWO_DICE_SUM_COUNT],
    /// Readings for bludgeoning where the rules leave it open.
    pub bludgeoning: BludgeoningRules,
}

impl HitMarking {
    /// Creates the rules for a unit card, by the readings of a contest.
    pub fn for_card_and_readings(rules: &HitCardReadings, card: &UnitCard) -> HitMarking {
        HitMarking {
            starts: card.hit_cells_by_sum(rules.cell_mapping),
            bludgeoning: BludgeoningRules {
                kills_past_zero: rules.bludgeoning_past_zero == BludgeoningPastZeroEffect::Dead,
                passes_armour: rules.bludgeoning_on_armour == BludgeoningOnArmour::PassedOn,
            },
        }
    }

    /// Base rules: a hit starts at a cell picked by 2d6.
    ///
    /// Rolls 2d6 for the cell and marks `damage` from there.
    pub fn roll_cell_and_mark(
        &self,
        card: HitCard,
        damage: LethalAndBludgeoning,
        dice: &mut impl Dice,
    ) -> HitCard {
        let sum = dice.sum(2, 6) as u8;
        self.mark_damage_at_sum(card, damage, sum)
    }

    /// Unit card: marks `damage` from the cell that `sum` picks.
    pub fn mark_damage_at_sum(
        &self,
        card: HitCard,
        damage: LethalAndBludgeoning,
        sum: u8,
    ) -> HitCard {
        card.apply_hit(self.cell_of_sum(sum), damage, self.bludgeoning)
    }

    /// Returns the cell that `sum` picks.
    pub fn cell_of_sum(&self, sum: u8) -> u8 {
        self.starts[usize::from(sum.clamp(2, 12)) - 2]
    }
}

/// Checks that a throw has no more AP than the most experienced trooper so wounded, or `given`.
///
/// # Errors
/// More AP, and faults of the unit card.
pub fn check_throw_within_trooper_ap(
    weapon: &AttackWeapon,
    attacker: &AttackerFields,
    ap_spent: i64,
    action_points: Option<i64>,
) -> Result<(), Vec<Fault>> {
    let (card, hp) = attacker.card_and_hp()?;
    let best =
        skirmishers_data::skirmishers_data().troops.iter().map(|row| row.ap).max().unwrap_or(0);
    let most = action_points.unwrap_or_else(|| card.action_points(hp, best));
    if !weapon.kind.is_thrown() || ap_spent <= most {
        return Ok(());
    }
    let problem =
        format!("{ap_spent} AP for a throw, and a trooper with {hp} HP has {most} at most");
    let help = "give fewer, or the AP of your own troopers: `attacker_card`";
    Err(vec![Fault::new("ap_spent", problem).with_help(help)])
}

/// Reads the attacked trooper: the marks on the unit card, and the card itself.
///
/// # Errors
/// Faults of the unit card, and HP or cells that it does not have.
pub fn read_target_card(
    target: &TargetFields,
    rules: &HitCardReadings,
) -> Result<(HitCard, UnitCard), Vec<Fault>> {
    let cells = rules.armour_cells.unwrap_or_else(|| armour_cell_count(target.target_armour));
    let unit = UnitCard::from_field_or_default(target.card.as_ref(), "card")?;
    let card = new_card_with_armour(&unit, target.target_hp, cells, target)?;
    Ok((card, unit))
}

/// Body Armor: "With the advanced body armor rules, the body armor protects a number of
/// contiguous cells". "For example, with standard body armor, mark 4 contiguous cells".
///
/// Creates the marks of a trooper with `hp` left, all of them if there are none given, and with
/// `cells` cells of armour, of the kind that the target wears.
///
/// # Errors
/// If HP or cells are not on the card, or the highest cell has too few below it.
pub fn new_card_with_armour(
    unit: &UnitCard,
    hp: Option<u8>,
    cells: u8,
    target: &TargetFields,
) -> Result<HitCard, Vec<Fault>> {
    let lowest = cells.saturating_sub(1).min(unit.top_hp());
    let from = target.armour_from.unwrap_or(lowest);
    let (hp, from) =
        combine_results(unit.read_hp(hp, "target_hp"), unit.read_hp(Some(from), "armour_from"))?;
    let below = from + 1;
    if target.advanced_armour
        && target.armour_from.is_some()
        && below < cells.min(unit.top_hp() + 1)
    {
        let problem = format!(
            "the armour protects {cells} cells in a row, and from cell {from} down there are {below}"
        );
        let help = "give a higher cell, or `armour_cells` for how many it protects";
        return Err(vec![Fault::new("armour_from", problem).with_help(help)]);
    }
    Ok(match target.advanced_armour {
        true => HitCard::new(hp, 0, cells, from),
        false => HitCard::new(hp, cells, 0, from),
    })
}

/// Reads the cards of troopers who have been struck before, if there are any.
///
/// # Errors
/// If there are more cards than troopers, or cells that the card does not have.
pub fn read_marked_cards(
    fresh: &[HitCard],
    target: &TargetFields,
    unit: &UnitCard,
) -> Result<Vec<HitCard>, Vec<Fault>> {
    let struck_cells = target.struck.as_deref().unwrap_or_default();
    if struck_cells.len() > fresh.len() {
        let problem =
            format!("marks on {} cards, and there are {} targets", struck_cells.len(), fresh.len());
        return Err(vec![Fault::new("struck", problem)]);
    }
    let mut cards = fresh.to_vec();
    let mut faults = Vec::new();
    for (place, (card, marks)) in cards.iter_mut().zip(struck_cells).enumerate() {
        let lists = [
            ("crossed", &marks.crossed),
            ("half_crossed", &marks.half_crossed),
            ("armour_crossed", &marks.armour_crossed),
            ("armour_half_crossed", &marks.armour_half_crossed),
        ];
        for (field, cells) in lists {
            if let Some(cell) = cells.iter().flatten().find(|cell| **cell > unit.top_hp()) {
                let problem =
                    format!("the highest cell of the card is {}, not {cell}", unit.top_hp());
                faults.push(Fault::new(format!("struck[{place}].{field}"), problem));
            }
        }
        *card = card.with_added_marks(marks);
    }
    if faults.is_empty() { Ok(cards) } else { Err(faults) }
}

/// Returns the change of the field for the marks on the cards of troopers who were `fresh`; empty
/// if all are dead. Cells of advanced armour are listed where they differ between the troopers,
/// because no other field contains them.
pub fn change_of_marks_field(
    field: &'static str,
    cards: &[HitCard],
    fresh: &[HitCard],
    unit: &UnitCard,
) -> FieldChange {
    let mixed = fresh
        .iter()
        .any(|card| card.intact_advanced_armour_bits() != fresh[0].intact_advanced_armour_bits());
    let marks = || {
        cards.iter().zip(fresh).map(|(card, fresh)| card.marks_since(fresh, unit.top_hp(), mixed))
    };
    let all_dead = cards.iter().all(HitCard::is_dead);
    FieldChange::Written(Text::Static(field), if all_dead { Vec::new() } else { marks().collect() })
}
