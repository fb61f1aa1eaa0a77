//! The part of the schema that is about arsenals: weapons, scenarios and assumptions of each
//! rulebook whose weapons can be priced.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use crate::arsenal::points::{LIST_BUDGET_RANGE, PRICES_TO_TRY_KEY};
use crate::arsenal::{
    ARSENAL_FIELDS, LIST_BUDGET_KEY, PRICE_STEP_RANGE, TOLERANCE_RANGE, TRIAL_PRICES_KEY,
    WORTH_SCALE_KEY, rulebook_weapon_fields,
};
use crate::doctrine::WORD_ASSUMPTIONS;
use crate::scenario::{self, WEIGHT_BOUND, assumptions_with_rulebook};
use enfilade_model::catalogue::{Catalogue, System};
use enfilade_model::form::Field;
use enfilade_model::form::bounds::RealRange;
use enfilade_model::weapons::{PRICE_RANGE, PricingRules};
use enfilade_study::file::experiment_file::CHANGES_KEY;
use enfilade_study::file::rulebook_loader::RULEBOOKS_KEY;
use enfilade_study::schema::{
    build_one_or_list_schema, build_plain_field_schema, build_schema_of_files, build_table_schema,
};

/// Builds the schema of files whose contests or weapons belong to the rule systems in `catalogue`.
pub fn build_study_or_arsenal_schema(catalogue: &Catalogue) -> Json {
    let priced = catalogue.rulebooks_created_on_demand();
    let priced: Vec<_> = priced.filter(|system| system.pricing.is_some()).collect();
    let arsenals = (!priced.is_empty()).then(|| build_arsenal_schema(catalogue, &priced));
    build_schema_of_files(catalogue, arsenals)
}

/// Builds the schema of an arsenal: the fields of its weapons and scenarios depend on its system.
fn build_arsenal_schema(catalogue: &Catalogue, priced: &[&Arc<System>]) -> Json {
    let ids: Vec<_> = priced.iter().map(|system| &system.id).collect();
    let only = catalogue.sole_text_rulebook();
    let mut top = build_table_schema(&ARSENAL_FIELDS, build_field_schema);
    let text = || json!({ "type": "string" });
    let (any_table, named) =
        (json!({ "type": "object" }), json!({ "type": "object", "required": ["name"] }));
    let k = json!({ "type": "number", "exclusiveMinimum": 0 });
    let try_schema =
        json!({ "type": "object", "additionalProperties": quarter_steps_schema(PRICE_RANGE.high) });
    let keys = [
        ("system", json!({ "enum": ids })),
        (RULEBOOKS_KEY, build_one_or_list_schema(text())),
        ("question", text()),
        ("prediction", text()),
        (CHANGES_KEY, any_table.clone()),
        ("assumptions", any_table),
        (WORTH_SCALE_KEY, closed_table_schema(json!({ "unit": text(), "k": k }))),
        (LIST_BUDGET_KEY, real_number_schema(&LIST_BUDGET_RANGE)),
        (TRIAL_PRICES_KEY, closed_table_schema(json!({ (PRICES_TO_TRY_KEY): try_schema }))),
        ("weapon", build_one_or_list_schema(named.clone())),
        ("scenario", build_one_or_list_schema(named)),
    ];
    for (key, schema) in keys {
        let field = ARSENAL_FIELDS.get(key).map(|field| field.about.to_string());
        top["properties"][key] = with_description(schema, &field.unwrap_or_default());
    }
    let needed = ["system", "weapon", "scenario"];
    top["required"] = json!(needed[usize::from(only.is_some())..]);
    let is_only = |system: &System| only.is_some_and(|only| only.id == system.id);
    let each = priced.iter().filter_map(|system| build_system_schema(system, is_only(system)));
    top["allOf"] = json!(each.collect::<Vec<_>>());
    top
}

/// Builds the schema of an arsenal of one rulebook; the `only` rulebook is the default if none is
/// named.
fn build_system_schema(system: &System, only: bool) -> Option<Json> {
    let rules = &**system.pricing.as_ref()?;
    let named: &[&str] = if only { &[] } else { &["system"] };
    let weapon = build_table_schema(&rulebook_weapon_fields(rules), build_field_schema);
    let scenario = build_table_schema(&scenario::all_scenario_fields(rules), build_field_schema);
    Some(json!({
        "if": { "properties": { "system": { "const": system.id } }, "required": named },
        "then": { "properties": {
            "weapon": build_one_or_list_schema(weapon),
            "scenario": build_one_or_list_schema(scenario),
            "assumptions": build_assumptions_schema(rules),
        } },
    }))
}

fn build_assumptions_schema(rules: &dyn PricingRules) -> Json {
    let each = assumptions_with_rulebook(rules).map(|preset| {
        let number = real_number_schema(&preset.bound);
        let three = json!({
            "description": preset.about,
            "anyOf": [number, { "type": "array", "items": number, "minItems": 3, "maxItems": 3 }],
            "default": preset.values,
        });
        (preset.name.to_string(), three)
    });
    let words = WORD_ASSUMPTIONS.iter().map(|preset| {
        let one_or_several = build_one_or_list_schema(json!({ "enum": preset.words }));
        (preset.name.to_owned(), with_description(one_or_several, preset.about))
    });
    closed_table_schema(Json::Object(each.chain(words).collect()))
}

/// Builds the schema of a table that has no other keys.
fn closed_table_schema(properties: Json) -> Json {
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn with_description(mut schema: Json, about: &str) -> Json {
    schema["description"] = json!(about);
    schema
}

/// Builds the schema of a field of an arsenal: never an axis, and some take any number.
fn build_field_schema(field: &Field) -> Json {
    let mut schema = build_plain_field_schema(field);
    let number = match &*field.name {
        "weight" => real_number_schema(&WEIGHT_BOUND),
        "tolerance" => real_number_schema(&TOLERANCE_RANGE),
        "price_step" => quarter_steps_schema(PRICE_STEP_RANGE.high),
        "price" => quarter_steps_schema(PRICE_RANGE.high),
        _ => return schema,
    };
    for key in ["type", "maxLength", "minimum", "maximum", "multipleOf"] {
        schema[key] = number[key].clone();
    }
    schema.as_object_mut().expect("it is one").retain(|_, value| !value.is_null());
    schema
}

/// Points in halves and quarters.
fn quarter_steps_schema(most: i64) -> Json {
    json!({ "type": "number", "minimum": 0.25, "maximum": most, "multipleOf": 0.25 })
}

fn real_number_schema(bound: &RealRange) -> Json {
    json!({ "type": "number", "minimum": bound.low, "maximum": bound.high })
}
