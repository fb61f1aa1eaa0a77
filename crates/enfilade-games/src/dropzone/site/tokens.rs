//! Collateral damage tokens on a piece of scenery: their targets, and their time.
//!
//! Source: quick reference, COLLATERAL DAMAGE and GARRISONS. The origin of a token does not matter.

use super::super::volley::{Stage, Volley};
use super::state::{MAX_INSIDE, Next, Site, State, Token, place};
use enfilade_model::dice::Dice;

impl Token {
    /// Describes the die.
    pub fn told(self) -> &'static str {
        match self {
            Token::Piece => "Damage die of a token at the piece",
            Token::Pick => "The token hits a random squad inside, die",
            Token::Inside { .. } => "Die for the squad inside",
        }
    }
}

impl State {
    /// COLLATERAL DAMAGE: "At the start of Round Up Phase, each Collateral Damage token causes 1 automatic … hit."
    pub(super) fn round_up(self) -> State {
        State { round_ups: self.round_ups - 1, due: self.tokens, ..self }
    }
}

impl Site {
    /// COLLATERAL DAMAGE: "If occupied Garrison, resolve all upon placing token."
    pub(super) fn placed(&self, mut state: State, tokens: u8) -> State {
        state.tokens = state.tokens.saturating_add(tokens);
        if self.at_once && state.occupied() > 0 {
            state.due = state.tokens;
        }
        state
    }

    /// COLLATERAL DAMAGE: "Hits scenery and random occupied squad."
    pub(super) fn token(&self, state: State, token: Token, dice: &mut impl Dice) -> State {
        match token {
            Token::Piece => {
                let state = self.burnt(state, dice.die(6));
                match state.occupied() {
                    0 => self.to_next_die(state),
                    // A single squad needs no die to be picked.
                    1 => self.picked(state, 0),
                    _ => State { next: Next::Token(Token::Pick), ..state },
                }
            }
            Token::Pick => {
                let nth = dice.die(state.occupied() as u8);
                self.picked(state, place(nth))
            }
            Token::Inside { squad, volley } => self.singed(state, squad, volley, dice),
        }
    }

    /// COLLATERAL DAMAGE: "If it fails to damage building, remove it." A Critical may leave another
    /// token.
    fn burnt(&self, mut state: State, face: u8) -> State {
        state.due -= 1;
        let wound = self.burns[place(face)];
        match wound.points {
            0 => state.tokens -= 1,
            points => state.left = state.left.saturating_sub(points),
        }
        match wound.critical && self.token_criticals > 0 {
            true => self.placed(state, self.token_criticals),
            false => state,
        }
    }

    /// Applies the token to the `nth` squad that is still inside.
    fn picked(&self, state: State, nth: usize) -> State {
        let mut alive = (0..MAX_INSIDE).filter(|&squad| state.inside[squad].alive() > 0);
        let squad = alive.nth(nth).unwrap_or(0);
        let volley = self.inside[squad].token.open(1, state.inside[squad]);
        State { next: Next::Token(Token::Inside { squad: squad as u8, volley }), ..state }
    }

    fn singed(&self, mut state: State, squad: u8, hit: Volley, dice: &mut impl Dice) -> State {
        let place = usize::from(squad);
        let volley = self.inside[place].token.step(hit, dice);
        state.inside[place] = volley.squad;
        state.next = Next::Token(Token::Inside { squad, volley });
        match volley.stage {
            Stage::Over => self.to_next_die(state),
            _ => state,
        }
    }
}
