//! A tree of questions on single variables, grown by the split that sets most visits right.

use super::situation::{Branch, Situation};

/// Leaves of a tree, at most.
const LEAVES: usize = 12;

/// A tree of questions.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// The option that is taken, from 1.
    Leaf(u8),
    /// Whether a variable is below a bound: then the first tree, else the second.
    Question {
        /// The variable.
        variable: usize,
        /// The first value that is not below.
        from: i64,
        /// The tree for values below `from`.
        below: Box<Tree>,
        /// The tree for `from` and larger values.
        above: Box<Tree>,
    },
}

/// A split of some situations, with the visits that it sets right beyond one option for all.
struct Split {
    gain: f64,
    variable: usize,
    from: i64,
}

impl Tree {
    /// Grows a tree over situations, one question at a time.
    pub fn grown(situations: &[Situation]) -> Tree {
        let all: Vec<&Situation> = situations.iter().collect();
        let mut tree = Tree::Leaf(best_option(&all).0);
        for _ in 1..LEAVES {
            let mut found: Option<(Vec<bool>, Split)> = None;
            tree.each_leaf(&mut Vec::new(), &all, &mut |path, inside| {
                let Some(split) = best_split(inside) else { return };
                if found.as_ref().is_none_or(|(_, known)| split.gain > known.gain) {
                    found = Some((path.to_vec(), split));
                }
            });
            let Some((path, split)) = found else { break };
            tree.grow(&path, &split, &all);
        }
        tree
    }

    /// The option that is taken with these values.
    pub fn option(&self, values: &[i64]) -> u8 {
        match self {
            Tree::Leaf(option) => *option,
            Tree::Question { variable, from, below, above } => {
                let value = values.get(*variable).copied().unwrap_or(0);
                if value < *from { below.option(values) } else { above.option(values) }
            }
        }
    }

    /// The share of visits in which the tree takes a best option.
    pub fn share_of(&self, situations: &[Situation]) -> f64 {
        let all: f64 = situations.iter().map(|situation| situation.visits).sum();
        let right = situations.iter().filter(|one| fits(one, self.option(&one.values)));
        right.map(|situation| situation.visits).sum::<f64>() / all
    }

    /// The bound on one variable that is right in most visits, with these.
    pub(super) fn best_bound(situations: &[Situation], variable: usize) -> Option<(f64, Branch)> {
        let all: Vec<&Situation> = situations.iter().collect();
        let (_, whole) = best_option(&all);
        let split = splits(&all, variable).max_by(|a, b| a.gain.total_cmp(&b.gain))?;
        let (below, above) = parted(&all, &split);
        let (below, above) = (best_option(&below).0, best_option(&above).0);
        Some((whole + split.gain, Branch::Bound { from: split.from, below, above }))
    }

    fn each_leaf<'s>(
        &self,
        path: &mut Vec<bool>,
        inside: &[&'s Situation],
        see: &mut dyn FnMut(&[bool], &[&'s Situation]),
    ) {
        match self {
            Tree::Leaf(_) => see(path, inside),
            Tree::Question { variable, from, below, above } => {
                let split = Split { gain: 0.0, variable: *variable, from: *from };
                let (low, high) = parted(inside, &split);
                for (tree, inside, is_above) in [(below, low, false), (above, high, true)] {
                    path.push(is_above);
                    tree.each_leaf(path, &inside, see);
                    path.pop();
                }
            }
        }
    }

    fn grow(&mut self, path: &[bool], split: &Split, inside: &[&Situation]) {
        match (self, path.split_first()) {
            (Tree::Question { variable, from, below, above }, Some((is_above, path))) => {
                let here = Split { gain: 0.0, variable: *variable, from: *from };
                let (low, high) = parted(inside, &here);
                match is_above {
                    true => above.grow(path, split, &high),
                    false => below.grow(path, split, &low),
                }
            }
            (tree, _) => {
                let (low, high) = parted(inside, split);
                *tree = Tree::Question {
                    variable: split.variable,
                    from: split.from,
                    below: Box::new(Tree::Leaf(best_option(&low).0)),
                    above: Box::new(Tree::Leaf(best_option(&high).0)),
                };
            }
        }
    }
}

fn fits(situation: &Situation, option: u8) -> bool {
    situation.fits >> (option - 1) & 1 == 1
}

/// The option that fits most visits, and these; the first of several.
fn best_option(situations: &[&Situation]) -> (u8, f64) {
    let most = situations.iter().map(|one| 64 - one.fits.leading_zeros()).max().unwrap_or(1);
    let visits = |option: u8| {
        let right = situations.iter().filter(|one| fits(one, option));
        right.map(|one| one.visits).sum::<f64>()
    };
    let mut best = (1, visits(1));
    for option in 2..=most as u8 {
        let visits = visits(option);
        if visits > best.1 {
            best = (option, visits);
        }
    }
    best
}

fn parted<'s>(
    situations: &[&'s Situation],
    split: &Split,
) -> (Vec<&'s Situation>, Vec<&'s Situation>) {
    let is_below = |one: &&&Situation| one.values[split.variable] < split.from;
    let (below, above): (Vec<_>, Vec<_>) = situations.iter().partition(is_below);
    (below.into_iter().copied().collect(), above.into_iter().copied().collect())
}

/// The splits of situations by one variable.
fn splits<'a>(
    situations: &'a [&'a Situation],
    variable: usize,
) -> impl Iterator<Item = Split> + 'a {
    let mut values: Vec<i64> = situations.iter().map(|one| one.values[variable]).collect();
    values.sort_unstable();
    values.dedup();
    let (_, whole) = best_option(situations);
    values.into_iter().skip(1).map(move |from| {
        let (below, above) = parted(situations, &Split { gain: 0.0, variable, from });
        let gain = best_option(&below).1 + best_option(&above).1 - whole;
        Split { gain, variable, from }
    })
}

/// The split that sets most visits right; none where nothing is set right.
fn best_split(situations: &[&Situation]) -> Option<Split> {
    let variables = situations.first().map_or(0, |one| one.values.len());
    let all = (0..variables).flat_map(|variable| splits(situations, variable).collect::<Vec<_>>());
    all.filter(|split| split.gain > 0.0).max_by(|a, b| a.gain.total_cmp(&b.gain))
}
