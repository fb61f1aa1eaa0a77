//! What is wrong with a game: every default, condition, rule, example and price looked at once.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::code::Program;
use super::fault::Faults;
use super::found::{Found, Held};
use super::game::{ActionKind, FieldKind, Game, Holds, Top};
use super::kind::{Kind, STORED};
use super::tree::{Check, Default, Expr, Report, Said, Says};
use super::unknown::unknown_field;
use super::walk::{Thrift, Walker, Why, columns, each_name};
use crate::form::Words;
use crate::shared::Text;

/// Walks over a rule until what changes in its bags is known; then it may be anything.
const WALKS: usize = 4;

/// Lines of a `price` block.
const PRICE: [&str; 11] = [
    "attack", "weapon", "cost", "target", "losses", "of", "distance", "nerve", "morale", "shaken",
    "unnerved",
];

/// Notes which columns each rule reads and changes, and which fields somebody asks for.
pub(super) fn note_columns(game: &mut Game) {
    let mut asked = Vec::new();
    each_expr(game, &mut |expr| {
        super::walk::each_given(expr, &mut |name, inside| asked.push((name.to_owned(), inside)))
    });
    game.asked_for.extend(asked);
    game.assigned = super::walk::all_assigned(game);
    let all = 0..game.actions.len();
    game.columns = all.map(|action| columns(game, action)).collect();
}

/// Hands every expression of a rulebook on.
pub(super) fn each_expr<'g>(game: &'g Game, take: &mut impl FnMut(&'g Expr)) {
    let bodies = game.parts.iter().map(|(_, part)| (&part.body, &part.shows));
    let actions = game.actions.iter().map(|action| (&action.rule.body, &action.rule.shows));
    for (body, shows) in bodies.chain(actions) {
        super::walk::each_of_lines(body, take);
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

/// By field at the top: other fields that its default, its record or its conditions need.
pub(super) fn check_fields(game: &Game, faults: &mut Faults) -> Vec<Vec<usize>> {
    let mut needs = Vec::new();
    let mut walker = Walker::new(game, Why::Check, Thrift::default());
    for (at, field) in game.fields.iter().enumerate() {
        walker.read.clear();
        if let Holds::Record(_) | Holds::List(..) = &field.holds {
            walker.fields[at] = Some((unknown_field(game, field, 0), None));
        }
        check_field(&mut walker, field);
        check_record(&mut walker, &field.holds, 0);
        walker.fields[at] = Some((unknown_field(game, field, 0), None));
        needs.push(walker.read.drain().filter(|other| *other != at).collect());
    }
    for check in &game.checks {
        check_check(&mut walker, check);
    }
    faults.extend(walker.faults);
    needs
}

pub(super) fn check_check<'g>(walker: &mut Walker<'g>, check: &'g Check) {
    let own = walker.own.len();
    if let Some((name, list)) = &check.over {
        let first = walker.items_of(list).into_iter().next();
        if first.is_none() {
            let problem = "a `for` here goes over a list of the contest";
            walker.faults.note(list.span.clone(), problem, "");
        }
        walker.own.extend(first.map(|first| (name.text.as_str(), first, None)));
    }
    if let Some(when) = &check.when {
        walker.no_dice_in(when, if check.remark { "remark" } else { "check" });
        walker.number_of(when, Kind::YesNo);
    }
    walker.check_sentence(&check.text);
    walker.check_sentence(&check.help);
    walker.own.truncate(own);
    begin_again(walker);
}

fn begin_again(walker: &mut Walker) {
    walker.begin_again();
    walker.program = Program::default();
}

/// Defaults and conditions of a record, with what stands above them in it.
pub(super) fn check_record<'g>(walker: &mut Walker<'g>, holds: &'g Holds, depth: usize) {
    let record = match holds {
        Holds::Record(record) => *record,
        Holds::List(_, _, of) => return check_record(walker, of, depth),
        _ => return,
    };
    if depth > 8 {
        return;
    }
    let game = walker.game;
    let own = walker.own.len();
    for field in &game.records[record].fields {
        check_field(walker, field);
        check_record(walker, &field.holds, depth + 1);
        let value = unknown_field(game, field, 0);
        walker.own.push((&field.name.text, value, None));
    }
    for check in &game.records[record].checks {
        check_check(walker, check);
    }
    walker.own.truncate(own);
}

/// The default of a field: of its kind, and within its bounds.
pub(super) fn check_field<'g>(walker: &mut Walker<'g>, field: &'g FieldKind) {
    match (&field.default, &field.holds) {
        (Some(Default::One(value)), Holds::List(lo, _, of)) => {
            let problem = match matches!(**of, Holds::Record(_)) {
                true => "a list of records begins empty: `= []`".to_owned(),
                false => format!("a list of {lo} was expected, such as `[1, 2]`"),
            };
            walker.faults.note(value.span.clone(), problem, "");
        }
        (Some(Default::List(items, span)), Holds::List(lo, hi, of)) => {
            let has = items.len() as i64;
            if has < *lo && !(has == 0 && matches!(**of, Holds::Record(_))) || has > *hi {
                let problem = format!("the list has {lo} to {hi} places, and here are {has}");
                walker.faults.note(span.clone(), problem, "");
            }
            for item in items {
                check_default(walker, of, item);
            }
        }
        (Some(Default::List(_, span)), holds) if !matches!(holds, Holds::Marks(_)) => {
            walker.faults.note(span.clone(), "a list cannot stand here", "");
        }
        (Some(Default::One(value)), holds) => check_default(walker, holds, value),
        _ => {}
    }
}

pub(super) fn check_default<'g>(walker: &mut Walker<'g>, holds: &'g Holds, value: &'g Expr) {
    let game = walker.game;
    if let (Holds::Row(data), Says::Name(name)) = (holds, &value.what) {
        if game.row(*data, name).is_none() {
            let block = &game.data[usize::from(*data)];
            let help = super::game::near(name, block.rows.iter().map(|row| row.text.as_str()));
            let problem = format!("there is no `{name}` in `{}`", block.name);
            walker.faults.note(value.span.clone(), problem, help);
        }
        return;
    }
    if let (Holds::Die(..), Says::Pool(_), None) = (holds, &value.what, value.die()) {
        let problem = "a default is one die, such as `d8`";
        walker.faults.note(value.span.clone(), problem, "how many are rolled is another field");
        return;
    }
    let (want, bounds) = match holds {
        Holds::Number(range) => (range.kind, Some((range.lo, range.hi))),
        Holds::Die(lo, hi, _) => (Kind::Number, Some((*lo, *hi))),
        Holds::OneOf(_) => (Kind::Number, None),
        Holds::Row(data) => (Kind::Row(*data), None),
        _ => return,
    };
    let known = match (&value.what, holds) {
        (Says::Pool(_), Holds::Die(..)) => value.die(),
        _ => {
            walker.no_dice_in(value, "default");
            let known = walker.number_of(value, want).0;
            begin_again(walker);
            known
        }
    };
    let known = known.filter(|_| !matches!(want, Kind::Word(_) | Kind::YesNo));
    if let (Some(known), Some((lo, hi))) = (known, bounds)
        && !(lo..=hi).contains(&known)
    {
        walker.faults.note(value.span.clone(), format!("{known} is not in {lo}..{hi}"), "");
    }
    if let (Some(known), Holds::OneOf(numbers)) = (known, holds)
        && !numbers.contains(&known)
    {
        let numbers: Vec<_> = numbers.iter().map(ToString::to_string).collect();
        let problem = format!("{known} is not {}", crate::form::one_of(&numbers));
        walker.faults.note(value.span.clone(), problem, "");
    }
}

/// Walks over an action until what changes in its bags is known.
pub(super) fn check_action(
    game: &Game,
    at: usize,
    needs: &[Vec<usize>],
    faults: &mut Faults,
) -> Found {
    let action = &game.actions[at];
    let mut seen = FxHashMap::default();
    let mut walk = 0;
    loop {
        let mut walker = Walker::new(game, Why::Check, Thrift::default());
        for (at, field) in game.fields.iter().enumerate() {
            walker.fields[at] = Some((unknown_field(game, field, 0), None));
        }
        walker.seen = Cow::Owned(seen.clone());
        walker.columns = game.columns.get(at);
        check_own(&mut walker, action);
        let hangs = action.checks.iter().map(|check| hanging(&mut walker, check));
        let mut hangs: Vec<_> = hangs.collect();
        walker.action(&action.rule.body, &action.rule.shows);
        walk += 1;
        if *walker.seen != seen && walker.faults.is_empty() {
            seen = std::mem::take(&mut walker.seen).into_owned();
            if walk >= WALKS {
                seen.values_mut().for_each(|range| *range = STORED);
            }
            if walk <= WALKS {
                continue;
            }
        }
        check_goals(&mut walker);
        let mut read: Vec<usize> = walker.read.iter().copied().collect();
        // Its own fields too, where they take the place of one at the top.
        let own = action.fields.iter();
        read.extend(own.filter_map(|own| game.field(&own.name.text)));
        for check in action.checks.iter().filter_map(|check| check.when.as_ref()) {
            read.extend(top_fields(game, check));
        }
        // Conditions of the parts that it comes by.
        let parts = game.columns.get(at).into_iter();
        let parts = parts.flat_map(|columns| &columns.parts);
        for check in parts.flat_map(|part| &game.parts[*part].1.checks) {
            hangs.push(hanging(&mut walker, check));
            let exprs = check.when.iter().chain(check.over.iter().map(|(_, list)| list));
            exprs.for_each(|expr| read.extend(top_fields(game, expr)));
        }
        // A condition holds for whoever reads one of its fields, and then needs them all.
        for check in game.checks.iter().filter_map(|check| check.when.as_ref()) {
            let named = top_fields(game, check);
            if named.iter().any(|field| walker.read.contains(field)) {
                read.extend(named);
            }
        }
        let grows = walker.grows.iter().map(|name| Text::from(name.clone()));
        let grows = Words::from(grows.collect::<Vec<_>>());
        let tallies = walker.tallies;
        faults.extend(walker.faults);
        let fields = with_needs(read, needs, |at| {
            // What one at the top needs is not needed by the action's own in its place.
            !action.instead.contains(&Some(at))
        });
        let (checks, hangs) = (checks_of(game, &fields), hangs.into_iter().collect());
        return Found { tallies, checks, hangs, held: Held::default(), fields, grows, seen };
    }
}

/// Looks at a condition: its place, and the fields at the top that it hangs on.
fn hanging<'g>(walker: &mut Walker<'g>, check: &'g Check) -> (usize, Vec<usize>) {
    let before = std::mem::take(&mut walker.read);
    check_check(walker, check);
    let hangs = walker.read.iter().copied().collect();
    walker.read.extend(before);
    (check.span.start, hangs)
}

/// Conditions at the top of which all fields are there, by their place.
fn checks_of(game: &Game, fields: &[usize]) -> Vec<usize> {
    let has_all = |when: &Expr| top_fields(game, when).iter().all(|field| fields.contains(field));
    let checks = game.checks.iter().enumerate();
    let checks = checks.filter(|(_, check)| check.when.as_ref().is_none_or(has_all));
    checks.map(|(at, _)| at).collect()
}

pub(super) fn check_own<'g>(walker: &mut Walker<'g>, action: &'g ActionKind) {
    for field in &action.fields {
        check_field(walker, field);
        check_record(walker, &field.holds, 0);
        let value = unknown_field(walker.game, field, 0);
        match walker.game.field(&field.name.text) {
            Some(at) => walker.fields[at] = Some((value, None)),
            None => walker.own.push((&field.name.text, value, None)),
        }
    }
}

/// What a player decides for is shown, and is a number.
pub(super) fn check_goals(walker: &mut Walker) {
    for choice in std::mem::take(&mut walker.choices) {
        let shown = walker.reported.iter().find(|shown| shown.name.text == choice.goal.text);
        let problem = match shown {
            None => format!("there is no `show {}`", choice.goal.text),
            Some(shown) if matches!(shown.kind, Kind::Word(_) | Kind::Row(_)) => {
                format!("`{}` is a word and has no mean", choice.goal.text)
            }
            Some(_) => continue,
        };
        let known = walker.reported.iter().map(|shown| shown.name.text.as_str());
        let help = super::game::near(&choice.goal.text, known);
        walker.faults.note(choice.goal.span, problem, help);
    }
}

pub(super) fn top_fields(game: &Game, expr: &Expr) -> Vec<usize> {
    let mut found = Vec::new();
    each_name(expr, &mut |name| {
        if let Some(Top::Field(at)) = game.names.get(name) {
            found.push(*at);
        }
    });
    found
}

/// Fields with all that they need, in the order of the file.
pub(super) fn with_needs(
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

pub(super) fn check_examples(game: &Game, faults: &mut Faults) {
    let known = || game.actions.iter().map(|action| action.name.text.as_str());
    for (name, ..) in &game.examples {
        if !known().any(|known| known == name.text) {
            let problem = format!("there is no action `{}`", name.text);
            faults.note(name.span.clone(), problem, super::game::near(&name.text, known()));
        }
    }
}

pub(super) fn check_price(game: &Game, faults: &mut Faults) {
    if game.price.is_empty() {
        return;
    }
    let said = |key: &str| game.price.iter().find(|(name, _)| name.text == key).map(|(_, of)| of);
    let start = game.price[0].0.span.clone();
    // How many there are stands in the counts of a list of records, where no field says it.
    for key in ["attack", "weapon", "target", "losses"] {
        if said(key).is_none() {
            let problem = format!("`price` does not say which is its `{key}`");
            faults.note(start.clone(), problem, format!("add a line `{key} NAME`"));
        }
    }
    for (key, with) in
        [("nerve", "morale"), ("morale", "nerve"), ("shaken", "nerve"), ("unnerved", "nerve")]
    {
        if said(key).is_some() && said(with).is_none() {
            let problem = format!("`price` says `{key}` and not its `{with}`");
            faults.note(start.clone(), problem, format!("add a line `{with} NAME`"));
        }
    }
    for (key, of) in &game.price {
        if !PRICE.contains(&key.text.as_str()) {
            let help = super::game::near(&key.text, PRICE);
            faults.note(key.span.clone(), format!("`price` has no line `{}`", key.text), help);
            continue;
        }
        let fault = match key.text.as_str() {
            "attack" | "morale" => {
                let known: Vec<&str> = game.actions.iter().map(|a| a.name.text.as_str()).collect();
                (!known.contains(&of.text.as_str())).then_some(("action", known))
            }
            "losses" | "nerve" => {
                let attack = said("attack").and_then(|attack| {
                    game.actions.iter().find(|action| action.name.text == attack.text)
                });
                let shows = attack.map_or(Vec::new(), |action| shown_names(game, action));
                let shown = shows.iter().find(|(name, _)| *name == of.text);
                if shown.is_some_and(|(_, said)| said.harm < 0 && key.text == "losses") {
                    let problem = format!("`{}` is a gain, and losses are harm", of.text);
                    faults.note(
                        of.span.clone(),
                        problem,
                        "name the `show` of what the target loses",
                    );
                }
                let names = shows.iter().map(|(name, _)| *name).collect();
                shown.is_none().then_some(("show", names))
            }
            "cost" => {
                let columns =
                    said("weapon").map_or(Vec::new(), |weapon| columns_under(game, &weapon.text));
                (!columns.contains(&of.text.as_str())).then_some(("column", columns))
            }
            _ => {
                let fields: Vec<&str> = game
                    .fields
                    .iter()
                    .chain(game.actions.iter().flat_map(|action| &action.fields))
                    .chain(game.records.iter().flat_map(|record| &record.fields))
                    .map(|field| field.name.text.as_str())
                    .collect();
                let last = of.text.rsplit('.').next().unwrap_or_default();
                (!fields.contains(&last)).then_some(("field", fields))
            }
        };
        if let Some((what, known)) = fault {
            let problem = format!("there is no {what} `{}`", of.text);
            faults.note(of.span.clone(), problem, super::game::near(&of.text, known));
        }
    }
}

/// What an action shows: names, and what is said of each.
fn shown_names<'g>(game: &'g Game, action: &'g ActionKind) -> Vec<(&'g str, &'g Said)> {
    let parts = game.parts.iter().flat_map(|(_, part)| &part.shows);
    let shows = action.rule.shows.iter().chain(parts);
    let shows = shows.filter_map(|report| match report {
        Report::Show { name, said, .. } => Some((name.text.as_str(), said)),
        _ => None,
    });
    shows.collect()
}

/// Columns of the data, or fields of the record, that a field holds.
pub(super) fn columns_under<'g>(game: &'g Game, field: &str) -> Vec<&'g str> {
    let fields = game.fields.iter().chain(game.actions.iter().flat_map(|action| &action.fields));
    let holds = fields.filter(|known| known.name.text == field).map(|known| &known.holds);
    let mut columns = Vec::new();
    for holds in holds {
        match holds {
            Holds::Row(data) => {
                columns.extend(game.data[usize::from(*data)].columns.iter().map(String::as_str));
            }
            Holds::Record(record) => {
                let fields = &game.records[*record].fields;
                columns.extend(fields.iter().map(|field| field.name.text.as_str()));
            }
            _ => {}
        }
    }
    columns
}
