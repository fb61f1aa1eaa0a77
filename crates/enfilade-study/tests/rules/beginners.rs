//! Lines as beginners write them: each has exactly one fault, at the first word that is wrong, and
//! a way out that is in order once it is taken.

use crate::texts::{located, read};

/// A line, the text from its caret on, the help, and the lines that the help leads to.
type Row = (&'static str, &'static str, &'static str, &'static str);

const ROWS: &[Row] = &[
    ("y = nd6", "nd6", "`n d6`", "y = n d6"),
    ("y = d n", "d n", "`d(n)`", "y = d(n)"),
    ("y = die 6", "die 6", "`d6`", "y = d6"),
    ("won = 2d6 vs 7", "vs 7", "a test: `2d6 >= 7`", "won = 2d6 >= 7"),
    ("y = n x d6", "x d6", "`n d6` rolls n dice, `n * d6` multiplies one", "y = n d6"),
    ("total += d6", "total += d6", "`total = 0` above, or `total = d6`", "total = d6"),
    (
        "if a: if won: x = 2",
        "if won",
        "`if a and won: x = 2`, or the second `if` deeper on its own line",
        "if a and won: x = 2",
    ),
    (
        "y = d6 explode 6",
        "explode",
        "dice that go on: `d6 again on 6 up to 3`; `as one` where they count to the same die",
        "y = d6 again on 6 up to 3 as one",
    ),
    (
        "y = exploding d8",
        "exploding",
        "dice that go on: `d8 again on 8 up to 3`; `as one` where they count to the same die",
        "y = d8 again on 8 up to 3",
    ),
    ("y = 4d6 drop lowest", "drop", "`4d6 high 3`", "y = 4d6 high 3"),
    ("y = 4d6 drop highest", "drop", "`4d6 low 3`", "y = 4d6 low 3"),
    ("y = max(3d6)", "max", "the highest of 3: `3d6 high 1`", "y = 3d6 high 1"),
    ("y = best of 3d6", "best", "the highest of 3: `3d6 high 1`", "y = 3d6 high 1"),
    ("y = highest of 2d20", "highest", "the highest of 2: `2d20 high 1`", "y = 2d20 high 1"),
    ("y = min of 2d6", "min", "the lowest of 2: `2d6 low 1`", "y = 2d6 low 1"),
    ("y = max(xs)", "max", "`xs high 1`", "y = xs high 1"),
    ("y = min(xs)", "min", "`xs low 1`", "y = xs low 1"),
    ("ys = sort(xs)", "sort", "`sorted xs`", "ys = sorted xs\n    y = ys[1]"),
    ("y = sum(xs)", "sum", "`sum(x for x in xs)`", "y = sum(x for x in xs)"),
    ("y = length xs", "length", "`length(xs)`", "y = length(xs)"),
    ("xs.append(3)", "append", "`xs = 5 of 0` makes room for five", "ys = 5 of 0\n    y = ys[1]"),
    ("y = xs[0]", "0]", "`xs[1]`", "y = xs[1]"),
    ("y = count(4d6 5+)", "5+", "`>= 5`", "y = count(4d6 >= 5)"),
    ("won = d6 5+", "5+", "`>= 5`", "won = d6 >= 5"),
    ("y = count(3d6, 4)", ", 4", "`count(3d6 >= 4)`", "y = count(3d6 >= 4)"),
    ("y = count 3d6 >= 4", "count", "brackets: `count(3d6 >= 4)`", "y = count(3d6 >= 4)"),
    ("y = n d6 successes 4", "successes", "`count(n d6 >= 4)`", "y = count(n d6 >= 4)"),
    (
        "won = 2d6 doubles",
        "doubles",
        "`a = d6`, `b = d6`, `a == b`",
        "p = d6\n    q = d6\n    won = p == q",
    ),
    ("y = 3dF", "3dF", "`3d3 - 6`", "y = 3d3 - 6"),
    ("y = d6 reroll ones", "ones", "`reroll 1`", "y = d6 reroll 1"),
    ("y = roll(2d6)", "roll", "`x = 2d6`; `d(n)` for 1 to n", "y = 2d6"),
    ("y = roll 2d6", "roll", "`x = 2d6`; `d(n)` for 1 to n", "y = 2d6"),
    ("y = random(1, 6)", "random", "`x = d6`; `d(n)` for 1 to n", "y = d6"),
    ("y = n mod 2", "mod", "`rest(n, 2)`", "y = rest(n, 2)"),
    ("y = n % 2", "% 2", "`rest(n, 2)`", "y = rest(n, 2)"),
    ("y = n ^ 2", "^", "`n * n`", "y = n * n"),
    ("x++", "++", "`x += 1`", "x += 1"),
    (
        "y = round(n / 2)",
        "round",
        "`n / 2` rounds down, `up(n / 2)` up; to the nearest: `(n + 1) / 2`",
        "y = (n + 1) / 2",
    ),
    (
        "y = floor(n / 2)",
        "floor",
        "`n / 2` rounds down, `up(n / 2)` up; to the nearest: `(n + 1) / 2`",
        "y = n / 2",
    ),
    (
        "y = ceil(n / 2)",
        "ceil",
        "`n / 2` rounds down, `up(n / 2)` up; to the nearest: `(n + 1) / 2`",
        "y = up(n / 2)",
    ),
    ("if chance 70%: x = 2", "chance", "`d100 <= 70`", "if d100 <= 70: x = 2"),
    ("if 70%: x = 2", "70%", "`d100 <= 70`", "if d100 <= 70: x = 2"),
    ("if n in 2..4: x = 2", "in 2", "`n >= 2 and n <= 4`", "if n >= 2 and n <= 4: x = 2"),
    ("if n == 1 or 2: x = 2", "2:", "`n == 1 or n == 2`", "if n == 1 or n == 2: x = 2"),
    ("if n is 1 or 2: x = 2", "2:", "`n == 1 or n == 2`", "if n == 1 or n == 2: x = 2"),
    ("if d6: x = 2", "d6", "`if d6 >= 4:`", "if d6 >= 4: x = 2"),
    ("y = if a then 1 else 2", "if a", "`1 if a else 2`", "y = 1 if a else 2"),
    (
        "y = 1 if a else if won: 2",
        "if won",
        "`1 if a else (2 if won)`",
        "y = 1 if a else (2 if won)",
    ),
    ("for i = 1 to 3: x += 1", "= 1", "`for i in 1..3:`", "for i in 1..3: x += 1"),
    ("for i in 1 to 3: x += 1", "to 3", "`for i in 1..3:`", "for i in 1..3: x += 1"),
    ("for i in n: x += 1", ": x", "`for i in 1..n:`", "for i in 1..n: x += 1"),
    ("for each y in xs: x += y", "each", "`each y in xs:`", "each y in xs: x += y"),
    ("repeat 3: x += 1", "3:", "`for i in 1..3:`", "for i in 1..3: x += 1"),
    (
        "repeat until won: x = 2",
        "until",
        "`repeat:`, and in it `if won: stop`",
        "repeat:\n        won = d6 >= 4\n        if won: stop",
    ),
    ("loop: stop", "loop", "`repeat:`", "repeat: stop"),
    ("continue", "continue", "put what follows behind `if not …:`", "if not won: x = 2"),
    ("next", "next", "put what follows behind `if not …:`", "if not won: x = 2"),
    ("if won: continue", "continue", "put what follows behind `if not …:`", "if not won: x = 2"),
    (
        "switch mood:\n        calm: x = 2\n        wild: x = 3",
        "switch",
        "`match mood:`",
        "match mood:\n        calm: x = 2\n        wild: x = 3",
    ),
    (
        "switch n: x = 2",
        "switch",
        "`match n:`",
        "match mood:\n        calm: x = 2\n        else: x = 3",
    ),
    ("unless won: x = 2", "unless", "`if not won:`", "if not won: x = 2"),
    ("y, z = 1, 2", ", z", "`y = 1`, below `z = 2`", "y = 1\n    z = 2"),
    ("y = z = 3", "= 3", "`y = 3`, below `z = 3`", "y = 3\n    z = 3"),
    ("y := 3", ":=", "`y = 3`", "y = 3"),
    ("var y = 3", "var", "`y = 3`", "y = 3"),
    ("let y = 3", "let", "`y = 3`", "y = 3"),
    (
        "choose: x = 2",
        ": x",
        "`choose for highest won:`",
        "choose for highest won:\n        option \"one\": x = 2",
    ),
    (
        "choose for won:",
        "won:",
        "`highest` or `lowest`? `choose for highest won:`",
        "choose for highest won:\n        option \"one\": x = 2",
    ),
    (
        "pick 2 of things: x = 2",
        "2 of",
        "`pick u in things by random:` once for each draw",
        "pick u in things by random: x = 2",
    ),
    (
        "draw from things",
        "draw",
        "`pick u in things by random:` once for each draw",
        "pick u in things by random: x = 2",
    ),
    (
        "y = down(n / 2)",
        "down",
        "`n / 2` rounds down, `up(n / 2)` up; to the nearest: `(n + 1) / 2`",
        "y = n / 2",
    ),
    (
        "y = trunc(n / 2)",
        "trunc",
        "`n / 2` rounds down, `up(n / 2)` up; to the nearest: `(n + 1) / 2`",
        "y = n / 2",
    ),
    (
        "y = int(n / 2)",
        "int",
        "`n / 2` rounds down, `up(n / 2)` up; to the nearest: `(n + 1) / 2`",
        "y = n / 2",
    ),
    ("x = 6 or 7", "7", "`x == 6 or x == 7`", "won = x == 6 or x == 7"),
    ("y = 4d6kh3", "d6kh3", "the best two of three: `3d6 high 2`", "y = 4d6 high 3"),
    ("y = 4d6kl1", "d6kl1", "the worst two of three: `3d6 low 2`", "y = 4d6 low 1"),
    ("y = 3d6 keep 2", "keep", "the best two of three: `3d6 high 2`", "y = 3d6 high 2"),
    (
        "y = 2d6!",
        "!",
        "dice that go on: `d6 again on 6 up to 3`; not equal: `a != b`; not: `not a`",
        "y = d6 again on 6 up to 3",
    ),
    (
        "if !a: x = 2",
        "!a",
        "dice that go on: `d6 again on 6 up to 3`; not equal: `a != b`; not: `not a`",
        "if not a: x = 2",
    ),
    ("if n => 3: x = 2", "=>", "at least is written `>=`", "if n >= 3: x = 2"),
    (
        "while n > 2: x += 1",
        "while",
        "`repeat:` with `if c: stop` in it",
        "repeat:\n        x += 1\n        if x > 2: stop",
    ),
    ("elif a: x = 2", "elif", "`else if c:`", "if n > 5: x = 3\n    else if a: x = 2"),
    ("y = n ** 2", "** 2", "`n * n`", "y = n * n"),
    ("y -= 1", "y", "`y = 0` above, or `y = 1`", "y = 1"),
    (
        "print x",
        "print",
        "`show x` at the end of the action; for `explain` `note \"{x}\"`",
        "note \"{x}\"",
    ),
    ("y = len(xs)", "len", "`length(xs)`", "y = length(xs)"),
    ("y = 1D6", "D6", "dice have a small d: `2d6`", "y = 1d6"),
    ("y = 0.5 * n", ".5", "numbers are whole: half of x is `x / 2`", "y = n / 2"),
    ("won = true", "true", "`yes`", "won = yes"),
    ("won = false", "false", "`no`", "won = no"),
    ("won = 1", "1", "a test such as `x > 0` is a yes or no", "won = x > 0"),
    ("y = \"big\"", "\"big", "write words without quotes", "y = 1 if mood is wild else 2"),
    ("# a remark", "#", "a remark begins with `--`", "-- a remark\n    x = 2"),
    ("// a remark", "//", "a remark begins with `--`", "-- a remark\n    x = 2"),
    ("y = a ? 1 : 2", "? 1", "one of two: `a if c else b`", "y = 1 if a else 2"),
    ("y = n to 5", "to 5", "a range is `1..10`", "for i in 1..5: x += i"),
    ("y = 6+", "6+", "`>= 6`", "won = d6 >= 6"),
    ("roll d6", "roll", "`x = d6`; `d(n)` for 1 to n", "x = d6"),
];

fn file(line: &str) -> String {
    format!(
        "game \"g\"\nwords mood: calm, wild\nfield n: 0..9 = 3\nfield a: yes/no = no\nfield mood: mood = calm\n\
         action act:\n    x = 1\n    won = no\n    xs = [1, 2, 3]\n    things = bag of 3 with hurt = 0\n    {line}\n    \
         show x\n    show won\n"
    )
}

#[test]
fn a_beginner_writes_ninety_lines() {
    assert!(ROWS.len() >= 90, "{}", ROWS.len());
}

#[test]
fn the_file_around_is_in_order() {
    assert!(located(&file("x = 2")).is_empty(), "{:?}", located(&file("x = 2")));
}

#[test]
fn each_line_has_one_fault_with_a_way_out() {
    let mut wrong = Vec::new();
    for (line, caret, help, _) in ROWS {
        let text = file(line);
        let place = text.find(&format!("    {line}\n")).expect("it is there") + 4;
        let at = place + line.find(caret).unwrap_or_else(|| panic!("{line}: {caret}"));
        let found = located(&text);
        let told: Vec<_> = found
            .iter()
            .map(|fault| {
                let start = fault.span.start;
                (
                    text[start..].chars().take(12).collect::<String>(),
                    fault.fault.problem.clone(),
                    fault.fault.help.clone(),
                )
            })
            .collect();
        let is_right = matches!(found.as_slice(), [one] if one.span.start == at
            && one.fault.help.as_deref() == Some(*help));
        if !is_right {
            wrong.push(format!("{line}\n    expected at {caret:?}: {help}\n    {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), ROWS.len(), wrong.join("\n"));
}

#[test]
fn each_way_out_is_in_order_once_it_is_taken() {
    let mut wrong = Vec::new();
    for (line, _, _, taken) in ROWS {
        let text = file(taken);
        if read(&text).is_err() {
            wrong.push(format!("{line}: {taken}: {:?}", located(&text)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Outside a rule: a field, and a part that gives two things.
#[test]
fn fields_and_parts_have_ways_out() {
    let text = "game \"g\"\nfield hp = 10\naction a:\n    x = hp\n    show x\n";
    let found = located(text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(&text[found[0].span.start..][..4], "= 10");
    assert_eq!(found[0].fault.problem, "`field` takes what the value may be");
    assert_eq!(found[0].fault.help.as_deref(), Some("`field hp: 1..20 = 10`"));
    assert!(read(&text.replace("hp = 10", "hp: 1..20 = 10")).is_ok());
    let text = "game \"g\"\ndie battle:\n    hit 2\n    miss 4\naction a:\n    x = 1\n    show x\n";
    let found = located(text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(&text[found[0].span.start..][..6], "battle");
    assert_eq!(found[0].fault.help.as_deref(), Some("`die battle: hit 2, miss 4`"));
    let text = "game \"g\"\npart f(x, y):\n    give x, y\naction a:\n    z = f(1, 2)\n    show z\n";
    let found = located(text);
    assert_eq!(found[0].fault.problem, "a part gives one thing");
    let help = "`part f(changes x, changes y)` hands two back";
    assert_eq!(found[0].fault.help.as_deref(), Some(help));
}

/// A sum whose last die keeps itself alone is a warning: the list of both dice is meant.
#[test]
fn a_pool_that_keeps_every_die_is_a_warning() {
    let text = |value: &str| format!("game \"g\"\naction a:\n    x = {value}\n    show x\n");
    let warned = |value: &str| -> Vec<(String, Option<String>)> {
        let warnings = read(&text(value)).expect("it is in order").warnings;
        warnings.into_iter().map(|one| (one.fault.problem, one.fault.help)).collect()
    };
    let help = Some("write `[d6, d8] high 1`".to_owned());
    assert_eq!(warned("d6 + d8 high 1"), [("`high 1` keeps every die of `d8`".to_owned(), help)]);
    assert_eq!(warned("[d6, d8] high 1"), []);
    assert_eq!(warned("d6 + 2d8 high 1"), []);
    let kept = "remove `low 2`, or keep fewer than 2";
    assert_eq!(
        warned("2d6 + 2d8 low 2"),
        [("`low 2` keeps every die of `2d8`".to_owned(), Some(kept.to_owned()))]
    );
}
