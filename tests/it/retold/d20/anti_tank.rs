//! `vehicle`: its fields, and how shots at a vehicle are put together.
//!
//! Source: INFANTRY ATTACKING VEHICLES, VEHICLE SPOTTING/SHOOTING. The shots themselves are in
//! [`super::vehicle`].

use enfilade::bounds::Bound;
use enfilade::catalogue::{Action, Contest};
use enfilade::form::field_groups::under;
use enfilade::form::{Fault, Field, Form, Kind};

use super::check::Check;
use super::data::{CHANGED, Numbers};
use super::fields::*;
use super::modifiers::{flagged, states};
use super::vehicle::{Shots, Strike};

const PEN: Bound = Bound::new("PEN", 0, 60);
const ARMOUR: Bound = Bound::new("armour", 0, 60);
const PASSENGERS: Bound = Bound::new("number of passengers", 0, 30);
const SHIFT: Bound = Bound::new("shift of the penetration table", -20, 20);
const BONUS: Bound = Bound::new("modifier", -40, 40);

const PLATES: [Field; 2] = under(
    THE_TARGET,
    [
        Field::required("hull", Kind::Int(ARMOUR), "armour of the hull")
            .label("armour of the hull"),
        Field::optional("turret", Kind::Int(ARMOUR), "armour of the turret")
            .label("armour of the turret"),
    ],
);
const FACINGS: [Field; 3] = under(
    THE_TARGET,
    [
        Field::optional("front", Kind::Table(joined![PLATES]), "armour of the front")
            .label("front"),
        Field::optional("side", Kind::Table(joined![PLATES]), "armour of the sides").label("sides"),
        Field::optional("rear", Kind::Table(joined![PLATES]), "armour of the rear").label("rear"),
    ],
);

const FIELDS: &[Field] = &[
    Field::required("pen", Kind::Int(PEN), "PEN of the weapon")
        .rule("PENETRATION")
        .label("PEN")
        .group(THE_WEAPON),
    Field::required(
        "armour",
        Kind::Table(joined![FACINGS]),
        "the vehicle's armour by facing and location",
    )
    .label("armour")
    .group(THE_TARGET),
    Field::choice("facing", &["front", "side", "rear"], "the facing that is hit")
        .label("facing that is hit")
        .group(THE_TARGET),
    Field::flag("turret", true, "the vehicle has a turret; without one every hit is a hull hit")
        .rule("VEHICLE HIT LOCATION")
        .label("turret")
        .values(&["no turret", "with a turret"])
        .group(THE_TARGET),
    Field::int("passengers", PASSENGERS, 0, "passengers aboard")
        .label("passengers aboard")
        .unit("passengers")
        .group(THE_TARGET),
    Field::int("penetration_shift", SHIFT, 0, "added to the penetration roll")
        .assumed()
        .label("shift of the penetration roll")
        .group(READINGS)
        .rare(),
    Field::flag(
        "excess_on_penetration",
        false,
        "a Firearms skill above 20 adds its excess to the penetration roll",
    )
    .rule("SKILLS")
    .assumed()
    .label("skill above 20 helps to penetrate")
    .group(READINGS)
    .rare(),
    NUMBER,
    SPOT,
    FIREARMS,
    QUALITY,
    SPOTTED,
    TARGET_MOVING,
    Field::flag("fired_main_weapon", false, "the vehicle shot its main weapon")
        .rule("VEHICLE SPOTTING/SHOOTING")
        .label("target shot its main weapon")
        .group(THE_TARGET)
        .rare(),
    CONCEALED,
    IN_COVER,
    HIDDEN,
    Field::flag("smoke", false, "the vehicle is in or behind smoke")
        .rule("VEHICLE SPOTTING/SHOOTING")
        .label("in smoke")
        .values(&["no smoke", "in or behind smoke"])
        .group(THE_TARGET),
    Field::flag("open_topped", false, "the vehicle is open-topped")
        .rule("VEHICLE SPOTTING/SHOOTING")
        .label("open-topped")
        .values(&["closed", "open-topped"])
        .group(THE_TARGET),
    ATTACKER_MOVING,
    ATTACKER_HIGHER,
    ATTACKER_LOWER,
    Field::flag(
        "attacker_vehicle",
        false,
        "the attacker is a vehicle itself; Infantry has its own modifiers for Moving, higher and lower",
    )
    .rule("VEHICLE SPOTTING/SHOOTING")
    .label("attacker is a vehicle")
    .group(THE_ATTACKERS)
    .rare(),
    PINNED_MAY_FIRE,
    Field::int(
        "attacker_moving_spot",
        BONUS,
        4,
        "modifier of the Spot roll of a moving attacking vehicle; the printed +4 reads like a \
         misprint of -4",
    )
    .rule("VEHICLE SPOTTING/SHOOTING")
    .assumed()
    .label("Spot modifier of a moving attacker")
    .group(READINGS)
    .rare(),
    EXTRA_AP,
    EXTRA_AP_ON,
    ATTACKER_HESITANT,
    ATTACKER_PINNED,
    ATTACKER_SUPPRESSED,
    ATTACKER_GONE_FIRM,
    SPOT_MODIFIER,
    SHOOT_MODIFIER,
    ONE_SUCCEEDS,
    CHANGED,
];

const FLAGS: &[&str] = &["target_moving", "fired_main_weapon", "hidden", "smoke", "open_topped"];

/// The action.
pub const ACTION: Action = Action::new(
    "vehicle",
    "one or several shots at a vehicle, with armour, penetration and passengers",
    joined![*FIELDS],
    &build,
    &[
        "pen = 10\nspot = 12\nfirearms = 11\n[armour.front]\nhull = 8\nturret = 9",
        "pen = 9\nspotted = true\nfacing = 'side'\nturret = false\npassengers = 6\nextra_ap = 1\n[armour.side]\nhull = 7",
        "pen = 8\nfigures = 2\nfacing = 'rear'\npassengers = 4\nsmoke = true\nopen_topped = true\npenetration_shift = 3\nquality = 'veteran'\n[armour.rear]\nhull = 6\nturret = 9",
        "pen = 12\nspotted = true\nfirearms = 20\nexcess_on_penetration = true\nattacker_vehicle = true\nattacker_moving = true\ntarget_moving = true\nfired_main_weapon = true\n[armour.front]\nhull = 12\nturret = 10",
        "pen = 0\nfirearms = 25\nspotted = true\nhidden = true\nin_cover = true\nturret = false\none_always_succeeds = false\n[armour.front]\nhull = 0",
    ],
)
.asks("How often do the shots put the vehicle out of action?")
.direction("d20, low hits, high penetrates")
.off_table(
    "A natural 20 fails against any skill, a natural 1 succeeds (our reading). PEN that equals \
     the adjusted armour does not penetrate. A penetration roll shifted below 1 is Spalling, one \
     above 20 a Catastrophic Kill.",
);

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let numbers = Numbers::of(form)?;
    let idle = super::shoot::idle(form);
    if !idle.is_empty() {
        return Err(idle);
    }
    if form.flag("attacker_higher") && form.flag("attacker_lower") {
        return Err(vec![Fault::new("attacker_lower", "it cannot be both higher and lower")]);
    }
    let (hull, turret) = armour(form)?;
    let check = |name: &str, field: &str| Check {
        skill: skill(form, field, "quality", &numbers) + modifiers(form, &numbers, name),
        one_succeeds: form.flag("one_always_succeeds"),
    };
    let shoot = check("shoot", "firearms");
    let excess = if form.flag("excess_on_penetration") { shoot.excess() } else { 0 };
    let shots = Shots {
        shots: form.int("figures") as u8,
        spot: (!form.flag("spotted")).then(|| check("spot", "spot")),
        shoot,
        pen: form.int("pen") as i16,
        hull,
        turret,
        hull_to: numbers.get("location_hull"),
        strikes: strikes(&numbers),
        shift: form.int("penetration_shift") as i16 + excess,
        penetration: ["spalling", "mobility", "mission"]
            .map(|kind| numbers.get(&format!("penetration_{kind}_to"))),
        crew_to: numbers.get("spalling_crew_injured_to"),
        passengers_to: numbers.get("mission_passengers_to"),
        passengers: form.int("passengers") as u8,
    };
    Ok(Contest::of(shots).growing_with(&["figures"]))
}

/// Armour of the hull and, if there is one, of the turret, on the facing that is hit.
fn armour(form: &Form) -> Result<(i16, Option<i16>), Vec<Fault>> {
    let facing = form.text("facing");
    let missing = |path: String| {
        let problem = format!("the armour of the {facing} is missing, and `facing` says it is hit");
        vec![
            Fault::new(path, problem)
                .help(format!("give `armour.{facing}` with `hull` and `turret`")),
        ]
    };
    let plates = form.table("armour").and_then(|armour| armour.table(facing));
    let Some(plates) = plates else {
        return Err(missing(format!("armour.{facing}")));
    };
    let hull = plates.int("hull") as i16;
    if !form.flag("turret") {
        return Ok((hull, None));
    }
    match plates.maybe_int("turret") {
        Some(turret) => Ok((hull, Some(turret as i16))),
        None => {
            let problem = format!("`turret` is missing: the armour of the turret's {facing}");
            let fault = Fault::new(format!("armour.{facing}.turret"), problem);
            Err(vec![fault.help("give it, or `turret = false` for a vehicle without a turret")])
        }
    }
}

/// All modifiers of the roll `name`.
fn modifiers(form: &Form, numbers: &Numbers, name: &str) -> i16 {
    let prefix = format!("vehicle_{name}");
    let moving = match (form.flag("attacker_moving"), form.flag("attacker_vehicle"), name) {
        (false, ..) => 0,
        (true, false, _) => numbers.get(&format!("{name}_attacker_moving")),
        (true, true, "spot") => form.int("attacker_moving_spot") as i16,
        (true, true, _) => numbers.get(&format!("{prefix}_attacker_moving")),
    };
    let stands = flagged(form, numbers, name, &["attacker_higher", "attacker_lower"]);
    let covered = form.flag("in_cover") || form.flag("concealed");
    let cover = if covered { numbers.get(&format!("{prefix}_in_cover")) } else { 0 };
    let added = ["both", name].contains(&form.text("extra_ap_on"));
    let ap = if added { form.int("extra_ap") as i16 } else { 0 };
    numbers.get(&format!("{prefix}_vehicle"))
        + flagged(form, numbers, &prefix, FLAGS)
        + cover
        + moving
        + stands
        + ap * numbers.get(&format!("{prefix}_extra_ap"))
        + form.int(&format!("{name}_modifier")) as i16
        + states(form, numbers)
}

fn strikes(numbers: &Numbers) -> [Strike; 5] {
    let kinds = [
        ("glancing", "Glancing Hit"),
        ("strong", "Strong Point"),
        ("slope", "Favourable Slope"),
        ("direct", "Direct Hit"),
        ("weak", "Weak Point"),
    ];
    kinds.map(|(kind, name)| Strike {
        name,
        to: match kind {
            "weak" => i16::MAX,
            _ => numbers.get(&format!("strike_{kind}_to")),
        },
        armour: numbers.get(&format!("strike_{kind}")),
    })
}
