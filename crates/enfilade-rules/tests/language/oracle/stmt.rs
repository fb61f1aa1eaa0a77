//! Statements and what is reported after them.

use std::collections::BTreeMap;
use std::rc::Rc;

use enfilade_rules::syntax::ast::{
    AssignedValue as Given, Expr, ExprKind, Ident, ItemPickOrder, MeasureTermExpr,
    ShowMeasureOrCarryLine, Stmt, StmtKind,
};

use super::expr::Members;
use super::value::{Record, Value};
use super::world::{Bag, Halt, Hold, Out, Slot, Thing, World, fault, fits, senseless};
use super::{Measured, Of};

impl<'f> World<'f> {
    /// Plays the action to its end.
    pub fn play(&mut self) -> Out<super::Report> {
        let action = self.book.action.expect("it was found");
        match self.block(&action.body) {
            Ok(()) | Err(Halt::End) => {}
            Err(other) => return Err(other),
        }
        self.holds.clear();
        self.frames.truncate(1);
        self.reports(&action.shows)?;
        Ok(std::mem::take(&mut self.report))
    }

    pub fn block(&mut self, block: &'f [Stmt]) -> Out<()> {
        block.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &'f Stmt) -> Out<()> {
        self.line()?;
        match &stmt.kind {
            StmtKind::If(arms, last) => {
                for (when, body) in arms {
                    if self.holds(when)? {
                        return self.block(body);
                    }
                }
                self.block(last)
            }
            StmtKind::For(name, from, to, down, body) => {
                let (from, to) = (self.number(from)?, self.number(to)?);
                let places: Vec<i64> = match down {
                    true => (to..=from).rev().collect(),
                    false => (from..=to).collect(),
                };
                for place in places {
                    self.make(&name.text, Value::Number(place))?;
                    if !self.turn(body)? {
                        break;
                    }
                }
                Ok(())
            }
            StmtKind::Each(of, body) => match self.members(&of.all)? {
                Members::Values(values) => {
                    self.each_value(&of.name, values, of.when.as_ref(), body)
                }
                Members::Bag(bag) => self.each_thing(bag, &of.name, of.when.as_ref(), body),
            },
            StmtKind::Pick(of, by, body) => match self.members(&of.all)? {
                Members::Bag(bag) => self.pick(bag, &of.name, of.when.as_ref(), by, body),
                Members::Values(values) => self.draw(&values, of, by, body),
            },
            StmtKind::Repeat(body) => loop {
                self.line()?;
                if !self.turn(body)? {
                    return Ok(());
                }
            },
            StmtKind::Match(value, arms, last) => {
                let value = self.eval(value)?;
                let (word, number) = match &value {
                    Value::Word(_, word) => (word.clone(), 0),
                    Value::Cell(word, number) => (word.clone(), *number),
                    Value::Row(row) => (row.name.clone(), 0),
                    other => return senseless(format!("a match of {other:?}")),
                };
                for arm in arms {
                    if arm.words.iter().any(|known| known.text == word) {
                        if let Some(name) = &arm.number {
                            self.make(&name.text, Value::Number(number))?;
                        }
                        return self.block(&arm.body);
                    }
                }
                match last {
                    Some(body) => self.block(body),
                    None => senseless(format!("nothing is said for {word}")),
                }
            }
            StmtKind::Choose(choose) => self.choose(choose),
            StmtKind::Assign(place, how, value) => self.set(place, *how, value),
            StmtKind::Call(call) => self.do_call(call),
            StmtKind::Stop => Err(Halt::Stop),
            StmtKind::End => Err(Halt::End),
            StmtKind::Give(value) => {
                let value = self.eval(value)?;
                fits(&value)?;
                Err(Halt::Give(value))
            }
            StmtKind::Tally(name, amount) => {
                let amount = amount.as_ref().map_or(Ok(1), |amount| self.number(amount))?;
                *self.tallies.entry(name.text.clone()).or_default() += amount;
                Ok(())
            }
            StmtKind::Note(_) => Ok(()),
            StmtKind::Unread(..) => panic!("a rulebook that is played could be read"),
        }
    }

    /// One turn of a loop; whether it goes on.
    fn turn(&mut self, body: &'f [Stmt]) -> Out<bool> {
        let holds = self.holds.len();
        match self.block(body) {
            Ok(()) => Ok(true),
            Err(Halt::Stop) => {
                self.holds.truncate(holds);
                Ok(false)
            }
            Err(other) => Err(other),
        }
    }

    fn each_value(
        &mut self,
        name: &Ident,
        values: Vec<Value>,
        when: Option<&Expr>,
        body: &'f [Stmt],
    ) -> Out<()> {
        for value in values {
            self.make(&name.text, value)?;
            if when.map_or(Ok(true), |when| self.holds(when))? && !self.turn(body)? {
                break;
            }
        }
        Ok(())
    }

    fn each_thing(
        &mut self,
        bag: usize,
        name: &Ident,
        when: Option<&Expr>,
        body: &'f [Stmt],
    ) -> Out<()> {
        let visited = vec![false; self.bags[bag].things.len()];
        self.holds.push(Hold { bag, visited, current: None });
        let own = self.holds.len() - 1;
        while let Some(thing) = self.next_thing(bag, own) {
            self.holds[own].visited[thing] = true;
            self.holds[own].current = Some(thing);
            self.make(&name.text, Value::Thing(bag, thing))?;
            if when.map_or(Ok(true), |when| self.holds(when))? && !self.turn(body)? {
                break;
            }
        }
        self.holds.truncate(own);
        Ok(())
    }

    /// The first thing that the loop has not visited: by row of the contest, then by what changes;
    /// of things that are alike in all that, the one that no outer loop holds.
    fn next_thing(&self, bag: usize, own: usize) -> Option<usize> {
        let open =
            (0..self.bags[bag].things.len()).filter(|thing| !self.holds[own].visited[*thing]);
        open.min_by(|a, b| {
            let things = &self.bags[bag].things;
            let rows = things[*a].row.cmp(&things[*b].row);
            rows.then_with(|| self.changes(bag, *a).cmp(&self.changes(bag, *b)))
                .then_with(|| self.marks(bag, *a, own).cmp(&self.marks(bag, *b, own)))
        })
    }

    fn changes(&self, bag: usize, thing: usize) -> Vec<Option<i64>> {
        let bag = &self.bags[bag];
        let now = &bag.things[thing].now;
        bag.changes.iter().map(|name| now[name].shown()).collect()
    }

    /// How the loops outside of `own` hold a thing: not yet visited, visited, or current.
    fn marks(&self, bag: usize, thing: usize, own: usize) -> Vec<u8> {
        let outer = self.holds[..own].iter().filter(|hold| hold.bag == bag);
        let mark = |hold: &Hold| match hold.current == Some(thing) {
            true => 2,
            false => u8::from(hold.visited[thing]),
        };
        outer.map(mark).collect()
    }

    fn pick(
        &mut self,
        bag: usize,
        name: &Ident,
        when: Option<&Expr>,
        by: &'f ItemPickOrder,
        body: &'f [Stmt],
    ) -> Out<()> {
        let mut found = Vec::new();
        for thing in 0..self.bags[bag].things.len() {
            self.make(&name.text, Value::Thing(bag, thing))?;
            if when.map_or(Ok(true), |when| self.holds(when))? {
                let key = match by {
                    ItemPickOrder::Random => 0,
                    ItemPickOrder::Key(highest, key) => {
                        let key = self.number(key)?;
                        if *highest { -key } else { key }
                    }
                };
                found.push((key, thing));
            }
        }
        let own = self.holds.len();
        found.sort_by(|(a, one), (b, two)| {
            let things = &self.bags[bag].things;
            let read = |thing: &usize| -> Vec<Option<i64>> {
                things[*thing].read.iter().flat_map(Value::order).collect()
            };
            a.cmp(b)
                .then_with(|| read(one).cmp(&read(two)))
                .then_with(|| self.changes(bag, *one).cmp(&self.changes(bag, *two)))
                .then_with(|| self.marks(bag, *one, own).cmp(&self.marks(bag, *two, own)))
        });
        let taken = match (by, found.len()) {
            (_, 0) => return Ok(()),
            (ItemPickOrder::Random, 2..) => self.die(found.len() as i64)? as usize - 1,
            _ => 0,
        };
        let thing = found[taken].1;
        self.make(&name.text, Value::Thing(bag, thing))?;
        let visited = vec![false; self.bags[bag].things.len()];
        self.holds.push(Hold { bag, visited, current: Some(thing) });
        self.block(body)?;
        self.holds.truncate(own);
        Ok(())
    }

    fn set(&mut self, place: &Expr, how: i8, value: &'f Given) -> Out<()> {
        let value = match value {
            Given::Bag(of, with, _) => self.bag(of, with)?,
            Given::List(all) => {
                let mut values = Vec::new();
                for one in all {
                    values.push(self.eval(one)?);
                }
                Value::List(values)
            }
            Given::Throw(dice) => self.thrown(place, how, dice)?,
            Given::Repeated(count, value) => {
                let count = self.number(count)?;
                let value = self.eval(value)?;
                if !(1..=100).contains(&count) {
                    return fault(format!("a list of {count}"));
                }
                Value::List(vec![value; count as usize])
            }
            Given::One(expr) if how != 0 => {
                let before = self.number(place)?;
                let sum = before + i64::from(how) * self.number(expr)?;
                Value::Number(sum)
            }
            Given::One(expr) => match self.known_slot(place)? {
                Some(slot) => {
                    let before = self.read(&slot)?;
                    self.beside(&before, expr)?
                }
                None => self.eval(expr)?,
            },
        };
        match &place.kind {
            ExprKind::Name(name) if !self.frame().names.contains_key(name) => {
                self.make(name, value)
            }
            _ => {
                let slot = self.slot(place)?;
                self.write(&slot, value)
            }
        }
    }

    /// The variable of a name, if there is one: words of its list come first behind `=`.
    fn known_slot(&mut self, place: &Expr) -> Out<Option<Slot>> {
        Ok(match &place.kind {
            ExprKind::Name(name) => self.frame().names.get(name).cloned(),
            ExprKind::Member(..) => Some(self.slot(place)?),
            _ => None,
        })
    }

    fn bag(&mut self, of: &Expr, with: &'f [(Ident, Expr)]) -> Out<Value> {
        let source = self.eval(of)?;
        let mut start: Vec<(String, Value)> = Vec::new();
        for (name, value) in with {
            let value = self.eval(value)?;
            fits(&value)?;
            start.push((name.text.clone(), value));
        }
        let things = match source {
            Value::Number(count) => {
                let thing = Thing {
                    row: 0,
                    record: None,
                    read: Vec::new(),
                    now: start.iter().cloned().collect(),
                };
                vec![thing; count.max(0) as usize]
            }
            Value::Records(records) => self.things(records, &mut start),
            other => return senseless(format!("a bag of {other:?}")),
        };
        self.bags.push(Bag { changes: start.into_iter().map(|(name, _)| name).collect(), things });
        Ok(Value::Bag(self.bags.len() - 1))
    }

    /// A thing of each record. What some line changes is copied into it.
    fn things(&mut self, records: Vec<Rc<Record>>, start: &mut Vec<(String, Value)>) -> Vec<Thing> {
        let reach = &self.book.reach;
        let names = records.first().map_or(&[][..], |record| record.fields.as_slice());
        let names: Vec<String> = names.iter().map(|(name, _)| name.clone()).collect();
        let own = |name: &&String| !start.iter().any(|(known, _)| known == *name);
        let changed = names.iter().filter(|name| reach.changed.contains(*name)).filter(own);
        let changed: Vec<String> = changed.cloned().collect();
        // What a thing begins with tells its row from others, where it is read.
        let read = names.into_iter().filter(|name| reach.read.contains(name));
        let read: Vec<String> = read.collect();
        let mut things = Vec::new();
        for record in &records {
            let alike = |known: &&Rc<Record>| World::rows_alike(known, record, &read);
            let row = records.iter().position(|known| alike(&known));
            let now: BTreeMap<String, Value> = start.iter().cloned().collect();
            let copied = changed.iter().map(|name| (name.clone(), record.get(name).cloned()));
            let copied = copied.filter_map(|(name, value)| value.map(|value| (name, value)));
            things.push(Thing {
                row: row.expect("it is like itself"),
                record: Some(record.clone()),
                read: read.iter().filter_map(|name| record.get(name).cloned()).collect(),
                now: now.into_iter().chain(copied).collect(),
            });
        }
        let empty = |name: String| (name, Value::Number(0));
        start.extend(changed.into_iter().map(empty));
        things
    }

    fn do_call(&mut self, call: &Expr) -> Out<()> {
        let ExprKind::Call(name, arguments) = &call.kind else {
            return senseless("no call");
        };
        match self.book.parts.get(name.text.as_str()).copied() {
            Some(part) => self.perform(part, arguments).map(drop),
            None => senseless(format!("there is no part {}", name.text)),
        }
    }

    /// The lines after a rule.
    pub fn reports(&mut self, reports: &'f [ShowMeasureOrCarryLine]) -> Out<()> {
        for report in reports {
            match report {
                ShowMeasureOrCarryLine::Show { name, value, when, keep, .. } => {
                    if let Some(when) = when
                        && !self.holds(when)?
                    {
                        continue;
                    }
                    let value = match value {
                        Some(value) => self.eval(value)?,
                        None => {
                            let what = ExprKind::Name(name.text.clone());
                            let span = name.span.clone();
                            self.eval(&Expr { span, kind: what })?
                        }
                    };
                    fits(&value)?;
                    if value.shown().is_none() {
                        return senseless(format!("{value:?} cannot be shown"));
                    }
                    let shown = match keep {
                        true => &mut self.report.kept,
                        false => &mut self.report.shows,
                    };
                    shown.push((name.text.clone(), value));
                }
                ShowMeasureOrCarryLine::Measure { name, figures, given, .. } => {
                    let given = given.as_ref().map(|(condition, _)| condition);
                    self.measure(&name.text, figures, given)?
                }
                ShowMeasureOrCarryLine::Carry { .. } => {}
                ShowMeasureOrCarryLine::Call(call) => self.do_call(call)?,
            }
        }
        Ok(())
    }

    /// A measure sees what is shown before all else.
    fn measure(
        &mut self,
        name: &str,
        figures: &[MeasureTermExpr],
        given: Option<&Expr>,
    ) -> Out<()> {
        let mut names = self.frame().names.clone();
        let ends = || Slot::Own(Rc::new(Value::Yes(true).into()));
        names.entry("ends".to_owned()).or_insert_with(ends);
        let shown = self.report.shows.iter().chain(&self.report.kept);
        for (name, value) in shown {
            names.insert(name.clone(), Slot::Own(Rc::new(value.clone().into())));
        }
        let before = std::mem::replace(&mut self.frame().names, names);
        let is_met = given.map_or(Ok(true), |condition| self.holds(condition))?;
        let (mut weights, mut scales) = (Vec::new(), Vec::new());
        for figure in figures {
            weights.push(if is_met { self.weight(figure)? } else { 0 });
            scales.push(self.scale_of(&figure.scale)?);
        }
        self.frame().names = before;
        let measured = match (weights.as_slice(), scales.as_slice()) {
            (_, _) if !is_met => Measured { weight: None, scale: (1, 1), of: Of::Mean },
            ([weight], [scale]) => {
                Measured { weight: Some(*weight), scale: *scale, of: Of::figure(&figures[0]) }
            }
            _ => {
                let all: i128 = scales.iter().map(|(_, over)| over).product();
                let parts = figures.iter().zip(&weights).zip(&scales);
                let part = |((figure, weight), (times, over)): (
                    (&MeasureTermExpr, &i64),
                    &(i128, i128),
                )| {
                    let sign = if figure.is_subtracted { -1 } else { 1 };
                    sign * i128::from(*weight) * times * (all / over)
                };
                let sum: i128 = parts.map(part).sum();
                Measured { weight: Some(sum as i64), scale: (1, all), of: Of::Mean }
            }
        };
        // The scale of a measure is the same in every trial.
        let scale = if is_met { measured.scale } else { self.whole_scale(&scales) };
        let of = if figures.len() == 1 { Of::figure(&figures[0]) } else { Of::Mean };
        self.report.measures.push((name.to_owned(), Measured { scale, of, ..measured }));
        Ok(())
    }

    fn whole_scale(&self, scales: &[(i128, i128)]) -> (i128, i128) {
        match scales {
            [scale] => *scale,
            _ => (1, scales.iter().map(|(_, over)| over).product()),
        }
    }

    /// The number of one figure in this trial.
    fn weight(&mut self, figure: &MeasureTermExpr) -> Out<i64> {
        let tally = match &figure.value.kind {
            ExprKind::Name(name) if !self.frame().names.contains_key(name) => self.tally_of(name),
            _ => None,
        };
        match (figure.of.text.as_str(), tally) {
            (_, Some(total)) => Ok(total),
            ("chance", None) => Ok(i64::from(self.holds(&figure.value)?)),
            (_, None) => self.number(&figure.value),
        }
    }

    fn scale_of(&mut self, factors: &[(Expr, bool)]) -> Out<(i128, i128)> {
        let mut fraction = (1, 1);
        for (factor, over) in factors {
            let factor = i128::from(self.number(factor)?);
            match over {
                true => fraction.1 *= factor,
                false => fraction.0 *= factor,
            }
        }
        Ok(fraction)
    }

    /// A tally, which is 0 before it is first counted; `None` for what is none.
    fn tally_of(&self, name: &str) -> Option<i64> {
        let field = self.book.top.contains_key(name) || self.book.own.contains_key(name);
        (!field).then(|| self.tallies.get(name).copied().unwrap_or(0))
    }
}
