//! Keys and fields of an arsenal file.

use crate::scenario::optional_text;
use enfilade_model::form::bounds::{IntRange, RealRange};
use enfilade_model::form::{Field, FieldType, Fields};
use enfilade_model::weapons::{PRICE_RANGE, PricingRules};
use enfilade_study::file::experiment_file::CHANGES_KEY;
use enfilade_study::file::rulebook_loader::RULEBOOKS_KEY;

/// The keys of an arsenal file outside its weapons and scenarios; the tables are listed so that
/// their names are known.
pub const ARSENAL_FIELDS: Fields = Fields::Static(&[&[
    optional_text("name", "name of the arsenal"),
    Field::new_required("system", FieldType::Text, "the rulebook"),
    optional_text(
        RULEBOOKS_KEY,
        "a rulebook in a text file, by its path from the folder of this file; or several",
    ),
    optional_text("question", "the question it answers"),
    optional_text("prediction", "what its author expects before the first run"),
    optional_text("tolerance", "how far a price may be off and still be right; 0.25 when left out"),
    Field::new_optional(
        "price_step",
        FieldType::Int(PRICE_STEP_RANGE),
        "the step in which the game prints its prices; found from them when left out",
    ),
    optional_table(
        WORTH_SCALE_KEY,
        "the cost of a point of worth, if the prices should not set it: `unit = \"rifle\"`, whose price is \
         right by decision, or `k = 0.62`",
    ),
    Field::new_optional(
        OPPONENTS_KEY,
        FieldType::choice_of_words(&["all"]),
        "`all`: every unit of the file is an opponent of the others, in the setting of its one scenario; the \
         report then shows which unit beats which, and which have no one price",
    ),
    optional_text(
        LIST_BUDGET_KEY,
        "points of random lists that are fought beside the prices, as `--lists` does",
    ),
    Field::new_optional(
        BOUND_KEY,
        FieldType::Flag,
        "fits prices to the battles of these lists as well, which shows the limit of any prices, as `--bound` does",
    ),
    optional_table(
        TRIAL_PRICES_KEY,
        "prices that these lists are bought at as well, below [prices.try]: `rifle = 120`",
    ),
    optional_table(
        CHANGES_KEY,
        "numbers and tables of the rules that this file changes: `base_ranged = 7`",
    ),
    Field::new_optional("weapon", FieldType::tables(Fields::NO_FIELDS), "what is priced"),
    Field::new_optional("scenario", FieldType::tables(Fields::NO_FIELDS), "what it may meet"),
    optional_table(
        "assumptions",
        "low, default and high of each assumption that no rulebook settles, or one number: `horizon = [0.5, 1, 2]`",
    ),
]]);

/// A key that may hold a table, which is read by hand.
const fn optional_table(name: &'static str, about: &'static str) -> Field {
    Field::new_optional(name, FieldType::Table(Fields::NO_FIELDS), about)
}

/// Keys that a form reads; the others are tables or take numbers of any size, which a field cannot
/// describe.
pub(super) const FORM_KEYS: [&str; 4] = ["name", "system", OPPONENTS_KEY, BOUND_KEY];

/// The key of the opponents.
pub(crate) const OPPONENTS_KEY: &str = "opponents";

/// The points of lists that are fought.
pub const LIST_BUDGET_KEY: &str = "lists";

/// The key of prices that are fitted to the battles of lists.
pub(super) const BOUND_KEY: &str = "bound";

/// The table of prices that lists are bought at.
pub const TRIAL_PRICES_KEY: &str = "prices";

/// The table that settles the cost of a point of worth.
pub const WORTH_SCALE_KEY: &str = "scale";

/// The range of a tolerance, as a share of the price.
pub const TOLERANCE_RANGE: RealRange = RealRange { name: "tolerance", low: 0.01, high: 1.0 };

/// Points of a step.
pub const PRICE_STEP_RANGE: IntRange = IntRange::new("price step", 1, 1000);

/// Fields of every weapon.
const COMMON_WEAPON_FIELDS: Fields = Fields::Static(&[&[
    Field::new_required("name", FieldType::Text, "the weapon, by its built-in name or another"),
    Field::new_optional(
        "price",
        FieldType::Int(PRICE_RANGE),
        "its current price in points; the printed one when left out, and where none is printed the price is the question",
    ),
]]);

/// The fields of a `[[weapon]]` of a rulebook.
pub fn rulebook_weapon_fields(rules: &dyn PricingRules) -> Fields {
    COMMON_WEAPON_FIELDS.with_fields_of(rules.weapon_fields())
}
