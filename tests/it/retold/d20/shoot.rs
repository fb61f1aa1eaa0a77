//! `shoot`, `interrupt` and `fire-and-morale`: the fields of an attack and how it is put together.
//!
//! Source: SPOTTING, SHOOTING, SAVE, STATUS DAMAGE, INTERRUPT, MORALE. Which characters a spotter
//! sees, whom an area covers and which lines of sight there are is for the players to say: the
//! fields count the characters. Not played: reloading and ammunition.

use enfilade::catalogue::{Action, Contest};
use enfilade::form::{Fault, Field, Fields, Form};

use super::attack::{Attack, Damage, Deed, Reading, Status, Then};
use super::check::Check;
use super::data::{CHANGED, Numbers, Weapon, weapon};
use super::fields::*;
use super::modifiers::Skill;
use super::morale::*;
use super::outcome::Report;

/// Fields to reduce when a contest has too many states, most effective first.
pub const GROWS_WITH: &[&str] = &["figures", "target_figures", "targets_in_area", "damage_dice"];

/// The fields of every attack, and more.
macro_rules! attack_fields {
    ($($more:expr),* $(,)?) => {
        enfilade::form::Fields::Static(&[&[
            WEAPON, DAMAGE_DICE, DAMAGE_BONUS, SAVES, DAMAGE_READING, ONE_CASUALTY,
            IN_AREA, IN_DANGER_ZONE, NUMBER, TARGET_NUMBER, SPOT, FIREARMS, QUALITY, SPOTTED,
            TARGET_MOVING, CONCEALED, IN_COVER, HIDDEN, GONE_FIRM, FIRED_SUPPRESSION_WEAPON,
            TARGET_VEHICLE, ENEMY_WITHIN_4, ATTACKER_MOVING, ATTACKER_HIGHER, ATTACKER_LOWER,
            ATTACKER_HESITANT, ATTACKER_PINNED, ATTACKER_SUPPRESSED, ATTACKER_GONE_FIRM,
            SPOT_MODIFIER, SHOOT_MODIFIER, ONE_SUCCEEDS, TWENTY_LOSES_AP, CHANGED, PINNED_MAY_FIRE,
            $($more),*
        ]])
    };
}
pub(super) use attack_fields;

const FIELDS: Fields = attack_fields![EXTRA_AP, EXTRA_AP_ON];
const INTERRUPT_FIELDS: Fields = attack_fields![
    MORALE,
    TARGET_QUALITY,
    Field::choice(
        "reaction",
        &["each", "element"],
        "each character left rolls to react, and one that fails suppresses the element; or one \
         roll for all",
    )
    .rule("INTERRUPT, REACTING")
    .label("who rolls to react")
    .values(&["each character", "one for the element"])
    .group(READINGS)
    .rare(),
    Field::flag(
        "marked_may_interrupt",
        false,
        "a Suppressed element interrupts at -6, by a house rule: by the source it must not have any markers",
    )
    .rule("WHO CAN INTERRUPT")
    .label("an element with markers interrupts")
    .group(READINGS)
    .rare(),
];
const MORALE_FIELDS: Fields = attack_fields![
    EXTRA_AP,
    EXTRA_AP_ON,
    MORALE,
    TARGET_QUALITY,
    Field::choice(
        "tests",
        &["when-due", "always"],
        "the target takes its morale roll when it is Pinned, has markers or failed before; or \
         always",
    )
    .rule("WHO MAKES A MORALE ROLL")
    .assumed()
    .label("takes its morale roll")
    .values(&["when it is due", "always"])
    .group(THE_MORALE_ROLL)
    .rare(),
    Field::flag("failed_before", false, "the target failed a morale roll before, so it must test")
        .rule("WHO MAKES A MORALE ROLL")
        .label("failed a morale roll before")
        .group(THE_MORALE_ROLL)
        .rare(),
    LEADER,
    MORALE_MARKERS,
    SUPPRESSION_MARKERS,
    CASUALTIES_BEFORE,
    CAN_WITHDRAW,
    PINNED_BEFORE,
    SURRENDER,
    PINNED_STAYS,
];

/// Shooting.
pub const SHOOT: Action = Action::new(
    "shoot",
    "characters spot and shoot at an element; its casualties and worst status",
    FIELDS,
    &|form| build(form, Report::Attack, |_, _| Then::Nothing),
    &[
        "weapon = 'bolt-action rifle'\nfigures = 3\nspot = 12\nfirearms = 11",
        "weapon = 'SMG'\ntargets_in_area = 2\nspotted = true\nin_cover = true\nextra_ap = 1",
        "weapon = 'LMG'\nfigures = 2\ntarget_figures = 2\nfirearms = 24\nspotted = true\ndamage_reading = 'sum'",
        "weapon = 'grenade'\ntargets_in_area = 2\ntargets_in_danger_zone = 2\nquality = 'veteran'\none_casualty_per_character = true\nconcealed = true",
        "damage_dice = 2\ndamage_bonus = -2\nsaves = true\ndamage_reading = 'best'\nattacker_hesitant = 'damage'\nspot = 20\nfirearms = 20\nhidden = true\none_always_succeeds = false",
        "weapon = 'pistol'\nfigures = 2\nspotted = true\nenemy_within_4 = true",
    ],
)
.asks("How often does the {weapon|attackers' fire} fell a figure of the target?");

/// Interrupting.
pub const INTERRUPT: Action = Action::new(
    "interrupt",
    "characters interrupt: one free attack each without additional AP, then the target reacts",
    INTERRUPT_FIELDS,
    &|form| {
        build(form, Report::Interrupt, |form, numbers| Then::Reacts {
            check: Check {
                skill: skill(form, "morale", "target_quality", numbers),
                one_succeeds: form.flag("one_always_succeeds"),
            },
            each: form.text("reaction") == "each",
        })
    },
    &[
        "weapon = 'battle rifle'\nfigures = 2\nspot = 12\nfirearms = 11\nmorale = 12\ntarget_moving = true",
        "weapon = 'SMG'\nspotted = true\ntarget_figures = 1\ntarget_quality = 'novice'\nattacker_suppressed = true\nmarked_may_interrupt = true",
        "weapon = 'HMG'\nspot = 25\nfirearms = 22\ntarget_figures = 2\ngone_firm = true\nattacker_lower = true",
        "weapon = 'bolt-action rifle'\nfigures = 2\nspotted = true\nreaction = 'element'\nenemy_within_4 = true",
    ],
)
.asks("How often does an interrupt with the {weapon|weapon} suppress the target?")
.off_table(
    "A natural 20 fails against any skill, a natural 1 succeeds (our reading). What a skill is \
     above 20 is added to every damage die; the roll to react has no modifiers.",
);

/// Shooting and what it does to the target's activation.
pub const FIRE_AND_MORALE: Action = Action::new(
    "fire-and-morale",
    "characters shoot at an element, then it takes its morale roll",
    MORALE_FIELDS,
    &|form| {
        build(form, Report::Morale, |form, numbers| {
            let markers = form.int("morale_markers") + form.int("suppression_markers");
            Then::Tests {
                roll: MoraleRoll::of(
                    form,
                    numbers,
                    skill(form, "morale", "target_quality", numbers),
                ),
                always: form.text("tests") == "always" || form.flag("failed_before") || markers > 0,
            }
        })
    },
    &[
        "spot = 12\nfirearms = 11\ndamage_dice = 3\nsaves = true\nmorale = 12",
        "weapon = 'sniper rifle'\nspotted = true\nfirearms = 14\nextra_ap = 2\nmorale = 10\ntests = 'always'\nin_cover = true",
        "weapon = 'MMG'\nfigures = 2\ntarget_figures = 3\nsuppression_markers = 1\nleader = 'veteran'\ncan_withdraw = false\nenemy_within_4 = true",
        "weapon = 'rifle grenade'\ntargets_in_danger_zone = 1\ntarget_figures = 2\ntarget_quality = 'veteran'\nfailed_before = true\nattacker_higher = true",
        "weapon = 'SMG'\nspotted = true\nmorale = 8\npinned_stays_pinned = false\nenemy_within_4 = true\nsurrender = 'after-failing'",
    ],
)
.asks("How often does the {weapon|attackers' fire} leave an element Pinned or worse?")
.off_table(
    "A natural 20 fails against any skill, a natural 1 succeeds (our reading). What a skill is \
     above 20 is added to every damage die, what Morale is above 20 is taken off the morale roll. \
     A morale roll that fails by 9 or more leaves the element Pinned.",
);

/// Puts an attack together; what follows it is `then`.
fn build(
    form: &Form,
    report: Report,
    then: impl Fn(&Form, &Numbers) -> Then,
) -> Result<Contest, Vec<Fault>> {
    let numbers = Numbers::of(form)?;
    let mut faults = Vec::new();
    let plan =
        [Skill::Spot, Skill::Shoot].map(|skill| deed(skill, form, &numbers, added_ap(form, skill)));
    let attack = attack(form, &numbers, plan.into(), report, &mut faults);
    contest(Attack { then: then(form, &numbers), ..attack }, faults)
}

/// The contest of `attack`, unless something was at fault.
pub fn contest(attack: Attack, faults: Vec<Fault>) -> Result<Contest, Vec<Fault>> {
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(Contest::of(attack).growing_with(GROWS_WITH))
}

/// AP that the contest adds to the roll.
fn added_ap(form: &Form, skill: Skill) -> u8 {
    let to_this = ["both", skill.name()];
    match form.maybe_text("extra_ap_on") {
        Some(on) if to_this.contains(&on) => form.int("extra_ap") as u8,
        _ => 0,
    }
}

/// A roll of a character with `ap` more AP.
pub fn deed(kind: Skill, form: &Form, numbers: &Numbers, ap: u8) -> Deed {
    let field = match kind {
        Skill::Spot => "spot",
        Skill::Shoot => "firearms",
    };
    let check = Check {
        skill: skill(form, field, "quality", numbers)
            + kind.modifiers(form, numbers)
            + kind.aimed(ap, numbers),
        one_succeeds: form.flag("one_always_succeeds"),
    };
    match kind {
        Skill::Spot => Deed::Spot(check),
        Skill::Shoot => Deed::Shoot(check),
    }
}

/// An attack in which every character follows `plan`, and that nothing follows.
pub fn attack(
    form: &Form,
    numbers: &Numbers,
    plan: Vec<Deed>,
    report: Report,
    faults: &mut Vec<Fault>,
) -> Attack {
    faults.extend(idle(form));
    if form.flag("attacker_higher") && form.flag("attacker_lower") {
        let problem = "the attacker cannot be both higher and lower";
        faults.push(Fault::new("attacker_lower", problem).help("leave out one of them"));
    }
    Attack {
        figures: form.int("figures") as u8,
        target_figures: form.int("target_figures") as u8,
        plan,
        spotted: form.flag("spotted"),
        twenty_loses_ap: form.flag("twenty_loses_ap"),
        damage: damage(form, numbers, faults),
        then: Then::Nothing,
        status: match form.maybe_flag("pinned_before") {
            Some(true) => Status::Pinned,
            _ => Status::Steady,
        },
        surrender: Surrender::of(form),
        report,
    }
}

/// STATUS DAMAGE: who is Pinned "can do nothing". INTERRUPT: who has a marker may not.
pub fn idle(form: &Form) -> Vec<Fault> {
    let pinned = form.flag("attacker_pinned") && !form.flag("pinned_may_fire");
    let marked =
        form.flag("attacker_suppressed") && form.maybe_flag("marked_may_interrupt") == Some(false);
    let faults = [("attacker_pinned", pinned), ("attacker_suppressed", marked)];
    let faults = faults.into_iter().filter(|(_, idle)| *idle);
    faults.map(|(field, _)| Fault::new(field, "it does not act")).collect()
}

/// The weapon of the contest, if it names one.
pub fn named_weapon(form: &Form) -> Option<&'static Weapon> {
    form.maybe_text("weapon").and_then(weapon)
}

fn damage(form: &Form, numbers: &Numbers, faults: &mut Vec<Fault>) -> Damage {
    let weapon = named_weapon(form);
    let printed = form.maybe_int("damage_dice").map(|dice| dice as u8);
    let dice = printed.or(weapon.map(|w| w.dice)).unwrap_or_else(|| {
        let problem = "`weapon` is missing: what the attackers shoot with";
        faults.push(Fault::new("weapon", problem).help("give a built-in weapon, or `damage_dice`"));
        1
    });
    let bonus = form.maybe_int("damage_bonus").map(|bonus| bonus as i16);
    let saves = form.maybe_flag("saves").or(weapon.map(|w| w.saves));
    let status = |name| numbers.get(name);
    if let Some(weapon) = weapon {
        faults.extend(outside_area(form, weapon));
    }
    Damage {
        dice,
        danger_dice: (dice / 2).max(1),
        bonus: bonus.or(weapon.map(|w| w.bonus)).unwrap_or(0),
        save_on: (saves == Some(true)).then(|| numbers.get("save_on").max(0) as u8),
        in_area: form.int("targets_in_area") as u8,
        in_danger_zone: form.int("targets_in_danger_zone") as u8,
        reading: match form.text("damage_reading") {
            "sum" => Reading::Sum,
            "best" => Reading::Best,
            _ => Reading::PerDie,
        },
        bands: (status("status_hesitant"), status("status_pinned")),
        one_casualty: form.flag("one_casualty_per_character"),
    }
}

/// What the contest wants of a weapon's area that the weapon has not got.
fn outside_area(form: &Form, weapon: &Weapon) -> Vec<Fault> {
    let mut faults = Vec::new();
    if form.int("targets_in_area") > 1 && weapon.area.is_empty() {
        let problem = format!("the {} has no area of effect", weapon.name);
        faults.push(Fault::new("targets_in_area", problem).help("it hits one character"));
    }
    if form.int("targets_in_danger_zone") > 0 && weapon.danger_zone.is_empty() {
        let problem = format!("the {} has no danger zone", weapon.name);
        faults.push(
            Fault::new("targets_in_danger_zone", problem).help("only blast weapons have one"),
        );
    }
    faults
}
