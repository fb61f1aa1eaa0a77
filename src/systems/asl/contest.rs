//! The actions `fire` and `rof`: their fields, and from a checked form to a [`Fire`].

use crate::bounds::Bound;
use crate::catalogue::{Action, Contest};
use crate::combat::AnyCombat;
use crate::form::groups::{joined, readings, under};
use crate::form::{Fault, Field, Fields, Form, Kind, Preset, Words, both};

use super::attack::Attack;
use super::data::{Table, WeaponKind, library};
use super::drm;
use super::fire::{Cadence, Fire, Gun};
use super::firers::{self, fields};
use super::headings;
use super::numbers::Numbers;
use super::ordeal::{Ordeal, Personnel};
use super::outcome::Extras;
use super::targets::{self, Setting, Targets};
use super::tell;
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
    build(form, |_, _| Ok(Cadence::Volleys(volleys)), volleys > 1)
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
    let arms = Arms::read(form, &setting.numbers);
    let targets = targets::read(form, setting);
    let (arms, targets) = both(arms, targets)?;
    let cadence = match arms.is_attack {
        true => cadence(form, &arms)?,
        false => Cadence::Volleys(0),
    };
    check_vehicles(&arms, &targets, repeated)?;
    let notes = arms.notes(form);
    let fire = Fire {
        attack: arms.attack,
        cadence,
        personnel: personnel(form, &targets, setting),
        open: Ordeal::of(targets.stack),
        convoy: Convoy {
            vehicles: targets.vehicles,
            survival: form.maybe_int("survival").map(|roll| roll as i32),
            numbers: setting.numbers,
        },
        extras: extras(form, form.has("max_attacks")),
    };
    Ok(Contest {
        combat: AnyCombat::new(fire),
        notes,
        grows_with: Words::Static(match cadence {
            Cadence::Gun(_) => &["max_attacks", "target.count"],
            Cadence::Volleys(0 | 1) => &["target.count"],
            Cadence::Volleys(_) => &["attacks", "target.count"],
        }),
    })
}

/// What fires.
struct Arms {
    attack: Attack,
    /// Whether the firepower is enough for an attack at all (A7.3).
    is_attack: bool,
    rates: Vec<u8>,
    kinds: Vec<&'static WeaponKind>,
    remarks: Vec<String>,
    undirected: bool,
    crowded: bool,
}

impl Arms {
    fn read(form: &Form, numbers: &Numbers) -> Result<Arms, Vec<Fault>> {
        let one = |fault| vec![fault];
        let table = table(form);
        let group = match (form.has("fp"), form.tables("firer").is_empty()) {
            (true, true) => firers::given(form).map_err(one),
            (false, false) => firers::group(form, numbers),
            _ => Err(vec![who_fires(form)]),
        };
        let leader = firers::director(form).map_err(one);
        let leadership = leader.as_ref().map_or(None, |leader| leader.map(|leader| leader.drm));
        let sums = drm::sums(form, leadership.map_or(0, i32::from)).map_err(one);
        let ((group, leader), sums) = both(both(group, leader), sums)?;
        let firepower = group.total.sixty_fourths();
        let column = table.column_for(firepower);
        let subject = form.flag("cowers") && leader.is_none() && group.cowers;
        let mut remarks = group.remarks;
        let cowering = match (subject, form.maybe_flag("inexperienced")) {
            (false, _) => 0,
            (true, Some(true)) => numbers.inexperienced_cowering_columns,
            (true, given) => {
                remarks.extend(group.doubts.into_iter().filter(|_| given.is_none()));
                numbers.cowering_columns
            }
        };
        Ok(Arms {
            attack: Attack {
                table,
                firepower,
                column: column.unwrap_or(0),
                cowering: u8::try_from(cowering).unwrap_or(0),
                drm: sums.personnel,
                drm_pinned: sums.pinned,
                drm_vehicle: sums.vehicle,
                drm_collateral: sums.collateral,
                breakdowns: group.breakdowns,
                account: group.account,
            },
            is_attack: column.is_some(),
            rates: group.rates,
            kinds: group.kinds,
            remarks,
            undirected: leader.is_none()
                && (form.has("leader") || !form.list("leaders").is_empty()),
            crowded: form.list("leaders").len() > 1 && form.int("locations") == 1,
        })
    }

    /// What a reader of the result must know.
    fn notes(&self, form: &Form) -> Vec<String> {
        let mut notes = self.remarks.clone();
        if !self.is_attack {
            notes.push(format!(
                "no attack: the firepower is {}, less than 1 (A7.3)",
                tell::firepower(self.attack.firepower)
            ));
        }
        if form.text("table") == "iift" {
            notes.push("unverified table".to_owned());
        }
        if self.undirected {
            let note =
                "nobody directs the fire: every Location of the group needs a leader (A7.531)";
            notes.push(note.to_owned());
        }
        if self.crowded {
            let note = "several leaders for one Location: the best one directs the fire (A7.531); \
                        for a group in more, give `locations`";
            notes.push(note.to_owned());
        }
        notes
    }
}

/// The fire table of a contest.
fn table(form: &Form) -> &'static Table {
    match form.text("table") {
        "iift" => &library().iift,
        _ => &library().ift,
    }
}

fn who_fires(form: &Form) -> Fault {
    let problem = if form.has("fp") {
        "`fp` is the total firepower, so there can be no `firer` beside it"
    } else {
        "nobody fires"
    };
    Fault::new("fp", problem).help("give either `fp` or [[contest.firer]]")
}

/// A9.2: one machine gun, by name or by numbers.
fn gun(form: &Form, arms: &Arms) -> Result<Gun, Vec<Fault>> {
    let given = form.maybe_int("rof").and_then(|rate| u8::try_from(rate).ok());
    let rate = match (form.has("fp"), given, arms.rates.as_slice(), arms.kinds.as_slice()) {
        (true, Some(rate), ..) => rate,
        (true, None, ..) => {
            let fault = Fault::new("rof", "the gun behind `fp` needs its rate of fire");
            return Err(vec![fault.help("give `rof`")]);
        }
        (false, None, [rate], [_]) => *rate,
        (false, Some(_), ..) => {
            let fault = Fault::new("rof", "the rate of fire belongs to the firer");
            return Err(vec![fault.help("write `rof` into [[contest.firer]]")]);
        }
        _ => {
            let problem = "one machine gun keeps its rate of fire, and nothing fires with it";
            return Err(vec![Fault::new("firer", problem)]);
        }
    };
    Ok(Gun {
        rate,
        most_attacks: u8::try_from(form.int("max_attacks")).unwrap_or(u8::MAX),
        until_clear: form.flag("until_clear"),
    })
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
