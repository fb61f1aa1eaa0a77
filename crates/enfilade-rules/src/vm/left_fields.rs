//! Fields that a finished rule carries to the next contest.

use super::code::{Bag, Digit, Leaves, Program, Registers, Shown};
use super::machine::Machine;
use super::snapshot::Snap;
use super::states::LOST;
use enfilade_model::combat::{Ending, Later};
use enfilade_model::shared::Text;

impl Machine {
    /// Returns the ending of a finished rule, and its carried fields if they are wanted.
    pub(crate) fn ended(&self, regs: &mut Registers, left: Option<&mut Vec<Later>>) -> Ending {
        if let Some(left) = left {
            *left = self.program.left(regs);
        }
        self.ending(regs)
    }

    /// Returns the carried fields of a final state.
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
    /// Returns the carried fields of a finished rule.
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

    /// Returns the items of a bag in order, each with its table and its changed fields.
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
