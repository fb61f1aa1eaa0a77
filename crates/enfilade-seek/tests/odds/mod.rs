//! Odds of small games by formulas: binomials, sums of dice and duels, with no engine.

// Every test file uses some of them.
#![allow(dead_code)]

/// Chance of `k` hits of `n` tries.
fn exactly(n: i64, p: f64, k: i64) -> f64 {
    let ways = (0..k).fold(1.0, |ways, i| ways * (n - i) as f64 / (i + 1) as f64);
    ways * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32)
}

/// Chance of `k` hits or more of `n` tries.
pub fn at_least(n: i64, p: f64, k: i64) -> f64 {
    (k..=n).map(|k| exactly(n, p, k)).sum()
}

/// Chance that a d6 shows `need` or more.
fn shows(need: i64) -> f64 {
    (7 - need).clamp(0, 6) as f64 / 6.0
}

/// Chance that six men under fire rout: two dice and the men lost are more than 11.
pub fn rout(dice: i64, to_hit: i64, power: i64) -> f64 {
    let (hit, save) = (shows(to_hit), shows(5 + power));
    let morale = |lost: i64| -> f64 {
        let throws = (1..=6).flat_map(|a| (1..=6).map(move |b| a + b));
        throws.filter(|throw| throw + lost > 11).count() as f64 / 36.0
    };
    let by_hits = |hits: i64| -> f64 {
        let by_saves = |saved: i64| match (hits - saved).min(6) {
            0 => 0.0,
            lost => exactly(hits, save, saved) * morale(lost),
        };
        exactly(dice, hit, hits) * (0..=hits).map(by_saves).sum::<f64>()
    };
    (0..=dice).map(by_hits).sum()
}

/// Chance that a load of guns, by their places in the list, does enough damage at once.
pub fn walker(load: &[usize], frame: usize) -> f64 {
    let (shots, power) = ([0, 3, 1, 3, 2, 1, 1], [0, 1, 3, 2, 3, 6, 7]);
    let mut damage = vec![1.0];
    for gun in load {
        let mut next = vec![0.0; damage.len() + shots[*gun] as usize * power[*gun]];
        for (at, share) in damage.iter().enumerate() {
            for hits in 0..=shots[*gun] {
                next[at + hits as usize * power[*gun]] += share * exactly(shots[*gun], 0.5, hits);
            }
        }
        damage = next;
    }
    damage.iter().skip(frame).sum()
}

/// Number of ways in which `n` dice sum to `least` or more, and of all ways.
pub fn blast(n: i64, least: i64) -> (u64, u64) {
    let mut ways = vec![1_u64];
    for _ in 0..n {
        let mut next = vec![0; ways.len() + 6];
        for (at, count) in ways.iter().enumerate() {
            (1..=6).for_each(|face| next[at + face] += count);
        }
        ways = next;
    }
    (ways.iter().skip(least as usize).sum(), 6_u64.pow(n as u32))
}

/// Share of victories of the first of two fighters (dice, to hit, hit points) who strike at once
/// until one falls.
pub fn arena(mine: (i64, i64, i64), theirs: (i64, i64, i64)) -> f64 {
    fn score(
        a: i64,
        b: i64,
        mine: (i64, i64, i64),
        theirs: (i64, i64, i64),
        known: &mut Vec<Vec<Option<f64>>>,
    ) -> f64 {
        match (a > 0, b > 0) {
            (true, false) => return 1.0,
            (false, true) => return 0.0,
            (false, false) => return 0.5,
            (true, true) => {}
        }
        if let Some(score) = known[a as usize][b as usize] {
            return score;
        }
        let (mut all, mut nothing) = (0.0, 0.0);
        for out in 0..=mine.0 {
            for back in 0..=theirs.0 {
                let share =
                    exactly(mine.0, shows(mine.1), out) * exactly(theirs.0, shows(theirs.1), back);
                match (out, back) {
                    (0, 0) => nothing += share,
                    _ => {
                        all +=
                            share * score((a - back).max(0), (b - out).max(0), mine, theirs, known)
                    }
                }
            }
        }
        let score = all / (1.0 - nothing);
        known[a as usize][b as usize] = Some(score);
        score
    }
    let mut known = vec![vec![None; 20]; 20];
    score(mine.2, theirs.2, mine, theirs, &mut known)
}

/// Chances of 0 to `dice` successes.
fn binomial(dice: usize, chance: f64) -> Vec<f64> {
    let mut all = vec![1.0];
    for _ in 0..dice {
        let mut next = vec![0.0; all.len() + 1];
        for (at, own) in all.iter().enumerate() {
            next[at] += own * (1.0 - chance);
            next[at + 1] += own * chance;
        }
        all = next;
    }
    all
}

/// A battle until one side is gone: the chance to win it, and the men that are left on average.
pub fn battle(men: usize, theirs: usize, hit: i64, save: i64) -> (f64, f64) {
    let ours = (7 - hit) as f64 / 6.0 * (save - 1) as f64 / 6.0;
    let back = 2.0 / 6.0 * 4.0 / 6.0;
    let mut known = vec![vec![(0.0, 0.0); theirs + 1]; men + 1];
    for b in 1..=theirs {
        for a in 1..=men {
            let (mut won, mut left, mut stays) = (0.0, 0.0, 0.0);
            for (out, p) in binomial(a, ours).into_iter().enumerate() {
                let Some(rest) = b.checked_sub(out).filter(|rest| *rest > 0) else {
                    won += p;
                    left += p * a as f64;
                    continue;
                };
                for (lost, q) in binomial(rest, back).into_iter().enumerate() {
                    match a.checked_sub(lost).filter(|own| *own > 0) {
                        None => {}
                        // Nobody fell on either side: the same round again.
                        Some(_) if out == 0 && lost == 0 => stays += p * q,
                        Some(own) => {
                            won += p * q * known[own][rest].0;
                            left += p * q * known[own][rest].1;
                        }
                    }
                }
            }
            known[a][b] = (won / (1.0 - stays), left / (1.0 - stays));
        }
    }
    known[men][theirs]
}

/// A duel of three bold exchanges with swords, each side with prowess and armour: the chance that
/// their champion falls, and that ours does. Fate repeats so many missed blows, where the renown is
/// higher with it on average.
pub fn duel(ours: [i64; 2], theirs: [i64; 2], fate: u32) -> (f64, f64) {
    let at = DuelState { exchange: 0, taken: 0, given: 0, luck: fate };
    let (_, won, lost) = duel_from(ours, theirs, at, &mut std::collections::BTreeMap::new());
    (won, lost)
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct DuelState {
    exchange: u32,
    taken: i64,
    given: i64,
    luck: u32,
}

type DuelValue = (f64, f64, f64);

fn duel_from(
    ours: [i64; 2],
    theirs: [i64; 2],
    at: DuelState,
    known: &mut std::collections::BTreeMap<DuelState, DuelValue>,
) -> DuelValue {
    if at.exchange == 3 || at.taken == 2 || at.given == 2 {
        let renown = [3.0, 2.0, 1.0][at.taken as usize] + if at.given == 2 { 4.0 } else { 0.0 };
        return (renown, f64::from(u8::from(at.given == 2)), f64::from(u8::from(at.taken == 2)));
    }
    if let Some(value) = known.get(&at) {
        return *value;
    }
    let wounds = |margin: i64, armour: i64| match margin {
        deep if deep > armour + 4 => 2,
        hit if hit > armour => 1,
        _ => 0,
    };
    let mut after = |blow: i64, answer: i64, luck: u32| {
        let margin = blow - answer;
        let mut next = DuelState { exchange: at.exchange + 1, luck, ..at };
        match margin > 0 {
            true => next.given = (at.given + wounds(margin, theirs[1])).min(2),
            false => next.taken = (at.taken + wounds(-margin, ours[1])).min(2),
        }
        duel_from(ours, theirs, next, known)
    };
    // The better of two d8 shows n in 2n - 1 of 64 ways.
    let mut all = (0.0, 0.0, 0.0);
    let mut add = |p: f64, own: DuelValue| {
        all = (all.0 + p * own.0, all.1 + p * own.1, all.2 + p * own.2);
    };
    for mine in 1..=8_i64 {
        for other in 1..=8_i64 {
            let p = (2 * mine - 1) as f64 / 64.0 * (2 * other - 1) as f64 / 64.0;
            let (blow, answer) = (ours[0] + mine, theirs[0] + other);
            let stays = after(blow, answer, at.luck);
            if blow > answer || at.luck == 0 {
                add(p, stays);
                continue;
            }
            let mut again = (0.0, 0.0, 0.0);
            for face in 1..=8 {
                let own = after(ours[0] + face, answer, at.luck - 1);
                again = (again.0 + own.0 / 8.0, again.1 + own.1 / 8.0, again.2 + own.2 / 8.0);
            }
            add(p, if again.0 > stays.0 + 1e-12 { again } else { stays });
        }
    }
    known.insert(at, all);
    all
}
