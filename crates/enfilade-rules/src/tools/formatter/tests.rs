use super::*;

const UNTIDY: &str = r#"
game   "Bridgehead"      -- a small game
words mood: steady,   pinned "keeps  its head down"

words reach:
  close "near  by"
  "each"   "everywhere"
field moving: yes/no = no "moving"   called "at rest"   or "moving"
  "whether it   moves"   ("MOVING  ON")
data weapons:    -- things
  name shots power
  -- the light ones
  "light gun" 1 0
  mortar 2   12
group "the target"
field models: 1..10 = 6 "models in the target"
field cover:0..3 = 1  "0 open … 3 bunker"  rare (4.2)
field weapon:  one of weapons = "light gun"
table to_hit:
     cell #MC   check
     cell NMC check
     columns 0 1
     close NMC 1MC
     long 12MC  -
action fire "one  volley":
  -- the dice
  hits = count((4 * weapon.shots) d6   >= 3)
  if hits > 2:
     hits = 2   -- at most
     -- and no more
  show hits "hits" harm
  measure p = chance(hits > 0) "a hit at all"
example fire:
    models  = 3
"#;

/// Formatted by hand.
const TIDY: &str = r#"
game "Bridgehead"  -- a small game
words mood: steady, pinned "keeps  its head down"

words reach:
    close   "near  by"
    "each"  "everywhere"
field moving: yes/no = no  "moving"  called "at rest" or "moving"
    "whether it   moves" ("MOVING  ON")
data weapons:  -- things
    name         shots  power
    -- the light ones
    "light gun"  1      0
    mortar       2      12
group "the target"
field models: 1..10 = 6                     "models in the target"
field cover:  0..3 = 1                      "0 open … 3 bunker"     rare (4.2)
field weapon: one of weapons = "light gun"
table to_hit:
    cell  #MC  check
    cell  NMC  check
    columns  0     1
    close    NMC   1MC
    long     12MC  -
action fire "one  volley":
    -- the dice
    hits = count((4 * weapon.shots) d6 >= 3)
    if hits > 2:
        hits = 2  -- at most
        -- and no more
    show hits  "hits"  harm
    measure p = chance(hits > 0)  "a hit at all"
example fire:
    models  = 3
"#;

#[test]
fn lines_are_set_in_order_and_stay_so() {
    let set = format_rulebook_text(UNTIDY).expect("it is a rulebook");
    assert_eq!(set, TIDY);
    assert_eq!(format_rulebook_text(TIDY).expect("it is one still"), TIDY);
}

/// Lines of a rule as they are set.
const LINES: [&str; 15] = [
    "choose for highest won \"go\", blind to a, b:",
    "choose n in 1..armies for lowest won:",
    "x = weapons[3].power",
    "each w in weapons:",
    "faces = sorted 3d6 reroll 1",
    "dice = sorted d(s) for s in sizes",
    "x = [d8, d10, d12] high 2",
    "x = xs low 1",
    "x = 3d6 again on 6 up to 2 as one",
    "throw = 3 red + n blue",
    "throw.hit -= 1",
    "xs = 5 of 0",
    "ys = xs",
    "x = rest(a, b) + abs(c)",
    "pick i in cup where cup[i] > 0 by random:",
];

#[test]
fn lines_of_a_rule_have_single_spaces() {
    for tidy in LINES {
        let below = match tidy {
            _ if tidy.starts_with("choose for") => {
                "\n        option \"a\" if x > 2:\n            x = 1"
            }
            _ if tidy.ends_with(':') => "\n        x = 1",
            _ => "",
        };
        let file = |line: &str, below: &str| format!("action a:\n    {line}{below}\n    show x\n");
        let wide = |line: &str| line.replace(" if", "   if").replace("= ", "=   ");
        let untidy = file(&tidy.replace(' ', "  "), &wide(below));
        let found =
            format_rulebook_text(&untidy).unwrap_or_else(|wrong| panic!("{tidy}: {wrong:?}"));
        assert_eq!(found, file(tidy, below));
        assert_eq!(format_rulebook_text(&found).expect("it is one still"), found);
    }
}

#[test]
fn dice_tables_and_measures_are_set() {
    let untidy = "die  red:  hit 3,  hit+crit,   blank 2\ntable jump:\n   3   20\n   else 0\naction a:\n  x = 1\n  \
                  show x\n  measure m = mean(x  given x > 0)  -  chance(x == 2 given  x > 0)\n  measure q =  quantile(x,  90)\n";
    let tidy = "die red: hit 3, hit+crit, blank 2\ntable jump:\n    3     20\n    else  0\naction a:\n    x = 1\n    \
                show x\n    measure m = mean(x given x > 0) - chance(x == 2 given x > 0)\n    measure q = quantile(x, 90)\n";
    assert_eq!(format_rulebook_text(untidy).expect("it is a rulebook"), tidy);
}

#[test]
fn what_is_no_rulebook_is_refused() {
    assert_eq!(format_rulebook_text("feild x: 1..6\n").expect_err("no declaration").len(), 1);
}

#[test]
fn the_meaning_is_without_places_but_with_texts() {
    let tree = |text: &str| parse_rulebook_file(text, &mut Faults::default());
    let (a, b) = (tree("field x: 1..6 \"1..6\"\n"), tree("field   x: 1..6   \"1..6\"\n"));
    assert_eq!(tree_without_spans(&a), tree_without_spans(&b));
    assert_ne!(tree_without_spans(&a), tree_without_spans(&tree("field x: 1..6 \"2..6\"\n")));
    assert_ne!(tree_without_spans(&a), tree_without_spans(&tree("field x: 1..5 \"1..6\"\n")));
}

#[test]
fn a_line_that_would_be_too_long_leaves_the_file_alone() {
    let long = "x".repeat(378);
    let text = format!("field a: 1..6  \"b\"\nfield b: 1..6 \"{long}\" rare\n");
    let set = format_rulebook_text(&text).expect("it is a rulebook");
    assert_eq!(
        tree_without_spans(&parse_rulebook_file(&set, &mut Faults::default())),
        tree_without_spans(&parse_rulebook_file(&text, &mut Faults::default()))
    );
}

/// Two spaces behind the longest line; a line that is very long does not move the others.
#[test]
fn comments_of_neighbouring_lines_begin_in_one_column() {
    let long = format!("    x += {}1", "1 + ".repeat(25));
    let untidy = format!(
        "action a:\n    x = d6 -- one\n    hits = x + 1    -- two\n    x += hits -- three\n{long} -- four\n    show x\n"
    );
    let tidy = format!(
        "action a:\n    x = d6        -- one\n    hits = x + 1  -- two\n    x += hits     -- three\n{long}  -- four\n    show x\n"
    );
    assert_eq!(format_rulebook_text(&untidy).expect("it is a rulebook"), tidy);
    // One of 70 columns does.
    let wide = format!("    x += {}1", "1 + ".repeat(15));
    let untidy = format!("action a:\n    x = d6 -- one\n{wide} -- two\n    show x\n");
    let blanks = " ".repeat(wide.len() - "    x = d6".len());
    let tidy = format!("action a:\n    x = d6{blanks}  -- one\n{wide}  -- two\n    show x\n");
    assert_eq!(format_rulebook_text(&untidy).expect("it is a rulebook"), tidy);
}
