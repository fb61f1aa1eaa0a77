//! Remarks on all battles of an arsenal, for its readers.

use crate::arsenal::Arsenal;
use crate::evidence::WeaponBattle;
use crate::scenario::Scenario;
use enfilade_model::form::{Field, Value};
use enfilade_model::weapons::WITHIN_REACH_FIELD;

/// Lists the labels of scenario options that no scenario uses.
pub fn scenario_options_never_used(arsenal: &Arsenal) -> Vec<String> {
    let empty = |value: Option<&Value>| match value {
        None | Some(Value::Flag(false)) | Some(Value::Int(0)) => true,
        Some(Value::List(values)) => values.is_empty(),
        _ => false,
    };
    let plain = |field: &&Field| {
        if field.name == WITHIN_REACH_FIELD.name {
            return false;
        }
        let mut scenarios = arsenal.scenarios.iter();
        scenarios.all(|scenario| empty(scenario.setting.form.get(&field.name)))
    };
    let fields = arsenal.rules.scenario_fields().iter();
    fields.filter(plain).map(|field| field.display_name().to_string()).collect()
}

/// Lists the changes of the rules, and the scenarios in which no weapon does harm.
pub fn changes_and_harmless_scenarios(arsenal: &Arsenal, battles: &[WeaponBattle]) -> Vec<String> {
    let changed = (!arsenal.change.is_empty()).then(|| {
        let changes = arsenal.change.iter().map(|(key, value)| format!("{key} = {value}"));
        format!("The rules are changed: {}.", changes.collect::<Vec<_>>().join(", "))
    });
    let harmless = |(s, scenario): (usize, &Scenario)| {
        let mut there = battles.iter().filter(|battle| battle.scenario == s);
        if there.any(|battle| battle.fires) {
            return None;
        }
        let ranges = &scenario.setting.ranges;
        let texts: Vec<String> = ranges.iter().map(i64::to_string).collect();
        let at = if texts.is_empty() { String::new() } else { format!(" at {}", texts.join(", ")) };
        Some(format!(
            "In \"{}\" no weapon of the arsenal does harm{at}: their worth there is that of their \
             crews alone.",
            scenario.weights.name
        ))
    };
    let harmless = arsenal.scenarios.iter().enumerate().filter_map(harmless);
    missing_rule_note(arsenal)
        .into_iter()
        .chain(changed)
        .chain(arsenal.unrepresented_trait_notes())
        .chain(harmless)
        .collect()
}

/// Describes the assumption that takes the place of a missing rule.
fn missing_rule_note(arsenal: &Arsenal) -> Option<String> {
    let preset = arsenal.rules.assumption_for_missing_rule()?;
    let mut all = arsenal.assumptions.iter();
    let assumed = all.find(|assumption| assumption.name == *preset.name)?;
    let (low, default, high) = (assumed.low, assumed.default, assumed.high);
    Some(format!(
        "All of these prices lean on `{}`, which is assumed and no rule: {default} ({low} to {high}), {}.",
        preset.name, preset.about
    ))
}
