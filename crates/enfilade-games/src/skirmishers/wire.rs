//! `barbed-wire`: a trooper who runs into it.
//!
//! Source: Advanced Terrain. 1d6 of bludgeoning as in a melee hit, then a die: on 4 and more the
//! trooper is entangled, and the same happens on the next turn.
//!
//! The state is the turn, the trooper's card, and within a turn the die that is due: half crossed
//! cells matter, because the next turn may cross them.

use enfilade_model::catalogue::{Action, Contest};
use enfilade_model::combat::vocabulary_macros::vocabulary;
use enfilade_model::combat::{Combat, Explanation, Later};
use enfilade_model::dice::{Dice, Roll};
use enfilade_model::form::bounds::Bound;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{Group, fields};
use enfilade_model::form::{Fault, Form};

use super::aim::{Marks, card, marks_left, struck, uncounted};
use super::fields::{CardRules, READINGS, THE_PLACE, TargetFields};
use super::hit_card::{Card, Damage};
use super::unit_card::UnitCard;

const TURNS: Bound = Bound::new("number of turns", 1, 12);
const FACE: Bound = Bound::new("face", 1, 7);

fields! {
    /// Duration, and rules of entanglement.
    struct Own {
        /// turns followed; the trooper may still hang in the wire after them
        turns: u8 = int(TURNS, 3).label("turns").group(THE_PLACE);
        /// a trooper at HP 0 and still entangled takes the damage of the next turn as well
        hurts_out_of_action: bool = flag(true).rule("Advanced Terrain").assumed()
            .label("wire hurts troopers out of action").group(READINGS).rare();
        /// die that entangles
        entangled_from: u8 = int(FACE, 4).rule("Advanced Terrain").label("die that entangles")
            .group(READINGS).rare();
    }
}

/// Catalogue entry.
pub const BARBED_WIRE: Action = Action::new(
    "barbed-wire",
    "turns and wounds in barbed wire",
    joined![Own::FIELDS, TargetFields::FIELDS, CardRules::FIELDS],
    &build,
    &[
        "turns = 2",
        "turns = 3\ntarget_armour = 'basic'",
        "turns = 2\ntarget_armour = 'heavy'\nadvanced_armour = true\ntarget_hp = 8",
        "turns = 2\ntarget_hp = 2\nbludgeoning_past_zero = 'nothing'",
        "turns = 3\ntarget_hp = 3\nhurts_out_of_action = false",
        "turns = 2\n[[struck]]\ncrossed = [6]\nhalf_crossed = [10, 5]",
    ],
)
.asks("How often does barbed wire entangle a trooper?")
.direction("d6, low is good; 2d6 for the cell")
.off_table("A cell roll of 11 or 12 is cell 10 (our reading).")
.leaving(&["struck"]);

struct Wire {
    turns: u8,
    entangled_from: u8,
    hurts_out_of_action: bool,
    /// Unmarked card, and the card before the wire.
    fresh: Card,
    before: Card,
    unit: UnitCard,
    marks: Marks,
}

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let (own, rules) = (Own::read(form), CardRules::read(form));
    let target = TargetFields::read(form);
    let (fresh, unit) = card(&target, &rules)?;
    let before = struck(&[fresh], &target, &unit)?[0];
    Ok(Contest::of(Wire {
        turns: own.turns,
        entangled_from: own.entangled_from,
        hurts_out_of_action: own.hurts_out_of_action,
        fresh,
        before,
        marks: Marks::of(&rules, &unit),
        unit,
    })
    .noting(Vec::from_iter(uncounted(&target)))
    .growing_with(&["turns", "advanced_armour"]))
}

/// State of the trooper.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct State {
    /// Turns begun.
    turn: u8,
    due: Due,
    card: Card,
}

/// Dice that are due.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Due {
    /// Die of the bludgeoning.
    Points,
    /// Dice of the cell at which this damage starts.
    Cell(u8),
    /// Die of entanglement.
    Tangle,
    /// None: the trooper is free, or gone.
    Free,
    /// None: the trooper is still in the wire.
    Held,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Outcome {
    turns: u8,
    held: bool,
    hp: u8,
    hp_lost: u8,
    dead: bool,
    out: bool,
}

impl Combat for Wire {
    type State = State;
    type Outcome = Outcome;

    fn open(&self) -> State {
        let due = if self.before.dead() { Due::Free } else { Due::Points };
        State { turn: 1, due, card: self.before }
    }

    /// Advanced Terrain: "apply 1D6 of bludgeoning damage … Then roll 1D6; on a result of 4-6,
    /// the trooper is entangled". "On the entangled trooper’s next turn, apply 1D6 of additional
    /// bludgeoning damage": nobody who is entangled is spared.
    fn step(&self, mut now: State, dice: &mut impl Dice) -> State {
        match now.due {
            Due::Points => now.due = Due::Cell(dice.die(6)),
            Due::Cell(points) => {
                let damage = Damage { lethal: 0, bludgeoning: points };
                now.card = self.marks.mark(now.card, damage, dice);
                let spared = !now.card.in_action() && !self.hurts_out_of_action;
                now.due = if now.card.dead() || spared { Due::Free } else { Due::Tangle };
            }
            Due::Tangle if dice.die(6) < self.entangled_from => now.due = Due::Free,
            Due::Tangle if now.turn == self.turns => now.due = Due::Held,
            Due::Tangle => {
                now.turn += 1;
                now.due = Due::Points;
            }
            Due::Free | Due::Held => {}
        }
        now
    }

    fn outcome(&self, now: &State) -> Option<Outcome> {
        let held = match now.due {
            Due::Free => false,
            Due::Held => true,
            _ => return None,
        };
        let hp = now.card.hp();
        Some(Outcome {
            turns: now.turn,
            held,
            hp,
            hp_lost: self.before.hp() - hp,
            dead: now.card.dead(),
            out: !now.card.dead() && hp == 0,
        })
    }

    fn left(&self, now: &State) -> Vec<Later> {
        vec![marks_left("struck", &[now.card], &[self.fresh], &self.unit)]
    }

    vocabulary! { o: Outcome;
        columns {
            /// turns spent in the wire
            turns = count(o.turns).label("turns in the wire").unit("turns")
                .rule("Advanced Terrain");
            /// whether the trooper still hangs in it
            entangled = count(o.held).label("still entangled").rule("Advanced Terrain");
            /// HP of the trooper
            hp = count(o.hp).label("HP of the trooper").unit("HP").rule("unit card");
            /// whether the trooper is dead
            dead = count(o.dead).label("dead").rule("unit card").harm(100, "dead");
            /// whether the trooper is at HP 0, not dead
            out_of_action = count(o.out).label("out of action").rule("unit card")
                .harm(90, "out of action");
        }
        measures {
            /// the trooper is entangled at least once
            p_entangled = probability(o.turns > 1 || o.held).label("entangled").headline();
            /// the trooper is dead or out of action
            p_kill = probability(o.dead || o.out).label("dead or out of action").finishing();
            /// the trooper is dead
            p_dead = probability(o.dead).label("dead");
            /// turns spent in the wire, of those followed
            e_turns = mean(o.turns).label("turns in the wire on average").unit("turns");
            /// HP lost
            e_hp_lost = mean(o.hp_lost).label("HP lost on average").unit("HP");
        }
    }

    fn explain(&self, from: &State, rolls: &[Roll], to: &State) -> Explanation {
        let faces: Vec<_> = rolls.iter().map(|roll| roll.face).collect();
        let sum: u8 = faces.iter().sum();
        let text = match from.due {
            Due::Points => format!("Turn {}: {sum} points of bludgeoning.", from.turn),
            Due::Cell(points) => {
                let cell = self.marks.start(sum);
                format!(
                    "2d6 {faces:?}: {points} cells from {cell} are half crossed; HP {}.",
                    to.card.hp()
                )
            }
            _ if to.due == Due::Free => format!("Die {sum}: the trooper is free."),
            _ => format!("Die {sum}: the trooper is entangled."),
        };
        Explanation::new("Barbed Wire", text)
    }
}
