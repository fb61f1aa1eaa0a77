//! What an encounter reports: its outcome fields and measures, declared once.
//!
//! `kia`, `wounded` and `pins` are what the whole target side has lost and carries at the end; the
//! markers of a team that is gone are gone with it. Measures compare with the start.

use enfilade::combat::{Measure, OutcomeField, Vocabulary};

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
    /// The same, the loss of the team that tries to Rally first.
    Rally,
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
    let full = encounter.morale.as_ref().map(|test| test.untested(before).actions);
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
type Measured = Measure<Outcome>;

fn kia() -> Field {
    Field::new("kia", "figures the target side lost", |o| o.squad.kia)
        .label("figures lost")
        .unit("figures")
        .rule("4.2")
        .harm(80, "kill")
}

fn wounded() -> Field {
    let about = "Wounded markers on the target side at the end";
    Field::new("wounded", about, |o| o.squad.wounded)
        .label("Wounded markers at the end")
        .unit("markers")
        .rule("4.2")
        .harm(60, "wound")
}

fn pins() -> Field {
    let about = "Pin Check markers on the target side at the end";
    Field::new("pins", about, |o| o.squad.pins)
        .label("Pin Check markers at the end")
        .unit("markers")
        .rule("5.0")
        .harm(40, "pin")
}

fn target() -> [Field; 3] {
    let wounded = "Wounded markers on the target team";
    let pins = "Pin Check markers on the target team";
    [
        Field::new("target_kia", "figures the target team lost", |o| o.target.kia)
            .label("target team's figures lost")
            .unit("figures")
            .rule("4.1, 4.2"),
        Field::new("target_wounded", wounded, |o| o.target.wounded)
            .label("target team's Wounded markers")
            .unit("markers")
            .rule("4.1, 4.2"),
        Field::new("target_pins", pins, |o| o.target.pins)
            .label("target team's Pin Check markers")
            .unit("markers")
            .rule("4.1, 5.0"),
    ]
}

/// The attackers whom the enemy strikes back at, or the friends whom fire hits.
fn friendly(report: Report) -> [Field; 2] {
    let (lost, hurt, rule) = match report {
        Report::CloseCombat => ("attackers lost", "attackers' Wounded markers", "6.0, 4.2"),
        _ => ("friends lost", "friends' Wounded markers", "6.4, 4.2"),
    };
    let wounded = "Wounded markers on friends of the attacker at the end";
    [
        Field::new("friendly_kia", "figures the attacker's side lost", |o| o.friendly.kia)
            .label(lost)
            .unit("figures")
            .rule(rule),
        Field::new("friendly_wounded", wounded, |o| o.friendly.wounded)
            .label(hurt)
            .unit("markers")
            .rule(rule),
    ]
}

fn activation() -> [Field; 4] {
    let removed = "teams removed by a second Cowering";
    [
        Field::new("actions", "actions of the squad's teams in all", |o| {
            o.activation.actions.into()
        })
        .label("actions left")
        .unit("actions")
        .rule("5.0"),
        Field::new("cowering", "teams that Cower", |o| o.activation.cowering.into())
            .label("teams Cowering")
            .unit("teams")
            .rule("5.0"),
        Field::new("removed", removed, |o| o.activation.removed.into())
            .label("teams removed")
            .unit("teams")
            .rule("5.1, 6.3"),
        Field::new("target_actions", "actions of the target team", |o| {
            o.activation.target_actions.into()
        })
        .label("target team's actions left")
        .unit("actions")
        .rule("5.0"),
    ]
}

/// The measure as the one that is shown first, if it is.
fn first(measure: Measured, is_first: bool) -> Measured {
    if is_first { measure.headline() } else { measure }
}

fn losses(report: Report) -> Vec<Measured> {
    let wound = "the target side carries more Wounded markers than before";
    let wounded = "Wounded markers on the target side at the end";
    let kill =
        Measured::probability("p_kill", "a figure of the target side is lost", |o| o.squad.kia > 0)
            .label("killed")
            .rule("4.2")
            .finishing();
    vec![
        first(kill, report != Report::Suppression),
        Measured::probability("p_wound", wound, |o| o.squad.wounded > o.before.wounded)
            .label("any wound")
            .rule("4.2"),
        Measured::mean("e_kia", "figures the target side loses", |o| o.squad.kia)
            .label("figures lost on average")
            .unit("figures")
            .rule("4.2"),
        Measured::mean("e_wounded", wounded, |o| o.squad.wounded)
            .label("Wounded markers on average")
            .unit("markers")
            .rule("4.2"),
    ]
}

fn marks() -> [Measured; 3] {
    let pin = "the target side carries more pins than before";
    let pins = "Pin Check markers on the target side at the end";
    [
        Measured::probability("p_pin", pin, |o| o.squad.pins > o.before.pins)
            .label("any pin")
            .rule("5.0"),
        Measured::probability("p_no_effect", "nothing happens to the target side", |o| {
            o.squad == o.before
        })
        .label("no effect"),
        Measured::mean("e_pins", pins, |o| o.squad.pins)
            .label("Pin Check markers on average")
            .unit("markers")
            .rule("5.0"),
    ]
}

fn own_losses(report: Report) -> [Measured; 3] {
    let (kill, lost, hurt, rule) = match report {
        Report::CloseCombat => (
            "any attacker killed",
            "attackers lost on average",
            "attackers' Wounded markers on average",
            "6.0, 4.2",
        ),
        _ => (
            "any friend killed",
            "friends lost on average",
            "friends' Wounded markers on average",
            "6.4, 4.2",
        ),
    };
    let wounded = "Wounded markers on the attacker's side at the end";
    let killed = "a figure of the attacker's side is lost";
    [
        Measured::probability("p_friendly_kill", killed, |o| o.friendly.kia > 0)
            .label(kill)
            .rule(rule),
        Measured::mean("e_friendly_kia", "figures the attacker's side loses", |o| o.friendly.kia)
            .label(lost)
            .unit("figures")
            .rule(rule),
        Measured::mean("e_friendly_wounded", wounded, |o| o.friendly.wounded)
            .label(hurt)
            .unit("markers")
            .rule(rule),
    ]
}

fn nerve(report: Report) -> [Measured; 3] {
    let about = "actions of the squad's teams in all";
    let cower = Measured::probability("p_cower", "a team Cowers", |o| o.activation.cowering > 0);
    let removed = Measured::probability("p_removed", "a Cowering team is removed", |o| {
        o.activation.removed > 0
    })
    .label("any team removed")
    .rule("5.1, 6.3");
    let actions = Measured::mean("e_actions", about, |o| o.activation.actions.into())
        .label("actions left on average")
        .unit("actions")
        .rule("5.0");
    [
        cower.label("any team Cowering").rule("5.0"),
        first(removed, report == Report::Rally),
        first(actions, report != Report::Rally),
    ]
}

fn unhurt() -> Measured {
    Measured::probability("p_no_effect", "no loss, no wound, no action less", |o| {
        o.squad.kia == 0
            && o.squad.wounded == o.before.wounded
            && o.activation.actions == o.full_actions
    })
    .label("no effect")
}

/// The fields and measures of an action.
pub fn vocabulary(report: Report) -> Vocabulary<Outcome> {
    let mut fields = vec![kia(), wounded(), pins()];
    let mut measures = losses(report);
    match report {
        Report::Fire | Report::FireIntoCloseCombat => fields.extend(target()),
        Report::CloseCombat => {}
        Report::Suppression => {
            fields.pop();
            fields.extend(activation());
            measures.extend(nerve(report));
            measures.push(unhurt());
        }
        Report::Morale | Report::Rally => {
            fields = activation().into();
            measures = nerve(report).into();
        }
    }
    if matches!(report, Report::Fire | Report::FireIntoCloseCombat | Report::CloseCombat) {
        measures.extend(marks());
    }
    if matches!(report, Report::FireIntoCloseCombat | Report::CloseCombat) {
        fields.extend(friendly(report));
        measures.extend(own_losses(report));
    }
    Vocabulary { fields, measures }
}
