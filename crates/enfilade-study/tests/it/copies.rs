//! Contests of independent copies: compiled once, added up, and still the same law.

use enfilade_engine::error::SolveError;
use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_engine::play;
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_engine::simulate::{InstructionSet, RollableDieGraph, simulate_trials};
use enfilade_model::combat::independent_copies::{CopyEffectCounts, IndependentCopies};
use enfilade_model::combat::{AnyCombat, Combat, Ending, OutcomeField, OutcomeVocabulary};
use enfilade_model::dice::Dice;
use enfilade_stats::agreement;
use enfilade_study::cross_check::test_counts_against_exact;
use enfilade_study::experiment::{Experiment, GridCell};

#[path = "../../../../benches/toys/mod.rs"]
mod toys;
use toys::{Attrition, StatusTable};

const TRIALS: u64 = 1 << 18;
const STREAM: ContestRandomStream = ContestRandomStream { seed: 3, fingerprint: [7; 32] };

fn compiled(combat: &AnyCombat) -> DieGraph {
    DieGraph::compile_within_limits(combat, CompiledContestLimits::default()).expect("small")
}

fn whole(combat: &AnyCombat) -> DieGraph {
    DieGraph::compile_ignoring_copies(combat, CompiledContestLimits::default()).expect("small")
}

fn simulated_agrees(graph: &DieGraph, trials: u64) {
    let counts = simulate_trials(
        &RollableDieGraph::new(graph),
        trials,
        &STREAM,
        InstructionSet::widest_available(),
        &|_| true,
    );
    let counts = counts.expect("nobody stops it");
    let verdict = test_counts_against_exact(
        &exact::solve_graph_distribution(graph),
        counts.endings,
        counts.unsettled,
        trials,
    );
    assert!(verdict.agrees(), "{verdict:?}");
}

fn played_agrees(combat: &AnyCombat, graph: &DieGraph, trials: u64) -> bool {
    let tally = play::play_trials(combat, trials, &STREAM, &|| true).expect("nobody stops it");
    let count = |ending: &Ending| tally.endings.get(ending).copied().unwrap_or(0);
    let counts: Vec<u64> = graph.endings().iter().map(count).collect();
    test_counts_against_exact(
        &exact::solve_graph_distribution(graph),
        counts,
        tally.unsettled,
        trials,
    )
    .agrees()
}

#[test]
fn copies_have_the_law_of_the_whole_fraction_by_fraction() {
    for shots in [2, 3, 7] {
        let combat = AnyCombat::new(StatusTable { shots });
        let (copies, whole) = (compiled(&combat), whole(&combat));
        assert!(copies.copied_part_and_sums().is_some() && whole.copied_part_and_sums().is_none());
        assert_eq!(copies.endings(), whole.endings());
        let (a, b) = (exact::solve_integer_weights(&copies), exact::solve_integer_weights(&whole));
        let (a, b) = (a.expect("it ends"), b.expect("it ends"));
        for (a_ways, b_ways) in a.numerators.iter().zip(&b.numerators) {
            // a / A = b / B, cross-multiplied: the two denominators differ.
            assert_eq!(a_ways * &b.denominator, b_ways * &a.denominator);
        }
        simulated_agrees(&copies, TRIALS);
        assert!(played_agrees(&combat, &copies, TRIALS));
    }
}

#[test]
fn copies_are_as_large_as_their_part_and_their_sums() {
    let seven = AnyCombat::new(StatusTable { shots: 7 });
    // A shot to come, and the four ways in which it may have ended.
    assert_eq!(compiled(&seven).reached_state_count(), 5);
    // Up to seven shots among four results have 120 sums (10 over 3), each with four effects.
    let limits = |nodes| CompiledContestLimits { nodes, ..CompiledContestLimits::default() };
    assert!(DieGraph::compile_within_limits(&seven, limits(480)).is_ok());
    let refusal = DieGraph::compile_within_limits(&seven, limits(479)).expect_err("one too many");
    let SolveError::TooLarge(refusal) = refusal else {
        panic!("{refusal}");
    };
    assert_eq!((refusal.what, refusal.limit), ("sums of effects", 479));
}

/// The logarithm of n!.
fn ln_factorial(n: u8) -> f64 {
    (2..=n).map(|k| f64::from(k).ln()).sum()
}

#[test]
fn fifty_shots_on_the_status_table_are_multinomial() {
    let graph = compiled(&AnyCombat::new(StatusTable { shots: 50 }));
    // 50 shots among four results: 53 over 3.
    assert_eq!(graph.endings().len(), 23_426);
    let law = exact::solve_graph_distribution(&graph);
    assert!((law.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    // A hit in 11 of 20; of its damage dice 6, 6 and 8 of 20.
    let shares = [66.0, 66.0, 88.0, 180.0].map(|ways: f64| (ways / 400.0).ln());
    for (ending, &probability) in graph.endings().iter().zip(&law.probabilities) {
        let [h, p, c] = [0, 1, 2].map(|i| ending.fields[i] as u8);
        let counts = [h, p, c, 50 - h - p - c];
        let terms = counts.iter().zip(shares);
        let ln: f64 = terms.map(|(&n, ln)| f64::from(n) * ln - ln_factorial(n)).sum();
        let expected = (ln + ln_factorial(50)).exp();
        assert!((probability - expected).abs() <= 1e-12 * expected.max(1e-3), "{counts:?}");
    }
}

fn volley(shots: u32, squad: u32, points: u32) -> GridCell {
    let toml = format!(
        "[[contest]]\nsystem = 'dropzone'\naction = 'shoot'\nshots = {shots}\nsquad = {squad}\n\
         accuracy = 3\nenergy = 8\narmour = 11\ndamage_points = {points}\npassive = 5\n"
    );
    let mut cells = Experiment::read_experiment_text(crate::built_in(), "volley", &toml)
        .expect("well formed")
        .cells;
    cells.remove(0)
}

/// The law of the damage of `shots` shots, added up shot by shot in this test.
fn damage(shots: u32, points: usize) -> Vec<f64> {
    // A hit on 3+; 3 and 4 do a point, 5 and 6 two; each point is discarded on 5+.
    let (one, two) = (4.0 / 6.0 * 2.0 / 6.0, 4.0 / 6.0 * 2.0 / 6.0);
    let (kept, lost) = (4.0 / 6.0, 2.0 / 6.0);
    let single = one * kept + two * 2.0 * kept * lost;
    let double = two * kept * kept;
    let mut law = vec![0.0; points + 1];
    law[0] = 1.0;
    for _ in 0..shots {
        let mut next = vec![0.0; points + 1];
        for (damage, share) in law.iter().enumerate() {
            for (more, p) in [(0, 1.0 - single - double), (1, single), (2, double)] {
                next[points.min(damage + more)] += share * p;
            }
        }
        law = next;
    }
    law
}

#[test]
fn large_volleys_are_added_up_and_small_ones_are_not() {
    for (shots, squad, points) in [(64, 1, 20), (65, 1, 20), (70, 1, 200), (100, 5, 200)] {
        let graph = compiled(&volley(shots, squad, points).played.combat);
        assert_eq!(graph.copied_part_and_sums().is_some(), shots * squad > 64);
        let law = exact::solve_graph_distribution(&graph);
        let expected = damage(shots * squad, points as usize);
        for (ending, &probability) in graph.endings().iter().zip(&law.probabilities) {
            let expected = expected[ending.fields[0] as usize];
            assert!((probability - expected).abs() < 1e-12, "{shots} {ending:?}");
        }
    }
}

#[test]
fn a_large_volley_is_the_same_in_all_three_engines() {
    let cell = volley(70, 1, 40);
    let (copies, whole) = (compiled(&cell.played.combat), whole(&cell.played.combat));
    assert_eq!(copies.endings(), whole.endings());
    let (a, b) =
        (exact::solve_graph_distribution(&copies), exact::solve_graph_distribution(&whole));
    for (a, b) in a.probabilities.iter().zip(&b.probabilities) {
        assert!((a - b).abs() < 1e-12);
    }
    simulated_agrees(&copies, TRIALS);
    assert!(played_agrees(&cell.played.combat, &copies, TRIALS));
}

#[test]
fn copies_are_the_same_on_every_instruction_set() {
    let plan = RollableDieGraph::new(&compiled(&volley(100, 1, 200).played.combat));
    let counts = |isa| simulate_trials(&plan, 20_000, &STREAM, isa, &|_| true);
    let available = InstructionSet::ALL.into_iter().filter(|isa| isa.is_available());
    let all: Vec<_> = available.map(counts).collect();
    assert!(all.iter().all(|counts| *counts == all[0]));
}

/// Two dice of which the second is only rolled when the first shows a 6: not independent, but
/// declared to be.
struct Liar;

impl Combat for Liar {
    type State = (u8, u8);
    type Outcome = u8;

    fn initial_state(&self) -> (u8, u8) {
        (2, 0)
    }

    fn play_one_step(&self, (left, sixes): (u8, u8), dice: &mut impl Dice) -> (u8, u8) {
        let six = dice.die(6) == 6;
        (if six { left - 1 } else { 0 }, sixes + u8::from(six))
    }

    fn outcome_if_over(&self, &(left, sixes): &(u8, u8)) -> Option<u8> {
        (left == 0).then_some(sixes)
    }

    fn as_independent_copies(&self) -> Option<IndependentCopies<Liar>> {
        Some(IndependentCopies {
            one: Liar,
            count: 2,
            effect: |&sixes| [u16::from(sixes > 0), 0, 0, 0],
            most: [2; 4],
        })
    }

    fn outcome_of_sum(&self, &[sixes, ..]: &CopyEffectCounts) -> Option<u8> {
        Some(sixes as u8)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<u8> {
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("sixes", "sixes shown", |&sixes| sixes.into())],
            measures: Vec::new(),
        }
    }
}

#[test]
fn a_wrong_declaration_is_seen_by_the_played_engine() {
    let combat = AnyCombat::new(Liar);
    assert!(!played_agrees(&combat, &compiled(&combat), TRIALS));
    assert!(played_agrees(&combat, &whole(&combat), TRIALS));
}

/// The probability of `hits` hits of `dice` dice that hit in a third of the cases.
fn binomial(dice: u8, hits: u8) -> f64 {
    let ways = ln_factorial(dice) - ln_factorial(hits) - ln_factorial(dice - hits);
    let misses = f64::from(dice - hits) * (2.0_f64 / 3.0).ln();
    (ways + misses - f64::from(hits) * 3.0_f64.ln()).exp()
}

/// The law of the survivors, strength by strength from the start; a round without hits is left out
/// by dividing by the chance that it is not one.
fn survivors(figures: usize) -> Vec<Vec<f64>> {
    let mut law = vec![vec![0.0; figures + 1]; figures + 1];
    law[figures][figures] = 1.0;
    for a in (1..=figures).rev() {
        for b in (1..=figures).rev() {
            let still = binomial(a as u8, 0) * binomial(b as u8, 0);
            let here = std::mem::take(&mut law[a][b]) / (1.0 - still);
            for hits_a in 0..=a {
                for hits_b in 0..=b {
                    if hits_a + hits_b > 0 {
                        let share =
                            binomial(a as u8, hits_a as u8) * binomial(b as u8, hits_b as u8);
                        law[a.saturating_sub(hits_b)][b.saturating_sub(hits_a)] += here * share;
                    }
                }
            }
        }
    }
    law
}

#[test]
fn attrition_to_the_end_is_the_law_of_a_chain_of_strengths() {
    for figures in [1, 2, 5, 20] {
        let combat = AnyCombat::new(Attrition { figures });
        let graph = compiled(&combat);
        let law = exact::solve_graph_distribution(&graph);
        assert!(law.unsettled < 1e-15);
        let expected = survivors(figures.into());
        for (ending, &probability) in graph.endings().iter().zip(&law.probabilities) {
            let [a, b] = [0, 1].map(|i| ending.fields[i] as usize);
            assert!((probability - expected[a][b]).abs() < 1e-12, "{figures}: {a} {b}");
        }
    }
}

#[test]
fn attrition_is_simulated_as_it_is_exact() {
    let graph = compiled(&AnyCombat::new(Attrition { figures: 5 }));
    let law = exact::solve_graph_distribution(&graph);
    let counts = simulate_trials(
        &RollableDieGraph::new(&graph),
        TRIALS,
        &STREAM,
        InstructionSet::widest_available(),
        &|_| true,
    );
    let counts = counts.expect("nobody stops it");
    assert_eq!(counts.unsettled, 0);
    assert!(
        agreement::test_counts_against_law(&counts.endings, TRIALS, &law.probabilities, 1e-9)
            .agrees()
    );
}
