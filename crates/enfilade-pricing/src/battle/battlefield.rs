//! Rolled battles: the sampler of an [encounter](super::encounter).
//!
//! All distributions are alias tables in a [`EncounterTables`]; two sides fight any number of
//! battles, shot by shot. Units are tracked one by one. On a side units of a kind are stored
//! together: first those that have not acted in this round, then those that have, then those that
//! are gone.

use std::ops::Range;

use super::encounter::{Doctrine, TargetChoice, UnitTurnOrder};
use super::force_sizes::score_by_points_left;
use super::resolver::{EncounterTables, ShotsAndTablesByTarget, UnitConditionTables};
use enfilade_stats::random_draws::RandomDraws;

/// Units of one kind on one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitKindAndCount {
    /// Position of the kind among the units of the encounter.
    pub kind: usize,
    /// Number of units.
    pub count: usize,
    /// Points of each.
    pub points: f64,
    /// Fire that each of them draws, above 0.
    pub draw: f64,
}

/// Units of one kind on one side during a battle.
#[derive(Clone, Debug)]
struct UnitsOfKindInBattle<'a> {
    of: UnitKindAndCount,
    unit: &'a UnitConditionTables,
    /// Conditions: of units that have not acted, of those that have, and unused slots.
    states: Vec<u16>,
    fresh: usize,
    standing: usize,
    /// Of 2³² parts of the fire at its side, the range that falls on these units: start, end, and
    /// units per 2³² parts.
    share: [u64; 3],
}

impl UnitsOfKindInBattle<'_> {
    fn points_left_in_kind(&self) -> f64 {
        let standing = self.states[..self.standing].iter();
        let left = standing.map(|&at| self.unit.points_left[usize::from(at)]);
        self.of.points * left.sum::<f64>()
    }

    fn indices_of_hurt_units(&self) -> impl Iterator<Item = usize> + '_ {
        let is_hurt = |place: &usize| self.unit.hurt[usize::from(self.states[*place])];
        (0..self.standing).filter(is_hurt)
    }

    /// Lets a unit recover in its activation.
    fn recover_unit(&mut self, place: usize, dice: &mut RandomDraws) {
        if let Some(rest) = &self.unit.rest {
            let to = rest.draw_next_condition(self.states[place], dice.next_bits() as u32);
            self.set_condition_of_unit(place, to);
        }
    }

    /// Puts a unit into another condition, or removes it.
    #[inline]
    fn set_condition_of_unit(&mut self, mut place: usize, to: u16) {
        if to < self.unit.gone {
            self.states[place] = to;
            return;
        }
        if place < self.fresh {
            self.fresh -= 1;
            self.states[place] = self.states[self.fresh];
            place = self.fresh;
        }
        self.standing -= 1;
        self.states[place] = self.states[self.standing];
    }
}

/// Two sides that fight battle after battle.
#[derive(Debug)]
pub struct SimulatedBattlefield<'a> {
    resolver: &'a EncounterTables,
    doctrine: Doctrine,
    sides: [Vec<UnitsOfKindInBattle<'a>>; 2],
    /// By round that differs, side and place among its bands: the bands of the other side, ordered
    /// by the points that a shot takes, most first. Empty unless the doctrine needs it.
    best: Vec<[Vec<Vec<usize>>; 2]>,
}

/// Whether both sides have units left.
type BattleStatus = std::ops::ControlFlow<()>;

impl<'a> SimulatedBattlefield<'a> {
    /// Sets up two sides of an encounter that fight by `doctrine`.
    pub fn new(
        resolver: &'a EncounterTables,
        sides: [&[UnitKindAndCount]; 2],
        doctrine: Doctrine,
    ) -> SimulatedBattlefield<'a> {
        let band = |of: &UnitKindAndCount| UnitsOfKindInBattle {
            of: *of,
            unit: &resolver.units[of.kind],
            states: vec![0; of.count],
            fresh: 0,
            standing: 0,
            share: [0; 3],
        };
        let sides = sides.map(|side| side.iter().map(band).collect::<Vec<_>>());
        let rounds = resolver.rounds.iter().filter(|_| doctrine.fire == TargetChoice::Best);
        let best = rounds.map(|round| {
            [0, 1].map(|side| rank_targets_by_points_lost(round, &sides[side], &sides[1 - side]))
        });
        SimulatedBattlefield { best: best.collect(), resolver, doctrine, sides }
    }

    /// Fights one battle that side `first` begins, with the dice of each side, and adds its score
    /// to `won`: by rounds, as if the battle ended then, 1 if the first side has won, one half for
    /// a draw.
    pub fn fight_and_add_scores(
        &mut self,
        first: usize,
        dice: &mut [RandomDraws; 2],
        won: &mut [f64],
    ) {
        for band in self.sides.iter_mut().flatten() {
            band.states.fill(band.unit.start);
            (band.standing, band.fresh) = (band.of.count, 0);
        }
        let mut round = 0;
        while round < won.len() && self.continue_or_break().is_continue() {
            // A side that is gone ends the round, and then the battle.
            let _ = match self.doctrine.turns {
                UnitTurnOrder::Sides => self.play_turns_by_side(round, first, dice),
                UnitTurnOrder::Alternate => self.play_turns_by_unit(round, first, dice),
            };
            won[round] += self.score_if_ended_now();
            round += 1;
        }
        // Once decided, the battle stays as it is for the remaining rounds.
        let last = self.score_if_ended_now();
        won[round..].iter_mut().for_each(|won| *won += last);
    }

    fn have_units_left(&self) -> [bool; 2] {
        self.sides.each_ref().map(|side| side.iter().any(|band| band.standing > 0))
    }

    /// Whether the battle goes on.
    fn continue_or_break(&self) -> BattleStatus {
        match self.have_units_left() {
            [true, true] => BattleStatus::Continue(()),
            _ => BattleStatus::Break(()),
        }
    }

    /// Score of the first side if the battle ends now.
    fn score_if_ended_now(&self) -> f64 {
        match self.have_units_left() {
            [true, false] => 1.0,
            [false, true] => 0.0,
            _ => {
                let points = UnitsOfKindInBattle::points_left_in_kind;
                let [own, other] = self.sides.each_ref().map(|side| side.iter().map(points).sum());
                score_by_points_left(own, other)
            }
        }
    }

    fn play_turns_by_side(
        &mut self,
        round: usize,
        first: usize,
        dice: &mut [RandomDraws; 2],
    ) -> BattleStatus {
        for side in [first, 1 - first] {
            for place in 0..self.sides[side].len() {
                let all = 0..self.sides[side][place].standing;
                self.fire_all_shots(round, side, place, all, &mut dice[side])?;
            }
            for band in &mut self.sides[side] {
                // From the last on, so that the unit that takes the place of a lost one has
                // recovered already.
                for unit in (0..band.standing).rev() {
                    band.recover_unit(unit, &mut dice[side]);
                }
            }
            self.continue_or_break()?;
        }
        BattleStatus::Continue(())
    }

    fn play_turns_by_unit(
        &mut self,
        round: usize,
        first: usize,
        dice: &mut [RandomDraws; 2],
    ) -> BattleStatus {
        for band in self.sides.iter_mut().flatten() {
            band.fresh = band.standing;
        }
        let mut side = first;
        loop {
            let fresh = [0, 1].map(|side| self.sides[side].iter().map(|band| band.fresh).sum());
            side = match fresh {
                [0, 0] => return BattleStatus::Continue(()),
                _ if fresh[side] == 0 => 1 - side,
                _ => side,
            };
            self.fire_and_recover_any_unit(round, side, fresh[side], &mut dice[side])?;
            side = 1 - side;
        }
    }

    /// Lets one of the `fresh` units of a side, each as likely, fire and recover.
    fn fire_and_recover_any_unit(
        &mut self,
        round: usize,
        side: usize,
        fresh: usize,
        dice: &mut RandomDraws,
    ) -> BattleStatus {
        let mut unit = scale_random_bits_to_index((dice.next_bits() >> 32) as u32, fresh);
        let mut place = 0;
        while unit >= self.sides[side][place].fresh {
            unit -= self.sides[side][place].fresh;
            place += 1;
        }
        let band = &mut self.sides[side][place];
        band.fresh -= 1;
        band.states.swap(unit, band.fresh);
        let unit = band.fresh;
        self.fire_all_shots(round, side, place, unit..unit + 1, dice)?;
        self.sides[side][place].recover_unit(unit, dice);
        self.continue_or_break()
    }

    /// Fires all shots of some units of a kind.
    fn fire_all_shots(
        &mut self,
        round: usize,
        side: usize,
        place: usize,
        units: Range<usize>,
        dice: &mut RandomDraws,
    ) -> BattleStatus {
        let number = self.resolver.course[round.min(self.resolver.course.len() - 1)];
        let [one, other] = &mut self.sides;
        let (own, enemies) = if side == 0 { (one, other) } else { (other, one) };
        let band = &own[place];
        let firing = (&self.resolver.rounds[number][band.of.kind], &band.states[units]);
        match (self.doctrine.fire, enemies.as_mut_slice()) {
            // All alike: the loop in which battles spend their time.
            (TargetChoice::Spread, [only]) => fire_all_at_chosen_targets(
                firing,
                std::slice::from_mut(only),
                dice,
                |enemies, random| (0, scale_random_bits_to_index(random, enemies[0].standing)),
                |_| {},
            ),
            (TargetChoice::Spread, enemies) => {
                set_fire_share_of_kinds(enemies);
                let find = find_unit_at_share;
                fire_all_at_chosen_targets(firing, enemies, dice, find, set_fire_share_of_kinds)
            }
            (TargetChoice::Wounded, enemies) => {
                let choose = pick_unit_preferring_hurt;
                fire_all_at_chosen_targets(firing, enemies, dice, choose, |_| {})
            }
            (TargetChoice::Best, enemies) => {
                let order = &self.best[number][side][place];
                // Any unit of the first kind that is left.
                let choose = |enemies: &[UnitsOfKindInBattle], random| {
                    let standing = |place: &&usize| enemies[**place].standing > 0;
                    let place = *order.iter().find(standing).expect("a unit of this side is left");
                    (place, scale_random_bits_to_index(random, enemies[place].standing))
                };
                fire_all_at_chosen_targets(firing, enemies, dice, choose, |_| {})
            }
        }
    }
}

/// Lets units of a kind, by their fire and their conditions, fire at one after another that
/// `choose` finds by 32 random bits; after each loss the other side is `fewer`.
#[inline]
fn fire_all_at_chosen_targets(
    (battery, states): (&ShotsAndTablesByTarget, &[u16]),
    enemies: &mut [UnitsOfKindInBattle],
    dice: &mut RandomDraws,
    choose: impl Fn(&[UnitsOfKindInBattle], u32) -> (usize, usize),
    fewer: impl Fn(&mut [UnitsOfKindInBattle]),
) -> BattleStatus {
    for &state in states {
        for _ in 0..battery.shots {
            let random = dice.next_bits();
            let (at, hit) = choose(enemies, (random >> 32) as u32);
            let target = &mut enemies[at];
            let shot = &battery.at[target.of.kind];
            if !draw_shot_happens(shot.shot_thresholds[usize::from(state)], dice) {
                continue;
            }
            let before = target.standing;
            let to = shot.table.draw_next_condition(target.states[hit], random as u32);
            target.set_condition_of_unit(hit, to);
            if target.standing < before {
                fewer(enemies);
                if enemies.iter().all(|band| band.standing == 0) {
                    return BattleStatus::Break(());
                }
            }
        }
    }
    BattleStatus::Continue(())
}

/// Whether a shot happens whose threshold is `threshold` of all 32 random bits.
#[inline]
fn draw_shot_happens(threshold: u32, dice: &mut RandomDraws) -> bool {
    threshold == u32::MAX || (threshold > 0 && (dice.next_bits() >> 32) < u64::from(threshold))
}

/// Scales 32 random bits to a number below `count`, evenly.
#[inline]
pub(crate) fn scale_random_bits_to_index(random: u32, count: usize) -> usize {
    ((u64::from(random) * count as u64) >> 32) as usize
}

/// Distributes the fire at a side over its bands.
fn set_fire_share_of_kinds(bands: &mut [UnitsOfKindInBattle]) {
    let all: f64 = bands.iter().map(|band| band.of.draw * band.standing as f64).sum();
    let scale = 4_294_967_296.0 / all;
    let (mut sum, mut from) = (0.0, 0);
    for band in bands {
        sum += band.of.draw * band.standing as f64;
        let until = (sum * scale).round() as u64;
        // The smallest number for which the last part still falls on the last unit, or before it.
        let per = ((band.standing as u64) << 32).checked_div(until - from).unwrap_or(0);
        (band.share, from) = ([from, until, per], until);
    }
}

/// Finds the unit that one of 2³² parts of the fire falls on.
#[inline]
fn find_unit_at_share(bands: &[UnitsOfKindInBattle], part: u32) -> (usize, usize) {
    let (part, mut place) = (u64::from(part), 0);
    while place + 1 < bands.len() && part >= bands[place].share[1] {
        place += 1;
    }
    let [from, _, per] = bands[place].share;
    (place, (((part - from) * per) >> 32) as usize)
}

/// Picks a unit from `many` of each band, as often as it draws fire.
#[inline]
fn pick_unit_by_fire_drawn(
    bands: &[UnitsOfKindInBattle],
    random: u32,
    many: impl Fn(&UnitsOfKindInBattle) -> usize,
) -> (usize, usize) {
    let all: f64 = bands.iter().map(|band| band.of.draw * many(band) as f64).sum();
    let mut left = (f64::from(random) + 0.5) / 4_294_967_296.0 * all;
    let mut last = (0, 0);
    for (place, band) in bands.iter().enumerate() {
        let count = many(band);
        let drawn = band.of.draw * count as f64;
        if left < drawn {
            return (place, ((left / band.of.draw) as usize).min(count - 1));
        }
        left -= drawn;
        if count > 0 {
            last = (place, count - 1);
        }
    }
    last
}

/// Picks a unit that is hurt, if there is one.
fn pick_unit_preferring_hurt(bands: &[UnitsOfKindInBattle], random: u32) -> (usize, usize) {
    if bands.iter().all(|band| band.indices_of_hurt_units().next().is_none()) {
        return pick_unit_by_fire_drawn(bands, random, |band| band.standing);
    }
    let (place, number) =
        pick_unit_by_fire_drawn(bands, random, |band| band.indices_of_hurt_units().count());
    (place, bands[place].indices_of_hurt_units().nth(number).expect("a hurt unit with that number"))
}

/// By own band: the other side's bands, ordered by the points that fire takes, most first.
fn rank_targets_by_points_lost(
    round: &[ShotsAndTablesByTarget],
    own: &[UnitsOfKindInBattle],
    others: &[UnitsOfKindInBattle],
) -> Vec<Vec<usize>> {
    let order = |band: &UnitsOfKindInBattle| {
        let expected_harm = |&place: &usize| {
            let other = &others[place];
            round[band.of.kind].at[other.of.kind].harm * other.of.points
        };
        let mut order: Vec<usize> = (0..others.len()).collect();
        order.sort_by(|a, b| expected_harm(b).total_cmp(&expected_harm(a)));
        order
    };
    own.iter().map(order).collect()
}
