//! The fall of a piece of scenery: on units around it, then on those inside.
//!
//! Source: quick reference, SCENERY (Destructible). No more shots are fired, and tokens are gone.

use super::super::squad::Squad;
use super::super::volley::{VolleyStage, VolleyState};
use super::state::{FallDie, MAX_INSIDE, ScenerySite, SiteDie, SiteState, face_index};
use enfilade_model::dice::Dice;

impl FallDie {
    /// Describes the die.
    pub fn describe(self, rubble_once: bool) -> &'static str {
        match self {
            FallDie::Reach => "The piece falls, D3",
            FallDie::Around { .. } => "Die for a unit around it",
            FallDie::Rubble { .. } if rubble_once => "Hits on every squad inside, 2D3",
            FallDie::Rubble { .. } => "Hits on a squad inside, 2D3",
            FallDie::Crushed { .. } => "Die for the squad inside",
        }
    }
}

impl ScenerySite {
    /// Destructible: "Roll 1D3. Units within that many inches take that many automatic hits."
    pub(super) fn roll_fall(
        &self,
        mut state: SiteState,
        fall: FallDie,
        dice: &mut impl Dice,
    ) -> SiteState {
        match fall {
            FallDie::Reach => {
                state.radius = dice.die(3);
                let around = self.around.as_ref();
                state.around = around.map_or(0, |around| around.within[face_index(state.radius)]);
                self.advance_bystander(state)
            }
            FallDie::Around { volley } => self.hit_bystander(state, volley, dice),
            FallDie::Rubble { squad } => {
                let hits = dice.die(3) + dice.die(3);
                self.crush_squad(state, squad, hits)
            }
            FallDie::Crushed { squad, hits, volley } => {
                let place = usize::from(squad);
                let volley = self.inside[place].fall.roll_next(volley, dice);
                state.inside[place] = volley.squad;
                state.next = SiteDie::Fall(FallDie::Crushed { squad, hits, volley });
                match volley.stage {
                    VolleyStage::Over => self.advance_squad_inside(state, squad + 1, hits),
                    _ => state,
                }
            }
        }
    }

    /// Destructible: "Energy value equal to scenery piece's Armour": the dice of the fall contain
    /// it.
    fn hit_bystander(
        &self,
        mut state: SiteState,
        volley: VolleyState,
        dice: &mut impl Dice,
    ) -> SiteState {
        // Without units around there is nothing to hit.
        let Some(around) = &self.around else { return state };
        let volley = around.fall.roll_next(volley, dice);
        if volley.stage != VolleyStage::Over {
            state.next = SiteDie::Fall(FallDie::Around { volley });
            return state;
        }
        state.around_damage += u16::from(around.points) - volley.squad.total_points();
        state.around_destroyed += u8::from(volley.squad.count_alive() == 0);
        self.advance_bystander(state)
    }

    /// Destructible: "If unit in destroyed Garrison, they take 2D3 hits instead."
    fn crush_squad(&self, mut state: SiteState, squad: u8, hits: u8) -> SiteState {
        let place = usize::from(squad);
        let volley = self.inside[place].fall.open_volley(hits.into(), state.inside[place]);
        // Forgotten where each squad rolls its own, so that fewer states differ.
        let kept = if self.rubble_once { hits } else { 0 };
        state.next = SiteDie::Fall(FallDie::Crushed { squad, hits: kept, volley });
        state
    }
}

/// Transitions between the units that are hit.
impl ScenerySite {
    fn advance_bystander(&self, mut state: SiteState) -> SiteState {
        let Some(around) = self.around.as_ref().filter(|_| state.around > 0) else {
            return self.advance_squad_inside(state, 0, 0);
        };
        state.around -= 1;
        let alone = Squad::unhurt(1, around.points);
        let volley = around.fall.open_volley(state.radius.into(), alone);
        state.next = SiteDie::Fall(FallDie::Around { volley });
        state
    }

    /// Moves on to the squads inside from `from`: with `hits` each, or 0 where they are to be
    /// rolled.
    fn advance_squad_inside(&self, mut state: SiteState, from: u8, hits: u8) -> SiteState {
        let mut squads = from..MAX_INSIDE as u8;
        let alive = squads.find(|&squad| state.inside[usize::from(squad)].count_alive() > 0);
        match (alive, hits) {
            (None, _) => state.next = SiteDie::Over,
            (Some(squad), 0) => state.next = SiteDie::Fall(FallDie::Rubble { squad }),
            (Some(squad), hits) => return self.crush_squad(state, squad, hits),
        }
        state
    }
}
