//! The catalogue as one JSON document: the output of `enfilade systems --format json`.

use serde::Serialize;

use crate::catalogue::{PrintedDataTable, RulebookAction, System};
use crate::cli::help::field_help::{
    describe_default, flatten_all_fields, flatten_without_row_columns,
};
use crate::combat::{HarmDegree, MeasureHead, OutcomeFieldHead};
use crate::form::{Field, Fields, Words};
use crate::pricing::{arsenal, scenario};
use crate::study::samples;
use crate::weapons::{AssumptionSpec, PricingRules};

/// The systems of the catalogue.
#[derive(Serialize)]
pub struct SystemsDocument {
    enfilade: &'static str,
    systems: Vec<SystemJson>,
}

/// A system.
#[derive(Serialize)]
struct SystemJson {
    id: String,
    title: String,
    source: String,
    dice: String,
    actions: Vec<ActionJson>,
    arsenal: Option<ArsenalFieldsJson>,
    readings: Vec<String>,
    not_modelled: Vec<String>,
    shelves: Vec<DataTableJson>,
}

/// An action, its fields and its reports.
#[derive(Serialize)]
pub struct ActionJson {
    name: String,
    about: String,
    question: String,
    direction: String,
    off_table: String,
    fields: Vec<FieldJson>,
    outcome: Vec<OutcomeFieldJson>,
    measures: Vec<MeasureHeadJson>,
    samples: Vec<String>,
}

/// A field, by its path.
#[derive(Serialize)]
struct FieldJson {
    path: String,
    holds: String,
    default: String,
    about: String,
    source: String,
    assumed: bool,
    label: String,
    unit: String,
    group: String,
    rare: bool,
    values: Vec<String>,
}

/// A field of an outcome.
#[derive(Serialize)]
struct OutcomeFieldJson {
    name: String,
    about: String,
    label: String,
    unit: String,
    rule: String,
    harm: Option<HarmJson>,
}

/// The degree of a harm, and its word.
#[derive(Serialize)]
struct HarmJson {
    degree: i16,
    word: String,
}

/// A measure.
#[derive(Serialize)]
struct MeasureHeadJson {
    name: String,
    about: String,
    label: String,
    kind: String,
    unit: String,
    rule: String,
    first: bool,
}

/// The fields of an arsenal, and its assumptions.
#[derive(Serialize)]
struct ArsenalFieldsJson {
    fields: Vec<FieldJson>,
    assumptions: Vec<PricingAssumptionJson>,
}

/// An assumption: low, default and high.
#[derive(Serialize)]
struct PricingAssumptionJson {
    name: String,
    about: String,
    values: [f64; 3],
}

/// A printed table.
#[derive(Serialize)]
struct DataTableJson {
    name: String,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl SystemsDocument {
    /// Builds the document of these systems.
    pub fn from_rulebooks<'s>(systems: impl Iterator<Item = &'s System>) -> SystemsDocument {
        let systems = systems.map(system_json).collect();
        SystemsDocument { enfilade: env!("CARGO_PKG_VERSION"), systems }
    }
}

fn system_json(system: &System) -> SystemJson {
    let actions = system.actions.iter();
    SystemJson {
        id: system.id.to_string(),
        title: system.title.to_string(),
        source: system.source.to_string(),
        dice: system.dice.to_string(),
        actions: actions.map(|action| self::action_json(system, action)).collect(),
        arsenal: system.pricing.as_ref().map(|rules| arsenal_fields_json(&**rules)),
        readings: list_chosen_rule_readings(system),
        not_modelled: words_as_strings(&system.not_modelled),
        shelves: (system.data_tables)().into_iter().map(data_table_json).collect(),
    }
}

/// Builds the JSON of one action.
pub fn action_json(system: &System, action: &RulebookAction) -> ActionJson {
    let reported = samples::output_columns_of_action(action);
    ActionJson {
        name: action.name.to_string(),
        about: action.about.to_string(),
        question: action.question.to_string(),
        direction: system.dice_and_direction_for(action).to_string(),
        off_table: system.off_table_behaviour_for(action).to_string(),
        fields: fields_json(flatten_all_fields(&action.fields, "")),
        outcome: reported.fields.iter().map(outcome_field_json).collect(),
        measures: reported.measures.iter().map(|head| measure_json(head)).collect(),
        samples: words_as_strings(&action.samples),
    }
}

fn outcome_field_json(field: &OutcomeFieldHead) -> OutcomeFieldJson {
    let harm = |harm: &HarmDegree| HarmJson { degree: harm.degree, word: harm.word.to_string() };
    OutcomeFieldJson {
        name: field.name.to_string(),
        about: field.about.to_string(),
        label: field.display_name().to_string(),
        unit: field.unit.to_string(),
        rule: field.rule.to_string(),
        harm: field.harm.as_ref().map(harm),
    }
}

fn measure_json(measure: &MeasureHead) -> MeasureHeadJson {
    MeasureHeadJson {
        name: measure.name.to_string(),
        about: measure.about.to_string(),
        label: measure.display_name().to_string(),
        kind: measure.kind.to_string(),
        unit: measure.unit.to_string(),
        rule: measure.rule.to_string(),
        first: measure.headline,
    }
}

fn arsenal_fields_json(rules: &dyn PricingRules) -> ArsenalFieldsJson {
    let assumption = |preset: &AssumptionSpec| PricingAssumptionJson {
        name: preset.name.to_string(),
        about: preset.about.to_string(),
        values: preset.values,
    };
    let [weapon, scenario] = weapon_and_scenario_fields(rules);
    ArsenalFieldsJson {
        fields: fields_json(flatten_arsenal_fields(&weapon, &scenario)),
        assumptions: scenario::assumptions_with_rulebook(rules).map(assumption).collect(),
    }
}

fn fields_json(fields: Vec<(String, &Field)>) -> Vec<FieldJson> {
    let field = |(path, field): (String, &Field)| FieldJson {
        path,
        holds: scenario::describe_arsenal_field_values(field),
        default: describe_default(field),
        about: field.about.to_string(),
        source: field.source.to_string(),
        assumed: field.assumed,
        label: field.display_name().to_string(),
        unit: field.unit.to_string(),
        group: field.group.to_string(),
        rare: field.rare,
        values: words_as_strings(&field.values),
    };
    fields.into_iter().map(field).collect()
}

fn data_table_json(table: PrintedDataTable) -> DataTableJson {
    let PrintedDataTable { name, columns, rows } = table;
    DataTableJson { name: name.to_string(), columns, rows }
}

pub(super) fn words_as_strings(items: &Words) -> Vec<String> {
    items.iter().map(str::to_owned).collect()
}

/// Lists the readings that are built in, and the fields whose defaults are readings.
pub(super) fn list_chosen_rule_readings(system: &System) -> Vec<String> {
    let mut all = words_as_strings(&system.readings);
    for action in &system.actions {
        for (path, field) in flatten_without_row_columns(&action.fields, "") {
            if field.assumed {
                all.push(format!(
                    "`{path}` of {}: {}, {}",
                    action.name,
                    field.about,
                    describe_default(field)
                ));
            }
        }
    }
    all
}

/// Returns the fields of weapons and of scenarios.
pub(super) fn weapon_and_scenario_fields(rules: &dyn PricingRules) -> [Fields; 2] {
    [arsenal::rulebook_weapon_fields(rules), scenario::all_scenario_fields(rules)]
}

pub(super) fn flatten_arsenal_fields<'a>(
    weapon: &'a Fields,
    scenario: &'a Fields,
) -> Vec<(String, &'a Field)> {
    let mut all = flatten_all_fields(weapon, "weapon.");
    all.extend(flatten_all_fields(scenario, "scenario."));
    all
}
