//! How often somebody attacks in an activation: his action points, and what an attack costs.
//!
//! Source: the column "AP Cost" of the weapons, Movement Fire, Trooper Experience, Body Armor, and the
//! unit card. What is left of the AP after the last whole attack is lost; AP for movement, for changing
//! weapons and for setting up an arc are not reckoned.

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
    /// For how long somebody attacks, and with what AP.
    pub struct Pace {
        /// activations in each of which the attacker attacks as often as his AP allow, in place of a
        /// number of attacks
        activations: Option<u8> = optional(Kind::Int(ACTIVATIONS)).label("activations")
            .group(THE_ATTACKER).rare();
        /// AP of an attack: those printed with the weapon, those spent on a throw, and those of
        /// Movement Fire when left out
        ap_cost: Option<i64> = optional(Kind::Int(COST)).label("AP of an attack").unit("AP")
            .group(THE_ATTACKER).rare();
        /// AP of the attacker in an activation; those of his card, experience and armour when left out
        attacker_ap: Option<i64> = optional(Kind::Int(AP)).label("AP of the attacker").unit("AP")
            .group(THE_ATTACKER).rare();
        /// experience of the attacker, for his AP; regular when left out
        attacker_experience: Option<Experience> = optional(Kind::choice(Experience::WORDS))
            .rule("Trooper Experience").label("experience of the attacker").group(THE_ATTACKER).rare();
        /// body armour of the attacker, for his AP; none when left out
        attacker_armour: Option<Armour> = optional(Kind::choice(Armour::WORDS)).rule("Body Armor")
            .label("body armour of the attacker").values(IN_ARMOUR).group(THE_ATTACKER).rare();
        /// AP of an attack on the move with what does not explode; 2 when left out
        movement_fire_ap: Option<i64> = optional(Kind::Int(COST)).rule("Movement Fire")
            .label("AP of Movement Fire").unit("AP").group(READINGS).rare();
    }
}

/// "It costs 2 AP to fire a weapon using movement fire rules."
const MOVEMENT_FIRE_AP: i64 = 2;

/// What the AP of an attacker come to.
pub struct Paced {
    /// Attacks in all activations together.
    pub attacks: i64,
    /// How they come about.
    pub note: String,
}

impl Pace {
    /// How many attacks AP allow, where they are reckoned by `activations`.
    ///
    /// # Errors
    /// An attack whose AP nobody knows, and fields that say something of AP without `activations`.
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

    /// What is said of AP.
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

    /// Movement Fire: an explosive costs what it costs at rest.
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
            let problem = "what an attack costs is not printed: an arc, once set up, is fired into \
                           whenever somebody moves there";
            vec![
                Fault::new("ap_cost", problem)
                    .help("give `ap_cost`, or `shots` in place of `activations`"),
            ]
        })
    }

    /// Trooper Experience, Body Armor: the AP of his card with what both add.
    fn points(&self, attacker: &Attacker) -> Result<i64, Vec<Fault>> {
        if let Some(ap) = self.attacker_ap {
            return Ok(ap);
        }
        let (card, hp) = attacker.stands()?;
        Ok(card.action_points(hp, additions(self.attacker_armour, self.attacker_experience)))
    }
}

fn unreckoned(field: &'static str) -> Fault {
    let problem = format!("`{field}` counts where AP are reckoned, by `activations`");
    Fault::new(field, problem).help(format!("give `activations`, or leave out `{field}`"))
}

/// Body Armor: "reduce the trooper’s AP to account for the body armor". Trooper Experience.
///
/// What armour and experience add to AP.
pub fn additions(armour: Option<Armour>, experience: Option<Experience>) -> i64 {
    let names = [armour.map(Armour::word), experience.map(Experience::word)];
    let rows = names.into_iter().flatten().filter_map(|name| data::data().troop(name));
    rows.map(|row| row.ap).sum()
}
