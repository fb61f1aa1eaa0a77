//! What an editor offers: names while a line is typed, and mends that are tried before they are
//! offered.

use std::cell::Cell;

use enfilade_model::catalogue::Catalogue;
use enfilade_model::error::FaultWithByteSpan;
use enfilade_model::form::Fault;
use enfilade_rules::tools::formatter::format_rulebook_text;
use enfilade_rules::tools::mends::find_mends;
use enfilade_rules::tools::name_completions::{NameRole, complete_at, complete_with_bases};

/// A fault about these bytes with this help.
fn fault(problem: &str, help: &str, span: std::ops::Range<usize>) -> FaultWithByteSpan {
    FaultWithByteSpan { fault: Fault::new("", problem.to_owned()).with_help(help.to_owned()), span }
}

/// The text after the mend of a fault, if every try is good.
fn mended(text: &str, found: FaultWithByteSpan) -> Option<String> {
    let mends = find_mends(text, &[found], |_| Vec::new());
    mends.into_iter().next().flatten().map(|mend| mend.apply(text))
}

#[test]
fn a_mend_changes_the_text_and_joins_no_words() {
    let near = "did you mean `hits`?";
    for (text, span, help, expected) in [
        ("show hit", 5..8, near, Some("show hits")),
        // The same text is no change.
        ("hits", 0..4, near, None),
        // A name beside the place would grow together with the new one, so the rest of the line
        // gives way, or all of it.
        ("show _hit", 6..9, near, Some("hits")),
        ("show xhit", 6..9, near, Some("hits")),
        ("show hit_b", 5..8, near, Some("show hits")),
        ("show hitb", 5..8, near, Some("show hits")),
        // A place that ends within a letter is none.
        ("show hä", 5..7, near, Some("show hits")),
        // A general example is not written into the line.
        ("x = a", 4..5, "`x = a + …` adds more", None),
        ("x = a", 4..5, "write `x = b`", None),
        // Its own names, and the `d` of dice, may stand in another order.
        ("x = (n)d(m)", 4..11, "write `n d(m)`", Some("x = n d(m)")),
    ] {
        let found = mended(text, fault("it is wrong", help, span));
        assert_eq!(found.as_deref(), expected, "{text}");
    }
}

/// The second fault is where the first mend moved it, a letter further on.
#[test]
fn each_of_two_faulty_lines_has_its_mend() {
    let text = "show hit\nshow mis\n";
    let check = |text: &str| {
        let wrong = ["hit\n", "mis\n"].into_iter().filter_map(|word| text.find(word));
        wrong.map(|at| fault("", "", at..at + 3)).collect()
    };
    let faults = [("hits", 5), ("miss", 14)]
        .map(|(near, at)| fault("", &format!("did you mean `{near}`?"), at..at + 3));
    let mends = find_mends(text, &faults, check);
    let mended = mends.iter().map(|mend| mend.as_ref().map(|mend| mend.apply(text)));
    let expected = ["show hits\nshow mis\n", "show hit\nshow miss\n"];
    assert_eq!(mended.collect::<Vec<_>>(), expected.map(|text| Some(text.to_owned())));
}

/// Only the wrong word gives way, wherever it is in what is underlined.
#[test]
fn a_mend_replaces_the_word_that_the_problem_names() {
    let text = "x = 1 + hit + 2";
    let found = fault("there is no `hit`", "did you mean `hits`?", 4..15);
    assert_eq!(mended(text, found).as_deref(), Some("x = 1 + hits + 2"));
}

#[test]
fn nothing_is_offered_in_remarks_texts_and_numbers() {
    let offered = |line: &str| !names(line, "").is_empty();
    assert!(offered("    x = fir"));
    for line in ["    x = 1 -- fir", "-- fir", "    note \"fir", "    x = 3d"] {
        assert!(!offered(line), "{line}");
    }
    assert!(offered("    note \"hit\" if fir"));
}

#[test]
fn a_file_is_tried_a_limited_number_of_times() {
    let text = "show hit\n".repeat(40);
    let faults: Vec<_> =
        (0..40).map(|at| fault("", "did you mean `hits`?", at * 9 + 5..at * 9 + 8)).collect();
    let lines: Vec<_> = (0..40).map(|at| fault("", "", at * 9..at * 9 + 1)).collect();
    let tries = Cell::new(0);
    // Each try leaves a fault at the beginning of every line, so none is good.
    let mends = find_mends(&text, &faults, |_| {
        tries.set(tries.get() + 1);
        lines.clone()
    });
    assert_eq!((mends.len(), tries.get()), (40, 24));
    assert!(mends.iter().all(Option::is_none));
}

const GAME: &str = "record unit:\n    field size: 1..9 = 2 \"men\"\n    check size > 1 \"too few\"\n\
    field stance: prone or kneeling or 3 = prone\naction fire:\n    field aim: 1..3 = 1 \"aim\"\n    \
    check aim > 1 \"too low\"\n\n    first = d6\n    (first)\n";

fn names(before: &str, after: &str) -> Vec<(String, NameRole)> {
    let text = format!("{GAME}{before}{after}");
    let list = complete_at(&text, &[], text.len() - after.len());
    list.names.into_iter().map(|name| (name.text, name.role)).collect()
}

#[test]
fn names_are_those_that_stand_before_a_check_or_in_a_choice() {
    let has = |before: &str, after: &str, name: &str, role| {
        names(before, after).contains(&(name.to_owned(), role))
    };
    assert!(has("    x = ai", "", "aim", NameRole::Field));
    assert!(has("    x = unit.si", "", "size", NameRole::Member));
    assert!(has("    x = stance is kne", "", "kneeling", NameRole::Word));
    // An indented line begins with a word of the language or with a variable.
    assert!(has("    sho", "", "show", NameRole::Keyword));
    assert!(has("    fir", "", "first", NameRole::Variable));
    // What stands in the next action belongs to that one.
    let next = "\naction other:\n    later = d6\n    show later\n";
    assert!(has("    x = fir", next, "first", NameRole::Variable));
    assert!(!has("    x = lat", next, "later", NameRole::Variable));
}

#[test]
fn a_base_that_cannot_be_read_lends_no_names() {
    let text = "game \"A\" extends \"nowhere\"\nfield skill: 1..3 = 2\naction a:\n    x = ski";
    let near = |_: &str| Err("it is not there".to_owned());
    let list = complete_with_bases(text, text.len(), &near, &Catalogue::default());
    assert_eq!(list.names.iter().map(|name| &*name.text).collect::<Vec<_>>(), ["skill"]);
}

#[test]
fn a_changed_block_of_cells_is_aligned_like_any_other() {
    let text =
        "game \"A\" extends \"b.rules\"\nchange data guns:\n  name shots\n  rifle 1\n  mg 12\n";
    let tidy = format_rulebook_text(text).expect("in order");
    let cells = "change data guns:\n    name   shots\n    rifle  1\n    mg     12\n";
    assert!(tidy.ends_with(cells), "{tidy}");
}
