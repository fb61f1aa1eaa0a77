//! Values and tests as other languages write them.

use super::{Advice, FaultyLine, TokenWithSpan};

/// Habits at one token of a line.
pub(super) const VALUE_HABITS: &[fn(&FaultyLine<'_>, usize) -> Option<Advice>] = &[
    advice_on_list_functions,
    advice_on_list_methods,
    advice_on_operators,
    advice_on_rounding_call,
    advice_on_percent_chance,
    advise_in_range_test,
    advice_on_or_between_values,
    advise_dice_without_comparison,
    advice_on_if_then_value,
    advice_on_else_if_value,
];

/// `max(xs)`, `sort(xs)`, `sum(xs)`, `length xs`.
fn advice_on_list_functions(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    let (token, next) = (line.tokens[at], line.tokens.get(at + 1)?);
    let only = || {
        let closes = line.tokens.get(at + 3)?.is_token(")");
        line.tokens.get(at + 2)?.name().filter(|_| closes && next.is_token("("))
    };
    for (word, after) in [("max", "high 1"), ("min", "low 1")] {
        if token.is_token(word) {
            return Advice::help(at, format!("`{} {after}`", only()?));
        }
    }
    if token.is_one_of(&["sort", "order", "ranked"]) {
        return Advice::help(at, format!("`sorted {}`", only()?));
    }
    if token.is_token("sum") && next.is_token("(") {
        let list = line.tokens.get(at + 2)?.name()?;
        let closes = line.tokens.get(at + 3)?.is_token(")");
        return closes.then(|| Advice::help(at, format!("`sum(x for x in {list})`")))?;
    }
    if token.is_one_of(&["length", "len", "size"]) {
        let skip = usize::from(next.is_token("("));
        let list = line.tokens.get(at + 1 + skip)?.name()?;
        let is_right = token.is_token("length") && skip == 1;
        return (!is_right).then(|| Advice::help(at, format!("`length({list})`")))?;
    }
    None
}

/// `xs.append(3)`, `xs[0]`.
fn advice_on_list_methods(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    let (token, list) = (line.tokens[at], line.tokens.get(at.checked_sub(2)?)?);
    let dot = line.tokens[at - 1];
    if token.is_one_of(&["append", "push", "add", "remove", "pop"]) && dot.is_token(".") {
        let help = format!("`{} = 5 of 0` makes room for five", list.name()?);
        return Advice::new(at, "lists keep their length", help);
    }
    if token.is_token("]") && dot.number() == Some(0) && list.is_token("[") {
        let problem = "places begin at 1";
        let name = line.tokens.get(at.checked_sub(3)?)?.name()?;
        return Advice::new(at - 1, problem, format!("`{name}[1]`"));
    }
    None
}

/// `n mod 2`, `n % 2`, `n ^ 2`, `x++`.
fn advice_on_operators(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    let token = line.tokens[at];
    let before = line.tokens.get(at.checked_sub(1)?)?;
    let name = before.name_or_number_text()?;
    let next = line.tokens.get(at + 1);
    if token.is_one_of(&["mod", "%"]) {
        let by = next?.name_or_number_text()?;
        return Advice::help(at, format!("`rest({name}, {by})`"));
    }
    if token.is_token("^") || token.is_token("*") && next?.is_token("*") {
        return Advice::help(at, format!("`{name} * {name}`"));
    }
    if token.is_one_of(&["+", "-"]) && next.is_some_and(|next| next.text == token.text) {
        let ends = line.tokens.get(at + 2).is_none();
        return ends.then(|| Advice::help(at, format!("`{name} {}= 1`", token.text)))?;
    }
    None
}

/// `round(n / 2)`, `floor(n / 2)`.
fn advice_on_rounding_call(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    let words = ["round", "down", "floor", "ceil", "int", "trunc"];
    if !line.tokens[at].is_one_of(&words) || !line.tokens.get(at + 1)?.is_token("(") {
        return None;
    }
    let close = line.find_matching_bracket(at + 1)?;
    let inner = line.text_between_tokens(at + 2, close);
    let over = line.tokens[at + 2..close].iter().position(|token| token.is_token("/"))? + at + 2;
    let (above, below) = (line.text_between_tokens(at + 2, over), line.tokens.get(over + 1)?);
    let half = below.number().map(|number| number / 2).filter(|half| *half > 0);
    let nearest = match half {
        Some(half) => format!("({above} + {half}) / {}", below.text),
        None => format!("(2 * {above} + {0}) / (2 * {0})", below.text),
    };
    Advice::help(
        at,
        format!("`{inner}` rounds down, `up({inner})` up; to the nearest: `{nearest}`"),
    )
}

/// `70%`.
fn advice_on_percent_chance(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    let (token, sign) = (line.tokens[at], line.tokens.get(at + 1)?);
    let number = token.number()?;
    let glued = sign.is_token("%") && sign.start == token.end;
    let ends = line.tokens.get(at + 2).is_none_or(|next| next.name_or_number_text().is_none());
    let chance = at.checked_sub(1).is_some_and(|before| line.tokens[before].is_token("chance"));
    let first = if chance { at - 1 } else { at };
    (glued && ends).then(|| Advice::help(first, format!("`d100 <= {number}`")))?
}

/// `n in 2..4` as a test.
fn advise_in_range_test(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    let name = line.tokens.get(at.checked_sub(1)?)?.name()?;
    let is_loop = ["for", "choose"].iter().any(|word| line.tokens[0].is_token(word));
    let (low, dots, high) =
        (line.tokens.get(at + 1)?, line.tokens.get(at + 2)?, line.tokens.get(at + 3)?);
    if !line.tokens[at].is_token("in") || !dots.is_token("..") || is_loop {
        return None;
    }
    let (low, high) = (low.name_or_number_text()?, high.name_or_number_text()?);
    Advice::help(at, format!("`{name} >= {low} and {name} <= {high}`"))
}

/// `n == 1 or 2`, `n is 1 or 2`, `x = 6 or 7`.
fn advice_on_or_between_values(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    let token = line.tokens[at];
    let (sign, one) = (line.tokens.get(at.checked_sub(2)?)?, line.tokens[at - 1]);
    let name = line.tokens.get(at.checked_sub(3)?)?.name()?;
    let other = line.tokens.get(at + 1)?;
    let ends = line.tokens.get(at + 2).is_none_or(|next| next.is_one_of(&[":", ")", "and", "or"]));
    if !token.is_token("or") || !sign.is_one_of(&["==", "is", "="]) || !ends {
        return None;
    }
    let (one, other) = (one.number()?, other.number()?);
    let help = format!("`{name} == {one} or {name} == {other}`");
    Advice::new(at + 1, "`or` joins two tests", help)
}

/// `if d6:`.
fn advise_dice_without_comparison(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    let dice = line.tokens.get(at + 1)?;
    let (count, sides) = dice.as_joined_dice()?;
    let is_condition = line.tokens[at].is_token("if") && line.tokens.get(at + 2)?.is_token(":");
    let middle = count * (sides.parse::<i64>().ok()? + 1) / 2 + 1;
    let help = format!("`if {} >= {middle}:`", dice.text);
    is_condition.then(|| Advice::new(at + 1, "a number is no yes or no", help))?
}

/// `x = if a then 1 else 2`.
fn advice_on_if_then_value(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    let before = line.tokens.get(at.checked_sub(1)?)?;
    if !line.tokens[at].is_token("if") || !before.is_one_of(&["=", "+=", "-=", "("]) {
        return None;
    }
    let then = line.index_of_token("then")?;
    let other = line.index_of_token("else")?;
    if !(at < then && then < other) {
        return None;
    }
    let end = line.tokens.iter().rposition(|token| !token.is_token(")"))? + 1;
    let (test, yes, no) = (
        line.text_between_tokens(at + 1, then),
        line.text_between_tokens(then + 1, other),
        line.text_between_tokens(other + 1, end),
    );
    Advice::help(at, format!("`{yes} if {test} else {no}`"))
}

/// `x = 1 if a else if b: 2`.
fn advice_on_else_if_value(line: &FaultyLine<'_>, at: usize) -> Option<Advice> {
    let next = line.tokens.get(at + 1)?;
    if !line.tokens[at].is_token("else") || !next.is_token("if") || at == 0 {
        return None;
    }
    let equals = line.tokens.iter().position(|token| token.is_one_of(&["=", "+=", "-="]))?;
    let colon = line.tokens.iter().position(|token: &TokenWithSpan<'_>| token.is_token(":"));
    let (test, value) = match colon {
        Some(colon) => (
            line.text_between_tokens(at + 2, colon),
            line.text_between_tokens(colon + 1, line.tokens.len()),
        ),
        None => (line.text_between_tokens(at + 2, line.tokens.len()), "0"),
    };
    let first = line.text_between_tokens(equals + 1, at);
    Advice::help(at + 1, format!("`{first} else ({value} if {test})`"))
}
