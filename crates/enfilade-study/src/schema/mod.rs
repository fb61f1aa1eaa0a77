//! JSON Schema of experiments, for editors that complete and check text while it is typed.
//!
//! The schema is built from the same field tables as the checks, so it cannot become outdated. It
//! describes each field alone; combinations of fields are checked by the program.

mod follow_up_schema;
mod shared_definitions;

use serde_json::{Map, Value as Json, json};

use super::file::experiment_file::{
    ALL_CARD_FIELDS, ALL_CHART_FIELDS, CHANGES_KEY, CONTEST_HEAD_FIELDS, SWEEP_TABLE_FIELDS,
    SWEEP_TABLE_KEY, TOP_LEVEL_FIELDS,
};
use super::file::rulebook_loader::RULEBOOKS_KEY;
use super::follow_up::FOLLOW_UPS_KEY;
use enfilade_model::catalogue::{Catalogue, RulebookAction, System};
use enfilade_model::form::bounds;
use enfilade_model::form::name_matching::NameList;
use enfilade_model::form::validate::MAX_TEXT_CHARS;
use enfilade_model::form::{DefaultValue, ENTRY_COUNT_RANGE, Field, FieldType, Fields};
use enfilade_model::static_or_shared::Text;

/// Builds the schema of files with contests of the rule systems in `catalogue`, or with one of the
/// schemas `others`.
pub fn build_schema_of_files(
    catalogue: &Catalogue,
    others: impl IntoIterator<Item = Json>,
) -> Json {
    let mut either = vec![build_experiment_schema(catalogue)];
    either.extend(others);
    shared_definitions::move_repeats_to_definitions(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Enfilade experiment or arsenal",
        "description": "Contests of tabletop wargames whose odds are to be found, or weapons \
                        to be priced.",
        "anyOf": either,
        "$defs": build_rulebook_definitions(catalogue),
    }))
}

/// Builds the schema of a file with contests.
fn build_experiment_schema(catalogue: &Catalogue) -> Json {
    let mut top = build_table_schema(&TOP_LEVEL_FIELDS, build_plain_field_schema);
    for prose in ["question", "prediction"] {
        top["properties"][prose] = build_text_key_schema(prose);
    }
    top["properties"]["precision"] = build_precision_schema();
    top["properties"][RULEBOOKS_KEY] =
        build_one_or_list_schema(build_text_key_schema(RULEBOOKS_KEY));
    // The changeable values depend on the contests.
    top["properties"][CHANGES_KEY] = match catalogue.sole_text_rulebook() {
        Some(system) if collect_changeable_fields(system).is_some() => {
            changeable_fields_reference(system)
        }
        _ => json!({ "type": "object" }),
    };
    top["properties"][CHANGES_KEY]["description"] = json!(describe_top_field(CHANGES_KEY));
    top["properties"]["contest"] = build_one_or_list_schema(build_contest_schema(catalogue));
    top["properties"]["chart"] =
        build_one_or_list_schema(build_table_schema(&ALL_CHART_FIELDS, build_plain_field_schema));
    top["properties"]["card"] =
        build_one_or_list_schema(build_table_schema(&ALL_CARD_FIELDS, build_plain_field_schema));
    top["properties"][SWEEP_TABLE_KEY] =
        build_table_schema(&SWEEP_TABLE_FIELDS, build_plain_field_schema);
    top["required"] = json!(["contest"]);
    top["not"] = json!({ "required": ["trials", "precision"] });
    top
}

fn build_text_key_schema(name: &str) -> Json {
    json!({ "type": "string", "description": describe_top_field(name) })
}

fn describe_top_field(name: &str) -> Text {
    TOP_LEVEL_FIELDS.get(name).map(|field| field.about.clone()).unwrap_or_default()
}

fn build_precision_schema() -> Json {
    json!({
        "description": "the standard error at which a cell stops rolling",
        "type": "number",
        "minimum": bounds::STANDARD_ERROR_RANGE.low,
        "maximum": bounds::STANDARD_ERROR_RANGE.high,
        "default": 0.0005,
    })
}

/// Builds the schema of a contest: its fields depend on its system and action.
fn build_contest_schema(catalogue: &Catalogue) -> Json {
    let systems = || catalogue.rulebooks_created_on_demand();
    let ids: Vec<_> = systems().map(|system| &system.id).collect();
    let only = catalogue.sole_text_rulebook();
    let needed: &[&str] = if only.is_some() { &["action"] } else { &["system", "action"] };
    let of = |system: &System| {
        build_rulebook_schema(system, only.is_some_and(|only| only.id == system.id))
    };
    json!({
        "type": "object",
        "required": needed,
        "properties": { "system": { "description": describe_head_key("system"), "enum": ids } },
        "allOf": systems().flat_map(|system| of(system)).collect::<Vec<_>>(),
    })
}

/// Describes a key of a contest's head.
fn describe_head_key(key: &str) -> Text {
    CONTEST_HEAD_FIELDS.get(key).map(|field| field.about.clone()).unwrap_or_default()
}

/// Builds the schemas of the actions of a rulebook with their fields. The `only` rulebook from
/// files may be left out of a contest.
fn build_rulebook_schema(system: &System, only: bool) -> Vec<Json> {
    let named: &[&str] = if only { &[] } else { &["system"] };
    let names: Vec<_> = system.actions.iter().map(|action| &action.name).collect();
    let this = json!({ "properties": { "system": { "const": system.id } }, "required": named });
    let action_names = json!({ "properties": { "action": { "description": describe_head_key("action"), "enum": names } } });
    let mut rules = vec![json!({ "if": this, "then": action_names })];
    for action in &system.actions {
        let both = json!({
            "properties": { "system": { "const": system.id }, "action": { "const": action.name } },
            "required": named,
        });
        rules.push(json!({ "if": both, "then": { "$ref": format!("#/$defs/{}", action_definition_name(system, action)) } }));
    }
    rules
}

fn action_definition_name(system: &System, action: &RulebookAction) -> String {
    format!("{}.{}", system.id, action.name)
}

fn build_rulebook_definitions(catalogue: &Catalogue) -> Json {
    let mut all = Map::new();
    for system in catalogue.rulebooks_created_on_demand() {
        for action in &system.actions {
            all.insert(action_definition_name(system, action), build_fields_schema(system, action));
        }
        all.insert(
            follow_up_schema::definition_name_of_rulebook(system),
            follow_up_schema::build_follow_up_schema(system),
        );
        if let Some(cells) = collect_changeable_fields(system) {
            all.insert(
                format!("{}.{CHANGES_KEY}", system.id),
                build_table_schema(&cells, build_gridded_field_schema),
            );
        }
    }
    Json::Object(all)
}

/// Returns the changeable fields of the actions of a rulebook, which are most often the same for
/// all.
fn collect_changeable_fields(system: &System) -> Option<Fields> {
    let mut all: Vec<Field> = Vec::new();
    for action in &system.actions {
        let cells = action.fields.get(CHANGES_KEY).and_then(|field| field.kind.table_fields());
        for field in cells.into_iter().flat_map(Fields::iter) {
            if all.iter().all(|known| known.name != field.name) {
                all.push(field.clone());
            }
        }
    }
    (!all.is_empty()).then(|| all.into())
}

/// Builds a reference to the changeable fields of a rulebook.
fn changeable_fields_reference(system: &System) -> Json {
    json!({ "$ref": format!("#/$defs/{}.{CHANGES_KEY}", system.id) })
}

fn build_fields_schema(system: &System, action: &RulebookAction) -> Json {
    let own = action.fields.iter().filter(|field| field.name != CHANGES_KEY);
    let mut schema =
        build_table_schema(&own.cloned().collect::<Vec<_>>().into(), build_gridded_field_schema);
    if action.fields.get(CHANGES_KEY).is_some() && collect_changeable_fields(system).is_some() {
        schema["properties"][CHANGES_KEY] = changeable_fields_reference(system);
    }
    schema["properties"][FOLLOW_UPS_KEY] = follow_up_schema::build_follow_up_list_schema(system);
    schema["description"] = json!(format!("{}: {}", system.title, action.about));
    schema["properties"]["system"] = json!({ "const": system.id });
    schema["properties"]["action"] = json!({ "const": action.name });
    if let Some(name) = CONTEST_HEAD_FIELDS.get("name") {
        schema["properties"]["name"] = build_plain_field_schema(name);
    }
    schema
}

/// Builds the schema of a table with these fields and no others.
#[doc(hidden)]
pub fn build_table_schema(fields: &Fields, property: fn(&Field) -> Json) -> Json {
    let properties = fields.iter().map(|field| (field.name.to_string(), property(field)));
    let needed = fields.iter().filter(|field| field.preset == DefaultValue::Required);
    json!({
        "type": "object",
        "properties": properties.collect::<Map<_, _>>(),
        "required": needed.map(|field| &field.name).collect::<Vec<_>>(),
        "additionalProperties": false,
    })
}

/// Builds the schema of a field with one value.
#[doc(hidden)]
pub fn build_plain_field_schema(field: &Field) -> Json {
    with_description(field, build_value_schema(&field.kind))
}

/// Builds the schema of a field with one value or a grid axis.
fn build_gridded_field_schema(field: &Field) -> Json {
    let plain = build_value_schema(&field.kind);
    if matches!(field.kind, FieldType::Table(_) | FieldType::Tables(..)) {
        return with_description(field, plain);
    }
    let axis = json!({ "type": "array", "items": plain, "minItems": 1 });
    let mut forms = vec![plain, axis];
    forms.extend(build_axis_range_schema(&field.kind));
    with_description(field, json!({ "anyOf": forms }))
}

fn with_description(field: &Field, mut schema: Json) -> Json {
    let mut about = field.about.to_string();
    if !field.source.is_empty() {
        about = format!("{about} ({})", field.source);
    }
    if field.assumed {
        about.push_str("; our reading of an unclear source");
    }
    if let DefaultValue::Derived(how) = &field.preset {
        about.push_str(&format!("; by default {how}"));
    }
    schema["title"] = json!(field.display_name());
    schema["description"] = json!(about);
    if let Some(preset) = default_to_json(&field.preset) {
        schema["default"] = preset;
    }
    schema
}

fn default_to_json(preset: &DefaultValue) -> Option<Json> {
    match preset {
        DefaultValue::Required
        | DefaultValue::Absent
        | DefaultValue::Empty
        | DefaultValue::Derived(_) => None,
        DefaultValue::Int(n) => Some(json!(n)),
        DefaultValue::Fraction(parts) if parts % 64 == 0 => Some(json!(parts / 64)),
        DefaultValue::Fraction(parts) => Some(json!(*parts as f64 / 64.0)),
        DefaultValue::Flag(on) => Some(json!(on)),
        DefaultValue::Text(text) => Some(json!(text)),
        DefaultValue::Die(sides) => Some(json!(format!("d{sides}"))),
        DefaultValue::Ints(ints) => Some(json!(ints)),
    }
}

/// Builds the schema of one value of a type.
fn build_value_schema(kind: &FieldType) -> Json {
    match kind {
        FieldType::Flag => json!({ "type": "boolean" }),
        FieldType::Int(bound) => {
            json!({ "type": "integer", "minimum": bound.low, "maximum": bound.high })
        }
        FieldType::Numbers(numbers) => json!({ "enum": &**numbers }),
        FieldType::Fraction(bound) => {
            json!({ "type": "number", "minimum": bound.low, "maximum": bound.high, "multipleOf": 0.015_625 })
        }
        FieldType::Die(sides) => {
            let dice = sides.iter().map(|sides| json!(format!("d{sides}")));
            json!({ "enum": dice.chain(sides.iter().map(|sides| json!(sides))).collect::<Vec<_>>() })
        }
        FieldType::Choice(words) => json!({ "enum": words.iter().collect::<Vec<_>>() }),
        // Names match in any case and spacing, so the listed ones are examples.
        FieldType::Name(known) => {
            json!({ "type": "string", "examples": known.name_list().iter().collect::<Vec<_>>() })
        }
        FieldType::Text => json!({ "type": "string", "maxLength": MAX_TEXT_CHARS }),
        FieldType::List(of, many) => {
            json!({ "type": "array", "items": build_value_schema(of), "minItems": many.low, "maxItems": many.high })
        }
        FieldType::Entries(known, bound) => build_entries_schema(known.name_list(), bound),
        FieldType::Table(fields) => build_table_schema(fields, build_gridded_field_schema),
        FieldType::Tables(fields, many) => {
            let mut schema =
                build_one_or_list_schema(build_table_schema(fields, build_gridded_field_schema));
            schema["anyOf"][1]["minItems"] = json!(many.low);
            schema["anyOf"][1]["maxItems"] = json!(many.high);
            schema
        }
        // The columns that a custom row needs are checked by the program.
        FieldType::Row(known, fields) => {
            json!({ "anyOf": [build_value_schema(&FieldType::Name(known.clone())), build_table_schema(fields, build_gridded_field_schema)] })
        }
    }
}

fn build_entries_schema(known_names: &NameList, bound: &bounds::IntRange) -> Json {
    let number = json!({ "type": "integer", "minimum": bound.low, "maximum": bound.high });
    let value = json!({ "anyOf": [{ "type": "boolean" }, number] });
    let gridded = json!({ "anyOf": [value, { "type": "array", "items": value, "minItems": 1 }, integer_range_schema()] });
    let names: Vec<_> = known_names.iter().collect();
    let properties = known_names.names_with_numbers().map(|(name, printed)| {
        let mut property = gridded.clone();
        property["description"] = json!(format!("true takes the printed {printed:+}"));
        (name.to_owned(), property)
    });
    json!({ "anyOf": [
        { "type": "object", "properties": properties.collect::<Map<_, _>>(), "additionalProperties": gridded },
        { "type": "array", "items": { "type": "string", "examples": names }, "maxItems": ENTRY_COUNT_RANGE.high },
    ] })
}

fn build_axis_range_schema(kind: &FieldType) -> Option<Json> {
    match kind {
        FieldType::Int(_) => Some(integer_range_schema()),
        FieldType::Fraction(_) => Some(number_range_schema("number")),
        _ => None,
    }
}

fn integer_range_schema() -> Json {
    number_range_schema("integer")
}

fn number_range_schema(number: &str) -> Json {
    let changes = json!({ "anyOf": [{ "type": number }, { "type": "array", "items": { "type": number }, "minItems": 1 }, from_to_schema(number)] });
    let change = json!({
        "type": "object",
        "description": "changes to what it would be otherwise, or to `of`",
        "properties": { "change": changes, "of": { "type": number } },
        "required": ["change"],
        "additionalProperties": false,
    });
    json!({ "anyOf": [from_to_schema(number), change] })
}

fn from_to_schema(number: &str) -> Json {
    json!({
        "type": "object",
        "properties": {
            "from": { "type": number },
            "to": { "type": number },
            "step": { "type": number, "exclusiveMinimum": 0, "default": 1 },
        },
        "required": ["from", "to"],
        "additionalProperties": false,
    })
}

#[doc(hidden)]
pub fn build_one_or_list_schema(one: Json) -> Json {
    json!({ "anyOf": [one, { "type": "array", "items": one }] })
}
