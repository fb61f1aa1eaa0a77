//! Figures of tallies by outcome, and the layers that they are read from.

use crate::games::{Game, State, jam};
use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_engine::exact::approximation::Approximation;
use enfilade_engine::exact::tally_layers::{solve_tally_layers, tally_powers_by_ending};
use enfilade_engine::exact::{solve_graph_distribution, solve_without_graph, tally_figures};
use enfilade_engine::frontier::FrontierLimits;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::combat::independent_copies::{CopyEffectCounts, IndependentCopies};
use enfilade_model::combat::{
    AnyCombat, Combat, ExactRatio, Measure, MeasureKind, OUTSIDE_CONDITION, OutcomeField,
    OutcomeVocabulary, TallyFigure,
};
use enfilade_model::dice::Dice;

/// Chain of d20 that goes on while they show 1: 1 if all do, else 0. Each throw is counted.
/// Several chains add 1 each, and one more for each that is complete.
#[derive(Clone, Copy)]
pub struct Rare {
    pub length: u16,
    pub sides: u8,
    pub copies: u8,
}

pub fn rare(length: u16) -> Rare {
    Rare { length, sides: 20, copies: 1 }
}

/// Coins, of which those that show 1 add one more.
pub fn shots(copies: u8) -> Rare {
    Rare { length: 1, sides: 2, copies }
}

impl Rare {
    pub fn combat(self) -> AnyCombat {
        AnyCombat::new(self)
    }

    pub fn graph(self) -> DieGraph {
        DieGraph::compile_within_limits(&self.combat(), CompiledContestLimits::default())
            .expect("it is small")
    }
}

impl Combat for Rare {
    /// Number of dice that have shown 1; `Err` after another face.
    type State = Result<u16, ()>;
    type Outcome = u16;

    fn initial_state(&self) -> Self::State {
        Ok(0)
    }

    fn play_one_step(&self, state: Self::State, dice: &mut impl Dice) -> Self::State {
        dice.tally(0, 1);
        let shown = state?;
        if dice.die(self.sides) == 1 { Ok(shown + 1) } else { Err(()) }
    }

    fn outcome_if_over(&self, state: &Self::State) -> Option<u16> {
        match state {
            Ok(shown) => (*shown == self.length).then_some(1),
            Err(()) => Some(0),
        }
    }

    fn vocabulary(&self) -> OutcomeVocabulary<u16> {
        let tallied = |name, figure, weight: i32| {
            let kind = MeasureKind::Tallied(0, figure);
            Measure::with_closure(name, "throws", kind, move |_: &u16| weight)
        };
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("sum", "the sum", |sum: &u16| i32::from(*sum))],
            measures: vec![
                tallied("one", TallyFigure::AtMost, 1),
                tallied("more", TallyFigure::MoreThan, 1),
                tallied("mean", TallyFigure::Mean, 0),
                Measure::with_closure(
                    "complete",
                    "throws of a complete chain",
                    MeasureKind::Tallied(0, TallyFigure::Mean),
                    |sum: &u16| if *sum == 1 { 0 } else { OUTSIDE_CONDITION },
                )
                .restrict_to_condition("the chain is complete"),
            ],
        }
    }

    fn as_independent_copies(&self) -> Option<IndependentCopies<Self>> {
        (self.copies > 1).then(|| IndependentCopies {
            one: Rare { copies: 1, ..*self },
            count: self.copies.into(),
            effect: |complete| [1 + complete, 0, 0, 0],
            most: [u16::MAX, 0, 0, 0],
        })
    }

    fn outcome_of_sum(&self, sum: &CopyEffectCounts) -> Option<u16> {
        Some(sum[0])
    }
}

/// Game with measures of its own.
#[derive(Clone, Copy)]
struct Counted {
    game: Game,
    measures: fn() -> Vec<Measure<i32>>,
}

impl Combat for Counted {
    type State = State;
    type Outcome = i32;

    fn initial_state(&self) -> State {
        self.game.initial_state()
    }

    fn play_one_step(&self, state: State, dice: &mut impl Dice) -> State {
        self.game.play_one_step(state, dice)
    }

    fn outcome_if_over(&self, state: &State) -> Option<i32> {
        self.game.outcome_if_over(state)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<i32> {
        let end = OutcomeField::new("end", "how it ended", |end: &i32| *end);
        OutcomeVocabulary { fields: vec![end], measures: (self.measures)() }
    }
}

impl Counted {
    fn graph(self) -> DieGraph {
        DieGraph::compile_within_limits(&AnyCombat::new(self), CompiledContestLimits::default())
            .expect("it is small")
    }

    fn figures(self) -> Vec<(usize, Approximation)> {
        figures(&AnyCombat::new(self), &self.graph())
    }
}

fn figures(combat: &AnyCombat, graph: &DieGraph) -> Vec<(usize, Approximation)> {
    let law = solve_graph_distribution(graph).probabilities;
    tally_figures(graph, combat.measures().iter().map(AsRef::as_ref), &law, &NEVER_CANCELLED)
}

fn told(counter: u8, figure: TallyFigure, weight: fn(&i32) -> i32) -> Measure<i32> {
    let name = format!("{counter} {figure:?}");
    Measure::with_closure(name, "", MeasureKind::Tallied(counter, figure), weight)
}

/// Checks the figures by the position of their measure.
fn are(found: &[(usize, Approximation)], expected: &[(usize, f64)]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((index, figure), (place, value)) in found.iter().zip(expected) {
        assert_eq!(index, place);
        assert!((figure.value - value).abs() <= figure.error + 1e-12, "{index}: {figure:?}");
        assert!(figure.error < 1e-9, "{index}: {figure:?}");
    }
}

/// Attacks, each counted under 0 once and under 1 twice: 1 and 2 come to blows, 3 is lost, 4 to 6
/// attack again. Blows are struck until 1, which attacks again, or 2, which is won. So an attack is
/// the last with 1/3: won or lost with 1/6 each.
fn attack() -> Game {
    Game {
        step: |_, [at, ..], dice| {
            if at == 0 {
                dice.tally(0, 1);
                dice.tally(1, 2);
                return [[1, 1, 2, 0, 0, 0][usize::from(dice.die(6)) - 1], 0, 0, 0];
            }
            [[0, 3, 1, 1, 1, 1][usize::from(dice.die(6)) - 1], 0, 0, 0]
        },
        over: |_, [at, ..]| (at > 1).then_some((at == 3).into()),
        ..jam()
    }
}

const fn share(numerator: u32) -> ExactRatio {
    ExactRatio { numerator, denominator: 10 }
}

/// The number of attacks is n with (2/3)ⁿ⁻¹ · 1/3, whatever the ending: mean 3, variance 6.
fn figures_of_attacks() -> Vec<Measure<i32>> {
    let won = |end: &i32| if *end == 1 { 0 } else { OUTSIDE_CONDITION };
    let won_in_two = |end: &i32| if *end == 1 { 2 } else { OUTSIDE_CONDITION };
    vec![
        told(0, TallyFigure::AtMost, |_| 3),
        told(0, TallyFigure::Exactly, |_| 2),
        told(1, TallyFigure::MoreThan, |_| 3),
        told(1, TallyFigure::Exactly, |_| 3),
        told(0, TallyFigure::Quantile(share(9)), |_| 0),
        told(1, TallyFigure::Quantile(share(9)), |_| 0),
        told(0, TallyFigure::Mean, won).restrict_to_condition("it is won"),
        told(0, TallyFigure::AtMost, won_in_two).restrict_to_condition("it is won"),
        told(1, TallyFigure::Deviation, |_| 0),
        told(2, TallyFigure::Mean, |_| 0),
        told(0, TallyFigure::Mean, |_| OUTSIDE_CONDITION).restrict_to_condition("it is drawn"),
    ]
}

/// 1 − (2/3)³, 1/3 · 2/3, more than one attack, no odd number, and (2/3)⁶ < 0.1 < (2/3)⁵. What is
/// counted twice has twice the deviation; what is never counted is 0; nothing is ever drawn.
#[test]
fn figures_of_two_counters_between_loops_that_count_nothing() {
    let counted = Counted { game: attack(), measures: figures_of_attacks };
    let expected = [
        (0, 19.0 / 27.0),
        (1, 2.0 / 9.0),
        (2, 2.0 / 3.0),
        (3, 0.0),
        (4, 6.0),
        (5, 12.0),
        (6, 3.0),
        (7, 5.0 / 9.0),
        (8, 2.0 * 6f64.sqrt()),
        (9, 0.0),
    ];
    are(&counted.figures(), &expected);
}

/// Layers of what counts one attack twice: every other one is empty.
#[test]
fn layers_of_an_amount_of_two_are_every_other_one() {
    let counted = Counted { game: attack(), measures: figures_of_attacks };
    let layers = solve_tally_layers(&counted.graph(), 1, &NEVER_CANCELLED).expect("it counts up");
    for (tallied, ended) in layers.endings_by_layer.iter().take(9).enumerate() {
        let attacks = tallied as i32 / 2;
        let expected = if tallied == 0 || tallied % 2 == 1 {
            0.0
        } else {
            (2.0f64 / 3.0).powi(attacks - 1) / 6.0
        };
        for found in ended {
            assert!((found - expected).abs() < 1e-15, "{tallied}: {found} and {expected}");
        }
    }
    assert_eq!(layers.ratio, None);
}

/// Three of four trials end; of those nine in ten do within three rounds (1 − 1/27), and of all
/// trials never more than three in four.
#[test]
fn a_quantile_that_jams_hold_up_is_reached_only_among_those_that_end() {
    let counted = Counted {
        game: jam(),
        measures: || {
            vec![
                told(0, TallyFigure::Quantile(share(9)), |_| 0),
                told(0, TallyFigure::Quantile(share(9)), |_| 0).restrict_to_condition("it ends"),
                told(0, TallyFigure::Quantile(share(7)), |_| 0),
            ]
        },
    };
    // After one round 1/2 have ended, after two 2/3, after three 13/18 > 0.7.
    are(&counted.figures(), &[(1, 3.0), (2, 3.0)]);
}

/// Of 300 dice in a row the first fails with 19/20: one throw. The chain that is complete has no
/// chance in floating point, and so no mean.
#[test]
fn an_ending_without_a_chance_has_no_part_in_a_figure() {
    let chain = rare(300);
    let graph = chain.graph();
    are(&figures(&chain.combat(), &graph), &[(0, 0.95), (1, 0.05), (2, 20.0 / 19.0)]);
}

/// Copies have no layers, and no powers by ending.
#[test]
fn copies_have_no_figures_by_outcome() {
    let copies = shots(9);
    let graph = copies.graph();
    assert!(solve_tally_layers(&graph, 0, &NEVER_CANCELLED).is_none());
    assert_eq!(tally_powers_by_ending(&graph, 0, &NEVER_CANCELLED), None);
    assert_eq!(figures(&copies.combat(), &graph), []);
    // One alone is one throw, complete or not.
    let one = shots(1);
    are(&figures(&one.combat(), &one.graph()), &[(0, 1.0), (1, 0.0), (2, 1.0), (3, 1.0)]);
}

/// A loss of 1 in every throw until 6: six throws, −6.
#[test]
fn what_counts_down_has_a_mean_and_no_layers() {
    let game = Game {
        step: |_, _, dice| {
            dice.tally(0, -1);
            [i16::from(dice.die(6) == 6), 0, 0, 0]
        },
        over: |_, [at, ..]| (at == 1).then_some(1),
        ..jam()
    };
    let measures = || vec![told(0, TallyFigure::AtMost, |_| 3), told(0, TallyFigure::Mean, |_| 0)];
    let counted = Counted { game, measures };
    assert!(solve_tally_layers(&counted.graph(), 0, &NEVER_CANCELLED).is_none());
    are(&counted.figures(), &[(1, -6.0)]);
}

/// Attacks are won or lost with 1/2, number 3 ± √6, and count twice under 1. Without a measure that
/// reads them they are not counted.
#[test]
fn each_counter_has_its_moments_without_a_graph() {
    let terms = FrontierLimits { states: None, halt: &NEVER_CANCELLED, on_step: &|_| true };
    let solved = |measures| {
        let combat = AnyCombat::new(Counted { game: attack(), measures });
        let law = solve_without_graph(&combat, &terms).expect("it is small").law;
        assert_eq!(law.probabilities.len(), 2);
        law.probabilities.iter().for_each(|p| assert!((p - 0.5).abs() < 1e-12, "{p}"));
        law.tallies
    };
    let two = || vec![told(0, TallyFigure::Mean, |_| 0), told(1, TallyFigure::Mean, |_| 0)];
    let tallies = solved(two);
    assert_eq!(tallies.len(), 2);
    for (found, (mean, variance)) in tallies.iter().zip([(3.0, 6.0), (6.0, 24.0)]) {
        assert!((found.mean - mean).abs() < 1e-9, "{found:?}");
        assert!((found.variance - variance).abs() < 1e-9, "{found:?}");
    }
    assert_eq!(solved(Vec::new), []);
}
