//! Checks of a `price` block: missing lines, and lines that name nothing.

use crate::diagnostics::Faults;
use crate::resolve::game::{ActionDef, FieldDef, ResolvedRulebook, ValueShape};
use crate::resolve::name_faults::report_unknown;
use crate::syntax::ast::{DeclAnnotations, Ident, ShowMeasureOrCarryLine};

/// Lines of a `price` block, each with the kind of thing that it names.
const PRICE_LINE_KINDS: [(&str, &str); 11] = [
    ("attack", "action"),
    ("weapon", "field"),
    ("cost", "column"),
    ("target", "field"),
    ("losses", "show"),
    ("of", "field"),
    ("distance", "field"),
    ("nerve", "show"),
    ("morale", "action"),
    ("shaken", "field"),
    ("unnerved", "field"),
];
/// Lines that every block needs. Without a field for the size, the counts of a list of records give
/// it.
const REQUIRED_PRICE_LINES: [&str; 4] = ["attack", "weapon", "target", "losses"];
/// Lines that are valid only beside another line.
const DEPENDENT_PRICE_LINES: [(&str, &str); 4] =
    [("nerve", "morale"), ("morale", "nerve"), ("shaken", "nerve"), ("unnerved", "nerve")];

/// Checks every line that prices need, and the name in it.
pub fn check_price_lines(game: &ResolvedRulebook, faults: &mut Faults) {
    let Some((first, _)) = game.price.first() else { return };
    for key in
        REQUIRED_PRICE_LINES.into_iter().filter(|key| find_price_line_name(game, key).is_none())
    {
        let problem = format!("`price` needs a line `{key}`");
        faults.add_fault_at_span(first.span.clone(), problem, format!("add a line `{key} NAME`"));
    }
    for (key, with) in DEPENDENT_PRICE_LINES {
        if find_price_line_name(game, key).is_some() && find_price_line_name(game, with).is_none() {
            let problem = format!("`price` has a line `{key}` and no line `{with}`");
            faults.add_fault_at_span(
                first.span.clone(),
                problem,
                format!("add a line `{with} NAME`"),
            );
        }
    }
    game.price.iter().for_each(|(key, of)| check_price_line(game, key, of, faults));
}

/// Returns the name in the first line with this key.
fn find_price_line_name<'g>(game: &'g ResolvedRulebook, key: &str) -> Option<&'g Ident> {
    game.price.iter().find(|(name, _)| name.text == key).map(|(_, of)| of)
}

/// Checks one line: its key is known, and the name in it exists.
fn check_price_line(game: &ResolvedRulebook, key: &Ident, of: &Ident, faults: &mut Faults) {
    // A missing name of another line is reported at that line.
    let stands_in = match key.text.as_str() {
        "losses" | "nerve" => find_priced_attack(game).is_some(),
        "cost" => find_price_line_name(game, "weapon").is_some_and(|of| {
            game_fields_outside_records(game).any(|field| field.name.text == of.text)
        }),
        _ => true,
    };
    if !stands_in {
        return;
    }
    let Some((_, what)) = PRICE_LINE_KINDS.iter().find(|(line, _)| *line == key.text) else {
        let problem = format!("`price` has no line `{}`", key.text);
        return report_unknown(key, problem, PRICE_LINE_KINDS.map(|(line, _)| line), faults);
    };
    let names: Vec<&str> = match *what {
        "action" => game.actions.iter().map(|action| action.name.text.as_str()).collect(),
        "show" => shows_of_attack(game).into_iter().map(|(name, _)| name).collect(),
        "column" => find_price_line_name(game, "weapon")
            .map_or(Vec::new(), |field| columns_or_fields_within(game, &field.text)),
        _ => game_fields_with_nested(game).map(|field| field.name.text.as_str()).collect(),
    };
    // A field may be inside another one: `unit.weapon`.
    let (_, last) = of.text.rsplit_once('.').filter(|_| *what == "field").unwrap_or(("", &of.text));
    if !names.contains(&last) {
        report_unknown(of, format!("there is no {what} `{}`", of.text), names, faults);
    } else if key.text == "losses" && is_higher_good_for_target(game, of) {
        let problem = format!("`{}` is a gain, but losses must be harm", of.text);
        faults.add_fault_at_span(of.span.clone(), problem, "name a `show` of the target's losses");
    }
}

/// Returns the action that `attack` names.
fn find_priced_attack(game: &ResolvedRulebook) -> Option<&ActionDef> {
    let attack = find_price_line_name(game, "attack")?;
    game.actions.iter().find(|action| action.name.text == attack.text)
}

/// Returns the shows of the attack: names with their annotations.
fn shows_of_attack(game: &ResolvedRulebook) -> Vec<(&str, &DeclAnnotations)> {
    let parts = game.parts.iter().flat_map(|(_, part)| &part.shows);
    let reports = find_priced_attack(game)
        .into_iter()
        .flat_map(|action| action.rule.shows.iter().chain(parts.clone()));
    let shows = reports.filter_map(|report| match report {
        ShowMeasureOrCarryLine::Show { name, said: annotations, .. } => {
            Some((name.text.as_str(), annotations))
        }
        _ => None,
    });
    shows.collect()
}

/// Returns whether a higher value of a show is better for the side that it happens to.
fn is_higher_good_for_target(game: &ResolvedRulebook, show: &Ident) -> bool {
    let shows = shows_of_attack(game);
    let shown = shows.iter().find(|(name, _)| *name == show.text);
    shown.is_some_and(|(_, text)| text.harm < 0)
}

/// Returns all fields, nested ones included.
fn game_fields_with_nested(game: &ResolvedRulebook) -> impl Iterator<Item = &FieldDef> {
    let inner = game.records.iter().flat_map(|record| &record.fields);
    game_fields_outside_records(game).chain(inner)
}

/// Returns all fields that are not nested: top-level ones and those of one action.
fn game_fields_outside_records(game: &ResolvedRulebook) -> impl Iterator<Item = &FieldDef> {
    game.fields.iter().chain(game.actions.iter().flat_map(|action| &action.fields))
}

/// Returns the columns of the data, or the fields of the record, that a field holds.
fn columns_or_fields_within<'g>(game: &'g ResolvedRulebook, field: &str) -> Vec<&'g str> {
    let fields = game_fields_outside_records(game).filter(|known| known.name.text == field);
    let columns = fields.flat_map(|field| match &field.shape {
        ValueShape::Row(data) => {
            let columns = &game.data[usize::from(*data)].columns;
            columns.iter().map(String::as_str).collect()
        }
        ValueShape::Record(record) => {
            let fields = &game.records[*record].fields;
            fields.iter().map(|field| field.name.text.as_str()).collect()
        }
        _ => Vec::new(),
    });
    columns.collect()
}
