//! Warnings about declarations that nothing uses. An unused declaration is valid, but seldom
//! intended.

use rustc_hash::FxHashSet;

use crate::diagnostics::Faults;
use crate::resolve::uses::{each_inner, each_line};
use crate::syntax::ast::{
    Check, Data, Declared, Default, Do, Expr, Field, File, Item, Kind, Name, Report, Row, Says,
    Stmt, What,
};
use enfilade_model::error::LocatedFault;

/// Names by the ways in which they are used.
#[derive(Default)]
struct Used<'f> {
    /// Names in expressions, match arms, sentences, keys and cells.
    names: FxHashSet<&'f str>,
    /// Names after a `.`, or in a `price` block.
    columns: FxHashSet<&'f str>,
    /// Names that are called.
    calls: FxHashSet<&'f str>,
    /// Names of field types and column types.
    kinds: FxHashSet<&'f str>,
}

/// Returns warnings about unused names of `file` before the offset `end`. The files that it extends
/// come after `end`; they may declare more than the extending file needs.
pub fn unread(file: &File, end: usize) -> Vec<LocatedFault> {
    let mut used = Used::default();
    file.declared.iter().for_each(|one| used.declared(one));
    let mut told = Faults::default();
    for (at, declared) in file.declared.iter().enumerate() {
        if !declared.change && declared.name.span.start < end {
            idle(declared, &used, &mut told);
            twice(declared, &file.declared[..at], &mut told);
        }
    }
    told.sorted()
}

/// Reports a declaration, or a part of it, that nothing uses.
fn idle(declared: &Declared, used: &Used, told: &mut Faults) {
    let text = declared.name.text.as_str();
    if let Some(problem) = used.idle(&declared.what, text) {
        return told.note(declared.name.span.clone(), problem, "");
    }
    let mut unread = |name: &Name, what: String| {
        if !used.of(name) {
            told.note(name.span.clone(), format!("nothing reads {what}"), "");
        }
    };
    match &declared.what {
        What::Part(part) => {
            let params = part.params.iter().map(|(param, _)| param.text.as_str());
            variables(&part.body, &part.shows, params.collect(), told);
        }
        What::Data(data) => data.heads.iter().for_each(|head| {
            unread(head, format!("the column `{}` of `{text}`", head.text));
        }),
        What::Record(items) => fields(items).for_each(|field| {
            unread(field, format!("`{}` of `{text}`", field.text));
        }),
        What::Action(action) => {
            fields(&action.items)
                .for_each(|field| unread(field, format!("the field `{}`", field.text)));
            variables(&action.body, &action.shows, FxHashSet::default(), told);
        }
        _ => {}
    }
}

/// Reports variables of a rule whose values are never read; `known` contains the names from outside
/// the rule.
fn variables<'f>(
    body: &'f [Stmt],
    shows: &'f [Report],
    mut known: FxHashSet<&'f str>,
    told: &mut Faults,
) {
    let mut used = Used::default();
    used.rule(body, shows);
    let mut given = Vec::new();
    each_line(body, &mut |_| {}, &mut |place| given.push(place));
    for place in given {
        let mut root = place;
        while let Says::Place(of, _) = &root.what {
            root = of;
        }
        if let Says::Name(name) = &root.what
            && !used.names.contains(name.as_str())
            && known.insert(name)
        {
            told.note(root.span.clone(), format!("nothing reads `{name}`"), "");
        }
    }
}

/// Reports two examples of one action with the same name.
fn twice(declared: &Declared, before: &[Declared], told: &mut Faults) {
    let What::Example(said, _) = &declared.what else { return };
    let same = |known: &&Declared| match &known.what {
        What::Example(known_said, _) => {
            known.name.text == declared.name.text && known_said.label == said.label
        }
        _ => false,
    };
    if !said.label.is_empty() && before.iter().any(|known| same(&known)) {
        let problem = format!("another example has the name \"{}\"", said.label);
        told.note(declared.name.span.clone(), problem, "");
    }
}

fn fields(items: &[Item]) -> impl Iterator<Item = &Name> {
    items.iter().filter_map(|item| match item {
        Item::Field(name, _) => Some(name),
        Item::Check(_) => None,
    })
}

impl<'f> Used<'f> {
    /// Returns whether a field or a column is read, by its name or after a `.`.
    fn of(&self, name: &Name) -> bool {
        let name = name.text.as_str();
        self.names.contains(name) || self.columns.contains(name)
    }

    /// Describes an unused declaration.
    fn idle(&self, what: &What, text: &str) -> Option<String> {
        let (used, problem) = match what {
            What::Field(_) => (&self.names, "nothing reads the field `{}`"),
            What::Table(_) => (&self.calls, "nothing looks anything up in `{}`"),
            What::Part(_) => (&self.calls, "nothing calls `{}`, so it was not checked"),
            What::Record(_) => (&self.kinds, "no field is a `{}`"),
            What::Marks(_) => (&self.kinds, "no field and no column holds `{}`"),
            What::Data(_) => (&self.kinds, "no field is one of `{}`"),
            What::Words(words) => {
                let mut all = words.iter().map(|(word, _)| word.text.as_str()).chain([text]);
                if all.any(|word| self.names.contains(word)) {
                    return None;
                }
                (&self.kinds, "nothing uses the words of `{}`")
            }
            _ => return None,
        };
        (!used.contains(text)).then(|| problem.replace("{}", text))
    }

    /// Collects the names that a declaration uses.
    fn declared(&mut self, declared: &'f Declared) {
        match &declared.what {
            What::Record(items) => self.items(items),
            What::Field(field) => self.field(field),
            What::Data(data) => self.data(data),
            What::Table(table) => {
                self.words(&table.columns);
                self.rows(&table.rows, true);
            }
            What::Part(part) => self.rule(&part.body, &part.shows),
            What::Action(action) => {
                self.items(&action.items);
                self.rule(&action.body, &action.shows);
            }
            What::Price(pairs) => {
                // A path may begin with a field and continue with columns.
                let pieces = || pairs.iter().flat_map(|(_, of)| of.text.split('.'));
                self.columns.extend(pieces());
                self.names.extend(pieces());
            }
            What::Check(check) => self.check(check),
            What::Words(_) | What::Marks(_) | What::Example(..) => {}
        }
    }

    fn data(&mut self, data: &'f Data) {
        self.rows(&data.rows, false);
        let marks = data.marks.iter().map(|(_, marks)| marks.text.as_str());
        self.kinds.extend(marks);
    }

    /// Collects cells, and keys if they may be words.
    fn rows(&mut self, rows: &'f [Row], keyed: bool) {
        for row in rows {
            self.words(row.cells.iter().chain(keyed.then_some(&row.key)));
        }
    }

    fn words(&mut self, words: impl IntoIterator<Item = &'f Name>) {
        self.names.extend(words.into_iter().map(|word| word.text.as_str()));
    }

    fn rule(&mut self, body: &'f [Stmt], shows: &'f [Report]) {
        self.lines(body);
        self.reports(shows);
    }

    fn items(&mut self, items: &'f [Item]) {
        for item in items {
            match item {
                Item::Field(_, field) => self.field(field),
                Item::Check(check) => self.check(check),
            }
        }
    }

    fn field(&mut self, field: &'f Field) {
        let mut kind = &field.kind;
        while let Kind::Several(_, _, of, _) = kind {
            kind = of;
        }
        if let Kind::Record(name) | Kind::OneOf(name) = kind {
            self.kinds.insert(&name.text);
        }
        field.default.iter().flat_map(Default::exprs).for_each(|value| self.expr(value));
    }

    fn check(&mut self, check: &'f Check) {
        check.when.iter().for_each(|when| self.expr(when));
        let said = check.text.iter().chain(&check.help).filter_map(|(_, value)| value.as_ref());
        said.for_each(|value| self.expr(value));
    }

    /// Collects the names that a rule reads, those of notes included.
    fn lines(&mut self, lines: &'f [Stmt]) {
        let (mut all, mut places) = (Vec::new(), Vec::new());
        each_line(lines, &mut |expr| all.push(expr), &mut |place| places.push(place));
        all.into_iter().for_each(|expr| self.expr(expr));
        places.into_iter().for_each(|place| self.place(place));
        let mut open: Vec<&Stmt> = lines.iter().collect();
        while let Some(line) = open.pop() {
            match &line.what {
                Do::Note(pieces) => {
                    let values = pieces.iter().filter_map(|(_, value)| value.as_ref());
                    values.for_each(|value| self.expr(value));
                }
                Do::Match(_, arms, _) => {
                    self.words(arms.iter().flat_map(|arm| &arm.words));
                }
                _ => {}
            }
            open.extend(line.what.blocks().into_iter().flatten());
        }
    }

    /// Collects the names inside an assignment target: the index of a list, the item of a bag.
    fn place(&mut self, place: &'f Expr) {
        match &place.what {
            Says::Place(of, index) => {
                self.expr(index);
                self.place(of);
            }
            Says::Column(of, _) => self.expr(of),
            _ => {}
        }
    }

    fn reports(&mut self, reports: &'f [Report]) {
        for report in reports {
            report.exprs().into_iter().for_each(|expr| self.expr(expr));
            match report {
                Report::Show { name, value: None, .. } => drop(self.names.insert(&name.text)),
                Report::Measure { figures, .. } => {
                    let factors = figures.iter().flat_map(|figure| &figure.scale);
                    factors.for_each(|(factor, _)| self.expr(factor));
                }
                _ => {}
            }
        }
    }

    fn expr(&mut self, expr: &'f Expr) {
        each_inner(expr, &mut |inner| match &inner.what {
            Says::Name(name) => drop(self.names.insert(name)),
            Says::Column(_, column) => drop(self.columns.insert(&column.text)),
            Says::Call(name, _) => drop(self.calls.insert(&name.text)),
            _ => {}
        });
    }
}
