//! `morale`: whether the troopers who are left pass their checks.
//!
//! Source: Morale Checks. Once enough of a squad are dead, every survivor rolls 2d6 against a
//! number by experience, harder for every further death, easier while the leader lives. The order
//! in which troopers check and the next actions of a leader are not modelled.
//!
//! Survivors check alike and independently, so the state is the number still to check and the
//! number that failed.

use enfilade_model::catalogue::{Action, Contest};
use enfilade_model::combat::vocabulary_macros::vocabulary;
use enfilade_model::combat::{Combat, Explanation, Later};
use enfilade_model::dice::{Dice, Roll};
use enfilade_model::form::bounds::Bound;
use enfilade_model::form::field_groups::joined;
use enfilade_model::form::field_macros::{Group, choice, fields};
use enfilade_model::form::{Fault, Form, Kind};
use enfilade_model::shared::Text;

use super::data;
use super::fields::{Experience, MODIFIER, NUMBER, READINGS, THE_TARGET};

const TROOPERS: Bound = Bound::new("number of troopers", 0, 40);
const LEADERSHIP: Bound = Bound::new("leadership", 0, 12);

choice! {
    /// Consequence of a failure.
    enum MoraleFail {
        /// The trooper leaves.
        Leaves = "leaves",
        /// The trooper loses a turn.
        LosesTurn = "loses-turn",
    }
}

fields! {
    /// Checking troopers, and their target number.
    struct Own {
        /// troopers of the squad that are dead
        dead: i64 = int(TROOPERS, 4).label("dead troopers").unit("troopers").group(THE_TARGET);
        /// troopers that are left
        survivors: u8 = int(TROOPERS, 4).label("survivors").unit("troopers").group(THE_TARGET);
        /// experience of the survivors
        experience: Experience = choice(Experience::WORDS).rule("Trooper Experience")
            .label("experience").group(THE_TARGET);
        /// the squad leader lives
        leader_alive: bool = flag(true).label("leader lives")
            .values(&["leader dead", "leader lives"]).group(THE_TARGET);
        /// leadership of the squad leader
        leadership: i64 = int(LEADERSHIP, 2).rule("Morale Checks").label("leadership")
            .group(THE_TARGET).rare();
        /// dead troopers from which checks are made
        threshold: i64 = int(TROOPERS, 4).rule("Morale Checks")
            .label("dead before checks are made").unit("troopers").group(READINGS).rare();
        /// for each dead trooper beyond the threshold
        per_dead_modifier: i64 = int(MODIFIER, 1).rule("Morale Checks")
            .label("modifier for each further dead").group(READINGS).rare();
        /// target number, where not the printed one of the experience
        morale_target: Option<i64> = optional(Kind::Int(NUMBER)).rule("Morale Checks")
            .label("target number").group(READINGS).rare();
        /// any other modifier of the target number
        modifier: i64 = int(MODIFIER, 0).label("other modifiers").group(READINGS).rare();
        /// what a failure does
        morale_fail: MoraleFail = choice(MoraleFail::WORDS).assumed().label("a failure means")
            .values(&["the trooper leaves", "the trooper loses a turn"]).group(READINGS).rare();
    }
}

/// Catalogue entry.
pub const MORALE: Action = Action::new(
    "morale",
    "morale checks of a squad's survivors",
    joined![Own::FIELDS],
    &build,
    &[
        "dead = 6\nsurvivors = 4",
        "dead = 5\nsurvivors = 5\nexperience = 'green'\nleader_alive = false",
        "dead = 3\nsurvivors = 5",
        "dead = 8\nsurvivors = 2\nexperience = 'elite'\nmorale_fail = 'loses-turn'",
        "dead = 7\nsurvivors = 3\nexperience = 'veteran'",
    ],
)
.asks("How often does one of {survivors|the} survivors fail a morale check?")
.off_table("A target number of 2 or less is always met, one above 12 never (Morale Checks).")
.leaving(&["survivors"]);

struct Morale {
    needed: i64,
    sum: String,
    checks: u8,
    survivors: u8,
    leaves: bool,
}

/// Morale Checks: "Apply a +1 modifier for each additional dead trooper above 4", and "a -N
/// modifier based upon the leadership skill of the squad leader".
fn build(form: &Form) -> Result<Contest, Vec<Fault>> {
    let own = Own::read(form);
    let printed = data::data().troop(own.experience.word()).and_then(|row| row.morale);
    let Some(target) = own.morale_target.or(printed) else {
        return Err(vec![Fault::new("experience", "that experience has no morale in the data")]);
    };
    let beyond = (own.dead - own.threshold).max(0);
    let modifiers = [
        (beyond * own.per_dead_modifier, "for the dead"),
        (own.modifier, "by other modifiers"),
        (if own.leader_alive { -own.leadership } else { 0 }, "for the leader"),
    ];
    Ok(Contest::of(Morale {
        needed: target + modifiers.iter().map(|(number, _)| number).sum::<i64>(),
        sum: summed(target, &modifiers),
        checks: if own.dead >= own.threshold { own.survivors } else { 0 },
        survivors: own.survivors,
        leaves: own.morale_fail == MoraleFail::Leaves,
    })
    .growing_with(&["survivors"]))
}

/// Formats the target number with its modifiers: `7 +2 for the dead, −2 for the leader`.
fn summed(target: i64, modifiers: &[(i64, &str)]) -> String {
    let moving = modifiers.iter().filter(|(number, _)| *number != 0);
    let told = moving.zip([" "].into_iter().chain(std::iter::repeat(", ")));
    told.fold(target.to_string(), |sum, ((number, why), between)| {
        let sign = if *number < 0 { '−' } else { '+' };
        format!("{sum}{between}{sign}{} {why}", number.abs())
    })
}

/// Checks made and failed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct State {
    made: u8,
    failed: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Outcome {
    failed: u8,
    passed: u8,
    left: u8,
}

impl Combat for Morale {
    type State = State;
    type Outcome = Outcome;

    fn open(&self) -> State {
        State { made: 0, failed: 0 }
    }

    /// Morale Checks: "Each remaining trooper must roll 2D6 and meet the target number".
    fn step(&self, mut state: State, dice: &mut impl Dice) -> State {
        let sum = i64::from(dice.sum(2, 6));
        state.made += 1;
        state.failed += u8::from(sum < self.needed);
        state
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let gone = if self.leaves { state.failed } else { 0 };
        (state.made == self.checks).then_some(Outcome {
            failed: state.failed,
            passed: self.survivors - state.failed,
            left: self.survivors - gone,
        })
    }

    fn left(&self, state: &State) -> Vec<Later> {
        let gone = if self.leaves { state.failed } else { 0 };
        vec![Later::Is(Text::Static("survivors"), (self.survivors - gone).into())]
    }

    vocabulary! { o: Outcome;
        columns {
            /// survivors who fail
            failed = count(o.failed).label("survivors who fail").unit("troopers")
                .rule("Morale Checks").adds();
            /// survivors who pass, or need not check
            passed = count(o.passed).label("survivors who hold").unit("troopers")
                .rule("Morale Checks");
            /// troopers still with the squad
            left = count(o.left).label("troopers left").unit("troopers").rule("Morale Checks");
        }
        measures {
            /// somebody fails
            p_fail = probability(o.failed > 0).label("somebody fails").headline().adds();
            /// nobody passes a check that was due
            p_all_fail = probability(o.failed > 0 && o.passed == 0).label("everybody fails");
            /// survivors who fail
            e_failed = mean(o.failed).label("survivors who fail on average").unit("troopers").adds();
            /// troopers still with the squad
            e_left = mean(o.left).label("troopers left on average").unit("troopers");
        }
    }

    fn explain(&self, from: &State, rolls: &[Roll], to: &State) -> Explanation {
        let faces: Vec<_> = rolls.iter().map(|roll| roll.face).collect();
        let sum: u8 = faces.iter().sum();
        let result = if to.failed > from.failed { "fails" } else { "holds" };
        let text = format!(
            "Survivor {}: 2d6 {faces:?} = {sum} against {} ({}): the trooper {result}.",
            to.made, self.needed, self.sum
        );
        Explanation::new("Morale Checks", text)
    }
}
