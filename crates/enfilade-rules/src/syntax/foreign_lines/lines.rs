//! Whole lines as other languages write them: loops, conditions, assignments, choices.

use super::{Advice, FaultyLine};

/// Habits of a whole line.
pub(super) const WHOLE_LINE_HABITS: &[fn(&FaultyLine<'_>) -> Option<Advice>] = &[
    advice_on_field_without_type,
    advice_on_unset_addition,
    advice_on_two_ifs,
    advice_on_loops,
    advice_on_counted_loops,
    advice_on_switch_or_unless,
    advise_foreign_assignment,
    advice_on_giving_two_values,
    advise_choose_without_goal,
    advice_on_drawing_from_list,
];

/// `field hp = 10`.
fn advice_on_field_without_type(line: &FaultyLine<'_>) -> Option<Advice> {
    let [_, name, equals, value] = line.tokens.as_slice() else { return None };
    // A change of a field has no type; its faults are others.
    if !line.problem.contains("has no type") {
        return None;
    }
    let number = value.number()?;
    let most = (2 * number).max(1);
    let help = format!("`field {}: {}..{most} = {number}`", name.name()?, number.min(1));
    let problem = "`field` takes what the value may be";
    equals.is_token("=").then(|| Advice::new(2, problem, help))?
}

/// `x += d6` where there is no `x` yet.
fn advice_on_unset_addition(line: &FaultyLine<'_>) -> Option<Advice> {
    let (name, sign) = (line.tokens.first()?.name()?, line.tokens.get(1)?);
    let is_new = line.problem.contains(&format!("`{name}`"))
        && line.problem.contains("no ")
        && !line.problem.contains("no effect");
    if !sign.is_one_of(&["+=", "-="]) || !is_new || line.problem.contains("no part") {
        return None;
    }
    let value = line.text_between_tokens(2, line.tokens.len());
    let help = format!("`{name} = 0` above, or `{name} = {value}`");
    Advice::new(0, &format!("`{name}` has no value yet"), help)
}

/// `if a: if b: …`.
fn advice_on_two_ifs(line: &FaultyLine<'_>) -> Option<Advice> {
    let colon = line.index_of_token(":")?;
    if !line.tokens[0].is_token("if") || !line.tokens.get(colon + 1)?.is_token("if") {
        return None;
    }
    let second = line.tokens[colon + 1..].iter().position(|token| token.is_token(":"))? + colon + 1;
    let (first, other) =
        (line.text_between_tokens(1, colon), line.text_between_tokens(colon + 2, second));
    let rest = line.text_between_tokens(second + 1, line.tokens.len());
    let help =
        format!("`if {first} and {other}: {rest}`, or the second `if` deeper on its own line");
    Advice::new(colon + 1, "one plain statement follows `:`", help.trim_end().to_owned())
}

/// `repeat 3:`, `repeat until c:`, `loop:`, `while c:`, `next`, `if c: continue`.
fn advice_on_loops(line: &FaultyLine<'_>) -> Option<Advice> {
    let first = line.tokens.first()?;
    let colon = line.index_of_token(":").unwrap_or(line.tokens.len());
    if first.is_token("repeat") {
        let second = line.tokens.get(1)?;
        if second.is_one_of(&["until", "while"]) {
            let not = if second.is_token("while") { "not " } else { "" };
            let test = line.text_between_tokens(2, colon);
            return Advice::help(1, format!("`repeat:`, and in it `if {not}{test}: stop`"));
        }
        return second
            .name_or_number_text()
            .and_then(|most| Advice::help(1, format!("`for i in 1..{most}:`")));
    }
    if first.is_token("loop") && line.tokens.get(1).is_none_or(|next| next.is_token(":")) {
        return Advice::help(0, "`repeat:`");
    }
    let last = line.tokens.len() - 1;
    let is_statement = last == 0 || line.tokens[last - 1].is_token(":");
    if is_statement && line.tokens[last].is_one_of(&["next", "continue"]) {
        return Advice::help(last, "put what follows behind `if not …:`");
    }
    None
}

/// `for i = 1 to 3`, `for i in 1 to 3`, `for i in n`, `for each y in xs`.
fn advice_on_counted_loops(line: &FaultyLine<'_>) -> Option<Advice> {
    let tokens = &line.tokens;
    if !tokens.first()?.is_token("for") {
        return None;
    }
    let colon = line.index_of_token(":").unwrap_or(tokens.len());
    if tokens.get(1)?.is_token("each") {
        return Advice::help(1, format!("`each {}:`", line.text_between_tokens(2, colon)));
    }
    let name = tokens.get(1)?.name()?;
    let sign = tokens.get(2)?;
    if let Some(to) =
        line.index_of_token("to").filter(|to| *to > 3 && !tokens[to - 1].is_token("down"))
    {
        let (low, high) =
            (line.text_between_tokens(3, to), line.text_between_tokens(to + 1, colon));
        let at = if sign.is_token("in") { to } else { 2 };
        return Advice::help(at, format!("`for {name} in {low}..{high}:`"));
    }
    let only = tokens.get(3)?.name_or_number_text()?;
    let is_alone = sign.is_token("in") && colon == 4;
    is_alone
        .then(|| Advice::help(colon.min(tokens.len() - 1), format!("`for {name} in 1..{only}:`")))?
}

/// `switch n:`, `unless c:`.
fn advice_on_switch_or_unless(line: &FaultyLine<'_>) -> Option<Advice> {
    let colon = line.index_of_token(":").unwrap_or(line.tokens.len());
    let rest = line.text_between_tokens(1, colon);
    match line.tokens.first()?.text {
        "switch" | "case" if !rest.is_empty() => Advice::help(0, format!("`match {rest}:`")),
        "unless" if !rest.is_empty() => Advice::help(0, format!("`if not {rest}:`")),
        _ => None,
    }
}

/// `x, y = 1, 2`, `x = y = 3`, `x := 3`, `var x = 3`.
fn advise_foreign_assignment(line: &FaultyLine<'_>) -> Option<Advice> {
    let problem = "one thing is made on a line";
    let tokens = &line.tokens;
    let (first, second) = (tokens.first()?, tokens.get(1)?);
    if first.is_one_of(&["var", "let", "int", "const", "set"]) && second.name().is_some() {
        let equals = tokens.get(2)?.is_token("=").then_some(2)?;
        let value = line.text_between_tokens(equals + 1, tokens.len());
        let problem = format!("a variable needs no `{}` before its name", first.text);
        return Advice::new(0, &problem, format!("`{} = {value}`", second.text));
    }
    let name = first.name()?;
    if second.is_token(",") {
        let (other, equals) = (tokens.get(2)?.name()?, tokens.get(3)?);
        let comma = tokens.iter().skip(4).position(|token| token.is_token(","))? + 4;
        let (one, two) =
            (line.text_between_tokens(4, comma), line.text_between_tokens(comma + 1, tokens.len()));
        let help = format!("`{name} = {one}`, below `{other} = {two}`");
        return equals.is_token("=").then(|| Advice::new(1, problem, help))?;
    }
    if second.is_token(":") && tokens.get(2)?.is_token("=") {
        return Advice::help(
            1,
            format!("`{name} = {}`", line.text_between_tokens(3, tokens.len())),
        );
    }
    let (other, equals) = (tokens.get(2)?.name()?, tokens.get(3)?);
    let value = line.text_between_tokens(4, tokens.len());
    let help = format!("`{name} = {value}`, below `{other} = {value}`");
    (second.is_token("=") && equals.is_token("=")).then(|| Advice::new(3, problem, help))?
}

/// `give x, y`.
fn advice_on_giving_two_values(line: &FaultyLine<'_>) -> Option<Advice> {
    let [give, one, comma, other] = line.tokens.as_slice() else { return None };
    if !give.is_token("give") || !comma.is_token(",") {
        return None;
    }
    let (one, other) = (one.name()?, other.name()?);
    let help = format!("`part f(changes {one}, changes {other})` hands two back");
    Advice::new(2, "a part gives one thing", help)
}

/// `choose:`, `choose for won:`.
fn advise_choose_without_goal(line: &FaultyLine<'_>) -> Option<Advice> {
    if !line.tokens.first()?.is_token("choose") {
        return None;
    }
    let second = line.tokens.get(1)?;
    if second.is_token(":") {
        return Advice::help(1, "`choose for highest won:`");
    }
    let goal = line.tokens.get(2)?.name()?;
    let is_bare = second.is_token("for") && !["highest", "lowest"].contains(&goal);
    is_bare
        .then(|| Advice::help(2, format!("`highest` or `lowest`? `choose for highest {goal}:`")))?
}

/// `pick 2 of xs`, `draw from xs`.
fn advice_on_drawing_from_list(line: &FaultyLine<'_>) -> Option<Advice> {
    let (first, second) = (line.tokens.first()?, line.tokens.get(1)?);
    let draws = first.is_token("pick") && second.number().is_some() || first.is_token("draw");
    let from = line.tokens.iter().position(|token| token.is_one_of(&["of", "from"]))?;
    let list_name = line.tokens.get(from + 1)?.name()?;
    let at = if first.is_token("draw") { 0 } else { 1 };
    let help = format!("`pick u in {list_name} by random:` once for each draw");
    draws.then(|| Advice::help(at, help))?
}
