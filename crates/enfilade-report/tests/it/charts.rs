//! Charts of real experiments: what they must show, read back from the pictures' own texts.

use std::fs;

use enfilade_model::error::InputError;
use enfilade_report::charts::{ChartDrawing, DrawnAndOmittedCharts, draw_all_charts, text_layout};
use enfilade_report::drawing;
use enfilade_study::answer::Answer;
use enfilade_study::checkpoint::journal::CellTrialJournal;
use enfilade_study::error::StudyError;
use enfilade_study::experiment::Experiment;
use enfilade_study::solve::{NoObserver, SolverSettings, solve_cells};
use enfilade_testkit::source_files::repository_folder;

fn read(file: &str) -> Experiment {
    let path = repository_folder().join("experiments").join(file);
    let text = fs::read_to_string(path).expect("the file is there");
    Experiment::read_experiment_text(crate::built_in(), file, &text)
        .unwrap_or_else(|error| panic!("{error:?}"))
}

fn exact(experiment: &Experiment) -> Vec<Answer> {
    let settings = SolverSettings::for_exact_only();
    let solved = solve_cells(
        &experiment.cells,
        &settings,
        &NoObserver,
        &CellTrialJournal::without_storage(),
    );
    solved.expect("it is small enough").answers
}

fn charts_of(text: &str) -> DrawnAndOmittedCharts {
    let experiment = Experiment::read_experiment_text(crate::built_in(), "x.toml", text)
        .unwrap_or_else(|error| panic!("{error:?}"));
    draw_all_charts(&experiment.charts, &exact(&experiment))
}

fn texts(drawing: &ChartDrawing) -> Vec<&str> {
    drawing.scene.iter_labels().map(|label| label.text.as_str()).collect()
}

/// No text leaves the picture and no two lie on each other.
fn assert_legible(drawing: &ChartDrawing) {
    let extents: Vec<_> = drawing
        .scene
        .iter_labels()
        .map(|label| (label, text_layout::pixel_bounds_of_label(label)))
        .collect();
    for (i, (label, (left, top, right, bottom))) in extents.iter().enumerate() {
        let inside = *left >= 0 && *top >= 0;
        let (width, height) = (drawing.scene.width as i32, drawing.scene.height as i32);
        let inside = inside && *right <= width && *bottom <= height;
        assert!(inside, "{}: {label:?}", drawing.name);
        for (other, theirs) in &extents[i + 1..] {
            let apart =
                *right <= theirs.0 || theirs.2 <= *left || *bottom <= theirs.1 || theirs.3 <= *top;
            assert!(apart, "{}: {:?} on {:?}", drawing.name, label.text, other.text);
        }
    }
}

/// 292 weapons against 145 units: one sheet per faction with every name in full, and an overview.
#[test]
fn the_matrix_can_be_read() {
    let experiment = read("dropzone_matrix.toml");
    let answers = exact(&experiment);
    let gallery = draw_all_charts(&experiment.charts, &answers);
    assert_eq!(gallery.left_out, []);
    let names: Vec<_> = gallery.drawings.iter().map(|drawing| drawing.name.as_str()).collect();
    assert_eq!(names[0], "1-heatmap-damage_per_100_points-overview");
    assert_eq!(names.len(), 6, "{names:?}");
    gallery.drawings.iter().for_each(assert_legible);
    let sheets = &gallery.drawings[1..];
    let axis = |answer: &Answer, path: &str| {
        let found = answer.axes.iter().find(|(name, _)| name == path);
        found.expect("every cell has both axes").1.to_string()
    };
    for answer in &answers {
        let (weapon, target) = (axis(answer, "weapon"), axis(answer, "target"));
        if answer.measure_answer_by_name("damage_per_100_points").is_none() || answer.cell % 7 != 0
        {
            continue;
        }
        let (faction, weapon) = weapon.split_once('/').expect("FACTION/UNIT/WEAPON");
        let sheet = sheets.iter().find(|sheet| sheet.title.ends_with(faction));
        let shown = texts(sheet.expect("every faction has a sheet"));
        for name in [weapon, target.as_str()] {
            let there = shown.iter().any(|text| text.starts_with(&format!("{name} · ")));
            assert!(there, "{name} on the sheet of {faction}");
        }
    }
}

/// The median over the weapons of the Resistance against infantry of armour 1: one unit, the K9
/// Attack Unit, so its column of the answers.
#[test]
fn the_overview_tells_medians_and_maxima() {
    let experiment = read("dropzone_matrix.toml");
    let answers = exact(&experiment);
    let is = |answer: &Answer, start: &str, target: &str| {
        answer.axes[0].1.to_string().starts_with(start) && answer.axes[1].1.to_string() == target
    };
    let of = answers.iter().filter(|a| is(a, "Resistance/", "Resistance/K9 Attack Unit"));
    let values = of.filter_map(|a| a.measure_answer_by_name("damage_per_100_points")?.exact);
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let (median, most) = (values[(values.len() - 1) / 2], values[values.len() - 1]);
    let gallery = draw_all_charts(&experiment.charts, &answers);
    let shown = texts(&gallery.drawings[0]);
    let pair = [format!("{median:.2}"), format!("{most:.1}")];
    assert!(
        shown.windows(2).any(|two| two[0] == pair[0] && two[1] == pair[1]),
        "{pair:?} in {shown:?}"
    );
}

#[test]
fn contests_stand_side_by_side() {
    let contest = |name: &str, fp: u32| {
        format!(
            "[[contest]]\nname = '{name}'\nsystem = 'asl'\naction = 'fire'\nfp = {fp}\n\
             drm = [0, 1]\ntarget = {{ kind = 'squad', morale = 7 }}\n"
        )
    };
    let text = contest("weak", 4) + &contest("strong", 12);
    let names = |gallery: &DrawnAndOmittedCharts| -> Vec<String> {
        gallery.drawings.iter().map(|drawing| drawing.name.clone()).collect()
    };
    let sensible = charts_of(&text);
    assert_eq!(names(&sensible), ["1-bars", "2-bars", "3-curves-p_effect"]);
    assert!(["weak", "strong"].iter().all(|name| texts(&sensible.drawings[2]).contains(name)));
    let asked =
        text + "[[chart]]\nkind = 'heatmap'\nx = 'drm'\ny = 'contest'\nmeasure = 'p_kill'\n";
    let asked = charts_of(&asked);
    assert_eq!(names(&asked), ["1-heatmap-p_kill"]);
    // Two contests of one name are told apart by what differs, or by numbers where nothing does.
    let twins = contest("squad", 4) + &contest("squad", 12);
    let twins = charts_of(&twins);
    let shown = texts(&twins.drawings[2]);
    assert!(["firepower 4", "firepower 12"].iter().all(|name| shown.contains(name)), "{shown:?}");
    let same = charts_of(&(contest("squad", 4) + &contest("squad", 4)));
    assert!(["squad (1)", "squad (2)"].iter().all(|name| texts(&same.drawings[2]).contains(name)));
}

/// Fire at 8 and at 12 firepower is one thing in two variants; five fields that differ make another
/// thing.
#[test]
fn laws_of_two_variants_stand_over_each_other() {
    let contest = |fields: &str| {
        format!(
            "[[contest]]\nsystem = 'asl'\naction = 'fire'\n{fields}\n\
             target = {{ kind = 'squad', morale = 7 }}\n"
        )
    };
    let variants = charts_of(&(contest("fp = 8\ndrm = -1") + &contest("fp = 12\ndrm = -1")));
    let first = &variants.drawings[0];
    assert_eq!((first.name.as_str(), first.contest), ("1-bars", 0));
    for text in ["firepower 8", "firepower 12", "no effect", "pin", "break", "kill"] {
        assert!(texts(first).contains(&text), "{text} in {:?}", texts(first));
    }
    // Both laws add to 100: eight shares, rounded to a tenth each.
    let shares =
        texts(first).into_iter().filter(|text| text.contains('.') && text.parse::<f64>().is_ok());
    let sum: f64 = shares.map(|text| text.parse::<f64>().unwrap_or(0.0)).sum();
    assert!((sum - 200.0).abs() < 0.4, "{sum}");
    assert_legible(first);
    let other = contest("fp = 8\ndrm = -1")
        + &contest(
            "fp = 12\ndrm = 2\ncowers = false\nmodifiers = ['Stone building']\nencircled = true",
        );
    assert!(!texts(&charts_of(&other).drawings[0]).contains(&"how often, %"));
}

/// Contests of one action with different axes: the scores of all of them in one picture, once.
#[test]
fn scores_of_a_whole_run_are_one_picture() {
    let contest = |axis: &str| {
        format!(
            "[[contest]]\nsystem = 'asl'\naction = 'fire'\n{axis}\n\
             target = {{ kind = 'squad', morale = 7 }}\n"
        )
    };
    let text = format!(
        "trials = 20_000\n{}{}",
        contest("fp = 8\ndrm = { from = -5, to = 6 }"),
        contest("fp = [1, 2, 4, 6, 8, 12, 16, 20, 24]")
    );
    let experiment =
        Experiment::read_experiment_text(crate::built_in(), "x.toml", &text).expect("right");
    let settings = SolverSettings::from_experiment(&experiment);
    let solved = solve_cells(
        &experiment.cells,
        &settings,
        &NoObserver,
        &CellTrialJournal::without_storage(),
    );
    let gallery = draw_all_charts(&experiment.charts, &solved.expect("it is small enough").answers);
    let scores = gallery.drawings.iter().filter(|drawing| drawing.name.contains("z-scores"));
    let scores: Vec<_> = scores.collect();
    assert_eq!(scores.len(), 1);
    let caption = &scores[0]
        .scene
        .iter_labels()
        .map(|label| label.text.as_str())
        .collect::<Vec<_>>()
        .join(" ");
    assert!(caption.contains("standard error, 21 cells."), "{caption}");
}

#[test]
fn what_cannot_be_drawn_is_named_with_its_reason() {
    let text = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [1, 2]\ndrm = 0\n\
        target = { kind = 'squad', morale = 7 }\n[[contest]]\nsystem = 'asl'\naction = 'fire'\n\
        fp = 2\ndrm = [0, 1]\ntarget = { kind = 'squad', morale = 7 }\n\
        [[chart]]\nkind = 'heatmap'\nx = 'fp'\ny = 'drm'\n[[chart]]\nkind = 'heatmap'\nx = 'fp'\n";
    let said: Vec<_> = charts_of(text).left_out.iter().map(|chart| chart.to_sentence()).collect();
    assert_eq!(
        said,
        [
            "Left out: heatmap of any effect: a heat map needs two axes.",
            "Left out: heatmap: no contest has all of its axes and its measure."
        ]
    );
}

#[test]
fn columns_of_tables_are_checked() {
    let text = "[[contest]]\nsystem = 'dropzone'\naction = 'shoot'\n\
        weapon = 'UCM/Sabre Tank/Avenger Railgun'\n\
        target = ['UCM/Sabre Tank', 'UCM/Legionnaires']\nsquad = [1, 2]\n\
        [[chart]]\nkind = 'heatmap'\nx_group = 'tipe'\nx_order = 'zebra'\n";
    let Err(StudyError::Input(InputError { faults, .. })) =
        Experiment::read_experiment_text(crate::built_in(), "x.toml", text)
    else {
        panic!("there are no such columns");
    };
    let said: Vec<_> = faults.iter().map(|fault| fault.fault.problem.as_str()).collect();
    assert_eq!(
        said,
        [
            "no table of these rule systems has a column `tipe`",
            "no table of these rule systems has a column `zebra`"
        ]
    );
    assert_eq!(faults[0].fault.help.as_deref(), Some("did you mean `type`?"));
    assert!(
        faults[1].fault.help.as_deref().is_some_and(|help| help.starts_with("there is accuracy, "))
    );
}

#[test]
fn pictures_are_the_same_bytes_twice_and_small() {
    let experiment = read("ift_odds.toml");
    let answers = exact(&experiment);
    for (one, other) in draw_all_charts(&experiment.charts, &answers)
        .drawings
        .iter()
        .zip(draw_all_charts(&experiment.charts, &answers).drawings)
    {
        let svg = drawing::render_scene_as_svg(&one.scene);
        assert_eq!(svg, drawing::render_scene_as_svg(&other.scene));
        assert!(svg.len() < 24_000, "{}: {}", one.name, svg.len());
    }
}
