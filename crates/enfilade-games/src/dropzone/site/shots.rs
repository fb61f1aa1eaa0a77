//! Shots at a piece of scenery, and the tokens that they leave on it.
//!
//! Source: quick reference, SCENERY (Destructible, Flammable), and Focus-X. The meaning of the
//! faces and the order of the dice are in the site's attack; the effects of tokens are in
//! `tokens.rs`.

use super::super::volley::{Aim, damage_die};
use super::state::{Shot, Site, State, place};
use enfilade_model::dice::Dice;

impl Shot {
    /// Describes the die.
    pub fn told(self) -> String {
        match self {
            Shot::Aim => "Hit die at the piece".into(),
            Shot::Damage { merged } => format!("{} at the piece", damage_die(merged)),
        }
    }
}

impl Site {
    /// Destructible: "Can be shot, hit on 2+."
    pub(super) fn shot(&self, mut state: State, shot: Shot, dice: &mut impl Dice) -> State {
        // Without an attack there is no shot to roll for.
        let Some(attack) = &self.attack else { return state };
        if let Shot::Damage { merged } = shot {
            let wound = attack.blow(merged)[place(dice.die(6))];
            return self.struck(state, wound.points, wound.critical);
        }
        state.shots -= 1;
        match attack.aim.map_or(Aim::Hit, |aim| aim[place(dice.die(6))]) {
            Aim::Hit => {
                state.waiting += 1;
                self.to_next_die(state)
            }
            Aim::Critical => self.struck(state, attack.critical.points, true),
            Aim::Miss | Aim::Glance => self.to_next_die(state),
        }
    }

    /// Destructible: "If Critical, only 1 Damage and gains Collateral Damage token." Flammable: "If
    /// damaged by Flame weapon, receives additional Collateral Damage token."
    fn struck(&self, mut state: State, points: u8, critical: bool) -> State {
        state.left = state.left.saturating_sub(points);
        let from_critical = if critical { self.critical_tokens } else { 0 };
        let tokens = if points > 0 { from_critical + self.flame_tokens } else { 0 };
        if tokens > 0 {
            state = self.placed(state, tokens);
        }
        self.to_next_die(state)
    }
}
