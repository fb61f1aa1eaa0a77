//! A piece of scenery with the units inside and around it, and the dice that are due.

use super::super::squad::DamagePointsLeftByModel;
use super::super::volley::{DamageDie, NextVolleyDie, VolleyDieFaceEffects, VolleyState};

/// Largest number of squads inside.
pub const MAX_SQUADS_INSIDE: usize = 3;

/// Squad inside, with the effects of tokens and of the fall on it.
pub struct SquadInsideHitVolleys {
    /// Unhurt squad.
    pub fresh: DamagePointsLeftByModel,
    /// Hit of a token.
    pub token: VolleyDieFaceEffects,
    /// Hits of the fall.
    pub fall: VolleyDieFaceEffects,
}

/// Equal units around the piece.
pub struct BystanderGroup {
    /// Number of units within as many inches, by D3 face.
    pub within: [u8; 3],
    /// Damage Points of each.
    pub points: u8,
    /// Hits of the fall.
    pub fall: VolleyDieFaceEffects,
}

/// Piece of scenery with the rules of its contest.
pub struct SceneryPieceUnderFire {
    /// Number of shots at the piece.
    pub shots: u16,
    /// Dice of the shots.
    pub attack: Option<VolleyDieFaceEffects>,
    /// Tokens that a damaging hit of Flame leaves, beside the Critical's.
    pub flame_tokens: u8,
    /// Tokens that a Critical leaves.
    pub critical_tokens: u8,
    /// Damage Points of the piece.
    pub points: u8,
    /// Tokens on the piece before the first die.
    pub tokens: u8,
    /// Whether those tokens were placed just now, and count at once when the piece is occupied.
    pub just_placed: bool,
    /// Damage die of a token on the piece.
    pub burns: DamageDie,
    /// Tokens that a Critical of a token's hit leaves.
    pub token_criticals: u8,
    /// Whether tokens count at once when the piece is occupied.
    pub at_once: bool,
    /// Round Ups after the shots.
    pub round_ups: u8,
    /// Squads inside.
    pub inside: Vec<SquadInsideHitVolleys>,
    /// Whether the hits of the fall are rolled once for all squads inside, not for each.
    pub rubble_once: bool,
    /// Units around.
    pub around: Option<BystanderGroup>,
}

/// State of a piece of scenery and the units inside and around it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SceneryState {
    pub(super) next: NextSceneryDie,
    /// Hit dice still to be rolled.
    pub(super) shots: u16,
    /// Hits whose damage is still to be rolled.
    pub(super) waiting: u16,
    pub(super) round_ups: u8,
    /// Damage Points that the piece has left.
    pub(super) damage_left: u8,
    pub(super) tokens: u8,
    /// Tokens whose hit is still to be rolled.
    pub(super) due: u8,
    pub(super) radius: u8,
    pub(super) inside: [DamagePointsLeftByModel; MAX_SQUADS_INSIDE],
    /// Units around that are still to be hit.
    pub(super) around: u8,
    pub(super) around_damage: u16,
    pub(super) around_destroyed: u8,
}

/// Next die of a shot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NextShotDie {
    /// Hit die.
    Aim,
    /// Damage die of this many merged hits.
    Damage { merged: u8 },
}

/// Next die of a token's hit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NextCollateralHitDie {
    /// Damage die on the piece.
    SceneryDamage,
    /// Choice of the squad inside that is hit.
    Pick,
    /// Hit on that squad.
    Inside { squad: u8, volley: VolleyState },
}

/// Next die of the fall.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NextFallDie {
    /// D3 of the radius.
    Reach,
    /// Hits on a unit around.
    Around { volley: VolleyState },
    /// 2D3 hits on a squad inside.
    Rubble { squad: u8 },
    /// Those hits; their number where they are rolled once for all squads, else 0.
    Crushed { squad: u8, hits: u8, volley: VolleyState },
}

/// Next die, by the rule that rolls it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NextSceneryDie {
    /// Destructible: a shot at the piece.
    Shot(NextShotDie),
    /// COLLATERAL DAMAGE: a token's hit.
    Token(NextCollateralHitDie),
    /// Destructible: the fall of the piece.
    Fall(NextFallDie),
    /// No die.
    Over,
}

impl SceneryState {
    /// Returns the number of squads still inside.
    pub(super) fn count_squads_inside(&self) -> usize {
        self.inside.iter().filter(|squad| squad.living_model_count() > 0).count()
    }
}

/// Returns the index of a face.
pub(super) fn index_of_face(face: u8) -> usize {
    usize::from(face) - 1
}

/// Order of the dice, and the parts of the state that are forgotten.
impl SceneryPieceUnderFire {
    /// Finds the next die until the piece falls: tokens first, then shots, then the next Round Up.
    /// Once it falls neither shots nor tokens matter.
    pub(super) fn advance_to_next_die(&self, mut state: SceneryState) -> SceneryState {
        if state.damage_left == 0 {
            (state.shots, state.waiting) = (0, 0);
            (state.tokens, state.due, state.round_ups) = (0, 0, 0);
            state.next = NextSceneryDie::Fall(NextFallDie::Reach);
            return state;
        }
        // A Round Up starts only after the shots and their tokens are resolved.
        let fired_out = state.shots == 0 && state.waiting == 0;
        if state.due == 0 && fired_out && state.round_ups > 0 {
            state = state.start_round_up_phase();
        }
        state.next = match state.due {
            0 => self
                .take_next_shot_die(&mut state)
                .map_or(NextSceneryDie::Over, NextSceneryDie::Shot),
            _ => NextSceneryDie::Token(NextCollateralHitDie::SceneryDamage),
        };
        // Round Ups without tokens change nothing, so endings differ only in what is reported.
        if state.next == NextSceneryDie::Over {
            state.round_ups = 0;
        }
        state
    }

    /// Returns the next die of the shots, while any is left.
    fn take_next_shot_die(&self, state: &mut SceneryState) -> Option<NextShotDie> {
        match self.attack.as_ref()?.choose_next_die(state.shots, &mut state.waiting) {
            NextVolleyDie::Aim => Some(NextShotDie::Aim),
            NextVolleyDie::Damage { merged, .. } => Some(NextShotDie::Damage { merged }),
            NextVolleyDie::Save { .. } | NextVolleyDie::Over => None,
        }
    }
}
