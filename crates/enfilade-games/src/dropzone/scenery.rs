//! Fields and catalogue entries of `demolish` and `collateral`; `site` plays them.
//!
//! Source: quick reference, SCENERY and COLLATERAL DAMAGE; pieces from `data/dropzone_scenery.tsv`.

use enfilade_model::catalogue::{Action, Contest};
use enfilade_model::form::bounds::Bound;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{Group, choice, fields};
use enfilade_model::form::{Fault, Form, Kind, Preset, both, each, within};
use enfilade_model::shared::Shared;

use super::crash::within_inches;
use super::data;
use super::fields::{
    ACCURACY, ARMOUR, DamageRules, ENERGY, Focus, Models, POINTS, READINGS, Rules, Shooters,
    Situation, THE_PLACE, THE_TARGET, TargetFields, WeaponFields, a_squad, a_unit,
};
use super::focus;
use super::matchup::Matchup;
use super::profile::{Target, UNREDUCED, Weapon};
use super::site::{Around, Inside, MAX_INSIDE, Site};
use super::specials::UnitType;

/// Largest number of units around a piece.
const MAX_AROUND: usize = 16;

const TOKENS: Bound = Bound::new("number of tokens", 0, 20);
const ROUNDS: Bound = Bound::new("number of Round Ups", 0, 12);
const INCHES: Bound = Bound::new("distance in inches", 0, 24);

choice! {
    /// Dice of the hits of the fall.
    pub enum Rubble {
        /// Rolled for each squad inside.
        Each = "each",
        /// Rolled once for all.
        Once = "once",
    }
}

const THOSE_INSIDE: &str = "those inside";
const THOSE_AROUND: &str = "those around";

fields! {
    /// Places of the units around.
    struct Distances: under(THOSE_AROUND) {
        /// inches from the piece to each unit
        distances: Vec<i64> = new(Kind::list(const { &Kind::Int(INCHES) }), Preset::Ints(Shared::Static(&[1])))
            .label("distance of each unit").unit("inches");
    }

    /// Piece of scenery, and the squads inside.
    struct Piece: under(THE_TARGET) {
        /// the piece of scenery, from the data
        piece: Option<String> = optional(Kind::name(data::piece_names)).label("piece of scenery");
        /// another word for `piece`
        target: Option<String> = optional(Kind::name(data::piece_names))
            .label("piece of scenery, its other name").rare();
        /// armour of the piece
        armour: Option<i64> = optional(Kind::Int(ARMOUR)).label("armour of the piece");
        /// Damage Points of the piece
        damage_points: Option<u8> = optional(Kind::Int(POINTS)).label("Damage Points of the piece");
        /// whether the piece burns; as printed when left out
        flammable: Option<bool> = optional(Kind::Flag).rule("Flammable").label("scenery that burns")
            .rare();
        /// whether squads can be inside; as printed when left out
        garrison: Option<bool> = optional(Kind::Flag).rule("SCENERY").label("a Garrison").rare();
        /// squads inside, at most three
        occupant: Option<Vec<(TargetFields, Models)>> = optional(Kind::tables(joined![a_unit(THOSE_INSIDE), a_squad(THOSE_INSIDE)]))
            .label("squads inside");
    }

    /// Units around.
    struct Bystander {
        /// units around the piece, alike
        bystander: Option<(TargetFields, Distances)> = optional(Kind::Table(joined![a_unit(THOSE_AROUND), Distances::FIELDS]))
            .label("units around").group(THE_PLACE);
    }

    /// Numbers and readings of the rules for tokens and the fall.
    struct TokenRules: readings {
        /// energy of a token's hit
        token_energy: i64 = int(ENERGY, 4).rule("COLLATERAL DAMAGE").label("energy of a token");
        /// energy of a token's hit on what burns
        flammable_energy: i64 = int(ENERGY, 2).rule("Flammable")
            .label("energy of a token on what burns");
        /// on what burns, that energy hits the squad inside as well; `token_energy` if not
        flammable_inside: bool = flag(true).rule("Flammable").assumed()
            .label("the same energy inside what burns");
        /// tokens that a Critical of a token's hit leaves on the piece
        token_criticals: u8 = int(TOKENS, 0).rule("Destructible").assumed()
            .label("tokens of a token's Critical").unit("tokens");
        /// the 2D3 hits of the fall: rolled for each squad inside, or once for all
        rubble: Rubble = choice(Rubble::WORDS).rule("Destructible").assumed()
            .label("the 2D3 hits of the fall")
            .values(&["rolled for each squad", "rolled once for all"]);
        /// damage dice of tokens of this face or more always damage
        token_always: i64 = int(ACCURACY, 6).rule("COLLATERAL DAMAGE")
            .label("lowest damage die that always damages");
        /// Dodge is rolled against tokens as well, as in the full rulebook
        dodge_collateral: bool = flag(false).assumed().label("Dodge counts against tokens");
        /// only Infantry is inside
        only_infantry_inside: bool = flag(true).rule("GARRISONS").label("only Infantry is inside");
        /// tokens count at once when a squad is inside
        at_once: bool = flag(true).rule("COLLATERAL DAMAGE").label("tokens count at once");
    }

    /// Consequences of the shots.
    struct Shots {
        /// tokens a Critical leaves
        critical_tokens: u8 = int(TOKENS, 1).rule("Destructible").label("tokens of a Critical")
            .unit("tokens").group(READINGS).rare();
        /// tokens Flame leaves on what burns
        flame_tokens: u8 = int(TOKENS, 1).rule("Flammable").label("tokens of Flame").unit("tokens")
            .group(READINGS).rare();
        /// Round Ups after the shots
        round_ups: u8 = int(ROUNDS, 0).label("Round Ups").group(THE_PLACE);
    }

    /// Tokens on the piece before the shots.
    struct Tokens {
        /// tokens on the piece
        tokens: u8 = int(TOKENS, 1).label("tokens on the piece").unit("tokens").group(THE_TARGET);
        /// Round Ups played
        round_ups: u8 = int(ROUNDS, 1).label("Round Ups").group(THE_PLACE);
        /// the tokens were placed just now
        just_placed: bool = flag(false).label("just placed")
            .values(&["placed before", "placed just now"]).group(THE_TARGET);
    }
}

/// Catalogue entry of shots at scenery.
pub const DEMOLISH: Action = Action::new(
    "demolish",
    "shots at a piece of scenery, its fall, and the units inside or near",
    joined![
        WeaponFields::FIELDS,
        Focus::FIELDS,
        Shooters::FIELDS,
        Piece::FIELDS,
        Shots::FIELDS,
        Bystander::FIELDS,
        TokenRules::FIELDS,
        Rules::FIELDS,
        DamageRules::FIELDS,
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

/// Catalogue entry of collateral damage.
pub const COLLATERAL: Action = Action::new(
    "collateral",
    "collateral damage tokens on a piece of scenery, Round Up by Round Up",
    joined![
        Tokens::FIELDS,
        Piece::FIELDS,
        Bystander::FIELDS,
        TokenRules::FIELDS,
        DamageRules::FIELDS,
    ],
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
    let (shooters, shots) = (Shooters::read(form), Shots::read(form));
    let piece = piece(form);
    let site = piece.clone().and_then(|piece| site(form, &piece, shots.round_ups));
    let weapon = Weapon::of(WeaponFields::read(form), shooters.points);
    let (weapon, (piece, site)) = both(weapon, both(piece, site))?;
    let matchup = Matchup {
        weapon: &weapon,
        target: &piece,
        situation: &Situation::PLAIN,
        rules: &Rules::read(form),
        damage: &DamageRules::read(form),
        tally: false,
    };
    let each = if matchup.may_fire() { weapon.shots_after(shooters.damage_lost) } else { 0 };
    let fired = each.saturating_mul(shooters.squad);
    let mut notes = matchup.notes();
    notes.extend(weapon.spent(shooters.damage_lost));
    let idle = shooters.damage_lost > 0 && weapon.specials.reduced == 0;
    notes.extend(idle.then(|| UNREDUCED.into()));
    let merged = focus::merged(Focus::read(form).focus, &matchup, fired, &mut notes)?;
    let attack = matchup.merging(merged);
    let burns = piece.flammable && weapon.specials.flame;
    let site = Site {
        shots: fired,
        attack: Some(attack),
        flame_tokens: if burns { shots.flame_tokens } else { 0 },
        critical_tokens: shots.critical_tokens,
        ..site
    };
    Ok(contest(site, notes))
}

fn build_collateral(form: &Form) -> Result<Contest, Vec<Fault>> {
    let Tokens { tokens, just_placed, round_ups } = Tokens::read(form);
    let site = site(form, &piece(form)?, round_ups)?;
    Ok(contest(Site { tokens, just_placed, ..site }, Vec::new()))
}

fn contest(site: Site, notes: Vec<String>) -> Contest {
    Contest::of(site).noting(notes).growing_with(&[
        "shots",
        "squad",
        "tokens",
        "round_ups",
        "damage_points",
        "occupant",
        "bystander",
    ])
}

/// Reads the piece as a target: named, or in numbers.
fn piece(form: &Form) -> Result<Target, Vec<Fault>> {
    let given = Piece::read(form);
    if let (Some(piece), Some(target)) = (&given.piece, &given.target)
        && piece != target
    {
        let problem = format!("`target` is \"{target}\", but `piece` is \"{piece}\"");
        return Err(vec![Fault::new("target", problem)]);
    }
    let named = given.piece.or(given.target);
    let printed = named.and_then(|name| data::piece(&name)).map(Target::from);
    let piece = match (printed, given.armour.zip(given.damage_points)) {
        (Some(piece), _) => piece,
        (None, Some(_)) => Target::bystander(),
        (None, None) => {
            let fault = Fault::new("piece", "`piece` is missing");
            return Err(vec![fault.help("name a piece, or give `armour` and `damage_points`")]);
        }
    };
    Ok(Target {
        unit_type: UnitType::Scenery,
        armour: given.armour.unwrap_or(piece.armour),
        points: given.damage_points.unwrap_or(piece.points),
        flammable: given.flammable.unwrap_or(piece.flammable),
        garrison: given.garrison.unwrap_or(piece.garrison),
        ..piece
    })
}

/// Creates the piece with the units inside and around, before anything happens.
fn site(form: &Form, piece: &Target, round_ups: u8) -> Result<Site, Vec<Fault>> {
    let (rules, damage) = (TokenRules::read(form), DamageRules::read(form));
    let energy = |burns: bool| if burns { rules.flammable_energy } else { rules.token_energy };
    let energy_inside = energy(piece.flammable && rules.flammable_inside);
    let tables = Piece::read(form).occupant.unwrap_or_default();
    let few = few_enough(piece, tables.len());
    let occupants = each("occupant", tables, |(given, models)| {
        let target = Target::of(given)?.squad_of(&models);
        enters(&target, &rules)?;
        Ok(Inside {
            fresh: target.squad(),
            token: target.automatic(
                energy_inside,
                Some(rules.token_always),
                rules.dodge_collateral,
                &damage,
            ),
            fall: target.automatic(piece.armour, None, false, &damage),
        })
    });
    let ((_, inside), around) = both(both(few, occupants), around(form, piece, &damage))?;
    Ok(Site {
        shots: 0,
        attack: None,
        flame_tokens: 0,
        critical_tokens: 0,
        points: piece.points,
        tokens: 0,
        just_placed: false,
        burns: piece.damage_die(energy(piece.flammable), Some(rules.token_always), &damage),
        token_criticals: rules.token_criticals,
        at_once: rules.at_once,
        round_ups,
        inside,
        rubble_once: rules.rubble == Rubble::Once,
        around,
    })
}

/// SCENERY: "GARRISON". Checks that this number of squads can be inside.
fn few_enough(piece: &Target, squads: usize) -> Result<(), Vec<Fault>> {
    let fault = match squads {
        0 => return Ok(()),
        _ if !piece.garrison => {
            let fault =
                Fault::new("occupant", "no one can be inside: the piece is no GARRISON (SCENERY)");
            fault.help("leave out `occupant`; `garrison = true` is a house rule")
        }
        1..=MAX_INSIDE => return Ok(()),
        many => {
            let problem =
                format!("at most {MAX_INSIDE} squads can be inside, but there are {many}");
            Fault::new("occupant", problem)
        }
    };
    Err(vec![fault])
}

/// GARRISONS: "Infantry may enter a Garrison."
fn enters(squad: &Target, rules: &TokenRules) -> Result<(), Vec<Fault>> {
    if !(squad.stays_outside() && rules.only_infantry_inside) {
        return Ok(());
    }
    let what = squad.unit_type.word();
    let problem = format!("it is {what}, and \"Infantry may enter a Garrison\" (GARRISONS)");
    let help = "put it into `bystander`; `only_infantry_inside = false` is a house rule";
    Err(vec![Fault::new("type", problem).help(help)])
}

fn around(form: &Form, piece: &Target, damage: &DamageRules) -> Result<Option<Around>, Vec<Fault>> {
    let Some((given, Distances { distances })) = Bystander::read(form).bystander else {
        return Ok(None);
    };
    let few = match distances.len() {
        0..=MAX_AROUND => Ok(()),
        many => {
            let problem = format!("at most {MAX_AROUND} units can be near, but there are {many}");
            Err(vec![Fault::new("distances", problem)])
        }
    };
    let (target, ()) = both(Target::of(given), few).map_err(within("bystander"))?;
    Ok(Some(Around {
        within: [1, 2, 3].map(|inches| within_inches(&distances, inches)),
        points: target.points,
        fall: target.automatic(piece.armour, None, false, damage),
    }))
}
