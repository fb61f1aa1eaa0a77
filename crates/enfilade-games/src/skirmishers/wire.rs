//! `barbed-wire`: a trooper who runs into it.
//!
//! Source: Advanced Terrain. 1d6 of bludgeoning as in a melee hit, then a die: on 4 and more the
//! trooper is entangled, and the same happens on the next turn.
//!
//! The state is the turn, the trooper's card, and within a turn the die that is due: half crossed
//! cells matter, because the next turn may cross them.

use enfilade_model::catalogue::{Contest, RulebookAction};
use enfilade_model::combat::vocabulary_macros::vocabulary;
use enfilade_model::combat::{Combat, CombatStepExplanation, FieldChange};
use enfilade_model::dice::{Dice, RolledDie};
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{FieldGroupFromForm, fields};
use enfilade_model::form::{Fault, Form};

use super::aim::{HitMarking, change_of_marks_field, read_marked_cards, read_target_card};
use super::aim_notes::unused_armour_cell_note;
use super::attack_fields::{GROUND_HEADING, HitCardReadings, READINGS_HEADING, TargetFields};
use super::hit_card::{HitCard, LethalAndBludgeoning};
use super::unit_card::UnitCard;

const TURN_COUNT_RANGE: IntRange = IntRange::new("number of turns", 1, 12);
const ENTANGLING_FACE_RANGE: IntRange = IntRange::new("face", 1, 7);

fields! {
    /// Duration, and rules of entanglement.
    struct WireEntanglementFields {
        /// turns followed; the trooper may still hang in the wire after them
        turns: u8 = new_whole_number(TURN_COUNT_RANGE, 3).with_player_name("turns").with_heading(GROUND_HEADING);
        /// a trooper at HP 0 and still entangled takes the damage of the next turn as well
        hurts_out_of_action: bool = new_switch_with_default(true).with_rule_reference("Advanced Terrain").marked_as_interpretation()
            .with_player_name("wire hurts troopers out of action").with_heading(READINGS_HEADING).as_rarely_changed();
        /// die that entangles
        entangled_from: u8 = new_whole_number(ENTANGLING_FACE_RANGE, 4).with_rule_reference("Advanced Terrain").with_player_name("die that entangles")
            .with_heading(READINGS_HEADING).as_rarely_changed();
    }
}

/// Catalogue entry.
pub const BARBED_WIRE_ACTION: RulebookAction = RulebookAction::new(
    "barbed-wire",
    "turns and wounds in barbed wire",
    joined![WireEntanglementFields::FIELDS, TargetFields::FIELDS, HitCardReadings::FIELDS],
    &build_wire_contest,
    &[
        "turns = 2",
        "turns = 3\ntarget_armour = 'basic'",
        "turns = 2\ntarget_armour = 'heavy'\nadvanced_armour = true\ntarget_hp = 8",
        "turns = 2\ntarget_hp = 2\nbludgeoning_past_zero = 'nothing'",
        "turns = 3\ntarget_hp = 3\nhurts_out_of_action = false",
        "turns = 2\n[[struck]]\ncrossed = [6]\nhalf_crossed = [10, 5]",
    ],
)
.with_title_question("How often does barbed wire entangle a trooper?")
.with_dice_and_direction("d6, low is good; 2d6 for the cell")
.with_off_table("A cell roll of 11 or 12 is cell 10 (our reading).")
.with_change_reporting_fields(&["struck"]);

struct WireEntanglementCombat {
    turns: u8,
    entangled_from: u8,
    hurts_out_of_action: bool,
    /// Unmarked card, and the card before the wire.
    fresh: HitCard,
    before: HitCard,
    unit: UnitCard,
    marks: HitMarking,
}

fn build_wire_contest(form: &Form) -> Result<Contest, Vec<Fault>> {
    let (own, rules) = (WireEntanglementFields::read(form), HitCardReadings::read(form));
    let target = TargetFields::read(form);
    let (fresh, unit) = read_target_card(&target, &rules)?;
    let before = read_marked_cards(&[fresh], &target, &unit)?[0];
    Ok(Contest::from_rule(WireEntanglementCombat {
        turns: own.turns,
        entangled_from: own.entangled_from,
        hurts_out_of_action: own.hurts_out_of_action,
        fresh,
        before,
        marks: HitMarking::for_card_and_readings(&rules, &unit),
        unit,
    })
    .with_notes(Vec::from_iter(unused_armour_cell_note(&target)))
    .with_size_fields(&["turns", "advanced_armour"]))
}

/// State of the trooper.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct WireState {
    /// Turns begun.
    turn: u8,
    due: DueWireDice,
    card: HitCard,
}

/// Dice that are due.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum DueWireDice {
    /// Die of the bludgeoning.
    Points,
    /// Dice of the cell at which this damage starts.
    Cell(u8),
    /// Die of entanglement.
    Tangle,
    /// None: the trooper is free, or gone.
    Free,
    /// None: the trooper is still in the wire.
    Caught,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct WireOutcome {
    turns: u8,
    is_caught: bool,
    hp: u8,
    hp_lost: u8,
    dead: bool,
    out: bool,
}

impl Combat for WireEntanglementCombat {
    type State = WireState;
    type Outcome = WireOutcome;

    fn initial_state(&self) -> WireState {
        let due = if self.before.is_dead() { DueWireDice::Free } else { DueWireDice::Points };
        WireState { turn: 1, due, card: self.before }
    }

    /// Advanced Terrain: "apply 1D6 of bludgeoning damage … Then roll 1D6; on a result of 4-6,
    /// the trooper is entangled". "On the entangled trooper’s next turn, apply 1D6 of additional
    /// bludgeoning damage": nobody who is entangled is spared.
    fn play_one_step(&self, mut now: WireState, dice: &mut impl Dice) -> WireState {
        match now.due {
            DueWireDice::Points => now.due = DueWireDice::Cell(dice.die(6)),
            DueWireDice::Cell(points) => {
                let damage = LethalAndBludgeoning { lethal: 0, bludgeoning: points };
                now.card = self.marks.roll_cell_and_mark(now.card, damage, dice);
                let spared = !now.card.can_trooper_act() && !self.hurts_out_of_action;
                now.due = if now.card.is_dead() || spared {
                    DueWireDice::Free
                } else {
                    DueWireDice::Tangle
                };
            }
            DueWireDice::Tangle if dice.die(6) < self.entangled_from => now.due = DueWireDice::Free,
            DueWireDice::Tangle if now.turn == self.turns => now.due = DueWireDice::Caught,
            DueWireDice::Tangle => {
                now.turn += 1;
                now.due = DueWireDice::Points;
            }
            DueWireDice::Free | DueWireDice::Caught => {}
        }
        now
    }

    fn outcome_if_over(&self, now: &WireState) -> Option<WireOutcome> {
        let held = match now.due {
            DueWireDice::Free => false,
            DueWireDice::Caught => true,
            _ => return None,
        };
        let hp = now.card.remaining_hp();
        Some(WireOutcome {
            turns: now.turn,
            is_caught: held,
            hp,
            hp_lost: self.before.remaining_hp() - hp,
            dead: now.card.is_dead(),
            out: !now.card.is_dead() && hp == 0,
        })
    }

    fn field_changes(&self, now: &WireState) -> Vec<FieldChange> {
        vec![change_of_marks_field("struck", &[now.card], &[self.fresh], &self.unit)]
    }

    vocabulary! { o: WireOutcome;
        columns {
            /// turns spent in the wire
            turns = count(o.turns).label("turns in the wire").unit("turns")
                .rule("Advanced Terrain");
            /// whether the trooper still hangs in it
            entangled = count(o.is_caught).label("still entangled").rule("Advanced Terrain");
            /// HP of the trooper
            hp = count(o.hp).label("HP of the trooper").unit("HP").rule("unit card");
            /// whether the trooper is dead
            dead = count(o.dead).label("dead").rule("unit card").with_harm_degree(100, "dead");
            /// whether the trooper is at HP 0, not dead
            out_of_action = count(o.out).label("out of action").rule("unit card")
                .with_harm_degree(90, "out of action");
        }
        measures {
            /// the trooper is entangled at least once
            p_entangled = probability(o.turns > 1 || o.is_caught).label("entangled").with_headline_role();
            /// the trooper is dead or out of action
            p_kill = probability(o.dead || o.out).label("dead or out of action").with_target_disabled_role();
            /// the trooper is dead
            p_dead = probability(o.dead).label("dead");
            /// turns spent in the wire, of those followed
            e_turns = mean(o.turns).label("turns in the wire on average").unit("turns");
            /// HP lost
            e_hp_lost = mean(o.hp_lost).label("HP lost on average").unit("HP");
        }
    }

    fn explain_step(
        &self,
        from: &WireState,
        rolls: &[RolledDie],
        to: &WireState,
    ) -> CombatStepExplanation {
        let faces: Vec<_> = rolls.iter().map(|roll| roll.face).collect();
        let sum: u8 = faces.iter().sum();
        let text = match from.due {
            DueWireDice::Points => format!("Turn {}: {sum} points of bludgeoning.", from.turn),
            DueWireDice::Cell(points) => {
                let cell = self.marks.cell_of_sum(sum);
                format!(
                    "2d6 {faces:?}: {points} cells from {cell} are half crossed; HP {}.",
                    to.card.remaining_hp()
                )
            }
            _ if to.due == DueWireDice::Free => format!("Die {sum}: the trooper is free."),
            _ => format!("Die {sum}: the trooper is entangled."),
        };
        CombatStepExplanation::new("Barbed Wire", text)
    }
}
