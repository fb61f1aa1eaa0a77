//! Changes of bag items, for traces: reported after every roll that changed one of them.

use super::source_text::source_as_prose;
use crate::resolve::game::ResolvedRulebook;
use crate::value_types::ScalarType;
use crate::vm::code::Registers;
use crate::vm::code::{BagItemField, ITEM_MARK_BITS, Program};
use crate::vm::trace_marks::TracedBagField;

/// Bags of a traced rule.
pub struct TracedBags<'a> {
    game: &'a ResolvedRulebook,
    program: &'a Program,
    /// Items of each bag in order: at the start, and when last reported.
    bags: Vec<Option<[Vec<i64>; 2]>>,
}

impl<'a> TracedBags<'a> {
    /// Creates the state before the first die.
    pub fn new(game: &'a ResolvedRulebook, program: &'a Program) -> TracedBags<'a> {
        let bags = vec![None; program.bags.len()];
        TracedBags { game, program, bags }
    }

    /// Records a new bag.
    pub fn record_new_bag(&mut self, bag: u8, regs: &Registers) {
        let now = self.visible_items_in_order(bag, regs);
        if !self.program.item_formats[usize::from(bag)].name.is_empty() {
            self.bags[usize::from(bag)] = Some([now.clone(), now]);
        }
    }

    /// Returns the items of a bag in order, without the marks of open loops and the fields that the
    /// rule hides.
    fn visible_items_in_order(&self, bag: u8, regs: &Registers) -> Vec<i64> {
        let kept_digits = self
            .program
            .item_formats
            .get(usize::from(bag))
            .map_or(&[][..], |format| &format.hidden_digits);
        let kept_digits = kept_digits.iter().map(|digit| &self.program.digits[usize::from(*digit)]);
        let kept_digits =
            kept_digits.fold(0, |kept, digit| kept | digit.mask << (digit.shift - ITEM_MARK_BITS));
        let bag = &self.program.bags[usize::from(bag)];
        let first = usize::from(bag.base);
        let registers = &regs[first..first + usize::from(bag.size)];
        let there = registers.iter().filter(|item| **item >= 0);
        let mut there: Vec<i64> = there.map(|item| item >> ITEM_MARK_BITS & !kept_digits).collect();
        there.sort_unstable();
        there
    }

    /// Returns a sentence for each bag that changed since the last call.
    pub fn describe_changed_bags(&mut self, regs: &Registers) -> Vec<String> {
        let mut texts = Vec::new();
        for bag in 0..self.bags.len() {
            let now = self.visible_items_in_order(bag as u8, regs);
            if let Some([began, last]) = &mut self.bags[bag]
                && *last != now
            {
                *last = now;
                let text = describe_items_of_bag(self.game, self.program, bag, began, last);
                texts.push(text);
            }
        }
        texts
    }
}

/// Describes the items of a bag: `mates: figures 3, wounded 1; 2 of figures 4, wounded 0`.
fn describe_items_of_bag(
    game: &ResolvedRulebook,
    program: &Program,
    bag: usize,
    began: &[i64],
    now: &[i64],
) -> String {
    let things = &program.item_formats[bag];
    let digit = |digit: u16, item: i64| {
        let BagItemField { shift, mask, least, .. } = program.digits[usize::from(digit)];
        (item >> (shift - ITEM_MARK_BITS) & mask) + least
    };
    // A field that the rule adds is left out as long as all items have its initial value.
    let differs = |format: &&TracedBagField| {
        let began = began.first().map(|item| digit(format.digit, *item));
        let same = |item: &i64| Some(digit(format.digit, *item)) == began;
        format.always || !now.iter().all(same)
    };
    let shown: Vec<&TracedBagField> = things.fields.iter().filter(differs).collect();
    let described = |item: &i64| {
        let called = things.rows.get(digit(things.row, *item) as usize);
        let called = called.filter(|name| !name.is_empty()).cloned();
        let texts = shown
            .iter()
            .filter_map(|format| format_bag_field(game, format, digit(format.digit, *item)));
        let texts: Vec<String> = texts.collect();
        let texts = texts.join(", ");
        match called {
            Some(name) => format!("{name} {texts}").trim_end().to_owned(),
            None => texts,
        }
    };
    let all: Vec<String> = now.iter().map(described).collect();
    let like = all.chunk_by(|a, b| a == b).map(|like| match (like.len(), like[0].as_str()) {
        (1, "") => "one as it was".to_owned(),
        (many, "") => format!("{many} as they were"),
        (1, text) => text.to_owned(),
        (many, text) => format!("{many} of {text}"),
    });
    let like: Vec<String> = like.collect();
    format!("{}: {}", source_as_prose(&things.name), like.join("; "))
}

/// Formats a field of an item: `wounded 1`, `pinned`, `routed`; `None` for a no.
fn format_bag_field(
    game: &ResolvedRulebook,
    format: &TracedBagField,
    value: i64,
) -> Option<String> {
    match format.kind {
        ScalarType::YesNo => (value != 0).then(|| source_as_prose(&format.name)),
        ScalarType::Number | ScalarType::Any => {
            Some(format!("{} {value}", source_as_prose(&format.name)))
        }
        kind => Some(game.value_for_people(kind, value)),
    }
}
