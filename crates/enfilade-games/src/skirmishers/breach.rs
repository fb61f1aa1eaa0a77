//! `breach`: rounds until a structure gives way.
//!
//! Source: Large Targets. Damage of explosives is added up on one dot; the structure is breached
//! when the sum exceeds its toughness. Damage to troopers behind it is not modelled.
//!
//! The state is the rounds fired and the damage so far; once breached, only the round is stored.

use enfilade_model::catalogue::{Contest, RulebookAction};
use enfilade_model::combat::vocabulary_macros::vocabulary;
use enfilade_model::combat::{Combat, CombatStepExplanation, FieldChange};
use enfilade_model::dice::{Dice, RolledDie};
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{FieldGroupFromForm, choice, fields};
use enfilade_model::form::{Fault, FieldType, Form};
use enfilade_model::static_or_shared::Text;

use super::aim::{AimCircumstances, AttackWeapon, TargetNumber, check_throw_within_trooper_ap};
use super::aim_notes::{ignored_cover_note, unused_throw_ap_note};
use super::attack_fields::{
    AimSituation, AttackRuleNumbers, AttackerFields, LARGE_TARGET_SITUATION, READINGS_HEADING,
    StructureFields, TARGET_HEADING, ThrowFields, WEAPON_HEADING, WeaponFields,
};
use super::skirmishers_data;

const ROUND_COUNT_RANGE: IntRange = IntRange::new("number of rounds", 1, 200);
const DAMAGE_RANGE: IntRange = IntRange::new("damage", 0, 500);

/// Number of rounds of a weapon whose ammunition is not counted.
const DEFAULT_UNLIMITED_ROUNDS: u8 = 30;

choice! {
    /// Effect of a miss on the structure.
    enum MissDamage {
        /// No damage.
        None = "none",
        /// Damage of the next ring.
        Ring = "ring",
    }
}

fields! {
    /// Rounds, and their effects.
    struct BreachFields {
        /// rounds fired at most; the ammunition when left out, 30 where it is not counted
        rounds: Option<u8> = new_optional(FieldType::Int(ROUND_COUNT_RANGE)).with_player_name("rounds fired at most")
            .with_unit("rounds").with_heading(WEAPON_HEADING);
        /// the trooper carries extra ammunition: twice as many rounds
        extra_ammo: bool = new_switch_with_default(false).with_rule_reference("Advanced Explosives").with_player_name("extra ammunition")
            .with_heading(WEAPON_HEADING);
        /// damage that the same dot has taken before
        damaged: u16 = new_whole_number(DAMAGE_RANGE, 0).with_rule_reference("Large Targets").with_player_name("damage taken before")
            .with_unit("points").with_heading(TARGET_HEADING).as_rarely_changed();
        /// what a miss does to the structure: nothing, or the damage of the next ring
        miss_damage: MissDamage = new_choice(MissDamage::WORDS).marked_as_interpretation().with_player_name("a miss does")
            .with_value_labels(&["nothing", "the damage of the next ring"]).with_heading(READINGS_HEADING).as_rarely_changed();
        /// only what explodes or burns breaches; turned off, every weapon does
        only_explosives: bool = new_switch_with_default(true).with_rule_reference("Large Targets").marked_as_interpretation()
            .with_player_name("only explosives breach").with_heading(READINGS_HEADING).as_rarely_changed();
    }
}

/// Catalogue entry.
pub const BREACH_ACTION: RulebookAction = RulebookAction::new(
    "breach",
    "rounds until a structure is breached",
    joined![
        WeaponFields::FIELDS,
        StructureFields::FIELDS,
        BreachFields::FIELDS,
        AttackerFields::FIELDS,
        ThrowFields::FIELDS,
        LARGE_TARGET_SITUATION,
        AttackRuleNumbers::FIELDS,
    ],
    &build_breach_contest,
    &[
        "weapon = 'rocket launcher'\nstructure = 'wall'\nrange = 50",
        "weapon = 'recoilless rifle'\nstructure = 'tree'\nextra_ammo = true\nrange = 100",
        "weapon = 'anti-tank missile'\ntoughness = 20\nrounds = 4\nlarge_target = false\nmiss_damage = 'ring'",
        "weapon = 'grenade launcher'\nrounds = 12\nrange = 10",
        "weapon = 'HMG'\nstructure = 'wall'\nrounds = 5\nonly_explosives = false",
    ],
)
.with_title_question("How often does the {weapon|weapon} breach the structure?")
.with_off_table(
    "A target number of 2 or less always hits, one above 12 never does. Beyond long range no attack \
     is made. Damage that only equals the toughness does not breach (Large Targets).",
)
.with_change_reporting_fields(&["damaged"]);

struct StructureBreachCombat {
    aim: TargetNumber,
    hit: u16,
    miss: u16,
    toughness: u16,
    damaged: u16,
    rounds: u8,
    ammo: Option<u8>,
}

fn build_breach_contest(form: &Form) -> Result<Contest, Vec<Fault>> {
    let (weapon_fields, own, situation) =
        (WeaponFields::read(form), BreachFields::read(form), AimSituation::read(form));
    let weapon = AttackWeapon::from_row_or_numbers(&weapon_fields)?
        .into_launcher_if_kind_missing(&weapon_fields);
    if own.only_explosives && !weapon.kind.has_damage_by_ring() {
        // "Troopers may target large objects ... with explosives."
        let fault = Fault::new(
            weapon_fields.field_that_decides_weapon(),
            "only explosives breach a structure",
        );
        return Err(vec![fault.with_help(
            "use one, such as \"rocket launcher\" or \"satchel\", or give `only_explosives = false`",
        )]);
    }
    let times = if own.extra_ammo { 2 } else { 1 };
    let ammo = weapon.ammo.map(|ammo| ammo.saturating_mul(times));
    let lethal = |ring: usize| weapon.rings.get(ring).map_or(0, |ring| u16::from(ring.lethal));
    let ap_spent = ThrowFields::read(form).ap_spent;
    let rules = AttackRuleNumbers::read(form);
    let aiming =
        AimCircumstances { situation: &situation, rules: &rules, ap_spent: Some(ap_spent) };
    let attacker = AttackerFields::read(form);
    let aim = TargetNumber::for_attacker(&weapon, &attacker, aiming)?;
    check_throw_within_trooper_ap(&weapon, &attacker, ap_spent, None)?;
    let mut notes = Vec::from_iter(ignored_cover_note(&weapon, &situation));
    notes.extend(aim.out_of_range_note(&weapon));
    notes.extend(unused_throw_ap_note(&weapon, ap_spent));
    let toughness = read_toughness(&StructureFields::read(form))?;
    if own.damaged > toughness {
        let problem = format!("damage of more than {toughness} has breached it already");
        return Err(vec![Fault::new("damaged", problem)]);
    }
    Ok(Contest::from_rule(StructureBreachCombat {
        hit: lethal(0),
        miss: if own.miss_damage == MissDamage::Ring { lethal(1) } else { 0 },
        toughness,
        damaged: own.damaged,
        rounds: aim.attacks_within_range(own.rounds.or(ammo).unwrap_or(DEFAULT_UNLIMITED_ROUNDS)),
        aim,
        ammo,
    })
    .with_notes(notes)
    .with_size_fields(&["rounds", "toughness"]))
}

/// Returns the given toughness, or that of the structure.
///
/// # Errors
/// A structure without a printed toughness.
pub fn read_toughness(structure: &StructureFields) -> Result<u16, Vec<Fault>> {
    let named = structure.structure.as_deref().unwrap_or("medium");
    let mut structures = skirmishers_data::skirmishers_data().structures.iter();
    let printed = structures.find(|(name, _)| name == named).map(|(_, toughness)| *toughness);
    let missing = || vec![Fault::new("toughness", "`toughness` is missing")];
    structure.toughness.or(printed).ok_or_else(missing)
}

/// Rounds fired, and damage so far with the earlier damage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct BreachProgress {
    fired: u8,
    damage: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct BreachOutcome {
    breached: bool,
    rounds: u8,
    damage: u16,
    ammo_enough: bool,
}

impl Combat for StructureBreachCombat {
    type State = BreachProgress;
    type Outcome = BreachOutcome;

    fn initial_state(&self) -> BreachProgress {
        BreachProgress { fired: 0, damage: self.damaged }
    }

    fn play_one_step(&self, mut state: BreachProgress, dice: &mut impl Dice) -> BreachProgress {
        state.fired += 1;
        state.damage += if self.aim.roll_to_hit(dice) { self.hit } else { self.miss };
        state
    }

    /// Large Targets: damage on one dot adds up, and breaches once it exceeds the toughness.
    fn outcome_if_over(&self, state: &BreachProgress) -> Option<BreachOutcome> {
        let breached = state.damage > self.toughness;
        (breached || state.fired == self.rounds).then_some(BreachOutcome {
            breached,
            rounds: if breached { state.fired } else { 0 },
            damage: state.damage - self.damaged,
            ammo_enough: breached && self.ammo.is_none_or(|ammo| state.fired <= ammo),
        })
    }

    /// A breached structure has no toughness left.
    fn field_changes(&self, state: &BreachProgress) -> Vec<FieldChange> {
        let is_standing = state.damage <= self.toughness;
        vec![FieldChange::Is(
            Text::Static("damaged"),
            if is_standing { state.damage.into() } else { -1 },
        )]
    }

    vocabulary! { o: BreachOutcome;
        columns {
            /// whether the structure is breached
            breached = count(o.breached).label("breached").rule("Large Targets").with_harm_degree(80, "breach");
            /// rounds it took; 0: not breached
            rounds = count(o.rounds).label("rounds to breach").unit("rounds").rule("Large Targets");
            /// damage done to it
            damage = count(o.damage).label("damage").unit("points").rule("Large Targets")
                .with_harm_degree(20, "damage").adds();
        }
        measures {
            /// the structure is breached
            p_breach = probability(o.breached).label("breached").with_headline_role();
            /// it is breached with the rounds one trooper carries
            p_ammo_enough = probability(o.ammo_enough).label("breached with the rounds carried");
            /// damage done to it
            e_damage = mean(o.damage).label("damage on average").unit("points").adds();
        }
    }

    fn explain_step(
        &self,
        from: &BreachProgress,
        rolls: &[RolledDie],
        to: &BreachProgress,
    ) -> CombatStepExplanation {
        let faces: Vec<_> = rolls.iter().map(|roll| roll.face).collect();
        let sum: u8 = faces.iter().sum();
        let needed = self.aim.needed.map_or("–".into(), |needed| needed.to_string());
        let text = format!(
            "Round {}: 2d6 {faces:?} = {sum} against {needed} ({}): {} damage, {} in all, more than {} needed.",
            to.fired,
            self.aim.sum,
            to.damage - from.damage,
            to.damage,
            self.toughness
        );
        CombatStepExplanation::new("Large Targets", text)
    }
}
