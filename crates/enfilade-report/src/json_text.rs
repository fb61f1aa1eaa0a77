//! JSON documents as text; documents are structs, whose fields are the keys.

use serde::{Serialize, Serializer};

/// Formats a document with indents and a line feed at its end.
///
/// # Panics
/// If the document cannot be written as JSON: a map with keys that are no texts.
pub fn to_indented_json(document: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(document);
    text.expect("texts, numbers and lists are always JSON") + "\n"
}

/// Formats a document on one line, without a line feed.
///
/// # Panics
/// If the document cannot be written as JSON: a map with keys that are no texts.
pub fn to_flat_json(document: &impl Serialize) -> String {
    serde_json::to_string(document).expect("texts, numbers and lists are always JSON")
}

/// An object whose keys are names, in this order and each only once.
#[derive(Clone, Debug)]
pub(crate) struct ObjectKeyedByName<T>(Vec<(String, T)>);

impl<T> FromIterator<(String, T)> for ObjectKeyedByName<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(pairs: I) -> ObjectKeyedByName<T> {
        ObjectKeyedByName(pairs.into_iter().collect())
    }
}

impl<T: Serialize> Serialize for ObjectKeyedByName<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
