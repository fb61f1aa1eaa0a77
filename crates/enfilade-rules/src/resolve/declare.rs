//! Resolution of a file's tree to a game: every name is resolved, every cell parsed.

use super::field_types::{field, items};
use super::game::{ActionKind, DataBlock, Game, MarkList, RecordKind, Top, each_once, twice};
use super::printed_cells::{fill_data, table};
use crate::diagnostics::Faults;
use crate::syntax::ast::{Action, Declared, Do, File, Name, Part, Report, Says, Stmt, What};
use enfilade_model::form::name_matching;
use unicode_security::confusable_detection::skeleton;

/// Largest number of words in a list.
const WORDS: usize = 64;

/// Resolves the game that a file declares, and notes faults.
pub fn declare(file: File, faults: &mut Faults) -> Game {
    let mut game = Game::default();
    let mut declared = file.declared;
    faults.doubt(file.unread);
    let mut counts = [0; 3];
    declared.iter().for_each(|one| announce(&mut game, one, &mut counts, faults));
    // Cells come last, because they may contain words of any list, and of fields that declare
    // words.
    declared.sort_by_key(|one| match one.what {
        What::Data(_) => 1,
        What::Table(_) => 2,
        _ => 0,
    });
    for Declared { name, what, .. } in declared {
        define(&mut game, name, what, faults);
    }
    for (at, field) in game.fields.iter().enumerate() {
        game.names.insert(field.name.text.clone(), Top::Field(at));
    }
    close_all(&mut game, faults);
    game
}

/// Resolves the declaration of a registered name.
fn define(game: &mut Game, name: Name, what: What, faults: &mut Faults) {
    match what {
        What::Field(written) => {
            let known = field(game, name, written, faults);
            game.fields.push(known);
        }
        What::Record(written) => {
            let at = game.record_names[&name.text];
            let (fields, checks) = items(game, written, faults);
            (game.records[at].fields, game.records[at].checks) = (fields, checks);
        }
        What::Action(mut rule) => {
            let (fields, checks) = items(game, std::mem::take(&mut rule.items), faults);
            let instead = fields.iter().map(|own| game.field(&own.name.text)).collect();
            own_name(game, &name, &rule, faults);
            game.actions.push(ActionKind { name, rule, fields, instead, checks });
        }
        What::Part(part) => game.parts.push((name, part)),
        What::Check(check) => game.checks.push(check),
        What::Example(said, lines) => game.examples.push((name, said, lines)),
        What::Price(pairs) => game.price.extend(pairs),
        What::Data(block) => fill_data(game, &name, block, faults),
        What::Table(block) => {
            let known = table(game, name, block, faults);
            game.tables.push(known);
        }
        What::Words(_) | What::Marks(_) => {}
    }
}

/// Attaches the reports of the parts that close a rule.
fn close_all(game: &mut Game, faults: &mut Faults) {
    let parts = game.parts.iter();
    let ends: Vec<usize> = parts.map(|(_, part)| reports_from(&game.parts, &part.body)).collect();
    for ((_, part), at) in game.parts.iter_mut().zip(ends) {
        close(&mut part.body, &mut part.shows, at);
    }
    for action in &mut game.actions {
        let rule = &mut action.rule;
        let at = reports_from(&game.parts, &rule.body);
        close(&mut rule.body, &mut rule.shows, at);
        let unread = rule.body.iter().any(Stmt::is_unread) || faults.has_doubt("show");
        if rule.shows.is_empty() && !unread {
            let problem = format!("action `{}` has no `show` line", action.name.text);
            let help = "add `show x`, the value whose odds are wanted";
            faults.note(action.name.span.clone(), problem, help);
        }
    }
}

/// Reports an action with the name of another one in the file, or with an equal name in contests
/// and results, where case and spacing are ignored.
fn own_name(game: &Game, name: &Name, rule: &Action, faults: &mut Faults) {
    let called = rule.called(name);
    if game.actions.iter().any(|known| known.name.text == name.text) {
        return twice(name, "an action", faults);
    }
    let known = game.actions.iter().map(|known| known.name.text.as_str());
    no_double(name, known, "the action", faults);
    let alike = |known: &&ActionKind| {
        name_matching::key(known.rule.called(&known.name)) == name_matching::key(called)
    };
    if let Some(known) = game.actions.iter().find(alike) {
        let of = &known.name.text;
        let problem = format!("contests use \"{called}\" for the action `{of}`");
        faults.note(name.span.clone(), problem, "give it another name");
    }
}

/// Reports a name that looks like one of `known` but contains letters of another script: `go`,
/// `gо`.
fn no_double<'k>(
    name: &Name,
    known: impl IntoIterator<Item = &'k str>,
    what: &str,
    faults: &mut Faults,
) {
    // `rn` and `m` look alike too, but in plain letters they are intended.
    let is_double = |known: &&str| {
        let are_plain = name.text.is_ascii() && known.is_ascii();
        !are_plain && name.text != **known && skeleton(&name.text).eq(skeleton(known))
    };
    let Some(known) = known.into_iter().find(is_double) else { return };
    let other = name.text.chars().zip(known.chars()).find(|(a, b)| a != b);
    let letter = other.map_or(String::new(), |(a, b)| {
        format!(": it has U+{:04X} where that has U+{:04X}", u32::from(a), u32::from(b))
    });
    let problem = format!("`{}` looks like {what} `{known}`{letter}", name.text);
    faults.note(name.span.clone(), problem, "write both with the same letters, or rename one");
}

/// Moves the trailing calls of reporting parts from a rule to its report.
fn close(body: &mut Vec<Stmt>, shows: &mut Vec<Report>, at: usize) {
    let calls = body.split_off(at).into_iter();
    let calls = calls.filter_map(|line| match line.what {
        Do::Call(call) => Some(Report::Call(call)),
        _ => None,
    });
    shows.splice(0..0, calls);
}

/// Returns the index of the trailing calls of reporting parts.
fn reports_from(parts: &[(Name, Part)], body: &[Stmt]) -> usize {
    let reports = |line: &&Stmt| match &line.what {
        Do::Call(call) => match &call.what {
            Says::Call(called, _) => {
                let part = parts.iter().find(|(name, _)| name.text == called.text);
                part.is_some_and(|(_, part)| !part.shows.is_empty())
            }
            _ => false,
        },
        _ => false,
    };
    body.len() - body.iter().rev().take_while(reports).count()
}

/// Functions of the language, whose names no part or table may have.
const CALLED: [&str; 8] = ["d", "up", "given", "sum", "length", "min", "max", "step"];

/// Registers the name of a declaration before any declaration is resolved.
fn announce(game: &mut Game, declared: &Declared, counts: &mut [usize; 3], faults: &mut Faults) {
    let Declared { name, what, .. } = declared;
    let mut next = |kind: usize| {
        counts[kind] += 1;
        counts[kind] - 1
    };
    let top = match what {
        What::Words(words) => return word_list(game, name, words, faults),
        What::Record(_) => return record(game, name, faults),
        What::Marks(marks) => return mark_list(game, name, marks, faults),
        What::Field(_) => Top::Field(next(0)),
        What::Data(block) => {
            game.data.push(DataBlock {
                name: name.text.clone(),
                columns: block.heads.iter().map(|head| head.text.clone()).collect(),
                rows: block.rows.iter().map(|row| row.key.clone()).collect(),
                ..DataBlock::default()
            });
            Top::Data(game.data.len() - 1)
        }
        What::Table(_) => Top::Table(next(1)),
        What::Part(_) => Top::Part(next(2)),
        _ => return,
    };
    give_name(game, name, top, faults);
}

/// Binds a top-level name.
fn give_name(game: &mut Game, name: &Name, top: Top, faults: &mut Faults) {
    let callable = matches!(top, Top::Part(_) | Top::Table(_));
    if callable && CALLED.contains(&name.text.as_str()) {
        let problem = format!("`{}` is a function of the language", name.text);
        faults.note(name.span.clone(), problem, "give it another name");
    }
    if !name.text.is_ascii() || game.names.keys().any(|known| !known.is_ascii()) {
        no_double(name, game.names.keys().map(String::as_str), "the name", faults);
    }
    if let Some(known) = game.names.insert(name.text.clone(), top) {
        twice(name, known.called(), faults);
    }
}

/// Registers a record, without its fields.
fn record(game: &mut Game, name: &Name, faults: &mut Faults) {
    let text = name.text.clone();
    if game.record_names.insert(text.clone(), game.records.len()).is_some() {
        twice(name, "a record", faults);
    }
    game.records.push(RecordKind { name: text, fields: Vec::new(), checks: Vec::new() });
}

/// Registers marks, which depend on no other name.
fn mark_list(game: &mut Game, name: &Name, marks: &[(Name, Name)], faults: &mut Faults) {
    if game.mark_names.insert(name.text.clone(), game.marks.len() as u16).is_some() {
        twice(name, "marks", faults);
    }
    let marks = marks.iter().map(|(pattern, name)| (pattern.text.clone(), name.text.clone()));
    game.marks.push(MarkList { marks: marks.collect() });
}

/// Registers a list of words, which depends on no other name.
fn word_list(game: &mut Game, name: &Name, words: &[(Name, String)], faults: &mut Faults) {
    if words.len() > WORDS {
        faults.note(name.span.clone(), format!("a list has at most {WORDS} words"), "");
    }
    each_once(words.iter().map(|(word, _)| word), "a word of this list", faults);
    if game.lists.insert(name.text.clone(), game.words.len() as u16).is_some() {
        twice(name, "a list of words", faults);
    }
    let words = words.iter().take(WORDS);
    game.add_list(
        &name.text,
        words.map(|(word, said)| (word.text.clone(), said.clone())).collect(),
    );
}
