//! Dice: what a pool of them shows, and how many of its faces pass a test.

use std::collections::BTreeMap;

use enfilade_rules::syntax::ast::{
    Expr, ExprKind, FilteredListExpr, HighestOrLowestOperand, ItemPickOrder, Operator, PoolExpr,
    Stmt, SymbolDiceToThrow,
};

use super::expr::{compare, small};
use super::value::Value;
use super::world::{Out, World, fault, senseless};

/// Dice that are rolled together.
struct Roll {
    count: i64,
    sides: i64,
    tens: bool,
    reroll: Option<(i64, i64)>,
    again: Option<((i64, i64), i64)>,
    as_one: bool,
}

impl<'f> World<'f> {
    /// Dice; with a test, how many of them pass it.
    pub fn pool(&mut self, pool: &PoolExpr, test: Option<(Operator, &Expr)>) -> Out<Value> {
        let count = match &pool.count {
            Some(count) => self.number(count)?,
            None => 1,
        };
        let sides = self.number(&pool.sides)?;
        let keep = match &pool.keep {
            Some((high, keep)) => Some((*high, self.number(keep)?)),
            None => None,
        };
        let reroll = match &pool.reroll {
            Some(faces) => Some(self.faces(faces)?),
            None => None,
        };
        let again = match &pool.again {
            Some((faces, most)) => Some((self.faces(faces)?, self.number(most)?)),
            None => None,
        };
        let test = match test {
            Some((op, than)) => Some((op, self.eval(than)?)),
            None => None,
        };
        let roll = Roll { count, sides, tens: pool.tens, reroll, again, as_one: pool.adds_to_die };
        let mut faces = self.rolled(&roll)?;
        if let Some((high, keep)) = keep {
            faces.sort_unstable();
            if high {
                faces.reverse();
            }
            faces.truncate(keep.max(0) as usize);
        }
        let mut total = 0;
        for face in faces {
            total += match &test {
                Some((op, than)) => i64::from(compare(*op, &Value::Number(face), than)?),
                None => face,
            };
        }
        small(total)
    }

    /// The numbers of the dice, one by one.
    fn rolled(&mut self, roll: &Roll) -> Out<Vec<i64>> {
        if roll.count > 255 {
            return fault(format!("{} dice", roll.count));
        }
        let mut shown = Vec::new();
        for _ in 0..roll.count {
            let mut face = self.throw(roll.sides, roll.tens)?;
            if roll.reroll.is_some_and(|(low, high)| low <= face && face <= high) {
                face = self.throw(roll.sides, roll.tens)?;
            }
            shown.push(face);
            if let Some(((low, high), most)) = roll.again {
                let mut more = 0;
                while low <= face && face <= high && more < most {
                    face = self.throw(roll.sides, roll.tens)?;
                    match (roll.as_one, shown.last_mut()) {
                        (true, Some(die)) => *die += face,
                        _ => shown.push(face),
                    }
                    more += 1;
                }
            }
        }
        Ok(shown)
    }

    /// `sorted 3d6`, `sorted xs`, `sorted d(s) for s in xs`.
    pub fn sorted(&mut self, of: &Expr, list: Option<&FilteredListExpr>) -> Out<Value> {
        let mut values = match (&of.kind, list) {
            (_, Some(list)) => {
                let Value::List(sizes) = self.eval(&list.all)? else {
                    return senseless("dice of no list");
                };
                let mut values = Vec::new();
                for size in sizes {
                    self.make(&list.name.text, size)?;
                    values.push(self.number(of)?);
                }
                self.frame().names.remove(&list.name.text);
                values
            }
            (ExprKind::Pool(pool), None) => {
                let count = match &pool.count {
                    Some(count) => self.number(count)?,
                    None => 1,
                };
                let sides = self.number(&pool.sides)?;
                let reroll = pool.reroll.as_ref().map(|faces| self.faces(faces)).transpose()?;
                let again = match &pool.again {
                    Some((faces, most)) => Some((self.faces(faces)?, self.number(most)?)),
                    None => None,
                };
                let as_one = pool.adds_to_die;
                self.rolled(&Roll { count, sides, tens: pool.tens, reroll, again, as_one })?
            }
            (_, None) => self.numbers(of)?,
        };
        values.sort_unstable_by(|a, b| b.cmp(a));
        Ok(Value::List(values.into_iter().map(Value::Number).collect()))
    }

    /// The numbers of a list.
    fn numbers(&mut self, list: &Expr) -> Out<Vec<i64>> {
        let Value::List(values) = self.eval(list)? else {
            return senseless("no list");
        };
        let number = |value: Value| match value {
            Value::Number(number) => Ok(number),
            other => senseless(format!("{other:?} is no number")),
        };
        values.into_iter().map(number).collect()
    }

    /// `xs high 2`, `[d8, d10] low 1`.
    pub fn best(
        &mut self,
        items: &HighestOrLowestOperand,
        highest: bool,
        many: &Expr,
    ) -> Out<Value> {
        let many = self.number(many)?;
        let mut values = match items {
            HighestOrLowestOperand::List(list) => self.numbers(list)?,
            HighestOrLowestOperand::Values(values) => {
                let mut found = Vec::new();
                for value in values {
                    found.push(self.number(value)?);
                }
                found
            }
        };
        values.sort_unstable();
        if highest {
            values.reverse();
        }
        small(values.into_iter().take(many.max(0) as usize).sum())
    }

    /// A throw of dice with symbols: anew, with the symbols of all these dice, or to what is there.
    pub fn thrown(&mut self, place: &Expr, how: i8, dice: &[SymbolDiceToThrow]) -> Out<Value> {
        let known = match &place.kind {
            ExprKind::Name(name) => self.frame().names.get(name).cloned(),
            _ => return senseless("a throw has a name"),
        };
        let before = known.map(|slot| self.read(&slot)).transpose()?;
        let mut shown = match before {
            Some(Value::Throw(shown)) => shown,
            Some(other) => return senseless(format!("{other:?} is no throw")),
            None => BTreeMap::new(),
        };
        if how == 0 {
            shown.values_mut().for_each(|number| *number = 0);
        }
        for thrown in dice {
            let count = thrown.count.as_ref().map_or(Ok(1), |count| self.number(count))?;
            let Some(die) = self.book.dice.get(thrown.die.text.as_str()).copied() else {
                return senseless(format!("there is no die {}", thrown.die.text));
            };
            for symbol in die.iter().flat_map(|face| &face.symbols) {
                shown.entry(symbol.text.clone()).or_insert(0);
            }
            let sides = die.iter().map(|face| face.count).sum();
            for _ in 0..count {
                let mut face = self.die(sides)?;
                let shows = die.iter().find(|known| {
                    face -= known.count;
                    face <= 0
                });
                for symbol in &shows.expect("a face of the die").symbols {
                    *shown.entry(symbol.text.clone()).or_insert(0) += 1;
                }
            }
        }
        Ok(Value::Throw(shown))
    }

    /// A place of a list by lot, as often as its number says.
    pub fn draw(
        &mut self,
        values: &[Value],
        of: &'f FilteredListExpr,
        by: &'f ItemPickOrder,
        body: &'f [Stmt],
    ) -> Out<()> {
        let ItemPickOrder::Random = by else { return senseless("a pick from no bag") };
        let mut places = Vec::new();
        for (at, value) in (1..).zip(values) {
            self.make(&of.name.text, Value::Number(at))?;
            if let Some(when) = &of.when
                && !self.holds(when)?
            {
                continue;
            }
            match value {
                Value::Number(count @ 0..) => places.extend(vec![at; *count as usize]),
                Value::Number(_) => return fault("fewer than none"),
                other => return senseless(format!("{other:?} cannot be drawn by")),
            }
        }
        let taken = match places.len() {
            0 => return Ok(()),
            1 => 0,
            101.. => return fault("more than 100 to draw from"),
            count => self.die(count as i64)? as usize - 1,
        };
        self.make(&of.name.text, Value::Number(places[taken]))?;
        self.block(body)
    }

    fn faces(&mut self, faces: &(Expr, Option<Expr>)) -> Out<(i64, i64)> {
        let low = self.number(&faces.0)?;
        let high = match &faces.1 {
            Some(high) => self.number(high)?,
            None => low,
        };
        Ok((low, high))
    }

    fn throw(&mut self, sides: i64, tens: bool) -> Out<i64> {
        match tens {
            true => Ok(10 * self.die(6)? + self.die(6)?),
            false => self.die(sides),
        }
    }

    /// `count(dice >= 4)`, `count(list is x)`.
    pub fn count(&mut self, of: &Expr, op: Operator, than: &Expr) -> Out<Value> {
        if let ExprKind::Pool(pool) = &of.kind {
            return self.pool(pool, Some((op, than)));
        }
        let Value::List(values) = self.eval(of)? else {
            return senseless("a count of no list");
        };
        let first = values.first().cloned().unwrap_or(Value::Number(0));
        let than = self.beside(&first, than)?;
        let mut count = 0;
        for value in values {
            count += i64::from(compare(op, &value, &than)?);
        }
        Ok(Value::Number(count))
    }
}
