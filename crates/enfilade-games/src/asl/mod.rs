//! Fire attacks on the Infantry Fire Table of a squad-level game of the Second World War.
//!
//! Source: A7 Fire Attacks (A7.1–A7.9); the sections that A7 refers to (morale checks, leader loss,
//! wounds, breakdown, ELR) from their own pages. Readings of the source are listed in
//! [`build_asl`], and so are the parts that are not played.
//!
//! - `fire_contest`, `morale_check`: the actions with their fields; `field_headings`: their
//!   headings
//! - `firers`, `firepower`, `drm`, `targets`: from a file to an attack and a stack
//! - `attack_input`: the firers of one attack; `further_attacks`: the other attacks of a contest
//! - `fire`, `attack`, `pending_rolls`, `vehicles`: the rules that roll dice
//! - `attack_explanation`, `tally`: explanations and counts
//! - `printed_unit_numbers`: the printed numbers of the items that a contest names
//! - `unit_pricing`: the names used for prices of weapons
//! - `data`, `rule_numbers`: tables and numbers

mod attack;
mod attack_explanation;
mod attack_input;
mod attack_outcome;
mod attack_sequence;
mod data;
mod data_tables;
mod drm;
mod field_headings;
mod fire_contest;
mod firepower;
mod firers;
mod further_attacks;
mod morale_check;
mod pending_rolls;
mod printed_unit_numbers;
mod rule_numbers;
mod targets;
mod unit_pricing;
mod unit_profiles;
mod unit_stack;
mod vehicles;

use enfilade_model::catalogue::{AbsentName, System, new_absent_name};
use enfilade_model::form::Words;
use enfilade_model::static_or_shared::StaticOrCounted;

/// Returns the catalogue entry.
pub fn build_asl() -> System {
    let actions = [
        fire_contest::FIRE_ACTION_ENTRY,
        morale_check::MORALE_CHECK_ENTRY,
        fire_contest::ROF_ACTION_ENTRY,
    ];
    let actions = actions.map(|action| {
        action.with_printed_number_lookup(printed_unit_numbers::printed_numbers_for_form)
    });
    System {
        source: "squad-level rules of the Second World War, section A7 Fire Attacks".into(),
        dice: "2d6 (coloured and white), 1d6".into(),
        direction: "2d6, low is good".into(),
        off_table: "Below 1 FP there is no attack; above 36 FP the 36 column holds. A Final DR below 0 \
                    counts as 0, one above 15 as 15 (A7.3). A cowering attack in the lowest column has \
                    no effect (A7.9).".into(),
        data_date: "2026-11-21".into(),
        check_data: StaticOrCounted::Static(&data::check_data_files),
        data_tables: StaticOrCounted::Static(&data_tables::build_data_tables),
        readings: Words::Static(AMBIGUITY_READINGS),
        not_modelled: Words::Static(UNMODELLED_RULES),
        pricing: unit_pricing::build_weapon_pricing(),
        absent: StaticOrCounted::Static(&ABSENT_NAME_TEXTS),
        ..System::new("asl", "Fire attacks on the Infantry Fire Table", actions)
    }
}

/// Names that users look for, with their equivalents here.
static ABSENT_NAME_TEXTS: [AbsentName; 20] = [
    new_absent_name(
        "hero",
        "a hero is a target of `kind = \"hero\"` with their `morale`; a leader who is one has `heroic = true`",
    ),
    new_absent_name(
        "terrain",
        "terrain is a modifier by its name, `modifiers = [\"Stone building\"]`, of the contest or of one target",
    ),
    new_absent_name(
        "leader_pinned",
        "a pinned leader does not direct fire (A7.53): leave them out",
    ),
    new_absent_name("cavalry", "cavalry is a squad or a leader with `cannot_pin = true` (A7.8)"),
    new_absent_name(
        "FT",
        "a flamethrower is a firer of `kind = \"flamethrower\"` with its printed `fp`",
    ),
    new_absent_name(
        "DC",
        "a demolition charge is a firer of `kind = \"demolition-charge\"` with its printed `fp`",
    ),
    new_absent_name(
        "flamethrower",
        "a flamethrower is a firer of `kind = \"flamethrower\"` with its printed `fp`",
    ),
    new_absent_name("fire_lane", FIRE_LANE_TEXT),
    new_absent_name("residual", RESIDUAL_TEXT),
    new_absent_name("residual_fp", RESIDUAL_TEXT),
    new_absent_name("residual_firepower", RESIDUAL_TEXT),
    new_absent_name("concealed", CONCEALED_TEXT),
    new_absent_name("concealment", CONCEALED_TEXT),
    new_absent_name("rally", RALLY_TEXT),
    new_absent_name("rout", RALLY_TEXT),
    new_absent_name("turns", TURNS_TEXT),
    new_absent_name("rounds", TURNS_TEXT),
    new_absent_name(
        "hex",
        "hexes to the target are `range`; one in the same hex has `triple_point_blank`",
    ),
    new_absent_name(
        "cover",
        "cover is a modifier by its name, `modifiers = [\"Woods\"]`, or `drm`",
    ),
    new_absent_name(
        "ATR",
        "an anti-tank rifle is a firer of `kind = \"atr\"` with its printed `fp`",
    ),
];

const FIRE_LANE_TEXT: &str = "Fire Lanes (A7.371) lay no residual firepower here: each attack of one is a contest; \
                         `exempt = \"fire-lane\"` of a firer keeps it from cowering (A7.9)";
const RESIDUAL_TEXT: &str =
    "residual firepower attacks as any other total: a contest of `fire` with the counter's `fp`";
const CONCEALED_TEXT: &str = "fire at a concealed target is Area Fire: `area_fire = 1` (A7.23)";
const RALLY_TEXT: &str =
    "rally and rout are not in the source, section A7: a broken unit stays broken in a contest";
const TURNS_TEXT: &str = "a contest is one fire phase: further attacks in it are `[[contest.attack]]`, later ones are a \
 `[[contest.then]]`, with `times` or `until` several times";

const AMBIGUITY_READINGS: &[&str] = &[
    "A Pin that is handed on to a following step still applies: the steps belong to one Player Turn, at whose \
     end Pins are removed (A7.8).",
    "Leader loss (A10.2) is resolved after the attack, the best leader first, by every unit \
     whose current morale is lower than the lost leader's was until then, on the side they \
     broke from; their modifier counts as a positive number, whatever its sign. A replaced \
     leader (A19.1) is lost as the better leader they were. A leader who breaks, and is then \
     eliminated by another's leader loss, is lost twice: a task check for the one and a morale \
     check for the other. A passed morale check for leader loss does not pin: it is no result \
     of the table (A7.8).",
    "The pin on the highest passing roll (A7.8) is a Final DR equal to the morale level; where that takes an \
     Original 12, which fails (A10.31), or more, it is an Original 11, the highest that passes.",
    "An Original 12 (A10.31) is special in morale checks, not in task checks.",
    "Heroes and berserk units that fail a morale check suffer Casualty Reduction; an Original 12 is no \
     worse for them.",
    "Leaders check best morale first; of equal morale those who are unbroken and unpinned by \
     then, then the best modifier, then the one whose own modifiers shelter them most. The \
     leader who helps is the one with the best modifier who is unbroken, unpinned and owes no \
     roll, a wounded one included.",
    "A fire group cowers unless every unit in it is exempt (A7.9); a machine gun without a named crew \
     is fired by one of the others.",
    "A7.301 and A7.302 do not define which units draw where they have different results \
     (A7.83). Their numbers are for the Location, so `random_selection` has all units with a \
     KIA draw together, for the highest number, and all with a K; a unit that is not selected \
     suffers its own result. \"apart\" lets each result draw among the units that have it.",
    "A pinned firer's ATR keeps its firepower: A7.8 halves inherent firepower, A7.81 MG, IFE and \
     Canister. `area_fire` of the firer halves it.",
    "In one Location one leader directs, the best of `leaders`; the worst counts for a group in \
     several Locations (A7.531), of more leaders than Locations too, because their places are \
     not given.",
    "A19.33 defines Inexperienced units (A7.9); they are not derived from the class, Conscripts \
     and Green squads included: `inexperienced` sets it, and a note names those it may concern.",
    "hazardous replaces FFMO and FFNAM, and counts against pinned units too, whom A7.83 frees of those \
     two only; Height Advantage counts only without another positive TEM.",
    "Passengers suffer their own result, apart from the Personnel in the Location: their DR has the \
     vehicle's modifiers (A7.308 EX), and Random Selection among them is their own.",
    "Which vehicles an attack can affect is drawn without ties: the number of A7.308 is a \
     maximum. Every affected vehicle has a separate Unlikely Kill dr.",
    "The IIFT has no Kill Numbers: an incremental column uses the next lower standard one.",
    "A leader who is replaced becomes the next one of the list; a unit with underscored morale and one \
     given by numbers are not replaced.",
    "A pinned firer, or one in the Advancing Fire phase without Opportunity Fire, has no multiple rate \
     of fire (A7.81, A7.25).",
    "A weapon that must not fire at Long Range (A7.22) reaches its normal range; flamethrowers may.",
    "A firer whose target is out of range takes no part, and less than 1 firepower is no attack (A7.22, \
     A7.3): nothing happens, no die is rolled, and the result says so in a note.",
    "Encirclement does not lower the morale of heroes and berserk units (A7.7).",
    "A unit counts for what the attack did to it: one that was broken or pinned before, and still is, \
     counts as neither.",
    "A half-squad whose broken morale is not printed has one less than its squad's broken side (A1.122).",
];

const UNMODELLED_RULES: &[&str] = &[
    "A7.1, A7.31-A7.33, A7.55: which units may fire when and at how many targets, and which must form a \
     fire group",
    "A7.21: adjacency and lines of sight; range and Point Blank are given by the contest",
    "A7.26: rarer changes of firepower; give `fp` after them",
    "A7.211, A7.212: which targets may be chosen, passengers in enemy hexes, the CE modifier of \
     halftracks by itself (name CE)",
    "A7.25, A7.351: counters for having fired; a squad's separate attacks are separate contests",
    "A7.3: heavy payloads above 36 firepower (C.7)",
    "A7.301: unarmed units; A7.302: Recall of vehicle crews",
    "A7.307: flamethrowers, demolition charges and Molotovs against armour, Stun, Recall, Bailing Out",
    "A7.308: horses; vehicles in Bypass; ordnance and more than one attack against vehicles",
    "A7.34: Spraying Fire is one attack at a time: each of its hexes is a contest",
    "A7.353: halved inherent firepower that units keep in Subsequent First Fire and Final Fire",
    "A7.371: Fire Lanes, Barrage, HEAT equivalency; A7.372: artillery concentrations",
    "A7.4: targets in one Location that the line of fire does not reach",
    "A7.5, A7.52, A7.54: which units may join a fire group; give the worst hindrance of the group yourself",
    "A7.53, A7.531: how often a leader may direct fire; a pinned leader cannot: do not name them",
    "A7.6: which terrain modifiers add up; FFMO is not taken away by terrain that negates it",
    "A7.7-A7.72: how encirclement comes about, its movement cost and capture effects",
    "A7.8: pins of vehicle crews and Riders (A7.82, A7.821); `cannot_pin` marks units that cannot be \
     pinned, and a Minimum Move that pins nevertheless is not played",
    "A7.305: Interdiction (10.53)",
    "A7.83, A7.831: what pinning does to movement",
    "A7.81: what a pinned unit may not do besides firing at half effect; To Hit rolls",
    "A7.9: which units of a cowering fire group are marked as having fired",
    "A8.2: residual firepower makes no attack; an explanation names the counter that is left",
    "A15: what heat of battle does (berserk, hero creation, surrender): only its trigger is counted",
    "A17: the lower morale and leadership of a wounded leader",
    "A19.12, A19.132: Disruption, and the replacement of units with underscored morale",
    "Japanese step reduction: their squads need a broken side in the contest",
    "Repair and elimination numbers of machine guns",
];
