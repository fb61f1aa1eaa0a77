//! From a table of TOML to the fields of a contest.

use std::collections::BTreeMap;
use std::rc::Rc;

use enfilade_rules::syntax::ast::{
    ActionDecl, AllowedWordOrNumber, CheckOrRemarkDecl, DataRowsDecl, DeclarationKind, DefaultExpr,
    Expr, ExprKind, FieldDecl, FieldOrCheckLine, RulebookAst, TypeExpr,
};
use toml::Value as Toml;

use super::value::{Record, Row, Value};
use super::world::{Halt, Out, Slot, World, senseless};

fn refused<T>(what: impl Into<String>) -> Out<T> {
    Err(Halt::Refused(what.into()))
}

/// `-` and `_` are one in a contest.
fn plain(name: &str) -> String {
    name.replace('-', "_").to_lowercase()
}

fn given<'t>(table: &'t toml::Table, name: &str) -> Option<&'t Toml> {
    let mut entries = table.iter();
    entries.find(|(key, _)| plain(key) == plain(name)).map(|(_, value)| value)
}

impl<'f> World<'f> {
    /// The fields of the action and those on top that it may read, then the checks.
    pub fn fill(
        &mut self,
        file: &'f RulebookAst,
        action: &'f ActionDecl,
        contest: &toml::Table,
    ) -> Out<()> {
        self.choices(file, action);
        for declared in &file.declarations {
            if let DeclarationKind::Field(field) = &declared.kind {
                // The action's own of that name stands in its place.
                let mut own = action.items.iter().filter_map(of_item);
                let own = own.find(|(name, _)| *name == declared.name.text);
                let field = own.map_or(field, |(_, field)| field);
                let value = self.field(&declared.name.text, field, contest)?;
                self.known().top.insert(declared.name.text.clone(), value);
            }
        }
        for item in &action.items {
            if let FieldOrCheckLine::Field(name, field) = item {
                let value = self.field(&name.text, field, contest)?;
                self.known().own.insert(name.text.clone(), value);
            }
        }
        for declared in &file.declarations {
            if let DeclarationKind::Check(check) = &declared.kind {
                self.check(check)?;
            }
        }
        for item in &action.items {
            if let FieldOrCheckLine::Check(check) = item {
                self.check(check)?;
            }
        }
        Ok(())
    }

    /// The words of fields are lists of their own.
    fn choices(&mut self, file: &RulebookAst, action: &ActionDecl) {
        let mut fields = Vec::new();
        for declared in &file.declarations {
            match &declared.kind {
                DeclarationKind::Field(field) => fields.push((declared.name.text.clone(), field)),
                DeclarationKind::Record(items) => fields.extend(items.iter().filter_map(of_item)),
                _ => {}
            }
        }
        fields.extend(action.items.iter().filter_map(of_item));
        for (name, field) in fields {
            let list = choice_words(&field.kind);
            if !list.is_empty() {
                self.known().words.push((format!(".{name}"), Rc::new(list)));
            }
        }
    }

    fn check(&mut self, check: &CheckOrRemarkDecl) -> Out<()> {
        // What is held for each of a list is not asked here: no sample breaks it.
        if check.remark || check.over.is_some() {
            return Ok(());
        }
        let Some(when) = &check.when else {
            return Ok(());
        };
        match self.eval(when)? {
            Value::Yes(true) => Ok(()),
            Value::Yes(false) => {
                refused(check.text.iter().map(|(text, _)| text.as_str()).collect::<String>())
            }
            other => senseless(format!("a check of {other:?}")),
        }
    }

    /// The value of a field: what the contest gives, else its default, else nothing.
    fn field(&mut self, name: &str, field: &FieldDecl, contest: &toml::Table) -> Out<Value> {
        if let Some(value) = given(contest, name) {
            return self.read_toml(name, &field.kind, value);
        }
        if let TypeExpr::Record(marks) = &field.kind
            && self.book.marks.contains_key(marks.text.as_str())
        {
            return Ok(match &field.default {
                Some(DefaultExpr::List(values, _)) => {
                    let texts = values.iter().filter_map(|value| match &value.kind {
                        ExprKind::Name(text) => Some(text.as_str()),
                        _ => None,
                    });
                    self.specials(&marks.text, texts)
                }
                _ => Value::Absent(name.to_owned()),
            });
        }
        match (&field.default, &field.kind) {
            (Some(DefaultExpr::One(expr)), kind) => {
                let value = self.preset(kind, expr)?;
                self.within(name, kind, value)
            }
            (Some(DefaultExpr::List(values, _)), TypeExpr::List(_, _, of, _)) => {
                let values = values.iter().map(|expr| {
                    let value = self.preset(of, expr)?;
                    self.within(name, of, value)
                });
                Ok(Value::List(values.collect::<Out<_>>()?))
            }
            (None, TypeExpr::Record(_)) if !field.annotations.optional => {
                self.read_toml(name, &field.kind, &Toml::Table(toml::Table::new()))
            }
            _ => Ok(Value::Absent(name.to_owned())),
        }
    }

    /// A default; a word of the field's own comes first.
    fn preset(&mut self, kind: &TypeExpr, expr: &Expr) -> Out<Value> {
        if let ExprKind::Name(name) = &expr.kind {
            let words = choice_words(kind);
            if words.contains(name) {
                return Ok(Value::Word(Rc::new(words), name.clone()));
            }
            if let TypeExpr::DataRow(data) = kind
                && let Some(row) = self.row(&data.text, name)
            {
                return Ok(row);
            }
        }
        match (kind, &expr.kind) {
            // `d8` as a default is the number of its sides.
            (TypeExpr::Die(_), ExprKind::Pool(pool)) => self.eval(&pool.sides),
            _ => self.eval(expr),
        }
    }

    /// The value, if its kind may hold it.
    fn within(&self, name: &str, kind: &TypeExpr, value: Value) -> Out<Value> {
        let holds = match (kind, &value) {
            (_, Value::Absent(_)) => true,
            (TypeExpr::Range(low, high, _), Value::Number(n)) => (*low..=*high).contains(n),
            (TypeExpr::Die(bounds), Value::Number(n)) => {
                let (low, high, by) = bounds.unwrap_or((2, 100, 1));
                (low..=high).contains(n) && (n - low) % by == 0
            }
            (TypeExpr::Choice(choices), Value::Number(n)) => choices.iter().any(
                |choice| matches!(choice, AllowedWordOrNumber::Number(known, _) if known == n),
            ),
            (TypeExpr::Choice(_), Value::Word(_, word)) => {
                let words = choice_words(kind);
                let holds = words.contains(word);
                if holds {
                    return Ok(Value::Word(Rc::new(words), word.clone()));
                }
                false
            }
            (TypeExpr::YesNo, Value::Yes(_)) | (TypeExpr::DataRow(_), Value::Row(_)) => true,
            (TypeExpr::Record(_), Value::Record(_) | Value::Marks(_)) => true,
            (TypeExpr::List(..), Value::List(_) | Value::Records(_)) => true,
            _ => false,
        };
        match holds {
            true => Ok(value),
            false => refused(format!("{name} cannot be {value:?}")),
        }
    }

    fn read_toml(&mut self, name: &str, kind: &TypeExpr, toml: &Toml) -> Out<Value> {
        let value = match (kind, toml) {
            (TypeExpr::List(low, high, of, _), _) => {
                return self.several(name, (*low, *high), of, toml);
            }
            (TypeExpr::Record(record), Toml::Table(table)) => {
                return Ok(Value::Record(Rc::new(self.record(&record.text, table)?)));
            }
            (TypeExpr::Record(marks), Toml::Array(texts)) => {
                self.specials(&marks.text, texts.iter().filter_map(Toml::as_str))
            }
            (TypeExpr::DataRow(data), Toml::String(row)) => match self.row(&data.text, row) {
                Some(row) => row,
                None => return refused(format!("there is no {row}")),
            },
            (TypeExpr::DataRow(data), Toml::Table(table)) => self.own_row(&data.text, table)?,
            (TypeExpr::Choice(_), Toml::String(word)) => {
                let words = choice_words(kind);
                let found = words.iter().find(|known| plain(known) == plain(word)).cloned();
                match found {
                    Some(word) => Value::Word(Rc::new(words), word),
                    None => return refused(format!("{name} cannot be {word}")),
                }
            }
            (TypeExpr::Die(_), Toml::String(die)) => {
                match die.strip_prefix('d').and_then(|sides| sides.parse().ok()) {
                    Some(sides) => Value::Number(sides),
                    None => return refused(format!("{name} cannot be {die}")),
                }
            }
            (_, Toml::Integer(number)) => Value::Number(*number),
            (_, Toml::Boolean(yes)) => Value::Yes(*yes),
            _ => return refused(format!("{name} cannot be {toml}")),
        };
        self.within(name, kind, value)
    }

    fn several(
        &mut self,
        name: &str,
        bounds: (i64, i64),
        of: &TypeExpr,
        toml: &Toml,
    ) -> Out<Value> {
        let single = [toml.clone()];
        let all = match toml {
            Toml::Array(all) => all.as_slice(),
            _ => &single,
        };
        if !(bounds.0..=bounds.1).contains(&(all.len() as i64)) {
            return refused(format!("{name} has {} entries", all.len()));
        }
        let TypeExpr::Record(record) = of else {
            let values = all.iter().map(|toml| self.read_toml(name, of, toml));
            return Ok(Value::List(values.collect::<Out<_>>()?));
        };
        let mut records = Vec::new();
        for toml in all {
            let Toml::Table(table) = toml else {
                return refused(format!("{name} cannot be {toml}"));
            };
            let count = table.get("count").and_then(Toml::as_integer).unwrap_or(1);
            let one = Rc::new(self.record(&record.text, table)?);
            records.extend((0..count).map(|_| one.clone()));
        }
        Ok(Value::Records(records))
    }

    /// A record, its fields in order: a default may reckon with those above it.
    fn record(&mut self, name: &str, table: &toml::Table) -> Out<Record> {
        let Some(items) = self.book.records.get(name).copied() else {
            return senseless(format!("there is no record {name}"));
        };
        let mut record = Record::default();
        let outer = self.frame().names.clone();
        for item in items {
            match item {
                FieldOrCheckLine::Field(name, field) => {
                    let value = self.field(&name.text, field, table)?;
                    let slot = Slot::Own(Rc::new(value.clone().into()));
                    self.frame().names.insert(name.text.clone(), slot);
                    record.fields.push((name.text.clone(), value));
                }
                FieldOrCheckLine::Check(check) => self.check(check)?,
            }
        }
        self.frame().names = outer;
        Ok(record)
    }

    /// Row of a data block.
    pub fn row(&self, block: &str, name: &str) -> Option<Value> {
        let data = self.book.data.get(block)?;
        let row = data.rows.iter().find(|row| plain(&row.key.text) == plain(name))?;
        let mut cells = BTreeMap::new();
        for (head, cell) in data.heads.iter().zip(&row.cells) {
            let changed = self.changed(block, &row.key.text, &head.text);
            let text = changed.unwrap_or_else(|| cell.text.clone());
            let value = self.cell_of_column(data, &head.text, &text);
            cells.insert(head.text.clone(), value);
        }
        let name = row.key.text.clone();
        Some(Value::Row(Rc::new(Row { name, cells })))
    }

    /// What the contest says in place of a printed cell.
    pub fn changed(&self, block: &str, row: &str, column: &str) -> Option<String> {
        let row = self.book.changes.get(block)?.get(row)?;
        let cell = match row {
            Toml::Table(columns) => columns.get(column)?,
            cell => cell,
        };
        Some(match cell {
            Toml::String(text) => text.clone(),
            other => other.to_string(),
        })
    }

    fn cell_of_column(&self, data: &DataRowsDecl, head: &str, text: &str) -> Value {
        let marks = data.marks.iter().find(|(column, _)| column.text == head);
        match marks {
            Some((_, marks)) => self.specials(&marks.text, text.split(',')),
            None => self.cell(text, &[]),
        }
    }

    /// Printed specials; what no line explains is left out.
    fn specials<'t>(&self, list: &str, texts: impl Iterator<Item = &'t str>) -> Value {
        let lines = self.book.marks.get(list).copied().unwrap_or_default();
        let patterns = lines.iter();
        let patterns: Vec<(&str, &str)> =
            patterns.map(|(printed, name)| (printed.text.as_str(), name.text.as_str())).collect();
        let mut found = BTreeMap::new();
        for text in texts {
            if let Value::Cell(name, number) = self.cell(text.trim(), &patterns) {
                found.insert(name, number);
            }
        }
        Value::Marks(found)
    }

    /// A row with numbers of the contest's own.
    fn own_row(&self, data: &str, table: &toml::Table) -> Out<Value> {
        let mut own = Row::default();
        if let Some(name) = table.get("name").and_then(Toml::as_str) {
            match self.row(data, name) {
                Some(Value::Row(row)) => own = (*row).clone(),
                _ => own.name = name.to_owned(),
            }
        }
        let mut cells: BTreeMap<String, Value> = own.cells;
        for (key, value) in table.iter().filter(|(key, _)| *key != "name") {
            let value = match value {
                Toml::Integer(number) => Value::Number(*number),
                Toml::Boolean(yes) => Value::Yes(*yes),
                Toml::String(cell) => match self.book.data.get(data) {
                    Some(data) => self.cell_of_column(data, key, cell),
                    None => return senseless(format!("there is no {data}")),
                },
                other => return refused(format!("{key} cannot be {other}")),
            };
            cells.insert(key.clone(), value);
        }
        own.cells = cells;
        Ok(Value::Row(Rc::new(own)))
    }
}

fn of_item(item: &FieldOrCheckLine) -> Option<(String, &FieldDecl)> {
    match item {
        FieldOrCheckLine::Field(name, field) => Some((name.text.clone(), field)),
        FieldOrCheckLine::Check(_) => None,
    }
}

/// The words of a choice; of a list, those of its entries.
fn choice_words(kind: &TypeExpr) -> Vec<String> {
    match kind {
        TypeExpr::List(_, _, of, _) => choice_words(of),
        TypeExpr::Choice(choices) => choices
            .iter()
            .filter_map(|choice| match choice {
                AllowedWordOrNumber::Word(name) => Some(name.text.clone()),
                AllowedWordOrNumber::Number(..) => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}
