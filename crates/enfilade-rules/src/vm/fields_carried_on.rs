//! Fields that a finished rule carries to the next contest.

use super::code::{
    BagItemField, BagRegisterLayout, NewCarriedFieldValue, OutcomeRegisterOrConstant, Program,
    Registers,
};
use super::machine::Interpreter;
use super::snapshot::RuleSnapshot;
use super::states::FAILED_SUSPEND_POINT;
use enfilade_model::combat::{Ending, FieldChange};
use enfilade_model::static_or_shared::Text;

impl Interpreter {
    /// Returns the ending of a finished rule, and its carried fields if they are wanted.
    pub(crate) fn build_ending_and_carried(
        &self,
        regs: &mut Registers,
        left: Option<&mut Vec<FieldChange>>,
    ) -> Ending {
        if let Some(left) = left {
            *left = self.program.carried_fields_at_end(regs);
        }
        self.ending_of_rule(regs)
    }

    /// Returns the carried fields of a final state.
    pub(crate) fn carried_in_final_state<const N: usize>(
        &self,
        regs: &Registers,
        snap: &RuleSnapshot<N>,
    ) -> Vec<FieldChange> {
        if snap.site == FAILED_SUSPEND_POINT {
            return Vec::new();
        }
        let mut regs = *regs;
        self.restore_registers(&mut regs, snap);
        self.program.carried_fields_at_end(&regs)
    }
}

impl Program {
    /// Returns the carried fields of a finished rule.
    pub(crate) fn carried_fields_at_end(&self, regs: &Registers) -> Vec<FieldChange> {
        let number = |shown: &OutcomeRegisterOrConstant| match shown {
            OutcomeRegisterOrConstant::Register(reg) => regs[usize::from(*reg)] as i32,
            OutcomeRegisterOrConstant::Constant(value) => *value,
        };
        let later = |leaves: &NewCarriedFieldValue| match leaves {
            NewCarriedFieldValue::Number(path, shown) => {
                FieldChange::Is(path.clone(), number(shown))
            }
            NewCarriedFieldValue::Highest(path, shown) => {
                FieldChange::Highest(path.clone(), usize::try_from(number(shown)).unwrap_or(0))
            }
            NewCarriedFieldValue::Items(path, bag, first, changing) => FieldChange::Tables(
                path.clone(),
                self.collect_carried_items(*bag, first, changing, regs),
            ),
        };
        self.carried.iter().map(later).collect()
    }

    /// Returns the items of a bag in order, each with its table and its changed fields.
    fn collect_carried_items(
        &self,
        bag: u8,
        first: &[usize],
        changing: &[(Text, u16)],
        regs: &Registers,
    ) -> Vec<(usize, Vec<(Text, i32)>)> {
        let BagRegisterLayout { base, size, row, .. } = self.bags[usize::from(bag)];
        let registers = &regs[usize::from(base)..usize::from(base) + usize::from(size)];
        let there = registers.iter().filter(|item| **item >= 0);
        let describe_item = |item: &i64| {
            let digit = |(name, digit): &(Text, u16)| {
                let BagItemField { shift, mask, least, .. } = self.digits[usize::from(*digit)];
                (name.clone(), ((item >> shift & mask) + least) as i32)
            };
            let row = (item >> row) as usize;
            (first.get(row).copied().unwrap_or(row), changing.iter().map(digit).collect())
        };
        let mut items: Vec<_> = there.map(describe_item).collect();
        items.sort_unstable();
        items
    }
}
