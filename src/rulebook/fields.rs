//! From a field as it was written to what it holds, with its names found.

use super::fault::{Faults, Span};
use super::game::{FieldKind, Game, Holds, Top, near};
use super::kind::{Kind, Range};
use super::tree::{Check, Choice, Field, Item, Kind as Written, Name};

/// What a kind that was written means.
fn holds(game: &mut Game, written: &Written, field: &str, faults: &mut Faults) -> Option<Holds> {
    Some(match written {
        Written::Range(lo, hi, span) => {
            ordered(*lo, *hi, span, faults)?;
            if *lo < super::kind::STORED.0 || *hi > super::kind::STORED.1 {
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
        Written::OneOf(name) => match game.names.get(&name.text) {
            Some(Top::Data(data)) => Holds::Row(*data as u16),
            _ => {
                let known = game.data.iter().map(|data| data.name.as_str());
                let help = near(&name.text, known);
                let problem = format!("there is no `data {}`", name.text);
                faults.note(name.span.clone(), problem, help);
                return None;
            }
        },
        Written::Record(name) => {
            if let Some(record) = game.record_names.get(&name.text) {
                return Some(Holds::Record(*record));
            }
            if let Some(marks) = game.mark_names.get(&name.text) {
                return Some(Holds::Marks(*marks));
            }
            if let Some(list) = game.lists.get(&name.text) {
                return Some(Holds::Number(game.all_of(Kind::Word(*list))));
            }
            let known = game.record_names.keys().chain(game.lists.keys());
            let mut help = near(&name.text, known.map(String::as_str));
            if help.is_empty() {
                help = KINDS.to_owned();
            }
            let problem = format!("there is no kind `{}`", name.text);
            faults.note(name.span.clone(), problem, help);
            return None;
        }
        Written::Several(lo, hi, of, span) => {
            ordered(*lo, *hi, span, faults)?;
            let most = super::kind::LIST;
            if *hi > most {
                let problem = format!("a list has at most {most} places, and this has {hi}");
                faults.note(span.clone(), problem, "");
                return None;
            }
            Holds::List(*lo, *hi, Box::new(holds(game, of, field, faults)?))
        }
    })
}

/// What a field may hold, for those who type what other languages call it.
const KINDS: &str = "`yes/no` for a switch, `0..10` for a number, `a or b` for words, `die` for a die, or the \
    name of a list or a record";

fn ordered(lo: i64, hi: i64, span: &Span, faults: &mut Faults) -> Option<()> {
    if lo <= hi {
        return Some(());
    }
    faults.note(span.clone(), format!("{lo} is more than {hi}"), "exchange the two");
    None
}

/// Words of a field of its own, or numbers.
fn choice(game: &mut Game, options: &[Choice], field: &str, faults: &mut Faults) -> Option<Holds> {
    let mut words = Vec::new();
    let mut numbers = Vec::new();
    for option in options {
        match option {
            Choice::Word(word) => words.push((word.text.clone(), String::new())),
            Choice::Number(number, _) => numbers.push(*number),
        }
    }
    match (words.is_empty(), numbers.is_empty()) {
        (false, true) => {
            let list = game.list_of(field, words);
            Some(Holds::Number(game.all_of(Kind::Word(list))))
        }
        (true, false) => Some(Holds::OneOf(numbers)),
        _ => {
            let span = options.iter().find_map(|option| match option {
                Choice::Number(_, span) => Some(span.clone()),
                Choice::Word(_) => None,
            });
            let problem = "words and numbers stand side by side";
            faults.note(span.unwrap_or(0..0), problem, "");
            None
        }
    }
}

/// The fields and conditions of a record or an action.
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
                fields.extend(field(game, name, written, faults));
            }
            Item::Check(check) => checks.push(check),
        }
    }
    (fields, checks)
}

/// One field.
pub fn field(
    game: &mut Game,
    name: Name,
    written: Field,
    faults: &mut Faults,
) -> Option<FieldKind> {
    let holds = holds(game, &written.kind, &name.text, faults)?;
    Some(FieldKind {
        name,
        holds,
        default: written.default,
        said: written.said,
        group: written.group,
    })
}
