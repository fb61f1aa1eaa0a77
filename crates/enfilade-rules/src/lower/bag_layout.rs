//! Layout of bags: equal items are interchangeable, and their order is not part of the state.

use std::sync::Arc;

use super::construct_views::Bags;
use super::lowered_value::{
    Binding, ChangingItemField, JumpTarget, LoweredBag, LoweredValue, MAX_CHANGING_ITEM_FIELDS,
    Operand,
};
use super::name_scopes::Scopes;
use crate::diagnostics::Span;
use crate::syntax::ast::{Expr, Ident};
use crate::value_types::MAX_BAG_ITEMS;
use crate::value_types::{ContestValue, ScalarType, VARIABLE_RANGE, ValueRange};
use crate::vm::code::{BagItemField, BagRegisterLayout, BinOp, ITEM_MARK_BITS, Instr, Reg};

impl<'g> Bags<'_, 'g> {
    /// Lowers `bag of target with now = whole`. Returns the number of registers that it occupies.
    pub(super) fn declare_bag_variable(
        &mut self,
        name: &'g str,
        of: &'g Expr,
        with: &'g [(Ident, Expr)],
        span: &Span,
    ) -> usize {
        let registers = self.declare_valid_bag(name, of, with, span);
        registers.unwrap_or_else(|| {
            // One fault is enough: lines that use the bag make no further ones.
            let nothing = LoweredValue::Operand(self.emitter.error_operand());
            self.scopes.bind_name(name, Binding::Value(nothing));
            0
        })
    }

    /// Declares a bag; `None` after a fault.
    fn declare_valid_bag(
        &mut self,
        name: &'g str,
        of: &'g Expr,
        with: &'g [(Ident, Expr)],
        span: &Span,
    ) -> Option<usize> {
        let BagRowsAndItems { rows, merged, places, count } = self.rows_and_items_of_bag(of)?;
        if count.range.kind == ScalarType::Any {
            return None;
        }
        let starts = self.initial_changing_fields(with, &rows, span)?;
        self.emitter.parameters.note_shapes_code(count);
        if count.range.lo > MAX_BAG_ITEMS as i64 {
            self.report_too_many_items(count.range.lo, span);
            return None;
        }
        let size = count.range.hi.clamp(0, MAX_BAG_ITEMS as i64) as u8;
        let base = self.emitter.allocate_registers(size.into(), span);
        let bag = self.allocate_bag_digits(base, size, rows, &starts, span);
        let declared = &mut self.scopes.bags[usize::from(bag)];
        (declared.whole, declared.merged) = (count.as_constant().is_some(), merged);
        self.store_initial_items(bag, &places, count, &starts, span);
        self.scopes.bind_name(name, Binding::Value(LoweredValue::Bag(bag)));
        // The registers of the items stay allocated; temporaries above them are released.
        let mark = self.emitter.mark.min(usize::from(base));
        Some(usize::from(base) + usize::from(size) - mark)
    }

    /// Returns the changing fields of a bag's items with their initial values; `None` if there are
    /// too many.
    fn initial_changing_fields(
        &mut self,
        with: &'g [(Ident, Expr)],
        rows: &Arc<[ContestValue]>,
        span: &Span,
    ) -> Option<Vec<BagFieldInit<'g>>> {
        let mut starts: Vec<BagFieldInit<'g>> = Vec::new();
        for (field, value) in with {
            let num = self.lower_to_operand(value, None);
            starts.push((&field.text, vec![num; rows.len().max(1)]));
        }
        self.add_assigned_fields(rows, &mut starts, span);
        if starts.len() > MAX_CHANGING_ITEM_FIELDS {
            let problem =
                format!("an item of a bag has at most {MAX_CHANGING_ITEM_FIELDS} changing values");
            self.emitter.report_or_emit_fault(span, problem, "");
            return None;
        }
        Some(starts)
    }

    fn report_too_many_items(&mut self, has: i64, span: &Span) {
        self.emitter.report_or_emit_fault(
            span,
            format!("a bag has at most {MAX_BAG_ITEMS} items, not {has}"),
            "",
        );
    }

    /// Returns the rows of a bag and its items; `None` after a fault.
    fn rows_and_items_of_bag(&mut self, of: &'g Expr) -> Option<BagRowsAndItems> {
        let value = self.lower_value(of, None);
        if let LoweredValue::Contest(ContestValue::List(items, len)) = &value
            && items.iter().all(|item| matches!(item, ContestValue::Record(_)))
        {
            if len.is_some() {
                let count = self.emitter.unknown_operand(
                    ValueRange::new(ScalarType::Number, 0, MAX_BAG_ITEMS as i64),
                    &of.span,
                );
                return Some(BagRowsAndItems::of_one_row(items.clone(), count));
            }
            let all = super::loop_statements::repeat_records_by_count(items);
            if all.len() > MAX_BAG_ITEMS {
                self.report_too_many_items(all.len() as i64, &of.span);
                return None;
            }
            let (merged, places) = self.scopes.merge_equal_rows(&all);
            let rows = merged.iter().filter_map(|alike| row_with_common_name(alike)).collect();
            let count = Operand::constant_whole_number(places.len() as i64);
            return Some(BagRowsAndItems { rows, merged, places, count });
        }
        let num = self.value_as_operand(value, &of.span);
        if num.range.kind != ScalarType::Any {
            self.check_type(num, ScalarType::Number, &of.span);
        }
        self.scopes.note_size_bounding_fields(of);
        Some(BagRowsAndItems::of_one_row(Arc::new([]), num))
    }

    /// Adds the record fields that some line assigns: they change in the bag, and begin with the
    /// contest's value.
    fn add_assigned_fields(
        &mut self,
        rows: &Arc<[ContestValue]>,
        starts: &mut Vec<BagFieldInit<'g>>,
        span: &Span,
    ) {
        let (Some(ContestValue::Record(first)), Some(columns)) =
            (rows.first(), self.scopes.columns)
        else {
            return;
        };
        let game = self.scopes.game;
        for (at, field) in game.records[first.record].fields.iter().enumerate() {
            let name = field.name.text.as_str();
            if !columns.changed.contains(name) || starts.iter().any(|(known, _)| *known == name) {
                continue;
            }
            // Another bag may have a changing value of the same name.
            let Some(nums) = self.numbers_of_field_by_row(rows, at, span) else { continue };
            starts.push((name, nums));
        }
    }

    /// Returns the number in one field of each row; `None` if the field contains no number.
    fn numbers_of_field_by_row(
        &mut self,
        rows: &Arc<[ContestValue]>,
        at: usize,
        span: &Span,
    ) -> Option<Vec<Operand>> {
        let number = |row: &ContestValue| {
            let ContestValue::Record(record) = row else { return None };
            match &record.fields.get(at)?.0 {
                fixed @ (ContestValue::Number(_) | ContestValue::Maybe(_)) => {
                    Some(self.value_as_operand(LoweredValue::Contest(fixed.clone()), span))
                }
                ContestValue::Absent(_) => Some(Operand::constant_whole_number(0)),
                _ => None,
            }
        };
        rows.iter().map(number).collect()
    }

    /// Allocates the digits of the changing fields and of the row.
    pub(super) fn allocate_bag_digits(
        &mut self,
        base: u8,
        size: u8,
        rows: Arc<[ContestValue]>,
        starts: &[BagFieldInit<'g>],
        span: &Span,
    ) -> u8 {
        let bag = self.emitter.program.bags.len() as u8;
        let first = self.emitter.program.digits.len() as u16;
        let mut layout = ItemNumberLayout { bag, base, shift: ITEM_MARK_BITS, digits: Vec::new() };
        let mut fields: Vec<ChangingItemField> = Vec::new();
        // The last named field is the lowest digit, so that the first named one decides the order.
        for ((name, nums), digit) in starts.iter().rev().zip(first..) {
            let begins = nums.iter().map(|num| num.range).reduce(ValueRange::union);
            let begins = begins.unwrap_or(ValueRange::from_number(ScalarType::Any, 0));
            let (lo, hi) = self.scopes.bag_field_range(span.start, name, begins);
            layout.push_digit_and_get_shift(lo, hi - lo + 1);
            fields.push(ChangingItemField { name, kind: begins.kind, digit });
        }
        let row = layout.push_digit_and_get_shift(0, rows.len().max(1) as i64);
        if layout.shift > 62 {
            let names: Vec<_> = fields.iter().map(|field| format!("`{}`", field.name)).collect();
            let problem = format!(
                "the changing values of these items have too wide a range: {}",
                names.join(", ")
            );
            self.emitter.report_or_emit_fault(
                span,
                problem,
                "bound them with `at most …` where they grow",
            );
        }
        self.emitter.program.digits.extend(layout.digits);
        let values = (rows.len().max(1) as u64) << (row - ITEM_MARK_BITS);
        let ranks = self.scopes.content_ranks_of_rows(&rows);
        self.emitter.program.bags.push(BagRegisterLayout { base, size, values, row, ranks });
        let (declaration, row) = (span.start, first + fields.len() as u16);
        self.scopes.bags.push(LoweredBag {
            rows,
            merged: Vec::new(),
            fields,
            whole: false,
            created_at: declaration,
            row,
        });
        self.emitter.closed_bags.push(false);
        bag
    }

    /// Stores the items of a bag in their registers with their initial values.
    fn store_initial_items(
        &mut self,
        bag: u8,
        places: &[usize],
        count: Operand,
        starts: &[BagFieldInit<'g>],
        span: &Span,
    ) {
        let BagRegisterLayout { base, size, .. } = self.emitter.program.bags[usize::from(bag)];
        let whole = count.as_constant().is_some();
        for item in 0..size {
            let row = places.get(usize::from(item)).copied().unwrap_or(0);
            let (mut absent, mut end) = (JumpTarget::default(), JumpTarget::default());
            if !whole {
                let op = Instr::UnlessCmpK(BinOp::Gt, count.reg, item.into(), 0);
                self.emitter.emit_branch(op, &mut absent, span);
            }
            self.store_initial_item(bag, item, row, starts, span);
            if !whole {
                self.emitter.emit_jump(&mut end, span);
                self.emitter.place_jump_target(absent);
                self.emitter.emit_constant(base + item, -1, span);
                self.emitter.place_jump_target(end);
            }
        }
    }

    /// Stores one item: the constant part at once, then every other digit.
    fn store_initial_item(
        &mut self,
        bag: u8,
        item: u8,
        row: usize,
        starts: &[BagFieldInit<'g>],
        span: &Span,
    ) {
        let BagRegisterLayout { base, row: shift, .. } =
            self.emitter.program.bags[usize::from(bag)];
        let mut value = (row as i64) << shift;
        let mut rolled = Vec::new();
        for (name, nums) in starts {
            let num = nums.get(row).or(nums.first()).copied();
            let Some((num, digit)) = num.zip(self.scopes.find_field_digit(bag, name)) else {
                continue;
            };
            match num.as_constant() {
                Some(known) => {
                    value |=
                        self.emitter.program.digits[usize::from(digit)].clamped_shifted_value(known)
                }
                None => rolled.push((digit, num)),
            }
        }
        self.emitter.emit_constant(base + item, value, span);
        if rolled.is_empty() {
            return;
        }
        let cursor = self.emitter.allocate_register(span);
        self.emitter.emit_constant(cursor, item.into(), span);
        for (digit, num) in rolled {
            self.emitter.push_instr(Instr::Put(digit, cursor, num.reg), span);
        }
    }
}

impl<'g> Scopes<'g> {
    /// Groups rows that agree in everything that is read. Returns the groups, and the group of each
    /// row.
    fn merge_equal_rows(&self, all: &[ContestValue]) -> (Vec<Vec<ContestValue>>, Vec<usize>) {
        let mut keys: Vec<Vec<i64>> = Vec::new();
        let mut groups: Vec<Vec<ContestValue>> = Vec::new();
        let mut places = Vec::new();
        for item in all {
            let key = self.row_comparison_key(item);
            let group = keys.iter().position(|known| *known == key).unwrap_or_else(|| {
                keys.push(key);
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(item.clone());
            places.push(group);
        }
        (groups, places)
    }

    /// Returns whether rows that were merged differ in a column that no item changes: of these
    /// items a sentence cannot say one value.
    pub(super) fn merged_items_differ_in(&self, column: &str) -> bool {
        let key = |row: &ContestValue| {
            let mut key = Vec::new();
            if let Some(value) = self.game.find_member_of_value(row, column) {
                self.game.append_read_parts_to_key(value, &|_| true, &mut key);
            }
            key
        };
        let differ = |alike: &Vec<ContestValue>| alike.iter().any(|row| key(row) != key(&alike[0]));
        let constant = |bag: &&LoweredBag| bag.fields.iter().all(|field| field.name != column);
        self.bags.iter().filter(constant).any(|bag| bag.merged.iter().any(differ))
    }

    /// Returns whether the rule reads a column of any value.
    pub(super) fn is_column_ever_read(&self, column: &str) -> bool {
        let columns = self.columns;
        // Carried fields distinguish rows by everything that a contest contains.
        self.flags.leaves || columns.is_some_and(|columns| columns.read.contains(column))
    }

    /// Encodes the parts of a contest value that are read, as comparable numbers.
    pub(super) fn row_comparison_key(&self, fixed: &ContestValue) -> Vec<i64> {
        let mut key = Vec::new();
        self.game.append_read_parts_to_key(
            fixed,
            &|column| self.is_column_ever_read(column),
            &mut key,
        );
        key
    }

    /// Ranks rows by their content.
    fn content_ranks_of_rows(&self, rows: &[ContestValue]) -> Vec<u16> {
        let keys: Vec<Vec<i64>> = rows.iter().map(|row| self.row_comparison_key(row)).collect();
        let mut sorted = keys.clone();
        sorted.sort();
        let rank =
            |key: &Vec<i64>| sorted.iter().position(|known| known == key).unwrap_or(0) as u16;
        keys.iter().map(rank).collect()
    }

    /// Returns the range of a changing field in the whole rule.
    fn bag_field_range(
        &mut self,
        declaration: usize,
        name: &str,
        begins: ValueRange,
    ) -> (i64, i64) {
        let (lo, hi) = match begins.kind {
            ScalarType::Number | ScalarType::Any => {
                self.widen_field_range(declaration, name, (begins.lo, begins.hi))
            }
            kind => {
                let all = self.game.range_of_type(kind);
                (all.lo, all.hi)
            }
        };
        (lo.max(VARIABLE_RANGE.0), hi.min(VARIABLE_RANGE.1).max(lo.max(VARIABLE_RANGE.0)))
    }

    /// Widens the range of a changing field, and returns the range so far.
    pub(super) fn widen_field_range(
        &mut self,
        declaration: usize,
        name: &str,
        (lo, hi): (i64, i64),
    ) -> (i64, i64) {
        let seen =
            self.bag_ranges.to_mut().entry((declaration, name.to_owned())).or_insert((lo, hi));
        *seen = (seen.0.min(lo), seen.1.max(hi));
        *seen
    }
}

/// Changing field of a bag's items, with its initial number by row.
type BagFieldInit<'g> = (&'g str, Vec<Operand>);

/// Layout of an item's number: digits, from the lowest bit above the marks.
struct ItemNumberLayout {
    bag: u8,
    base: Reg,
    shift: u32,
    digits: Vec<BagItemField>,
}

impl ItemNumberLayout {
    /// Adds a digit with this number of values. Returns its lowest bit.
    fn push_digit_and_get_shift(&mut self, least: i64, values: i64) -> u32 {
        let bits = 64 - (values - 1).leading_zeros();
        let (shift, mask) = (self.shift.min(62), (1 << bits) - 1);
        self.digits.push(BagItemField {
            bag: self.bag,
            base: self.base,
            shift,
            mask,
            values,
            least,
        });
        self.shift += bits;
        shift
    }
}

impl BagItemField {
    /// Shifts a value to its digit, clamped to the range of the digit.
    fn clamped_shifted_value(&self, value: i64) -> i64 {
        (value - self.least).clamp(0, self.values - 1) << self.shift
    }
}

/// Rows of a bag and its items.
struct BagRowsAndItems {
    rows: Arc<[ContestValue]>,
    /// Rows of the contest that each row stands for.
    merged: Vec<Vec<ContestValue>>,
    /// Row of each item.
    places: Vec<usize>,
    /// Number of items.
    count: Operand,
}

impl BagRowsAndItems {
    fn of_one_row(rows: Arc<[ContestValue]>, count: Operand) -> BagRowsAndItems {
        BagRowsAndItems { rows, merged: Vec::new(), places: vec![0; MAX_BAG_ITEMS], count }
    }
}

/// Returns the first of merged rows, without its name unless all of them share it.
fn row_with_common_name(alike: &[ContestValue]) -> Option<ContestValue> {
    let mut row = alike.first()?.clone();
    if let ContestValue::Record(first) = &mut row {
        let has_other_name =
            |row: &ContestValue| matches!(row, ContestValue::Record(row) if row.name != first.name);
        if alike.iter().any(has_other_name) {
            Arc::make_mut(first).name = "".into();
        }
    }
    Some(row)
}
