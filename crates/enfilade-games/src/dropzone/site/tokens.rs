//! Collateral damage tokens on a piece of scenery: their targets, and their time.
//!
//! Source: quick reference, COLLATERAL DAMAGE and GARRISONS. The origin of a token does not matter.

use super::super::volley::{NextVolleyDie, VolleyState};
use super::state::{
    MAX_SQUADS_INSIDE, NextCollateralHitDie, NextSceneryDie, SceneryPieceUnderFire, SceneryState,
    index_of_face,
};
use enfilade_model::dice::Dice;

impl NextCollateralHitDie {
    /// Describes the die.
    pub fn describe_die_of_damage_token(self) -> &'static str {
        match self {
            NextCollateralHitDie::SceneryDamage => "Damage die of a token at the piece",
            NextCollateralHitDie::Pick => "The token hits a random squad inside, die",
            NextCollateralHitDie::Inside { .. } => "Die for the squad inside",
        }
    }
}

impl SceneryState {
    /// COLLATERAL DAMAGE: "At the start of Round Up Phase, each Collateral Damage token causes 1
    /// automatic … hit."
    pub(super) fn start_round_up_phase(self) -> SceneryState {
        SceneryState { round_ups: self.round_ups - 1, due: self.tokens, ..self }
    }
}

impl SceneryPieceUnderFire {
    /// COLLATERAL DAMAGE: "If occupied Garrison, resolve all upon placing token."
    pub(super) fn add_collateral_tokens(
        &self,
        mut state: SceneryState,
        tokens: u8,
    ) -> SceneryState {
        state.tokens = state.tokens.saturating_add(tokens);
        if self.at_once && state.count_squads_inside() > 0 {
            state.due = state.tokens;
        }
        state
    }

    /// COLLATERAL DAMAGE: "Hits scenery and random occupied squad."
    pub(super) fn roll_next_token_die(
        &self,
        state: SceneryState,
        token: NextCollateralHitDie,
        dice: &mut impl Dice,
    ) -> SceneryState {
        match token {
            NextCollateralHitDie::SceneryDamage => {
                let state = self.damage_scenery_or_drop_token(state, dice.die(6));
                match state.count_squads_inside() {
                    0 => self.advance_to_next_die(state),
                    // A single squad needs no die to be picked.
                    1 => self.hit_nth_squad_inside(state, 0),
                    _ => SceneryState {
                        next: NextSceneryDie::Token(NextCollateralHitDie::Pick),
                        ..state
                    },
                }
            }
            NextCollateralHitDie::Pick => {
                let nth = dice.die(state.count_squads_inside() as u8);
                self.hit_nth_squad_inside(state, index_of_face(nth))
            }
            NextCollateralHitDie::Inside { squad, volley } => {
                self.roll_token_die_at_squad(state, squad, volley, dice)
            }
        }
    }

    /// COLLATERAL DAMAGE: "If it fails to damage building, remove it." A Critical may leave another
    /// token.
    fn damage_scenery_or_drop_token(&self, mut state: SceneryState, face: u8) -> SceneryState {
        state.due -= 1;
        let wound = self.burns[index_of_face(face)];
        match wound.points {
            0 => state.tokens -= 1,
            points => state.damage_left = state.damage_left.saturating_sub(points),
        }
        match wound.critical && self.token_criticals > 0 {
            true => self.add_collateral_tokens(state, self.token_criticals),
            false => state,
        }
    }

    /// Applies the token to the `nth` squad that is still inside.
    fn hit_nth_squad_inside(&self, state: SceneryState, nth: usize) -> SceneryState {
        let mut alive =
            (0..MAX_SQUADS_INSIDE).filter(|&squad| state.inside[squad].living_model_count() > 0);
        let squad = alive.nth(nth).unwrap_or(0);
        let volley = self.inside[squad].token.open_volley(1, state.inside[squad]);
        SceneryState {
            next: NextSceneryDie::Token(NextCollateralHitDie::Inside {
                squad: squad as u8,
                volley,
            }),
            ..state
        }
    }

    fn roll_token_die_at_squad(
        &self,
        mut state: SceneryState,
        squad: u8,
        hit: VolleyState,
        dice: &mut impl Dice,
    ) -> SceneryState {
        let place = usize::from(squad);
        let volley = self.inside[place].token.roll_next_die(hit, dice);
        state.inside[place] = volley.squad;
        state.next = NextSceneryDie::Token(NextCollateralHitDie::Inside { squad, volley });
        match volley.stage {
            NextVolleyDie::Over => self.advance_to_next_die(state),
            _ => state,
        }
    }
}
