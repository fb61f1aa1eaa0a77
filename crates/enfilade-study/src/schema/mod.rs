//! JSON Schema of experiments, for editors that complete and check text while it is typed.
//!
//! The schema is built from the same field tables as the checks, so it cannot become outdated. It
//! describes each field alone; combinations of fields are checked by the program.

mod dedup;
mod follow_up;

use serde_json::{Map, Value as Json, json};

use super::file::experiment::{CARD, CHANGE, CHART, HEAD, SWEEP, SWEEP_KEY, TOP};
use super::file::rulebook_loader::RULES;
use super::follow_up::THEN;
use enfilade_model::catalogue::{Action, Catalogue, System};
use enfilade_model::form::bounds;
use enfilade_model::form::name_matching::NameList;
use enfilade_model::form::validate::TEXT_LENGTH;
use enfilade_model::form::{ENTRIES, Field, Fields, Kind, Preset};
use enfilade_model::shared::Text;

/// Builds the schema of files with contests of the rule systems in `catalogue`, or with one of the
/// schemas `others`.
pub fn document(catalogue: &Catalogue, others: impl IntoIterator<Item = Json>) -> Json {
    let mut either = vec![experiment(catalogue)];
    either.extend(others);
    dedup::shared(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Enfilade experiment or arsenal",
        "description": "Contests of tabletop wargames whose odds are to be found, or weapons \
                        to be priced.",
        "anyOf": either,
        "$defs": definitions(catalogue),
    }))
}

/// Builds the schema of a file with contests.
fn experiment(catalogue: &Catalogue) -> Json {
    let mut top = table(&TOP, single);
    for prose in ["question", "prediction"] {
        top["properties"][prose] = prose_of(prose);
    }
    top["properties"]["precision"] = precision();
    top["properties"][RULES] = one_or_several(prose_of(RULES));
    // The changeable values depend on the contests.
    top["properties"][CHANGE] = match catalogue.only_read() {
        Some(system) if changeable(system).is_some() => change_of(system),
        _ => json!({ "type": "object" }),
    };
    top["properties"][CHANGE]["description"] = json!(about_top(CHANGE));
    top["properties"]["contest"] = one_or_several(contest(catalogue));
    top["properties"]["chart"] = one_or_several(table(&CHART, single));
    top["properties"]["card"] = one_or_several(table(&CARD, single));
    top["properties"][SWEEP_KEY] = table(&SWEEP, single);
    top["required"] = json!(["contest"]);
    top["not"] = json!({ "required": ["trials", "precision"] });
    top
}

fn prose_of(name: &str) -> Json {
    json!({ "type": "string", "description": about_top(name) })
}

fn about_top(name: &str) -> Text {
    TOP.get(name).map(|field| field.about.clone()).unwrap_or_default()
}

fn precision() -> Json {
    json!({
        "description": "the standard error at which a cell stops rolling",
        "type": "number",
        "minimum": bounds::PRECISION.low,
        "maximum": bounds::PRECISION.high,
        "default": 0.0005,
    })
}

/// Builds the schema of a contest: its fields depend on its system and action.
fn contest(catalogue: &Catalogue) -> Json {
    let systems = || catalogue.systems();
    let ids: Vec<_> = systems().map(|system| &system.id).collect();
    let only = catalogue.only_read();
    let needed: &[&str] = if only.is_some() { &["action"] } else { &["system", "action"] };
    let of = |system: &System| rulebook(system, only.is_some_and(|only| only.id == system.id));
    json!({
        "type": "object",
        "required": needed,
        "properties": { "system": { "description": about("system"), "enum": ids } },
        "allOf": systems().flat_map(|system| of(system)).collect::<Vec<_>>(),
    })
}

/// Describes a key of a contest's head.
fn about(key: &str) -> Text {
    HEAD.get(key).map(|field| field.about.clone()).unwrap_or_default()
}

/// Builds the schemas of the actions of a rulebook with their fields. The `only` rulebook from
/// files may be left out of a contest.
fn rulebook(system: &System, only: bool) -> Vec<Json> {
    let named: &[&str] = if only { &[] } else { &["system"] };
    let names: Vec<_> = system.actions.iter().map(|action| &action.name).collect();
    let this = json!({ "properties": { "system": { "const": system.id } }, "required": named });
    let known =
        json!({ "properties": { "action": { "description": about("action"), "enum": names } } });
    let mut rules = vec![json!({ "if": this, "then": known })];
    for action in &system.actions {
        let both = json!({
            "properties": { "system": { "const": system.id }, "action": { "const": action.name } },
            "required": named,
        });
        rules.push(json!({ "if": both, "then": { "$ref": format!("#/$defs/{}", definition(system, action)) } }));
    }
    rules
}

fn definition(system: &System, action: &Action) -> String {
    format!("{}.{}", system.id, action.name)
}

fn definitions(catalogue: &Catalogue) -> Json {
    let mut all = Map::new();
    for system in catalogue.systems() {
        for action in &system.actions {
            all.insert(definition(system, action), fields(system, action));
        }
        all.insert(follow_up::definition(system), follow_up::follows(system));
        if let Some(cells) = changeable(system) {
            all.insert(format!("{}.{CHANGE}", system.id), table(&cells, gridded));
        }
    }
    Json::Object(all)
}

/// Returns the changeable fields of the actions of a rulebook, which are most often the same for
/// all.
fn changeable(system: &System) -> Option<Fields> {
    let mut all: Vec<Field> = Vec::new();
    for action in &system.actions {
        let cells = action.fields.get(CHANGE).and_then(|field| field.kind.fields());
        for field in cells.into_iter().flat_map(Fields::iter) {
            if all.iter().all(|known| known.name != field.name) {
                all.push(field.clone());
            }
        }
    }
    (!all.is_empty()).then(|| all.into())
}

/// Builds a reference to the changeable fields of a rulebook.
fn change_of(system: &System) -> Json {
    json!({ "$ref": format!("#/$defs/{}.{CHANGE}", system.id) })
}

fn fields(system: &System, action: &Action) -> Json {
    let own = action.fields.iter().filter(|field| field.name != CHANGE);
    let mut schema = table(&own.cloned().collect::<Vec<_>>().into(), gridded);
    if action.fields.get(CHANGE).is_some() && changeable(system).is_some() {
        schema["properties"][CHANGE] = change_of(system);
    }
    schema["properties"][THEN] = follow_up::tables(system);
    schema["description"] = json!(format!("{}: {}", system.title, action.about));
    schema["properties"]["system"] = json!({ "const": system.id });
    schema["properties"]["action"] = json!({ "const": action.name });
    if let Some(name) = HEAD.get("name") {
        schema["properties"]["name"] = single(name);
    }
    schema
}

/// Builds the schema of a table with these fields and no others.
#[doc(hidden)]
pub fn table(fields: &Fields, property: fn(&Field) -> Json) -> Json {
    let properties = fields.iter().map(|field| (field.name.to_string(), property(field)));
    let needed = fields.iter().filter(|field| field.preset == Preset::Required);
    json!({
        "type": "object",
        "properties": properties.collect::<Map<_, _>>(),
        "required": needed.map(|field| &field.name).collect::<Vec<_>>(),
        "additionalProperties": false,
    })
}

/// Builds the schema of a field with one value.
#[doc(hidden)]
pub fn single(field: &Field) -> Json {
    described(field, plain(&field.kind))
}

/// Builds the schema of a field with one value or a grid axis.
fn gridded(field: &Field) -> Json {
    let plain = plain(&field.kind);
    if matches!(field.kind, Kind::Table(_) | Kind::Tables(..)) {
        return described(field, plain);
    }
    let axis = json!({ "type": "array", "items": plain, "minItems": 1 });
    let mut forms = vec![plain, axis];
    forms.extend(range(&field.kind));
    described(field, json!({ "anyOf": forms }))
}

fn described(field: &Field, mut schema: Json) -> Json {
    let mut about = field.about.to_string();
    if !field.source.is_empty() {
        about = format!("{about} ({})", field.source);
    }
    if field.assumed {
        about.push_str("; our reading of an unclear source");
    }
    if let Preset::Reckoned(how) = &field.preset {
        about.push_str(&format!("; by default {how}"));
    }
    schema["title"] = json!(field.label_or_name());
    schema["description"] = json!(about);
    if let Some(preset) = preset(&field.preset) {
        schema["default"] = preset;
    }
    schema
}

fn preset(preset: &Preset) -> Option<Json> {
    match preset {
        Preset::Required | Preset::Absent | Preset::Empty | Preset::Reckoned(_) => None,
        Preset::Int(n) => Some(json!(n)),
        Preset::Fraction(parts) if parts % 64 == 0 => Some(json!(parts / 64)),
        Preset::Fraction(parts) => Some(json!(*parts as f64 / 64.0)),
        Preset::Flag(on) => Some(json!(on)),
        Preset::Text(text) => Some(json!(text)),
        Preset::Die(sides) => Some(json!(format!("d{sides}"))),
        Preset::Ints(ints) => Some(json!(ints)),
    }
}

/// Builds the schema of one value of a type.
fn plain(kind: &Kind) -> Json {
    match kind {
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Int(bound) => {
            json!({ "type": "integer", "minimum": bound.low, "maximum": bound.high })
        }
        Kind::Numbers(numbers) => json!({ "enum": &**numbers }),
        Kind::Fraction(bound) => {
            json!({ "type": "number", "minimum": bound.low, "maximum": bound.high, "multipleOf": 0.015_625 })
        }
        Kind::Die(sides) => {
            let dice = sides.iter().map(|sides| json!(format!("d{sides}")));
            json!({ "enum": dice.chain(sides.iter().map(|sides| json!(sides))).collect::<Vec<_>>() })
        }
        Kind::Choice(words) => json!({ "enum": words.iter().collect::<Vec<_>>() }),
        // Names match in any case and spacing, so the listed ones are examples.
        Kind::Name(known) => {
            json!({ "type": "string", "examples": known.list().iter().collect::<Vec<_>>() })
        }
        Kind::Text => json!({ "type": "string", "maxLength": TEXT_LENGTH }),
        Kind::List(of, many) => {
            json!({ "type": "array", "items": plain(of), "minItems": many.low, "maxItems": many.high })
        }
        Kind::Entries(known, bound) => entries(known.list(), bound),
        Kind::Table(fields) => table(fields, gridded),
        Kind::Tables(fields, many) => {
            let mut schema = one_or_several(table(fields, gridded));
            schema["anyOf"][1]["minItems"] = json!(many.low);
            schema["anyOf"][1]["maxItems"] = json!(many.high);
            schema
        }
        // The columns that a custom row needs are checked by the program.
        Kind::Row(known, fields) => {
            json!({ "anyOf": [plain(&Kind::Name(known.clone())), table(fields, gridded)] })
        }
    }
}

fn entries(known: &NameList, bound: &bounds::Bound) -> Json {
    let number = json!({ "type": "integer", "minimum": bound.low, "maximum": bound.high });
    let value = json!({ "anyOf": [{ "type": "boolean" }, number] });
    let gridded = json!({ "anyOf": [value, { "type": "array", "items": value, "minItems": 1 }, whole_range()] });
    let names: Vec<_> = known.iter().collect();
    let properties = known.entries().map(|(name, printed)| {
        let mut property = gridded.clone();
        property["description"] = json!(format!("true takes the printed {printed:+}"));
        (name.to_owned(), property)
    });
    json!({ "anyOf": [
        { "type": "object", "properties": properties.collect::<Map<_, _>>(), "additionalProperties": gridded },
        { "type": "array", "items": { "type": "string", "examples": names }, "maxItems": ENTRIES.high },
    ] })
}

fn range(kind: &Kind) -> Option<Json> {
    match kind {
        Kind::Int(_) => Some(whole_range()),
        Kind::Fraction(_) => Some(range_of("number")),
        _ => None,
    }
}

fn whole_range() -> Json {
    range_of("integer")
}

fn range_of(number: &str) -> Json {
    let changes = json!({ "anyOf": [{ "type": number }, { "type": "array", "items": { "type": number }, "minItems": 1 }, from_to(number)] });
    let change = json!({
        "type": "object",
        "description": "changes to what it would be otherwise, or to `of`",
        "properties": { "change": changes, "of": { "type": number } },
        "required": ["change"],
        "additionalProperties": false,
    });
    json!({ "anyOf": [from_to(number), change] })
}

fn from_to(number: &str) -> Json {
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
pub fn one_or_several(one: Json) -> Json {
    json!({ "anyOf": [one, { "type": "array", "items": one }] })
}
