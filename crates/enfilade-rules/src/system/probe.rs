//! Probe of a text rulebook's action, for a search over numbers.

use std::sync::Arc;

use crate::cache::contest_numbers::is_reckoned;
use crate::cache::contest_reads;
use crate::cache::program_cache::Kept;
use crate::lower::changed_cells::place_in_table;
use crate::lower::compile::Asked;
use crate::optimize::Thrift;
use crate::resolve::game::{Game, Top};
use crate::resolve::uses::{each_inner, each_path};
use crate::syntax::ast::{Check, Default, Says};
use crate::types::{Fixed, Kind, Range};
use enfilade_model::catalogue::Contest;
use enfilade_model::catalogue::probe::{Probe, Reads};
use enfilade_model::form::{Fault, Form, Value};
use enfilade_model::shared::Text;

/// Flags for contests without conditions.
const UNCHECKED: Thrift = Thrift {
    forgets: true,
    unrolls: true,
    tidies: true,
    sorts: true,
    folds: true,
    leaves: false,
    checks: false,
};

/// Action of a rulebook.
pub(super) struct TextProbe {
    pub(super) game: Arc<Game>,
    pub(super) action: usize,
    /// Programs of contests without conditions.
    pub(super) kept: Arc<Kept>,
}

impl TextProbe {
    /// Visits the conditions of its contests. Returns their number.
    fn each_check(&self, take: &mut dyn FnMut(&Check)) -> usize {
        let form = Form::from_entries(Vec::<(Text, Value)>::new());
        let (game, action) = (Arc::clone(&self.game), self.action);
        let asked = Asked { game, action, form, thrift: UNCHECKED };
        let of_records = self.game.records.iter().flat_map(|record| &record.checks);
        let all = asked.checks().into_iter().chain(of_records).filter(|check| !check.remark);
        all.map(take).count()
    }

    /// Returns whether a field of this name has a computed default.
    fn is_reckoned(&self, name: &str) -> bool {
        let records = self.game.records.iter().flat_map(|record| &record.fields);
        let mut fields = self.game.fields_of(self.action).chain(records);
        fields.any(|field| match &field.default {
            Some(Default::One(value)) => field.name.text == name && is_reckoned(&self.game, value),
            _ => false,
        })
    }
}

impl Probe for TextProbe {
    fn unchecked(&self, form: &Form) -> Result<Contest, Vec<Fault>> {
        crate::combat::contest(&self.game, self.action, form, UNCHECKED, &self.kept)
    }

    fn has_checks(&self) -> bool {
        self.each_check(&mut |_| {}) > 0
    }

    fn checks_read(&self, numbers: &[Vec<String>]) -> Vec<bool> {
        let (mut names, mut hidden) = (Vec::new(), false);
        self.each_check(&mut |check| {
            let list = check.over.as_ref().map(|(_, list)| list);
            for expr in check.when.iter().chain(list) {
                each_path(expr, &mut |path| names.extend(path.split('.').map(str::to_owned)));
                each_inner(expr, &mut |inner| hidden |= matches!(inner.what, Says::Call(..)));
            }
        });
        hidden |= names.iter().any(|name| self.is_reckoned(name));
        let is_named = |key: Option<&String>| key.is_some_and(|key| names.contains(key));
        let reads = |keys: &Vec<String>| is_named(keys.first()) || is_named(keys.last());
        // The result of a part or a table, or a computed default, may depend on any number.
        numbers.iter().map(|keys| hidden || reads(keys)).collect()
    }

    fn reads(&self, numbers: &[Vec<String>]) -> Reads {
        // Programs that load all of these numbers.
        let (game, action, kept) = (Arc::clone(&self.game), self.action, Kept::default());
        let numbers = numbers.to_vec();
        let moved = numbers.iter().filter_map(|path| {
            let text = |name: &String| Text::from(name.clone());
            Some((text(path.first()?), text(path.last()?)))
        });
        let moved = moved.collect();
        Box::new(move |form: &Form| {
            let form = form.clone().among(&moved);
            let asked = Asked { game: Arc::clone(&game), action, form, thrift: UNCHECKED };
            contest_reads::reads(&kept, &asked, &numbers)
        })
    }

    fn printed(&self, path: &[&str]) -> Option<Value> {
        let game = &*self.game;
        let (block, row) = (path.first()?, path.get(1)?);
        match *game.names.get(*block)? {
            Top::Table(table) => {
                let column = path.get(2).map(|column| (*column).to_owned());
                let place = place_in_table(game, table, row, column.as_ref())?;
                let cell = game.tables[table].cells.get(place)?;
                value(game, cell.range()?)
            }
            Top::Data(data) => {
                let block = &game.data[data];
                let column =
                    block.columns.iter().position(|known| known == path[path.len() - 1])?;
                let cell = block.cells.get(game.row(data as u16, row)?)?.get(column)?;
                match cell {
                    Fixed::Number(range) => value(game, *range),
                    _ => None,
                }
            }
            Top::Field(_) | Top::Part(_) => None,
        }
    }
}

/// Converts a number or a word to a form value.
fn value(game: &Game, range: Range) -> Option<Value> {
    let known = range.known()?;
    Some(match range.kind {
        Kind::YesNo => Value::Flag(known != 0),
        Kind::Word(list) => {
            let words = &game.words[usize::from(list)].words;
            let (word, _) = words.get(usize::try_from(known).ok()?)?;
            Value::Text(word.replace('_', "-"))
        }
        Kind::Number | Kind::Any | Kind::Row(_) => Value::Int(known),
    })
}
