//! Checks of a game: every default, condition, rule and example, each once. `price_block` checks
//! prices.

pub(crate) mod lost_changes;
pub(crate) mod price_block;
pub(crate) mod sum_tests;
mod unknown_values;
pub(crate) mod unused;
pub(crate) mod unused_dice;

use std::borrow::Cow;

use crate::check::unknown_values::unknown_field;
use crate::diagnostics::{Faults, Span};
use crate::lower::{Lowering, Why};
use crate::optimize::Thrift;
use crate::resolve::action_facts::{Found, Held, Seen};
use crate::resolve::game::{ActionKind, FieldKind, Game, Holds, Top, no_such};
use crate::resolve::uses::{columns, each_name};
use crate::source_map::line_of;
use crate::syntax::ast::{Check, Default, Expr, Name, Report, Says};
use crate::types::{Kind, STORED};
use enfilade_model::error::LocatedFault;
use enfilade_model::form::Words;
use enfilade_model::shared::Text;

/// Largest number of passes over a rule until the ranges of its bag fields are stable; after that a
/// field may have any value.
const WALKS: usize = 4;

/// Notes which columns each rule reads and changes, and which fields are tested with `given`.
pub(crate) fn note_columns(game: &mut Game) {
    let mut asked = Vec::new();
    each_expr(game, &mut |expr| {
        crate::resolve::uses::each_given(expr, &mut |name, inside| {
            asked.push((name.to_owned(), inside))
        })
    });
    game.asked_for.extend(asked);
    game.assigned = crate::resolve::uses::all_assigned(game);
    let all = 0..game.actions.len();
    game.columns = all.clone().map(|action| columns(game, action, false)).collect();
    game.leaving = all.map(|action| columns(game, action, true)).collect();
}

/// Visits every expression of a rulebook.
pub(crate) fn each_expr<'g>(game: &'g Game, take: &mut impl FnMut(&'g Expr)) {
    let bodies = game.parts.iter().map(|(_, part)| (&part.body, &part.shows));
    let actions = game.actions.iter().map(|action| (&action.rule.body, &action.rule.shows));
    for (body, shows) in bodies.chain(actions) {
        crate::resolve::uses::each_of_lines(body, take);
        shows.iter().flat_map(Report::exprs).for_each(&mut *take);
    }
    for check in game.parts.iter().flat_map(|(_, part)| &part.checks) {
        check.when.iter().for_each(&mut *take);
    }
    let inner = game.records.iter().map(|record| (&record.fields, &record.checks));
    let own = game.actions.iter().map(|action| (&action.fields, &action.checks));
    for (fields, checks) in inner.chain(own).chain([(&game.fields, &game.checks)]) {
        checks.iter().filter_map(|check| check.when.as_ref()).for_each(&mut *take);
        let defaults = fields.iter().filter_map(|field| field.default.as_ref());
        defaults.flat_map(Default::exprs).for_each(&mut *take);
    }
}

/// Checks all fields and returns, for each top-level field, the other fields that its default,
/// record or conditions need.
pub(crate) fn check_fields(game: &Game, faults: &mut Faults) -> Vec<Vec<usize>> {
    let mut needs = Vec::new();
    let mut lowering = Lowering::new(game, Why::Check, Thrift::default());
    for (at, field) in game.fields.iter().enumerate() {
        lowering.scopes.read.clear();
        if let Holds::Record(_) | Holds::List(..) = &field.holds {
            lowering.scopes.fields[at] = Some((unknown_field(game, field, 0), None));
        }
        check_field(&mut lowering, field);
        check_record(&mut lowering, &field.holds, 0);
        lowering.scopes.fields[at] = Some((unknown_field(game, field, 0), None));
        needs.push(lowering.scopes.read.drain().filter(|other| *other != at).collect());
    }
    for check in &game.checks {
        check_check(&mut lowering, check);
    }
    faults.extend(lowering.emitter.faults);
    needs
}

/// Checks a condition: it rolls no dice, it is a yes or no, and its names exist. A condition over a
/// list is checked for the first item.
fn check_check<'g>(lowering: &mut Lowering<'g>, check: &'g Check) {
    let own = lowering.scopes.own.len();
    if let Some((name, list)) = &check.over {
        let first = lowering.items_of(list).into_iter().next();
        if first.is_none() {
            let problem = "`for` of a check needs a list of the contest";
            lowering.emitter.faults.note(list.span.clone(), problem, "");
        }
        lowering.scopes.own.extend(first.map(|first| (name.text.as_str(), first, None)));
    }
    if let Some(when) = &check.when {
        lowering.no_dice_in(when, if check.remark { "remark" } else { "check" });
        lowering.number_of(when, Kind::YesNo);
    }
    lowering.check_sentence(&check.text);
    lowering.check_sentence(&check.help);
    lowering.scopes.own.truncate(own);
    lowering.begin_again();
}

/// Checks defaults and conditions of a record, with the fields above them in scope.
fn check_record<'g>(lowering: &mut Lowering<'g>, holds: &'g Holds, depth: usize) {
    let record = match holds {
        Holds::Record(record) => *record,
        Holds::List(_, _, of) => return check_record(lowering, of, depth),
        _ => return,
    };
    if depth > 8 {
        return;
    }
    let game = lowering.scopes.game;
    let own = lowering.scopes.own.len();
    for field in &game.records[record].fields {
        check_field(lowering, field);
        check_record(lowering, &field.holds, depth + 1);
        let value = unknown_field(game, field, 0);
        lowering.scopes.own.push((&field.name.text, value, None));
    }
    for check in &game.records[record].checks {
        check_check(lowering, check);
    }
    lowering.scopes.own.truncate(own);
}

/// Checks the default of a field: its type, and its bounds.
fn check_field<'g>(lowering: &mut Lowering<'g>, field: &'g FieldKind) {
    let Some(default) = &field.default else { return };
    // An unresolved type accepts everything.
    if matches!(&field.holds, Holds::Number(range) if range.kind == Kind::Any) {
        return;
    }
    if let Some(problem) = misfit(default, &field.holds) {
        lowering.emitter.faults.note(default.span().clone(), problem, "");
    }
    match (default, &field.holds) {
        (Default::List(items, _), Holds::List(_, _, of)) => {
            items.iter().for_each(|item| check_default(lowering, of, item));
        }
        (Default::One(_), Holds::List(..)) | (Default::List(..), _) => {}
        (Default::One(value), holds) => check_default(lowering, holds, value),
    }
}

/// Describes a mismatch between one value and several, or a list with too many or too few values.
fn misfit(default: &Default, holds: &Holds) -> Option<String> {
    let is_record = |of: &Holds| matches!(of, Holds::Record(_));
    match (default, holds) {
        (Default::One(_), Holds::List(_, _, of)) if is_record(of) => {
            Some("a list of records begins empty: `= []`".to_owned())
        }
        (Default::One(_), Holds::List(lo, ..)) => {
            Some(format!("expected a list of {lo}, such as `[1, 2]`"))
        }
        (Default::List(items, _), Holds::List(lo, hi, of)) => {
            let has = items.len() as i64;
            let fits = (*lo..=*hi).contains(&has) || has == 0 && is_record(of);
            (!fits).then(|| format!("the list has {lo} to {hi} places, not {has}"))
        }
        (Default::One(_), _) | (_, Holds::Marks(_)) => None,
        (Default::List(..), _) => Some("a list cannot be used here".to_owned()),
    }
}

/// Checks one value of a default.
fn check_default<'g>(lowering: &mut Lowering<'g>, holds: &'g Holds, value: &'g Expr) {
    let want = match (holds, &value.what) {
        (Holds::Row(data), Says::Name(name)) => {
            return check_row(lowering, *data, name, &value.span);
        }
        (Holds::Die(..), Says::Pool(_)) if value.die().is_none() => {
            let problem = "a default is one die, such as `d8`";
            let help = "use another field for the number of dice";
            return lowering.emitter.faults.note(value.span.clone(), problem, help);
        }
        (Holds::Number(range), _) => range.kind,
        (Holds::Die(..) | Holds::OneOf(_), _) => Kind::Number,
        (Holds::Row(data), _) => Kind::Row(*data),
        _ => return,
    };
    let mut known = value.die().filter(|_| matches!(holds, Holds::Die(..)));
    if known.is_none() {
        lowering.no_dice_in(value, "default");
        known = lowering.number_of(value, want).0;
        lowering.begin_again();
    }
    if let Some(problem) = known.and_then(|known| outside(holds, known)) {
        lowering.emitter.faults.note(value.span.clone(), problem, "");
    }
}

/// Checks a default that names a data row.
fn check_row(lowering: &mut Lowering, data: u16, name: &str, span: &Span) {
    let game = lowering.scopes.game;
    if game.row(data, name).is_none() {
        let block = &game.data[usize::from(data)];
        let problem = format!("there is no `{name}` in `{}`", block.name);
        let known = block.rows.iter().map(|row| row.text.as_str());
        no_such(&Name::new(name, span.clone()), problem, known, &mut lowering.emitter.faults);
    }
}

/// Describes why a field cannot hold a number.
fn outside(holds: &Holds, known: i64) -> Option<String> {
    if let Holds::OneOf(numbers) = holds {
        let printed: Vec<_> = numbers.iter().map(ToString::to_string).collect();
        let problem = || format!("{known} is not {}", enfilade_model::form::one_of(&printed));
        return (!numbers.contains(&known)).then(problem);
    }
    let (lo, hi) = holds.bounds()?;
    (!(lo..=hi).contains(&known)).then(|| format!("{known} is not in {lo}..{hi}"))
}

/// Checks an action, and returns the fields that its contests need.
pub(crate) fn check_action(
    game: &Game,
    at: usize,
    needs: &[Vec<usize>],
    faults: &mut Faults,
) -> Found {
    let action = &game.actions[at];
    let (mut lowering, seen, mut hangs) = settled(game, at);
    let remarks = known_choices(game, &lowering);
    check_goals(&mut lowering);
    let mut read: Vec<usize> = lowering.scopes.read.iter().copied().collect();
    // Own fields count too if they override a top-level field.
    read.extend(action.fields.iter().filter_map(|own| game.field(&own.name.text)));
    read.extend(goes_by(game, &action.checks));
    // Conditions of the parts that the action calls.
    for part in game.columns.get(at).into_iter().flat_map(|columns| &columns.parts) {
        let checks = &game.parts[*part].1.checks;
        hangs.extend(checks.iter().map(|check| hanging(&mut lowering, check)));
        read.extend(goes_by(game, checks));
    }
    // A condition applies to every action that reads one of its fields, and then needs all of them.
    let shared =
        game.checks.iter().filter_map(|check| Some(top_fields(game, check.when.as_ref()?)));
    let hold =
        shared.filter(|named| named.iter().any(|field| lowering.scopes.read.contains(field)));
    read.extend(hold.flatten());
    // An own field does not need what the overridden top-level field needs.
    let fields = with_needs(read, needs, |at| !action.instead.contains(&Some(at)));
    let grows: Vec<Text> =
        lowering.scopes.grows.iter().map(|name| Text::from(name.clone())).collect();
    let (checks, grows) = (checks_of(game, &fields), Words::from(grows));
    faults.extend(lowering.emitter.faults);
    let (hangs, tallies) = (hangs.into_iter().collect(), lowering.scopes.tallies);
    Found { tallies, checks, hangs, held: Held::default(), fields, grows, seen, remarks }
}

/// Repeats the pass over an action until the ranges of its bag fields are stable. Returns the last
/// pass, the ranges, and the dependencies of the action's own conditions.
fn settled(game: &Game, at: usize) -> (Lowering<'_>, Seen, Vec<Hangs>) {
    let action = &game.actions[at];
    let mut seen = Seen::default();
    let mut walk = 0;
    loop {
        walk += 1;
        let mut lowering = Lowering::new(game, Why::Check, Thrift::default());
        let unknown = game.fields.iter().map(|field| Some((unknown_field(game, field, 0), None)));
        lowering.scopes.over = Some(at);
        lowering.scopes.fields = unknown.collect();
        lowering.scopes.seen = Cow::Owned(seen.clone());
        lowering.scopes.columns = game.leaving.get(at);
        check_own(&mut lowering, action);
        let hangs = action.checks.iter().map(|check| hanging(&mut lowering, check)).collect();
        lowering.action(&action.rule.body, &action.rule.shows);
        let grew = *lowering.scopes.seen != seen && lowering.emitter.faults.is_empty();
        if grew {
            seen = std::mem::take(&mut lowering.scopes.seen).into_owned();
        }
        // The largest range cannot grow, so the next pass is the last.
        if grew && walk >= WALKS {
            seen.values_mut().for_each(|range| *range = STORED);
        }
        if !grew || walk > WALKS {
            return (lowering, seen, hangs);
        }
    }
}

/// Returns the top-level fields that conditions read.
fn goes_by(game: &Game, checks: &[Check]) -> Vec<usize> {
    let over = |check: &Check| check.over.as_ref().map(|(_, list)| top_fields(game, list));
    let when = |check: &Check| check.when.as_ref().map(|when| top_fields(game, when));
    checks.iter().flat_map(|check| [when(check), over(check)]).flatten().flatten().collect()
}

/// Position of a condition, and the top-level fields that it depends on.
type Hangs = (usize, Vec<usize>);

/// Checks a condition and returns its position with the top-level fields that it depends on.
fn hanging<'g>(lowering: &mut Lowering<'g>, check: &'g Check) -> Hangs {
    let before = std::mem::take(&mut lowering.scopes.read);
    check_check(lowering, check);
    let hangs = lowering.scopes.read.iter().copied().collect();
    lowering.scopes.read.extend(before);
    (check.span.start, hangs)
}

/// Returns the top-level conditions all of whose fields are present, by their index.
fn checks_of(game: &Game, fields: &[usize]) -> Vec<usize> {
    let has_all = |when: &Expr| top_fields(game, when).iter().all(|field| fields.contains(field));
    let checks = game.checks.iter().enumerate();
    let checks = checks.filter(|(_, check)| check.when.as_ref().is_none_or(has_all));
    checks.map(|(at, _)| at).collect()
}

/// Checks the action's own fields, which override top-level fields of the same name.
fn check_own<'g>(lowering: &mut Lowering<'g>, action: &'g ActionKind) {
    for field in &action.fields {
        check_field(lowering, field);
        check_record(lowering, &field.holds, 0);
        let value = unknown_field(lowering.scopes.game, field, 0);
        match lowering.scopes.game.field(&field.name.text) {
            Some(at) => lowering.scopes.fields[at] = Some((value, None)),
            None => lowering.scopes.own.push((&field.name.text, value, None)),
        }
    }
}

/// Checks that the goal of a decision is shown and is a number.
fn check_goals(lowering: &mut Lowering) {
    for choice in std::mem::take(&mut lowering.scopes.choices) {
        let shown =
            lowering.scopes.reported.iter().find(|shown| shown.name.text == choice.goal.text);
        let problem = match shown {
            None => format!("there is no `show {}`", choice.goal.text),
            Some(shown) if matches!(shown.kind, Kind::Word(_) | Kind::Row(_)) => {
                format!("`{}` is a word and has no mean", choice.goal.text)
            }
            Some(shown) if shown.keep => {
                kept_goal(&choice.goal, &mut lowering.emitter.faults);
                continue;
            }
            Some(_) => continue,
        };
        let known = lowering.scopes.reported.iter().map(|shown| shown.name.text.as_str());
        no_such(&choice.goal, problem, known, &mut lowering.emitter.faults);
    }
}

/// Returns warnings about decisions that know a choice of another side.
fn known_choices(game: &Game, lowering: &Lowering) -> Vec<LocatedFault> {
    let mut told = Faults::default();
    for (first, second) in lowering.emitter.program.knowing(&lowering.scopes.choices) {
        let line = line_of(&game.sources, &first.span).map_or(1, |(_, line)| line);
        let problem = format!("this choice knows the choice at line {line}");
        let help = "no die is rolled between the two: for simultaneous choices make the options \
                    fields and compare the cells";
        told.note(second.span.clone(), problem, help);
    }
    told.sorted()
}

/// Reports a goal that measures may read but no outcome contains.
fn kept_goal(goal: &Name, faults: &mut Faults) {
    let text = &goal.text;
    let problem = format!("`{text}` is only kept, and the goal of a choice must be shown");
    faults.note(goal.span.clone(), problem, format!("write `show {text}` for `keep {text}`"));
}

/// Returns the top-level fields that an expression names.
fn top_fields(game: &Game, expr: &Expr) -> Vec<usize> {
    let mut found = Vec::new();
    each_name(expr, &mut |name| {
        if let Some(Top::Field(at)) = game.names.get(name) {
            found.push(*at);
        }
    });
    found
}

/// Returns fields with everything that they need, in the order of the file.
fn with_needs(
    mut open: Vec<usize>,
    needs: &[Vec<usize>],
    is_shared: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut all = std::collections::BTreeSet::new();
    while let Some(field) = open.pop() {
        if all.insert(field) && is_shared(field) {
            open.extend(&needs[field]);
        }
    }
    all.into_iter().collect()
}

/// Checks that every example belongs to an action.
pub(crate) fn check_examples(game: &Game, faults: &mut Faults) {
    let known = || game.actions.iter().map(|action| action.name.text.as_str());
    for (name, ..) in &game.examples {
        if !known().any(|known| known == name.text) {
            no_such(name, format!("there is no action `{}`", name.text), known(), faults);
        }
    }
}
