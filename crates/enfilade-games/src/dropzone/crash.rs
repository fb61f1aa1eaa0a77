//! `transport-loss` and `aircraft-crash`: the losses on board of a transport, or under an aircraft.
//!
//! Source: quick reference, TRANSPORTS and AIRCRAFT. One D3: on 1 and 2 that many automatic hits on
//! each unit embarked, or on each unit and piece of scenery within that many inches; on 3 nothing.
//! Units are equal and single. Room for survivors to disembark is not modelled.
//!
//! # Why this state is enough
//!
//! Units are equal and hit one after another, so the state is the number of units still to be hit,
//! the volley on the current one, and the total loss of the earlier ones: it does not matter which
//! of them lost it.

use enfilade_model::catalogue::{Contest, RulebookAction};
use enfilade_model::combat::vocabulary_macros::vocabulary;
use enfilade_model::combat::{Combat, CombatStepExplanation};
use enfilade_model::dice::{Dice, RolledDie};
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{FieldGroupFromForm, fields};
use enfilade_model::form::{DefaultValue, Fault, Field, FieldType, Form, combine_results};
use enfilade_model::static_or_shared::StaticOrCounted;

use super::profile::TargetSquad;
use super::shooting_fields::{
    DamageRules, ENERGY_RANGE, PLACE_HEADING, TARGET_HEADING, TargetFields,
    unit_fields_under_heading,
};
use super::squad::DamagePointsLeftByModel;
use super::volley::{NextVolleyDie, VolleyDieFaceEffects, VolleyState};

const UNIT_COUNT_RANGE: IntRange = IntRange::new("number of units", 1, 16);
const DISTANCE_INCHES_RANGE: IntRange = IntRange::new("distance in inches", 0, 24);
const CRASH_DIE_FACE_RANGE: IntRange = IntRange::new("face of a D3", 1, 4);

fields! {
    /// Numbers of the rules for a crash.
    struct CrashRuleNumbers: under_readings {
        /// energy of the hits
        energy: i64 = new_whole_number(ENERGY_RANGE, 10).with_rule_reference("TRANSPORTS, AIRCRAFT").with_player_name("energy of the hits");
        /// D3 results of this and more do nothing
        harmless_from: u8 = new_whole_number(CRASH_DIE_FACE_RANGE, 3).with_rule_reference("TRANSPORTS, AIRCRAFT").with_player_name("D3 that does nothing");
    }
}

/// Fields of the unit that is hit.
const HIT_UNIT_FIELDS: [Field; 8] = unit_fields_under_heading(TARGET_HEADING);

fields! {
    /// Units on board.
    struct EmbarkedUnitFields {
        /// units embarked, each hit by itself
        count: u8 = new_whole_number(UNIT_COUNT_RANGE, 1).with_player_name("units embarked").with_unit("units").with_heading(TARGET_HEADING);
    }

    /// Units near the crash.
    struct NearbyUnitFields: put_under_heading(PLACE_HEADING) {
        /// inches from the crash to each unit
        distances: Vec<i64> = new(FieldType::list_of(const { &FieldType::Int(DISTANCE_INCHES_RANGE) }), DefaultValue::Ints(StaticOrCounted::Static(&[1])))
            .with_player_name("distance of each unit").with_unit("inches");
        /// an Aircraft-S is lost: it does not crash
        small: bool = new_switch_with_default(false).with_rule_reference("AIRCRAFT").with_player_name("Aircraft-S")
            .with_value_labels(&["it crashes", "Aircraft-S: no crash"]).as_rarely_changed();
    }
}

/// Catalogue entry of a transport that is lost.
pub const TRANSPORT_LOSS_ACTION: RulebookAction = RulebookAction::new(
    "transport-loss",
    "what the units embarked on a destroyed transport lose",
    joined![
        HIT_UNIT_FIELDS,
        EmbarkedUnitFields::FIELDS,
        CrashRuleNumbers::FIELDS,
        DamageRules::FIELDS
    ],
    &build_passengers_contest,
    &[
        "target = 'UCM/Legionnaires'\ncount = 2",
        "target = 'Shaltari/Tomahawk'",
        "target = 'Scourge/Eviscerator'\ncount = 3",
        "armour = 9\ndamage_points = 4\npassive = 4\ncount = 2\ntarget_specials = ['Resilient']",
    ],
)
.with_title_question("How often is {target|a unit} destroyed with its transport?")
.with_dice_and_direction("D3, 3 does nothing; d6, high damages")
.with_off_table(
    "The hits need no hit die (TRANSPORTS). Damage beyond the last Damage Point of a model is \
     lost (DAMAGE).",
);

/// Catalogue entry of an aircraft that comes down.
pub const AIRCRAFT_CRASH_ACTION: RulebookAction = RulebookAction::new(
    "aircraft-crash",
    "what a destroyed aircraft falls on",
    joined![
        HIT_UNIT_FIELDS,
        NearbyUnitFields::FIELDS,
        CrashRuleNumbers::FIELDS,
        DamageRules::FIELDS
    ],
    &build_bystanders_contest,
    &[
        "target = 'UCM/Sabre'\ndistances = [1, 1, 2]",
        "target = 'Shaltari/Tomahawk'\ndistances = [2, 3]",
        "target = 'UCM/Sabre'\nsmall = true",
    ],
)
.with_title_question("How often does a falling aircraft destroy {target|a unit}?")
.with_dice_and_direction("D3, 3 does nothing; d6, high damages")
.with_off_table(
    "Units farther away than the D3 shows are not hit, the others without a hit die (AIRCRAFT). \
     Damage beyond the last Damage Point of a model is lost (DAMAGE).",
);

/// D3 and its hits.
struct CrashCombat {
    /// Units that are hit and hits on each, by D3 face.
    fates: [(u8, u8); 3],
    /// Number of units, those out of reach included.
    units: u8,
    attack: VolleyDieFaceEffects,
    points: u8,
    rule: &'static str,
    /// Whether the D3 is rolled at all.
    rolled: bool,
}

/// TRANSPORTS: "On 1-2 each unit embarked takes that many Energy 10 automatic hits."
fn build_passengers_contest(form: &Form) -> Result<Contest, Vec<Fault>> {
    let target = TargetSquad::from_row_or_numbers(TargetFields::read(form))?;
    let units = EmbarkedUnitFields::read(form).count;
    Ok(build_crash_hits_contest(form, &target, "Transports", units, [units; 3], true))
}

/// AIRCRAFT: "On 1-2 all scenery and units within that many inches take that many Energy 10
/// automatic hits."
fn build_bystanders_contest(form: &Form) -> Result<Contest, Vec<Fault>> {
    let nearby = NearbyUnitFields::read(form);
    let distances = &nearby.distances;
    let number =
        i64::try_from(distances.len()).ok().filter(|number| UNIT_COUNT_RANGE.contains(*number));
    let units = number.and_then(|number| u8::try_from(number).ok()).ok_or_else(|| {
        let problem = format!("`distances` must name {UNIT_COUNT_RANGE} units");
        vec![Fault::new("distances", problem)]
    });
    let (target, units) =
        combine_results(TargetSquad::from_row_or_numbers(TargetFields::read(form)), units)?;
    // The D3 is both the radius and the number of hits.
    let near = [1, 2, 3].map(|inches| count_distances_within(distances, inches));
    Ok(build_crash_hits_contest(form, &target, "Aircraft", units, near, !nearby.small))
}

fn build_crash_hits_contest(
    form: &Form,
    target: &TargetSquad,
    rule: &'static str,
    units: u8,
    near: [u8; 3],
    rolled: bool,
) -> Contest {
    let rules = CrashRuleNumbers::read(form);
    // Counted per face in advance: only the face matters, and not which units are in reach.
    let fates = [1, 2, 3].map(|face: u8| match face < rules.harmless_from {
        true => (near[usize::from(face) - 1], face),
        false => (0, 0),
    });
    Contest::from_rule(CrashCombat {
        fates,
        units,
        attack: target.build_automatic_hit_dice(
            rules.energy,
            None,
            false,
            &DamageRules::read(form),
        ),
        points: target.points,
        rule,
        rolled,
    })
    .with_size_fields(&["count", "distances", "damage_points"])
}

/// Counts the `distances` within `inches`.
pub fn count_distances_within(distances: &[i64], inches: i64) -> u8 {
    let near = distances.iter().filter(|distance| **distance <= inches).count();
    u8::try_from(near).unwrap_or(u8::MAX)
}

/// State of a crash.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum CrashState {
    /// The D3 is to be rolled.
    Open,
    /// Units are hit.
    Hitting { hits: u8, units: u8, volley: VolleyState, damage: u16, destroyed: u8 },
    /// The crash is over.
    Over(CrashOutcome),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct CrashOutcome {
    hits: u8,
    damage: u16,
    destroyed: u8,
    all: bool,
}

impl CrashCombat {
    fn volley_of_automatic_hits(&self, hits: u8) -> VolleyState {
        let alone = DamagePointsLeftByModel::from_unhurt_models(1, self.points);
        self.attack.open_volley(u16::from(hits), alone)
    }

    /// Moves on to the next unit that is hit, or ends.
    fn advance_to_next_unit(&self, hits: u8, units: u8, damage: u16, destroyed: u8) -> CrashState {
        if units == 0 || hits == 0 {
            return CrashState::Over(CrashOutcome {
                hits,
                damage,
                destroyed,
                all: destroyed == self.units,
            });
        }
        let volley = self.volley_of_automatic_hits(hits);
        let units = units - 1;
        CrashState::Hitting { hits, units, volley, damage, destroyed }
    }
}

impl Combat for CrashCombat {
    type State = CrashState;
    type Outcome = CrashOutcome;

    fn initial_state(&self) -> CrashState {
        match self.rolled {
            true => CrashState::Open,
            false => self.advance_to_next_unit(0, 0, 0, 0),
        }
    }

    fn play_one_step(&self, state: CrashState, dice: &mut impl Dice) -> CrashState {
        match state {
            CrashState::Open => {
                let (units, hits) = self.fates[usize::from(dice.die(3)) - 1];
                self.advance_to_next_unit(hits, units, 0, 0)
            }
            CrashState::Hitting { hits, units, volley, damage, destroyed } => {
                let volley = self.attack.roll_next_die(volley, dice);
                if volley.stage != NextVolleyDie::Over {
                    return CrashState::Hitting { hits, units, volley, damage, destroyed };
                }
                let damage = damage + u16::from(self.points) - volley.squad.total_points();
                let destroyed = destroyed + u8::from(volley.squad.living_model_count() == 0);
                self.advance_to_next_unit(hits, units, damage, destroyed)
            }
            CrashState::Over(_) => state,
        }
    }

    fn outcome_if_over(&self, state: &CrashState) -> Option<CrashOutcome> {
        match state {
            CrashState::Over(loss) => Some(*loss),
            _ => None,
        }
    }

    vocabulary! { o: CrashOutcome;
        columns {
            /// hits on each unit that is hit
            hits = count(o.hits).label("hits on each unit").unit("hits")
                .rule("TRANSPORTS, AIRCRAFT");
            /// Damage Points lost by all units
            damage = count(o.damage).label("Damage Points lost").unit("Damage Points")
                .rule("DAMAGE")
                .with_harm_degree(20, "damage");
            /// units destroyed
            destroyed = count(o.destroyed).label("units destroyed").unit("units").rule("DAMAGE")
                .with_harm_degree(80, "kill");
        }
        measures {
            /// a unit is damaged
            p_damage = probability(o.damage > 0).label("unit damaged");
            /// a unit is destroyed
            p_kill = probability(o.destroyed > 0).label("unit destroyed").with_headline_role().with_target_disabled_role();
            /// every unit is destroyed
            p_wipe = probability(o.all).label("every unit destroyed");
            /// Damage Points lost
            e_damage = mean(o.damage).label("Damage Points lost on average").unit("Damage Points");
            /// units destroyed
            e_destroyed = mean(o.destroyed).label("units destroyed on average").unit("units");
        }
    }

    fn explain_step(
        &self,
        from: &CrashState,
        rolls: &[RolledDie],
        to: &CrashState,
    ) -> CombatStepExplanation {
        match (from, to) {
            (
                CrashState::Hitting { volley, .. },
                CrashState::Hitting { units, volley: next, .. },
            ) if matches!(from, CrashState::Hitting { units: before, .. } if before == units) => {
                let (rule, text) = self.attack.explain_volley_step(volley, rolls, next);
                CombatStepExplanation::new(rule, text)
            }
            (CrashState::Hitting { damage, .. }, _) => {
                let faces: Vec<_> = rolls.iter().map(|roll| roll.face.to_string()).collect();
                let lost = match to {
                    CrashState::Hitting { damage: after, .. } => after - damage,
                    CrashState::Over(loss) => loss.damage - damage,
                    CrashState::Open => 0,
                };
                let faces = faces.join(", ");
                let text =
                    format!("Last die {faces}; Damage Points this unit lost in all: {lost}.");
                CombatStepExplanation::new("Damage", text)
            }
            _ => {
                let face = rolls.first().map_or(0, |roll| roll.face);
                let (units, hits) = self.fates[usize::from(face.clamp(1, 3)) - 1];
                let text = match hits * units {
                    0 => format!("D3 {face}: nothing happens."),
                    _ => format!("D3 {face}: {hits} automatic hits on each of {units} units."),
                };
                CombatStepExplanation::new(self.rule, text)
            }
        }
    }
}
