//! Formatting of rulebooks: whatever the spaces were, the result is unique and has the same
//! meaning.

use enfilade_rules::diagnostics::Faults;
use enfilade_rules::syntax::parser::parse_rulebook_file;
use enfilade_rules::tools::formatter::{format_rulebook_text, tree_without_spans};

const FIRST: &str = include_str!("../../../rulebooks/bridgehead.rules");

/// Constructs that the first game does not use.
const MORE: &str = r#"game "More"  -- with a remark
by "nobody"
reading "a die is fair" (4.2)
left out "the wind"
words size: whole, halved "half of it", gone
record unit:
    field kind:   squad or crew = squad  "what it is"
    field morale: 2..10 = 7              "morale"      rare (A10)
    check morale < 10  "too  brave"
field target: 1 to 6 of unit  "who is fired at"
field dice:   4 of die
field fp:     1..60           optional assumed
table fire_table (A7.3):
    cell  #KIA  kill
    cell  -     nothing
    exact
    columns  1     2..4  5..
    0        1KIA  2KIA  "3KIA"
    1..3     -     -     -
marks special:
    Focus-#              focus
    "Devastator-# (Inf)"  devastator
part reduce(changes n, u) (A7.302):
    match u.kind:
        squad: n -= 1
        crew:
            if d6 + (1 if u.morale > 7) >= 5: n += 1
            else: n = 0
-- before the action
action fire named "fire-at" "an attack" (A7):
    units = bag of target with now = whole
    for i in 1..3:
        each u in units where u.now is whole:
            pick v in units by lowest v.morale:
                v.now = gone
            -- deep
        -- less deep
    n = 0
    repeat:
        n += count((2 + n) d6 >= 4) at most 6
        if n > 3: stop
    note "{n} hits -- or so"
    choose for highest left:
        option "stand": n = 1
        option "run":
            n = 2
    show left = n                        "left"      gain
    show lost = 6 - n when fp is given_  "lost"      harm
    measure p_left = chance(left > 0)    "any left"  (4.2)
    measure e_left = mean(left) * 2 / 3
    carry fp = n at most 60
    carry dice high 2
    carry target = units
    carry target.dice high n
example fire "one":
    fp = 8
    [[target]]
    kind  =  'crew'
price:
    attack  fire
    cost    points
"#;

/// Pseudorandom generator for spaces.
struct Lots(u64);

impl Lots {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Returns the rulebook with other spaces: another step for every block, more between words.
fn untidy(text: &str, lots: &mut Lots) -> String {
    let step = 1 + lots.below(7);
    let mut untidy = String::new();
    let mut in_example = false;
    for line in text.lines() {
        let said = line.trim_start();
        let depth = (line.len() - said.len()) / 4;
        in_example = depth > 0 && in_example || said.starts_with("example");
        untidy.push_str(&" ".repeat(step * depth));
        let mut quoted = false;
        let code = said.find("--").unwrap_or(said.len());
        for (place, c) in said.char_indices() {
            quoted ^= c == '"';
            untidy.push(c);
            let free = c == ' ' && !quoted && !in_example && place < code;
            untidy.push_str(&" ".repeat(if free { lots.below(4) } else { 0 }));
        }
        untidy.push_str(&" ".repeat(lots.below(3)));
        untidy.push('\n');
    }
    untidy
}

fn meant(text: &str) -> Option<String> {
    let mut faults = Faults::default();
    let tree = parse_rulebook_file(text, &mut faults);
    faults.is_empty().then(|| tree_without_spans(&tree))
}

/// A `carry` line belongs to the meaning of an action, and is formatted like any other line.
#[test]
fn what_is_left_is_kept_and_set_in_order() {
    let text = MORE.replace(" when fp is given_", "");
    let lines = ["carry fp = n at most 60", "carry dice high 2", "carry target = units"];
    for (line, other) in
        lines.into_iter().zip(["carry fp = n", "carry dice = 2", "carry units = target"])
    {
        assert!(text.contains(line));
        assert_ne!(meant(&text), meant(&text.replace(line, other)), "{line}");
        let untidy = text.replace(line, &line.replace(' ', "   "));
        let tidy = format_rulebook_text(&untidy).unwrap_or_else(|faults| panic!("{faults:?}"));
        assert!(tidy.contains(&format!("\n    {line}\n")), "{tidy}");
    }
}

#[test]
fn whatever_the_blanks_were_the_result_is_one() {
    let mut lots = Lots(1);
    for text in [FIRST, MORE] {
        let text = text.replace(" when fp is given_", "");
        let tidy = format_rulebook_text(&text).unwrap_or_else(|faults| panic!("{faults:?}"));
        assert_eq!(meant(&tidy), meant(&text));
        for _ in 0..200 {
            let untidy = untidy(&text, &mut lots);
            assert_eq!(meant(&untidy), meant(&text), "{untidy}");
            assert_eq!(format_rulebook_text(&untidy).as_deref(), Ok(&*tidy), "{untidy}");
        }
    }
}

/// Pieces are cut out, doubled and exchanged: a text that is still a rulebook has the same meaning
/// when formatted, and formatting it again changes nothing.
#[test]
fn no_text_is_changed_in_its_meaning() {
    let mut lots = Lots(2);
    let mut rulebooks = 0;
    for round in 0..3000 {
        let mut text: Vec<char> = [FIRST, MORE][round % 2].chars().collect();
        for _ in 0..=lots.below(3) {
            let (from, length) = (lots.below(text.len()), 1 + lots.below(12));
            let piece: Vec<char> = text[from..].iter().take(length).copied().collect();
            match lots.below(3) {
                0 => drop(text.splice(from..from + piece.len(), [])),
                1 => drop(text.splice(from..from, piece)),
                _ => text[from] = [' ', '"', '-', '\n', '\t', 'é', ':', '\r'][lots.below(8)],
            }
        }
        let text: String = text.into_iter().collect();
        let Ok(set) = format_rulebook_text(&text) else { continue };
        rulebooks += 1;
        assert_eq!(meant(&set), meant(&text), "{text}");
        assert_eq!(format_rulebook_text(&set).as_deref(), Ok(&*set), "{text}");
    }
    assert!(rulebooks > 300, "{rulebooks}");
}
