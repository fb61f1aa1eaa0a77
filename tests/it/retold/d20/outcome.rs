//! What an attack reports: its outcome fields and measures, declared once.

use enfilade::combat::{Measure, OutcomeField, Vocabulary};

use super::attack::{Answer, Attack, Course, Status};
use super::morale::Nerve;

/// Which fields and measures an action has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// Casualties and status after the attack.
    Attack,
    /// The same, and whether the target is suppressed.
    Interrupt,
    /// Casualties, and the target's state after its morale roll.
    Morale,
}

/// How an attack ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome {
    hit: bool,
    casualties: i32,
    wiped_out: bool,
    status: Status,
    answer: Option<Answer>,
    surrendered: bool,
}

/// The outcome of `attack` when it has come to `course`.
pub fn of(attack: &Attack, course: &Course) -> Outcome {
    Outcome {
        hit: course.hit,
        casualties: course.casualties.into(),
        wiped_out: course.casualties == attack.target_figures,
        status: course.status,
        answer: course.answer,
        surrendered: attack.surrendered(course),
    }
}

impl Outcome {
    fn nerve(&self, nerve: Nerve) -> bool {
        self.answer == Some(Answer::Tested(nerve))
    }

    /// Characters that failed to react.
    fn reactions_failed(&self) -> i32 {
        match self.answer {
            Some(Answer::Reacted { failed, .. }) => failed.into(),
            _ => 0,
        }
    }

    fn suppressed(&self) -> bool {
        self.reactions_failed() > 0
    }

    fn hesitant(&self) -> bool {
        let by_fire =
            self.status == Status::Hesitant && !matches!(self.answer, Some(Answer::Tested(_)));
        by_fire || self.nerve(Nerve::Hesitant)
    }

    /// Pinned by fire and not tested since, or by its morale roll. An element that is wiped out
    /// counts as Pinned: that is the "or worse".
    fn pinned(&self) -> bool {
        let by_fire =
            self.status == Status::Pinned && !matches!(self.answer, Some(Answer::Tested(_)));
        by_fire || self.nerve(Nerve::Pinned)
    }

    fn fails(&self) -> bool {
        matches!(self.answer, Some(Answer::Tested(nerve)) if nerve != Nerve::Holds)
    }

    fn affected(&self) -> bool {
        self.casualties > 0 || self.hesitant() || self.pinned() || self.suppressed() || self.fails()
    }
}

type Column = OutcomeField<Outcome>;
type Number = Measure<Outcome>;

/// The fields and measures of an action.
pub fn vocabulary(report: Report) -> Vocabulary<Outcome> {
    let (mut fields, mut measures) = (hits(), odds(report));
    match report {
        Report::Attack => fields.extend([hesitant(), pinned()]),
        Report::Interrupt => {
            fields.extend([hesitant(), pinned()]);
            fields.extend(reactions());
            measures.extend(reacting());
        }
        Report::Morale => {
            fields.extend(by_morale());
            let fails = Number::probability("p_fail", "its morale roll fails", Outcome::fails);
            measures.push(fails.label("fails its morale roll"));
        }
    }
    fields.push(surrendered());
    Vocabulary { fields, measures }
}

fn hits() -> Vec<Column> {
    vec![
        Column::new("hit", "a shot hits, saved or not", |o| o.hit.into())
            .label("hit")
            .rule("SHOOTING"),
        Column::new("casualties", "figures the target lost", |o| o.casualties)
            .label("casualties")
            .unit("figures")
            .rule("STATUS DAMAGE")
            .harm(80, "kill"),
    ]
}

fn hesitant() -> Column {
    let about = "the target ends Hesitant";
    Column::new("hesitant", about, |o| o.hesitant().into())
        .label("Hesitant")
        .rule("STATUS DAMAGE")
        .harm(30, "hesitant")
}

fn pinned() -> Column {
    let about = "the target ends Pinned, or is wiped out";
    Column::new("pinned", about, |o| o.pinned().into())
        .label("Pinned")
        .rule("STATUS DAMAGE")
        .harm(40, "pin")
}

fn by_morale() -> Vec<Column> {
    let (failed, either) = ("FAILED MORALE TEST", "STATUS DAMAGE, FAILED MORALE TEST");
    vec![
        Column::new("let_loose", "it Lets Loose", |o| o.nerve(Nerve::LetLoose).into())
            .label("Lets Loose")
            .rule(failed),
        hesitant().rule(either),
        Column::new("go_firm", "it Goes Firm", |o| o.nerve(Nerve::GoFirm).into())
            .label("Goes Firm")
            .rule(failed),
        Column::new("withdraw", "it Withdraws", |o| o.nerve(Nerve::Withdraw).into())
            .label("Withdraws")
            .rule(failed),
        pinned().rule(either),
    ]
}

fn surrendered() -> Column {
    let about = "Pinned beside an enemy: removed";
    Column::new("surrendered", about, |o| o.surrendered.into())
        .label("surrenders")
        .rule("STATUS DAMAGE, FAILED MORALE TEST")
}

const SUPPRESSED: &str = "a character failed to react: the element is Suppressed";
const FAILED: &str = "characters that failed to react, a Suppression marker for each";

fn reactions() -> [Column; 2] {
    [
        Column::new("suppressed", SUPPRESSED, |o| o.suppressed().into())
            .label("Suppressed")
            .rule("REACTING"),
        Column::new("reactions_failed", FAILED, Outcome::reactions_failed)
            .label("failed reactions")
            .unit("characters")
            .rule("REACTING"),
    ]
}

fn reacting() -> [Number; 2] {
    [
        Number::probability("p_suppressed", SUPPRESSED, Outcome::suppressed)
            .label("Suppressed")
            .headline(),
        Number::mean("e_reactions_failed", FAILED, Outcome::reactions_failed)
            .label("failed reactions on average")
            .unit("characters"),
    ]
}

/// What every attack is measured by; after fire that only shoots a lost figure says most, after
/// fire that is answered by a morale roll how often the element stays down.
fn odds(report: Report) -> Vec<Number> {
    let first = |measure: Number, of: Report| match report == of {
        true => measure.headline(),
        false => measure,
    };
    let kill = Number::probability("p_kill", "the target loses a figure", |o| o.casualties > 0)
        .label("figure lost")
        .finishing();
    let pin = Number::probability("p_pin", "the target ends Pinned or worse", Outcome::pinned)
        .label("Pinned or worse");
    vec![
        Number::probability("p_hit", "a shot hits, saved or not", |o| o.hit).label("hit"),
        first(kill, Report::Attack),
        first(pin, Report::Morale),
        Number::probability("p_effect", "the target is worse off than before", Outcome::affected)
            .label("worse off than before"),
        Number::probability("p_wiped_out", "no figure is left", |o| o.wiped_out).label("wiped out"),
        Number::mean("e_casualties", "figures the target loses", |o| o.casualties)
            .label("casualties on average")
            .unit("figures"),
        Number::probability("p_surrender", "the target surrenders", |o| o.surrendered)
            .label("surrenders"),
    ]
}
