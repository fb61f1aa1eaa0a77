//! Catalogue entry of a game: its actions, their fields and examples, its data.

pub(crate) mod form_fields;
mod price_names;
mod text_probe;

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::text_probe::TextRulebookAction;
use crate::cache::program_cache::ProgramCache;
use crate::check::price_block::check_price_lines;
use crate::check::unused_dice::warn_of_unused_dice_columns;
use crate::check::{
    check_action, check_examples_name_actions, check_fields_and_find_needs,
    note_column_and_given_uses,
};
use crate::diagnostics::Faults;
use crate::optimize::OptimizationFlags;
use crate::resolve::action_facts::ActionCheckResults;
use crate::resolve::game::{FieldDef, RecordDef, ResolvedRulebook, ValueShape};
use crate::source_map::SourceText;
use crate::syntax::ast::{ABSENT_NAME_KEY_PREFIX, RulebookAst};
use crate::system::form_fields::{build_change_field, build_form_field, record_numbers};
use crate::value_types::{ContestValue, RecordValue, ScalarType};
use enfilade_model::catalogue::{
    AbsentName, CarriedFieldRules, PrintedDataTable, RulebookAction, SourceFile, System,
};
use enfilade_model::form::{Field, Fields, Form, ROW_NAME, Words};
use enfilade_model::static_or_shared::{StaticOrCounted, Text};

/// Head of a rulebook: title, source, dice and further texts.
pub struct RulebookHeader {
    id: String,
    title: String,
    entries: FxHashMap<String, String>,
    readings: Vec<Text>,
    left_out: Vec<Text>,
}

impl RulebookHeader {
    /// Reads the head of `file`.
    pub fn from_syntax_tree(id: &str, file: &RulebookAst) -> RulebookHeader {
        let lines = file.about.iter();
        let reading = |(text, rule): &(String, String)| match rule.is_empty() {
            true => Text::from(text.clone()),
            false => Text::from(format!("{text} ({rule})")),
        };
        RulebookHeader {
            id: id.to_owned(),
            title: match file.game.is_empty() {
                true => id.to_owned(),
                false => file.game.clone(),
            },
            entries: lines.map(|(key, text)| (key.text.clone(), text.clone())).collect(),
            readings: file.readings.iter().map(reading).collect(),
            left_out: file.left_out.iter().map(|text| Text::from(text.clone())).collect(),
        }
    }
}

/// Catalogue entry, resolved declarations, and program cache of a rulebook.
pub type LoadedRulebook = (System, Arc<ResolvedRulebook>, Arc<ProgramCache>);

/// Builds the catalogue entry of a game.
///
/// # Errors
/// The texts of the rulebook, and all its faults together with those already known.
pub fn check_and_build_rulebook(
    about: RulebookHeader,
    mut game: ResolvedRulebook,
    files: Vec<SourceFile>,
    faults: Faults,
) -> Result<LoadedRulebook, (Vec<SourceText>, Faults)> {
    note_column_and_given_uses(&mut game);
    let (checked_actions, faults) = check_all_actions(&game, faults);
    if !faults.is_empty() {
        return Err((game.sources, faults));
    }
    game.action_facts = checked_actions;
    game.printed_records = unchanged_number_records(&game);
    let (game, cache) = (Arc::new(game), Arc::new(ProgramCache::default()));
    let actions = (0..game.actions.len()).map(|at| build_catalogue_action(&game, &cache, at));
    let actions: Vec<RulebookAction> = actions.collect();
    let text_of = |key: &str| Text::from(about.entries.get(key).cloned().unwrap_or_default());
    let declared = Arc::clone(&game);
    let system = System {
        source: text_of("source"),
        dice: text_of("dice"),
        direction: text_of("direction"),
        off_table: text_of("off table"),
        data_date: text_of("date"),
        readings: Words::from(about.readings.clone()),
        not_modelled: Words::from(about.left_out.clone()),
        data_tables: StaticOrCounted::Counted(Arc::new(move || data_tables_for_users(&declared))),
        absent: explained_absent_names(about.entries.iter()),
        files: files.into(),
        built_in: false,
        pricing: crate::system::price_names::build_weapon_pricing(&game),
        ..System::new(about.id.clone(), about.title.clone(), actions)
    };
    Ok((system, game, cache))
}

/// Checks every action. Returns the results, and all faults together with those already known.
fn check_all_actions(
    game: &ResolvedRulebook,
    mut faults: Faults,
) -> (Vec<ActionCheckResults>, Faults) {
    let needs = check_fields_and_find_needs(game, &mut faults);
    let checked_actions = 0..game.actions.len();
    let checked_actions =
        checked_actions.map(|action| check_action(game, action, &needs, &mut faults)).collect();
    if game.actions.is_empty() && !faults.may_miss_declarations() {
        let problem = "there is no `action` in this rulebook";
        faults.add_fault_at_span(0..0, problem, "add `action NAME:` with a rule and a `show`");
    }
    check_examples_name_actions(game, &mut faults);
    check_price_lines(game, &mut faults);
    if faults.is_empty() {
        warn_of_unused_dice_columns(game, &mut faults);
    }
    (checked_actions, faults)
}

/// Returns the printed numbers of each record, as in a contest that changes none.
fn unchanged_number_records(game: &ResolvedRulebook) -> Vec<Option<Arc<RecordValue>>> {
    let record = |(of, record): (usize, &RecordDef)| {
        let (numbers, _) = record_numbers(record)?;
        let numbers = numbers.into_iter();
        let fields = numbers.map(|(_, number)| {
            (ContestValue::from_number(ScalarType::Number, number), Some(false))
        });
        Some(Arc::new(RecordValue {
            record: of,
            fields: fields.collect(),
            count: 1,
            name: "".into(),
        }))
    };
    game.records.iter().enumerate().map(record).collect()
}

/// Builds the action with this index.
fn build_catalogue_action(
    game: &Arc<ResolvedRulebook>,
    cache: &Arc<ProgramCache>,
    at: usize,
) -> RulebookAction {
    let kind = &game.actions[at];
    let fields = game.top_level_and_own_fields(at).map(|field| build_form_field(game, field));
    let fields = Fields::from(fields.chain(build_change_field(game)).collect::<Vec<Field>>());
    let (played, cache) = (Arc::clone(game), Arc::clone(cache));
    let build = move |form: &Form| {
        crate::combat::build_contest(&played, at, form, OptimizationFlags::default(), &cache)
    };
    let left: Vec<Text> =
        game.fields_set_for_next_contest(at).into_iter().map(Text::from).collect();
    let leaving = (Arc::clone(game), Arc::new(ProgramCache::default()));
    let leaving = move |form: &Form| {
        let thrift = OptimizationFlags { leaves: true, ..OptimizationFlags::default() };
        crate::combat::build_contest(&leaving.0, at, form, thrift, &leaving.1)
    };
    let mut samples = examples_as_toml(game, &kind.name.text);
    // An action without an example gets a minimal contest, if the rule accepts it.
    if samples.is_empty() {
        let plain = fields.smallest_valid_table();
        let form =
            Form::from_table_with_defaults(&fields, &plain).ok().filter(|form| build(form).is_ok());
        samples.extend(form.map(|_| Text::from(plain.to_string())));
    }
    let reckoned = Arc::clone(game);
    let otherwise = move |form: &Form, path: &str| {
        crate::combat::form_field_number_at_path(&reckoned, at, form, path)
    };
    let probe = TextRulebookAction { game: Arc::clone(game), action: at, programs: Arc::default() };
    let name = kind.rule.name_in_contests(&kind.name).to_owned();
    let text_of = |key: &str| {
        let about_text = kind.rule.about.iter().find(|(name, _)| name.text == key);
        about_text.map(|(_, text)| Text::from(text.clone()))
    };
    RulebookAction {
        about: kind.rule.annotations.label_or_spaced_name(&name).into(),
        name: name.into(),
        question: text_of("question").unwrap_or_default(),
        direction: text_of("direction").unwrap_or_default(),
        off_table: text_of("off table"),
        fields,
        build: StaticOrCounted::Counted(Arc::new(build)),
        otherwise: StaticOrCounted::Counted(Arc::new(otherwise)),
        samples: Words::from(samples),
        leaves: CarriedFieldRules {
            fields: left.into(),
            build: Some(StaticOrCounted::Counted(Arc::new(leaving))),
        },
        probe: Some(StaticOrCounted::Counted(Arc::new(probe))),
        absent: explained_absent_names(kind.rule.about.iter().map(|(key, text)| (&key.text, text))),
    }
}

/// Returns the examples of an action as lines of TOML.
fn examples_as_toml(game: &ResolvedRulebook, action: &str) -> Vec<Text> {
    let examples = game.examples.iter().filter(|(name, ..)| name.text == action);
    let samples = examples.map(|(_, _, lines)| {
        let lines: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        Text::from(lines.join("\n"))
    });
    samples.collect()
}

/// Returns the texts about absent names: `absent overwatch "…"`.
fn explained_absent_names<'a>(
    texts: impl Iterator<Item = (&'a String, &'a String)>,
) -> StaticOrCounted<[AbsentName]> {
    let absent =
        texts.filter_map(|(key, text)| Some((key.strip_prefix(ABSENT_NAME_KEY_PREFIX)?, text)));
    let absent: BTreeMap<&str, &String> = absent.collect();
    let absent = absent.into_iter();
    let absent = absent.map(|(name, text)| (name.to_owned().into(), text.clone().into()));
    absent.collect::<Vec<AbsentName>>().into()
}

/// Returns the data for users, then the printed numbers that a contest may change.
fn data_tables_for_users(game: &ResolvedRulebook) -> Vec<PrintedDataTable> {
    let data_table = |block: &crate::resolve::game::DataDef| {
        let mut columns = vec![ROW_NAME.to_owned()];
        columns.extend(block.columns.iter().map(|column| column.replace('_', " ")));
        let rows = block.rows.iter().zip(&block.printed_cells);
        let row = |(name, cells): (&crate::syntax::ast::Ident, &Vec<String>)| {
            let mut row = vec![name.text.clone()];
            row.extend(cells.iter().cloned());
            row
        };
        PrintedDataTable {
            name: block.name.replace('_', " ").into(),
            columns,
            rows: rows.map(row).collect(),
        }
    };
    let numbers = game.fields.iter().filter_map(|field| match &field.shape {
        ValueShape::Record(record) => {
            printed_number_table(&field.name.text, &game.records[*record])
        }
        _ => None,
    });
    game.data.iter().map(data_table).chain(numbers).collect()
}

/// Returns a table of printed numbers, each with its meaning and its rule reference.
fn printed_number_table(name: &str, record: &RecordDef) -> Option<PrintedDataTable> {
    let (numbers, _) = record_numbers(record)?;
    let row = |(field, (name, printed)): (&FieldDef, (String, i64))| {
        let annotations = &field.annotations;
        let ours = if annotations.assumed { " (our reading)" } else { "" };
        let about =
            if annotations.help.is_empty() { &annotations.label } else { &annotations.help };
        vec![name, printed.to_string(), format!("{about}{ours}"), annotations.rule.clone()]
    };
    let columns = ["name", "value", "about", "source"].map(str::to_owned).to_vec();
    let rows = record.fields.iter().zip(numbers).map(row).collect();
    Some(PrintedDataTable { name: name.replace('_', " ").into(), columns, rows })
}
