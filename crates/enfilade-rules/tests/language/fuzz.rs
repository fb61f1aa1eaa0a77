//! Hostile texts: whatever stands in a file, it is a rulebook or has faults with their places,
//! soon.
//!
//! `ENFILADE_FUZZ_SECONDS` says how long; two seconds where nothing is said.

use std::time::Instant;

use enfilade_rules::syntax::parser::{DECLARATION_KEYWORDS, RESERVED_WORDS};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use enfilade_testkit::test_timeout::finish_in_time;

use super::hostile_text::check_rulebook_text;

/// What is tried on each text: no panic, no hang.
fn read(text: &str) {
    finish_in_time(text, || check_rulebook_text(text));
}

/// Words and signs beside the keys and the reserved words, and of those who mean the language harm.
const TOKENS: [&str; 110] = [
    "left out",
    "else if",
    "by random",
    "by lowest",
    "by highest",
    "choose for highest",
    "at least",
    "at most",
    "bag of",
    "count(",
    "sum(",
    "given(",
    "up(",
    "length(",
    "min(",
    "max(",
    "step(",
    "yes/no",
    "die",
    "one of",
    "optional",
    "rare",
    "assumed",
    "harm",
    "gain",
    "with",
    "shift",
    "exact",
    "columns",
    "cell",
    "extends",
    "named",
    "when",
    "keep",
    "again on",
    "up to",
    "reroll",
    "high",
    "low",
    "down to",
    "chance(",
    "mean(",
    "changes",
    "d6",
    "2d6",
    "d66",
    "d(",
    "d0",
    "0d0",
    "d100",
    "d101",
    "99999999999999999999d6",
    "2147483647",
    "2147483648",
    "-2147483648",
    "32767",
    "32768",
    "9223372036854775808",
    "0",
    "1",
    "2",
    "3",
    "x",
    "y",
    "u",
    "n",
    "xs",
    "a",
    "(",
    ")",
    "[",
    "]",
    "=",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "+",
    "-",
    "*",
    "/",
    "+=",
    "-=",
    ":",
    ",",
    ".",
    "..",
    "\"",
    "\"text\"",
    "\"{x}\"",
    "--",
    "#",
    "\u{3000}",
    "\u{0}",
    "\u{7}",
    "\u{1b}[2J",
    "\u{202e}",
    "ß",
    "Ω",
    "日本",
    "\r",
    "\t",
    "\n",
    "\n    ",
    "\n        ",
    "\n            ",
    "\u{b}",
    "\u{feff}",
];

fn token(rng: &mut Xoshiro256PlusPlus) -> &'static str {
    let words = [&DECLARATION_KEYWORDS[..], &RESERVED_WORDS, &TOKENS];
    let which = rng.random_range(0..words.iter().map(|some| some.len()).sum());
    words.into_iter().flatten().nth(which).expect("it is one of them")
}

/// Texts to begin with: whole rulebooks, and what the page shows.
fn seeds() -> Vec<String> {
    let mut seeds = vec![PAGE.to_owned()];
    let root = enfilade_testkit::source_files::repository_folder();
    if let Ok(files) = std::fs::read_dir(root.join("rulebooks")) {
        for file in files.flatten() {
            if file.path().extension().is_some_and(|kind| kind == "rules") {
                seeds.extend(std::fs::read_to_string(file.path()));
            }
        }
    }
    seeds
}

const PAGE: &str = r#"
game "Bridgehead" extends "other.rules"
by "somebody"
date 2026-11-21
reading "halves round down" (4.1)
left out "artillery"
absent overwatch "it is `fire`"
words mood: steady, pinned "keeps its head down", routed
marks special:
    Focus-#              focus
    "Destroyer #+"       destroyer
data weapons:
    name    shots  power  special
    column special: of special
    rifles  1      0      -
    "light mortar"  2      2   Focus-2
data others from "others.tsv"
record unit:
    field hp: 1..10 = 3
    check hp > 0 "it {hp} lives"
group "the target"
field models: 1..10 = 6  "models in the target"
field cover:  0..3 = 1   "0 open … 3 bunker" rare (4.2)
field weapon: one of weapons = rifles
field sizes: 1 to 4 of 0..20 = [1, 2]
field die_of: die d4..d12 = d6
field extra: 1..6 optional assumed
field target: 1 to 6 of unit
table to_hit (A7.3):
    exact
    cell #MC check
    columns    0  1  2  3
    close      3  3  4  5
    2..4       5  6  6  -
field reach: close or long = close
check models > 0 "there is nobody"
remark if cover is 3 "a bunker"
part test(u, changes n) (A10.3):
    if 2d6 + n > u.hp: give yes
    else if n > 3:
        n += 1
    give no
part report(n):
    show left = n when cover is 3 "left" gain
action fire named "fire-now" "one volley" (4.3):
    field own: -3..3 = 0
    hits = count((4 * weapon.shots) d6 >= to_hit(reach, cover shift -1))
    lost = hits - count(hits d6 reroll 1..2 again on 6 up to 3 >= 5) at most models
    mood = steady
    xs = [1, 2, d6]
    units = bag of target with now = mood, hurt = 0
    repeat:
        tally rounds += 2
        xs[2] = 3d6 high 2
        if lost > 0 and 2d6 + lost > 8 or not (mood is pinned): stop
    for i in 3 down to 1: xs[i] -= (1 if given(extra))
    each u in units where u.hurt == 0:
        note "{u.name} breaks"
        pick v in units where test(v, lost) by lowest -v.hurt:
            v.hurt = up(lost / 2) at least 0 at most 6
    match mood:
        steady or pinned:
        else: end
    choose for highest lost:
        option "go on": lost += sum(u.hurt for u in units where u.hurt > 1)
        option "stay":
    show lost  "models lost"   harm
    show mood  "their morale"  harm
    keep before = length(units)
    report(lost)
    measure p_pin = chance(mood is pinned) * 100 / models "pinned"
example fire "as printed":
    models = 3
    [target]
    hp = 2
price:
    attack  fire
change field models = 3
"#;

/// A text that has been meddled with.
fn meddled(rng: &mut Xoshiro256PlusPlus, seeds: &[String]) -> String {
    let mut text = seeds[rng.random_range(0..seeds.len())].clone().into_bytes();
    if rng.random_range(0..8) == 0 {
        text.clear();
    }
    for _ in 0..1 << rng.random_range(0..6) {
        let place = rng.random_range(0..=text.len());
        match rng.random_range(0..8) {
            0 if place < text.len() => text[place] = rng.random_range(0..=255),
            1 if place < text.len() => drop(text.remove(place)),
            2 => {
                let end = (place + rng.random_range(0..40)).min(text.len());
                drop(text.drain(place..end));
            }
            3 => {
                let from = rng.random_range(0..=text.len());
                let to = (from + rng.random_range(0..120)).min(text.len());
                let piece = text[from..to].to_vec();
                text.splice(place..place, piece);
            }
            4 => lines_meddled(rng, &mut text),
            _ => {
                let mut token = token(rng).as_bytes().to_vec();
                if rng.random_bool(0.7) {
                    token.push(b' ');
                }
                let often = if rng.random_range(0..20) == 0 { 60 } else { 1 };
                text.splice(place..place, token.repeat(often));
            }
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// A line goes, comes twice, changes places or changes its depth.
fn lines_meddled(rng: &mut Xoshiro256PlusPlus, text: &mut Vec<u8>) {
    let whole = String::from_utf8_lossy(text).into_owned();
    let mut lines: Vec<String> = whole.split('\n').map(str::to_owned).collect();
    let (one, two) = (rng.random_range(0..lines.len()), rng.random_range(0..lines.len()));
    match rng.random_range(0..5) {
        0 => drop(lines.remove(one)),
        1 => lines.insert(two, lines[one].clone()),
        2 => lines.swap(one, two),
        3 => lines[one] = format!("    {}", lines[one]),
        _ => lines[one] = lines[one].trim_start().to_owned(),
    }
    *text = lines.join("\n").into_bytes();
}

fn seconds() -> f64 {
    let said = std::env::var("ENFILADE_FUZZ_SECONDS").ok();
    said.and_then(|said| said.parse().ok()).unwrap_or(2.0)
}

#[test]
fn no_text_is_too_hostile() {
    let seeds = seeds();
    let seed = std::env::var("ENFILADE_FUZZ_SEED").ok();
    let seed = seed.and_then(|seed| seed.parse().ok()).unwrap_or(14);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let begun = Instant::now();
    let mut texts = 0;
    while begun.elapsed().as_secs_f64() < seconds() {
        read(&meddled(&mut rng, &seeds));
        texts += 1;
    }
    println!("{texts} texts");
}

/// Nothing nests so deep, or is so long, that the program ends with it.
#[test]
fn no_text_is_too_deep() {
    let often = 200_000;
    let inner = |text: &str, times: usize| {
        format!("action a:\n    x = {}1\n    show x\n", text.repeat(times))
    };
    for piece in [
        "(",
        "[",
        "not ",
        "- ",
        "-",
        "d(",
        "d6 high ",
        "d6 reroll d6 .. ",
        "d6 again on ",
        "1 + ",
        "1 if yes else ",
        "count(",
        "sum(",
        "up(",
        "given(",
        "f(",
        "x[",
        "x.",
        "x is ",
        "1 at least ",
        "yes and ",
        "(1 if ",
        "1 d6 low ",
    ] {
        for times in [10, 20, 30, 31, 32, 33, 40, 100, 350 / piece.len(), often] {
            read(&inner(piece, times));
        }
        // One piece a line, each deeper than the last.
        let deeper = (0..300).map(|depth| format!("{}x = {piece}\n", " ".repeat(depth + 4)));
        read(&format!("action a:\n{}", deeper.collect::<String>()));
    }
    for block in [
        "if yes:",
        "else:",
        "else if yes:",
        "repeat:",
        "each u in us:",
        "match x:",
        "choose for highest x:",
    ] {
        let flat = format!("    {block}\n        x = 1\n").repeat(often / 100);
        read(&format!("action a:\n    if no: x = 2\n{flat}    show x\n"));
        let nested: String =
            (0..500).map(|depth| format!("{}{block}\n", " ".repeat(depth + 4))).collect();
        read(&format!("action a:\n{nested}"));
        let beside = format!("{} x = 1", block.repeat(often));
        read(&format!("action a:\n    {beside}\n"));
    }
    for text in [
        "\n",
        " ",
        "\t",
        "-- \n",
        "\"",
        "\u{3000}",
        "a:\n",
        "x\n",
        "words w: a\n",
        "action a:\n    show x\n",
    ] {
        read(&text.repeat(often / 10));
        read(&text.repeat(often));
    }
    for text in
        ["\u{3000}\u{3000}date 2026-11-21\n", "\u{b}field\n", "action a:\n    x = xs[1\u{3000}]\n"]
    {
        read(text);
    }
    read(&format!("words w: {}a\n", "a, ".repeat(120)));
    read(&format!("field x: {}a\n", "a or ".repeat(70)));
    read(&format!("field x: {}1..2\n", "1 of ".repeat(70)));
}
