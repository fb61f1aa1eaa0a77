//! The fall of a piece of scenery: on units around it, then on those inside.
//!
//! Source: quick reference, SCENERY (Destructible). No more shots are fired, and tokens are gone.

use super::super::squad::DamagePointsLeftByModel;
use super::super::volley::{NextVolleyDie, VolleyState};
use super::state::{
    MAX_SQUADS_INSIDE, NextFallDie, NextSceneryDie, SceneryPieceUnderFire, SceneryState,
    index_of_face,
};
use enfilade_model::dice::Dice;

impl NextFallDie {
    /// Describes the die.
    pub fn describe_fall_die(self, rubble_once: bool) -> &'static str {
        match self {
            NextFallDie::Reach => "The piece falls, D3",
            NextFallDie::Around { .. } => "Die for a unit around it",
            NextFallDie::Rubble { .. } if rubble_once => "Hits on every squad inside, 2D3",
            NextFallDie::Rubble { .. } => "Hits on a squad inside, 2D3",
            NextFallDie::Crushed { .. } => "Die for the squad inside",
        }
    }
}

impl SceneryPieceUnderFire {
    /// Destructible: "Roll 1D3. Units within that many inches take that many automatic hits."
    pub(super) fn roll_next_fall_die(
        &self,
        mut state: SceneryState,
        fall: NextFallDie,
        dice: &mut impl Dice,
    ) -> SceneryState {
        match fall {
            NextFallDie::Reach => {
                state.radius = dice.die(3);
                let around = self.around.as_ref();
                state.around =
                    around.map_or(0, |around| around.within[index_of_face(state.radius)]);
                self.advance_to_next_bystander(state)
            }
            NextFallDie::Around { volley } => self.roll_next_bystander_die(state, volley, dice),
            NextFallDie::Rubble { squad } => {
                let hits = dice.die(3) + dice.die(3);
                self.start_hits_on_squad_inside(state, squad, hits)
            }
            NextFallDie::Crushed { squad, hits, volley } => {
                let place = usize::from(squad);
                let volley = self.inside[place].fall.roll_next_die(volley, dice);
                state.inside[place] = volley.squad;
                state.next = NextSceneryDie::Fall(NextFallDie::Crushed { squad, hits, volley });
                match volley.stage {
                    NextVolleyDie::Over => {
                        self.advance_to_next_squad_inside(state, squad + 1, hits)
                    }
                    _ => state,
                }
            }
        }
    }

    /// Destructible: "Energy value equal to scenery piece's Armour": the dice of the fall contain
    /// it.
    fn roll_next_bystander_die(
        &self,
        mut state: SceneryState,
        volley: VolleyState,
        dice: &mut impl Dice,
    ) -> SceneryState {
        // Without units around there is nothing to hit.
        let Some(around) = &self.around else { return state };
        let volley = around.fall.roll_next_die(volley, dice);
        if volley.stage != NextVolleyDie::Over {
            state.next = NextSceneryDie::Fall(NextFallDie::Around { volley });
            return state;
        }
        state.around_damage += u16::from(around.points) - volley.squad.total_points();
        state.around_destroyed += u8::from(volley.squad.living_model_count() == 0);
        self.advance_to_next_bystander(state)
    }

    /// Destructible: "If unit in destroyed Garrison, they take 2D3 hits instead."
    fn start_hits_on_squad_inside(
        &self,
        mut state: SceneryState,
        squad: u8,
        hits: u8,
    ) -> SceneryState {
        let place = usize::from(squad);
        let volley = self.inside[place].fall.open_volley(hits.into(), state.inside[place]);
        // Forgotten where each squad rolls its own, so that fewer states differ.
        let rubble_hits = if self.rubble_once { hits } else { 0 };
        state.next =
            NextSceneryDie::Fall(NextFallDie::Crushed { squad, hits: rubble_hits, volley });
        state
    }
}

/// Transitions between the units that are hit.
impl SceneryPieceUnderFire {
    fn advance_to_next_bystander(&self, mut state: SceneryState) -> SceneryState {
        let Some(around) = self.around.as_ref().filter(|_| state.around > 0) else {
            return self.advance_to_next_squad_inside(state, 0, 0);
        };
        state.around -= 1;
        let alone = DamagePointsLeftByModel::from_unhurt_models(1, around.points);
        let volley = around.fall.open_volley(state.radius.into(), alone);
        state.next = NextSceneryDie::Fall(NextFallDie::Around { volley });
        state
    }

    /// Moves on to the squads inside from `from`: with `hits` each, or 0 where they are to be
    /// rolled.
    fn advance_to_next_squad_inside(
        &self,
        mut state: SceneryState,
        from: u8,
        hits: u8,
    ) -> SceneryState {
        let mut squads = from..MAX_SQUADS_INSIDE as u8;
        let alive = squads.find(|&squad| state.inside[usize::from(squad)].living_model_count() > 0);
        match (alive, hits) {
            (None, _) => state.next = NextSceneryDie::Over,
            (Some(squad), 0) => state.next = NextSceneryDie::Fall(NextFallDie::Rubble { squad }),
            (Some(squad), hits) => return self.start_hits_on_squad_inside(state, squad, hits),
        }
        state
    }
}
