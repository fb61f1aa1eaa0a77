//! Budget of the lists that a file fights, and the prices that it tries in them.

use toml::{Table, Value as Toml};

use super::{ArsenalReader, ArsenalWeapon, LISTS_KEY, PRICES_KEY};
use enfilade_model::form::Fault;
use enfilade_model::form::bounds::RealRange;
use enfilade_model::form::sanitize::sanitize_for_message;
use enfilade_model::weapons::PRICE;

/// Points of a list.
pub(crate) const BUDGET_BOUND: RealRange =
    RealRange { name: "points of a list", low: 1.0, high: 1e9 };

/// The table below [`PRICES_KEY`] that holds prices to try.
pub(crate) const TRY_KEY: &str = "try";

impl ArsenalReader<'_, '_> {
    /// Reads the points of the lists that are fought, if the file sets them.
    pub(super) fn read_list_budget(&mut self) -> Option<f64> {
        let given = self.0.document.table.get(LISTS_KEY);
        self.0.read_real(given, &BUDGET_BOUND, LISTS_KEY).flatten()
    }

    /// Reads the prices that are tried in lists, by the position of their weapon.
    pub(super) fn read_prices_to_try(
        &mut self,
        weapons: Option<&[ArsenalWeapon]>,
    ) -> Vec<(usize, f64)> {
        let Some(given) = self.read_try_table() else { return Vec::new() };
        let mut tries = Vec::new();
        for (name, price) in &given {
            let path = format!("{PRICES_KEY}.{TRY_KEY}.{name}");
            let price = self.read_quarters(price, &PRICE, &path);
            let place = weapons.and_then(|weapons| self.find_weapon(name, &path, weapons));
            tries.extend(place.zip(price));
        }
        tries
    }

    /// Reads the table of prices to try.
    fn read_try_table(&mut self) -> Option<Table> {
        let expected = "expected prices by weapon, such as `rifle = 120` below [prices.try]";
        let below = match self.0.document.table.get(PRICES_KEY)? {
            Toml::Table(below) => below,
            _ => {
                self.0.note_at_value(Fault::new(PRICES_KEY, expected));
                return None;
            }
        };
        for key in below.keys().filter(|key| *key != TRY_KEY) {
            let fault = Fault::new(
                format!("{PRICES_KEY}.{key}"),
                format!("there is no `{}` here", sanitize_for_message(key)),
            );
            self.0.note_at_path(fault.with_help(expected), true);
        }
        match below.get(TRY_KEY)? {
            Toml::Table(tried) => Some(tried.clone()),
            _ => {
                self.0.note_at_value(Fault::new(format!("{PRICES_KEY}.{TRY_KEY}"), expected));
                None
            }
        }
    }
}
