//! Edits a contest of a file from a form: the file's comments, order and spelling stay.
//!
//! The form contains the new values of the contest. A value that is the same already is not
//! touched, so a file without changes stays the same, byte by byte.

use serde_json::{Map, Value as Json};
use toml_edit::{
    Array, ArrayOfTables, Decor, DocumentMut, InlineTable, Item, RawString, TableLike, Value,
};

use crate::file::rulebook_loader::RULEBOOKS_KEY;

/// Keys that identify a contest, as opposed to its parameters.
const CONTEST_IDENTITY_KEYS: [&str; 3] = ["system", "action", "name"];

/// Keys that identify the rulebook of an arsenal.
const ARSENAL_IDENTITY_KEYS: [&str; 2] = ["system", RULEBOOKS_KEY];

/// Returns the parameters of a contest of a parsed file as a form shows them, without the keys that
/// identify it.
pub fn contest_parameters_as_json(table: &toml::Table) -> Map<String, Json> {
    json_without_keys(table, &CONTEST_IDENTITY_KEYS)
}

/// Returns the values of a parsed arsenal as a form shows them.
pub fn arsenal_values_as_json(table: &toml::Table) -> Map<String, Json> {
    json_without_keys(table, &ARSENAL_IDENTITY_KEYS)
}

fn json_without_keys(table: &toml::Table, head: &[&str]) -> Map<String, Json> {
    let fields = table.iter().filter(|(key, _)| !head.contains(&key.as_str()));
    fields.map(|(key, value)| (key.clone(), toml_to_json(value))).collect()
}

fn toml_to_json(value: &toml::Value) -> Json {
    match value {
        toml::Value::String(text) => text.as_str().into(),
        toml::Value::Integer(n) => (*n).into(),
        toml::Value::Float(x) => (*x).into(),
        toml::Value::Boolean(on) => (*on).into(),
        toml::Value::Datetime(when) => when.to_string().into(),
        toml::Value::Array(items) => items.iter().map(toml_to_json).collect(),
        toml::Value::Table(table) => {
            table.iter().map(|(key, value)| (key.clone(), toml_to_json(value))).collect()
        }
    }
}

/// Returns `text` with the values of `form` in contest number `contest`, from 0.
///
/// ```
/// use enfilade_study::file::edit::with_contest_values;
/// let file = "# mine\n[[contest]]\nsystem = \"asl\" # of 1985\naction = \"fire\"\nfp = 8\n";
/// let form = serde_json::json!({ "fp": 8, "drm": -1 });
/// let edited = with_contest_values(file, 0, form.as_object().expect("it is one"))?;
/// assert_eq!(edited, format!("{file}drm = -1\n"));
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// A sentence, if the text is not TOML or has no such contest.
pub fn with_contest_values(
    text: &str,
    contest: usize,
    form: &Map<String, Json>,
) -> Result<String, String> {
    let mut file = parse_editable_toml(text)?;
    let contests = file.get_mut("contest");
    let table = contests.and_then(|contests| find_nth_table(contests, contest));
    let table = table.ok_or_else(|| format!("the file has no contest {}", contest + 1))?;
    update_table_values(table, form, &CONTEST_IDENTITY_KEYS);
    Ok(file.to_string())
}

/// Returns `text`, an arsenal, with the values of `form`.
///
/// # Errors
/// A sentence, if the text is not TOML.
pub fn arsenal_text_with_form_values(
    text: &str,
    form: &Map<String, Json>,
) -> Result<String, String> {
    let mut file = parse_editable_toml(text)?;
    update_table_values(file.as_table_mut(), form, &ARSENAL_IDENTITY_KEYS);
    Ok(file.to_string())
}

/// Returns `text` with other names for the rulebook files that it reads, as `rename` has them.
///
/// ```
/// use enfilade_study::file::edit::with_renamed_rulebooks;
/// let file = "rules = [ # mine\n  \"games/toss.rules\",\n]\nname = \"a/b\"\n";
/// let edited = with_renamed_rulebooks(file, |name| name.replace("games/", ""))?;
/// assert_eq!(edited, file.replace("games/", ""));
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// A sentence, if the text is not TOML.
pub fn with_renamed_rulebooks(
    text: &str,
    rename: impl Fn(&str) -> String,
) -> Result<String, String> {
    let mut file = parse_editable_toml(text)?;
    let rename_value = |value: &mut Value| {
        let Some(name) = value.as_str().map(&rename) else { return };
        let decor = value.decor().clone();
        *value = Value::from(name);
        *value.decor_mut() = decor;
    };
    match file.get_mut(RULEBOOKS_KEY) {
        Some(Item::Value(Value::Array(names))) => names.iter_mut().for_each(rename_value),
        Some(Item::Value(name)) => rename_value(name),
        _ => {}
    }
    Ok(file.to_string())
}

fn parse_editable_toml(text: &str) -> Result<DocumentMut, String> {
    text.parse().map_err(|error: toml_edit::TomlError| error.message().to_owned())
}

/// Returns table number `n` of one or several.
fn find_nth_table(item: &mut Item, n: usize) -> Option<&mut dyn TableLike> {
    match item {
        Item::ArrayOfTables(tables) => tables.get_mut(n).map(|table| table as &mut dyn TableLike),
        Item::Value(Value::Array(tables)) => {
            let table = tables.get_mut(n)?.as_inline_table_mut()?;
            Some(table as &mut dyn TableLike)
        }
        one if n == 0 => one.as_table_like_mut(),
        _ => None,
    }
}

/// Updates a table to these values, except for the keys in `kept_keys`.
fn update_table_values(table: &mut dyn TableLike, values: &Map<String, Json>, kept_keys: &[&str]) {
    let keys: Vec<String> = table.iter().map(|(key, _)| key.to_owned()).collect();
    for key in keys {
        if !values.contains_key(&key) && !kept_keys.contains(&key.as_str()) {
            table.remove(&key);
        }
    }
    for (key, value) in values.iter().filter(|(key, _)| !kept_keys.contains(&key.as_str())) {
        match (table.get_mut(key), json_to_toml(value)) {
            (_, None) => drop(table.remove(key)),
            (Some(there), Some(new)) => replace_if_different(there, value, new),
            (None, Some(new)) => drop(table.insert(key, Item::Value(new))),
        }
    }
}

/// Replaces a value, unless it is the same.
fn replace_if_different(there: &mut Item, values: &Json, new: Value) {
    if has_form_value(there, values) {
        return;
    }
    match (&mut *there, values) {
        (Item::ArrayOfTables(tables), Json::Array(items))
            if !items.is_empty() && items.iter().all(Json::is_object) =>
        {
            return update_table_array(tables, items);
        }
        (Item::Value(Value::Array(tables)), Json::Array(items))
            if has_only_tables(tables, items) =>
        {
            return update_inline_tables(tables, items);
        }
        (Item::ArrayOfTables(tables), Json::Object(one)) if tables.len() == 1 => {
            return tables.iter_mut().for_each(|table| update_table_values(table, one, &[]));
        }
        (item, Json::Object(one)) => {
            if let Some(table) = item.as_table_like_mut() {
                return update_table_values(table, one, &[]);
            }
        }
        _ => {}
    }
    // The spaces and the comment around it stay.
    let around = there.as_value().map(|value| value.decor().clone());
    let mut new = new;
    if let Some(around) = around {
        *new.decor_mut() = around;
    }
    *there = Item::Value(new);
}

/// Returns the index to remove of `count` entries, so that most of the others stay unchanged;
/// `like` is the similarity of an entry and a wanted one. Of several equal ones the last is
/// removed.
fn least_similar_index(count: usize, like: impl Fn(usize, usize) -> usize) -> usize {
    // Entries before the removed one keep their index, entries behind it move up.
    let mut similarity: usize = (1..count).map(|at| like(at, at - 1)).sum();
    let (mut most, mut spare) = (similarity, 0);
    for gone in 1..count {
        let before = gone - 1;
        similarity = similarity + like(before, before) - like(gone, before);
        if similarity >= most {
            (most, spare) = (similarity, gone);
        }
    }
    spare
}

fn update_table_array(tables: &mut ArrayOfTables, items: &[Json]) {
    while tables.len() > items.len() {
        let like = |at: usize, count: usize| {
            let pair = tables.get(at).zip(items.get(count));
            pair.map_or(0, |(table, item)| count_keys_with_form_values(table, item))
        };
        tables.remove(least_similar_index(tables.len(), like));
    }
    while tables.len() < items.len() {
        // A new table has the spacing of the one before it, whose comments are not about it.
        let mut next = tables.get(tables.len() - 1).cloned().unwrap_or_default();
        next.clear();
        remove_comments(next.decor_mut());
        tables.push(next);
    }
    for (table, item) in tables.iter_mut().zip(items) {
        item.as_object().into_iter().for_each(|item| update_table_values(table, item, &[]));
    }
}

/// Removes the comments above and behind the head of a table; its empty lines and indent stay.
fn remove_comments(decor: &mut Decor) {
    let spaces = |text: &RawString| {
        let lines = text.as_str().unwrap_or_default().split_inclusive('\n');
        lines.filter(|line| !line.trim_start().starts_with('#')).collect::<String>()
    };
    if let Some(above) = decor.prefix().map(spaces) {
        decor.set_prefix(above);
    }
    if let Some(behind) = decor.suffix().map(spaces) {
        decor.set_suffix(behind);
    }
}

fn has_only_tables(tables: &Array, items: &[Json]) -> bool {
    !items.is_empty()
        && items.iter().all(Json::is_object)
        && tables.iter().all(Value::is_inline_table)
}

/// Updates inline tables like [`update_table_array`]: each keeps its position and its comments.
fn update_inline_tables(tables: &mut Array, items: &[Json]) {
    while tables.len() > items.len() {
        let like = |at: usize, count: usize| {
            let table = tables.get(at).and_then(Value::as_inline_table);
            table
                .zip(items.get(count))
                .map_or(0, |(table, item)| count_keys_with_form_values(table, item))
        };
        tables.remove(least_similar_index(tables.len(), like));
    }
    for (at, item) in items.iter().enumerate() {
        match (tables.get_mut(at).and_then(Value::as_inline_table_mut), item.as_object()) {
            (Some(table), Some(item)) => update_table_values(table, item, &[]),
            _ => json_to_toml(item).into_iter().for_each(|new| tables.push(new)),
        }
    }
}

/// Counts the keys of a table whose values equal those of the form.
fn count_keys_with_form_values(table: &dyn TableLike, values: &Json) -> usize {
    let is_equal = |(key, item): &(&str, &Item)| {
        values.get(*key).is_some_and(|wanted| has_form_value(item, wanted))
    };
    table.iter().filter(is_equal).count()
}

/// Returns whether a table has the values of the form, and no others.
fn has_exactly_form_values(table: &dyn TableLike, values: &Json) -> bool {
    let as_many = values.as_object().is_some_and(|wanted| wanted.len() == table.len());
    as_many && count_keys_with_form_values(table, values) == table.len()
}

/// Returns whether an item of a file has the meaning of a form's value.
fn has_form_value(there: &Item, values: &Json) -> bool {
    match there {
        Item::Value(value) => is_equal_json_value(value, values),
        Item::Table(table) => has_exactly_form_values(table, values),
        Item::ArrayOfTables(tables) => values.as_array().is_some_and(|wanted| {
            let mut pairs = tables.iter().zip(wanted);
            tables.len() == wanted.len()
                && pairs.all(|(table, wanted)| has_exactly_form_values(table, wanted))
        }),
        Item::None => false,
    }
}

fn is_equal_json_value(value: &Value, values: &Json) -> bool {
    match (value, values) {
        (Value::String(text), Json::String(wanted)) => text.value() == wanted,
        // A page has one kind of number: 2 and 2.0 are the same there.
        (Value::Integer(n), wanted) => wanted.as_f64() == Some(*n.value() as f64),
        (Value::Float(x), wanted) => wanted.as_f64() == Some(*x.value()),
        (Value::Boolean(on), wanted) => wanted.as_bool() == Some(*on.value()),
        (Value::Datetime(when), Json::String(wanted)) => when.value().to_string() == *wanted,
        (Value::Array(items), Json::Array(wanted)) => {
            let mut pairs = items.iter().zip(wanted);
            items.len() == wanted.len()
                && pairs.all(|(item, wanted)| is_equal_json_value(item, wanted))
        }
        (Value::InlineTable(table), wanted) => has_exactly_form_values(table, wanted),
        _ => false,
    }
}

/// Converts a JSON value to a TOML value; `None` for null.
fn json_to_toml(value: &Json) -> Option<Value> {
    Some(match value {
        Json::Null => return None,
        Json::Bool(on) => (*on).into(),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None => number.as_f64()?.into(),
        },
        Json::String(text) => text.as_str().into(),
        Json::Array(items) => {
            Value::Array(items.iter().filter_map(json_to_toml).collect::<Array>())
        }
        Json::Object(fields) => {
            let fields = fields.iter().filter_map(|(key, value)| Some((key, json_to_toml(value)?)));
            let mut table = InlineTable::new();
            fields.for_each(|(key, value)| drop(table.insert(key.as_str(), value)));
            Value::InlineTable(table)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const FILE: &str = "\
# What a squad does.
name = 'x'

[[contest]] # the first
action = \"fire\"
fp = [4, 8]   # both
system = \"asl\"
drm = 1_0
[[contest.target]]
unit = '4-4-7' # Russian
morale = 7.0
[[contest.target]]
unit = 'b'

[[contest]]
system = \"asl\"
action = \"fire\"
modifiers = { smoke = 2, 'St. Wall' = 3 }
";

    fn edited(contest: usize, wanted: Json) -> String {
        with_contest_values(FILE, contest, wanted.as_object().expect("a form"))
            .expect("it has contests")
    }

    #[test]
    fn what_nobody_changed_stays_to_the_byte() {
        let form = json!({ "fp": [4, 8], "drm": 10, "target": [{ "unit": "4-4-7", "morale": 7 }, { "unit": "b" }] });
        assert_eq!(edited(0, form), FILE);
        assert_eq!(edited(1, json!({ "modifiers": { "smoke": 2, "St. Wall": 3 } })), FILE);
    }

    #[test]
    fn a_date_that_nobody_changed_stays_a_date() {
        let file = FILE.replace("drm = 1_0", "played = 1985-03-09 # the first time");
        let read: toml::Table = file.parse().expect("TOML");
        let contest = read["contest"][0].as_table().expect("a contest");
        let mut form = Json::Object(contest_parameters_as_json(contest));
        let edited = |form: &Json| with_contest_values(&file, 0, form.as_object().expect("a form"));
        assert_eq!(edited(&form), Ok(file.clone()));
        // A form knows a date only as a text.
        form["played"] = "1985-03-10".into();
        assert_eq!(edited(&form), Ok(file.replace("1985-03-09", "\"1985-03-10\"")));
    }

    #[test]
    fn comments_and_order_survive_a_change() {
        let form = json!({ "fp": 16, "drm": 10, "target": [{ "unit": "4-6-7", "morale": 7 }] });
        let expected = FILE
            .replace("[4, 8]   # both", "16   # both")
            .replace("'4-4-7' # Russian", "\"4-6-7\" # Russian")
            .replace("[[contest.target]]\nunit = 'b'\n", "");
        assert_eq!(edited(0, form), expected);
    }

    const ARSENAL: &str = "\
# Guns.
system = 'x'
tolerance = 0.2 # wide
[[weapon]]
name = 'LMG'
[[weapon]] # the second
name = 'MMG'
price = 30
[[weapon]] # the third
name = 'HMG'
[[scenario]]
name = 'open'
range = [3, 2]
";

    #[test]
    fn a_weapon_taken_away_leaves_the_others_with_their_remarks() {
        let read =
            |text: &str| Json::Object(super::arsenal_values_as_json(&text.parse().expect("TOML")));
        let edited = |text: &str, form: &Json| {
            super::arsenal_text_with_form_values(text, form.as_object().expect("a form"))
                .expect("it is TOML")
        };
        let mut form = read(ARSENAL);
        assert_eq!(edited(ARSENAL, &form), ARSENAL);
        form["weapon"].as_array_mut().expect("weapons").remove(1);
        let expected = ARSENAL.replace("[[weapon]] # the second\nname = 'MMG'\nprice = 30\n", "");
        assert_eq!(edited(ARSENAL, &form), expected);
        form["weapon"][1]["price"] = 12.into();
        let expected = expected.replace("name = 'HMG'\n", "name = 'HMG'\nprice = 12\n");
        assert_eq!(edited(ARSENAL, &form), expected);
        let mut form = read(ARSENAL);
        form["weapon"].as_array_mut().expect("weapons").remove(0);
        let expected = ARSENAL.replace("[[weapon]]\nname = 'LMG'\n", "");
        assert_eq!(edited(ARSENAL, &form), expected);
        let inline = "weapon = [\n    # old\n    { name = 'a' },\n    # new\n    { name = 'b', price = 3 },\n    { name = 'c' },\n]\n";
        let mut form = read(inline);
        form["weapon"][1]["price"] = 4.into();
        assert_eq!(edited(inline, &form), inline.replace('3', "4"));
        form["weapon"].as_array_mut().expect("weapons").remove(2);
        let expected = inline.replace('3', "4").replace("    { name = 'c' },\n", "");
        assert_eq!(edited(inline, &form), expected);
    }

    #[test]
    fn new_values_and_tables_are_added() {
        let form = json!({ "modifiers": { "smoke": 3, "St. Wall": 3 }, "drm": -1, "half": 0.5, "gone": null,
            "target": [{ "unit": "\"quoted\"\n" }] });
        let text = edited(1, form);
        let read: toml::Table = text.parse().expect("it is TOML");
        let contest = read["contest"][1].as_table().expect("a table");
        let expected: toml::Table =
            "system = 'asl'\naction = 'fire'\nmodifiers = { smoke = 3, 'St. Wall' = 3 }\n\
            drm = -1\nhalf = 0.5\ntarget = [{ unit = \"\\\"quoted\\\"\\n\" }]"
                .parse()
                .expect("it is TOML");
        assert_eq!(contest, &expected);
        let more = edited(0, json!({ "target": [{}, {}, { "unit": "c" }] }));
        let read: toml::Table = more.parse().expect("it is TOML");
        assert_eq!(read["contest"][0]["target"][2]["unit"].as_str(), Some("c"));
        assert_eq!(read["contest"][0]["target"].as_array().map(Vec::len), Some(3));
    }

    #[test]
    fn a_further_value_is_written_beside_those_that_stay() {
        let targets = json!([{ "unit": "4-4-7", "morale": 7 }, { "unit": "b", "morale": 6 }]);
        let form = json!({ "fp": [4, 8], "drm": 10, "target": targets });
        assert_eq!(edited(0, form), FILE.replace("'b'\n", "'b'\nmorale = 6\n"));
        let form = json!({ "modifiers": { "smoke": 2, "St. Wall": 3, "hill": 1 } });
        let read: toml::Table = edited(1, form.clone()).parse().expect("it is TOML");
        assert_eq!(toml_to_json(&read["contest"][1]["modifiers"]), form["modifiers"]);
    }

    #[test]
    fn a_new_table_has_the_spacing_of_its_neighbour_and_none_of_its_comments() {
        let spaced = ARSENAL.replace("[[weapon]]", "\n# heavier\n  [[weapon]]");
        for (text, head) in [(ARSENAL, "[[weapon]]"), (&spaced, "\n  [[weapon]]")] {
            let mut form = super::arsenal_values_as_json(&text.parse().expect("TOML"));
            let weapons = form["weapon"].as_array_mut().expect("weapons");
            weapons.push(json!({ "name": "AAA" }));
            let edited = super::arsenal_text_with_form_values(text, &form).expect("it is TOML");
            let further = format!("name = 'HMG'\n{head}\nname = \"AAA\"\n");
            assert_eq!(edited, text.replace("name = 'HMG'\n", &further));
        }
    }

    #[test]
    fn one_contest_may_stand_inline() {
        let file = "contest = { system = \"asl\", action = \"fire\", fp = 8 } # one\n";
        let form = json!({ "fp": 4 });
        let edited = with_contest_values(file, 0, form.as_object().expect("a form"));
        assert_eq!(edited, Ok(file.replace('8', "4")));
        assert!(with_contest_values(file, 1, &Map::new()).is_err());
        assert!(with_contest_values("fp = ", 0, &Map::new()).is_err());
        assert!(with_contest_values("contest = 3", 0, &Map::new()).is_err());
    }
}
