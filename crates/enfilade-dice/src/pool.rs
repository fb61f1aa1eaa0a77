//! The distribution of dice that are rolled together: rerolled, exploding, kept and dropped, added
//! up or counted.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use super::law::{Law, ratio};
use super::tree::{Extra, Joins, Pool, Reroll};
use super::work::{TooMuch, Work};

/// Probability of further explosions that is left out.
const LEFT_OUT: f64 = 1e-9;

/// Reason why there is no distribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The count would take too long.
    TooMuch,
    /// The dice cannot be rolled that way: cause and remedy.
    Because(&'static str, &'static str),
}

impl From<TooMuch> for Refused {
    fn from(_: TooMuch) -> Refused {
        Refused::TooMuch
    }
}

/// Cut of dice that explode without limit: extra dice of one die, and the probability of more of
/// them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// Extra dice of one die that were counted.
    pub most: usize,
    /// Probability that any of the dice brings more.
    pub beyond: f64,
}

/// Dice whose number and faces are determined.
pub struct Rolled<'p> {
    /// Operations on the dice.
    pub pool: &'p Pool,
    /// Number of dice.
    pub count: usize,
    /// Distribution of one die.
    pub die: Law,
    /// Test of a face that counts as one; faces are added up when `None`.
    pub passes: Option<&'p dyn Fn(i64) -> bool>,
}

impl Rolled<'_> {
    /// Computes the distribution of the sum, or of the number of dice that pass.
    pub fn law(&self, work: &mut Work) -> Result<(Law, Option<Cut>), Refused> {
        let first = match &self.pool.reroll {
            Some(reroll) => self.rerolled(reroll, work)?,
            None => self.die.clone(),
        };
        let (low, high) = self.skips();
        let (one, cut) = match &self.pool.extra {
            None => (first, None),
            Some(extra) if low + high > 0 && extra.joins != Joins::Together => {
                let help = "use `!!`, as in `4d6!!kh3`, which adds extra dice to their die";
                return Err(Refused::Because("exploding dice cannot be kept or dropped", help));
            }
            Some(extra) => {
                let (law, cut) = self.exploded(&first, extra, work)?;
                if extra.joins == Joins::Apart {
                    // Extra dice are separate dice, so each has already been counted with its
                    // value.
                    return Ok((law.times(self.count, work)?, cut));
                }
                (law, cut)
            }
        };
        let law = match low + high {
            0 => one.map(|face| self.worth(face), work)?.times(self.count, work)?,
            _ => self.kept(&one, (low, high), work)?,
        };
        Ok((law, cut))
    }

    fn worth(&self, face: i64) -> i64 {
        self.passes.map_or(face, |passes| i64::from(passes(face)))
    }

    fn highest(&self) -> i64 {
        self.die.ends().1
    }

    /// Returns the numbers of dice that are left out at the low end and at the high end.
    fn skips(&self) -> (usize, usize) {
        let skips = self.pool.keep.iter().map(|keep| keep.skips(self.count));
        skips.fold((0, 0), |(low, high), (more_low, more_high)| (low + more_low, high + more_high))
    }

    fn rerolled(&self, reroll: &Reroll, work: &mut Work) -> Result<Law, Refused> {
        let again = |face| reroll.faces.hold(face, self.highest());
        let faces = || self.die.ways().map(|(face, ways)| (face, ways.clone()));
        let stay: Vec<_> = faces().filter(|(face, _)| !again(*face)).collect();
        if stay.is_empty() && !reroll.once {
            let help = "use `ro` or `reroll`, which roll these faces only once more";
            return Err(Refused::Because("every face of this die is rolled again, for ever", help));
        }
        if !reroll.once || stay.len() == self.die.ways().count() {
            return Ok(Law::of(&stay));
        }
        let thrown: UBig = faces().filter(|(face, _)| again(*face)).map(|(_, ways)| ways).sum();
        // A die that is rolled again may show any face, also one that is to be rolled again.
        let mut laws = vec![(thrown.clone(), self.die.clone())];
        if !stay.is_empty() {
            laws.push((self.die.total() - thrown, Law::of(&stay)));
        }
        Ok(Law::mixed(&laws, work)?)
    }

    /// Computes the distribution of one die with its extra dice: their value, or their sum where
    /// they are one die.
    fn exploded(
        &self,
        first: &Law,
        extra: &Extra,
        work: &mut Work,
    ) -> Result<(Law, Option<Cut>), Refused> {
        let bursts = |face| extra.faces.hold(face, self.highest());
        let (goes_on, later) = (share(first, bursts), share(&self.die, bursts));
        let cut = match extra.most {
            Some(_) => None,
            None if later >= 1.0 && goes_on > 0.0 => {
                let help = "say how often, as in `d6! up to 3`";
                return Err(Refused::Because("this die explodes for ever", help));
            }
            None => Some(cut(self.count as f64 * goes_on, later)),
        };
        let most = extra.most.map_or_else(|| cut.map_or(0, |cut| cut.most), usize::from);
        let shown = |face: i64| match extra.joins {
            Joins::Apart => self.worth(face),
            Joins::Together | Joins::Weaker => face,
        };
        let weaker = |face: i64| shown(face) - i64::from(extra.joins == Joins::Weaker);
        if most == 0 {
            return Ok((first.map(shown, work)?, cut));
        }
        // From the last extra die back to the first throw, which alone is rerolled before it explodes.
        let mut rest = self.die.map(weaker, work)?;
        for _ in 1..most {
            rest = followed(&self.die, (&bursts, &weaker), &rest, work)?;
        }
        Ok((followed(first, (&bursts, &shown), &rest, work)?, cut))
    }

    /// Computes the distribution of the total value of the dice between the lowest and the highest.
    ///
    /// Faces are visited from the highest down. At each face, some of the remaining dice show it,
    /// in as many ways as they can be chosen, and those that are not left out add its value.
    fn kept(
        &self,
        one: &Law,
        (low, high): (usize, usize),
        work: &mut Work,
    ) -> Result<Law, Refused> {
        let n = self.count;
        let counted = high..n.saturating_sub(low).max(high);
        let faces: Vec<_> = one.ways().collect();
        let worth = faces.iter().map(|(face, _)| self.worth(*face));
        let least = worth.clone().min().unwrap_or(0);
        let span = usize::try_from(worth.max().unwrap_or(0) - least).map_err(|_| TooMuch)?;
        let longest = counted.len().saturating_mul(span).saturating_add(1);
        let bits = n * one.total().bit_len();
        let sums = n.saturating_mul(n) / 2 * faces.len();
        work.products(sums.saturating_mul(longest).saturating_add(n * longest), bits, bits / 2)?;
        let choose = pascal(n);
        // Ways to each sum, by the number of dice that have already shown a face.
        let mut shown = vec![vec![UBig::ZERO; longest]; n + 1];
        shown[0][0] = UBig::ONE;
        for (face, ways) in faces.iter().rev() {
            work.go_on()?;
            let worth = usize::try_from(self.worth(*face) - least).map_err(|_| TooMuch)?;
            let mut next = vec![vec![UBig::ZERO; longest]; n + 1];
            for (before, sums) in shown.iter().enumerate() {
                let mut each = UBig::ONE;
                for (now, choices) in choose[n - before].iter().enumerate() {
                    let adds = overlap(before..before + now, &counted) * worth;
                    add_shifted(&mut next[before + now], sums, adds, &(choices * &each));
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
        Ok(Law::of(&named))
    }
}

/// Returns the share of a die's ways that show a bursting face.
fn share(die: &Law, bursts: impl Fn(i64) -> bool) -> f64 {
    let ways: UBig = die.ways().filter(|(face, _)| bursts(*face)).map(|(_, ways)| ways).sum();
    ratio(&ways, &die.total())
}

/// Finds the number of extra dice of each die after which the probability of one more may be left
/// out.
fn cut(any: f64, later: f64) -> Cut {
    let mut cut = Cut { most: 0, beyond: any };
    while cut.beyond >= LEFT_OUT {
        cut.beyond *= later;
        cut.most += 1;
    }
    cut
}

/// Computes the distribution of a die whose bursting faces are followed by `rest`.
fn followed(
    die: &Law,
    (bursts, shown): (&dyn Fn(i64) -> bool, &dyn Fn(i64) -> i64),
    rest: &Law,
    work: &mut Work,
) -> Result<Law, TooMuch> {
    let bursting = die.ways().filter(|(face, _)| bursts(*face)).count();
    let (many, long) = rest.size();
    work.products(bursting * many + die.size().0, die.size().1, long)?;
    // After a face that does not burst, the rest is not rolled; the weight of this face is
    // multiplied as if it were.
    let total = rest.total();
    let mut named = Vec::new();
    for (face, ways) in die.ways() {
        match bursts(face) {
            true => {
                named.extend(rest.ways().map(|(value, more)| (shown(face) + value, ways * more)))
            }
            false => named.push((shown(face), ways * &total)),
        }
    }
    Ok(Law::of(&named))
}

/// Returns the number of integers that two ranges share.
fn overlap(a: std::ops::Range<usize>, b: &std::ops::Range<usize>) -> usize {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}

fn add_shifted(to: &mut [UBig], from: &[UBig], shift: usize, factor: &UBig) {
    for (to, from) in to[shift..].iter_mut().zip(from) {
        if *from != UBig::ZERO {
            *to += from * factor;
        }
    }
}

/// Builds rows 0 to `n` of Pascal's triangle.
fn pascal(n: usize) -> Vec<Vec<UBig>> {
    let mut rows = vec![vec![UBig::ONE]];
    for i in 1..=n {
        let above = &rows[i - 1];
        let inner = above.windows(2).map(|pair| &pair[0] + &pair[1]);
        let row = std::iter::once(UBig::ONE).chain(inner).chain([UBig::ONE]).collect();
        rows.push(row);
    }
    rows
}
