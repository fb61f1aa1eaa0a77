//! Formats values and keys for TOML files.

use enfilade_model::form::{Form, Value};

/// Formats a value for the right side of `=`.
pub fn format_toml_value(value: &Value) -> String {
    match value {
        Value::Flag(on) => on.to_string(),
        Value::Int(n) => n.to_string(),
        Value::Fraction(parts) => (*parts as f64 / 64.0).to_string(),
        Value::Die(sides) => quote_toml_text(&format!("d{sides}")),
        Value::Text(word) => quote_toml_text(word),
        Value::List(values) => join_in_brackets(values.iter().map(format_toml_value)),
        Value::Entries(entries) => {
            let entries = entries.iter().map(|(name, n)| format_toml_entry(name, &n.to_string()));
            join_in_braces(entries)
        }
        Value::Table(form) => format_inline_table(form),
        Value::Tables(forms) => join_in_brackets(forms.iter().map(format_inline_table)),
    }
}

/// Quotes a text. TOML reads the escapes of JSON, and requires one more character to be escaped.
pub fn quote_toml_text(word: &str) -> String {
    serde_json::Value::from(word).to_string().replace('\u{7f}', "\\u007f")
}

/// Formats a key, in quotes where TOML requires them: rows of data may have any name.
pub fn format_toml_key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { quote_toml_text(name) }
}

/// Formats an entry of a table on one line.
pub fn format_toml_entry(name: &str, value: &str) -> String {
    format!("{} = {value}", quote_toml_text(name))
}

fn format_inline_table(form: &Form) -> String {
    let entries = form.fields_with_values();
    join_in_braces(
        entries.map(|(name, value)| {
            format!("{} = {}", format_toml_key(name), format_toml_value(value))
        }),
    )
}

fn join_in_brackets(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

fn join_in_braces(items: impl Iterator<Item = String>) -> String {
    format!("{{ {} }}", items.collect::<Vec<_>>().join(", "))
}
