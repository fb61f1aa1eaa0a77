use super::*;
use crate::form::name_matching::name_list;

const MORALE: IntRange = IntRange::new("morale level", 0, 12);
const FIREPOWER: IntRange = IntRange::new("firepower", 0, 100);

name_list! { fn units() = NameList::from_names_without_numbers(vec!["4-4-7".into(), "4-6-7".into()]) }
name_list! {
    fn terrain() = NameList::from_names_with_numbers(vec![("Woods".into(), 1), ("Stone building".into(), 3)])
}

const DIE: FieldType = FieldType::die_with_sides(&[4, 6, 8]);
const TARGET: &[Field] = &[
    Field::new_optional("unit", FieldType::name_from_list(units), "a unit"),
    Field::new_whole_number("morale", MORALE, 7, "its morale"),
];
const FIELDS: Fields = Fields::Static(&[&[
    Field::new_required("fp", FieldType::Fraction(FIREPOWER), "total firepower"),
    Field::new_choice("table", &["ift", "iift"], "which table"),
    Field::new_switch_with_default("encircled", false, "whether the target is encircled"),
    Field::new_optional("modifiers", FieldType::numbered_names(terrain, MORALE), "named modifiers"),
    Field::new(
        "target",
        FieldType::tables(Fields::Static(&[TARGET])),
        DefaultValue::Empty,
        "the targets",
    ),
    Field::new_optional("weapons", FieldType::list_of(const { &DIE }), "dice"),
]]);

#[test]
fn where_nothing_can_be_said_no_list_is_told() {
    let table = "fp = 8".parse().expect("it is well formed");
    let faults = Form::from_table_with_defaults(&Fields::NO_FIELDS, &table)
        .expect_err("there is no such field");
    assert_eq!(faults[0].help.as_deref(), Some("no fields can be given here"));
}

fn fill(text: &str) -> Result<Form, Vec<Fault>> {
    Form::from_table_with_defaults(&FIELDS, &text.parse().expect("the test's TOML is well formed"))
}

#[test]
fn defaults_are_filled_in_and_names_are_found() {
    let form = fill(
        "fp = 2.5\ntarget = { unit = '4 4 7' }\nweapons = ['d8', 'd4']\n\
         modifiers = ['stone_building']",
    );
    let form = form.expect("all fields are right");
    assert_eq!(form.fraction("fp"), 160);
    assert_eq!((form.text_of_field("table"), form.flag("encircled")), ("ift", false));
    let target = &form.tables_of_field("target")[0];
    assert_eq!((target.text_of_field("unit"), target.int("morale")), ("4-4-7", 7));
    assert_eq!(form.list_of_field("weapons"), [Value::Die(8), Value::Die(4)]);
    assert_eq!(form.name_number_pairs("modifiers"), [("Stone building".to_owned(), 3)]);
}

#[test]
fn every_fault_is_reported_with_its_place() {
    let faults = fill(
        "encirlced = true\ntable = 'iit'\nweapons = ['d7', 'd6']\n\
         [[target]]\nmorale = 7\n[[target]]\nmorale = 70\nunit = '4-4-8'",
    );
    let faults = faults.expect_err("six things are wrong");
    let paths: Vec<_> = faults.iter().map(|fault| fault.path.as_str()).collect();
    let expected = ["encirlced", "fp", "table", "target[1].unit", "target[1].morale", "weapons[0]"];
    assert_eq!(paths, expected);
    assert_eq!(faults[0].help.as_deref(), Some("did you mean `encircled`?"));
    assert!(faults[2].help.as_deref().is_some_and(|help| help.contains("ift")));
    assert_eq!(faults[4].problem, "the morale level must be 0 to 12, but it is 70");
}

#[test]
fn fractions_are_exact_or_refused() {
    assert!(fill("fp = nan").is_err());
    assert!(fill("fp = inf").is_err());
    let faults = fill("fp = 0.3").expect_err("0.3 is no multiple of 1/64");
    assert_eq!(faults[0].help.as_deref(), Some("the nearest one is 0.296875"));
}
