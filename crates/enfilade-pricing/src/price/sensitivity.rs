//! What moves the prices most: assumptions at the ends of their ranges, one opponent left out.

use super::spread::Nest;
use crate::doctrine::shown_value;
use crate::evidence::Assumption;

/// A cause and how far it moves the prices, as changes of the logarithm of worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Swing {
    /// Its name: an assumption's, or `opponent`.
    pub name: String,
    /// What it means.
    pub about: String,
    /// What is at the low end: a value of the assumption.
    pub low_label: String,
    /// What is at the high end.
    pub high_label: String,
    /// Change of every weapon at both ends.
    pub moved: Vec<(f64, f64)>,
}

impl Swing {
    /// Mean change of the log worths of all weapons at the low and at the high end.
    pub fn mean(&self) -> (f64, f64) {
        let count = self.moved.len().max(1) as f64;
        let sum = |end: fn(&(f64, f64)) -> f64| self.moved.iter().map(end).sum::<f64>() / count;
        (sum(|ends| ends.0), sum(|ends| ends.1))
    }

    /// Mean over the weapons of the larger change, whatever its direction.
    pub fn size(&self) -> f64 {
        let sizes = self.moved.iter().map(|(low, high)| low.abs().max(high.abs()));
        sizes.sum::<f64>() / self.moved.len().max(1) as f64
    }

    /// The weapon that is moved most, by its position; `None` when there are no weapons.
    pub fn most_moved(&self) -> Option<usize> {
        let size = |w: &usize| self.moved[*w].0.abs().max(self.moved[*w].1.abs());
        (0..self.moved.len()).max_by(|a, b| size(a).total_cmp(&size(b)).then(b.cmp(a)))
    }
}

/// All swings, the largest first. `effects` are by weapon and assumption.
pub fn swings(
    assumptions: &[Assumption],
    effects: &[Vec<(f64, f64)>],
    logs: &[Vec<f64>],
    nest: &Nest,
) -> Vec<Swing> {
    let mut swings: Vec<Swing> = assumptions
        .iter()
        .enumerate()
        .map(|(i, assumption)| Swing {
            name: assumption.name.clone(),
            about: assumption.about.clone(),
            low_label: shown_value(&assumption.name, assumption.low),
            high_label: shown_value(&assumption.name, assumption.high),
            moved: effects.iter().map(|row| row[i]).collect(),
        })
        .collect();
    // Without the only opponent nothing would be left.
    if nest.opponents.len() > 1 {
        swings.push(Swing {
            name: "opponent".to_owned(),
            about: "one opponent left out".to_owned(),
            low_label: "least".to_owned(),
            high_label: "most".to_owned(),
            moved: logs.iter().map(|row| over_opponents(row, nest)).collect(),
        });
    }
    swings.sort_by(|a, b| b.size().total_cmp(&a.size()));
    swings
}

fn over_opponents(row: &[f64], nest: &Nest) -> (f64, f64) {
    let all = nest.mean(row);
    span(nest.without_each(row).into_iter().map(|mean| mean - all))
}

fn span(changes: impl Iterator<Item = f64>) -> (f64, f64) {
    changes.fold((0.0, 0.0), |(low, high), change| (change.min(low), change.max(high)))
}
