//! Dice with a wanted distribution, compared with all members of the families, whose distributions
//! are computed here.

use std::collections::BTreeSet;

use enfilade_engine::cancel::{CancelToken, NEVER_CANCELLED};
use enfilade_seek::dice_search::{DiceSearch, DiceSearchAnswer};

/// Chances of a sum of dice, by value from `low` upward.
struct Chances {
    low: i64,
    chances: Vec<f64>,
}

impl Chances {
    /// Adds up `count` dice that show `faces` with equal chances.
    fn of_dice(count: usize, faces: &[i64]) -> Chances {
        let (least, most) = (*faces.iter().min().unwrap(), *faces.iter().max().unwrap());
        let mut chances = vec![1.0];
        for _ in 0..count {
            let mut next = vec![0.0; chances.len() + (most - least) as usize];
            for (at, chance) in chances.iter().enumerate() {
                for face in faces {
                    next[at + (face - least) as usize] += chance / faces.len() as f64;
                }
            }
            chances = next;
        }
        Chances { low: least * count as i64, chances }
    }

    fn mean(&self, of: impl Fn(f64) -> f64) -> f64 {
        let values = self.chances.iter().enumerate();
        values.map(|(at, chance)| chance * of((self.low + at as i64) as f64)).sum()
    }

    fn is_wanted(&self, plus: i64) -> bool {
        let mean = self.mean(|x| x) + plus as f64;
        let deviation = self.mean(|x| (x + plus as f64 - mean).powi(2)).sqrt();
        let zero = usize::try_from(-plus - self.low).ok().and_then(|at| self.chances.get(at));
        (mean - 7.0).abs() <= 0.1
            && (deviation - 2.0).abs() <= 0.1
            && zero.is_none_or(|p| *p <= 0.05)
    }
}

fn search(families: &[&str], wants: &[&str]) -> DiceSearchAnswer {
    let texts = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let search = DiceSearch::read(&texts(families), &texts(wants)).expect("in order");
    search.answer(&NEVER_CANCELLED).expect("it is answered")
}

#[test]
fn three_families_have_the_dice_that_all_their_members_have() {
    let families = [
        "{1..20}d{4,6,8,10,12} count {2..12}+",
        "{1..6}d{4..12 by 2} + {-4..4}",
        "{2..8}d{4..12 by 2} kh {1..2}",
    ];
    let wants = ["mean = 7 ± 0.1", "sd = 2 ± 0.1", "chance(0) <= 5 %"];
    let answer = search(&families[..2], &wants);
    let mut expected = BTreeSet::new();
    for sides in [4, 6, 8, 10, 12] {
        for count in 1..=20 {
            for least in 2..=sides {
                let faces: Vec<i64> = (1..=sides).map(|face| i64::from(face >= least)).collect();
                if Chances::of_dice(count, &faces).is_wanted(0) {
                    expected.insert(format!("{count}d{sides} count {least}+"));
                }
            }
        }
        for count in 1..=6 {
            let sum = Chances::of_dice(count, &(1..=sides).collect::<Vec<_>>());
            for plus in (-4..=4).filter(|plus| sum.is_wanted(*plus)) {
                expected.insert(format!("{count}d{sides} + {plus}"));
            }
        }
    }
    let found: BTreeSet<String> = answer.fits.iter().map(|dice| dice.text.clone()).collect();
    assert_eq!(found, expected);
    assert_eq!(found, BTreeSet::from(["17d12 count 8+".to_owned()]));
    // 700 counts of which a die can pass or fail, and 270 sums; 400 counts never pass.
    assert_eq!((answer.expressions, answer.left_out), (970, 400));
    let all = search(&families, &wants);
    assert_eq!(all.expressions, 970 + 70);
    assert!(all.fits.iter().any(|dice| dice.text == "17d12 count 8+"));
}

#[test]
fn the_fewest_dice_come_first() {
    let answer = search(&["{1..4}d{4..12 by 2}"], &["mean = 7 ± 0.5"]);
    let found: Vec<&str> = answer.fits.iter().map(|dice| dice.text.as_str()).collect();
    // Means are n(s + 1)/2: d12 has 6.5, two d6 7, three d4 7.5.
    assert_eq!(found, ["1d12", "2d6", "3d4"]);
    assert!(answer.fits[0].reached[0].is_tie && !answer.fits[1].reached[0].is_tie);
}

#[test]
fn the_nearest_are_shown_where_none_fits() {
    let answer = search(&["{1..3}d6"], &["mean = 6.5 ± 0.25"]);
    assert!(answer.fits.is_empty());
    // 3.5, 7 and 10.5 miss by 2.75, 0.25 and 3.75, in tolerances of 0.25.
    let misses: Vec<(&str, f64)> =
        answer.nearest.iter().map(|dice| (dice.text.as_str(), dice.reached[0].miss)).collect();
    assert_eq!(misses, [("2d6", 1.0), ("1d6", 11.0), ("3d6", 15.0)]);
    assert!(
        answer.summary_sentence().starts_with("None of 3 dice"),
        "{}",
        answer.summary_sentence()
    );
}

#[test]
fn misread_families_and_wants_are_listed_together() {
    let texts = |text: &str| vec![text.to_owned()];
    let fault = DiceSearch::read(&texts("{1..}d6"), &texts("mean 7")).expect_err("two faults");
    let fault = fault.to_string();
    assert!(fault.contains("list of values") && fault.contains("wants nothing"), "{fault}");
    let fault = DiceSearch::read(&texts("2d6"), &[]).expect_err("no want").to_string();
    assert!(fault.contains("--so-that"), "{fault}");
    let search =
        DiceSearch::read(&texts("{1..3}q6"), &texts("mean = 7 ± 1")).expect("braces are in order");
    assert!(search.answer(&NEVER_CANCELLED).is_err(), "no member can be read");
}

#[test]
fn a_stopped_search_has_no_answer() {
    let halt = CancelToken::new();
    halt.cancel();
    let search =
        DiceSearch::read(&["{1..9}d6".to_owned()], &["mean = 7 ± 1".to_owned()]).expect("in order");
    assert!(search.answer(&halt).is_err());
}
