use super::*;
use crate::form::bounds::IntRange;
use crate::form::name_matching::{NameList, name_list};

const SHOTS: IntRange = IntRange::new("number of shots", 1, 200);

choice! {
    /// Order in which targets are hit.
    enum Allocation {
        /// One model until it falls.
        Focus = "focus",
        /// Each in turn.
        InTurn = "in-turn",
    }
}

fields! {
    /// Weapon that fires.
    struct Gun: put_under_heading("the gun") {
        /// hit dice, of all
        /// barrels
        shots: u8 = new_whole_number(SHOTS, 2).with_unit("dice");
        /// armour, where there is any
        armour: Option<i64> = new_optional(FieldType::Int(SHOTS));
        /// who is hit
        kind as "type": Allocation = new_choice(Allocation::WORDS);
    }
}

name_list! {
    fn shelters() = NameList::from_names_with_numbers(vec![("Woods".to_owned(), 1), ("smoke".to_owned(), 3)])
}

fields! {
    /// Position of the gun.
    struct Place: put_under_heading("the place") {
        /// what protects it
        shelter: Option<NamedNumbers> = new_optional(FieldType::numbered_names(shelters, SHOTS));
    }
}

forms! {
    /// Gun in its position.
    struct Emplaced {
        /// The gun.
        gun: Gun,
        /// Position of the gun.
        place: Place,
    }
}

#[test]
fn groups_of_fields_are_one_form() {
    let names: Vec<_> = Emplaced::FIELDS.iter().map(|field| field.name.to_string()).collect();
    assert_eq!(names, ["shots", "armour", "type", "shelter"]);
    let read = |toml: &str| {
        let table = toml.parse().expect("well formed");
        Emplaced::read(&Form::from_table_with_defaults(&Emplaced::FIELDS, &table).expect("sound"))
    };
    let emplaced = read("shots = 4\nshelter = { smoke = 5, woods = true }");
    let shelter = NamedNumbers(vec![("smoke".to_owned(), 5), ("Woods".to_owned(), 1)]);
    assert_eq!((emplaced.gun.shots, emplaced.place.shelter), (4, Some(shelter)));
    assert_eq!(read("").place.shelter, None);
}

fn gun(toml: &str) -> Gun {
    let table = toml.parse().expect("well formed");
    let fields = super::super::field_groups::joined![Gun::FIELDS];
    Gun::read(&Form::from_table_with_defaults(&fields, &table).expect("sound"))
}

#[test]
fn a_row_is_declared_and_read() {
    let [shots, _, kind] = Gun::FIELDS;
    assert_eq!((&*shots.about, &*shots.unit), ("hit dice, of all barrels", "dice"));
    assert_eq!((&*kind.name, &*kind.group), ("type", "the gun"));
    let plain = gun("");
    assert_eq!((plain.shots, plain.armour, plain.kind), (2, None, Allocation::Focus));
    let given = gun("shots = 7\narmour = 9\ntype = 'in_turn'");
    assert_eq!((given.shots, given.armour, given.kind), (7, Some(9), Allocation::InTurn));
    assert_eq!(Allocation::named("IN TURN").map(Allocation::word), Some("in-turn"));
}

#[test]
fn a_type_that_cannot_hold_its_field_is_refused() {
    const WIDE: [Field; 1] = [Field::new_whole_number("n", IntRange::new("number", 0, 256), 0, "")];
    const LACKING: [Field; 1] = [Field::new_optional("n", FieldType::Int(SHOTS), "")];
    assert!(
        can_types_store(&WIDE, &[u16::STORABLE_VALUES])
            && !can_types_store(&WIDE, &[u8::STORABLE_VALUES])
    );
    assert!(
        can_types_store(&LACKING, &[<Option<u8>>::STORABLE_VALUES])
            && !can_types_store(&LACKING, &[u8::STORABLE_VALUES])
    );
    assert!(
        !can_types_store(&WIDE, &[bool::STORABLE_VALUES])
            && !can_types_store(&WIDE, &[NamedNumbers::STORABLE_VALUES])
    );
    const WORD: [Field; 1] = [Field::new_choice("n", &["focus", "both"], "")];
    assert!(!can_types_store(&WORD, &[Allocation::STORABLE_VALUES]));
}
