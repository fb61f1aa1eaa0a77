//! Probes of a rule in a text file with all its large numbers reduced together, in fields or in the
//! rule.

use super::curve::Curve;
use super::{Engine, Forecast, Size, Tests, part};
use crate::experiment::Cell;

/// Largest number of the smallest contest that is tried.
const LEAST: f64 = 20.0;

/// Ratio of consecutive probes.
const STEP: f64 = 1.25;

/// Ratios of the largest probe to those with which it is compared.
const BACK: [f64; 2] = [2.2, 1.5];

/// Forecasts a contest whose rule has large numbers.
pub(super) fn forecast(cell: &Cell, tests: &mut Tests<'_>) -> Option<Forecast> {
    let combat = &cell.played.combat;
    let most = combat.largest()? as f64;
    let mut sizes: Vec<(f64, Size)> = Vec::new();
    let mut at = LEAST.min(most);
    while let Some(smaller) = combat.smaller(at / most) {
        let Some(size) = tests.size(&smaller).filter(|_| smaller.fault().is_none()) else { break };
        sizes.push((at, size));
        if at >= most {
            break;
        }
        at = (at * STEP).round().min(most);
    }
    let (at, last) = sizes.last()?;
    let back = BACK.map(|times| {
        let wanted = at / times;
        let apart = |other: f64| (other / wanted).ln().abs();
        sizes.iter().min_by(|a, b| apart(a.0).total_cmp(&apart(b.0)))
    });
    let curve = |of: usize| match back {
        [Some((first, lower)), Some((second, low))] if first < second && second < at => {
            let sizes = [lower, low, last].map(|size| Some(size.numbers[of]));
            Curve::through([*first, *second, *at], sizes)
        }
        // On a busy machine there may be no more than two of them, or one: a graph mostly has as
        // many states as the number.
        _ => match sizes.as_slice() {
            [.., (near, low), _] => {
                let sizes = [None, Some(low.numbers[of]), Some(last.numbers[of])];
                Curve::through([*near, *near, *at], sizes)
            }
            _ => (tests.engine == Engine::Graph).then_some(Curve::LINE),
        },
    };
    if *at < most {
        curve(0)?;
    }
    let factor = |of: usize| match *at < most {
        true => curve(of).map_or(1.0, |curve| curve.between(*at, most)),
        false => 1.0,
    };
    let small = combat.smaller(at / most)?;
    let told = tests.forecast(&small, last, [0, 1, 2].map(factor), Vec::new());
    Some(Forecast { part: part(cell, &small, last), ..told })
}
