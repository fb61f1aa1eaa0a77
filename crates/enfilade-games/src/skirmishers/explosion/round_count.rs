//! Number of rounds that go off.

use super::super::action_points::AffordedAttacksWithReason;
use enfilade_model::form::Fault;

/// Largest number of rounds in sequence.
pub const MAX_ROUNDS_PLAYED: usize = 8;

/// Returns the rounds that go off: the `given` number, or as many as AP and ammunition allow.
///
/// # Errors
/// More rounds than the limit, and a number beside `activations`.
pub fn count_rounds_that_go_off(
    number: u8,
    ammo: Option<u8>,
    paced: Option<AffordedAttacksWithReason>,
    notes: &mut Vec<String>,
) -> Result<u8, Vec<Fault>> {
    let Some(paced) = paced else {
        if ammo.is_some_and(|ammo| ammo < number) {
            notes.push("the weapon has fewer rounds than that: others bring more".into());
        }
        return Ok(number);
    };
    if number > 1 {
        let problem = "`activations` determines the number of rounds";
        return Err(vec![Fault::new("rounds", problem).with_help("leave out `rounds`")]);
    }
    notes.push(paced.note);
    let rounds = ammo.map_or(paced.attacks, |ammo| paced.attacks.min(ammo.into()));
    if rounds < paced.attacks {
        notes.push(format!("the weapon has no more than {rounds} rounds"));
    }
    let fits = u8::try_from(rounds).ok().filter(|&rounds| usize::from(rounds) <= MAX_ROUNDS_PLAYED);
    fits.ok_or_else(|| {
        let problem =
            format!("that is {rounds} rounds, and there can be {MAX_ROUNDS_PLAYED} at most");
        vec![Fault::new("activations", problem)]
    })
}
