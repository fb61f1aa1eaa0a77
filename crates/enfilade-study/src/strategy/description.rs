//! The shortest description of a policy: one option, one bound, bounds by a second variable, or a tree.

use super::situation::{Branch, Situation};
use super::tree::Tree;

/// Ranges of a second variable, at most.
const RANGES: usize = 8;

/// A description of a policy. Variables are named by their positions.
#[derive(Clone, Debug, PartialEq)]
pub enum Description {
    /// One rule for all situations, with the variable of its bound.
    One {
        /// The variable.
        variable: usize,
        /// The rule.
        rule: Branch,
    },
    /// A rule for each range of a second variable: its first and last value.
    Ranges {
        /// The variable of the bounds.
        variable: usize,
        /// The variable of the ranges.
        by: usize,
        /// The ranges in order.
        ranges: Vec<((i64, i64), Branch)>,
    },
    /// Shares of the options, which differ from situation to situation.
    Shares,
    /// Questions on single variables, right in this share of all visits.
    Tree(Tree, f64),
}

impl Description {
    /// The option that is taken with these values of the variables.
    pub fn option(&self, values: &[i64]) -> u8 {
        match self {
            Description::One { variable, rule } => {
                rule.option(values.get(*variable).copied().unwrap_or(0))
            }
            Description::Ranges { variable, by, ranges } => {
                let value = values.get(*by).copied().unwrap_or(0);
                let range = ranges.iter().find(|((_, last), _)| value <= *last);
                let range = range.or(ranges.last()).map(|(_, rule)| rule);
                range.map_or(1, |rule| rule.option(values.get(*variable).copied().unwrap_or(0)))
            }
            Description::Tree(tree, _) => tree.option(values),
            Description::Shares => 1,
        }
    }

    /// Rules that are simpler than this one and may be nearly as good.
    pub fn simpler(&self, situations: &[Situation]) -> Vec<Description> {
        let mut rules: Vec<Description> = match self {
            Description::One { rule: Branch::Always(_), .. } => Vec::new(),
            Description::One { rule: Branch::Bound { below, above, .. }, variable } => {
                let always = |option: u8| Description::One {
                    variable: *variable,
                    rule: Branch::Always(option),
                };
                [*below, *above].map(always).to_vec()
            }
            Description::Ranges { variable, ranges, .. } => {
                let one = |rule: Branch| Description::One { variable: *variable, rule };
                ranges.iter().map(|(_, rule)| one(*rule)).collect()
            }
            Description::Tree(..) => nearest_bounds(situations),
            Description::Shares => Vec::new(),
        };
        let mut seen: Vec<Description> = Vec::new();
        rules.retain(|rule| {
            !seen.contains(rule) && {
                seen.push(rule.clone());
                true
            }
        });
        rules
    }
}

/// The shortest description that fits all situations; a tree where none does.
pub fn describe(situations: &[Situation]) -> Description {
    if situations.iter().any(|situation| !situation.shares.is_empty()) {
        return Description::Shares;
    }
    let all: Vec<&Situation> = situations.iter().collect();
    let variables = situations.first().map_or(0, |situation| situation.values.len());
    if let Some(option) = common(&all) {
        return Description::One { variable: 0, rule: Branch::Always(option) };
    }
    for variable in 0..variables {
        if let Some(rule) = bound(&all, variable) {
            return Description::One { variable, rule };
        }
    }
    let pairs = (0..variables).flat_map(|variable| (0..variables).map(move |by| (variable, by)));
    let mut found: Option<Description> = None;
    for (variable, by) in pairs.filter(|(variable, by)| variable != by) {
        let Some(ranges) = ranges(&all, variable, by) else { continue };
        let is_shorter = |known: &Description| matches!(known, Description::Ranges { ranges: other, .. } if ranges.len() < other.len());
        if found.as_ref().is_none_or(is_shorter) {
            found = Some(Description::Ranges { variable, by, ranges });
        }
    }
    found.unwrap_or_else(|| {
        let tree = Tree::grown(situations);
        let share = tree.share_of(situations);
        Description::Tree(tree, share)
    })
}

/// The first option that fits all situations.
fn common(situations: &[&Situation]) -> Option<u8> {
    first(situations.iter().fold(u64::MAX, |bits, situation| bits & situation.fits))
}

fn first(bits: u64) -> Option<u8> {
    (bits != 0 && bits != u64::MAX).then(|| bits.trailing_zeros() as u8 + 1)
}

/// One bound on a variable that fits all situations.
fn bound(situations: &[&Situation], variable: usize) -> Option<Branch> {
    if let Some(option) = common(situations) {
        return Some(Branch::Always(option));
    }
    let mut sorted = situations.to_vec();
    sorted.sort_by_key(|situation| situation.values[variable]);
    let mut above = vec![u64::MAX; sorted.len() + 1];
    for (at, situation) in sorted.iter().enumerate().rev() {
        above[at] = above[at + 1] & situation.fits;
    }
    let mut below = u64::MAX;
    for at in 1..sorted.len() {
        below &= sorted[at - 1].fits;
        let from = sorted[at].values[variable];
        if from == sorted[at - 1].values[variable] {
            continue;
        }
        if let (Some(below), Some(above)) = (first(below), first(above[at])) {
            return Some(Branch::Bound { from, below, above });
        }
    }
    None
}

/// A rule for each range of a second variable, as few as there can be when they are joined in order.
fn ranges(
    situations: &[&Situation],
    variable: usize,
    by: usize,
) -> Option<Vec<((i64, i64), Branch)>> {
    let mut values: Vec<i64> = situations.iter().map(|situation| situation.values[by]).collect();
    values.sort_unstable();
    values.dedup();
    let within = |first: i64, last: i64| -> Vec<&Situation> {
        let inside = situations.iter().copied();
        inside.filter(|situation| (first..=last).contains(&situation.values[by])).collect()
    };
    let mut found: Vec<((i64, i64), Branch)> = Vec::new();
    for value in values {
        if let Some(((first, last), rule)) = found.last_mut()
            && let Some(joined) = bound(&within(*first, value), variable)
        {
            (*last, *rule) = (value, joined);
            continue;
        }
        found.push(((value, value), bound(&within(value, value), variable)?));
        if found.len() > RANGES {
            return None;
        }
    }
    Some(found)
}

/// The bounds on one variable that are right in most visits, the best of each variable first.
fn nearest_bounds(situations: &[Situation]) -> Vec<Description> {
    let variables = situations.first().map_or(0, |situation| situation.values.len());
    let mut rules: Vec<(f64, Description)> = Vec::new();
    for variable in 0..variables {
        if let Some((right, rule)) = Tree::best_bound(situations, variable) {
            rules.push((right, Description::One { variable, rule }));
        }
    }
    rules.sort_by(|a, b| b.0.total_cmp(&a.0));
    rules.into_iter().map(|(_, rule)| rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn situation(values: &[i64], fits: u64) -> Situation {
        let option = fits.trailing_zeros() as u8 + 1;
        let (means, shares) = (Vec::new(), Vec::new());
        Situation { values: values.to_vec(), option, fits, means, visits: 1.0, shares }
    }

    #[test]
    fn one_option_is_enough_where_ties_allow_it() {
        let found = describe(&[situation(&[1], 0b11), situation(&[2], 0b10)]);
        assert_eq!(found, Description::One { variable: 0, rule: Branch::Always(2) });
    }

    #[test]
    fn one_bound_is_found_on_the_variable_that_has_one() {
        let rows = [(5, 1, 0b01), (3, 2, 0b01), (9, 2, 0b10), (4, 3, 0b10)];
        let rows = rows.map(|(noise, load, fits)| situation(&[noise, load], fits));
        // By load 2 fits both; by noise 5 and 3 dive, 4 and 9 do not.
        assert!(matches!(describe(&rows), Description::Ranges { .. } | Description::Tree(..)));
        let rows = [(5, 1, 0b01), (3, 2, 0b01), (9, 3, 0b10), (4, 4, 0b10)];
        let rows = rows.map(|(noise, load, fits)| situation(&[noise, load], fits));
        let rule = Branch::Bound { from: 3, below: 1, above: 2 };
        assert_eq!(describe(&rows), Description::One { variable: 1, rule });
    }

    /// Loads from 0 to 9, bounds 4, 6 and 6 for one, two and three boats.
    #[test]
    fn values_with_one_bound_are_joined() {
        let mut rows = Vec::new();
        for (boats, bound) in [(1, 4), (2, 6), (3, 6)] {
            rows.extend(
                (0..10).map(|load| situation(&[load, boats], if load < bound { 1 } else { 2 })),
            );
        }
        let rule = |from| Branch::Bound { from, below: 1, above: 2 };
        let ranges = vec![((1, 1), rule(4)), ((2, 3), rule(6))];
        assert_eq!(describe(&rows), Description::Ranges { variable: 0, by: 1, ranges });
    }

    /// A description fits every situation of its policy, or states the smaller share of visits that it fits.
    #[test]
    fn a_description_fits_what_it_describes() {
        let mut seed = 7_u64;
        let mut lot = |most: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % most
        };
        for _ in 0..300 {
            let size = 1 + lot(12) as usize;
            let rows: Vec<Situation> =
                (0..size).map(|at| situation(&[at as i64, lot(3) as i64], 1 + lot(3))).collect();
            let found = describe(&rows);
            let right = |row: &&Situation| row.fits >> (found.option(&row.values) - 1) & 1 == 1;
            let share = rows.iter().filter(right).count() as f64 / size as f64;
            match found {
                Description::Tree(_, told) => assert!((share - told).abs() < 1e-12),
                _ => assert_eq!(share, 1.0),
            }
        }
    }
}
