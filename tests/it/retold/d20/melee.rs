//! Hand to hand: both sides roll a d20 per figure, for one or several rounds, in a building after a
//! grenade.
//!
//! Source: MELEE COMBAT, BUILDING ASSAULT, ASSAULT MODIFIERS, GRENADE ASSAULT PHASE DAMAGE. A room
//! is one contest: rooms do not influence each other. Not played: breaking off.
//!
//! Which state is needed: the round, the figures left on both sides, how many have rolled, by how
//! many successes the attackers lead and whether there was any, and the natural 1s of each side as
//! far as the enemy has figures to lose. Who rolled what is forgotten at the end of a round. Before
//! that, in a building, the grenade's occupants and dice still to come, whether the occupant is a
//! casualty already, and whether the room is Stunned and Pinned. A die a step.

use enfilade::combat::{Combat, Explanation, Measure, OutcomeField, Vocabulary};
use enfilade::dice::{Dice, Roll};

use super::check::{BEST, Check, D20};

/// A side of a melee.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// Figures at the start.
    pub figures: u8,
    /// Skill with the modifiers that do not change during the fight, but for its state.
    pub skill: i16,
    /// Whether it has a Suppression marker.
    pub suppressed: bool,
    /// Whether it is Pinned.
    pub pinned: bool,
    /// SMGs it carries.
    pub smgs: u8,
}

/// Numbers of the tables that a melee uses.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// For a Suppression marker.
    pub suppressed: i16,
    /// For being Pinned.
    pub pinned: i16,
    /// For each SMG.
    pub smg: i16,
    /// For each figure more than the other side.
    pub more: i16,
    /// For charging, in the first round; 0 when nobody charges.
    pub charging: i16,
    /// Casualties of the side with fewer successes.
    pub casualties: u8,
    /// Casualties of each side in a deadlock with an outnumbered defender.
    pub deadlock_casualties: u8,
    /// Casualties of the enemy for each natural 1.
    pub one_casualties: u8,
}

/// The grenade of a building assault.
#[derive(Clone, Copy, Debug)]
pub struct Grenade {
    /// Damage dice of each occupant.
    pub dice: u8,
    /// Highest die that stuns.
    pub stunned: i16,
    /// An occupant saves on this or less; `None` when it may not.
    pub save_on: Option<u8>,
    /// Whether an occupant is one casualty at most.
    pub one_casualty: bool,
    /// Whether a casualty makes the occupants that are left Pinned.
    pub pins: bool,
}

/// A melee, perhaps after a grenade.
pub struct Melee {
    /// The side that attacks.
    pub attackers: Side,
    /// The side that is attacked.
    pub defenders: Side,
    /// Rounds fought at most.
    pub rounds: u8,
    /// Whether a natural 1 succeeds against any skill.
    pub one_succeeds: bool,
    /// Numbers of the tables.
    pub table: Table,
    /// The grenade before the melee, if there is one.
    pub grenade: Option<Grenade>,
}

/// What has happened so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Course {
    /// Occupants that the grenade has still to reach.
    occupants: u8,
    /// Grenade dice of the one being hit.
    dice: u8,
    /// Whether that one is a casualty already; its other dice can still stun the room.
    down: bool,
    stunned: bool,
    pinned: bool,
    /// Rounds fought.
    round: u8,
    attackers: u8,
    defenders: u8,
    /// Figures that have rolled in this round, attackers first.
    rolled: u8,
    /// Successes of the attackers less those of the defenders.
    lead: i8,
    any_success: bool,
    attackers_ones: u8,
    defenders_ones: u8,
    /// Whether the last round was a deadlock.
    deadlock: bool,
}

/// How a melee ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ended {
    attacker_casualties: i32,
    defender_casualties: i32,
    deadlock: bool,
    stunned: bool,
    pinned: bool,
    attackers_gone: bool,
    defenders_gone: bool,
}

impl Melee {
    /// The check of a figure of `side`, of which `own` are left against `other`.
    fn check(&self, side: &Side, own: u8, other: u8) -> Check {
        let state = i16::from(side.suppressed) * self.table.suppressed
            + i16::from(side.pinned) * self.table.pinned;
        let more = i16::from(own.saturating_sub(other)) * self.table.more;
        let smgs = i16::from(side.smgs.min(own)) * self.table.smg;
        Check { skill: side.skill + state + more + smgs, one_succeeds: self.one_succeeds }
    }

    fn attackers_check(&self, course: &Course) -> Check {
        let (own, other) = (course.attackers, course.defenders);
        let mut check = self.check(&self.attackers, own, other);
        check.skill += if course.round == 0 { self.table.charging } else { 0 };
        check
    }

    fn defenders_check(&self, course: &Course) -> Check {
        let side = Side {
            suppressed: self.defenders.suppressed || course.stunned,
            pinned: self.defenders.pinned || course.pinned,
            ..self.defenders
        };
        self.check(&side, course.defenders, course.attackers)
    }

    /// One figure rolls.
    fn figure(&self, mut course: Course, dice: &mut impl Dice) -> Course {
        let attacks = course.rolled < course.attackers;
        let check =
            if attacks { self.attackers_check(&course) } else { self.defenders_check(&course) };
        let roll = dice.die(D20);
        let success = check.passes(roll);
        let one = u8::from(roll == BEST);
        course.any_success |= success;
        if attacks {
            course.lead += i8::from(success);
            course.attackers_ones = (course.attackers_ones + one).min(course.defenders);
        } else {
            course.lead -= i8::from(success);
            course.defenders_ones = (course.defenders_ones + one).min(course.attackers);
        }
        course.rolled += 1;
        if course.rolled < course.attackers + course.defenders {
            return course;
        }
        self.round(course)
    }

    /// Everyone has rolled: counts the casualties.
    fn round(&self, course: Course) -> Course {
        let table = &self.table;
        let deadlock = course.lead == 0 && course.any_success;
        let each = if deadlock && course.attackers > course.defenders {
            table.deadlock_casualties
        } else {
            0
        };
        let lost = |enemy_ones: u8, beaten: bool| {
            let by_ones = enemy_ones.saturating_mul(table.one_casualties);
            let by_blows = if beaten { table.casualties } else { 0 };
            by_ones.saturating_add(by_blows).saturating_add(each)
        };
        let defenders_lost = lost(course.attackers_ones, course.lead > 0);
        let attackers_lost = lost(course.defenders_ones, course.lead < 0);
        let next = Course {
            round: course.round + 1,
            attackers: course.attackers.saturating_sub(attackers_lost),
            defenders: course.defenders.saturating_sub(defenders_lost),
            stunned: course.stunned,
            pinned: course.pinned,
            ..Course::default()
        };
        Course { deadlock: deadlock && self.is_over(&next), ..next }
    }

    fn is_over(&self, course: &Course) -> bool {
        let grenade = course.occupants + course.dice > 0;
        let gone = course.attackers == 0 || course.defenders == 0;
        !grenade && (course.round == self.rounds || gone)
    }

    /// One die of the grenade, after the save of the occupant it reaches.
    fn blast(&self, grenade: &Grenade, mut course: Course, dice: &mut impl Dice) -> Course {
        if course.dice == 0 {
            course.occupants -= 1;
            if grenade.save_on.is_some_and(|save_on| dice.die(D20) <= save_on) {
                return course;
            }
            course.dice = grenade.dice;
        }
        course.dice -= 1;
        if i16::from(dice.die(D20)) <= grenade.stunned {
            course.stunned = true;
        } else if !course.down {
            course.defenders = course.defenders.saturating_sub(1);
            course.down = grenade.one_casualty;
            course.pinned = grenade.pins;
        }
        course.down &= course.dice > 0;
        course
    }
}

impl Combat for Melee {
    type State = Course;
    type Outcome = Ended;

    fn open(&self) -> Course {
        Course {
            occupants: if self.grenade.is_some() { self.defenders.figures } else { 0 },
            attackers: self.attackers.figures,
            defenders: self.defenders.figures,
            ..Course::default()
        }
    }

    fn step(&self, course: Course, dice: &mut impl Dice) -> Course {
        match &self.grenade {
            Some(grenade) if course.occupants + course.dice > 0 => {
                self.blast(grenade, course, dice)
            }
            _ => self.figure(course, dice),
        }
    }

    fn outcome(&self, course: &Course) -> Option<Ended> {
        let lost = |side: &Side, left: u8| i32::from(side.figures - left);
        self.is_over(course).then(|| Ended {
            attacker_casualties: lost(&self.attackers, course.attackers),
            defender_casualties: lost(&self.defenders, course.defenders),
            deadlock: course.deadlock,
            stunned: course.stunned && course.defenders > 0,
            pinned: course.pinned && course.defenders > 0,
            attackers_gone: course.attackers == 0,
            defenders_gone: course.defenders == 0,
        })
    }

    fn vocabulary(&self) -> Vocabulary<Ended> {
        let mut fields = columns();
        if self.grenade.is_some() {
            fields.extend(of_a_grenade());
        }
        Vocabulary { fields, measures: numbers() }
    }

    fn explain(&self, from: &Course, rolls: &[Roll], to: &Course) -> Explanation {
        let Some(&last) = rolls.last() else {
            return Explanation::default();
        };
        if from.occupants + from.dice > 0 {
            return self.tell_blast(from, rolls, to);
        }
        let attacks = from.rolled < from.attackers;
        let (who, check) = match attacks {
            true => ("An attacker", self.attackers_check(from)),
            false => ("A defender", self.defenders_check(from)),
        };
        let result = if check.passes(last.face) { "success" } else { "miss" };
        let mut text = format!("{who}: d20 shows {} against {}: {result}.", last.face, check.skill);
        if last.face == BEST {
            text.push_str(" A natural 1 costs the enemy a casualty.");
        }
        if to.round > from.round {
            text += &format!(
                " Round {}: {} attackers and {} defenders are left.",
                to.round, to.attackers, to.defenders
            );
        }
        Explanation::new("MELEE COMBAT", text)
    }
}

type Column = OutcomeField<Ended>;
type Number = Measure<Ended>;

fn columns() -> Vec<Column> {
    let rule = "MELEE COMBAT";
    vec![
        Column::new("attacker_casualties", "figures the attackers lost", |o| o.attacker_casualties)
            .label("attackers lost")
            .unit("figures")
            .rule(rule),
        Column::new("defender_casualties", "figures the defenders lost", |o| o.defender_casualties)
            .label("defenders lost")
            .unit("figures")
            .rule(rule),
        Column::new("deadlock", "the last round was a deadlock", |o| o.deadlock.into())
            .label("Deadlock")
            .rule(rule),
    ]
}

fn of_a_grenade() -> [Column; 2] {
    let rule = "GRENADE ASSAULT PHASE DAMAGE";
    let (stunned, pinned) =
        ("the occupants left are Stunned", "the grenade made the occupants left Pinned");
    [
        Column::new("stunned", stunned, |o| o.stunned.into()).label("occupants Stunned").rule(rule),
        Column::new("pinned", pinned, |o| o.pinned.into())
            .label("occupants Pinned")
            .rule(rule)
            .harm(40, "pin"),
    ]
}

fn numbers() -> Vec<Number> {
    vec![
        Number::probability("p_kill", "the defenders lose a figure", |o| o.defender_casualties > 0)
            .label("defender lost")
            .headline()
            .finishing(),
        Number::probability("p_effect", "a figure is lost on either side", |o| {
            o.defender_casualties + o.attacker_casualties > 0
        })
        .label("figure lost on either side"),
        Number::probability("p_deadlock", "the last round was a deadlock", |o| o.deadlock)
            .label("Deadlock"),
        Number::probability("p_defenders_gone", "no defender is left", |o| o.defenders_gone)
            .label("no defender left"),
        Number::probability("p_attackers_gone", "no attacker is left", |o| o.attackers_gone)
            .label("no attacker left"),
        Number::mean("e_casualties", "figures the defenders lose", |o| o.defender_casualties)
            .label("defenders lost on average")
            .unit("figures"),
        Number::mean("e_attacker_casualties", "figures the attackers lose", |o| {
            o.attacker_casualties
        })
        .label("attackers lost on average")
        .unit("figures"),
    ]
}

impl Melee {
    fn tell_blast(&self, from: &Course, rolls: &[Roll], to: &Course) -> Explanation {
        let faces: Vec<String> = rolls.iter().map(|roll| roll.face.to_string()).collect();
        let lost = from.defenders - to.defenders;
        let text = format!(
            "Grenade: d20 shows {}. Occupants lost {lost}, {} left{}{}.",
            faces.join(" (save), "),
            to.defenders,
            if to.stunned { ", Stunned" } else { "" },
            if to.pinned { ", Pinned" } else { "" },
        );
        Explanation::new("GRENADE ASSAULT PHASE DAMAGE", text)
    }
}
