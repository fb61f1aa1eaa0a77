//! What a designer is told who asks for what is not there: the rulebook's own sentence, the table
//! or the action that has it, or every name that may be meant.

use enfilade_model::catalogue::Catalogue;
use enfilade_model::error::InputError;
use enfilade_study::error::StudyError;
use enfilade_study::experiment::Experiment;

use crate::built_in;

/// A catalogue of one rulebook that is told in text.
fn alone(id: &str) -> Catalogue {
    let rulebook = built_in().rulebook_by_id(id).expect("it is built in");
    Catalogue::from_rulebooks([(**rulebook).clone()])
}

/// Problems and help of a contest of a rulebook in text.
fn told(id: &str, action: &str, lines: &str) -> Vec<(String, String)> {
    let catalogue = alone(id);
    let text = format!("[[contest]]\nsystem = '{id}'\naction = '{action}'\n{lines}");
    let faults = match Experiment::read_experiment_text(&catalogue, "asked.toml", &text) {
        Err(StudyError::Input(InputError { faults, .. })) => faults,
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("nothing is wrong with {text}"),
    };
    let faults = faults.into_iter().map(|located| located.fault);
    faults.map(|fault| (fault.problem, fault.help.unwrap_or_default())).collect()
}

fn helps(id: &str, action: &str, lines: &str, help: &str) {
    let told = told(id, action, lines);
    assert!(told.iter().any(|(_, said)| said.contains(help)), "{help}\n{told:?}");
}

const TEAM: &str = "experience = 'd8', figures = 2, weapon = 'd6', defense = 6";

#[test]
fn a_rulebook_says_what_it_has_in_its_place() {
    helps("aic", "overwatch", "", "Overwatch fire is `fire`");
    let covered = format!("attacker = {{ {TEAM}, cover = 'medium' }}\ndefender = {{ {TEAM} }}");
    helps("aic", "fire", &covered, "`cover` of the `defender`");
    let fought = format!("attacker = {{ {TEAM} }}\ndefender = {{ {TEAM} }}\nrounds = 3");
    helps("aic", "close-combat", &fought, "`assault`");
    helps("d20", "shoot", "shooter = { weapon = 'LMG', figures = 2 }", "it is `count`");
}

#[test]
fn what_a_rule_forbids_is_said_to_be_forbidden() {
    helps("d20", "interrupt", "weapon = 'LMG'\nextra-ap = 1", "without additional AP");
    helps("d20", "interrupt", "weapon = 'LMG'\nextra_ap = [0, 1]", "without additional AP");
    helps("d20", "interrupt", "weapon = 'LMG'\nmorale_modifier = 1", "no modifiers (REACTING)");
    // In another action the field is there.
    assert!(
        Experiment::read_experiment_text(
            &alone("d20"),
            "asked.toml",
            "[[contest]]\nsystem = 'd20'\naction = 'shoot'\nweapon = 'LMG'\nextra_ap = 1"
        )
        .is_ok()
    );
}

/// What is wrong on one side hides nothing of the other, and which side is not there is said.
#[test]
fn both_sides_are_told_at_once() {
    let problems = |lines: &str| -> Vec<String> {
        told("aic", "fire", lines).into_iter().map(|(problem, _)| problem).collect()
    };
    let defense = "`defense` is missing: the Defense rating that attacks must exceed";
    let nobody = "the team has no figures";
    let absent = problems("attacker = { experience = 'd8' }");
    assert_eq!(
        absent,
        [
            format!("in `defender`: {nobody}"),
            format!("in `defender`: {defense}"),
            nobody.to_owned(),
        ]
    );
    let there = problems("attacker = { experience = 'd8' }\ndefender = { wounded = 1 }");
    assert_eq!(there, [nobody, nobody, defense]);
    // Of what is wrong itself nothing more is told: a condition that reads it is not asked.
    let weapons = "{ experience = 'd8', weapons = ['d6'], weapon = 'd6' }";
    assert_eq!(
        problems(&format!("attacker = {weapons}\ndefender = {{ {TEAM} }}")),
        ["both `weapon` and `weapons` are given"]
    );
}

#[test]
fn a_field_that_stands_elsewhere_is_found_there() {
    let wrong = format!("attacker = {{ {TEAM}, squadmate = [] }}\ndefender = {{ {TEAM} }}");
    helps("aic", "fire", &wrong, "`squadmate` is a field of `defender`");
    helps("d20", "melee", "ap = 4", "`melee` has no `ap`; there is the action `action-points`");
    helps(
        "d20",
        "shoot",
        "shooter = { weapon = 'LMG', in_cover = true }",
        "a field of the contest",
    );
}

#[test]
fn several_tables_where_one_stands_lead_to_the_action_that_takes_them() {
    let several = format!("attacker = {{ {TEAM} }}\ndefender = [{{ {TEAM} }}, {{ {TEAM} }}]");
    helps("aic", "close-combat", &several, "`assault`");
}

#[test]
fn a_number_in_place_of_a_table_is_told_what_stands_in_it() {
    helps("d20", "vehicle", "pen = 9\narmour = { front = 9, side = 6 }", "such as { hull = … }");
    helps("d20", "shoot", "shooter = 3", "weapon, damage_dice");
}

#[test]
fn every_name_with_that_word_may_be_meant() {
    let meant = told("d20", "shoot", "weapon = 'rifle'").remove(0).1;
    for rifle in ["bolt-action rifle", "battle rifle", "sniper rifle"] {
        assert!(meant.contains(rifle), "{meant}");
    }
    helps("d20", "shoot", "weapon = 'bolt acton rifle'", "did you mean \"bolt-action rifle\"?");
}
