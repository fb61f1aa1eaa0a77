//! An encounter: attacks in their order, then, in some contests, the target squad's morale test.
//!
//! Source: 4.1, 6.0 to 6.4, 7.0. Fire, Assault Fire, close combat and suppression are lists of the
//! same attacks: one Experience die for the team, one weapon die per figure added to it, each total
//! read against Defense. The Experience die is rolled **once** per attack, so the totals of a team
//! are correlated.
//!
//! Which state is needed: where in the list the encounter stands; of the attack being rolled, the
//! face of the Experience die, how many weapon dice are rolled and how many results of each kind
//! there are (which figure had them does not matter: results are not tied to figures); results that
//! wait until the enemy has struck back; the teams of the target side as figures and markers, equal
//! squadmates sorted; and the attacker's losses, added up, because a team that has struck does
//! nothing more. Pins are counted no further than a morale test can tell apart, once nothing else
//! looks at them. A weapon die a step, so a state is replayed at most twelve times.

use enfilade::combat::{Combat, Explanation, Vocabulary};
use enfilade::dice::{Dice, Roll};

use super::morale::{Activation, MoraleTest};
use super::outcome::{self, Outcome, Report};
use super::squad::{MAX_TEAMS, Results, Sharing, Squad, Team, Toll, distribute};
use super::team::Arms;
use super::tell;

/// What kind of attack it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Ranged: results are shared out at once, and when the target is gone its squad is fired at.
    Fire,
    /// Ranged, before close combat with the same team: at the target alone.
    AssaultFire,
    /// The active side's blow in close combat.
    Strike,
    /// The defender's blow; the losses of both sides apply after it.
    StrikeBack,
}

/// Smallest totals, Defense and cover included, that give each result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needed {
    /// For a Pin Check; `None` where there are no pins.
    pub pin: Option<i16>,
    /// For a Wounded.
    pub wound: i16,
    /// For a KIA.
    pub kia: i16,
}

/// One attack of the list.
#[derive(Clone, Debug)]
pub struct Attack {
    /// What kind of attack it is.
    pub manner: Manner,
    /// Whose blow is answered in the next attack.
    pub answered: bool,
    /// Dice of the team that rolls: the attacker, or for a strike back the defender.
    pub arms: Arms,
    /// The attacking team at the start.
    pub attacker: Team,
    /// Totals needed against the other side.
    pub needed: Needed,
    /// How the results are taken.
    pub toll: Toll,
    /// Rule number, for telling.
    pub rule: &'static str,
}

/// A contest of the `aic` system.
pub struct Encounter {
    /// The attacks, in order.
    pub attacks: Vec<Attack>,
    /// The target side at the start.
    pub squad: Squad,
    /// Which places are exchangeable with the place before: same squad, same spirit.
    pub like_previous: [bool; MAX_TEAMS],
    /// How results are shared out.
    pub sharing: Sharing,
    /// The morale test after the attacks, if there is one.
    pub morale: Option<MoraleTest>,
    /// Wounded markers of all attackers at the start, where the enemy may add to them.
    pub attackers_wounded: u8,
    /// What is reported.
    pub report: Report,
}

/// What has happened so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Course {
    /// Which attack is being rolled; past the last one, the morale test.
    pub attack: u8,
    /// Face of the Experience die; 0 until it is rolled.
    pub experience: u8,
    /// Weapon dice rolled.
    pub rolled: u8,
    /// Results of the attack being rolled.
    pub results: Results,
    /// Results of a blow that wait for the enemy's.
    pub waiting: Results,
    /// The target side.
    pub squad: Squad,
    /// Figures the attackers have lost.
    pub friendly_kia: u8,
    /// Wounded markers the attackers carry.
    pub friendly_wounded: u8,
    /// The squad's activation, once its morale is tested.
    pub activation: Option<Activation>,
}

impl Needed {
    /// The result of one figure's total.
    pub fn result(&self, total: i16) -> Results {
        let mut results = Results::default();
        if total >= self.kia {
            results.kia = 1;
        } else if total >= self.wound {
            results.wounded = 1;
        } else if self.pin.is_some_and(|pin| total >= pin) {
            results.pins = 1;
        }
        results
    }
}

impl Encounter {
    /// The attack being rolled.
    pub fn attack(&self, course: &Course) -> Option<&Attack> {
        self.attacks.get(usize::from(course.attack))
    }

    /// The weapon dice of the attack being rolled.
    pub fn dice<'a>(&self, attack: &'a Attack, course: &Course) -> &'a [u8] {
        match attack.manner {
            Manner::StrikeBack => attack.arms.dice(course.squad[0]),
            _ => attack.arms.dice(attack.attacker),
        }
    }

    /// The team the attack being rolled is aimed at: the target team, or for fire, once that is
    /// gone, the strongest of its squad that is left.
    pub fn aimed_at(&self, course: &Course) -> usize {
        if course.squad[0].lives() {
            return 0;
        }
        let squadmates = 1 + usize::from(self.sharing.friends)..MAX_TEAMS;
        let left = squadmates.filter(|&place| course.squad[place].lives());
        left.min_by_key(|&place| course.squad[place].weakness()).unwrap_or(0)
    }

    /// Rolls the next weapon die and, after the last, applies the attack's results.
    fn weapon(&self, attack: &Attack, mut course: Course, dice: &mut impl Dice) -> Course {
        let weapons = self.dice(attack, &course);
        let face = dice.die(weapons[usize::from(course.rolled)]);
        let result = attack.needed.result(i16::from(course.experience) + i16::from(face));
        course.results.kia += result.kia;
        course.results.wounded += result.wounded;
        course.results.pins += result.pins;
        course.rolled += 1;
        if usize::from(course.rolled) < weapons.len() {
            return course;
        }
        self.resolved(attack, course)
    }

    /// The attack is rolled: applies it, or lets it wait for the enemy's blow.
    fn resolved(&self, attack: &Attack, mut course: Course) -> Course {
        let results = std::mem::take(&mut course.results);
        match attack.manner {
            Manner::Fire | Manner::AssaultFire => self.inflict(attack, results, &mut course),
            Manner::Strike if attack.answered => course.waiting = results,
            Manner::Strike => self.inflict(attack, results, &mut course),
            Manner::StrikeBack => {
                let after = attack.attacker.take(results, attack.toll);
                course.friendly_kia += attack.attacker.figures - after.figures;
                course.friendly_wounded += after.wounded;
                course.friendly_wounded -= attack.attacker.wounded;
                let blow = std::mem::take(&mut course.waiting);
                self.inflict(attack, blow, &mut course);
            }
        }
        course.experience = 0;
        course.rolled = 0;
        course.attack += 1;
        self.pass_over(course)
    }

    fn inflict(&self, attack: &Attack, results: Results, course: &mut Course) {
        let target = self.aimed_at(course);
        distribute(&mut course.squad, target, results, &self.sharing, attack.toll);
        self.tidy(course, usize::from(course.attack) + 1);
    }

    /// Sorts equal squadmates, strongest first, and forgets pins that no longer matter: those that
    /// a morale test cannot tell apart, when no fire to come is dealt out by them.
    fn tidy(&self, course: &mut Course, attack: usize) {
        let squad = &mut course.squad;
        let dealt_by_pins = attack < self.attacks.len() && self.squad[2].lives();
        if let Some(test) = self.morale.as_ref().filter(|_| !dealt_by_pins) {
            for (place, team) in squad.iter_mut().enumerate() {
                team.pins = team.pins.min(test.enough_pins(place));
            }
        }
        let mut first = 0;
        for end in 1..=MAX_TEAMS {
            if end == MAX_TEAMS || !self.like_previous[end] {
                squad[first..end].sort_by_key(|team| team.weakness());
                first = end;
            }
        }
    }

    /// Passes over attacks that have nobody left to attack.
    fn pass_over(&self, mut course: Course) -> Course {
        while let Some(attack) = self.attack(&course) {
            let aimed = match attack.manner {
                Manner::Fire => self.aimed_at(&course),
                Manner::AssaultFire | Manner::Strike | Manner::StrikeBack => 0,
            };
            if course.squad[aimed].lives() {
                break;
            }
            course.attack += 1;
        }
        course
    }
}

impl Combat for Encounter {
    type State = Course;
    type Outcome = Outcome;

    fn open(&self) -> Course {
        let mut course = Course {
            attack: 0,
            experience: 0,
            rolled: 0,
            results: Results::default(),
            waiting: Results::default(),
            squad: self.squad,
            friendly_kia: 0,
            friendly_wounded: self.attackers_wounded,
            activation: None,
        };
        self.tidy(&mut course, 0);
        course
    }

    fn step(&self, mut course: Course, dice: &mut impl Dice) -> Course {
        match (self.attack(&course), &self.morale) {
            (Some(attack), _) if course.experience == 0 => {
                course.experience = dice.die(attack.arms.experience);
            }
            (Some(attack), _) => course = self.weapon(attack, course, dice),
            (None, Some(test)) => {
                course.activation = Some(test.roll(&mut course.squad, dice));
                let past = self.attacks.len();
                self.tidy(&mut course, past);
            }
            (None, None) => {}
        }
        course
    }

    fn outcome(&self, course: &Course) -> Option<Outcome> {
        if self.attack(course).is_some() {
            return None;
        }
        let activation = match (&self.morale, course.activation) {
            (Some(test), None) if test.is_due(&course.squad) => return None,
            (Some(test), None) => test.untested(&course.squad),
            (_, activation) => activation.unwrap_or_default(),
        };
        Some(outcome::of(self, course, activation))
    }

    fn vocabulary(&self) -> Vocabulary<Outcome> {
        outcome::vocabulary(self.report)
    }

    fn explain(&self, from: &Course, rolls: &[Roll], to: &Course) -> Explanation {
        tell::step(self, from, rolls, to)
    }
}
