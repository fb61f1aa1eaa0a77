//! Files beside a rulebook: what they may be, how far one extends another, and where a fault of an
//! example is told.

use enfilade_model::catalogue::{Catalogue, System};
use enfilade_model::error::{FaultWithByteSpan, InputError};
use enfilade_model::form::Fault;
use enfilade_rules::{
    Rulebook, is_rulebook_text, read_with_built_in_bases, read_without_built_in_base,
};
use enfilade_testkit::test_contests::{parse_contest, play_contest};

fn nothing(_: &str) -> Result<String, String> {
    Err("there are no files here".to_owned())
}

fn read(text: &str, file: &str) -> Result<Rulebook, InputError> {
    read_without_built_in_base("m", "m.rules", text, &|_: &str| Ok(file.to_owned()))
}

/// The only fault of a text whose files all have the same contents.
fn only_fault(text: &str, file: &str) -> (String, String) {
    let error = read(text, file).expect_err("it has a fault");
    let [FaultWithByteSpan { fault, .. }] = &error.faults[..] else { panic!("{error:?}") };
    (fault.problem.to_string(), fault.help.clone().unwrap_or_default().to_string())
}

/// Plays the action `a` of a rulebook with these faces.
fn shown(book: &Rulebook, contest: &str, faces: &[u8]) -> Vec<i32> {
    let action = book.system.action("a").expect("it is there");
    play_contest(&parse_contest(action, contest).expect("a contest"), faces)
}

const EXAMPLES: &str = "game \"m\"\nfield fp: 1..9 = 1\nrecord unit:\n    field men: 1..4 = 2\n\
    field target: 1 to 3 of unit\naction fire:\n    x = d6 + fp + sum(u.men for u in target)\n    \
    show x\nexample fire \"one\":\n    fp = 80\n    [[target]]\n    men = 9\n";
const EXPERIMENT: &str = "system = 'm'\n[[contest]]\nfp = 80\n[[contest.target]]\nmen = 9\n";

fn fault_in_experiment(words: &str) -> InputError {
    let at = EXPERIMENT.find(words).expect("it is written there");
    let fault = Fault::new("", format!("`{words}` is wrong"));
    let faults = vec![FaultWithByteSpan { fault, span: at..at + words.len() }];
    InputError { name: "example".to_owned(), text: EXPERIMENT.to_owned(), faults }
}

#[test]
fn a_fault_of_an_example_is_told_at_its_line_of_the_rulebook() {
    let book = read(EXAMPLES, "").expect("in order");
    assert_eq!(book.example_count(), 1);
    // A heading holds the path of the contest, so its whole line is meant; what stands above the
    // example in the experiment is told at the name of the action.
    for (wrong, told) in
        [("80", "80"), ("men = 9", "men = 9"), ("contest.target", "[[target]]"), ("system", "fire")]
    {
        let moved = book.move_error_to_example_place(0, 0, fault_in_experiment(wrong));
        assert_eq!((&*moved.name, &*moved.text), ("m.rules", EXAMPLES), "{wrong}");
        let [FaultWithByteSpan { fault, span }] = &moved.faults[..] else { panic!("{moved:?}") };
        assert_eq!(*fault.problem, *format!("`{wrong}` is wrong"));
        assert_eq!(&EXAMPLES[span.clone()], told);
        let example = EXAMPLES.find("example fire").expect("it is there");
        assert!(span.start > example, "{wrong} is told at {span:?}");
    }
    // There is no second example: its error stays as it was.
    let error = fault_in_experiment("80");
    assert_eq!(book.move_error_to_example_place(0, 1, error.clone()), error);
}

#[test]
fn a_text_is_a_rulebook_by_its_game_its_base_or_its_action() {
    for (text, is_one) in [
        ("game \"Coin\"\n", true),
        ("game \"\" extends \"theirs.rules\"\n", true),
        ("action a:\n    x = d6\n    show x\n", true),
        ("field skill: 1..3 = 2\n", false),
        ("name\tshots\nrifle\t2\n", false),
        ("", false),
    ] {
        assert_eq!(is_rulebook_text(text), is_one, "{text}");
    }
}

#[cfg(feature = "files")]
#[test]
fn an_experiment_is_no_rulebook() {
    let path = std::path::Path::new("volley.toml");
    let why = enfilade_rules::read_rulebook_at_path(path, &Catalogue::default());
    let why = why.expect_err("it is refused by its name").to_string();
    assert!(why.contains("volley.toml is an experiment, not a rulebook"), "{why}");
    assert!(why.contains("enfilade rules new"), "{why}");
}

#[test]
fn a_rulebook_that_extends_itself_is_refused_with_the_circle() {
    let (problem, _) = only_fault(
        "game \"A\" extends \"b.rules\"\n",
        "game \"B\" extends \"b.rules\"\naction a:\n    x = d6\n    show x\n",
    );
    assert_eq!(problem, "`b.rules` extends itself (m.rules → b.rules → b.rules)");
}

#[test]
fn rulebooks_extend_one_another_four_deep_and_no_deeper() {
    let chain = |deepest: usize| {
        let near = move |name: &str| {
            let at: usize = name.trim_end_matches(".rules").parse().expect("a number");
            Ok(match at < deepest {
                true => format!("game \"{at}\" extends \"{}.rules\"\n", at + 1),
                false => "game \"Last\"\naction a:\n    x = d6\n    show x\n".to_owned(),
            })
        };
        read_without_built_in_base("m", "m.rules", "game \"M\" extends \"1.rules\"\n", &near)
    };
    // The file itself is the first of four.
    let book = chain(3).unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(shown(&book, "", &[5]), [5]);
    let error = chain(4).expect_err("the fifth file");
    let told = (&*error.name, &*error.faults[0].fault.problem);
    assert_eq!(told, ("3.rules", "rulebooks extend one another at most 4 deep"));
}

/// A catalogue with a built-in text `volley` and with the text `skirmish` of a user.
fn catalogue_of_texts() -> Catalogue {
    let text = "action a:\n    x = d6\n    show x\n";
    let system = |id: &str, built_in: bool| -> System {
        let book = read_without_built_in_base(id, id, text, &nothing).expect("in order");
        System { built_in, ..book.system }
    };
    Catalogue::default()
        .with_rulebook(system("volley", true))
        .with_rulebook(system("skirmish", false))
}

#[test]
fn only_built_in_texts_are_extended_by_their_id() {
    let catalogue = catalogue_of_texts();
    let extend = |base: &str| {
        let text = format!("game \"M\" extends \"{base}\"\n");
        read_with_built_in_bases("m", "m.rules", &text, &nothing, &catalogue)
    };
    assert_eq!(shown(&extend("volley").expect("it is built in"), "", &[3]), [3]);
    // The rulebook of a user is extended by its file, and is no suggestion either.
    for (base, nearest) in [("skirmish", ""), ("skirmis", ""), ("voley", "did you mean `volley`? ")]
    {
        let error = extend(base).expect_err("it is not built in");
        let fault = &error.faults[0].fault;
        assert_eq!(*fault.problem, *format!("there is no built-in rulebook `{base}`"));
        let file = format!("a file is named with its ending: \"{base}.rules\"");
        assert_eq!(fault.help.as_deref(), Some(&*format!("{nearest}{file}")));
    }
}

#[test]
fn data_lie_in_the_folder_and_are_small_enough() {
    let text = |name: &str| {
        format!(
            "data guns from \"{name}\"\nfield gun: one of guns\naction a:\n    \
             x = d6 + gun.shots\n    show x\n"
        )
    };
    for name in ["", "../guns.tsv", "/guns.tsv", "far\\guns.tsv"] {
        let error = read(&text(name), "name\tshots\nrifle\t2\n").expect_err("it is refused");
        let fault = &error.faults[0].fault;
        assert_eq!(*fault.problem, *format!("`{name}` is outside the folder of the rules"));
        assert_eq!(fault.help.as_deref(), Some("put it beside the rulebook, or below"));
    }
    let huge = format!("name\tshots\n{}", "#\n".repeat(512 * 1024));
    let (problem, _) = only_fault(&text("guns.tsv"), &huge);
    assert_eq!(problem, "all files together have at most 1024 KiB");
}

/// An editor underlines the cell, without the blanks around it.
#[test]
fn a_fault_of_a_cell_in_a_file_is_at_the_cell() {
    let text = "data guns from \"guns.tsv\"\nfield gun: one of guns\naction a:\n    \
                x = d6 + gun.shots\n    show x\n";
    for cell in ["2d6", "99999"] {
        let file = format!("name\tshots\tpower\nrifle\t2\t1\nold\t {cell} \t3\n");
        let error = read(text, &file).expect_err("it is no number");
        let [FaultWithByteSpan { span, .. }] = &error.faults[..] else { panic!("{error:?}") };
        assert_eq!((&*error.name, &error.text[span.clone()]), ("guns.tsv", cell));
    }
}

/// A row that is shorter than the heads has blank cells at its end.
#[test]
fn a_short_row_ends_in_blanks() {
    let text = "data guns from \"guns.tsv\"\nfield gun: one of guns\naction a:\n    \
                x = d6 + gun.shots + (gun.power if given(gun.power) else 0)\n    show x\n";
    let book = read(text, "name\tshots\tpower\nrifle\t2\t3\nold\t1\n").expect("in order");
    assert_eq!(shown(&book, "gun = 'rifle'", &[4]), [9]);
    assert_eq!(shown(&book, "gun = 'old'", &[4]), [5]);
}

/// The first line of a table's file is its heads: keys of columns, or else names for the eye.
#[test]
fn the_heads_of_a_table_file_are_keys_where_they_can_be() {
    for (block, look, file, expected) in [
        // Two heads are keys of columns.
        (":", "hits(n, 2)", "n\t1\t2\n1\t5\t6\n2\t7\t8\n", 8),
        // One head that is a number is the key of the only column.
        (":", "hits(n, 1)", "n\t1\n1\t5\n2\t7\n", 7),
        // One head that is a word is no key: the table has rows alone.
        (":", "hits(n)", "n\tkilled\n1\t5\n2\t7\n", 7),
        // Nor does one head take the place of columns that the rulebook names.
        (":\n    columns 4..\n", "hits(n, 6)", "n\t1\n1\t5\n2\t7\n", 7),
    ] {
        let text = format!(
            "table hits from \"t.tsv\"{block}\nfield n: 1..2 = 2\naction a:\n    \
             x = d6 + {look}\n    show x\n"
        );
        let book = read(&text, file).unwrap_or_else(|error| panic!("{file}{error:?}"));
        assert_eq!(shown(&book, "", &[1]), [1 + expected], "{file}");
    }
}
