//! What the rulebooks say of themselves: every name has a player's word for it, every value of a
//! switch or a choice at most one label, harm has one word for one degree.

use std::collections::BTreeMap;

use enfilade_model::catalogue::RulebookAction;
use enfilade_model::combat::MeasureRoleBesideReports;
use enfilade_model::form::{Field, FieldType, Fields, Form, Value};
use enfilade_study::samples;

/// Whether a label can stand on a card: words, and nothing of the program.
fn reads_well(label: &str) -> bool {
    !label.is_empty() && !label.contains('_') && label.trim() == label
}

fn each_action(mut check: impl FnMut(&str, &RulebookAction)) {
    for system in crate::built_in().rulebooks_created_on_demand() {
        for action in &system.actions {
            check(&format!("{} {}", system.id, action.name), action);
        }
    }
}

fn each_field(fields: &Fields, outer: &str, check: &mut impl FnMut(&str, &Field)) {
    for field in fields.iter() {
        let path = format!("{outer}.{}", field.name);
        check(&path, field);
        if let Some(inner) = field.kind.table_fields() {
            each_field(inner, &path, check);
        }
    }
}

#[test]
fn every_field_has_a_label_and_a_place() {
    let mut wrong = Vec::new();
    each_action(|name, action| {
        let mut groups = BTreeMap::<String, usize>::new();
        each_field(&action.fields, name, &mut |path, field| {
            *groups.entry(field.group.to_string()).or_default() += 1;
            if !reads_well(&field.label) {
                wrong.push(format!("{path}: label {:?}", field.label));
            }
            let values = match &field.kind {
                FieldType::Flag => 2,
                FieldType::Choice(words) => words.len(),
                _ => 0,
            };
            if !field.values.is_empty() && field.values.len() != values {
                let labels = field.values.len();
                wrong.push(format!("{path}: {labels} labels for {values} values"));
            }
            wrong.extend(
                field
                    .values
                    .iter()
                    .filter(|label| !reads_well(label))
                    .map(|label| format!("{path}: value {label:?}")),
            );
        });
        let common = action.fields.iter().any(|field| !field.rare);
        assert!(common, "{name}: no field is common");
    });
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn every_result_has_a_label() {
    let mut wrong = Vec::new();
    each_action(|name, action| {
        let reported = samples::output_columns_of_action(action);
        for field in &reported.fields {
            if !reads_well(&field.label) {
                wrong.push(format!("{name} {}: {:?}", field.name, field.label));
            }
        }
        for measure in &reported.measures {
            if !reads_well(&measure.label) {
                wrong.push(format!("{name} {}: {:?}", measure.name, measure.label));
            }
        }
    });
    assert_eq!(wrong, Vec::<String>::new());
}

/// The fields of arsenals have labels too, where a rulebook has prices.
#[test]
fn every_field_of_an_arsenal_has_a_label() {
    let mut wrong = Vec::new();
    let systems = crate::built_in().rulebooks_created_on_demand();
    let priced = systems.filter_map(|system| Some((system, system.pricing.as_ref()?)));
    let mut fields = 0;
    for (system, pricing) in priced {
        for (what, all) in
            [("weapon", pricing.weapon_fields()), ("scenario", pricing.scenario_fields())]
        {
            each_field(all, &format!("{} {what}", system.id), &mut |path, field| {
                fields += 1;
                if !reads_well(&field.label) {
                    wrong.push(format!("{path}: label {:?}", field.label));
                }
            });
        }
    }
    assert!(fields > 40, "{fields} fields are few");
    assert_eq!(wrong, Vec::<String>::new());
}

/// Among the contests of an action exactly one measure is shown first, and what finishes a target
/// is a probability.
#[test]
fn one_measure_of_every_action_is_shown_first() {
    let mut wrong = Vec::new();
    each_action(|name, action| {
        let reported = samples::output_columns_of_action(action);
        let first = reported.measures.iter().filter(|measure| measure.headline);
        let first: Vec<_> = first.map(|measure| measure.name.to_string()).collect();
        if first.len() != 1 {
            wrong.push(format!("{name}: {first:?} are shown first"));
        }
        let odd = reported.measures.iter();
        let odd = odd.filter(|m| {
            m.role == MeasureRoleBesideReports::Finishing && !m.kind.is_shown_in_percent()
        });
        wrong.extend(odd.map(|m| format!("{name}: {} finishes", m.name)));
    });
    assert_eq!(wrong, Vec::<String>::new());
}

/// Fields of one word are one band of a stack, and bands have an order.
#[test]
fn harm_of_one_word_has_one_place_in_the_order() {
    each_action(|name, action| {
        let mut bands = BTreeMap::<String, (i16, i16)>::new();
        let fields = samples::output_columns_of_action(action).fields;
        for harm in fields.iter().filter_map(|field| field.harm.as_ref()) {
            assert!((1..=100).contains(&harm.degree.abs()), "{name}: {harm:?}");
            let band = bands.entry(harm.word.to_string());
            let (low, high) = band.or_insert((harm.degree, harm.degree));
            (*low, *high) = ((*low).min(harm.degree), (*high).max(harm.degree));
        }
        let mut ranges: Vec<_> = bands.into_values().collect();
        ranges.sort_unstable();
        let apart = ranges.windows(2).all(|two| two[0].1 < two[1].0);
        assert!(apart, "{name}: {ranges:?}");
    });
}

/// A question ends with a question mark, and its places are fields of the contest.
#[test]
fn every_action_asks_a_question_that_a_contest_answers() {
    each_action(|name, action| {
        let question = &action.question;
        let plain = action.question_in_general();
        assert!(plain.ends_with('?') && reads_well(&plain), "{name}: {plain:?}");
        assert!(!plain.contains(['{', '}', '|']), "{name}: {plain:?}");
        for place in question.split('{').skip(1) {
            let (place, _) = place.split_once('}').expect("a place is closed");
            let path = place.split('|').next().unwrap_or(place);
            assert!(action.fields.find_field_at_path(path).is_some(), "{name}: no field {path}");
        }
        for sample in action.samples.iter() {
            let table = sample.parse().expect("a sample is TOML");
            let form =
                Form::from_table_with_defaults(&action.fields, &table).expect("a sample is right");
            let asked = action.title_question_for_form(&form);
            assert!(
                asked.ends_with('?') && reads_well(&asked) && !asked.contains(['{', '}', '|']),
                "{name}: {asked}"
            );
        }
    });
}

/// By hand: the words of `examples/toy`.
#[test]
fn a_player_reads_his_own_words() {
    let catalogue = &enfilade_testkit::toy::CATALOGUE;
    let volley = catalogue.action("toy", "volley").expect("it is there");
    let table = "shots = 4\nin_cover = true".parse().expect("TOML");
    let form = Form::from_table_with_defaults(&volley.fields, &table).expect("right");
    assert_eq!(volley.title_question_for_form(&form), "How often do 4 shots break 2 models?");
    let cover = volley.fields.get("in_cover").expect("it is there");
    assert_eq!(cover.display_value(&Value::Flag(true)), "in cover");
    assert_eq!(cover.display_value(&Value::Flag(false)), "in the open");
    assert_eq!(cover.display_name(), "cover");
    let system = catalogue.rulebook_by_id("toy").expect("it is there");
    assert!(system.off_table_behaviour_for(volley).starts_with("In cover a 6"));
    let shoot = catalogue.action("toy", "shoot").expect("it is there");
    assert_eq!(system.off_table_behaviour_for(shoot), "A 7 cannot be rolled.");
    assert_eq!(system.dice_and_direction_for(shoot), "1d6, high is good");
}
