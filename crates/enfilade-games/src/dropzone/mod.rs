//! `dropzone`: d6 energy against armour, a 10 mm science-fiction army game in its second edition.
//!
//! Source: the second edition's quick reference, with unit and weapon data from
//! `data/dropzone_*.tsv`. `shooting_fields.rs` has the fields, `specials.rs` the special rules,
//! `matchup.rs` adds up the modifiers, `volley.rs` rolls. Movement, line of sight and
//! missions are not played.

mod crash;
mod data_rows;
mod engagement;
mod focus_weapons;
mod fortitude;
mod matchup;
mod objective_search;
mod pricing;
mod printed_profile_numbers;
mod profile;
mod row_books;
mod salvo;
mod scenery;
mod shoot;
mod shooting_fields;
mod site;
mod site_outcome;
mod specials;
mod squad;
mod volley;

use enfilade_model::catalogue::{AbsentName, System, new_absent_name};
use enfilade_model::form::Words;
use enfilade_model::static_or_shared::StaticOrCounted;

/// Names that users look for, with their equivalents here.
static ABSENT_NAME_TEXTS: [AbsentName; 17] = [
    new_absent_name("small bunker", BUNKERS_TEXT),
    new_absent_name("large bunker", BUNKERS_TEXT),
    new_absent_name("bunker", "the bunker that is printed is \"medium bunker\""),
    new_absent_name(
        "building",
        "buildings are \"small building\", \"medium building\" and \"large building\"",
    ),
    new_absent_name(
        "forest",
        "forests are \"small forest\", \"medium forest\" and \"large forest\"",
    ),
    new_absent_name("commander", COMMANDERS_TEXT),
    new_absent_name("command_value", COMMANDERS_TEXT),
    new_absent_name("influence", COMMANDERS_TEXT),
    new_absent_name("fortitude_test", FORTITUDE_TEXT),
    new_absent_name(
        "garrison",
        "who is in a Garrison is an `occupant` of `demolish` and `collateral`; a volley inside one has \
                        `entered_garrison`, and what cover it gives is `body_cover` and `soft_cover`",
    ),
    new_absent_name(
        "turns",
        "a contest is one activation: `engagement` has `rounds`; others are repeated by `[[contest.then]]`",
    ),
    new_absent_name("units", EMBARKED_KINDS_TEXT),
    new_absent_name("embarked", EMBARKED_KINDS_TEXT),
    new_absent_name("scenery", FALL_TEXT),
    new_absent_name("piece", FALL_TEXT),
    new_absent_name("building_damage", FALL_TEXT),
    new_absent_name("cover", "cover is `soft_cover`, `body_cover` or `hull_down`"),
];

const BUNKERS_TEXT: &str =
    "the source prints the medium bunker alone: give `armour` and `damage_points` of another";
const COMMANDERS_TEXT: &str = "a commander changes no die: 4 inches of influence for each point of command value, which costs 0, 35, 65, \
                          95, 125 or 155 points (COMMANDERS); these points are part of a `price`";
const FORTITUDE_TEXT: &str =
    "the Fortitude Test is the action `fortitude`; after fire it is a `[[contest.then]]`";
const EMBARKED_KINDS_TEXT: &str = "units on board are of one kind, `count` of them: each further kind is a contest of its own, and \
                        the means of both add up";
const FALL_TEXT: &str = "what a crash does to scenery is a contest of its own with the piece as `target`: \
                                `target = \"medium building\"`; shots at one are `demolish`";

/// Readings of the source where it is ambiguous.
const AMBIGUITY_READINGS: &[&str] = &[
    "A Destroyer's Critical needs the face of the die, not the modified roll, and that this die hits; \
         with `destroyer_hits` such a face hits whatever is needed.",
    "Several weapons in one volley (`attack`) are resolved in the order in which they are written; all shots \
         are allocated before any die, so what is left over when the target is gone is lost.",
    "Hits merged by Focus are merged in groups of `focus_merge`; what is left over is merged too. A \
         Destroyer's Critical and a glance are no hits to merge: they count when they are rolled.",
    "With `focus = \"best\"` as many hits are merged as are expected to do most damage to the target, \
         among equals to destroy most models, then the fewest; it is decided before any die is rolled, for an \
         engagement by the first volley of a side with everybody there, and at scenery without a thought of tokens.",
    "Dodge is rolled after passive countermeasures, for each point they let through.",
    "AA-X takes X off the evasion of whatever is shot at.",
    "Cover (All) ignores hull down as well.",
    "Area is lost against scenery.",
    "Shots are resolved one after another, hit die, damage die and countermeasures, unless hits are merged.",
    "The hits of a weapon with Strafe-X are rolled as one volley of X times its shots.",
    "Squads that entered a garrison or disembarked did so in the first round of an engagement.",
    "Tokens that a shot leaves on an occupied piece (`at_once`) are resolved before the next \
     damage die of the shots; those that are due when the piece falls are lost with it.",
    "Tokens that a token leaves (`token_criticals`) count at once on an occupied piece, with \
     all others there; whether it is occupied is decided before that token hits a squad inside.",
    "A token's hit on the piece and its hit on a squad inside are two hits of Energy 4, each \
     with a separate damage die.",
    "Close Quarters weapons do not fire at targets at a distance (`range`) or at targets that \
     are not Infantry, because they must be in the same Garrison (SHOOTING); \
     `close_quarters_anywhere` is a house rule.",
    "A squad that leaves a garrison outnumbered and fails runs away: it loses Damage Points and \
     is not counted as abandoning the garrison (`abandons` is no), because it leaves in any \
     case.",
];

/// Returns the rulebook.
pub fn build_dropzone() -> System {
    let actions = [
        shoot::SHOOT_ACTION,
        engagement::ENGAGEMENT_ACTION,
        fortitude::FORTITUDE_ACTION,
        crash::TRANSPORT_LOSS_ACTION,
        crash::AIRCRAFT_CRASH_ACTION,
        scenery::DEMOLISH_ACTION,
        scenery::COLLATERAL_ACTION,
        objective_search::OBJECTIVE_SEARCH_ACTION,
    ];
    let actions = actions.map(|action| {
        action.with_printed_number_lookup(printed_profile_numbers::printed_numbers_for_form)
    });
    System {
        source: "second edition quick reference; unit and weapon data of version 2.2".into(),
        dice: "d6, d3".into(),
        direction: "d6, high is good".into(),
        off_table:
            "Needing 7 or more cannot hit, needing 1 or less always hits (ACCURACY). Damage beyond \
                    the last Damage Point of a model is lost (DAMAGE)."
                .into(),
        data_date: "2026-11-21".into(),
        check_data: StaticOrCounted::Static(&row_books::check_data_files),
        data_tables: StaticOrCounted::Static(&row_books::build_data_tables),
        pricing: Some(StaticOrCounted::Static(&pricing::DROPZONE_PRICING)),
        readings: Words::Static(AMBIGUITY_READINGS),
        not_modelled: Words::Static(&[
            "movement, line of sight, arcs and coherency, except as modifiers",
            "Airburst and Grav; Indirect fire at unseen targets; reaction fire",
            "the blast of an Area weapon on other units, and its D6 hits on infantry",
            "firing a Reduced weapon as one combined shot",
            "Rapid Insertion, Infiltrate and other specials that the reference does not describe: they change no die",
        ]),
        absent: StaticOrCounted::Static(&ABSENT_NAME_TEXTS),
        ..System::new("dropzone", "10 mm science-fiction armies, energy against armour", actions)
    }
}
