//! Battles that are rolled, where a chain would have too many states.
//!
//! A battle is the one that the chain follows, played shot by shot. Battle number n has the same dice
//! however many troops the other side has, one stream for each side, so that what differs between
//! two points of a curve is what the further troops do. One half of the battles begins with the side
//! with the weapon, the other half with the other side.

use super::muster::{Muster, ahead};
use enfilade_engine::stream::Stream;
use enfilade_model::arsenal::{Condition, Effect, Leads, Staging, Unit};
use enfilade_stats::draws::Draws;

/// Battles that are rolled for each point of a curve.
pub const BATTLES: u64 = 4000;

/// The dice of every battle, begun once for all that is rolled.
#[derive(Debug)]
pub struct AllDice(Vec<[Draws; 2]>);

impl AllDice {
    /// Those of [`BATTLES`] battles from `seed`: two with the same dice, each begun by another side.
    pub fn new(seed: u64) -> AllDice {
        let stream = Stream { seed, fingerprint: [0; 32] };
        let of = |number| [0, 1].map(|lane| Draws::new(stream.key("battle", number, lane)));
        AllDice((0..BATTLES / 2).map(of).collect())
    }
}

/// How often the side with the weapon has won when the battle ends after 1, 2, … `rounds` rounds and the
/// other side has `extra` troops in its place, of [`BATTLES`] battles.
pub fn won(
    staging: &Staging,
    muster: Muster,
    extra: usize,
    rounds: usize,
    dice: &AllDice,
) -> Vec<f64> {
    let mut won = vec![0.0; rounds];
    let mut battle = Rolled::new(staging, muster, extra);
    for begun in &dice.0 {
        for weapon_first in [true, false] {
            battle.begin(begun.clone());
            let mut round = 0;
            while round < rounds && battle.stands() {
                battle.round(round, weapon_first);
                won[round] += battle.won();
                round += 1;
            }
            // Decided, it stays as it is for the rounds that are left.
            let last = battle.won();
            won[round..].iter_mut().for_each(|won| *won += last);
        }
    }
    won.iter_mut().for_each(|won| *won /= BATTLES as f64);
    won
}

/// Units of one kind on one side, by condition.
#[derive(Clone)]
struct Group<'a> {
    unit: &'a Unit,
    count: Vec<u32>,
    standing: u32,
    /// How much fire each of them draws.
    draws: f64,
    /// Points of each.
    points: f64,
}

impl<'a> Group<'a> {
    fn new(unit: &'a Unit, many: usize, draws: f64, points: f64) -> Group<'a> {
        let mut count = vec![0; unit.gone()];
        count[unit.start] = many as u32;
        Group { unit, count, standing: many as u32, draws, points }
    }

    fn left(&self) -> f64 {
        let left = |(&n, c): (&u32, &Condition)| f64::from(n) * c.left;
        self.points * self.count.iter().zip(&self.unit.conditions).map(left).sum::<f64>()
    }

    fn drawn(&self) -> f64 {
        self.draws * f64::from(self.standing)
    }

    /// One of them is led on by what `at` picks, 0 to 1.
    fn hit(&mut self, effect: &Effect, at: f64) {
        let mut left = at * f64::from(self.standing);
        for (condition, leads) in effect.iter().enumerate() {
            let here = f64::from(self.count[condition]);
            if left < here {
                // What is left over picks what becomes of it, as evenly.
                return self.led(condition, leads, left - f64::from(left as u32));
            }
            left -= here;
        }
    }

    fn led(&mut self, from: usize, leads: &Leads, mut at: f64) {
        for &(to, p) in leads {
            if at < p {
                self.count[from] -= 1;
                match self.count.get_mut(to) {
                    Some(count) => *count += 1,
                    None => self.standing -= 1,
                }
                return;
            }
            at -= p;
        }
    }

    /// Their own activation is over.
    fn rest(&mut self, dice: &mut Draws) {
        let unit = self.unit;
        if unit.conditions.iter().enumerate().all(|(from, c)| c.rest == [(from, 1.0)]) {
            return;
        }
        let before = self.count.clone();
        for (from, (&count, condition)) in before.iter().zip(&unit.conditions).enumerate() {
            for _ in 0..count {
                self.led(from, &condition.rest, dice.uniform());
            }
        }
    }
}

/// A battle under way.
struct Rolled<'a> {
    staging: &'a Staging,
    /// How everybody begins: troops and weapons of one side, troops of the other.
    fresh: [Group<'a>; 3],
    now: [Group<'a>; 3],
    /// The dice of each side.
    dice: [Draws; 2],
}

const TROOPS: usize = 0;
const OTHERS: usize = 2;

impl<'a> Rolled<'a> {
    fn new(staging: &'a Staging, muster: Muster, extra: usize) -> Rolled<'a> {
        let points = staging.troop_points;
        // It counts for what stands in its place; what it costs now decides nothing.
        let each = extra as f64 * points / muster.copies.max(1) as f64;
        let fresh = [
            Group::new(&staging.troops, muster.base, 1.0, points),
            Group::new(&staging.weapon, muster.copies, muster.drawn(), each),
            Group::new(&staging.troops, muster.base + extra, 1.0, points),
        ];
        let dice = [Draws::new([0; 32]), Draws::new([0; 32])];
        Rolled { staging, now: fresh.clone(), fresh, dice }
    }

    fn begin(&mut self, dice: [Draws; 2]) {
        self.dice = dice;
        for (now, fresh) in self.now.iter_mut().zip(&self.fresh) {
            now.count.copy_from_slice(&fresh.count);
            now.standing = fresh.standing;
        }
    }

    /// Whether both sides stand.
    fn stands(&self) -> bool {
        let [troops, weapons, others] = &self.now;
        troops.standing + weapons.standing > 0 && others.standing > 0
    }

    fn round(&mut self, round: usize, weapon_first: bool) {
        for weapon_side in [weapon_first, !weapon_first] {
            if weapon_side {
                self.weapon_side_acts(round)
            } else {
                self.other_side_acts(round)
            }
            if !self.stands() {
                return;
            }
            let (kinds, side) = if weapon_side { (TROOPS..OTHERS, 0) } else { (OTHERS..3, 1) };
            for group in &mut self.now[kinds] {
                group.rest(&mut self.dice[side]);
            }
        }
    }

    fn weapon_side_acts(&mut self, round: usize) {
        let round = &self.staging.rounds[round.min(self.staging.rounds.len() - 1)];
        let [troops, weapons, others] = &mut self.now;
        let volleys = [
            (troops, round.troop_shots, &round.on_troops),
            (weapons, round.weapon_shots, &round.by_weapon),
        ];
        for (firing, shots, effect) in volleys {
            for condition in 0..firing.count.len() {
                let fires = firing.unit.conditions[condition].fires;
                for _ in 0..made(firing.count[condition] * shots, fires, &mut self.dice[0]) {
                    if others.standing > 0 {
                        others.hit(effect, self.dice[0].uniform());
                    }
                }
            }
        }
    }

    fn other_side_acts(&mut self, round: usize) {
        let round = &self.staging.rounds[round.min(self.staging.rounds.len() - 1)];
        let [troops, weapons, others] = &mut self.now;
        for condition in 0..others.count.len() {
            let fires = others.unit.conditions[condition].fires;
            let shots = others.count[condition] * round.troop_shots;
            for _ in 0..made(shots, fires, &mut self.dice[1]) {
                let (on_troops, on_weapons) = (troops.drawn(), weapons.drawn());
                let at = self.dice[1].uniform() * (on_troops + on_weapons);
                if at < on_troops {
                    troops.hit(&round.on_troops, at / on_troops);
                } else if on_weapons > 0.0 {
                    weapons.hit(&round.on_weapon, (at - on_troops) / on_weapons);
                }
            }
        }
    }

    /// How the battle is won if it ends now.
    fn won(&self) -> f64 {
        let [troops, weapons, others] = &self.now;
        match (troops.standing + weapons.standing > 0, others.standing > 0) {
            (true, false) => 1.0,
            (false, true) => 0.0,
            _ => ahead(troops.left() + weapons.left(), others.left()),
        }
    }
}

/// How many of `shots` are made, each with chance `fires`.
fn made(shots: u32, fires: f64, dice: &mut Draws) -> u32 {
    match fires {
        fires if fires <= 0.0 => 0,
        fires if fires >= 1.0 => shots,
        _ => (0..shots).map(|_| u32::from(dice.uniform() < fires)).sum(),
    }
}
