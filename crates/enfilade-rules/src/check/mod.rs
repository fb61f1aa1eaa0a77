//! Checks of a game: every default, condition, rule and example, each once.

mod kept_dice;
pub(crate) mod lost_changes;
pub(crate) mod price_block;
pub(crate) mod sum_tests;
mod unknown_values;
pub(crate) mod unused;
pub(crate) mod unused_dice;

use std::borrow::Cow;

use crate::check::unknown_values::{full_list_of_unknown_rows, unknown_value_of_field};
use crate::diagnostics::{Faults, Span};
use crate::lower::{LowerMode, Lowering};
use crate::optimize::OptimizationFlags;
use crate::resolve::action_facts::{ActionCheckResults, BagFieldRanges, PassedConditionValues};
use crate::resolve::game::{ActionDef, FieldDef, ResolvedRulebook, TopLevelMeaning, ValueShape};
use crate::resolve::name_faults::report_unknown;
use crate::resolve::used_names::{collect_action_columns, visit_names_read};
use crate::source_map::file_and_line_of_span;
use crate::syntax::ast::{
    CheckOrRemarkDecl, DefaultExpr, Expr, ExprKind, Ident, ShowMeasureOrCarryLine,
};
use crate::value_types::{ScalarType, VARIABLE_RANGE};
use enfilade_model::error::FaultWithByteSpan;
use enfilade_model::form::Words;
use enfilade_model::static_or_shared::Text;

/// Largest number of passes over a rule until the ranges of its bag fields are stable; after that a
/// field may have any value.
const MAX_RANGE_PASSES: usize = 4;

/// Notes which columns each rule reads and changes, and which fields are tested with `given`.
pub(crate) fn note_column_and_given_uses(game: &mut ResolvedRulebook) {
    let mut names = Vec::new();
    visit_exprs_of_rulebook(game, &mut |expr| {
        crate::resolve::used_names::visit_names_tested_as_given(expr, &mut |name, inside| {
            names.push((name.to_owned(), inside))
        })
    });
    game.given_tested.extend(names);
    game.assigned_names = crate::resolve::used_names::assigned_names_by_block_start(game);
    let all = 0..game.actions.len();
    game.columns = all.clone().map(|action| collect_action_columns(game, action, false)).collect();
    game.carry_columns = all.map(|action| collect_action_columns(game, action, true)).collect();
}

/// Visits every expression of a rulebook.
pub(crate) fn visit_exprs_of_rulebook<'g>(
    game: &'g ResolvedRulebook,
    take: &mut impl FnMut(&'g Expr),
) {
    let bodies = game.parts.iter().map(|(_, part)| (&part.body, &part.shows));
    let actions = game.actions.iter().map(|action| (&action.rule.body, &action.rule.shows));
    for (body, shows) in bodies.chain(actions) {
        crate::resolve::used_names::visit_exprs_of_nested_lines(body, take);
        shows.iter().flat_map(ShowMeasureOrCarryLine::exprs_read_by_line).for_each(&mut *take);
    }
    for check in game.parts.iter().flat_map(|(_, part)| &part.checks) {
        check.when.iter().for_each(&mut *take);
    }
    let inner = game.records.iter().map(|record| (&record.fields, &record.checks));
    let own = game.actions.iter().map(|action| (&action.fields, &action.checks));
    for (fields, checks) in inner.chain(own).chain([(&game.fields, &game.checks)]) {
        checks.iter().filter_map(|check| check.when.as_ref()).for_each(&mut *take);
        let defaults = fields.iter().filter_map(|field| field.default.as_ref());
        defaults.flat_map(DefaultExpr::exprs).for_each(&mut *take);
    }
}

/// Checks all fields and returns, for each top-level field, the other fields that its default,
/// record or conditions need.
pub(crate) fn check_fields_and_find_needs(
    game: &ResolvedRulebook,
    faults: &mut Faults,
) -> Vec<Vec<usize>> {
    let mut needs = Vec::new();
    let mut lowering = Lowering::new(game, LowerMode::Check, OptimizationFlags::default());
    for (at, field) in game.fields.iter().enumerate() {
        lowering.scopes.read.clear();
        if let ValueShape::Record(_) | ValueShape::List(..) = &field.shape {
            lowering.scopes.fields[at] = Some((unknown_value_of_field(game, field, 0), None));
        }
        check_field_default(&mut lowering, field);
        check_defaults_and_conditions(&mut lowering, &field.shape, 0);
        lowering.scopes.fields[at] = Some((unknown_value_of_field(game, field, 0), None));
        needs.push(lowering.scopes.read.drain().filter(|other| *other != at).collect());
    }
    for check in &game.checks {
        check_condition(&mut lowering, check);
    }
    faults.merge_faults_of_other_file(lowering.emitter.faults);
    needs
}

/// Checks a condition: it rolls no dice, it is a yes or no, and its names exist. A condition over a
/// list is checked for the first item.
fn check_condition<'g>(lowering: &mut Lowering<'g>, check: &'g CheckOrRemarkDecl) {
    let own = lowering.scopes.own_fields.len();
    if let Some((name, list)) = &check.over {
        let first = lowering.items_of_contest_list(list).into_iter().next();
        if first.is_none() {
            let problem = "`for` of a check needs a list of the contest";
            lowering.emitter.faults.add_fault_at_span(list.span.clone(), problem, "");
        }
        lowering.scopes.own_fields.extend(first.map(|first| (name.text.as_str(), first, None)));
    }
    if let Some(when) = &check.when {
        lowering.check_no_dice(when, if check.remark { "remark" } else { "check" });
        lowering.lower_to_number_register(when, ScalarType::YesNo);
    }
    lowering.check_values_in_sentence(&check.text);
    lowering.check_values_in_sentence(&check.help);
    lowering.scopes.own_fields.truncate(own);
    lowering.take_program_outside_rules();
}

/// Checks defaults and conditions of a record, with the fields above them in scope.
fn check_defaults_and_conditions<'g>(
    lowering: &mut Lowering<'g>,
    shape: &'g ValueShape,
    depth: usize,
) {
    let record = match shape {
        ValueShape::Record(record) => *record,
        ValueShape::List(_, _, of) => return check_defaults_and_conditions(lowering, of, depth),
        _ => return,
    };
    if depth > 8 {
        return;
    }
    let game = lowering.scopes.game;
    let own = lowering.scopes.own_fields.len();
    for field in &game.records[record].fields {
        check_field_default(lowering, field);
        check_defaults_and_conditions(lowering, &field.shape, depth + 1);
        let value = unknown_value_of_field(game, field, 0);
        lowering.scopes.own_fields.push((&field.name.text, value, None));
    }
    for check in &game.records[record].checks {
        check_condition(lowering, check);
    }
    lowering.scopes.own_fields.truncate(own);
}

/// Checks the default of a field: its type, and its bounds.
fn check_field_default<'g>(lowering: &mut Lowering<'g>, field: &'g FieldDef) {
    let Some(default) = &field.default else { return };
    // An unresolved type accepts everything.
    if matches!(&field.shape, ValueShape::Number(range) if range.kind == ScalarType::Any) {
        return;
    }
    if let Some(problem) = describe_shape_mismatch(default, &field.shape) {
        lowering.emitter.faults.add_fault_at_span(default.default_span().clone(), problem, "");
    }
    match (default, &field.shape) {
        (DefaultExpr::List(items, _), ValueShape::List(_, _, of)) => {
            items.iter().for_each(|item| check_default_value(lowering, of, item));
        }
        (DefaultExpr::One(_), ValueShape::List(..)) | (DefaultExpr::List(..), _) => {}
        (DefaultExpr::One(value), holds) => check_default_value(lowering, holds, value),
    }
}

/// Describes a mismatch between one value and several, or a list with too many or too few values.
fn describe_shape_mismatch(default: &DefaultExpr, shape: &ValueShape) -> Option<String> {
    let is_record = |of: &ValueShape| matches!(of, ValueShape::Record(_));
    match (default, shape) {
        (DefaultExpr::One(_), ValueShape::List(_, _, of)) if is_record(of) => {
            Some("a list of records begins empty: `= []`".to_owned())
        }
        (DefaultExpr::One(_), ValueShape::List(lo, ..)) => {
            Some(format!("expected a list of {lo}, such as `[1, 2]`"))
        }
        (DefaultExpr::List(items, _), ValueShape::List(lo, hi, of)) => {
            let has = items.len() as i64;
            let fits = (*lo..=*hi).contains(&has) || has == 0 && is_record(of);
            (!fits).then(|| format!("the list has {lo} to {hi} places, not {has}"))
        }
        (DefaultExpr::One(_), _) | (_, ValueShape::Marks(_)) => None,
        (DefaultExpr::List(..), _) => Some("a list cannot be used here".to_owned()),
    }
}

/// Checks one value of a default.
fn check_default_value<'g>(lowering: &mut Lowering<'g>, shape: &'g ValueShape, value: &'g Expr) {
    let want = match (shape, &value.kind) {
        (ValueShape::Row(data), ExprKind::Name(name)) => {
            return check_default_names_row(lowering, *data, name, &value.span);
        }
        (ValueShape::Die(..), ExprKind::Pool(_)) if value.as_die_sides().is_none() => {
            let problem = "a default is one die, such as `d8`";
            let help = "use another field for the number of dice";
            return lowering.emitter.faults.add_fault_at_span(value.span.clone(), problem, help);
        }
        (ValueShape::Number(range), _) => range.kind,
        (ValueShape::Die(..) | ValueShape::OneOf(_), _) => ScalarType::Number,
        (ValueShape::Row(data), _) => ScalarType::Row(*data),
        _ => return,
    };
    let mut constant = value.as_die_sides().filter(|_| matches!(shape, ValueShape::Die(..)));
    if constant.is_none() {
        lowering.check_no_dice(value, "default");
        constant = lowering.lower_to_number_register(value, want).0;
        lowering.take_program_outside_rules();
    }
    if let Some(problem) = constant.and_then(|known| describe_out_of_range(shape, known)) {
        lowering.emitter.faults.add_fault_at_span(value.span.clone(), problem, "");
    }
}

/// Checks a default that names a data row.
fn check_default_names_row(lowering: &mut Lowering, data: u16, name: &str, span: &Span) {
    let game = lowering.scopes.game;
    if game.index_of_data_row(data, name).is_none() {
        let block = &game.data[usize::from(data)];
        let problem = format!("there is no `{name}` in `{}`", block.name);
        let row_names = block.rows.iter().map(|row| row.text.as_str());
        report_unknown(
            &Ident::new(name, span.clone()),
            problem,
            row_names,
            &mut lowering.emitter.faults,
        );
    }
}

/// Describes why a field cannot hold a number.
fn describe_out_of_range(shape: &ValueShape, number: i64) -> Option<String> {
    if let ValueShape::OneOf(numbers) = shape {
        let printed: Vec<_> = numbers.iter().map(ToString::to_string).collect();
        let problem = || format!("{number} is not {}", enfilade_model::form::join_or(&printed));
        return (!numbers.contains(&number)).then(problem);
    }
    let (lo, hi) = shape.bounds_of_contiguous_number()?;
    (!(lo..=hi).contains(&number)).then(|| format!("{number} is not in {lo}..{hi}"))
}

/// Checks an action, and returns the fields that its contests need.
pub(crate) fn check_action(
    game: &ResolvedRulebook,
    at: usize,
    needs: &[Vec<usize>],
    faults: &mut Faults,
) -> ActionCheckResults {
    let action = &game.actions[at];
    let (mut lowering, bag_ranges, mut hangs) = find_stable_bag_ranges(game, at);
    let remarks = informed_decision_warnings(game, &lowering);
    check_decision_goals(&mut lowering);
    let mut read: Vec<usize> = lowering.scopes.read.iter().copied().collect();
    // Own fields count too if they override a top-level field.
    read.extend(
        action.fields.iter().filter_map(|own| game.index_of_top_level_field(&own.name.text)),
    );
    read.extend(fields_read_by_conditions(game, &action.checks));
    // Conditions of the parts that the action calls. They see fields only.
    lowering.forget_names_of_rule();
    for part in game.columns.get(at).into_iter().flat_map(|columns| &columns.parts) {
        let checks = &game.parts[*part].1.checks;
        hangs.extend(checks.iter().map(|check| check_and_list_read_fields(&mut lowering, check)));
        read.extend(fields_read_by_conditions(game, checks));
    }
    // A condition applies to every action that reads one of its fields, and then needs all of them.
    let shared = game
        .checks
        .iter()
        .filter_map(|check| Some(top_level_fields_in(game, check.when.as_ref()?)));
    let hold =
        shared.filter(|named| named.iter().any(|field| lowering.scopes.read.contains(field)));
    read.extend(hold.flatten());
    // An own field does not need what the overridden top-level field needs.
    let fields = fields_with_dependencies(read, needs, |at| !action.instead.contains(&Some(at)));
    let grows: Vec<Text> =
        lowering.scopes.grows.iter().map(|name| Text::from(name.clone())).collect();
    let (checks, grows) = (checks_with_fields_present(game, &fields), Words::from(grows));
    faults.merge_faults_of_other_file(lowering.emitter.faults);
    let (hangs, tallies) = (hangs.into_iter().collect(), lowering.scopes.tallies);
    ActionCheckResults {
        tallies,
        checks,
        check_dependencies: hangs,
        passed_checks: PassedConditionValues::default(),
        fields,
        size_fields: grows,
        bag_ranges,
        remarks,
    }
}

/// Repeats the pass over an action until the ranges of its bag fields are stable. Returns the last
/// pass, the ranges, and the dependencies of the action's own conditions.
fn find_stable_bag_ranges(
    game: &ResolvedRulebook,
    at: usize,
) -> (Lowering<'_>, BagFieldRanges, Vec<ConditionDependencies>) {
    let action = &game.actions[at];
    let mut ranges = BagFieldRanges::default();
    let mut walk = 0;
    loop {
        walk += 1;
        let mut lowering = Lowering::new(game, LowerMode::Check, OptimizationFlags::default());
        let unknown =
            game.fields.iter().map(|field| Some((unknown_value_of_field(game, field, 0), None)));
        lowering.scopes.over = Some(at);
        lowering.scopes.fields = unknown.collect();
        lowering.scopes.bag_ranges = Cow::Owned(ranges.clone());
        lowering.scopes.columns = game.carry_columns.get(at);
        check_own_fields(&mut lowering, action);
        let hangs = action
            .checks
            .iter()
            .map(|check| check_and_list_read_fields(&mut lowering, check))
            .collect();
        for &data in game.carry_columns.get(at).iter().flat_map(|columns| &columns.data) {
            let name = game.data[usize::from(data)].name.as_str();
            lowering.scopes.data_rows.push((name, full_list_of_unknown_rows(game, data)));
        }
        lowering.lower_action(&action.rule.body, &action.rule.shows);
        let grew = *lowering.scopes.bag_ranges != ranges && lowering.emitter.faults.is_empty();
        if grew {
            ranges = std::mem::take(&mut lowering.scopes.bag_ranges).into_owned();
        }
        // The largest range cannot grow, so the next pass is the last.
        if grew && walk >= MAX_RANGE_PASSES {
            ranges.values_mut().for_each(|range| *range = VARIABLE_RANGE);
        }
        if !grew || walk > MAX_RANGE_PASSES {
            return (lowering, ranges, hangs);
        }
    }
}

/// Returns the top-level fields that conditions read.
fn fields_read_by_conditions(game: &ResolvedRulebook, checks: &[CheckOrRemarkDecl]) -> Vec<usize> {
    let over = |check: &CheckOrRemarkDecl| {
        check.over.as_ref().map(|(_, list)| top_level_fields_in(game, list))
    };
    let when =
        |check: &CheckOrRemarkDecl| check.when.as_ref().map(|when| top_level_fields_in(game, when));
    checks.iter().flat_map(|check| [when(check), over(check)]).flatten().flatten().collect()
}

/// Position of a condition, and the top-level fields that it depends on.
type ConditionDependencies = (usize, Vec<usize>);

/// Checks a condition and returns its position with the top-level fields that it depends on.
fn check_and_list_read_fields<'g>(
    lowering: &mut Lowering<'g>,
    check: &'g CheckOrRemarkDecl,
) -> ConditionDependencies {
    let before = std::mem::take(&mut lowering.scopes.read);
    check_condition(lowering, check);
    let hangs = lowering.scopes.read.iter().copied().collect();
    lowering.scopes.read.extend(before);
    (check.span.start, hangs)
}

/// Returns the top-level conditions all of whose fields are present, by their index.
fn checks_with_fields_present(game: &ResolvedRulebook, fields: &[usize]) -> Vec<usize> {
    let has_all =
        |when: &Expr| top_level_fields_in(game, when).iter().all(|field| fields.contains(field));
    let checks = game.checks.iter().enumerate();
    let checks = checks.filter(|(_, check)| check.when.as_ref().is_none_or(has_all));
    checks.map(|(at, _)| at).collect()
}

/// Checks the action's own fields, which override top-level fields of the same name.
fn check_own_fields<'g>(lowering: &mut Lowering<'g>, action: &'g ActionDef) {
    for field in &action.fields {
        check_field_default(lowering, field);
        check_defaults_and_conditions(lowering, &field.shape, 0);
        let value = unknown_value_of_field(lowering.scopes.game, field, 0);
        match lowering.scopes.game.index_of_top_level_field(&field.name.text) {
            Some(at) => lowering.scopes.fields[at] = Some((value, None)),
            None => lowering.scopes.own_fields.push((&field.name.text, value, None)),
        }
    }
}

/// Checks that the goal of a decision is a shown number, or a mean over all trials.
fn check_decision_goals(lowering: &mut Lowering) {
    for choice in std::mem::take(&mut lowering.scopes.choices) {
        if check_goal_tally_or_measure(lowering, &choice.goal) {
            continue;
        }
        let shown =
            lowering.scopes.reports.iter().find(|shown| shown.name.text == choice.goal.text);
        let problem = match shown {
            None => format!("there is no `show {}`", choice.goal.text),
            Some(shown) if matches!(shown.kind, ScalarType::Word(_) | ScalarType::Row(_)) => {
                format!("`{}` is a word and has no mean", choice.goal.text)
            }
            Some(shown) if shown.keep => {
                report_goal_not_shown(&choice.goal, &mut lowering.emitter.faults);
                continue;
            }
            Some(_) => continue,
        };
        let report_names = lowering.scopes.reports.iter().map(|shown| shown.name.text.as_str());
        report_unknown(&choice.goal, problem, report_names, &mut lowering.emitter.faults);
    }
}

/// Reports a goal that is a tally, or a measure that nobody can decide for. Returns whether the
/// goal is the name of a tally or of a measure, and not of a shown value.
fn check_goal_tally_or_measure(lowering: &mut Lowering, goal: &Ident) -> bool {
    let name = &goal.text;
    if lowering.scopes.reports.iter().any(|shown| shown.name.text == *name) {
        return false;
    }
    let measure = lowering.scopes.measures.iter().find(|measure| measure.name.text == *name);
    let (problem, help) = match measure {
        Some(measure) if measure.can_be_decision_goal() => return true,
        Some(measure) if !measure.condition.is_empty() => (
            format!("`{name}` is measured `given` a test, and nobody can decide for that"),
            "decide for a `show`",
        ),
        Some(_) => (
            format!("`{name}` is no `chance` and no `mean` of shown values"),
            "decide for a `show`",
        ),
        None if lowering.scopes.tallies.contains(name) => (
            format!("`{name}` is a tally, and a tally is not remembered"),
            "`show` what is counted, or use `for`",
        ),
        None => return false,
    };
    lowering.emitter.faults.add_fault_at_span(goal.span.clone(), problem, help);
    true
}

/// Returns warnings about decisions that know a choice of another side.
fn informed_decision_warnings(
    game: &ResolvedRulebook,
    lowering: &Lowering,
) -> Vec<FaultWithByteSpan> {
    let mut faults = Faults::default();
    for known in lowering.emitter.program.find_informed_decisions(&lowering.scopes.choices) {
        let line =
            file_and_line_of_span(&game.sources, &known.first.span).map_or(1, |(_, line)| line);
        let problem = format!("this choice knows {} of line {line}", known.quoted_variables());
        faults.add_fault_at_span(known.second.span.clone(), problem, known.hiding_remedy());
    }
    faults.into_sorted()
}

/// Reports a goal that measures may read but no outcome contains.
fn report_goal_not_shown(goal: &Ident, faults: &mut Faults) {
    let text = &goal.text;
    let problem = format!("`{text}` is only kept, and the goal of a choice must be shown");
    faults.add_fault_at_span(
        goal.span.clone(),
        problem,
        format!("write `show {text}` for `keep {text}`"),
    );
}

/// Returns the top-level fields that an expression names.
fn top_level_fields_in(game: &ResolvedRulebook, expr: &Expr) -> Vec<usize> {
    let mut field_names = Vec::new();
    visit_names_read(expr, &mut |name| {
        if let Some(TopLevelMeaning::Field(at)) = game.names.get(name) {
            field_names.push(*at);
        }
    });
    field_names
}

/// Returns fields with everything that they need, in the order of the file.
fn fields_with_dependencies(
    mut open: Vec<usize>,
    needs: &[Vec<usize>],
    is_shared: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut all = std::collections::BTreeSet::new();
    while let Some(field) = open.pop() {
        if all.insert(field) && is_shared(field) {
            open.extend(&needs[field]);
        }
    }
    all.into_iter().collect()
}

/// Checks that every example belongs to an action.
pub(crate) fn check_examples_name_actions(game: &ResolvedRulebook, faults: &mut Faults) {
    let action_names = || game.actions.iter().map(|action| action.name.text.as_str());
    for (name, ..) in &game.examples {
        if !action_names().any(|known| known == name.text) {
            report_unknown(
                name,
                format!("there is no action `{}`", name.text),
                action_names(),
                faults,
            );
        }
    }
}
