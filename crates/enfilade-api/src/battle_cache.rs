//! Battles of the last arsenal: when it is priced again, only changed parts fight again.
//!
//! A battle depends on its weapon, its scenario, the assumptions and the changes of the rules, and
//! on no other weapon. Equal means equal in every value, the price too. A rulebook of the folder is
//! read again for each job, so its battles are not cached.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use toml::Table;

use enfilade_model::catalogue::System;
use enfilade_pricing::arsenal::{Arsenal, ArsenalWeapon};
use enfilade_pricing::battle_runs::BattlesAndContestNotes;
use enfilade_pricing::evidence::PriceAssumption;
use enfilade_pricing::scenario::Scenario;

/// Cached battles of an arsenal.
pub struct ArsenalBattleCache {
    system: Arc<System>,
    change: Table,
    assumptions: Vec<PriceAssumption>,
    weapons: Vec<ArsenalWeapon>,
    scenarios: Vec<Scenario>,
    /// By the positions of weapon and scenario, and whether the weapon was one of the others.
    records: Mutex<HashMap<(usize, usize, bool), BattlesAndContestNotes>>,
}

impl ArsenalBattleCache {
    /// Builds the cache for `arsenal` from the one `before` it.
    pub fn from_earlier_cache(
        arsenal: &Arsenal,
        before: Option<&ArsenalBattleCache>,
    ) -> ArsenalBattleCache {
        let alike = |before: &&ArsenalBattleCache| {
            // A rulebook of the folder counts as changed each time: its text may differ.
            Arc::ptr_eq(&before.system, &arsenal.system)
                && before.change == arsenal.change
                && before.assumptions == arsenal.assumptions
        };
        let valid_records = before.filter(alike).map(|before| before.records_still_valid(arsenal));
        ArsenalBattleCache {
            system: Arc::clone(&arsenal.system),
            change: arsenal.change.clone(),
            assumptions: arsenal.assumptions.clone(),
            weapons: arsenal.weapons.clone(),
            scenarios: arsenal.scenarios.clone(),
            records: Mutex::new(valid_records.unwrap_or_default()),
        }
    }

    /// The battles that are still valid, at the positions of `arsenal`.
    fn records_still_valid(
        &self,
        arsenal: &Arsenal,
    ) -> HashMap<(usize, usize, bool), BattlesAndContestNotes> {
        let weapons = new_positions_of_old_items(&self.weapons, &arsenal.weapons);
        let scenarios = new_positions_of_old_items(&self.scenarios, &arsenal.scenarios);
        let records = self.records.lock();
        let still = records.iter().filter_map(|((weapon, scenario, other), fought)| {
            let (weapon, scenario) = (weapons[*weapon]?, scenarios[*scenario]?);
            Some(((weapon, scenario, *other), move_battles(fought.clone(), weapon, scenario)))
        });
        still.collect()
    }

    /// Finds the record of a weapon in a scenario; `other` if it is not the weapon to price and
    /// needs fewer battles.
    pub fn lookup_battles(
        &self,
        weapon: usize,
        scenario: usize,
        other: bool,
    ) -> Option<BattlesAndContestNotes> {
        self.records.lock().get(&(weapon, scenario, other)).cloned()
    }

    /// Inserts a record.
    pub fn insert_battles(
        &self,
        weapon: usize,
        scenario: usize,
        other: bool,
        fought: &BattlesAndContestNotes,
    ) {
        self.records.lock().insert((weapon, scenario, other), fought.clone());
    }
}

/// By item of `old`: its position in `new`, preferring its own.
fn new_positions_of_old_items<T: PartialEq>(old: &[T], new: &[T]) -> Vec<Option<usize>> {
    let place = |(at, one): (usize, &T)| {
        let same = new.get(at) == Some(one);
        if same { Some(at) } else { new.iter().position(|other| other == one) }
    };
    old.iter().enumerate().map(place).collect()
}

fn move_battles(
    (mut battles, mut notes): BattlesAndContestNotes,
    weapon: usize,
    scenario: usize,
) -> BattlesAndContestNotes {
    battles.iter_mut().for_each(|battle| (battle.weapon, battle.scenario) = (weapon, scenario));
    notes.iter_mut().for_each(|note| (note.weapon, note.scenario) = (weapon, scenario));
    (battles, notes)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use enfilade_games as systems;
    use enfilade_model::catalogue::Catalogue;
    use enfilade_pricing::battle_runs::{
        BattleObserver, BattleSettings, NoBattleObserver, run_battles,
    };
    use enfilade_pricing::evidence::BattleEvidence;

    /// Counts the battles that had to be fought.
    struct Counted<'a>(&'a ArsenalBattleCache, AtomicUsize);

    impl BattleObserver for Counted<'_> {
        fn lookup_known_battles(
            &self,
            weapon: usize,
            scenario: usize,
        ) -> Option<BattlesAndContestNotes> {
            self.0.lookup_battles(weapon, scenario, false)
        }

        fn store_fought_battles(
            &self,
            weapon: usize,
            scenario: usize,
            fought: &BattlesAndContestNotes,
        ) {
            self.0.insert_battles(weapon, scenario, false, fought);
            self.1.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn read(catalogue: &Catalogue, text: &str) -> Arsenal {
        Arsenal::read_arsenal_text(catalogue, "x", text).expect("it is in order")
    }

    fn fought(arsenal: &Arsenal, known: &ArsenalBattleCache) -> (BattleEvidence, usize) {
        let watch = Counted(known, AtomicUsize::new(0));
        let evidence =
            run_battles(arsenal, &BattleSettings::default(), &watch).expect("nobody stops it");
        (evidence, watch.1.into_inner())
    }

    const SCENARIO: &str = "[[scenario]]\nname = 'a'\nmoves = 2\ntarget = { troopers = 2 }\n";

    #[test]
    fn only_what_was_changed_is_fought_again() {
        let catalogue = systems::built_in_catalogue();
        let file = |rest: &str| read(&catalogue, &format!("system = 'skirmishers'\n{rest}"));
        let first =
            file(&format!("[[weapon]]\nname = 'MMG'\n[[weapon]]\nname = 'rifle'\n{SCENARIO}"));
        let known = ArsenalBattleCache::from_earlier_cache(&first, None);
        assert_eq!(fought(&first, &known).1, 2);
        assert_eq!(fought(&first, &known).1, 0);
        // In another order, and with a third weapon: only that one has to fight.
        let weapons =
            "[[weapon]]\nname = 'rifle'\n[[weapon]]\nname = 'HMG'\n[[weapon]]\nname = 'MMG'\n";
        let second = file(&format!("{weapons}{SCENARIO}"));
        let known = ArsenalBattleCache::from_earlier_cache(&second, Some(&known));
        let (evidence, fights) = fought(&second, &known);
        assert_eq!(fights, 1);
        let whole = run_battles(&second, &BattleSettings::default(), &NoBattleObserver)
            .expect("nobody stops it");
        assert_eq!(evidence, whole);
        // A weapon with another price is fought again.
        let dearer =
            file(&format!("{weapons}{SCENARIO}").replace("'HMG'\n", "'HMG'\nprice = 33\n"));
        assert_eq!(
            fought(&dearer, &ArsenalBattleCache::from_earlier_cache(&dearer, Some(&known))).1,
            1
        );
        // Another scenario, other assumptions, other rules: everything is fought again.
        let scenario = SCENARIO.replace("troopers = 2", "troopers = 3");
        let assumed = format!("{weapons}{SCENARIO}[assumptions]\nhorizon = [1, 1, 1]\n");
        for other in [format!("{weapons}{scenario}"), assumed] {
            let other = file(&other);
            assert_eq!(
                fought(&other, &ArsenalBattleCache::from_earlier_cache(&other, Some(&known))).1,
                3
            );
        }
    }
}
