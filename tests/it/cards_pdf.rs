//! Printed pages, read back by another program: poppler's `pdftotext`, `pdfinfo`, `pdffonts` and
//! `pdftoppm`. Where they are not installed the tests are
//! ignored.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::cards::{MORALES, enfilade, ready_made};

/// Least white at every edge, in points: half an inch.
const MARGIN: f64 = 35.5;

/// The ready-made cards with the arguments they were printed with.
const SHELF: [(&str, &[&str]); 7] = [
    ("crewed_weapons", &[]),
    ("dropzone_weapons", &["--landscape"]),
    ("experience_dice", &[]),
    ("fire_table", &[]),
    ("leader_stacks", &[]),
    ("machine_guns", &[]),
    ("penetration", &[]),
];

fn tool(name: &str, arguments: &[&str]) -> String {
    let output = Command::new(name).args(arguments).output().expect("the tool starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{name} {arguments:?}: {said}");
    String::from_utf8(output.stdout).expect("its text is UTF-8")
}

struct Printed {
    _folder: TempDir,
    path: PathBuf,
}

impl Printed {
    fn new(file: &str, input: &str, arguments: &[&str]) -> Printed {
        let folder = TempDir::new().expect("a temporary folder");
        let path = folder.path().join("card.pdf");
        let out = path.to_string_lossy().into_owned();
        let output = enfilade(&[&["table", file, "--out", &out], arguments].concat(), input);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        Printed { _folder: folder, path }
    }

    /// A copy of a card under `reports/cards`.
    fn committed(name: &str) -> Printed {
        let folder = TempDir::new().expect("a temporary folder");
        let path = folder.path().join("card.pdf");
        let shelf = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/cards");
        fs::copy(shelf.join(name).with_extension("pdf"), &path).expect("it is committed");
        Printed { _folder: folder, path }
    }

    fn name(&self) -> &str {
        self.path.to_str().expect("the path is UTF-8")
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.path).expect("it was written")
    }

    /// The text of every page.
    fn pages(&self) -> Vec<String> {
        let text = tool("pdftotext", &["-layout", self.name(), "-"]);
        let mut pages: Vec<_> = text.split('\u{c}').map(str::to_owned).collect();
        pages.pop();
        pages
    }

    /// The words of all pages with their boxes (left, top, right, bottom) and the pages' sizes.
    fn words(&self) -> Vec<(String, [f64; 4], (f64, f64))> {
        let number = |line: &str, key: &str| -> f64 {
            let start = line.find(&format!("{key}=\"")).expect("the key is there") + key.len() + 2;
            let end = start + line[start..].find('"').expect("it is quoted");
            line[start..end].parse().expect("a number")
        };
        let (mut size, mut words) = ((0.0, 0.0), Vec::new());
        for line in tool("pdftotext", &["-bbox", self.name(), "-"]).lines() {
            let line = line.trim();
            if line.starts_with("<page ") {
                size = (number(line, "width"), number(line, "height"));
            }
            if line.starts_with("<word ") {
                let text =
                    line[line.find('>').expect("a tag ends") + 1..].trim_end_matches("</word>");
                let edges = ["xMin", "yMin", "xMax", "yMax"].map(|key| number(line, key));
                words.push((text.to_owned(), edges, size));
            }
        }
        words
    }

    /// Every word is within the margins and at least seven points high, and no ink is near an edge.
    fn is_clean(&self) {
        let words = self.words();
        assert!(words.len() > 20);
        for (text, [left, top, right, bottom], (width, height)) in words {
            assert!(left >= MARGIN && right <= width - MARGIN, "{text}: {left} to {right}");
            // The box of a word is as high as the font is, deeper than its letters.
            assert!(top >= MARGIN && bottom <= height - MARGIN + 2.0, "{text}: {top} to {bottom}");
            assert!(bottom - top >= 6.999, "{text}: {top} to {bottom}");
        }
        self.has_white_edges();
    }

    fn has_white_edges(&self) {
        let root = self.path.with_extension("").to_string_lossy().into_owned();
        tool("pdftoppm", &["-gray", "-r", "36", self.name(), &root]);
        let folder = self.path.parent().expect("it is in a folder");
        let images =
            fs::read_dir(folder).expect("readable").map(|entry| entry.expect("readable").path());
        let images: Vec<_> =
            images.filter(|path| path.extension().is_some_and(|e| e == "pgm")).collect();
        assert_eq!(images.len(), self.pages().len());
        for image in images {
            let (width, rows) = greys(&fs::read(&image).expect("readable"));
            let height = rows.len() / width;
            let dark = |x: usize, y: usize| rows[y * width + x] < 250;
            // 36 dots per inch: 17 of them are less than half an inch.
            for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
                let edge = x < 17 || y < 17 || x + 17 >= width || y + 17 >= height;
                assert!(!edge || !dark(x, y), "{}: ink at {x}, {y}", image.display());
            }
        }
    }
}

/// Width and grey values of a binary PGM.
fn greys(image: &[u8]) -> (usize, Vec<u8>) {
    let mut at = 0;
    let mut word = || {
        let start = at;
        while !image[at].is_ascii_whitespace() {
            at += 1;
        }
        at += 1;
        String::from_utf8_lossy(&image[start..at - 1]).into_owned()
    };
    assert_eq!(word(), "P5");
    let (width, _, _) = (word(), word(), word());
    (width.parse().expect("a width"), image[at..].to_vec())
}

#[test]
#[cfg_attr(not(has_poppler), ignore = "needs poppler-utils, which are not installed")]
fn a_card_of_differences_says_which_is_which() {
    let printed = Printed::new("-", MORALES, &["--less", "morale 7", "--exact-only"]);
    printed.is_clean();
    let pages = printed.pages();
    let [page] = &pages[..] else { panic!("one page") };
    for said in ["morale 8 less morale 7", "no effect", "−", "+", "Bars to the right are more"] {
        assert!(page.contains(said), "{said}: {page}");
    }
}

#[test]
fn committed_cards_are_what_the_program_prints() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/cards");
    for (name, arguments) in SHELF {
        let committed = fs::read(folder.join(name).with_extension("pdf")).unwrap_or_default();
        let printed = Printed::new(&ready_made(name), "", arguments);
        let advice = format!(
            "enfilade table experiments/cards/{name}.toml {} --out reports/cards/{name}.pdf",
            arguments.join(" ")
        );
        assert!(committed == printed.bytes(), "reports/cards/{name}.pdf is out of date: {advice}");
    }
    let experiments = fs::read_dir(folder.join("../../experiments/cards")).expect("readable");
    assert_eq!(experiments.count(), SHELF.len(), "every card is on the shelf");
}

/// A file may call itself what it likes; what is written lies in the folder the user is in.
#[test]
fn a_name_cannot_leave_the_folder() {
    let outer = TempDir::new().expect("a temporary folder");
    let inner = outer.path().join("inner");
    fs::create_dir(&inner).expect("made");
    let input = format!("name = '../../evil.v2'\n{GRID}");
    let mut command = assert_cmd::Command::cargo_bin("enfilade").expect("it is built");
    let command = command.current_dir(&inner).args(["table", "-", "--exact-only"]);
    let output = command.write_stdin(input).output().expect("the program starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "wrote evil-v2.pdf\n");
    assert!(inner.join("evil-v2.pdf").exists());
    assert_eq!(fs::read_dir(outer.path()).expect("readable").count(), 1);
}

#[test]
#[cfg_attr(not(has_poppler), ignore = "needs poppler-utils, which are not installed")]
fn committed_cards_are_clean() {
    for (name, _) in SHELF {
        Printed::committed(name).is_clean();
    }
}

#[test]
#[cfg_attr(not(has_poppler), ignore = "needs poppler-utils, which are not installed")]
fn a_page_is_a_card_with_text_and_embedded_fonts() {
    let printed = Printed::committed("fire_table");
    let pages = printed.pages();
    assert_eq!(pages.len(), 4);
    for (page, morale) in pages.iter().zip(6..) {
        assert!(page.contains(&format!("Fire on one squad · morale {morale}")), "{page}");
        assert!(page.contains("2d6, low is good · DRM −4 to +5 · FP 1 to 36"));
        for line in ["kill", "break", "pin", "none"] {
            let rows = page.lines().filter(|row| row.split_whitespace().any(|word| word == line));
            assert!(
                rows.filter(|row| row.split_whitespace().count() >= 11).count() >= 11,
                "{line}"
            );
        }
        assert!(page.contains("(A7.301)") && page.contains("Off the table"));
        assert!(
            page.contains("Exact values; a simulation agrees (N = 100 000 a cell, seed 61886712)")
        );
        assert!(
            page.contains("Rules data of 2026-11-21 (asl)")
                && page.contains(&format!("page {} of 4", morale - 5))
        );
    }
    let fonts = tool("pdffonts", &[printed.name()]);
    let fonts: Vec<_> = fonts.lines().skip(2).collect();
    assert_eq!(fonts.len(), 2);
    for font in fonts {
        let facts: Vec<_> = font.split_whitespace().rev().take(5).collect();
        // Embedded, a subset, with a table to Unicode.
        assert_eq!(facts[2..], ["yes", "yes", "yes"], "{font}");
    }
}

/// No two rows of it are alike, so none are printed as one.
const GRID: &str = "[[contest]]\nsystem = 'asl'\naction = 'fire'\n\
    fp = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36]\ndrm = { from = -3, to = 4 }\n\
    target = { kind = 'squad', morale = { from = 2, to = 10 } }\n";

#[test]
#[cfg_attr(not(has_poppler), ignore = "needs poppler-utils, which are not installed")]
fn papers_have_their_sizes_and_rows_stay_whole() {
    for (arguments, size) in [
        (&["--paper", "a4"][..], "595.28 x 841.89"),
        (&["--paper", "a4", "--landscape"], "841.89 x 595.28"),
        (&["--paper", "letter"], "612 x 792"),
        (&["--paper", "letter", "--landscape"], "792 x 612"),
    ] {
        let printed = Printed::new("-", GRID, &[arguments, &["--exact-only"]].concat());
        let facts = tool("pdfinfo", &[printed.name()]);
        assert!(facts.contains(&format!("{size} pts")), "{facts}");
        printed.is_clean();
        let pages = printed.pages();
        assert!(pages.len() >= 4, "{size}");
        let mut rows = 0;
        for page in &pages {
            let lines = |label: &str| {
                let full = |row: &&str| {
                    row.split_whitespace()
                        .filter(|w| w.parse::<u32>().is_ok() || "–<1>99".contains(w))
                        .count()
                        >= 8
                };
                page.lines().filter(|row| row.contains(label)).filter(full).count()
            };
            // As many first lines as last ones, and the heads of the table above them.
            assert_eq!(lines("kill "), lines("no effect "), "{page}");
            assert!(page.contains("DRM") && page.contains("−3") && page.contains("+4"));
            rows += lines("kill ");
        }
        assert_eq!(rows, 11 * 9);
    }
}

#[test]
#[cfg_attr(not(has_poppler), ignore = "needs poppler-utils, which are not installed")]
fn long_and_foreign_names_stay_on_the_page() {
    let long = "Sturmgeschützbrigade ".repeat(9);
    let foreign = "Отдельный пулемётный батальон · Ελληνικός · 機関銃 🎲 ﷽ Ǆ";
    let word = "W".repeat(200);
    let mut input = String::new();
    for name in [long.trim(), foreign, &word] {
        input += &format!(
            "[[contest]]\nname = '{name}'\nsystem = 'asl'\naction = 'fire'\nfp = [1, 2, 4, 6, 8, 12, 16, 20]\n\
            target = {{ kind = 'squad', morale = 7 }}\n"
        );
    }
    for card in ["rows = 'contest'", "columns = 'contest'\nrows = 'fp'", ""] {
        let card = format!("{input}[[card]]\ntitle = '{word}'\nnotes = ['{word}']\n{card}\n");
        Printed::new("-", &card, &["--exact-only"]).is_clean();
    }
}

/// A title that would like to be something else.
const HOSTILE: &str = ")>> /OpenAction << /S /JavaScript /JS (app.alert) >> <script>&";

fn hostile() -> Printed {
    let input = format!("{GRID}[[card]]\ntitle = '{HOSTILE}'\n");
    Printed::new("-", &input, &["--exact-only"])
}

/// What a name would like to be is a text in the file's description, and nothing else.
#[test]
fn a_title_is_no_part_of_the_file() {
    let printed = hostile();
    let bytes = String::from_utf8_lossy(&printed.bytes()).into_owned();
    let described = bytes.split("<x:xmpmeta").nth(1).expect("the file is described");
    assert!(described.contains("&lt;script") && !described.contains("<script"));
    let raw = bytes.match_indices(")>> /OpenAction");
    assert!(
        raw.into_iter().all(|(at, _)| bytes[..at].ends_with('\\') || bytes[..at].ends_with('>')),
        "{HOSTILE}"
    );
}

#[test]
#[cfg_attr(not(has_poppler), ignore = "needs poppler-utils, which are not installed")]
fn a_title_is_a_title_to_others() {
    let facts = tool("pdfinfo", &[hostile().name()]);
    assert!(facts.contains("JavaScript:      no") && facts.contains(HOSTILE), "{facts}");
}
