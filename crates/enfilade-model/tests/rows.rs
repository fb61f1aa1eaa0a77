//! Fields with rows of data, lists with bounds, and the descriptions of their types.

use std::sync::Arc;

use enfilade_model::form::bounds::IntRange;
use enfilade_model::form::name_matching::{AcceptedNames, NameList};
use enfilade_model::form::{DefaultValue, Fault, Field, FieldType, Fields, Form, Value};
use enfilade_model::static_or_shared::StaticOrCounted;

const SHOTS: IntRange = IntRange::new("number of shots", 0, 9);
const WEAPONS: IntRange = IntRange::new("number of weapons", 1, 2);

fn weapon() -> FieldType {
    let names = ["rifle", "Light MG"].map(str::to_owned).to_vec();
    let columns = [
        Field::new_optional("shots", FieldType::Int(SHOTS), "shots"),
        Field::new_optional("2..4", FieldType::Int(SHOTS), "near"),
        Field::new(
            "special",
            FieldType::list_of(&FieldType::Text),
            DefaultValue::Empty,
            "specials",
        ),
    ];
    FieldType::type_of_data_table_row(
        AcceptedNames::Owned(Arc::new(NameList::from_names_without_numbers(names))),
        columns,
    )
}

fn fields() -> Fields {
    let several = FieldType::List(StaticOrCounted::new(weapon()), WEAPONS);
    let target = FieldType::Tables(
        vec![Field::new_whole_number("morale", SHOTS, 7, "morale")].into(),
        WEAPONS,
    );
    let numbers = FieldType::Numbers(vec![0, 2, 4].into());
    let die = FieldType::Die((2..=100).collect());
    let how = DefaultValue::Derived("skill - 2".into());
    vec![
        Field::new_optional("weapon", weapon(), "a weapon"),
        Field::new_optional("weapons", several, "weapons"),
        Field::new_optional("target", target, "targets"),
        Field::new_optional("armour", numbers, "armour"),
        Field::new_optional("die", die, "a die"),
        Field::new("morale", FieldType::Int(SHOTS), how, "morale"),
    ]
    .into()
}

fn fill(text: &str) -> Result<Form, Vec<Fault>> {
    Form::from_table_with_defaults(
        &fields(),
        &text.parse().expect("the test's TOML is well formed"),
    )
}

fn refused(text: &str) -> String {
    let faults = fill(text).expect_err(text);
    assert_eq!(faults.len(), 1, "{text}: {faults:?}");
    let Fault { path, problem, .. } = &faults[0];
    format!("{path}: {problem}")
}

/// A row given by its name is a text in any spelling; with a column it is a table; without a name
/// it has all columns and their defaults.
#[test]
fn a_row_is_a_name_or_a_table() {
    for spelt in ["'light_mg'", "{ name = 'LIGHT-MG' }"] {
        let form = fill(&format!("weapon = {spelt}")).expect("it is there");
        assert_eq!(form.text_of_field("weapon"), "Light MG");
    }
    let form = fill("weapon = { shots = 3, name = 'rifle' }").expect("it is there");
    let row = form.table_if_present("weapon").expect("a table");
    assert_eq!(
        (row.text_of_field("name"), row.int("shots"), row.has("special")),
        ("rifle", 3, false)
    );
    let form = fill("weapon = { shots = 3, \"2..4\" = 1 }").expect("all columns are there");
    let row = form.table_if_present("weapon").expect("a table");
    assert_eq!(
        (row.has("name"), row.int("2..4"), row.list_of_field("special")),
        (false, 1, &[][..])
    );
    assert_eq!(
        refused("weapon = { shots = 3 }"),
        "weapon.2..4: `2..4` is missing: a row without `name` needs every column"
    );
    assert_eq!(
        refused("weapon = { name = 'rifel' }"),
        "weapon.name: there is no \"rifel\" in the data"
    );
    assert_eq!(
        refused("weapon = true"),
        "weapon: expected a name, such as \"rifle\" or \"Light MG\", or a table of columns, found true"
    );
}

#[test]
fn lists_have_bounds() {
    let form = fill("weapons = ['rifle', { name = 'rifle', shots = 1 }]").expect("two");
    assert_eq!(form.list_of_field("weapons").len(), 2);
    for list in ["[]", "['rifle', 'rifle', 'rifle']"] {
        let said = refused(&format!("weapons = {list}"));
        assert!(
            said.starts_with("weapons: the number of weapons must be 1 to 2, but it is"),
            "{said}"
        );
    }
    assert!(fill("target = {}").is_ok() && fill("target = [{}, {}]").is_ok());
    assert_eq!(
        refused("target = [{}, {}, {}]"),
        "target: the number of weapons must be 1 to 2, but it is 3"
    );
}

#[test]
fn a_number_is_one_of_some_and_a_die_its_sides() {
    assert_eq!(fill("armour = 2").expect("it is one").int("armour"), 2);
    assert_eq!(refused("armour = 3"), "armour: expected 0, 2 or 4, found 3");
    for die in ["'d8'", "8"] {
        assert_eq!(fill(&format!("die = {die}")).expect("it is one").die("die"), 8);
    }
    assert_eq!(refused("die = 1"), "die: expected a die, \"d2\" to \"d100\", found 1");
}

/// A default that the rulebook computes is absent until it does.
#[test]
fn a_reckoned_default_is_nothing() {
    let form = fill("").expect("nothing is needed");
    assert_eq!(form.fields_with_values().count(), 0);
    assert_eq!(fill("morale = 5").expect("it may be given").get("morale"), Some(&Value::Int(5)));
}

#[test]
fn paths_lead_through_rows_and_odd_names() {
    let fields = fields();
    let about = |path: &str| fields.find_field_at_path(path).map(|field| field.about.to_string());
    assert_eq!(about("weapon.shots").as_deref(), Some("shots"));
    assert_eq!(about("weapon.2..4").as_deref(), Some("near"));
    assert_eq!(about("target.2.morale").as_deref(), Some("morale"));
    assert_eq!(about("target[1].morale").as_deref(), Some("morale"));
    assert_eq!(about("nothing"), None);
    assert!(
        fields.declares_whole_path("weapon.2..4") && fields.declares_whole_path("target[0].morale")
    );
    assert!(
        !fields.declares_whole_path("weapon.shot")
            && !fields.declares_whole_path("target[0].moral")
    );
}
