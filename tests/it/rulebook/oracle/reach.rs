//! What an action can come to: which columns its lines read and which they change.

use std::collections::{HashMap, HashSet};

use enfilade::rulebook::syntax::ast::{
    Action, By, Do, Expr, Part, Pool, Report, Says, Stmt, Value,
};

/// Names behind a dot, by what is done with them.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    pub read: HashSet<String>,
    pub changed: HashSet<String>,
    seen: HashSet<String>,
}

impl Reach {
    pub fn of(action: &Action, parts: &HashMap<&str, &Part>) -> Reach {
        let mut reach = Reach::default();
        reach.block(&action.body, parts);
        reach.reports(&action.shows, parts);
        reach
    }

    fn block(&mut self, block: &[Stmt], parts: &HashMap<&str, &Part>) {
        for stmt in block {
            self.stmt(stmt, parts);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, parts: &HashMap<&str, &Part>) {
        match &stmt.what {
            Do::If(arms, last) => {
                for (when, body) in arms {
                    self.expr(when, parts);
                    self.block(body, parts);
                }
                self.block(last, parts);
            }
            Do::For(_, from, to, _, body) => {
                self.expr(from, parts);
                self.expr(to, parts);
                self.block(body, parts);
            }
            Do::Each(of, body) => {
                self.expr(&of.all, parts);
                of.when.iter().for_each(|when| self.expr(when, parts));
                self.block(body, parts);
            }
            Do::Pick(of, by, body) => {
                self.expr(&of.all, parts);
                of.when.iter().for_each(|when| self.expr(when, parts));
                if let By::Key(_, key) = by {
                    self.expr(key, parts);
                }
                self.block(body, parts);
            }
            Do::Repeat(body) => self.block(body, parts),
            Do::Match(value, arms, last) => {
                self.expr(value, parts);
                arms.iter().for_each(|arm| self.block(&arm.body, parts));
                last.iter().for_each(|body| self.block(body, parts));
            }
            Do::Choose(.., options) => {
                options.iter().for_each(|(_, body)| self.block(body, parts));
            }
            Do::Set(place, how, value) => self.set(place, *how, value, parts),
            Do::Call(call) | Do::Give(call) => self.expr(call, parts),
            Do::Tally(_, amount) => amount.iter().for_each(|e| self.expr(e, parts)),
            Do::Stop | Do::End | Do::Note(_) | Do::Unread(..) => {}
        }
    }

    fn set(&mut self, place: &Expr, how: i8, value: &Value, parts: &HashMap<&str, &Part>) {
        match &place.what {
            Says::Column(of, name) => {
                self.changed.insert(name.text.clone());
                self.expr(of, parts);
                if how != 0 {
                    self.read.insert(name.text.clone());
                }
            }
            _ => self.expr(place, parts),
        }
        match value {
            Value::One(one) => self.expr(one, parts),
            Value::List(all) => all.iter().for_each(|e| self.expr(e, parts)),
            Value::Bag(of, with, _) => {
                self.expr(of, parts);
                with.iter().for_each(|(_, e)| self.expr(e, parts));
            }
        }
    }

    fn reports(&mut self, reports: &[Report], parts: &HashMap<&str, &Part>) {
        for report in reports {
            match report {
                Report::Show { value, when, .. } => {
                    value.iter().chain(when).for_each(|e| self.expr(e, parts));
                }
                Report::Measure { figures, .. } => {
                    report.exprs().into_iter().for_each(|e| self.expr(e, parts));
                    let factors = figures.iter().flat_map(|figure| &figure.scale);
                    factors.for_each(|(e, _)| self.expr(e, parts));
                }
                // What is left for other actions is no part of how this one ends.
                Report::Carry { .. } => {}
                Report::Call(call) => self.expr(call, parts),
            }
        }
    }

    fn expr(&mut self, expr: &Expr, parts: &HashMap<&str, &Part>) {
        match &expr.what {
            Says::Number(_) | Says::Yes(_) | Says::Name(_) => {}
            Says::Column(of, name) => {
                self.read.insert(name.text.clone());
                self.expr(of, parts);
            }
            Says::Call(name, arguments) => self.call(&name.text, arguments, parts),
            Says::Pool(pool) => self.pool(pool, parts),
            Says::Over(summand, of) => {
                let rest = summand.as_deref().into_iter().chain(&of.when);
                rest.for_each(|e| self.expr(e, parts));
                self.expr(&of.all, parts);
            }
            Says::Up(one) | Says::Given(one) | Says::Minus(one) | Says::Not(one) => {
                self.expr(one, parts);
            }
            Says::Place(one, two) | Says::Count(one, _, two) | Says::Two(_, one, two) => {
                self.expr(one, parts);
                self.expr(two, parts);
            }
            Says::If(when, yes, no) => {
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
        parts: &HashMap<&str, &Part>,
    ) {
        let part = parts.get(name);
        for (place, (argument, shift)) in arguments.iter().enumerate() {
            let changes = part.is_some_and(|part| part.params.get(place).is_some_and(|p| p.1));
            if let (true, Says::Column(_, column)) = (changes, &argument.what) {
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

    fn pool(&mut self, pool: &Pool, parts: &HashMap<&str, &Part>) {
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
