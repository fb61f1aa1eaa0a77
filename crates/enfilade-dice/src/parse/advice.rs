//! Common spellings of other programs that are not read here, with the right spelling.

/// Returns the right spelling for a word; `None` for a word that is not a known habit.
pub(super) fn spelling_of_known_habit(word: &str) -> Option<&'static str> {
    Some(match word {
        "wound" | "wounds" | "wounding" | "save" | "saves" | "then" => {
            "to roll the dice that passed again, use brackets: `(6d6 count 4+)d6 count 3+`"
        }
        "dc" | "tn" | "target" => "a roll is compared with a number as in `1d20 + 5 >= 15`",
        "mid" | "middle" | "median" => {
            "the middle one of three is `3d10 drop highest 1 drop lowest 1`"
        }
        "open" | "e" | "ex" | "exp" => "dice that go on are `3d6 explode`, or `3d6!`",
        "dice" | "die" | "w" => "dice are written `4d6`",
        "ones" | "sixes" => "faces are numbers: `4d6 reroll 1`",
        "miss" | "misses" | "fail" | "fails" | "failures" => {
            "dice that show less than 4 are rerolled by `6d6 reroll <4 count 4+`"
        }
        _ => return None,
    })
}
