//! Experiment files: what they mean, and how their faults are reported.

use enfilade_model::error::InputError;
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::{Field, FieldType, Fields};
use enfilade_study::answer::AnswerMethod;
use enfilade_study::error::StudyError;
use enfilade_study::experiment::{CardLineValue, ChartKind, Experiment, SimulationStopRule};
use enfilade_study::grid::find_axes_of_contest;
use enfilade_study::solve::{SolverSettings, solve_experiment};
use enfilade_testkit::toy::{CATALOGUE, broken};

fn read(text: &str) -> Result<Experiment, StudyError> {
    Experiment::read_experiment_text(&CATALOGUE, "some/file name.toml", text)
}

fn right(text: &str) -> Experiment {
    read(text).unwrap_or_else(|error| panic!("{error:?}"))
}

/// The faults of `text`: the bytes each points at, its problem, its help.
pub fn faults(text: &str) -> Vec<(&str, String, String)> {
    let Err(StudyError::Input(InputError { faults, .. })) = read(text) else {
        panic!("the file should have been refused");
    };
    let each = faults.into_iter().map(|located| {
        let help = located.fault.help.unwrap_or_default();
        (&text[located.span], located.fault.problem, help)
    });
    each.collect()
}

/// A contest of the toy rulebook with these further lines.
fn contest(lines: &str) -> String {
    format!("[[contest]]\nsystem = 'toy'\naction = 'shoot'\n{lines}")
}

#[test]
fn a_system_whose_data_is_broken_plays_nothing_and_names_the_row() {
    let text = "[[contest]]\nsystem = 'broken'\naction = 'shoot'\nneeded = 4";
    let refused = Experiment::read_experiment_text(&broken(), "x.toml", text);
    let Err(StudyError::Input(InputError { faults, .. })) = refused else {
        panic!("the file should have been refused");
    };
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(
        faults[0].fault.problem,
        "the built-in data of broken is broken: data/broken.tsv:7: unknown kind \"crwed\""
    );
    assert_eq!(&text[faults[0].span.clone()], "'broken'");
    for system in crate::built_in().rulebooks_created_on_demand() {
        assert_eq!((system.check_data)(), Ok(()), "{}", system.id);
    }
}

fn axis_values(experiment: &Experiment, axis: &str) -> Vec<String> {
    let value = |cell: &enfilade_study::experiment::GridCell| {
        let (_, value) = cell.axes.iter().find(|(name, _)| name == axis)?;
        Some(value.to_string())
    };
    experiment.cells.iter().filter_map(value).collect()
}

#[test]
fn what_is_left_out_has_its_default() {
    let experiment = right(&contest("needed = 4"));
    assert_eq!((experiment.name.as_str(), experiment.seed), ("file name", 1));
    assert_eq!(experiment.stop, SimulationStopRule::Precision(0.0005));
    let cell = &experiment.cells[0];
    assert_eq!((cell.index, cell.contest, cell.name.as_str()), (0, 0, "toy shoot"));
    assert!(cell.axes.is_empty());
    assert_eq!(cell.form.fraction("fp"), 64);
}

#[test]
fn everything_at_the_top_is_read() {
    let head =
        "name = 'ift-odds'\nquestion = 'Why?'\nprediction = 'So.'\nseed = 7\ntrials = 10_000\n";
    let experiment = right(&(head.to_owned() + &contest("needed = 4\nname = 'one shot'")));
    assert_eq!(experiment.name, "ift-odds");
    assert_eq!(experiment.question.as_deref(), Some("Why?"));
    assert_eq!(experiment.prediction.as_deref(), Some("So."));
    assert_eq!((experiment.seed, experiment.stop), (7, SimulationStopRule::Trials(10_000)));
    assert_eq!(experiment.cells[0].name, "one shot");
    let precise = right(&("precision = 0.01\n".to_owned() + &contest("needed = 4")));
    assert_eq!(precise.stop, SimulationStopRule::Precision(0.01));
}

#[test]
fn an_experiment_is_answered_with_its_own_seed_and_trials() {
    let experiment = right(&("seed = 7\ntrials = 300\n".to_owned() + &contest("needed = 4")));
    let answers = solve_experiment(&experiment, &SolverSettings::from_experiment(&experiment));
    let answer = answers.expect("a toy is small").remove(0);
    assert_eq!((answer.seed, answer.trials), (7, 300));
    assert_eq!((answer.engine, answer.agrees), (AnswerMethod::Simulated, Some(true)));
}

#[test]
fn lists_and_ranges_are_axes_and_the_last_varies_fastest() {
    let experiment = right(&contest("needed = { from = 2, to = 6, step = 2 }\ndie = ['d6', 'd8']"));
    assert_eq!(axis_values(&experiment, "needed"), ["2", "2", "4", "4", "6", "6"]);
    assert_eq!(axis_values(&experiment, "die"), ["d6", "d8", "d6", "d8", "d6", "d8"]);
    let indices: Vec<_> = experiment.cells.iter().map(|cell| cell.index).collect();
    assert_eq!(indices, [0, 1, 2, 3, 4, 5]);
}

#[test]
fn axes_stand_in_the_order_of_the_file() {
    let experiment = right(&contest("die = ['d6', 'd8']\nneeded = [1, 2]"));
    let names: Vec<_> = experiment.cells[0].axes.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["die", "needed"]);
}

#[test]
fn fractions_step_exactly() {
    let experiment = right(&contest("needed = 1\nfp = { from = 0.5, to = 2, step = 0.5 }"));
    assert_eq!(axis_values(&experiment, "fp"), ["0.5", "1", "1.5", "2"]);
}

#[test]
fn a_list_of_lists_is_an_axis_where_a_list_is_expected() {
    let plain = right(&contest("needed = 1\nweapons = ['d4', 'd6']"));
    assert!(plain.cells[0].axes.is_empty());
    let axis = right(&contest("needed = 1\nweapons = [['d4', 'd6'], []]"));
    assert_eq!(axis_values(&axis, "weapons"), ["d4, d6", ""]);
}

#[test]
fn modifiers_can_be_axes_whole_or_one_by_one() {
    let whole = right(&contest("needed = 1\nmodifiers = [{ woods = true }, ['St. Wall'], []]"));
    assert_eq!(axis_values(&whole, "modifiers"), ["Woods +1", "St. Wall +3", ""]);
    let one = right(&contest("needed = 1\nmodifiers = { woods = { from = 0, to = 2 } }"));
    assert_eq!(axis_values(&one, "modifiers.woods"), ["0", "1", "2"]);
    let switch = right(&contest("needed = 1\nmodifiers = { Woods = [true, false] }"));
    assert_eq!(axis_values(&switch, "modifiers.Woods"), ["1", "false"]);
}

#[test]
fn a_table_is_numbered_only_where_there_are_several() {
    let one = right(&contest("needed = 1\n[[contest.target]]\nmorale = [6, 7]"));
    assert_eq!(axis_values(&one, "target.morale"), ["6", "7"]);
    let single = right(&contest("needed = 1\n[contest.target]\nmorale = [6, 7]"));
    assert_eq!(axis_values(&single, "target.morale"), ["6", "7"]);
    let leader = right(&contest("needed = 1\nleader.unit = ['4-4-7', '4 6 7']"));
    assert_eq!(axis_values(&leader, "leader.unit"), ["4-4-7", "4-6-7"]);
    let two = "needed = 1\n[[contest.target]]\nmorale = [6, 7]\n[[contest.target]]\nunit = ['4-4-7', '4-6-7']";
    let two = right(&contest(two));
    assert_eq!(axis_values(&two, "target.1.morale"), ["6", "6", "7", "7"]);
    assert_eq!(axis_values(&two, "target.2.unit"), ["4-4-7", "4-6-7", "4-4-7", "4-6-7"]);
}

#[test]
fn several_contests_follow_each_other() {
    let experiment = right(&(contest("needed = [1, 2]\n") + &contest("needed = 3")));
    let place: Vec<_> = experiment.cells.iter().map(|cell| (cell.index, cell.contest)).collect();
    assert_eq!(place, [(0, 0), (1, 0), (2, 1)]);
}

#[test]
fn the_spelling_of_a_contest_does_not_change_its_fingerprint() {
    let cells = right(&(contest("needed = [2, 3]\n") + &contest("fp = 1.0\nneeded = 3\n"))).cells;
    assert_eq!(cells[1].fingerprint_of_contest(), cells[2].fingerprint_of_contest());
    assert_ne!(cells[0].fingerprint_of_contest(), cells[1].fingerprint_of_contest());
}

#[test]
fn charts_name_axes_and_measures() {
    let charts = "[[chart]]\nkind = 'heatmap'\nx = 'target_morale'\ny = 'needed'\nmeasure = 'p_hit'\n\
                  [[chart]]\nkind = 'at-least'\nx = 'target.morale'\ntitle = 'T'";
    let text = contest("needed = [1, 2]\ntarget = { morale = [6, 7] }\n") + charts;
    let experiment = right(&text);
    let charts = &experiment.charts;
    assert_eq!((charts[0].kind, charts[1].kind), (ChartKind::Heatmap, ChartKind::AtLeast));
    assert_eq!(
        (charts[0].x.as_deref(), charts[1].x.as_deref()),
        (Some("target.morale"), Some("target.morale"))
    );
    assert_eq!(
        (charts[0].measure.as_deref(), charts[1].title.as_deref()),
        (Some("p_hit"), Some("T"))
    );
}

#[test]
fn charts_take_contests_as_an_axis_and_the_axes_of_each() {
    let charts = "[[chart]]\nkind = 'bars'\nx = 'contest'\n[[chart]]\nkind = 'curves'\nx = 'fp'";
    let text = contest("needed = [1, 2]\n") + &contest("needed = 3\nfp = [1, 2]\n") + charts;
    let found: Vec<_> = right(&text).charts.iter().map(|chart| chart.x.clone()).collect();
    assert_eq!(found, [Some("contest".to_owned()), Some("fp".to_owned())]);
    // One contest alone is no axis.
    let alone = contest("needed = 3\nfp = [1, 2]\n") + charts;
    assert_eq!(faults_of(&alone)[0].0, "'contest'");
}

#[test]
fn all_faults_of_a_file_are_reported_at_once_each_in_its_place() {
    let text = "nmae = 'x'\ntrials = 0\n\
        [[contest]]\nsystem = 'toi'\naction = 'shoot'\n\
        [[contest]]\nsystem = 'toy'\naction = 'shot'\n\
        [[contest]]\nsystem = 'toy'\naction = 'shoot'\nneeded = [1, 21, 2]\nfpp = 3\n\
        [[contest.target]]\nunit = '4-4-8'\n\
        [[contest]]\naction = 'shoot'\n\
        [[contest]]\nsystem = 'toy'\naction = 'shoot'\n\
        [[chart]]\nkind = 'heat'\n";
    let faults = faults(text);
    let places: Vec<_> = faults.iter().map(|(place, ..)| *place).collect();
    let expected = [
        "nmae",
        "0",
        "'toi'",
        "'shot'",
        "21",
        "fpp",
        "'4-4-8'",
        "[[contest]]",
        "[[contest]]",
        "'heat'",
    ];
    assert_eq!(places, expected);
    assert_eq!(faults[0].2, "did you mean `name`?");
    assert_eq!(faults[2].2, "did you mean \"toy\"?");
    assert_eq!(faults[3].2, "did you mean \"shoot\"?");
    assert_eq!(faults[4].1, "the number needed must be 1 to 20, but it is 21");
    assert_eq!(faults[5].2, "did you mean `fp`?");
    assert_eq!(faults[7].1, "`system` is missing: the rulebook");
    assert!(faults[8].1.starts_with("`needed` is missing"));
}

#[test]
fn what_does_not_fit_together_points_at_the_value_of_the_axis() {
    let faults = faults_of(&contest("needed = [5, 7, 8]\ndie = ['d6', 'd8']"));
    let expected = [
        ("7".to_owned(), "a d6 never shows 7".to_owned()),
        ("8".to_owned(), "a d6 never shows 8".to_owned()),
    ];
    assert_eq!(faults, expected);
    let units = "needed = 1\n[[contest.target]]\nunit = '4-4-7'\n[[contest.target]]\nunit = ['4-6-7', '8-3-8']";
    assert_eq!(faults_of(&contest(units))[0].0, "'8-3-8'");
}

fn faults_of(text: &str) -> Vec<(String, String)> {
    let each = faults(text).into_iter();
    each.map(|(place, problem, _)| (place.to_owned(), problem)).collect()
}

#[test]
fn grids_that_cannot_be_are_refused() {
    let cases = [
        ("needed = []", "[]", "the list is empty"),
        ("needed = { from = 6, to = 2 }", "2", "the range is empty"),
        ("needed = { from = 0, to = 2 }", "0", "the number needed must be 1 to 20, but it is 0"),
        ("needed = { from = 1, to = 6, step = 0 }", "0", "the step of a range must be more than 0"),
        ("needed = { from = 1 }", "{ from = 1 }", "`to` is missing"),
        ("needed = { from = 1, to = 2, by = 1 }", "1", "there is no field `by` here"),
        ("needed = { from = 1.5, to = 2 }", "1.5", "expected a whole number"),
        (
            "fp = { from = 0, to = 1, step = 0.3 }\nneeded = 1",
            "0.3",
            "the step of a range must be a multiple",
        ),
        // The firepower is 0 to 100.
        ("needed = 1\nfp = { from = -0.5, to = 1 }", "-0.5", "the firepower must be 0 to 100"),
        ("needed = 1\nfp = { from = 99, to = 100.5 }", "100.5", "the firepower must be 0 to 100"),
        ("needed = [[1]]", "[1]", "expected a whole number, 1 to 20, found a list"),
        ("needed = 1\nleader = [{}, {}]", "[{}, {}]", "expected a table, found a list"),
    ];
    for (lines, place, problem) in cases {
        let faults = faults_of(&contest(lines));
        assert_eq!(faults.len(), 1, "{lines}: {faults:?}");
        assert_eq!(faults[0].0, place, "{lines}");
        assert!(faults[0].1.starts_with(problem), "{lines}: {}", faults[0].1);
    }
}

#[test]
fn the_size_of_a_grid_is_limited() {
    let fields = "needed = [1, 1, 1, 1, 1]\nfp = { from = 0, to = 99 }\n[contest.target]\nmorale = { from = 1, to = 20 }";
    let leader = "[contest.leader]\nmorale = { from = 1, to = 20 }\n[contest.modifiers]\nwoods = { from = -5, to = 5 }";
    let text = contest(&format!("{fields}\n{leader}"));
    let faults = faults(&text);
    let expected = "the grid has more than 100 000 cells: needed × 5, fp × 100, target.morale × 20, leader.morale × 20, modifiers.woods × 11";
    assert_eq!((faults[0].0, faults[0].1.as_str()), ("[[contest]]", expected));
}

#[test]
fn a_range_has_as_many_values_as_a_grid_has_cells_and_no_more() {
    let metres = FieldType::Int(IntRange::new("distance", 0, 1_000_000));
    let fields: Fields = vec![Field::new_required("far", metres, "distance")].into();
    let values = |to: i64| {
        let table = format!("far = {{ from = 1, to = {to} }}").parse().expect("it is TOML");
        find_axes_of_contest(&fields, &table).map(|axes| axes[0].values.len())
    };
    assert_eq!(values(100_000), Ok(100_000));
    let faults = values(100_001).expect_err("it is one too many");
    assert_eq!(faults[0].problem, "the range has more than 100000 values");
}

#[test]
fn a_grid_that_is_wrong_everywhere_is_not_read_to_its_end() {
    // The fault of the last cell is another one, behind fifty cells with the same.
    let dice = "'d6', ".repeat(50);
    let text = contest(&format!("needed = 7\ndie = [{dice}'d7']"));
    assert_eq!(faults_of(&text), [("7".to_owned(), "a d6 never shows 7".to_owned())]);
    let text = text.replacen("'d6', ", "", 1);
    assert_eq!(faults_of(&text).len(), 2);
}

#[test]
fn the_folder_of_results_is_what_is_safe_of_the_name() {
    let folder = |name: &str| {
        let text = format!("name = '{name}'\n{}", contest("needed = 4"));
        right(&text).default_result_folder()
    };
    assert_eq!(folder("ift-odds"), "ift-odds");
    assert_eq!(folder("Hull down, 3 tanks (odds)"), "Hull-down--3-tanks--odds");
    assert_eq!((folder("../etc"), folder("/tmp/x")), ("etc".into(), "tmp-x".into()));
    assert_eq!((folder("com10"), folder("comx")), ("com10".into(), "comx".into()));
    for unsafe_name in ["CON", "nul", "COM1", "lpt9", "..", "ß", "---"] {
        assert_eq!(folder(unsafe_name), "experiment", "{unsafe_name}");
    }
    assert_eq!(folder(&"x".repeat(90)).len(), 64);
}

#[test]
fn settings_at_the_top_are_checked() {
    let cases = [
        ("name = ''", "''", ""),
        ("name = ' '", "' '", ""),
        ("name = \"a\\nb\"", "\"a\\nb\"", ""),
        ("name = 3", "3", ""),
        ("seed = -1", "-1", ""),
        ("seed = 'random'", "'random'", ""),
        ("trials = 1.5", "1.5", ""),
        ("trials = 10_000_000_000_001", "10_000_000_000_001", ""),
        ("precision = 0", "0", ""),
        ("precision = 0.6", "0.6", ""),
        ("precision = 'high'", "'high'", ""),
        ("precision = nan", "nan", ""),
        ("precision = 0.1\ntrials = 5", "0.1", "keep the one that is to decide"),
        ("question = 5", "5", ""),
        ("chart = 5", "5", ""),
        ("chart = [5]", "[5]", ""),
    ];
    for (line, place, help) in cases {
        let text = format!("{line}\n{}", contest("needed = 1"));
        let faults = faults(&text);
        assert_eq!(faults.len(), 1, "{line}: {faults:?}");
        assert_eq!((faults[0].0, faults[0].2.as_str()), (place, help), "{line}");
    }
}

#[test]
fn a_file_needs_a_contest() {
    for text in ["", "contest = []", "contest = 5", "contest = [1]"] {
        assert_eq!(faults(text).len(), 1, "{text}");
    }
}

#[test]
fn charts_of_what_is_not_there_are_refused() {
    let chart = "[[chart]]\nkind = 'curves'\nx = 'neded'\ny = 'wind'\nmeasure = 'p_kill'\n\
                 [[chart]]\nkind = 'bars'\nx = 'needed'\ny = 'needed'\n[[chart]]\n";
    let text = contest("needed = [1, 2]\n") + chart;
    let faults = faults(&text);
    let places: Vec<_> = faults.iter().map(|(place, ..)| *place).collect();
    assert_eq!(places, ["'neded'", "'wind'", "'p_kill'", "'needed'", "[[chart]]"]);
    assert_eq!(faults[0].2, "did you mean `needed`?");
    assert_eq!(faults[1].2, "there is `needed`");
}

#[test]
fn of_a_large_grid_each_value_of_each_axis_is_tried() {
    let read = |needed: &str| {
        let text = contest(&format!("needed = {needed}\nfp = [1, 2, 3]"));
        Experiment::read_checking_all_or_samples(&CATALOGUE, "x", &text, 1).map(|_| text)
    };
    assert!(read("[1, 2, 3, 6]").is_ok());
    for wrong in ["[7, 1, 2, 3]", "[1, 7, 2, 3]", "[1, 2, 3, 7]"] {
        let Err(StudyError::Input(InputError { faults, .. })) = read(wrong) else {
            panic!("a d6 never shows 7: {wrong}");
        };
        assert!(!faults.is_empty(), "{wrong}");
        assert!(faults.iter().all(|at| at.fault.problem.contains("never shows 7")), "{faults:?}");
    }
}

#[test]
fn a_front_has_two_or_three_goals() {
    let text = |front: &str| contest(&format!("needed = [1, 2]\n[sweep]\nfront = '{front}'\n"));
    for front in ["p_hit, -p_hit", "p_hit, -p_hit, p_hit"] {
        let search = right(&text(front)).spec.search.clone().expect("it is a search");
        assert_eq!(search.front.len(), front.split(',').count());
    }
    for front in ["p_hit", "p_hit, -p_hit, p_hit, p_hit"] {
        let text = text(front);
        let faults = faults(&text);
        assert!(faults[0].1.contains("two or three measures"), "{faults:?}");
    }
}

#[test]
fn a_band_of_a_card_begins_at_one_unless_it_says_where() {
    let lines = "line = [{ label = 'a', when = ['hit'] }, { label = 'b', when = ['hit >= 0'] }]";
    let text = contest(&format!("needed = [1, 2]\n[[card]]\nrows = 'needed'\n{lines}\n"));
    let experiment = right(&text);
    let bands = experiment.cards[0].lines.iter().map(|line| match &line.shows {
        CardLineValue::Band(conditions) => conditions[0].least,
        other => panic!("{other:?}"),
    });
    assert_eq!(bands.collect::<Vec<_>>(), [1, 0]);
}
