//! Schema of `[[contest.then]]`, actions in sequence.
//!
//! The fields of an action are not repeated here, which would make the schema a third longer: the
//! program checks them.

use serde_json::{Value as Json, json};

use super::{build_one_or_list_schema, build_plain_field_schema, build_table_schema};
use crate::follow_up::{FOLLOW_UP_FIELDS, FOLLOW_UPS_KEY};
use enfilade_model::catalogue::System;

/// Returns the name of the definition of a rulebook's follow-ups.
pub fn definition_name_of_rulebook(system: &System) -> String {
    format!("{}.{FOLLOW_UPS_KEY}", system.id)
}

/// Builds the schema of one follow-up or several.
pub fn build_follow_up_list_schema(system: &System) -> Json {
    let mut schema = build_one_or_list_schema(
        json!({ "$ref": format!("#/$defs/{}", definition_name_of_rulebook(system)) }),
    );
    schema["anyOf"][1]["minItems"] = json!(1);
    schema
}

/// Builds the schema of a follow-up in a contest of a rulebook: an action, and fields with a value
/// or an inherited one.
pub fn build_follow_up_schema(system: &System) -> Json {
    let mut schema = build_table_schema(&FOLLOW_UP_FIELDS, build_plain_field_schema);
    let names = system.actions.iter().map(|action| json!(action.name));
    schema["properties"]["action"]["enum"] = names.collect();
    schema["properties"]["carry"] = build_carried_schema();
    schema["additionalProperties"] = json!({
        "if": { "type": "object", "required": ["of"] },
        "then": build_inherited_schema(),
    });
    schema
}

/// Builds the schema of carried fields: all, some fields, or fields in other roles.
fn build_carried_schema() -> Json {
    let about = FOLLOW_UP_FIELDS.get("carry").map(|field| field.about.to_string());
    let name = json!({ "type": "string" });
    json!({
        "description": about,
        "anyOf": [
            { "type": "boolean" },
            { "type": "array", "items": name, "minItems": 1 },
            { "type": "object", "additionalProperties": name, "minProperties": 1 },
        ],
    })
}

/// Builds the schema of a value inherited from an outcome.
fn build_inherited_schema() -> Json {
    let whole = |about: &str, preset: i64| json!({ "type": "integer", "default": preset, "description": about });
    let alone = ["times", "plus"].map(|key| json!({ "required": ["list", key] }));
    json!({
        "type": "object",
        "description": "a value from the outcomes so far",
        "properties": {
            "of": { "type": "string", "description": "the outcome field" },
            "times": whole("factor of its number", 1),
            "plus": whole("number added to it", 0),
            "list": { "type": "array", "description": "the entry with that number, from 0" },
        },
        "required": ["of"],
        "additionalProperties": false,
        "not": { "anyOf": alone },
    })
}
