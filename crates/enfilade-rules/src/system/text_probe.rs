//! Probe of a text rulebook's action, for a search over numbers.

use std::sync::Arc;

use crate::cache::contest_numbers::is_default_from_fields;
use crate::cache::contest_reads;
use crate::cache::program_cache::ProgramCache;
use crate::lower::changed_cells::find_table_cell;
use crate::lower::compile::ContestToCompile;
use crate::optimize::OptimizationFlags;
use crate::resolve::game::{ResolvedRulebook, TopLevelMeaning};
use crate::resolve::used_names::{visit_dotted_paths, visit_expr_and_descendants};
use crate::syntax::ast::{CheckOrRemarkDecl, DefaultExpr, ExprKind};
use crate::value_types::{ContestValue, ScalarType, ValueRange};
use enfilade_model::catalogue::Contest;
use enfilade_model::catalogue::contest_probe::{NumbersReadByContestFinder, ReadNumbersOfContest};
use enfilade_model::form::{Fault, Form, Value};
use enfilade_model::static_or_shared::Text;

/// Flags for contests without conditions.
const FLAGS_WITHOUT_CHECKS: OptimizationFlags = OptimizationFlags {
    forgets: true,
    unrolls: true,
    tidies: true,
    sorts: true,
    folds: true,
    leaves: false,
    checks: false,
};

/// Action of a rulebook.
pub(super) struct TextRulebookAction {
    pub(super) game: Arc<ResolvedRulebook>,
    pub(super) action: usize,
    /// Programs of contests without conditions.
    pub(super) programs: Arc<ProgramCache>,
}

impl TextRulebookAction {
    /// Visits the conditions of its contests. Returns their number.
    fn visit_contest_conditions(&self, take: &mut dyn FnMut(&CheckOrRemarkDecl)) -> usize {
        let form = Form::from_checked_entries(Vec::<(Text, Value)>::new());
        let (game, action) = (Arc::clone(&self.game), self.action);
        let request = ContestToCompile { game, action, form, flags: FLAGS_WITHOUT_CHECKS };
        let of_records = self.game.records.iter().flat_map(|record| &record.checks);
        let all =
            request.applicable_checks().into_iter().chain(of_records).filter(|check| !check.remark);
        all.map(take).count()
    }

    /// Returns whether a field of this name has a computed default.
    fn is_computed_default(&self, name: &str) -> bool {
        let records = self.game.records.iter().flat_map(|record| &record.fields);
        let mut fields = self.game.top_level_and_own_fields(self.action).chain(records);
        fields.any(|field| match &field.default {
            Some(DefaultExpr::One(value)) => {
                field.name.text == name && is_default_from_fields(&self.game, value)
            }
            _ => false,
        })
    }
}

impl NumbersReadByContestFinder for TextRulebookAction {
    fn build_without_checks(&self, form: &Form) -> Result<Contest, Vec<Fault>> {
        crate::combat::build_contest(
            &self.game,
            self.action,
            form,
            FLAGS_WITHOUT_CHECKS,
            &self.programs,
        )
    }

    fn has_checks(&self) -> bool {
        self.visit_contest_conditions(&mut |_| {}) > 0
    }

    fn find_check_reads(&self, numbers: &[Vec<String>]) -> Vec<bool> {
        let (mut names, mut hidden) = (Vec::new(), false);
        self.visit_contest_conditions(&mut |check| {
            let list = check.over.as_ref().map(|(_, list)| list);
            for expr in check.when.iter().chain(list) {
                visit_dotted_paths(expr, &mut |path| {
                    names.extend(path.split('.').map(str::to_owned))
                });
                visit_expr_and_descendants(expr, &mut |inner| {
                    hidden |= matches!(inner.kind, ExprKind::Call(..))
                });
            }
        });
        hidden |= names.iter().any(|name| self.is_computed_default(name));
        let is_named = |key: Option<&String>| key.is_some_and(|key| names.contains(key));
        let reads = |keys: &Vec<String>| is_named(keys.first()) || is_named(keys.last());
        // The result of a part or a table, or a computed default, may depend on any number.
        numbers.iter().map(|keys| hidden || reads(keys)).collect()
    }

    fn find_contest_reads(&self, numbers: &[Vec<String>]) -> ReadNumbersOfContest {
        // Programs that load all of these numbers.
        let (game, action, cache) = (Arc::clone(&self.game), self.action, ProgramCache::default());
        let numbers = numbers.to_vec();
        let reads_by_path = numbers.iter().filter_map(|path| {
            let text = |name: &String| Text::from(name.clone());
            Some((text(path.first()?), text(path.last()?)))
        });
        let reads_by_path = reads_by_path.collect();
        Box::new(move |form: &Form| {
            let form = form.clone().with_grid_axes(&reads_by_path);
            let request = ContestToCompile {
                game: Arc::clone(&game),
                action,
                form,
                flags: FLAGS_WITHOUT_CHECKS,
            };
            contest_reads::find_numbers_read(&cache, &request, &numbers)
        })
    }

    fn printed_value_at(&self, path: &[&str]) -> Option<Value> {
        let game = &*self.game;
        let (block, row) = (path.first()?, path.get(1)?);
        match *game.names.get(*block)? {
            TopLevelMeaning::Table(table) => {
                let place = find_table_cell(game, table, row, path.get(2).copied())?;
                let cell = game.tables[table].cells.get(place)?;
                form_value(game, cell.number_range()?)
            }
            TopLevelMeaning::Data(data) => {
                let block = &game.data[data];
                let column =
                    block.columns.iter().position(|known| known == path[path.len() - 1])?;
                let cell =
                    block.cells.get(game.index_of_data_row(data as u16, row)?)?.get(column)?;
                match cell {
                    ContestValue::Number(range) => form_value(game, *range),
                    _ => None,
                }
            }
            TopLevelMeaning::Field(_) | TopLevelMeaning::Part(_) | TopLevelMeaning::Die(_) => None,
        }
    }
}

/// Converts a number or a word to a form value.
fn form_value(game: &ResolvedRulebook, range: ValueRange) -> Option<Value> {
    let constant = range.only_number()?;
    Some(match range.kind {
        ScalarType::YesNo => Value::Flag(constant != 0),
        ScalarType::Word(list) => {
            let words = &game.words[usize::from(list)].words;
            let (word, _) = words.get(usize::try_from(constant).ok()?)?;
            Value::Text(word.replace('_', "-"))
        }
        ScalarType::Number | ScalarType::Any | ScalarType::Row(_) => Value::Int(constant),
    })
}
