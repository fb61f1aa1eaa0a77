//! Resolution of a file's tree to a game: every name is resolved, every cell parsed.

use super::field_types::{resolve_field_declaration, resolve_fields_and_checks};
use super::game::{
    ActionDef, DataDef, RecordDef, ResolvedRulebook, SpecialRuleMarkPatterns, TopLevelMeaning,
};
use super::lookalikes::name_in_plain_letters;
use super::name_faults::{report_name_in_use, report_repeated_names};
use super::printed_cells::parse_data_block;
use super::symbol_die::resolve_die;
use super::tables::resolve_table;
use crate::diagnostics::Faults;
use crate::syntax::ast::{
    ActionDecl, Declaration, DeclarationKind, ExprKind, Ident, PartDecl, RulebookAst,
    ShowMeasureOrCarryLine, Stmt, StmtKind,
};
use enfilade_model::form::name_matching;

/// Largest number of words in a list.
const MAX_WORDS_IN_LIST: usize = 64;

/// Resolves the game that a file declares, and notes faults.
pub fn resolve_declarations(file: RulebookAst, faults: &mut Faults) -> ResolvedRulebook {
    let mut game = ResolvedRulebook::default();
    let mut declared = file.declarations;
    faults.suppress(file.unread);
    let mut counts = [0; 3];
    declared.iter().for_each(|one| register_declared_name(&mut game, one, &mut counts, faults));
    // Cells come last, because they may contain words of any list, and of fields that declare
    // words.
    declared.sort_by_key(|one| match one.kind {
        DeclarationKind::Data(_) => 1,
        DeclarationKind::Table(_) => 2,
        _ => 0,
    });
    for Declaration { name, kind: what, .. } in declared {
        resolve_declaration(&mut game, name, what, faults);
    }
    for (at, field) in game.fields.iter().enumerate() {
        game.names.insert(field.name.text.clone(), TopLevelMeaning::Field(at));
    }
    attach_closing_part_reports(&mut game, faults);
    game
}

/// Resolves the declaration of a registered name.
fn resolve_declaration(
    game: &mut ResolvedRulebook,
    name: Ident,
    what: DeclarationKind,
    faults: &mut Faults,
) {
    match what {
        DeclarationKind::Field(written) => {
            let resolved = resolve_field_declaration(game, name, written, faults);
            game.fields.push(resolved);
        }
        DeclarationKind::Record(written) => {
            let at = game.record_names[&name.text];
            let (fields, checks) = resolve_fields_and_checks(game, written, faults);
            (game.records[at].fields, game.records[at].checks) = (fields, checks);
        }
        DeclarationKind::Action(mut rule) => {
            let (fields, checks) =
                resolve_fields_and_checks(game, std::mem::take(&mut rule.items), faults);
            let instead =
                fields.iter().map(|own| game.index_of_top_level_field(&own.name.text)).collect();
            check_action_name(game, &name, &rule, faults);
            game.actions.push(ActionDef { name, rule, fields, instead, checks });
        }
        DeclarationKind::Part(part) => game.parts.push((name, part)),
        DeclarationKind::Check(check) => game.checks.push(check),
        DeclarationKind::Example(text, lines) => game.examples.push((name, text, lines)),
        DeclarationKind::Price(pairs) => game.price.extend(pairs),
        DeclarationKind::Data(block) => parse_data_block(game, &name, block, faults),
        DeclarationKind::Table(block) => {
            let resolved = resolve_table(game, name, block, faults);
            game.tables.push(resolved);
        }
        DeclarationKind::Words(_) | DeclarationKind::Marks(_) | DeclarationKind::Die(_) => {}
    }
}

/// Attaches the reports of the parts that close a rule.
fn attach_closing_part_reports(game: &mut ResolvedRulebook, faults: &mut Faults) {
    let parts = game.parts.iter();
    let ends: Vec<usize> =
        parts.map(|(_, part)| start_of_final_report_calls(&game.parts, &part.body)).collect();
    for ((_, part), at) in game.parts.iter_mut().zip(ends) {
        move_final_report_calls(&mut part.body, &mut part.shows, at);
    }
    for action in &mut game.actions {
        let rule = &mut action.rule;
        let at = start_of_final_report_calls(&game.parts, &rule.body);
        move_final_report_calls(&mut rule.body, &mut rule.shows, at);
        let unread = rule.body.iter().any(Stmt::has_unparsed_line) || faults.is_suppressed("show");
        if rule.shows.is_empty() && !unread {
            let problem = format!("action `{}` has no `show` line", action.name.text);
            let help = "add `show x`, the value whose odds are wanted";
            faults.add_fault_at_span(action.name.span.clone(), problem, help);
        }
    }
}

/// Reports an action with the name of another one in the file, or with an equal name in contests
/// and results, where case and spacing are ignored.
fn check_action_name(
    game: &ResolvedRulebook,
    name: &Ident,
    rule: &ActionDecl,
    faults: &mut Faults,
) {
    let called = rule.name_in_contests(name);
    if game.actions.iter().any(|known| known.name.text == name.text) {
        return report_name_in_use(name, "an action", faults);
    }
    let known = game.actions.iter().map(|known| known.name.text.as_str());
    report_lookalike_of_known_name(name, known, "the action", faults);
    let alike = |action: &&ActionDef| {
        name_matching::name_matching_key(action.rule.name_in_contests(&action.name))
            == name_matching::name_matching_key(called)
    };
    if let Some(known) = game.actions.iter().find(alike) {
        let of = &known.name.text;
        let problem = format!("contests use \"{called}\" for the action `{of}`");
        faults.add_fault_at_span(name.span.clone(), problem, "give it another name");
    }
}

/// Reports a name that looks like one of `names` but contains letters of another script: `go`,
/// `gо`.
fn report_lookalike_of_known_name<'k>(
    name: &Ident,
    names: impl IntoIterator<Item = &'k str>,
    what: &str,
    faults: &mut Faults,
) {
    // `rn` and `m` look alike too, but in plain letters they are intended.
    let is_double = |known: &&str| {
        let are_plain = name.text.is_ascii() && known.is_ascii();
        !are_plain
            && name.text != **known
            && name_in_plain_letters(&name.text) == name_in_plain_letters(known)
    };
    let Some(lookalike) = names.into_iter().find(is_double) else { return };
    let other = name.text.chars().zip(lookalike.chars()).find(|(a, b)| a != b);
    let letter = other.map_or(String::new(), |(a, b)| {
        format!(": it has U+{:04X} where that has U+{:04X}", u32::from(a), u32::from(b))
    });
    let problem = format!("`{}` looks like {what} `{lookalike}`{letter}", name.text);
    faults.add_fault_at_span(
        name.span.clone(),
        problem,
        "write both with the same letters, or rename one",
    );
}

/// Moves the trailing calls of reporting parts from a rule to its report.
fn move_final_report_calls(
    body: &mut Vec<Stmt>,
    shows: &mut Vec<ShowMeasureOrCarryLine>,
    at: usize,
) {
    let calls = body.split_off(at).into_iter();
    let calls = calls.filter_map(|line| match line.kind {
        StmtKind::Call(call) => Some(ShowMeasureOrCarryLine::Call(call)),
        _ => None,
    });
    shows.splice(0..0, calls);
}

/// Returns the index of the trailing calls of reporting parts.
fn start_of_final_report_calls(parts: &[(Ident, PartDecl)], body: &[Stmt]) -> usize {
    let reports = |line: &&Stmt| match &line.kind {
        StmtKind::Call(call) => match &call.kind {
            ExprKind::Call(called, _) => {
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
const BUILT_IN_FUNCTION_NAMES: [&str; 8] =
    ["d", "up", "given", "sum", "length", "min", "max", "step"];

/// Registers the name of a declaration before any declaration is resolved.
fn register_declared_name(
    game: &mut ResolvedRulebook,
    declared: &Declaration,
    counts: &mut [usize; 3],
    faults: &mut Faults,
) {
    let Declaration { name, kind: what, .. } = declared;
    let mut next = |kind: usize| {
        counts[kind] += 1;
        counts[kind] - 1
    };
    let top = match what {
        DeclarationKind::Words(words) => return register_words(game, name, words, faults),
        DeclarationKind::Record(_) => return register_empty_record(game, name, faults),
        DeclarationKind::Marks(marks) => return register_marks(game, name, marks, faults),
        DeclarationKind::Field(_) => TopLevelMeaning::Field(next(0)),
        DeclarationKind::Data(block) => {
            game.data.push(DataDef {
                name: name.text.clone(),
                columns: block.heads.iter().map(|head| head.text.clone()).collect(),
                rows: block.rows.iter().map(|row| row.key.clone()).collect(),
                ..DataDef::default()
            });
            TopLevelMeaning::Data(game.data.len() - 1)
        }
        DeclarationKind::Table(_) => TopLevelMeaning::Table(next(1)),
        DeclarationKind::Part(_) => TopLevelMeaning::Part(next(2)),
        DeclarationKind::Die(faces) => {
            let die = resolve_die(name, faces, faults);
            game.dice.push(die);
            TopLevelMeaning::Die(game.dice.len() - 1)
        }
        _ => return,
    };
    bind_top_level_name(game, name, top, faults);
}

/// Binds a top-level name.
fn bind_top_level_name(
    game: &mut ResolvedRulebook,
    name: &Ident,
    top: TopLevelMeaning,
    faults: &mut Faults,
) {
    let callable = matches!(top, TopLevelMeaning::Part(_) | TopLevelMeaning::Table(_));
    if callable && BUILT_IN_FUNCTION_NAMES.contains(&name.text.as_str()) {
        let problem = format!("`{}` is a function of the language", name.text);
        faults.add_fault_at_span(name.span.clone(), problem, "give it another name");
    }
    if !name.text.is_ascii() || game.names.keys().any(|known| !known.is_ascii()) {
        report_lookalike_of_known_name(
            name,
            game.names.keys().map(String::as_str),
            "the name",
            faults,
        );
    }
    if let Some(earlier) = game.names.insert(name.text.clone(), top) {
        report_name_in_use(name, earlier.kind_in_messages(), faults);
    }
}

/// Registers a record, without its fields.
fn register_empty_record(game: &mut ResolvedRulebook, name: &Ident, faults: &mut Faults) {
    let text = name.text.clone();
    if game.record_names.insert(text.clone(), game.records.len()).is_some() {
        report_name_in_use(name, "a record", faults);
    }
    game.records.push(RecordDef { name: text, fields: Vec::new(), checks: Vec::new() });
}

/// Registers marks, which depend on no other name.
fn register_marks(
    game: &mut ResolvedRulebook,
    name: &Ident,
    marks: &[(Ident, Ident)],
    faults: &mut Faults,
) {
    if game.mark_names.insert(name.text.clone(), game.marks.len() as u16).is_some() {
        report_name_in_use(name, "marks", faults);
    }
    let marks = marks.iter().map(|(pattern, name)| (pattern.text.clone(), name.text.clone()));
    game.marks.push(SpecialRuleMarkPatterns { marks: marks.collect() });
}

/// Registers a list of words, which depends on no other name.
fn register_words(
    game: &mut ResolvedRulebook,
    name: &Ident,
    words: &[(Ident, String)],
    faults: &mut Faults,
) {
    if words.len() > MAX_WORDS_IN_LIST {
        faults.add_fault_at_span(
            name.span.clone(),
            format!("a list has at most {MAX_WORDS_IN_LIST} words"),
            "",
        );
    }
    report_repeated_names(words.iter().map(|(word, _)| word), "a word of this list", faults);
    if game.lists.insert(name.text.clone(), game.words.len() as u16).is_some() {
        report_name_in_use(name, "a list of words", faults);
    }
    let words = words.iter().take(MAX_WORDS_IN_LIST);
    game.add_word_list(
        &name.text,
        words.map(|(word, text)| (word.text.clone(), text.clone())).collect(),
    );
}
