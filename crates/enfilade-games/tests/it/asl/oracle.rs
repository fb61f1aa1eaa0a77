//! Fire attacks by brute force, told a second time.
//!
//! Tables and rules are typed anew from A7 and A10 and nothing of `enfilade_games` is used but the
//! contest under test. Units are a plain list that nobody sorts or merges, a Random Selection is all
//! 6ⁿ rolls of its dr at once, every die divides a weight that starts as a power of six. The laws must
//! be the same to the last unit.

use std::collections::BTreeMap;

use dashu_int::UBig;

use crate::asl::play::Law;

/// The table, one line per Final DR from 0 to 15, one column per firepower.
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

/// Weight of the opening state: divisible by as many sixes as any sequence of dice has.
pub const WHOLE: u128 = 6u128.pow(48);

/// A unit, with all that can be asked of it.
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
    /// Neither breaks nor is pinned.
    pub hero: bool,
    /// Can break, but not be pinned.
    pub rides: bool,
    /// What counts against it alone: whether it stands or moves, and while it moves.
    pub own: (i32, i32),
    pub was_squad: bool,
    pub began_broken: bool,
    pub began_pinned: bool,
    pub broken: bool,
    pub pinned: bool,
    pub wounded: bool,
    pub dead: bool,
    /// Owes a check of the attack: what is added to its morale check, or [`PIN`].
    pub due: Option<i32>,
    /// Owes a wound severity roll.
    pub bleeds: bool,
    /// Breaks as well, if he survives that.
    pub reels: bool,
    /// A leader who broke, which is not felt yet: the morale he had before.
    pub broke: Option<i32>,
    /// One who died, likewise.
    pub died: Option<i32>,
    /// Owes a check for a lost leader.
    pub grieves: bool,
}

/// A task check that pins.
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

/// Each way two dice can fall, as coloured and white.
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

/// How one attack is made.
#[derive(Clone, Copy)]
pub struct Shot {
    pub column: usize,
    /// Modifiers against everybody.
    pub drm: i32,
    /// Those for movement: not against the pinned (A7.83).
    pub moving: i32,
    pub cowers: usize,
    /// Whether a lost leader is felt.
    pub loss: bool,
    /// Whether each result of the table has a Random Selection of its own.
    pub apart: bool,
}

/// A shot at those who stand still, to be changed.
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
    /// The column of a roll; `None` off the table.
    pub fn column(&self, coloured: i32, white: i32) -> Option<usize> {
        let shift = if coloured == white { self.cowers } else { 0 };
        self.column.checked_sub(shift)
    }

    /// What a roll says with the modifiers against everybody.
    pub fn result(&self, coloured: i32, white: i32) -> &'static str {
        self.cell(coloured, white, self.drm)
    }

    fn cell(&self, coloured: i32, white: i32, drm: i32) -> &'static str {
        let line = (coloured + white + drm).clamp(0, 15);
        let cell = |column| TABLE[line as usize].split(' ').nth(column);
        self.column(coloured, white).map_or("-", |column| cell(column).expect("eleven columns"))
    }

    /// What becomes of a stack, each man with a Final DR of his own.
    pub fn at(&self, stack: &Stack, coloured: i32, white: i32, weight: u128) -> Dist<Stack> {
        let moving = |man: &Man| if man.pinned { 0 } else { self.moving + man.own.1 };
        let drm = |man: &Man| self.drm + man.own.0 + moving(man);
        let cells = stack.iter().map(|man| self.cell(coloured, white, drm(man)));
        let cells: Vec<&str> = cells.collect();
        suffer_each(stack, &cells, self.apart, weight, self.loss)
    }
}

/// The digit of a result: `2K` is 2KIA, `k2` is K/2, `2M` is 2MC, `P` is PTC.
fn digit(cell: &str) -> i32 {
    let digit = cell.chars().find_map(|c| c.to_digit(10));
    digit.expect("a digit") as i32
}

/// One result of the table for the whole stack.
pub fn suffer(stack: &Stack, result: &str, weight: u128, loss: bool) -> Dist<Stack> {
    suffer_each(stack, &vec![result; stack.len()], false, weight, loss)
}

/// A result of the table for each man: the lots are drawn, then who lives checks.
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

/// Who draws with whom: all with a KIA, and all with a K; or, apart, all with the same result.
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

/// One Random Selection among the men at these places: for the highest number of a KIA among their
/// results, for one of those with a K.
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

/// What a KIA or a K does to a man who was taken, or who was not.
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

/// Every Random Selection of at least `n`: who is taken, and with what weight.
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

/// Wounds, then the checks of the attack, then lost leaders, until nothing is owed.
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

/// Leaders first, best morale first.
fn next(stack: &Stack, who: impl Fn(&Man) -> bool) -> Option<usize> {
    let places = (0..stack.len()).filter(|at| who(&stack[*at]));
    places.min_by_key(|at| (stack[*at].leads.is_none(), -stack[*at].level(), *at))
}

/// Whose loss is felt next, and whether it is his death: the best morale first, then the best leader, who
/// broke before who died.
fn next_loss(stack: &Stack) -> Option<(usize, bool)> {
    let of = |(at, man): (usize, &Man)| {
        let losses = [(man.broke, false), (man.died, true)];
        let leads = man.leads;
        losses.map(|(level, death)| level.map(|level| (-level, leads, death, at)))
    };
    let first = stack.iter().enumerate().flat_map(of).flatten().min();
    first.map(|(_, _, death, at)| (at, death))
}

/// The others owe a check for the leader at this place: whether he died, and his modifier.
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

/// Eliminated, reduced, broken, pinned, wounded, and four times nothing.
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
