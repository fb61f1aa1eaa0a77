//! Formats values and keys for TOML files.

use enfilade_model::form::{Form, Value};

/// Formats a value for the right side of `=`.
pub fn literal(value: &Value) -> String {
    match value {
        Value::Flag(on) => on.to_string(),
        Value::Int(n) => n.to_string(),
        Value::Fraction(parts) if parts % 64 == 0 => (parts / 64).to_string(),
        Value::Fraction(parts) => (*parts as f64 / 64.0).to_string(),
        Value::Die(sides) => text(&format!("d{sides}")),
        Value::Text(word) => text(word),
        Value::List(values) => bracketed(values.iter().map(literal)),
        Value::Entries(entries) => {
            let entries = entries.iter().map(|(name, n)| entry(name, &n.to_string()));
            braced(entries)
        }
        Value::Table(form) => inline(form),
        Value::Tables(forms) => bracketed(forms.iter().map(inline)),
    }
}

/// Quotes a text. TOML reads the escapes of JSON, and requires one more character to be escaped.
pub fn text(word: &str) -> String {
    serde_json::Value::from(word).to_string().replace('\u{7f}', "\\u007f")
}

/// Formats a key, in quotes where TOML requires them: rows of data may have any name.
pub fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { text(name) }
}

/// Formats an entry of a table on one line.
pub fn entry(name: &str, value: &str) -> String {
    format!("{} = {value}", text(name))
}

fn inline(form: &Form) -> String {
    let entries = form.entries();
    braced(entries.map(|(name, value)| format!("{} = {}", key(name), literal(value))))
}

fn bracketed(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

fn braced(items: impl Iterator<Item = String>) -> String {
    format!("{{ {} }}", items.collect::<Vec<_>>().join(", "))
}
