//! Names with which a rulebook describes its weapons for pricing: actions, fields, outcomes.

use crate::form::{Fields, Form, Value};
use crate::static_or_shared::Text;
use crate::weapons::AssumptionSpec;

/// Action of a rulebook, with its fields.
#[derive(Clone, Debug)]
pub struct ActionNameAndFields {
    /// Name of the action.
    pub name: Text,
    /// Fields of its contests.
    pub fields: Fields,
}

/// Names of a rulebook, by meaning. Fields in a record are written with the name of the record
/// before a dot.
#[derive(Clone, Debug)]
pub struct PricingFieldNames {
    /// Actions of one activation of one weapon: the first one that accepts the contest is used. Not
    /// empty.
    pub attack: Vec<ActionNameAndFields>,
    /// Fields that are the weapon. Not empty.
    pub weapon: Vec<Text>,
    /// Fields that are the target.
    pub target: Vec<Text>,
    /// Outcomes that count the losses of an attack, each with the share of a man that it counts
    /// for.
    pub losses: Vec<(Text, f64)>,
    /// Field of the number of targets; a list of records has it in [`RECORD_COUNT_FIELD`].
    pub of: Option<Text>,
    /// Largest number of targets by [`RECORD_COUNT_FIELD`].
    pub most: i64,
    /// Field of the distance.
    pub distance: Option<Text>,
    /// Rules of the loss and recovery of nerve.
    pub nerve: Option<MoraleFieldNames>,
    /// Printed prices, by weapon.
    pub prices: Vec<(Text, f64)>,
    /// Small arsenal to start from, as a file has it below its `system`; empty to build one from
    /// the names.
    pub ready: Text,
}

impl PricingFieldNames {
    /// Creates names with an attack, its weapon and target, and one outcome for losses.
    pub fn new(
        attack: ActionNameAndFields,
        weapon: &[&str],
        target: &[&str],
        losses: &str,
    ) -> PricingFieldNames {
        let text = |name: &&str| Text::from((*name).to_owned());
        PricingFieldNames {
            attack: vec![attack],
            weapon: weapon.iter().map(text).collect(),
            target: target.iter().map(text).collect(),
            losses: vec![(text(&losses), 1.0)],
            of: None,
            most: 1,
            distance: None,
            nerve: None,
            prices: Vec::new(),
            ready: Text::Static(""),
        }
    }

    /// Returns the printed price of a weapon.
    pub(super) fn printed_price_of_weapon(&self, row: &str) -> Option<f64> {
        let mut printed = self.prices.iter().filter(|(_, price)| *price > 0.0);
        printed.find(|(name, _)| *name == *row).map(|(_, price)| *price)
    }
}

/// Returns whether a weapon has the printed columns of its row: one with custom columns is priced
/// afresh, whatever its name.
pub(super) fn uses_printed_columns(path: &str, form: &Form) -> bool {
    let given = match path.split_once('.') {
        None => form.get(path),
        Some((head, leaf)) => match form.get(head) {
            Some(Value::Table(form)) => form.get(leaf),
            given => given,
        },
    };
    !matches!(given, Some(Value::Table(_)))
}

/// Names of the loss and recovery of nerve.
#[derive(Clone, Debug)]
pub struct MoraleFieldNames {
    /// Outcome of the attack, and of the test, in which nerve is lost.
    pub loss_outcome: Text,
    /// Recovery of nerve.
    pub back: MoraleRecovery,
    /// Field of the attack: the firer has lost its nerve.
    pub firer_shaken_field: Option<Text>,
    /// Field of the attack: the target has lost its nerve.
    pub target_shaken_field: Option<Text>,
}

/// Recovery of nerve in a unit's own activation.
#[derive(Clone, Debug)]
pub enum MoraleRecovery {
    /// Recovery by an action, with its field that nerve was lost.
    Test(ActionNameAndFields, Option<Text>),
    /// Recovery with an assumed probability: no built-in rule settles it.
    Assumed(AssumptionSpec),
}

impl MoraleFieldNames {
    /// Returns the fields of the test.
    pub(super) fn declared_nerve_test_fields(&self) -> &Fields {
        match &self.back {
            MoraleRecovery::Test(test, _) => &test.fields,
            MoraleRecovery::Assumed(_) => &Fields::NO_FIELDS,
        }
    }
}

/// Field of a list of records for the number of one record.
pub const RECORD_COUNT_FIELD: &str = "count";
