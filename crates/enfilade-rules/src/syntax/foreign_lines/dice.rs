//! Dice as other games write them.

use super::{Advice, FaultyLine, TokenWithSpan};

/// Habits at one token of a line.
pub(super) const DICE_HABITS: &[fn(&FaultyLine<'_>, usize) -> Option<Advice>] = &[
    advice_on_dice_notation,
    advise_versus_or_times_roll,
    advice_on_exploding_dice,
    advice_on_drop_lowest,
    advice_on_highest_of_dice,
    advice_on_counting_dice,
    advice_on_success_count,
    advice_on_reroll_ones,
    advice_on_roll_function,
];

/// `nd6`, `d sides`, `die 6`, `3dF`.
fn advice_on_dice_notation(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    let token = line.tokens[at];
    let next = line.tokens.get(at + 1);
    let name = token.name()?;
    if let Some((count, sides)) = name.rsplit_once('d')
        && !count.is_empty()
        && !sides.is_empty()
        && sides.bytes().all(|byte| byte.is_ascii_digit())
        && line.problem.contains(name)
    {
        let problem = "dice with a number before them are written apart";
        return Advice::new(at, problem, format!("`{count} d{sides}`"));
    }
    match (name, next.and_then(TokenWithSpan::name_or_number_text)) {
        ("d", Some(sides)) if next?.name().is_some() => {
            Advice::new(at, "a die of a number of sides has brackets", format!("`d({sides})`"))
        }
        ("die", Some(sides)) if next?.number().is_some() => Advice::help(at, format!("`d{sides}`")),
        ("dF", _) => {
            let before = at.checked_sub(1).map(|before| line.tokens[before]);
            let count = before.and_then(|token| token.number());
            let first = if count.is_some() { at - 1 } else { at };
            let count = count.unwrap_or(1);
            Advice::help(first, format!("`{count}d3 - {}`", 2 * count))
        }
        _ => None,
    }
}

/// `2d6 vs 7`, `n x d6`.
fn advise_versus_or_times_roll(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    let token = line.tokens[at];
    let before = line.tokens.get(at.checked_sub(1)?)?;
    let after = line.tokens.get(at + 1)?;
    if token.is_one_of(&["vs", "versus", "against"]) && before.as_joined_dice().is_some() {
        return Advice::help(
            at,
            format!("a test: `{} >= {}`", before.text, after.name_or_number_text()?),
        );
    }
    if token.is_token("x")
        && after.as_joined_dice().is_some()
        && before.name_or_number_text().is_some()
    {
        let (count, die) = (before.text, after.text);
        let help = format!("`{count} {die}` rolls {count} dice, `{count} * {die}` multiplies one");
        return Advice::help(at, help);
    }
    None
}

/// `d6 explode 6`.
fn advice_on_exploding_dice(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    let words = ["explode", "explodes", "exploding", "explosive", "ace", "aces"];
    if !line.tokens[at].is_one_of(&words) {
        return None;
    }
    let (before, after) = (at.checked_sub(1).map(|at| line.tokens[at]), line.tokens.get(at + 1));
    let dice = before.filter(|token| token.as_joined_dice().is_some());
    let dice = dice.or(after.copied().filter(|token| token.as_joined_dice().is_some()));
    let (dice, sides) = dice.map_or(("d6", "6"), |token| {
        (token.text, token.as_joined_dice().map_or("6", |(_, sides)| sides))
    });
    let face = after.filter(|token| token.number().is_some()).map_or(sides, |token| token.text);
    let goes_on = format!("dice that go on: `{dice} again on {face} up to 3`");
    Advice::help(at, goes_on + "; `as one` where they count to the same die")
}

/// `4d6 drop lowest`.
fn advice_on_drop_lowest(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    if !line.tokens[at].is_one_of(&["drop", "dropping"]) {
        return None;
    }
    let dice = line.tokens.get(at.checked_sub(1)?)?;
    let (count, _) = dice.as_joined_dice()?;
    let mut rest = line.tokens[at + 1..].iter().filter(|token| !token.is_token("the"));
    let which = rest.next()?;
    let dropped = rest.next().and_then(TokenWithSpan::number).unwrap_or(1);
    let left = count - dropped;
    let keeps = match which.text {
        "lowest" | "low" | "worst" => "high",
        "highest" | "high" | "best" => "low",
        _ => return None,
    };
    (left > 0).then(|| Advice::help(at, format!("`{} {keeps} {left}`", dice.text)))?
}

/// `max(3d6)`, `best of 3d6`, `highest of 3d6`.
fn advice_on_highest_of_dice(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    let keeps = match line.tokens[at].text {
        "max" | "best" | "highest" => "high",
        "min" | "worst" | "lowest" => "low",
        _ => return None,
    };
    let dice = line.tokens.get(at + 2)?;
    let (count, _) = dice.as_joined_dice()?;
    let is_call = line.tokens[at + 1].is_token("(") && line.tokens.get(at + 3)?.is_token(")");
    if !(is_call || line.tokens[at + 1].is_token("of")) {
        return None;
    }
    let which = if keeps == "high" { "highest" } else { "lowest" };
    Advice::help(at, format!("the {which} of {count}: `{} {keeps} 1`", dice.text))
}

/// `count(4d6 5+)`, `count(3d6, 4)`, `count 3d6 >= 4`, `5+`.
fn advice_on_counting_dice(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    let (token, get) = (line.tokens[at], |more: usize| line.tokens.get(at + more));
    if token.is_token("count") {
        let inner = get(1)?;
        if inner.as_joined_dice().is_some() {
            let rest = line.text_between_tokens(at + 1, line.tokens.len());
            return Advice::help(at, format!("brackets: `count({rest})`"));
        }
        let (dice, comma, number) = (get(2)?, get(3)?, get(4)?);
        if inner.is_token("(") && dice.as_joined_dice().is_some() && comma.is_token(",") {
            return Advice::help(
                at + 3,
                format!("`count({} >= {})`", dice.text, number.name_or_number_text()?),
            );
        }
        return None;
    }
    // A number with a plus and nothing behind it.
    let plus = get(1)?;
    let number = token.number()?;
    let ends = get(2).is_none_or(|next| next.is_one_of(&[")", ":", ","]));
    (plus.is_token("+") && plus.start == token.end && ends)
        .then(|| Advice::help(at, format!("`>= {number}`")))?
}

/// `n d6 successes 4`, `2d6 doubles`.
fn advice_on_success_count(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    let token = line.tokens[at];
    let before = at.checked_sub(1)?;
    let dice = line.tokens[before];
    dice.as_joined_dice()?;
    if token.is_one_of(&["successes", "success", "hits"]) {
        let number = line.tokens.get(at + 1)?.name_or_number_text()?;
        let count = before
            .checked_sub(1)
            .map(|at| line.tokens[at])
            .and_then(|token| token.name_or_number_text());
        let pool = match count {
            Some(count) => format!("{count} {}", dice.text),
            None => dice.text.to_owned(),
        };
        return Advice::help(at, format!("`count({pool} >= {number})`"));
    }
    if token.is_one_of(&["doubles", "double"]) {
        let (_, sides) = dice.as_joined_dice()?;
        return Advice::help(at, format!("`a = d{sides}`, `b = d{sides}`, `a == b`"));
    }
    None
}

/// `reroll ones`.
fn advice_on_reroll_ones(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    const FACE_NUMBER_WORDS: [&str; 6] = ["ones", "twos", "threes", "fours", "fives", "sixes"];
    if !line.tokens[at].is_token("reroll") {
        return None;
    }
    let face = line.tokens.get(at + 1)?;
    let number = FACE_NUMBER_WORDS.iter().position(|name| face.is_token(name))? + 1;
    Advice::help(at + 1, format!("`reroll {number}`"))
}

/// `roll(2d6)`, `roll 2d6`, `random(1, 6)`.
fn advice_on_roll_function(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    let token = line.tokens[at];
    let problem = "dice are rolled where they are written";
    if token.is_one_of(&["roll", "throw", "rolls"]) {
        let skip = usize::from(line.tokens.get(at + 1)?.is_token("("));
        let dice = line.tokens.get(at + 1 + skip)?;
        dice.as_joined_dice()?;
        return Advice::new(at, problem, format!("`x = {}`; `d(n)` for 1 to n", dice.text));
    }
    if token.is_one_of(&["random", "rand", "randint"]) && line.tokens.get(at + 1)?.is_token("(") {
        let last = line.tokens.get(line.find_matching_bracket(at + 1)?.checked_sub(1)?)?;
        let die = match last.number() {
            Some(sides) => format!("d{sides}"),
            None => "2d6".to_owned(),
        };
        return Advice::new(at, problem, format!("`x = {die}`; `d(n)` for 1 to n"));
    }
    None
}
