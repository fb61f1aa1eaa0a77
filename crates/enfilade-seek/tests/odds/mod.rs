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
