//! Collateral damage tokens on a piece of scenery: their targets, and their time.
//!
//! Source: quick reference, COLLATERAL DAMAGE and GARRISONS. The origin of a token does not matter.

use super::super::volley::{VolleyStage, VolleyState};
use super::state::{MAX_INSIDE, ScenerySite, SiteDie, SiteState, TokenDie, face_index};
use enfilade_model::dice::Dice;

impl TokenDie {
    /// Describes the die.
    pub fn describe(self) -> &'static str {
        match self {
            TokenDie::Piece => "Damage die of a token at the piece",
            TokenDie::Pick => "The token hits a random squad inside, die",
            TokenDie::Inside { .. } => "Die for the squad inside",
        }
    }
}

impl SiteState {
    /// COLLATERAL DAMAGE: "At the start of Round Up Phase, each Collateral Damage token causes 1 automatic … hit."
    pub(super) fn start_round_up(self) -> SiteState {
        SiteState { round_ups: self.round_ups - 1, due: self.tokens, ..self }
    }
}

impl ScenerySite {
    /// COLLATERAL DAMAGE: "If occupied Garrison, resolve all upon placing token."
    pub(super) fn place_tokens(&self, mut state: SiteState, tokens: u8) -> SiteState {
        state.tokens = state.tokens.saturating_add(tokens);
        if self.at_once && state.count_squads_inside() > 0 {
            state.due = state.tokens;
        }
        state
    }

    /// COLLATERAL DAMAGE: "Hits scenery and random occupied squad."
    pub(super) fn roll_token(
        &self,
        state: SiteState,
        token: TokenDie,
        dice: &mut impl Dice,
    ) -> SiteState {
        match token {
            TokenDie::Piece => {
                let state = self.resolve_token(state, dice.die(6));
                match state.count_squads_inside() {
                    0 => self.advance_to_next_die(state),
                    // A single squad needs no die to be picked.
                    1 => self.hit_nth_squad(state, 0),
                    _ => SiteState { next: SiteDie::Token(TokenDie::Pick), ..state },
                }
            }
            TokenDie::Pick => {
                let nth = dice.die(state.count_squads_inside() as u8);
                self.hit_nth_squad(state, face_index(nth))
            }
            TokenDie::Inside { squad, volley } => {
                self.resolve_squad_hit(state, squad, volley, dice)
            }
        }
    }

    /// COLLATERAL DAMAGE: "If it fails to damage building, remove it." A Critical may leave another
    /// token.
    fn resolve_token(&self, mut state: SiteState, face: u8) -> SiteState {
        state.due -= 1;
        let wound = self.burns[face_index(face)];
        match wound.points {
            0 => state.tokens -= 1,
            points => state.left = state.left.saturating_sub(points),
        }
        match wound.critical && self.token_criticals > 0 {
            true => self.place_tokens(state, self.token_criticals),
            false => state,
        }
    }

    /// Applies the token to the `nth` squad that is still inside.
    fn hit_nth_squad(&self, state: SiteState, nth: usize) -> SiteState {
        let mut alive = (0..MAX_INSIDE).filter(|&squad| state.inside[squad].count_alive() > 0);
        let squad = alive.nth(nth).unwrap_or(0);
        let volley = self.inside[squad].token.open_volley(1, state.inside[squad]);
        SiteState { next: SiteDie::Token(TokenDie::Inside { squad: squad as u8, volley }), ..state }
    }

    fn resolve_squad_hit(
        &self,
        mut state: SiteState,
        squad: u8,
        hit: VolleyState,
        dice: &mut impl Dice,
    ) -> SiteState {
        let place = usize::from(squad);
        let volley = self.inside[place].token.roll_next(hit, dice);
        state.inside[place] = volley.squad;
        state.next = SiteDie::Token(TokenDie::Inside { squad, volley });
        match volley.stage {
            VolleyStage::Over => self.advance_to_next_die(state),
            _ => state,
        }
    }
}
