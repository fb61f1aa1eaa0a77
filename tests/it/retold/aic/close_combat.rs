//! Close combat: both sides strike, losses of both apply afterwards.
//!
//! Source: 6.0 to 6.2. Several teams against one are resolved one after the other, in the order of
//! their tables, each against what the team before left. Only the defender, the non-active side,
//! adds terrain to its Defense. Not played: attributes and special weapons of the advanced rules.

use enfilade::catalogue::{Action, Contest};
use enfilade::form::field_groups::{readings, under};
use enfilade::form::{Fault, Fields, Form};

use super::contest::{self, TargetSide, Within};
use super::encounter::{Attack, Manner, Needed};
use super::fields::*;
use super::headings;
use super::outcome::Report;
use super::squad::{Team, Toll};
use super::team::{Arms, Reductions, defense, figures, team};

const FIELDS: Fields = joined![
    [ATTACKERS, TARGET],
    under(headings::TARGET, [STRIKES_BACK]),
    CC_BANDS,
    SHARED_OUT,
    STATE_OF_TEAM,
    readings([COWERING_WEAPON_REDUCTION]),
    WOUND_RULES
];

/// The action.
pub const ACTION: Action = Action::new(
    "close-combat",
    "one or several teams assault a team, which strikes back",
    FIELDS,
    &build,
    &[
        "attacker = { experience = 'd8', weapons = ['d6', 'd6', 'd6', 'd6'], defense = 8 }\n\
         defender = { experience = 'd6', weapons = ['d6', 'd6', 'd6', 'd6'], defense = 8, cover = 'medium' }",
        "strikes_back = false\n\
         attacker = { experience = 'd8', figures = 4, weapon = 'd6' }\n\
         defender = { figures = 4, defense = 9 }",
        "attacker = [{ experience = 'd8', figures = 2, weapon = 'd6', defense = 7 }, \
                     { experience = 'd10', weapons = ['d10', 'd6'], defense = 7, prone = true }]\n\
         defender = { experience = 'd6', figures = 3, weapon = 'd8', defense = 7, cowering = true, pins = 1 }\n\
         casualty_adds_pin = true",
        "attacker = { experience = 'd12', figures = 3, weapon = 'd10', wounded = 2, defense = 7 }\n\
         defender = { experience = 'd6', figures = 2, weapon = 'd6', defense = 6, wounded = 1, armored_assault = true }\n\
         wound_reduces = 'best'\nwounds_stack = true\nladder_floor = 6\nkia_margin = 4",
        "attacker = { experience = 'd8', figures = 3, weapon = 'd6', defense = 7, cowering = true }\n\
         defender = { experience = 'd6', figures = 2, weapon = 'd6', defense = 6, cover = 'hard', \
                      squadmate = [{ figures = 2 }, { figures = 3, wounded = 1 }] }\n\
         spread = 'one'",
    ],
)
.asks("How often does an assault kill a figure {defender.cover|in its cover}?");

/// What every blow of a close combat has in common.
pub struct Blows {
    /// Smallest margins that wound and kill.
    margins: (i16, i16),
    /// What the attackers must reach.
    against_defender: Needed,
    /// What the defender strikes back with, if it does.
    answer: Option<Arms>,
    /// How the defender takes its results.
    toll: Toll,
    by: Reductions,
    rule: &'static str,
}

/// Names of the fields that a close combat reads: actions that also fire have two sets.
pub struct Names {
    /// Smallest margin that wounds.
    pub wound_margin: &'static str,
    /// Smallest margin that kills.
    pub kia_margin: &'static str,
    /// Whether a casualty also brings a pin.
    pub casualty_adds_pin: &'static str,
    /// What is rolled, as the rulebook numbers it.
    pub rule: &'static str,
}

const NAMES: Names = Names {
    wound_margin: "wound_margin",
    kia_margin: "kia_margin",
    casualty_adds_pin: "casualty_adds_pin",
    rule: "6.0, 6.1",
};

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let mut faults = Vec::new();
    let side = TargetSide::of(form, true, &mut faults);
    let mut encounter = side.encounter(contest::sharing(form, &side), Report::CloseCombat);
    let blows = Blows::of(form, &NAMES, &mut faults);
    for_each_attacker(form, &mut faults, |attacker, faults| {
        encounter.attacks.extend(blows.of_team(attacker, 0, faults));
    });
    encounter.attackers_wounded = attackers_wounded(form);
    contest::contest(encounter, faults)
}

/// The most attacking teams: what they place and lose together fits the counts of a state.
const MAX_ATTACKERS: usize = 16;

/// Runs `add` for each attacking team, with faults put under its table.
pub fn for_each_attacker(
    form: &Form,
    faults: &mut Vec<Fault>,
    mut add: impl FnMut(&Form, &mut Vec<Fault>),
) {
    let attackers = form.tables("attacker");
    if attackers.is_empty() {
        faults.push(Fault::new("attacker", "there is no attacking team"));
    }
    if attackers.len() > MAX_ATTACKERS {
        let problem =
            format!("{} attacking teams, but at most {MAX_ATTACKERS} are played", attackers.len());
        faults.push(Fault::new("attacker", problem).help("leave some of them out"));
        return;
    }
    for (index, attacker) in attackers.iter().enumerate() {
        let mut at = Within::one_of(faults, "attacker", index, attackers.len());
        at.read(|faults| add(attacker, faults));
    }
}

/// The Wounded markers that the attackers start with.
pub fn attackers_wounded(form: &Form) -> u8 {
    let attackers = form.tables("attacker").iter();
    let wounded: i64 = attackers.map(|attacker| attacker.int("wounded")).sum();
    wounded.min(i64::from(u8::MAX)) as u8
}

impl Blows {
    /// Reads what the blows of the contest in `form` have in common.
    pub fn of(form: &Form, names: &Names, faults: &mut Vec<Fault>) -> Blows {
        let by = Reductions::of(form);
        let margin = |name| form.int(name) as i16;
        let margins = (margin(names.wound_margin), margin(names.kia_margin));
        contest::check_margins(names.kia_margin, None, margins, faults);
        let printed = contest::defenders_defense(form, faults);
        let answers = form.flag("strikes_back");
        Blows {
            margins,
            against_defender: contest::needed(printed, None, margins),
            answer: answers.then(|| defenders_arms(form, &by, faults)).flatten(),
            toll: contest::toll(form, names.casualty_adds_pin),
            by,
            rule: names.rule,
        }
    }

    /// The blow of `attacker`, its Experience die reduced by `extra` more types, and the answer.
    pub fn of_team(&self, attacker: &Form, extra: u8, faults: &mut Vec<Fault>) -> Vec<Attack> {
        let arms = Arms::of(attacker, &self.by, extra, faults);
        let start = team(attacker, figures(attacker, faults), faults);
        let strike = self.attack(Manner::Strike, arms, start, self.against_defender);
        let back = self.answer.as_ref().map(|answer| {
            let needed = contest::needed(defense(attacker, faults), None, self.margins);
            self.attack(Manner::StrikeBack, answer.clone(), start, needed)
        });
        std::iter::once(strike).chain(back).collect()
    }

    fn attack(&self, manner: Manner, arms: Arms, attacker: Team, needed: Needed) -> Attack {
        Attack {
            manner,
            answered: self.answer.is_some(),
            arms,
            attacker,
            needed,
            toll: self.toll,
            rule: self.rule,
        }
    }
}

fn defenders_arms(form: &Form, by: &Reductions, faults: &mut Vec<Fault>) -> Option<Arms> {
    let defender = form.table("defender")?;
    let mut at = Within::new(faults, "defender".into());
    Some(at.read(|faults| Arms::of(defender, by, 0, faults)))
}
