//! `explosion`: something that explodes or burns, and every trooper near it.
//!
//! Source: Advanced Explosives and Incendiary Weapons. 2d6 against the target number; a miss scatters
//! to a neighbouring dot, unless the weapon burns and is not thrown: that goes off where it was aimed.
//! Every trooper takes the damage of his ring, with his own 2d6 for the cell. Walls that stop a blast
//! and smoke are not told.
//!
//! # Why this state is enough
//!
//! After the hit dice and the scatter die every trooper's ring is known, so they are resolved one
//! after another: the state is the dot of the explosion, who is next, the card of the one being
//! resolved while he takes more than one hit, and how many are dead or out. Who they were changes
//! nothing that is asked.

use std::num::NonZeroU32;

use crate::bounds::Bound;
use crate::catalogue::{Action, Contest};
use crate::combat::{AnyCombat, Combat, Telling, Vocabulary};
use crate::dice::{Dice, Roll};
use crate::form::groups::joined;
use crate::form::rows::{Group, choice, fields};
use crate::form::{Fault, Form, Kind, Words, both, each};

use super::aim::{Aim, Aiming, Marks, Weapon, card};
use super::blast::{self, Outcome};
use super::card::{Card, Damage};
use super::data::WeaponKind;
use super::fields::{
    AimRules, Attacker, CardRules, READINGS, Situation, THE_PLACE, THE_TARGET, TargetFields, Throw,
    WeaponFields,
};

const SCATTER: Bound = Bound::new("scatter in dots", 0, 12);
const COORDINATE: Bound = Bound::new("axial coordinate", -60, 60);
const CROSSED: Bound = Bound::new("number of burning dots", 0, 20);
const POINTS: Bound = Bound::new("lethal damage", 0, 50);
/// The most troopers near an explosion.
const MAX_TROOPERS: usize = 40;

choice! {
    /// Where a miss of an incendiary weapon that is not thrown goes off.
    enum IncendiaryMiss {
        /// Where it was aimed.
        AimedDot = "aimed-dot",
        /// Nowhere.
        Nothing = "nothing",
    }
}

fields! {
    /// Who is near, and what a miss and fire do.
    struct Own {
        /// where troopers stand, in axial hex coordinates from the aimed dot; one on the dot when
        /// left out
        troopers: Option<Vec<Vec<i64>>> = optional(Kind::list(const { &Kind::list(const { &Kind::Int(COORDINATE) }) }))
            .label("where troopers stand").group(THE_TARGET);
        /// dots a miss scatters
        scatter_distance: i8 = int(SCATTER, 1).assumed().label("a miss scatters").unit("dots")
            .group(READINGS).rare();
        /// where a miss of an incendiary weapon that is not thrown goes off: where it was aimed,
        /// as it does not scatter, or nowhere
        incendiary_miss: IncendiaryMiss = choice(IncendiaryMiss::WORDS).from("Incendiary Weapons")
            .assumed().label("a miss of incendiary weapons")
            .values(&["goes off where it was aimed", "does nothing"]).group(READINGS).rare();
        /// the troopers are in water
        in_water: bool = flag(false).from("Advanced Terrain").label("in water")
            .values(&["on land", "in water"]).group(THE_PLACE).rare();
        /// lethal damage added to every ring in water
        water_damage: u8 = int(POINTS, 2).from("Advanced Terrain")
            .label("lethal damage added in water").group(READINGS).rare();
        /// burning dots each trooper caught in a fire then enters
        fire_entered: usize = int(CROSSED, 0).from("Incendiary Weapons")
            .label("burning dots entered").unit("dots").group(THE_PLACE);
        /// each trooper caught in a fire ends his movement in it
        ends_in_fire: bool = flag(false).from("Incendiary Weapons").label("ends in the fire")
            .group(THE_PLACE);
        /// lethal damage for entering a burning dot
        fire_enter_damage: u8 = int(POINTS, 1).from("Incendiary Weapons")
            .label("lethal damage of a burning dot").group(READINGS).rare();
        /// lethal damage for ending movement in fire
        fire_end_damage: u8 = int(POINTS, 8).from("Incendiary Weapons")
            .label("lethal damage for ending in fire").group(READINGS).rare();
    }
}

/// The catalogue entry.
pub const EXPLOSION: Action = Action::new(
    "explosion",
    "an explosion or fire with scatter, and every trooper near it",
    joined![
        WeaponFields::FIELDS,
        Own::FIELDS,
        Attacker::FIELDS,
        Throw::FIELDS,
        Situation::FIELDS,
        TargetFields::FIELDS,
        CardRules::FIELDS,
        AimRules::FIELDS,
    ],
    &build,
    &[
        "weapon = 'light anti-tank'\nrange = 50\ntroopers = [[0, 0], [1, 0], [0, -2]]",
        "weapon = 'hand grenade'\nap_spent = 5\ntroopers = [[0, 0], [0, 1], [1, 1], [-3, 0]]\ntarget_armour = 'standard'",
        "weapon = 'incendiary rocket'\nrange = 100\ntroopers = [[0, 0], [1, -1]]\nfire_entered = 2",
        "weapon = 'flamethrower'\nrange = 5\nends_in_fire = true",
        "weapon = 'heavy flamethrower'\nrange = 12\nincendiary_miss = 'nothing'\ntroopers = [[0, 0], [1, 0]]",
        "weapon = 'grenade launcher'\nin_water = true\nscatter_distance = 2\ntroopers = [[0, 0], [2, 0]]\nadvanced_armour = true\ntarget_armour = 'basic'",
        "damage = '3X/1X'\nkind = 'launcher'\nmodifier = 9\ntroopers = [[1, 0]]",
    ],
)
.asks("How often does the {weapon|explosion} put a trooper out of action?")
.off_table(
    "A target number of 2 or less always hits the aimed dot, one above 12 never does, nor does \
     anything beyond long range. Beyond the last ring there is no damage. A cell roll of 11 or 12 \
     is cell 10 (our reading).",
);

/// The six neighbours of a dot, in the order of the scatter die.
const DIRECTIONS: [(i8, i8); 6] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];

struct Explosion {
    aim: Aim,
    miss: Miss,
    /// Damage by ring, water included.
    rings: Vec<Damage>,
    troopers: Vec<(i64, i64)>,
    /// Hits each trooper caught in the fire takes afterwards.
    fire: Vec<Damage>,
    marks: Marks,
    fresh: Card,
    pv: Option<NonZeroU32>,
}

/// What becomes of an attack that misses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Miss {
    /// It goes off so many dots away, in any direction.
    Scatters(i8),
    /// It does nothing.
    Fizzles,
}

impl Miss {
    /// Incendiary Weapons: how a miss goes on.
    ///
    /// "Incendiary ranged weapons are resolved like explosive ranged weapons, but they do not
    /// scatter": as if they scattered no dots, within their range.
    fn of(own: &Own, weapon: &Weapon, in_range: bool) -> Miss {
        match (weapon.kind, own.incendiary_miss) {
            (WeaponKind::Incendiary, IncendiaryMiss::AimedDot) if in_range => Miss::Scatters(0),
            (WeaponKind::Incendiary, _) => Miss::Fizzles,
            _ => Miss::Scatters(own.scatter_distance),
        }
    }
}

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let (given, own) = (WeaponFields::read(form), Own::read(form));
    let weapon = Weapon::of(&given).map(|weapon| weapon.taken_to_explode(&given));
    let (weapon, troopers) = both(weapon, troopers(&own))?;
    if !weapon.kind.explodes() {
        let fault = Fault::new(given.told_by(), "the weapon does not explode");
        return Err(vec![fault.help("use `attack`, or give `kind = \"launcher\"`")]);
    }
    let (situation, rules) = (Situation::read(form), AimRules::read(form));
    let ap_spent = Some(Throw::read(form).ap_spent);
    let aiming = Aiming { situation: &situation, rules: &rules, ap_spent };
    let aim = Aim::of(&weapon, &Attacker::read(form), aiming);
    let miss = Miss::of(&own, &weapon, aim.needed.is_some());
    let water = if own.in_water { own.water_damage } else { 0 };
    let wet = |ring: &Damage| Damage { lethal: ring.lethal + water, ..*ring };
    let card_rules = CardRules::read(form);
    let notes = Vec::from_iter(notes(&aim, miss));
    Ok(Contest {
        combat: AnyCombat::new(Explosion {
            aim,
            miss,
            rings: weapon.rings.iter().map(wet).collect(),
            troopers,
            fire: if weapon.kind.burns() { fire(&own) } else { Vec::new() },
            marks: Marks::of(&card_rules),
            fresh: card(&TargetFields::read(form), &card_rules),
            pv: weapon.pv,
        }),
        notes,
        grows_with: Words::Static(&["troopers", "fire_entered"]),
    })
}

/// What a miss comes to, where it is not what a reader expects.
fn notes(aim: &Aim, miss: Miss) -> Option<String> {
    let note = match (aim.needed, miss) {
        (None, Miss::Scatters(_)) => "the aimed dot is out of range: every shot scatters",
        (None, Miss::Fizzles) => "the aimed dot is out of range: nothing goes off",
        (Some(_), Miss::Scatters(0)) => {
            "a miss goes off on the aimed dot as well: the target number decides nothing"
        }
        _ => return None,
    };
    Some(note.into())
}

/// Incendiary Weapons: what a trooper suffers for each burning dot he enters, and where he stops.
fn fire(own: &Own) -> Vec<Damage> {
    let lethal = |lethal| Damage { lethal, bludgeoning: 0 };
    let mut fire = vec![lethal(own.fire_enter_damage); own.fire_entered];
    fire.extend(own.ends_in_fire.then_some(lethal(own.fire_end_damage)));
    fire
}

fn troopers(own: &Own) -> Result<Vec<(i64, i64)>, Vec<Fault>> {
    let Some(dots) = &own.troopers else {
        return Ok(vec![(0, 0)]);
    };
    if dots.len() > MAX_TROOPERS {
        let many = dots.len();
        let problem = format!("at most {MAX_TROOPERS} troopers can be near, but there are {many}");
        return Err(vec![Fault::new("troopers", problem)]);
    }
    let dot = |dot: &Vec<i64>| match dot[..] {
        [q, r] => Ok((q, r)),
        _ => Err(vec![Fault::new("", "a dot has two coordinates, such as [1, 0]")]),
    };
    each("troopers", dots, dot)
}

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct State {
    stage: Stage,
    hit: bool,
    /// Where it explodes, from the aimed dot.
    at: (i8, i8),
    dead: u8,
    out: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Stage {
    /// The hit dice.
    Aim,
    /// The scatter die, for so many dots.
    Scatter(i8),
    /// The next hit on a trooper: the blast is 0, the fire 1 and more.
    Trooper { index: u8, hit: u8, card: Card },
    /// No die.
    Over,
}

impl Explosion {
    /// Advanced Explosives: dots from where it goes off, which is the ring that counts.
    fn ring(&self, at: (i8, i8), index: usize) -> usize {
        let (q, r) = self.troopers[index];
        let (q, r) = (q - i64::from(at.0), r - i64::from(at.1));
        ((q.abs() + r.abs() + (q + r).abs()) / 2) as usize
    }

    /// Turns to the next trooper who is near enough.
    fn next_trooper(&self, mut now: State, from: usize) -> State {
        let near = |&index: &usize| self.ring(now.at, index) < self.rings.len();
        let next = (from..self.troopers.len()).find(near);
        now.stage = next.map_or(Stage::Over, |index| Stage::Trooper {
            index: index as u8,
            hit: 0,
            card: self.fresh,
        });
        now
    }

    /// Advanced Explosives: what misses goes off elsewhere.
    fn aimed(&self, mut now: State, hit: bool) -> State {
        now.hit = hit;
        match self.miss {
            _ if hit => return self.next_trooper(now, 0),
            Miss::Scatters(0) => return self.next_trooper(now, 0),
            Miss::Scatters(distance) => now.stage = Stage::Scatter(distance),
            Miss::Fizzles => now.stage = Stage::Over,
        }
        now
    }

    /// Advanced Explosives: a die for the direction.
    fn scattered(&self, mut now: State, distance: i8, face: u8) -> State {
        let (q, r) = DIRECTIONS[usize::from(face) - 1];
        now.at = (q * distance, r * distance);
        self.next_trooper(now, 0)
    }

    /// Advanced Explosives, Incendiary Weapons: damage of the ring, then of the fire.
    fn damage(&self, now: &State, index: u8, hit: u8) -> Damage {
        match hit {
            0 => self.rings[self.ring(now.at, index.into())],
            n => self.fire[usize::from(n) - 1],
        }
    }

    fn trooper_hit(&self, mut now: State, index: u8, hit: u8, card: Card) -> State {
        if !card.dead() && usize::from(hit) < self.fire.len() {
            now.stage = Stage::Trooper { index, hit: hit + 1, card };
            return now;
        }
        now.dead += u8::from(card.dead());
        now.out += u8::from(!card.dead() && !card.in_action());
        self.next_trooper(now, usize::from(index) + 1)
    }
}

impl Combat for Explosion {
    type State = State;
    type Outcome = Outcome;

    fn open(&self) -> State {
        State { stage: Stage::Aim, hit: false, at: (0, 0), dead: 0, out: 0 }
    }

    fn step(&self, now: State, dice: &mut impl Dice) -> State {
        match now.stage {
            Stage::Aim => self.aimed(now, self.aim.hits(dice)),
            Stage::Scatter(distance) => self.scattered(now, distance, dice.die(6)),
            Stage::Trooper { index, hit, card } => {
                let card = self.marks.mark(card, self.damage(&now, index, hit), dice);
                self.trooper_hit(now, index, hit, card)
            }
            Stage::Over => now,
        }
    }

    fn outcome(&self, now: &State) -> Option<Outcome> {
        (now.stage == Stage::Over).then_some(Outcome { hit: now.hit, dead: now.dead, out: now.out })
    }

    fn vocabulary(&self) -> Vocabulary<Outcome> {
        let mut measures = blast::numbers();
        measures.extend(self.pv.into_iter().flat_map(blast::per_100_pv));
        Vocabulary { fields: blast::columns(), measures }
    }

    fn tell(&self, from: &State, rolls: &[Roll], to: &State) -> Telling {
        let faces: Vec<_> = rolls.iter().map(|roll| roll.face).collect();
        let sum: u8 = faces.iter().sum();
        match from.stage {
            Stage::Aim => {
                let needed = self.aim.needed.map_or("–".into(), |needed| needed.to_string());
                let result = if to.hit { "a hit" } else { "a miss" };
                let text =
                    format!("2d6 {faces:?} = {sum} against {needed} ({}): {result}.", self.aim.sum);
                Telling::new("Attacks", text)
            }
            Stage::Scatter(_) => {
                let text =
                    format!("Scatter die {sum}: it explodes at {:?} from the aimed dot.", to.at);
                Telling::new("Explosives", text)
            }
            Stage::Trooper { index, hit, card } => {
                let damage = self.damage(from, index, hit);
                let after = self.marks.at(card, damage, sum);
                let dot = self.troopers[usize::from(index)];
                let state = match (after.dead(), after.hp()) {
                    (true, _) => "dead".into(),
                    (false, 0) => "out of action".into(),
                    (false, hp) => format!("HP {hp}"),
                };
                let text = format!(
                    "The trooper at {dot:?} takes {}X from cell {} (2d6 {faces:?}): {state}.",
                    damage.lethal,
                    self.marks.mapping.cell(sum)
                );
                Telling::new("Explosives", text)
            }
            Stage::Over => Telling::default(),
        }
    }
}
