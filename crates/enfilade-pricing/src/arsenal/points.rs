//! Points in halves and quarters, and the cost of a point of worth.

use toml::Value as Toml;

use super::{ArsenalReader, ArsenalWeapon, SCALE_KEY};
use crate::price::ScaleSource;
use enfilade_model::form::bounds::{IntRange, RealRange};
use enfilade_model::form::sanitize::sanitize_for_message;
use enfilade_model::form::{Fault, name_matching};

/// Range of the cost of a point of worth.
const FACTOR_BOUND: RealRange = RealRange { name: "k", low: 0.0001, high: 10_000.0 };

/// Prices and their steps take halves and quarters.
const QUARTER: f64 = 0.25;

impl ArsenalReader<'_, '_> {
    /// Reads a number of points in halves or quarters, within bounds of whole ones.
    pub(super) fn read_quarters(
        &mut self,
        value: &Toml,
        bound: &IntRange,
        path: &str,
    ) -> Option<f64> {
        let bound = RealRange { name: "points", low: QUARTER, high: bound.high as f64 };
        let points = self.0.read_real(Some(value), &bound, path).flatten()?;
        if points % QUARTER == 0.0 {
            return Some(points);
        }
        let problem = format!("{points} is no whole number, half or quarter of points");
        let near = (points / QUARTER).round() * QUARTER;
        self.0.note_at_value(Fault::new(path, problem).with_help(format!("the nearest is {near}")));
        None
    }

    /// Reads the cost of a point of worth, as the file settles it.
    pub(super) fn read_scale(&mut self, weapons: Option<&[ArsenalWeapon]>) -> ScaleSource {
        let given = match self.0.document.table.get(SCALE_KEY) {
            None => return ScaleSource::ByPrices,
            Some(Toml::Table(given)) => given.clone(),
            Some(_) => {
                let problem = "expected a table, such as `unit = \"rifle\"` below [scale]";
                self.0.note_at_value(Fault::new(SCALE_KEY, problem));
                return ScaleSource::ByPrices;
            }
        };
        for key in given.keys().filter(|key| !["unit", "k"].contains(&key.as_str())) {
            let problem = format!("there is no field `{}` here", sanitize_for_message(key));
            let fault = Fault::new(format!("{SCALE_KEY}.{key}"), problem);
            self.0.note_at_path(
                fault.with_help("it holds `unit`, the name of a weapon, or `k`, a number"),
                true,
            );
        }
        let k =
            self.0.read_real(given.get("k"), &FACTOR_BOUND, &format!("{SCALE_KEY}.k")).flatten();
        let unit = given.get("unit").and_then(|unit| self.read_scale_anchor(unit, weapons?));
        match (unit, k) {
            (Some(_), Some(_)) => {
                let problem = "`unit` and `k` both set the cost of a point of worth";
                self.0.note_at_value(
                    Fault::new(format!("{SCALE_KEY}.k"), problem)
                        .with_help("leave one of them out"),
                );
                ScaleSource::ByPrices
            }
            (Some(unit), None) => ScaleSource::ByUnit(unit),
            (None, Some(k)) => ScaleSource::By(k),
            (None, None) => ScaleSource::ByPrices,
        }
    }

    /// Finds the unit whose price is right by decision.
    fn read_scale_anchor(&mut self, value: &Toml, weapons: &[ArsenalWeapon]) -> Option<usize> {
        let path = format!("{SCALE_KEY}.unit");
        let Some(name) = value.as_str() else {
            self.0.note_at_value(Fault::new(path, "expected the name of a weapon in quotes"));
            return None;
        };
        let place = self.find_weapon(name, &path, weapons)?;
        if weapons[place].price.is_some() {
            return Some(place);
        }
        let fault = Fault::new(path, format!("\"{}\" has no price", sanitize_for_message(name)));
        self.0.note_at_value(fault.with_help("add its price, or name a weapon with a price"));
        None
    }

    /// Finds the weapon of that name.
    pub(super) fn find_weapon(
        &mut self,
        name: &str,
        path: &str,
        weapons: &[ArsenalWeapon],
    ) -> Option<usize> {
        let all = || weapons.iter().map(|weapon| weapon.name.as_str());
        let found = all()
            .position(|known| name_matching::match_key(known) == name_matching::match_key(name));
        if found.is_none() {
            let fault =
                Fault::new(path, format!("there is no weapon \"{}\"", sanitize_for_message(name)));
            let near = name_matching::find_nearest(name, all());
            let near = near.map(|near| format!("did you mean \"{near}\"?"));
            let help = near.unwrap_or_else(|| "the weapons are those of [[weapon]]".to_owned());
            self.0.note_at_value(fault.with_help(help));
        }
        found
    }
}
