//! A piece of scenery with everybody in and around it, and what is due on it.

use super::super::squad::Squad;
use super::super::volley::{Attack, Blow, Stage, Volley};

/// The most squads inside.
pub const MAX_INSIDE: usize = 3;

/// A squad inside: what tokens and the fall of the piece do to it.
pub struct Inside {
    /// The squad, unhurt.
    pub fresh: Squad,
    /// A token's hit.
    pub token: Attack,
    /// The hits of the fall.
    pub fall: Attack,
}

/// Units around, alike.
pub struct Around {
    /// By D3 face: how many are within that many inches.
    pub within: [u8; 3],
    /// Damage Points of each.
    pub points: u8,
    /// The hits of the fall.
    pub fall: Attack,
}

/// A piece of scenery and everything that may happen to it.
pub struct Site {
    /// Shots aimed at it.
    pub shots: u16,
    /// The shots' dice.
    pub attack: Option<Attack>,
    /// Tokens a hit leaves that damages, beside the Critical's.
    pub flame_tokens: u8,
    /// Tokens a Critical leaves.
    pub critical_tokens: u8,
    /// Damage Points of the piece.
    pub points: u8,
    /// Tokens on it before the first die.
    pub tokens: u8,
    /// Whether those tokens were placed just now, and count at once when somebody is inside.
    pub just_placed: bool,
    /// A token's damage die on the piece.
    pub burns: Blow,
    /// Tokens a Critical of a token's hit leaves.
    pub token_criticals: u8,
    /// Whether tokens count at once when somebody is inside.
    pub at_once: bool,
    /// Round Ups after the shots.
    pub round_ups: u8,
    /// Squads inside.
    pub inside: Vec<Inside>,
    /// Whether the hits of the fall are rolled once for all squads inside, not for each.
    pub rubble_once: bool,
    /// Units around.
    pub around: Option<Around>,
}

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    pub(super) next: Next,
    /// Hit dice still to be rolled.
    pub(super) shots: u16,
    /// Hits whose damage is still to be rolled.
    pub(super) waiting: u16,
    pub(super) round_ups: u8,
    /// Damage Points that the piece has left.
    pub(super) left: u8,
    pub(super) tokens: u8,
    /// Tokens whose hit is still to be rolled.
    pub(super) due: u8,
    pub(super) radius: u8,
    pub(super) inside: [Squad; MAX_INSIDE],
    /// Units around that are still to be hit.
    pub(super) around: u8,
    pub(super) around_damage: u16,
    pub(super) around_destroyed: u8,
}

/// The next die of a shot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shot {
    /// The hit die.
    Aim,
    /// The damage die of this many merged hits.
    Damage { merged: u8 },
}

/// The next die of a token's hit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Token {
    /// The damage die on the piece.
    Piece,
    /// Which squad inside it hits.
    Pick,
    /// The hit on that squad.
    Inside { squad: u8, volley: Volley },
}

/// The next die of the fall.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fall {
    /// The D3.
    Reach,
    /// Hits on a unit around.
    Around { volley: Volley },
    /// The 2D3 hits on a squad inside.
    Rubble { squad: u8 },
    /// Those hits; how many there were, where they are rolled once for all squads, or 0.
    Crushed { squad: u8, hits: u8, volley: Volley },
}

/// The next die, by the rule that rolls it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Next {
    /// Destructible, Flammable: a shot at the piece.
    Shot(Shot),
    /// COLLATERAL DAMAGE: a token's hit.
    Token(Token),
    /// Destructible: the fall of the piece.
    Fall(Fall),
    /// No die.
    Over,
}

impl State {
    /// Squads still inside.
    pub(super) fn occupied(&self) -> usize {
        self.inside.iter().filter(|squad| squad.alive() > 0).count()
    }
}

/// The place of a face in a row of what faces do.
pub(super) fn place(face: u8) -> usize {
    usize::from(face) - 1
}

/// What serves the state alone: the next die, and what is forgotten.
impl Site {
    /// Finds the next die while the piece stands: what tokens still do, then shots, then the next
    /// Round Up. Once it falls neither shots nor tokens matter.
    pub(super) fn to_next_die(&self, mut state: State) -> State {
        if state.left == 0 {
            (state.shots, state.waiting) = (0, 0);
            (state.tokens, state.due, state.round_ups) = (0, 0, 0);
            state.next = Next::Fall(Fall::Reach);
            return state;
        }
        let fired_out = state.shots == 0 && state.waiting == 0;
        if state.due == 0 && fired_out && state.round_ups > 0 {
            state = state.round_up();
        }
        state.next = match state.due {
            0 => self.next_shot(&mut state).map_or(Next::Over, Next::Shot),
            _ => Next::Token(Token::Piece),
        };
        if state.next == Next::Over {
            state.round_ups = 0;
        }
        state
    }

    /// The next die of the shots, while any is left.
    fn next_shot(&self, state: &mut State) -> Option<Shot> {
        match self.attack.as_ref()?.next(state.shots, &mut state.waiting) {
            Stage::Aim => Some(Shot::Aim),
            Stage::Damage { merged, .. } => Some(Shot::Damage { merged }),
            Stage::Save { .. } | Stage::Over => None,
        }
    }
}
