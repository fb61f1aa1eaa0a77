//! What a rulebook would do in silence and not as its author means: it is a fault, or a remark that
//! asks.

use enfilade_model::error::{FaultWithByteSpan, InputError};
use enfilade_rules::read_without_built_in_base;

fn told(text: &str, found: &[FaultWithByteSpan]) -> Vec<(usize, String)> {
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    let said = |found: &FaultWithByteSpan| {
        let help = found.fault.help.iter().map(|help| format!("; {help}")).collect::<String>();
        (line(found.span.start), found.fault.problem.clone() + &help)
    };
    found.iter().map(said).collect()
}

/// What is said of lines, by their numbers.
type Said = Vec<(usize, String)>;

/// Remarks on a text, or its faults.
fn said(text: &str) -> Result<Said, Said> {
    match read_without_built_in_base("m", "m.rules", text, &|_| Err("nothing is read here".into()))
    {
        Ok(rulebook) => Ok(told(text, &rulebook.warnings)),
        Err(InputError { faults, .. }) => Err(told(text, &faults)),
    }
}

#[track_caller]
fn faulty(text: &str, line: usize, words: &str) {
    let faults = said(text).expect_err("it has a fault");
    assert!(faults.iter().any(|(at, said)| *at == line && said.contains(words)), "{faults:?}");
}

#[track_caller]
fn remarked(text: &str, line: usize, words: &str) {
    let remarks = said(text).unwrap_or_else(|faults| panic!("{faults:?}"));
    assert!(remarks.iter().any(|(at, said)| *at == line && said.contains(words)), "{remarks:?}");
}

#[track_caller]
fn in_silence(text: &str) {
    assert_eq!(said(text), Ok(Vec::new()), "{text}");
}

/// A rule with a part that is called with the wounds of the action.
fn with_part(part: &str) -> String {
    format!(
        "{part}action a:\n    wounds = 0\n    hurt(wounds)\n    if d6 is 1: wounds = 2\n    show wounds\n"
    )
}

#[test]
fn a_parameter_that_is_changed_in_vain_is_a_fault() {
    for lost in [
        "w += d6",
        "w = w + d6",
        "if d6 >= 4: w = 1",
        "for i in 1..2: w += d6",
        "repeat:\n        w = (w + 1) at most 9\n        if d6 is 6: stop",
    ] {
        let text = with_part(&format!("part hurt(w):\n    {lost}\n"));
        let line = if lost.starts_with("repeat") { 3 } else { 2 };
        faulty(&text, line, "changing `w` has no effect: `hurt` changes a copy");
        faulty(&text, line, "write `part hurt(changes w):`");
        in_silence(&text.replace("hurt(w):", "hurt(changes w):"));
    }
    // Through another part, and in a list.
    let through = "part hit(changes n):\n    n += d6\npart hurt(w):\n    hit(w)\n";
    faulty(&with_part(through), 4, "changing `w` has no effect");
    let list = "part hurt(xs, k):\n    xs[k] = d6\naction a:\n    hits = [0, 0]\n    hurt(hits, 1)\n    \
                show hits_of_one = hits[1]\n";
    faulty(list, 2, "write `part hurt(changes xs, k):`");
}

/// A parameter is a variable of the part too.
#[test]
fn a_parameter_that_is_read_again_is_changed_for_something() {
    for used in [
        "w = w at most 3\n    give w * 2",
        "w += d6\n    if w > 3: give 1\n    give 0",
        "for i in 1..3:\n        if w > 2: give i\n        w += d6\n    give 0",
        "repeat:\n        w -= 1\n        if w < 1: stop\n    give d6",
        "if d6 is 1: w += 1\n    note \"{w}\"\n    give 1",
    ] {
        in_silence(&format!("part f(w):\n    {used}\naction a:\n    x = f(3)\n    show x\n"));
    }
}

#[test]
fn nobody_chooses_for_what_is_only_kept() {
    let rule = "action a:\n    x = 0\n    choose for highest x:\n        option \"go\": x = d6\n        \
                option \"stay\": x = 3\n    keep x\n    show hit = x > 3\n";
    faulty(
        rule,
        3,
        "`x` is only kept, and the goal of a choice must be shown; write `show x` for `keep x`",
    );
    in_silence(&rule.replace("keep x", "show x"));
}

#[test]
fn the_index_of_a_list_is_read() {
    in_silence("action a:\n    xs = [0, 0, 0]\n    k = d3\n    xs[k] = 5\n    show one = xs[1]\n");
    in_silence(
        "field n: 1..3 = 2\naction a:\n    xs = [0, 0, 0]\n    xs[n] = d6\n    show one = xs[1]\n",
    );
    remarked("action a:\n    k = d3\n    x = d6\n    show x\n", 2, "nothing reads `k`");
}

#[test]
fn a_field_without_a_kind_is_told_at_its_line() {
    let text = "game \"G\"\n\nfield hp = 10\naction a:\n    x = d6 + hp\n    show x\n";
    assert_eq!(
        said(text),
        Err(vec![(3, "`field` takes what the value may be; `field hp: 1..20 = 10`".to_owned())])
    );
    faulty(&text.replace(" = 10", ""), 3, "write `field hp: KIND`; `yes/no` for a switch");
}

const CHOICES: &str = "action a:\n    x = 0\n    choose for highest x:\n        option \"run\": x = 1\n        \
                       option \"hide\": x = 2\n    y = 0\n    choose for lowest x:\n        option \"high\": \
                       x += 1\n        option \"low\": x += d3\n    show x\n";

#[test]
fn a_choice_that_knows_that_of_the_other_side_says_so() {
    let choices = CHOICES.replace("    y = 0\n", "");
    remarked(
        &choices,
        6,
        "this choice knows `x` of line 3; if the player has not seen it, add `, blind to x` before the `:`",
    );
    // A die between them, or one side alone: nothing to be said.
    let die = CHOICES.replace("y = 0", "y = d6").replace("show x\n", "show x\n    show y\n");
    in_silence(&die);
    in_silence(&choices.replace("lowest", "highest"));
}

/// What happens in between is no reason not to tell.
#[test]
fn a_choice_knows_that_of_the_other_side_however_many_lines_are_between() {
    for between in 0..5 {
        let lines = "    y += 1\n".repeat(between);
        let text = CHOICES.replace("    y = 0\n", &lines).replacen(
            "    x = 0\n",
            "    x = 0\n    y = 0\n",
            1,
        );
        let text = text.replace("show x\n", "show x\n    show y\n");
        remarked(&text, 7 + between, "this choice knows `x` of line 4");
    }
}

/// What the second side cannot use is not worth a remark.
#[test]
fn a_choice_knows_nothing_of_what_is_forgotten_before_it() {
    let rule = |line: &str, choice: &str| {
        format!(
            "action a:\n    x = 0\n    k = 0\n    choose for highest x:\n        option \"run\": k = 1\n        \
             option \"hide\": k = 2\n{line}    {choice} for lowest z:\n        option \"low\": z = d2\n        \
             option \"high\": z = d3\n    show x\n    show z\n    measure e = mean(t)\n"
        )
    };
    in_silence(&rule("    z = 0\n    tally t += k\n", "choose"));
    // How far the second side may go is no secret to it, and nothing is left of it afterwards.
    let bounds = "action a:\n    k = 1\n    z = 0\n    choose for highest z:\n        option \"run\": k = 2\n        \
                  option \"hide\": k = 3\n    choose n in 1..k for lowest z: z = n d6\n    show z\n";
    in_silence(bounds);
    let after = bounds.replace("n d6\n", "n d6 + k\n");
    remarked(&after, 7, "this choice knows `k` of line 4");
}

#[test]
fn a_pool_that_keeps_all_of_its_dice_is_asked_about() {
    let rule = |value: &str| format!("action a:\n    x = {value}\n    show x\n");
    for (value, words) in [
        ("d6 + d8 high 1", "`high 1` keeps every die of `d8`; write `[d6, d8] high 1`"),
        ("d6 + d8 low 1", "`low 1` keeps every die of `d8`"),
        ("2d6 + 2d8 high 2", "`high 2` keeps every die of `2d8`; remove `high 2`"),
    ] {
        remarked(&rule(value), 2, words);
    }
    for meant in ["d6 + 2d8 high 1", "[d6, d8] high 1", "2d6 + 3d8 high 2"] {
        in_silence(&rule(meant));
    }
}

#[test]
fn a_sum_that_every_die_could_pass_is_asked_about() {
    let rule = |value: &str| {
        format!(
            "field n: 1..4 = 2\nfield skill: 2..6 = 4\naction a:\n    hits = {value}\n    show hits\n    show s = skill + n\n"
        )
    };
    for (value, count) in [
        ("3d6 >= 4", "count(3d6 >= 4)"),
        ("n d6 >= skill", "count(n d6 >= skill)"),
        ("2d10 > 9", "count(2d10 > 9)"),
    ] {
        let asked = format!("`{value}` tests the sum of the dice; write `{count}`");
        remarked(&rule(value), 4, &asked);
    }
    for meant in
        ["(3d6) >= 4", "2d6 >= 8", "d6 >= 4", "3d6 high 1 >= 4", "count(3d6 >= 4)", "2d10 > 10"]
    {
        in_silence(&rule(meant));
    }
}

/// What somebody writes at first, and what is said of it.
#[test]
fn habits_are_told_what_is_written_here() {
    let rule = |line: &str| format!("field skill: 2..6 = 4\naction a:\n    {line}\n    show x\n");
    faulty(&rule("roll 2d6"), 3, "`x = 2d6`");
    faulty(&rule("hits 2d6"), 3, "`x = 2d6`");
    faulty(&rule("x = 1 if d6 => skill else 0"), 3, "`=>` is not a test; at least is written `>=`");
    faulty(&rule("x = d6 =< skill"), 3, "at most is written `<=`");
    let data = "weapons:\n    name   shots\n    rifle  1\naction a:\n    x = d6\n    show x\n";
    faulty(data, 1, "`data weapons:` has rows of things below it");
    faulty("actoin a:\n    x = d6\n    show x\n", 1, "did you mean `action`?");
}

#[test]
fn two_actions_that_look_alike_are_a_fault() {
    let two = |name: &str| {
        format!("action go:\n    x = d6\n    show x\naction {name}:\n    x = d4\n    show x\n")
    };
    faulty(&two("g\u{43e}"), 4, "looks like the action `go`: it has U+043E where that has U+006F");
    in_silence(&two("stop_there"));
    // Plain letters are told apart by whoever writes them, and words of one script are words.
    in_silence(&two("rn").replace("action go", "action m"));
    in_silence(&two("идти"));
    let fields = "field cover: 0..3 = 1\nfield сover: 0..3 = 1\naction a:\n    x = d6 + cover + сover\n    show x\n";
    faulty(fields, 2, "looks like the name `cover`");
}

/// The remedy can be written: `blind to` names whole lists and throws.
#[test]
fn a_choice_that_knows_a_list_or_a_throw_is_told_to_hide_the_whole() {
    let rule = |begins: &str, one: &str, two: &str, hidden: &str| {
        format!(
            "die red: hit 1, miss 1\naction a:\n    {begins}\n    x = 0\n    choose for highest x:\n        \
             option \"a\":\n            {one} = 1\n            {two} = 2\n        option \"b\":\n            {one} = 2\n            \
             {two} = 1\n    choose for lowest x{hidden}:\n        option \"c\": x = {one}\n        \
             option \"d\": x = {two}\n    roll = d6\n    show x\n    show roll\n"
        )
    };
    for (begins, one, two, whole) in
        [("xs = [0, 0]", "xs[1]", "xs[2]", "xs"), ("t = 1 red", "t.hit", "t.miss", "t")]
    {
        let asked = format!(
            "knows `{one}`, `{two}` of line 5; if the player has not seen it, add `, blind to {whole}` before the `:`"
        );
        remarked(&rule(begins, one, two, ""), 12, &asked);
        in_silence(&rule(begins, one, two, &format!(", blind to {whole}")));
    }
}

/// A part may have a variable of the same name: one is enough to be told.
#[test]
fn a_choice_in_a_part_knows_a_name_once() {
    let text = "part second(x):\n    x += 1\n    y = 0\n    choose for lowest all:\n        \
                option \"once\": y = x\n        option \"twice\": y = 2 * x\n    give y\naction a:\n    x = 0\n    \
                choose for highest all:\n        option \"one\": x = 1\n        option \"two\": x = 2\n    \
                y = second(x)\n    roll = d6\n    show all = x + y + roll\n";
    remarked(
        text,
        4,
        "this choice knows `x` of line 10; if the player has not seen it, add `, blind to x`",
    );
}

/// Whoever adds in a loop without an end has to bound, test or assign the sum somewhere.
#[test]
fn a_number_that_a_loop_only_adds_to_is_a_fault() {
    let text =
        |lines: &str| format!("action a:\n    x = 0\n    repeat:\n        {lines}\n    show x\n");
    let end = "\n        if d6 is 6: stop";
    faulty(&text(&format!("x += 1{end}")), 4, "`x` grows without bound");
    for bounded in [
        format!("x = x + 1 at most 9{end}"),
        format!("x += 1\n        if d6 > 4: x = 0{end}"),
        "x += d6\n        if x > 10: stop".to_owned(),
    ] {
        in_silence(&text(&bounded));
    }
}
