//! Scopes: the meaning of names at the current position of a rule, and the members of contest
//! values. They read the contest, and do not depend on registers or code.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::changed_cells::ChangedTableCell;
use super::emitter::LowerMode;
use super::hoisting::ParameterSet;
use super::lowered_value::{
    ActionOrPartScope, Assignable, Binding, DecisionPoint, ListInRegisters, LocalNameBinding,
    LoweredBag, LoweredMeasure, LoweredShow, LoweredValue, Operand,
};
use crate::diagnostics::did_you_mean;
use crate::optimize::OptimizationFlags;
use crate::resolve::action_facts::{BagFieldRanges, ColumnsReadAndChanged};
use crate::resolve::game::{ResolvedRulebook, TopLevelMeaning};
use crate::resolve::printed_cells::mark_names_of_list;
use crate::resolve::used_names;
use crate::syntax::ast::{Expr, Ident, PartDecl, Stmt};
use crate::value_types::{ContestValue, ScalarType};

/// Help where a value without fields is used as one with fields.
pub(super) const FIELD_OWNERS_HELP: &str = "records, rows and items of bags have fields";

/// Scopes of the contest, the rule, and the part that is being inlined.
pub struct Scopes<'g> {
    /// Purpose of the lowering.
    mode: LowerMode,
    /// Optimization flags.
    pub(super) flags: OptimizationFlags,
    /// Rulebook.
    pub game: &'g ResolvedRulebook,
    /// Index of the action.
    pub action: Option<usize>,
    /// Values of the top-level fields, and whether the contest gives each.
    pub fields: Vec<Option<(ContestValue, Option<bool>)>>,
    /// Index of the action, also during a check.
    pub over: Option<usize>,
    /// Own fields of the action, by name.
    pub own_fields: Vec<(&'g str, ContestValue, Option<bool>)>,
    /// Rows of the data blocks that the rule reads by number, by the name of the block.
    pub data_rows: Vec<(&'g str, ContestValue)>,
    /// Columns that the rule reads and changes.
    pub columns: Option<&'g ColumnsReadAndChanged>,
    /// Table cells that the contest changes.
    pub changed_cells: Vec<ChangedTableCell<'g>>,
    /// Changed cells that were looked up, as bits; the last bit is shared by all cells beyond it.
    pub cells_read: ParameterSet,
    /// Scopes of the action and of the parts that are being inlined, the innermost last.
    pub(super) frames: Vec<ActionOrPartScope<'g>>,
    /// Parts that are being inlined.
    pub(super) calls: Vec<usize>,
    /// Names of the action that are declared where it may have ended already.
    pub(super) late: Vec<&'g str>,
    /// Whether the action may have ended already.
    pub(super) may_have_ended: bool,
    /// Top-level fields that were read.
    pub read: FxHashSet<usize>,
    /// Fields that bound loops and pools, in the order of their occurrence.
    pub grows: Vec<String>,
    /// Counts that are not part of the state.
    pub tallies: Vec<String>,
    /// Symbols of each throw.
    pub(super) symbol_sets: Vec<Vec<&'g str>>,
    /// Counters of tallies to which a number below 0 may be added.
    pub counting_down: std::collections::BTreeSet<u8>,
    /// Decisions.
    pub choices: Vec<DecisionPoint>,
    /// Bags, by their number in the program.
    pub bags: Vec<LoweredBag<'g>>,
    /// Ranges of changing fields, by the place of the bag's declaration and the field's name.
    pub bag_ranges: Cow<'g, BagFieldRanges>,
    /// Shows and measures.
    pub reports: Vec<LoweredShow<'g>>,
    pub measures: Vec<LoweredMeasure<'g>>,
}

impl<'g> Scopes<'g> {
    /// Creates the scopes before the first line.
    pub(super) fn new(
        game: &'g ResolvedRulebook,
        why: LowerMode,
        thrift: OptimizationFlags,
    ) -> Scopes<'g> {
        Scopes {
            mode: why,
            flags: thrift,
            game,
            action: None,
            fields: vec![None; game.fields.len()],
            over: None,
            own_fields: Vec::new(),
            data_rows: Vec::new(),
            columns: None,
            changed_cells: Vec::new(),
            cells_read: 0,
            frames: vec![ActionOrPartScope::default()],
            calls: Vec::new(),
            late: Vec::new(),
            may_have_ended: false,
            read: FxHashSet::default(),
            grows: Vec::new(),
            tallies: Vec::new(),
            symbol_sets: Vec::new(),
            counting_down: std::collections::BTreeSet::new(),
            choices: Vec::new(),
            bags: Vec::new(),
            bag_ranges: Cow::default(),
            reports: Vec::new(),
            measures: Vec::new(),
        }
    }

    /// Returns whether the rule is only checked, without a contest.
    pub(super) fn is_checking(&self) -> bool {
        self.mode == LowerMode::Check
    }

    /// Returns the names that the lines of a part or a loop assign.
    pub(super) fn names_assigned_by(&self, lines: &[Stmt]) -> &'g [String] {
        let first = lines.first().map(|line| line.span.start);
        let names = first.and_then(|first| self.game.assigned_names.get(&first));
        names.map_or(&[], Vec::as_slice)
    }

    /// Returns the scope of the part that is being inlined, or else of the action.
    pub(super) fn innermost_scope(&mut self) -> &mut ActionOrPartScope<'g> {
        self.frames.last_mut().expect("the scope of the action is never removed")
    }

    /// Finds a name of the rule.
    pub(super) fn find_rule_name(&self, name: &str) -> Option<&Binding> {
        let frame = self.frames.last()?;
        let found = frame.locals.iter().rev().find(|local| local.name == name);
        found.map(|local| &local.bind)
    }

    /// Binds a name until its block ends.
    pub(super) fn bind_name(&mut self, name: &'g str, bind: Binding) {
        if self.may_have_ended && self.is_checking() && self.frames.len() == 1 {
            self.late.push(name);
        }
        self.innermost_scope().locals.push(LocalNameBinding { name, bind });
    }

    /// Returns the number of names in scope, to which the end of a block returns.
    pub(super) fn name_count_in_scope(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.locals.len())
    }

    /// Removes the names of a block; a check remembers that they existed.
    pub(super) fn remove_names_of_block(&mut self, depth: usize) {
        let checks = self.is_checking();
        let scope = self.innermost_scope();
        let dropped_locals = scope.locals.drain(depth.min(scope.locals.len())..);
        if checks {
            scope.ended_names.extend(dropped_locals.map(|local| local.name));
        }
    }

    /// Finds the part called `name`.
    pub(super) fn find_part_by_name(&self, name: &str) -> Option<(usize, &'g PartDecl)> {
        self.game.find_part(name)
    }

    /// Notes the fields in an expression that bounds a loop or a pool: contests grow with them.
    pub(super) fn note_size_bounding_fields(&mut self, expr: &Expr) {
        if !self.is_checking() {
            return;
        }
        let mut names = Vec::new();
        used_names::collect_names_in_expr(expr, &mut names);
        for name in names {
            let is_field = matches!(self.game.names.get(name), Some(TopLevelMeaning::Field(_)));
            let is_own = self.own_fields.iter().any(|(own, ..)| *own == name);
            if (is_field || is_own) && !self.grows.iter().any(|known| known == name) {
                self.grows.push(name.to_owned());
            }
        }
    }
}

impl<'g> Scopes<'g> {
    /// Resolves a word or a row of the expected type. A word takes precedence over every other
    /// name, a row over all but the names of the rule.
    pub(super) fn resolve_word_or_row(&self, name: &str, want: ScalarType) -> Option<Operand> {
        let place = match want {
            ScalarType::Word(list) => self.game.index_of_word_in_list(list, name),
            ScalarType::Row(data) if self.find_rule_name(name).is_none() => {
                self.game.index_of_data_row(data, name)
            }
            _ => None,
        };
        place.map(|place| Operand::constant(want, place as i64))
    }

    /// Finds an own field of the action, or of the record whose defaults are being evaluated. Parts
    /// do not see these fields.
    pub(super) fn find_own_field(&self, name: &str) -> Option<(&ContestValue, Option<bool>)> {
        let mut own = self.own_fields.iter().rev().filter(|_| self.frames.len() == 1);
        let own_field = own.find(|(own, ..)| *own == name);
        own_field.map(|(_, fixed, given)| (fixed, *given))
    }

    /// Returns whether a name is out of scope, or has no value where the rule may have ended.
    pub(super) fn is_out_of_scope(&self, name: &str) -> bool {
        let late = self.frames.len() == 1 && self.late.contains(&name);
        late || self.frames.last().is_some_and(|frame| frame.ended_names.contains(&name))
    }

    /// Returns whether a name may be that of a word list: nothing else of this name has columns.
    pub(super) fn may_be_word_list(&self, name: &str) -> bool {
        match self.find_rule_name(name) {
            None => true,
            Some(Binding::Place(_)) => true,
            Some(Binding::Value(value)) => matches!(value, LoweredValue::Operand(_)),
        }
    }

    /// Finds `list.word`.
    pub(super) fn find_word_in_named_list(&self, list: &str, word: &str) -> Option<Operand> {
        let named = self
            .game
            .words
            .iter()
            .enumerate()
            .find(|(_, list_and_words)| list_and_words.name == list);
        let list = self.game.lists.get(list).copied().or(named.map(|(at, _)| at as u16))?;
        let place = self.game.index_of_word_in_list(list, word)?;
        Some(Operand::constant(ScalarType::Word(list), place as i64))
    }

    /// Returns a member of a contest value.
    ///
    /// # Errors
    /// The problem and the help if it has no such member.
    pub(super) fn find_field_or_column(
        &self,
        fixed: &ContestValue,
        column: &Ident,
    ) -> Result<ContestValue, (String, String)> {
        let name = column.text.as_str();
        if let Some(inside) = self.game.find_member_of_value(fixed, name) {
            return Ok(inside.clone());
        }
        let missing = |what: &str, known: &[&str]| {
            Err((format!("{what} has no `{name}`"), did_you_mean(name, known.iter().copied())))
        };
        match fixed {
            ContestValue::Maybe(inner) => self.find_field_or_column(inner, column),
            ContestValue::Absent(_) => Ok(fixed.clone()),
            ContestValue::Number(range) if range.kind == ScalarType::Any => Ok(fixed.clone()),
            ContestValue::Record(record) => {
                let kind = &self.game.records[record.record];
                let names = kind.fields.iter().map(|field| field.name.text.as_str());
                let names: Vec<&str> = names.collect();
                match names.contains(&name) {
                    true => Err((format!("`{name}` has no value here yet"), String::new())),
                    false => missing(&format!("`{}`", kind.name), &names),
                }
            }
            ContestValue::Row(row) => {
                let block = &self.game.data[usize::from(row.data)];
                let names: Vec<&str> = block.columns.iter().map(String::as_str).collect();
                missing(&format!("`{}`", block.name), &names)
            }
            ContestValue::Marks(of, marks) => {
                let names = mark_names_of_list(&self.game.marks[usize::from(*of)]);
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let at = names.iter().position(|known| *known == name);
                let mark_value = at.and_then(|at| marks.get(at).cloned());
                mark_value.map_or_else(|| missing("the list of specials", &names), Ok)
            }
            _ => Err((format!("this has no `{name}`"), FIELD_OWNERS_HELP.into())),
        }
    }
}

impl<'g> Scopes<'g> {
    /// Returns what else has this name.
    pub(super) fn kind_of_declared_name(&self, name: &str) -> Option<&'static str> {
        if self.frames.len() == 1 && self.own_fields.iter().any(|(own, ..)| *own == name) {
            return Some("a field");
        }
        self.game.names.get(name).map(|top| top.kind_in_messages())
    }

    /// Returns the name of a list.
    pub(super) fn variable_name_of_list(&self, list: ListInRegisters) -> Option<&'g str> {
        let mut locals = self.frames.last()?.locals.iter();
        let is_list = |bind: &Binding| matches!(bind, Binding::Place(Assignable::List(known)) if known.base == list.base);
        locals.find(|local| is_list(&local.bind)).map(|local| local.name)
    }

    pub(super) fn type_of_assignable(&self, place: Assignable) -> ScalarType {
        match place {
            Assignable::Variable(_, kind) | Assignable::Cell(_, kind) => kind,
            Assignable::List(list) | Assignable::ListItem(list, _) => list.kind,
            Assignable::Throw(counts) => counts.list.kind,
            Assignable::BagField(digit, _) => self.type_of_digit(digit),
        }
    }

    /// Suggests a similar name of the rule, or else gives other advice.
    pub(super) fn suggest_similar_or(
        &self,
        name: &str,
        otherwise: impl FnOnce() -> String,
    ) -> String {
        let locals = self.frames.last().into_iter().flat_map(|frame| &frame.locals);
        let help = did_you_mean(name, locals.map(|local| local.name));
        if help.is_empty() { otherwise() } else { help }
    }
}
