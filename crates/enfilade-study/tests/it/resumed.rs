//! Exact work that was stopped: what is solved is not solved again.

use enfilade_study::checkpoint::journal::CellTrialJournal;
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::{NoObserver, SolverSettings, solve_cells, solve_cells_without_answers};

use super::built_in;

/// A known answer is taken over as it is, marked here by a seed that no solver gives; the others
/// are solved, and all are in the order of the cells.
#[test]
fn known_answers_are_taken_over_and_the_rest_is_solved() {
    let file = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [4, 8, 12]\n\
                target = { kind = 'squad', morale = 7 }\n";
    let experiment =
        Experiment::read_experiment_text(built_in(), "three.toml", file).expect("it is in order");
    let settings = SolverSettings::for_exact_only();
    let cells = &experiment.cells;
    let whole = solve_cells(cells, &settings, &NoObserver, &CellTrialJournal::without_storage())
        .expect("it is small");
    let mut known = whole.answers[1].clone();
    known.seed = 77;
    let rest = solve_cells_without_answers(cells, vec![known], &settings, &NoObserver)
        .expect("it is small");
    let seeds: Vec<_> = rest.answers.iter().map(|answer| answer.seed).collect();
    assert_eq!((seeds, rest.interrupted), (vec![settings.seed, 77, settings.seed], false));
    let shown = |answers: &[enfilade_study::answer::Answer]| {
        answers
            .iter()
            .map(|answer| (answer.cell, format!("{:?}", answer.measures)))
            .collect::<Vec<_>>()
    };
    assert_eq!(shown(&rest.answers), shown(&whole.answers));
}
