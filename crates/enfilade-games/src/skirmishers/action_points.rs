//! Number of attacks in an activation: the attacker's action points, and the cost of an attack.
//!
//! Source: the column "AP Cost" of the weapons, Movement Fire, Trooper Experience, Body Armor, and
//! the unit card. AP left after the last whole attack are lost; AP for movement, for changing
//! weapons and for setting up an arc are not counted.

use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_macros::fields;
use enfilade_model::form::{Fault, FieldType};

use super::aim::AttackWeapon;
use super::attack_fields::{
    ARMOUR_LABELS, ATTACKER_HEADING, AttackerFields, BodyArmour, ExperienceLevel, READINGS_HEADING,
};
use super::skirmishers_data;

const ACTIVATION_RANGE: IntRange = IntRange::new("number of activations", 1, 12);
const ACTION_POINTS_RANGE: IntRange = IntRange::new("number of action points", 1, 40);
const AP_COST_RANGE: IntRange = IntRange::new("number of action points", 1, 20);

fields! {
    /// Duration of the attacks, and their AP.
    pub struct ActionPointFields {
        /// activations in each of which the attacker attacks as often as their AP allow, in place
        /// of a number of attacks
        activations: Option<u8> = new_optional(FieldType::Int(ACTIVATION_RANGE)).with_player_name("activations")
            .with_heading(ATTACKER_HEADING).as_rarely_changed();
        /// AP of an attack: those printed with the weapon, those spent on a throw, and those of
        /// Movement Fire when left out
        ap_cost: Option<i64> = new_optional(FieldType::Int(AP_COST_RANGE)).with_player_name("AP of an attack").with_unit("AP")
            .with_heading(ATTACKER_HEADING).as_rarely_changed();
        /// AP of the attacker in an activation; those of their card, experience and armour when
        /// left out
        attacker_ap: Option<i64> = new_optional(FieldType::Int(ACTION_POINTS_RANGE)).with_player_name("AP of the attacker").with_unit("AP")
            .with_heading(ATTACKER_HEADING).as_rarely_changed();
        /// experience of the attacker, for their AP; regular when left out
        attacker_experience: Option<ExperienceLevel> = new_optional(FieldType::choice_of_words(ExperienceLevel::WORDS))
            .with_rule_reference("Trooper Experience").with_player_name("experience of the attacker").with_heading(ATTACKER_HEADING).as_rarely_changed();
        /// body armour of the attacker, for their AP; none when left out
        attacker_armour: Option<BodyArmour> = new_optional(FieldType::choice_of_words(BodyArmour::WORDS)).with_rule_reference("Body Armor")
            .with_player_name("body armour of the attacker").with_value_labels(ARMOUR_LABELS).with_heading(ATTACKER_HEADING).as_rarely_changed();
        /// AP of an attack on the move with what does not explode; 2 when left out
        movement_fire_ap: Option<i64> = new_optional(FieldType::Int(AP_COST_RANGE)).with_rule_reference("Movement Fire")
            .with_player_name("AP of Movement Fire").with_unit("AP").with_heading(READINGS_HEADING).as_rarely_changed();
    }
}

/// "It costs 2 AP to fire a weapon using movement fire rules."
const MOVEMENT_FIRE_AP_COST: i64 = 2;

/// Attacks that the AP of an attacker allow.
pub struct AffordedAttacksWithReason {
    /// Attacks in all activations together.
    pub attacks: i64,
    /// Derivation of the number.
    pub note: String,
}

impl ActionPointFields {
    /// Computes the number of attacks that AP allow, if `activations` are given.
    ///
    /// # Errors
    /// An attack of unknown cost, and fields about AP without `activations`.
    pub fn attacks_afforded(
        &self,
        weapon: &AttackWeapon,
        attacker: &AttackerFields,
        thrown_for: i64,
        moving: bool,
    ) -> Result<Option<AffordedAttacksWithReason>, Vec<Fault>> {
        let Some(activations) = self.activations else {
            return self
                .first_given_ap_field()
                .map_or(Ok(None), |field| Err(vec![ap_without_activations_fault(field)]));
        };
        let cost = self.ap_cost_of_attack(weapon, thrown_for, moving)?;
        let ap = self.attacker_action_points(attacker)?;
        let each = ap / cost;
        let note = format!(
            "{ap} AP, {cost} an attack: {each} {} in an activation",
            if each == 1 { "attack" } else { "attacks" }
        );
        Ok(Some(AffordedAttacksWithReason { attacks: each * i64::from(activations), note }))
    }

    /// Returns the first field about AP that is given.
    fn first_given_ap_field(&self) -> Option<&'static str> {
        let flags = [
            ("ap_cost", self.ap_cost.is_some()),
            ("attacker_ap", self.attacker_ap.is_some()),
            ("attacker_experience", self.attacker_experience.is_some()),
            ("attacker_armour", self.attacker_armour.is_some()),
            ("movement_fire_ap", self.movement_fire_ap.is_some()),
        ];
        flags.into_iter().find(|(_, is_set)| *is_set).map(|(field, _)| field)
    }

    /// Movement Fire: returns the cost of an attack; an explosive costs the same as at rest.
    fn ap_cost_of_attack(
        &self,
        weapon: &AttackWeapon,
        thrown_for: i64,
        moving: bool,
    ) -> Result<i64, Vec<Fault>> {
        let kind = weapon.kind;
        let printed = match () {
            () if kind.is_thrown() => Some(thrown_for),
            () if moving && !kind.has_damage_by_ring() => {
                Some(self.movement_fire_ap.unwrap_or(MOVEMENT_FIRE_AP_COST))
            }
            () => weapon.ap,
        };
        self.ap_cost.or(printed.filter(|&ap| ap > 0)).ok_or_else(|| {
            let problem = "the cost of an attack is not printed: an arc, once set up, is fired into \
                           with every move there";
            vec![
                Fault::new("ap_cost", problem)
                    .with_help("give `ap_cost`, or `shots` in place of `activations`"),
            ]
        })
    }

    /// Trooper Experience, Body Armor: returns the AP of the attacker's card with those of both.
    fn attacker_action_points(&self, attacker: &AttackerFields) -> Result<i64, Vec<Fault>> {
        if let Some(ap) = self.attacker_ap {
            return Ok(ap);
        }
        let (card, hp) = attacker.card_and_hp()?;
        Ok(card.action_points(
            hp,
            ap_of_armour_and_experience(self.attacker_armour, self.attacker_experience),
        ))
    }
}

fn ap_without_activations_fault(field: &'static str) -> Fault {
    let problem = format!("`{field}` only counts with `activations`, for which AP are added up");
    Fault::new(field, problem).with_help(format!("give `activations`, or leave out `{field}`"))
}

/// Body Armor: "reduce the trooper’s AP to account for the body armor". Trooper Experience.
///
/// Returns the AP of armour and experience.
pub fn ap_of_armour_and_experience(
    armour: Option<BodyArmour>,
    experience: Option<ExperienceLevel>,
) -> i64 {
    let names = [armour.map(BodyArmour::word), experience.map(ExperienceLevel::word)];
    let rows = names
        .into_iter()
        .flatten()
        .filter_map(|name| skirmishers_data::skirmishers_data().find_armour_or_level(name));
    rows.map(|row| row.ap).sum()
}
