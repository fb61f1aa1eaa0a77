//! What is known of a weapon's worth beside that of others: levels of scenarios, spreads, effects.
//!
//! All of it is learned from a pool: the weapons that have a price, and the weapon itself. So it
//! is the same whether that weapon has a price or not, and no price enters any number here: what a
//! scenario gives all weapons is the median over the pool of log worth there less mixed log worth.
//! A candidate is in no pool but its own.

use super::mixes::mean;
use super::spread::{Levels, Nest, Spread, spread};
use super::worth::{Table, Worths, logs};
use crate::evidence::Model;
use enfilade_stats::line::median;

/// Change of the log worth at the low and the high end of an assumption.
pub type Ends = (f64, f64);

/// Mean square of the change over an assumption that is as likely anywhere in its range, when the
/// change grows evenly from the default to either end.
///
/// ```
/// use enfilade_pricing::price::pool::square;
/// assert!((square((-0.3, 0.3)) - 0.03).abs() < 1e-15);
/// ```
pub fn square((low, high): Ends) -> f64 {
    (low * low + high * high) / 6.0
}

/// How sure a mixed log worth is.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Variances by level.
    pub levels: Levels,
    /// Their degrees of freedom.
    pub df: f64,
    /// Change by each assumption.
    pub effects: Vec<Ends>,
}

/// A weapon as its pool shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Log worths by scenario, without what all weapons gain there.
    pub row: Vec<f64>,
    /// How sure the mixed worth is in points of the reference troops.
    pub alone: Known,
    /// How sure it is beside the other weapons: what moves all alike is taken out.
    pub beside: Known,
}

/// All weapons and how they are mixed.
#[derive(Debug)]
pub struct Ground<'a> {
    worths: &'a Worths,
    nest: &'a Nest,
    mix: &'a [f64],
    /// Log worths, `[weapon][scenario]`.
    pub logs: Vec<Vec<f64>>,
    /// Mixed log worths.
    pub mixed: Vec<f64>,
    /// Change of each mixed log worth by each assumption, `[assumption][weapon]`.
    changes: Vec<Vec<Ends>>,
}

impl<'a> Ground<'a> {
    /// The worths under the mix of `nest`.
    pub fn new(
        worths: &'a Worths,
        nest: &'a Nest,
        mix: &'a [f64],
        assumptions: usize,
    ) -> Ground<'a> {
        let logs = logs(worths.default());
        let mixed: Vec<f64> = logs.iter().map(|row| mean(row, mix)).collect();
        let moved = |model: Model| -> Vec<f64> {
            let table: Option<&Table> = worths.by_model.get(&model);
            let row = |(w, default): (usize, &f64)| {
                table.map_or(0.0, |table| {
                    let each = table[w].iter().zip(mix);
                    each.map(|(worth, share)| worth.log * share).sum::<f64>() - default
                })
            };
            mixed.iter().enumerate().map(row).collect()
        };
        let changes = (0..assumptions).map(|i| {
            let (low, high) = (moved(Model::Low(i)), moved(Model::High(i)));
            low.into_iter().zip(high).collect()
        });
        Ground { worths, nest, mix, changes: changes.collect(), mixed, logs }
    }

    /// Every weapon as it is seen by the weapons of `priced`, which are in order, and itself.
    pub fn seen(&self, priced: &[usize]) -> Vec<Seen> {
        let of_priced = self.pool(priced);
        let one = |w: usize| match priced.binary_search(&w) {
            Ok(place) => of_priced[place].clone(),
            Err(place) => {
                let mut pool = priced.to_vec();
                pool.insert(place, w);
                self.pool(&pool).swap_remove(place)
            }
        };
        (0..self.logs.len()).map(one).collect()
    }

    /// What the weapons of a pool look like beside each other.
    fn pool(&self, pool: &[usize]) -> Vec<Seen> {
        let rows: Vec<Vec<f64>> = pool.iter().map(|&w| self.logs[w].clone()).collect();
        let levels = self.levels(pool);
        let centred = |row: &Vec<f64>| row.iter().zip(&levels).map(|(log, l)| log - l).collect();
        let beside: Vec<Vec<f64>> = rows.iter().map(centred).collect();
        let common = self.common(pool);
        // Two answers to how sure it is: in points of the reference troops, where what a scenario gives
        // all weapons is part of the spread, and beside the arsenal, where it is not.
        let (far, near) = (self.spread(pool, &rows), self.spread(pool, &beside));
        let seen = |(place, row): (usize, Vec<f64>)| {
            let effects: Vec<Ends> = self.changes.iter().map(|by| by[pool[place]]).collect();
            let apart = effects.iter().zip(&common);
            Seen {
                row,
                beside: Known {
                    levels: near.levels[place],
                    df: near.df,
                    effects: apart.map(|(e, c)| (e.0 - c.0, e.1 - c.1)).collect(),
                },
                alone: Known { levels: far.levels[place], df: far.df, effects },
            }
        };
        beside.into_iter().enumerate().map(seen).collect()
    }

    fn spread(&self, pool: &[usize], rows: &[Vec<f64>]) -> Spread {
        let worths: Table = pool.iter().map(|&w| self.worths.default()[w].clone()).collect();
        spread(self.nest, rows, &worths, self.mix)
    }

    /// What each scenario gives all weapons of a pool; nothing on average under the mix, so that the
    /// mixed worth of every weapon stays what it is.
    fn levels(&self, pool: &[usize]) -> Vec<f64> {
        let level = |s: usize| {
            let gains = pool.iter().map(|&w| self.logs[w][s] - self.mixed[w]);
            median(gains.collect()).unwrap_or(0.0)
        };
        let levels: Vec<f64> = (0..self.mix.len()).map(level).collect();
        let common = mean(&levels, self.mix);
        levels.into_iter().map(|level| level - common).collect()
    }

    /// What each assumption changes for all weapons of a pool alike.
    fn common(&self, pool: &[usize]) -> Vec<Ends> {
        let middle = |by: &Vec<Ends>, end: fn(&Ends) -> f64| {
            median(pool.iter().map(|&w| end(&by[w])).collect()).unwrap_or(0.0)
        };
        let both = |by: &Vec<Ends>| (middle(by, |ends| ends.0), middle(by, |ends| ends.1));
        self.changes.iter().map(both).collect()
    }
}
