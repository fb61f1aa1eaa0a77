//! Schemas of experiments: what they refer to is in them.

use std::collections::BTreeMap;

use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::{DefaultValue, Field, FieldType, Fields};
use enfilade_study::schema::{build_plain_field_schema, build_schema_of_files};
use serde_json::{Value as Json, json};

/// Collects the places that the parts of a schema refer to.
fn collect_references<'a>(part: &'a Json, found: &mut Vec<&'a str>) {
    match part {
        Json::Object(words) => {
            found.extend(words.get("$ref").and_then(Json::as_str));
            words.values().for_each(|inner| collect_references(inner, found));
        }
        Json::Array(parts) => parts.iter().for_each(|inner| collect_references(inner, found)),
        _ => {}
    }
}

#[test]
fn every_reference_of_a_schema_leads_somewhere() {
    for catalogue in [crate::built_in(), &enfilade_testkit::toy::CATALOGUE] {
        let schema = build_schema_of_files(catalogue, []);
        let mut found = Vec::new();
        collect_references(&schema, &mut found);
        assert!(!found.is_empty());
        for place in found {
            let there = place.strip_prefix('#').and_then(|path| schema.pointer(path));
            assert!(there.is_some(), "{place}");
        }
    }
}

#[test]
fn a_part_inside_two_different_parts_is_written_once() {
    let long = json!({ "type": "string", "description": "a text with a long description of it" });
    let table = |other: &str| json!({ "properties": { "same": long, other: { "type": "null" } } });
    let schema =
        build_schema_of_files(&enfilade_testkit::toy::CATALOGUE, [table("one"), table("two")]);
    let [one, two] = [1, 2].map(|place| &schema["anyOf"][place]["properties"]["same"]);
    assert_eq!(one, two);
    let place = one["$ref"].as_str().and_then(|place| place.strip_prefix('#'));
    assert_eq!(place.and_then(|path| schema.pointer(path)), Some(&long));
}

#[test]
fn a_schema_has_whole_numbers_and_the_lengths_of_lists() {
    let default = |parts| {
        let kind = FieldType::Fraction(IntRange::new("weight", 0, 9));
        let field = Field::new("weight", kind, DefaultValue::Fraction(parts), "in tons");
        build_plain_field_schema(&field)["default"].clone()
    };
    // In 64ths.
    assert_eq!([default(128), default(96)], [json!(2), json!(1.5)]);
    let crews = FieldType::Tables(Fields::NO_FIELDS, IntRange::new("number of crews", 2, 5));
    let schema = build_plain_field_schema(&Field::new_required("crew", crews, "the crews"));
    // One table alone, or a list.
    let lengths = |form: usize| {
        let form = &schema["anyOf"][form];
        ["type", "minItems", "maxItems"].map(|key| form[key].clone())
    };
    assert_eq!(lengths(0), [json!("object"), Json::Null, Json::Null]);
    assert_eq!(lengths(1), [json!("array"), json!(2), json!(5)]);
}

/// Collects the contests of a schema: rulebook, action, and whether numbers of the rules vary.
fn collect_contests(part: &Json, found: &mut BTreeMap<(String, String), bool>) {
    match part {
        Json::Object(words) => {
            let text = |key: &str| Some(part["properties"][key]["const"].as_str()?.to_owned());
            if let Some(contest) = text("system").zip(text("action")) {
                // Where a contest is only named, nothing of it may vary.
                *found.entry(contest).or_default() |= part["properties"].get("change").is_some();
            }
            words.values().for_each(|inner| collect_contests(inner, found));
        }
        Json::Array(parts) => parts.iter().for_each(|inner| collect_contests(inner, found)),
        _ => {}
    }
}

#[test]
fn numbers_of_the_rules_are_offered_where_an_action_takes_them() {
    let catalogue = crate::built_in();
    let mut found = BTreeMap::new();
    collect_contests(&build_schema_of_files(catalogue, []), &mut found);
    let mut counts = [0; 2];
    for system in catalogue.rulebooks_created_on_demand() {
        for action in &system.actions {
            let takes = action.fields.get("change").is_some();
            let contest = (system.id.to_string(), action.name.to_string());
            assert_eq!(found.get(&contest), Some(&takes), "{contest:?}");
            counts[usize::from(takes)] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}
