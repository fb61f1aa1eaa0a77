//! The best number of hits that a Focus weapon merges.
//!
//! Source: Focus-X; the shooter chooses the number. Here it is chosen once for a volley, before its
//! first die: the number from which the target is expected to lose most Damage Points, without
//! those discarded by countermeasures or lost as overkill; among equals the number that is expected
//! to destroy more models, then the smaller one. Both expectations come from following every face
//! of every die of the volley as `volley.rs` rolls it, so no rule is implemented twice.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use enfilade_model::dice::ScriptedDice;
use enfilade_model::form::Fault;

use super::matchup::WeaponMatchup;
use super::shooting_fields::{FocusMergeGivenOrBest, MERGED_HITS_RANGE};
use super::squad::DamagePointsLeftByModel;
use super::volley::{NextVolleyDie, VolleyDieFaceEffects, VolleyState};

/// Largest number of volleys that are followed for all numbers of hits together: about a second's
/// work.
const MAX_FOLLOWED_VOLLEYS: usize = 500_000;

/// Difference of two expectations that counts as rounding.
const EXPECTATION_ROUNDING: f64 = 1e-9;

/// Focus-X: returns the number of hits that a volley of `shots` merges: the given number, or the
/// best one, which is then reported in `notes`.
///
/// # Errors
/// If the volley is too large to compute its best number.
pub fn hits_merged_by_focus(
    by: FocusMergeGivenOrBest,
    matchup: &WeaponMatchup,
    shots: u16,
    notes: &mut Vec<String>,
) -> Result<u8, Vec<Fault>> {
    match by {
        FocusMergeGivenOrBest::Given => Ok(matchup.weapon.focus_merge),
        FocusMergeGivenOrBest::Best => find_best_merged_hit_count(matchup, shots, notes),
    }
}

fn find_best_merged_hit_count(
    matchup: &WeaponMatchup,
    shots: u16,
    notes: &mut Vec<String>,
) -> Result<u8, Vec<Fault>> {
    // A single hit has none to merge with.
    if matchup.weapon.specials.focus.is_none() || shots < 2 {
        return Ok(1);
    }
    let target = matchup.target.squad_without_losses();
    let most = i64::from(shots).min(MERGED_HITS_RANGE.high) as u8;
    let mut left = MAX_FOLLOWED_VOLLEYS;
    let (mut merged, mut most_harm) = (1, ExpectedVolleyHarm::default());
    for number in 1..=most {
        // Counts that are not tallied need no separate states.
        let attack =
            VolleyDieFaceEffects { tally: false, ..matchup.face_meanings_of_merged_hits(number) };
        let harm = ExpectedVolleyHarm::from_all_volley_courses(
            &attack,
            attack.open_volley(shots, target),
            &mut left,
        );
        let harm = harm.ok_or_else(|| vec![too_many_volleys_fault(shots)])?;
        if harm.beats_by_damage_then_kills(&most_harm) {
            (merged, most_harm) = (number, harm);
        }
    }
    if matchup.weapon.focus_merge > 1 {
        notes.push(
            "the number of hits that Focus merges changes nothing: the best one is taken".into(),
        );
    }
    notes.push(match merged {
        1 => "Focus: no hits are merged, which is best against this target".into(),
        _ => format!("Focus: {merged} hits are merged, which is best against this target"),
    });
    Ok(merged)
}

fn too_many_volleys_fault(shots: u16) -> Fault {
    let problem = format!(
        "how many hits are best merged is not worked out for so large a volley, {shots} shots at this target"
    );
    Fault::new("focus", problem).with_help("give `focus_merge`")
}

/// Expected effect of a volley.
#[derive(Clone, Copy, Debug, Default)]
struct ExpectedVolleyHarm {
    /// Damage Points that the target loses.
    damage: f64,
    /// Models that are destroyed.
    destroyed: f64,
}

impl ExpectedVolleyHarm {
    /// Computes the expected effect by following every volley once, the earlier ones first; `None`
    /// when there are more than `left`, which is reduced by those followed.
    fn from_all_volley_courses(
        attack: &VolleyDieFaceEffects,
        open: VolleyState,
        left: &mut usize,
    ) -> Option<ExpectedVolleyHarm> {
        let mut harm = ExpectedVolleyHarm::default();
        let mut waiting = BTreeMap::from([((volley_order_key(&open), open), 1.0)]);
        // Earlier volleys come first, so each is complete with its whole probability when it is
        // taken.
        while let Some(((_, volley), chance)) = waiting.pop_first() {
            if volley.stage == NextVolleyDie::Over {
                harm.add_weighted_losses(&open.squad, &volley.squad, chance);
                continue;
            }
            *left = left.checked_sub(1)?;
            let mut then = |to: VolleyState, chance: f64| {
                *waiting.entry((volley_order_key(&to), to)).or_insert(0.0) += chance;
            };
            visit_volleys_after_next_die(attack, volley, &mut Vec::new(), chance, &mut then);
        }
        Some(harm)
    }

    fn add_weighted_losses(
        &mut self,
        before: &DamagePointsLeftByModel,
        after: &DamagePointsLeftByModel,
        chance: f64,
    ) {
        self.damage += chance * f64::from(before.total_points() - after.total_points());
        self.destroyed +=
            chance * (before.living_model_count() - after.living_model_count()) as f64;
    }

    fn beats_by_damage_then_kills(&self, other: &ExpectedVolleyHarm) -> bool {
        let more = self.damage - other.damage;
        more > EXPECTATION_ROUNDING
            || (more > -EXPECTATION_ROUNDING
                && self.destroyed > other.destroyed + EXPECTATION_ROUNDING)
    }
}

/// Returns the order of a volley: no dice lead to a state that is not greater.
fn volley_order_key(volley: &VolleyState) -> (Reverse<u16>, Reverse<u16>, u16) {
    let after_the_shot = match volley.stage {
        NextVolleyDie::Damage { again, .. } => u16::from(again),
        NextVolleyDie::Save { points, .. } => 2 + u16::from(u8::MAX - points),
        NextVolleyDie::Aim => 3 + u16::from(u8::MAX),
        NextVolleyDie::Over => u16::MAX,
    };
    (Reverse(volley.shots), Reverse(volley.waiting), after_the_shot)
}

/// Calls `then` with every volley to which the next dice lead after `faces`, and its probability.
fn visit_volleys_after_next_die(
    attack: &VolleyDieFaceEffects,
    from: VolleyState,
    faces: &mut Vec<u8>,
    chance: f64,
    then: &mut dyn FnMut(VolleyState, f64),
) {
    for face in 1..=6 {
        faces.push(face);
        let mut dice = ScriptedDice::new(faces);
        let to = attack.roll_next_die(from, &mut dice);
        match dice.find_mismatch() {
            None => then(to, chance / 6.0),
            // One more die is rolled.
            Some(_) => visit_volleys_after_next_die(attack, from, faces, chance / 6.0, then),
        }
        faces.pop();
    }
}
