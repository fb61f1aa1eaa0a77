//! Actions one after the other, on rules whose joint law is known by hand.

use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_model::catalogue::Catalogue;
use enfilade_model::error::InputError;
use enfilade_rules as rulebook;
use enfilade_study::answer::Answer;
use enfilade_study::error::StudyError;
use enfilade_study::experiment::{Experiment, GridCell};
use enfilade_study::solve::forecast::CostForecast;
use enfilade_study::solve::{SolverSettings, solve_experiment};

use enfilade_testkit::frontier::{assert_frontier_agrees, compile_and_solve, solve_by_frontier};

/// A volley that hits on 5 and 6, and a test of nerve that is failed with as much as was lost or
/// less.
const RULES: &str = include_str!("duel.rules");

/// Those rules alone.
fn catalogue() -> Catalogue {
    let none = |_: &str| Err("there is none".to_owned());
    let read = rulebook::read_without_built_in_base("duel", "duel.rules", RULES, &none)
        .expect("the rules are right");
    Catalogue::default().with_rulebook(read.system)
}

fn experiment(contest: &str) -> Experiment {
    let text = format!("[[contest]]\nsystem = 'duel'\naction = 'shoot'\n{contest}\n");
    Experiment::read_experiment_text(&catalogue(), "x.toml", &text)
        .unwrap_or_else(|error| panic!("{error:?}"))
}

fn exact(contest: &str) -> Vec<Answer> {
    let settings = SolverSettings::for_exact_only().with_fractions();
    solve_experiment(&experiment(contest), &settings).expect("it is small")
}

fn fraction(answer: &Answer, measure: &str) -> String {
    let found = answer.measure_answer_by_name(measure).unwrap_or_else(|| panic!("no {measure}"));
    found.fraction.clone().expect("it is exact")
}

const NERVE: &str = "[[contest.then]]\naction = 'nerve'\nlosses = { of = 'lost' }\n";

/// Two shots lose 0, 1 or 2 in 16, 16 and 4 of 36 cases; then they run in 0, 1 or 2 of 6: in 24 of
/// 216, and who is shaken in one more of 6.
#[test]
fn what_follows_is_asked_about_what_came_before() {
    let answers = exact(&format!("shots = 2\n{NERVE}shaken = [false, true]"));
    let of = |answer: &Answer| (fraction(answer, "p_lost"), fraction(answer, "then_p_run"));
    assert_eq!(of(&answers[0]), ("5/9".to_owned(), "1/9".to_owned()));
    assert_eq!(of(&answers[1]), ("5/9".to_owned(), "5/18".to_owned()));
    assert_eq!(answers[1].axes[0].0, "then.shaken");
    // The joint law: lost 2 and they run, 4/36 · 2/6.
    let both = answers[0].outcomes.iter().find(|outcome| outcome.values == [2, 1]);
    assert_eq!(both.and_then(|both| both.fraction.as_deref()), Some("1/27"));
}

/// Who stands shoots back with one shot for each man that is left of two: none after two losses.
const BACK: &str = "[[contest.then]]\naction = 'shoot'\nwhen = 'fails == 0 and lost < 2'\n\
    shots = { of = 'lost', times = -1, plus = 2 }\n";

/// 16/36 with two shots, 20/36 of which hit; 16/36 · 5/6 with one, 1/3 of which hits: 80/324 +
/// 40/324.
#[test]
fn three_in_a_row_and_conditions() {
    let answers = exact(&format!("shots = 2\n{NERVE}{BACK}"));
    assert_eq!(fraction(&answers[0], "then_2_p_lost"), "10/27");
    let names: Vec<_> = answers[0].fields.iter().map(|field| field.name.to_string()).collect();
    assert_eq!(names, ["lost", "then_fails", "then_2_lost"]);
    let listed = exact(
        "shots = 2\n[[contest.then]]\naction = 'nerve'\nlosses = { of = 'lost', list = [0, 0, 6] }\n",
    );
    assert_eq!(fraction(&listed[0], "then_p_run"), "1/9");
}

/// With so few contests each is tried, and counts as often as the chain comes to it.
#[test]
fn a_short_chain_is_foretold_by_each_of_its_contests() {
    let experiment = experiment(&format!("shots = 1\n{NERVE}{BACK}"));
    let parts = experiment.cells[0].played.combat.chain_combats_and_start_counts();
    assert!((3..=32).contains(&parts.len()), "{}", parts.len());
    let sizes = parts
        .iter()
        .map(|(combat, begun)| (compile_and_solve(combat).0.reached_state_count(), *begun));
    let tried: usize = sizes.clone().map(|(states, _)| states).sum();
    let whole: usize = sizes.map(|(states, begun)| states * begun).sum();
    let told = CostForecast::forecast_graph(&experiment.cells[0], &NEVER_CANCELLED);
    let told = told.expect("it is small");
    assert_eq!(told.tried_states, tried as u64);
    assert!((told.states - whole as f64).abs() < 1e-9, "{} {whole}", told.states);
}

/// Exact, simulated by counts, played, and in waves.
#[test]
fn a_chain_is_played_in_every_way() {
    let experiment = experiment(&format!("shots = [2, 4]\n{NERVE}{BACK}"));
    for cell in &experiment.cells {
        assert_frontier_agrees("a chain", &cell.played.combat);
    }
    let mut settings = SolverSettings::for_trials_per_cell(1_000_000);
    for played in [false, true] {
        settings.played = played;
        let answers = solve_experiment(&experiment, &settings).expect("it is small");
        assert!(answers.iter().all(|answer| answer.agrees == Some(true)), "played: {played}");
    }
    let prints: Vec<_> = experiment.cells.iter().map(GridCell::fingerprint_of_contest).collect();
    assert_ne!(prints[0], prints[1]);
}

/// Reads a contest of these rules.
fn read_with_own_rules(rules: &str, contest: &str) -> Result<Experiment, StudyError> {
    let none = |_: &str| Err("there is none".to_owned());
    let read = rulebook::read_without_built_in_base("own", "own.rules", rules, &none);
    let system = read.unwrap_or_else(|error| panic!("{error:?}")).system;
    let text = format!("[[contest]]\nsystem = 'own'\n{contest}\n");
    let catalogue = Catalogue::default().with_rulebook(system);
    Experiment::read_experiment_text(&catalogue, "x.toml", &text)
}

/// Returns what is wrong with `second` after `first`, actions of these rules; `None` if nothing is.
fn fault_of_two(rules: &str, [first, second]: [&str; 2], lines: &str) -> Option<String> {
    let then = format!("[[contest.then]]\naction = '{second}'\n{lines}");
    read_with_own_rules(rules, &format!("action = '{first}'\n{then}")).err().map(crate::sentences)
}

/// Sixteen numbers fit twice into the 32 that a contest reports; seventeen do not, be they outcomes
/// or measures.
#[test]
fn a_chain_reports_no_more_numbers_than_a_contest() {
    let twice = |lines: &dyn Fn(usize) -> String, count| {
        let shown: String = (0..count).map(lines).collect();
        let head = "game \"Own\"\naction roll \"a roll\":\n    face = d6\n    show face\n";
        fault_of_two(&format!("{head}{shown}"), ["roll", "roll"], "")
    };
    let outcome = |n| format!("    show n{n} = face + {n}\n");
    let measure = |n| format!("    measure p_{n} = chance(face + {n} > 6) \"more\"\n");
    for (lines, fits) in [(&outcome as &dyn Fn(usize) -> String, 15), (&measure, 16)] {
        assert_eq!(twice(lines, fits), None);
        let fault = twice(lines, fits + 1).expect("34 are too many");
        assert!(fault.contains("reports 34 numbers, and a contest at most 32"), "{fault}");
    }
}

/// Two dice, both handed on, and what looks at them.
const MARKS: &str = r#"game "Own"
record mark:
    field a: 0..70 = 0 "a"
    field b: 0..70 = 0 "b"
field target: mark
action first "marks":
    a = d70
    b = d70
    show a "a"
    show b "b"
    carry target.a = a
    carry target.b = b
action second "looks":
    face = d6
    show sum = target.a + target.b + face
"#;

/// 4900 endings, of which 70 go on: no more contests than these are counted.
#[test]
fn endings_that_nothing_follows_need_no_contest() {
    let after =
        |when: &str| fault_of_two(MARKS, ["first", "second"], &format!("carry = true\n{when}"));
    assert_eq!(after("when = 'a == 1'"), None);
    let fault = after("").expect("4900 contests are too many");
    assert!(fault.contains("4096") || fault.contains("4,096"), "{fault}");
}

/// 8192 endings, in pairs that hand on the same: 4096 ways in which the second begins are not more
/// than there may be. It sets one of the numbers itself, so that the other makes 64 contests.
#[test]
fn as_many_ways_to_begin_as_there_may_be_are_followed() {
    let rules = MARKS.replace("d70", "d64");
    let rules = rules.replace("    show a", "    coin = d2\n    show coin \"coin\"\n    show a");
    let then = "carry = true\ntarget = { a = 0 }";
    assert_eq!(fault_of_two(&rules, ["first", "second"], then), None);
}

/// A shot hits on 11 or more, and what was hit is saved on 10 or less: none is lost after one die
/// or after two, each a step of its own. Whatever comes next waits for both ways, and so is played
/// on from once. By hand: two states for each row that a shot begins with, of which there are 1, 2
/// and 4 before the first three shots; 8 and 16 in the first turn of two shots; 32 in the second,
/// which keeps the last numbers, and before the first shot after it; and 64 before the last.
#[test]
fn no_state_of_a_chain_is_stepped_from_twice() {
    let rules = "game \"Own\"\naction shot \"a shot\":\n    lost = 0\n    if d20 > 10:\n        \
        if d20 > 10: lost = 1\n    show lost \"lost\"\n";
    let shot = "action = 'shot'\n";
    let then = format!("[[contest.then]]\n{shot}");
    let turns = "times = 2\nsteps = 2\n";
    let contest = format!("{shot}{then}{then}{then}{then}{turns}{then}{then}");
    let experiment = read_with_own_rules(rules, &contest);
    let experiment = experiment.unwrap_or_else(|error| panic!("{}", crate::sentences(error)));
    let extent = solve_by_frontier(&experiment.cells[0].played.combat).extent;
    assert_eq!(extent.expanded_states, 2 * (1 + 2 + 4 + 8 + 16 + 32 + 32 + 32 + 64));
}

/// Three dice of a hundred faces, of which all are shown, end in a million ways. What comes before
/// them may be followed, whatever comes after them may not.
#[test]
fn what_follows_more_endings_than_can_be_counted_is_at_fault() {
    let rules = "game \"Own\"\naction few \"few\":\n    face = d2\n    show face\naction many \"many\":\n    \
        a = d100\n    b = d100\n    c = d100\n    show a\n    show b\n    show c\n";
    let then = |name: &str| format!("[[contest.then]]\naction = '{name}'\n");
    let few = then("few");
    for (contest, at) in [
        (format!("action = 'many'\n{few}{few}"), "contest[0].then[0]"),
        (format!("action = 'few'\n{}{few}", then("many")), "contest[0].then[1]"),
    ] {
        let Err(StudyError::Input(InputError { faults, .. })) =
            read_with_own_rules(rules, &contest)
        else {
            panic!("it is read: {contest}")
        };
        assert_eq!((faults.len(), &*faults[0].fault.path), (1, at));
        let problem = &faults[0].fault.problem;
        assert!(problem.starts_with("the actions before it cannot be solved"), "{problem}");
    }
}

/// A march with these three fields is gone on 3 or less, and only the march is repeated: the look
/// before it sees something once, the march is gone twice as often as in one turn.
#[test]
fn an_action_with_fields_named_like_keys_of_turns_is_repeated_alone() {
    let rules = "game \"Own\"\nfield steps: 1..6 = 6 \"steps\"\n\
        field until: 0..6 = 6 \"until\"\nfield carry: 0..6 = 6 \"carry\"\naction look \"a look\":\n    \
        seen = 1 if d2 == 1 else 0\n    show seen \"seen\" adds\n    measure e_seen = mean(seen) \"seen\" adds\n\
        action march \"a march\":\n    gone = 1 if d6 <= steps + until + carry else 0\n    show gone \"gone\" adds\n    \
        measure e_gone = mean(gone) \"gone\" adds\n";
    for (times, gone) in [("", "1/2"), ("times = 2", "1/1")] {
        let then =
            format!("[[contest.then]]\naction = 'march'\nsteps = 1\nuntil = 2\ncarry = 0\n{times}");
        let experiment = read_with_own_rules(rules, &format!("action = 'look'\n{then}"));
        let experiment = experiment.unwrap_or_else(|error| panic!("{}", crate::sentences(error)));
        let settings = SolverSettings::for_exact_only().with_fractions();
        let answer = &solve_experiment(&experiment, &settings).expect("it is small")[0];
        assert_eq!(fraction(answer, "e_seen"), "1/2", "{times}");
        assert_eq!(fraction(answer, "then_e_gone"), gone, "{times}");
    }
}

/// A volley with one shot and one with two are the same action; a test of nerve is another.
#[test]
fn actions_are_told_apart_within_a_rulebook() {
    let nerve = "[[contest]]\nsystem = 'duel'\naction = 'nerve'\nlosses = 1";
    let answers = exact(&format!("shots = [1, 2]\n{nerve}"));
    assert!(answers[0].has_same_action(&answers[1]));
    assert!(!answers[0].has_same_action(&answers[2]));
}

/// Every way to say it wrong has its place and its help.
#[test]
fn faults_of_a_chain_are_told_where_they_are() {
    let faults = |contest: &str| {
        let text = format!("[[contest]]\nsystem = 'duel'\naction = 'shoot'\n{contest}\n");
        let Err(StudyError::Input(InputError { faults, .. })) =
            Experiment::read_experiment_text(&catalogue(), "x.toml", &text)
        else {
            panic!("it is read: {contest}")
        };
        let told = faults.into_iter().map(|located| {
            let help = located.fault.help.unwrap_or_default();
            format!(
                "{}: {} ({help}) {}",
                located.fault.path, located.fault.problem, &text[located.span]
            )
        });
        told.collect::<Vec<_>>().join("\n")
    };
    let cases = [
        ("then = 5", "expected tables, each beginning with [[contest.then]]"),
        ("[[contest.then]]\naction = 'nervs'", "did you mean \"nerve\"?"),
        ("[[contest.then]]\nlosses = 2", "`action` is missing"),
        (
            "[[contest.then]]\naction = 'nerve'\nlosses = { of = 'lots' }",
            "contest[0].then[0].losses: nothing before it reports `lots` (did you mean `lost`?)",
        ),
        (
            "[[contest.then]]\naction = 'nerve'\nlosses = { of = 'lost', time = 2 }",
            "did you mean `times`?",
        ),
        ("[[contest.then]]\naction = 'nerve'\nwhen = 'lost = 2'", "`lost = 2` is not a condition"),
        ("[[contest.then]]\naction = 'nerve'\nwhen = 'lost > 9'", "it never takes place"),
        (
            "[[contest.then]]\naction = 'nerve'\nlosses = { of = 'lost', times = 9 }",
            "after lost 1: ",
        ),
        (
            "[[contest.then]]\naction = 'nerve'\nlosses = { of = 'lost', list = [0] }",
            "the list has no entry for lost 1",
        ),
        ("[[contest.then]]\naction = 'nerve'\nshakn = true", "did you mean `shaken`?"),
        (
            "[[contest.then]]\naction = 'nerve'\ntimes = 2\n\
             [[contest.then]]\naction = 'nerve'\ntimes = 2\nsteps = 2",
            "contest[0].then[1].steps: no more than 1 can be repeated here",
        ),
    ];
    for (contest, why) in cases {
        let told = faults(contest);
        assert!(told.contains(why), "{contest}\n{told}");
    }
}
