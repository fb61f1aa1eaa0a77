//! What is wrong with a rulebook, in words and with its line.

use enfilade::error::Error;
use enfilade::rulebook::read;

/// Faults of a text, each with its line.
fn faults(text: &str) -> Vec<(usize, String, String)> {
    let none = |_: &str| Err("there are no files here".to_owned());
    let Err(Error::Input { faults, .. }) = read("m", "m.rules", text, &none) else {
        panic!("it should be refused:\n{text}");
    };
    let told = faults.into_iter().map(|located| {
        let line = text[..located.span.start].matches('\n').count() + 1;
        let help = located.fault.help.unwrap_or_default();
        (line, located.fault.problem, help)
    });
    told.collect()
}

#[test]
fn what_is_shown_has_a_value_wherever_the_rule_ends() {
    // The register of the die stood in the place of `x` before.
    let text = "game \"m\"\naction a:\n    if d6 > 3:\n        y = 7\n        z = y + d6\n        \
                if z > 10: end\n    x = 1\n    show x\n    show more = x + 1\n";
    let problem = "`x` has no value where the rule ends before it is made".to_owned();
    let help = "give it one before the first `end`".to_owned();
    let told = |line| (line, problem.clone(), help.clone());
    assert_eq!(faults(text), [told(8), told(9)]);
    // A part may end the action too, before it gives a value.
    let text = "game \"m\"\npart p():\n    if d6 == 1: end\n    give 3\naction a:\n    x = p()\n    show x\n";
    assert_eq!(faults(text), [told(7)]);
}

#[test]
fn nothing_ends_behind_the_end() {
    let text = "game \"m\"\npart told(n):\n    k = n\n    if n > 3: end\n    show k\naction a:\n    \
                x = d6\n    show x\n    told(x)\n";
    let problem = "the rule has ended here already: this part is called among what is shown";
    let help = "put what follows under an `if`";
    assert_eq!(faults(text), [(4, problem.to_owned(), help.to_owned())]);
}
