//! Every generic kind with every kind of number that is hard to draw: one point, all equal,
//! nothing, infinite, not a number, huge, tiny, negative; and with long names and many of them.

use super::axis_scale::AxisScale;
use super::heatmap::{HeatMap, NamesAlongHeatMapSide};
use super::interval_rows::{ForestPlot, ForestPlotRow};
use super::line_chart::{CurveSeries, HorizontalAxisKind, LineChart};
use super::markers::{IntervalAroundValue, MarkerShape};
use super::scatter::{ScatterPlot, ScatterPlotPoint};
use super::*;
use crate::drawing::{PictureFormat, Point as Place, Scene, Shape, render_scene_as_svg};

const HARD_VALUES: [&[f64]; 12] = [
    &[],
    &[0.0],
    &[1.0, 1.0, 1.0],
    &[f64::NAN],
    &[f64::INFINITY, f64::NEG_INFINITY],
    &[f64::MAX, f64::MIN],
    &[5e-324, 1e-300],
    &[-1.0, -2.0],
    &[1.0, f64::NAN, 2.0],
    &[1e14, 1e14 + 1.0],
    &[0.3, 7.0, 285.0],
    &[-1e-9, 1e9],
];

fn build_texts() -> ChartTitleAndCaption {
    ChartTitleAndCaption {
        title: "a title that is rather long for a picture of this size, and goes on".into(),
        subtitle: "what is measured".into(),
        caption: "Exact values; nothing was simulated.".into(),
    }
}

/// Nothing clipped, nothing far away, drawn as SVG and PNG.
fn assert_sound(scene: &Scene, what: &str) {
    for label in scene.iter_labels() {
        let (left, top, right, bottom) = label.bounding_box();
        let within = left >= 0.0 && top >= 0.0 && right <= scene.width && bottom <= scene.height;
        assert!(within, "{what}: {label:?} in {} x {}", scene.width, scene.height);
    }
    let far = |&(x, y): &Place| x.abs() > 20_000.0 || y.abs() > 20_000.0;
    for shape in &scene.shapes {
        let far = match shape {
            Shape::Fill(a, b, _) | Shape::Frame(a, b, _) => far(a) || far(b),
            Shape::Line(points, ..) | Shape::Area(points, _) => points.iter().any(far),
            Shape::Dot(at, ..) => far(at),
            Shape::Text(label) => far(&label.at),
        };
        assert!(!far, "{what}: {shape:?}");
    }
    render_scene_as_svg(scene);
    let png = PictureFormat::format_for_extension("png").expect("it is built in");
    if png.is_in_this_build() {
        png.encode_pages("", std::slice::from_ref(scene)).expect("drawn");
    }
}

/// No two texts lie on each other.
fn assert_apart(scene: &Scene) {
    let extents: Vec<_> = scene
        .iter_labels()
        .map(|label| (label, text_layout::pixel_bounds_of_label(label)))
        .collect();
    for (i, (a, one)) in extents.iter().enumerate() {
        for (b, other) in &extents[i + 1..] {
            let beside = one.2 <= other.0 || other.2 <= one.0;
            let above = one.3 <= other.1 || other.3 <= one.1;
            assert!(beside || above, "{:?} on {:?}", a.text, b.text);
        }
    }
}

fn check_drawing(drawn: Result<Scene, String>, finite: bool, what: &str) {
    match drawn {
        Ok(scene) => assert_sound(&scene, what),
        Err(why) => assert!(!finite && !why.is_empty(), "{what}: {why}"),
    }
}

fn are_finite(values: &[f64]) -> bool {
    values.iter().any(|value| value.is_finite())
}

fn number_name(place: usize) -> String {
    format!("{place} battle group, elite, second echelon {}", "x".repeat(80))
}

#[test]
fn forests_are_drawn() {
    for values in HARD_VALUES {
        for (from_zero, factors) in [(false, false), (true, false), (false, true)] {
            let row = |(place, &value): (usize, &f64)| ForestPlotRow {
                name: number_name(place),
                marks: vec![
                    (
                        MarkerShape::Dot,
                        IntervalAroundValue::from_value_and_ends(value, -value, value),
                    ),
                    (MarkerShape::Diamond, IntervalAroundValue::from_exact_value(value)),
                ],
                text: "1.0 to 9.9".into(),
                ..ForestPlotRow::default()
            };
            let forest = ForestPlot {
                rows: values.iter().enumerate().map(row).collect(),
                axis_title: "points denied".into(),
                text_head: "rank".into(),
                series: vec![
                    (MarkerShape::Dot, "uniform".into()),
                    (MarkerShape::Diamond, "weighted".into()),
                ],
                reference: values.first().copied(),
                from_zero,
                factors,
            };
            check_drawing(forest.clone().draw_forest(&build_texts()), are_finite(values), "forest");
            check_drawing(
                forest.with_rows_by_falling_mark().draw_forest(&build_texts()),
                are_finite(values),
                "caterpillar",
            );
        }
    }
}

#[test]
fn a_caterpillar_is_in_order() {
    let row = |name: &str, value| ForestPlotRow {
        name: name.into(),
        marks: vec![(MarkerShape::Dot, IntervalAroundValue::from_exact_value(value))],
        ..ForestPlotRow::default()
    };
    let rows = vec![row("low", 1.0), row("high", 3.0), row("lost", f64::NAN), row("middle", 2.0)];
    let forest = ForestPlot { rows, ..ForestPlot::default() };
    let scene =
        forest.with_rows_by_falling_mark().draw_forest(&build_texts()).expect("there are values");
    let height =
        |name: &str| scene.iter_labels().find(|label| label.text == name).map(|label| label.at.1);
    assert!(height("high") < height("middle") && height("middle") < height("low"));
    assert_eq!(height("lost"), None);
}

#[test]
fn scatters_are_drawn() {
    for values in HARD_VALUES {
        for factors in [(false, false), (true, true), (true, false)] {
            let point = |(place, &y): (usize, &f64)| ScatterPlotPoint {
                name: number_name(place),
                x: y,
                y: -y,
                interval: Some((-y - 1.0, -y + 1.0)),
                weight: y,
            };
            let scatter = ScatterPlot {
                points: values.iter().enumerate().map(point).collect(),
                curve: values.iter().map(|&x| (x, x)).collect(),
                band: values.iter().map(|&x| (x, x - 1.0, x + 1.0)).collect(),
                x_title: "price, points".into(),
                y_title: "value, points denied".into(),
                factors,
            };
            check_drawing(scatter.draw_scatter_plot(&build_texts()), are_finite(values), "scatter");
        }
    }
}

/// 120 points in a small place: not every label finds room, none lies on another, and the caption
/// counts the missing ones.
#[test]
fn labels_of_a_crowd_stay_apart() {
    let point = |i: usize| ScatterPlotPoint {
        name: format!("weapon {i}"),
        x: 50.0 + (i * 7 % 40) as f64,
        y: 50.0 + (i * 11 % 30) as f64,
        interval: None,
        weight: i as f64,
    };
    let scatter = ScatterPlot {
        points: (0..120).map(point).collect(),
        x_title: "price".into(),
        y_title: "value".into(),
        ..ScatterPlot::default()
    };
    let scene = scatter.draw_scatter_plot(&build_texts()).expect("there are points");
    assert_sound(&scene, "crowd");
    assert_apart(&scene);
    let shown = scene.iter_labels().filter(|label| label.text.starts_with("weapon ")).count();
    assert!((15..120).contains(&shown), "{shown}");
    let said = format!("{} of 120 points have no room for a name.", 120 - shown);
    let texts: Vec<_> = scene.iter_labels().map(|label| label.text.as_str()).collect();
    assert!(texts.join(" ").contains(&said), "{said}");
    // The point with the largest weight is labelled.
    assert!(texts.contains(&"weapon 119"));
}

#[test]
fn lines_are_drawn() {
    for values in HARD_VALUES {
        let series = |place: usize| CurveSeries {
            name: number_name(place),
            note: ": 12".into(),
            points: values.iter().map(|&y| (y, y)).collect(),
            marks: values
                .iter()
                .map(|&y| (y, IntervalAroundValue::from_value_and_ends(y, y - 1.0, y + 1.0)))
                .collect(),
            band: values.iter().map(|&y| (y, y - 1.0, y + 1.0)).collect(),
            ..CurveSeries::default()
        };
        let scale = AxisScale::with_round_ends(values.iter().copied(), 0.0);
        let across = [
            HorizontalAxisKind::Numbers(scale),
            HorizontalAxisKind::Numbers(AxisScale::logarithmic(values.iter().copied())),
            HorizontalAxisKind::Words((0..values.len()).map(number_name).collect()),
        ];
        for across in across {
            let lines = LineChart {
                series: (0..9).map(series).collect(),
                across,
                x_title: "range".into(),
                up: scale,
                y_title: "p_kill, %".into(),
                legend: "weapon".into(),
                level: Some((0.5, "one half".into())),
            };
            check_drawing(lines.draw_line_chart(&build_texts()), are_finite(values), "lines");
        }
    }
}

#[test]
fn heat_maps_are_drawn() {
    for values in HARD_VALUES {
        for middle in [None, Some(0.0), Some(100.0)] {
            for texts in [false, true] {
                let map = HeatMap {
                    columns: NamesAlongHeatMapSide::new(
                        "range",
                        (0..values.len()).map(number_name).collect(),
                    ),
                    rows: NamesAlongHeatMapSide::new("weapon", vec![number_name(7)]),
                    values: values.iter().map(|&value| Some(value)).collect(),
                    texts: values
                        .iter()
                        .filter(|_| texts)
                        .map(|value| format!("{value:.1e}"))
                        .collect(),
                    among: Vec::new(),
                    middle,
                    color_title: "p_kill, %".into(),
                };
                check_drawing(map.draw_heat_map(&build_texts()), !values.is_empty(), "heat map");
            }
        }
    }
}
