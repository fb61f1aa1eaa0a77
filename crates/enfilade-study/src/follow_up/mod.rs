//! Actions in sequence: `[[contest.then]]`.
//!
//! A follow-up is resolved for each ending of the actions before: where its table has `{ of =
//! "FIELD" }`, the number of that outcome field is inserted, multiplied and added to as written, or
//! used as the index of a list. The chain is an action, built for the contest, with the fields of
//! all of its actions; so grids, checks and results need no special case, and the joint
//! distribution is exact.

mod carried_fields;
mod chain_builder;
mod step_columns;
mod then_entry;

use std::sync::Arc;

use toml::{Table, Value as Toml};

use enfilade_model::catalogue::{CarriedFieldRules, RulebookAction, System};
use enfilade_model::form::{Fault, Field, Fields, Form, Words};
use enfilade_model::static_or_shared::{StaticOrCounted, Text};

use then_entry::FollowUp;
pub use then_entry::{FOLLOW_UP_FIELDS, FOLLOW_UPS_KEY, fault_path_in_file};

/// Chains `first` with the follow-ups in `table`. Returns `None` if there are none. The follow-ups
/// are stored in `table` under separate keys.
///
/// # Errors
/// Faults of the follow-ups' tables, with their paths in the contest.
pub fn chain_action_with_follow_ups(
    system: &Arc<System>,
    first: &Arc<RulebookAction>,
    table: &mut Table,
) -> Result<Option<Arc<RulebookAction>>, Vec<Fault>> {
    // An action may have a field with this name.
    if first.fields.get(FOLLOW_UPS_KEY).is_some() {
        return Ok(None);
    }
    let tables = match table.remove(FOLLOW_UPS_KEY) {
        None => return Ok(None),
        Some(Toml::Table(only)) => vec![Toml::Table(only)],
        Some(Toml::Array(several)) if !several.is_empty() => several,
        Some(_) => return Err(vec![follow_ups_not_tables_fault()]),
    };
    let mut faults = Vec::new();
    let mut links = Vec::new();
    let mut fields: Vec<Field> = first.fields.iter().cloned().collect();
    for (place, then) in tables.into_iter().enumerate() {
        let key = if place == 0 {
            FOLLOW_UPS_KEY.to_owned()
        } else {
            format!("{FOLLOW_UPS_KEY}_{}", place + 1)
        };
        let Toml::Table(mut then) = then else {
            return Err(vec![follow_ups_not_tables_fault()]);
        };
        match FollowUp::take_follow_up_keys(system, key, &mut then) {
            Ok(link) => {
                fields.push(link.as_field_of_chain_form());
                table.insert(link.key.clone(), Toml::Table(then));
                links.push(link);
            }
            Err(found) => faults.extend(found),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let title = |what: fn(&RulebookAction) -> &Text| {
        let rest = links.iter().map(|link| format!(" then {}", what(&link.action)));
        format!("{}{}", what(first), rest.collect::<String>())
    };
    let action = RulebookAction {
        name: Text::from(title(|action| &action.name)),
        about: Text::from(title(|action| &action.about)),
        fields: Fields::from(fields),
        build: StaticOrCounted::Counted({
            let (first, system) = (Arc::clone(first), Arc::clone(system));
            Arc::new(move |form: &Form| {
                chain_builder::build_chain_contest(&system, &first, &links, form)
            }) as Arc<_>
        }),
        samples: Words::NO_WORDS,
        leaves: CarriedFieldRules { fields: Words::NO_WORDS, build: None },
        // A chain reads the fields that any of its steps reads.
        probe: None,
        ..RulebookAction::clone(first)
    };
    Ok(Some(Arc::new(action)))
}

fn follow_ups_not_tables_fault() -> Fault {
    let fault = Fault::new(FOLLOW_UPS_KEY, "expected tables, each beginning with [[contest.then]]");
    fault.with_help("each has an `action` and the fields of that action")
}
