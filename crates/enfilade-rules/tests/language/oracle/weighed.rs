//! What best play of a contest is worth, where its law is not the only one or is not followed to
//! its end: a choice that the other side does not see, and decisions in a loop that may go on for
//! ever.

use enfilade_rules::syntax::ast::{RulebookAst, StmtKind};
use toml::Table;

use super::world::{Asked, Halt, World};
use super::{Patience, Search, Told, reduced};

/// A fraction.
type Share = (i128, i128);

/// The mean of a goal under best play lies between these.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// The goal of all decisions.
    pub goal: String,
    pub least: Share,
    pub most: Share,
}

/// What a contest is worth to who decides in it. What is not followed to its end may be worth
/// anything `within` these bounds.
pub fn worth(
    file: &RulebookAst,
    action: &str,
    contest: &Table,
    patience: Patience,
    within: (i128, i128),
) -> Result<Worth, Told> {
    let world = World::new(file, action, contest).map_err(|halt| halt.told(&[]))?;
    let goal = goal_of(&world);
    let mut search = Search { world, patience, plays: 0 };
    let (least, most) = search.weighed(&goal, within, &mut Vec::new(), 1)?;
    Ok(Worth { goal, least, most })
}

/// The goal of the first decision.
fn goal_of(world: &World<'_>) -> String {
    let action = world.book.action.expect("it was found");
    let mut open: Vec<_> = action.body.iter().collect();
    while let Some(stmt) = open.pop() {
        if let StmtKind::Choose(choose) = &stmt.kind {
            return choose.goal.text.clone();
        }
        open.extend(stmt.kind.child_blocks().into_iter().flatten());
    }
    panic!("somebody decides");
}

fn sum(one: Share, other: Share) -> Share {
    reduced(one.0 * other.1 + other.0 * one.1, one.1 * other.1)
}

fn times(one: Share, other: Share) -> Share {
    reduced(one.0 * other.0, one.1 * other.1)
}

fn less(one: &Share, other: &Share) -> bool {
    one.0 * other.1 < other.0 * one.1
}

fn best(worths: impl Iterator<Item = Share>, highest: bool) -> Share {
    let better = |one: Share, other: Share| match less(&one, &other) == highest {
        true => other,
        false => one,
    };
    worths.reduce(better).expect("a choice has options")
}

impl Search<'_> {
    /// The least and the greatest worth of all sequences that begin with these answers.
    fn weighed(
        &mut self,
        goal: &str,
        within: (i128, i128),
        answers: &mut Vec<u32>,
        ways: u128,
    ) -> Result<(Share, Share), Told> {
        self.plays += 1;
        if self.plays > self.patience.plays {
            return Err(Told::TooLarge);
        }
        let mut world = self.world.again(answers);
        let asked = match world.play() {
            Ok(report) => {
                let shown = report.shows.iter().find(|(name, _)| name == goal);
                let shown = shown.and_then(|(_, value)| value.shown());
                let shown = (i128::from(shown.unwrap_or(0)), 1);
                return Ok((shown, shown));
            }
            Err(Halt::Ask(asked)) => asked,
            Err(halt) => return Err(halt.told(answers)),
        };
        match asked {
            _ if ways >= self.patience.ways => Ok(((within.0, 1), (within.1, 1))),
            Asked::Die(sides) => {
                let ways = ways.saturating_mul(u128::from(sides));
                let all = self.each_weighed(goal, within, answers, (sides, ways))?;
                let mean = |of: fn(&(Share, Share)) -> Share| {
                    let total = all.iter().map(of).fold((0, 1), sum);
                    times(total, (1, i128::from(sides)))
                };
                Ok((mean(|one| one.0), mean(|one| one.1)))
            }
            Asked::Choice { hides: true, .. } => {
                Err(Told::Senseless("the first of two choices comes first".to_owned()))
            }
            Asked::Choice { options: 2, highest, .. } if self.is_hidden_next(answers) => {
                let value = self.unseen(goal, highest, answers)?;
                Ok((value, value))
            }
            Asked::Choice { options, highest, .. } => {
                let all = self.each_weighed(goal, within, answers, (options, ways))?;
                let least = best(all.iter().map(|one| one.0), highest);
                Ok((least, best(all.iter().map(|one| one.1), highest)))
            }
        }
    }

    fn each_weighed(
        &mut self,
        goal: &str,
        within: (i128, i128),
        answers: &mut Vec<u32>,
        (count, ways): (u32, u128),
    ) -> Result<Vec<(Share, Share)>, Told> {
        let mut all = Vec::new();
        for answer in 1..=count {
            answers.push(answer);
            all.push(self.weighed(goal, within, answers, ways)?);
            answers.pop();
        }
        Ok(all)
    }

    /// Whether a hidden choice follows, after dice alone.
    fn is_hidden_next(&self, answers: &[u32]) -> bool {
        let mut answers = [answers, &[1]].concat();
        loop {
            match self.world.again(&answers).play() {
                Err(Halt::Ask(Asked::Die(_))) => answers.push(1),
                Err(Halt::Ask(Asked::Choice { hides, .. })) => return hides,
                _ => return false,
            }
        }
    }

    /// The value of two choices of which the second does not see the first, which has two options:
    /// of one who wants it `highest`, or lowest. The worst answer by what is seen is the least of
    /// some lines over the share of the first option, so the best share is 0, 1, or where two of
    /// them cross.
    fn unseen(&mut self, goal: &str, highest: bool, answers: &mut Vec<u32>) -> Result<Share, Told> {
        let mut views: Vec<(Share, Vec<Vec<Share>>)> = Vec::new();
        for option in 1..=2 {
            answers.push(option);
            let mut seen = 0;
            self.views(goal, answers, (1, 1), &mut |share, worths| {
                match option {
                    1 => views.push((share, vec![worths])),
                    _ => views[seen].1.push(worths),
                }
                seen += 1;
            })?;
            answers.pop();
        }
        let mut shares = vec![(0, 1), (1, 1)];
        for (_, worths) in &views {
            let lines: Vec<(Share, Share)> =
                worths[0].iter().copied().zip(worths[1].iter().copied()).collect();
            for (at, one) in lines.iter().enumerate() {
                shares.extend(lines[at + 1..].iter().filter_map(|other| crossing(one, other)));
            }
        }
        let value = |x: &Share| {
            let rest = sum((1, 1), (-x.0, x.1));
            let worst = |worths: &Vec<Vec<Share>>| {
                let lines = worths[0].iter().zip(&worths[1]);
                best(lines.map(|(a, b)| sum(times(*x, *a), times(rest, *b))), !highest)
            };
            views.iter().map(|(share, worths)| times(*share, worst(worths))).fold((0, 1), sum)
        };
        Ok(best(shares.iter().map(value), highest))
    }

    /// What is seen before the hidden choice, by the dice on the way: its chance, and the worth of
    /// each option.
    fn views(
        &mut self,
        goal: &str,
        answers: &mut Vec<u32>,
        share: Share,
        see: &mut dyn FnMut(Share, Vec<Share>),
    ) -> Result<(), Told> {
        match self.world.again(answers).play() {
            Err(Halt::Ask(Asked::Die(sides))) => {
                for face in 1..=sides {
                    answers.push(face);
                    self.views(goal, answers, times(share, (1, i128::from(sides))), see)?;
                    answers.pop();
                }
                Ok(())
            }
            Err(Halt::Ask(Asked::Choice { options, hides: true, .. })) => {
                let worths = self.each_weighed(goal, (0, 0), answers, (options, 1))?;
                see(share, worths.into_iter().map(|one| one.0).collect());
                Ok(())
            }
            Err(Halt::Ask(_)) | Ok(_) => Err(Told::Senseless("no second choice".to_owned())),
            Err(halt) => Err(halt.told(answers)),
        }
    }
}

/// The share of the first option at which two lines cross, if they do between 0 and 1.
fn crossing(one: &(Share, Share), other: &(Share, Share)) -> Option<Share> {
    // x·a + (1 − x)·b = x·c + (1 − x)·d.
    let minus = |share: Share| (-share.0, share.1);
    let above = sum(other.1, minus(one.1));
    let below = sum(above, sum(one.0, minus(other.0)));
    let share = (below.0 != 0).then(|| reduced(above.0 * below.1, above.1 * below.0))?;
    (!less(&share, &(0, 1)) && !less(&(1, 1), &share)).then_some(share)
}
