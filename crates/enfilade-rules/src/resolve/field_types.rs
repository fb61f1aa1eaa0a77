//! Resolution of a field: its type, its default, and the names in them.

use super::game::{FieldKind, Game, Holds, Top, no_such};
use crate::diagnostics::{Faults, Span, near};
use crate::syntax::ast::{Check, Choice, Default, Field, Item, Kind as Written, Name, Says};
use crate::types::{Kind, LIST, Range, STORED};

/// Resolves a type.
fn holds(game: &mut Game, written: &Written, field: &str, faults: &mut Faults) -> Option<Holds> {
    Some(match written {
        Written::Range(lo, hi, span) => {
            ordered(*lo, *hi, span, faults)?;
            if *lo < STORED.0 || *hi > STORED.1 {
                let problem = "a field holds −32 768 to 32 767 at most";
                faults.note(span.clone(), problem, "");
                return None;
            }
            Holds::Number(Range::new(Kind::Number, *lo, *hi))
        }
        Written::YesNo => Holds::Number(Range::new(Kind::YesNo, 0, 1)),
        Written::Choice(options) => return choice(game, options, field, faults),
        Written::Die(None) => Holds::Die(2, 100, 1),
        Written::Die(Some((lo, hi, by))) => Holds::Die((*lo).max(2), (*hi).min(100), *by),
        Written::OneOf(name) => return row_of(game, name, faults),
        Written::Record(name) => return named(game, name, faults),
        Written::Several(lo, hi, of, span) => {
            ordered(*lo, *hi, span, faults)?;
            if *hi > LIST {
                let problem = format!("a list has at most {LIST} places, and this has {hi}");
                faults.note(span.clone(), problem, "");
                return None;
            }
            Holds::List(*lo, *hi, Box::new(holds(game, of, field, faults)?))
        }
    })
}

/// Resolves the name of a data block to rows of it.
fn row_of(game: &Game, name: &Name, faults: &mut Faults) -> Option<Holds> {
    if let Some(Top::Data(data)) = game.names.get(&name.text) {
        return Some(Holds::Row(*data as u16));
    }
    let problem = format!("there is no `data {}`", name.text);
    no_such(name, problem, game.data.iter().map(|data| data.name.as_str()), faults);
    None
}

/// Resolves the name of a type: a record, marks, or a list of words.
fn named(game: &Game, name: &Name, faults: &mut Faults) -> Option<Holds> {
    let text = &name.text;
    let record = game.record_names.get(text).map(|record| Holds::Record(*record));
    let marks = || game.mark_names.get(text).map(|marks| Holds::Marks(*marks));
    let words = || game.lists.get(text).map(|list| Holds::Number(game.all_of(Kind::Word(*list))));
    let found = record.or_else(marks).or_else(words);
    if found.is_none() {
        let known = game.record_names.keys().chain(game.lists.keys());
        let near = near(text, known.map(String::as_str));
        let help = if near.is_empty() { KINDS } else { &near };
        faults.note(name.span.clone(), format!("there is no kind `{text}`"), help);
    }
    found
}

/// Help with the types of fields, for authors who write the types of other languages.
const KINDS: &str = "`yes/no` for a switch, `0..10` for a number, `a or b` for words, `die` for a die, or the \
    name of a list or a record";

/// Checks the order of bounds, and reports exchanged ones.
fn ordered(lo: i64, hi: i64, span: &Span, faults: &mut Faults) -> Option<()> {
    if lo <= hi {
        return Some(());
    }
    faults.note(span.clone(), format!("{lo} is more than {hi}"), "exchange the two");
    None
}

/// Resolves the words of a field to a new list, or its numbers.
fn choice(game: &mut Game, options: &[Choice], field: &str, faults: &mut Faults) -> Option<Holds> {
    let mut words = Vec::new();
    let mut numbers = Vec::new();
    for option in options {
        match option {
            Choice::Word(word) => words.push((word.text.clone(), String::new())),
            Choice::Number(number, span) => numbers.push((number, span)),
        }
    }
    match (words.is_empty(), numbers.is_empty()) {
        (false, true) => {
            let list = game.list_of(field, words);
            Some(Holds::Number(game.all_of(Kind::Word(list))))
        }
        (true, false) => {
            Some(Holds::OneOf(numbers.into_iter().map(|(number, _)| *number).collect()))
        }
        _ => {
            let number = numbers.first().map_or(0..0, |(_, span)| (*span).clone());
            faults.note(number, "words and numbers are mixed", "");
            None
        }
    }
}

/// Resolves the fields and conditions of a record or an action.
pub fn items(
    game: &mut Game,
    items: Vec<Item>,
    faults: &mut Faults,
) -> (Vec<FieldKind>, Vec<Check>) {
    let (mut fields, mut checks) = (Vec::new(), Vec::new());
    for item in items {
        match item {
            Item::Field(name, written) => {
                let twice = fields.iter().any(|known: &FieldKind| known.name.text == name.text);
                if twice {
                    let problem = format!("`{}` is a field already", name.text);
                    faults.note(name.span.clone(), problem, "");
                }
                fields.push(field(game, name, written, faults));
            }
            Item::Check(check) => checks.push(check),
        }
    }
    (fields, checks)
}

/// Reports a field with a default and without a type: `field hp = 10`.
fn without_kind(name: &Name, written: &Field, faults: &mut Faults) -> Option<Holds> {
    let default = written.default.iter().flat_map(Default::exprs).next();
    let help = match default.and_then(|value| Some((value.literal()?, &value.what))) {
        Some((number, Says::Number(_))) => {
            format!("write `field {}: 0..{} = {number}`", name.text, (2 * number).max(6))
        }
        _ => format!("write `field {}: KIND`; {KINDS}", name.text),
    };
    let problem = format!("the field `{}` has no type", name.text);
    faults.note(name.span.clone(), problem, help);
    None
}

/// Resolves one field. If its type is faulty, further faults about the field are suppressed.
pub fn field(game: &mut Game, name: Name, written: Field, faults: &mut Faults) -> FieldKind {
    let known = match &written.kind {
        Written::Choice(options) if options.is_empty() => without_kind(&name, &written, faults),
        kind => holds(game, kind, &name.text, faults),
    };
    let holds = known.unwrap_or_else(|| {
        faults.doubt([name.text.clone()]);
        Holds::Number(Range::new(Kind::Any, STORED.0, STORED.1))
    });
    let Field { default, said, group, .. } = written;
    FieldKind { name, holds, default, said, group }
}
