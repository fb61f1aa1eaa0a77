//! The dice of a team: which Experience die and which weapon dice it rolls, whatever its losses.
//!
//! Source: 4.2 (a Wounded marker costs one weapon die a type), 5.0 (Cowering), 6.0 (Prone, and one
//! weapon die per figure), 7.0 (Advancing Fire, Assault Fire). The figures a team has left are
//! those with its best weapons: its owner removes what hurts him least.

use std::cmp::Reverse;

use enfilade::form::{Fault, Form, Value};

use super::ladder::reduced;
use super::squad::Team;

/// The most figures of a team that rolls dice.
const MAX_FIGURES: usize = 12;

/// By how many types which dice are reduced, and how wounds are allotted.
#[derive(Clone, Copy, Debug)]
pub struct Reductions {
    /// No die is reduced below this many sides.
    pub floor: u8,
    /// Types off the Experience die of a Prone team.
    pub prone: u8,
    /// Types off the Experience die of a Cowering team.
    pub cowering: u8,
    /// Types off each weapon die of a Cowering team; 0 outside close combat.
    pub cowering_weapon: u8,
    /// Types off one weapon die per Wounded marker.
    pub wound: u8,
    /// Whether wounds reduce the best dice instead of the worst.
    pub wound_best: bool,
    /// Whether all wounds reduce the same die.
    pub wounds_stack: bool,
}

impl Reductions {
    /// Reads them from a contest; what an action does not declare does not reduce.
    pub fn of(form: &Form) -> Reductions {
        let types = |name| form.maybe_int(name).unwrap_or(0) as u8;
        Reductions {
            floor: types("ladder_floor"),
            prone: types("prone_reduction"),
            cowering: types("cowering_reduction"),
            cowering_weapon: types("cowering_weapon_reduction"),
            wound: types("wound_reduction"),
            wound_best: form.maybe_text("wound_reduces") == Some("best"),
            wounds_stack: form.maybe_flag("wounds_stack") == Some(true),
        }
    }
}

/// What a team rolls when it attacks.
#[derive(Clone, Debug)]
pub struct Arms {
    /// Sides of its Experience die, reductions made.
    pub experience: u8,
    /// Its weapon dice by figures left and Wounded markers.
    dice: Vec<Vec<Vec<u8>>>,
}

impl Arms {
    /// The dice of the team in `form`, with `extra` more types off its Experience die.
    ///
    /// What is missing or does not fit together is added to `faults`.
    pub fn of(form: &Form, by: &Reductions, extra: u8, faults: &mut Vec<Fault>) -> Arms {
        let cowering = u8::from(form.flag("cowering"));
        let prone = u8::from(form.flag("prone"));
        let types = cowering * by.cowering + prone * by.prone + extra;
        let printed: Vec<u8> = weapons(form, faults)
            .into_iter()
            .map(|die| reduced(die, cowering * by.cowering_weapon, by.floor))
            .collect();
        let figures = 0..=printed.len();
        let hands = |f| (0..=f).map(|w| hand(&printed, f, w, by)).collect();
        Arms {
            experience: reduced(experience(form, faults), types, by.floor),
            dice: figures.map(hands).collect(),
        }
    }

    /// The weapon dice of `team`, one per figure.
    pub fn dice(&self, team: Team) -> &[u8] {
        &self.dice[usize::from(team.figures)][usize::from(team.wounded)]
    }
}

/// The dice of the `figures` best of `printed`, `wounded` of them reduced, in printed order.
fn hand(printed: &[u8], figures: usize, wounded: usize, by: &Reductions) -> Vec<u8> {
    let mut best: Vec<usize> = (0..printed.len()).collect();
    best.sort_by_key(|&figure| (Reverse(printed[figure]), figure));
    best.truncate(figures);
    let mut dice = printed.to_vec();
    for marker in 0..wounded {
        let nth = if by.wounds_stack { 0 } else { marker };
        let figure = if by.wound_best { best[nth] } else { best[figures - 1 - nth] };
        dice[figure] = reduced(dice[figure], by.wound, by.floor);
    }
    best.sort_unstable();
    best.iter().map(|&figure| dice[figure]).collect()
}

/// The Experience die of the team in `form`.
pub fn experience(form: &Form, faults: &mut Vec<Fault>) -> u8 {
    form.maybe_die("experience").unwrap_or_else(|| {
        let problem = "`experience` is missing: the Experience die of the team's squad";
        faults.push(Fault::new("experience", problem).help("give a die, such as \"d8\""));
        0
    })
}

/// The Defense rating of the team in `form`.
pub fn defense(form: &Form, faults: &mut Vec<Fault>) -> i16 {
    let printed = form.maybe_int("defense").unwrap_or_else(|| {
        let problem = "`defense` is missing: the Defense rating that attacks must exceed";
        faults.push(Fault::new("defense", problem).help("give a whole number, such as 8"));
        0
    });
    printed as i16
}

/// The markers and figures of the team in `form` at the start.
pub fn team(form: &Form, figures: u8, faults: &mut Vec<Fault>) -> Team {
    let wounded = form.int("wounded") as u8;
    if wounded > figures && figures > 0 {
        let problem = format!("{wounded} Wounded markers on {figures} figures");
        let help = "two markers and one figure go until no marker is in excess";
        faults.push(Fault::new("wounded", problem).help(help));
    }
    let pins = form.maybe_int("pins").unwrap_or(0) as u8;
    Team { figures, wounded: wounded.min(figures), pins }
}

/// How many figures the team in `form` has.
pub fn figures(form: &Form, faults: &mut Vec<Fault>) -> u8 {
    let listed = form.has("weapons").then(|| form.list("weapons").len());
    let counted = form.maybe_int("figures").map(|n| n as usize);
    match (listed, counted) {
        (Some(0), _) | (None, None) => faults.push(no_figures()),
        (Some(listed), Some(counted)) if listed != counted => {
            let problem = format!("`figures` is {counted}, but `weapons` lists {listed}");
            faults.push(Fault::new("figures", problem).help("leave out `figures`"));
        }
        (Some(listed), _) if listed > MAX_FIGURES => {
            let problem = format!(
                "a team has at most {MAX_FIGURES} figures, but {listed} weapons are listed"
            );
            faults.push(Fault::new("weapons", problem));
        }
        _ => {}
    }
    listed.or(counted).unwrap_or(0).min(MAX_FIGURES) as u8
}

fn no_figures() -> Fault {
    Fault::new("weapons", "the team has no figures")
        .help("give `weapons = [\"d6\", \"d6\"]`, one die per figure, or `figures` and `weapon`")
}

/// The weapon dice of the team in `form`, one per figure.
fn weapons(form: &Form, faults: &mut Vec<Fault>) -> Vec<u8> {
    let figures = usize::from(figures(form, faults));
    let listed = form.list("weapons").iter().take(figures).filter_map(sides);
    match (form.has("weapons"), form.maybe_die("weapon")) {
        (true, None) => listed.collect(),
        (false, Some(weapon)) => vec![weapon; figures],
        (true, Some(_)) => {
            let problem = "both `weapon` and `weapons` are given";
            faults.push(Fault::new("weapon", problem).help("leave out one of them"));
            Vec::new()
        }
        (false, None) if figures == 0 => Vec::new(),
        (false, None) => {
            let problem = "`weapon` is missing: the team weapon die of every figure";
            faults.push(Fault::new("weapon", problem).help("give a die, such as \"d6\""));
            Vec::new()
        }
    }
}

fn sides(value: &Value) -> Option<u8> {
    match value {
        Value::Die(sides) => Some(*sides),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Reductions = Reductions {
        floor: 4,
        prone: 1,
        cowering: 1,
        cowering_weapon: 1,
        wound: 1,
        wound_best: false,
        wounds_stack: false,
    };

    #[test]
    fn a_wounded_two_man_saw_team_fires_both_with_one_die_reduced() {
        // 4.2: one Wounded, both fire and the owner picks the die; one KIA, one figure is left.
        let saw = [10, 6];
        assert_eq!(hand(&saw, 2, 1, &PLAIN), [10, 4]);
        let best = Reductions { wound_best: true, ..PLAIN };
        assert_eq!(hand(&saw, 2, 1, &best), [8, 6]);
        assert_eq!(hand(&saw, 1, 0, &PLAIN), [10]);
    }

    #[test]
    fn each_wound_reduces_a_die_of_its_own_unless_they_stack() {
        assert_eq!(hand(&[8, 8, 8], 3, 2, &PLAIN), [8, 6, 6]);
        let stacked = Reductions { wounds_stack: true, ..PLAIN };
        assert_eq!(hand(&[8, 8, 8], 3, 2, &stacked), [8, 8, 4]);
    }

    #[test]
    fn dice_keep_the_order_in_which_they_are_listed() {
        assert_eq!(hand(&[6, 10, 8], 2, 1, &PLAIN), [10, 6]);
        assert_eq!(hand(&[6, 10, 8], 3, 1, &PLAIN), [4, 10, 8]);
    }
}
