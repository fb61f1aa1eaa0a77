//! Limits of an expression.

use enfilade_model::form::bounds::IntRange;

/// Number of dice of one pool.
pub const DICE_COUNT_RANGE: IntRange = IntRange::new("number of dice", 1, 1000);

/// Number of sides of a die.
pub const DIE_SIDES_RANGE: IntRange = IntRange::new("number of sides of a die", 1, 1000);

/// Constants of an expression.
pub const CONSTANT_VALUE_RANGE: IntRange = IntRange::new("number in a dice expression", 0, 10_000);

/// Number of characters of an expression.
pub const EXPRESSION_LENGTH_RANGE: IntRange =
    IntRange::new("length of a dice expression in characters", 1, 500);

/// Number of steps up or down the ladder of dice.
pub const LADDER_STEPS_RANGE: IntRange = IntRange::new("number of steps on the die ladder", 0, 100);

/// Number of extra dice that one die may bring.
pub const EXTRA_DICE_RANGE: IntRange = IntRange::new("number of extra dice from one die", 0, 100);

/// Dice that can be stepped up and down; there is none below the first and above the last.
pub const DIE_SIDES_LADDER: [u16; 5] = [4, 6, 8, 10, 12];

/// Deepest nesting of brackets.
pub const MAX_BRACKET_DEPTH: usize = 32;
