//! Vehicles under fire, and their passengers (A7.307–A7.309).
//!
//! One step is one vehicle: whether it is among those the attack can affect, what happens to it, and
//! its Unlikely Kill; or the survival check of one passenger of an eliminated vehicle. Vehicles of an
//! entry are alike, so the state only says how many of it have had their turn.
//!
//! Not here: ordnance, which hits vehicles by other rules, and whatever can hurt armour.

use enfilade_model::dice::Dice;

use super::attack::{Attack, Reading};
use super::data::Cell;
use super::rule_numbers::Numbers;
use super::tally::{Count, Tally};
use super::unit_profiles::Roster;
use super::unit_stack::Stack;

/// Vehicles of one target entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vehicle {
    /// How many.
    pub count: u8,
    /// Whether it is armoured: then nothing happens to it (A7.307).
    pub armoured: bool,
    /// Whether it is hull down: then it is not immobilised.
    pub hull_down: bool,
    /// The profile of its passengers.
    pub profile: Option<u8>,
    /// Passenger units in each.
    pub passengers: u8,
    /// Whether they can be hurt while the vehicle is whole.
    pub vulnerable: bool,
}

/// What happens to a vehicle; the later, the worse for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Nothing.
    Unaffected,
    /// It is immobilised.
    Immobilised,
    /// It is eliminated.
    Eliminated,
    /// It is a burning wreck.
    Wreck,
}

/// What the DR of an attack means for vehicles and those in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fallout {
    /// The result of the vehicle line.
    pub effect: Effect,
    /// Whether an Unlikely Kill may be rolled.
    pub unlikely: bool,
    /// How many more vehicles can be affected.
    pub quota: u8,
    /// The result for the passengers of vehicles that are not eliminated.
    pub collateral: Cell,
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn {
    /// What the DR means.
    pub fallout: Fallout,
    /// The entry.
    pub entry: u8,
    /// How many of it have had their turn.
    pub done: u8,
    /// Passengers of an eliminated vehicle who have still to survive.
    pub fleeing: u8,
}

/// One vehicle's turn as it was rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blow {
    /// Whether the attack can affect it.
    pub reached: bool,
    /// The dr of an Unlikely Kill.
    pub unlikely: Option<u8>,
    /// What happens to it.
    pub effect: Effect,
}

/// The vehicles of a contest with their rules.
#[derive(Clone, Debug)]
pub struct Convoy {
    /// The entries.
    pub vehicles: Vec<Vehicle>,
    /// The DR a passenger needs to survive, in place of his morale.
    pub survival: Option<i32>,
    /// The numbers of the rules.
    pub numbers: Numbers,
}

impl Convoy {
    /// A7.308: what a DR means on the vehicle line of its column.
    pub fn fallout(&self, attack: &Attack, reading: &Reading) -> Fallout {
        let collateral = attack.result(reading, attack.common().collateral);
        let Some(column) = attack.column(reading) else {
            return Fallout { effect: Effect::Unaffected, unlikely: false, quota: 0, collateral };
        };
        let final_dr = reading.original + attack.common().vehicle;
        let kill_number = column.kill_number;
        let effect = if 2 * final_dr <= kill_number {
            Effect::Wreck
        } else if final_dr < kill_number {
            Effect::Eliminated
        } else if final_dr == kill_number {
            Effect::Immobilised
        } else {
            Effect::Unaffected
        };
        Fallout {
            effect,
            unlikely: reading.original <= self.numbers.unlikely_kill_roll,
            quota: column.largest_kia(),
            collateral,
        }
    }

    /// The first turn after a DR.
    pub fn first_turn(&self, fallout: Fallout) -> Turn {
        Turn { fallout, entry: 0, done: 0, fleeing: 0 }
    }

    /// The vehicle whose turn it is; none when all had theirs.
    pub fn current(&self, turn: &Turn) -> Option<&Vehicle> {
        self.vehicles.get(usize::from(turn.entry))
    }

    /// Unarmoured vehicles that have not had their turn, the current one included.
    fn waiting(&self, turn: &Turn) -> u8 {
        let later = self.vehicles.iter().skip(usize::from(turn.entry));
        let soft: u8 = later.filter(|v| !v.armoured).map(|v| v.count).sum();
        soft.saturating_sub(turn.done)
    }

    /// A7.308, A7.309: rolls for the vehicle whose turn it is. When more vehicles wait than can be
    /// affected, which ones are is drawn one by one; that is Random Selection without its ties, which
    /// A7.308 does not let grow beyond the number.
    pub fn strike(&self, turn: &Turn, dice: &mut impl Dice) -> Option<Blow> {
        let vehicle = self.current(turn)?;
        let fallout = turn.fallout;
        let harmless = fallout.effect == Effect::Unaffected && !fallout.unlikely;
        if vehicle.armoured || harmless || fallout.quota == 0 {
            return Some(Blow { reached: false, unlikely: None, effect: Effect::Unaffected });
        }
        let waiting = self.waiting(turn);
        let reached = fallout.quota >= waiting || dice.die(waiting) <= fallout.quota;
        if !reached {
            return Some(Blow { reached, unlikely: None, effect: Effect::Unaffected });
        }
        let unlikely = fallout.unlikely.then(|| dice.die(6));
        let lucky = unlikely.map_or(Effect::Unaffected, |dr| self.unlikely_kill(dr));
        let effect = fallout.effect.max(lucky);
        let spared = effect == Effect::Immobilised && vehicle.hull_down;
        Some(Blow { reached, unlikely, effect: if spared { Effect::Unaffected } else { effect } })
    }

    /// A7.309: the dr of an Unlikely Kill.
    fn unlikely_kill(&self, dr: u8) -> Effect {
        let dr = i32::from(dr);
        if dr <= self.numbers.unlikely_wreck {
            Effect::Wreck
        } else if dr <= self.numbers.unlikely_elimination {
            Effect::Eliminated
        } else if dr <= self.numbers.unlikely_immobilisation {
            Effect::Immobilised
        } else {
            Effect::Unaffected
        }
    }

    /// A7.308: what a blow does to a vehicle and those in it, and whose turn is next.
    pub fn apply_blow(
        &self,
        turn: &mut Turn,
        blow: Blow,
        stack: &mut Stack,
        roster: &Roster,
        tally: &mut Tally,
    ) {
        let Some(vehicle) = self.current(turn) else {
            return;
        };
        match blow.effect {
            Effect::Unaffected => {}
            Effect::Immobilised => tally.add(Count::Immobilised),
            Effect::Eliminated => tally.add(Count::Destroyed),
            Effect::Wreck => {
                tally.add(Count::Wrecked);
                tally.add_many(Count::Eliminated, vehicle.passengers);
            }
        }
        let aboard = blow.effect < Effect::Eliminated && vehicle.vulnerable;
        if let (true, Some(profile)) =
            (aboard && turn.fallout.collateral != Cell::NoEffect, vehicle.profile)
        {
            for _ in 0..vehicle.passengers {
                stack.push(roster.fresh(profile));
            }
        }
        if blow.reached {
            turn.fallout.quota = turn.fallout.quota.saturating_sub(1);
        }
        if blow.effect == Effect::Eliminated && vehicle.passengers > 0 {
            turn.fleeing = vehicle.passengers;
        } else {
            self.pass(turn);
        }
    }

    /// A7.308: the DR one of the fleeing passengers needs (the source names the check, not its number).
    pub fn needed(&self, turn: &Turn, roster: &Roster) -> i32 {
        let profile = self.current(turn).and_then(|vehicle| vehicle.profile);
        let morale = profile.map_or(0, |profile| roster.morale(roster.fresh(profile)));
        self.survival.unwrap_or(morale)
    }

    /// A7.308: one passenger of an eliminated vehicle rolls for survival.
    pub fn flee(&self, turn: &mut Turn, original: i32, roster: &Roster, tally: &mut Tally) {
        if original > self.needed(turn, roster) {
            tally.add(Count::Eliminated);
        }
        turn.fleeing -= 1;
        if turn.fleeing == 0 {
            self.pass(turn);
        }
    }

    /// The turn passes to the next vehicle.
    fn pass(&self, turn: &mut Turn) {
        turn.done += 1;
        if self.current(turn).is_some_and(|v| turn.done >= v.count) {
            turn.entry += 1;
            turn.done = 0;
        }
    }
}
