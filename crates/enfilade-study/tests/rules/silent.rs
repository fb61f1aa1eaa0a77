//! What a rulebook does not say: measures are asked for in its place.

use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::form::Form;
use enfilade_study::samples;

/// Two dice against each other: of 36 throws 6 are even and 15 are won by each side; the mean of a
/// die is 3.5.
const GAME: &str = r#"
game "Silence"
words who: nobody, mine "ours" , theirs
record side:
    field bonus: 0..3
field ours: side
field plus: 2..9
field reach: short or long
action clash:
    a = d6
    b = d6
    winner = nobody
    if a > b: winner = mine
    if b > a: winner = theirs
    if reach is long and plus + ours.bonus > 99: winner = nobody
    show winner  "who wins"
    show pips = a  "pips"
    show even = a == b
"#;

#[test]
fn measures_are_asked_where_the_rulebook_asks_none() {
    let nothing = |_: &str| Err("nothing is read here".to_owned());
    let game =
        enfilade_rules::read_without_built_in_base("silence", "silence.rules", GAME, &nothing);
    let system = game.expect("it is a rulebook").system;
    let action = &system.actions[0];
    let sample = action.samples.get(0).expect("the plainest contest");
    let form = Form::from_table_with_defaults(&action.fields, &sample.parse().expect("TOML"))
        .expect("it fits");
    let contest = action.build_contest(&form).expect("it is played");
    let graph = DieGraph::compile_within_limits(&contest.combat, CompiledContestLimits::default())
        .expect("small");
    let law = exact::solve_graph_distribution(&graph);
    let measures = contest.combat.measures().iter().enumerate();
    let told = measures.map(|(at, head)| {
        let value = law.measure_value(graph.endings(), at, head).expect("it is there");
        (head.name.to_string(), head.display_name().to_string(), value)
    });
    let told: Vec<_> = told.collect();
    let expected = [
        ("p_winner_mine", "ours", 15.0 / 36.0),
        ("p_winner_theirs", "theirs", 15.0 / 36.0),
        ("p_winner_nobody", "nobody", 6.0 / 36.0),
        ("e_pips", "pips", 3.5),
        ("p_even", "even", 6.0 / 36.0),
    ];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for ((name, label, value), known) in told.iter().zip(expected) {
        assert_eq!((&**name, &**label), (known.0, known.1));
        assert!((value - known.2).abs() < 1e-12, "{name}: {value}");
    }
    let reported = samples::output_columns_of_action(action);
    assert_eq!((reported.fields.len(), reported.measures.len()), (4, 5));
}
