//! The experiments of `aic` and `d20`: they are well formed, and those that promise every choice
//! list every choice.

use std::collections::BTreeSet;

use enfilade_model::form::{FieldType, Value};
use enfilade_study::experiment::Experiment;
use enfilade_testkit::source_files::repository_folder;

use crate::harness::play::try_contest;

fn experiment(name: &str) -> Experiment {
    let folder = repository_folder().join("experiments");
    let text = std::fs::read_to_string(folder.join(format!("{name}.toml")));
    let text = text.expect("the experiment is there");
    Experiment::read_experiment_text(crate::built_in(), name, &text)
        .unwrap_or_else(|error| panic!("{name}: {error:?}"))
}

#[test]
fn experiments_ask_predict_and_are_well_formed() {
    let cells = [
        ("aic_experience_against_numbers", 4 * 6 * 5 + 4 * 6 * 2),
        ("aic_suppression", 3 * 27),
        ("d20_weapons", 11 * 8),
        ("d20_aim_or_fire", (4 + 7) * 10 + (4 + 12) * 15),
        ("d20_penetration", 13 * 4 + 13),
    ];
    for (name, expected) in cells {
        let experiment = experiment(name);
        assert_eq!(experiment.cells.len(), expected, "{name}");
        assert!(experiment.question.is_some() && experiment.prediction.is_some(), "{name}");
        assert_eq!(experiment.name, name.replace('_', "-"));
    }
}

#[test]
fn aim_or_fire_lists_every_legal_split() {
    let action =
        crate::built_in().rulebook_by_id("d20").and_then(|system| system.action("action-points"));
    let spend = action.expect("a built-in action").fields.get("spend");
    let FieldType::Choice(splits) = &spend.expect("the field is there").kind else {
        panic!("`spend` is a choice");
    };
    let mut legal = BTreeSet::new();
    for ap in [3, 4] {
        for spotted in [false, true] {
            for split in splits.iter() {
                let toml = format!(
                    "weapon = 'bolt-action rifle'\nap = {ap}\nspotted = {spotted}\nspend = '{split}'"
                );
                if try_contest("d20", "action-points", &toml).is_ok() {
                    legal.insert((ap, spotted, split.to_owned()));
                }
            }
        }
    }
    let cells = experiment("d20_aim_or_fire").cells;
    let listed = cells.iter().map(|cell| {
        let split = match cell.form.get("spend") {
            Some(Value::Text(split)) => split.clone(),
            other => panic!("{other:?}"),
        };
        (cell.form.int("ap"), cell.form.flag("spotted"), split)
    });
    assert_eq!(listed.collect::<BTreeSet<_>>(), legal);
    assert_eq!(legal.len(), 4 + 7 + 4 + 12);
}
