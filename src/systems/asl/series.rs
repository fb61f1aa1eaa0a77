//! Several attacks on one Location, one after another: those that a contest lists beside its own
//! (A7.31, A7.32).

use crate::bounds::Bound;
use crate::form::groups::{joined, under};
use crate::form::{Fault, Field, Fields, Form, Kind, Preset, within};

use super::arms::{Arms, NEVER, gun};
use super::drm;
use super::fire::Cadence;
use super::firers::fields;
use super::headings;
use super::numbers::Numbers;

const TIMES: Bound = Bound::new("number of attacks", 1, 20);
const SHOTS: Bound = Bound::new("number of attacks", 1, 60);

const ATTACK: [Field; 4] = under(
    headings::ATTACK,
    [
        Field::int("times", TIMES, 1, "how often, each by other firers, who cower for themselves")
            .label("times")
            .rare()
            .from("A7.31"),
        Field::optional(
            "max_attacks",
            Kind::Int(SHOTS),
            "a machine gun fires on while it keeps its rate and anybody is left, at most so often; \
             absent: one attack",
        )
        .label("attacks of the gun at most")
        .from("A9.2"),
        drm::NET,
        drm::NAMED,
    ],
);

const FIRERS: [Field; 16] = under(
    headings::FIRERS,
    [
        fields::FP,
        fields::FIRERS,
        fields::ROF,
        fields::BREAKDOWN_FIELD,
        fields::LEADER,
        fields::LEADERS,
        fields::LOCATIONS_FIELD,
        fields::INEXPERIENCED,
        fields::COWERS,
        fields::RANGE_FIELD,
        fields::PHASE,
        fields::OPPORTUNITY,
        fields::ASSAULT,
        fields::POINT_BLANK,
        fields::TRIPLE,
        fields::AREA_FIRE,
    ],
);

const FIELDS: Fields = joined![FIRERS, ATTACK];

/// `attack`.
pub const FURTHER: Field = Field::new(
    "attack",
    Kind::tables(FIELDS),
    Preset::Empty,
    "further attacks on the same targets, one after another, behind the one that the contest gives if \
     it gives one; `drm` and `modifiers` of the contest count in all of them",
)
.label("further attacks")
.rare()
.from("A7.31, A7.32");

/// Whether a machine gun fires at its rate in a contest.
pub fn has_gun(contest: &Form) -> bool {
    contest.has("max_attacks") || contest.tables("attack").iter().any(|a| a.has("max_attacks"))
}

/// The attacks of a contest, each with how often it is made: its own, read by `own`, and the further
/// ones.
///
/// # Errors
/// Everything that is wrong with any of them.
pub fn read(
    contest: &Form,
    own: impl Fn(&Form) -> Result<(Arms, Cadence), Vec<Fault>>,
) -> Result<Vec<(Arms, Cadence)>, Vec<Fault>> {
    let numbers = Numbers::of(contest);
    let tables = contest.tables("attack");
    let shoots = tables.is_empty() || contest.has("fp") || !contest.tables("firer").is_empty();
    let first = if shoots { Some(own(contest)) } else { idle(contest).map(Err) };
    let further = tables.iter().enumerate().map(|(place, form)| {
        let read = further(contest, form, &numbers);
        read.map_err(within(&format!("attack[{place}]")))
    });
    let (mut series, mut faults) = (Vec::new(), Vec::new());
    for read in first.into_iter().chain(further) {
        match read {
            Ok(read) => series.push(read),
            Err(found) => faults.extend(found),
        }
    }
    if faults.is_empty() { Ok(series) } else { Err(faults) }
}

fn further(contest: &Form, form: &Form, numbers: &Numbers) -> Result<(Arms, Cadence), Vec<Fault>> {
    let arms = Arms::read(contest, Some(form), numbers)?;
    let times = u8::try_from(form.int("times")).unwrap_or(u8::MAX);
    let cadence = match (arms.is_attack, form.has("max_attacks")) {
        (false, _) => NEVER,
        (true, false) => Cadence::Volleys(times),
        (true, true) if times > 1 => {
            let fault =
                Fault::new("times", "a gun that keeps its rate is one attack after another");
            return Err(vec![fault.help("write an [[contest.attack]] for each gun")]);
        }
        (true, true) => Cadence::Gun(gun(form, &arms)?),
    };
    Ok((arms, cadence))
}

/// What a contest says about firers of its own, although nobody of its own fires.
fn idle(contest: &Form) -> Option<Vec<Fault>> {
    let own = ["leader", "breakdown", "inexperienced", "range", "assault_fire"];
    let given = own.into_iter().filter(|field| contest.has(field));
    let listed = Some("leaders").filter(|field| !contest.list(field).is_empty());
    let on = ["opportunity_fire", "point_blank", "triple_point_blank"];
    let switched = on.into_iter().filter(|field| contest.flag(field));
    let faults: Vec<Fault> = given.chain(listed).chain(switched).map(astray).collect();
    (!faults.is_empty()).then_some(faults)
}

fn astray(field: &str) -> Fault {
    let problem =
        format!("`{field}` belongs to an attack, and all of them are in [[contest.attack]]");
    Fault::new(field, problem).help(format!("write `{field}` into [[contest.attack]]"))
}
