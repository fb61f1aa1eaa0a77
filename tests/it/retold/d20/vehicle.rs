//! `vehicle`: shots at a vehicle: spot, shoot, location, strike, penetration and what follows.
//!
//! Source: INFANTRY ATTACKING VEHICLES, VEHICLE HIT LOCATION, ARMOUR SAVE, PENETRATION. Of the
//! modifiers for which the source prints one number, the number holds for both rolls. Not played:
//! where passengers disembark to, and a vehicle's own morale.
//!
//! Which state is needed: shots still to come; of the shot being resolved, how far it has got;
//! everything that has happened to the vehicle, as flags; and where its passengers are. A vehicle
//! that is out of action takes no more shots. A step is one die, or two where a table has a
//! sub-roll or the location comes with the strike.

use enfilade::combat::{Combat, Explanation, Measure, OutcomeField, Vocabulary};
use enfilade::dice::{Dice, Roll};

use super::check::{Check, D20};

/// A row of the armour save: rolls up to `to` add `armour`.
#[derive(Clone, Copy, Debug)]
pub struct Strike {
    /// What it is called.
    pub name: &'static str,
    /// Highest roll.
    pub to: i16,
    /// Armour added.
    pub armour: i16,
}

/// Shots at a vehicle.
pub struct Shots {
    /// Shots, each by a character of its own.
    pub shots: u8,
    /// The Spot roll; `None` when the vehicle is spotted.
    pub spot: Option<Check>,
    /// The Firearms roll.
    pub shoot: Check,
    /// PEN of the weapon.
    pub pen: i16,
    /// Armour of the hull on the facing that is hit.
    pub hull: i16,
    /// Armour of the turret; `None` when there is none.
    pub turret: Option<i16>,
    /// Highest location roll that hits the hull.
    pub hull_to: i16,
    /// The armour save, lowest rolls first.
    pub strikes: [Strike; 5],
    /// Added to the penetration roll.
    pub shift: i16,
    /// Highest penetration rolls of Spalling, Mobility Kill, Mission Kill.
    pub penetration: [i16; 3],
    /// Highest sub-roll that injures the crew.
    pub crew_to: i16,
    /// Highest sub-roll that makes the passengers Combat Ineffective.
    pub passengers_to: i16,
    /// Passengers aboard.
    pub passengers: u8,
}

/// How far the shot being resolved has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    Spot,
    Shoot,
    Strike,
    Penetration,
}

/// What has happened to the vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Damage {
    hit: bool,
    penetrated: bool,
    suppressed: bool,
    spalling: bool,
    crew_injured: bool,
    mobility_kill: bool,
    mission_kill: bool,
    catastrophic: bool,
    disembarked: bool,
    passengers_lost: u8,
}

/// What has happened so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Course {
    left: u8,
    stage: Stage,
    damage: Damage,
}

impl Shots {
    fn strike(&self, roll: u8) -> &Strike {
        let [first @ .., weak] = &self.strikes;
        let row = first.iter().find(|row| i16::from(roll) <= row.to);
        row.unwrap_or(weak)
    }

    /// Armour of the location that `roll` hits.
    fn located(&self, roll: Option<u8>) -> i16 {
        match (self.turret, roll) {
            (Some(turret), Some(roll)) if i16::from(roll) > self.hull_to => turret,
            _ => self.hull,
        }
    }

    fn first_stage(&self) -> Stage {
        if self.spot.is_some() { Stage::Spot } else { Stage::Shoot }
    }

    /// The shot is done with.
    fn next_shot(&self, mut course: Course) -> Course {
        course.left -= 1;
        course.stage = self.first_stage();
        if course.damage.mission_kill || course.damage.catastrophic {
            course.left = 0;
        }
        course
    }

    /// Location, where there is a turret, and strike: whether PEN exceeds the adjusted armour.
    fn armour_save(&self, mut course: Course, dice: &mut impl Dice) -> Course {
        let location = self.turret.map(|_| dice.die(D20));
        let strike = self.strike(dice.die(D20));
        if self.pen > self.located(location) + strike.armour {
            course.stage = Stage::Penetration;
            course.damage.penetrated = true;
            return course;
        }
        course.damage.suppressed = true;
        self.next_shot(course)
    }

    /// The penetration table with its sub-rolls.
    fn penetrate(&self, mut course: Course, dice: &mut impl Dice) -> Course {
        let roll = i16::from(dice.die(D20)) + self.shift;
        let [spalling, mobility, mission] = self.penetration;
        let damage = &mut course.damage;
        if roll <= spalling {
            damage.spalling = true;
            damage.suppressed = true;
            damage.crew_injured |= i16::from(dice.die(D20)) <= self.crew_to;
        } else if roll <= mobility {
            damage.mobility_kill = true;
            damage.suppressed = true;
        } else if roll <= mission {
            damage.mission_kill = true;
            if self.aboard(damage) && i16::from(dice.die(D20)) <= self.passengers_to {
                damage.passengers_lost = self.passengers;
            }
        } else {
            damage.catastrophic = true;
            if self.aboard(damage) {
                damage.passengers_lost = self.passengers;
            }
        }
        damage.disembarked |= self.aboard(damage);
        self.next_shot(course)
    }

    /// Whether passengers are in the vehicle.
    fn aboard(&self, damage: &Damage) -> bool {
        self.passengers > 0 && !damage.disembarked && damage.passengers_lost == 0
    }
}

impl Combat for Shots {
    type State = Course;
    type Outcome = Damage;

    fn open(&self) -> Course {
        Course { left: self.shots, stage: self.first_stage(), damage: Damage::default() }
    }

    fn step(&self, mut course: Course, dice: &mut impl Dice) -> Course {
        match course.stage {
            Stage::Spot => match self.spot {
                Some(check) if !check.passes(dice.die(D20)) => return self.next_shot(course),
                _ => course.stage = Stage::Shoot,
            },
            Stage::Shoot => {
                if !self.shoot.passes(dice.die(D20)) {
                    return self.next_shot(course);
                }
                course.damage.hit = true;
                course.stage = Stage::Strike;
            }
            Stage::Strike => course = self.armour_save(course, dice),
            Stage::Penetration => course = self.penetrate(course, dice),
        }
        course
    }

    fn outcome(&self, course: &Course) -> Option<Damage> {
        (course.left == 0).then_some(course.damage)
    }

    fn vocabulary(&self) -> Vocabulary<Damage> {
        Vocabulary { fields: columns(), measures: numbers() }
    }

    fn explain(&self, from: &Course, rolls: &[Roll], to: &Course) -> Explanation {
        match (from.stage, rolls) {
            (Stage::Spot, [roll]) => tell_check("Spotting", self.spot.unwrap_or(self.shoot), *roll),
            (Stage::Shoot, [roll]) => tell_check("Shooting", self.shoot, *roll),
            (Stage::Strike, [location @ .., strike]) => self.tell_strike(location.first(), *strike),
            (Stage::Penetration, [roll, sub @ ..]) => self.tell_penetration(*roll, sub.first(), to),
            _ => Explanation::default(),
        }
    }
}

type Column = OutcomeField<Damage>;
type Number = Measure<Damage>;

fn columns() -> Vec<Column> {
    let rule = "PENETRATION";
    vec![
        Column::new("hit", "a shot hits", |d| d.hit.into())
            .label("hit")
            .rule("VEHICLE SPOTTING/SHOOTING"),
        Column::new("penetrated", "a shot penetrates", |d| d.penetrated.into())
            .label("penetrated")
            .rule("ARMOUR SAVE"),
        Column::new("suppressed", "the vehicle is Suppressed", |d| d.suppressed.into())
            .label("Suppressed")
            .rule(rule),
        Column::new("spalling", "Spalling", |d| d.spalling.into()).label("Spalling").rule(rule),
        Column::new("crew_injured", "crew injured: 2 AP", |d| d.crew_injured.into())
            .label("crew injured")
            .rule(rule),
        Column::new("mobility_kill", "it cannot move", |d| d.mobility_kill.into())
            .label("Mobility Kill")
            .rule(rule)
            .harm(70, "immobile"),
        Column::new("mission_kill", "it is out of action", |d| d.mission_kill.into())
            .label("Mission Kill")
            .rule(rule)
            .harm(80, "kill"),
        Column::new("catastrophic", "it blows up", |d| d.catastrophic.into())
            .label("Catastrophic Kill")
            .rule(rule)
            .harm(85, "kill"),
        Column::new("passengers_lost", "passengers Combat Ineffective", |d| {
            d.passengers_lost.into()
        })
        .label("passengers lost")
        .unit("passengers")
        .rule(rule),
        Column::new("disembarked", "passengers had to get out", |d| d.disembarked.into())
            .label("passengers disembark")
            .rule(rule),
    ]
}

fn numbers() -> Vec<Number> {
    vec![
        Number::probability("p_hit", "a shot hits", |d| d.hit).label("hit"),
        Number::probability("p_penetrate", "a shot penetrates", |d| d.penetrated)
            .label("penetrated"),
        Number::probability("p_vehicle_kill", "mission or catastrophic kill", |d| {
            d.mission_kill || d.catastrophic
        })
        .label("out of action")
        .headline(),
        Number::probability("p_mobility_kill", "it cannot move but is in action", |d| {
            d.mobility_kill && !d.mission_kill && !d.catastrophic
        })
        .label("immobile, but in action"),
        Number::probability("p_effect", "anything happens to it", |d| d.hit)
            .label("anything happens to it"),
        Number::mean("e_passengers_lost", "passengers lost", |d| d.passengers_lost.into())
            .label("passengers lost on average")
            .unit("passengers"),
    ]
}

fn tell_check(what: &str, check: Check, roll: Roll) -> Explanation {
    let result = if check.passes(roll.face) { "success" } else { "failure" };
    let text = format!(
        "{what}: d20 shows {} against a modified skill of {}: {result}.",
        roll.face, check.skill
    );
    Explanation::new("VEHICLE SPOTTING/SHOOTING", text)
}

impl Shots {
    fn tell_strike(&self, location: Option<&Roll>, strike: Roll) -> Explanation {
        let printed = self.located(location.map(|roll| roll.face));
        let row = self.strike(strike.face);
        let at = location.map(|roll| format!("Location: d20 shows {}. ", roll.face));
        let adjusted = printed + row.armour;
        let result =
            if self.pen > adjusted { "penetrates" } else { "does not penetrate: Suppressed" };
        let text = format!(
            "{}Strike: d20 shows {}: {}, armour {printed}{:+} = {adjusted}. PEN {} {result}.",
            at.unwrap_or_default(),
            strike.face,
            row.name,
            row.armour,
            self.pen,
        );
        Explanation::new("VEHICLE HIT LOCATION, ARMOUR SAVE", text)
    }

    fn tell_penetration(&self, roll: Roll, sub: Option<&Roll>, to: &Course) -> Explanation {
        let [spalling, mobility, mission] = self.penetration;
        let result = match i16::from(roll.face) + self.shift {
            n if n <= spalling => "Spalling",
            n if n <= mobility => "Mobility Kill",
            n if n <= mission => "Mission Kill",
            _ => "Catastrophic Kill",
        };
        let sub = sub.map(|sub| format!(" Sub-roll: d20 shows {}.", sub.face));
        let text = format!(
            "Penetration: d20 shows {}{}: {result}.{} Passengers lost {}.",
            roll.face,
            if self.shift == 0 { String::new() } else { format!(" {:+}", self.shift) },
            sub.unwrap_or_default(),
            to.damage.passengers_lost,
        );
        Explanation::new("PENETRATION", text)
    }
}
