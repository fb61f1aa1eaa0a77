//! Fingerprint of a cell: the name of its stream of random numbers.
//!
//! Equal contests have equal fingerprints, however the file spells them, and different ones have
//! different fingerprints. The encoding is fixed: a change to it, a new field or a new default of
//! an action changes the streams of its contests, and so the simulated digits.
//!
//! The encoded text is `enfilade contest 1`, the system's id, the action's name and the form, each
//! on a separate line. A form is `{name=value;…}` in declared order, defaults included. A switch is
//! `+` or `-`, a whole number its digits, a fraction its 64ths and `/64`, a die `d8`, a text its
//! length in bytes and itself (`5:4-4-7`), a list `[value,…]`, named entries `<text=number,…>`
//! sorted by name, several tables `[{…},…]`. A contest of a rulebook from files has one line more:
//! `rules ` and the SHA-256 of each file, in the order in which they were read.

use sha2::{Digest, Sha256};

use super::experiment::GridCell;
use enfilade_model::catalogue::{RulebookAction, System};
use enfilade_model::form::{Form, Value};

impl GridCell {
    /// Computes the fingerprint of this cell's contest: the SHA-256 of its canonical text.
    pub fn fingerprint_of_contest(&self) -> [u8; 32] {
        contest_fingerprint(&self.system, &self.action, &self.form)
    }
}

/// Computes the fingerprint of a contest of `action` in `system` with these parameters.
pub fn contest_fingerprint(system: &System, action: &RulebookAction, form: &Form) -> [u8; 32] {
    Sha256::digest(canonical_contest_text(system, action, form)).into()
}

/// Returns the text whose hash is the fingerprint.
pub fn canonical_contest_text(system: &System, action: &RulebookAction, form: &Form) -> String {
    let mut text = format!("enfilade contest 1\n{}\n{}\n", system.id, action.name);
    append_contest_parameters_text(&mut text, form);
    text.push('\n');
    if system.is_from_text() {
        let hashes: Vec<_> = system.files.iter().map(|file| &*file.sha256).collect();
        text.push_str(&format!("rules {}\n", hashes.join(",")));
    }
    text
}

fn append_contest_parameters_text(out: &mut String, form: &Form) {
    out.push('{');
    for (name, value) in form.fields_with_values() {
        out.push_str(name);
        out.push('=');
        append_value_text(out, value);
        out.push(';');
    }
    out.push('}');
}

fn append_value_text(out: &mut String, value: &Value) {
    match value {
        Value::Flag(on) => out.push(if *on { '+' } else { '-' }),
        Value::Int(n) => out.push_str(&n.to_string()),
        Value::Fraction(parts) => out.push_str(&format!("{parts}/64")),
        Value::Die(sides) => out.push_str(&format!("d{sides}")),
        Value::Text(text) => append_length_prefixed_text(out, text),
        Value::List(values) => append_list_text(out, values, append_value_text),
        Value::Entries(entries) => append_named_numbers_text(out, entries),
        Value::Table(form) => append_contest_parameters_text(out, form),
        Value::Tables(forms) => append_list_text(out, forms, append_contest_parameters_text),
    }
}

fn append_length_prefixed_text(out: &mut String, text: &str) {
    out.push_str(&format!("{}:{text}", text.len()));
}

fn append_list_text<T>(out: &mut String, items: &[T], write: fn(&mut String, &T)) {
    out.push('[');
    for item in items {
        write(out, item);
        out.push(',');
    }
    out.push(']');
}

fn append_named_numbers_text(out: &mut String, entries: &[(String, i64)]) {
    let mut sorted: Vec<_> = entries.iter().collect();
    sorted.sort();
    out.push('<');
    for (name, number) in sorted {
        append_length_prefixed_text(out, name);
        out.push_str(&format!("={number},"));
    }
    out.push('>');
}

#[cfg(test)]
mod tests {
    use super::*;
    use enfilade_model::catalogue::SourceFile;
    use enfilade_model::form::Fields;
    use enfilade_model::static_or_shared::StaticOrCounted;

    fn rules() -> (System, RulebookAction) {
        let fire = RulebookAction::new("fire", "", Fields::NO_FIELDS, &|_| Err(Vec::new()), &[]);
        (System::new("asl", "", []), fire)
    }

    fn form() -> Form {
        let unit = Form::from_checked_entries(vec![("unit", Value::Text("4-4-7".into()))]);
        let tables = Value::Tables(vec![unit.clone(), Form::default()]);
        let entries = vec![("smoke".to_owned(), 2), ("FFMO".to_owned(), -1)];
        Form::from_checked_entries(vec![
            ("fp", Value::Fraction(160)),
            ("drm", Value::Int(-3)),
            ("cowers", Value::Flag(true)),
            ("die", Value::Die(8)),
            ("weapons", Value::List(vec![Value::Die(6), Value::Die(4)])),
            ("modifiers", Value::Entries(entries)),
            ("leader", Value::Table(unit)),
            ("target", tables),
        ])
    }

    #[test]
    fn the_canonical_text_is_what_the_page_above_says() {
        let expected = "enfilade contest 1\nasl\nfire\n\
            {fp=160/64;drm=-3;cowers=+;die=d8;weapons=[d6,d4,];modifiers=<4:FFMO=-1,5:smoke=2,>;\
            leader={unit=5:4-4-7;};target=[{unit=5:4-4-7;},{},];}\n";
        let (system, action) = rules();
        assert_eq!(canonical_contest_text(&system, &action, &form()), expected);
        let files = StaticOrCounted::from(vec![
            SourceFile::new("asl.rules", "abc"),
            SourceFile::new("t.tsv", ""),
        ]);
        let read = System { files, built_in: false, ..system };
        // FIPS 180-4: the hashes of "abc" and of nothing.
        let line = "rules ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad,\
            e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n";
        assert_eq!(canonical_contest_text(&read, &action, &form()), format!("{expected}{line}"));
    }

    /// Expected value: `sha256sum` of the text above.
    #[test]
    fn the_fingerprint_is_pinned() {
        let (system, action) = rules();
        let hex =
            enfilade_engine::random_stream::to_hex(&contest_fingerprint(&system, &action, &form()));
        assert_eq!(hex, "9f7466bc694e6f33458574175fe8db6a7ab675fab10ba19fdabc92867e9d66dc");
    }

    #[test]
    fn a_text_cannot_pretend_to_be_another_field() {
        let one = Form::from_checked_entries(vec![("a", Value::Text("x;b=1:y".into()))]);
        let two = Form::from_checked_entries(vec![
            ("a", Value::Text("x".into())),
            ("b", Value::Text("y".into())),
        ]);
        let (system, action) = rules();
        assert_ne!(
            canonical_contest_text(&system, &action, &one),
            canonical_contest_text(&system, &action, &two)
        );
    }
}
