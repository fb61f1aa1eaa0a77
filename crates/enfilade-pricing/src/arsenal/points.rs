//! Keys of a file that hold points: prices in halves and quarters, the cost of a point of worth,
//! and the lists that are fought with the prices that they try.

use toml::{Table, Value as Toml};

use super::{
    ArsenalReader, ArsenalWeapon, LIST_BUDGET_KEY, TRIAL_PRICES_KEY, WORTH_SCALE_KEY,
    find_weapon_index,
};
use crate::price::ScaleSource;
use enfilade_model::form::bounds::{IntRange, RealRange};
use enfilade_model::form::sanitize::shorten_and_make_safe;
use enfilade_model::form::{Fault, MAX_COLLECTED_FAULTS, name_matching};
use enfilade_model::weapons::PRICE_RANGE;

/// Range of the cost of a point of worth.
const SCALE_FACTOR_RANGE: RealRange = RealRange { name: "k", low: 0.0001, high: 10_000.0 };

/// Points of a list.
pub(crate) const LIST_BUDGET_RANGE: RealRange =
    RealRange { name: "points of a list", low: 1.0, high: 1e9 };

/// The table below [`TRIAL_PRICES_KEY`] that holds prices to try.
pub(crate) const PRICES_TO_TRY_KEY: &str = "try";

/// Prices and their steps take halves and quarters.
const QUARTER_POINT: f64 = 0.25;

impl ArsenalReader<'_, '_> {
    /// Reads a table of the file: an empty one where there is none.
    pub(super) fn read_table_or_empty(
        &mut self,
        given: Option<&Toml>,
        path: &str,
        expected: &str,
    ) -> Table {
        match given {
            Some(Toml::Table(table)) => return table.clone(),
            Some(_) => self.0.note_at_value(Fault::new(path, expected)),
            None => {}
        }
        Table::new()
    }

    /// Notes the keys of a table that are none of `known`, with the nearest of these or with
    /// `help`.
    pub(super) fn note_unknown_keys(
        &mut self,
        (path, table): (&str, &Table),
        known: &[&str],
        help: &str,
    ) {
        let unknown = table.keys().filter(|key| !known.contains(&key.as_str()));
        for key in unknown.take(MAX_COLLECTED_FAULTS) {
            let problem = format!("there is no field `{}` here", shorten_and_make_safe(key));
            let near = name_matching::find_nearest_name(key, known.iter().copied());
            let help = near.map_or_else(|| help.to_owned(), |it| format!("did you mean `{it}`?"));
            let fault = Fault::new(format!("{path}.{key}"), problem).with_help(help);
            self.0.note_at_path(fault, true);
        }
    }

    /// Reads a number of points in halves or quarters, up to the end of a range of whole ones.
    pub(super) fn read_quarter_points(
        &mut self,
        value: &Toml,
        bound: &IntRange,
        path: &str,
    ) -> Option<f64> {
        let bound = RealRange { name: "points", low: QUARTER_POINT, high: bound.high as f64 };
        let points = self.0.read_real_number(Some(value), &bound, path).flatten()?;
        if points % QUARTER_POINT == 0.0 {
            return Some(points);
        }
        let problem = format!("{points} is no whole number, half or quarter of points");
        let near = (points / QUARTER_POINT).round() * QUARTER_POINT;
        self.0.note_at_value(Fault::new(path, problem).with_help(format!("the nearest is {near}")));
        None
    }

    /// Reads the points of the lists that are fought, and the prices that they try by the position
    /// of their weapon.
    pub(super) fn read_list_budget_and_prices(
        &mut self,
        weapons: Option<&[ArsenalWeapon]>,
    ) -> (Option<f64>, Vec<(usize, f64)>) {
        let given = self.0.document.table.get(LIST_BUDGET_KEY);
        let budget = self.0.read_real_number(given, &LIST_BUDGET_RANGE, LIST_BUDGET_KEY).flatten();
        let expected = "expected prices by weapon, such as `rifle = 120` below [prices.try]";
        let below = self.0.document.table.get(TRIAL_PRICES_KEY);
        let below = self.read_table_or_empty(below, TRIAL_PRICES_KEY, expected);
        self.note_unknown_keys((TRIAL_PRICES_KEY, &below), &[PRICES_TO_TRY_KEY], expected);
        let path = format!("{TRIAL_PRICES_KEY}.{PRICES_TO_TRY_KEY}");
        let tried = self.read_table_or_empty(below.get(PRICES_TO_TRY_KEY), &path, expected);
        let tries = tried.iter().filter_map(|(name, price)| {
            let path = format!("{path}.{name}");
            let price = self.read_quarter_points(price, &PRICE_RANGE, &path);
            self.find_weapon_or_note_fault(name, &path, weapons?).zip(price)
        });
        (budget, tries.collect())
    }

    /// Reads the cost of a point of worth, as the file settles it.
    pub(super) fn read_scale_source(&mut self, weapons: Option<&[ArsenalWeapon]>) -> ScaleSource {
        let expected = "expected a table, such as `unit = \"rifle\"` below [scale]";
        let scale_table = self.0.document.table.get(WORTH_SCALE_KEY);
        let scale_table = self.read_table_or_empty(scale_table, WORTH_SCALE_KEY, expected);
        let holds = "it holds `unit`, the name of a weapon, or `k`, a number";
        self.note_unknown_keys((WORTH_SCALE_KEY, &scale_table), &["unit", "k"], holds);
        let path = format!("{WORTH_SCALE_KEY}.k");
        let k = self.0.read_real_number(scale_table.get("k"), &SCALE_FACTOR_RANGE, &path).flatten();
        let unit =
            scale_table.get("unit").and_then(|unit| self.find_scale_anchor_weapon(unit, weapons?));
        if unit.is_some() && k.is_some() {
            let fault = Fault::new(path, "`unit` and `k` both set the cost of a point of worth");
            self.0.note_at_value(fault.with_help("leave one of them out"));
        }
        let by_k = k.map_or(ScaleSource::ByPrices, ScaleSource::By);
        unit.map_or(by_k, ScaleSource::ByUnit)
    }

    /// Finds the unit whose price is right by decision.
    fn find_scale_anchor_weapon(
        &mut self,
        value: &Toml,
        weapons: &[ArsenalWeapon],
    ) -> Option<usize> {
        let path = format!("{WORTH_SCALE_KEY}.unit");
        let Some(name) = value.as_str() else {
            self.0.note_at_value(Fault::new(path, "expected the name of a weapon in quotes"));
            return None;
        };
        let place = self.find_weapon_or_note_fault(name, &path, weapons)?;
        if weapons[place].price.is_some() {
            return Some(place);
        }
        let fault = Fault::new(path, format!("\"{}\" has no price", shorten_and_make_safe(name)));
        self.0.note_at_value(fault.with_help("add its price, or name a weapon with a price"));
        None
    }

    /// Finds the weapon of that name.
    fn find_weapon_or_note_fault(
        &mut self,
        name: &str,
        path: &str,
        weapons: &[ArsenalWeapon],
    ) -> Option<usize> {
        let key = path.starts_with(TRIAL_PRICES_KEY);
        let found = find_weapon_index(weapons, name);
        found.map_err(|fault| self.0.note_at_path(fault.prefix_path(path), key)).ok()
    }
}
