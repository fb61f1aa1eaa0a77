//! Categories of outcomes, on cards and in pictures: an outcome counts once, as its worst harm, or
//! else its greatest gain, or else its first neutral event. The rest is named after its content.

use indexmap::IndexMap;

use super::text::sentences::{self, has_exact_distribution};
use enfilade_model::combat::OutcomeFieldHead;
use enfilade_model::static_or_shared::Text;
use enfilade_study::answer::{Answer, OutcomeWithProbability};

/// The name of the rest if it has no visible effect.
pub const NO_EFFECT: &str = "no effect";

/// The name of the rest if it has effects.
pub(crate) const OTHER_OUTCOMES_LABEL: &str = "else";

/// The largest number of categories up to which neutral ones are added, because a row of a card is
/// never broken over pages.
const MAX_NEUTRAL_CATEGORIES: usize = 11;

/// The side of a category.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HarmGainOrNeutral {
    /// Harm.
    Harm,
    /// A gain.
    Gain,
    /// Neutral.
    Grey,
}

/// A category of outcomes.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeCategory {
    /// Its name.
    pub word: Text,
    /// Its side.
    pub weight: HarmGainOrNeutral,
    /// The outcome fields of which one is not 0.
    pub fields: Vec<Text>,
}

impl OutcomeCategory {
    /// Returns the number of times it happens in an outcome; 0 if it does not.
    fn count_in_outcome(&self, fields: &[OutcomeFieldHead], values: &[i32]) -> i32 {
        let pairs = fields.iter().zip(values);
        pairs.filter(|(field, _)| self.fields.contains(&field.name)).map(|(_, value)| value).sum()
    }

    /// Returns the probability that it happens in a cell, whatever else happens there.
    pub fn probability(&self, cell: &Answer) -> f64 {
        let own = |outcome: &&OutcomeWithProbability| {
            self.count_in_outcome(&cell.fields, &outcome.values) > 0
        };
        cell.outcomes.iter().filter(own).map(OutcomeWithProbability::best_available_chance).sum()
    }
}

/// Returns the first category of an outcome and its count; `None` in the rest.
pub fn category_and_count(
    ranks: &[OutcomeCategory],
    fields: &[OutcomeFieldHead],
    values: &[i32],
) -> Option<(usize, i32)> {
    let times = ranks.iter().map(|rank| rank.count_in_outcome(fields, values)).enumerate();
    times.into_iter().find(|(_, times)| *times > 0)
}

/// Collects the categories of some cells, the most important first.
///
/// A list of words of which all but the first are harm names the rest by that first word, so that
/// the rest is not divided further. Otherwise it is divided by gains and neutral events; a neutral
/// count is a category only if it distinguishes outcomes of one cell, because a number that every
/// outcome has is no event.
pub fn categories_most_important_first(cells: &[&Answer]) -> Vec<OutcomeCategory> {
    let fields = sentences::collect_fields(cells.iter().copied());
    let degree = |field: &OutcomeFieldHead| field.harm.as_ref().map_or(0, |harm| harm.degree);
    let mut ranks = categories_of_harm_or_gain(
        HarmGainOrNeutral::Harm,
        &fields,
        |field| degree(field) > 0,
        |degree| -degree,
    );
    if fields.iter().any(|field| degree(field) > 0 && !field.otherwise.is_empty()) {
        return ranks;
    }
    ranks.extend(categories_of_harm_or_gain(
        HarmGainOrNeutral::Gain,
        &fields,
        |field| degree(field) < 0,
        |degree| degree,
    ));
    for field in fields.iter().filter(|field| field.harm.is_none()) {
        if ranks.len() < MAX_NEUTRAL_CATEGORIES
            && (is_yes_no_event(cells, field) || field_splits_uncategorized(cells, &ranks, field))
        {
            let (word, fields) = (field.display_name(), vec![field.name.clone()]);
            ranks.push(OutcomeCategory { word, weight: HarmGainOrNeutral::Grey, fields });
        }
    }
    ranks
}

/// Returns the categories of one side, in this order of their degrees.
fn categories_of_harm_or_gain(
    weight: HarmGainOrNeutral,
    fields: &[OutcomeFieldHead],
    own: impl Fn(&OutcomeFieldHead) -> bool,
    order: impl Fn(i16) -> i16,
) -> Vec<OutcomeCategory> {
    let own = fields.iter().filter(|field| own(field));
    let mut graded: Vec<_> = own.filter_map(|field| Some((field.harm.as_ref()?, field))).collect();
    graded.sort_by_key(|(harm, _)| order(harm.degree));
    let mut words: IndexMap<&Text, Vec<Text>> = IndexMap::new();
    for (harm, field) in graded {
        words.entry(&harm.word).or_default().push(field.name.clone());
    }
    let rank = |(word, fields): (&Text, _)| OutcomeCategory { word: word.clone(), weight, fields };
    words.into_iter().map(rank).collect()
}

/// Returns the possible outcomes of a cell.
fn possible_outcomes_of_cell(cell: &Answer) -> impl Iterator<Item = &[i32]> {
    let outcomes = cell.outcomes.iter().filter(|outcome| outcome.best_available_chance() > 0.0);
    outcomes.map(|outcome| &*outcome.values)
}

fn field_value_in_outcome(cell: &Answer, values: &[i32], name: &str) -> i32 {
    cell.fields.iter().position(|field| field.name == name).map_or(0, |at| values[at])
}

/// Whether a field only shows that something happens, and no count.
fn is_yes_no_event(cells: &[&Answer], field: &OutcomeFieldHead) -> bool {
    let is = |cell: &&Answer| {
        possible_outcomes_of_cell(cell)
            .all(|all| (0..=1).contains(&field_value_in_outcome(cell, all, &field.name)))
    };
    field.unit.is_empty() && !field.counts && !field.tries && cells.iter().all(is)
}

/// Whether a field distinguishes outcomes of one cell that have no category yet.
fn field_splits_uncategorized(
    cells: &[&Answer],
    ranks: &[OutcomeCategory],
    field: &OutcomeFieldHead,
) -> bool {
    cells.iter().any(|cell| {
        let left = || {
            possible_outcomes_of_cell(cell)
                .filter(|all| category_and_count(ranks, &cell.fields, all).is_none())
        };
        let happens = |all: &[i32]| field_value_in_outcome(cell, all, &field.name) > 0;
        left().any(happens) && !left().all(happens)
    })
}

/// Returns the categories that some outcome has, and the names of those that happen only in
/// outcomes of another category. Without an exact distribution, harm that was never seen is
/// possible.
pub fn used_and_covered_over_cells(cells: &[&Answer]) -> (Vec<OutcomeCategory>, Vec<Text>) {
    let ranks = categories_most_important_first(cells);
    let (mut counts, mut happens) = (vec![false; ranks.len()], vec![false; ranks.len()]);
    for cell in cells {
        for values in possible_outcomes_of_cell(cell) {
            let times = ranks.iter().map(|rank| rank.count_in_outcome(&cell.fields, values) > 0);
            happens.iter_mut().zip(times).for_each(|(known, here)| *known |= here);
            if let Some((at, _)) = category_and_count(&ranks, &cell.fields, values) {
                counts[at] = true;
            }
        }
    }
    let open = cells.iter().any(|cell| !has_exact_distribution(cell));
    let (mut kept_categories, mut covered) = (Vec::new(), Vec::new());
    for ((rank, counts), happens) in ranks.into_iter().zip(counts).zip(happens) {
        match (counts, happens) {
            (true, _) => kept_categories.push(rank),
            (false, true) => covered.push(rank.word),
            (false, false) if open && rank.weight == HarmGainOrNeutral::Harm => {
                kept_categories.push(rank)
            }
            (false, false) => {}
        }
    }
    (kept_categories, covered)
}

/// Returns the name of the outcomes without a category; `None` if there are none.
///
/// The name consists of the first words of the lists of which no further word happens in them:
/// those of harm, else of gain, else of neutral events. Without one it depends on whether anything
/// happens.
pub fn label_of_uncategorized(
    cells: &[&Answer],
    counts: impl Fn(&Answer, &[i32]) -> bool,
) -> Option<String> {
    let left = |cell: &Answer| -> Vec<Vec<i32>> {
        possible_outcomes_of_cell(cell)
            .filter(|values| !counts(cell, values))
            .map(<[i32]>::to_vec)
            .collect()
    };
    let all: Vec<_> = cells.iter().map(|cell| (cell, left(cell))).collect();
    let mut some: Vec<_> = all.iter().filter(|(_, left)| !left.is_empty()).collect();
    if some.is_empty() {
        // Without an exact distribution some may be possible.
        some = all.iter().filter(|(cell, _)| !has_exact_distribution(cell)).collect();
    }
    let mut names: Vec<_> =
        some.into_iter().map(|(cell, left)| describe_uncategorized(cell, left)).collect();
    names.dedup();
    match names.len() {
        0 | 1 => names.pop(),
        _ => Some(OTHER_OUTCOMES_LABEL.to_owned()),
    }
}

/// Returns the name of these outcomes of a cell.
fn describe_uncategorized(cell: &Answer, outcomes: &[Vec<i32>]) -> String {
    let side = |field: &OutcomeFieldHead| field.harm.as_ref().map(|harm| harm.degree.signum());
    let never = |of: Option<i16>| {
        let own = || cell.fields.iter().enumerate().filter(move |(_, field)| side(field) == of);
        let nothing = own().all(|(at, _)| outcomes.iter().all(|values| values[at] == 0));
        let first = own().map(|(_, field)| &*field.otherwise).filter(|text| !text.is_empty());
        (nothing, if nothing { first.collect() } else { Vec::new() })
    };
    let sides: [(bool, Vec<&str>); 3] = [Some(1), Some(-1), None].map(never);
    let nothing = sides.iter().all(|(nothing, _)| *nothing);
    let first = sides.into_iter().map(|(_, first)| first).find(|first| !first.is_empty());
    match (first, nothing) {
        (Some(first), _) => first.join(", "),
        (None, true) => NO_EFFECT.to_owned(),
        (None, false) => OTHER_OUTCOMES_LABEL.to_owned(),
    }
}
