//! Remarks on all battles of an arsenal, for its readers.

use crate::arsenal::Arsenal;
use crate::evidence::WeaponWinCurves;
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
    let unused = |field: &&Field| {
        let mut forms = arsenal.scenarios.iter().map(|scenario| &scenario.setting.form);
        field.name != WITHIN_REACH_FIELD.name && forms.all(|form| empty(form.get(&field.name)))
    };
    let fields = arsenal.rules.scenario_fields().iter();
    fields.filter(unused).map(|field| field.display_name().to_string()).collect()
}

/// Lists the changes of the rules, and the scenarios in which no weapon does harm.
pub fn changes_and_harmless_scenarios(
    arsenal: &Arsenal,
    battles: &[WeaponWinCurves],
) -> Vec<String> {
    let changed = (!arsenal.change.is_empty()).then(|| {
        let changes = arsenal.change.iter().map(|(key, value)| format!("{key} = {value}"));
        format!("The rules are changed: {}.", changes.collect::<Vec<_>>().join(", "))
    });
    let harmless = |(s, scenario): (usize, &Scenario)| {
        let mut there = battles.iter().filter(|battle| battle.scenario == s);
        if there.any(|battle| battle.fires) {
            return None;
        }
        let texts: Vec<_> = scenario.setting.ranges.iter().map(i64::to_string).collect();
        let at = if texts.is_empty() { String::new() } else { format!(" at {}", texts.join(", ")) };
        Some(format!(
            "In \"{}\" no weapon of the arsenal does harm{at}: their worth there is that of their \
             crews alone.",
            scenario.weights.name
        ))
    };
    let harmless = arsenal.scenarios.iter().enumerate().filter_map(harmless);
    // What no battle takes into account.
    let left_out = arsenal.weapons.iter().filter_map(|weapon| {
        Some(format!("{}: {}.", weapon.name, weapon.nature.left_out.as_ref()?))
    });
    missing_rule_note(arsenal).into_iter().chain(changed).chain(left_out).chain(harmless).collect()
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
