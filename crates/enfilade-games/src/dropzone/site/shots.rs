//! Shots at a piece of scenery, and the tokens that they leave on it.
//!
//! Source: quick reference, SCENERY (Destructible, Flammable), and Focus-X. The meaning of the
//! faces and the order of the dice are in the site's attack; the effects of tokens are in
//! `tokens.rs`.

use super::super::volley::{HitFaceMeaning, describe_merged_damage_die};
use super::state::{NextShotDie, SceneryPieceUnderFire, SceneryState, index_of_face};
use enfilade_model::dice::Dice;

impl NextShotDie {
    /// Describes the die.
    pub fn describe_shot_die(self) -> String {
        match self {
            NextShotDie::Aim => "Hit die at the piece".into(),
            NextShotDie::Damage { merged } => {
                format!("{} at the piece", describe_merged_damage_die(merged))
            }
        }
    }
}

impl SceneryPieceUnderFire {
    /// Destructible: "Can be shot, hit on 2+."
    pub(super) fn roll_shot_at_scenery(
        &self,
        mut state: SceneryState,
        shot: NextShotDie,
        dice: &mut impl Dice,
    ) -> SceneryState {
        // Without an attack there is no shot to roll for.
        let Some(attack) = &self.attack else { return state };
        if let NextShotDie::Damage { merged } = shot {
            let wound = attack.damage_die_for_merged(merged)[index_of_face(dice.die(6))];
            return self.damage_piece_and_add_tokens(state, wound.points, wound.critical);
        }
        state.shots -= 1;
        match attack.aim.map_or(HitFaceMeaning::Hit, |aim| aim[index_of_face(dice.die(6))]) {
            HitFaceMeaning::Hit => {
                state.waiting += 1;
                self.advance_to_next_die(state)
            }
            HitFaceMeaning::Critical => {
                self.damage_piece_and_add_tokens(state, attack.critical.points, true)
            }
            HitFaceMeaning::Miss | HitFaceMeaning::Glance => self.advance_to_next_die(state),
        }
    }

    /// Destructible: "If Critical, only 1 Damage and gains Collateral Damage token." Flammable: "If
    /// damaged by Flame weapon, receives additional Collateral Damage token."
    fn damage_piece_and_add_tokens(
        &self,
        mut state: SceneryState,
        points: u8,
        critical: bool,
    ) -> SceneryState {
        state.damage_left = state.damage_left.saturating_sub(points);
        let from_critical = if critical { self.critical_tokens } else { 0 };
        let tokens = if points > 0 { from_critical + self.flame_tokens } else { 0 };
        if tokens > 0 {
            state = self.add_collateral_tokens(state, tokens);
        }
        self.advance_to_next_die(state)
    }
}
