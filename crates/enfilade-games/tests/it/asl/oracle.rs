//! Fire attacks by brute force: an independent implementation.
//!
//! Tables and rules are typed from A7 and A10, and only the contest under test comes from
//! `enfilade_games`. Units are a plain list that is neither sorted nor merged, a Random Selection
//! is all 6ⁿ rolls of its dr at once, every die divides a weight that starts as a power of six. The
//! distributions must be equal to the last unit.

use std::collections::BTreeMap;

use dashu_int::UBig;

use crate::asl::play::Law;

/// Table of results: a line for each Final DR from 0 to 15, a column for each firepower.
const TABLE: [&str; 16] = [
    "1K 2K 2K 3K 3K 3K 4K 4K 5K 6K 7K",
    "k1 1K 1K 2K 2K 2K 3K 3K 4K 5K 6K",
    "1M k1 k2 1K 1K 1K 2K 2K 3K 4K 5K",
    "1M 1M 2M k2 k2 k3 1K 1K 2K 3K 4K",
    "0M 1M 1M 2M 2M 3M k3 k4 1K 2K 3K",
    "P 0M 1M 1M 2M 2M 3M 4M k4 1K 2K",
    "- P 0M 1M 1M 2M 2M 3M 4M k4 1K",
    "- - P 0M 1M 1M 2M 2M 3M 4M k4",
    "- - - P 0M 1M 1M 2M 2M 3M 4M",
    "- - - - P 0M 1M 1M 2M 2M 3M",
    "- - - - - P 0M 1M 1M 2M 2M",
    "- - - - - - P 0M 1M 1M 2M",
    "- - - - - - - P 0M 1M 1M",
    "- - - - - - - - P 0M 1M",
    "- - - - - - - - - P 0M",
    "- - - - - - - - - - P",
];

/// Firepower of the columns.
pub const COLUMNS: [i32; 11] = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36];

/// Weight of the opening state: divisible by as many sixes as any sequence of dice contains.
pub const WHOLE: u128 = 6u128.pow(48);

/// Unit with all its properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Man {
    /// 2 squad, 1 half-squad or crew, 0 single man.
    pub size: i32,
    pub morale: i32,
    pub broken_morale: i32,
    pub half_morale: i32,
    pub half_broken: i32,
    /// Leadership, for leaders.
    pub leads: Option<i32>,
    /// Whether the unit neither breaks nor is pinned.
    pub hero: bool,
    /// Whether the unit can break, but not be pinned.
    pub rides: bool,
    /// Modifiers against this unit alone: always, and while it moves.
    pub own: (i32, i32),
    pub was_squad: bool,
    pub began_broken: bool,
    pub began_pinned: bool,
    pub broken: bool,
    pub pinned: bool,
    pub wounded: bool,
    pub dead: bool,
    /// Morale check that the unit owes: its modifier, or [`PIN`].
    pub due: Option<i32>,
    /// Whether the unit owes a wound severity roll.
    pub bleeds: bool,
    /// Whether the unit breaks as well, if it survives that roll.
    pub reels: bool,
    /// Morale before breaking, for a leader whose breaking is not felt yet.
    pub broke: Option<i32>,
    /// Morale before death, for a leader whose death is not felt yet.
    pub died: Option<i32>,
    /// Whether the unit owes a check for a lost leader.
    pub grieves: bool,
}

/// Task check that pins.
const PIN: i32 = -1;

pub const SQUAD: Man = Man {
    size: 2,
    morale: 7,
    broken_morale: 7,
    half_morale: 7,
    half_broken: 7,
    leads: None,
    hero: false,
    rides: false,
    own: (0, 0),
    was_squad: false,
    began_broken: false,
    began_pinned: false,
    broken: false,
    pinned: false,
    wounded: false,
    dead: false,
    due: None,
    bleeds: false,
    reels: false,
    broke: None,
    died: None,
    grieves: false,
};

impl Man {
    fn level(&self) -> i32 {
        if self.broken { self.broken_morale } else { self.morale }
    }

    fn breaks(&mut self, loss: bool) {
        self.broke = (loss && self.leads.is_some()).then(|| self.level());
        self.broken = true;
        self.pinned = false;
    }

    fn dies(&mut self, loss: bool) {
        self.dead = true;
        self.due = None;
        self.bleeds = false;
        self.grieves = false;
        self.died = (loss && self.leads.is_some()).then(|| self.level());
    }

    fn shrinks(&mut self, loss: bool) {
        match self.size {
            2 => {
                self.size = 1;
                self.was_squad = true;
                self.morale = self.half_morale;
                self.broken_morale = self.half_broken;
            }
            1 => self.dies(loss),
            _ => self.bleeds = true,
        }
    }

    fn able_to_lead(&self) -> bool {
        let busy = self.due.is_some() || self.grieves || self.bleeds;
        self.leads.is_some() && !busy && !self.dead && !self.broken && !self.pinned
    }
}

pub type Stack = Vec<Man>;
pub type Dist<T> = BTreeMap<T, u128>;

/// Returns all rolls of two dice, as coloured and white.
pub fn pairs() -> impl Iterator<Item = (i32, i32)> {
    (1..=6).flat_map(|a| (1..=6).map(move |b| (a, b)))
}

pub fn add<T: Ord>(dist: &mut Dist<T>, value: T, weight: u128) {
    *dist.entry(value).or_default() += weight;
}

pub fn split(weight: u128, ways: u128) -> u128 {
    assert_eq!(weight % ways, 0, "more dice than the oracle has sixes for");
    weight / ways
}

/// Attack.
#[derive(Clone, Copy)]
pub struct Shot {
    pub column: usize,
    /// Modifiers against every target.
    pub drm: i32,
    /// Modifiers for movement, which do not count against pinned units (A7.83).
    pub moving: i32,
    pub cowers: usize,
    /// Whether a lost leader is felt.
    pub loss: bool,
    /// Whether each result of the table has a separate Random Selection.
    pub apart: bool,
}

/// Base of the shots: no movement.
pub const STILL: Shot = Shot { column: 0, drm: 0, moving: 0, cowers: 1, loss: true, apart: false };

fn attack(stack: &Stack, shot: Shot) -> Dist<Stack> {
    let mut after = Dist::new();
    for (coloured, white) in pairs() {
        let weight = split(WHOLE, 36);
        for (stack, weight) in shot.at(stack, coloured, white, weight) {
            add(&mut after, stack, weight);
        }
    }
    after
}

impl Shot {
    /// Returns the column of a roll; `None` off the table.
    pub fn column(&self, coloured: i32, white: i32) -> Option<usize> {
        let shift = if coloured == white { self.cowers } else { 0 };
        self.column.checked_sub(shift)
    }

    /// Returns the result of a roll with the modifiers against every target.
    pub fn result(&self, coloured: i32, white: i32) -> &'static str {
        self.cell(coloured, white, self.drm)
    }

    fn cell(&self, coloured: i32, white: i32, drm: i32) -> &'static str {
        let line = (coloured + white + drm).clamp(0, 15);
        let cell = |column| TABLE[line as usize].split(' ').nth(column);
        self.column(coloured, white).map_or("-", |column| cell(column).expect("eleven columns"))
    }

    /// Returns the stacks after a roll, each unit with a separate Final DR.
    pub fn at(&self, stack: &Stack, coloured: i32, white: i32, weight: u128) -> Dist<Stack> {
        let moving = |man: &Man| if man.pinned { 0 } else { self.moving + man.own.1 };
        let drm = |man: &Man| self.drm + man.own.0 + moving(man);
        let cells = stack.iter().map(|man| self.cell(coloured, white, drm(man)));
        let cells: Vec<&str> = cells.collect();
        suffer_each(stack, &cells, self.apart, weight, self.loss)
    }
}

/// Returns the digit of a result: `2K` is 2KIA, `k2` is K/2, `2M` is 2MC, `P` is PTC.
fn digit(cell: &str) -> i32 {
    let digit = cell.chars().find_map(|c| c.to_digit(10));
    digit.expect("a digit") as i32
}

/// Applies one result of the table to the whole stack.
pub fn suffer(stack: &Stack, result: &str, weight: u128, loss: bool) -> Dist<Stack> {
    suffer_each(stack, &vec![result; stack.len()], false, weight, loss)
}

/// Applies a result of the table to each unit: draws the lots, then makes the survivors check.
fn suffer_each(
    stack: &Stack,
    cells: &[&str],
    apart: bool,
    weight: u128,
    loss: bool,
) -> Dist<Stack> {
    let mut begun = stack.clone();
    for (man, cell) in begun.iter_mut().zip(cells) {
        let pinnable = !man.broken && !man.pinned && !man.hero && !man.rides;
        man.due = match (*cell, &cell[1..]) {
            ("P", _) => pinnable.then_some(PIN),
            (_, "M") => Some(digit(cell)),
            _ => None,
        };
    }
    let mut open = Dist::from([(begun, weight)]);
    for lot in lots(cells, apart) {
        open = drawn(open, cells, &lot, loss);
    }
    let mut after = Dist::new();
    for (stack, weight) in open {
        for (stack, weight) in check(stack, weight, loss) {
            add(&mut after, stack, weight);
        }
    }
    after
}

/// Returns the groups that draw together: all with a KIA, and all with a K; or, apart, all with the
/// same result.
fn lots(cells: &[&str], apart: bool) -> Vec<Vec<usize>> {
    let mut kinds: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, cell) in cells.iter().enumerate() {
        let kind = match (cell.starts_with('k'), cell.ends_with('K')) {
            (false, false) => continue,
            _ if apart => cell,
            (true, _) => "k",
            _ => "K",
        };
        kinds.entry(kind).or_default().push(at);
    }
    kinds.into_values().collect()
}

/// Makes one Random Selection among the units at these places: for the highest number of a KIA
/// among their results, for one of those with a K.
fn drawn(open: Dist<Stack>, cells: &[&str], lot: &[usize], loss: bool) -> Dist<Stack> {
    let number = |at: &usize| match cells[*at].ends_with('K') {
        true => digit(cells[*at]) as usize,
        false => 1,
    };
    let wanted = lot.iter().map(number).max().expect("somebody draws");
    let mut after = Dist::new();
    for (stack, weight) in open {
        for (taken, weight) in selections(lot.len(), wanted, weight) {
            let mut stack = stack.clone();
            for (at, taken) in lot.iter().zip(taken) {
                bear(&mut stack[*at], cells[*at], taken, loss);
            }
            add(&mut after, stack, weight);
        }
    }
    after
}

/// Applies a KIA or a K to a unit that was selected, or was not.
fn bear(man: &mut Man, cell: &str, taken: bool, loss: bool) {
    if cell.starts_with('k') {
        if taken {
            man.shrinks(loss);
        }
        man.due = (!man.dead && !man.bleeds).then(|| digit(cell));
        return;
    }
    match (taken, man.broken || man.hero) {
        (true, _) => man.dies(loss),
        (false, true) => man.shrinks(loss),
        (false, false) => man.breaks(loss),
    }
}

/// Returns every Random Selection of at least `n` units, with its weight.
fn selections(people: usize, n: usize, weight: u128) -> Dist<Vec<bool>> {
    if people <= n {
        return Dist::from([(vec![true; people], weight)]);
    }
    let mut found = Dist::new();
    let ways = 6u128.pow(people as u32);
    for roll in 0..ways {
        let dr: Vec<u128> = (0..people).map(|i| roll / 6u128.pow(i as u32) % 6).collect();
        let mut sorted = dr.clone();
        sorted.sort_by(|a, b| b.cmp(a));
        let taken = dr.iter().map(|d| *d >= sorted[n - 1]).collect();
        add(&mut found, taken, split(weight, ways));
    }
    found
}

/// Rolls wounds, then the checks of the attack, then lost leaders, until none is due.
fn check(stack: Stack, weight: u128, loss: bool) -> Dist<Stack> {
    let mut open = Dist::from([((stack, None), weight)]);
    let mut over = Dist::new();
    while let Some(((stack, grief), weight)) = open.pop_first() {
        let wounded = stack.iter().position(|man| man.bleeds);
        let owing = next(&stack, |man| man.due.is_some());
        let grieving = next(&stack, |man| man.grieves);
        let mut go = |stack, grief, weight| add(&mut open, (stack, grief), weight);
        if let Some(at) = wounded {
            for dr in 1..=6 {
                let mut stack = stack.clone();
                let man = &mut stack[at];
                man.bleeds = false;
                if dr + i32::from(man.wounded) <= 4 {
                    man.wounded = true;
                    if std::mem::take(&mut man.reels) {
                        man.breaks(loss);
                    }
                } else {
                    man.reels = false;
                    man.dies(loss);
                }
                go(stack, grief, split(weight, 6));
            }
        } else if let Some(at) = owing.or(grieving) {
            for (a, b) in pairs() {
                let mut stack = stack.clone();
                roll(&mut stack, at, a + b, grief, loss);
                go(stack, grief, split(weight, 36));
            }
        } else if let Some((at, death)) = next_loss(&stack) {
            let (stack, grief) = feel(stack, at, death);
            go(stack, Some(grief), weight);
        } else {
            add(&mut over, stack, weight);
        }
    }
    over
}

/// Returns the next unit: leaders first, best morale first.
fn next(stack: &Stack, who: impl Fn(&Man) -> bool) -> Option<usize> {
    let places = (0..stack.len()).filter(|at| who(&stack[*at]));
    places.min_by_key(|at| (stack[*at].leads.is_none(), -stack[*at].level(), *at))
}

/// Returns the leader whose loss is felt next, and whether by death: the best morale first, then
/// the best leader, breaking before death.
fn next_loss(stack: &Stack) -> Option<(usize, bool)> {
    let of = |(at, man): (usize, &Man)| {
        let losses = [(man.broke, false), (man.died, true)];
        let leads = man.leads;
        losses.map(|(level, death)| level.map(|level| (-level, leads, death, at)))
    };
    let first = stack.iter().enumerate().flat_map(of).flatten().min();
    first.map(|(_, _, death, at)| (at, death))
}

/// Makes the others check for the leader at this place. Returns whether it is for the death, and
/// the leader's modifier.
fn feel(mut stack: Stack, at: usize, death: bool) -> (Stack, (bool, i32)) {
    let leader = &mut stack[at];
    let level = if death { leader.died.take() } else { leader.broke.take() };
    let (level, drm) = (level.expect("he is lost"), leader.leads.unwrap_or(0).abs());
    for man in stack.iter_mut().filter(|man| !man.dead && man.level() < level) {
        man.grieves = death || !man.broken && !man.pinned && !man.hero && !man.rides;
    }
    (stack, (death, drm))
}

fn roll(stack: &mut Stack, at: usize, original: i32, grief: Option<(bool, i32)>, loss: bool) {
    let others = stack.iter().enumerate().filter(|(i, man)| *i != at && man.able_to_lead());
    let led = others.filter_map(|(_, man)| man.leads).min().unwrap_or(0);
    let man = &mut stack[at];
    let mourning = man.due.is_none();
    let (is_morale, added) = match (man.due.take(), grief) {
        (None, Some((died, drm))) => (died, drm),
        (due, _) => (due != Some(PIN), due.unwrap_or(0).max(0)),
    };
    man.grieves = false;
    let excess = original + added + led - man.level();
    if !is_morale {
        man.pinned |= excess > 0;
        return;
    }
    match (original == 12, man.broken, man.hero) {
        (true, true, _) => man.dies(loss),
        (true, _, true) => man.shrinks(loss),
        (true, false, false) => {
            man.shrinks(loss);
            if man.bleeds {
                man.reels = true;
            } else if !man.dead {
                man.breaks(loss);
            }
        }
        (false, ..) if excess > 0 && (man.broken || man.hero) => man.shrinks(loss),
        (false, ..) if excess > 0 => man.breaks(loss),
        // One more would fail: by the morale, or as an Original 12.
        (false, false, false) if (excess == 0 || original == 11) && !mourning => {
            man.pinned |= !man.rides
        }
        _ => {}
    }
}

/// Returns eliminated, reduced, broken, pinned, wounded, and four zeros.
pub fn outcome(stack: &Stack) -> Vec<i32> {
    let count = |who: &dyn Fn(&Man) -> bool| stack.iter().filter(|man| who(man)).count() as i32;
    vec![
        count(&|m| m.dead),
        count(&|m| !m.dead && m.was_squad),
        count(&|m| !m.dead && m.broken && !m.began_broken),
        count(&|m| !m.dead && !m.broken && m.pinned && !m.began_pinned),
        count(&|m| !m.dead && m.wounded),
        0,
        0,
        0,
        0,
    ]
}

pub fn oracle(stack: &Stack, shot: Shot) -> Law {
    let mut rows: BTreeMap<Vec<i32>, UBig> = BTreeMap::new();
    for (stack, weight) in attack(stack, shot) {
        *rows.entry(outcome(&stack)).or_default() += UBig::from(weight);
    }
    Law { whole: UBig::from(WHOLE), rows }
}
