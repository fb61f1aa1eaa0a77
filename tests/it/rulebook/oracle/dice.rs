//! Dice: what a pool of them shows, and how many of its faces pass a test.

use enfilade::rulebook::syntax::ast::{Expr, ExprKind, Operator, PoolExpr};

use super::expr::{compare, small};
use super::value::Value;
use super::world::{Out, World, fault, senseless};

impl World<'_> {
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
        if count > 255 {
            return fault(format!("{count} dice"));
        }
        let mut faces = Vec::new();
        for _ in 0..count {
            let mut face = self.throw(sides, pool.tens)?;
            if reroll.is_some_and(|(low, high)| low <= face && face <= high) {
                face = self.throw(sides, pool.tens)?;
            }
            faces.push(face);
            if let Some(((low, high), most)) = again {
                let mut more = 0;
                while low <= face && face <= high && more < most {
                    face = self.throw(sides, pool.tens)?;
                    faces.push(face);
                    more += 1;
                }
            }
        }
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
