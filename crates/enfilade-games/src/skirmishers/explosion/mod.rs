//! `explosion`: an exploding or burning round, and every trooper near it.
//!
//! Source: Advanced Explosives and Incendiary Weapons. 2d6 against the target number; a miss
//! scatters to a neighbouring dot, unless the weapon burns and is not thrown: then it goes off at
//! the aimed dot. Every trooper takes the damage of their ring, with 2d6 of their own for the cell,
//! unless an obstacle blocks it. Smoke is not modelled.
//!
//! # Why this state is enough
//!
//! No trooper moves between two rounds, and no round is aimed at a trooper who could fall. So all
//! rounds are rolled first; the places where they go off determine every trooper's rings. Then the
//! troopers are resolved one after another, each through all rounds in order. The state is the
//! spots where rounds go off, as far as they matter (`detonation_points.rs`), the current trooper, their card
//! while they take more than one hit, and the numbers of dead and out of action. The identity of
//! finished troopers changes nothing that is reported, and the spot of a round is forgotten after
//! the last trooper whom it reaches.

mod finished_troopers;
mod place;
mod rounds;

use std::num::NonZeroU32;

use enfilade_model::catalogue::{Action, Contest};
use enfilade_model::combat::{Combat, Explanation, Later, Vocabulary};
use enfilade_model::dice::{Dice, Roll};
use enfilade_model::form::bounds::Bound;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{Group, choice, fields};
use enfilade_model::form::{Fault, Form, Kind, both};

use super::action_points::Pace;
use super::aim::{Aim, Aiming, Marks, Weapon, affordable, card, struck, uncounted, unthrown};
use super::data::WeaponKind;
use super::detonation_points::{NOWHERE, Spots};
use super::explosion_outcome::{self, Outcome};
use super::fields::{
    AimRules, Attacker, CardRules, READINGS, Situation, THE_PLACE, THE_TARGET, THE_WEAPON,
    TargetFields, Throw, WeaponFields,
};
use super::hex_grid::{Dot, scattered};
use super::hit_card::{Card, Damage};
use super::unit_card::UnitCard;
use finished_troopers::{Done, MAX_TROOPERS};
use rounds::MAX_ROUNDS;

const SCATTER: Bound = Bound::new("scatter in dots", 0, 12);
const COORDINATE: Bound = Bound::new("axial coordinate", -60, 60);
const CROSSED: Bound = Bound::new("number of burning dots", 0, 20);
const POINTS: Bound = Bound::new("lethal damage", 0, 50);
const ROUNDS: Bound = Bound::new("number of rounds", 1, MAX_ROUNDS as i64);

choice! {
    /// Place where a miss of an incendiary weapon that is not thrown goes off.
    enum IncendiaryMiss {
        /// The aimed dot.
        AimedDot = "aimed-dot",
        /// No place.
        Nothing = "nothing",
    }
}

fields! {
    /// Troopers near, and the effects of a miss and of fire.
    struct Own {
        /// positions of the troopers, in axial hex coordinates from the aimed dot; one on the dot
        /// when left out
        troopers: Option<Vec<Vec<i64>>> = optional(Kind::list(const { &Kind::list(const { &Kind::Int(COORDINATE) }) }))
            .label("positions of troopers").group(THE_TARGET).hexes();
        /// rounds one after another at the same aimed dot; nobody moves between them
        rounds: u8 = int(ROUNDS, 1).rule("Advanced Explosives").label("rounds").unit("rounds")
            .group(THE_WEAPON).rare();
        /// ammunition for twice the printed rounds is carried
        extra_ammo: Option<bool> = optional(Kind::Flag).rule("Advanced Explosives")
            .label("extra ammunition").group(THE_WEAPON).rare();
        /// dots of impassible obstacles, such as a high wall, which a blast does not cross
        walls: Option<Vec<Vec<i64>>> = optional(Kind::list(const { &Kind::list(const { &Kind::Int(COORDINATE) }) }))
            .rule("Advanced Explosives").label("walls").group(THE_TARGET).rare();
        /// dots of low solid obstructions, which a blast does not cross to who is prone
        low_walls: Option<Vec<Vec<i64>>> = optional(Kind::list(const { &Kind::list(const { &Kind::Int(COORDINATE) }) }))
            .rule("Advanced Explosives").label("low walls").group(THE_TARGET).rare();
        /// low walls stop a blast to who is in a trench as well
        low_walls_at_trenches: bool = flag(false).rule("Advanced Explosives").assumed()
            .label("low walls shield a trench").group(READINGS).rare();
        /// dots a miss scatters
        scatter_distance: i8 = int(SCATTER, 1).assumed().label("a miss scatters").unit("dots")
            .group(READINGS).rare();
        /// where a miss of an incendiary weapon that is not thrown goes off: where it was aimed,
        /// as it does not scatter, or nowhere
        incendiary_miss: IncendiaryMiss = choice(IncendiaryMiss::WORDS).rule("Incendiary Weapons")
            .assumed().label("a miss of incendiary weapons")
            .values(&["goes off where it was aimed", "does nothing"]).group(READINGS).rare();
        /// the troopers are in water
        in_water: bool = flag(false).rule("Advanced Terrain").label("in water")
            .values(&["on land", "in water"]).group(THE_PLACE).rare();
        /// lethal damage added to every ring in water
        water_damage: u8 = int(POINTS, 2).rule("Advanced Terrain")
            .label("lethal damage added in water").group(READINGS).rare();
        /// burning dots each trooper caught in a fire then enters
        fire_entered: usize = int(CROSSED, 0).rule("Incendiary Weapons")
            .label("burning dots entered").unit("dots").group(THE_PLACE);
        /// each trooper caught in a fire ends their movement in it
        ends_in_fire: bool = flag(false).rule("Incendiary Weapons").label("ends in the fire")
            .group(THE_PLACE);
        /// lethal damage for entering a burning dot
        fire_enter_damage: u8 = int(POINTS, 1).rule("Incendiary Weapons")
            .label("lethal damage of a burning dot").group(READINGS).rare();
        /// lethal damage for ending movement in fire
        fire_end_damage: u8 = int(POINTS, 8).rule("Incendiary Weapons")
            .label("lethal damage for ending in fire").group(READINGS).rare();
    }
}

/// Catalogue entry.
pub const EXPLOSION: Action = Action::new(
    "explosion",
    "an explosion or fire with scatter, and every trooper near it",
    joined![
        WeaponFields::FIELDS,
        Own::FIELDS,
        Attacker::FIELDS,
        Pace::FIELDS,
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
        "weapon = 'hand grenade'\nrounds = 3\ntroopers = [[0, 0], [1, 0], [2, 0]]\nwalls = [[1, -1], [1, 0]]",
        "weapon = 'grenade launcher'\nrounds = 2\nprone_target = true\ntroopers = [[2, 0]]\nlow_walls = [[1, 0]]",
        "damage = '3X/1X'\nkind = 'launcher'\nmodifier = 9\ntroopers = [[1, 0]]",
        "weapon = 'grenade launcher'\nactivations = 1\nattacker_armour = 'basic'\ntroopers = [[0, 0], [1, 0]]",
        "weapon = 'hand grenade'\ntroopers = [[0, 0], [1, 0], [0, 1]]\n[[struck]]\ndead = true\n[[struck]]\ncrossed = [8]",
    ],
)
.asks("How often does the {weapon|explosion} put a trooper out of action?")
.off_table(
    "A target number of 2 or less always hits the aimed dot, one above 12 never does. Beyond long \
     range no attack is made. Beyond the last ring there is no damage. A cell roll of 11 or 12 is \
     cell 10 (our reading).",
)
.leaving(&["struck"])
.with_leaving_build(&build_leaving);

struct Explosion<C> {
    aim: Aim,
    miss: Miss,
    /// Damage by ring, water included.
    rings: Vec<Damage>,
    troopers: Vec<Dot>,
    spots: Spots,
    rounds: u8,
    /// Later hits on each trooper caught in the fire.
    fire: Vec<Damage>,
    marks: Marks,
    /// Unmarked cards of the troopers, and their cards before the explosion.
    fresh: Vec<Card>,
    before: Vec<Card>,
    unit: UnitCard,
    pv: Option<NonZeroU32>,
    /// Storage for cards before the first die.
    done: C,
}

/// Effect of an attack that misses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Miss {
    /// The round goes off this many dots away, in any direction.
    Scatters(i8),
    /// The round has no effect.
    Fizzles,
}

impl Miss {
    /// Incendiary Weapons: returns the effect of a miss.
    ///
    /// "Incendiary ranged weapons are resolved like explosive ranged weapons, but they do not
    /// scatter": as if they scattered by no dots.
    fn of(own: &Own, weapon: &Weapon) -> Miss {
        match (weapon.kind, own.incendiary_miss) {
            (WeaponKind::Incendiary, IncendiaryMiss::AimedDot) => Miss::Scatters(0),
            (WeaponKind::Incendiary, IncendiaryMiss::Nothing) => Miss::Fizzles,
            _ => Miss::Scatters(own.scatter_distance),
        }
    }

    /// Returns the dots of the scatter.
    fn distance(self) -> i8 {
        match self {
            Miss::Scatters(distance) => distance,
            Miss::Fizzles => 0,
        }
    }
}

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    contest(form, ())
}

fn build_leaving(form: &Form) -> Result<Contest, Vec<Fault>> {
    contest(form, [None; MAX_TROOPERS])
}

fn contest(form: &Form, done: impl Done + 'static) -> Result<Contest, Vec<Fault>> {
    let (given, own) = (WeaponFields::read(form), Own::read(form));
    let weapon = Weapon::of(&given).map(|weapon| weapon.taken_to_explode(&given));
    let there = Situation::read(form);
    let lies = there.prone_target || (there.trench && own.low_walls_at_trenches);
    let walls = place::walls(&own.walls, &own.low_walls, lies);
    let dots = both(place::troopers(&own.troopers), walls);
    let (weapon, (troopers, walls)) = both(weapon, dots)?;
    if !weapon.kind.explodes() {
        let fault = Fault::new(given.told_by(), "the weapon does not explode");
        return Err(vec![fault.help("use `attack`, or give `kind = \"launcher\"`")]);
    }
    let (situation, rules) = (Situation::read(form), AimRules::read(form));
    let ap_spent = Throw::read(form).ap_spent;
    let aiming = Aiming { situation: &situation, rules: &rules, ap_spent: Some(ap_spent) };
    let attacker = Attacker::read(form);
    let card_rules = CardRules::read(form);
    let aim = Aim::of(&weapon, &attacker, aiming);
    let target = TargetFields::read(form);
    let (aim, (fresh, unit)) = both(aim, card(&target, &card_rules))?;
    let pace = Pace::read(form);
    affordable(&weapon, &attacker, ap_spent, pace.attacker_ap)?;
    let miss = Miss::of(&own, &weapon);
    let water = if own.in_water { own.water_damage } else { 0 };
    let wet = |ring: &Damage| Damage { lethal: ring.lethal + water, ..*ring };
    let mut notes = Vec::from_iter(aim.out_of_range(&weapon));
    notes.extend((miss == Miss::Scatters(0) && notes.is_empty()).then(|| NO_SCATTER.into()));
    notes.extend(uncounted(&target));
    notes.extend(unthrown(&weapon, ap_spent));
    let (fire, burns) = (fire(&own), weapon.kind.burns());
    notes.extend((!burns && !fire.is_empty()).then(|| NO_FIRE.into()));
    let paced = pace.attacks(&weapon, &attacker, ap_spent, situation.movement_fire)?;
    let rounds = rounds::made(own.rounds, ammo(&own, &weapon), paced, &mut notes)?;
    let fresh = vec![fresh; troopers.len()];
    Ok(Contest::of(Explosion {
        rounds: aim.made(rounds),
        aim,
        miss,
        rings: weapon.rings.iter().map(wet).collect(),
        spots: Spots::of(&troopers, &walls, weapon.rings.len(), miss.distance()),
        troopers,
        fire: if burns { fire } else { Vec::new() },
        marks: Marks::of(&card_rules, &unit),
        before: struck(&fresh, &target, &unit)?,
        fresh,
        unit,
        pv: weapon.pv,
        done,
    })
    .noting(notes)
    .growing_with(&["rounds", "activations", "troopers", "fire_entered"]))
}

/// Advanced Explosives: "a trooper may carry extra ammunition for a single weapon, doubling the
/// ammunition available".
fn ammo(own: &Own, weapon: &Weapon) -> Option<u8> {
    let times = if own.extra_ammo.unwrap_or(false) { 2 } else { 1 };
    weapon.ammo.map(|ammo| ammo.saturating_mul(times))
}

/// Note on a miss that scatters by no dots.
const NO_SCATTER: &str =
    "a miss goes off on the aimed dot as well: the target number decides nothing";

/// Note on fields of a fire for a weapon that does not burn.
const NO_FIRE: &str = "the weapon burns nothing: no trooper enters a fire or stops in one";

/// Incendiary Weapons: returns the damage for each burning dot that a trooper enters, and for the
/// one where they stop.
fn fire(own: &Own) -> Vec<Damage> {
    let lethal = |lethal| Damage { lethal, bludgeoning: 0 };
    let mut fire = vec![lethal(own.fire_enter_damage); own.fire_entered];
    fire.extend(own.ends_in_fire.then_some(lethal(own.fire_end_damage)));
    fire
}

/// State of the explosion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct State<C> {
    stage: Stage,
    /// Rounds that hit the aimed dot.
    hits: u8,
    /// Rounds that have gone off.
    fired: u8,
    /// Spot of each round; nowhere if it does not go off, is not rolled yet, or is forgotten.
    at: [u8; MAX_ROUNDS],
    dead: u8,
    out: u8,
    done: C,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Stage {
    /// Hit dice.
    Aim,
    /// Scatter die.
    Scatter,
    /// Next hit on a trooper by a round: the blast is 0, the fire 1 and more.
    Trooper { index: u8, round: u8, hit: u8, card: Card },
    /// No die.
    Over,
}

impl<C: Done> Explosion<C> {
    /// Advanced Explosives: returns the dots from the place of a round, which is the ring that
    /// counts; `None` out of its reach.
    fn ring(&self, now: &State<C>, index: usize, round: usize) -> Option<usize> {
        // Later rounds do not matter to the dead.
        let ring = self.spots.ring(now.at[round], index);
        ring.filter(|_| !self.before[index].dead())
    }

    /// Returns the first round, from `from` on, that reaches a trooper.
    fn next_round(&self, now: &State<C>, index: usize, from: usize) -> Option<u8> {
        let reached =
            (from..self.rounds.into()).find(|&round| self.ring(now, index, round).is_some());
        reached.map(|round| round as u8)
    }

    /// Turns to the next trooper whom a round reaches.
    fn next_trooper(&self, mut now: State<C>, from: usize) -> State<C> {
        let mut troopers = from..self.troopers.len();
        let next = troopers.find_map(|index| Some((index, self.next_round(&now, index, 0)?)));
        let Some((index, round)) = next else {
            // The spots are forgotten, so that endings differ only in what is reported.
            return State { stage: Stage::Over, at: [NOWHERE; MAX_ROUNDS], ..now };
        };
        now.stage = Stage::Trooper { index: index as u8, round, hit: 0, card: self.before[index] };
        self.forgetting(now, index, round)
    }

    /// Forgets the spots of the rounds before this one, if no round reaches a later trooper.
    fn forgetting(&self, mut now: State<C>, index: usize, round: u8) -> State<C> {
        let mut after = index + 1..self.troopers.len();
        if after.all(|index| self.next_round(&now, index, 0).is_none()) {
            now.at[..usize::from(round)].fill(NOWHERE);
        }
        now
    }

    /// Advanced Explosives: applies the hit dice; misses go off elsewhere.
    fn aimed(&self, mut now: State<C>, hit: bool) -> State<C> {
        now.hits += u8::from(hit);
        match self.miss {
            _ if hit => self.gone_off(now, self.spots.aimed()),
            // Without a distance the scatter die has no effect, and is not rolled.
            Miss::Scatters(0) => self.gone_off(now, self.spots.aimed()),
            Miss::Scatters(_) => State { stage: Stage::Scatter, ..now },
            Miss::Fizzles => self.gone_off(now, NOWHERE),
        }
    }

    /// Turns to the next round, or to the first trooper after the last round.
    fn gone_off(&self, mut now: State<C>, at: u8) -> State<C> {
        now.at[usize::from(now.fired)] = at;
        now.fired += 1;
        if now.fired < self.rounds {
            now.stage = Stage::Aim;
            return now;
        }
        self.next_trooper(now, 0)
    }

    /// Advanced Explosives, Incendiary Weapons: damage of the ring, then of the fire.
    fn damage(&self, now: &State<C>, index: u8, round: u8, hit: u8) -> Damage {
        match hit {
            0 => self.rings[self.ring(now, index.into(), round.into()).unwrap_or(0)],
            n => self.fire[usize::from(n) - 1],
        }
    }

    /// Turns to the next hit on a trooper: the fire, another round, or the next trooper.
    fn trooper_hit(
        &self,
        mut now: State<C>,
        index: u8,
        round: u8,
        hit: u8,
        card: Card,
    ) -> State<C> {
        let burning = usize::from(hit) < self.fire.len();
        let next = match burning {
            true => Some((round, hit + 1)),
            false => {
                let next = self.next_round(&now, index.into(), usize::from(round) + 1);
                next.map(|round| (round, 0))
            }
        };
        if let Some((round, hit)) = next.filter(|_| !card.dead()) {
            now.stage = Stage::Trooper { index, round, hit, card };
            return self.forgetting(now, index.into(), round);
        }
        let out = |card: &Card| u8::from(!card.dead() && !card.in_action());
        now.dead += u8::from(card.dead());
        now.out += out(&card);
        now.out -= out(&self.before[usize::from(index)]);
        now.done.put(index.into(), card);
        self.next_trooper(now, usize::from(index) + 1)
    }
}

impl<C: Done> Combat for Explosion<C> {
    type State = State<C>;
    type Outcome = Outcome;

    fn open(&self) -> State<C> {
        let at = [NOWHERE; MAX_ROUNDS];
        let stage = if self.rounds == 0 { Stage::Over } else { Stage::Aim };
        let count = |of: fn(&&Card) -> bool| self.before.iter().filter(of).count() as u8;
        let dead = count(|card| card.dead());
        let out = count(|card| !card.dead() && !card.in_action());
        State { stage, hits: 0, fired: 0, at, dead, out, done: self.done }
    }

    fn step(&self, now: State<C>, dice: &mut impl Dice) -> State<C> {
        match now.stage {
            Stage::Aim => self.aimed(now, self.aim.hits(dice)),
            Stage::Scatter => self.gone_off(now, self.spots.missed(dice.die(6))),
            Stage::Trooper { index, round, hit, card } => {
                let damage = self.damage(&now, index, round, hit);
                let card = self.marks.mark(card, damage, dice);
                self.trooper_hit(now, index, round, hit, card)
            }
            Stage::Over => now,
        }
    }

    fn outcome(&self, now: &State<C>) -> Option<Outcome> {
        let outcome = Outcome { hits: now.hits, dead: now.dead, out: now.out };
        (now.stage == Stage::Over).then_some(outcome)
    }

    fn left(&self, now: &State<C>) -> Vec<Later> {
        now.done.left(&self.before, &self.fresh, &self.unit)
    }

    fn vocabulary(&self) -> Vocabulary<Outcome> {
        let mut measures = explosion_outcome::numbers();
        measures.extend(self.pv.into_iter().flat_map(explosion_outcome::per_100_pv));
        Vocabulary { fields: explosion_outcome::columns(), measures }
    }

    fn explain(&self, from: &State<C>, rolls: &[Roll], to: &State<C>) -> Explanation {
        let faces: Vec<_> = rolls.iter().map(|roll| roll.face).collect();
        let sum: u8 = faces.iter().sum();
        match from.stage {
            Stage::Aim => {
                let needed = self.aim.needed.map_or("–".into(), |needed| needed.to_string());
                let result = if to.hits > from.hits { "a hit" } else { "a miss" };
                let text =
                    format!("2d6 {faces:?} = {sum} against {needed} ({}): {result}.", self.aim.sum);
                Explanation::new("Attacks", text)
            }
            Stage::Scatter => {
                let at = scattered(self.miss.distance(), sum);
                let text = format!("Scatter die {sum}: it explodes at {at:?} from the aimed dot.");
                Explanation::new("Explosives", text)
            }
            Stage::Trooper { index, round, hit, card } => {
                let damage = self.damage(from, index, round, hit);
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
                    self.marks.start(sum)
                );
                Explanation::new("Explosives", text)
            }
            Stage::Over => Explanation::default(),
        }
    }
}
