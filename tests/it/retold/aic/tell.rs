//! An encounter told step by step, for readers who have the rulebook at hand.

use enfilade::combat::Explanation;
use enfilade::dice::Roll;

use super::encounter::{Attack, Course, Encounter, Manner, Needed};
use super::squad::{Results, Squad, Team};

/// Tells the step from `from` to `to`.
pub fn step(encounter: &Encounter, from: &Course, rolls: &[Roll], to: &Course) -> Explanation {
    match (encounter.attack(from), rolls) {
        (Some(attack), [die]) if from.experience == 0 => experience(encounter, attack, from, *die),
        (Some(attack), [die]) => weapon(encounter, attack, from, *die, to),
        _ => morale(rolls, from, to),
    }
}

fn experience(encounter: &Encounter, attack: &Attack, from: &Course, die: Roll) -> Explanation {
    let weapons = encounter.dice(attack, from);
    let weapons: Vec<String> = weapons.iter().map(|sides| format!("d{sides}")).collect();
    let text = format!(
        "{}: the Experience d{} shows {}, one roll for the whole team; it is added to each weapon die ({}). {}.",
        who(attack),
        die.sides,
        die.face,
        weapons.join(", "),
        needs(&attack.needed),
    );
    Explanation::new(attack.rule, text)
}

fn who(attack: &Attack) -> &'static str {
    match attack.manner {
        Manner::Fire | Manner::AssaultFire => "The team fires",
        Manner::Strike => "The attacking team strikes",
        Manner::StrikeBack => "The defending team strikes back",
    }
}

fn needs(needed: &Needed) -> String {
    let pin = needed.pin.map(|pin| format!("{pin} pins, "));
    let pin = pin.unwrap_or_default();
    format!("A total of {pin}{} wounds, {} kills", needed.wound, needed.kia)
}

fn weapon(
    encounter: &Encounter,
    attack: &Attack,
    from: &Course,
    die: Roll,
    to: &Course,
) -> Explanation {
    let total = i16::from(from.experience) + i16::from(die.face);
    let result = named(attack.needed.result(total));
    let mut text = format!(
        "Figure {}: d{} shows {}, {} + {} = {total}: {result}.",
        from.rolled + 1,
        die.sides,
        die.face,
        from.experience,
        die.face,
    );
    if to.attack != from.attack {
        text.push_str(&after(encounter, attack, from, to));
    }
    Explanation::new(attack.rule, text)
}

fn named(result: Results) -> &'static str {
    match result {
        Results { kia: 1, .. } => "KIA",
        Results { wounded: 1, .. } => "Wounded",
        Results { pins: 1, .. } => "Pin Check",
        _ => "no result",
    }
}

fn after(encounter: &Encounter, attack: &Attack, from: &Course, to: &Course) -> String {
    if attack.manner == Manner::Strike && attack.answered {
        return " The results wait until the defender has struck back.".into();
    }
    let mut text = String::new();
    if attack.manner == Manner::StrikeBack {
        let lost = to.friendly_kia - from.friendly_kia;
        let wounded = to.friendly_wounded;
        text = format!(" The attacker loses {lost} and has {wounded} Wounded in all.");
    }
    let friends = encounter.sharing.friends;
    text + " The target side now: " + &side(&to.squad, &encounter.squad, friends) + "."
}

fn side(squad: &Squad, before: &Squad, friends: u8) -> String {
    let places = (0..squad.len()).filter(|&place| before[place].lives());
    let teams =
        places.map(|place| format!("{} {}", title(place, friends), described(squad[place])));
    teams.collect::<Vec<_>>().join("; ")
}

fn title(place: usize, friends: u8) -> String {
    match place {
        0 => "target team".into(),
        place if place <= usize::from(friends) => format!("friend {place}"),
        place => format!("squadmate {}", place - usize::from(friends)),
    }
}

fn described(team: Team) -> String {
    if !team.lives() {
        return "gone".into();
    }
    let Team { figures, wounded, pins } = team;
    format!("figures {figures}, Wounded {wounded}, Pin markers {pins}")
}

fn morale(rolls: &[Roll], from: &Course, to: &Course) -> Explanation {
    let faces: Vec<String> =
        rolls.iter().map(|r| format!("d{} shows {}", r.sides, r.face)).collect();
    let pins: Vec<String> =
        from.squad.iter().filter(|team| team.lives()).map(|team| team.pins.to_string()).collect();
    let done = to.activation.unwrap_or_default();
    let text = format!(
        "Morale of the squad: {}, less each team's pins ({}). Actions in all {}, of the target team {}; Cowering {}, removed {}. All pins are removed.",
        faces.join(", "),
        pins.join(", "),
        done.actions,
        done.target_actions,
        done.cowering,
        done.removed,
    );
    Explanation::new("5.0, 5.1", text)
}
