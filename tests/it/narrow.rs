//! The terminal at any width: no table is wider, nothing is lost without a word, and a question
//! needs no file.

use assert_cmd::Command;

/// What the program prints in so many columns.
fn shown(columns: usize, arguments: &[&str]) -> String {
    let mut program = Command::cargo_bin("enfilade").expect("it is built with the tests");
    let program = program.env("COLUMNS", columns.to_string()).env("TERM", "xterm");
    let output = program.args(arguments).output().expect("it starts");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).expect("pages are UTF-8")
}

/// Lines that are too wide; a single word cannot be broken.
fn too_wide(page: &str, columns: usize) -> Vec<&str> {
    let wide = |line: &&str| line.chars().count() > columns && line.trim().contains(' ');
    page.lines().filter(wide).collect()
}

fn file(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))
}

const FIRE: [&str; 8] = [
    "odds",
    "asl",
    "fire",
    "fp=4,8",
    "drm=-1..1",
    "target.unit=4-4-7",
    "target.nation=Russian",
    "--exact-only",
];

#[test]
fn no_page_is_wider_than_the_terminal() {
    let (a, b) =
        (file("experiments/variants/cowering.toml"), file("experiments/variants/no_cowering.toml"));
    let pages: [&[&str]; 8] = [
        &FIRE,
        &["odds", "asl", "fire", "fp=8", "target.kind=squad", "target.morale=7", "--exact-only"],
        &["systems"],
        &["systems", "asl", "fire"],
        &["systems", "dropzone", "Sabre"],
        &["dice", "3d6", "4d6kh3", "2d6+1 vs 2d6", "6d6 count 5+"],
        &["dice", "4d6kh3"],
        &["compare", &a, &b, "--exact-only"],
    ];
    for columns in [80, 60, 40] {
        for page in pages {
            let shown = shown(columns, page);
            assert_eq!(too_wide(&shown, columns), Vec::<&str>::new(), "{page:?} at {columns}");
        }
    }
    for page in [pages[0], pages[5], pages[6]] {
        assert_eq!(too_wide(&shown(20, page), 20), Vec::<&str>::new(), "{page:?}");
    }
}

/// Means go first, and it is said; at 200 columns all stand there.
#[test]
fn what_matters_least_folds_away_with_a_word() {
    let (narrow, wide) = (shown(80, &FIRE), shown(200, &FIRE));
    assert!(
        narrow.contains("Left out at this width:") && narrow.contains("units pinned on average;"),
        "{narrow}"
    );
    assert!(
        !narrow.contains("mean number") && wide.contains("┆ units broken on average ┆"),
        "{wide}"
    );
    assert!(!wide.contains("Left out"), "{wide}");
}

#[test]
fn a_question_without_a_file_is_the_file() {
    let typed = shown(200, &FIRE);
    let text = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [4, 8]\ndrm = { from = -1, to = 1 }\n\
                [contest.target]\nunit = '4-4-7'\nnation = 'Russian'\n";
    let mut program = Command::cargo_bin("enfilade").expect("it is built with the tests");
    let program =
        program.env("COLUMNS", "200").args(["odds", "-", "--exact-only"]).write_stdin(text);
    assert_eq!(String::from_utf8_lossy(&program.output().expect("it starts").stdout), typed);
    let rules = file("rulebooks/champions.rules");
    let own = enfilade::rulebook::read_rulebook_at_path(rules.as_ref(), crate::built_in())
        .expect("it ships");
    let action = &*own.system.actions[0].name;
    assert!(shown(80, &["odds", &rules, action, "--exact-only"]).starts_with("champions"));
}

#[test]
fn words_that_ask_nothing_are_told() {
    let refused = |arguments: &[&str]| {
        let mut program = Command::cargo_bin("enfilade").expect("it is built with the tests");
        let output = program.args(arguments).output().expect("it starts");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).expect("messages are UTF-8")
    };
    let cases: [(&[&str], &str); 7] = [
        (&["odds", "asl"], "asl ACTION field=value"),
        (&["odds", "asl", "fir"], "did you mean \"fire\"?"),
        (&["odds", "als", "fire"], "did you mean \"asl\"?"),
        (&["odds", "asl", "fire", "fp"], "as in fp"),
        (
            &["odds", "asl", "fire", "fp=8"],
            "a table, or several: `target.unit`, `target.nation`, …",
        ),
        (&["odds", "asl", "fire", "firepower=8", "target.kind=squad"], "did you mean `fp`"),
        (&["odds", "asl", "fire", "fp=\"8\"", "target.kind=squad"], "without the quotes"),
    ];
    for (arguments, help) in cases {
        let message = refused(arguments);
        assert!(message.replace("\n  │ ", " ").contains(help), "{arguments:?}: {message}");
    }
}

#[test]
fn common_fields_come_first_and_words_are_found() {
    let (few, all) =
        (shown(80, &["systems", "asl", "fire"]), shown(80, &["systems", "asl", "fire", "--all"]));
    assert!(few.lines().count() < all.lines().count() && few.contains("--all"), "{few}");
    assert!(
        !few.contains("unlikely_immobilisation") && all.contains("\nrules.unlikely_immobilisation"),
        "{all}"
    );
    let found = shown(80, &["systems", "asl", "fire", "encircled"]);
    assert!(found.contains("encircled") && !found.contains("point_blank"), "{found}");
    let gun = shown(120, &["systems", "dropzone", "avenger railgun"]);
    assert!(gun.contains("Avenger Railgun"), "{gun}");
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("man1");
    shown(80, &["man", "--out", &folder.to_string_lossy()]);
    for page in ["enfilade.1", "enfilade-odds.1", "enfilade-dice.1", "enfilade-rules-check.1"] {
        let text = std::fs::read_to_string(folder.join(page)).expect(page);
        assert!(text.contains(".TH "), "{page}");
    }
}

/// Bars and rules in signs that a dumb terminal has.
#[test]
fn a_dumb_terminal_is_spared() {
    let mut program = Command::cargo_bin("enfilade").expect("it is built with the tests");
    let program = program.env("TERM", "dumb").args(["dice", "3d6", "2d8"]);
    let output = program.output().expect("it starts").stdout;
    let page = String::from_utf8(output).expect("pages are UTF-8");
    assert!(page.is_ascii() && page.contains("####"), "{page}");
}

/// Read back by another author's reader. The numbers themselves are in the golden cells; here it is
/// enough that the workbook says what the CSV says, and that the laws of six cells come to six.
#[test]
fn a_workbook_says_what_the_table_says() {
    use calamine::{Data, Reader, Xlsx};
    let answer = |format: &str| {
        let mut program = Command::cargo_bin("enfilade").expect("it is built with the tests");
        let output = program.args(FIRE).args(["--format", format]).output().expect("it starts");
        assert!(output.status.success());
        output.stdout
    };
    let (bytes, again) = (answer("xlsx"), answer("xlsx"));
    assert!(bytes == again, "the same bytes each time");
    let mut book = Xlsx::new(std::io::Cursor::new(bytes)).expect("it is a workbook");
    assert_eq!(book.sheet_names(), ["asl fire", "asl fire outcomes"]);
    let sheet = book.worksheet_range("asl fire").expect("it is there");
    let heads: Vec<_> = sheet.rows().next().expect("heads").iter().map(Data::to_string).collect();
    // The axes, then what says most, in a player's words.
    assert_eq!(heads[2], "any effect");
    assert!(heads.iter().all(|head| !head.contains('_')), "{heads:?}");
    let csv = String::from_utf8(answer("csv")).expect("text");
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().expect("heads");
    let place = |name: &str| names.iter().position(|known| *known == name).expect("it is there");
    let columns = ["fp", "drm", "p_effect_exact", "p_kill_exact"].map(place);
    let number = |text: &str| text.parse::<f64>().expect("a number");
    for (row, line) in sheet.rows().skip(1).zip(lines) {
        let row: Vec<_> = row[..4].iter().map(|cell| number(&cell.to_string())).collect();
        assert_eq!(row, columns.map(|column| number(line[column])));
    }
    let law = book.worksheet_range("asl fire outcomes").expect("it is there");
    let chances = law.rows().skip(1).filter_map(|row| number(&row.last()?.to_string()).into());
    assert!((chances.sum::<f64>() - 6.0).abs() < 1e-12, "six cells");
}

/// The same numbers, written for a spreadsheet that takes a point for a stop between thousands.
#[test]
fn a_decimal_comma_is_for_csv() {
    let asked = |more: &[&str]| {
        let mut program = Command::cargo_bin("enfilade").expect("it is built with the tests");
        program.args(FIRE).args(more).output().expect("it starts")
    };
    let text = |output: std::process::Output| String::from_utf8(output.stdout).expect("text");
    let point = text(asked(&["--format", "csv"]));
    let comma = text(asked(&["--format", "csv", "--decimal", "comma"]));
    assert!(!point.contains(';') && comma.lines().count() == 7, "{comma}");
    assert_eq!(comma.replace(',', ".").replace(';', ","), point);
    let refused = asked(&["--decimal", "comma"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("add --format csv"));
}
