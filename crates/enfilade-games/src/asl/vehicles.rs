//! Vehicles under fire, and their passengers (A7.307–A7.309).
//!
//! One step is one vehicle: whether it is among those that the attack can affect, the effect on it,
//! and its Unlikely Kill; or the survival check of one passenger of an eliminated vehicle. Vehicles
//! of an entry are equal, so the state only counts how many of it have had their turn.
//!
//! Not modelled: ordnance, which hits vehicles by other rules, and anything that can hurt armour.

use enfilade_model::dice::Dice;

use super::attack::{DiceReadBeforeModifiers, FireAttackBeforeRoll};
use super::attack_outcome::{CountedFireEvent, FireEventCounts};
use super::data::FireTableResult;
use super::rule_numbers::RuleNumbers;
use super::unit_profiles::ProfileRoster;
use super::unit_stack::UnitStack;

/// Vehicles of one target entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VehiclesOfTargetEntry {
    /// Number of vehicles.
    pub count: u8,
    /// Whether the vehicle is armoured, so that the attack has no effect on it (A7.307).
    pub armoured: bool,
    /// Whether the vehicle is hull down, so that it is not immobilised.
    pub hull_down: bool,
    /// Profile of the passengers.
    pub profile: Option<u8>,
    /// Passenger units in each vehicle.
    pub passengers: u8,
    /// Whether the passengers can be hurt while the vehicle is intact.
    pub vulnerable: bool,
}

/// Effect on a vehicle, in order of severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VehicleHitEffect {
    /// No effect.
    Unaffected,
    /// The vehicle is immobilised.
    Immobilised,
    /// The vehicle is eliminated.
    Eliminated,
    /// The vehicle is a burning wreck.
    Wreck,
}

/// Effect of the DR of an attack on vehicles and their passengers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VehicleAttackEffect {
    /// Result of the vehicle line.
    pub effect: VehicleHitEffect,
    /// Whether an Unlikely Kill may be rolled.
    pub unlikely: bool,
    /// Number of vehicles that can still be affected.
    pub quota: u8,
    /// Result for the passengers of vehicles that are not eliminated.
    pub collateral: FireTableResult,
}

/// Turn of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VehicleTurnProgress {
    /// Effect of the DR.
    pub fallout: VehicleAttackEffect,
    /// Index of the entry.
    pub entry: u8,
    /// Vehicles of the entry that have had their turn.
    pub done: u8,
    /// Passengers of an eliminated vehicle who still have to survive.
    pub fleeing: u8,
}

/// One vehicle's turn as it was rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RolledEffectOnVehicle {
    /// Whether the attack can affect the vehicle.
    pub reached: bool,
    /// Dr of an Unlikely Kill.
    pub unlikely: Option<u8>,
    /// Effect on the vehicle.
    pub effect: VehicleHitEffect,
}

/// Vehicles of a contest with their rules.
#[derive(Clone, Debug)]
pub struct ContestVehicles {
    /// Entries of the contest.
    pub vehicles: Vec<VehiclesOfTargetEntry>,
    /// DR that a passenger needs to survive, in place of the morale level.
    pub survival: Option<i32>,
    /// Numbers of the rules.
    pub numbers: RuleNumbers,
}

impl ContestVehicles {
    /// A7.308: computes the effect of a DR on the vehicle line of its column.
    pub fn compute_vehicle_effect(
        &self,
        attack: &FireAttackBeforeRoll,
        reading: &DiceReadBeforeModifiers,
    ) -> VehicleAttackEffect {
        let collateral =
            attack.result_for_drm(reading, attack.drm_without_target_modifiers().collateral);
        let Some(column) = attack.column_after_cowering(reading) else {
            return VehicleAttackEffect {
                effect: VehicleHitEffect::Unaffected,
                unlikely: false,
                quota: 0,
                collateral,
            };
        };
        let final_dr = reading.original + attack.drm_without_target_modifiers().vehicle;
        let kill_number = column.kill_number;
        // A7.308: a Final DR of half the Kill Number or less burns the vehicle; doubling avoids
        // fractions.
        let effect = if 2 * final_dr <= kill_number {
            VehicleHitEffect::Wreck
        } else if final_dr < kill_number {
            VehicleHitEffect::Eliminated
        } else if final_dr == kill_number {
            VehicleHitEffect::Immobilised
        } else {
            VehicleHitEffect::Unaffected
        };
        VehicleAttackEffect {
            effect,
            unlikely: reading.original <= self.numbers.unlikely_kill_roll,
            quota: column.largest_kia_number(),
            collateral,
        }
    }

    /// Returns the first turn after a DR.
    pub fn first_vehicle_turn(&self, fallout: VehicleAttackEffect) -> VehicleTurnProgress {
        VehicleTurnProgress { fallout, entry: 0, done: 0, fleeing: 0 }
    }

    /// Returns the vehicle of this turn; `None` when all have had theirs.
    pub fn current_vehicle(&self, turn: &VehicleTurnProgress) -> Option<&VehiclesOfTargetEntry> {
        self.vehicles.get(usize::from(turn.entry))
    }

    /// Counts the unarmoured vehicles that have not had their turn, the current one included.
    fn count_unarmoured_without_turn(&self, turn: &VehicleTurnProgress) -> u8 {
        let later = self.vehicles.iter().skip(usize::from(turn.entry));
        let soft: u8 = later.filter(|v| !v.armoured).map(|v| v.count).sum();
        soft.saturating_sub(turn.done)
    }

    /// A7.308, A7.309: rolls for the vehicle of this turn. When more vehicles wait than can be
    /// affected, the affected ones are drawn one by one; this is Random Selection without its ties,
    /// which A7.308 does not let grow beyond the number.
    pub fn roll_effect_on_vehicle(
        &self,
        turn: &VehicleTurnProgress,
        dice: &mut impl Dice,
    ) -> Option<RolledEffectOnVehicle> {
        let vehicle = self.current_vehicle(turn)?;
        let fallout = turn.fallout;
        let harmless = fallout.effect == VehicleHitEffect::Unaffected && !fallout.unlikely;
        if vehicle.armoured || harmless || fallout.quota == 0 {
            return Some(RolledEffectOnVehicle {
                reached: false,
                unlikely: None,
                effect: VehicleHitEffect::Unaffected,
            });
        }
        let waiting = self.count_unarmoured_without_turn(turn);
        let reached = fallout.quota >= waiting || dice.die(waiting) <= fallout.quota;
        if !reached {
            return Some(RolledEffectOnVehicle {
                reached,
                unlikely: None,
                effect: VehicleHitEffect::Unaffected,
            });
        }
        let unlikely = fallout.unlikely.then(|| dice.die(6));
        // An Unlikely Kill adds to the vehicle line and never lessens its result.
        let lucky =
            unlikely.map_or(VehicleHitEffect::Unaffected, |dr| self.unlikely_kill_effect(dr));
        let effect = fallout.effect.max(lucky);
        let spared = effect == VehicleHitEffect::Immobilised && vehicle.hull_down;
        Some(RolledEffectOnVehicle {
            reached,
            unlikely,
            effect: if spared { VehicleHitEffect::Unaffected } else { effect },
        })
    }

    /// A7.309: returns the effect of the dr of an Unlikely Kill.
    fn unlikely_kill_effect(&self, dr: u8) -> VehicleHitEffect {
        let dr = i32::from(dr);
        if dr <= self.numbers.unlikely_wreck {
            VehicleHitEffect::Wreck
        } else if dr <= self.numbers.unlikely_elimination {
            VehicleHitEffect::Eliminated
        } else if dr <= self.numbers.unlikely_immobilisation {
            VehicleHitEffect::Immobilised
        } else {
            VehicleHitEffect::Unaffected
        }
    }

    /// A7.308: applies a blow to a vehicle and its passengers, and passes the turn on.
    pub fn apply_vehicle_turn(
        &self,
        turn: &mut VehicleTurnProgress,
        blow: RolledEffectOnVehicle,
        stack: &mut UnitStack,
        roster: &ProfileRoster,
        tally: &mut FireEventCounts,
    ) {
        let Some(vehicle) = self.current_vehicle(turn) else {
            return;
        };
        match blow.effect {
            VehicleHitEffect::Unaffected => {}
            VehicleHitEffect::Immobilised => tally.count_event(CountedFireEvent::Immobilised),
            VehicleHitEffect::Eliminated => tally.count_event(CountedFireEvent::Destroyed),
            VehicleHitEffect::Wreck => {
                tally.count_event(CountedFireEvent::Wrecked);
                tally.count_events(CountedFireEvent::Eliminated, vehicle.passengers);
            }
        }
        let aboard = blow.effect < VehicleHitEffect::Eliminated && vehicle.vulnerable;
        if let (true, Some(profile)) =
            (aboard && turn.fallout.collateral != FireTableResult::NoEffect, vehicle.profile)
        {
            for _ in 0..vehicle.passengers {
                stack.push(roster.new_unit(profile));
            }
        }
        // The quota counts vehicles that the attack can affect, whether or not it does.
        if blow.reached {
            turn.fallout.quota = turn.fallout.quota.saturating_sub(1);
        }
        // The turn stays with this vehicle until all of its passengers have rolled for survival.
        if blow.effect == VehicleHitEffect::Eliminated && vehicle.passengers > 0 {
            turn.fleeing = vehicle.passengers;
        } else {
            self.advance_to_next_vehicle(turn);
        }
    }

    /// A7.308: returns the DR that a fleeing passenger needs (the source names the check, not its
    /// number).
    pub fn survival_dr_needed(&self, turn: &VehicleTurnProgress, roster: &ProfileRoster) -> i32 {
        let profile = self.current_vehicle(turn).and_then(|vehicle| vehicle.profile);
        let morale = profile.map_or(0, |profile| roster.current_morale(roster.new_unit(profile)));
        self.survival.unwrap_or(morale)
    }

    /// A7.308: applies the survival roll of one passenger of an eliminated vehicle.
    pub fn apply_passenger_survival(
        &self,
        turn: &mut VehicleTurnProgress,
        original: i32,
        roster: &ProfileRoster,
        tally: &mut FireEventCounts,
    ) {
        if original > self.survival_dr_needed(turn, roster) {
            tally.count_event(CountedFireEvent::Eliminated);
        }
        turn.fleeing -= 1;
        if turn.fleeing == 0 {
            self.advance_to_next_vehicle(turn);
        }
    }

    /// Passes the turn to the next vehicle.
    fn advance_to_next_vehicle(&self, turn: &mut VehicleTurnProgress) {
        turn.done += 1;
        if self.current_vehicle(turn).is_some_and(|v| turn.done >= v.count) {
            turn.entry += 1;
            turn.done = 0;
        }
    }
}
