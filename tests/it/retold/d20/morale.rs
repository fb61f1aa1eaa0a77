//! A morale roll and what it means to fail it: `morale`, and the last step of `fire-and-morale`.
//!
//! Source: MORALE, MORALE MODIFIERS, FAILED MORALE TEST. Not played: the three markers of an
//! element that Lets Loose, where an element withdraws to, and the reload after it.

use enfilade::bounds::Bound;
use enfilade::catalogue::{Action, Contest};
use enfilade::combat::{Combat, Explanation, Measure, OutcomeField, Vocabulary};
use enfilade::dice::{Dice, Roll};
use enfilade::form::{Fault, Field, Form};

use super::check::{Check, D20};
use super::data::{CHANGED, Numbers};
use super::fields::{
    ENEMY_WITHIN_4, IN_COVER, MORALE, ONE_SUCCEEDS, QUALITY, READINGS, THE_MORALE_ROLL, skill,
};

const MARKERS: Bound = Bound::new("number of markers", 0, 20);
const CASUALTIES: Bound = Bound::new("number of casualties", 0, 100);

/// A leader near by.
pub const LEADER: Field = Field::choice(
    "leader",
    &["none", "novice", "average", "veteran"],
    "officer or NCO within 12 inches",
)
.rule("MORALE MODIFIERS")
.label("leader within 12 inches")
.values(&["no leader", "novice leader", "average leader", "veteran leader"])
.group(THE_MORALE_ROLL);
/// Morale markers.
pub const MORALE_MARKERS: Field =
    Field::int("morale_markers", MARKERS, 0, "Morale markers on the element")
        .rule("MORALE MODIFIERS")
        .label("Morale markers")
        .group(THE_MORALE_ROLL);
/// Suppression markers.
pub const SUPPRESSION_MARKERS: Field =
    Field::int("suppression_markers", MARKERS, 0, "Suppression markers on the element")
        .rule("MORALE MODIFIERS")
        .label("Suppression markers")
        .group(THE_MORALE_ROLL);
/// Figures lost before.
pub const CASUALTIES_BEFORE: Field =
    Field::int("casualties", CASUALTIES, 0, "figures the element has lost before")
        .rule("STATUS DAMAGE")
        .label("figures lost before")
        .unit("figures")
        .group(THE_MORALE_ROLL);
/// Whether there is somewhere to withdraw to.
pub const CAN_WITHDRAW: Field = Field::flag(
    "can_withdraw",
    true,
    "the element can move out of line of sight; otherwise Withdraw is Pinned",
)
.rule("FAILED MORALE TEST")
.label("can withdraw")
.values(&["nowhere to withdraw to", "can withdraw"])
.group(THE_MORALE_ROLL)
.rare();
/// Whether the element that tests is Pinned.
pub const PINNED_BEFORE: Field =
    Field::flag("pinned_before", false, "the element that tests is Pinned already")
        .rule("STATUS DAMAGE")
        .label("Pinned already")
        .group(THE_MORALE_ROLL);
/// When a Pinned element beside an enemy surrenders.
pub const SURRENDER: Field = Field::choice(
    "surrender",
    &["at-once", "after-failing"],
    "an element that is Pinned beside an enemy surrenders without a roll, or once its roll fails",
)
.rule("STATUS DAMAGE, FAILED MORALE TEST")
.label("Pinned beside an enemy")
.values(&["surrenders at once", "surrenders after failing"])
.group(READINGS)
.rare();
/// What a failed roll means to a Pinned element.
pub const PINNED_STAYS: Field = Field::flag(
    "pinned_stays_pinned",
    true,
    "a Pinned element that fails its roll stays Pinned; otherwise the margin tells, as for others",
)
.rule("STATUS DAMAGE, FAILED MORALE TEST")
.label("Pinned stays Pinned")
.group(READINGS)
.rare();

const FIELDS: &[Field] = &[
    MORALE,
    QUALITY.group(THE_MORALE_ROLL),
    IN_COVER.group(THE_MORALE_ROLL),
    LEADER,
    MORALE_MARKERS,
    SUPPRESSION_MARKERS,
    CASUALTIES_BEFORE,
    CAN_WITHDRAW,
    ENEMY_WITHIN_4.group(THE_MORALE_ROLL),
    PINNED_BEFORE,
    SURRENDER,
    PINNED_STAYS,
    ONE_SUCCEEDS,
    CHANGED,
];

/// The action.
pub const ACTION: Action = Action::new(
    "morale",
    "an element's morale roll, with all bands of failure",
    joined![*FIELDS],
    &build,
    &[
        "morale = 12\nmorale_markers = 2\ncasualties = 1",
        "morale = 3\nsuppression_markers = 1\ncan_withdraw = false\nenemy_within_4 = true",
        "quality = 'veteran'\nin_cover = true\nleader = 'veteran'\ncasualties = 6",
        "morale = 25\nleader = 'novice'\none_always_succeeds = false\nnumbers = { fail_let_loose = 1 }",
        "morale = 10\npinned_before = true\nenemy_within_4 = true\nsurrender = 'after-failing'",
    ],
)
.asks("How often does an element pass its morale roll?")
.off_table(
    "A natural 20 fails, by 1 at least; a natural 1 succeeds (our reading). What Morale is above \
     20 is taken off the roll. A roll that fails by 9 or more leaves the element Pinned.",
);

/// How an element takes its morale roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Nerve {
    /// It carries on.
    Holds,
    /// It empties its magazines: all AP lost, Gone Firm, Reload.
    LetLoose,
    /// It drops prone: −2 to all skills.
    Hesitant,
    /// It goes firm in the best cover.
    GoFirm,
    /// It falls back out of sight.
    Withdraw,
    /// It does nothing.
    Pinned,
}

/// What a Pinned element does when an enemy is within 4 inches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surrender {
    /// Nothing: there is no enemy.
    Never,
    /// It surrenders, without a roll.
    AtOnce,
    /// It surrenders when its morale roll leaves it Pinned.
    AfterFailing,
}

/// How a surrender is told, after the roll that led to it.
pub const SURRENDERS: &str = " An enemy is within 4 inches: the element surrenders.";

impl Surrender {
    /// Reads it from a contest; an action without a morale roll knows only surrender at once.
    pub fn of(form: &Form) -> Surrender {
        match form.maybe_text("surrender") {
            _ if !form.flag("enemy_within_4") => Surrender::Never,
            Some("after-failing") => Surrender::AfterFailing,
            _ => Surrender::AtOnce,
        }
    }
}

/// An element's morale roll, modifiers added up.
#[derive(Clone, Copy, Debug)]
pub struct MoraleRoll {
    check: Check,
    /// Morale for each casualty.
    per_casualty: i16,
    /// Largest failures that Let Loose, make Hesitant, Go Firm, Withdraw.
    bands: [i16; 4],
    can_withdraw: bool,
    /// Whether a Pinned element that fails stays Pinned, by however little.
    pinned_stays: bool,
}

impl MoraleRoll {
    /// Reads the roll of an element with this Morale.
    pub fn of(form: &Form, numbers: &Numbers, morale: i16) -> MoraleRoll {
        let per_casualty = numbers.get("morale_per_casualty");
        let count = |field, number| form.int(field) as i16 * numbers.get(number);
        let cover = if form.flag("in_cover") { numbers.get("morale_in_cover") } else { 0 };
        let leader = match form.text("leader") {
            "novice" => numbers.get("morale_leader_novice"),
            "average" => numbers.get("morale_leader_average"),
            "veteran" => numbers.get("morale_leader_veteran"),
            _ => 0,
        };
        let markers = count("morale_markers", "morale_marker")
            + count("suppression_markers", "morale_suppression_marker");
        let bands = ["fail_let_loose", "fail_hesitant", "fail_go_firm", "fail_withdraw"];
        MoraleRoll {
            check: Check {
                skill: morale
                    + cover
                    + leader
                    + markers
                    + form.int("casualties") as i16 * per_casualty,
                one_succeeds: form.flag("one_always_succeeds"),
            },
            per_casualty,
            bands: bands.map(|name| numbers.get(name)),
            can_withdraw: form.flag("can_withdraw"),
            pinned_stays: form.flag("pinned_stays_pinned"),
        }
    }

    /// The check of an element that has lost `casualties` more figures.
    pub fn check(&self, casualties: u8) -> Check {
        Check { skill: self.check.skill + i16::from(casualties) * self.per_casualty, ..self.check }
    }

    /// What `roll` means to it; `pinned` tells whether it is Pinned when it rolls.
    pub fn nerve(&self, casualties: u8, pinned: bool, roll: u8) -> Nerve {
        let Some(by) = self.check(casualties).fails_by(roll) else {
            return Nerve::Holds;
        };
        let [let_loose, hesitant, go_firm, withdraw] = self.bands;
        match by {
            _ if pinned && self.pinned_stays => Nerve::Pinned,
            _ if by <= let_loose => Nerve::LetLoose,
            _ if by <= hesitant => Nerve::Hesitant,
            _ if by <= go_firm => Nerve::GoFirm,
            _ if by <= withdraw && self.can_withdraw => Nerve::Withdraw,
            _ => Nerve::Pinned,
        }
    }

    /// Tells the roll.
    pub fn tell(&self, casualties: u8, pinned: bool, roll: Roll) -> Explanation {
        let check = self.check(casualties);
        let result = match self.nerve(casualties, pinned, roll.face) {
            Nerve::Holds => "passed",
            Nerve::LetLoose => "Let Loose",
            Nerve::Hesitant => "Hesitant",
            Nerve::GoFirm => "Go Firm",
            Nerve::Withdraw => "Withdraw",
            Nerve::Pinned if pinned => "still Pinned",
            Nerve::Pinned => "Pinned",
        };
        let by = check.fails_by(roll.face).map(|by| format!("failed by {by}, "));
        let text = format!(
            "Morale roll: d20 shows {} against {}: {}{result}.",
            roll.face,
            check.skill,
            by.unwrap_or_default()
        );
        Explanation::new("MORALE", text)
    }
}

fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let numbers = Numbers::of(form)?;
    let morale = skill(form, "morale", "quality", &numbers);
    Ok(Contest::of(Alone {
        roll: MoraleRoll::of(form, &numbers, morale),
        pinned: form.flag("pinned_before"),
        surrender: Surrender::of(form),
    }))
}

/// A morale roll and nothing else: the state is whether it has been made, and how it went. An
/// element that surrenders at once does not make it.
struct Alone {
    roll: MoraleRoll,
    pinned: bool,
    surrender: Surrender,
}

/// How a morale roll on its own ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Ended {
    nerve: Nerve,
    surrendered: bool,
}

impl Combat for Alone {
    type State = Option<Nerve>;
    type Outcome = Ended;

    fn open(&self) -> Option<Nerve> {
        let given_up = self.pinned && self.surrender == Surrender::AtOnce;
        given_up.then_some(Nerve::Pinned)
    }

    fn step(&self, _: Option<Nerve>, dice: &mut impl Dice) -> Option<Nerve> {
        Some(self.roll.nerve(0, self.pinned, dice.die(D20)))
    }

    fn outcome(&self, nerve: &Option<Nerve>) -> Option<Ended> {
        nerve.map(|nerve| Ended {
            nerve,
            surrendered: nerve == Nerve::Pinned && self.surrender != Surrender::Never,
        })
    }

    fn vocabulary(&self) -> Vocabulary<Ended> {
        Vocabulary { fields: columns(), measures: numbers() }
    }

    fn explain(&self, _: &Option<Nerve>, rolls: &[Roll], to: &Option<Nerve>) -> Explanation {
        let Some(&roll) = rolls.first() else {
            return Explanation::default();
        };
        let mut telling = self.roll.tell(0, self.pinned, roll);
        if self.outcome(to).is_some_and(|ended| ended.surrendered) {
            telling.text += SURRENDERS;
        }
        telling
    }
}

type Column = OutcomeField<Ended>;
type Number = Measure<Ended>;

fn columns() -> Vec<Column> {
    let rule = "FAILED MORALE TEST";
    vec![
        Column::new("let_loose", "Let Loose", |o| i32::from(o.nerve == Nerve::LetLoose))
            .label("Lets Loose")
            .rule(rule),
        Column::new("hesitant", "Hesitant", |o| i32::from(o.nerve == Nerve::Hesitant))
            .label("Hesitant")
            .rule(rule)
            .harm(30, "hesitant"),
        Column::new("go_firm", "Go Firm", |o| i32::from(o.nerve == Nerve::GoFirm))
            .label("Goes Firm")
            .rule(rule),
        Column::new("withdraw", "Withdraw", |o| i32::from(o.nerve == Nerve::Withdraw))
            .label("Withdraws")
            .rule(rule),
        Column::new("pinned", "Pinned", |o| i32::from(o.nerve == Nerve::Pinned))
            .label("Pinned")
            .rule(rule)
            .harm(40, "pin"),
        Column::new("surrendered", "Pinned beside an enemy: removed", |o| i32::from(o.surrendered))
            .label("surrenders")
            .rule("STATUS DAMAGE, FAILED MORALE TEST"),
    ]
}

fn numbers() -> Vec<Number> {
    vec![
        Number::probability("p_pass", "the roll succeeds", |o| o.nerve == Nerve::Holds)
            .label("holds")
            .headline(),
        Number::probability("p_pin", "Pinned or worse", |o| o.nerve == Nerve::Pinned)
            .label("Pinned or worse"),
        Number::probability("p_effect", "the roll fails", |o| o.nerve != Nerve::Holds)
            .label("fails"),
        Number::probability("p_surrender", "it surrenders", |o| o.surrendered).label("surrenders"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(skill: i16) -> MoraleRoll {
        MoraleRoll {
            check: Check { skill, one_succeeds: true },
            per_casualty: -2,
            bands: [2, 4, 6, 8],
            can_withdraw: true,
            pinned_stays: true,
        }
    }

    #[test]
    fn every_band_of_failure() {
        use Nerve::*;
        // Morale 8: 9, 10 fail by 1, 2; 11, 12 by 3, 4; and so on; 17 and more by 9 and more.
        let nerves: Vec<Nerve> = (7..=20).map(|roll| of(8).nerve(0, false, roll)).collect();
        let expected = [
            Holds, Holds, LetLoose, LetLoose, Hesitant, Hesitant, GoFirm, GoFirm, Withdraw,
            Withdraw, Pinned, Pinned, Pinned, Pinned,
        ];
        assert_eq!(nerves, expected);
        let cornered = MoraleRoll { can_withdraw: false, ..of(8) };
        assert_eq!(cornered.nerve(0, false, 15), Pinned);
    }

    #[test]
    fn a_casualty_costs_two_and_twenty_lets_loose_at_best() {
        assert_eq!(of(12).check(2).skill, 8);
        assert_eq!(of(30).nerve(0, false, 20), Nerve::LetLoose);
        assert_eq!(of(-5).nerve(0, false, 1), Nerve::Holds);
    }

    #[test]
    fn a_pinned_element_passes_or_stays_pinned() {
        for roll in 1..=20 {
            let expected = if roll <= 8 { Nerve::Holds } else { Nerve::Pinned };
            assert_eq!(of(8).nerve(0, true, roll), expected, "{roll}");
            let by_margin = MoraleRoll { pinned_stays: false, ..of(8) };
            assert_eq!(by_margin.nerve(0, true, roll), by_margin.nerve(0, false, roll));
        }
    }
}
