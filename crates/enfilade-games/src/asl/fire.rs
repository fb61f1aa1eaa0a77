//! Attacks in sequence on one Location: the DR, the Personnel, the vehicles, their passengers
//! (A7.3, A7.308, A9.2). The `fire` action makes one attack, or a given number of equal ones by
//! different firers (A7.31), the `rof` action as many as the gun keeps its rate for.
//!
//! Why the state is enough: the DR is forgotten as soon as its results are determined. The state
//! then contains the pending rolls of the Personnel (see [`super::pending_rolls`]), then the turn of the
//! vehicles (see [`super::vehicles`]), then the pending rolls of their passengers. Between two
//! attacks of a machine gun the state is the stack, the number of attacks made and whether the gun
//! still fires. A combat that is over is its tally alone.

use enfilade_model::combat::{Combat, Explanation, Later, Vocabulary};
use enfilade_model::dice::{Dice, Roll};
use enfilade_model::shared::Text;

use super::attack::{Attack, Reading};
use super::explain::{self, Aim};
use super::pending_rolls::{Pending, Personnel, roll_two};
use super::tally::{Count, Extras, Tally, vocabulary};
use super::unit_stack::{Unit, encoded};
use super::vehicles::{Convoy, Turn};

/// Attacks on one Location.
pub struct Fire {
    /// Attacks in order; none when the firepower is too low for an attack (A7.3).
    pub salvos: Vec<Salvo>,
    /// Rules for Personnel.
    pub personnel: Personnel,
    /// Personnel before the first attack.
    pub open: Pending,
    /// Vehicles of the contest.
    pub convoy: Convoy,
    /// Optional fields of the report.
    pub extras: Extras,
    /// Whether the Personnel stay in the state to the end, for an action that follows.
    pub leaves: bool,
}

/// Attack, with the number of times it is made.
pub struct Salvo {
    /// Attack that is made.
    pub attack: Attack,
    /// Number of times.
    pub cadence: Cadence,
}

/// Number of times that an attack is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cadence {
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
    fn keeps_rate(self, reading: &Reading) -> bool {
        reading.coloured <= self.rate && !reading.cowers && reading.malfunctions == 0
    }
}

/// State of the combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    stage: Stage,
    pending: Pending,
    /// Turn of the vehicles, now or after the Personnel.
    turn: Option<Turn>,
    /// Index of the attack.
    salvo: u8,
    /// Number of times that the attack has been made.
    made: u8,
    /// Whether the attack is made again.
    fires_on: bool,
    tally: Tally,
}

/// Number of stages of an attack, and a bound above the rolls of a stage.
const STAGES: u32 = 3;
const MOST_ROLLS: u32 = 1 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Stage {
    Attack,
    Personnel,
    Vehicles,
    Passengers,
    Over,
}

impl Combat for Fire {
    type State = State;
    type Outcome = Tally;

    fn open(&self) -> State {
        let none = self.salvos.is_empty();
        State {
            stage: if none { Stage::Over } else { Stage::Attack },
            pending: self.open,
            turn: None,
            salvo: 0,
            made: 0,
            fires_on: false,
            tally: Tally::default(),
        }
    }

    fn step(&self, mut state: State, dice: &mut impl Dice) -> State {
        match state.stage {
            Stage::Attack => self.fire(&mut state, dice),
            Stage::Personnel | Stage::Passengers => {
                self.personnel.roll(&mut state.pending, &mut state.tally, dice);
            }
            Stage::Vehicles => self.strike(&mut state, dice),
            Stage::Over => {}
        }
        self.to_next_die(&mut state);
        state
    }

    /// Orders states by attack, then by stage, then by the number of rolls that the Personnel may
    /// still make, fewer later.
    fn headway(&self, state: &State) -> u32 {
        let made = state.tally.of(Count::Attacks).unsigned_abs();
        let ahead = match state.stage {
            Stage::Attack => return made * STAGES * MOST_ROLLS,
            Stage::Personnel | Stage::Passengers => self.personnel.ahead(&state.pending),
            Stage::Vehicles | Stage::Over => 0,
        };
        let stage = state.stage as u32 - Stage::Personnel as u32;
        // A single attack is not counted.
        let made = made.saturating_sub(1);
        (made * STAGES + stage + 1) * MOST_ROLLS - 1 - ahead.min(MOST_ROLLS - 2)
    }

    fn outcome(&self, state: &State) -> Option<Tally> {
        (state.stage == Stage::Over).then_some(state.tally)
    }

    /// Returns the Personnel left; vehicles and their passengers have states that no field can
    /// express.
    fn left(&self, state: &State) -> Vec<Later> {
        vec![match self.convoy.vehicles.is_empty() {
            true => self.personnel.roster.left(&state.pending.stack),
            false => Later::Untold(Text::Static("target")),
        }]
    }

    fn vocabulary(&self) -> Vocabulary<Tally> {
        vocabulary(self.extras)
    }

    fn explain(&self, from: &State, rolls: &[Roll], to: &State) -> Explanation {
        match (from.stage, &from.turn) {
            (Stage::Attack, _) => self.tell_attack(from, rolls, to),
            (Stage::Personnel | Stage::Passengers, _) => {
                explain::pending(&self.personnel, &from.pending, rolls, &to.pending)
            }
            (Stage::Vehicles, Some(turn)) => {
                explain::vehicle(&self.convoy, turn, &self.personnel.roster, rolls)
            }
            _ => Explanation::default(),
        }
    }
}

impl Fire {
    /// A7.3: rolls the DR, and applies its result to its targets.
    fn fire(&self, state: &mut State, dice: &mut impl Dice) {
        let mut faces = [0; 2];
        dice.roll(6, &mut faces, &|faces| self.matters(state, faces));
        let attack = &self.salvo(state).attack;
        let reading = attack.read(faces[0], faces[1]);
        state.tally.add_many(Count::Malfunction, reading.malfunctions);
        // The number of a single attack is always one, and would only add to the state.
        if !self.is_single() {
            state.tally.add(Count::Attacks);
            state.made += 1;
            state.fires_on = self.fires_on(&reading, state);
        }
        if !self.convoy.vehicles.is_empty() {
            let fallout = self.convoy.fallout(attack, &reading);
            state.turn = Some(self.convoy.first_turn(fallout));
        }
        state.stage = Stage::Personnel;
        self.personnel.apply_results(&mut state.pending, &mut state.tally, |unit| {
            attack.result(&reading, self.drm_against(attack, unit))
        });
    }

    fn salvo(&self, state: &State) -> &Salvo {
        &self.salvos[usize::from(state.salvo)]
    }

    /// Returns whether there is at most one attack, which is then not counted.
    fn is_single(&self) -> bool {
        matches!(self.salvos.as_slice(), [] | [Salvo { cadence: Cadence::Volleys(1), .. }])
    }

    fn drm_against(&self, attack: &Attack, unit: Unit) -> i32 {
        attack.drm_against(unit, self.personnel.roster.of(unit).shelter)
    }

    /// Encodes what matters of a DR: the result of every unit, the machine guns that break down,
    /// whether the gun fires on. With vehicles both dice matter.
    fn matters(&self, state: &State, faces: &[u8]) -> u128 {
        let &[coloured, white] = faces else { return 0 };
        if !self.convoy.vehicles.is_empty() {
            return u128::from(coloured) << 8 | u128::from(white);
        }
        let Salvo { attack, cadence } = self.salvo(state);
        let reading = attack.read(coloured, white);
        let fires_on = matches!(cadence, Cadence::Gun(gun) if gun.keeps_rate(&reading));
        let result = |unit| encoded(attack.result(&reading, self.drm_against(attack, unit)));
        let known = u128::from(reading.malfunctions) << 1 | u128::from(fires_on);
        let units = state.pending.stack.units().iter();
        units.fold(known, |known, unit| known << 5 | u128::from(result(*unit)))
    }

    /// A9.2: returns whether the gun fires again; A7.31: whether other firers do.
    fn fires_on(&self, reading: &Reading, state: &State) -> bool {
        match self.salvo(state).cadence {
            Cadence::Volleys(volleys) => state.made < volleys,
            Cadence::Gun(gun) => gun.keeps_rate(reading) && state.made < gun.most_attacks,
        }
    }

    /// A7.308, A7.309: rolls the turn of one vehicle, or of one of its passengers.
    fn strike(&self, state: &mut State, dice: &mut impl Dice) {
        let Some(turn) = &mut state.turn else {
            return;
        };
        let roster = &self.personnel.roster;
        if turn.fleeing > 0 {
            let original = roll_two(dice);
            self.convoy.flee(turn, original, roster, &mut state.tally);
        } else if let Some(blow) = self.convoy.strike(turn, dice) {
            let stack = &mut state.pending.stack;
            self.convoy.apply_blow(turn, blow, stack, roster, &mut state.tally);
        }
    }

    /// Advances to the next stage once no roll of the current stage is due.
    fn to_next_die(&self, state: &mut State) {
        if state.stage == Stage::Vehicles {
            let turn = state.turn.filter(|turn| self.convoy.current(turn).is_some());
            if turn.is_none() {
                self.hit_passengers(state);
            }
        }
        let idle = matches!(state.stage, Stage::Personnel | Stage::Passengers)
            && self.personnel.next(&state.pending).is_none();
        if idle && state.stage == Stage::Personnel && state.turn.is_some() {
            state.stage = Stage::Vehicles;
        } else if idle {
            self.next_attack(state);
        }
    }

    /// A7.308: applies the attack to passengers of vehicles that are not eliminated.
    fn hit_passengers(&self, state: &mut State) {
        state.stage = Stage::Passengers;
        if let Some(turn) = state.turn.take() {
            let result = turn.fallout.collateral;
            self.personnel.apply_results(&mut state.pending, &mut state.tally, |_| result);
        }
    }

    fn next_attack(&self, state: &mut State) {
        let stays = matches!(self.salvo(state).cadence, Cadence::Gun(gun) if !gun.until_clear);
        let anybody = !state.pending.stack.units().is_empty();
        if state.fires_on && (stays || anybody) {
            state.stage = Stage::Attack;
        } else if anybody && usize::from(state.salvo) + 1 < self.salvos.len() {
            state.stage = Stage::Attack;
            // Each salvo has its own gun and its own number of volleys.
            state.salvo += 1;
            state.made = 0;
        } else {
            // Where the attacks stopped no longer matters, so all endings of one tally are one
            // state.
            (state.salvo, state.made) = (0, 0);
            self.personnel.count_all(&state.pending, &mut state.tally);
            if !self.leaves {
                state.pending = Pending::NONE;
            }
            state.stage = Stage::Over;
        }
        state.fires_on = false;
    }

    /// Groups the targets by the modifiers against them; without targets, returns the modifiers
    /// that would apply.
    fn aims(&self, attack: &Attack, targets: &Pending) -> Vec<Aim> {
        let mut aims: Vec<Aim> = Vec::new();
        for &unit in targets.stack.units() {
            let drm = self.drm_against(attack, unit);
            let who = self.personnel.roster.describe(unit);
            match aims.iter_mut().find(|aim| aim.drm == drm) {
                Some(aim) if aim.targets.contains(&who) => {}
                Some(aim) => aim.targets.push(who),
                None => aims.push(Aim { drm, targets: vec![who] }),
            }
        }
        aims.sort_by_key(|aim| aim.drm);
        if aims.is_empty() {
            aims.push(Aim { drm: attack.common().personnel, targets: Vec::new() });
        }
        aims
    }

    fn tell_attack(&self, from: &State, rolls: &[Roll], to: &State) -> Explanation {
        let Salvo { attack, cadence } = self.salvo(from);
        let mut telling = explain::attack(attack, &self.aims(attack, &from.pending), rolls);
        if matches!(cadence, Cadence::Gun(_)) {
            let same = to.stage == Stage::Attack && to.salvo == from.salvo;
            let again = if to.fires_on || same {
                " The gun keeps its rate of fire."
            } else {
                " The gun fires no more."
            };
            telling.text += again;
            telling.rule += ", A9.2";
        }
        if !self.convoy.vehicles.is_empty() {
            telling.text += &explain::fallout(attack, rolls);
            telling.rule += ", A7.308";
        }
        telling
    }
}
