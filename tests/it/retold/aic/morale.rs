//! The morale test of a squad and the Rally of its Cowering teams.
//!
//! Source: 5.0 and 5.1. One Experience die is rolled for the whole squad and read by each team with
//! its own pins, so what happens to the teams is correlated. Not played: where Cowering teams
//! crawl to, and what they may do while they Cower.

use enfilade::dice::Dice;
use enfilade::form::Form;

use super::ladder::reduced;
use super::squad::{MAX_TEAMS, Squad, Team};

/// What a team brings to a morale test, apart from its markers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spirit {
    /// Actions of an activation.
    pub motivation: i16,
    /// Whether it is Cowering, so that it must Rally.
    pub cowering: bool,
    /// Whether it is in contact with an enemy.
    pub in_contact: bool,
}

/// How a squad tests its morale.
#[derive(Clone, Copy, Debug)]
pub struct MoraleTest {
    /// Sides of the squad's Experience die.
    pub experience: u8,
    /// Sides of the die a Cowering team rolls for itself, if it does not read the squad's.
    pub own_die: Option<u8>,
    /// Smallest total that passes.
    pub pass: i16,
    /// Off the total of a Cowering team.
    pub rally_penalty: i16,
    /// Actions a Rally uses.
    pub rally_cost: i16,
    /// Whether contact asks a Cowering team to pass outright.
    pub contact_needs_pass: bool,
    /// What each team brings, by place; places without a team bring nothing.
    pub spirits: [Spirit; MAX_TEAMS],
    /// Which places belong to the squad.
    pub members: [bool; MAX_TEAMS],
}

/// A squad's activation after its morale test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Activation {
    /// Actions the squad's teams have in all.
    pub actions: u8,
    /// Actions the target team has.
    pub target_actions: u8,
    /// Teams that Cower.
    pub cowering: u8,
    /// Teams removed: they Cowered a second time, or did not Rally in contact.
    pub removed: u8,
}

/// What the test says about one team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It has this many actions.
    Acts(u8),
    /// It Cowers.
    Cowers,
    /// It is removed from play.
    Removed,
}

impl MoraleTest {
    /// Reads the test of a squad whose Experience die has `experience` sides.
    pub fn of(
        form: &Form,
        experience: u8,
        spirits: [Spirit; MAX_TEAMS],
        members: [bool; MAX_TEAMS],
    ) -> MoraleTest {
        let number = |name| form.int(name) as i16;
        let types = form.int("cowering_reduction") as u8;
        let floor = form.int("ladder_floor") as u8;
        MoraleTest {
            experience,
            own_die: form.flag("rally_uses_reduced_die").then(|| reduced(experience, types, floor)),
            pass: number("morale_pass"),
            rally_penalty: number("rally_penalty"),
            rally_cost: number("rally_cost"),
            contact_needs_pass: form.flag("contact_needs_pass"),
            spirits,
            members,
        }
    }

    /// Whether the squad must test: a team of it is pinned or Cowering.
    pub fn is_due(&self, squad: &Squad) -> bool {
        self.places(squad).any(|p| squad[p].pins > 0 || self.spirits[p].cowering)
    }

    /// Pins beyond which nothing gets worse for the team at `place`, whatever is rolled.
    pub fn enough_pins(&self, place: usize) -> u8 {
        let die = i16::from(self.experience.max(self.own_die.unwrap_or(0)));
        let hopeless = die - self.pass + self.spirits[place].motivation;
        hopeless.clamp(1, i16::from(u8::MAX)) as u8
    }

    /// Places of the squad's teams that are still in play.
    fn places<'a>(&'a self, squad: &'a Squad) -> impl Iterator<Item = usize> + 'a {
        (0..MAX_TEAMS).filter(|&place| self.members[place] && squad[place].lives())
    }

    /// The activation of a squad that need not test.
    pub fn untested(&self, squad: &Squad) -> Activation {
        let mut activation = Activation::default();
        for place in self.places(squad) {
            activation.count(place, Verdict::Acts(self.spirits[place].motivation as u8));
        }
        activation
    }

    /// Tests the squad: one die for all, each team judged by its own pins, all pins removed.
    ///
    /// Without a pin in the squad only its Cowering teams test, each with a die of its own (5.1); the
    /// others have all their actions.
    pub fn roll(&self, squad: &mut Squad, dice: &mut impl Dice) -> Activation {
        let mut activation = Activation::default();
        let before = *squad;
        let all_test = self.places(&before).any(|place| before[place].pins > 0);
        let squads = if all_test { dice.die(self.experience) } else { 0 };
        for place in self.places(&before) {
            let spirit = self.spirits[place];
            let roll = match self.own_die {
                Some(sides) if spirit.cowering => dice.die(sides),
                None if spirit.cowering && !all_test => dice.die(self.experience),
                _ => squads,
            };
            let verdict = if all_test || spirit.cowering {
                self.judge(place, squad[place], roll)
            } else {
                Verdict::Acts(spirit.motivation as u8)
            };
            activation.count(place, verdict);
            squad[place].pins = 0;
            if verdict == Verdict::Removed {
                squad[place] = Team::default();
            }
        }
        activation
    }

    /// Reads `roll` for the team at `place`.
    pub fn judge(&self, place: usize, team: Team, roll: u8) -> Verdict {
        let spirit = self.spirits[place];
        let mut total = i16::from(roll) - i16::from(team.pins);
        if spirit.cowering {
            total -= self.rally_penalty;
        }
        let left = spirit.motivation - (self.pass - total).max(0);
        match spirit.cowering {
            false if left <= 0 => Verdict::Cowers,
            false => Verdict::Acts(left as u8),
            true if left <= 0 => Verdict::Removed,
            true if self.held_by_contact(spirit, total) => Verdict::Removed,
            true => Verdict::Acts((left - self.rally_cost).max(0) as u8),
        }
    }

    fn held_by_contact(&self, spirit: Spirit, total: i16) -> bool {
        spirit.in_contact && self.contact_needs_pass && total < self.pass
    }
}

impl Activation {
    fn count(&mut self, place: usize, verdict: Verdict) {
        match verdict {
            Verdict::Acts(actions) => {
                self.actions += actions;
                self.target_actions += if place == 0 { actions } else { 0 };
            }
            Verdict::Cowers => self.cowering += 1,
            Verdict::Removed => self.removed += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enfilade::dice::Scripted;

    fn test(spirits: &[Spirit]) -> MoraleTest {
        let mut test = MoraleTest {
            experience: 8,
            own_die: None,
            pass: 3,
            rally_penalty: 2,
            rally_cost: 1,
            contact_needs_pass: true,
            spirits: [Spirit::default(); MAX_TEAMS],
            members: [false; MAX_TEAMS],
        };
        test.spirits[..spirits.len()].copy_from_slice(spirits);
        test.members[..spirits.len()].fill(true);
        test
    }

    const STEADY: Spirit = Spirit { motivation: 3, cowering: false, in_contact: false };
    const COWERING: Spirit = Spirit { cowering: true, ..STEADY };

    fn pinned(pins: u8) -> Team {
        Team { figures: 4, wounded: 0, pins }
    }

    #[test]
    fn a_four_leaves_two_actions_cowering_and_three() {
        // 5.0: d8 shows 4, Motivation 3, pins 2, 4 and 0: totals 2, 0 and 4.
        let test = test(&[STEADY; 3]);
        let judged = [2, 4, 0].map(|pins| test.judge(0, pinned(pins), 4));
        assert_eq!(judged, [Verdict::Acts(2), Verdict::Cowers, Verdict::Acts(3)]);
    }

    #[test]
    fn a_cowering_team_rallies_on_five_with_one_action() {
        // 5.1: 5 less one pin less two for Cowering is 2, one short: two actions, less one.
        let test = test(&[COWERING]);
        assert_eq!(test.judge(0, pinned(1), 5), Verdict::Acts(1));
        // A pass leaves Motivation less one; a total of 1 leaves 0 actions: it Loiters.
        assert_eq!(test.judge(0, pinned(0), 5), Verdict::Acts(2));
        assert_eq!(test.judge(0, pinned(1), 4), Verdict::Acts(0));
        // A total of 0 takes all three actions: a second Cowering, removed.
        assert_eq!(test.judge(0, pinned(1), 3), Verdict::Removed);
    }

    #[test]
    fn contact_asks_a_cowering_team_to_pass_outright() {
        let touched = Spirit { in_contact: true, ..COWERING };
        let mut test = test(&[touched]);
        assert_eq!(test.judge(0, pinned(1), 5), Verdict::Removed);
        assert_eq!(test.judge(0, pinned(1), 6), Verdict::Acts(2));
        test.contact_needs_pass = false;
        assert_eq!(test.judge(0, pinned(1), 5), Verdict::Acts(1));
    }

    #[test]
    fn enough_pins_make_every_roll_cower_and_no_fewer() {
        for motivation in 1..=6 {
            let spirit = Spirit { motivation, ..STEADY };
            let test = test(&[spirit]);
            let enough = test.enough_pins(0);
            let best = |pins| test.judge(0, pinned(pins), 8);
            assert_eq!(best(enough), Verdict::Cowers);
            assert_ne!(best(enough - 1), Verdict::Cowers);
        }
    }

    #[test]
    fn a_squad_rolls_once_and_loses_all_its_pins() {
        let test = test(&[STEADY, STEADY, COWERING]);
        let mut squad = Squad::default();
        squad[..3].copy_from_slice(&[pinned(2), pinned(4), pinned(1)]);
        let mut dice = Scripted::new(&[4]);
        let after = test.roll(&mut squad, &mut dice);
        assert_eq!((dice.used(), dice.misfit()), (1, None));
        let expected = Activation { actions: 2, target_actions: 2, cowering: 1, removed: 0 };
        assert_eq!(after, expected);
        assert!(squad.iter().all(|team| team.pins == 0));
    }

    #[test]
    fn a_reduced_die_of_its_own_is_rolled_when_the_field_says_so() {
        let mut test = test(&[STEADY, COWERING]);
        test.own_die = Some(6);
        let mut squad = Squad::default();
        squad[..2].copy_from_slice(&[pinned(1), pinned(0)]);
        let mut dice = Scripted::new(&[8, 2]);
        let after = test.roll(&mut squad, &mut dice);
        assert_eq!((after.actions, after.removed, dice.used()), (3, 1, 2));
    }

    #[test]
    fn without_pins_only_the_cowering_team_rolls() {
        // 5.1: its test is its own, so a 1 removes it and leaves the steady team its three actions.
        let test = test(&[STEADY, COWERING]);
        let mut squad = Squad::default();
        squad[..2].copy_from_slice(&[pinned(0), pinned(0)]);
        let after = test.roll(&mut squad, &mut Scripted::new(&[1]));
        assert_eq!((after.actions, after.cowering, after.removed), (3, 0, 1));
        // One pin makes the test the squad's: 1 is two short of 3, and one action is left.
        squad[..2].copy_from_slice(&[pinned(0), pinned(1)]);
        let after = test.roll(&mut squad, &mut Scripted::new(&[1]));
        assert_eq!((after.actions, after.cowering, after.removed), (1, 0, 1));
    }

    #[test]
    fn without_pins_each_cowering_team_rolls_its_own_die() {
        let test = test(&[COWERING, COWERING]);
        let mut squad = Squad::default();
        squad[..2].copy_from_slice(&[pinned(0), pinned(0)]);
        let mut dice = Scripted::new(&[1, 5]);
        let after = test.roll(&mut squad, &mut dice);
        assert_eq!((after.actions, after.removed, dice.used()), (2, 1, 2));
    }

    #[test]
    fn a_squad_without_pins_or_cowering_teams_need_not_test() {
        let test = test(&[STEADY, STEADY]);
        let mut squad = Squad::default();
        squad[..2].copy_from_slice(&[pinned(0), pinned(0)]);
        assert!(!test.is_due(&squad));
        assert_eq!(test.untested(&squad).actions, 6);
        squad[1].pins = 1;
        assert!(test.is_due(&squad));
    }
}
