//! Conditions of a contest, checked once or for each item of a list, and remarks.

use super::contest_values::{ContestScopeBuilder, append_index_if_several};
use crate::resolve::action_facts::ActionCheckResults;
use crate::resolve::printed_cells::{append_whole_value_to_key, keeps_printed_numbers};
use crate::syntax::ast::{CheckOrRemarkDecl, Expr, TextTemplate};
use crate::value_types::{ContestValue, ScalarType};
use enfilade_model::form::Fault;

/// Returns the sentence of a check as written: field names in place of fields, dots in place of
/// other values.
fn sentence_with_placeholders(sentence: &TextTemplate) -> String {
    let mut text = String::new();
    for (words, value) in sentence {
        text.push_str(words);
        let name = value.as_ref().map(|value| value.as_path().unwrap_or_else(|| "…".to_owned()));
        text.extend(name.map(|name| format!("{{{name}}}")));
    }
    text
}

impl<'g> ContestScopeBuilder<'_, 'g> {
    /// Evaluates a condition unless it has passed before with the same dependencies.
    pub(crate) fn check_unless_cached(&mut self, check: &'g CheckOrRemarkDecl) {
        if !self.lowering.scopes.flags.checks {
            return;
        }
        let action_facts =
            self.lowering.scopes.action.map(|action| &self.game().action_facts[action]);
        let checks_and_key = action_facts.and_then(|found| {
            Some((&found.passed_checks, self.cache_key_of_condition(check, found)?))
        });
        if checks_and_key
            .as_ref()
            .is_some_and(|(passed, values)| passed.has_passed_with_values(values))
        {
            return;
        }
        let faults = self.faults.len();
        self.evaluate_check(check, "");
        if let Some((passed_checks, values)) =
            checks_and_key.filter(|_| self.faults.len() == faults)
        {
            passed_checks.note_passed_with_values(values);
        }
    }

    /// Returns whether a condition reads any of these fields, directly or through the parts that it
    /// calls.
    pub(crate) fn condition_reads_any_of(
        &self,
        fields: &[&str],
        check: &CheckOrRemarkDecl,
    ) -> bool {
        let action_facts =
            self.lowering.scopes.action.map(|action| &self.game().action_facts[action]);
        let by_parts =
            action_facts.and_then(|found| found.check_dependencies.get(&check.span.start));
        let mut names =
            by_parts.into_iter().flatten().map(|at| &*self.game().fields[*at].name.text);
        let mut reads = names.any(|name| fields.contains(&name));
        let list = check.over.as_ref().map(|(_, list)| list);
        for of in check.when.iter().chain(list) {
            crate::resolve::used_names::visit_dotted_paths(of, &mut |path| {
                reads |= path.split('.').next().is_some_and(|name| fields.contains(&name));
            });
        }
        reads
    }

    /// Encodes everything that a condition depends on; `None` for a condition over a list.
    fn cache_key_of_condition(
        &self,
        check: &CheckOrRemarkDecl,
        facts: &ActionCheckResults,
    ) -> Option<Vec<i64>> {
        if check.remark || check.over.is_some() {
            return None;
        }
        let fields = facts.check_dependencies.get(&check.span.start)?;
        let fields = fields.iter().filter_map(|at| self.lowering.scopes.fields[*at].as_ref());
        let fields = fields.map(|(fixed, given)| (fixed, given));
        let own = self.lowering.scopes.own_fields.iter().map(|(_, fixed, given)| (fixed, given));
        let mut values = vec![check.span.start as i64];
        for (fixed, given_fields) in fields.chain(own) {
            values.push(given_fields.unwrap_or(false).into());
            match fixed {
                ContestValue::Record(record) if keeps_printed_numbers(self.game(), record) => {
                    values.push(-2)
                }
                fixed => append_whole_value_to_key(self.game(), fixed, &mut values),
            }
        }
        // The condition may look up changed cells.
        values.extend_from_slice(&self.changes.key);
        Some(values)
    }

    /// Evaluates a condition, once or for each item of a list.
    pub(crate) fn evaluate_check(&mut self, check: &'g CheckOrRemarkDecl, path: &str) {
        if !self.lowering.scopes.flags.checks {
            return;
        }
        let Some((name, list)) = &check.over else {
            return self.evaluate_and_report_check(check, path);
        };
        let items = self.lowering.items_of_contest_list(list);
        let path = list.as_path().unwrap_or_default();
        for (at, item) in items.iter().enumerate() {
            let place = append_index_if_several(&path, at, items.len());
            self.lowering.scopes.own_fields.push((&name.text, item.clone(), Some(true)));
            let first = self.faults.len();
            self.evaluate_and_report_check(check, "");
            for fault in &mut self.faults[first..] {
                if let Some(rest) = fault.path.strip_prefix(&*name.text) {
                    fault.path = format!("{place}{rest}");
                }
            }
            self.lowering.scopes.own_fields.pop();
        }
    }

    /// Evaluates a condition, and notes the fault or the remark.
    fn evaluate_and_report_check(&mut self, check: &'g CheckOrRemarkDecl, path: &str) {
        let is_true = match &check.when {
            None => Ok(1),
            Some(when) => self.evaluate(when, ScalarType::YesNo),
        };
        match (is_true, check.remark) {
            (Ok(0), false) => {
                let fault = Fault::new(
                    self.path_of_broken_check(check, path),
                    self.lowering.fill_in_values(&check.text),
                );
                let fault = fault.with_failed_check(sentence_with_placeholders(&check.text));
                self.faults.push(match check.help.is_empty() {
                    true => fault,
                    false => fault.with_help(self.lowering.fill_in_values(&check.help)),
                });
            }
            (Ok(0), true) | (Ok(_), false) => {}
            (Ok(_), true) => {
                let text = self.lowering.fill_in_values(&check.text);
                self.notes.push(text);
            }
            // A condition that cannot be evaluated fails: the field that it needs is absent.
            (Err(why), false) => self.faults.push(Fault::new(path, why)),
            (Err(_), true) => {}
        }
    }

    /// Returns the path that a broken condition is reported at: the first field that it names, or
    /// the record that contains it.
    fn path_of_broken_check(&self, check: &CheckOrRemarkDecl, path: &str) -> String {
        match check.when.as_ref().and_then(|when| self.first_field_path_in(when)) {
            Some(field) if path.is_empty() => field,
            Some(field) => format!("{path}.{field}"),
            None => path.to_owned(),
        }
    }

    /// Returns the first field that a condition names, with its path.
    fn first_field_path_in(&self, when: &Expr) -> Option<String> {
        let mut field_path = None;
        crate::resolve::used_names::visit_dotted_paths(when, &mut |path| {
            let name = path.split('.').next().unwrap_or_default();
            let is_own = self.lowering.scopes.own_fields.iter().any(|(own, ..)| *own == name);
            let is_top = self.game().index_of_top_level_field(name).is_some();
            if field_path.is_none() && (is_own || is_top) {
                field_path = Some(path);
            }
        });
        field_path
    }
}
