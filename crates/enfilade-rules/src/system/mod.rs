//! Catalogue entry of a game: its actions, their fields and examples, its data.

pub(crate) mod form_fields;
mod price_names;
mod probe;

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::probe::TextProbe;
use crate::cache::program_cache::Kept;
use crate::check::price_block::check_price;
use crate::check::unused_dice::unrolled;
use crate::check::{check_action, check_examples, check_fields, note_columns};
use crate::diagnostics::Faults;
use crate::optimize::Thrift;
use crate::resolve::action_facts::Found;
use crate::resolve::game::{FieldKind, Game, Holds, RecordKind};
use crate::source_map::Source;
use crate::syntax::ast::{ABSENT, File};
use crate::system::form_fields::{change_field, form_field, printed_numbers};
use crate::types::{Fixed, Kind, Record};
use enfilade_model::catalogue::{Absent, Action, DataTable, Leaves, SourceFile, System};
use enfilade_model::form::{Field, Fields, Form, ROW_NAME, Words};
use enfilade_model::shared::{Shared, Text};

/// Head of a rulebook: title, source, dice and further texts.
pub struct About {
    id: String,
    title: String,
    said: FxHashMap<String, String>,
    readings: Vec<Text>,
    left_out: Vec<Text>,
}

impl About {
    /// Reads the head of `file`.
    pub fn of(id: &str, file: &File) -> About {
        let said = file.about.iter();
        let reading = |(said, rule): &(String, String)| match rule.is_empty() {
            true => Text::from(said.clone()),
            false => Text::from(format!("{said} ({rule})")),
        };
        About {
            id: id.to_owned(),
            title: match file.game.is_empty() {
                true => id.to_owned(),
                false => file.game.clone(),
            },
            said: said.map(|(key, said)| (key.text.clone(), said.clone())).collect(),
            readings: file.readings.iter().map(reading).collect(),
            left_out: file.left_out.iter().map(|said| Text::from(said.clone())).collect(),
        }
    }
}

/// Catalogue entry, resolved declarations, and program cache of a rulebook.
pub type Made = (System, Arc<Game>, Arc<Kept>);

/// Builds the catalogue entry of a game.
///
/// # Errors
/// The texts of the rulebook, and all its faults together with those already known.
pub fn system(
    about: About,
    mut game: Game,
    files: Vec<SourceFile>,
    faults: Faults,
) -> Result<Made, (Vec<Source>, Faults)> {
    note_columns(&mut game);
    let (found, faults) = checked(&game, faults);
    if !faults.is_empty() {
        return Err((game.sources, faults));
    }
    game.found = found;
    game.printed = printed(&game);
    let (game, kept) = (Arc::new(game), Arc::new(Kept::default()));
    let actions = (0..game.actions.len()).map(|at| action(&game, &kept, at));
    let actions: Vec<Action> = actions.collect();
    let said = |key: &str| Text::from(about.said.get(key).cloned().unwrap_or_default());
    let declared = Arc::clone(&game);
    let system = System {
        source: said("source"),
        dice: said("dice"),
        direction: said("direction"),
        off_table: said("off table"),
        data_date: said("date"),
        readings: Words::from(about.readings.clone()),
        not_modelled: Words::from(about.left_out.clone()),
        data_tables: Shared::Made(Arc::new(move || data_tables(&declared))),
        absent: absent(about.said.iter()),
        files: files.into(),
        built_in: false,
        pricing: crate::system::price_names::pricing(&game),
        ..System::new(about.id.clone(), about.title.clone(), actions)
    };
    Ok((system, game, kept))
}

/// Checks every action. Returns the results, and all faults together with those already known.
fn checked(game: &Game, mut faults: Faults) -> (Vec<Found>, Faults) {
    let needs = check_fields(game, &mut faults);
    let found = 0..game.actions.len();
    let found = found.map(|action| check_action(game, action, &needs, &mut faults)).collect();
    if game.actions.is_empty() && !faults.has_doubts() {
        let problem = "there is no `action` in this rulebook";
        faults.note(0..0, problem, "add `action NAME:` with a rule and a `show`");
    }
    check_examples(game, &mut faults);
    check_price(game, &mut faults);
    if faults.is_empty() {
        unrolled(game, &mut faults);
    }
    (found, faults)
}

/// Returns the printed numbers of each record, as in a contest that changes none.
fn printed(game: &Game) -> Vec<Option<Arc<Record>>> {
    let record = |(of, record): (usize, &RecordKind)| {
        let (numbers, _) = printed_numbers(record)?;
        let numbers = numbers.into_iter();
        let fields = numbers.map(|(_, number)| (Fixed::one(Kind::Number, number), Some(false)));
        Some(Arc::new(Record { of, fields: fields.collect(), count: 1, name: "".into() }))
    };
    game.records.iter().enumerate().map(record).collect()
}

/// Builds the action with this index.
fn action(game: &Arc<Game>, kept: &Arc<Kept>, at: usize) -> Action {
    let kind = &game.actions[at];
    let fields = game.fields_of(at).map(|field| form_field(game, field));
    let fields = Fields::from(fields.chain(change_field(game)).collect::<Vec<Field>>());
    let (played, kept) = (Arc::clone(game), Arc::clone(kept));
    let build =
        move |form: &Form| crate::combat::contest(&played, at, form, Thrift::default(), &kept);
    let left: Vec<Text> = game.left_by(at).into_iter().map(Text::from).collect();
    let leaving = (Arc::clone(game), Arc::new(Kept::default()));
    let leaving = move |form: &Form| {
        let thrift = Thrift { leaves: true, ..Thrift::default() };
        crate::combat::contest(&leaving.0, at, form, thrift, &leaving.1)
    };
    let mut samples = examples(game, &kind.name.text);
    // An action without an example gets a minimal contest, if the rule accepts it.
    if samples.is_empty() {
        let plain = fields.plain();
        let form = Form::fill(&fields, &plain).ok().filter(|form| build(form).is_ok());
        samples.extend(form.map(|_| Text::from(plain.to_string())));
    }
    let reckoned = Arc::clone(game);
    let otherwise =
        move |form: &Form, path: &str| crate::combat::reckoned(&reckoned, at, form, path);
    let probe = TextProbe { game: Arc::clone(game), action: at, kept: Arc::default() };
    let name = kind.rule.called(&kind.name).to_owned();
    let told = |key: &str| {
        let told = kind.rule.about.iter().find(|(name, _)| name.text == key);
        told.map(|(_, said)| Text::from(said.clone()))
    };
    Action {
        about: kind.rule.said.label_or(&name).into(),
        name: name.into(),
        question: told("question").unwrap_or_default(),
        direction: told("direction").unwrap_or_default(),
        off_table: told("off table"),
        fields,
        build: Shared::Made(Arc::new(build)),
        otherwise: Shared::Made(Arc::new(otherwise)),
        samples: Words::from(samples),
        leaves: Leaves { fields: left.into(), build: Some(Shared::Made(Arc::new(leaving))) },
        probe: Some(Shared::Made(Arc::new(probe))),
        absent: absent(kind.rule.about.iter().map(|(key, said)| (&key.text, said))),
    }
}

/// Returns the examples of an action as lines of TOML.
fn examples(game: &Game, action: &str) -> Vec<Text> {
    let examples = game.examples.iter().filter(|(name, ..)| name.text == action);
    let samples = examples.map(|(_, _, lines)| {
        let lines: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        Text::from(lines.join("\n"))
    });
    samples.collect()
}

/// Returns the texts about absent names: `absent overwatch "…"`.
fn absent<'a>(said: impl Iterator<Item = (&'a String, &'a String)>) -> Shared<[Absent]> {
    let absent = said.filter_map(|(key, said)| Some((key.strip_prefix(ABSENT)?, said)));
    let absent: BTreeMap<&str, &String> = absent.collect();
    let absent = absent.into_iter();
    let absent = absent.map(|(name, said)| (name.to_owned().into(), said.clone().into()));
    absent.collect::<Vec<Absent>>().into()
}

/// Returns the data for users, then the printed numbers that a contest may change.
fn data_tables(game: &Game) -> Vec<DataTable> {
    let data_table = |block: &crate::resolve::game::DataBlock| {
        let mut columns = vec![ROW_NAME.to_owned()];
        columns.extend(block.columns.iter().map(|column| column.replace('_', " ")));
        let rows = block.rows.iter().zip(&block.printed);
        let row = |(name, cells): (&crate::syntax::ast::Name, &Vec<String>)| {
            let mut row = vec![name.text.clone()];
            row.extend(cells.iter().cloned());
            row
        };
        DataTable {
            name: block.name.replace('_', " ").into(),
            columns,
            rows: rows.map(row).collect(),
        }
    };
    let numbers = game.fields.iter().filter_map(|field| match &field.holds {
        Holds::Record(record) => numbers(&field.name.text, &game.records[*record]),
        _ => None,
    });
    game.data.iter().map(data_table).chain(numbers).collect()
}

/// Returns a table of printed numbers, each with its meaning and its rule reference.
fn numbers(name: &str, record: &RecordKind) -> Option<DataTable> {
    let (numbers, _) = printed_numbers(record)?;
    let row = |(field, (name, printed)): (&FieldKind, (String, i64))| {
        let said = &field.said;
        let ours = if said.assumed { " (our reading)" } else { "" };
        let about = if said.help.is_empty() { &said.label } else { &said.help };
        vec![name, printed.to_string(), format!("{about}{ours}"), said.rule.clone()]
    };
    let columns = ["name", "value", "about", "source"].map(str::to_owned).to_vec();
    let rows = record.fields.iter().zip(numbers).map(row).collect();
    Some(DataTable { name: name.replace('_', " ").into(), columns, rows })
}
