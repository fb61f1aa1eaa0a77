//! Experiment files over a rulebook in a text: its settings that break a check, and the rulebooks
//! that a file needs.

use crate::texts::catalogue;
use enfilade_study::error::StudyError;
use enfilade_study::experiment::Experiment;

/// A rulebook with a check of two fields.
fn loads(check: &str) -> String {
    format!(
        "game \"Loads\"
field men: 0..9 = 0
field tons: 0..9 = 0
action a:
    check {check} \"too much\"
    x = d6
    show x
    measure m = mean(x + men + tons)
"
    )
}

/// Reads contests with these lines, of which at most `most` cells are read whole: the number of
/// cells that were built, or the first fault.
fn read(check: &str, lines: &str, most: u64) -> Result<usize, String> {
    let file = format!("[[contest]]\nsystem = 'g'\naction = 'a'\n{lines}\n");
    let read =
        Experiment::read_checking_all_or_samples(&catalogue(&loads(check)), "x", &file, most);
    match read {
        Ok((experiment, _)) => Ok(experiment.cells.len()),
        Err(StudyError::Input(error)) => Err(error.faults[0].fault.problem.clone()),
        Err(error) => panic!("{error}"),
    }
}

const NINE: &str = "men = [0, 1, 2]\ntons = [0, 1, 2]";

#[test]
fn a_fault_counts_the_cells_that_break_a_check_as_it_does() {
    for most in [100, 1] {
        let refused = |lines| read("men + tons > 9", lines, most).expect_err("all break it");
        assert_eq!(refused("men = 1"), "too much");
        assert_eq!(refused("men = [1, 2]"), "too much (and 1 more cell breaks a check)");
        assert_eq!(refused(NINE), "too much (and 8 more cells break a check)");
    }
}

#[test]
fn of_a_large_grid_the_inside_is_searched_if_every_sample_cell_breaks_a_check() {
    // Only the cell in the middle keeps it, and no cell that differs from the first on one axis.
    assert_eq!(read("men == 1 and tons == 1", NINE, 1), Ok(1));
    // The last of all cells.
    assert_eq!(read("men == 2 and tons == 2", NINE, 1), Ok(1));
}

#[test]
fn an_experiment_has_each_rulebook_from_a_file_once_and_none_that_is_built_in() {
    let built_in = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = 8\n\
                    target = { kind = 'squad', morale = 7 }\n";
    let read_in = "[[contest]]\nsystem = 'g'\naction = 'a'\nmen = [1, 2]\n";
    let catalogue = catalogue(&loads("men < 9"));
    let rulebooks = |file: &str| -> Vec<String> {
        let read = Experiment::read_experiment_text(&catalogue, "x", file).expect("in order");
        read.rulebooks.iter().map(|system| system.id.to_string()).collect()
    };
    assert_eq!(rulebooks(built_in), [""; 0]);
    assert_eq!(rulebooks(&[built_in, read_in, built_in, read_in].concat()), ["g"]);
}
