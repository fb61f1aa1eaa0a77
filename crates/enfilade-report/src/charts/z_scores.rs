//! Deviation of the simulation from the exact distribution, cell by cell, in standard deviations,
//! and its range by chance.

use super::axis_scale::{AxisScale, viridis_color};
use super::chart_plan::ResolvedChartSpec;
use super::plot_frame::{self, ChartTitleAndCaption, PlotArea};
use super::scatter::FIT_BAND_COLOR;
use super::text_layout;
use crate::drawing::{HorizontalTextAnchor, RgbColor, Scene};
use enfilade_stats::agreement::compute_z_score;
use enfilade_stats::intervals::ConfidenceLevel;
use enfilade_study::answer::Answer;

/// The number of cells above which they are counted in bins.
const MAX_SINGLE_DOTS: usize = 600;

/// The expected number of hits or misses below which z is not nearly normal.
const MIN_EXPECTED_FOR_Z: f64 = 9.0;

/// Width and height of the area in pixels.
const AREA_WIDTH_AND_HEIGHT: (i32, i32) = (620, 320);

/// The scores of the cells that have both distributions.
struct AgreementZScores {
    /// The scores in the order of the file.
    z: Vec<f64>,
    /// Cells that were simulated and whose counts are too small for a score.
    small: usize,
}

/// Draws the scores of the plan's measure.
///
/// # Errors
/// A sentence, if nothing can be compared.
pub fn draw_z_scores(
    plan: &ResolvedChartSpec<'_>,
    words: &ChartTitleAndCaption,
) -> Result<Scene, String> {
    if !plan.measure.kind.is_shown_in_percent() {
        return Err("z-scores are of probabilities".to_owned());
    }
    let scores = AgreementZScores::from_measure_of_cells(&plan.cells, &plan.measure.name);
    if scores.z.is_empty() {
        return Err("no cell has both an exact and a simulated value".to_owned());
    }
    let words = words.with_title_and_caption_added("", &scores.describe_agreement());
    if scores.z.len() > MAX_SINGLE_DOTS {
        Ok(draw_binned_scores(&scores, &words))
    } else {
        Ok(draw_dot_per_score(&scores, &words))
    }
}

impl AgreementZScores {
    fn from_measure_of_cells(cells: &[&Answer], measure: &str) -> AgreementZScores {
        let mut scores = AgreementZScores { z: Vec::new(), small: 0 };
        for cell in cells {
            let Some(found) = cell.measure_answer_by_name(measure) else {
                continue;
            };
            let (Some(p), Some(simulated)) = (found.exact, found.simulated) else {
                continue;
            };
            let n = cell.trials as f64;
            if n * p.min(1.0 - p) >= MIN_EXPECTED_FOR_Z && simulated.value.is_finite() {
                let hits = (simulated.value * n).round() as u64;
                scores.z.push(compute_z_score(hits, cell.trials, p));
            } else {
                scores.small += 1;
            }
        }
        scores
    }

    /// Returns the distance within which all of them are in 95 % of runs: each within a share of
    /// 0.95^(1/n).
    fn all_scores_bound_95_percent(&self) -> f64 {
        let missing = -(0.95f64.ln() / self.z.len() as f64).exp_m1();
        ConfidenceLevel::for_miss_probability(missing)
            .map_or(f64::NAN, ConfidenceLevel::normal_quantile)
    }

    /// Returns the number of bins on each side of 0, at least up to `far`, and the scores in each
    /// bin; scores beyond 12 are in the last.
    fn count_scores_in_bins(&self, far: f64) -> (i32, Vec<usize>) {
        let most = self.z.iter().fold(far, |most: f64, z| most.max(z.abs().min(12.0)));
        let half = (most / SCORE_BIN_WIDTH).ceil() as i32;
        let mut counts = vec![0; 2 * half as usize];
        for z in &self.z {
            let bin = (z / SCORE_BIN_WIDTH).floor();
            let bin = bin.clamp(f64::from(-half), f64::from(half - 1)) as i32 + half;
            counts[bin as usize] += 1;
        }
        (half, counts)
    }

    fn describe_agreement(&self) -> String {
        let outside = self.z.iter().filter(|z| z.abs() > 1.96).count();
        let expected = 0.05 * self.z.len() as f64;
        let small = match self.small {
            0 => String::new(),
            count => {
                format!(" {count} cells with fewer than 9 expected hits or misses are left out.")
            }
        };
        format!(
            "z = (simulated − exact) ÷ standard error, {} cells. If the engines agree, 95 % lie within the band \
             of ±1.96 ({outside} lie outside, {expected:.1} are expected), and in 95 % of runs all lie within ±{:.2}.{small}",
            self.z.len(),
            self.all_scores_bound_95_percent()
        )
    }
}

fn title_of_y_axis() -> &'static str {
    "z, standard errors"
}

/// Draws one dot per cell, in the order of the file.
fn draw_dot_per_score(scores: &AgreementZScores, words: &ChartTitleAndCaption) -> Scene {
    let far = scores.all_scores_bound_95_percent();
    let ends = scores.z.iter().copied().chain([-far, far]);
    let up = AxisScale::with_round_ends(ends, 0.0);
    let count = scores.z.len() as f64;
    let across = AxisScale::with_round_ends([count].into_iter(), 0.0);
    let (mut scene, area) = new_score_plot_page(words, &up);
    let y = |z: f64| up.pixel_of(z, area.bottom, area.top);
    scene.fill_rectangle((area.left, y(1.96)), (area.right, y(-1.96)), FIT_BAND_COLOR);
    plot_frame::draw_y_axis(&mut scene, area, &up, title_of_y_axis());
    for end in [-far, far] {
        let line = [(area.left, y(end)), (area.right, y(end))];
        scene.draw_dashed_polyline(&line, &[5.0, 4.0], RgbColor::CAPTION_GREY, 1);
    }
    scene.draw_polyline(
        vec![(area.left, y(0.0)), (area.right, y(0.0))],
        RgbColor::TEXT_AND_AXIS_BLACK,
        1,
    );
    plot_frame::draw_x_axis(&mut scene, area, &across, "cell, in the order of the file");
    for (place, &z) in scores.z.iter().enumerate() {
        let x = across.pixel_of(place as f64 + 0.5, area.left, area.right);
        let ink = if z.abs() > far { RgbColor::TEXT_AND_AXIS_BLACK } else { viridis_color(0.6) };
        let radius = if count > 150.0 { 2 } else { 3 };
        scene.draw_dot((x, y(z)), radius, ink);
        // Scores beyond the range of floating point are at the end of the scale, and named.
        if !z.is_finite() {
            let at = (x, y(z) + if z > 0.0 { 14 } else { -14 });
            scene.add_text(text_layout::new_small_label("∞", at, HorizontalTextAnchor::Middle));
        }
    }
    scene
}

fn new_score_plot_page(words: &ChartTitleAndCaption, up: &AxisScale) -> (Scene, PlotArea) {
    plot_frame::new_page_with_area(
        words,
        AREA_WIDTH_AND_HEIGHT,
        [plot_frame::width_of_y_axis_labels(up), 6, 24, 54],
    )
}

/// Width of a bin.
const SCORE_BIN_WIDTH: f64 = 0.25;

/// Draws the number of cells in each bin as bars, and the expected curve.
fn draw_binned_scores(scores: &AgreementZScores, words: &ChartTitleAndCaption) -> Scene {
    let far = scores.all_scores_bound_95_percent();
    let (half, counts) = scores.count_scores_in_bins(far);
    let n = scores.z.len() as f64;
    // The expected number in a bin: the height of the normal density times its width.
    let density =
        |z: f64| n * SCORE_BIN_WIDTH * (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let tallest = counts.iter().map(|&count| count as f64);
    let up = AxisScale::with_round_ends(tallest.chain([density(0.0)]), 0.0);
    let reach = f64::from(half) * SCORE_BIN_WIDTH;
    let across = AxisScale::with_round_ends([-reach, reach].into_iter(), 0.0);
    let (mut scene, area) = new_score_plot_page(words, &up);
    let x = |z: f64| across.pixel_of(z, area.left, area.right);
    let y = |count: f64| up.pixel_of(count, area.bottom, area.top);
    scene.fill_rectangle((x(-1.96), area.top), (x(1.96), area.bottom), FIT_BAND_COLOR);
    plot_frame::draw_y_axis(&mut scene, area, &up, "cells in a bin of 0.25");
    for (bin, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let z = f64::from(bin as i32 - half) * SCORE_BIN_WIDTH;
        scene.fill_rectangle(
            (x(z) + 1, y(count as f64)),
            (x(z + SCORE_BIN_WIDTH), area.bottom),
            viridis_color(0.5),
        );
    }
    let curve = (-100..=100).map(|i| reach * f64::from(i) / 100.0);
    scene.draw_polyline(
        curve.map(|z| (x(z), y(density(z)))).collect(),
        RgbColor::TEXT_AND_AXIS_BLACK,
        2,
    );
    for end in [-far, far] {
        scene.draw_dashed_polyline(
            &[(x(end), area.top), (x(end), area.bottom)],
            &[5.0, 4.0],
            RgbColor::CAPTION_GREY,
            1,
        );
    }
    plot_frame::draw_x_axis(&mut scene, area, &across, "z, standard errors; curve: expected");
    scene
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    /// Two independent scores: each within 0.95^(1/2) = 0.974679, two-sided, so 2.2365 (mpmath
    /// `erfinv`). One alone: 1.9600.
    #[test]
    fn the_band_of_all_widens_with_their_number() {
        let of = |count| {
            AgreementZScores { z: vec![0.0; count], small: 0 }.all_scores_bound_95_percent()
        };
        assert!((of(1) - 1.959_964).abs() < 1e-5, "{}", of(1));
        assert!((of(2) - 2.236_477).abs() < 1e-5, "{}", of(2));
        assert!(of(40_000) > 4.5 && of(40_000) < 5.5);
    }

    /// 4 of 36 and a million trials: the counts are rounded down, so z is within 0 and −0.01; a
    /// cell that never happens has no score.
    #[test]
    fn scores_are_of_what_can_vary() {
        let mut answers = test_answers::build_single();
        answers.push(test_answers::squad_answer_from_36ths(Vec::new(), 0, 3));
        let cells: Vec<_> = answers.iter().collect();
        let scores = AgreementZScores::from_measure_of_cells(&cells, "p_kill");
        assert_eq!((scores.z.len(), scores.small), (1, 1));
        assert!((-0.01..=0.0).contains(&scores.z[0]), "{}", scores.z[0]);
    }
}
