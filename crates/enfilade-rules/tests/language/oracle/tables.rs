//! Tables: the cell that a row and a column meet in, and the value that is printed there.

use std::rc::Rc;

use enfilade_rules::syntax::ast::{Expr, ExprKind, TableDecl};

use super::value::Value;
use super::world::{Out, World, fault, senseless};

impl World<'_> {
    /// A cell of a table.
    pub fn look(
        &mut self,
        name: &str,
        table: &TableDecl,
        arguments: &[(Expr, Option<Expr>)],
    ) -> Out<Value> {
        let rows: Vec<&str> = table.rows.iter().map(|row| row.key.text.as_str()).collect();
        let columns: Vec<&str> = table.columns.iter().map(|key| key.text.as_str()).collect();
        let mut places = Vec::new();
        let mut otherwise = None;
        for ((key, shift), keys) in arguments.iter().zip([&rows, &columns]) {
            let key = match &key.kind {
                ExprKind::Name(name) if keys.contains(&name.as_str()) => {
                    Value::Word(Rc::default(), name.clone())
                }
                _ => self.eval(key)?,
            };
            let is_row = places.is_empty();
            let place = match found(table.exact || table.otherwise.is_some(), keys, &key) {
                Err(_) if is_row && let Some(row) = &table.otherwise => {
                    otherwise = Some(row);
                    0
                }
                place => place?,
            };
            let by = match shift {
                Some(shift) => self.number(shift)?,
                None => 0,
            };
            places.push((place as i64 + by).clamp(0, keys.len() as i64 - 1) as usize);
        }
        let column = if columns.is_empty() { 0 } else { places[1] };
        let row = otherwise.unwrap_or(&table.rows[places[0]]);
        let key = columns.get(column).copied().unwrap_or_default();
        let changed = self.changed(name, &row.key.text, key);
        let cell = changed.unwrap_or_else(|| row.cells[column].text.clone());
        let legend: Vec<(&str, &str)> = table
            .legend
            .iter()
            .map(|(pattern, name)| (pattern.text.as_str(), name.text.as_str()))
            .collect();
        Ok(self.cell(&cell, &legend))
    }

    /// What a printed cell is.
    pub fn cell(&self, cell: &str, legend: &[(&str, &str)]) -> Value {
        for (pattern, name) in legend {
            let number = match pattern.split_once('#') {
                None => (*pattern == cell).then_some(0),
                Some((before, after)) => cell
                    .strip_prefix(before)
                    .and_then(|rest| rest.strip_suffix(after))
                    .and_then(|digits| digits.parse().ok()),
            };
            if let Some(number) = number {
                return Value::Cell((*name).to_owned(), number);
            }
        }
        match cell {
            "-" => Value::Absent("the cell".to_owned()),
            "yes" | "no" => Value::Yes(cell == "yes"),
            _ => match cell.strip_prefix('d').unwrap_or(cell).parse() {
                Ok(number) => Value::Number(number),
                Err(_) => {
                    let word = self.word(cell);
                    word.unwrap_or_else(|| Value::Word(Rc::default(), cell.to_owned()))
                }
            },
        }
    }
}

/// The row or column of a key.
fn found(exact: bool, keys: &[&str], key: &Value) -> Out<usize> {
    let number = match key {
        Value::Number(number) => *number,
        Value::Word(_, word) | Value::Cell(word, _) => {
            let place = keys.iter().position(|key| key == word);
            return place.map_or_else(|| senseless(format!("no row for {word}")), Ok);
        }
        Value::Row(row) => {
            let place = keys.iter().position(|key| *key == row.name);
            return place.map_or_else(|| senseless(format!("no row for {}", row.name)), Ok);
        }
        other => return senseless(format!("{other:?} is no key")),
    };
    let bounds = keys.iter().map(|key| match key.split_once("..") {
        None => (key.parse().unwrap_or(i64::MAX), key.parse().unwrap_or(i64::MIN)),
        Some((low, high)) => (low.parse().unwrap_or(i64::MIN), high.parse().unwrap_or(i64::MAX)),
    });
    let bounds: Vec<(i64, i64)> = bounds.collect();
    if exact {
        let place = bounds.iter().position(|(low, high)| (*low..=*high).contains(&number));
        return place.map_or_else(|| fault(format!("{number} is not printed")), Ok);
    }
    Ok(bounds.iter().rposition(|(low, _)| *low <= number).unwrap_or(0))
}
