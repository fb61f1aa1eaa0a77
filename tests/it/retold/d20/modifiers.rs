//! Modifiers of the Spot and Firearms rolls, added up from the fields of a contest.
//!
//! Source: SPOTTING MODIFIERS, SHOOTING MODIFIERS and the states that lower all skills.

use enfilade::form::Form;

use super::data::Numbers;

/// Which of the two rolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skill {
    /// Spotting.
    Spot,
    /// Firearms.
    Shoot,
}

const SPOT: &[&str] = &[
    "target_moving",
    "concealed",
    "hidden",
    "gone_firm",
    "fired_suppression_weapon",
    "target_vehicle",
    "attacker_moving",
    "attacker_higher",
    "attacker_lower",
];

const SHOOT: &[&str] = &[
    "target_moving",
    "in_cover",
    "hidden",
    "gone_firm",
    "attacker_moving",
    "attacker_higher",
    "attacker_lower",
];

impl Skill {
    /// `spot` or `shoot`, as the numbers and fields of the roll begin.
    pub fn name(self) -> &'static str {
        match self {
            Skill::Spot => "spot",
            Skill::Shoot => "shoot",
        }
    }

    /// All modifiers of the roll but additional AP.
    pub fn modifiers(self, form: &Form, numbers: &Numbers) -> i16 {
        let flags = match self {
            Skill::Spot => SPOT,
            Skill::Shoot => SHOOT,
        };
        let other = form.int(&format!("{}_modifier", self.name())) as i16;
        flagged(form, numbers, self.name(), flags) + other + states(form, numbers)
    }

    /// What `ap` additional AP add.
    pub fn aimed(self, ap: u8, numbers: &Numbers) -> i16 {
        i16::from(ap) * numbers.get(&format!("{}_extra_ap", self.name()))
    }
}

/// The numbers `PREFIX_FLAG` of the flags that are set.
pub fn flagged(form: &Form, numbers: &Numbers, prefix: &str, flags: &[&str]) -> i16 {
    let set = flags.iter().filter(|flag| form.flag(flag));
    set.map(|flag| numbers.get(&format!("{prefix}_{flag}"))).sum()
}

/// What the attacker's own state takes off all skills.
pub fn states(form: &Form, numbers: &Numbers) -> i16 {
    let hesitant = match form.text("attacker_hesitant") {
        "damage" => numbers.get("state_hesitant_damage"),
        "morale" => numbers.get("state_hesitant_morale"),
        _ => 0,
    };
    let state = |flag, number| {
        if form.flag(flag) { numbers.get(number) } else { 0 }
    };
    hesitant
        + state("attacker_pinned", "state_pinned")
        + state("attacker_suppressed", "state_suppressed")
        + state("attacker_gone_firm", "state_gone_firm")
}
