//! Shares the repeated parts of a schema in `$defs`: names of weapons, tables of units, fields that
//! many actions have.

use std::collections::HashMap;

use serde_json::{Map, Value as Json, json};

/// Number of bytes below which a repetition is as short as a reference.
const MIN_BYTES_TO_SHARE: usize = 48;

/// Moves every part of a schema that occurs more than once to a definition.
pub fn move_repeats_to_definitions(mut schema: Json) -> Json {
    let mut parts = SchemaDedup::default();
    parts.count_repeated_parts(&mut schema);
    parts.replace_repeated_parts(&mut schema);
    if let Some(definitions) = schema["$defs"].as_object_mut() {
        definitions.extend(parts.definitions);
    }
    schema
}

#[derive(Default)]
struct SchemaDedup {
    /// Number of occurrences of each part, by its text.
    times: HashMap<String, usize>,
    names: HashMap<String, String>,
    definitions: Map<String, Json>,
}

impl SchemaDedup {
    /// Counts the parts of a schema; inside a part that was counted before nothing is counted
    /// again.
    fn count_repeated_parts(&mut self, schema: &mut Json) {
        visit_inner_schemas(schema, &mut |part| {
            let times = self.times.entry(part.to_string()).or_default();
            *times += 1;
            if *times == 1 {
                self.count_repeated_parts(part);
            }
        });
    }

    fn replace_repeated_parts(&mut self, schema: &mut Json) {
        visit_inner_schemas(schema, &mut |part| {
            let text = part.to_string();
            if text.len() < MIN_BYTES_TO_SHARE
                || self.times.get(&text).is_none_or(|times| *times < 2)
            {
                return self.replace_repeated_parts(part);
            }
            // Its inside is replaced once, in the definition; parts with the same text refer to it.
            let name = match self.names.get(&text) {
                Some(name) => name.clone(),
                None => {
                    let name = (self.names.len() + 1).to_string();
                    self.names.insert(text, name.clone());
                    let mut definition = part.take();
                    self.replace_repeated_parts(&mut definition);
                    self.definitions.insert(name.clone(), definition);
                    name
                }
            };
            *part = json!({ "$ref": format!("#/$defs/{name}") });
        });
    }
}

/// Visits the schemas inside a schema.
fn visit_inner_schemas(schema: &mut Json, take: &mut dyn FnMut(&mut Json)) {
    let Some(words) = schema.as_object_mut() else {
        return;
    };
    for (word, inner) in words {
        match (word.as_str(), inner) {
            ("properties", Json::Object(inner)) => inner.values_mut().for_each(&mut *take),
            ("anyOf" | "allOf", Json::Array(inner)) => inner.iter_mut().for_each(&mut *take),
            ("items" | "additionalProperties" | "not" | "if" | "then", inner @ Json::Object(_)) => {
                take(inner);
            }
            // A definition keeps its name, whatever its contents.
            ("$defs", Json::Object(inner)) => {
                inner.values_mut().for_each(|definition| visit_inner_schemas(definition, take));
            }
            _ => {}
        }
    }
}
