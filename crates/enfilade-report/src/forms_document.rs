//! The shape of the forms: one JSON document, whose keys are these fields.

use enfilade_model::form::bounds::RealRange;
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// The forms of all actions of a catalogue.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FormsDocument {
    pub(super) enfilade: &'static str,
    pub(super) systems: Vec<SystemForm>,
    /// The group of fields of an action that follows another.
    pub(super) then: usize,
    pub(super) groups: Vec<Vec<FormFieldDescription>>,
    pub(super) names: Vec<NamesWithPrintedData>,
}

/// The tiles of all actions of a catalogue: names and questions of the forms, without their fields.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TilesDocument {
    pub(super) enfilade: &'static str,
    pub(super) systems: Vec<SystemTiles>,
}

/// The tiles of a rulebook.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct SystemTiles {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) actions: Vec<ActionTile>,
    /// An arsenal to start from, where its weapons have prices.
    pub(super) arsenal: Option<String>,
}

/// The tile of an action.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct ActionTile {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) about: String,
    pub(super) question: String,
    pub(super) questions: Vec<SampleQuestionAndFileText>,
}

/// The forms of a rulebook.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct SystemForm {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) source: String,
    pub(super) dice: String,
    /// Its file, if it was read from one.
    pub(super) file: Option<String>,
    /// The file of its text.
    pub(super) text: Option<String>,
    pub(super) actions: Vec<ActionForm>,
    pub(super) arsenal: Option<ArsenalForm>,
}

/// The form of an action; its fields are a group.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct ActionForm {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) about: String,
    pub(super) question: String,
    pub(super) fields: usize,
    pub(super) leaves: Vec<String>,
    pub(super) questions: Vec<SampleQuestionAndFileText>,
}

/// The form of an arsenal of a rulebook, and an arsenal to start from.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct ArsenalForm {
    pub(super) fields: usize,
    pub(super) file: String,
}

/// A sample question with the experiment file for it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SampleQuestionAndFileText {
    pub(super) question: String,
    /// The text of the file.
    pub file: String,
}

/// A list of names, and the data about each.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct NamesWithPrintedData {
    pub(super) names: Vec<String>,
    /// Their numbers, where any goes with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) numbers: Vec<i64>,
    /// By field: what is printed in the column of that name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "Record<string, string[]>"))]
    pub(super) columns: Option<Map<String, Json>>,
}

/// One field. Empty keys are left out, because the forms of all games are read whenever the page is
/// opened.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct FormFieldDescription {
    #[serde(flatten)]
    pub(super) value: FieldValuesDescription,
    pub(super) name: String,
    pub(super) label: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) about: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) source: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) unit: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) group: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) assumed: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) rare: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) required: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "unknown"))]
    pub(super) preset: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reckoned: Option<String>,
    /// The values of a choice in a player's words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) values: Vec<String>,
    /// Of rows, the fields that are side by side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) columns: Vec<String>,
}

/// The values that a field accepts: its kind, and the details of that kind.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct FieldValuesDescription {
    pub(super) kind: &'static str,
    /// The list of names that it accepts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) names: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) bound: Option<NumberRange>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) step: Option<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) choices: Vec<AllowedNumberOrWord>,
    /// The smallest and the largest number of entries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) many: Option<[i64; 2]>,
    /// The values that its entries accept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) of: Option<Box<FieldValuesDescription>>,
    /// The group of its fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) fields: Option<usize>,
}

/// The smallest and the largest number.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) enum NumberRange {
    Whole([i64; 2]),
    Real([f64; 2]),
}

/// One of the values that a field may have.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) enum AllowedNumberOrWord {
    Number(i64),
    Word(String),
}

impl FormFieldDescription {
    /// Returns a field with only its values, name and label.
    pub(super) fn new(
        value: FieldValuesDescription,
        name: &str,
        label: &str,
    ) -> FormFieldDescription {
        FormFieldDescription {
            value,
            name: name.to_owned(),
            label: label.to_owned(),
            about: String::new(),
            source: String::new(),
            unit: String::new(),
            group: String::new(),
            assumed: None,
            rare: None,
            required: None,
            preset: None,
            reckoned: None,
            values: Vec::new(),
            columns: Vec::new(),
        }
    }
}

impl FieldValuesDescription {
    /// Returns the form with any number allowed: those of a file are typed by hand.
    pub(super) fn as_real_number_in_range(&self, bound: RealRange) -> FieldValuesDescription {
        let (bound, step) = (Some(NumberRange::Real([bound.low, bound.high])), Some(0.05));
        FieldValuesDescription { kind: "fraction", bound, step, ..self.clone() }
    }
}
