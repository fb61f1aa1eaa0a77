//! The form fields that several actions share, each declared once, with its rule number.

use enfilade::bounds::Bound;
use enfilade::form::field_groups::{readings, under};
use enfilade::form::{Field, Kind, Preset};
use enfilade::shared::Shared;

use super::headings;

mod teams;

pub use teams::{ACCOMPANYING, ATTACKERS, FRIENDS, TARGET, TESTED};

const BONUS: Bound = Bound::new("cover bonus", 0, 10);
const TYPES: Bound = Bound::new("number of die types", 0, 4);
const FLOOR: Bound = Bound::new("smallest die", 4, 12);
const MARGIN: Bound = Bound::new("margin", -20, 20);
const SHARE: Bound = Bound::new("divisor of the results", 1, 10);
const TOTAL: Bound = Bound::new("morale total", -10, 20);
const PENALTY: Bound = Bound::new("Rally penalty", 0, 12);
const ACTIONS: Bound = Bound::new("number of actions", 0, 10);

/// Die types off some die.
const fn reduction(name: &'static str, label: &'static str, about: &'static str) -> Field {
    Field::int(name, TYPES, 1, about).label(label).unit("die types").rare()
}

/// What a cover step adds.
pub const COVER_BONUS: Field = Field::new(
    "cover_bonus",
    Kind::list(const { &Kind::Int(BONUS) }),
    Preset::Ints(Shared::Static(&[0, 0, 1, 2])),
    "Defense bonus of no cover, Cover, Medium and Hard; the source prints only Medium",
)
.label("Defense bonus of cover")
.rare()
.rule("6.0 example")
.assumed();
/// Bottom of the ladder.
pub const LADDER_FLOOR: Field =
    Field::int("ladder_floor", FLOOR, 4, "no die is reduced below this many sides")
        .label("smallest die")
        .unit("sides")
        .rare()
        .assumed();
/// Which dice wounds reduce.
pub const WOUND_REDUCES: Field = Field::choice(
    "wound_reduces",
    &["worst", "best"],
    "whose weapon die the owner reduces for a Wounded marker",
)
.label("die that a wound reduces")
.values(&["smallest die", "largest die"])
.rare()
.rule("4.2 example");
/// Whether wounds may share a die.
pub const WOUNDS_STACK: Field = Field::flag(
    "wounds_stack",
    false,
    "all Wounded markers reduce the same die, in place of one die each",
)
.label("several wounds reduce")
.values(&["one die each", "the same die"])
.rare()
.rule("4.2")
.assumed();
/// Types per wound.
pub const WOUND_REDUCTION: Field = reduction(
    "wound_reduction",
    "wound reduction",
    "die types off one weapon die for each Wounded marker",
)
.rule("4.2, 6.0");
/// Types for Prone.
pub const PRONE_REDUCTION: Field = reduction(
    "prone_reduction",
    "Prone reduction",
    "die types off the Experience die of a Prone team in close combat",
)
.rule("6.0");
/// Types for Prone in fire.
pub const PRONE_FIRE_REDUCTION: Field = reduction(
    "prone_fire_reduction",
    "Prone reduction in fire",
    "die types off the Experience die of a Prone team that fires; the source speaks of close combat alone",
)
.preset(Preset::Int(0))
.rule("6.0")
.assumed();
/// Types for Cowering.
pub const COWERING_REDUCTION: Field = reduction(
    "cowering_reduction",
    "Cowering reduction",
    "die types off the Experience die of a Cowering team",
)
.rule("5.0");
/// Types for Cowering, weapon dice.
pub const COWERING_WEAPON_REDUCTION: Field = reduction(
    "cowering_weapon_reduction",
    "Cowering weapon reduction",
    "die types off each weapon die of a Cowering team in close combat",
)
.rule("5.0");
/// Types for Advancing Fire.
pub const ADVANCING_FIRE_REDUCTION: Field = reduction(
    "advancing_fire_reduction",
    "Advancing Fire reduction",
    "die types off the Experience die for Advancing Fire",
)
.rule("7.0 Advancing Fire");
/// Types for Assault Fire.
pub const ASSAULT_FIRE_REDUCTION: Field = reduction(
    "assault_fire_reduction",
    "Assault Fire reduction",
    "die types off the Experience die for Assault Fire, in its fire and in its close combat",
)
.rule("7.0 Assault Fire");

/// The preset bands of fire.
pub const BANDS: Field = Field::choice(
    "bands",
    &["ranged", "cc"],
    "margins of Pin, Wounded and KIA: ranged 1, 3, 5; cc 0, 1, 3 (the source's own are lost)",
)
.label("margins of fire")
.values(&["ranged: 1, 3, 5", "close combat: 0, 1, 3"])
.rule("4.0")
.assumed();
/// Margin of a pin.
pub const PIN_MARGIN: Field = Field::optional(
    "pin_margin",
    Kind::Int(MARGIN),
    "smallest margin over Defense that pins, in place of the preset's",
)
.label("margin that pins")
.rare()
.rule("4.0")
.assumed();
/// Margin of a wound by fire.
pub const WOUND_MARGIN: Field = Field::optional(
    "wound_margin",
    Kind::Int(MARGIN),
    "smallest margin over Defense that wounds, in place of the preset's",
)
.label("margin that wounds")
.rare()
.rule("4.0")
.assumed();
/// Margin of a KIA by fire.
pub const KIA_MARGIN: Field = Field::optional(
    "kia_margin",
    Kind::Int(MARGIN),
    "smallest margin over Defense that kills, in place of the preset's",
)
.label("margin that kills")
.rare()
.rule("4.0")
.assumed();
/// Margin of a wound in close combat.
pub const CC_WOUND_MARGIN: Field = Field::int(
    "wound_margin",
    MARGIN,
    1,
    "smallest margin over Defense that wounds in close combat",
)
.label("close combat margin that wounds")
.rare()
.rule("6.1");
/// Margin of a KIA in close combat.
pub const CC_KIA_MARGIN: Field =
    Field::int("kia_margin", MARGIN, 3, "smallest margin over Defense that kills in close combat")
        .label("close combat margin that kills")
        .rare()
        .rule("6.1");
/// Whether the defender rolls too.
pub const STRIKES_BACK: Field = Field::flag(
    "strikes_back",
    true,
    "the defender rolls too; without it the attack alone is resolved",
)
.label("defender strikes back")
.rule("6.0");
/// Pin per casualty of fire.
pub const FIRE_ADDS_PIN: Field = Field::flag(
    "casualty_adds_pin",
    true,
    "each Wounded or KIA of fire also places a Pin Check marker",
)
.label("casualties of fire also pin")
.rare()
.rule("4.1 example");
/// Pin per casualty of close combat.
pub const CC_ADDS_PIN: Field = Field::flag(
    "casualty_adds_pin",
    false,
    "each Wounded or KIA of close combat also places a Pin Check marker",
)
.label("casualties of close combat also pin")
.rare()
.rule("6.1")
.assumed();
/// Who takes the other half.
pub const SPREAD: Field = Field::choice(
    "spread",
    &["even", "one", "none"],
    "where the owner puts the results the target need not take: dealt over the other teams, on one, or nowhere else",
)
.label("results put elsewhere")
.values(&["dealt over the others", "all on one other team", "nowhere else"])
.rare()
.rule("4.1");
/// The target's share.
pub const TARGET_TAKES_ONE_IN: Field = Field::int(
    "target_takes_one_in",
    SHARE,
    2,
    "the target takes one result in this many, rounded up",
)
.label("target takes one result in")
.rare()
.rule("4.1");
/// Whether one other team may take as many results as the target.
pub const OTHERS_TAKE: Field = Field::choice(
    "others_take",
    &["as-many", "fewer"],
    "another team may take as many results as the target, or always fewer: the target keeps the rest",
)
.label("another team takes")
.values(&["as many as the target", "fewer than the target"])
.rare()
.rule("4.1 example");
/// What becomes of casualties beyond the figures.
pub const OVERKILL: Field = Field::choice(
    "overkill",
    &["lost", "passes-on"],
    "KIA and Wounded results beyond a team's last figure are lost, or pass on to the squad's other teams",
)
.label("results beyond the last figure")
.values(&["lost", "passed on"])
.rare()
.rule("4.1, 4.2");
/// Whom a KIA takes.
pub const KIA_TAKES: Field = Field::choice(
    "kia_takes",
    &["wounded", "unwounded"],
    "the owner gives a KIA to a Wounded figure, whose marker goes with it, or keeps every marker",
)
.label("a KIA takes")
.values(&["a Wounded figure", "an unwounded figure"])
.rare()
.rule("4.2");

/// The passing total.
pub const MORALE_PASS: Field = Field::int(
    "morale_pass",
    TOTAL,
    3,
    "smallest total that passes a morale test; each point short costs an action (the text's \"less than four\" contradicts its own examples)",
)
.label("total that passes")
.rare()
.rule("5.0")
.assumed();
/// Off the total for Cowering.
pub const RALLY_PENALTY: Field =
    Field::int("rally_penalty", PENALTY, 2, "off the total of a Cowering team")
        .label("Rally penalty")
        .rare()
        .rule("5.1");
/// What rallying costs.
pub const RALLY_COST: Field =
    Field::int("rally_cost", ACTIONS, 1, "actions that a successful Rally uses")
        .label("cost of a Rally")
        .unit("actions")
        .rare()
        .rule("5.1");
/// Which die a Cowering team rolls.
pub const RALLY_DIE: Field = Field::flag(
    "rally_uses_reduced_die",
    false,
    "a Cowering team rolls a reduced die of its own, in place of reading the squad's",
)
.label("Rally die")
.values(&["the squad's", "its own, reduced"])
.rare()
.rule("5.1 example")
.assumed();
/// What contact asks of a Cowering team.
pub const CONTACT_NEEDS_PASS: Field = Field::flag(
    "contact_needs_pass",
    true,
    "a Cowering team in contact must pass outright: short of that it is eliminated though it has actions left",
)
.label("Rally in contact needs")
.values(&["an action left", "an outright pass"])
.rare()
.rule("6.3")
.assumed();

/// Who fires at whom.
pub const FIRED_AT: [Field; 2] = [ATTACKERS, TARGET];
/// How results are shared out over the squad, and what they take.
pub const SHARED_OUT: [Field; 5] =
    under(headings::RESULTS, [SPREAD, TARGET_TAKES_ONE_IN, OTHERS_TAKE, OVERKILL, KIA_TAKES]);
/// The bands of the fire roll.
pub const FIRE_BANDS: [Field; 5] =
    under(headings::RESULTS, [BANDS, PIN_MARGIN, WOUND_MARGIN, KIA_MARGIN, FIRE_ADDS_PIN]);
/// The bands of close combat.
pub const CC_BANDS: [Field; 3] =
    under(headings::RESULTS, [CC_WOUND_MARGIN, CC_KIA_MARGIN, CC_ADDS_PIN]);
/// What reduces the dice of a team that fires.
pub const STATE_OF_SHOOTERS: [Field; 4] =
    readings([COVER_BONUS, LADDER_FLOOR, PRONE_FIRE_REDUCTION, COWERING_REDUCTION]);
/// What reduces the dice of a team that fights.
pub const STATE_OF_TEAM: [Field; 4] =
    readings([COVER_BONUS, LADDER_FLOOR, PRONE_REDUCTION, COWERING_REDUCTION]);
/// What Wounded markers do to a team's dice.
pub const WOUND_RULES: [Field; 3] = readings([WOUND_REDUCTION, WOUND_REDUCES, WOUNDS_STACK]);
/// How a squad tests its morale.
pub const MORALE_RULES: [Field; 5] = under(
    headings::MORALE,
    [MORALE_PASS, RALLY_PENALTY, RALLY_COST, RALLY_DIE, CONTACT_NEEDS_PASS],
);
