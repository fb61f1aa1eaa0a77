//! What a rulebook says of its weapons by name: which action, which fields, which outcomes.

use crate::form::{Fields, Form, Value};
use crate::shared::Text;
use crate::weapons::Preset;

/// An action of a rulebook, with its fields.
#[derive(Clone, Debug)]
pub struct Action {
    /// What it is called.
    pub name: Text,
    /// The fields of its contests.
    pub fields: Fields,
}

/// Which names mean what. Those of fields in a record have the name of the record before a dot.
#[derive(Clone, Debug)]
pub struct Named {
    /// One activation of one weapon: the first of these actions that takes the contest. Not empty.
    pub attack: Vec<Action>,
    /// The fields that are the weapon. Not empty.
    pub weapon: Vec<Text>,
    /// The fields that are who is shot at.
    pub target: Vec<Text>,
    /// The outcomes that count what an attack takes, and what one of each is of a man.
    pub losses: Vec<(Text, f64)>,
    /// The field that says how many stand there; a list of records has them by [`COUNT`].
    pub of: Option<Text>,
    /// How many may stand there by [`COUNT`].
    pub most: i64,
    /// The field that says how far it is.
    pub distance: Option<Text>,
    /// How nerve is lost and comes back.
    pub nerve: Option<Nerve>,
    /// Printed prices, by weapon.
    pub printed: Vec<(Text, f64)>,
    /// A small arsenal to start from, as a file has it below its `system`; empty where one of its names
    /// is as good.
    pub ready: Text,
}

impl Named {
    /// A rulebook of which only this much is said.
    pub fn new(attack: Action, weapon: &[&str], target: &[&str], losses: &str) -> Named {
        let text = |name: &&str| Text::from((*name).to_owned());
        Named {
            attack: vec![attack],
            weapon: weapon.iter().map(text).collect(),
            target: target.iter().map(text).collect(),
            losses: vec![(text(&losses), 1.0)],
            of: None,
            most: 1,
            distance: None,
            nerve: None,
            printed: Vec::new(),
            ready: Text::Static(""),
        }
    }

    /// What is printed for a weapon.
    pub(super) fn price_of(&self, row: &str) -> Option<f64> {
        let mut printed = self.printed.iter().filter(|(_, price)| *price > 0.0);
        printed.find(|(name, _)| *name == *row).map(|(_, price)| *price)
    }
}

/// Whether a weapon stands as it is printed in the field of its row: one with columns of its own is asked
/// what it should cost, be it called as it will.
pub(super) fn is_as_printed(path: &str, form: &Form) -> bool {
    let given = match path.split_once('.') {
        None => form.get(path),
        Some((head, leaf)) => match form.get(head) {
            Some(Value::Table(form)) => form.get(leaf),
            given => given,
        },
    };
    !matches!(given, Some(Value::Table(_)))
}

/// How nerve is lost and comes back.
#[derive(Clone, Debug)]
pub struct Nerve {
    /// The outcome of the attack, and of the test: whether it is lost.
    pub lost: Text,
    /// How it comes back.
    pub back: Back,
    /// The field of the attack that says of whoever fires that he has lost it.
    pub unnerved: Option<Text>,
    /// The field of the attack that says it of who is shot at.
    pub cowed: Option<Text>,
}

/// How nerve comes back in an activation of one's own.
#[derive(Clone, Debug)]
pub enum Back {
    /// By an action, and the field of it that says that nerve was lost.
    Test(Action, Option<Text>),
    /// With a chance that is assumed: no rule that is built in settles it.
    Assumed(Preset),
}

impl Nerve {
    /// The fields of the test.
    pub(super) fn fields(&self) -> &Fields {
        match &self.back {
            Back::Test(test, _) => &test.fields,
            Back::Assumed(_) => &Fields::NONE,
        }
    }
}

/// The field of a list of records that says how many there are of one.
pub const COUNT: &str = "count";
