//! From an arsenal to its evidence: every weapon in every scenario under every case of the
//! assumptions.
//!
//! Work is shared out over weapons and scenarios on the threads of the current rayon pool and put
//! together in their order; every number is summed by one thread in a fixed order, so the evidence
//! does not depend on the threads.

mod battle_remarks;

use std::sync::Arc;

use enfilade_engine::parallel::prelude::*;

use super::arsenal::{self, Arsenal};
use super::battle::TroopAndWeaponCounts;
use super::battle::battle_simulator::BattleDice;
pub use super::battle_observer::{BattleObserver, BattlesAndContestNotes, NoBattleObserver};
use super::battle_series::{
    self, BattlesByFurtherTroops, MeetingForcesSetup, WeaponSetupWithNotes, WinLookup,
    choose_points_near_half,
};
pub use super::battle_settings::BattleSettings;
use super::contest_cache::ContestCache;
use super::doctrine::doctrine_from_assumptions;
use super::evidence::{
    AssumptionCase, BattleEvidence, ContestNote, PointsAndWinShare, WeaponWinCurves,
    WeaponWithPrice,
};
use super::scenario::{self, ATTENTION_ASSUMPTION, GOES_ON_ASSUMPTION};
use super::staged_weapons::{fights_like_troops, harm_relative_to_trooper, has_any_effect};
use super::value_table::position_or_push;
use crate::error::PricingError;
use battle_remarks::{changes_and_harmless_scenarios, scenario_options_never_used};
use enfilade_model::form::Fault;
use enfilade_model::static_or_shared::Text;

/// Finds the weapon of that name.
///
/// # Errors
/// The sentence to show if there is none, with the nearest name.
#[doc(hidden)]
pub fn index_of_weapon(arsenal: &Arsenal, name: &str) -> Result<usize, String> {
    let sentence = |fault: Fault| [fault.problem, fault.help.unwrap_or_default()].join("; ");
    arsenal::find_weapon_index(&arsenal.weapons, name).map_err(sentence)
}

/// Copies of a weapon that fight together, beside one alone.
const TOGETHER: usize = 8;

/// The largest number of reference troops on one side.
const MAX_REFERENCE_TROOPS: usize = 60;

/// Fights every battle of `arsenal`.
///
/// # Errors
/// [`PricingError::Interrupted`] if the observer stops the work; [`PricingError::Invalid`] if a
/// weapon cannot be set up in a scenario, which the reading of an arsenal has ruled out as far as
/// it can.
pub fn run_battles(
    arsenal: &Arsenal,
    settings: &BattleSettings,
    watch: &dyn BattleObserver,
) -> Result<BattleEvidence, PricingError> {
    let contests = arsenal.new_contest_cache(settings);
    let dice = BattleDice::new(settings.seed);
    let fight = |weapon: usize, scenario: usize| {
        if !watch.should_continue() {
            return Err(PricingError::Interrupted("no price was found".into()));
        }
        let fought = match watch.lookup_known_battles(weapon, scenario) {
            // Fought before and equal in all its inputs: a studio keeps battles from one pricing to
            // the next.
            Some(battle_forces) => battle_forces,
            None => {
                let mut corner = WeaponInScenario {
                    arsenal,
                    weapon,
                    scenario,
                    only: settings.only,
                    contests: &contests,
                    dice: &dice,
                    staged: Vec::new(),
                    series: Vec::new(),
                    copies: 1,
                    half: 0,
                };
                let fought = (corner.run_all_cases()?, corner.notes_of_contests());
                watch.store_fought_battles(weapon, scenario, &fought);
                fought
            }
        };
        fought.0.first().into_iter().for_each(|battle| watch.note_battle_at_defaults(battle));
        Ok(fought)
    };
    let scenarios = arsenal.scenarios.len();
    let places = (0..arsenal.weapons.len() * scenarios).into_par_iter();
    let fought: Result<Vec<_>, PricingError> =
        places.map(|place| fight(place / scenarios, place % scenarios)).collect();
    let (battles, notes): (Vec<_>, Vec<_>) = fought?.into_iter().unzip();
    let battles: Vec<WeaponWinCurves> = battles.into_iter().flatten().collect();
    let weapons = arsenal.weapons.iter().map(|weapon| describe_priced_weapon(arsenal, weapon));
    Ok(BattleEvidence {
        remarks: changes_and_harmless_scenarios(arsenal, &battles),
        weapons: weapons.collect(),
        scenarios: arsenal.scenarios.iter().map(|scenario| scenario.weights.clone()).collect(),
        assumptions: arsenal.assumptions.clone(),
        battles,
        never: scenario_options_never_used(arsenal),
        notes: notes.into_iter().flatten().collect(),
    })
}

fn describe_priced_weapon(arsenal: &Arsenal, weapon: &arsenal::ArsenalWeapon) -> WeaponWithPrice {
    let short = |there: &scenario::Scenario| {
        arsenal.rules.explain_harmless_weapon(weapon.as_weapon_entry(), &there.setting)
    };
    let short: Option<indexmap::IndexSet<String>> = arsenal.scenarios.iter().map(short).collect();
    WeaponWithPrice {
        shortfalls: short.into_iter().flatten().collect(),
        name: weapon.name.clone(),
        price: weapon.price,
        unseen: weapon.nature.unseen.as_ref().map(Text::to_string),
    }
}

/// One weapon in one scenario.
struct WeaponInScenario<'a> {
    arsenal: &'a Arsenal,
    weapon: usize,
    scenario: usize,
    /// The only weapon of interest, if there is one.
    only: Option<usize>,
    contests: &'a ContestCache,
    /// The dice of battles that are rolled.
    dice: &'a BattleDice,
    /// Battle set-ups of the weapon, each under other assumptions.
    staged: Vec<Arc<WeaponSetupWithNotes>>,
    /// Battles followed so far: many cases end the same battle differently.
    series: Vec<BattlesByFurtherTroops<'a>>,
    /// Number of copies that replace one weapon.
    copies: usize,
    /// Number of further troops against which half of the battles are won in the default case.
    half: usize,
}

impl<'a> WeaponInScenario<'a> {
    /// Whether only the default case is fought, because another weapon is of interest.
    fn is_default_case_only(&self) -> bool {
        self.only.is_some_and(|only| only != self.weapon)
    }

    /// Runs its battle under every case of the assumptions, the default first.
    fn run_all_cases(&mut self) -> Result<Vec<WeaponWinCurves>, PricingError> {
        let all = if self.is_default_case_only() { 0 } else { self.arsenal.assumptions.len() };
        AssumptionCase::list_all(all).map(|model| self.run_battle_in_case(model)).collect()
    }

    /// Remarks of its contests, each once.
    fn notes_of_contests(&self) -> Vec<ContestNote> {
        let log = self.staged.iter().flat_map(|staged| &staged.log.notes);
        let texts: indexmap::IndexSet<&String> = log.collect();
        let (weapon, scenario) = (self.weapon, self.scenario);
        let note = |text: &String| ContestNote { weapon, scenario, text: text.clone() };
        texts.into_iter().map(note).collect()
    }

    /// Runs the battle in case `model`; the default one sets the number of copies that replace one
    /// weapon, and the starting point of the others.
    fn run_battle_in_case(
        &mut self,
        model: AssumptionCase,
    ) -> Result<WeaponWinCurves, PricingError> {
        let mut forces = self.set_up_forces(model)?;
        let (mut copies, mut silent) = (Vec::new(), Vec::new());
        let curve = if model == AssumptionCase::Default {
            let mut half = 0;
            let curve = self.curve_in_copies(&mut forces, |room, won| {
                let points = battle_series::choose_whole_curve_points(room, won);
                half = points.iter().rfind(|&&extra| won(extra).0 > 0.5).copied().unwrap_or(0);
                points
            });
            (self.half, self.copies) = (half, forces.sizes.copies);
            if !self.is_default_case_only() {
                silent = self.idle_copy_curve(&forces);
                copies = self.curve_of_eight(&forces);
            }
            curve
        } else {
            self.curve_near_half(&forces, self.copies, self.half)
        };
        let setup = &forces.staged.setup;
        Ok(WeaponWinCurves {
            weapon: self.weapon,
            scenario: self.scenario,
            model,
            curve,
            copies,
            silent,
            fires: has_any_effect(setup),
            mirror: fights_like_troops(setup),
        })
    }

    /// Sets up the weapon, unless that was done under the same assumptions.
    fn set_up_forces(&mut self, model: AssumptionCase) -> Result<MeetingForcesSetup, PricingError> {
        let assumed = &self.arsenal.assumptions_in_case(model);
        let there = &self.arsenal.scenarios[self.scenario].setting;
        let own = self.arsenal.values_of_rulebook_assumptions(model);
        let known = self.staged.iter().find(|known| known.assumed == own).cloned();
        let staged = match known {
            Some(known) => known,
            None => {
                let weapon = &self.arsenal.weapons[self.weapon];
                let setup = self.arsenal.set_up_weapon(weapon, there, &own, self.contests);
                let (setup, log) = setup.map_err(|faults| {
                    let problems: Vec<_> = faults.into_iter().map(|fault| fault.problem).collect();
                    PricingError::Invalid(problems.join("; "))
                })?;
                self.staged.push(Arc::new(WeaponSetupWithNotes { assumed: own, setup, log }));
                Arc::clone(self.staged.last().expect("it was just added"))
            }
        };
        let base = scenario::troops_per_side(there, assumed);
        let attention = assumed.value(ATTENTION_ASSUMPTION);
        let draws = harm_relative_to_trooper(&staged.setup).powf(attention);
        let most = MAX_REFERENCE_TROOPS.max(base + 1) - base;
        let sizes = TroopAndWeaponCounts { base, copies: self.copies, most, draws };
        let rounds = scenario::side_activations_in_battle(there, assumed);
        let (goes_on, doctrine) =
            (assumed.value(GOES_ON_ASSUMPTION), doctrine_from_assumptions(assumed));
        Ok(MeetingForcesSetup { staged, sizes, attention, doctrine, rounds, goes_on })
    }

    /// The battles between these forces.
    fn battle_series_of_forces(
        &mut self,
        forces: &MeetingForcesSetup,
    ) -> &mut BattlesByFurtherTroops<'a> {
        let new = || BattlesByFurtherTroops::new(forces.clone(), self.dice);
        let place =
            position_or_push(&mut self.series, |series| series.forces.is_same_battle(forces), new);
        let series = &mut self.series[place];
        (series.forces.rounds, series.forces.goes_on) = (forces.rounds, forces.goes_on);
        series
    }

    /// The curve of so many copies that they are worth two of the troops.
    fn curve_in_copies(
        &mut self,
        forces: &mut MeetingForcesSetup,
        choose: impl FnOnce(usize, &mut WinLookup) -> Vec<usize>,
    ) -> Vec<PointsAndWinShare> {
        forces.sizes.copies = self.battle_series_of_forces(forces).copies_worth_two_troops();
        self.battle_series_of_forces(forces).compute_curve_points(forces.sizes.copies, choose)
    }

    /// The curve about one half, searched from `start` further troops, in points per `each` copies.
    fn curve_near_half(
        &mut self,
        forces: &MeetingForcesSetup,
        each: usize,
        start: usize,
    ) -> Vec<PointsAndWinShare> {
        let choose = |room, won: &mut WinLookup| choose_points_near_half(start, room, won);
        self.battle_series_of_forces(forces).compute_curve_points(each, choose)
    }

    /// The curve of a copy of the weapon that never fires.
    fn idle_copy_curve(&mut self, forces: &MeetingForcesSetup) -> Vec<PointsAndWinShare> {
        let mut idle = WeaponSetupWithNotes::clone(&forces.staged);
        idle.setup.rounds.iter_mut().for_each(|round| round.weapon_shots = 0);
        let draws = harm_relative_to_trooper(&idle.setup).powf(forces.attention);
        let sizes = TroopAndWeaponCounts { copies: 1, draws, ..forces.sizes };
        let mut idle = MeetingForcesSetup { staged: Arc::new(idle), sizes, ..forces.clone() };
        self.curve_in_copies(&mut idle, |room, won| {
            choose_points_near_half(battle_series::MIN_WORTH_OF_SINGLE_COPY, room, won)
        })
    }

    /// The curve of eight copies together; none where more already fight in place of one, where
    /// more troops would be needed than there is room for, or where battles would be rolled for a
    /// weapon among many.
    fn curve_of_eight(&mut self, forces: &MeetingForcesSetup) -> Vec<PointsAndWinShare> {
        let TroopAndWeaponCounts { base, copies, .. } = forces.sizes;
        let start = self.half * TOGETHER / copies;
        let mut eight = forces.clone();
        eight.sizes.copies = TOGETHER;
        let room = copies <= TOGETHER && base + start <= MAX_REFERENCE_TROOPS;
        let alone = self.only == Some(self.weapon);
        match room && (alone || eight.is_solved_exactly(start)) {
            true => self.curve_near_half(&eight, 1, start),
            false => Vec::new(),
        }
    }
}
