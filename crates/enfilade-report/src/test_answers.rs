//! Sample answers for the tests of the reports, with a distribution that is easy to check by hand.

use std::sync::Arc;

use enfilade_model::combat::{
    AnyCombat, Combat, Measure, MeasureHead, OutcomeField, OutcomeFieldHead, OutcomeVocabulary,
};
use enfilade_model::dice::Dice;
use enfilade_model::form::{Form, Value};
use enfilade_stats::intervals::{ConfidenceLevel, proportion_interval};
use enfilade_study::answer::{
    Answer, AnswerMethod, Estimate, MeasureAnswer, OutcomeWithProbability,
};

/// Trials of a simulated answer.
pub const TRIALS: u64 = 1_000_000;

/// An action with heads only.
struct FakeSingleDieCombat;

impl Combat for FakeSingleDieCombat {
    type State = u8;
    type Outcome = u8;

    fn initial_state(&self) -> u8 {
        0
    }

    fn play_one_step(&self, _: u8, dice: &mut impl Dice) -> u8 {
        dice.die(6)
    }

    fn outcome_if_over(&self, state: &u8) -> Option<u8> {
        (*state > 0).then_some(*state)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<u8> {
        OutcomeVocabulary {
            fields: vec![
                OutcomeField::new("eliminated", "squads eliminated", |_| 0)
                    .label("squads eliminated")
                    .unit("squads")
                    .rule("A7.301")
                    .with_harm_degree(80, "kill"),
                OutcomeField::new("broken", "squads broken", |_| 0)
                    .label("squads broken")
                    .unit("squads")
                    .rule("A7.301, A10.3")
                    .with_harm_degree(50, "break"),
            ],
            measures: vec![
                Measure::probability("p_kill", "the squad is eliminated", |_| false)
                    .label("killed")
                    .with_target_disabled_role(),
                Measure::probability("p_break", "the squad breaks or worse", |_| false)
                    .label("any break"),
                Measure::mean("e_losses", "mean number of squads lost", |_| 0)
                    .label("squads lost on average"),
            ],
        }
    }
}

/// An answer in which the squad is eliminated in `kill` and broken in `broken` of 36 cases.
pub fn squad_answer_from_36ths(axes: Vec<(&str, Value)>, kill: u64, broken: u64) -> Answer {
    let combat = AnyCombat::new(FakeSingleDieCombat);
    let (fields, measures) = (combat.result_columns().fields.clone(), combat.measures());
    let cases = [36 - kill - broken, broken, kill];
    let laws = [[0, 0], [0, 1], [1, 0]].into_iter().zip(cases);
    let outcome = |(values, of36): ([i32; 2], u64)| OutcomeWithProbability {
        values: values.to_vec(),
        exact: Some(of36 as f64 / 36.0),
        error: 0.0,
        fraction: None,
        count: Some(expected_count_from_36ths(of36)),
        simulated: Some(estimate_from_36ths(of36)),
    };
    let values = [kill, kill + broken, kill].into_iter().zip(measures);
    let measure = |(of36, head): (u64, &Arc<MeasureHead>)| MeasureAnswer {
        head: Arc::clone(head),
        exact: Some(of36 as f64 / 36.0),
        error: 0.0,
        fraction: None,
        simulated: Some(estimate_from_36ths(of36)),
    };
    let entries = axes.iter().map(|(_, value)| value.clone());
    let entries = ["fp", "drm"].into_iter().zip(entries).collect();
    let axis = |(path, value): (&str, Value)| (path.to_owned(), value);
    let catalogue = enfilade_games::built_in_catalogue();
    let system = catalogue.rulebook_by_id("asl").expect("it is built in");
    Answer {
        cell: 0,
        contest: 0,
        name: "asl fire".into(),
        system: Arc::clone(system),
        action: Arc::clone(system.action("fire").expect("it can be asked")),
        params: Form::from_checked_entries(entries),
        axes: axes.into_iter().map(axis).collect(),
        fields,
        outcomes: laws.map(outcome).collect(),
        measures: values.map(measure).collect(),
        seed: 7,
        trials: TRIALS,
        unsettled_trials: 0,
        unsettled: Some(0.0),
        never: None,
        bound: None,
        shows_errors: false,
        engine: AnswerMethod::Simulated,
        states: Some(10),
        nodes: Some(32),
        agrees: Some(true),
        notes: Vec::new(),
        breaks: None,
    }
}

/// An answer of independent dice of so many faces, each with a name and none of them harm.
pub fn build_dice_answer(names: &[&str], faces: u32) -> Answer {
    let mut answer = squad_answer_from_36ths(Vec::new(), 4, 12);
    let head = |name: &&str| OutcomeFieldHead {
        name: (*name).to_owned().into(),
        label: (*name).to_owned().into(),
        harm: None,
        ..answer.fields[0].clone()
    };
    let fields: Vec<_> = names.iter().map(head).collect();
    let total = faces.pow(names.len() as u32);
    let digit = |number: u32, at: usize| (number / faces.pow(at as u32) % faces + 1) as i32;
    let outcome = |number: u32| OutcomeWithProbability {
        values: (0..names.len()).map(|at| digit(number, at)).collect(),
        exact: Some(1.0 / f64::from(total)),
        ..answer.outcomes[0].clone()
    };
    answer.outcomes = (0..total).map(outcome).collect();
    answer.fields = fields.into();
    answer
}

fn expected_count_from_36ths(of36: u64) -> u64 {
    of36 * TRIALS / 36
}

fn estimate_from_36ths(of36: u64) -> Estimate {
    let interval =
        proportion_interval(expected_count_from_36ths(of36), TRIALS, ConfidenceLevel::P95);
    Estimate {
        value: expected_count_from_36ths(of36) as f64 / TRIALS as f64,
        low: interval.low,
        high: interval.high,
    }
}

/// Four firepowers by three modifiers.
pub fn build_grid() -> Vec<Answer> {
    let mut answers = Vec::new();
    for (row, fp) in [1, 2, 4, 8].into_iter().enumerate() {
        for (column, drm) in [-1, 1, 3].into_iter().enumerate() {
            let axes = vec![("fp", Value::Int(fp)), ("drm", Value::Int(drm))];
            // Order of the file: the last axis varies fastest.
            let worse = (2 - column as u64) + 2 * row as u64;
            let mut answer = squad_answer_from_36ths(axes, worse, worse + 6);
            answer.cell = answers.len();
            answers.push(answer);
        }
    }
    answers
}

/// One cell without axes, simulated.
pub fn build_single() -> Vec<Answer> {
    vec![squad_answer_from_36ths(Vec::new(), 4, 12)]
}

/// One cell without a simulation, with fractions.
pub fn build_exact_only() -> Vec<Answer> {
    let mut answer = squad_answer_from_36ths(Vec::new(), 4, 12);
    answer.engine = AnswerMethod::ExactOnly;
    (answer.trials, answer.agrees) = (0, None);
    for outcome in &mut answer.outcomes {
        outcome.fraction = outcome.exact.map(|p| format!("{}/36", (36.0 * p).round()));
        (outcome.count, outcome.simulated) = (None, None);
    }
    for measure in &mut answer.measures {
        measure.fraction = measure.exact.map(|p| format!("{}/36", (36.0 * p).round()));
        measure.simulated = None;
    }
    vec![answer]
}

/// One cell that was too large to be compiled.
pub fn build_simulated_only() -> Vec<Answer> {
    let mut answer = squad_answer_from_36ths(Vec::new(), 4, 12);
    answer.engine = AnswerMethod::Played;
    answer.trials = 2000;
    answer.unsettled = None;
    (answer.states, answer.nodes, answer.agrees) = (None, None, None);
    for outcome in &mut answer.outcomes {
        outcome.exact = None;
    }
    for measure in &mut answer.measures {
        measure.exact = None;
    }
    vec![answer]
}
