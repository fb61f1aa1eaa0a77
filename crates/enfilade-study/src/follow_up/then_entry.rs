//! `[[contest.then]]` entry: the follow-up action, its condition, and the fields that it inherits.

use std::sync::Arc;

use toml::{Table, Value as Toml};

use super::carried_fields::CarriedFieldSpec;
use crate::grid::{CHANGE_KEY, OF_KEY};
use crate::search::MeasureBoundCondition;
use enfilade_model::catalogue::{RulebookAction, System};
use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::{DefaultValue, Fault, Field, FieldType, Fields, join_or, name_matching};
use enfilade_model::static_or_shared::Text;

/// Key of follow-ups.
pub const FOLLOW_UPS_KEY: &str = "then";

/// Keys of a follow-up's table, beside the fields of its action.
pub const FOLLOW_UP_FIELDS: Fields = Fields::Static(&[&[
    Field::new_required("action", FieldType::Text, "the action that follows"),
    Field::new_optional(
        "when",
        FieldType::Text,
        "conditions on the outcomes so far, all of which must hold: lost < 5 and pinned == 0",
    ),
    Field::new_optional(
        "carry",
        FieldType::Text,
        "fields handed on as they were left: true, fields such as [\"target\"], or the roles exchanged, \
         { attacker = \"defender\", defender = \"attacker\" }",
    ),
    MAX_TURNS_FIELD,
    Field::new_optional(
        "until",
        FieldType::Text,
        "conditions on how a turn has ended; it is repeated until all of them hold",
    ),
    Field::new_optional(
        "steps",
        FieldType::Int(STEPS_OF_TURN_RANGE),
        "number of steps of a repeated turn: this one and those before it",
    ),
]]);

/// Field with the largest number of repetitions of a turn.
const MAX_TURNS_FIELD: Field = Field::new_optional(
    "times",
    FieldType::Int(IntRange::new("number of turns", 1, 100)),
    "number of turns, each from what the last one left; with `until` the largest number",
);

/// Number of steps of a turn.
const STEPS_OF_TURN_RANGE: IntRange = IntRange::new("number of steps", 1, 20);

/// Keys of a value that comes from an outcome.
const INHERITED_VALUE_KEYS: [&str; 4] = ["of", "times", "plus", "list"];

/// Keys of a follow-up that describe its action, its condition and its origin.
const FOLLOW_UP_TEXT_KEYS: [&str; 6] = ["action", "when", "of", "carry", "until", "steps"];

/// Keys of a follow-up that mean the action's own field, if it has one of that name.
const KEYS_LEFT_TO_ACTION: [&str; 4] = ["carry", "until", "steps", "times"];

/// Returns whether a key of a follow-up means a field of its action.
fn is_left_to_action(action: &RulebookAction, key: &str) -> bool {
    KEYS_LEFT_TO_ACTION.contains(&key) && action.fields.get(key).is_some()
}

/// Follow-up action.
#[derive(Clone)]
pub(super) struct FollowUp {
    /// Key of its fields among those of the chain: `then`, `then_2`.
    pub(super) key: String,
    pub(super) action: Arc<RulebookAction>,
    /// Condition of the follow-up, as written in the file.
    pub(super) condition_text: String,
    pub(super) when: Vec<MeasureBoundCondition>,
    pub(super) inherited: Vec<FieldValueFromEarlierStep>,
    pub(super) carry: CarriedFieldSpec,
    /// Condition that ends the repetition of a turn, as text and parsed.
    pub(super) until: (String, Vec<MeasureBoundCondition>),
    /// Number of steps in a turn.
    pub(super) steps: usize,
    /// Whether `times` is the number of repetitions, and not a field of the action.
    pub(super) repeats: bool,
}

/// Value inherited from an outcome of the steps before.
#[derive(Clone, Debug)]
pub(super) struct FieldValueFromEarlierStep {
    /// Path in the table of the contest.
    pub(super) path: Vec<FieldPathStep>,
    /// Outcome field.
    pub(super) of: String,
    pub(super) value: InheritedValueFormula,
}

#[derive(Clone, Debug)]
pub(super) enum InheritedValueFormula {
    /// Factor of the number, and an addend.
    Linear(i64, i64),
    /// Entry with that number, from 0.
    Listed(Vec<Toml>),
}

#[derive(Clone, Debug)]
pub(super) enum FieldPathStep {
    Key(String),
    Entry(usize),
}

impl FieldValueFromEarlierStep {
    /// Describes the value: `figures = 5 - lost`.
    fn describe_inherited(&self) -> String {
        let (place, of) = (format_field_path(&self.path), &self.of);
        match &self.value {
            InheritedValueFormula::Linear(1, 0) => format!("{place} = {of}"),
            InheritedValueFormula::Linear(times, 0) => format!("{place} = {times} * {of}"),
            InheritedValueFormula::Linear(times, plus) => {
                format!("{place} = {times} * {of} {plus:+}")
            }
            InheritedValueFormula::Listed(items) => {
                format!("{place} = {}[{of}]", Toml::Array(items.clone()))
            }
        }
    }
}

impl FollowUp {
    /// Takes the keys that are not fields of the action out of `table`.
    pub(super) fn take_follow_up_keys(
        system: &System,
        key: String,
        table: &mut Table,
    ) -> Result<FollowUp, Vec<Fault>> {
        let within = |fault: Fault| vec![fault.prefix_path(&key)];
        let names = || system.actions.iter().map(|action| &*action.name);
        let named = match table.remove("action") {
            Some(Toml::String(name)) => system.action(&name).cloned(),
            _ => {
                let fault = Fault::new("action", "`action` is missing: the action that follows");
                let names_known: Vec<String> = names().map(str::to_owned).collect();
                Err(fault.with_help(format!("there is {}", join_or(&names_known))))
            }
        };
        let action = named.map_err(within)?;
        let (provided, when) = take_conditions(table, "when").map_err(within)?;
        let its_own = |key: &str| is_left_to_action(&action, key);
        let until = match its_own("until") {
            true => Default::default(),
            false => take_conditions(table, "until").map_err(within)?,
        };
        let carry = match its_own("carry") {
            true => CarriedFieldSpec::Nothing,
            false => CarriedFieldSpec::take_from_table(table).map_err(within)?,
        };
        let steps =
            if its_own("steps") { 1 } else { read_step_count_of_turn(table).map_err(within)? };
        let repeats = !its_own("times");
        // The rest are fields of the action, except for inherited values.
        let mut inherited = Vec::new();
        let mut faults = Vec::new();
        extract_inherited_values(table, &mut Vec::new(), &mut inherited, &mut faults);
        if faults.is_empty() {
            return Ok(FollowUp {
                key,
                action,
                condition_text: provided,
                when,
                inherited,
                carry,
                until,
                steps,
                repeats,
            });
        }
        Err(faults.into_iter().map(|fault| fault.prefix_path(&key)).collect())
    }

    /// Returns the field of the follow-up among those of the chain: the given fields of its action,
    /// and texts of the inherited values and conditions, so that other texts make another contest.
    /// The texts are under keys of a follow-up, except those that mean a field of the action.
    pub(super) fn as_field_of_chain_form(&self) -> Field {
        let text_field = |name: &'static str, text: String| {
            let field = Field::new(name, FieldType::Text, DefaultValue::Text(Text::from(text)), "");
            Field { rare: true, ..field }
        };
        let mut fields = vec![
            text_field("action", self.action.name.to_string()),
            text_field(
                "of",
                self.inherited
                    .iter()
                    .map(FieldValueFromEarlierStep::describe_inherited)
                    .collect::<Vec<_>>()
                    .join(", "),
            ),
            text_field("when", self.condition_text.clone()),
            text_field("carry", self.carry.describe_carried()),
            text_field("until", self.until.0.clone()),
            text_field("steps", self.steps.to_string()),
        ];
        fields.retain(|field| !is_left_to_action(&self.action, &field.name));
        fields.extend(self.repeats.then_some(MAX_TURNS_FIELD));
        let ways: Vec<&[FieldPathStep]> =
            self.inherited.iter().map(|inherited| &inherited.path[..]).collect();
        let own = fields_without_paths(&self.action.fields, &ways);
        // A carried field need not be given, and a field that is not given is carried.
        fields.extend(if self.carry.carries_any_field() { make_fields_optional(own) } else { own });
        let kind = FieldType::Table(Fields::from(fields));
        Field {
            name: Text::from(self.key.clone()),
            ..Field::new_required("", kind, "what follows")
        }
    }

    /// Removes the texts of [`FollowUp::as_field_of_chain_form`] from its table.
    pub(super) fn without_follow_up_texts(&self, mut table: Table) -> Table {
        table.retain(|key, _| {
            !FOLLOW_UP_TEXT_KEYS.contains(&key) || is_left_to_action(&self.action, key)
        });
        table
    }
}

/// Reads the conditions under a key, as text and parsed; none if the key is absent.
fn take_conditions(
    table: &mut Table,
    key: &str,
) -> Result<(String, Vec<MeasureBoundCondition>), Fault> {
    let text = match table.remove(key) {
        None => return Ok(Default::default()),
        Some(Toml::String(text)) => text,
        Some(_) => {
            let fault = Fault::new(key, "expected a text");
            return Err(fault.with_help(format!("such as {key} = \"lost > 3\"")));
        }
    };
    let read = MeasureBoundCondition::parse_conditions(&text).map_err(|part| {
        let fault = Fault::new(key, format!("`{part}` is not a condition"));
        fault.with_help("an outcome field, one of == < <= > >=, and a number: lost < 5")
    })?;
    Ok((text, read))
}

/// Reads the number of steps in a turn.
fn read_step_count_of_turn(table: &mut Table) -> Result<usize, Fault> {
    match table.remove("steps") {
        None => Ok(1),
        Some(Toml::Integer(n))
            if (STEPS_OF_TURN_RANGE.low..=STEPS_OF_TURN_RANGE.high).contains(&n) =>
        {
            Ok(n as usize)
        }
        Some(_) => {
            let problem = format!(
                "expected a whole number from {} to {}",
                STEPS_OF_TURN_RANGE.low, STEPS_OF_TURN_RANGE.high
            );
            let help = "give the number of steps of a turn: this one and those before it";
            Err(Fault::new("steps", problem).with_help(help))
        }
    }
}

/// Converts fields to optional ones without defaults.
fn make_fields_optional(fields: Vec<Field>) -> Vec<Field> {
    let inner =
        |fields: Fields| Fields::from(make_fields_optional(fields.iter().cloned().collect()));
    let relax = |field: Field| {
        let kind = match field.kind {
            FieldType::Table(fields) => FieldType::Table(inner(fields)),
            FieldType::Tables(fields, many) => FieldType::Tables(inner(fields), many),
            other => other,
        };
        Field { kind, preset: DefaultValue::Absent, ..field }
    };
    fields.into_iter().map(relax).collect()
}

/// Takes the values that are inherited from outcomes out of a table.
fn extract_inherited_values(
    table: &mut Table,
    way: &mut Vec<FieldPathStep>,
    inherited: &mut Vec<FieldValueFromEarlierStep>,
    faults: &mut Vec<Fault>,
) {
    // Listed first, because inherited values are removed on the way.
    let keys: Vec<String> = table.keys().cloned().collect();
    for key in keys {
        way.push(FieldPathStep::Key(key.clone()));
        match table.get_mut(&key) {
            // `{ of = 8, change = … }` is a number with its change, and not inherited.
            Some(Toml::Table(inner))
                if inner.contains_key(OF_KEY) && !inner.contains_key(CHANGE_KEY) =>
            {
                match read_inherited_value(inner, way) {
                    Ok(read) => inherited.push(read),
                    Err(fault) => faults.push(fault.prefix_path(&format_field_path(way))),
                }
                table.remove(&key);
            }
            Some(Toml::Table(inner)) => extract_inherited_values(inner, way, inherited, faults),
            Some(Toml::Array(items)) => {
                for (place, item) in items.iter_mut().enumerate() {
                    if let Toml::Table(inner) = item {
                        way.push(FieldPathStep::Entry(place));
                        extract_inherited_values(inner, way, inherited, faults);
                        way.pop();
                    }
                }
            }
            _ => {}
        }
        way.pop();
    }
}

fn read_inherited_value(
    table: &Table,
    way: &[FieldPathStep],
) -> Result<FieldValueFromEarlierStep, Fault> {
    if let Some(key) = table.keys().find(|key| !INHERITED_VALUE_KEYS.contains(&key.as_str())) {
        let near = name_matching::find_nearest_name(key, INHERITED_VALUE_KEYS);
        let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        let fault = Fault::new(key.as_str(), format!("a value from an outcome has no `{key}`"));
        return Err(fault.with_help(
            near + "write { of = \"FIELD\", times = 1, plus = 0 } or { of, list = […] }",
        ));
    }
    let whole = |key: &str, preset: i64| match table.get(key) {
        None => Ok(preset),
        Some(Toml::Integer(n)) => Ok(*n),
        Some(_) => Err(Fault::new(key, "expected a whole number")),
    };
    let Some(Toml::String(of)) = table.get("of") else {
        return Err(Fault::new("of", "expected the name of an outcome field"));
    };
    let value = match table.get("list") {
        // The other key is `of`.
        Some(Toml::Array(items)) if table.len() == 2 => {
            InheritedValueFormula::Listed(items.clone())
        }
        Some(Toml::Array(_)) => {
            return Err(Fault::new("list", "`list` cannot be combined with `times` or `plus`"));
        }
        Some(_) => return Err(Fault::new("list", "expected a list, its first entry for 0")),
        None => InheritedValueFormula::Linear(whole("times", 1)?, whole("plus", 0)?),
    };
    Ok(FieldValueFromEarlierStep { path: way.to_vec(), of: of.clone(), value })
}

/// Converts the path of a fault in the chain to its path in the file: `then_2.drm` is
/// `then[1].drm`. Returns `None` if the file has the same path.
pub fn fault_path_in_file(path: &str) -> Option<String> {
    let rest = path.strip_prefix(FOLLOW_UPS_KEY)?;
    let (number, rest) = match rest.strip_prefix('_') {
        None => (1, rest),
        Some(numbered) => {
            let digits = numbered.find(|c: char| !c.is_ascii_digit()).unwrap_or(numbered.len());
            (numbered[..digits].parse::<usize>().ok()?, &numbered[digits..])
        }
    };
    let own = rest.is_empty() || rest.starts_with('.');
    own.then(|| format!("{FOLLOW_UPS_KEY}[{}]{rest}", number.saturating_sub(1)))
}

/// Formats a path as faults write it: `target[1].morale`.
pub(super) fn format_field_path(way: &[FieldPathStep]) -> String {
    let mut path = String::new();
    for step in way {
        match step {
            FieldPathStep::Key(key) if path.is_empty() => path.push_str(key),
            FieldPathStep::Key(key) => path.push_str(&format!(".{key}")),
            FieldPathStep::Entry(place) => path.push_str(&format!("[{place}]")),
        }
    }
    path
}

/// Returns the fields except those at the end of one of the paths.
fn fields_without_paths(fields: &Fields, ways: &[&[FieldPathStep]]) -> Vec<Field> {
    let keyed = |way: &&[FieldPathStep], field: &Field| matches!(way.first(), Some(FieldPathStep::Key(key)) if *key == *field.name);
    let left = fields.iter().filter_map(|field| {
        let own: Vec<&[FieldPathStep]> =
            ways.iter().filter(|way| keyed(way, field)).map(|way| &way[1..]).collect();
        if own.iter().any(|way| way.is_empty()) {
            return None;
        }
        // Each of several tables may inherit another field: then none of them has to give it.
        let own: Vec<&[FieldPathStep]> = own
            .into_iter()
            .map(|way| if matches!(way[0], FieldPathStep::Entry(_)) { &way[1..] } else { way })
            .collect();
        let kind = match &field.kind {
            _ if own.is_empty() => return Some(field.clone()),
            FieldType::Table(inner) => {
                FieldType::Table(Fields::from(fields_without_paths(inner, &own)))
            }
            FieldType::Tables(inner, bound) => {
                FieldType::Tables(Fields::from(fields_without_paths(inner, &own)), bound.clone())
            }
            other => other.clone(),
        };
        Some(Field { kind, ..field.clone() })
    });
    left.collect()
}

/// Stores a value at a path in a table; a switch is on if the number is not 0.
pub(super) fn insert_at_path(
    fields: &Fields,
    table: &mut Table,
    way: &[FieldPathStep],
    value: Toml,
) {
    let switch = matches!(
        fields.find_field_at_path(&format_field_path(way)).map(|field| &field.kind),
        Some(FieldType::Flag)
    );
    let value = match value {
        Toml::Integer(n) if switch => Toml::Boolean(n != 0),
        other => other,
    };
    let Some((FieldPathStep::Key(first), rest)) = way.split_first() else {
        return;
    };
    if rest.is_empty() {
        table.insert(first.clone(), value);
        return;
    }
    let mut at = table.entry(first.clone()).or_insert_with(|| Toml::Table(Table::new()));
    let mut rest = rest.iter().peekable();
    while let Some(step) = rest.next() {
        // A single table, where there may be several, has become a list of one.
        if let (Toml::Array(_), FieldPathStep::Key(_)) = (&*at, step) {
            let Toml::Array(items) = at else { return };
            let Some(only) = items.first_mut() else { return };
            at = only;
        }
        at = match (at, step) {
            (Toml::Table(inner), FieldPathStep::Key(key)) => {
                inner.entry(key.clone()).or_insert_with(|| Toml::Table(Table::new()))
            }
            (Toml::Array(items), FieldPathStep::Entry(place)) => match items.get_mut(*place) {
                Some(item) => item,
                None => return,
            },
            _ => return,
        };
        if rest.peek().is_none() {
            *at = value;
            return;
        }
    }
}
