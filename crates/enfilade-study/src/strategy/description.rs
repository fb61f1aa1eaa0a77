//! The shortest description of a policy: one option, one bound, bounds by a second variable, or a
//! tree.

use super::situation::{DecisionSituation, OptionByBound};
use super::tree::DecisionTree;

/// Ranges of a second variable, at most.
const MAX_RANGES: usize = 8;

/// A description of a policy. Variables are named by their positions.
#[derive(Clone, Debug, PartialEq)]
pub enum OneRuleOrRulesByRange {
    /// One rule for all situations, with the variable of its bound.
    One {
        /// The variable.
        variable: usize,
        /// The rule.
        rule: OptionByBound,
    },
    /// A rule for each range of a second variable: its first and last value.
    Ranges {
        /// The variable of the bounds.
        variable: usize,
        /// The variable of the ranges.
        by: usize,
        /// The ranges in order.
        ranges: Vec<((i64, i64), OptionByBound)>,
    },
    /// Shares of the options, which differ from situation to situation.
    Shares,
    /// Questions on single variables, right in this share of all visits.
    Tree(DecisionTree, f64),
}

impl OneRuleOrRulesByRange {
    /// The option that is taken with these values of the variables.
    pub fn option_for_values(&self, values: &[i64]) -> u8 {
        match self {
            OneRuleOrRulesByRange::One { variable, rule } => {
                rule.option_for_value(values.get(*variable).copied().unwrap_or(0))
            }
            OneRuleOrRulesByRange::Ranges { variable, by, ranges } => {
                let value = values.get(*by).copied().unwrap_or(0);
                let range = ranges.iter().find(|((_, last), _)| value <= *last);
                let range = range.or(ranges.last()).map(|(_, rule)| rule);
                range.map_or(1, |rule| {
                    rule.option_for_value(values.get(*variable).copied().unwrap_or(0))
                })
            }
            OneRuleOrRulesByRange::Tree(tree, _) => tree.option_for_values(values),
            OneRuleOrRulesByRange::Shares => 1,
        }
    }

    /// Rules that are simpler than this one and may be nearly as good.
    pub fn simpler_rules(&self, situations: &[DecisionSituation]) -> Vec<OneRuleOrRulesByRange> {
        let mut rules: Vec<OneRuleOrRulesByRange> = match self {
            OneRuleOrRulesByRange::One { rule: OptionByBound::Always(_), .. } => Vec::new(),
            OneRuleOrRulesByRange::One {
                rule: OptionByBound::Bound { below, above, .. },
                variable,
            } => {
                let always = |option: u8| OneRuleOrRulesByRange::One {
                    variable: *variable,
                    rule: OptionByBound::Always(option),
                };
                [*below, *above].map(always).to_vec()
            }
            OneRuleOrRulesByRange::Ranges { variable, ranges, .. } => {
                let one =
                    |rule: OptionByBound| OneRuleOrRulesByRange::One { variable: *variable, rule };
                ranges.iter().map(|(_, rule)| one(*rule)).collect()
            }
            OneRuleOrRulesByRange::Tree(..) => best_single_bounds(situations),
            OneRuleOrRulesByRange::Shares => Vec::new(),
        };
        let mut rules_so_far: Vec<OneRuleOrRulesByRange> = Vec::new();
        rules.retain(|rule| {
            !rules_so_far.contains(rule) && {
                rules_so_far.push(rule.clone());
                true
            }
        });
        rules
    }
}

/// The shortest description that fits all situations; a tree where none does.
pub fn shortest_strategy_description(situations: &[DecisionSituation]) -> OneRuleOrRulesByRange {
    if situations.iter().any(|situation| !situation.shares.is_empty()) {
        return OneRuleOrRulesByRange::Shares;
    }
    let all: Vec<&DecisionSituation> = situations.iter().collect();
    let variables = situations.first().map_or(0, |situation| situation.values.len());
    if let Some(option) = find_common_option(&all) {
        return OneRuleOrRulesByRange::One { variable: 0, rule: OptionByBound::Always(option) };
    }
    for variable in 0..variables {
        if let Some(rule) = find_single_bound(&all, variable) {
            return OneRuleOrRulesByRange::One { variable, rule };
        }
    }
    let pairs = (0..variables).flat_map(|variable| (0..variables).map(move |by| (variable, by)));
    let mut shortest: Option<OneRuleOrRulesByRange> = None;
    for (variable, by) in pairs.filter(|(variable, by)| variable != by) {
        let Some(ranges) = find_range_rules(&all, variable, by) else { continue };
        let is_shorter = |description: &OneRuleOrRulesByRange| matches!(description, OneRuleOrRulesByRange::Ranges { ranges: other, .. } if ranges.len() < other.len());
        if shortest.as_ref().is_none_or(is_shorter) {
            shortest = Some(OneRuleOrRulesByRange::Ranges { variable, by, ranges });
        }
    }
    shortest.unwrap_or_else(|| {
        let tree = DecisionTree::grow_over_situations(situations);
        let share = tree.share_of_visits_played_best(situations);
        OneRuleOrRulesByRange::Tree(tree, share)
    })
}

/// The first option that fits all situations.
fn find_common_option(situations: &[&DecisionSituation]) -> Option<u8> {
    lowest_option_of_bits(situations.iter().fold(u64::MAX, |bits, situation| bits & situation.fits))
}

fn lowest_option_of_bits(bits: u64) -> Option<u8> {
    (bits != 0 && bits != u64::MAX).then(|| bits.trailing_zeros() as u8 + 1)
}

/// One bound on a variable that fits all situations.
fn find_single_bound(situations: &[&DecisionSituation], variable: usize) -> Option<OptionByBound> {
    if let Some(option) = find_common_option(situations) {
        return Some(OptionByBound::Always(option));
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
        if let (Some(below), Some(above)) =
            (lowest_option_of_bits(below), lowest_option_of_bits(above[at]))
        {
            return Some(OptionByBound::Bound { from, below, above });
        }
    }
    None
}

/// A rule for each range of a second variable, as few as there can be when they are joined in
/// order.
fn find_range_rules(
    situations: &[&DecisionSituation],
    variable: usize,
    by: usize,
) -> Option<Vec<((i64, i64), OptionByBound)>> {
    let mut values: Vec<i64> = situations.iter().map(|situation| situation.values[by]).collect();
    values.sort_unstable();
    values.dedup();
    let within = |first: i64, last: i64| -> Vec<&DecisionSituation> {
        let inside = situations.iter().copied();
        inside.filter(|situation| (first..=last).contains(&situation.values[by])).collect()
    };
    let mut rules: Vec<((i64, i64), OptionByBound)> = Vec::new();
    for value in values {
        if let Some(((first, last), rule)) = rules.last_mut()
            && let Some(joined) = find_single_bound(&within(*first, value), variable)
        {
            (*last, *rule) = (value, joined);
            continue;
        }
        rules.push(((value, value), find_single_bound(&within(value, value), variable)?));
        if rules.len() > MAX_RANGES {
            return None;
        }
    }
    Some(rules)
}

/// The bounds on one variable that are right in most visits, the best of each variable first.
fn best_single_bounds(situations: &[DecisionSituation]) -> Vec<OneRuleOrRulesByRange> {
    let variables = situations.first().map_or(0, |situation| situation.values.len());
    let mut rules: Vec<(f64, OneRuleOrRulesByRange)> = Vec::new();
    for variable in 0..variables {
        if let Some((right, rule)) =
            DecisionTree::best_single_bound_and_visits(situations, variable)
        {
            rules.push((right, OneRuleOrRulesByRange::One { variable, rule }));
        }
    }
    rules.sort_by(|a, b| b.0.total_cmp(&a.0));
    rules.into_iter().map(|(_, rule)| rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn situation(values: &[i64], fits: u64) -> DecisionSituation {
        let option = fits.trailing_zeros() as u8 + 1;
        let (means, shares) = (Vec::new(), Vec::new());
        DecisionSituation { values: values.to_vec(), option, fits, means, visits: 1.0, shares }
    }

    #[test]
    fn one_option_is_enough_where_ties_allow_it() {
        let found = shortest_strategy_description(&[situation(&[1], 0b11), situation(&[2], 0b10)]);
        assert_eq!(
            found,
            OneRuleOrRulesByRange::One { variable: 0, rule: OptionByBound::Always(2) }
        );
    }

    #[test]
    fn one_bound_is_found_on_the_variable_that_has_one() {
        let rows = [(5, 1, 0b01), (3, 2, 0b01), (9, 2, 0b10), (4, 3, 0b10)];
        let rows = rows.map(|(noise, load, fits)| situation(&[noise, load], fits));
        // By load 2 fits both; by noise 5 and 3 dive, 4 and 9 do not.
        assert!(matches!(
            shortest_strategy_description(&rows),
            OneRuleOrRulesByRange::Ranges { .. } | OneRuleOrRulesByRange::Tree(..)
        ));
        let rows = [(5, 1, 0b01), (3, 2, 0b01), (9, 3, 0b10), (4, 4, 0b10)];
        let rows = rows.map(|(noise, load, fits)| situation(&[noise, load], fits));
        let rule = OptionByBound::Bound { from: 3, below: 1, above: 2 };
        assert_eq!(
            shortest_strategy_description(&rows),
            OneRuleOrRulesByRange::One { variable: 1, rule }
        );
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
        let rule = |from| OptionByBound::Bound { from, below: 1, above: 2 };
        let ranges = vec![((1, 1), rule(4)), ((2, 3), rule(6))];
        assert_eq!(
            shortest_strategy_description(&rows),
            OneRuleOrRulesByRange::Ranges { variable: 0, by: 1, ranges }
        );
    }

    /// Loads from 0 to 9, and a bound that changes with every boat: no two have one bound.
    #[test]
    fn eight_ranges_are_told_and_nine_are_a_tree() {
        let described = |boats: i64| {
            let fits = |load, boat| if load < 2 + 5 * (boat % 2) { 0b01 } else { 0b10 };
            let loads = |boat| (0..10).map(move |load| situation(&[load, boat], fits(load, boat)));
            shortest_strategy_description(&(1..=boats).flat_map(loads).collect::<Vec<_>>())
        };
        let eight = described(8);
        assert!(
            matches!(&eight, OneRuleOrRulesByRange::Ranges { ranges, .. } if ranges.len() == 8),
            "{eight:?}"
        );
        let nine = described(9);
        assert!(matches!(nine, OneRuleOrRulesByRange::Tree(..)), "{nine:?}");
    }

    /// A description fits every situation of its policy, or states the smaller share of visits that
    /// it fits.
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
            let rows: Vec<DecisionSituation> =
                (0..size).map(|at| situation(&[at as i64, lot(3) as i64], 1 + lot(3))).collect();
            let found = shortest_strategy_description(&rows);
            let right = |row: &&DecisionSituation| {
                row.fits >> (found.option_for_values(&row.values) - 1) & 1 == 1
            };
            let share = rows.iter().filter(right).count() as f64 / size as f64;
            match found {
                OneRuleOrRulesByRange::Tree(_, told) => assert!((share - told).abs() < 1e-12),
                _ => assert_eq!(share, 1.0),
            }
        }
    }

    #[test]
    fn a_tree_asks_where_the_best_option_changes() {
        let fits = |load: i64| if load < 3 { 0b01 } else { 0b10 };
        let rows: Vec<_> = (0..6).map(|load| situation(&[load], fits(load))).collect();
        let tree = DecisionTree::grow_over_situations(&rows);
        let [below, above] = [1, 2].map(|option| Box::new(DecisionTree::Leaf(option)));
        assert_eq!(tree, DecisionTree::Question { variable: 0, from: 3, below, above });
        assert_eq!(tree.share_of_visits_played_best(&rows), 1.0);
        // One option for all needs no question.
        assert_eq!(DecisionTree::grow_over_situations(&rows[3..]), DecisionTree::Leaf(2));
        // Of two options that are best equally often it takes the first.
        let alike = [0b10, 0b01].map(|fits| situation(&[0], fits));
        assert_eq!(DecisionTree::grow_over_situations(&alike), DecisionTree::Leaf(1));
    }

    /// Twelve leaves are one more than there are questions. The first halves the situations, for
    /// 100 visits. Then eight are to be told apart in each half, of one visit and of two.
    #[test]
    fn a_tree_asks_first_what_sets_most_visits_right() {
        let mut rows = Vec::new();
        for (half, visits) in [(0, 1.0), (1, 2.0)] {
            let mut values = [0; 9];
            values[0] = half;
            let most = situation(&values, if half == 0 { 0b01 } else { 0b10 });
            rows.push(DecisionSituation { visits: 100.0, ..most });
            for at in 1..9 {
                let mut values = values;
                values[at] = 1;
                rows.push(DecisionSituation { visits, ..situation(&values, 0b100) });
            }
        }
        let tree = DecisionTree::grow_over_situations(&rows);
        let right = tree.share_of_visits_played_best(&rows) * (200.0 + 8.0 + 16.0);
        assert!((right - (200.0 + 2.0 + 16.0)).abs() < 1e-9, "{right}");
    }

    /// Of nine visits a bound on the wind is right in six, and one on the load in all.
    #[test]
    fn the_simpler_rule_that_is_right_most_often_is_the_first() {
        let rows = [(0, 0, 0b01, 3.0), (1, 1, 0b01, 2.0), (0, 2, 0b10, 1.0), (1, 3, 0b10, 3.0)];
        let rows = rows.map(|(wind, load, fits, visits)| DecisionSituation {
            visits,
            ..situation(&[wind, load], fits)
        });
        let tree = DecisionTree::grow_over_situations(&rows);
        let rule = |variable, from| {
            let rule = OptionByBound::Bound { from, below: 1, above: 2 };
            OneRuleOrRulesByRange::One { variable, rule }
        };
        let simpler = OneRuleOrRulesByRange::Tree(tree, 1.0).simpler_rules(&rows);
        assert_eq!(simpler, [rule(1, 2), rule(0, 1)]);
    }
}
