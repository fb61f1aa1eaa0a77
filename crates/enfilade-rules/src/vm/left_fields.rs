//! What a rule that is over leaves of the fields of its contest.

use rustc_hash::FxHashSet;

use super::code::{Bag, Digit, Leaves, Program, Registers, Shown};
use super::machine::Machine;
use super::snapshot::Snap;
use super::states::LOST;
use crate::resolve::game::{Game, Holds};
use crate::syntax::ast::{Expr, Report, Says};
use enfilade_model::combat::{Ending, Later};
use enfilade_model::shared::Text;

impl Machine {
    /// The ending of a rule that is over, with what it leaves where somebody asks.
    pub(crate) fn ended(&self, regs: &mut Registers, left: Option<&mut Vec<Later>>) -> Ending {
        if let Some(left) = left {
            *left = self.program.left(regs);
        }
        self.ending(regs)
    }

    /// What a state that is over leaves.
    pub(crate) fn left<const N: usize>(&self, regs: &Registers, snap: &Snap<N>) -> Vec<Later> {
        if snap.site == LOST {
            return Vec::new();
        }
        let mut regs = *regs;
        self.load(&mut regs, snap);
        self.program.left(&regs)
    }
}

impl Program {
    /// What a rule that is over leaves of the fields of its contest.
    pub(crate) fn left(&self, regs: &Registers) -> Vec<Later> {
        let number = |shown: &Shown| match shown {
            Shown::At(reg) => regs[usize::from(*reg)] as i32,
            Shown::Known(value) => *value,
        };
        let later = |leaves: &Leaves| match leaves {
            Leaves::Is(path, shown) => Later::Is(path.clone(), number(shown)),
            Leaves::Highest(path, shown) => {
                Later::Highest(path.clone(), usize::try_from(number(shown)).unwrap_or(0))
            }
            Leaves::Things(path, bag, first, changing) => {
                Later::Tables(path.clone(), self.things(*bag, first, changing, regs))
            }
        };
        self.leaves.iter().map(later).collect()
    }

    /// The things of a bag in order, each with the table that it is made of and what has changed in it.
    fn things(
        &self,
        bag: u8,
        first: &[usize],
        changing: &[(Text, u16)],
        regs: &Registers,
    ) -> Vec<(usize, Vec<(Text, i32)>)> {
        let Bag { base, size, row, .. } = self.bags[usize::from(bag)];
        let things = &regs[usize::from(base)..usize::from(base) + usize::from(size)];
        let there = things.iter().filter(|thing| **thing >= 0);
        let thing = |thing: &i64| {
            let digit = |(name, digit): &(Text, u16)| {
                let Digit { shift, mask, least, .. } = self.digits[usize::from(*digit)];
                (name.clone(), ((thing >> shift & mask) + least) as i32)
            };
            let row = (thing >> row) as usize;
            (first.get(row).copied().unwrap_or(row), changing.iter().map(digit).collect())
        };
        let mut things: Vec<_> = there.map(thing).collect();
        things.sort_unstable();
        things
    }
}

impl Game {
    /// What the field at a path holds: one of an action's, or any other by that name.
    pub fn holds_at(&self, action: Option<usize>, path: &str) -> Option<&Holds> {
        let mut names = path.split('.');
        let first = names.next()?;
        let mut actions = self.actions.iter().flat_map(|action| &action.fields);
        let own = action.into_iter().flat_map(|at| &self.actions[at].fields);
        let own = own.into_iter().find(|field| field.name.text == first);
        let field = own.or_else(|| self.field(first).map(|at| &self.fields[at]));
        let field = field.or_else(|| actions.find(|field| field.name.text == first))?;
        names.try_fold(&field.holds, |holds, name| {
            let record = match holds {
                Holds::Record(record) => *record,
                Holds::List(_, _, of) => match **of {
                    Holds::Record(record) => record,
                    _ => return None,
                },
                _ => return None,
            };
            let mut fields = self.records[record].fields.iter();
            fields.find(|field| field.name.text == name).map(|field| &field.holds)
        })
    }

    /// The fields of which an action says what is left, by their first names.
    pub fn left_by(&self, action: usize) -> Vec<String> {
        let mut open: Vec<&Report> = self.actions[action].rule.shows.iter().collect();
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        while let Some(report) = open.pop() {
            match report {
                Report::Carry { place, .. } => found.push(place),
                Report::Call(call) => {
                    if let Says::Call(name, _) = &call.what
                        && let Some((at, part)) = self.part(&name.text)
                        && seen.insert(at)
                    {
                        open.extend(&part.shows);
                    }
                }
                _ => {}
            }
        }
        let first = |place: &'_ Expr| {
            let path = place.path()?;
            let first = path.split('.').next()?;
            Some(first.to_owned())
        };
        let mut names: Vec<String> = found.into_iter().filter_map(first).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}
