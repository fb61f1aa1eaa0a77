//! What a file says beside its rule reaches forms, results and messages.

use std::sync::Arc;

use enfilade_model::catalogue::{RulebookAction, System};
use enfilade_model::combat::MeasureRoleBesideReports;
use enfilade_model::form::{DefaultValue, Fault, Field, Form};
use toml::Table;

const GAME: &str = r#"
game "Bridgehead"
direction "2d6, low is good"
off table "A 12 always fails,"
    "whatever is added to it."
reading "A gun that jams"
    "is cleared at once." (4.2)
words how:
    "each"    "each man"
    as_one    "the squad as one"
field moving: yes/no = no  "moving" called "at rest" or "on the move" ("MOVING, HITS")
    "whether they move"
    unit "paces"
field reaction: how = "each"  "who reacts"
record squad:
    field men: 0..9 optional  "of its own"
field other: squad
field men: 1..9 = 3  "men"
check men > 1 or not moving  "{men} cannot move"  "leave him where he is"
action fire "a volley":
    question "How often does {reaction|somebody} hurt?"
    off table "Nothing."
    field men: 1..4 = 2  "gunners"
    hit = d6 > men and not moving and reaction is not as_one and not given(other.men)
    told(hit)
action advance "some men":
    direction "d6, high is good"
    hit = d6 > men
    told(hit and not moving)
part told(hit):
    show hurt = hit  "hurt" "somebody is hurt" unit "men" harm 40 "wound" ("HITS")
    show safe = not hit  "safe" gain
    measure p_hurt = chance(hurt)  "hurt" headline finishing
    measure e_hurt = mean((1 if hurt))  "hurt men" unit "men"
"#;

fn game() -> System {
    let nothing = |_: &str| Err("nothing is read here".to_owned());
    let read = enfilade_rules::read_without_built_in_base(
        "bridgehead",
        "bridgehead.rules",
        GAME,
        &nothing,
    );
    read.unwrap_or_else(|fault| panic!("{fault:?}")).system
}

fn field(action: &RulebookAction, name: &str) -> Field {
    let named = action.fields.iter().filter(|field| field.name == *name);
    let [field] = *named.collect::<Vec<_>>() else { panic!("one `{name}`") };
    field.clone()
}

fn form(action: &RulebookAction, contest: &str) -> Form {
    let table: Table = contest.parse().expect("TOML");
    Form::from_table_with_defaults(&action.fields, &table).expect("a form")
}

fn faults(action: &RulebookAction, contest: &str) -> Vec<Fault> {
    let contest = action.build_contest(&form(action, contest));
    contest.expect_err("something is wrong")
}

#[test]
fn sentences_go_on_below() {
    let game = game();
    assert_eq!(&*game.direction, "2d6, low is good");
    assert_eq!(&*game.off_table, "A 12 always fails, whatever is added to it.");
    let readings: Vec<&str> = game.readings.iter().collect();
    assert_eq!(readings, ["A gun that jams is cleared at once. (4.2)"]);
    let [fire, advance]: [&Arc<RulebookAction>; 2] = [0, 1].map(|at| &game.actions[at]);
    let off_table = [fire, advance].map(|action| game.off_table_behaviour_for(action).to_string());
    assert_eq!(off_table, ["Nothing.", &*game.off_table]);
    assert_eq!(&*game.dice_and_direction_for(advance), "d6, high is good");
}

#[test]
fn an_action_asks_with_the_words_of_its_contest() {
    let game = game();
    let fire = &game.actions[0];
    assert_eq!(fire.question_in_general(), "How often does somebody hurt?");
    let asked = |contest| fire.title_question_for_form(&form(fire, contest));
    assert_eq!(asked(""), "How often does each man hurt?");
    let one = "How often does the squad as one hurt?";
    assert_eq!(asked("reaction = 'as_one'"), one);
    assert_eq!(asked("reaction = 'as-one'"), one);
}

#[test]
fn fields_say_all_that_a_form_shows() {
    let game = game();
    let moving = field(&game.actions[0], "moving");
    let said = [&moving.label, &moving.about, &moving.unit, &moving.source];
    assert_eq!(said.map(|text| &**text), ["moving", "whether they move", "paces", "MOVING, HITS"]);
    let called: Vec<&str> = moving.values.iter().collect();
    assert_eq!(called, ["at rest", "on the move"]);
    let reaction = field(&game.actions[0], "reaction");
    assert_eq!(reaction.kind.describe_accepted_values(), "\"each\" or \"as-one\"");
    assert_eq!(reaction.preset, DefaultValue::Text("each".into()));
}

#[test]
fn a_field_of_an_action_stands_in_the_place_of_one_at_the_top() {
    let game = game();
    let [fire, advance] = [0, 1].map(|at| field(&game.actions[at], "men"));
    assert_eq!([&*fire.label, &*advance.label], ["gunners", "men"]);
    // That of a record, which the rule asks for, is another.
    assert_eq!([fire.preset, advance.preset], [2, 3].map(DefaultValue::Int));
    // For the condition at the top too.
    for action in &game.actions {
        let wrong = faults(action, "men = 1\nmoving = true");
        let [fault] = wrong.as_slice() else { panic!("{wrong:?}") };
        assert_eq!(&*fault.path, "men");
        assert_eq!(&*fault.problem, "1 cannot move");
        assert_eq!(fault.help.as_deref(), Some("leave him where he is"));
    }
}

#[test]
fn shows_and_measures_say_all_that_results_show() {
    let game = game();
    for action in &game.actions {
        let contest = action.build_contest(&form(action, "")).expect("a contest");
        let [hurt, safe] = contest.combat.outcome_fields() else { panic!("two fields") };
        assert_eq!(
            [&*hurt.label, &*hurt.about, &*hurt.unit, &*hurt.rule],
            ["hurt", "somebody is hurt", "men", "HITS"]
        );
        let harm = hurt.harm.as_ref().expect("harm");
        assert_eq!((harm.degree, &*harm.word), (40, "wound"));
        assert!(safe.harm.as_ref().is_some_and(|gain| gain.degree < 0));
        let [p_hurt, e_hurt] = contest.combat.measures() else { panic!("two measures") };
        assert!(p_hurt.headline && !e_hurt.headline);
        assert_eq!(
            [p_hurt.role, e_hurt.role],
            [MeasureRoleBesideReports::Finishing, MeasureRoleBesideReports::Plain]
        );
        assert_eq!(&*e_hurt.unit, "men");
    }
}

/// The gravest is the first of those without a degree; what has one is graver than all of them.
#[test]
fn shows_without_a_degree_follow_those_that_have_one_in_their_order() {
    let degrees = |shows: &[&str]| -> Vec<i16> {
        let shows: String = shows
            .iter()
            .enumerate()
            .map(|(at, harm)| format!("    show s{at} = x > {at} {harm}\n"))
            .collect();
        let text = format!("action a:\n    x = d6\n{shows}");
        let nothing = |_: &str| Err("nothing is read here".to_owned());
        let read = enfilade_rules::read_without_built_in_base("m", "m.rules", &text, &nothing);
        let action = &read.unwrap_or_else(|fault| panic!("{fault:?}")).system.actions[0];
        let contest = action.build_contest(&form(action, "")).expect("a contest");
        let harm = contest.combat.outcome_fields().iter().map(|head| head.harm.as_ref());
        harm.map(|harm| harm.expect("it has one").degree).collect()
    };
    for shows in [
        &["harm", "harm", "harm"][..],
        &["harm 40 \"hit\"", "harm", "harm"],
        &["harm", "harm 4 \"hit\"", "harm", "harm 90 \"kill\""],
        &["harm", "harm 3 \"hit\"", "harm"],
    ] {
        let found = degrees(shows);
        let own = |at: &usize| shows[*at].len() > "harm".len();
        let (stated, others): (Vec<usize>, Vec<usize>) = (0..shows.len()).partition(own);
        let least = stated.iter().map(|at| found[*at]).min().unwrap_or(101);
        let ranks: Vec<i16> =
            std::iter::once(least).chain(others.iter().map(|at| found[*at])).collect();
        assert!(ranks.is_sorted_by(|above, below| above > below), "{shows:?}: {found:?}");
    }
    // However many there are below the least degree, harm stays harm and gain stays gain.
    for signs in
        [["harm 2 \"hit\"", "harm", "harm", "harm"], ["gain 2 \"won\"", "gain", "gain", "gain"]]
    {
        let found = degrees(&signs);
        let sign = if signs[1] == "harm" { 1 } else { -1 };
        assert_eq!(found, [2 * sign, sign, sign, sign], "{signs:?}");
    }
}
