//! Even prices as they are defined, from battles of the tests' own: copies of a kind that are worth
//! two of the troops at least, and as many battles won as lost over all troops.

use super::{Kinds, Meeting};

/// The most copies.
const COPIES: usize = 24;

/// Wins of one of a kind against some troops.
struct Curve {
    copies: usize,
    odds: Vec<f64>,
}

impl Curve {
    /// Of copies that are worth two of the troops, if as many are allowed.
    fn of(mut meeting: Meeting) -> Curve {
        let mut worth = meeting.worth();
        while worth * (meeting.copies as f64) < 2.0 && meeting.copies < COPIES {
            meeting.copies =
                ((2.0 / worth).ceil().max(1.0) as usize).clamp(meeting.copies + 1, COPIES);
            worth = meeting.worth();
        }
        Curve { copies: meeting.copies, odds: meeting.curve() }
    }

    /// How many troops one is worth.
    fn worth(&self) -> f64 {
        let after =
            self.odds.iter().position(|odds| *odds < 0.0).expect("it loses in the end").max(1);
        let (above, below) = (self.odds[after - 1], self.odds[after]);
        ((after - 1) as f64 + above / (above - below)) / self.copies as f64
    }

    /// The share that one wins against so many troops.
    fn won(&self, troops: f64) -> f64 {
        let at = troops * self.copies as f64;
        let below = (at as usize).min(self.odds.len() - 2);
        let share = (at - below as f64).min(1.0);
        let odds = self.odds[below] + share * (self.odds[below + 1] - self.odds[below]);
        1.0 / (1.0 + (-odds).exp())
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// What each kind is worth over all of `troops`, in units of their own: where half of the battles
/// are won over all, each against the troops at its level. The level is the median over the kinds
/// of log worth there less mean log worth.
pub fn worths(kinds: &Kinds, troops: &[usize], battles: u64) -> Vec<f64> {
    let row = |kind: usize| -> Vec<Curve> {
        let meet =
            |&troops| Curve::of(Meeting { kinds, kind, troops, base: 5, copies: 1, battles });
        troops.iter().map(meet).collect()
    };
    let curves: Vec<Vec<Curve>> = (0..kinds.whole.len()).map(row).collect();
    let logs: Vec<Vec<f64>> =
        curves.iter().map(|row| row.iter().map(|curve| curve.worth().ln()).collect()).collect();
    let level = |at: usize| median(logs.iter().map(|row| row[at] - mean(row)).collect());
    let levels: Vec<f64> = (0..troops.len()).map(level).collect();
    let even = |row: &Vec<Curve>| {
        let won = |log: f64| -> f64 {
            let shares: Vec<f64> = row
                .iter()
                .zip(&levels)
                .map(|(curve, level)| curve.won((log + level).exp()))
                .collect();
            mean(&shares)
        };
        let (mut low, mut high) = (-9.0, 6.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if won(middle) > 0.5 { low = middle } else { high = middle }
        }
        low.exp()
    };
    curves.iter().map(even).collect()
}
