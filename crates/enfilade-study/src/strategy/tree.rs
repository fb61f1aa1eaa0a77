//! A tree of questions on single variables, grown by the split that sets most visits right.

use super::situation::{DecisionSituation, OptionByBound};

/// Leaves of a tree, at most.
const MAX_TREE_LEAVES: usize = 12;

/// A tree of questions.
#[derive(Clone, Debug, PartialEq)]
pub enum DecisionTree {
    /// The option that is taken, from 1.
    Leaf(u8),
    /// Whether a variable is below a bound: then the first tree, else the second.
    Question {
        /// The variable.
        variable: usize,
        /// The first value that is not below.
        from: i64,
        /// The tree for values below `from`.
        below: Box<DecisionTree>,
        /// The tree for `from` and larger values.
        above: Box<DecisionTree>,
    },
}

/// A split of some situations, with the visits that it sets right beyond one option for all.
struct SituationTreeSplit {
    gain: f64,
    variable: usize,
    from: i64,
}

impl DecisionTree {
    /// Grows a tree over situations, one question at a time.
    pub fn grow_over_situations(situations: &[DecisionSituation]) -> DecisionTree {
        let all: Vec<&DecisionSituation> = situations.iter().collect();
        let mut tree = DecisionTree::Leaf(most_frequent_best(&all).0);
        for _ in 1..MAX_TREE_LEAVES {
            let mut best_split: Option<(Vec<bool>, SituationTreeSplit)> = None;
            tree.visit_leaves(&mut Vec::new(), &all, &mut |path, inside| {
                let Some(split) = find_best_split(inside) else { return };
                if best_split.as_ref().is_none_or(|(_, known)| split.gain > known.gain) {
                    best_split = Some((path.to_vec(), split));
                }
            });
            let Some((path, split)) = best_split else { break };
            tree.grow_branch_at_leaf(&path, &split, &all);
        }
        tree
    }

    /// The option that is taken with these values.
    pub fn option_for_values(&self, values: &[i64]) -> u8 {
        match self {
            DecisionTree::Leaf(option) => *option,
            DecisionTree::Question { variable, from, below, above } => {
                let value = values.get(*variable).copied().unwrap_or(0);
                if value < *from {
                    below.option_for_values(values)
                } else {
                    above.option_for_values(values)
                }
            }
        }
    }

    /// The share of visits in which the tree takes a best option.
    pub fn share_of_visits_played_best(&self, situations: &[DecisionSituation]) -> f64 {
        let all: f64 = situations.iter().map(|situation| situation.visits).sum();
        let right = situations
            .iter()
            .filter(|one| is_best_option(one, self.option_for_values(&one.values)));
        right.map(|situation| situation.visits).sum::<f64>() / all
    }

    /// The bound on one variable that is right in most visits, with these.
    pub(super) fn best_single_bound_and_visits(
        situations: &[DecisionSituation],
        variable: usize,
    ) -> Option<(f64, OptionByBound)> {
        let all: Vec<&DecisionSituation> = situations.iter().collect();
        let (_, whole) = most_frequent_best(&all);
        let split = splits_on_variable(&all, variable).max_by(|a, b| a.gain.total_cmp(&b.gain))?;
        let (below, above) = split_situations(&all, variable, split.from);
        let (below, above) = (most_frequent_best(&below).0, most_frequent_best(&above).0);
        Some((whole + split.gain, OptionByBound::Bound { from: split.from, below, above }))
    }

    fn visit_leaves<'s>(
        &self,
        path: &mut Vec<bool>,
        inside: &[&'s DecisionSituation],
        see: &mut dyn FnMut(&[bool], &[&'s DecisionSituation]),
    ) {
        match self {
            DecisionTree::Leaf(_) => see(path, inside),
            DecisionTree::Question { variable, from, below, above } => {
                let (low, high) = split_situations(inside, *variable, *from);
                for (tree, inside, is_above) in [(below, low, false), (above, high, true)] {
                    path.push(is_above);
                    tree.visit_leaves(path, &inside, see);
                    path.pop();
                }
            }
        }
    }

    fn grow_branch_at_leaf(
        &mut self,
        path: &[bool],
        split: &SituationTreeSplit,
        inside: &[&DecisionSituation],
    ) {
        match (self, path.split_first()) {
            (DecisionTree::Question { variable, from, below, above }, Some((is_above, path))) => {
                let (low, high) = split_situations(inside, *variable, *from);
                match is_above {
                    true => above.grow_branch_at_leaf(path, split, &high),
                    false => below.grow_branch_at_leaf(path, split, &low),
                }
            }
            (tree, _) => {
                let (low, high) = split_situations(inside, split.variable, split.from);
                *tree = DecisionTree::Question {
                    variable: split.variable,
                    from: split.from,
                    below: Box::new(DecisionTree::Leaf(most_frequent_best(&low).0)),
                    above: Box::new(DecisionTree::Leaf(most_frequent_best(&high).0)),
                };
            }
        }
    }
}

fn is_best_option(situation: &DecisionSituation, option: u8) -> bool {
    situation.fits >> (option - 1) & 1 == 1
}

/// The option that fits most visits, and these; the first of several.
fn most_frequent_best(situations: &[&DecisionSituation]) -> (u8, f64) {
    let fit_anywhere = situations.iter().fold(0, |bits, one| bits | one.fits);
    let visits = |option: u8| {
        let right = situations.iter().filter(|one| is_best_option(one, option));
        right.map(|one| one.visits).sum::<f64>()
    };
    let mut best = (1, visits(1));
    for option in 2..=(u64::BITS - fit_anywhere.leading_zeros()) as u8 {
        let visits = visits(option);
        if visits > best.1 {
            best = (option, visits);
        }
    }
    best
}

fn split_situations<'s>(
    situations: &[&'s DecisionSituation],
    variable: usize,
    from: i64,
) -> (Vec<&'s DecisionSituation>, Vec<&'s DecisionSituation>) {
    let is_below = |one: &&&DecisionSituation| one.values[variable] < from;
    let (below, above): (Vec<_>, Vec<_>) = situations.iter().partition(is_below);
    (below.into_iter().copied().collect(), above.into_iter().copied().collect())
}

/// The splits of situations by one variable.
fn splits_on_variable<'a>(
    situations: &'a [&'a DecisionSituation],
    variable: usize,
) -> impl Iterator<Item = SituationTreeSplit> + 'a {
    let mut values: Vec<i64> = situations.iter().map(|one| one.values[variable]).collect();
    values.sort_unstable();
    values.dedup();
    let (_, whole) = most_frequent_best(situations);
    values.into_iter().skip(1).map(move |from| {
        let (below, above) = split_situations(situations, variable, from);
        let gain = most_frequent_best(&below).1 + most_frequent_best(&above).1 - whole;
        SituationTreeSplit { gain, variable, from }
    })
}

/// The split that sets most visits right; none where nothing is set right.
fn find_best_split(situations: &[&DecisionSituation]) -> Option<SituationTreeSplit> {
    let variables = situations.first().map_or(0, |one| one.values.len());
    let all = (0..variables)
        .flat_map(|variable| splits_on_variable(situations, variable).collect::<Vec<_>>());
    all.filter(|split| split.gain > 0.0).max_by(|a, b| a.gain.total_cmp(&b.gain))
}
