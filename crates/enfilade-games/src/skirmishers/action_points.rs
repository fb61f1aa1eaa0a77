//! Number of attacks in an activation: the attacker's action points, and the cost of an attack.
//!
//! Source: the column "AP Cost" of the weapons, Movement Fire, Trooper Experience, Body Armor, and
//! the unit card. AP left after the last whole attack are lost; AP for movement, for changing
//! weapons and for setting up an arc are not counted.

use enfilade_model::form::bounds::Bound;
use enfilade_model::form::field_macros::fields;
use enfilade_model::form::{Fault, Kind};

use super::aim::Weapon;
use super::data;
use super::fields::{Armour, Attacker, Experience, IN_ARMOUR, READINGS, THE_ATTACKER};

const ACTIVATIONS: Bound = Bound::new("number of activations", 1, 12);
const AP: Bound = Bound::new("number of action points", 1, 40);
const COST: Bound = Bound::new("number of action points", 1, 20);

fields! {
    /// Duration of the attacks, and their AP.
    pub struct Pace {
        /// activations in each of which the attacker attacks as often as their AP allow, in place of
        /// a number of attacks
        activations: Option<u8> = optional(Kind::Int(ACTIVATIONS)).label("activations")
            .group(THE_ATTACKER).rare();
        /// AP of an attack: those printed with the weapon, those spent on a throw, and those of
        /// Movement Fire when left out
        ap_cost: Option<i64> = optional(Kind::Int(COST)).label("AP of an attack").unit("AP")
            .group(THE_ATTACKER).rare();
        /// AP of the attacker in an activation; those of their card, experience and armour when left
        /// out
        attacker_ap: Option<i64> = optional(Kind::Int(AP)).label("AP of the attacker").unit("AP")
            .group(THE_ATTACKER).rare();
        /// experience of the attacker, for their AP; regular when left out
        attacker_experience: Option<Experience> = optional(Kind::choice(Experience::WORDS))
            .rule("Trooper Experience").label("experience of the attacker").group(THE_ATTACKER).rare();
        /// body armour of the attacker, for their AP; none when left out
        attacker_armour: Option<Armour> = optional(Kind::choice(Armour::WORDS)).rule("Body Armor")
            .label("body armour of the attacker").values(IN_ARMOUR).group(THE_ATTACKER).rare();
        /// AP of an attack on the move with what does not explode; 2 when left out
        movement_fire_ap: Option<i64> = optional(Kind::Int(COST)).rule("Movement Fire")
            .label("AP of Movement Fire").unit("AP").group(READINGS).rare();
    }
}

/// "It costs 2 AP to fire a weapon using movement fire rules."
const MOVEMENT_FIRE_AP: i64 = 2;

/// Attacks that the AP of an attacker allow.
pub struct Paced {
    /// Attacks in all activations together.
    pub attacks: i64,
    /// Derivation of the number.
    pub note: String,
}

impl Pace {
    /// Computes the number of attacks that AP allow, if `activations` are given.
    ///
    /// # Errors
    /// An attack of unknown cost, and fields about AP without `activations`.
    pub fn attacks(
        &self,
        weapon: &Weapon,
        attacker: &Attacker,
        thrown_for: i64,
        moving: bool,
    ) -> Result<Option<Paced>, Vec<Fault>> {
        let Some(activations) = self.activations else {
            return self.said().map_or(Ok(None), |field| Err(vec![unreckoned(field)]));
        };
        let cost = self.cost(weapon, thrown_for, moving)?;
        let ap = self.points(attacker)?;
        let each = ap / cost;
        let note = format!(
            "{ap} AP, {cost} an attack: {each} {} in an activation",
            if each == 1 { "attack" } else { "attacks" }
        );
        Ok(Some(Paced { attacks: each * i64::from(activations), note }))
    }

    /// Returns the first field about AP that is given.
    fn said(&self) -> Option<&'static str> {
        let said = [
            ("ap_cost", self.ap_cost.is_some()),
            ("attacker_ap", self.attacker_ap.is_some()),
            ("attacker_experience", self.attacker_experience.is_some()),
            ("attacker_armour", self.attacker_armour.is_some()),
            ("movement_fire_ap", self.movement_fire_ap.is_some()),
        ];
        said.into_iter().find(|(_, said)| *said).map(|(field, _)| field)
    }

    /// Movement Fire: returns the cost of an attack; an explosive costs the same as at rest.
    fn cost(&self, weapon: &Weapon, thrown_for: i64, moving: bool) -> Result<i64, Vec<Fault>> {
        let kind = weapon.kind;
        let printed = match () {
            () if kind.thrown() => Some(thrown_for),
            () if moving && !kind.explodes() => {
                Some(self.movement_fire_ap.unwrap_or(MOVEMENT_FIRE_AP))
            }
            () => weapon.ap,
        };
        self.ap_cost.or(printed.filter(|&ap| ap > 0)).ok_or_else(|| {
            let problem = "the cost of an attack is not printed: an arc, once set up, is fired into \
                           with every move there";
            vec![
                Fault::new("ap_cost", problem)
                    .help("give `ap_cost`, or `shots` in place of `activations`"),
            ]
        })
    }

    /// Trooper Experience, Body Armor: returns the AP of the attacker's card with those of both.
    fn points(&self, attacker: &Attacker) -> Result<i64, Vec<Fault>> {
        if let Some(ap) = self.attacker_ap {
            return Ok(ap);
        }
        let (card, hp) = attacker.stands()?;
        Ok(card.action_points(hp, additions(self.attacker_armour, self.attacker_experience)))
    }
}

fn unreckoned(field: &'static str) -> Fault {
    let problem = format!("`{field}` only counts with `activations`, for which AP are added up");
    Fault::new(field, problem).help(format!("give `activations`, or leave out `{field}`"))
}

/// Body Armor: "reduce the trooper’s AP to account for the body armor". Trooper Experience.
///
/// Returns the AP of armour and experience.
pub fn additions(armour: Option<Armour>, experience: Option<Experience>) -> i64 {
    let names = [armour.map(Armour::word), experience.map(Experience::word)];
    let rows = names.into_iter().flatten().filter_map(|name| data::data().troop(name));
    rows.map(|row| row.ap).sum()
}
