//! How many steps of one axis are worth a step of another, by hand.

use enfilade_model::form::Value;
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::{SolverSettings, solve_experiment};
use enfilade_study::trade_off::MeasureSurface;
use enfilade_testkit::toy::CATALOGUE;

/// A die hits on `needed` or more. From a d6 to a d8: at 3 the chance grows from 4/6 to 6/8,
/// halfway to the 5/6 of a d6 at 2; at 4 from 3/6 to 5/8, three quarters of the way to 4/6; and no
/// d6 has the 7/8 of a d8 at 2. From a d8 to a d20 only 17/20 at 4 is within reach: it lies at four
/// fifths between 6/8 at 3 and 7/8 at 2.
#[test]
fn a_larger_die_is_worth_lower_needed_faces() {
    let text = "[[contest]]\nsystem = 'toy'\naction = 'shoot'\nneeded = [2, 3, 4]\n\
                die = ['d6', 'd8', 'd20']\n";
    let experiment =
        Experiment::read_experiment_text(&CATALOGUE, "x.toml", text).expect("it is in order");
    let answers = solve_experiment(&experiment, &SolverSettings::for_exact_only()).expect("small");
    let surface = MeasureSurface::from_cells_of_contest(&answers, "p_hit").expect("a whole grid");
    let rates = surface.step_worths_in_other_axis(1, 0);
    let dice: Vec<_> = rates.iter().map(|rate| (rate.from.clone(), rate.to.clone())).collect();
    assert_eq!(dice, [(6, 8), (8, 20)].map(|(from, to)| (Value::Die(from), Value::Die(to))));
    let beyond: Vec<_> = rates.iter().map(|rate| rate.beyond).collect();
    assert_eq!(beyond, [1, 2]);
    // Cells of three dice each: the step begins at the d6 or the d8 of 3 or 4.
    let expected = [vec![(3, -0.5), (6, -0.75)], vec![(7, -1.8)]];
    for (rate, expected) in rates.iter().zip(expected) {
        assert_eq!(rate.worth.len(), expected.len(), "{rate:?}");
        for ((cell, worth), (at, steps)) in rate.worth.iter().zip(expected) {
            assert!(*cell == at && (worth - steps).abs() < 1e-12, "{rate:?}");
        }
    }
    assert!(MeasureSurface::from_cells_of_contest(&answers[1..], "p_hit").is_none());
}
