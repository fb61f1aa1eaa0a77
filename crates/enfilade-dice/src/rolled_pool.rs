//! The distribution of dice that are rolled together: rerolled, exploding, kept and dropped, added
//! up or counted.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use super::expression_tree::{DicePool, ExtraDiceJoining, ExtraDiceRule, RerolledFaces};
use super::way_counts::{WayCounts, divide_to_f64};
use super::work_budget::{CostOrCancelError, WorkBudget};

/// Probability of further explosions that is left out.
const NEGLIGIBLE_EXPLOSIONS: f64 = 1e-9;

/// Reason why there is no distribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PoolRefusal {
    /// The count would take too long.
    TooMuch,
    /// The dice cannot be rolled in this way: cause and remedy.
    Because(&'static str, &'static str),
}

impl From<CostOrCancelError> for PoolRefusal {
    fn from(_: CostOrCancelError) -> PoolRefusal {
        PoolRefusal::TooMuch
    }
}

/// Cut of dice that explode without limit: extra dice of one die, and the probability of more of
/// them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExplodingDiceCutoff {
    /// Extra dice of one die that were counted.
    pub most: usize,
    /// Probability that any of the dice brings more.
    pub beyond: f64,
}

/// Dice whose number and faces are determined.
pub struct EvaluatedPool<'p> {
    /// Operations on the dice.
    pub pool: &'p DicePool,
    /// Number of dice.
    pub count: usize,
    /// Distribution of one die.
    pub die: WayCounts,
    /// Test of a face that counts as one; faces are added up when `None`.
    pub passes: Option<&'p dyn Fn(i64) -> bool>,
}

impl EvaluatedPool<'_> {
    /// Computes the distribution of the sum, or of the number of dice that pass.
    ///
    /// # Errors
    /// If the dice cannot be rolled in this way, or the work would exceed its budget or was
    /// cancelled.
    pub fn compute_distribution(
        &self,
        work: &mut WorkBudget,
    ) -> Result<(WayCounts, Option<ExplodingDiceCutoff>), PoolRefusal> {
        let first = match &self.pool.reroll {
            Some(reroll) => self.rerolled_die_distribution(reroll, work)?,
            None => self.die.clone(),
        };
        let (low, high) = self.dropped_low_and_high();
        let (one, cut) = match &self.pool.extra {
            None => (first, None),
            Some(extra) if low + high > 0 && extra.joins != ExtraDiceJoining::Together => {
                let help = "use `!!`, as in `4d6!!kh3`, which adds extra dice to their die";
                return Err(PoolRefusal::Because("exploding dice cannot be kept or dropped", help));
            }
            Some(extra) => {
                let (law, cut) = self.exploded_die_distribution(&first, extra, work)?;
                if extra.joins == ExtraDiceJoining::Apart {
                    // Extra dice are separate dice, so each has already been counted with its
                    // value.
                    return Ok((law.sum_copies(self.count, work)?, cut));
                }
                (law, cut)
            }
        };
        let law = match low + high {
            0 => one
                .map_each_value(|face| self.counted_value_of_face(face), work)?
                .sum_copies(self.count, work)?,
            _ => self.kept_sum_distribution(&one, (low, high), work)?,
        };
        Ok((law, cut))
    }

    fn counted_value_of_face(&self, face: i64) -> i64 {
        self.passes.map_or(face, |passes| i64::from(passes(face)))
    }

    fn highest_face_of_die(&self) -> i64 {
        self.die.value_range().1
    }

    /// Returns the numbers of dice that are left out at the low end and at the high end.
    fn dropped_low_and_high(&self) -> (usize, usize) {
        let skips = self.pool.keep.iter().map(|keep| keep.dropped_low_and_high(self.count));
        skips.fold((0, 0), |(low, high), (more_low, more_high)| (low + more_low, high + more_high))
    }

    fn rerolled_die_distribution(
        &self,
        reroll: &RerolledFaces,
        work: &mut WorkBudget,
    ) -> Result<WayCounts, PoolRefusal> {
        let again = |face| reroll.faces.contains(face, self.highest_face_of_die());
        let faces = || self.die.values_with_ways().map(|(face, ways)| (face, ways.clone()));
        let stay: Vec<_> = faces().filter(|(face, _)| !again(*face)).collect();
        if stay.is_empty() && !reroll.once {
            let help = "use `ro` or `reroll`, which roll these faces only once more";
            return Err(PoolRefusal::Because(
                "every face of this die is rerolled, so the roll never ends",
                help,
            ));
        }
        if !reroll.once || stay.len() == self.die.values_with_ways().count() {
            return Ok(WayCounts::from_value_way_pairs(&stay));
        }
        let thrown: UBig = faces().filter(|(face, _)| again(*face)).map(|(_, ways)| ways).sum();
        // A die that is rolled again may show any face, also one that is to be rolled again.
        let mut laws = vec![(thrown.clone(), self.die.clone())];
        if !stay.is_empty() {
            laws.push((self.die.total_ways() - thrown, WayCounts::from_value_way_pairs(&stay)));
        }
        Ok(WayCounts::mix_distributions(&laws, work)?)
    }

    /// Computes the distribution of one die with its extra dice: their value, or their sum where
    /// they are one die.
    fn exploded_die_distribution(
        &self,
        first: &WayCounts,
        extra: &ExtraDiceRule,
        work: &mut WorkBudget,
    ) -> Result<(WayCounts, Option<ExplodingDiceCutoff>), PoolRefusal> {
        let bursts = |face| extra.faces.contains(face, self.highest_face_of_die());
        let (goes_on, later) =
            (bursting_face_share(first, bursts), bursting_face_share(&self.die, bursts));
        let cut = match extra.most {
            Some(_) => None,
            None if later >= 1.0 && goes_on > 0.0 => {
                let help = "limit the extra dice, as in `d6! up to 3`";
                return Err(PoolRefusal::Because(
                    "every face of this die explodes, so the roll never ends",
                    help,
                ));
            }
            None => Some(find_explosion_cutoff(self.count as f64 * goes_on, later)),
        };
        let most = extra.most.map_or_else(|| cut.map_or(0, |cut| cut.most), usize::from);
        let shown = |face: i64| match extra.joins {
            ExtraDiceJoining::Apart => self.counted_value_of_face(face),
            ExtraDiceJoining::Together | ExtraDiceJoining::Weaker => face,
        };
        let weaker = |face: i64| shown(face) - i64::from(extra.joins == ExtraDiceJoining::Weaker);
        if most == 0 {
            return Ok((first.map_each_value(shown, work)?, cut));
        }
        // From the last extra die back to the first throw, which alone is rerolled before it
        // explodes.
        let mut rest = self.die.map_each_value(weaker, work)?;
        for _ in 1..most {
            rest = followed_by_rest_on_burst(&self.die, (&bursts, &weaker), &rest, work)?;
        }
        Ok((followed_by_rest_on_burst(first, (&bursts, &shown), &rest, work)?, cut))
    }

    /// Computes the distribution of the total value of the dice between the lowest and the highest.
    ///
    /// Faces are visited from the highest down. At each face, some of the remaining dice show it,
    /// in as many ways as they can be chosen, and those that are not left out add its value.
    fn kept_sum_distribution(
        &self,
        one: &WayCounts,
        (low, high): (usize, usize),
        work: &mut WorkBudget,
    ) -> Result<WayCounts, PoolRefusal> {
        let n = self.count;
        let counted = high..n.saturating_sub(low).max(high);
        let faces: Vec<_> = one.values_with_ways().collect();
        let worth = faces.iter().map(|(face, _)| self.counted_value_of_face(*face));
        let least = worth.clone().min().unwrap_or(0);
        let span =
            usize::try_from(worth.max().unwrap_or(0) - least).map_err(|_| CostOrCancelError)?;
        let longest = counted.len().saturating_mul(span).saturating_add(1);
        let bits = n * one.total_ways().bit_len();
        let sums = n.saturating_mul(n) / 2 * faces.len();
        work.charge_multiplications(
            sums.saturating_mul(longest).saturating_add(n * longest),
            bits,
            bits / 2,
        )?;
        let choose = build_pascal_rows(n);
        // Ways to each sum, by the number of dice that have already shown a face.
        let mut shown = vec![vec![UBig::ZERO; longest]; n + 1];
        shown[0][0] = UBig::ONE;
        for (face, ways) in faces.iter().rev() {
            work.check_cancelled()?;
            let worth = usize::try_from(self.counted_value_of_face(*face) - least)
                .map_err(|_| CostOrCancelError)?;
            let mut next = vec![vec![UBig::ZERO; longest]; n + 1];
            for (before, sums) in shown.iter().enumerate() {
                let mut each = UBig::ONE;
                for (now, choices) in choose[n - before].iter().enumerate() {
                    let adds = length_of_range_overlap(before..before + now, &counted) * worth;
                    add_shifted_counts(&mut next[before + now], sums, adds, &(choices * &each));
                    each *= *ways;
                }
            }
            shown = next;
        }
        let least = least * counted.len() as i64;
        let sums: Vec<_> = shown
            .swap_remove(n)
            .into_iter()
            .enumerate()
            .filter(|(_, n)| *n != UBig::ZERO)
            .collect();
        let named: Vec<_> =
            sums.into_iter().map(|(sum, ways)| (least + sum as i64, ways)).collect();
        Ok(WayCounts::from_value_way_pairs(&named))
    }
}

/// Returns the share of a die's ways that show a bursting face.
fn bursting_face_share(die: &WayCounts, bursts: impl Fn(i64) -> bool) -> f64 {
    let ways: UBig =
        die.values_with_ways().filter(|(face, _)| bursts(*face)).map(|(_, ways)| ways).sum();
    divide_to_f64(&ways, &die.total_ways())
}

/// Finds the number of extra dice of each die after which the probability of one more may be left
/// out.
fn find_explosion_cutoff(any: f64, later: f64) -> ExplodingDiceCutoff {
    let mut cut = ExplodingDiceCutoff { most: 0, beyond: any };
    while cut.beyond >= NEGLIGIBLE_EXPLOSIONS {
        cut.beyond *= later;
        cut.most += 1;
    }
    cut
}

/// Computes the distribution of a die whose bursting faces are followed by `rest`.
fn followed_by_rest_on_burst(
    die: &WayCounts,
    (bursts, shown): (&dyn Fn(i64) -> bool, &dyn Fn(i64) -> i64),
    rest: &WayCounts,
    work: &mut WorkBudget,
) -> Result<WayCounts, CostOrCancelError> {
    let bursting = die.values_with_ways().filter(|(face, _)| bursts(*face)).count();
    let (many, long) = rest.value_count_and_bits();
    work.charge_multiplications(
        bursting * many + die.value_count_and_bits().0,
        die.value_count_and_bits().1,
        long,
    )?;
    // After a face that does not burst, the rest is not rolled; the weight of this face is
    // multiplied as if it were.
    let total = rest.total_ways();
    let mut named = Vec::new();
    for (face, ways) in die.values_with_ways() {
        match bursts(face) {
            true => named.extend(
                rest.values_with_ways().map(|(value, more)| (shown(face) + value, ways * more)),
            ),
            false => named.push((shown(face), ways * &total)),
        }
    }
    Ok(WayCounts::from_value_way_pairs(&named))
}

/// Returns the number of integers that two ranges share.
fn length_of_range_overlap(a: std::ops::Range<usize>, b: &std::ops::Range<usize>) -> usize {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}

fn add_shifted_counts(to: &mut [UBig], from: &[UBig], shift: usize, factor: &UBig) {
    for (to, from) in to[shift..].iter_mut().zip(from) {
        if *from != UBig::ZERO {
            *to += from * factor;
        }
    }
}

/// Builds rows 0 to `n` of Pascal's triangle.
fn build_pascal_rows(n: usize) -> Vec<Vec<UBig>> {
    let mut rows = vec![vec![UBig::ONE]];
    for i in 1..=n {
        let above = &rows[i - 1];
        let inner = above.windows(2).map(|pair| &pair[0] + &pair[1]);
        let row = std::iter::once(UBig::ONE).chain(inner).chain([UBig::ONE]).collect();
        rows.push(row);
    }
    rows
}
