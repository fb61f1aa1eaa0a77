//! What an encounter reports: its outcome fields and measures, declared once.
//!
//! `kia`, `wounded` and `pins` are what the whole target side has lost and carries at the end; the
//! markers of a team that is gone are gone with it. Measures compare with the start.

use crate::combat::{Measure, OutcomeField, Vocabulary};

use super::encounter::{Course, Encounter};
use super::morale::Activation;
use super::squad::{MAX_TEAMS, Squad};

/// Which fields and measures an action has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// Losses and markers of the target side, the target team apart.
    Fire,
    /// The same, and losses of friends in contact.
    FireIntoCloseCombat,
    /// Losses of both sides.
    CloseCombat,
    /// Losses, and what is left of the squad's activation.
    Suppression,
    /// The squad's activation.
    Morale,
}

/// How an encounter ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome {
    squad: Side,
    target: Side,
    friendly: Side,
    before: Side,
    activation: Activation,
    /// Actions the squad would have if nothing had happened to it.
    full_actions: u8,
}

/// Losses and markers of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Side {
    kia: i32,
    wounded: i32,
    pins: i32,
}

/// The outcome of `encounter` when it has come to `course`.
pub fn of(encounter: &Encounter, course: &Course, activation: Activation) -> Outcome {
    let friends = 1..1 + usize::from(encounter.sharing.friends);
    let own = |place: &usize| !friends.contains(place);
    let before = &encounter.squad;
    let now = &course.squad;
    let mut friendly = side(before, now, friends.clone());
    friendly.kia += i32::from(course.friendly_kia);
    friendly.wounded += i32::from(course.friendly_wounded);
    friendly.pins = 0;
    let full = encounter
        .morale
        .as_ref()
        .map(|test| test.untested(before).actions);
    Outcome {
        squad: side(before, now, (0..MAX_TEAMS).filter(own)),
        target: side(before, now, 0..1),
        friendly,
        before: side(before, before, (0..MAX_TEAMS).filter(own)),
        activation,
        full_actions: full.unwrap_or(0),
    }
}

/// Losses since `before`, and markers `now`, of the teams at `places`.
fn side(before: &Squad, now: &Squad, places: impl Iterator<Item = usize>) -> Side {
    let mut side = Side::default();
    for place in places {
        side.kia += i32::from(before[place].figures) - i32::from(now[place].figures);
        side.wounded += i32::from(now[place].wounded);
        side.pins += i32::from(now[place].pins);
    }
    side
}

type Field = OutcomeField<Outcome>;

fn kia() -> Field {
    Field::new("kia", "figures the target side lost", |o| o.squad.kia)
}

fn wounded() -> Field {
    let about = "Wounded markers on the target side at the end";
    Field::new("wounded", about, |o| o.squad.wounded)
}

fn pins() -> Field {
    let about = "Pin Check markers on the target side at the end";
    Field::new("pins", about, |o| o.squad.pins)
}

fn target() -> [Field; 3] {
    [
        Field::new("target_kia", "figures the target team lost", |o| {
            o.target.kia
        }),
        Field::new(
            "target_wounded",
            "Wounded markers on the target team",
            |o| o.target.wounded,
        ),
        Field::new("target_pins", "Pin Check markers on the target team", |o| {
            o.target.pins
        }),
    ]
}

fn friendly() -> [Field; 2] {
    let wounded = "Wounded markers on friends of the attacker at the end";
    [
        Field::new("friendly_kia", "figures the attacker's side lost", |o| {
            o.friendly.kia
        }),
        Field::new("friendly_wounded", wounded, |o| o.friendly.wounded),
    ]
}

fn activation() -> [Field; 4] {
    [
        Field::new("actions", "actions of the squad's teams in all", |o| {
            o.activation.actions.into()
        }),
        Field::new("cowering", "teams that Cower", |o| {
            o.activation.cowering.into()
        }),
        Field::new("removed", "teams removed by a second Cowering", |o| {
            o.activation.removed.into()
        }),
        Field::new("target_actions", "actions of the target team", |o| {
            o.activation.target_actions.into()
        }),
    ]
}

fn losses() -> Vec<Measure<Outcome>> {
    vec![
        Measure::probability("p_kill", "a figure of the target side is lost", |o| {
            o.squad.kia > 0
        }),
        Measure::probability(
            "p_wound",
            "the target side carries more Wounded markers than before",
            |o| o.squad.wounded > o.before.wounded,
        ),
        Measure::mean("e_kia", "figures the target side loses", |o| o.squad.kia),
        Measure::mean(
            "e_wounded",
            "Wounded markers on the target side at the end",
            |o| o.squad.wounded,
        ),
    ]
}

fn marks() -> Vec<Measure<Outcome>> {
    vec![
        Measure::probability(
            "p_pin",
            "the target side carries more pins than before",
            |o| o.squad.pins > o.before.pins,
        ),
        Measure::probability("p_no_effect", "nothing happens to the target side", |o| {
            o.squad == o.before
        }),
        Measure::mean(
            "e_pins",
            "Pin Check markers on the target side at the end",
            |o| o.squad.pins,
        ),
    ]
}

fn own_losses() -> Vec<Measure<Outcome>> {
    vec![
        Measure::probability(
            "p_friendly_kill",
            "a figure of the attacker's side is lost",
            |o| o.friendly.kia > 0,
        ),
        Measure::mean("e_friendly_kia", "figures the attacker's side loses", |o| {
            o.friendly.kia
        }),
        Measure::mean(
            "e_friendly_wounded",
            "Wounded markers on the attacker's side at the end",
            |o| o.friendly.wounded,
        ),
    ]
}

fn nerve() -> Vec<Measure<Outcome>> {
    vec![
        Measure::probability("p_cower", "a team Cowers", |o| o.activation.cowering > 0),
        Measure::probability("p_removed", "a Cowering team is removed", |o| {
            o.activation.removed > 0
        }),
        Measure::mean("e_actions", "actions of the squad's teams in all", |o| {
            o.activation.actions.into()
        }),
    ]
}

fn unhurt() -> Measure<Outcome> {
    Measure::probability("p_no_effect", "no loss, no wound, no action less", |o| {
        o.squad.kia == 0
            && o.squad.wounded == o.before.wounded
            && o.activation.actions == o.full_actions
    })
}

/// The fields and measures of an action.
pub fn vocabulary(report: Report) -> Vocabulary<Outcome> {
    let mut fields = vec![kia(), wounded(), pins()];
    let mut measures = losses();
    match report {
        Report::Fire | Report::FireIntoCloseCombat => fields.extend(target()),
        Report::CloseCombat => {}
        Report::Suppression => {
            fields.pop();
            fields.extend(activation());
            measures.extend(nerve());
            measures.push(unhurt());
        }
        Report::Morale => {
            fields = activation().into();
            measures = nerve();
        }
    }
    if matches!(
        report,
        Report::Fire | Report::FireIntoCloseCombat | Report::CloseCombat
    ) {
        measures.extend(marks());
    }
    if matches!(report, Report::FireIntoCloseCombat | Report::CloseCombat) {
        fields.extend(friendly());
        measures.extend(own_losses());
    }
    Vocabulary { fields, measures }
}
