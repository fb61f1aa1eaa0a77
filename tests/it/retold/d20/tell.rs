//! An attack told step by step, for readers who have the quick reference at hand.

use enfilade::combat::Explanation;
use enfilade::dice::Roll;

use super::attack::{Attack, Course, Deed, Reading, Status, Then};
use super::morale::SURRENDERS;

/// Tells the step from `from` to `to`.
pub fn step(attack: &Attack, from: &Course, rolls: &[Roll], to: &Course) -> Explanation {
    let Some(&first) = rolls.first() else {
        return Explanation::default();
    };
    let mut telling = if from.left == 0 {
        answer(attack, from, first)
    } else if from.dice > 0 {
        damage(attack, from, rolls, to, String::new())
    } else if from.in_area + from.in_danger > 0 {
        struck(attack, from, rolls, to)
    } else {
        act(attack, from, first)
    };
    if to.left == 0 && attack.surrendered(to) {
        telling.text += SURRENDERS;
    }
    telling
}

fn act(attack: &Attack, from: &Course, roll: Roll) -> Explanation {
    let deed = attack.deed(from);
    let who = attack.figures - from.left + 1;
    let (what, check, rule) = match deed {
        Deed::Spot(check) => ("spots", check, "SPOTTING"),
        Deed::Shoot(check) => ("shoots", check, "SHOOTING"),
    };
    let result = if check.passes(roll.face) { "success" } else { "failure" };
    let mut text = format!(
        "Character {who} {what}: d20 shows {} against a modified skill of {}: {result}.",
        roll.face, check.skill
    );
    if check.passes(roll.face) && check.excess() > 0 && matches!(deed, Deed::Shoot(_)) {
        text += &format!(
            " The skill is {} over 20, which is added to each damage die.",
            check.excess()
        );
    }
    Explanation::new(rule, text)
}

fn struck(attack: &Attack, from: &Course, rolls: &[Roll], to: &Course) -> Explanation {
    let Some(save_on) = attack.damage.save_on else {
        return damage(attack, from, rolls, to, String::new());
    };
    let (save, rest) = (rolls[0], &rolls[1..]);
    let text = format!("Save: d20 shows {}, {save_on} or less is needed: ", save.face);
    if rest.is_empty() {
        return Explanation::new("SAVE", text + "the hit is ignored.");
    }
    damage(attack, from, rest, to, text + "failed. ")
}

fn damage(
    attack: &Attack,
    from: &Course,
    rolls: &[Roll],
    to: &Course,
    before: String,
) -> Explanation {
    let faces: Vec<String> = rolls.iter().map(|roll| roll.face.to_string()).collect();
    let raised = match attack.raised(from) {
        0 => String::new(),
        raised => format!(", {raised:+}"),
    };
    let how = match attack.damage.reading {
        Reading::PerDie => "read on the status table",
        Reading::Sum => "added to the character's dice, whose sum is read",
        Reading::Best => "the character's highest die is read",
    };
    let lost = to.casualties - from.casualties;
    let status = match to.status {
        Status::Steady => "steady",
        Status::Hesitant => "Hesitant",
        Status::Pinned => "Pinned",
    };
    let text = format!(
        "{before}Damage: d20 shows {}{raised}, {how}. Figures lost {lost}, {} in all; the element is {status}.",
        faces.join(", "),
        to.casualties,
    );
    Explanation::new("STATUS DAMAGE", text)
}

fn answer(attack: &Attack, from: &Course, roll: Roll) -> Explanation {
    match attack.then {
        Then::Tests { roll: test, .. } => {
            test.tell(from.casualties, from.status == Status::Pinned, roll)
        }
        Then::Reacts { check, each } => {
            let result = if check.passes(roll.face) { "it may act" } else { "it is Suppressed" };
            let text = format!(
                "{} reacts: d20 shows {} against Morale {}: {result}.",
                if each { "A character" } else { "The element" },
                roll.face,
                check.skill
            );
            Explanation::new("INTERRUPT, REACTING", text)
        }
        Then::Nothing => Explanation::default(),
    }
}
