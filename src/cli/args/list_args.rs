//! Lists that `enfilade balance` fights: options, battles, and their report.

use clap::Args;

use super::ExecutionArgs;
use crate::error::Error;
use crate::pricing::army_lists::ListBattleSimulator;
use crate::pricing::arsenal::Arsenal;
use crate::pricing::battle::encounter::UnitKindsEncounter;
use crate::pricing::battle_runs::{self, NoBattleObserver};
use crate::pricing::opponents::UnitsForEitherSide;
use crate::pricing::price::{ArsenalPrices, WeaponPrice};
use crate::report::pricing::list_battles::{ListBattleFindings, ListsBoughtAtPrices};
use crate::report::pricing::unit_meetings::UnitAgainstUnitFindings;
use crate::report::terminal;

/// Lists to fight, and the gate they must pass.
#[derive(Debug, Args)]
pub struct ArmyListArgs {
    /// Also fight random lists of this many points, bought at current and at even prices, and units
    /// against units; `lists = 500` in the file does the same
    #[arg(long, value_name = "POINTS", value_parser = parse_list_budget)]
    lists: Option<f64>,
    /// Also fit prices to the battles themselves, which shows the limit of any prices
    #[arg(long)]
    bound: bool,
    /// The wins in 100 battles between which a pair of lists is even [default: 45-55]
    #[arg(long, value_name = "LOW-HIGH", value_parser = parse_win_range)]
    even: Option<[f64; 2]>,
    /// End with exit code 1 if fewer of 100 pairs are even, at the prices to try, or else at the
    /// current ones
    #[arg(long, value_name = "PAIRS", value_parser = parse_share_of_pairs_option)]
    share: Option<f64>,
}

const LISTS_NEEDED_MESSAGE: &str =
    "--bound, --even and --share need lists: add --lists POINTS, or `lists = 500` to the file";

/// Lists that the command will fight.
#[derive(Debug)]
pub struct ListBattlePlan {
    budget: f64,
    opponents: UnitsForEitherSide,
    encounter: UnitKindsEncounter,
}

/// Lists that were fought, and whether they pass the gate.
#[derive(Debug)]
pub struct FoughtListsResult {
    /// The lists.
    pub lists: ListBattleFindings,
    closed_gate: Option<String>,
}

impl ArmyListArgs {
    /// Plans the battles of lists, if they are requested: before anything is priced.
    ///
    /// # Errors
    /// When no two units can meet, or options for lists come without lists.
    pub fn plan_list_battles(
        &self,
        arsenal: &Arsenal,
        battles: &battle_runs::BattleSettings,
    ) -> Result<Option<ListBattlePlan>, Error> {
        let Some(budget) = self.lists.or(arsenal.lists) else {
            return match self.bound || self.even.is_some() || self.share.is_some() {
                true => Err(Error::Usage(LISTS_NEEDED_MESSAGE.to_owned())),
                false => Ok(None),
            };
        };
        let opponents = UnitsForEitherSide::new(arsenal, battles);
        let encounter = opponents.fire_between_all_units().filter(|_| opponents.units.len() > 1);
        let encounter = encounter.ok_or_else(|| Error::Usage(TOO_FEW_UNITS_MESSAGE.to_owned()))?;
        Ok(Some(ListBattlePlan { budget, opponents, encounter }))
    }

    /// Fights the lists, and compares units that have not met yet.
    ///
    /// # Errors
    /// When no unit has a price that the points buy, or the work is stopped.
    pub fn fight_lists_and_unmet_units(
        &self,
        planned: Option<ListBattlePlan>,
        (arsenal, pricing): (&Arsenal, &mut ArsenalPrices),
        battles: &battle_runs::BattleSettings,
        machine: &ExecutionArgs,
    ) -> Result<Option<FoughtListsResult>, Error> {
        let Some(wanted) = planned else { return Ok(None) };
        machine.build_thread_pool()?.install(|| {
            let lists = self.measure_list_evenness(&wanted, arsenal, pricing, battles)?;
            if pricing.units.is_none() {
                let (units, worths) = (
                    &wanted.opponents.units,
                    wanted.opponents.log_worths_by_opponent(battles, &NoBattleObserver)?,
                );
                pricing.compare_units_and_store(units, &worths, &vec![1.0; units.len()]);
            }
            let error = self.too_few_even_pairs_reason(&lists);
            Ok(Some(FoughtListsResult { lists, closed_gate: error }))
        })
    }

    fn measure_list_evenness(
        &self,
        ListBattlePlan { budget, opponents, encounter }: &ListBattlePlan,
        arsenal: &Arsenal,
        pricing: &ArsenalPrices,
        battles: &battle_runs::BattleSettings,
    ) -> Result<ListBattleFindings, Error> {
        let units = &opponents.units;
        let settings = opponents.settings_for_list_battle(*budget, battles.seed);
        let battle = ListBattleSimulator::for_encounter(encounter, settings);
        let mut list_battles = Vec::new();
        for (name, prices) in price_sets_to_try(arsenal, pricing, units) {
            if let Some(evenness) = battle.measure_price_evenness(&prices) {
                list_battles.push(ListsBoughtAtPrices { name: name.to_owned(), prices, evenness });
            }
        }
        if list_battles.is_empty() {
            let problem = format!("--lists: {budget} points buy none of the units");
            return Err(Error::Usage(problem));
        }
        let all_priced = list_battles[0].prices.iter().all(|price| price.is_finite());
        let fits = (self.bound || arsenal.bound) && all_priced;
        let fitted = fits.then(|| battle.fit_even_prices(&list_battles[0].prices)).flatten();
        let fitted = fitted.and_then(|prices| {
            let (name, evenness) =
                ("prices fitted to the play".to_owned(), battle.measure_price_evenness(&prices)?);
            Some(ListsBoughtAtPrices { name, prices, evenness })
        });
        let stands = |place: &usize| units.contains(place) || opponents.stood_for.contains(place);
        let left_out = (0..arsenal.weapons.len()).filter(|place| !stands(place));
        let name = |place: usize| arsenal.weapons[place].name.clone();
        Ok(ListBattleFindings {
            units: units.iter().copied().map(name).collect(),
            left_out: left_out.map(name).collect(),
            stood_for: opponents.stood_for.iter().copied().map(name).collect(),
            budget: *budget,
            battles: settings.battles,
            sets: list_battles,
            bound: fitted,
        })
    }

    /// The reason why the gate is closed: too few pairs are even at the last of the price sets.
    fn too_few_even_pairs_reason(&self, lists: &ListBattleFindings) -> Option<String> {
        let (wanted, set) = (self.share?, lists.sets.last()?);
        let [low, high] = self.even.unwrap_or([45.0, 55.0]);
        let within = 100.0 * set.evenness.pair_share_with_wins_between(low / 100.0, high / 100.0);
        (within < wanted).then(|| {
            format!(
                "{within:.0} of 100 pairs of lists are within {low} to {high} at {}, not {wanted}",
                set.name
            )
        })
    }
}

/// The sets of prices: the even prices of units that have one, and the current prices as far as
/// there are any. Even prices in points of the opponents' troops are scaled to the level of the
/// current prices. Then the prices that the file tries, in place of some current ones.
fn price_sets_to_try(
    arsenal: &Arsenal,
    pricing: &ArsenalPrices,
    units: &[usize],
) -> Vec<(&'static str, Vec<f64>)> {
    let weapons = || units.iter().map(|place| &pricing.weapons[*place]);
    let mut sets = vec![("the even prices", even_prices_at_current_level(pricing, units))];
    if weapons().any(|weapon| weapon.price.is_some()) {
        let now = weapons().map(|weapon| weapon.price.unwrap_or(UNPRICED_UNIT_PRICE));
        sets.push(("the prices of now", now.collect()));
    }
    if !arsenal.tries.is_empty() {
        let tried = |place: &usize| arsenal.tries.iter().find(|(tried, _)| tried == place);
        let tried = units.iter().map(|place| match tried(place) {
            Some((_, price)) => *price,
            None => pricing.weapons[*place].price.unwrap_or(UNPRICED_UNIT_PRICE),
        });
        sets.push(("the prices to try", tried.collect()));
    }
    sets
}

/// The price of a unit that has none: no list buys it.
const UNPRICED_UNIT_PRICE: f64 = f64::INFINITY;

/// The even prices of units; without a scale, at the level of the current prices.
fn even_prices_at_current_level(pricing: &ArsenalPrices, units: &[usize]) -> Vec<f64> {
    let weapons = || units.iter().map(|place| &pricing.weapons[*place]);
    let even = |weapon: &WeaponPrice| weapon.even_price_if_any().map(|even| even.price.best);
    let ratios = || weapons().filter_map(|weapon| Some((weapon.price? / even(weapon)?).ln()));
    let level = match pricing.scale {
        Some(_) => 1.0,
        None => (ratios().sum::<f64>() / ratios().count().max(1) as f64).exp(),
    };
    weapons().map(|weapon| even(weapon).map_or(UNPRICED_UNIT_PRICE, |even| even * level)).collect()
}

const TOO_FEW_UNITS_MESSAGE: &str = "--lists: fewer than two units of this file can be on both sides: a unit needs the fields of a \
    target too";

impl FoughtListsResult {
    /// Renders the report of the lists, and of units against units, for a screen of `width`
    /// columns.
    pub fn render_list_report(&self, pricing: &ArsenalPrices, width: usize) -> String {
        let edges =
            UnitAgainstUnitFindings::from_pricing(pricing).map(|edges| edges.sentences_on_edges());
        let sentences =
            self.lists.sentences_below_heading().into_iter().chain(edges.into_iter().flatten());
        let texts = sentences.map(|sentence| terminal::wrap_text(&sentence, width));
        format!("\nLists that were fought\n\n{}", texts.collect::<String>())
    }

    /// Returns the error of a closed gate.
    pub fn into_gate_error(self) -> Option<Error> {
        self.closed_gate.map(Error::Disagreement)
    }
}

fn parse_number_between(text: &str, low: f64, high: f64) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| format!("expected a number from {low} to {high}"))
}

fn parse_list_budget(text: &str) -> Result<f64, String> {
    parse_number_between(text, 1.0, 1e9)
}

fn parse_share_of_pairs_option(text: &str) -> Result<f64, String> {
    parse_number_between(text, 0.0, 100.0)
}

fn parse_win_range(text: &str) -> Result<[f64; 2], String> {
    let (low, high) = text.split_once('-').ok_or("expected two numbers, such as 45-55")?;
    let ends = [parse_number_between(low, 0.0, 100.0)?, parse_number_between(high, 0.0, 100.0)?];
    if ends[0] > 50.0 || ends[1] < 50.0 {
        return Err("50 must be within".to_owned());
    }
    Ok(ends)
}
