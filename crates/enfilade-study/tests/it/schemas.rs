//! Schemas of experiments: what they refer to is in them.

use std::collections::BTreeMap;

use enfilade_study::schema::build_schema_of_files;
use serde_json::Value as Json;

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
