//! Assumptions that are words: the order of turns, and the choice of targets.
//!
//! They appear under `[assumptions]` beside the numbers, as one word or as several, of which the
//! first is the default and the others are the ends. A file without them assumes the first of all
//! words and tries no other.

use toml::Value as Toml;

use crate::battle::encounter::{Doctrine, TargetChoice, UnitTurnOrder};
use crate::evidence::PriceAssumption;
use enfilade_model::form::sanitize::shorten_and_make_safe;
use enfilade_model::form::{Fault, name_matching};
use enfilade_model::weapons::AssumptionValues;

/// An assumption that is one of several words; its value is the index of the word.
#[derive(Clone, Copy, Debug)]
pub struct WordAssumptionDefinition {
    /// Its key under `[assumptions]`.
    pub name: &'static str,
    /// Its meaning.
    pub about: &'static str,
    /// The words; the first is the default.
    pub words: &'static [&'static str],
    /// By word: the phrase for a sentence.
    pub phrases: &'static [&'static str],
}

/// The name of the order of turns.
pub const TURN_ORDER_ASSUMPTION: &str = "turns";
/// The word for units that act in turn, one of each side.
pub const ALTERNATE_TURNS: &str = "alternate";
/// The name of the choice of targets.
pub const TARGET_CHOICE_ASSUMPTION: &str = "fire";

/// All assumptions that are words.
pub const WORD_ASSUMPTIONS: [WordAssumptionDefinition; 2] = [
    WordAssumptionDefinition {
        name: TURN_ORDER_ASSUMPTION,
        about: "who acts when: all of one side, then all of the other, or one unit of each side in turn",
        words: &["sides", ALTERNATE_TURNS],
        phrases: &["one side acts, then the other", "units act in turn"],
    },
    WordAssumptionDefinition {
        name: TARGET_CHOICE_ASSUMPTION,
        about: "whom fire falls on: anybody, those first who are hurt, or those of whom it takes most points",
        words: &["spread", "wounded", "best"],
        phrases: &[
            "fire is spread",
            "fire falls first on who is hurt",
            "players shoot at what they hurt most",
        ],
    },
];

/// The word for a value of an assumption; `None` for an assumption that is a number.
pub fn word_of_assumption_value(assumption: &str, value: f64) -> Option<&'static str> {
    let preset = WORD_ASSUMPTIONS.iter().find(|preset| preset.name == assumption)?;
    preset.words.get(value as usize).copied()
}

/// A value of an assumption as files and tables show it.
pub fn format_assumption_value(assumption: &str, value: f64) -> String {
    word_of_assumption_value(assumption, value).map_or_else(|| value.to_string(), str::to_owned)
}

/// A value of an assumption as a phrase: `units act in turn`, `arc is 2`.
pub fn format_assumption_phrase(assumption: &str, value: f64) -> String {
    let preset = WORD_ASSUMPTIONS.iter().find(|preset| preset.name == assumption);
    let word = preset.and_then(|preset| preset.phrases.get(value as usize));
    word.map_or_else(|| format!("{assumption} is {value}"), |text| (*text).to_owned())
}

/// Returns the doctrine of the assumed values.
pub fn doctrine_from_assumptions(assumed: &AssumptionValues) -> Doctrine {
    let place = |name: &str| assumed.get(name).unwrap_or(0.0) as usize;
    let turns =
        [UnitTurnOrder::Sides, UnitTurnOrder::Alternate][place(TURN_ORDER_ASSUMPTION).min(1)];
    let fire = [TargetChoice::Spread, TargetChoice::Wounded, TargetChoice::Best]
        [place(TARGET_CHOICE_ASSUMPTION).min(2)];
    Doctrine { turns, fire }
}

impl WordAssumptionDefinition {
    /// Reads the assumption from a value in the file.
    ///
    /// # Errors
    /// The fault of the value.
    pub fn read_assumption_word(&self, value: &Toml) -> Result<PriceAssumption, Fault> {
        let words: Vec<_> = self.words.iter().map(|word| format!("\"{word}\"")).collect();
        let fault = |problem: String| {
            let help = format!("use one or several of {}", words.join(", "));
            Fault::new(format!("assumptions.{}", self.name), problem).with_help(help)
        };
        let given = match value {
            Toml::Array(words) if !(1..=self.words.len()).contains(&words.len()) => {
                return Err(fault(format!("expected 1 to {} words", self.words.len())));
            }
            Toml::Array(words) => words.as_slice(),
            one => std::slice::from_ref(one),
        };
        let word_index = |word: &Toml| {
            let word = word.as_str();
            let given = word.ok_or_else(|| fault("expected a word, or a list of words".into()))?;
            let place = self.words.iter().position(|word| *word == given);
            place.map(|place| place as f64).ok_or_else(|| {
                let fault = fault(format!("there is no \"{}\" here", shorten_and_make_safe(given)));
                match name_matching::find_nearest_name(given, self.words.iter().copied()) {
                    Some(near) => fault.with_help(format!("did you mean \"{near}\"?")),
                    None => fault,
                }
            })
        };
        let places = given.iter().map(word_index).collect::<Result<Vec<f64>, Fault>>()?;
        // With one other word that word is one end, and the default the other.
        let [default, low, high] = match places[..] {
            [only] => [only; 3],
            [default, other] => [default, default, other],
            [default, low, high, ..] => [default, low, high],
            [] => [0.0; 3],
        };
        let (name, about) = (self.name.to_owned(), self.about.to_owned());
        Ok(PriceAssumption { name, about, default, low, high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(place: usize, text: &str) -> Result<[f64; 3], String> {
        let table: toml::Table = format!("it = {text}").parse().expect("TOML");
        let found = WORD_ASSUMPTIONS[place].read_assumption_word(&table["it"]);
        found.map(|of| [of.default, of.low, of.high]).map_err(|fault| fault.problem)
    }

    #[test]
    fn words_are_read_as_one_or_several() {
        assert_eq!(read(0, "'sides'"), Ok([0.0; 3]));
        assert_eq!(read(0, "'alternate'"), Ok([1.0; 3]));
        assert_eq!(read(0, "['alternate']"), Ok([1.0; 3]));
        assert_eq!(read(0, "['alternate', 'sides']"), Ok([1.0, 1.0, 0.0]));
        assert_eq!(read(1, "['spread', 'wounded', 'best']"), Ok([0.0, 1.0, 2.0]));
        assert_eq!(read(1, "'worst'"), Err("there is no \"worst\" here".to_owned()));
        assert_eq!(read(0, "[]"), Err("expected 1 to 2 words".to_owned()));
        assert_eq!(read(0, "['sides', 'sides', 'sides']"), Err("expected 1 to 2 words".to_owned()));
        assert_eq!(read(1, "1"), Err("expected a word, or a list of words".to_owned()));
        assert_eq!(
            (
                word_of_assumption_value(TARGET_CHOICE_ASSUMPTION, 2.0),
                word_of_assumption_value("arc", 2.0)
            ),
            (Some("best"), None)
        );
    }

    #[test]
    fn nothing_assumed_is_what_the_chain_follows() {
        let none = AssumptionValues::default();
        assert_eq!(doctrine_from_assumptions(&none), Doctrine::default());
        let assumed = |turns, fire| {
            doctrine_from_assumptions(
                &[(TURN_ORDER_ASSUMPTION.into(), turns), (TARGET_CHOICE_ASSUMPTION.into(), fire)]
                    .into_iter()
                    .collect(),
            )
        };
        let both = Doctrine { turns: UnitTurnOrder::Alternate, fire: TargetChoice::Best };
        assert_eq!(assumed(1.0, 2.0), both);
    }
}
