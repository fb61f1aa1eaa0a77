//! Attacks in sequence on one Location: the DR, the Personnel, the vehicles, their passengers
//! (A7.3, A7.308, A9.2). The `fire` action makes one attack, or a given number of equal ones by
//! different firers (A7.31), the `rof` action as many as the gun keeps its rate for.
//!
//! Why the state is enough: the DR is forgotten as soon as its results are determined. The state
//! then contains the pending rolls of the Personnel (see [`super::pending_rolls`]), then the turn of the
//! vehicles (see [`super::vehicles`]), then the pending rolls of their passengers. Between two
//! attacks of a machine gun the state is the stack, the number of attacks made and whether the gun
//! still fires. A combat that is over is its tally alone.

use enfilade_model::combat::{Combat, Explanation, FieldChange, Vocabulary};
use enfilade_model::dice::{Dice, Roll};
use enfilade_model::shared::Text;

use super::attack::{DiceReading, FireAttack};
use super::attack_explanation::{self, AimGroup};
use super::pending_rolls::{PendingRolls, PersonnelRules, roll_two};
use super::tally::{FireEvent, FireTally, OptionalFields, build_vocabulary};
use super::unit_stack::{StackUnit, encode_result};
use super::vehicles::{Convoy, VehicleTurn};

/// Attacks on one Location.
pub struct FireAttacks {
    /// Attacks in order; none when the firepower is too low for an attack (A7.3).
    pub salvos: Vec<RepeatedAttack>,
    /// Rules for Personnel.
    pub personnel: PersonnelRules,
    /// Personnel before the first attack.
    pub open: PendingRolls,
    /// Vehicles of the contest.
    pub convoy: Convoy,
    /// Optional fields of the report.
    pub extras: OptionalFields,
    /// Whether the Personnel stay in the state to the end, for an action that follows.
    pub leaves: bool,
}

/// Attack, with the number of times it is made.
pub struct RepeatedAttack {
    /// Attack that is made.
    pub attack: FireAttack,
    /// Number of times.
    pub cadence: AttackCadence,
}

/// Number of times that an attack is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttackCadence {
    /// This many, by firers who do not hinder each other (A7.31).
    Volleys(u8),
    /// As long as a machine gun keeps its rate.
    Gun(Gun),
}

/// Machine gun with a rate of fire (A9.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gun {
    /// Highest coloured die that keeps the rate.
    pub rate: u8,
    /// Largest number of attacks.
    pub most_attacks: u8,
    /// Whether the gun stops when no target is left.
    pub until_clear: bool,
}

impl Gun {
    /// A9.2, A7.9: returns whether the coloured die keeps the gun firing; it does not after
    /// cowering or a breakdown.
    fn keeps_rate(self, reading: &DiceReading) -> bool {
        reading.coloured <= self.rate && !reading.cowers && reading.malfunctions == 0
    }
}

/// State of the combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FireState {
    stage: FireStage,
    pending: PendingRolls,
    /// Turn of the vehicles, now or after the Personnel.
    turn: Option<VehicleTurn>,
    /// Index of the attack.
    salvo: u8,
    /// Number of times that the attack has been made.
    made: u8,
    /// Whether the attack is made again.
    fires_on: bool,
    tally: FireTally,
}

/// Number of stages of an attack, and a bound above the rolls of a stage.
const STAGES: u32 = 3;
const MOST_ROLLS: u32 = 1 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum FireStage {
    Attack,
    Personnel,
    Vehicles,
    Passengers,
    Over,
}

impl Combat for FireAttacks {
    type State = FireState;
    type Outcome = FireTally;

    fn initial_state(&self) -> FireState {
        let none = self.salvos.is_empty();
        FireState {
            stage: if none { FireStage::Over } else { FireStage::Attack },
            pending: self.open,
            turn: None,
            salvo: 0,
            made: 0,
            fires_on: false,
            tally: FireTally::default(),
        }
    }

    fn step(&self, mut state: FireState, dice: &mut impl Dice) -> FireState {
        match state.stage {
            FireStage::Attack => self.roll_attack(&mut state, dice),
            FireStage::Personnel | FireStage::Passengers => {
                self.personnel.roll_next(&mut state.pending, &mut state.tally, dice);
            }
            FireStage::Vehicles => self.strike_vehicle(&mut state, dice),
            FireStage::Over => {}
        }
        self.advance_to_next_die(&mut state);
        state
    }

    /// Orders states by attack, then by stage, then by the number of rolls that the Personnel may
    /// still make, fewer later.
    fn progress(&self, state: &FireState) -> u32 {
        let made = state.tally.count_of(FireEvent::Attacks).unsigned_abs();
        let ahead = match state.stage {
            FireStage::Attack => return made * STAGES * MOST_ROLLS,
            FireStage::Personnel | FireStage::Passengers => {
                self.personnel.remaining_rolls_bound(&state.pending)
            }
            FireStage::Vehicles | FireStage::Over => 0,
        };
        let stage = state.stage as u32 - FireStage::Personnel as u32;
        // A single attack is not counted.
        let made = made.saturating_sub(1);
        (made * STAGES + stage + 1) * MOST_ROLLS - 1 - ahead.min(MOST_ROLLS - 2)
    }

    fn outcome(&self, state: &FireState) -> Option<FireTally> {
        (state.stage == FireStage::Over).then_some(state.tally)
    }

    /// Returns the Personnel left; vehicles and their passengers have states that no field can
    /// express.
    fn field_changes(&self, state: &FireState) -> Vec<FieldChange> {
        vec![match self.convoy.vehicles.is_empty() {
            true => self.personnel.roster.target_after_attack(&state.pending.stack),
            false => FieldChange::Untold(Text::Static("target")),
        }]
    }

    fn vocabulary(&self) -> Vocabulary<FireTally> {
        build_vocabulary(self.extras)
    }

    fn explain(&self, from: &FireState, rolls: &[Roll], to: &FireState) -> Explanation {
        match (from.stage, &from.turn) {
            (FireStage::Attack, _) => self.explain_attack(from, rolls, to),
            (FireStage::Personnel | FireStage::Passengers, _) => {
                attack_explanation::explain_pending(
                    &self.personnel,
                    &from.pending,
                    rolls,
                    &to.pending,
                )
            }
            (FireStage::Vehicles, Some(turn)) => attack_explanation::explain_vehicle(
                &self.convoy,
                turn,
                &self.personnel.roster,
                rolls,
            ),
            _ => Explanation::default(),
        }
    }
}

impl FireAttacks {
    /// A7.3: rolls the DR, and applies its result to its targets.
    fn roll_attack(&self, state: &mut FireState, dice: &mut impl Dice) {
        let mut faces = [0; 2];
        dice.roll(6, &mut faces, &|faces| self.encode_effects(state, faces));
        let attack = &self.attack_at(state).attack;
        let reading = attack.read_dice(faces[0], faces[1]);
        state.tally.add_events(FireEvent::Malfunction, reading.malfunctions);
        // The number of a single attack is always one, and would only add to the state.
        if !self.is_single() {
            state.tally.add_event(FireEvent::Attacks);
            state.made += 1;
            state.fires_on = self.keeps_firing(&reading, state);
        }
        if !self.convoy.vehicles.is_empty() {
            let fallout = self.convoy.compute_fallout(attack, &reading);
            state.turn = Some(self.convoy.first_turn(fallout));
        }
        state.stage = FireStage::Personnel;
        self.personnel.apply_results(&mut state.pending, &mut state.tally, |unit| {
            attack.result_for(&reading, self.drm_against(attack, unit))
        });
    }

    fn attack_at(&self, state: &FireState) -> &RepeatedAttack {
        &self.salvos[usize::from(state.salvo)]
    }

    /// Returns whether there is at most one attack, which is then not counted.
    fn is_single(&self) -> bool {
        matches!(
            self.salvos.as_slice(),
            [] | [RepeatedAttack { cadence: AttackCadence::Volleys(1), .. }]
        )
    }

    fn drm_against(&self, attack: &FireAttack, unit: StackUnit) -> i32 {
        attack.drm_against(unit, self.personnel.roster.profile_of(unit).shelter)
    }

    /// Encodes what matters of a DR: the result of every unit, the machine guns that break down,
    /// whether the gun fires on. With vehicles both dice matter.
    fn encode_effects(&self, state: &FireState, faces: &[u8]) -> u128 {
        let &[coloured, white] = faces else { return 0 };
        if !self.convoy.vehicles.is_empty() {
            return u128::from(coloured) << 8 | u128::from(white);
        }
        let RepeatedAttack { attack, cadence } = self.attack_at(state);
        let reading = attack.read_dice(coloured, white);
        let fires_on = matches!(cadence, AttackCadence::Gun(gun) if gun.keeps_rate(&reading));
        let result =
            |unit| encode_result(attack.result_for(&reading, self.drm_against(attack, unit)));
        let known = u128::from(reading.malfunctions) << 1 | u128::from(fires_on);
        let units = state.pending.stack.units().iter();
        units.fold(known, |known, unit| known << 5 | u128::from(result(*unit)))
    }

    /// A9.2: returns whether the gun fires again; A7.31: whether other firers do.
    fn keeps_firing(&self, reading: &DiceReading, state: &FireState) -> bool {
        match self.attack_at(state).cadence {
            AttackCadence::Volleys(volleys) => state.made < volleys,
            AttackCadence::Gun(gun) => gun.keeps_rate(reading) && state.made < gun.most_attacks,
        }
    }

    /// A7.308, A7.309: rolls the turn of one vehicle, or of one of its passengers.
    fn strike_vehicle(&self, state: &mut FireState, dice: &mut impl Dice) {
        let Some(turn) = &mut state.turn else {
            return;
        };
        let roster = &self.personnel.roster;
        if turn.fleeing > 0 {
            let original = roll_two(dice);
            self.convoy.apply_survival(turn, original, roster, &mut state.tally);
        } else if let Some(blow) = self.convoy.roll_strike(turn, dice) {
            let stack = &mut state.pending.stack;
            self.convoy.apply_blow(turn, blow, stack, roster, &mut state.tally);
        }
    }

    /// Advances to the next stage once no roll of the current stage is due.
    fn advance_to_next_die(&self, state: &mut FireState) {
        if state.stage == FireStage::Vehicles {
            let turn = state.turn.filter(|turn| self.convoy.current_vehicle(turn).is_some());
            if turn.is_none() {
                self.hit_passengers(state);
            }
        }
        let idle = matches!(state.stage, FireStage::Personnel | FireStage::Passengers)
            && self.personnel.next_task(&state.pending).is_none();
        if idle && state.stage == FireStage::Personnel && state.turn.is_some() {
            state.stage = FireStage::Vehicles;
        } else if idle {
            self.start_next_attack(state);
        }
    }

    /// A7.308: applies the attack to passengers of vehicles that are not eliminated.
    fn hit_passengers(&self, state: &mut FireState) {
        state.stage = FireStage::Passengers;
        if let Some(turn) = state.turn.take() {
            let result = turn.fallout.collateral;
            self.personnel.apply_results(&mut state.pending, &mut state.tally, |_| result);
        }
    }

    fn start_next_attack(&self, state: &mut FireState) {
        let stays =
            matches!(self.attack_at(state).cadence, AttackCadence::Gun(gun) if !gun.until_clear);
        let anybody = !state.pending.stack.units().is_empty();
        if state.fires_on && (stays || anybody) {
            state.stage = FireStage::Attack;
        } else if anybody && usize::from(state.salvo) + 1 < self.salvos.len() {
            state.stage = FireStage::Attack;
            // Each salvo has its own gun and its own number of volleys.
            state.salvo += 1;
            state.made = 0;
        } else {
            // Where the attacks stopped no longer matters, so all endings of one tally are one
            // state.
            (state.salvo, state.made) = (0, 0);
            self.personnel.count_survivors(&state.pending, &mut state.tally);
            if !self.leaves {
                state.pending = PendingRolls::NONE;
            }
            state.stage = FireStage::Over;
        }
        state.fires_on = false;
    }

    /// Groups the targets by the modifiers against them; without targets, returns the modifiers
    /// that would apply.
    fn group_targets(&self, attack: &FireAttack, targets: &PendingRolls) -> Vec<AimGroup> {
        let mut aims: Vec<AimGroup> = Vec::new();
        for &unit in targets.stack.units() {
            let drm = self.drm_against(attack, unit);
            let who = self.personnel.roster.describe(unit);
            match aims.iter_mut().find(|aim| aim.drm == drm) {
                Some(aim) if aim.targets.contains(&who) => {}
                Some(aim) => aim.targets.push(who),
                None => aims.push(AimGroup { drm, targets: vec![who] }),
            }
        }
        aims.sort_by_key(|aim| aim.drm);
        if aims.is_empty() {
            aims.push(AimGroup { drm: attack.common_modifiers().personnel, targets: Vec::new() });
        }
        aims
    }

    fn explain_attack(&self, from: &FireState, rolls: &[Roll], to: &FireState) -> Explanation {
        let RepeatedAttack { attack, cadence } = self.attack_at(from);
        let mut telling = attack_explanation::explain_attack(
            attack,
            &self.group_targets(attack, &from.pending),
            rolls,
        );
        if matches!(cadence, AttackCadence::Gun(_)) {
            let same = to.stage == FireStage::Attack && to.salvo == from.salvo;
            let again = if to.fires_on || same {
                " The gun keeps its rate of fire."
            } else {
                " The gun fires no more."
            };
            telling.text += again;
            telling.rule += ", A9.2";
        }
        if !self.convoy.vehicles.is_empty() {
            telling.text += &attack_explanation::explain_vehicle_line(attack, rolls);
            telling.rule += ", A7.308";
        }
        telling
    }
}
