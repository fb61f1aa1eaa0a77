//! Assumptions as a file sets them.

use toml::{Table, Value as Toml};

use super::ArsenalReader;
use crate::doctrine::WORDS;
use crate::evidence::Assumption;
use crate::scenario::presets;
use enfilade_model::form::sanitize::shown;
use enfilade_model::form::{FAULTS, Fault, name_matching};
use enfilade_model::weapons::{Preset, Priced};

impl ArsenalReader<'_, '_> {
    pub(super) fn assumptions(&mut self, rules: &dyn Priced) -> Vec<Assumption> {
        let presets = || presets(rules);
        let empty = Table::new();
        let given = match self.0.document.table.get("assumptions") {
            None => &empty,
            Some(Toml::Table(table)) => table,
            Some(_) => {
                self.0.note(Fault::new("assumptions", "expected a table"));
                &empty
            }
        };
        let known: Vec<_> =
            presets().map(|preset| &*preset.name).chain(WORDS.map(|w| w.name)).collect();
        let unknown = given.keys().filter(|key| !known.contains(&key.as_str()));
        for key in unknown.take(FAULTS) {
            let path = format!("assumptions.{key}");
            let fault = Fault::new(path, format!("there is no field `{}` here", shown(key)));
            let help = match name_matching::nearest(key, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the assumptions are {}", known.join(", ")),
            };
            self.0.note_where(fault.help(help), true);
        }
        let numbers = presets().map(|preset| self.assumption(preset, given.get(&*preset.name)));
        let mut all: Vec<_> = numbers.collect();
        let words = WORDS.iter().filter_map(|word| Some(word.assumption(given.get(word.name)?)));
        words.for_each(|word| word.map_or_else(|fault| self.0.note(fault), |word| all.push(word)));
        all
    }

    fn assumption(&mut self, preset: &Preset, given: Option<&Toml>) -> Assumption {
        let path = format!("assumptions.{}", preset.name);
        let mut values = preset.values;
        // A wrong value is replaced by the preset, so that the rest of the file is still checked.
        match given {
            None => {}
            Some(Toml::Array(items)) if items.len() == 3 => {
                for (place, item) in items.iter().enumerate() {
                    let path = format!("{path}[{place}]");
                    if let Some(Some(value)) = self.0.real(Some(item), &preset.bound, &path) {
                        values[place] = value;
                    }
                }
                if !values.is_sorted() {
                    self.0.note(Fault::new(&path, "low, default and high must not fall"));
                }
            }
            // A single number is known for sure.
            Some(one @ (Toml::Integer(_) | Toml::Float(_))) => {
                if let Some(Some(value)) = self.0.real(Some(one), &preset.bound, &path) {
                    values = [value; 3];
                }
            }
            Some(_) => {
                let [low, default, high] = preset.values;
                let problem = "expected one number, or three: low, default and high";
                let fault = Fault::new(&path, problem);
                self.0.note(fault.help(format!("such as [{low}, {default}, {high}]")));
            }
        }
        let [low, default, high] = values;
        Assumption {
            name: preset.name.to_string(),
            about: preset.about.to_string(),
            default,
            low,
            high,
        }
    }
}
