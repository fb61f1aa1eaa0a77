//! What an action can come to: which columns its lines read and which they change.

use std::collections::{HashMap, HashSet};

use enfilade_rules::syntax::ast::{
    ActionDecl, AssignedValue, Expr, ExprKind, ItemPickOrder, PartDecl, PoolExpr,
    ShowMeasureOrCarryLine, Stmt, StmtKind,
};

/// Names behind a dot, by what is done with them.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    pub read: HashSet<String>,
    pub changed: HashSet<String>,
    seen: HashSet<String>,
}

impl Reach {
    pub fn of(action: &ActionDecl, parts: &HashMap<&str, &PartDecl>) -> Reach {
        let mut reach = Reach::default();
        reach.block(&action.body, parts);
        reach.reports(&action.shows, parts);
        reach
    }

    fn block(&mut self, block: &[Stmt], parts: &HashMap<&str, &PartDecl>) {
        for stmt in block {
            self.stmt(stmt, parts);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, parts: &HashMap<&str, &PartDecl>) {
        match &stmt.kind {
            StmtKind::If(arms, last) => {
                for (when, body) in arms {
                    self.expr(when, parts);
                    self.block(body, parts);
                }
                self.block(last, parts);
            }
            StmtKind::For(_, from, to, _, body) => {
                self.expr(from, parts);
                self.expr(to, parts);
                self.block(body, parts);
            }
            StmtKind::Each(of, body) => {
                self.expr(&of.all, parts);
                of.when.iter().for_each(|when| self.expr(when, parts));
                self.block(body, parts);
            }
            StmtKind::Pick(of, by, body) => {
                self.expr(&of.all, parts);
                of.when.iter().for_each(|when| self.expr(when, parts));
                if let ItemPickOrder::Key(_, key) = by {
                    self.expr(key, parts);
                }
                self.block(body, parts);
            }
            StmtKind::Repeat(body) => self.block(body, parts),
            StmtKind::Match(value, arms, last) => {
                self.expr(value, parts);
                arms.iter().for_each(|arm| self.block(&arm.body, parts));
                last.iter().for_each(|body| self.block(body, parts));
            }
            StmtKind::Choose(choose) => {
                choose.exprs().into_iter().for_each(|e| self.expr(e, parts));
                choose.options.iter().for_each(|option| self.block(&option.body, parts));
            }
            StmtKind::Assign(place, how, value) => self.set(place, *how, value, parts),
            StmtKind::Call(call) | StmtKind::Give(call) => self.expr(call, parts),
            StmtKind::Tally(_, amount) => amount.iter().for_each(|e| self.expr(e, parts)),
            StmtKind::Stop | StmtKind::End | StmtKind::Note(_) | StmtKind::Unread(..) => {}
        }
    }

    fn set(
        &mut self,
        place: &Expr,
        how: i8,
        value: &AssignedValue,
        parts: &HashMap<&str, &PartDecl>,
    ) {
        match &place.kind {
            ExprKind::Member(of, name) => {
                self.changed.insert(name.text.clone());
                self.expr(of, parts);
                if how != 0 {
                    self.read.insert(name.text.clone());
                }
            }
            _ => self.expr(place, parts),
        }
        match value {
            AssignedValue::One(one) => self.expr(one, parts),
            AssignedValue::Throw(_) => {
                value.contained_exprs().into_iter().for_each(|e| self.expr(e, parts))
            }
            AssignedValue::Repeated(count, one) => {
                self.expr(count, parts);
                self.expr(one, parts);
            }
            AssignedValue::List(all) => all.iter().for_each(|e| self.expr(e, parts)),
            AssignedValue::Bag(of, with, _) => {
                self.expr(of, parts);
                with.iter().for_each(|(_, e)| self.expr(e, parts));
            }
        }
    }

    fn reports(&mut self, reports: &[ShowMeasureOrCarryLine], parts: &HashMap<&str, &PartDecl>) {
        for report in reports {
            match report {
                ShowMeasureOrCarryLine::Show { value, when, .. } => {
                    value.iter().chain(when).for_each(|e| self.expr(e, parts));
                }
                ShowMeasureOrCarryLine::Measure { figures, .. } => {
                    report.exprs_read_by_line().into_iter().for_each(|e| self.expr(e, parts));
                    let factors = figures.iter().flat_map(|figure| &figure.scale);
                    factors.for_each(|(e, _)| self.expr(e, parts));
                }
                // What is left for other actions is no part of how this one ends.
                ShowMeasureOrCarryLine::Carry { .. } => {}
                ShowMeasureOrCarryLine::Call(call) => self.expr(call, parts),
            }
        }
    }

    fn expr(&mut self, expr: &Expr, parts: &HashMap<&str, &PartDecl>) {
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::YesNo(_) | ExprKind::Name(_) => {}
            ExprKind::Member(of, name) => {
                self.read.insert(name.text.clone());
                self.expr(of, parts);
            }
            ExprKind::Call(name, arguments) => self.call(&name.text, arguments, parts),
            ExprKind::Pool(pool) => self.pool(pool, parts),
            ExprKind::Aggregate(summand, of) => {
                let rest = summand.as_deref().into_iter().chain(&of.when);
                rest.for_each(|e| self.expr(e, parts));
                self.expr(&of.all, parts);
            }
            ExprKind::Sorted(of, list) => {
                self.expr(of, parts);
                list.iter().for_each(|list| self.expr(&list.all, parts));
            }
            ExprKind::Kept(items, _, many) => {
                items.list_or_value_exprs().iter().for_each(|e| self.expr(e, parts));
                self.expr(many, parts);
            }
            ExprKind::RoundUp(one)
            | ExprKind::Given(one)
            | ExprKind::Minus(one)
            | ExprKind::Not(one) => {
                self.expr(one, parts);
            }
            ExprKind::Index(one, two)
            | ExprKind::Count(one, _, two)
            | ExprKind::Binary(_, one, two) => {
                self.expr(one, parts);
                self.expr(two, parts);
            }
            ExprKind::Conditional(when, yes, no) => {
                self.expr(when, parts);
                self.expr(yes, parts);
                no.iter().for_each(|e| self.expr(e, parts));
            }
        }
    }

    fn call(
        &mut self,
        name: &str,
        arguments: &[(Expr, Option<Expr>)],
        parts: &HashMap<&str, &PartDecl>,
    ) {
        let part = parts.get(name);
        for (place, (argument, shift)) in arguments.iter().enumerate() {
            let changes = part.is_some_and(|part| part.params.get(place).is_some_and(|p| p.1));
            if let (true, ExprKind::Member(_, column)) = (changes, &argument.kind) {
                self.changed.insert(column.text.clone());
            }
            self.expr(argument, parts);
            shift.iter().for_each(|e| self.expr(e, parts));
        }
        if let Some(part) = part
            && self.seen.insert(name.to_owned())
        {
            self.block(&part.body, parts);
            self.reports(&part.shows, parts);
        }
    }

    fn pool(&mut self, pool: &PoolExpr, parts: &HashMap<&str, &PartDecl>) {
        let faces = |faces: &(Expr, Option<Expr>)| {
            let (first, last) = faces.clone();
            std::iter::once(first).chain(last).collect::<Vec<_>>()
        };
        let mut all = vec![pool.sides.clone()];
        all.extend(pool.count.clone());
        all.extend(pool.keep.iter().map(|(_, e)| e.clone()));
        all.extend(pool.reroll.iter().flat_map(faces));
        if let Some((on, most)) = &pool.again {
            all.extend(faces(on));
            all.push(most.clone());
        }
        all.iter().for_each(|e| self.expr(e, parts));
    }
}
