//! Teams with their markers, and how results are shared out over a squad.
//!
//! Source: 4.1 distribution of results, 4.2 result effects and marker removal, 6.4 firing into
//! close combat. A result is never tied to a figure: a team is its figures and its markers.

use std::cmp::Reverse;

/// The most teams on the target side: the target, friends in contact with it, its squadmates.
pub const MAX_TEAMS: usize = 6;

/// A team on the table: how many figures are left and which markers it carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Team {
    /// Figures left; a team without figures is gone, and its markers with it.
    pub figures: u8,
    /// Wounded markers, never more than figures.
    pub wounded: u8,
    /// Pin Check markers.
    pub pins: u8,
}

/// Results of one attack, or of one share of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Results {
    /// KIA results.
    pub kia: u8,
    /// Wounded results.
    pub wounded: u8,
    /// Pin Check results.
    pub pins: u8,
}

impl Results {
    /// Results in all.
    pub fn total(self) -> u8 {
        self.kia + self.wounded + self.pins
    }

    /// The `count` most severe results, and the rest.
    pub fn split(self, count: u8) -> (Results, Results) {
        let kia = self.kia.min(count);
        let wounded = self.wounded.min(count - kia);
        let pins = self.pins.min(count - kia - wounded);
        let worst = Results { kia, wounded, pins };
        let rest = Results {
            kia: self.kia - kia,
            wounded: self.wounded - wounded,
            pins: self.pins - pins,
        };
        (worst, rest)
    }
}

/// How a team takes results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Toll {
    /// Whether each casualty brings a Pin Check marker too.
    pub casualty_adds_pin: bool,
    /// Whether a KIA takes a Wounded figure, and its marker with it, while there is one.
    pub kia_takes_wounded: bool,
}

impl Team {
    /// The team after `results`: KIA first, then Wounded, then Pin Checks.
    ///
    /// While there are more Wounded markers than figures, two markers and one figure go, without a
    /// further pin.
    pub fn take(self, results: Results, by: Toll) -> Team {
        let mut team = self.after_kia(results.kia, by);
        team.wounded += results.wounded;
        team.pins = team.pins.saturating_add(results.pins);
        if by.casualty_adds_pin {
            let casualties = results.kia + results.wounded;
            team.pins = team.pins.saturating_add(casualties);
        }
        while team.wounded > team.figures && team.figures > 0 {
            team.wounded -= 2;
            team.figures -= 1;
        }
        if team.figures == 0 {
            return Team::default();
        }
        team
    }

    /// The team after so many KIA, before Wounded markers in excess are counted.
    fn after_kia(self, kia: u8, by: Toll) -> Team {
        let markers = if by.kia_takes_wounded { kia } else { 0 };
        Team {
            figures: self.figures.saturating_sub(kia),
            wounded: self.wounded.saturating_sub(markers),
            ..self
        }
    }

    /// What of `results` the team cannot take: KIA and Wounded that come when it is gone.
    ///
    /// Every Wounded marker in excess takes a figure and two markers, so that the last figure goes
    /// with the marker that makes them twice as many as the figures.
    fn beyond(self, results: Results, by: Toll) -> Results {
        let left = self.after_kia(results.kia, by);
        let bears = (2 * left.figures).saturating_sub(left.wounded);
        Results {
            kia: results.kia.saturating_sub(self.figures),
            wounded: results.wounded.saturating_sub(bears),
            pins: 0,
        }
    }

    /// Orders teams from the strongest on: most figures, then fewest Wounded markers and pins.
    pub fn weakness(self) -> impl Ord {
        (Reverse(self.figures), self.wounded, self.pins)
    }

    /// Whether any figure is left.
    pub fn lives(self) -> bool {
        self.figures > 0
    }
}

/// The target side: the target team first, then friends of the firer in contact with it, then its
/// squadmates; places that are not used hold teams without figures.
pub type Squad = [Team; MAX_TEAMS];

/// Who takes the half of the results that the target team need not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// The target team takes everything.
    None,
    /// All of it falls on one other team, the one that carries the most pins already.
    One,
    /// Dealt in turn over the other teams, those with the fewest pins first.
    Even,
}

/// How the results of an attack are shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sharing {
    /// What the owner of the squad does with the half that may go elsewhere.
    pub spread: Spread,
    /// How many of the places after the target hold friends of the firer.
    pub friends: u8,
    /// The target takes one result in this many, rounded up.
    pub target_takes_one_in: u8,
    /// Whether each other team must take fewer results than the target.
    pub others_take_fewer: bool,
    /// Whether casualties that a team cannot take pass on to the next, in place of being lost.
    pub passes_on: bool,
}

/// Shares `results` of an attack against `squad[target]` out over the squad.
pub fn distribute(squad: &mut Squad, target: usize, results: Results, sharing: &Sharing, by: Toll) {
    let order = others(squad, target, sharing);
    let kept = sharing.kept(results.total(), order.as_slice().len());
    let (mine, rest) = results.split(kept);
    let mut beyond = squad[target].beyond(mine, by);
    squad[target] = squad[target].take(mine, by);
    beyond = add(beyond, deal(squad, order.as_slice(), rest, by));
    while sharing.passes_on && beyond.total() > 0 {
        let mut living = Order::default();
        let places = order.iter().chain(std::iter::once(&target));
        places.filter(|&&place| squad[place].lives()).for_each(|&place| living.push(place));
        if living.len == 0 {
            break;
        }
        beyond = deal(squad, living.as_slice(), beyond, by);
    }
}

impl Sharing {
    /// How many of `total` results the target takes when there are `others` to share with.
    fn kept(&self, total: u8, others: usize) -> u8 {
        let least = match others {
            0 => total,
            _ => total.div_ceil(self.target_takes_one_in),
        };
        let most = least.saturating_sub(u8::from(self.others_take_fewer));
        let elsewhere = usize::from(most) * others;
        least.max(total.saturating_sub(elsewhere as u8))
    }
}

/// Deals `results` in turn over the teams at `places`, worst first; what those cannot take.
fn deal(squad: &mut Squad, places: &[usize], mut results: Results, by: Toll) -> Results {
    let mut shares = [Results::default(); MAX_TEAMS];
    for &team in places.iter().cycle().take(usize::from(results.total())) {
        let (worst, left) = results.split(1);
        shares[team] = add(shares[team], worst);
        results = left;
    }
    let mut beyond = Results::default();
    for &team in places {
        beyond = add(beyond, squad[team].beyond(shares[team], by));
        squad[team] = squad[team].take(shares[team], by);
    }
    beyond
}

fn add(a: Results, b: Results) -> Results {
    Results { kia: a.kia + b.kia, wounded: a.wounded + b.wounded, pins: a.pins + b.pins }
}

/// Places of the teams that share with the target, in the order in which the owner deals: friends
/// of the firer before his own, then by pins as his doctrine says, then the stronger team.
fn others(squad: &Squad, target: usize, sharing: &Sharing) -> Order {
    let mut order = Order::default();
    if sharing.spread == Spread::None {
        return order;
    }
    for (place, team) in squad.iter().enumerate() {
        if place != target && team.lives() {
            order.push(place);
        }
    }
    let friend = |place: usize| (1..=usize::from(sharing.friends)).contains(&place);
    let most = sharing.spread == Spread::One;
    let pins = |place: usize| {
        if most { u8::MAX - squad[place].pins } else { squad[place].pins }
    };
    order.sort_by_key(|place| (!friend(place), pins(place), squad[place].weakness(), place));
    if most {
        order.len = order.len.min(1);
    }
    order
}

/// A short list of places, without an allocation: this runs in every step that ends an attack.
#[derive(Default)]
struct Order {
    places: [usize; MAX_TEAMS],
    len: usize,
}

impl Order {
    fn push(&mut self, place: usize) {
        self.places[self.len] = place;
        self.len += 1;
    }

    fn sort_by_key<K: Ord>(&mut self, key: impl Fn(usize) -> K) {
        self.places[..self.len].sort_by_key(|&place| key(place));
    }

    fn as_slice(&self) -> &[usize] {
        &self.places[..self.len]
    }

    fn iter(&self) -> std::slice::Iter<'_, usize> {
        self.as_slice().iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team(figures: u8, wounded: u8, pins: u8) -> Team {
        Team { figures, wounded, pins }
    }

    fn results(kia: u8, wounded: u8, pins: u8) -> Results {
        Results { kia, wounded, pins }
    }

    fn squad(teams: &[Team]) -> Squad {
        let mut squad = Squad::default();
        squad[..teams.len()].copy_from_slice(teams);
        squad
    }

    fn shared(teams: &[Team], of: Results, spread: Spread, friends: u8) -> Squad {
        let sharing = Sharing { spread, friends, ..EVEN };
        dealt(teams, of, &sharing, PINS)
    }

    fn dealt(teams: &[Team], of: Results, sharing: &Sharing, by: Toll) -> Squad {
        let mut squad = squad(teams);
        distribute(&mut squad, 0, of, sharing, by);
        squad
    }

    const EVEN: Sharing = Sharing {
        spread: Spread::Even,
        friends: 0,
        target_takes_one_in: 2,
        others_take_fewer: false,
        passes_on: false,
    };

    /// A KIA takes no Wounded marker with it.
    const BARE: Toll = Toll { casualty_adds_pin: false, kia_takes_wounded: false };
    const PINS: Toll = Toll { casualty_adds_pin: true, ..BARE };
    const WOUNDED: Toll = Toll { kia_takes_wounded: true, ..BARE };

    #[test]
    fn two_wounded_and_five_pins_leave_the_target_with_two_and_four() {
        // 4.1: seven results, four on the target: both Wounded and two Pins, which with a pin for
        // each Wounded makes four Pin markers; three Pins go elsewhere.
        let three = [team(4, 0, 0); 3];
        let even = shared(&three, results(0, 2, 5), Spread::Even, 0);
        assert_eq!(even[..3], [team(4, 2, 4), team(4, 0, 2), team(4, 0, 1)]);
        let one = shared(&three, results(0, 2, 5), Spread::One, 0);
        assert_eq!(one[..3], [team(4, 2, 4), team(4, 0, 3), team(4, 0, 0)]);
        let none = shared(&three, results(0, 2, 5), Spread::None, 0);
        assert_eq!(none[..3], [team(4, 2, 7), team(4, 0, 0), team(4, 0, 0)]);
    }

    #[test]
    fn wounded_beyond_the_figures_remove_figures() {
        // 4.1: two figures with three Wounded are one figure with one Wounded, and no extra pin.
        assert_eq!(team(2, 2, 0).take(results(0, 1, 0), BARE), team(1, 1, 0));
        assert_eq!(team(2, 2, 0).take(results(0, 1, 0), PINS), team(1, 1, 1));
        // One figure, two Wounded: the figure goes and everything with it.
        assert_eq!(team(1, 1, 3).take(results(0, 1, 0), PINS), Team::default());
        // A KIA leaves two figures with three markers, so a second figure goes.
        assert_eq!(team(3, 3, 0).take(results(1, 0, 0), BARE), team(1, 1, 0));
    }

    #[test]
    fn a_kia_takes_a_wounded_figure_while_there_is_one() {
        let after = |results| team(3, 1, 0).take(results, WOUNDED);
        assert_eq!(after(results(1, 0, 0)), team(2, 0, 0));
        assert_eq!(after(results(2, 0, 0)), team(1, 0, 0));
        // KIA come first: the new Wounded marker is not there yet.
        assert_eq!(after(results(2, 1, 0)), team(1, 1, 0));
        assert_eq!(team(2, 2, 0).take(results(1, 0, 0), WOUNDED), team(1, 1, 0));
    }

    #[test]
    fn others_take_fewer_results_than_the_target() {
        let sharing = Sharing { others_take_fewer: true, ..EVEN };
        let pins = |teams: usize, n| {
            let after = dealt(&[team(4, 0, 0)][..].repeat(teams), results(0, 0, n), &sharing, BARE);
            after.map(|team| team.pins)
        };
        // Seven: four and three, as in the example of 4.1. Six: three and three would be as many.
        assert_eq!(pins(2, 7)[..2], [4, 3]);
        assert_eq!(pins(2, 6)[..2], [4, 2]);
        assert_eq!(pins(3, 6)[..3], [3, 2, 1]);
        assert_eq!(pins(2, 2)[..2], [2, 0]);
        assert_eq!(pins(2, 1)[..2], [1, 0]);
        assert_eq!(pins(1, 4)[..1], [4]);
    }

    #[test]
    fn others_take_no_more_results_than_the_target() {
        let sharing = Sharing { target_takes_one_in: 3, ..EVEN };
        let pins = |teams: usize, n| {
            let after = dealt(&[team(4, 0, 0)][..].repeat(teams), results(0, 0, n), &sharing, BARE);
            after.map(|team| team.pins)
        };
        // A third of three is one, and another team may take one: two stay. Of seven three, three, one.
        assert_eq!(pins(2, 3)[..2], [2, 1]);
        assert_eq!(pins(3, 3)[..3], [1, 1, 1]);
        assert_eq!(pins(3, 7)[..3], [3, 2, 2]);
        assert_eq!(pins(2, 0)[..2], [0, 0]);
    }

    #[test]
    fn casualties_that_a_team_cannot_take_pass_on() {
        let sharing = Sharing { passes_on: true, ..EVEN };
        let after = |teams: &[Team], of| dealt(teams, of, &sharing, BARE);
        let gone = Team::default();
        // Two KIA on one figure, two on four: the one too many falls on the four.
        let teams = [team(1, 0, 0), team(4, 0, 0)];
        assert_eq!(after(&teams, results(4, 0, 0))[..2], [gone, team(1, 0, 0)]);
        // It comes back to the target when the other team is gone.
        let teams = [team(4, 0, 0), team(1, 0, 0)];
        assert_eq!(after(&teams, results(4, 0, 0))[..2], [team(1, 0, 0), gone]);
        // A figure bears two Wounded markers: the second removes it. Pins are lost with it.
        let teams = [team(1, 0, 0), team(4, 0, 0)];
        assert_eq!(after(&teams, results(0, 6, 0))[..2], [gone, team(4, 4, 0)]);
        assert_eq!(after(&teams, results(1, 0, 2))[..2], [gone, team(4, 0, 1)]);
        assert_eq!(after(&teams, results(9, 9, 9))[..2], [gone, gone]);
        // Lost, as it is read without the field.
        assert_eq!(dealt(&teams, results(4, 0, 0), &EVEN, BARE)[1], team(2, 0, 0));
    }

    #[test]
    fn an_odd_result_stays_and_the_least_pinned_team_is_dealt_to_first() {
        let teams = [team(4, 0, 0), team(4, 0, 2), team(4, 0, 0)];
        let even = shared(&teams, results(1, 1, 1), Spread::Even, 0);
        assert_eq!(even[..3], [team(3, 1, 2), team(4, 0, 2), team(4, 0, 1)]);
        let one = shared(&teams, results(1, 1, 1), Spread::One, 0);
        assert_eq!(one[..3], [team(3, 1, 2), team(4, 0, 3), team(4, 0, 0)]);
    }

    #[test]
    fn friends_in_contact_are_dealt_to_before_the_owners_own_teams() {
        let teams = [team(4, 0, 0), team(4, 0, 5), team(4, 0, 0)];
        let after = shared(&teams, results(2, 0, 0), Spread::Even, 1);
        assert_eq!(after[..3], [team(3, 0, 1), team(3, 0, 6), team(4, 0, 0)]);
    }

    #[test]
    fn a_team_that_is_gone_takes_nothing() {
        let after = shared(&[team(4, 0, 0), Team::default()], results(0, 0, 4), Spread::Even, 0);
        assert_eq!(after[..2], [team(4, 0, 4), Team::default()]);
    }

    #[test]
    fn results_taken_one_by_one_or_at_once_leave_the_same_team() {
        for figures in 1..=5 {
            for wounded in 0..=figures {
                for (kia, more) in [(0, 3), (1, 1), (2, 2), (1, 4), (3, 0)] {
                    let at_once = team(figures, wounded, 0).take(results(kia, more, 0), BARE);
                    let mut stepwise = team(figures, wounded, 0);
                    for _ in 0..more {
                        stepwise = step(stepwise, results(0, 1, 0));
                    }
                    for _ in 0..kia {
                        stepwise = step(stepwise, results(1, 0, 0));
                    }
                    assert_eq!(stepwise, at_once, "{figures} {wounded} {kia} {more}");
                }
            }
        }
    }

    fn step(team: Team, results: Results) -> Team {
        if team.lives() { team.take(results, BARE) } else { team }
    }
}
