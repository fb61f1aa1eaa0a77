//! Schemas of experiments: what they refer to is in them.

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
