//! What fires in one attack: firepower, who directs it, modifiers, and the gun that may keep its rate.

use crate::form::{Fault, Form, both};

use super::attack::Attack;
use super::data::{Table, WeaponKind, library};
use super::drm::{self, Sums};
use super::fire::{Cadence, Gun};
use super::firers;
use super::numbers::Numbers;
use super::targets::sheltered;
use super::tell;

/// How often an attack is made that is none.
pub const NEVER: Cadence = Cadence::Volleys(0);

/// What fires.
pub struct Arms {
    /// The attack itself.
    pub attack: Attack,
    /// Whether the firepower is enough for an attack at all (A7.3).
    pub is_attack: bool,
    rates: Vec<u8>,
    /// With what the firers fire, where they are named.
    pub kinds: Vec<&'static WeaponKind>,
    remarks: Vec<String>,
    undirected: bool,
    crowded: bool,
}

impl Arms {
    /// Reads the attack of the contest itself, or one of its further ones.
    ///
    /// # Errors
    /// Everything that is wrong with who fires, who directs them, and the modifiers.
    pub fn read(
        contest: &Form,
        further: Option<&Form>,
        numbers: &Numbers,
    ) -> Result<Arms, Vec<Fault>> {
        let one = |fault| vec![fault];
        let form = further.unwrap_or(contest);
        let table = table(contest);
        let group = match (form.has("fp"), form.tables("firer").is_empty()) {
            (true, true) => firers::given(form).map_err(one),
            (false, false) => firers::group(form, numbers),
            _ => Err(vec![who_fires(form)]),
        };
        let leader = firers::director(form).map_err(one);
        let leadership = leader.as_ref().map_or(None, |leader| leader.map(|leader| leader.drm));
        let sums = sums(contest, further, leadership.map_or(0, i32::from)).map_err(one);
        let ((group, leader), sums) = both(both(group, leader), sums)?;
        let firepower = group.total.sixty_fourths();
        let column = table.column_for(firepower);
        let subject = form.flag("cowers") && leader.is_none() && group.cowers;
        let mut remarks = group.remarks;
        remarks.extend(adjacent(form));
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
                sums,
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
    pub fn notes(&self, form: &Form) -> Vec<String> {
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
///
/// # Errors
/// A rate that is not given, given where it is not read, or of more than one gun.
pub fn gun(form: &Form, arms: &Arms) -> Result<Gun, Vec<Fault>> {
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
        until_clear: form.maybe_flag("until_clear") != Some(false),
    })
}

/// The modifiers of an attack, by the shelters of its targets; the first for those without one.
///
/// # Errors
/// A modifier that counts twice.
fn sums(contest: &Form, further: Option<&Form>, leadership: i32) -> Result<Vec<Sums>, Fault> {
    let mut forms: Vec<&Form> = further.into_iter().collect();
    let mut sums = vec![drm::sums(contest, &forms, leadership)?];
    for (place, target) in sheltered(contest) {
        forms.push(target);
        let own = drm::sums(contest, &forms, leadership);
        sums.push(own.map_err(|fault| fault.within(&format!("target[{place}]")))?);
        forms.pop();
    }
    Ok(sums)
}

/// A7.21: fire at an adjacent hex is Point Blank nearly always, and only the contest can say so.
fn adjacent(form: &Form) -> Option<String> {
    let close = |form: &Form| form.maybe_int("range").is_some_and(|range| range <= 1);
    let said = |form: &Form| {
        ["point_blank", "triple_point_blank"].iter().any(|f| form.maybe_flag(f) == Some(true))
    };
    let denied = |firer: &Form| firer.maybe_flag("point_blank") == Some(false);
    let firers = form.tables("firer");
    let near = |firer: &Form| if firer.has("range") { close(firer) } else { close(form) };
    let doubtful = |firer: &Form| near(firer) && !said(firer) && !said(form) && !denied(firer);
    firers.iter().any(doubtful).then(|| {
        "the target is adjacent, or in the same hex, but the fire is not Point Blank: if it is, write \
         `point_blank = true` or `triple_point_blank = true` (A7.21)"
            .to_owned()
    })
}
