//! `explosion`: an exploding or burning round, and every trooper near it.
//!
//! Source: Advanced Explosives and Incendiary Weapons. 2d6 against the target number; a miss
//! scatters to a neighbouring dot, unless the weapon burns and is not thrown: then it goes off at
//! the aimed dot. Every trooper takes the damage of their ring, with 2d6 of their own for the cell,
//! unless an obstacle blocks it. Smoke is not modelled.
//!
//! # Why this state is enough
//!
//! No trooper moves between two rounds, and no round is aimed at a trooper who could fall. So all
//! rounds are rolled first; the places where they go off determine every trooper's rings. Then the
//! troopers are resolved one after another, each through all rounds in order. The state is the
//! spots where rounds go off, as far as they matter (`detonation_points.rs`), the current trooper,
//! their card while they take more than one hit, and the numbers of dead and out of action. The
//! identity of finished troopers changes nothing that is reported, and the spot of a round is
//! forgotten after the last trooper whom it reaches.

mod explosion_fields;
mod explosion_place;
mod finished_troopers;
mod round_count;

use std::num::NonZeroU32;

use enfilade_model::catalogue::{Contest, RulebookAction};
use enfilade_model::combat::{Combat, CombatStepExplanation, FieldChange, OutcomeVocabulary};
use enfilade_model::dice::{Dice, RolledDie};
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::FieldGroupFromForm;
use enfilade_model::form::{Fault, Form, combine_results};

use super::action_points::ActionPointFields;
use super::aim::{
    AimCircumstances, AttackWeapon, HitMarking, TargetNumber, check_throw_within_trooper_ap,
    read_marked_cards, read_target_card,
};
use super::aim_notes::{unused_armour_cell_note, unused_throw_ap_note};
use super::attack_fields::{
    AimSituation, AttackRuleNumbers, AttackerFields, HitCardReadings, TargetFields, ThrowFields,
    WeaponFields,
};
use super::detonation_points::{DetonationSpots, SPOT_OUT_OF_REACH};
use super::explosion_outcome::{self, ExplosionOutcome};
use super::hex_grid::{HexDot, scatter_offset};
use super::hit_card::{HitCard, LethalAndBludgeoning};
use super::unit_card::UnitCard;
use explosion_fields::{ExplosionFields, MissEffect, available_ammo, fire_damage_along_path};
use finished_troopers::{FinishedCardStore, MAX_NEARBY_TROOPERS};
use round_count::MAX_ROUNDS_PLAYED;

/// Catalogue entry.
pub const EXPLOSION_ACTION: RulebookAction = RulebookAction::new(
    "explosion",
    "an explosion or fire with scatter, and every trooper near it",
    joined![
        WeaponFields::FIELDS,
        ExplosionFields::FIELDS,
        AttackerFields::FIELDS,
        ActionPointFields::FIELDS,
        ThrowFields::FIELDS,
        AimSituation::FIELDS,
        TargetFields::FIELDS,
        HitCardReadings::FIELDS,
        AttackRuleNumbers::FIELDS,
    ],
    &build_explosion_contest,
    &[
        "weapon = 'light anti-tank'\nrange = 50\ntroopers = [[0, 0], [1, 0], [0, -2]]",
        "weapon = 'hand grenade'\nap_spent = 5\ntroopers = [[0, 0], [0, 1], [1, 1], [-3, 0]]\ntarget_armour = 'standard'",
        "weapon = 'incendiary rocket'\nrange = 100\ntroopers = [[0, 0], [1, -1]]\nfire_entered = 2",
        "weapon = 'flamethrower'\nrange = 5\nends_in_fire = true",
        "weapon = 'heavy flamethrower'\nrange = 12\nincendiary_miss = 'nothing'\ntroopers = [[0, 0], [1, 0]]",
        "weapon = 'grenade launcher'\nin_water = true\nscatter_distance = 2\ntroopers = [[0, 0], [2, 0]]\nadvanced_armour = true\ntarget_armour = 'basic'",
        "weapon = 'hand grenade'\nrounds = 3\ntroopers = [[0, 0], [1, 0], [2, 0]]\nwalls = [[1, -1], [1, 0]]",
        "weapon = 'grenade launcher'\nrounds = 2\nprone_target = true\ntroopers = [[2, 0]]\nlow_walls = [[1, 0]]",
        "damage = '3X/1X'\nkind = 'launcher'\nmodifier = 9\ntroopers = [[1, 0]]",
        "weapon = 'grenade launcher'\nactivations = 1\nattacker_armour = 'basic'\ntroopers = [[0, 0], [1, 0]]",
        "weapon = 'hand grenade'\ntroopers = [[0, 0], [1, 0], [0, 1]]\n[[struck]]\ndead = true\n[[struck]]\ncrossed = [8]",
    ],
)
.with_title_question("How often does the {weapon|explosion} put a trooper out of action?")
.with_off_table(
    "A target number of 2 or less always hits the aimed dot, one above 12 never does. Beyond long \
     range no attack is made. Beyond the last ring there is no damage. A cell roll of 11 or 12 is \
     cell 10 (our reading).",
)
.with_change_reporting_fields(&["struck"])
.with_builder_reporting_changes(&build_explosion_with_cards);

struct ExplosionCombat<C> {
    aim: TargetNumber,
    miss: MissEffect,
    /// Damage by ring, water included.
    rings: Vec<LethalAndBludgeoning>,
    troopers: Vec<HexDot>,
    spots: DetonationSpots,
    rounds: u8,
    /// Later hits on each trooper caught in the fire.
    fire: Vec<LethalAndBludgeoning>,
    marks: HitMarking,
    /// Unmarked cards of the troopers, and their cards before the explosion.
    fresh: Vec<HitCard>,
    before: Vec<HitCard>,
    unit: UnitCard,
    pv: Option<NonZeroU32>,
    /// Storage for cards before the first die.
    done: C,
}

fn build_explosion_contest(form: &Form) -> Result<Contest, Vec<Fault>> {
    build_contest(form, ())
}

fn build_explosion_with_cards(form: &Form) -> Result<Contest, Vec<Fault>> {
    build_contest(form, [None; MAX_NEARBY_TROOPERS])
}

fn build_contest(
    form: &Form,
    done: impl FinishedCardStore + 'static,
) -> Result<Contest, Vec<Fault>> {
    let (weapon_fields, own) = (WeaponFields::read(form), ExplosionFields::read(form));
    let weapon = AttackWeapon::from_row_or_numbers(&weapon_fields)
        .map(|weapon| weapon.into_launcher_if_kind_missing(&weapon_fields));
    let there = AimSituation::read(form);
    let lies = there.prone_target || (there.trench && own.low_walls_at_trenches);
    let walls = explosion_place::read_blocking_dots(&own.walls, &own.low_walls, lies);
    let dots = combine_results(explosion_place::read_trooper_dots(&own.troopers), walls);
    let (weapon, (troopers, walls)) = combine_results(weapon, dots)?;
    check_weapon_explodes(&weapon, &weapon_fields)?;
    let (situation, rules) = (AimSituation::read(form), AttackRuleNumbers::read(form));
    let ap_spent = ThrowFields::read(form).ap_spent;
    let ap = Some(ap_spent);
    let aiming = AimCircumstances { situation: &situation, rules: &rules, ap_spent: ap };
    let attacker = AttackerFields::read(form);
    let card_rules = HitCardReadings::read(form);
    let aim = TargetNumber::for_attacker(&weapon, &attacker, aiming);
    let target = TargetFields::read(form);
    let (aim, (fresh, unit)) = combine_results(aim, read_target_card(&target, &card_rules))?;
    let pace = ActionPointFields::read(form);
    check_throw_within_trooper_ap(&weapon, &attacker, ap_spent, pace.attacker_ap)?;
    let miss = MissEffect::from_fields(&own, &weapon);
    let water = if own.in_water { own.water_damage } else { 0 };
    let wet =
        |ring: &LethalAndBludgeoning| LethalAndBludgeoning { lethal: ring.lethal + water, ..*ring };
    let mut notes = Vec::from_iter(aim.out_of_range_note(&weapon));
    let aimed_twice = miss == MissEffect::Scatters(0) && notes.is_empty();
    notes.extend(aimed_twice.then(|| NO_SCATTER_NOTE.into()));
    notes.extend(unused_armour_cell_note(&target));
    notes.extend(unused_throw_ap_note(&weapon, ap_spent));
    let (fire, burns) = (fire_damage_along_path(&own), weapon.kind.is_incendiary());
    notes.extend((!burns && !fire.is_empty()).then(|| NO_FIRE_NOTE.into()));
    let paced = pace.attacks_afforded(&weapon, &attacker, ap_spent, situation.movement_fire)?;
    let ammo = available_ammo(&own, &weapon);
    let rounds = round_count::count_rounds_that_go_off(own.rounds, ammo, paced, &mut notes)?;
    let fresh = vec![fresh; troopers.len()];
    let (rings, scatter) = (weapon.rings.len(), miss.scatter_distance());
    let spots = DetonationSpots::from_blast_geometry(&troopers, &walls, rings, scatter);
    Ok(Contest::from_rule(ExplosionCombat {
        rounds: aim.attacks_within_range(rounds),
        aim,
        miss,
        rings: weapon.rings.iter().map(wet).collect(),
        spots,
        troopers,
        fire: if burns { fire } else { Vec::new() },
        marks: HitMarking::for_card_and_readings(&card_rules, &unit),
        before: read_marked_cards(&fresh, &target, &unit)?,
        fresh,
        unit,
        pv: weapon.pv,
        done,
    })
    .with_notes(notes)
    .with_size_fields(&["rounds", "activations", "troopers", "fire_entered"]))
}

fn check_weapon_explodes(weapon: &AttackWeapon, fields: &WeaponFields) -> Result<(), Vec<Fault>> {
    if weapon.kind.has_damage_by_ring() {
        return Ok(());
    }
    let fault = Fault::new(fields.field_that_decides_weapon(), "the weapon does not explode");
    Err(vec![fault.with_help("use `attack`, or give `kind = \"launcher\"`")])
}

/// Note on a miss that scatters by no dots.
const NO_SCATTER_NOTE: &str =
    "a miss goes off on the aimed dot as well: the target number decides nothing";

/// Note on fields of a fire for a weapon that does not burn.
const NO_FIRE_NOTE: &str = "the weapon burns nothing: no trooper enters a fire or stops in one";

/// State of the explosion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct ExplosionState<C> {
    stage: ExplosionStage,
    /// Rounds that hit the aimed dot.
    hits: u8,
    /// Rounds that have gone off.
    fired: u8,
    /// Spot of each round; nowhere if it does not go off, is not rolled yet, or is forgotten.
    at: [u8; MAX_ROUNDS_PLAYED],
    dead: u8,
    out: u8,
    done: C,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum ExplosionStage {
    /// Hit dice.
    Aim,
    /// Scatter die.
    Scatter,
    /// Next hit on a trooper by a round: the blast is 0, the fire 1 and more.
    Trooper { index: u8, round: u8, hit: u8, card: HitCard },
    /// No die.
    Over,
}

impl<C: FinishedCardStore> ExplosionCombat<C> {
    /// Advanced Explosives: returns the dots from the place of a round, which is the ring that
    /// counts; `None` out of its reach.
    fn ring_of_trooper(
        &self,
        now: &ExplosionState<C>,
        index: usize,
        round: usize,
    ) -> Option<usize> {
        // Later rounds do not matter to the dead.
        let ring = self.spots.ring_of_trooper_at_spot(now.at[round], index);
        ring.filter(|_| !self.before[index].is_dead())
    }

    /// Returns the first round, from `from` on, that reaches a trooper.
    fn find_next_round_in_reach(
        &self,
        now: &ExplosionState<C>,
        index: usize,
        from: usize,
    ) -> Option<u8> {
        let reached = (from..self.rounds.into())
            .find(|&round| self.ring_of_trooper(now, index, round).is_some());
        reached.map(|round| round as u8)
    }

    /// Turns to the next trooper whom a round reaches.
    fn advance_to_next_trooper(
        &self,
        mut now: ExplosionState<C>,
        from: usize,
    ) -> ExplosionState<C> {
        let mut troopers = from..self.troopers.len();
        let next = troopers
            .find_map(|index| Some((index, self.find_next_round_in_reach(&now, index, 0)?)));
        let Some((index, round)) = next else {
            // The spots are forgotten, so that endings differ only in what is reported.
            return ExplosionState {
                stage: ExplosionStage::Over,
                at: [SPOT_OUT_OF_REACH; MAX_ROUNDS_PLAYED],
                ..now
            };
        };
        now.stage =
            ExplosionStage::Trooper { index: index as u8, round, hit: 0, card: self.before[index] };
        self.forget_spent_rounds(now, index, round)
    }

    /// Forgets the spots of the rounds before this one, if no round reaches a later trooper.
    fn forget_spent_rounds(
        &self,
        mut now: ExplosionState<C>,
        index: usize,
        round: u8,
    ) -> ExplosionState<C> {
        let mut after = index + 1..self.troopers.len();
        if after.all(|index| self.find_next_round_in_reach(&now, index, 0).is_none()) {
            now.at[..usize::from(round)].fill(SPOT_OUT_OF_REACH);
        }
        now
    }

    /// Advanced Explosives: applies the hit dice; misses go off elsewhere.
    fn apply_hit_or_miss(&self, mut now: ExplosionState<C>, hit: bool) -> ExplosionState<C> {
        now.hits += u8::from(hit);
        match self.miss {
            _ if hit => self.record_spot_and_advance(now, self.spots.spot_of_hit()),
            // Without a distance the scatter die has no effect, and is not rolled.
            MissEffect::Scatters(0) => self.record_spot_and_advance(now, self.spots.spot_of_hit()),
            MissEffect::Scatters(_) => ExplosionState { stage: ExplosionStage::Scatter, ..now },
            MissEffect::Fizzles => self.record_spot_and_advance(now, SPOT_OUT_OF_REACH),
        }
    }

    /// Turns to the next round, or to the first trooper after the last round.
    fn record_spot_and_advance(&self, mut now: ExplosionState<C>, at: u8) -> ExplosionState<C> {
        now.at[usize::from(now.fired)] = at;
        now.fired += 1;
        if now.fired < self.rounds {
            now.stage = ExplosionStage::Aim;
            return now;
        }
        self.advance_to_next_trooper(now, 0)
    }

    /// Advanced Explosives, Incendiary Weapons: damage of the ring, then of the fire.
    fn damage_of_hit(
        &self,
        now: &ExplosionState<C>,
        index: u8,
        round: u8,
        hit: u8,
    ) -> LethalAndBludgeoning {
        match hit {
            0 => self.rings[self.ring_of_trooper(now, index.into(), round.into()).unwrap_or(0)],
            n => self.fire[usize::from(n) - 1],
        }
    }

    /// Turns to the next hit on a trooper: the fire, another round, or the next trooper.
    fn advance_to_next_hit(
        &self,
        mut now: ExplosionState<C>,
        index: u8,
        round: u8,
        hit: u8,
        card: HitCard,
    ) -> ExplosionState<C> {
        let burning = usize::from(hit) < self.fire.len();
        let next = match burning {
            true => Some((round, hit + 1)),
            false => {
                let next =
                    self.find_next_round_in_reach(&now, index.into(), usize::from(round) + 1);
                next.map(|round| (round, 0))
            }
        };
        if let Some((round, hit)) = next.filter(|_| !card.is_dead()) {
            now.stage = ExplosionStage::Trooper { index, round, hit, card };
            return self.forget_spent_rounds(now, index.into(), round);
        }
        let out = |card: &HitCard| u8::from(!card.is_dead() && !card.can_trooper_act());
        now.dead += u8::from(card.is_dead());
        now.out += out(&card);
        now.out -= out(&self.before[usize::from(index)]);
        now.done.store_card_of_finished_trooper(index.into(), card);
        self.advance_to_next_trooper(now, usize::from(index) + 1)
    }
}

impl<C: FinishedCardStore> Combat for ExplosionCombat<C> {
    type State = ExplosionState<C>;
    type Outcome = ExplosionOutcome;

    fn initial_state(&self) -> ExplosionState<C> {
        let at = [SPOT_OUT_OF_REACH; MAX_ROUNDS_PLAYED];
        let stage = if self.rounds == 0 { ExplosionStage::Over } else { ExplosionStage::Aim };
        let count = |of: fn(&&HitCard) -> bool| self.before.iter().filter(of).count() as u8;
        let dead = count(|card| card.is_dead());
        let out = count(|card| !card.is_dead() && !card.can_trooper_act());
        ExplosionState { stage, hits: 0, fired: 0, at, dead, out, done: self.done }
    }

    fn play_one_step(&self, now: ExplosionState<C>, dice: &mut impl Dice) -> ExplosionState<C> {
        match now.stage {
            ExplosionStage::Aim => self.apply_hit_or_miss(now, self.aim.roll_to_hit(dice)),
            ExplosionStage::Scatter => {
                self.record_spot_and_advance(now, self.spots.spot_of_miss(dice.die(6)))
            }
            ExplosionStage::Trooper { index, round, hit, card } => {
                let damage = self.damage_of_hit(&now, index, round, hit);
                let card = self.marks.roll_cell_and_mark(card, damage, dice);
                self.advance_to_next_hit(now, index, round, hit, card)
            }
            ExplosionStage::Over => now,
        }
    }

    fn outcome_if_over(&self, now: &ExplosionState<C>) -> Option<ExplosionOutcome> {
        let outcome = ExplosionOutcome { hits: now.hits, dead: now.dead, out: now.out };
        (now.stage == ExplosionStage::Over).then_some(outcome)
    }

    fn field_changes(&self, now: &ExplosionState<C>) -> Vec<FieldChange> {
        now.done.field_changes_since(&self.before, &self.fresh, &self.unit)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<ExplosionOutcome> {
        let mut measures = explosion_outcome::explosion_measures();
        measures.extend(self.pv.into_iter().flat_map(explosion_outcome::kills_per_100_pv_measure));
        OutcomeVocabulary { fields: explosion_outcome::explosion_fields(), measures }
    }

    fn explain_step(
        &self,
        from: &ExplosionState<C>,
        rolls: &[RolledDie],
        to: &ExplosionState<C>,
    ) -> CombatStepExplanation {
        let faces: Vec<_> = rolls.iter().map(|roll| roll.face).collect();
        let sum: u8 = faces.iter().sum();
        match from.stage {
            ExplosionStage::Aim => {
                let needed = self.aim.needed.map_or("–".into(), |needed| needed.to_string());
                let result = if to.hits > from.hits { "a hit" } else { "a miss" };
                let text =
                    format!("2d6 {faces:?} = {sum} against {needed} ({}): {result}.", self.aim.sum);
                CombatStepExplanation::new("Attacks", text)
            }
            ExplosionStage::Scatter => {
                let at = scatter_offset(self.miss.scatter_distance(), sum);
                let text = format!("Scatter die {sum}: it explodes at {at:?} from the aimed dot.");
                CombatStepExplanation::new("Explosives", text)
            }
            ExplosionStage::Trooper { index, round, hit, card } => {
                let damage = self.damage_of_hit(from, index, round, hit);
                let after = self.marks.mark_damage_at_sum(card, damage, sum);
                let dot = self.troopers[usize::from(index)];
                let state = match (after.is_dead(), after.remaining_hp()) {
                    (true, _) => "dead".into(),
                    (false, 0) => "out of action".into(),
                    (false, hp) => format!("HP {hp}"),
                };
                let text = format!(
                    "The trooper at {dot:?} takes {}X from cell {} (2d6 {faces:?}): {state}.",
                    damage.lethal,
                    self.marks.cell_of_sum(sum)
                );
                CombatStepExplanation::new("Explosives", text)
            }
            ExplosionStage::Over => CombatStepExplanation::default(),
        }
    }
}
