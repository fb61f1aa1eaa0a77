//! Names that lines read, assign and call, from the trees alone.

use rustc_hash::{FxHashMap, FxHashSet};

use super::action_facts::Columns;
use super::game::Game;
use crate::syntax::ast::{Do, Expr, Pool, Report, Says, Stmt};

/// Collects the names that an expression reads or calls.
pub(crate) fn names<'e>(expr: &'e Expr, found: &mut Vec<&'e str>) {
    each_inner(expr, &mut |inner| {
        if let Says::Name(name) = &inner.what {
            found.push(name);
        }
    });
}

/// Visits the names in an expression with the members after them: `armour.front`.
pub fn each_path(expr: &Expr, take: &mut impl FnMut(String)) {
    // `a.b` is visited before `a`.
    each_inner(expr, &mut |inner| {
        if let Some(path) = inner.path() {
            take(path);
        }
    });
}

/// Visits an expression and all its subexpressions.
pub fn each_inner<'e>(expr: &'e Expr, take: &mut impl FnMut(&'e Expr)) {
    take(expr);
    let mut hand = |inner: &'e Expr| each_inner(inner, take);
    match &expr.what {
        Says::Number(_) | Says::Yes(_) | Says::Name(_) => {}
        Says::Column(inner, _)
        | Says::Up(inner)
        | Says::Given(inner)
        | Says::Minus(inner)
        | Says::Not(inner) => hand(inner),
        Says::Place(a, b) | Says::Count(a, _, b) | Says::Two(_, a, b) => {
            hand(a);
            hand(b);
        }
        Says::Call(_, arguments) => {
            let shifted = arguments.iter().map(|(argument, shift)| (argument, shift.as_ref()));
            shifted
                .flat_map(|(argument, shift)| [argument].into_iter().chain(shift))
                .for_each(hand);
        }
        Says::Pool(pool) => each_of_pool(pool, take),
        Says::Over(summand, of) => {
            summand.as_deref().into_iter().chain(&of.when).chain([&of.all]).for_each(hand);
        }
        Says::If(when, then, other) => {
            [&**when, then].into_iter().chain(other.as_deref()).for_each(hand);
        }
    }
}

/// Visits the operands of a pool: number of dice, sides, kept dice, rerolled faces.
pub(crate) fn each_of_pool<'e>(pool: &'e Pool, take: &mut impl FnMut(&'e Expr)) {
    let mut hand = |expr: &'e Expr| each_inner(expr, take);
    pool.count.iter().for_each(&mut hand);
    hand(&pool.sides);
    if let Some((_, keep)) = &pool.keep {
        hand(keep);
    }
    let again = pool.again.as_ref();
    for (from, to) in pool.reroll.iter().chain(again.map(|(faces, _)| faces)) {
        hand(from);
        to.iter().for_each(&mut hand);
    }
    if let Some((_, most)) = again {
        hand(most);
    }
}

/// Returns whether an expression calls a part that changes its arguments.
pub(crate) fn changes(game: &Game, expr: &Expr) -> bool {
    let mut found = false;
    each_inner(expr, &mut |inner| {
        if let Says::Call(name, _) = &inner.what {
            let part = game.part(&name.text);
            found |= part.is_some_and(|(_, part)| part.params.iter().any(|(_, changes)| *changes));
        }
    });
    found
}

/// Visits the expressions of lines, and the targets that the lines assign.
pub fn each_line<'e>(
    lines: &'e [Stmt],
    take: &mut impl FnMut(&'e Expr),
    given: &mut impl FnMut(&'e Expr),
) {
    for line in lines {
        match &line.what {
            Do::Set(place, ..) => given(place),
            Do::Unread(names, _) => names.iter().for_each(&mut *given),
            _ => {}
        }
        line.what.exprs().into_iter().for_each(&mut *take);
        for block in line.what.blocks() {
            each_line(block, take, given);
        }
    }
}

/// Returns the name that an expression begins with.
pub(crate) fn root(expr: &Expr) -> Option<&str> {
    match &expr.what {
        Says::Name(name) => Some(name),
        Says::Column(of, _) | Says::Place(of, _) => root(of),
        _ => None,
    }
}

/// Returns the names that lines assign, directly or through a part.
pub(crate) fn assigned<'e>(game: &Game, lines: &'e [Stmt]) -> Vec<&'e str> {
    let mut names: Vec<&'e str> = Vec::new();
    let mut through: Vec<&'e str> = Vec::new();
    let mut take = |expr: &'e Expr| {
        each_inner(expr, &mut |inner| {
            if let Says::Call(name, arguments) = &inner.what
                && let Some((_, part)) = game.part(&name.text)
            {
                let changed =
                    part.params.iter().zip(arguments).filter(|((_, changes), _)| *changes);
                through.extend(changed.filter_map(|(_, (argument, _))| root(argument)));
            }
        });
    };
    each_line(lines, &mut take, &mut |place| names.extend(root(place)));
    names.extend(through);
    names
}

/// Returns the names that every part and every loop assigns, by the place of its first line.
pub fn all_assigned(game: &Game) -> FxHashMap<usize, Vec<String>> {
    let mut found = FxHashMap::default();
    let bodies = game.parts.iter().map(|(_, part)| part.body.as_slice());
    let actions = game.actions.iter().map(|action| action.rule.body.as_slice());
    for body in bodies.chain(actions) {
        each_block(body, &mut |lines| {
            if let Some(first) = lines.first() {
                let names = assigned(game, lines).into_iter().map(str::to_owned);
                found.insert(first.span.start, names.collect());
            }
        });
    }
    found
}

/// Visits lines, and the lines of every block within them.
fn each_block<'e>(lines: &'e [Stmt], take: &mut impl FnMut(&'e [Stmt])) {
    take(lines);
    let blocks = lines.iter().flat_map(|line| line.what.blocks());
    blocks.for_each(|block| each_block(block, take));
}

/// Collects the columns of an action and of all parts that it calls; with `leaves` also those that
/// carried fields need.
pub fn columns(game: &Game, action: usize, leaves: bool) -> Columns {
    let mut columns = Columns::default();
    let rule = &game.actions[action].rule;
    let mut open: Vec<usize> = Vec::new();
    of_rule(game, &rule.body, &rule.shows, leaves, &mut columns, &mut open);
    let mut seen = FxHashSet::default();
    while let Some(part) = open.pop() {
        if seen.insert(part) {
            let part = &game.parts[part].1;
            of_rule(game, &part.body, &part.shows, leaves, &mut columns, &mut open);
        }
    }
    columns.parts = seen.into_iter().collect();
    columns.parts.sort_unstable();
    columns
}

/// Collects the columns that lines and shows read and change, and the parts that they call.
fn of_rule(
    game: &Game,
    body: &[Stmt],
    shows: &[Report],
    leaves: bool,
    columns: &mut Columns,
    called: &mut Vec<usize>,
) {
    let mut given: Vec<&Expr> = Vec::new();
    let mut read: Vec<&Expr> = Vec::new();
    each_line(body, &mut |expr| read.push(expr), &mut |place| given.push(place));
    for place in given {
        match &place.what {
            Says::Column(of, column) => {
                columns.changed.insert(column.text.clone());
                read.push(of);
            }
            _ => read.push(place),
        }
    }
    let told = shows.iter().filter(|report| leaves || !only_leaves(game, report));
    read.extend(told.flat_map(Report::exprs));
    for expr in read {
        of_expr(game, expr, columns, called);
    }
}

/// Returns whether a line only carries fields.
pub fn only_leaves(game: &Game, report: &Report) -> bool {
    let part = match report {
        Report::Carry { .. } => return true,
        Report::Call(call) => match &call.what {
            Says::Call(name, _) => game.part(&name.text),
            _ => None,
        },
        _ => None,
    };
    part.is_some_and(|(_, part)| {
        let mut shows = part.shows.iter();
        !part.shows.is_empty() && shows.all(|report| matches!(report, Report::Carry { .. }))
    })
}

/// Collects the columns that an expression reads, the parts that it calls, and the columns that
/// these change.
fn of_expr(game: &Game, expr: &Expr, columns: &mut Columns, called: &mut Vec<usize>) {
    each_inner(expr, &mut |inner| match &inner.what {
        Says::Column(_, column) => {
            columns.read.insert(column.text.clone());
        }
        Says::Call(name, arguments) => {
            let Some((at, part)) = game.part(&name.text) else { return };
            called.push(at);
            for ((argument, _), (_, changes)) in arguments.iter().zip(&part.params) {
                if let (Says::Column(_, column), true) = (&argument.what, *changes) {
                    columns.changed.insert(column.text.clone());
                }
            }
        }
        _ => {}
    });
}

/// Visits the names that an expression reads.
pub fn each_name<'e>(expr: &'e Expr, take: &mut impl FnMut(&'e str)) {
    let mut found = Vec::new();
    names(expr, &mut found);
    found.into_iter().for_each(take);
}

/// Visits the names tested with `given` in an expression, and whether they belong to a record.
pub fn each_given<'e>(expr: &'e Expr, take: &mut impl FnMut(&'e str, bool)) {
    each_inner(expr, &mut |inner| {
        if let Says::Given(of) = &inner.what {
            match &of.what {
                Says::Name(name) => take(name, false),
                Says::Column(_, column) => take(&column.text, true),
                _ => {}
            }
        }
    });
}

/// Visits the expressions of lines.
pub fn each_of_lines<'e>(lines: &'e [Stmt], take: &mut impl FnMut(&'e Expr)) {
    each_line(lines, take, &mut |_| {});
}
