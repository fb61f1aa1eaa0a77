//! Probes of a rule in a text file with all its large numbers reduced together, in fields or in the
//! rule.

use super::growth_curve::SizeGrowthCurve;
use super::{
    CostForecast, ForecastProbeCost, ForecastProbes, GraphOrFrontier, find_widest_variable,
};
use crate::experiment::GridCell;

/// Largest number of the smallest contest that is tried.
const SMALLEST_PROBE_LIMIT: f64 = 20.0;

/// Ratio of consecutive probes.
const PROBE_SIZE_RATIO: f64 = 1.25;

/// Ratios of the largest probe to those with which it is compared.
const COMPARED_PROBE_RATIOS: [f64; 2] = [2.2, 1.5];

/// Forecasts a contest whose rule has large numbers.
pub(super) fn forecast_by_scale(
    cell: &GridCell,
    tests: &mut ForecastProbes<'_>,
) -> Option<CostForecast> {
    let combat = &cell.played.combat;
    let most = combat.largest_rule_number()? as f64;
    let mut sizes: Vec<(f64, ForecastProbeCost)> = Vec::new();
    let mut at = SMALLEST_PROBE_LIMIT.min(most);
    while let Some(smaller) = combat.scale_numbers_down(at / most) {
        let Some(size) =
            tests.probe_contest(&smaller).filter(|_| smaller.recorded_rule_fault().is_none())
        else {
            break;
        };
        sizes.push((at, size));
        if at >= most {
            break;
        }
        at = (at * PROBE_SIZE_RATIO).round().min(most);
    }
    let (at, last) = sizes.last()?;
    let back = COMPARED_PROBE_RATIOS.map(|times| {
        let wanted = at / times;
        let apart = |other: f64| (other / wanted).ln().abs();
        sizes.iter().min_by(|a, b| apart(a.0).total_cmp(&apart(b.0)))
    });
    let curve = |of: usize| match back {
        [Some((first, lower)), Some((second, low))] if first < second && second < at => {
            let sizes = [lower, low, last].map(|size| Some(size.numbers[of]));
            SizeGrowthCurve::fit_to_three_sizes([*first, *second, *at], sizes)
        }
        // On a busy machine there may be no more than two of them, or one: a graph mostly has as
        // many states as the number.
        _ => match sizes.as_slice() {
            [.., (near, low), _] => {
                let sizes = [None, Some(low.numbers[of]), Some(last.numbers[of])];
                SizeGrowthCurve::fit_to_three_sizes([*near, *near, *at], sizes)
            }
            _ => (tests.engine == GraphOrFrontier::Graph)
                .then_some(SizeGrowthCurve::PROPORTIONAL_GROWTH),
        },
    };
    if *at < most {
        curve(0)?;
    }
    let factor = |of: usize| match *at < most {
        true => curve(of).map_or(1.0, |curve| curve.growth_factor(*at, most)),
        false => 1.0,
    };
    let small = combat.scale_numbers_down(at / most)?;
    let forecast = tests.extrapolate_cost(&small, last, [0, 1, 2].map(factor), Vec::new());
    Some(CostForecast { part: find_widest_variable(cell, &small, last), ..forecast })
}
