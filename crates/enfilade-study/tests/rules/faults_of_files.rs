//! Experiment files over a rulebook in a text: its settings that break a check, and the rulebooks
//! that a file needs.

use crate::texts::catalogue;
use enfilade_study::error::StudyError;
use enfilade_study::experiment::Experiment;
use enfilade_study::question;
use enfilade_study::solve::{SolverSettings, solve_experiment};

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

const ARMS: &str = "game \"Arms\"
data arms:
    name          power
    knife         1
    \"bow, long\"   3
    bow=short     2
    2..4          5
    \" blank\"      4
field arm: one of arms = knife
action a:
    face = d6
    x = arm.power + face
    show x
    measure m = mean(x)
";

/// The changes of all contests stand above, those of a contest in it: a fault is where the value
/// is that it takes.
#[test]
fn a_fault_of_a_change_is_where_the_change_is_made() {
    let catalogue = catalogue(ARMS);
    let place = |everywhere: &str, own: &str| {
        let file = format!(
            "[change.arms.knife]\npower = {everywhere}\n\
             [[contest]]\nsystem = 'g'\naction = 'a'\n{own}"
        );
        match Experiment::read_experiment_text(&catalogue, "x", &file) {
            Err(StudyError::Input(error)) => {
                assert_eq!(error.faults.len(), 1, "{error}");
                let located = &error.faults[0];
                (located.fault.path.clone(), file[located.span.clone()].to_owned())
            }
            other => panic!("{other:?}"),
        }
    };
    let own = "[contest.change.arms.knife]\npower = 'much'\n";
    let at = |path: &str, value: &str| (path.to_owned(), value.to_owned());
    assert_eq!(place("'lots'", ""), at("change.arms.knife.power", "'lots'"));
    for everywhere in ["2", "'lots'"] {
        assert_eq!(place(everywhere, own), at("contest[0].change.arms.knife.power", "'much'"));
    }
}

/// What would be read as a list or a range is quoted, and the words ask for the same cell.
#[test]
fn a_name_with_a_comma_or_two_dots_is_quoted_in_the_words_for_a_cell() {
    let catalogue = catalogue(ARMS);
    let action = catalogue.action("g", "a").expect("it is there");
    for (name, word) in [
        ("bow, long", "arm=\"bow, long\""),
        ("2..4", "arm=\"2..4\""),
        (" blank", "arm=\" blank\""),
        ("bow=short", "arm=\"bow=short\""),
    ] {
        let file = format!("[[contest]]\nsystem = 'g'\naction = 'a'\narm = '{name}'\n");
        let read = Experiment::read_experiment_text(&catalogue, "x", &file).expect("in order");
        let answers = solve_experiment(&read, &SolverSettings::for_exact_only()).expect("small");
        let words = question::command_words_for_cell(&answers[0]).expect("words can ask for it");
        assert_eq!(words[1..], ["a", word]);
        let asked = question::build_question_file("g", action, &words[2..]).expect("in order");
        let again = Experiment::read_experiment_text(&catalogue, "x", &asked).expect("in order");
        assert_eq!(again.cells[0].form, read.cells[0].form, "{word}");
    }
}
