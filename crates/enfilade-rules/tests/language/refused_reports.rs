//! Shows and measures that are refused where the file is read, each with its line and its remedy.

use super::told::faults;

/// The only fault of a rule of one die with these lines below its first show, in line 4.
#[track_caller]
fn fault_of_report(top: &str, lines: &str) -> (usize, String, String) {
    let text = format!("game \"m\"\n{top}action a:\n    x = d6\n    show x\n{lines}");
    let mut told = faults(&text);
    assert_eq!(told.len(), 1, "{text}: {told:?}");
    told.remove(0)
}

fn told(line: usize, problem: &str, help: &str) -> (usize, String, String) {
    (line, problem.to_owned(), help.to_owned())
}

#[test]
fn a_figure_has_a_factor_that_there_is() {
    let measured = |figure: &str| fault_of_report("", &format!("    measure m = {figure}\n"));
    // 65 537 is prime and 65 539 is prime: their product is above 2³².
    let problem = "the divisors of this measure are too large together";
    assert_eq!(measured("mean(x) / 65537 + mean(x) / 65539"), told(5, problem, ""));
    assert_eq!(measured("mean(x) / 0"), told(5, "nothing can be divided by 0", ""));
}

#[test]
fn a_tally_is_compared_once_with_a_number() {
    for figure in
        ["not (rolls <= 3)", "rolls <= rolls + 1", "rolls <= 3 and rolls > 1", "rolls != 2"]
    {
        let text = format!(
            "game \"m\"\naction a:\n    tally rolls\n    x = d6\n    show x\n    measure p = chance({figure})\n"
        );
        let help = "`chance(rounds <= 6)`, `chance(won and rounds <= 6)`";
        let expected = told(6, "a tally is compared once with a number", help);
        assert_eq!(faults(&text), [expected], "{figure}");
    }
}

#[test]
fn no_two_shows_have_one_column() {
    let top = "words mood: steady, pinned\n";
    let text = format!(
        "game \"m\"\n{top}action a:\n    state = steady\n    if d6 > 3: state = pinned\n    state_pinned = d6\n    \
         show state\n    show state_pinned\n"
    );
    let problem = "`state_pinned` and `state` both have a column `state_pinned`";
    assert_eq!(faults(&text), [told(8, problem, "give it another name")]);
}

#[test]
fn a_part_that_the_report_calls_shows_something() {
    let silent = "part p(k):\n    j = k\n";
    let problem = "there is no part `p` that shows something";
    assert_eq!(fault_of_report(silent, "    p(x)\n"), told(7, problem, ""));
    let shown = "part p(k):\n    y = k + 1\n    show y\n";
    let problem = "this part takes 1 values, not 2";
    assert_eq!(fault_of_report(shown, "    p(x, x)\n"), told(8, problem, ""));
    let again = "part p(k):\n    y = k + 1\n    show y\n    p(y)\n";
    assert_eq!(fault_of_report(again, "    p(x)\n"), told(5, "`p` calls itself", ""));
    let missing = "part p(k):\n    y = k + 1\n    show y\n    show wyvern\n";
    let help = "`show wyvern = …`";
    let expected = told(5, "there is no variable `wyvern`", help);
    assert_eq!(fault_of_report(missing, "    p(x)\n"), expected);
}

#[test]
fn an_action_has_at_most_32_shows_and_32_measures() {
    let line = |at: usize| format!("    show y{at} = x + {at}\n");
    let shows: String = (1..=32).map(line).collect();
    let expected = told(36, "an action has at most 32 `show` lines", "");
    assert_eq!(fault_of_report("", &shows), expected);
    let line = |at: usize| format!("    measure m{at} = chance(x > {at})\n");
    let measures: String = (0..33).map(line).collect();
    assert_eq!(fault_of_report("", &measures), told(37, "an action has at most 32 measures", ""));
    let measures: String = (0..32).map(line).collect();
    let text = format!("game \"m\"\naction a:\n    x = d6\n    show x\n{measures}");
    let none = |_: &str| Err("there are no files here".to_owned());
    assert!(enfilade_rules::read_without_built_in_base("m", "m.rules", &text, &none).is_ok());
}

/// A part that shows something may be called once: its second call shows the same again.
#[test]
fn nothing_is_shown_or_measured_twice() {
    let help = "give it another name";
    assert_eq!(fault_of_report("", "    show x\n"), told(5, "`x` is shown already", help));
    let part = "part p(k):\n    y = k + 1\n    show y\n    measure m = mean(y)\n";
    let twice =
        fault_of_report(&part.replace("    measure m = mean(y)\n", ""), "    p(x)\n    p(x + 1)\n");
    assert_eq!(twice, told(4, "`y` is shown already", help));
    let measured = fault_of_report(part, "    p(x)\n    measure m = mean(x)\n");
    assert_eq!(measured, told(10, "`m` is measured already", help));
}
