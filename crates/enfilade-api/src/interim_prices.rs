//! Interim prices before all battles are fought: a weapon that has met all scenarios has a worth,
//! with every assumption at its default, and no range yet.

use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use serde::Serialize;

use super::battle_cache::ArsenalBattleCache;
use enfilade_engine::cancel::CancelToken;
use enfilade_pricing::arsenal::Arsenal;
use enfilade_pricing::battle_runs::{BattleObserver, BattlesAndContestNotes};
use enfilade_pricing::evidence::WeaponWinCurves;
use enfilade_pricing::price::worth::fit_worth_to_curve;
use enfilade_report::pricing::points_format::format_price_points;

/// A job that reports each worth as soon as it is known.
pub struct InterimPriceObserver<'a> {
    arsenal: &'a Arsenal,
    only: Option<usize>,
    /// By weapon: log worths so far, each with the weight of its scenario.
    log_worths: Mutex<Vec<Vec<(f64, f64)>>>,
    cached: &'a ArsenalBattleCache,
    outputs: JobProgressOutputs<'a>,
}

/// A weapon by its name, and its worth so far.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct InterimWorthView(String, String);

/// The outputs of a job: its cancel token, the number of finished pieces, and its interim prices.
pub type JobProgressOutputs<'a> =
    (&'a CancelToken, &'a AtomicUsize, &'a Mutex<Vec<InterimWorthView>>);

impl InterimPriceObserver<'_> {
    /// Creates a job with the `cached` battles alone; `only` this weapon is priced if one is given.
    pub fn new<'a>(
        arsenal: &'a Arsenal,
        only: Option<usize>,
        cached: &'a ArsenalBattleCache,
        outputs: JobProgressOutputs<'a>,
    ) -> InterimPriceObserver<'a> {
        let worths_so_far = Mutex::new(vec![Vec::new(); arsenal.weapons.len()]);
        InterimPriceObserver { arsenal, only, log_worths: worths_so_far, cached, outputs }
    }

    /// Whether a weapon needs fewer battles, because another one is priced.
    fn is_not_the_priced_weapon(&self, weapon: usize) -> bool {
        self.only.is_some_and(|only| only != weapon)
    }

    /// The mean of the logarithms over all scenarios; `None` while some are missing.
    fn record_and_mean_if_complete(&self, battle: &WeaponWinCurves) -> Option<f64> {
        let fit = fit_worth_to_curve(&battle.curve)?.log;
        let mut all = self.log_worths.lock();
        let own = &mut all[battle.weapon];
        own.push((fit, self.arsenal.scenarios[battle.scenario].weights.weight));
        let weights: f64 = own.iter().map(|(_, weight)| weight).sum();
        let sum: f64 = own.iter().map(|(log, weight)| log * weight).sum();
        (own.len() == self.arsenal.scenarios.len() && weights > 0.0).then(|| (sum / weights).exp())
    }
}

impl BattleObserver for InterimPriceObserver<'_> {
    fn lookup_known_battles(
        &self,
        weapon: usize,
        scenario: usize,
    ) -> Option<BattlesAndContestNotes> {
        self.cached.lookup_battles(weapon, scenario, self.is_not_the_priced_weapon(weapon))
    }

    fn store_fought_battles(
        &self,
        weapon: usize,
        scenario: usize,
        fought: &BattlesAndContestNotes,
    ) {
        self.cached.insert_battles(weapon, scenario, self.is_not_the_priced_weapon(weapon), fought);
    }

    fn note_battle_at_defaults(&self, battle: &WeaponWinCurves) {
        self.outputs.1.fetch_add(1, Ordering::Relaxed);
        if self.is_not_the_priced_weapon(battle.weapon) {
            return;
        }
        if let Some(worth) = self.record_and_mean_if_complete(battle) {
            let name = &self.arsenal.weapons[battle.weapon].name;
            let early = InterimWorthView(name.clone(), format_price_points(worth));
            self.outputs.2.lock().push(early);
        }
    }

    fn should_continue(&self) -> bool {
        !self.outputs.0.is_cancelled()
    }
}
