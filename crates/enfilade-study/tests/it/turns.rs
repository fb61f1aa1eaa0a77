//! Actions over several turns, what is left of each side handed on: held against a reckoning of its
//! own, which knows nothing of chains.

use std::collections::BTreeMap;

use enfilade_model::catalogue::Catalogue;
use enfilade_model::dice::ScriptedDice;
use enfilade_model::error::InputError;
use enfilade_rules as rulebook;
use enfilade_study::answer::Answer;
use enfilade_study::error::StudyError;
use enfilade_study::experiment::Experiment;
use enfilade_study::question;
use enfilade_study::solve::{SolverSettings, solve_experiment};

use enfilade_testkit::frontier::assert_frontier_agrees;

/// A volley of one side at another, which loses men and is pinned; a rally that takes a pin off;
/// squads of several teams.
const RULES: &str = r#"game "Feud"
dice "d6"
record side:
    field men:     1..9 = 3  "men"
    field pins:    0..3 = 0  "pins"
    field hits_on: 2..7 = 5  "hits on"
record team:
    field men:  1..4 = 2  "men"
    field nerve: 2..6 = 4 "nerve"
field shooter: side
field target:  side
field squad:   1 to 4 of team
action volley "a volley":
    lost = count((shooter.men) d6 >= shooter.hits_on) at most target.men
    pins = target.pins
    if lost > 0: pins = pins + 1 at most 3
    show lost "lost" harm adds
    show pins "pins"
    measure p_lost = chance(lost > 0) "any lost" adds
    measure e_lost = mean(lost) "lost on average" adds
    measure p_gone = chance(lost == target.men) "gone"
    carry target.men = target.men - lost
    carry target.pins = pins
action rally "a rally":
    pins = target.pins
    if pins > 0 and d6 >= 4: pins -= 1
    show pins "pins"
    measure p_pinned = chance(pins > 0) "pinned"
    carry target.pins = pins
action shell "a shell falls on each team":
    units = bag of squad
    each u in units:
        if d6 >= u.nerve: u.men = u.men - 1 at least 0
    show gone = count(u in units where u.men == 0) "teams gone" harm adds
    carry squad = units
action muster "counts who stands":
    show here = target.men "men here"
    carry target.men = target.men
action silent "says nothing of what it leaves":
    show roll = (1 if target.men > 0)
    face = d6
"#;

fn rules() -> String {
    // What is rolled stands above what is shown.
    RULES.replace(
        "    show roll = (1 if target.men > 0)\n    face = d6\n",
        "    face = d6\n    show high = face > 3 and target.men > 0\n",
    )
}

fn catalogue() -> Catalogue {
    let none = |_: &str| Err("there is none".to_owned());
    let read = rulebook::read_without_built_in_base("feud", "feud.rules", &rules(), &none);
    Catalogue::default().with_rulebook(read.unwrap_or_else(|error| panic!("{error:?}")).system)
}

fn experiment(contest: &str) -> Experiment {
    let text = format!("[[contest]]\nsystem = 'feud'\n{contest}\n");
    Experiment::read_experiment_text(&catalogue(), "x.toml", &text)
        .unwrap_or_else(|error| panic!("{error:?}"))
}

fn exact(contest: &str) -> Vec<Answer> {
    let settings = SolverSettings::for_exact_only().with_fractions();
    solve_experiment(&experiment(contest), &settings).expect("it is small")
}

fn number(answer: &Answer, measure: &str) -> f64 {
    let found = answer.measure_answer_by_name(measure).unwrap_or_else(|| panic!("no {measure}"));
    found.exact.expect("it is exact")
}

fn fraction(answer: &Answer, measure: &str) -> String {
    let found = answer.measure_answer_by_name(measure).unwrap_or_else(|| panic!("no {measure}"));
    found.fraction.clone().expect("it is exact")
}

/// A side: men, pins, and what they hit on.
type Side = [u32; 3];

/// By number: how likely so many of the men fall.
fn losses(shooter: Side, target: Side) -> BTreeMap<u32, f64> {
    let hit = f64::from(7 - shooter[2]) / 6.0;
    let mut law = BTreeMap::from([(0, 1.0)]);
    for _ in 0..shooter[0] {
        let mut next = BTreeMap::new();
        for (hits, p) in law {
            *next.entry(hits).or_insert(0.0) += p * (1.0 - hit);
            *next.entry(hits + 1).or_insert(0.0) += p * hit;
        }
        law = next;
    }
    let mut capped = BTreeMap::new();
    for (hits, p) in law {
        *capped.entry(hits.min(target[0])).or_insert(0.0) += p;
    }
    capped
}

fn shot_at(target: Side, lost: u32) -> Side {
    [target[0] - lost, (target[1] + u32::from(lost > 0)).min(3), target[2]]
}

/// What is asked of a fight: the mean of all that fell in the turns after the first volley, the
/// chance that anybody did, and the mean number of turns.
#[derive(Default, Debug)]
struct Fought {
    fell: f64,
    any: f64,
    turns: f64,
}

/// A volley, then volleys as long as there are turns and men; sides change places where they
/// `exchange`.
fn fought(sides: [Side; 2], turns: u32, exchange: bool) -> Fought {
    fn go(sides: [Side; 2], left: u32, exchange: bool, so_far: [u32; 2], p: f64, all: &mut Fought) {
        let [shooter, target] = if exchange { [sides[1], sides[0]] } else { sides };
        if left == 0 || target[0] == 0 || shooter[0] == 0 {
            all.fell += p * f64::from(so_far[0]);
            all.any += if so_far[0] > 0 { p } else { 0.0 };
            all.turns += p * f64::from(so_far[1]);
            return;
        }
        for (lost, chance) in losses(shooter, target) {
            let next = [shooter, shot_at(target, lost)];
            let so_far = [so_far[0] + lost, so_far[1] + 1];
            go(next, left - 1, exchange, so_far, p * chance, all);
        }
    }
    let mut all = Fought::default();
    for (lost, p) in losses(sides[0], sides[1]) {
        go([sides[0], shot_at(sides[1], lost)], turns, exchange, [0, 0], p, &mut all);
    }
    all
}

fn said([men, pins, on]: Side) -> String {
    format!("{{ men = {men}, pins = {pins}, hits_on = {on} }}")
}

fn volleys(sides: [Side; 2], then: &str) -> String {
    let [shooter, target] = sides.map(said);
    format!(
        "action = 'volley'\nshooter = {shooter}\ntarget = {target}\n[[contest.then]]\naction = 'volley'\n{then}"
    )
}

const EXCHANGED: &str = "carry = { shooter = 'target', target = 'shooter' }";

/// Against the reckoning above: fights drawn at random, with and without an answer.
#[test]
fn volleys_over_turns_are_what_a_reckoning_by_hand_says() {
    let mut drawn = 12345_u32;
    let mut draw = |most: u32| {
        drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (drawn >> 16) % most
    };
    for _ in 0..12 {
        let mut side = || [1 + draw(3), draw(2), 3 + draw(5)];
        let sides = [side(), side()];
        let turns = 1 + draw(4);
        for (exchange, carry) in [(false, "carry = true"), (true, EXCHANGED)] {
            let answer = &exact(&volleys(sides, &format!("{carry}\ntimes = {turns}")))[0];
            let expected = fought(sides, turns, exchange);
            let found = ["e_then_lost", "then_p_lost", "e_then_turns"];
            let found = found.map(|name| match answer.measure_answer_by_name(name) {
                Some(_) => number(answer, name),
                None => number(answer, "then_e_lost"),
            });
            for (found, expected) in
                found.into_iter().zip([expected.fell, expected.any, expected.turns])
            {
                assert!(
                    (found - expected).abs() < 1e-12,
                    "{sides:?} {turns} {exchange}: {found} {expected}"
                );
            }
        }
    }
}

/// One man against two, each hitting on 5 and 6, by hand: he fells one with 1/3; those who are left
/// answer, and he falls with 1 - (2/3)^2 where both are, else with 1/3: 2/3 · 5/9 + 1/3 · 1/3.
#[test]
fn those_who_are_left_answer() {
    let sides = [[1, 0, 5], [2, 0, 5]];
    let answer = &exact(&volleys(sides, EXCHANGED))[0];
    assert_eq!(fraction(answer, "then_p_gone"), "13/27");
    assert!(answer.measure_answer_by_name("e_then_turns").is_none());
}

/// One man who hits on a 6: six volleys on average until somebody falls, whatever came before.
#[test]
fn until_somebody_falls() {
    let sides = [[1, 0, 6], [9, 0, 7]];
    let answer = &exact(&volleys(sides, "carry = true\nuntil = 'lost > 0'"))[0];
    assert!((number(answer, "e_then_turns") - 6.0).abs() < 1e-9);
    assert!((number(answer, "then_p_lost") - 1.0).abs() < 1e-9);
    let answer = &exact(&volleys(sides, "carry = true\nuntil = 'lost > 0'\ntimes = [1, 2, 3]"))[2];
    // 1 + 5/6 + 25/36 turns; somebody falls in 91 of 216 cases.
    assert_eq!(fraction(answer, "e_then_turns"), "91/36");
    assert_eq!(fraction(answer, "then_p_lost"), "91/216");
    assert_eq!(answer.axes[0].0, "then.times");
}

/// Each rally takes a pin off with 1/2: where the first did, one more turn shows that none is left;
/// where not, two turns on average. A condition asks about the pins that are left, not about the
/// sum of those of all turns.
#[test]
fn until_no_pin_is_left() {
    let rally = "action = 'rally'\n";
    let then = "[[contest.then]]\ncarry = true\nuntil = 'pins == 0'\n";
    let answer = &exact(&format!("{rally}target = {{ pins = 1 }}\n{then}{rally}"))[0];
    assert!((number(answer, "e_then_turns") - 1.5).abs() < 1e-9);
}

/// An action that does not define what it leaves is in nobody's way if its fields are not handed
/// on: the shooter of the first volley, who hits on 5 and 6, shoots again after it.
#[test]
fn an_action_that_leaves_nothing_may_stand_between_two_others() {
    let then = "target = { men = 1 }\n[[contest.then]]\naction = 'volley'\ncarry = ['shooter']";
    let text = volleys([[1, 0, 5], [2, 0, 5]], then).replacen(
        "[[contest.then]]\naction = 'volley'",
        "[[contest.then]]\naction = 'silent'",
        1,
    );
    assert_eq!(fraction(&exact(&text)[0], "then_2_p_lost"), "1/3");
}

/// Who felled somebody hits on 5, once; who did not never hits again: only 1/2 · 1/3 of it ends,
/// and the rest is told apart.
#[test]
fn what_never_ends_is_told() {
    let answer = &exact(
        "action = 'volley'\nshooter = { men = 1, hits_on = 4 }\ntarget = { men = 9 }\n[[contest.then]]\n\
         action = 'volley'\ncarry = ['target']\nuntil = 'lost > 0'\n\
         shooter = { men = 1, hits_on = { of = 'lost', list = [7, 5] } }",
    )[0];
    assert!((number(answer, "then_p_lost") - 1.0 / 6.0).abs() < 1e-12);
    assert_eq!(answer.unsettled, Some(0.0));
    let never = answer.never.expect("some of it never ends");
    assert!((never - 5.0 / 6.0).abs() < 1e-12);
}

/// A volley and a rally in turn: pins come and go, by hand for two turns of one man who always hits
/// (on 2 or more is 5/6) at nine.
#[test]
fn turns_of_several_steps() {
    let sides = [[1, 0, 2], [9, 0, 7]];
    let text = format!(
        "action = 'volley'\nshooter = {}\ntarget = {}\n[[contest.then]]\naction = 'rally'\ncarry = true\ntimes = 2\nsteps = 2",
        said(sides[0]),
        said(sides[1])
    );
    let answer = &exact(&text)[0];
    let step = |law: [f64; 3]| {
        let mut next = [0.0; 4];
        for (pins, p) in law.into_iter().enumerate() {
            next[pins] += p / 6.0;
            next[pins + 1] += p * 5.0 / 6.0;
        }
        let rallied =
            [next[0] + next[1] / 2.0, (next[1] + next[2]) / 2.0, next[2] / 2.0 + next[3] / 2.0];
        (rallied, next)
    };
    let (once, _) = step([1.0, 0.0, 0.0]);
    let (twice, _) = step(once);
    assert!((number(answer, "then_p_pinned") - (1.0 - twice[0])).abs() < 1e-12);
    assert!((number(answer, "e_lost") - 10.0 / 6.0).abs() < 1e-12);
}

/// Four shots of one man who hits on 2 or more, and then a rally: no pin is left after no hit, 1 in
/// 1296, and after half of the single hits, 20 in 1296.
#[test]
fn a_step_comes_after_all_turns_of_the_one_before() {
    let then = "carry = true\ntimes = 3\n[[contest.then]]\naction = 'rally'\ncarry = true";
    let text = volleys([[1, 0, 2], [9, 0, 7]], then);
    assert_eq!(fraction(&exact(&text)[0], "then_2_p_pinned"), "1285/1296");
    assert_frontier_agrees("turns and a step", &experiment(&text).cells[0].played.combat);
}

/// Five times the men are counted without a die, then one shot hits on 5 and 6.
#[test]
fn several_steps_without_dice_may_follow_each_other() {
    let again = "[[contest.then]]\naction = 'muster'\ncarry = true\n";
    let answer = &exact(&format!(
        "action = 'muster'\ntarget = {{ men = 3 }}\n{again}{again}{again}{again}[[contest.then]]\n\
         action = 'volley'\ncarry = ['target']\nshooter = {{ men = 1 }}"
    ))[0];
    assert_eq!(fraction(answer, "then_5_p_lost"), "1/3");
    let here: Vec<_> = answer.outcomes.iter().map(|outcome| outcome.values[4]).collect();
    assert!(here.iter().all(|men| *men == 3), "{here:?}");
}

/// Every team of a squad is handed on with the men it has: two shells on teams of one and of two
/// men.
#[test]
fn every_team_is_handed_on() {
    let squad = "action = 'shell'\nsquad = [{ men = 1, nerve = 4 }, { men = 2, nerve = 3 }]\n";
    let answer =
        &exact(&format!("{squad}[[contest.then]]\naction = 'shell'\ncarry = ['squad']\ntimes = 2"))
            [0];
    // The first goes with each shell that falls with 1/2, the second with the second of those with
    // 2/3.
    let first: f64 = 1.0 - 1.0 / 8.0;
    let second = 1.0 - 1.0 / 27.0 - 3.0 * 2.0 / 27.0;
    let gone = number(answer, "e_gone") + number(answer, "then_e_gone");
    assert!((gone - first - second).abs() < 1e-12, "{gone}");
}

/// Exact, simulated by counts, played, and in waves.
#[test]
fn turns_are_played_in_every_way() {
    let exchanged = volleys([[2, 0, 5], [3, 1, 4]], &format!("{EXCHANGED}\ntimes = 3"));
    let until = volleys([[2, 0, 6], [3, 1, 7]], "carry = true\nuntil = 'lost > 1'");
    for text in [exchanged, until] {
        let experiment = experiment(&text);
        for cell in &experiment.cells {
            assert_frontier_agrees("turns", &cell.played.combat);
        }
        let mut settings = SolverSettings::for_trials_per_cell(1_000_000);
        for played in [false, true] {
            settings.played = played;
            let answers = solve_experiment(&experiment, &settings).expect("it is small");
            assert!(answers.iter().all(|answer| answer.agrees == Some(true)), "{text} {played}");
        }
    }
}

/// Roll by roll: each step and turn that follows begins with its name.
#[test]
fn steps_that_follow_are_told_by_their_names() {
    let told = |then: &str, faces: &[u8]| {
        let experiment = experiment(&volleys([[1, 0, 5], [9, 0, 7]], then));
        let mut dice = ScriptedDice::new(faces);
        let mut told = Vec::new();
        let ending = experiment.cells[0].played.combat.play_with_step_listener(
            &mut dice,
            &mut |_, telling| {
                told.push(telling.text.split(": ").next().unwrap_or_default().to_owned());
                true
            },
        );
        assert!(ending.is_some() && dice.find_mismatch().is_none());
        told[1..].to_vec()
    };
    assert_eq!(told("carry = true", &[6, 1]), ["Then volley"]);
    let turns = told("carry = true\ntimes = 2", &[6, 1, 6]);
    assert_eq!(turns, ["Then volley, turn 1", "Then volley, turn 2"]);
}

/// A file to start from shows what may follow: without the `#` before its lines it is read, and
/// hands on.
#[test]
fn a_file_to_start_from_shows_a_step_that_follows() {
    let catalogue = crate::built_in();
    let mut shown = 0;
    for system in catalogue.rulebooks_created_on_demand() {
        for action in &system.actions {
            let file = question::build_starter_file(system, action, "x.toml", None, false);
            let left = action.leaves.fields.iter().any(|name| action.fields.get(name).is_some());
            assert_eq!(file.contains("\n# [[contest.then]]\n"), left, "{}", action.name);
            // Of cards with all their marks there are many: they have tests of their own.
            if !left || ["crewed-duel", "explosion", "barbed-wire"].contains(&&*action.name) {
                continue;
            }
            let (head, tail) = file.split_once("\n# [[contest.then]]\n").expect("it is shown");
            let tail: String =
                tail.lines().map(|line| line.trim_start_matches("# ").to_owned() + "\n").collect();
            let text =
                format!("{head}\n[[contest.then]]\n{tail}").replace("times = 2", "times = 1");
            match Experiment::read_experiment_text(catalogue, "x.toml", &text) {
                Ok(_) => shown += 1,
                Err(error) => panic!("{} {}\n{text}\n{error:?}", system.id, action.name),
            }
        }
    }
    assert!(shown > 15, "{shown}");
}

/// Every way to say it wrong has its place and its help.
#[test]
fn faults_of_turns_are_told_where_they_are() {
    let faults = |then: &str| {
        let text =
            format!("[[contest]]\nsystem = 'feud'\n{}\n", volleys([[1, 0, 5], [2, 0, 5]], then));
        let Err(StudyError::Input(InputError { faults, .. })) =
            Experiment::read_experiment_text(&catalogue(), "x.toml", &text)
        else {
            panic!("it is read: {then}")
        };
        let told = faults.into_iter().map(|located| {
            let help = located.fault.help.unwrap_or_default();
            format!("{}: {} ({help})", located.fault.path, located.fault.problem)
        });
        told.collect::<Vec<_>>().join("\n")
    };
    let cases = [
        ("carry = 5", "expected true, names of fields, or a table of roles"),
        ("carry = []", "expected true, names of fields, or a table of roles"),
        (
            "carry = ['targt']",
            "then[0].carry: `volley` has no field `targt` (did you mean `target`?)",
        ),
        (
            "carry = { target = 'shoter' }",
            "nothing before it has a field `shoter` (did you mean `shooter`?)",
        ),
        ("cary = true", "did you mean `carry`?"),
        ("carry = true\ntimes = 0", "then[0].times"),
        ("carry = true\ntimes = 101", "then[0].times"),
        ("carry = true\ntimes = 'often'", "then[0].times"),
        (
            "carry = true\nuntil = 'lots > 0'",
            "nothing before it reports `lots` (did you mean `lost`?)",
        ),
        ("carry = true\nuntil = 'lost'", "`lost` is not a condition"),
        ("carry = true\nuntil = 5", "expected a text"),
        ("carry = true\nuntil = 'lost > 9'", "it never holds, so the turn would never end"),
        (
            "carry = true\ntimes = 2\nsteps = 3",
            "then[0].steps: no more than 2 can be repeated here",
        ),
        ("carry = true\nsteps = 2", "a turn of several steps is not repeated"),
        ("carry = true\ntimes = 2\nsteps = 0", "expected a whole number from 1 to 20"),
        (
            "carry = true\n[[contest.then]]\naction = 'silent'\ncarry = true\n[[contest.then]]\naction = 'volley'\ncarry = true",
            "then[2].carry: `silent` does not define the fields that it leaves",
        ),
        (
            "carry = true\n[[contest.then]]\naction = 'shell'\ncarry = true",
            "shares no field with the actions before it",
        ),
    ];
    for (then, why) in cases {
        let told = faults(then);
        assert!(told.contains(why), "{then}\n{told}");
    }
}

/// What is wrong with `carry` in a rulebook is told at its line.
#[test]
fn faults_of_what_is_left_are_told_in_the_rulebook() {
    let read = |line: &str| {
        let text = RULES.replace(
            "    carry target.pins = pins\naction rally",
            &format!("    {line}\naction rally"),
        );
        let text = text.replace(
            "    show roll = (1 if target.men > 0)\n    face = d6\n",
            "    show men = target.men\n",
        );
        let none = |_: &str| Err("there is none".to_owned());
        match rulebook::read_without_built_in_base("feud", "feud.rules", &text, &none) {
            Ok(_) => "it is read".to_owned(),
            Err(error) => format!("{error:?}"),
        }
    };
    let cases = [
        ("carry targt.pins = pins", "there is no field `targt.pins` to carry"),
        ("carry target.pin = pins", "there is no field `target.pin` to carry"),
        ("carry target.pins = d6", "no dice in `carry`"),
        ("carry target = pins", "`target` is not a field that can be carried"),
        ("carry squad = pins", "`squad` is a list"),
        ("carry target.pins = pinz", "pinz"),
        ("carry target.pins", "expected"),
    ];
    for (line, why) in cases {
        let told = read(line);
        assert!(told.contains(why), "{line}\n{told}");
    }
}
