//! `attack`: attacks one after another on the same troopers.
//!
//! Source: base rules (attacks, hits, arcs) and Crewed Weapons. Each attack is 2d6 against the target
//! number and, on a hit, 2d6 for the cell. Cells stay crossed from attack to attack.
//!
//! # Why this state is enough
//!
//! An attack is two steps of two dice. Between them the future depends on the attacks left and on
//! the present target's card; which cells were crossed first does not matter, so after k hits with
//! one weapon there are at most as many cards as there are bags of k start cells. Targets dealt with
//! are only tallied, targets to come are all alike and so only counted. Once a single target is out
//! of action the attack that did it is remembered, because it is asked about.

use std::num::NonZeroU32;

use crate::bounds::Bound;
use crate::combat::{AnyCombat, Combat, Measure, OutcomeField, Scale, Telling, Vocabulary};
use crate::dice::{Dice, Roll};
use crate::form::groups::joined;
use crate::form::{Fault, Field, Form, Kind};
use crate::systems::{Action, Contest};

use super::aim::{Aim, Marks, Weapon, card};
use super::card::{Card, Damage};
use super::data;
use super::fields::{AIM_RULES, ATTACKER, CARD_RULES, EXPERIENCE, SITUATION, TARGET, WEAPON};

const SHOTS: Bound = Bound::new("number of attacks", 1, 60);
const TARGETS: Bound = Bound::new("number of targets", 1, 20);
const ARC_SHOTS: Bound = Bound::new("shots of an arc", 1, 20);

const OWN: [Field; 8] = [
    Field::optional(
        "shots",
        Kind::Int(&SHOTS),
        "attacks; those of the arc when left out, or one",
    ),
    Field::choice(
        "arc",
        &["none", "30", "60", "150"],
        "firing arc of a rifle, in degrees",
    ),
    Field::int(
        "arc_30_shots",
        &ARC_SHOTS,
        1,
        "shots of a 30° arc, times the weapon's multiplier",
    ),
    Field::int(
        "arc_60_shots",
        &ARC_SHOTS,
        2,
        "shots of a 60° arc, times the weapon's multiplier",
    ),
    Field::int(
        "arc_150_shots",
        &ARC_SHOTS,
        4,
        "shots of a 150° arc, times the weapon's multiplier",
    ),
    Field::int("targets", &TARGETS, 1, "troopers attacked, all alike"),
    Field::choice(
        "allocation",
        &["focus", "spread"],
        "several targets: one until he is out of action, or in turn",
    )
    .assumed(),
    Field::choice(
        "target_experience",
        EXPERIENCE,
        "experience of the targets, for their AP",
    )
    .from("Trooper Experience"),
];

/// The catalogue entry.
pub const ATTACK: Action = Action {
    name: "attack",
    about: "attacks on the same troopers, cell by cell",
    fields: joined![
        WEAPON, OWN, ATTACKER, SITUATION, TARGET, CARD_RULES, AIM_RULES
    ],
    build,
    samples: &[
        "weapon = 'HMG'\nrange = 40\nshots = 2",
        "weapon = 'LMG'\nrange = 60\nobstructions = 1\nprone_attacker = true\nshots = 3\ntarget_armour = 'standard'",
        "weapon = 'rifle'\nrange = 20\narc = '150'\ntarget_armour = 'basic'\nadvanced_armour = true",
        "weapon = 'SMG'\narc = '60'\ntargets = 3\nallocation = 'spread'",
        "weapon = 'MMG'\nshots = 4\ntargets = 2\nprone_target = true\nrange = 50",
        "weapon = 'club'\nshots = 3\ntarget_hp = 6\ntarget_armour = 'basic'\nadvanced_armour = true\narmour_from = 8",
        "weapon = 'stun baton'\nshots = 2\nbludgeoning_past_zero = 'nothing'\ntunnel = true",
        "damage = '3X'\nshort = 5\nlong = 10\nrange = 8\nsneak_suit = true\nshots = 2\ncell_mapping = 'column'\nattacker_hp = 6",
    ],
};

struct Attack {
    aim: Aim,
    damage: Damage,
    marks: Marks,
    fresh: Card,
    shots: u8,
    targets: u8,
    spread: bool,
    additions: i64,
    pv: Option<NonZeroU32>,
}

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let weapon = Weapon::read(form)?;
    let aim = Aim::of(&weapon, form)?;
    let shelves = data::data()?;
    let fresh = card(form)?;
    let troops =
        ["target_armour", "target_experience"].map(|field| shelves.troop(form.text(field)));
    let mut notes = Vec::new();
    if aim.needed.is_none() {
        notes.push("the target is out of range: no attack is made".into());
    }
    Ok(Contest {
        combat: AnyCombat::new(Attack {
            shots: if aim.needed.is_some() {
                shots(form, &weapon)
            } else {
                0
            },
            aim,
            damage: weapon.direct(),
            marks: Marks::read(form),
            fresh,
            targets: form.int("targets") as u8,
            spread: form.text("allocation") == "spread",
            additions: troops.iter().flatten().map(|row| row.ap).sum(),
            pv: weapon.pv,
        }),
        notes,
        grows_with: &["shots", "targets", "arc", "advanced_armour"],
    })
}

/// Attacks: as given, or those of the arc, or one.
fn shots(form: &Form, weapon: &Weapon) -> u8 {
    let arc = match form.text("arc") {
        "30" => Some("arc_30_shots"),
        "60" => Some("arc_60_shots"),
        "150" => Some("arc_150_shots"),
        _ => None,
    };
    let of_arc = arc.map_or(1, |arc| form.int(arc) * i64::from(weapon.multiplier));
    form.maybe_int("shots").unwrap_or(of_arc) as u8
}

/// How far the attacks have come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Now {
    /// Attacks left on the present target (in turn), or in all (one until he is out).
    left: u8,
    /// Targets to come after the present one.
    waiting: u8,
    /// Whether the present attack has hit and the cell is to be picked.
    hit: bool,
    card: Card,
    hits: u8,
    /// The attack that put a single target out of action.
    killed_by: u8,
    done: Tally,
}

/// What became of targets dealt with.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Tally {
    dead: u8,
    out: u8,
    hp_lost: u8,
    armour: u8,
}

impl Attack {
    /// Attacks on the target that has `waiting` others after him, when they are dealt in turn.
    fn share(&self, waiting: u8) -> u8 {
        let place = self.targets - 1 - waiting;
        self.shots / self.targets + u8::from(place < self.shots % self.targets)
    }

    /// Turns to the next target when the present one is dealt with; nothing is fired at the dead.
    fn settle(&self, mut now: Now) -> Now {
        while now.waiting > 0 && self.dealt_with(&now) {
            now.done = self.tallied(&now);
            now.waiting -= 1;
            now.card = self.fresh;
            if self.spread {
                now.left = self.share(now.waiting);
            }
        }
        if now.card.dead() {
            now.left = 0;
        }
        now
    }

    fn dealt_with(&self, now: &Now) -> bool {
        match self.spread {
            true => now.left == 0 || now.card.dead(),
            false => !now.card.in_action(),
        }
    }

    fn tallied(&self, now: &Now) -> Tally {
        let out = !now.card.dead() && !now.card.in_action();
        Tally {
            dead: now.done.dead + u8::from(now.card.dead()),
            out: now.done.out + u8::from(out),
            hp_lost: now.done.hp_lost + self.fresh.hp() - now.card.hp(),
            armour: now.done.armour + now.card.armour_left(),
        }
    }
}

/// What came of the attacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Struck {
    hits: u8,
    dead: u8,
    out: u8,
    hp: u8,
    hp_lost: u8,
    armour: u8,
    ap: i32,
    modifier: i32,
    killed_by: u8,
    fired: u8,
}

impl Combat for Attack {
    type State = Now;
    type Outcome = Struck;

    fn open(&self) -> Now {
        let waiting = self.targets - 1;
        self.settle(Now {
            left: if self.spread {
                self.share(waiting)
            } else {
                self.shots
            },
            waiting,
            hit: false,
            card: self.fresh,
            hits: 0,
            killed_by: 0,
            done: Tally::default(),
        })
    }

    fn step(&self, mut now: Now, dice: &mut impl Dice) -> Now {
        if !now.hit {
            now.left -= 1;
            now.hit = self.aim.hits(dice);
            now.hits += u8::from(now.hit);
            return if now.hit { now } else { self.settle(now) };
        }
        now.hit = false;
        now.card = self.marks.mark(now.card, self.damage, dice);
        if self.targets == 1 && now.killed_by == 0 && !now.card.in_action() {
            now.killed_by = self.shots - now.left;
        }
        self.settle(now)
    }

    fn outcome(&self, now: &Now) -> Option<Struck> {
        if now.hit || now.left > 0 {
            return None;
        }
        let untouched = now.waiting * self.fresh.armour_left();
        let all = self.tallied(now);
        let hp = now.card.hp();
        let (ap, modifier) = data::data().map_or((0, 0), |data| {
            let modifier = data.modifier(hp).unwrap_or(0);
            (data.action_points(hp, self.additions), modifier)
        });
        Some(Struck {
            hits: now.hits,
            dead: all.dead,
            out: all.out,
            hp,
            hp_lost: all.hp_lost,
            armour: all.armour + untouched,
            ap: ap as i32,
            modifier: modifier as i32,
            killed_by: now.killed_by,
            fired: if now.killed_by > 0 {
                now.killed_by
            } else {
                self.shots
            },
        })
    }

    fn vocabulary(&self) -> Vocabulary<Struck> {
        let mut fields = vec![
            OutcomeField::new("hits", "attacks that hit", |o: &Struck| o.hits.into()),
            OutcomeField::new("dead", "targets dead", |o| o.dead.into()),
            OutcomeField::new("out_of_action", "targets at HP 0, not dead", |o| {
                o.out.into()
            }),
            OutcomeField::new("armour_left", "armour cells left on all targets", |o| {
                o.armour.into()
            }),
        ];
        let mut measures = vec![
            Measure::probability("p_hit", "an attack hits", |o: &Struck| o.hits > 0),
            Measure::probability("p_kill", "a target is dead or out of action", |o| {
                o.dead + o.out > 0
            }),
            Measure::probability("p_dead", "a target is dead", |o| o.dead > 0),
            Measure::mean("e_hits", "attacks that hit", |o| o.hits.into()),
            Measure::mean("e_hp_lost", "HP lost by all targets", |o| o.hp_lost.into()),
            Measure::mean("e_dead", "targets dead", |o| o.dead.into()),
            Measure::mean("e_kills", "targets dead or out of action", |o| {
                (o.dead + o.out).into()
            }),
        ];
        if self.targets == 1 {
            fields.push(OutcomeField::new("hp", "HP of the target", |o| o.hp.into()));
            fields.push(OutcomeField::new("ap", "AP of the target", |o| o.ap));
            fields.push(OutcomeField::new(
                "modifier",
                "modifier of the target's own attacks",
                |o| o.modifier,
            ));
            let about = "the attack that put the target out of action; 0: none did";
            fields.push(OutcomeField::new("shots_to_kill", about, |o| {
                o.killed_by.into()
            }));
            let about = "attacks until the target is out of action, at most all";
            measures.push(Measure::mean("shots_to_kill", about, |o| o.fired.into()));
        }
        if let Some(pv) = self.pv {
            let scale = Scale {
                numerator: 100,
                denominator: pv.get(),
            };
            let about = "targets dead or out of action per 100 PV";
            measures.push(Measure::scaled_mean(
                "kills_per_100_pv",
                about,
                scale,
                |o| (o.dead + o.out).into(),
            ));
        }
        Vocabulary { fields, measures }
    }

    fn tell(&self, from: &Now, rolls: &[Roll], to: &Now) -> Telling {
        let faces: Vec<_> = rolls.iter().map(|roll| roll.face).collect();
        let sum: u8 = faces.iter().sum();
        if from.hit {
            let cell = self.marks.mapping.cell(sum);
            let card = self.marks.at(from.card, self.damage, sum);
            let state = match (card.dead(), card.hp()) {
                (true, _) => "dead".into(),
                (false, 0) => "out of action".into(),
                (false, hp) => format!("HP {hp}, armour {}", card.armour_left()),
            };
            return Telling::new(
                "Hits",
                format!("2d6 {faces:?} = {sum}: from cell {cell}; the target is {state}."),
            );
        }
        let result = if to.hit { "a hit" } else { "a miss" };
        let needed = self
            .aim
            .needed
            .map_or("–".into(), |needed| needed.to_string());
        let text = format!(
            "2d6 {faces:?} = {sum} against {needed} ({}): {result}.",
            self.aim.sum
        );
        Telling::new("Attacks", text)
    }
}
