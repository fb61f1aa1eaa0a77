//! The targets of a contest: from what the file says to profiles and a stack.

use crate::form::{Fault, Form};

mod fields;
mod profiles;
mod setting;
mod stats;

pub use fields::{CHECKED, ENCIRCLED, TARGETS, distinct, leader_names, nation_names, unit_names};

use self::profiles::Maker;
use self::setting::Reader;
pub use self::setting::Setting;
use self::stats::Stats;

use super::data::{Squad, library};
use super::roster::{Before, Roster, UnitKind};
use super::unit::{MAX_UNITS, Stack};
use super::vehicles::Vehicle;

/// The targets of a contest.
#[derive(Clone, Debug)]
pub struct Targets {
    /// Every kind of unit.
    pub roster: Roster,
    /// The Personnel in the Location.
    pub stack: Stack,
    /// The vehicles, with their passengers.
    pub vehicles: Vec<Vehicle>,
}

/// Reads the targets of a contest.
///
/// # Errors
/// Every target that is not one thing, lacks a number that matters, or is one too many.
pub fn read(contest: &Form, setting: Setting) -> Result<Targets, Vec<Fault>> {
    let forms = contest.tables("target");
    if forms.is_empty() {
        let fault = Fault::new("target", "there is nobody to fire at");
        return Err(vec![fault.help("add a [[contest.target]]")]);
    }
    let lasting = setting.again || setting.leader_loss && forms.iter().any(is_leader);
    let reader = Reader { setting, lasting };
    let mut order: Vec<(usize, &Form)> = forms.iter().enumerate().collect();
    order.sort_by_key(|&(_, form)| rank(form));
    let mut targets =
        Targets { roster: Roster::default(), stack: Stack::EMPTY, vehicles: Vec::new() };
    let mut faults = Vec::new();
    for (place, form) in order {
        let shelter = sheltered(contest).position(|(at, _)| at == place);
        let shelter = shelter.map_or(0, |shelter| shelter + 1);
        if let Err(fault) = reader.add(form, shelter as u8, &mut targets) {
            faults.push(fault.within(&format!("target[{place}]")));
        }
    }
    if faults.is_empty() {
        faults.extend(crowd(forms));
    }
    if faults.is_empty() { Ok(targets) } else { Err(faults) }
}

/// The targets that have modifiers of their own, with their places: those of one shelter each, from 1.
pub fn sheltered(contest: &Form) -> impl Iterator<Item = (usize, &Form)> {
    let targets = contest.tables("target").iter().enumerate();
    targets.filter(|(_, form)| form.has("drm") || form.has("modifiers"))
}

/// The numbers printed with the unit or leader that a target names, or with those it gives.
pub fn printed(form: &Form) -> Vec<(&'static str, i64)> {
    let named = form.maybe_text("unit").map(|name| find_unit(form.maybe_text("nation"), name));
    let Ok(squad) = named.transpose() else {
        return Vec::new();
    };
    Stats::of(form, squad).map(|stats| stats.numbers()).unwrap_or_default()
}

fn is_leader(form: &Form) -> bool {
    form.has("leader") || form.maybe_text("kind") == Some("leader")
}

/// Whether it is no leader, whether it cannot lead, its leadership, its other numbers and conditions,
/// its name.
type Rank<'a> = (bool, bool, i64, [i64; 4], Option<&'a str>);

/// Leaders first, in the order in which those of equal morale check: best leaders first (A7.303), so
/// those who cannot lead last. Their numbers and names only make that order, and with it the odds, the
/// same however the file lists them. The others stay as listed: no check of theirs bears on another.
fn rank(form: &Form) -> Rank<'_> {
    let leader = Stats::of(form, None).ok().filter(|_| is_leader(form));
    let Some(stats) = leader else {
        return (true, false, 0, [0; 4], None);
    };
    let numbers = [
        stats.morale,
        stats.broken.unwrap_or(stats.morale),
        form.flag("wounded").into(),
        form.flag("berserk").into(),
    ];
    let unable = form.flag("broken") || form.flag("pinned");
    let leadership = stats.leadership.unwrap_or(0);
    (false, unable, leadership, numbers, form.maybe_text("leader"))
}

/// More targets than a Location or the state has room for.
fn crowd(forms: &[Form]) -> Option<Fault> {
    let vehicles = forms.iter().filter(|form| form.has("vehicle"));
    let vehicles: i64 = vehicles.map(|form| form.int("count")).sum();
    if vehicles > MAX_UNITS as i64 {
        let problem = format!("there are {vehicles} vehicles, but at most {MAX_UNITS} fit");
        return Some(Fault::new("target", problem).help("reduce `count`"));
    }
    let units = |form: &Form| {
        let each = if form.has("vehicle") { passengers(form) } else { 1 };
        form.int("count") * each
    };
    let total: i64 = forms.iter().map(units).sum();
    (total > MAX_UNITS as i64).then(|| {
        let problem = format!("there are {total} target units, but at most {MAX_UNITS} fit");
        Fault::new("target", problem).help("reduce `count`")
    })
}

fn passengers(form: &Form) -> i64 {
    let described = ["unit", "leader", "kind", "morale"].iter().any(|f| form.has(f));
    form.maybe_int("passengers").unwrap_or(described.into())
}

impl Reader {
    fn add(&self, form: &Form, shelter: u8, targets: &mut Targets) -> Result<(), Fault> {
        self.check_shape(form)?;
        let count = form.int("count");
        if form.has("vehicle") {
            let passengers = passengers(form);
            let profile = match passengers {
                0 => None,
                _ => Some(self.enter(form, 0, &mut targets.roster)?),
            };
            targets.vehicles.push(Vehicle::read(form, profile, passengers));
            return Ok(());
        }
        let profile = self.enter(form, shelter, &mut targets.roster)?;
        for _ in 0..count {
            let unit = targets.roster.fresh(profile);
            targets.stack.push(unit);
        }
        Ok(())
    }

    /// What cannot be at the same time, and what says nothing.
    fn check_shape(&self, form: &Form) -> Result<(), Fault> {
        let is_vehicle = form.has("vehicle");
        let names = ["unit", "leader", "kind"].map(|field| form.has(field));
        if names.iter().filter(|given| **given).count() > 1 {
            let problem = "a target is one of `unit`, `leader` and `kind`";
            return Err(Fault::new("", problem).help("write one [[contest.target]] for each"));
        }
        for field in ["hull_down", "passengers", "vulnerable"] {
            let given =
                form.has(field) && form.get(field) != Some(&crate::form::Value::Flag(false));
            if given && !is_vehicle {
                return Err(Fault::new(field, "only a vehicle has this"));
            }
        }
        for field in ["drm", "modifiers"] {
            if form.has(field) && is_vehicle {
                let problem = "what a target has for itself counts against Personnel";
                let help = "`vehicle_drm` and `collateral_drm` of the contest are for vehicles";
                return Err(Fault::new(field, problem).help(help));
            }
        }
        let impossible = [
            ("broken", "heroic", "a heroic leader does not break"),
            ("pinned", "heroic", "a heroic leader is not pinned"),
            ("pinned", "cannot_pin", "who is not subject to pinning is not pinned"),
            ("broken", "pinned", "a broken unit is not pinned"),
            ("broken", "berserk", "a berserk unit is not broken"),
            ("pinned", "berserk", "a berserk unit is not pinned"),
        ];
        for (one, other, why) in impossible {
            if form.flag(one) && form.flag(other) {
                return Err(Fault::new(other, why));
            }
        }
        Ok(())
    }

    /// Enters the unit of a target, with what it can turn into.
    fn enter(&self, form: &Form, shelter: u8, roster: &mut Roster) -> Result<u8, Fault> {
        let squad = form
            .maybe_text("unit")
            .map(|name| find_unit(form.maybe_text("nation"), name))
            .transpose()?;
        let stats = Stats::of(form, squad)?;
        let before = Before {
            broken: form.flag("broken"),
            pinned: form.flag("pinned"),
            wounded: form.flag("wounded"),
        };
        check_condition(form, &stats, before)?;
        if let Some((squad, _)) = squad {
            self.check_steps(form, squad)?;
        }
        let next = match squad {
            _ if !self.setting.elr => None,
            Some((squad, whole)) => self.replacement(squad, whole),
            None => next_leader(form),
        };
        let maker = Maker {
            reader: self,
            steadfast: form.flag("berserk") || form.flag("heroic") || stats.kind == UnitKind::Hero,
            unpinnable: form.flag("cannot_pin"),
            shelter,
            before,
        };
        maker.enter(&stats, next, roster)
    }

    /// Japanese squads lose steps; their broken side must be given.
    fn check_steps(&self, form: &Form, squad: &Squad) -> Result<(), Fault> {
        if !squad.step_reduction || form.has("broken_morale") {
            return Ok(());
        }
        let problem = format!(
            "the {} {} loses steps instead of breaking, which is not modelled",
            squad.nation, squad.name
        );
        Err(Fault::new("unit", problem)
            .help("give `broken_morale` to let it break like the others"))
    }

    fn replacement(&self, squad: &Squad, whole: bool) -> Option<Stats> {
        let next = squad.replaced_by.as_deref()?;
        let mut squads = library().squads.iter();
        let next = squads.find(|s| s.nation == squad.nation && s.name == next)?;
        Some(if whole { Stats::of_squad(next) } else { Stats::of_half(next) })
    }
}

fn next_leader(form: &Form) -> Option<Stats> {
    let name = form.maybe_text("leader")?;
    let leaders = &library().leaders;
    let place = leaders.iter().position(|leader| leader.name == name)?;
    leaders.get(place + 1).map(|next| Stats::of_leader(&next.name))
}

/// The squad called `name`, or whose half-squad it is (`false`), of the nation the file names.
pub fn find_unit(nation: Option<&str>, name: &str) -> Result<(&'static Squad, bool), Fault> {
    let of_nation = |squad: &&Squad| nation.is_none_or(|nation| squad.nation == nation);
    let squads = || library().squads.iter().filter(of_nation);
    let whole = squads().filter(|s| s.name == name).map(|s| (s, true));
    let mut found: Vec<_> = whole.collect();
    for half in squads().filter(|s| s.half == name) {
        if !found.iter().any(|(s, _)| s.nation == half.nation) {
            found.push((half, false));
        }
    }
    match (found.as_slice(), nation) {
        ([one], _) => Ok(*one),
        ([], Some(nation)) => {
            let problem = format!("the {nation} have no {name}");
            Err(Fault::new("unit", problem).help(whose(name)))
        }
        _ => {
            let problem = format!("{name} is a unit of several nations");
            Err(Fault::new("nation", problem).help(format!("say `nation` too: {}", whose(name))))
        }
    }
}

fn whose(name: &str) -> String {
    let squads = library().squads.iter();
    let having = squads.filter(|s| s.name == name || s.half == name);
    let nations = distinct(having.map(|s| s.nation.clone()).collect());
    format!("{name} is {}", crate::form::one_of(&nations))
}

fn check_condition(form: &Form, stats: &Stats, before: Before) -> Result<(), Fault> {
    if before.wounded && !stats.kind.is_single() {
        return Err(Fault::new("wounded", "only a leader or a hero is wounded"));
    }
    if before.broken && stats.kind == UnitKind::Hero {
        return Err(Fault::new("broken", "a hero does not break"));
    }
    if before.pinned && stats.kind == UnitKind::Hero {
        return Err(Fault::new("pinned", "a hero is not pinned"));
    }
    if form.flag("heroic") && stats.kind != UnitKind::Leader {
        let fault = Fault::new("heroic", "only a leader is heroic");
        return Err(fault.help("a hero is `kind = \"hero\"` with his `morale`"));
    }
    if form.has("leadership") && stats.kind != UnitKind::Leader {
        return Err(Fault::new("leadership", "only a leader has this"));
    }
    Ok(())
}
