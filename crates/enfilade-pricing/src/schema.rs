//! The part of the schema that is about arsenals: weapons, scenarios and assumptions of each rulebook
//! whose weapons can be priced.

use serde_json::{Map, Value as Json, json};

use crate::arsenal::tried::{BUDGET, TRY};
use crate::arsenal::{LISTS, PRICES, SCALE, STEP, TOLERATED, TOP, weapon_fields};
use crate::doctrine::WORDS;
use crate::scenario::{self, WEIGHT, presets};
use enfilade_model::catalogue::{Catalogue, System};
use enfilade_model::form::Field;
use enfilade_model::form::bounds::RealBound;
use enfilade_model::weapons::{PRICE, Priced};
use enfilade_study::file::experiment::CHANGE;
use enfilade_study::file::rulebook_loader::RULES;
use enfilade_study::schema::{document, one_or_several, single, table};

/// Builds the schema of files whose contests or weapons belong to the rule systems in `catalogue`.
pub fn schema(catalogue: &Catalogue) -> Json {
    let is_priced = catalogue.systems().any(|system| system.pricing.is_some());
    document(catalogue, is_priced.then(|| arsenal(catalogue)))
}

/// Builds the schema of an arsenal: the fields of its weapons and scenarios depend on its system.
fn arsenal(catalogue: &Catalogue) -> Json {
    let priced = || catalogue.systems().filter(|system| system.pricing.is_some());
    let ids: Vec<_> = priced().map(|system| &system.id).collect();
    let only = catalogue.only_read();
    let mut top = table(&TOP, property);
    top["properties"]["system"] = about("system", json!({ "enum": ids }));
    top["properties"][RULES] = about(RULES, one_or_several(json!({ "type": "string" })));
    for prose in ["question", "prediction"] {
        top["properties"][prose] = about(prose, json!({ "type": "string" }));
    }
    for of_the_system in [CHANGE, "assumptions"] {
        top["properties"][of_the_system] = about(of_the_system, json!({ "type": "object" }));
    }
    let scale =
        json!({ "unit": { "type": "string" }, "k": { "type": "number", "exclusiveMinimum": 0 } });
    let scale = json!({ "type": "object", "properties": scale, "additionalProperties": false });
    top["properties"][SCALE] = about(SCALE, scale);
    top["properties"][LISTS] = about(LISTS, real(&BUDGET));
    let tried = json!({ "type": "object", "additionalProperties": quarters(PRICE.high) });
    let tried =
        json!({ "type": "object", "properties": { (TRY): tried }, "additionalProperties": false });
    top["properties"][PRICES] = about(PRICES, tried);
    for tables in ["weapon", "scenario"] {
        let named = json!({ "type": "object", "required": ["name"] });
        top["properties"][tables] = about(tables, one_or_several(named));
    }
    let needed = ["system", "weapon", "scenario"].into_iter();
    let needed = needed.filter(|key| *key != "system" || only.is_none());
    top["required"] = json!(needed.collect::<Vec<_>>());
    let of = |system: &System| of_system(system, only.is_some_and(|only| only.id == system.id));
    top["allOf"] = json!(priced().filter_map(|system| of(system)).collect::<Vec<_>>());
    top
}

/// Builds the schema of an arsenal of one rulebook; the `only` rulebook is the default if none is
/// named.
fn of_system(system: &System, only: bool) -> Option<Json> {
    let rules = &**system.pricing.as_ref()?;
    let named: &[&str] = if only { &[] } else { &["system"] };
    let weapon = table(&weapon_fields(rules), property);
    let scenario = table(&scenario::fields(rules), property);
    Some(json!({
        "if": { "properties": { "system": { "const": system.id } }, "required": named },
        "then": { "properties": {
            "weapon": one_or_several(weapon),
            "scenario": one_or_several(scenario),
            "assumptions": assumptions(rules),
        } },
    }))
}

fn assumptions(rules: &dyn Priced) -> Json {
    let each = presets(rules).map(|preset| {
        let number = real(&preset.bound);
        let three = json!({
            "description": preset.about,
            "anyOf": [number, { "type": "array", "items": number, "minItems": 3, "maxItems": 3 }],
            "default": preset.values,
        });
        (preset.name.to_string(), three)
    });
    let words = WORDS.iter().map(|preset| {
        let one_or_several = one_or_several(json!({ "enum": preset.words }));
        (preset.name.to_owned(), described(one_or_several, preset.about))
    });
    let properties: Map<String, Json> = each.chain(words).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn described(mut schema: Json, about: &str) -> Json {
    schema["description"] = json!(about);
    schema
}

/// Builds the schema of a field of an arsenal: never an axis, and some take any number.
fn property(field: &Field) -> Json {
    let mut schema = single(field);
    let number = match &*field.name {
        "weight" => real(&WEIGHT),
        "tolerance" => real(&TOLERATED),
        "price_step" => quarters(STEP.high),
        "price" => quarters(PRICE.high),
        _ => return schema,
    };
    for key in ["type", "maxLength", "minimum", "maximum", "multipleOf"] {
        schema[key] = number[key].clone();
    }
    schema.as_object_mut().expect("it is one").retain(|_, value| !value.is_null());
    schema
}

/// Points in halves and quarters.
fn quarters(most: i64) -> Json {
    json!({ "type": "number", "minimum": 0.25, "maximum": most, "multipleOf": 0.25 })
}

fn real(bound: &RealBound) -> Json {
    json!({ "type": "number", "minimum": bound.low, "maximum": bound.high })
}

fn about(key: &str, schema: Json) -> Json {
    let field = TOP.get(key).map(|field| field.about.to_string());
    described(schema, &field.unwrap_or_default())
}
