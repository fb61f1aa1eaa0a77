//! Dice as players write them: every spelling of the list is understood, with the law that rolling
//! all dice one by one gives, or is answered with the right spelling. And what a rulebook in a text
//! file says about dice has the law that the rulebook gives it.

use std::collections::BTreeMap;

use enfilade_dice::{DiceDistribution, MeaningOfValues, divide_to_f64};
use enfilade_engine::exact::{reduce_fraction, solve_integer_weights};
use enfilade_engine::graph::DieGraph;
use enfilade_model::error::InputError;
use enfilade_testkit::test_timeout::finish_in_time;
use proptest::prelude::*;

use crate::{LIMITS, combat_of_rulebook};

/// Dice that go through all falls, one after the other: each fall is told by its faces.
struct Falls {
    faces: Vec<(u32, u32)>,
    rolled: usize,
    chance: f64,
}

/// Chances below which a fall is not followed.
const RARE: f64 = 1e-11;

impl Falls {
    /// The law of what `told` makes of the dice.
    fn law(told: impl Fn(&mut Falls) -> i64) -> BTreeMap<i64, f64> {
        let mut falls = Falls { faces: Vec::new(), rolled: 0, chance: 1.0 };
        let mut law = BTreeMap::new();
        loop {
            (falls.rolled, falls.chance) = (0, 1.0);
            let value = told(&mut falls);
            *law.entry(value).or_default() += falls.chance;
            falls.faces.truncate(falls.rolled);
            while falls.faces.last().is_some_and(|(face, sides)| face == sides) {
                falls.faces.pop();
            }
            match falls.faces.last_mut() {
                Some((face, _)) => *face += 1,
                None => return law,
            }
        }
    }

    fn d(&mut self, sides: u32) -> i64 {
        if self.rolled == self.faces.len() {
            self.faces.push((1, sides));
        }
        let (face, _) = self.faces[self.rolled];
        self.rolled += 1;
        self.chance /= f64::from(sides);
        face.into()
    }

    fn roll(&mut self, count: u32, sides: u32) -> Vec<i64> {
        let mut faces: Vec<_> = (0..count).map(|_| self.d(sides)).collect();
        faces.sort_unstable();
        faces
    }

    fn sum(&mut self, count: u32, sides: u32) -> i64 {
        self.roll(count, sides).iter().sum()
    }

    /// A die and those that its faces from `least` bring.
    fn exploding(&mut self, sides: u32, least: i64) -> Vec<i64> {
        let mut faces = vec![self.d(sides)];
        while faces.last().is_some_and(|face| *face >= least) && self.chance > RARE {
            faces.push(self.d(sides));
        }
        faces
    }

    fn until(&mut self, sides: u32, least: i64) -> i64 {
        let mut face = self.d(sides);
        while face < least && self.chance > RARE {
            face = self.d(sides);
        }
        face
    }

    fn once(&mut self, sides: u32, below: i64) -> i64 {
        let face = self.d(sides);
        if face < below { self.d(sides) } else { face }
    }
}

fn least(faces: &[i64], from: i64) -> i64 {
    faces.iter().filter(|face| **face >= from).count() as i64
}

fn agrees(text: &str, told: impl Fn(&mut Falls) -> i64) {
    let law =
        DiceDistribution::from_text(text).unwrap_or_else(|error| panic!("{text}: {error:?}")).law;
    let (total, mut oracle) = (law.total_ways(), Falls::law(told));
    for (value, ways) in law.values_with_ways() {
        let (here, there) = (divide_to_f64(ways, &total), oracle.remove(&value).unwrap_or(0.0));
        assert!((here - there).abs() < 2e-8, "{text} = {value}: {here} {there}");
    }
    // What is left is beyond the last explosion that was followed.
    let left: f64 = oracle.values().sum();
    assert!(left < 2e-8, "{text}: {oracle:?}");
}

#[test]
fn sums_and_what_is_kept_of_them() {
    agrees("3d6", |r| r.sum(3, 6));
    agrees("d%", |r| r.d(100));
    agrees("D100", |r| r.d(100));
    agrees("2d6+3", |r| r.sum(2, 6) + 3);
    agrees("d8 + 4d6", |r| r.d(8) + r.sum(4, 6));
    agrees("2d6 - d4 + 3", |r| r.sum(2, 6) - r.d(4) + 3);
    agrees("-d6", |r| -r.d(6));
    agrees("3 * d6 - 2*2d4", |r| 3 * r.d(6) - 2 * r.sum(2, 4));
    agrees("0*d6", |r| {
        r.d(6);
        0
    });
    for text in
        ["4d6kh3", "4d6dl1", "4d6dl", "4d6k3", "4d6d1", "4d6 keep highest 3", "[highest 3 of 4d6]"]
    {
        agrees(text, |r| r.roll(4, 6)[1..].iter().sum());
    }
    for text in [
        "4d6 drop lowest",
        "4 D 6 KH 3",
        "4d6 high 3",
        "highest 3 of 4d6",
        "best 3 of 4d6",
        "4d6 keep 3",
        "4d6 drop 1",
        "4d6 drop worst",
        "4d6 keep best 3",
    ] {
        agrees(text, |r| r.roll(4, 6)[1..].iter().sum());
    }
    agrees("4d6dl1dh1", |r| r.roll(4, 6)[1..3].iter().sum());
    agrees("5d4kl2", |r| r.roll(5, 4)[..2].iter().sum());
    for text in ["2d20 adv", "d20 adv", "2d20 advantage", "2d20kh1", "max(2d20)"] {
        agrees(text, |r| r.roll(2, 20)[1]);
    }
    for text in ["2d20 dis", "d20 disadvantage", "min(2d20)", "2d20 low 1", "[lowest 1 of 2d20]"] {
        agrees(text, |r| r.roll(2, 20)[0]);
    }
    agrees("5d6kh1 - 3d4kl2", |r| r.roll(5, 6)[4] - r.roll(3, 4)[..2].iter().sum::<i64>());
    agrees("4d{0,1,1,5}kh2", |r| {
        let mut faces: Vec<_> = (0..4).map(|_| [0, 1, 1, 5][r.d(4) as usize - 1]).collect();
        faces.sort_unstable();
        faces[2] + faces[3]
    });
}

#[test]
fn dice_that_are_counted() {
    for text in ["6d6 count 5+", "6d6 5+", "6d6 hits on 5+", "6d6>=5s", "{6d6}>4", "{6d6}>=5"] {
        agrees(text, |r| least(&r.roll(6, 6), 5));
    }
    for text in ["count(6d6 >= 5)", "6d6 count >4", "6d6 count 5..6", "6d6 count >= 5"] {
        agrees(text, |r| least(&r.roll(6, 6), 5));
    }
    agrees("6d10>=8s", |r| least(&r.roll(6, 10), 8));
    agrees("[count 6 in 3d6]", |r| least(&r.roll(3, 6), 6));
    agrees("3d6 count 2-", |r| 3 - least(&r.roll(3, 6), 3));
    agrees("3d6 count 4", |r| r.roll(3, 6).iter().filter(|face| **face == 4).count() as i64);
    agrees("count(4d6 high 2 >= d4)", |r| {
        let bound = r.d(4);
        least(&r.roll(4, 6)[2..], bound)
    });
    agrees("3d6! count 5+", |r| (0..3).map(|_| least(&r.exploding(6, 6), 5)).sum());
    agrees("2d6!! count 8+", |r| {
        (0..2).map(|_| i64::from(r.exploding(6, 6).iter().sum::<i64>() >= 8)).sum()
    });
}

#[test]
fn dice_that_explode() {
    for text in
        ["d6!", "d6!!", "d6! ", "explode d6", "[explode d6]", "d6 explode", "d6!6", "d6!>=6"]
    {
        agrees(text, |r| r.exploding(6, 6).iter().sum());
    }
    agrees("d6!p", |r| {
        let faces = r.exploding(6, 6);
        faces.iter().sum::<i64>() - (faces.len() as i64 - 1)
    });
    agrees("2d6!>5", |r| (0..2).map(|_| r.exploding(6, 6).iter().sum::<i64>()).sum());
    agrees("3d6!>5", |r| (0..3).map(|_| r.exploding(6, 6).iter().sum::<i64>()).sum());
    agrees("d6!5+", |r| r.exploding(6, 5).iter().sum());
    agrees("d6! > 5", |r| i64::from(r.exploding(6, 6).iter().sum::<i64>() > 5));
    agrees("2d6! up to 1", |r| {
        let die = |r: &mut Falls| {
            let face = r.d(6);
            face + if face == 6 { r.d(6) } else { 0 }
        };
        die(r) + die(r)
    });
    agrees("3d6!!kh1", |r| {
        (0..3).map(|_| r.exploding(6, 6).iter().sum::<i64>()).max().expect("there are three")
    });
}

#[test]
fn dice_that_are_rolled_again() {
    agrees("2d6r1", |r| r.until(6, 2) + r.until(6, 2));
    agrees("4d6r1", |r| {
        // By symmetry each is 2 to 6: the loop over all falls of four would be long.
        (0..4).map(|_| r.d(5) + 1).sum()
    });
    for text in ["4d6ro<2", "4d6 reroll 1", "4d6ro1"] {
        agrees(text, |r| (0..4).map(|_| r.once(6, 2)).sum());
    }
    agrees("2d6 reroll 1..2 high 1", |r| r.once(6, 3).max(r.once(6, 3)));
    agrees("2d6ro6! up to 1", |r| {
        let die = |r: &mut Falls| {
            let face = r.d(6);
            let face = if face == 6 { r.d(6) } else { face };
            face + if face == 6 { r.d(6) } else { 0 }
        };
        die(r) + die(r)
    });
}

#[test]
fn one_against_the_other() {
    agrees("2d6 vs 2d6", |r| (r.sum(2, 6) - r.sum(2, 6)).signum());
    agrees("2d6+1 > 2d6", |r| i64::from(r.sum(2, 6) + 1 > r.sum(2, 6)));
    agrees("6d6>=5", |r| i64::from(r.sum(6, 6) >= 5));
    agrees("2d6 >= 8", |r| i64::from(r.sum(2, 6) >= 8));
    agrees("d20 <= 12", |r| i64::from(r.d(20) <= 12));
    agrees("d8 + 1 < 2d4", |r| i64::from(r.d(8) + 1 < r.sum(2, 4)));
    agrees("2d6 = 7", |r| i64::from(r.sum(2, 6) == 7));
    agrees("2d6 != 7", |r| i64::from(r.sum(2, 6) != 7));
    agrees("2d6 >= 8 and d6 > 2", |r| i64::from((r.sum(2, 6) >= 8) & (r.d(6) > 2)));
    agrees("not (d6 is 1 or d6 is 6)", |r| i64::from(!((r.d(6) == 1) | (r.d(6) == 6))));
    assert_eq!(
        DiceDistribution::from_text("2d6 vs 2d6").expect("it is read").answers,
        MeaningOfValues::Versus
    );
}

#[test]
fn other_dice_and_reckoning() {
    agrees("max(d8,d6)", |r| r.d(8).max(r.d(6)));
    agrees("min(3d6)", |r| r.roll(3, 6)[0]);
    agrees("max(2d6)", |r| r.roll(2, 6)[1]);
    agrees("highest of 2d6 and d12", |r| r.sum(2, 6).max(r.d(12)));
    for text in ["d6*2", "2*d6", "d6x2", "2 x d6", "2xd6", "d6 × 2"] {
        agrees(text, |r| 2 * r.d(6));
    }
    agrees("d6*d4", |r| r.d(6) * r.d(4));
    agrees("d66", |r| 10 * r.d(6) + r.d(6));
    agrees("d{1,1,2,3}", |r| [1, 1, 2, 3][r.d(4) as usize - 1]);
    agrees("2d{1:2, 2..3}", |r| {
        [1, 1, 2, 3][r.d(4) as usize - 1] + [1, 1, 2, 3][r.d(4) as usize - 1]
    });
    agrees("4dF", |r| r.sum(4, 3) - 8);
    agrees("d6/2", |r| r.d(6) / 2);
    agrees("up(d6/2)", |r| (r.d(6) + 1) / 2);
    agrees("(d6-4)/2", |r| (r.d(6) - 4).div_euclid(2));
    agrees("d8 step 1", |r| r.d(10));
    agrees("2d8 down 1", |r| r.sum(2, 6));
    agrees("d12 up 1", |r| r.d(12));
    agrees("(d3) d6", |r| {
        let count = r.d(3);
        r.sum(count as u32, 6)
    });
    agrees("d(2d4)", |r| {
        let sides = r.sum(2, 4);
        r.d(sides as u32)
    });
    agrees("3 if d6 > 3 else d4", |r| if r.d(6) > 3 { 3 } else { r.d(4) });
    agrees("2d6 at most 9 at least 4", |r| r.sum(2, 6).clamp(4, 9));
}

fn refusal(text: &str) -> (String, std::ops::Range<usize>, String) {
    let Err(InputError { faults, .. }) = DiceDistribution::from_text(text) else {
        panic!("{text} should have been refused");
    };
    let [located] = &faults[..] else { panic!("{text}: {faults:?}") };
    let fault = &located.fault;
    (fault.problem.clone(), located.span.clone(), fault.help.clone().unwrap_or_default())
}

#[test]
fn what_is_not_understood_is_answered_with_the_right_spelling() {
    let cases = [
        ("{2d6,d8}kh1", 0..5, "max(2d6, d8)"),
        ("2d6 hihg 1", 4..8, "did you mean `high`?"),
        ("4d6!kh3", 0..7, "4d6!!kh3"),
        ("d6d8", 2..4, "d6 + d8"),
        ("d6 d8", 3..4, "its own quotes"),
        ("(d6>3)+1", 0..6, "(1 if d6 >= 4)"),
        ("max(2d6+1)", 4..9, "max(d8, d6)"),
        ("2d6+1>=8s", 0..9, "6d10>=8s"),
        ("d6!>=1", 0..6, "d6! up to 3"),
        ("d6r<=6", 0..6, "once more"),
        ("count 6", 7..7, "3d6 count 6"),
        ("6d6 hits 4+ wounds 3+", 12..18, "(6d6 count 4+)d6 count 3+"),
        ("d20+5 vs dc 15", 9..11, "d20 + 5 >= 15"),
        ("mid(3d10)", 0..3, "3d10 drop highest 1 drop lowest 1"),
        ("3d6 open", 4..8, "3d6 explode"),
        ("4 dice 5+", 2..6, "4d6"),
        ("2W6", 1..2, "4d6"),
        ("4d6 reroll ones", 11..15, "4d6 reroll 1"),
        ("6d6 reroll misses", 11..17, "6d6 reroll <4 count 4+"),
    ];
    for (text, span, help) in cases {
        let (problem, at, said) = refusal(text);
        assert!(said.contains(help), "{text}: {problem}; {said}");
        assert_eq!(at, span, "{text}: {problem}");
    }
}

#[test]
fn faults_point_at_what_is_wrong() {
    let cases = [
        ("", 0..0, "the length"),
        ("2d0", 2..3, "the number of sides of a die must be 1 to 1000, but it is 0"),
        ("1000000000d6", 0..10, "the number of dice must be 1 to 1000, but it is 1000000000"),
        ("2d", 2..2, "expected the number of sides, found the end"),
        ("2d6 +", 5..5, "expected dice"),
        ("2d6 y 3", 4..5, "expected the end of the expression, found `y`"),
        ("2d6 >= 3 >= 1", 9..10, "expected the end"),
        ("2d6kh3", 3..6, "3 of 2 dice cannot be kept"),
        ("2d6 drop lowest 2", 4..17, "2 of 2 dice cannot be dropped"),
        ("2d6 drop", 8..8, "expected `highest` or `lowest`"),
        ("2d6kh0", 5..6, "the number of dice must be 1 to 1000, but it is 0"),
        ("d20 up 1", 1..3, "a d20 is not on the ladder of dice"),
        ("99999999999999999999", 0..20, "the number in a dice expression must be 0 to 10000"),
        ("2 \u{1b}[31m", 2..3, "expected the end of the expression, found `\\u{1b}`"),
        ("ü", 0..2, "expected dice"),
        ("1/(d6-3)", 2..8, "this can be 0"),
        ("d{1..9999}", 1..9, "a die has 1 to 200 custom faces"),
        ("d6 and 3", 0..2, "expected a test"),
        ("d6>1 and d6>2 or d6>3", 14..16, "`and` and `or` are mixed"),
    ];
    for (text, span, problem) in cases {
        let (said, at, _) = refusal(text);
        assert!(said.starts_with(problem), "{text}: {said}");
        assert_eq!(at, span, "{text}: {said}");
    }
}

/// A sum that is held against what one die can show was perhaps meant as a pool; other programs
/// read `>` otherwise; `r` and `!` go on.
#[test]
fn what_else_it_may_have_meant_is_said() {
    let remark = |text: &str| DiceDistribution::from_text(text).expect(text).remarks.join("\n");
    assert!(remark("6d10 >= 8").contains("`6d10 count 8+`"), "{}", remark("6d10 >= 8"));
    assert!(remark("6d6>=5").contains("`6d6 count 5+`"));
    assert!(remark("5d6 <= 2").contains("`5d6 count <=2`"));
    for silent in
        ["2d6 >= 8", "d20 >= 12", "6d6 count 5+", "3d6", "2d6 >= 1", "2d6 >= 2d6", "6d10>=8s"]
    {
        assert_eq!(remark(silent), "", "{silent}");
    }
    assert!(remark("{6d6}>4").contains("`>=4`"));
    assert!(remark("4d6ro<2").contains("`ro<=2`"));
    assert!(remark("4d6r1").contains("until another falls"));
    assert!(remark("d6!").contains("11 more dice"), "{}", remark("d6!"));
    assert_eq!(remark("d6! up to 2"), "");
}

/// By hand: 2d6 has variance 2 · 35/12; 4d6 drop lowest has mean 15869/1296.
#[test]
fn means_and_deviations_are_known() {
    let law = |text| DiceDistribution::from_text(text).expect("it can be read").law;
    assert_eq!(law("2d6").mean(), 7.0);
    assert!((law("2d6").deviation() - (35.0_f64 / 6.0).sqrt()).abs() < 1e-15);
    assert!((law("4d6kh3").mean() - 15869.0 / 1296.0).abs() < 1e-14);
    assert_eq!((law("5").mean(), law("5").deviation()), (5.0, 0.0));
    // A die that explodes: 3.5 / (1 - 1/6).
    assert!((law("d6!").mean() - 4.2).abs() < 1e-8);
    let many = law("1000d6");
    assert!((many.mean() - 3500.0).abs() < 1e-11);
    assert!((many.deviation() - (35_000.0_f64 / 12.0).sqrt()).abs() < 1e-11);
}

/// What can be counted is counted in a time that a person waits, the rest is refused as fast.
#[test]
fn nothing_takes_for_ever() {
    let many = [
        "999d999!",
        "1000d1000",
        "500d1000kh400",
        "999d6 + 10000*d1000",
        "d1000!>=2",
        "1000d6!p",
        "d1000*d1000*d1000",
        "10000*10000*10000*10000*d6",
        "(d1000)d(d1000)",
        "1000d6!! count 8+",
        "500d6 vs 500d6",
        "1000d{0,10000}",
        "max(1000d6, 1000d6)/(d1000)",
        "d(d(d(d1000)))",
        "count(900d6 >= d1000)",
    ];
    for text in many {
        let law = finish_in_time(text, || DiceDistribution::from_text(text));
        assert!(law.is_err() || text.starts_with("d(d(d") || text.starts_with("count("), "{text}");
    }
    assert!(refusal(&"(".repeat(400)).0.contains("at most 32 deep"));
    assert!(refusal(&"-".repeat(400)).0.contains("at most 32 deep"));
    assert!(refusal(&format!("{}d6", "not ".repeat(99))).0.contains("at most 32 deep"));
}

/// Every expression without a field that the language for rulebooks has.
#[test]
fn what_rulebooks_say_is_understood_alike() {
    let expressions = [
        "d6",
        "2d6",
        "3d6 high 2",
        "2d6 low 1",
        "4d6 reroll 1",
        "2d6 reroll 1..2 high 1",
        "d66",
        "d(6)",
        "(1 + d2) d6",
        "(1 + 1) d(2 + 4)",
        "2d6 again on 6 up to 1",
        "d6 again on 5..6 up to 3",
        "3d6 reroll 6 again on 6 up to 1",
        "count(4d6 >= 4)",
        "count(3d6 < 3)",
        "count(3d6 reroll 1 >= 4)",
        "count(3d6 again on 6 up to 1 >= 5)",
        "count(2d6 == 6)",
        "count(3d6 is 2)",
        "count(4d6 high 2 >= d4)",
        "count((d4) d6 low 2 <= 2)",
        "count((1 + d3) d6 high 2 >= 5)",
        "count((d4) d6 >= 4)",
        "2d6 + 3 - d4",
        "d6 * d4",
        "d6 / 2",
        "up(d6 / 2)",
        "(d6 - 4) / 2",
        "(d6 - 4) / -2",
        "-d6 + 2",
        "max(d8, d6)",
        "min(d8, 4, d6)",
        "2d6 at least 4 at most 9",
        "d6 - 3 at least 0",
        "3 if d6 > 3 else d4",
        "(2 if d6 == 6)",
        "(2 if 2d6 >= 8 and d6 > 2)",
        "(1 if not d6 is 1 or d6 != 2 else 5)",
        "(1 if (d6 <= 3 or d4 > 2) and yes)",
        "(d3 - 2) d6",
    ];
    for text in expressions {
        let combat =
            combat_of_rulebook(&format!("game \"m\"\naction a:\n    x = {text}\n    show x\n"));
        let graph = DieGraph::compile_within_limits(&combat, LIMITS).expect("it is small");
        let weights = solve_integer_weights(&graph).expect("it ends");
        let mut told = BTreeMap::new();
        for (ending, ways) in graph.endings().iter().zip(&weights.numerators) {
            let (n, d) = reduce_fraction(ways.clone(), weights.denominator.clone());
            told.insert(i64::from(ending.fields[0]), format!("{n}/{d}"));
        }
        let law = DiceDistribution::from_text(text)
            .unwrap_or_else(|error| panic!("{text}: {error:?}"))
            .law;
        let total = law.total_ways();
        let ours = law.values_with_ways().map(|(value, ways)| {
            let (n, d) = reduce_fraction(ways.clone(), total.clone());
            (value, format!("{n}/{d}"))
        });
        assert_eq!(ours.collect::<BTreeMap<_, _>>(), told, "{text}");
    }
}

fn pieces() -> impl Strategy<Value = String> {
    let pieces = [
        "d6", "2d6", "3d8", "d66", "dF", "d%", "d{1,2}", "kh1", "kl2", "dl1", "!", "!!", "!p",
        "r1", "ro<2", "+", "-", "*", "/", "x", ">=", "<", "=", "!=", "count", "5+", "s", "(", ")",
        "max(", "min(", ",", "up(", "up", "to", "2", "7", "and", "or", "not", "if", "else", "vs",
        "[", "]", "{", "}", "highest", "of", "adv", "at least", "step", "again on", " ", "é", "..",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..12)
        .prop_map(|pieces| pieces.join(""))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_words_panic_the_dice(text in pieces()) {
        if let Ok(law) = DiceDistribution::from_text(&text) {
            prop_assert!(law.law.mean().is_finite());
        }
    }
}
