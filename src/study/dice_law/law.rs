//! Laws of whole numbers, in counts of equally likely ways.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use super::parse::{Comparison, Dice, Expression, Keep, Sum, Term};
use super::{DICE, DiceLaw};
use crate::error::LocatedFault;
use crate::form::Fault;

/// Multiplications of big numbers after which an expression is refused: about a second.
const WORK: u64 = 20_000_000;

/// What a value costs beside them, since all values are kept.
const VALUE: u64 = 20;

/// The law of a whole number: how many ways lead to each value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    low: i64,
    ways: Vec<UBig>,
}

impl Law {
    /// The law of a number that is always `value`.
    pub fn constant(value: i64) -> Law {
        Law { low: value, ways: vec![UBig::ONE] }
    }

    /// The values that can come up with the number of ways to each, lowest first.
    pub fn ways(&self) -> impl DoubleEndedIterator<Item = (i64, &UBig)> {
        let values = (self.low..).zip(&self.ways);
        let values: Vec<_> = values.filter(|(_, ways)| **ways != UBig::ZERO).collect();
        values.into_iter()
    }

    /// All ways the dice can fall.
    pub fn total(&self) -> UBig {
        self.ways.iter().sum()
    }

    /// The ways to `value` and all ways, not reduced.
    pub fn fraction(&self, value: i64) -> (UBig, UBig) {
        let index = usize::try_from(value - self.low).ok();
        let ways = index.and_then(|index| self.ways.get(index)).cloned();
        (ways.unwrap_or_default(), self.total())
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        let (first, _) = self.moments();
        self.low as f64 + ratio(&first, &self.total())
    }

    /// The standard deviation.
    pub fn deviation(&self) -> f64 {
        let total = self.total();
        let (first, second) = self.moments();
        // n·Σx² − (Σx)², which is never negative, is taken in whole numbers: nothing cancels.
        let spread = &second * &total - &first * &first;
        ratio(&spread, &(&total * &total)).sqrt()
    }

    /// Sums of x and of x² over all ways, x counted from the lowest value.
    fn moments(&self) -> (UBig, UBig) {
        let (mut first, mut second) = (UBig::ZERO, UBig::ZERO);
        for (x, ways) in self.ways.iter().enumerate() {
            first += ways * UBig::from(x);
            second += ways * UBig::from(x) * UBig::from(x);
        }
        (first, second)
    }

    fn highest(&self) -> i64 {
        self.low + i64::try_from(self.ways.len()).unwrap_or(i64::MAX) - 1
    }

    /// The law of the sum of two independent numbers.
    fn plus(&self, other: &Law) -> Law {
        let mut ways = vec![UBig::ZERO; self.ways.len() + other.ways.len() - 1];
        for (i, a) in self.ways.iter().enumerate().filter(|(_, a)| **a != UBig::ZERO) {
            for (sum, b) in ways[i..].iter_mut().zip(&other.ways) {
                *sum += a * b;
            }
        }
        Law { low: self.low + other.low, ways }
    }

    /// The law of the sum with one fair die: a window of `sides` slides over the ways.
    fn plus_die(&self, sides: u16) -> Law {
        let sides = usize::from(sides);
        let mut window = UBig::ZERO;
        let mut ways = Vec::with_capacity(self.ways.len() + sides - 1);
        for i in 0..self.ways.len() + sides - 1 {
            if let Some(enters) = self.ways.get(i) {
                window += enters;
            }
            if let Some(leaves) = i.checked_sub(sides).and_then(|i| self.ways.get(i)) {
                window -= leaves;
            }
            ways.push(window.clone());
        }
        Law { low: self.low + 1, ways }
    }

    /// The law of `factor` times the number.
    fn times(&self, factor: i64) -> Law {
        if factor == 0 {
            return Law { low: 0, ways: vec![self.total()] };
        }
        let stride = usize::try_from(factor.unsigned_abs()).unwrap_or(usize::MAX);
        let mut ways = vec![UBig::ZERO; (self.ways.len() - 1) * stride + 1];
        for (i, way) in self.ways.iter().enumerate() {
            ways[i * stride] = way.clone();
        }
        if factor < 0 {
            ways.reverse();
        }
        let low = factor * if factor < 0 { self.highest() } else { self.low };
        Law { low, ways }
    }

    /// The ways in which `holds` is false, and those in which it is true.
    fn split(&self, holds: impl Fn(i64) -> bool) -> Law {
        let mut ways = vec![UBig::ZERO; 2];
        for (value, n) in (self.low..).zip(&self.ways) {
            ways[usize::from(holds(value))] += n;
        }
        Law { low: 0, ways }
    }
}

/// `numerator / denominator` as the nearest number or its neighbour, however large both are. The
/// denominator must be positive.
pub fn ratio(numerator: &UBig, denominator: &UBig) -> f64 {
    if *numerator == UBig::ZERO {
        return 0.0;
    }
    // A quotient of 65 or 66 bits: more than a double holds, and no more than its range.
    let scale = 65 + denominator.bit_len() as i64 - numerator.bit_len() as i64;
    let shift = scale.unsigned_abs() as usize;
    let quotient = if scale >= 0 {
        (numerator << shift) / denominator
    } else {
        numerator / (denominator << shift)
    };
    quotient.to_f64().value() * 2.0_f64.powi(-i32::try_from(scale).unwrap_or(i32::MAX))
}

/// The law of a parsed expression.
pub fn evaluate(expression: &Expression) -> Result<DiceLaw, LocatedFault> {
    let negated = |term: &Term| Term { factor: -term.factor, ..term.clone() };
    let mut terms = expression.left.clone();
    if let Some((_, right)) = &expression.right {
        terms.extend(right.iter().map(negated));
    }
    let difference = sum(&terms)?;
    Ok(match expression.right {
        None => DiceLaw { law: difference, yes_or_no: false },
        Some((comparison, _)) => {
            DiceLaw { law: difference.split(|value| comparison.holds(value)), yes_or_no: true }
        }
    })
}

impl Comparison {
    /// Whether the comparison holds for two numbers with this difference, left minus right.
    fn holds(self, difference: i64) -> bool {
        match self {
            Comparison::AtLeast => difference >= 0,
            Comparison::AtMost => difference <= 0,
            Comparison::More => difference > 0,
            Comparison::Less => difference < 0,
            Comparison::Equal => difference == 0,
            Comparison::Unequal => difference != 0,
        }
    }
}

fn sum(terms: &Sum) -> Result<Law, LocatedFault> {
    affordable(terms)?;
    let add = |law: Law, term: &Term| match term.dice {
        None => Law { low: law.low + term.factor, ..law },
        Some(dice) => roll(dice).times(term.factor).plus(&law),
    };
    Ok(terms.iter().fold(Law::constant(0), add))
}

/// Checks what all terms together cost before the first of them is rolled.
fn affordable(terms: &Sum) -> Result<(), LocatedFault> {
    let mut work = Budget::default();
    let mut values = 1;
    for term in terms {
        let Some(dice) = term.dice else { continue };
        work.roll(dice, &term.span)?;
        let one = values_of(dice);
        let factor = term.factor.unsigned_abs();
        work.spend(one * values + VALUE * one * factor, &term.span)?;
        values += (one - 1) * factor;
    }
    Ok(())
}

/// How many values the sum of the dice that count has, from all ones to all highest faces.
fn values_of(dice: Dice) -> u64 {
    let counted = match dice.keep {
        None => dice.count,
        Some(Keep::Highest(k) | Keep::Lowest(k)) => k,
    };
    u64::from(counted) * (u64::from(dice.sides) - 1) + 1
}

/// What an expression has cost so far.
#[derive(Default)]
struct Budget {
    dice: i64,
    work: u64,
}

impl Budget {
    fn roll(&mut self, dice: Dice, span: &std::ops::Range<usize>) -> Result<(), LocatedFault> {
        self.dice += i64::from(dice.count);
        if let Err(problem) = DICE.check(self.dice) {
            let fault = Fault::new("", problem);
            return Err(LocatedFault { fault, span: span.clone() });
        }
        let (n, sides) = (u64::from(dice.count), u64::from(dice.sides));
        let cost = match dice.keep {
            None => n * n * sides / 2,
            Some(Keep::Highest(k) | Keep::Lowest(k)) => n * n * sides * u64::from(k) * sides / 2,
        };
        self.spend(cost, span)
    }

    fn spend(&mut self, cost: u64, span: &std::ops::Range<usize>) -> Result<(), LocatedFault> {
        self.work += cost;
        if self.work <= WORK {
            return Ok(());
        }
        let fault = Fault::new("", "the expression has too many dice and values to be counted");
        let fault = fault.help("roll fewer dice, or dice with fewer sides");
        Err(LocatedFault { fault, span: span.clone() })
    }
}

fn roll(dice: Dice) -> Law {
    match dice.keep {
        None => (0..dice.count).fold(Law::constant(0), |law, _| law.plus_die(dice.sides)),
        Some(Keep::Highest(k)) => keep_highest(dice.count, dice.sides, k),
        // Turned over, the lowest dice are the highest: a face f of s shows s + 1 - f.
        Some(Keep::Lowest(k)) => {
            let mirrored = keep_highest(dice.count, dice.sides, k).times(-1);
            let low = mirrored.low + i64::from(k) * (i64::from(dice.sides) + 1);
            Law { low, ..mirrored }
        }
    }
}

/// The law of the sum of the `k` highest of `n` dice.
///
/// Faces are gone through from the highest down. Each time some of the dice left show that face,
/// in as many ways as they can be chosen, and those among the first `k` add it to the sum.
fn keep_highest(n: u16, sides: u16, k: u16) -> Law {
    let (n, k) = (usize::from(n), usize::from(k));
    let longest = k * usize::from(sides) + 1;
    let choose = pascal(n);
    // By number of dice that have shown a face already: the ways to each sum.
    let mut shown = vec![vec![UBig::ZERO; longest]; n + 1];
    shown[0][0] = UBig::ONE;
    for face in (1..=usize::from(sides)).rev() {
        let mut next = vec![vec![UBig::ZERO; longest]; n + 1];
        for (before, ways) in shown.iter().enumerate() {
            for (now, choices) in choose[n - before].iter().enumerate() {
                let counted = now.min(k.saturating_sub(before));
                add_shifted(&mut next[before + now], ways, counted * face, choices);
            }
        }
        shown = next;
    }
    Law { low: k as i64, ways: shown[n].split_off(k) }
}

fn add_shifted(to: &mut [UBig], from: &[UBig], shift: usize, factor: &UBig) {
    for (to, from) in to[shift..].iter_mut().zip(from) {
        if *from != UBig::ZERO {
            *to += from * factor;
        }
    }
}

/// Rows 0 to `n` of Pascal's triangle.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way `dice` can fall, each die 1 to its sides.
    fn falls(dice: &[u8]) -> Vec<Vec<i64>> {
        dice.iter().fold(vec![Vec::new()], |falls, &sides| {
            let longer = |fall: Vec<i64>| {
                (1..=i64::from(sides)).map(move |face| [fall.as_slice(), &[face]].concat())
            };
            falls.into_iter().flat_map(longer).collect()
        })
    }

    /// The law of `text` is what counting all falls of `dice` with `value` gives.
    fn agrees(text: &str, dice: &[u8], value: impl Fn(&[i64]) -> i64) {
        let mut counted = std::collections::BTreeMap::<i64, u64>::new();
        for fall in falls(dice) {
            *counted.entry(value(&fall)).or_default() += 1;
        }
        let law = DiceLaw::of(text).expect(text).law;
        let ways: Vec<_> = law.ways().map(|(value, ways)| (value, ways.clone())).collect();
        let counted: Vec<_> =
            counted.into_iter().map(|(value, n)| (value, UBig::from(n))).collect();
        assert_eq!(ways, counted, "{text}");
    }

    fn kept(fall: &[i64], skip: usize, take: usize) -> i64 {
        let mut sorted = fall.to_vec();
        sorted.sort_unstable();
        sorted.iter().skip(skip).take(take).sum()
    }

    #[test]
    fn sums_agree_with_counting() {
        agrees("d8 + 4d6", &[8, 6, 6, 6, 6], |f| f.iter().sum());
        agrees("2d6 - d4 + 3", &[6, 6, 4], |f| f[0] + f[1] - f[2] + 3);
        agrees("-d6", &[6], |f| -f[0]);
        agrees("3 * d6 - 2*2d4", &[6, 4, 4], |f| 3 * f[0] - 2 * (f[1] + f[2]));
        agrees("2d8 down 1", &[6, 6], |f| f.iter().sum());
        agrees("2*3", &[], |_| 6);
        agrees("0*d6", &[6], |_| 0);
    }

    #[test]
    fn kept_dice_agree_with_counting() {
        agrees("4d6kh3", &[6; 4], |f| kept(f, 1, 3));
        agrees("4d6 drop lowest 1", &[6; 4], |f| kept(f, 1, 3));
        agrees("4d6 drop highest 1", &[6; 4], |f| kept(f, 0, 3));
        agrees("2d20kl1", &[20; 2], |f| kept(f, 0, 1));
        agrees("5d4kl2", &[4; 5], |f| kept(f, 0, 2));
        agrees("3d6kh3", &[6; 3], |f| kept(f, 0, 3));
        agrees("5d6kh1 - 3d4kl2", &[6, 6, 6, 6, 6, 4, 4, 4], |f| {
            kept(&f[..5], 4, 1) - kept(&f[5..], 0, 2)
        });
    }

    #[test]
    fn comparisons_agree_with_counting() {
        agrees("2d6 >= 8", &[6, 6], |f| i64::from(f[0] + f[1] >= 8));
        agrees("d20 <= 12", &[20], |f| i64::from(f[0] <= 12));
        agrees("d8 > d6", &[8, 6], |f| i64::from(f[0] > f[1]));
        agrees("d8 + 1 < 2d4", &[8, 4, 4], |f| i64::from(f[0] + 1 < f[1] + f[2]));
        agrees("2d6 = 7", &[6, 6], |f| i64::from(f[0] + f[1] == 7));
        agrees("2d6 != 7", &[6, 6], |f| i64::from(f[0] + f[1] != 7));
        agrees("d6 >= 7", &[6], |_| 0);
    }

    /// By hand: 2d6 has variance 2 · 35/12; 4d6 drop lowest has mean 15869/1296.
    #[test]
    fn means_and_deviations_are_known() {
        let law = |text| DiceLaw::of(text).expect("it can be read").law;
        assert_eq!(law("2d6").mean(), 7.0);
        assert!((law("2d6").deviation() - (35.0_f64 / 6.0).sqrt()).abs() < 1e-15);
        assert!((law("4d6kh3").mean() - 15869.0 / 1296.0).abs() < 1e-14);
        assert_eq!((law("5").mean(), law("5").deviation()), (5.0, 0.0));
        let many = law("1000d6");
        assert!((many.mean() - 3500.0).abs() < 1e-11);
        assert!((many.deviation() - (35_000.0_f64 / 12.0).sqrt()).abs() < 1e-11);
    }

    #[test]
    fn ratios_of_huge_numbers_are_finite() {
        let huge = UBig::from(6_u8).pow(1000);
        assert_eq!(ratio(&huge, &(&huge * UBig::from(4_u8))), 0.25);
        assert!((ratio(&huge, &(&huge * UBig::from(3_u8))) - 1.0 / 3.0).abs() < 1e-16);
        assert_eq!(ratio(&UBig::ONE, &huge), 0.0_f64.max(6.0_f64.powi(-1000)));
    }

    #[test]
    fn too_much_is_refused_at_the_term_that_is_too_much() {
        let refused = [
            ("1000d1000", 0..9),
            ("d6 + 1000d6", 5..11),
            ("d6 + 500d1000kh400", 5..18),
            ("999d6 + 10000*d1000", 8..19),
        ];
        for (text, span) in refused {
            let Err(crate::error::Error::Input { faults, .. }) = DiceLaw::of(text) else {
                panic!("{text} should have been refused");
            };
            assert_eq!((faults.len(), faults[0].span.clone()), (1, span), "{text}");
        }
        let ways = |text| DiceLaw::of(text).expect("it is small enough").law.total();
        assert_eq!(ways("1000d6"), UBig::from(6_u8).pow(1000));
        assert_eq!(ways("50d20kh10"), UBig::from(20_u8).pow(50));
    }
}
