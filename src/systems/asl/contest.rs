//! The actions `fire` and `rof`: their fields, and from a checked form to a [`Fire`].

use crate::bounds::Bound;
use crate::catalogue::{Action, Contest};
use crate::combat::AnyCombat;
use crate::form::groups::{joined, readings, under};
use crate::form::{Fault, Field, Fields, Form, Kind, Preset, Words, both};

use super::arms::{Arms, NEVER, gun};
use super::drm;
use super::fire::{Cadence, Fire, Salvo};
use super::firers::fields;
use super::headings;
use super::numbers::Numbers;
use super::ordeal::{Ordeal, Personnel};
use super::outcome::Extras;
use super::series;
use super::targets::{self, Setting, Targets};
use super::vehicles::Convoy;

const ELR_RANGE: Bound = Bound::new("Experience Level Rating", 0, 5);
const SURVIVAL_ROLL: Bound = Bound::new("survival number", 1, 12);
const ATTACKS: Bound = Bound::new("number of attacks", 1, 20);
const SHOTS: Bound = Bound::new("number of attacks", 1, 60);

/// `elr`.
pub const ELR: Field = Field::optional(
    "elr",
    Kind::Int(ELR_RANGE),
    "Experience Level Rating: who fails a morale check by more is replaced; absent: nobody",
)
.label("Experience Level Rating")
.rare()
.from("A19.1");

/// `heat_of_battle`.
pub const HEAT: Field = Field::flag(
    "heat_of_battle",
    false,
    "count the morale checks that set off heat of battle; it has no effect on the unit",
)
.label("heat of battle")
.values(&["not counted", "counted"])
.rare()
.from("A15.1");

/// `leader_loss`.
pub const LEADER_LOSS: Field = Field::flag(
    "leader_loss",
    true,
    "units of lower morale check for a leader who breaks or is eliminated, after the attack",
)
.label("loss of a leader")
.values(&["not felt", "felt"])
.rare()
.from("A10.2")
.assumed();

/// `random_selection`.
const SELECTION: Field = Field::choice(
    "random_selection",
    &["together", "apart"],
    "where the pinned and those who move have different results: all with a KIA draw together, for the \
     highest number, and all with a K; or each result draws among those who have it",
)
.label("Random Selection")
.values(&["one draw for all", "a draw for each result"])
.rare()
.from("A7.301, A7.302")
.assumed();

/// `rules`.
pub const RULES: Field = Field::new(
    "rules",
    Kind::Table(joined![Numbers::FIELDS]),
    Preset::Empty,
    "the numbers of the rules, for trying out others",
)
.label("numbers of the rules")
.rare();

const TABLE: Field = Field::choice("table", &["ift", "iift"], "fire table")
    .label("fire table")
    .values(&["Infantry Fire Table", "Incremental Infantry Fire Table"])
    .rare()
    .from("A7.3, A7.37");

const SURVIVAL: Field = Field::optional(
    "survival",
    Kind::Int(SURVIVAL_ROLL),
    "a passenger of an eliminated vehicle survives with a DR of at most this; absent: his morale",
)
.label("passengers' survival number")
.rare()
.from("A7.308")
.assumed();

const MOST_ATTACKS: Field = Field::int(
    "max_attacks",
    SHOTS,
    30,
    "the gun stops after this many attacks even if it keeps its rate",
)
.label("attacks at most")
.from("A9.2")
.assumed();

const UNTIL_CLEAR: Field = Field::flag(
    "until_clear",
    false,
    "the gun stops when nobody is left; otherwise it fires on, at others, while it keeps its rate",
)
.label("when nobody is left")
.values(&["fires on", "stops"])
.rare()
.from("A9.2")
.assumed();

const VOLLEYS: Field = Field::int(
    "attacks",
    ATTACKS,
    1,
    "equal attacks one after another, each by other firers, who cower for themselves",
)
.label("number of attacks")
.rare()
.from("A7.31, A7.32");

/// What changes the roll.
const MODIFIERS: [Field; 2] = under(headings::ATTACK, [drm::NET, drm::NAMED]);

/// Who directs it, and who cowers.
const NERVE: [Field; 5] = under(
    headings::FIRERS,
    [
        fields::LEADER,
        fields::LEADERS,
        fields::LOCATIONS_FIELD,
        fields::INEXPERIENCED,
        fields::COWERS,
    ],
);

/// How it is fired.
const MANNER: [Field; 7] = under(
    headings::ATTACK,
    [
        fields::RANGE_FIELD,
        fields::PHASE,
        fields::OPPORTUNITY,
        fields::ASSAULT,
        fields::POINT_BLANK,
        fields::TRIPLE,
        fields::AREA_FIRE,
    ],
);

/// At whom.
const AIM: [Field; 2] = under(headings::TARGET, [targets::TARGETS, targets::ENCIRCLED]);

/// What comes of it.
const DRAW: [Field; 1] = readings([SELECTION]);
const QUALITY: [Field; 1] = under(headings::TARGET, [ELR]);
const LATER: [Field; 3] = readings([HEAT, LEADER_LOSS, RULES]);

const FIRE_FIELDS: Fields = joined![
    under(headings::ATTACK, [TABLE, VOLLEYS]),
    under(headings::FIRERS, [fields::FP, fields::FIRERS]),
    MODIFIERS,
    NERVE,
    under(headings::FIRERS, [fields::BREAKDOWN_FIELD]),
    MANNER,
    under(headings::ATTACK, [series::FURTHER]),
    AIM,
    under(headings::ATTACK, [drm::VEHICLE, drm::COLLATERAL]),
    under(headings::TARGET, [SURVIVAL]),
    DRAW,
    QUALITY,
    LATER,
];

const ROF_FIELDS: Fields = joined![
    under(headings::ATTACK, [TABLE]),
    under(headings::FIRERS, [fields::FP, fields::FIRERS, fields::ROF, fields::GUN_BREAKDOWN]),
    under(headings::ATTACK, [MOST_ATTACKS, UNTIL_CLEAR]),
    MODIFIERS,
    NERVE,
    MANNER,
    AIM,
    DRAW,
    QUALITY,
    LATER,
];

/// The `fire` action.
pub const FIRE: Action = Action::new(
    "fire",
    "one fire attack on one Location",
    FIRE_FIELDS,
    &build_fire,
    &[
        "fp = 8\ndrm = -1\n[[target]]\nkind = \"squad\"\nmorale = 7",
        "leader = \"9-2\"\nrange = 7\n[[firer]]\nunit = \"4-6-7\"\ncount = 2\n[[firer]]\n\
         weapon = \"MMG\"\nnation = \"German\"\n\
         [[target]]\nunit = \"4-4-7\"\nnation = \"Russian\"\ncount = 3\n[[target]]\nleader = \"8-0\"",
        "fp = 16\nelr = 1\nheat_of_battle = true\n\
         [[target]]\nunit = \"4-4-7\"\nnation = \"Russian\"\n[[target]]\nleader = \"8-1\"\n\
         [[target]]\nleader = \"6+1\"\nwounded = true",
        "table = \"iift\"\ninexperienced = true\nmodifiers = [\"FFMO\", \"FFNAM\", \"smoke\"]\n\
         [[firer]]\nfp = 5\npoint_blank = true\n\
         [[target]]\nkind = \"hero\"\nmorale = 9\n[[target]]\nunit = \"4-6-7\"\nbroken = true",
        "fp = 8\nmodifiers = [\"Shellholes\"]\nleader = \"8-0\"\nbreakdown = 12\n\
         [[target]]\nkind = \"squad\"\nmorale = 7\n\
         [[target]]\nvehicle = \"unarmoured\"\nunit = \"2-4-7\"\nnation = \"German\"\npassengers = 1",
        "fp = 2\ndrm = 4\n[[target]]\nvehicle = \"unarmoured\"\ncount = 3\nhull_down = true\n\
         [[target]]\nvehicle = \"armoured\"\nkind = \"crew\"\nmorale = 8\nvulnerable = true",
        "fp = 4\nencircled = true\nmodifiers = [\"FFMO\"]\n[[target]]\nkind = \"crew\"\nmorale = 8\n\
         pinned = true\n[[target]]\nkind = \"squad\"\nmorale = 8\nberserk = true",
        "modifiers = [\"Woods\"]\n[[attack]]\nfp = 8\n[[attack]]\nfp = 4\nleader = \"8-1\"\ntimes = 2\n\
         [[attack]]\nmax_attacks = 2\n[[attack.firer]]\nweapon = \"HMG\"\nnation = \"German\"\n\
         [[target]]\nkind = \"squad\"\nmorale = 7\nmodifiers = [\"FFMO\"]\n[[target]]\nleader = \"8-1\"\n\
         heroic = true\n[[target]]\nkind = \"crew\"\nmorale = 8\ncannot_pin = true\ndrm = 1",
        "fp = 12\ndrm = -1\nattacks = 2\nmodifiers = [\"FFMO\", \"FFNAM\"]\n\
         random_selection = \"apart\"\n[[target]]\nkind = \"squad\"\nmorale = 7\n\
         [[target]]\nkind = \"squad\"\nmorale = 7\npinned = true\ncount = 2",
    ],
)
.asks("How often does fire hurt the {target.unit|target}?");

/// The `rof` action.
pub const ROF: Action = Action::new(
    "rof",
    "a machine gun that fires on while it keeps its rate of fire",
    ROF_FIELDS,
    &build_rof,
    &[
        "max_attacks = 4\n[[firer]]\nweapon = \"HMG\"\nnation = \"German\"\nrange = 10\n\
         [[target]]\nunit = \"4-4-7\"\nnation = \"Russian\"",
        "fp = 4\nrof = 2\nbreakdown = 11\nmax_attacks = 3\nmodifiers = [\"FFMO\", \"FFNAM\"]\n\
         [[target]]\nkind = \"squad\"\nmorale = 7\n[[target]]\nkind = \"leader\"\nmorale = 8\n\
         leadership = -1",
        "leader = \"8-1\"\nmax_attacks = 3\nphase = \"advancing\"\nopportunity_fire = true\n\
         [[firer]]\nweapon = \"MMG\"\nnation = \"Russian\"\narea_fire = 1\n\
         [[target]]\nkind = \"half-squad\"\nmorale = 6\ncount = 2",
    ],
)
.asks(
    "How often does the {firer.weapon|machine gun} hurt the {target.unit|target} while it keeps its rate \
     of fire?",
);

fn build_fire(form: &Form) -> Result<Contest, Vec<Fault>> {
    let volleys = u8::try_from(form.int("attacks")).unwrap_or(u8::MAX);
    let repeated = volleys > 1 || !form.tables("attack").is_empty();
    build(form, |_, _| Ok(Cadence::Volleys(volleys)), repeated)
}

fn build_rof(form: &Form) -> Result<Contest, Vec<Fault>> {
    build(form, |form, arms| gun(form, arms).map(Cadence::Gun), true)
}

/// What a contest says about all its targets.
pub fn setting(form: &Form, again: bool) -> Setting {
    Setting {
        encircled: form.flag("encircled"),
        elr: form.has("elr"),
        leader_loss: form.flag("leader_loss"),
        again,
        numbers: Numbers::of(form),
    }
}

/// The optional outcome fields of a contest.
pub fn extras(form: &Form, attacks: bool) -> Extras {
    Extras { heat_of_battle: form.flag("heat_of_battle"), replaced: form.has("elr"), attacks }
}

/// The rules of a contest for its Personnel.
pub fn personnel(form: &Form, targets: &Targets, setting: Setting) -> Personnel {
    Personnel {
        roster: targets.roster.clone(),
        numbers: setting.numbers,
        elr: form.maybe_int("elr").map(|elr| elr as i32),
        heat_of_battle: form.flag("heat_of_battle"),
        leader_loss: setting.leader_loss,
        again: setting.again,
        apart: form.maybe_text("random_selection") == Some("apart"),
    }
}

fn build(
    form: &Form,
    cadence: impl Fn(&Form, &Arms) -> Result<Cadence, Vec<Fault>>,
    repeated: bool,
) -> Result<Contest, Vec<Fault>> {
    let setting = setting(form, repeated);
    let own = |form: &Form| {
        let arms = Arms::read(form, None, &setting.numbers)?;
        let cadence = if arms.is_attack { cadence(form, &arms)? } else { NEVER };
        Ok((arms, cadence))
    };
    let (series, targets) = both(series::read(form, own), targets::read(form, setting))?;
    for (arms, _) in &series {
        check_vehicles(arms, &targets, repeated)?;
    }
    let notes = series.iter().flat_map(|(arms, _)| arms.notes(form)).collect();
    let grows_with = Words::Static(match series.as_slice() {
        [(_, Cadence::Gun(_))] => &["max_attacks", "target.count"],
        [] | [(_, Cadence::Volleys(0 | 1))] => &["target.count"],
        _ => &["attacks", "target.count"],
    });
    let made = series.into_iter().filter(|(arms, _)| arms.is_attack);
    let fire = Fire {
        salvos: made.map(|(arms, cadence)| Salvo { attack: arms.attack, cadence }).collect(),
        personnel: personnel(form, &targets, setting),
        open: Ordeal::of(targets.stack),
        convoy: Convoy {
            vehicles: targets.vehicles,
            survival: form.maybe_int("survival").map(|roll| roll as i32),
            numbers: setting.numbers,
        },
        extras: extras(form, series::has_gun(form)),
    };
    Ok(Contest { combat: AnyCombat::new(fire), notes, grows_with })
}

/// What is not modelled about vehicles is refused.
fn check_vehicles(arms: &Arms, targets: &Targets, repeated: bool) -> Result<(), Vec<Fault>> {
    let vehicles = &targets.vehicles;
    let armoured = vehicles.iter().any(|vehicle| vehicle.armoured);
    let ordnance = arms.kinds.iter().find(|kind| !kind.line);
    let piercing = arms.kinds.iter().find(|kind| kind.armour);
    let problem = match (ordnance, piercing) {
        _ if vehicles.is_empty() => return Ok(()),
        _ if repeated => "more than one attack on vehicles is not modelled".to_owned(),
        (Some(kind), _) => format!("{} against vehicles is not modelled", kind.name),
        (_, Some(kind)) if armoured => format!("{} against armour is not modelled", kind.name),
        _ => return Ok(()),
    };
    Err(vec![Fault::new("target", problem)])
}
