//! From the tree of a file to the game it declares: every name found, every cell understood.

use super::cells::{fill_data, table};
use super::fault::Faults;
use super::fields::{field, items};
use super::game::{ActionKind, DataBlock, Game, MarkList, RecordKind, Top, WordList, twice};
use super::tree::{Action, Declared, Do, File, Item, Name, Part, Report, Says, Stmt, What};
use crate::form::names;

/// Words of a list.
const WORDS: usize = 64;

/// The game that a file declares; what is wrong is noted.
pub fn declare(file: File, faults: &mut Faults) -> Game {
    let mut game = Game::default();
    for declared in &file.declared {
        announce(&mut game, declared, faults);
    }
    let (mut tables, mut data) = (Vec::new(), Vec::new());
    for Declared { name, what, .. } in file.declared {
        match what {
            What::Field(written) => {
                let known = field(&mut game, name, written, faults);
                game.fields.extend(known);
            }
            What::Record(written) => {
                let at = game.record_names[&name.text];
                let (fields, checks) = items(&mut game, written, faults);
                (game.records[at].fields, game.records[at].checks) = (fields, checks);
            }
            What::Action(mut rule) => {
                let own: Vec<Item> = std::mem::take(&mut rule.items);
                let (fields, checks) = items(&mut game, own, faults);
                let instead = fields.iter().map(|own| game.field(&own.name.text)).collect();
                own_name(&game, &name, &rule, faults);
                game.actions.push(ActionKind { name, rule, fields, instead, checks });
            }
            What::Part(part) => game.parts.push((name, part)),
            What::Check(check) => game.checks.push(check),
            What::Example(said, lines) => game.examples.push((name, said, lines)),
            What::Price(pairs) => game.price.extend(pairs),
            What::Data(block) => data.push((name, block)),
            What::Table(block) => tables.push((name, block)),
            What::Words(_) | What::Marks(_) => {}
        }
    }
    for (name, block) in data {
        fill_data(&mut game, &name, block, faults);
    }
    for (name, block) in tables {
        let known = table(&mut game, name, block, faults);
        game.tables.push(known);
    }
    for (at, field) in game.fields.iter().enumerate() {
        game.names.insert(field.name.text.clone(), Top::Field(at));
    }
    let parts = game.parts.iter();
    let ends: Vec<usize> = parts.map(|(_, part)| reports_from(&game.parts, &part.body)).collect();
    for ((_, part), at) in game.parts.iter_mut().zip(ends) {
        close(&mut part.body, &mut part.shows, at);
    }
    for action in &mut game.actions {
        let rule = &mut action.rule;
        let at = reports_from(&game.parts, &rule.body);
        close(&mut rule.body, &mut rule.shows, at);
        if rule.shows.is_empty() {
            let problem = format!("the action `{}` shows nothing", action.name.text);
            let help = "close it with `show x`: what its odds are about";
            faults.note(action.name.span.clone(), problem, help);
        }
    }
    game
}

/// Notes an action that bears the name of another in the file, or in contests and results, where a name is
/// found whatever its case and spacing.
fn own_name(game: &Game, name: &Name, rule: &Action, faults: &mut Faults) {
    let called = rule.called(name);
    if game.actions.iter().any(|known| known.name.text == name.text) {
        return twice(name, "an action", faults);
    }
    let alike =
        |known: &&ActionKind| names::key(known.rule.called(&known.name)) == names::key(called);
    if let Some(known) = game.actions.iter().find(alike) {
        let of = &known.name.text;
        let problem = format!("contests mean the action `{of}` when they say \"{called}\"");
        faults.note(name.span.clone(), problem, "give it another name");
    }
}

/// Takes the calls of parts that report from the end of a rule to what it shows.
fn close(body: &mut Vec<Stmt>, shows: &mut Vec<Report>, at: usize) {
    let calls = body.split_off(at).into_iter();
    let calls = calls.filter_map(|line| match line.what {
        Do::Call(call) => Some(Report::Call(call)),
        _ => None,
    });
    shows.splice(0..0, calls);
}

/// Where the calls of parts that report begin, with which a rule closes.
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

/// Notes what bears which name, before anything is looked into.
fn announce(game: &mut Game, declared: &Declared, faults: &mut Faults) {
    let Declared { name, what, .. } = declared;
    let count = |is: fn(&Top) -> bool| game.names.values().filter(|top| is(top)).count();
    let top = match what {
        What::Words(words) => return word_list(game, name, words, faults),
        What::Record(_) => {
            let at = game.records.len();
            let text = name.text.clone();
            if game.record_names.insert(text.clone(), at).is_some() {
                twice(name, "a record", faults);
            }
            game.records.push(RecordKind { name: text, fields: Vec::new(), checks: Vec::new() });
            return;
        }
        What::Marks(marks) => {
            let at = game.marks.len() as u16;
            if game.mark_names.insert(name.text.clone(), at).is_some() {
                twice(name, "marks", faults);
            }
            let marks = marks.iter().map(|(p, n)| (p.text.clone(), n.text.clone()));
            game.marks.push(MarkList { marks: marks.collect() });
            return;
        }
        What::Field(_) => Top::Field(count(|top| matches!(top, Top::Field(_)))),
        What::Data(block) => {
            game.data.push(DataBlock {
                name: name.text.clone(),
                columns: block.heads.iter().map(|head| head.text.clone()).collect(),
                rows: block.rows.iter().map(|row| row.key.clone()).collect(),
                cells: Vec::new(),
                printed: Vec::new(),
                kinds: Vec::new(),
                ranges: Vec::new(),
            });
            Top::Data(game.data.len() - 1)
        }
        What::Table(_) => Top::Table(count(|top| matches!(top, Top::Table(_)))),
        What::Part(_) => Top::Part(count(|top| matches!(top, Top::Part(_)))),
        _ => return,
    };
    let taken = ["d", "up", "given", "sum", "length", "min", "max", "step"];
    let callable = matches!(top, Top::Part(_) | Top::Table(_));
    if callable && taken.contains(&name.text.as_str()) {
        let problem = format!("`{}` is a word of the language when it is called", name.text);
        faults.note(name.span.clone(), problem, "give it another name");
    }
    if let Some(known) = game.names.insert(name.text.clone(), top) {
        twice(name, known.called(), faults);
    }
}

fn word_list(game: &mut Game, name: &Name, words: &[(Name, String)], faults: &mut Faults) {
    if words.len() > WORDS {
        faults.note(name.span.clone(), format!("a list has at most {WORDS} words"), "");
    }
    for (place, (word, _)) in words.iter().enumerate() {
        if words[..place].iter().any(|(known, _)| known.text == word.text) {
            twice(word, "a word of this list", faults);
        }
    }
    let list = game.words.len() as u16;
    if game.lists.insert(name.text.clone(), list).is_some() {
        twice(name, "a list of words", faults);
    }
    let words = words.iter().take(WORDS);
    let words: Vec<_> = words.map(|(w, said)| (w.text.clone(), said.clone())).collect();
    for (place, (word, _)) in words.iter().enumerate() {
        let lists = game.word_lists.entry(word.clone()).or_default();
        lists.push((list, place));
    }
    let name = name.text.clone();
    game.words.push(WordList { name, words });
}
