//! Two mirrored forces meet, one of them with the weapon: a chain that is followed to its end.
//!
//! Each side has the same reference troops to begin with. One side has the weapon besides, with
//! its crew; the other has further troops worth some points. In a round each side has one
//! activation, in which everybody standing fires. The battle ends when a side is gone or after a
//! number of rounds; then who has lost fewer points has won, and a tie counts half. The weapon
//! counts for the points the other side has in its place: what it costs now decides nothing.
//!
//! # Why this state is enough
//!
//! Troops are alike, so a side is a multiset of conditions: standing troops are a count. What a
//! shot does comes from the engine as a law over conditions of whoever it falls on. A shot falls
//! on one of those standing, each with the same chance, but for the weapon, which may draw more
//! fire. So the chain of (own troops, weapons, enemy troops) forgets nothing that its laws know,
//! and its probabilities are summed, not sampled. Who has the first activation would matter, so
//! both orders are followed and averaged: equal forces win exactly half.
//!
//! Not told: movement, objectives, command, and orders better than these.

use rustc_hash::FxHashMap;

/// Where something leads: a condition, or the number of conditions for "gone"; and how likely.
/// The probabilities add up to 1.
pub type Leads = Vec<(usize, f64)>;

/// What a shot does, by the condition of whoever it falls on.
pub type Effect = Vec<Leads>;

/// A unit by its conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// The conditions it can be in; to be gone is one more.
    pub conditions: Vec<Condition>,
    /// The one it begins in.
    pub start: usize,
}

/// One condition of a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Share of its shots that it makes, 0 to 1.
    pub fires: f64,
    /// Share of its points that is left, 0 to 1.
    pub left: f64,
    /// Where its own activation leads, after it has fired.
    pub rest: Leads,
}

impl Unit {
    /// A unit that is either whole or gone.
    pub fn whole() -> Unit {
        let condition = Condition {
            fires: 1.0,
            left: 1.0,
            rest: vec![(0, 1.0)],
        };
        Unit {
            conditions: vec![condition],
            start: 0,
        }
    }

    /// The number that stands for "gone".
    pub fn gone(&self) -> usize {
        self.conditions.len()
    }
}

/// What happens to a unit that is either whole or gone when a shot takes it with probability `p`.
pub fn takes(p: f64) -> Effect {
    vec![vec![(0, 1.0 - p), (1, p)]]
}

/// What fire does in one round.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Shots of a trooper in an activation.
    pub troop_shots: u32,
    /// What such a shot does to a trooper.
    pub on_troops: Effect,
    /// What such a shot does to the weapon.
    pub on_weapon: Effect,
    /// Shots of the weapon in an activation.
    pub weapon_shots: u32,
    /// What such a shot does to a trooper.
    pub by_weapon: Effect,
}

/// Everything two forces need to meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Staging {
    /// A reference trooper.
    pub troops: Unit,
    /// The weapon with its crew.
    pub weapon: Unit,
    /// Points of a reference trooper.
    pub troop_points: f64,
    /// Points of the weapon's side that its price does not contain, such as those of its crew.
    pub paid: f64,
    /// The rounds, first to last; after the last one it goes on like that.
    pub rounds: Vec<Round>,
    /// Trials behind the laws; `None` where they are exact.
    pub trials: Option<u64>,
}

/// How many meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Muster {
    /// Reference troops that each side has, at least 1.
    pub base: usize,
    /// Weapons beside them on one side.
    pub copies: usize,
    /// The most troops the other side may have in their place.
    pub most: usize,
    /// How much more fire a weapon draws than a trooper.
    pub draws: f64,
}

/// Multisets of conditions, by number: smaller ones first.
struct Crowd {
    sets: Vec<Vec<u8>>,
    numbers: FxHashMap<Vec<u8>, u32>,
}

impl Crowd {
    /// All multisets of at most `most` units over `conditions`.
    fn new(conditions: usize, most: usize) -> Crowd {
        let mut sets = vec![vec![0; conditions]];
        let mut from = 0;
        for _ in 0..most {
            let until = sets.len();
            for place in from..until {
                // Only conditions from the last used one on, so that every multiset comes once.
                let last = sets[place].iter().rposition(|&n| n > 0).unwrap_or(0);
                for condition in last..conditions {
                    let mut more = sets[place].clone();
                    more[condition] += 1;
                    sets.push(more);
                }
            }
            from = until;
        }
        let numbers = sets.iter().cloned().zip(0..).collect();
        Crowd { sets, numbers }
    }

    fn number(&self, set: &[u8]) -> u32 {
        self.numbers[set]
    }

    /// `count` units in one condition.
    fn of(&self, condition: usize, count: usize) -> u32 {
        let mut set = vec![0; self.sets[0].len()];
        set[condition] = count as u8;
        self.number(&set)
    }

    /// How many multisets have at most `most` units: they come first.
    fn up_to(&self, most: usize) -> usize {
        self.sets
            .partition_point(|set| standing(set) <= most as u32)
    }

    /// The multiset after one unit went from one condition to another, or was lost.
    fn moved(&self, set: &[u8], from: usize, to: usize) -> u32 {
        let mut after = set.to_vec();
        after[from] -= 1;
        if let Some(place) = after.get_mut(to) {
            *place += 1;
        }
        self.number(&after)
    }
}

fn standing(set: &[u8]) -> u32 {
    set.iter().map(|&n| u32::from(n)).sum()
}

/// A step of the chain: by state, where it leads.
struct Step(Vec<Vec<(u32, f64)>>);

impl Step {
    /// Moves `mass` on; with chance `1 - made` nothing happens.
    fn apply(&self, mass: &mut [f64], made: f64, after: &mut Vec<f64>) {
        after.clear();
        after.resize(mass.len(), 0.0);
        for (state, &here) in mass.iter().enumerate() {
            if here == 0.0 {
                continue;
            }
            after[state] += here * (1.0 - made);
            for &(to, p) in &self.0[state] {
                after[to as usize] += here * made * p;
            }
        }
        mass.copy_from_slice(after);
    }
}

/// A shot at one of a crowd, each of whom draws it with the same chance.
fn shot_at(crowd: &Crowd, effect: &Effect) -> Step {
    let row = |set: &Vec<u8>| {
        let all = f64::from(standing(set));
        let mut row = Vec::new();
        for (condition, &count) in set.iter().enumerate().filter(|(_, count)| **count > 0) {
            let drawn = f64::from(count) / all;
            let leads = effect[condition].iter();
            row.extend(leads.map(|&(to, p)| (crowd.moved(set, condition, to), drawn * p)));
        }
        merged(row, crowd.number(set))
    };
    Step(crowd.sets.iter().map(row).collect())
}

/// Adds up what leads to the same state; an empty row stays where it is.
fn merged(mut row: Vec<(u32, f64)>, here: u32) -> Vec<(u32, f64)> {
    if row.is_empty() {
        return vec![(here, 1.0)];
    }
    row.sort_by_key(|&(to, _)| to);
    row.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    row.retain(|&(_, p)| p > 0.0);
    row
}

/// What the own activation does to a crowd; `None` when it does nothing.
fn rest_of(crowd: &Crowd, unit: &Unit) -> Option<Step> {
    let still = |(place, condition): (usize, &Condition)| condition.rest == [(place, 1.0)];
    if unit.conditions.iter().enumerate().all(still) {
        return None;
    }
    let row = |set: &Vec<u8>| {
        let mut rows = vec![(vec![0_u8; set.len()], 1.0)];
        for (condition, &count) in set.iter().enumerate() {
            for _ in 0..count {
                rows = rested(rows, &unit.conditions[condition].rest);
            }
        }
        let numbered = rows.into_iter().map(|(set, p)| (crowd.number(&set), p));
        merged(numbered.collect(), crowd.number(set))
    };
    Some(Step(crowd.sets.iter().map(row).collect()))
}

/// One more unit joins those who have rested.
fn rested(rows: Vec<(Vec<u8>, f64)>, rest: &Leads) -> Vec<(Vec<u8>, f64)> {
    let mut after: Vec<(Vec<u8>, f64)> = Vec::new();
    for (set, chance) in rows {
        for &(to, p) in rest.iter().filter(|(_, p)| *p > 0.0) {
            let mut set = set.clone();
            if let Some(place) = set.get_mut(to) {
                *place += 1;
            }
            match after.iter_mut().find(|(known, _)| *known == set) {
                Some((_, sum)) => *sum += chance * p,
                None => after.push((set, chance * p)),
            }
        }
    }
    after
}

/// The steps of one round.
struct Steps {
    on_side: Step,
    by_troops: Step,
    by_weapon: Step,
    weapon_shots: u32,
    troop_shots: u32,
}

/// Two forces ready to meet.
pub struct Clash<'a> {
    staging: &'a Staging,
    muster: Muster,
    troops: Crowd,
    weapons: Crowd,
    others: Crowd,
    steps: Vec<Steps>,
    troops_rest: Option<Step>,
    weapons_rest: Option<Step>,
    others_rest: Option<Step>,
}

impl<'a> Clash<'a> {
    /// Works out every step of the chain.
    ///
    /// # Panics
    /// When no troops meet, or more than 250.
    pub fn new(staging: &'a Staging, muster: Muster) -> Clash<'a> {
        assert!(muster.base > 0 && muster.base + muster.most <= 250 && muster.copies <= 250);
        let troops = Crowd::new(staging.troops.gone(), muster.base);
        let weapons = Crowd::new(staging.weapon.gone(), muster.copies);
        let others = Crowd::new(staging.troops.gone(), muster.base + muster.most);
        let steps = staging.rounds.iter().map(|round| Steps {
            on_side: shot_at_side(&troops, &weapons, round, muster.draws),
            by_troops: shot_at(&others, &round.on_troops),
            by_weapon: shot_at(&others, &round.by_weapon),
            weapon_shots: round.weapon_shots,
            troop_shots: round.troop_shots,
        });
        Clash {
            steps: steps.collect(),
            troops_rest: rest_of(&troops, &staging.troops),
            weapons_rest: rest_of(&weapons, &staging.weapon),
            others_rest: rest_of(&others, &staging.troops),
            staging,
            muster,
            troops,
            weapons,
            others,
        }
    }

    /// How often the side with the weapon has won when the battle ends after 1, 2, … `rounds`
    /// rounds and the other side has `extra` troops in its place, at most [`Muster::most`]; ties
    /// count half, both orders of activation are averaged.
    pub fn won(&self, extra: usize, rounds: usize) -> Vec<f64> {
        let [first, second] = [true, false].map(|weapon_first| {
            let mut course = self.course(extra);
            let mut won = Vec::with_capacity(rounds);
            for round in 0..rounds {
                course.round(round, weapon_first);
                won.push(course.won());
            }
            won
        });
        let both = first.iter().zip(&second);
        both.map(|(first, second)| (first + second) / 2.0).collect()
    }

    fn course(&self, extra: usize) -> Course<'_, 'a> {
        let count = self.muster.base + extra;
        let width = self.others.up_to(count);
        let sides = self.troops.sets.len() * self.weapons.sets.len();
        let troops = self.troops.of(self.staging.troops.start, self.muster.base);
        let weapons = self
            .weapons
            .of(self.staging.weapon.start, self.muster.copies);
        let side = troops as usize * self.weapons.sets.len() + weapons as usize;
        let other = self.others.of(self.staging.troops.start, count) as usize;
        let mut mass = vec![0.0; sides * width];
        mass[side * width + other] = 1.0;
        Course {
            clash: self,
            extra,
            width,
            mass,
            line: Vec::new(),
            scratch: Vec::new(),
        }
    }
}

/// A shot at the side with the weapon.
fn shot_at_side(troops: &Crowd, weapons: &Crowd, round: &Round, draws: f64) -> Step {
    let wide = weapons.sets.len() as u32;
    let mut rows = Vec::with_capacity(troops.sets.len() * weapons.sets.len());
    for (own, set) in troops.sets.iter().enumerate() {
        for (armed, guns) in weapons.sets.iter().enumerate() {
            let (own, armed) = (own as u32, armed as u32);
            let all = f64::from(standing(set)) + draws * f64::from(standing(guns));
            let mut row = Vec::new();
            for (condition, &count) in set.iter().enumerate().filter(|(_, n)| **n > 0) {
                let drawn = f64::from(count) / all;
                let leads = round.on_troops[condition].iter();
                let to = |to| troops.moved(set, condition, to) * wide + armed;
                row.extend(leads.map(|&(next, p)| (to(next), drawn * p)));
            }
            for (condition, &count) in guns.iter().enumerate().filter(|(_, n)| **n > 0) {
                let drawn = draws * f64::from(count) / all;
                let leads = round.on_weapon[condition].iter();
                let to = |to| own * wide + weapons.moved(guns, condition, to);
                row.extend(leads.map(|&(next, p)| (to(next), drawn * p)));
            }
            rows.push(merged(row, own * wide + armed));
        }
    }
    Step(rows)
}

/// A battle under way: the probability of every pair of sides.
struct Course<'b, 'a> {
    clash: &'b Clash<'a>,
    extra: usize,
    /// States of the other side.
    width: usize,
    mass: Vec<f64>,
    line: Vec<f64>,
    scratch: Vec<f64>,
}

impl Course<'_, '_> {
    fn round(&mut self, round: usize, weapon_first: bool) {
        let last = self.clash.steps.len() - 1;
        let steps = &self.clash.steps[round.min(last)];
        for weapon_side in [weapon_first, !weapon_first] {
            match weapon_side {
                true => self.weapon_side_acts(steps),
                false => self.other_side_acts(steps),
            }
        }
    }

    /// The side with the weapon fires, and rests.
    fn weapon_side_acts(&mut self, steps: &Steps) {
        let clash = self.clash;
        let guns = clash.weapons.sets.len();
        for side in 0..self.mass.len() / self.width {
            let line = &mut self.mass[side * self.width..][..self.width];
            if line.iter().all(|&mass| mass == 0.0) {
                continue;
            }
            let own = &clash.troops.sets[side / guns];
            let armed = &clash.weapons.sets[side % guns];
            let volleys = [
                (
                    &steps.by_troops,
                    own,
                    &clash.staging.troops,
                    steps.troop_shots,
                ),
                (
                    &steps.by_weapon,
                    armed,
                    &clash.staging.weapon,
                    steps.weapon_shots,
                ),
            ];
            for (step, set, unit, shots) in volleys {
                for (condition, &count) in unit.conditions.iter().zip(set) {
                    for _ in 0..u32::from(count) * shots * u32::from(condition.fires > 0.0) {
                        step.apply(line, condition.fires, &mut self.scratch);
                    }
                }
            }
        }
        self.rest_weapon_side();
    }

    fn rest_weapon_side(&mut self) {
        let clash = self.clash;
        if clash.troops_rest.is_none() && clash.weapons_rest.is_none() {
            return;
        }
        let guns = clash.weapons.sets.len();
        let mut after = vec![0.0; self.mass.len()];
        for side in 0..self.mass.len() / self.width {
            let from = &self.mass[side * self.width..][..self.width];
            if from.iter().all(|&mass| mass == 0.0) {
                continue;
            }
            for (own, p) in led(&clash.troops_rest, side / guns) {
                for (armed, q) in led(&clash.weapons_rest, side % guns) {
                    let to = &mut after[(own * guns + armed) * self.width..][..self.width];
                    let moved = to.iter_mut().zip(from);
                    moved.for_each(|(to, here)| *to += here * p * q);
                }
            }
        }
        self.mass = after;
    }

    /// The other side fires, and rests.
    fn other_side_acts(&mut self, steps: &Steps) {
        let clash = self.clash;
        let troops = &clash.staging.troops;
        for other in 0..self.width {
            let column = self.mass.iter().skip(other).step_by(self.width);
            self.line.clear();
            self.line.extend(column);
            if self.line.iter().all(|&mass| mass == 0.0) {
                continue;
            }
            for (condition, &count) in troops.conditions.iter().zip(&clash.others.sets[other]) {
                let shots = u32::from(count) * steps.troop_shots;
                for _ in 0..shots * u32::from(condition.fires > 0.0) {
                    let line = &mut self.line;
                    steps
                        .on_side
                        .apply(line, condition.fires, &mut self.scratch);
                }
            }
            let column = self.mass.iter_mut().skip(other).step_by(self.width);
            column.zip(&self.line).for_each(|(to, here)| *to = *here);
        }
        if let Some(rest) = &clash.others_rest {
            for line in self.mass.chunks_mut(self.width) {
                rest.apply(line, 1.0, &mut self.scratch);
            }
        }
    }

    /// How often the side with the weapon has won if the battle ends now.
    fn won(&self) -> f64 {
        let clash = self.clash;
        let staging = clash.staging;
        let points = self.extra as f64 * staging.troop_points;
        let each = points / clash.muster.copies.max(1) as f64;
        let guns = clash.weapons.sets.len();
        let mut won = 0.0;
        for (side, line) in self.mass.chunks(self.width).enumerate() {
            let (own, armed) = (
                &clash.troops.sets[side / guns],
                &clash.weapons.sets[side % guns],
            );
            let left = staging.troop_points * worth(own, &staging.troops)
                + each * worth(armed, &staging.weapon);
            let stands = standing(own) + standing(armed) > 0;
            for (&mass, set) in line.iter().zip(&clash.others.sets) {
                if mass == 0.0 {
                    continue;
                }
                let other = staging.troop_points * worth(set, &staging.troops);
                won += mass
                    * match (stands, standing(set) > 0) {
                        (true, false) => 1.0,
                        (false, true) => 0.0,
                        _ => ahead(left, other),
                    };
            }
        }
        won
    }
}

/// Points below which a difference is rounding.
const TIE: f64 = 1e-6;

fn ahead(own: f64, other: f64) -> f64 {
    match own - other {
        lead if lead > TIE => 1.0,
        lead if lead < -TIE => 0.0,
        _ => 0.5,
    }
}

/// How many whole units a crowd is worth.
fn worth(set: &[u8], unit: &Unit) -> f64 {
    let shares = set.iter().zip(&unit.conditions);
    shares.map(|(&n, c)| f64::from(n) * c.left).sum()
}

/// Where a step leads from `state`; nowhere else when there is no step.
fn led(step: &Option<Step>, state: usize) -> Vec<(usize, f64)> {
    match step {
        None => vec![(state, 1.0)],
        Some(step) => {
            let leads = step.0[state].iter();
            leads.map(|&(to, p)| (to as usize, p)).collect()
        }
    }
}

/// What ending a battle after each of `won.len()` rounds comes to, when after every round but the
/// last it goes on with probability `goes_on`.
///
/// A discount on late activations and a chance that there are none are the same thing.
pub fn discounted(won: &[f64], goes_on: f64) -> f64 {
    let Some((last, before)) = won.split_last() else {
        return 0.5;
    };
    let mut reached = 1.0;
    let mut sum = 0.0;
    for value in before {
        sum += reached * (1.0 - goes_on) * value;
        reached *= goes_on;
    }
    sum + reached * last
}
