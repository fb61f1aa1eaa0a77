//! Warnings about declarations that nothing uses. An unused declaration is valid, but seldom
//! intended.

use rustc_hash::FxHashSet;

use crate::diagnostics::Faults;
use crate::resolve::used_names::{visit_expr_and_descendants, visit_exprs_and_targets};
use crate::syntax::ast::{
    CheckOrRemarkDecl, DataRowsDecl, Declaration, DeclarationKind, DefaultExpr, Expr, ExprKind,
    FieldDecl, FieldOrCheckLine, Ident, RowDecl, RulebookAst, ShowMeasureOrCarryLine, Stmt,
    StmtKind, TypeExpr,
};
use enfilade_model::error::FaultWithByteSpan;

/// Names by the ways in which they are used.
#[derive(Default)]
struct ReferencedNames<'f> {
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
pub fn find_unused_names(file: &RulebookAst, end: usize) -> Vec<FaultWithByteSpan> {
    let mut used_names = ReferencedNames::default();
    file.declarations.iter().for_each(|one| used_names.collect_names_of_declaration(one));
    let mut faults = Faults::default();
    for (at, declared) in file.declarations.iter().enumerate() {
        if declared.name.span.start < end {
            report_unused_declaration(declared, &used_names, &mut faults);
            report_duplicate_example_names(declared, &file.declarations[..at], &mut faults);
        }
    }
    faults.into_sorted()
}

/// Reports a declaration, or a part of it, that nothing uses.
fn report_unused_declaration(
    declared: &Declaration,
    used_names: &ReferencedNames,
    faults: &mut Faults,
) {
    let text = declared.name.text.as_str();
    if let Some(problem) = used_names.describe_unused_declaration(&declared.kind, text) {
        return faults.add_fault_at_span(declared.name.span.clone(), problem, "");
    }
    let mut unread = |name: &Ident, what: String| {
        if !used_names.is_field_read(name) {
            faults.add_fault_at_span(name.span.clone(), format!("nothing reads {what}"), "");
        }
    };
    match &declared.kind {
        DeclarationKind::Part(part) => {
            let params = part.params.iter().map(|(param, _)| param.text.as_str());
            report_unused_variables(&part.body, &part.shows, params.collect(), faults);
        }
        DeclarationKind::Data(data) => data.heads.iter().for_each(|head| {
            unread(head, format!("the column `{}` of `{text}`", head.text));
        }),
        DeclarationKind::Record(items) => field_names(items).for_each(|field| {
            unread(field, format!("`{}` of `{text}`", field.text));
        }),
        DeclarationKind::Action(action) => {
            field_names(&action.items)
                .for_each(|field| unread(field, format!("the field `{}`", field.text)));
            report_unused_variables(&action.body, &action.shows, FxHashSet::default(), faults);
        }
        _ => {}
    }
}

/// Reports variables of a rule whose values are never read; `outer_names` contains the names from
/// outside the rule.
fn report_unused_variables<'f>(
    body: &'f [Stmt],
    shows: &'f [ShowMeasureOrCarryLine],
    mut outer_names: FxHashSet<&'f str>,
    faults: &mut Faults,
) {
    let mut used_names = ReferencedNames::default();
    used_names.collect_names_of_rule(body, shows);
    let mut assigned_names = Vec::new();
    visit_exprs_and_targets(body, &mut |_| {}, &mut |place| assigned_names.push(place));
    for place in assigned_names {
        let mut root = place;
        while let ExprKind::Index(of, _) = &root.kind {
            root = of;
        }
        if let ExprKind::Name(name) = &root.kind
            && !used_names.names.contains(name.as_str())
            && outer_names.insert(name)
        {
            faults.add_fault_at_span(root.span.clone(), format!("nothing reads `{name}`"), "");
        }
    }
}

/// Reports two examples of one action with the same name.
fn report_duplicate_example_names(
    declared: &Declaration,
    before: &[Declaration],
    faults: &mut Faults,
) {
    let DeclarationKind::Example(text, _) = &declared.kind else { return };
    let same = |declaration: &&Declaration| match &declaration.kind {
        DeclarationKind::Example(known_said, _) => {
            declaration.name.text == declared.name.text && known_said.label == text.label
        }
        _ => false,
    };
    if !text.label.is_empty() && before.iter().any(|known| same(&known)) {
        let problem = format!("another example has the name \"{}\"", text.label);
        faults.add_fault_at_span(declared.name.span.clone(), problem, "");
    }
}

fn field_names(items: &[FieldOrCheckLine]) -> impl Iterator<Item = &Ident> {
    items.iter().filter_map(|item| match item {
        FieldOrCheckLine::Field(name, _) => Some(name),
        FieldOrCheckLine::Check(_) => None,
    })
}

impl<'f> ReferencedNames<'f> {
    /// Returns whether a field or a column is read, by its name or after a `.`.
    fn is_field_read(&self, name: &Ident) -> bool {
        let name = name.text.as_str();
        self.names.contains(name) || self.columns.contains(name)
    }

    /// Describes an unused declaration.
    fn describe_unused_declaration(&self, what: &DeclarationKind, text: &str) -> Option<String> {
        let (is_used, problem) = match what {
            DeclarationKind::Field(_) => (&self.names, "nothing reads the field `{}`"),
            DeclarationKind::Table(_) => (&self.calls, "nothing looks anything up in `{}`"),
            DeclarationKind::Part(_) => (&self.calls, "nothing calls `{}`, so it was not checked"),
            DeclarationKind::Record(_) => (&self.kinds, "no field is a `{}`"),
            DeclarationKind::Marks(_) => (&self.kinds, "no field and no column holds `{}`"),
            DeclarationKind::Data(_) => (&self.kinds, "no field is one of `{}`"),
            DeclarationKind::Words(words) => {
                let mut all = words.iter().map(|(word, _)| word.text.as_str()).chain([text]);
                if all.any(|word| self.names.contains(word)) {
                    return None;
                }
                (&self.kinds, "nothing uses the words of `{}`")
            }
            _ => return None,
        };
        (!is_used.contains(text)).then(|| problem.replace("{}", text))
    }

    /// Collects the names that a declaration uses.
    fn collect_names_of_declaration(&mut self, declared: &'f Declaration) {
        match &declared.kind {
            DeclarationKind::Record(items) => self.collect_names_of_record_lines(items),
            DeclarationKind::Field(field) => self.collect_names_of_field(field),
            DeclarationKind::Data(data) => self.collect_names_of_data(data),
            DeclarationKind::Table(table) => {
                self.add_words_as_used(&table.columns);
                self.collect_names_of_rows(&table.rows, true);
                self.collect_names_of_rows(table.otherwise.as_slice(), false);
            }
            DeclarationKind::Part(part) => self.collect_names_of_rule(&part.body, &part.shows),
            DeclarationKind::Action(action) => {
                self.collect_names_of_record_lines(&action.items);
                self.collect_names_of_rule(&action.body, &action.shows);
            }
            DeclarationKind::Price(pairs) => {
                // A path may begin with a field and continue with columns.
                let pieces = || pairs.iter().flat_map(|(_, of)| of.text.split('.'));
                self.columns.extend(pieces());
                self.names.extend(pieces());
            }
            DeclarationKind::Check(check) => self.collect_names_of_check(check),
            DeclarationKind::Words(_)
            | DeclarationKind::Marks(_)
            | DeclarationKind::Die(_)
            | DeclarationKind::Example(..) => {}
        }
    }

    fn collect_names_of_data(&mut self, data: &'f DataRowsDecl) {
        self.collect_names_of_rows(&data.rows, false);
        let marks = data.marks.iter().map(|(_, marks)| marks.text.as_str());
        self.kinds.extend(marks);
    }

    /// Collects cells, and keys if they may be words.
    fn collect_names_of_rows(&mut self, rows: &'f [RowDecl], keyed: bool) {
        for row in rows {
            self.add_words_as_used(row.cells.iter().chain(keyed.then_some(&row.key)));
        }
    }

    fn add_words_as_used(&mut self, words: impl IntoIterator<Item = &'f Ident>) {
        self.names.extend(words.into_iter().map(|word| word.text.as_str()));
    }

    fn collect_names_of_rule(&mut self, body: &'f [Stmt], shows: &'f [ShowMeasureOrCarryLine]) {
        self.collect_names_of_lines(body);
        self.collect_names_of_reports(shows);
    }

    fn collect_names_of_record_lines(&mut self, items: &'f [FieldOrCheckLine]) {
        for item in items {
            match item {
                FieldOrCheckLine::Field(_, field) => self.collect_names_of_field(field),
                FieldOrCheckLine::Check(check) => self.collect_names_of_check(check),
            }
        }
    }

    fn collect_names_of_field(&mut self, field: &'f FieldDecl) {
        let mut kind = &field.kind;
        while let TypeExpr::List(_, _, of, _) = kind {
            kind = of;
        }
        if let TypeExpr::Record(name) | TypeExpr::DataRow(name) = kind {
            self.kinds.insert(&name.text);
        }
        field
            .default
            .iter()
            .flat_map(DefaultExpr::exprs)
            .for_each(|value| self.collect_names_of_expr(value));
    }

    fn collect_names_of_check(&mut self, check: &'f CheckOrRemarkDecl) {
        check.when.iter().for_each(|when| self.collect_names_of_expr(when));
        let exprs = check.text.iter().chain(&check.help).filter_map(|(_, value)| value.as_ref());
        exprs.for_each(|value| self.collect_names_of_expr(value));
    }

    /// Collects the names that a rule reads, those of notes included.
    fn collect_names_of_lines(&mut self, lines: &'f [Stmt]) {
        let (mut all, mut places) = (Vec::new(), Vec::new());
        visit_exprs_and_targets(lines, &mut |expr| all.push(expr), &mut |place| places.push(place));
        all.into_iter().for_each(|expr| self.collect_names_of_expr(expr));
        places.into_iter().for_each(|place| self.collect_names_in_target(place));
        let mut open: Vec<&Stmt> = lines.iter().collect();
        while let Some(line) = open.pop() {
            match &line.kind {
                StmtKind::Note(pieces) => {
                    let values = pieces.iter().filter_map(|(_, value)| value.as_ref());
                    values.for_each(|value| self.collect_names_of_expr(value));
                }
                StmtKind::Match(_, arms, _) => {
                    self.add_words_as_used(arms.iter().flat_map(|arm| &arm.words));
                }
                _ => {}
            }
            open.extend(line.kind.child_blocks().into_iter().flatten());
        }
    }

    /// Collects the names inside an assignment target: the index of a list, the item of a bag.
    fn collect_names_in_target(&mut self, place: &'f Expr) {
        match &place.kind {
            ExprKind::Index(of, index) => {
                self.collect_names_of_expr(index);
                self.collect_names_in_target(of);
            }
            ExprKind::Member(of, _) => self.collect_names_of_expr(of),
            _ => {}
        }
    }

    fn collect_names_of_reports(&mut self, reports: &'f [ShowMeasureOrCarryLine]) {
        for report in reports {
            report
                .exprs_read_by_line()
                .into_iter()
                .for_each(|expr| self.collect_names_of_expr(expr));
            match report {
                ShowMeasureOrCarryLine::Show { name, value: None, .. } => {
                    self.names.insert(&name.text);
                }
                ShowMeasureOrCarryLine::Measure { figures, .. } => {
                    let factors = figures.iter().flat_map(|figure| &figure.scale);
                    factors.for_each(|(factor, _)| self.collect_names_of_expr(factor));
                }
                _ => {}
            }
        }
    }

    fn collect_names_of_expr(&mut self, expr: &'f Expr) {
        visit_expr_and_descendants(expr, &mut |inner| match &inner.kind {
            ExprKind::Name(name) => drop(self.names.insert(name)),
            ExprKind::Member(_, column) => drop(self.columns.insert(&column.text)),
            ExprKind::Call(name, _) => drop(self.calls.insert(&name.text)),
            _ => {}
        });
    }
}
