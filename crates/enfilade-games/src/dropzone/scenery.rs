//! Fields and catalogue entries of `demolish` and `collateral`; `site` plays them.
//!
//! Source: quick reference, SCENERY and COLLATERAL DAMAGE; pieces from `data/dropzone_scenery.tsv`.

use enfilade_model::catalogue::{Contest, RulebookAction};
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{FieldGroupFromForm, choice, fields};
use enfilade_model::form::{
    DefaultValue, Fault, FieldType, Form, combine_results, fault_prefixer, read_each_table,
};
use enfilade_model::static_or_shared::StaticOrCounted;

use super::crash::count_distances_within;
use super::focus_weapons;
use super::matchup::WeaponMatchup;
use super::profile::{NO_REDUCED_WEAPON_NOTE, TargetSquad, WeaponWithShooter};
use super::row_books;
use super::shooting_fields::{
    ACCURACY_RANGE, ARMOUR_RANGE, DAMAGE_POINTS_RANGE, DamageRules, ENERGY_RANGE,
    FocusMergeCountField, PLACE_HEADING, READINGS_HEADING, ShooterFields, ShootingRules,
    ShootingSituation, SquadFields, TARGET_HEADING, TargetFields, WeaponFields,
    squad_fields_under_heading, unit_fields_under_heading,
};
use super::site::{
    BystanderGroup, MAX_SQUADS_INSIDE, SceneryPieceUnderFire, SquadInsideHitVolleys,
};
use super::specials::UnitType;

/// Largest number of units around a piece.
const MAX_BYSTANDER_UNITS: usize = 16;

const TOKEN_COUNT_RANGE: IntRange = IntRange::new("number of tokens", 0, 20);
const ROUND_UP_COUNT_RANGE: IntRange = IntRange::new("number of Round Ups", 0, 12);
const DISTANCE_INCHES_RANGE: IntRange = IntRange::new("distance in inches", 0, 24);

choice! {
    /// Dice of the hits of the fall.
    pub enum FallHitsRolledOnceOrEach {
        /// Rolled for each squad inside.
        Each = "each",
        /// Rolled once for all.
        Once = "once",
    }
}

const SQUADS_INSIDE_HEADING: &str = "those inside";
const UNITS_AROUND_HEADING: &str = "those around";

fields! {
    /// Places of the units around.
    struct BystanderDistanceField: put_under_heading(UNITS_AROUND_HEADING) {
        /// inches from the piece to each unit
        distances: Vec<i64> = new(FieldType::list_of(const { &FieldType::Int(DISTANCE_INCHES_RANGE) }), DefaultValue::Ints(StaticOrCounted::Static(&[1])))
            .with_player_name("distance of each unit").with_unit("inches");
    }

    /// Piece of scenery, and the squads inside.
    struct SceneryAndOccupantFields: put_under_heading(TARGET_HEADING) {
        /// the piece of scenery, from the data
        piece: Option<String> = new_optional(FieldType::name_from_list(row_books::all_scenery_piece_names)).with_player_name("piece of scenery");
        /// another word for `piece`
        target: Option<String> = new_optional(FieldType::name_from_list(row_books::all_scenery_piece_names))
            .with_player_name("piece of scenery, its other name").as_rarely_changed();
        /// armour of the piece
        armour: Option<i64> = new_optional(FieldType::Int(ARMOUR_RANGE)).with_player_name("armour of the piece");
        /// Damage Points of the piece
        damage_points: Option<u8> = new_optional(FieldType::Int(DAMAGE_POINTS_RANGE)).with_player_name("Damage Points of the piece");
        /// whether the piece burns; as printed when left out
        flammable: Option<bool> = new_optional(FieldType::Flag).with_rule_reference("Flammable").with_player_name("scenery that burns")
            .as_rarely_changed();
        /// whether squads can be inside; as printed when left out
        garrison: Option<bool> = new_optional(FieldType::Flag).with_rule_reference("SCENERY").with_player_name("a Garrison").as_rarely_changed();
        /// squads inside, at most three
        occupant: Option<Vec<(TargetFields, SquadFields)>> = new_optional(FieldType::tables(joined![unit_fields_under_heading(SQUADS_INSIDE_HEADING), squad_fields_under_heading(SQUADS_INSIDE_HEADING)]))
            .with_player_name("squads inside");
    }

    /// Units around.
    struct UnitsAroundPieceFields {
        /// units around the piece, alike
        bystander: Option<(TargetFields, BystanderDistanceField)> = new_optional(FieldType::Table(joined![unit_fields_under_heading(UNITS_AROUND_HEADING), BystanderDistanceField::FIELDS]))
            .with_player_name("units around").with_heading(PLACE_HEADING);
    }

    /// Numbers and readings of the rules for tokens and the fall.
    struct TokenAndFallRuleFields: under_readings {
        /// energy of a token's hit
        token_energy: i64 = new_whole_number(ENERGY_RANGE, 4).with_rule_reference("COLLATERAL DAMAGE").with_player_name("energy of a token");
        /// energy of a token's hit on what burns
        flammable_energy: i64 = new_whole_number(ENERGY_RANGE, 2).with_rule_reference("Flammable")
            .with_player_name("energy of a token on what burns");
        /// on what burns, that energy hits the squad inside as well; `token_energy` if not
        flammable_inside: bool = new_switch_with_default(true).with_rule_reference("Flammable").marked_as_interpretation()
            .with_player_name("the same energy inside what burns");
        /// tokens that a Critical of a token's hit leaves on the piece
        token_criticals: u8 = new_whole_number(TOKEN_COUNT_RANGE, 0).with_rule_reference("Destructible").marked_as_interpretation()
            .with_player_name("tokens of a token's Critical").with_unit("tokens");
        /// the 2D3 hits of the fall: rolled for each squad inside, or once for all
        rubble: FallHitsRolledOnceOrEach = new_choice(FallHitsRolledOnceOrEach::WORDS).with_rule_reference("Destructible").marked_as_interpretation()
            .with_player_name("the 2D3 hits of the fall")
            .with_value_labels(&["rolled for each squad", "rolled once for all"]);
        /// damage dice of tokens of this face or more always damage
        token_always: i64 = new_whole_number(ACCURACY_RANGE, 6).with_rule_reference("COLLATERAL DAMAGE")
            .with_player_name("lowest damage die that always damages");
        /// Dodge is rolled against tokens as well, as in the full rulebook
        dodge_collateral: bool = new_switch_with_default(false).marked_as_interpretation().with_player_name("Dodge counts against tokens");
        /// only Infantry is inside
        only_infantry_inside: bool = new_switch_with_default(true).with_rule_reference("GARRISONS").with_player_name("only Infantry is inside");
        /// tokens count at once when a squad is inside
        at_once: bool = new_switch_with_default(true).with_rule_reference("COLLATERAL DAMAGE").with_player_name("tokens count at once");
    }

    /// Consequences of the shots.
    struct ShotTokenFields {
        /// tokens a Critical leaves
        critical_tokens: u8 = new_whole_number(TOKEN_COUNT_RANGE, 1).with_rule_reference("Destructible").with_player_name("tokens of a Critical")
            .with_unit("tokens").with_heading(READINGS_HEADING).as_rarely_changed();
        /// tokens Flame leaves on what burns
        flame_tokens: u8 = new_whole_number(TOKEN_COUNT_RANGE, 1).with_rule_reference("Flammable").with_player_name("tokens of Flame").with_unit("tokens")
            .with_heading(READINGS_HEADING).as_rarely_changed();
        /// Round Ups after the shots
        round_ups: u8 = new_whole_number(ROUND_UP_COUNT_RANGE, 0).with_player_name("Round Ups").with_heading(PLACE_HEADING);
    }

    /// Tokens on the piece before the shots.
    struct InitialTokenFields {
        /// tokens on the piece
        tokens: u8 = new_whole_number(TOKEN_COUNT_RANGE, 1).with_player_name("tokens on the piece").with_unit("tokens").with_heading(TARGET_HEADING);
        /// Round Ups played
        round_ups: u8 = new_whole_number(ROUND_UP_COUNT_RANGE, 1).with_player_name("Round Ups").with_heading(PLACE_HEADING);
        /// the tokens were placed just now
        just_placed: bool = new_switch_with_default(false).with_player_name("just placed")
            .with_value_labels(&["placed before", "placed just now"]).with_heading(TARGET_HEADING);
    }
}

/// Catalogue entry of shots at scenery.
pub const DEMOLISH_ACTION: RulebookAction = RulebookAction::new(
    "demolish",
    "shots at a piece of scenery, its fall, and the units inside or near",
    joined![
        WeaponFields::FIELDS,
        FocusMergeCountField::FIELDS,
        ShooterFields::FIELDS,
        SceneryAndOccupantFields::FIELDS,
        ShotTokenFields::FIELDS,
        UnitsAroundPieceFields::FIELDS,
        TokenAndFallRuleFields::FIELDS,
        ShootingRules::FIELDS,
        DamageRules::FIELDS,
    ],
    &build_demolish_contest,
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
.with_title_question("How often does {weapon|the weapon} bring down a {piece|piece of scenery}?")
.with_off_table(
    "Scenery is hit on 2 or more, whatever the accuracy (ACCURACY). Damage beyond the last Damage \
     Point of the piece, or of a model, is lost (DAMAGE).",
);

/// Catalogue entry of collateral damage.
pub const COLLATERAL_ACTION: RulebookAction = RulebookAction::new(
    "collateral",
    "collateral damage tokens on a piece of scenery, Round Up by Round Up",
    joined![
        InitialTokenFields::FIELDS,
        SceneryAndOccupantFields::FIELDS,
        UnitsAroundPieceFields::FIELDS,
        TokenAndFallRuleFields::FIELDS,
        DamageRules::FIELDS,
    ],
    &build_token_damage_contest,
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
.with_title_question("How often does collateral damage bring down a {piece|piece of scenery}?")
.with_dice_and_direction("d6, high damages")
.with_off_table(
    "A damage die of 6 always damages (COLLATERAL DAMAGE). Damage beyond the last Damage Point of \
     the piece, or of a model, is lost (DAMAGE).",
);

fn build_demolish_contest(form: &Form) -> Result<Contest, Vec<Fault>> {
    let (shooters, shots) = (ShooterFields::read(form), ShotTokenFields::read(form));
    let piece = read_scenery_target(form);
    let site = piece.clone().and_then(|piece| build_scenery_rules(form, &piece, shots.round_ups));
    let weapon = WeaponWithShooter::from_row_or_numbers(WeaponFields::read(form), shooters.points);
    let (weapon, (piece, site)) = combine_results(weapon, combine_results(piece, site))?;
    let matchup = WeaponMatchup {
        weapon: &weapon,
        target: &piece,
        situation: &ShootingSituation::WITHOUT_MODIFIERS,
        rules: &ShootingRules::read(form),
        damage: &DamageRules::read(form),
        tally: false,
    };
    let each = if matchup.can_fire_any_shot() {
        weapon.shots_after_damage(shooters.damage_lost)
    } else {
        0
    };
    let fired = each.saturating_mul(shooters.squad);
    let mut notes = matchup.collect_weapon_notes();
    notes.extend(weapon.no_shots_note(shooters.damage_lost));
    let idle = shooters.damage_lost > 0 && weapon.specials.reduced == 0;
    notes.extend(idle.then(|| NO_REDUCED_WEAPON_NOTE.into()));
    let merged = focus_weapons::hits_merged_by_focus(
        FocusMergeCountField::read(form).focus,
        &matchup,
        fired,
        &mut notes,
    )?;
    let attack = matchup.face_meanings_of_merged_hits(merged);
    let burns = piece.flammable && weapon.specials.flame;
    let site = SceneryPieceUnderFire {
        shots: fired,
        attack: Some(attack),
        flame_tokens: if burns { shots.flame_tokens } else { 0 },
        critical_tokens: shots.critical_tokens,
        ..site
    };
    Ok(build_scenery_contest(site, notes))
}

fn build_token_damage_contest(form: &Form) -> Result<Contest, Vec<Fault>> {
    let InitialTokenFields { tokens, just_placed, round_ups } = InitialTokenFields::read(form);
    let site = build_scenery_rules(form, &read_scenery_target(form)?, round_ups)?;
    Ok(build_scenery_contest(SceneryPieceUnderFire { tokens, just_placed, ..site }, Vec::new()))
}

fn build_scenery_contest(site: SceneryPieceUnderFire, notes: Vec<String>) -> Contest {
    Contest::from_rule(site).with_notes(notes).with_size_fields(&[
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
fn read_scenery_target(form: &Form) -> Result<TargetSquad, Vec<Fault>> {
    let piece_fields = SceneryAndOccupantFields::read(form);
    if let (Some(piece), Some(target)) = (&piece_fields.piece, &piece_fields.target)
        && piece != target
    {
        let problem = format!("`target` is \"{target}\", but `piece` is \"{piece}\"");
        return Err(vec![Fault::new("target", problem)]);
    }
    let named = piece_fields.piece.or(piece_fields.target);
    let printed =
        named.and_then(|name| row_books::find_scenery_piece(&name)).map(TargetSquad::from);
    let piece = match (printed, piece_fields.armour.zip(piece_fields.damage_points)) {
        (Some(piece), _) => piece,
        (None, Some(_)) => TargetSquad::placeholder_not_shot_at(),
        (None, None) => {
            let fault = Fault::new("piece", "`piece` is missing");
            return Err(vec![
                fault.with_help("name a piece, or give `armour` and `damage_points`"),
            ]);
        }
    };
    Ok(TargetSquad {
        unit_type: UnitType::Scenery,
        armour: piece_fields.armour.unwrap_or(piece.armour),
        points: piece_fields.damage_points.unwrap_or(piece.points),
        flammable: piece_fields.flammable.unwrap_or(piece.flammable),
        garrison: piece_fields.garrison.unwrap_or(piece.garrison),
        ..piece
    })
}

/// Creates the piece with the units inside and around, before anything happens.
fn build_scenery_rules(
    form: &Form,
    piece: &TargetSquad,
    round_ups: u8,
) -> Result<SceneryPieceUnderFire, Vec<Fault>> {
    let (rules, damage) = (TokenAndFallRuleFields::read(form), DamageRules::read(form));
    let energy = |burns: bool| if burns { rules.flammable_energy } else { rules.token_energy };
    let energy_inside = energy(piece.flammable && rules.flammable_inside);
    let tables = SceneryAndOccupantFields::read(form).occupant.unwrap_or_default();
    let few = check_garrison_and_squad_count(piece, tables.len());
    let occupants = read_each_table("occupant", tables, |(given, models)| {
        let target = TargetSquad::from_row_or_numbers(given)?.with_count_and_allocation(&models);
        check_only_infantry_garrisons(&target, &rules)?;
        Ok(SquadInsideHitVolleys {
            fresh: target.squad_without_losses(),
            token: target.build_automatic_hit_dice(
                energy_inside,
                Some(rules.token_always),
                rules.dodge_collateral,
                &damage,
            ),
            fall: target.build_automatic_hit_dice(piece.armour, None, false, &damage),
        })
    });
    let ((_, inside), around) = combine_results(
        combine_results(few, occupants),
        read_bystander_group(form, piece, &damage),
    )?;
    Ok(SceneryPieceUnderFire {
        shots: 0,
        attack: None,
        flame_tokens: 0,
        critical_tokens: 0,
        points: piece.points,
        tokens: 0,
        just_placed: false,
        burns: piece.damage_by_die_face(energy(piece.flammable), Some(rules.token_always), &damage),
        token_criticals: rules.token_criticals,
        at_once: rules.at_once,
        round_ups,
        inside,
        rubble_once: rules.rubble == FallHitsRolledOnceOrEach::Once,
        around,
    })
}

/// SCENERY: "GARRISON". Checks that this number of squads can be inside.
fn check_garrison_and_squad_count(piece: &TargetSquad, squads: usize) -> Result<(), Vec<Fault>> {
    let fault = match squads {
        0 => return Ok(()),
        _ if !piece.garrison => {
            let fault =
                Fault::new("occupant", "no one can be inside: the piece is no GARRISON (SCENERY)");
            fault.with_help("leave out `occupant`; `garrison = true` is a house rule")
        }
        1..=MAX_SQUADS_INSIDE => return Ok(()),
        many => {
            let problem =
                format!("at most {MAX_SQUADS_INSIDE} squads can be inside, but there are {many}");
            Fault::new("occupant", problem)
        }
    };
    Err(vec![fault])
}

/// GARRISONS: "Infantry may enter a Garrison."
fn check_only_infantry_garrisons(
    squad: &TargetSquad,
    rules: &TokenAndFallRuleFields,
) -> Result<(), Vec<Fault>> {
    if !(squad.is_never_garrisoned() && rules.only_infantry_inside) {
        return Ok(());
    }
    let what = squad.unit_type.word();
    let problem = format!("it is {what}, and \"Infantry may enter a Garrison\" (GARRISONS)");
    let help = "put it into `bystander`; `only_infantry_inside = false` is a house rule";
    Err(vec![Fault::new("type", problem).with_help(help)])
}

fn read_bystander_group(
    form: &Form,
    piece: &TargetSquad,
    damage: &DamageRules,
) -> Result<Option<BystanderGroup>, Vec<Fault>> {
    let Some((bystander_fields, BystanderDistanceField { distances })) =
        UnitsAroundPieceFields::read(form).bystander
    else {
        return Ok(None);
    };
    let few = match distances.len() {
        0..=MAX_BYSTANDER_UNITS => Ok(()),
        many => {
            let problem =
                format!("at most {MAX_BYSTANDER_UNITS} units can be near, but there are {many}");
            Err(vec![Fault::new("distances", problem)])
        }
    };
    let (target, ()) = combine_results(TargetSquad::from_row_or_numbers(bystander_fields), few)
        .map_err(fault_prefixer("bystander"))?;
    Ok(Some(BystanderGroup {
        within: [1, 2, 3].map(|inches| count_distances_within(&distances, inches)),
        points: target.points,
        fall: target.build_automatic_hit_dice(piece.armour, None, false, damage),
    }))
}
