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
use enfilade_pricing::battle_runs::BattleRecord;
use enfilade_pricing::evidence::PriceAssumption;
use enfilade_pricing::scenario::Scenario;

/// Cached battles of an arsenal.
pub struct BattleCache {
    system: Arc<System>,
    change: Table,
    assumptions: Vec<PriceAssumption>,
    weapons: Vec<ArsenalWeapon>,
    scenarios: Vec<Scenario>,
    /// By the positions of weapon and scenario, and whether the weapon was one of the others.
    found: Mutex<HashMap<(usize, usize, bool), BattleRecord>>,
}

impl BattleCache {
    /// Builds the cache for `arsenal` from the one `before` it.
    pub fn from_previous(arsenal: &Arsenal, before: Option<&BattleCache>) -> BattleCache {
        let alike = |before: &&BattleCache| {
            // A rulebook of the folder counts as changed each time: its text may differ.
            Arc::ptr_eq(&before.system, &arsenal.system)
                && before.change == arsenal.change
                && before.assumptions == arsenal.assumptions
        };
        let found = before.filter(alike).map(|before| before.still_valid(arsenal));
        BattleCache {
            system: Arc::clone(&arsenal.system),
            change: arsenal.change.clone(),
            assumptions: arsenal.assumptions.clone(),
            weapons: arsenal.weapons.clone(),
            scenarios: arsenal.scenarios.clone(),
            found: Mutex::new(found.unwrap_or_default()),
        }
    }

    /// The battles that are still valid, at the positions of `arsenal`.
    fn still_valid(&self, arsenal: &Arsenal) -> HashMap<(usize, usize, bool), BattleRecord> {
        let weapons = match_positions(&self.weapons, &arsenal.weapons);
        let scenarios = match_positions(&self.scenarios, &arsenal.scenarios);
        let found = self.found.lock();
        let still = found.iter().filter_map(|((weapon, scenario, other), fought)| {
            let (weapon, scenario) = (weapons[*weapon]?, scenarios[*scenario]?);
            Some(((weapon, scenario, *other), reposition(fought.clone(), weapon, scenario)))
        });
        still.collect()
    }

    /// Finds the record of a weapon in a scenario; `other` if it is not the weapon to price and
    /// needs fewer battles.
    pub fn find_record(&self, weapon: usize, scenario: usize, other: bool) -> Option<BattleRecord> {
        self.found.lock().get(&(weapon, scenario, other)).cloned()
    }

    /// Inserts a record.
    pub fn insert_record(
        &self,
        weapon: usize,
        scenario: usize,
        other: bool,
        fought: &BattleRecord,
    ) {
        self.found.lock().insert((weapon, scenario, other), fought.clone());
    }
}

/// By item of `old`: its position in `new`, preferring its own.
fn match_positions<T: PartialEq>(old: &[T], new: &[T]) -> Vec<Option<usize>> {
    let place = |(at, one): (usize, &T)| {
        let same = new.get(at) == Some(one);
        if same { Some(at) } else { new.iter().position(|other| other == one) }
    };
    old.iter().enumerate().map(place).collect()
}

fn reposition(
    (mut battles, mut notes): BattleRecord,
    weapon: usize,
    scenario: usize,
) -> BattleRecord {
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
    struct Counted<'a>(&'a BattleCache, AtomicUsize);

    impl BattleObserver for Counted<'_> {
        fn lookup_battles(&self, weapon: usize, scenario: usize) -> Option<BattleRecord> {
            self.0.find_record(weapon, scenario, false)
        }

        fn store_battles(&self, weapon: usize, scenario: usize, fought: &BattleRecord) {
            self.0.insert_record(weapon, scenario, false, fought);
            self.1.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn read(catalogue: &Catalogue, text: &str) -> Arsenal {
        Arsenal::read(catalogue, "x", text).expect("it is in order")
    }

    fn fought(arsenal: &Arsenal, known: &BattleCache) -> (BattleEvidence, usize) {
        let watch = Counted(known, AtomicUsize::new(0));
        let evidence =
            run_battles(arsenal, &BattleSettings::default(), &watch).expect("nobody stops it");
        (evidence, watch.1.into_inner())
    }

    const SCENARIO: &str = "[[scenario]]\nname = 'a'\nmoves = 2\ntarget = { troopers = 2 }\n";

    #[test]
    fn only_what_was_changed_is_fought_again() {
        let catalogue = systems::built_in();
        let file = |rest: &str| read(&catalogue, &format!("system = 'skirmishers'\n{rest}"));
        let first =
            file(&format!("[[weapon]]\nname = 'MMG'\n[[weapon]]\nname = 'rifle'\n{SCENARIO}"));
        let known = BattleCache::from_previous(&first, None);
        assert_eq!(fought(&first, &known).1, 2);
        assert_eq!(fought(&first, &known).1, 0);
        // In another order, and with a third weapon: only that one has to fight.
        let weapons =
            "[[weapon]]\nname = 'rifle'\n[[weapon]]\nname = 'HMG'\n[[weapon]]\nname = 'MMG'\n";
        let second = file(&format!("{weapons}{SCENARIO}"));
        let known = BattleCache::from_previous(&second, Some(&known));
        let (evidence, fights) = fought(&second, &known);
        assert_eq!(fights, 1);
        let whole = run_battles(&second, &BattleSettings::default(), &NoBattleObserver)
            .expect("nobody stops it");
        assert_eq!(evidence, whole);
        // A weapon with another price is fought again.
        let dearer =
            file(&format!("{weapons}{SCENARIO}").replace("'HMG'\n", "'HMG'\nprice = 33\n"));
        assert_eq!(fought(&dearer, &BattleCache::from_previous(&dearer, Some(&known))).1, 1);
        // Another scenario, other assumptions, other rules: everything is fought again.
        let scenario = SCENARIO.replace("troopers = 2", "troopers = 3");
        let assumed = format!("{weapons}{SCENARIO}[assumptions]\nhorizon = [1, 1, 1]\n");
        for other in [format!("{weapons}{scenario}"), assumed] {
            let other = file(&other);
            assert_eq!(fought(&other, &BattleCache::from_previous(&other, Some(&known))).1, 3);
        }
    }
}
