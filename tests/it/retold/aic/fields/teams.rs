//! The fields that say which teams there are: who attacks, who is attacked, who stands by.

use crate::retold::aic::headings;
use crate::retold::aic::ladder::SIDES;
use enfilade::bounds::Bound;
use enfilade::form::field_groups::under;
use enfilade::form::{Field, Kind, Preset};

/// Figures of a team.
pub const FIGURES: Bound = Bound::new("number of figures", 1, 12);
const WOUNDED: Bound = Bound::new("number of Wounded markers", 0, 12);
/// Markers on a team.
pub const PINS: Bound = Bound::new("number of Pin Check markers", 0, 30);
const DEFENSE: Bound = Bound::new("Defense rating", 0, 30);
const MOTIVATION: Bound = Bound::new("Motivation rating", 1, 10);

const DIE: Kind = Kind::die(SIDES);

const EXPERIENCE: Field =
    Field::optional("experience", DIE, "Experience die of the team's squad").rule("4.0, 6.0");
const WEAPONS: Field = Field::optional(
    "weapons",
    Kind::list(const { &DIE }),
    "team weapon die of each figure that attacks, the best ones first",
)
.rule("6.0");
const NUMBER: Field = Field::optional(
    "figures",
    Kind::Int(FIGURES),
    "number of figures, in place of a list of weapons",
);
const WEAPON: Field = Field::optional("weapon", DIE, "team weapon die of every figure");
const WOUNDED_MARKERS: Field =
    Field::int("wounded", WOUNDED, 0, "Wounded markers at the start").rule("4.2").rare();
const PIN_MARKERS: Field =
    Field::int("pins", PINS, 0, "Pin Check markers at the start").rule("5.0");
const PRONE: Field = Field::flag("prone", false, "the team is Prone").rule("6.0").rare();
const COWERING: Field =
    Field::flag("cowering", false, "the team is Cowering").rule("5.0, 5.1").rare();
const IN_CONTACT: Field = Field::flag(
    "in_contact",
    false,
    "in base-to-base contact with an enemy: a Cowering team that fails to Rally is eliminated",
)
.rule("6.3")
.rare();

/// One attacking team.
const ATTACKER: [Field; 8] = under(
    headings::ATTACKERS,
    [
        EXPERIENCE.label("attacker's Experience die"),
        WEAPONS.label("attacker's weapon dice"),
        NUMBER.label("attacking figures"),
        WEAPON.label("attacker's weapon die"),
        WOUNDED_MARKERS.label("attacker's Wounded markers"),
        PRONE.label("attacker Prone"),
        COWERING.label("attacker Cowering"),
        Field::optional(
            "defense",
            Kind::Int(DEFENSE),
            "Defense rating, needed where the enemy strikes back",
        )
        .rule("6.0")
        .label("attacker's Defense"),
    ],
);

/// Another team of the target's squad.
const SQUADMATE: [Field; 6] = under(
    headings::TARGET,
    [
        NUMBER.label("squadmate's figures"),
        WOUNDED_MARKERS.label("squadmate's Wounded markers"),
        PIN_MARKERS.label("squadmate's Pin Check markers"),
        COWERING.label("squadmate Cowering"),
        IN_CONTACT.label("squadmate in contact with an enemy"),
        Field::optional("motivation", Kind::Int(MOTIVATION), "its Motivation, if not the squad's")
            .label("squadmate's Motivation")
            .rare(),
    ],
);

/// A friend of the firer in contact with the target.
const FRIEND: [Field; 3] = under(
    headings::TARGET,
    [
        NUMBER.label("friend's figures"),
        WOUNDED_MARKERS.label("friend's Wounded markers"),
        PIN_MARKERS.label("friend's Pin Check markers").rare(),
    ],
);

/// The team that is attacked or tested, with its squad.
pub const DEFENDER: [Field; 14] = under(
    headings::TARGET,
    [
        EXPERIENCE.label("target's Experience die"),
        WEAPONS.label("target's weapon dice"),
        NUMBER.label("target figures"),
        WEAPON.label("target's weapon die"),
        WOUNDED_MARKERS.label("target's Wounded markers"),
        PRONE.label("target Prone"),
        COWERING.label("target Cowering"),
        Field::optional("defense", Kind::Int(DEFENSE), "printed Defense rating")
            .rule("6.0")
            .label("target's Defense"),
        Field::choice("cover", &["none", "cover", "medium", "hard"], "terrain it occupies")
            .rule("6.0")
            .label("cover")
            .values(&["in the open", "in Cover", "in Medium Cover", "in Hard Cover"]),
        Field::flag("armored_assault", false, "moves with an armored vehicle: one step more cover")
            .rule("7.0 Armored Assault")
            .label("Armored Assault")
            .rare(),
        Field::int("motivation", MOTIVATION, 3, "Motivation rating: actions of an activation")
            .rule("5.0")
            .label("target's Motivation"),
        PIN_MARKERS.label("target's Pin Check markers"),
        IN_CONTACT.label("target in contact with an enemy"),
        Field::new(
            "squadmate",
            Kind::tables(joined![SQUADMATE]),
            Preset::Empty,
            "the other teams of its squad, at most 5",
        )
        .rule("4.1")
        .label("squadmates"),
    ],
);

/// The attacking teams.
pub const ATTACKERS: Field = Field::required(
    "attacker",
    Kind::tables(joined![ATTACKER]),
    "the attacking team, or several, in the order in which they attack",
)
.label("attacking teams")
.group(headings::ATTACKERS);
/// The target.
pub const TARGET: Field = Field::required(
    "defender",
    Kind::Table(joined![DEFENDER]),
    "the team that is attacked, with its squad",
)
.label("target team")
.group(headings::TARGET);
/// The tested team.
pub const TESTED: Field = Field::required(
    "defender",
    Kind::Table(joined![DEFENDER]),
    "the team that is tested, with its squad",
)
.label("tested team")
.group(headings::TARGET);
/// The teams that accompany a vehicle.
pub const ACCOMPANYING: Field = Field::required(
    "defender",
    Kind::tables(joined![DEFENDER]),
    "the accompanying teams, each with figures, wounded and pins",
)
.rule("7.0 Armored Assault")
.label("teams beside the vehicle")
.group(headings::TARGET);
/// The friends who are fighting the target.
pub const FRIENDS: Field = Field::required(
    "friend",
    Kind::tables(joined![FRIEND]),
    "the firer's friends in contact with the target, at most 5",
)
.rule("6.4")
.label("friends in contact")
.group(headings::TARGET);
