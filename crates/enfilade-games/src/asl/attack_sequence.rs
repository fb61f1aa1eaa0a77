//! Attacks in sequence on one Location: the DR, the Personnel, the vehicles, their passengers
//! (A7.3, A7.308, A9.2). The `fire` action makes one attack, or a given number of equal ones by
//! different firers (A7.31), the `rof` action as many as the gun keeps its rate for.
//!
//! Why the state is enough: the DR is forgotten as soon as its results are determined. The state
//! then contains the pending rolls of the Personnel (see [`super::pending_rolls`]), then the turn
//! of the vehicles (see [`super::vehicles`]), then the pending rolls of their passengers. Between
//! two attacks of a machine gun the state is the stack, the number of attacks made and whether the
//! gun still fires. A combat that is over is its tally alone.

use enfilade_model::combat::{Combat, CombatStepExplanation, FieldChange, OutcomeVocabulary};
use enfilade_model::dice::{Dice, RolledDie};
use enfilade_model::static_or_shared::Text;

use super::attack::{DiceReadBeforeModifiers, FireAttackBeforeRoll};
use super::attack_explanation::{self, EqualModifierTargets};
use super::attack_outcome::{
    CountedFireEvent, FireEventCounts, OptionalOutcomeFields, fire_fields_and_measures,
};
use super::pending_rolls::{PersonnelRules, PersonnelWithPendingRolls, roll_sum_of_two_dice};
use super::unit_stack::{StackUnit, encode_fire_result};
use super::vehicles::{ContestVehicles, VehicleTurnProgress};

/// Attacks on one Location.
pub struct AttackSequence {
    /// Attacks in order; none when the firepower is too low for an attack (A7.3).
    pub salvos: Vec<CountedAttack>,
    /// Rules for Personnel.
    pub personnel: PersonnelRules,
    /// Personnel before the first attack.
    pub open: PersonnelWithPendingRolls,
    /// Vehicles of the contest.
    pub convoy: ContestVehicles,
    /// Optional fields of the report.
    pub extras: OptionalOutcomeFields,
    /// Whether the Personnel stay in the state to the end, for an action that follows.
    pub leaves: bool,
}

/// Attack, with the number of times it is made.
pub struct CountedAttack {
    /// Attack that is made.
    pub attack: FireAttackBeforeRoll,
    /// Number of times.
    pub cadence: FixedOrGunAttackCount,
}

/// Number of times that an attack is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixedOrGunAttackCount {
    /// This many, by firers who do not hinder each other (A7.31).
    Volleys(u8),
    /// As long as a machine gun keeps its rate.
    Gun(MachineGunRepeatLimit),
}

/// Machine gun with a rate of fire (A9.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MachineGunRepeatLimit {
    /// Highest coloured die that keeps the rate.
    pub rate: u8,
    /// Largest number of attacks.
    pub most_attacks: u8,
    /// Whether the gun stops when no target is left.
    pub until_clear: bool,
}

impl MachineGunRepeatLimit {
    /// A9.2, A7.9: returns whether the coloured die keeps the gun firing; it does not after
    /// cowering or a breakdown.
    fn keeps_rate_of_fire(self, reading: &DiceReadBeforeModifiers) -> bool {
        reading.coloured <= self.rate && !reading.cowers && reading.malfunctions == 0
    }
}

/// State of the combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FireCombatState {
    stage: FireCombatStage,
    pending: PersonnelWithPendingRolls,
    /// Turn of the vehicles, now or after the Personnel.
    turn: Option<VehicleTurnProgress>,
    /// Index of the attack.
    salvo: u8,
    /// Number of times that the attack has been made.
    attacks_made: u8,
    /// Whether the attack is made again.
    fires_on: bool,
    tally: FireEventCounts,
}

/// Number of stages of an attack, and a bound above the rolls of a stage.
const STAGES_PER_ATTACK: u32 = 3;
const MAX_ROLLS_PER_STAGE: u32 = 1 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum FireCombatStage {
    Attack,
    Personnel,
    Vehicles,
    Passengers,
    Over,
}

impl Combat for AttackSequence {
    type State = FireCombatState;
    type Outcome = FireEventCounts;

    fn initial_state(&self) -> FireCombatState {
        let none = self.salvos.is_empty();
        FireCombatState {
            stage: if none { FireCombatStage::Over } else { FireCombatStage::Attack },
            pending: self.open,
            turn: None,
            salvo: 0,
            attacks_made: 0,
            fires_on: false,
            tally: FireEventCounts::default(),
        }
    }

    fn play_one_step(&self, mut state: FireCombatState, dice: &mut impl Dice) -> FireCombatState {
        match state.stage {
            FireCombatStage::Attack => self.roll_fire_attack(&mut state, dice),
            FireCombatStage::Personnel | FireCombatStage::Passengers => {
                self.personnel.roll_and_apply_next(&mut state.pending, &mut state.tally, dice);
            }
            FireCombatStage::Vehicles => self.roll_vehicle_or_passenger_turn(&mut state, dice),
            FireCombatStage::Over => {}
        }
        self.advance_to_next_die(&mut state);
        state
    }

    /// Orders states by attack, then by stage, then by the number of rolls that the Personnel may
    /// still make, fewer later.
    fn progress(&self, state: &FireCombatState) -> u32 {
        let finished_attacks = state.tally.count_of_event(CountedFireEvent::Attacks).unsigned_abs();
        let ahead = match state.stage {
            FireCombatStage::Attack => {
                return finished_attacks * STAGES_PER_ATTACK * MAX_ROLLS_PER_STAGE;
            }
            FireCombatStage::Personnel | FireCombatStage::Passengers => {
                self.personnel.max_remaining_rolls(&state.pending)
            }
            FireCombatStage::Vehicles | FireCombatStage::Over => 0,
        };
        let stage = state.stage as u32 - FireCombatStage::Personnel as u32;
        // A single attack is not counted.
        let finished_attacks = finished_attacks.saturating_sub(1);
        (finished_attacks * STAGES_PER_ATTACK + stage + 1) * MAX_ROLLS_PER_STAGE
            - 1
            - ahead.min(MAX_ROLLS_PER_STAGE - 2)
    }

    fn outcome_if_over(&self, state: &FireCombatState) -> Option<FireEventCounts> {
        (state.stage == FireCombatStage::Over).then_some(state.tally)
    }

    /// Returns the Personnel left; vehicles and their passengers have states that no field can
    /// express.
    fn field_changes(&self, state: &FireCombatState) -> Vec<FieldChange> {
        vec![match self.convoy.vehicles.is_empty() {
            true => self.personnel.roster.living_targets_after_attack(&state.pending.stack),
            false => FieldChange::Untold(Text::Static("target")),
        }]
    }

    fn vocabulary(&self) -> OutcomeVocabulary<FireEventCounts> {
        fire_fields_and_measures(self.extras)
    }

    fn explain_step(
        &self,
        from: &FireCombatState,
        rolls: &[RolledDie],
        to: &FireCombatState,
    ) -> CombatStepExplanation {
        match (from.stage, &from.turn) {
            (FireCombatStage::Attack, _) => self.explain_attack_roll(from, rolls, to),
            (FireCombatStage::Personnel | FireCombatStage::Passengers, _) => {
                attack_explanation::explain_pending_roll(
                    &self.personnel,
                    &from.pending,
                    rolls,
                    &to.pending,
                )
            }
            (FireCombatStage::Vehicles, Some(turn)) => {
                attack_explanation::explain_vehicle_damage_roll(
                    &self.convoy,
                    turn,
                    &self.personnel.roster,
                    rolls,
                )
            }
            _ => CombatStepExplanation::default(),
        }
    }
}

impl AttackSequence {
    /// A7.3: rolls the DR, and applies its result to its targets.
    fn roll_fire_attack(&self, state: &mut FireCombatState, dice: &mut impl Dice) {
        let mut faces = [0; 2];
        dice.roll_faces(6, &mut faces, &|faces| self.encode_effects_of_roll(state, faces));
        let attack = &self.current_attack(state).attack;
        let reading = attack.read_dice_roll(faces[0], faces[1]);
        state.tally.count_events(CountedFireEvent::Malfunction, reading.malfunctions);
        // The number of a single attack is always one, and would only add to the state.
        if !self.is_at_most_one_attack() {
            state.tally.count_event(CountedFireEvent::Attacks);
            state.attacks_made += 1;
            state.fires_on = self.is_attack_repeated(&reading, state);
        }
        if !self.convoy.vehicles.is_empty() {
            let fallout = self.convoy.compute_vehicle_effect(attack, &reading);
            state.turn = Some(self.convoy.first_vehicle_turn(fallout));
        }
        state.stage = FireCombatStage::Personnel;
        self.personnel.assign_result_to_each_unit(&mut state.pending, &mut state.tally, |unit| {
            attack.result_for_drm(&reading, self.drm_against_unit(attack, unit))
        });
    }

    fn current_attack(&self, state: &FireCombatState) -> &CountedAttack {
        &self.salvos[usize::from(state.salvo)]
    }

    /// Returns whether there is at most one attack, which is then not counted.
    fn is_at_most_one_attack(&self) -> bool {
        matches!(
            self.salvos.as_slice(),
            [] | [CountedAttack { cadence: FixedOrGunAttackCount::Volleys(1), .. }]
        )
    }

    fn drm_against_unit(&self, attack: &FireAttackBeforeRoll, unit: StackUnit) -> i32 {
        attack.drm_for_unit_and_shelter(unit, self.personnel.roster.profile_of(unit).shelter)
    }

    /// Encodes what matters of a DR: the result of every unit, the machine guns that break down,
    /// whether the gun fires on. With vehicles both dice matter.
    fn encode_effects_of_roll(&self, state: &FireCombatState, faces: &[u8]) -> u128 {
        let &[coloured, white] = faces else { return 0 };
        if !self.convoy.vehicles.is_empty() {
            return u128::from(coloured) << 8 | u128::from(white);
        }
        let CountedAttack { attack, cadence } = self.current_attack(state);
        let reading = attack.read_dice_roll(coloured, white);
        let fires_on =
            matches!(cadence, FixedOrGunAttackCount::Gun(gun) if gun.keeps_rate_of_fire(&reading));
        let result = |unit| {
            encode_fire_result(attack.result_for_drm(&reading, self.drm_against_unit(attack, unit)))
        };
        let effect_bits = u128::from(reading.malfunctions) << 1 | u128::from(fires_on);
        let units = state.pending.stack.sorted_units().iter();
        units.fold(effect_bits, |known, unit| known << 5 | u128::from(result(*unit)))
    }

    /// A9.2: returns whether the gun fires again; A7.31: whether other firers do.
    fn is_attack_repeated(
        &self,
        reading: &DiceReadBeforeModifiers,
        state: &FireCombatState,
    ) -> bool {
        match self.current_attack(state).cadence {
            FixedOrGunAttackCount::Volleys(volleys) => state.attacks_made < volleys,
            FixedOrGunAttackCount::Gun(gun) => {
                gun.keeps_rate_of_fire(reading) && state.attacks_made < gun.most_attacks
            }
        }
    }

    /// A7.308, A7.309: rolls the turn of one vehicle, or of one of its passengers.
    fn roll_vehicle_or_passenger_turn(&self, state: &mut FireCombatState, dice: &mut impl Dice) {
        let Some(turn) = &mut state.turn else {
            return;
        };
        let roster = &self.personnel.roster;
        if turn.fleeing > 0 {
            let original = roll_sum_of_two_dice(dice);
            self.convoy.apply_passenger_survival(turn, original, roster, &mut state.tally);
        } else if let Some(blow) = self.convoy.roll_effect_on_vehicle(turn, dice) {
            let stack = &mut state.pending.stack;
            self.convoy.apply_vehicle_turn(turn, blow, stack, roster, &mut state.tally);
        }
    }

    /// Advances to the next stage once no roll of the current stage is due.
    fn advance_to_next_die(&self, state: &mut FireCombatState) {
        if state.stage == FireCombatStage::Vehicles {
            let turn = state.turn.filter(|turn| self.convoy.current_vehicle(turn).is_some());
            if turn.is_none() {
                self.apply_to_passengers_aboard(state);
            }
        }
        let idle = matches!(state.stage, FireCombatStage::Personnel | FireCombatStage::Passengers)
            && self.personnel.next_pending_roll(&state.pending).is_none();
        if idle && state.stage == FireCombatStage::Personnel && state.turn.is_some() {
            state.stage = FireCombatStage::Vehicles;
        } else if idle {
            self.start_next_attack_or_end(state);
        }
    }

    /// A7.308: applies the attack to passengers of vehicles that are not eliminated.
    fn apply_to_passengers_aboard(&self, state: &mut FireCombatState) {
        state.stage = FireCombatStage::Passengers;
        if let Some(turn) = state.turn.take() {
            let result = turn.fallout.collateral;
            self.personnel
                .assign_result_to_each_unit(&mut state.pending, &mut state.tally, |_| result);
        }
    }

    fn start_next_attack_or_end(&self, state: &mut FireCombatState) {
        let is_ongoing = matches!(self.current_attack(state).cadence, FixedOrGunAttackCount::Gun(gun) if !gun.until_clear);
        let anybody = !state.pending.stack.sorted_units().is_empty();
        if state.fires_on && (is_ongoing || anybody) {
            state.stage = FireCombatStage::Attack;
        } else if anybody && usize::from(state.salvo) + 1 < self.salvos.len() {
            state.stage = FireCombatStage::Attack;
            // Each salvo has its own gun and its own number of volleys.
            state.salvo += 1;
            state.attacks_made = 0;
        } else {
            // Where the attacks stopped no longer matters, so all endings of one tally are one
            // state.
            (state.salvo, state.attacks_made) = (0, 0);
            self.personnel.count_effects_on_survivors(&state.pending, &mut state.tally);
            if !self.leaves {
                state.pending = PersonnelWithPendingRolls::NOTHING_PENDING;
            }
            state.stage = FireCombatStage::Over;
        }
        state.fires_on = false;
    }

    /// Groups the targets by the modifiers against them; without targets, returns the modifiers
    /// that would apply.
    fn group_by_modifiers(
        &self,
        attack: &FireAttackBeforeRoll,
        targets: &PersonnelWithPendingRolls,
    ) -> Vec<EqualModifierTargets> {
        let mut aims: Vec<EqualModifierTargets> = Vec::new();
        for &unit in targets.stack.sorted_units() {
            let drm = self.drm_against_unit(attack, unit);
            let who = self.personnel.roster.describe_unit(unit);
            match aims.iter_mut().find(|aim| aim.drm == drm) {
                Some(aim) if aim.targets.contains(&who) => {}
                Some(aim) => aim.targets.push(who),
                None => aims.push(EqualModifierTargets { drm, targets: vec![who] }),
            }
        }
        aims.sort_by_key(|aim| aim.drm);
        if aims.is_empty() {
            aims.push(EqualModifierTargets {
                drm: attack.drm_without_target_modifiers().personnel,
                targets: Vec::new(),
            });
        }
        aims
    }

    fn explain_attack_roll(
        &self,
        from: &FireCombatState,
        rolls: &[RolledDie],
        to: &FireCombatState,
    ) -> CombatStepExplanation {
        let CountedAttack { attack, cadence } = self.current_attack(from);
        let mut telling = attack_explanation::explain_fire_attack_roll(
            attack,
            &self.group_by_modifiers(attack, &from.pending),
            rolls,
        );
        if matches!(cadence, FixedOrGunAttackCount::Gun(_)) {
            let same = to.stage == FireCombatStage::Attack && to.salvo == from.salvo;
            let again = if to.fires_on || same {
                " The gun keeps its rate of fire."
            } else {
                " The gun fires no more."
            };
            telling.text += again;
            telling.rule += ", A9.2";
        }
        if !self.convoy.vehicles.is_empty() {
            telling.text += &attack_explanation::explain_vehicle_line_roll(attack, rolls);
            telling.rule += ", A7.308";
        }
        telling
    }
}
