//! Fields carried over between actions, under their own names or in another role.

use toml::{Table, Value as Toml};

use enfilade_model::catalogue::RulebookAction;
use enfilade_model::combat::{FieldChange, RewrittenTable};
use enfilade_model::form::{Fault, Field, FieldType, Fields, name_matching};
use enfilade_model::static_or_shared::Text;

/// Fields that a step carries over from the steps before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CarriedFieldSpec {
    /// No fields.
    Nothing,
    /// All fields that both actions have.
    All,
    /// These fields, each from one with the same or with another name.
    These(Vec<(String, String)>),
}

impl CarriedFieldSpec {
    /// Takes the entry out of the table of a step.
    pub(super) fn take_from_table(table: &mut Table) -> Result<CarriedFieldSpec, Fault> {
        let text = |value: Toml| match value {
            Toml::String(text) => Ok(text),
            _ => Err(carry_syntax_fault()),
        };
        let pairs: Result<Vec<(String, String)>, Fault> = match table.remove("carry") {
            None | Some(Toml::Boolean(false)) => return Ok(CarriedFieldSpec::Nothing),
            Some(Toml::Boolean(true)) => return Ok(CarriedFieldSpec::All),
            Some(Toml::Array(names)) => names
                .into_iter()
                .map(text)
                .map(|name| name.map(|name| (name.clone(), name)))
                .collect(),
            Some(Toml::Table(roles)) => {
                roles.into_iter().map(|(to, from)| Ok((to, text(from)?))).collect()
            }
            Some(_) => return Err(carry_syntax_fault()),
        };
        match pairs? {
            pairs if pairs.is_empty() => Err(carry_syntax_fault()),
            pairs => Ok(CarriedFieldSpec::These(pairs)),
        }
    }

    pub(super) fn carries_any_field(&self) -> bool {
        *self != CarriedFieldSpec::Nothing
    }

    /// Describes the fields: `attacker = defender, defender = attacker`.
    pub(super) fn describe_carried(&self) -> String {
        match self {
            CarriedFieldSpec::Nothing => String::new(),
            CarriedFieldSpec::All => "all".to_owned(),
            CarriedFieldSpec::These(pairs) => {
                let texts = pairs.iter().map(|(to, from)| match to == from {
                    true => to.clone(),
                    false => format!("{to} = {from}"),
                });
                texts.collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// Returns the carried fields of `action`, each with the name of the field that it comes from.
    /// `before` are the actions of the steps that may come before, `all` those of all steps.
    ///
    /// # Errors
    /// Fields that do not exist, on either side, and actions that do not define the fields that
    /// they leave.
    pub(super) fn resolve_carried_pairs(
        &self,
        action: &RulebookAction,
        before: &[&RulebookAction],
        all: &[&RulebookAction],
    ) -> Result<Vec<(String, String)>, Vec<Fault>> {
        let pairs: Vec<(String, String)> = match self {
            CarriedFieldSpec::Nothing => Vec::new(),
            CarriedFieldSpec::All => action
                .fields
                .iter()
                .filter_map(|field| carried_pair_for_field(field, before, all))
                .collect(),
            CarriedFieldSpec::These(pairs) => {
                let faults =
                    pairs.iter().filter_map(|pair| fault_if_field_missing(pair, action, before));
                let faults: Vec<Fault> = faults.collect();
                if !faults.is_empty() {
                    return Err(faults);
                }
                let pair = |(to, from): &(String, String)| {
                    let field = before.iter().find_map(|before| before.fields.get(from));
                    (
                        to.clone(),
                        field.map_or_else(|| from.clone(), |field| carried_slot_name(field, all)),
                    )
                };
                pairs.iter().map(pair).collect()
            }
        };
        if self.carries_any_field() && pairs.is_empty() {
            let problem = format!("`{}` shares no field with the actions before it", action.name);
            return Err(vec![
                Fault::new("carry", problem).with_help("name the fields: carry = [\"FIELD\"]"),
            ]);
        }
        let silent = before.iter().filter(|before| before.leaves.fields.is_empty());
        let silent = silent.into_iter().find(|silent| {
            let mut slots = silent.fields.iter().map(|field| carried_slot_name(field, all));
            slots.any(|slot| pairs.iter().any(|(_, from)| *from == slot))
        });
        match silent {
            None => Ok(pairs),
            Some(silent) => {
                let problem =
                    format!("`{}` does not define the fields that it leaves", silent.name);
                let help = "use numbers of its outcome: FIELD = { of = \"OUTCOME\" }";
                Err(vec![Fault::new("carry", problem).with_help(help)])
            }
        }
    }
}

fn carry_syntax_fault() -> Fault {
    let fault = Fault::new("carry", "expected true, names of fields, or a table of roles");
    fault.with_help(
        "carry = true, carry = [\"target\"], or carry = { attacker = \"defender\", defender = \
         \"attacker\" }",
    )
}

/// Returns a fault if a carried field does not exist.
fn fault_if_field_missing(
    pair: &(String, String),
    action: &RulebookAction,
    before: &[&RulebookAction],
) -> Option<Fault> {
    let (to, from) = pair;
    if action.fields.get(to).is_none() {
        let problem = format!("`{}` has no field `{to}`", action.name);
        return Some(nearest_name_fault(
            problem,
            to,
            action.fields.iter().map(|field| &*field.name),
        ));
    }
    let has = |before: &&RulebookAction| {
        before.fields.get(from).is_some() || before.leaves.fields.iter().any(|known| known == from)
    };
    if before.iter().any(has) {
        return None;
    }
    let problem = format!("nothing before it has a field `{from}`");
    let known = before.iter().flat_map(|before| before.fields.iter()).map(|field| &*field.name);
    Some(nearest_name_fault(problem, from, known))
}

fn nearest_name_fault<'a>(
    problem: String,
    name: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Fault {
    let fault = Fault::new("carry", problem);
    match name_matching::find_nearest_name(name, names.clone()) {
        Some(near) => fault.with_help(format!("did you mean `{near}`?")),
        None => {
            let mut all: Vec<&str> = Vec::new();
            names.for_each(|name| {
                if !all.contains(&name) {
                    all.push(name)
                }
            });
            fault.with_help(format!("there is {}", all.join(", ")))
        }
    }
}

/// Matches a field with one of the actions before: a unit, a field that such an action leaves, or
/// the same field with the same description.
fn carried_pair_for_field(
    field: &Field,
    before: &[&RulebookAction],
    all: &[&RulebookAction],
) -> Option<(String, String)> {
    let same = |other: &Field| {
        is_table_field(field) && is_table_field(other)
            || is_field_left_by(&field.name, before)
            || (&field.label, &field.about) == (&other.label, &other.about)
    };
    let mut earlier_values = before.iter().filter_map(|before| before.fields.get(&field.name));
    let other = earlier_values.find(|other| same(other));
    let found = other
        .map(|other| carried_slot_name(other, all))
        .or_else(|| is_field_left_by(&field.name, before).then(|| field.name.to_string()));
    Some((field.name.to_string(), found?))
}

fn is_table_field(field: &Field) -> bool {
    matches!(field.kind, FieldType::Table(_) | FieldType::Tables(..))
}

fn is_field_left_by(name: &str, actions: &[&RulebookAction]) -> bool {
    actions.iter().any(|action| action.leaves.fields.iter().any(|left| left == name))
}

/// Returns the name under which a field is stored: a unit, or a field that an action leaves, under
/// its own name; other fields with their description, because two rules may use one name for
/// different numbers.
pub(super) fn carried_slot_name(field: &Field, actions: &[&RulebookAction]) -> String {
    match is_table_field(field) || is_field_left_by(&field.name, actions) {
        true => field.name.to_string(),
        false => format!("{}: {}: {}", field.name, field.label, field.about),
    }
}

/// Reduces a value to the part that a field accepts: unknown properties of a unit are dropped.
pub(super) fn drop_unknown_properties(kind: &FieldType, value: &Toml) -> Toml {
    let inner = |fields: &Fields, table: &Table| {
        let known_properties = table.iter().filter_map(|(key, value)| {
            Some((key.clone(), drop_unknown_properties(&fields.get(key)?.kind, value)))
        });
        Toml::Table(known_properties.collect())
    };
    match (kind, value) {
        (FieldType::Table(fields), Toml::Table(table)) => inner(fields, table),
        (FieldType::Table(fields), Toml::Array(only)) => match only.as_slice() {
            [Toml::Table(table)] => inner(fields, table),
            _ => value.clone(),
        },
        (FieldType::Tables(fields, _), Toml::Table(table)) => inner(fields, table),
        (FieldType::Tables(fields, _), Toml::Array(tables)) => {
            let each = tables.iter().map(|table| match table {
                Toml::Table(table) => inner(fields, table),
                other => other.clone(),
            });
            Toml::Array(each.collect())
        }
        _ => value.clone(),
    }
}

/// Returns a fault if several tables are carried to a field for one.
pub(super) fn too_many_tables_carried_fault(fields: &Fields, handed: &Table) -> Option<Fault> {
    handed.iter().find_map(|(to, value)| {
        let several = value.as_array().filter(|tables| tables.len() > 1)?;
        if !matches!(fields.get(to)?.kind, FieldType::Table(_)) {
            return None;
        }
        let problem = format!("`{to}` is one, but {} are handed on", several.len());
        let help = "use a follow-up with a field for several, or numbers of the outcome: FIELD = { of = \"OUTCOME\" }";
        Some(Fault::new("carry", problem).with_help(help))
    })
}

/// Merges the values of the file over the carried ones, table by table.
pub(super) fn merge_over_carried_tables(under: &mut Table, over: &Table) {
    for (key, value) in over {
        match (under.get_mut(key), value) {
            (Some(Toml::Table(under)), Toml::Table(over)) => merge_over_carried_tables(under, over),
            (Some(Toml::Array(under)), Toml::Array(over))
                if under.len() == over.len() && under.iter().all(Toml::is_table) =>
            {
                for (under, over) in under.iter_mut().zip(over) {
                    if let (Toml::Table(under), Toml::Table(over)) = (under, over) {
                        merge_over_carried_tables(under, over);
                    }
                }
            }
            _ => drop(under.insert(key.clone(), value.clone())),
        }
    }
}

/// Fields that no longer exist, by name.
#[derive(Default)]
pub(super) struct GoneOrUndeterminedFields {
    /// Fields of which nothing is left.
    pub(super) gone: Vec<String>,
    /// Fields whose remainder is undetermined: several tables, or values outside their fields.
    pub(super) apart: Vec<String>,
}

/// Applies the changes that an action leaves to the fields of a contest. A value that is gone is
/// removed, and so is the entry that contains it. `all` are actions that declare the types of the
/// fields.
pub(super) fn apply_field_changes(
    action: &RulebookAction,
    all: &[&RulebookAction],
    table: &mut Table,
    left: &[FieldChange],
) -> GoneOrUndeterminedFields {
    let field = |path: &str| {
        let actions = || [action].into_iter().chain(all.iter().copied());
        actions().find_map(|action| action.fields.find_field_at_path(path))
    };
    let mut missing = GoneOrUndeterminedFields::default();
    for later in left {
        if let FieldChange::Untold(path) = later {
            missing.apart.push(path.to_string());
            continue;
        }
        let path = later.changed_field_path();
        let change = match later {
            FieldChange::Untold(_) => None,
            FieldChange::Is(_, number) => {
                let kind = field(path).map(|field| &field.kind);
                let value =
                    kind.map_or(Some((*number).into()), |kind| number_in_field_type(kind, *number));
                value.map(SetValueOrKeepHighest::To)
            }
            FieldChange::Highest(_, count) => {
                (*count > 0).then_some(SetValueOrKeepHighest::Highest(*count))
            }
            FieldChange::Numbers(_, numbers) => {
                (!numbers.is_empty()).then(|| SetValueOrKeepHighest::To(build_number_list(numbers)))
            }
            FieldChange::Written(_, rows) => {
                let inner = field(path).and_then(|field| field.kind.table_fields());
                let rows: Vec<Toml> =
                    rows.iter().map(|row| table_with_rewritten_values(inner, row)).collect();
                (!rows.is_empty()).then_some(SetValueOrKeepHighest::To(Toml::Array(rows)))
            }
            FieldChange::Tables(_, rows) => {
                let kind = field(path).map(|field| &field.kind);
                let least = match kind {
                    Some(FieldType::Tables(_, many)) if path.contains('.') => many.low,
                    _ => 1,
                };
                let inner = kind.and_then(FieldType::table_fields);
                let rows = collect_remaining_tables(inner, value_at_single_path(table, path), rows);
                (rows.len() as i64 >= least).then(|| SetValueOrKeepHighest::To(Toml::Array(rows)))
            }
        };
        let first = path.split('.').next().unwrap_or(path);
        let unknown = match change {
            Some(change) if change_value_at(table, path, &change) => continue,
            Some(_) => &mut missing.apart,
            None => &mut missing.gone,
        };
        unknown.push(first.to_owned());
        table.remove(first);
    }
    missing
}

/// Change of a value.
enum SetValueOrKeepHighest {
    To(Toml),
    Highest(usize),
}

/// Returns the rank of a die or a number.
fn value_order_key(item: &Toml) -> i64 {
    match item {
        Toml::Integer(n) => *n,
        Toml::String(die) => die.trim_start_matches(['d', 'D']).parse().unwrap_or(0),
        _ => 0,
    }
}

/// Retains the `count` highest items.
fn keep_highest_items(items: &mut Vec<Toml>, count: i32) {
    items.sort_by_key(|item| std::cmp::Reverse(value_order_key(item)));
    items.truncate(count.max(0) as usize);
}

/// Returns the remaining tables of several, each once; a table is dropped if one of its required
/// values is gone.
fn collect_remaining_tables(
    fields: Option<&Fields>,
    were: Option<&Toml>,
    rows: &[(usize, Vec<(Text, i32)>)],
) -> Vec<Toml> {
    let were: &[Toml] = match were {
        Some(Toml::Array(items)) => items,
        Some(only) => std::slice::from_ref(only),
        None => &[],
    };
    let row = |(place, changed): &(usize, Vec<(Text, i32)>)| {
        let Some(Toml::Table(mut table)) = were.get(*place).cloned() else { return None };
        table.remove("count");
        for (name, number) in changed {
            // Internal values of the rule are not fields.
            let Some(field) = fields.and_then(|fields| fields.get(name)) else { continue };
            match (&field.kind, table.get_mut(&**name)) {
                (FieldType::List(..), Some(Toml::Array(items))) => {
                    keep_highest_items(items, *number)
                }
                (FieldType::List(..), _) => {}
                (kind, _) => {
                    drop(table.insert(name.to_string(), number_in_field_type(kind, *number)?))
                }
            }
        }
        Some(Toml::Table(table))
    };
    rows.iter().filter_map(row).collect()
}

fn build_number_list(numbers: &[i32]) -> Toml {
    Toml::Array(numbers.iter().map(|number| (*number).into()).collect())
}

/// Builds a rewritten table.
fn table_with_rewritten_values(fields: Option<&Fields>, row: &RewrittenTable) -> Toml {
    let value = |(name, numbers): &(Text, Vec<i32>)| {
        let value = match &fields?.get(name)?.kind {
            FieldType::List(..) => build_number_list(numbers),
            kind => number_in_field_type(kind, *numbers.first()?)?,
        };
        Some((name.to_string(), value))
    };
    Toml::Table(row.iter().filter_map(value).collect())
}

/// Converts a number to the type of a field; `None` below its least value.
fn number_in_field_type(kind: &FieldType, number: i32) -> Option<Toml> {
    match kind {
        FieldType::Flag => Some((number != 0).into()),
        FieldType::Int(bound) if i64::from(number) < bound.low => None,
        FieldType::Die(_) => (number > 0).then(|| format!("d{number}").into()),
        FieldType::Name(names) => {
            let name = usize::try_from(number)
                .ok()
                .and_then(|index| names.name_list().name_at_index(index))?;
            Some(name.into())
        }
        FieldType::Choice(words) => {
            let word = usize::try_from(number).ok().and_then(|place| words.get(place))?;
            Some(word.into())
        }
        _ => Some(number.into()),
    }
}

/// Returns the value at a path, inside the single table where there may be several.
fn value_at_single_path<'t>(table: &'t Table, path: &str) -> Option<&'t Toml> {
    let Some((first, rest)) = path.split_once('.') else { return table.get(path) };
    match table.get(first)? {
        Toml::Table(inner) => value_at_single_path(inner, rest),
        Toml::Array(items) => {
            items.first()?.as_table().and_then(|inner| value_at_single_path(inner, rest))
        }
        _ => None,
    }
}

/// Changes the value at a path, inside the single table where there may be several. Returns false
/// if there are several. A value that is gone stays so.
fn change_value_at(table: &mut Table, path: &str, change: &SetValueOrKeepHighest) -> bool {
    let Some((first, rest)) = path.split_once('.') else {
        match (change, table.get_mut(path)) {
            (SetValueOrKeepHighest::To(value), _) => {
                drop(table.insert(path.to_owned(), value.clone()))
            }
            (SetValueOrKeepHighest::Highest(count), Some(Toml::Array(items))) => {
                keep_highest_items(items, *count as i32)
            }
            (SetValueOrKeepHighest::Highest(_), _) => {}
        }
        return true;
    };
    match table.get_mut(first) {
        Some(Toml::Table(inner)) => change_value_at(inner, rest, change),
        Some(Toml::Array(items)) => match items.as_mut_slice() {
            [Toml::Table(inner)] => change_value_at(inner, rest, change),
            _ => false,
        },
        _ => true,
    }
}
