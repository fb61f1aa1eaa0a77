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
    let set = format(UNTIDY).expect("it is a rulebook");
    assert_eq!(set, TIDY);
    assert_eq!(format(TIDY).expect("it is one still"), TIDY);
}

#[test]
fn what_is_no_rulebook_is_refused() {
    assert_eq!(format("feild x: 1..6\n").expect_err("no declaration").len(), 1);
}

#[test]
fn the_meaning_is_without_places_but_with_texts() {
    let tree = |text: &str| parse_rulebook(text, &mut Faults::default());
    let (a, b) = (tree("field x: 1..6 \"1..6\"\n"), tree("field   x: 1..6   \"1..6\"\n"));
    assert_eq!(tree_without_spans(&a), tree_without_spans(&b));
    assert_ne!(tree_without_spans(&a), tree_without_spans(&tree("field x: 1..6 \"2..6\"\n")));
    assert_ne!(tree_without_spans(&a), tree_without_spans(&tree("field x: 1..5 \"1..6\"\n")));
}

#[test]
fn a_line_that_would_be_too_long_leaves_the_file_alone() {
    let long = "x".repeat(378);
    let text = format!("field a: 1..6  \"b\"\nfield b: 1..6 \"{long}\" rare\n");
    let set = format(&text).expect("it is a rulebook");
    assert_eq!(
        tree_without_spans(&parse_rulebook(&set, &mut Faults::default())),
        tree_without_spans(&parse_rulebook(&text, &mut Faults::default()))
    );
}
