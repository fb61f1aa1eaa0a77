//! What is wrong with a rulebook, in words and with its line.

use enfilade_model::dice::ScriptedDice;
use enfilade_model::error::InputError;
use enfilade_model::form::{DefaultValue, FieldType, Fields};
use enfilade_rules::read_without_built_in_base;
use enfilade_testkit::test_contests::parse_contest;

/// Faults of a text, each with its line.
pub fn faults(text: &str) -> Vec<(usize, String, String)> {
    let none = |_: &str| Err("there are no files here".to_owned());
    let Err(InputError { faults, .. }) = read_without_built_in_base("m", "m.rules", text, &none)
    else {
        panic!("it should be refused:\n{text}");
    };
    let told = faults.into_iter().map(|located| {
        let line = text[..located.span.start].matches('\n').count() + 1;
        let help = located.fault.help.unwrap_or_default();
        (line, located.fault.problem, help)
    });
    told.collect()
}

#[test]
fn what_is_shown_has_a_value_wherever_the_rule_ends() {
    // The register of the die stood in the place of `x` before.
    let text = "game \"m\"\naction a:\n    if d6 > 3:\n        y = 7\n        z = y + d6\n        \
                if z > 10: end\n    x = 1\n    show x\n    show more = x + 1\n";
    let problem = "`x` has no value if the rule ends before it is assigned".to_owned();
    let help = "assign it before the first `end`".to_owned();
    let told = |line| (line, problem.clone(), help.clone());
    assert_eq!(faults(text), [told(8), told(9)]);
    // A part may end the action too, before it gives a value.
    let text = "game \"m\"\npart p():\n    if d6 == 1: end\n    give 3\naction a:\n    x = p()\n    show x\n";
    assert_eq!(faults(text), [told(7)]);
}

#[test]
fn nothing_ends_behind_the_end() {
    let text = "game \"m\"\npart told(n):\n    k = n\n    if n > 3: end\n    show k\naction a:\n    \
                x = d6\n    show x\n    told(x)\n";
    let problem = "`end` cannot be used in a part that the report calls";
    let help = "put the lines after it under an `if`";
    assert_eq!(faults(text), [(4, problem.to_owned(), help.to_owned())]);
}

#[test]
fn a_sentence_names_only_what_there_is() {
    let text = "game \"m\"\nfield x: 1..3 = 1\ncheck x > 0 \"only {y}\"\naction a:\n    hits = d6\n    \
                note \"{hit} of {x}\"\n    show hits\n";
    let told = |line, name: &str, help: &str| {
        let problem = format!("there is no `{name}` here");
        (line, problem, help.to_owned())
    };
    assert_eq!(
        faults(text),
        [told(3, "y", "did you mean `x`?"), told(6, "hit", "did you mean `hits`?")]
    );
}

#[test]
fn no_two_things_of_one_kind_bear_one_name() {
    let action = "action fire \"first\":\n    x = d6\n    show x\n";
    let again =
        |head: &str| faults(&format!("game \"m\"\n{action}{head}:\n    y = d8\n    show y\n"));
    let help = "give it another name".to_owned();
    let problem = "`fire` is an action already and cannot be declared again".to_owned();
    assert_eq!(again("action fire"), [(5, problem.clone(), help.clone())]);
    assert_eq!(again("action fire named \"other\""), [(5, problem, help.clone())]);
    // A contest finds a name whatever its case and spacing.
    for name in ["shoot named \"fire\"", "shoot named \"FIRE\"", "Fire"] {
        let told = again(&format!("action {name}")).remove(0);
        let said = name.split('"').nth(1).unwrap_or(name);
        let problem = format!("contests use \"{said}\" for the action `fire`");
        assert_eq!(told, (5, problem, help.clone()));
    }
    let marks = "game \"m\"\nmarks m:\n    A a\nmarks m:\n    B b\n";
    assert_eq!(
        faults(&format!("{marks}{action}"))[0].1,
        "`m` is marks already and cannot be declared again"
    );
}

/// A game in which the cells of `dmg` are `a` and `b`, and this is done with them.
fn damage(a: &str, b: &str, lines: &str) -> String {
    format!(
        "game \"m\"\ndata guns:\n    name dmg\n    lmg {a}\n    hmg {b}\nfield gun: one of guns = lmg\n\
         field skill: die = d8\naction a:\n{lines}    show x\n"
    )
}

#[test]
fn dice_in_a_cell_are_refused_and_told_how_they_are_written() {
    let codes = [
        ("2d6", "3d6", 4),
        ("2d6+1", "3", 4),
        ("d6", "2d6", 5),
        ("3D8", "-", 4),
        ("heavy", "d6-1", 5),
        ("D6", "D8", 4),
        ("d%", "1", 4),
    ];
    for (a, b, line) in codes {
        let told = faults(&damage(a, b, "    x = gun.dmg\n"));
        let code = if line == 4 { a } else { b };
        let problem =
            format!("`{code}` is dice, and a cell holds a number, a word or one die as `d6`");
        assert_eq!((told[0].0, &told[0].1), (line, &problem), "{told:?}");
        assert!(told[0].2.contains("`(gun.dice) d(gun.sides) + gun.plus` rolls them"), "{told:?}");
    }
    // What the help says is how it is written.
    let none = |_: &str| Err("there are no files here".to_owned());
    let text = "data guns:\n    name dice sides plus\n    lmg 2 d6 1\nfield gun: one of guns = lmg\naction a:\n    \
                x = (gun.dice) d(gun.sides) + gun.plus\n    show x\n";
    assert!(read_without_built_in_base("m", "m.rules", text, &none).is_ok());
    // Words that a list has are words.
    let text =
        "words road: D6, D7\n".to_owned() + &damage("D6", "D7", "    x = (1 if gun.dmg is D6)\n");
    assert!(read_without_built_in_base("m", "m.rules", &text, &none).is_ok());
}

#[test]
fn dice_that_nothing_rolls_are_told() {
    for lines in ["    x = gun.dmg\n", "    x = d6 + gun.dmg\n", "    x = d(skill) + gun.dmg\n"] {
        let told = faults(&damage("d6", "d8", lines));
        let problem = "`dmg` contains dice, and this reads their number of sides".to_owned();
        let help = "use `d(gun.dmg)` to roll one; write sides that are only a number without the d"
            .to_owned();
        assert_eq!(told, [(9, problem, help)]);
    }
    let none = |_: &str| Err("there are no files here".to_owned());
    for lines in [
        "    x = d(gun.dmg)\n",
        "    sides = gun.dmg\n    x = d(sides)\n",
        "    x = (1 if gun.dmg > 6)\n",
        "    x = d(gun.dmg + 2)\n    if x > gun.dmg: x = 0\n",
    ] {
        let text = damage("d6", "d8", lines);
        assert!(read_without_built_in_base("m", "m.rules", &text, &none).is_ok(), "{lines}");
    }
    assert!(
        read_without_built_in_base("m", "m.rules", &damage("6", "8", "    x = gun.dmg\n"), &none)
            .is_ok()
    );
}

/// What cannot be meant is no rulebook: each was in order, and said nothing or something else.
#[test]
fn what_cannot_be_meant_is_refused() {
    let action = "action a:\n    x = d6\n    show x\n";
    let priced = |losses: &str| {
        format!(
            "data guns:\n    name n\n    lmg 2\nfield gun: one of guns = lmg\nfield cover: 0..3 = 0\naction a:\n    \
             x = (gun.n + cover) d6\n    show x harm\n    show y = 6 - x gain\nprice:\n    attack a\n    weapon gun\n    \
             target cover\n    losses {losses}\n"
        )
    };
    let told: [(String, (usize, &str, &str)); 4] = [
        (
            "action a:\n    x = d6\n".into(),
            (1, "action `a` has no `show` line", "add `show x`, the value whose odds are wanted"),
        ),
        (
            format!("field skill: die = 2d6\n{}", action.replace("d6", "d(skill)")),
            (1, "a default is one die, such as `d8`", "use another field for the number of dice"),
        ),
        (
            format!(
                "field n: 1..3 = 1 \"men\" \"help\" \"more\"\n{}",
                action.replace("d6", "n d6")
            ),
            (1, "there are two texts already: the label and the help", ""),
        ),
        (
            priced("y"),
            (14, "`y` is a gain, but losses must be harm", "name a `show` of the target's losses"),
        ),
    ];
    for (text, (line, problem, help)) in told {
        assert_eq!(faults(&text), [(line, problem.to_owned(), help.to_owned())], "{text}");
    }
    let none = |_: &str| Err("there are no files here".to_owned());
    assert!(read_without_built_in_base("m", "m.rules", &priced("x"), &none).is_ok());
}

/// The price is the question, so a weapon of one's own needs none. Other rows need all columns.
#[test]
fn a_weapon_of_ones_own_has_no_printed_price() {
    let text = "data guns:\n    name n cost\n    lmg 2 30\ndata plates:\n    name n cost\n    thin 1 5\n\
                field gun: one of guns = lmg\nfield plate: one of plates = thin\naction a:\n    \
                x = gun.n d6 - plate.n\n    show x harm\nprice:\n    attack a\n    weapon gun\n    \
                target plate\n    losses x\n    cost cost\n";
    let none = |_: &str| Err("there are no files here".to_owned());
    let system = read_without_built_in_base("m", "m.rules", text, &none).expect("in order").system;
    let pricing = system.pricing.as_deref().expect("prices");
    let preset = |fields: &Fields, path: &str, column: &str| {
        let field = fields.find_field_at_path(path).expect("a field");
        let FieldType::Row(_, columns) = &field.kind else { panic!("{field:?}") };
        columns.iter().find(|known| &*known.name == column).expect("a column").preset.clone()
    };
    let weapon = |column: &str| preset(pricing.weapon_fields(), "gun", column);
    assert_eq!(weapon("cost"), DefaultValue::Int(0));
    assert_eq!(weapon("n"), DefaultValue::Absent);
}

/// Who is at home in another language is told how it is written here.
#[test]
fn habits_from_elsewhere_are_answered() {
    let text = |line: &str| {
        format!(
            "field on: yes/no = no\naction a:\n    n = 2\n    x = 0\n    {line}\n    show x\n    show n\n"
        )
    };
    for (line, help) in [
        ("x = 2D6", "dice have a small d: `2d6`"),
        ("x = 3d6kh2", "the best two of three: `3d6 high 2`"),
        ("x = 3d6kl2", "the worst two of three: `3d6 low 2`"),
        ("x = 3d6 keep 2", "the best two of three: `3d6 high 2`"),
        ("x = 3d6 highest 2", "the best two of three: `3d6 high 2`"),
        ("x = d6!", "dice that go on: `d6 again on 6 up to 3`"),
        ("if n > 1 && x < 2: x = 1", "both: `a and b`"),
        ("if 0 < x < 4: x = 1", "between two: `a < x and x < b`"),
        ("x = n % 2", "`rest(n, 2)`"),
        ("# roll", "a remark begins with `--`"),
        ("// roll", "a remark begins with `--`"),
        ("elif x == 2: x = 1", "`else if c:`"),
        ("return x", "`give x`"),
        ("print x", "`show x` at the end of the action"),
        ("while x > 3: x -= 1", "`repeat:` with `if c: stop` in it"),
        ("let y = 3", "`y = 3`"),
        ("x = \"shaken\"", "write words without quotes"),
        ("on_now = false", "`no`"),
        ("if on then x = 1", "the statement comes after `:`"),
    ] {
        let told = faults(&text(line)).remove(0);
        assert!(told.0 == 5 && told.2.starts_with(help), "{line}: {told:?}");
    }
    for (field, help) in [
        ("men: 1-10 = 5", "a range is `1..10`"),
        ("hit-points: 1..3", "a range is `1..10`, and a name has `_`"),
        ("men: 1..10 “men”", "use straight quotes"),
    ] {
        let told = faults(&format!("field {field}\n{}", text("x = 1"))).remove(0);
        assert!(told.0 == 1 && told.2.starts_with(help), "{field}: {told:?}");
    }
    let told =
        faults(&format!("record sub-unit:\n    field n: 1..3 = 1\n{}", text("x = 1"))).remove(0);
    assert!(told.0 == 1 && told.2.contains("a name has `_` where others have `-`"), "{told:?}");
}

#[test]
fn a_row_of_another_length_is_told_what_divides_cells() {
    let text = |head: &str, row: &str| {
        format!(
            "data guns:\n    {head}\n    {row}\nfield gun: one of guns\naction a:\n    x = (gun.shots) d6\n    show x\n"
        )
    };
    for (head, row, help) in [
        (
            "name,shots,power",
            "lmg 2 1",
            "separate columns by spaces, in a file by tabs, not by commas or semicolons",
        ),
        ("name shots", "heavy lmg 2", "put a name or a cell with spaces in quotes"),
        ("name shots power", "lmg 2", "a blank cell is `-`"),
    ] {
        let told = faults(&text(head, row)).remove(0);
        assert_eq!((told.0, told.2.as_str()), (3, help));
    }
}

/// One line among the shows that belongs above them is one fault.
#[test]
fn a_statement_below_a_show_is_told_once() {
    let told = faults("action a:\n    x = d6\n    show x\n    if x > 3: x = 3\n");
    let problem = "only `show`, `measure` and `carry` may follow the first `show`".to_owned();
    assert_eq!(told, [(4, problem, "put it above the first `show`".to_owned())]);
}

/// A misspelt name made a row of blanks.
#[test]
fn a_row_that_is_not_there_is_not_changed() {
    let base = "data guns:\n    name shots power\n    rifle 1 0\nfield gun: one of guns = rifle\naction a:\n    \
                x = (gun.shots) d6 + gun.power\n    show x\n";
    let near = |_: &str| Ok(base.to_owned());
    let with = |row: &str| {
        let text = format!("game \"m\" extends \"b.rules\"\nchange data guns:\n    name {row}\n");
        read_without_built_in_base("m", "m.rules", &text, &near)
    };
    let Err(InputError { faults, .. }) = with("shots\n    rifel 2") else {
        panic!("there is no rifel");
    };
    let fault = &faults[0].fault;
    assert_eq!(fault.problem, "there is no row `rifel` to change");
    let help = "did you mean `rifle`? a new row has a cell for every column";
    assert_eq!(fault.help.as_deref(), Some(help));
    assert!(with("shots\n    rifle 2").is_ok() && with("power shots\n    lmg 1 3").is_ok());
}

/// Those who come from other languages say `flag` or `bool`.
#[test]
fn an_unknown_kind_is_answered_with_those_that_there_are() {
    for kind in ["flag", "bool", "number"] {
        let text = format!("game \"m\"\nfield on: {kind}\naction a:\n    x = d6\n    show x\n");
        let (line, problem, help) = faults(&text).remove(0);
        assert_eq!((line, problem), (2, format!("there is no kind `{kind}`")));
        assert!(help.starts_with("`yes/no` for a switch, `0..10` for a number"), "{help}");
    }
}

#[test]
fn what_nothing_reads_is_a_warning() {
    let text = r#"game "m"
words mood: calm, wild
words reach: near, far
marks special:
    Flame  flame
data weapons:
    name  shots  weight
    bow   2      7
record unit:
    field size: 1..6 = 2
    field speed: 1..6 = 2
record crew:
    field skill: 1..6 = 2
field weapon: one of weapons = bow
field foe: unit
field wind: 0..3 = 0
field range: reach = near
table by_wind:
    0..1 3
    2..  4
part gust(): give d6
action a:
    field own: 1..3 = 1
    hits = count(weapon.shots d6 >= foe.size)
    if range is far: hits = 0
    spare = hits + 1
    xs = [1, 2]
    xs[1] = hits
    show hits
example a "once":
    wind = 1
example a "once":
    wind = 2
"#;
    let none = |_: &str| Err("there are no files here".to_owned());
    let rulebook = read_without_built_in_base("m", "m.rules", text, &none).expect("it is in order");
    let warnings = rulebook.warnings.iter().map(|warning| {
        let line = text[..warning.span.start].matches('\n').count() + 1;
        (line, warning.fault.problem.as_str())
    });
    assert_eq!(
        warnings.collect::<Vec<_>>(),
        [
            (2, "nothing uses the words of `mood`"),
            (4, "no field and no column holds `special`"),
            (7, "nothing reads the column `weight` of `weapons`"),
            (11, "nothing reads `speed` of `unit`"),
            (12, "no field is a `crew`"),
            (16, "nothing reads the field `wind`"),
            (18, "nothing looks anything up in `by_wind`"),
            (21, "nothing calls `gust`, so it was not checked"),
            (23, "nothing reads the field `own`"),
            (26, "nothing reads `spare`"),
            (27, "nothing reads `xs`"),
            (32, "another example has the name \"once\""),
        ]
    );
}

#[test]
fn a_test_is_told_with_the_numbers_that_it_compares() {
    let text = "game \"m\"\nfield morale: 2..12 = 7\nfield worse: 0..3 = 1\naction a:\n    throw = 2d6\n    \
                held = no\n    if throw + worse > morale: held = yes\n    show held\n";
    let none = |_: &str| Err("there are no files here".to_owned());
    let book = read_without_built_in_base("m", "m.rules", text, &none).expect("it is in order");
    let action = book.system.action("a").expect("it is there");
    let combat = parse_contest(action, "").expect("all fields have defaults").combat;
    let told = |faces: &[u8]| {
        let mut told = Vec::new();
        combat.play_with_step_listener(&mut ScriptedDice::new(faces), &mut |_, telling| {
            told.push(telling.text);
            true
        });
        told.join("; ")
    };
    let yes = "throw = 9; held = no; throw + worse > morale: 10 > 7: yes; held = yes";
    assert_eq!(told(&[5, 4]), yes);
    let no = "throw = 6; held = no; throw + worse > morale: 7 > 7: no";
    assert_eq!(told(&[2, 4]), no);
}

/// What is written in good faith is told with what is written in its place.
#[test]
fn a_fault_names_its_remedy() {
    let rule = |lines: &str| faults(&format!("game \"m\"\naction a:\n{lines}"));
    let told = |line: usize, problem: &str, help: &str| (line, problem.to_owned(), help.to_owned());
    let hidden = rule("    hits = d6\n    show x = hits\n    measure p = chance(hits > 3)\n");
    let problem = "measures can only use shown values, and `hits` is not shown";
    assert_eq!(hidden, [told(5, problem, "add `keep hits` to show it to measures alone")]);
    let inside = rule("    if d6 > 3: x = 1\n    show x\n");
    let problem = "`x` has a value only inside the block above";
    assert_eq!(inside, [told(4, problem, "assign it before the block")]);
    let die = rule("    d1 = 0\n    show y = 2\n");
    assert_eq!(die, [told(3, "`d1` is a die and cannot be a name", "`d_1` can")]);
    let late = rule("    x = d6\n    check x > 3 \"no\"\n    show x\n");
    let problem = "`check` belongs above the rule";
    assert_eq!(late, [told(4, problem, "put it above the first statement")]);
    let show = rule("    x = d6\n    show x\n    if x > 2: x = 1\n    y = 2\n    show y\n");
    let problem = "only `show`, `measure` and `carry` may follow the first `show`";
    assert_eq!(show, [told(5, problem, "put it above the first `show`")]);
    let marks = "game \"m\"\nmarks special:\n    Area area\nfield extra: of special = []\n\
                 action a:\n    x = d6\n    show x\n";
    let problem = "expected a kind, such as `1..6` or `yes/no`, found `of`";
    assert_eq!(faults(marks), [told(4, problem, "name the marks alone: `field extra: special`")]);
}

/// A spreadsheet puts a cell with a comma or a quote in it into quotes.
#[test]
fn quoted_cells_of_a_file_are_what_stands_between_the_quotes() {
    let near =
        |_: &str| Ok("name\tpower\n\"Gun, heavy\"\t3\n\"the \"\"Kid\"\"\"\t\"4\"\n".to_owned());
    let text = "game \"m\"\ndata guns from \"g.tsv\"\nfield gun: one of guns = \"Gun, heavy\"\n\
                field men: 1..3\naction a:\n    x = d6 + gun.power + men\n    show x\n";
    let rulebook =
        read_without_built_in_base("m", "m.rules", text, &near).expect("it is a rulebook");
    let tables = (rulebook.system.data_tables)();
    let rows: Vec<_> = tables.into_iter().flat_map(|table| table.rows).collect();
    assert_eq!(rows, [["Gun, heavy", "3"], ["the \"Kid\"", "4"]]);
    // A field that nobody labelled is not told twice.
    let fields = &rulebook.system.actions[0].fields;
    let missing = enfilade_model::form::Form::from_table_with_defaults(fields, &toml::Table::new())
        .expect_err("no men");
    assert_eq!(missing[0].problem, "`men` is missing");
}
