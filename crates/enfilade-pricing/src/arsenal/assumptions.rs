//! Assumptions as a file sets them.

use toml::Value as Toml;

use super::ArsenalReader;
use crate::doctrine::WORD_ASSUMPTIONS;
use crate::evidence::PriceAssumption;
use crate::scenario::assumptions_with_rulebook;
use enfilade_model::form::Fault;
use enfilade_model::weapons::AssumptionSpec;

impl ArsenalReader<'_, '_> {
    pub(super) fn read_assumptions(&mut self) -> Vec<PriceAssumption> {
        let given = self.0.document.table.get("assumptions");
        let given = self.read_table_or_empty(given, "assumptions", "expected a table");
        let rules = self.1;
        let presets = || assumptions_with_rulebook(rules);
        let names: Vec<&str> =
            presets().map(|preset| &*preset.name).chain(WORD_ASSUMPTIONS.map(|w| w.name)).collect();
        let help = format!("the assumptions are {}", names.join(", "));
        self.note_unknown_keys(("assumptions", &given), &names, &help);
        let numbers =
            presets().map(|preset| self.read_assumption(preset, given.get(&*preset.name)));
        let mut all: Vec<PriceAssumption> = numbers.collect();
        for (word, value) in WORD_ASSUMPTIONS.iter().flat_map(|w| Some((w, given.get(w.name)?))) {
            let read = word.read_assumption_word(value);
            all.extend(read.map_err(|fault| self.0.note_at_value(fault)));
        }
        all
    }

    fn read_assumption(
        &mut self,
        preset: &AssumptionSpec,
        given: Option<&Toml>,
    ) -> PriceAssumption {
        let values = given.and_then(|given| self.read_three_values(preset, given));
        // A wrong value is replaced by the preset, so that the rest of the file is still checked.
        let [low, default, high] = values.unwrap_or(preset.values);
        let (name, about) = (preset.name.to_string(), preset.about.to_string());
        PriceAssumption { name, about, default, low, high }
    }

    /// Reads low, default and high, or the one number that is all of them.
    fn read_three_values(&mut self, preset: &AssumptionSpec, given: &Toml) -> Option<[f64; 3]> {
        let path = format!("assumptions.{}", preset.name);
        if matches!(given, Toml::Integer(_) | Toml::Float(_)) {
            let known = self.0.read_real_number(Some(given), &preset.bound, &path).flatten();
            return known.map(|value| [value; 3]);
        }
        let Some(items) = given.as_array().filter(|items| items.len() == 3) else {
            let [low, default, high] = preset.values;
            let fault = Fault::new(&path, "expected one number, or three: low, default and high");
            self.0.note_at_value(fault.with_help(format!("such as [{low}, {default}, {high}]")));
            return None;
        };
        let values = items.iter().enumerate().filter_map(|(place, item)| {
            let path = format!("{path}[{place}]");
            self.0.read_real_number(Some(item), &preset.bound, &path).flatten()
        });
        let values: [f64; 3] = values.collect::<Vec<f64>>().try_into().ok()?;
        if !values.is_sorted() {
            self.0.note_at_value(Fault::new(&path, "low, default and high must not fall"));
        }
        Some(values)
    }
}
