//! From a checked form to the parts of an encounter: the target side, the attackers, Defense.

use std::cmp::Reverse;

use enfilade::catalogue::Contest;
use enfilade::form::{Fault, Form, Value};

use super::encounter::{Encounter, Needed};
use super::morale::Spirit;
use super::outcome::Report;
use super::squad::{MAX_TEAMS, Sharing, Spread, Squad, Team, Toll};
use super::team;

/// The cover steps, in the order of the `cover` field's words.
const COVER: [&str; 4] = ["none", "cover", "medium", "hard"];

/// Fields to reduce when a contest has too many states, most effective first.
pub const GROWS_WITH: &[&str] =
    &["attacker", "attacker.figures", "defender.squadmate", "defender.figures"];

/// The target side at the start: the target team, friends in contact, squadmates.
pub struct TargetSide {
    /// Teams by place.
    pub squad: Squad,
    /// How many friends of the firer follow the target team.
    pub friends: u8,
    /// What each place brings to a morale test.
    pub spirits: [Spirit; MAX_TEAMS],
    /// Which places belong to the target's squad.
    pub members: [bool; MAX_TEAMS],
}

impl TargetSide {
    /// Reads `defender`, its squadmates and the `friend` tables of `form`.
    ///
    /// Where `figures` do not matter (a morale test), a team that names none has one.
    pub fn of(form: &Form, figures_matter: bool, faults: &mut Vec<Fault>) -> TargetSide {
        let mut side = TargetSide {
            squad: Squad::default(),
            friends: 0,
            spirits: [Spirit::default(); MAX_TEAMS],
            members: [false; MAX_TEAMS],
        };
        let Some(defender) = form.table("defender") else {
            return side;
        };
        let squadmates = defender.tables("squadmate");
        let friends = match form.has("friend") {
            true => form.tables("friend"),
            false => &[],
        };
        if 1 + friends.len() + squadmates.len() > MAX_TEAMS {
            faults.push(crowded(friends.len() + squadmates.len()));
            return side;
        }
        side.friends = friends.len() as u8;
        let mut at = Within::new(faults, "defender".into());
        side.place(0, defender, at.team(defender, figures_matter), None);
        for (index, friend) in friends.iter().enumerate() {
            let mut at = Within::one_of(faults, "friend", index, friends.len());
            side.squad[1 + index] = at.team(friend, true);
        }
        for (index, mate) in squadmates.iter().enumerate() {
            let mut at = Within::one_of(faults, "defender.squadmate", index, squadmates.len());
            let team = at.team(mate, figures_matter);
            side.place(1 + friends.len() + index, mate, team, Some(defender));
        }
        side.sort_squadmates(squadmates.len());
        side
    }

    /// Puts squadmates into an order of their own, so that the order of their tables is none: by
    /// what they bring to a morale test, the highest Motivation first.
    fn sort_squadmates(&mut self, count: usize) {
        let first = 1 + usize::from(self.friends);
        let places = first..first + count;
        let mut mates: Vec<(Spirit, Team)> =
            places.clone().map(|place| (self.spirits[place], self.squad[place])).collect();
        mates.sort_by_key(|(spirit, _)| {
            let Spirit { motivation, cowering, in_contact } = *spirit;
            (Reverse(motivation), cowering, in_contact)
        });
        for (place, (spirit, team)) in places.zip(mates) {
            self.spirits[place] = spirit;
            self.squad[place] = team;
        }
    }

    fn place(&mut self, place: usize, form: &Form, team: Team, squad: Option<&Form>) {
        let own = form.maybe_int("motivation");
        let squads = || squad.and_then(|form| form.maybe_int("motivation"));
        self.squad[place] = team;
        self.members[place] = true;
        self.spirits[place] = Spirit {
            motivation: own.or_else(squads).unwrap_or_default() as i16,
            cowering: form.flag("cowering"),
            in_contact: form.flag("in_contact"),
        };
    }

    /// An encounter without attacks against this side.
    pub fn encounter(&self, sharing: Sharing, report: Report) -> Encounter {
        Encounter {
            attacks: Vec::new(),
            squad: self.squad,
            like_previous: self.like_previous(),
            sharing,
            morale: None,
            attackers_wounded: 0,
            report,
        }
    }

    /// Squadmates are exchangeable when they bring the same to a morale test: their figures and
    /// markers are in the state. The target and friends stay where they are.
    fn like_previous(&self) -> [bool; MAX_TEAMS] {
        let second_squadmate = 2 + usize::from(self.friends);
        std::array::from_fn(|place| {
            place >= second_squadmate
                && self.members[place]
                && self.spirits[place] == self.spirits[place - 1]
        })
    }
}

fn crowded(others: usize) -> Fault {
    let most = MAX_TEAMS - 1;
    let problem = format!("{others} other teams on the target side, but at most {most} are played");
    Fault::new("defender.squadmate", problem)
        .help("leave out the teams that are out of coherency range")
}

/// Faults of one team, put under its place in the form.
pub struct Within<'a> {
    faults: &'a mut Vec<Fault>,
    place: String,
}

impl<'a> Within<'a> {
    /// Puts what goes wrong under `place`.
    pub fn new(faults: &'a mut Vec<Fault>, place: String) -> Within<'a> {
        Within { faults, place }
    }

    /// Puts what goes wrong under entry `index` of `tables`; a single entry needs no number.
    pub fn one_of(
        faults: &'a mut Vec<Fault>,
        tables: &str,
        index: usize,
        len: usize,
    ) -> Within<'a> {
        let place = match len {
            1 => tables.to_owned(),
            _ => format!("{tables}[{index}]"),
        };
        Within::new(faults, place)
    }

    /// Runs `read` and puts its faults under the place.
    pub fn read<T>(&mut self, read: impl FnOnce(&mut Vec<Fault>) -> T) -> T {
        let mut found = Vec::new();
        let value = read(&mut found);
        for fault in found.into_iter().map(|fault| fault.within(&self.place)) {
            if !self.faults.contains(&fault) {
                self.faults.push(fault);
            }
        }
        value
    }

    fn team(&mut self, form: &Form, figures_matter: bool) -> Team {
        self.read(|faults| {
            let named = form.has("figures") || form.has("weapons");
            let figures = match figures_matter || named {
                true => team::figures(form, faults),
                false => 1.max(form.int("wounded") as u8),
            };
            team::team(form, figures, faults)
        })
    }
}

/// How the owner of the squad shares results out.
pub fn sharing(form: &Form, side: &TargetSide) -> Sharing {
    let spread = match form.maybe_text("spread") {
        Some("even") => Spread::Even,
        Some("one") => Spread::One,
        _ => Spread::None,
    };
    Sharing {
        spread,
        friends: side.friends,
        target_takes_one_in: form.maybe_int("target_takes_one_in").unwrap_or(1) as u8,
        others_take_fewer: form.maybe_text("others_take") == Some("fewer"),
        passes_on: form.maybe_text("overkill") == Some("passes-on"),
    }
}

/// How teams take results; field `adds_pin` tells whether a casualty also brings a pin.
pub fn toll(form: &Form, adds_pin: &str) -> Toll {
    Toll {
        casualty_adds_pin: form.flag(adds_pin),
        kia_takes_wounded: form.text("kia_takes") == "wounded",
    }
}

/// What the defender's terrain adds to its Defense.
pub fn cover(form: &Form, faults: &mut Vec<Fault>) -> i16 {
    let bonus: Vec<i16> = form.list("cover_bonus").iter().filter_map(number).collect();
    if bonus.len() != COVER.len() || !bonus.is_sorted() {
        let problem =
            "`cover_bonus` must be four numbers that do not fall: none, Cover, Medium, Hard";
        faults.push(Fault::new("cover_bonus", problem).help("the default is [0, 0, 1, 2]"));
        return 0;
    }
    let Some(defender) = form.table("defender") else {
        return 0;
    };
    let printed = COVER.iter().position(|step| *step == defender.text("cover"));
    let moved = usize::from(defender.flag("armored_assault"));
    bonus[(printed.unwrap_or(0) + moved).min(COVER.len() - 1)]
}

fn number(value: &Value) -> Option<i16> {
    match value {
        Value::Int(n) => Some(*n as i16),
        _ => None,
    }
}

/// The defender's Defense with its terrain.
pub fn defenders_defense(form: &Form, faults: &mut Vec<Fault>) -> i16 {
    let terrain = cover(form, faults);
    let Some(defender) = form.table("defender") else {
        return terrain;
    };
    let mut at = Within::new(faults, "defender".into());
    at.read(|faults| team::defense(defender, faults)) + terrain
}

/// Checks that the margins do not fall from Pin to Wounded to KIA; `field` is the last one's name.
pub fn check_margins(
    field: &str,
    pin: Option<i16>,
    (wound, kia): (i16, i16),
    faults: &mut Vec<Fault>,
) {
    if wound > kia || pin.is_some_and(|pin| pin > wound) {
        let pin = pin.map(|pin| format!("{pin}, ")).unwrap_or_default();
        let problem = format!("the margins are {pin}{wound}, {kia}");
        let help = "they must not fall from Pin to Wounded to KIA";
        faults.push(Fault::new(field, problem).help(help));
    }
}

/// The totals needed against `defense` with these margins.
pub fn needed(defense: i16, pin: Option<i16>, (wound, kia): (i16, i16)) -> Needed {
    Needed { pin: pin.map(|pin| defense + pin), wound: defense + wound, kia: defense + kia }
}

/// The contest of `encounter`, unless something was at fault.
pub fn contest(encounter: Encounter, faults: Vec<Fault>) -> Result<Contest, Vec<Fault>> {
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(Contest::of(encounter).growing_with(GROWS_WITH))
}
