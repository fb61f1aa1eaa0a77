//! Characters of an element attack one after the other: spot, shoot, save, damage; and what the
//! element that was fired at does about it.
//!
//! Source: SPOTTING, SHOOTING, SAVE, STATUS DAMAGE, INTERRUPT. One telling for `shoot`, `interrupt`,
//! `fire-and-morale` and `action-points`: they differ in the plan of a character and in what follows.
//!
//! Which state is needed: how many characters have still to act, since they are all alike; where
//! the acting one is in its plan and whether it has spotted; how many characters and dice of its
//! hit are still to be rolled; and of the target the figures lost and the worst status, because the
//! element carries one status whatever the number of hits. Who hit whom is forgotten. A target
//! without figures is out of it, and so is everything else. So fifty shots have a few thousand
//! states, and a step is one die, or two when a save comes before damage. Of a reaction: how many
//! characters have rolled, and how many failed.

use enfilade::combat::{Combat, Explanation, Vocabulary};
use enfilade::dice::{Dice, Roll};

use super::check::{Check, D20, WORST};
use super::morale::{MoraleRoll, Nerve, Surrender};
use super::outcome::{self, Outcome, Report};
use super::tell;

/// One thing a character does with its AP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Spots, unless it has spotted already.
    Spot(Check),
    /// Shoots, if it has spotted.
    Shoot(Check),
}

/// How several damage dice of one character are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Each on the status table.
    PerDie,
    /// Their sum.
    Sum,
    /// The highest.
    Best,
}

/// What a hit does.
#[derive(Clone, Copy, Debug)]
pub struct Damage {
    /// Damage dice of a character in the area.
    pub dice: u8,
    /// Damage dice of a character in the danger zone.
    pub danger_dice: u8,
    /// Added to each die.
    pub bonus: i16,
    /// A character saves on this or less; `None` when it may not.
    pub save_on: Option<u8>,
    /// Characters in the area.
    pub in_area: u8,
    /// Characters in the danger zone.
    pub in_danger_zone: u8,
    /// How the dice are read.
    pub reading: Reading,
    /// Highest numbers that make Hesitant, and that pin.
    pub bands: (i16, i16),
    /// Whether a character is one casualty at most.
    pub one_casualty: bool,
}

/// What the target does after the attack.
#[derive(Clone, Copy, Debug)]
pub enum Then {
    /// Nothing.
    Nothing,
    /// An element that was fired at tries to react.
    Reacts {
        /// A morale roll without modifiers.
        check: Check,
        /// Whether each character left makes it, or one for the element.
        each: bool,
    },
    /// It takes its morale roll at its activation.
    Tests {
        /// The roll.
        roll: MoraleRoll,
        /// Whether it must, whatever happened.
        always: bool,
    },
}

/// A contest of attacking characters.
pub struct Attack {
    /// Characters that attack.
    pub figures: u8,
    /// Figures of the target.
    pub target_figures: u8,
    /// What each of them does.
    pub plan: Vec<Deed>,
    /// Whether the target is spotted already.
    pub spotted: bool,
    /// Whether a 20 ends a character's activation.
    pub twenty_loses_ap: bool,
    /// What a hit does.
    pub damage: Damage,
    /// What follows.
    pub then: Then,
    /// The target's status at the start.
    pub status: Status,
    /// Whether the target surrenders when it is Pinned.
    pub surrender: Surrender,
    /// What is reported.
    pub report: Report,
}

/// The worst status of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// None.
    Steady,
    /// Hesitant.
    Hesitant,
    /// Pinned.
    Pinned,
}

/// How the element answered the attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// It tried to react.
    Reacted {
        /// Rolls made.
        rolled: u8,
        /// Rolls that failed, each for a Suppression marker.
        failed: u8,
    },
    /// It took its morale roll.
    Tested(Nerve),
}

/// What has happened so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Course {
    /// Characters that have still to act, with the one that acts.
    pub left: u8,
    /// What the acting one does next.
    pub next: u8,
    /// Whether it has spotted.
    pub spotted: bool,
    /// Characters in the area that its hit has still to reach.
    pub in_area: u8,
    /// Characters in the danger zone likewise.
    pub in_danger: u8,
    /// Damage dice of the character being hit.
    pub dice: u8,
    /// Their sum, or the highest, so far.
    pub read: i16,
    /// Figures the target has lost.
    pub casualties: u8,
    /// Its worst status.
    pub status: Status,
    /// Whether any shot was fired, where that matters.
    pub fired: bool,
    /// Whether any shot hit.
    pub hit: bool,
    /// What the target did about it.
    pub answer: Option<Answer>,
}

impl Attack {
    /// What the acting character does next: `settled` has passed on whoever is through the plan.
    pub fn deed(&self, course: &Course) -> Deed {
        self.plan[usize::from(course.next)]
    }

    /// What each die of the hit is raised by: the weapon's bonus and the excess of the skill.
    pub fn raised(&self, course: &Course) -> i16 {
        let shot = self.plan[..usize::from(course.next)].last();
        let excess = match shot {
            Some(Deed::Shoot(check)) => check.excess(),
            _ => 0,
        };
        self.damage.bonus + excess
    }

    fn act(&self, mut course: Course, dice: &mut impl Dice) -> Course {
        let roll = dice.die(D20);
        match self.deed(&course) {
            Deed::Spot(check) => course.spotted = check.passes(roll),
            Deed::Shoot(check) => {
                course.fired |= matches!(self.then, Then::Reacts { .. });
                if check.passes(roll) {
                    course = self.hit(course);
                }
            }
        }
        course.next += 1;
        if roll == WORST && self.twenty_loses_ap {
            course.next = self.plan.len() as u8;
        }
        course
    }

    fn hit(&self, mut course: Course) -> Course {
        let standing = self.standing(&course);
        course.hit = true;
        course.in_area = self.damage.in_area.min(standing);
        course.in_danger = self.damage.in_danger_zone.min(standing - course.in_area);
        course
    }

    /// The next character that is hit: its save, and the first of its dice.
    fn struck(&self, mut course: Course, dice: &mut impl Dice) -> Course {
        let full = course.in_area > 0;
        if full {
            course.in_area -= 1;
        } else {
            course.in_danger -= 1;
        }
        if self.damage.save_on.is_some_and(|save_on| dice.die(D20) <= save_on) {
            return course;
        }
        course.dice = if full { self.damage.dice } else { self.damage.danger_dice };
        self.hurt(course, dice)
    }

    /// One damage die of the character being hit.
    fn hurt(&self, mut course: Course, dice: &mut impl Dice) -> Course {
        let value = i16::from(dice.die(D20)) + self.raised(&course);
        course.dice -= 1;
        let first = course.read == i16::MIN;
        match self.damage.reading {
            Reading::PerDie => return self.suffer(course, value),
            Reading::Best => course.read = course.read.max(value),
            Reading::Sum => course.read = if first { value } else { course.read + value },
        }
        if course.dice > 0 {
            return course;
        }
        let read = course.read;
        course.read = i16::MIN;
        self.suffer(course, read)
    }

    /// The status table.
    fn suffer(&self, mut course: Course, value: i16) -> Course {
        let (hesitant, pinned) = self.damage.bands;
        if value <= hesitant {
            course.status = course.status.max(Status::Hesitant);
        } else {
            course.status = Status::Pinned;
        }
        if value > pinned {
            course.casualties += 1;
            if self.damage.one_casualty {
                course.dice = 0;
            }
        }
        course
    }

    /// Moves on to where the next die is rolled.
    fn settled(&self, mut course: Course) -> Course {
        if course.casualties == self.target_figures {
            return self.over(course);
        }
        while course.left > 0 && course.dice + course.in_area + course.in_danger == 0 {
            match self.plan.get(usize::from(course.next)) {
                Some(Deed::Spot(_)) if course.spotted => course.next += 1,
                Some(Deed::Shoot(_)) if !course.spotted => course.next += 1,
                Some(_) => return course,
                None => {
                    course.left -= 1;
                    course.next = 0;
                    course.spotted = self.spotted;
                }
            }
        }
        course
    }

    /// Nobody is left to fire at: forgets what was being rolled.
    fn over(&self, course: Course) -> Course {
        Course {
            left: 0,
            next: 0,
            spotted: self.spotted,
            in_area: 0,
            in_danger: 0,
            dice: 0,
            ..course
        }
    }

    fn standing(&self, course: &Course) -> u8 {
        self.target_figures - course.casualties
    }

    /// Whether the target gives up when the attack is over, before it could answer.
    fn gives_up(&self, course: &Course) -> bool {
        let pinned = course.status == Status::Pinned && self.standing(course) > 0;
        pinned && self.surrender == Surrender::AtOnce
    }

    /// Whether the target has surrendered when all is over.
    pub fn surrendered(&self, course: &Course) -> bool {
        let stays_pinned = course.answer == Some(Answer::Tested(Nerve::Pinned));
        self.gives_up(course) || (stays_pinned && self.surrender != Surrender::Never)
    }

    /// Whether the target has still to answer the attack.
    pub fn owes_answer(&self, course: &Course) -> bool {
        if self.standing(course) == 0 || self.gives_up(course) {
            return false;
        }
        match (self.then, course.answer) {
            (Then::Nothing, _) | (Then::Tests { .. }, Some(_)) => false,
            (Then::Tests { always, .. }, None) => always || course.status == Status::Pinned,
            (Then::Reacts { each: true, .. }, Some(Answer::Reacted { rolled, .. })) => {
                rolled < self.standing(course)
            }
            (Then::Reacts { .. }, answer) => course.fired && answer.is_none(),
        }
    }

    fn answer(&self, course: &Course, dice: &mut impl Dice) -> Option<Answer> {
        match self.then {
            Then::Nothing => None,
            Then::Reacts { check, .. } => {
                let (rolled, failed) = match course.answer {
                    Some(Answer::Reacted { rolled, failed }) => (rolled, failed),
                    _ => (0, 0),
                };
                Some(Answer::Reacted {
                    rolled: rolled + 1,
                    failed: failed + u8::from(!check.passes(dice.die(D20))),
                })
            }
            Then::Tests { roll, .. } => {
                let pinned = course.status == Status::Pinned;
                let nerve = roll.nerve(course.casualties, pinned, dice.die(D20));
                Some(Answer::Tested(nerve))
            }
        }
    }
}

impl Combat for Attack {
    type State = Course;
    type Outcome = Outcome;

    fn open(&self) -> Course {
        self.settled(Course {
            left: self.figures,
            next: 0,
            spotted: self.spotted,
            in_area: 0,
            in_danger: 0,
            dice: 0,
            read: i16::MIN,
            casualties: 0,
            status: self.status,
            fired: false,
            hit: false,
            answer: None,
        })
    }

    fn step(&self, mut course: Course, dice: &mut impl Dice) -> Course {
        if course.left == 0 {
            course.answer = self.answer(&course, dice);
            return course;
        }
        course = if course.dice > 0 {
            self.hurt(course, dice)
        } else if course.in_area + course.in_danger > 0 {
            self.struck(course, dice)
        } else {
            self.act(course, dice)
        };
        self.settled(course)
    }

    fn outcome(&self, course: &Course) -> Option<Outcome> {
        let over = course.left == 0 && !self.owes_answer(course);
        over.then(|| outcome::of(self, course))
    }

    fn vocabulary(&self) -> Vocabulary<Outcome> {
        outcome::vocabulary(self.report)
    }

    fn explain(&self, from: &Course, rolls: &[Roll], to: &Course) -> Explanation {
        tell::step(self, from, rolls, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enfilade::dice::Scripted;

    const SKILL: Check = Check { skill: 10, one_succeeds: true };

    /// Two characters at three figures: two in the area, five dice each, and one beside it.
    fn attack(plan: Vec<Deed>) -> Attack {
        Attack {
            figures: 2,
            target_figures: 3,
            plan,
            spotted: false,
            twenty_loses_ap: true,
            damage: Damage {
                dice: 5,
                danger_dice: 2,
                bonus: 0,
                save_on: None,
                in_area: 2,
                in_danger_zone: 1,
                reading: Reading::PerDie,
                bands: (6, 12),
                one_casualty: false,
            },
            then: Then::Nothing,
            status: Status::Steady,
            surrender: Surrender::Never,
            report: Report::Attack,
        }
    }

    #[test]
    fn a_target_without_figures_ends_the_attack_wherever_it_is() {
        let attack = attack(vec![Deed::Spot(SKILL), Deed::Shoot(SKILL)]);
        // Spotted, hit, and three of the first five dice fell a figure each: two dice, a character
        // in the area, one beside it and an attacker are left over.
        let faces = [10, 10, 13, 13, 13];
        let mut dice = Scripted::new(&faces);
        let course = faces.iter().fold(attack.open(), |course, _| {
            assert_eq!(attack.outcome(&course), None);
            attack.step(course, &mut dice)
        });
        let over =
            Course { left: 0, casualties: 3, status: Status::Pinned, hit: true, ..attack.open() };
        assert_eq!(course, over);
        assert!(attack.outcome(&course).is_some());
    }

    #[test]
    fn who_has_not_spotted_does_not_shoot() {
        let attack = attack(vec![Deed::Shoot(SKILL)]);
        let course = attack.open();
        assert_eq!((course.left, course.hit), (0, false));
        assert!(attack.outcome(&course).is_some());
    }
}
