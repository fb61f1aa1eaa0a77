//! `dropzone`: d6 energy against armour, a 10 mm science-fiction army game in its second edition.
//!
//! Source: the second edition's quick reference, with unit and weapon data from
//! `data/dropzone_*.tsv`. `fields.rs` has the fields, `specials.rs` the special rules, `matchup.rs`
//! adds up the modifiers, `volley.rs` rolls. Movement, line of sight and missions are not played.

mod crash;
mod data;
mod engagement;
mod fields;
mod focus;
mod fortitude;
mod matchup;
mod pricing;
mod printed;
mod profile;
mod rows;
mod ruin;
mod salvo;
mod scenery;
mod search;
mod shoot;
mod site;
mod specials;
mod squad;
mod volley;

use crate::catalogue::System;
use crate::form::Words;
use crate::shared::Shared;

/// The rulebook.
pub fn system() -> System {
    let actions = [
        shoot::SHOOT,
        engagement::ENGAGEMENT,
        fortitude::FORTITUDE,
        crash::TRANSPORT_LOSS,
        crash::AIRCRAFT_CRASH,
        scenery::DEMOLISH,
        scenery::COLLATERAL,
        search::SEARCH,
    ];
    let actions = actions.map(|action| action.prints(printed::printed));
    System {
        source: "second edition quick reference; unit and weapon data of version 2.2".into(),
        dice: "d6, d3".into(),
        direction: "d6, high is good".into(),
        off_table:
            "Needing 7 or more cannot hit, needing 1 or less always hits (ACCURACY). Damage beyond \
                    the last Damage Point of a model is lost (DAMAGE)."
                .into(),
        data_date: "2026-11-21".into(),
        check_data: Shared::Static(&data::check_data),
        data_tables: Shared::Static(&data::data_tables),
        pricing: Some(Shared::Static(&pricing::PRICING)),
        readings: Words::Static(&[
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
            "Who entered a garrison or disembarked did so in the first round of an engagement.",
            "Tokens that a shot leaves where somebody is inside (`at_once`) are resolved before the next damage die of the \
         shots; those that are due when the piece falls are lost with it.",
            "Tokens that a token leaves (`token_criticals`) count at once where somebody is inside, with all others there; \
         who is inside is asked before that token hits one of them.",
            "Who leaves a garrison outnumbered and fails runs away: he loses Damage Points and is not said to abandon it \
         (`abandons` is no), because he leaves in any case.",
        ]),
        not_modelled: Words::Static(&[
            "movement, line of sight, arcs and coherency, except as modifiers",
            "Airburst and Grav; Indirect fire at what nobody sees; reaction fire",
            "the blast of an Area weapon on other units, and its D6 hits on infantry",
            "firing a Reduced weapon as one combined shot",
            "Rapid Insertion, Infiltrate and other specials of which the reference says nothing: no die is changed by them",
        ]),
        ..System::new("dropzone", "10 mm science-fiction armies, energy against armour", actions)
    }
}
