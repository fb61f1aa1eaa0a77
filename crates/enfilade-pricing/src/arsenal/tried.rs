//! Budget of the lists that a file fights, and the prices that it tries in them.

use toml::{Table, Value as Toml};

use super::{ArsenalReader, LISTS, PRICES, Weapon};
use enfilade_model::form::Fault;
use enfilade_model::form::bounds::RealBound;
use enfilade_model::form::sanitize::shown;
use enfilade_model::weapons::PRICE;

/// Points of a list.
pub(crate) const BUDGET: RealBound = RealBound { name: "points of a list", low: 1.0, high: 1e9 };

/// The table below [`PRICES`] that holds prices to try.
pub(crate) const TRY: &str = "try";

impl ArsenalReader<'_, '_> {
    /// Reads the points of the lists that are fought, if the file sets them.
    pub(super) fn budget(&mut self) -> Option<f64> {
        let given = self.0.document.table.get(LISTS);
        self.0.real(given, &BUDGET, LISTS).flatten()
    }

    /// Reads the prices that are tried in lists, by the position of their weapon.
    pub(super) fn tries(&mut self, weapons: Option<&[Weapon]>) -> Vec<(usize, f64)> {
        let Some(given) = self.tried() else { return Vec::new() };
        let mut tries = Vec::new();
        for (name, price) in &given {
            let path = format!("{PRICES}.{TRY}.{name}");
            let price = self.quarters(price, &PRICE, &path);
            let place = weapons.and_then(|weapons| self.weapon_named(name, &path, weapons));
            tries.extend(place.zip(price));
        }
        tries
    }

    /// Reads the table of prices to try.
    fn tried(&mut self) -> Option<Table> {
        let expected = "expected prices by weapon, such as `rifle = 120` below [prices.try]";
        let below = match self.0.document.table.get(PRICES)? {
            Toml::Table(below) => below,
            _ => {
                self.0.note(Fault::new(PRICES, expected));
                return None;
            }
        };
        for key in below.keys().filter(|key| *key != TRY) {
            let fault =
                Fault::new(format!("{PRICES}.{key}"), format!("there is no `{}` here", shown(key)));
            self.0.note_where(fault.help(expected), true);
        }
        match below.get(TRY)? {
            Toml::Table(tried) => Some(tried.clone()),
            _ => {
                self.0.note(Fault::new(format!("{PRICES}.{TRY}"), expected));
                None
            }
        }
    }
}
