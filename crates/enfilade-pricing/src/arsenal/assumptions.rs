//! Assumptions as a file sets them.

use toml::{Table, Value as Toml};

use super::ArsenalReader;
use crate::doctrine::WORD_PRESETS;
use crate::evidence::PriceAssumption;
use crate::scenario::assumption_presets;
use enfilade_model::form::sanitize::sanitize_for_message;
use enfilade_model::form::{Fault, MAX_FAULTS, name_matching};
use enfilade_model::weapons::{AssumptionSpec, WeaponRules};

impl ArsenalReader<'_, '_> {
    pub(super) fn read_assumptions(&mut self, rules: &dyn WeaponRules) -> Vec<PriceAssumption> {
        let presets = || assumption_presets(rules);
        let empty = Table::new();
        let given = match self.0.document.table.get("assumptions") {
            None => &empty,
            Some(Toml::Table(table)) => table,
            Some(_) => {
                self.0.note_at_value(Fault::new("assumptions", "expected a table"));
                &empty
            }
        };
        let known: Vec<_> =
            presets().map(|preset| &*preset.name).chain(WORD_PRESETS.map(|w| w.name)).collect();
        let unknown = given.keys().filter(|key| !known.contains(&key.as_str()));
        for key in unknown.take(MAX_FAULTS) {
            let path = format!("assumptions.{key}");
            let fault =
                Fault::new(path, format!("there is no field `{}` here", sanitize_for_message(key)));
            let help = match name_matching::find_nearest(key, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the assumptions are {}", known.join(", ")),
            };
            self.0.note_at_path(fault.with_help(help), true);
        }
        let numbers =
            presets().map(|preset| self.read_assumption(preset, given.get(&*preset.name)));
        let mut all: Vec<_> = numbers.collect();
        let words = WORD_PRESETS
            .iter()
            .filter_map(|word| Some(word.read_assumption_word(given.get(word.name)?)));
        words.for_each(|word| {
            word.map_or_else(|fault| self.0.note_at_value(fault), |word| all.push(word))
        });
        all
    }

    fn read_assumption(
        &mut self,
        preset: &AssumptionSpec,
        given: Option<&Toml>,
    ) -> PriceAssumption {
        let path = format!("assumptions.{}", preset.name);
        let mut values = preset.values;
        // A wrong value is replaced by the preset, so that the rest of the file is still checked.
        match given {
            None => {}
            Some(Toml::Array(items)) if items.len() == 3 => {
                for (place, item) in items.iter().enumerate() {
                    let path = format!("{path}[{place}]");
                    if let Some(Some(value)) = self.0.read_real(Some(item), &preset.bound, &path) {
                        values[place] = value;
                    }
                }
                if !values.is_sorted() {
                    self.0.note_at_value(Fault::new(&path, "low, default and high must not fall"));
                }
            }
            // A single number is known for sure.
            Some(one @ (Toml::Integer(_) | Toml::Float(_))) => {
                if let Some(Some(value)) = self.0.read_real(Some(one), &preset.bound, &path) {
                    values = [value; 3];
                }
            }
            Some(_) => {
                let [low, default, high] = preset.values;
                let problem = "expected one number, or three: low, default and high";
                let fault = Fault::new(&path, problem);
                self.0
                    .note_at_value(fault.with_help(format!("such as [{low}, {default}, {high}]")));
            }
        }
        let [low, default, high] = values;
        PriceAssumption {
            name: preset.name.to_string(),
            about: preset.about.to_string(),
            default,
            low,
            high,
        }
    }
}
