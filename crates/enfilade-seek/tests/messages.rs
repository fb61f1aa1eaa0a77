//! Messages for searches without a result and for faulty files, word by word.

use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_model::catalogue::Catalogue;
use enfilade_model::error::InputError;
use enfilade_seek::error::SeekError;
use enfilade_seek::seek_answer::{SeekAnswer, answer_search};
use enfilade_seek::seek_page;
use enfilade_seek::seek_question::SeekQuestion;
use enfilade_study::error::StudyError;
use enfilade_study::solve::NoObserver;

const RULES: &str = "game \"Range\"\ndata guns:\n    name  shots\n    old   1\n    new   3\ntable need:\n    columns  0  1  2\n    \
     near     2  3  5\n    far      4  5  6\nfield gun: one of guns = old\nfield cover: 0..2 = 0\nfield men: 1..9 = 4\n\
     field tons: 0..50 = 10\naction fire \"one volley\":\n    hits = count((gun.shots) d6 >= need(near, cover))\n    \
     if tons > 60: hits = 0\n    lost = hits at most men\n    show lost \"lost\" harm\n    measure p_hit = chance(lost > 0)\n    measure e_lost = \
     mean(lost)\n";

fn catalogue(more: &str) -> Catalogue {
    let none = |_: &str| Err("no files".to_owned());
    let book = enfilade_rules::read_without_built_in_base(
        "range",
        "range.rules",
        &format!("{RULES}{more}"),
        &none,
    );
    Catalogue::default().with_rulebook(book.expect("in order").system)
}

fn read(more: &str, file: &str) -> Result<SeekQuestion, SeekError> {
    SeekQuestion::read_or_cancel(&catalogue(more), "x.toml", file, &NEVER_CANCELLED)
}

/// The page of a search, and the answer.
fn page(more: &str, file: &str) -> (String, SeekAnswer) {
    let mut question = read(more, file).unwrap_or_else(|error| panic!("{error:?}"));
    let answer = answer_search(&mut question, &NoObserver).expect("it is answered");
    (seek_page::render_answer_text(&question, &answer, 3, "enfilade seek x.toml"), answer)
}

/// The only fault of a file: its place, the problem and the remedy.
fn fault(file: &str) -> (String, String, String) {
    match read("", file) {
        Err(SeekError::Study(StudyError::Input(InputError { text, faults, .. }))) => {
            assert_eq!(faults.len(), 1, "{faults:?}");
            let fault = faults[0].clone();
            let place = text[fault.span].to_owned();
            (place, fault.fault.problem, fault.fault.help.unwrap_or_default())
        }
        other => panic!("{other:?}"),
    }
}

fn seek(wants: &str, more: &str) -> String {
    format!(
        "[[contest]]\nsystem = 'range'\naction = 'fire'\nname = 'fire'\n[seek]\nso_that = [{wants}]\n{more}\n[seek.change]\n\
         need.near.0 = {{ from = 2, to = 6 }}\nguns.old.shots = {{ from = 1, to = 4 }}\n"
    )
}

/// P(a d6 shows n or more) and the like, for 1 to 4 dice: the expected values of these designs.
fn hit(need: u32, shots: u32) -> f64 {
    1.0 - (f64::from(need - 1) / 6.0).powi(shots as i32)
}

fn designs(fits: impl Fn(f64, f64) -> bool) -> usize {
    let all = (2..=6).flat_map(|need| (1..=4).map(move |shots| (need, shots)));
    let mean = |need: u32, shots: u32| f64::from(shots) * f64::from(7 - need) / 6.0;
    all.filter(|(need, shots)| fits(hit(*need, *shots), mean(*need, *shots))).count()
}

#[test]
fn two_wants_exclude_each_other() {
    let (page, answer) = page("", &seek("'p_hit >= 90 %', 'e_lost <= 0.5'", ""));
    let alone = [designs(|hit, _| hit >= 0.9), designs(|_, mean| mean <= 0.5 + 1e-12)];
    let said = format!(
        "These two wants exclude each other: \"p_hit >= 90 %\" ({} designs alone) and \"e_lost <= 0.5\" ({}).",
        alone[0], alone[1]
    );
    assert!(page.replace('\n', " ").contains(&said), "{page}");
    assert_eq!(answer.fits, 0);
    assert!(
        page.starts_with("None of 20 designs fits, and all were decided: 20 exact cells.\n"),
        "{page}"
    );
}

#[test]
fn three_wants_of_which_any_two_can_be() {
    // 2+ with one die hits in 83 %, 1/2 or more is lost by most, and few lose less than 0.6.
    let wants = "'p_hit >= 45 %', 'e_lost <= 0.6', 'p_hit <= 49 %'";
    let (page, answer) = page("", &seek(wants, ""));
    let tests: [&dyn Fn(f64, f64) -> bool; 3] =
        [&|hit, _| hit >= 0.45, &|_, mean| mean <= 0.6 + 1e-12, &|hit, _| hit <= 0.49];
    let both = |a: usize, b: usize| designs(|hit, mean| tests[a](hit, mean) && tests[b](hit, mean));
    assert_eq!(answer.fits, 0, "{page}");
    let set = answer.no_fit.expect("why").excluding;
    // A set that is reported has no design, and each of its proper subsets has one.
    assert!(set.iter().all(|one| one.without > 0 && one.alone > 0), "{set:?}");
    if set.len() == 3 {
        let without = [both(1, 2), both(0, 2), both(0, 1)].map(|n| n as u64);
        assert_eq!(set.iter().map(|one| one.without).collect::<Vec<_>>(), without);
        assert!(
            page.replace('\n', " ").contains("These three cannot be together, any two can: "),
            "{page}"
        );
    }
}

#[test]
fn a_want_that_nothing_meets_alone() {
    let (page, _) = page("", &seek("'e_lost >= 5'", ""));
    let said = "No design has \"e_lost >= 5\": the most is 3.33, with guns.old.shots = 4.";
    assert!(page.replace('\n', " ").contains(said), "{page}");
    let (page, _) = self::page("", &seek("'p_hit = 35 %'", ""));
    // 1/3 is the nearest: a die that shows 5 or 6.
    let said = "\"p_hit = 35 %\" is wanted to the last digit and no design has it; the nearest is 33.3 %: \"± 0.1 %\"?";
    assert!(page.replace('\n', " ").contains(said), "{page}");
}

#[test]
fn the_numbers_fit_already_and_some_are_not_read() {
    let file = seek("'p_hit >= 80 %'", "") + "need.far.0 = [4, 5]\n";
    let (page, answer) = page("", &file);
    assert!(page.contains("The numbers as they are fit already.\n"), "{page}");
    assert!(page.contains("No want reads need.far.0; it keeps its value.\n"), "{page}");
    let read = designs(|hit, _| hit >= 0.8) as u64;
    assert_eq!((answer.designs, answer.fits), (40, 2 * read));
}

#[test]
fn nothing_that_may_change_is_read() {
    let file = "[[contest]]\nsystem = 'range'\naction = 'fire'\n[seek]\nso_that = 'p_hit = 20 % ± 3 %'\n[seek.change]\n\
                need.far.0 = [4, 5]\n";
    let mut question = read("", file).expect("in order");
    let told = answer_search(&mut question, &NoObserver).expect_err("nothing is read").to_string();
    assert!(told.starts_with("so_that reads no number of [seek.change]: it reads "), "{told}");
    for name in ["need.near.0", "guns.old.shots"] {
        assert!(told.contains(name), "{told}");
    }
    // One die hits one man at most, so the number of men is not read, and neither is another row.
    assert!(!told.contains("men") && !told.contains("need.far"), "{told}");
}

#[test]
fn what_is_wrong_with_a_want_is_told_where_it_stands() {
    let cases = [
        ("'p_hot = 20 %'", "no contest here has `p_hot`", "did you mean `p_hit`?"),
        (
            "'p_hit 20 %'",
            "\"p_hit 20 %\" wants nothing: =, <= or >= is missing",
            "write it as in `p_kill >= 50 %` or `p_kill = 35 % ± 2 %`",
        ),
        (
            "'e_lost = 3 ± 5 %'",
            "`e_lost` is no chance, so ± 5 % is no distance",
            "write \"± 0.2\" or \"± 5 % of it\"",
        ),
        ("'p_hit of guns = 20 %'", "there is no contest \"guns\"", "there is fire"),
        (
            "'p_hit [range == 2] = 20 %'",
            "`range` is no axis of \"fire\"",
            "it has none: give a field a list of values",
        ),
    ];
    for (want, problem, help) in cases {
        let (place, told, advice) = fault(&seek(want, ""));
        assert_eq!((place.as_str(), told.as_str(), advice.as_str()), (want, problem, help));
    }
}

#[test]
fn cells_that_are_not_paired_are_named() {
    let file = "[[contest]]\nsystem = 'range'\naction = 'fire'\nname = 'a'\nmen = [4, 5]\n[[contest]]\nsystem = 'range'\n\
                action = 'fire'\nname = 'b'\ncover = [0, 1, 2]\n[seek]\nso_that = 'p_hit of a = p_hit of b ± 5 %'\n\
                [seek.change]\nguns.old.shots = [1, 2]\n";
    let (_, told, help) = fault(file);
    assert_eq!(told, "\"p_hit of a\" has 2 cells (men), \"p_hit of b\" has 3 (cover)");
    assert_eq!(help, "name one in brackets, or add mean, least or most");
}

#[test]
fn a_number_is_no_circumstance_and_has_a_name() {
    let file = "[[contest]]\nsystem = 'range'\naction = 'fire'\nname = 'fire'\ncover = [0, 1]\n[seek]\nso_that = 'p_hit = 20 % ± 3 %'\n\
                [seek.change]\ncover = [0, 1]\n";
    let (place, told, help) = fault(file);
    assert_eq!(place, "[0, 1]");
    assert_eq!(told, "`cover` is both an axis of \"fire\" and in [seek.change]");
    assert_eq!(
        help,
        "remove one of them: as an axis, every design must meet the wants at every value"
    );
    let (place, told, help) = fault(&(seek("'p_hit = 20 %'", "") + "need.nera.1 = [4]\n"));
    assert_eq!(
        (place.as_str(), told.as_str()),
        ("1", "no contest here has the number `need.nera.1`")
    );
    assert_eq!(help, "did you mean `need.near.1`?");
}

#[test]
fn a_scope_that_is_too_large_names_its_numbers() {
    // Twenty million designs of three numbers that every volley reads; the men are listed twelve
    // times.
    let men = "1, 2, 3, 4, 5, 6, 7, 8, 9, ".repeat(12);
    let file = format!(
        "[[contest]]\nsystem = 'range'\naction = 'fire'\nname = 'fire'\n[seek]\nso_that = 'e_lost = 2 ± 0.1'\n\
         [seek.change]\nneed.near.0 = {{ from = 1, to = 1000 }}\nguns.old.shots = {{ from = 1, to = 200 }}\n\
         men = [{men}]\n"
    );
    let file = file.as_str();
    let mut question = read("", file).expect("in order");
    let told = answer_search(&mut question, &NoObserver).expect_err("too large").to_string();
    assert!(told.contains("more than 20 000 000 cells: fix one of"), "{told}");
    for number in ["need.near.0 (1000)", "guns.old.shots (200)", "men (108)"] {
        assert!(told.contains(number), "{told}");
    }
}

#[test]
fn numbers_that_are_not_alike_are_refused() {
    let file = "[[contest]]\nsystem = 'range'\naction = 'fire'\nname = 'fire'\n[seek]\nso_that = 'e_lost = 1 ± 0.5'\n\
                alike = ['men, guns.old.shots']\n[seek.change]\nmen = [1, 2, 3]\nguns.old.shots = [1, 2, 3]\n";
    let mut question = read("", file).expect("in order");
    // Men that are shot at and dice that are rolled: exchanged, other odds.
    let told = answer_search(&mut question, &NoObserver).map(|answer| answer.fits);
    match told {
        Err(error) => assert!(error.to_string().contains("are not alike"), "{error}"),
        Ok(fits) => {
            // min(hits, men) of dice that hit on 2: both orders were compared and are equal only if
            // they are.
            panic!("accepted with {fits} designs");
        }
    }
}

#[test]
fn an_order_and_a_front_are_kept() {
    let file = |order: &str| seek("'p_hit >= 10 %'", order);
    let (_, best) = page("", &file("prefer = ['highest p_hit', 'fewest changes']"));
    let chance = |design: &enfilade_seek::seek_design::FoundDesign| design.reached[0].value;
    assert!(best.best_designs.windows(2).all(|pair| chance(&pair[0]) >= chance(&pair[1]) - 1e-12));
    assert!((chance(&best.best_designs[0]) - hit(2, 4)).abs() < 1e-12);
    let (_, cheap) = page("", &file("prefer = ['lowest guns.old.shots + need.near.0']"));
    let sum = |design: &enfilade_seek::seek_design::FoundDesign| design.values.iter().sum::<u16>();
    assert!(cheap.best_designs.windows(2).all(|pair| sum(&pair[0]) <= sum(&pair[1])));
    // Of one to four dice at 2+, the best chance of each number of dice; nothing else is on the
    // front.
    let (_, front) = page("", &file("front = ['highest p_hit', 'lowest guns.old.shots']"));
    let shots: Vec<u16> = front.best_designs.iter().map(|design| design.values[1]).collect();
    assert_eq!(front.best_designs.len(), 4);
    assert!(front.best_designs.iter().all(|design| design.values[0] == 0), "{shots:?}");
    let wrong = [
        ("prefer = ['best p_hit']", "\"best p_hit\" is no order"),
        ("prefer = ['highest p_hot']", "no contest here has `p_hot`"),
    ];
    for (order, problem) in wrong {
        let (_, told, help) = fault(&file(order));
        assert!(told == problem && !help.is_empty(), "{told}");
    }
}

#[test]
fn conditions_that_leave_nothing_say_which() {
    let conditions = "subject_to = ['guns.old.shots >= 3', 'guns.old.shots < 3']";
    let (page, _) = page("", &seek("'p_hit >= 10 %'", conditions));
    let said = "subject_to leaves no design; without \"guns.old.shots < 3\" 10 are left.";
    assert!(page.replace('\n', " ").contains(said), "{page}");
}

#[test]
fn a_check_that_all_break_is_told_in_its_words() {
    let check = "check tons <= 40 \"{tons} tons are more than 40\"\n";
    let file = |tons: &str| {
        format!(
            "[[contest]]\nsystem = 'range'\naction = 'fire'\n[seek]\nso_that = 'p_hit >= 50 %'\n[seek.change]\n\
             guns.old.shots = {{ from = 1, to = 4 }}\ntons = {tons}\n"
        )
    };
    // Needs 2 or more of one to four dice: all of them fit.
    let (all, answer) = page(check, &file("[45, 50]"));
    let said = "`{tons} tons are more than 40` in all 8 designs that meet what is wanted.";
    assert!(all.replace('\n', " ").contains(said), "{all}");
    assert_eq!((answer.designs, answer.fits), (8, 0));
    let (some, answer) = page(check, &file("[10, 40, 45, 50]"));
    assert!(some.contains("8 more meet what is wanted and break"), "{some}");
    assert_eq!((answer.designs, answer.fits), (16, 8));
}

#[test]
fn a_file_with_both_is_refused() {
    let (_, told, _) = fault(&(seek("'p_hit = 20 %'", "") + "[sweep]\nkeep = 'p_hit > 0.5'\n"));
    assert_eq!(told, "[seek] and [sweep] are in one file");
}
