//! Fire attacks by brute force, told a second time.
//!
//! Tables and rules are typed anew from A7 and A10 and nothing of `enfilade::systems` is used but the
//! contest under test. Units are a plain list that nobody sorts or merges, a Random Selection is all
//! 6ⁿ rolls of its dr at once, every die divides a weight that starts as a power of six. The laws must
//! be the same to the last unit.

use std::collections::BTreeMap;

use dashu_int::UBig;

use crate::asl_play::Law;

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
    pub was_squad: bool,
    pub began_broken: bool,
    pub began_pinned: bool,
    pub broken: bool,
    pub pinned: bool,
    pub wounded: bool,
    pub dead: bool,
    /// Owes the check of the attack.
    pub due: bool,
    /// Owes a wound severity roll.
    pub bleeds: bool,
    /// A leader whose loss is not felt yet.
    pub lost: bool,
    /// Owes a check for a lost leader.
    pub grieves: bool,
}

pub const SQUAD: Man = Man {
    size: 2,
    morale: 7,
    broken_morale: 7,
    half_morale: 7,
    half_broken: 7,
    leads: None,
    hero: false,
    was_squad: false,
    began_broken: false,
    began_pinned: false,
    broken: false,
    pinned: false,
    wounded: false,
    dead: false,
    due: false,
    bleeds: false,
    lost: false,
    grieves: false,
};

impl Man {
    fn level(&self) -> i32 {
        if self.broken {
            self.broken_morale
        } else {
            self.morale
        }
    }

    fn breaks(&mut self, loss: bool) {
        self.broken = true;
        self.pinned = false;
        self.lost = loss && self.leads.is_some();
    }

    fn dies(&mut self, loss: bool) {
        self.dead = true;
        self.due = false;
        self.bleeds = false;
        self.grieves = false;
        self.lost = loss && self.leads.is_some();
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
        let busy = self.due || self.grieves || self.bleeds;
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
    pub drm: i32,
    pub cowers: usize,
    /// Whether a lost leader is felt.
    pub loss: bool,
}

fn attack(stack: &Stack, shot: Shot) -> Dist<Stack> {
    let mut after = Dist::new();
    for (coloured, white) in pairs() {
        let weight = split(WHOLE, 36);
        let result = shot.result(coloured, white);
        for (stack, weight) in suffer(stack, result, weight, shot.loss) {
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

    /// What a roll says.
    pub fn result(&self, coloured: i32, white: i32) -> &'static str {
        let line = (coloured + white + self.drm).clamp(0, 15);
        let cell = |column| TABLE[line as usize].split(' ').nth(column);
        self.column(coloured, white)
            .map_or("-", |column| cell(column).expect("eleven columns"))
    }
}

/// A result of the table: `2K` is 2KIA, `k2` is K/2, `2M` is 2MC, `P` is PTC.
pub fn suffer(stack: &Stack, result: &str, weight: u128, loss: bool) -> Dist<Stack> {
    let digit = |text: &str| text.parse::<i32>().expect("a digit");
    let (begun, number) = match (result, &result[1..]) {
        ("-", _) => return Dist::from([(stack.clone(), weight)]),
        ("P", _) => return check(pin_check(stack), weight, None, loss),
        (_, "K") => (killed(stack, digit(&result[..1]) as usize, weight, loss), 0),
        (_, "M") => {
            let everybody = Dist::from([(due(stack, |_| true), weight)]);
            (everybody, digit(&result[..1]))
        }
        (_, number) => (casualties(stack, weight, loss), digit(number)),
    };
    let mut after = Dist::new();
    for (stack, weight) in begun {
        for (stack, weight) in check(stack, weight, Some(number), loss) {
            add(&mut after, stack, weight);
        }
    }
    after
}

fn pin_check(stack: &Stack) -> Stack {
    due(stack, |man| !man.broken && !man.pinned && !man.hero)
}

fn due(stack: &Stack, who: impl Fn(&Man) -> bool) -> Stack {
    let mut stack = stack.clone();
    for man in &mut stack {
        man.due = who(man);
    }
    stack
}

/// Every Random Selection of at least `n`: who is taken, and with what weight.
fn selections(people: usize, n: usize, weight: u128) -> Dist<Vec<bool>> {
    if people <= n {
        return Dist::from([(vec![true; people], weight)]);
    }
    let mut found = Dist::new();
    let ways = 6u128.pow(people as u32);
    for roll in 0..ways {
        let dr: Vec<u128> = (0..people)
            .map(|i| roll / 6u128.pow(i as u32) % 6)
            .collect();
        let mut sorted = dr.clone();
        sorted.sort_by(|a, b| b.cmp(a));
        let taken = dr.iter().map(|d| *d >= sorted[n - 1]).collect();
        add(&mut found, taken, split(weight, ways));
    }
    found
}

fn casualties(stack: &Stack, weight: u128, loss: bool) -> Dist<Stack> {
    let mut after = Dist::new();
    for (taken, weight) in selections(stack.len(), 1, weight) {
        let mut stack = stack.clone();
        for (man, taken) in stack.iter_mut().zip(taken) {
            if taken {
                man.shrinks(loss);
            }
            man.due = !man.dead && !man.bleeds;
        }
        add(&mut after, stack, weight);
    }
    after
}

fn killed(stack: &Stack, n: usize, weight: u128, loss: bool) -> Dist<Stack> {
    let mut after = Dist::new();
    for (taken, weight) in selections(stack.len(), n, weight) {
        let mut stack = stack.clone();
        for (man, taken) in stack.iter_mut().zip(taken) {
            match (taken, man.broken || man.hero) {
                (true, _) => man.dies(loss),
                (false, true) => man.shrinks(loss),
                (false, false) => man.breaks(loss),
            }
        }
        add(&mut after, stack, weight);
    }
    after
}

/// Wounds, then the checks of the attack (`Some(n)` a morale check, `None` a pin check), then lost
/// leaders, until nothing is owed.
fn check(stack: Stack, weight: u128, number: Option<i32>, loss: bool) -> Dist<Stack> {
    let mut open = Dist::from([((stack, None), weight)]);
    let mut over = Dist::new();
    while let Some(((stack, grief), weight)) = open.pop_first() {
        let wounded = stack.iter().position(|man| man.bleeds);
        let owing = next(&stack, |man| man.due);
        let grieving = next(&stack, |man| man.grieves);
        let mut go = |stack, grief, weight| add(&mut open, (stack, grief), weight);
        if let Some(at) = wounded {
            for dr in 1..=6 {
                let mut stack = stack.clone();
                let man = &mut stack[at];
                man.bleeds = false;
                if dr + i32::from(man.wounded) <= 4 {
                    man.wounded = true;
                } else {
                    man.dies(loss);
                }
                go(stack, grief, split(weight, 6));
            }
        } else if let Some(at) = owing.or(grieving) {
            for (a, b) in pairs() {
                let mut stack = stack.clone();
                roll(&mut stack, at, a + b, number, grief, loss);
                go(stack, grief, split(weight, 36));
            }
        } else if let Some(at) = next(&stack, |man| man.lost) {
            let (stack, grief) = feel(stack, at);
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

/// The others owe a check for the leader at this place: whether he died, and his modifier.
fn feel(mut stack: Stack, at: usize) -> (Stack, (bool, i32)) {
    let leader = stack[at];
    stack[at].lost = false;
    for man in stack
        .iter_mut()
        .filter(|man| !man.dead && man.level() < leader.level())
    {
        man.grieves = leader.dead || !man.broken && !man.pinned && !man.hero;
    }
    (stack, (leader.dead, leader.leads.unwrap_or(0).abs()))
}

fn roll(
    stack: &mut Stack,
    at: usize,
    original: i32,
    number: Option<i32>,
    grief: Option<(bool, i32)>,
    loss: bool,
) {
    let others = stack
        .iter()
        .enumerate()
        .filter(|(i, man)| *i != at && man.able_to_lead());
    let led = others.filter_map(|(_, man)| man.leads).min().unwrap_or(0);
    let man = &mut stack[at];
    let mourning = !man.due;
    let (is_morale, added) = match (mourning, grief) {
        (true, Some((died, drm))) => (died, drm),
        _ => (number.is_some(), number.unwrap_or(0)),
    };
    man.due = false;
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
            if !man.dead {
                man.breaks(loss);
            }
        }
        (false, ..) if excess > 0 && (man.broken || man.hero) => man.shrinks(loss),
        (false, ..) if excess > 0 => man.breaks(loss),
        (false, false, false) if excess == 0 && !mourning => man.pinned = true,
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
    Law {
        whole: UBig::from(WHOLE),
        rows,
    }
}
