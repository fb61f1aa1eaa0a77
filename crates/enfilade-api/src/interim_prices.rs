//! Interim prices before all battles are fought: a weapon that has met all scenarios has a worth,
//! with every assumption at its default, and no range yet.

use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use serde::Serialize;

use super::battle_cache::BattleCache;
use enfilade_engine::cancel::CancelToken;
use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::battle_runs::{BattleObserver, BattleRecord};
use enfilade_pricing::evidence::WeaponBattle;
use enfilade_pricing::price::worth::fit_worth;
use enfilade_report::pricing::points_format::format_points;

/// A job that reports each worth as soon as it is known.
pub struct InterimPrices<'a> {
    arsenal: &'a Arsenal,
    only: Option<usize>,
    /// By weapon: log worths so far, each with the weight of its scenario.
    found: Mutex<Vec<Vec<(f64, f64)>>>,
    known: &'a BattleCache,
    told: JobOutputs<'a>,
}

/// A weapon by its name, and its worth so far.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct InterimPriceView(String, String);

/// The outputs of a job: its cancel token, the number of finished pieces, and its interim prices.
pub type JobOutputs<'a> = (&'a CancelToken, &'a AtomicUsize, &'a Mutex<Vec<InterimPriceView>>);

impl InterimPrices<'_> {
    /// Creates a job with the `known` battles alone; `only` this weapon is priced if one is given.
    pub fn new<'a>(
        arsenal: &'a Arsenal,
        only: Option<usize>,
        known: &'a BattleCache,
        told: JobOutputs<'a>,
    ) -> InterimPrices<'a> {
        let found = Mutex::new(vec![Vec::new(); arsenal.weapons.len()]);
        InterimPrices { arsenal, only, found, known, told }
    }

    /// Whether a weapon needs fewer battles, because another one is priced.
    fn is_other(&self, weapon: usize) -> bool {
        self.only.is_some_and(|only| only != weapon)
    }

    /// The mean of the logarithms over all scenarios; `None` while some are missing.
    fn mean_log_worth(&self, battle: &WeaponBattle) -> Option<f64> {
        let found = fit_worth(&battle.curve)?.log;
        let mut all = self.found.lock();
        let own = &mut all[battle.weapon];
        own.push((found, self.arsenal.scenarios[battle.scenario].weight));
        let weights: f64 = own.iter().map(|(_, weight)| weight).sum();
        let sum: f64 = own.iter().map(|(log, weight)| log * weight).sum();
        (own.len() == self.arsenal.scenarios.len() && weights > 0.0).then(|| (sum / weights).exp())
    }
}

impl BattleObserver for InterimPrices<'_> {
    fn lookup_battles(&self, weapon: usize, scenario: usize) -> Option<BattleRecord> {
        self.known.find_record(weapon, scenario, self.is_other(weapon))
    }

    fn store_battles(&self, weapon: usize, scenario: usize, fought: &BattleRecord) {
        self.known.insert_record(weapon, scenario, self.is_other(weapon), fought);
    }

    fn count_battle(&self, _weapon: usize, _scenario: usize) {
        self.told.1.fetch_add(1, Ordering::Relaxed);
    }

    fn note_default_battle(&self, battle: &WeaponBattle) {
        if self.is_other(battle.weapon) {
            return;
        }
        if let Some(worth) = self.mean_log_worth(battle) {
            let name = &self.arsenal.weapons[battle.weapon].name;
            let early = InterimPriceView(name.clone(), format_points(worth));
            self.told.2.lock().push(early);
        }
    }

    fn should_continue(&self) -> bool {
        !self.told.0.is_cancelled()
    }
}
