//! `action-points`: the same attack with the AP of an activation spent in different ways.
//!
//! Source: ACTION POINTS, AP EXPENDITURE, SKILLS. A character has 3 AP (crews and vehicles 4). It
//! spots for 1, shoots for 1 and a second time for 2 (throws for 2 and 4), and every further AP
//! added to a roll is worth +4. The field `spend` names a split in the order in which the AP are
//! spent: `aim-2-spot-fire` adds two AP to the Spot roll, `fire-aim-1-fire` one to the second shot.
//! A second `spot` is rolled only if the first failed; its AP are then lost, since the order is
//! fixed beforehand. AP for moving, reloading and all else are not compared.

use enfilade::bounds::Bound;
use enfilade::catalogue::{Action, Contest};
use enfilade::form::{Fault, Field, Fields, Form};

use super::attack::Deed;
use super::data::{CHANGED, Numbers};
use super::fields::*;
use super::modifiers::Skill;
use super::outcome::Report;
use super::shoot::{attack, attack_fields, contest, deed, named_weapon};

const AP: Bound = Bound::new("number of AP", 1, 8);

/// Every split of at most 4 AP with shots at 1 and 2 AP. Those that spot are for a target that has
/// to be spotted, the others for one that is.
pub const SPLITS: &[&str] = &[
    "spot-fire",
    "spot-aim-1-fire",
    "spot-aim-2-fire",
    "aim-1-spot-fire",
    "aim-1-spot-aim-1-fire",
    "aim-2-spot-fire",
    "spot-fire-fire",
    "spot-spot-fire",
    "spot-spot-aim-1-fire",
    "spot-aim-1-spot-fire",
    "aim-1-spot-spot-fire",
    "spot-spot-spot-fire",
    "fire",
    "aim-1-fire",
    "aim-2-fire",
    "aim-3-fire",
    "fire-fire",
    "aim-1-fire-fire",
    "fire-aim-1-fire",
];

/// The same splits as a player says them.
const SPENT_ON: &[&str] = &[
    "spot, fire",
    "spot, aim 1, fire",
    "spot, aim 2, fire",
    "aim 1, spot, fire",
    "aim 1, spot, aim 1, fire",
    "aim 2, spot, fire",
    "spot, fire, fire",
    "spot, spot, fire",
    "spot, spot, aim 1, fire",
    "spot, aim 1, spot, fire",
    "aim 1, spot, spot, fire",
    "spot, spot, spot, fire",
    "fire",
    "aim 1, fire",
    "aim 2, fire",
    "aim 3, fire",
    "fire, fire",
    "aim 1, fire, fire",
    "fire, aim 1, fire",
];

const FIELDS: Fields = attack_fields![
    Field::int("ap", AP, 3, "AP of each character: 3, crews and vehicles 4")
        .rule("HOW MANY APs")
        .label("AP of a character")
        .unit("AP")
        .group(THE_ATTACKERS),
    Field::choice("spend", SPLITS, "how each character spends them, in this order")
        .rule("AP EXPENDITURE")
        .label("AP are spent on")
        .values(SPENT_ON)
        .group(THE_ATTACKERS),
];

/// The action.
pub const ACTION: Action = Action::new(
    "action-points",
    "an attack with the AP of an activation spent on aim, spotting or a second shot",
    FIELDS,
    &build,
    &[
        "weapon = 'bolt-action rifle'\nspot = 12\nfirearms = 11\nspend = 'spot-aim-1-fire'",
        "weapon = 'SMG'\nspotted = true\nspend = 'fire-fire'",
        "weapon = 'LMG'\nap = 4\nspend = 'spot-spot-aim-1-fire'\nconcealed = true\nfigures = 2\ntarget_figures = 2",
        "weapon = 'sniper rifle'\nap = 4\nspotted = true\nspend = 'fire-aim-1-fire'\ntwenty_loses_ap = false",
        "weapon = 'grenade'\nspotted = true\nspend = 'aim-1-fire'",
    ],
)
.asks("How often does the {weapon|attackers' fire} fell a figure, the AP spent on {spend|shots}?");

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let numbers = Numbers::of(form)?;
    let mut faults = Vec::new();
    let words = words(form.text("spend"));
    let plan: Vec<Deed> =
        words.iter().map(|&(skill, ap)| deed(skill, form, &numbers, ap)).collect();
    faults.extend(illegal(form, &numbers, &words));
    let attack = attack(form, &numbers, plan, Report::Attack, &mut faults);
    contest(attack, faults)
}

/// The rolls of a split, each with the AP added to it.
fn words(split: &str) -> Vec<(Skill, u8)> {
    let mut rolls = Vec::new();
    let mut aim = 0;
    for word in split.split('-') {
        match word {
            "spot" => rolls.push((Skill::Spot, std::mem::take(&mut aim))),
            "fire" => rolls.push((Skill::Shoot, std::mem::take(&mut aim))),
            number => aim = number.parse().unwrap_or(0),
        }
    }
    rolls
}

/// AP that a split costs.
fn cost(form: &Form, numbers: &Numbers, words: &[(Skill, u8)]) -> i64 {
    let (first, second) = named_weapon(form).map_or((1, 2), |weapon| (weapon.ap, weapon.ap_second));
    let mut shots = [first, second].into_iter();
    let roll = |&(skill, aim): &(Skill, u8)| {
        let roll = match skill {
            Skill::Spot => i64::from(numbers.get("ap_spot")),
            Skill::Shoot => i64::from(shots.next().unwrap_or(second)),
        };
        roll + i64::from(aim)
    };
    words.iter().map(roll).sum()
}

/// Why the contest's split is not legal.
fn illegal(form: &Form, numbers: &Numbers, words: &[(Skill, u8)]) -> Option<Fault> {
    let split = form.text("spend");
    let (ap, cost) = (form.int("ap"), cost(form, numbers, words));
    if cost > ap {
        let problem = format!("\"{split}\" costs {cost} AP, but a character has {ap}");
        return Some(Fault::new("spend", problem).help("raise `ap`, or choose a cheaper split"));
    }
    let spots = words.iter().any(|(skill, _)| *skill == Skill::Spot);
    let problem = match (form.flag("spotted"), spots) {
        (true, true) => format!("\"{split}\" spots a target that is spotted already"),
        (false, false) => format!("\"{split}\" shoots at a target that is not spotted"),
        _ => return None,
    };
    Some(Fault::new("spend", problem).help("change `spotted`, or choose another split"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// All splits of at most `ap` AP that begin with `so_far`, shots at 1 and 2 AP.
    fn grow(so_far: &str, ap: u8, spotted: bool, shots: u8, splits: &mut BTreeSet<String>) {
        let dash = if so_far.is_empty() { "" } else { "-" };
        for aim in 0..=4 {
            let aimed = if aim == 0 { String::new() } else { format!("aim-{aim}-") };
            if !spotted && shots == 0 && aim + 1 < ap {
                let next = format!("{so_far}{dash}{aimed}spot");
                grow(&next, ap - aim - 1, false, 0, splits);
            }
            let may_shoot = spotted || so_far.contains("spot");
            if may_shoot && shots < 2 && aim + 1 + shots <= ap {
                let next = format!("{so_far}{dash}{aimed}fire");
                splits.insert(next.clone());
                grow(&next, ap - aim - 1 - shots, spotted, shots + 1, splits);
            }
        }
    }

    #[test]
    fn every_legal_split_is_a_choice() {
        let mut splits = BTreeSet::new();
        grow("", 4, true, 0, &mut splits);
        grow("", 4, false, 0, &mut splits);
        let choices: BTreeSet<String> = SPLITS.iter().map(|&s| s.to_owned()).collect();
        assert_eq!(choices.len(), SPLITS.len());
        assert_eq!(choices, splits);
    }

    #[test]
    fn every_split_is_said_as_it_is_read() {
        assert_eq!(SPENT_ON.len(), SPLITS.len());
        for (said, split) in SPENT_ON.iter().zip(SPLITS) {
            let plain = said.replace(", ", "-").replace("aim ", "aim-");
            assert_eq!(plain, *split);
        }
    }

    #[test]
    fn a_split_is_read_in_order() {
        let expected = [(Skill::Spot, 1), (Skill::Spot, 0), (Skill::Shoot, 2)];
        assert_eq!(words("aim-1-spot-spot-aim-2-fire"), expected);
    }
}
