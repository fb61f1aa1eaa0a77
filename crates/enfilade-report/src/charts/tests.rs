//! Every chart of every kind of answer: nothing clipped, nothing endless, the same bytes twice.

use super::*;
use crate::drawing::{Point, Shape, render_scene_as_svg};
use crate::test_answers;
use enfilade_model::form::Value;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::{ChartKind, ChartSpec};

const KINDS: [ChartKind; 7] = [
    ChartKind::Heatmap,
    ChartKind::Curves,
    ChartKind::Bars,
    ChartKind::Forest,
    ChartKind::AtLeast,
    ChartKind::Activations,
    ChartKind::ZScores,
];

fn build_spec(kind: ChartKind) -> ChartSpec {
    ChartSpec::of_chart_kind(kind)
}

fn draw_all_kinds(answers: &[Answer]) -> Vec<ChartDrawing> {
    draw_possible_charts(&KINDS.map(build_spec), answers)
}

/// Every text lies within the picture, and every shape within reach of it.
fn assert_within(drawing: &ChartDrawing) {
    let scene = &drawing.scene;
    for label in scene.iter_labels() {
        let (left, top, right, bottom) = label.bounding_box();
        let within = left >= 0.0 && top >= 0.0 && right <= scene.width && bottom <= scene.height;
        assert!(within, "{}: {label:?} in {} x {}", drawing.name, scene.width, scene.height);
    }
    let far = |&(x, y): &Point| x.abs() > 20_000.0 || y.abs() > 20_000.0;
    for shape in &scene.shapes {
        let points = match shape {
            Shape::Fill(a, b, _) | Shape::Frame(a, b, _) => vec![*a, *b],
            Shape::Line(points, ..) | Shape::Area(points, _) => points.clone(),
            Shape::Dot(at, ..) => vec![*at],
            Shape::Text(label) => vec![label.at],
        };
        assert!(!points.iter().any(far), "{}: {shape:?}", drawing.name);
    }
}

/// No two texts lie on each other.
fn assert_apart(drawing: &ChartDrawing) {
    let extents: Vec<_> =
        drawing.scene.iter_labels().map(|l| (l, text_layout::pixel_bounds_of_label(l))).collect();
    for (i, (a, one)) in extents.iter().enumerate() {
        for (b, other) in &extents[i + 1..] {
            let beside = one.2 <= other.0 || other.2 <= one.0;
            let above = one.3 <= other.1 || other.3 <= one.1;
            assert!(beside || above, "{}: {:?} on {:?}", drawing.name, a.text, b.text);
        }
    }
}

fn assert_sound(drawing: &ChartDrawing) {
    assert_within(drawing);
    assert_apart(drawing);
    let made = render_scene_as_svg(&drawing.scene);
    assert_eq!(made, render_scene_as_svg(&drawing.scene));
}

fn build_wide_grid(columns: i64, rows: i64) -> Vec<Answer> {
    let mut answers = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let axes = vec![("fp", Value::Int(row)), ("drm", Value::Int(column - columns / 2))];
            let mut answer =
                test_answers::squad_answer_from_36ths(axes, (row % 7) as u64, (column % 9) as u64);
            answer.cell = answers.len();
            answers.push(answer);
        }
    }
    answers
}

#[test]
fn every_kind_is_drawn_of_a_grid() {
    let drawings = draw_all_kinds(&test_answers::build_grid());
    let names: Vec<_> = drawings.iter().map(|drawing| drawing.name.as_str()).collect();
    let expected = [
        "1-heatmap-p_kill",
        "2-curves-p_kill",
        "3-bars-1",
        "4-bars-2",
        "5-bars-3",
        "6-forest-p_kill",
        "7-at-least",
        "8-activations-p_kill",
        "9-z-scores-p_kill",
    ];
    assert_eq!(names, expected);
    drawings.iter().for_each(assert_sound);
}

#[test]
fn sensible_charts_follow_the_axes() {
    let kinds = |answers: &[Answer]| -> Vec<String> {
        draw_possible_charts(&[], answers).into_iter().map(|drawing| drawing.name).collect()
    };
    assert_eq!(kinds(&test_answers::build_grid()), ["1-heatmap-p_kill"]);
    assert_eq!(kinds(&test_answers::build_single()), ["1-bars"]);
    assert_eq!(kinds(&build_wide_one_axis()), ["1-bars", "2-curves-p_kill"]);
    let mut words = build_wide_one_axis();
    for answer in &mut words {
        answer.axes[0].1 = Value::Text(format!("unit {}", answer.axes[0].1));
    }
    assert_eq!(kinds(&words), ["1-bars", "2-forest-p_kill"]);
    assert_eq!(kinds(&[]), Vec::<String>::new());
}

fn build_wide_one_axis() -> Vec<Answer> {
    let axis = |n| vec![("fp", Value::Int(n))];
    (0..5).map(|n| test_answers::squad_answer_from_36ths(axis(n), n as u64, 3)).collect()
}

#[test]
fn one_cell_and_one_value_are_drawn() {
    let mut one = build_wide_grid(1, 1);
    draw_all_kinds(&one).iter().for_each(assert_sound);
    one[0].axes.clear();
    draw_all_kinds(&one).iter().for_each(assert_sound);
    draw_all_kinds(&test_answers::build_simulated_only()).iter().for_each(assert_sound);
    draw_all_kinds(&test_answers::build_exact_only()).iter().for_each(assert_sound);
}

#[test]
fn what_is_no_number_neither_hangs_nor_panics() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 5e-324, -1.0] {
        let mut answers = test_answers::build_grid();
        for answer in &mut answers {
            for measure in &mut answer.measures {
                measure.exact = Some(bad);
                measure.simulated = measure.simulated.map(|mut estimate| {
                    (estimate.value, estimate.low, estimate.high) = (bad, -bad, bad);
                    estimate
                });
            }
            for outcome in &mut answer.outcomes {
                outcome.exact = Some(bad);
            }
            answer.unsettled = Some(bad);
        }
        for drawing in draw_all_kinds(&answers) {
            assert_within(&drawing);
            render_scene_as_svg(&drawing.scene);
        }
    }
}

#[test]
fn answers_without_outcomes_or_measures_are_passed_over() {
    let mut answers = test_answers::build_grid();
    for answer in &mut answers {
        answer.outcomes.clear();
    }
    draw_all_kinds(&answers).iter().for_each(assert_sound);
    for answer in &mut answers {
        answer.measures.clear();
    }
    assert_eq!(draw_all_kinds(&answers), []);
}

#[test]
fn large_grids_stay_within_their_pictures() {
    for (columns, rows) in [(2, 40), (40, 2), (39, 12), (60, 60), (150, 3)] {
        let answers = build_wide_grid(columns, rows);
        for drawing in draw_possible_charts(
            &[
                build_spec(ChartKind::Heatmap),
                build_spec(ChartKind::Curves),
                build_spec(ChartKind::ZScores),
            ],
            &answers,
        ) {
            assert_sound(&drawing);
            assert!(drawing.scene.width < 4000.0 && drawing.scene.height < 3000.0);
        }
    }
}

#[test]
fn a_grid_too_large_for_a_picture_is_passed_over() {
    assert_eq!(
        draw_possible_charts(&[build_spec(ChartKind::Heatmap)], &build_wide_grid(1000, 2)),
        []
    );
}

#[test]
fn long_names_are_cut_short() {
    let mut answers = test_answers::build_grid();
    for (i, answer) in answers.iter_mut().enumerate() {
        answer.name = "a very long name of a contest, such as only a file can have ".repeat(4);
        let name = format!(
            "{} battle group, elite, second echelon, with everything {}",
            i / 3,
            "x".repeat(90)
        );
        answer.axes[0].1 = Value::Text(name);
    }
    draw_all_kinds(&answers).iter().for_each(assert_sound);
}

#[test]
fn a_chart_without_its_axis_or_measure_is_passed_over() {
    let lacking = [
        ChartSpec { x: Some("range".into()), ..build_spec(ChartKind::Curves) },
        ChartSpec { measure: Some("p_rout".into()), ..build_spec(ChartKind::Forest) },
    ];
    assert_eq!(draw_possible_charts(&lacking, &test_answers::build_grid()), []);
}

#[test]
fn captions_say_how_the_numbers_were_made() {
    let said = |answers: &[Answer]| -> String {
        let drawings = draw_possible_charts(&[build_spec(ChartKind::Bars)], answers);
        let labels = drawings[0].scene.iter_labels();
        labels.map(|label| label.text.as_str()).collect::<Vec<_>>().join(" ")
    };
    assert!(
        said(&test_answers::build_single())
            .contains("Exact values. The simulation agrees: N = 1 000 000 trials")
    );
    assert!(
        said(&test_answers::build_simulated_only()).contains("Simulated values, N = 2 000 trials")
    );
    assert!(said(&test_answers::build_exact_only()).contains("nothing was simulated"));
}

/// Names of contests and of values, and titles, in every kind: only elements of this program.
#[test]
fn texts_from_files_are_no_markup() {
    let evil = "<script>alert(1)</script>\u{1b}[31m\" onload='x' ]]>&lt;";
    let mut answers = test_answers::build_grid();
    for (i, answer) in answers.iter_mut().enumerate() {
        answer.name = evil.into();
        answer.axes[0].1 = Value::Text(format!("{evil}{}", i / 3));
    }
    let mut specs = KINDS.map(build_spec);
    specs[0].title = Some(evil.into());
    let drawings = draw_possible_charts(&specs, &answers);
    assert_eq!(drawings.len(), 9);
    for drawing in drawings {
        let made = render_scene_as_svg(&drawing.scene);
        assert!(!made.contains('\u{1b}'), "{}", drawing.name);
        for part in made.split('<').skip(1) {
            let known = ["svg ", "/svg>", "path ", "circle ", "text ", "/text>"];
            assert!(known.iter().any(|tag| part.starts_with(tag)), "{}: <{part}", drawing.name);
            let (tag, _) = part.split_once('>').expect("every element is closed");
            assert!(!tag.contains("onload"), "{}: <{part}", drawing.name);
        }
    }
}
