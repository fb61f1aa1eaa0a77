//! The form fields that several actions share, each declared once, with where the source has it.

use enfilade::bounds::Bound;
pub use enfilade::form::field_groups::READINGS;
use enfilade::form::{Field, Form, Kind, Preset};
use enfilade::shared::Text;

use super::data::{Numbers, weapon_names};

/// Heading of what is shot with.
pub const THE_WEAPON: &str = "the weapon";
/// Heading of who attacks, and in which state.
pub const THE_ATTACKERS: &str = "the attackers";
/// Heading of who is shot at, and where.
pub const THE_TARGET: &str = "the target";
/// Heading of the other side hand to hand.
pub const THE_DEFENDERS: &str = "the defenders";
/// Heading of what an element's Morale depends on.
pub const THE_MORALE_ROLL: &str = "the morale roll";

const SKILL: Bound = Bound::new("skill", 0, 40);
const FIGURES: Bound = Bound::new("number of figures", 1, 100);
const DICE: Bound = Bound::new("number of damage dice", 1, 10);
const BONUS: Bound = Bound::new("damage bonus", -10, 20);
const AP: Bound = Bound::new("number of additional AP", 0, 6);
const MODIFIER: Bound = Bound::new("modifier", -40, 40);
const AREA: Bound = Bound::new("number of characters in the area", 1, 20);
const DANGER: Bound = Bound::new("number of characters in the danger zone", 0, 20);

/// Spotting skill.
pub const SPOT: Field =
    Field::optional("spot", Kind::Int(SKILL), "Spot skill; without it that of `quality`")
        .rule("SKILLS")
        .label("Spot skill")
        .group(THE_ATTACKERS);
/// Firearms skill.
pub const FIREARMS: Field =
    Field::optional("firearms", Kind::Int(SKILL), "Firearms skill; without it that of `quality`")
        .rule("SKILLS")
        .label("Firearms skill")
        .group(THE_ATTACKERS);
/// Morale.
pub const MORALE: Field = Field::optional(
    "morale",
    Kind::Int(SKILL),
    "Morale of the element that tests; without it that of its quality",
)
.rule("MORALE")
.label("Morale")
.group(THE_MORALE_ROLL);
/// Melee skill.
pub const MELEE: Field = Field::optional(
    "melee",
    Kind::Int(SKILL),
    "Melee skill of the attackers; without it that of `quality`",
)
.rule("MELEE COMBAT")
.label("attackers' Melee skill")
.group(THE_ATTACKERS);
/// Melee skill of the other side.
pub const TARGET_MELEE: Field = Field::optional(
    "target_melee",
    Kind::Int(SKILL),
    "Melee skill of the defenders; without it that of `target_quality`",
)
.rule("MELEE COMBAT")
.label("defenders' Melee skill")
.group(THE_DEFENDERS);

const QUALITIES: &[&str] = &["average", "novice", "veteran"];

/// Default skills.
pub const QUALITY: Field = Field::choice(
    "quality",
    QUALITIES,
    "skills that are not given: novice 8, average 11, veteran 14",
)
.assumed()
.label("quality")
.group(THE_ATTACKERS);
/// Default skills of the target.
pub const TARGET_QUALITY: Field =
    Field::choice("target_quality", QUALITIES, "skills of the target that are not given")
        .assumed()
        .label("quality of the target")
        .group(THE_MORALE_ROLL);

/// The skill `field` of the form, or that of the quality in field `quality`.
pub fn skill(form: &Form, field: &str, quality: &str, numbers: &Numbers) -> i16 {
    let of_quality = || match form.text(quality) {
        "novice" => numbers.get("skill_novice"),
        "veteran" => numbers.get("skill_veteran"),
        _ => numbers.get("skill_average"),
    };
    form.maybe_int(field).map_or_else(of_quality, |skill| skill as i16)
}

/// Whether a 1 always succeeds.
pub const ONE_SUCCEEDS: Field =
    Field::flag("one_always_succeeds", true, "a natural 1 succeeds against any skill")
        .rule("SKILLS")
        .assumed()
        .label("a 1 always succeeds")
        .group(READINGS)
        .rare();
/// Whether a 20 ends a character's activation.
pub const TWENTY_LOSES_AP: Field =
    Field::flag("twenty_loses_ap", true, "a natural 20 loses the character its remaining AP")
        .rule("SKILLS")
        .label("a 20 loses the remaining AP")
        .group(READINGS)
        .rare();

/// Shooters or assaulters.
pub const NUMBER: Field =
    Field::int("figures", FIGURES, 1, "characters that attack, one after the other")
        .label("attackers")
        .unit("figures")
        .group(THE_ATTACKERS);
/// Figures of the target.
pub const TARGET_NUMBER: Field =
    Field::int("target_figures", FIGURES, 5, "figures of the target element")
        .label("figures of the target")
        .unit("figures")
        .group(THE_TARGET);

/// The weapon.
pub const WEAPON: Field = Field::optional(
    "weapon",
    Kind::name(weapon_names),
    "weapon of every attacker; or give `damage_dice`",
)
.rule("FIREARMS, MACHINE GUNS, SPECIALIST WEAPONS")
.label("weapon")
.group(THE_WEAPON);
/// Damage dice.
pub const DAMAGE_DICE: Field = Field::optional(
    "damage_dice",
    Kind::Int(DICE),
    "damage d20s of a hit, in place of the weapon's",
)
.label("damage dice")
.unit("dice")
.group(THE_WEAPON);
/// Damage bonus.
pub const DAMAGE_BONUS: Field = Field::optional(
    "damage_bonus",
    Kind::Int(BONUS),
    "added to each damage die, in place of the weapon's",
)
.label("damage bonus")
.group(THE_WEAPON)
.rare();
/// Saves.
pub const SAVES: Field = Field::optional(
    "saves",
    Kind::Flag,
    "a character that is hit may save, in place of the weapon's rule",
)
.rule("SAVE")
.label("save")
.values(&["no save", "may save"])
.group(THE_WEAPON)
.rare();
/// How damage dice are read.
pub const DAMAGE_READING: Field = Field::choice(
    "damage_reading",
    &["per-die", "sum", "best"],
    "each damage die is read on the status table, or their sum, or the highest",
)
.rule("STATUS DAMAGE")
.assumed()
.label("what is read on the status table")
.values(&["each damage die", "their sum", "the highest"])
.group(READINGS)
.rare();
/// Whether a character can be lost twice.
pub const ONE_CASUALTY: Field = Field::flag(
    "one_casualty_per_character",
    true,
    "a character that takes several dice is one casualty at most",
)
.rule("STATUS DAMAGE")
.assumed()
.label("one casualty per character")
.group(READINGS)
.rare();
/// Characters hit.
pub const IN_AREA: Field = Field::int(
    "targets_in_area",
    AREA,
    1,
    "characters in the area of effect or kill zone; each takes its own dice",
)
.rule("FIREARMS, Area of Effect")
.assumed()
.label("in the area of effect")
.unit("characters")
.group(THE_TARGET);
/// Characters in the danger zone.
pub const IN_DANGER_ZONE: Field = Field::int(
    "targets_in_danger_zone",
    DANGER,
    0,
    "characters in the danger zone; each takes half the dice, rounded down, at least 1",
)
.rule("SPECIALIST WEAPONS, DZ")
.assumed()
.label("in the danger zone")
.unit("characters")
.group(THE_TARGET)
.rare();

/// Spotted before.
pub const SPOTTED: Field = Field::flag("spotted", false, "the target is spotted already")
    .label("spotted")
    .values(&["to be spotted", "spotted already"])
    .group(THE_TARGET);
/// Target moves.
pub const TARGET_MOVING: Field = Field::flag("target_moving", false, "the target is Moving")
    .rule("SPOTTING, SHOOTING MODIFIERS")
    .label("target Moving")
    .values(&["target at rest", "target Moving"])
    .group(THE_TARGET);
/// Target concealed.
pub const CONCEALED: Field = Field::flag("concealed", false, "the target is in Concealment")
    .rule("SPOTTING MODIFIERS")
    .label("in Concealment")
    .values(&["not concealed", "in Concealment"])
    .group(THE_TARGET);
/// Target in cover.
pub const IN_COVER: Field = Field::flag("in_cover", false, "the target is in Cover")
    .rule("SHOOTING, MORALE MODIFIERS")
    .label("in Cover")
    .values(&["in the open", "in Cover"])
    .group(THE_TARGET);
/// Target hidden.
pub const HIDDEN: Field = Field::flag("hidden", false, "the target is Hidden")
    .rule("SPOTTING, SHOOTING MODIFIERS")
    .label("Hidden")
    .values(&["not Hidden", "Hidden"])
    .group(THE_TARGET);
/// Target gone firm.
pub const GONE_FIRM: Field = Field::flag("gone_firm", false, "the target has Gone Firm")
    .rule("SPOTTING, SHOOTING MODIFIERS")
    .label("target Gone Firm")
    .group(THE_TARGET)
    .rare();
/// Target fired a suppression weapon.
pub const FIRED_SUPPRESSION_WEAPON: Field =
    Field::flag("fired_suppression_weapon", false, "the target fired a suppression weapon")
        .rule("SPOTTING MODIFIERS")
        .label("target fired a suppression weapon")
        .group(THE_TARGET)
        .rare();
/// Whether a Pinned element must surrender.
pub const ENEMY_WITHIN_4: Field = Field::flag(
    "enemy_within_4",
    false,
    "an enemy is within 4 inches in clear line of sight: a Pinned element surrenders",
)
.rule("STATUS DAMAGE, FAILED MORALE TEST")
.label("enemy within 4 inches")
.values(&["no enemy near", "enemy within 4 inches"])
.group(THE_TARGET)
.rare();
/// Target is a vehicle.
pub const TARGET_VEHICLE: Field = Field::flag("target_vehicle", false, "the target is a vehicle")
    .rule("SPOTTING MODIFIERS")
    .label("target is a vehicle")
    .group(THE_TARGET)
    .rare();
/// Attacker moves.
pub const ATTACKER_MOVING: Field = Field::flag("attacker_moving", false, "the attacker is Moving")
    .rule("SPOTTING, SHOOTING MODIFIERS")
    .label("attacker Moving")
    .values(&["attacker at rest", "attacker Moving"])
    .group(THE_ATTACKERS);
/// Attacker higher.
pub const ATTACKER_HIGHER: Field = Field::flag("attacker_higher", false, "the attacker is higher")
    .rule("SPOTTING, SHOOTING MODIFIERS")
    .label("attacker higher")
    .group(THE_ATTACKERS)
    .rare();
/// Attacker lower.
pub const ATTACKER_LOWER: Field = Field::flag("attacker_lower", false, "the attacker is lower")
    .rule("SPOTTING, SHOOTING MODIFIERS")
    .label("attacker lower")
    .group(THE_ATTACKERS)
    .rare();
/// Additional AP.
pub const EXTRA_AP: Field = Field::int("extra_ap", AP, 0, "AP added to the rolls")
    .rule("SPOTTING, SHOOTING MODIFIERS")
    .label("additional AP")
    .unit("AP")
    .group(THE_ATTACKERS);
/// Which roll the AP go to.
pub const EXTRA_AP_ON: Field = Field::choice(
    "extra_ap_on",
    &["both", "spot", "shoot"],
    "which rolls the additional AP are added to; `both` spends as many on each",
)
.assumed()
.preset(Preset::Text(Text::Static("shoot")))
.label("rolls with additional AP")
.values(&["Spot and Firearms", "Spot", "Firearms"])
.group(THE_ATTACKERS)
.rare();
/// Other spotting modifiers.
pub const SPOT_MODIFIER: Field =
    Field::int("spot_modifier", MODIFIER, 0, "other modifiers of the Spot roll, added up")
        .label("other Spot modifiers")
        .group(THE_ATTACKERS)
        .rare();
/// Other shooting modifiers.
pub const SHOOT_MODIFIER: Field =
    Field::int("shoot_modifier", MODIFIER, 0, "other modifiers of the Firearms roll, added up")
        .label("other Firearms modifiers")
        .group(THE_ATTACKERS)
        .rare();
const HESITANT_BY: &[&str] = &["no", "damage", "morale"];
const HESITANT: &[&str] = &["not Hesitant", "Hesitant by damage", "Hesitant by morale"];

/// Attacker hesitant.
pub const ATTACKER_HESITANT: Field = Field::choice(
    "attacker_hesitant",
    HESITANT_BY,
    "the attacking element is Hesitant by damage (-4) or by a failed morale roll (-2)",
)
.rule("STATUS DAMAGE, FAILED MORALE TEST")
.label("attackers Hesitant")
.values(HESITANT)
.group(THE_ATTACKERS);
/// Attacker pinned.
pub const ATTACKER_PINNED: Field =
    Field::flag("attacker_pinned", false, "the attacking element is Pinned")
        .rule("STATUS DAMAGE")
        .label("attackers Pinned")
        .group(THE_ATTACKERS);
/// A house rule.
pub const PINNED_MAY_FIRE: Field = Field::flag(
    "pinned_may_fire",
    false,
    "a Pinned element fires at -6, by a house rule: by the source it can do nothing in its activation",
)
.rule("STATUS DAMAGE")
.label("a Pinned element fires")
.group(READINGS)
.rare();
/// Target hesitant.
pub const TARGET_HESITANT: Field = Field::choice(
    "target_hesitant",
    HESITANT_BY,
    "the defending element is Hesitant by damage (-4) or by a failed morale roll (-2)",
)
.rule("STATUS DAMAGE, ASSAULT MODIFIERS")
.label("defenders Hesitant")
.values(HESITANT)
.group(THE_DEFENDERS);
/// Target pinned.
pub const TARGET_PINNED: Field =
    Field::flag("target_pinned", false, "the defending element is Pinned")
        .rule("STATUS DAMAGE")
        .label("defenders Pinned")
        .group(THE_DEFENDERS);
/// Attacker suppressed.
pub const ATTACKER_SUPPRESSED: Field =
    Field::flag("attacker_suppressed", false, "the attacking element is Suppressed")
        .rule("GRENADE ASSAULT PHASE DAMAGE")
        .label("attackers Suppressed")
        .group(THE_ATTACKERS);
/// Attacker gone firm.
pub const ATTACKER_GONE_FIRM: Field = Field::flag(
    "attacker_gone_firm",
    false,
    "the attacking element has Gone Firm by a failed morale roll",
)
.rule("FAILED MORALE TEST")
.label("attackers Gone Firm")
.group(THE_ATTACKERS)
.rare();
