//! Names that lines read, assign and call, from the trees alone.

use rustc_hash::{FxHashMap, FxHashSet};

use super::action_facts::ColumnsReadAndChanged;
use super::game::{ResolvedRulebook, TopLevelMeaning};
use crate::syntax::ast::{Expr, ExprKind, PoolExpr, ShowMeasureOrCarryLine, Stmt, StmtKind};

/// Collects the names that an expression reads or calls.
pub(crate) fn collect_names_in_expr<'e>(expr: &'e Expr, names: &mut Vec<&'e str>) {
    visit_expr_and_descendants(expr, &mut |inner| {
        if let ExprKind::Name(name) = &inner.kind {
            names.push(name);
        }
    });
}

/// Visits the names in an expression with the members after them: `armour.front`.
pub fn visit_dotted_paths(expr: &Expr, take: &mut impl FnMut(String)) {
    // `a.b` is visited before `a`.
    visit_expr_and_descendants(expr, &mut |inner| {
        if let Some(path) = inner.as_path() {
            take(path);
        }
    });
}

/// Visits an expression and all its subexpressions.
pub fn visit_expr_and_descendants<'e>(expr: &'e Expr, take: &mut impl FnMut(&'e Expr)) {
    take(expr);
    let mut hand = |inner: &'e Expr| visit_expr_and_descendants(inner, take);
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::YesNo(_) | ExprKind::Name(_) => {}
        ExprKind::Member(inner, _)
        | ExprKind::RoundUp(inner)
        | ExprKind::Given(inner)
        | ExprKind::Minus(inner)
        | ExprKind::Not(inner) => hand(inner),
        ExprKind::Index(a, b) | ExprKind::Count(a, _, b) | ExprKind::Binary(_, a, b) => {
            hand(a);
            hand(b);
        }
        ExprKind::Call(_, arguments) => {
            let shifted = arguments.iter().map(|(argument, shift)| (argument, shift.as_ref()));
            shifted
                .flat_map(|(argument, shift)| [argument].into_iter().chain(shift))
                .for_each(hand);
        }
        ExprKind::Pool(pool) => visit_pool_exprs(pool, take),
        ExprKind::Sorted(of, list) => {
            list.iter().map(|list| &list.all).chain([&**of]).for_each(hand);
        }
        ExprKind::Kept(items, _, many) => {
            items.list_or_value_exprs().iter().chain([&**many]).for_each(hand)
        }
        ExprKind::Aggregate(summand, of) => {
            summand.as_deref().into_iter().chain(&of.when).chain([&of.all]).for_each(hand);
        }
        ExprKind::Conditional(when, then, other) => {
            [&**when, then].into_iter().chain(other.as_deref()).for_each(hand);
        }
    }
}

/// Visits the operands of a pool: number of dice, sides, kept dice, rerolled faces.
pub(crate) fn visit_pool_exprs<'e>(pool: &'e PoolExpr, take: &mut impl FnMut(&'e Expr)) {
    let mut hand = |expr: &'e Expr| visit_expr_and_descendants(expr, take);
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
pub(crate) fn has_changing_call(game: &ResolvedRulebook, expr: &Expr) -> bool {
    let mut has_call = false;
    visit_expr_and_descendants(expr, &mut |inner| {
        if let ExprKind::Call(name, _) = &inner.kind {
            let part = game.find_part(&name.text);
            has_call |=
                part.is_some_and(|(_, part)| part.params.iter().any(|(_, changes)| *changes));
        }
    });
    has_call
}

/// Visits the expressions of lines, and the targets that the lines assign.
pub fn visit_exprs_and_targets<'e>(
    lines: &'e [Stmt],
    take: &mut impl FnMut(&'e Expr),
    visit_target: &mut impl FnMut(&'e Expr),
) {
    for line in lines {
        match &line.kind {
            StmtKind::Assign(place, ..) => visit_target(place),
            StmtKind::Unread(names, _) => names.iter().for_each(&mut *visit_target),
            _ => {}
        }
        line.kind.own_exprs().into_iter().for_each(&mut *take);
        for block in line.kind.child_blocks() {
            visit_exprs_and_targets(block, take, visit_target);
        }
    }
}

/// Returns the name that an expression begins with.
pub(crate) fn name_expr_begins_with(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Member(of, _) | ExprKind::Index(of, _) => name_expr_begins_with(of),
        _ => None,
    }
}

/// Returns the names that lines assign, directly or through a part.
pub(crate) fn assigned_names<'e>(game: &ResolvedRulebook, lines: &'e [Stmt]) -> Vec<&'e str> {
    let mut names: Vec<&'e str> = Vec::new();
    let mut through: Vec<&'e str> = Vec::new();
    let mut take = |expr: &'e Expr| {
        visit_expr_and_descendants(expr, &mut |inner| {
            if let ExprKind::Call(name, arguments) = &inner.kind
                && let Some((_, part)) = game.find_part(&name.text)
            {
                let changed =
                    part.params.iter().zip(arguments).filter(|((_, changes), _)| *changes);
                through.extend(
                    changed.filter_map(|(_, (argument, _))| name_expr_begins_with(argument)),
                );
            }
        });
    };
    visit_exprs_and_targets(lines, &mut take, &mut |place| {
        names.extend(name_expr_begins_with(place))
    });
    names.extend(through);
    names
}

/// Returns the names that every part and every loop assigns, by the place of its first line.
pub fn assigned_names_by_block_start(game: &ResolvedRulebook) -> FxHashMap<usize, Vec<String>> {
    let mut names_by_block = FxHashMap::default();
    let bodies = game.parts.iter().map(|(_, part)| part.body.as_slice());
    let actions = game.actions.iter().map(|action| action.rule.body.as_slice());
    for body in bodies.chain(actions) {
        visit_blocks(body, &mut |lines| {
            if let Some(first) = lines.first() {
                let names = assigned_names(game, lines).into_iter().map(str::to_owned);
                names_by_block.insert(first.span.start, names.collect());
            }
        });
    }
    names_by_block
}

/// Visits lines, and the lines of every block within them.
fn visit_blocks<'e>(lines: &'e [Stmt], take: &mut impl FnMut(&'e [Stmt])) {
    take(lines);
    let blocks = lines.iter().flat_map(|line| line.kind.child_blocks());
    blocks.for_each(|block| visit_blocks(block, take));
}

/// Collects the columns of an action and of all parts that it calls; with `leaves` also those that
/// carried fields need.
pub fn collect_action_columns(
    game: &ResolvedRulebook,
    action: usize,
    leaves: bool,
) -> ColumnsReadAndChanged {
    let mut columns = ColumnsReadAndChanged::default();
    let rule = &game.actions[action].rule;
    let mut open: Vec<usize> = Vec::new();
    collect_columns_and_calls(game, &rule.body, &rule.shows, leaves, &mut columns, &mut open);
    let mut actions_seen = FxHashSet::default();
    while let Some(part) = open.pop() {
        if actions_seen.insert(part) {
            let part = &game.parts[part].1;
            collect_columns_and_calls(
                game,
                &part.body,
                &part.shows,
                leaves,
                &mut columns,
                &mut open,
            );
        }
    }
    columns.parts = actions_seen.into_iter().collect();
    columns.parts.sort_unstable();
    columns
}

/// Collects the columns that lines and shows read and change, and the parts that they call.
fn collect_columns_and_calls(
    game: &ResolvedRulebook,
    body: &[Stmt],
    shows: &[ShowMeasureOrCarryLine],
    leaves: bool,
    columns: &mut ColumnsReadAndChanged,
    called: &mut Vec<usize>,
) {
    let mut assigned_exprs: Vec<&Expr> = Vec::new();
    let mut read: Vec<&Expr> = Vec::new();
    visit_exprs_and_targets(body, &mut |expr| read.push(expr), &mut |place| {
        assigned_exprs.push(place)
    });
    for place in assigned_exprs {
        match &place.kind {
            ExprKind::Member(of, column) => {
                columns.changed.insert(column.text.clone());
                read.push(of);
            }
            _ => read.push(place),
        }
    }
    let reports = shows.iter().filter(|report| leaves || !does_report_only_carry(game, report));
    read.extend(reports.flat_map(ShowMeasureOrCarryLine::exprs_read_by_line));
    for expr in read {
        collect_expr_columns_and_calls(game, expr, columns, called);
    }
}

/// Returns whether a line only carries fields.
pub fn does_report_only_carry(game: &ResolvedRulebook, report: &ShowMeasureOrCarryLine) -> bool {
    let part = match report {
        ShowMeasureOrCarryLine::Carry { .. } => return true,
        ShowMeasureOrCarryLine::Call(call) => match &call.kind {
            ExprKind::Call(name, _) => game.find_part(&name.text),
            _ => None,
        },
        _ => None,
    };
    part.is_some_and(|(_, part)| {
        let mut shows = part.shows.iter();
        !part.shows.is_empty()
            && shows.all(|report| matches!(report, ShowMeasureOrCarryLine::Carry { .. }))
    })
}

/// Collects the columns that an expression reads, the parts that it calls, and the columns that
/// these change.
fn collect_expr_columns_and_calls(
    game: &ResolvedRulebook,
    expr: &Expr,
    columns: &mut ColumnsReadAndChanged,
    called: &mut Vec<usize>,
) {
    visit_expr_and_descendants(expr, &mut |inner| match &inner.kind {
        ExprKind::Member(_, column) => {
            columns.read.insert(column.text.clone());
        }
        ExprKind::Name(name) => {
            if let Some(TopLevelMeaning::Data(data)) = game.names.get(name) {
                columns.data.insert(*data as u16);
            }
        }
        ExprKind::Call(name, arguments) => {
            let Some((at, part)) = game.find_part(&name.text) else { return };
            called.push(at);
            for ((argument, _), (_, changes)) in arguments.iter().zip(&part.params) {
                if let (ExprKind::Member(_, column), true) = (&argument.kind, *changes) {
                    columns.changed.insert(column.text.clone());
                }
            }
        }
        _ => {}
    });
}

/// Visits the names that an expression reads.
pub fn visit_names_read<'e>(expr: &'e Expr, take: &mut impl FnMut(&'e str)) {
    let mut names = Vec::new();
    collect_names_in_expr(expr, &mut names);
    names.into_iter().for_each(take);
}

/// Visits the names tested with `given` in an expression, and whether they belong to a record.
pub fn visit_names_tested_as_given<'e>(expr: &'e Expr, take: &mut impl FnMut(&'e str, bool)) {
    visit_expr_and_descendants(expr, &mut |inner| {
        if let ExprKind::Given(of) = &inner.kind {
            match &of.kind {
                ExprKind::Name(name) => take(name, false),
                ExprKind::Member(_, column) => take(&column.text, true),
                _ => {}
            }
        }
    });
}

/// Visits the expressions of lines.
pub fn visit_exprs_of_nested_lines<'e>(lines: &'e [Stmt], take: &mut impl FnMut(&'e Expr)) {
    visit_exprs_and_targets(lines, take, &mut |_| {});
}
