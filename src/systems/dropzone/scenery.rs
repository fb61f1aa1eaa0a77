//! The fields and catalogue entries of `demolish` and `collateral`; what they play is in `site.rs`.
//!
//! Source: quick reference, SCENERY and COLLATERAL DAMAGE; pieces from `data/dropzone_scenery.tsv`.

use crate::bounds::Bound;
use crate::catalogue::{Action, Contest};
use crate::combat::AnyCombat;
use crate::form::Words;
use crate::form::groups::{joined, readings, under};
use crate::form::{Fault, Field, Form, Kind, Preset, Value};
use crate::shared::Shared;

use super::data;
use super::fields::{
    ACCURACY, ARMOUR, DAMAGE, ENERGY, FLAMMABLE, POINTS, READINGS, RULES, SHOOTERS, THE_PLACE,
    THE_TARGET, WEAPON, a_squad, a_unit,
};
use super::matchup::Matchup;
use super::profile::{Target, Weapon};
use super::site::{Around, MAX_INSIDE, Site, inside};
use super::specials::UnitType;

/// The most units around a piece.
const MAX_AROUND: usize = 16;

const TOKENS: Bound = Bound::new("number of tokens", 0, 20);
const ROUNDS: Bound = Bound::new("number of Round Ups", 0, 12);
const INCHES: Bound = Bound::new("distance in inches", 0, 24);

const THOSE_INSIDE: &str = "those inside";
const THOSE_AROUND: &str = "those around";

const DISTANCES: [Field; 1] = under(
    THOSE_AROUND,
    [Field::new(
        "distances",
        Kind::list(const { &Kind::Int(INCHES) }),
        Preset::Ints(Shared::Static(&[1])),
        "inches from the piece to each unit",
    )
    .label("distance of each unit")
    .unit("inches")],
);

const PIECE: [Field; 6] = under(
    THE_TARGET,
    [
        Field::optional(
            "piece",
            Kind::name(data::piece_names),
            "the piece of scenery, from the data",
        )
        .label("piece of scenery"),
        Field::optional("target", Kind::name(data::piece_names), "another word for `piece`")
            .label("piece of scenery, its other name")
            .rare(),
        Field::optional("armour", Kind::Int(ARMOUR), "armour of the piece")
            .label("armour of the piece"),
        Field::optional("damage_points", Kind::Int(POINTS), "Damage Points of the piece")
            .label("Damage Points of the piece"),
        FLAMMABLE,
        Field::optional(
            "occupant",
            Kind::tables(joined![a_unit(THOSE_INSIDE), a_squad(THOSE_INSIDE)]),
            "squads inside, at most three",
        )
        .label("squads inside"),
    ],
);

const BYSTANDER: [Field; 1] = [Field::optional(
    "bystander",
    Kind::Table(joined![a_unit(THOSE_AROUND), DISTANCES]),
    "units around the piece, alike",
)
.label("units around")
.group(THE_PLACE)];

const TOKEN_RULES: [Field; 8] = readings([
    Field::int("token_energy", ENERGY, 4, "energy of a token's hit")
        .from("COLLATERAL DAMAGE")
        .label("energy of a token"),
    Field::int("flammable_energy", ENERGY, 2, "energy of a token's hit on what burns")
        .from("Flammable")
        .label("energy of a token on what burns"),
    Field::flag(
        "flammable_inside",
        true,
        "on what burns, that energy hits the squad inside as well; `token_energy` if not",
    )
    .from("Flammable")
    .assumed()
    .label("the same energy inside what burns"),
    Field::int(
        "token_criticals",
        TOKENS,
        0,
        "tokens that a Critical of a token's hit leaves on the piece",
    )
    .from("Destructible")
    .assumed()
    .label("tokens of a token's Critical")
    .unit("tokens"),
    Field::choice(
        "rubble",
        &["each", "once"],
        "the 2D3 hits of the fall: rolled for each squad inside, or once for all",
    )
    .from("Destructible")
    .assumed()
    .label("the 2D3 hits of the fall")
    .values(&["rolled for each squad", "rolled once for all"]),
    Field::int(
        "token_always",
        ACCURACY,
        6,
        "damage dice of tokens of this face or more always damage",
    )
    .from("COLLATERAL DAMAGE")
    .label("lowest damage die that always damages"),
    Field::flag(
        "dodge_collateral",
        false,
        "Dodge is rolled against tokens as well, as in the full rulebook",
    )
    .assumed()
    .label("Dodge counts against tokens"),
    Field::flag("at_once", true, "tokens count at once when somebody is inside")
        .from("COLLATERAL DAMAGE")
        .label("tokens count at once"),
]);

const DEMOLISH_OWN: [Field; 3] = [
    Field::int("critical_tokens", TOKENS, 1, "tokens a Critical leaves")
        .from("Destructible")
        .label("tokens of a Critical")
        .unit("tokens")
        .group(READINGS)
        .rare(),
    Field::int("flame_tokens", TOKENS, 1, "tokens Flame leaves on what burns")
        .from("Flammable")
        .label("tokens of Flame")
        .unit("tokens")
        .group(READINGS)
        .rare(),
    Field::int("round_ups", ROUNDS, 0, "Round Ups after the shots")
        .label("Round Ups")
        .group(THE_PLACE),
];

const COLLATERAL_OWN: [Field; 3] = [
    Field::int("tokens", TOKENS, 1, "tokens on the piece")
        .label("tokens on the piece")
        .unit("tokens")
        .group(THE_TARGET),
    Field::int("round_ups", ROUNDS, 1, "Round Ups played").label("Round Ups").group(THE_PLACE),
    Field::flag("just_placed", false, "the tokens were placed just now")
        .label("just placed")
        .values(&["placed before", "placed just now"])
        .group(THE_TARGET),
];

/// The catalogue entry of shots at scenery.
pub const DEMOLISH: Action = Action::new(
    "demolish",
    "shots at a piece of scenery, its fall, and who is inside or near",
    joined![
        WEAPON,
        SHOOTERS,
        PIECE,
        DEMOLISH_OWN,
        BYSTANDER,
        TOKEN_RULES,
        RULES,
        DAMAGE
    ],
    &build_demolish,
    &[
        "weapon = 'UCM/Gladius/Quake Accelerated Mortar'\nsquad = 2\npiece = 'small building'",
        "weapon = 'Resistance/Hannibal/HI-EX Hammer Cannon'\nsquad = 3\npiece = 'barricade'\n\
         [bystander]\ntarget = 'UCM/Sabre'\ndistances = [1, 2]",
        "weapon = 'UCM/Seraphim/Firestorm Heavenfire'\npiece = 'small forest'\nround_ups = 1",
        "shots = 2\naccuracy = 3\nenergy = 9\nspecials = ['Destroyer 5+']\narmour = 10\ndamage_points = 2\n\
         [[occupant]]\narmour = 8\ndamage_points = 2\n[[occupant]]\narmour = 7\ntarget_specials = ['Dodge 4+']",
        "shots = 1\naccuracy = 2\nenergy = 9\narmour = 10\ndamage_points = 1\nrubble = 'once'\n\
         [[occupant]]\narmour = 12\ndamage_points = 3\n[[occupant]]\narmour = 13\ndamage_points = 3",
    ],
)
.asks("How often does {weapon|the weapon} bring down a {piece|piece of scenery}?")
.off_table(
    "Scenery is hit on 2 or more, whatever the accuracy (ACCURACY). Damage beyond the last Damage \
     Point of the piece, or of a model, is lost (DAMAGE).",
);

/// The catalogue entry of collateral damage.
pub const COLLATERAL: Action = Action::new(
    "collateral",
    "collateral damage tokens on a piece of scenery, Round Up by Round Up",
    joined![COLLATERAL_OWN, PIECE, BYSTANDER, TOKEN_RULES, DAMAGE],
    &build_collateral,
    &[
        "piece = 'medium building'\ntokens = 3\nround_ups = 2\n[occupant]\ntarget = 'UCM/Legionnaires'",
        "piece = 'large forest'\ntokens = 4\nround_ups = 3",
        "armour = 7\ndamage_points = 2\ntokens = 2\njust_placed = true\n[occupant]\ntarget = 'Scourge/Razorworms'",
        "piece = 'medium bunker'\ntokens = 2\n[[occupant]]\narmour = 7\ndamage_points = 2\ncount = 2\n\
         [[occupant]]\narmour = 9",
        "armour = 7\ndamage_points = 4\ntoken_criticals = 1\nround_ups = 2\n[occupant]\narmour = 9\ndamage_points = 3",
        "piece = 'small forest'\ntokens = 2\nflammable_inside = false\n[occupant]\ntarget = 'UCM/Legionnaires'",
    ],
)
.asks("How often does collateral damage bring down a {piece|piece of scenery}?")
.direction("d6, high damages")
.off_table(
    "A damage die of 6 always damages (COLLATERAL DAMAGE). Damage beyond the last Damage Point of \
     the piece, or of a model, is lost (DAMAGE).",
);

fn build_demolish(form: &Form) -> Result<Contest, Vec<Fault>> {
    let weapon = Weapon::read(form)?;
    let piece = piece(form)?;
    let matchup = Matchup { weapon: &weapon, target: &piece, situation: form, rules: form };
    let each = weapon.shots_after(form.int("damage_lost") as u16);
    let burns = piece.flammable && weapon.specials.flame;
    let site = Site {
        shots: each.saturating_mul(form.int("squad") as u16),
        attack: Some(matchup.attack()),
        flame_tokens: if burns { form.int("flame_tokens") as u8 } else { 0 },
        critical_tokens: form.int("critical_tokens") as u8,
        ..site(form, &piece)?
    };
    Ok(contest(site, matchup.notes()))
}

fn build_collateral(form: &Form) -> Result<Contest, Vec<Fault>> {
    let piece = piece(form)?;
    let site = Site {
        tokens: form.int("tokens") as u8,
        just_placed: form.flag("just_placed"),
        ..site(form, &piece)?
    };
    Ok(contest(site, Vec::new()))
}

fn contest(site: Site, notes: Vec<String>) -> Contest {
    Contest {
        combat: AnyCombat::new(site),
        notes,
        grows_with: Words::Static(&[
            "shots",
            "squad",
            "tokens",
            "round_ups",
            "damage_points",
            "occupant",
            "bystander",
        ]),
    }
}

/// The piece as a target: named, or in numbers.
fn piece(form: &Form) -> Result<Target, Vec<Fault>> {
    let named = form.maybe_text("piece");
    let target = form.maybe_text("target");
    if let (Some(piece), Some(target)) = (named, target)
        && piece != target
    {
        let problem = format!("`target` is \"{target}\", but `piece` is \"{piece}\"");
        return Err(vec![Fault::new("target", problem)]);
    }
    let mut piece = match named.or(target) {
        Some(name) => Target::of_name(name)?,
        None if form.has("armour") && form.has("damage_points") => Target::bystander(),
        None => {
            let fault = Fault::new("piece", "`piece` is missing");
            return Err(vec![fault.help("name a piece, or give `armour` and `damage_points`")]);
        }
    };
    piece.unit_type = UnitType::Scenery;
    piece.armour = form.maybe_int("armour").unwrap_or(piece.armour);
    piece.points = form.maybe_int("damage_points").map_or(piece.points, |points| points as u8);
    piece.flammable |= form.flag("flammable");
    Ok(piece)
}

/// The piece, who is inside and who is around, before anything happens.
fn site(form: &Form, piece: &Target) -> Result<Site, Vec<Fault>> {
    let always = form.int("token_always");
    let energy = |burns: bool| match burns {
        true => form.int("flammable_energy"),
        false => form.int("token_energy"),
    };
    let energy_inside = energy(piece.flammable && form.flag("flammable_inside"));
    let tables = form.tables("occupant");
    if tables.len() > MAX_INSIDE {
        let problem =
            format!("at most {MAX_INSIDE} squads can be inside, but there are {}", tables.len());
        return Err(vec![Fault::new("occupant", problem)]);
    }
    let mut occupants = Vec::new();
    for (index, table) in tables.iter().enumerate() {
        let target =
            Target::read(table).map_err(|faults| within(&format!("occupant[{index}]"), faults))?;
        occupants.push(inside(&target, energy_inside, always, piece.armour, form));
    }
    Ok(Site {
        shots: 0,
        attack: None,
        flame_tokens: 0,
        critical_tokens: 0,
        points: piece.points,
        tokens: 0,
        just_placed: false,
        burns: piece.damage_die(energy(piece.flammable), Some(always), form),
        token_criticals: form.int("token_criticals") as u8,
        at_once: form.flag("at_once"),
        round_ups: form.int("round_ups") as u8,
        inside: occupants,
        rubble_once: form.text("rubble") == "once",
        around: around(form, piece)?,
    })
}

fn around(form: &Form, piece: &Target) -> Result<Option<Around>, Vec<Fault>> {
    let Some(table) = form.table("bystander") else {
        return Ok(None);
    };
    let target = Target::read(table).map_err(|faults| within("bystander", faults))?;
    let distances = table.list("distances");
    if distances.len() > MAX_AROUND {
        let problem =
            format!("at most {MAX_AROUND} units can be near, but there are {}", distances.len());
        return Err(vec![Fault::new("bystander.distances", problem)]);
    }
    let near = |inches: i64| {
        let near = distances.iter();
        near.filter(|distance| matches!(distance, Value::Int(n) if *n <= inches)).count() as u8
    };
    Ok(Some(Around {
        within: [1, 2, 3].map(near),
        points: target.points,
        fall: target.automatic(piece.armour, None, false, form),
    }))
}

fn within(table: &str, faults: Vec<Fault>) -> Vec<Fault> {
    faults.into_iter().map(|fault| fault.within(table)).collect()
}
