//! `enfilade table` as a user meets it: the numbers on a card, its formats, and what is refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::asl::oracle::{COLUMNS, Man, SQUAD, STILL, Shot, WHOLE, oracle};

pub fn enfilade(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::cargo_bin("enfilade").expect("the program is built with the tests");
    let output = command.env_remove("NO_COLOR").args(arguments).write_stdin(input).output();
    output.expect("the program starts")
}

/// What the program prints on success.
pub fn page(arguments: &[&str], input: &str) -> String {
    let output = enfilade(arguments, input);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {complaint}");
    // On a slow machine it is told how long it takes.
    let told = complaint.lines().filter(|line| !line.ends_with("at the pace so far"));
    assert_eq!(told.collect::<String>(), "", "{arguments:?}");
    String::from_utf8(output.stdout).expect("text is UTF-8")
}

pub fn refusal(arguments: &[&str], input: &str) -> String {
    let output = enfilade(arguments, input);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    let said = String::from_utf8(output.stderr).expect("messages are UTF-8");
    said.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

/// The file of a ready-made card.
pub fn ready_made(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/cards");
    folder.join(name).with_extension("toml").to_string_lossy().into_owned()
}

/// The lines of CSV in fields; quotes are taken off.
pub fn fields(csv: &str) -> Vec<Vec<String>> {
    let line = |line: &str| {
        let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
        let mut letters = line.chars().peekable();
        while let Some(c) = letters.next() {
            match c {
                '"' if quoted && letters.peek() == Some(&'"') => field.extend(letters.next()),
                '"' => quoted = !quoted,
                ',' if !quoted => fields.push(std::mem::take(&mut field)),
                c => field.push(c),
            }
        }
        fields.push(field);
        fields
    };
    csv.lines().map(line).collect()
}

/// Whole percents in whole numbers, each share of `WHOLE` rounded by itself, half up.
fn hundredths(shares: [u128; 4]) -> [u128; 4] {
    // WHOLE times 100 does not fit into 128 bits; every weight is divisible by six dice.
    let (shares, whole) = (shares.map(|share| share / 46_656), WHOLE / 46_656);
    shares.map(|share| (200 * share + whole) / (2 * whole))
}

/// What a printed stack must say by the brute force that shares nothing with the rules.
fn expected(column: usize, drm: i32, morale: i32) -> [String; 4] {
    let squad =
        Man { morale, broken_morale: morale, half_morale: morale, half_broken: morale, ..SQUAD };
    let shot = Shot { column, drm, cowers: 1, loss: true, ..STILL };
    let mut shares = [0_u128; 4];
    for (values, weight) in oracle(&vec![squad], shot).rows {
        let worst = match values[..4] {
            [0, 0, 0, 0] => 3,
            [0, 0, 0, _] => 2,
            [0, 0, _, _] => 1,
            _ => 0,
        };
        shares[worst] += u128::try_from(&weight).expect("the whole fits");
    }
    let percents = hundredths(shares);
    let said = |i: usize| match (percents[i], shares[i]) {
        (0, 0) => "–".to_owned(),
        (0, _) => "<1".to_owned(),
        (100, share) if share < WHOLE => ">99".to_owned(),
        (percent, _) => percent.to_string(),
    };
    [0, 1, 2, 3].map(said)
}

#[test]
fn the_fire_card_says_what_the_brute_force_says() {
    let csv = page(&["table", &ready_made("fire_table"), "--format", "csv", "--exact-only"], "");
    let mut printed: BTreeMap<(String, String, String), Vec<String>> = BTreeMap::new();
    for record in fields(&csv).into_iter().skip(1) {
        let place = (record[1].clone(), record[2].clone(), record[3].clone());
        printed.entry(place).or_default().push(record[11].clone());
    }
    for morale in 6..=9 {
        for (column, fp) in COLUMNS.iter().enumerate() {
            for drm in -4..=5_i32 {
                let place = (format!("morale {morale}"), fp.to_string(), drm.to_string());
                let found = printed.remove(&place).unwrap_or_else(|| panic!("no {place:?}"));
                assert_eq!(found, expected(column, drm, morale), "{place:?}");
            }
        }
    }
    assert!(printed.is_empty(), "{printed:?}");
}

/// A squad of morale 7 and one of morale 8 under the same fire, as two contests.
pub const MORALES: &str = "
[[contest]]
name = 'morale 7'
system = 'asl'
action = 'fire'
fp = [2, 8]
drm = { from = -1, to = 1 }
target = { kind = 'squad', morale = 7 }
[[contest]]
name = 'morale 8'
system = 'asl'
action = 'fire'
fp = [2, 8]
drm = { from = -1, to = 1 }
target = { kind = 'squad', morale = 8 }
";

/// How many of `WHOLE` are killed, break, are pinned and go unhurt, by the brute force.
fn harmed(column: usize, drm: i32, morale: i32) -> [f64; 4] {
    let squad =
        Man { morale, broken_morale: morale, half_morale: morale, half_broken: morale, ..SQUAD };
    let shot = Shot { column, drm, cowers: 1, loss: true, ..STILL };
    let mut shares = [0.0; 4];
    for (values, weight) in oracle(&vec![squad], shot).rows {
        let worst = values[..4].iter().position(|value| *value > 0);
        let at = worst.map_or(3, |worst| [0, 0, 1, 2][worst]);
        let weight = u128::try_from(&weight).expect("the whole fits");
        shares[at] += weight as f64 / WHOLE as f64;
    }
    shares
}

#[test]
fn a_card_of_differences_is_one_less_the_other() {
    let arguments = ["table", "-", "--less", "morale 7", "--exact-only", "--format", "csv"];
    let csv = page(&arguments, MORALES);
    let mut seen = 0;
    for record in fields(&csv).into_iter().skip(1) {
        let number = |at: usize| record[at].parse::<f64>().expect("a number");
        let (fp, drm) = (number(2) as i32, number(3) as i32);
        let column = COLUMNS.iter().position(|known| *known == fp).expect("a column");
        let (b, a) = (harmed(column, drm, 8), harmed(column, drm, 7));
        let line = ["kill", "break", "pin", "no effect"].iter().position(|l| *l == record[4]);
        let line = line.expect("a line of the stack");
        assert!((number(6) - (b[line] - a[line])).abs() < 1e-12, "{record:?}");
        assert_eq!(record[5], "difference of probabilities");
        let points = 100.0 * (b[line] - a[line]);
        let sign = if points < -0.05 { "−" } else { "+" };
        let said =
            if points.abs() < 1e-9 { "=".to_owned() } else { format!("{sign}{:.1}", points.abs()) };
        assert!(record[11] == said || points.abs() < 0.05, "{record:?}: {said}");
        seen += 1;
    }
    assert_eq!(seen, 2 * 3 * 4);
}

/// What is taken away may be another file; both are simulated, and the same.
#[test]
fn a_file_less_itself_is_nothing() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("two.toml");
    fs::write(&path, MORALES).expect("it can be written");
    let path = path.to_string_lossy();
    let said = page(&["table", &path, "--less", &path, "--exact-only", "--format", "markdown"], "");
    assert!(said.contains("| 2 | kill | **=** | **=** | **=** |"), "{said}");
    assert!(said.contains("- Nothing was changed."), "{said}");
    // The card stands beside that of the file itself, and over neither of the files.
    let out = folder.path().join("card.svg").to_string_lossy().into_owned();
    page(&["table", &path, "--less", &path, "--exact-only", "--out", &out], "");
    let drawn = fs::read_to_string(&out).expect("it was written");
    assert!(drawn.contains("two less two"), "{drawn}");
    let over =
        refusal(&["table", "-", "--less", &path, "--format", "csv", "--out", &path], MORALES);
    assert!(over.contains("is read and would be written to"), "{over}");
}

#[test]
fn what_cannot_be_taken_away_is_told() {
    let alone = MORALES.split("[[contest]]").nth(1).expect("the first contest");
    let alone = format!("[[contest]]{alone}");
    let said = refusal(&["table", "-", "--less", "morale 7", "--format", "csv"], &alone);
    assert!(said.contains("has no contest other than \"morale 7\""), "{said}");
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("other.toml");
    fs::write(&path, alone.replace("drm = { from = -1, to = 1 }", "")).expect("it can be written");
    let path = path.to_string_lossy();
    let said = refusal(&["table", "-", "--less", &path, "--format", "csv"], MORALES);
    assert!(said.contains("has a partner in standard input"), "{said}");
}

/// The script for nanDECK in the documentation reads the records of the fire card.
#[test]
fn what_the_nandeck_script_reads_is_there() {
    let page_of = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/results.md");
    let text = fs::read_to_string(page_of).expect("it can be read");
    let script = text.split("```").find(|block| block.contains("LINK=\"card.csv\""));
    let script = script.expect("the page has it");
    let arguments =
        ["table", &ready_made("fire_table"), "--format", "csv", "--merge", "--exact-only"];
    let csv = page(&arguments, "");
    let columns = fields(&csv).remove(0);
    let read: Vec<_> = script.split('[').skip(1).filter_map(|part| part.split_once(']')).collect();
    assert!(read.len() >= 5, "{script}");
    for (field, _) in read {
        assert!(columns.iter().any(|column| column == field), "{field}: {columns:?}");
    }
}

#[test]
fn the_same_file_gives_the_same_bytes() {
    let folder = TempDir::new().expect("a temporary folder");
    let endings: &[&str] = match cfg!(feature = "pdf") {
        true => &["pdf", "svg", "html", "md", "csv"],
        false => &["svg", "html", "md", "csv"],
    };
    for ending in endings {
        let made = |threads: &str| {
            let out = folder.path().join(threads).with_extension(ending);
            let out = out.to_string_lossy().into_owned();
            page(&["table", &ready_made("penetration"), "--threads", threads, "--out", &out], "");
            fs::read(&out).expect("it was written")
        };
        let first = made("1");
        assert!(first.len() > 1000, "{ending}");
        assert_eq!(first, made("1"), "{ending}");
        assert_eq!(first, made("3"), "{ending}");
    }
}

/// A small grid.
pub const TWO: &str = "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = [8, 16]\ndrm = [-1, 0]\n\
    target = { kind = 'squad', morale = 7 }\n";

#[test]
fn shapes_of_csv_have_the_records_they_promise() {
    let of =
        |shape: &str| fields(&page(&["table", "-", "--exact-only", "--format", "csv", shape], TWO));
    let long = of("--long");
    // Two firepowers, two modifiers, and kill, break, pin and no effect.
    assert_eq!(long.len(), 1 + 2 * 2 * 4);
    let sum: f64 = long[1..].iter().map(|record| record[6].parse::<f64>().expect("a number")).sum();
    assert!((sum - 4.0).abs() < 1e-9, "{sum}");
    let merge = of("--merge");
    assert_eq!(merge.len(), 3);
    let named = |name: &str| {
        merge[0].iter().position(|field| field == name).expect("there is such a field")
    };
    assert_eq!(merge[2][named("row")], "16");
    let kept =
        long.iter().find(|r| r[2] == "16" && r[3] == "-1" && r[4] == "break").expect("it is there");
    assert_eq!(merge[2][named("break_m1")], kept[11]);
    let plain = |name: &String| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    assert!(merge[0].iter().all(plain), "{:?}", merge[0]);
    let wide = of("--wide");
    assert_eq!(wide[2], ["FP", "DRM", "−1", "0"]);
    assert_eq!((wide[3][0].as_str(), wide[3][1].as_str()), ("8", "kill"));
    assert_eq!(
        of("--long"),
        fields(&page(&["table", "-", "--exact-only", "--format", "csv"], TWO))
    );
}

#[test]
fn formats_follow_the_ending_and_land_in_their_file() {
    let folder = TempDir::new().expect("a temporary folder");
    let out = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    for (name, start) in
        [("a.html", "<!doctype html>"), ("a.svg", "<svg "), ("a.md", "# "), ("a.CSV", "card,")]
    {
        let said = page(&["table", "-", "--exact-only", "--out", &out(name)], TWO);
        assert_eq!(said, format!("wrote {}\n", out(name)));
        assert!(fs::read_to_string(out(name)).expect("it is there").starts_with(start), "{name}");
    }
    let html = |paper: &[&str]| {
        page(&[&["table", "-", "--exact-only", "--format", "html"], paper].concat(), TWO)
    };
    assert!(html(&[]).contains("@page { size: A4 portrait;"));
    assert!(
        html(&["--paper", "letter", "--landscape"]).contains("@page { size: letter landscape;")
    );
}

#[test]
fn what_does_not_fit_together_is_refused_in_sentences() {
    let merge = refusal(&["table", "-", "--format", "html", "--merge"], TWO);
    assert!(
        merge.contains("--long, --wide and --merge apply to CSV only: add --format csv"),
        "{merge}"
    );
    let both = refusal(&["table", "-", "--format", "csv", "--merge", "--wide"], TWO);
    assert!(both.contains("cannot be used with"), "{both}");
    let ending = refusal(&["table", "-", "--out", "card.docx"], TWO);
    assert!(ending.contains("does not end with pdf, svg, png, html, md or csv"), "{ending}");
    assert!(!PathBuf::from("card.docx").exists());
}

#[cfg(feature = "png")]
#[test]
fn a_card_is_a_picture_too() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let out = folder.path().join("card.png").to_string_lossy().into_owned();
    page(&["table", "-", "--exact-only", "--paper", "letter", "--out", &out], TWO);
    let png = std::fs::read(&out).expect("written");
    assert!(png.starts_with(b"\x89PNG"));
    // A sheet of 612 points, three pixels each.
    assert_eq!(png[16..20], 1836_u32.to_be_bytes());
    let nowhere = refusal(&["table", "-", "--format", "png"], TWO);
    assert!(nowhere.contains("a PNG is not text: name its file with --out"), "{nowhere}");
}

#[cfg(feature = "pdf")]
#[test]
fn charts_come_in_the_formats_that_are_asked_for() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let out = folder.path().to_string_lossy().into_owned();
    page(&["run", "-", "--exact-only", "--charts", "pdf", "--out", &out], TWO);
    let charts = std::fs::read_dir(folder.path().join("charts")).expect("there are charts");
    let mut endings: Vec<_> = charts
        .filter_map(|entry| Some(entry.ok()?.path().extension()?.to_string_lossy().into_owned()))
        .collect();
    endings.sort();
    endings.dedup();
    assert_eq!(endings, ["pdf", "svg"]);
    // Other formats are another run.
    let again = page(&["run", "-", "--exact-only", "--out", &out], TWO);
    assert!(!again.contains("complete since"), "{again}");
}

#[cfg(not(feature = "pdf"))]
#[test]
fn without_pdf_the_program_says_so() {
    let said = refusal(&["table", "-", "--format", "pdf", "--out", "never.pdf"], TWO);
    assert!(
        said.contains("this enfilade was built without PDF: build it with the feature `pdf`"),
        "{said}"
    );
    assert!(!PathBuf::from("never.pdf").exists());
}

#[test]
fn every_fault_of_a_card_is_told_with_the_nearest_name() {
    let card = "[[card]]\nrows = 'drn'\ncolumns = 'fp'\ncontests = ['asl fir']\nfacts = ['firepowr']\n\
        axis = [{ path = 'target.moral', name = 'x' }]\ntitel = 'x'\n\
        line = [{ label = 'a', when = ['brokn'] }, { label = 'b', measure = 'p_brek' },\n\
        { label = 'c' }, { label = 'd', when = ['broken >= many'] }]\n";
    let said = refusal(&["table", "-"], &format!("{TWO}{}", card.replace("titel = 'x'\n", "")));
    for expected in [
        "did you mean `drm`?",
        "there is no contest `asl fir`",
        "did you mean `asl fire`?",
        "the built-in data has no column `firepowr`",
        "did you mean `firepower`?",
        "no contest of the card has an outcome field `brokn`",
        "did you mean `broken`?",
        "no contest has a measure `p_brek`",
        "a line needs either `measure` or `when`",
        "expected an outcome field, or \"FIELD >= N\" with a whole number",
        "target.moral",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    let unknown = refusal(&["table", "-"], &format!("{TWO}{card}"));
    assert!(unknown.contains("there is no field `titel` here"), "{unknown}");
    let same = refusal(&["table", "-"], &format!("{TWO}[[card]]\nrows = 'fp'\ncolumns = 'fp'\n"));
    assert!(same.contains("rows and columns are the same"), "{same}");
    let line = "{ label = 'x', when = ['broken'] },";
    let many = format!("{TWO}[[card]]\nline = [{}]\n", line.repeat(13));
    let many = refusal(&["table", "-"], &many);
    assert!(many.contains("a card has at most 12 lines, but this one has 13"), "{many}");
}

/// The date of a rulebook's data is set anew when the data change: the files and their date are
/// pinned together here.
#[test]
fn the_date_of_the_data_belongs_to_the_data() {
    let pinned = [
        ("asl", "2026-11-21", "532e2a65d65d4600"),
        ("d20", "2026-11-21", "2ec6df2b39f84089"),
        ("dropzone", "2026-11-21", "0e270f8d3bef88c7"),
        ("skirmishers", "2026-11-21", "4f3d1b94abd76c3e"),
    ];
    for (id, date, hash) in pinned {
        let system = crate::built_in().rulebook_by_id(id).expect("it is built in");
        let found = (&*system.data_date, data_hash(id));
        let advice = "the data changed: set `data_date` in the imprint and this line";
        assert_eq!(found, (date, hash.to_owned()), "{id}: {advice}");
    }
    for system in crate::built_in().rulebooks_created_on_demand() {
        let date = &system.data_date;
        let digits = date.split('-').map(str::len).collect::<Vec<_>>();
        assert_eq!(digits, [4, 2, 2], "{}", system.id);
    }
}

/// SHA-256 over the data files of a system in the order of their names, sixteen digits.
fn data_hash(id: &str) -> String {
    let folders =
        ["data", "rulebooks"].map(|name| Path::new(env!("CARGO_MANIFEST_DIR")).join(name));
    let entries = folders.map(|folder| fs::read_dir(folder).expect("the data are there"));
    let entries = entries.into_iter().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with(&format!("{id}_")) && name.ends_with(".tsv")
    });
    files.sort();
    assert!(!files.is_empty());
    let mut hash = Sha256::new();
    for path in files {
        hash.update(fs::read(path).expect("readable"));
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
