//! Figures of what is tallied, by outcome: means and deviations under a condition, quantiles,
//! chances.
//!
//! Means and deviations come from the sums of powers by ending. A quantile and a chance need the
//! distribution of the tally, layer by layer, which is computed once for each counter.

use super::tally_layers::{TallyAndEndingDistribution, solve_tally_layers, tally_powers_by_ending};
use crate::cancel::CancelToken;
use crate::exact::approximation::{Approximation, COMPUTED_RELATIVE_ERROR};
use crate::graph::DieGraph;
use enfilade_model::combat::{MeasureHead, MeasureKind, TallyFigure};

/// Computes the figures of tallies that `heads` ask for; `law` has the probabilities by ending.
///
/// A figure is left out if its condition is never met, if its value lies beyond the last layer, or
/// if `halt` was cancelled.
pub fn tally_figures<'h>(
    graph: &DieGraph,
    heads: impl Iterator<Item = &'h MeasureHead>,
    law: &[f64],
    halt: &CancelToken,
) -> Vec<(usize, Approximation)> {
    let mut tallies =
        TallyFigureSolver { graph, law, halt, powers: Vec::new(), layers: Vec::new() };
    let figure = |(index, head): (usize, &MeasureHead)| match head.kind {
        MeasureKind::Tallied(counter, figure) => {
            Some((index, tallies.compute_figure(index, head, counter, figure)?))
        }
        _ => None,
    };
    heads.enumerate().filter_map(figure).collect()
}

struct TallyFigureSolver<'a> {
    graph: &'a DieGraph,
    law: &'a [f64],
    halt: &'a CancelToken,
    powers: Vec<(u8, Option<Vec<[f64; 5]>>)>,
    layers: Vec<(u8, Option<TallyAndEndingDistribution>)>,
}

impl TallyFigureSolver<'_> {
    fn compute_figure(
        &mut self,
        index: usize,
        head: &MeasureHead,
        counter: u8,
        figure: TallyFigure,
    ) -> Option<Approximation> {
        let endings = self.graph.endings();
        let weight = |ending: usize| endings[ending].weights[index];
        let counts = |ending: usize| head.includes_weight(weight(ending));
        let inside = self.law.iter().enumerate().filter(|(ending, _)| counts(*ending));
        let all: f64 = inside.map(|(_, p)| p).sum();
        if all <= 0.0 {
            return None;
        }
        match figure {
            TallyFigure::Mean | TallyFigure::Deviation => {
                let powers = self.powers_by_ending(counter)?;
                let sum = |power: usize| {
                    let inside = powers.iter().enumerate().filter(|(ending, _)| counts(*ending));
                    inside.map(|(_, powers)| powers[power]).sum::<f64>() / all
                };
                let (mean, square) = (sum(1), sum(2));
                let variance = (square - mean * mean).max(0.0);
                let value = if figure == TallyFigure::Mean { mean } else { variance.sqrt() };
                Some(Approximation::new(value, 2.0 * COMPUTED_RELATIVE_ERROR * square.sqrt()))
            }
            TallyFigure::Quantile(share) => {
                // What never ends exceeds every number, unless a condition leaves it out.
                let whole = if head.is_conditional() { all } else { 1.0 };
                let share = share.to_f64() * whole / all;
                if share > 1.0 {
                    return None;
                }
                let quantile =
                    self.cached_tally_layers(counter)?.quantile_of_tally(share, counts, all)?;
                Some(Approximation::new(quantile as f64, 0.0))
            }
            TallyFigure::AtMost | TallyFigure::MoreThan | TallyFigure::Exactly => {
                let whole = if head.is_conditional() { all } else { 1.0 };
                let law = self.law;
                let layers = self.cached_tally_layers(counter)?;
                let chance = |ending: usize| {
                    layers.chance_of_ending_with_figure(ending, weight(ending), law, figure)
                };
                let parts = (0..endings.len()).filter(|ending| counts(*ending)).map(chance);
                let value = parts.sum::<Option<f64>>()? / whole;
                Some(Approximation::new(
                    value,
                    2.0 * COMPUTED_RELATIVE_ERROR * value + 1e-12 / whole,
                ))
            }
        }
    }

    fn powers_by_ending(&mut self, counter: u8) -> Option<&[[f64; 5]]> {
        let known = self.powers.iter().position(|(known, _)| *known == counter);
        let place = known.unwrap_or_else(|| {
            let powers = tally_powers_by_ending(self.graph, counter, self.halt);
            self.powers.push((counter, powers.or_else(|| self.powers_if_never_tallied(counter))));
            self.powers.len() - 1
        });
        self.powers[place].1.as_deref()
    }

    /// The powers of a tally that nothing adds to.
    fn powers_if_never_tallied(&self, counter: u8) -> Option<Vec<[f64; 5]>> {
        let mut tolls = self.graph.tally_node_amounts().iter();
        let is_used = self.graph.copied_part_and_sums().is_some()
            || tolls.any(|tally| tally.counter == counter);
        (!is_used).then(|| self.law.iter().map(|p| [*p, 0.0, 0.0, 0.0, 0.0]).collect())
    }

    fn cached_tally_layers(&mut self, counter: u8) -> Option<&TallyAndEndingDistribution> {
        let known = self.layers.iter().position(|(known, _)| *known == counter);
        let place = known.unwrap_or_else(|| {
            self.layers.push((counter, solve_tally_layers(self.graph, counter, self.halt)));
            self.layers.len() - 1
        });
        self.layers[place].1.as_ref()
    }
}

impl TallyAndEndingDistribution {
    /// The probability of an ending with a tally of at most, more than or exactly `number`; `None`
    /// where the layers do not go so far.
    fn chance_of_ending_with_figure(
        &self,
        ending: usize,
        number: i32,
        law: &[f64],
        figure: TallyFigure,
    ) -> Option<f64> {
        let up_to = |number: i32| match usize::try_from(number) {
            Ok(number) => self.probability_of_tally_at_most(number, |other| other == ending),
            Err(_) => Some(0.0),
        };
        match figure {
            _ if law[ending] == 0.0 => Some(0.0),
            TallyFigure::MoreThan if number == i32::MAX => Some(0.0),
            TallyFigure::MoreThan => Some((law[ending] - up_to(number)?).max(0.0)),
            TallyFigure::Exactly => Some(up_to(number)? - up_to(number.saturating_sub(1))?),
            _ => up_to(number),
        }
    }
}
