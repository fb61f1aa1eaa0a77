//! Grids whose cells are made one by one: the same cells as those that are kept.

use enfilade_study::experiment::Experiment;
use enfilade_testkit::toy::CATALOGUE;

/// Two contests with more cells than a block together, the second with an axis in a table.
const FILE: &str = "[[contest]]\nsystem = 'toy'\naction = 'shoot'\nneeded = [4, 2]\n\
    fp = { from = 1, to = 30 }\n[contest.target]\nmorale = { from = 1, to = 20 }\n\
    [[contest]]\nsystem = 'toy'\naction = 'shoot'\nname = 'again'\nneeded = { from = 1, to = 6 }\n\
    fp = { from = 1, to = 30 }\n[contest.target]\nmorale = { from = 1, to = 20 }\n";

fn read(text: &str) -> Experiment {
    Experiment::read_experiment_text(&CATALOGUE, "x.toml", text)
        .unwrap_or_else(|error| panic!("{error:?}"))
}

#[test]
fn cells_made_one_by_one_are_those_that_are_kept() {
    let kept = read(FILE).cells;
    let (experiment, cells) =
        Experiment::read_checking_all_or_samples(&CATALOGUE, "x.toml", FILE, 0)
            .expect("it is well formed");
    assert_eq!((experiment.cell_count, cells.len()), (kept.len() as u64, kept.len() as u64));
    assert!(experiment.cells.len() < 200);
    for range in [0..cells.len(), 1190..1210, 17..18, 0..0, cells.len() - 1..cells.len()] {
        let mut next = range.start;
        for (index, made) in cells.build_cell_range(range.clone()) {
            let made = made.unwrap_or_else(|wrong| panic!("{}", wrong.why));
            let same = &kept[usize::try_from(index).expect("it is small")];
            assert_eq!((index, made.index), (next, same.index));
            assert!(made.form == same.form && made.axes == same.axes && made.name == same.name);
            next += 1;
        }
        assert_eq!(next, range.end);
    }
}

#[test]
fn a_grid_that_nobody_could_keep_is_begun_at_once() {
    let leader = "[contest.leader]\nmorale = { from = 1, to = 20 }\n";
    let fp = "fp = { from = 0, to = 100, step = 0.015625 }\n";
    let text = format!(
        "[[contest]]\nsystem = 'toy'\naction = 'shoot'\nneeded = {{ from = 1, to = 6 }}\n{fp}\
         [contest.target]\nmorale = {{ from = 1, to = 20 }}\n{leader}"
    );
    let (experiment, cells) =
        Experiment::read_checking_all_or_samples(&CATALOGUE, "x.toml", &text, 100_000)
            .expect("it is well formed");
    // 6 × 6 401 × 20 × 20.
    assert_eq!(cells.len(), 15_362_400);
    assert!(experiment.cells.len() < 300);
    let (index, last) = cells.build_cell_range(15_362_399..15_362_400).next().expect("a cell");
    assert!(index == 15_362_399 && last.is_ok());
}
