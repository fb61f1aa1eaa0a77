//! Bands of outcomes: the parts of a stack, and the colour of each part, which is the same in every
//! picture.
//!
//! An outcome counts under the worst event in it, as on a card, and by the number of times: kill,
//! break, pin, once, twice. Colours go from light to dark as harm goes up, so that they can be read
//! in grey; gains are blue, and neutral outcomes are grey.

use std::collections::BTreeSet;

use super::axis_scale::viridis_color;
use super::chart_data;
use crate::drawing::RgbColor;
use crate::outcome_category::{self, HarmGainOrNeutral, OutcomeCategory};
use crate::text::labels;
use crate::text::sentences::{self, sort_key_by_harm};
use enfilade_engine::exact::MAX_UNFINISHED_FOR_MEAN;
use enfilade_model::combat::OutcomeFieldHead;
use enfilade_study::answer::Answer;

/// The number of times from which counts of the worst event are one band.
const MAX_SEPARATE_COUNTS: i32 = 4;

/// The largest number of separate outcomes if nothing is harm; rarer ones are put together.
const MAX_SEPARATE_OUTCOMES: usize = 8;

/// The colour of no effect, which recedes.
pub const NO_EFFECT_COLOR: RgbColor = RgbColor(0xf4, 0xf1, 0xde);

/// The colours of the smallest gain and of the greatest.
const GAIN_COLOR_ENDS: [RgbColor; 2] = [RgbColor(0xe8, 0xf2, 0xfb), RgbColor(0x7d, 0xae, 0xdb)];

/// The colours of the first and the last neutral outcome.
const NEUTRAL_COLOR_ENDS: [RgbColor; 2] = [RgbColor(0x9a, 0x9a, 0x9a), RgbColor(0xe4, 0xe4, 0xe4)];

const OTHER_OUTCOMES_COLOR: RgbColor = RgbColor(0xd0, 0xd0, 0xd0);

const UNFINISHED_COLOR: RgbColor = RgbColor(0xa6, 0xa6, 0xa6);

/// Part of a stack.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeStackBand {
    /// Its name.
    pub name: String,
    /// Its colour.
    pub ink: RgbColor,
    members: BandMembers,
}

#[derive(Clone, Debug, PartialEq)]
enum BandMembers {
    /// Outcomes that count under this category, this many times, or under none.
    Ranked(Option<usize>, i32),
    /// One outcome.
    Outcome(Vec<i32>),
    Others,
    Unsettled,
}

/// The parts of the outcomes of some cells, from the best to the worst.
#[derive(Clone, Debug)]
pub struct OutcomeStackBands {
    /// The parts.
    pub bands: Vec<OutcomeStackBand>,
    ranks: Vec<OutcomeCategory>,
}

impl OutcomeStackBands {
    /// Finds the bands of some cells of one action.
    pub fn from_cells_of_action(cells: &[&Answer]) -> OutcomeStackBands {
        let ranks = outcome_category::categories_most_important_first(cells);
        let mut bands = match has_harm_category(&ranks) {
            true => bands_in_order_of_harm(cells, &ranks),
            false => bands_of_likeliest_outcomes(cells),
        };
        let open = cells.iter().any(|cell| unfinished_percent(cell) > 0.0);
        bands.extend(open.then(|| OutcomeStackBand {
            name: unfinished_label(cells.iter().copied()).to_owned(),
            ink: UNFINISHED_COLOR,
            members: BandMembers::Unsettled,
        }));
        OutcomeStackBands { bands, ranks }
    }

    /// Whether the parts are in order of harm.
    pub fn are_ordered_by_harm(&self) -> bool {
        has_harm_category(&self.ranks)
    }

    /// Whether some band with a name is not harm.
    pub fn has_gain_or_neutral_band(&self) -> bool {
        let harm = |at: usize| self.ranks[at].weight == HarmGainOrNeutral::Harm;
        self.bands
            .iter()
            .any(|b| matches!(b.members, BandMembers::Ranked(Some(at), _) if !harm(at)))
    }

    /// Returns the colour of an outcome.
    pub fn color_of_outcome(&self, fields: &[OutcomeFieldHead], values: &[i32]) -> RgbColor {
        if !self.are_ordered_by_harm() {
            let of = |band: &&OutcomeStackBand| matches!(&band.members, BandMembers::Outcome(own) if own == values);
            return self.bands.iter().find(of).map_or(OTHER_OUTCOMES_COLOR, |band| band.ink);
        }
        match category_and_capped_count(&self.ranks, fields, values) {
            (Some(at), times) => color_for_category_count(&self.ranks, at, times),
            (None, _) => NO_EFFECT_COLOR,
        }
    }

    /// Returns the colour of a word that happens once; for any other word, that of no effect.
    pub fn color_of_category_word(&self, word: &str) -> RgbColor {
        let at =
            self.ranks.iter().position(|rank| sentences::replace_control_chars(&rank.word) == word);
        at.map_or(NO_EFFECT_COLOR, |at| color_for_category_count(&self.ranks, at, 1))
    }

    /// Returns the share of each band in a cell, in percent.
    pub fn band_shares_of_cell(&self, cell: &Answer) -> Vec<f64> {
        let mut shares = vec![0.0; self.bands.len()];
        let others = self.bands.iter().position(|band| band.members == BandMembers::Others);
        for outcome in &cell.outcomes {
            let (at, times) = category_and_capped_count(&self.ranks, &cell.fields, &outcome.values);
            let own = |band: &OutcomeStackBand| match &band.members {
                BandMembers::Ranked(known, often) => (*known, *often) == (at, times),
                BandMembers::Outcome(values) => *values == outcome.values,
                _ => false,
            };
            if let Some(at) = self.bands.iter().position(own).or(others) {
                shares[at] += chart_data::outcome_percent(outcome);
            }
        }
        if let Some(at) = self.bands.iter().position(|band| band.members == BandMembers::Unsettled)
        {
            shares[at] = unfinished_percent(cell);
        }
        shares
    }
}

/// Whether anything is harm.
fn has_harm_category(ranks: &[OutcomeCategory]) -> bool {
    ranks.iter().any(|rank| rank.weight == HarmGainOrNeutral::Harm)
}

/// Returns the category of an outcome and its count, up to [`MAX_SEPARATE_COUNTS`]; a neutral
/// category counts once.
fn category_and_capped_count(
    ranks: &[OutcomeCategory],
    fields: &[OutcomeFieldHead],
    values: &[i32],
) -> (Option<usize>, i32) {
    match outcome_category::category_and_count(ranks, fields, values) {
        Some((at, _)) if ranks[at].weight == HarmGainOrNeutral::Grey => (Some(at), 1),
        Some((at, times)) => (Some(at), times.min(MAX_SEPARATE_COUNTS)),
        None => (None, 1),
    }
}

/// Returns the colour of a category that happens this many times.
fn color_for_category_count(ranks: &[OutcomeCategory], at: usize, times: i32) -> RgbColor {
    let weight = ranks[at].weight;
    let alike = |ranks: &[OutcomeCategory]| {
        ranks.iter().filter(|rank| rank.weight == weight).count() as f64
    };
    let (all, before) = (alike(ranks), alike(&ranks[..at]));
    let within = 0.8 * f64::from(times - 1) / f64::from(MAX_SEPARATE_COUNTS - 1);
    match weight {
        HarmGainOrNeutral::Harm => viridis_color(0.12 + 0.83 / all * (all - before - 1.0 + within)),
        HarmGainOrNeutral::Gain => GAIN_COLOR_ENDS[0]
            .mix_with(GAIN_COLOR_ENDS[1], (all - before - 1.0 + within) / (all - 0.2)),
        HarmGainOrNeutral::Grey => {
            NEUTRAL_COLOR_ENDS[0].mix_with(NEUTRAL_COLOR_ENDS[1], before / (all - 1.0).max(1.0))
        }
    }
}

fn bands_in_order_of_harm(cells: &[&Answer], ranks: &[OutcomeCategory]) -> Vec<OutcomeStackBand> {
    // The greatest gain is at one end and the worst harm at the other.
    let step = |at: Option<usize>, times: i32| match at.map(|at| (at as i32, ranks[at].weight)) {
        Some((at, HarmGainOrNeutral::Gain)) => (0, at, -times),
        None => (1, 0, times),
        Some((at, HarmGainOrNeutral::Grey)) => (2, -at, times),
        Some((at, HarmGainOrNeutral::Harm)) => (3, -at, times),
    };
    let mut harm_values = BTreeSet::new();
    for cell in cells {
        let likely =
            cell.outcomes.iter().filter(|outcome| chart_data::outcome_percent(outcome) > 0.0);
        harm_values.extend(likely.map(|outcome| {
            let (at, times) = category_and_capped_count(ranks, &cell.fields, &outcome.values);
            (step(at, times), at, times)
        }));
    }
    let rest = outcome_category::label_of_uncategorized(cells, |cell, all| {
        outcome_category::category_and_count(ranks, &cell.fields, all).is_some()
    });
    let name = |at: Option<usize>, times: i32| {
        let word = at.map_or(rest.as_deref().unwrap_or_default(), |at| &ranks[at].word);
        let word = sentences::replace_control_chars(word);
        match harm_values.iter().filter(|(_, other, _)| *other == at).count() {
            1 => word,
            _ if times == MAX_SEPARATE_COUNTS => format!("{word}: {MAX_SEPARATE_COUNTS} or more"),
            _ => format!("{word}: {times}"),
        }
    };
    let band = |&(_, at, times): &(_, Option<usize>, i32)| OutcomeStackBand {
        name: name(at, times),
        ink: at.map_or(NO_EFFECT_COLOR, |at| color_for_category_count(ranks, at, times)),
        members: BandMembers::Ranked(at, times),
    };
    harm_values.iter().map(band).collect()
}

/// Returns the likeliest outcomes of actions without harm as bands.
fn bands_of_likeliest_outcomes(cells: &[&Answer]) -> Vec<OutcomeStackBand> {
    let mut most: std::collections::BTreeMap<&[i32], f64> = std::collections::BTreeMap::new();
    for outcome in cells.iter().flat_map(|cell| &cell.outcomes) {
        let share = most.entry(&outcome.values).or_default();
        // By the cell in which an outcome is likeliest, because all pictures share the bands.
        *share = share.max(chart_data::outcome_percent(outcome));
    }
    let mut likeliest: Vec<_> = most.into_iter().filter(|(_, share)| *share > 0.0).collect();
    let others = likeliest.len() > MAX_SEPARATE_OUTCOMES;
    if others {
        likeliest.sort_by(|a, b| b.1.total_cmp(&a.1));
        // One band is for all the others.
        likeliest.truncate(MAX_SEPARATE_OUTCOMES - 1);
    }
    let Some(fields) = cells.first().map(|cell| &cell.fields) else {
        return Vec::new();
    };
    let mut shown_outcomes: Vec<_> =
        likeliest.into_iter().map(|(values, _)| values.to_vec()).collect();
    shown_outcomes.sort_by_cached_key(|values| (sort_key_by_harm(fields, values), values.clone()));
    let last = shown_outcomes.len().saturating_sub(1).max(1) as f64;
    let band = |(at, values): (usize, &Vec<i32>)| OutcomeStackBand {
        name: sentences::replace_control_chars(&labels::describe_outcome(fields, values)),
        ink: match values.iter().all(|value| *value == 0) {
            // An outcome of zeros has no effect, and looks so in every picture.
            true => NO_EFFECT_COLOR,
            false => viridis_color(0.08 + 0.87 * at as f64 / last),
        },
        members: BandMembers::Outcome(values.clone()),
    };
    let mut bands: Vec<_> = shown_outcomes.iter().enumerate().map(band).collect();
    bands.extend(others.then(|| OutcomeStackBand {
        name: "all others".to_owned(),
        ink: OTHER_OUTCOMES_COLOR,
        members: BandMembers::Others,
    }));
    bands
}

/// Whether the unfinished share certainly never finishes.
pub fn is_unfinished_share_endless(cell: &Answer) -> bool {
    cell.never.is_some_and(|never| never > 0.0)
        && cell.unsettled.unwrap_or(0.0) <= MAX_UNFINISHED_FOR_MEAN
}

/// Returns the label of the unfinished share of these cells.
pub fn unfinished_label<'a>(cells: impl IntoIterator<Item = &'a Answer>) -> &'static str {
    let open = cells.into_iter().filter(|cell| unfinished_percent(cell) > 0.0);
    let (mut any, mut never) = (false, true);
    open.for_each(|cell| (any, never) = (true, never && is_unfinished_share_endless(cell)));
    if any && never { "never ends" } else { "not settled" }
}

/// Returns the unfinished share, in percent.
pub fn unfinished_percent(cell: &Answer) -> f64 {
    let simulated = cell.unsettled_trials as f64 / cell.trials.max(1) as f64;
    let share = cell.unfinished_probability().unwrap_or(simulated);
    if share.is_finite() { 100.0 * share.clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    /// An answer with these counts of squads eliminated and broken, all equally likely.
    fn happening(outcomes: &[[i32; 2]]) -> Answer {
        let mut answer = test_answers::squad_answer_from_36ths(Vec::new(), 4, 12);
        let template = answer.outcomes[0].clone();
        let one = |values: &[i32; 2]| {
            let mut outcome = template.clone();
            outcome.values = values.to_vec();
            outcome.exact = Some(1.0 / outcomes.len() as f64);
            outcome
        };
        answer.outcomes = outcomes.iter().map(one).collect();
        answer
    }

    fn named(answer: &Answer) -> Vec<(String, RgbColor)> {
        let bands = OutcomeStackBands::from_cells_of_action(&[answer]).bands;
        bands.into_iter().map(|band| (band.name, band.ink)).collect()
    }

    #[test]
    fn an_outcome_is_the_worst_that_happens_in_it() {
        let answer = happening(&[[0, 0], [0, 1], [1, 1], [0, 2], [1, 0]]);
        let bands = OutcomeStackBands::from_cells_of_action(&[&answer]);
        let names: Vec<_> = bands.bands.iter().map(|band| band.name.as_str()).collect();
        assert_eq!(names, ["no effect", "break: 1", "break: 2", "kill"]);
        let shares: Vec<_> = bands.band_shares_of_cell(&answer).iter().map(|s| s.round()).collect();
        assert_eq!(shares, [20.0, 20.0, 20.0, 40.0]);
    }

    /// A kill has one colour, whether or not anything breaks beside it, and worse is darker.
    #[test]
    fn a_colour_means_the_same_in_every_picture() {
        let alone = named(&happening(&[[0, 0], [1, 0]]));
        let among = named(&happening(&[[0, 0], [0, 1], [0, 2], [0, 3], [0, 9], [1, 0], [2, 0]]));
        assert_eq!(alone[0].1, NO_EFFECT_COLOR);
        let of = |bands: &[(String, RgbColor)], name: &str| {
            bands.iter().find(|(known, _)| known == name).map(|(_, ink)| *ink)
        };
        assert_eq!(of(&alone, "kill"), of(&among, "kill: 1"));
        let light: Vec<_> = among.iter().map(|(_, ink)| ink.relative_luminance()).collect();
        assert!(light.windows(2).all(|two| two[0] > two[1]), "{light:?}");
    }

    /// A word in a bar and the values of its outcome have one colour.
    #[test]
    fn a_word_has_the_colour_of_its_outcome() {
        let answer = happening(&[[0, 0], [0, 1], [1, 0]]);
        let bands = OutcomeStackBands::from_cells_of_action(&[&answer]);
        assert_eq!(
            bands.color_of_category_word("kill"),
            bands.color_of_outcome(&answer.fields, &[1, 0])
        );
        assert_eq!(
            bands.color_of_category_word("break"),
            bands.color_of_outcome(&answer.fields, &[0, 1])
        );
        assert_eq!(
            bands.color_of_category_word("no effect"),
            bands.color_of_outcome(&answer.fields, &[0, 0])
        );
    }

    /// Own kills are a gain: the largest is at the good end, and no two have one colour.
    #[test]
    fn gains_differ_in_colour() {
        let mut answer = happening(&[[0, 0], [1, 0], [2, 0], [3, 0], [0, 1]]);
        let mut fields = answer.fields.to_vec();
        fields[0].harm =
            Some(enfilade_model::combat::HarmDegree { degree: -80, word: "ours".into() });
        answer.fields = fields.into();
        let bands = named(&answer);
        let names: Vec<_> = bands.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["ours: 3", "ours: 2", "ours: 1", "no effect", "break"]);
        let light: Vec<_> = bands[..3].iter().map(|(_, ink)| ink.relative_luminance()).collect();
        assert!(light.windows(2).all(|two| two[1] - two[0] > 0.1), "{light:?}");
    }

    #[test]
    fn what_is_no_harm_is_told_by_its_outcomes() {
        let mut answers = test_answers::build_grid();
        let template = answers[0].outcomes[0].clone();
        for answer in &mut answers {
            answer.fields = answer
                .fields
                .iter()
                .cloned()
                .map(|mut field| {
                    field.harm = None;
                    field
                })
                .collect();
            answer.unsettled = Some(0.05);
            answer.outcomes = (1..=19)
                .map(|i| {
                    let mut outcome = template.clone();
                    outcome.values = vec![i, 0];
                    outcome.exact = Some(f64::from(i) / 200.0);
                    outcome
                })
                .collect();
        }
        let cells: Vec<_> = answers.iter().collect();
        let bands = OutcomeStackBands::from_cells_of_action(&cells);
        // 19 outcomes: the seven likeliest, all others, unfinished.
        let names: Vec<_> = bands.bands.iter().map(|band| band.name.as_str()).collect();
        assert_eq!(names.len(), 9);
        assert_eq!((names[0], names[6]), ("13 squads eliminated", "19 squads eliminated"));
        assert_eq!(names[7..], ["all others", "not settled"]);
        let shares = bands.band_shares_of_cell(cells[0]);
        assert!((shares.iter().sum::<f64>() - 100.0).abs() < 1e-9);
        assert!((shares[7] - 39.0).abs() < 1e-9);
    }
}
