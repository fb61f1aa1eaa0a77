//! Shots at a piece of scenery, and the tokens that they leave on it.
//!
//! Source: quick reference, SCENERY (Destructible, Flammable), and Focus-X. The meaning of the
//! faces and the order of the dice are in the site's attack; the effects of tokens are in
//! `tokens.rs`.

use super::super::volley::{HitFace, describe_damage_die};
use super::state::{ScenerySite, ShotDie, SiteState, face_index};
use enfilade_model::dice::Dice;

impl ShotDie {
    /// Describes the die.
    pub fn describe(self) -> String {
        match self {
            ShotDie::Aim => "Hit die at the piece".into(),
            ShotDie::Damage { merged } => format!("{} at the piece", describe_damage_die(merged)),
        }
    }
}

impl ScenerySite {
    /// Destructible: "Can be shot, hit on 2+."
    pub(super) fn roll_shot(
        &self,
        mut state: SiteState,
        shot: ShotDie,
        dice: &mut impl Dice,
    ) -> SiteState {
        // Without an attack there is no shot to roll for.
        let Some(attack) = &self.attack else { return state };
        if let ShotDie::Damage { merged } = shot {
            let wound = attack.damage_die_of(merged)[face_index(dice.die(6))];
            return self.damage_piece(state, wound.points, wound.critical);
        }
        state.shots -= 1;
        match attack.aim.map_or(HitFace::Hit, |aim| aim[face_index(dice.die(6))]) {
            HitFace::Hit => {
                state.waiting += 1;
                self.advance_to_next_die(state)
            }
            HitFace::Critical => self.damage_piece(state, attack.critical.points, true),
            HitFace::Miss | HitFace::Glance => self.advance_to_next_die(state),
        }
    }

    /// Destructible: "If Critical, only 1 Damage and gains Collateral Damage token." Flammable: "If
    /// damaged by Flame weapon, receives additional Collateral Damage token."
    fn damage_piece(&self, mut state: SiteState, points: u8, critical: bool) -> SiteState {
        state.left = state.left.saturating_sub(points);
        let from_critical = if critical { self.critical_tokens } else { 0 };
        let tokens = if points > 0 { from_critical + self.flame_tokens } else { 0 };
        if tokens > 0 {
            state = self.place_tokens(state, tokens);
        }
        self.advance_to_next_die(state)
    }
}
