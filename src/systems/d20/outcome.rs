//! What an attack reports: its outcome fields and measures, declared once.

use crate::combat::{Measure, OutcomeField, Vocabulary};

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

type Field = OutcomeField<Outcome>;

fn hits() -> Vec<Field> {
    vec![
        Field::new("hit", "a shot hits, saved or not", |o| o.hit.into()),
        Field::new("casualties", "figures the target lost", |o| o.casualties),
    ]
}

fn hesitant() -> Field {
    Field::new("hesitant", "the target ends Hesitant", |o| {
        o.hesitant().into()
    })
}

fn pinned() -> Field {
    Field::new("pinned", "the target ends Pinned, or is wiped out", |o| {
        o.pinned().into()
    })
}

fn by_morale() -> Vec<Field> {
    vec![
        Field::new("let_loose", "it Lets Loose", |o| {
            o.nerve(Nerve::LetLoose).into()
        }),
        hesitant(),
        Field::new("go_firm", "it Goes Firm", |o| o.nerve(Nerve::GoFirm).into()),
        Field::new("withdraw", "it Withdraws", |o| {
            o.nerve(Nerve::Withdraw).into()
        }),
        pinned(),
    ]
}

fn surrendered() -> Field {
    Field::new("surrendered", "Pinned beside an enemy: removed", |o| {
        o.surrendered.into()
    })
}

/// The fields and measures of an action.
pub fn vocabulary(report: Report) -> Vocabulary<Outcome> {
    let mut fields = hits();
    let mut measures = vec![
        Measure::probability("p_hit", "a shot hits, saved or not", |o: &Outcome| o.hit),
        Measure::probability("p_kill", "the target loses a figure", |o| o.casualties > 0),
        Measure::probability("p_pin", "the target ends Pinned or worse", Outcome::pinned),
        Measure::probability(
            "p_effect",
            "the target is worse off than before",
            Outcome::affected,
        ),
        Measure::probability("p_wiped_out", "no figure is left", |o| o.wiped_out),
        Measure::mean("e_casualties", "figures the target loses", |o| o.casualties),
        Measure::probability("p_surrender", "the target surrenders", |o| o.surrendered),
    ];
    match report {
        Report::Attack => fields.extend([hesitant(), pinned()]),
        Report::Interrupt => {
            let about = "a character failed to react: the element is Suppressed";
            let many = "characters that failed to react, a Suppression marker for each";
            fields.extend([hesitant(), pinned()]);
            fields.push(Field::new("suppressed", about, |o| o.suppressed().into()));
            fields.push(Field::new(
                "reactions_failed",
                many,
                Outcome::reactions_failed,
            ));
            measures.push(Measure::probability(
                "p_suppressed",
                about,
                Outcome::suppressed,
            ));
            measures.push(Measure::mean(
                "e_reactions_failed",
                many,
                Outcome::reactions_failed,
            ));
        }
        Report::Morale => {
            fields.extend(by_morale());
            measures.push(Measure::probability(
                "p_fail",
                "its morale roll fails",
                Outcome::fails,
            ));
        }
    }
    fields.push(surrendered());
    Vocabulary { fields, measures }
}
