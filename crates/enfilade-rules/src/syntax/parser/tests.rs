use super::*;
use crate::syntax::ast::{ExprKind, ShowMeasureOrCarryLine, StmtKind, TypeExpr};

const BRIDGEHEAD: &str = r#"
game "Bridgehead"
date 2026-11-21
words mood: steady, pinned "keeps its head down", routed
data weapons:                                        -- things with numbers
    name    shots  power
    rifles  1      0
    mortar  2      2
group "the target"
field models: 1..10 = 6  "models in the target"
field cover:  0..3 = 1   "0 open … 3 bunker" rare (4.2)
field weapon: one of weapons = rifles
table to_hit:
    columns    0  1  2  3
    close      3  3  4  5
    long       5  6  6  7
field reach: close or long = close
action fire "one volley":
    hits = count((4 * weapon.shots) d6 >= to_hit(reach, cover))
    lost = hits - count(hits d6 >= 5) at most models
    mood = steady
    if lost > 0 and 2d6 + lost > 8: mood = pinned
    show lost  "models lost"   harm
    show mood  "their morale"  harm
    measure p_pin = chance(mood is pinned) "pinned"
"#;

fn fault_texts(text: &str) -> Vec<String> {
    let mut faults = Faults::default();
    parse_rulebook_file(text, &mut faults);
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    let faults = faults.into_sorted().into_iter();
    faults.map(|f| format!("{}: {}", line(f.span.start), f.fault.problem)).collect()
}

#[test]
fn the_page_for_designers_is_read_without_a_fault() {
    assert_eq!(fault_texts(BRIDGEHEAD), Vec::<String>::new());
    let file = parse_rulebook_file(BRIDGEHEAD, &mut Faults::default());
    assert_eq!((file.game.as_str(), file.about[0].1.as_str()), ("Bridgehead", "2026-11-21"));
    let names: Vec<_> = file.declarations.iter().map(|d| d.name.text.as_str()).collect();
    assert_eq!(names, ["mood", "weapons", "models", "cover", "weapon", "to_hit", "reach", "fire"]);
    let DeclarationKind::Field(cover) = &file.declarations[3].kind else {
        panic!("cover is a field")
    };
    assert!(matches!(cover.kind, TypeExpr::Range(0, 3, _)));
    assert!(
        cover.annotations.rare && cover.annotations.rule == "4.2" && cover.group == "the target"
    );
    let DeclarationKind::Action(fire) = &file.declarations[7].kind else {
        panic!("fire is an action")
    };
    assert_eq!((fire.body.len(), fire.shows.len()), (4, 3));
    assert!(matches!(fire.body[3].kind, StmtKind::If(..)));
    assert!(matches!(fire.shows[2], ShowMeasureOrCarryLine::Measure { .. }));
}

#[test]
fn expressions_bind_as_they_are_read() {
    let text = "action a:\n    x = 1 + 2 * n d6 high 2 at most 6\n    y = (2 if a is b and not c)\n    show x\n";
    assert_eq!(fault_texts(text), Vec::<String>::new());
    let file = parse_rulebook_file(text, &mut Faults::default());
    let DeclarationKind::Action(action) = &file.declarations[0].kind else { panic!("an action") };
    let StmtKind::Assign(_, 0, crate::syntax::ast::AssignedValue::One(x)) = &action.body[0].kind
    else {
        panic!("x is given a value")
    };
    let ExprKind::Binary(crate::syntax::ast::Operator::AtMost, sum, _) = &x.kind else {
        panic!("the whole sum is bounded: {x:?}")
    };
    assert!(matches!(sum.kind, ExprKind::Binary(crate::syntax::ast::Operator::Add, ..)));
}

#[test]
fn all_faults_of_a_file_are_told_each_with_its_place() {
    let text = "feild x: 1..6\naction a:\n    if x = 3:\n        y = 1\n    z = a and b or c\n    \
                w = d6 again on 6\n    note \"open\n    else: stop\n    show x\n";
    let expected = [
        "1: there is no declaration `feild`",
        "3: `=` assigns a value; test with `==` or `is`",
        "5: `and` and `or` are mixed without brackets",
        "6: `again` needs `up to`: how many more dice at most?",
        "7: this text has no closing quote on its line",
    ];
    assert_eq!(fault_texts(text), expected);
    // The faulty line above may have been the `if`. An `else` after valid lines is reported.
    let alone = "action a:\n    y = 1\n    else: stop\n    show y\n";
    assert_eq!(fault_texts(alone), ["3: there is no `if` above this `else`"]);
}

#[test]
fn a_bound_of_a_step_is_no_bound_of_what_is_stepped() {
    let of = |line: &str| {
        fault_texts(&format!("action a:\n    x = 0\n    n = d6\n    {line}\n    show x\n"))
    };
    assert_eq!(of("x += 1 at most 8"), ["4: `at most 8` bounds the 1, and not `x`"]);
    assert_eq!(of("x -= 2 at least 0"), ["4: `at least 0` bounds the 2, and not `x`"]);
    assert_eq!(of("x += n at most 3"), Vec::<String>::new());
    assert_eq!(of("x += 2 at most n"), Vec::<String>::new());
    // In brackets the bound of the step is intended.
    assert_eq!(of("x += (1 at most 8)"), Vec::<String>::new());
}

#[test]
fn brackets_without_end_are_a_fault_and_no_end_of_the_program() {
    let deep = format!("action a:\n    x = {}1\n    show x\n", "(".repeat(300));
    assert!(fault_texts(&deep).iter().any(|fault| fault.contains("at most 32 deep")));
    let minus = format!("action a:\n    x = {}1\n    show x\n", "- ".repeat(150));
    assert!(fault_texts(&minus).iter().any(|fault| fault.contains("at most 32 deep")));
}

/// `check` begins a condition of a contest, and may nevertheless be the name of a part.
#[test]
fn words_that_are_read_by_their_place_may_be_names() {
    let text = "data guns:\n    name  shots\n    \"light gun\"  2\n\
                field gun: one of guns = \"light gun\"\n\
                part check(u, changes n) (A10.3): n += 1\n\
                action a:\n    field low: 1..6 = 2\n    check low < 6 \"too low\"\n    n = 0\n    \
                check(low, n)\n    show n\n";
    assert_eq!(fault_texts(text), Vec::<String>::new());
    let file = parse_rulebook_file(text, &mut Faults::default());
    let DeclarationKind::Action(action) = &file.declarations[3].kind else { panic!("an action") };
    assert_eq!((action.items.len(), action.body.len()), (2, 2));
    assert!(matches!(action.body[1].kind, StmtKind::Call(_)));
}
