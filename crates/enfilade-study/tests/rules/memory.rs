//! Less is remembered: numbers that are only compared from here on are remembered by the outcomes
//! alone.

use crate::texts::{combat, near, odds, value};
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};

/// The higher d20 wins the exchange, and a tie is nothing; who loses it takes 4d6.
fn duel(points: i64) -> String {
    format!(
        "game \"Duel\"\naction fight:\n    a = {points}\n    b = {points}\n    repeat:\n        \
         x = d20\n        y = d20\n        blow = 4d6\n        if x > y: b -= blow\n        \
         else if y > x: a -= blow\n        if a <= 0 or b <= 0: stop\n    won = b <= 0\n    show won\n    \
         measure p_won = chance(won)\n"
    )
}

/// The chance that the first wins, from the smallest numbers of points up. An exchange in which
/// nothing happens is left out.
fn won(points: usize) -> f64 {
    let mut blows = vec![1.0];
    for _ in 0..4 {
        let mut next = vec![0.0; blows.len() + 6];
        for (sum, chance) in blows.iter().enumerate() {
            (1..=6).for_each(|face| next[sum + face] += chance / 6.0);
        }
        blows = next;
    }
    let mut won = vec![vec![0.0; points + 1]; points + 1];
    for a in 1..=points {
        for b in 1..=points {
            let mut chance = 0.0;
            for (blow, of) in blows.iter().enumerate() {
                chance += of * if blow >= b { 0.5 } else { won[a][b - blow] * 0.5 };
                chance += of * if blow >= a { 0.0 } else { won[a - blow][b] * 0.5 };
            }
            won[a][b] = chance;
        }
    }
    won[points][points]
}

/// Of 400 pairs three are told apart, and the four dice of a blow are one step, so that a round has
/// 1 + 20 + 3 states in place of 1 + 20 + 400 · 34, where 34 are the sums of 0 to 3 dice.
/// Remembered die by die, with both faces, the duel has 997 000 states.
#[test]
fn a_duel_remembers_who_was_higher() {
    let text = duel(12);
    near(value(&odds(&text, ""), "p_won"), won(12), 1e-12);
    let graph =
        DieGraph::compile_within_limits(&combat(&text, ""), CompiledContestLimits::default());
    let states = graph.expect("it is small").reached_state_count();
    assert!(states <= 144 * (1 + 20 + 3) + 2, "{states}");
    assert!(100 * states <= 997_000, "{states}");
}

/// Pools in endless rules are one step each: sums, counts with a bound that was rolled, none and
/// one die.
#[test]
fn a_pool_is_one_step_of_an_endless_rule() {
    let text = |test: &str| {
        format!(
            "game \"Volleys\"\naction fight:\n    left = 6\n    rounds = 0\n    repeat:\n        need = d4\n        \
             n = d3 - 1\n        hits = count(n d6 {test} need)\n        blow = n d4 + hits\n        \
             if blow >= 5: left -= 1\n        if hits == 2: left -= 2\n        if left <= 0: stop\n    over = left < 0\n    \
             show over\n    measure p = chance(over)\n"
        )
    };
    for (test, passes) in [
        (">=", (|face, need| face >= need) as fn(i64, i64) -> bool),
        (">", |face, need| face > need),
        ("<", |face, need| face < need),
        ("<=", |face, need| face <= need),
    ] {
        // By counting all dice of one round: the share of 0, 1, 2 and 3 lost.
        let mut lost = [0.0; 4];
        for need in 1..=4_i64 {
            for n in 0..=2_u32 {
                let ways = 24_i64.pow(n);
                for way in 0..ways {
                    let faces = (0..n).map(|at| way / 24_i64.pow(at) % 24);
                    let (mut hits, mut blow) = (0, 0);
                    for face in faces {
                        hits += i64::from(passes(face % 6 + 1, need));
                        blow += face / 6 + 1;
                    }
                    let takes = usize::from(blow + hits >= 5) + 2 * usize::from(hits == 2);
                    lost[takes] += 1.0 / (12 * ways) as f64;
                }
            }
        }
        // By what is left: the chance to end below 0.
        let mut over = [0.0; 7];
        for left in 1..=6_i64 {
            let after = |takes: i64| match left - takes {
                rest @ 1.. => over[rest as usize],
                0 => 0.0,
                _ => 1.0,
            };
            let sum: f64 = (1..=3).map(|takes| lost[takes as usize] * after(takes)).sum();
            over[left as usize] = sum / (1.0 - lost[0]);
        }
        near(value(&odds(&text(test), ""), "p"), over[6], 1e-12);
    }
}

/// Two numbers and a bound between them: every order is told apart, and nothing else.
#[test]
fn bounds_between_compared_numbers() {
    let text = "game \"Opposed\"\nfield skill: 5..20 = 11\naction a:\n    points = 3\n    repeat:\n        x = d20\n        \
                y = d20\n        wait = 2d4\n        if x == 1 or (x <= skill and (y > 14 or x > y)): points -= 1\n        \
                if y == 20 and wait > 2: points -= 1\n        if points <= 0: stop\n    fell = points < 0\n    \
                show fell\n    measure p = chance(fell)\n";
    // By counting: what one round takes, and from that who takes two at the last point.
    for skill in [5_i64, 11, 20] {
        let mut rounds = [0.0; 3];
        for x in 1..=20_i64 {
            for y in 1..=20_i64 {
                for (wait, chance) in [(false, 1.0 / 16.0), (true, 15.0 / 16.0)] {
                    let one = x == 1 || x <= skill && (y > 14 || x > y);
                    let both = usize::from(one) + usize::from(y == 20 && wait);
                    rounds[both] += chance / 400.0;
                }
            }
        }
        let (one, two) = (rounds[1] / (1.0 - rounds[0]), rounds[2] / (1.0 - rounds[0]));
        // From one point, two and three.
        let first = two;
        let second = one * first;
        let third = one * second + two * first;
        let odds = odds(text, &format!("skill = {skill}"));
        near(value(&odds, "p"), third, 1e-12);
    }
}
