//! Whole lines as other languages write them: loops, conditions, assignments, choices.

use super::{Advice, ForeignLine};

/// Habits of a whole line.
pub(super) const WHOLE: &[fn(&ForeignLine<'_>) -> Option<Advice>] = &[
    field_without_kind,
    new_sum,
    two_ifs,
    loops,
    counted_loops,
    other_branches,
    several_things,
    given_pairs,
    choices,
    drawn,
];

/// `field hp = 10`.
fn field_without_kind(line: &ForeignLine<'_>) -> Option<Advice> {
    let [field, name, equals, value] = line.tokens.as_slice() else { return None };
    let number = value.number()?;
    let most = (2 * number).max(1);
    let help = format!("`field {}: {}..{most} = {number}`", name.name()?, number.min(1));
    let problem = "`field` takes what the value may be";
    (field.is("field") && equals.is("=")).then(|| Advice::new(2, problem, help))?
}

/// `x += d6` where there is no `x` yet.
fn new_sum(line: &ForeignLine<'_>) -> Option<Advice> {
    let (name, sign) = (line.tokens.first()?.name()?, line.tokens.get(1)?);
    let is_new = line.problem.contains(&format!("`{name}`"))
        && line.problem.contains("no ")
        && !line.problem.contains("no effect");
    if !sign.is_one_of(&["+=", "-="]) || !is_new || line.problem.contains("part") {
        return None;
    }
    let value = line.between(2, line.tokens.len());
    let help = format!("`{name} = 0` above, or `{name} = {value}`");
    Advice::new(0, &format!("`{name}` has no value yet"), help)
}

/// `if a: if b: …`.
fn two_ifs(line: &ForeignLine<'_>) -> Option<Advice> {
    let colon = line.find(":")?;
    if !line.tokens[0].is("if") || !line.tokens.get(colon + 1)?.is("if") {
        return None;
    }
    let second = line.tokens[colon + 1..].iter().position(|token| token.is(":"))? + colon + 1;
    let (first, other) = (line.between(1, colon), line.between(colon + 2, second));
    let rest = line.between(second + 1, line.tokens.len());
    let help =
        format!("`if {first} and {other}: {rest}`, or the second `if` deeper on its own line");
    Advice::new(colon + 1, "one plain statement follows `:`", help.trim_end().to_owned())
}

/// `repeat 3:`, `repeat until c:`, `loop:`, `while c:`, `next`, `continue`.
fn loops(line: &ForeignLine<'_>) -> Option<Advice> {
    let first = line.tokens.first()?;
    let colon = line.find(":").unwrap_or(line.tokens.len());
    if first.is("repeat") {
        let second = line.tokens.get(1)?;
        if second.is_one_of(&["until", "while"]) {
            let not = if second.is("while") { "not " } else { "" };
            let test = line.between(2, colon);
            return Advice::help(1, format!("`repeat:`, and in it `if {not}{test}: stop`"));
        }
        return second.value().and_then(|most| Advice::help(1, format!("`for i in 1..{most}:`")));
    }
    if first.is("loop") && line.tokens.get(1).is_none_or(|next| next.is(":")) {
        return Advice::help(0, "`repeat:`");
    }
    if first.is_one_of(&["next", "continue"]) && line.tokens.len() == 1 {
        return Advice::help(0, "put what follows behind `if not …:`");
    }
    None
}

/// `for i = 1 to 3`, `for i in 1 to 3`, `for i in n`, `for each y in xs`.
fn counted_loops(line: &ForeignLine<'_>) -> Option<Advice> {
    let tokens = &line.tokens;
    if !tokens.first()?.is("for") {
        return None;
    }
    let colon = line.find(":").unwrap_or(tokens.len());
    if tokens.get(1)?.is("each") {
        return Advice::help(1, format!("`each {}:`", line.between(2, colon)));
    }
    let name = tokens.get(1)?.name()?;
    let sign = tokens.get(2)?;
    if let Some(to) = line.find("to").filter(|to| *to > 3 && !tokens[to - 1].is("down")) {
        let (low, high) = (line.between(3, to), line.between(to + 1, colon));
        let at = if sign.is("in") { to } else { 2 };
        return Advice::help(at, format!("`for {name} in {low}..{high}:`"));
    }
    let only = tokens.get(3)?.value()?;
    let is_alone = sign.is("in") && colon == 4;
    is_alone
        .then(|| Advice::help(colon.min(tokens.len() - 1), format!("`for {name} in 1..{only}:`")))?
}

/// `switch n:`, `unless c:`.
fn other_branches(line: &ForeignLine<'_>) -> Option<Advice> {
    let colon = line.find(":").unwrap_or(line.tokens.len());
    let rest = line.between(1, colon);
    match line.tokens.first()?.text {
        "switch" | "case" if !rest.is_empty() => Advice::help(0, format!("`match {rest}:`")),
        "unless" if !rest.is_empty() => Advice::help(0, format!("`if not {rest}:`")),
        _ => None,
    }
}

/// `x, y = 1, 2`, `x = y = 3`, `x := 3`, `var x = 3`.
fn several_things(line: &ForeignLine<'_>) -> Option<Advice> {
    let problem = "one thing is made on a line";
    let tokens = &line.tokens;
    let (first, second) = (tokens.first()?, tokens.get(1)?);
    if first.is_one_of(&["var", "let", "int", "const", "set"]) && second.name().is_some() {
        let equals = tokens.get(2)?.is("=").then_some(2)?;
        let value = line.between(equals + 1, tokens.len());
        let problem = format!("a variable needs no `{}` before its name", first.text);
        return Advice::new(0, &problem, format!("`{} = {value}`", second.text));
    }
    let name = first.name()?;
    if second.is(",") {
        let (other, equals) = (tokens.get(2)?.name()?, tokens.get(3)?);
        let comma = tokens.iter().skip(4).position(|token| token.is(","))? + 4;
        let (one, two) = (line.between(4, comma), line.between(comma + 1, tokens.len()));
        let help = format!("`{name} = {one}`, below `{other} = {two}`");
        return equals.is("=").then(|| Advice::new(1, problem, help))?;
    }
    if second.is(":") && tokens.get(2)?.is("=") {
        return Advice::help(1, format!("`{name} = {}`", line.between(3, tokens.len())));
    }
    let (other, equals) = (tokens.get(2)?.name()?, tokens.get(3)?);
    let value = line.between(4, tokens.len());
    let help = format!("`{name} = {value}`, below `{other} = {value}`");
    (second.is("=") && equals.is("=")).then(|| Advice::new(3, problem, help))?
}

/// `give x, y`.
fn given_pairs(line: &ForeignLine<'_>) -> Option<Advice> {
    let [give, one, comma, other] = line.tokens.as_slice() else { return None };
    if !give.is("give") || !comma.is(",") {
        return None;
    }
    let (one, other) = (one.name()?, other.name()?);
    let help = format!("`part f(changes {one}, changes {other})` hands two back");
    Advice::new(2, "a part gives one thing", help)
}

/// `choose:`, `choose for won:`.
fn choices(line: &ForeignLine<'_>) -> Option<Advice> {
    if !line.tokens.first()?.is("choose") {
        return None;
    }
    let second = line.tokens.get(1)?;
    if second.is(":") {
        return Advice::help(1, "`choose for highest won:`");
    }
    let goal = line.tokens.get(2)?.name()?;
    let is_bare = second.is("for") && !["highest", "lowest"].contains(&goal);
    is_bare
        .then(|| Advice::help(2, format!("`highest` or `lowest`? `choose for highest {goal}:`")))?
}

/// `pick 2 of xs`, `draw from xs`.
fn drawn(line: &ForeignLine<'_>) -> Option<Advice> {
    let (first, second) = (line.tokens.first()?, line.tokens.get(1)?);
    let draws = first.is("pick") && second.number().is_some() || first.is("draw");
    let from = line.tokens.iter().position(|token| token.is_one_of(&["of", "from"]))?;
    let things = line.tokens.get(from + 1)?.name()?;
    let at = if first.is("draw") { 0 } else { 1 };
    let help = format!("`pick u in {things} by random:` once for each draw");
    draws.then(|| Advice::help(at, help))?
}
