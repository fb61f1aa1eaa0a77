//! Numbers of further troops at which a weapon is tried, so that its curve shows where half of the
//! battles are won.
//!
//! A curve is known at whole troops and interpolated between two of them. So it is followed to the
//! last two, those between which one half lies, and a weapon that is worth little is replaced by
//! copies: then one half lies between whole troops, and not between none and one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::battle::battle_simulator::{BattleDice, BattleSimulator};
use super::battle::encounter::Doctrine;
use super::battle::{
    ExactBattleSolver, TroopAndWeaponCounts, count_multisets_up_to, win_share_of_random_length,
};
use super::contest_cache::TrialsAndNotes;
use super::evidence::PointsAndWinShare;
use super::price::worth::FLATNESS_PROBE_SHARE;
use enfilade_model::weapons::{AssumptionValues, BattleSetup};

/// Smallest worth in troops at which a weapon is tried as a single copy.
pub const MIN_WORTH_OF_SINGLE_COPY: usize = 2;

/// The largest number of copies that replace one weapon.
const MAX_WEAPON_COPIES: usize = 24;

/// States of a chain beyond which a battle is rolled: both take about the same time there.
const MAX_EXACT_STATES: f64 = 16_384.0;

/// Points of a curve before those about one half; rolled battles use fewer, and all of them help to
/// find one half.
const POINTS_OF_EXACT_CURVE: usize = 10;
const POINTS_OF_ROLLED_CURVE: usize = 6;

/// The smallest number of further troops at which a curve ends.
const MIN_TROOPS_AT_CURVE_END: usize = 8;

/// A share of wins below which more troops on the other side add no information. Wins do not fall
/// to 0 if battles that are broken off early are ties.
const LOST_WIN_SHARE: f64 = 0.15;

/// The battle set-up of a weapon.
#[derive(Clone)]
pub struct WeaponSetupWithNotes {
    /// The values of the rulebook's assumptions that it is built from.
    pub assumed: AssumptionValues,
    pub setup: BattleSetup,
    /// Trials and notes of its contests.
    pub log: TrialsAndNotes,
}

/// Forces that meet.
#[derive(Clone)]
pub struct MeetingForcesSetup {
    pub staged: Arc<WeaponSetupWithNotes>,
    /// Their sizes; the largest number of further troops is the room there is.
    pub sizes: TroopAndWeaponCounts,
    /// The power of harm that is the fire a weapon draws.
    pub attention: f64,
    pub doctrine: Doctrine,
    /// Rounds of the battle, and the chance that it goes on after each: battles of any length are
    /// the same up to their end.
    pub rounds: usize,
    pub goes_on: f64,
}

impl MeetingForcesSetup {
    /// Whether these are the same forces, for any length of the battle: an assumption that does not
    /// affect a weapon gives the same battle.
    pub fn is_same_battle(&self, other: &MeetingForcesSetup) -> bool {
        self.staged.setup == other.staged.setup
            && (self.sizes, self.doctrine) == (other.sizes, other.doctrine)
    }

    /// Whether a meeting with `extra` further troops is summed, and not rolled.
    pub fn is_solved_exactly(&self, extra: usize) -> bool {
        let BattleSetup { troops, weapon, .. } = &self.staged.setup;
        let (troops, weapon) = (troops.gone_condition_index(), weapon.gone_condition_index());
        let TroopAndWeaponCounts { base, copies, .. } = self.sizes;
        // The states of the chain.
        let states = count_multisets_up_to(troops, base)
            * count_multisets_up_to(weapon, copies)
            * count_multisets_up_to(troops, base + extra);
        self.doctrine == Doctrine::default() && states <= MAX_EXACT_STATES
    }
}

/// By round: the win chance of the weapon's side when the battle ends then. And the battles that
/// were rolled; `None` if the chances are summed.
type WinChancesAndTrials = (Vec<f64>, Option<u64>);

/// Win chance of the weapon's side by further troops on the other, and whether that is exact.
pub type WinLookup<'a> = dyn FnMut(usize) -> (f64, bool) + 'a;

/// A series of battles between two forces, each with another number of further troops on one side.
pub struct BattlesByFurtherTroops<'a> {
    /// The forces, with the length of the battles that are asked for.
    pub forces: MeetingForcesSetup,
    dice: &'a BattleDice,
    wins_by_troops: BTreeMap<usize, WinChancesAndTrials>,
    clash: Option<ExactBattleSolver>,
    rolled: Option<BattleSimulator>,
}

impl<'a> BattlesByFurtherTroops<'a> {
    /// Creates a series without battles; those that are rolled use `dice`.
    pub fn new(forces: MeetingForcesSetup, dice: &'a BattleDice) -> BattlesByFurtherTroops<'a> {
        let wins_by_troops = BTreeMap::new();
        BattlesByFurtherTroops { forces, dice, wins_by_troops, clash: None, rolled: None }
    }

    /// Number of copies that replace the weapon, judged by the wins of this one.
    pub fn copies_worth_two_troops(&mut self) -> usize {
        copies_worth_two_troops(&mut |extra| self.win_chance_against_extra(extra))
    }

    /// Computes the points of a curve at the numbers of further troops that `choose` finds within
    /// the room, in points per `each` copies.
    pub fn compute_curve_points(
        &mut self,
        each: usize,
        choose: impl FnOnce(usize, &mut WinLookup) -> Vec<usize>,
    ) -> Vec<PointsAndWinShare> {
        let room = self.forces.sizes.most;
        let chosen = choose(room, &mut |extra| self.win_chance_against_extra(extra));
        let points = chosen.into_iter().map(|extra| {
            let (won, _) = self.win_chance_against_extra(extra);
            let WeaponSetupWithNotes { setup, log, .. } = &*self.forces.staged;
            let copies = self.forces.sizes.copies as f64;
            let points = extra as f64 * setup.troop_points - copies * setup.extra_points;
            // Rolled distributions or rolled battles: the smaller number of trials counts.
            let trials = log.trials.into_iter().chain(self.wins_by_troops[&extra].1).min();
            PointsAndWinShare { points: points / each as f64, won, trials }
        });
        // Points below 0 do not exist.
        points.filter(|point| point.points >= 0.0).collect()
    }

    /// Win chance against `extra` further troops, and whether that is exact. A known battle of
    /// fewer rounds is followed again.
    fn win_chance_against_extra(&mut self, extra: usize) -> (f64, bool) {
        let MeetingForcesSetup { rounds, goes_on, .. } = self.forces;
        let short = |(won, _): &WinChancesAndTrials| won.len() < rounds;
        if self.wins_by_troops.get(&extra).is_none_or(short) {
            let wins = self.solve_or_simulate_wins(extra, rounds);
            self.wins_by_troops.insert(extra, wins);
        }
        let (won, trials) = &self.wins_by_troops[&extra];
        (win_share_of_random_length(&won[..rounds], goes_on), trials.is_none())
    }

    fn solve_or_simulate_wins(&mut self, extra: usize, rounds: usize) -> WinChancesAndTrials {
        let MeetingForcesSetup { staged, sizes, doctrine, .. } = &self.forces;
        if !self.forces.is_solved_exactly(extra) {
            let build = || BattleSimulator::from_battle_setup(&staged.setup, *doctrine);
            let clash = self.rolled.get_or_insert_with(build);
            let (won, fought) = clash.weapon_win_chances_by_round(*sizes, extra, rounds, self.dice);
            return (won, Some(fought));
        }
        // The steps of a chain are computed for as many troops as have been needed so far.
        let small = |clash: &ExactBattleSolver| clash.sizes.most < extra;
        if self.clash.as_ref().is_none_or(small) {
            let most = curve_lengths_in_troops(sizes.most).find(|most| *most >= extra);
            let sizes = TroopAndWeaponCounts { most: most.unwrap_or(extra), ..*sizes };
            self.clash = Some(ExactBattleSolver::new(&staged.setup, sizes));
        }
        let clash = self.clash.as_ref().expect("it was made above");
        (clash.weapon_win_share_by_round(extra, rounds), None)
    }
}

/// Possible lengths of a curve with room for `room` troops: each half as long again.
fn curve_lengths_in_troops(room: usize) -> impl Iterator<Item = usize> {
    let longer = move |length: &usize| (*length < room).then(|| room.min(length + length / 2));
    std::iter::successors(Some(room.min(MIN_TROOPS_AT_CURVE_END)), longer)
}

/// Number of copies that replace a weapon: enough to be worth two of the troops, judged by the wins
/// of one.
fn copies_worth_two_troops(won: &mut WinLookup) -> usize {
    if won(MIN_WORTH_OF_SINGLE_COPY).0 >= 0.5 {
        return 1;
    }
    let less = usize::from(won(1).0 >= 0.5);
    let (above, below) =
        (log_odds_of_win_share(won(less).0), log_odds_of_win_share(won(less + 1).0));
    // A weapon that is worth nothing does not win half against an equal force.
    let guess = less as f64 + (above / (above - below)).max(0.0);
    // A weapon worth one of the troops needs two copies, however its wins are rounded.
    let copies = (MIN_WORTH_OF_SINGLE_COPY as f64 / guess - 1e-9).ceil();
    (copies as usize).clamp(1, MAX_WEAPON_COPIES)
}

fn log_odds_of_win_share(won: f64) -> f64 {
    let won = won.clamp(1e-9, 1.0 - 1e-9);
    (won / (1.0 - won)).ln()
}

/// Chooses numbers of further troops that show the whole curve: from none up to the first against
/// which the weapon has lost, and the two about one half.
pub fn choose_whole_curve_points(room: usize, won: &mut WinLookup) -> Vec<usize> {
    let mut points = BTreeSet::from([0]);
    for length in curve_lengths_in_troops(room) {
        points.insert(length);
        if won(length).0 < LOST_WIN_SHARE {
            break;
        }
    }
    let exact = points.iter().all(|&extra| won(extra).1);
    // The numbers that were tried to find its end are part of the curve.
    let wanted = if exact { POINTS_OF_EXACT_CURVE } else { POINTS_OF_ROLLED_CURVE };
    while points.len() < wanted && fill_widest_gap(&mut points) {}
    add_points_around_half(points, won)
}

/// Adds a number in the middle of the widest gap, if there is one.
fn fill_widest_gap(points: &mut BTreeSet<usize>) -> bool {
    let gaps = points.iter().zip(points.iter().skip(1));
    // The last of equally wide gaps.
    let widest = gaps.max_by_key(|(from, to)| *to - *from).map(|(from, to)| (*from, *to));
    // The middle of two neighbours is the first of them, which is there already.
    widest.is_some_and(|(from, to)| points.insert(from.midpoint(to)))
}

/// Chooses numbers of further troops that show where half of the battles are won, searched from
/// `start`: the two about one half, and for rolled battles two that are clearly apart.
pub fn choose_points_near_half(start: usize, room: usize, won: &mut WinLookup) -> Vec<usize> {
    let start = start.min(room);
    let exact = won(start).1;
    let (clear, first) =
        if exact { (0.0, 1) } else { (2.0 * FLATNESS_PROBE_SHARE, (start / 4).max(1)) };
    let mut points = BTreeSet::from([start]);
    let (mut low, mut step) = (start, first);
    while low > 0 && won(low).0 <= 0.5 + clear {
        low = low.saturating_sub(step);
        points.insert(low);
        step *= 2;
    }
    let (mut high, mut step) = (start, first);
    while high < room && won(high).0 >= 0.5 - clear {
        high = (high + step).min(room);
        points.insert(high);
        step *= 2;
    }
    if exact { add_points_around_half(points, won) } else { points.into_iter().collect() }
}

/// Adds the two whole numbers about one half, if it lies among the points; for rolled battles, two
/// no further apart than the rolls can separate.
fn add_points_around_half(mut points: BTreeSet<usize>, won: &mut WinLookup) -> Vec<usize> {
    let above = points.iter().copied().filter(|&extra| won(extra).0 > 0.5).max();
    if let Some(mut above) = above {
        while let Some(&below) = points.range(above + 1..).next() {
            let lowest = if won(above).1 { 1 } else { 1 + above / 12 };
            if below - above <= lowest {
                break;
            }
            let middle = above.midpoint(below);
            points.insert(middle);
            if won(middle).0 > 0.5 {
                above = middle;
            }
        }
    }
    points.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Win chances that pass one half against `half` troops.
    fn wins(half: f64, exact: bool) -> impl FnMut(usize) -> (f64, bool) {
        move |extra| (1.0 / (1.0 + (0.5 * (extra as f64 - half)).exp()), exact)
    }

    #[test]
    fn one_half_lies_between_two_whole_numbers_that_are_tried() {
        for half in [0.4, 1.0, 2.0, 7.5, 23.2, 41.0, 51.9] {
            for exact in [true, false] {
                let whole = choose_whole_curve_points(52, &mut wins(half, exact));
                let fewest = if exact { 9 } else { 6 };
                assert!((fewest..=13).contains(&whole.len()) && whole[0] == 0, "{half}: {whole:?}");
                let holds = |points: &[usize], apart: usize| {
                    let above = points.iter().rposition(|extra| (*extra as f64) < half);
                    let above = above.expect("one of them is below");
                    assert!(points.is_sorted() && points[above + 1] - points[above] <= apart);
                };
                // Dice cannot separate a number of troops from one a twelfth larger.
                holds(&whole, if exact { 1 } else { 1 + half as usize / 12 });
                for start in [0, 3, 20, 52, 90] {
                    let near = choose_points_near_half(start, 52, &mut wins(half, exact));
                    let ends = near[0] as f64..=near[near.len() - 1] as f64;
                    assert!(ends.contains(&half), "{half}: {near:?}");
                    if exact {
                        holds(&near, 1);
                    }
                }
            }
        }
        // Without room for more troops the curve ends there.
        assert_eq!(choose_whole_curve_points(6, &mut wins(80.0, true)).last(), Some(&6));
        assert_eq!(choose_points_near_half(2, 6, &mut wins(80.0, true)).last(), Some(&6));
    }

    /// A search that starts at one half takes two battles; with rolled battles, as many as separate
    /// the points.
    #[test]
    fn what_is_exact_takes_two_meetings() {
        assert_eq!(choose_points_near_half(7, 52, &mut wins(7.5, true)), [7, 8]);
        assert_eq!(choose_points_near_half(8, 52, &mut wins(7.5, false)), [6, 8]);
        assert_eq!(
            choose_points_near_half(8, 52, &mut |e| (0.5 + 0.01 * (7.5 - e as f64), false)),
            [2, 6, 8, 10, 14]
        );
        // Each step is twice the one before, so that few battles lead far; then halves are halved.
        assert_eq!(
            choose_points_near_half(20, 52, &mut wins(0.4, true)),
            [0, 1, 2, 5, 13, 17, 19, 20]
        );
    }

    /// Log odds fall evenly here: the worth is exact, and two troops need that many copies.
    #[test]
    fn what_is_worth_less_than_two_troops_stands_in_copies() {
        for (half, expected) in
            [(3.0, 1), (2.0, 1), (1.9, 2), (1.0, 2), (0.9, 3), (0.3, 7), (0.05, 24)]
        {
            assert_eq!(copies_worth_two_troops(&mut wins(half, true)), expected, "{half}");
        }
        assert_eq!(copies_worth_two_troops(&mut |_| (0.5 - 1e-3, true)), 24);
        assert_eq!(
            copies_worth_two_troops(&mut |extra| (if extra == 0 { 0.5 } else { 0.1 }, true)),
            24
        );
        // It always wins against an equal force, so that it is worth nearly one of the troops.
        assert_eq!(
            copies_worth_two_troops(&mut |extra| (if extra == 0 { 1.0 } else { 0.3 }, true)),
            3
        );
    }

    #[test]
    fn curves_are_half_as_long_again_until_there_is_no_room() {
        assert_eq!(curve_lengths_in_troops(30).collect::<Vec<_>>(), [8, 12, 18, 27, 30]);
        assert_eq!(curve_lengths_in_troops(5).collect::<Vec<_>>(), [5]);
        assert_eq!(curve_lengths_in_troops(12).collect::<Vec<_>>(), [8, 12]);
    }
}
