//! What a player decides: against means reckoned by hand and place by place, all three ways.

use enfilade_engine::error::SolveError;
use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_engine::play;
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_engine::simulate::{InstructionSet, RollableDieGraph, simulate_trials};
use enfilade_model::combat::{
    AnyCombat, Combat, Decision, ExplainedDecision, MeanDirection, Measure, OutcomeField,
    OutcomeVocabulary,
};
use enfilade_model::dice::{Dice, ScriptedDice};
use enfilade_study::cross_check::{compare_tally_means, test_counts_against_exact};
use proptest::test_runner::{RngAlgorithm, TestRng};

use enfilade_testkit::rerolled_die::{RuleMistake, new_rerolled_die};

use crate::maze::{Maze, Met, Worth, reckoned};

const STREAM: ContestRandomStream = ContestRandomStream { seed: 5, fingerprint: [9; 32] };

fn graph(combat: &AnyCombat) -> DieGraph {
    DieGraph::compile_within_limits(combat, CompiledContestLimits::default())
        .unwrap_or_else(|why| panic!("{why}"))
}

/// What is wrong with a rule, and the advice.
fn refused(combat: &AnyCombat) -> String {
    match DieGraph::compile_within_limits(combat, CompiledContestLimits::default()) {
        Err(SolveError::Rule(mishap)) => mishap.to_string(),
        other => panic!("{other:?}"),
    }
}

/// Simulated on every instruction set and played, law and tallies agree with the exact ones.
pub fn all_ways_agree(combat: &AnyCombat, graph: &DieGraph, trials: u64) {
    let law = exact::solve_graph_distribution(graph);
    let plan = RollableDieGraph::new(graph);
    let available = InstructionSet::ALL.into_iter().filter(|isa| isa.is_available());
    let mut simulated =
        available.map(|isa| simulate_trials(&plan, trials, &STREAM, isa, &|_| true));
    let counts = simulated.next().flatten().expect("nobody stops it");
    assert!(simulated.all(|again| again.as_ref() == Some(&counts)));
    let tallies = compare_tally_means(&law, &counts.tallies, trials, 1e-9);
    assert_eq!(tallies.len(), combat.counter_count());
    assert!(tallies.iter().all(|verdict| verdict.agrees()), "{tallies:?}");
    assert!(test_counts_against_exact(&law, counts.endings, counts.unsettled, trials).agrees());
    let played = play::play_trials(combat, trials, &STREAM, &|| true).expect("nobody stops it");
    assert_eq!(combat.recorded_rule_fault(), None);
    let count = |ending| played.endings.get(ending).copied().unwrap_or(0);
    let counts = graph.endings().iter().map(count).collect();
    assert!(test_counts_against_exact(&law, counts, played.unsettled, trials).agrees());
    let sums: Vec<_> = played.totals.iter().map(|total| total.sum).collect();
    let tallies = compare_tally_means(&law, &sums, trials, 1e-9);
    assert!(tallies.iter().all(|verdict| verdict.agrees()), "{tallies:?}");
}

/// The mean as a fraction, from the weights of the measure at `index`.
fn mean(combat: &AnyCombat, index: usize) -> String {
    let graph = graph(combat);
    let weights = exact::solve_integer_weights(&graph).expect("it ends");
    let figure = weights.exact_measure_fraction(graph.endings(), index, &combat.measures()[index]);
    figure.expect("a mean").to_string()
}

/// A d6 has 7/2; of two rolls 4 and more are kept: (15 + 3 · 7/2) / 6 = 17/4; of three 5 and more:
/// (11 + 4 · 17/4) / 6 = 14/3. For the lowest 7 less that.
#[test]
fn rolling_again_by_hand() {
    let of = |rolls, best| mean(&new_rerolled_die(6, rolls, best, RuleMistake::None), 0);
    assert_eq!([1, 2, 3].map(|rolls| of(rolls, MeanDirection::Highest)), ["7/2", "17/4", "14/3"]);
    assert_eq!([1, 2, 3].map(|rolls| of(rolls, MeanDirection::Lowest)), ["7/2", "11/4", "7/3"]);
    let combat = new_rerolled_die(6, 3, MeanDirection::Highest, RuleMistake::None);
    let graph = graph(&combat);
    // 1 to 4 are rolled again, then 1 to 3: no decision is left, and three dice.
    assert_eq!((graph.nodes().len(), graph.endings().len()), (3, 6));
    all_ways_agree(&combat, &graph, 1 << 20);
}

/// A d3 of two rolls is worth 2 a roll: at a 2 both options are, and the first is taken. So a 2
/// comes up at once, or after a 1: 1/3 + 1/9.
#[test]
fn the_first_option_among_equals() {
    let combat = new_rerolled_die(3, 2, MeanDirection::Highest, RuleMistake::None);
    let graph = graph(&combat);
    let weights = exact::solve_integer_weights(&graph).expect("it ends");
    let ways: Vec<_> = weights.numerators.iter().map(ToString::to_string).collect();
    assert_eq!((ways.join(" "), weights.denominator.to_string()), ("1 4 4".into(), "9".into()));
}

#[test]
fn a_rule_that_asks_wrongly_is_told_so() {
    let refused = |wrong| refused(&new_rerolled_die(6, 2, MeanDirection::Highest, wrong));
    let late = refused(RuleMistake::Late);
    assert!(late.starts_with("decision `again?` comes after a die"), "{late}");
    let undeclared = refused(RuleMistake::Undeclared);
    assert!(undeclared.contains("uses decision 1 but declares only 1"), "{undeclared}");
    let options = refused(RuleMistake::Options);
    assert_eq!(options, "decision `again?` has 2 options, but the rule uses 3");
    let goal = refused(RuleMistake::Goal);
    assert!(goal.contains("is about `pints`"), "{goal}");
}

/// Who may roll without end rolls until it is the highest, and waits for ever nowhere.
#[test]
fn who_may_roll_again_for_ever_ends_with_the_best() {
    for (best, points) in [(MeanDirection::Highest, 6), (MeanDirection::Lowest, 1)] {
        let combat = new_rerolled_die(6, 2, best, RuleMistake::Endless);
        let graph = graph(&combat);
        let weights = exact::solve_integer_weights(&graph).expect("its loop is small");
        let ends: Vec<_> = graph.endings().iter().map(|ending| ending.fields[0]).collect();
        assert_eq!((ends, weights.denominator.to_string()), (vec![points], "1".into()));
        all_ways_agree(&combat, &graph, 1 << 14);
    }
}

/// Nobody knows what is best before the whole has been looked at.
#[test]
fn what_has_not_been_compiled_cannot_be_played() {
    let combat = new_rerolled_die(6, 2, MeanDirection::Highest, RuleMistake::None);
    assert_eq!(combat.play_one_trial(&mut ScriptedDice::new(&[6]), 10), None);
    let fault = combat.recorded_rule_fault().expect("it went wrong");
    assert!(fault.to_string().contains("compile the contest before"), "{fault}");
    assert_eq!(play::play_trials(&combat, 100, &STREAM, &|| true), None);
}

#[test]
fn a_telling_says_what_was_decided_and_against_what() {
    let combat = new_rerolled_die(6, 2, MeanDirection::Highest, RuleMistake::None);
    graph(&combat);
    let mut told: Vec<Vec<ExplainedDecision>> = Vec::new();
    let mut dice = ScriptedDice::new(&[3, 5]);
    let ending = combat.play_with_step_listener(&mut dice, &mut |_, telling| {
        told.push(telling.decided);
        true
    });
    assert_eq!(ending.map(|ending| ending.fields[0]), Some(5));
    let told: Vec<Vec<_>> =
        told.iter().map(|step| step.iter().map(ToString::to_string).collect()).collect();
    assert_eq!(told, [vec![], vec!["again? roll: mean points 3.5 against 3 (keep)".to_owned()]]);
}

/// Whoever hits first wins. The player takes one of two guns, p and q in 6, against r in 6: he wins
/// p / (p + r − pr/6) of the duels, in sixths.
struct Duel {
    guns: [u8; 2],
    other: u8,
}

/// The gun in hand, whose turn it is, and who has won.
type Shots = (u8, bool, Option<bool>);

impl Combat for Duel {
    type State = Shots;
    type Outcome = bool;

    fn initial_state(&self) -> Shots {
        (0, false, None)
    }

    fn play_one_step(&self, (gun, second, _): Shots, dice: &mut impl Dice) -> Shots {
        match (gun, second) {
            (0, _) => (dice.choose(0, 2), false, None),
            (gun, false) => {
                dice.tally(0, 1);
                let hit = dice.die(6) <= self.guns[usize::from(gun) - 1];
                (gun, true, hit.then_some(true))
            }
            (gun, true) => (gun, false, (dice.die(6) <= self.other).then_some(false)),
        }
    }

    fn outcome_if_over(&self, state: &Shots) -> Option<bool> {
        state.2
    }

    fn vocabulary(&self) -> OutcomeVocabulary<bool> {
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("won", "", |&won| won.into())],
            measures: vec![Measure::mean_of_tally("rounds", "rounds begun", 0)],
        }
    }

    fn decisions(&self) -> Vec<Decision> {
        vec![
            Decision::new("gun", "won", MeanDirection::Highest)
                .with_option("rifle")
                .with_option("pistol"),
        ]
    }
}

#[test]
fn a_decision_before_a_duel_without_end() {
    for (guns, other) in [([1, 2], 1), ([3, 2], 2), ([1, 1], 5), ([0, 6], 1), ([0, 0], 0)] {
        let combat = AnyCombat::new(Duel { guns, other });
        let graph = graph(&combat);
        let best = f64::from(guns[0].max(guns[1]));
        let (r, p) = (f64::from(other) / 6.0, best / 6.0);
        let ends = p + r - p * r;
        let law = exact::solve_graph_distribution(&graph);
        if ends == 0.0 {
            assert_eq!((law.never, graph.endings().len()), (1.0, 0));
            continue;
        }
        let won = graph.endings().iter().position(|ending| ending.fields[0] == 1);
        let found = won.map_or(0.0, |won| law.probability_of_ending(won as u32));
        assert!((found - p / ends).abs() < 1e-12, "{guns:?} {found}");
        assert!((law.tallies[0].mean - 1.0 / ends).abs() < 1e-11 / ends);
        all_ways_agree(&combat, &graph, 1 << 18);
        let mut weighed = Vec::new();
        combat.play_with_step_listener(&mut ScriptedDice::new(&[1; 40]), &mut |_, telling| {
            weighed = telling.decided;
            false
        });
        for ((_, mean), p) in weighed[0].means.iter().zip(guns) {
            let p = f64::from(p) / 6.0;
            let expected = p / (p + r - p * r);
            assert!((mean - expected).abs() < 1e-15, "{mean} for {expected}");
        }
    }
}

fn rng(seed: u8) -> TestRng {
    TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32])
}

/// Several players with goals of their own, dice and tallies on a way that leads on: law and means
/// of the graph are those reckoned place by place, as whole numbers.
#[test]
fn mazes_are_played_as_well_as_they_can_be() {
    let mut rng = rng(3);
    for round in 0..400 {
        let maze = Maze::random(&mut rng, 6 + round % 15, usize::MAX);
        let Worth { means, law } = reckoned(&maze).remove(0);
        let combat = maze.combat();
        let graph = graph(&combat);
        let weights = exact::solve_integer_weights(&graph).expect("it ends");
        assert_eq!(graph.endings().len(), law.len(), "{maze:?}");
        for (ending, ways) in graph.endings().iter().zip(&weights.numerators) {
            let (above, below) = law[&[ending.fields[0], ending.fields[1]]];
            let found = ways * dashu_int::UBig::try_from(below).expect("positive");
            let expected =
                dashu_int::UBig::try_from(above).expect("positive") * &weights.denominator;
            assert_eq!(found, expected, "{maze:?}");
        }
        for (index, (above, below)) in [means[0], means[2], means[3]].into_iter().enumerate() {
            let head = &combat.measures()[index];
            let figure =
                weights.exact_measure_fraction(graph.endings(), index, head).expect("a mean");
            assert_eq!(figure.to_string(), format!("{above}/{below}"), "{maze:?}");
            let law = exact::solve_graph_distribution(&graph);
            let value = law.measure_value(graph.endings(), index, head).expect("a mean");
            assert!((value - above as f64 / below as f64).abs() < 1e-12);
        }
        if round % 8 == 0 {
            all_ways_agree(&combat, &graph, 1 << 15);
        }
    }
}

/// The same with loops at the end of the way, in which nobody decides: the means that each decision
/// weighs are those that ten thousand rounds of reckoning come to.
#[test]
fn mazes_with_loops_behind_the_decisions() {
    let mut rng = rng(4);
    let mut endless = 0;
    for round in 0..200 {
        let (count, loops) = (10 + round % 8, 5);
        let maze = Maze::random(&mut rng, count, loops);
        let combat = maze.combat();
        let graph = graph(&combat);
        endless += usize::from(!graph.next_vertex_by_loop_head().is_empty());
        let worth = in_rounds(&maze);
        let law = exact::solve_graph_distribution(&graph);
        // What never ends comes to nothing, and no mean is told then.
        let parts = graph.endings().iter().zip(&law.probabilities);
        let value: f64 = parts.map(|(ending, p)| f64::from(ending.weights[0]) * p).sum();
        assert!((value - worth[0][0]).abs() < 1e-9, "{maze:?}: {value} for {worth:?}");
        let told = law.measure_value(graph.endings(), 0, &combat.measures()[0]);
        assert_eq!(told.is_some(), law.never == 0.0, "{maze:?}");
        if law.unfinished_probability() < 1e-12 && round % 8 == 0 {
            all_ways_agree(&combat, &graph, 1 << 14);
        }
    }
    assert!(endless > 50, "{endless}");
}

/// Both means of every place, in rounds: first those behind the decisions, then these once.
fn in_rounds(maze: &Maze) -> Vec<[f64; 2]> {
    let mut worth = vec![[0.0; 2]; maze.places.len()];
    for _ in 0..10_000 {
        for place in (0..maze.places.len()).rev() {
            worth[place] = match &maze.places[place].1 {
                Met::End(end) => end.map(f64::from),
                Met::Die(faces) => [0, 1].map(|goal| {
                    let sum: f64 = faces.iter().map(|&face| worth[face][goal]).sum();
                    sum / faces.len() as f64
                }),
                Met::Decision(decision, options) => {
                    let (goal, sign) = (usize::from(*decision == 2), [-1.0, 1.0, 1.0]);
                    let cost = |&option: &usize| sign[usize::from(*decision)] * worth[option][goal];
                    let mut best = options[0];
                    for &option in options {
                        // What differs by rounding alone is equal.
                        if cost(&option) < cost(&best) - 1e-9 {
                            best = option;
                        }
                    }
                    worth[best]
                }
            };
        }
    }
    worth
}

#[test]
fn decisions_do_not_depend_on_threads() {
    let combat = Maze::random(&mut rng(5), 18, usize::MAX).combat();
    graph(&combat);
    let play = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("a pool of a few threads");
        pool.install(|| play::play_trials(&combat, 300_000, &STREAM, &|| true))
    };
    let one = play(1);
    assert!(one.is_some());
    assert_eq!(one, play(3));
}
